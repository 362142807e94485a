"""Check sheets, rulings and whole archives, and report faults, without changing anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from adjudicator.core.game.archive import OVER, Archive, display
from adjudicator.core.game.draw import draw_faults
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.game.rulings import load_rulings
from adjudicator.core.jobs.coming import coming_faults
from adjudicator.core.jobs.edited import edited_seats, edited_settings
from adjudicator.core.jobs.guard import strange_keys
from adjudicator.core.jobs.seats import not_begun, unplayable
from adjudicator.core.jobs.verify import position_faults
from adjudicator.core.jobs.waiting import host_awaited, open_decisions
from adjudicator.core.secrets.age import examine
from adjudicator.core.text.problems import Problem, Problems, nearest, plain, problem, with_path
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.judge import apply_rulings_anew, check_decisions
from adjudicator.core.turn.keys import has_keys, sheet_width
from adjudicator.core.turn.load import load_all, load_charter, load_game, load_turn, ruling_text
from adjudicator.core.turn.places import BESIDE, places, unread
from adjudicator.core.turn.sheets import by_seat, check_sheet, not_a_sheet, read_name, sheet_files

Seen = Callable[[Turn, str], Any]
"""Turn and seat -> the seat's view of the open turn, for those who have its key."""


def check_file(archive: Archive, path: Path, seen: Seen | None = None) -> tuple[Problem, ...]:
    """Everything wrong with the sheet at a path, as far as the public view shows, or with `seen` the view of the sheet's seat."""
    # A path may be relative to the current folder or to the archive's folder.
    meant = [Path(os.path.normpath(folder / path)) for folder in (Path.cwd(), archive.root)]
    named = {absolute: archive.file_named(absolute) for absolute in meant}
    absolute = next((one for one, (files, real) in named.items() if files.exists(real)), meant[0])
    files, real = named[absolute]
    if not files.exists(real):
        beside = [file.name for file in files.paths(real.parent, f"*{real.suffix}")] if real.suffix else []
        return (Problem(plain(str(path)), 0, 0, "there is no such file", nearest(absolute.name, beside)),)
    parts = archive.inside(absolute)
    if len(parts) != 4 or parts[2] != "orders":
        right = "sheets go to games/GAME/TURN/orders/SEAT.yaml"
        return (Problem(plain(str(path)), 0, 0, "a sheet does not belong here", right),)
    slug, name, *_ = parts
    try:
        with with_path(display(absolute, archive.root)):
            game = load_game(archive, slug)
            names = archive.turns(slug)
            if name not in names:
                raise problem("", f"{game.title} has no turn {name!r:.60}", nearest(name, names))
            turn = load_turn(archive, game, name)
            sheet_files(archive, turn.folder)
            return _check_sheet_file(archive, turn, absolute, seen)
    except Problems as error:
        return error.problems


def _check_sheet_file(archive: Archive, turn: Turn, path: Path, seen: Seen | None = None) -> tuple[Problem, ...]:
    shown = display(path, archive.root)
    file = read_name(turn.game, path.name)
    if file is None:
        return (not_a_sheet(turn.game, shown),)
    try:
        source = archive.read(path)
        if file.sealed:
            problems = check_sealed(turn, source, shown)
        else:
            view = seen(turn, file.seat) if seen is not None and turn.game.ruleset.secrecy is not None else None
            problems = check_sheet(turn.game, turn.data, file.seat, read(source, shown), view)
            if turn.data.seal is not None and turn.game.ruleset.secrecy is not None:
                what = "this sheet is open: everybody can read it, and what it reveals of your hidden information"
                problems = (*problems, Problem(shown, 0, 0, what, f"seal it: `courtly seal {shown}`", "warning"))
    except Problems as error:
        return error.problems
    if turn.data.status != "open":
        return (
            Problem(shown, 0, 0, "this turn has been judged: the sheet changes nothing", "write one for the open turn"),
        )
    return problems


def check_sealed(turn: Turn, source: bytes, path: str) -> tuple[Problem, ...]:
    """Faults in a sealed sheet that are visible without opening it; raises `Problems` if it is not an age file."""
    if turn.data.seal is None:
        return (Problem(path, 0, 0, "this game is not sealed", "send the sheet as it is, ending in .yaml"),)
    shape, lengths = examine(source, path), sheet_width(turn.game, turn.data)
    if not lengths.holds(shape.length):
        return (Problem(path, 0, 0, f"the sealed text has {shape.length} bytes", lengths.right),)
    if "X25519" not in shape.recipients:
        right = "seal it to the key in this turn's turn.yaml"
        return (Problem(path, 0, 0, "it is not sealed to this turn's key", right),)
    return ()


def _check_rulings(archive: Archive, turn: Turn, at: str | None, *, seen: bool) -> list[Problem]:
    """Everything that is wrong with an open turn's rulings; `seen` is true if the turn's whole position is available."""
    text, data = ruling_text(archive, turn), load_all(archive, turn) if seen else turn.data
    if faults := coming_faults(archive, turn, data, text, at, blind=not seen):
        return faults
    try:
        if seen:
            apply_rulings_anew(archive, turn, data)
        if turn.game.ruleset.secrecy is not None:
            check_decisions(turn.game, turn.data, load_rulings(turn.game, text), text)
    except Problems as error:
        return list(error.problems)
    return []


def check_archive(archive: Archive, at: str | None = None, *, host: bool = False) -> list[Problem]:
    """Everything that is wrong in any game that is not over: `game.yaml`, the open turn, its rulings and its sheets.

    With a time `at`, this includes rulings that set a time in the past, and games and decisions that are waiting for their hosts; with
    `host`, hidden decisions too.
    """
    problems: list[Problem] = []
    slugs = archive.slugs()
    charter = load_charter(archive) if slugs else None
    beside: list[str] | None = slugs
    """Names that belong in `games/`; None once all other names there have been reported."""
    problems.extend(_twice(archive))
    for slug in slugs:
        try:
            if archive.has_ended(slug):
                continue
            with with_path(archive.place(slug)):
                game = load_game(archive, slug)
                names = archive.turns(slug)
                if game.home != f"games/{slug}" and game.data.kind is not GameKind.RECORD:
                    what = f"this game is not over, but its folder is in games/{OVER}/"
                    problems.append(Problem(game.home, 0, 0, what, f"move the folder back to games/{slug}"))
                problems.extend(draw_faults(archive, game, begun=bool(names)))
                if not names:
                    problems.extend((*not_begun(game, at), *unplayable(charter, game, None)))
                    problems.extend(_strays(archive, game, names, beside))
                    beside = None
                    continue
                turn = load_turn(archive, game, names[-1])
                if game.data.kind is GameKind.RECORD:
                    continue
                if faults := strange_keys(archive, turn):
                    problems.extend(faults)
                    continue
                before = load_turn(archive, game, names[-2]) if len(names) > 1 else None
                problems.extend(edited := edited_settings(archive, game, (turn, before)))
                problems.extend(edited_seats(game, turn.data))
                problems.extend(unplayable(charter, game, turn))
                seen = game.ruleset.secrecy is None or has_keys(game, turn.data)
                if not edited and seen:
                    problems.extend(position_faults(archive, turn, load_all(archive, turn), before))
                problems.extend(_strays(archive, game, names, beside))
                beside = None
                if turn.data.status == "open":
                    problems.extend(_check_rulings(archive, turn, at, seen=seen))
                    for path in sheet_files(archive, turn.folder):
                        found = _check_sheet_file(archive, turn, path)
                        problems.extend(problem for problem in found if problem.level != "note")
                    problems.extend(p for p in by_seat(archive, turn)[1] if p not in problems)
                    if at is not None:
                        problems.extend(open_decisions(archive, turn, host=host))
                if at is not None and (idle := host_awaited(archive, turn, at)):
                    problems.append(idle.remark)
        except Problems as error:
            problems.extend(error.problems)
    return problems


def _twice(archive: Archive) -> Iterator[Problem]:
    """Problems with a game name that is both in `games/` and in `games/over/`, and with a game called `over`, as old versions allowed."""
    over = archive.games / OVER
    if archive.files.is_file(over / "game.yaml"):
        right = "give the folder another name, and write `named: over` into its game.yaml"
        yield Problem(
            f"games/{OVER}", 0, 0, "no game can be called `over`: that folder is for games that are over", right
        )
    for path in archive.files.paths(over):
        if archive.files.is_folder(archive.games / path.name):
            what = f"there is also a game with this name in games/{path.name}"
            yield Problem(f"games/{OVER}/{path.name}", 0, 0, what, "rename one of them")


def _strays(archive: Archive, game: Game, names: list[str], beside: list[str] | None) -> Iterator[Problem]:
    """Problems with files that nothing reads, in a game's folder and, unless `beside` is None, in `games/`: mostly misplaced sheets."""
    turn = names[-1] if names else "TURN"
    right = f"sheets of the open turn go to {archive.place(game.slug)}/{turn}/orders/"
    if beside is not None:
        yield from unread(archive, archive.games, archive.files.listed(archive.games), {*beside, *BESIDE}, right)
    open_sheets = archive.game_folder(game.slug) / turn / "orders"
    for folder, there, known in places(archive, game, names):
        if folder != open_sheets:  # a file there that is not a sheet is reported with the sheets
            yield from unread(archive, folder, there, known, right)
