"""Find space on a board for names in their regions, rings beside units, and dislodged units beside their dislodgers."""

from __future__ import annotations

import functools
import itertools
import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from adjudicator.render.ground import outlines_of
from adjudicator.render.outlines import Box, Outlines, Point, Shape, rings
from adjudicator.render.scenes import Ground

NAME_SIZE = 16
LETTER = 0.6
"""Width of an average letter of a semi-bold sans serif, relative to the font size; a little too wide, so that names fit."""
UNIT: tuple[Box, ...] = ((-31, -21, 31, -9), (-27, -9, 27, 20))
"""A unit around its anchor at its largest, a fleet on a phone: deck and hull."""
COVERED = 100
"""Area of a ring's box (400 in all) that a unit may cover; if it covers more, the ring is moved."""
CENTRE = 9
"""Half the width of a supply centre's ring."""
LEADER: Box = (-49, -12, -25, 12)
"""The disc of a leader beside a unit."""
LED = ((52, 15), (65, 15))
"""Reach of a leader's disc beside a unit, across and up, with one letter and with two.

The disc is on the left, or on the right if the unit's sortie would lie under it.
"""
RING = ((CENTRE + 3, CENTRE + 3), (24, 15))
"""Half the size of a ring's space, with one letter and with two; a ring with two letters may be moved aside."""
CROWN = ((14, 13), (17, 13))
"""Half the size of a crown's space, across and down, in pictures where every side has one letter and in others."""
CROWDED, PERCHES, SPARE = 3, 4, 60.0
"""Number of crowns that fit in a region; most spots for them; greatest cost of a spot beyond the first `CROWDED`.

A spare spot helps to keep orders' lines clear.
"""
MARK = ((20, 18), (29, 18))
"""Half the size of a large mark's space, in pictures where every side has one letter and in others; crowns go beside it."""
TAKEN = (8.0, 80.0, 80.0, 80.0, 80.0, 6.0, 0.3)
"""Cost of a crown for each unit of area over units, names, marks, other crowns, the picture's edge, and leaders' discs."""
FAR, OFF = 6.0, 40.0
"""How far from its mark a crown costs as much as a covered unit of area, and the cost for each of its rows off its region."""
REACH = 75
"""Greatest distance of the search for free space from the intended spot."""
CODE: Box = (-28, -21, 28, 2)
"""The box of a region's code around its label's point, in its size on phones."""
ROUND = 38
"""Half the width of a dislodged unit with its ring."""
WEIGHTS, LETTERS, ASHORE = (1.5, 4.0, 1.0), 4000, 1500
"""Costs of a dislodged unit's spot: for each unit of area over units, rings and names; on a name; and outside its region."""
STRIP, STEPS = 16, 6
"""The height of the strips that edges are sorted into, and the number of parts that a stretch is divided into when it is checked."""

Fits = Mapping[str, tuple[int, int, tuple[str, ...]]]


class Land:
    """A region's outline by rows; each row is computed once."""

    def __init__(self, path: str) -> None:
        self.strips: dict[int, list[tuple[int, int, int, int]]] = defaultdict(list)
        """Number of a strip across the picture -> the edges that reach into it; only few of them cross a given row."""
        self.rows: dict[float, list[float]] = {}
        for ring in rings(path):
            for (x1, y1), (x2, y2) in zip(ring, [*ring[1:], ring[0]], strict=True):
                for strip in range(min(y1, y2) // STRIP, max(y1, y2) // STRIP + 1):
                    self.strips[strip].append((x1, y1, x2, y2))

    def row(self, y: float) -> list[float]:
        """Points where a horizontal line crosses the outline, from left to right."""
        if y not in self.rows:
            edges = self.strips.get(int(y // STRIP), ())
            self.rows[y] = sorted(
                (x2 - x1) * (y - y1) / (y2 - y1) + x1 for x1, y1, x2, y2 in edges if (y1 > y) != (y2 > y)
            )
        return self.rows[y]

    def reach(self, y: float) -> float:
        """The length of a row from its first point inside to its last."""
        row = self.row(y)
        return row[-1] - row[0] if row else 0

    def holds(self, left: float, right: float, y: float, *, whole: bool = False) -> bool:
        """True if a horizontal stretch is inside: all of it if `whole`, otherwise closely spaced points on it."""
        row = self.row(y)
        if whole:
            before = bisect_right(row, left)
            return before % 2 == 1 and bisect_right(row, right) == before
        # Check the ends first: most stretches that do not fit end outside.
        if not (bisect_right(row, left) % 2 and bisect_right(row, right) % 2):
            return False
        step = (right - left) / STEPS
        return all(bisect_right(row, left + number * step) % 2 for number in range(1, STEPS))


class Perch(NamedTuple):
    """A crown's position; `ashore` is True if it is on the crown's region."""

    at: Point
    ashore: bool


@dataclass(frozen=True, eq=False)
class Room:
    """Fixed spots for the things in a board's picture."""

    outlines: Outlines
    fits: Fits
    """Region -> middle of the first line's baseline, and the lines, for each name that fits into its region."""
    centres: Mapping[str, Point]
    """Region -> the middle of its supply centre's ring."""

    @property
    def named(self) -> Iterable[str]:
        """Regions that show a name or a code."""
        return self.outlines.provinces

    @property
    def settled(self) -> bool:
        """True if each region shows its name or its code, the same at every width of the picture."""
        return False

    @functools.cached_property
    def names(self) -> tuple[Box, ...]:
        """The boxes of all names and codes."""
        boxes = []
        for code, shape in self.outlines.provinces.items():
            boxes.append(_shifted(CODE, shape.label))
            if code in self.fits:
                left, top, lines = self.fits[code]
                half = max(map(len, lines)) * NAME_SIZE * LETTER / 2
                boxes.append((left - half, top - 14, left + half, top + 4 + (len(lines) - 1) * NAME_SIZE * 1.1))
        return tuple(boxes)

    @functools.cached_property
    def _aside(self) -> dict[str, Point]:
        return {}

    @functools.cached_property
    def _units(self) -> list[Box]:
        return _units(self.outlines)

    @functools.cached_property
    def _wide_names(self) -> list[Box]:
        """The boxes of names in the widest letters that a reader may have."""
        return [(left - 8, top, right + 8, bottom) for left, top, right, bottom in self.names]

    @functools.cached_property
    def _frame(self) -> list[Box]:
        """Boxes of the space around the picture."""
        wide, high = self.outlines.size
        off = 2 * REACH
        sides = [(-off, -off, 2, high + off), (wide - 2, -off, wide + off, high + off)]
        return [*sides, (-off, -off, wide + off, 2), (-off, high - 2, wide + off, high + off)]

    @functools.cached_property
    def _large(self) -> dict[bool, dict[str, Point]]:
        return {}

    def large(self, *, pairs: bool) -> Mapping[str, Point]:
        """Region -> position of its mark if that is larger than a ring: the ring's spot, or one near it."""
        if pairs not in self._large:
            self._large[pairs] = {code: self._search_large(code, pairs=pairs) for code in self.centres}
        return self._large[pairs]

    def _search_large(self, region: str, *, pairs: bool) -> Point:
        shape, meant, size = self.outlines.provinces[region], self.centres[region], MARK[pairs]
        window = _around(meant, REACH + size[0])
        others = [_around(spot, CENTRE + 2) for code, spot in self.centres.items() if code != region]
        discs = zip(*(_discs(spot, pairs=pairs) for spot in _anchors(shape)), strict=True)
        things = (self._units, self._wide_names, others, self._frame, *discs)
        near = _weighed((3, 4, 3, 9, 3, 0.01), things, window)
        return _search_free(Land(shape.path), meant, size, near, (8, 30))[0]

    @functools.cached_property
    def _crowns(self) -> dict[bool, dict[str, tuple[Perch, ...]]]:
        return {}

    def crowns(self, *, pairs: bool) -> Mapping[str, tuple[Perch, ...]]:
        """Region -> possible spots for its crowns, best first. They do not depend on the rest of the picture."""
        if pairs not in self._crowns:
            self._crowns[pairs] = self._search_crowns(pairs=pairs)
        return self._crowns[pairs]

    def _search_crowns(self, *, pairs: bool) -> dict[str, tuple[Perch, ...]]:
        anchors = [spot for shape in self.outlines.provinces.values() for spot in _anchors(shape)]
        leaders = [*zip(*(_discs(spot, pairs=pairs) for spot in anchors), strict=True)]
        size, large = CROWN[pairs], self.large(pairs=pairs)
        # A mark may be large in one turn and small in another: both spots are kept free.
        marks = [_around(spot, *MARK[pairs]) for spot in large.values()]
        marks += [_around(spot, *RING[pairs]) for spot in self.centres.values()]
        crowns: list[Box] = []
        perches: dict[str, tuple[Perch, ...]] = {}
        for code, meant in large.items():
            land = Land(self.outlines.provinces[code].path)
            window = _around(meant, REACH + size[0])
            things = (self._units, self._wide_names, marks, crowns, self._frame, *leaders)
            near = _weighed(TAKEN, things, window)
            for number in range(PERCHES):
                spot, costs = _search_free(land, meant, size, near, (FAR, OFF))
                if number >= CROWDED and costs > SPARE:
                    break
                box = _around(spot, *size)
                near.append((TAKEN[3], box))
                crowns.append(box)
                perches[code] = (*perches.get(code, ()), Perch(spot, land.holds(spot[0], spot[0], spot[1])))
        return perches

    def beside(self, place: str) -> Point:
        """Position of a unit dislodged from `place`: beside its attacker, where it covers least."""
        if place not in self._aside:
            self._aside[place] = self._search_beside(place)
        return self._aside[place]

    def _search_beside(self, place: str) -> Point:
        x, y = self.outlines.anchor(place)
        land = Land(self.outlines.provinces[place.partition("/")[0]].path)
        units = _units(self.outlines)
        marks = [_around(spot, CENTRE + 1) for spot in self.centres.values()]
        wide, high = self.outlines.size
        window = _around((x, y), 150)
        near = [[box for box in boxes if _overlap(box, window)] for boxes in (units, marks, [*self.names])]

        def cost(spot: Point) -> float:
            box = _around(spot, ROUND)
            shared = sum(w * _shared(box, other) for w, boxes in zip(WEIGHTS, near, strict=True) for other in boxes)
            # Its ring may pass under a name, but its letter must not lie on one.
            letter = _around(spot, 14, 12)
            shared += LETTERS * sum(_overlap(letter, name) for name in near[2])
            outside = 0 if ROUND <= spot[0] <= wide - ROUND and ROUND <= spot[1] <= high - ROUND else 9999
            return shared + outside + (0 if land.holds(spot[0] - 12, spot[0] + 12, spot[1]) else ASHORE)

        # In circles, starting below on the right, where space is free most often.
        spots = [
            (round(x + across * math.cos(turn)), round(y + down * math.sin(turn)))
            for across, down in ((58, 48), (66, 56), (84, 72))
            for turn in (math.radians(30 + 20 * step) for step in range(18))
        ]
        return min(spots, key=cost)


@functools.lru_cache(maxsize=64)
def room_of(ground: Ground, names: tuple[tuple[str, str], ...]) -> Room:
    """The `Room` of a board whose regions have these names, computed once."""
    outlines = outlines_of(ground)
    lands = {code: Land(shape.path) for code, shape in outlines.provinces.items()}
    centres = _centres(outlines, lands)
    return Room(outlines, _fits(outlines, lands, centres, names), centres)


def _centres(outlines: Outlines, lands: Mapping[str, Land]) -> dict[str, Point]:
    """Positions of rings: the board's, or one beside the unit if the unit would cover the ring."""
    units = _units(outlines)
    labels = [_shifted(CODE, shape.label) for shape in outlines.provinces.values()]
    spots = {code: shape.centre for code, shape in outlines.provinces.items() if shape.centre is not None}
    for code, spot in spots.items():
        ring = _around(spot, CENTRE + 1)
        if sum(_shared(ring, unit) for unit in units if _overlap(ring, unit)) > COVERED:
            others = [_around(other, CENTRE + 2) for region, other in spots.items() if region != code]
            spots[code] = _search_centre(outlines.provinces[code], spot, lands[code], (units, labels, others))
    return spots


def _search_centre(shape: Shape, meant: Point, land: Land, things: tuple[list[Box], list[Box], list[Box]]) -> Point:
    """A ring's best spot near its unit: clear of units, labels and rings, if possible on the ring's land."""
    window = _around(shape.unit, 80)
    units, labels, others = ([box for box in boxes if _overlap(box, window)] for boxes in things)
    leader = _shifted(LEADER, shape.unit)

    def cost(spot: Point) -> float:
        ring = _around(spot, CENTRE + 1)
        shared = sum(_shared(ring, unit) for unit in units) * 3
        shared += sum(_shared(ring, box) for box in (*labels, *others)) * 2
        out = sum(
            not land.holds(spot[0] - half, spot[0] + half, spot[1] + dy) for dy, half in ((-7, 6), (0, 9), (7, 6))
        )
        return shared + 30 * out + _shared(ring, leader) / 300 + math.dist(spot, meant) / 8

    x, y = shape.unit
    best, least = meant, cost(meant)
    spots = ((x + dx, y + dy) for dx in range(-54, 55, 6) for dy in range(-42, 43, 6))
    for away, spot in sorted((math.dist(spot, meant), spot) for spot in spots):
        if away / 8 >= least:
            break  # all further spots are farther away, and so not better
        if (costs := cost(spot)) < least:
            best, least = spot, costs
    return best


def _weighed(weights: Iterable[float], kinds: Iterable[Iterable[Box]], window: Box) -> list[tuple[float, Box]]:
    """Boxes that overlap a window, each with the cost of covering it."""
    return [
        (weight, box) for weight, boxes in zip(weights, kinds, strict=True) for box in boxes if _overlap(box, window)
    ]


_AROUND = sorted(
    (math.hypot(dx, dy), dx, dy) for dx in range(-REACH, REACH + 1, 5) for dy in range(-REACH, REACH + 1, 5)
)


def _search_free(
    land: Land, meant: Point, size: tuple[float, float], things: list[tuple[float, Box]], price: tuple[float, float]
) -> tuple[Point, float]:
    """The cheapest spot near the intended one for a box, and its cost.

    `price` is the distance that costs as much as a unit of area, and the cost of each row off the land (such as `FAR, OFF`).
    """
    far, off = price
    wide, high = size
    x, y = meant
    best, least = meant, math.inf
    for away, dx, dy in _AROUND:
        costs = away / far
        if costs >= least:
            break  # all further spots are farther away, and so not better
        left, top, right, bottom = x + dx - wide, y + dy - high, x + dx + wide, y + dy + high
        for weight, (left2, top2, right2, bottom2) in things:
            if left < right2 and left2 < right and top < bottom2 and top2 < bottom:
                costs += weight * (min(right, right2) - max(left, left2)) * (min(bottom, bottom2) - max(top, top2))
                if costs >= least:
                    break
        else:
            for row in (top + high * 0.3, y + dy, bottom - high * 0.3):
                costs += 0 if land.holds(left + wide * 0.2, right - wide * 0.2, row) else off
            if costs < least:
                best, least = (x + dx, y + dy), costs
    return best, least


def _fits(
    outlines: Outlines, lands: Mapping[str, Land], centres: Mapping[str, Point], names: Iterable[tuple[str, str]]
) -> Fits:
    """Names that fit: the box of each is inside its region and touches no token or ring of any region."""
    taken: list[Box] = []
    for code, shape in outlines.provinces.items():
        taken += [_around(anchor, 24, 18) for anchor in _anchors(shape)]
        taken += [_around(centres[code], 11)] if code in centres else []
    fits: dict[str, tuple[int, int, tuple[str, ...]]] = {}
    for code, name in names:
        x, y = outlines.provinces[code].label
        # A name of this length is never moved so far that it leaves this window.
        wide, high = len(name) * NAME_SIZE * LETTER / 2 + 61, NAME_SIZE * 2.2 + 61
        window = (x - wide, y - high, x + wide, y + 94)
        others = [box for box in taken if _overlap(box, window)]
        sampled = {
            lines: spot
            for lines in _splits(name)
            if (spot := _spot_for(lands[code], (x, y), lines, others, whole=False)) is not None
        }
        # Two lines are better than one that crosses a border between the checked points.
        clear = ((_spot_for(lands[code], (x, y), lines, others, whole=True), lines) for lines in sampled)
        for spot, lines in itertools.chain(clear, ((spot, lines) for lines, spot in sampled.items())):
            if spot is not None:
                fits[code] = (spot[0], round(spot[1] - (len(lines) - 1) * NAME_SIZE * 1.1), lines)
                break
    return fits


def _spot_for(land: Land, label: Point, lines: tuple[str, ...], others: Iterable[Box], *, whole: bool) -> Point | None:
    """Middle of the last line's baseline: the spot nearest to the label where all lines fit."""
    half, high = max(map(len, lines)) * NAME_SIZE * LETTER / 2, len(lines) * NAME_SIZE * 1.1
    x, y = label
    rows: dict[int, tuple[float, float, float] | None] = {}
    for dx, dy in _SHIFTS:
        if dy not in rows:
            heights = (y + dy + 3, y + dy - high, y + dy + (3 - high) / 2)
            rows[dy] = heights if all(land.reach(row) >= 2 * half for row in heights) else None
        if (heights_there := rows[dy]) is not None:
            left, right = x + dx - half, x + dx + half
            box = (left, y + dy - high, right, y + dy + 3)
            if all(land.holds(left, right, row, whole=whole) for row in heights_there) and not any(
                _overlap(box, other) for other in others
            ):
                return (x + dx, y + dy)
    return None


_ACROSS, _DOWN = range(-60, 61, 6), range(-60, 91, 6)
_SHIFTS = sorted(
    ((dx, dy) for dx in _ACROSS for dy in _DOWN), key=lambda shift: (abs(shift[0]) + 2 * abs(shift[1]), shift)
)


def _splits(name: str) -> list[tuple[str, ...]]:
    words = name.split(" ")
    two = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    return [(name,), *sorted(two, key=lambda lines: max(map(len, lines)))[:1]]


def _anchors(shape: Shape) -> tuple[Point, ...]:
    """Positions of units in a region."""
    return (shape.unit, *(shape.coasts or {}).values())


def _units(outlines: Outlines) -> list[Box]:
    """The boxes of all possible units on a board."""
    spots = [anchor for shape in outlines.provinces.values() for anchor in _anchors(shape)]
    return [_shifted(part, spot) for spot in spots for part in UNIT]


def _discs(anchor: Point, *, pairs: bool) -> tuple[Box, Box]:
    """The boxes of a leader's disc to the left and to the right of a unit."""
    (x, y), (far, high) = anchor, LED[pairs]
    return (x - far, y - high, x - 25, y + high), (x + 25, y - high, x + far, y + high)


def _around(middle: Point, wide: float, high: float | None = None) -> Box:
    """The box that reaches `wide` and `high` from its middle; a square without `high`."""
    x, y = middle
    down = wide if high is None else high
    return (x - wide, y - down, x + wide, y + down)


def _shifted(box: Box, by: Point) -> Box:
    return (box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1])


def _overlap(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]


def _shared(box: Box, other: Box) -> float:
    """The area that two boxes share."""
    across, down = min(box[2], other[2]) - max(box[0], other[0]), min(box[3], other[3]) - max(box[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0
