"""Boards of provinces, coasts and borders: the result of reading a board file (`mechanics.boards`).

The adjudicator's inner loop uses plain dictionaries (`army_to`, `fleet_to`). Distances and neighbours are computed on first
use. So is a networkx graph for other questions, to keep start-up fast. `adjudicator.mechanics.notation` reads the names that
people write.

Places are written as in the hobby: a province's code (`MUN`), with a coast if it matters (`STP/SC`).
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dataclasses import field as default
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field as Choice

from adjudicator.core.files.disk import Own
from adjudicator.core.text.codec import Flag, Whole, field_text, record

if TYPE_CHECKING:
    import networkx as nx

UnitKind = Literal["A", "F"]
NOBODY = "nobody"
"""The `owner` to write in a board file for a home centre that nobody owns at the start."""


class BuildSites(StrEnum):
    """The centres where a power may build."""

    HOME = "home"
    """Its home centres, while it owns them."""
    OWNED = "owned"
    """Any centre that it owns (the variant Chaos and others)."""
    HOMES = "homes"
    """Any home centre that it owns, even another power's."""
    HOME_KEPT = "home-kept"
    """Any centre that it owns, as long as it owns one of its home centres."""


@record
class ProvinceData:
    """A province in a board file."""

    name: str
    kind: Literal["sea", "coast", "inland"]
    centre: Flag = False
    home: Annotated[str | None, field_text("The power that has a home centre here, and may build in it.")] = None
    owner: Annotated[
        str | None,
        field_text(
            "Who owns this supply centre at the start, if it is not the power whose home it is: a power, or `nobody`."
        ),
    ] = None
    coasts: Annotated[tuple[str, ...], field_text("The coasts that fleets must choose between: NC, SC, EC, WC.")] = ()
    convoys: Annotated[Flag, field_text("Whether fleets on this coast can convoy as if they were at sea.")] = False
    also: Annotated[tuple[str, ...], field_text("Other names and abbreviations that players use.")] = ()


@record
class Crossings:
    """Borders such as `BER MUN` or `BAR STP/NC`, by the kind of unit that may cross them."""

    army: tuple[str, ...] = ()
    fleet: tuple[str, ...] = ()
    both: tuple[str, ...] = ()


@record
class BordersData:
    """Each border once, such as `BER MUN` or `BAR STP/NC`, by the kind of unit that may cross it."""

    army: tuple[str, ...] = ()
    fleet: tuple[str, ...] = ()
    both: tuple[str, ...] = ()
    one_way: Annotated[
        Crossings, field_text("Borders that can be crossed from the first place to the second, and not back.")
    ] = default(default_factory=Crossings)


@record
class PowerData:
    """A power: its adjective ("Austrian") and the units it starts with."""

    adjective: str
    units: tuple[str, ...] = ()


@record
class CalendarData:
    """Names of the turns of a year, and how years are counted."""

    spring: str = "Spring"
    fall: str = "Fall"
    winter: str = "Winter"
    step: Annotated[Whole, Choice(ge=1, le=1000), field_text("Years from one year of the game to the next.")] = 1
    before: Annotated[
        str | None,
        field_text(
            "The suffix of years before the year 1, such as BC. These years are negative numbers, and there is no year 0."
        ),
    ] = None

    def season(self, season: str) -> str:
        """The calendar's name for the season that the rules call Spring, Fall or Winter."""
        return {"Spring": self.spring, "Fall": self.fall, "Winter": self.winter}[season]

    def year(self, year: int) -> str:
        """A year as people write it: `1901`, `431 BC`."""
        return f"{-year} {self.before}" if self.before is not None and year < 0 else str(year)

    def after(self, year: int) -> int:
        """The game's next year."""
        later = year + self.step
        return later + 1 if self.before is not None and year < 0 <= later else later

    def years(self, first: int, last: int) -> int:
        """Number of the game's years from `first` to `last`, both included."""
        leap = 1 if self.before is not None and first < 0 < last else 0
        return (last - first - leap) // self.step + 1


@record
class WinData:
    """Ways to win other than by a number of supply centres; each is checked after a year's fall turn (DP-V-6 to V-10)."""

    lead: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("The number wins only with a lead of this many centres over every other power."),
    ] = None
    held: Annotated[
        Annotated[Whole, Choice(ge=2)] | None,
        field_text("The number wins only after so many falls in a row; after one if left out."),
    ] = None
    shared: Annotated[Flag, field_text("Whether all powers that can claim victory in the same fall win together.")] = (
        False
    )
    hold: Annotated[tuple[str, ...], field_text("Centres that win the game for whoever owns them.")] = ()
    least: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("How many of those are enough; all of them if left out."),
    ] = None
    years: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("After this many years the power with the most centres wins; powers that tie for the most draw."),
    ] = None


@record
class BoardData:
    """A board file. A variant names the board that it `extends`, and holds the differences."""

    name: str
    title: str
    extends: Annotated[
        str | None,
        field_text("The board that this one changes: one that comes with courtly, or a file beside this one."),
    ] = None
    about: str = ""
    outlines: Annotated[
        str | None,
        field_text("A file of drawn shapes beside this one; without one the map is laid out from the borders."),
    ] = None
    provinces: Mapping[str, ProvinceData] | None = None
    borders: BordersData | None = None
    powers: Mapping[str, PowerData] | None = None
    others: Annotated[
        Mapping[str, PowerData],
        field_text("Powers that no seat plays: their armies hold, take no centres and win nothing."),
    ] = default(default_factory=dict)
    starts: Annotated[Annotated[Whole, Choice(ge=-9999, le=9999)] | None, field_text("The first year.")] = None
    begins: Annotated[
        Literal["spring", "fall", "winter"],
        field_text("The season of the first turn; a game that begins in winter begins with builds."),
    ] = "spring"
    calendar: CalendarData = default(default_factory=CalendarData)
    victory: Annotated[Annotated[Whole, Choice(ge=1)] | None, field_text("Supply centres that win.")] = None
    win: WinData = default(default_factory=WinData)
    builds: Annotated[BuildSites, field_text("Where powers build, unless the game's house rules say otherwise.")] = (
        BuildSites.HOME
    )


@dataclass(frozen=True, slots=True)
class Unit:
    """An army or fleet in a place. Two units are equal if their kinds and places are."""

    kind: UnitKind
    place: str
    """The province, with a fleet's coast if it matters: `STP/SC`."""
    province: str

    def __str__(self) -> str:
        return f"{self.kind} {self.place}"


@dataclass(frozen=True, slots=True)
class Province:
    """A province of a board."""

    id: str
    name: str
    kind: Literal["sea", "coast", "inland"]
    centre: bool
    home: str | None
    """The power that has its home centre here, and builds in it."""
    owner: str | None
    """The power that owns this centre at the start."""
    coasts: tuple[str, ...]
    convoys: bool
    """True if fleets here can convoy as if they were at sea."""
    also: tuple[str, ...]


class Board:
    """Provinces, borders and powers. Created once per process and board file, and never changed.

    `data` is merged with the boards that it extends, and has been checked; `folder` holds the drawn shapes, if there are any.
    """

    def __init__(self, data: BoardData, folder: Path | None = None) -> None:
        assert data.provinces is not None
        assert data.borders is not None
        assert data.powers is not None
        assert data.starts is not None
        self.data = data
        self.name = data.name
        self.title = data.title
        self.about = data.about
        self.folder = folder
        self.starts = data.starts
        self.begins = data.begins
        self.calendar = data.calendar
        self.counts = data.victory
        """Number of supply centres needed to win; None if only `win` decides."""
        self.win = data.win
        self.builds = data.builds
        self.powers: dict[str, PowerData] = dict(sorted(data.powers.items()))
        self.others: dict[str, PowerData] = dict(sorted(data.others.items()))
        """Name -> a power that no seat plays."""
        self.provinces: dict[str, Province] = {
            code: Province(code, p.name, p.kind, p.centre, p.home, _owner(p), p.coasts, p.convoys, p.also)
            for code, p in sorted(data.provinces.items())
        }
        self.seas = frozenset(code for code, p in self.provinces.items() if p.kind == "sea")
        self.coastal = frozenset(code for code, p in self.provinces.items() if p.kind == "coast")
        self.waters = self.seas | {code for code, p in self.provinces.items() if p.convoys}
        """Provinces where a fleet can convoy."""
        self.centres = tuple(code for code, p in self.provinces.items() if p.centre)
        self.victory = data.victory or len(self.centres) // 2 + 1
        """Number of supply centres needed to win; more than half of all if the board gives no number."""
        self.army_to: dict[str, frozenset[str]]
        """Province -> provinces that an army can walk to."""
        self.fleet_to: dict[str, dict[str, tuple[str, ...]]]
        """Place -> province -> the places there that a fleet can sail to."""
        self.army_to, self.fleet_to = _reach(self.provinces, data.borders)
        self.two_way = not (data.borders.one_way.fleet or data.borders.one_way.both)
        """True if fleets can cross all their borders in both directions."""
        self.fleet_reach: dict[str, frozenset[str]] = {place: frozenset(to) for place, to in self.fleet_to.items()}
        self.sea_next: dict[str, frozenset[str]] = {sea: self.fleet_reach[sea] & self.waters for sea in self.waters}
        """Water -> the waters beside it where a convoy can continue."""
        self.sea_coasts: dict[str, frozenset[str]] = {sea: self.fleet_reach[sea] & self.coastal for sea in self.waters}
        """Water -> the coastal provinces where a fleet there can land armies."""
        self.sea_takes: dict[str, frozenset[str]] = {
            sea: frozenset(
                place.partition("/")[0]
                for place, to in self.fleet_reach.items()
                if sea in to and place.partition("/")[0] in self.coastal
            )
            for sea in self.waters
        }
        """Water -> the coastal provinces where a fleet there can take armies aboard; one-way borders make it differ from `sea_coasts`."""
        self.borders: frozenset[tuple[str, str]] = frozenset(
            (min(a, b), max(a, b))
            for a, b in (
                *((here.partition("/")[0], there) for here, tos in self.fleet_to.items() for there in tos),
                *((here, there) for here, tos in self.army_to.items() for there in tos),
            )
        )
        """Every pair of provinces with a common border, without coasts, each pair in alphabetical order."""
        self._units: dict[str, Unit] = {}
        self._names = {
            place: self.provinces[place.partition("/")[0]].name + "".join(place.partition("/")[1:])
            for place in (*self.provinces, *self.fleet_to)
        }

    def unit(self, text: str) -> Unit:
        """The unit with this canonical name, such as `A MUN` or `F STP/SC`; KeyError if the board has no such place."""
        unit = self._units.get(text)
        if unit is None:
            kind, _, place = text.partition(" ")
            province = place.partition("/")[0]
            if kind not in ("A", "F") or province not in self.provinces:
                raise KeyError(text)
            if place not in (self.army_to if kind == "A" else self.fleet_to):
                raise KeyError(text)
            unit = self._units[text] = Unit("A" if kind == "A" else "F", place, province)
        return unit

    def reach(self, unit: Unit) -> frozenset[str]:
        """The provinces that `unit` can move to without a convoy; these are also the ones that it can support into."""
        return self.army_to[unit.province] if unit.kind == "A" else self.fleet_reach[unit.place]

    def place_name(self, place: str) -> str:
        """`STP/SC` as people read it: `St Petersburg/SC`."""
        return self._names[place]

    def unit_name(self, unit: Unit) -> str:
        """`F STP/SC` as people read it: `F St Petersburg/SC`."""
        return f"{unit.kind} {self._names[unit.place]}"

    def homes(self, power: str) -> tuple[str, ...]:
        """Home centres of a power, in alphabetical order of their codes."""
        return tuple(code for code in self.centres if self.provinces[code].home == power)

    def distances(self, targets: Iterable[str]) -> Mapping[str, int]:
        """Province -> moves from it to the nearest of `targets`, over land and sea alike (DATC 4.D.8, the 2023 rule)."""
        return _distances(self, tuple(sorted(targets)))

    @functools.cached_property
    def places(self) -> dict[str, str]:
        """The name of each place as people read it -> the place."""
        return {self.place_name(place): place for place in (*self.army_to, *self.fleet_to)}

    @functools.cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """Province -> every province that some unit can move to from there, in alphabetical order."""
        near: dict[str, set[str]] = {code: set(self.army_to.get(code, ())) for code in self.provinces}
        for place, to in self.fleet_reach.items():
            near[place.partition("/")[0]] |= to
        return {code: tuple(sorted(to)) for code, to in near.items()}

    @functools.cached_property
    def neighbours_back(self) -> dict[str, tuple[str, ...]]:
        """Province -> the provinces that have it among their `neighbours`, in alphabetical order."""
        near: dict[str, list[str]] = {code: [] for code in self.provinces}
        for here, to in self.neighbours.items():
            for there in to:
                near[there].append(here)
        return {code: tuple(sorted(back)) for code, back in near.items()}

    @functools.cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """The board as a networkx graph: places as nodes (`STP/NC` beside `STP`), an edge for each border and kind of unit.

        Nodes carry `province`, `kind` and `centre`; edges have the key `army` or `fleet`.
        """
        import networkx as nx

        graph: nx.MultiGraph[str] = nx.MultiGraph(name=self.name)
        for place in sorted({*self.army_to, *self.fleet_to}):
            province = self.provinces[place.partition("/")[0]]
            graph.add_node(place, province=province.id, kind=province.kind, centre=province.centre)
        for here, tos in sorted(self.army_to.items()):
            for there in sorted(tos):
                if here < there or here not in self.army_to[there]:
                    graph.add_edge(here, there, "army")
        for here, fleets in sorted(self.fleet_to.items()):
            for there in sorted(place for places in fleets.values() for place in places):
                if here < there or not any(here in back for back in self.fleet_to[there].values()):
                    graph.add_edge(here, there, "fleet")
        return graph


@functools.lru_cache(maxsize=256)
def _distances(board: Board, targets: tuple[str, ...]) -> Mapping[str, int]:
    steps = dict.fromkeys(targets, 0)
    queue = deque(steps)
    near = board.neighbours_back
    while queue:
        here = queue.popleft()
        for there in near[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def _owner(province: ProvinceData) -> str | None:
    """Owner of a centre at the start: the one that the board names, otherwise the power whose home it is."""
    if province.owner is not None:
        return None if province.owner == NOBODY else province.owner
    return province.home


def _reach(
    provinces: Mapping[str, Province], borders: BordersData
) -> tuple[dict[str, frozenset[str]], dict[str, dict[str, tuple[str, ...]]]]:
    army: dict[str, set[str]] = {code: set() for code, p in provinces.items() if p.kind != "sea"}
    fleet: dict[str, dict[str, list[str]]] = {}
    for code, province in provinces.items():
        if province.kind != "inland":
            for place in [f"{code}/{coast}" for coast in province.coasts] or [code]:
                fleet[place] = {}
    one_way = borders.one_way
    for pairs, walks, sails, back in (
        (borders.army, True, False, True), (borders.fleet, False, True, True), (borders.both, True, True, True),
        (one_way.army, True, False, False), (one_way.fleet, False, True, False), (one_way.both, True, True, False),
    ):  # fmt: skip
        for pair in sorted(pairs):
            here, there = pair.split()
            for start, end in ((here, there), (there, here))[: 2 if back else 1]:
                if walks:
                    army[start].add(end)
                if sails:
                    fleet[start].setdefault(end.partition("/")[0], []).append(end)
    return (
        {code: frozenset(to) for code, to in army.items()},
        {place: {to: tuple(sorted(places)) for to, places in sorted(tos.items())} for place, tos in fleet.items()},
    )


def outlines_path(board: Board) -> Path | None:
    """Path of the board's drawn shapes; None for a board that nobody has drawn."""
    path = board.folder / "outlines.yaml" if board.folder is not None else None
    return path if path is not None and Own(path.parent).is_file(path) else None
