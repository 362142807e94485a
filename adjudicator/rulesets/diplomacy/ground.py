"""Where a board's picture comes from: drawn shapes, or a layout of its provinces and borders."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from adjudicator.mechanics.provinces import Board, outlines_path
from adjudicator.render.scenes import Border, Drawn, Ground, Tile, Tiles


def ground_of(board: Board, shapes: tuple[bytes, str] | None) -> Ground:
    """The ground to draw: the host's `shapes` (a file's bytes and path), otherwise the board's outlines, otherwise its tiles."""
    if shapes is not None:
        return Drawn(*shapes, tiles_of(board))
    path = outlines_path(board)
    return str(path) if path is not None else tiles_of(board)


@functools.lru_cache(maxsize=16)
def tiles_of(board: Board) -> Tiles:
    """A board's provinces and borders, used to lay it out and to check a host's drawing."""
    return Tiles(
        tuple(
            Tile(code, province.name, province.kind, province.centre, province.coasts)
            for code, province in board.provinces.items()
        ),
        tuple(_borders(board)),
    )


def _borders(board: Board) -> Iterator[Border]:
    """Every border between two places, with the kinds of unit that can cross; a one-way border is a separate entry."""
    armies = {(start, goal) for start, tos in board.army_to.items() for goal in tos}
    fleets = {(start, goal) for start, tos in board.fleet_to.items() for places in tos.values() for goal in places}
    for start, goal in sorted({(min(pair), max(pair)) for pair in armies | fleets}):
        ways = ((start, goal), (goal, start))
        army, fleet = (all(way in passes for way in ways) for passes in (armies, fleets))
        if army or fleet:
            yield Border(start, goal, army, fleet)
        for way in ways:
            walks, sails = way in armies and not army, way in fleets and not fleet
            if walks or sails:
                yield Border(*way, walks, sails, one_way=True)
