"""Check `void` rulings: refuse one that visibly strikes nothing, and report the effect of any other once the turn has been judged.

Nobody can read a sealed sheet before the deadline, so a ruling that strikes nothing from one is only reported afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.rulings import Void, lines_of, lines_to_strike
from adjudicator.core.text.problems import Problem, Problems, nearest
from adjudicator.core.text.yamltext import Place, Text, read
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.load import load_game, load_turn, ruling_text
from adjudicator.core.turn.sheets import by_seat, judged_file, load_inputs

MOST_LINES = 12
"""Maximum number of a sheet's lines that a fault lists."""


def void_faults(
    archive: Archive, turn: Turn, data: TurnData, void: Void, text: Text, place: Place
) -> Iterator[Problem]:
    """A problem if a ruling voids a sheet or an order that was never sent, as far as that can be seen.

    All sheets of the seat count here, not only the latest: otherwise a player could make the ruling faulty by sending another sheet.
    """
    if void.seat not in turn.game.seats:
        return
    sheets = list(_sheets(archive, turn, data, void.seat))
    if not sheets:
        what = f"{void.seat} has sent no sheet for this turn"
        yield text.problem((*place, "seat"), what, "there is nothing to void: leave the ruling out")
    elif void.order is not None and None not in sheets:
        said = {line: None for sheet in sheets if sheet is not None for line in lines_of(sheet)}
        if not any(
            sheet is not None and lines_to_strike(turn.game, data.position, sheet, void.order) for sheet in sheets
        ):
            what = f"no order of {void.seat} reads {void.order!r:.80}"
            right = nearest(void.order, said) or "its orders: " + "; ".join(list(said)[:MOST_LINES])
            yield text.problem((*place, "order"), what, right)


def _sheets(archive: Archive, turn: Turn, data: TurnData, seat: str) -> Iterator[SheetWords | None]:
    """The sheets of a seat that may count in an open turn; None for one that cannot be read, at least not yet."""
    game = turn.game
    files = [(turn, file, path) for file, path in by_seat(archive, turn)[0].get(seat, ())]
    name = ((data.standing or {}).get(game.ruleset.kind(data.position)) or {}).get(seat)
    if name is not None and not files:
        before = load_turn(archive, game, name)
        files = [(before, *judged_file(archive, before, seat)[:2])]
    if not files and seat in (data.ahead or {}):
        # It may or may not have orders ahead for this kind of turn; in a sealed game nobody knows.
        yield None
    for of, file, path in files:
        sheet = None
        with suppress(Problems):
            if not file.sealed:
                text = read(archive.read(path), display(path, archive.root))
                sheet = game.ruleset.read_sheet(of.data.position, seat, text)
        yield sheet


def void_effects(archive: Archive, turn: Turn) -> dict[int, str]:
    """Index of a `void` ruling of a judged turn -> a sentence about its effect, unless the ruling itself shows it in full.

    Hidden information is left out while the game runs.
    """
    sentences = {}
    for index, void, lines in _voided_lines(archive, turn):
        spelt = [line for line in lines or () if line != void.order]
        if why := _nothing(void, lines):
            sentences[index] = f"It voided nothing: {why}."
        elif spelt:
            sentences[index] = "On the sheet it reads " + ", ".join(f"“{line}”" for line in spelt) + "."
    return sentences


def void_of_nothing(archive: Archive, slug: str, name: str) -> Iterator[Problem]:
    """A remark for the host about each ruling of a judged turn that voided nothing."""
    turn = load_turn(archive, load_game(archive, slug), name)
    for index, void, lines in _voided_lines(archive, turn):
        if why := _nothing(void, lines):
            text = ruling_text(archive, turn)
            yield text.problem(("rulings", index, "void"), f"this voided nothing: {why}", level="warning")


def not_counted(archive: Archive, slug: str, name: str) -> Iterator[Problem]:
    """A remark for the host about each sheet of a judged turn that did not count, or counted only in part (S-8)."""
    turn = load_turn(archive, load_game(archive, slug), name)
    orders = turn.folder / "orders"
    told = (
        (turn.data.refused or {}, "this sheet did not count"),
        (turn.data.partly or {}, "not all of this sheet counted"),
    )
    for files, what in told:
        for file, why in files.items():
            right = "the turn’s page tells the player; a ruling can still put it right"
            yield Problem(display(orders / file, archive.root), 0, 0, f"{what}: {why}", right, "warning")


def _voided_lines(archive: Archive, turn: Turn) -> Iterator[tuple[int, Void, tuple[str, ...] | None]]:
    """Index, void and struck lines of each `void` ruling of a judged turn; the lines are None if no sheet counted, () if all of it is void.

    Yields nothing for a running game with hidden information.
    """
    hidden = turn.game.ruleset.secrecy is not None and not archive.has_ended(turn.game.slug)
    voids = [(index, ruling.void) for index, ruling in enumerate(turn.data.rulings) if ruling.void is not None]
    if hidden or not voids or turn.data.status == "open":
        return
    whole, given, _ = load_inputs(archive, turn)
    for index, void in voids:
        sheet = given.sheets.get(void.seat)
        if sheet is None:
            yield index, void, None
        else:
            yield (
                index,
                void,
                lines_to_strike(turn.game, whole.position, sheet, void.order) if void.order is not None else (),
            )


def _nothing(void: Void, lines: tuple[str, ...] | None) -> str:
    """Why a ruling voided nothing; empty if it did void something."""
    if lines is None:
        return f"no sheet of {void.seat} counted"
    return f"the sheet of {void.seat} that counted has no such order" if void.order is not None and not lines else ""
