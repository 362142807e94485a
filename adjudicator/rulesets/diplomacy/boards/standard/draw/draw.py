"""Draw the standard board: coastlines, the borders in borders.yaml and the rules in board.yaml make outlines.yaml.

Coastlines: Natural Earth (public domain), 1:50m land as TopoJSON, the file land-50m.json of the package
"world-atlas" 2.0.2. The borders of the provinces on land and at sea are this project's own.

Needs Python 3.11 or newer with courtly itself, numpy and shapely (2.1 or newer). Run it with

    python draw.py path/to/land-50m.json [--preview preview.svg]

It writes outlines.yaml one folder up, always the same bytes for the same input, and stops with an error if two
provinces touch that do not border in board.yaml or the other way round, or if anchors get in each other's way.
"""

import argparse
import hashlib
import heapq
import itertools
import json
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from ruamel.yaml import YAML
from shapely import Geometry, LineString, MultiPolygon, Point, Polygon, box

from touching import touching

HERE = Path(__file__).resolve().parent
EARTH = 6371.0
LEAST_BORDER = 6.0
BUDGET = 21_800  # characters of path data
LARGE_SCRAP = 60.0
TOKEN = (44, 34)
DISLODGED = (16, 14)
MARK = 16
LABEL = (42, 18)
BASELINE = 16  # the label's box reaches this far above its baseline
PASTELS = {
    "Austria": "#e8a39a",
    "England": "#d3a9cf",
    "France": "#a9c5ea",
    "Germany": "#b9b4aa",
    "Italy": "#a9d3a0",
    "Russia": "#d9d6ee",
    "Turkey": "#ecd987",
}

Array = np.ndarray[Any, np.dtype[Any]]
Box = tuple[float, float, float, float]


# --- the plane -------------------------------------------------------------------------------------------------------


class Plane:
    """From longitude and latitude to the canvas: an equal-area projection, squeezed at the rim, magnified in places."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.centre = data["centre"]
        self.squeezes = data["squeeze"]
        self.width, self.height = data["canvas"]
        self.left, self.top, across = data["window"]
        self.scale = self.width / across
        self.bulges: list[tuple[float, float, float, float]] = []
        for longitude, latitude, radius, amount in data["bulges"]:
            x, y = self._plane(np.array([[longitude, latitude]], dtype=float))[0]
            self.bulges.append((float(x), float(y), radius, amount))

    def _plane(self, places: Array) -> Array:
        longitude, latitude = np.radians(places[:, 0] - self.centre[0]), np.radians(places[:, 1])
        middle = math.radians(self.centre[1])
        cosine = np.cos(latitude) * np.cos(longitude)
        k = EARTH * np.sqrt(2 / (1 + math.sin(middle) * np.sin(latitude) + math.cos(middle) * cosine))
        axes = {
            "x": k * np.cos(latitude) * np.sin(longitude),
            "y": k * (math.cos(middle) * np.sin(latitude) - math.sin(middle) * cosine),
        }
        for axis, side, start, factor, softness in self.squeezes:
            beyond = np.logaddexp(0, (side * axes[axis] - start) / softness) * softness
            axes[axis] = axes[axis] - side * (1 - factor) * beyond
        plane = np.column_stack([axes["x"], axes["y"]])
        for x, y, radius, amount in self.bulges:
            offset = plane - (x, y)
            weight = amount * np.exp(-(offset**2).sum(axis=1) / (2 * radius**2))
            plane = plane + offset * weight[:, None]
        return plane

    def __call__(self, places: Any) -> Array:
        """Return canvas positions for an array of [longitude, latitude]."""
        plane = self._plane(np.asarray(places, dtype=float).reshape(-1, 2))
        return np.column_stack([(plane[:, 0] - self.left) * self.scale, (self.top - plane[:, 1]) * self.scale])


# --- coastlines ------------------------------------------------------------------------------------------------------


def coastlines(path: Path) -> Geometry:
    """Decode the land of a TopoJSON file, cut to a region well beyond the board."""
    topology = json.loads(path.read_text(encoding="utf-8"))
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [np.cumsum(np.array(arc, dtype=float), axis=0) * scale + shift for arc in topology["arcs"]]

    def ring(indices: Iterable[int]) -> Array:
        parts = [arcs[index] if index >= 0 else arcs[~index][::-1] for index in indices]
        corners = np.concatenate([parts[0], *(part[1:] for part in parts[1:])])
        longitude = np.unwrap(corners[:, 0], period=360)  # a ring may cross the antimeridian
        return np.column_stack([longitude - 360 * np.round(longitude.mean() / 360), corners[:, 1]])

    def polygons(shape: dict[str, Any]) -> Iterator[Geometry]:
        if shape["type"] == "GeometryCollection":
            for member in shape["geometries"]:
                yield from polygons(member)
        for polygon in [shape["arcs"]] if shape["type"] == "Polygon" else shape.get("arcs", []):
            outer, *holes = [ring(indices) for indices in polygon]
            yield Polygon(outer, holes).buffer(0)

    region = box(-60, 18, 85, 82)
    return shapely.union_all([polygon.intersection(region) for polygon in polygons(topology["objects"]["land"])])


def smoothed(land: Geometry, by: float) -> Geometry:
    """Close inlets and remove spits narrower than twice the given width."""
    style: dict[str, Any] = {"join_style": "round", "quad_segs": 3}
    return land.buffer(by, **style).buffer(-by * 2, **style).buffer(by, **style)


# --- lines -----------------------------------------------------------------------------------------------------------


def wiggled(points: Array, name: str, share: float) -> Array:
    """Roughen a line by moving midpoints sideways, the same way each time for the same name."""
    dice = random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"))

    def halves(start: Array, end: Array) -> list[Array]:
        across = end - start
        length = math.hypot(*across)
        if length < 6:
            return [end]
        aside = np.array([-across[1], across[0]]) * (dice.uniform(-share, share) * (1 if length < 90 else 0.4))
        middle = (start + end) / 2 + aside
        return halves(start, middle) + halves(middle, end)

    line = [points[0]]
    for start, end in itertools.pairwise(points):
        line += halves(start, end)
    return np.array(line)


def curved(points: Array) -> Array:
    """Run a smooth curve (Catmull-Rom) through the points."""
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    steps = np.linspace(0, 1, 9)[:-1, None]
    pieces = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        bend = (2 * a - 5 * b + 4 * c - d) * steps**2 + (3 * b - a - 3 * c + d) * steps**3
        pieces.append(b + ((c - a) * steps + bend) / 2)
    return np.vstack([*pieces, points[-1]])


# --- the partition ---------------------------------------------------------------------------------------------------


def parts(shape: Geometry) -> list[Polygon]:
    """Return the polygons of a polygon or multipolygon."""
    return [part for part in shapely.get_parts(shape) if isinstance(part, Polygon)]


def shore(data: dict[str, Any], plane: Plane, land_file: Path, dry: list[Point], wet: list[Point]) -> Geometry:
    """Return the land on the canvas that holds a dry seed, without lakes except those that hold a seed."""
    canvas = box(0, 0, plane.width, plane.height)
    world = shapely.transform(coastlines(land_file), plane).buffer(0)
    land = smoothed(world.intersection(canvas.buffer(60)), data["smooth"])
    land = land.union(shapely.union_all([Polygon(plane(corners)) for corners in data["fill"].values()]))
    land = land.difference(shapely.union_all([Polygon(plane(corners)) for corners in data["cut"].values()]))
    land = land.intersection(canvas)
    kept = shapely.multipoints([*dry, *wet])
    lakes = [Polygon(hole) for part in parts(land) for hole in part.interiors]
    land = land.union(shapely.union_all([lake for lake in lakes if not lake.intersects(kept)]))
    return MultiPolygon([part for part in parts(land) if part.intersects(shapely.multipoints(dry))])


def faces_between(data: dict[str, Any], plane: Plane, land: Geometry) -> list[Polygon]:
    """Cut the canvas along the shore and all borders, on whole numbers."""
    canvas = box(0, 0, plane.width, plane.height)
    lines: list[Geometry] = [land.boundary, canvas.boundary]
    nodes = data["nodes"]
    for name, places in data["land"].items():
        points = plane([nodes[place] if isinstance(place, str) else place for place in places])
        lines.append(LineString(wiggled(points, name, data["wiggle"])).intersection(land))
    for places in data["sea"].values():
        lines.append(LineString(curved(plane(places))).intersection(canvas).difference(land))
    web = shapely.get_parts(shapely.union_all(lines, grid_size=1))
    return sorted(parts(shapely.polygonize(web)), key=lambda face: face.normalize().wkt)


def give_scrap(faces: list[Polygon], owners: list[str], kinds: dict[str, str], land: Geometry) -> None:
    """Give one face that nobody owns to the neighbour it shares most with, land to land and sea to sea if it can."""
    offers: list[tuple[float, int, str]] = []
    for index, scrap in enumerate(faces):
        if owners[index]:
            continue
        dry = scrap.intersection(land).area > scrap.area / 2
        shared: dict[str, float] = {}
        for owner, face in zip(owners, faces, strict=True):
            if owner and scrap.intersects(face):
                likely = 1 if (kinds.get(owner) != "sea") == dry else 0.001
                shared[owner] = shared.get(owner, 0) + scrap.intersection(face).length * likely
        offers += [(length, index, owner) for owner, length in shared.items()]
    _, index, owner = max(offers)
    owners[index] = owner
    if faces[index].area > LARGE_SCRAP:
        spot = faces[index].representative_point()
        print(f"note: a scrap of {faces[index].area:.0f} at {spot.x:.0f},{spot.y:.0f} goes to {owner}")


def partition(data: dict[str, Any], kinds: dict[str, str], land_file: Path) -> dict[str, Geometry]:
    """Divide the canvas among provinces and neutral shapes, all corners whole numbers, none left out yet."""
    plane = Plane(data)
    canvas = box(0, 0, plane.width, plane.height)
    places = data["seeds"] | data["neutral"]
    seeds = {owner: [spot for spot in map(Point, plane(places[owner])) if canvas.contains(spot)] for owner in places}
    dry = [spot for owner, spots in seeds.items() if kinds.get(owner) != "sea" for spot in spots]
    wet = [spot for owner, spots in seeds.items() if kinds.get(owner) == "sea" for spot in spots]
    land = shore(data, plane, land_file, dry, wet)
    faces = faces_between(data, plane, land)

    owners: list[str] = []
    trouble: list[str] = []
    for face in faces:
        here = sorted({owner for owner, spots in seeds.items() if any(face.contains(spot) for spot in spots)})
        if len(here) > 1:
            trouble.append(f"one face holds {', '.join(here)}")
        owners.append(here[0] if here else "")
    trouble += [f"{owner} has no face" for owner in kinds if owner not in owners]
    if trouble:
        sys.exit("\n".join(trouble))
    while "" in owners:
        give_scrap(faces, owners, kinds, land)
    return {
        owner: shapely.coverage_union_all([face for face, other in zip(faces, owners, strict=True) if other == owner])
        for owner in seeds
        if owner in owners
    }


def path(shape: Geometry) -> str:
    """Write a shape as a path: M with absolute, l with relative whole numbers."""
    text = []
    for polygon in parts(shape.normalize()):
        for ring in (polygon.exterior, *polygon.interiors):
            corners = corners_of(ring)
            text.append(f"M{corners[0][0]} {corners[0][1]}l")
            numbers = [
                str(now - before)
                for start, end in itertools.pairwise(corners)
                for now, before in zip(end, start, strict=True)
            ]
            text.append("".join(n if n[0] == "-" or not i else f" {n}" for i, n in enumerate(numbers)) + "z")
    return "".join(text)


Corner = tuple[int, int]


def corners_of(ring: Geometry) -> list[Corner]:
    """Return the corners of a closed ring, the first one once."""
    return [(round(x), round(y)) for x, y in ring.coords[:-1]]


class Web:
    """All outlines as one web of corners, thinned by Visvalingam's method: what matters least goes first.

    A corner matters by the area of the triangle with its neighbours, sharp spikes and plain regions count less.
    A corner stays if another one lies in its triangle, so that lines never cross.
    """

    CELL = 16

    def __init__(self, shapes: dict[str, Geometry], kinds: dict[str, str], data: dict[str, Any]) -> None:
        detail, size = data["detail"], data["canvas"]
        at_sea: dict[Corner, bool] = {}
        self.neighbours: dict[Corner, list[Corner]] = {}
        self.weight: dict[Corner, float] = {}
        for name, shape in shapes.items():
            for polygon in parts(shape):
                for ring in (polygon.exterior, *polygon.interiors):
                    corners = corners_of(ring)
                    for corner, after in zip(corners, [*corners[1:], corners[0]], strict=True):
                        for one, other in ((corner, after), (after, corner)):
                            if other not in self.neighbours.setdefault(one, []):
                                self.neighbours[one].append(other)
                        self.weight[corner] = min(self.weight.get(corner, 9.0), detail.get(name, 1.0))
                        at_sea[corner] = at_sea.get(corner, True) and kinds.get(name) == "sea"
        self.weight.update((corner, detail["at sea"]) for corner, wet in at_sea.items() if wet)
        self.fixed = {corner for corner, around in self.neighbours.items() if len(around) != 2}
        self.fixed |= {(x, y) for x in (0, size[0]) for y in (0, size[1])}
        self.cells: dict[Corner, set[Corner]] = {}
        for corner in self.neighbours:
            self.cells.setdefault((corner[0] // self.CELL, corner[1] // self.CELL), set()).add(corner)

    def matter(self, corner: Corner) -> float:
        """Say how much a corner matters."""
        (ax, ay), (bx, by) = self.neighbours[corner]
        ux, uy, vx, vy = ax - corner[0], ay - corner[1], bx - corner[0], by - corner[1]
        cosine = (ux * vx + uy * vy) / (math.hypot(ux, uy) * math.hypot(vx, vy))
        return abs(ux * vy - uy * vx) / 2 * (1 - 0.7 * cosine) * self.weight[corner]

    def removable(self, corner: Corner) -> bool:
        """Say whether nothing is in the way of joining a corner's neighbours directly."""
        a, b = self.neighbours[corner]
        if b in self.neighbours[a]:
            return False
        xs, ys = sorted((a[0], b[0], corner[0])), sorted((a[1], b[1], corner[1]))
        triangle = (a, b, corner)
        for column in range(xs[0] // self.CELL, xs[2] // self.CELL + 1):
            for row in range(ys[0] // self.CELL, ys[2] // self.CELL + 1):
                for other in self.cells.get((column, row), ()):
                    if other in triangle:
                        continue
                    sides = [
                        (q[0] - p[0]) * (other[1] - p[1]) - (q[1] - p[1]) * (other[0] - p[0])
                        for p, q in ((a, b), (b, corner), (corner, a))
                    ]
                    if min(sides) >= 0 or max(sides) <= 0:
                        flat = sides == [0, 0, 0]
                        if not flat or (xs[0] <= other[0] <= xs[2] and ys[0] <= other[1] <= ys[2]):
                            return False
        return True

    def thinned(self) -> list[Corner]:
        """Remove corners as long as any can go; return them in the order of their going."""
        order: list[Corner] = []
        heap = [(self.matter(corner), corner) for corner in self.neighbours if corner not in self.fixed]
        heapq.heapify(heap)
        current = {corner: matter for matter, corner in heap}
        floor = 0.0
        while heap:
            matter, corner = heapq.heappop(heap)
            if current.get(corner) != matter or not self.removable(corner):
                continue
            floor = max(floor, matter)
            a, b = self.neighbours.pop(corner)
            del current[corner]
            self.cells[corner[0] // self.CELL, corner[1] // self.CELL].discard(corner)
            order.append(corner)
            for one, other in ((a, b), (b, a)):
                around = self.neighbours[one]
                around[around.index(corner)] = other
            for one in (a, b):
                if one not in self.fixed:
                    current[one] = max(floor, self.matter(one)) + 1e-9
                    heapq.heappush(heap, (current[one], one))
        return order


def without(shape: Geometry, gone: set[Corner]) -> Geometry:
    """Return a shape without some of its corners."""
    polygons = []
    for polygon in parts(shape):
        outer, *holes = [
            [corner for corner in corners_of(ring) if corner not in gone]
            for ring in (polygon.exterior, *polygon.interiors)
        ]
        polygons.append(Polygon(outer, holes))
    return MultiPolygon(polygons) if len(polygons) > 1 else polygons[0]


def simplified(shapes: dict[str, Geometry], kinds: dict[str, str], data: dict[str, Any]) -> dict[str, Geometry]:
    """Drop corners, each shared line once, until the paths fit the budget."""
    order = Web(shapes, kinds, data).thinned()
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        gone = set(order[:middle])
        if sum(len(path(without(shape, gone))) for shape in shapes.values()) <= BUDGET:
            high = middle
        else:
            low = middle + 1
    gone = set(order[:low])
    best = {name: without(shape, gone) for name, shape in shapes.items()}
    if not shapely.coverage_is_valid(list(best.values())) or not all(shape.is_valid for shape in best.values()):
        sys.exit("the simplified shapes overlap or cross themselves")
    return best


# --- anchors ---------------------------------------------------------------------------------------------------------


class Room:
    """The inside of a province as a grid of pixels, to ask how much of a box lies inside."""

    def __init__(self, shape: Geometry) -> None:
        self.left, self.top, right, bottom = (int(v) for v in shape.bounds)
        wide, high = right - self.left, bottom - self.top
        inside = np.zeros((high, wide), dtype=bool)
        rings = [np.array(ring.coords) for part in parts(shape) for ring in (part.exterior, *part.interiors)]
        for row in range(high):
            level = self.top + row + 0.5
            cuts: list[float] = []
            for ring in rings:
                above = ring[:, 1] > level
                crossing = above[:-1] != above[1:]
                a, b = ring[:-1][crossing], ring[1:][crossing]
                cuts += list(a[:, 0] + (level - a[:, 1]) / (b[:, 1] - a[:, 1]) * (b[:, 0] - a[:, 0]))
            cuts.sort()
            for start, end in zip(cuts[::2], cuts[1::2], strict=True):
                inside[row, max(0, round(start) - self.left) : max(0, round(end) - self.left)] = True
        self.sums = np.pad(inside, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
        self.high, self.wide = high, wide

    def share(self, x0: Array, y0: Array, x1: Array, y1: Array) -> Array:
        """Return how much of each box lies inside, between 0 and 1."""
        area = (x1 - x0) * (y1 - y0)
        c0, c1 = (np.clip(np.asarray(x) - self.left, 0, self.wide).astype(int) for x in (x0, x1))
        r0, r1 = (np.clip(np.asarray(y) - self.top, 0, self.high).astype(int) for y in (y0, y1))
        sums = self.sums
        return np.asarray((sums[r1, c1] - sums[r0, c1] - sums[r1, c0] + sums[r0, c0]) / area)

    def grid(self, step: int) -> Array:
        """Return positions all over the bounding box."""
        xs = np.arange(self.left, self.left + self.wide + 1, step)
        ys = np.arange(self.top, self.top + self.high + 1, step)
        return np.array(np.meshgrid(xs, ys)).reshape(2, -1).T


def token_box(x: Any, y: Any) -> Any:
    """Return the box of a unit."""
    return (x - TOKEN[0] / 2, y - TOKEN[1] / 2, x + TOKEN[0] / 2, y + TOKEN[1] / 2)


def label_box(x: Any, y: Any) -> Any:
    """Return the box of a label on its baseline."""
    return (x - LABEL[0] / 2, y - BASELINE, x + LABEL[0] / 2, y - BASELINE + LABEL[1])


def mark_box(x: Any, y: Any) -> Any:
    """Return the box of a supply centre's mark."""
    return (x - MARK / 2, y - MARK / 2, x + MARK / 2, y + MARK / 2)


def overlap(a: Sequence[Any], b: Sequence[Any], gap: float = 0) -> Any:
    """Say whether two boxes overlap or come nearer than the gap; works on arrays too."""
    return (a[0] < b[2] + gap) & (b[0] < a[2] + gap) & (a[1] < b[3] + gap) & (b[1] < a[3] + gap)


def placed(
    shape: Geometry, taken: list[Box], shadows: list[Box], centre: bool, fixed: dict[str, list[int]]
) -> dict[str, list[int]]:
    """Find places for a province's unit, label and mark: all inside, apart, the unit near the middle."""
    room = Room(shape)
    grid = room.grid(2 if shape.area < 20_000 else 4 if shape.area < 60_000 else 8)
    x, y = grid[:, 0], grid[:, 1]
    hull = shape.centroid
    size = math.sqrt(shape.area)

    def crowd(boxes: Any, others: list[Box], gap: float) -> Array:
        total = np.zeros(len(x))
        for other in others:
            total += overlap(boxes, other, gap)
        return total

    unit_boxes, label_boxes, mark_boxes = token_box(x, y), label_box(x, y), mark_box(x, y)
    shadow_boxes = token_box(x + DISLODGED[0], y + DISLODGED[1])
    outer = np.array([room.share(x - 22 - m, y - 17 - m, x + 22 + m, y + 17 + m) for m in (0, 3, 8, 16, 28)])
    weights = np.array([40, 8, 6, 4, 3])
    middle = np.hypot(x - hull.x, y - hull.y) / size
    unit_score = weights @ outer + 6 * room.share(*shadow_boxes) - 4 * middle
    unit_score -= (
        80 * crowd(unit_boxes, taken, 1) + 12 * crowd(shadow_boxes, taken, 0) + 12 * crowd(unit_boxes, shadows, 0)
    )
    label_score = 40 * room.share(*label_boxes) + 6 * room.share(x - 25, y - 20, x + 25, y + 6)
    label_score -= 80 * crowd(label_boxes, taken, 1) + 12 * crowd(label_boxes, shadows, 0)
    mark_score = 40 * room.share(*mark_boxes) + 5 * room.share(x - 11, y - 11, x + 11, y + 11)
    mark_score -= 80 * crowd(mark_boxes, taken, 1) + 12 * crowd(mark_boxes, shadows, 0)

    best: tuple[float, dict[str, list[int]]] = (-math.inf, {})
    for chosen in np.argsort(-unit_score, kind="stable")[:: 1 if shape.area < 9000 else 2][:160]:
        ux, uy = fixed.get("unit", [int(x[chosen]), int(y[chosen])])
        unit = token_box(ux, uy)
        shadow = token_box(ux + DISLODGED[0], uy + DISLODGED[1])
        away = np.hypot(x - ux, (y - 7 - uy) * 1.2)
        score = label_score - away / 8 - np.abs(x - ux) / 12
        score = score - 100 * overlap(label_boxes, unit, 1) - 7 * overlap(label_boxes, shadow)
        pick = int(np.argmax(score))
        lx, ly = fixed.get("label", [int(x[pick]), int(y[pick])])
        total = float(unit_score[chosen] + score[pick])
        found = {"label": [lx, ly], "unit": [ux, uy]}
        if centre:
            away = np.hypot(x - ux, y - uy)
            score = mark_score - away / 8 - 7 * overlap(mark_boxes, shadow)
            score = score - 100 * (overlap(mark_boxes, unit, 1) | overlap(mark_boxes, label_box(lx, ly), 1))
            pick = int(np.argmax(score))
            found["centre"] = fixed.get("centre", [int(x[pick]), int(y[pick])])
            total += float(score[pick])
        if total > best[0]:
            best = (total, found)
    return best[1]


def coast_anchor(shape: Geometry, near: Array, others: list[Box]) -> list[int]:
    """Find a place for a fleet on a named coast, as near as can be to the hint."""
    room = Room(shape)
    x, y = (near[0] + np.arange(-40, 41, 2)).round(), (near[1] + np.arange(-40, 41, 2)).round()
    x, y = (axis.ravel() for axis in np.meshgrid(x, y))
    score = 40 * room.share(x - 22, y - 17, x + 22, y + 17) - np.hypot(x - near[0], y - near[1]) / 4
    for other in others:
        score = score - 100 * overlap(token_box(x, y), other, 1)
    pick = int(np.argmax(score))
    return [int(x[pick]), int(y[pick])]


def boxes_of(province: dict[str, Any]) -> dict[str, Box]:
    """Return the boxes of a province's things by name."""
    found = {"unit": token_box(*province["unit"]), "label": label_box(*province["label"])}
    if "centre" in province:
        found["centre"] = mark_box(*province["centre"])
    for coast, anchor in province.get("coasts", {}).items():
        found[coast] = token_box(*anchor)
    return found


# --- checks and output -----------------------------------------------------------------------------------------------


def check_borders(outlines: dict[str, Any], board: dict[str, Any]) -> list[str]:
    """Compare what touches (or is joined by a crossing) with what borders."""
    wanted = {
        (min(pair), max(pair))
        for borders in board["borders"].values()
        for pair in (border.replace("/", " ").split() for border in borders)
        for pair in [[name for name in pair if name in board["provinces"]]]
    }
    lengths = touching(outlines)
    crossings = {(min(a, b), max(a, b)) for a, b, *_ in outlines["crossings"]}
    trouble = [
        f"{a}-{b} touch ({length:.1f}) but do not border" for (a, b), length in lengths.items() if (a, b) not in wanted
    ]
    for a, b in sorted(wanted - crossings):
        if lengths.get((a, b), 0) < LEAST_BORDER:
            trouble.append(f"{a}-{b} border but share only {lengths.get((a, b), 0):.1f}")
    return trouble


def check_anchors(provinces: dict[str, Any], shapes: dict[str, Geometry]) -> tuple[list[str], list[str]]:
    """Return overlapping things, and things that stick out of their province."""
    trouble, outside = [], []
    things = [(name, what, at) for name, province in provinces.items() for what, at in boxes_of(province).items()]
    for index, (name, what, at) in enumerate(things):
        for other, that, there in things[index + 1 :]:
            same_place = name == other and len({"unit", "NC", "SC", "EC"} & {what, that}) == len({what, that})
            if not same_place and overlap(at, there):
                trouble.append(f"{name} {what} overlaps {other} {that}")
        share = shapes[name].intersection(box(*at)).area / box(*at).area
        if share < 0.995:
            outside.append(f"{name} {what} {share:.2f}")
    return trouble, outside


def written(outlines: dict[str, Any]) -> str:
    """Write the outlines as YAML, one province a line."""

    def flow(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(flow, value)) + "]"
        return str(value)

    lines = ["# Written by draw/draw.py. Coastlines: Natural Earth (public domain).", f"size: {flow(outlines['size'])}"]
    lines.append("provinces:")
    for name, province in outlines["provinces"].items():
        rest = {key: value for key, value in province.items() if key != "path"}
        lines.append(f'  {name}: {{path: "{province["path"]}", {flow(rest)[1:]}')
    lines.append("neutral:")
    lines += [f'  - {{name: {shape["name"]}, path: "{shape["path"]}"}}' for shape in outlines["neutral"]]
    lines.append("crossings:" if outlines["crossings"] else "crossings: []")
    lines += [f"  - {flow(crossing)}" for crossing in outlines["crossings"]]
    return "\n".join(lines) + "\n"


def preview(outlines: dict[str, Any], board: dict[str, Any]) -> str:
    """Draw the board plainly, with every anchor, to look at."""
    width, height = outlines["size"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">']
    out.append("<style>text{font:600 22px 'DejaVu Sans Condensed',sans-serif;text-anchor:middle;fill:#222}</style>")
    out.append('<g stroke="#444" stroke-width="1.3" stroke-linejoin="round">')
    rules = board["provinces"]
    for name, province in outlines["provinces"].items():
        colour = PASTELS.get(rules[name].get("home", ""), "#f3ead2")
        line = ""
        if rules[name]["kind"] == "sea":
            colour, line = "#c4dff0", ' stroke="#7fa6c2"'
        out.append(f'<path fill="{colour}"{line} d="{province["path"]}"/>')
    for name, province in outlines["provinces"].items():
        if rules[name]["kind"] != "sea":
            out.append(f'<path fill="none" d="{province["path"]}"/>')
    for shape in outlines["neutral"]:
        out.append(f'<path fill="{"#a9c8dc" if "Sea" in shape["name"] else "#cfcdc6"}" d="{shape["path"]}"/>')
    out.append("</g>")
    for name, province in outlines["provinces"].items():
        x, y = province["unit"]
        tokens = [(x + DISLODGED[0], y + DISLODGED[1], 'fill="none" stroke="#a00" opacity=".3"')]
        tokens.append((x, y, 'fill="#555" opacity=".45"'))
        tokens += [(x, y, 'fill="none" stroke="#063" opacity=".6"') for x, y in province.get("coasts", {}).values()]
        for x, y, style in tokens:
            left, top, right, bottom = token_box(x, y)
            out.append(
                f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" rx="9" {style}/>'
            )
        out.append(f'<text x="{province["label"][0]}" y="{province["label"][1]}">{name}</text>')
        if "centre" in province:
            x, y = province["centre"]
            out.append(f'<circle cx="{x}" cy="{y}" r="6" fill="#fff" stroke="#222" stroke-width="3"/>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main() -> None:
    """Draw, check, write."""
    arguments = argparse.ArgumentParser(description="Draw the standard board.")
    arguments.add_argument("land", type=Path, help="land-50m.json of world-atlas")
    arguments.add_argument("--preview", type=Path, help="also write a plain SVG picture to look at")
    options = arguments.parse_args()
    yaml = YAML(typ="safe")
    data = yaml.load((HERE / "borders.yaml").read_text(encoding="utf-8"))
    board = yaml.load((HERE.parent / "board.yaml").read_text(encoding="utf-8"))
    rules = board["provinces"]
    kinds = {name: rule["kind"] for name, rule in rules.items()}
    shapes = simplified(partition(data, kinds, options.land), kinds, data)

    plane = Plane(data)
    taken: list[Box] = []
    shadows: list[Box] = []
    provinces: dict[str, Any] = {}
    for name in sorted(rules, key=lambda name: (shapes[name].area, name)):
        fixed = data["anchors"].get(name, {})
        found = placed(shapes[name], taken, shadows, rules[name].get("centre", False), fixed)
        province: dict[str, Any] = {"path": path(shapes[name]), **found}
        solid = [at for what, at in boxes_of(province).items() if what != "unit"]
        for coast in rules[name].get("coasts", []):
            hint = plane(data["coasts"][name][coast])[0]
            province.setdefault("coasts", {})[coast] = coast_anchor(shapes[name], hint, solid + taken)
        provinces[name] = province
        taken += boxes_of(province).values()
        shadows.append(token_box(found["unit"][0] + DISLODGED[0], found["unit"][1] + DISLODGED[1]))
    outlines = {
        "size": data["canvas"],
        "provinces": {name: provinces[name] for name in sorted(provinces)},
        "neutral": [{"name": name, "path": path(shapes[name])} for name in data["neutral"] if name in shapes],
        "crossings": data["crossings"],
    }
    size = sum(len(shape["path"]) for shape in (*provinces.values(), *outlines["neutral"]))
    corners = sum(shapely.get_num_coordinates(shape) for shape in shapes.values())
    print(f"{size} characters of paths, {corners} corners")
    trouble = check_borders(outlines, board)
    crowded, outside = check_anchors(outlines["provinces"], shapes)
    print("sticking out:", ", ".join(outside) or "nothing")
    if options.preview:
        options.preview.write_text(preview(outlines, board), encoding="utf-8", newline="\n")
    if trouble or crowded:
        sys.exit("\n".join(trouble + crowded))
    (HERE.parent / "outlines.yaml").write_text(written(outlines), encoding="utf-8", newline="\n")
    print("every border drawn, nothing else touches, no anchors overlap: outlines.yaml is written")


if __name__ == "__main__":
    main()
