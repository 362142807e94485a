"""UX-14. The board moves from turn to turn: along its arrows, to where the next board shows its units, and not at all for readers who want none of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from adjudicator.site.mkdocs.build import build
from tests.site.conftest import empty_site, opened, served, until

pytestmark = pytest.mark.slow

GAMES = {
    "austria-alone": "002-fall-1901-movement",
    "fighting-over-farna": "008-night-4",
    "the-amber-reach": "004-summer-of-year-1",
    "nine-courts": "005-spring-2-orders",
}
"""Games with units, and a turn when some of them move."""
TABLE = "the-heir-of-avermark"
LAYER = ".courtly-moving > svg"
BOARD = "document.querySelector('#replay .courtly-view > svg')"
HELD = """() => {
  const play = Animation.prototype.play;
  globalThis.heldMotion = [];
  Animation.prototype.play = function () { globalThis.heldMotion.push(this); };
  globalThis.goOn = () => { for (const one of globalThis.heldMotion.splice(0)) play.call(one); };
}"""
"""Animations stay at their first frame until `goOn`."""
WAYS = """() => {
  const number = (text) => text.match(/-?[0-9.]+/g).slice(0, 2).map(Number);
  return heldMotion.map((one) => {
    const frames = one.effect.getKeyframes().map((frame) => number(frame.transform));
    const board = document.querySelector("#replay .courtly-view > svg");
    const { x, y, width, height } = board.viewBox.baseVal;
    const scale = Math.min(board.clientWidth / width, board.clientHeight / height);
    const [left, top] = [(board.clientWidth - width * scale) / 2, (board.clientHeight - height * scale) / 2];
    const point = ([u, v]) => [(u - left) / scale + x, (v - top) / scale + y];
    const title = one.effect.target.querySelector("title").textContent;
    return { title, from: point(frames[0]), to: point(frames.at(-1)), most: one.effect.getTiming().duration };
  });
}"""
"""The moving parts: their start and end, in units of the board."""
UNITS = """() => [...document.querySelectorAll("#replay .courtly-view > svg :is(use.t, use.p, .tk use, rect.hk)")].map((sign) => {
  const group = sign.parentNode;
  const moved = /translate\\((-?[0-9.]+)[ ,]+(-?[0-9.]+)/.exec(group.getAttribute("transform") ?? "");
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(sign.getAttribute(name) ?? 0));
  return { title: group.querySelector("title")?.textContent, at: moved ? moved.slice(1).map(Number) : [x + width / 2, y + height / 2] };
})"""


@pytest.fixture(scope="module")
def site(plain_books: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = empty_site(tmp_path_factory.mktemp("motion"), [*GAMES, TABLE, "archive.yaml"])
    return build(folder, folder / "public").parent


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


def at_turn(page: Page, address: str, game: str, turn: str) -> None:
    """Opens a game's replay at a turn."""
    page.goto(f"{address}games/{game}/index.html#{turn}")
    until(page, "() => document.querySelector('#replay .courtly-view > :is(svg, img)')")


def apart(one: list[float], other: list[float]) -> float:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_units_go_to_where_the_next_board_shows_them(browser: Browser, address: str, game: str) -> None:
    """They begin where they are, and end where they will be; a unit that fails to move ends where it began."""
    with opened(browser, reduced_motion="no-preference") as page:
        at_turn(page, address, game, GAMES[game])
        page.evaluate(HELD)
        before = page.evaluate(UNITS)
        failed = page.evaluate(f"() => {BOARD}.querySelectorAll('g.a:not(.e) > .x').length")
        page.keyboard.press("ArrowRight")
        until(page, "() => globalThis.heldMotion.length")
        ways: list[dict[str, Any]] = page.evaluate(WAYS)
        assert page.locator(LAYER).count() == len(ways)
        page.evaluate("goOn()")
        until(page, f"() => !document.querySelector('{LAYER}')")
        after = page.evaluate(UNITS)
    stayed = 0
    for way in ways:
        start = [unit for unit in before if unit["title"] == way["title"]]
        assert any(apart(unit["at"], way["from"]) < 1 for unit in start), way
        back = apart(way["from"], way["to"]) < 1
        stayed += back
        tolerance = 40 if game == "the-amber-reach" else 1  # there, two armies in one hex lie aside of each other
        assert back or any(apart(unit["at"], way["to"]) < tolerance for unit in after), way
    assert len(ways) - stayed >= 2
    assert stayed >= min(failed, 1)


def test_the_board_is_that_of_the_turn_afterwards(browser: Browser, address: str) -> None:
    """Nothing of the motion stays: each board is the same as when a reader opens its turn."""
    game = "austria-alone"
    with opened(browser, reduced_motion="no-preference") as page:
        at_turn(page, address, game, GAMES[game])
        page.keyboard.press("ArrowRight")
        until(page, f"() => document.querySelector('{LAYER}')")
        until(page, f"() => !document.querySelector('{LAYER}') && location.hash.includes('winter-1901')")
        moved = page.evaluate(f"{BOARD}.outerHTML")
        turn = page.evaluate("location.hash.slice(1)")
    with opened(browser) as page:
        at_turn(page, address, game, turn)
        page.wait_for_timeout(100)
        assert page.evaluate(f"{BOARD}.outerHTML") == moved


def test_cards_are_turned(browser: Browser, address: str) -> None:
    with opened(browser, reduced_motion="no-preference") as page:
        at_turn(page, address, TABLE, "006-turn-1-actions")
        page.evaluate(HELD)
        seen = 0
        for _ in range(6):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(300)
            seen += page.evaluate("heldMotion.length")
            frames = page.evaluate(
                "heldMotion.flatMap((one) => one.effect.getKeyframes().map((frame) => frame.transform))"
            )
            assert all("translate(" in frame for frame in frames)
            page.evaluate("goOn()")
            until(page, f"() => !document.querySelector('{LAYER}')")
        assert seen


def test_two_quick_steps_go_two_turns(browser: Browser, address: str) -> None:
    game = "austria-alone"
    with opened(browser, reduced_motion="no-preference") as page:
        at_turn(page, address, game, "001-spring-1901-movement")
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        until(page, f"() => !document.querySelector('{LAYER}') && {BOARD}.textContent.includes('Spring 1902')")
        assert page.evaluate("location.hash").startswith("#004-")
        assert page.locator("#replay figcaption a").first.text_content() == "Spring 1902, movement"


def test_a_turns_page_moves_to_the_next(browser: Browser, address: str) -> None:
    with opened(browser, reduced_motion="no-preference") as page:
        page.goto(f"{address}games/austria-alone/002-fall-1901-movement/index.html")
        page.evaluate(HELD)
        page.keyboard.press("ArrowRight")
        until(page, "() => globalThis.heldMotion.length")
        page.evaluate("goOn()")
        until(page, f"() => !document.querySelector('{LAYER}') && document.title.includes('Winter 1901')")
        assert page.locator("#turn h1").text_content() == "Winter 1901, adjustments"


@pytest.mark.parametrize("way", ["wanted by the reader", "a step back", "a jump"])
def test_some_steps_do_not_move(browser: Browser, address: str, way: str) -> None:
    with opened(browser, reduced_motion="reduce" if way == "wanted by the reader" else "no-preference") as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        at_turn(page, address, "austria-alone", "002-fall-1901-movement")
        if way == "a jump":
            page.evaluate("location.hash = '#004-spring-1902-movement'")
        else:
            page.keyboard.press("ArrowLeft" if way == "a step back" else "ArrowRight")
        wanted = {"a step back": "Spring 1901", "a jump": "Spring 1902"}.get(way, "Winter 1901")
        until(page, f"() => {BOARD}.textContent.includes('{wanted}')")
        assert page.locator(LAYER).count() == 0
        assert "motion.js" not in asked


def test_pause_and_play_during_a_motion_give_one_run(browser: Browser, address: str) -> None:
    """Two runs would go twice as fast, and skip turns."""
    with opened(browser, reduced_motion="no-preference") as page:
        at_turn(page, address, "austria-alone", "001-spring-1901-movement")
        page.get_by_role("button", name="Play").click()
        until(page, f"() => document.querySelector('{LAYER}')")
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Play").click()
        seen: list[int] = []
        for _ in range(60):
            page.wait_for_timeout(50)
            seen.append(int(page.evaluate("document.querySelector('.courtly-slider input').value")))
        assert all(after - before in (0, 1) for before, after in itertools.pairwise(seen))
        assert seen[-1] <= 4
