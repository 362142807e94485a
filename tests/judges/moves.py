"""The moves of a second judge of standard Diplomacy, with coasts, one-way borders and all settings of the rulebook.

Written from RULES.md, without a look at the solver in `mechanics`. As in `war`, every question of the rules is open at
first.
It is answered when the answer is the same for all answers to the open ones. A question that stays open belongs to a ring of
moves
(DP-M-6), or to a convoy that waits for its army's landing (DP-C-8). Strengths are doubled, so that a general of Al-Andalus
can attack with three halves (AA-L-4).

Places are called by their codes: `STP` is a province, `STP/SC` a place in it.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal, TypeAlias

from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.position import Settings


def province_of(place: str) -> str:
    return place.partition("/")[0]


@dataclass(frozen=True, eq=False)
class Ground:
    """A board, by the codes of its places."""

    board: Board
    army: Mapping[str, frozenset[str]]
    """Province -> provinces that an army can walk to."""
    fleet: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Place -> province -> places there that a fleet can sail to."""
    kind: Mapping[str, str]
    waters: frozenset[str]
    """Waters where fleets convoy (DP-C-1, DP-C-11)."""
    centres: frozenset[str]
    homes: Mapping[str, str]
    """Home centre -> power."""
    names: Mapping[str, str]
    """Place -> its name as people write it."""

    def reach(self, kind: str, place: str) -> Collection[str]:
        """Provinces that a unit can move to by itself (DP-M-1)."""
        return self.army.get(place, frozenset()) if kind == "A" else self.fleet.get(place, {}).keys()

    def places(self, province: str) -> list[str]:
        """Places of a province where a fleet can be."""
        return [place for place in self.fleet if province_of(place) == province]

    def sails(self, start: str, goal: str) -> bool:
        """True if a fleet gets from some place of one province into another."""
        return any(goal in self.fleet[place] for place in self.places(start))

    def routes(self, seas: Collection[str], start: str, goal: str) -> Iterator[tuple[str, ...]]:
        """Every chain of fleets in these waters from one coast to another that goes nowhere twice (DP-C-2)."""
        if self.kind[start] != "coast" or self.kind[goal] != "coast":
            return
        seas = {*seas} - {start, goal}

        def lead(chain: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if self.sails(chain[-1], goal):
                yield chain
            for sea in sorted(seas):
                if sea not in chain and self.sails(chain[-1], sea):
                    yield from lead((*chain, sea))

        for first in sorted(seas):
            if self.sails(start, first):
                yield from lead((first,))

    def ferries(self, seas: Collection[str], start: str, goal: str) -> bool:
        """True if there is such a chain."""
        return next(self.routes(seas, start, goal), None) is not None

    def distances(self, goals: Collection[str]) -> Mapping[str, int]:
        """Province -> steps from there to the nearest goal, over land and sea alike (DP-W-8, DP-G-9)."""
        back: dict[str, set[str]] = {}
        for start, tos in self.army.items():
            for to in tos:
                back.setdefault(to, set()).add(start)
        for place, ways in self.fleet.items():
            for to in ways:
                back.setdefault(to, set()).add(province_of(place))
        far = dict.fromkeys(goals, 0)
        todo = deque(far)
        while todo:
            here = todo.popleft()
            for place in back.get(here, ()):
                if place not in far:
                    far[place] = far[here] + 1
                    todo.append(place)
        return far

    def way(self, kind: str, place: str, goals: Collection[str]) -> int | None:
        """Moves that a unit needs to the nearest goal on an empty board, without convoys; None if it gets to none (DP-W-8)."""
        far = {place: 0}
        todo = deque(far)
        while todo:
            here = todo.popleft()
            if province_of(here) in goals:
                return far[here]
            if kind == "A":
                nexts = [*self.army.get(here, ())]
            else:
                nexts = [there for ways in self.fleet.get(here, {}).values() for there in ways]
            for there in nexts:
                if there not in far:
                    far[there] = far[here] + 1
                    todo.append(there)
        return None


@cache
def ground_of(board: Board) -> Ground:
    """The board's data in this judge's form."""
    return Ground(
        board,
        army=board.army_to,
        fleet=board.fleet_to,
        kind={code: province.kind for code, province in board.provinces.items()},
        waters=frozenset(code for code, p in board.provinces.items() if p.kind == "sea" or p.convoys),
        centres=frozenset(code for code, p in board.provinces.items() if p.centre),
        homes={code: p.home for code, p in board.provinces.items() if p.centre and p.home},
        names={
            place: board.provinces[province_of(place)].name + place[len(province_of(place)) :]
            for place in (*board.provinces, *board.fleet_to)
        },
    )


# Orders ---------------------------------------------------------------------------------------------------------------

Does: TypeAlias = Literal["H", "-", "S", "C", "Build", "Disband", "Waive"]


@dataclass(frozen=True, slots=True)
class Named:
    """A unit as a line names it; kind and coast may be left out."""

    kind: str
    province: str
    coast: str = ""

    def written(self, names: Mapping[str, str]) -> str:
        coast = f"/{self.coast}" if self.coast else ""
        return f"{self.kind} {names[self.province]}{coast}".strip()


NO_UNIT = Named("", "")


@dataclass(frozen=True, slots=True)
class Order:
    """A line of a sheet: to hold (H), move or retreat (-), support (S; to hold, if `to` is empty), convoy (C), or in winter."""

    unit: Named
    does: Does
    whom: Named = NO_UNIT
    to: str = ""
    coast: str = ""
    via: bool = False

    def written(self, names: Mapping[str, str]) -> str:
        to = f" - {names[self.to]}" + (f"/{self.coast}" if self.coast else "") if self.to else ""
        unit = self.unit.written(names) if self.unit.province else ""
        match self.does:
            case "H":
                return f"{unit} H"
            case "-":
                return f"{unit}{to}" + (" via convoy" if self.via else "")
            case "S" | "C":
                return f"{unit} {self.does} {self.whom.written(names)}{to}"
            case "Waive":
                return "Waive"
            case "Build" | "Disband":
                return f"{self.does} {unit}"


class Reader:
    """Reads lines in the one form that this judge writes, with codes or names, in any case."""

    def __init__(self, ground: Ground) -> None:
        self.codes = {name.casefold(): code for code, name in ground.names.items() if "/" not in code}
        self.codes |= {code.casefold(): code for code in ground.board.provinces}
        words = "|".join(sorted(map(re.escape, self.codes), key=lambda word: (-len(word), word)))

        def unit(key: str) -> str:
            return rf"(?:(?P<k{key}>[AF]) )?(?P<p{key}>{words})(?:/(?P<c{key}>[NSEW]C))?"

        goal = rf" - (?P<to>{words})(?:/(?P<coast>[NSEW]C))?"
        forms: dict[Does, str] = {
            "H": rf"{unit('u')} (?:H|holds)",
            "-": rf"{unit('u')}{goal}(?P<via> via(?: convoy)?)?",
            "S": rf"{unit('u')} S {unit('w')}(?:{goal}| H)?",
            "C": rf"{unit('u')} C {unit('w')}{goal}",
            "Build": rf"(?:Build|B) {unit('u')}",
            "Disband": rf"(?:Disband|Remove) {unit('u')}",
            "Waive": "Waive",
        }
        self.forms = {does: re.compile(form, re.IGNORECASE) for does, form in forms.items()}

    def read(self, line: str) -> Order | None:
        """The order; None if the line cannot be read (DP-O-7)."""
        for does, form in self.forms.items():
            if found := form.fullmatch(" ".join(line.split())):
                said = {key: word or "" for key, word in found.groupdict().items()}

                def code(key: str, said: Mapping[str, str] = said) -> str:
                    return self.codes.get(said.get(key, "").casefold(), "")

                def unit(key: str, said: Mapping[str, str] = said) -> Named:
                    return Named(said.get(f"k{key}", "").upper(), code(f"p{key}"), said.get(f"c{key}", "").upper())

                return Order(
                    unit("u"), does, unit("w"), code("to"), said.get("coast", "").upper(), bool(said.get("via"))
                )
        return None


@cache
def reader_of(board: Board) -> Reader:
    return Reader(ground_of(board))


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in its place."""

    power: str
    kind: str
    place: str

    @property
    def province(self) -> str:
        return province_of(self.place)

    def text(self, ground: Ground) -> str:
        return f"{self.kind} {ground.names[self.place]}"


# Possible orders ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Field:
    """All units by their provinces, on a board, by house rules."""

    ground: Ground
    settings: Settings
    units: Mapping[str, Unit]

    @property
    def at_sea(self) -> frozenset[str]:
        """Places of the fleets that could convoy."""
        return frozenset(
            place for place, unit in self.units.items() if unit.kind == "F" and place in self.ground.waters
        )

    def goals(self, unit: Unit, to: str, coast: str) -> list[str]:
        """Places that a fleet's move could mean: one, if it is legal (DP-O-8)."""
        near = [*self.ground.fleet.get(unit.place, {}).get(to, ())]
        if not any("/" in place for place in near):
            return near
        named = f"{to}/{coast}"
        match self.settings.coasts.value:
            case "strict":
                return [named] if coast and named in near else [] if coast else near * 2
            case "corrected" if len(near) == 1:
                return near
            case _:
                return near if not coast else [named] if named in near else []

    def could_go(self, unit: Unit, to: str, *, without: str = "", via: bool = False) -> bool:
        """True if a unit could ever move there, on some coast."""
        if to == unit.province:  # DP-M-12
            return False
        if unit.kind == "F":
            return to in self.ground.fleet.get(unit.place, {})
        if not via and to in self.ground.army[unit.province]:
            return True
        return self.ground.ferries(self.at_sea - {without}, unit.province, to)

    def breaks(self, order: Order) -> set[str]:
        """Rules broken by a power's order for one of its units: every rule that could be named for it."""
        unit = self.units[order.unit.province]
        broken: set[str] = set()
        binding = self.settings.unit_coast.value == "binding" and order.unit.coast and unit.kind == "F"
        if binding and unit.place != f"{unit.province}/{order.unit.coast}":
            broken.add("DP-O-9")
        match order.does:
            case "-":
                broken |= self.move_breaks(unit, order)
            case "S":
                broken |= self.support_breaks(unit, order)
            case "C":
                broken |= self.convoy_breaks(unit, order)
            case "Build" | "Disband" | "Waive":
                broken.add("DP-O-1")
            case "H":
                pass
        return broken

    def move_breaks(self, unit: Unit, order: Order) -> set[str]:
        to, kind = order.to, self.ground.kind[order.to]
        if to == unit.province:
            return {"DP-M-12"}
        if unit.kind == "F":
            if kind == "inland":
                return {"DP-G-6"}
            if to not in self.ground.fleet[unit.place]:
                return {"DP-M-1"}
            return set() if len(self.goals(unit, to, order.coast)) == 1 else {"DP-O-8"}
        if kind == "sea":
            return {"DP-G-6"}
        if self.could_go(unit, to, via=order.via):
            return set()
        return {"DP-C-2", "DP-M-1"}

    def support_breaks(self, unit: Unit, order: Order) -> set[str]:
        broken: set[str] = {"DP-M-12"} if order.to == order.whom.province else set()
        whom = self.units.get(order.whom.province)
        if whom is None:
            broken.add("DP-S-2")
        elif order.whom.kind not in ("", whom.kind):
            broken |= {"DP-O-6", "DP-S-2"}
        if order.whom.province == unit.province:
            broken.add("DP-S-8")
        into = order.to or order.whom.province
        if into not in self.ground.reach(unit.kind, unit.place):
            broken.add("DP-S-1")
        # A reading: a coast that the other cannot reach makes the support invalid (DP-S-6), not illegal.
        if whom is not None and order.to and not self.could_go(whom, order.to, without=unit.province):
            broken.add("DP-S-7")
        return broken

    def convoy_breaks(self, unit: Unit, order: Order) -> set[str]:
        army = self.units.get(order.whom.province)
        if order.whom.province == order.to:
            return {"DP-C-9", "DP-C-1", "DP-M-12"}
        if unit.province not in self.at_sea or army is None or army.kind == "F" or order.whom.kind == "F":
            return {"DP-C-1"}
        return set() if self.on_a_route(unit.province, army.province, order.to) else {"DP-C-9"}

    def on_a_route(self, fleet: str, start: str, goal: str) -> bool:
        """DP-C-9."""
        if start == goal:
            return False
        routes = (route for route in self.ground.routes(self.at_sea, start, goal) if fleet in route)
        if goal in self.ground.army[start]:  # only where the route needs it
            return any(not self.ground.ferries({*route} - {fleet}, start, goal) for route in routes)
        return next(routes, None) is not None


# The battle -----------------------------------------------------------------------------------------------------------

Question: TypeAlias = tuple[Literal["path", "goes", "cut", "lost"], str]
Range: TypeAlias = tuple[int, int]
ONE, GENERAL = 2, 3
"""Strengths, doubled (AA-L-4)."""


@dataclass(frozen=True, slots=True)
class Said:
    """The results that a verdict may give, and the rules that it may name; no rules if any will do."""

    words: frozenset[str]
    rules: frozenset[str] = frozenset()


def said(words: str, rules: Collection[str] = ()) -> Said:
    return Said(frozenset(words.split("|")), frozenset(rules))


@dataclass(frozen=True, slots=True)
class Fought:
    """All units after the battle."""

    said: Mapping[str, Said]
    moved: Mapping[str, str]
    """Province -> the place where its unit went."""
    lost: Mapping[str, str | None]
    """Province of a dislodged unit -> where its attacker came from, if that is closed to it (DP-R-2, DP-R-3)."""
    closed: frozenset[str]
    seen: Counter[str] = field(default_factory=Counter)


class Battle:
    """One turn's moves. `orders` are legal, one for each unit; a unit without one holds. Those in `stuck` tried an impossible move."""

    def __init__(
        self,
        field: Field,
        orders: Mapping[str, Order],
        stuck: Collection[str] = (),
        generals: Collection[str] = (),
    ) -> None:
        self.field, self.ground, self.settings = field, field.ground, field.settings
        self.orders, self.stuck, self.generals = orders, stuck, generals
        self.units = field.units
        self.known: dict[Question, bool] = {}
        self.open: set[Question] = set()
        self.no_effect: set[str] = set()
        self.ring: set[str] = set()
        self.moves = {here: order.to for here, order in orders.items() if order.does == "-"}
        self.goal = {here: self.goal_of(here) for here in self.moves}
        self.to: dict[str, list[str]] = {}
        for here, goal in self.moves.items():
            self.to.setdefault(goal, []).append(here)
        self.carried = {
            here: frozenset(
                fleet
                for fleet, order in orders.items()
                if order.does == "C" and order.whom.province == here and order.to == goal
            )
            for here, goal in self.moves.items()
        }
        self.by_convoy = frozenset(here for here in self.moves if self.goes_by_convoy(here))
        self.helpers: dict[str, list[str]] = {}
        for here, order in orders.items():
            if order.does == "S" and self.as_supported(order):
                self.helpers.setdefault(order.whom.province, []).append(here)

    def goal_of(self, here: str) -> str:
        """Place that a move leads to."""
        unit, order = self.units[here], self.orders[here]
        if unit.kind == "A":
            return order.to
        (goal,) = self.field.goals(unit, order.to, order.coast)
        return goal

    def goes_by_convoy(self, here: str) -> bool:
        """DP-C-5."""
        unit, goal = self.units[here], self.moves[here]
        if unit.kind == "F":
            return False
        if goal not in self.ground.army[here] or self.orders[here].via:
            return True
        own = any(self.units[fleet].power == unit.power for fleet in self.carried[here])
        return own and self.settings.adjacent_convoys.value == "intent"

    def as_supported(self, order: Order) -> bool:
        """True if the other unit does just what a support names (DP-S-3, DP-S-6)."""
        whom = order.whom.province
        if not order.to:
            return whom not in self.moves and whom not in self.stuck
        if self.moves.get(whom) != order.to:
            return False
        return not self.wrong_coast(order)

    def wrong_coast(self, order: Order) -> bool:
        """DP-S-6."""
        goal = self.goal[order.whom.province]
        if "/" not in goal:
            return False
        if not order.coast:
            return self.settings.support_coasts.value == "strict"
        return goal != f"{order.to}/{order.coast}"

    # Asking

    def ask(self, question: Question) -> bool | None:
        answer = self.known.get(question)
        if answer is None:
            self.open.add(question)
        return answer

    def force(self, here: str) -> int:
        """Strength of a move (DP-M-3, AA-L-3)."""
        return GENERAL if here in self.generals else ONE

    def help(self, here: str, *, against: str | None = None) -> Range:
        least = most = 0
        for helper in self.helpers.get(here, ()):
            if against is not None and self.units[helper].power == against:  # DP-M-9
                continue
            cut = self.ask(("cut", helper))
            least += ONE * (cut is False)
            most += ONE * (cut is not True)
        return least, most

    def head_on(self, here: str) -> bool:
        """DP-M-7."""
        goal = self.moves[here]
        return self.moves.get(goal) == here and not {here, goal} & self.by_convoy

    def attack(self, here: str) -> Range:
        goal, unit = self.moves[here], self.units[here]
        there = self.units.get(goal)
        stays: bool | None = there is not None
        if there is not None and goal in self.moves and not self.head_on(here):
            gone = self.ask(("goes", goal))
            stays = None if gone is None else not gone
        least, most = self.help(here)
        full = (self.force(here) + least, self.force(here) + most)
        if there is None or stays is False:
            return full
        least, most = self.help(here, against=there.power)
        against = (0, 0) if there.power == unit.power else (self.force(here) + least, self.force(here) + most)
        return against if stays else (against[0], full[1])

    def resist(self, here: str) -> Range:
        """Strength of the unit in the goal of a move to stay there (DP-M-4, DP-M-7, DP-O-3)."""
        goal = self.moves[here]
        if goal not in self.units:
            return 0, 0
        if goal in self.moves and not self.head_on(here):
            gone = self.ask(("goes", goal))
            return ONE * (gone is False), ONE * (gone is not True)
        own = self.force(goal) if goal in self.moves else ONE
        least, most = self.help(goal)
        return own + least, own + most

    def swept(self, here: str) -> bool | None:
        """True if a move has no effect at its goal, because a move from there dislodges its unit (DP-M-8)."""
        goal = self.moves[here]
        past = self.settings.disengaged.value == "harmless" and self.moves.get(goal) == here
        return self.ask(("goes", goal)) if self.head_on(here) or past else False

    def prevent(self, here: str) -> Range:
        """Strength of a move to keep others from its goal (DP-M-2, DP-M-8)."""
        arrives = self.ask(("path", here))
        swept = self.swept(here)
        if swept and not self.head_on(here):  # passed by convoy: it must have been dislodged over it
            gone = self.ask(("goes", here))
            swept = None if gone is None else not gone
        if arrives is False or swept is True:
            return 0, 0
        least, most = self.help(here)
        own = self.force(here)
        return (own + least if arrives and swept is False else 0), own + most

    # Answering

    def answer(self, question: Question) -> bool | None:
        about, here = question
        match about:
            case "path":
                return self.path(here)
            case "goes":
                return self.goes(here)
            case "cut":
                return self.cut(here)
            case "lost":
                return self.lost(here)

    def path(self, here: str) -> bool | None:
        """True if a move reaches its goal (DP-C-2 to DP-C-4)."""
        if here not in self.by_convoy:
            return True
        goal = self.moves[here]
        routes = [*self.ground.routes(self.carried[here], here, goal)]
        if not routes:
            return False
        lost = {fleet: self.ask(("lost", fleet)) for route in routes for fleet in route}
        if self.settings.multi_route.value == "all":
            if True in lost.values():
                return False
            return None if None in lost.values() else True
        if any(all(lost[fleet] is False for fleet in route) for route in routes):
            return True
        return None if any(all(lost[fleet] is not True for fleet in route) for route in routes) else False

    def goes(self, here: str) -> bool | None:
        """DP-M-3."""
        arrives = self.ask(("path", here))
        if arrives is False:
            return False
        least, most = self.attack(here)
        rivals = [self.prevent(other) for other in self.to[self.moves[here]] if other != here]
        against = [self.resist(here), *rivals]
        if arrives and all(least > strength for _, strength in against):
            return True
        return False if any(most <= strength for strength, _ in against) else None

    def comes_from(self, other: str, into: str) -> bool:
        """True if an attack comes from the province that a support goes into (DP-S-4).

        A reading: an attack by convoy comes from no province, not even from the province of the last fleet, unless the house
        rule says "origin".
        """
        return other == into and (other not in self.by_convoy or self.settings.convoyed_attack.value == "origin")

    def cut(self, here: str) -> bool | None:
        """DP-S-4, DP-S-5, DP-S-9."""
        order = self.orders[here]
        into = order.to or order.whom.province
        attacked: list[bool | None] = [
            self.ask(("path", other))
            for other in self.to.get(here, ())
            if self.units[other].power != self.units[here].power and not self.comes_from(other, into)
        ]
        attacked.append(self.ask(("lost", here)))
        return True if True in attacked else None if None in attacked else False

    def lost(self, here: str) -> bool | None:
        gone = self.ask(("goes", here)) if here in self.moves else False
        taken = [self.ask(("goes", other)) for other in self.to.get(here, ())]
        if gone or all(one is False for one in taken):
            return False
        return True if gone is False and True in taken else None

    def solve(self) -> None:
        left: list[Question] = [("path", here) for here in self.moves]
        left += [("goes", here) for here in self.moves]
        left += [("cut", here) for here, order in self.orders.items() if order.does == "S"]
        left += [("lost", here) for here in self.units]
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
        """Answer the questions of the smallest knot, one that only waits for itself."""

        def waits_for(question: Question) -> frozenset[Question]:
            seen: set[Question] = set()
            todo = [question]
            while todo:
                new = waits[todo.pop()] - seen
                seen |= new
                todo += new
            return frozenset(seen)

        knot = min((waits_for(question) for question in waits), key=lambda knot: (len(knot), sorted(knot)))
        paths = [question for question in knot if question[0] == "path"]
        if paths:  # DP-C-8
            self.no_effect |= {here for _, here in paths}
            self.known |= dict.fromkeys(paths, False)
        else:  # DP-M-6
            assert all(about == "goes" for about, _ in knot), knot
            self.known |= dict.fromkeys(knot, True)
            self.ring |= {here for _, here in knot}

    # Telling

    def arrivals(self, here: str) -> list[str]:
        return [other for other in self.to.get(here, ()) if self.known["path", other]]

    def told(self, here: str) -> Said:
        """The verdict of the unit in a province."""
        order = self.orders.get(here)
        lost = self.known["lost", here]
        match order.does if order is not None else "H":
            case "-":
                return self.told_move(here)
            case "S":
                assert order is not None
                return self.told_support(here, order)
            case "C":
                assert order is not None
                return self.told_convoy(here, order)
            case _:
                if lost:
                    return said("stands", {"DP-M-3"})
                powers = {self.units[other].power for other in self.arrivals(here)}
                own = not powers - {self.units[here].power}  # the rules do not say if a power's unit attacks it
                return said("stands", ({"DP-M-4"} if powers else set()) | ({"DP-O-2"} if own else set()))

    def told_move(self, here: str) -> Said:
        goal, there = self.moves[here], self.units.get(self.moves[here])
        if here in self.by_convoy and not self.ground.ferries(self.carried[here], here, goal):
            return said("invalid", {"DP-C-2"})
        rivals = [other for other in self.arrivals(goal) if other != here]
        stays = there is not None and not (goal in self.moves and self.known["goes", goal])
        if self.known["goes", here]:
            if here in self.ring:
                return said("succeeds", {"DP-M-6", "DP-M-3"} if rivals else {"DP-M-6"})
            if stays:
                return said("succeeds", {"DP-M-3"})
            rules = {"DP-M-3"} if rivals else set()
            return said("succeeds", rules | ({"DP-M-5"} if there is not None else set()) or {"DP-M-1"})
        if not self.known["path", here]:
            return said("fails", {"DP-C-8"} if here in self.no_effect else {"DP-C-3"})
        rules = ({"DP-M-2"} if rivals else set()) | ({"DP-M-7"} if self.head_on(here) else set())
        if there is not None and stays:
            rules |= {"DP-M-4"}
            if there.power == self.units[here].power or any(
                self.units[helper].power == there.power for helper in self.helpers.get(here, ())
            ):
                rules |= {"DP-M-9"}
        return said("fails", rules)

    def told_support(self, here: str, order: Order) -> Said:
        cut, lost = self.known["cut", here], self.known["lost", here]
        if not self.as_supported(order):
            right = order.to and self.moves.get(order.whom.province) == order.to
            rules = {"DP-S-6"} if right else {"DP-S-3"}  # an illegal move does not count
            return said("invalid|cut" if cut else "invalid", rules | ({"DP-S-4", "DP-S-5"} if cut else set()))
        if cut:
            return said("cut", {"DP-S-4", "DP-S-5"} if lost else {"DP-S-4"})
        there = self.units.get(order.to) if order.to else None
        own = there is not None and there.power == self.units[here].power
        return said("given", {"DP-S-2", "DP-M-9"} if own else {"DP-S-2"})

    def told_convoy(self, here: str, order: Order) -> Said:
        army = order.whom.province
        if here not in self.carried.get(army, ()):
            return said("invalid", {"DP-C-2"})
        if self.known["lost", here]:
            return said("disrupted", {"DP-C-3"})
        if army in self.no_effect:
            return said("available|disrupted", {"DP-C-8", "DP-C-2"})
        return said("available", {"DP-C-2"} if army in self.by_convoy else {"DP-C-5"})


def fight(
    field: Field, orders: Mapping[str, Order], stuck: Collection[str] = (), generals: Collection[str] = ()
) -> Fought:
    """Fight the battle."""
    battle = Battle(field, orders, stuck, generals)
    battle.solve()
    known = battle.known
    moved = {here: battle.goal[here] for here in battle.moves if known["goes", here]}
    lost: dict[str, str | None] = {}
    for here in field.units:
        if known["lost", here]:
            (by,) = (other for other in battle.to[here] if other in moved)
            open_ = by in battle.by_convoy and field.settings.convoyed_retreat.value == "open"
            lost[here] = None if open_ else by
    taken = {
        *map(province_of, moved.values()),
        *(here for here in field.units if here not in moved and here not in lost),
    }
    closed = {
        goal
        for here, goal in battle.moves.items()
        if goal not in taken and known["path", here] and not (battle.swept(here) and known["lost", here])  # DP-M-8
    }
    told = {here: battle.told(here) for here in field.units}
    seen = Counter(
        {
            "convoyed": len(battle.by_convoy & moved.keys()),
            "convoy broken": sum(not known["path", here] for here in battle.by_convoy),
            "paradox": len(battle.no_effect),
            "ring": len(battle.ring),
            "dislodged": len(lost),
            "head-on": sum(map(battle.head_on, battle.moves)),
            "on a coast": sum("/" in goal for goal in moved.values()),
            "traded places": sum(moved.get(province_of(goal), "").startswith(here) for here, goal in moved.items()),
            "wrong coast": sum(
                order.does == "S"
                and battle.moves.get(order.whom.province) == order.to != ""
                and battle.wrong_coast(order)
                for order in orders.values()
            ),
        }
    )
    for what in told.values():
        (seen.update(what.words) if len(what.words) == 1 else None)
    return Fought(told, moved, lost, frozenset(closed), +seen)


def filled(order: Order, units: Mapping[str, Unit], *, again: bool = False) -> Order:
    """The order with the kinds of its units, if the line left them out, or `again` in any case (DP-O-6)."""

    def full(named: Named) -> Named:
        here = units.get(named.province)
        if here is None or (named.kind and not again):
            return named
        return replace(named, kind=here.kind)

    return replace(order, unit=full(order.unit), whom=full(order.whom) if order.whom.province else order.whom)
