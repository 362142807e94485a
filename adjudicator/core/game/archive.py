"""The folders of games, turns and sheets. One process writes at a time, and writes whole files and folders or nothing (core/files)."""

from __future__ import annotations

import contextlib
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.files.disk import Disk
from adjudicator.core.files.floor import UNFINISHED, Files, Link, TooLarge
from adjudicator.core.files.places import named
from adjudicator.core.text.problems import Problems, plain, problem
from adjudicator.core.text.yamltext import LIMIT, OWN_LIMIT

if TYPE_CHECKING:
    from adjudicator.core.secrets.masters import Masters

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
TURN = re.compile(r"([0-9]{3,4})-[a-z0-9-]{1,80}")
UNDONE = "undone"
"""A game's folder for turns that were put back."""
OVER = "over"
"""The folder below `games/` for games that are over, so that a job can check out only the running ones; no game may have this name."""
NAMED = re.compile(rb"^named:[ \t]*[\"']?([a-z0-9][a-z0-9-]{0,79})[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)
"""The line of a game.yaml that gives the game's original name."""


class Archive:
    """The games below one folder (the repository's root, which holds `games/`)."""

    def __init__(self, root: Path, masters: Masters | None = None, files: Files | None = None) -> None:
        """`files` are those below the root; by default those on the disk."""
        self.root = root
        self.files = files or Disk(root)
        self.games = root / "games"
        self.masters = masters
        """The archive's master secrets, if they are available."""

    def slugs(self) -> list[str]:
        """The names of all games, in alphabetical order; raises `Problems` outside of an archive."""
        try:
            there = self._games_in(self.games)
            return sorted({*there, *(self._games_in(self.games / OVER) if OVER in there else ())} - {OVER})
        except FileNotFoundError:
            raise problem(
                str(self.games),
                "there is no archive here",
                "run this in a folder that holds games/, or make one with `courtly init`",
            ) from None

    def game_folder(self, slug: str) -> Path:
        """The folder of the game called `slug`, even if it does not exist yet; raises `Problems` if the name cannot be a game's."""
        return self.games / self._inside(slug)

    def place(self, slug: str) -> str:
        """The folder of a game as messages show it: `games/NAME`, or `games/over/NAME`."""
        return f"games/{self._inside(slug)}"

    def _inside(self, slug: str) -> str:
        """The path of a game below `games/`. Raises `Problems` if the name cannot be a game's."""
        if not SLUG.fullmatch(slug):
            raise problem("", f"{slug!r:.60} cannot be a game's name", "use lowercase letters, digits and hyphens")
        if slug == OVER:
            raise problem(
                "", "no game can be called `over`: that folder is for games that are over", "choose another name"
            )
        # This runs for every game in every run, and building a Path takes longer than the check.
        home = os.fspath(self.games)
        if not self.files.exists(f"{home}{os.sep}{slug}") and self.files.exists(f"{home}{os.sep}{OVER}{os.sep}{slug}"):
            return f"{OVER}/{slug}"
        return slug

    def name_of(self, slug: str) -> str:
        """The name that a game was opened under, from the line `named:` in its game.yaml; without one, its folder's name."""
        try:
            said = NAMED.search(self.files.read(self.game_folder(slug) / "game.yaml"))
        except OSError:
            return slug
        return said[1].decode() if said is not None else slug

    def called_now(self, first: str) -> str | None:
        """The current name of a game that was opened under the name `first`. None if no game was, or if it still has that name."""
        return next((slug for slug in self.slugs() if slug != first and self.name_of(slug) == first), None)

    def found(self, path: Path) -> Path:
        """The current path of a game's file, given its path from before the game was put away. Other paths are returned unchanged."""
        parts = self.inside(path)
        if len(parts) < 2 or not SLUG.fullmatch(parts[0]) or parts[0] == OVER or self.files.exists(path):
            return path
        return self.game_folder(parts[0]).joinpath(*parts[1:])

    def inside(self, path: Path) -> tuple[str, ...]:
        """The parts of a path from the game's name on, whether the game is running or put away; empty for a path outside `games/`."""
        try:
            parts = path.relative_to(self.games).parts
        except ValueError:
            return ()
        return parts[1:] if parts[:1] == (OVER,) else parts

    def turns(self, slug: str) -> list[str]:
        """The names of a game's turns, in order of their numbers."""
        folder = self.game_folder(slug)
        try:
            there = self.files.entries(folder)
        except Link:
            raise problem(display(folder, self.root), "this is a link", "put the folder itself here") from None
        except FileNotFoundError:
            from adjudicator.core.text.problems import nearest

            now = self.called_now(slug)
            right = nearest(slug, self.slugs()) or "games: " + ", ".join(self.slugs()[:20])
            right = f"it was renamed to {now}" if now is not None else right
            raise problem(display(folder, self.root), "there is no such game", right) from None
        names = (name for name, kind in there.items() if kind == "folder" and TURN.fullmatch(name))
        return sorted(names, key=lambda name: (int(name.partition("-")[0]), name))

    def attempts(self, slug: str, name: str) -> int:
        """Number of times that the turn with this name was put back; 0 if never."""
        folder = self.game_folder(slug) / UNDONE
        numbers = (path.name.rpartition(".")[2] for path in self.files.paths(folder, f"{name}.*"))
        return max((int(number) for number in numbers if number.isdecimal() and number.isascii()), default=0)

    def undone(self, slug: str) -> list[tuple[str, Path]]:
        """The turns of a game that were put back, as (name, folder), in the order of their names and attempts."""
        folder = self.game_folder(slug) / UNDONE
        folders = [path for path in self.files.paths(folder) if self.files.is_folder(path)]
        named = [(path.name.rpartition("."), path) for path in folders]
        kept = [
            (name, number, path) for (name, _, number), path in named if number.isdecimal() and TURN.fullmatch(name)
        ]
        return [(name, path) for name, number, path in sorted(kept, key=lambda entry: (entry[0], int(entry[1])))]

    def has_ended(self, slug: str) -> bool:
        """True if the game is over; reads no file."""
        return self.files.is_file(self.game_folder(slug) / "ending.yaml")

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Lock the archive for writing; raises `Problems` at once if another process holds the lock.

        Removes what a killed process left unfinished.
        """
        self.slugs()
        with self.files.lock(self.root / ".courtly.lock") as held:
            if not held:
                raise problem(
                    str(self.root),
                    "another courtly process is working on this archive",
                    "wait until it has finished, then try again",
                )
            for folder in (self.games, self.games / OVER):  # unfinished new games
                self._remove_unfinished(folder)
            yield

    def clean(self, slug: str) -> None:
        """Remove unfinished work in one game's folder. Only for the holder of the lock."""
        folder = self.game_folder(slug)
        for parent in (folder, *(folder / name for name in self.turns(slug))):
            self._remove_unfinished(parent)

    def _remove_unfinished(self, folder: Path) -> None:
        for path in self.files.paths(folder, f"{UNFINISHED}*"):
            self.files.remove(path)

    def _games_in(self, folder: Path) -> set[str]:
        return {name for name, kind in self.files.entries(folder).items() if kind == "folder" and SLUG.fullmatch(name)}

    def read(self, path: Path, *, own: bool = False) -> bytes:
        """Read a file's bytes; raises `Problems` for a link, for anything but a regular file, and for a file that is too large.

        `own` allows the larger size of files that the program wrote.
        """
        if self.files.holds(path):
            return read_file(self.files, path, own=own)
        files, real = self.file_named(path)
        return read_file(files, real, own=own, shown=plain(path.as_posix()))

    def begin(self) -> None:
        """Make the archive's folder and `games/` in it, if they do not exist."""
        if not self.files.is_folder(self.games):
            files, games = named(self.games)
            files.make(games)

    def file_named(self, path: Path) -> tuple[Files, Path]:
        """Return the `Files` that a file named by the user belongs to (the archive's, if it is inside the archive), and its path there."""
        absolute = Path(os.path.normpath(path.absolute()))
        with contextlib.suppress(ValueError):
            return self.files, self.root / absolute.relative_to(os.path.normpath(self.root.absolute()))
        return named(path)


def read_file(files: Files, path: Path, *, own: bool = False, shown: str = "") -> bytes:
    """Like `Archive.read`, but for any `Files`. `shown` is the path for messages, if the user gave a different one."""
    limit = OWN_LIMIT if own else LIMIT
    shown = shown or display(path, files.root)
    try:
        return files.read(path, limit)
    except Link:
        raise problem(shown, "this is a link", "put the file itself here") from None
    except TooLarge as error:
        raise problem(shown, f"the file has {error.size} bytes", f"at most {limit} are allowed") from None
    except OSError:
        kind = files.kind(path)
        if kind is None:
            raise problem(shown, "there is no such file", _redraw_hint(path)) from None
        if kind != "file":
            raise problem(shown, "this is not a file", "") from None
        raise


def folded(name: str) -> str:
    """A name as seen by file systems that ignore case, composed letters, and trailing dots and spaces."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).rstrip(" .")


def enclosing_repository(path: Path) -> Path | None:
    """The outermost repository or archive around a file at `path`, whose next push could publish it."""
    home = path.absolute().parent.resolve()
    outermost = None
    for folder in (home, *home.parents):
        files = Disk(folder)
        # `.git` is a file if a repository has several work trees.
        if files.exists(folder / ".git") or files.is_file(folder / "games/archive.yaml") or _has_games(files):
            outermost = folder
    return outermost


def _has_games(files: Files) -> bool:
    """True if there is a game below a folder, running or over."""
    homes = (files.root / "games", files.root / "games" / OVER)
    return any(files.is_file(game / "game.yaml") for home in homes for game in files.paths(home))


def _redraw_hint(path: Path) -> str:
    """Advice on how to restore a missing file, if it is a turn's map; otherwise empty."""
    turn = path.parent
    drawn = path.name == "map.svg" and TURN.fullmatch(turn.name) is not None
    return f"draw it again: courtly render {turn.parent.name} {turn.name}" if drawn else ""


def display(path: Path, root: Path) -> str:
    """A path for messages: relative to the archive's root if it is inside, always with slashes."""
    with contextlib.suppress(ValueError):
        path = path.relative_to(root)
    return plain(path.as_posix())


def sentence(error: OSError, root: Path) -> Problems:
    """Turn an error of the file system (disk full, no permission, ...) into a problem that is one clear line."""
    path = error.filename if isinstance(error.filename, str) else str(error.filename or root)
    reasons = {
        28: ("the disk is full", "free some space and run the command again; nothing is half-written"),
        30: ("the folder is read-only", "make it writable, or work in a copy"),
        13: ("no permission", "make the folder writable for you, or work in a copy"),
        1: ("no permission", "make the folder writable for you, or work in a copy"),
        122: ("the disk quota is used up", "free some space and run the command again; nothing is half-written"),
    }
    reasons |= {
        2: ("there is no such file or folder", "check the name"),
        17: ("a file with that name already exists", "choose another name"),
        20: ("a part of this path is a file", "check the name"),
        21: ("this is a folder", "name a file"),
        40: ("a part of this path is a link", "put the file or folder itself there"),
        98: ("the address is in use", "stop what uses it, or choose another --port"),
    }
    what, right = reasons.get(error.errno or 0, (error.strerror or "the file system refused", "try again"))
    return problem(display(Path(path), root), what, right)
