"""Relax the net: make cells as regular as their neighbours allow, and about as large as they should be."""

from __future__ import annotations

from itertools import pairwise
from math import fsum, sqrt

from adjudicator.render.layout.lines import Spot, distance
from adjudicator.render.layout.net import RIM
from adjudicator.render.layout.points import APART, Layout

SWEEPS = 64
"""Number of times that each corner is moved toward the position that its cells want."""
PRESSURE = 2.0
"""Share of a cell's missing area that its corners add in one move, besides moving toward a regular cell."""
SHORTEST = 30.0
"""Least length of a line between two corners, if space allows."""
LAST = 8
"""Number of rounds at the end that stretch lines which are still too short to see."""
NEAR = 0.25
"""Least distance of a cell's middle from its sides, relative to the side of a square with the cell's target area."""


def relax(layout: Layout, sweeps: int) -> None:
    """Move each corner toward where it would be if its cells were regular and as large as they should be."""
    roots = {count: unit_polygon(count) for count in sorted({len(corners) for corners in layout.corners})}
    x, y = layout.x, layout.y
    lines = sorted(
        {
            (min(here, there), max(here, there))
            for sides in layout.net.around
            for (here, line), (there, _) in pairwise([*sides, sides[0]])
            if line != RIM
        }
    )
    least = [goal * 0.02 for goal in layout.target]
    for _ in range(sweeps):
        right = [0.0] * layout.net.count
        below = [0.0] * layout.net.count
        for cell, corners in enumerate(layout.corners):
            pull_regular(layout, cell, corners, roots[len(corners)], right, below)
        for a, b in lines:
            dx, dy = x[b] - x[a], y[b] - y[a]
            length = sqrt(dx * dx + dy * dy)
            if 0.0 < length < SHORTEST:
                push = (SHORTEST - length) / length * 0.5 * 3
                right[a] -= dx * push
                below[a] -= dy * push
                right[b] += dx * push
                below[b] += dy * push
        pace = 0.8
        for corner in range(layout.cells, layout.net.count):
            share = pace / len(layout.within[corner])
            goal = x[corner] + right[corner] * share, y[corner] + below[corner] * share
            if corner in layout.onrim:
                goal = layout.on_rim(goal[0] / layout.half[0], goal[1] / layout.half[1])
            layout.move(corner, goal, least)
        for cell in range(layout.cells):
            layout.move(cell, inmost(layout, cell), least)
    for _ in range(LAST):
        for a, b in lines:
            dx, dy = x[b] - x[a], y[b] - y[a]
            length = sqrt(dx * dx + dy * dy)
            if 0.0 < length < SHORTEST * 0.6:
                # Nobody would know of a border that is too short to see.
                dx, dy = dx / length * 3.0, dy / length * 3.0
                for corner, ex, ey in ((a, -dx, -dy), (b, dx, dy)):
                    if corner not in layout.onrim:
                        layout.move(corner, (x[corner] + ex, y[corner] + ey), least)


def pull_regular(
    layout: Layout, cell: int, corners: list[int], roots: list[Spot], right: list[float], below: list[float]
) -> None:
    """Add to `right` and `below` the way from each corner to its position in a regular cell that is turned like this one."""
    x, y = layout.x, layout.y
    count = len(corners)
    across, down, area = 0.0, 0.0, 0.0
    before = corners[-1]
    for corner in corners:
        across += x[corner]
        down += y[corner]
        area += x[before] * y[corner] - x[corner] * y[before]
        before = corner
    across, down = across / count, down / count
    cos, sin = 0.0, 0.0
    for corner, (a, b) in zip(corners, roots, strict=True):
        u, v = x[corner] - across, y[corner] - down
        cos += u * a + v * b
        sin += v * a - u * b
    far = sqrt(cos * cos + sin * sin)
    if far < 1e-9:
        return
    # The area of a regular polygon is half its number of corners, times its radius squared, times the sine of its step.
    radius = sqrt(2 * layout.aim[cell] / (count * roots[1][1])) / far
    cos, sin = cos * radius, sin * radius
    for corner, (a, b) in zip(corners, roots, strict=True):
        right[corner] += (across + a * cos - b * sin - x[corner]) * layout.stiff[cell]
        below[corner] += (down + a * sin + b * cos - y[corner]) * layout.stiff[cell]
    # A cell that its surroundings keep too small aims higher.
    layout.aim[cell] *= min(max(sqrt(sqrt(layout.target[cell] * 2 / max(area, 1.0))), 0.9), 1.1)
    layout.aim[cell] = min(max(layout.aim[cell], layout.target[cell] * 0.4), layout.target[cell] * 3.0)
    # A cell that is too small or too large pushes or pulls each corner in proportion to its effect on the area.
    slopes = [
        (y[after] - y[before], x[before] - x[after])
        for before, after in zip([corners[-1], *corners[:-1]], [*corners[1:], corners[0]], strict=True)
    ]
    steep = fsum(a * a + b * b for a, b in slopes)
    push = PRESSURE * (2 * layout.aim[cell] - area) / steep
    for corner, (a, b) in zip(corners, slopes, strict=True):
        right[corner] += a * push
        below[corner] += b * push


def inmost(layout: Layout, cell: int) -> Spot:
    """The best middle of a cell: amid its corners, and away from its sides, which it would block if it were close."""
    x, y = layout.x, layout.y
    corners = layout.corners[cell]
    across, down = fsum(x[corner] for corner in corners), fsum(y[corner] for corner in corners)
    across, down = across / len(corners), down / len(corners)
    near = sqrt(layout.target[cell]) * NEAR
    right, below = 0.0, 0.0
    for a, b in layout.beside[cell]:
        dx, dy = x[b] - x[a], y[b] - y[a]
        length = sqrt(dx * dx + dy * dy)
        if length > 0.0:
            off = (dx * (down - y[a]) - dy * (across - x[a])) / length
            if off < near:
                right -= dy / length * (near - off)
                below += dx / length * (near - off)
    return across + right, down + below


def part(layout: Layout) -> None:
    """Move apart corners that crowd on the rim: their lines to the picture's edge would coincide at any size."""
    layout.parted = True
    x, y = layout.x, layout.y
    least = [goal * 0.02 for goal in layout.target]
    for _ in range(SWEEPS // 4):
        for here, (before, behind) in layout.beyond.items():
            spots = [(x[corner], y[corner]) for corner in (before, here, behind)]
            if min(distance(spots[0], spots[1]), distance(spots[1], spots[2])) < APART:
                layout.move(here, ((x[before] + x[behind]) / 2, (y[before] + y[behind]) / 2), least)


def unit_polygon(count: int) -> list[Spot]:
    """Corners of a regular polygon around the origin, at distance 1, from series that have the same sums on every machine."""
    step = 2 * 3.141592653589793 / count
    cos, sin, term = 0.0, 0.0, 1.0
    for power in range(24):
        if power % 2 == 0:
            cos += term if power % 4 == 0 else -term
        else:
            sin += term if power % 4 == 1 else -term
        term = term * step / (power + 1)
    corners = [(1.0, 0.0)]
    for _ in range(count - 1):
        a, b = corners[-1]
        corners.append((a * cos - b * sin, a * sin + b * cos))
    return corners
