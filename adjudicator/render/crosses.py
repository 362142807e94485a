"""Place crosses beside the lines that they cross out, clear of other lines and, if possible, of units and names."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from adjudicator.render.geometry import Vector
from adjudicator.render.outlines import Box

SIZE = 7
"""Half the width of a cross."""
CLEAR = 15.5
"""Least distance of a cross's middle from a line, so that its strokes do not touch the line."""
BESIDE = (16, 21, 28)
"""Distances of a cross from its line, best first."""
FARTHER, FAR = (36, 45), 59.0
"""Larger distances, used only to keep off another line, and their cost, which is a little less than `LINE`."""
STEP, MOST = 9, 24
"""Distance between spots along a line, and the greatest number of them."""
LINE, NEARER, COVER = 60.0, 8.0, 0.12
"""Costs of a cross: for a line closer than `CLEAR`, for each unit of missing distance, and for each unit of other things' area."""
APART, TOGETHER = 12, 400.0
"""The least distance that makes two crosses look like two, and the cost of a smaller one: more than that of lying on two lines."""

Piece = tuple[float, float, float, float]
"""Start and end of a straight piece of a line."""


class Crosses:
    """The crosses of one picture, placed one by one."""

    def __init__(self, lines: Iterable[Sequence[Vector]], things: Iterable[Box]) -> None:
        self.pieces: list[Piece] = [
            (*start, *end) for line in lines for start, end in itertools.pairwise(line) if start != end
        ]
        self.things = [*things]
        self.middles: list[Vector] = []
        """Middles of the crosses placed so far."""

    def beside(self, line: Sequence[Vector], back: float) -> Vector:
        """Place a cross beside a line: `back` before its end or, if that is taken, farther back."""
        lengths = [math.dist(start, end) for start, end in itertools.pairwise(line)]
        whole = sum(lengths)
        first = max(whole - back, whole / 2)
        spots: list[tuple[int, Vector]] = []
        far: list[tuple[float, Vector]] = []
        for number in range(MOST):
            at = first - number * STEP
            # The line is extended straight back beyond its beginning, because beside a short one there is no other space.
            piece = 0
            while piece < len(lengths) - 1 and at > lengths[piece]:
                at -= lengths[piece]
                piece += 1
            start, end = line[piece], line[piece + 1]
            spots += [(number, _aside(start, end, at, side * off)) for off in BESIDE for side in (1, -1)]
            far += [(FAR + number, _aside(start, end, at, side * off)) for off in FARTHER for side in (1, -1)]
            if first - (number + 1) * STEP < min(0, whole / 2 - 2 * STEP):
                break
        near = [(number * 0.4 + step % 6 * 0.15, spot) for step, (number, spot) in enumerate(spots)]
        return self._put((*near, *far))

    def near(self, point: Vector) -> Vector:
        """Place the two crosses of a standoff around the middle of a place."""
        spots = [
            (point[0] + across * math.cos(turn), point[1] + across * math.sin(turn))
            for across in (0, 24, 30, 36, 44, 52)
            for turn in (math.radians(30 * step) for step in range(12 if across else 1))
        ]
        return self._put(((number * 0.2, spot) for number, spot in enumerate(spots)), pair=True)

    def _put(self, spots: Iterable[tuple[float, Vector]], *, pair: bool = False) -> Vector:
        """Choose the cheapest of some spots, given with their base costs, and keep further crosses off it."""
        best, least = (0.0, 0.0), math.inf
        spots = [*spots]
        here = self._around([spot for _, spot in spots], SIZE if pair else 0)
        for own, (x, y) in spots:
            if own < least:
                middles = ((x - SIZE, y), (x + SIZE, y)) if pair else ((x, y),)
                cost = own + sum(_cost(here, middle, least) for middle in middles)
                if cost < least:
                    best, least = (x, y), cost
        self.middles += [(best[0] - SIZE, best[1]), (best[0] + SIZE, best[1])] if pair else [best]
        half = SIZE * 2 if pair else SIZE
        self.things.append((best[0] - half - 3, best[1] - SIZE - 3, best[0] + half + 3, best[1] + SIZE + 3))
        return best

    def _around(self, spots: Sequence[Vector], aside: float) -> Crosses:
        """A copy with only the obstacles near these spots, to save time: most obstacles in a picture are far away."""
        left, right = min(x for x, _ in spots) - aside - CLEAR, max(x for x, _ in spots) + aside + CLEAR
        top, bottom = min(y for _, y in spots) - CLEAR, max(y for _, y in spots) + CLEAR
        near = Crosses((), ())
        near.middles = [(x, y) for x, y in self.middles if left < x < right and top < y < bottom]
        near.things = [
            box for box in self.things if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]
        ]
        near.pieces = [
            (x1, y1, x2, y2)
            for x1, y1, x2, y2 in self.pieces
            if (x1 >= left or x2 >= left) and (x1 <= right or x2 <= right)
            if (y1 >= top or y2 >= top) and (y1 <= bottom or y2 <= bottom)
        ]
        return near


def _cost(near: Crosses, middle: Vector, most: float) -> float:
    """Cost of the obstacles to a cross; the search ends as soon as it exceeds `most`."""
    x, y = middle
    cost = 0.0
    for left, top, right, bottom in near.things:
        if left < x + 9 and x - 9 < right and top < y + 9 and y - 9 < bottom:
            cost += (min(right, x + 9) - max(left, x - 9)) * (min(bottom, y + 9) - max(top, y - 9)) * COVER
    cost += TOGETHER * sum(math.dist(middle, other) < APART for other in near.middles)
    for x1, y1, x2, y2 in near.pieces:
        if (x1 < x - CLEAR and x2 < x - CLEAR) or (x1 > x + CLEAR and x2 > x + CLEAR):
            continue
        if (y1 < y - CLEAR and y2 < y - CLEAR) or (y1 > y + CLEAR and y2 > y + CLEAR):
            continue
        dx, dy = x2 - x1, y2 - y1
        part = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)
        part = min(1.0, max(0.0, part))
        away = math.hypot(x1 + part * dx - x, y1 + part * dy - y)
        if away < CLEAR:
            cost += LINE + (CLEAR - away) * NEARER
            if cost > most:
                return cost
    return cost


def _aside(start: Vector, end: Vector, along: float, across: float) -> Vector:
    """The point `along` from the start towards the end, and `across` beside that line."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return start[0] + ux * along - uy * across, start[1] + uy * along + ux * across
