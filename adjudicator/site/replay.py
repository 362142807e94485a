"""All maps of a game in one file: shared parts are stored once, and each map is a list of references to them.

Here the picture is only text. It is cut before every element, and a map is a list of runs of pieces. Pieces that no
earlier map had are added at the end, so later maps can use the pieces that one map adds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

PIECE = re.compile(r"[^<]+|<[^<]*(?:</[^<]*)*")
"""The beginning of an element with its text, and the end tags that follow. Every text is a sequence of such pieces."""
NAME = "replay.js"
VARIABLE = "courtlyReplay"
"""The variable that the file sets: it is a script instead of JSON, because a page opened from a disk may load only scripts."""


class Packed:
    """Maps in packed form, in order. The packed form of the first maps does not depend on later ones."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        """The pieces of all maps."""
        self.maps: dict[str, list[int]] = {}
        """Name -> its runs: the start of each run among the pieces, and its length."""
        self.where: dict[tuple[str, str | None], int] = {}
        """A piece and the one after it, or a piece and None -> its number."""

    def add(self, name: str, svg: str) -> None:
        """Packs one more map."""
        pieces, where = self.pieces, self.where
        runs: list[int] = []
        row = PIECE.findall(svg)
        fresh, last = len(pieces), -2
        for number, piece in enumerate(row):
            if 0 <= last + 1 < len(pieces) and pieces[last + 1] == piece:
                at = last + 1
            else:
                following = row[number + 1] if number + 1 < len(row) else None
                at = where.get((piece, following), where.get((piece, None), len(pieces)))
                if at == len(pieces):
                    pieces.append(piece)
            if at == last + 1:
                runs[-1] += 1
            else:
                runs += [at, 1]
            last = at
        self._remember(fresh)
        self.maps[name] = runs

    def _remember(self, fresh: int) -> None:
        """Lets later maps find the pieces from `fresh` on."""
        pieces, where = self.pieces, self.where
        for at in range(fresh, len(pieces)):
            where.setdefault((pieces[at], None), at)
            where.setdefault((pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None), at)

    @classmethod
    def resumed(cls, script: str, names: Iterable[str]) -> Packed:
        """Restore the first maps, which must have these names, from a file that was written before. Later maps are dropped.

        Raises ValueError or LookupError if the file begins with other maps.
        """
        data = json.loads(script.removeprefix(f"globalThis.{VARIABLE}=").rstrip().removesuffix(";"))
        packed, count = cls(), 0
        for name, (named, runs) in zip(names, data["maps"].items(), strict=False):
            if name != named:
                raise LookupError(name)
            fresh, count = count, max([count, *map(int.__add__, runs[::2], runs[1::2])])
            packed.pieces += data["pieces"][fresh:count]
            packed._remember(fresh)
            packed.maps[name] = runs
        return packed

    def script(self) -> str:
        """The file that a game's page loads when its reader steps through the replay or plays it."""
        data = json.dumps({"pieces": self.pieces, "maps": self.maps}, ensure_ascii=False, separators=(",", ":"))
        return f"globalThis.{VARIABLE}={data};\n"


def unpack(pieces: list[str], runs: list[int]) -> str:
    """A map from its runs, just as the page's script puts it together."""
    return "".join("".join(pieces[at : at + many]) for at, many in zip(runs[::2], runs[1::2], strict=True))
