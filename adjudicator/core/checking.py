"""Looking without touching: sheets before the deadline, the whole archive, this machine."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from adjudicator.core.archive import UNDONE, UNFINISHED, Archive, display, read_file
from adjudicator.core.codec import schema
from adjudicator.core.coming import coming_faults
from adjudicator.core.edited import edited_seats, edited_settings
from adjudicator.core.game import Game, GameData, GameKind
from adjudicator.core.guard import strange_keys
from adjudicator.core.join import FOLDER, told
from adjudicator.core.problems import Problem, Problems, nearest, placed, plain, problem
from adjudicator.core.proof import Checked, unfounded, verify_game
from adjudicator.core.ruleset import MORE, find, folders, slugs
from adjudicator.core.rulings import load_rulings
from adjudicator.core.seal import MASTER, examined
from adjudicator.core.turn import (
    Turn,
    by_seat,
    check_sheet,
    has_keys,
    load_all,
    load_game,
    load_inputs,
    load_turn,
    not_a_sheet,
    possible_decisions,
    read_name,
    ruled_anew,
    ruling_text,
    sheet_files,
    sheet_width,
)
from adjudicator.core.waiting import undecided, waiting
from adjudicator.core.yamltext import read

Seen = Callable[[Turn, str], Any]
"""Gives what a seat sees of an open turn, for whoever has the seat's key."""


def check_file(archive: Archive, path: Path, seen: Seen | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with one sheet at `games/GAME/TURN/orders/SEAT.yaml`, as far as the public can see, or the seat."""
    # A path may be meant from here or from the archive's folder.
    absolute = next((p for p in (Path.cwd() / path, archive.root / path) if p.exists()), Path.cwd() / path)
    absolute = Path(os.path.normpath(absolute))
    if not absolute.exists() and not absolute.is_symlink():
        beside = [one.name for one in absolute.parent.glob(f"*{absolute.suffix}")] if absolute.suffix else []
        return (Problem(plain(str(path)), 0, 0, "there is no such file", nearest(absolute.name, beside)),)
    try:
        parts = absolute.relative_to(archive.games).parts
    except ValueError:
        parts = ()
    if len(parts) != 4 or parts[2] != "orders":
        return (Problem(plain(str(path)), 0, 0, "this is not where a sheet lives", "games/GAME/TURN/orders/SEAT.yaml"),)
    slug, name, *_ = parts
    try:
        with placed(display(absolute, archive.root)):
            game = load_game(archive, slug)
            names = archive.turns(slug)
            if name not in names:
                raise problem("", f"{game.title} has no turn {name!r:.60}", nearest(name, names))
            turn = load_turn(archive, game, name)
            sheet_files(archive, turn.folder)
            return _check_one(archive, turn, absolute, seen)
    except Problems as error:
        return error.problems


def _check_one(archive: Archive, turn: Turn, path: Path, seen: Seen | None = None) -> tuple[Problem, ...]:
    shown = display(path, archive.root)
    file = read_name(turn.game, path.name)
    if file is None:
        return (not_a_sheet(turn.game, shown),)
    try:
        source = read_file(path, archive.root)
        if file.sealed:
            problems = check_sealed(turn, source, shown)
        else:
            view = seen(turn, file.seat) if seen is not None and turn.game.ruleset.secrecy is not None else None
            problems = check_sheet(turn.game, turn.data, file.seat, read(source, shown), view)
    except Problems as error:
        return error.problems
    if turn.data.status != "open":
        return (
            Problem(shown, 0, 0, "this turn has been judged; the sheet changes nothing", "write one for the open turn"),
        )
    return problems


def check_sealed(turn: Turn, source: bytes, path: str) -> tuple[Problem, ...]:
    """What anyone can see to be wrong with a sealed sheet; what it says nobody sees. Raises `Problems`."""
    if turn.data.seal is None:
        return (Problem(path, 0, 0, "this game is not sealed", "send the sheet as it is, ending in .yaml"),)
    shape, lengths = examined(source, path), sheet_width(turn.game, turn.data)
    if not lengths.holds(shape.length):
        return (Problem(path, 0, 0, f"the sealed text has {shape.length} bytes", lengths.right),)
    if "X25519" not in shape.recipients:
        right = "seal it to the key in this turn's turn.yaml"
        return (Problem(path, 0, 0, "it is not sealed to this turn's key", right),)
    return ()


def _check_rulings(archive: Archive, turn: Turn, at: str | None, *, seen: bool) -> list[Problem]:
    """Everything that is wrong with an open turn's rulings; `seen` where the whole of its position is at hand."""
    text, data = ruling_text(archive, turn), load_all(archive, turn) if seen else turn.data
    if faults := coming_faults(archive, turn, data, text, at, blind=not seen):
        return faults
    try:
        if seen:
            ruled_anew(archive, turn, data)
        if turn.game.ruleset.secrecy is not None:
            possible_decisions(turn.game, turn.data, load_rulings(turn.game, text), text)
    except Problems as error:
        return list(error.problems)
    return []


def check_archive(archive: Archive, at: str | None = None, *, host: bool = False) -> list[Problem]:
    """Everything that is wrong in any game that is not over: `game.yaml`, the open turn, its rulings and its sheets.

    With a time, also which rulings give a time that is past, and which games wait for their hosts; for a `host`'s eyes, also
    what is hidden and waits to be decided.
    """
    found: list[Problem] = []
    for slug in archive.slugs():
        try:
            with placed(f"games/{slug}"):
                game = load_game(archive, slug)
                names = archive.turns(slug)
                if not names or archive.has_ended(slug):
                    continue
                turn = load_turn(archive, game, names[-1])
                if game.data.kind is GameKind.RECORD:
                    continue
                if faults := strange_keys(archive, turn):
                    found.extend(faults)
                    continue
                before = load_turn(archive, game, names[-2]) if len(names) > 1 else None
                found.extend(edited := edited_settings(archive, game))
                found.extend(edited_seats(game, turn.data))
                seen = game.ruleset.secrecy is None or has_keys(game, turn.data)
                if not edited and seen:
                    found.extend(unfounded(archive, turn, before.name if before else None))
                found.extend(_strays(archive, slug, names, game.files))
                if turn.data.status == "open":
                    found.extend(_check_rulings(archive, turn, at, seen=seen))
                    for path in sheet_files(archive, turn.folder):
                        found.extend(_check_one(archive, turn, path))
                    found.extend(p for p in by_seat(archive, turn)[1] if p not in found)
                    if at is not None:
                        found.extend(undecided(archive, turn, host=host))
                if at is not None and (idle := waiting(archive, slug, at)):
                    found.append(idle.remark)
        except Problems as error:
            found.extend(error.problems)
    return found


def _strays(archive: Archive, slug: str, names: list[str], own: tuple[str, ...]) -> Iterator[Problem]:
    """Files that nothing reads: most often sheets in the wrong place."""
    folder = archive.game_folder(slug)
    right = f"sheets of the open turn go to games/{slug}/{names[-1]}/orders/"
    places = [
        (archive.games, {*archive.slugs(), "archive.yaml"}),
        (folder, {*names, *own, "game.yaml", "ending.yaml", "map.svg", UNDONE, FOLDER}),
    ]
    places += [
        (folder / name, {"turn.yaml", "map.svg", "orders", "ruling.yaml", "secret.age", "dispatches"}) for name in names
    ]
    for place, known in places:
        for path in sorted(place.iterdir()):
            if path.name not in known and not path.name.startswith(".") and path.name != "README.md":
                yield Problem(display(path, archive.root), 0, 0, "nothing reads this", right, "warning")


def verify_all(archive: Archive, games: list[str], jobs: int, executor: Executor | None = None) -> Iterator[Checked]:
    """Verifies games on several processes (or the executor given), in the order of their names."""
    if executor is None and (jobs == 1 or len(games) < 2):
        yield from (verify_game(archive, slug) for slug in games)
        return
    pool = executor or ProcessPoolExecutor(min(jobs, len(games)))
    try:
        yield from pool.map(verify_game, [archive] * len(games), games)
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)


def played_turns(archive: Archive, game: Game) -> Iterator[tuple[Any, dict[str, Any], Any]]:
    """A game's turns as position, sheets and recorded resolution (None for an open turn)."""
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        sheets: dict[str, Any] = {}
        if turn.data.status == "resolved":
            sheets = dict(load_inputs(archive, turn)[1].sheets)
        yield turn.data.position, sheets, turn.resolution


def schemas(ruleset: str) -> dict[str, dict[str, Any]]:
    """The JSON Schemas of the files people write: `game`, and the ruleset's `sheet` and `settings`."""
    rules = find(ruleset)
    slug = rules.about.slug
    base = "https://courtly.example/schema"
    game = schema(GameData, f"game.yaml of {rules.about.title}", f"{base}/{slug}/game.json")
    settings = schema(rules.types.settings, f"settings of {rules.about.title}", f"{base}/{slug}/settings.json")
    game["properties"]["settings"] = {k: v for k, v in settings.items() if k not in ("$schema", "$id", "$defs")}
    game["$defs"] = {**game.get("$defs", {}), **settings.get("$defs", {})}
    found = {"game": game}
    for name, kind in rules.types.sheets.items():
        found[name] = schema(kind, f"a {name.replace('-', ' ')} of {rules.about.title}", f"{base}/{slug}/{name}.json")
    if rules.decisions is not None:
        found["decision"] = schema(
            rules.decisions.kind, f"a decision of the host in {rules.about.title}", f"{base}/{slug}/decision.json"
        )
    for name, kind in rules.host_files.kinds.items() if rules.host_files is not None else ():
        found[name] = schema(kind, f"a {name} of {rules.about.title}", f"{base}/{slug}/{name}.json")
    return found


def examine(archive: Archive, at: str) -> list[tuple[bool, str]]:
    """What a doctor would look at, at a time: Python, packages, tools, the archive and its games."""
    found: list[tuple[bool, str]] = []
    python = ".".join(map(str, sys.version_info[:3]))
    found.append((sys.version_info >= (3, 11), f"Python {python} (3.11 or newer is needed)"))
    for package in ("ruamel.yaml", "ruamel.yaml.clib", "pydantic", "networkx", "svgwrite", "mkdocs-material"):
        try:
            found.append((True, f"{package} {version(package)}"))
        except PackageNotFoundError:
            found.append((False, f"{package} is not installed: run `python3 -m pip install courtly`"))
    found.append((True, f"rulesets: {', '.join(slugs())}"))
    found.extend(
        (False, f"{MORE} names {folder}, and no folder in it is a ruleset: name the folder that holds them")
        for folder in folders()[1:]
        if not any(folder.glob("*/__init__.py"))
    )
    git = shutil.which("git")
    found.append((git is not None, "git" if git else "git is not installed: pull requests need it"))
    found.extend((False, f"{name} {SPILT}") for name in _secrets(archive.root))
    try:
        games = archive.slugs()
    except Problems as error:
        return [*found, *((False, str(p)) for p in error.problems)]
    found.append((True, f"{len(games)} games in {archive.games}"))
    for slug in games:
        found.extend((False, line) for line in _symptoms(archive, slug, at))
        with contextlib.suppress(Problems):  # said above
            found.extend((True, line) for line in seats_wanted(archive, slug))
    return found


SPILT = (
    "holds a master secret, in a folder that git publishes: move it out; if it was ever pushed, whoever has it can read sheets "
    "and foresee dice: make a new one with `courtly keygen --master`"
)
LARGEST = 1024 * 1024
"""Bytes of a file in which a master secret is looked for; it stands in small ones."""
PASSED_OVER = frozenset({".git", "node_modules", "turn.yaml", "map.svg"})
"""What is no file of the work tree, not the host's, or written by the program, which never writes the secret."""


def _secrets(root: Path) -> Iterator[str]:
    """The files that hold a master secret: in the archive's folder, tracked by git or not, and above it up to git's own folder."""
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), root)
    above = [folder for folder in root.parents if folder == top or top in folder.parents]
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in PASSED_OVER and not _private(Path(folder, name)))
        yield from (display(path, root) for path in _holding(Path(folder), files))
    for folder_above in above:
        files = [path.name for path in folder_above.iterdir()]
        yield from (path.as_posix() for path in _holding(folder_above, files))


def _private(folder: Path) -> bool:
    """Whether git leaves a folder alone by the folder's own word, as it does with caches; or it holds a Python."""
    ignored = folder / ".gitignore"
    return (folder / "pyvenv.cfg").exists() or (
        ignored.is_file() and "*" in ignored.read_text(encoding="utf-8", errors="replace").splitlines()
    )


def _holding(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    """Of some files in a folder those that hold a master secret."""
    for name in sorted(names):
        path = folder / name
        if name in PASSED_OVER or path.is_symlink() or not path.is_file():
            continue
        with contextlib.suppress(OSError):
            if path.stat().st_size <= LARGEST and MASTER.search(path.read_text(encoding="utf-8", errors="replace")):
                yield path


def seats_wanted(archive: Archive, slug: str) -> list[str]:
    """What the host of a running game should know of its open seats, and of those who ask for them; raises `Problems`."""
    if archive.has_ended(slug):
        return []
    game = load_game(archive, slug)
    names = archive.turns(slug) if game.data.join is not None else []
    return told(archive, game, load_turn(archive, game, names[-1]).data.players if names else None)


def _symptoms(archive: Archive, slug: str, at: str) -> Iterable[str]:
    folder = archive.game_folder(slug)
    for path in sorted(folder.glob(f"**/{UNFINISHED}*")):
        yield f"{display(path, archive.root)} was left by a run that was killed; the next `courtly run` removes it"
    try:
        game = load_game(archive, slug)
        names = archive.turns(slug)
        if names:
            load_turn(archive, game, names[-1])
        for number, name in enumerate(names, 1):
            if int(name.partition("-")[0]) != number:
                yield f"games/{slug}/{name}: turns are numbered from 001 without gaps, and this should be {number:03d}"
                break
        for name in names:
            if not (folder / name / "map.svg").is_file():
                yield f"games/{slug}/{name}/map.svg is missing: draw it again with `courtly render {slug} {name}`"
        if archive.has_ended(slug) and not (folder / "map.svg").is_file():
            yield f"games/{slug}/map.svg is missing: restore it from the repository's history"
        if idle := waiting(archive, slug, at):
            yield str(idle.remark)
        if names and not archive.has_ended(slug):
            yield from map(str, undecided(archive, load_turn(archive, game, names[-1]), host=False))
    except Problems as error:
        yield from map(str, error.problems)
