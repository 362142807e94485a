"""Receipts: results for a game, kept under the hash of its folder, so that work is not repeated while nothing has changed.

They are in the user's cache (`remembered`), never in the archive, which may be somebody else's (RT-3). If the cache is deleted, everything
is done again. A receipt counts only for the very code that wrote it, and for a folder with exactly the same files; `--all` ignores
receipts.
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
        """`also` is anything that the work depends on besides the game's folder, the charter and the code."""
        self.archive = archive
        self.files = remembered(archive.root)
        self.path = self.files.root / f"{kind}.json"
        self.key = hashlib.sha256(f"{code_version()} {charter_hash(archive)} {also}".encode()).hexdigest()
        self.trees = Trees(archive)
        self.games: dict[str, tuple[str, Any]] = self._read()
        self.changed = False

    def _read(self) -> dict[str, tuple[str, Any]]:
        """Results stored by the same code; empty if they cannot be read."""
        try:
            data = json.loads(self.files.read(self.path))
            if data["key"] == self.key:
                return {slug: (tree, said) for slug, (tree, said) in data["games"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return {}

    def get(self, slug: str) -> Any:
        """The stored result for a game that has not changed since; otherwise None. Hashes the files, so call it before the work reads them."""
        now = self.trees.get(slug)
        tree, said = self.games.get(slug, ("", None))
        return said if tree and tree == now else None

    def keep(self, slug: str, said: Any) -> None:
        """Store the result for a game, for the files that it had when `get` looked it up."""
        tree = self.trees.get(slug)
        if tree is not None:
            self.games[slug] = (tree, said)
            self.changed = True

    def forget(self, slug: str) -> None:
        """Drop a game's stored result before its work is done again from files that the stored hash may not cover."""
        self.changed |= self.games.pop(slug, None) is not None

    def save(self) -> None:
        """Write the results, without those of games that no longer exist."""
        self.trees.save()
        if not self.changed:
            return
        here = {*self.archive.slugs()}
        games = {slug: kept for slug, kept in sorted(self.games.items()) if slug in here}
        text = json.dumps({"key": self.key, "games": games}, separators=(",", ":"), ensure_ascii=False)
        with suppress(
            OSError
        ):  # if nothing can be written, the results are the same, and the next run does the work again
            write_remembered(self.files, self.path, text.encode())
