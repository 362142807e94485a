"""The Grand Campaign, judged a second time: written only from the catalogue of its rules and the readings, top to bottom.

It shares with the ruleset the shapes of positions, sheets and lines, but not a single rule: its geometry, tables and clock
are independent.
Left out are trades, jousts, gold for photos and stories, skirmishes played at a table, and the placing before the first
season.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.grand_campaign.acts import Part
from adjudicator.rulesets.grand_campaign.orders import BattlesSheet, Item, Order, SeasonSheet, reader_of
from adjudicator.rulesets.grand_campaign.position import Position
from adjudicator.rulesets.grand_campaign.rosters import Character, Roster, Unit, character, unit

Data: TypeAlias = dict[str, Any]

YIELDS: set[str] = {
    "no bridges at sea",
    "a conceded clash bars the settlement it was over",
}
"""Points where this judge follows the ruleset against its own reading, so that other differences show. An unlisted point is not followed."""

# Tables (catalogue 2) ---------------------------------------------------------------------------------------------------

WAYS: dict[str, tuple[int, int]] = {
    "NW": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (0, 1), "SW": (-1, 1), "W": (-1, 0),
}  # fmt: skip
COST: dict[str, int] = {
    "AD": 4, "RD": 4, "SD": 4, "LJ": 2, "LP": 2, "LF": 2, "DJ": 3, "DM": 3, "DP": 3, "DF": 3, "Sw": 4, "We": 4, "Ma": 4,
    "Hi": 2, "GH": 2, "FP": 3, "FH": 3, "FJ": 3, "Gr": 1, "Pl": 1, "Fa": 0, "Se": 2, "Du": 3, "Sn": 3, "AP": 2, "AF": 3,
    "Mo": 4, "Ic": 4,
}  # fmt: skip
"""Terrain that everybody may enter; the Impervious kinds are missing."""
LIGHT = {"LJ", "LP", "LF"}
DENSE = {"DJ", "DM", "DP", "DF"}
WOODED = {"FP", "FH", "FJ"}
GRASS = {"Gr", "Pl"}
BARREN = {"SM", "Gl", "Vo", "Se", "Ic"}
"""No building (E-8)."""
KIND = {
    "LJ": "jungle", "DJ": "jungle", "FJ": "jungle", "LP": "pine", "DP": "pine", "FP": "pine", "LF": "forest", "DF": "forest",
    "DM": "forest", "FH": "forest",
}  # fmt: skip
LIGHT_OF = {"forest": "LF", "pine": "LP", "jungle": "LJ"}
DENSE_OF = {"LF": "DF", "LP": "DP", "LJ": "DJ"}
WOODED_OF = {"forest": "FH", "pine": "FP", "jungle": "FJ"}
FELLED = {**dict.fromkeys(LIGHT, "Gr"), "DJ": "LJ", "DM": "LF", "DP": "LP", "DF": "LF", **dict.fromkeys(WOODED, "GH")}
SCENARIO_LISTS = {
    "desert": "pitched watchtower messengers meeting dawn breakthrough",
    "wood": "pitched watchtower meeting dawn ambush night",
    "swamp": "pitched watchtower meeting night supplies messengers",
    "hills": "pitched blood_glory supplies defend_ground valley surveyor",
    "grass": "pitched advance guard sacred escort pitched",
    "imperv": "pitched night ambush valley under_ground defend_ground",
    "farm": "pitched advance guard sacred escort messengers",
    "dunes": "pitched blood_glory supplies defend_ground valley messengers",
    "ash": "pitched advance guard sacred messengers pitched",
    "mount": "pitched pass ambush valley under_ground defend_ground",
    "ice": "pitched advance guard sacred messengers frozen_river",
}
LIST_OF = {
    **dict.fromkeys(("AD", "RD", "SD"), "desert"), **dict.fromkeys(LIGHT | DENSE | {"AF"}, "wood"),
    **dict.fromkeys(("Sw", "We", "Ma"), "swamp"), **dict.fromkeys({"Hi", "GH"} | WOODED, "hills"),
    **dict.fromkeys(GRASS, "grass"), **dict.fromkeys(("SM", "Gl", "Vo"), "imperv"), "Fa": "farm", "Du": "dunes", "Sn": "dunes",
    "AP": "ash", "Mo": "mount", "Ic": "ice",
}  # fmt: skip
POINTS: dict[str, tuple[int, int, int, int]] = {
    "pitched": (4, 4, 0, 0), "watchtower": (4, 4, 0, 1), "messengers": (3, 3, 0, 0), "meeting": (4, 4, 0, 0),
    "dawn": (4, 3, 1, 0), "breakthrough": (5, 3, 0, 1), "ambush": (4, 4, 0, 1), "night": (4, 3, 1, 0),
    "supplies": (3, 3, 0, 0), "blood_glory": (5, 5, 0, 0), "defend_ground": (5, 4, 0, 1), "valley": (5, 5, 0, 1),
    "surveyor": (3, 3, 0, 0), "advance": (4, 3, 0, 0), "guard": (3, 4, 0, 0), "sacred": (4, 4, 0, 0), "escort": (4, 4, 0, 0),
    "under_ground": (4, 4, 0, 0), "pass": (4, 5, 0, 1), "frozen_river": (4, 4, 0, 0), "sea_battle": (3, 3, 0, 0),
    "siege": (8, 5, 0, 2), "raid": (7, 4, 0, 1), "beach": (5, 4, 0, 1), "bridge": (4, 4, 0, 1),
}  # fmt: skip
"""Scenario -> Conquest Points of attacker and defender, modifiers of both (2.7)."""
FINDS = {"valley", "sacred", "under_ground"}
SCENARIO_NAMES = {
    "Pitched Battle": "pitched", "The Watchtower": "watchtower", "Messengers": "messengers", "Meeting Engagement": "meeting",
    "Dawn Attack": "dawn", "Breakthrough": "breakthrough", "Ambush": "ambush", "Night Attack": "night",
    "Destroy the Supplies": "supplies", "Blood and Glory": "blood_glory", "Defend Your Ground": "defend_ground",
    "Valley of Death": "valley", "Surveyor Journey": "surveyor", "Tactical Advance": "advance", "Guard Duty": "guard",
    "Sacred Place": "sacred", "Royal Escort": "escort", "Under Ground": "under_ground", "Battle for the Pass": "pass",
    "Battle for the Frozen River": "frozen_river", "Sea Battle": "sea_battle", "Siege": "siege", "Raid": "raid",
    "Beach Landing": "beach", "Own the Bridge": "bridge",
}  # fmt: skip
ARTEFACTS: dict[str, tuple[str, int]] = {
    "Lantern of Grey Moss": ("minor", 1), "Ferryman's Coin": ("minor", 0), "Thorn-Iron Hatchet": ("minor", 1),
    "Salt-Glass Buckler": ("minor", 0), "Quill of the Ninth Clerk": ("minor", 1), "Drover's Whistle": ("minor", 0),
    "Crown of the Drowned King": ("legendary", 2), "Sunsplitter": ("legendary", 2), "Weirdstone Mantle": ("legendary", 2),
    "Book of Empty Pages": ("legendary", 2), "Weeping Blade": ("cursed", 0), "Ring of Second Thoughts": ("cursed", -1),
    "Idol of the Sated": ("cursed", -1), "Leaden Chalice": ("cursed", -1),
}  # fmt: skip
CROWN = "Crown of the Drowned King"
PRICE = {"town": 1000, "fortress": 2000, "city": 3000, "mine": 1500}
RAZED = PRICE
MOVING = {"town": 750, "fortress": 1250, "city": 1750}
IMPROVING = {("town", "city"): 2500, ("fortress", "city"): 1000, ("town", "fortress"): 1000}
CITIES = {"city", "dwarven_hold", "temple_city"}
ANCIENT = {"dwarven_hold", "temple_city"}
SETTLED = {"town", "fortress"} | CITIES
MINES = {"mine", "dwarven_hold"}
DISCOUNT: dict[str, set[str]] = {
    "beast_herds": LIGHT | DENSE | WOODED, "dread_elves": {"Se"}, "highborn_elves": {"Se"}, "dwarven_holds": {"Mo"},
    "infernal_dwarves": {"Mo", "AP", "AF"}, "ogre_khans": {"Hi", "GH"} | WOODED, "orcs_and_goblins": {"Mo"},
    "saurian_ancients": {"Sw", "We", "Ma", "LJ", "DJ", "FJ"}, "sylvan_elves": LIGHT | DENSE | WOODED, "vermin_swarm": {"Mo"},
    "undying_dynasties": {"RD", "SD", "Du"}, "warriors_of_the_dark_gods": {"Ic", "Sn", "AD"},
}  # fmt: skip
SAVAGE = {"beast_herds", "ogre_khans", "orcs_and_goblins", "warriors_of_the_dark_gods"}
DISCIPLINE = {"highborn_elves", "kingdom_of_equitaine"}
ELVES = {"dread_elves", "highborn_elves"}
SPECIAL = {
    "teleport": "daemon_legions", "coastal_raid": "dread_elves", "move_settlement": "ogre_khans",
    "generate_earthquake": "saurian_ancients", "nurture_forest": "sylvan_elves", "underground_invasion": "vermin_swarm",
    "into_the_sands": "undying_dynasties",
}  # fmt: skip
ENDING = {
    "prepare_to_attack", "defensive_deployment", "annex_territory", "reform_army", "explore_ruins", "teleport",
    "into_the_sands", "underground_invasion",
}  # fmt: skip
SANDS = {"RD", "SD", "Du"}
PARTY_TYPES = {
    "beast_herds": "sellswords rangers saboteurs", "ogre_khans": "sellswords outriders delvers",
    "daemon_legions": "sellswords saboteurs delvers", "orcs_and_goblins": "sellswords thieves outriders",
    "dread_elves": "thieves saboteurs outriders", "saurian_ancients": "rangers delvers sellswords",
    "dwarven_holds": "sellswords delvers rangers", "sylvan_elves": "rangers outriders saboteurs",
    "empire_of_sonnstahl": "sellswords outriders thieves", "vermin_swarm": "thieves delvers saboteurs",
    "highborn_elves": "rangers outriders delvers", "undying_dynasties": "delvers outriders sellswords",
    "infernal_dwarves": "sellswords delvers saboteurs", "vampire_covenant": "thieves delvers sellswords",
    "kingdom_of_equitaine": "outriders sellswords rangers", "warriors_of_the_dark_gods": "sellswords outriders rangers",
}  # fmt: skip
EVENTS = {
    2: "portals", 3: "volcanic_quenching", 4: "weather_extremes", 5: "forest_fire", 6: "bumper_crop", 7: "golden_age",
    8: "economic_growth", 9: "forest_thrives", 10: "stormy_seas", 11: "volcanic_activity", 12: "cataclysm",
}  # fmt: skip
SEASONS = ("spring", "summer", "autumn", "winter")


def erupted(code: str) -> str:
    """K-25, K-26."""
    if code in WOODED or code == "GH":
        return "Hi"
    if code in {"Se", "Mo", "Hi", "Vo"}:
        return code
    if code in LIGHT | DENSE:
        return "AF"
    return {"SM": "Mo", "Ic": "Se"}.get(code, "AP")


# Geometry (catalogue 4) -------------------------------------------------------------------------------------------------


def axial(label: str) -> tuple[int, int]:
    c, r = int(label[:2]) - 1, int(label[2:]) - 1
    return c - (r - r % 2) // 2, r


def away(one: str, other: str) -> int:
    """Z-34."""
    (q, r), (s, t) = axial(one), axial(other)
    return max(abs(q - s), abs(r - t), abs(q - s + r - t))


def order(label: str) -> tuple[int, int]:
    """Z-32."""
    return int(label[2:]), int(label[:2])


def number(name: str) -> tuple[int, int]:
    """A1, A2, A10, then G."""
    return (1, 0) if name == "G" else (0, int(name[1:]))


class Land:
    """The hexes of a map."""

    def __init__(self, columns: int, rows: int) -> None:
        self.hexes = [f"{c:02}{r:02}" for r in range(1, rows + 1) for c in range(1, columns + 1)]
        self.all = set(self.hexes)
        self.near = {
            one: {way: there for way in WAYS if (there := self.go(one, way)) in self.all} for one in self.hexes
        }
        self.rings: dict[tuple[str, int], list[str]] = {}

    def go(self, label: str, *ways: str) -> str:
        """The hex at the end of some steps, perhaps off the map."""
        q, r = axial(label)
        for way in ways:
            q, r = q + WAYS[way][0], r + WAYS[way][1]
        c = q + (r - r % 2) // 2
        return f"{c + 1:02}{r + 1:02}" if c >= 0 and r >= 0 else "off"

    def within(self, label: str, radius: int) -> list[str]:
        key = label, radius
        if key not in self.rings:
            self.rings[key] = [one for one in self.hexes if away(label, one) <= radius]
        return self.rings[key]

    def areas(self, hexes: Iterable[str]) -> list[list[str]]:
        left = set(hexes)
        found: list[list[str]] = []
        while left:
            first = min(left, key=order)
            area, edge = {first}, [first]
            while edge:
                for there in self.near[edge.pop()].values():
                    if there in left and there not in area:
                        area.add(there)
                        edge.append(there)
            left -= area
            found.append(sorted(area, key=order))
        return found


LANDS: dict[tuple[int, int], Land] = {}


def land_of(columns: int, rows: int) -> Land:
    key = columns, rows
    if key not in LANDS:
        LANDS[key] = Land(columns, rows)
    return LANDS[key]


# People on the map ------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Host:
    """An army."""

    owner: str
    id: str
    at: str | None
    name: str
    faction: str
    points: int
    ld: int
    characters: list[Character]
    units: list[Unit]
    rests: bool = False
    sank: str | None = None
    aim: str | None = None
    slowed: int = 0
    fervour: str | None = None
    invaded: int | None = None

    @property
    def key(self) -> str:
        return f"{self.owner} {self.id}"

    @property
    def place(self) -> str:
        assert self.at is not None, self.key
        return self.at

    @property
    def gallops(self) -> bool:
        return self.faction == "kingdom_of_equitaine" and self.mostly("cavalry")

    def mostly(self, tag: str) -> bool:
        core = [one for one in self.units if "core" in one.tags]
        return 2 * len([one for one in core if tag in one.tags]) > len(core)

    def enters(self, code: str) -> bool:
        """True if it may enter terrain (X-9, I-21, I-33, I-48)."""
        return code in COST or self.special(code) is not None

    def special(self, code: str) -> int | None:
        dwarfs = self.faction == "dwarven_holds" and code in {"Vo", "SM"}
        infernal = self.faction == "infernal_dwarves" and code == "Vo"
        goblins = self.faction == "orcs_and_goblins" and code == "Vo" and self.mostly("cave goblins")
        return 3 if dwarfs or infernal or goblins else None


@dataclass(eq=False)
class Band:
    """A party."""

    owner: str
    id: str
    at: str
    type: str
    members: int
    gold: int
    weirdstone: int
    ruin: str | None
    patrol: tuple[bool, frozenset[str]] | None
    moved: bool = False
    fought: bool = False
    back: str | None = None
    ordered: bool = False
    """True if it has taken the Skirmish Action (Q-7)."""

    @property
    def key(self) -> str:
        return f"{self.owner} {self.id}"


@dataclass(eq=False)
class March:
    """An army on the clock (catalogue 3.4)."""

    army: Host
    items: list[Item]
    allowance: int
    spent: int = 0
    farms: int = 0
    roads: int = 0
    trail: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    skipped: bool = False
    state: str = "ready"
    index: int = 0
    cost: int | None = None
    aim: str | None = None
    """The hex that it prepared to attack or annexes."""
    annexes: bool = False
    lead: bool = False
    rough: bool = False
    """True if the search is only for the way; see `way_of`."""
    stance: str = ""

    @property
    def item(self) -> Item:
        return self.items[self.index]

    @property
    def limit(self) -> int:
        return 2 if self.army.id == "G" else 1


@dataclass(eq=False)
class Fight:
    """A battle."""

    id: str
    kind: str
    at: str
    attackers: list[str]
    defender: str | None
    scenario: str
    wins: str | None
    twice: bool = False
    disputed: bool = False


@dataclass(eq=False)
class Outcome:
    """Outcome of a battle."""

    fight: Fight
    winner: str | None
    """attacker, defender or None."""
    major: bool = False
    scenario: str = ""
    how: str = "fought"
    """fought, auto, conceded, stalemate, struck."""
    deeds: list[str] = field(default_factory=list)


@dataclass(eq=False)
class Claim:
    seat: str
    centre: str
    tick: int
    radius: int
    builds: bool


def judge(position: Position, sheets: Mapping[str, Any], dice: Dice) -> Judge:
    """Judge a turn by the rules."""
    turn = Judge(position, sheets, dice)
    if position.phase == "season":
        turn.season_turn()
    else:
        turn.battles_turn()
    return turn


class Judge:
    """A turn in the making."""

    def __init__(self, position: Position, sheets: Mapping[str, Any], dice: Dice) -> None:
        self.old = position
        plan = position.settings.plan
        self.plan = plan
        self.dice = dice
        self.reader = reader_of(plan)
        self.seen: Counter[str] = Counter()
        rows = [row.split() for row in position.rows]
        self.map = land_of(len(rows[0]), len(rows))
        self.terrain = {f"{c:02}{r:02}": code for r, row in enumerate(rows, 1) for c, code in enumerate(row, 1)}
        self.ruins = list(position.ruins)
        self.roads = set(position.roads)
        self.cities = dict(position.cities)
        self.works = dict(position.works)
        self.sabotaged = set(position.sabotaged)
        self.seats = list(position.realms)
        self.gold = {seat: realm.gold for seat, realm in position.realms.items()}
        self.faction = {seat: realm.faction for seat, realm in position.realms.items()}
        self.barred = {seat: realm.barred for seat, realm in position.realms.items()}
        self.landless = {seat: bool(realm.landless) for seat, realm in position.realms.items()}
        self.out = {seat: bool(realm.out) for seat, realm in position.realms.items()}
        self.changed = {seat: realm.changed for seat, realm in position.realms.items()}
        self.holder = {label: seat for seat, realm in position.realms.items() for label in realm.hexes}
        self.war = {frozenset(pair) for pair in position.relations.war}
        self.alliance = {frozenset(pair) for pair in position.relations.alliance}
        self.armies = [
            Host(
                a.owner, a.id, a.at, a.name, a.faction, a.points, a.ld, [character(line) for line in a.characters],
                [unit(line) for line in a.units], bool(a.rests), a.sank, a.aim, a.slowed or 0, a.fervour, a.invaded,
            ) for a in position.armies
        ]  # fmt: skip
        self.parties = [
            Band(
                p.owner, p.id, p.at, p.type_, p.members, p.gold, p.weirdstone or 0, p.ruin,
                None if p.patrol is None else (bool(p.patrol.all), frozenset(p.patrol.but)),
            ) for p in position.parties
        ]  # fmt: skip
        assert position.opening is not None
        self.opening = position.opening
        self.turn = position.turn
        self.phase = str(position.phase)
        self.closed = False
        self.next_opening: Data | None = None
        self.fights: list[Fight] = [
            Fight(
                b.id,
                b.kind,
                b.at,
                list(b.attackers),
                b.defender,
                b.scenario,
                b.wins,
                bool(b.twice),
                bool(b.disputed),
            )
            for b in position.battles
        ]
        self.annexes = dict(position.annexes)
        self.stopped: dict[str, March] = {}
        for one in position.stopped:
            army = self.army(one.army)
            items = list(self.reader.items_of(one.items))
            march = March(army, items, one.allowance, one.spent, one.farms, one.roads, list(one.trail), list(one.used))
            march.skipped = "skip" in one.used
            self.stopped[one.army] = march
        self.quarrels: list[tuple[str, str, str, str | None, str | None]] = [
            (q.comer, q.other, q.at, q.comer_back, q.other_back) for q in position.quarrels
        ]
        self.plans: dict[str, list[Item]] = {
            key: list(self.reader.plan_of(lines)) for key, lines in position.plans.items()
        }
        self.sheets = {seat: sheet for seat, sheet in sheets.items() if not self.out[seat]}
        self.standing: dict[str, Data] = {}
        self.rosters: dict[str, Mapping[str, Roster]] = {}
        for seat in self.seats:
            kept = position.realms[seat].orders
            self.standing[seat] = {
                "aside": set(kept.aside), "answer": list(kept.answer), "bearer": dict(kept.bearer), "general": kept.general,
                "roster": kept.roster, "at": kept.at,
            }  # fmt: skip
        self.closing = bool(position.closing)
        # The Army Phase.
        self.frozen: dict[str, str] = {}
        self.built: dict[str, str] = {}
        self.claims: list[Claim] = []
        self.clashes: list[tuple[March, March, str, bool]] = []
        self.marches: list[March] = []
        self.resuming = False
        self.fallen: list[Host] = []
        """General's Armies that are to be replaced."""
        self.conquered: dict[str, set[str]] = {}

    # Words ----------------------------------------------------------------------------------------------------------------

    def army(self, key: str) -> Host:
        return next(army for army in self.armies if army.key == key)

    def rank(self, seat: str) -> tuple[int, str]:
        order_ = list(self.opening.order)
        return (order_.index(seat) if seat in order_ else len(order_), seat)

    def turn_order(self, thing: Host | Band) -> tuple[tuple[int, str], tuple[int, int]]:
        return self.rank(thing.owner), number(thing.id)

    def at_war(self, one: str, other: str) -> bool:
        return frozenset((one, other)) in self.war

    def friends(self, one: str, other: str | None) -> bool:
        return one == other or (other is not None and frozenset((one, other)) in self.alliance)

    def on(self, label: str, but: Host | None = None) -> Host | None:
        """Army on this hex, without `but`."""
        return next((army for army in self.armies if army.at == label and army is not but), None)

    def owner(self, label: str) -> str | None:
        """Owner of a hex while armies march: by the frozen map, and by constructions since (O-17, GR-2)."""
        return self.built.get(label) or self.frozen.get(label)

    def admits(self, seat: str, label: str) -> bool:
        """Own, Allied or unclaimed, and no neutral city (O-6, O-7)."""
        held = self.holder.get(label)
        return label not in self.cities and (held is None or self.friends(seat, held))

    def credit(self, seat: str, gold: int) -> None:
        self.gold[seat] = min(self.plan.configuration.gold_cap, self.gold[seat] + gold)

    def is_sea(self, label: str) -> bool:
        return self.terrain[label] == "Se"

    def coastal(self, label: str) -> bool:
        return not self.is_sea(label) and any(self.is_sea(there) for there in self.map.near[label].values())

    def rivered(self, label: str) -> bool:
        return label in self.plan.rivers.hexes or any(label in pair for pair in self.plan.wet)

    def settled(self, but: str | None = None) -> list[str]:
        own = [label for label, kind in self.works.items() if kind in SETTLED and label != but]
        return own + list(self.cities)

    def count(self, seat: str, kinds: set[str]) -> int:
        """Number of a player's constructions, including those of this phase."""
        held = {**self.holder, **self.built}
        return len([label for label, kind in self.works.items() if kind in kinds and held.get(label) == seat])

    def general_of(self, army: Host) -> Character:
        return next(one for one in army.characters if one.role == "general")

    def lines(self, seat: str, part: Part, texts: Iterable[str]) -> list[Order]:
        """The readable lines of a list."""
        found = [self.reader.read(part, text) for text in texts]
        return [one for one in found if isinstance(one, Order)]

    def first_lines(self, seat: str, part: Part, texts: Iterable[str], key: str) -> dict[str, list[Item]]:
        """Army -> items of the first line for it, the only one that counts."""
        found: dict[str, list[Item]] = {}
        for line in self.lines(seat, part, texts):
            found.setdefault(line.args[key], list(line.items))
        return found

    def nearest(self, start: str, fits: Callable[[str], bool]) -> str | None:
        """The nearest hex by distance, ties by hex order."""
        found = [label for label in self.map.hexes if fits(label)]
        return min(found, key=lambda label: (away(start, label), order(label)), default=None)

    # The season's sheet ---------------------------------------------------------------------------------------------------

    def season_turn(self) -> None:
        for seat, sheet in self.sheets.items():
            self.rosters[seat] = {one.name: one.roster for one in reversed(sheet.rosters)}
            self.read_standing(seat, sheet)
            plans = self.first_lines(seat, "conquest", sheet.conquest, "army")
            for name, items in plans.items():
                self.plans[f"{seat} {name}"] = items
        living = [seat for seat in self.seats if not self.out[seat]]
        self.closing = all(seat in self.sheets and self.sheets[seat].close for seat in living)
        self.diplomacy()
        self.income()
        self.spending()
        self.army_phase()
        self.adventurer_phase()
        if self.fights or self.quarrels:  # Z-4, W-9
            self.replace_generals()
            self.phase = "battles"
            return
        self.post_battle({})
        self.next_season()

    def read_standing(self, seat: str, sheet: SeasonSheet) -> None:
        if sheet.standing is None:
            return
        said: Data = {"aside": set(), "answer": [], "bearer": {}, "general": None, "roster": None, "at": None}
        done: set[str] = set()
        for line in self.lines(seat, "standing", sheet.standing):
            match line.kind:
                case "aside":
                    said["aside"].add(line.args["army"])
                case "answer" if "answer" not in done:
                    said["answer"] = re.findall(r"A\d+|G", line.args["armies"])
                case "bearer":
                    said["bearer"].setdefault(line.args["army"], line.args["character"])
                case "promote" if "next" not in done:
                    done.add("next")
                    said["general"], said["at"] = f"promote {line.args['army']}", line.args["hex"]
                case "next" if "next" not in done:
                    done.add("next")
                    said["general"], said["at"] = line.args["roster"], line.args["hex"]
                    said["roster"] = self.rosters[seat].get(line.args["roster"])
                case _:
                    pass
            done.add(line.kind)
        self.standing[seat] = said

    # Phase 3 --------------------------------------------------------------------------------------------------------------

    def diplomacy(self) -> None:
        before = set(self.alliance)
        said: dict[str, set[tuple[str, str]]] = {
            kind: set() for kind in ("war", "alliance", "dissolve", "peace", "approve")
        }
        approved: Counter[tuple[str, str]] = Counter()
        for seat, sheet in self.sheets.items():
            asked: set[tuple[str, str]] = set()
            for line in self.lines(seat, "diplomacy", sheet.diplomacy):
                other = line.args.get("seat", seat)
                if line.kind == "approve":
                    asked.add((other, line.args["faction"]))
                elif line.kind in said and other != seat:
                    said[line.kind].add((seat, other))
            approved.update(asked)
        for one, other in said["dissolve"]:
            if frozenset((one, other)) in self.alliance:
                self.alliance.discard(frozenset((one, other)))
                self.seen["dissolved"] += 1
        for one, other in said["peace"]:
            if (other, one) in said["peace"] and self.at_war(one, other):
                self.war.discard(frozenset((one, other)))
                self.seen["peace"] += 1
        for one, other in said["alliance"]:
            if (other, one) in said["alliance"] and not self.at_war(one, other):
                self.alliance.add(frozenset((one, other)))
                self.seen["alliance"] += 1
        for one, other in said["war"]:
            self.alliance.discard(frozenset((one, other)))
            self.war.add(frozenset((one, other)))
            self.seen["war"] += 1
        ended = before - self.alliance
        for army in sorted(self.armies, key=self.turn_order):  # L-14
            held = None if army.at is None else self.holder.get(army.at)
            if army.at is None or held is None or frozenset((army.owner, held)) not in ended:
                anywhere = held is not None and not self.friends(army.owner, held)
                concerned = any(army.owner in pair for pair in ended)
                if not (anywhere and concerned and "any ended alliance moves armies off any land" in YIELDS):
                    continue
            spot = self.refuge(army)
            if spot is not None:
                army.at, army.aim = spot, None
                self.seen["moved when an alliance ended"] += 1

    def refuge(self, army: Host) -> str | None:
        """The nearest hex that an army may be set on (L-14, K-31)."""
        return self.nearest(army.place, lambda label: self.stands(army, label))

    def stands(self, army: Host, label: str) -> bool:
        """True if an army may be set on a hex: free, passable, own, Allied or unclaimed."""
        return self.on(label) is None and army.enters(self.terrain[label]) and self.admits(army.owner, label)

    # Phase 4 --------------------------------------------------------------------------------------------------------------

    def city_bonus(self, seat: str, label: str) -> int:
        river, sea = self.rivered(label), self.coastal(label)
        at = river + 2 * sea
        faction = self.faction[seat]
        if faction in ELVES:
            return (0, 1, 2, 3)[at]
        if faction == "empire_of_sonnstahl":
            return (0, 2, 1, 2)[at]
        if faction == "sylvan_elves" and self.terrain[label] in LIGHT | DENSE | WOODED:
            return (1, 2, 2, 3)[at]
        return (0, 1, 1, 2)[at]

    def income(self) -> None:
        total = dict.fromkeys(self.seats, 0)
        for label, dice in self.opening.dice.items():
            seat = self.holder.get(label)
            if seat is None:
                continue
            kind, faction = self.works.get(label), self.faction[seat]
            if kind in CITIES:
                gold = 0
                if dice.city:
                    gold = 50 * (sum(dice.city) + self.city_bonus(seat, label))
                gold += 50 * ((dice.season or 0) + (dice.event or 0))
                if faction == "kingdom_of_equitaine" and dice.peasants == 1:
                    gold //= 2
                    self.seen["peasants"] += 1
                total[seat] += gold
            if kind == "town":
                total[seat] += 50 * ((dice.season or 0) + (dice.event or 0))
            if kind in MINES and dice.mine:
                if faction == "infernal_dwarves" and dice.slaves == 1:
                    self.seen["slaves"] += 1
                else:
                    more = 1 if faction in {"dwarven_holds", "infernal_dwarves"} else 0
                    total[seat] += 50 * (sum(dice.mine) + more)
                    if kind == "mine" and sum(dice.mine) in {2, 12}:
                        del self.works[label]
                        self.seen["exhausted"] += 1
            if dice.ruin and label in self.ruins and faction in {"saurian_ancients", "vermin_swarm"}:
                total[seat] += 50 * dice.ruin
                self.seen["ruin yields"] += 1
        for seat, gold in total.items():
            self.credit(seat, gold)
        self.sabotaged = set()

    # Phase 5 --------------------------------------------------------------------------------------------------------------

    def in_order(self) -> list[str]:
        return [seat for seat in sorted(self.seats, key=self.rank) if seat in self.sheets]

    def roster(self, seat: str, name: str) -> Roster | None:
        return self.rosters.get(seat, {}).get(name) or self.plan.rosters.get(name)

    def army_limit(self, seat: str) -> int:
        most = self.count(seat, CITIES) + 2 + (self.faction[seat] == "empire_of_sonnstahl")
        if self.faction[seat] == "vampire_covenant":
            most += len([label for label in self.ruins if self.holder.get(label) == seat])
        return most

    def spending(self) -> None:
        orders = {seat: self.lines(seat, "spending", sheet.spending) for seat, sheet in self.sheets.items()}
        for seat in self.in_order():
            for line in orders[seat]:
                if line.kind == "army":
                    self.recruit(seat, line)
        for seat in self.in_order():
            for line in orders[seat]:
                if line.kind == "party":
                    self.hire_party(seat, line)
        for seat in self.in_order():
            for line in orders[seat]:
                if line.kind == "hire":
                    self.hire(seat, line)
        for seat in self.in_order():
            golden = [line for line in orders[seat] if line.kind == "golden"][:1]
            if golden and self.opening.golden == seat:
                label = golden[0].args["hex"]
                kind = self.works.get(label)
                if self.holder.get(label) != seat:
                    continue
                if kind == "town" and self.count(seat, {"fortress"}) < 10:
                    self.works[label] = "fortress"
                    self.seen["golden age used"] += 1
                elif kind == "fortress" and self.count(seat, {"city"}) < 5:
                    self.works[label] = "city"
                    self.seen["golden age used"] += 1

    def recruit(self, seat: str, line: Order) -> None:
        name, label = line.args["army"], line.args["hex"]
        roster = self.roster(seat, line.args["roster"])
        own = [army for army in self.armies if army.owner == seat]
        if roster is None or name == "G" or any(army.id == name for army in own) or self.gold[seat] < 2500:
            return
        if len([army for army in own if army.id != "G"]) >= self.army_limit(seat):
            self.seen["army over the limit"] += 1
            return
        army = self.muster(seat, name, roster)
        homes = [spot for spot, kind in self.works.items() if kind in CITIES | {"fortress"}]
        beside = any(self.holder.get(spot) == seat and away(spot, label) == 1 for spot in homes)
        if beside and self.stands(army, label):
            army.at = label
            self.gold[seat] -= 2500
            self.armies.append(army)
            self.seen["recruited army"] += 1

    def muster(self, seat: str, name: str, roster: Roster) -> Host:
        characters = [character(text) for text in roster.characters]
        units = [unit(text) for text in roster.units]
        general = next(one.name for one in characters if one.role == "general")
        faction = roster.faction or self.faction[seat]
        return Host(seat, name, None, general, faction, roster.points, roster.ld, characters, units)

    def hire_party(self, seat: str, line: Order) -> None:
        name, label, kind, members = line.args["party"], line.args["hex"], line.args["type"], int(line.args["number"])
        own = [band for band in self.parties if band.owner == seat]
        fits = not any(band.id == name for band in own) and len(own) < 3 and 1 <= members <= 5
        homes = [spot for spot, what in self.works.items() if what in SETTLED and self.holder.get(spot) == seat]
        beside = any(away(spot, label) == 1 for spot in homes) and self.terrain[label] in COST
        if fits and beside and self.gold[seat] >= 500 and kind in PARTY_TYPES[self.faction[seat]].split():
            self.gold[seat] -= 500
            self.parties.append(Band(seat, name, label, kind, members, 500 - 100 * members, 0, None, None))
            self.seen["recruited party"] += 1

    def hire(self, seat: str, line: Order) -> None:
        more = int(line.args["number"])
        for band in self.parties:
            if band.owner == seat and band.id == line.args["party"]:
                home = self.works.get(band.at) in SETTLED and self.friends(seat, self.holder.get(band.at))
                if home and band.members + more <= 8 and band.gold >= 100 * more:
                    band.members += more
                    band.gold -= 100 * more
                    self.seen["hired"] += 1

    # Phase 6 --------------------------------------------------------------------------------------------------------------

    def army_phase(self) -> None:
        self.frozen = dict(self.holder)
        self.built, self.claims, self.clashes = {}, [], []
        bonus = {"summer": 1, "winter": -1}.get(self.opening.season, 0)
        lists = {seat: self.first_lines(seat, "armies", sheet.armies, "army") for seat, sheet in self.sheets.items()}
        self.marches = []
        for army in sorted(self.armies, key=self.turn_order):
            items = [] if army.rests else list(lists.get(army.owner, {}).get(army.id, []))
            if army.at is not None or (items and items[0].kind != "emerge"):
                items = [item for item in items if item.kind != "emerge"]
            items = [item for at, item in enumerate(items) if at == 0 or item.kind != "emerge"]
            if army.rests:
                self.seen["rested"] += 1
            army.rests = False
            if army.at is None and not self.emerge(army, items):
                continue
            march = March(army, items, max(0, 10 + bonus - army.slowed))
            army.slowed = 0
            march.trail = [army.place]
            if items and items[0].kind == "annex_territory" and army.aim is not None and self.hostile(army, army.aim):
                march.state, march.aim, march.annexes = "annexing", army.aim, True
                march.lead = items[0].lead
            army.aim = None
            self.marches.append(march)
        tick = 0
        while any(march.state == "ready" for march in self.marches):
            while self.round(tick):
                pass
            tick += 1
        self.after_the_clock()

    def hostile(self, army: Host, label: str) -> bool:
        """True if a hex is one that an army may attack (O-52, H-12)."""
        held = self.frozen.get(label)
        return label in self.cities or (held is not None and self.at_war(army.owner, held))

    def emerge(self, army: Host, items: list[Item]) -> bool:
        """I-73, I-74; True if the army is on the map again."""
        assert army.sank is not None

        def legal(label: str) -> bool:
            held = self.frozen.get(label)
            return self.terrain[label] in SANDS and self.on(label) is None and self.friends(army.owner, held)

        spot: str | None = None
        if items and items[0].kind == "emerge":
            wish = items.pop(0).hex
            if wish is not None and legal(wish):
                spot = wish
        if spot is None:
            spot = self.nearest(army.sank, legal)
        if spot is None and "emerges on any ground" in YIELDS:
            spot = self.nearest(army.sank, lambda label: self.stands(army, label))
        if spot is None:
            spot = self.mauled_spot(army, army.sank, None)
            self.seen["emerged far"] += 1
        army.sank, army.at = None, spot
        if spot is None:
            self.perish(army)
            return False
        self.seen["emerged"] += 1
        return True

    def look(self, march: March) -> None:
        """Find the next item and its cost (3.4 B1)."""
        while march.state == "ready":
            if march.index == len(march.items):
                march.state = "finished"
                return
            item = march.item
            if item.kind == "emerge":
                march.index += 1
                continue
            if item.kind not in {"step", "skip", "portal"}:
                surplus = len(march.used) >= march.limit or item.kind in march.used
                if surplus and not march.rough:  # O-9, O-14, GR-5
                    self.seen["surplus action"] += 1
                    march.index += 1
                    continue
                if march.cost is None:
                    march.cost = 0 if item.kind == "forced_march" else 1
            elif march.cost is None:
                target = self.target(march, item)
                if target is None:
                    march.state = "finished"
                    self.seen["illegal step"] += 1
                    return
                march.cost = self.step_cost(march, target)
            if march.spent + march.cost > march.allowance:
                march.state = "finished"
                self.seen["out of movement"] += 1
            return

    def target(self, march: March, item: Item) -> str | None:
        """Hex that a step leads to; None if it is illegal at any cost."""
        at = march.army.place
        if item.kind == "step":
            target = self.map.near[at].get(item.way or "")
        elif item.kind == "skip":
            if march.army.faction != "daemon_legions" or march.skipped:
                return None
            target = self.map.go(at, item.way or "", item.next or "")
            if target not in self.map.all or (away(at, target) != 2 and not march.rough):
                return None
        else:
            target = None if march.rough else item.hex
            if at not in self.opening.portals or target not in self.opening.portals or target == at:
                return None
        if target is None or not march.army.enters(self.terrain[target]):
            return None
        return target

    def road(self, label: str) -> bool:
        return label in self.roads or self.works.get(label) in SETTLED or label in self.cities

    def farmland(self, march: March, label: str) -> bool:
        return self.terrain[label] == "Fa" or (self.terrain[label] in GRASS and march.army.gallops)

    def step_cost(self, march: March, target: str) -> int:
        """Section X."""
        army, code = march.army, self.terrain[target]
        storm = 1 if self.opening.event == "stormy_seas" else 0
        wet = self.is_sea(army.place) + self.is_sea(target)
        if wet == 1:
            return (2 if army.faction in ELVES else 3) + storm
        if wet == 2:
            return (1 if army.faction in ELVES else 2) + storm
        if self.farmland(march, target):
            if self.road(target):
                return 1 if (march.roads + 1) % 3 == 0 else 0
            return 1 if (march.farms + 1) % 2 == 0 else 0
        special = army.special(code)
        cost = COST[code] if special is None else special
        less = (code in DISCOUNT.get(army.faction, set())) + self.road(target)
        return max(1, cost - less)

    def enter(self, march: March, target: str) -> None:
        """Make a step (3.4 B6)."""
        army = march.army
        assert march.cost is not None
        if self.is_sea(army.place) == self.is_sea(target) and self.farmland(march, target):
            if self.road(target):
                march.roads += 1
            else:
                march.farms += 1
        if march.item.kind == "skip":
            march.skipped = True
        if march.item.kind != "step":
            self.seen[march.item.kind] += 1
        march.spent += march.cost
        march.cost = None
        march.index += 1
        army.at = target
        march.trail.append(target)

    def may_step(self, march: March, target: str) -> bool:
        held = self.owner(target)
        return target not in self.cities and (held is None or self.friends(march.army.owner, held))

    def round(self, tick: int) -> bool:
        """Run one round of a tick; True if anything was due."""
        for march in self.marches:
            self.look(march)
        due = [
            march
            for march in self.marches
            if march.state == "ready" and march.cost is not None and march.spent + march.cost == tick
        ]
        if not due:
            return False
        for march in [march for march in due if march.item.kind not in {"step", "skip", "portal"}]:
            self.do(march, tick)
            due.remove(march)
        moving: dict[March, str] = {}
        for march in due:
            target = self.target(march, march.item)
            if target is None or not self.may_step(march, target):
                march.state = "finished"
                self.seen["refused step"] += 1
            else:
                moving[march] = target
        while self.conflict(moving, tick):
            pass
        for march, target in moving.items():
            self.enter(march, target)
        return True

    def conflict(self, moving: dict[March, str], tick: int) -> bool:
        """Settle the first group of armies that interfere (3.4 B5, GR-1); False if none is left."""
        swaps: list[tuple[str, March, March]] = []
        for one, there in moving.items():
            for other, back in moving.items():
                steps = one.item.kind == other.item.kind == "step"
                first = self.turn_order(one.army) < self.turn_order(other.army)
                if steps and first and there == other.army.at and back == one.army.at:
                    swaps.append((other.army.place, one, other))
        if swaps:
            label, one, other = min(swaps, key=lambda swap: order(swap[0]))
            self.seen["swap"] += 1
            self.settle(moving, [one, other], None, label)
            return True
        into: dict[str, list[March]] = {}
        for march, label in moving.items():
            into.setdefault(label, []).append(march)
        standing = {march.army.at: march for march in self.marches if march not in moving}
        for label in sorted(into, key=order):
            if len(into[label]) > 1:
                self.seen["collision"] += 1
                self.settle(moving, into[label], standing.get(label), label)
                return True
        for label in sorted(into, key=order):
            if label in standing:
                self.seen["blocked"] += 1
                self.settle(moving, into[label], standing[label], label)
                return True
        return False

    def settle(self, moving: dict[March, str], stepping: list[March], stander: March | None, label: str) -> None:
        """Stop the armies, or lock the first Enemy pair (P-19)."""
        group = [*stepping, *([stander] if stander is not None and stander.state != "locked" else [])]
        group.sort(key=lambda march: self.turn_order(march.army))
        locked: list[March] = []
        for at, one in enumerate(group):
            for other in group[at + 1 :]:
                if not locked and self.at_war(one.army.owner, other.army.owner):
                    locked = [one, other]
        for march in stepping:
            moving.pop(march)
            march.cost = None
        for march in group:
            if march not in locked and march.state == "ready":
                march.state = "finished"
                self.seen["halted"] += 1
        if locked:
            first, second = locked
            if first is stander:
                first, second = second, first
            if second is not stander:
                self.seen["clash of two that moved"] += 1
            if second is stander:
                self.seen["clash with one that stood"] += 1
            for march in locked:
                if march.state != "ready":
                    march.index = len(march.items)
                march.state, march.stance, march.aim, march.annexes = "locked", "", None, False
            self.clashes.append((first, second, label, second is stander))

    # Army Actions ---------------------------------------------------------------------------------------------------------

    def do(self, march: March, tick: int) -> None:
        """An Action, well or badly (3.4 B3)."""
        item, army = march.item, march.army
        assert march.cost is not None
        march.spent += march.cost
        march.cost = None
        march.index += 1
        march.used.append(item.kind)
        done = False
        if item.kind not in SPECIAL or SPECIAL[item.kind] == army.faction:
            done = bool(getattr(self, f"do_{item.kind}")(march, item, tick))
        self.seen[f"{item.kind} {'done' if done else 'failed'}"] += 1
        if item.kind in ENDING:
            march.state = "finished"
            march.index = len(march.items)

    def own_or_new(self, seat: str, label: str) -> bool:
        """Own on the frozen map, or by a claim of this phase (O-17)."""
        if self.owner(label) == seat:
            return True
        claims = [claim for claim in self.claims if claim.seat == seat and away(claim.centre, label) <= claim.radius]
        return self.owner(label) is None and label not in self.cities and bool(claims)

    def do_forced_march(self, march: March, item: Item, tick: int) -> bool:
        march.allowance += 1
        return True

    def do_defensive_deployment(self, march: March, item: Item, tick: int) -> bool:
        return True

    def do_annex_territory(self, march: March, item: Item, tick: int) -> bool:
        return False

    def do_claim_territory(self, march: March, item: Item, tick: int) -> bool:
        at = march.army.place
        if self.frozen.get(at) is not None or at in self.cities or self.is_sea(at):
            return False
        if at in self.built and "own new works are no unclaimed ground" in YIELDS:
            return False
        self.claim(Claim(march.army.owner, at, tick, 1, builds=False))
        return True

    def claim(self, claim: Claim) -> None:
        self.claims.append(claim)
        if self.resuming:
            self.settle_claims()

    def site(self, seat: str, at: str, but: str | None = None) -> bool:
        """True if a settlement may be founded: E-2, E-8, E-16, O-21."""
        held = self.owner(at)
        free = at not in self.works and at not in self.cities and held in {None, seat}
        return free and self.terrain[at] not in BARREN and all(away(at, spot) >= 3 for spot in self.settled(but))

    def capped(self, seat: str, kind: str) -> bool:
        most = {"city": 5, "fortress": 10}.get(kind)
        return most is not None and self.count(seat, {kind}) >= most

    def construct(self, march: March, kind: str, tick: int) -> bool:
        seat, at = march.army.owner, march.army.place
        if not self.site(seat, at) or self.capped(seat, kind) or self.gold[seat] < PRICE[kind]:
            return False
        self.gold[seat] -= PRICE[kind]
        self.works[at] = kind
        self.built[at] = seat
        self.claim(Claim(seat, at, tick, 1, builds=True))
        return True

    def do_construct_town(self, march: March, item: Item, tick: int) -> bool:
        return self.construct(march, "town", tick)

    def do_construct_fortress(self, march: March, item: Item, tick: int) -> bool:
        return self.construct(march, "fortress", tick)

    def do_construct_city(self, march: March, item: Item, tick: int) -> bool:
        return self.construct(march, "city", tick)

    def do_construct_mine(self, march: March, item: Item, tick: int) -> bool:
        seat, at = march.army.owner, march.army.place
        free = at not in self.works and at not in self.cities and self.owner(at) in {None, seat}
        if not free or self.terrain[at] != "Mo" or self.gold[seat] < PRICE["mine"]:
            return False
        self.gold[seat] -= PRICE["mine"]
        self.works[at] = "mine"
        self.built[at] = seat
        self.claim(Claim(seat, at, tick, 0, builds=True))
        return True

    def do_improve_settlement(self, march: March, item: Item, tick: int) -> bool:
        seat, at = march.army.owner, march.army.place
        kind = item.args["rank"].lower()
        price = IMPROVING.get((self.works.get(at, ""), kind))
        if price is None or self.owner(at) != seat or self.capped(seat, kind) or self.gold[seat] < price:
            return False
        self.gold[seat] -= price
        self.works[at] = kind
        return True

    def do_fell_forest(self, march: March, item: Item, tick: int) -> bool:
        seat, at = march.army.owner, march.army.place
        if self.terrain[at] not in FELLED:
            return False
        self.terrain[at] = FELLED[self.terrain[at]]
        self.credit(seat, 50 * self.dice.roll(f"fell_forest:{seat}:{march.army.id}", 6))
        return True

    def do_cultivate(self, march: March, item: Item, tick: int) -> bool:
        at = march.army.place
        if self.terrain[at] not in GRASS:
            return False
        self.terrain[at] = "Fa"
        return True

    def do_clear(self, march: March, item: Item, tick: int) -> bool:
        at = march.army.place
        into = {"AP": "Gr", "AF": "AP"}.get(self.terrain[at])
        if into is None:
            return False
        self.terrain[at] = into
        return True

    def do_build_road(self, march: March, item: Item, tick: int) -> bool:
        seat, at = march.army.owner, march.army.place
        held = self.owner(at)
        mine = (held is not None and self.friends(seat, held)) or self.own_or_new(seat, at)
        if not mine or self.road(at) or self.terrain[at] in BARREN or self.gold[seat] < 250:
            return False
        self.gold[seat] -= 250
        self.roads.add(at)
        return True

    def do_reform_army(self, march: March, item: Item, tick: int) -> bool:
        army = march.army
        roster = self.roster(army.owner, item.args["roster"])
        if roster is None:
            return False
        fresh = self.muster(army.owner, army.id, roster)
        army.characters, army.units = fresh.characters, fresh.units
        army.fervour = None
        army.points, army.ld, army.faction = fresh.points, fresh.ld, fresh.faction
        return True

    def do_explore_ruins(self, march: March, item: Item, tick: int) -> bool:
        army = march.army
        near = [label for label in self.ruins if away(label, army.place) <= 1]
        if item.hex is not None:
            near = [label for label in near if label == item.hex]
        if not near:
            return False
        ruin = min(near, key=lambda label: (away(label, army.place), order(label)))
        if self.barred[army.owner] == ruin:
            self.seen["barred ruin"] += 1
            return False
        self.barred[army.owner] = None
        if self.find(f"explore_ruins:{army.owner}:{army.id}", army):
            self.barred[army.owner] = ruin
        return True

    def pool(self, kind: str) -> list[str]:
        borne = {one.bears for army in self.armies for one in army.characters}
        return sorted(name for name, (group, _) in ARTEFACTS.items() if group == kind and name not in borne)

    def find(self, name: str, army: Host) -> bool:
        """A search for an Artefact (U-10, U-12, U-13)."""
        if self.dice.roll(f"{name}:found", 6) != 6:
            return False
        die = self.dice.roll(f"{name}:class", 6)
        kind = "legendary" if die == 6 else "cursed" if die == 1 else "minor"
        if not self.pool(kind):
            kind = "minor"
        pool = self.pool(kind)
        if not pool:
            return False
        found = pool[self.dice.roll(f"{name}:{kind}", len(pool)) - 1]
        self.seen[f"found {kind}"] += 1
        return self.give(army, found, self.standing[army.owner]["bearer"].get(army.id))

    def give(self, army: Host, artefact: str, wish: str | None = None) -> bool:
        """Give it to the named character, otherwise to the General, otherwise to the first without one. True if somebody took it."""
        general = self.general_of(army).name
        names = [one.name for one in army.characters]
        wished = [name for name in names if wish is not None and name.casefold() == wish.casefold()]
        for name in [*wished, general, *names]:
            at = names.index(name)
            if army.characters[at].bears is None:
                army.characters[at] = replace(army.characters[at], bears=artefact)
                return True
        return False

    def do_prepare_to_attack(self, march: March, item: Item, tick: int) -> bool:
        target = self.map.near[march.army.place].get(item.way or "")
        if target is None or self.resuming or not self.hostile(march.army, target):
            return False
        march.stance, march.aim, march.lead = "attack", target, item.lead
        return True

    def do_underground_invasion(self, march: March, item: Item, tick: int) -> bool:
        army, target = march.army, item.hex
        year = (self.turn - 1) // 4 + 1
        if army.id != "G" or army.invaded == year or target is None:
            return False
        army.invaded = year
        stands = self.works.get(target) is not None or target in self.cities
        if self.resuming or away(army.place, target) > 4 or not stands or not self.hostile(army, target):
            return False
        march.stance, march.aim, march.lead = "attack", target, item.lead
        return True

    def temple(self, seat: str, label: str | None) -> bool:
        if label is None or self.works.get(label) != "temple_city":
            return False
        return self.friends(seat, self.owner(label))

    def do_ancient_teleporter(self, march: March, item: Item, tick: int) -> bool:
        army, there = march.army, item.hex
        if not self.temple(army.owner, army.at) or not self.temple(army.owner, there) or there == army.at:
            return False
        if there is None or self.on(there) is not None:
            return False
        army.at = there
        march.trail.append(there)
        return True

    def do_teleport(self, march: March, item: Item, tick: int) -> bool:
        army, there = march.army, item.hex
        homes = [
            label
            for label, kind in self.works.items()
            if kind in CITIES and self.friends(army.owner, self.owner(label))
        ]
        if there is None or not any(away(label, there) <= 1 for label in homes):
            return False
        if self.on(there) is not None or not army.enters(self.terrain[there]) or not self.may_step(march, there):
            return False
        army.at = there
        march.trail.append(there)
        return True

    def do_coastal_raid(self, march: March, item: Item, tick: int) -> bool:
        army = march.army
        there = self.map.near[army.place].get(item.way or "")
        victim = None if there is None else self.owner(there)
        if there is None or victim is None or self.friends(army.owner, victim) or not self.coastal(there):
            return False
        dice = [self.dice.roll(f"coastal_raid:{army.owner}:{army.id}:{die}", 6) for die in (1, 2)]
        taken = min(self.gold[victim], 50 * sum(dice))
        self.gold[victim] -= taken
        self.credit(army.owner, taken)
        return True

    def do_move_settlement(self, march: March, item: Item, tick: int) -> bool:
        seat, at, old = march.army.owner, march.army.place, item.hex
        kind = item.args["settlement"].lower()
        if old is None or self.works.get(old) != kind or self.owner(old) != seat:
            return False
        if any(one.army.at == old and one.state == "locked" for one in self.marches):
            return False
        if self.gold[seat] < MOVING[kind] or not self.site(seat, at, old):
            return False
        self.gold[seat] -= MOVING[kind]
        del self.works[old]
        self.works[at] = kind
        self.built[at] = seat
        self.claim(Claim(seat, at, tick, 1, builds=True))
        return True

    def do_generate_earthquake(self, march: March, item: Item, tick: int) -> bool:
        army = march.army
        for label in self.map.within(army.place, 4):
            if label not in self.works or self.works[label] in ANCIENT:
                continue
            if self.dice.roll(f"generate_earthquake:{army.owner}:{army.id}:{label}", 6) == 1:
                del self.works[label]
                self.seen["wrecked by an earthquake"] += 1
        return True

    def do_nurture_forest(self, march: March, item: Item, tick: int) -> bool:
        at = march.army.place
        code = self.terrain[at]
        if code in LIGHT:
            if item.args.get("kind", KIND[code]) != KIND[code] and "nurture fails with a needless kind" in YIELDS:
                return False
            self.terrain[at] = DENSE_OF[code]
            return True
        if code not in {"Gr", "Pl", "Fa", "GH"}:
            return False
        kind = item.args.get("kind", "forest")
        if "kind" in item.args and not any(KIND.get(self.terrain[there]) == kind for there in self.map.within(at, 2)):
            return False
        self.terrain[at] = WOODED_OF[kind] if code == "GH" else LIGHT_OF[kind]
        return True

    def do_into_the_sands(self, march: March, item: Item, tick: int) -> bool:
        army = march.army
        if self.terrain[army.place] not in SANDS:
            return False
        army.sank, army.at = army.at, None
        if march in self.marches:
            self.marches.remove(march)
        return True

    # After the clock (3.4 stage C) ----------------------------------------------------------------------------------------

    def settle_claims(self) -> None:
        """P-15, O-57, GR-2, GR-18."""
        wanted: dict[str, list[Claim]] = {}
        for claim in self.claims:
            for label in self.map.within(claim.centre, claim.radius):
                if self.frozen.get(label) is not None or label in self.cities:
                    continue
                other = self.on(label)
                if other is not None and other.owner != claim.seat:
                    ally = self.friends(claim.seat, other.owner)
                    if not (claim.builds and ally):
                        continue
                wanted.setdefault(label, []).append(claim)
        for label, claims in wanted.items():
            if label in self.built:
                continue
            least = min(away(claim.centre, label) for claim in claims)
            nearest = [claim for claim in claims if away(claim.centre, label) == least]
            best: dict[str, Claim] = {}
            for claim in nearest:
                if claim.centre not in best or claim.tick < best[claim.centre].tick:
                    best[claim.centre] = claim
            if "a claim that came too late still spoils another hex's claim" in YIELDS and len(best) > 1:
                seats = {claim.seat for claim in nearest}
            else:
                seats = {claim.seat for claim in best.values()}
            if len(seats) == 1:
                self.holder[label] = seats.pop()
                self.seen["claimed"] += 1
            else:
                self.seen["contested claim"] += 1
        for label, seat in self.built.items():
            self.holder[label] = seat
        if self.resuming:
            self.frozen = dict(self.holder)
            self.claims, self.built = [], {}

    def radius(self, army: Host) -> int:
        kind = self.works.get(army.place)
        if not self.friends(army.owner, self.holder.get(army.place)):
            return 2
        return 4 if kind in CITIES else 3 if kind in {"town", "fortress"} else 2

    def after_the_clock(self) -> None:
        self.settle_claims()
        self.built = {}
        attackers: list[March] = []
        for march in self.marches:
            if march.stance == "attack" and march.aim is not None:
                held = self.holder.get(march.aim)
                enemy = march.aim in self.cities or (held is not None and self.at_war(march.army.owner, held))
                if not enemy:
                    march.stance = ""
        pairs = []
        ready = [march for march in self.marches if march.stance == "attack"]
        for at, one in enumerate(ready):
            for other in ready[at + 1 :]:
                apart = away(one.army.place, other.army.place)
                if apart <= 2 and self.at_war(one.army.owner, other.army.owner):
                    pairs.append((apart, self.turn_order(one.army), self.turn_order(other.army), one, other))
        for _, _, _, one, other in sorted(pairs, key=lambda pair: pair[:3]):
            if one.stance != "attack" or other.stance != "attack":
                continue
            name, n = f"roll-off:{one.army.key}:{other.army.key}", 1
            while True:
                first, second = self.dice.roll(f"{name}:{n}:1", 6), self.dice.roll(f"{name}:{n}:2", 6)
                if first != second:
                    break
                n += 1
            (one if first < second else other).stance = ""
            self.seen["roll-off"] += 1
        attackers = [march for march in self.marches if march.stance == "attack" or march.annexes]
        locked = [march for march in self.marches if march.state == "locked"]
        self.list_clashes()
        waiting = [march for march in self.marches if march not in attackers and march not in locked]
        self.match([march for march in attackers if march not in locked], waiting)
        self.stopped = {march.army.key: march for march in locked}

    def list_clashes(self) -> None:
        for one, other, label, stood in self.clashes:
            name = f"B{len(self.fights) + 1}"
            scenario = self.scenario(len(self.fights) + 1, one.army.place, label, clash=True, stood=stood)
            fight = Fight(name, "clash", label, [one.army.key], other.army.key, scenario, None)
            self.fights.append(fight)

    def scenario(self, n: int, start: str, label: str, *, clash: bool = False, stood: bool = True) -> str:
        """R-3 to R-7."""
        kind = self.cities.get(label) or self.works.get(label)
        if not clash and kind in CITIES | {"fortress"}:
            return "siege"
        if not clash and kind in {"town", "mine"}:
            return "raid"
        if stood and self.is_sea(start) and self.coastal(label):
            return "beach"
        if self.is_sea(label) and "no bridges at sea" in YIELDS:
            return "sea_battle"
        if label in self.plan.rivers.hexes or frozenset((start, label)) in self.plan.wet:
            return "bridge"
        if self.is_sea(label):
            return "sea_battle"
        return SCENARIO_LISTS[LIST_OF[self.terrain[label]]].split()[self.dice.roll(f"scenario:{n}", 6) - 1]

    def match(self, attackers: list[March], waiting: list[March]) -> None:
        """O-43, O-52 to O-55, H-14."""
        bound: dict[Host, Data] = {}
        garrisons: dict[tuple[str, str], Data] = {}
        joined: list[Data] = []
        counted: Counter[Host] = Counter()
        for march in attackers:
            army, target = march.army, march.aim
            assert target is not None
            if target in self.cities:
                key = (army.owner, target)
                if key in garrisons:
                    garrisons[key]["attackers"].append(march)
                    self.seen["two attack a garrison"] += 1
                else:
                    garrisons[key] = {"attackers": [march], "defender": None}
                    joined.append(garrisons[key])
                continue
            able = [
                one.army
                for one in waiting
                if self.at_war(one.army.owner, army.owner)
                and one.army.id not in self.standing[one.army.owner]["aside"]
                and away(one.army.place, target) <= self.radius(one.army)
            ]
            held = self.holder[target]
            choice = sorted(
                able, key=lambda one: (away(one.place, target), one.owner != held, one.id != "G", number(one.id), self.rank(one.owner))
            )  # fmt: skip
            answers = [one for name in self.standing[held]["answer"] for one in able if one.key == f"{held} {name}"]
            free = [one for one in [*answers, *choice] if one not in bound]
            if free:
                bound[free[0]] = {"attackers": [march], "defender": free[0]}
                joined.append(bound[free[0]])
                counted[free[0]] += 1
                continue
            mine = [one for one in [*answers, *choice] if bound[one]["attackers"][0].army.owner == army.owner]
            if mine:
                bound[mine[0]]["attackers"].append(march)
                counted[mine[0]] += 1
                self.seen["two attack one"] += 1
                continue
            for one in able:
                counted[one] += 1
                self.seen["defender bound by another"] += 1
            if march.annexes:
                self.annexes[army.key] = target
                self.seen["annexed"] += 1
            else:
                army.aim = target
                self.seen["unchallenged"] += 1
        for battle in joined:
            marches: list[March] = battle["attackers"]
            marches.sort(key=lambda march: (not march.lead, march.army.id != "G", number(march.army.id)))
            lead, defender = marches[0], battle["defender"]
            n = len(self.fights) + 1
            assert lead.aim is not None
            scenario = self.scenario(n, lead.army.place, lead.aim)
            wins = scenario if scenario in {"siege", "raid"} else None
            kind = "annex" if lead.annexes else "attack"
            keys = [march.army.key for march in marches]
            fight = Fight(f"B{n}", kind, lead.aim, keys, None if defender is None else defender.key, scenario, wins)
            fight.twice = defender is not None and counted[defender] >= 2
            self.fights.append(fight)
            self.seen[f"battle by {kind}{'' if defender is not None else ' on a garrison'}"] += 1

    # Phase 7 --------------------------------------------------------------------------------------------------------------

    def foreign(self, band: Band) -> list[Band]:
        """Neutral and Enemy parties in the same hex, in order."""
        found = [one for one in self.parties if one.at == band.at and not self.friends(band.owner, one.owner)]
        return sorted(found, key=self.turn_order)

    def adventurer_phase(self) -> None:
        lists: dict[str, list[Item]] = {}
        for seat, sheet in self.sheets.items():
            for name, items in self.first_lines(seat, "parties", sheet.parties, "party").items():
                lists[f"{seat} {name}"] = items
        for seat in sorted(self.seats, key=self.rank):
            mine = sorted((band for band in self.parties if band.owner == seat), key=self.turn_order)
            for band in mine:
                if (band.key in lists and not band.fought) or "patrols outlast idleness" not in YIELDS:
                    band.patrol = None
            for band in mine:
                if not band.fought:
                    self.adventure(band, lists.get(band.key, []))

    def quarrel(self, comer: Band, other: Band) -> None:
        comer.fought = other.fought = True
        self.quarrels.append((comer.key, other.key, comer.at, comer.back, other.back))
        self.seen["skirmish"] += 1

    def meets(self, band: Band) -> bool:
        """Q-7: fight another band on its hex; True if it did."""
        for other in self.foreign(band):
            if not other.fought and (band.ordered or other.ordered or (band.moved and other.moved)):
                self.quarrel(band, other)
                return True
        return False

    def adventure(self, band: Band, items: list[Item]) -> None:
        bonus = {"summer": 1, "winter": -1}.get(self.opening.season, 0)
        left = (7 if band.type == "outriders" else 6) + bonus
        farms = roads = 0
        acted = False
        storm = 1 if self.opening.event == "stormy_seas" else 0
        for item in items:
            if item.kind in {"step", "portal"}:
                there = self.map.near[band.at].get(item.way or "") if item.kind == "step" else item.hex
                if item.kind == "portal" and not ({band.at, there} <= set(self.opening.portals) and there != band.at):
                    break
                if there is None or self.terrain[there] not in COST:
                    break
                wet = self.is_sea(band.at) + self.is_sea(there)
                farm = wet == 0 and self.terrain[there] == "Fa"
                if wet:
                    cost = (3 if wet == 1 else 2) + storm
                elif farm and self.road(there):
                    cost = 1 if (roads + 1) % 3 == 0 else 0
                elif farm:
                    cost = 1 if (farms + 1) % 2 == 0 else 0
                else:
                    cost = max(1, COST[self.terrain[there]] - self.road(there))
                if cost > left:
                    break
                left -= cost
                if farm and self.road(there):
                    roads += 1
                elif farm:
                    farms += 1
                band.back, band.at, band.moved = band.at, there, True
                self.seen["party moved"] += 1
                if self.patrolled(band):
                    return
                continue
            if acted:
                continue
            if item.kind != "skirmish" and self.foreign(band):
                if self.meets(band):
                    return
                self.seen["no action beside another"] += 1
                continue
            if left == 0:
                break
            left -= 1
            acted = True
            if item.kind == "skirmish":
                band.ordered = True
                self.meets(band)
                self.seen["ordered skirmish"] += 1
                return
            done = bool(getattr(self, f"act_{item.kind}")(band, item))
            self.seen[f"party {item.kind} {'done' if done else 'failed'}"] += 1
            if item.kind == "patrol" and done:
                return
        self.meets(band)

    def patrolled(self, band: Band) -> bool:
        """Q-15, Q-16, GR-32."""
        for other in sorted(self.parties, key=self.turn_order):
            if other.patrol is None or other.fought or self.friends(band.owner, other.owner):
                continue
            every, but = other.patrol
            if not self.at_war(band.owner, other.owner) and not every:
                continue
            reach = 4 if other.type == "rangers" else 3
            spared = band.owner in but
            if "patrol spares no enemy" in YIELDS and self.at_war(band.owner, other.owner):
                spared = False
            if spared or band.at not in self.afoot(other.at, reach):
                continue
            other.patrol = None
            if "patrols forget where they came from" in YIELDS and other.at == band.at:
                other.back = None
            elif other.at != band.at:
                other.back = other.at
            other.at = band.at
            self.seen["patrol sprung"] += 1
            self.quarrel(band, other)
            return True
        return False

    def afoot(self, start: str, reach: int) -> set[str]:
        found, edge = {start}, {start}
        for _ in range(reach):
            edge = {
                there for one in edge for there in self.map.near[one].values() if self.terrain[there] in COST
            } - found
            found |= edge
        return found

    def act_loot_town(self, band: Band, item: Item) -> bool:
        victim = self.holder.get(band.at)
        if self.works.get(band.at) != "town" or victim is None or not self.at_war(band.owner, victim):
            return False
        name = f"loot_town:{band.key}"
        caught = self.dice.roll(f"{name}:caught", 6)
        if caught == 1 and band.type == "thieves":
            caught = self.dice.roll(f"{name}:again", 6)
        if caught == 1:
            band.gold = 0
            self.seen["caught"] += 1
            return True
        purse, gold = 5 * self.dice.roll(f"{name}:purse", 6), 50 * self.dice.roll(f"{name}:gold", 6)
        if self.gold[victim] < purse + gold:
            purse, gold = 0, self.gold[victim]
        self.gold[victim] -= purse + gold
        band.gold += purse
        self.credit(band.owner, gold)
        return True

    def act_sabotage_mine(self, band: Band, item: Item) -> bool:
        victim = self.holder.get(band.at)
        if self.works.get(band.at) not in MINES or victim is None or not self.at_war(band.owner, victim):
            return False
        self.sabotaged.add(band.at)
        return True

    def act_explore_ruin(self, band: Band, item: Item) -> bool:
        if band.at not in self.ruins or band.ruin == band.at:
            return False
        band.ruin = band.at
        band.gold += 10 * (self.dice.roll(f"explore_ruin:{band.key}", 6) + (band.type == "delvers"))
        band.weirdstone += 1
        return True

    def act_patrol(self, band: Band, item: Item) -> bool:
        but = frozenset(item.args[key] for key in ("seat", "other") if key in item.args)
        band.patrol = (item.line != "Patrol", but)
        return True

    def friendly_city(self, band: Band) -> bool:
        return self.works.get(band.at) in CITIES and self.friends(band.owner, self.holder.get(band.at))

    def act_convert_gold(self, band: Band, item: Item) -> bool:
        if not self.friendly_city(band):
            return False
        if item.line != "Convert Gold":
            band.gold += 50 * band.weirdstone
            band.weirdstone = 0
        self.credit(band.owner, band.gold)
        band.gold = 0
        return True

    def act_guerrilla_tactics(self, band: Band, item: Item) -> bool:
        key = f"{item.args['seat']} {item.args['army']}"
        army = next((army for army in self.armies if army.key == key and army.at is not None), None)
        reach, more = (3, 1) if band.type == "saboteurs" else (2, 0)
        if army is None or self.friends(band.owner, army.owner) or away(band.at, army.place) > reach:
            return False
        army.slowed += (self.dice.roll(f"guerrilla_tactics:{band.key}", 6) + 1) // 2 + more
        return True

    def act_ancient_teleporter(self, band: Band, item: Item) -> bool:
        self.frozen = dict(self.holder)
        there = item.hex
        if not self.temple(band.owner, band.at) or not self.temple(band.owner, there) or there == band.at:
            return False
        assert there is not None
        if self.on(there) is not None:
            return False
        band.back, band.at, band.moved = band.at, there, True
        return True

    def act_gift_weirdstone(self, band: Band, item: Item) -> bool:
        n = int(item.args["number"])
        if self.faction[band.owner] != "vermin_swarm" or not self.friendly_city(band) or band.weirdstone < n:
            return False
        for army in self.armies:
            if army.key == f"{band.owner} {item.args['army']}":
                for at, one in enumerate(army.characters):
                    if one.name.casefold() == item.args["character"].casefold():
                        band.weirdstone -= n
                        army.characters[at] = self.learned(one, n)
                        return True
        return False

    @staticmethod
    def learned(one: Any, change: int) -> Any:
        """S-11, S-12, S-17, T-6."""
        most = 3 if isinstance(one, Unit) or not one.role else 4
        xp = max(0, one.xp + change)
        return replace(one, xp=xp, level=max(one.level, min(most, xp // 4)))

    # Phases 8 and 9 -------------------------------------------------------------------------------------------------------

    def battles_turn(self) -> None:
        outcomes: dict[str, Outcome] = {}
        won: dict[str, str] = {}
        """Neutral city -> the player who beat its garrison."""
        reports: dict[tuple[str, str], tuple[str, str | None]] = {}
        deeds: dict[tuple[str, str], list[str]] = {}
        for seat, sheet in self.sheets.items():
            assert isinstance(sheet, BattlesSheet)
            for line in self.lines(seat, "results", sheet.results):
                said = line.args["result"], line.args.get("scenario")
                reports.setdefault((line.args["battle"], seat), said)
            for line in self.lines(seat, "deeds", sheet.deeds):
                known = deeds.setdefault((line.args["battle"], seat), [])
                if line.line not in known:
                    known.append(line.line)
            for name, items in self.first_lines(seat, "conquest", sheet.conquest, "army").items():
                self.plans[f"{seat} {name}"] = items
        for fight in self.fights:
            one = self.seat_of(fight.attackers[0])
            other = None if fight.defender is None else self.seat_of(fight.defender)
            if other is None and won.get(fight.at, one) != one:
                outcomes[fight.id] = Outcome(fight, None, how="struck")
                self.seen["struck"] += 1
                continue
            mine, theirs = reports.get((fight.id, one)), reports.get((fight.id, other or ""))
            found = self.decide(fight, mine, theirs)
            if found is None:
                fight.disputed = True
                self.seen["disputed"] += 1
                continue
            if self.old.rulings.get(fight.id) is not None:
                said_deeds = self.lines(
                    one, "deeds", [f"{fight.id}: {deed}" for deed in self.old.rulings[fight.id].deeds]
                )
                found.deeds = [line.line for line in said_deeds]
            elif mine is not None and theirs is not None:
                both = deeds.get((fight.id, other or ""), [])
                found.deeds = [line for line in deeds.get((fight.id, one), []) if line in both]
            else:
                found.deeds = deeds.get((fight.id, one if mine is not None else other or ""), [])
            outcomes[fight.id] = found
            if other is None and found.winner == "attacker":
                won[fight.at] = one
            self.seen[f"outcome {found.how} {found.winner}{' major' if found.major else ''}"] += 1
        left = [fight for fight in self.fights if fight.id not in outcomes]
        self.post_battle(outcomes)
        here = {army.key for army in self.armies}
        left = [fight for fight in left if {fight.attackers[0], fight.defender or fight.attackers[0]} <= here]
        self.fights = left
        if not left:
            self.next_season()
            return
        named = {key for fight in left for key in (*fight.attackers, fight.defender)}
        self.stopped = {key: march for key, march in self.stopped.items() if key in named}

    @staticmethod
    def seat_of(key: str) -> str:
        return key.rpartition(" ")[0]

    @staticmethod
    def scenario_said(fight: Fight, name: str | None) -> str:
        if name is None or name == "custom":
            return fight.scenario
        return SCENARIO_NAMES.get(name, name)

    def decide(
        self, fight: Fight, mine: tuple[str, str | None] | None, theirs: tuple[str, str | None] | None
    ) -> Outcome | None:
        """Outcome of a battle; None if the two reports disagree (Z-14 to Z-20)."""
        ruling = self.old.rulings.get(fight.id)
        if ruling is not None:
            self.seen["ruling"] += 1
            scenario = self.scenario_said(fight, ruling.scenario)
            said = ruling.outcome
            if said == "auto":
                return self.resolver(fight, scenario)
            if said in {"attacker concedes", "defender concedes"}:
                winner = "defender" if said == "attacker concedes" else "attacker"
                return Outcome(fight, winner, scenario=scenario, how="conceded")
            if said in {"draw", "stalemate"}:
                return Outcome(fight, None, scenario=scenario, how="fought" if said == "draw" else "stalemate")
            return Outcome(fight, said, bool(ruling.major), scenario)

        def read(report: tuple[str, str | None], *, attacks: bool) -> tuple[str, bool, str]:
            result = report[0].removeprefix("major ")
            if result in {"win", "loss"}:
                result = "attacker" if (result == "win") == attacks else "defender"
            return result, report[0].startswith("major "), self.scenario_said(fight, report[1])

        said_ = [
            read(report, attacks=attacks) for report, attacks in ((mine, True), (theirs, False)) if report is not None
        ]
        concede = [
            side
            for side, report in (("attacker", mine), ("defender", theirs))
            if report is not None and report[0] == "I concede"
        ]
        if concede:
            if len(concede) == 2:
                return Outcome(fight, None, scenario=fight.scenario, how="stalemate")
            winner = "defender" if concede == ["attacker"] else "attacker"
            return Outcome(fight, winner, scenario=fight.scenario, how="conceded")
        if fight.defender is None:  # Z-19, H-15: nobody leads the garrison, and the host confirms the result
            return None if said_ and said_[0][0] != "auto" else self.resolver(fight, fight.scenario)
        if not said_:
            unplayed = self.old.settings.unplayed or self.plan.configuration.unplayed
            if unplayed == "auto":
                return self.resolver(fight, fight.scenario)
            return Outcome(fight, None, scenario=fight.scenario, how="stalemate")
        if len(said_) == 2 and said_[0] != said_[1]:
            return None
        result, major, scenario = said_[0]
        if result == "auto":
            return self.resolver(fight, scenario)
        if result in {"draw", "stalemate"}:
            return Outcome(fight, None, scenario=scenario, how="fought" if result == "draw" else "stalemate")
        return Outcome(fight, result, major, scenario)

    def rating(self, army: Host) -> int:
        """Z-21 to Z-23, without the scenario."""
        points = army.points + {"high": 125, "low": -125, None: 0}[army.fervour]
        levels = sum(one.level for one in (*army.characters, *army.units))
        artefacts = sum(ARTEFACTS[one.bears][1] for one in army.characters if one.bears)
        return (
            10
            + int((points - 2500) / 125)
            + max(-2, min(2, army.ld - 8))
            + min(4, levels // 3)
            + (army.id == "G")
            + max(-2, min(3, artefacts))
        )

    def resolver(self, fight: Fight, scenario: str) -> Outcome:
        name = f"battle:{fight.id}"
        if "auto forgets the scenario" in YIELDS:
            scenario = fight.scenario
        one = self.rating(self.army(fight.attackers[0])) + POINTS[scenario][2]
        if fight.defender is None:
            other = 10 + {"dwarven_hold": 1, "temple_city": 0}[self.cities[fight.at]]
        else:
            other = self.rating(self.army(fight.defender))
        other += POINTS[scenario][3]
        margin = one - other
        for die in (1, 2, 3):
            margin += self.dice.roll(f"{name}:attacker:{die}", 6) - self.dice.roll(f"{name}:defender:{die}", 6)
        if -1 <= margin <= 1:
            return Outcome(fight, None, scenario=scenario, how="auto")
        return Outcome(fight, "attacker" if margin > 0 else "defender", abs(margin) >= 6, scenario, "auto")

    def learn(self, army: Host, name: str, change: int) -> None:
        lists: tuple[list[Any], ...] = (army.characters, army.units)
        for people in lists:
            for at, one in enumerate(people):
                if one.name == name:
                    people[at] = self.learned(one, change)

    def sides(self, outcome: Outcome) -> tuple[Host, Host | None]:
        fight = outcome.fight
        return self.army(fight.attackers[0]), None if fight.defender is None else self.army(fight.defender)

    def winner_loser(self, outcome: Outcome) -> tuple[Host | None, Host | None]:
        one, other = self.sides(outcome)
        if outcome.winner is None:
            return None, None
        return (one, other) if outcome.winner == "attacker" else (other, one)

    def experience(self, outcome: Outcome) -> None:
        """S, T, Z-25, I-50 to I-54."""
        one, other = self.sides(outcome)
        winner, loser = self.winner_loser(outcome)
        fought = outcome.how in {"fought", "auto"}
        if outcome.how == "auto":
            self.trained(outcome, winner, loser)
        elif outcome.how == "fought":
            self.deeds(outcome, one, other, winner)
        for army in (one, other):
            if army is not None and army.faction == "orcs_and_goblins" and outcome.how != "struck":
                army.fervour = None
                if fought and winner is not None:
                    army.fervour = "high" if army is winner else "low"
                elif fought and outcome.winner is not None:
                    army.fervour = "low"
        if fought and outcome.major and winner is not None and outcome.scenario in FINDS:
            self.seen["searched the field"] += 1
            self.find(f"find:{outcome.fight.id}", winner)

    def trained(self, outcome: Outcome, winner: Host | None, loser: Host | None) -> None:
        name = f"battle:{outcome.fight.id}"
        changes: Counter[tuple[Host, str]] = Counter()
        if winner is not None:
            for who in winner.characters:
                if who.role in {"general", "standard bearer"}:
                    changes[winner, who.name] += 1
            pool = [one for one in winner.units if "scoring" in one.tags]
            for n in (1, 2) if outcome.major else (1,):
                if pool:
                    drawn = pool.pop(self.dice.roll(f"{name}:trained:{n}", len(pool)) - 1)
                    changes[winner, drawn.name] += 1
        if outcome.major and loser is not None:
            if self.dice.roll(f"{name}:out", 6) <= 2:
                general = self.general_of(loser)
                changes[loser, general.name] -= 1
                self.seen["general out"] += 1
                if general.bears is not None and winner is not None and self.give(winner, general.bears):
                    at = loser.characters.index(general)
                    loser.characters[at] = replace(general, bears=None)
                    self.seen["artefact taken"] += 1
            bearers = [one for one in loser.units if {"scoring", "standard"} <= set(one.tags)]
            if bearers:
                drawn = bearers[self.dice.roll(f"{name}:standard", len(bearers)) - 1]
                goblin = loser.faction == "orcs_and_goblins" and "goblin" in drawn.tags
                changes[loser, drawn.name] -= 1 if goblin else 2
        for army in self.sides(outcome):
            if army is not None and army.faction == "orcs_and_goblins":  # I-53
                for who_ in army.units:
                    if {"scoring", "goblin"} <= set(who_.tags):
                        changes[army, who_.name] += 1
        for (army, who__), change in changes.items():
            self.learn(army, who__, change)

    def deeds(self, outcome: Outcome, one: Host, other: Host | None, winner: Host | None) -> None:
        """Apply the deeds that both sides reported."""
        armies = [one] if other is None else [one, other]
        people: dict[str, tuple[Host, Any]] = {}
        for army in armies:
            for who in (*army.characters, *army.units):
                people.setdefault(who.name.casefold(), (army, who))
        gains: Counter[tuple[Host, str]] = Counter()
        losses: Counter[tuple[Host, str]] = Counter()
        fell: set[str] = set()
        standards: set[str] = set()
        broken: set[str] = set()
        said = [self.reader.read("deeds", text) for text in outcome.deeds]
        lines = [line for line in said if isinstance(line, Order)]
        for line in lines:
            name = line.args["who"].casefold()
            if name in people and line.kind == "fell":
                fell.add(name)
            if name in people and line.kind == "lost":
                standards.add(name)
        for line in lines:
            name = line.args["who"].casefold()
            foe = line.args.get("foe", "").casefold()
            if name not in people or (foe and (foe not in people or people[foe][0] is people[name][0])):
                continue
            army, me = people[name]
            them, it = people.get(foe, (army, me))
            mine, its = (army, me.name), (them, it.name)
            if line.kind == "beat" and isinstance(me, Character) and isinstance(it, Character):
                gains[mine] += 1 + it.level + (army.faction == "warriors_of_the_dark_gods")
                losses[its] += 1 + max(0, it.level - me.level) + (them.faction == "warriors_of_the_dark_gods")
                if army.faction == "vampire_covenant" and me.vampire:
                    gains[mine] += 1
                    losses[its] += 1
            elif line.kind == "slew":
                gains[mine] += 1
            elif line.kind == "slew_many":
                gains[mine] += int(line.args["number"])
            elif line.kind == "panicked" and isinstance(it, Unit):
                gains[mine] += ("standard" if isinstance(me, Character) else "scoring") in it.tags
            elif line.kind == "broke" and isinstance(me, Unit) and isinstance(it, Unit) and "scoring" in me.tags:
                again = foe in broken and "broken twice counts twice" not in YIELDS
                broken.add(foe)
                gains[mine] += 0 if again or "scoring" not in it.tags else 1 + it.level
        for name in fell:
            army, me = people[name]
            if isinstance(me, Character):
                losses[army, me.name] += 1
        for name in standards:
            army, me = people[name]
            if isinstance(me, Unit) and "standard" in me.tags:
                goblin = army.faction == "orcs_and_goblins" and "goblin" in me.tags
                losses[army, me.name] += 1 if goblin else 2
        if winner is not None:
            for who_ in winner.characters:
                kept = who_.role == "standard bearer" and who_.name.casefold() not in standards
                if who_.role == "general" or kept:
                    gains[winner, who_.name] += 1
        for army in armies:
            for soldiers in army.units:
                if army.faction == "orcs_and_goblins" and {"scoring", "goblin"} <= set(soldiers.tags):
                    gains[army, soldiers.name] += 1
        for army, name in {*gains, *losses}:
            me = next(one for one in (*army.characters, *army.units) if one.name == name)
            gained = 0 if name.casefold() in fell else gains[army, name]
            if isinstance(me, Unit) and "scoring" not in me.tags:
                gained = 0
            self.seen["deeds"] += 1
            self.learn(army, name, gained - losses[army, name])

    # Defeat ---------------------------------------------------------------------------------------------------------------

    def perish(self, army: Host) -> None:
        self.armies.remove(army)
        self.seen["army destroyed"] += 1
        if army.id == "G":
            self.fallen.append(army)

    def havens(self, army: Host, but: str | None) -> list[str]:
        """Friendly settlements (V-4, V-5, V-7). Those under a stranger count only if all are (V-6)."""
        mine = [
            label
            for label, kind in self.works.items()
            if kind in SETTLED and label != but and self.friends(army.owner, self.holder.get(label))
        ]
        calm = [
            label for label in mine if (other := self.on(label, army)) is None or self.friends(army.owner, other.owner)
        ]
        return calm or mine

    def rank_of(self, label: str) -> int:
        return {"fortress": 1, "town": 2}.get(self.works[label], 0)

    def open(self, army: Host, label: str) -> bool:
        """V-6: True if a retreat may lead through a hex."""
        other = self.on(label, army)
        free = other is None or self.friends(army.owner, other.owner)
        return army.enters(self.terrain[label]) and label not in self.cities and free

    def steps_to(self, army: Host, goal: str) -> dict[str, int]:
        steps, edge = {goal: 0}, [goal]
        while edge:
            here = edge.pop(0)
            for there in self.map.near[here].values():
                if there not in steps and (there == army.at or self.open(army, there)):
                    steps[there] = steps[here] + 1
                    edge.append(there)
        return steps

    def mauled_spot(self, army: Host, start: str, but: str | None) -> str | None:
        """V-4, V-7, GR-28."""
        havens = self.havens(army, but)
        if not havens:
            return None
        lost, army.at = army.at, start
        ways = [
            (steps[start], self.rank_of(goal), order(goal), goal)
            for goal in havens
            if start in (steps := self.steps_to(army, goal))
        ]
        army.at = lost
        if not ways:
            ways = [(away(start, goal), self.rank_of(goal), order(goal), goal) for goal in havens]
            self.seen["mauled without a way"] += 1
        goal = min(ways)[3]
        army.at = None
        spot = self.nearest(goal, lambda label: self.stands(army, label))
        army.at = lost
        return spot

    def maul(self, army: Host, but: str | None) -> None:
        spot = self.mauled_spot(army, army.place, but)
        if spot is None:
            self.perish(army)
            return
        army.at, army.rests = spot, True
        self.seen["mauled"] += 1

    def retreat(self, army: Host, hexes: int, but: str | None) -> bool:
        ways = []
        for goal in self.havens(army, but):
            steps = self.steps_to(army, goal)
            if army.place in steps:
                ways.append((steps[army.place], self.rank_of(goal), order(goal), goal, steps))
        if not ways:
            self.seen["nowhere to retreat"] += 1
            if self.havens(army, but):
                return self.stay_or_carry(army, but)
            self.perish(army)
            return False
        *_, goal, steps = min(ways, key=lambda way: way[:3])
        whole = steps[army.place]
        if whole == 0:
            self.seen["stays on its settlement"] += 1
            return True
        # V-6: every shortest path, in the order of directions; longer pieces of a path come before shorter ones.
        paths: list[list[str]] = [[army.place]]
        for left in range(whole - 1, -1, -1):
            paths = [
                [*path, there]
                for path in paths
                for there in self.map.near[path[-1]].values()
                if steps.get(there, 999) == left
            ]
        reach = min(hexes, whole)
        for number in [*range(reach, 0, -1), *range(reach + 1, whole + 1)]:
            for path in paths:
                if self.on(path[number]) is None and self.admits(army.owner, path[number]):
                    self.seen["retreats on" if number > reach else "retreated"] += 1
                    army.at = path[number]
                    return True
        return self.stay_or_carry(army, but)

    def stay_or_carry(self, army: Host, but: str | None) -> bool:
        """V-6: it stays on its hex, or is carried off as a mauled army."""
        self.seen["no end of its retreat"] += 1
        if not self.stands_at(army, army.place):
            army.at = self.mauled_spot(army, army.place, but)
        return True

    def stands_at(self, army: Host, label: str) -> bool:
        """True if an army may stay on its hex."""
        return army.enters(self.terrain[label]) and self.admits(army.owner, label)

    def surrounded(self, army: Host) -> bool:
        """V-9."""
        near = [there for there in self.map.near[army.place].values() if army.enters(self.terrain[there])]
        held = [self.holder.get(there) for there in near]
        return bool(near) and all(seat is not None and self.at_war(army.owner, seat) for seat in held)

    def defeat(self, outcome: Outcome, army: Host, victor: Host | None, posts: Mapping[str, str]) -> None:
        fight = outcome.fight
        defends = fight.defender == army.key
        barred = fight.kind != "clash" or "a conceded clash bars the settlement it was over" in YIELDS
        but = fight.at if defends and barred else None
        if outcome.how == "conceded":
            self.seen["conceded"] += 1
            self.retreat(army, 5, but)
            return
        if self.surrounded(army):
            self.seen["surrounded"] += 1
            self.perish(army)
            return
        if fight.kind == "clash":
            self.back_off(army, victor)
            return
        die = self.dice.roll(f"defeat:{army.key}", 6)
        if defends:
            die -= 2 * (fight.wins == "siege") + fight.twice
        result = max(1, die)
        if result == 1:
            needed = {"undying_dynasties": 4, "vampire_covenant": 5}.get(army.faction)
            if needed is not None and self.dice.roll(f"eternal:{army.key}", 6) >= needed:
                result = 2
                self.seen["eternal"] += 1
        self.seen[f"defeat {result}"] += 1
        if result == 1:
            self.perish(army)
        elif result == 2:
            self.maul(army, but)
        elif self.retreat(army, {3: 7, 4: 7, 5: 6, 6: 5}[result], but):
            army.rests = army.rests or result == 3

    def back_off(self, army: Host, victor: Host | None) -> None:
        """V-12, GR-27."""
        path: set[str] = set()
        if victor is not None and victor.key in self.stopped:
            path = self.way_of(self.stopped[victor.key], army)
        trail = self.stopped[army.key].trail if army.key in self.stopped else [army.place]

        def fits(label: str) -> bool:
            free = self.on(label, army) is None and army.enters(self.terrain[label])
            return free and self.admits(army.owner, label) and label not in path

        for label in reversed(trail):
            if fits(label):
                self.seen["stayed or went back" if label == army.at else "went back"] += 1
                army.at = label
                return
        spot = self.nearest(army.place, fits)
        if spot is None or away(spot, army.place) > 7:
            spot = self.mauled_spot(army, army.place, None)
        if spot is None:
            self.perish(army)
            return
        army.at = spot
        self.seen["backed off"] += 1

    def way_of(self, march: March, loser: Host) -> set[str]:
        """Hexes that the victor's orders still cross, without the loser on the map."""
        army = march.army
        start, lost = army.at, loser.at
        loser.at = None
        self.frozen, self.built = dict(self.holder), {}
        items = march.items
        rough = "the victor's way is worked out roughly" in YIELDS
        """Surplus Actions cost, Forced March does not give anything, Portals do not lead anywhere, a Skip may be short."""
        if rough:
            stop = [at for at, item in enumerate(items) if item.kind in ENDING or item.kind == "ancient_teleporter"]
            items = items[: stop[0]] if stop else items
        copy = March(army, items, march.allowance, march.spent, march.farms, march.roads, [army.place])
        copy.rough = rough
        copy.used, copy.skipped = list(march.used), march.skipped
        found: set[str] = set()
        while True:
            self.look(copy)
            if copy.state != "ready" or copy.cost is None:
                break
            if copy.item.kind not in {"step", "skip", "portal"}:
                if copy.item.kind in ENDING or copy.item.kind == "ancient_teleporter":
                    break
                copy.spent += copy.cost
                copy.cost = None
                copy.used.append(copy.item.kind)
                copy.allowance += copy.item.kind == "forced_march" and not rough
                copy.index += 1
                continue
            target = self.target(copy, copy.item)
            if target is None or not self.may_step(copy, target) or self.on(target) is not None:
                break
            self.enter(copy, target)
            found.add(target)
        army.at, loser.at = start, lost
        return found

    # Conquest -------------------------------------------------------------------------------------------------------------

    def post_battle(self, outcomes: Mapping[str, Outcome]) -> None:
        posts = {army.key: army.at for army in self.armies if army.at is not None}
        self.conquered = {}
        for outcome in outcomes.values():
            self.experience(outcome)
        beaten = []
        ends = [(outcome, *self.winner_loser(outcome)) for outcome in outcomes.values()]
        for outcome, winner, loser in ends:
            if loser is not None:
                beaten.append((self.turn_order(loser), outcome, loser, winner))
        for _, outcome, loser, winner in sorted(beaten, key=lambda one: one[0]):
            self.defeat(outcome, loser, winner, posts)
        victors: list[tuple[Host, Data]] = []
        for outcome, winner, _ in ends:
            if winner is not None:
                victors.append((winner, self.award(outcome, winner, posts)))
        for key, label in self.annexes.items():
            spots = [posts[key], label]
            what: Data = {
                "points": 7, "positions": spots, "reach": spots, "wins": {"annex"}, "target": label, "advances": True,
                "clash": False,
            }  # fmt: skip
            victors.append((self.army(key), what))
        victors.sort(key=lambda one: self.turn_order(one[0]))
        for army, award in victors:
            self.spend(army, award, posts[army.key])
        for army, award in victors:
            target = award["target"]
            if award["advances"] and self.holder.get(target) in {None, army.owner} and self.stands(army, target):
                army.at = target
                self.seen["advanced"] += 1
        self.resuming = True
        for army, award in victors:
            if award["clash"] and army.key in self.stopped:
                self.resume(self.stopped[army.key])
        self.resuming = False
        self.replace_generals()
        self.skirmishes()
        self.annexes, self.quarrels = {}, []

    def award(self, outcome: Outcome, army: Host, posts: Mapping[str, str]) -> Data:
        fight = outcome.fight
        attacks = outcome.winner == "attacker"
        one = posts[fight.attackers[0]]
        other = fight.at if fight.defender is None else posts[fight.defender]
        clash = fight.kind == "clash"
        if outcome.how == "conceded":
            points = 2
        else:
            points = POINTS[outcome.scenario][0 if attacks else 1] + 2 * outcome.major
            points += 3 if attacks and len(fight.attackers) > 1 else 0
        mine = one if attacks else other
        return {
            "points": points,
            "positions": [one, other] if clash else [one, other, fight.at],
            "reach": [mine, fight.at] if attacks and not clash else [mine],
            "wins": set() if outcome.how == "conceded" or fight.wins is None else {fight.wins},
            "target": fight.at,
            "advances": attacks and not clash,
            "clash": clash,
        }

    def spend(self, army: Host, award: Data, post: str) -> None:
        seat, points = army.owner, award["points"]
        taken = self.conquered.setdefault(seat, set())
        plan = self.plans.get(army.key)
        if plan is not None:
            lines = [(item.kind, item.hex or "") for item in plan]
        else:
            lines = []
            target = award["target"]
            lines = [("seize", target), ("claim", target)]
            lines += [("claim", there) for there in self.map.near[target].values()]
            lines.append(("claim", post))
            lines += [("claim", there) for there in self.map.near[post].values()]
        for kind, label in lines:
            points -= self.buy(army, award, kind, label, points, taken)

    def buy(self, army: Host, award: Data, what: str, label: str, points: int, taken: set[str]) -> int:
        """Buy one line of a plan; return its price, 0 if it is impossible."""
        seat = army.owner
        held, kind, city = self.holder.get(label), self.works.get(label), self.cities.get(label)
        other = self.on(label)
        if other is not None and not self.friends(seat, other.owner):  # V-22, GR-41
            return 0
        enemy = held is not None and self.at_war(seat, held)
        if what == "claim":
            near = any(away(label, spot) <= 1 for spot in award["positions"])
            near = near or any(away(label, spot) == 1 for spot in taken)
            if points < 1 or kind is not None or city is not None or not near or not (enemy or held is None):
                return 0
            self.holder[label] = seat
            taken.add(label)
            self.seen["bought a hex"] += 1
            return 1
        wins = award["wins"]
        if not any(away(label, spot) <= 1 for spot in award["reach"]) or not (enemy or city is not None):
            return 0
        if "annex" in wins and label != award["target"]:
            return 0
        if what == "destroy":
            if kind is None or kind in ANCIENT or points < 2:
                return 0
            needed = {"town": {"raid"}, "mine": {"raid", "siege"}}.get(kind, {"siege"})
            if kind == "town" and "a won Siege destroys Towns" in YIELDS:
                needed = {"raid", "siege"}
            if not wins & (needed | {"annex"}):
                return 0
            del self.works[label]
            self.holder[label] = seat
            taken.add(label)
            self.credit(seat, RAZED[kind])
            self.seen[f"destroyed {kind}"] += 1
            return 2
        kind = city or kind
        if kind is None:
            return 0
        price, needed = (6, {"raid"}) if kind in {"town", "mine"} else (7, {"siege"})
        if points < price or not wins & (needed | {"annex"}):
            return 0
        if not self.tested(army, label, kind):
            self.seen[f"failed to seize {kind}"] += 1
            if kind not in ANCIENT:
                del self.works[label]
                self.holder[label] = seat
                taken.add(label)
            return price
        self.seen[f"seized {kind}"] += 1
        self.cities.pop(label, None)
        self.works[label] = kind
        self.holder[label] = seat
        taken.add(label)
        if kind != "mine":
            for there in self.map.near[label].values():
                stander = self.on(there)
                foreign = stander is not None and not self.friends(seat, stander.owner)
                loses = self.holder.get(there) is None or (held is not None and self.holder.get(there) == held)
                if loses and not foreign and there not in self.works and there not in self.cities:
                    self.holder[there] = seat
                    taken.add(there)
        return price

    def tested(self, army: Host, label: str, kind: str) -> bool:
        """V-30."""
        ld = army.ld
        if self.general_of(army).bears == CROWN:
            ld = min(10, ld + 1)
        if kind in CITIES and army.faction in SAVAGE:
            ld -= 1
        name = f"seize:{army.key}:{label}"
        if self.dice.roll(f"{name}:test:1", 6) + self.dice.roll(f"{name}:test:2", 6) <= ld:
            return True
        if kind in CITIES and army.faction in DISCIPLINE:
            self.seen["tested again"] += 1
            return self.dice.roll(f"{name}:again:1", 6) + self.dice.roll(f"{name}:again:2", 6) <= ld
        return False

    def resume(self, march: March) -> None:
        """V-13."""
        march.state, march.cost = "ready", None
        self.frozen, self.built, self.claims = dict(self.holder), {}, []
        while True:
            self.look(march)
            if march.state != "ready" or march.cost is None:
                return
            if march.item.kind not in {"step", "skip", "portal"}:
                self.seen[f"resumed {march.item.kind}"] += 1
                self.do(march, 0)
                continue
            target = self.target(march, march.item)
            if target is None or not self.may_step(march, target) or self.on(target) is not None:
                return
            self.seen["resumed step"] += 1
            self.enter(march, target)

    # Generals (F-12 to F-15) ----------------------------------------------------------------------------------------------

    def replace_generals(self) -> None:
        for seat in self.seats:
            if any(kind in SETTLED and self.friends(seat, self.holder.get(at)) for at, kind in self.works.items()):
                self.landless[seat] = False
        for lost in sorted(self.fallen, key=self.turn_order):
            self.replace_general(lost)
        self.fallen = []

    def replace_general(self, lost: Host) -> None:
        seat = lost.owner
        havens = [
            label
            for label, kind in self.works.items()
            if kind in SETTLED and self.friends(seat, self.holder.get(label))
        ]
        fresh = Host(
            seat,
            "G",
            None,
            lost.name,
            lost.faction,
            lost.points,
            lost.ld,
            [replace(one, xp=0, level=0, bears=None) for one in lost.characters],
            [replace(one, xp=0, level=0) for one in lost.units],
        )
        said = self.standing[seat]
        if not havens:
            legal = [
                label
                for label in self.map.hexes
                if label not in self.holder and label not in self.cities and self.on(label) is None
                and self.terrain[label] in COST and not self.is_sea(label)
                and all(away(label, spot) >= 4 for spot in self.settled())
            ]  # fmt: skip
            if self.landless[seat] or not legal:  # the rules do not say what happens to the other armies
                self.out[seat] = self.landless[seat] = True
                self.holder = {label: held for label, held in self.holder.items() if held != seat}
                self.armies = [army for army in self.armies if army.owner != seat]
                self.parties = [band for band in self.parties if band.owner != seat]
                self.war = {pair for pair in self.war if seat not in pair}
                self.alliance = {pair for pair in self.alliance if seat not in pair}
                self.seen["out"] += 1
                return
            self.landless[seat] = True
            self.seen["exile"] += 1
            fresh.at = legal[self.dice.roll(f"exile:{seat}", len(legal)) - 1]
            self.armies.append(fresh)
            return
        self.landless[seat] = False
        wish: str | None = said["at"]
        general = said["general"] or ""
        promoted = None
        if general.startswith("promote "):
            name = f"{seat} {general.removeprefix('promote ')}"
            promoted = next((army for army in self.armies if army.key == name and army.id != "G"), None)
        elif general:
            roster = said["roster"] or self.roster(seat, general)
            if roster is not None:
                fresh = self.muster(seat, "G", roster)
                self.seen["next general by roster"] += 1
        if promoted is not None:
            for fight in self.fights:  # it fights on by its new name
                fight.attackers = [f"{seat} G" if key == promoted.key else key for key in fight.attackers]
                fight.defender = f"{seat} G" if fight.defender == promoted.key else fight.defender
            fresh.id, promoted.id = promoted.id, "G"
            self.seen["promoted"] += 1
        legal_wish = wish is not None and any(away(label, wish) <= 1 for label in havens) and self.stands(fresh, wish)
        if legal_wish:
            fresh.at = wish
        else:
            own = [label for label in havens if self.holder.get(label) == seat] or havens
            home = min(own, key=lambda label: (self.rank_of(label), order(label)))
            fresh.at = self.nearest(home, lambda label: self.stands(fresh, label))
        self.armies.append(fresh)
        self.seen["general replaced"] += 1

    # Phase 10 -------------------------------------------------------------------------------------------------------------

    def skirmishes(self) -> None:
        for n, (comer, other, _, comer_back, other_back) in enumerate(self.quarrels, 1):
            pair = [next((band for band in self.parties if band.key == key), None) for key in (comer, other)]
            one, two = pair
            if one is None or two is None:
                continue
            backs = {one: comer_back, two: other_back}
            scores = {}
            for band in (one, two):
                dice = [self.dice.roll(f"skirmish:S{n}:{band.key}:{die}", 6) for die in (1, 2)]
                scores[band] = band.members + 2 * (band.type == "sellswords") + sum(dice)
            if scores[one] == scores[two]:
                self.seen["skirmish tied"] += 1
                one.members -= 1
                two.members -= 1
            else:
                winner, loser = (one, two) if scores[one] > scores[two] else (two, one)
                margin = scores[winner] - scores[loser]
                loser.members -= min(3, 1 + margin // 4)
                loot = min(loser.gold, 10 * self.dice.roll(f"skirmish:S{n}:loot", 6))
                stone = 1 if margin >= 4 and loser.weirdstone else 0
                if loser.members <= 0:
                    loot, stone = loser.gold, loser.weirdstone
                loser.gold -= loot
                winner.gold += loot
                loser.weirdstone -= stone
                winner.weirdstone += stone
                self.seen["skirmish won"] += 1
                if loser.members > 0:
                    near = [there for there in self.map.near[loser.at].values() if self.terrain[there] in COST]
                    loser.at = backs[loser] or (near[0] if near else loser.at)
            self.parties = [band for band in self.parties if band.members > 0]

    # Phases 1 and 2 of the next season ------------------------------------------------------------------------------------

    def next_season(self) -> None:
        if self.turn >= self.old.settings.last or self.closing:
            self.closed = True
            return
        self.turn += 1
        self.phase = "season"
        self.stopped, self.plans = {}, {}
        first = SEASONS.index(self.plan.configuration.first_season)
        season = SEASONS[(first + self.turn - 1) % 4]
        event = EVENTS[self.dice.roll("omen:1", 6) + self.dice.roll("omen:2", 6)]
        self.seen[f"event {event}"] += 1
        made: Data = {"season": season, "event": event, "portals": [], "golden": None}
        match event:
            case "portals":
                left = [label for label in self.map.hexes if self.terrain[label] in COST]
                for n in range(1, 7):
                    made["portals"].append(left.pop(self.dice.roll(f"portal:{n}", len(left)) - 1))
                made["portals"].sort(key=order)
            case "golden_age":
                living = sorted(seat for seat in self.seats if not self.out[seat])
                made["golden"] = living[self.dice.roll("golden", len(living)) - 1]
            case "volcanic_quenching":
                for label in self.places({"Vo"}):
                    if self.dice.roll(f"quench:{label}", 6) == 1:
                        self.terrain[label] = "Mo"
            case "weather_extremes":
                self.weather(season)
            case "forest_fire":
                self.fire()
            case "forest_thrives":
                self.growth()
            case "volcanic_activity":
                for label in self.places({"Vo"}):
                    if self.dice.roll(f"eruption:{label}", 6) == 1:
                        self.erupt(label, (self.dice.roll(f"eruption:{label}:radius", 6) + 1) // 2 + 1)
                self.awaken()
            case "cataclysm":
                centre = self.map.hexes[self.dice.roll("cataclysm:hex", len(self.map.hexes)) - 1]
                self.erupt(centre, self.dice.roll("cataclysm:1", 6) + self.dice.roll("cataclysm:2", 6))
            case _:
                pass
        self.fallen_in_season()
        made["order"] = self.player_order()
        made["dice"] = self.income_dice(season, event)
        self.next_opening = made

    def fallen_in_season(self) -> None:
        self.replace_generals()

    def places(self, codes: set[str]) -> list[str]:
        return [label for label in self.map.hexes if self.terrain[label] in codes]

    def weather(self, season: str) -> None:
        if season not in {"winter", "summer"}:
            return
        before, into = ("Se", "Ic") if season == "winter" else ("Ic", "Se")
        changed = set()
        for label in self.places({"Ic"}):
            shore = any(self.is_sea(there) for there in self.map.near[label].values())
            if shore and self.dice.roll(f"weather:{label}", 6) == 1:
                changed |= {there for there in self.map.within(label, 1) if self.terrain[there] == before}
        for label in changed:
            self.terrain[label] = into
            self.seen["weather changed a hex"] += 1

    def fire(self) -> None:
        burnt = set()
        for area in self.map.areas(self.places(LIGHT | DENSE)):
            name = f"fire:{area[0]}"
            if self.dice.roll(f"{name}:1", 6) == self.dice.roll(f"{name}:2", 6) == 1:
                centre = area[self.dice.roll(f"{name}:hex", len(area)) - 1]
                radius = (self.dice.roll(f"{name}:radius", 6) + 1) // 2 + 1
                burnt |= {there for there in self.map.within(centre, radius) if self.terrain[there] in LIGHT | DENSE}
        for label in burnt:
            self.terrain[label] = "AF"
            self.seen["burnt"] += 1

    def growth(self) -> None:
        old = dict(self.terrain)
        for area in self.map.areas(self.places(LIGHT | DENSE)):
            name = f"growth:{area[0]}"
            edge = [label for label in area if any(there not in area for there in self.map.near[label].values())]
            if not edge:
                continue
            if self.dice.roll(f"{name}:1", 6) == self.dice.roll(f"{name}:2", 6) == 1:
                centre = edge[self.dice.roll(f"{name}:hex", len(edge)) - 1]
                radius = (self.dice.roll(f"{name}:radius", 6) + 1) // 2 + 1
                for there in self.map.within(centre, radius):
                    bare = self.terrain[there] in GRASS | {"Fa", "AP", "AF"}
                    if self.plan.configuration.forest_thrives == "reclaim":
                        if bare and there not in self.settled():
                            self.terrain[there] = LIGHT_OF[KIND[old[centre]]]
                            self.seen["grown"] += 1
                    elif self.terrain[there] in DENSE:
                        self.terrain[there] = LIGHT_OF[KIND[self.terrain[there]]]

    def erupt(self, centre: str, radius: int) -> None:
        """K-25 to K-34, I-37."""
        self.seen["eruption"] += 1
        hexes = self.map.within(centre, radius)
        for label in hexes:
            self.terrain[label] = erupted(self.terrain[label])
        for label in hexes:
            name = f"ruin:{centre}:{label}"
            held = self.holder.get(label)
            tough = held is not None and self.faction[held] == "infernal_dwarves"
            kind = self.works.get(label)
            if kind is not None and kind not in ANCIENT and self.ruined(f"{name}:{kind}", 1, again=tough):
                del self.works[label]
                self.seen["wrecked"] += 1
            if label in self.roads and self.ruined(f"{name}:road", 1, again=tough):
                self.roads.remove(label)
                self.seen["road wrecked"] += 1
            army = self.on(label)
            if army is not None and self.ruined(f"{name}:army", 2, again=army.faction == "infernal_dwarves"):
                self.perish(army)
                self.seen["army in an eruption"] += 1
            for band in sorted(self.parties, key=lambda band: (band.owner, number(band.id))):
                if band.at == label and self.ruined(f"{name}:{band.key}", 2, again=False):
                    self.parties.remove(band)
                    self.seen["party in an eruption"] += 1

    def ruined(self, name: str, dice: int, *, again: bool) -> bool:
        """True if the die shows 1, or both of two dice do; with `again`, only if that happens twice."""

        def ones(name: str) -> bool:
            if dice == 1:
                return self.dice.roll(name, 6) == 1
            return self.dice.roll(f"{name}:1", 6) == self.dice.roll(f"{name}:2", 6) == 1

        if not ones(name):
            return False
        if again:
            self.seen["rolled destruction again"] += 1
        return not again or ones(f"{name}:again")

    def awaken(self) -> None:
        """K-30, K-31."""
        chosen = []
        for area in self.map.areas(self.places({"Mo"})):
            name = f"awakening:{area[0]}"
            free = [label for label in area if label not in self.cities]
            if "an owned Hold's hex may become a Volcano" not in YIELDS:
                free = [label for label in free if self.works.get(label) not in ANCIENT]
            if self.dice.roll(f"{name}:1", 6) == self.dice.roll(f"{name}:2", 6) == 1 and free:
                chosen.append(free[self.dice.roll(f"{name}:hex", len(free)) - 1])
        for label in chosen:
            self.seen["awakened"] += 1
            self.terrain[label] = "Vo"
            if self.works.get(label) not in ANCIENT:
                self.works.pop(label, None)
            self.roads.discard(label)
        for label in chosen:
            army = self.on(label)
            if army is not None:
                spot = self.refuge(army)
                army.at, army.aim = spot, None
            for band in self.parties:
                if band.at == label:
                    band.at = self.nearest(label, lambda there: self.terrain[there] in COST) or label

    def player_order(self) -> list[str]:
        """D; the rules do not say if eliminated players still belong to it."""
        living = sorted(self.seats)
        counts = {
            seat: tuple(self.count(seat, kinds) for kinds in (CITIES, {"fortress"}, {"town"}, MINES)) for seat in living
        }
        found: list[str] = []
        for key in sorted(set(counts.values())):
            found += self.tied([seat for seat in living if counts[seat] == key], 1)
        return found

    def tied(self, seats: list[str], n: int) -> list[str]:
        if len(seats) < 2:
            return seats
        dice = {seat: self.dice.roll(f"order:{seat}:{n}", 6) for seat in seats}
        found: list[str] = []
        for value in sorted(set(dice.values())):
            found += self.tied([seat for seat in seats if dice[seat] == value], n + 1)
        return found

    def income_dice(self, season: str, event: str) -> Data:
        found: Data = {}
        for label in self.map.hexes:
            name, kind = f"income:{label}", self.works.get(label)
            made: Data = {}
            if kind in CITIES:
                made["city"] = tuple(self.dice.roll(f"{name}:city:{die}", 6) for die in (1, 2, 3))
                made["peasants"] = self.dice.roll(f"{name}:peasants", 6)
            if kind in MINES:
                made["slaves"] = self.dice.roll(f"{name}:slaves", 6)
                if label not in self.sabotaged:
                    made["mine"] = tuple(self.dice.roll(f"{name}:mine:{die}", 6) for die in (1, 2))
            if (kind in CITIES and season == "spring") or (kind == "town" and season == "autumn"):
                made["season"] = self.dice.roll(f"{name}:season", 6)
            if (kind in CITIES and event == "economic_growth") or (kind == "town" and event == "bumper_crop"):
                made["event"] = self.dice.roll(f"{name}:event", 6)
            if label in self.ruins:
                made["ruin"] = self.dice.roll(f"{name}:ruin", 6)
            if made:
                found[label] = made
        return found

    # The next position ----------------------------------------------------------------------------------------------------

    def position(self) -> Data:
        """Position after the turn, as plain data."""
        land: dict[str, list[str]] = {seat: [] for seat in self.seats}
        for label in sorted(self.holder, key=order):
            land[self.holder[label]].append(label)
        return {
            "phase": self.phase,
            "turn": self.turn,
            "closed": self.closed,
            "land": land,
            "gold": dict(self.gold),
            "works": dict(self.works),
            "terrain": dict(self.terrain),
            "roads": sorted(self.roads),
            "cities": dict(self.cities),
            "sabotaged": sorted(label for label in self.sabotaged if self.works.get(label) in MINES),
            "war": sorted(sorted(pair) for pair in self.war),
            "alliance": sorted(sorted(pair) for pair in self.alliance),
            "faction": dict(self.faction),
            "barred": {seat: label for seat, label in self.barred.items() if label is not None},
            "landless": sorted(seat for seat, yes in self.landless.items() if yes),
            "out": sorted(seat for seat, yes in self.out.items() if yes),
            "armies": {
                army.key: {
                    "at": army.at,
                    "name": army.name,
                    "faction": army.faction,
                    "points": army.points,
                    "ld": army.ld,
                    "rests": army.rests,
                    "sank": army.sank,
                    "aim": army.aim,
                    "slowed": army.slowed,
                    "fervour": army.fervour,
                    "invaded": army.invaded,
                    "characters": [one.line for one in army.characters],
                    "units": [one.line for one in army.units],
                }
                for army in self.armies
            },
            "parties": {
                band.key: {
                    "at": band.at,
                    "type": band.type,
                    "members": band.members,
                    "gold": band.gold,
                    "weirdstone": band.weirdstone,
                    "ruin": band.ruin,
                    "patrol": None if band.patrol is None else (band.patrol[0], sorted(band.patrol[1])),
                }
                for band in self.parties
            },
            "battles": {
                fight.id: {
                    "kind": fight.kind,
                    "at": fight.at,
                    "attackers": fight.attackers,
                    "defender": fight.defender,
                    "scenario": fight.scenario,
                    "wins": fight.wins,
                    "twice": fight.twice,
                    "disputed": fight.disputed,
                }
                for fight in self.fights
            },
            "annexes": dict(self.annexes),
            "stopped": {
                key: {
                    "items": [item.line for item in march.items[march.index :]],
                    "spent": march.spent,
                    "allowance": march.allowance,
                    "used": list(march.used),
                    "trail": march.trail,
                    "farms": march.farms,
                    "roads": march.roads,
                }
                for key, march in self.stopped.items()
            },
            "quarrels": [
                (at, sorted([(one, str(back)), (other, str(other_back))]))
                for one, other, at, back, other_back in self.quarrels
            ],
            "opening": self.next_opening,
        }


def plain(position: Position) -> Data:
    """A position of the ruleset as plain data, in this judge's words."""
    opening = position.opening
    return {
        "phase": str(position.phase),
        "turn": position.turn,
        "closed": bool(position.closed),
        "land": {seat: list(realm.hexes) for seat, realm in position.realms.items()},
        "gold": {seat: realm.gold for seat, realm in position.realms.items()},
        "works": dict(position.works),
        "terrain": dict(position.terrain),
        "roads": sorted(position.roads),
        "cities": dict(position.cities),
        "sabotaged": sorted(label for label in position.sabotaged if position.works.get(label) in MINES),
        "war": sorted(sorted(pair) for pair in position.relations.war),
        "alliance": sorted(sorted(pair) for pair in position.relations.alliance),
        "faction": {seat: realm.faction for seat, realm in position.realms.items()},
        "barred": {seat: realm.barred for seat, realm in position.realms.items() if realm.barred is not None},
        "landless": sorted(seat for seat, realm in position.realms.items() if realm.landless),
        "out": sorted(seat for seat, realm in position.realms.items() if realm.out),
        "armies": {
            a.key: {
                "at": a.at, "name": a.name, "faction": a.faction, "points": a.points, "ld": a.ld, "rests": bool(a.rests),
                "sank": a.sank, "aim": a.aim, "slowed": a.slowed or 0, "fervour": a.fervour, "invaded": a.invaded,
                "characters": [character(line).line for line in a.characters],
                "units": [unit(line).line for line in a.units],
            } for a in position.armies
        },
        "parties": {
            p.key: {
                "at": p.at, "type": p.type_, "members": p.members, "gold": p.gold, "weirdstone": p.weirdstone or 0, "ruin": p.ruin,
                "patrol": None if p.patrol is None else (bool(p.patrol.all), sorted(p.patrol.but)),
            } for p in position.parties
        },
        "battles": {
            b.id: {
                "kind": b.kind, "at": b.at, "attackers": list(b.attackers), "defender": b.defender, "scenario": b.scenario,
                "wins": b.wins, "twice": bool(b.twice), "disputed": bool(b.disputed),
            } for b in position.battles
        },
        "annexes": dict(position.annexes),
        "stopped": {
            one.army: {
                "items": list(one.items), "spent": one.spent, "allowance": one.allowance, "used": list(one.used),
                "trail": list(one.trail), "farms": one.farms, "roads": one.roads,
            } for one in position.stopped
        },
        "quarrels": [
            (q.at, sorted([(q.comer, str(q.comer_back)), (q.other, str(q.other_back))])) for q in position.quarrels
        ],
        "opening": None if opening is None else {
            "season": opening.season, "event": opening.event, "portals": sorted(opening.portals, key=order),
            "golden": opening.golden, "order": list(opening.order),
            "dice": {
                label: {
                    key: value
                    for key in ("city", "peasants", "slaves", "mine", "season", "event", "ruin")
                    if (value := getattr(dice, key)) not in (None, ())
                } for label, dice in opening.dice.items()
            },
        },
    }  # fmt: skip
