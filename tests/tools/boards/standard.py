"""The standard board, drawn: 75 provinces on the land of world-atlas' land-50m.json."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from shapely import Geometry

from tests.tools.boards.common import (
    Anchors,
    Array,
    Board,
    Box,
    Crowd,
    Plane,
    Room,
    box_around,
    crowding,
    overlap,
    partition,
)

TOKEN = (44, 34)
"""The size of a unit."""
DISLODGED = (16, 14)
"""Offset from a unit's middle to that of a dislodged one."""
MARK = 16
"""The size of a supply centre's mark."""
LABEL = (42, 18)
BASELINE = 16
"""Height of a label's box above its baseline."""


def token_box(x: Any, y: Any) -> Any:
    """The box of a unit."""
    return box_around(x, y, *TOKEN)


def dislodged_box(x: Any, y: Any) -> Any:
    """The box of a dislodged unit, from the position of the unit in the province."""
    return token_box(x + DISLODGED[0], y + DISLODGED[1])


def label_box(x: Any, y: Any) -> Any:
    """The box of a label on its baseline."""
    return (x - LABEL[0] / 2, y - BASELINE, x + LABEL[0] / 2, y - BASELINE + LABEL[1])


def mark_box(x: Any, y: Any) -> Any:
    """The box of a supply centre's mark."""
    return box_around(x, y, MARK, MARK)


def choose_points(shape: Geometry, crowd: Crowd, fixed: dict[str, list[int]], *, centre: bool) -> dict[str, list[int]]:
    """Points for a province's unit, label and mark: all inside, apart, the unit near the middle."""
    room = Room(shape)
    grid = room.grid(2 if shape.area < 20_000 else 4 if shape.area < 60_000 else 8)
    x, y = grid[:, 0], grid[:, 1]
    hull = shape.centroid
    size = math.sqrt(shape.area)

    unit_boxes, label_boxes, mark_boxes, low_boxes = (
        token_box(x, y),
        label_box(x, y),
        mark_box(x, y),
        dislodged_box(x, y),
    )
    outer = np.array([room.share(*box_around(x, y, *TOKEN, margin)) for margin in (0, 3, 8, 16, 28)])
    weights = np.array([40, 8, 6, 4, 3])
    middle = np.hypot(x - hull.x, y - hull.y) / size
    unit_score = weights @ outer + 6 * room.share(*low_boxes) - 4 * middle
    unit_score -= (
        80 * crowding(unit_boxes, crowd.things, 1)
        + 12 * crowding(low_boxes, crowd.things, 0)
        + 12 * crowding(unit_boxes, crowd.dislodged, 0)
    )
    label_score = 40 * room.share(*label_boxes) + 6 * room.share(x - 25, y - 20, x + 25, y + 6)
    label_score -= 80 * crowding(label_boxes, crowd.things, 1) + 12 * crowding(label_boxes, crowd.dislodged, 0)
    mark_score = 40 * room.share(*mark_boxes) + 5 * room.share(x - 11, y - 11, x + 11, y + 11)
    mark_score -= 80 * crowding(mark_boxes, crowd.things, 1) + 12 * crowding(mark_boxes, crowd.dislodged, 0)

    best: tuple[float, dict[str, list[int]]] = (-math.inf, {})
    for chosen in np.argsort(-unit_score, kind="stable")[:: 1 if shape.area < 9000 else 2][:160]:
        ux, uy = fixed.get("unit", [int(x[chosen]), int(y[chosen])])
        unit, dislodged = token_box(ux, uy), dislodged_box(ux, uy)
        away = np.hypot(x - ux, (y - 7 - uy) * 1.2)
        score = label_score - away / 8 - np.abs(x - ux) / 12
        score = score - 100 * overlap(label_boxes, unit, 1) - 7 * overlap(label_boxes, dislodged)
        pick = int(np.argmax(score))
        lx, ly = fixed.get("label", [int(x[pick]), int(y[pick])])
        total = float(unit_score[chosen] + score[pick])
        points = {"label": [lx, ly], "unit": [ux, uy]}
        if centre:
            away = np.hypot(x - ux, y - uy)
            score = mark_score - away / 8 - 7 * overlap(mark_boxes, dislodged)
            score = score - 100 * (overlap(mark_boxes, unit, 1) | overlap(mark_boxes, label_box(lx, ly), 1))
            pick = int(np.argmax(score))
            points["centre"] = fixed.get("centre", [int(x[pick]), int(y[pick])])
            total += float(score[pick])
        if total > best[0]:
            best = (total, points)
    return best[1]


def coast_point(shape: Geometry, near: Array, others: list[Box]) -> list[int]:
    """The point for a fleet on a named coast, as near as possible to the hint."""
    room = Room(shape)
    steps = np.arange(-40, 41, 2)
    grid: Array = np.array(np.meshgrid((near[0] + steps).round(), (near[1] + steps).round())).reshape(2, -1)
    x, y = grid
    score = 40 * room.share(*token_box(x, y)) - np.hypot(x - near[0], y - near[1]) / 4
    for other in others:
        score = score - 100 * overlap(token_box(x, y), other, 1)
    pick = int(np.argmax(score))
    return [int(x[pick]), int(y[pick])]


def anchors(
    code: str, shape: Geometry, rule: dict[str, Any], data: dict[str, Any], plane: Plane, crowd: Crowd
) -> Anchors:
    """Anchors for a province's unit, label, mark, and fleets on its coasts."""
    centre = rule.get("centre", False)
    points: dict[str, Any] = choose_points(shape, crowd, data["anchors"].get(code, {}), centre=centre)
    boxes = {"unit": token_box(*points["unit"]), "label": label_box(*points["label"])}
    if centre:
        boxes["centre"] = mark_box(*points["centre"])
    solid = [boxes[what] for what in boxes if what != "unit"] + crowd.things
    for coast in rule.get("coasts", []):
        point = coast_point(shape, plane(data["coasts"][code][coast])[0], solid)
        points.setdefault("coasts", {})[coast] = point
        boxes[coast] = token_box(*point)
        solid.append(boxes[coast])
    return Anchors(points, boxes, dislodged_box(*points["unit"]))


BOARD = Board(
    "standard",
    "diplomacy",
    "land-50m.json",
    budget=21_800,
    least_border=6.0,
    plane=Plane,
    anchors=anchors,
    partition=partition,
)
