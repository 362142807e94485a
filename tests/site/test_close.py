"""Zooming into boards: by two fingers, taps, the wheel, the mouse, keys and buttons; on the whole screen."""

from __future__ import annotations

from itertools import count
from time import time
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.conftest import first_of
from tests.site.conftest import opened, serious, still, until

pytestmark = pytest.mark.slow

FALL = "games/austria-alone/023-fall-1906-movement/index.html"
GAME = "games/austria-alone/index.html"
BOTH = pytest.mark.parametrize("name", first_of([GAME, FALL], 1))
SCALE = """
() => {
  const [picture] = document.querySelector(".courtly-view").children;
  const { a, e, f } = new DOMMatrix(getComputedStyle(picture).transform);
  return [a, e, f].map((number) => Math.round(number * 100) / 100);
}
"""
FILLS_WIDTH = """
() => {
  const [picture] = document.querySelector(".courtly-view").children;
  const { width, height } = picture.viewBox?.baseVal ?? { width: picture.getAttribute("width"), height: picture.getAttribute("height") };
  return picture.clientWidth / width <= picture.clientHeight / height;
}
"""
SMALLEST = """
() => {
  const board = document.querySelector(".courtly-view svg");
  const shown = [...board.querySelectorAll("text")].filter((text) => getComputedStyle(text).display !== "none" && text.getBoundingClientRect().width);
  const size = (text) => parseFloat(getComputedStyle(text).fontSize) * Math.abs(text.getScreenCTM().a);
  return Math.min(...shown.map(size));
}
"""


def frame(page: Page) -> tuple[float, float, float, float]:
    """Where the board's frame is once it stops moving: left, top, width, height."""
    page.wait_for_load_state("networkidle")  # the slider comes with the list of turns, above the board
    page.locator(".courtly-view").scroll_into_view_if_needed()
    still(page, ".courtly-view")
    box = page.locator(".courtly-view").bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


BEGUN, CLOCK = time(), count()
"""Times of finger actions, in hundredths of a second: however slow the machine is, two taps are close together."""


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    """Finger actions, as the system reports them to the browser."""
    fingers: list[Any] = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
    when = BEGUN + next(CLOCK) / 100
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers, "timestamp": when})


def scale(page: Page) -> list[float]:
    """Zoom factor of the board and its shift, across and down, once it has stopped moving."""
    still(page, ".courtly-view")
    found: list[float] = page.evaluate(SCALE)
    return found


@BOTH
def test_fingers_zoom_and_move_the_board_on_a_phone(browser: Browser, address: str, name: str) -> None:
    """FR-9."""
    with opened(browser, 390, 844, has_touch=True, is_mobile=True) as page:
        page.goto(address + name)
        page.wait_for_selector(".courtly-tools")
        left, top, width, height = frame(page)
        session = page.context.new_cdp_session(page)
        x, y = left + width / 2, top + height / 2
        assert scale(page) == [1, 0, 0]
        touch(session, "touchStart", (x - 20, y), (x + 20, y))
        for apart in (30, 40, 50, 60):
            touch(session, "touchMove", (x - apart, y), (x + apart, y))
        touch(session, "touchEnd")
        zoom, across, down = scale(page)
        assert zoom == pytest.approx(3, abs=0.05)
        assert (across, down) == pytest.approx((-width, -height), abs=3), "the middle stayed in the middle"
        assert page.evaluate("visualViewport.scale") == 1
        scrolled = page.evaluate("scrollY")
        touch(session, "touchStart", (x, y))
        for way in (10, 30, 50):
            touch(session, "touchMove", (x + way, y + way))
        touch(session, "touchEnd")
        moved = scale(page)
        assert moved == pytest.approx([zoom, across + 50, down + 50], abs=3)
        assert page.evaluate("scrollY") == scrolled, "the page stayed"
        for _ in range(2):
            touch(session, "touchStart", (x, y))
            touch(session, "touchEnd")
        assert scale(page) == [1, 0, 0]
        for _ in range(2):
            touch(session, "touchStart", (left + 30, top + 30))
            touch(session, "touchEnd")
        zoom, across, down = scale(page)
        assert zoom == pytest.approx(0.75 * max(1600 / width, 1492 / height), abs=0.01)
        assert (across, down) == pytest.approx((30 - 30 * zoom,) * 2, abs=3), "what was tapped stayed under the finger"
        page.get_by_role("button", name="Show the whole board").click()
        assert scale(page) == [1, 0, 0]


@pytest.mark.parametrize(
    "game",
    first_of(
        [
            "fighting-over-farna/020-night-10",
            "austria-alone/023-fall-1906-movement",
            "the-wazirs-of-1080/004-spring-1081-movement",
        ],
        1,
    ),
)
def test_text_on_a_phone_is_at_least_nine_pixels_high_after_a_tap(browser: Browser, address: str, game: str) -> None:
    """FR-9. And a unit is at least 22 px wide."""
    with opened(browser, 390, 844) as page:
        page.goto(f"{address}games/{game}/index.html")
        left, top, width, height = frame(page)
        page.mouse.dblclick(left + width / 2, top + height / 2)
        assert 3 < page.evaluate(SCALE)[0] < 4
        assert page.evaluate(SMALLEST) >= 9


@pytest.mark.long
@BOTH
def test_wheel_mouse_keys_and_buttons_zoom_and_move_the_board(browser: Browser, address: str, name: str) -> None:
    """FR-9."""
    with opened(browser) as page:
        page.goto(address + name)
        left, top, width, height = frame(page)
        page.mouse.move(left + 10, top + 10)
        page.mouse.wheel(0, 1)
        assert page.evaluate(SCALE)[0] == 1, "without Ctrl the page scrolls"
        page.evaluate("scrollTo(0, 0)")
        left, top, width, height = frame(page)
        # In a frame wider than the picture, a board that does not fill it yet stays in the middle, and likewise in a higher one.
        fills_width = page.evaluate(FILLS_WIDTH)
        spot = (width / 4, height / 2) if fills_width else (width / 2, height / 4)
        page.mouse.move(left + spot[0], top + spot[1])
        page.keyboard.down("Control")
        for _ in range(4):
            page.mouse.wheel(0, -100)
        page.keyboard.up("Control")
        until(page, f"({SCALE})()[0] > 2.7")
        zoom, across, down = page.evaluate(SCALE)
        assert (across, down) == pytest.approx((spot[0] * (1 - zoom), spot[1] * (1 - zoom)), abs=3)
        page.mouse.down()
        page.mouse.move(left + spot[0] - 40, top + spot[1] - 30, steps=4)
        page.mouse.up()
        assert page.evaluate(SCALE) == pytest.approx([zoom, across - 40, down - 30], abs=1)
        assert page.url == address + name, "what was dragged was not clicked"
        expect(page.locator(".courtly-told .courtly-lit")).to_have_count(0)
        view = page.locator(".courtly-view")
        view.press("0")
        assert page.evaluate(SCALE) == [1, 0, 0]
        view.press("+")
        view.press("+")
        assert page.evaluate(SCALE)[0] == 2.25
        arrow, side, size = ("ArrowRight", 1, width) if fills_width else ("ArrowDown", 2, height)
        view.press(f"Shift+{arrow}")
        assert page.evaluate(SCALE)[side] == pytest.approx(-0.625 * size - size / 4, abs=1)
        view.press("-")
        assert page.evaluate(SCALE)[0] == 1.5
        for _ in range(5):
            page.get_by_role("button", name="Larger board").click()
        assert page.evaluate(SCALE)[0] == 8
        expect(page.get_by_role("button", name="Larger board")).to_have_attribute("aria-disabled", "true")
        left, top, width, height = frame(page)
        page.mouse.dblclick(left + width / 2, top + height / 2)
        assert page.evaluate(SCALE) == [1, 0, 0]


@pytest.mark.long
def test_a_seats_last_board_can_be_zoomed_too(browser: Browser, address: str) -> None:
    """FR-9. It has no turns to go on to; without JavaScript only the picture remains."""
    seat = f"{address}games/fighting-over-farna/seat-anise.html"
    with opened(browser, 390, 844) as page:
        page.goto(seat)
        page.locator(".courtly-view").press("+")
        assert page.evaluate(SCALE)[0] == 1.5
        page.get_by_role("button", name="Full screen").click()
        expect(page.locator("dialog .courtly-view > svg")).to_be_visible()
        expect(page.locator("dialog").get_by_role("button", name="Next turn")).to_have_count(0)
        page.get_by_role("button", name="Close").click()
        expect(page.locator("figure.courtly-map .courtly-view > svg")).to_be_visible()
    with opened(browser, 390, 844, java_script_enabled=False) as page:
        page.goto(seat)
        expect(page.locator("figure.courtly-map > svg")).to_be_visible()


def test_the_view_stays_the_same_from_turn_to_turn(browser: Browser, address: str) -> None:
    """FR-9. Arrows go on while the board has the focus."""
    with opened(browser) as page:
        page.goto(address + FALL)
        page.locator(".courtly-view").press("+")
        page.locator(".courtly-view").press("Shift+ArrowUp")
        seen = page.evaluate(SCALE)
        page.locator(".courtly-view").press("ArrowRight")
        expect(page.locator("h1")).to_have_text("Fall 1906, retreats")
        assert page.evaluate(SCALE)[0] == seen[0] == 1.5
        page.goto(address + GAME)
        page.locator(".courtly-view").press("+")
        page.locator(".courtly-view").press("ArrowLeft")
        expect(page.locator("#replay svg > title").first).to_have_text("Fall 1908, retreats")
        assert page.evaluate(SCALE)[0] == 1.5


@BOTH
@pytest.mark.parametrize(("width", "height"), first_of([(390, 844), (1440, 900)], 1))
def test_a_board_can_fill_the_screen_and_go_through_turns_there(
    browser: Browser, address: str, name: str, width: int, height: int
) -> None:
    """FR-9."""
    with opened(browser, width, height) as page:
        page.goto(address + name)
        page.get_by_role("button", name="Full screen").click()
        whole = page.locator("dialog.courtly-whole")
        expect(whole).to_be_visible()
        until(page, "document.fullscreenElement")
        left, top, across, down = frame(page)
        size = page.evaluate("[innerWidth, innerHeight]")
        assert (left, top) < (10, 10)
        assert across > size[0] - 20
        assert down > size[1] - 130
        before = whole.locator("output").inner_text()
        whole.get_by_role("button", name="Turn before").click()
        expect(whole.locator("output")).not_to_have_text(before)
        expect(whole.locator(".courtly-view > svg > title")).to_have_text(whole.locator("output").inner_text())
        page.keyboard.press("ArrowLeft")
        expect(whole.locator(".courtly-board")).to_have_count(1)
        page.mouse.move(width / 2, height / 3)
        page.mouse.wheel(0, -100)
        until(page, f"({SCALE})()[0] > 1.2")
        assert serious(page, within="dialog") == []
        page.get_by_role("button", name="Close").click()
        expect(whole).to_be_hidden()
        expect(page.locator("figure.courtly-map > .courtly-board")).to_have_count(1)
        until(page, "!document.fullscreenElement")
        page.get_by_role("button", name="Full screen").click()
        expect(whole).to_be_visible()
        page.keyboard.press("Escape")
        expect(whole).to_be_hidden()
        expect(page.locator("figure.courtly-map > .courtly-board")).to_have_count(1)


@BOTH
def test_the_board_is_unchanged_without_javascript_and_in_print(browser: Browser, address: str, name: str) -> None:
    """FR-9."""
    with opened(browser, 390, 844, java_script_enabled=False) as page:
        page.goto(address + name)
        expect(page.locator(".courtly-view > svg, .courtly-view > a > img")).to_be_visible()
        expect(page.locator(".courtly-tools")).to_have_count(0)
    with opened(browser) as page:
        page.goto(address + name)
        page.locator(".courtly-view").press("+")
        page.emulate_media(media="print")
        expect(page.locator(".courtly-tools")).to_be_hidden()
        expect(page.locator(".courtly-save")).to_be_hidden()
        assert page.evaluate(SCALE) == [1, 0, 0]


@pytest.mark.long
def test_a_board_moves_at_once_for_readers_who_asked_for_less_motion(browser: Browser, address: str) -> None:
    """FR-9."""
    lasts = "() => getComputedStyle(document.querySelector('.courtly-view').firstElementChild).transitionDuration"
    for motion, told in (("reduce", "0s"), ("no-preference", "0.15s")):
        with opened(browser, reduced_motion=motion) as page:
            page.goto(address + FALL)
            page.locator(".courtly-view").press("+")
            assert page.evaluate(lasts) == told
