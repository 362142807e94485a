"""Where games, turns and sheets live, and how they are written: whole or not at all.

A turn's folder appears by one rename; a file is replaced by one rename; names that begin with `.courtly-` are
unfinished work of a process that was killed, and the next run removes them. One process writes at a time.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.text.problems import Problems, plain, problem
from adjudicator.core.text.yamltext import LIMIT, OWN_LIMIT

if TYPE_CHECKING:
    from adjudicator.core.secrets.masters import Masters

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
TURN = re.compile(r"([0-9]{3,4})-[a-z0-9-]{1,80}")
UNFINISHED = ".courtly-"
UNDONE = "undone"
"""A game's folder for turns that were put back."""
OVER = "over"
"""The folder below `games/` for games that are over, so that a job can check out those that run alone; no game is called so."""
NAMED = re.compile(rb"^named:[ \t]*[\"']?([a-z0-9][a-z0-9-]{0,79})[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)
"""The line of a game.yaml that gives the game's first name."""


class Archive:
    """The games below one folder (the repository's root, which holds `games/`)."""

    def __init__(self, root: Path, masters: Masters | None = None) -> None:
        self.root = root
        self.games = root / "games"
        self.masters = masters
        """The archive's master secrets, where they are at hand."""

    def slugs(self) -> list[str]:
        """The names of all games, in alphabetical order; raises `Problems` when there is no archive here."""
        try:
            there = _games_in(self.games)
            return sorted({*there, *(_games_in(self.games / OVER) if OVER in there else ())} - {OVER})
        except FileNotFoundError:
            raise problem(
                str(self.games),
                "there is no archive here",
                "run this in a folder that holds games/, or make one with `courtly init`",
            ) from None

    def game_folder(self, slug: str) -> Path:
        """The folder of the game called `slug`, also of one that is not there yet; raises `Problems` if the name cannot be a game's."""
        return self.games / self._inside(slug)

    def place(self, slug: str) -> str:
        """The folder of a game as messages show it: `games/NAME`, or `games/over/NAME`."""
        return f"games/{self._inside(slug)}"

    def _inside(self, slug: str) -> str:
        """Where a game lies below `games/`."""
        if not SLUG.fullmatch(slug):
            raise problem("", f"{slug!r:.60} cannot be a game's name", "use small letters, digits and hyphens")
        if slug == OVER:
            raise problem(
                "", "no game can be called `over`: that folder is for games that are over", "choose another name"
            )
        # Asked of every game in every run: a Path takes longer than the look.
        home = os.fspath(self.games)
        if not os.path.lexists(f"{home}/{slug}") and os.path.lexists(f"{home}/{OVER}/{slug}"):
            return f"{OVER}/{slug}"
        return slug

    def name_of(self, slug: str) -> str:
        """The name that a game was opened under, by the line `named:` in its game.yaml; its folder's name if there is none."""
        try:
            said = NAMED.search((self.game_folder(slug) / "game.yaml").read_bytes())
        except OSError:
            return slug
        return said[1].decode() if said is not None else slug

    def called_now(self, first: str) -> str | None:
        """What a game that was opened under this name is called now; None if there is none, or if it is called so still."""
        return next((slug for slug in self.slugs() if slug != first and self.name_of(slug) == first), None)

    def found(self, path: Path) -> Path:
        """Where a game's file lies now, by a path from before the game was put away; any other path as it is."""
        parts = self.inside(path)
        if len(parts) < 2 or not SLUG.fullmatch(parts[0]) or parts[0] == OVER or os.path.lexists(path):
            return path
        return self.game_folder(parts[0]).joinpath(*parts[1:])

    def inside(self, path: Path) -> tuple[str, ...]:
        """A path's parts from a game's name on, wherever the game lies; empty for one that is in no game's folder."""
        try:
            parts = path.relative_to(self.games).parts
        except ValueError:
            return ()
        return parts[1:] if parts[:1] == (OVER,) else parts

    def turns(self, slug: str) -> list[str]:
        """The names of a game's turns, in order of their numbers."""
        folder = self.game_folder(slug)
        if folder.is_symlink():
            raise problem(display(folder, self.root), "this is a link", "put the folder itself here")
        try:
            with os.scandir(folder) as entries:
                names = [e.name for e in entries if TURN.fullmatch(e.name) and e.is_dir(follow_symlinks=False)]
        except FileNotFoundError:
            from adjudicator.core.text.problems import nearest

            now = self.called_now(slug)
            right = nearest(slug, self.slugs()) or "games: " + ", ".join(self.slugs()[:20])
            right = f"it was renamed, and is called {now}" if now is not None else right
            raise problem(display(folder, self.root), "there is no such game", right) from None
        return sorted(names, key=lambda name: (int(name.partition("-")[0]), name))

    def attempts(self, slug: str, name: str) -> int:
        """How often a turn of this name was put back; 0 for one that never was."""
        folder = self.game_folder(slug) / UNDONE
        numbers = (path.name.rpartition(".")[2] for path in folder.glob(f"{name}.*")) if folder.is_dir() else ()
        return max((int(number) for number in numbers if number.isdecimal() and number.isascii()), default=0)

    def undone(self, slug: str) -> list[tuple[str, Path]]:
        """The turns of a game that were put back, as (name, folder), in the order of their names and attempts."""
        folder = self.game_folder(slug) / UNDONE
        folders = [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []
        named = [(path.name.rpartition("."), path) for path in folders]
        kept = [
            (name, number, path) for (name, _, number), path in named if number.isdecimal() and TURN.fullmatch(name)
        ]
        return [(name, path) for name, number, path in sorted(kept, key=lambda entry: (entry[0], int(entry[1])))]

    def has_ended(self, slug: str) -> bool:
        """Whether the game is over; answered without reading a file."""
        return os.path.isfile(f"{os.fspath(self.games)}/{self._inside(slug)}/ending.yaml")  # noqa: PTH113 - as in `_inside`

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Holds the archive for writing; raises `Problems` at once if another process holds it.

        Removes what a killed process left unfinished.
        """
        from filelock import FileLock, Timeout

        self.slugs()
        lock = FileLock(self.root / ".courtly.lock", timeout=0)
        try:
            lock.acquire()
        except Timeout:
            raise problem(
                str(self.root),
                "another courtly is at work on this archive",
                "wait until it has finished, then try again",
            ) from None
        try:
            for folder in (self.games, self.games / OVER):  # games that were not yet entered
                for path in sorted(folder.glob(f"{UNFINISHED}*")):
                    remove_folder(path)
            yield
        finally:
            lock.release()

    def clean(self, slug: str) -> None:
        """Removes unfinished work in one game's folder. Only for the holder of the lock."""
        folder = self.game_folder(slug)
        for parent in (folder, *(folder / name for name in self.turns(slug))):
            for path in sorted(parent.glob(f"{UNFINISHED}*")):
                remove_folder(path)


def _games_in(folder: Path) -> set[str]:
    with os.scandir(folder) as entries:
        return {e.name for e in entries if SLUG.fullmatch(e.name) and e.is_dir(follow_symlinks=False)}


def move_folder(folder: Path, to: Path) -> None:
    """Moves a folder in one step, to where there is none; both lie on one disk."""
    to.parent.mkdir(exist_ok=True)
    os.rename(folder, to)
    _sync_folder(to.parent)
    _sync_folder(folder.parent)


def remove_folder(path: Path) -> None:
    """Removes a file, a folder with all that is in it, or a link but not what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def read_file(path: Path, root: Path, *, own: bool = False) -> bytes:
    """A file's bytes; refuses links, anything that is not a regular file, and files that are too large."""
    shown = display(path, root)
    if path.is_symlink():
        raise problem(shown, "this is a link", "put the file itself here")
    if not path.is_file():
        if path.exists():
            raise problem(shown, "this is not a file", "")
        raise problem(shown, "there is no such file", _redraw_hint(path))
    limit = OWN_LIMIT if own else LIMIT
    size = path.stat().st_size
    if size > limit:
        raise problem(shown, f"the file has {size} bytes", f"at most {limit} are allowed")
    return path.read_bytes()


def enclosing_repository(path: Path) -> Path | None:
    """The outermost repository or archive around a file at `path`, where the next push could publish it."""
    home = path.absolute().parent.resolve()
    outermost = None
    for folder in (home, *home.parents):
        # `.git` is a file where a repository has several work trees.
        archive = (folder / "games/archive.yaml").is_file() or any(
            next(folder.glob(f"games/{inside}*/game.yaml"), None) is not None for inside in ("", f"{OVER}/")
        )
        if archive or (folder / ".git").exists():
            outermost = folder
    return outermost


def _redraw_hint(path: Path) -> str:
    """How a missing file is made again, if it is a turn's map; else empty."""
    turn = path.parent
    drawn = path.name == "map.svg" and TURN.fullmatch(turn.name) is not None
    return f"draw it again: courtly render {turn.parent.name} {turn.name}" if drawn else ""


def display(path: Path, root: Path) -> str:
    """A path as messages show it: from the archive's root where it lies below it, always with slashes."""
    with contextlib.suppress(ValueError):
        path = path.relative_to(root)
    return plain(path.as_posix())


def is_elsewhere(path: Path) -> bool:
    """Whether a path that is to be a folder is a link, or something else."""
    return path.is_symlink() or (path.exists() and not path.is_dir())


def folder_in(root: Path, *parts: str) -> Path:
    """A folder below a root, made if it is not there, to write into; raises `Problems` if a part of the way is a link (RT-3).

    An archive is somebody else's: a link in it would have files written, or removed, wherever it points.
    """
    folder = root
    for part in parts:
        folder = folder / part
        if is_elsewhere(folder):
            what = "this is no folder of the archive's own, and nothing is written through it"
            raise problem(folder.relative_to(root).as_posix(), what, "remove it")
        folder.mkdir(exist_ok=True)
    return folder


def write_file(path: Path, data: bytes) -> bool:
    """Replaces a file in one step; says whether its bytes changed."""
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        pass
    unfinished = path.with_name(f"{UNFINISHED}{path.name}")
    with _remove_on_error(unfinished):
        _write_through(unfinished, data)
        os.replace(unfinished, path)
    _sync_folder(path.parent)
    return True


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Makes a folder with its files appear in one step."""
    unfinished = folder.with_name(f"{UNFINISHED}{folder.name}")
    remove_folder(unfinished)
    with _remove_on_error(unfinished):
        unfinished.mkdir(parents=True)
        for name, data in files.items():
            path = unfinished / name
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_through(path, data)
        os.rename(unfinished, folder)
    _sync_folder(folder.parent)


@contextlib.contextmanager
def _remove_on_error(unfinished: Path) -> Iterator[None]:
    """Removes unfinished work when the file system refuses, so that a full disk is not left fuller."""
    try:
        yield
    except OSError:
        with contextlib.suppress(OSError):
            remove_folder(unfinished)
        raise


def _write_through(path: Path, data: bytes) -> None:
    remove_folder(path)  # a file of that name is unfinished work, and a link would lead the write elsewhere
    with open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Makes a rename last through a power cut, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sentence(error: OSError, root: Path) -> Problems:
    """An error of the file system (disk full, no permission, ...) as one clear line."""
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
        17: ("there is a file of that name already", "choose another name"),
        20: ("a part of this path is a file", "check the name"),
        21: ("this is a folder", "name a file"),
        98: ("the address is in use", "stop what uses it, or choose another --port"),
    }
    what, right = reasons.get(error.errno or 0, (error.strerror or "the file system refused", "try again"))
    return problem(display(Path(path), root), what, right)
