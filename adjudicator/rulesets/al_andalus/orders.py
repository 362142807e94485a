"""The sheets of princes and wazirs, and the seats that owe one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.ahead import Ahead, AheadWords, through
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import StandingWords
from adjudicator.core.text.codec import Flag, field_text, record
from adjudicator.mechanics.adjustments import DisbandDistance, civil_disorder
from adjudicator.mechanics.provinces import Board, Unit
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, living_wazirs, reigning_princes, wazir_of

FREE = "free"
"""The word that a general writes to leave their prince and be their own master (AA-L-7)."""


class Fate(StrEnum):
    """A conqueror's decision about the wazir of a court that fell (AA-J-1, AA-J-2)."""

    TAKE = "take"
    EXECUTE = "execute"
    FREE = "free"


@record
class PrinceSheet(AheadWords):
    """A prince's sheet for one turn."""

    orders: Annotated[tuple[str, ...], Choice(max_length=100)] = ()
    hire: Annotated[
        str | None, field_text("The wazir must go to my court in the same season (AA-E-1).", title="Hire")
    ] = None
    arrest: Annotated[
        Flag,
        field_text(
            "The wazir loses half their dinars and their place at court (AA-H).",
            title="Arrest my wazir: all my units hold",
        ),
    ] = False
    appoint: Annotated[
        str | None,
        field_text(
            "From the next season on, only the wazir can order that unit (AA-L-1, AA-L-2).",
            title="Make my wazir the general of",
        ),
    ] = None
    fate: Annotated[
        Mapping[str, Fate],
        field_text("A wazir who is not named goes free (AA-J-4).", title="The fate of the wazirs I conquered"),
    ] = field(default_factory=dict)
    draw: Annotated[
        Flag | None,
        field_text("A vote counts until I take it back with `draw: false` (AA-K-2).", title="I vote for a draw"),
    ] = None
    retreats: diplomacy.RetreatsAhead = ()
    winter: diplomacy.WinterAhead = ()


@record
class WazirSheet(StandingWords):
    """A wazir's sheet for one turn."""

    court: Annotated[
        str | None,
        field_text(
            "The prince must hire me in the same season (AA-E-1). A general with land may go `free` (AA-L-7).",
            title="Go to the court of",
        ),
    ] = None
    order: Annotated[
        str | None,
        field_text(
            "For one of my prince's units (AA-C-1). A general orders their own unit, in every season (AA-L-2).",
            title="My order",
        ),
    ] = None
    plunder: Annotated[
        Flag, field_text("I gain a dinar for each of them (AA-G-1).", title="Plunder: all units of my prince hold")
    ] = False
    refuse: Annotated[
        Flag, field_text("It counts in the season of the appointment (AA-L-14).", title="Refuse to be made a general")
    ] = False
    resign: Annotated[Flag, field_text("My unit and land go to my prince (AA-L-12).", title="Give up my command")] = (
        False
    )
    throne: Annotated[
        Flag,
        field_text(
            "Only if my prince has missed two turns; my dinars are lost (AA-I-5, AA-I-6).",
            title="Take the place of my prince",
        ),
    ] = False


AnySheet = PrinceSheet | WazirSheet


def sheet_of(view: Position, seat: SeatId) -> type[PrinceSheet | WazirSheet]:
    """The type of a seat's sheet, the same in every turn."""
    return WazirSheet if seat in WAZIRS else PrinceSheet


def is_movement(position: Position) -> bool:
    """True in a turn of moves, the only kind with hirings, arrests and plunder."""
    return position.war.phase is diplomacy.Phase.MOVEMENT


def due(position: Position) -> frozenset[SeatId]:
    """The seats that owe a sheet: all in spring and fall (AA-I-7), otherwise those with something to decide."""
    if is_movement(position):
        return frozenset((*reigning_princes(position), *living_wazirs(position)))
    seats = set(diplomacy.due(position.war))
    if position.war.phase is diplomacy.Phase.ADJUSTMENTS:
        # A free general may have more or fewer centres than units, but orders no builds or removals (AA-L-11).
        seats -= set(WAZIRS)
    if position.war.phase is diplomacy.Phase.RETREATS:
        for wazir, command in position.generals.items():
            prince = position.courts.get(wazir)
            if any((lost.power, lost.unit) == (prince or wazir, command.unit) for lost in position.war.dislodged):
                seats.add(wazir)
                if prince and not any(
                    lost.power == prince and lost.unit != command.unit for lost in position.war.dislodged
                ):
                    seats.discard(prince)
    return frozenset(seats | {conquest.conqueror for conquest in position.conquests})


def units_of(field_: diplomacy.Field, owner: SeatId) -> tuple[Unit, ...]:
    """The units of `owner`, sorted by the names of their provinces."""
    units = (unit for whose, unit in field_.units.values() if whose == owner)
    return tuple(sorted(units, key=lambda unit: field_.board.provinces[unit.province].name))


def unit_to_hold(board: Board, prince: SeatId, units: Sequence[Unit]) -> tuple[Unit, int]:
    """The unit that is held for a prince who uses all units, and its steps from home (AA-D-2, AA-D-3)."""
    [(unit, distance)] = civil_disorder(board, prince, set(board.homes(prince)), units, 1, DisbandDistance.HOME)
    return unit, distance


def may_go_free(position: Position, wazir: SeatId, sheet: WazirSheet) -> bool:
    """True if a wazir may go free: a general with land, at a court, who does not give up the command (AA-E-5, AA-L-8)."""
    command = position.generals.get(wazir)
    return wazir in position.courts and command is not None and bool(command.land) and not sheet.resign


def is_for(field_: diplomacy.Field, order: diplomacy.AnyOrder, unit: str) -> bool:
    """True if `order` is for the unit that positions call `unit`."""
    here = field_.names().get(diplomacy.province_of(order))
    return here is not None and field_.board.unit_name(here) == unit


def vacant_throne(position: Position, wazir: SeatId) -> SeatId | None:
    """The silent prince whose place a wazir may take: their own prince, or the one whose silence arrested them (AA-I-5); or None."""
    heirs = position.heirs
    prince = position.courts.get(wazir) or next((silent for silent, heir in heirs.items() if heir == wazir), None)
    if prince is None or prince not in reigning_princes(position) or wazir_of(position, prince) not in {None, wazir}:
        return None  # the prince's current wazir comes before one whom they arrested
    return prince if position.missed.get(prince, 0) >= 2 else None


AHEAD: Ahead[Position] = through(diplomacy.AHEAD, lambda position: position.war)
"""Orders ahead of princes: as in standard Diplomacy (AA-I-10, DP-N-2)."""
