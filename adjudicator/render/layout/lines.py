"""Lines in the plane: their length, their crookedness, and their paths."""

from __future__ import annotations

from itertools import pairwise
from math import fsum, sqrt
from zlib import crc32

from adjudicator.render.outlines import Point

Spot = tuple[float, float]
"""A point before it is rounded."""


def bow(start: Point, goal: Point, bend: float) -> list[Point]:
    """Points along a curve; `bend` is the offset of its control point from the straight line, relative to the line's length."""
    (x1, y1), (x2, y2) = start, goal
    cx, cy = (x1 + x2) / 2 - (y2 - y1) * bend, (y1 + y2) / 2 + (x2 - x1) * bend
    points = []
    for n in range(41):
        t = n / 40
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        points.append((round(a * x1 + b * cx + c * x2), round(a * y1 + b * cy + c * y2)))
    return points


def distance(a: Spot, b: Spot) -> float:
    """Distance between two points, with a square root that is equal on every machine."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    return sqrt(dx * dx + dy * dy)


def length_of(line: list[Point]) -> float:
    """The length of the line through these points."""
    return fsum(distance(a, b) for a, b in pairwise(line))


def noise(seed: str, levels: int, height: float, fall: float) -> list[float]:
    """Offsets of a crooked line from a straight one, 0 at its ends. Each half is as crooked as the whole."""
    heights = [0.0, 0.0]
    for level in range(levels):
        finer = [heights[0]]
        for index, (before, behind) in enumerate(pairwise(heights)):
            chance = crc32(f"{seed} {level} {index}".encode()) / 0x7FFFFFFF - 1.0
            finer += [(before + behind) / 2 + chance * height, behind]
        heights = finer
        height *= fall
    return heights


def reach(part: float, foot: float, high: float) -> float:
    """The height of a triangle above the fraction `part` of its base, if its tip is `high` above the fraction `foot`."""
    up = high * part / foot if foot > part else high
    down = high * (1 - part) / (1 - foot) if foot < part else high
    return min(up, down)


def smooth(points: list[Spot]) -> list[Spot]:
    """A line with each of its corners cut; its ends stay."""
    cut = points[:1]
    for (x, y), (x2, y2) in pairwise(points):
        cut += [(x * 0.75 + x2 * 0.25, y * 0.75 + y2 * 0.25), (x * 0.25 + x2 * 0.75, y * 0.25 + y2 * 0.75)]
    return [*cut, points[-1]]


def thin(points: list[Point]) -> list[Point]:
    """Remove points that are so close to the one before, or to the end, that nobody could see them."""
    apart = points[:1]
    for point in points[1:-1]:
        if distance(point, apart[-1]) >= 5 and distance(point, points[-1]) >= 5:
            apart.append(point)
    return [*apart, points[-1]]


def join_rings(parts: dict[int, tuple[int, list[Point]]]) -> list[list[Point]]:
    """Join lines into rings. `parts` maps a line's first corner to its last corner and its points."""
    rings = []
    while parts:
        first = min(parts)
        ring: list[Point] = []
        here = first
        while here in parts:
            here, points = parts.pop(here)
            ring += points[:-1]
        apart = [point for point, before in zip(ring, [ring[-1], *ring], strict=False) if point != before]
        if not apart:  # rounding left one point, and a shape needs more
            x, y = ring[0]
            apart = [(x, y), (x + 1, y), (x, y + 1)]
        rings.append(apart)
    return rings


def path_of(rings: list[list[Point]]) -> str:
    """Rings as a path of M, l and z."""
    text = []
    for ring in rings:
        x, y = ring[0]
        steps = []
        for a, b in ring[1:]:
            steps.append(f"{a - x} {b - y}")
            x, y = a, b
        text.append(f"M{ring[0][0]} {ring[0][1]}l{' '.join(steps).replace(' -', '-')}z")
    return "".join(text)


def open_path(line: list[Point]) -> str:
    """A line as an open path."""
    return "M" + "L".join(f"{x} {y}" for x, y in line)


def tick_marks(line: list[Point]) -> str:
    """Short strokes across a line, evenly spread."""
    count = max(round(length_of(line) / 13), 2)
    step = length_of(line) / count
    marks = []
    gone, due = 0.0, step / 2
    for (x, y), (x2, y2) in pairwise(line):
        far = distance((x, y), (x2, y2))
        while far > 0 and due <= gone + far:
            part = (due - gone) / far
            px, py = x + (x2 - x) * part, y + (y2 - y) * part
            nx, ny = -(y2 - y) / far * 6, (x2 - x) / far * 6
            marks.append(f"M{round(px - nx)} {round(py - ny)}L{round(px + nx)} {round(py + ny)}")
            due += step
        gone += far
    return "".join(marks)
