"""What is known of a running game from when it was published last: so a new turn makes its own page, and not those of the turns before.

A page of a turn hangs on that turn's files, on those of the turns beside it, and on what belongs to no turn (`game.yaml`, boards of
its own). Each is known by git's hash of it. When a game ends, all is told anew: what was hidden is shown.
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
    """What the parts of a game's folder are known by."""

    own: str
    """All that belongs to no turn, as a hash."""
    turns: Mapping[str, str]
    """Turn -> its folder, and what intake took in for it, as a hash."""

    @classmethod
    def of(cls, entries: Mapping[str, str], names: Iterable[str], taken: Iterable[str] | None) -> Signs:
        """Of a folder's entries with git's hashes, its turns, and what intake took in; None where nobody can know that."""
        of_turn: dict[str, list[str]] = {name: [] for name in names}
        known = "unknown" if taken is None else ""
        own = [known, *(f"{name} {tree}" for name, tree in sorted(entries.items()) if name not in of_turn)]
        for line in taken or ():
            of_turn.get(line.split("/")[2] if line.count("/") > 2 else "", own).append(line)
        turns = {name: _hash([known, entries.get(name, ""), *lines]) for name, lines in of_turn.items()}
        return cls(_hash(own), turns)

    def same(self, other: Signs, name: str) -> bool:
        """Whether a turn and those beside it are what they are in `other`, and so is what belongs to no turn."""
        return self.own == other.own and self._around(name) == other._around(name)

    def _around(self, name: str) -> tuple[int, list[tuple[str, str]]] | None:
        """Which turn it is, and the signs from the one before to the one after."""
        turns = [*self.turns.items()]
        at = next((index for index, (one, _) in enumerate(turns) if one == name), None)
        return None if at is None else (at, [("", ""), *turns, ("", "")][at : at + 3])


def _hash(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@dataclass(slots=True)
class Before:
    """A running game as it was published last: its signs, and its turns as they were read."""

    signs: Signs | None = None
    plain: dict[str, Any] = field(default_factory=dict)
    """Turn -> the plain data of its file."""
    site: Path | None = None
    """Where the game's pages lie, if what is there is worth asking."""
    files: Files | None = None
    """The files that these pages are of."""

    @classmethod
    def load(cls, kept_files: Files, path: Path, key: str, files: Files, site: Path) -> Before:
        """What was kept by this key; nothing if there is nothing that can be read."""
        try:
            data = json.loads(kept_files.read(path))
            if data["key"] != key:
                return cls()
            signs = Signs(data["own"], {name: sign for name, (sign, _) in data["turns"].items()})
            return cls(signs, {name: plain for name, (_, plain) in data["turns"].items()}, site, files)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return cls()

    def read(self, now: Signs | None) -> dict[str, Any]:
        """Turn -> the plain data of its file, of those whose files are what they were."""
        if self.signs is None or now is None:
            return {}
        return {name: data for name, data in self.plain.items() if self.signs.turns.get(name) == now.turns.get(name)}

    def stays(self, now: Signs | None, turn: Turn) -> bool:
        """Whether a turn's page says what it would say now, and is there."""
        return (
            self.signs is not None
            and now is not None
            and self.site is not None
            and self.files is not None
            and turn.data.status != "open"
            and not turn.data.rulings  # a voided line may stand on the sheet of an earlier turn
            and self.signs.same(now, turn.name)
            and all(self.files.is_file(self.site / turn.name / name) for name in ("index.html", "proof.json"))
        )

    def maps_kept(self, now: Signs | None, turns: Iterable[Turn]) -> list[str]:
        """The turns from the first on whose maps are what they were."""
        kept: list[str] = []
        if self.signs is None or now is None or self.signs.own != now.own:
            return kept
        for turn in turns:
            if turn.data.status == "open" or self.signs.turns.get(turn.name) != now.turns.get(turn.name):
                break
            kept.append(turn.name)
        return kept


def keep(kept_files: Files, path: Path, key: str, now: Signs, turns: Iterable[Turn], known: Mapping[str, Any]) -> None:
    """Keeps a running game's turns for the next time; `known` is the plain data of those that were not read anew."""
    plain = {turn.name: known.get(turn.name) or encode(turn.data) for turn in turns}
    parts = {name: (sign, plain[name]) for name, sign in now.turns.items()}
    said = json.dumps({"key": key, "own": now.own, "turns": parts}, ensure_ascii=False)
    kept_files.write(path, said.encode(), lasting=False)
