"""Noblesse's battles and incomes, judged a second time: written only from RULES.md and the catalogue.

It knows Nights when units move, fight and take estates, and collectors collect: sections A, B, E, F, G, H and the battle
procedure. It does not know the effects of actions, abilities, family and deaths on a Night.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeAlias

from adjudicator.rulesets.noblesse.orders import Order, Unreadable, reader_of
from adjudicator.rulesets.noblesse.position import Courtier, Position, Unit
from adjudicator.rulesets.noblesse.scenario import COLOURS, RESOURCES, tables

VALUES = ("attack", "malus", "melee", "charge", "pike", "ranged", "ambush", "toughness", "morale")
FAMILY, COURT = 3, 2
"""Attack of a PC or Heir, and of a Courtier or Noble (NB-P-2, NB-K-6)."""
ARSENAL = 15
Sums: TypeAlias = Counter[str]


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight as a report shows it."""

    sides: tuple[frozenset[str], frozenset[str]]
    net: tuple[int, int]
    start: tuple[int, int]
    rounds: int
    how: str
    left: tuple[int, int]


@dataclass
class Side:
    """A side of a battle (NB-CH-1)."""

    factions: frozenset[str]
    units: list[str]
    sums: Sums
    morale: int
    walled: bool = False
    """True if a Star Fortress keeps it from ambush."""


@dataclass
class Night:
    """Result of a Night."""

    places: dict[str, str] = field(default_factory=dict)
    """Unit -> estate, for the units that are left."""
    battles: dict[str, tuple[list[frozenset[str]], list[Fight]]] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    earned: dict[str, Counter[str]] = field(default_factory=dict)
    home: set[tuple[str, int]] = field(default_factory=set)
    """Courtiers who went back to court."""
    hostile: set[frozenset[str]] = field(default_factory=set)
    """Pairs of factions whose treaties ended because one asked (NB-H-7)."""
    unknown: str = ""
    """Reasons why this judge cannot judge the Night."""
    seen: Counter[str] = field(default_factory=Counter)


def fight(one: Side, other: Side) -> Fight:
    """One fight (battle procedure): all losses of a stage are applied at once."""
    pair = (one, other)
    start = (one.morale, other.morale)
    net = tuple(max(1, a.sums["attack"] - b.sums["malus"]) for a, b in (pair, pair[::-1]))

    def lose(side: Side, dealt: Iterable[int]) -> int:
        return sum(max(0, amount - side.sums["toughness"]) for amount in dealt if amount > 0)

    losses = [0 if mine.walled else lose(mine, [theirs.sums["ambush"]]) for mine, theirs in (pair, pair[::-1])]
    for side, loss in zip(pair, losses, strict=True):
        side.morale -= loss
    count, still, rounds = [0, 0], 0, 0
    while one.morale > 0 and other.morale > 0 and still < 6:
        rounds += 1
        count = [have + more for have, more in zip(count, net, strict=True)]
        dealt: list[list[int]] = [[], []]
        for index, side in enumerate(pair):
            if count[index] >= 6:
                dealt[index] += [side.sums["melee"], side.sums["charge"] * (count[index] - 6)]
                dealt[1 - index].append(pair[1 - index].sums["pike"])
            else:
                dealt[index].append(side.sums["ranged"])
        count = [have if have < 6 else 0 for have in count]
        losses = [lose(pair[0], dealt[1]), lose(pair[1], dealt[0])]
        still = still + 1 if not any(losses) else 0
        for side, loss in zip(pair, losses, strict=True):
            side.morale -= loss
    alive = [side.morale > 0 for side in pair]
    how = "stand-off" if all(alive) else "won" if any(alive) else "both-lost"
    return Fight((one.factions, other.factions), (net[0], net[1]), start, rounds, how, (one.morale, other.morale))


class War:
    """A Night in the making."""

    def __init__(self, position: Position, orders: Mapping[str, Sequence[str]]) -> None:
        self.position, self.board = position, position.settings.board
        self.cycle = position.cycle
        reader = reader_of(self.board)
        self.orders: dict[str, list[Order]] = {}
        for seat, lines in orders.items():
            read = [reader.read(line) for line in lines]
            self.orders[seat] = [order for order in read if not isinstance(order, Unreadable)]
        self.faction = {seat: player.faction for seat, player in position.players.items()}
        self.units: dict[str, Unit] = dict(position.units)
        self.at = {name: unit.at for name, unit in self.units.items()}
        self.by = {estate: holding.by for estate, holding in position.estates.items() if holding.by}
        self.built = {
            estate: {name for name, due in holding.buildings.items() if due <= self.cycle}
            for estate, holding in position.estates.items()
        }
        self.courtiers: dict[str, dict[int, Courtier]] = {
            seat: {courtier.id: courtier for courtier in player.courtiers} for seat, player in position.players.items()
        }
        self.nobles = {name: len(faction.nobles) for name, faction in position.factions.items()}
        self.state: dict[frozenset[str], str] = {}
        for treaty in position.treaties.values():
            if treaty.status == "in force" and treaty.state is not None:
                pair = frozenset(treaty.parties)
                if self.state.get(pair) != "allied":  # NB-H-14
                    self.state[pair] = treaty.state
        self.done = Night()

    def holder(self, estate: str) -> str:
        """The faction that controls an estate (NB-V-9)."""
        by = self.by.get(estate, "")
        return self.faction.get(by, by)

    def side_of(self, unit: str) -> str:
        return self.faction[self.units[unit].owner]

    def relation(self, one: str, other: str) -> str:
        return self.state.get(frozenset((one, other)), "hostile")

    def ally(self, faction: str) -> str:
        """NB-H-12."""
        pairs = [pair - {faction} for pair, state in self.state.items() if state == "allied" and faction in pair]
        return next(iter(pairs[0])) if pairs else ""

    # Step 2

    def move(self) -> None:
        """NB-B-5 to NB-B-11."""
        start = dict(self.at)
        wanted: dict[str, str] = {}
        for seat, orders in self.orders.items():
            for order in orders:
                if order.kind not in ("move", "challenge"):
                    continue
                unit = order.args["unit"]
                if unit not in self.units or self.units[unit].owner != seat or unit in wanted:
                    continue
                way = (start[unit], *order.path)
                if any(b not in self.board.neighbours(a) for a, b in pairwise(way)):
                    continue
                young = self.units[unit].recruited == self.cycle - 1
                if not tables().formations[self.units[unit].formation].moves or len(way) > 2 + young:
                    continue
                goal = way[-1]
                first = {self.side_of(other) for other, at in start.items() if at == way[1]}
                if len(way) == 3 and first - {self.faction[seat]}:
                    goal = way[1]
                    self.done.seen["first leg"] += 1
                elif len(way) == 3:
                    self.done.seen["two estates"] += 1
                wanted[unit] = goal
        self.at |= wanted
        self.wanted = wanted
        counted: Counter[tuple[str, str]] = Counter()
        garrisons: Counter[tuple[str, str]] = Counter()
        for unit, at in self.at.items():
            key = (self.side_of(unit), at)
            if self.units[unit].formation == "garrison":
                garrisons[key] += 1
            counted[key] += 1
        if any(counted[key] - min(2, garrisons[key]) > 3 for key in counted):
            self.done.unknown = "too many units for an estate (NB-B-10)"

    # Requests (NB-H-7 to NB-H-9)

    def ask(self) -> None:
        asked: set[frozenset[str]] = set()
        for seat, orders in self.orders.items():
            for order in orders:
                if order.kind != "challenge":
                    continue
                unit, mine = order.args["unit"], self.faction[seat]
                if self.wanted.get(unit) != order.path[-1]:
                    continue
                other = self.holder(order.path[-1])
                if other and other != mine and self.relation(mine, other) == "neutral":
                    asked.add(frozenset((mine, other)))
        for pair in asked:
            self.state.pop(pair, None)
        self.done.seen["asked"] += len(asked)
        self.done.hostile = asked

    # Step 6

    def works(self, seat: str, building: str, at: str | None = None) -> bool:
        """True if a player has a building that is complete and staffed, on an estate that they control (NB-G-6)."""
        staff = Counter(
            courtier.at
            for courtier in self.courtiers[seat].values()
            if courtier.post == "staff" and courtier.what == building
        )
        need = tables().buildings[building].staff
        return any(
            count >= need and building in self.built.get(estate, ()) and self.by.get(estate) == seat
            for estate, count in staff.items()
            if estate is not None and at in (None, estate)
        )

    def oldest(self, seat: str) -> str:
        """NB-C-11."""
        mine = [(unit.recruited, int(name[1:]), name) for name, unit in self.units.items() if unit.owner == seat]
        return min(mine)[2] if mine else ""

    def sums(self, name: str) -> Sums:
        """Values that a unit adds to its side."""
        unit, found = self.units[name], Counter[str]()
        own = self.board.roles[unit.role or self.position.players[unit.owner].role].company
        designs = [own if design == "own" else self.board.companies[design] for design in unit.companies]
        if unit.leader == "company":
            designs.append(self.board.companies[unit.name])
        for design in designs:
            found.update({value: getattr(design, value) for value in VALUES})
        if unit.leader == "unique":
            officer = self.board.officers[unit.name]
            found.update(attack=officer.attack, malus=officer.malus, morale=officer.morale)
        elif unit.leader != "company":
            found["attack"] += FAMILY if unit.leader in ("pc", "heir") else COURT
        if self.works(unit.owner, "war council") or name == self.oldest(unit.owner):
            found.update(self.board.factions[self.faction[unit.owner]].council)
        if (
            unit.formation == "garrison"
            and self.by.get(self.at[name]) == unit.owner
            and self.works(unit.owner, "arsenal")
        ):
            found["morale"] += ARSENAL
            self.done.seen["arsenal"] += 1
        return found

    def must_fight(self, one: str, other: str, at: str) -> bool:
        state = self.relation(one, other)
        if state == "neutral":  # NB-H-3 to NB-H-5
            return self.holder(at) not in (one, other)
        return state == "hostile"

    def battle(self, at: str) -> None:
        present: dict[str, list[str]] = defaultdict(list)
        for unit, where in self.at.items():
            if where == at:
                present[self.side_of(unit)].append(unit)
        sides: list[frozenset[str]] = []
        for faction in present:
            ally = self.ally(faction)
            side = frozenset({faction, ally} & present.keys())
            if side not in sides:
                sides.append(side)
        holder = self.holder(at)
        last = holder if holder in present else self.ally(holder) if holder else ""
        prestige = [*self.board.factions]

        def rank(side: frozenset[str]) -> tuple[bool, int, int]:
            nobles, high = max((self.nobles[faction], -prestige.index(faction)) for faction in side)
            return last in side, nobles, high

        sides.sort(key=rank)
        if not any(self.must_fight(f, g, at) for a in sides for b in sides if a != b for f in a for g in b):
            return
        ready: list[Side] = []
        for factions in sides:
            units = [unit for faction in factions for unit in present[faction]]
            total: Sums = Counter()
            for unit in units:
                total.update(self.sums(unit))
            walled = any(
                self.position.players[self.units[unit].owner].home == at
                and self.works(self.units[unit].owner, "star fortress", at)
                for unit in units
            )
            ready.append(Side(factions, units, total, total["morale"], walled))
            self.done.seen["walled"] += walled
            self.done.seen["allied side"] += len(factions) > 1
        fights: list[Fight] = []
        met: set[frozenset[int]] = set()
        while True:
            pair = next(
                (
                    (i, j)
                    for i, one in enumerate(ready)
                    for j, other in enumerate(ready)
                    if i != j
                    and one.morale > 0
                    and other.morale > 0
                    and frozenset((i, j)) not in met
                    and any(self.must_fight(f, g, at) for f in one.factions for g in other.factions)
                ),
                None,
            )
            if pair is None:
                break
            met.add(frozenset(pair))
            fights.append(fight(ready[pair[0]], ready[pair[1]]))
            self.done.seen[f"fight: {fights[-1].how}"] += 1
        fought = {side for met_ in fights for side in met_.sides}
        self.done.battles[at] = ([side.factions for side in ready if side.factions in fought], fights)
        self.done.seen["several fights"] += len(fights) > 1
        for beaten in ready:
            if beaten.morale <= 0:
                for unit in beaten.units:
                    self.lose(unit)

    def lose(self, name: str) -> None:
        """A unit is removed, and its leader with it or home (NB-P-3, NB-K-7)."""
        unit = self.units.pop(name)
        del self.at[name]
        self.done.seen["lost unit"] += 1
        if unit.leader in ("pc", "heir", "noble"):
            self.done.unknown = "one of the family or a Noble fell"
        elif unit.leader == "courtier":
            self.recall(unit.owner, int(unit.name))

    def recall(self, seat: str, number: int) -> None:
        self.courtiers[seat][number] = Courtier(id=number)
        self.done.home.add((seat, number))

    def take(self, at: str) -> None:
        """Loss of control at the end of an estate's combat, and homes that return (NB-E-11 to NB-E-16)."""
        present = {self.side_of(unit) for unit, where in self.at.items() if where == at}
        holder = self.holder(at)
        guards = {holder, self.ally(holder)} if holder else set()
        if holder and not guards & present and any(self.relation(holder, other) == "hostile" for other in present):
            del self.by[at]
            self.done.seen["lost estate"] += 1
            for seat, mine in self.courtiers.items():
                for number, courtier in mine.items():
                    theirs = self.faction[seat] == holder or courtier.post == "spy"
                    if courtier.at == at and courtier.post != "commander" and theirs:
                        self.recall(seat, number)
            if any(noble.at == at for noble in self.position.factions[holder].nobles.values()):
                self.done.unknown = "a Noble lost the seat"
        for seat, player in self.position.players.items():
            if player.home != at or not player.alive or self.by.get(at) == seat or present != {player.faction}:
                continue
            by = self.by.get(at)
            from_whom = self.holder(at)
            if by is None or from_whom == player.faction or self.relation(from_whom, player.faction) == "hostile":
                self.by[at] = seat
                self.done.seen["home returned"] += 1

    # Step 9 (NB-F)

    def base(self, estate: str) -> Mapping[str, int]:
        for player in self.position.players.values():
            if player.home == estate:
                return {resource: getattr(player.design, resource) for resource in RESOURCES}
        income = self.board.income(estate)
        return {resource: getattr(income, resource) for resource in RESOURCES}

    def income(self) -> None:
        earned: dict[str, Counter[str]] = defaultdict(Counter)
        posts = [(seat, courtier) for seat, mine in self.courtiers.items() for courtier in mine.values() if courtier.at]
        taxed = {(courtier.at, courtier.what): seat for seat, courtier in posts if courtier.post == "tax"}
        collected = {at for at, _ in taxed}
        for seat, courtier in posts:
            at, what = courtier.at or "", courtier.what or ""
            by, base = self.by.get(at, ""), self.base(at)
            match courtier.post:
                case "tax" if by == seat:
                    earned[seat][what] += base[what]
                case "lobby" if by == seat and base[what] and taxed.get((at, what)) == seat:
                    earned[seat][what] += 2
                    self.done.seen["lobbied"] += 1
                case "steward" if at not in collected and self.faction[seat] == self.faction.get(by, by):
                    to = by if by in self.faction else self.position.factions[by].leader
                    assert to is not None
                    for resource in RESOURCES:
                        earned[to][resource] += base[resource] > 0
                    self.done.seen["steward"] += 1
                case _:
                    pass
        for name, faction in self.position.factions.items():  # a Noble's Stewardship goes on collecting (NB-X-23)
            for noble in faction.nobles.values():
                if self.by.get(noble.at) == name and noble.at not in collected and faction.leader is not None:
                    for resource in RESOURCES:
                        earned[faction.leader][resource] += self.base(noble.at)[resource] > 0
                    self.done.seen["noble's seat"] += 1
        for name, unit in self.units.items():
            own = self.board.roles[unit.role or self.position.players[unit.owner].role].company
            designs = [own if design == "own" else self.board.companies[design] for design in unit.companies]
            designs += [self.board.companies[unit.name]] if unit.leader == "company" else []
            for design in designs:
                if design.colour is not None:
                    earned[unit.owner][COLOURS[design.colour]] += 1
                    self.done.seen["coloured"] += 1
            assert name in self.at
        self.done.earned = {seat: +amounts for seat, amounts in earned.items() if +amounts}

    def judge(self) -> Night:
        """Judge a Night."""
        self.move()
        self.ask()
        for estate in self.board.estates:
            if self.done.unknown:
                return self.done
            self.battle(estate)
            self.take(estate)
        self.income()
        self.done.places, self.done.control = dict(self.at), dict(self.by)
        return self.done
