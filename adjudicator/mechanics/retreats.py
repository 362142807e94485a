"""Retreats: the places open to dislodged units, and the outcomes of their orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum

from adjudicator.mechanics.movement.orders import Move, Named, Result
from adjudicator.mechanics.movement.orders import Reason as MoveReason
from adjudicator.mechanics.movement.solver import DEFAULT_RULES, DoubleOrders, MovementRules, step
from adjudicator.mechanics.notation import AnyOrder, Disband
from adjudicator.mechanics.provinces import Board, Unit


class RetreatReason(StrEnum):
    """Reason for the result of a retreat."""

    NO_UNIT = "no-dislodged-unit"
    NOT_YOURS = "not-yours"
    WRONG_KIND = "wrong-kind"
    ON_OTHER_COAST = "on-other-coast"
    ORDERED_TWICE = "ordered-twice"
    REPLACED = "replaced"
    NOT_A_RETREAT = "not-a-retreat"
    UNREACHABLE = "unreachable"
    COAST_NEEDED = "retreat-coast-needed"
    OCCUPIED = "retreat-occupied"
    ATTACKER_CAME_FROM_THERE = "attacker-came-from-there"
    CONTESTED = "contested"
    COLLIDED = "collided"
    RETREATED = "retreated"
    DISBANDED = "disbanded"
    NO_ORDER = "no-order"


@dataclass(frozen=True, slots=True)
class RetreatOutcome:
    """Result of one retreat order; `by` are the provinces of the units that caused it."""

    result: Result
    reason: RetreatReason
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retreats:
    """The result of a retreat phase."""

    outcomes: list[RetreatOutcome]
    unordered: tuple[str, ...]
    """Provinces whose dislodged unit has no usable order, and so disbands."""
    retreated: dict[str, Unit]
    """Old province of each unit that retreated -> the unit in its new place."""


def open_retreats(
    board: Board,
    unit: Unit,
    attacker_from: str,
    occupied: AbstractSet[str],
    contested: AbstractSet[str],
) -> tuple[str, ...]:
    """Places that a dislodged unit may retreat to, sorted: adjacent, empty, without a standoff, and not its attacker's origin.

    `attacker_from` is `""` for an attack by convoy, which closes nothing (DATC 4.A.5, 6.H.11).
    """
    if unit.kind == "A":
        places = tuple(board.army_to[unit.province])
    else:
        places = tuple(place for tos in board.fleet_to[unit.place].values() for place in tos)
    return tuple(
        sorted(
            place
            for place in places
            if (province := place.partition("/")[0]) not in occupied
            and province not in contested
            and province != attacker_from
        )
    )


def retreat(
    board: Board,
    dislodged: Mapping[str, tuple[str, Unit, str]],
    occupied: AbstractSet[str],
    contested: AbstractSet[str],
    orders: Sequence[tuple[str, AnyOrder]],
    rules: MovementRules = DEFAULT_RULES,
) -> Retreats:
    """Judge one retreat phase.

    `dislodged` maps the province of each dislodged unit to its power, the unit and the province that its attacker came from.
    Units that retreat to the same province, or get no legal order, leave the board.
    """
    outcomes: list[RetreatOutcome | None] = [None] * len(orders)
    order_of: dict[str, int] = {}
    wanted: dict[str, str] = {}

    def take(index: int, order: AnyOrder, here: tuple[str, Unit, str]) -> RetreatOutcome | None:
        """Let an order count for its unit; None if it retreats, unless others go to the same place."""
        order_of[here[1].province] = index
        if isinstance(order, Disband):
            return RetreatOutcome(Result.SUCCEEDS, RetreatReason.DISBANDED)
        if not isinstance(order, Move):
            return RetreatOutcome(Result.ILLEGAL, RetreatReason.NOT_A_RETREAT)
        where = _goal(board, here[1], order, here[2], occupied, contested, rules)
        if isinstance(where, RetreatOutcome):
            return where
        wanted[here[1].province] = where
        return None

    for index, (power, order) in enumerate(orders):
        named = getattr(order, "unit", Named("", ""))
        here = dislodged.get(named.province)
        fault: RetreatOutcome | None = None
        other = _not_for_it(power, named, here, rules)
        if here is None or other is not None:
            fault = RetreatOutcome(Result.ILLEGAL, other or RetreatReason.NO_UNIT)
        elif named.province in order_of:
            first = order_of[named.province]
            fault = RetreatOutcome(Result.ILLEGAL, RetreatReason.ORDERED_TWICE)
            # The same order twice counts once, with or without `A` and `F` (DP-O-5).
            if not _same(here[1].kind, orders[first][1], order):
                wanted.pop(named.province, None)
                if rules.double_orders is DoubleOrders.LAST:
                    outcomes[first] = RetreatOutcome(Result.ILLEGAL, RetreatReason.REPLACED)
                    fault = take(index, order, here)
                else:
                    outcomes[first] = fault
        else:
            fault = take(index, order, here)
        outcomes[index] = fault
    rivals: dict[str, list[str]] = {}
    for province in sorted(wanted):
        rivals.setdefault(wanted[province].partition("/")[0], []).append(province)
    retreated: dict[str, Unit] = {}
    for province, place in sorted(wanted.items()):
        others = tuple(p for p in rivals[place.partition("/")[0]] if p != province)
        if others:
            outcomes[order_of[province]] = RetreatOutcome(Result.FAILS, RetreatReason.COLLIDED, others)
        else:
            outcomes[order_of[province]] = RetreatOutcome(Result.SUCCEEDS, RetreatReason.RETREATED)
            retreated[province] = board.unit(f"{dislodged[province][1].kind} {place}")
    unordered = tuple(sorted(set(dislodged) - set(order_of)))
    return Retreats([outcome for outcome in outcomes if outcome is not None], unordered, retreated)


def _not_for_it(
    power: str, named: Named, here: tuple[str, Unit, str] | None, rules: MovementRules
) -> RetreatReason | None:
    """The reason why an order is not for the dislodged unit of its province; None if it is (DP-O-4, DP-O-6, DP-O-9)."""
    if here is None:
        return RetreatReason.NO_UNIT
    if here[0] != power:
        return RetreatReason.NOT_YOURS
    if rules.names_another_kind(named, here[1]):
        return RetreatReason.WRONG_KIND
    if rules.names_another_coast(named, here[1]):
        return RetreatReason.ON_OTHER_COAST
    return None


def _same(kind: str, order: AnyOrder, other: AnyOrder) -> bool:
    """True if two orders for one unit mean the same thing; a coast in an army's order has no meaning (DP-O-8)."""
    if isinstance(order, Move) and isinstance(other, Move):
        return order.to == other.to and (kind == "A" or order.coast == other.coast)
    return isinstance(order, Disband) and isinstance(other, Disband)


def _goal(
    board: Board,
    unit: Unit,
    order: Move,
    attacker_from: str,
    occupied: AbstractSet[str],
    contested: AbstractSet[str],
    rules: MovementRules,
) -> str | RetreatOutcome:
    where = step(board, unit, order.to, order.coast, rules)
    if isinstance(where, MoveReason):
        needs_coast = where in (MoveReason.COAST_NEEDED, MoveReason.WRONG_COAST)
        reason = RetreatReason.COAST_NEEDED if needs_coast else RetreatReason.UNREACHABLE
        return RetreatOutcome(Result.ILLEGAL, reason)
    if order.to in occupied:
        return RetreatOutcome(Result.ILLEGAL, RetreatReason.OCCUPIED, (order.to,))
    if order.to == attacker_from:
        return RetreatOutcome(Result.ILLEGAL, RetreatReason.ATTACKER_CAME_FROM_THERE)
    if order.to in contested:
        return RetreatOutcome(Result.ILLEGAL, RetreatReason.CONTESTED)
    return where
