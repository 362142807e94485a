"""Noblesse: estates, courtiers and companies by night, votes by day.

Twelve players belong to four factions and do not know who else does. By night each works at his court: taxes, spies,
builds, recruits, moves armies and has rivals stabbed, in ten steps; by day they vote. Leaders make treaties out of
listed clauses, and the program watches what it can. Almost everything is secret until the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from adjudicator.core.contract.pages import Chart, Table
from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.contract.ruleset import (
    About,
    Decisions,
    Desk,
    HostFiles,
    Pictures,
    Rules,
    Ruleset,
    Secrecy,
    StandIn,
    Tables,
    Types,
    Words,
    Worth,
    ended,
    one_sheet,
)
from adjudicator.render import render_grid
from adjudicator.rulesets.noblesse import (
    brief,
    chronicle,
    day,
    events,
    examples,
    host,
    picture,
    prose,
    report,
    views,
    wishes,
)
from adjudicator.rulesets.noblesse.orders import Sheet, lines
from adjudicator.rulesets.noblesse.position import Phase, Position, Settings, attach_settings, faults, furnish
from adjudicator.rulesets.noblesse.resolve import due, resolve
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Scenario
from adjudicator.rulesets.noblesse.worth import worth


def tally(position: Position) -> tuple[Table, ...]:
    """Players, and factions as far as the viewer knows them."""
    rows = [
        (
            seat,
            "lives" if player.alive else "dead",
            player.faction or "unknown",
            player.role or "unknown",
            player.home or "unknown",
        )
        for seat, player in sorted(position.players.items())
    ]
    tables = [Table("Players", ("Player", "State", "Faction", "Role", "Home"), tuple(rows))]
    if not picture.partial(position):
        factions = [
            (
                name,
                sum(player.alive and player.faction == name for player in position.players.values()),
                sum(picture.faction_at(position, estate) == name for estate in position.settings.board.estates),
                sum(
                    unit.owner in position.players and position.players[unit.owner].faction == name
                    for unit in position.units.values()
                ),
                len(faction.nobles),
            )
            for name, faction in position.factions.items()
        ]
        tables.append(Table("Factions", ("Faction", "Players", "Estates", "Units", "Nobles"), tuple(factions)))
    return tuple(tables)


def chart(positions: Iterable[Position]) -> tuple[Chart, ...]:
    """Living players, estates and stocks of each faction over the Nights; nothing while they are secret."""
    nights = [one for one in positions if one.phase is Phase.NIGHT]
    if not nights or any(picture.partial(one) for one in nights):
        return ()
    labels = tuple(f"Night {one.cycle}" for one in nights)
    factions = tuple(nights[0].factions)

    def line(count: Mapping[str, tuple[int, ...]], title: str, unit: str) -> Chart:
        return Chart(title, unit, labels, count)

    living = {
        name: tuple(sum(p.alive and p.faction == name for p in one.players.values()) for one in nights)
        for name in factions
    }
    estates = {
        name: tuple(sum(picture.faction_at(one, at) == name for at in one.estates) for one in nights)
        for name in factions
    }
    stocks = {
        name: tuple(
            sum(getattr(p.stock, key) for p in one.players.values() if p.faction == name for key in RESOURCES)
            for one in nights
        )
        for name in factions
    }
    return (
        line(living, "Living players", "players"),
        line(estates, "Estates", "estates"),
        line(stocks, "Stocks of all kinds", "resources"),
    )


RULESET: Ruleset[Position, Sheet, events.AnyEvent] = Ruleset(
    about=About(
        slug="noblesse",
        title="Noblesse",
        designer="members of the Malazan Empire forum (2014-15)",
        players="12",
        summary="Four hidden factions, twelve courts, estates and armies by night, votes by day.",
        licence="The rulebook here is in our own words; scenario, companies and roles are our own.",
        prefix="NB",
        luck=True,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=events.Event,
        settings=Settings,
        verdict=Verdict,
        sheets={"sheet": Sheet},
        sheet=one_sheet(Sheet),
    ),
    rules=Rules(
        seats=lambda settings: settings.board.players,
        setup=day.setup,
        due=due,
        when=views.public_phase,
        kind=lambda view: view.phase.value,
        kinds=tuple(phase.value for phase in Phase),
        check=wishes.check,
        options=wishes.options,
        resolve=resolve,
        faults=faults,
    ),
    words=Words(tell=prose.tell, ended=ended, quiet=prose.QUIET, weight=prose.weight, part=prose.part),
    pictures=Pictures(draw=picture.draw, paint=render_grid),
    tables=Tables(tally=tally, chart=chart, reports=report.reports, chapters=chronicle.chapters),
    secrecy=Secrecy(seen_by=views.seen_by, heard_by=views.heard_by, public_roll=lambda name: False, brief=brief.brief),
    desk=Desk(spelling=None, lines=lines, canonical=lambda view, line: lines(view).canonical(line), cautions=None),
    stand_in=StandIn(mind=Worth(worth), party=lambda position, seat: position.players[seat].faction),
    host_files=HostFiles(
        kinds={"scenario": Scenario}, furnish=furnish, attach=attach_settings, sketch=lambda settings: {}
    ),
    decisions=Decisions(
        kind=host.Decision, hidden=True, waits=host.waits, faults=host.faults, apply=host.apply, tell=host.tell
    ),
    exchange=None,
    examples=examples.examples,
)
