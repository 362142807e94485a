"""Random orders of a war: crowds of units that fight over few places, with supports, convoys and retreats."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from random import Random

from adjudicator.rulesets.diplomacy.position import Dislodged
from tests.judges.moves import Field, Ground, Named, Order, Unit, province_of, reader_of


def crowd(random: Random, ground: Ground, powers: Collection[str], taken: Collection[str], number: int) -> list[Unit]:
    """`number` units, mostly near each other; some on seas among them."""
    near = neighbours(ground)
    if random.random() < 0.5:  # on and near the sea, where fleets carry armies
        near = {
            here: {to for to in tos if ground.kind[to] != "inland"}
            for here, tos in near.items()
            if ground.kind[here] != "inland"
        }
    split = sorted({province_of(place) for place in ground.fleet if "/" in place} & near.keys())
    starts = split if split and random.random() < 0.3 else sorted(near)
    todo = [random.choice(starts) for _ in range(random.choice([1, 1, 2, 4]))]
    places: list[str] = []
    while todo and len(places) < number * 1.3:
        here = todo.pop(random.randrange(len(todo)))
        if here not in places:
            places.append(here)
            todo += sorted(near[here])
    few = random.sample(sorted(powers), min(len(powers), random.choice([2, 3, 3, 7])))
    units: list[Unit] = []
    for place in random.sample(places, min(number, len(places))):
        if place in taken:
            continue
        kinds = [
            kind for kind in "AF" if (kind == "A" and place in ground.army) or (kind == "F" and ground.places(place))
        ]
        kind = "F" if place in split and random.random() < 0.7 else random.choice(kinds)
        at = random.choice(ground.places(place)) if kind == "F" else place
        units.append(Unit(random.choice(few), kind, at))
    return units


def neighbours(ground: Ground) -> dict[str, set[str]]:
    near: dict[str, set[str]] = defaultdict(set)
    for here, tos in ground.army.items():
        for to in tos:
            near[here].add(to)
            near[to].add(here)
    for place, ways in ground.fleet.items():
        for to in ways:
            near[province_of(place)].add(to)
            near[to].add(province_of(place))
    return near


class Lot:
    """Random orders for all units of a position, so that plans of several powers meet."""

    def __init__(self, random: Random, field: Field) -> None:
        self.random, self.field, self.ground = random, field, field.ground
        self.near = {here: sorted(tos) for here, tos in neighbours(self.ground).items()}
        self.plans: dict[str, Order] = {}
        self.plan()

    def named(self, unit: Unit, *, coast: bool = False) -> Named:
        random = self.random
        at = unit.place.partition("/")[2]
        if coast and at and random.random() < 0.3:
            return Named(unit.kind, unit.province, at if random.random() < 0.7 else random.choice(["NC", "SC", "EC"]))
        return Named(unit.kind, unit.province)

    def goal(self, unit: Unit, to: str) -> str:
        """A coast to name in a fleet's move: mostly a right one, mostly only if it is needed."""
        random = self.random
        if unit.kind == "A":
            return random.choice(["NC", "SC"]) if random.random() < 0.01 else ""
        near = self.ground.fleet[unit.place].get(to, ())
        coasts = [place.partition("/")[2] for place in near if "/" in place]
        if not coasts:
            return ""
        if random.random() < 0.1:
            return random.choice(["NC", "SC", "EC", "WC", "", ""])
        return random.choice(coasts) if len(coasts) > 1 or random.random() < 0.5 else ""

    def move(self, unit: Unit, to: str, *, via: bool = False) -> Order:
        return Order(self.named(unit, coast=True), "-", to=to, coast=self.goal(unit, to), via=via)

    def plan(self) -> None:
        random, ground, units = self.random, self.ground, self.field.units
        here_all = [*units]
        random.shuffle(here_all)
        self.convoys(here_all)
        hot = random.sample(sorted(self.near), 3) + random.sample(sorted(units), min(4, len(units)))
        for here in here_all:
            unit = units[here]
            reach = sorted(ground.reach(unit.kind, unit.place))
            if here in self.plans or not reach or random.random() < 0.42:
                continue
            wanted = [to for to in reach if to in hot or to in units]
            to = random.choice(wanted if wanted and random.random() < 0.75 else reach)
            self.plans[here] = self.move(unit, to, via=random.random() < 0.05)
        for here in here_all:
            if here not in self.plans:
                self.plans[here] = self.aid(units[here])

    def convoys(self, all_: list[str]) -> None:
        random, ground, units = self.random, self.ground, self.field.units
        seas = self.field.at_sea
        if not seas:
            return
        armies = [here for here in all_ if units[here].kind == "A" and ground.kind[here] == "coast"]
        for here in armies[: random.choice([0, 1, 2, 3, 3])]:
            routes: dict[str, list[tuple[str, ...]]] = defaultdict(list)
            for to in sorted(ground.army):
                if ground.kind[to] == "coast" and to != here:
                    routes[to] = [*itertools.islice(ground.routes(seas - self.plans.keys(), here, to), 12)]
            goals = [to for to, ways in routes.items() if ways]
            if not goals:
                continue
            crowded = [to for to in goals if to in units or ground.army[to] & units.keys()]
            bound = [to for to in crowded if to in units and self.beside_fleets(to, routes[to])]
            to = random.choice(bound if bound and random.random() < 0.7 else crowded or goals)
            self.plans[here] = self.move(units[here], to, via=random.random() < 0.4)
            for way in random.sample(routes[to], min(len(routes[to]), random.choice([1, 1, 2, 3]))):
                for sea in way:
                    self.plans[sea] = Order(self.named(units[sea]), "C", self.named(units[here]), to)
            if random.random() < 0.8 and to in units and to not in self.plans:
                # The attacked unit at the landing supports an attack on a fleet of the convoy: a paradox, if all goes
                # well.
                fleets = [
                    sea for way in routes[to] for sea in way if sea in ground.reach(units[to].kind, units[to].place)
                ]
                for fleet in fleets[:1]:
                    by = [other for other in all_ if fleet in ground.reach(units[other].kind, units[other].place)]
                    by = [other for other in by if other not in self.plans and other != to]
                    if by:
                        self.plans[by[0]] = self.move(units[by[0]], fleet)
                        self.plans[to] = self.support(units[to], by[0])

    def beside_fleets(self, here: str, routes: list[tuple[str, ...]]) -> bool:
        """True if the unit in a place could support something into a sea of some route."""
        unit = self.field.units[here]
        reach = self.ground.reach(unit.kind, unit.place)
        return any(sea in reach for way in routes for sea in way)

    def aid(self, unit: Unit) -> Order:
        """Hold, or support the plan of somebody nearby."""
        random, ground, units = self.random, self.ground, self.field.units
        reach = ground.reach(unit.kind, unit.place)
        others = [
            other
            for other in units
            if other != unit.province
            and (
                self.plans[other].to in reach
                if other in self.plans and self.plans[other].does == "-"
                else other in reach
            )
        ]
        if not others or random.random() < 0.1:
            return Order(self.named(unit, coast=True), "H")
        moving = [other for other in others if other in self.plans and self.plans[other].does == "-"]
        return self.support(unit, random.choice(moving if moving and random.random() < 0.8 else others))

    def support(self, unit: Unit, other: str) -> Order:
        plan = self.plans.get(other)
        whom = self.named(self.field.units[other])
        if plan is None or plan.does != "-":
            return Order(self.named(unit), "S", whom)
        coast = plan.coast
        split = any("/" in place for place in self.ground.places(plan.to))
        if split and self.random.random() < 0.4:
            coast = self.random.choice(["", "NC", "SC", "EC"])
        elif not split and self.random.random() < 0.01:
            coast = "NC"
        return Order(self.named(unit), "S", whom, plan.to, coast)

    def perverse(self, unit: Unit) -> Order:
        """An order that does not fit, often an illegal one."""
        random, ground, units = self.random, self.ground, self.field.units
        place = random.choice(self.near[unit.province] if random.random() < 0.7 else sorted(self.near))
        kind = unit.kind if random.random() < 0.97 else "FA"[unit.kind == "F"]
        me = Named(kind, unit.province)
        other = units[random.choice(sorted(units))]
        whom = Named(other.kind if random.random() < 0.95 else "AF"[other.kind == "A"], other.province)
        if random.random() < 0.05:
            whom = Named("A", place)
        to = random.choice(self.near[whom.province]) if random.random() < 0.7 else place
        match random.choice("--VSsC"):
            case "-":
                return Order(
                    me,
                    "-",
                    to=place,
                    coast=random.choice(["", "", "", "NC", "SC"]) if "/" in ground.places(place).__str__() else "",
                )
            case "V":
                return Order(me, "-", to=place, via=True)
            case "S":
                return Order(me, "S", whom)
            case "s":
                return Order(me, "S", whom, to)
            case _:
                return Order(me, "C", whom, to)

    def order(self, here: str) -> Order:
        random, unit = self.random, self.field.units[here]
        if random.random() < 0.1:
            return self.perverse(unit)
        return self.plans[here]

    def lines(self, power: str) -> list[str]:
        """A power's sheet; now and then a unit is forgotten, ordered twice, or somebody else's."""
        random, units = self.random, self.field.units
        lines = [
            self.write(self.order(here))
            for here, unit in units.items()
            if unit.power == power and random.random() < 0.95
        ]
        if random.random() < 0.1 and units:
            lines.append(self.write(self.perverse(units[random.choice(sorted(units))])))
        if lines and random.random() < 0.05:
            lines.append(random.choice(lines))
        if random.random() < 0.03:
            lines.append(
                random.choice(["A Xyzzy H", "Frobnicate", "Build A " + random.choice(sorted(self.near)), "Waive"])
            )
        random.shuffle(lines)
        return lines

    def write(self, order: Order) -> str:
        return written(self.random, self.ground, order)


def written(random: Random, ground: Ground, order: Order) -> str:
    """An order as people write it: by names or by codes."""
    return order.written(ground.names if random.random() < 0.8 else {place: place for place in ground.names})


def muddled(
    random: Random,
    ground: Ground,
    units: Mapping[str, Unit],
    lines: Collection[str],
    more: Iterable[str],
    chance: float,
    *,
    moves: bool,
) -> list[str]:
    """A sheet gone over again: units called by the wrong kind or coast, said twice in other words, and ordered again."""
    reader = reader_of(ground.board)
    sheet = [*lines, *(line for line in more if random.random() < chance)]
    for line in [*sheet]:
        order = reader.read(line)
        if order is None or order.does in ("Build", "Waive") or random.random() > chance:
            continue
        times = random.choice([1, 1, 2])
        sheet += [written(random, ground, recast(random, ground, units, order)) for _ in range(times)]
        if random.random() < 0.3:
            sheet.remove(line)
        if moves and random.random() < 0.15:
            name = order.unit.written(ground.names)
            to = ground.names[random.choice(sorted(ground.army))]
            sheet.append(random.choice([f"{name} R {to}", f"Disband {name}", f"Build {name}"]))
    if random.random() < 0.7:
        random.shuffle(sheet)
    return sheet


def recast(random: Random, ground: Ground, units: Mapping[str, Unit], order: Order) -> Order:
    """The same order in other words, or with another kind or coast of a unit."""

    def called(named: Named, chance: float) -> Named:
        kind = random.choice(["", "A", "F"]) if random.random() < chance else named.kind
        coast = named.coast
        split = any("/" in place for place in ground.places(named.province))
        if random.random() < (0.5 if split else 0.03):
            there = units.get(named.province)
            right = there.place.partition("/")[2] if there is not None else ""
            coast = random.choice([right, right, "NC", "SC", "EC", ""])
        return Named(kind, named.province, coast)

    whom = called(order.whom, 0.2) if order.whom.province else order.whom
    coast = order.coast
    if order.to and any("/" in place for place in ground.places(order.to)) and random.random() < 0.3:
        coast = random.choice(["", "NC", "SC", "EC"])
    via = order.via != (order.does == "-" and random.random() < 0.05)
    return Order(called(order.unit, 0.4), order.does, whom, order.to, coast, via)


def retreat_lines(random: Random, ground: Ground, lost: Iterable[Dislodged], power: str) -> list[str]:
    """A power's retreats; several want the same few places."""
    codes = {name: place for place, name in ground.names.items()}
    places = [(gone.power, gone.unit[0], codes[gone.unit[2:]]) for gone in lost]
    count: dict[str, int] = defaultdict(int)
    for _, kind, place in places:
        for to in ground.reach(kind, place):
            count[to] += 1
    lines: list[Order] = []
    for owner, kind, place in places:
        if owner != power and random.random() < 0.97:
            continue
        unit = Named(kind, province_of(place))
        for _ in range(random.choice([0, 1, 1, 1, 1, 1, 1, 1, 2])):
            reach = sorted(ground.reach(kind, place))
            to = random.choice(reach or [province_of(place)])
            if reach and random.random() < 0.5:
                to = max(reach, key=lambda goal: (count[goal], random.random()))
            near = ground.fleet[place].get(to, ()) if kind == "F" else ()
            coasts = [goal.partition("/")[2] for goal in near if "/" in goal]
            coast = random.choice(["NC", "SC", "EC", ""] if random.random() < 0.15 else coasts) if coasts else ""
            if random.random() < 0.1:
                lines.append(Order(unit, "Disband"))
            elif random.random() < 0.04:
                lines.append(Order(unit, random.choice(["H", "S"]), Named(kind, province_of(place)), ""))
            else:
                lines.append(Order(unit, "-", to=to, coast=coast))
    return [written(random, ground, order) for order in lines]


def winter_lines(
    random: Random, ground: Ground, units: Mapping[str, Unit], own: Collection[str], power: str
) -> list[str]:
    """A power's builds and removals, and some illegal lines."""
    mine = sorted(here for here, unit in units.items() if unit.power == power)
    more = len(own) - len(mine)
    lines: list[Order] = []
    homes = sorted(place for place, owner in ground.homes.items() if owner == power)
    for _ in range(random.randint(0, abs(more) + 1)):
        chance = random.random()
        if (more < 0) != (chance < 0.06):
            here = random.choice(mine if mine and random.random() < 0.95 else [*units] or homes or sorted(ground.army))
            kind = units[here].kind if here in units and random.random() < 0.95 else random.choice("AF")
            lines.append(Order(Named(kind, here), "Disband"))
        elif chance > 0.93:
            lines.append(Order(Named("", ""), "Waive"))
        else:
            sites = homes if random.random() < 0.7 else sorted(own)
            place = random.choice(sites or sorted(ground.army))
            kind = random.choice("AF")
            coasts = [at.partition("/")[2] for at in ground.places(place) if "/" in at]
            coast = random.choice([*coasts, ""]) if coasts and kind == "F" else ""
            lines.append(Order(Named(kind, place, coast), "Build"))
    return [written(random, ground, order) for order in lines]
