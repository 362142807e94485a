"""The board of the taifas: as planned, as drawn, as recorded, and a picture with space for everything."""

from __future__ import annotations

import itertools
import re
import statistics
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.text.yamltext import read
from adjudicator.mechanics.boards import load_board
from adjudicator.mechanics.movement import Hold, Move
from adjudicator.mechanics.notation import Notation
from adjudicator.mechanics.provinces import Board, outlines_path
from adjudicator.render import render
from adjudicator.render.outlines import Outlines, inside, load_outlines, rings
from adjudicator.render.room import Fits, room_of
from adjudicator.render.scenes import Area, Arrow, Ground, ProvinceScene, Token
from adjudicator.rulesets.diplomacy.picture import MARKERS
from tests.tools.boards.touching import shared_lengths

FOLDER = RULESETS / "al_andalus" / "boards" / "taifas"
PLAN = Path(__file__).parent.parent / "data" / "al-andalus-plan.yaml"
SVG = "{http://www.w3.org/2000/svg}"
SLOTS = {"Castille": 1, "Seville": 2, "Badajoz": 3, "Granada": 5, "Zaragoza": 7}
"""Slots of the palette for the recorded colours: red, purple, dark blue, (cyan,) yellow."""
LEAST = 14
"""The shortest visible border, in the picture's units."""

Box = tuple[float, float, float, float]


def fits_of(ground: Ground, names: tuple[tuple[str, str], ...]) -> Fits:
    """Names that fit into their regions, on one line or two."""
    return room_of(ground, names).fits


@pytest.fixture(scope="module")
def board() -> Board:
    return load_board(FOLDER)


@pytest.fixture(scope="module")
def plan() -> Any:
    return read(PLAN.read_bytes(), PLAN.name).data


@pytest.fixture(scope="module")
def outlines(board: Board) -> Outlines:
    return load_outlines(str(outlines_path(board)))


# As planned and as recorded ---------------------------------------------------------------------------------------


def test_the_board_has_what_the_rules_say(board: Board) -> None:
    kinds = [province.kind for province in board.provinces.values()]
    assert (len(kinds), kinds.count("sea"), kinds.count("inland"), kinds.count("coast")) == (59, 12, 26, 21)
    assert len(board.centres) == 27
    assert (board.starts, board.victory) == (1080, 14)
    assert list(board.powers) == ["Badajoz", "Castille", "Granada", "Seville", "Zaragoza"]
    for power, data in board.powers.items():
        assert len(data.units) == 3
        assert {board.unit(unit).province for unit in data.units} == set(board.homes(power))
    assert sum(board.provinces[code].home is None for code in board.centres) == 12
    assert all(not province.coasts for province in board.provinces.values())


def test_provinces_and_units_are_those_of_the_plan(board: Board, plan: Any) -> None:
    assert set(board.provinces) == set(plan["provinces"])
    for code, province in board.provinces.items():
        planned = plan["provinces"][code]
        assert (province.name, province.kind) == (planned["name"], planned["kind"])
        assert (province.centre, province.home) == (planned.get("centre", False), planned.get("home"))
    assert {power: list(data.units) for power, data in board.powers.items()} == plan["units"]


def test_every_list_of_borders_matches_the_plan_both_ways(board: Board, plan: Any) -> None:
    for code, planned in plan["provinces"].items():
        army, fleet = planned.get("army", []), planned.get("fleet", [])
        assert sorted(board.army_to.get(code, ())) == army
        assert sorted(board.fleet_to.get(code, {})) == fleet
        assert all(code in plan["provinces"][other]["army"] for other in army)
        assert all(code in plan["provinces"][other]["fleet"] for other in fleet)
    assert sum(map(len, board.army_to.values())) == 2 * (93 + 19)
    assert sum(map(len, board.fleet_to.values())) == 2 * (49 + 19)
    assert len(board.borders) == 161


def test_the_names_on_record_are_on_the_board(board: Board, plan: Any) -> None:
    recorded = {*plan["recorded"]["names"], *plan["recorded"]["names_of_powers"]}
    assert len(recorded) == 17
    assert recorded <= {province.name for province in board.provinces.values()}
    assert set(plan["recorded"]["names_of_powers"]) == set(board.powers) - {"Castille"}


def test_the_orders_on_record_can_be_given(board: Board, plan: Any) -> None:
    notation = Notation(board)
    borders = set()
    for text in plan["recorded"]["orders"]:
        order = notation.read(text)
        assert isinstance(order, Hold | Move), order
        assert notation.write(order) == text
        if isinstance(order, Move):
            unit = board.unit(f"{order.unit.kind} {order.unit.province}")
            assert order.to in board.reach(unit), text
            borders.add((unit.province, order.to))
    assert len(borders) == 6


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("Sevilla", "SEV"), ("Ishbiliya", "SEV"), ("Córdoba", "COR"), ("Cordova", "COR"), ("Qurtuba", "COR"),
        ("Cádiz", "CAD"), ("Saragossa", "ZAR"), ("Saraqusta", "ZAR"), ("León", "LEO"), ("Jaén", "JAE"),
        ("Málaga", "MAL"), ("Gharnata", "GRA"), ("Lleida", "LER"), ("Lérida", "LER"), ("Lisboa", "LIS"),
        ("Oporto", "POR"), ("Évora", "EVO"), ("Tulaytula", "TOL"), ("Vizcaya", "VIZ"), ("Biscay", "VIZ"),
        ("Bay of Biscay", "CAN"), ("Qal'at Ayyub", "CAY"), ("Wadi Ash", "GUA"), ("Gibraltar", "SOG"),
        ("Estrecho de Gibraltar", "SOG"), ("al-Jazira", "ALG"), ("Cabo de São Vicente", "CSV"), ("sog", "SOG"),
    ],
)  # fmt: skip
def test_other_spellings_are_read(board: Board, written: str, code: str) -> None:
    order = Notation(board).read(f"F {written} H")
    assert isinstance(order, Hold), order
    assert order.unit.province == code


def test_no_spelling_means_two_provinces(board: Board) -> None:
    notation = Notation(board)
    for code, province in board.provinces.items():
        for text in (code, province.name, *province.also):
            order = notation.read(f"A {text} H")
            assert isinstance(order, Hold), order
            assert order.unit.province == code, text


# As drawn ---------------------------------------------------------------------------------------------------------


def test_provinces_touch_exactly_if_they_border(board: Board) -> None:
    drawn: Any = read((FOLDER / "outlines.yaml").read_bytes(), "outlines.yaml", limit=1 << 20).data
    lengths = shared_lengths(drawn)
    assert set(lengths) == board.borders
    shortest = min(lengths, key=lambda pair: lengths[pair])
    print(f"the shortest border is {'-'.join(shortest)}, {lengths[shortest]:.0f} of {drawn['size'][0]}")
    assert lengths[shortest] >= LEAST
    assert drawn["crossings"] == []


def centroid(path: str) -> tuple[float, float]:
    """The middle of a shape's largest ring."""
    best = (0.0, 0.0, 0.0)
    for ring in rings(path):
        area = x = y = 0.0
        for (x1, y1), (x2, y2) in itertools.pairwise([*ring, ring[0]]):
            cross = x1 * y2 - x2 * y1
            area, x, y = area + cross, x + (x1 + x2) * cross, y + (y1 + y2) * cross
        best = max(best, (abs(area), x / area / 3, y / area / 3))
    return best[1:]


def town(plan: Any, code: str) -> tuple[float, float]:
    """Longitude and latitude of a province's town."""
    longitude, latitude = plan["provinces"][code]["town"]
    return float(longitude), float(latitude)


def test_provinces_lie_in_the_same_directions_as_their_towns(outlines: Outlines, plan: Any) -> None:
    """Of two towns more than a degree apart, the eastern one's province lies further east; the same holds for north."""
    towns = {code: town(plan, code) for code, planned in plan["provinces"].items() if "town" in planned}
    middles = {code: centroid(outlines.provinces[code].path) for code in towns}
    assert len(towns) == 47
    for first, second in itertools.combinations(sorted(towns), 2):
        for axis, sign in ((0, 1), (1, -1)):
            apart = towns[second][axis] - towns[first][axis]
            if abs(apart) > (1.25 if axis == 0 else 0.9):
                assert (middles[second][axis] - middles[first][axis]) * sign * apart > 0, (first, second)


def test_supply_centres_are_drawn_where_their_towns_are(board: Board, outlines: Outlines, plan: Any) -> None:
    """The rings lie where the towns do: one mapping of degrees to the picture fits them all, except for magnified places."""
    for axis in (0, 1):
        here: list[float] = []
        there: list[float] = []
        for code in board.centres:
            spot = outlines.provinces[code].centre
            assert spot is not None
            here.append(town(plan, code)[axis])
            there.append(spot[axis])
        assert abs(statistics.correlation(here, there)) > 0.99


def around(middle: tuple[float, float], width: float, height: float) -> Box:
    x, y = middle
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


GENERAL = (-37, 0)
"""From a unit's centre to that of its general's mark, which is at most 20 wide."""


def things(board: Board, outlines: Outlines) -> dict[str, dict[str, Box]]:
    """Province -> its largest possible contents, each with its box: unit, general's mark, code, name, supply centre."""
    path = str(outlines_path(board))
    fits = fits_of(path, tuple((code, province.name) for code, province in board.provinces.items()))
    boxes: dict[str, dict[str, Box]] = {}
    for code, shape in outlines.provinces.items():
        x, y = shape.unit
        left, top, lines = fits[code]
        wide, bottom = max(map(len, lines)) * 9.6, top + (len(lines) - 1) * 17.6
        boxes[code] = {
            "unit": around((x, y), 50, 34),
            "general": around((x + GENERAL[0], y + GENERAL[1]), 20, 20),
            "code": around((shape.label[0], shape.label[1] - 10), 54, 20),
            "name": (left - wide / 2, top - 17.6, left + wide / 2, bottom + 3),
        }
        if shape.centre:
            boxes[code]["centre"] = around(shape.centre, 20, 20)
    return boxes


def test_every_name_fits_into_its_province(board: Board, outlines: Outlines) -> None:
    names = tuple((code, province.name) for code, province in board.provinces.items())
    assert set(fits_of(str(outlines_path(board)), names)) == set(board.provinces)


def test_unit_general_centre_and_name_fit_into_every_province(board: Board, outlines: Outlines) -> None:
    everything = things(board, outlines)
    for code, by_part in everything.items():
        shape = rings(outlines.provinces[code].path)
        for what, (x1, y1, x2, y2) in by_part.items():
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            for spot in ((x, y), (x1, y), (x2, y), (x, y1), (x, y2)):
                assert inside(spot, shape), (code, what, spot)
    boxes = [(code, what, box) for code, by_part in everything.items() for what, box in by_part.items()]
    for (first, what, a), (second, that, b) in itertools.combinations(boxes, 2):
        if (first, {what, that}) != (second, {"code", "name"}):
            assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]), (first, what, second, that)


# In pictures ------------------------------------------------------------------------------------------------------


def scene(board: Board, units: Mapping[str, str] | None = None, arrows: tuple[Arrow, ...] = ()) -> ProvinceScene:
    """The board with units (unit -> owner) and orders; the start if no units are given."""
    if units is None:
        units = {unit: power for power, data in board.powers.items() for unit in data.units}
    owners = {code: province.home for code, province in board.provinces.items()}
    pieces = [(board.unit(text), power) for text, power in units.items()]
    return ProvinceScene(
        outlines=str(outlines_path(board)),
        title="Spring 1080, movement",
        description="The taifas.",
        sides={power: Side(SLOTS[power], power, power[0]) for power in board.powers},
        names={code: province.name for code, province in board.provinces.items()},
        seas=board.seas,
        markers={marker.name: marker.path for marker in MARKERS.values()},
        areas=tuple(
            Area(code, owners[code], province.centre, province.name)
            for code, province in board.provinces.items()
            if code not in board.seas
        ),
        tokens=tuple(
            Token(unit.place, power, MARKERS[unit.kind].name, f"{power}: {board.unit_name(unit)}")
            for unit, power in pieces
        ),
        arrows=arrows,
        standings=tuple((power, "3") for power in board.powers),
    )


def everywhere(board: Board) -> dict[str, str]:
    """A unit in every province, a fleet wherever possible."""
    powers = itertools.cycle(board.powers)
    return {f"{'F' if code in board.fleet_to else 'A'} {code}": next(powers) for code in board.provinces}


def test_the_start_is_drawn_the_same_every_time(board: Board) -> None:
    source = render(scene(board))
    assert source == render(scene(board))
    root = ET.fromstring(source)
    assert len(list(root.iter(f"{SVG}use"))) == 15
    letters = [text.text or "" for text in root.iter(f"{SVG}text") if re.search(r"\bhl\b", text.get("class", ""))]
    assert len("".join(letters)) == 15, "one in each ring, those of a side in one text"
    assert len({side.letter for side in scene(board).sides.values()}) == 5
    assert len(source.encode()) <= 45_000


def test_the_busiest_picture_is_small_enough(board: Board) -> None:
    """27 units, the maximum, each with a support and a long sentence."""
    units = dict(itertools.islice(everywhere(board).items(), 27))
    arrows = []
    for text, power in units.items():
        unit = board.unit(text)
        near = sorted(board.reach(unit))
        arrows.append(Arrow("support", (unit.place, near[0], near[-1]), power, ok=False, title="x" * 200))
    size = len(render(scene(board, units, tuple(arrows))).encode())
    print(f"the busiest map has {size} bytes")
    assert size <= 60_000


@pytest.mark.slow
def test_no_text_covers_other_text(board: Board, browser: Browser) -> None:
    from tests.render.test_signs import OVERLAPS
    from tests.site.test_browser import SIZES

    pictures = {"start": render(scene(board)), "full": render(scene(board, everywhere(board)))}
    for width, height in SIZES:
        page = browser.new_page(viewport={"width": width, "height": height})
        for name, picture in pictures.items():
            page.set_content(f"<!doctype html><style>body{{margin:0}}</style>{picture}")
            assert page.evaluate(OVERLAPS) == [], (name, width)
        page.close()
