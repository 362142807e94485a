"""Campaign files: a map of hexes, players and their factions, rosters and starts. Hosts may write their own."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field as Choice

from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own
from adjudicator.core.game.game import seat_file
from adjudicator.core.text.codec import Whole, decode, field_text, record
from adjudicator.core.text.problems import Problem, Problems, nearest, problem
from adjudicator.core.text.yamltext import Text, read
from adjudicator.mechanics.hexes import MOST, Direction, Grid, Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign.rosters import Roster, roster_faults
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS, FACTIONS, TERRAIN, Code, Season

CAMPAIGNS = Path(__file__).parent / "campaigns"
GENERAL = "G"
"""The id of a General's Army (GC-F-17)."""
APART = 3
"""The least distance between two settlements (GC-E-2)."""
EDGES: tuple[Direction, ...] = ("E", "SE", "SW")
"""Directions that name an edge between two hexes, from its first hex to its second."""
RANKS = ("city", "fortress", "town", "town")
"""Settlements that every player founds, in this order (GC-C-4)."""
ARMIES = ("A1", "A2", GENERAL)
"""The armies that every player begins with, in the order they are placed (GC-C-3, GC-C-4)."""
Label = Annotated[str, Choice(max_length=12)]
Gold = Annotated[Whole, Choice(ge=0, le=100_000)]
Place = tuple[str | int, ...]


@record
class Rivers:
    """Rivers along edges, written `0204 SE`, and through hexes (GC-Y-1)."""

    edges: tuple[Label, ...] = ()
    hexes: tuple[Label, ...] = ()


@record
class Start:
    """A player's starting hexes, for when their own wishes are missing or cannot be met."""

    city: Label
    fortress: Label
    towns: Annotated[tuple[Label, ...], Choice(min_length=2, max_length=2)]
    armies: Annotated[
        Mapping[Literal["A1", "A2", "G"], Label], Choice(min_length=3), field_text("A1, A2 and G -> hex (GC-C-3).")
    ]

    @property
    def settlements(self) -> tuple[tuple[str, Hex], ...]:
        """The settlements and their hexes, in the order of placing."""
        return tuple(zip(RANKS, (self.city, self.fortress, *self.towns), strict=True))


@record
class Side:
    """A player's faction, the rosters of their first armies, and optionally their start."""

    faction: str
    rosters: Annotated[
        Mapping[Literal["A1", "A2", "G"], str], Choice(min_length=3), field_text("A1, A2 and G -> name of a roster.")
    ]
    start: Start | None = None


Placing = Literal["together", "in-turns"]


@record
class Configuration:
    """Numbers and options of a campaign (catalogue 2.11)."""

    turns: Annotated[Whole, Choice(ge=1, le=200), field_text("Seasons to play (GC-A-5).")] = 12
    first_season: Season = "spring"
    start_gold: Annotated[Gold, field_text("Realm Gold at the start (GC-B-5).")] = 0
    gold_cap: Annotated[Gold, field_text("The most that a realm can hold (GC-B-2).")] = 3500
    ruins_per_land_hexes: Annotated[
        Whole, Choice(ge=4, le=1000), field_text("Land hexes for each ruin, if no ruins are named (GC-C-2).")
    ] = 16
    forest_thrives: Annotated[
        Literal["reclaim", "letter"],
        field_text(
            "Whether Forest Thrives spreads woods over open ground, or thins them, as the rule literally says (GC-K-21)."
        ),
    ] = "reclaim"
    unplayed: Annotated[
        Literal["stalemate", "auto"],
        field_text("The result of a battle that nobody reports: undecided, or judged by the resolver (GC-Z-18)."),
    ] = "stalemate"
    placing: Annotated[
        Placing,
        field_text(
            "Whether all players place together, by lists of wishes, or one by one, seeing what has been placed (GC-C-17)."
        ),
    ] = "together"


@record
class Campaign:
    """A campaign: its map, its players and its rosters."""

    name: str
    title: str
    about: str = ""
    rows: Annotated[
        tuple[str, ...],
        Choice(min_length=2, max_length=MOST),
        field_text(
            "The map: two-letter codes of terrain, one line per row; even rows lie half a hex to the right (GC-Z-31)."
        ),
    ]
    names: Annotated[Mapping[str, str], field_text("Hex -> its name.")] = field(default_factory=dict)
    rivers: Rivers = Rivers()
    ruins: Annotated[tuple[Label, ...] | None, field_text("Hexes with ruins; drawn by lot if left out (GC-C-2).")] = (
        None
    )
    cities: Annotated[
        Mapping[str, str], field_text("Hex -> a neutral city there: dwarven_hold or temple_city (GC-H).")
    ] = field(default_factory=dict)
    roads: tuple[Label, ...] = ()
    players: Annotated[Mapping[str, Side], Choice(min_length=2, max_length=20)]
    order: Annotated[
        tuple[str, ...] | None, field_text("The order in which players place; drawn by lot if left out (GC-C-5).")
    ] = None
    rosters: Mapping[str, Roster]
    configuration: Configuration = Configuration()

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the players."""
        return tuple(self.players)

    @property
    def land(self) -> tuple[tuple[Code, ...], ...]:
        """The codes of the map, row by row."""
        return _codes(self.rows)

    @property
    def grid(self) -> Grid:
        """The hexes of the map."""
        return Grid(len(self.land[0]), len(self.rows))

    @property
    def terrain(self) -> Mapping[Hex, Code]:
        """Hex -> its terrain at the start."""
        return terrain_of(self.rows)

    @property
    def wet(self) -> frozenset[frozenset[Hex]]:
        """Pairs of hexes with a river between them."""
        return _edges(self.rivers.edges, self.grid)

    @property
    def rivered(self) -> frozenset[Hex]:
        """Hexes with a river through them or along an edge (catalogue 4.2)."""
        return _rivered(self.rivers.edges, self.rivers.hexes, self.grid)


@functools.lru_cache(maxsize=256)
def _codes(rows: tuple[str, ...]) -> tuple[tuple[Code, ...], ...]:
    return tuple(tuple(row.split()) for row in rows)


@functools.lru_cache(maxsize=256)
def terrain_of(rows: tuple[str, ...]) -> Mapping[Hex, Code]:
    """Hex -> its terrain code, from the rows of a map; in hex order."""
    codes = _codes(rows)
    return dict(zip(Grid(len(codes[0]), len(codes)).hexes, (code for row in codes for code in row), strict=True))


def rows_of(terrain: Mapping[Hex, Code], grid: Grid) -> tuple[str, ...]:
    """The rows of a map, from its terrain."""
    codes = [terrain[label] for label in grid.hexes]
    return tuple(" ".join(codes[at : at + grid.columns]) for at in range(0, len(codes), grid.columns))


@functools.lru_cache(maxsize=64)
def _edges(edges: tuple[str, ...], grid: Grid) -> frozenset[frozenset[Hex]]:
    pairs = (edge.split() for edge in edges)
    return frozenset(frozenset({label, grid.neighbours(label)[way]}) for label, way in pairs)  # type: ignore[index]  # checked as a fault


@functools.lru_cache(maxsize=64)
def _rivered(edges: tuple[str, ...], hexes: tuple[Hex, ...], grid: Grid) -> frozenset[Hex]:
    return frozenset(hexes).union(*_edges(edges, grid))


# Conditions for places ---------------------------------------------------------------------------------------------


def passable(code: Code) -> bool:
    """Whether terrain may be entered, apart from the rules of factions."""
    return TERRAIN[code].cost is not None


def crowd(spot: Hex, settled: Mapping[Hex, str]) -> Hex | None:
    """The nearest settlement that is too near for another one (GC-E-2); None if the hex is far enough from all."""
    near = [(distance(spot, other), hex_order(other), other) for other in settled if distance(spot, other) < APART]
    return min(near)[2] if near else None


def site_fault(spot: Hex, terrain: Mapping[Hex, Code], settled: Mapping[Hex, str]) -> str | None:
    """The reason why no Town, Fortress or City can be founded on a hex; None if one can (GC-E-2, GC-E-8)."""
    if not TERRAIN[terrain[spot]].build:
        return f"{TERRAIN[terrain[spot]].name} cannot be built on"
    other = crowd(spot, settled)
    if other is None:
        return None
    away = distance(spot, other)
    return f"only {away} hex{'es' * (away != 1)} from the {CONSTRUCTIONS[settled[other]].name} {other} ({APART} needed)"


def found(
    spot: Hex, mine: Collection[Hex], taken: Collection[Hex], cities: Collection[Hex], grid: Grid
) -> tuple[Hex, ...]:
    """The hexes that a player holds once they settle here: they claim those within 1 that nobody holds (GC-C-10, GC-E-3)."""
    claimed = {label for label in grid.within(spot, 1) if label not in taken and label not in cities}
    return tuple(sorted({*mine, *claimed}, key=hex_order))


# Faults ------------------------------------------------------------------------------------------------------------


def faults(campaign: Campaign, text: Text) -> Iterator[Problem]:
    """The faults in a campaign, each with its line (GC-Z-37 to GC-Z-42)."""
    land = list(_land_faults(campaign, text))
    yield from land
    if not land:  # hex labels mean nothing on a faulty map
        yield from _overlay_faults(campaign, text)
    yield from _people_faults(campaign, text)
    if not land:
        yield from _start_faults(campaign, text)


def _land_faults(campaign: Campaign, text: Text) -> Iterator[Problem]:
    """Rows of different lengths, and unknown codes (GC-Z-37)."""
    wide = len(campaign.land[0])
    if not 2 <= wide <= MOST:
        yield text.problem(("rows", 0), f"the row has {wide} hexes", f"write 2 to {MOST}")
    for at, row in enumerate(campaign.land):
        if len(row) != wide:
            yield text.problem(("rows", at), f"the row has {len(row)} hexes", f"write {wide}, as in the first row")
        for column, code in enumerate(row, 1):
            if code not in TERRAIN:
                right = nearest(code, TERRAIN) or ", ".join(TERRAIN)
                yield text.problem(("rows", at), f"no terrain has the code {code!r:.12} (column {column:02})", right)


def _label_faults(campaign: Campaign, text: Text, places: Iterable[tuple[Place, Hex]]) -> Iterator[Problem]:
    grid = campaign.grid
    for path, label in places:
        if label not in grid:
            yield text.problem(path, f"{label!r:.14} is not a hex on this map", f"write 0101 to {grid.hexes[-1]}")


def _overlay_faults(campaign: Campaign, text: Text) -> Iterator[Problem]:
    """Rivers, ruins, neutral cities, roads and names in impossible places (GC-Z-37 to GC-Z-39)."""
    grid, terrain = campaign.grid, campaign.terrain
    ruins = campaign.ruins or ()
    listed: tuple[tuple[Place, Iterable[Hex]], ...] = (
        (("rivers", "hexes"), campaign.rivers.hexes), (("ruins",), ruins), (("roads",), campaign.roads),
    )  # fmt: skip
    places: list[tuple[Place, Hex]] = [
        ((*path, at), label) for path, labels in listed for at, label in enumerate(labels)
    ]
    places += [(("cities", label), label) for label in campaign.cities]
    places += [(("names", label), label) for label in campaign.names]
    yield from _label_faults(campaign, text, places)
    for path, labels in listed:
        for at, label in enumerate(labels):
            if label in tuple(labels)[:at]:
                yield text.problem((*path, at), f"{label} is listed twice", "once is enough")
    for at, edge in enumerate(campaign.rivers.edges):
        yield from _edge_faults(campaign, text, at, edge)
    for at, label in enumerate(campaign.rivers.hexes):
        if label in grid and TERRAIN[terrain[label]].sea:
            yield text.problem(
                ("rivers", "hexes", at), f"{label} is sea, and a river cannot run through it", "end it beside the sea"
            )
    for at, label in enumerate(ruins):
        if label in grid and (not passable(terrain[label]) or TERRAIN[terrain[label]].sea):
            what = f"there can be no ruin on {TERRAIN[terrain[label]].name} ({label})"
            yield text.problem(("ruins", at), what, "choose a hex of passable land")
    for at, label in enumerate(campaign.roads):
        if label in grid and not TERRAIN[terrain[label]].build:
            what = f"there can be no road on {TERRAIN[terrain[label]].name} ({label})"
            yield text.problem(("roads", at), what, "choose a hex that can be built on")
    yield from _city_faults(campaign, text)


def _edge_faults(campaign: Campaign, text: Text, at: int, edge: str) -> Iterator[Problem]:
    match = re.fullmatch(r"([0-9]{4}) (E|SE|SW)", edge)
    path = ("rivers", "edges", at)
    if match is None:
        yield text.problem(
            path, f"{edge!r:.20} is not an edge", f"write a hex and {', '.join(EDGES)}, such as `0204 SE`"
        )
    elif match[1] not in campaign.grid:
        yield text.problem(path, f"{match[1]} is not a hex on this map", f"write 0101 to {campaign.grid.hexes[-1]}")
    elif campaign.grid.step(match[1], match[2]) is None:  # type: ignore[arg-type]  # the pattern knows the three
        yield text.problem(path, f"{edge} is the edge of the map", "both hexes must be on the map (GC-Z-39)")
    elif edge in campaign.rivers.edges[:at]:
        yield text.problem(path, f"{edge} is listed twice", "once is enough")


def _city_faults(campaign: Campaign, text: Text) -> Iterator[Problem]:
    """Neutral cities of unknown kinds, on ground that cannot be built on, or too near each other (GC-Z-38)."""
    ancient = [name for name, one in CONSTRUCTIONS.items() if one.ancient]
    seen: dict[Hex, str] = {}
    for label, kind in campaign.cities.items():
        path = ("cities", label)
        if kind not in ancient:
            yield text.problem(
                path, f"{kind!r:.30} is not a kind of neutral city", nearest(kind, ancient) or " or ".join(ancient)
            )
            continue
        if label not in campaign.grid:
            continue
        fault = site_fault(label, campaign.terrain, seen)
        if fault is not None:
            yield text.problem(path, f"{CONSTRUCTIONS[kind].name} {label}: {fault}", "choose another hex (GC-Z-38)")
        if label in (campaign.ruins or ()):
            yield text.problem(path, f"{label} also has a ruin", "keep one or the other (GC-Z-38)")
        seen[label] = kind


def _people_faults(campaign: Campaign, text: Text) -> Iterator[Problem]:
    """Unknown factions and rosters, names that a player cannot have, and an order that leaves a player out."""
    factions = tuple(FACTIONS)
    if len({seat_file(seat) for seat in campaign.players}) != len(campaign.players):
        yield text.problem(
            ("players",),
            "two players' names give the same file name",
            "give each a name that differs in more than capitals, spaces and punctuation",
        )
    for seat, side in campaign.players.items():
        if not re.fullmatch(r"[A-Za-z](?:[A-Za-z0-9 _-]{0,28}[A-Za-z0-9])?", seat):
            right = "use up to 30 letters from A to Z, digits, spaces and hyphens, because files are named after it"
            yield text.problem(("players", seat), f"{seat!r:.40} cannot be a player's name", right)
        if side.faction not in FACTIONS:
            right = nearest(side.faction, factions) or ", ".join(factions)
            yield text.problem(("players", seat, "faction"), f"no faction is called {side.faction!r:.40}", right)
        for army, name in side.rosters.items():
            if name not in campaign.rosters:
                right = nearest(name, campaign.rosters) or ", ".join(campaign.rosters)
                yield text.problem(("players", seat, "rosters", army), f"no roster is called {name!r:.40}", right)
    for name, roster in campaign.rosters.items():
        for path, what, right in roster_faults(roster, factions):
            yield text.problem(("rosters", name, *path), what, right)
    if campaign.order is not None and sorted(campaign.order) != sorted(campaign.players):
        yield text.problem(("order",), "the order does not name every player exactly once", ", ".join(campaign.players))


def _start_faults(campaign: Campaign, text: Text) -> Iterator[Problem]:
    """Starts that break the rules of placing (GC-Z-40 to GC-Z-42)."""
    grid, terrain = campaign.grid, campaign.terrain
    starts = {seat: side.start for seat, side in campaign.players.items() if side.start is not None}
    places: list[tuple[Place, Hex]] = []
    for seat, start in starts.items():
        here = ("players", seat, "start")
        places += [((*here, *_within_start(at)), label) for at, (_, label) in enumerate(start.settlements)]
        places += [((*here, "armies", army), label) for army, label in start.armies.items()]
    lost = list(_label_faults(campaign, text, places))
    yield from lost
    if lost:
        return
    settled = {label: kind for label, kind in campaign.cities.items() if label in grid and kind in CONSTRUCTIONS}
    realms: dict[str, tuple[Hex, ...]] = dict.fromkeys(starts, ())
    order = [seat for seat in campaign.order or campaign.players if seat in starts]
    for at, kind in enumerate(RANKS):
        for seat in order:
            label = starts[seat].settlements[at][1]
            path = ("players", seat, "start", *_within_start(at))
            taken = {one for other, mine in realms.items() if other != seat for one in mine}
            name = f"{CONSTRUCTIONS[kind].name} {label}"
            fault = site_fault(label, terrain, settled)
            if fault is None and label in taken:
                fault = "another player holds the hex"
            mine = found(label, realms[seat], taken, campaign.cities, grid)
            if fault is None and len(grid.areas(mine)) > 1:
                fault = f"it does not touch the realm of {seat} (GC-C-9)"
            if fault is not None:
                yield text.problem(path, f"{name}: {fault}", "choose another hex (GC-Z-40)")
            settled[label] = kind
            realms[seat] = mine
    stood: dict[Hex, str] = {}
    for army in ARMIES:
        for seat in order:
            label = starts[seat].armies[army]  # type: ignore[index]  # all three are there
            path = ("players", seat, "start", "armies", army)
            if label not in realms[seat]:
                yield text.problem(
                    path, f"{label} is not in the realm of {seat}", "choose a hex in that realm (GC-Z-41)"
                )
            elif label in stood:
                yield text.problem(
                    path, f"{stood[label]} is already on {label}", "put only one army on a hex (GC-C-12)"
                )
            elif not passable(terrain[label]):
                yield text.problem(
                    path, f"{TERRAIN[terrain[label]].name} cannot be entered", "choose another hex (GC-C-12)"
                )
            stood[label] = f"{army} of {seat}"


def _within_start(at: int) -> Place:
    """Path of a settlement in a start, by its index in `RANKS`."""
    return (("city",), ("fortress",), ("towns", 0), ("towns", 1))[at]


@functools.lru_cache(maxsize=64)
def load_campaign(source: bytes, path: str) -> Campaign:
    """Read the campaign in a file's bytes; raises `Problems` with all of its faults."""
    text = read(source, path)
    campaign = decode(Campaign, text)
    problems = list(faults(campaign, text))
    if problems:
        raise Problems(problems)
    return campaign


def shipped_campaigns() -> dict[str, Path]:
    """Name -> file of each campaign that comes with the game."""
    return {path.stem: path for path in Own(CAMPAIGNS).paths(CAMPAIGNS, "*.yaml")}


@functools.cache
def campaign_named(name: str) -> Campaign:
    """The shipped campaign with this name; raises `Problems` that list the shipped campaigns if there is none."""
    paths = shipped_campaigns()
    if name not in paths:
        right = nearest(name, paths) or "campaigns: " + ", ".join(sorted(paths))
        raise problem("", f"no campaign is called {name!r:.60}", right)
    return load_campaign(read_own(paths[name]), paths[name].name)


Reader = Callable[[str], tuple[bytes, str]]
