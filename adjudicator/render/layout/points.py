"""Positions of the net's points: cells' middles and corners, within the curve of the rim."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import fsum, sqrt

from adjudicator.render.layout.lines import Spot, distance
from adjudicator.render.layout.net import Net
from adjudicator.render.layout.rooms import size_of
from adjudicator.render.outlines import Point

CROWDED = 0.005
"""A cell below this fraction of its target area is crowded."""
LIMP = 0.4
"""How much a regular shape counts for a cell whose province has several cells; for other cells it is 1."""
APART = 3.0
"""Least distance of corners that crowd on the rim; closer ones would merge when rounded to whole numbers."""


class Layout:
    """The net with positions: a point for each cell's middle and each corner. A triangle consists of a middle and one side of its cell."""

    def __init__(self, net: Net, weights: list[float], size: Point) -> None:
        self.net = net
        self.half = (size[0] / 2, size[1] / 2)
        self.mirrored = False
        self.cells = len(net.owners)
        self.x = [0.0] * net.count
        self.y = [0.0] * net.count
        self.corners = [[corner for corner, _ in sides] for sides in net.around]
        self.onrim = set(net.rim)
        # Each point's triangles, as the two other points of each; for a middle these are the sides of its cell.
        self.beside: list[list[tuple[int, int]]] = [[] for _ in range(net.count)]
        self.within: list[list[int]] = [[] for _ in range(net.count)]
        """Corner -> the cells around it."""
        rim = net.rim
        self.beyond = {here: ends for here, *ends in zip(rim, [rim[-1], *rim[:-1]], [*rim[1:], rim[0]], strict=True)}
        """Corner on the rim -> the corners before and behind it there."""
        self.parted = False
        """True if corners on the rim keep a distance, which is needed only if they would crowd."""
        for cell, corners in enumerate(self.corners):
            for here, there in pairwise([*corners, corners[0]]):
                self.beside[cell].append((here, there))
                self.beside[here].append((there, cell))
                self.beside[there].append((cell, here))
                self.within[here].append(cell)
        # Each line that ends on the rim has space before and behind it, for the provinces behind the line.
        parts = [net.behind.get(dart >> 1, 1.0) for dart in net.outer] or [1.0, 1.0]
        most = max(parts)
        parts = [part + most * 0.1 for part in parts]
        whole, gone = fsum(parts), 0.0
        self.along: list[float] = []
        """Position of each corner on the rim, in order, as a fraction of the way around."""
        for index, part in enumerate(parts):
            behind = parts[(index + 1) % len(parts)]
            self.along += [(gone + part / 2) / whole, (gone + (part + behind) / 2) / whole]
            gone += part
        self.turned = (1.0, 0.0)
        self.set_rim()
        self.stiff = [1.0 if net.owners.count(owner) == 1 else LIMP for owner in net.owners]
        self.set_targets(weights)

    def set_targets(self, weights: list[float]) -> None:
        """Set the target area of each cell."""
        x, y = self.x, self.y
        rim = pairwise([*self.net.rim, self.net.rim[0]])
        area = fsum(x[here] * y[there] - x[there] * y[here] for here, there in rim) / 2
        whole = fsum(weights)
        self.weights = weights
        self.target = [weight * area / whole for weight in weights]
        self.aim = list(self.target)
        """The area that each cell aims for in order to reach its target."""

    def grow(self, tight: Iterable[int]) -> None:
        """Enlarge these cells, and the picture accordingly."""
        cells = set(tight)
        more = [weight * 1.25 if cell in cells else weight for cell, weight in enumerate(self.weights)]
        wide, high = size_of(more)
        across, down = wide / 2 / self.half[0], high / 2 / self.half[1]
        self.half = (wide / 2, high / 2)
        self.x = [x * across for x in self.x]
        self.y = [y * down for y in self.y]
        self.set_targets(more)

    def set_rim(self) -> None:
        """Place the corners on the rim according to `along`."""
        cos, sin = self.turned
        for corner, at in zip(self.net.rim, self.along, strict=True):
            x, y = self.on_rim(*self.square_point(at - int(at)))
            if self.turned != (1.0, 0.0):
                x, y = x / self.half[0], y / self.half[1]
                x, y = self.on_rim(x * cos - y * sin, x * sin + y * cos)
            self.x[corner], self.y[corner] = x, y

    def square_point(self, part: float) -> Spot:
        """The point on a square's edge at a fraction of the way around it."""
        side, rest = divmod(part * 4 + 0.35, 1.0)
        along = 2 * rest - 1
        return ((along, -1.0), (1.0, along), (-along, 1.0), (-1.0, -along))[int(side) % 4]

    def on_rim(self, x: float, y: float) -> Spot:
        """The point in this direction on the curve around the net, which is a shape between an ellipse and a rectangle."""
        far = sqrt(sqrt(x * x * x * x + y * y * y * y))
        return x / far * self.half[0], y / far * self.half[1]

    def crowded(self) -> bool:
        """True if some cell has almost no area, for instance if much is attached behind a short piece of the rim.

        Springs do not repair that.
        """
        return any(self.room(cell) < target * CROWDED for cell, target in enumerate(self.target))

    def room(self, cell: int) -> float:
        """The area of a cell."""
        x, y = self.x, self.y
        corners = self.corners[cell]
        return fsum(x[a] * y[b] - x[b] * y[a] for a, b in pairwise([*corners, corners[0]])) / 2

    def area(self, a: int, b: int, c: int) -> float:
        """Twice the area of a triangle; negative if it has turned over."""
        x, y = self.x, self.y
        return (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])

    def move(self, point: int, goal: Spot, least: list[float]) -> None:
        """Move a point toward a goal, but only so far that no triangle beside it turns over or becomes a splinter."""
        x, y = self.x, self.y
        px, py = x[point], y[point]
        gx, gy = goal
        limit = least[point] if point < self.cells else least[self.within[point][0]]
        ends = []
        for a, b in self.beside[point]:
            ax, ay, bx, by = x[a], y[a], x[b], y[b]
            now = (ax - px) * (by - py) - (bx - px) * (ay - py)
            ends.append((ax, ay, bx, by, now))
            if now < limit * 2:
                # Move along the side that it comes too close to, and a little away, or splinters would soon block each other.
                dx, dy = bx - ax, by - ay
                square = dx * dx + dy * dy
                if square > 0.0:
                    along = min(dx * (gy - py) - dy * (gx - px), 0.0)
                    far = (min((limit * 2 - now) * 0.5, sqrt(square) * 2.0) - along) / square
                    gx -= dy * far
                    gy += dx * far
        part = 1.0
        for ax, ay, bx, by, now in ends:
            # A triangle's area changes linearly along the way.
            then = (ax - gx) * (by - gy) - (bx - gx) * (ay - gy)
            floor = limit if now > limit else now * 0.98
            if then < floor and then < now:
                part = min(part, (now - floor) / (now - then))
        px, py = px + (gx - px) * part, py + (gy - py) * part
        if point in self.onrim:
            px, py = self.on_rim(px / self.half[0], py / self.half[1])
            for a, b in self.beside[point]:
                # After the move back to the rim, which is curved, it may have gone too far.
                if (x[a] - px) * (y[b] - py) - (x[b] - px) * (y[a] - py) < min(limit, self.area(point, a, b) * 0.5):
                    return
            if self.parted:
                for other in self.beyond[point]:
                    gap = distance((px, py), (x[other], y[other]))
                    if gap < APART and gap < distance((x[point], y[point]), (x[other], y[other])):
                        return
        elif not (abs(px) <= self.half[0] and abs(py) <= self.half[1]):
            return  # among splinters too thin for floats, it would leave the picture
        x[point], y[point] = px, py
