"""How a saga ends (S9-K)."""

from __future__ import annotations

from adjudicator.core.contract.resolution import Ending, SeatId
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.events import DrawVote, Placed, Shared, Triumph
from adjudicator.rulesets.saga_of_the_nine.position import Position, living, majors, total_of, when
from adjudicator.rulesets.saga_of_the_nine.work import Work

SILENT_PHASES = 2
"""A Major that missed this many phases of orders in a row can no longer prevent a draw (S9-K-11)."""


def count_votes(work: Work) -> None:
    """Updates the votes for a draw from the sheets of this turn (S9-K-5, S9-K-6)."""
    votes = {*work.position.votes}
    for major, sheet in work.sheets.items():
        if sheet.draw is not None:
            (votes.add if sheet.draw else votes.discard)(major)
    if work.start.settings.draws is diplomacy.Draws.NONE:
        votes = set()
    work.amend(votes=tuple(major for major in living(work.position) if major in votes))


def end_at_census(work: Work) -> None:
    """Acts 6 to 8: ends the game if a Major has won, if all want a draw, or if the last cycle is over (S9-X-1, S9-K)."""
    position, phase = work.position, when(work.start)
    alive = living(position)
    if not alive:
        fallen = tuple(major for major, cycle in position.eliminated.items() if cycle == position.cycle)
        work.tell(Shared(powers=fallen, why="all-fell"))
        work.ended = Ending(how="draw", winners=fallen, when=phase, rule="S9-K-9")
        return
    winner = victor(position)
    if winner is not None:
        total, last = total_of(position, winner), len(alive) == 1
        work.tell(Triumph(power=winner, own=total.own, thralls=total.thralls, shared=total.shared, last=last))
        work.ended = Ending(how="solo", winners=(winner,), when=phase, rule="S9-K-9" if last else "S9-K-2")
        return
    asked = tuple(major for major in alive if major in position.votes)
    # Silence is neither an objection nor a vote: it cannot bring about a draw that nobody voted for (S-3).
    if asked and position.settings.draws is not diplomacy.Draws.NONE:
        silent = tuple(
            major for major in alive if major not in asked and position.missed.get(major, 0) >= SILENT_PHASES
        )
        needed = tuple(major for major in alive if major not in asked and major not in silent)
        if not needed:
            _draw(work, "vote", "S9-K-5", silent)
            return
        work.tell(DrawVote(powers=asked, silent=silent, needed=needed))
    if position.settings.cycles and _cycles(position) >= position.settings.cycles:
        _draw(work, "cycles", "S9-K-7")


def victor(position: Position) -> SeatId | None:
    """The Major that wins at a Census: the last one left, or the one whose total is enough and the highest (S9-K-2, S9-K-3, S9-K-9)."""
    alive = living(position)
    if len(alive) == 1:
        return alive[0]
    totals = sorted(((total_of(position, major).all, major) for major in alive), reverse=True)
    needed = position.settings.victory or position.settings.ground.victory
    (most, leader), (second, _) = totals[:2]
    return leader if most >= needed and most > second else None


def _cycles(position: Position) -> int:
    """Cycles of the game so far, including this one."""
    board = position.settings.ground
    return board.calendar.years(board.starts, position.cycle)


def _draw(work: Work, why: str, rule: str, silent: tuple[SeatId, ...] = ()) -> None:
    """Ends the game in a draw between the Majors that are left, with places for all Majors (S9-K-8)."""
    position = work.position
    alive = living(position)
    ranked = places(position)
    work.tell(Shared(powers=alive, why="vote" if why == "vote" else "cycles", places=ranked, silent=silent))
    first = tuple(placed.power for placed in ranked if placed.place == 1)
    work.ended = Ending(how="draw", winners=alive, when=when(work.start), rule=rule, first=first)


def places(position: Position) -> tuple[Placed, ...]:
    """Every Major's place in a draw, by total, then by its own centres; equal Majors share a place.

    Eliminated Majors follow, the last to fall first (S9-K-8).
    """

    def rank(major: SeatId) -> tuple[int, int, int]:
        fell = position.eliminated.get(major)
        if fell is not None:
            return (0, fell, 0)
        total = total_of(position, major)
        return (1, total.all, total.own)

    ranked = sorted(majors(position.settings), key=lambda major: (*(-part for part in rank(major)), major))
    listed: list[Placed] = []
    for number, major in enumerate(ranked, 1):
        same = bool(listed) and rank(listed[-1].power) == rank(major)
        total = total_of(position, major)
        listed.append(
            Placed(
                power=major,
                place=listed[-1].place if same else number,
                total=total.all,
                own=total.own,
                fell=position.eliminated.get(major),
            )
        )
    return tuple(listed)


def concede(work: Work) -> None:
    """Ends the game if all remaining Majors except one concede to that one, unless `draws` is `none` (S9-K-10)."""
    if work.ended is not None or work.start.settings.draws is diplomacy.Draws.NONE:
        return
    alive = living(work.position)
    for to in alive:
        powers = tuple(major for major in alive if major != to and _concedes(work, major, to))
        needed = tuple(major for major in alive if major != to and major not in powers)
        if powers:
            work.tell(diplomacy.Conceded(to=to, powers=powers, needed=needed))
            if not needed:
                work.ended = Ending(how="concession", winners=(to,), when=when(work.start), rule="S9-K-10")
                return


def _concedes(work: Work, major: SeatId, to: SeatId) -> bool:
    return major in work.sheets and work.sheets[major].concede == to
