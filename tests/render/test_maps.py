"""Pictures: small, reproducible, and readable by screen readers."""

from __future__ import annotations

import itertools
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.pages import Chart, Side
from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import GameKind
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.mechanics.boards import load_board
from adjudicator.mechanics.movement import Convoy
from adjudicator.mechanics.provinces import outlines_path
from adjudicator.render import line_chart, province_map, render
from adjudicator.render.geometry import between, whole, whole_curve
from adjudicator.render.ground import outlines_of
from adjudicator.render.outlines import rings
from adjudicator.render.palette import FILLS, FILLS_DARK, INKS, INKS_DARK, page_style
from adjudicator.render.scenes import Area, HexScene, ProvinceScene
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.picture import draw
from adjudicator.rulesets.diplomacy.position import (
    Settings,
    notation_of,
    starting_position,
)
from adjudicator.rulesets.saga_of_the_nine import position as saga
from tests.render.crowd import crowd, legal_by_unit

ROOT = Path(__file__).parent.parent.parent
MAPS = sorted(path for slug in Archive(ROOT).slugs() for path in Archive(ROOT).game_folder(slug).glob("*/map.svg"))
RECORDS = {slug for slug in Archive(ROOT).slugs() if load_game(Archive(ROOT), slug).data.kind is GameKind.RECORD}
SVG = "{http://www.w3.org/2000/svg}"


def test_there_are_maps_to_look_at() -> None:
    assert len(MAPS) > 100


@pytest.mark.parametrize("path", MAPS, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_a_map_is_small_well_formed_and_described(path: Path) -> None:
    source = path.read_bytes()
    game = load_game(Archive(ROOT), path.parent.parent.name)
    data = load_turn(Archive(ROOT), game, path.parent.name).data
    scene = game.ruleset.pictures.draw(data.position, None)
    assert len(source) <= (85_000 if isinstance(scene, HexScene) else 60_000)
    root = ET.fromstring(source)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    # The title is the turn's name; the text describes the position, as `test_grids` and the tests below check for each kind.
    assert title.text == data.phase
    if isinstance(scene, ProvinceScene):
        counts = r", (\d+ supply centres|total \d+)"  # a saga gives each Major's total
        counted = "" if path.parent.parent.name in RECORDS else counts  # a record has no counts
        assert re.search(rf"[A-Z][a-z]+{counted}: [AF] ", desc.text or "")
    assert (desc.text or "").endswith(".")
    assert b"<script" not in source
    assert b"http" not in source.replace(b"http://www.w3.org/2000/svg", b"")


def test_every_order_is_shown_with_its_sentence() -> None:
    path = ROOT / "games" / "first-lessons" / "001-spring-1901-movement" / "map.svg"
    titles = [element.text or "" for element in ET.parse(path).iter(f"{SVG}title")]
    assert (
        "A Munich - Burgundy bounced: strength 1 against A Paris, which was moving there too with strength 2 (supported by A Marseilles)."
        in titles
    )
    assert "F Brest - Mid-Atlantic Ocean moved: nothing stood in its way." in titles
    assert "France: A Paris" in titles
    assert "Belgium, supply centre, nobody's" in titles


def test_the_same_position_gives_the_same_bytes() -> None:
    position = starting_position(Settings())
    assert render(draw(position, None)) == render(draw(position, None))


@pytest.mark.parametrize("board", sorted(path.parent.name for path in RULESETS.glob("*/boards/*/outlines.yaml")))
def test_a_border_between_seas_is_drawn_once_and_whole_seas_can_be_clicked(board: str) -> None:
    """Only a sea's borders with other seas are drawn: the background is sea, and coasts have the edge of their land."""
    scene = bare_scene(board)
    shapes = outlines_of(scene.outlines).provinces
    sea = {code: sides_of(shapes[code].path) for code in scene.seas}
    coasts = set().union(*(sides_of(shapes[area.region].path) for area in scene.areas))
    water, *_ = [
        path.get("d") or "" for path in ET.fromstring(render(scene)).iter(f"{SVG}path") if path.get("class") == "s"
    ]
    drawn = [side for line in strokes_of(water) for side in itertools.pairwise(line)]
    assert {frozenset(side) for side in drawn} == set().union(*sea.values()) - coasts
    assert len(drawn) == len({frozenset(side) for side in drawn}) > 50
    clicked = ET.fromstring(render(scene.to_click())).findall(f"{SVG}path[@data-region]")
    found = {path.get("data-region"): path.get("d") for path in clicked}
    assert found == {
        scene.names[code]: shapes[code].path for code in (*scene.seas, *(area.region for area in scene.areas))
    }


def bare_scene(board: str) -> ProvinceScene:
    """A board as drawn, with nothing on it."""
    ground = load_board(next(RULESETS.glob(f"*/boards/{board}")))
    names = {code: province.name for code, province in ground.provinces.items()}
    areas = tuple(
        Area(code, None, ground.provinces[code].centre, name) for code, name in names.items() if code not in ground.seas
    )
    return ProvinceScene(str(outlines_path(ground)), "Start", "Nothing.", {}, names, ground.seas, {}, areas)


def sides_of(path: str) -> set[frozenset[tuple[int, int]]]:
    """The straight sides of a shape."""
    return {
        frozenset(side) for ring in rings(path) for side in itertools.pairwise([*ring, ring[0]]) if side[0] != side[1]
    }


def strokes_of(path: str) -> list[list[tuple[int, int]]]:
    """The corners of each line in a path of steps."""
    lines: list[list[tuple[int, int]]] = []
    pen = (0, 0)
    for letter, told in re.findall(r"([Mml])([-\d ]+)", path):
        numbers = [int(number) for number in re.findall(r"-?\d+", told)]
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            pen = (x, y) if letter == "M" else (pen[0] + x, pen[1] + y)
            lines = [*lines, [pen]] if letter in "Mm" else [*lines[:-1], [*lines[-1], pen]]
    return lines


@given(st.lists(st.tuples(st.floats(-2000, 2000), st.floats(-2000, 2000)), min_size=2, max_size=6))
def test_rounded_steps_lead_to_the_rounded_points(points: list[tuple[float, float]]) -> None:
    near = [(round(x), round(y)) for x, y in points]
    assert strokes_of(whole(points)) == [near]
    assert strokes_of(whole(points[:2], points)) == [near[:2], near]
    path = whole_curve(points)
    assert path[: path.index("q" if len(points) > 2 else "l")] == "M{} {}".format(*near[0]).replace(" -", "-")
    if len(points) == 2:
        assert strokes_of(path) == [near]
        return
    steps = [int(step) for step in re.findall(r"-?\d+", path)]
    pen, told = near[0], []
    for x, y, u, v in zip(*(steps[at::4] for at in range(2, 6)), strict=True):
        told += [(pen[0] + x, pen[1] + y), (pen[0] + u, pen[1] + v)]
        pen = told[-1]
    assert told[::2] == near[1:-1]
    assert pen == near[-1]
    middles = [between(here, after, 0.5) for here, after in itertools.pairwise(points[1:-1])]
    assert told[1:-1:2] == [(round(x), round(y)) for x, y in middles]


def luminance(colour: str) -> float:
    if len(colour) == 4:
        colour = "#" + "".join(c * 2 for c in colour[1:])
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_letters_can_be_read_on_units_and_names_on_land() -> None:
    assert min(contrast(ink, "#fff") for ink in INKS) >= 4.5
    assert min(contrast(ink, "#111") for ink in INKS_DARK) >= 4.5
    assert min(contrast("#26221b", fill) for fill in (*FILLS, "#f6f0df")) >= 4.5
    assert min(contrast("#f1ecdf", fill) for fill in (*FILLS_DARK, "#3a372f")) >= 4.5
    assert min(contrast(ink, "#d7e8f3") for ink in INKS) >= 3  # lines on the sea
    assert min(contrast(ink, "#16222c") for ink in INKS_DARK) >= 3


def test_powers_can_be_told_apart_without_colour() -> None:
    scene = RULESET.pictures.draw(starting_position(Settings()), None)
    letters = [side.letter for side in scene.sides.values()]
    assert len(set(letters)) == len(letters) == 7


def test_a_page_can_choose_the_colours() -> None:
    sheet = page_style()
    assert '[data-md-color-scheme="default"] .cm{--sea:#d7e8f3' in sheet
    assert '[data-md-color-scheme="slate"] .cm{--sea:#16222c' in sheet
    assert sheet.count("{") == sheet.count("}")


def test_a_chart_describes_its_last_values() -> None:
    sides = {"One": Side(1, "One", "O"), "Two": Side(2, "Two", "T")}
    svg = line_chart(Chart("Centres", "centres", ("1901", "1902"), {"One": (3, 5), "Two": (3, None)}), sides)
    desc = ET.fromstring(svg).find(f"{SVG}desc")
    assert desc is not None
    assert desc.text == "Centres, 1901 to 1902. At the end: One 5, Two 3."
    assert svg == line_chart(Chart("Centres", "centres", ("1901", "1902"), {"One": (3, 5), "Two": (3, None)}), sides)


def scenes() -> list[tuple[str, Any]]:
    """Every judged turn in the archive that has a scene of provinces, and the scene."""
    archive = Archive(ROOT)
    judged = []
    for slug in archive.slugs():
        game = load_game(archive, slug)
        for name in archive.turns(slug):
            turn = load_turn(archive, game, name)
            scene = game.ruleset.pictures.draw(turn.data.position, turn.resolution)
            if turn.resolution is not None and isinstance(scene, ProvinceScene):
                judged.append((f"{slug}/{name}", (turn, scene)))
    return judged


@pytest.mark.slow
def test_convoys_are_drawn_through_the_fleets_that_carry_them() -> None:
    seen = 0
    for name, (turn, scene) in scenes():
        notation = notation_of(turn.data.position.settings.board)
        orders = [notation.read(verdict.order) for verdict in turn.data.verdicts if verdict.result != "illegal"]
        carried = {(o.target.province, o.to, o.unit.province) for o in orders if isinstance(o, Convoy)}
        for arrow in scene.arrows:
            if arrow.kind == "convoyed":
                start, *seas, goal = arrow.path
                assert {(start, goal, sea) for sea in seas} <= carried, name
                seen += 1
    assert seen > 15


@pytest.mark.slow
def test_the_army_from_edinburgh_sails_the_norwegian_sea() -> None:
    scene = dict(scenes())["austria-alone/002-fall-1901-movement"][1]
    assert ("EDI", "NWG", "NWY") in {arrow.path for arrow in scene.arrows}


@pytest.mark.slow
def test_supports_and_convoys_end_on_the_arrow_they_are_for() -> None:
    """Every support and convoy line ends on the drawn line of its move, or rings the fleet that the line passes."""
    checked = 0
    for name, (_, scene) in scenes():
        painter = province_map._Painter(scene)
        painter.orders()
        ends = {arrow.path: painter.aided(arrow) for arrow in scene.arrows if arrow.kind in ("support", "convoy")}
        moves = {(a.path[0], a.path[-1].partition("/")[0]) for a in scene.arrows if a.kind in province_map.MOVES}
        for path, line in ends.items():
            if (path[1], path[2].partition("/")[0]) in moves:
                assert line is not None, (name, path)
                checked += 1
    assert checked > 250


@pytest.mark.slow
def test_the_busiest_map_is_small_enough() -> None:
    """The maximum number of units, each with its longest order."""
    chance = random.Random(1901)
    biggest = 0
    for _ in range(12):
        position = crowd(chance)
        sheets = {
            power: Sheet(orders=tuple(max(choices, key=len) for choices in orders.values()))
            for power, orders in legal_by_unit(position).items()
        }
        done = RULESET.rules.resolve(position, sheets, GivenDice({}))
        biggest = max(biggest, len(render(draw(position, done)).encode()))
    print(f"the busiest map has {biggest} bytes")
    assert biggest <= 60_000


@pytest.mark.long
@pytest.mark.slow
def test_every_map_of_a_saga_is_small_enough(tmp_path: Path) -> None:
    """From the first turn to the end, as stand-ins play it."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(tmp_path)
    reign = saga.majors(saga.Settings())
    seats = {major: {"player": f"Player {at}"} for at, major in enumerate(reign)}
    new_game(archive, "saga", {"ruleset": "saga_of_the_nine", "title": "Saga", "opened": "2026-11-20", "seats": seats})
    list(play(archive, "saga", reign, "1", "2026-11-20T18:00Z", 100))
    assert archive.has_ended("saga")
    sizes = {path.parent.name: path.stat().st_size for path in tmp_path.glob("games/over/saga/**/map.svg")}
    print(f"the largest of {len(sizes)} maps has {max(sizes.values())} bytes")
    assert len(sizes) > 20
    assert {name: size for name, size in sizes.items() if size > 60_000} == {}
