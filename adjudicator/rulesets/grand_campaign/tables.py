"""Terrain, constructions, factions, actions, events, scenarios and artefacts: the tables of the rules, in data files (GC-X, GC-I)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field as Choice

from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import Flag, Whole, decode, record
from adjudicator.core.text.yamltext import read

T = TypeVar("T")
DATA = Path(__file__).parent / "data"
Code = str
"""Two letters for a kind of terrain."""
Kind = Literal["forest", "pine", "jungle"]
Season = Literal["spring", "summer", "autumn", "winter"]
SEASONS: tuple[Season, ...] = ("spring", "summer", "autumn", "winter")
Pair = Annotated[tuple[Whole, ...], Choice(min_length=2, max_length=2)]


@record
class Terrain:
    """A kind of terrain."""

    name: str
    group: str
    kind: Kind | None = None
    """Which trees grow there."""
    cost: Whole | None = None
    """The Army Movement that entering takes; None for Impervious terrain (GC-X-9)."""
    every: Whole = 0
    """Where the cost is 0: which of the hexes entered costs 1 (GC-X-10)."""
    roaded: Whole = 0
    """As `every`, for hexes with a road (GC-E-18)."""
    build: Flag = True
    mine: Flag = False
    sea: Flag = False
    fells: Code | None = None
    cultivates: Code | None = None
    clears: Code | None = None
    nurtures: Mapping[Kind, Code] | None = None
    erupts: Code | None = None
    quenches: Code | None = None
    """What a Volcano becomes that goes out (GC-K-5)."""
    awakens: Code | None = None
    """The Volcano that it may become (GC-K-30)."""
    freezes: Code | None = None
    melts: Code | None = None
    scenarios: str


@record
class Lands:
    """The table of terrain."""

    crossing: Whole
    types: Mapping[Code, Terrain]
    scenarios: Mapping[str, tuple[str, ...]]


@record
class Construction:
    """A construction, or a city of nobody's that one may conquer."""

    name: str
    price: Whole | None = None
    """None for what nobody can build."""
    from_: Mapping[str, Whole] | None = None
    """What it may be improved from -> the price (GC-O-22)."""
    moving: Whole = 0
    razing: Whole = 0
    radius: Whole
    settlement: Flag = False
    """Town, Fortress or City."""
    city: Flag = False
    mine: Flag = False
    ancient: Flag = False
    """Stands from the start, and cannot be destroyed (GC-H-8)."""
    teleports: Flag = False
    most: Whole | None = None
    battle: Literal["siege", "raid"]
    seizing: Whole
    destroying: Whole | None = None
    garrison: Whole = 0
    """The Leadership of the garrison while it is neutral (GC-H-15)."""


@record
class Buildings:
    """The table of constructions and prices."""

    constructions: Mapping[str, Construction]
    road: Whole
    army: Whole
    party: Whole
    territory: Whole


@record
class Entry:
    """Impervious terrain that armies of a faction may enter."""

    into: tuple[Code, ...]
    cost: Whole
    core: str | None = None
    """What most Core units must be (GC-I-8)."""


@record
class Gallop:
    """A group of terrain that counts as another kind for armies with such a Core (GC-I-38)."""

    core: str
    over: str
    as_: Code


@record
class ArmyRules:
    """What an army's faction means for it (GC-I-2)."""

    discount: tuple[str, ...] = ()
    enters: tuple[Entry, ...] = ()
    gallops: Gallop | None = None
    crossing: Whole | None = None
    skips: Flag = False
    """It may skip a hex (GC-I-12)."""
    savage: Whole = 0
    """What its Leadership lacks in tests for a City (GC-I-10)."""
    discipline: Flag = False
    """A failed test for a City is rolled again (GC-I-28)."""
    fireproof: Flag = False
    """A destruction roll of events 11 and 12 is rolled again (GC-I-33)."""
    fervour: Whole = 0
    """Points more after a victory, and fewer after a defeat (GC-I-50)."""
    hardy: str | None = None
    """Units that learn from surviving a battle (GC-I-53)."""
    eternal: Whole = 0
    """The least roll that makes `destroyed` mauled (GC-I-72)."""
    blood: Flag = False
    """Vampires gain and take more in challenges (GC-I-77)."""
    watched: Flag = False
    """Challenges count more, won or lost (GC-I-79)."""
    sands: tuple[Code, ...] = ()
    """Terrain that it may hide under (GC-I-73)."""
    actions: tuple[str, ...] = ()


@record
class RealmRules:
    """What a player's faction means for their realm."""

    armies: Whole = 2
    """Armies that it may have beside one for each City (GC-F-7)."""
    haunted: Flag = False
    """Ruins count as Cities do for the number of armies (GC-I-75)."""
    cities: str = "common"
    mines: Whole = 0
    """What is added to two dice for a Mine (GC-I-23)."""
    slaves: Flag = False
    """Mines may revolt (GC-I-35)."""
    peasants: Flag = False
    """Cities may revolt (GC-I-41)."""
    ruins: Flag = False
    """Ruins yield gold (GC-I-56)."""
    gifts: Flag = False
    """Parties may give Weirdstone (GC-I-68)."""
    fireproof: Flag = False


@record
class Faction:
    """A faction."""

    name: str
    army: ArmyRules = ArmyRules()
    realm: RealmRules = RealmRules()
    parties: tuple[str, ...]


@record
class CityYield:
    """What Cities yield beyond three dice: with neither river nor sea, river, sea, both."""

    bonus: Annotated[tuple[Whole, ...], Choice(min_length=4, max_length=4)]
    on: tuple[str, ...] | None = None
    """Groups of terrain where it holds; elsewhere the common yield does (GC-I-61)."""


@record
class PartyType:
    """A type of adventuring party."""

    name: str
    strength: Whole = 0
    movement: Whole = 6
    patrols: Whole = 3
    harries: Whole = 2
    """How far its Guerrilla Tactics reach."""
    delays: Whole = 0
    """What is added to their die."""
    digs: Whole = 0
    """What is added to the die in a ruin."""
    caught_twice: Flag = False
    """A looter's capture is rolled again once."""


@record
class Peoples:
    """The table of factions and parties."""

    cities: Mapping[str, CityYield]
    factions: Mapping[str, Faction]
    parties: Mapping[str, PartyType]


@record
class Action:
    """An action of an army or a party."""

    name: str
    movement: Whole = 1
    ends: Flag = False
    """Whether the phase ends with it, done or failed (GC-O-16)."""
    special: Flag = False
    """Whether only some factions have it."""
    builds: str | None = None
    rule: str
    """What a verdict cites when it was done."""


@record
class Actions:
    """The table of actions."""

    armies: Mapping[str, Action]
    parties: Mapping[str, Action]


@record
class SeasonEvent:
    """What two dice bring at the start of a season."""

    id: str
    name: str


@record
class SeasonRules:
    """What a season changes."""

    name: str
    movement: Whole = 0
    cities: Flag = False
    towns: Flag = False


@record
class Calendar:
    """The table of events and seasons."""

    events: Mapping[str, SeasonEvent]
    """The sum of the dice -> what happens."""
    seasons: Mapping[Season, SeasonRules]


@record
class Scenario:
    """A scenario of a battle."""

    name: str
    points: Pair
    rating: Pair = (0, 0)
    artefact: Flag = False


@record
class Scenarios:
    """The table of scenarios."""

    scenarios: Mapping[str, Scenario]


Class = Literal["minor", "legendary", "cursed"]


@record
class Artefact:
    """A Magical Artefact."""

    class_: Class
    type_: str
    rating: Whole = 0
    leadership: Whole = 0
    effect: str


@record
class Artefacts:
    """The table of artefacts."""

    artefacts: Mapping[str, Artefact]


def _table(kind: type[T], name: str) -> T:
    path = DATA / name
    return decode(kind, read(read_own(path), path.name))


LANDS = _table(Lands, "terrain.yaml")
TERRAIN = LANDS.types
BUILDINGS = _table(Buildings, "constructions.yaml")
CONSTRUCTIONS = BUILDINGS.constructions
PEOPLES = _table(Peoples, "factions.yaml")
FACTIONS = PEOPLES.factions
PARTIES = PEOPLES.parties
ACTIONS = _table(Actions, "actions.yaml")
CALENDAR = _table(Calendar, "events.yaml")
SCENARIOS = _table(Scenarios, "scenarios.yaml").scenarios
ARTEFACTS = _table(Artefacts, "artefacts.yaml").artefacts


def city_bonus(faction: str, code: Code, *, river: bool, sea: bool) -> int:
    """What a City on such a hex yields beyond three dice, before the times 50 (GC-M-5, GC-M-8)."""
    yields = PEOPLES.cities[FACTIONS[faction].realm.cities]
    if yields.on is not None and TERRAIN[code].group not in yields.on:
        yields = PEOPLES.cities["common"]
    return yields.bonus[river + 2 * sea]
