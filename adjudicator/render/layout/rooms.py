"""Desired areas of cells, the size of the picture, and desired directions of named coasts."""

from __future__ import annotations

from math import fsum, sqrt

from adjudicator.render.layout.borders import seas_at
from adjudicator.render.layout.lines import Spot
from adjudicator.render.layout.net import RIM, Net
from adjudicator.render.outlines import Point
from adjudicator.render.scenes import Tiles

ROOM = 19_000
"""Square units of the picture for a province of the usual weight."""
LEAST = 24.0
"""A picture is large enough for at least this many provinces of the usual weight."""
SHAPE = (10, 9)
"""Ratio of the picture's width and height."""
DEPTH = 0.75
"""Least depth of a cell at the rim, relative to a usual one."""
NOBODY = 0.16
"""The weight of an unowned cell."""
WINDS = {"N": (0.0, -1.0), "S": (0.0, 1.0), "E": (1.0, 0.0), "W": (-1.0, 0.0)}
"""Letter -> the direction, on the picture, of a coast whose name begins with it."""


def weights_of(tiles: Tiles, net: Net) -> list[float]:
    """Cell -> the area that it should have, relative to others."""
    by_code = {tile.code: tile for tile in tiles.provinces}
    cells: dict[str, list[int]] = {}
    weights = [0.0] * len(net.owners)
    for cell, owner in enumerate(net.owners):
        if owner is None:
            weights[cell] = NOBODY * max(1.0, len(net.around[cell]) / 5)
        else:
            cells.setdefault(owner, []).append(cell)
    for owner, own in cells.items():
        tile = by_code[owner]
        lines = sum(len(net.around[cell]) - 2 for cell in own)
        room = 0.82 + 0.05 * max(lines - 3, 0) + (0.12 if tile.centre else 0.0) + (0.08 if tile.kind == "sea" else 0.0)
        room += 0.55 * len(tile.coasts)
        for cell in own:
            weights[cell] = room * (len(net.around[cell]) - 2) / lines
    # Cells along the rim are as long as their part of it, and should not be flat.
    along = 3.7 * sqrt(fsum(weights)) / (len(net.rim) / 2)
    for cell, sides in enumerate(net.around):
        if any(line == RIM for _, line in sides):
            weights[cell] = max(weights[cell], min(along * DEPTH, 4.0))
    return weights


def size_of(weights: list[float]) -> Point:
    """Size of the picture for cells with these weights."""
    across = sqrt(max(fsum(weights), LEAST) * ROOM * SHAPE[0] / SHAPE[1])
    return round(across / 10) * 10, round(across * SHAPE[1] / SHAPE[0] / 10) * 10


def wishes_of(tiles: Tiles, net: Net) -> list[tuple[int, int, Spot]]:
    """For each sea at a named coast: the province's cell, the sea's cell, and the wanted direction from one to the other."""
    cells = {owner: cell for cell, owner in reversed(list(enumerate(net.owners)))}
    wishes = []
    for tile in tiles.provinces:
        for coast in tile.coasts:
            wind = WINDS.get(coast[:1].upper())
            if wind is not None:
                seas = sorted(seas_at(tiles, f"{tile.code}/{coast}"))
                wishes += [(cells[tile.code], cells[sea], wind) for sea in seas]
    return wishes
