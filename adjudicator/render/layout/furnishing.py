"""Find space in a shape for its contents: the unit, the name, the centre's mark, fleets on coasts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from adjudicator.render.layout.lines import distance
from adjudicator.render.outlines import Point
from adjudicator.render.scenes import Tile

STEP = 4
"""Side of the squares that a shape is divided into, to find space for units and names."""
UNIT = (56, 44)
"""Space for a unit, large enough for narrow pictures, where units are larger."""
COAST = (52, 40)
"""Space for a fleet on a named coast."""
MARK = (26, 26)
"""Space for a centre's mark."""
LETTER = 0.6 * 16
"""The width of a letter of a name."""
LINE = 18
"""The height of a line of a name."""

Mask = list[int]
"""Rows of squares, from the top; the lowest bit is the leftmost square."""

Arrangement = tuple[Point, Point, Point | None, dict[str, Point]]
"""Positions of the unit, the label, the centre's mark and the coasts' fleets."""


@dataclass(frozen=True, slots=True)
class Text:
    """Size of a label in squares, and the distance from its top to its last baseline in the picture's units."""

    wide: int
    high: int
    line: int


def texts_for(tile: Tile) -> list[Text]:
    """Possible labels: the name on one line, on two, or only the code."""
    code = len(tile.code) * 17 + 6
    words = tile.name.split(" ")
    two = min((max(len(" ".join(words[:n])), len(" ".join(words[n:]))) for n in range(1, len(words))), default=0)
    sizes = [(len(tile.name) * LETTER, 1)] + ([(two * LETTER, 2)] if two else [])
    texts = [Text(squares(max(wide, code)), squares(lines * LINE + 6), lines * LINE + 1) for wide, lines in sizes]
    return [*texts, Text(squares(code), squares(26), 22)]


def squares(length: float) -> int:
    """Number of squares that cover this length."""
    return -int(-length // STEP)


class Grid:
    """The squares that are wholly inside a shape."""

    def __init__(self, rings: list[list[Point]]) -> None:
        xs = [x for ring in rings for x, _ in ring]
        ys = [y for ring in rings for _, y in ring]
        self.left, self.top = min(xs), min(ys)
        self.wide = (max(xs) - self.left) // STEP + 1
        self.high = (max(ys) - self.top) // STEP + 1
        crossings: list[list[float]] = [[] for _ in range(self.high)]
        edge = [0] * self.high
        for ring in rings:
            for (x, y), (x2, y2) in pairwise([*ring, ring[0]]):
                self.add_crossings(x - self.left, y - self.top, x2 - self.left, y2 - self.top, crossings)
                steps = max(abs(x2 - x), abs(y2 - y)) // 3 + 1
                for n in range(steps):
                    px = (x + (x2 - x) * n // steps - self.left) // STEP
                    edge[(y + (y2 - y) * n // steps - self.top) // STEP] |= 1 << px
        self.free: Mask = []
        for row, spots in enumerate(crossings):
            spots.sort()
            bits = 0
            for enters, leaves in zip(spots[::2], spots[1::2], strict=True):
                first, last = int(enters / STEP), int(leaves / STEP)
                bits |= (1 << last + 1) - (1 << first)
            self.free.append(bits & ~edge[row])

    def add_crossings(self, x: int, y: int, x2: int, y2: int, crossings: list[list[float]]) -> None:
        """Record the points where an edge crosses the middle lines of rows."""
        if y == y2:
            return
        if y > y2:
            x, y, x2, y2 = x2, y2, x, y
        first = -((STEP // 2 - y) // STEP)
        row = max(first, 0)
        while row < self.high and row * STEP + STEP // 2 < y2:
            middle = row * STEP + STEP // 2
            if middle >= y:
                crossings[row].append(x + (x2 - x) * (middle - y) / (y2 - y))
            row += 1

    def fits(self, free: Mask, wide: int, high: int) -> Mask:
        """Where the upper left square of a box can be, if `free` are the squares that the box may cover."""
        rows, have = free, 1
        while have < wide:
            step = min(have, wide - have)
            rows = [row & (row >> step) for row in rows]
            have += step
        have = 1
        while have < high:
            step = min(have, high - have)
            rows = [upper & lower for upper, lower in zip(rows, rows[step:], strict=False)]
            have += step
        return rows + [0] * (self.high - len(rows))

    def shift(self, mask: Mask, dx: int, dy: int) -> Mask:
        """A mask moved by `dx` squares to the left and `dy` up."""
        rows = mask[dy:] + [0] * dy if dy >= 0 else [0] * -dy + mask[:dy]
        rows = (rows + [0] * self.high)[: self.high]
        return [row >> dx if dx >= 0 else row << -dx for row in rows]

    def deepest(self, mask: Mask) -> tuple[int, int] | None:
        """The square of a mask that is farthest from the mask's edges."""
        if not any(mask):
            return None
        while True:
            padded = [0, *mask, 0]
            inner = [a & b & c & (b >> 1) & (b << 1) for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
            if not any(inner):
                break
            mask = inner
        spots = [(x, y) for y, row in enumerate(mask) for x in bits_of(row)]
        mx, my = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        return min(spots, key=lambda s: ((s[0] - mx) * (s[0] - mx) + (s[1] - my) * (s[1] - my), s))

    def without(self, free: Mask, x: int, y: int, wide: int, high: int) -> Mask:
        """A mask without a box."""
        bits = (1 << max(x + wide, 0)) - (1 << max(x, 0))
        return [row & ~bits if y <= level < y + high else row for level, row in enumerate(free)]

    def arrange(self, text: Text, shores: dict[str, list[Point]], *, mark: bool) -> Arrangement | None:
        """Points for all contents of a shape, clear of each other and of its edge; None if they do not fit."""
        wide, high = squares(UNIT[0]), squares(UNIT[1])
        narrow, tall = squares(MARK[0]), squares(MARK[1])
        units = self.fits(self.free, wide, high)
        labels = self.fits(self.free, text.wide, text.high)
        marks = self.fits(self.free, narrow, tall) if mark else []
        aside = (wide - text.wide) // 2
        best = None
        for below in (True, False):
            label = (aside, high if below else -text.high)
            both = [a & b for a, b in zip(units, self.shift(labels, *label), strict=True)]
            if not any(both):
                continue
            beside = [
                (wide, (high - tall) // 2),
                (-narrow, (high - tall) // 2),
                ((wide - narrow) // 2, -tall if below else high),
            ]
            for spot in beside if mark else [None]:
                every = both
                if spot is not None:
                    every = [a & b for a, b in zip(both, self.shift(marks, *spot), strict=True)]
                square = self.deepest(every)
                if square is not None:
                    best = square, label, spot
                    break
            if best is not None:
                break
        if best is None:
            return None
        (x, y), label, spot = best
        boxes = [(x, y, wide, high), (x + label[0], y + label[1], text.wide, text.high)]
        if spot is not None:
            boxes.append((x + spot[0], y + spot[1], narrow, tall))
        free = self.free
        for box in boxes:
            free = self.without(free, *box)
        coasts = self.coast_points(free, shores)
        if coasts is None:
            return None
        return self.as_points(boxes, text, coasts)

    def scatter(self, text: Text, shores: dict[str, list[Point]], *, mark: bool) -> Arrangement | None:
        """Like `arrange`, but the label and the mark may be anywhere, as near to the unit as space allows."""
        boxes: list[tuple[int, int, int, int]] = []
        free = self.free
        for wide, high in (UNIT, (text.wide * STEP, text.high * STEP), *([MARK] if mark else [])):
            box = squares(wide), squares(high)
            room = self.fits(free, *box)
            if boxes:
                x, y, *_ = boxes[0]
                spots = ((a, b) for b, row in enumerate(room) for a in bits_of(row))
                spot = min(spots, key=lambda s: ((s[0] - x) * (s[0] - x) + (s[1] - y) * (s[1] - y), s), default=None)
            else:
                spot = self.deepest(room)
            if spot is None:
                return None
            boxes.append((*spot, *box))
            free = self.without(free, *boxes[-1])
        coasts = self.coast_points(free, shores)
        return self.as_points(boxes, text, coasts) if coasts is not None else None

    def as_points(self, boxes: list[tuple[int, int, int, int]], text: Text, coasts: dict[str, Point]) -> Arrangement:
        """Convert boxes of squares (the unit, the label, perhaps the mark) to points on the picture."""
        x, y, wide, _ = boxes[1]
        label = self.left + round((x + wide / 2) * STEP), self.top + y * STEP + text.line
        return self.middle(*boxes[0]), label, self.middle(*boxes[2]) if len(boxes) > 2 else None, coasts

    def coast_points(self, free: Mask, shores: dict[str, list[Point]]) -> dict[str, Point] | None:
        """Points for fleets on coasts, as near to the coasts as space allows; None if one does not fit."""
        wide, high = squares(COAST[0]), squares(COAST[1])
        chosen = {}
        for coast, shore in shores.items():
            spots = [(x, y) for y, row in enumerate(self.fits(free, wide, high)) for x in bits_of(row)]
            if not spots:
                return None
            points = shore[:: max(len(shore) // 12, 1)]
            middles = {spot: self.middle(*spot, wide, high) for spot in spots}

            def away(
                spot: tuple[int, int], points: list[Point] = points, middles: dict[tuple[int, int], Point] = middles
            ) -> tuple[float, tuple[int, int]]:
                gaps = sorted(distance(middles[spot], point) for point in points)
                return gaps[0] + gaps[len(gaps) // 2], spot

            best = min(spots, key=away)
            chosen[coast] = middles[best]
            free = self.without(free, *best, wide, high)
        return chosen

    def cram(self, shores: dict[str, list[Point]], middle: Point) -> Arrangement:
        """Like `arrange` for a shape that is too small: place each thing as well as possible. `middle` is for a unit that fits nowhere."""
        wide, high = squares(UNIT[0]), squares(UNIT[1])
        while wide > 1 and not any(self.fits(self.free, wide, high)):
            wide, high = wide - 1, max(high - 1, 1)
        spot = self.deepest(self.fits(self.free, wide, high))
        unit = self.middle(*spot, wide, high) if spot is not None else middle
        x, y = unit
        coasts = self.coast_points(self.free, shores) or dict.fromkeys(shores, unit)
        return unit, (x, y + 36), (x + 34, y - 20), coasts

    def middle(self, x: int, y: int, wide: int, high: int) -> Point:
        """Middle of a box on the picture."""
        return self.left + round((x + wide / 2) * STEP), self.top + round((y + high / 2) * STEP)


def bits_of(row: int) -> Iterator[int]:
    """Positions of a row's ones, from the lowest."""
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def furnish(
    tile: Tile, rings: list[list[Point]], shores: dict[str, list[Point]], middle: Point
) -> tuple[Arrangement, bool]:
    """Points for the contents of a province of this shape, and True if all of them fit."""
    grid = Grid(rings)
    *longer, code = texts_for(tile)
    for text in (*longer, code):
        arrangement = grid.arrange(text, shores, mark=tile.centre)
        if arrangement is not None:
            return arrangement, True
    arrangement = grid.scatter(code, shores, mark=tile.centre)
    return (arrangement, True) if arrangement is not None else (grid.cram(shores, middle), False)
