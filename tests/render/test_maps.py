"""Pictures: small, the same every time, readable by machines that read aloud."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.contract.pages import Chart, Side
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import GameKind
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.mechanics.movement import Convoy
from adjudicator.render import line_chart, province_map, render
from adjudicator.render.palette import FILLS, FILLS_DARK, INKS, INKS_DARK, page_style
from adjudicator.render.scenes import ProvinceScene
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.picture import draw
from adjudicator.rulesets.diplomacy.position import (
    Settings,
    notation_of,
    starting_position,
)
from tests.render.crowd import crowd, legal_by_unit

ROOT = Path(__file__).parent.parent.parent
MAPS = sorted((ROOT / "games").glob("*/*/map.svg"))
RECORDS = {slug for slug in Archive(ROOT).slugs() if load_game(Archive(ROOT), slug).data.kind is GameKind.RECORD}
SVG = "{http://www.w3.org/2000/svg}"


def test_there_are_maps_to_look_at() -> None:
    assert len(MAPS) > 100


@pytest.mark.parametrize("path", MAPS, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_a_map_is_small_well_formed_and_described(path: Path) -> None:
    source = path.read_bytes()
    assert len(source) <= 60_000
    root = ET.fromstring(source)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    # The title is the turn's own name; the text tells the position, as `test_grids` and the tests below say of each kind.
    game = load_game(Archive(ROOT), path.parent.parent.name)
    data = load_turn(Archive(ROOT), game, path.parent.name).data
    assert title.text == data.phase
    if isinstance(game.ruleset.pictures.draw(data.position, None), ProvinceScene):
        counted = "" if path.parent.parent.name in RECORDS else r", \d+ supply centres"  # a record counts nobody
        assert re.search(rf"[A-Z][a-z]+{counted}: [AF] ", desc.text or "")
    assert (desc.text or "").endswith(".")
    assert b"<script" not in source
    assert b"http" not in source.replace(b"http://www.w3.org/2000/svg", b"")


def test_every_order_is_shown_with_its_sentence() -> None:
    path = ROOT / "games" / "first-lessons" / "001-spring-1901-movement" / "map.svg"
    titles = [element.text or "" for element in ET.parse(path).iter(f"{SVG}title")]
    assert (
        "A Munich - Burgundy bounced: strength 1 against strength 2 of A Paris, supported by A Marseilles, also bound there."
        in titles
    )
    assert "F Brest - Mid-Atlantic Ocean moved: nothing stood in its way." in titles
    assert "France: A Paris" in titles
    assert "Belgium, supply centre, nobody's" in titles


def test_the_same_position_gives_the_same_bytes() -> None:
    position = starting_position(Settings())
    assert render(draw(position, None)) == render(draw(position, None))


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


def test_powers_are_told_apart_without_colour() -> None:
    scene = RULESET.pictures.draw(starting_position(Settings()), None)
    letters = [side.letter for side in scene.sides.values()]
    assert len(set(letters)) == len(letters) == 7


def test_a_page_can_choose_the_colours() -> None:
    sheet = page_style()
    assert '[data-md-color-scheme="default"] .cm{--sea:#d7e8f3' in sheet
    assert '[data-md-color-scheme="slate"] .cm{--sea:#16222c' in sheet
    assert sheet.count("{") == sheet.count("}")


def test_a_chart_says_how_it_ended() -> None:
    sides = {"One": Side(1, "One", "O"), "Two": Side(2, "Two", "T")}
    svg = line_chart(Chart("Centres", "centres", ("1901", "1902"), {"One": (3, 5), "Two": (3, None)}), sides)
    desc = ET.fromstring(svg).find(f"{SVG}desc")
    assert desc is not None
    assert desc.text == "Centres, 1901 to 1902. At the last: One 5, Two 3."
    assert svg == line_chart(Chart("Centres", "centres", ("1901", "1902"), {"One": (3, 5), "Two": (3, None)}), sides)


def scenes() -> list[tuple[str, Any]]:
    """Every judged turn in the archive with a scene of provinces, and the scene."""
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
    """As many units as there can be, every one with its longest order."""
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
