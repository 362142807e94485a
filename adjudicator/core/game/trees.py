"""Hashes of game folders, computed from their files: the hashes that git, with SHA-256, would give to these folders.

This does not use git, whose settings, filters and index bits belong to whoever made the folder (RT-4, RT-5). A folder is not read again if,
by the sizes and times of its files, nothing has changed since it was last hashed. The times include that of the last change, which only the
system sets. Two kinds of change go unnoticed here, though not with `--all`: writes through memory by a program that mapped the file earlier,
and changes on a file system that somebody else made and mounted.
"""

from __future__ import annotations

import functools
import hashlib
import json
import platform
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from adjudicator.core.contract.ruleset import folders
from adjudicator.core.files.disk import DEEPEST, Own
from adjudicator.core.files.places import remembered, write_remembered
from adjudicator.core.game.archive import OVER, Archive, folded

PACKAGE = Path(__file__).parents[2]
DECIDING = ("networkx", "pydantic", "ruamel.yaml", "svgwrite")
"""Packages that affect what is judged, drawn and written."""
SETTLED = 2
"""After this many seconds, a further change is sure to get a different time. Files that changed more recently are read again next time."""


class Trees(Mapping[str, str]):
    """Game -> hash of its folder and its place; computed one game at a time, and remembered for the next run."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._slugs = archive.slugs()
        self._files = remembered(archive.root)
        self._path = self._files.root / "folders.json"
        self._known: dict[str, Any] = {}
        with suppress(OSError, ValueError):
            self._known = json.loads(self._files.read(self._path))
        self._found: dict[str, dict[str, str]] = {}
        self._alike: dict[str, list[str]] = {}
        """Folded name -> folders that some machines cannot tell from a game's folder. The game's report names them (RT-14)."""
        for name in (*archive.files.listed(archive.games), *archive.files.listed(archive.games / OVER)):
            if name not in self._slugs:
                self._alike.setdefault(folded(name), []).append(name)
        self._changed = False

    def __iter__(self) -> Iterator[str]:
        return iter(self._slugs)

    def __len__(self) -> int:
        return len(self._slugs)

    def __getitem__(self, slug: str) -> str:
        if slug not in self._slugs:
            raise KeyError(slug)
        return f"{self._of(slug)['']}{self._archive.place(slug)}{self._alike.get(folded(slug), '')}"

    def parts(self, slug: str) -> dict[str, str]:
        """Name -> hash of each file and folder in a game's folder."""
        return {name: digest for name, digest in self._of(slug).items() if name}

    def _of(self, slug: str) -> dict[str, str]:
        """The parts of a game's folder with their hashes, and the hash of the folder itself under the empty name."""
        if slug not in self._found:
            place = self._archive.place(slug)
            sign = _sign(self._archive, slug)
            known = self._known.get(place)
            if sign is not None and isinstance(known, list) and len(known) == 2 and known[0] == sign:
                self._found[slug] = known[1]
            else:
                self._found[slug] = found = _hashed(self._archive, slug)
                self._known[place] = [sign, found]
                self._changed |= sign is not None
        return self._found[slug]

    def save(self) -> None:
        """Save the hashes for the next run."""
        if self._changed:
            kept = {place: said for place, said in sorted(self._known.items()) if isinstance(said, list) and said[0]}
            with suppress(OSError):  # otherwise everything is hashed again next time
                write_remembered(self._files, self._path, json.dumps(kept, separators=(",", ":")).encode())


def _sign(archive: Archive, slug: str) -> str | None:
    """A hash of the sizes and times of all files of a game; None if they are not reliable, or one changed just now."""
    total, latest = hashlib.sha256(), 0
    for name, stamp in archive.files.stamps(archive.game_folder(slug)):
        if stamp is None:
            return None
        total.update(f"{name}\0{stamp}\0".encode("utf-8", "surrogateescape"))
        latest = max(latest, stamp[-1])
    return total.hexdigest() if latest < time.time_ns() - SETTLED * 1_000_000_000 else None


def _hashed(archive: Archive, slug: str) -> dict[str, str]:
    """The hashes of a game's folder and of its contents, as git would compute them without a filter."""
    parts: dict[str, str] = {}

    def tree(folder: Path, depth: int) -> str:
        body = b""
        entries = archive.files.entries(folder)
        for name in sorted(entries, key=lambda name: name + ("/" if entries[name] == "folder" else "")):
            if entries[name] == "folder" and depth < DEEPEST:
                mode, digest = b"40000", tree(folder / name, depth + 1)
            elif entries[name] == "file":
                mode, digest = b"100644", _object(b"blob", archive.files.read(folder / name))
            else:
                # A link, a device or a deep folder is not read: only its existence counts.
                mode, digest = b"120000", _object(b"blob", entries[name].encode())
            body += mode + b" " + name.encode("utf-8", "surrogateescape") + b"\0" + bytes.fromhex(digest)
            if not depth:
                parts[name] = digest
        return _object(b"tree", body)

    parts[""] = tree(archive.game_folder(slug), 0)
    return parts


def _object(kind: bytes, body: bytes) -> str:
    return hashlib.sha256(b"%s %d\0" % (kind, len(body)) + body).hexdigest()


def charter_hash(archive: Archive) -> str:
    """SHA-256 of the settings for all games, `archive.yaml`; empty if the file does not exist."""
    path = archive.games / "archive.yaml"
    return hashlib.sha256(archive.files.read(path)).hexdigest() if archive.files.is_file(path) else ""


@functools.cache
def code_version() -> str:
    """A hash of all code and data that affect what is judged, drawn and written: this package, other rulesets, and their dependencies."""
    total = hashlib.sha256()
    for name in DECIDING:
        total.update(f"{name} {version(name)}\n".encode())
    total.update(f"Python {platform.python_version()} {platform.python_implementation()}\n".encode())
    for folder in (PACKAGE, *(path for path in folders() if PACKAGE not in path.parents)):
        total.update(files_hash(folder).encode())
    return total.hexdigest()


def files_hash(folder: Path, without: Iterable[str] = ("__pycache__",)) -> str:
    """SHA-256 over the names and contents of all files in a folder, except files and folders called one of `without`."""
    left_out = {*without}
    total = hashlib.sha256()
    files = Own(folder)
    for path in sorted(files.files_below(folder)):
        names = path.relative_to(folder).parts
        if left_out.isdisjoint(names):
            body = files.read(path)
            total.update(f"{'/'.join(names)}\0{len(body)}\0".encode())
            total.update(body)
    return total.hexdigest()
