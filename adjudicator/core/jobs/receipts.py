"""Receipts: what was done for a game, kept by the hash of its folder, so that it is not done again while nothing has changed.

They lie in `.courtly/` beside `games/`, which can be thrown away: then everything is done again. A receipt counts only for the very code
that wrote it, and for a folder that git knows to be unchanged; `--all` asks for none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from adjudicator.core.game.archive import Archive, folder_in, is_elsewhere, write_file
from adjudicator.core.game.repository import git_says
from adjudicator.core.game.trees import charter_hash, code_version, trees_of

FOLDER = ".courtly"


def own_folder(root: Path) -> Path:
    """The folder that can be thrown away, which git leaves alone; made if it is not there. Raises `Problems` as `folder_in`."""
    folder = folder_in(root, FOLDER)
    if not (folder / ".gitignore").exists():
        write_file(folder / ".gitignore", b"*\n")
    return folder


class Receipts:
    """Receipts of one kind of work, such as `verify`."""

    def __init__(self, archive: Archive, kind: str, also: str = "", trees: Mapping[str, str] | None = None) -> None:
        """`also` is what the work hangs on beside the game's folder and the code; `trees` as `trees_of` gives them."""
        self.archive = archive
        self.path = archive.root / FOLDER / f"{kind}.json"
        self.key = hashlib.sha256(f"{code_version()} {charter_hash(archive)} {also}".encode()).hexdigest()
        self.trees = trees_of(archive) if trees is None else trees
        self.games: dict[str, tuple[str, Any]] = self._read()
        self.changed = False

    def _read(self) -> dict[str, tuple[str, Any]]:
        """What was kept by the same code; nothing if it cannot be read, or if somebody made it a part of the archive."""
        if is_elsewhere(self.archive.root / FOLDER) or self.path.is_symlink():
            return {}
        if self.trees and git_says(self.archive.root, "ls-files", "--", FOLDER).strip():
            return {}  # Whoever may send files could write receipts for games that they have changed.
        try:
            data = json.loads(self.path.read_bytes())
            if data["key"] == self.key:
                return {slug: (tree, said) for slug, (tree, said) in data["games"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return {}

    def get(self, slug: str) -> Any:
        """What is kept of a game that has not changed since; None if there is nothing."""
        tree, said = self.games.get(slug, ("", None))
        return said if tree and tree == self.trees.get(slug) else None

    def keep(self, slug: str, said: Any) -> None:
        """Keeps what is said of a game, if its folder is as it was committed."""
        tree = self.trees.get(slug)
        if tree is not None:
            self.games[slug] = (tree, said)
            self.changed = True

    def forget(self, slug: str) -> None:
        """Keeps nothing of a game any more: what was done for it is about to be done for other files."""
        self.changed |= self.games.pop(slug, None) is not None

    def save(self) -> None:
        """Writes what is kept; of games that are no more nothing."""
        if not self.changed or is_elsewhere(self.archive.root / FOLDER):
            return  # what is found is the same without; the next run does it again
        here = {*self.archive.slugs()}
        games = {slug: kept for slug, kept in sorted(self.games.items()) if slug in here}
        own_folder(self.archive.root)
        text = json.dumps({"key": self.key, "games": games}, separators=(",", ":"), ensure_ascii=False)
        write_file(self.path, text.encode())
