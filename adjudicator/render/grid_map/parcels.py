"""The borders of a grid of plots, computed only from rows and columns, so that a board never looks different."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render.outlines import Point

CELL = 150
"""Distance from one plot to the next."""
RIM = 64
"""The map's margin, with row letters and column numbers."""
WANDER = 6
"""Greatest offset of a corner from the regular grid, in each direction."""
BOW = 12
"""Greatest offset of a border's control point from the straight line."""
LARGEST = 2048
"""Number of plots to cache: more than a scenario may have, which is 26 rows of 40."""


def place_of(row: int, column: int) -> str:
    """The name of a plot: row B, column 3 is `B3`."""
    return f"{chr(ord('A') + row)}{column + 1}"


def spot_of(place: str) -> tuple[int, int]:
    """Row and column of a plot, from 0."""
    return ord(place[0]) - ord("A"), int(place[1:]) - 1


def chance(what: str, *at: int) -> int:
    """A seemingly random number that depends only on a name and a position."""
    return crc32(f"{what} {' '.join(map(str, at))}".encode())


def chance_up_to(most: int, what: str, *at: int) -> int:
    """A whole number from -most to most that depends only on a name and a position."""
    return chance(what, *at) % (2 * most + 1) - most


def height_of(what: str, row: int, column: int) -> float:
    """The height of a smooth landscape, from 0 to 1: random at every third row and column, with even slopes in between."""
    (r, fr), (c, fc) = ((int(v // 3), v % 3 / 3) for v in (row + 0.5, column + 0.5))
    corner = [[chance(what, r + dr, c + dc) % 1000 / 1000 for dc in (0, 1)] for dr in (0, 1)]
    upper, lower = (line[0] + (line[1] - line[0]) * fc for line in corner)
    return upper + (lower - upper) * fr


@lru_cache(maxsize=LARGEST)
def ground_of(row: int, column: int) -> str:
    """Ground of a plot: woods and hills are clustered, the rest is fields and meadows."""
    pick = chance("pick", row, column)
    if height_of("wood", row, column) > 0.6:
        return f"w{1 + pick % 2}"
    if height_of("hill", row, column) > 0.62:
        return f"h{1 + pick % 2}"
    return f"f{1 + pick // 7 % 3}" if pick % 5 < 3 else f"m{1 + pick // 7 % 2}"


@dataclass(frozen=True, slots=True)
class Border:
    """A stretch of border: from a corner, bending towards `turn`, to the next corner."""

    start: Point
    turn: Point
    end: Point

    def back(self) -> Border:
        """Return the line in the opposite direction."""
        return Border(self.end, self.turn, self.start)

    def path(self) -> str:
        """The line from its start, as a path's relative commands."""
        (x, y), (u, v), (p, q) = self.start, self.turn, self.end
        return f"q{pair_text(u - x, v - y)}{next_text(p - x, q - y)}"


@dataclass(frozen=True, slots=True)
class Parcels:
    """The slightly irregular borders of a grid of plots, in whole numbers."""

    rows: int
    columns: int

    def corner(self, row: int, column: int) -> Point:
        """The point where four plots meet; corners at the map's edge stay on it."""
        x, y = RIM + CELL * column, RIM + CELL * row
        dx = chance_up_to(WANDER, "x", row, column) if 0 < column < self.columns else 0
        dy = chance_up_to(WANDER, "y", row, column) if 0 < row < self.rows else 0
        return x + dx, y + dy

    def border(self, row: int, column: int, *, down: bool) -> Border:
        """The border that goes right, or down, from a corner."""
        return _border(self, row, column, down)

    def around(self, row: int, column: int) -> tuple[Border, Border, Border, Border]:
        """A plot's borders, clockwise from its upper left corner."""
        return (
            self.border(row, column, down=False),
            self.border(row, column + 1, down=True),
            self.border(row + 1, column, down=False).back(),
            self.border(row, column, down=True).back(),
        )

    def outline(self, row: int, column: int, inset: int = 0) -> str:
        """A plot's outline as a path, moved inwards by `inset`."""
        return _outline(self, row, column, inset)

    def frontier(self, owners: dict[str, SeatId | None]) -> str:
        """A path along all borders between plots with different owners, or between an owned and an unowned plot."""
        borders: list[Border] = []
        for row in range(self.rows):
            for column in range(self.columns):
                owner = owners.get(place_of(row, column))
                for down, other in ((True, place_of(row, column - 1)), (False, place_of(row - 1, column))):
                    if owners.get(other) != owner and (column if down else row):
                        borders.append(self.border(row, column, down=down))
        parts, here = [], None
        while borders:
            # Continue at the end of the last border, if another one begins there.
            ahead = (way for border in borders for way in (border, border.back()) if way.start == here)
            border = next(ahead, borders[0])
            parts.append(border.path() if border.start == here else f"M{pair_text(*border.start)}{border.path()}")
            here = border.end
            borders = [other for other in borders if other not in (border, border.back())]
        return "".join(parts)

    def brook(self) -> str:
        """The path of a brook along borders, from the upper edge to the lower one; empty on a small board."""
        if self.columns < 4 or self.rows < 4:
            return ""
        column = 1 + self.columns // 4
        parts = [f"M{pair_text(*self.corner(0, column))}"]
        for row in range(self.rows):
            parts.append(self.border(row, column, down=True).path())
            aside = chance("brook", row) % 3 - (1 if row % 2 else 0)
            if row < self.rows - 1 and aside > 0 and column < self.columns - 1:
                parts.append(self.border(row + 1, column, down=False).path())
                column += 1
            elif row < self.rows - 1 and aside < 0 and column > 1:
                column -= 1
                parts.append(self.border(row + 1, column, down=False).back().path())
        return "".join(parts)


# Land looks the same in every picture, so its lines are computed only once.


@lru_cache(maxsize=2 * LARGEST)
def _border(land: Parcels, row: int, column: int, down: bool) -> Border:
    start = land.corner(row, column)
    end = land.corner(row + 1, column) if down else land.corner(row, column + 1)
    rim = column in (0, land.columns) if down else row in (0, land.rows)
    # A curve reaches only half as far as its control point.
    bow = 0 if rim else chance_up_to(BOW, "bow", row, column, down)
    way = chance_up_to(CELL // 4, "way", row, column, down)
    x, y = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
    return Border(start, (x + bow, y + way) if down else (x + way, y + bow), end)


@lru_cache(maxsize=2 * LARGEST)
def _outline(land: Parcels, row: int, column: int, inset: int) -> str:
    walk: Sequence[Border] = land.around(row, column)
    if inset:
        x, y = RIM + CELL * column + CELL // 2, RIM + CELL * row + CELL // 2

        def inner(point: Point) -> Point:
            part = 1 - 2 * inset / CELL
            return round(x + (point[0] - x) * part), round(y + (point[1] - y) * part)

        walk = [Border(*map(inner, (b.start, b.turn, b.end))) for b in walk]
    return f"M{pair_text(*walk[0].start)}{''.join(b.path() for b in walk)}z"


def pair_text(x: int, y: int) -> str:
    """Two numbers in a path, in the shortest form."""
    return f"{x}{y}" if y < 0 else f"{x} {y}"


def next_text(x: int, y: int) -> str:
    """Two numbers after another pair in a path, in the shortest form."""
    return pair_text(x, y) if x < 0 else f" {pair_text(x, y)}"
