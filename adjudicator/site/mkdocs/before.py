"""Remember a running game as it was last published, so that the pages of earlier turns need not be made again with each new turn.

The page of a turn depends on that turn's files, on those of the turns beside it, and on files that belong to no turn (`game.yaml`,
custom boards). Each is identified by git's hash of it. When a game ends, everything is written again, because hidden information is
then shown.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudicator.core.files.floor import Files
from adjudicator.core.text.codec import encode
from adjudicator.core.turn.data import Turn


@dataclass(frozen=True, slots=True)
class Signs:
    """Hashes that identify the parts of a game's folder."""

    own: str
    """Hash of everything that belongs to no turn."""
    turns: Mapping[str, str]
    """Turn -> hash of its folder and of the files that intake took in for it."""

    @classmethod
    def of(cls, entries: Mapping[str, str], names: Iterable[str], taken: Iterable[str] | None) -> Signs:
        """Make the signs of a folder from its entries with git's hashes, its turns' names, and the files of intake (None if unknown)."""
        of_turn: dict[str, list[str]] = {name: [] for name in names}
        known = "unknown" if taken is None else ""
        own = [known, *(f"{name} {tree}" for name, tree in sorted(entries.items()) if name not in of_turn)]
        for line in taken or ():
            of_turn.get(line.split("/")[2] if line.count("/") > 2 else "", own).append(line)
        turns = {name: _hash([known, entries.get(name, ""), *lines]) for name, lines in of_turn.items()}
        return cls(_hash(own), turns)

    def same(self, other: Signs, name: str) -> bool:
        """True if a turn, those beside it, and everything that belongs to no turn are the same as in `other`."""
        return self.own == other.own and self._around(name) == other._around(name)

    def _around(self, name: str) -> tuple[int, list[tuple[str, str]]] | None:
        """Index of a turn, and the signs from the turn before to the turn after."""
        turns = [*self.turns.items()]
        at = next((index for index, (one, _) in enumerate(turns) if one == name), None)
        return None if at is None else (at, [("", ""), *turns, ("", "")][at : at + 3])


def _hash(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@dataclass(slots=True)
class Before:
    """A running game as it was last published: its signs, and its turns as they were read."""

    signs: Signs | None = None
    plain: dict[str, Any] = field(default_factory=dict)
    """Turn -> the plain data of its file."""
    site: Path | None = None
    """The folder of the game's pages; None if no page in it can stay."""
    files: Files | None = None
    """The files that hold these pages."""

    @classmethod
    def load(cls, kept_files: Files, path: Path, key: str, files: Files, site: Path) -> Before:
        """The state that was kept under this key; an empty one if nothing readable was kept."""
        try:
            data = json.loads(kept_files.read(path))
            if data["key"] != key:
                return cls()
            signs = Signs(data["own"], {name: sign for name, (sign, _) in data["turns"].items()})
            return cls(signs, {name: plain for name, (_, plain) in data["turns"].items()}, site, files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def read(self, now: Signs | None) -> dict[str, Any]:
        """Turn -> the plain data of its file, for turns whose files are unchanged."""
        if self.signs is None or now is None:
            return {}
        return {name: data for name, data in self.plain.items() if self.signs.turns.get(name) == now.turns.get(name)}

    def stays(self, now: Signs | None, turn: Turn) -> bool:
        """True if a turn's page exists and would be the same today."""
        return (
            self.signs is not None
            and now is not None
            and self.site is not None
            and self.files is not None
            and turn.data.status != "open"
            and not turn.data.rulings  # a voided line may be on the sheet of an earlier turn
            and self.signs.same(now, turn.name)
            and all(self.files.is_file(self.site / turn.name / name) for name in ("index.html", "proof.json"))
        )

    def maps_kept(self, now: Signs | None, turns: Iterable[Turn]) -> list[str]:
        """The turns, from the first on, whose maps are unchanged."""
        kept: list[str] = []
        if self.signs is None or now is None or self.signs.own != now.own:
            return kept
        for turn in turns:
            if turn.data.status == "open" or self.signs.turns.get(turn.name) != now.turns.get(turn.name):
                break
            kept.append(turn.name)
        return kept


def keep(kept_files: Files, path: Path, key: str, now: Signs, turns: Iterable[Turn], known: Mapping[str, Any]) -> None:
    """Keeps a running game's turns for the next time; `known` is the plain data of those that were not read again."""
    plain = {turn.name: known.get(turn.name) or encode(turn.data) for turn in turns}
    parts = {name: (sign, plain[name]) for name, sign in now.turns.items()}
    said = json.dumps({"key": key, "own": now.own, "turns": parts}, ensure_ascii=False)
    kept_files.write(path, said.encode(), lasting=False)
