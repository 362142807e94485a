"""How the sides of a game stand, as tables and over time."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.contract.pages import Chart, Table
from adjudicator.rulesets.diplomacy.position import (
    Phase,
    Position,
    Season,
)


def tally(position: Position) -> tuple[Table, ...]:
    """Supply centres and units by power, most centres first."""
    rows = sorted(
        ((power, len(centres), len(position.units.get(power, ()))) for power, centres in position.centres.items()),
        key=lambda row: (-row[1], -row[2], row[0]),
    )
    return (Table("Standings", ("Power", "Centres", "Units"), tuple(rows)),)


def chart(positions: Iterable[Position]) -> tuple[Chart, ...]:
    """Supply centres at the start of each year, and at the last position."""
    years: dict[tuple[str, str], Position] = {}
    """(Year, season, or "" for the year's first turn) -> the position it began with."""
    for position in positions:
        calendar = position.settings.ground.calendar
        first = position.season is Season.SPRING and position.phase is Phase.MOVEMENT
        years[calendar.year(position.year), "" if first else position.season] = position
    shown = {turn: turn[0] for turn in years if not turn[1]} | {turn: "end" for turn in list(years)[-1:] if turn[1]}
    powers = sorted({power for turn in shown for power in years[turn].centres})
    lines = {power: tuple(len(years[turn].centres.get(power, ())) for turn in shown) for power in powers}
    return (Chart("Supply centres", "centres", tuple(shown.values()), lines),)
