"""Judges a Diplomacy turn, from sheets to the next position: reads the orders, resolves the war, counts the votes."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.resolution import Ending, Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets.diplomacy import war
from adjudicator.rulesets.diplomacy.events import AnyEvent, Conceded, Drawn, Missing, UnitVerdict, Voted, Won
from adjudicator.rulesets.diplomacy.orders import Sheet, read_orders
from adjudicator.rulesets.diplomacy.position import AbsentVotes, Draws, Position, Season
from adjudicator.rulesets.diplomacy.war import Command, War, due, survivors, unreadable_verdict, verdicts_on, when


class Work(Draft[Position, UnitVerdict, AnyEvent]):
    """The turn while it is being judged."""

    def __init__(self, position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> None:
        super().__init__(position, sheets, dice)
        self.war = war.begin(position)
        self.events = self.war.events


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judge one turn. Diplomacy rolls no dice."""
    work = Work(position, sheets, dice)
    work.war.orders = read_sheets(work)
    for step in TURN:
        step(work)
    assert work.war.after is not None
    return work.done(work.war.after)


def read_sheets(work: Work) -> list[Command]:
    """The orders of all powers; adds a verdict on each line that cannot be read (DP-O-7)."""
    commands: list[Command] = []
    for power in work.war.start.board.powers:
        sheet = work.sheets.get(power)
        for index, order in read_orders(work.war.start, sheet) if sheet is not None else ():
            if isinstance(order, Fault):
                assert sheet is not None
                work.verdicts.append(unreadable_verdict(power, sheet.orders[index], order))
            else:
                commands.append((power, order))
    return commands


# The steps --------------------------------------------------------------------------------------------------------


def note_missing_sheets(work: Work) -> None:
    """Name each power that owed a sheet and sent none (DP-N-1)."""
    for power in sorted(due(work.position) - set(work.sheets)):
        work.tell(Missing(power=power))


def carry_out_orders(work: Work) -> None:
    """Resolve moves, retreats or adjustments, with a verdict for every order."""
    war.carry_out(work.war)
    work.verdicts += verdicts_on(work.war.start, (*work.war.judged, *work.war.implied))
    rank = {power: number for number, power in enumerate(work.war.powers)}
    work.verdicts.sort(key=lambda verdict: rank[verdict.seat])


def take_centres(work: Work) -> None:
    """Give each power the centres that its units occupy at the end of a fall (DP-W-1)."""
    war.take_centres(work.war)


def name_the_eliminated(work: Work) -> None:
    """Name the powers that have just lost their last unit and centre (DP-V-4)."""
    war.name_the_eliminated(work.war)


def end_the_game(work: Work) -> None:
    """End the game if it is won (DP-V-1, V-2, V-6 to V-8), drawn (DP-V-3, V-8) or conceded (DP-V-5); report votes and concessions."""
    position = work.position
    phase = when(position)
    among = tuple(work.war.field.board.powers)
    won = victor(work.war, among)
    if won is not None:
        work.tell(won)
        work.ended = Ending(how="solo", winners=(won.power,), when=phase, rule=RULE_OF_VICTORY[won.by])
        return
    if leading := leaders_in_time(work.war, among):
        work.tell(Drawn(powers=leading))
        work.ended = Ending(how="draw", winners=leading, when=phase, rule="DP-V-8")
        return
    if position.settings.draws is Draws.NONE:
        return
    seats = frozenset(work.war.start.board.powers)
    alive = survivors(work.war.start) & seats
    votes = sorted(power for power, sheet in work.sheets.items() if sheet.draw and power in alive)
    accept = position.settings.absent_votes is AbsentVotes.ACCEPT
    absent = due(position) - set(work.sheets) if accept else frozenset[SeatId]()
    missing = sorted(alive - set(votes) - absent)
    if votes:
        work.tell(Voted(powers=tuple(votes), needed=tuple(missing)))
    if votes and not missing:
        left = tuple(sorted(survivors(work.war.field) & seats))
        work.tell(Drawn(powers=left))
        work.ended = Ending(how="draw", winners=left, when=phase, rule="DP-V-3")
        return
    for to in sorted(alive):
        powers = sorted(power for power in alive - {to} if _concedes(work, power, to))
        others = tuple(sorted(alive - {to} - set(powers) - absent))
        if powers:
            work.tell(Conceded(to=to, powers=tuple(powers), needed=others))
            if not others:
                work.ended = Ending(how="concession", winners=(to,), when=phase, rule="DP-V-5")
                return


RULE_OF_VICTORY = {None: "DP-V-1", "hold": "DP-V-7", "time": "DP-V-8"}


def victor(judged: War, among: tuple[SeatId, ...]) -> Won | None:
    """The power of `among` that wins after a fall, if there is one (DP-V-1, V-2, V-6 to V-8)."""
    position, board = judged.position, judged.field.board
    if position.season is not Season.FALL or judged.forced:
        return None
    win, number = board.win, position.settings.victory or board.counts
    centres_of = judged.field.centres()
    owned = {power: centres_of.get(power, set()) for power in among}
    claims: dict[SeatId, Won] = {}
    for power, centres in owned.items():
        most = max(len(others) for other, others in owned.items() if other != power)
        if number is not None and len(centres) >= number and len(centres) - most >= (win.lead or 1):
            claims[power] = Won(power=power, centres=len(centres))
        elif win.hold and len(centres & {*win.hold}) >= (win.least or len(win.hold)):
            claims[power] = Won(power=power, centres=len(centres), by="hold")
    best = _foremost({power: len(owned[power]) for power in claims})
    if len(best) == 1:
        return claims[best[0]]
    leading = leaders_in_time(judged, among)
    return Won(power=leading[0], centres=len(owned[leading[0]]), by="time") if len(leading) == 1 else None


def leaders_in_time(judged: War, among: tuple[SeatId, ...]) -> tuple[SeatId, ...]:
    """The powers of `among` with the most centres once the board's years are over (DP-V-8); empty before then."""
    board, position = judged.field.board, judged.position
    if board.win.years is None or position.season is not Season.FALL or judged.forced:
        return ()
    if board.calendar.years(board.starts, position.year) < board.win.years:
        return ()
    return _foremost({power: len(judged.field.owned(power)) for power in among})


def _foremost(counts: Mapping[SeatId, int]) -> tuple[SeatId, ...]:
    """The powers with the highest count, sorted."""
    most = max(counts.values(), default=0)
    return tuple(sorted(power for power, count in counts.items() if count == most))


def _concedes(work: Work, power: SeatId, to: SeatId) -> bool:
    """Whether a power's sheet concedes the game to `to`."""
    return power in work.sheets and work.sheets[power].concede == to


def turn_the_page(work: Work) -> None:
    """Go on to the next turn with something to decide (DP-G-3)."""
    war.turn_the_page(work.war)


TURN = (note_missing_sheets, carry_out_orders, take_centres, name_the_eliminated, end_the_game, turn_the_page)
