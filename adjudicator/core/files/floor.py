"""The floor that every file is read from and written to: below one root, part by part, through no link, whole or not at all.

An archive is somebody else's. A link in it would have files read, written or removed wherever it points (RT-3), so no part of a way is
followed that is one. `Disk` asks the system for that, `Memory` holds files where there is no disk; both do the same, and nothing outside of
this folder opens, lists, makes, moves or removes a file (tests/test_floor.py).

Paths are those of the root with names behind it, as `root / "games" / "summer"`. Errors are `OSError`s that name the whole path.
"""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

Kind = Literal["file", "folder", "link", "other"]
"""What lies at a path: `other` is a pipe, a device or a socket."""
Parts = tuple[str, ...]
LONGEST = 60
"""How many characters of a name an unfinished one has."""
UNFINISHED = ".courtly-"
"""How the names of unfinished work begin; the next run removes what a killed process left."""


class Link(OSError):
    """A part of the way is a link."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.ELOOP, "a part of this path is a link", path)


class TooLarge(OSError):
    """A file has more bytes than the reader takes."""

    def __init__(self, path: str, size: int) -> None:
        super().__init__(errno.EFBIG, f"the file has {size} bytes", path)
        self.size = size


def _is_text(name: str) -> bool:
    """Whether a system can have a file of this name."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


def _unfinished(parts: Parts) -> Parts:
    """Where a file or folder lies until it is whole; the name is no longer than a system takes."""
    return (*parts[:-1], f"{UNFINISHED}{parts[-1][:LONGEST]}")


class Files(ABC):
    """The files below one root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._root = os.fspath(root)

    # What each kind of files does its own way: one name in one folder, which is `parts` without the last.

    @abstractmethod
    def _kind(self, parts: Parts) -> Kind | None: ...

    @abstractmethod
    def _entries(self, parts: Parts) -> dict[str, Kind]: ...

    @abstractmethod
    def _read(self, parts: Parts, limit: int | None, start: int | None) -> bytes:
        """All of a file, or its first `start` bytes; more than `limit` bytes are `TooLarge`."""

    @abstractmethod
    def _create(
        self, parts: Parts, data: bytes, *, private: bool = False, lasting: bool = True, like: Parts | None = None
    ) -> None:
        """A new file, on the disk when this returns if it is `lasting`; `FileExistsError` if anything is there.

        It has the mode of the file that it is to replace, if there is one.
        """

    @abstractmethod
    def _make(self, parts: Parts) -> None:
        """A new folder; `FileExistsError` if anything is there."""

    @abstractmethod
    def _replace(self, parts: Parts, to: Parts) -> None:
        """Gives a file or folder another place, in one step. A file that is there already is replaced, a link as itself."""

    @abstractmethod
    def _unlink(self, parts: Parts) -> None: ...

    @abstractmethod
    def _rmdir(self, parts: Parts) -> None: ...

    @abstractmethod
    def _sync(self, parts: Parts) -> None:
        """Makes what was done in a folder last through a power cut, where the system can."""

    @abstractmethod
    def lock(self, path: Path, *, wait: bool = False) -> AbstractContextManager[bool]:
        """Holds a lock by this name; False, at once, if somebody else holds it, unless it is to wait until nobody does."""

    def _parts(self, path: Path | str) -> Parts:
        """A path's names below the root; `ValueError` for a path that is not below it, or that leads out of it."""
        text = os.fspath(path)
        if self._root != ".":
            if text == self._root:
                return ()
            start = self._root if self._root.endswith(os.sep) else self._root + os.sep
            if not text.startswith(start):
                raise ValueError(f"{text} does not lie below {self._root}")
            text = text[len(start) :]
        elif text == ".":
            return ()
        parts = tuple(text.split(os.sep))  # noqa: PTH206 - Path would leave out an empty name, and a dot
        if "" in parts or "." in parts or ".." in parts or "\0" in text or not _is_text(text):
            raise OSError(errno.EINVAL, "a part of this path is no name", f"{os.fspath(path)!r}")
        return parts

    def holds(self, path: Path | str) -> bool:
        """Whether a path is one of these files', there or not."""
        try:
            self._parts(path)
        except ValueError:
            return False
        except OSError:
            return True
        return True

    def _shown(self, parts: Parts) -> str:
        return os.fspath(self.root.joinpath(*parts))

    # Looking.

    def kind(self, path: Path | str) -> Kind | None:
        """What lies at a path; None for nothing, also where a part of the way is a link or a file."""
        try:
            return self._kind(self._parts(path))
        except (FileNotFoundError, NotADirectoryError, Link):
            return None
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENAMETOOLONG):
                return None  # no file can be called so
            raise

    def is_file(self, path: Path | str) -> bool:
        """Whether a regular file lies there."""
        return self.kind(path) == "file"

    def is_folder(self, path: Path | str) -> bool:
        """Whether a folder lies there."""
        return self.kind(path) == "folder"

    def is_link(self, path: Path | str) -> bool:
        """Whether a link lies there; what it leads to is not asked."""
        return self.kind(path) == "link"

    def exists(self, path: Path | str) -> bool:
        """Whether anything lies there, a link too."""
        return self.kind(path) is not None

    def entries(self, folder: Path | str) -> dict[str, Kind]:
        """Name -> kind of what lies in a folder, in the order of the names."""
        return dict(sorted(self._entries(self._parts(folder)).items()))

    def names(self, folder: Path | str) -> list[str]:
        """The names in a folder, in order."""
        return sorted(self._entries(self._parts(folder)))

    def listed(self, folder: Path | str) -> dict[str, Kind]:
        """As `entries`; nothing where there is no such folder."""
        try:
            return self.entries(folder)
        except (FileNotFoundError, NotADirectoryError, Link):
            return {}

    def paths(self, folder: Path, pattern: str = "*") -> list[Path]:
        """What lies in a folder under names that match a pattern, in order; nothing where there is no such folder."""
        return [folder / name for name in self.listed(folder) if pattern == "*" or fnmatchcase(name, pattern)]

    def each(self, folder: Path, *patterns: str) -> Iterator[Path]:
        """What lies below a folder under names that match, a pattern for each step down, in order."""
        for path in self.paths(folder, patterns[0]):
            if len(patterns) == 1:
                yield path
            else:
                yield from self.each(path, *patterns[1:])

    def below(self, folder: Path) -> Iterator[tuple[Path, Kind]]:
        """All that lies in a folder and in the folders there, with its kind, each folder before what it holds."""
        left = [iter([(folder / name, kind) for name, kind in self.listed(folder).items()])]
        while left:  # not by recursion: a stranger's folders may lie as deep as they like
            found = next(left[-1], None)
            if found is None:
                left.pop()
                continue
            yield found
            path, kind = found
            if kind == "folder":
                left.append(iter([(path / name, inner) for name, inner in self.listed(path).items()]))

    def stamps(self, folder: Path) -> Iterator[tuple[str, tuple[int, ...] | None]]:
        """The names of all that lies in a folder and in the folders there, with slashes, each with what changes when it is changed.

        The last number is the time of the last change, in nanoseconds; None where the system cannot say.
        """
        for path, _ in self.below(folder):
            yield path.relative_to(folder).as_posix(), None

    def files_below(self, folder: Path) -> list[Path]:
        """The regular files in a folder and in the folders there, in order."""
        return [path for path, kind in self.below(folder) if kind == "file"]

    # Reading.

    def read(self, path: Path | str, limit: int | None = None) -> bytes:
        """A regular file's bytes; raises `Link`, `TooLarge` above a limit, and `OSError` for what is no regular file."""
        return self._read(self._file(path), limit, None)

    def start(self, path: Path | str, length: int) -> bytes:
        """A regular file's first bytes."""
        return self._read(self._file(path), None, length)

    def _file(self, path: Path | str) -> Parts:
        """The parts of a path that can be a file's; raises `IsADirectoryError` for the root itself."""
        parts = self._parts(path)
        if not parts:
            raise IsADirectoryError(errno.EISDIR, "this is not a file", self._root)
        return parts

    def text(self, path: Path | str) -> str:
        """A file's text, with a sign in place of bytes that are no UTF-8."""
        return self.read(path).decode("utf-8", "replace").replace("\r\n", "\n")

    # Writing.

    def write(self, path: Path | str, data: bytes, *, lasting: bool = True) -> bool:
        """Replaces a file in one step; says whether its bytes changed.

        What is not `lasting` can be made again, such as a site, and need not have reached the disk when this returns.
        """
        parts = self._file(path)
        with suppress(OSError):
            if self._read(parts, len(data), None) == data:
                return False
        unfinished = _unfinished(parts)
        with self._removing(unfinished):
            self._remove(unfinished)
            self._create(unfinished, data, lasting=lasting, like=parts)
            self._replace(unfinished, parts)
        if lasting:
            self._sync(parts[:-1])
        return True

    def create(self, path: Path | str, data: bytes, *, private: bool = False) -> None:
        """Writes a new file; raises `FileExistsError` if there is anything by that name. `private` is for its owner's eyes only."""
        parts = self._file(path)
        self._create(parts, data, private=private)
        self._sync(parts[:-1])

    def make(self, folder: Path | str) -> Path:
        """A folder, made with those above it where they are not there; raises `Link` or `FileExistsError` if anything else is in its place."""
        parts = self._parts(folder)
        for length in range(1, len(parts) + 1):
            kind = self._kind(parts[:length])
            if kind is None:
                with suppress(FileExistsError):  # somebody made it just now
                    self._make(parts[:length])
            elif kind == "link":
                raise Link(self._shown(parts[:length]))
            elif kind != "folder":
                raise NotADirectoryError(errno.ENOTDIR, "a part of this path is a file", self._shown(parts[:length]))
        return Path(folder)

    def write_folder(self, folder: Path | str, files: Mapping[str, bytes]) -> None:
        """Makes a folder with its files (by names with slashes) appear in one step, where there is none."""
        parts = self._parts(folder)
        unfinished = _unfinished(parts)
        self._remove(unfinished)
        with self._removing(unfinished):
            self.make(self._shown(unfinished))
            for name, data in files.items():
                path = (*unfinished, *name.split("/"))
                self.make(self._shown(path[:-1]))
                self._create(path, data)
            self._replace(unfinished, parts)
        self._sync(parts[:-1])

    def move(self, path: Path | str, to: Path | str) -> None:
        """Gives a file or folder another place in one step, with the folders above it; raises `FileExistsError` if anything is there."""
        parts, there = self._file(path), self._file(to)
        if there[: len(parts)] == parts and there != parts:
            raise OSError(errno.EINVAL, "a folder cannot be moved into itself", self._shown(there))
        if self.kind(path) is None:
            raise FileNotFoundError(errno.ENOENT, "there is no such file", self._shown(parts))
        self.make(self._shown(there[:-1]))
        if self._kind(there) is not None:
            raise FileExistsError(errno.EEXIST, "there is one already", self._shown(there))
        self._replace(parts, there)
        self._sync(there[:-1])
        self._sync(parts[:-1])

    def remove(self, path: Path | str) -> None:
        """Removes a file, a folder with all that is in it, or a link but not what it leads to; nothing is no fault."""
        self._remove(self._parts(path))

    def _remove(self, parts: Parts) -> None:
        todo = [parts]
        while todo:
            last = todo[-1]
            try:
                if self._kind(last) != "folder":
                    self._unlink(todo.pop())
                elif inside := self._entries(last):
                    todo += [(*last, name) for name in inside]
                else:
                    self._rmdir(todo.pop())
            except FileNotFoundError:  # somebody else removed it
                todo = [one for one in todo if one != last]

    @contextmanager
    def _removing(self, unfinished: Parts) -> Iterator[None]:
        """Removes unfinished work when the file system refuses, so that a full disk is not left fuller."""
        try:
            yield
        except OSError:
            with suppress(OSError):
                self._remove(unfinished)
            raise
