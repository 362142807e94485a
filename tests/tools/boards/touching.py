"""Provinces of a drawn board that touch, computed only from its outlines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from adjudicator.render.outlines import Point, rings

Edge = tuple[Point, Point]


def edges(path: str) -> set[Edge]:
    """The edges of a path, each with its smaller end first."""
    return {
        (min(start, end), max(start, end))
        for ring in rings(path)
        for start, end in zip(ring, [*ring[1:], ring[0]], strict=True)
        if start != end
    }


def shared_lengths(outlines: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    """Two codes in alphabetical order -> the length of the edges that these provinces share, if any."""
    owners: dict[Edge, list[str]] = {}
    for code in sorted(outlines["provinces"]):
        for edge in edges(outlines["provinces"][code]["path"]):
            owners.setdefault(edge, []).append(code)
    lengths: dict[tuple[str, str], list[float]] = {}
    for edge, codes in owners.items():
        for pair in combinations(codes, 2):
            lengths.setdefault(pair, []).append(math.dist(*edge))
    return {pair: math.fsum(lengths[pair]) for pair in sorted(lengths)}
