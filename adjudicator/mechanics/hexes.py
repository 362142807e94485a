"""Hexes in rows: labels, neighbours, distance, rings, areas and shortest paths, with one order to break all ties.

Hexes have their points up and down. A label gives column and row in two digits each, such as `0304`; 0101 is at the upper
left. Even rows are half a hex further right. *Hex order* is by row, then by column. Directions are tried clockwise from the north-west.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Hex = str
Direction = Literal["NW", "NE", "E", "SE", "SW", "W"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
STEPS: Mapping[Direction, tuple[int, int]] = {
    "NW": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (0, 1), "SW": (-1, 1), "W": (-1, 0),
}  # fmt: skip
"""Direction -> the step in axial coordinates q and r."""
OPPOSITE: Mapping[Direction, Direction] = {
    one: other for one in DIRECTIONS for other in DIRECTIONS if STEPS[one] == (-STEPS[other][0], -STEPS[other][1])
}
MOST = 99
"""The most columns or rows that a map can have, because labels have two digits for each."""


def hex_at(column: int, row: int) -> Hex:
    """The label for a column and a row, both counted from 1."""
    return f"{column:02}{row:02}"


@functools.lru_cache(maxsize=MOST * MOST)
def axial(label: Hex) -> tuple[int, int]:
    """The axial coordinates q and r of a hex; (0, 0) is 0101."""
    column, row = int(label[:2]) - 1, int(label[2:]) - 1
    return column - row // 2, row


def hex_order(label: Hex) -> tuple[int, int]:
    """The key that sorts hexes by row, then by column."""
    return int(label[2:]), int(label[:2])


def distance(one: Hex, other: Hex) -> int:
    """Number of steps between two hexes, whatever is between them."""
    (q, r), (s, t) = axial(one), axial(other)
    return max(abs(q - s), abs(r - t), abs(q - s + r - t))


@dataclass(frozen=True, slots=True)
class Grid:
    """A map of hexes: `rows` rows of `columns` hexes each."""

    columns: int
    rows: int

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """Every hex, in hex order."""
        return _hexes(self.columns, self.rows)

    def __contains__(self, label: Hex) -> bool:
        return label in _near(self.columns, self.rows)

    def outwards(self, label: Hex) -> tuple[Hex, ...]:
        """Every hex, nearest to `label` first; hexes at equal distance are in hex order."""
        return _outwards(self.columns, self.rows, label)

    def neighbours(self, label: Hex) -> Mapping[Direction, Hex]:
        """Direction -> neighbour of a hex, without those off the map."""
        return _near(self.columns, self.rows)[label]

    def step(self, label: Hex, *ways: Direction) -> Hex | None:
        """The hex where steps in these directions end; None if that is off the map. Steps on the way may leave the map."""
        q, r = axial(label)
        q, r = q + sum(STEPS[way][0] for way in ways), r + sum(STEPS[way][1] for way in ways)
        column, row = q + r // 2 + 1, r + 1
        return hex_at(column, row) if 1 <= column <= self.columns and 1 <= row <= self.rows else None

    def way(self, start: Hex, end: Hex) -> Direction | None:
        """The direction from a hex to its neighbour; None if they are not neighbours."""
        return next((way for way, near in self.neighbours(start).items() if near == end), None)

    def within(self, label: Hex, radius: int) -> tuple[Hex, ...]:
        """Hexes at most `radius` steps away, including `label` itself, in hex order."""
        return _within(self.columns, self.rows, label, radius)

    def ring(self, label: Hex, radius: int) -> tuple[Hex, ...]:
        """Hexes exactly `radius` steps away, in hex order."""
        return tuple(one for one in self.within(label, radius) if distance(label, one) == radius)

    def areas(self, hexes: Collection[Hex]) -> tuple[tuple[Hex, ...], ...]:
        """Split hexes into connected groups; the groups, and the hexes in each, are in hex order."""
        left, found = set(hexes), []
        for first in sorted(left, key=hex_order):
            if first in left:
                area = self.reach((first,), left.__contains__)
                left -= set(area)
                found.append(tuple(sorted(area, key=hex_order)))
        return tuple(found)

    def reach(self, starts: Iterable[Hex], open_: Callable[[Hex], bool]) -> dict[Hex, int]:
        """Hex -> number of steps from the nearest start, for each hex that can be reached over open hexes; starts have 0."""
        steps = dict.fromkeys(starts, 0)
        waiting = deque(steps)
        near = _near(self.columns, self.rows)
        while waiting:
            here = waiting.popleft()
            for there in near[here].values():
                if there not in steps and open_(there):
                    steps[there] = steps[here] + 1
                    waiting.append(there)
        return steps

    def path(self, start: Hex, end: Hex, open_: Callable[[Hex], bool]) -> tuple[Hex, ...] | None:
        """The shortest path over open hexes, without its start; None if there is no path.

        If several are equally short, the first step where they differ decides, by the order of directions. The end need not be open.
        """
        steps = self.reach((end,), lambda label: label == start or open_(label))
        if start not in steps:
            return None
        path: list[Hex] = []
        here = start
        while here != end:
            here = next(there for there in self.neighbours(here).values() if steps.get(there, -1) == steps[here] - 1)
            path.append(here)
        return tuple(path)


@functools.lru_cache(maxsize=4096)
def _outwards(columns: int, rows: int, label: Hex) -> tuple[Hex, ...]:
    return tuple(sorted(_hexes(columns, rows), key=lambda one: (distance(one, label), hex_order(one))))


@functools.lru_cache(maxsize=64)
def _hexes(columns: int, rows: int) -> tuple[Hex, ...]:
    return tuple(hex_at(column, row) for row in range(1, rows + 1) for column in range(1, columns + 1))


@functools.lru_cache(maxsize=64)
def _near(columns: int, rows: int) -> Mapping[Hex, Mapping[Direction, Hex]]:
    grid = Grid(columns, rows)
    return {
        label: {way: near for way in DIRECTIONS if (near := grid.step(label, way)) is not None}
        for label in _hexes(columns, rows)
    }


@functools.lru_cache(maxsize=1 << 15)
def _within(columns: int, rows: int, label: Hex, radius: int) -> tuple[Hex, ...]:
    q, r = axial(label)
    found = []
    for t in range(max(0, r - radius), min(rows - 1, r + radius) + 1):
        # The hexes in row t from the left edge of the hexagon to its right edge.
        for s in range(max(q - radius, q - radius - (t - r)), min(q + radius, q + radius - (t - r)) + 1):
            column = s + t // 2 + 1
            if 1 <= column <= columns:
                found.append(hex_at(column, t + 1))
    return tuple(found)
