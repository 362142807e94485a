"""Lines, arrows and crosses as SVG paths."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

Vector = tuple[float, float]


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def coordinates(points: Iterable[Vector]) -> Iterator[str]:
    """Points in the notation of SVG paths."""
    return (f"{number(x)} {number(y)}" for x, y in points)


def between(start: Vector, end: Vector, part: float) -> Vector:
    """The point at `part` of the way from `start` to `end`: 0 is the start, 1 the end."""
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def trim(points: list[Vector], start: float, end: float) -> list[Vector]:
    """A line shortened by `start` and `end` at its ends, but by no more than a third of its first and last segments."""
    first = math.dist(points[0], points[1]) or 1.0
    last = math.dist(points[-2], points[-1]) or 1.0
    begin = between(points[0], points[1], min(start / first, 0.34))
    finish = between(points[-1], points[-2], min(end / last, 0.34))
    return [begin, *points[1:-1], finish]


def curve(points: list[Vector]) -> str:
    """A path from the first point to the last: straight for two points, otherwise smooth, with the points in between as control points."""
    if len(points) == 2:
        return "M{}L{}".format(*coordinates(points))
    parts = [f"M{next(coordinates(points[:1]))}"]
    for here, after in itertools.pairwise(points[1:]):
        end = after if after is points[-1] else between(here, after, 0.5)
        parts.append("Q{} {}".format(*coordinates((here, end))))
    return "".join(parts)


def sample(points: list[Vector]) -> list[Vector]:
    """Points along the line that `curve` draws, close together and evenly spread over its pieces."""
    if len(points) == 2:
        return [between(points[0], points[1], n / 40) for n in range(41)]
    samples = [points[0]]
    here = points[0]
    for control, after in itertools.pairwise(points[1:]):
        end = after if after is points[-1] else between(control, after, 0.5)
        for n in range(1, 21):
            t = n / 20
            samples.append(between(between(here, control, t), between(control, end, t), t))
        here = end
    return samples


def corners(points: list[Vector]) -> list[Vector]:
    """A few points that describe the line that `curve` draws: only the two ends of a straight one."""
    return points if len(points) == 2 else sample(points)[::4]


def turn_point(origin: Vector, toward: Vector, along: float, across: float) -> Vector:
    """The point `along` beyond `toward`, as seen from `origin`, and `across` to the side of that line."""
    length = math.dist(origin, toward) or 1.0
    ux, uy = (toward[0] - origin[0]) / length, (toward[1] - origin[1]) / length
    return toward[0] + ux * along - uy * across, toward[1] + uy * along + ux * across


def arrowhead(origin: Vector, tip: Vector, size: float) -> list[Vector]:
    """The two strokes of an arrow's head."""
    return [turn_point(origin, tip, -size, size * 0.62), tip, turn_point(origin, tip, -size, -size * 0.62)]


def path_of(points: list[Vector]) -> str:
    """Straight strokes from point to point."""
    return "M" + "L".join(coordinates(points))


def whole(*lines: Sequence[Vector]) -> str:
    """Straight strokes from point to point, line after line, in whole units and as few characters as possible."""
    return _written((line, "l") for line in lines)


def whole_curve(points: Sequence[Vector], *more: Sequence[Vector]) -> str:
    """The line that `curve` draws, followed by straight strokes, in the notation of `whole`."""
    start, *others = points
    bent: list[Vector] = []
    for here, after in itertools.pairwise(others):
        bent += [here, after if after is points[-1] else between(here, after, 0.5)]
    return _written([([start, *(bent or others)], "q" if bent else "l"), *((line, "l") for line in more)])


def _written(lines: Iterable[tuple[Sequence[Vector], str]]) -> str:
    """Lines with their path commands as text, each point relative to the one before."""
    parts = []
    pen = None
    for line, letter in lines:
        spots = [(round(x), round(y)) for x, y in line]
        parts.append("M{} {}".format(*spots[0]) if pen is None else "m{} {}".format(*_step(pen, spots[0])))
        # The points of a curve are in pairs: both are relative to the end of the pair before.
        step = 2 if letter == "q" else 1
        froms = [spots[(number - 1) // step * step] for number in range(1, len(spots))]
        steps = itertools.starmap(_step, zip(froms, spots[1:], strict=True))
        parts.append(letter + " ".join(f"{across} {down}" for across, down in steps))
        pen = spots[-1]
    return "".join(parts).replace(" -", "-")


def _step(start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    """The distance from one point to another, across and down."""
    return end[0] - start[0], end[1] - start[1]


def circle(middle: Vector, radius: float) -> str:
    """A circle as a path."""
    x, y = middle
    return f"M{number(x - radius)} {number(y)}a{radius} {radius} 0 1 0 {2 * radius:g} 0a{radius} {radius} 0 1 0-{2 * radius:g} 0"


def cross(middle: Vector, size: float) -> str:
    """Two crossed strokes."""
    x, y = middle
    return f"M{number(x - size)} {number(y - size)}l{2 * size:g} {2 * size:g}m0-{2 * size:g}l-{2 * size:g} {2 * size:g}"
