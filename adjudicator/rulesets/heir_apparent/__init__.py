"""Heir Apparent: Princes bid for courtiers, then fight over Events with plans that react to one another.

Three to five Princes play. In each turn one player draws and acts, then everybody fights over an Event with characters, cards, spells
and reactions. Sheets are plans: lines with conditions, carried out chance by chance. Hands, decks and plans are hidden until the end.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.contract.ruleset import (
    About,
    Cards,
    HostFiles,
    Pictures,
    Rules,
    Ruleset,
    StandIn,
    Tables,
    Types,
    Words,
    Writer,
    no_parts,
)
from adjudicator.render import render_table
from adjudicator.rulesets.heir_apparent import (
    census,
    chapters,
    desk,
    events,
    examples,
    faces,
    options,
    orders,
    picture,
    prose,
    reports,
    standings,
    words,
    worth,
)
from adjudicator.rulesets.heir_apparent.position import (
    Phase,
    Position,
    Settings,
    attach_settings,
    faults,
    furnish,
)
from adjudicator.rulesets.heir_apparent.resolve import due, resolve, setup, when
from adjudicator.rulesets.heir_apparent.secrecy import SECRECY
from adjudicator.rulesets.heir_apparent.titles import CardSet

RULESET: Ruleset[Position, orders.Standing, events.AnyEvent] = Ruleset(
    about=About(
        slug="heir_apparent",
        title="Heir Apparent",
        designer="E. Halsey Miles; the cards are our own",
        players="3 to 5",
        summary="Princes bid for courtiers, then fight over Events with plans that react to one another.",
        licence="The rulebook here is in our own words; the card set Avermark is our own.",
        prefix="HA",
        luck=True,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=events.Event,
        settings=Settings,
        verdict=events.Verdict,
        sheets=orders.SHEETS,
        sheet=orders.sheet_type,
    ),
    rules=Rules(
        seats=lambda settings: settings.seats,
        setup=setup,
        due=due,
        when=when,
        kind=lambda view: view.phase.value,
        kinds=tuple(phase.value for phase in Phase),
        check=options.check,
        options=options.options,
        resolve=resolve,
        faults=faults,
    ),
    words=Words(
        tell=prose.tell,
        ended=prose.ended,
        quiet=prose.QUIET,
        weight=events.FACTS.weight,
        plain=prose.PLAIN,
        joints=events.FACTS.joints,
        called=words.called,
        part=no_parts,
    ),
    pictures=Pictures(draw=picture.draw, paint=render_table),
    tables=Tables(tally=standings.tally, chart=standings.chart, reports=reports.reports, chapters=chapters.chapters),
    cards=Cards(shipped=faces.shipped, own=faces.own, of=faces.of, did=chapters.did),
    secrecy=SECRECY,
    desk=desk.DESK,
    stand_in=StandIn(
        mind=Writer(worth.write), party=lambda position, seat: position.players[seat].prince, census=census.CENSUS
    ),
    host_files=HostFiles(kinds={"cards": CardSet}, furnish=furnish, attach=attach_settings, sketch=lambda settings: {}),
    decisions=None,
    exchange=None,
    ahead=None,
    examples=examples.examples,
)
