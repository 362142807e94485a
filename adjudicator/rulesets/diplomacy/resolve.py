"""Judges a Diplomacy turn, from sheets to the next position: reads the orders, resolves the war, counts the votes."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace

from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.resolution import Ending, Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets.diplomacy import war
from adjudicator.rulesets.diplomacy.events import (
    AnyEvent,
    Conceded,
    Drawn,
    Missing,
    UnitVerdict,
    Voted,
    VotedAmong,
    Won,
)
from adjudicator.rulesets.diplomacy.orders import Sheet, read_orders
from adjudicator.rulesets.diplomacy.position import (
    AbsentVotes,
    DrawAmong,
    Draws,
    Position,
    Season,
    Vote,
    Votes,
)
from adjudicator.rulesets.diplomacy.war import Command, War, due, survivors, unreadable_verdict, verdicts_on, when


class Work(Draft[Position, UnitVerdict, AnyEvent]):
    """The turn while it is being judged."""

    def __init__(self, position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> None:
        super().__init__(position, sheets, dice)
        self.war = war.begin(position)
        self.events = self.war.events
        self.votes: dict[SeatId, Vote] = {}
        """Power -> the vote that counts in this turn: from its sheet, or one that was kept (DP-V-12)."""

    def roll(self, name: str, sides: int) -> int:
        """Roll one of the turn's dice, which few house rules need (DP-W-8)."""
        return self.dice.roll(name, sides)


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judge one turn. Only `disband_distance: random` and `random-centres` roll dice (DP-W-8)."""
    work = Work(position, sheets, dice)
    work.war.lot = work.roll
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


def count_votes(work: Work) -> None:
    """Set the vote of each power that is left: its sheet's, or where votes are kept and the sheet has none, its vote before (DP-V-12)."""
    keep = work.position.settings.votes is Votes.KEPT
    for power in sorted(survivors(work.war.start) & frozenset(work.war.start.board.powers)):
        sheet = work.sheets.get(power)
        if sheet is not None and (sheet.votes or not keep):
            work.votes[power] = Vote(draw=bool(sheet.draw), among=tuple(sorted({*sheet.among})), concede=sheet.concede)
        elif keep and power in work.position.votes:
            work.votes[power] = work.position.votes[power]


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
    if work.war.field.board.win.shared and len(claims := claimants(work.war, among)) > 1:
        for claim in claims.values():
            work.tell(replace(claim, by="shared"))
        work.ended = Ending(how="shared", winners=tuple(claims), when=phase, rule="DP-V-10")
        return
    won = victor(work.war, among)
    if won is not None:
        work.tell(won)
        rule = "DP-V-9" if won.by is None and work.war.field.board.win.held is not None else RULE_OF_VICTORY[won.by]
        work.ended = Ending(how="solo", winners=(won.power,), when=phase, rule=rule)
        return
    if leading := leaders_in_time(work.war, among):
        work.tell(Drawn(powers=leading))
        work.ended = Ending(how="draw", winners=leading, when=phase, rule="DP-V-8")
        return
    if position.settings.draws is Draws.NONE:
        return
    seats = frozenset(work.war.start.board.powers)
    alive = survivors(work.war.start) & seats
    if position.settings.draw_among is DrawAmong.NAMED and _end_among(work, alive, seats):
        return
    votes = sorted(power for power, vote in work.votes.items() if vote.draw)
    absent = _silent(work)
    missing = sorted(alive - set(votes) - absent)
    if votes and (_is_new(work) or not missing):
        work.tell(Voted(powers=tuple(votes), needed=tuple(missing)))
    if votes and not missing:
        left = tuple(sorted(survivors(work.war.field) & seats))
        work.tell(Drawn(powers=left))
        work.ended = Ending(how="draw", winners=left, when=phase, rule="DP-V-3")
        return
    _end_by_concession(work, alive)


def _end_by_concession(work: Work, alive: AbstractSet[SeatId]) -> None:
    """End the game if all powers left but one concede to that one; reports concessions (DP-V-5)."""
    absent = _silent(work)
    conceded: list[Conceded] = []
    for to in sorted(alive):
        if not _may_win_by_concession(work, to):
            continue
        powers = sorted(power for power in alive - {to} if _concedes(work, power, to))
        others = tuple(sorted(alive - {to} - set(powers) - absent))
        if powers:
            conceded.append(Conceded(to=to, powers=tuple(powers), needed=others))
    winners = [told.to for told in conceded if not told.needed]
    # Two that are left may each concede to the other: then neither wins, and the game goes on.
    for told in conceded:
        if _is_new(work) or not told.needed:
            work.tell(told)
        if [told.to] == winners:
            break
    if len(winners) == 1:
        work.ended = Ending(how="concession", winners=(winners[0],), when=when(work.position), rule="DP-V-5")


RULE_OF_VICTORY = {None: "DP-V-1", "hold": "DP-V-7", "time": "DP-V-8", "shared": "DP-V-10"}


def victor(judged: War, among: tuple[SeatId, ...]) -> Won | None:
    """The power of `among` that wins after a fall, if there is one (DP-V-1, V-2, V-6 to V-8)."""
    claims = claimants(judged, among)
    best = _foremost({power: claim.centres for power, claim in claims.items()})
    if len(best) == 1:
        return claims[best[0]]
    leading = leaders_in_time(judged, among)
    return Won(power=leading[0], centres=len(judged.field.owned(leading[0])), by="time") if len(leading) == 1 else None


def claimants(judged: War, among: tuple[SeatId, ...]) -> dict[SeatId, Won]:
    """Each power of `among` that can claim victory after a fall, by number or by the centres it holds (DP-V-1, V-6, V-7, V-9)."""
    position, board = judged.position, judged.field.board
    if position.season is not Season.FALL or judged.forced:
        return {}
    win, centres_of = board.win, judged.field.centres()
    owned = {power: centres_of.get(power, set()) for power in among}
    number = {
        power: len(centres)
        for power, centres in owned.items()
        if war.has_the_number(judged, power, among) and position.claims.get(power, 0) + 1 >= (win.held or 1)
    }
    if not win.shared:  # of several the one with most; if two have as many, none of them wins by the number (DP-V-2)
        best = _foremost(number)
        number = dict.fromkeys(best, max(number.values())) if len(best) == 1 else {}
    claims: dict[SeatId, Won] = {}
    for power, centres in owned.items():
        if power in number:
            claims[power] = Won(power=power, centres=len(centres))
        elif win.hold and len(centres & {*win.hold}) >= (win.least or len(win.hold)):
            claims[power] = Won(power=power, centres=len(centres), by="hold")
    return claims


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


def _end_among(work: Work, alive: AbstractSet[SeatId], seats: frozenset[SeatId]) -> bool:
    """Ends the game as a draw among the powers that the sheets of all powers left name; reports the proposals. True if it ended (DP-V-11)."""
    named = {power: vote.among for power, vote in work.votes.items() if vote.among}
    absent = _silent(work)
    left = survivors(work.war.field) & seats
    for among in sorted({*named.values()}):
        powers = tuple(power for power, wish in named.items() if wish == among)
        needed = tuple(sorted(alive - {*powers} - absent))
        if _is_new(work) or not needed:
            work.tell(VotedAmong(among=among, powers=powers, needed=needed))
        winners = tuple(power for power in among if power in left)
        if not needed and winners:
            work.tell(Drawn(powers=winners))
            work.ended = Ending(how="draw", winners=winners, when=when(work.position), rule="DP-V-11")
            return True
    return False


def _silent(work: Work) -> frozenset[SeatId]:
    """The powers that a draw or a concession does not need, because they owe a sheet and have none (`absent_votes: accept`)."""
    accept = work.position.settings.absent_votes is AbsentVotes.ACCEPT
    return due(work.position) - frozenset(work.sheets) if accept else frozenset()


def _may_win_by_concession(work: Work, to: SeatId) -> bool:
    """Whether a concession to a power counts: it may need a number of centres, and more than any other power has (DP-V-5)."""
    least, centres = work.position.settings.concede_least, work.war.field.centres()
    own = len(centres.get(to, ()))
    return least is None or (
        own >= least and all(len(theirs) < own for other, theirs in centres.items() if other != to)
    )


def _concedes(work: Work, power: SeatId, to: SeatId) -> bool:
    """Whether a power concedes the game to `to`."""
    return power in work.votes and work.votes[power].concede == to


def _is_new(work: Work) -> bool:
    """Whether any vote of this turn is new: otherwise all of them were reported in an earlier turn (DP-V-12)."""
    return any(vote != work.position.votes.get(power) for power, vote in work.votes.items())


def turn_the_page(work: Work) -> None:
    """Go on to the next turn with something to decide (DP-G-3). Votes of powers that are left may be kept (DP-V-12)."""
    war.turn_the_page(work.war)
    if work.position.settings.votes is Votes.KEPT and work.war.after is not None:
        left = survivors(work.war.field)
        kept = {power: vote for power, vote in work.votes.items() if vote != Vote() and power in left}
        work.war.after = replace(work.war.after, votes=kept)


TURN = (
    note_missing_sheets,
    count_votes,
    carry_out_orders,
    take_centres,
    name_the_eliminated,
    end_the_game,
    turn_the_page,
)
