"""A map from borders alone: where each province lies, and how it is shaped, for a board that nobody has drawn.

Which province touches which is a graph. What of it fits into the plane is laid out as a net of cells, one cell for each
province, so that two cells share a line exactly where two provinces border: each corner of the net is where three cells
meet. Where more than three provinces surround a spot and may not touch across it, a small cell of nobody keeps them apart;
where a province surrounds others by itself, it has several cells, and no line is drawn between them.

The net begins as a drawing by Tutte's theorem, which no weights can tangle, is weighted until cells have about the room
that they need, and is then relaxed toward cells that are as regular as their neighbours allow; a corner moves only where
no triangle of the net turns over. Lines between corners stay inside the two triangles beside them, so that they can be as
crooked as coasts are and still never meet.

Same tiles, same integers: floats are only added, multiplied, divided and rooted, which every machine does alike, and
nothing depends on the order of a set or on chance.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any
from zlib import crc32

from adjudicator.core.text.problems import problem
from adjudicator.render.outlines import Neutral, Outlines, Point, Shape, Sign, inside
from adjudicator.render.scenes import Tile, Tiles

if TYPE_CHECKING:
    import networkx as nx

Pair = tuple[str, str]
Spot = tuple[float, float]

ROOM = 19_000
"""Square units of the picture for a province of the usual weight."""
LEAST = 24.0
"""A picture has room for at least so many of them."""
SHAPE = (10, 9)
"""The picture's width and height to each other."""
DEPTH = 0.75
"""How deep a cell at the rim should at least be, beside a usual one."""
NOBODY = 0.16
"""The weight of a cell of nobody."""
ROUNDS = 10
"""How often the springs of the net are weighted anew."""
SLIDES = 10
"""How often the corners on the rim are moved along it, where cells would else have next to no room."""
CROWDED = 0.005
"""With so little of the room that it should have, a cell has next to none."""
SWEEPS = 64
"""How often each corner is moved toward where its cells would have it."""
PRESSURE = 2.0
"""How much of what a cell lacks in area its corners make good at once, beside going where they would lie in a regular one."""
LIMP = 0.4
"""How much a cell cares for its shape that is not the only one of its province."""
SHORTEST = 30.0
"""How long a line between two corners should at least be, where there is room."""
ASKED = 150_000
"""How many lines are looked at to find out what fits into the plane; where that is not enough, there are many links anyway."""
TRIES = 8
"""How often those cells grow into which not everything goes."""
LARGE = 90
"""A board of more provinces than these grows only where a few of them lack room."""
MORE = 3
"""How often a large board grows at most to part what touches wrongly."""
LAST = 8
"""How often lines are drawn out in the end that are still too short to be seen."""
NEAR = 0.25
"""How far the middle of a cell should at least be from each of its sides, beside the side of a square as large."""
APART = 3.0
"""How far corners on the rim should at least be from each other where they crowd, or whole numbers lay lines on each other."""
SEEN = 12
"""How long the lines between two provinces should be together."""
PLAIN = 20_000
"""With more links than these, shared out among all provinces, each is a straight line: so many cannot pass all units by."""
STEP = 4
"""The side of the squares in which room for units and names is looked for."""
UNIT = (56, 44)
"""The room a unit needs, in narrow pictures too, where it is larger."""
COAST = (52, 40)
"""The room a fleet on a named coast needs."""
MARK = (26, 26)
"""The room of a centre's mark."""
LETTER = 0.6 * 16
"""The width of a letter of a name."""
LINE = 18
"""The height of a line of a name."""


def laid_out(tiles: Tiles) -> Outlines:
    """The picture of a board of which only borders are known; raises `Problems` when it would show borders that there are not."""
    pairs = _pairs(tiles)
    net = _Net(tiles, pairs)
    weights = _weights(tiles, net)
    layout = _Layout(net, weights, _size(weights))
    layout.turn(_wishes(tiles, net))
    layout.spread()
    if layout.crowded():
        layout.spread(ROUNDS + SLIDES, SLIDES)
        layout.parted = True
    layout.relax(SWEEPS)
    best = drawing = _Drawing(tiles, pairs, net, layout)
    drawing.furnish()
    for turn in range(TRIES):
        if not best.tight or (turn and drawing.hopeless()):
            break
        if turn < TRIES - 2:
            layout.grow(drawing.tight)
            layout.relax(SWEEPS // 4)
        else:
            layout.grow(range(len(net.owners)))
        drawing = _Drawing(tiles, pairs, net, layout)
        drawing.furnish()
        best = min(best, drawing, key=lambda one: (one.wrong(), len(one.tight)))
    for _ in range(TRIES if len(tiles.provinces) <= LARGE else MORE):
        if not best.wrong():
            break
        # Whole numbers laid two lines onto each other that run close beside each other: they part in a larger picture.
        layout.grow(range(len(net.owners)))
        layout.relax(SWEEPS // 4)
        layout.part()
        drawing = _Drawing(tiles, pairs, net, layout)
        best = min(best, drawing, key=_Drawing.wrong)
    if best.wrong():
        what = "the board's provinces cannot be laid out so that none touch that do not border"
        raise problem("", what, "draw its shapes (`outlines:`), or take away borders that cross others")
    if not best.placed:
        best.furnish()
    return best.outlines()


# What borders what -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Crossing:
    """Who passes between two provinces: from the first to the second, and back."""

    armies: tuple[bool, bool]
    fleets: tuple[bool, bool]


def _pairs(tiles: Tiles) -> dict[Pair, _Crossing]:
    """Every two provinces that border, in alphabetical order, and who passes."""
    found: dict[Pair, list[bool]] = {}
    for border in tiles.borders:
        one, two = (place.partition("/")[0] for place in (border.one, border.two))
        passes = found.setdefault((min(one, two), max(one, two)), [False] * 4)
        ways = (one > two,) if border.one_way else (False, True)
        for way in ways:
            passes[way] |= border.army
            passes[2 + way] |= border.fleet
    return {pair: _Crossing((p[0], p[1]), (p[2], p[3])) for pair, p in sorted(found.items())}


def _embedded(pairs: Iterable[Pair]) -> nx.PlanarEmbedding[str] | None:
    """How some borders lie around each province in the plane; None if they do not fit into it."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from(sorted(pairs))
    fits, found = nx.check_planarity(graph)
    return found if fits else None  # type: ignore[return-value]  # typed as any graph


def _in_the_plane(tiles: Tiles, pairs: dict[Pair, _Crossing]) -> list[Pair]:
    """As many borders as fit into the plane: near ones before those across the picture, and armies' before others."""
    codes = sorted(tile.code for tile in tiles.provinces)
    near: dict[str, set[str]] = {code: set() for code in codes}
    for one, two in pairs:
        near[one].add(two)
        near[two].add(one)
    kinds = {tile.code: tile.kind for tile in tiles.provinces}

    def rank(pair: Pair) -> tuple[int, int, int, Pair]:
        one, two = pair
        coasts = (kinds[one] != "sea") + (kinds[two] != "sea")
        # A line across the picture is for what would otherwise be far apart, and rather for fleets than for armies.
        return (
            _detour(near, one, two),
            -1 if any(pairs[pair].armies) else coasts,
            -len(near[one] & near[two]),
            pair,
        )

    kept: list[Pair] = []
    rest = sorted(pairs, key=rank)
    most = max(3 * len(codes) - 6, 1)  # lines fit into the plane
    reach, asked = len(rest), 0
    while rest and len(kept) < most and asked < ASKED:
        fits, breaks = 0, len(rest) + 1  # so many of the rest fit; so many do not
        while breaks - fits > 1 and asked < ASKED:
            middle = (fits + breaks) // 2 if breaks <= len(rest) else min(fits + reach, len(rest))
            lines = len(kept) + middle
            asked += lines
            if lines > most or _embedded(kept + rest[:middle]) is None:
                breaks = middle
            else:
                fits = middle
                reach *= 2
                if fits == len(rest):
                    return sorted(kept + rest)
        known = breaks if breaks - fits == 1 else fits  # where the budget ends, so many are looked at
        kept, rest = kept + rest[:fits], rest[known:]
        reach = 2 * fits + 1
    return sorted(kept + _joining(kept, rest))


def _joining(kept: list[Pair], rest: list[Pair]) -> list[Pair]:
    """Those of the rest that join what nothing else joins: they always fit."""
    whose: dict[str, str] = {}

    def head(code: str) -> str:
        while code in whose:
            code = whose[code]
        return code

    found: list[Pair] = []
    for place, (one, two) in enumerate(kept + rest):
        first, second = head(one), head(two)
        if first != second:
            whose[second] = first
            if place >= len(kept):
                found.append((one, two))
    return found


def _detour(near: dict[str, set[str]], one: str, two: str) -> int:
    """How many borders one crosses from a province to another without that between them; none if there is no other way."""
    if near[one] & near[two]:
        return 2
    seen = {one}
    edge = near[one] - {two}
    steps = 1
    while edge:
        if two in edge:
            return steps
        seen |= edge
        edge = {there for here in edge for there in near[here]} - seen
        steps += 1
    return 0


# The net -----------------------------------------------------------------------------------------------------------

DEEP = 2
"""A sea surrounds so many that surround each other, as an island and its lake; land one less. Others lie side by side."""
ISLAND = 7
"""So many steps is the way at most around what a province surrounds."""
MANY = 8
"""With more neighbours than these, a province has several cells."""
RIM = -1
"""Instead of a line between two cells: the picture's rim."""


class _Net:
    """Cells, the lines between them, and the corners where three cells meet.

    While it is made it is the graph whose nodes are cells: a dart is one of a line's two directions, `start[d]` where it
    begins, `d ^ 1` its way back; a face is a walk of darts with the face on one side. When all faces but the outer one
    are triangles, each is a corner.
    """

    def __init__(self, tiles: Tiles, pairs: dict[Pair, _Crossing]) -> None:
        self.kinds = {tile.code: tile.kind for tile in tiles.provinces}
        self.near = {frozenset(pair) for pair in pairs}
        self.owners: list[str | None] = [*sorted(self.kinds)]
        """Whose each cell is; None for a cell of nobody."""
        self.start: list[int] = []
        self.degree: list[int] = [0] * len(self.owners)
        self.depth: list[int] = [0] * len(self.owners)
        """How many cells lie in each other around others where each hangs."""
        self.triangles: list[tuple[int, int, int]] = []
        self.behind: dict[int, float] = {}
        """Line at the outer face -> how many provinces lie behind it, shared out among the lines they have there."""
        outer, faces = self.embedded(_in_the_plane(tiles, pairs))
        self.islands(outer)
        self.open: list[list[int]] = faces
        while self.open:
            self.fill(self.open.pop())
        self.outer = outer
        self.split()
        self.net()

    def cell(self, owner: str | None, depth: int = 0) -> int:
        """A new cell of a province, or of nobody."""
        self.owners.append(owner)
        self.degree.append(0)
        self.depth.append(depth)
        return len(self.owners) - 1

    def edge(self, one: int, two: int) -> int:
        """A new line, as the dart from one to two."""
        self.start += [one, two]
        self.degree[one] += 1
        self.degree[two] += 1
        return len(self.start) - 2

    def embedded(self, pairs: list[Pair]) -> tuple[list[int], list[list[int]]]:
        """The outer face of what is drawn of some borders, and all others."""
        import networkx as nx

        index = {code: number for number, code in enumerate(self.owners) if code is not None}
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(sorted(index))
        graph.add_edges_from(pairs)
        blocks: dict[str, list[list[str]]] = {code: [] for code in index}
        # Their stub calls them sets of sets.
        members: Iterable[Iterable[Any]] = nx.biconnected_components(graph)
        several: list[list[str]] = sorted(sorted(block) for block in members)
        for block in several:
            for code in block:
                blocks[code].append(block)
        faces: list[list[int]] = []
        outer: list[int] = []
        parts = sorted((sorted(part) for part in nx.connected_components(graph)), key=lambda part: (-len(part), part))
        back: list[int] = []
        last = -1
        for part in parts:
            walk, here = self.hung(part, blocks, graph, index, faces)
            if last >= 0:
                # What nothing links stands beside the rest, with a cell of nobody between: all in a row, as many around
                # one place would have no room there.
                between = self.cell(None)
                out, on = self.edge(last, between), self.edge(between, here)
                outer += [out, on]
                back = [on ^ 1, out ^ 1, *back]
            half = len(walk) // 2
            outer += walk[:half]
            back = [*walk[half:], *back]
            last = self.start[walk[half]] if walk else here
        outer += back
        return outer, faces

    def hung(
        self,
        part: list[str],
        blocks: dict[str, list[list[str]]],
        graph: nx.Graph[str],
        index: dict[str, int],
        faces: list[list[int]],
    ) -> tuple[list[int], int]:
        """The outer face of a part of the board that hangs together, and where that begins; its others are added to `faces`.

        What hangs at one province alone lies outside, or in the largest face beside that province.
        """
        outer: list[int] = []
        root = max((block for code in part for block in blocks[code]), key=len, default=None)
        if root is None:
            return [], index[part[0]]
        queue = [(root[0], root)]
        known = [root]
        for here, block in queue:
            mine = self.faces(_embedded((min(pair), max(pair)) for pair in graph.subgraph(block).edges()), index)
            for code in block:
                for other in blocks[code]:
                    if other not in known:
                        known.append(other)
                        queue.append((code, other))
            at = index[here]
            own = min((face for face in mine if any(self.start[dart] == at for dart in face)), key=self.rank)
            if block is root:
                own = outer = min(mine, key=self.rank)
            mine.remove(own)
            self.behind |= {dart >> 1: (len(block) - (block is not root)) / len(own) for dart in own}
            if block is not root:
                turn = next(place for place, dart in enumerate(own) if self.start[dart] == at)
                hosts = [face for face in (outer, *faces) if any(self.start[dart] == at for dart in face)]
                host = hosts[0] if hosts[0] is outer else min(hosts, key=self.rank)
                place = next(place for place, dart in enumerate(host) if self.start[dart] == at)
                host[place:place] = [*own[turn:], *own[:turn]]
            faces += mine
        return outer, self.start[outer[0]]

    def faces(self, embedding: nx.PlanarEmbedding[str] | None, index: dict[str, int]) -> list[list[int]]:
        """Darts for the lines of an embedding, and its faces."""
        assert embedding is not None  # they are some of those that fit into the plane
        darts: dict[Pair, int] = {}
        for one, two in sorted(embedding.edges()):
            if one < two:
                darts[one, two] = self.edge(index[one], index[two])
                darts[two, one] = darts[one, two] ^ 1
        found, seen = [], set()
        for first in sorted(darts):
            face = []
            here = first
            while here not in seen:
                seen.add(here)
                face.append(darts[here])
                here = embedding.next_face_half_edge(*here)
            if face:
                found.append(face)
        return found

    def rank(self, face: list[int]) -> tuple[int, int, list[int]]:
        """Least for the face that should be the outer one: the longest, and rather one of seas."""
        seas = sum(self.kind(self.start[dart]) == "sea" for dart in face)
        return (-len({self.start[dart] for dart in face}), -seas, face)

    def kind(self, cell: int) -> str:
        """The kind of the province whose cell it is; nothing for one of nobody."""
        owner = self.owners[cell]
        return "" if owner is None else self.kinds[owner]

    def may_touch(self, one: int, two: int) -> bool:
        """Whether a line between two cells would say nothing that the borders do not."""
        a, b = self.owners[one], self.owners[two]
        return one != two and (a is None or b is None or a == b or frozenset((a, b)) in self.near)

    def cut(self, face: list[int], at: int) -> None:
        """Cuts the corner at a place of a face off: a new line from the node before it to that after."""
        into, out = face[at - 1], face[at]
        dart = self.edge(self.start[into], self.start[out ^ 1])
        self.triangles.append((into, out, dart ^ 1))
        face[at] = dart
        del face[at - 1]  # the last one, where at is the first

    def wrap(self, face: list[int], first: int, last: int) -> None:
        """A second cell for who stands at two places of a face, around all that hangs between."""
        here = self.start[face[first]]
        walk = [self.start[dart] for dart in face[first:last]]
        depth = self.depth[here] = max(self.depth[node] for node in walk) + 1
        new = self.cell(self.owners[here], depth)
        spokes = [self.edge(new, node) for node in [*walk, here]]
        for spoke, after, dart in zip(spokes, spokes[1:], face[first:last], strict=False):
            self.triangles.append((dart, after ^ 1, spoke))
        face[first:last] = [spokes[0] ^ 1, spokes[-1]]

    def several(self, face: list[int]) -> list[tuple[int, int]]:
        """Every two places of a face, one next after the other, where one node stands; the second may lie behind the face's end."""
        places: dict[int, list[int]] = {}
        for place, dart in enumerate(face):
            places.setdefault(self.start[dart], []).append(place)
        return [
            (here, there if there > here else there + len(face))
            for at in places.values()
            if len(at) > 1
            for here, there in pairwise([*at, at[0]])
        ]

    def islands(self, face: list[int]) -> None:
        """Puts what hangs at one place of the outer face within whoever is there, if it is small and may be surrounded so."""
        while (first := self.surround(face)) is not None:
            # The new cell takes its province's place on the rim, before and behind it.
            for at in (first + 2, first):
                corner = at % len(face)
                ends = self.start[face[corner - 1]], self.start[face[corner] ^ 1]
                if len(face) > 3 and self.may_touch(*ends):
                    self.cut(face, corner)

    def surround(self, face: list[int]) -> int | None:
        """Wraps the least that hangs at one place of a face, and says at which; None if nothing may be surrounded."""
        small = [found for found in self.several(face) if self.surrounds(face, *found)]
        if not small:
            return None
        first, last = min(small, key=lambda found: (found[1] - found[0], found))
        if last >= len(face):
            face[:] = [*face[first:], *face[:first]]
            first, last = 0, last - first
        self.wrap(face, first, last)
        return first

    def surrounds(self, face: list[int], first: int, last: int) -> bool:
        """Whether another cell of who stands at two places of a face may lie around all that hangs between."""
        here = self.start[face[first]]
        walk = [self.start[face[place % len(face)]] for place in range(first, last)]
        return (
            len(walk) <= ISLAND
            and len(face) - len(walk) > 1
            and self.owners[here] is not None
            and max(self.depth[node] for node in walk) < DEEP - (self.kind(here) != "sea")
            and all(node == here or self.may_touch(node, here) for node in walk)
        )

    def fill(self, face: list[int]) -> None:
        """Cuts a face into triangles: where provinces border, they meet once more; else nobody's land lies between."""
        while len(face) > 3:
            ears = []
            for at in range(len(face)):
                a, b, c = self.start[face[at - 1]], self.start[face[at]], self.start[face[at] ^ 1]
                if self.may_touch(a, c):
                    seas = (self.kind(a) == "sea") + (self.kind(c) == "sea")
                    nobody = self.owners[b] is not None
                    ears.append((-seas, nobody, self.degree[a] + self.degree[c], at))
            if ears:
                self.cut(face, min(ears)[-1])
            elif self.surround(face) is None:
                new = self.cell(None)
                spokes = [self.edge(new, self.start[dart]) for dart in face]
                for spoke, after, dart in zip(spokes, [*spokes[1:], spokes[0]], face, strict=True):
                    self.triangles.append((dart, after ^ 1, spoke))
                return
        self.triangles.append((face[0], face[1], face[2]))

    def split(self) -> None:
        """Gives whoever has many neighbours several cells: one must be seen from its middle, and several may bend."""
        after: dict[int, int] = {}
        where: dict[int, int] = {}
        for number, triangle in enumerate(self.triangles):
            for here, there in pairwise((*triangle, triangle[0])):
                after[here], where[here] = there, number
        first = {self.start[dart]: dart for dart in range(len(self.start) - 1, -1, -1)}
        first |= {self.start[dart]: dart for dart in self.outer}

        def put(number: int, *triangle: int) -> None:
            a, b, c = triangle
            self.triangles[number : number + 1] = [(a, b, c)]
            for here, there in ((a, b), (b, c), (c, a)):
                after[here], where[here] = there, number

        queue = sorted(first)
        while queue:
            cell = queue.pop()
            if self.owners[cell] is None or self.degree[cell] <= MANY:
                continue
            darts = [first[cell]]
            while (back := darts[-1] ^ 1) in after and after[back] != darts[0]:
                darts.append(after[back])
            onrim = back not in after
            count = len(darts)
            if count != self.degree[cell]:
                continue  # it reaches the rim in several places
            ends = [self.start[dart ^ 1] for dart in darts]
            # Where a line ends at both of the new cells, there is one more of it: rather where there are few.
            if onrim:
                at, half = 0, min(range(count // 2 - 1, count // 2 + 2), key=lambda n: (self.degree[ends[n]], n))
                moved = darts[half + 1 :]
            else:
                half = count // 2
                ways = [n for n in range(count) if ends[n] != ends[(n + half) % count]]
                if not ways:
                    continue
                at = min(ways, key=lambda n: (self.degree[ends[n]] + self.degree[ends[(n + half) % count]], n))
                darts = [*darts[at:], *darts[:at]]
                moved = darts[1:half]
            new = self.cell(self.owners[cell])
            self.degree[new] += len(moved)
            self.degree[cell] -= len(moved)
            for dart in moved:
                self.start[dart] = new
            first[cell], first[new] = darts[0], moved[0]
            between, there = self.edge(cell, new), darts[half]
            if onrim:
                follows = where[there ^ 1]
                other = after[moved[0]]
                over = self.edge(new, self.start[there ^ 1])
                put(follows, over ^ 1, moved[0], other)
                put(len(self.triangles), there ^ 1, between, over)
                self.outer.insert(self.outer.index(darts[0]), between ^ 1)
                first[new] = between ^ 1
            else:
                here = darts[0]
                left, right = self.edge(new, self.start[here ^ 1]), self.edge(new, self.start[there ^ 1])
                put(where[here ^ 1], left ^ 1, moved[0], after[moved[0]])
                put(where[there], moved[-1] ^ 1, right, after[there])
                put(len(self.triangles), here ^ 1, between, left)
                put(len(self.triangles), between ^ 1, there, right ^ 1)
            queue += [cell, new]

    def net(self) -> None:
        """The corners, and around each cell in turn where its lines begin, and which they are."""
        cells = len(self.owners)
        after: dict[int, int] = {}
        corner: dict[int, int] = {}
        count = cells
        for triangle in self.triangles:
            for here, there in pairwise((*triangle, triangle[0])):
                after[here], corner[here] = there, count
            count += 1
        self.rim: list[int] = []
        """The corners on the picture's rim in turn: where a line ends, and between two of these, the middle of a cell's side."""
        outer = set(self.outer)
        middle: dict[int, int] = {}
        for here, there in pairwise([*self.outer, *self.outer[:1]]):
            after[here], corner[here] = there, count
            middle[here] = count + 1
            self.rim += [count, count + 1]
            count += 2
        if not self.outer:  # a board of one province
            self.rim = [count, count + 1, count + 2, count + 3]
            self.around = [[(corner, RIM) for corner in self.rim]]
            self.count = count + 4
            self.halves: dict[int, int] = {}
            return
        begins: dict[int, int] = {}
        for dart in range(len(self.start)):
            begins.setdefault(self.start[dart], dart)
        self.around = []
        """Cell -> its corners in turn, each with the line that leads on from it."""
        self.halves = {}
        """Line -> the corner in its middle, of lines that would else join what another joins."""
        for cell in range(cells):
            dart = first = begins[cell]
            sides: list[tuple[int, int]] = []
            while True:
                sides.append((corner[dart], dart >> 1))
                back = dart ^ 1
                dart = after[back]
                if back in outer:
                    sides += [(corner[back], RIM), (middle[back], RIM)]
                if dart == first:
                    break
            if self.degree[cell] == 2:
                for _, line in sides:
                    if line != RIM and line not in self.halves:
                        self.halves[line] = count
                        count += 1
            self.around.append(sides)
        for cell, sides in enumerate(self.around):
            self.around[cell] = [
                one
                for side in sides
                for one in ((side, (self.halves[side[1]], side[1])) if side[1] in self.halves else (side,))
            ]
        self.count = count


# Where everything lies ---------------------------------------------------------------------------------------------


def _weights(tiles: Tiles, net: _Net) -> list[float]:
    """How much room each cell should have beside others."""
    about = {tile.code: tile for tile in tiles.provinces}
    cells: dict[str, list[int]] = {}
    found = [0.0] * len(net.owners)
    for cell, owner in enumerate(net.owners):
        if owner is None:
            found[cell] = NOBODY * max(1.0, len(net.around[cell]) / 5)
        else:
            cells.setdefault(owner, []).append(cell)
    for owner, mine in cells.items():
        tile = about[owner]
        lines = sum(len(net.around[cell]) - 2 for cell in mine)
        room = 0.82 + 0.05 * max(lines - 3, 0) + (0.12 if tile.centre else 0.0) + (0.08 if tile.kind == "sea" else 0.0)
        room += 0.55 * len(tile.coasts)
        for cell in mine:
            found[cell] = room * (len(net.around[cell]) - 2) / lines
    # What lies along the rim is as long as that is, and should not be flat.
    along = 3.7 * sqrt(fsum(found)) / (len(net.rim) / 2)
    for cell, sides in enumerate(net.around):
        if any(line == RIM for _, line in sides):
            found[cell] = max(found[cell], min(along * DEPTH, 4.0))
    return found


def _size(weights: list[float]) -> Point:
    """The picture's size, for cells of such weights."""
    across = sqrt(max(fsum(weights), LEAST) * ROOM * SHAPE[0] / SHAPE[1])
    return round(across / 10) * 10, round(across * SHAPE[1] / SHAPE[0] / 10) * 10


WINDS = {"N": (0.0, -1.0), "S": (0.0, 1.0), "E": (1.0, 0.0), "W": (-1.0, 0.0)}
"""Where on the picture a coast should lie whose name begins so."""


def _wishes(tiles: Tiles, net: _Net) -> list[tuple[int, int, Spot]]:
    """Cells of provinces, cells of the seas at their named coasts, and in which direction these should lie."""
    cells = {owner: cell for cell, owner in reversed(list(enumerate(net.owners)))}
    found = []
    for tile in tiles.provinces:
        for coast in tile.coasts:
            wind = WINDS.get(coast[:1].upper())
            if wind is not None:
                seas = sorted(_beyond(tiles, f"{tile.code}/{coast}"))
                found += [(cells[tile.code], cells[sea], wind) for sea in seas]
    return found


def _beyond(tiles: Tiles, place: str) -> set[str]:
    """The seas that a coast lies at."""
    seas = {tile.code for tile in tiles.provinces if tile.kind == "sea"}
    found = {border.two for border in tiles.borders if border.one == place and border.fleet}
    found |= {border.one for border in tiles.borders if border.two == place and border.fleet}
    return found & seas


def _roots(count: int) -> list[Spot]:
    """The corners of a regular polygon around nothing, at a distance of one, by series that every machine adds alike."""
    step = 2 * 3.141592653589793 / count
    cos, sin, term = 0.0, 0.0, 1.0
    for power in range(24):
        if power % 2 == 0:
            cos += term if power % 4 == 0 else -term
        else:
            sin += term if power % 4 == 1 else -term
        term = term * step / (power + 1)
    found = [(1.0, 0.0)]
    for _ in range(count - 1):
        a, b = found[-1]
        found.append((a * cos - b * sin, a * sin + b * cos))
    return found


class _Layout:
    """The net in its place: cells' middles and corners as points, its triangles those of a middle and one side of its cell."""

    def __init__(self, net: _Net, weights: list[float], size: Point) -> None:
        self.net = net
        self.half = (size[0] / 2, size[1] / 2)
        self.mirrored = False
        self.cells = len(net.owners)
        self.x = [0.0] * net.count
        self.y = [0.0] * net.count
        self.corners = [[corner for corner, _ in sides] for sides in net.around]
        self.onrim = set(net.rim)
        # Each corner's triangles, as the two other points of each; a middle's are its cell's sides.
        self.beside: list[list[tuple[int, int]]] = [[] for _ in range(net.count)]
        self.within: list[list[int]] = [[] for _ in range(net.count)]
        """Corner -> the cells around it."""
        rim = net.rim
        self.beyond = {here: ends for here, *ends in zip(rim, [rim[-1], *rim[:-1]], [*rim[1:], rim[0]], strict=True)}
        """Corner on the rim -> those before and behind it there."""
        self.parted = False
        """Whether corners on the rim keep from each other, which they do only where they would crowd."""
        for cell, corners in enumerate(self.corners):
            for here, there in pairwise([*corners, corners[0]]):
                self.beside[cell].append((here, there))
                self.beside[here].append((there, cell))
                self.beside[there].append((cell, here))
                self.within[here].append(cell)
        # Before and behind each line that ends on the rim, room for what lies behind the line.
        parts = [net.behind.get(dart >> 1, 1.0) for dart in net.outer] or [1.0, 1.0]
        most = max(parts)
        parts = [part + most * 0.1 for part in parts]
        whole, gone = fsum(parts), 0.0
        self.along: list[float] = []
        """How far around each corner on the rim lies, in turn."""
        for place, part in enumerate(parts):
            behind = parts[(place + 1) % len(parts)]
            self.along += [(gone + part / 2) / whole, (gone + (part + behind) / 2) / whole]
            gone += part
        self.turned = (1.0, 0.0)
        self.line()
        self.stiff = [1.0 if net.owners.count(owner) == 1 else LIMP for owner in net.owners]
        self.share(weights)

    def share(self, weights: list[float]) -> None:
        """Says how large each cell should be."""
        x, y = self.x, self.y
        rim = pairwise([*self.net.rim, self.net.rim[0]])
        area = fsum(x[here] * y[there] - x[there] * y[here] for here, there in rim) / 2
        whole = fsum(weights)
        self.weights = weights
        self.target = [weight * area / whole for weight in weights]
        self.aim = list(self.target)
        """What a cell tries to be as large as, so that it becomes as large as it should be."""

    def grow(self, tight: Iterable[int]) -> None:
        """Gives some cells more room, and the whole picture as much."""
        cells = set(tight)
        more = [weight * 1.25 if cell in cells else weight for cell, weight in enumerate(self.weights)]
        wide, high = _size(more)
        across, down = wide / 2 / self.half[0], high / 2 / self.half[1]
        self.half = (wide / 2, high / 2)
        self.x = [x * across for x in self.x]
        self.y = [y * down for y in self.y]
        self.share(more)

    def turn(self, wishes: list[tuple[int, int, Spot]]) -> None:
        """Turns the rim, and mirrors the picture, so that coasts lie where their names say, as far as they agree."""
        if not wishes:
            return
        self.spread(1)
        best = (0.0, False, 1.0, 0.0)
        for mirrored in (False, True):
            cos, sin = 0.0, 0.0
            for cell, sea, (right, below) in wishes:
                x, y = self.x[sea] - self.x[cell], self.y[sea] - self.y[cell]
                far = sqrt(x * x + y * y)
                a = -right if mirrored else right
                cos += (a * x + below * y) / far
                sin += (below * x - a * y) / far
            score = sqrt(cos * cos + sin * sin)
            if score > best[0] + 1e-9:
                best = (score, mirrored, cos / score, sin / score)
        _, self.mirrored, cos, sin = best
        self.turned = (cos, sin)
        self.line()

    def line(self) -> None:
        """Puts the corners on the rim where they lie along it."""
        cos, sin = self.turned
        for corner, at in zip(self.net.rim, self.along, strict=True):
            x, y = self.on_rim(*self.square(at - int(at)))
            if self.turned != (1.0, 0.0):
                x, y = x / self.half[0], y / self.half[1]
                x, y = self.on_rim(x * cos - y * sin, x * sin + y * cos)
            self.x[corner], self.y[corner] = x, y

    def square(self, part: float) -> Spot:
        """A point of the square's edge, so far around it."""
        side, rest = divmod(part * 4 + 0.35, 1.0)
        along = 2 * rest - 1
        return ((along, -1.0), (1.0, along), (-along, 1.0), (-1.0, -along))[int(side) % 4]

    def on_rim(self, x: float, y: float) -> Spot:
        """The point in a direction on the curve within which the net is laid out: between an ellipse and a rectangle."""
        far = sqrt(sqrt(x * x * x * x + y * y * y * y))
        return x / far * self.half[0], y / far * self.half[1]

    # Springs ---------------------------------------------------------------------------------------------------------

    def slide(self) -> None:
        """Gives cells that are too small more of the rim, and those that are too large less."""
        long = {}
        for cell, corners in enumerate(self.corners):
            ratio = self.room(cell) / self.target[cell]
            for here, there in pairwise([*corners, corners[0]]):
                long[here, there] = min(max(sqrt(1.0 / max(ratio, 1e-6)), 0.5), 2.0)
        rim = self.net.rim
        ends = [*self.along[1:], self.along[0] + 1.0]
        gaps = [
            (behind - at) * long.get((here, there), long.get((there, here), 1.0))
            for here, there, at, behind in zip(rim, [*rim[1:], rim[0]], self.along, ends, strict=True)
        ]
        fewest = fsum(gaps) / len(gaps) / 4  # what has room of its own beyond the rim needs some of it all the same
        gaps = [max(gap, fewest) for gap in gaps]
        whole = fsum(gaps)
        for place, gap in enumerate(gaps[:-1]):
            self.along[place + 1] = self.along[place] + gap / whole
        self.line()

    def crowded(self) -> bool:
        """Whether some cell has next to no room; where much hangs behind little of the rim, springs alone do not mend it."""
        return any(self.room(cell) < target * CROWDED for cell, target in enumerate(self.target))

    def room(self, cell: int) -> float:
        """The area of a cell."""
        x, y = self.x, self.y
        corners = self.corners[cell]
        return fsum(x[a] * y[b] - x[b] * y[a] for a, b in pairwise([*corners, corners[0]])) / 2

    def spread(self, rounds: int = ROUNDS, slides: int = 0) -> None:
        """Hangs the net into its rim on springs, which are made stronger, again and again, where cells are too large."""
        lines: dict[tuple[int, int], list[int]] = {}
        triangles: list[tuple[int, int, int]] = []
        goals: list[float] = []
        for cell, corners in enumerate(self.corners):
            for here, there in pairwise([*corners, corners[0]]):
                for one, two in ((cell, here), (here, there), (there, cell)):
                    lines.setdefault((min(one, two), max(one, two)), []).append(len(triangles))
                triangles.append((cell, here, there))
                goals.append(self.target[cell] / len(corners))
        inner = [point for point in range(self.net.count) if point not in self.onrim]
        order, later = _elimination(inner, lines)
        springs = {line: 1.0 for line in lines if not (line[0] in self.onrim and line[1] in self.onrim)}
        for turn in range(rounds):
            self.hang(order, later, springs)
            if turn == rounds - 1:
                break
            if turn < slides:
                self.slide()
            ratio = [
                (max(self.area(a, b, c), 0.0) / 2 + goal * 1e-6) / goal
                for (a, b, c), goal in zip(triangles, goals, strict=True)
            ]
            for line in springs:
                both = [ratio[triangle] for triangle in lines[line]]
                springs[line] *= min(max(sqrt(both[0] * both[-1]), 0.1), 10.0)

    def area(self, a: int, b: int, c: int) -> float:
        """Twice the area of a triangle, if it does not lie upside down."""
        x, y = self.x, self.y
        return (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])

    def hang(self, order: list[int], later: dict[int, list[int]], springs: dict[tuple[int, int], float]) -> None:
        """Each point where its springs are in balance: equations, solved by elimination in the order that keeps them short."""
        x, y = self.x, self.y
        rows: dict[int, dict[int, float]] = {point: dict.fromkeys(later[point], 0.0) for point in order}
        own = [0.0] * self.net.count
        across = [0.0] * self.net.count
        down = [0.0] * self.net.count
        for (one, two), force in springs.items():
            for here, there in ((one, two), (two, one)):
                if here in rows:
                    own[here] += force
                    if there not in rows:
                        across[here] += force * x[there]
                        down[here] += force * y[there]
                    elif there in rows[here]:
                        rows[here][there] -= force
        for point in order:
            row = rows[point]
            middle = own[point]
            ends = list(row.items())
            for index, (here, force) in enumerate(ends):
                part = force / middle
                own[here] -= part * force
                across[here] -= part * across[point]
                down[here] -= part * down[point]
                changed = rows[here]
                for there, other in ends[index + 1 :]:
                    changed[there] -= part * other
        for point in reversed(order):
            right, below = across[point], down[point]
            for there, force in rows[point].items():
                right -= force * x[there]
                below -= force * y[there]
            x[point], y[point] = right / own[point], below / own[point]

    # Shapes ----------------------------------------------------------------------------------------------------------

    def relax(self, sweeps: int) -> None:
        """Moves each corner toward where the cells around it would have it if they were regular and as large as they should be."""
        roots = {count: _roots(count) for count in sorted({len(corners) for corners in self.corners})}
        x, y = self.x, self.y
        lines = sorted(
            {
                (min(here, there), max(here, there))
                for sides in self.net.around
                for (here, line), (there, _) in pairwise([*sides, sides[0]])
                if line != RIM
            }
        )
        least = [goal * 0.02 for goal in self.target]
        for _ in range(sweeps):
            right = [0.0] * self.net.count
            below = [0.0] * self.net.count
            for cell, corners in enumerate(self.corners):
                self.regular(cell, corners, roots[len(corners)], right, below)
            for one, two in lines:
                dx, dy = x[two] - x[one], y[two] - y[one]
                length = sqrt(dx * dx + dy * dy)
                if 0.0 < length < SHORTEST:
                    push = (SHORTEST - length) / length * 0.5 * 3
                    right[one] -= dx * push
                    below[one] -= dy * push
                    right[two] += dx * push
                    below[two] += dy * push
            pace = 0.8
            for corner in range(self.cells, self.net.count):
                share = pace / len(self.within[corner])
                goal = x[corner] + right[corner] * share, y[corner] + below[corner] * share
                if corner in self.onrim:
                    goal = self.on_rim(goal[0] / self.half[0], goal[1] / self.half[1])
                self.move(corner, goal, least)
            for cell in range(self.cells):
                self.move(cell, self.inmost(cell), least)
        for _ in range(LAST):
            for one, two in lines:
                dx, dy = x[two] - x[one], y[two] - y[one]
                length = sqrt(dx * dx + dy * dy)
                if 0.0 < length < SHORTEST * 0.6:
                    # A border that nobody sees would be one that nobody knows of.
                    dx, dy = dx / length * 3.0, dy / length * 3.0
                    for corner, ex, ey in ((one, -dx, -dy), (two, dx, dy)):
                        if corner not in self.onrim:
                            self.move(corner, (x[corner] + ex, y[corner] + ey), least)

    def regular(self, cell: int, corners: list[int], roots: list[Spot], right: list[float], below: list[float]) -> None:
        """Adds how far each corner of a cell is from where it would be in a regular one, turned as this one is."""
        x, y = self.x, self.y
        count = len(corners)
        across, down, area = 0.0, 0.0, 0.0
        before = corners[-1]
        for corner in corners:
            across += x[corner]
            down += y[corner]
            area += x[before] * y[corner] - x[corner] * y[before]
            before = corner
        across, down = across / count, down / count
        cos, sin = 0.0, 0.0
        for corner, (a, b) in zip(corners, roots, strict=True):
            u, v = x[corner] - across, y[corner] - down
            cos += u * a + v * b
            sin += v * a - u * b
        far = sqrt(cos * cos + sin * sin)
        if far < 1e-9:
            return
        # The area of a regular polygon is half its corners, times its radius squared, times the sine of its step.
        radius = sqrt(2 * self.aim[cell] / (count * roots[1][1])) / far
        cos, sin = cos * radius, sin * radius
        for corner, (a, b) in zip(corners, roots, strict=True):
            right[corner] += (across + a * cos - b * sin - x[corner]) * self.stiff[cell]
            below[corner] += (down + a * sin + b * cos - y[corner]) * self.stiff[cell]
        # What stays too small for what is around it aims higher.
        self.aim[cell] *= min(max(sqrt(sqrt(self.target[cell] * 2 / max(area, 1.0))), 0.9), 1.1)
        self.aim[cell] = min(max(self.aim[cell], self.target[cell] * 0.4), self.target[cell] * 3.0)
        # And what is too small or too large pushes or pulls each corner by as much as that changes its area.
        slopes = [
            (y[after] - y[before], x[before] - x[after])
            for before, after in zip([corners[-1], *corners[:-1]], [*corners[1:], corners[0]], strict=True)
        ]
        steep = fsum(a * a + b * b for a, b in slopes)
        push = PRESSURE * (2 * self.aim[cell] - area) / steep
        for corner, (a, b) in zip(corners, slopes, strict=True):
            right[corner] += a * push
            below[corner] += b * push

    def inmost(self, cell: int) -> Spot:
        """Where the middle of a cell should be: amid its corners, but off a side that it would hold fast by lying close to it."""
        x, y = self.x, self.y
        corners = self.corners[cell]
        across, down = fsum(x[corner] for corner in corners), fsum(y[corner] for corner in corners)
        across, down = across / len(corners), down / len(corners)
        near = sqrt(self.target[cell]) * NEAR
        right, below = 0.0, 0.0
        for a, b in self.beside[cell]:
            dx, dy = x[b] - x[a], y[b] - y[a]
            length = sqrt(dx * dx + dy * dy)
            if length > 0.0:
                off = (dx * (down - y[a]) - dy * (across - x[a])) / length
                if off < near:
                    right -= dy / length * (near - off)
                    below += dx / length * (near - off)
        return across + right, down + below

    def part(self) -> None:
        """Moves corners apart that crowd on the rim: lines from there to the picture's edge would lie on each other at any size."""
        self.parted = True
        x, y = self.x, self.y
        least = [goal * 0.02 for goal in self.target]
        for _ in range(SWEEPS // 4):
            for here, (before, behind) in self.beyond.items():
                spots = [(x[corner], y[corner]) for corner in (before, here, behind)]
                if min(_far(spots[0], spots[1]), _far(spots[1], spots[2])) < APART:
                    self.move(here, ((x[before] + x[behind]) / 2, (y[before] + y[behind]) / 2), least)

    def move(self, point: int, goal: Spot, least: list[float]) -> None:
        """Moves a point as far toward a goal as no triangle beside it turns over, or becomes a splinter."""
        x, y = self.x, self.y
        px, py = x[point], y[point]
        gx, gy = goal
        limit = least[point] if point < self.cells else least[self.within[point][0]]
        ends = []
        for a, b in self.beside[point]:
            ax, ay, bx, by = x[a], y[a], x[b], y[b]
            now = (ax - px) * (by - py) - (bx - px) * (ay - py)
            ends.append((ax, ay, bx, by, now))
            if now < limit * 2:
                # Along what it comes too close to, and a little away, or splinters would soon hold each other fast.
                dx, dy = bx - ax, by - ay
                square = dx * dx + dy * dy
                if square > 0.0:
                    along = min(dx * (gy - py) - dy * (gx - px), 0.0)
                    far = (min((limit * 2 - now) * 0.5, sqrt(square) * 2.0) - along) / square
                    gx -= dy * far
                    gy += dx * far
        part = 1.0
        for ax, ay, bx, by, now in ends:
            # Along the way a triangle's area changes evenly.
            then = (ax - gx) * (by - gy) - (bx - gx) * (ay - gy)
            floor = limit if now > limit else now * 0.98
            if then < floor and then < now:
                part = min(part, (now - floor) / (now - then))
        px, py = px + (gx - px) * part, py + (gy - py) * part
        if point in self.onrim:
            px, py = self.on_rim(px / self.half[0], py / self.half[1])
            for a, b in self.beside[point]:
                # Back on the rim, which is curved, it may be too far.
                if (x[a] - px) * (y[b] - py) - (x[b] - px) * (y[a] - py) < min(limit, self.area(point, a, b) * 0.5):
                    return
            if self.parted:
                for other in self.beyond[point]:
                    gap = _far((px, py), (x[other], y[other]))
                    if gap < APART and gap < _far((x[point], y[point]), (x[other], y[other])):
                        return
        elif not (abs(px) <= self.half[0] and abs(py) <= self.half[1]):
            return  # among splinters that floats cannot tell from nothing, it would leave the picture
        x[point], y[point] = px, py


def _elimination(points: list[int], lines: Iterable[tuple[int, int]]) -> tuple[list[int], dict[int, list[int]]]:
    """In which order to solve a net's equations: always the point with the fewest neighbours; and who is left beside it then."""
    near: dict[int, set[int]] = {point: set() for point in points}
    for one, two in lines:
        if one in near and two in near:
            near[one].add(two)
            near[two].add(one)
    queue = [(len(beside), point) for point, beside in near.items()]
    heapq.heapify(queue)
    order: list[int] = []
    place: dict[int, int] = {}
    later: dict[int, list[int]] = {}
    while queue:
        many, point = heapq.heappop(queue)
        if point in place or many != len(near[point]):
            continue
        place[point] = len(order)
        order.append(point)
        beside = near.pop(point)
        later[point] = list(beside)
        for here in beside:
            mine = near[here]
            mine |= beside
            mine -= {here, point}
            heapq.heappush(queue, (len(mine), here))
    for rest in later.values():
        rest.sort(key=place.__getitem__)
    return order, later


# The picture -------------------------------------------------------------------------------------------------------


class _Drawing:
    """The net as outlines: lines as crooked as coasts and borders are, and in each province room for what stands there."""

    def __init__(self, tiles: Tiles, pairs: dict[Pair, _Crossing], net: _Net, layout: _Layout) -> None:
        self.tiles = sorted(tiles.provinces, key=lambda tile: tile.code)
        self.all = tiles
        self.pairs = pairs
        self.net = net
        self.layout = layout
        self.size = round(layout.half[0] * 2), round(layout.half[1] * 2)
        sign = -1.0 if layout.mirrored else 1.0
        self.at = [(sign * x + layout.half[0], y + layout.half[1]) for x, y in zip(layout.x, layout.y, strict=True)]
        self.lines: dict[tuple[int, int], list[Point]] = {}
        """From corner to corner, the points of a line, both ways."""
        self.meets: dict[Pair, list[tuple[int, int]]] = {}
        """Two provinces -> the lines that they share, the first one's way around."""
        self.shapes = self.drawn()
        self.touching = self.shared()
        """Two provinces -> the length of the lines that both have."""
        self.placed: dict[str, Shape] = {}
        self.tight: list[int] = []
        """Cells into which not everything goes."""

    def furnish(self) -> None:
        """Puts into each province what stands there, and finds those that are too small for it."""
        cells = {owner: cell for cell, owner in reversed(list(enumerate(self.net.owners)))}
        for tile in self.tiles:
            shape, fits = self.furnished(tile)
            self.placed[tile.code] = shape
            if not fits:
                self.tight.append(cells[tile.code])
        for pair in self.meets:
            if self.touching.get(pair, 0.0) < SEEN:
                self.tight += [cells[code] for code in pair]

    def wrong(self) -> int:
        """How many touch that do not border."""
        return sum(pair not in self.pairs for pair in self.touching)

    def hopeless(self) -> bool:
        """Whether so much of a large board lacks room that growing it is not worth the time."""
        return len(self.tiles) > LARGE and len(self.tight) * 4 > len(self.tiles)

    def drawn(self) -> dict[str | int, list[list[Point]]]:
        """The rings of each province, and of each cell of nobody by its number."""
        owners: list[str | int] = [cell if owner is None else owner for cell, owner in enumerate(self.net.owners)]
        parts: dict[str | int, dict[int, tuple[int, list[Point]]]] = {owner: {} for owner in owners}
        beside: dict[tuple[int, int], int] = {}
        for cell, sides in enumerate(self.net.around):
            for (here, _), (there, _) in pairwise([*sides, sides[0]]):
                beside[here, there] = cell
        far = self.net.count  # beyond each corner on the rim, the point on the picture's edge
        for cell, sides in enumerate(self.net.around):
            owner = owners[cell]
            for (here, line), (there, _) in pairwise([*sides, sides[0]]):
                if line == RIM:
                    continue
                other = beside[there, here]
                if owners[other] == owner:
                    continue
                if (here, there) not in self.lines:
                    points = self.crooked(here, there, cell, other)
                    self.lines[here, there] = points
                    self.lines[there, here] = points[::-1]
                parts[owner][here] = there, self.lines[here, there]
                a, b = self.net.owners[cell], self.net.owners[other]
                if a is not None and b is not None and a < b:
                    self.meets.setdefault((a, b), []).append((here, there))
        for place in range(1, len(self.net.rim), 2):
            middle = self.net.rim[place]
            here, there = self.net.rim[place - 1], self.net.rim[(place + 1) % len(self.net.rim)]
            cell = beside[here, middle]
            owner = owners[cell]
            before = beside[self.net.rim[place - 2], here]
            behind = beside[there, self.net.rim[(place + 2) % len(self.net.rim)]]
            if owners[before] != owner:
                parts[owner][here] = here + far, [self.point(here), self.edge(here)]
            if owners[behind] != owner:
                parts[owner][there + far] = there, [self.edge(there), self.point(there)]
            parts[owner][here + far] = there + far, self.along(here, middle, there)
        return {owner: _rings(part) for owner, part in sorted(parts.items(), key=lambda one: str(one[0]))}

    def shared(self) -> dict[Pair, float]:
        """How much of each other's edge provinces have, as it is drawn."""
        whose: dict[tuple[Point, Point], list[str]] = {}
        for owner, shape in self.shapes.items():
            if isinstance(owner, str):
                ends = ((min(a, b), max(a, b)) for ring in shape for a, b in pairwise([*ring, ring[0]]))
                for edge in dict.fromkeys(ends):
                    whose.setdefault(edge, []).append(owner)
        lengths: dict[Pair, list[float]] = {}
        for (a, b), owners in whose.items():
            for pair in combinations(sorted(owners), 2):
                lengths.setdefault((pair[0], pair[1]), []).append(_far(a, b))
        return {pair: fsum(parts) for pair, parts in lengths.items()}

    def point(self, corner: int) -> Point:
        """A corner, on the picture."""
        x, y = self.at[corner]
        return round(x), round(y)

    def edge(self, corner: int) -> Point:
        """The point of the picture's edge that lies behind a corner on the rim."""
        x, y = self.at[corner]
        wide, high = self.size
        u, v = x / wide * 2 - 1, y / high * 2 - 1
        most = max(abs(u), abs(v))
        return round((u / most + 1) * wide / 2), round((v / most + 1) * high / 2)

    def along(self, here: int, middle: int, there: int) -> list[Point]:
        """The picture's edge from behind one corner on the rim to behind another, around its own corners."""
        stops = [self.edge(here), self.edge(middle), self.edge(there)]
        found = stops[:1]
        for one, two in pairwise(stops):
            found += self.around(one, two)
            found.append(two)
        return found

    def around(self, one: Point, two: Point) -> list[Point]:
        """The picture's corners between two points of its edge that lie less than half of it apart."""
        wide, high = self.size
        if one[0] == two[0] in (0, wide) or one[1] == two[1] in (0, high):
            return []
        near = [
            (x, y)
            for x in (0, wide)
            for y in (0, high)
            if (one[0] == x or one[1] == y) and (two[0] == x or two[1] == y)
        ]
        if near:
            return near[:1]
        # They lie on opposite edges: two corners, on the nearer side.
        if one[1] in (0, high):
            x = 0 if one[0] + two[0] < wide else wide
            return [(x, one[1]), (x, two[1])]
        y = 0 if one[1] + two[1] < high else high
        return [(one[0], y), (two[0], y)]

    def crooked(self, here: int, there: int, cell: int, other: int) -> list[Point]:
        """A line from corner to corner, never outside the two triangles beside it."""
        kinds = {self.net.kind(cell), self.net.kind(other)}
        shore = "sea" in kinds and len(kinds) > 1
        (x, y), (x2, y2) = self.at[here], self.at[there]
        dx, dy = x2 - x, y2 - y
        length = sqrt(dx * dx + dy * dy)
        if length < 1.0:
            return _distinct([self.point(here), self.point(there)])
        ux, uy = dx / length, dy / length
        limits = []
        for apex in (cell, other):
            px, py = self.at[apex][0] - x, self.at[apex][1] - y
            limits.append(((px * ux + py * uy) / length, abs(py * ux - px * uy)))
        levels = 1
        while length / (1 << levels) > (14.0 if shore else 30.0) and levels < 6:
            levels += 1
        seed = f"{min(here, there)} {max(here, there)} {self.net.owners[cell]}"
        heights = _noise(seed, levels, length * (0.13 if shore else 0.09), 0.56 if shore else 0.42)
        count = len(heights) - 1
        points = []
        for place, height in enumerate(heights):
            part = place / count
            side = limits[0] if height * self.side(here, there, cell) > 0 else limits[1]
            most = 0.45 * _room(part, *side)
            high = min(max(height, -most), most)
            points.append((x + dx * part - uy * high, y + dy * part + ux * high))
        for _ in range(1 if shore else 2):
            points = _smooth(points)
        return _distinct([self.point(here), *((round(a), round(b)) for a, b in points[1:-1]), self.point(there)])

    def side(self, here: int, there: int, cell: int) -> float:
        """Above nothing where a cell lies to the right of a line, seen with the eyes of who walks along it."""
        (x, y), (x2, y2), (px, py) = self.at[here], self.at[there], self.at[cell]
        return (x2 - x) * (py - y) - (y2 - y) * (px - x)

    # What stands in a province ---------------------------------------------------------------------------------------

    def furnished(self, tile: Tile) -> tuple[Shape, bool]:
        """The shape of a province with places for its unit, its mark, its name and its coasts; and whether all have room."""
        rings = self.shapes[tile.code]
        grid = _Grid(rings)
        shores = {coast: self.shore(tile.code, _beyond(self.all, f"{tile.code}/{coast}")) for coast in tile.coasts}
        found = None
        for texts in _texts(tile):
            found = grid.arranged(texts, shores, mark=tile.centre)
            if found is not None:
                break
        found = found or grid.scattered(_texts(tile)[-1], shores, mark=tile.centre)
        fits = found is not None
        if found is None:
            found = grid.crammed(shores, self.middle(tile.code))
        unit, label, centre, coasts = found
        shape = Shape(
            path=_path(rings), label=label, unit=unit, centre=centre if tile.centre else None, coasts=coasts or None
        )
        return shape, fits

    def middle(self, code: str) -> Point:
        """The middle of a province's cell."""
        return self.point(self.net.owners.index(code))

    def shore(self, code: str, seas: set[str]) -> list[Point]:
        """The points of a province's lines with some seas; of all its lines, where it has none with these."""
        found = []
        for only in (True, False):
            for (one, two), lines in sorted(self.meets.items()):
                if code in (one, two) and ((one if two == code else two) in seas or not only):
                    found += [point for line in lines for point in self.lines[line]]
            if found:
                break
        return found

    # Signs -----------------------------------------------------------------------------------------------------------

    def outlines(self) -> Outlines:
        """Everything."""
        neutral = tuple(
            Neutral(name="nobody’s", path=_path(rings))
            for owner, rings in self.shapes.items()
            if isinstance(owner, int)
        )
        provinces = {code: self.placed[code] for code in sorted(self.placed)}
        return Outlines(size=self.size, provinces=provinces, neutral=neutral, signs=tuple(self.signs()))

    def signs(self) -> Iterator[Sign]:
        """What lines do not say by themselves."""
        names = {tile.code: tile.name for tile in self.tiles}
        kinds = {tile.code: tile.kind for tile in self.tiles}
        links = sum(self.touching.get(pair, 0.0) < SEEN / 2 for pair in self.pairs)
        for cell, owner in enumerate(self.net.owners):
            if owner is None:
                yield from self.peaks(cell)
        for (one, two), passes in self.pairs.items():
            lines = [self.lines[line] for line in self.meets.get((one, two), ())]
            armies, fleets = any(passes.armies), any(passes.fleets)
            who = "Armies and fleets" if armies and fleets else "Armies" if armies else "Fleets"
            between = f"between {names[one]} and {names[two]}"
            if self.touching.get((one, two), 0.0) < SEEN / 2:
                title = f"{who} pass {between}."
                if links * len(self.tiles) > PLAIN:
                    ends = self.placed[one].unit, self.placed[two].unit
                    yield Sign(kind="link", path=_open([*ends]), between=(one, two), ends=ends, title=title)
                else:
                    yield self.link(one, two, title)
                continue
            if kinds[one] == kinds[two] == "coast" and armies != fleets:
                for line in lines:
                    if armies:
                        yield Sign(
                            kind="ridge", path=_ticks(line), between=(one, two), title=f"Only armies pass {between}."
                        )
                    else:
                        yield Sign(
                            kind="water", path=_open(line), between=(one, two), title=f"Only fleets pass {between}."
                        )
            for group, ways in (("armies", passes.armies), ("fleets", passes.fleets)):
                if ways[0] != ways[1]:
                    first, second = (one, two) if ways[0] else (two, one)
                    longest = max(lines, key=_length)
                    title = f"{group.capitalize()} pass only from {names[first]} to {names[second]}."
                    yield Sign(
                        kind="one-way", path=self.pointer(longest, first, second), between=(first, second), title=title
                    )
                    break

    def peaks(self, cell: int) -> Iterator[Sign]:
        """Mountains on a cell of nobody, where there is room."""
        x, y = self.at[cell]
        near = min(sqrt((px - x) * (px - x) + (py - y) * (py - y)) for ring in self.shapes[cell] for px, py in ring)
        if near > 7:
            high = min(round(near * 0.55), 12)
            a, b = round(x), round(y) + high // 2
            yield Sign(kind="nobody", path=f"M{a - high} {b}l{high}-{high} {high} {high}")

    def pointer(self, line: list[Point], first: str, second: str) -> str:
        """An arrowhead across the middle of a line."""
        middle = len(line) // 2
        (x, y), (x1, y1), (x2, y2) = line[middle], line[max(middle - 2, 0)], line[min(middle + 2, len(line) - 1)]
        dx, dy = x2 - x1, y2 - y1
        far = sqrt(dx * dx + dy * dy) or 1.0
        # Lines run around the first of the two in alphabetical order, which lies on one side of them.
        turn = (-1.0 if self.layout.mirrored else 1.0) * (1.0 if first < second else -1.0)
        nx, ny = dy / far * turn, -dx / far * turn
        # Slender, as one nearly equilateral points three ways.
        tip = round(x + nx * 17), round(y + ny * 17)
        left = round(x - nx * 13 - ny * 8), round(y - ny * 13 + nx * 8)
        right = round(x - nx * 13 + ny * 8), round(y - ny * 13 - nx * 8)
        return f"M{tip[0]} {tip[1]}L{left[0]} {left[1]}L{right[0]} {right[1]}z"

    def link(self, one: str, two: str, title: str) -> Sign:
        """A line between two provinces that border and do not touch, past the units of others."""
        start, goal = self.placed[one].unit, self.placed[two].unit
        others = [shape.unit for code, shape in self.placed.items() if code not in (one, two)]
        best: list[Point] = []
        worth = 0.0
        for bow in (0.0, 0.12, -0.12, 0.24, -0.24, 0.36, -0.36):
            line = _bowed(start, goal, bow)
            first = self.leaves(one, line)
            last = len(line) - 1 - self.leaves(two, line[::-1])
            line = line[first : last + 1] if first < last else line
            gaps = [_far(point, other) for point in line[::2] for other in others]
            clear = min([46.0, *gaps]) - abs(bow) * 30
            if not best or clear > worth:
                best, worth = line, clear
        return Sign(kind="link", path=_open(best), between=(one, two), ends=(best[0], best[-1]), title=title)

    def leaves(self, code: str, line: list[Point]) -> int:
        """At which point of a line away from a province's unit its link begins: beside the unit, and still in the province."""
        found = 0
        for place, point in enumerate(line):
            if not inside(point, self.shapes[code]):
                break
            found = place
            if _far(point, line[0]) > 38:
                break
        return found


def _bowed(start: Point, goal: Point, bow: float) -> list[Point]:
    """Points from one to another, along a curve that lies beside the straight line by so much of its length."""
    (x1, y1), (x2, y2) = start, goal
    cx, cy = (x1 + x2) / 2 - (y2 - y1) * bow, (y1 + y2) / 2 + (x2 - x1) * bow
    found = []
    for n in range(41):
        t = n / 40
        a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
        found.append((round(a * x1 + b * cx + c * x2), round(a * y1 + b * cy + c * y2)))
    return found


def _far(one: Spot, two: Spot) -> float:
    dx, dy = one[0] - two[0], one[1] - two[1]
    return sqrt(dx * dx + dy * dy)


def _length(line: list[Point]) -> float:
    return fsum(_far(one, two) for one, two in pairwise(line))


def _noise(seed: str, levels: int, height: float, fall: float) -> list[float]:
    """How far a crooked line lies beside a straight one: nothing at its ends, and each half as crooked as the whole."""
    heights = [0.0, 0.0]
    for level in range(levels):
        finer = [heights[0]]
        for place, (one, two) in enumerate(pairwise(heights)):
            chance = crc32(f"{seed} {level} {place}".encode()) / 0x7FFFFFFF - 1.0
            finer += [(one + two) / 2 + chance * height, two]
        heights = finer
        height *= fall
    return heights


def _room(part: float, foot: float, high: float) -> float:
    """How far a triangle reaches beside a part of its base; its tip lies beside the part `foot`, so high."""
    up = high * part / foot if foot > part else high
    down = high * (1 - part) / (1 - foot) if foot < part else high
    return min(up, down)


def _smooth(points: list[Spot]) -> list[Spot]:
    """A line with each of its corners cut; its ends stay."""
    found = points[:1]
    for (x, y), (x2, y2) in pairwise(points):
        found += [(x * 0.75 + x2 * 0.25, y * 0.75 + y2 * 0.25), (x * 0.25 + x2 * 0.75, y * 0.25 + y2 * 0.75)]
    return [*found, points[-1]]


def _distinct(points: list[Point]) -> list[Point]:
    """Points without those too close to the one before, or to the end, to be seen."""
    found = points[:1]
    for point in points[1:-1]:
        if _far(point, found[-1]) >= 5 and _far(point, points[-1]) >= 5:
            found.append(point)
    return [*found, points[-1]]


def _rings(parts: dict[int, tuple[int, list[Point]]]) -> list[list[Point]]:
    """Lines from corner to corner, put together to rings."""
    found = []
    while parts:
        first = min(parts)
        ring: list[Point] = []
        here = first
        while here in parts:
            here, points = parts.pop(here)
            ring += points[:-1]
        apart = [point for point, before in zip(ring, [ring[-1], *ring], strict=False) if point != before]
        if not apart:  # all of it is one point in whole numbers, and a shape needs more
            x, y = ring[0]
            apart = [(x, y), (x + 1, y), (x, y + 1)]
        found.append(apart)
    return found


def _path(rings: list[list[Point]]) -> str:
    """Rings as a path of M, l and z."""
    found = []
    for ring in rings:
        x, y = ring[0]
        steps = []
        for a, b in ring[1:]:
            steps.append(f"{a - x} {b - y}")
            x, y = a, b
        found.append(f"M{ring[0][0]} {ring[0][1]}l{' '.join(steps).replace(' -', '-')}z")
    return "".join(found)


def _open(line: list[Point]) -> str:
    """A line as a path that is not closed."""
    return "M" + "L".join(f"{x} {y}" for x, y in line)


def _ticks(line: list[Point]) -> str:
    """Short strokes across a line, evenly spread."""
    count = max(round(_length(line) / 13), 2)
    step = _length(line) / count
    found = []
    gone, due = 0.0, step / 2
    for (x, y), (x2, y2) in pairwise(line):
        far = _far((x, y), (x2, y2))
        while far > 0 and due <= gone + far:
            part = (due - gone) / far
            px, py = x + (x2 - x) * part, y + (y2 - y) * part
            nx, ny = -(y2 - y) / far * 6, (x2 - x) / far * 6
            found.append(f"M{round(px - nx)} {round(py - ny)}L{round(px + nx)} {round(py + ny)}")
            due += step
        gone += far
    return "".join(found)


# Room for what stands in a province --------------------------------------------------------------------------------

Mask = list[int]
"""Rows of squares, from the top; the lowest bit is the leftmost square."""

Arrangement = tuple[Point, Point, Point | None, dict[str, Point]]
"""Where the unit, the label, the centre's mark and the coasts' fleets go."""


@dataclass(frozen=True, slots=True)
class _Text:
    """Room for a label in squares, and how far below its top its last line stands in the picture's units."""

    wide: int
    high: int
    line: int


def _texts(tile: Tile) -> list[_Text]:
    """What may be written: the name on one line, on two, or the code alone."""
    code = len(tile.code) * 17 + 6
    words = tile.name.split(" ")
    two = min((max(len(" ".join(words[:n])), len(" ".join(words[n:]))) for n in range(1, len(words))), default=0)
    found = [(len(tile.name) * LETTER, 1)] + ([(two * LETTER, 2)] if two else [])
    texts = [_Text(_squares(max(wide, code)), _squares(lines * LINE + 6), lines * LINE + 1) for wide, lines in found]
    return [*texts, _Text(_squares(code), _squares(26), 22)]


def _squares(length: float) -> int:
    """So many squares are at least as long."""
    return -int(-length // STEP)


class _Grid:
    """The squares that lie wholly within a shape."""

    def __init__(self, rings: list[list[Point]]) -> None:
        xs = [x for ring in rings for x, _ in ring]
        ys = [y for ring in rings for _, y in ring]
        self.left, self.top = min(xs), min(ys)
        self.wide = (max(xs) - self.left) // STEP + 1
        self.high = (max(ys) - self.top) // STEP + 1
        crossings: list[list[float]] = [[] for _ in range(self.high)]
        edge = [0] * self.high
        for ring in rings:
            for (x, y), (x2, y2) in pairwise([*ring, ring[0]]):
                self.cross(x - self.left, y - self.top, x2 - self.left, y2 - self.top, crossings)
                steps = max(abs(x2 - x), abs(y2 - y)) // 3 + 1
                for n in range(steps):
                    px = (x + (x2 - x) * n // steps - self.left) // STEP
                    edge[(y + (y2 - y) * n // steps - self.top) // STEP] |= 1 << px
        self.free: Mask = []
        for row, spots in enumerate(crossings):
            spots.sort()
            bits = 0
            for one, two in zip(spots[::2], spots[1::2], strict=True):
                first, last = int(one / STEP), int(two / STEP)
                bits |= (1 << last + 1) - (1 << first)
            self.free.append(bits & ~edge[row])

    def cross(self, x: int, y: int, x2: int, y2: int, crossings: list[list[float]]) -> None:
        """Notes where an edge crosses the middle lines of rows."""
        if y == y2:
            return
        if y > y2:
            x, y, x2, y2 = x2, y2, x, y
        first = -((STEP // 2 - y) // STEP)
        row = max(first, 0)
        while row < self.high and row * STEP + STEP // 2 < y2:
            middle = row * STEP + STEP // 2
            if middle >= y:
                crossings[row].append(x + (x2 - x) * (middle - y) / (y2 - y))
            row += 1

    def fits(self, free: Mask, wide: int, high: int) -> Mask:
        """Where the upper left square of a box can lie."""
        rows, have = free, 1
        while have < wide:
            step = min(have, wide - have)
            rows = [row & (row >> step) for row in rows]
            have += step
        have = 1
        while have < high:
            step = min(have, high - have)
            rows = [one & two for one, two in zip(rows, rows[step:], strict=False)]
            have += step
        return rows + [0] * (self.high - len(rows))

    def shifted(self, mask: Mask, dx: int, dy: int) -> Mask:
        """A mask as it is seen from squares so far to the left and above."""
        rows = mask[dy:] + [0] * dy if dy >= 0 else [0] * -dy + mask[:dy]
        rows = (rows + [0] * self.high)[: self.high]
        return [row >> dx if dx >= 0 else row << -dx for row in rows]

    def deepest(self, mask: Mask) -> tuple[int, int] | None:
        """The square of a mask that is farthest from its edges."""
        if not any(mask):
            return None
        while True:
            padded = [0, *mask, 0]
            inner = [a & b & c & (b >> 1) & (b << 1) for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
            if not any(inner):
                break
            mask = inner
        spots = [(x, y) for y, row in enumerate(mask) for x in _bits(row)]
        mx, my = sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
        return min(spots, key=lambda s: ((s[0] - mx) * (s[0] - mx) + (s[1] - my) * (s[1] - my), s))

    def without(self, free: Mask, x: int, y: int, wide: int, high: int) -> Mask:
        """A mask without a box."""
        bits = (1 << max(x + wide, 0)) - (1 << max(x, 0))
        return [row & ~bits if y <= at < y + high else row for at, row in enumerate(free)]

    def arranged(self, text: _Text, shores: dict[str, list[Point]], *, mark: bool) -> Arrangement | None:
        """All that goes into a shape, apart from each other and from its edge; None where it does not go."""
        wide, high = _squares(UNIT[0]), _squares(UNIT[1])
        own, tall = _squares(MARK[0]), _squares(MARK[1])
        units = self.fits(self.free, wide, high)
        labels = self.fits(self.free, text.wide, text.high)
        marks = self.fits(self.free, own, tall) if mark else []
        aside = (wide - text.wide) // 2
        best = None
        for below in (True, False):
            label = (aside, high if below else -text.high)
            both = [a & b for a, b in zip(units, self.shifted(labels, *label), strict=True)]
            if not any(both):
                continue
            beside = [
                (wide, (high - tall) // 2),
                (-own, (high - tall) // 2),
                ((wide - own) // 2, -tall if below else high),
            ]
            for spot in beside if mark else [None]:
                every = both
                if spot is not None:
                    every = [a & b for a, b in zip(both, self.shifted(marks, *spot), strict=True)]
                found = self.deepest(every)
                if found is not None:
                    best = found, label, spot
                    break
            if best is not None:
                break
        if best is None:
            return None
        (x, y), label, spot = best
        boxes = [(x, y, wide, high), (x + label[0], y + label[1], text.wide, text.high)]
        if spot is not None:
            boxes.append((x + spot[0], y + spot[1], own, tall))
        free = self.free
        for box in boxes:
            free = self.without(free, *box)
        coasts = self.ashore(free, shores)
        if coasts is None:
            return None
        return self.put(boxes, text, coasts)

    def scattered(self, text: _Text, shores: dict[str, list[Point]], *, mark: bool) -> Arrangement | None:
        """The same where the label and the mark do not go beside the unit: each as near to it as there is room."""
        boxes: list[tuple[int, int, int, int]] = []
        free = self.free
        for wide, high in (UNIT, (text.wide * STEP, text.high * STEP), *([MARK] if mark else [])):
            box = _squares(wide), _squares(high)
            room = self.fits(free, *box)
            if boxes:
                x, y, *_ = boxes[0]
                spots = ((a, b) for b, row in enumerate(room) for a in _bits(row))
                spot = min(spots, key=lambda s: ((s[0] - x) * (s[0] - x) + (s[1] - y) * (s[1] - y), s), default=None)
            else:
                spot = self.deepest(room)
            if spot is None:
                return None
            boxes.append((*spot, *box))
            free = self.without(free, *boxes[-1])
        coasts = self.ashore(free, shores)
        return self.put(boxes, text, coasts) if coasts is not None else None

    def put(self, boxes: list[tuple[int, int, int, int]], text: _Text, coasts: dict[str, Point]) -> Arrangement:
        """Boxes of squares, of the unit, the label and perhaps the mark, as points on the picture."""
        x, y, wide, _ = boxes[1]
        label = self.left + round((x + wide / 2) * STEP), self.top + y * STEP + text.line
        return self.middle(*boxes[0]), label, self.middle(*boxes[2]) if len(boxes) > 2 else None, coasts

    def ashore(self, free: Mask, shores: dict[str, list[Point]]) -> dict[str, Point] | None:
        """Places for fleets on coasts, as near to them as there is room; None where one has none."""
        wide, high = _squares(COAST[0]), _squares(COAST[1])
        found = {}
        for coast, shore in shores.items():
            spots = [(x, y) for y, row in enumerate(self.fits(free, wide, high)) for x in _bits(row)]
            if not spots:
                return None
            points = shore[:: max(len(shore) // 12, 1)]
            middles = {spot: self.middle(*spot, wide, high) for spot in spots}

            def away(
                spot: tuple[int, int], points: list[Point] = points, middles: dict[tuple[int, int], Point] = middles
            ) -> tuple[float, tuple[int, int]]:
                gaps = sorted(_far(middles[spot], point) for point in points)
                return gaps[0] + gaps[len(gaps) // 2], spot

            best = min(spots, key=away)
            found[coast] = middles[best]
            free = self.without(free, *best, wide, high)
        return found

    def crammed(self, shores: dict[str, list[Point]], middle: Point) -> Arrangement:
        """The same where there is too little room: each as well as it goes."""
        wide, high = _squares(UNIT[0]), _squares(UNIT[1])
        while wide > 1 and not any(self.fits(self.free, wide, high)):
            wide, high = wide - 1, max(high - 1, 1)
        spot = self.deepest(self.fits(self.free, wide, high))
        unit = self.middle(*spot, wide, high) if spot is not None else middle
        x, y = unit
        coasts = self.ashore(self.free, shores) or dict.fromkeys(shores, unit)
        return unit, (x, y + 36), (x + 34, y - 20), coasts

    def middle(self, x: int, y: int, wide: int, high: int) -> Point:
        """The middle of a box, on the picture."""
        return self.left + round((x + wide / 2) * STEP), self.top + round((y + high / 2) * STEP)


def _bits(row: int) -> Iterator[int]:
    """The places of a row's ones."""
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low
