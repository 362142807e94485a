"""The board of the nine worlds, drawn: 88 provinces about the pole, on the land of world-atlas' land-50m.json.

Unlike on the other boards, nobody drew its borders. Each province grows from its towns over land or water until it
meets the next one, on a grid of 10 km, and the lines between are traced. Then the disc is stretched until every
province has the room that its pieces need. There is room for the mark of a general beside a unit, as on the board of the
taifas, and for two crowns beside a supply centre.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely import Geometry, Polygon, box

from tests.tools.boards import grown, taifas
from tests.tools.boards.common import Anchors, Array, Board, Crowd, box_around, parts
from tests.tools.boards.disc import CIRCLE, STEP, Disc, polar, rim

SLIVER = 60
"""Faces smaller than this on the canvas belong to a neighbouring shape."""
FRAME = "the frame"
"""Name of the neutral shape beyond the disc."""
HALF = 14
"""Half the size of a supply centre's mark with the ring of a capital."""
CROWN = (21, 17)
"""The size of a crown, with the gap beside it."""


def wants(data: dict[str, Any], rules: dict[str, Any], shapes: dict[str, Geometry]) -> dict[str, float]:
    """Share of the disc that each shape wants, by its contents and its true size."""
    room = data["room"]

    def holds(rule: dict[str, Any] | None) -> str:
        if rule is None:
            return "nobody"
        if rule.get("centre", False):
            return "centre"
        return "sea" if rule["kind"] == "sea" else "land"

    return {
        name: room["each"].get(name, 1) * room[holds(rules.get(name))] * (shape.area / 1e5) ** room["size"]
        for name, shape in shapes.items()
    }


def true_shapes(owner: Array, names: list[str], lines: list[Geometry], data: dict[str, Any]) -> dict[str, Geometry]:
    """The shapes of all owners up to the rim, in kilometres, with a corner every 10 km."""
    reach = rim(CIRCLE, data)
    disc = Polygon(np.column_stack([reach * np.cos(CIRCLE), reach * np.sin(CIRCLE)]))
    faces: dict[str, list[Geometry]] = {name: [] for name in names}
    for face in parts(shapely.polygonize(lines)):
        number = int(owner[grown.cell_of(*face.representative_point().coords[0])])
        if number >= 0:
            faces[names[number]].append(face)
    return {name: shapely.segmentize(shapely.union_all(own).intersection(disc), STEP) for name, own in faces.items()}


def partition(data: dict[str, Any], rules: dict[str, Any], disc: Disc, land_file: Path) -> dict[str, Geometry]:
    """Shapes of the provinces, the areas between them and the frame; they cover the canvas, on whole numbers."""
    kinds = {code: rule["kind"] for code, rule in rules.items()}
    owner, names = grown.grow_all(data, kinds, land_file)
    grown.fill(owner, data)
    grown.draw_by_hand(owner, names, data)
    grown.smooth_coasts(owner, *data["rags"])
    grown.sweep(owner)
    lines, beside = grown.sides_of(owner)
    shapes = true_shapes(owner, names, lines, data)
    disc.settle(shapes, wants(data, rules, shapes))
    wet = [kinds.get(name) == "sea" for name in names] + [True]  # the last is nobody's, index -1
    soft = [
        grown.soften(line, data["soft"]["borders" if wet[one] == wet[other] else "coasts"])
        for line, (one, other) in zip(lines, beside, strict=True)
    ]
    # Straight lines between distant corners would not bend with the disc, so the unsoftened shapes decide the owner of a face.
    bent = {name: shapely.make_valid(shapely.transform(shape, disc)) for name, shape in shapes.items()}
    return cut([shapely.transform(line, disc) for line in soft], bent, disc)


def cut(lines: list[Geometry], bent: dict[str, Geometry], disc: Disc) -> dict[str, Geometry]:
    """The canvas cut along lines and the rim; a face belongs to the shape that covers most of it."""
    angles = np.linspace(0, 2 * math.pi, 361)[:-1]
    middle = np.array([disc.width, disc.height]) / 2
    circle = Polygon(middle + disc.radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    canvas = box(0, 0, disc.width, disc.height)
    drawn = [line.intersection(circle) for line in lines]
    web = shapely.union_all([*drawn, circle.exterior, canvas.exterior], grid_size=1)
    faces: dict[str, list[Geometry]] = {name: [] for name in [*bent, FRAME]}
    slivers = []
    for face in parts(shapely.polygonize(shapely.get_parts(web))):
        if face.area < SLIVER:
            slivers.append(face)
        elif face.intersection(circle).area < face.area / 2:
            faces[FRAME].append(face)
        else:
            faces[max((face.intersection(shape).area, name) for name, shape in bent.items())[1]].append(face)
    shapes = {name: shapely.coverage_union_all(own) for name, own in faces.items()}
    for sliver in slivers:
        name = max((sliver.intersection(shape).length, name) for name, shape in shapes.items())[1]
        shapes[name] = shapely.coverage_union_all([shapes[name], sliver])
    return shapes


# --- anchors ----------------------------------------------------------------------------------------------------------


def seat(left: float, up: float, right: float, down: float) -> Callable[..., Any]:
    """Box of a mark and the things beside it, by distances from the mark's middle."""
    return lambda x, y, margin=0: (x - left - margin, y - up - margin, x + right + margin, y + down + margin)


SEATS = (
    seat(HALF, HALF, HALF + CROWN[0], 2 * CROWN[1] - HALF),
    seat(HALF, 2 * CROWN[1] - HALF, HALF + CROWN[0], HALF),
    seat(HALF + CROWN[0], HALF, HALF, 2 * CROWN[1] - HALF),
    seat(HALF + CROWN[0], 2 * CROWN[1] - HALF, HALF, HALF),
    seat(HALF, HALF, HALF + 2 * CROWN[0], HALF),
    seat(HALF + 2 * CROWN[0], HALF, HALF, HALF),
    seat(HALF + CROWN[0], HALF, HALF + CROWN[0], HALF),
    seat(CROWN[0], HALF, CROWN[0], HALF + CROWN[1]),
    seat(CROWN[0], HALF + CROWN[1], CROWN[0], HALF),
)
"""Arrangements of a mark and two crowns: a column or a row on one side, or one crown on each side."""


def anchors(
    code: str, shape: Geometry, rule: dict[str, Any], data: dict[str, Any], disc: Disc, crowd: Crowd
) -> Anchors:
    """Anchors for a province's unit, label and mark, with room for a general beside the unit and two crowns by the mark."""
    town = None
    if rule.get("centre", False):
        middle, towns = shape.centroid.coords[0], disc(polar(data["towns"][code]))
        town = min(towns, key=lambda spot: math.dist(spot, middle))
    points, lines, box_of = taifas.choose_points(shape, rule["name"], town, crowd, data["anchors"].get(code, {}), SEATS)
    (ux, uy), (lx, ly) = points["unit"], points["label"]
    boxes = {
        "unit": box_around(ux, uy, *taifas.UNIT),
        "general": taifas.general_box(ux, uy),
        "label": taifas.label_box(lx, ly, lines),
    }
    if town is not None:
        boxes["centre"] = box_of(*points["centre"])
    return Anchors(points, boxes, taifas.dislodged_box(ux, uy))


BOARD = Board(
    "nine_worlds",
    "saga_of_the_nine",
    "land-50m.json",
    budget=12_200,
    least_border=16.0,
    plane=Disc,
    anchors=anchors,
    partition=partition,
)
