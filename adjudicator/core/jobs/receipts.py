"""Receipts: what was done for a game, kept by the hash of its folder, so that it is not done again while nothing has changed.

They lie in a folder of the user's own (`remembered`), which can be thrown away: then everything is done again. None lies in the archive,
which is somebody else's (RT-3). A receipt counts only for the very code that wrote it, and for a folder with the very files that it was written for;
`--all` asks for none.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import Any

from adjudicator.core.files.places import remembered, write_remembered
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.trees import Trees, charter_hash, code_version


class Receipts:
    """Receipts of one kind of work, such as `verify`."""

    def __init__(self, archive: Archive, kind: str, also: str = "") -> None:
        """`also` is what the work depends on beside the game's folder and the code."""
        self.archive = archive
        self.files = remembered(archive.root)
        self.path = self.files.root / f"{kind}.json"
        self.key = hashlib.sha256(f"{code_version()} {charter_hash(archive)} {also}".encode()).hexdigest()
        self.trees = Trees(archive)
        self.games: dict[str, tuple[str, Any]] = self._read()
        self.changed = False

    def _read(self) -> dict[str, tuple[str, Any]]:
        """What was kept by the same code; nothing if it cannot be read."""
        try:
            data = json.loads(self.files.read(self.path))
            if data["key"] == self.key:
                return {slug: (tree, said) for slug, (tree, said) in data["games"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return {}

    def get(self, slug: str) -> Any:
        """What is kept of a game that has not changed since; None if there is nothing. Hashes its files, before they are read for work."""
        now = self.trees.get(slug)
        tree, said = self.games.get(slug, ("", None))
        return said if tree and tree == now else None

    def keep(self, slug: str, said: Any) -> None:
        """Keeps the result for a game, for the files that it had when it was asked for."""
        tree = self.trees.get(slug)
        if tree is not None:
            self.games[slug] = (tree, said)
            self.changed = True

    def forget(self, slug: str) -> None:
        """Keeps nothing of a game any more: what was done for it is about to be done for other files."""
        self.changed |= self.games.pop(slug, None) is not None

    def save(self) -> None:
        """Writes what is kept; of games that are no more nothing."""
        self.trees.save()
        if not self.changed:
            return
        here = {*self.archive.slugs()}
        games = {slug: kept for slug, kept in sorted(self.games.items()) if slug in here}
        text = json.dumps({"key": self.key, "games": games}, separators=(",", ":"), ensure_ascii=False)
        with suppress(
            OSError
        ):  # where nothing can be written what is found is the same, and the next run does it again
            write_remembered(self.files, self.path, text.encode())
