"""Draw the board of the taifas: coastlines, the borders in borders.yaml and the rules in board.yaml make outlines.yaml.

Coastlines: Natural Earth (public domain), 1:10m land as TopoJSON, the file land-10m.json of the package "world-atlas"
2.0.2. The borders of the provinces on land and at sea are this project's own.

Cutting, thinning and writing are those of the standard board's script, which lies in its own draw folder. Different here:
Africa moves aside to widen the strait, every land province must hold its town where it lies, and places are found for
one thing more, the small mark of a general beside a unit.

Needs Python 3.11 or newer with courtly itself, numpy and shapely (2.1 or newer). Run it with

    python draw.py path/to/land-10m.json

It writes outlines.yaml one folder up, always the same bytes for the same input, and stops with an error if two
provinces touch that do not border in board.yaml or the other way round, or if anchors get in each other's way.
"""
# ruff: noqa: INP001 - a script, not a package

import argparse
import importlib.util
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from ruamel.yaml import YAML
from shapely import Geometry, Point, Polygon, box
from touching import touching

HERE = Path(__file__).resolve().parent
STANDARD = HERE.parents[3] / "diplomacy" / "boards" / "standard" / "draw" / "draw.py"
spec = importlib.util.spec_from_file_location("standard_draw", STANDARD)
assert spec is not None
assert spec.loader is not None
standard = importlib.util.module_from_spec(spec)
spec.loader.exec_module(standard)

LEAST_BORDER = 14.0
BUDGET = 24_000  # characters of path data
UNIT = (54, 38)  # a fleet, or an army as narrow screens enlarge it
DISLODGED = (27, 21)
GENERAL = (-37, 0, 20)  # from the unit's middle, and its size
MARK = 22
CODE = (54, 22)
LETTER, LINE = 9.6, 17.6  # of a name, as adjudicator.render.outlines reckons with them

Array = standard.Array
Box = standard.Box
overlap = standard.overlap


# --- the plane -------------------------------------------------------------------------------------------------------


class Plane(standard.Plane):
    """The standard board's plane, with Africa moved aside."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.south = Polygon(data["south"])
        shapely.prepare(self.south)
        self.aside = np.array(data["aside"], dtype=float)
        super().__init__(data)

    def __call__(self, places: Any) -> Array:
        """Return canvas positions for an array of [longitude, latitude]."""
        places = np.asarray(places, dtype=float).reshape(-1, 2)
        moved = shapely.contains_xy(self.south, places[:, 0], places[:, 1])
        return super().__call__(places + moved[:, None] * self.aside)


# --- the partition ---------------------------------------------------------------------------------------------------


def partition(data: dict[str, Any], kinds: dict[str, str], plane: Plane, land_file: Path) -> dict[str, Geometry]:
    """Divide the canvas among provinces and neutral shapes, all corners whole numbers, none left out yet."""
    canvas = box(0, 0, plane.width, plane.height)
    places = data["seeds"] | data["neutral"]
    seeds = {owner: [spot for spot in map(Point, plane(places[owner])) if canvas.contains(spot)] for owner in places}
    dry = [spot for owner, spots in seeds.items() if kinds.get(owner) != "sea" for spot in spots]
    wet = [spot for owner, spots in seeds.items() if kinds.get(owner) == "sea" for spot in spots]
    land = standard.shore(data, plane, land_file, dry, wet)
    faces = standard.faces_between(data, plane, land)

    owners: list[str] = []
    trouble = [
        f"the town of {owner} is in the sea"
        for owner, spots in seeds.items()
        for spot in spots
        if (kinds.get(owner) == "sea") == land.contains(spot)
    ]
    for face in faces:
        here = sorted({owner for owner, spots in seeds.items() if any(face.contains(spot) for spot in spots)})
        if len(here) > 1:
            trouble.append(f"one face holds {', '.join(here)}")
        owners.append(here[0] if here else "")
    trouble += [f"{owner} has no face" for owner in seeds if owner not in owners]
    if trouble:
        sys.exit("\n".join(trouble))
    while "" in owners:
        standard.give_scrap(faces, owners, kinds, land)
    return {
        owner: shapely.coverage_union_all([face for face, other in zip(faces, owners, strict=True) if other == owner])
        for owner in seeds
    }


def simplified(shapes: dict[str, Geometry], kinds: dict[str, str], data: dict[str, Any]) -> dict[str, Geometry]:
    """Drop corners, each shared line once, until the paths fit the budget."""
    order = standard.Web(shapes, kinds, data).thinned()
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        gone = set(order[:middle])
        if sum(len(standard.path(standard.without(shape, gone))) for shape in shapes.values()) <= BUDGET:
            high = middle
        else:
            low = middle + 1
    gone = set(order[:low])
    best = {name: standard.without(shape, gone) for name, shape in shapes.items()}
    if not shapely.coverage_is_valid(list(best.values())) or not all(shape.is_valid for shape in best.values()):
        sys.exit("the simplified shapes overlap or cross themselves")
    return best


# --- anchors ---------------------------------------------------------------------------------------------------------


def around(x: Any, y: Any, wide: float, high: float, more: float = 0) -> Any:
    """Return the box of a thing about its middle, with a margin."""
    return (x - wide / 2 - more, y - high / 2 - more, x + wide / 2 + more, y + high / 2 + more)


def general_box(x: Any, y: Any, more: float = 0) -> Any:
    """Return the box of the general's mark beside a unit."""
    return around(x + GENERAL[0], y + GENERAL[1], GENERAL[2], GENERAL[2], more)


def shadow_box(x: Any, y: Any) -> Any:
    """Return the box of a dislodged unit."""
    return around(x + DISLODGED[0], y + DISLODGED[1], *UNIT)


def code_box(x: Any, y: Any) -> Any:
    """Return the box of a code on its baseline."""
    return (x - CODE[0] / 2, y - CODE[1], x + CODE[0] / 2, y)


def name_box(x: Any, y: Any, lines: list[str], more: float = 0) -> Any:
    """Return the box of a name whose last line's baseline is given."""
    wide = max(map(len, lines)) * LETTER / 2
    return (x - wide - more, y - len(lines) * LINE - more, x + wide + more, y + 3 + more)


def label_box(x: Any, y: Any, lines: list[str]) -> Any:
    """Return the box that holds both the code and the name."""
    boxes = np.array(np.broadcast_arrays(*code_box(x, y), *name_box(x, y, lines))).reshape(2, 4, -1)
    found = [*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)]
    return tuple(found) if np.ndim(x) else tuple(float(side[0]) for side in found)


def ways(name: str) -> list[list[str]]:
    """Return a name on one line and, if it has several words, on two lines as even as can be."""
    words = name.split(" ")
    two = [[" ".join(words[:n]), " ".join(words[n:])] for n in range(1, len(words))]
    return [[name], *sorted(two, key=lambda lines: max(map(len, lines)))[:1]]


def placed(
    shape: Geometry, name: str, town: Array | None, taken: list[Box], shadows: list[Box], fixed: dict[str, list[int]]
) -> tuple[dict[str, list[int]], list[str]]:
    """Find places for a province's unit with its general, label and mark: all inside, apart, the unit near the middle.

    The mark goes as near to the town as it can. Also returned: the lines that the name is written on.
    """
    room = standard.Room(shape)
    grid = room.grid(2 if shape.area < 24_000 else 3 if shape.area < 60_000 else 5)
    x, y = grid[:, 0], grid[:, 1]
    hull = shape.centroid
    size = math.sqrt(shape.area)

    def crowd(boxes: Any, others: list[Box], gap: float) -> Array:
        total = np.zeros(len(x))
        for other in others:
            total += overlap(boxes, other, gap)
        return total

    unit_score = 40 * room.share(*around(x, y, *UNIT)) + 25 * room.share(*general_box(x, y))
    unit_score += 8 * room.share(*around(x, y, *UNIT, 5)) + 6 * room.share(*general_box(x, y, 4))
    unit_score += 5 * room.share(*around(x, y, *UNIT, 14)) + 4 * room.share(*around(x, y, *UNIT, 26))
    unit_score += 5 * room.share(*shadow_box(x, y)) + 14 * room.share(*name_box(x, y - 24, ways(name)[-1], 1))
    unit_score -= 6 * np.hypot(x - hull.x, y - hull.y) / size
    unit_score -= 80 * crowd(around(x, y, *UNIT), taken, 1) + 60 * crowd(general_box(x, y), taken, 1)
    unit_score -= 12 * crowd(around(x, y, *UNIT), shadows, 0) + 8 * crowd(shadow_box(x, y), taken, 0)

    inside = room.share(*around(x, y, MARK, MARK))
    mark_score = 40 * inside + 15 * (inside > 0.999) + 5 * room.share(*around(x, y, MARK, MARK, 4))
    mark_score -= 80 * crowd(around(x, y, MARK, MARK), taken, 1) + 8 * crowd(around(x, y, MARK, MARK), shadows, 0)
    if town is not None:
        mark_score -= np.hypot(x - town[0], y - town[1]) / 6

    labels = []
    for lines in ways(name):
        inside = room.share(*name_box(x, y, lines, 1))
        score = 60 * inside + 15 * (inside > 0.999) + 12 * room.share(*name_box(x, y, lines, 5))
        score += 8 * room.share(*name_box(x, y, lines, 12))
        score += 20 * room.share(*code_box(x, y)) - 80 * crowd(label_box(x, y, lines), taken, 1)
        score -= 12 * crowd(label_box(x, y, lines), shadows, 0)
        labels.append((score - 7 * (len(lines) - 1), lines))

    best: tuple[float, dict[str, list[int]], list[str]] = (-math.inf, {}, [])
    for chosen in np.argsort(-unit_score, kind="stable")[:240]:
        ux, uy = fixed.get("unit", [int(x[chosen]), int(y[chosen])])
        unit, general, shadow = around(ux, uy, *UNIT), general_box(ux, uy), shadow_box(ux, uy)
        for label_score, lines in labels:
            boxes = label_box(x, y, lines)
            score = label_score - np.hypot(x - ux, y + 24 - uy) / 5 - 5 * overlap(boxes, shadow)
            score = score - 100 * (overlap(boxes, unit, 1) | overlap(boxes, general, 1))
            pick = int(np.argmax(score))
            lx, ly = fixed.get("label", [int(x[pick]), int(y[pick])])
            total = float(unit_score[chosen] + score[pick])
            found = {"label": [lx, ly], "unit": [ux, uy]}
            if town is not None:
                boxes = around(x, y, MARK, MARK)
                score = mark_score - 5 * overlap(boxes, shadow) - np.hypot(x - ux, y - uy) / 24
                score = score - 100 * (overlap(boxes, unit, 1) | overlap(boxes, general, 1))
                score = score - 100 * overlap(boxes, label_box(lx, ly, lines), 1)
                pick = int(np.argmax(score))
                found["centre"] = fixed.get("centre", [int(x[pick]), int(y[pick])])
                total += float(score[pick])
            if total > best[0]:
                best = (total, found, lines)
    return best[1], best[2]


def boxes_of(province: dict[str, Any], lines: list[str]) -> dict[str, Box]:
    """Return the boxes of a province's things by name."""
    found = {
        "unit": around(*province["unit"], *UNIT),
        "general": general_box(*province["unit"]),
        "label": label_box(*province["label"], lines),
    }
    if "centre" in province:
        found["centre"] = around(*province["centre"], MARK, MARK)
    return found


# --- checks ----------------------------------------------------------------------------------------------------------


def check_borders(outlines: dict[str, Any], board: dict[str, Any]) -> list[str]:
    """Compare what touches with what borders."""
    wanted = {
        (min(pair), max(pair))
        for borders in board["borders"].values()
        for pair in (border.split() for border in borders)
    }
    lengths = touching(outlines)
    trouble = [
        f"{a}-{b} touch ({length:.1f}) but do not border" for (a, b), length in lengths.items() if (a, b) not in wanted
    ]
    return trouble + [
        f"{a}-{b} border but share only {lengths.get((a, b), 0):.1f}"
        for a, b in sorted(wanted)
        if lengths.get((a, b), 0) < LEAST_BORDER
    ]


def check_anchors(things: list[tuple[str, str, Box]], shapes: dict[str, Geometry]) -> tuple[list[str], list[str]]:
    """Return overlapping things, and things that stick out of their province."""
    trouble = [
        f"{name} {what} overlaps {other} {that}"
        for index, (name, what, at) in enumerate(things)
        for other, that, there in things[index + 1 :]
        if overlap(at, there)
    ]
    outside = []
    for name, what, at in things:
        share = shapes[name].intersection(box(*at)).area / box(*at).area
        if share < 0.995:
            outside.append(f"{name} {what} {share:.2f}")
    return trouble, outside


def main() -> None:
    """Draw, check, write."""
    arguments = argparse.ArgumentParser(description="Draw the board of the taifas.")
    arguments.add_argument("land", type=Path, help="land-10m.json of world-atlas")
    options = arguments.parse_args()
    yaml = YAML(typ="safe")
    data = yaml.load((HERE / "borders.yaml").read_text(encoding="utf-8"))
    board = yaml.load((HERE.parent / "board.yaml").read_text(encoding="utf-8"))
    rules = board["provinces"]
    kinds = {name: rule["kind"] for name, rule in rules.items()}
    plane = Plane(data)
    shapes = simplified(partition(data, kinds, plane, options.land), kinds, data)

    taken: list[Box] = []
    shadows: list[Box] = []
    things: list[tuple[str, str, Box]] = []
    provinces: dict[str, Any] = {}
    for name in sorted(rules, key=lambda name: (shapes[name].area, name)):
        town = plane(data["seeds"][name])[0] if rules[name].get("centre", False) else None
        fixed = data["anchors"].get(name, {})
        found, lines = placed(shapes[name], rules[name]["name"], town, taken, shadows, fixed)
        provinces[name] = {"path": standard.path(shapes[name]), **found}
        boxes = boxes_of(found, lines)
        taken += boxes.values()
        shadows.append(shadow_box(*found["unit"]))
        things += [(name, what, at) for what, at in boxes.items()]
    outlines = {
        "size": data["canvas"],
        "provinces": {name: provinces[name] for name in sorted(provinces)},
        "neutral": [{"name": name, "path": standard.path(shapes[name])} for name in data["neutral"]],
        "crossings": [],
    }
    size = sum(len(shape["path"]) for shape in (*provinces.values(), *outlines["neutral"]))
    corners = sum(shapely.get_num_coordinates(shape) for shape in shapes.values())
    print(f"{size} characters of paths, {corners} corners")
    trouble = check_borders(outlines, board)
    crowded, outside = check_anchors(things, shapes)
    print("sticking out:", ", ".join(outside) or "nothing")
    if trouble or crowded:
        sys.exit("\n".join(trouble + crowded))
    (HERE.parent / "outlines.yaml").write_text(standard.written(outlines), encoding="utf-8", newline="\n")
    print("every border drawn, nothing else touches, no anchors overlap: outlines.yaml is written")


if __name__ == "__main__":
    main()
