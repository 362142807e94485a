"""Shared parts of the tools that draw boards: plane, partition into provinces, thinning, room for anchors, output.

Coastlines: Natural Earth (public domain), land as TopoJSON, from the npm package "world-atlas" 2.0.2. The borders of the
provinces on land and at sea are this project's own, and lie in the YAML file beside the board's module.
"""

from __future__ import annotations

import hashlib
import heapq
import itertools
import json
import math
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import shapely
from ruamel.yaml import YAML
from shapely import Geometry, LineString, MultiPolygon, Point, Polygon, box

from adjudicator.core.contract.ruleset import RULESETS
from tests.tools.boards.touching import shared_lengths

HERE = Path(__file__).parent
EARTH = 6371.0
"""Radius in kilometres."""
LARGE_SCRAP = 60.0
"""From this area on, the tool prints the new owner of a face that nobody owned."""
UNITS = frozenset({"unit", "NC", "SC", "EC"})
"""Boxes of a province's units, which may overlap: only one unit is there at a time."""

Array: TypeAlias = Any
"""A numpy array; numpy's types are not read, see pyproject.toml."""
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom; in searches each is an array."""
Corner: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Anchors:
    """Places of a province's things: for outlines.yaml, as boxes, and the box of a dislodged unit."""

    points: dict[str, Any]
    boxes: dict[str, Box]
    dislodged: Box


@dataclass(frozen=True)
class Board:
    """A board to draw: its sources, and the parts of the drawing that only it has."""

    name: str
    ruleset: str
    map: str
    """The file of world-atlas with its land."""
    budget: int
    """Most characters of path data."""
    least_border: float
    """Least length of a shared line."""
    plane: Callable[[dict[str, Any]], Any]
    anchors: Callable[[str, Geometry, dict[str, Any], dict[str, Any], Any, Crowd], Anchors]
    """Province's code, shape and rules, board's data and plane, crowd of other provinces -> anchors."""
    partition: Callable[[dict[str, Any], dict[str, Any], Any, Path], dict[str, Geometry]]
    """Board's data, rules of its provinces, plane and map -> all shapes."""

    @property
    def folder(self) -> Path:
        """Folder of its board.yaml and outlines.yaml."""
        return RULESETS / self.ruleset / "boards" / self.name


# --- the plane --------------------------------------------------------------------------------------------------------


class Plane:
    """From degrees to the canvas: an equal-area projection, squeezed at the rim, magnified here and there."""

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

    def _plane(self, degrees: Array) -> Array:
        longitude, latitude = np.radians(degrees[:, 0] - self.centre[0]), np.radians(degrees[:, 1])
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

    def __call__(self, degrees: Any) -> Array:
        """Canvas positions for an array of [longitude, latitude]."""
        plane = self._plane(np.asarray(degrees, dtype=float).reshape(-1, 2))
        return np.column_stack([(plane[:, 0] - self.left) * self.scale, (self.top - plane[:, 1]) * self.scale])


# --- coastlines ------------------------------------------------------------------------------------------------------


def land_polygons(path: Path) -> Iterator[Geometry]:
    """Yields the land of a TopoJSON file, in degrees, polygon by polygon."""
    topology = json.loads(path.read_text(encoding="utf-8"))
    scale, shift = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [np.cumsum(np.array(arc, dtype=float), axis=0) * scale + shift for arc in topology["arcs"]]

    def ring(indices: Iterable[int]) -> Array:
        pieces = [arcs[index] if index >= 0 else arcs[~index][::-1] for index in indices]
        corners = np.concatenate([pieces[0], *(piece[1:] for piece in pieces[1:])])
        longitude = np.unwrap(corners[:, 0], period=360)  # a ring may cross the antimeridian
        return np.column_stack([longitude - 360 * np.round(longitude.mean() / 360), corners[:, 1]])

    def polygons(shape: dict[str, Any]) -> Iterator[Geometry]:
        if shape["type"] == "GeometryCollection":
            for member in shape["geometries"]:
                yield from polygons(member)
        for polygon in [shape["arcs"]] if shape["type"] == "Polygon" else shape.get("arcs", []):
            outer, *holes = [ring(indices) for indices in polygon]
            yield Polygon(outer, holes)

    yield from polygons(topology["objects"]["land"])


def coastlines(path: Path) -> Geometry:
    """The land of a TopoJSON file, cut to a region well beyond the boards of Europe."""
    region = box(-60, 18, 85, 82)
    return shapely.union_all([polygon.buffer(0).intersection(region) for polygon in land_polygons(path)])


def smooth(land: Geometry, by: float) -> Geometry:
    """The land without inlets and spits narrower than twice this width."""
    style: dict[str, Any] = {"join_style": "round", "quad_segs": 3}
    return land.buffer(by, **style).buffer(-by * 2, **style).buffer(by, **style)


# --- lines -----------------------------------------------------------------------------------------------------------


def wiggle(points: Array, name: str, share: float) -> Array:
    """A line with its midpoints moved sideways, the same way each time for the same name."""
    dice = random.Random(int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big"))

    def halve(start: Array, end: Array) -> list[Array]:
        across = end - start
        length = math.hypot(*across)
        if length < 6:
            return [end]
        aside = np.array([-across[1], across[0]]) * (dice.uniform(-share, share) * (1 if length < 90 else 0.4))
        middle = (start + end) / 2 + aside
        return halve(start, middle) + halve(middle, end)

    line = [points[0]]
    for start, end in itertools.pairwise(points):
        line += halve(start, end)
    return np.array(line)


def curve(points: Array) -> Array:
    """A smooth curve (Catmull-Rom) through the points."""
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    steps = np.linspace(0, 1, 9)[:-1, None]
    pieces = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        bend = (2 * a - 5 * b + 4 * c - d) * steps**2 + (3 * b - a - 3 * c + d) * steps**3
        pieces.append(b + ((c - a) * steps + bend) / 2)
    return np.vstack([*pieces, points[-1]])


# --- the partition ----------------------------------------------------------------------------------------------------


def parts(shape: Geometry) -> list[Polygon]:
    """The polygons of a polygon or multipolygon."""
    return [part for part in shapely.get_parts(shape) if isinstance(part, Polygon)]


def shore(data: dict[str, Any], plane: Plane, land_file: Path, dry: list[Point], wet: list[Point]) -> Geometry:
    """Land on the canvas that holds a dry seed, with only those lakes that hold a wet seed."""
    canvas = box(0, 0, plane.width, plane.height)
    world = shapely.transform(coastlines(land_file), plane).buffer(0)
    land = smooth(world.intersection(canvas.buffer(60)), data["smooth"])
    land = land.union(shapely.union_all([Polygon(plane(corners)) for corners in data["fill"].values()]))
    land = land.difference(shapely.union_all([Polygon(plane(corners)) for corners in data["cut"].values()]))
    land = land.intersection(canvas)
    kept = shapely.multipoints([*dry, *wet])
    lakes = [Polygon(hole) for part in parts(land) for hole in part.interiors]
    land = land.union(shapely.union_all([lake for lake in lakes if not lake.intersects(kept)]))
    return MultiPolygon([part for part in parts(land) if part.intersects(shapely.multipoints(dry))])


def faces_between(data: dict[str, Any], plane: Plane, land: Geometry) -> list[Polygon]:
    """The canvas, cut along the shore and all borders, on whole numbers."""
    canvas = box(0, 0, plane.width, plane.height)
    lines: list[Geometry] = [land.boundary, canvas.boundary]
    nodes = data["nodes"]
    for name, corners in data["land"].items():
        points = plane([nodes[corner] if isinstance(corner, str) else corner for corner in corners])
        lines.append(LineString(wiggle(points, name, data["wiggle"])).intersection(land))
    seas = [LineString(curve(plane(corners))) for corners in data["sea"].values()]
    lines += [sea.intersection(canvas).difference(land) for sea in seas]
    web = shapely.get_parts(shapely.union_all(lines, grid_size=1))
    return sorted(parts(shapely.polygonize(web)), key=lambda face: face.normalize().wkt)


def give_scrap(faces: list[Polygon], owners: list[str], kinds: dict[str, str], land: Geometry) -> None:
    """Gives one ownerless face to the neighbour with most of its edge, land to land and sea to sea if possible."""
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


def partition(data: dict[str, Any], rules: dict[str, Any], plane: Plane, land_file: Path) -> dict[str, Geometry]:
    """The shapes of provinces and neutral areas, which cover the canvas; all corners are whole numbers."""
    kinds = {code: rule["kind"] for code, rule in rules.items()}
    canvas = box(0, 0, plane.width, plane.height)
    positions = data["seeds"] | data["neutral"]
    seeds = {
        owner: [spot for spot in map(Point, plane(positions[owner])) if canvas.contains(spot)] for owner in positions
    }
    dry = [spot for owner, spots in seeds.items() if kinds.get(owner) != "sea" for spot in spots]
    wet = [spot for owner, spots in seeds.items() if kinds.get(owner) == "sea" for spot in spots]
    land = shore(data, plane, land_file, dry, wet)
    faces = faces_between(data, plane, land)

    owners: list[str] = []
    faults = [
        f"a seed of {code} is {'on land' if kind == 'sea' else 'in the sea'}"
        for code, kind in kinds.items()
        for spot in seeds[code]
        if (kind == "sea") == land.contains(spot)
    ]
    for face in faces:
        here = sorted({owner for owner, spots in seeds.items() if any(face.contains(spot) for spot in spots)})
        if len(here) > 1:
            faults.append(f"one face holds {', '.join(here)}")
        owners.append(here[0] if here else "")
    faults += [f"{owner} has no face" for owner in seeds if owner not in owners]
    if faults:
        sys.exit("\n".join(faults))
    while "" in owners:
        give_scrap(faces, owners, kinds, land)
    return {
        owner: shapely.coverage_union_all([face for face, other in zip(faces, owners, strict=True) if other == owner])
        for owner in seeds
    }


# --- paths and corners ------------------------------------------------------------------------------------------------


def path_of(shape: Geometry) -> str:
    """A shape as a path: M with absolute, l with relative whole numbers."""
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


def corners_of(ring: Geometry) -> list[Corner]:
    """The corners of a closed ring, the first one once."""
    return [(round(x), round(y)) for x, y in ring.coords[:-1]]


class Web:
    """All outlines as one web of corners, thinned by Visvalingam's method: the least important corner goes first.

    A corner's importance is the area of the triangle with its neighbours; sharp spikes and plain regions count less.
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
                        for here, there in ((corner, after), (after, corner)):
                            if there not in self.neighbours.setdefault(here, []):
                                self.neighbours[here].append(there)
                        self.weight[corner] = min(self.weight.get(corner, 9.0), detail.get(name, 1.0))
                        at_sea[corner] = at_sea.get(corner, True) and kinds.get(name) == "sea"
        self.weight.update((corner, detail["at sea"]) for corner, wet in at_sea.items() if wet)
        self.fixed = {corner for corner, around in self.neighbours.items() if len(around) != 2}
        self.fixed |= {(x, y) for x in (0, size[0]) for y in (0, size[1])}
        self.cells: dict[Corner, set[Corner]] = {}
        for corner in self.neighbours:
            self.cells.setdefault((corner[0] // self.CELL, corner[1] // self.CELL), set()).add(corner)

    def matter(self, corner: Corner) -> float:
        """Importance of a corner."""
        (ax, ay), (bx, by) = self.neighbours[corner]
        ux, uy, vx, vy = ax - corner[0], ay - corner[1], bx - corner[0], by - corner[1]
        cosine = (ux * vx + uy * vy) / (math.hypot(ux, uy) * math.hypot(vx, vy))
        return abs(ux * vy - uy * vx) / 2 * (1 - 0.7 * cosine) * self.weight[corner]

    def removable(self, corner: Corner) -> bool:
        """True if a corner's neighbours can be joined directly."""
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

    def thin(self) -> list[Corner]:
        """Removes corners as long as any can go; returns them in order of removal."""
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
            for here, there in ((a, b), (b, a)):
                around = self.neighbours[here]
                around[around.index(corner)] = there
            for here in (a, b):
                if here not in self.fixed:
                    current[here] = max(floor, self.matter(here)) + 1e-9
                    heapq.heappush(heap, (current[here], here))
        return order


def without(shape: Geometry, gone: set[Corner]) -> Geometry:
    """A shape without some of its corners."""
    polygons = []
    for polygon in parts(shape):
        outer, *holes = [
            [corner for corner in corners_of(ring) if corner not in gone]
            for ring in (polygon.exterior, *polygon.interiors)
        ]
        polygons.append(Polygon(outer, holes))
    return MultiPolygon(polygons) if len(polygons) > 1 else polygons[0]


def simplify(
    shapes: dict[str, Geometry], kinds: dict[str, str], data: dict[str, Any], budget: int
) -> dict[str, Geometry]:
    """The shapes with so few corners that their paths fit the budget; each shared line is thinned once."""
    order = Web(shapes, kinds, data).thin()
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        gone = set(order[:middle])
        if sum(len(path_of(without(shape, gone))) for shape in shapes.values()) <= budget:
            high = middle
        else:
            low = middle + 1
    gone = set(order[:low])
    simple = {name: without(shape, gone) for name, shape in shapes.items()}
    if not shapely.coverage_is_valid(list(simple.values())) or not all(shape.is_valid for shape in simple.values()):
        sys.exit("the simplified shapes overlap or cross themselves")
    return simple


# --- room for anchors -------------------------------------------------------------------------------------------------


class Room:
    """The inside of a province as a grid of pixels, to measure how much of a box lies inside."""

    def __init__(self, shape: Geometry) -> None:
        self.left, self.top, right, bottom = (int(v) for v in shape.bounds)
        wide, high = right - self.left, bottom - self.top
        inside: Array = np.zeros((high, wide), dtype=bool)
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
        """Share of each box that lies inside, from 0 to 1."""
        area = (x1 - x0) * (y1 - y0)
        c0, c1 = (np.clip(np.asarray(x) - self.left, 0, self.wide).astype(int) for x in (x0, x1))
        r0, r1 = (np.clip(np.asarray(y) - self.top, 0, self.high).astype(int) for y in (y0, y1))
        sums = self.sums
        return np.asarray((sums[r1, c1] - sums[r0, c1] - sums[r1, c0] + sums[r0, c0]) / area)

    def grid(self, step: int) -> Array:
        """Positions all over the bounding box, `step` units apart."""
        xs = np.arange(self.left, self.left + self.wide + 1, step)
        ys = np.arange(self.top, self.top + self.high + 1, step)
        return np.array(np.meshgrid(xs, ys)).reshape(2, -1).T


class Crowd:
    """Boxes of the things, and of the dislodged units, in the provinces placed so far."""

    def __init__(self) -> None:
        self.things: list[Box] = []
        self.dislodged: list[Box] = []

    def add(self, anchors: Anchors) -> None:
        """Adds the things of another province."""
        self.things += anchors.boxes.values()
        self.dislodged.append(anchors.dislodged)


def box_around(x: Any, y: Any, wide: float, high: float, margin: float = 0) -> Any:
    """The box of a thing about its middle, with a margin; works on arrays too."""
    return (x - wide / 2 - margin, y - high / 2 - margin, x + wide / 2 + margin, y + high / 2 + margin)


def overlap(a: Sequence[Any], b: Sequence[Any], gap: float = 0) -> Any:
    """True if two boxes overlap or come nearer than the gap; works on arrays too."""
    return (a[0] < b[2] + gap) & (b[0] < a[2] + gap) & (a[1] < b[3] + gap) & (b[1] < a[3] + gap)


def crowding(boxes: Sequence[Array], others: list[Box], gap: float) -> Array:
    """For each box, the number of others that it overlaps, or comes nearer to than the gap."""
    total = np.zeros(len(boxes[0]))
    for other in others:
        total += overlap(boxes, other, gap)
    return total


# --- checks and output -----------------------------------------------------------------------------------------------


def border_faults(outlines: Mapping[str, Any], rules: Mapping[str, Any], least: float) -> list[str]:
    """Provinces that touch but do not border, or that border but share too short a line and no crossing."""
    borders = {
        (min(codes), max(codes))
        for pairs in rules["borders"].values()
        for pair in pairs
        for codes in [[code for code in pair.replace("/", " ").split() if code in rules["provinces"]]]
    }
    lengths = shared_lengths(outlines)
    crossings = {(min(a, b), max(a, b)) for a, b, *_ in outlines["crossings"]}
    return [
        *(
            f"{a}-{b} touch ({length:.1f}) but do not border"
            for (a, b), length in lengths.items()
            if (a, b) not in borders
        ),
        *(
            f"{a}-{b} border but share only {lengths.get((a, b), 0):.1f}"
            for a, b in sorted(borders - crossings)
            if lengths.get((a, b), 0) < least
        ),
    ]


def anchor_faults(things: Mapping[str, Anchors], shapes: dict[str, Geometry]) -> tuple[list[str], list[str]]:
    """Things that overlap, and things that stick out of their province."""
    boxes = [(code, what, at) for code, anchors in things.items() for what, at in anchors.boxes.items()]
    overlaps = [
        f"{code} {what} overlaps {other} {that}"
        for (code, what, at), (other, that, there) in itertools.combinations(boxes, 2)
        if overlap(at, there) and not (code == other and {what, that} <= UNITS)
    ]
    shares = [(code, what, shapes[code].intersection(box(*at)).area / box(*at).area) for code, what, at in boxes]
    return overlaps, [f"{code} {what} {share:.2f}" for code, what, share in shares if share < 0.995]


def outlines_text(outlines: dict[str, Any]) -> str:
    """The outlines as YAML, one line per province."""

    def flow(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key}: {flow(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(flow, value)) + "]"
        return str(value)

    lines = [
        "# Written by tests/tools/boards. Coastlines: Natural Earth (public domain).",
        f"size: {flow(outlines['size'])}",
    ]
    lines.append("provinces:")
    for name, province in outlines["provinces"].items():
        rest = {key: value for key, value in province.items() if key != "path"}
        lines.append(f'  {name}: {{path: "{province["path"]}", {flow(rest)[1:]}')
    lines.append("neutral:")
    lines += [f'  - {{name: {shape["name"]}, path: "{shape["path"]}"}}' for shape in outlines["neutral"]]
    lines.append("crossings:" if outlines["crossings"] else "crossings: []")
    lines += [f"  - {flow(crossing)}" for crossing in outlines["crossings"]]
    return "\n".join(lines) + "\n"


def sketch(outlines: dict[str, Any], rules: dict[str, Any], things: Mapping[str, Anchors]) -> str:
    """An SVG of the board with every anchor's box, to look at."""
    width, height = outlines["size"]
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">']
    svg.append("<style>text{font:600 22px 'DejaVu Sans Condensed',sans-serif;text-anchor:middle;fill:#222}</style>")
    svg.append('<g stroke="#444" stroke-width="1.3" stroke-linejoin="round">')
    for code, province in outlines["provinces"].items():
        colour = "#c4dff0" if rules["provinces"][code]["kind"] == "sea" else "#f3ead2"
        svg.append(f'<path fill="{colour}" d="{province["path"]}"/>')
    svg += [f'<path fill="#cfcdc6" d="{shape["path"]}"/>' for shape in outlines["neutral"]]
    svg.append('</g><g fill="none">')
    for anchors in things.values():
        for (left, top, right, bottom), colour in [(at, "#063") for at in anchors.boxes.values()] + [
            (anchors.dislodged, "#a00")
        ]:
            svg.append(
                f'<rect x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}" stroke="{colour}"/>'
            )
    svg.append("</g>")
    for code, province in outlines["provinces"].items():
        svg.append(f'<text x="{province["label"][0]}" y="{province["label"][1]}">{code}</text>')
    return "\n".join([*svg, "</svg>"]) + "\n"


def draw(board: Board, land_file: Path, picture: Path | None) -> None:
    """Writes the board's outlines.yaml and, if asked, a sketch of it; ends with the faults if there are any."""
    yaml = YAML(typ="safe")
    data = yaml.load((HERE / f"{board.name}.yaml").read_text(encoding="utf-8"))
    rules = yaml.load((board.folder / "board.yaml").read_text(encoding="utf-8"))
    kinds = {code: rule["kind"] for code, rule in rules["provinces"].items()}
    plane = board.plane(data)
    shapes = simplify(board.partition(data, rules["provinces"], plane, land_file), kinds, data, board.budget)
    paths = {name: path_of(shape) for name, shape in shapes.items()}

    crowd = Crowd()
    things: dict[str, Anchors] = {}
    for code in sorted(kinds, key=lambda code: (shapes[code].area, code)):
        things[code] = board.anchors(code, shapes[code], rules["provinces"][code], data, plane, crowd)
        crowd.add(things[code])
    things = {code: things[code] for code in sorted(things)}
    outlines = {
        "size": data["canvas"],
        "provinces": {code: {"path": paths[code], **anchors.points} for code, anchors in things.items()},
        "neutral": [{"name": name, "path": path} for name, path in paths.items() if name not in kinds],
        "crossings": data.get("crossings", []),
    }
    corners = sum(shapely.get_num_coordinates(shape) for shape in shapes.values())
    print(f"{sum(map(len, paths.values()))} characters of paths, {corners} corners")
    overlaps, outside = anchor_faults(things, shapes)
    print("sticking out:", ", ".join(outside) or "nothing")
    if picture is not None:
        picture.write_text(sketch(outlines, rules, things), encoding="utf-8", newline="\n")
    if faults := border_faults(outlines, rules, board.least_border) + overlaps:
        sys.exit("\n".join(faults))
    (board.folder / "outlines.yaml").write_text(outlines_text(outlines), encoding="utf-8", newline="\n")
    print("every border drawn, nothing else touches, no anchors overlap: outlines.yaml is written")
