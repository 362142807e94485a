"""Boards without drawn shapes: in their pictures provinces touch if and only if they border, and everything fits (FB-2)."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.text.problems import Problems
from adjudicator.mechanics.boards import load_board
from adjudicator.render import layout, render
from adjudicator.render.layout import borders, drawing, lay_out, net, points
from adjudicator.render.layout.lines import join_rings
from adjudicator.render.outlines import Outlines, Point, inside, rings
from adjudicator.render.room import Fits, room_of
from adjudicator.render.scenes import Border, Ground, Tile, Tiles
from adjudicator.rulesets.diplomacy import ground, picture
from adjudicator.rulesets.diplomacy.position import Settings, starting_position
from tests.boards import rules_on
from tests.conftest import examples, first_of
from tests.tools.boards.touching import shared_lengths

STANDARD = RULESETS / "diplomacy" / "boards" / "standard"
TAIFAS = RULESETS / "al_andalus" / "boards" / "taifas"
ROOT = Path(__file__).parent.parent.parent


def fits_of(ground: Ground, names: tuple[tuple[str, str], ...]) -> Fits:
    """Names that fit into their regions, on one line or two."""
    return room_of(ground, names).fits


@cache
def without_shapes(folder: Path) -> Tiles:
    """A shipped board without its shapes."""
    return ground.tiles_of(load_board(folder))


@cache
def layout_of(tiles: Tiles) -> Outlines:
    return lay_out(tiles)


def code(number: int) -> str:
    return f"{chr(65 + number // 26 % 26)}{chr(65 + number % 26)}{chr(65 + number * 5 % 26)}"


def tiles_of(count: int, pairs: set[tuple[int, int]], seas: set[int]) -> Tiles:
    """Provinces by number, and their borders; a coast is a province that borders a sea."""
    near = {number: {a + b - number for a, b in pairs if number in (a, b)} for number in range(count)}

    def kind(number: int) -> Any:
        return "sea" if number in seas else "coast" if near[number] & seas else "inland"

    provinces = tuple(
        Tile(code(number), f"Land {code(number)}", kind(number), centre=number not in seas and number % 2 == 0)
        for number in range(count)
    )
    lines = tuple(
        Border(code(a), code(b), army=not {a, b} & seas, fleet="inland" not in (kind(a), kind(b)))
        for a, b in sorted(pairs)
    )
    return Tiles(provinces, lines)


@cache
def realm(seed: int, count: int, wide: int, high: int, across: int = 0) -> Tiles:
    """Fields of a grid of hexagons, grown together into provinces; some are seas, and some borders go across the map."""
    chance = random.Random(seed)
    fields = [(x, y) for y in range(high) for x in range(wide)]

    def beside(x: int, y: int) -> list[tuple[int, int]]:
        lean = 0 if y % 2 else -1
        steps = ((1, 0), (-1, 0), (lean, 1), (lean + 1, 1), (lean, -1), (lean + 1, -1))
        return [(x + dx, y + dy) for dx, dy in steps if 0 <= x + dx < wide and 0 <= y + dy < high]

    whose = {field: number for number, field in enumerate(chance.sample(fields, count))}
    edge = list(whose)
    while edge:
        here = chance.choice(edge)
        free = [field for field in beside(*here) if field not in whose]
        if free:
            field = chance.choice(free)
            whose[field] = whose[here]
            edge.append(field)
        else:
            edge.remove(here)
    pairs = {
        (min(whose[here], whose[there]), max(whose[here], whose[there]))
        for here in fields
        for there in beside(*here)
        if whose[here] != whose[there]
    }
    seas = set(chance.sample(range(count), count // 3))
    lands = sorted(set(range(count)) - seas)
    for _ in range(across):
        one, two = sorted(chance.sample(lands, 2))
        pairs.add((one, two))
    return tiles_of(count, pairs, seas)


@cache
def archipelago() -> Tiles:
    """Twelve seas in rows of four, and islands: in one sea, between two, and around a corner of three."""
    pairs = set()
    for sea in range(12):
        row, column = divmod(sea, 4)
        pairs |= {(sea, sea + 1)} if column < 3 else set()
        pairs |= {(sea, sea + 4)} if row < 2 else set()
        pairs |= {(sea, sea + 5)} if row < 2 and column < 3 else set()
    count = 12
    for number, coast in enumerate(((5,), (6, 10), (0, 1, 5), (2,), (3, 7), (8, 9), (6, 7, 11))):
        size = 1 + number % 3
        lands = range(count, count + size)
        count += size
        pairs |= {(sea, land) for sea in coast for land in (lands[0], lands[-1])}
        pairs |= {(land, land + 1) for land in lands[:-1]} | ({(lands[0], lands[-1])} if size > 2 else set())
        pairs |= {(coast[0], land) for land in lands}
    return tiles_of(count, pairs, set(range(12)))


def complete(count: int) -> Tiles:
    return tiles_of(count, set(combinations(range(count), 2)), set())


def wanted(tiles: Tiles) -> set[tuple[str, str]]:
    ends = ((border.one.partition("/")[0], border.two.partition("/")[0]) for border in tiles.borders)
    return {(min(pair), max(pair)) for pair in ends}


def links(outlines: Outlines) -> set[tuple[str, str]]:
    return {sign.between for sign in outlines.signs if sign.kind == "link" and sign.between is not None}


def borders_are_told(tiles: Tiles, outlines: Outlines) -> None:
    """Provinces share a visible line, or have a link, if and only if they border each other; nothing else touches."""
    shapes = {code_: {"path": shape.path} for code_, shape in outlines.provinces.items()}
    lengths = shared_lengths({"provinces": shapes})
    linked = links(outlines)
    seen = {pair for pair, length in lengths.items() if length >= 6}
    assert seen | linked == wanted(tiles)
    assert set(lengths) - linked <= seen, "a border too short to be seen"
    assert not seen & linked


def nothing_crosses(outlines: Outlines) -> None:
    """No line of a shape crosses another line, of this shape or another one."""
    shapes = [rings(shape.path) for shape in outlines.provinces.values()]
    shapes += [rings(shape.path) for shape in outlines.neutral]
    edges = {
        (min(a, b), max(a, b)) for shape in shapes for ring in shape for a, b in pairwise([*ring, ring[0]]) if a != b
    }
    near: dict[tuple[int, int], list[tuple[Point, Point]]] = {}
    for (x, y), (x2, y2) in sorted(edges):
        for column in range(min(x, x2) // 32, max(x, x2) // 32 + 1):
            for row in range(min(y, y2) // 32, max(y, y2) // 32 + 1):
                near.setdefault((column, row), []).append(((x, y), (x2, y2)))

    def side(a: Point, b: Point, c: Point) -> float:
        """Distance of a point from a line, signed by side."""
        across = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return across / math.dist(a, b)

    def cut(a: Point, b: Point, c: Point, d: Point) -> bool:
        """True if a line passes between two points, farther from either than rounding to whole numbers explains."""
        low, high = sorted((side(a, b, c), side(a, b, d)))
        return low < -1 and high > 1

    for square in near.values():
        for (a, b), (c, d) in combinations(square, 2):
            assert not (cut(a, b, c, d) and cut(c, d, a, b)), (a, b, c, d)


def in_place(tiles: Tiles, outlines: Outlines) -> None:
    """Every anchor lies in its province, and all shapes in the picture."""
    nothing_crosses(outlines)
    assert set(outlines.provinces) == {tile.code for tile in tiles.provinces}
    wide, high = outlines.size
    for tile in tiles.provinces:
        shape = outlines.provinces[tile.code]
        ring = rings(shape.path)
        assert all(0 <= x <= wide and 0 <= y <= high for corners in ring for x, y in corners)
        assert inside(shape.unit, ring), tile
        assert (shape.centre is not None) == tile.centre
        assert set(shape.coasts or {}) == set(tile.coasts)

    for sign in outlines.signs:
        if sign.kind == "link" and sign.between is not None:
            for end, code_ in zip(sign.ends, sign.between, strict=True):
                assert inside(end, rings(outlines.provinces[code_].path)), sign


def box(middle: Point, wide: int, high: int) -> tuple[float, float, float, float]:
    x, y = middle
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def apart(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    return one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]


SHIPPED = {"standard": lambda: without_shapes(STANDARD), "taifas": lambda: without_shapes(TAIFAS)}
MADE: dict[str, Callable[[], Tiles]] = {
    "41 provinces": lambda: realm(41, 41, 14, 12),
    "archipelago": archipelago,
    "links": lambda: realm(8, 40, 14, 12, across=4),
    "five that all border": lambda: complete(5),
    "seven that all border": lambda: complete(7),
    "one": lambda: tiles_of(1, set(), set()),
    "two": lambda: tiles_of(2, {(0, 1)}, {0}),
    "a row": lambda: tiles_of(6, {(n, n + 1) for n in range(5)}, set()),
    "a ring": lambda: tiles_of(7, {(n, n + 1) for n in range(6)} | {(0, 6)}, set()),
    "a sea and its islands": lambda: tiles_of(6, {(0, n) for n in range(1, 6)}, {0}),
    "a chain": lambda: tiles_of(
        16, {pair for n in range(0, 15, 3) for pair in combinations(range(n, n + 4), 2)}, {0, 6, 7}
    ),
    "two parts": lambda: tiles_of(8, set(combinations(range(4), 2)) | set(combinations(range(4, 8), 2)), set()),
    "three without borders": lambda: tiles_of(3, set(), set()),
}


OWN = sorted(path.stem for path in (ROOT / "tests" / "data" / "boards").glob("*.yaml"))


@pytest.mark.slow
@pytest.mark.parametrize("name", first_of(sorted(OWN, key=lambda name: name == "great"), 2))
def test_the_borders_of_a_hosts_board_are_shown(name: str) -> None:
    tiles = ground.tiles_of(rules_on(name).ground)
    outlines = layout_of(tiles)
    borders_are_told(tiles, outlines)
    in_place(tiles, outlines)


@pytest.mark.parametrize("name", [*SHIPPED, *MADE])
def test_provinces_touch_exactly_if_they_border(name: str) -> None:
    """FB-2: a picture made from the borders only never shows a wrong one."""
    tiles = (SHIPPED | MADE)[name]()
    outlines = layout_of(tiles)
    borders_are_told(tiles, outlines)
    in_place(tiles, outlines)


@pytest.mark.long
@pytest.mark.slow
def test_the_borders_of_a_board_of_215_provinces_are_shown() -> None:
    tiles = realm(215, 215, 30, 28)
    outlines = layout_of(tiles)
    borders_are_told(tiles, outlines)
    in_place(tiles, outlines)


@st.composite
def boards(draw: st.DrawFn) -> Tiles:
    count = draw(st.integers(2, 12))
    every = list(combinations(range(count), 2))
    tree = {(draw(st.integers(0, n - 1)), n) for n in range(1, count)}
    more = draw(st.sets(st.sampled_from(every), max_size=2 * count))
    return tiles_of(count, tree | more, draw(st.sets(st.integers(0, count - 1), max_size=count)))


@pytest.mark.slow
@examples(12)
@given(boards())
def test_the_borders_of_any_graph_are_shown(tiles: Tiles) -> None:
    borders_are_told(tiles, lay_out(tiles))


def test_lines_to_the_pictures_edge_do_not_overlap() -> None:
    """FB-2: a random board whose corners on the rim were so crowded that two touched."""
    tree = {(0, 1), (0, 2), (0, 10), (1, 3), (2, 7), (3, 4), (3, 6), (3, 10), (4, 5), (5, 9), (6, 8), (10, 11)}
    tiles = tiles_of(12, tree, {1, 9})
    borders_are_told(tiles, lay_out(tiles))


@pytest.mark.parametrize("number", range(3))
def test_corners_crowded_on_the_rim_are_moved_apart(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """FB-2: where sliding along the rim does not help, wrong contacts from rounding still come apart."""
    monkeypatch.setattr(points, "CROWDED", 0.0)
    trees = (
        {(0, 1), (0, 2), (0, 10), (1, 3), (2, 7), (3, 4), (3, 6), (3, 10), (4, 5), (5, 9), (6, 8), (10, 11)},
        {(n, n + 1) for n in range(9)},
        {(n // 2, n) for n in range(1, 12)},
    )
    tiles = tiles_of(12, trees[number], {1, 9})
    borders_are_told(tiles, lay_out(tiles))


@pytest.mark.parametrize("number", range(3))
def test_provinces_that_touch_wrongly_at_every_size_are_separated(number: int) -> None:
    """FB-2: random trees whose pictures were right only when larger or parted."""
    trees = (
        {(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 6), (1, 7)},
        {(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 8), (1, 6), (1, 7)},
        {(0, 1), (0, 6), (0, 14), (0, 19), (1, 2), (1, 4), (1, 10), (1, 12), (1, 15), (2, 3), (2, 9), (2, 11), (3, 8), (4, 5), (4, 7), (6, 13),
         (10, 17), (11, 18), (14, 16)},
    )  # fmt: skip
    seas = ({1, 2, 6}, {6, 8}, {3, 6, 7, 8, 14, 16, 19})
    tiles = tiles_of(len(trees[number]) + 1, trees[number], seas[number])
    borders_are_told(tiles, lay_out(tiles))


def test_provinces_between_two_others_have_room() -> None:
    """FB-2: two in a bay of a third, with the corners nearest to its middle, were too small for their units."""
    shapes = layout_of(ground.tiles_of(rules_on("islands").ground)).provinces
    for bay in ("HOI", "TOI"):
        (ring,) = rings(shapes[bay].path)
        twice = sum(x * y2 - x2 * y for (x, y), (x2, y2) in pairwise([*ring, ring[0]]))
        assert abs(twice) / 2 > 8_000


@pytest.mark.slow
@pytest.mark.parametrize("count", first_of([8, 400], 1))
def test_the_borders_of_a_star_of_lands_are_shown(count: int) -> None:
    """FB-2: a province that all others touch needs some of the rim between any two of them, however many there are."""
    tiles = tiles_of(count, {(0, n) for n in range(1, count)}, set())
    borders_are_told(tiles, lay_out(tiles))


@pytest.mark.long
@pytest.mark.slow
def test_large_boards_are_drawn_without_an_endless_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """FB-2: sixty that all border are mostly links, and in a long row nearly all lack space: no search goes on without end."""
    asked: list[int] = []
    drawings: list[int] = []
    embed = borders.embed

    def embed_and_count(pairs: Iterable[borders.Pair]) -> Any:
        lines = list(pairs)
        asked.append(len(lines))
        return embed(lines)

    class Counted(drawing.Drawing):
        def __init__(self, *every: Any) -> None:
            drawings.append(1)
            super().__init__(*every)

    monkeypatch.setattr(borders, "embed", embed_and_count)
    monkeypatch.setattr(net, "embed", embed_and_count)
    monkeypatch.setattr(layout, "Drawing", Counted)
    crowd = complete(60)
    borders_are_told(crowd, lay_out(crowd))
    assert sum(asked) < 2 * borders.ASKED
    drawings.clear()
    row = tiles_of(120, {(n, n + 1) for n in range(119)}, set())
    borders_are_told(row, lay_out(row))
    assert len(drawings) == 2


def test_borders_beyond_the_budget_become_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """FB-2: beyond the budget only lines that join otherwise unconnected parts are drawn, and they always fit."""
    monkeypatch.setattr(borders, "ASKED", 1)
    tiles = complete(9)
    outlines = lay_out(tiles)
    borders_are_told(tiles, outlines)
    assert len(links(outlines)) == 36 - 8


def test_a_shape_that_rounds_to_one_point_is_still_a_shape() -> None:
    """FB-2: it was an IndexError."""
    assert join_rings({1: (2, [(5, 5), (5, 5)]), 2: (1, [(5, 5), (5, 5)])}) == [[(5, 5), (6, 5), (5, 6)]]


@pytest.mark.long
def test_many_unconnected_pieces_are_laid_out_in_a_row() -> None:
    """FB-2: a hundred pairs were once crowded around one province, until cells fell on one point."""
    tiles = tiles_of(60, {(n, n + 1) for n in range(0, 60, 2)}, set())
    borders_are_told(tiles, lay_out(tiles))


@pytest.mark.parametrize("name", SHIPPED)
def test_there_is_room_for_everything_in_whole_games(name: str) -> None:
    """FB-2: each unit, mark and coast lies within its province and apart from the others; nearly every name fits."""
    tiles = SHIPPED[name]()
    outlines = layout_of(tiles)
    for code_, shape in outlines.provinces.items():
        ring = rings(shape.path)
        boxes = [box(shape.unit, 48, 36)] + ([box(shape.centre, 22, 22)] if shape.centre else [])
        boxes += [box(at, 48, 36) for at in (shape.coasts or {}).values()]
        for left, top, right, bottom in boxes:
            corners = ((left, top), (right, bottom), (left, bottom), (right, top))
            assert all(inside(corner, ring) for corner in corners), code_
        assert all(apart(a, b) for a, b in combinations(boxes, 2)), code_
    names = tuple((tile.code, tile.name) for tile in tiles.provinces)
    assert len(fits_of(tiles, names)) >= 0.9 * len(names)
    assert not links(outlines)


@pytest.mark.long
def test_the_same_borders_give_the_same_picture_whatever_the_hash_seed() -> None:
    program = (
        "from hashlib import sha256; from tests.render.test_layout import MADE, SHIPPED, lay_out;"
        "boards = [make() for name, make in (SHIPPED | MADE).items() if name in ('archipelago', 'a chain')];"
        "print(sha256(repr([lay_out(board) for board in boards]).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_the_order_of_tiles_and_borders_does_not_matter() -> None:
    tiles = realm(41, 41, 14, 12)
    assert lay_out(Tiles(tiles.provinces[::-1], tiles.borders[::-1])) == layout_of(tiles)


def test_coasts_are_where_their_names_say_and_at_their_seas() -> None:
    outlines = layout_of(without_shapes(STANDARD))
    for province in ("STP", "SPA"):
        fleets = outlines.provinces[province].coasts
        assert fleets is not None
        assert fleets["NC"][1] < fleets["SC"][1]

    def near(coast: str, sea: str) -> float:
        x, y = outlines.anchor(coast)
        return min((x - a) ** 2 + (y - b) ** 2 for ring in rings(outlines.provinces[sea].path) for a, b in ring)

    assert near("STP/NC", "BAR") < near("STP/SC", "BAR")
    assert near("STP/SC", "BOT") < near("STP/NC", "BOT")
    assert near("SPA/SC", "LYO") < near("SPA/NC", "LYO")


def test_no_more_borders_are_links_than_must_be() -> None:
    """Of ten borders between five provinces nine fit into the plane, of fifteen between six twelve."""
    assert [len(links(layout_of(complete(count)))) for count in (4, 5, 6)] == [0, 1, 3]


def test_borders_for_armies_are_drawn_rather_than_those_for_fleets() -> None:
    tiles = complete(5)
    inland = {tile.code: replace(tile, kind="coast") for tile in tiles.provinces}
    for number in range(10):
        lines = tuple(replace(border, army=index != number, fleet=True) for index, border in enumerate(tiles.borders))
        assert links(lay_out(Tiles(tuple(inland.values()), lines))) == {
            (tiles.borders[number].one, tiles.borders[number].two)
        }


def coasts(*lines: Border) -> Tiles:
    """Two coasts and two seas that all border, with the given changes."""
    usual = {frozenset((b.one, b.two)): b for b in tiles_of(4, set(combinations(range(4), 2)), {0, 1}).borders}
    first = {frozenset((b.one, b.two)) for b in lines}
    provinces = tiles_of(4, set(combinations(range(4), 2)), {0, 1}).provinces
    return Tiles(provinces, (*lines, *(b for pair, b in usual.items() if pair not in first)))


def signs(tiles: Tiles) -> list[tuple[str, tuple[str, str] | None]]:
    return [(sign.kind, sign.between) for sign in lay_out(tiles).signs]


def test_borders_that_a_line_cannot_show_have_a_sign() -> None:
    """FB-2: a border between coasts for armies only or fleets only, and a one-way border."""
    one, two = code(2), code(3)
    assert signs(coasts()) == []
    assert signs(coasts(Border(one, two, army=True, fleet=False))) == [("ridge", (one, two))]
    assert signs(coasts(Border(one, two, army=False, fleet=True))) == [("water", (one, two))]
    for first, second in ((one, two), (two, one)):
        tiles = coasts(Border(first, second, army=True, fleet=True, one_way=True))
        assert signs(tiles) == [("one-way", (first, second))]
        (sign,) = lay_out(tiles).signs
        tip, left, right = (tuple(map(int, point.split())) for point in sign.path.strip("Mz").split("L"))
        foot = (left[0] + right[0]) / 2, (left[1] + right[1]) / 2
        assert math.dist(tip, foot) > 1.7 * math.dist(left, right), "which way it points is hard to see"
        shape = rings(lay_out(tiles).provinces[second].path)
        assert inside((tip[0], tip[1]), shape)
        assert not inside(((left[0] + right[0]) / 2, (left[1] + right[1]) / 2), shape)


def test_provinces_that_must_not_touch_are_kept_apart_by_unowned_land() -> None:
    """FB-2: four provinces around a spot where no two opposite ones border: a wheel without its hub, in a ring of others."""
    ring = {(n, (n + 1) % 4) for n in range(4)} | {(4 + n, 4 + (n + 1) % 4) for n in range(4)}
    across = {(n, 4 + n) for n in range(4)} | {(n, 4 + (n + 1) % 4) for n in range(4)}
    tiles = tiles_of(8, {(min(pair), max(pair)) for pair in ring | across}, set())
    outlines = lay_out(tiles)
    borders_are_told(tiles, outlines)
    assert len(outlines.neutral) == 1
    assert ("nobody", None) in signs(tiles)


def test_the_legend_explains_the_signs_of_a_laid_out_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """FB-2: in words, and only those that the board has."""
    position = starting_position(Settings())
    assert picture.SAID["ridge"] not in picture.draw(position, None).legend
    monkeypatch.setattr(picture, "ground_of", lambda board, shapes: without_shapes(STANDARD))
    scene = picture.draw(position, None)
    assert picture.SAID["ridge"] in scene.legend
    assert picture.SAID["nobody"] in scene.legend
    assert picture.SAID["link"] not in scene.legend
    root = ET.fromstring(render(scene))
    titles = [element.text for element in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "Only armies pass between Rome and Venice." in titles
    assert 'pointer-events="none"' not in render(scene)
    assert 'pointer-events="none"' in render(scene.to_click())  # a tap on a sign is one on the province below it


def test_a_strip_too_narrow_for_a_row_has_columns() -> None:
    """A picture of few provinces is narrow: its sides are listed below each other, and none beyond its edge."""
    scene = picture.draw(starting_position(Settings()), None)
    tiles = realm(41, 20, 9, 8)
    few = replace(
        scene,
        outlines=tiles,
        names={tile.code: tile.name for tile in tiles.provinces},
        seas=frozenset(),
        areas=(),
        tokens=(),
    )
    wide, high = layout_of(tiles).size
    box_ = ET.fromstring(render(few)).get("viewBox", "").split()
    assert int(box_[2]) == wide
    assert int(box_[3]) > high + 92


def test_a_board_that_cannot_be_laid_out_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """FB-2: no picture shows a border that does not exist."""
    monkeypatch.setattr(drawing.Drawing, "wrong", lambda _: 1)
    monkeypatch.setattr("adjudicator.render.ground._lay_out", lay_out)
    rules = rules_on("rapids")
    what = "the board cannot be laid out: some provinces would touch without a border"
    right = "draw its shapes (`outlines:`), or take away borders that cross others"
    draw: Callable[[], object]
    for draw in (lambda: picture.sketch(rules), lambda: picture.draw(starting_position(rules), None)):
        with pytest.raises(Problems) as caught:
            draw()
        assert [(fault.path, fault.what, fault.right) for fault in caught.value.problems] == [
            ("rapids.yaml", what, right)
        ]
