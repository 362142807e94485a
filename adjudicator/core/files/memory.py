"""Files without a disk: for a judge in a reader's browser, and for tests that compare it with a disk."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from adjudicator.core.files.floor import Files, Kind, Parts, TooLarge


class Memory(Files):
    """Files in memory, below a root that is only a name."""

    def __init__(self, root: Path = Path("/"), files: Mapping[str, bytes] | None = None) -> None:
        """`files` maps paths below the root, with slashes, to bytes."""
        super().__init__(root)
        self._held: dict[Parts, bytes | None] = {(): None}
        """Path -> bytes; None for a folder."""
        self._locks: set[Parts] = set()
        for name, data in sorted((files or {}).items()):
            path = root.joinpath(*name.split("/"))
            self.make(path.parent)
            self._create(self._parts(path), data)

    def copy(self) -> Memory:
        """Return a copy of these files. Changes to one do not affect the other."""
        other = Memory(self.root)
        other._held = dict(self._held)
        return other

    def _folder(self, parts: Parts, named: Parts) -> None:
        """Raise the error that a disk would raise if the folder `parts` does not exist. The error names the path `named`."""
        for length in range(len(parts) + 1):
            if parts[:length] not in self._held:
                raise FileNotFoundError(errno.ENOENT, "there is no such folder", self._shown(named))
            if self._held[parts[:length]] is not None:
                raise NotADirectoryError(errno.ENOTDIR, "a part of this path is a file", self._shown(named))

    def _there(self, parts: Parts) -> bytes | None:
        self._folder(parts[:-1], parts)
        if parts not in self._held:
            raise FileNotFoundError(errno.ENOENT, "there is no such file", self._shown(parts))
        return self._held[parts]

    def _free(self, parts: Parts) -> None:
        self._folder(parts[:-1], parts)
        if parts in self._held:
            raise FileExistsError(errno.EEXIST, "there is one already", self._shown(parts))

    def _kind(self, parts: Parts) -> Kind | None:
        try:
            return "folder" if self._there(parts) is None else "file"
        except FileNotFoundError:
            self._folder(parts[:-1], parts)
            return None

    def _entries(self, parts: Parts) -> dict[str, Kind]:
        self._folder(parts, parts)
        return {
            path[-1]: "folder" if data is None else "file"
            for path, data in self._held.items()
            if len(path) == len(parts) + 1 and path[:-1] == parts
        }

    def _read(self, parts: Parts, limit: int | None, start: int | None) -> bytes:
        data = self._there(parts)
        if data is None:
            raise IsADirectoryError(errno.EISDIR, "this is not a file", self._shown(parts))
        if start is not None:
            return data[:start]
        if limit is not None and len(data) > limit:
            raise TooLarge(self._shown(parts), len(data))
        return data

    def _create(
        self, parts: Parts, data: bytes, *, private: bool = False, lasting: bool = True, like: Parts | None = None
    ) -> None:
        self._free(parts)
        self._held[parts] = data

    def _make(self, parts: Parts) -> None:
        self._free(parts)
        self._held[parts] = None

    def _replace(self, parts: Parts, to: Parts) -> None:
        moved = self._there(parts)
        self._folder(to[:-1], to)
        if to in self._held:
            if moved is not None and self._held[to] is None:
                raise IsADirectoryError(errno.EISDIR, "this is a folder", self._shown(to))
            if moved is None and self._held[to] is not None:
                raise NotADirectoryError(errno.ENOTDIR, "this is a file", self._shown(to))
            if self._held[to] is None and self._entries(to):
                raise OSError(errno.ENOTEMPTY, "this folder is not empty", self._shown(to))
        held = [path for path in self._held if path[: len(parts)] == parts]
        for path in held:
            self._held[(*to, *path[len(parts) :])] = self._held.pop(path)

    def _unlink(self, parts: Parts) -> None:
        if self._there(parts) is None:
            raise IsADirectoryError(errno.EISDIR, "this is a folder", self._shown(parts))
        del self._held[parts]

    def _rmdir(self, parts: Parts) -> None:
        self._folder(parts, parts)
        if self._entries(parts):
            raise OSError(errno.ENOTEMPTY, "this folder is not empty", self._shown(parts))
        del self._held[parts]

    def _sync(self, parts: Parts) -> None:
        self._folder(parts, parts)

    @contextmanager
    def lock(self, path: Path, *, wait: bool = False) -> Iterator[bool]:
        """See `Files.lock`. The lock holds only in this process, and `wait` has no effect."""
        parts = self._parts(path)
        if parts in self._locks:
            yield False
            return
        self._locks.add(parts)
        try:
            yield True
        finally:
            self._locks.discard(parts)
