"""Standard Diplomacy: seven powers, 34 supply centres, no dice. The base of other rulesets.

All orders are written in secret and take effect at the same time. The rules are those of 2023, as the Diplomacy Adjudicator Test Cases
(DATC) 3.2 read them; choices that they leave open are settings. A turn is one phase: movement, retreats or adjustments. Boards are data: a
variant that differs only in board, powers and starting units is a `board.yaml` (see `fleet_rome`).
"""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import (
    About,
    Desk,
    Exchange,
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
    no_parts,
    no_reports,
    the_seat,
)
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.adjustments import BY_LOT
from adjudicator.mechanics.boards import BoardFile
from adjudicator.mechanics.movement import Hold
from adjudicator.mechanics.notation import AnyOrder
from adjudicator.mechanics.provinces import BuildSites
from adjudicator.render import render
from adjudicator.rulesets.diplomacy import chapters, events, examples, exchange, resolve, standings, worth
from adjudicator.rulesets.diplomacy.ahead import (
    AHEAD,
    TERMS,
    WINTER,
    RetreatsAhead,
    WinterAhead,
    argument_for,
    fault_ahead,
    fits_ahead,
    lists_of,
    values_on,
)
from adjudicator.rulesets.diplomacy.chapters import province_tables, size_of
from adjudicator.rulesets.diplomacy.events import (
    JOINTS,
    AnyEvent,
    Conceded,
    Destroyed,
    Disbanded,
    Dissolved,
    Eliminated,
    Missing,
    Removed,
    Retreated,
    Standoff,
    Taken,
    UnitVerdict,
    Won,
    weight,
)
from adjudicator.rulesets.diplomacy.options import (
    cautions_of_moves,
    cautions_of_winter,
    check,
    desk_cautions,
    legal_lines,
    options,
    remarks_on_adjustments,
    remarks_on_idle_units,
    remarks_on_orders,
    unasked,
)
from adjudicator.rulesets.diplomacy.orders import (
    Read,
    Sheet,
    TurnSheet,
    canonical_line,
    pasted_lines,
    read_orders,
    sheet_for,
)
from adjudicator.rulesets.diplomacy.picture import UNLED, draw, sketch
from adjudicator.rulesets.diplomacy.position import Dislodged as DislodgedUnit
from adjudicator.rulesets.diplomacy.position import (
    Draws,
    Field,
    OwnBoard,
    Phase,
    Position,
    Season,
    Settings,
    attach_board,
    attach_settings,
    begun_board,
    board_named,
    centre_texts,
    faults,
    field_of,
    furnish,
    furnish_board,
    is_shipped,
    spelling_in,
    starting_position,
    unit_texts,
)
from adjudicator.rulesets.diplomacy.prose import PLAIN, QUIET, ended, tell
from adjudicator.rulesets.diplomacy.resolve import victor
from adjudicator.rulesets.diplomacy.rules import RULE_OF
from adjudicator.rulesets.diplomacy.standings import chart, tally
from adjudicator.rulesets.diplomacy.war import (
    Became,
    Command,
    Judged,
    Movement,
    War,
    adjusts,
    begin,
    carry_out,
    due,
    is_for_moves,
    judge,
    judge_adjustments,
    judge_retreats,
    name_the_eliminated,
    not_now_verdict,
    province_of,
    reason_against,
    survivors,
    take_centres,
    turn_the_page,
    unreadable_verdict,
    verdicts_on,
    when,
)
from adjudicator.rulesets.diplomacy.worth import Plan, wants_draw

__all__ = [
    "AHEAD", "JOINTS", "PLAIN", "QUIET", "RULESET", "RULE_OF", "TERMS", "UNLED", "WINTER", "AnyEvent", "AnyOrder", "Became", "BuildSites", "Command", "Conceded",
    "Destroyed", "Disbanded", "DislodgedUnit", "Dissolved", "Draws", "Eliminated", "Field", "Hold", "Judged",
    "Missing", "Movement", "OwnBoard", "Phase", "Plan", "Position", "Read", "Removed", "Retreated", "RetreatsAhead", "Season", "Settings",
    "Sheet", "Standoff", "Taken", "UnitVerdict", "War", "WinterAhead", "Won", "adjusts", "argument_for", "attach_board", "begin", "begun_board", "board_named", "canonical_line", "carry_out",
    "cautions_of_moves", "cautions_of_winter", "centre_texts", "chart", "check", "draw", "due", "ended", "fault_ahead", "faults", "field_of", "fits_ahead", "furnish_board", "is_for_moves", "is_shipped", "judge", "judge_adjustments",
    "judge_retreats", "legal_lines", "lists_of", "name_the_eliminated", "not_now_verdict", "options", "pasted_lines",
    "province_of", "province_tables", "read_orders", "reason_against", "remarks_on_adjustments", "remarks_on_idle_units", "remarks_on_orders", "size_of", "sketch", "spelling_in",
    "starting_position", "survivors", "take_centres", "tally", "tell", "turn_the_page", "unit_texts",
    "unreadable_verdict", "values_on", "verdicts_on", "victor", "wants_draw", "weight", "when",
]  # fmt: skip
"""Names that games with a war like this one may use; everything else in this folder is internal."""


def seats(settings: Settings) -> tuple[SeatId, ...]:
    """The powers of the board."""
    return tuple(settings.ground.powers)


def setup(settings: Settings, dice: Dice) -> Position:
    """The starting position; nothing in it is random."""
    return starting_position(settings)


SPEECH: Words[Position, AnyEvent] = Words(
    tell=tell,
    ended=ended,
    quiet=QUIET,
    weight=weight,
    plain=PLAIN,
    joints=JOINTS,
    called=by_its_own_name,
    part=no_parts,
)
"""The words that pages use to describe the game's turns."""
RULESET: Ruleset[Position, Sheet, AnyEvent] = Ruleset(
    about=About(
        slug="diplomacy",
        title="Diplomacy",
        designer="Allan B. Calhamer",
        players="7",
        summary="Seven powers negotiate in the open and order in secret. Eighteen supply centres win.",
        licence="The rulebook here is in our own words; the name belongs to its owners.",
        prefix="DP",
        luck=lambda settings: settings.disband_distance in BY_LOT,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=events.Event,
        settings=Settings,
        verdict=UnitVerdict,
        sheets={"sheet": TurnSheet, "sheet-with-kept-votes": Sheet},
        sheet=sheet_for,
    ),
    rules=Rules(
        seats=seats,
        setup=setup,
        due=due,
        when=when,
        kind=lambda view: view.phase.value,
        kinds=tuple(phase.value for phase in Phase),
        check=check,
        options=options,
        resolve=resolve.resolve,
        faults=faults,
    ),
    words=SPEECH,
    pictures=Pictures(draw=draw, paint=render),
    tables=Tables(tally=standings.tally, chart=standings.chart, reports=no_reports, chapters=chapters.chapters),
    cards=None,
    secrecy=None,
    desk=Desk(
        spelling=spelling_in,
        lines=None,
        canonical=lambda view, line: canonical_line(field_of(view), line),
        pasted=lambda view, line: pasted_lines(field_of(view), line),
        cautions=desk_cautions,
        unasked=unasked,
        plans=None,
        stands=None,
        prices=None,
        meanings=None,
        walks=None,
        beside=None,
    ),
    stand_in=StandIn(mind=Worth(worth.worth), party=the_seat),
    host_files=HostFiles(kinds={"board": BoardFile}, furnish=furnish, attach=attach_settings, sketch=sketch),
    decisions=None,
    exchange=Exchange(split=exchange.split_games, read=exchange.read_game, write=exchange.WRITERS),
    ahead=AHEAD,
    examples=examples.examples,
)
