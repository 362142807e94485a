"""The war of a second judge: movement by the rulebook of standard Diplomacy, and sorties by S9-E.

Written from the rules, without a look at the solver in `mechanics`. Every question of the rules (does this army's convoy
hold, does this move succeed, is this support cut, is this unit dislodged) is open at first. It is answered
when the answer is the same for all answers to the open ones. A question that stays open depends on itself: a ring of moves
(DP-M-6), or a convoy that depends on its army's landing (DP-C-8).

Places are called by their names. For boards without coasts to choose between and without one-way borders.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, TypeAlias

from adjudicator.mechanics.provinces import Board


@dataclass(frozen=True, eq=False)
class World:
    """A board, by the names of its places."""

    army: Mapping[str, frozenset[str]]
    """Place -> places that an army can walk to."""
    fleet: Mapping[str, frozenset[str]]
    seas: frozenset[str]
    inland: frozenset[str]
    centres: frozenset[str]
    homes: Mapping[str, frozenset[str]]
    """Major -> its starting home centres."""
    capitals: Mapping[str, str]
    """Major -> place of its first unit in the board's list (S9-A-7)."""
    minors: Mapping[str, tuple[str, str]]
    """Minor -> kind of its unit, and its centre."""
    codes: Mapping[str, str]
    victory: int

    def reach(self, kind: str, place: str) -> frozenset[str]:
        """Places that a unit could move to by itself (DP-M-1)."""
        return (self.army if kind == "A" else self.fleet).get(place, frozenset())

    @cached_property
    def beside(self) -> Mapping[str, frozenset[str]]:
        """Place -> all places next to it, over land and sea alike."""
        nothing: frozenset[str] = frozenset()
        return {place: self.army.get(place, nothing) | self.fleet.get(place, nothing) for place in self.codes.values()}

    def distances(self, goals: Collection[str]) -> Mapping[str, int]:
        """Place -> steps to the nearest goal (DP-W-8); all equally far without goals (SR-28)."""
        far = dict.fromkeys(goals, 0) or dict.fromkeys(self.beside, 0)
        todo = deque(far)
        while todo:
            here = todo.popleft()
            for place in self.beside[here]:
                if place not in far:
                    far[place] = far[here] + 1
                    todo.append(place)
        return far

    def ferries(self, seas: Collection[str], start: str, goal: str) -> bool:
        """True if fleets in these seas make a chain from one coast to another (DP-C-2)."""
        todo = [sea for sea in self.fleet.get(start, ()) if sea in seas]
        seen = {*todo}
        while todo:
            here = todo.pop()
            if goal in self.fleet[here]:
                return True
            new = [sea for sea in self.fleet[here] if sea in seas and sea not in seen]
            seen |= {*new}
            todo += new
        return False

    def routes(self, seas: Collection[str], start: str, goal: str) -> Iterator[tuple[str, ...]]:
        """Every chain of fleets in these seas from one coast to another that goes nowhere twice."""

        def lead(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if goal in self.fleet[chain[-1]]:
                yield chain
            for sea in sorted(self.fleet[chain[-1]]):
                if sea in seas and sea not in chain:
                    yield from lead((*chain, sea))

        for first in sorted(self.fleet.get(start, ())):
            if first in seas:
                yield from lead((first,))


@cache
def world_of(board: Board) -> World:
    """The board of this name by the names of its places."""
    assert not any(province.coasts or province.convoys for province in board.provinces.values())
    assert board.two_way
    name = {code: province.name for code, province in board.provinces.items()}

    def named(reach: Mapping[str, Collection[str]]) -> dict[str, frozenset[str]]:
        return {name[here]: frozenset(name[there] for there in to) for here, to in reach.items()}

    def unit(text: str) -> tuple[str, str]:
        kind, _, code = text.partition(" ")
        return kind, name[code]

    return World(
        army=named(board.army_to),
        fleet=named(board.fleet_reach),
        seas=frozenset(name[code] for code, province in board.provinces.items() if province.kind == "sea"),
        inland=frozenset(name[code] for code, province in board.provinces.items() if province.kind == "inland"),
        centres=frozenset(name[code] for code, province in board.provinces.items() if province.centre),
        homes={
            major: frozenset(p.name for p in board.provinces.values() if p.centre and p.home == major)
            for major in board.powers
        },
        capitals={major: unit(data.units[0])[1] for major, data in board.powers.items()},
        minors={minor: unit(data.units[0]) for minor, data in board.others.items()},
        codes=name,
        victory=board.victory,
    )


# Orders ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Named:
    """A unit as a line names it; the kind may be left out (DP-O-6)."""

    kind: str
    place: str

    def __str__(self) -> str:
        return f"{self.kind} {self.place}".strip()


@dataclass(frozen=True, slots=True)
class Order:
    """An order: hold (H), move (-), support (S; a support to hold, if `to` is empty), or convoy (C)."""

    unit: Named
    does: Literal["H", "-", "S", "C"]
    whom: Named = Named("", "")
    to: str = ""
    via: bool = False

    def __str__(self) -> str:
        match self.does:
            case "H":
                return f"{self.unit} H"
            case "-":
                return f"{self.unit} - {self.to}" + (" via convoy" if self.via else "")
            case "S" | "C":
                return f"{self.unit} {self.does} {self.whom}" + (f" - {self.to}" if self.to else "")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in its place."""

    power: str
    kind: str


@dataclass(frozen=True, eq=False)
class Field:
    """All units by their places, and the places of those that never leave (S9-E-1)."""

    world: World
    units: Mapping[str, Unit]
    still: frozenset[str]

    def called(self, named: Named) -> Unit | None:
        """The unit that is meant, if it is there and of that kind (DP-O-4, DP-O-6)."""
        unit = self.units.get(named.place)
        return unit if unit is not None and named.kind in ("", unit.kind) else None

    @cached_property
    def at_sea(self) -> frozenset[str]:
        """Places of the fleets that could convoy (DP-C-1)."""
        return frozenset(self.world.seas & self.units.keys())

    def could_go(self, place: str, to: str, *, without: str = "", via: bool = False) -> bool:
        """True if the unit in a place could ever move there: by itself, or over the fleets at sea (DP-C-2)."""
        unit = self.units[place]
        if place == to:  # DP-M-12
            return False
        if not via and to in self.world.reach(unit.kind, place):
            return True
        if unit.kind == "F" or place in self.still or to not in self.world.army:  # DP-C-1, S9-E-3, DP-G-6
            return False
        return self.world.ferries(self.at_sea - {without}, place, to)

    def could(self, order: Order) -> bool:
        """True if an order could ever be carried out (DP-O-3)."""
        here, unit = order.unit.place, self.called(order.unit)
        if unit is None:
            return False
        match order.does:
            case "H":
                return True
            case "-":
                return self.could_go(here, order.to, via=order.via)
            case "S":
                if self.called(order.whom) is None or order.whom.place == here:  # DP-S-3, DP-S-8
                    return False
                if (order.to or order.whom.place) not in self.world.reach(unit.kind, here):  # DP-S-1
                    return False
                return not order.to or self.could_go(order.whom.place, order.to, without=here)  # DP-S-7
            case "C":
                return self.could_convoy(order)

    def could_convoy(self, order: Order) -> bool:
        """True if a fleet lies on a route that the army could take (DP-C-1, DP-C-9, S9-E-3)."""
        here, start, goal = order.unit.place, order.whom.place, order.to
        army = self.called(order.whom)
        if here not in self.at_sea or army is None or army.kind == "F" or start in self.still or start == goal:
            return False
        if goal not in self.world.army:
            return False
        routes = (route for route in self.world.routes(self.at_sea, start, goal) if here in route)
        if goal in self.world.army[start]:  # DATC 6.G.19: only where the route needs it
            return any(not self.world.ferries({*route} - {here}, start, goal) for route in routes)
        return any(True for _ in routes)


# The battle -----------------------------------------------------------------------------------------------------------

Question: TypeAlias = tuple[Literal["path", "goes", "cut", "lost"], str]
Range: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Fought:
    """Results for all units."""

    words: Mapping[str, str]
    """Place -> the result of the order of the unit there; two words where both are true."""
    moved: Mapping[str, str]
    lost: Mapping[str, str | None]
    """Place of a dislodged unit -> where its attacker came from, unless it came by convoy (DP-R-3)."""
    closed: frozenset[str]
    """Places closed to retreats (DP-M-2, S9-E-7)."""
    seen: Counter[str]
    """Kinds of events."""


class Battle:
    """One turn's moves. `orders` are legal; a unit without one holds."""

    def __init__(self, field: Field, orders: Mapping[str, Order]) -> None:
        self.field, self.orders = field, orders
        self.units = field.units
        self.known: dict[Question, bool] = {}
        self.open: set[Question] = set()
        self.no_effect: set[str] = set()
        """Armies of a paradox (DP-C-8)."""
        self.rings = 0
        self.moves = {place: order.to for place, order in orders.items() if order.does == "-"}
        self.to: dict[str, list[str]] = {}
        for place, goal in self.moves.items():
            self.to.setdefault(goal, []).append(place)
        self.carried = {
            place: frozenset(
                fleet
                for fleet, order in orders.items()
                if order.does == "C" and order.whom.place == place and order.to == goal
            )
            for place, goal in self.moves.items()
        }
        self.by_convoy = frozenset(place for place in self.moves if self.goes_by_convoy(place))
        self.helpers: dict[str, list[str]] = {}
        for place, order in orders.items():
            if order.does == "S" and self.as_supported(order):
                self.helpers.setdefault(order.whom.place, []).append(place)

    def goes_by_convoy(self, place: str) -> bool:
        """DP-C-5: True if it cannot walk, if its order asks for it, or if a fleet of the same power has orders to carry it."""
        unit, goal = self.units[place], self.moves[place]
        if unit.kind == "F" or place in self.field.still:
            return False
        if goal not in self.field.world.army[place] or self.orders[place].via:
            return True
        return any(self.units[fleet].power == unit.power for fleet in self.carried[place])

    def as_supported(self, order: Order) -> bool:
        """True if the other unit does just what a support names (DP-S-3)."""
        return self.moves.get(order.whom.place, "") == order.to

    # Asking

    def ask(self, question: Question) -> bool | None:
        answer = self.known.get(question)
        if answer is None:
            self.open.add(question)
        return answer

    def help(self, place: str, *, against: str = "") -> Range:
        """Supports that count for a unit, without those of the power that it would dislodge (DP-M-9)."""
        least = most = 0
        for helper in self.helpers.get(place, ()):
            if self.units[helper].power == against:
                continue
            cut = self.ask(("cut", helper))
            least += cut is False
            most += cut is not True
        return least, most

    def head_on(self, place: str) -> bool:
        """True if a move meets one from its goal (DP-M-7, S9-E-4)."""
        goal = self.moves[place]
        return self.moves.get(goal) == place and not {place, goal} & self.by_convoy

    def attack(self, place: str) -> Range:
        """DP-M-3, DP-M-9."""
        goal, unit = self.moves[place], self.units[place]
        there = self.units.get(goal)
        stays: bool | None = there is not None
        if there is not None and goal in self.moves and not self.head_on(place):
            gone = self.ask(("goes", goal))
            stays = None if gone is None else not gone
        least, most = self.help(place)
        full = (1 + least, 1 + most)
        if there is None or stays is False:
            return full
        least, most = self.help(place, against=there.power)
        against = (0, 0) if there.power == unit.power else (1 + least, 1 + most)
        return against if stays else (against[0], full[1])

    def resist(self, place: str) -> Range:
        """Strength of the unit in the goal of a move to stay there (DP-M-4, DP-M-7)."""
        goal = self.moves[place]
        if goal not in self.units:
            return 0, 0
        if goal in self.moves and not self.head_on(place):
            gone = self.ask(("goes", goal))
            return int(gone is False), int(gone is not True)
        least, most = self.help(goal)
        return 1 + least, 1 + most

    def prevent(self, place: str) -> Range:
        """Strength of a move to keep others from its goal (DP-M-2, DP-M-8, S9-E-4, S9-E-6)."""
        arrives = self.ask(("path", place))
        beaten = self.ask(("goes", self.moves[place])) if self.head_on(place) else False
        if arrives is False or beaten is True:
            return 0, 0
        least, most = self.help(place)
        return (1 + least if arrives and beaten is False else 0), 1 + most

    # Answering

    def answer(self, question: Question) -> bool | None:
        about, place = question
        match about:
            case "path":
                return self.path(place)
            case "goes":
                return self.goes(place)
            case "cut":
                return self.cut(place)
            case "lost":
                return self.lost(place)

    def path(self, place: str) -> bool | None:
        """True if a move has a path to its goal: always on foot, otherwise over fleets that are not dislodged (DP-C-3, DP-C-4).
        None while that is open."""
        if place not in self.by_convoy:
            return True
        lost = {fleet: self.ask(("lost", fleet)) for fleet in self.carried[place]}
        ferries, goal = self.field.world.ferries, self.moves[place]
        if ferries({fleet for fleet, gone in lost.items() if gone is False}, place, goal):
            return True
        return None if ferries({fleet for fleet, gone in lost.items() if gone is not True}, place, goal) else False

    def goes(self, place: str) -> bool | None:
        """True if a move succeeds: it is stronger than the unit that stays and than every other comer (DP-M-3). A sortie never does (S9-E-3)."""
        arrives = self.ask(("path", place))
        if place in self.field.still or arrives is False:
            return False
        least, most = self.attack(place)
        rivals = [self.prevent(other) for other in self.to[self.moves[place]] if other != place]
        against = [self.resist(place), *rivals]
        if arrives and all(least > strength for _, strength in against):
            return True
        return False if any(most <= strength for strength, _ in against) else None

    def cut(self, place: str) -> bool | None:
        """DP-S-4, DP-S-5, DP-S-9."""
        order = self.orders[place]
        attacked: list[bool | None] = [
            self.ask(("path", other))
            for other in self.to.get(place, ())
            if self.units[other].power != self.units[place].power and other != (order.to or order.whom.place)
        ]
        attacked.append(self.ask(("lost", place)))
        return True if True in attacked else None if None in attacked else False

    def lost(self, place: str) -> bool | None:
        """True if a unit is dislodged."""
        gone = self.ask(("goes", place)) if place in self.moves else False
        taken = [self.ask(("goes", other)) for other in self.to.get(place, ())]
        if gone or all(one is False for one in taken):
            return False
        return True if gone is False and True in taken else None

    def solve(self) -> None:
        """Answer all questions."""
        left: list[Question] = [("path", place) for place in self.moves]
        left += [("goes", place) for place in self.moves]
        left += [("cut", place) for place, order in self.orders.items() if order.does == "S"]
        left += [("lost", place) for place in self.units]
        while left:
            waits: dict[Question, set[Question]] = {}
            count = len(left)
            for question in left:
                self.open = set()
                answer = self.answer(question)
                if answer is None:
                    waits[question] = self.open
                else:
                    self.known[question] = answer
            left = [question for question in left if question not in self.known]
            if len(left) == count:
                self.cut_knot(waits)
                left = [question for question in left if question not in self.known]

    def cut_knot(self, waits: Mapping[Question, set[Question]]) -> None:
        """Answer the questions of the smallest knot, one that depends on nothing but itself."""

        def hangs_on(question: Question) -> frozenset[Question]:
            seen: set[Question] = set()
            todo = [question]
            while todo:
                new = waits[todo.pop()] - seen
                seen |= new
                todo += new
            return frozenset(seen)

        knot = min((hangs_on(question) for question in waits), key=lambda knot: (len(knot), sorted(knot)))
        paths = [question for question in knot if question[0] == "path"]
        if paths:  # DP-C-8
            self.no_effect |= {place for _, place in paths}
            self.known |= dict.fromkeys(paths, False)
        else:  # DP-M-6
            assert all(about == "goes" for about, _ in knot), knot
            self.known |= dict.fromkeys(knot, True)
            self.rings += 1

    # Telling

    def word(self, place: str) -> str:
        """Result of the order of the unit in a place."""
        order = self.orders.get(place)
        if order is None or order.does == "H":
            return "stands"
        if order.does == "-":
            ferries = self.field.world.ferries
            if place in self.by_convoy and not ferries(self.carried[place], place, order.to):
                return "invalid"  # the fleets were not ordered, and the move does not take place (DP-C-2)
            return "succeeds" if self.known["goes", place] else "fails"
        if order.does == "S":
            if not self.as_supported(order):  # if it is attacked as well, both words apply
                return "cut|invalid" if self.known["cut", place] else "invalid"
            return "cut" if self.known["cut", place] else "given"
        if place not in self.carried.get(order.whom.place, ()):
            return "invalid"
        if self.known["lost", place]:
            return "disrupted"
        return "available|disrupted" if order.whom.place in self.no_effect else "available"


def fight(field: Field, orders: Mapping[str, Order]) -> Fought:
    """Results for all units; `orders` are legal, one for each unit."""
    battle = Battle(field, orders)
    battle.solve()
    moved = {place: goal for place, goal in battle.moves.items() if battle.known["goes", place]}
    lost: dict[str, str | None] = {}
    for place in field.units:
        if battle.known["lost", place]:
            (by,) = (other for other, goal in moved.items() if goal == place)
            lost[place] = None if by in battle.by_convoy else by
    taken = {*moved.values(), *(place for place in field.units if place not in moved and place not in lost)}
    closed = {
        goal
        for place, goal in battle.moves.items()
        if goal not in taken
        and battle.known["path", place]
        and not (battle.head_on(place) and battle.known["goes", goal])  # DP-M-8, S9-E-6
    }
    words = {place: battle.word(place) for place in field.units}
    seen = Counter(
        {
            "convoyed": len(battle.by_convoy & moved.keys()),
            "convoy broken": sum(not battle.known["path", place] for place in battle.by_convoy),
            "paradox": len(battle.no_effect),
            "ring": battle.rings,
            "dislodged": len(lost),
            "sortie": len(field.still & battle.moves.keys()),
            "supported": sum(word == "given" for word in words.values()),
            "cut": sum(word == "cut" for word in words.values()),
        }
    )
    return Fought(words, moved, lost, frozenset(closed), seen)
