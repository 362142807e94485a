"""Moves as arrows from plot to plot, side by side if several go the same way."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render.geometry import Vector, arrowhead, cross, curve, path_of, sample, turn_point
from adjudicator.render.grid_map.picture import Flock, Picture
from adjudicator.render.outlines import Box
from adjudicator.render.scenes import Arrow

LANE = 12
"""Distance of vertical arrows from the middles of plots."""


def paint_arrows(picture: Picture, flocks: Mapping[str, Flock]) -> None:
    """Paint an arrow for each way, owner and outcome, side by side if they share a way."""
    alike: dict[tuple[tuple[str, ...], SeatId, bool], list[str]] = defaultdict(list)
    for arrow in sorted(picture.scene.arrows, key=lambda a: (a.ok, a.path, a.owner, a.title)):
        alike[arrow.path, arrow.owner, arrow.ok].append(arrow.title)
    lanes: dict[tuple[str, ...], list[tuple[tuple[str, ...], SeatId, bool]]] = defaultdict(list)
    for key in alike:
        lanes[min(key[0], key[0][::-1])].append(key)
    for key, titles in alike.items():
        path, owner, ok = key
        way = min(path, path[::-1])
        lane = lanes[way].index(key) - (len(lanes[way]) - 1) / 2
        paint_arrow(
            picture, flocks, Arrow("move", path, owner, ok, "; ".join(titles)), lane * 15 * (1 if way == path else -1)
        )


def paint_arrow(picture: Picture, flocks: Mapping[str, Flock], arrow: Arrow, aside: float) -> None:
    """Paint one arrow at distance `aside` from the straight way; a failed one is dashed and has a cross."""
    draw = picture.drawing
    group = draw.g(class_=f"o{picture.slot(arrow.owner)}")
    picture.add_title(group, arrow.title)
    boxes = [core_of(picture, flocks, place) for place in arrow.path]
    points: list[Vector] = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in boxes]
    if arrow.path[0][1:] == arrow.path[-1][1:] and len(arrow.path) == 2:
        # Vertical arrows have a lane between the texts of plots, to the right of their middles.
        points = [(x + LANE, y) for x, y in points]
    if aside:
        shifted = [turn_point(points[1], points[0], 0, -aside)]
        shifted += [turn_point(before, here, 0, aside) for before, here in itertools.pairwise(points)]
        points = shifted
    points[0] = leave_box(points[0], points[1], boxes[0], 3)
    points[-1] = leave_box(points[-1], points[-2], boxes[-1], 5)
    points = [(round(x), round(y)) for x, y in points]
    shape, head = curve(points), path_of(arrowhead(points[-2], points[-1], 15))
    group.add(draw.path(shape + head, class_="g"))
    if arrow.ok:
        group.add(draw.path(shape + head, class_="a"))
    else:
        group.add(draw.path(shape, class_="a d"))
        group.add(draw.path(head, class_="a"))
        line = sample(points)
        group.add(draw.path(cross(line[len(line) // 2], 8), class_="x"))
    draw.add(group)


def core_of(picture: Picture, flocks: Mapping[str, Flock], place: str) -> Box:
    """The box of the units in a plot, or a small one in its middle."""
    if place in flocks:
        return flocks[place].box
    x, y = picture.middle(place)
    return (x - 6, y - 1, x + 6, y + 11)


def leave_box(start: Vector, toward: Vector, box: Box, gap: float) -> Vector:
    """The point `gap` past where the line from `start` to `toward` leaves the box, but always less than halfway along that line."""
    dx, dy = toward[0] - start[0], toward[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    parts = [0.45]
    if dx:
        parts.append(((box[2] if dx > 0 else box[0]) - start[0]) / dx + gap / length)
    if dy:
        parts.append(((box[3] if dy > 0 else box[1]) - start[1]) / dy + gap / length)
    part = max(0.0, min(parts))
    return start[0] + dx * part, start[1] + dy * part
