"""A board's shapes, read from `outlines.yaml` or laid out from its borders."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import load, record
from adjudicator.core.text.problems import problem

Point = tuple[int, int]


@record
class Shape:
    """A province's outline (an SVG path of integers), and the positions of its label, unit and centre mark."""

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
    """A sign on the border between two provinces, for facts that a line cannot show."""

    kind: Literal["link", "ridge", "water", "one-way", "nobody"]
    path: str
    """Any SVG path."""
    between: tuple[str, str] | None = None
    """The provinces on either side of it; a one-way sign leads from the first to the second."""
    ends: tuple[Point, ...] = ()
    title: str = ""
    """Its meaning in words."""


@record
class Outlines:
    """`outlines.yaml`: the size of the picture in its units, and every shape in it."""

    size: Point
    provinces: Mapping[str, Shape]
    neutral: tuple[Neutral, ...] = ()
    crossings: tuple[tuple[str, str, int, int, int, int], ...] = ()
    signs: tuple[Sign, ...] = ()

    def anchor(self, place: str) -> Point:
        """Position of a unit in `place` (`STP/SC`)."""
        province, _, coast = place.partition("/")
        shape = self.provinces[province]
        return (shape.coasts or {}).get(coast, shape.unit)


@functools.cache
def load_outlines(path: str) -> Outlines:
    """Load the outlines in the file at `path`; raises `Problems`."""
    try:
        source = read_own(Path(path))
    except OSError as error:
        raise problem(path, f"the board's shapes cannot be read ({error.strerror})", "restore outlines.yaml") from None
    return load(Outlines, source, path, own=True)


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
    """Name of each shape out of play that does not touch the picture's edge -> codes of the provinces that share a side with it."""
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
    """Sides of the shapes in `paths` that are not sides of `others`, as a path of open lines with each side once."""
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
    """The straight sides of a shape in order."""
    for ring in rings(path):
        yield from (side for side in itertools.pairwise([*ring, ring[0]]) if side[0] != side[1])


def inside(point: tuple[float, float], shape: list[list[Point]]) -> bool:
    """True if a point is inside a shape (even-odd rule)."""
    x, y = point
    within = False
    for ring in shape:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                within = not within
    return within


@functools.lru_cache(maxsize=4096)
def border_on(path: str, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Fraction (0 to 1) of the way between two points where it first meets a shape's outline; 1 if it never does."""
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
