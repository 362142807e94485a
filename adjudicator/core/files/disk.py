"""Files on a disk. Each name is opened relative to the handle of its folder, and never if it is a link.

On Windows, Python has no handles for folders. There each part of a path is checked before and after each operation, and an opened file
is compared with the entry of its name. This refuses links and junctions too, unless somebody makes one and removes it between the checks.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from adjudicator.core.files.floor import Files, Kind, Link, Parts, TooLarge

HANDLES = os.open in os.supports_dir_fd and os.scandir in os.supports_fd and hasattr(os, "O_NOFOLLOW")
"""Whether the system can open names relative to a folder's handle."""
UNFOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | UNFOLLOWED
"""Flags for opening a file to read. With O_NONBLOCK a pipe without a writer opens at once, and is then refused."""
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | UNFOLLOWED
ELSEWHERE = (getattr(stat, "IO_REPARSE_TAG_SYMLINK", -1), getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", -1))
"""Tags of entries on Windows that lead elsewhere: links, and junctions, which look like folders."""


def _kind_of(found: os.stat_result) -> Kind:
    if stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", None) in ELSEWHERE:
        return "link"
    if stat.S_ISDIR(found.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(found.st_mode) else "other"


def _kind_at(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink() or (os.name == "nt" and _kind_of(entry.stat(follow_symlinks=False)) == "link"):
        return "link"
    if entry.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if entry.is_file(follow_symlinks=False) else "other"


DEEPEST = 8
"""Maximum depth of the folders that are stamped. Nothing in a game is deeper, but a stranger's folders may be."""


def _stamped(handle: int, before: str, depth: int = 1) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the path and the stamp of everything in an open folder. `before` is the folder's path, with a slash at its end."""
    with os.scandir(handle) as entries:
        found = sorted((entry.name, entry.stat(follow_symlinks=False)) for entry in entries)
    for name, stat_of in found:
        kind = stat.S_IFMT(stat_of.st_mode)
        size = 0 if kind == stat.S_IFDIR else stat_of.st_size
        yield before + name, (kind, size, stat_of.st_dev, stat_of.st_ino, stat_of.st_mtime_ns, stat_of.st_ctime_ns)
        if kind == stat.S_IFDIR and depth < DEEPEST:
            inner = os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=handle)
            try:
                yield from _stamped(inner, f"{before}{name}/", depth + 1)
            finally:
                os.close(inner)


class Disk(Files):
    """Files below a folder of this machine."""

    def __init__(self, root: Path, *, handles: bool = HANDLES) -> None:
        super().__init__(root)
        self._handles = handles

    @contextmanager
    def _in(self, folder: Parts, parts: Parts) -> Iterator[tuple[str, int | None]]:
        """Yield the prefix for names in a folder, and the folder's handle if handles exist. Errors name the path of `parts`."""
        try:
            if self._handles:
                handle = self._opened(folder)
                try:
                    yield "", handle
                finally:
                    os.close(handle)
            else:
                self._looked(folder)
                yield self._shown(folder) + os.sep, None
                self._looked(folder)
        except OSError as error:
            if error.errno == errno.ELOOP and not isinstance(error, Link):
                raise Link(self._shown(parts)) from None
            if not isinstance(error, (Link, TooLarge)):
                error.filename, error.filename2 = self._shown(parts), None
            raise

    def _opened(self, folder: Parts) -> int:
        """Open a folder without following links, and return the handle, which the caller must close."""
        handle = os.open(self._root, FOLDER)
        for number, part in enumerate(folder, 1):
            try:
                inner = os.open(part, FOLDER | os.O_NOFOLLOW, dir_fd=handle)
            except OSError as error:
                if error.errno in (errno.ENOTDIR, errno.ELOOP, errno.EMLINK) and stat.S_ISLNK(
                    os.stat(part, dir_fd=handle, follow_symlinks=False).st_mode
                ):
                    raise Link(self._shown(folder[:number])) from None
                raise
            finally:
                os.close(handle)
            handle = inner
        return handle

    def _looked(self, folder: Parts) -> None:
        """Raise an error if a part of the path is not a folder."""
        for length in range(1, len(folder) + 1):
            path = self._shown(folder[:length])
            kind = _kind_of(os.lstat(path))
            if kind == "link":
                raise Link(path)
            if kind != "folder":
                raise NotADirectoryError(errno.ENOTDIR, "a part of this path is a file", path)

    def _kind(self, parts: Parts) -> Kind | None:
        if not parts:
            return _kind_of(self.root.stat()) if self.root.exists() else None
        with self._in(parts[:-1], parts) as (before, handle):
            try:
                return _kind_of(os.stat(before + parts[-1], dir_fd=handle, follow_symlinks=False))
            except FileNotFoundError:
                return None

    def _entries(self, parts: Parts) -> dict[str, Kind]:
        with self._in(parts, parts) as (before, handle), os.scandir(before if handle is None else handle) as entries:
            return {entry.name: _kind_at(entry) for entry in entries}

    def stamps(self, folder: Path) -> Iterator[tuple[str, tuple[int, ...] | None]]:
        """See `Files.stamps`. Windows reports when a file was made, but not when it last changed, so there are no stamps on Windows."""
        if not self._handles or os.name == "nt":
            yield from super().stamps(folder)
            return
        parts = self._parts(folder)
        with self._in(parts, parts) as (_, handle):
            assert handle is not None
            yield from _stamped(handle, "")

    def _read(self, parts: Parts, limit: int | None, start: int | None) -> bytes:
        with self._in(parts[:-1], parts) as (before, folder):
            name = before + parts[-1]
            handle = os.open(name, READ, dir_fd=folder)
            with os.fdopen(handle, "rb", buffering=0) as file:
                found = os.fstat(handle)
                if folder is None:
                    self._same(found, name)
                if not stat.S_ISREG(found.st_mode):
                    raise OSError(
                        errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL, "this is not a file", name
                    )
                if start is not None:
                    return file.read(start)
                if limit is not None and found.st_size > limit:
                    raise TooLarge(self._shown(parts), found.st_size)
                return file.readall() if limit is None else file.read(limit + 1)[:limit]

    def _same(self, found: os.stat_result, name: str) -> None:
        """Raise `Link` unless the name still belongs to the file that was opened."""
        there = os.lstat(name)
        if _kind_of(there) == "link" or (there.st_dev, there.st_ino) != (found.st_dev, found.st_ino):
            raise Link(name)

    def _create(
        self, parts: Parts, data: bytes, *, private: bool = False, lasting: bool = True, like: Parts | None = None
    ) -> None:
        with self._in(parts[:-1], parts) as (before, folder):
            handle = os.open(before + parts[-1], CREATE, 0o600 if private else 0o666, dir_fd=folder)
            with os.fdopen(handle, "wb") as file:
                if like is not None and hasattr(os, "fchmod"):
                    with suppress(FileNotFoundError):
                        was = os.stat(before + like[-1], dir_fd=folder, follow_symlinks=False)
                        if stat.S_ISREG(was.st_mode):
                            os.fchmod(handle, stat.S_IMODE(was.st_mode) & 0o777)
                file.write(data)
                if lasting:
                    file.flush()
                    os.fsync(handle)

    def _make(self, parts: Parts) -> None:
        with self._in(parts[:-1], parts) as (before, folder):
            os.mkdir(before + parts[-1], dir_fd=folder)

    def _replace(self, parts: Parts, to: Parts) -> None:
        with self._in(to[:-1], to) as (there, target), self._in(parts[:-1], parts) as (before, folder):
            os.replace(before + parts[-1], there + to[-1], src_dir_fd=folder, dst_dir_fd=target)

    def _unlink(self, parts: Parts) -> None:
        with self._in(parts[:-1], parts) as (before, folder):
            os.unlink(before + parts[-1], dir_fd=folder)

    def _rmdir(self, parts: Parts) -> None:
        with self._in(parts[:-1], parts) as (before, folder):
            os.rmdir(before + parts[-1], dir_fd=folder)

    def _sync(self, parts: Parts) -> None:
        if self._handles:
            with self._in(parts, parts) as (_, handle):
                os.fsync(handle if handle is not None else -1)

    @contextmanager
    def lock(self, path: Path, *, wait: bool = False) -> Iterator[bool]:
        """See `Files.lock`. The lock holds among the processes of all machines that share this disk."""
        from filelock import FileLock, Timeout

        parts = self._parts(path)
        if self._kind(parts) not in (None, "file"):
            raise Link(self._shown(parts))
        lock = FileLock(path, timeout=-1 if wait else 0)
        try:
            lock.acquire()
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()


class Own(Disk):
    """The program's own data, read-only. Links in it are followed, because some installers put links in place of files."""

    def _kind(self, parts: Parts) -> Kind | None:
        try:
            return _kind_of(self.root.joinpath(*parts).stat())
        except FileNotFoundError:
            return "link" if self.root.joinpath(*parts).is_symlink() else None  # a broken link
        except NotADirectoryError:
            return None

    def _entries(self, parts: Parts) -> dict[str, Kind]:
        with os.scandir(self._shown(parts)) as entries:
            return {
                entry.name: "folder" if entry.is_dir() else "file" if entry.is_file() else "other" for entry in entries
            }

    def _read(self, parts: Parts, limit: int | None, start: int | None) -> bytes:
        with open(self._shown(parts), "rb") as file:
            return file.read(-1 if start is None else start)
