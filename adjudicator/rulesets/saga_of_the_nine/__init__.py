"""Saga of the Nine: nine Majors, their heirs, and the Thralls and Vassals that marriages make.

The war is standard Diplomacy on a board of the North. The board also has 22 Minors with one unit each. It carries out the order
that got the most DP in bids. An heir who marries a Minor makes it a Thrall. Two heirs who marry make a Vassal that both their Majors
command. A Major with neither a living heir nor its Capital at the Autumn Census is eliminated.
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.contract.ruleset import (
    About,
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
    no_parts,
    one_sheet,
    the_seat,
)
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.boards import BoardFile
from adjudicator.render import render
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import (
    ahead,
    chapters,
    desk,
    events,
    examples,
    options,
    orders,
    picture,
    prose,
    resolve,
    standings,
    worth,
)
from adjudicator.rulesets.saga_of_the_nine.position import (
    Phase,
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


RULESET: Ruleset[Position, orders.Sheet, events.AnyEvent] = Ruleset(
    about=About(
        slug="saga_of_the_nine",
        title="Saga of the Nine",
        designer="W. Alex Ronke and Chris Helwig",
        players="9",
        summary="Nine powers of the North, and their heirs: marriages make Thralls and Vassals, bids command the rest.",
        licence="The rulebook here is in our own words; the board, and the rules that it marks as ours, are our own.",
        prefix="S9",
        luck=False,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=events.Event,
        settings=Settings,
        verdict=diplomacy.UnitVerdict,
        sheets={"sheet": orders.Sheet},
        sheet=one_sheet(orders.Sheet),
    ),
    rules=Rules(
        seats=seats,
        setup=setup,
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
        quiet=diplomacy.QUIET,
        weight=prose.weight,
        plain=diplomacy.PLAIN,
        joints=prose.JOINTS,
        called=by_its_own_name,
        part=no_parts,
    ),
    pictures=Pictures(draw=picture.draw, paint=render),
    tables=Tables(tally=standings.tally, chart=standings.chart, reports=standings.reports, chapters=chapters.chapters),
    cards=None,
    secrecy=None,
    desk=desk.DESK,
    stand_in=StandIn(mind=Writer(worth.write), party=the_seat),
    host_files=HostFiles(kinds={"board": BoardFile}, furnish=furnish, attach=attach_settings, sketch=diplomacy.sketch),
    decisions=None,
    exchange=None,
    ahead=ahead.AHEAD,
    examples=examples.examples,
)
