"""The board of the nine worlds as drawn: round, true to its borders and to the globe, with space for every piece."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.text.yamltext import read
from adjudicator.mechanics.boards import load_board
from adjudicator.mechanics.provinces import Board, outlines_path
from adjudicator.render import render
from adjudicator.render.outlines import Box, Outlines, Point, inside, load_outlines, nobodys, rings
from adjudicator.render.room import Fits, room_of
from adjudicator.render.scenes import Area, Ground, ProvinceScene, Token
from adjudicator.rulesets.diplomacy.picture import MARKERS
from tests.tools.boards.touching import shared_lengths

FOLDER = RULESETS / "saga_of_the_nine" / "boards" / "nine_worlds"
TOOL = Path(__file__).parent.parent / "tools" / "boards" / "nine_worlds.yaml"
APART = (("OLE", "TUN"), ("ALF", "YLG"), ("BJA", "VAN"), ("GJO", "THR"), ("MAC", "SIT"), ("FJO", "HVE"))
"""Pairs that share less than 80 km on the globe and do not border, by the catalogue's section 7."""
SHORT = (("CHU", "HLE"), ("THR", "THU"), ("SUO", "VAN"), ("HRI", "RAN"), ("KVE", "SVI"))
"""Pairs that share 80 to 100 km and do border."""
MIDDLE, RADIUS = 800, 792
LEAST = 16
"""The shortest visible border, in the picture's units."""


def fits_of(ground: Ground, names: tuple[tuple[str, str], ...]) -> Fits:
    """Names that fit into their regions, on one line or two."""
    return room_of(ground, names).fits


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(FOLDER)


@pytest.fixture(scope="module")
def outlines(board: Board) -> Outlines:
    return load_outlines(str(outlines_path(board)))


# The shapes -------------------------------------------------------------------------------------------------------


def area(path: str) -> float:
    """Area inside a path; holes run the other way."""
    return abs(
        sum(
            (x1 * y2 - x2 * y1) / 2
            for ring in rings(path)
            for (x1, y1), (x2, y2) in itertools.pairwise([*ring, ring[0]])
        )
    )


def middle(path: str) -> tuple[float, float]:
    """Centre of the area inside a path."""
    corners = [
        (x1 * y2 - x2 * y1, x1 + x2, y1 + y2)
        for ring in rings(path)
        for (x1, y1), (x2, y2) in itertools.pairwise([*ring, ring[0]])
    ]
    whole = sum(cross for cross, _, _ in corners)
    return sum(cross * x for cross, x, _ in corners) / whole / 3, sum(cross * y for cross, _, y in corners) / whole / 3


def from_pole(spot: Point | tuple[float, float]) -> float:
    return math.dist(spot, (MIDDLE, MIDDLE))


def gap(one: str, other: str) -> float:
    """Distance between two shapes: from the corners of each to the sides of the other."""

    def to_side(spot: Point, start: Point, end: Point) -> float:
        along = (end[0] - start[0], end[1] - start[1])
        part = ((spot[0] - start[0]) * along[0] + (spot[1] - start[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
        held = min(1.0, max(0.0, part))
        return math.dist(spot, (start[0] + held * along[0], start[1] + held * along[1]))

    return min(
        to_side(spot, start, end)
        for corners, sides in ((one, other), (other, one))
        for ring in rings(corners)
        for spot in ring
        for line in rings(sides)
        for start, end in itertools.pairwise([*line, line[0]])
    )


def test_provinces_touch_exactly_if_they_border_and_visibly(board: Board) -> None:
    drawn: Any = read((FOLDER / "outlines.yaml").read_bytes(), "outlines.yaml", limit=1 << 20).data
    lengths = shared_lengths(drawn)
    assert set(lengths) == board.borders
    assert len(lengths) == 226
    assert drawn["crossings"] == []
    assert min(lengths.values()) >= LEAST
    short = {pair: round(lengths[pair]) for pair in SHORT}
    print(f"borders of 80 to 100 km: {short}; the shortest of all: {min(lengths, key=lambda pair: lengths[pair])}")
    assert min(short.values()) >= LEAST


@pytest.mark.parametrize("pair", APART, ids="-".join)
def test_pairs_that_do_not_border_are_kept_apart(board: Board, outlines: Outlines, pair: tuple[str, str]) -> None:
    """Impassable land keeps them apart: on the globe four provinces meet there, and opposite ones do not border."""
    one, other = (outlines.provinces[code].path for code in pair)
    assert pair not in board.borders
    assert gap(one, other) >= 6, pair


def test_unowned_land_is_known_by_the_provinces_it_separates(board: Board, outlines: Outlines) -> None:
    """Unowned land separates all of these pairs, and the pairs across in the other direction; the frame around the board separates nobody."""
    across = {
        pair
        for codes in nobodys(outlines).values()
        for pair in itertools.combinations(codes, 2)
        if pair not in board.borders
    }
    assert {*APART} <= across
    assert across == {pair for pair in across if gap(*(outlines.provinces[code].path for code in pair)) < 45}
    assert set(nobodys(outlines)) == {shape.name for shape in outlines.neutral} - {"the frame"}


def test_the_shapes_cover_the_canvas_once(outlines: Outlines) -> None:
    shapes = [*(shape.path for shape in outlines.provinces.values()), *(shape.path for shape in outlines.neutral)]
    assert outlines.size == (2 * MIDDLE, 2 * MIDDLE)
    assert sum(map(area, shapes)) == pytest.approx((2 * MIDDLE) ** 2)


def test_the_board_is_round_and_has_a_smooth_rim(outlines: Outlines) -> None:
    (frame,) = [shape for shape in outlines.neutral if shape.name == "the frame"]
    canvas, rim = sorted(rings(frame.path), key=lambda ring: -max(map(from_pole, ring)))
    assert len(canvas) == 4
    assert all(abs(from_pole(corner) - RADIUS) < 1 for corner in rim)
    # Between two corners of the rim the side comes no nearer to the pole than this.
    sides = itertools.pairwise([*rim, rim[0]])
    assert all(from_pole(((x1 + x2) / 2, (y1 + y2) / 2)) > RADIUS - 4 for (x1, y1), (x2, y2) in sides)
    corners = {corner for shape in outlines.provinces.values() for ring in rings(shape.path) for corner in ring}
    assert max(map(from_pole, corners)) < RADIUS + 1


def test_provinces_lie_around_the_pole_as_their_towns_do(outlines: Outlines) -> None:
    """East is counterclockwise, Greenwich downward; shifts made space, but nothing was moved elsewhere."""
    data: Any = read(TOOL.read_bytes(), TOOL.name).data
    towns = data["towns"]
    assert set(towns) == set(outlines.provinces)
    turned = {}
    for code, spots in towns.items():
        x, y = middle(outlines.provinces[code].path)
        drawn = math.degrees(math.atan2(x - MIDDLE, y - MIDDLE))
        globe = [(math.radians(float(longitude)), math.radians(float(latitude))) for longitude, latitude in spots]
        east = sum(math.sin(longitude) * math.cos(latitude) for longitude, latitude in globe)
        down = sum(math.cos(longitude) * math.cos(latitude) for longitude, latitude in globe)
        away = (drawn - math.degrees(math.atan2(east, down)) + 180) % 360 - 180
        if max(latitude for _, latitude in globe) < math.radians(80):  # nearer to the pole a little way is many degrees
            turned[code] = round(away)
    print(sorted(turned.items(), key=lambda item: abs(item[1]))[-5:])
    assert max(map(abs, turned.values())) <= 25


# Room -------------------------------------------------------------------------------------------------------------


def around(spot: Point, wide: float, high: float) -> Box:
    return spot[0] - wide / 2, spot[1] - high / 2, spot[0] + wide / 2, spot[1] + high / 2


def meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def things(outlines: Outlines, names: tuple[tuple[str, str], ...]) -> dict[tuple[str, str], Box]:
    """The largest possible contents of every province, with their boxes: unit, general's mark, code, name, supply centre."""
    fits = fits_of(str(FOLDER / "outlines.yaml"), names)
    boxes: dict[tuple[str, str], Box] = {}
    for code, shape in outlines.provinces.items():
        x, y = shape.unit
        left, top, lines = fits[code]
        wide, bottom = max(map(len, lines)) * 9.6, top + (len(lines) - 1) * 17.6
        boxes[code, "unit"] = around(shape.unit, 54, 38)
        boxes[code, "general"] = around((x - 37, y), 20, 20)
        boxes[code, "code"] = around((shape.label[0], shape.label[1] - 11), 54, 22)
        boxes[code, "name"] = (left - wide / 2, top - 17.6, left + wide / 2, bottom + 3)
        if shape.centre is not None:
            boxes[code, "centre"] = around(shape.centre, 26, 26)
    return boxes


def names_on(board: Board) -> tuple[tuple[str, str], ...]:
    return tuple((code, province.name) for code, province in board.provinces.items())


def test_every_name_is_written_out(board: Board, outlines: Outlines) -> None:
    assert set(fits_of(str(outlines_path(board)), names_on(board))) == set(board.provinces)


def test_nothing_that_may_be_on_the_board_overlaps_anything_else(board: Board, outlines: Outlines) -> None:
    boxes = things(outlines, names_on(board))
    assert len(boxes) == 88 * 4 + 49
    for (one, a), (other, b) in itertools.combinations(boxes.items(), 2):
        if (one[0], {one[1], other[1]}) != (other[0], {"code", "name"}):
            assert not meet(a, b), (one, other)
    for (code, what), (left, top, right, bottom) in boxes.items():
        shape = rings(outlines.provinces[code].path)
        if what in ("unit", "centre"):
            assert inside(((left + right) / 2, (top + bottom) / 2), shape), (code, what)


def test_there_is_room_for_two_crowns_beside_every_centre(board: Board, outlines: Outlines) -> None:
    """In a column or in a row, on one side or on both: somewhere they touch nothing."""
    boxes = things(outlines, names_on(board))
    across, down = (-23, 23), (-21, 21)
    columns = [((x, y), (x, y + 17 * step)) for x in across for y, step in ((-5, 1), (5, -1), (-8, 1))]
    rows = [((-10, y), (11, y)) for y in down] + [((x, 0), (x * 2 - math.copysign(2, x), 0)) for x in across]
    for code in board.centres:
        spot = outlines.provinces[code].centre
        assert spot is not None
        others = [box for key, box in boxes.items() if key[1] != "code" or key[0] == code]
        others.remove(boxes[code, "centre"])
        free = [
            pair
            for pair in (*columns, *rows, ((-23, 0), (23, 0)))
            if not any(
                meet(around((round(spot[0] + x), round(spot[1] + y)), 20, 16), box) for x, y in pair for box in others
            )
        ]
        assert free, code


# The picture ------------------------------------------------------------------------------------------------------


def scene(board: Board, extra: dict[str, str] | None = None) -> ProvinceScene:
    """The board at the start, the minor powers as one side; `extra` adds units with their owners."""
    units = {unit: power for power, data in board.powers.items() for unit in data.units}
    units |= {unit: "Minors" for data in board.others.values() for unit in data.units}
    units |= extra or {}
    sides = [*board.powers, "Minors"]
    pieces = [(board.unit(text), side) for text, side in units.items()]
    return ProvinceScene(
        outlines=str(outlines_path(board)),
        title="Spring 1, movement",
        description="The North.",
        sides={name: Side(number, name, name[0].lower()) for number, name in enumerate(sides, 1)},
        names=dict(names_on(board)),
        seas=board.seas,
        markers={marker.name: marker.path for marker in MARKERS.values()},
        areas=tuple(
            Area(code, province.home, province.centre, province.name)
            for code, province in board.provinces.items()
            if code not in board.seas
        ),
        tokens=tuple(
            Token(unit.place, side, MARKERS[unit.kind].name, f"{side}: {board.unit_name(unit)}")
            for unit, side in pieces
        ),
        standings=tuple((power, "3") for power in board.powers),
    )


def everywhere(board: Board) -> dict[str, str]:
    """A unit in every province, a fleet wherever possible."""
    powers = itertools.cycle(board.powers)
    return {f"{'F' if code in board.fleet_to else 'A'} {code}": next(powers) for code in board.provinces}


def test_the_start_is_small_and_the_same_every_time(board: Board) -> None:
    source = render(scene(board))
    print(f"the map at the start has {len(source.encode())} bytes")
    assert source == render(scene(board))
    assert len(source.encode()) < 60_000


@pytest.mark.slow
def test_no_text_covers_other_text(board: Board, browser: Browser) -> None:
    from tests.render.test_signs import OVERLAPS
    from tests.site.test_browser import SIZES

    full = scene(board)
    taken = {token.place for token in full.tokens}
    more = {text: power for text, power in everywhere(board).items() if text.partition(" ")[2] not in taken}
    pictures = {"start": render(full), "full": render(scene(board, more))}
    for width, height in SIZES:
        page = browser.new_page(viewport={"width": width, "height": height})
        for name, picture in pictures.items():
            page.set_content(f"<!doctype html><style>body{{margin:0}}</style>{picture}")
            assert page.evaluate(OVERLAPS) == [], (name, width)
        page.close()
