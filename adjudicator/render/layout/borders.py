"""Pairs of provinces with a common border, and the choice of borders that fit into the plane."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudicator.core.text.problems import problem
from adjudicator.render.scenes import Tiles

if TYPE_CHECKING:
    import networkx as nx

Pair = tuple[str, str]
"""The codes of two provinces, in alphabetical order."""

ASKED = 150_000
"""How many lines the search for borders that fit into the plane may test; boards that need more have many links anyway."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The kinds of unit that pass between two provinces, as pairs: from the first to the second, and back."""

    armies: tuple[bool, bool]
    fleets: tuple[bool, bool]


def crossings_of(tiles: Tiles) -> dict[Pair, Crossing]:
    """Pairs of provinces with a common border, in alphabetical order -> their crossings."""
    passages: dict[Pair, list[bool]] = {}
    for border in tiles.borders:
        one, two = (end.partition("/")[0] for end in (border.one, border.two))
        passes = passages.setdefault((min(one, two), max(one, two)), [False] * 4)
        ways = (one > two,) if border.one_way else (False, True)
        for way in ways:
            passes[way] |= border.army
            passes[2 + way] |= border.fleet
    return {pair: Crossing((p[0], p[1]), (p[2], p[3])) for pair, p in sorted(passages.items())}


def embed(pairs: Iterable[Pair]) -> nx.PlanarEmbedding[str] | None:
    """The order of these borders around each province in the plane; None if they do not fit into it."""
    try:
        import networkx as nx
    except ModuleNotFoundError:  # in a reader's browser, which has only the packages for judging
        what = "this board has no drawing, and the judge in a browser cannot lay one out"
        raise problem("", what, "judge it with an installed courtly, or choose a board that has outlines") from None

    graph: nx.Graph[str] = nx.Graph()
    graph.add_edges_from(sorted(pairs))
    fits, embedding = nx.check_planarity(graph)
    return embedding if fits else None  # type: ignore[return-value]  # typed as any graph


def planar_borders(tiles: Tiles, pairs: dict[Pair, Crossing]) -> list[Pair]:
    """Choose borders, as many as fit into the plane: those between near provinces first, armies' before others."""
    codes = sorted(tile.code for tile in tiles.provinces)
    near: dict[str, set[str]] = {code: set() for code in codes}
    for one, two in pairs:
        near[one].add(two)
        near[two].add(one)
    kinds = {tile.code: tile.kind for tile in tiles.provinces}

    def rank(pair: Pair) -> tuple[int, int, int, Pair]:
        one, two = pair
        coasts = (kinds[one] != "sea") + (kinds[two] != "sea")
        # Provinces that would be far apart get a link, a line across the picture; links are better for fleets than for armies.
        return (
            detour(near, one, two),
            -1 if any(pairs[pair].armies) else coasts,
            -len(near[one] & near[two]),
            pair,
        )

    kept: list[Pair] = []
    rest = sorted(pairs, key=rank)
    most = max(3 * len(codes) - 6, 1)  # at most this many lines fit into the plane
    reach, asked = len(rest), 0
    while rest and len(kept) < most and asked < ASKED:
        fits, breaks = 0, len(rest) + 1  # `fits` of the rest fit; `breaks` of them do not
        while breaks - fits > 1 and asked < ASKED:
            middle = (fits + breaks) // 2 if breaks <= len(rest) else min(fits + reach, len(rest))
            lines = len(kept) + middle
            asked += lines
            if lines > most or embed(kept + rest[:middle]) is None:
                breaks = middle
            else:
                fits = middle
                reach *= 2
                if fits == len(rest):
                    return sorted(kept + rest)
        looked_at = breaks if breaks - fits == 1 else fits  # `fits` if the budget ran out
        kept, rest = kept + rest[:fits], rest[looked_at:]
        reach = 2 * fits + 1
    return sorted(kept + joining_borders(kept, rest))


def joining_borders(kept: list[Pair], rest: list[Pair]) -> list[Pair]:
    """The borders among the rest that join otherwise unconnected parts: they always fit."""
    whose: dict[str, str] = {}

    def head(code: str) -> str:
        while code in whose:
            code = whose[code]
        return code

    joining: list[Pair] = []
    for index, (one, two) in enumerate(kept + rest):
        first, second = head(one), head(two)
        if first != second:
            whose[second] = first
            if index >= len(kept):
                joining.append((one, two))
    return joining


def detour(near: dict[str, set[str]], one: str, two: str) -> int:
    """Number of borders on the shortest way between two neighbours other than their common border; 0 if there is no such way."""
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


def seas_at(tiles: Tiles, coast: str) -> set[str]:
    """The seas next to a coast (`STP/SC`)."""
    seas = {tile.code for tile in tiles.provinces if tile.kind == "sea"}
    neighbours = {border.two for border in tiles.borders if border.one == coast and border.fleet}
    neighbours |= {border.one for border in tiles.borders if border.two == coast and border.fleet}
    return neighbours & seas
