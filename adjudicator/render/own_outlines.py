"""Shapes that a host drew for a custom board. They are checked, because they go into pictures unchanged."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problem, Problems, nearest
from adjudicator.core.text.yamltext import Place, Text, read
from adjudicator.render.outlines import Outlines, Point, inside, rings
from adjudicator.render.scenes import Drawn, Tile, Tiles

LIMIT = 512 * 1024
"""Most bytes that a file of shapes may have."""
SEEN = 6
"""Least length of a visible line."""
MOST = 4000
"""Greatest width and height of a picture."""
NEXT = r"(?: -?\d{1,5}|-\d{1,5})"
PATH = re.compile(rf"(?:M-?\d{{1,5}} -?\d{{1,5}}l-?\d{{1,5}}{NEXT}(?:{NEXT}{NEXT})*z)+", re.ASCII)
"""Rings of whole numbers, in the form that `rings` reads: one move, then pairs of relative steps."""
ANY_PATH = re.compile(r"[MmLlHhVvQqCcAaZz0-9 ,.-]{2,2000}", re.ASCII)
"""Any SVG path."""


@functools.lru_cache(maxsize=16)
def load_own(drawn: Drawn) -> Outlines:
    """Load a host's shapes for a board; raises `Problems` with all faults in them."""
    text = read(drawn.source, drawn.path, limit=LIMIT)
    outlines = decode(Outlines, text)
    faults = list(_faults(outlines, text, {tile.code: tile for tile in drawn.tiles.provinces}))
    faults += [] if faults else _touch_faults(outlines, text, drawn.tiles)
    if faults:
        raise Problems(faults)
    return outlines


def _faults(outlines: Outlines, text: Text, regions: Mapping[str, Tile]) -> Iterator[Problem]:
    """Faults in shapes: missing or unknown ones, paths that cannot be drawn, and points outside the picture or their shapes."""
    if not all(100 <= side <= MOST for side in outlines.size):
        yield text.problem(("size",), "the picture's size is out of bounds", f"write 100 to {MOST} units each way")
    for code in regions:
        if code not in outlines.provinces:
            yield text.problem(("provinces",), f"{code} is not drawn", "add its shape")
    paths: list[tuple[Place, str]] = [
        (("neutral", at, "path"), neutral.path) for at, neutral in enumerate(outlines.neutral)
    ]
    for code, shape in outlines.provinces.items():
        here: Place = ("provinces", code)
        region = regions.get(code)
        if region is None:
            yield text.problem(here, f"the board has no province {code!r:.40}", nearest(code, regions))
            continue
        if (shape.centre is not None) != region.centre:
            right = "add `centre`, where its ring goes" if region.centre else "leave `centre` out"
            is_ = "is a" if region.centre else "is not a"
            yield text.problem((*here, "centre"), f"{code} {is_} supply centre on the board", right)
        if {*(shape.coasts or {})} != {*region.coasts}:
            right = "give a point for each of " + ", ".join(region.coasts) if region.coasts else "leave `coasts` out"
            yield text.problem((*here, "coasts"), f"these are not the coasts of {code} on the board", right)
        points = {"unit": shape.unit, "label": shape.label} | ({"centre": shape.centre} if shape.centre else {})
        points |= shape.coasts or {}
        for key, (x, y) in points.items():
            if not (0 <= x <= outlines.size[0] and 0 <= y <= outlines.size[1]):
                where: Place = (*here, "coasts", key) if key in region.coasts else (*here, key)
                yield text.problem(where, f"{x}, {y} is outside the picture", "move it inside")
        if PATH.fullmatch(shape.path) and not inside(shape.unit, rings(shape.path)):
            # A name may be beside a province that is too small for it; a unit must be inside.
            what = f"{shape.unit[0]}, {shape.unit[1]} is outside {code}"
            yield text.problem((*here, "unit"), what, "move it into the outline")
        paths.append(((*here, "path"), shape.path))
    for spot, path in paths:
        if not PATH.fullmatch(path):
            right = "write closed rings of whole numbers, such as M10 10l40 0 0 40-40 0z"
            yield text.problem(spot, "this is not an outline", right)
    for at, sign in enumerate(outlines.signs):
        if not ANY_PATH.fullmatch(sign.path):
            yield text.problem(
                ("signs", at, "path"), "this is not a path", "write only the letters of SVG paths, and numbers"
            )
        for code in sign.between or ():
            if code.partition("/")[0] not in regions:
                yield text.problem(("signs", at), f"the board has no province {code!r:.40}", nearest(code, regions))
    for at, (first, second, *_) in enumerate(outlines.crossings):
        for code in (first, second):
            if code not in regions:
                yield text.problem(("crossings", at), f"the board has no province {code!r:.40}", nearest(code, regions))


def _touch_faults(outlines: Outlines, text: Text, tiles: Tiles) -> Iterator[Problem]:
    """Provinces that share a line in the picture but have no border: the picture must agree with the rules.

    Two shapes share a line only if both have exactly the same one; hand-drawn lines that are merely close do not count.
    """
    borders = {frozenset(end.partition("/")[0] for end in (border.one, border.two)) for border in tiles.borders}
    owners: dict[tuple[Point, Point], list[str]] = {}
    for code, shape in sorted(outlines.provinces.items()):
        for ring in rings(shape.path):
            for start, end in pairwise([*ring, ring[0]]):
                if start != end:
                    owners.setdefault((min(start, end), max(start, end)), []).append(code)
    long: dict[tuple[str, str], float] = {}
    for (start, end), sharing in owners.items():
        for pair in combinations(dict.fromkeys(sharing), 2):
            long[pair] = long.get(pair, 0.0) + math.dist(start, end)
    for (first, second), length in sorted(long.items()):
        if length >= SEEN and frozenset((first, second)) not in borders:
            what = f"{first} and {second} share a line in the picture but have no border on the board"
            yield text.problem(("provinces", second, "path"), what, "draw them apart, or add that border to the board")
