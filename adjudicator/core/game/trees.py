"""What git knows a game's folder by: a hash of all that is in it, for as long as nothing there was changed since the last commit."""

from __future__ import annotations

import functools
import hashlib
import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from adjudicator.core.contract.ruleset import folders
from adjudicator.core.files.disk import Own
from adjudicator.core.game.archive import OVER, Archive
from adjudicator.core.game.repository import git_says

PACKAGE = Path(__file__).parents[2]
PLACES = ("games/", f"games/{OVER}/")
"""Where games lie."""
DECIDING = ("networkx", "pydantic", "ruamel.yaml", "svgwrite")
"""Packages that what is judged, drawn and written hangs on."""


def trees_of(archive: Archive) -> dict[str, str]:
    """Game -> hash of its folder in the last commit, of every game whose files are those of that commit and no others; empty without git.

    Files that git is told to leave alone count as changes: what lies in a game's folder is read, whatever git thinks of it.
    """
    places = {path.partition("games/")[2]: tree for path, kind, tree in _listed(archive, *PLACES) if kind == "tree"}
    # What is said of a game names its place: it is said anew of one that was put elsewhere.
    trees = {place.rpartition("/")[2]: f"{tree}{place.rpartition('/')[0]}" for place, tree in places.items()}
    trees.pop(OVER, None)
    if not trees:
        return {}
    for slug in _changed(archive):
        if slug is None:
            return {}
        trees.pop(slug, None)
    return trees


def parts_of(archive: Archive, games: Iterable[str]) -> dict[str, dict[str, str]]:
    """Game -> what lies in its folder in the last commit, each with its hash. Whether files differ from that commit is not asked."""
    parts: dict[str, dict[str, str]] = {slug: {} for slug in games}
    for path, _, tree in _listed(archive, *(f"{archive.place(slug)}/" for slug in parts)) if parts else ():
        slug, name = path.split("/")[-2:]
        parts[slug][name] = tree
    return parts


def _listed(archive: Archive, *paths: str) -> Iterator[tuple[str, str, str]]:
    """Path, kind and hash of what lies in folders in the last commit; nothing without git."""
    for entry in git_says(archive.root, "ls-tree", "-z", "HEAD", *paths).split("\0"):
        about, tab, path = entry.partition("\t")
        kind = about.split(" ")
        if tab and len(kind) == 3:
            yield path, kind[1], kind[2]


def _changed(archive: Archive) -> Iterator[str | None]:
    """The games in which something differs from the last commit; None for what belongs to no game, or to all of them."""
    inside = git_says(archive.root, "rev-parse", "--show-prefix").strip()
    said = git_says(
        archive.root, "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching", "--", "games"
    )  # fmt: skip
    # Of a file that git was told to take for unchanged, or to skip, it says nothing: it counts as changed where it is there (RT-5).
    marked = git_says(archive.root, "ls-files", "-v", "-z", "--", "games").split("\0")
    bits = [f"?? {inside}{one[2:]}" for one in marked if one[:1] == "S" or one[:1].islower()]
    for entry in (
        *said.split("\0"),
        *(one for one in bits if archive.files.exists(archive.root / one[3:].removeprefix(inside))),
    ):
        path = entry[3:].removeprefix(inside)
        parts = path.split("/")
        if not entry:
            continue
        parts = parts[1:] if parts[1:2] == [OVER] else parts
        yield parts[1] if len(parts) > 2 else None


def charter_hash(archive: Archive) -> str:
    """SHA-256 of what holds for all games, `archive.yaml`; empty where there is none."""
    path = archive.games / "archive.yaml"
    return hashlib.sha256(archive.files.read(path)).hexdigest() if archive.files.is_file(path) else ""


@functools.cache
def code_version() -> str:
    """A hash of all code and data that decide what is judged, drawn and written: of this package, of other rulesets, of what they use."""
    total = hashlib.sha256()
    for name in DECIDING:
        total.update(f"{name} {version(name)}\n".encode())
    total.update(f"Python {platform.python_version()} {platform.python_implementation()}\n".encode())
    for folder in (PACKAGE, *(path for path in folders() if PACKAGE not in path.parents)):
        total.update(files_hash(folder).encode())
    return total.hexdigest()


def files_hash(folder: Path, without: Iterable[str] = ("__pycache__",)) -> str:
    """SHA-256 over the names and contents of all files in a folder."""
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
