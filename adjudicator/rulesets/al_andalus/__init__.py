"""Al-Andalus: five princes, three wazirs.

The war is standard Diplomacy on a board of Iberia around 1080. There are also three wazirs with neither land nor armies. A wazir
serves at a prince's court, may give one order to one of the prince's units, and is paid for the units that hold. Wazirs can
plunder their prince, and princes can arrest their wazir. A prince must leave a unit fallow; otherwise one of their units is made to hold.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.contract.ruleset import (
    About,
    Desk,
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
    no_chapters,
    no_parts,
    no_reports,
    the_seat,
)
from adjudicator.core.secrets.dice import Dice
from adjudicator.render import render
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import events, examples, options, orders, picture, prose, resolve, standings, worth
from adjudicator.rulesets.al_andalus.position import (
    Position,
    Settings,
    attach_settings,
    faults,
    furnish,
    seats,
    starting_position,
    when,
)


def setup(settings: Settings, dice: Dice) -> Position:
    """The starting position; nothing in it is random."""
    return starting_position(settings)


DESK: Desk[Position] = Desk(
    spelling=lambda view: diplomacy.spelling_in(view.war),
    lines=None,
    canonical=lambda view, line: diplomacy.canonical_line(diplomacy.field_of(view.war), line),
    pasted=lambda view, line: diplomacy.pasted_lines(diplomacy.field_of(view.war), line),
    cautions=options.desk_cautions,
    unasked=None,
    plans=None,
    stands=None,
    prices=None,
    meanings=None,
    walks=None,
    beside=None,
)

RULESET: Ruleset[Position, orders.AnySheet, events.AnyEvent] = Ruleset(
    about=About(
        slug="al_andalus",
        title="Al-Andalus",
        designer="members of the PlayDiplomacy forum (2013-14)",
        players="8",
        summary="Five princes wage war; three wazirs without land serve them for dinars, as long as it pays.",
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
        when=when,
        kind=lambda view: view.war.phase.value,
        kinds=tuple(phase.value for phase in diplomacy.Phase),
        check=options.check,
        options=options.options,
        resolve=resolve.resolve,
        faults=faults,
    ),
    words=Words(
        tell=prose.tell,
        ended=diplomacy.ended,
        quiet=diplomacy.QUIET,
        weight=prose.weight,
        plain=diplomacy.PLAIN,
        joints=prose.JOINTS,
        called=by_its_own_name,
        part=no_parts,
    ),
    pictures=Pictures(draw=picture.draw, paint=render),
    tables=Tables(tally=standings.tally, chart=standings.chart, reports=no_reports, chapters=no_chapters),
    cards=None,
    secrecy=None,
    desk=DESK,
    stand_in=StandIn(mind=Worth(worth.worth), party=the_seat),
    host_files=HostFiles(kinds={}, furnish=furnish, attach=attach_settings, sketch=lambda settings: {}),
    decisions=None,
    exchange=None,
    ahead=orders.AHEAD,
    examples=examples.examples,
)
