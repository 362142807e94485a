"""The board of the nine worlds, drawn: 88 provinces about the pole, on the land of world-atlas' land-50m.json.

Different from the other boards: nobody drew its borders. Each province grows from its towns over land or water until it
meets the next one, on a grid of 10 km, and the lines between are traced. Then the disc is stretched until every
province has the room that its pieces need. There is room for the mark of a general beside a unit, as on the board of the
taifas, and for two crowns beside a supply centre.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely import Geometry, LineString, MultiLineString, Polygon, box

from tests.tools.boards import common, taifas
from tests.tools.boards.common import EARTH, Anchors, Array, Board, Crowd, box_around, parts

STEP, REACH = 10.0, 4500.0
"""The side of a cell, and how far the grid reaches from the pole, in kilometres."""
CELLS = round(2 * REACH / STEP)
SCRAP = 90
"""Pieces of fewer cells are not drawn."""
STEPS = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
SLIVER = 60
"""Faces of less than this on the canvas belong to what they lie at."""
FRAME = "the frame"
"""What lies beyond the disc, among the neutral shapes."""
HALF = 14
"""Half the size of a supply centre's mark with the ring of a capital."""
CROWN = (21, 17)
"""The size of a crown, and of the gap beside it."""
POOL, MESH = 1.3, 256
"""Half the side of the square that the disc with radius 1 flows in, and how many cells its side has."""
BLUR, STEEPEST, STROKES = 3.0, 2.0, 24
"""Cells that crowds are blurred by, how much more crowded than usual a place may count as, and the steps of a flow."""
CIRCLE = np.radians(np.arange(720) / 2)
"""The angles at which the rim of the disc is looked at."""


# --- the grid ---------------------------------------------------------------------------------------------------------


def polar(degrees: Any) -> Array:
    """Kilometres from the pole for an array of [longitude, latitude], equal areas, the meridian of Greenwich downward."""
    longitude, latitude = np.radians(np.asarray(degrees, dtype=float).reshape(-1, 2)).T
    away = 2 * EARTH * np.sin((math.pi / 2 - latitude) / 2)
    return np.column_stack([away * np.sin(longitude), -away * np.cos(longitude)])


def middles() -> tuple[Array, Array]:
    """The middles of all cells, in kilometres from the pole."""
    along = (np.arange(CELLS) + 0.5) * STEP - REACH
    x, y = np.meshgrid(along, along[::-1])
    return x, y


def contains(shape: Geometry) -> Array:
    """Which cells have their middle in a shape."""
    x, y = middles()
    shapely.prepare(shape)
    return shapely.contains_xy(shape, x.ravel(), y.ravel()).reshape(CELLS, CELLS)


def played(data: dict[str, Any]) -> Array:
    """Which cells are on the board: those north of a parallel, and of another one between two meridians."""
    x, y = middles()
    latitude = 90 - 2 * np.degrees(np.arcsin(np.clip(np.hypot(x, y) / (2 * EARTH), 0, 1)))
    longitude = np.degrees(np.arctan2(x, -y))
    west, east = data["south"]["between"]
    south = (longitude > west) & (longitude < east)
    return np.asarray((latitude >= data["north of"]) | (south & (latitude >= data["south"]["north of"])))


def grow(owner: Array, ground: Array, towns: dict[int, Array]) -> None:
    """Gives each cell of the ground to the province whose town is nearest, by ways over this ground alone."""
    away = np.full((CELLS, CELLS), np.inf)
    queue: list[tuple[float, int, int, int]] = []
    rows, columns = np.nonzero(ground)
    for number, places in towns.items():
        for x, y in places:
            row, column = int((REACH - y) // STEP), int((x + REACH) // STEP)
            far = np.maximum(abs(rows - row), abs(columns - column)) * 1000 + abs(rows - row) + abs(columns - column)
            near = min(
                (int(far[at]), int(rows[at]), int(columns[at])) for at in np.flatnonzero(far == far.min()).tolist()
            )
            away[near[1:]] = 0
            heapq.heappush(queue, (0.0, *near[1:], number))
    while queue:
        come, row, column, number = heapq.heappop(queue)
        if owner[row, column] != -1:
            continue
        owner[row, column] = number
        for down, across in STEPS:
            to = (row + down, column + across)
            if not (0 <= to[0] < CELLS and 0 <= to[1] < CELLS) or not ground[to] or owner[to] != -1:
                continue
            if down and across and not (ground[row, to[1]] or ground[to[0], column]):
                continue
            length = come + (1.414 if down and across else 1)
            if length < away[to]:
                away[to] = length
                heapq.heappush(queue, (length, *to, number))


def grown(data: dict[str, Any], kinds: dict[str, str], land_file: Path) -> tuple[Array, list[str]]:
    """The number of each cell's owner, -1 for none, and the owners' names by number."""
    names = list(data["towns"])
    land = shapely.union_all(
        [
            shapely.make_valid(shapely.transform(polygon, polar))
            for polygon in common.land_polygons(land_file)
            if polygon.bounds[3] >= 45
        ]
    )
    ice = [Polygon(polar(corners)).buffer(0) for corners in data["ice"]]
    dry, on_board = contains(land), played(data)
    for sheet in ice:
        dry |= contains(sheet)
    owner: Array = np.full((CELLS, CELLS), -1)
    towns = {number: polar(data["towns"][name]) for number, name in enumerate(names)}
    grow(owner, dry & on_board, {at: towns[at] for at in towns if kinds[names[at]] != "sea"})
    dry &= ~on_board | (owner != -1)  # islands without a town are not drawn
    grow(owner, ~dry & on_board, {at: towns[at] for at in towns if kinds[names[at]] == "sea"})
    return owner, names


def draw_by_hand(owner: Array, names: list[str], data: dict[str, Any]) -> None:
    """Gives round patches of the grid to whom the data say, those of one province alone if they say so too."""
    x, y = middles()
    for name, longitude, latitude, radius, *others in data["patches"]:
        if name not in names:
            names.append(name)
        middle = polar([[longitude, latitude]])[0]
        near = np.hypot(x - middle[0], y - middle[1]) < radius
        theirs = np.isin(owner, [names.index(other) for other in others]) if others else owner >= 0
        owner[near & theirs] = names.index(name)


# --- the disc ---------------------------------------------------------------------------------------------------------


def rim(angles: Array, data: dict[str, Any]) -> Array:
    """How far from the pole the disc reaches, in kilometres, by the angle [x, y] in the plane: farther south between two meridians."""
    longitude = np.degrees(angles) + 90
    west, east = data["south"]["between"]
    past = (longitude - west) % 360
    into = np.clip(np.minimum(past, east - west - past) / data["south"]["soft"], 0, 1)
    near, far = (
        2 * EARTH * math.sin(math.radians(90 - parallel) / 2)
        for parallel in (data["north of"], data["south"]["north of"])
    )
    return np.asarray(near + (far - near) * into**2 * (3 - 2 * into) - STEP)


def fill(owner: Array, data: dict[str, Any]) -> None:
    """Gives lakes to the land around them, and goes on with every province beyond the rim, so that it can be cut clean."""
    x, y = middles()
    away, angles = np.hypot(x, y), np.arctan2(y, x)
    reach = rim(angles, data)
    held = (reach - 2.5 * STEP) / away
    rows, columns = ((REACH - y * held) // STEP).astype(int), ((x * held + REACH) // STEP).astype(int)
    take = (owner == -1) & (away > reach - 2 * STEP) & (away < reach + 8 * STEP)
    owner[take] = owner[rows[take], columns[take]]
    while (lakes := (owner == -1) & (away < reach + 7 * STEP)).any():
        before = owner.copy()
        for down, across in STEPS:
            near = np.roll(before, (down, across), axis=(0, 1))
            take = lakes & (owner == -1) & (near >= 0)
            owner[take] = near[take]


def settle_coasts(owner: Array, reach: int, times: int) -> None:
    """Gives each cell to whom most cells around it belong, so often: no rags stay, of islets, inlets and spits."""
    steps = [
        (down, across)
        for down, across in itertools.product(range(-reach, reach + 1), repeat=2)
        if down**2 + across**2 <= reach**2 + 1
    ]
    for _ in range(times):
        best, most = owner.copy(), np.zeros(owner.shape, dtype=int)
        around = np.array([np.roll(owner, step, axis=(0, 1)) for step in steps])
        for number in np.unique(owner).tolist():
            count = (around == number).sum(axis=0) + 0.5 * (owner == number)
            better = count > most
            best[better], most = number, np.maximum(most, count)
        owner[owner >= 0] = np.where(best >= 0, best, owner)[owner >= 0]


def sweep(owner: Array) -> None:
    """Gives what hangs together by fewer than so many cells to who has most of its edge."""
    seen = owner < 0
    for start in np.argwhere(~seen).tolist():
        if seen[tuple(start)]:
            continue
        number, found, edge = owner[tuple(start)], [tuple(start)], dict[int, int]()
        seen[tuple(start)] = True
        for row, column in found:
            for to in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                if owner[to] != number:
                    edge[int(owner[to])] = edge.get(int(owner[to]), 0) + 1
                elif not seen[to]:
                    seen[to] = True
                    found.append(to)
        if len(found) < SCRAP:
            owner[tuple(np.array(found).T)] = max(edge, key=lambda other: (edge[other], other))


def sides_of(owner: Array) -> tuple[list[Geometry], list[tuple[int, int]]]:
    """The lines between provinces, in kilometres, each from corner to corner where three meet, with those beside it."""
    beside: dict[tuple[float, float], tuple[int, int]] = {}
    pieces = []
    for axis, (one, other) in enumerate(((owner[:, :-1], owner[:, 1:]), (owner[:-1], owner[1:]))):
        for row, column in np.argwhere(one != other).tolist():
            a = (column + 1, row) if axis == 0 else (column, row + 1)
            b = (column + 1, row + 1)
            pieces.append((a, b))
            pair = (int(one[row, column]), int(other[row, column]))
            beside[(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] = (min(pair), max(pair))
    arcs = shapely.get_parts(shapely.line_merge(MultiLineString(pieces)))
    pairs = []
    for arc in arcs:
        (ax, ay), (bx, by) = arc.coords[:2]
        pairs.append(beside[(ax + bx) / 2, (ay + by) / 2])
    return [shapely.transform(arc, lambda at: at * (STEP, -STEP) + (-REACH, REACH)) for arc in arcs], pairs


def soften(line: Geometry, times: int) -> Geometry:
    """A line without its stairs: each corner goes halfway to the middle of its neighbours, so often; ends stay."""
    corners = np.array(line.coords)
    closed = (corners[0] == corners[-1]).all()
    for _ in range(times):
        if closed:
            ring = corners[:-1]
            ring = (np.roll(ring, 1, axis=0) + 2 * ring + np.roll(ring, -1, axis=0)) / 4
            corners = np.vstack([ring, ring[:1]])
        else:
            corners[1:-1] = (corners[:-2] + 2 * corners[1:-1] + corners[2:]) / 4
    return LineString(corners)


class Disc:
    """From kilometres to the canvas: the rim becomes a circle, and provinces flow until they have the room they need.

    The flow is that of Gastner, Seguy and More (2018): out of what is crowded, and never over itself. After each round the
    rim is made round again.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.width, self.height = data["canvas"]
        self.radius = self.width / 2 - data["margin"]
        self.moves: list[Callable[[Array], Array]] = []
        middles, radii, amounts = [], [], []
        for longitude, latitude, radius, amount in data["bulges"]:
            middles.append(self.level(polar([[longitude, latitude]]))[0])
            radii.append(radius / rim(np.zeros(1), data)[0])
            amounts.append(amount)
        self.bulges = (middles, radii, amounts)
        self.add(self.bulge)

    def bulge(self, at: Array) -> Array:
        """Points of the disc, moved by what is magnified here and there."""
        moved = at
        for middle, radius, amount in zip(*self.bulges, strict=True):
            offset = moved - middle
            moved = moved + offset * (amount * np.exp(-(offset**2).sum(axis=1) / (2 * radius**2)))[:, None]
        return moved

    def level(self, at: Array) -> Array:
        """Points of the disc with radius 1 for positions in kilometres."""
        return at / rim(np.arctan2(at[:, 1], at[:, 0]), self.data)[:, None]

    def __call__(self, at: Array) -> Array:
        """Canvas positions for positions in kilometres from the pole."""
        at = self.level(at)
        for move in self.moves:
            at = move(at)
        return at * (self.radius, -self.radius) + (self.width / 2, self.height / 2)

    def add(self, push: Callable[[Array], Array]) -> None:
        """Moves all points once more, and makes the rim round again."""
        edge = push(np.column_stack([np.cos(CIRCLE), np.sin(CIRCLE)]))
        angles, lengths = np.arctan2(edge[:, 1], edge[:, 0]), np.hypot(edge[:, 0], edge[:, 1])

        def move(at: Array) -> Array:
            at = push(at)
            return at / np.interp(np.arctan2(at[:, 1], at[:, 0]), angles, lengths, period=2 * math.pi)[:, None]

        self.moves.append(move)

    def settle(self, shapes: dict[str, Geometry], wants: dict[str, float]) -> None:
        """Lets provinces, in kilometres, flow towards the shares of the disc that they want."""
        level = {name: shapely.transform(shape, self.level) for name, shape in shapes.items()}
        for move in self.moves:
            level = {name: shapely.transform(shape, move) for name, shape in level.items()}
        share = math.pi / math.fsum(wants.values())
        for _ in range(self.data["rounds"]):
            self.add(flow({name: (shape, wants[name] * share / shape.area) for name, shape in level.items()}))
            level = {name: shapely.transform(shape, self.moves[-1]) for name, shape in level.items()}


def flow(crowded: dict[str, tuple[Geometry, float]]) -> Callable[[Array], Array]:
    """Where points flow to if each shape is as crowded as said, 1 on average, until all is equally crowded."""
    side = 2 * POOL / MESH
    along = (np.arange(MESH) + 0.5) * side - POOL
    x, y = np.meshgrid(along, along)
    density = np.ones((MESH, MESH))
    for shape, crowd in crowded.values():
        shapely.prepare(shape)
        density[shapely.contains_xy(shape, x, y)] = np.clip(crowd, 1 / STEEPEST, STEEPEST)
    waves = np.fft.fftfreq(MESH) * 2 * math.pi
    square = waves[None, :] ** 2 + waves[:, None] ** 2
    spectrum = np.fft.fft2(density) * np.exp(-square * BLUR**2 / 2)
    density = np.fft.ifft2(spectrum).real
    mean = float(density.mean())
    square[0, 0] = 1
    potential = -spectrum / square
    potential[0, 0] = 0
    across, down = (np.fft.ifft2(1j * wave * potential).real for wave in (waves[None, :], waves[:, None]))

    def move(at: Array) -> Array:
        for step in range(STROKES):
            at = at + speed(at + speed(at, step / STROKES) / 2, (step + 0.5) / STROKES)
        return at

    def speed(at: Array, time: float) -> Array:
        """How far points go in one stroke."""
        place = np.clip((at + POOL) / side - 0.5, 0, MESH - 1.001)
        column, row = place.astype(int).T
        right, below = (place - np.floor(place)).T

        def level(values: Array) -> Array:
            upper = values[row, column] * (1 - right) + values[row, column + 1] * right
            lower = values[row + 1, column] * (1 - right) + values[row + 1, column + 1] * right
            return upper * (1 - below) + lower * below

        now = level(density) * (1 - time) + mean * time
        return np.column_stack([level(across), level(down)]) / now[:, None] * (side / STROKES)

    return move


def wants(data: dict[str, Any], rules: dict[str, Any], shapes: dict[str, Geometry]) -> dict[str, float]:
    """How much of the disc each shape wants: by what it holds, and by its true size."""
    room = data["room"]
    wanted = {}
    for name, shape in shapes.items():
        rule = rules.get(name)
        kind = (
            "nobody" if rule is None else "centre" if rule.get("centre") else "sea" if rule["kind"] == "sea" else "land"
        )
        wanted[name] = room["each"].get(name, 1) * room[kind] * (shape.area / 1e5) ** room["size"]
    return wanted


# --- the partition ----------------------------------------------------------------------------------------------------


def partition(data: dict[str, Any], rules: dict[str, Any], disc: Any, land_file: Path) -> dict[str, Geometry]:
    """The shapes of provinces, of what parts them and of the frame, which cover the canvas; all corners are whole numbers."""
    kinds = {code: rule["kind"] for code, rule in rules.items()}
    owner, names = grown(data, kinds, land_file)
    fill(owner, data)
    draw_by_hand(owner, names, data)
    settle_coasts(owner, *data["rags"])
    sweep(owner)
    lines, beside = sides_of(owner)
    angles = CIRCLE[::-1]
    reach = rim(angles, data)
    edge = Polygon(np.column_stack([reach * np.cos(angles), reach * np.sin(angles)]))
    held: dict[str, list[Geometry]] = {name: [] for name in names}
    for face in parts_of(lines):
        x, y = face.representative_point().coords[0]
        number = int(owner[int((REACH - y) // STEP), int((x + REACH) // STEP)])
        if number >= 0:
            held[names[number]].append(face)
    raw = {name: shapely.segmentize(shapely.union_all(faces).intersection(edge), STEP) for name, faces in held.items()}
    disc.settle(raw, wants(data, rules, raw))
    true = {name: shapely.make_valid(shapely.transform(shape, disc)) for name, shape in raw.items()}

    def plain(pair: tuple[int, int]) -> bool:
        """Whether a line runs between seas, or between lands, where stairs say nothing about a coast."""
        kind = [at < 0 or kinds.get(names[at]) == "sea" for at in pair]
        return kind[0] == kind[1]

    soft = [
        soften(line, data["soft"]["borders" if plain(pair) else "coasts"])
        for line, pair in zip(lines, beside, strict=True)
    ]
    middle = np.array([disc.width, disc.height]) / 2
    fine = np.linspace(0, 2 * math.pi, 361)[:-1]
    circle = Polygon(middle + disc.radius * np.column_stack([np.cos(fine), np.sin(fine)]))
    drawn = [shapely.transform(line, disc).intersection(circle) for line in soft]
    web = shapely.union_all([*drawn, circle.exterior, box(0, 0, disc.width, disc.height).exterior], grid_size=1)
    shapes: dict[str, list[Geometry]] = {name: [] for name in [*names, FRAME]}
    slivers = []
    for face in common.parts(shapely.polygonize(shapely.get_parts(web))):
        best = max((face.intersection(shape).area, name) for name, shape in true.items())
        if face.area < SLIVER:
            slivers.append(face)
        else:
            shapes[best[1] if face.intersection(circle).area > face.area / 2 else FRAME].append(face)
    for face in slivers:
        near = max((face.intersection(shapely.union_all(faces)).length, name) for name, faces in shapes.items())
        shapes[near[1]].append(face)
    return {name: shapely.coverage_union_all(faces) for name, faces in shapes.items()}


def parts_of(lines: list[Geometry]) -> list[Polygon]:
    """The faces between lines."""
    return common.parts(shapely.polygonize(lines))


# --- anchors ----------------------------------------------------------------------------------------------------------


def seat(left: float, up: float, right: float, down: float) -> Callable[..., Any]:
    """The box of a mark and of what stands beside it, so far from the mark's middle."""
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
"""The ways in which a mark and two crowns may stand together: a column or a row on one side, or one on each side."""


def anchors(code: str, shape: Geometry, rule: dict[str, Any], data: dict[str, Any], disc: Any, crowd: Crowd) -> Anchors:
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
    budget=15_500,
    least_border=16.0,
    plane=Disc,
    anchors=anchors,
    partition=partition,
)
