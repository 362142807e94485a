"""Provinces grown from their towns on a grid about the pole, and the lines between them."""

from __future__ import annotations

import heapq
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely import Geometry, LineString, MultiLineString, Polygon

from tests.tools.boards.common import EARTH, Array, land_polygons
from tests.tools.boards.disc import STEP, polar, rim

REACH = 4500.0
"""Reach of the grid from the pole, in kilometres."""
CELLS = round(2 * REACH / STEP)
SCRAP = 90
"""Pieces of fewer cells are not drawn."""
STEPS = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
"""Steps from a cell to those around it: down, across."""


def middles() -> tuple[Array, Array]:
    """The middles of all cells, in kilometres from the pole."""
    along = (np.arange(CELLS) + 0.5) * STEP - REACH
    x, y = np.meshgrid(along, along[::-1])
    return x, y


def cell_of(x: float, y: float) -> tuple[int, int]:
    """The row and column of the cell at a position in kilometres."""
    return int((REACH - y) // STEP), int((x + REACH) // STEP)


def contains(shape: Geometry) -> Array:
    """Mask of the cells that have their middle in a shape."""
    x, y = middles()
    shapely.prepare(shape)
    return shapely.contains_xy(shape, x.ravel(), y.ravel()).reshape(CELLS, CELLS)


def played(data: dict[str, Any]) -> Array:
    """Mask of the cells on the board: north of a parallel, or, between two meridians, of a second one."""
    x, y = middles()
    latitude = 90 - 2 * np.degrees(np.arcsin(np.clip(np.hypot(x, y) / (2 * EARTH), 0, 1)))
    longitude = np.degrees(np.arctan2(x, -y))
    west, east = data["south"]["between"]
    south = (longitude > west) & (longitude < east)
    return np.asarray((latitude >= data["north of"]) | (south & (latitude >= data["south"]["north of"])))


def grow(owner: Array, ground: Array, towns: dict[int, Array]) -> None:
    """Gives each cell of the ground to the nearest town's province, by paths over this ground only."""
    away = np.full((CELLS, CELLS), np.inf)
    queue: list[tuple[float, int, int, int]] = []
    rows, columns = np.nonzero(ground)
    for number, spots in towns.items():
        for x, y in spots:
            row, column = cell_of(x, y)
            down, across = abs(rows - row), abs(columns - column)
            # A town that lies beside its ground on the grid moves to it, by the shortest way.
            nearest = np.lexsort((columns, rows, down + across, np.maximum(down, across)))[0]
            start = (int(rows[nearest]), int(columns[nearest]))
            away[start] = 0
            heapq.heappush(queue, (0.0, *start, number))
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


def grow_all(data: dict[str, Any], kinds: dict[str, str], land_file: Path) -> tuple[Array, list[str]]:
    """The number of each cell's owner, -1 for none, and the owners' names by number."""
    names = list(data["towns"])
    land = shapely.union_all(
        [
            shapely.make_valid(shapely.transform(polygon, polar))
            for polygon in land_polygons(land_file)
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
    """Gives the data's round patches of the grid to their owners; new owners go to the end of the names."""
    x, y = middles()
    for name, longitude, latitude, radius, *others in data["patches"]:
        if name not in names:
            names.append(name)
        middle = polar([[longitude, latitude]])[0]
        near = np.hypot(x - middle[0], y - middle[1]) < radius
        theirs = np.isin(owner, [names.index(other) for other in others]) if others else owner >= 0
        owner[near & theirs] = names.index(name)


def fill(owner: Array, data: dict[str, Any]) -> None:
    """Gives lakes to the land around them, and extends the land a little beyond the rim, to be cut off cleanly."""
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


def smooth_coasts(owner: Array, reach: int, times: int) -> None:
    """Gives each cell to the owner of most cells within `reach`, `times` times, so that no ragged edges stay."""
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
    """Gives each small piece to the owner of most of its edge."""
    seen = owner < 0
    for start in np.argwhere(~seen).tolist():
        if seen[tuple(start)]:
            continue
        number, piece, edge = owner[tuple(start)], [tuple(start)], dict[int, int]()
        seen[tuple(start)] = True
        for row, column in piece:
            for to in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
                if owner[to] != number:
                    edge[int(owner[to])] = edge.get(int(owner[to]), 0) + 1
                elif not seen[to]:
                    seen[to] = True
                    piece.append(to)
        if len(piece) < SCRAP:
            owner[tuple(np.array(piece).T)] = max(edge, key=lambda other: (edge[other], other))


def sides_of(owner: Array) -> tuple[list[Geometry], list[tuple[int, int]]]:
    """The lines between owners, in kilometres, each from one meeting of three to the next, with its two owners."""
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
    """A line without its stairs: `times` times, each inner corner moves halfway to its neighbours' middle."""
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
