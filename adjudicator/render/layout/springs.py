"""Hang the net inside its rim on springs. This is the first drawing: by Tutte's theorem, no weights can tangle it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import pairwise
from math import fsum, sqrt

from adjudicator.render.layout.lines import Spot
from adjudicator.render.layout.points import Layout

ROUNDS = 10
"""Number of times that the springs of the net are weighted."""
SLIDES = 10
"""Number of times that the corners on the rim are moved along it, if cells would otherwise have almost no area."""


def turn(layout: Layout, wishes: list[tuple[int, int, Spot]]) -> None:
    """Turn the rim, and mirror the picture, so that coasts are where their names say, if the names agree."""
    if not wishes:
        return
    spread(layout, 1)
    best = (0.0, False, 1.0, 0.0)
    for mirrored in (False, True):
        cos, sin = 0.0, 0.0
        for cell, sea, (right, below) in wishes:
            x, y = layout.x[sea] - layout.x[cell], layout.y[sea] - layout.y[cell]
            far = sqrt(x * x + y * y)
            a = -right if mirrored else right
            cos += (a * x + below * y) / far
            sin += (below * x - a * y) / far
        score = sqrt(cos * cos + sin * sin)
        if score > best[0] + 1e-9:
            best = (score, mirrored, cos / score, sin / score)
    _, layout.mirrored, cos, sin = best
    layout.turned = (cos, sin)
    layout.set_rim()


def spread(layout: Layout, rounds: int = ROUNDS, slides: int = 0) -> None:
    """Hang the net inside its rim on springs, and in each round strengthen the springs of cells that are too large."""
    lines: dict[tuple[int, int], list[int]] = {}
    triangles: list[tuple[int, int, int]] = []
    goals: list[float] = []
    for cell, corners in enumerate(layout.corners):
        for here, there in pairwise([*corners, corners[0]]):
            for a, b in ((cell, here), (here, there), (there, cell)):
                lines.setdefault((min(a, b), max(a, b)), []).append(len(triangles))
            triangles.append((cell, here, there))
            goals.append(layout.target[cell] / len(corners))
    inner = [point for point in range(layout.net.count) if point not in layout.onrim]
    order, later = elimination_order(inner, lines)
    springs = {line: 1.0 for line in lines if not (line[0] in layout.onrim and line[1] in layout.onrim)}
    for number in range(rounds):
        hang(layout, order, later, springs)
        if number == rounds - 1:
            break
        if number < slides:
            slide(layout)
        ratio = [
            (max(layout.area(a, b, c), 0.0) / 2 + goal * 1e-6) / goal
            for (a, b, c), goal in zip(triangles, goals, strict=True)
        ]
        for line in springs:
            both = [ratio[triangle] for triangle in lines[line]]
            springs[line] *= min(max(sqrt(both[0] * both[-1]), 0.1), 10.0)


def slide(layout: Layout) -> None:
    """Give more of the rim to cells that are too small, and less to cells that are too large."""
    stretch = {}
    for cell, corners in enumerate(layout.corners):
        ratio = layout.room(cell) / layout.target[cell]
        for here, there in pairwise([*corners, corners[0]]):
            stretch[here, there] = min(max(sqrt(1.0 / max(ratio, 1e-6)), 0.5), 2.0)
    rim = layout.net.rim
    ends = [*layout.along[1:], layout.along[0] + 1.0]
    gaps = [
        (behind - at) * stretch.get((here, there), stretch.get((there, here), 1.0))
        for here, there, at, behind in zip(rim, [*rim[1:], rim[0]], layout.along, ends, strict=True)
    ]
    fewest = fsum(gaps) / len(gaps) / 4  # even a cell with enough area needs some of the rim
    gaps = [max(gap, fewest) for gap in gaps]
    whole = fsum(gaps)
    for index, gap in enumerate(gaps[:-1]):
        layout.along[index + 1] = layout.along[index] + gap / whole
    layout.set_rim()


def hang(layout: Layout, order: list[int], later: dict[int, list[int]], springs: dict[tuple[int, int], float]) -> None:
    """Place each point where its springs are in balance. The equations are solved in the order that keeps them short."""
    x, y = layout.x, layout.y
    rows: dict[int, dict[int, float]] = {point: dict.fromkeys(later[point], 0.0) for point in order}
    own = [0.0] * layout.net.count
    across = [0.0] * layout.net.count
    down = [0.0] * layout.net.count
    for (a, b), force in springs.items():
        for here, there in ((a, b), (b, a)):
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


def elimination_order(points: list[int], lines: Iterable[tuple[int, int]]) -> tuple[list[int], dict[int, list[int]]]:
    """The order that keeps a net's equations short, fewest neighbours first; and each point's neighbours at its elimination."""
    near: dict[int, set[int]] = {point: set() for point in points}
    for a, b in lines:
        if a in near and b in near:
            near[a].add(b)
            near[b].add(a)
    queue = [(len(beside), point) for point, beside in near.items()]
    heapq.heapify(queue)
    order: list[int] = []
    rank: dict[int, int] = {}
    later: dict[int, list[int]] = {}
    while queue:
        many, point = heapq.heappop(queue)
        if point in rank or many != len(near[point]):
            continue
        rank[point] = len(order)
        order.append(point)
        beside = near.pop(point)
        later[point] = list(beside)
        for here in beside:
            neighbours = near[here]
            neighbours |= beside
            neighbours -= {here, point}
            heapq.heappush(queue, (len(neighbours), here))
    for rest in later.values():
        rest.sort(key=rank.__getitem__)
    return order, later
