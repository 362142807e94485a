"""The Grand Campaign: armies, cities and seasons on a map of hexes; battles are fought at the players' own tables, or judged by a resolver.

All orders of a season take effect together; armies march by a clock that counts the Movement each has spent. Then come the season's
battles: both sides report, and the results open the next season. Nobody wins, and nothing but sheets is hidden.
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
    Writer,
    by_its_own_name,
    the_seat,
)
from adjudicator.render import render_hexes
from adjudicator.rulesets.grand_campaign import (
    chapters,
    desk,
    events,
    examples,
    host,
    options,
    orders,
    picture,
    placing,
    prose,
    resolve,
    standings,
    worth,
)
from adjudicator.rulesets.grand_campaign.campaign import Campaign
from adjudicator.rulesets.grand_campaign.faults import faults
from adjudicator.rulesets.grand_campaign.position import (
    Phase,
    Position,
    Settings,
    attach_settings,
    furnish,
    when,
)

RULESET: Ruleset[Position, orders.AnySheet, events.AnyEvent] = Ruleset(
    about=About(
        slug="grand_campaign",
        title="The Grand Campaign",
        designer="the authors of the 9th Age Grand Campaign Rules",
        players="2 to 20",
        summary="Realms, armies and seasons on a map of hexes; battles are fought at your own table, or by a resolver.",
        licence="The rulebook here is in our own words; map, scenarios, artefacts and parties are our own.",
        prefix="GC",
        luck=True,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=events.Event,
        settings=Settings,
        verdict=Verdict,
        sheets=orders.SHEETS,
        sheet=orders.sheet_type,
    ),
    rules=Rules(
        seats=lambda settings: settings.plan.seats,
        setup=placing.setup,
        due=resolve.due,
        when=when,
        kind=lambda view: view.phase.value,
        kinds=tuple(phase.value for phase in Phase),
        check=options.check,
        options=options.options,
        resolve=resolve.resolve,
        faults=faults,
    ),
    words=Words(
        tell=prose.tell,
        ended=prose.ended,
        quiet=prose.QUIET,
        weight=events.FACTS.weight,
        plain=prose.PLAIN,
        joints=events.FACTS.joints,
        called=by_its_own_name,
        part=prose.part,
    ),
    pictures=Pictures(draw=picture.draw, paint=render_hexes),
    tables=Tables(tally=standings.tally, chart=standings.chart, reports=standings.reports, chapters=chapters.chapters),
    cards=None,
    secrecy=None,
    desk=desk.DESK,
    stand_in=StandIn(mind=Writer(worth.write), party=the_seat),
    host_files=HostFiles(
        kinds={"campaign": Campaign}, furnish=furnish, attach=attach_settings, sketch=lambda settings: {}
    ),
    decisions=Decisions(
        kind=host.Decision, hidden=False, waits=host.waits, faults=host.faults, apply=host.apply, tell=host.tell
    ),
    exchange=None,
    ahead=None,
    examples=examples.examples,
)
