"""Tables and charts of a game's sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.core.contract.pages import Chart, Table, Timeline
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, princes


def tally(position: Position) -> tuple[Table, ...]:
    """Princes with centres, units, wazir and treasury; wazirs with court and dinars."""
    field = diplomacy.field_of(position.war)
    serves = {prince: wazir for wazir, prince in position.courts.items()}
    rows = sorted(
        (
            (
                prince,
                len(field.owned(prince)),
                len(position.war.units.get(prince, ())),
                serves.get(prince, "none"),
                position.treasuries.get(prince, 0),
            )
            for prince in princes(position.settings)
        ),
        key=lambda row: (-row[1], -row[2], row[0]),
    )
    courts = [
        (
            wazir,
            "executed" if wazir in position.executed else position.courts.get(wazir, "free"),
            position.purses.get(wazir, 0),
        )
        for wazir in WAZIRS
    ]
    return (
        Table("Princes", ("Prince", "Centres", "Units", "Wazir", "Treasury"), tuple(rows)),
        Table("Wazirs", ("Wazir", "Court", "Dinars"), tuple(courts)),
    )


def chart(positions: Iterable[Position]) -> tuple[Chart | Timeline, ...]:
    """Centres by year, purses and treasuries by season, and the wazirs' courts over time."""
    turns = list(positions)
    labels: list[str] = []
    years: list[str] = []
    places: list[int] = []
    lines: dict[str, list[int | None]] = {name: [] for name in (*WAZIRS, *princes(turns[0].settings))}
    served: dict[str, list[str | None]] = {wazir: [] for wazir in WAZIRS}
    for number, position in enumerate(turns):
        if position.war.phase is diplomacy.Phase.MOVEMENT or number == len(turns) - 1:
            labels.append(f"{position.war.season} {position.war.year}")
            years.append(str(position.war.year))
            places.append(number)
            for name, line in lines.items():
                line.append(position.purses.get(name, position.treasuries.get(name)))
            for wazir, line_ in served.items():
                line_.append("executed" if wazir in position.executed else position.courts.get(wazir))
    purses = {name: tuple(line) for name, line in lines.items()}
    rows = {wazir: tuple(line) for wazir, line in served.items()}
    dinars = Chart("Dinars", "dinars", tuple(labels), purses, "Year", tuple(years), tuple(places))
    courts = Timeline("Courts", tuple(labels), rows, "free", "Year", tuple(years), tuple(places))
    # With generals, wazirs may own centres; one who never did has no line.
    (centres,) = diplomacy.chart([position.war for position in turns])
    owned = {name: line for name, line in centres.lines.items() if name not in WAZIRS or any(line)}
    return (replace(centres, lines=owned), dinars, courts)
