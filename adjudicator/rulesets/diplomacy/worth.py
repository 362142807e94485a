"""What a stand-in wants in a war: supply centres, its own safe and others' within reach, and support where it is needed.

The plan is that of DumbBot (David Norman): every place is worth what can be taken or must be held there, and a little of
what its neighbours are worth; a unit goes to the best place it can reach, and where another of its side goes there
already, it supports. Whole numbers throughout, so that the same position gives the same orders everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from dataclasses import field as default
from typing import assert_never

from adjudicator.core.resolution import SeatId
from adjudicator.core.ruleset import Chance
from adjudicator.mechanics.movement import Convoy, Hold, Move, SupportHold, SupportMove
from adjudicator.mechanics.notation import Build, Disband, Fault, Waive
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import Phase, Position, Season, field_of

SPRING = (100, 1000, 30, 10, 6, 5, 4, 3)
"""How much a place counts at each distance in spring: what can be taken in fall counts most."""
FALL = (1000, 100, 30, 10, 6, 5, 4, 3)
PATIENCE, WEARY = 12, 30
"""Years after which a power that is not ahead may vote for a draw, and after which every power does."""


@functools.cache
def _near(board: Board) -> dict[str, dict[str, tuple[str, ...]]]:
    """Kind of unit -> place -> the places it can move to from there by itself."""
    fleets = {place: tuple(sorted(p for to in tos.values() for p in to)) for place, tos in board.fleet_to.items()}
    return {"A": {place: tuple(sorted(to)) for place, to in board.army_to.items()}, "F": fleets}


@dataclass
class _Ordered:
    """The orders on a sheet so far."""

    lines: tuple[str, ...] = ()
    units: dict[str, object] = default(default_factory=dict)
    """Province -> the order of the unit there."""
    goals: dict[str, str] = default(default_factory=dict)
    """Province -> where the unit comes from that is to move there."""
    aided: dict[tuple[str, str], int] = default(default_factory=dict)
    """Unit and goal (the same province for a unit that stays) -> how many support it."""
    carried: dict[str, str] = default(default_factory=dict)
    """Army -> where a fleet is ordered to carry it."""


class Plan:
    """What every order of one power is worth in one turn."""

    def __init__(self, position: Position, power: SeatId, chance: Chance) -> None:
        self.position, self.power, self.chance = position, power, chance
        self.field = field_of(position)
        self.board = self.field.board
        self.near = _near(self.board)
        self.sizes = {one: len(self.field.owned(one)) for one in self.board.powers}
        self.units = self.field.names()
        self.own = {province for province, (whose, _) in self.field.units.items() if whose == power}
        self.rivals: dict[str, int] = {}
        self.friends: dict[str, int] = {}
        self._count_reach()
        self.values = {kind: self._values(kind) for kind in ("A", "F")}
        self._done = _Ordered()

    def _count_reach(self) -> None:
        """Province -> the most units that one other power can bring there, and how many this one can."""
        reach: dict[str, dict[str, int]] = {}
        for province, (whose, unit) in self.field.units.items():
            for there in (province, *self.board.reach(unit)):
                by = reach.setdefault(there, {})
                by[whose] = by.get(whose, 0) + 1
        for province, by in reach.items():
            self.friends[province] = by.get(self.power, 0)
            self.rivals[province] = max((count for whose, count in by.items() if whose != self.power), default=0)

    def _prize(self, province: str) -> int:
        """What it is worth to stand in a province at the year's end."""
        if not self.board.provinces[province].centre:
            return 0
        owner = self.field.owners.get(province)
        if owner == self.power:
            return 30 * min(self.rivals.get(province, 0), 3)
        size = self.sizes[owner] if owner is not None else 2
        return 7 * (size * size + 4 * size + 16)

    def _values(self, kind: str) -> dict[str, int]:
        """Place -> its worth to a unit of this kind, in thousandths."""
        near = self.near[kind]
        ring = {place: self._prize(place.partition("/")[0]) * 1000 for place in near}
        weights = SPRING if self.position.season is Season.SPRING else FALL
        total = {place: weights[0] * value for place, value in ring.items()}
        for weight in weights[1:]:
            ring = {place: (ring[place] + sum(ring[one] for one in tos)) // 5 for place, tos in near.items()}
            for place, value in ring.items():
                total[place] += weight * value
        found = {}
        for place, value in total.items():
            province = place.partition("/")[0]
            friends, rivals = min(self.friends.get(province, 0), 4), min(self.rivals.get(province, 0), 4)
            noise = 85 + self.chance(f"{self.power}:{kind} {place}", 31)
            found[place] = value * (3 + friends) * noise // ((3 + rivals) * 100_000) + 1
        return found

    def value(self, kind: str, place: str) -> int:
        """What a place is worth to a unit of this kind."""
        values = self.values[kind]
        if place in values:
            return values[place]
        return max((value for one, value in values.items() if one.partition("/")[0] == place), default=1)

    def _read(self, lines: tuple[str, ...]) -> _Ordered:
        if lines is self._done.lines or lines == self._done.lines:
            return self._done
        done = _Ordered(lines)
        for line in lines:
            order = self.field.notation.read(line)
            if isinstance(order, Fault | Waive):
                continue
            done.units[order.unit.province] = order
            match order:
                case Move(unit, to):
                    done.goals[to] = unit.province
                case SupportMove(_, target, to):
                    done.aided[target.province, to] = done.aided.get((target.province, to), 0) + 1
                case SupportHold(_, target):
                    done.aided[target.province, target.province] = (
                        done.aided.get((target.province, target.province), 0) + 1
                    )
                case Convoy(_, target, to):
                    done.carried[target.province] = to
                case Hold() | Build() | Disband():
                    pass
                case _:
                    assert_never(order)
        self._done = done
        return done

    def acts(self, line: str) -> bool:
        """Whether a line orders its unit to do anything but hold."""
        return not isinstance(self.field.notation.read(line), Hold)

    def worth(self, lines: tuple[str, ...], line: str) -> int | None:
        """What `line` adds to a sheet with these lines: 0 while it is too early, None when it never will be worth it."""
        order = self.field.notation.read(line)
        if isinstance(order, Fault):
            return None
        done = self._read(lines)
        match order:
            case Build(unit):
                if unit.province in done.units:
                    return None
                kind, place = unit.kind or "A", unit.province + (f"/{unit.coast}" if unit.coast else "")
                nearby = max((self.value(kind, one) for one in self.near[kind].get(place, ())), default=0)
                lean = 70 + self.chance(f"{self.power}:build {kind} {place}", 61)
                return nearby * lean // 100 + 1
            case Disband(unit):
                if unit.province in done.units:
                    return None
                if self.position.phase is Phase.RETREATS:
                    return 1
                return 10**9 - self.value(unit.kind or "A", self.field.units[unit.province][1].place)
            case Hold() | Move() | SupportHold() | SupportMove() | Convoy():
                if order.unit.province in done.units:
                    return None
                return self._movement(done, order)
            case Waive():
                return None
            case _:
                assert_never(order)

    def _movement(self, done: _Ordered, order: Hold | Move | SupportHold | SupportMove | Convoy) -> int | None:
        here = order.unit.province
        mine, own = self.units[here], self.own
        match order:
            case Hold():
                return None if here in done.goals else self.value(mine.kind, mine.place)
            case Move(_, to, coast, via):
                if to in done.goals or (here in done.carried and not (via and done.carried[here] == to)):
                    return None
                if to in own and self.position.phase is Phase.MOVEMENT:
                    leaves = done.units.get(to)
                    if leaves is None:
                        return 0
                    if not isinstance(leaves, Move) or leaves.to == here:
                        return None
                if via:
                    return 10**9 if done.carried.get(here) == to else 0
                return self.value(mine.kind, f"{to}/{coast}" if coast else to) + 2
            case SupportMove(_, target, to):
                if target.province not in own or here in done.goals or to == here:
                    return None
                move = done.units.get(target.province)
                if move is None:
                    return 0
                if not isinstance(move, Move) or move.to != to:
                    return None
                if done.aided.get((target.province, to), 0) >= self.rivals.get(to, 0):
                    return None
                return self.value(self.field.units[target.province][1].kind, to)
            case SupportHold(_, target):
                if target.province not in own or here in done.goals:
                    return None
                stays = done.units.get(target.province)
                if stays is None:
                    return 0
                there = (target.province, target.province)
                if isinstance(stays, Move) or done.aided.get(there, 0) + 1 >= self.rivals.get(target.province, 0):
                    return None
                unit = self.field.units[target.province][1]
                return self.value(unit.kind, unit.place) * 7 // 10
            case Convoy(_, target, to):
                return self._convoy(done, here, target.province, to, own)

    def _convoy(self, done: _Ordered, sea: str, army: str, to: str, own: Iterable[str]) -> int | None:
        """A fleet that alone can carry an army of its own to where it gains more than by land."""
        coasts = self.board.sea_coasts.get(sea, frozenset())
        if army not in own or army in done.units or army in done.carried or to in done.goals or to in own:
            return None
        if army not in coasts or to not in coasts or to in self.board.army_to[army]:
            return None
        by_land = max((self.value("A", one) for one in self.near["A"][army] if one not in own), default=0)
        gain = self.value("A", to) - by_land
        by_sea = max(self.value("F", one) for one in (*self.near["F"][sea], sea))
        return by_sea + gain if gain > by_sea else None


def wants_draw(chance: Chance, power: SeatId, years: int, centres: int, victory: int, leading: int) -> bool:
    """Whether a stand-in votes for a draw: the longer a game lasts the likelier, the last to do so is who is ahead."""
    if years >= WEARY:
        return True
    if years < PATIENCE or (centres == leading and centres * 3 >= victory * 2):
        return False
    return chance(f"draw:{power}", WEARY - PATIENCE) < years - PATIENCE + 1


def worth(position: Position, power: SeatId, chance: Chance) -> Callable[[Sheet, Sheet], int | None]:
    """What each legal order is worth to a power."""
    plan = Plan(position, power, chance)
    victory = position.settings.victory or plan.board.victory
    years = position.year - plan.board.starts
    draw = wants_draw(chance, power, years, plan.sizes[power], victory, max(plan.sizes.values()))

    def judge(sheet: Sheet, more: Sheet) -> int | None:
        if more.draw:
            return 1 if draw and not sheet.draw else None
        return plan.worth(sheet.orders, more.orders[0])

    return judge
