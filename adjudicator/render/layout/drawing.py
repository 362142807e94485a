"""Draw the net as a picture: lines as crooked as coasts and borders, and the provinces that they enclose."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import fsum, sqrt

from adjudicator.render.layout.borders import Crossing, Pair, seas_at
from adjudicator.render.layout.furnishing import furnish
from adjudicator.render.layout.lines import distance, join_rings, noise, path_of, reach, smooth, thin
from adjudicator.render.layout.net import RIM, Net
from adjudicator.render.layout.points import Layout
from adjudicator.render.outlines import Point, Shape
from adjudicator.render.scenes import Tile, Tiles

LARGE = 90
"""A board with more provinces than this grows only if few of them are too small."""
SEEN = 12
"""The least length of a border in the picture, all its lines together, so that readers see it."""


class Drawing:
    """The net as outlines: lines, the shapes that they enclose, and the spots in each province for its contents."""

    def __init__(self, tiles: Tiles, pairs: dict[Pair, Crossing], net: Net, layout: Layout) -> None:
        self.tiles = sorted(tiles.provinces, key=lambda tile: tile.code)
        self.all = tiles
        self.pairs = pairs
        self.net = net
        self.layout = layout
        self.size = round(layout.half[0] * 2), round(layout.half[1] * 2)
        sign = -1.0 if layout.mirrored else 1.0
        self.at = [(sign * x + layout.half[0], y + layout.half[1]) for x, y in zip(layout.x, layout.y, strict=True)]
        self.lines: dict[tuple[int, int], list[Point]] = {}
        """First and last corner -> the points of the line, in both directions."""
        self.meets: dict[Pair, list[tuple[int, int]]] = {}
        """Two provinces -> the lines that they share, each in the direction that runs around the first province."""
        self.shapes = self.draw_shapes()
        self.touching = self.shared_lengths()
        """Two provinces -> the length of their shared lines."""
        self.provinces: dict[str, Shape] = {}
        """Code -> its shape, with spots for the contents."""
        self.tight: list[int] = []
        """Cells that are too small for their contents."""

    def furnish(self) -> None:
        """Place the contents of each province, and find the provinces that are too small for them."""
        cells = {owner: cell for cell, owner in reversed(list(enumerate(self.net.owners)))}
        for tile in self.tiles:
            shape, fits = self.furnish_province(tile)
            self.provinces[tile.code] = shape
            if not fits:
                self.tight.append(cells[tile.code])
        for pair in self.meets:
            if self.touching.get(pair, 0.0) < SEEN:
                self.tight += [cells[code] for code in pair]

    def wrong(self) -> int:
        """Number of pairs that touch without a border."""
        return sum(pair not in self.pairs for pair in self.touching)

    def hopeless(self) -> bool:
        """True if so much of a large board is too small that growing it is not worth the time."""
        return len(self.tiles) > LARGE and len(self.tight) * 4 > len(self.tiles)

    def draw_shapes(self) -> dict[str | int, list[list[Point]]]:
        """Draw all lines; return the rings of each province by code, and of each unowned cell by number."""
        owners: list[str | int] = [cell if owner is None else owner for cell, owner in enumerate(self.net.owners)]
        parts: dict[str | int, dict[int, tuple[int, list[Point]]]] = {owner: {} for owner in owners}
        beside: dict[tuple[int, int], int] = {}
        for cell, sides in enumerate(self.net.around):
            for (here, _), (there, _) in pairwise([*sides, sides[0]]):
                beside[here, there] = cell
        far = self.net.count  # added to the number of a corner on the rim: the point behind it on the picture's edge
        for cell, sides in enumerate(self.net.around):
            owner = owners[cell]
            for (here, line), (there, _) in pairwise([*sides, sides[0]]):
                if line == RIM:
                    continue
                other = beside[there, here]
                if owners[other] == owner:
                    continue
                if (here, there) not in self.lines:
                    points = self.crooked_line(here, there, cell, other)
                    self.lines[here, there] = points
                    self.lines[there, here] = points[::-1]
                parts[owner][here] = there, self.lines[here, there]
                a, b = self.net.owners[cell], self.net.owners[other]
                if a is not None and b is not None and a < b:
                    self.meets.setdefault((a, b), []).append((here, there))
        for index in range(1, len(self.net.rim), 2):
            middle = self.net.rim[index]
            here, there = self.net.rim[index - 1], self.net.rim[(index + 1) % len(self.net.rim)]
            cell = beside[here, middle]
            owner = owners[cell]
            before = beside[self.net.rim[index - 2], here]
            behind = beside[there, self.net.rim[(index + 2) % len(self.net.rim)]]
            if owners[before] != owner:
                parts[owner][here] = here + far, [self.point(here), self.edge_point(here)]
            if owners[behind] != owner:
                parts[owner][there + far] = there, [self.edge_point(there), self.point(there)]
            parts[owner][here + far] = there + far, self.rim_line(here, middle, there)
        return {owner: join_rings(part) for owner, part in sorted(parts.items(), key=lambda item: str(item[0]))}

    def shared_lengths(self) -> dict[Pair, float]:
        """Two provinces -> the drawn length of their shared edges."""
        whose: dict[tuple[Point, Point], list[str]] = {}
        for owner, shape in self.shapes.items():
            if isinstance(owner, str):
                ends = ((min(a, b), max(a, b)) for ring in shape for a, b in pairwise([*ring, ring[0]]))
                for edge in dict.fromkeys(ends):
                    whose.setdefault(edge, []).append(owner)
        lengths: dict[Pair, list[float]] = {}
        for (a, b), owners in whose.items():
            for pair in combinations(sorted(owners), 2):
                lengths.setdefault((pair[0], pair[1]), []).append(distance(a, b))
        return {pair: fsum(parts) for pair, parts in lengths.items()}

    def point(self, corner: int) -> Point:
        """Position of a corner on the picture."""
        x, y = self.at[corner]
        return round(x), round(y)

    def edge_point(self, corner: int) -> Point:
        """The point on the picture's edge behind a corner on the rim."""
        x, y = self.at[corner]
        wide, high = self.size
        u, v = x / wide * 2 - 1, y / high * 2 - 1
        most = max(abs(u), abs(v))
        return round((u / most + 1) * wide / 2), round((v / most + 1) * high / 2)

    def rim_line(self, here: int, middle: int, there: int) -> list[Point]:
        """The part of the picture's edge behind the rim corners `here`, `middle` and `there`, with any corners of the picture on the way."""
        stops = [self.edge_point(here), self.edge_point(middle), self.edge_point(there)]
        points = stops[:1]
        for before, behind in pairwise(stops):
            points += self.picture_corners(before, behind)
            points.append(behind)
        return points

    def picture_corners(self, a: Point, b: Point) -> list[Point]:
        """The picture's corners on the shorter way along its edge between two points."""
        wide, high = self.size
        if a[0] == b[0] in (0, wide) or a[1] == b[1] in (0, high):
            return []
        near = [(x, y) for x in (0, wide) for y in (0, high) if (a[0] == x or a[1] == y) and (b[0] == x or b[1] == y)]
        if near:
            return near[:1]
        # They lie on opposite edges: two corners, on the nearer side.
        if a[1] in (0, high):
            x = 0 if a[0] + b[0] < wide else wide
            return [(x, a[1]), (x, b[1])]
        y = 0 if a[1] + b[1] < high else high
        return [(a[0], y), (b[0], y)]

    def crooked_line(self, here: int, there: int, cell: int, other: int) -> list[Point]:
        """A line from corner to corner, never outside the two triangles beside it."""
        kinds = {self.net.kind_of(cell), self.net.kind_of(other)}
        shore = "sea" in kinds and len(kinds) > 1
        (x, y), (x2, y2) = self.at[here], self.at[there]
        dx, dy = x2 - x, y2 - y
        length = sqrt(dx * dx + dy * dy)
        if length < 1.0:
            return thin([self.point(here), self.point(there)])
        ux, uy = dx / length, dy / length
        limits = []
        for apex in (cell, other):
            px, py = self.at[apex][0] - x, self.at[apex][1] - y
            limits.append(((px * ux + py * uy) / length, abs(py * ux - px * uy)))
        levels = 1
        while length / (1 << levels) > (14.0 if shore else 30.0) and levels < 6:
            levels += 1
        seed = f"{min(here, there)} {max(here, there)} {self.net.owners[cell]}"
        heights = noise(seed, levels, length * (0.13 if shore else 0.09), 0.56 if shore else 0.42)
        count = len(heights) - 1
        points = []
        for index, height in enumerate(heights):
            part = index / count
            side = limits[0] if height * self.side(here, there, cell) > 0 else limits[1]
            most = 0.45 * reach(part, *side)
            high = min(max(height, -most), most)
            points.append((x + dx * part - uy * high, y + dy * part + ux * high))
        for _ in range(1 if shore else 2):
            points = smooth(points)
        return thin([self.point(here), *((round(a), round(b)) for a, b in points[1:-1]), self.point(there)])

    def side(self, here: int, there: int, cell: int) -> float:
        """Positive if a cell lies to the right of the line from `here` to `there`."""
        (x, y), (x2, y2), (px, py) = self.at[here], self.at[there], self.at[cell]
        return (x2 - x) * (py - y) - (y2 - y) * (px - x)

    def furnish_province(self, tile: Tile) -> tuple[Shape, bool]:
        """The furnished shape of a province, and True if all its contents fit."""
        rings = self.shapes[tile.code]
        shores = {coast: self.shore(tile.code, seas_at(self.all, f"{tile.code}/{coast}")) for coast in tile.coasts}
        (unit, label, centre, coasts), fits = furnish(tile, rings, shores, self.middle(tile.code))
        shape = Shape(
            path=path_of(rings), label=label, unit=unit, centre=centre if tile.centre else None, coasts=coasts or None
        )
        return shape, fits

    def middle(self, code: str) -> Point:
        """The middle of a province's cell."""
        return self.point(self.net.owners.index(code))

    def shore(self, code: str, seas: set[str]) -> list[Point]:
        """Points on the lines between a province and these seas; if there are none, on all lines between it and others."""
        points: list[Point] = []
        for only in (True, False):
            for (one, two), lines in sorted(self.meets.items()):
                if code in (one, two) and ((one if two == code else two) in seas or not only):
                    points += [point for line in lines for point in self.lines[line]]
            if points:
                break
        return points
