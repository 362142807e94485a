"""Which provinces of a drawn board touch, recomputed from its outlines alone."""
# ruff: noqa: INP001 - read by its path

import math
from collections.abc import Mapping
from typing import Any

from adjudicator.render.outlines import Point, rings


def edges(path: str) -> set[tuple[Point, Point]]:
    """Return the edges of a path, each with its smaller end first."""
    found: set[tuple[Point, Point]] = set()
    for ring in rings(path):
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True):
            if start != end:
                found.add((min(start, end), max(start, end)))
    return found


def touching(outlines: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Return, for each pair of provinces in alphabetical order, the length of the edges they share; 0 is left out."""
    owners: dict[tuple[Point, Point], list[str]] = {}
    for province in sorted(outlines["provinces"]):
        for edge in edges(outlines["provinces"][province]["path"]):
            owners.setdefault(edge, []).append(province)
    lengths: dict[tuple[str, str], list[float]] = {}
    for (start, end), sharing in owners.items():
        for position, first in enumerate(sharing):
            for second in sharing[position + 1 :]:
                lengths.setdefault((first, second), []).append(math.dist(start, end))
    return {pair: math.fsum(lengths[pair]) for pair in sorted(lengths)}
