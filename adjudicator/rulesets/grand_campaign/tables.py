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
    """The kind of trees that grow there."""
    cost: Whole | None = None
    """Army Movement for entering; None for Impervious terrain (GC-X-9)."""
    every: Whole = 0
    """If the cost is 0: every n-th hex entered costs 1 (GC-X-10)."""
    roaded: Whole = 0
    """Like `every`, for hexes with a road (GC-E-18)."""
    build: Flag = True
    mine: Flag = False
    sea: Flag = False
    fells: Code | None = None
    cultivates: Code | None = None
    clears: Code | None = None
    nurtures: Mapping[Kind, Code] | None = None
    erupts: Code | None = None
    quenches: Code | None = None
    """Terrain that a Volcano becomes when it goes out (GC-K-5)."""
    awakens: Code | None = None
    """The Volcano that it can become (GC-K-30)."""
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
    """A construction, or a neutral city that players can conquer."""

    name: str
    price: Whole | None = None
    """None if nobody can build it."""
    from_: Mapping[str, Whole] | None = None
    """Construction that can be improved to this one -> the price (GC-O-22)."""
    moving: Whole = 0
    razing: Whole = 0
    radius: Whole
    settlement: Flag = False
    """True for a Town, Fortress or City."""
    city: Flag = False
    mine: Flag = False
    ancient: Flag = False
    """True if it exists from the start and cannot be destroyed (GC-H-8)."""
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
    """Tag that most Core units must have (GC-I-8)."""


@record
class Gallop:
    """Terrain of the group `over`, which counts as `as_` for armies whose Core is mostly `core` (GC-I-38)."""

    core: str
    over: str
    as_: Code


@record
class ArmyRules:
    """Rules of a faction for its armies (GC-I-2)."""

    discount: tuple[str, ...] = ()
    enters: tuple[Entry, ...] = ()
    gallops: Gallop | None = None
    crossing: Whole | None = None
    skips: Flag = False
    """True if it may skip a hex (GC-I-12)."""
    savage: Whole = 0
    """Number subtracted from an army's Leadership in tests for a City (GC-I-10)."""
    discipline: Flag = False
    """True if a failed test for a City is rolled again (GC-I-28)."""
    fireproof: Flag = False
    """True if a destruction roll of events 11 and 12 is rolled again (GC-I-33)."""
    fervour: Whole = 0
    """Points added after a victory, and subtracted after a defeat (GC-I-50)."""
    hardy: str | None = None
    """Tag of units that learn from surviving a battle (GC-I-53)."""
    eternal: Whole = 0
    """The lowest roll that turns `destroyed` into `mauled` (GC-I-72)."""
    blood: Flag = False
    """True if vampires gain more from challenges they win, and the losers lose more (GC-I-77)."""
    watched: Flag = False
    """True if challenges count more, won or lost (GC-I-79)."""
    sands: tuple[Code, ...] = ()
    """Terrain that it may hide under (GC-I-73)."""
    actions: tuple[str, ...] = ()


@record
class RealmRules:
    """Rules of a faction for its player's realm."""

    armies: Whole = 2
    """Armies that it may have besides one for each City (GC-F-7)."""
    haunted: Flag = False
    """True if ruins count like Cities for the number of armies (GC-I-75)."""
    cities: str = "common"
    mines: Whole = 0
    """Number added to two dice for a Mine (GC-I-23)."""
    slaves: Flag = False
    """True if Mines may revolt (GC-I-35)."""
    peasants: Flag = False
    """True if Cities may revolt (GC-I-41)."""
    ruins: Flag = False
    """True if ruins yield gold (GC-I-56)."""
    gifts: Flag = False
    """True if parties may give Weirdstone (GC-I-68)."""
    fireproof: Flag = False


@record
class Faction:
    """A faction: its rules for armies and for the realm, and its types of party."""

    name: str
    army: ArmyRules = ArmyRules()
    realm: RealmRules = RealmRules()
    parties: tuple[str, ...]


@record
class CityYield:
    """Numbers added to the three dice of a City: with neither river nor sea, with a river, with the sea, with both."""

    bonus: Annotated[tuple[Whole, ...], Choice(min_length=4, max_length=4)]
    on: tuple[str, ...] | None = None
    """Groups of terrain where it applies; elsewhere the common yield does (GC-I-61)."""


@record
class PartyType:
    """A type of adventuring party."""

    name: str
    strength: Whole = 0
    movement: Whole = 6
    patrols: Whole = 3
    harries: Whole = 2
    """Reach of its Guerrilla Tactics."""
    delays: Whole = 0
    """Number added to the die of its Guerrilla Tactics."""
    digs: Whole = 0
    """Number added to the die in a ruin."""
    caught_twice: Flag = False
    """True if a looter is caught only if a second roll catches it too."""


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
    """True if it ends the army's phase, whether it succeeds or fails (GC-O-16)."""
    special: Flag = False
    """True if only some factions have it."""
    builds: str | None = None
    rule: str
    """The rule that a verdict cites when the action is done."""


@record
class Actions:
    """The table of actions."""

    armies: Mapping[str, Action]
    parties: Mapping[str, Action]


@record
class SeasonEvent:
    """An event that two dice bring at the start of a season."""

    id: str
    name: str


@record
class SeasonRules:
    """Changes that a season makes."""

    name: str
    movement: Whole = 0
    cities: Flag = False
    towns: Flag = False


@record
class Calendar:
    """The table of events and seasons."""

    events: Mapping[str, SeasonEvent]
    """The sum of the dice -> the event."""
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
    """The number added to the three dice of a City, for its faction, its terrain, and a river or the sea (GC-M-5, GC-M-8)."""
    yields = PEOPLES.cities[FACTIONS[faction].realm.cities]
    if yields.on is not None and TERRAIN[code].group not in yields.on:
        yields = PEOPLES.cities["common"]
    return yields.bonus[river + 2 * sea]
