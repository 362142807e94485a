"""The small boards of worked examples: their number, their content, and their small size."""

from __future__ import annotations

import functools
import html
import re
import shutil
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from markupsafe import escape
from playwright.sync_api import Browser

from adjudicator.core.contract.resolution import Example
from adjudicator.core.contract.ruleset import find
from adjudicator.core.files.disk import Disk
from adjudicator.mechanics.notation import Fault
from adjudicator.render.crop import AnyScene, can_crop, changed
from adjudicator.render.part import is_inside, name_box, part_of
from adjudicator.render.room import room_of
from adjudicator.render.scenes import HexScene, ProvinceScene
from adjudicator.render.text import width as text_width
from adjudicator.rulesets import diplomacy
from adjudicator.site.boards import FOLDER, Boards, boards_of, places_in
from adjudicator.site.mkdocs.publish import Handbook, _lay_out
from tests.conftest import first_of
from tests.site.conftest import opened, serious, until

PROVINCES = ("diplomacy", "al_andalus", "saga_of_the_nine")
WITH_BOARDS = (*PROVINCES, "grand_campaign")
MOST = {"diplomacy": 400_000, "al_andalus": 310_000, "saga_of_the_nine": 330_000, "grand_campaign": 640_000}
"""Maximum bytes of a rulebook's page, without the pictures that it loads when an example is opened."""
EXAMPLE = re.compile(r'<details class="courtly-example"><summary>Example: (.*?)</summary>(.*?)</details>', re.DOTALL)
IMAGE = re.compile(r'<img src="([^"]+)" alt="([^"]+)" width="(\d+)" height="(\d+)" loading="lazy"')
SVG = "{http://www.w3.org/2000/svg}"
SIZES = {
    "c": 16, "n": 16, "k": 0, "hl": 13, "gl": 17, "hnm": 11.5, "ht15": 15, "ht11": 11, "hpm": 12, "hq": 18, "hl2": 10.5,
}  # fmt: skip
"""Class of a text, or of its container -> the size of its letters."""


@functools.cache
def shown(slug: str) -> tuple[tuple[Example[Any, Any], dict[str, AnyScene]], ...]:
    """Every worked example of a ruleset with its boards."""
    rules = find(slug)
    return tuple((example, dict(boards_of(rules, example))) for example in rules.examples())


@functools.cache
def painted(slug: str) -> tuple[tuple[str, AnyScene, str], ...]:
    """Every board of a ruleset: its example, its scene, its picture; each picture once."""
    rules = find(slug)
    found: dict[str, tuple[str, AnyScene, str]] = {}
    for example, boards in shown(slug):
        for scene in boards.values():
            svg = rules.pictures.paint(scene)
            found.setdefault(svg, (example.id, scene, svg))
    return tuple(found.values())


def moves_something(slug: str, example: Example[Any, Any]) -> bool:
    """True if an example changes the pieces on the board or their owners."""
    draw = find(slug).pictures.draw
    before, after = draw(example.position, example.resolution), draw(example.resolution.position, None)
    assert can_crop(before)
    assert can_crop(after)
    return bool(changed(before, after))


@pytest.mark.parametrize("slug", WITH_BOARDS)
def test_an_example_that_moves_something_has_a_board_before_and_one_after(slug: str) -> None:
    for example, boards in shown(slug):
        assert (len(boards) == 2) is moves_something(slug, example), example.id


@pytest.mark.parametrize(
    ("slug", "two", "one"), [("diplomacy", 100, 40), ("al_andalus", 80, 9), ("saga_of_the_nine", 60, 15)]
)
def test_the_expected_number_of_examples_have_boards(slug: str, two: int, one: int) -> None:
    counts = [len(boards) for _, boards in shown(slug)]
    assert counts.count(2) >= two
    assert counts.count(1) >= one


def test_an_example_with_an_order_to_move_or_help_has_a_board() -> None:
    """Whatever the order's outcome: Diplomacy's notation finds each move, where its boards go by names."""
    for example, boards in shown("diplomacy"):
        field = diplomacy.field_of(example.position)
        read = [
            (line.order, field.notation.read(line.order)) for line in example.resolution.verdicts if not line.implied
        ]
        acts = [order for order, one in read if not isinstance(one, Fault) and re.search(r" (-|S|C) ", order)]
        if acts:
            assert boards, (example.id, acts)


@pytest.mark.parametrize("slug", WITH_BOARDS)
def test_every_board_describes_in_words_what_is_on_it(slug: str) -> None:
    for name, scene, svg in painted(slug):
        root = ET.fromstring(svg)
        title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
        assert title is not None, name
        assert title.text == scene.title, name
        assert desc is not None, name
        assert desc.text == scene.description, name
        assert scene.description == (
            "; ".join(token.title for token in scene.tokens) + "." if scene.tokens else "No unit."
        )
        assert svg.count("<title>") == 1, "an image shows no tooltips"


@pytest.mark.parametrize("slug", PROVINCES)
def test_a_board_holds_every_place_that_its_orders_name(slug: str) -> None:
    """With its name or its code, and with every piece that is there in either picture."""
    for example, boards in shown(slug):
        orders = [line.order for line in example.resolution.verdicts if not (line.idle or line.implied)]
        draw = find(slug).pictures.draw
        whole = (draw(example.position, example.resolution), draw(example.resolution.position, None))
        for scene, full in zip(boards.values(), whole, strict=False):
            assert isinstance(scene, ProvinceScene)
            assert isinstance(full, ProvinceScene)
            assert scene.frame is not None
            room = room_of(scene.outlines, tuple(scene.names.items()))
            part = part_of(room, scene.frame)
            named = places_in(scene, orders)
            assert named <= {*part.named}, example.id
            for place in named:
                x, y = room.outlines.anchor(place)
                assert is_inside((x - 20, y - 20, min(x + 20, room.outlines.size[0]), y + 20), scene.frame), (
                    example.id,
                    place,
                )
            there = {token for token in full.tokens if token.place.partition("/")[0] in named}
            assert there <= {*scene.tokens}, example.id
            assert {*scene.arrows} == {*full.arrows}, example.id
            assert {*scene.marks} == {*full.marks}, example.id


@pytest.mark.parametrize("slug", PROVINCES)
def test_names_and_codes_on_a_board_are_readable(slug: str) -> None:
    """At 340 pixels, the width on a phone and on half a page; a wide board at the size that it slides to."""
    for name, scene, _ in painted(slug):
        assert scene.frame is not None
        width = scene.frame[2]
        size = 16 if width <= 500 else 25
        assert size * (340 / width if width <= 640 else 0.5) > 10, name


def test_names_and_codes_are_read_as_places_and_courts_are_not() -> None:
    scene = next(boards for example, boards in shown("al_andalus") if example.id == "generals/leaves")["After"]
    assert places_in(scene, ["Court Seville", "Hire First Wazir"]) == set()
    assert places_in(scene, ["A Seville - Carmona"]) == places_in(scene, ["A SEV - CAR"]) != set()


def texts(
    node: ET.Element, inside: tuple[str, ...] = (), shift: tuple[float, float] = (0, 0)
) -> list[tuple[float, float, float, str]]:
    """Left, baseline, right and words of every text in a picture."""
    found = []
    classes = (*inside, *(node.get("class") or "").split())
    moved = re.match(r"translate\((-?[\d.]+)[ ,](-?[\d.]+)\)", node.get("transform") or "")
    if moved:
        shift = (shift[0] + float(moved[1]), shift[1] + float(moved[2]))
    if node.tag == f"{SVG}text":
        size = next((SIZES[name] for name in reversed(classes) if name in SIZES), 21)
        spans = [(span.get("x", "0"), span.text or "") for span in node.findall(f"{SVG}tspan") if span.get("x")]
        words = "".join(node.itertext())
        xs = (node.get("x") or "0").split()
        spans = spans or ([(x, word) for x, word in zip(xs, words, strict=False)] if len(xs) > 1 else [(xs[0], words)])
        ys = (node.get("y") or "0").split()
        for at, (x, said) in enumerate(spans):
            half = text_width(said, size) / 2
            middle, level = shift[0] + float(x), shift[1] + float(ys[min(at, len(ys) - 1)])
            found.append((middle - half, level, middle + half, said))
    for child in node:
        if child.tag != f"{SVG}defs":
            found += texts(child, classes, shift)
    return found


@pytest.mark.parametrize("slug", WITH_BOARDS)
def test_no_text_lies_outside_of_its_board(slug: str) -> None:
    for name, scene, svg in painted(slug):
        assert scene.frame is not None
        left, top, width, height = scene.frame
        for x, y, end, said in texts(ET.fromstring(svg)):
            assert left <= x + 2, (name, said)
            assert end - 2 <= left + width, (name, said)
            assert top <= y - 8, (name, said)
            assert y <= top + height, (name, said)


@pytest.mark.parametrize("slug", PROVINCES)
def test_names_on_a_board_do_not_touch_each_other(slug: str) -> None:
    """Nor a place's ring; codes that replace names are where phones show them."""
    for name, scene, _ in painted(slug):
        assert isinstance(scene, ProvinceScene)
        assert scene.frame is not None
        if scene.frame[2] > 500:
            continue
        room = room_of(scene.outlines, tuple(scene.names.items()))
        part = part_of(room, scene.frame)
        boxes = {code: name_box(room, code, far=False) for code in part.named if code in room.fits}
        for code, box in boxes.items():
            for other, there in boxes.items():
                apart = (
                    box[2] - 8 <= there[0] or there[2] - 8 <= box[0] or box[3] - 5 <= there[1] or there[3] - 5 <= box[1]
                )
                assert apart or code == other, (name, code, other)


@pytest.mark.parametrize("slug", first_of(WITH_BOARDS, 4))
def test_the_same_example_has_the_same_bytes(slug: str) -> None:
    rules = find(slug)
    one, other = Boards(rules), Boards(rules)
    for example in list(rules.examples())[:40]:
        assert str(one.figure(example)) == str(other.figure(example))
    assert one.files == other.files
    assert len(set(one.files.values())) == len(one.files)


def test_a_cropped_picture_needs_nothing_from_a_page() -> None:
    """No rule of its style sheet is for another width, or for a page around it."""
    for slug in WITH_BOARDS:
        for name, _, svg in painted(slug):
            assert "max-width" not in svg, name
            assert "data-md-color-scheme" not in svg, name
            assert "prefers-color-scheme:dark" in svg, name
            used = set(re.findall(r"var\((--[\w-]+)", svg))
            assert used <= set(re.findall(r"(--[\w-]+):", svg)), name


def test_each_realm_has_its_hatch_wherever_it_is_seen() -> None:
    """No letter names the owner of a hex, and no page has a switch for the hatches of an image."""
    for name, scene, svg in painted("grand_campaign"):
        assert isinstance(scene, HexScene)
        assert scene.standings == ()
        assert "@media print" not in svg, name
        for owner in {one.owner for one in scene.hexes if one.owner is not None}:
            slot = scene.sides[owner].slot
            assert f" .l{slot}{{fill:var(--g{slot})}}" in svg, name
            assert re.search(rf"--g{slot}:url\(#(h\w+-{slot})\);.*<pattern id=\"\1\"", svg, re.DOTALL), name


@pytest.mark.slow
@pytest.mark.parametrize("slug", WITH_BOARDS)
def test_the_page_shows_the_boards_of_every_example(slug: str, site: Path) -> None:
    page = (site / f"rulesets/{slug}.html").read_text(encoding="utf-8")
    wanted: dict[str, list[int]] = {}
    for example, boards in shown(slug):
        wanted.setdefault(str(escape(example.title)), []).append(len(boards))
    found: dict[str, list[int]] = {}
    files = set()
    for title, body in EXAMPLE.findall(page):
        images = IMAGE.findall(body)
        assert body.count("<img") == len(images), title
        found.setdefault(title, []).append(len(images))
        for address, alt, wide, high in images:
            picture = (site / "rulesets" / address).read_text(encoding="utf-8")
            assert f' {wide} {high}"' in picture[:300], address
            told = re.search(r"<title>(.*?)</title><desc>(.*?)</desc>", picture)
            assert told is not None
            assert html.unescape(alt).endswith(f"{html.unescape(told[1])}. {html.unescape(told[2])}"), title
            files.add(address)
    assert {title: sorted(counts) for title, counts in found.items()} == {
        title: sorted(counts) for title, counts in wanted.items()
    }
    assert {f"{slug}/{FOLDER}/{path.name}" for path in (site / f"rulesets/{slug}/{FOLDER}").iterdir()} == files


def test_a_changed_board_leaves_no_old_picture_behind(tmp_path: Path) -> None:
    """Pictures are named by their digests; otherwise a changed one would stay on a rebuilt site."""
    folder, site = tmp_path / "handbook", tmp_path / "public"
    handbook = Handbook(folder, {}, "https://courtly.example/", None, "Courtly", None, "")
    for name in ("one", "other"):
        (folder / f"rulesets/diplomacy/{FOLDER}").mkdir(parents=True)
        (folder / f"rulesets/diplomacy/{FOLDER}/{name}.svg").write_text(f"<svg>{name}</svg>")
        _lay_out(handbook, Disk(tmp_path), site)
        assert [path.name for path in site.rglob("*.svg")] == [f"{name}.svg"]
        shutil.rmtree(folder)


@pytest.mark.slow
def test_the_boards_keep_pages_small(site: Path) -> None:
    """The pages by themselves, and all pictures together."""
    for slug, most in MOST.items():
        assert (site / f"rulesets/{slug}.html").stat().st_size < most, slug
        for path in (site / f"rulesets/{slug}/{FOLDER}").iterdir():
            assert path.stat().st_size < 60_000, path.name
    assert not [*(site / "rulesets").glob(f"heir_apparent/{FOLDER}/*")]


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_boards_are_side_by_side_if_there_is_room(browser: Browser, address: str, width: int) -> None:
    with opened(browser, width) as page:
        page.goto(f"{address}rulesets/diplomacy.html")
        box = page.locator("details.courtly-example", has=page.locator("figure:not(.courtly-wide) + figure")).first
        assert (
            box.locator("img").first.evaluate(
                "(image) => image.complete && image.naturalWidth > 0 && image.currentSrc !== ''"
            )
            is False
        )
        box.locator("summary").click()
        until(page, "(image) => image.complete && image.naturalWidth > 0", arg=box.locator("img").last.element_handle())
        one, other = (box.locator("img").nth(at).bounding_box() for at in (0, 1))
        assert one is not None
        assert other is not None
        if width == 1280:
            assert one["y"] == other["y"]
            assert one["x"] + one["width"] < other["x"]
        else:
            assert one["x"] == other["x"]
            assert one["y"] + one["height"] < other["y"]
            assert one["x"] + one["width"] <= width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious(page, within="details[open]") == []
