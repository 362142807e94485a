"""The board of the taifas, drawn: 59 provinces on the land of world-atlas' land-10m.json.

Unlike on the standard board, Africa moves aside to widen the strait, names are written out, centres lie at their towns,
and there is room for the small mark of a general beside a unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import shapely
from shapely import Geometry, Polygon

from tests.tools.boards import common
from tests.tools.boards.common import Anchors, Array, Board, Crowd, Room, box_around, crowding, overlap

UNIT = (54, 38)
"""The size of a fleet, or of an army as narrow screens enlarge it."""
DISLODGED = (27, 21)
"""Offset from a unit's middle to that of a dislodged one."""
GENERAL = (-37, 0, 20)
"""Offset from the unit's middle to its general's, and the general's size."""
MARK = 22
"""The size of a supply centre's mark."""
CODE = (54, 22)
LETTER, LINE = 9.6, 17.6
"""The size of a name's letters and lines, as adjudicator.render.outlines assumes them."""


class Plane(common.Plane):
    """The standard board's plane, with Africa moved aside."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.south = Polygon(data["south"])
        shapely.prepare(self.south)
        self.aside = np.array(data["aside"], dtype=float)
        super().__init__(data)

    def __call__(self, degrees: Any) -> Array:
        """Canvas positions for an array of [longitude, latitude]."""
        degrees = np.asarray(degrees, dtype=float).reshape(-1, 2)
        moved = shapely.contains_xy(self.south, degrees[:, 0], degrees[:, 1])
        return super().__call__(degrees + moved[:, None] * self.aside)


def general_box(x: Any, y: Any, margin: float = 0) -> Any:
    """The box of the general's mark beside a unit."""
    return box_around(x + GENERAL[0], y + GENERAL[1], GENERAL[2], GENERAL[2], margin)


def dislodged_box(x: Any, y: Any) -> Any:
    """The box of a dislodged unit, from the position of the unit in the province."""
    return box_around(x + DISLODGED[0], y + DISLODGED[1], *UNIT)


def mark_box(x: Any, y: Any, margin: float = 0) -> Any:
    """The box of a supply centre's mark."""
    return box_around(x, y, MARK, MARK, margin)


def code_box(x: Any, y: Any) -> Any:
    """The box of a code on its baseline."""
    return (x - CODE[0] / 2, y - CODE[1], x + CODE[0] / 2, y)


def name_box(x: Any, y: Any, lines: list[str], margin: float = 0) -> Any:
    """The box of a name, from its last line's baseline."""
    wide = max(map(len, lines)) * LETTER / 2
    return (x - wide - margin, y - len(lines) * LINE - margin, x + wide + margin, y + 3 + margin)


def label_box(x: Any, y: Any, lines: list[str]) -> Any:
    """The box that holds both the code and the name."""
    boxes = np.array(np.broadcast_arrays(*code_box(x, y), *name_box(x, y, lines))).reshape(2, 4, -1)
    sides = [*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)]
    return tuple(sides) if np.ndim(x) else tuple(float(side[0]) for side in sides)


def ways_to_write(name: str) -> list[list[str]]:
    """A name on one line and, if it has several words, on two lines of similar length."""
    words = name.split(" ")
    two = [[" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words))]
    return [[name], *sorted(two, key=lambda lines: max(map(len, lines)))[:1]]


def choose_points(
    shape: Geometry,
    name: str,
    town: Array | None,
    crowd: Crowd,
    fixed: dict[str, list[int]],
    seats: Sequence[Callable[..., Any]] = (mark_box,),
) -> tuple[dict[str, list[int]], list[str], Callable[..., Any]]:
    """Points for a province's unit with its general, label and mark, the lines of its name, and the mark's box.

    All lie inside and apart, the unit near the middle, the mark as near to the town as possible; `seats` are the possible
    boxes of a mark and the things beside it.
    """
    room = Room(shape)
    grid = room.grid(2 if shape.area < 24_000 else 3 if shape.area < 60_000 else 5)
    x, y = grid[:, 0], grid[:, 1]
    hull = shape.centroid
    size = math.sqrt(shape.area)

    unit_score = 40 * room.share(*box_around(x, y, *UNIT)) + 25 * room.share(*general_box(x, y))
    unit_score += 8 * room.share(*box_around(x, y, *UNIT, 5)) + 6 * room.share(*general_box(x, y, 4))
    unit_score += 5 * room.share(*box_around(x, y, *UNIT, 14)) + 4 * room.share(*box_around(x, y, *UNIT, 26))
    unit_score += 5 * room.share(*dislodged_box(x, y)) + 14 * room.share(
        *name_box(x, y - 24, ways_to_write(name)[-1], 1)
    )
    unit_score -= 6 * np.hypot(x - hull.x, y - hull.y) / size
    unit_score -= 80 * crowding(box_around(x, y, *UNIT), crowd.things, 1) + 60 * crowding(
        general_box(x, y), crowd.things, 1
    )
    unit_score -= 12 * crowding(box_around(x, y, *UNIT), crowd.dislodged, 0) + 8 * crowding(
        dislodged_box(x, y), crowd.things, 0
    )

    marks = []
    for seat in seats:
        inside = room.share(*seat(x, y))
        score = 40 * inside + 15 * (inside > 0.999) + 5 * room.share(*seat(x, y, 4))
        score -= 80 * crowding(seat(x, y), crowd.things, 1) + 8 * crowding(seat(x, y), crowd.dislodged, 0)
        if town is not None:
            score -= np.hypot(x - town[0], y - town[1]) / 6
        marks.append((score, seat))

    labels = []
    for lines in ways_to_write(name):
        inside = room.share(*name_box(x, y, lines, 1))
        score = 60 * inside + 15 * (inside > 0.999) + 12 * room.share(*name_box(x, y, lines, 5))
        score += 8 * room.share(*name_box(x, y, lines, 12))
        score += 20 * room.share(*code_box(x, y)) - 80 * crowding(label_box(x, y, lines), crowd.things, 1)
        score -= 12 * crowding(label_box(x, y, lines), crowd.dislodged, 0)
        labels.append((score - 7 * (len(lines) - 1), lines))

    best: tuple[float, dict[str, list[int]], list[str], Callable[..., Any]] = (-math.inf, {}, [], mark_box)
    for chosen in np.argsort(-unit_score, kind="stable")[:240]:
        ux, uy = fixed.get("unit", [int(x[chosen]), int(y[chosen])])
        unit, general, dislodged = box_around(ux, uy, *UNIT), general_box(ux, uy), dislodged_box(ux, uy)
        for label_score, lines in labels:
            boxes = label_box(x, y, lines)
            score = label_score - np.hypot(x - ux, y + 24 - uy) / 5 - 5 * overlap(boxes, dislodged)
            score = score - 100 * (overlap(boxes, unit, 1) | overlap(boxes, general, 1))
            pick = int(np.argmax(score))
            lx, ly = fixed.get("label", [int(x[pick]), int(y[pick])])
            without = float(unit_score[chosen] + score[pick])
            points = {"label": [lx, ly], "unit": [ux, uy]}
            if town is None and without > best[0]:
                best = (without, points, lines, mark_box)
            for mark_score, seat in marks if town is not None else ():
                boxes = seat(x, y)
                score = mark_score - 5 * overlap(boxes, dislodged) - np.hypot(x - ux, y - uy) / 24
                score = score - 100 * (overlap(boxes, unit, 1) | overlap(boxes, general, 1))
                score = score - 100 * overlap(boxes, label_box(lx, ly, lines), 1)
                pick = int(np.argmax(score))
                total = without + float(score[pick])
                if total > best[0]:
                    centre = fixed.get("centre", [int(x[pick]), int(y[pick])])
                    best = (total, points | {"centre": centre}, lines, seat)
    return best[1:]


def anchors(
    code: str, shape: Geometry, rule: dict[str, Any], data: dict[str, Any], plane: common.Plane, crowd: Crowd
) -> Anchors:
    """Anchors for a province's unit, label and mark, with room for a general beside the unit."""
    town = plane(data["seeds"][code])[0] if rule.get("centre", False) else None
    points, lines, seat = choose_points(shape, rule["name"], town, crowd, data["anchors"].get(code, {}))
    (ux, uy), (lx, ly) = points["unit"], points["label"]
    boxes = {"unit": box_around(ux, uy, *UNIT), "general": general_box(ux, uy), "label": label_box(lx, ly, lines)}
    if town is not None:
        boxes["centre"] = seat(*points["centre"])
    return Anchors(points, boxes, dislodged_box(ux, uy))


BOARD = Board(
    "taifas",
    "al_andalus",
    "land-10m.json",
    budget=24_000,
    least_border=14.0,
    plane=Plane,
    anchors=anchors,
    partition=common.partition,
)
