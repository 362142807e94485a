"""Find the folders of games in each commit: a game remains the same when its folder is renamed, or moved to the games that are over.

A game is identified by its original name, which its game.yaml keeps (`named:`). Paths with that name in place of the folder's are the same
in every commit. A folder whose game.yaml loses the original name is another game, and the one that was there is gone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.ci.objects import Change, Commit, Entry, Objects
from adjudicator.core.game.archive import OVER, SLUG, Archive
from adjudicator.core.text.problems import Problems

Read = Callable[[Entry | None, str], Mapping[str, Any]]
"""Reads a version of a file; empty if it cannot be read."""
NOWHERE = "\0"
"""A name that no folder has."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A game whose folder has moved since the commit before; both paths are relative to `games/`."""

    name: str
    was: str
    is_: str
    files: tuple[str, ...]
    """Files of the game that the same commit changed, relative to its folder."""

    @property
    def renamed(self) -> bool:
        """True if its folder has a different name now."""
        return _base(self.was) != _base(self.is_)


class Places:
    """The folders of games, in every commit that was read and in the archive as it is now."""

    def __init__(self, objects: Objects, root: Path, read: Read) -> None:
        self.objects, self.read = objects, read
        self.renamed: dict[str, Mapping[str, str]] = {}
        """Commit -> original name -> folder, for games whose folders have different names."""
        archive = Archive(root)
        self.now: dict[str, str] = {}
        """Original name -> current folder."""
        with contextlib.suppress(Problems):
            for slug in sorted(archive.slugs(), key=lambda slug: (archive.name_of(slug) != slug, slug)):
                self.now.setdefault(archive.name_of(slug), archive.place(slug).removeprefix("games/"))
        self.names = {folder: name for name, folder in self.now.items()}

    # Here -------------------------------------------------------------------------------------------------------------

    def here(self, path: str) -> str:
        """The current path of a game's file, by its path under the game's original name."""
        parts = path.split("/")
        if len(parts) < 2 or not SLUG.fullmatch(parts[1]) or parts[1] == OVER:
            return path
        other = NOWHERE if parts[1] in self.names else parts[1]
        return "/".join((parts[0], self.now.get(parts[1], other), *parts[2:]))

    def known(self, path: str) -> str:
        """The path of a file as it is now, with its game's original name in place of its current folder."""
        folder, rest = _split(path)
        return f"games/{self.names.get(folder, folder)}/{rest}" if folder else path

    # In commits -------------------------------------------------------------------------------------------------------

    def there(self, commit: str, path: str) -> str:
        """The path of a game's file in a commit, by its path under the game's original name."""
        parts = path.split("/")
        if len(parts) < 2 or not SLUG.fullmatch(parts[1]) or parts[1] == OVER:
            return path
        return "/".join((parts[0], next(self._claims(commit, parts[1]), NOWHERE), *parts[2:]))

    def place(self, commit: str, name: str) -> str | None:
        """The folder of a game in a commit; None if it does not exist."""
        return next(self._claims(commit, name), None)

    def _claims(self, commit: str, name: str) -> Iterator[str]:
        """The folders that claim an original name in a commit: one, if nobody cheats."""
        renamed = self.renamed.get(commit, {})
        others = set(renamed.values())
        for folder in (name, f"{OVER}/{name}"):
            if folder not in others and self.objects.folder(commit, f"games/{folder}") is not None:
                yield folder
        if name in renamed:
            yield renamed[name]

    def _name(self, commit: str | None, folder: str) -> str | None:
        """The original name of the game in a folder, in a commit; None if the folder does not exist."""
        if commit is None or self.objects.folder(commit, f"games/{folder}") is None:
            return None
        path = f"games/{folder}/game.yaml"
        said = self.read(self.objects.file(commit, path), path)
        if said:
            named = said.get("named")
            return named if isinstance(named, str) and SLUG.fullmatch(named) and named != OVER else _base(folder)
        # While its game.yaml is unreadable, it remains the game that it was.
        before = (self.renamed.get(parent, {}) for parent in (commit, *self.objects.commit(commit).parents))
        return next((name for of in before for name, there in of.items() if there == folder), _base(folder))

    def changes(self, commit: Commit, parent: str | None) -> tuple[list[Change], list[Moved], list[str]]:
        """Changes below `games/` since a parent commit, under original names; games that moved; names that two games share."""
        raw = self.objects.changes(commit, parent, "games")
        touched = dict.fromkeys(folder for folder, _ in (_split(change.path) for change in raw) if folder)
        was = {folder: self._name(parent, folder) for folder in touched}
        before = self.renamed.get(parent, {}) if parent is not None else {}
        renamed = {name: folder for name, folder in before.items() if folder not in touched}
        self.renamed[commit.sha] = before  # for versions that cannot be read now
        is_ = {folder: self._name(commit.sha, folder) for folder in touched}
        renamed |= {name: folder for folder, name in is_.items() if name is not None and name != _base(folder)}
        self.renamed[commit.sha] = renamed if renamed != before else before
        lay = {name: folder for folder, name in was.items() if name is not None}
        twice = [
            name
            for name in dict.fromkeys(is_.values())
            if name is not None and len([*self._claims(commit.sha, name)]) > 1
        ]
        moved = {
            name: (lay[name], folder)
            for folder, name in is_.items()
            if name in lay and lay[name] != folder and name not in twice and is_.get(lay[name]) != name
        }
        changes, told = [], []
        for change in raw:
            folder, rest = _split(change.path)
            if not folder:
                changes.append(change)
                continue
            # A folder may now belong to another game: its old files are reported for the old game, its new ones for the new.
            sides = {was[folder] or is_[folder]: (change.old, None), is_[folder] or was[folder]: (None, change.new)}
            if len(sides) == 1:
                sides = dict.fromkeys(sides, (change.old, change.new))
            for name, (old, new) in sides.items():
                if not (name in moved and folder in moved[name]) and (old is not None or new is not None):
                    changes.append(Change(change.commit, parent, f"games/{name}/{rest}", old, new))
        for name, (one, other) in moved.items():
            assert parent is not None
            trees = self.objects.folder(parent, f"games/{one}"), self.objects.folder(commit.sha, f"games/{other}")
            own = sorted(self.objects.between(*trees, f"games/{name}"))
            changes.extend(Change(commit, parent, *difference) for difference in own)
            told.append(Moved(name, one, other, tuple(path.removeprefix(f"games/{name}/") for path, *_ in own)))
        return sorted(changes, key=lambda change: change.path), told, twice


def _base(folder: str) -> str:
    return folder.rpartition("/")[2]


def _split(path: str) -> tuple[str, str]:
    """The game folder that a file is in, below `games/`, and the file's path inside it; the folder is empty for a file of no game."""
    parts = path.split("/")
    deep = 3 if parts[1:2] == [OVER] and len(parts) > 3 else 2
    if len(parts) <= deep or not SLUG.fullmatch(parts[deep - 1]) or parts[deep - 1] == OVER:
        return "", path
    return "/".join(parts[1:deep]), "/".join(parts[deep:])
