"""Signs for facts that lines cannot show: passage of only one kind of unit, one-way borders, links, unowned land."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from adjudicator.render.layout.drawing import SEEN, Drawing
from adjudicator.render.layout.lines import bow, distance, length_of, open_path, tick_marks
from adjudicator.render.outlines import Point, Sign, inside

PLAIN = 20_000
"""If the number of links times the number of provinces exceeds this, links are straight lines: so many cannot avoid all units."""


def signs_of(drawing: Drawing) -> Iterator[Sign]:
    """Signs for facts that lines cannot show."""
    names = {tile.code: tile.name for tile in drawing.tiles}
    kinds = {tile.code: tile.kind for tile in drawing.tiles}
    links = sum(drawing.touching.get(pair, 0.0) < SEEN / 2 for pair in drawing.pairs)
    for cell, owner in enumerate(drawing.net.owners):
        if owner is None:
            yield from peaks(drawing, cell)
    for (one, two), passes in drawing.pairs.items():
        lines = [drawing.lines[line] for line in drawing.meets.get((one, two), ())]
        armies, fleets = any(passes.armies), any(passes.fleets)
        who = "Armies and fleets" if armies and fleets else "Armies" if armies else "Fleets"
        between = f"between {names[one]} and {names[two]}"
        if drawing.touching.get((one, two), 0.0) < SEEN / 2:
            title = f"{who} pass {between}."
            if links * len(drawing.tiles) > PLAIN:
                ends = drawing.provinces[one].unit, drawing.provinces[two].unit
                yield Sign(kind="link", path=open_path([*ends]), between=(one, two), ends=ends, title=title)
            else:
                yield link(drawing, one, two, title)
            continue
        if kinds[one] == kinds[two] == "coast" and armies != fleets:
            for line in lines:
                if armies:
                    yield Sign(
                        kind="ridge", path=tick_marks(line), between=(one, two), title=f"Only armies pass {between}."
                    )
                else:
                    yield Sign(
                        kind="water", path=open_path(line), between=(one, two), title=f"Only fleets pass {between}."
                    )
        for group, ways in (("armies", passes.armies), ("fleets", passes.fleets)):
            if ways[0] != ways[1]:
                first, second = (one, two) if ways[0] else (two, one)
                longest = max(lines, key=length_of)
                title = f"{group.capitalize()} pass only from {names[first]} to {names[second]}."
                yield Sign(
                    kind="one-way", path=pointer(drawing, longest, first, second), between=(first, second), title=title
                )
                break


def peaks(drawing: Drawing, cell: int) -> Iterator[Sign]:
    """Mountains on an unowned cell, if they fit."""
    x, y = drawing.at[cell]
    near = min(sqrt((px - x) * (px - x) + (py - y) * (py - y)) for ring in drawing.shapes[cell] for px, py in ring)
    if near > 7:
        high = min(round(near * 0.55), 12)
        a, b = round(x), round(y) + high // 2
        yield Sign(kind="nobody", path=f"M{a - high} {b}l{high}-{high} {high} {high}")


def pointer(drawing: Drawing, line: list[Point], first: str, second: str) -> str:
    """An arrowhead across the middle of a line, pointing from the first province to the second."""
    middle = len(line) // 2
    (x, y), (x1, y1), (x2, y2) = line[middle], line[max(middle - 2, 0)], line[min(middle + 2, len(line) - 1)]
    dx, dy = x2 - x1, y2 - y1
    far = sqrt(dx * dx + dy * dy) or 1.0
    # Lines run around the first of the two in alphabetical order, which lies on one side of them.
    turn = (-1.0 if drawing.layout.mirrored else 1.0) * (1.0 if first < second else -1.0)
    nx, ny = dy / far * turn, -dx / far * turn
    # Slender, because a nearly equilateral triangle seems to point three ways.
    tip = round(x + nx * 17), round(y + ny * 17)
    left = round(x - nx * 13 - ny * 8), round(y - ny * 13 + nx * 8)
    right = round(x - nx * 13 + ny * 8), round(y - ny * 13 - nx * 8)
    return f"M{tip[0]} {tip[1]}L{left[0]} {left[1]}L{right[0]} {right[1]}z"


def link(drawing: Drawing, one: str, two: str, title: str) -> Sign:
    """A line that connects two provinces which have a border but do not touch; it keeps off other provinces' units."""
    start, goal = drawing.provinces[one].unit, drawing.provinces[two].unit
    others = [shape.unit for code, shape in drawing.provinces.items() if code not in (one, two)]
    best: list[Point] = []
    worth = 0.0
    for bend in (0.0, 0.12, -0.12, 0.24, -0.24, 0.36, -0.36):
        line = bow(start, goal, bend)
        first = leaving_point(drawing, one, line)
        last = len(line) - 1 - leaving_point(drawing, two, line[::-1])
        line = line[first : last + 1] if first < last else line
        gaps = [distance(point, other) for point in line[::2] for other in others]
        clear = min([46.0, *gaps]) - abs(bend) * 30
        if not best or clear > worth:
            best, worth = line, clear
    return Sign(kind="link", path=open_path(best), between=(one, two), ends=(best[0], best[-1]), title=title)


def leaving_point(drawing: Drawing, code: str, line: list[Point]) -> int:
    """Index of the point where a link begins on the way from a province's unit: beside the unit, still in the province."""
    last = 0
    for index, point in enumerate(line):
        if not inside(point, drawing.shapes[code]):
            break
        last = index
        if distance(point, line[0]) > 38:
            break
    return last
