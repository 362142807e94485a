"""The working state of a turn, and functions that add verdicts to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default

from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import courts
from adjudicator.rulesets.al_andalus.events import (
    AnyEvent,
    Arrested,
    Paid,
    Plundered,
)
from adjudicator.rulesets.al_andalus.orders import (
    AnySheet,
    PrinceSheet,
    WazirSheet,
    due,
)
from adjudicator.rulesets.al_andalus.position import Position, living_wazirs

GENERAL = 3
"""The strength of an attack by a general's unit; any other unit attacks with 2 (AA-L-4)."""


@dataclass
class Written:
    """One order for a unit, with the seat that wrote it, its text and its meaning."""

    seat: SeatId
    order: diplomacy.Movement
    province: str
    line: str

    @property
    def holds(self) -> bool:
        """True if it is an order to hold."""
        return isinstance(self.order, diplomacy.Hold)


@dataclass
class Realm:
    """A season of one prince, or free general, while it is being judged: the orders of prince and wazir, and the units' final orders."""

    prince: SeatId
    units: tuple[str, ...]
    """Provinces of the prince's units, sorted by name."""
    wazir: SeatId | None
    """The wazir who may order one of the prince's units this season."""
    general: str | None = None
    """The province of the general's unit."""
    arrest: bool = False
    plunder: bool = False
    orders: dict[str, Written] = default(default_factory=dict)
    """Province -> the prince's legal order for the unit there."""
    advice: Written | None = None
    """The wazir's legal order."""
    final: dict[str, tuple[Written, ...]] = default(default_factory=dict)
    """Province -> the order that its unit carries out, once for each seat that gave it."""
    holds: set[str] = default(default_factory=set)
    """Provinces of units that hold by order; the wazir is paid for these (AA-F-2)."""


class Work(Draft[Position, diplomacy.UnitVerdict, AnyEvent]):
    """The turn while it is being judged."""

    def __init__(self, position: Position, sheets: Mapping[SeatId, AnySheet], dice: Dice) -> None:
        super().__init__(position, sheets, dice)
        alive = living_wazirs(position)
        self.princely = {seat: sheet for seat, sheet in sheets.items() if isinstance(sheet, PrinceSheet)}
        self.wazirs = {seat: one for seat, one in sheets.items() if isinstance(one, WazirSheet) and seat in alive}
        self.silent = frozenset(due(position)) - frozenset(sheets)
        self.field = diplomacy.field_of(position.war)
        self.gains: list[Arrested | Plundered | Paid] = []
        self.realms: list[Realm] = []
        self.hirings: courts.Hirings | None = None
        self.war: diplomacy.War | None = None

    def name(self, province: str) -> str:
        """The name of the unit in a province, as players write it."""
        return self.field.board.unit_name(self.field.names()[province])


def read_lines(work: Work, lines: tuple[str, ...]) -> list[tuple[str, diplomacy.AnyOrder | Fault]]:
    """Each line with its order, or with the fault in it."""
    return [(line, work.field.notation.read(line)) for line in lines]


def line_of(work: Work, order: diplomacy.AnyOrder) -> str:
    """The canonical line of an order, cut to `ORDER_LETTERS`."""
    return work.field.notation.write(order, work.field.names())[:ORDER_LETTERS]


def province_of_unit(work: Work, unit: str) -> str:
    """The province of a unit that a position names."""
    order = work.field.notation.read(f"{unit} H")
    assert isinstance(order, diplomacy.Hold), unit
    return order.unit.province
