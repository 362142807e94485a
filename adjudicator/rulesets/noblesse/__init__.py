"""Noblesse: estates, courtiers and companies by night, votes by day.

Twelve players belong to four factions, and do not know who their fellow members are. By night each runs a court: they
tax, spy, build, recruit, move armies and have rivals stabbed, in ten steps. By day they vote. Leaders make treaties out
of listed clauses, and the program checks those clauses that it can. Almost everything is secret until the end.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.contract.ruleset import (
    About,
    Decisions,
    HostFiles,
    Pictures,
    Rules,
    Ruleset,
    StandIn,
    Tables,
    Types,
    Words,
    Worth,
    by_its_own_name,
    ended,
    one_sheet,
)
from adjudicator.render import render_grid
from adjudicator.rulesets.noblesse import (
    chapters,
    day,
    desk,
    events,
    examples,
    host,
    options,
    picture,
    prose,
    reports,
    secrecy,
    standings,
)
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import Phase, Position, Settings, attach_settings, faults, furnish
from adjudicator.rulesets.noblesse.resolve import due, resolve
from adjudicator.rulesets.noblesse.scenario import Scenario
from adjudicator.rulesets.noblesse.sealed import SECRECY
from adjudicator.rulesets.noblesse.worth import worth

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
        when=secrecy.public_phase,
        kind=lambda view: view.phase.value,
        kinds=tuple(phase.value for phase in Phase),
        check=options.check,
        options=options.options,
        resolve=resolve,
        faults=faults,
    ),
    words=Words(
        tell=prose.tell,
        ended=ended,
        quiet=prose.QUIET,
        weight=events.FACTS.weight,
        plain=prose.PLAIN,
        joints=events.FACTS.joints,
        called=by_its_own_name,
        part=prose.part,
    ),
    pictures=Pictures(draw=picture.draw, paint=render_grid),
    tables=Tables(tally=standings.tally, chart=standings.chart, reports=reports.reports, chapters=chapters.chapters),
    cards=None,
    secrecy=SECRECY,
    desk=desk.DESK,
    stand_in=StandIn(mind=Worth(worth), party=lambda position, seat: position.players[seat].faction),
    host_files=HostFiles(
        kinds={"scenario": Scenario}, furnish=furnish, attach=attach_settings, sketch=lambda settings: {}
    ),
    decisions=Decisions(
        kind=host.Decision, hidden=True, waits=host.waits, faults=host.faults, apply=host.apply, tell=host.tell
    ),
    exchange=None,
    ahead=None,
    examples=examples.examples,
)
