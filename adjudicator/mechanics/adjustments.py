"""Adjustments: builds, removals, and removals decided for a power that did not order them (civil disorder)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from adjudicator.mechanics.movement.orders import Result
from adjudicator.mechanics.movement.solver import DEFAULT_RULES, MovementRules
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Waive
from adjudicator.mechanics.provinces import Board, BuildSites, Unit


class DisbandDistance(StrEnum):
    """The rule for removals in civil disorder: the units farthest from certain centres go (DATC 4.D.8), or those that the dice pick."""

    OWNED = "owned"
    """The supply centres that the power owns (the 2023 rules)."""
    HOME = "home"
    """Its home centres, owned or not (the rules before 2023)."""
    MOVES = "moves"
    """The supply centres that it owns, in moves of the unit itself: armies over land, fleets over seas and coasts."""
    CENTRES = "centres"
    """The supply centres that it owns; units outside supply centres go before all others."""
    RANDOM = "random"
    """No distance counts: the dice pick the units."""
    RANDOM_CENTRES = "random-centres"
    """The dice pick the units, first among those outside supply centres."""


class SurplusOrders(StrEnum):
    """How to treat a sheet that orders more builds or removals than are allowed (DATC 4.D.4, 4.D.6)."""

    FIRST = "first"
    """Orders are carried out in the sheet's sequence until the allowed number is reached."""
    NONE = "none"
    """None of them is carried out."""


Lot = Callable[[str, int], int]
"""Rolls a die: its name and number of sides -> a number from 1 on."""
Sites = BuildSites | frozenset[str]
"""Where a power may build among the centres that it owns: a rule for all powers, or a set of centres."""


class AdjustReason(StrEnum):
    """Reason for the result of a build or removal."""

    BUILT = "built"
    REMOVED = "removed"
    WAIVED = "waived"
    NOT_AN_ADJUSTMENT = "not-an-adjustment"
    NOTHING_TO_BUILD = "nothing-to-build"
    TOO_MANY_BUILDS = "too-many-builds"
    NOTHING_TO_REMOVE = "nothing-to-remove"
    TOO_MANY_REMOVALS = "too-many-removals"
    NO_UNIT = "no-unit"
    NOT_YOURS = "not-yours"
    WRONG_KIND = "wrong-kind"
    ON_OTHER_COAST = "on-other-coast"
    ALREADY_REMOVED = "already-removed"
    NOT_A_HOME_CENTRE = "not-a-home-centre"
    NOBODYS_HOME = "nobodys-home"
    NOT_OWNED = "not-owned"
    OCCUPIED = "site-occupied"
    ALREADY_BUILT = "already-built"
    FLEET_INLAND = "fleet-inland"
    COAST_NEEDED = "build-coast-needed"
    NO_HOME_LEFT = "no-home-left"


@dataclass(frozen=True, slots=True)
class AdjustOutcome:
    """Result of one build or removal."""

    result: Result
    reason: AdjustReason


@dataclass(frozen=True, slots=True)
class Adjustments:
    """The result of one power's adjustments."""

    outcomes: list[AdjustOutcome]
    built: tuple[Unit, ...]
    removed: tuple[Unit, ...]
    automatic: tuple[tuple[Unit, int | None], ...]
    """Units removed by civil disorder, each with its distance to the nearest centre; None if the dice picked it."""
    owed: int
    """Number of removals that were not ordered. Before any dice roll, nobody knows which units `automatic` would have for them."""
    unused: int
    """Number of builds that were neither made nor waived."""


def build_sites(
    board: Board,
    power: str,
    owned: AbstractSet[str],
    occupied: AbstractSet[str],
    sites: Sites = BuildSites.HOME,
) -> tuple[str, ...]:
    """The centres where a power can build now, sorted: it owns them, they are empty, and `sites` allows them."""
    return tuple(
        code
        for code in board.centres
        if code in owned and code not in occupied and _is_site(board, power, code, sites, owned)
    )


def _is_site(board: Board, power: str, code: str, sites: Sites, owned: AbstractSet[str]) -> bool:
    """True if `sites` lets a power with the centres `owned` build in this centre, assuming that it owns it."""
    if not isinstance(sites, BuildSites):
        return code in sites
    home = board.provinces[code].home
    match sites:
        case BuildSites.HOME:
            return home == power
        case BuildSites.HOMES:
            return home is not None
        case BuildSites.OWNED:
            return True
        case BuildSites.HOME_KEPT:
            return any(board.provinces[kept].home == power for kept in owned)
        case _:
            assert_never(sites)


def adjust(
    board: Board,
    power: str,
    owned: AbstractSet[str],
    units: Mapping[str, tuple[str, Unit]],
    orders: Sequence[AnyOrder],
    *,
    distance: DisbandDistance = DisbandDistance.OWNED,
    sites: Sites = BuildSites.HOME,
    surplus_orders: SurplusOrders = SurplusOrders.FIRST,
    rules: MovementRules = DEFAULT_RULES,
    lot: Lot | None = None,
) -> Adjustments:
    """Judge one power's builds and removals in winter.

    Orders are carried out in the sheet's sequence until the allowed number is reached. If the sheet orders too many,
    `surplus_orders` decides whether the first ones count or none of them (DATC 4.D.4, 4.D.6). `units` maps every occupied
    province to its power and unit. `lot` rolls the dice for removals by `DisbandDistance.RANDOM`; without it none of these is made.
    """
    own = {province: unit for province, (whose, unit) in units.items() if whose == power}
    surplus = len(owned) - len(own)
    free = set(build_sites(board, power, owned, set(units), sites))
    builds = min(surplus, len(free)) if surplus > 0 else 0
    removals = max(-surplus, 0)
    built: list[Unit] = []
    removed: list[Unit] = []
    waived = 0
    outcomes: list[AdjustOutcome] = []

    def carry_out(order: AnyOrder) -> AdjustOutcome:
        nonlocal waived
        illegal = Result.ILLEGAL
        if isinstance(order, Waive):
            if len(built) + waived >= builds:
                return AdjustOutcome(illegal, AdjustReason.NOTHING_TO_BUILD)
            waived += 1
            return AdjustOutcome(Result.SUCCEEDS, AdjustReason.WAIVED)
        if isinstance(order, Build):
            fault = _build_fault(board, power, owned, units, built, order, sites)
            if surplus <= 0:
                return AdjustOutcome(illegal, AdjustReason.NOTHING_TO_BUILD)
            if fault is AdjustReason.COAST_NEEDED:
                return AdjustOutcome(Result.FAILS, fault)
            if fault is not None:
                return AdjustOutcome(illegal, fault)
            if len(built) + waived >= builds:
                return AdjustOutcome(illegal, AdjustReason.TOO_MANY_BUILDS)
            built.append(_new_unit(board, order))
            return AdjustOutcome(Result.SUCCEEDS, AdjustReason.BUILT)
        if not isinstance(order, Disband):
            return AdjustOutcome(illegal, AdjustReason.NOT_AN_ADJUSTMENT)
        here = units.get(order.unit.province)
        if removals == 0:
            return AdjustOutcome(illegal, AdjustReason.NOTHING_TO_REMOVE)
        if here is None:
            return AdjustOutcome(illegal, AdjustReason.NO_UNIT)
        if here[0] != power:
            return AdjustOutcome(illegal, AdjustReason.NOT_YOURS)
        if rules.names_another_kind(order.unit, here[1]):
            return AdjustOutcome(illegal, AdjustReason.WRONG_KIND)
        if rules.names_another_coast(order.unit, here[1]):
            return AdjustOutcome(illegal, AdjustReason.ON_OTHER_COAST)
        if here[1] in removed:
            return AdjustOutcome(illegal, AdjustReason.ALREADY_REMOVED)
        if len(removed) >= removals:
            return AdjustOutcome(illegal, AdjustReason.TOO_MANY_REMOVALS)
        removed.append(here[1])
        return AdjustOutcome(Result.SUCCEEDS, AdjustReason.REMOVED)

    outcomes.extend(carry_out(order) for order in orders)
    too_many = {AdjustReason.TOO_MANY_BUILDS, AdjustReason.TOO_MANY_REMOVALS} & {o.reason for o in outcomes}
    if too_many and surplus_orders is SurplusOrders.NONE:
        (reason,) = too_many
        done = (AdjustReason.BUILT, AdjustReason.REMOVED)
        outcomes = [AdjustOutcome(Result.ILLEGAL, reason) if o.reason in done else o for o in outcomes]
        built.clear()
        removed.clear()
    left = [unit for unit in own.values() if unit not in removed]
    owed = removals - len(removed)
    automatic: tuple[tuple[Unit, int | None], ...]
    if distance in BY_LOT:
        spare = distance is DisbandDistance.RANDOM_CENTRES
        drawn = by_lot(board, power, left, owed, lot, spare_centres=spare) if lot is not None else ()
        automatic = tuple((unit, None) for unit in drawn)
    else:
        automatic = civil_disorder(board, power, owned, left, owed, distance)
    return Adjustments(outcomes, tuple(built), tuple(removed), automatic, owed, builds - len(built) - waived)


BY_LOT = frozenset({DisbandDistance.RANDOM, DisbandDistance.RANDOM_CENTRES})
"""The rules that roll dice."""


def by_lot(
    board: Board, power: str, units: Iterable[Unit], count: int, lot: Lot, *, spare_centres: bool = False
) -> tuple[Unit, ...]:
    """The `count` units that the dice pick to remove for a power, one after another.

    Each roll, `removal:POWER:NUMBER`, picks from those that are left, by the names of their provinces in alphabetical order. With
    `spare_centres`, units in a supply centre are picked only when no others are left.
    """
    left = sorted(units, key=lambda unit: board.provinces[unit.province].name)
    drawn = []
    for number in range(1, count + 1):
        outside = [unit for unit in left if spare_centres and not board.provinces[unit.province].centre]
        among = outside or left
        drawn.append(among[lot(f"removal:{power}:{number}", len(among)) - 1])
        left.remove(drawn[-1])
    return tuple(drawn)


def civil_disorder(
    board: Board,
    power: str,
    owned: AbstractSet[str],
    units: Sequence[Unit],
    count: int,
    distance: DisbandDistance = DisbandDistance.OWNED,
) -> tuple[tuple[Unit, int], ...]:
    """The `count` units to remove for a power that ordered too few removals, each with its distance (DATC 4.D.8).

    The farthest units go first; at equal distance fleets go before armies, then the provinces' names decide. Distance is
    counted in moves, over land and sea alike unless `distance` says otherwise. A unit that cannot reach any centre counts as farthest.
    """
    if count <= 0:
        return ()
    targets = board.homes(power) if distance is DisbandDistance.HOME else owned
    steps = board.distances(targets)
    nowhere = len(board.provinces)
    own_ways = distance is DisbandDistance.MOVES
    away = {
        unit: _moves_to(board, unit, targets, nowhere) if own_ways else steps.get(unit.province, nowhere)
        for unit in units
    }
    ranked = sorted(
        units,
        key=lambda unit: (
            distance is DisbandDistance.CENTRES and board.provinces[unit.province].centre,
            -away[unit],
            unit.kind == "A",
            board.provinces[unit.province].name,
        ),
    )
    return tuple((unit, away[unit]) for unit in ranked[:count])


def _moves_to(board: Board, unit: Unit, targets: Iterable[str], nowhere: int) -> int:
    """Moves that a unit needs to the nearest target on an empty board by itself; `nowhere` if it never gets there."""
    goals, seen, row, steps = frozenset(targets), {unit.place}, [unit.place], 0
    while row:
        if any(place.partition("/")[0] in goals for place in row):
            return steps
        near = (
            board.army_to.get(here, ())
            if unit.kind == "A"
            else itertools.chain.from_iterable(board.fleet_to[here].values())
            for here in row
        )
        row = sorted({place for places in near for place in places} - seen)
        seen.update(row)
        steps += 1
    return nowhere


def _build_fault(
    board: Board,
    power: str,
    owned: AbstractSet[str],
    units: Mapping[str, tuple[str, Unit]],
    built: Sequence[Unit],
    order: Build,
    sites: Sites,
) -> AdjustReason | None:
    province = board.provinces[order.unit.province]
    code = province.id
    if not _is_site(board, power, code, sites, owned):
        if sites is BuildSites.HOMES:
            return AdjustReason.NOBODYS_HOME
        return AdjustReason.NO_HOME_LEFT if sites is BuildSites.HOME_KEPT else AdjustReason.NOT_A_HOME_CENTRE
    if code not in owned:
        return AdjustReason.NOT_OWNED
    if code in units:
        return AdjustReason.OCCUPIED
    if any(unit.province == code for unit in built):
        return AdjustReason.ALREADY_BUILT
    if order.unit.kind == "F" and province.kind == "inland":
        return AdjustReason.FLEET_INLAND
    if order.unit.kind == "F" and province.coasts and order.unit.coast not in province.coasts:
        return AdjustReason.COAST_NEEDED
    return None


def _new_unit(board: Board, order: Build) -> Unit:
    code = order.unit.province
    place = f"{code}/{order.unit.coast}" if order.unit.kind == "F" and board.provinces[code].coasts else code
    return board.unit(f"{order.unit.kind} {place}")
