"""A stand-in's aims in a war: to keep its supply centres, take others within reach, and support where needed.

The plan is that of DumbBot (David Norman). A place is worth the prize for taking or holding it, and a little of its neighbours' worth. A
unit goes to the best place it can reach; if another unit of its side is going there already, it supports that unit. The plan uses only
whole numbers, so that the same position gives the same orders everywhere.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as default
from operator import itemgetter
from typing import assert_never

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance
from adjudicator.mechanics.movement import Convoy, Hold, Move, SupportHold, SupportMove
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Fault, Waive
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import Phase, Position, Season, field_of

SPRING = (100, 1000, 30, 10, 6, 5, 4, 3)
"""Weight of a place at each distance in spring: centres that can be taken in fall count most."""
FALL = (1000, 100, 30, 10, 6, 5, 4, 3)
MANY = 10**6
"""More than any number of lines: no limit."""
PATIENCE, WEARY = 12, 30
"""Years until a power that is not ahead may vote for a draw, and until every power does."""


@functools.cache
def _near(board: Board) -> dict[str, dict[str, tuple[str, ...]]]:
    """Kind of unit -> place -> places it can move to without a convoy."""
    fleets = {place: tuple(sorted(p for to in tos.values() for p in to)) for place, tos in board.fleet_to.items()}
    return {"A": {place: tuple(sorted(to)) for place, to in board.army_to.items()}, "F": fleets}


@functools.cache
def _around(board: Board, kind: str) -> tuple[dict[str, int], tuple[Callable[[list[int]], tuple[int, ...]], ...]]:
    """Place -> its number; and for each number a function that picks the worths of a place and its neighbours from a list.

    The list ends with a dummy place, worth 0, so that the function returns a tuple even for a place without neighbours.
    """
    near = _near(board)[kind]
    numbers = {place: number for number, place in enumerate(near)}
    takers = [itemgetter(number, -1, *(numbers[to] for to in near[place])) for place, number in numbers.items()]
    return numbers, (*takers, itemgetter(-1, -1))


@dataclass
class _Ordered:
    """The orders on a sheet so far."""

    lines: tuple[str, ...] = ()
    acting: int = 0
    """Number of lines that order a unit to do anything but hold."""
    units: dict[str, object] = default(default_factory=dict)
    """Province -> the order of the unit there."""
    goals: dict[str, str] = default(default_factory=dict)
    """Province -> the province of the unit that is ordered to move there."""
    aided: dict[tuple[str, str], int] = default(default_factory=dict)
    """Unit and goal (the same province for a unit that stays) -> number of its supports."""
    carried: dict[str, str] = default(default_factory=dict)
    """Army -> where a fleet is ordered to carry it."""


class Plan:
    """The worth of every order of one power in one turn.

    `prizes` maps provinces to extra worth that they have only for this power. The centres and units of `allies` count as those of its side.
    """

    def __init__(
        self,
        position: Position,
        power: SeatId,
        chance: Chance,
        prizes: Mapping[str, int] | None = None,
        allies: frozenset[SeatId] = frozenset(),
    ) -> None:
        self.position, self.power, self.chance = position, power, chance
        self.prizes, self.side = prizes or {}, {power, *allies}
        self.field = field_of(position)
        self.board = self.field.board
        self.near = _near(self.board)
        self.sizes = {other: len(self.field.owned(other)) for other in self.board.powers}
        self.units = self.field.names()
        self.own = {province for province, (whose, _) in self.field.units.items() if whose == power}
        self.rivals: dict[str, int] = {}
        self.friends: dict[str, int] = {}
        self._count_reach()
        self._rings: dict[str, list[list[int]]] = {}
        """Kind of unit -> worths of its places by number: each by itself, then with its neighbours, and so on."""
        self._values: dict[tuple[str, str], int] = {}
        self._done = _Ordered()
        self._worths: dict[str, int | None] = {}
        """Line -> the worth it adds to the orders so far."""
        self._about: dict[str, list[str]] = {}
        """Province -> lines whose worth depends on the orders there."""

    def _count_reach(self) -> None:
        """Count, for each province, the units that this power can bring there, and the most that any one rival can."""
        reach: dict[str, dict[str, int]] = {}
        for province, (whose, unit) in self.field.units.items():
            for there in (province, *self.board.reach(unit)):
                by = reach.setdefault(there, {})
                by[whose] = by.get(whose, 0) + 1
        for province, by in reach.items():
            self.friends[province] = by.get(self.power, 0)
            self.rivals[province] = max((count for whose, count in by.items() if whose not in self.side), default=0)

    def _prize(self, province: str) -> int:
        """The worth of occupying a province at the year's end."""
        more = self.prizes.get(province, 0)
        if not self.board.provinces[province].centre:
            return more
        owner = self.field.owners.get(province)
        if owner in self.side:
            return 30 * min(self.rivals.get(province, 0), 3) + more
        size = self.sizes.get(owner, 2) if owner is not None else 2
        return 7 * (size * size + 4 * size + 16) + more

    def _spread(self, kind: str) -> list[list[int]]:
        """The worths of all places, in thousandths: first each place's own, then, round by round, with more of its surroundings."""
        numbers, takers = _around(self.board, kind)
        rings = [[*(self._prize(place.partition("/")[0]) * 1000 for place in numbers), 0]]
        for _ in SPRING[1:]:
            ring = rings[-1]
            rings.append([sum(take(ring)) // 5 for take in takers])
        return rings

    def _value(self, kind: str, place: str) -> int:
        """The worth of a place to a unit of this kind, not cached."""
        if kind not in self._rings:
            self._rings[kind] = self._spread(kind)
        number = _around(self.board, kind)[0][place]
        weights = SPRING if self.position.season is Season.SPRING else FALL
        total = sum(weight * ring[number] for weight, ring in zip(weights, self._rings[kind], strict=True))
        province = place.partition("/")[0]
        friends, rivals = min(self.friends.get(province, 0), 4), min(self.rivals.get(province, 0), 4)
        noise = 85 + self.chance(f"{self.power}:{kind} {place}", 31)
        return total * (3 + friends) * noise // ((3 + rivals) * 100_000) + 1

    def value(self, kind: str, place: str) -> int:
        """The worth of a place to a unit of this kind."""
        estimate = self._values.get((kind, place))
        if estimate is None:
            if place in self.near[kind]:
                estimate = self._value(kind, place)
            else:
                coasts = self.board.provinces[place].coasts if kind == "F" and place in self.board.provinces else ()
                estimate = max((self.value(kind, f"{place}/{coast}") for coast in coasts), default=1)
            self._values[kind, place] = estimate
        return estimate

    def _read(self, lines: tuple[str, ...]) -> _Ordered:
        """Read the orders on a sheet; forget the worths of lines that its new orders affect."""
        done = self._done
        if lines is done.lines:
            return done
        count = len(done.lines)
        if lines[:count] != done.lines:
            done, count = _Ordered(), 0
            self._worths.clear()
            self._about.clear()
        for line in lines[count:]:
            order = self.field.notation.read(line)
            self._add(done, order)
            for province in _named_in(order):
                for other in self._about.pop(province, ()):
                    self._worths.pop(other, None)
        done.lines = lines
        self._done = done
        return done

    def _add(self, done: _Ordered, order: AnyOrder | Fault) -> None:
        done.acting += not isinstance(order, Hold)
        if isinstance(order, Fault | Waive):
            return
        done.units[order.unit.province] = order
        match order:
            case Move(unit, to):
                done.goals[to] = unit.province
            case SupportMove(_, target, to):
                done.aided[target.province, to] = done.aided.get((target.province, to), 0) + 1
            case SupportHold(_, target):
                done.aided[target.province, target.province] = done.aided.get((target.province, target.province), 0) + 1
            case Convoy(_, target, to):
                done.carried[target.province] = to
            case Hold() | Build() | Disband():
                pass
            case _:
                assert_never(order)

    def count_acting(self, lines: tuple[str, ...]) -> int:
        """Number of these lines that order their units to do anything but hold."""
        return self._read(lines).acting

    def acts(self, line: str) -> bool:
        """Whether a line orders its unit to do anything but hold."""
        return not isinstance(self.field.notation.read(line), Hold)

    def choose(self, left: Iterable[str], most: int = MANY, acting: int = MANY) -> tuple[str, ...]:
        """Pick the best line again and again while one is worth anything: at most `most` lines, and at most `acting` that act."""
        left = list(left)
        lines: tuple[str, ...] = ()
        while left and len(lines) < most:
            valued = [(value, line) for line in left if (value := self.worth(lines, line)) is not None]
            if self.count_acting(lines) >= acting:
                valued = [(value, line) for value, line in valued if not self.acts(line)]
            best, chosen = max(valued, key=itemgetter(0), default=(0, ""))
            if best <= 0:
                break
            left = [line for _, line in valued if line is not chosen]
            lines = (*lines, chosen)
        return lines

    def worth(self, lines: tuple[str, ...], line: str) -> int | None:
        """The worth that `line` adds to a sheet with these `lines`: 0 while it is too early, None if it never pays."""
        done = self._read(lines)
        if line not in self._worths:
            order = self.field.notation.read(line)
            self._worths[line] = self._worth(done, order)
            for province in _named_in(order):
                self._about.setdefault(province, []).append(line)
        return self._worths[line]

    def _worth(self, done: _Ordered, order: AnyOrder | Fault) -> int | None:
        """The worth that an order adds; it depends only on the orders in the provinces that it names."""
        match order:
            case Build(unit):
                if unit.province in done.units:
                    return None
                kind, place = unit.kind or "A", unit.province + (f"/{unit.coast}" if unit.coast else "")
                nearby = max((self.value(kind, there) for there in self.near[kind].get(place, ())), default=0)
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
            case Waive() | Fault():
                return None
            case _:
                assert_never(order)

    def _movement(self, done: _Ordered, order: Hold | Move | SupportHold | SupportMove | Convoy) -> int | None:
        here = order.unit.province
        mine, own_provinces = self.units[here], self.own
        match order:
            case Hold():
                return None if here in done.goals else self.value(mine.kind, mine.place)
            case Move(_, to, coast, via):
                if to in done.goals or (here in done.carried and not (via and done.carried[here] == to)):
                    return None
                if to in own_provinces and self.position.phase is Phase.MOVEMENT:
                    leaves = done.units.get(to)
                    if leaves is None:
                        return 0
                    if not isinstance(leaves, Move) or leaves.to == here:
                        return None
                if via:
                    return 10**9 if done.carried.get(here) == to else 0
                return self.value(mine.kind, f"{to}/{coast}" if coast else to) + 2
            case SupportMove(_, target, to):
                if target.province not in own_provinces or here in done.goals or to == here:
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
                if target.province not in own_provinces or here in done.goals:
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
                return self._convoy(done, here, target.province, to, own_provinces)

    def _convoy(self, done: _Ordered, sea: str, army: str, to: str, own_provinces: Iterable[str]) -> int | None:
        """The worth of convoying one of the power's armies with this fleet only; None if that is impossible, or worth less than moving both."""
        takes, coasts = (reach.get(sea, frozenset()) for reach in (self.board.sea_takes, self.board.sea_coasts))
        if (
            army not in own_provinces
            or army in done.units
            or army in done.carried
            or to in done.goals
            or to in own_provinces
        ):
            return None
        if army not in takes or to not in coasts or to in self.board.army_to[army]:
            return None
        by_land = max(
            (self.value("A", there) for there in self.near["A"][army] if there not in own_provinces), default=0
        )
        gain = self.value("A", to) - by_land
        by_sea = max(self.value("F", there) for there in (*self.near["F"][sea], sea))
        return by_sea + gain if gain > by_sea else None


def _named_in(order: AnyOrder | Fault) -> tuple[str, ...]:
    """The provinces that an order names."""
    match order:
        case Hold(unit) | Build(unit) | Disband(unit):
            return (unit.province,)
        case Move(unit, to):
            return (unit.province, to)
        case SupportHold(unit, target):
            return (unit.province, target.province)
        case SupportMove(unit, target, to) | Convoy(unit, target, to):
            return (unit.province, target.province, to)
        case Waive() | Fault():
            return ()
        case _:
            assert_never(order)


def wants_draw(chance: Chance, power: SeatId, years: int, centres: int, victory: int, leading: int) -> bool:
    """Whether a stand-in votes for a draw. The longer the game lasts, the likelier that is; one that is ahead holds out longest."""
    if years >= WEARY:
        return True
    if years < PATIENCE or (centres == leading and centres * 3 >= victory * 2):
        return False
    return chance(f"draw:{power}", WEARY - PATIENCE) < years - PATIENCE + 1


def worth(position: Position, power: SeatId, chance: Chance) -> Callable[[Sheet, Sheet], int | None]:
    """Return the function that values one more legal order on a power's sheet."""
    plan = Plan(position, power, chance)
    victory = position.settings.victory or plan.board.victory
    years = plan.board.calendar.years(plan.board.starts, position.year) - 1
    draw = wants_draw(chance, power, years, plan.sizes[power], victory, max(plan.sizes.values()))

    def judge(sheet: Sheet, more: Sheet) -> int | None:
        if not more.orders:  # a vote; one that was given before is not taken back
            return 1 if draw and more.draw and not sheet.draw else None
        return plan.worth(sheet.orders, more.orders[0])

    return judge
