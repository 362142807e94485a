"""Al-Andalus: five princes, three wazirs.

The war is standard Diplomacy on a board of Iberia around 1080. Beside it stand three wazirs with neither land nor
armies: a wazir serves at a prince's court, may give one order to one of his units, and is paid for the units that stay
at home; he can plunder his prince, and be arrested by him. A prince must leave a unit fallow, or one is held for him.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from adjudicator.core.contract.pages import Chart, Table, Timeline
from adjudicator.core.contract.ruleset import (
    About,
    Desk,
    Pictures,
    Rules,
    Ruleset,
    StandIn,
    Tables,
    Types,
    Words,
    Worth,
    no_chapters,
    no_parts,
    no_reports,
    the_seat,
)
from adjudicator.core.secrets.dice import Dice
from adjudicator.render import render
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import events, examples, orders, picture, prose, resolve, worth
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, Settings, faults, princes, seats, starting


def setup(settings: Settings, dice: Dice) -> Position:
    """The starting position; nothing in it is random."""
    return starting(settings)


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
    """Centres by year; every purse and treasury over the seasons; who served whom when."""
    kept = list(positions)
    labels: list[str] = []
    lines: dict[str, list[int | None]] = {name: [] for name in (*WAZIRS, *princes(kept[0].settings))}
    served: dict[str, list[str | None]] = {wazir: [] for wazir in WAZIRS}
    for at, position in enumerate(kept):
        if position.war.phase is diplomacy.Phase.MOVEMENT or at == len(kept) - 1:
            labels.append(f"{position.war.season} {position.war.year}")
            for name, line in lines.items():
                line.append(position.purses.get(name, position.treasuries.get(name)))
            for wazir, line_ in served.items():
                line_.append("executed" if wazir in position.executed else position.courts.get(wazir))
    dinars = Chart("Dinars", "dinars", tuple(labels), {name: tuple(line) for name, line in lines.items()})
    courts = Timeline("Courts", tuple(labels), {wazir: tuple(line) for wazir, line in served.items()}, "free")
    # With generals wazirs may own centres; one who never did has no line.
    (centres,) = diplomacy.chart([position.war for position in kept])
    owned = {name: line for name, line in centres.lines.items() if name not in WAZIRS or any(line)}
    return (replace(centres, lines=owned), dinars, courts)


RULESET: Ruleset[Position, orders.AnySheet, events.AnyEvent] = Ruleset(
    about=About(
        slug="al_andalus",
        title="Al-Andalus",
        designer="members of the PlayDiplomacy forum (2013-14)",
        players="8",
        summary="Five princes wage war; three wazirs without land serve them, for dinars, while it pays.",
        licence="The rulebook here is in our own words; the board is our own.",
        prefix="AA",
        luck=False,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=events.Event,
        settings=Settings,
        verdict=diplomacy.UnitVerdict,
        sheets={"prince-sheet": orders.PrinceSheet, "wazir-sheet": orders.WazirSheet},
        sheet=orders.sheet_of,
    ),
    rules=Rules(
        seats=seats,
        setup=setup,
        due=orders.due,
        when=resolve.when,
        kind=lambda view: view.war.phase.value,
        kinds=tuple(phase.value for phase in diplomacy.Phase),
        check=orders.check,
        options=orders.options,
        resolve=resolve.resolve,
        faults=faults,
    ),
    words=Words(tell=prose.tell, ended=diplomacy.ended, quiet=diplomacy.QUIET, weight=prose.weight, part=no_parts),
    pictures=Pictures(draw=picture.draw, paint=render),
    tables=Tables(tally=tally, chart=chart, reports=no_reports, chapters=no_chapters),
    secrecy=None,
    desk=Desk(
        spelling=lambda view: diplomacy.field_of(view.war).notation.spelling(),
        lines=None,
        canonical=lambda view, line: diplomacy.canonical(diplomacy.field_of(view.war), line),
        cautions=orders.cautions,
    ),
    stand_in=StandIn(mind=Worth(worth.worth), party=the_seat),
    host_files=None,
    decisions=None,
    exchange=None,
    examples=examples.examples,
)
