"""Roots for files that the user names, for the program's own data, for temporary folders, and for the cache between runs."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adjudicator.core.files.disk import Disk, Own
from adjudicator.core.files.floor import Files

CACHE = "COURTLY_CACHE"
"""Environment variable that names a different folder for the cache."""


def named(path: Path, *, follow: bool = False) -> tuple[Files, Path]:
    """Return the `Files` that contain a path which the user names, and the real path. The folders in it may be links.

    With `follow`, the last part may be a link too, for keys and secrets, which people often keep behind links.
    """
    path = Path(os.path.realpath(path)) if follow else Path(os.path.realpath(path.parent)) / path.name
    root = path.parent
    while not root.is_dir() and root != root.parent:  # folders that do not exist yet
        root = root.parent
    return Disk(root), path


def read_named(path: Path, *, follow: bool = False) -> bytes:
    """Read a file that the user names (see `named`). Raises `OSError` with the path as the user wrote it."""
    files, real = named(path, follow=follow)
    try:
        return files.read(real)
    except OSError as error:
        error.filename = os.fspath(path)
        raise


def is_there(path: Path) -> bool:
    """True if a file that the user names exists."""
    files, real = named(path, follow=True)
    return files.is_file(real)


def is_taken(path: Path) -> bool:
    """True if anything exists where the user wants a new file."""
    files, real = named(path)
    return files.exists(real)


def read_own(path: Path) -> bytes:
    """Read a file of the program's own data, in the package or in the folder of a ruleset outside it."""
    return Own(path.parent).read(path)


def own_text(path: Path) -> str:
    """The text of a file of the program's own data."""
    return Own(path.parent).text(path)


@contextmanager
def scratch() -> Iterator[Files]:
    """Make a temporary folder, which is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Disk(Path(os.path.realpath(folder)))


def remembered(root: Path) -> Files:
    """The cache for an archive: a folder of the user's, which the archive's files cannot reach. It can be deleted at any time."""
    from platformdirs import user_cache_path

    home = Path(os.environ[CACHE]).absolute() if os.environ.get(CACHE) else user_cache_path("courtly", appauthor=False)
    name = hashlib.sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return Disk(home / name)


def write_remembered(files: Files, path: Path, data: bytes) -> None:
    """Write a file into the cache, below the root from `remembered`, and make its folder."""
    whole, folder = named(path.parent)
    whole.make(folder)
    files.write(path, data, lasting=False)
