"""Examine an archive and the machine that it is on, and name a remedy for everything that is wrong."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which

from adjudicator.core.contract.ruleset import MORE, find, folders, rulesets_in, slugs
from adjudicator.core.contract.words import many
from adjudicator.core.files.disk import Disk, Own
from adjudicator.core.files.floor import UNFINISHED, Files
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import Maps
from adjudicator.core.game.join import gathers, open_seat_lines
from adjudicator.core.game.repository import git_says
from adjudicator.core.game.trees import PACKAGE
from adjudicator.core.jobs.pin import pin_findings
from adjudicator.core.jobs.seats import not_begun, unplayable
from adjudicator.core.jobs.waiting import open_decisions, waiting
from adjudicator.core.secrets.masters import MASTER
from adjudicator.core.text.problems import Problems, plain
from adjudicator.core.turn.load import load_charter, load_game, load_turn
from adjudicator.core.turn.maps import maps_of


def examine(archive: Archive, at: str) -> list[tuple[bool, str]]:
    """Findings about Python, packages, tools, the archive and its games, at a given time: each is a line, with True if all is well."""
    findings: list[tuple[bool, str]] = []
    python = ".".join(map(str, sys.version_info[:3]))
    findings.append((sys.version_info >= (3, 11), f"Python {python} (3.11 or newer is needed)"))
    for package in ("ruamel.yaml", "ruamel.yaml.clib", "pydantic", "networkx", "svgwrite"):
        try:
            findings.append((True, f"{package} {version(package)}"))
        except PackageNotFoundError:
            findings.append((False, f"{package} is not installed: install courtly again, with its dependencies"))
    try:
        findings.append((True, f"mkdocs-material {version('mkdocs-material')}"))
    except PackageNotFoundError:
        findings.append((True, "mkdocs-material is not installed: only `courtly site` and `courtly serve` need it"))
    runs = (
        "partly compiled"
        if compiled_modules()
        else "as plain Python; a wheel for this machine gives the same results faster"
    )
    findings.append((True, f"the judge runs {runs}"))
    findings.append((True, f"rulesets: {', '.join(slugs())}"))
    findings.extend(
        (False, f"{MORE} names {folder}, but no folder in it is a ruleset: name the folder that holds the rulesets")
        for folder in folders()[1:]
        if not any(rulesets_in(folder))
    )
    findings.extend((False, line) for line in _unread_rulesets())
    git = which("git")
    findings.append((git is not None, "git" if git else "git is not installed: pull requests need it"))
    findings += pin_findings(archive.root)
    findings.extend((False, f"{name} {SPILT}") for name in spilt(archive.root))
    try:
        games = archive.slugs()
    except Problems as error:
        return [*findings, *((False, str(p)) for p in error.problems)]
    findings.append((True, f"{many(len(games), 'game')} in {archive.games}"))
    findings.extend((False, line) for line in ignored(archive))
    for slug in games:
        findings.extend((False, line) for line in _symptoms(archive, slug, at))
        with contextlib.suppress(Problems):  # reported above
            findings.extend((True, line) for line in (*seats_wanted(archive, slug), *_starts(archive, slug, at)))
    return findings


def _unread_rulesets() -> Iterator[str]:
    """A line for each ruleset outside the package that cannot be imported."""
    for slug in (slug for folder in folders()[1:] for slug in rulesets_in(folder)):
        try:
            find(slug)
        except Problems as error:
            yield from map(str, error.problems)
        except Exception as error:  # noqa: BLE001  # whatever its author's code raises
            yield f"the ruleset {slug} cannot be read: {type(error).__name__}: {error}"


MOST_IGNORED = 3
"""Maximum number of ignored files that are listed by name."""


def ignored(archive: Archive) -> Iterator[str]:
    """Lines about files below `games/` that git ignores: a commit by hand would lack them, and the game could not go on (RT-1)."""
    said = git_says(archive.root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--", "games")
    paths = [path for path in said.split("\0") if path and not path.rsplit("/", 1)[-1].startswith(UNFINISHED)]
    for path in paths[:MOST_IGNORED]:
        yield f"git ignores {plain(path)[:120]}, so a commit by hand leaves it out: remove the line in .gitignore that causes this"
    if len(paths) > MOST_IGNORED:
        yield f"git ignores {len(paths) - MOST_IGNORED} more files below games/"


def compiled_modules() -> list[str]:
    """The modules of the package that run compiled, by path without suffix; they behave like their source."""
    files = (path for path in Own(PACKAGE).files_below(PACKAGE) if path.name.endswith(tuple(EXTENSION_SUFFIXES)))
    return sorted(display(path, PACKAGE).partition(".")[0] for path in files)


SPILT = (
    "contains a master secret, in a folder that git publishes: move it out; if it was ever pushed, anybody may have it, and could read sheets "
    "and foresee dice, so make a new one with `courtly keygen --master`"
)
LARGEST = 1024 * 1024
"""Maximum size in bytes of a file that is searched for a master secret; no larger file holds one."""
PASSED_OVER = frozenset({".git", "node_modules", "turn.yaml", "map.svg"})
"""Files and folders that are not searched: they belong to git or to other people, or courtly writes them, never with the secret."""


def spilt(root: Path) -> Iterator[str]:
    """The files with a master secret, tracked by git or not, in the archive's folder and in the folders above it in the git repository."""
    top = next((folder for folder in (root, *root.parents) if Disk(folder).exists(folder / ".git")), root)
    above = [folder for folder in root.parents if folder == top or top in folder.parents]
    yield from (display(path, root) for path in _holding(Disk(root), root, deep=True))
    for folder in above:
        yield from (path.as_posix() for path in _holding(Disk(folder), folder, deep=False))


def _private(files: Files, folder: Path) -> bool:
    """True if a folder tells git to ignore it, as caches do, or holds a Python environment."""
    ignored = folder / ".gitignore"
    return files.exists(folder / "pyvenv.cfg") or (files.is_file(ignored) and "*" in files.text(ignored).splitlines())


def _holding(files: Files, folder: Path, *, deep: bool) -> Iterator[Path]:
    """The files in a folder that contain a master secret, and with `deep` those in its subfolders; unreadable ones are skipped."""
    todo = [folder]
    while todo:
        inside: list[Path] = []
        with contextlib.suppress(OSError):
            here = todo.pop()
            for name, kind in files.entries(here).items():
                path = here / name
                if name in PASSED_OVER:
                    continue
                if kind == "folder" and deep and not _private(files, path):
                    inside.append(path)
                elif kind == "file" and _has_master(files, path):
                    yield path
        todo += reversed(inside)


def _has_master(files: Files, path: Path) -> bool:
    try:
        return MASTER.search(files.read(path, LARGEST).decode("utf-8", "replace")) is not None
    except OSError:
        return False


def seats_wanted(archive: Archive, slug: str) -> list[str]:
    """Lines for the host of a running game, about open seats and the people who ask for them; raises `Problems`."""
    if archive.has_ended(slug):
        return []
    game = load_game(archive, slug)
    names = archive.turns(slug) if game.data.join is not None else []
    players = load_turn(archive, game, names[-1]).data.players if names else None
    return open_seat_lines(archive, game, players, begun=bool(names))


def _starts(archive: Archive, slug: str, at: str) -> list[str]:
    """A line about a game that is waiting for its opening time, or none; raises `Problems`."""
    if archive.turns(slug) or archive.has_ended(slug):
        return []
    game = load_game(archive, slug)
    return [] if gathers(game) else [f"{slug}: {remark.what}" for remark in not_begun(game, at)]


def _symptoms(archive: Archive, slug: str, at: str) -> Iterable[str]:
    folder = archive.game_folder(slug)
    for path, _ in archive.files.below(folder):
        if path.name.startswith(UNFINISHED):
            yield f"{display(path, archive.root)} was left by a run that was killed; `courtly run --game {slug}` removes it"
    try:
        game = load_game(archive, slug)
        names = archive.turns(slug)
        latest = load_turn(archive, game, names[-1]) if names else None
        if not archive.has_ended(slug):
            yield from map(str, unplayable(load_charter(archive), game, latest))
        for number, name in enumerate(names, 1):
            if int(name.partition("-")[0]) != number:
                yield f"{archive.place(slug)}/{name}: turns are numbered from 001 without gaps, so this should be {number:03d}"
                break
        for name in names if maps_of(archive) is Maps.ALL else names[-1:]:
            if not archive.files.is_file(folder / name / "map.svg"):
                yield f"{archive.place(slug)}/{name}/map.svg is missing: draw it again with `courtly render {slug} {name}`"
        if archive.has_ended(slug) and not archive.files.is_file(folder / "map.svg"):
            yield f"{archive.place(slug)}/map.svg is missing: restore it from the repository's history"
        if idle := waiting(archive, slug, at):
            yield str(idle.remark)
        if latest is not None and not archive.has_ended(slug):
            yield from map(str, open_decisions(archive, latest, host=False))
    except Problems as error:
        yield from map(str, error.problems)
