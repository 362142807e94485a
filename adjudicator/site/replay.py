"""All maps of a game as one file: what they share stands there once, of each map what it is put together from.

The picture is nothing but text here: it is cut before every element, and a map is a list of runs of pieces. Pieces that no
earlier map had are added at the end, so what one map adds the later ones take from there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

PIECE = re.compile(r"[^<]+|<[^<]*(?:</[^<]*)*")
"""An element's beginning with the text in it, and the ends that follow: every text is a row of such pieces."""
NAME = "replay.js"
VARIABLE = "courtlyReplay"
"""A script, and no JSON: a page that was opened from a disk may load a script and nothing else."""


def pack(maps: Mapping[str, str]) -> tuple[list[str], dict[str, list[int]]]:
    """The pieces of all maps, and of each map its runs: where a run begins among the pieces, and how many it has."""
    pieces: list[str] = []
    where: dict[tuple[str, str | None], int] = {}  # A piece and the one after it, or a piece alone -> its number.
    packed: dict[str, list[int]] = {}
    for name, svg in maps.items():
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
        for at in range(fresh, len(pieces)):
            where.setdefault((pieces[at], None), at)
            where.setdefault((pieces[at], pieces[at + 1] if at + 1 < len(pieces) else None), at)
        packed[name] = runs
    return pieces, packed


def unpack(pieces: list[str], runs: list[int]) -> str:
    """A map from its runs, as the page's script does it."""
    return "".join("".join(pieces[at : at + many]) for at, many in zip(runs[::2], runs[1::2], strict=True))


def replay_script(maps: Iterable[tuple[str, str]]) -> str:
    """The file that the page of a game loads when its reader steps or plays: name -> map, packed."""
    pieces, packed = pack(dict(maps))
    data = json.dumps({"pieces": pieces, "maps": packed}, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.{VARIABLE}={data};\n"
