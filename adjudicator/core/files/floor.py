"""Read and write files only below one root, without following links, and whole or not at all.

An archive belongs to somebody else. A link in it could make us read, write or remove files anywhere (RT-3), so no part of a path may
be a link. `Disk` has the operating system check that. `Memory` holds files without a disk. Both behave alike, and nothing outside this
package opens, lists, makes, moves or removes a file (tests/test_floor.py).

Paths begin with the root, as in `root / "games" / "summer"`. Errors are `OSError`s that name the whole path.
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
"""Kind of an entry: `other` is a pipe, a device or a socket."""
Parts = tuple[str, ...]
LONGEST = 60
"""A temporary name contains at most this many characters of the final name."""
UNFINISHED = ".courtly-"
"""Prefix of the temporary names of files and folders that are being written. The next run removes those that a killed process left."""


class Link(OSError):
    """Raised if a part of the path is a link."""

    def __init__(self, path: str) -> None:
        super().__init__(errno.ELOOP, "a part of this path is a link", path)


class TooLarge(OSError):
    """Raised if a file has more bytes than the reader accepts."""

    def __init__(self, path: str, size: int) -> None:
        super().__init__(errno.EFBIG, f"the file has {size} bytes", path)
        self.size = size


def _is_text(name: str) -> bool:
    """True if the file system's encoding can express this name."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True


def _unfinished(parts: Parts) -> Parts:
    """The temporary path of a file or folder until it is complete. The name is short enough for every system."""
    return (*parts[:-1], f"{UNFINISHED}{parts[-1][:LONGEST]}")


class Files(ABC):
    """The files below one root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._root = os.fspath(root)

    # Operations that differ between `Disk` and `Memory`. Each concerns one entry: the last of `parts`, in the folder that the others name.

    @abstractmethod
    def _kind(self, parts: Parts) -> Kind | None: ...

    @abstractmethod
    def _entries(self, parts: Parts) -> dict[str, Kind]: ...

    @abstractmethod
    def _read(self, parts: Parts, limit: int | None, start: int | None) -> bytes:
        """Read a whole file, or its first `start` bytes. Raises `TooLarge` above `limit` bytes."""

    @abstractmethod
    def _create(
        self, parts: Parts, data: bytes, *, private: bool = False, lasting: bool = True, like: Parts | None = None
    ) -> None:
        """Create a file. If `lasting`, it is on the disk before this returns. Raises `FileExistsError` if anything is there.

        If the file `like` exists, the new file gets its permissions, because it will replace that file.
        """

    @abstractmethod
    def _make(self, parts: Parts) -> None:
        """Create a folder. Raises `FileExistsError` if anything is there."""

    @abstractmethod
    def _replace(self, parts: Parts, to: Parts) -> None:
        """Move a file or folder in one step. An existing file at the target is replaced; an existing link is replaced, not followed."""

    @abstractmethod
    def _unlink(self, parts: Parts) -> None: ...

    @abstractmethod
    def _rmdir(self, parts: Parts) -> None: ...

    @abstractmethod
    def _sync(self, parts: Parts) -> None:
        """Make changes in a folder survive a power cut, where the system can."""

    @abstractmethod
    def lock(self, path: Path, *, wait: bool = False) -> AbstractContextManager[bool]:
        """Hold the lock with this name, and yield True. If somebody else holds it, yield False at once; with `wait`, wait for them."""

    def _parts(self, path: Path | str) -> Parts:
        """Split a path into its names below the root. Raises `ValueError` for a path outside it, `OSError` for an invalid name or `..`."""
        text = os.fspath(path)
        if self._root != ".":
            if text == self._root:
                return ()
            start = self._root if self._root.endswith(os.sep) else self._root + os.sep
            if not text.startswith(start):
                raise ValueError(f"{text} is not inside {self._root}")
            text = text[len(start) :]
        elif text == ".":
            return ()
        parts = tuple(text.split(os.sep))  # noqa: PTH206 - Path would leave out an empty name, and a dot
        if "" in parts or "." in parts or ".." in parts or "\0" in text or not _is_text(text):
            raise OSError(errno.EINVAL, "a part of this path is not a valid name", f"{os.fspath(path)!r}")
        return parts

    def holds(self, path: Path | str) -> bool:
        """True if a path is below this root, whether or not it exists."""
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
        """Kind of the entry at a path. None if nothing is there, or if a folder in the path is in fact a link or a file."""
        try:
            return self._kind(self._parts(path))
        except (FileNotFoundError, NotADirectoryError, Link):
            return None
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENAMETOOLONG):
                return None  # no file can have this name
            raise

    def is_file(self, path: Path | str) -> bool:
        """True if there is a regular file at a path."""
        return self.kind(path) == "file"

    def is_folder(self, path: Path | str) -> bool:
        """True if there is a folder at a path."""
        return self.kind(path) == "folder"

    def is_link(self, path: Path | str) -> bool:
        """True if there is a link at a path; its target does not matter."""
        return self.kind(path) == "link"

    def exists(self, path: Path | str) -> bool:
        """True if there is anything at a path, including a link."""
        return self.kind(path) is not None

    def entries(self, folder: Path | str) -> dict[str, Kind]:
        """Name -> kind of the entries of a folder, sorted by name."""
        return dict(sorted(self._entries(self._parts(folder)).items()))

    def names(self, folder: Path | str) -> list[str]:
        """The names in a folder, sorted."""
        return sorted(self._entries(self._parts(folder)))

    def listed(self, folder: Path | str) -> dict[str, Kind]:
        """Like `entries`, but empty if the folder does not exist."""
        try:
            return self.entries(folder)
        except (FileNotFoundError, NotADirectoryError, Link):
            return {}

    def paths(self, folder: Path, pattern: str = "*") -> list[Path]:
        """Entries of a folder whose names match a pattern, sorted; empty if the folder does not exist."""
        return [folder / name for name in self.listed(folder) if pattern == "*" or fnmatchcase(name, pattern)]

    def each(self, folder: Path, *patterns: str) -> Iterator[Path]:
        """Yield, sorted, what matches the patterns: the first is for names in the folder, the next for names in the folders found, and so on."""
        for path in self.paths(folder, patterns[0]):
            if len(patterns) == 1:
                yield path
            else:
                yield from self.each(path, *patterns[1:])

    def below(self, folder: Path) -> Iterator[tuple[Path, Kind]]:
        """Yield all entries of a folder and of the folders inside it, with their kinds. Each folder comes before its entries."""
        left = [iter([(folder / name, kind) for name, kind in self.listed(folder).items()])]
        while left:  # not by recursion: a stranger's folders may be nested as deep as they like
            found = next(left[-1], None)
            if found is None:
                left.pop()
                continue
            yield found
            path, kind = found
            if kind == "folder":
                left.append(iter([(path / name, inner) for name, inner in self.listed(path).items()]))

    def stamps(self, folder: Path) -> Iterator[tuple[str, tuple[int, ...] | None]]:
        """Yield the path of each entry below a folder, with slashes, and numbers that change whenever the entry changes.

        The last number is the time of the last change, in nanoseconds. If the system cannot tell, there is None instead of numbers.
        """
        for path, _ in self.below(folder):
            yield path.relative_to(folder).as_posix(), None

    def files_below(self, folder: Path) -> list[Path]:
        """The regular files in a folder and in the folders inside, sorted."""
        return [path for path, kind in self.below(folder) if kind == "file"]

    # Reading.

    def read(self, path: Path | str, limit: int | None = None) -> bytes:
        """Read a regular file. Raises `Link`, `TooLarge` above a limit, and `OSError` for anything that is not a regular file."""
        return self._read(self._file(path), limit, None)

    def start(self, path: Path | str, length: int) -> bytes:
        """Read the first `length` bytes of a regular file."""
        return self._read(self._file(path), None, length)

    def _file(self, path: Path | str) -> Parts:
        """The parts of a file's path. Raises `IsADirectoryError` for the root itself."""
        parts = self._parts(path)
        if not parts:
            raise IsADirectoryError(errno.EISDIR, "this is not a file", self._root)
        return parts

    def text(self, path: Path | str) -> str:
        """A file's text, with LF line ends, and a replacement character for bytes that are not UTF-8."""
        return self.read(path).decode("utf-8", "replace").replace("\r\n", "\n")

    # Writing.

    def write(self, path: Path | str, data: bytes, *, lasting: bool = True) -> bool:
        """Replace a file in one step. Return True if its bytes changed.

        A file that is not `lasting`, such as a page of a site, can be made again and need not reach the disk before this returns.
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
        """Write a new file; if `private`, only its owner can read it. Raises `FileExistsError` if anything is there already."""
        parts = self._file(path)
        self._create(parts, data, private=private)
        self._sync(parts[:-1])

    def make(self, folder: Path | str) -> Path:
        """Make a folder, and any missing folders above it. Raises `Link` or `NotADirectoryError` if one of them is something else."""
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
        """Make a new folder appear in one step, together with its files (names with slashes -> bytes)."""
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
        """Move a file or folder in one step, and make the folders above its new place. Raises `FileExistsError` if anything is there."""
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
        """Remove a file, a folder with all its entries, or a link but not its target. Does nothing if nothing is there."""
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
        """Remove unfinished work if the file system refuses an operation, so that it takes no space on a full disk."""
        try:
            yield
        except OSError:
            with suppress(OSError):
                self._remove(unfinished)
            raise
