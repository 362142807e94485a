"""Play The Grand Campaign before two judges, the ruleset and the second one, and compare their results for each turn.

Every game begins with the sample campaign, most of them in the middle of one that nobody played: realms of any faction that
grew into
each other, armies side by side, wars, many parties. Sheets are drawn by lot from lines that could work, with some that
cannot.
"""

from __future__ import annotations

import functools
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, Literal

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.rulesets.grand_campaign.campaign import Campaign
from adjudicator.rulesets.grand_campaign.faults import faults
from adjudicator.rulesets.grand_campaign.orders import BattlesSheet, SeasonSheet
from adjudicator.rulesets.grand_campaign.placing import setup
from adjudicator.rulesets.grand_campaign.position import (
    Army,
    Opening,
    OwnCampaign,
    Party,
    Patrol,
    Phase,
    Position,
    Realm,
    Relations,
    Ruled,
    Ruling,
    Settings,
    Yield,
    by_row,
)
from adjudicator.rulesets.grand_campaign.resolve import due, resolve
from adjudicator.rulesets.grand_campaign.rosters import NamedRoster, Roster
from tests.judges.campaign import (
    ANCIENT,
    ARTEFACTS,
    BARREN,
    CITIES,
    COST,
    MINES,
    PARTY_TYPES,
    SANDS,
    SCENARIO_NAMES,
    SEASONS,
    SETTLED,
    SPECIAL,
    WAYS,
    YIELDS,
    Data,
    Judge,
    away,
    judge,
    land_of,
    order,
    plain,
)
from tests.judges.games import so_many

Sheets = dict[str, Any]
FACTIONS = tuple(PARTY_TYPES)
CODES = (*COST, "SM", "Gl", "Vo")
FROM_START = 8
"""One game in this many begins as games do."""
FERVOUR: tuple[Literal["high", "low"], ...] = ("high", "low")
OUTCOMES: tuple[Ruled, ...] = (
    "attacker", "defender", "draw", "stalemate", "auto", "attacker concedes", "defender concedes",
)  # fmt: skip
ROSTERS = {
    "Green Tide": Roster(
        ld=8,
        faction="orcs_and_goblins",
        characters=("Warboss Grum, general", "Skarn, standard bearer"),
        units=(
            "Night Gobs, core, scoring, standard, cave goblins, goblin, 40 models",
            "Wolf Gobs, core, scoring, goblin, 10 models",
            "Big Uns, scoring, standard, 20 models",
        ),
    ),
    "Horsemen": Roster(
        ld=9,
        points=2300,
        faction="kingdom_of_equitaine",
        characters=("Duke Amaury, general", "Rohese, standard bearer", "Count Vasile, vampire"),
        units=("Realm Knights, core, scoring, standard, cavalry, 12 models", "Yeomen, core, cavalry, 8 models"),
    ),
    "Own Levy": Roster(
        ld=7, points=2150, characters=("Marshal Odo, general",), units=("Levy, core, scoring, 30 models",)
    ),
}
LISTS = tuple(
    NamedRoster(name=name, **{one.name: getattr(roster, one.name) for one in fields(Roster)})
    for name, roster in ROSTERS.items()
)


def dice_of(number: int, turn: int) -> NamedDice:
    return NamedDice(f"campaign {number} {turn}".encode())


@functools.cache
def first_season() -> Position:
    """The sample campaign at its start."""
    dice = dice_of(0, 0)
    return resolve(setup(Settings(), dice), {}, dice).position


@functools.cache
def crowded() -> Campaign:
    """The sample campaign with two more players, and the event of Forest Thrives by the letter."""
    plan = first_season().plan
    more = {seat: replace(plan.players["Anna"], start=None) for seat in ("Dan", "Eve")}
    rules = replace(plan.configuration, forest_thrives="letter")
    return replace(plan, players={**plan.players, **more}, order=None, configuration=rules)


# Comparing --------------------------------------------------------------------------------------------------------------


def apart(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Differences between two pieces of plain data."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}, key=str):
            here = f"{path}.{key}" if path else str(key)
            if key not in one or key not in other:
                only = "the second judge" if key not in one else "the ruleset"
                yield f"{here}: only {only} has it: {one.get(key, other.get(key))}"
            else:
                yield from apart(one[key], other[key], here)
    elif one != other and path.startswith("land."):
        yield f"{path}: only the ruleset {sorted({*one} - {*other})}, only the second judge {sorted({*other} - {*one})}"
    elif one != other:
        yield f"{path}: the ruleset {one}, the second judge {other}"


def differences(theirs: Resolution[Position, Any], ours: Judge) -> list[str]:
    one, other = plain(theirs.position), ours.position()
    if other["closed"] or one["closed"]:
        for key in ("turn", "phase", "opening", "stopped", "battles", "annexes", "quarrels"):
            one.pop(key)
            other.pop(key)
    elif other["opening"] is None:
        one.pop("opening")
        other.pop("opening")
    return list(apart(one, other))


@dataclass
class Turn:
    """One turn before both judges."""

    number: int
    step: int
    position: Position
    sheets: Sheets
    theirs: Resolution[Position, Any] | None
    ours: Judge | None
    different: list[str]

    @property
    def seen(self) -> Counter[str]:
        return Counter() if self.ours is None else self.ours.seen


def both(number: int, step: int, position: Position, sheets: Sheets) -> Turn:
    """A turn, judged by both."""
    try:
        theirs = resolve(position, sheets, dice_of(number, step))
    except Exception:  # noqa: BLE001 - any error is a difference
        return Turn(number, step, position, sheets, None, None, [f"the ruleset broke down: {traceback.format_exc(-3)}"])
    try:
        ours = judge(position, sheets, dice_of(number, step))
    except Exception:  # noqa: BLE001
        what = f"the second judge broke down: {traceback.format_exc(-4)}"
        return Turn(number, step, position, sheets, theirs, None, [what])
    return Turn(number, step, position, sheets, theirs, ours, differences(theirs, ours))


# Positions --------------------------------------------------------------------------------------------------------------


def amid(random: Random) -> Position:
    """A position in the middle of a campaign that nobody played."""
    begun = first_season()
    unplayed: Literal["stalemate", "auto"] | None = random.choice((None, None, "stalemate"))
    begun = replace(begun, settings=replace(begun.settings, unplayed=unplayed))
    if random.random() < 0.4:
        realms = {**begun.realms, "Dan": begun.realms["Anna"], "Eve": begun.realms["Anna"]}
        begun = replace(
            begun,
            realms={
                seat: replace(realm, land=() if seat in {"Dan", "Eve"} else realm.land)
                for seat, realm in realms.items()
            },
            order=tuple(realms),
            settings=OwnCampaign(campaign="crowd.yaml", own=crowded(), unplayed=unplayed),
        )
    seats = list(begun.realms)
    land = land_of(15, 12)
    terrain = dict(begun.terrain)
    works = dict(begun.works)
    cities = dict(begun.cities)
    holder = dict(begun.holder)
    faction = {
        seat: random.choice(FACTIONS) if random.random() < 0.8 else realm.faction
        for seat, realm in begun.realms.items()
    }
    for label in random.sample(land.hexes, random.choice([0, 10, 40])):
        if label not in works and label not in cities:
            terrain[label] = random.choice(CODES)
    for label in [*works, *cities]:
        if random.random() < 0.15:
            terrain[label] = random.choice([code for code in CODES if code not in BARREN])
    if random.random() < 0.5:  # a neutral city has been conquered
        label = random.choice(list(cities))
        works[label] = cities.pop(label)
        seat = random.choice(seats)
        holder[label] = seat
        for there in land.near[label].values():
            if random.random() < 0.7:
                holder.setdefault(there, seat)
    if random.random() < 0.4:
        free = [label for label in land.hexes if all(away(label, spot) >= 3 for spot in (*works, *cities))]
        free = [label for label in free if terrain[label] not in BARREN]
        if free:
            cities[random.choice(free)] = random.choice(sorted(ANCIENT))
    for _ in range(random.choice([0, 40, 90, 160])):  # realms grow into each other
        label = random.choice(list(holder))
        there = random.choice(list(land.near[label].values()))
        if there not in works and there not in cities and (there not in holder or random.random() < 0.3):
            holder[there] = holder[label]
    for label in random.sample(land.hexes, random.choice([0, 5, 20])):
        if label not in works and label in holder:
            del holder[label]
    for label in random.sample(sorted(holder), 30):
        if label in works or label in cities:
            continue
        if terrain[label] == "Mo" or random.random() < 0.15:
            terrain[label], works[label] = "Mo", "mine"
            continue
        crowd = [*cities, *(spot for spot, kind in works.items() if kind in SETTLED)]
        if terrain[label] not in BARREN and all(away(label, spot) >= 3 for spot in crowd):
            works[label] = random.choice(["town", "town", "fortress", "city"])
    for seat in seats[3:]:  # whose realms were others'
        for label in random.sample(sorted(works), random.choice([1, 3])):
            for there in land.within(label, 1):
                if there not in cities and (there not in works or there == label):
                    holder[there] = seat
    if random.random() < 0.2:  # somebody has lost nearly everything
        loser = random.choice(seats)
        heirs = [seat for seat in seats if seat != loser]
        for label, kind in list(works.items()):
            if holder.get(label) == loser and kind in SETTLED:
                holder[label] = random.choice(heirs)
    roads = [
        label for label in land.hexes if terrain[label] not in BARREN and label not in works and random.random() < 0.15
    ]
    war, alliance = [], []
    for at, one in enumerate(seats):
        for other in seats[at + 1 :]:
            chance = random.random()
            if chance < 0.6:
                war.append((one, other))
            elif chance < 0.75:
                alliance.append((one, other))
    turn = random.randint(1, 11)
    sabotaged: set[str] = set()
    order_ = seats[:]
    random.shuffle(order_)
    realms = {
        seat: Realm(
            faction=faction[seat],
            gold=random.choice([0, 700, 1500, 3000, 3500]),
            land=by_row(label for label, held in holder.items() if held == seat),
            barred=random.choice(begun.ruins) if random.random() < 0.3 else None,
            landless=True if random.random() < 0.1 else None,
        )
        for seat in seats
    }
    position = replace(
        begun,
        turn=turn,
        rows=tuple(" ".join(terrain[f"{c:02}{r:02}"] for c in range(1, 16)) for r in range(1, 13)),
        roads=tuple(sorted(roads, key=order)),
        cities=cities,
        works=dict(sorted(works.items(), key=lambda one: order(one[0]))),
        sabotaged=tuple(sabotaged),
        realms=realms,
        relations=Relations(war=tuple(war), alliance=tuple(alliance)),
        armies=(),
        opening=opening(random, begun, turn, works, terrain, tuple(order_)),
    )
    position = replace(position, armies=tuple(hosts(random, position)))
    position = replace(position, parties=tuple(bands(random, position)))
    found = [remark.what for remark in faults(position)]
    assert not found, found
    return position


def opening(
    random: Random,
    begun: Position,
    turn: int,
    works: Mapping[str, str],
    terrain: Mapping[str, str],
    order_: tuple[str, ...],
) -> Opening:
    season = SEASONS[(turn - 1) % 4]
    kinds = ("portals", "stormy_seas", "golden_age", "bumper_crop", "economic_growth", "forest_fire")
    event = random.choice(kinds)
    dice: dict[str, Yield] = {}
    die = functools.partial(random.randint, 1, 6)
    for label in sorted({*works, *begun.ruins}, key=order):
        kind = works.get(label)
        city, mine, town = kind in CITIES, kind in MINES, kind == "town"
        dice[label] = Yield(
            city=(die(), die(), die()) if city else (),
            mine=((die(), die()) if random.random() < 0.5 else random.choice([(1, 1), (6, 6)]))
            if mine and random.random() < 0.9
            else (),
            season=die() if (city and season == "spring") or (town and season == "autumn") else None,
            event=die() if (city and event == "economic_growth") or (town and event == "bumper_crop") else None,
            peasants=random.choice([1, die()]) if city else None,
            slaves=random.choice([1, die()]) if mine else None,
            ruin=die() if label in begun.ruins else None,
        )
    portals: tuple[str, ...] = ()
    if event == "portals":
        portals = tuple(sorted(random.sample([label for label in terrain if terrain[label] in COST], 6), key=order))
    golden = random.choice(order_) if event == "golden_age" else None
    return Opening(season=season, event=event, order=order_, portals=portals, golden=golden, dice=dice)  # type: ignore[arg-type]


def hosts(random: Random, position: Position) -> Iterator[Army]:
    """Armies in the middle of a war, most of them close together."""
    land, terrain, holder = land_of(15, 12), position.terrain, position.holder
    allied = {frozenset(pair) for pair in position.relations.alliance}
    taken: set[str] = set()
    artefacts = list(ARTEFACTS)
    random.shuffle(artefacts)
    heart = random.choice([label for label in land.hexes if terrain[label] in COST])
    spread = random.choice([2, 3, 4, 6, 20])
    foreign = random.random() < 0.08
    rosters = {**position.plan.rosters, **ROSTERS}
    for seat, realm in position.realms.items():
        names = ["A1", "A2", "G", *(f"A{n}" for n in range(3, 3 + random.choice([0, 0, 1, 3])))]
        for name in names:
            roster = rosters[random.choice(sorted(rosters))]
            kind = random.choice([realm.faction, realm.faction, random.choice(FACTIONS)])
            if roster.faction is not None and random.random() < 0.7:
                kind = roster.faction
            able = {"Vo", "SM"} if kind == "dwarven_holds" else {"Vo"} if kind == "infernal_dwarves" else set()
            spots = [
                label
                for label in land.hexes
                if (terrain[label] in COST or terrain[label] in able)
                and label not in taken
                and label not in position.cities
                and (foreign or holder.get(label, seat) == seat or frozenset((seat, holder.get(label, seat))) in allied)
            ]
            near = [label for label in spots if away(label, heart) <= spread] or spots
            homes = [label for label in spots if position.works.get(label) in SETTLED]
            if not near:
                continue
            at: str | None = random.choice(homes if homes and random.random() < 0.25 else near)
            assert at is not None
            foes = [
                there
                for there in land.near[at].values()
                if there in position.cities
                or any({seat, holder.get(there, seat)} == set(pair) for pair in position.relations.war)
            ]
            sank = None
            if kind == "undying_dynasties" and random.random() < 0.3:
                at, sank = None, at
            else:
                taken.add(at)
            characters, units = [], []
            for line in roster.characters:
                xp = random.choice([0, 0, 3, 5, 9, 14])
                level = min(3, xp // 4)
                learned = (f", level {level}" if level else "") + (f", {xp} XP" if xp else "")
                if random.random() < 0.2 and artefacts:
                    learned += f", bears {artefacts.pop()}"
                characters.append(line + learned)
            for line in roster.units:
                xp = random.choice([0, 0, 0, 3, 7])
                units.append(line + (f", level {xp // 4}" if xp >= 4 else "") + (f", {xp} XP" if xp else ""))
            yield Army(
                owner=seat,
                id=name,
                at=at,
                name=roster.general.name,
                faction=kind,
                points=roster.points,
                ld=random.choice([roster.ld, random.randint(4, 10)]),
                rests=True if sank is None and random.random() < 0.08 else None,
                sank=sank,
                aim=random.choice(foes) if foes and sank is None and random.random() < 0.5 else None,
                slowed=random.randint(1, 9) if random.random() < 0.08 else None,
                fervour=random.choice(FERVOUR) if kind == "orcs_and_goblins" and random.random() < 0.5 else None,
                invaded=(position.turn - 1) // 4 + random.choice([0, 1])
                if name == "G" and kind == "vermin_swarm" and random.random() < 0.4
                else None,
                characters=tuple(characters),
                units=tuple(units),
            )


def bands(random: Random, position: Position) -> Iterator[Party]:
    land, terrain = land_of(15, 12), position.terrain
    heart = random.choice([label for label in land.hexes if terrain[label] in COST])
    targets = [label for label in (*position.ruins, *position.works) if terrain[label] in COST]
    for seat, realm in position.realms.items():
        for n in range(1, 1 + random.choice([0, 1, 2, 3])):
            near = [label for label in land.within(heart, random.choice([1, 2, 4])) if terrain[label] in COST]
            yield Party(
                owner=seat,
                id=f"P{n}",
                at=random.choice(targets) if random.random() < 0.6 else random.choice(near or [heart]),
                type_=random.choice(PARTY_TYPES[realm.faction].split()),
                members=random.randint(1, 8),
                gold=random.choice([0, 15, 100, 400]),
                weirdstone=random.choice([None, 1, 3]),
                ruin=random.choice([None, *position.ruins]),
                patrol=Patrol(
                    all=random.random() < 0.5, but=(random.choice([*position.realms]),) * (random.random() < 0.2)
                )
                if random.random() < 0.25
                else None,
            )


def stirred(random: Random, position: Position) -> Position:
    """Now and then something happens between two seasons that nobody ordered."""
    if position.phase is not Phase.SEASON or random.random() < 0.5:
        return position
    seats = list(position.realms)
    if random.random() < 0.4:
        one, other = random.sample(seats, 2)
        pair = (min(one, other), max(one, other))
        if pair not in position.relations.alliance and pair not in position.relations.war:
            position = replace(position, relations=replace(position.relations, war=(*position.relations.war, pair)))
    realms = {seat: replace(realm, gold=random.choice([realm.gold, 3500])) for seat, realm in position.realms.items()}
    return replace(position, realms=realms)


# Sheets -----------------------------------------------------------------------------------------------------------------


class Lot:
    """Draws the sheets of a turn."""

    def __init__(self, position: Position, random: Random) -> None:
        self.position, self.random = position, random
        self.land = land_of(15, 12)
        self.terrain, self.holder = position.terrain, position.holder
        self.seats = list(position.realms)
        self.war = {frozenset(pair) for pair in position.relations.war}
        self.allied = {frozenset(pair) for pair in position.relations.alliance}
        self.heat = random.choice([0.3, 0.6, 0.9])

    def foe(self, seat: str, label: str) -> bool:
        held = self.holder.get(label)
        return label in self.position.cities or (held is not None and frozenset((seat, held)) in self.war)

    def open(self, seat: str, label: str) -> bool:
        held = self.holder.get(label)
        mine = held in {None, seat} or frozenset((seat, held)) in self.allied
        return self.terrain[label] in COST and mine and label not in self.position.cities

    def some(self, *labels: str) -> str:
        """A hex, seldom any."""
        if labels and self.random.random() < 0.9:
            return self.random.choice(labels)
        return self.random.choice(self.land.hexes)

    def army_line(self, army: Army) -> str:
        random, seat = self.random, army.owner
        items: list[str] = []
        at = army.at
        if at is None:
            sands = [label for label in self.land.hexes if self.terrain[label] in SANDS and self.open(seat, label)]
            at = self.some(*sands)
            if random.random() < 0.8:
                items.append(f"Emerge {at}")
        if army.aim is not None and random.random() < 0.8:
            items.append(f"Annex Territory{' as lead' if random.random() < 0.3 else ''}")
            if random.random() < 0.8:
                return f"{army.id}: {', '.join(items)}"
        far = random.choice([0, 0, 1, 2, 4, 7])
        for _ in range(far):
            if random.random() < 0.25:
                items.append(self.action(army, at))
            ways = list(self.land.near[at].items())
            good = [way for way in ways if self.open(seat, way[1])]
            way, at = random.choice(good if good and random.random() < 0.93 else ways)
            if army.faction == "daemon_legions" and random.random() < 0.4:
                first, second = random.choice(list(WAYS)), random.choice(list(WAYS))
                items.append(f"Skip {first} {second}")
                there = self.land.go(at, first, second)
                at = there if there in self.land.all else at
                continue
            items.append(way)
        portals = self.position.opening.portals if self.position.opening is not None else ()
        if portals and (at in portals or random.random() < 0.05):
            at = random.choice(portals)
            items.append(f"Portal {at}")
        foes = [way for way, there in self.land.near[at].items() if self.foe(seat, there)]
        if foes and random.random() < self.heat:
            lead = " as lead" if random.random() < 0.3 else ""
            items.append(f"Prepare to Attack {random.choice(foes)}{lead}")
        else:
            items += [self.action(army, at) for _ in range(random.choice([0, 1, 1, 2]))]
        if random.random() < 0.1:
            items.append(
                random.choice([*WAYS, "Annex Territory", "Forced March", "Prepare to Attack E", "Emerge 0508"])
            )
        return f"{army.id}: {', '.join(items)}" if items else f"{army.id}: Defensive Deployment"

    def action(self, army: Army, at: str) -> str:
        random, code, seat = self.random, self.terrain[at], army.owner
        near = self.land.near[at]
        works = self.position.works
        fit: list[str] = ["Forced March"]
        if at not in self.holder:
            fit += ["Claim Territory"] * 4
        if code in BARREN or at in works:
            pass
        elif all(away(at, spot) >= 3 for spot in (*works, *self.position.cities)):
            fit += ["Construct Town"] * 3 + ["Construct Fortress", "Construct City"]
        if works.get(at) in {"town", "fortress"}:
            fit += ["Improve City", "Improve Fortress"]
        if code == "Mo":
            fit += ["Construct Mine"] * 2
        if code in {"LF", "LP", "LJ", "DF", "DP", "DJ", "DM", "FH", "FP", "FJ"}:
            fit += ["Fell Forest"] * 2
        if code in {"Gr", "Pl"}:
            fit += ["Cultivate"]
        if code in {"AP", "AF"}:
            fit += ["Clear"] * 2
        if self.holder.get(at) == seat:
            fit += ["Build Road"]
        ruins = [label for label in self.position.ruins if away(label, at) <= 1]
        if ruins:
            fit += ["Explore Ruins", f"Explore Ruins {random.choice(ruins)}"] * 3
        fit += ["Reform Army from " + random.choice([*ROSTERS, "Nobody", "River Watch"])] * (random.random() < 0.1)
        special = [name for name, faction in SPECIAL.items() if faction == army.faction or random.random() < 0.01]
        for name in special:
            fit += [self.special(name, army, at)] * 5
        temples = [label for label, kind in works.items() if kind == "temple_city"]
        if temples and (at in temples or random.random() < 0.02):
            fit += [f"Ancient Teleporter {random.choice(temples)}"] * 5
        fit += ["Defensive Deployment"] * (random.random() < 0.1)
        if random.random() < 0.06:
            fit = [
                "Claim Territory", "Construct Town", "Construct City", "Construct Fortress", "Construct Mine", "Improve City",
                "Fell Forest", "Cultivate", "Clear", "Build Road", "Explore Ruins", f"Prepare to Attack {random.choice([*near])}",
            ]  # fmt: skip
        return random.choice(fit)

    def special(self, name: str, army: Army, at: str) -> str:
        random, seat, works = self.random, army.owner, self.position.works
        mine = {label: kind for label, kind in works.items() if self.holder.get(label) == seat}
        match name:
            case "teleport":
                cities = [label for label, kind in mine.items() if kind in CITIES]
                return f"Teleport {self.some(*(there for city in cities for there in self.land.within(city, 1)))}"
            case "coastal_raid":
                coast = [way for way, there in self.land.near[at].items() if self.holder.get(there, seat) != seat]
                return f"Coastal Raid {random.choice(coast or [*WAYS])}"
            case "move_settlement":
                movable = [label for label, kind in mine.items() if kind in {"town", "fortress", "city"}]
                label = self.some(*movable)
                kind = works.get(label, "town")
                return f"Move {kind.title() if kind in {'town', 'fortress', 'city'} else 'City'} {label}"
            case "generate_earthquake":
                return "Generate Earthquake"
            case "nurture_forest":
                return random.choice(["Nurture Forest", f"Nurture Forest as {random.choice(['pine', 'jungle'])}"])
            case "underground_invasion":
                near = [label for label in (*works, *self.position.cities) if away(label, at) <= 4]
                return f"Underground Invasion {self.some(*[one for one in near if self.foe(seat, one)])}"
            case _:
                return "Into the Sands"

    def party_line(self, party: Party) -> str:
        random, at, seat = self.random, party.at, party.owner
        items: list[str] = []
        others = [one.at for one in self.position.parties if one.owner != seat]
        goal = random.choice([*others, *self.position.works, *self.position.ruins])
        for _ in range(random.choice([0, 0, 1, 2, 4, 6])):
            if random.random() < 0.15:
                items.append(self.act(party, at))
            if at == goal:
                break
            ways = [way for way in self.land.near[at].items() if self.terrain[way[1]] in COST]
            ways.sort(key=lambda way: away(way[1], goal))
            if not ways:
                break
            way, at = ways[0] if random.random() < 0.8 else random.choice(ways)
            items.append(way)
        portals = self.position.opening.portals if self.position.opening is not None else ()
        if portals and (at in portals or random.random() < 0.05):
            at = random.choice(portals)
            items.append(f"Portal {at}")
        items += [self.act(party, at) for _ in range(random.choice([0, 1, 1, 2]))]
        return f"{party.id}: {', '.join(items or ['Patrol'])}"

    def act(self, party: Party, at: str) -> str:
        random, kind, position = self.random, self.position.works.get(at), self.position
        fit = ["Patrol", "Patrol all", f"Patrol all but {random.choice(self.seats)}", "Skirmish"]
        if kind == "town":
            fit += ["Loot Town"] * 6
        if kind in MINES:
            fit += ["Sabotage Mine"] * 6
        if at in position.ruins:
            fit += ["Explore Ruin"] * 6
        if kind in CITIES:
            fit += ["Convert Gold", "Convert Gold and Weirdstone"] * 2
            mine = [army for army in position.armies if army.owner == party.owner]
            if mine:
                army = random.choice(mine)
                who = random.choice(army.characters).split(",")[0]
                fit += [f"Gift Weirdstone {random.choice([1, 1, 2])} to {army.id} {who}"] * 3
        if kind == "temple_city":
            temples = [label for label, what in position.works.items() if what == "temple_city"]
            fit += [f"Ancient Teleporter {random.choice(temples)}"] * 3
        near = [army for army in position.armies if army.at is not None and away(army.at, at) <= 3]
        if near:
            army = random.choice(near)
            fit += [f"Guerrilla Tactics {army.id} of {army.owner}"] * 3
        if random.random() < 0.05:
            fit = ["Loot Town", "Sabotage Mine", "Explore Ruin", "Convert Gold"]
        return random.choice(fit)

    def diplomacy(self, seat: str) -> Iterator[str]:
        random = self.random
        for other in self.seats:
            if other != seat and random.random() < 0.25:
                peaceful = frozenset((seat, other)) in self.war
                friendly = frozenset((seat, other)) in self.allied
                if peaceful:
                    yield f"{random.choice(['peace', 'peace', 'alliance'])} with {other}"
                elif friendly:
                    yield f"{random.choice(['dissolve alliance', 'war', 'alliance'])} with {other}"
                else:
                    yield f"{random.choice(['alliance', 'alliance', 'war', 'peace'])} with {other}"
                if random.random() < 0.2:
                    yield f"{random.choice(['alliance', 'war', 'peace', 'dissolve alliance'])} with {other}"

    def spending(self, seat: str) -> Iterator[str]:
        random = self.random
        mine = [label for label, kind in self.position.works.items() if self.holder.get(label) == seat]
        near = [there for label in mine for there in self.land.near[label].values() if self.open(seat, there)]
        if random.random() < 0.4:
            roster = random.choice([*ROSTERS, *ROSTERS, "River Watch", "Nobody"])
            yield f"army A{random.randint(1, 6)} from {roster} at {self.some(*near)}"
        if random.random() < 0.5:
            kind = random.choice(PARTY_TYPES[self.position.realms[seat].faction].split())
            kind = kind if random.random() < 0.9 else random.choice(["rangers", "thieves"])
            yield f"party P{random.randint(1, 4)} of {random.randint(1, 6)} {kind} at {self.some(*near)}"
        if random.random() < 0.3:
            yield f"hire {random.randint(1, 3)} for P{random.randint(1, 3)}"
        if self.position.opening is not None and (self.position.opening.golden == seat or random.random() < 0.05):
            yield f"golden age at {self.some(*mine)}"

    def plan(self, seat: str) -> Iterator[str]:
        random = self.random
        for army in self.position.armies:
            if army.owner != seat or army.at is None or random.random() < 0.4:
                continue
            near = self.land.within(army.at, 3)
            targets = [label for label in near if label in self.position.works or label in self.position.cities]
            lines = []
            for _ in range(random.choice([1, 3, 7])):
                kind = random.choice(["claim", "claim", "seize", "seize", "destroy"])
                lines.append(f"{kind} {self.some(*(near if kind == 'claim' or not targets else targets))}")
            yield f"{army.id}: {', '.join(lines)}"

    def standing(self, seat: str) -> Iterator[str]:
        random = self.random
        mine = [army for army in self.position.armies if army.owner == seat]
        for army in mine:
            if random.random() < 0.12:
                yield f"stand aside {army.id}"
            if random.random() < 0.2:
                yield f"bearer of {army.id}: {random.choice(army.characters).split(',')[0]}"
        if mine and random.random() < 0.4:
            yield f"answer with {', '.join(army.id for army in random.sample(mine, min(2, len(mine))))}"
        if random.random() < 0.5:
            settled = [label for label in self.position.works if self.holder.get(label) == seat]
            near = [there for label in settled for there in self.land.within(label, 1)]
            who = random.choice([*ROSTERS, "River Watch", "promote A1", "promote A2", "promote A9"])
            yield f"next General: {who} at {self.some(*near)}"

    def season(self, seat: str) -> SeasonSheet:
        random = self.random
        mine = [army for army in self.position.armies if army.owner == seat and random.random() < 0.9]
        bands = [party for party in self.position.parties if party.owner == seat and random.random() < 0.9]
        lines = [self.army_line(army) for army in mine]
        if lines and random.random() < 0.1:
            lines.append(f"{random.choice(['A1', 'A2', 'G', 'A8'])}: E, Claim Territory")
        if lines and random.random() < 0.1:
            lines.append(f"A1: E, {random.choice(['S', 'X', 'Frobnicate'])}")
        return SeasonSheet(
            diplomacy=tuple(self.diplomacy(seat)),
            spending=tuple(self.spending(seat)),
            armies=tuple(lines),
            parties=tuple(self.party_line(party) for party in bands),
            conquest=tuple(self.plan(seat)),
            standing=tuple(self.standing(seat)) if random.random() < 0.6 else None,
            rosters=LISTS if random.random() < 0.8 else (),
            close=random.random() < 0.03,
        )

    def battles(self) -> tuple[Position, Sheets]:
        """Reports of both sides, and rulings."""
        random, position = self.random, self.position
        results: dict[str, list[str]] = {seat: [] for seat in self.seats}
        deeds: dict[str, list[str]] = {seat: [] for seat in self.seats}
        rulings: dict[str, Ruling] = {}
        people = {army.key: army for army in position.armies}
        for battle in position.battles:
            if any(key not in people for key in (*battle.attackers, battle.defender) if key is not None):
                continue  # an army that is gone, or has another name now
            one = people[battle.attackers[0]].owner
            other = None if battle.defender is None else people[battle.defender].owner
            scenario = f" in {random.choice([*SCENARIO_NAMES, 'custom'])}" if random.random() < 0.2 else ""
            result = random.choice(
                ["win", "win", "loss", "major win", "major win", "major loss", "draw", "stalemate", "auto", "auto"]
            )
            mirrored = {"win": "loss", "loss": "win", "major win": "major loss", "major loss": "major win"}.get(
                result, result
            )
            told = self.deeds(battle.id, people[battle.attackers[0]], people.get(battle.defender or ""))
            how = random.random()
            if how < 0.55:
                results[one].append(f"{battle.id}: {result}{scenario}")
                deeds[one] += told
                if other is not None:
                    results[other].append(f"{battle.id}: {mirrored}{scenario if random.random() < 0.9 else ''}")
                    deeds[other] += [line for line in told if random.random() < 0.8]
            elif how < 0.65:
                lone = random.choice([one, other or one])
                results[lone].append(f"{battle.id}: {result}{scenario}")
                deeds[lone] += told
            elif how < 0.75:
                for who in (
                    sorted({one, other or one}) if random.random() < 0.2 else [random.choice([one, other or one])]
                ):
                    results[who].append(f"{battle.id}: I concede")
                if (
                    other is not None
                    and random.random() < 0.5
                    and not any(battle.id in line for line in results[other])
                ):
                    results[other].append(f"{battle.id}: {result}")
            elif how < 0.85 and other is not None:
                results[one].append(f"{battle.id}: {result}")
                results[other].append(f"{battle.id}: {random.choice(['win', 'loss', 'draw', 'auto'])}")
            if random.random() < (0.7 if battle.disputed else 0.06):
                rulings[battle.id] = Ruling(
                    outcome=random.choice(OUTCOMES),
                    major=random.random() < 0.4,
                    deeds=tuple(line.partition(": ")[2] for line in told),
                    reason="So be it.",
                )
        sheets: Sheets = {}
        for seat in self.seats:
            if random.random() < 0.95:
                plan = tuple(self.plan(seat)) if random.random() < 0.4 else ()
                sheets[seat] = BattlesSheet(results=tuple(results[seat]), deeds=tuple(deeds[seat]), conquest=plan)
        return replace(position, rulings=rulings), sheets

    def deeds(self, name: str, one: Army, other: Army | None) -> list[str]:
        random = self.random
        if other is None:
            return []
        found = []
        for _ in range(random.choice([0, 1, 3, 6])):
            mine, theirs = (one, other) if random.random() < 0.5 else (other, one)
            heroes, foes = ([line.split(",")[0] for line in army.characters] for army in (mine, theirs))
            units, enemies = ([line.split(",")[0] for line in army.units] for army in (mine, theirs))
            if {*heroes, *units} & {*foes, *enemies}:
                continue
            hero, foe, band, enemy = map(random.choice, (heroes, foes, units, enemies))
            found.append(
                random.choice([
                    f"{name}: {hero} beat {foe}", f"{name}: {random.choice([hero, band])} slew a monster",
                    f"{name}: {hero} slew 2 monsters", f"{name}: {random.choice([hero, band])} panicked {enemy}",
                    f"{name}: {band} broke {enemy}", f"{name}: {random.choice([hero, band])} fell",
                    f"{name}: {random.choice([band, band, hero])} lost the standard",
                ])
            )  # fmt: skip
        return list(dict.fromkeys(found))

    def sheets(self) -> tuple[Position, Sheets]:
        if self.position.phase is Phase.BATTLES:
            return self.battles()
        owing = due(self.position)
        return self.position, {
            seat: self.season(seat) for seat in self.seats if seat in owing and self.random.random() < 0.97
        }


# Playing ----------------------------------------------------------------------------------------------------------------


def dangles(position: Position) -> bool:
    """True if a battle waits for an army that is gone."""
    keys = {army.key for army in position.armies}
    return any(
        key is not None and key not in keys for one in position.battles for key in (*one.attackers, one.defender)
    )


def play(number: int) -> Iterator[Turn]:
    """One game, from a seed, until it has lasted long enough."""
    random = Random(f"campaign {number}")
    midst = number % FROM_START != 0
    position = amid(random) if midst else first_season()
    for step in range(1, 1 + random.randint(3, 7 if midst else 12)):
        if dangles(position) and "a battle whose army is gone stops everything" in YIELDS:
            return
        position = stirred(random, position)
        position, sheets = Lot(position, random).sheets()
        turn = both(number, step, position, sheets)
        yield turn
        if turn.theirs is None or turn.theirs.position.closed:
            return
        position = turn.theirs.position


def turns(seed: int, count: int) -> Iterator[Turn]:
    """The first `count` turns, from as many games as needed."""
    return so_many(play, seed, count)


def kind(turn: Turn) -> str:
    return str(turn.position.phase)


# Telling ----------------------------------------------------------------------------------------------------------------


def shorter(sheet: Any) -> Iterator[Any]:
    """The sheet with one line less, or an army's line with one item less at its end."""
    for key in ("results", "deeds", "conquest", "diplomacy", "spending", "armies", "parties", "standing"):
        lines = getattr(sheet, key, None) or ()
        for at in range(len(lines)):
            yield replace(sheet, **{key: (*lines[:at], *lines[at + 1 :])})
        for at, line in enumerate(lines):
            if key in {"armies", "parties", "conquest"} and "," in line:
                yield replace(sheet, **{key: (*lines[:at], line.rpartition(",")[0], *lines[at + 1 :])})


def smaller(turn: Turn) -> Turn:
    """The same turn with as few lines on its sheets, and as few armies and parties, as still divide the judges."""
    key = turn.different[0].split(":")[0]

    def still(position: Position, sheets: Sheets) -> bool:
        found = both(turn.number, turn.step, position, sheets).different
        return any(one.split(":")[0] == key for one in found)

    sheets, position = dict(turn.sheets), turn.position
    changed = True
    while changed:
        changed = False
        for seat in list(sheets):
            others = {other: sheet for other, sheet in sheets.items() if other != seat}
            if still(position, others):
                sheets, changed = others, True
                continue
            for less in shorter(sheets[seat]):
                if still(position, {**sheets, seat: less}):
                    sheets[seat], changed = less, True
                    break
    if position.phase is Phase.SEASON:
        for name in ("armies", "parties"):
            for thing in getattr(position, name):
                fewer: Data = {name: tuple(one for one in getattr(position, name) if one is not thing)}
                less = replace(position, **fewer)
                if thing.id != "G" and still(less, sheets):
                    position = less
    return both(turn.number, turn.step, position, sheets)


def report(turn: Turn) -> str:
    """A difference for people to read: the necessary parts, and both results."""
    small = smaller(turn)
    data: Data = plain(small.position)
    named = " ".join(str(sheet) for sheet in small.sheets.values()) + " ".join(small.different)
    lines = [f"game {turn.number}, step {turn.step} (seed `{turn.number}`), {data['phase']} of season {data['turn']}"]
    lines += [f"war {data['war']}, alliance {data['alliance']}, factions {data['faction']}, gold {data['gold']}"]
    opening_ = small.position.opening
    if opening_ is not None:
        lines.append(f"{opening_.season}, {opening_.event}, portals {opening_.portals}, order {opening_.order}")
    for key, army in data["armies"].items():
        fights = any(key in {*battle["attackers"], battle["defender"]} for battle in data["battles"].values())
        if key.split()[1] + ":" in named or key in named or fights or key in data["annexes"]:
            at = army["at"]
            ground = "" if at is None else f"{small.position.terrain[at]} of {small.position.holder.get(at)}"
            told = {
                what: value
                for what, value in army.items()
                if value and what not in {"characters", "units", "at", "name"}
            }
            lines.append(f"  {key} at {at} ({ground}) {told}")
    for key, band in data["parties"].items():
        if f" {key.split()[1]}:" not in named and key not in named and f"'{key.split()[1]}:" not in named:
            continue
        lines.append(f"  {key} {band} on {small.position.holder.get(band['at'])}")
    for key in ("battles", "annexes", "stopped", "quarrels"):
        if data[key] and small.position.phase is Phase.BATTLES:
            lines.append(f"{key}: {data[key]}")
    if small.position.rulings:
        lines.append(f"rulings: {small.position.rulings}")
    for seat, sheet in sorted(small.sheets.items()):
        keys = ("diplomacy", "spending", "armies", "parties", "conquest", "standing", "results", "deeds", "rosters")
        said = {key: getattr(sheet, key, None) for key in keys}
        said["rosters"] = [one.name for one in said["rosters"] or ()]
        lines.append(f"{seat}: " + str({key: value for key, value in said.items() if value}))
    return "\n".join((*lines, *(f"=> {what}" for what in small.different)))
