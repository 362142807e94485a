"""A phone: boards whose letters can be read, a step that is in view, and a frame that stays when the phone is turned (UX-7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from adjudicator.core.contract.ruleset import slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.load import load_game
from tests.site.conftest import opened, until

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
LETTERS = """() => {
  const board = document.querySelector(".courtly-whole .courtly-view > svg");
  const scale = board.getScreenCTM().a;
  const seen = [...board.querySelectorAll("text")].filter((text) => text.getClientRects().length);
  return seen.map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
}"""
"""Sizes of all letters on the board that fills the screen, in CSS pixels."""
FILLS = """() => {
  const view = document.querySelector(".courtly-whole .courtly-view").getBoundingClientRect();
  const board = document.querySelector(".courtly-whole .courtly-view > svg");
  const { x, y, width, height } = board.viewBox.baseVal;
  const corner = (u, v) => new DOMPoint(u, v).matrixTransform(board.getScreenCTM());
  const [one, other] = [corner(x, y), corner(x + width, y + height)];
  return one.x <= view.left + 1 && one.y <= view.top + 1 && other.x >= view.right - 1 && other.y >= view.bottom - 1;
}"""
"""Whether the board covers the whole frame."""
MIDDLE = """() => {
  const view = document.querySelector(".view");
  return [(view.scrollLeft + view.clientWidth / 2) / view.scrollWidth, (view.scrollTop + view.clientHeight / 2) / view.scrollHeight];
}"""


@pytest.fixture(scope="module")
def turns(root: Path) -> dict[str, str]:
    """Ruleset -> the page of a turn of one of its games."""
    archive = Archive(root)
    found: dict[str, str] = {}
    for slug in archive.slugs():
        game = load_game(archive, slug)
        names = archive.turns(slug)
        if len(names) > 8:
            found.setdefault(game.ruleset.about.slug, f"games/{game.name}/{names[7]}/index.html")
    return found


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    with opened(browser, **PHONE) as page:
        # A window that fills the screen cannot be turned by a test: the board fills the window instead.
        page.add_init_script("Element.prototype.requestFullscreen = undefined")
        yield page


@pytest.mark.parametrize("slug", slugs())
def test_after_one_tap_on_full_screen_every_letter_can_be_read(
    phone: Page, address: str, turns: dict[str, str], slug: str
) -> None:
    """Nothing below 9 pixels, and no empty room while there is board to show, upright and turned."""
    phone.goto(f"{address}{turns[slug]}")
    phone.get_by_role("button", name="Full screen").tap()
    until(phone, f"() => Math.min(...({LETTERS})()) >= 9")
    assert phone.evaluate(FILLS)
    phone.set_viewport_size({"width": 844, "height": 390})
    until(phone, f"() => innerWidth === 844 && Math.min(...({LETTERS})()) >= 9")
    phone.get_by_role("button", name="Close").tap()
    assert phone.locator(".courtly-whole[open]").count() == 0


def test_escape_leaves_the_board_as_it_was(phone: Page, address: str, turns: dict[str, str]) -> None:
    phone.goto(f"{address}{turns['diplomacy']}")
    phone.get_by_role("button", name="Full screen").tap()
    until(phone, f"() => Math.min(...({LETTERS})()) >= 9")
    phone.keyboard.press("f")
    assert not phone.evaluate("document.getElementById('__search').checked"), "the search lies behind the board"
    phone.keyboard.press("Escape")
    until(phone, "() => !document.querySelector('.courtly-whole[open]') && !document.querySelector('.courtly-near')")


def test_the_whole_board_is_one_tap_away(phone: Page, address: str, turns: dict[str, str]) -> None:
    phone.goto(f"{address}{turns['diplomacy']}")
    phone.get_by_role("button", name="Full screen").tap()
    until(phone, f"() => Math.min(...({LETTERS})()) >= 9")
    phone.get_by_role("button", name="Show the whole board").tap()
    until(phone, "() => !document.querySelector('.courtly-whole .courtly-near')")


def test_the_step_of_a_lesson_is_above_the_board_and_stays_in_view(phone: Page, address: str) -> None:
    """UX-16. The step was below the board, and out of view."""
    phone.goto(f"{address}desk.html#lesson/diplomacy/first")
    step = phone.locator(".left > .now")
    until(phone, "() => document.querySelector('.left > .now')?.textContent.startsWith('Step 1 of ')")
    board = phone.locator(".view").bounding_box()
    place = step.bounding_box()
    assert board is not None
    assert place is not None
    assert place["y"] + place["height"] <= board["y"]
    assert place["y"] < PHONE["height"]
    phone.evaluate("scrollTo(0, 900)")
    until(phone, "() => scrollY > 300 && document.querySelector('.left > .now').getBoundingClientRect().top < 30")
    assert step.is_visible()


def test_a_turned_phone_shows_the_same_part_of_the_map(phone: Page, address: str) -> None:
    """UX-8. It showed Norway where it had shown Austria, on a map twice as tall as the window."""
    phone.goto(f"{address}desk.html#lesson/diplomacy/first")
    until(phone, "() => document.querySelector('.view')?.classList.contains('near')")
    phone.wait_for_timeout(200)
    before = phone.evaluate(MIDDLE)
    phone.set_viewport_size({"width": 844, "height": 390})
    until(phone, "() => document.querySelector('.view').clientWidth > 500")
    phone.wait_for_timeout(200)
    assert phone.evaluate(MIDDLE) == pytest.approx(before, abs=0.02)
    assert phone.evaluate("document.querySelector('.view').offsetHeight") <= 390 - 58
    phone.set_viewport_size({"width": 390, "height": 844})
    until(phone, "() => document.querySelector('.view').clientWidth < 400")
    phone.wait_for_timeout(200)
    assert phone.evaluate(MIDDLE) == pytest.approx(before, abs=0.02)


@pytest.mark.parametrize("slug", slugs())
def test_a_board_fits_on_a_printed_page(browser: Browser, address: str, turns: dict[str, str], slug: str) -> None:
    """UX-10. A table of cards was taller than the paper: a heading, an empty page, and the table on two pages."""
    with opened(browser, width=794, height=1123) as page:
        page.goto(f"{address}{turns[slug]}")
        page.emulate_media(media="print")
        millimetre = 96 / 25.4
        tall = page.evaluate("document.querySelector('#turn .courtly-view > svg').getBoundingClientRect().height")
        assert 40 < tall / millimetre <= 231
