"""A board's shapes, read from `outlines.yaml` or laid out from its borders."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal, assert_never

from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import load, record
from adjudicator.core.text.problems import problem
from adjudicator.render.scenes import Drawn, Ground, Tiles

Point = tuple[int, int]


@record
class Shape:
    """A province's outline (an SVG path of integers) and where its label, unit and centre mark go."""

    path: str
    label: Point
    unit: Point
    centre: Point | None = None
    coasts: Mapping[str, Point] | None = None


@record
class Neutral:
    """A shape that is not in play."""

    name: str
    path: str


@record
class Sign:
    """What a line between two provinces does not say by itself, drawn over it."""

    kind: Literal["link", "ridge", "water", "one-way", "nobody"]
    path: str
    """Any SVG path."""
    between: tuple[str, str] | None = None
    """The provinces it stands between; for one way, from the first to the second."""
    ends: tuple[Point, ...] = ()
    title: str = ""
    """What it says, in words."""


@record
class Outlines:
    """`outlines.yaml`: the size of the picture in its own units, and every shape in it."""

    size: Point
    provinces: Mapping[str, Shape]
    neutral: tuple[Neutral, ...] = ()
    crossings: tuple[tuple[str, str, int, int, int, int], ...] = ()
    signs: tuple[Sign, ...] = ()

    def anchor(self, place: str) -> Point:
        """Where a unit in `place` (`STP/SC`) is drawn."""
        province, _, coast = place.partition("/")
        shape = self.provinces[province]
        return (shape.coasts or {}).get(coast, shape.unit)


@functools.cache
def load_outlines(path: str) -> Outlines:
    """The outlines in the file at `path`; raises `Problems`."""
    try:
        source = read_own(Path(path))
    except OSError as error:
        raise problem(path, f"the board's shapes cannot be read ({error.strerror})", "restore outlines.yaml") from None
    return load(Outlines, source, path, own=True)


def outlines_of(ground: Ground) -> Outlines:
    """The shapes of a board: from the file at a path, from a host's own file, or laid out from its borders."""
    match ground:
        case str():
            return load_outlines(ground)
        case Drawn():
            return _load_drawn(ground)
        case Tiles():
            return _lay_out(ground)
        case _:
            assert_never(ground)


def _load_drawn(drawn: Drawn) -> Outlines:
    """A host's shapes, which were found sound before the game was opened."""
    from adjudicator.render.own_outlines import load_own  # it checks these shapes, and so knows this module

    return load_own(drawn)


@functools.lru_cache(maxsize=16)
def _lay_out(tiles: Tiles) -> Outlines:
    """The layout of tiles, made once: networkx is slow to import, and few pictures need it."""
    from adjudicator.render.layout import lay_out

    return lay_out(tiles)


PATH_PARTS = re.compile(r"[Mlz]|-?\d+")


def rings(path: str) -> list[list[Point]]:
    """The closed rings of a path made of M (absolute), l (relative) and z."""
    closed: list[list[Point]] = []
    command = ""
    numbers: list[int] = []
    for part in PATH_PARTS.findall(path):
        if part in "Mlz":
            command = part
            continue
        numbers.append(int(part))
        if len(numbers) == 2:
            x, y = numbers
            numbers = []
            if command == "M":
                closed.append([(x, y)])
            else:
                last = closed[-1][-1]
                closed[-1].append((last[0] + x, last[1] + y))
    return closed


def nobodys(outlines: Outlines) -> Mapping[str, tuple[str, ...]]:
    """Name of a shape inside the picture that is not in play -> the codes of the provinces around it, which share a side with it."""
    sides = {code: {frozenset(side) for side in _sides(shape.path)} for code, shape in outlines.provinces.items()}
    around: dict[str, tuple[str, ...]] = {}
    for shape in outlines.neutral:
        own = {frozenset(side) for side in _sides(shape.path)}
        inner = all(
            0 < x < outlines.size[0] and 0 < y < outlines.size[1] for ring in rings(shape.path) for x, y in ring
        )
        if inner and (codes := tuple(code for code in sides if sides[code] & own)):
            around[shape.name] = codes
    return around


def lines_apart(paths: Iterable[str], others: Iterable[str]) -> str:
    """The sides of shapes that are sides of no other shapes, as a path of open lines in which each is once."""
    drawn = {frozenset(side) for path in others for side in _sides(path)}
    written = []
    pen: Point | None = None
    for side in itertools.chain.from_iterable(map(_sides, paths)):
        if frozenset(side) in drawn:
            continue
        drawn.add(frozenset(side))
        (x, y), (u, v) = side
        written.append(f" {u - x} {v - y}" if pen == (x, y) else f"M{x} {y}l{u - x} {v - y}")
        pen = (u, v)
    return "".join(written).replace(" -", "-")


def _sides(path: str) -> Iterator[tuple[Point, Point]]:
    """The straight sides of a shape, one after the other."""
    for ring in rings(path):
        yield from (side for side in itertools.pairwise([*ring, ring[0]]) if side[0] != side[1])


def inside(point: tuple[float, float], shape: list[list[Point]]) -> bool:
    """Whether a point lies inside a shape (even-odd rule)."""
    x, y = point
    within = False
    for ring in shape:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                within = not within
    return within


@functools.lru_cache(maxsize=4096)
def border_on(path: str, start: tuple[float, float], end: tuple[float, float]) -> float:
    """The part of the way from a point to another after which a shape first begins; all of it if it never does."""
    (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    first = 1.0
    for ring in rings(path):
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            ex, ey = x2 - x1, y2 - y1
            turn = dx * ey - dy * ex
            if turn:
                along = ((x1 - x) * ey - (y1 - y) * ex) / turn
                across = ((x1 - x) * dy - (y1 - y) * dx) / turn
                if 0 <= across <= 1 and 0 < along < first:
                    first = along
    return first


Box = tuple[float, float, float, float]
