"""Boards of provinces, coasts and borders, read from `board.yaml`.

A board answers three kinds of questions. The adjudicator's inner loop asks plain dictionaries (`army_to`,
`fleet_to`); rare and global questions (distances, soundness, drawing) ask the networkx graph, built on first use so
that neither start-up nor the inner loop pays for it; people's words are read by `adjudicator.mechanics.notation`.

Places are written as in the hobby: a province's code (`MUN`), with a coast where it matters (`STP/SC`).
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from adjudicator.core.codec import load, record
from adjudicator.core.problems import Problem, Problems, nearest
from adjudicator.core.yamltext import Text, read

if TYPE_CHECKING:
    import networkx as nx

UnitKind = Literal["A", "F"]


@record
class ProvinceData:
    """A province as `board.yaml` has it."""

    name: str
    kind: Literal["sea", "coast", "inland"]
    centre: bool = False
    home: str | None = None
    coasts: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Other names and abbreviations that players use."""


@record
class BordersData:
    """Each border once, as `BER MUN` or `BAR STP/NC`, by who may cross it."""

    army: tuple[str, ...] = ()
    fleet: tuple[str, ...] = ()
    both: tuple[str, ...] = ()


@record
class PowerData:
    """A power: its adjective ("Austrian") and the units it starts with."""

    adjective: str
    units: tuple[str, ...]


@record
class BoardData:
    """`board.yaml`, as it is written. A variant names the board it `extends` and says what differs."""

    name: str
    title: str
    extends: str | None = None
    about: str = ""
    provinces: Mapping[str, ProvinceData] | None = None
    borders: BordersData | None = None
    powers: Mapping[str, PowerData] | None = None
    starts: int | None = None
    victory: int | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """An army or fleet in a place. Two units are equal when kind and place are."""

    kind: UnitKind
    place: str
    """The province, with the coast where a fleet's coast matters: `STP/SC`."""
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
    """The power at whose start this centre is a home centre."""
    coasts: tuple[str, ...]
    also: tuple[str, ...]


class Board:
    """Provinces, borders and powers. Made once a process per board file, never changed."""

    def __init__(self, data: BoardData, folder: Path, text: Text | None = None) -> None:
        faults = _faults(data, text)
        if faults:
            raise Problems(faults)
        assert data.provinces
        assert data.borders
        assert data.powers
        assert data.starts
        assert data.victory
        self.name = data.name
        self.title = data.title
        self.about = data.about
        self.folder = folder
        self.starts = data.starts
        self.victory = data.victory
        self.powers: dict[str, PowerData] = dict(sorted(data.powers.items()))
        self.provinces: dict[str, Province] = {
            code: Province(code, p.name, p.kind, p.centre, p.home, p.coasts, p.also)
            for code, p in sorted(data.provinces.items())
        }
        self.seas = frozenset(code for code, p in self.provinces.items() if p.kind == "sea")
        self.coastal = frozenset(code for code, p in self.provinces.items() if p.kind == "coast")
        self.centres = tuple(code for code, p in self.provinces.items() if p.centre)
        self.army_to: dict[str, frozenset[str]]
        """Province -> provinces an army can walk to."""
        self.fleet_to: dict[str, dict[str, tuple[str, ...]]]
        """Place -> province -> the places there that a fleet can sail to."""
        self.army_to, self.fleet_to = _reach(self.provinces, data.borders)
        self.fleet_reach: dict[str, frozenset[str]] = {place: frozenset(to) for place, to in self.fleet_to.items()}
        self.sea_next: dict[str, frozenset[str]] = {sea: self.fleet_reach[sea] & self.seas for sea in self.seas}
        """Sea -> the seas beside it."""
        self.sea_coasts: dict[str, frozenset[str]] = {sea: self.fleet_reach[sea] & self.coastal for sea in self.seas}
        """Sea -> the coastal provinces that a fleet there can take armies from or land them in."""
        self.borders: frozenset[tuple[str, str]] = frozenset(
            (min(a, b), max(a, b))
            for a, b in (
                *((one.partition("/")[0], two) for one, tos in self.fleet_to.items() for two in tos),
                *((one, two) for one, tos in self.army_to.items() for two in tos),
            )
        )
        """Every pair of provinces that border, coasts left out, each pair in alphabetical order."""
        self._units: dict[str, Unit] = {}
        self._names: dict[str, str] = {}

    def unit(self, text: str) -> Unit:
        """The unit written canonically, as `A MUN` or `F STP/SC`; KeyError when the board has no such place."""
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
        """The provinces that `unit` can move to by itself; also those it can support into."""
        return self.army_to[unit.province] if unit.kind == "A" else self.fleet_reach[unit.place]

    def place_name(self, place: str) -> str:
        """`STP/SC` as people read it: `St Petersburg/SC`."""
        name = self._names.get(place)
        if name is None:
            province, slash, coast = place.partition("/")
            name = self._names[place] = self.provinces[province].name + slash + coast
        return name

    def unit_name(self, unit: Unit) -> str:
        """`F STP/SC` as people read it: `F St Petersburg/SC`."""
        return f"{unit.kind} {self.place_name(unit.place)}"

    def homes(self, power: str) -> tuple[str, ...]:
        """The home centres of a power, in alphabetical order of their codes."""
        return tuple(code for code in self.centres if self.provinces[code].home == power)

    def distances(self, targets: Iterable[str]) -> dict[str, int]:
        """Province -> moves to the nearest of `targets`, over land and sea alike (DATC 4.D.8, the 2023 rule)."""
        steps = dict.fromkeys(sorted(targets), 0)
        queue = deque(steps)
        near = self.neighbours
        while queue:
            here = queue.popleft()
            for there in near[here]:
                if there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        return steps

    @functools.cached_property
    def places(self) -> dict[str, str]:
        """The name of each place as people read it -> the place."""
        return {self.place_name(place): place for place in (*self.army_to, *self.fleet_to)}

    @functools.cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """Province -> every province that borders it, for whatever unit, in alphabetical order."""
        near: dict[str, set[str]] = {code: set() for code in self.provinces}
        for a, b in self.borders:
            near[a].add(b)
            near[b].add(a)
        return {code: tuple(sorted(to)) for code, to in near.items()}

    @functools.cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """The board as a networkx graph: places as nodes (`STP/NC` beside `STP`), an edge per border and unit kind.

        Nodes carry `province`, `kind` and `centre`; edges have the key `army` or `fleet`.
        """
        import networkx as nx

        graph: nx.MultiGraph[str] = nx.MultiGraph(name=self.name)
        for place in sorted({*self.army_to, *self.fleet_to}):
            province = self.provinces[place.partition("/")[0]]
            graph.add_node(place, province=province.id, kind=province.kind, centre=province.centre)
        for one, tos in sorted(self.army_to.items()):
            for two in sorted(tos):
                if one < two:
                    graph.add_edge(one, two, "army")
        for one, fleets in sorted(self.fleet_to.items()):
            for two in sorted(place for places in fleets.values() for place in places):
                if one < two:
                    graph.add_edge(one, two, "fleet")
        return graph


def _reach(
    provinces: Mapping[str, Province], borders: BordersData
) -> tuple[dict[str, frozenset[str]], dict[str, dict[str, tuple[str, ...]]]]:
    army: dict[str, set[str]] = {code: set() for code, p in provinces.items() if p.kind != "sea"}
    fleet: dict[str, dict[str, list[str]]] = {}
    for code, province in provinces.items():
        if province.kind != "inland":
            for place in [f"{code}/{coast}" for coast in province.coasts] or [code]:
                fleet[place] = {}
    for pairs, walks, sails in ((borders.army, 1, 0), (borders.fleet, 0, 1), (borders.both, 1, 1)):
        for pair in sorted(pairs):
            one, two = pair.split()
            for here, there in ((one, two), (two, one)):
                if walks:
                    army[here].add(there)
                if sails:
                    fleet[here].setdefault(there.partition("/")[0], []).append(there)
    return (
        {code: frozenset(to) for code, to in army.items()},
        {place: {to: tuple(sorted(places)) for to, places in sorted(tos.items())} for place, tos in fleet.items()},
    )


def _faults(data: BoardData, text: Text | None) -> list[Problem]:
    """What makes a board unusable: names that do not exist, armies at sea, fleets inland, one border twice."""
    found: list[Problem] = []

    def fault(place: tuple[str | int, ...], what: str, right: str = "") -> None:
        found.append(text.problem(place, what, right) if text else Problem(f"board {data.name}", 0, 0, what, right))

    for key in ("provinces", "borders", "powers", "starts", "victory"):
        if not getattr(data, key):
            fault((), f"{key!r} is missing or empty", "add it, or name the board this one extends")
    if found or data.provinces is None or data.borders is None or data.powers is None:
        return found
    places = {code: p for code, p in data.provinces.items() if not p.coasts}
    places |= {f"{code}/{coast}": p for code, p in data.provinces.items() for coast in p.coasts}
    for code, province in data.provinces.items():
        if province.home is not None and province.home not in data.powers:
            fault(("provinces", code, "home"), f"no power {province.home!r}", nearest(province.home, data.powers))
        if province.coasts and province.kind != "coast":
            fault(("provinces", code, "coasts"), f"{code} is {province.kind} but has coasts", "only a coast has them")
    seen: dict[tuple[str, str], str] = {}
    for group in ("army", "fleet", "both"):
        for index, pair in enumerate(getattr(data.borders, group)):
            where = ("borders", group, index)
            ends = pair.split()
            if len(ends) != 2 or ends[0] == ends[1]:
                fault(where, f"{pair!r} is not a border", "write two places, as in BER MUN")
                continue
            for end in ends:
                known = places if group == "fleet" else data.provinces
                if end not in known or (group == "both" and end not in places):
                    fault(where, f"no place {end!r} for a {group} border", nearest(end, known))
                elif group != "army" and places[end].kind == "inland":
                    fault(where, f"a fleet cannot reach {end}", "move the border to army")
                elif group != "fleet" and data.provinces[end].kind == "sea":
                    fault(where, f"an army cannot walk to {end}", "move the border to fleet")
            edge = (min(ends), max(ends))
            if edge in seen and {seen[edge], group} != {"army", "fleet"}:
                fault(where, f"the border {pair} stands twice", "keep one")
            seen[edge] = group
    stands: set[str] = set()
    for power, about in data.powers.items():
        for index, unit in enumerate(about.units):
            kind, _, place = unit.partition(" ")
            code = place.partition("/")[0]
            spot = ("powers", power, "units", index)
            legal = place in places and (
                (kind == "A" and places[place].kind != "sea") or (kind == "F" and places[place].kind != "inland")
            )
            if not (legal or (kind == "A" and place in data.provinces and data.provinces[place].kind == "coast")):
                fault(spot, f"{unit!r} cannot stand there", "write A or F and a place, as in F STP/SC")
            if code in stands:
                fault(spot, f"two units start in {code}", "one province holds one unit")
            stands.add(code)
    return found


@functools.cache
def load_board(folder: Path) -> Board:
    """The board in `folder` (its `board.yaml`), with the board it extends filled in; raises `Problems`."""
    from dataclasses import replace

    path = folder / "board.yaml"
    try:
        source = path.read_bytes()
    except OSError as error:
        names = sorted(p.name for p in folder.parent.glob("*") if (p / "board.yaml").is_file())
        right = nearest(folder.name, names) or "boards here: " + (", ".join(names) or "none")
        raise Problems([Problem(str(path), 0, 0, f"the board cannot be read ({error.strerror})", right)]) from None
    data = load(BoardData, source, str(path), own=True)
    if data.extends is None:
        return Board(data, folder, read(source, str(path), limit=len(source)))
    base_path = folder.parent / data.extends / "board.yaml"
    base = load(BoardData, base_path.read_bytes(), str(base_path), own=True)
    powers = {**(base.powers or {}), **(data.powers or {})}
    filled = replace(
        data,
        provinces={**(base.provinces or {}), **(data.provinces or {})},
        borders=data.borders or base.borders,
        powers=powers,
        starts=data.starts or base.starts,
        victory=data.victory or base.victory,
    )
    return Board(filled, base_path.parent if not (folder / "outlines.yaml").is_file() else folder)


def outlines_path(board: Board) -> Path:
    """Where the board's drawn shapes are stored."""
    return board.folder / "outlines.yaml"
