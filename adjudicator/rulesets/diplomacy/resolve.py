"""A Diplomacy turn, from sheets to the next position: the orders read, the war judged, the votes counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.dice import Dice
from adjudicator.core.resolution import Ending, Resolution, SeatId
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets.diplomacy import war
from adjudicator.rulesets.diplomacy.events import AnyEvent, Conceded, Drawn, Missing, UnitVerdict, Voted, Won
from adjudicator.rulesets.diplomacy.orders import Sheet, read_orders
from adjudicator.rulesets.diplomacy.position import Draws, Position, Season
from adjudicator.rulesets.diplomacy.war import Command, War, due, survivors, unreadable, verdicts, when


@dataclass
class Work:
    """The turn while it is being judged."""

    position: Position
    sheets: Mapping[SeatId, Sheet]
    war: War
    verdicts: list[UnitVerdict] = field(default_factory=list)
    ended: Ending | None = None


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judges one turn. Diplomacy rolls no dice."""
    work = Work(position, sheets, war.begin(position))
    work.war.orders = readable(work)
    for step in TURN:
        step(work)
    assert work.war.after is not None
    return Resolution(work.war.after, tuple(work.verdicts), tuple(work.war.events), work.ended)


def readable(work: Work) -> list[Command]:
    """The orders of all powers that can be read; the others get their verdict here (DP-O-7)."""
    found: list[Command] = []
    for power in work.war.start.board.powers:
        sheet = work.sheets.get(power)
        for index, order in read_orders(work.war.start, sheet) if sheet is not None else ():
            if isinstance(order, Fault):
                assert sheet is not None
                work.verdicts.append(unreadable(power, sheet.orders[index], order))
            else:
                found.append((power, order))
    return found


# The steps --------------------------------------------------------------------------------------------------------


def note_missing_sheets(work: Work) -> None:
    """A power that owed a sheet and sent none is named (DP-N-1)."""
    for power in sorted(due(work.position) - set(work.sheets)):
        work.war.events.append(Missing(power=power))


def carry_out_orders(work: Work) -> None:
    """Moves, retreats or adjustments; and a verdict for every order."""
    war.carry_out(work.war)
    work.verdicts += verdicts(work.war.start, (*work.war.judged, *work.war.implied))
    rank = {power: number for number, power in enumerate(work.war.powers)}
    work.verdicts.sort(key=lambda verdict: rank[verdict.seat])


def take_centres(work: Work) -> None:
    """After the last movement of the year and its retreats (DP-W-1)."""
    war.take_centres(work.war)


def name_the_eliminated(work: Work) -> None:
    """Powers that have nothing left (DP-V-4)."""
    war.name_the_eliminated(work.war)


def end_the_game(work: Work) -> None:
    """A solo victory (DP-V-1, DP-V-2), a draw that every surviving power voted for (DP-V-3), or a concession by all but one (DP-V-5)."""
    events, position = work.war.events, work.position
    phase = when(position)
    won = victor(work.war)
    if won is not None:
        events.append(won)
        work.ended = Ending(how="solo", winners=(won.power,), when=phase, rule="DP-V-1")
        return
    if position.settings.draws is Draws.NONE:
        return
    seats = frozenset(work.war.start.board.powers)
    alive = survivors(work.war.start) & seats
    votes = sorted(power for power, sheet in work.sheets.items() if sheet.draw and power in alive)
    missing = sorted(alive - set(votes))
    if votes:
        events.append(Voted(powers=tuple(votes), needed=tuple(missing)))
    if not missing:
        left = tuple(sorted(survivors(work.war.field) & seats))
        events.append(Drawn(powers=left))
        work.ended = Ending(how="draw", winners=left, when=phase, rule="DP-V-3")
        return
    for to in sorted(alive):
        powers = sorted(power for power in alive - {to} if _concedes(work, power, to))
        others = tuple(sorted(alive - {to} - set(powers)))
        if powers:
            events.append(Conceded(to=to, powers=tuple(powers), needed=others))
            if not others:
                work.ended = Ending(how="concession", winners=(to,), when=phase, rule="DP-V-5")
                return


def victor(judged: War) -> Won | None:
    """The power that has enough centres after a fall, and more than any other (DP-V-1, DP-V-2); None if there is none."""
    position, after = judged.position, judged.field
    if position.season is not Season.FALL or judged.forced:
        return None
    needed = position.settings.victory or after.board.victory
    counts = sorted(((len(after.owned(power)), power) for power in after.board.powers), reverse=True)
    (most, leader), (second, _) = counts[0], counts[1]
    return Won(power=leader, centres=most) if most >= needed and most > second else None


def _concedes(work: Work, power: SeatId, to: SeatId) -> bool:
    """Whether a power's sheet accepts another's victory."""
    return power in work.sheets and work.sheets[power].concede == to


def turn_the_page(work: Work) -> None:
    """The next turn in which something can happen (DP-G-3)."""
    war.turn_the_page(work.war)


TURN = (note_missing_sheets, carry_out_orders, take_centres, name_the_eliminated, end_the_game, turn_the_page)
