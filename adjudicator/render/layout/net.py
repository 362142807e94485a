"""The net of cells, one or several for each province: the lines between cells, and the corners where three of them meet."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from adjudicator.render.layout.borders import Crossing, Pair, embed, planar_borders
from adjudicator.render.scenes import Tiles

if TYPE_CHECKING:
    import networkx as nx

DEEP = 2
"""Greatest depth of nested cells, such as a sea around an island around its lake; one less if the outermost is land.

Anything deeper is placed side by side.
"""
ISLAND = 7
"""Greatest number of steps around a part that a province may surround."""
MANY = 8
"""A province with more neighbours than this has several cells."""
RIM = -1
"""Used for the picture's rim where a line between two cells would have its number."""


class Net:
    """Cells, the lines between them, and the corners where three cells meet.

    During construction it is a graph whose nodes are cells. A dart is one of a line's two directions: it begins at `start[d]`,
    and `d ^ 1` is its opposite. A face is the list of the darts around it. In the end all faces but the outer one
    are triangles, and each triangle is a corner.
    """

    def __init__(self, tiles: Tiles, pairs: dict[Pair, Crossing]) -> None:
        self.kinds = {tile.code: tile.kind for tile in tiles.provinces}
        self.near = {frozenset(pair) for pair in pairs}
        self.owners: list[str | None] = [*sorted(self.kinds)]
        """Cell -> its province's code; None for an unowned cell."""
        self.start: list[int] = []
        self.degree: list[int] = [0] * len(self.owners)
        self.depth: list[int] = [0] * len(self.owners)
        """Cell -> how many levels of cells are nested around what is attached to it."""
        self.triangles: list[tuple[int, int, int]] = []
        self.behind: dict[int, float] = {}
        """Line at the outer face of a block -> its share of the block's provinces, if all such lines have equal shares."""
        outer, faces = self.embed_parts(planar_borders(tiles, pairs))
        self.surround_islands(outer)
        self.open: list[list[int]] = faces
        while self.open:
            self.fill(self.open.pop())
        self.outer = outer
        self.split_cells()
        self.set_corners()

    def add_cell(self, owner: str | None, depth: int = 0) -> int:
        """Add a cell of a province, or an unowned one; return its number."""
        self.owners.append(owner)
        self.degree.append(0)
        self.depth.append(depth)
        return len(self.owners) - 1

    def add_edge(self, begin: int, end: int) -> int:
        """Add a line; return the dart from `begin` to `end`."""
        self.start += [begin, end]
        self.degree[begin] += 1
        self.degree[end] += 1
        return len(self.start) - 2

    def embed_parts(self, pairs: list[Pair]) -> tuple[list[int], list[list[int]]]:
        """Draw these borders in the plane; return the outer face, and all others."""
        import networkx as nx

        index = {code: number for number, code in enumerate(self.owners) if code is not None}
        graph: nx.Graph[str] = nx.Graph()
        graph.add_nodes_from(sorted(index))
        graph.add_edges_from(pairs)
        blocks: dict[str, list[list[str]]] = {code: [] for code in index}
        # networkx's stub has the wrong type here: sets of sets.
        components: Iterable[Iterable[Any]] = nx.biconnected_components(graph)
        all_blocks: list[list[str]] = sorted(sorted(block) for block in components)
        for block in all_blocks:
            for code in block:
                blocks[code].append(block)
        faces: list[list[int]] = []
        outer: list[int] = []
        parts = sorted((sorted(part) for part in nx.connected_components(graph)), key=lambda part: (-len(part), part))
        back: list[int] = []
        last = -1
        for part in parts:
            walk, here = self.hang_part(part, blocks, graph, index, faces)
            if last >= 0:
                # Unconnected parts are placed in a row, with an unowned cell between every two: many around one place would
                # not fit.
                between = self.add_cell(None)
                out, on = self.add_edge(last, between), self.add_edge(between, here)
                outer += [out, on]
                back = [on ^ 1, out ^ 1, *back]
            half = len(walk) // 2
            outer += walk[:half]
            back = [*walk[half:], *back]
            last = self.start[walk[half]] if walk else here
        outer += back
        return outer, faces

    def hang_part(
        self,
        part: list[str],
        blocks: dict[str, list[list[str]]],
        graph: nx.Graph[str],
        index: dict[str, int],
        faces: list[list[int]],
    ) -> tuple[list[int], int]:
        """Draw a connected part, and add its inner faces to `faces`; return the outer face and its first node.

        A block that is attached at only one province is placed outside, or in the largest face beside that province.
        """
        outer: list[int] = []
        root = max((block for code in part for block in blocks[code]), key=len, default=None)
        if root is None:
            return [], index[part[0]]
        queue = [(root[0], root)]
        queued = [root]
        for here, block in queue:
            block_faces = self.add_faces(embed((min(pair), max(pair)) for pair in graph.subgraph(block).edges()), index)
            for code in block:
                for other in blocks[code]:
                    if other not in queued:
                        queued.append(other)
                        queue.append((code, other))
            node = index[here]
            own = min((face for face in block_faces if any(self.start[dart] == node for dart in face)), key=self.rank)
            if block is root:
                own = outer = min(block_faces, key=self.rank)
            block_faces.remove(own)
            self.behind |= {dart >> 1: (len(block) - (block is not root)) / len(own) for dart in own}
            if block is not root:
                turn = next(at for at, dart in enumerate(own) if self.start[dart] == node)
                hosts = [face for face in (outer, *faces) if any(self.start[dart] == node for dart in face)]
                host = hosts[0] if hosts[0] is outer else min(hosts, key=self.rank)
                at = next(at for at, dart in enumerate(host) if self.start[dart] == node)
                host[at:at] = [*own[turn:], *own[:turn]]
            faces += block_faces
        return outer, self.start[outer[0]]

    def add_faces(self, embedding: nx.PlanarEmbedding[str] | None, index: dict[str, int]) -> list[list[int]]:
        """Add the lines of an embedding; return its faces."""
        assert embedding is not None  # the lines are some of the planar borders
        darts: dict[Pair, int] = {}
        for one, two in sorted(embedding.edges()):
            if one < two:
                darts[one, two] = self.add_edge(index[one], index[two])
                darts[two, one] = darts[one, two] ^ 1
        faces, seen = [], set()
        for first in sorted(darts):
            face = []
            here = first
            while here not in seen:
                seen.add(here)
                face.append(darts[here])
                here = embedding.next_face_half_edge(*here)
            if face:
                faces.append(face)
        return faces

    def rank(self, face: list[int]) -> tuple[int, int, list[int]]:
        """A sort key, least for the best outer face: the longest, and of those the one with most seas."""
        seas = sum(self.kind_of(self.start[dart]) == "sea" for dart in face)
        return (-len({self.start[dart] for dart in face}), -seas, face)

    def kind_of(self, cell: int) -> str:
        """The kind of a cell's province; empty for an unowned cell."""
        owner = self.owners[cell]
        return "" if owner is None else self.kinds[owner]

    def may_touch(self, one: int, two: int) -> bool:
        """True if two cells may share a line without showing a border that does not exist."""
        a, b = self.owners[one], self.owners[two]
        return one != two and (a is None or b is None or a == b or frozenset((a, b)) in self.near)

    def cut(self, face: list[int], at: int) -> None:
        """Cut off the corner at an index of a face, by a new line from the node before it to the node after it."""
        into, out = face[at - 1], face[at]
        dart = self.add_edge(self.start[into], self.start[out ^ 1])
        self.triangles.append((into, out, dart ^ 1))
        face[at] = dart
        del face[at - 1]  # the last dart if `at` is 0

    def wrap(self, face: list[int], first: int, last: int) -> None:
        """Add a cell around everything attached between two indices of a face, for the province of the node that is at both."""
        here = self.start[face[first]]
        walk = [self.start[dart] for dart in face[first:last]]
        depth = self.depth[here] = max(self.depth[node] for node in walk) + 1
        new = self.add_cell(self.owners[here], depth)
        spokes = [self.add_edge(new, node) for node in [*walk, here]]
        for spoke, after, dart in zip(spokes, spokes[1:], face[first:last], strict=False):
            self.triangles.append((dart, after ^ 1, spoke))
        face[first:last] = [spokes[0] ^ 1, spokes[-1]]

    def returns(self, face: list[int]) -> list[tuple[int, int]]:
        """Pairs of successive indices of a face with the same node; the second may exceed the face's length."""
        visits: dict[int, list[int]] = {}
        for at, dart in enumerate(face):
            visits.setdefault(self.start[dart], []).append(at)
        return [
            (here, there if there > here else there + len(face))
            for indices in visits.values()
            if len(indices) > 1
            for here, there in pairwise([*indices, indices[0]])
        ]

    def surround_islands(self, face: list[int]) -> None:
        """Surround each small part attached at one node of the outer face by that node's province, if borders allow it."""
        while (first := self.surround(face)) is not None:
            # On the rim the new cell replaces its province's old cell, both before and behind it.
            for at in (first + 2, first):
                corner = at % len(face)
                ends = self.start[face[corner - 1]], self.start[face[corner] ^ 1]
                if len(face) > 3 and self.may_touch(*ends):
                    self.cut(face, corner)

    def surround(self, face: list[int]) -> int | None:
        """Surround the smallest part that is attached to a face at one node; return the node's index, or None if there is no such part."""
        islands = [span for span in self.returns(face) if self.may_surround(face, *span)]
        if not islands:
            return None
        first, last = min(islands, key=lambda span: (span[1] - span[0], span))
        if last >= len(face):
            face[:] = [*face[first:], *face[:first]]
            first, last = 0, last - first
        self.wrap(face, first, last)
        return first

    def may_surround(self, face: list[int], first: int, last: int) -> bool:
        """True if everything attached between two indices of a face may be surrounded by the province of the node at both."""
        here = self.start[face[first]]
        walk = [self.start[face[at % len(face)]] for at in range(first, last)]
        return (
            len(walk) <= ISLAND
            and len(face) - len(walk) > 1
            and self.owners[here] is not None
            and max(self.depth[node] for node in walk) < DEEP - (self.kind_of(here) != "sea")
            and all(node == here or self.may_touch(node, here) for node in walk)
        )

    def fill(self, face: list[int]) -> None:
        """Cut a face into triangles: by more lines between provinces with a common border, otherwise by an unowned cell."""
        while len(face) > 3:
            ears = []
            for at in range(len(face)):
                a, b, c = self.start[face[at - 1]], self.start[face[at]], self.start[face[at] ^ 1]
                if self.may_touch(a, c):
                    seas = (self.kind_of(a) == "sea") + (self.kind_of(c) == "sea")
                    nobody = self.owners[b] is not None
                    ears.append((-seas, nobody, self.degree[a] + self.degree[c], at))
            if ears:
                self.cut(face, min(ears)[-1])
            elif self.surround(face) is None:
                new = self.add_cell(None)
                spokes = [self.add_edge(new, self.start[dart]) for dart in face]
                for spoke, after, dart in zip(spokes, [*spokes[1:], spokes[0]], face, strict=True):
                    self.triangles.append((dart, after ^ 1, spoke))
                return
        self.triangles.append((face[0], face[1], face[2]))

    def split_cells(self) -> None:
        """Give provinces with many neighbours several cells, because all of a cell must be visible from its middle."""
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
            # A neighbour at the split gets one more line, because it joins both new cells: one with few lines is best.
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
            new = self.add_cell(self.owners[cell])
            self.degree[new] += len(moved)
            self.degree[cell] -= len(moved)
            for dart in moved:
                self.start[dart] = new
            first[cell], first[new] = darts[0], moved[0]
            between, there = self.add_edge(cell, new), darts[half]
            if onrim:
                follows = where[there ^ 1]
                other = after[moved[0]]
                over = self.add_edge(new, self.start[there ^ 1])
                put(follows, over ^ 1, moved[0], other)
                put(len(self.triangles), there ^ 1, between, over)
                self.outer.insert(self.outer.index(darts[0]), between ^ 1)
                first[new] = between ^ 1
            else:
                here = darts[0]
                left, right = self.add_edge(new, self.start[here ^ 1]), self.add_edge(new, self.start[there ^ 1])
                put(where[here ^ 1], left ^ 1, moved[0], after[moved[0]])
                put(where[there], moved[-1] ^ 1, right, after[there])
                put(len(self.triangles), here ^ 1, between, left)
                put(len(self.triangles), between ^ 1, there, right ^ 1)
            queue += [cell, new]

    def set_corners(self) -> None:
        """Number the corners, and list each cell's corners and lines in order around it."""
        cells = len(self.owners)
        after: dict[int, int] = {}
        corner: dict[int, int] = {}
        count = cells
        for triangle in self.triangles:
            for here, there in pairwise((*triangle, triangle[0])):
                after[here], corner[here] = there, count
            count += 1
        self.rim: list[int] = []
        """The corners on the rim in order: ends of lines, and between every two the middle of a cell's side."""
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
        """Cell -> its corners in order, each with the line that begins there."""
        self.halves = {}
        """Line -> the corner in its middle, for lines that would otherwise join the same corners as another line."""
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
                half
                for side in sides
                for half in ((side, (self.halves[side[1]], side[1])) if side[1] in self.halves else (side,))
            ]
        self.count = count
