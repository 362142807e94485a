"""Roots: of files that the user names, of the program's own data, of a folder to be thrown away, of what is remembered between runs."""

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
"""The variable that names another folder for what is remembered."""


def named(path: Path, *, follow: bool = False) -> tuple[Files, Path]:
    """A file that the user names, with the files that it is one of: every link on the way to its folder is the user's own.

    `follow` is for keys and secrets, which people keep behind links of their own.
    """
    path = Path(os.path.realpath(path)) if follow else Path(os.path.realpath(path.parent)) / path.name
    root = path.parent
    while not root.is_dir() and root != root.parent:  # folders that are made for it
        root = root.parent
    return Disk(root), path


def read_named(path: Path, *, follow: bool = False) -> bytes:
    """The bytes of a file that the user names, as `named`; raises `OSError`, which names the path as the user does."""
    files, real = named(path, follow=follow)
    try:
        return files.read(real)
    except OSError as error:
        error.filename = os.fspath(path)
        raise


def is_there(path: Path) -> bool:
    """Whether a file that the user names is there."""
    files, real = named(path, follow=True)
    return files.is_file(real)


def is_taken(path: Path) -> bool:
    """Whether anything lies where the user wants a new file."""
    files, real = named(path)
    return files.exists(real)


def read_own(path: Path) -> bytes:
    """A file of the program's own data: of the package, or of another ruleset's folder."""
    return Own(path.parent).read(path)


def own_text(path: Path) -> str:
    """The text of a file of the program's own data."""
    return Own(path.parent).text(path)


@contextmanager
def scratch() -> Iterator[Files]:
    """An empty folder, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        yield Disk(Path(os.path.realpath(folder)))


def remembered(root: Path) -> Files:
    """What is remembered of an archive, in a folder of the user's that the archive has no say in. It can be thrown away."""
    from platformdirs import user_cache_path

    home = Path(os.environ[CACHE]).absolute() if os.environ.get(CACHE) else user_cache_path("courtly", appauthor=False)
    name = hashlib.sha256(os.path.realpath(root).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return Disk(home / name)


def write_remembered(files: Files, path: Path, data: bytes) -> None:
    """Writes what is remembered, below the root that `remembered` gave; makes the folder."""
    whole, folder = named(path.parent)
    whole.make(folder)
    files.write(path, data, lasting=False)
