"""A board's shapes, read from `outlines.yaml` or laid out from its borders, and where its names fit."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, assert_never

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
        source = Path(path).read_bytes()
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


def inside(point: tuple[float, float], shape: list[list[Point]]) -> bool:
    """Whether a point lies inside a shape (even-odd rule)."""
    x, y = point
    within = False
    for ring in shape:
        for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                within = not within
    return within


NAME_SIZE = 16
LETTER = 0.6
"""Width of an average letter of a semi-bold sans serif, in font sizes; a little too wide, so that names fit."""

Box = tuple[float, float, float, float]


@functools.lru_cache(maxsize=64)
def names_that_fit(ground: Ground, names: tuple[tuple[str, str], ...]) -> dict[str, tuple[int, int, tuple[str, ...]]]:
    """Region -> baseline middle of the first line, and the lines, for each name that fits into its region.

    A name fits, on one line or two, if its box lies inside the region's outline and touches no token, centre mark or
    label of any region. Regions whose names do not fit show their code alone.
    """
    outlines = outlines_of(ground)
    taken: dict[str, list[Box]] = {}
    for code, shape in outlines.provinces.items():
        boxes = [_box(anchor, 48, 36) for anchor in (shape.unit, *(shape.coasts or {}).values())]
        if shape.centre:
            boxes.append(_box(shape.centre, 22, 22))
        taken[code] = boxes
    fits: dict[str, tuple[int, int, tuple[str, ...]]] = {}
    for code, name in names:
        shape = outlines.provinces[code]
        ring = rings(shape.path)
        x, y = shape.label
        # A name of this length is never moved far enough to meet what lies outside of this window.
        wide, high = len(name) * NAME_SIZE * LETTER / 2 + 61, NAME_SIZE * 2.2 + 61
        window = (x - wide, y - high, x + wide, y + 94)
        others = [box for boxes in taken.values() for box in boxes if _overlap(box, window)]
        for lines in _splits(name):
            width = max(map(len, lines)) * NAME_SIZE * LETTER
            height = len(lines) * NAME_SIZE * 1.1
            for dx, dy in _SHIFTS:
                bottom = y + dy
                box = (x + dx - width / 2, bottom - height, x + dx + width / 2, bottom + 3)
                if any(_overlap(box, other) for other in others):
                    continue
                if all(inside(corner, ring) for corner in _rim(box)):
                    top = round(bottom - (len(lines) - 1) * NAME_SIZE * 1.1)
                    fits[code] = (round(x + dx), top, lines)
                    break
            if code in fits:
                break
    return fits


_SHIFTS = tuple(
    (dx, dy)
    for dx, dy in sorted(
        ((dx, dy) for dx in range(-60, 61, 6) for dy in range(-60, 91, 6)),
        key=lambda shift: (abs(shift[0]) + 2 * abs(shift[1]), shift),
    )
)


def _splits(name: str) -> list[tuple[str, ...]]:
    words = name.split(" ")
    two = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return [(name,), *sorted(two, key=lambda lines: max(map(len, lines)))[:1]]


def _box(middle: Point, width: float, height: float) -> Box:
    x, y = middle
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _overlap(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _rim(box: Box) -> list[tuple[float, float]]:
    """Points along a box's edge, close enough that no coast slips between."""
    x1, y1, x2, y2 = box
    steps = 6
    across = [x1 + (x2 - x1) * n / steps for n in range(steps + 1)]
    return [(x, y) for x in across for y in (y1, (y1 + y2) / 2, y2)]
