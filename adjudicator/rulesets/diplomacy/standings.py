"""The tally of a game, as tables and over time."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.contract.pages import Chart, Table
from adjudicator.core.contract.words import join_words
from adjudicator.rulesets.diplomacy.position import (
    Phase,
    Position,
    Season,
    Vote,
)


def tally(position: Position) -> tuple[Table, ...]:
    """Supply centres and units by power, most centres first; and the votes that count until their powers vote again (DP-V-12)."""
    rows = sorted(
        ((power, len(centres), len(position.units.get(power, ()))) for power, centres in position.centres.items()),
        key=lambda row: (-row[1], -row[2], row[0]),
    )
    votes = tuple((power, _vote_in_words(vote)) for power, vote in sorted(position.votes.items()))
    kept = (Table("Votes that count until their powers vote again", ("Power", "Vote"), votes),) if votes else ()
    return (Table("Standings", ("Power", "Centres", "Units"), tuple(rows)), *kept)


def _vote_in_words(vote: Vote) -> str:
    """A vote: `a draw`, `a draw of Austria and Italy`, `the game for France`."""
    for_draw = (f"a draw of {join_words(vote.among)}" if vote.among else "a draw",) if vote.draw else ()
    return "; ".join((*for_draw, *((f"the game for {vote.concede}",) if vote.concede is not None else ())))


def chart(positions: Iterable[Position]) -> tuple[Chart, ...]:
    """Supply centres at the start of each year, and at the last position."""
    starts: dict[str, tuple[int, Position]] = {}
    """Year -> index and position of its spring movement turn."""
    turns = list(enumerate(positions))
    for turn, position in turns:
        if position.season is Season.SPRING and position.phase is Phase.MOVEMENT:
            starts[position.settings.ground.calendar.year(position.year)] = turn, position
    shown = [(year, year, turn, position) for year, (turn, position) in starts.items()]
    turn, last = turns[-1]
    if not shown or turn != shown[-1][2]:
        year = last.settings.ground.calendar.year(last.year)
        shown.append((f"{last.season} {year}", year, turn, last))
    powers = sorted({power for *_, position in shown for power in position.centres})
    lines = {power: tuple(len(position.centres.get(power, ())) for *_, position in shown) for power in powers}
    labels, years, places, _ = zip(*shown, strict=True)
    return (Chart("Supply centres", "centres", labels, lines, "Year", years, places),)
