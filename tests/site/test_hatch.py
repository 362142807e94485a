"""The switch that hatches each owner's land, in a real browser (FR-8)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import first_of
from tests.site.conftest import opened

pytestmark = pytest.mark.slow

TURN = "games/six-left-standing/024-fall-1906-movement/index.html"
LABEL = "Hatch each owner’s land"


def fill(page: Page) -> str:
    """Fill of the first power's land."""
    land = "#replay svg.cm .l1, #turn svg.cm .l1"
    said: str = page.evaluate(f"getComputedStyle(document.querySelector('{land}')).fill")
    return said


@pytest.mark.parametrize("scheme", first_of(["dark", "light"], 1))
def test_land_is_hatched_when_the_box_is_ticked_and_the_choice_is_remembered(
    browser: Browser, address: str, scheme: str
) -> None:
    """FR-8: off at first; other turns and a reload keep the reader's choice."""
    with opened(browser, color_scheme=scheme) as page:
        page.goto(address + TURN)
        box = page.get_by_label(LABEL)
        expect(box).not_to_be_checked()
        assert fill(page).startswith("rgb(")
        box.check()
        assert fill(page).startswith('url("#h')
        page.get_by_role("link", name="Fall 1906, retreats").click()
        expect(page.locator("h1")).to_have_text("Fall 1906, retreats")
        expect(box).to_be_checked()
        assert fill(page).startswith('url("#h')
        page.reload()
        expect(box).to_be_checked()
        box.uncheck()
        page.reload()
        expect(box).not_to_be_checked()
        assert fill(page).startswith("rgb(")


def test_land_is_hatched_without_script_and_always_in_print(browser: Browser, address: str) -> None:
    """FR-8."""
    with opened(browser, java_script_enabled=False) as page:
        page.goto(address + TURN)
        land = page.locator("svg.cm .l1").first
        plain = land.screenshot()
        page.get_by_label(LABEL).check()
        assert land.screenshot() != plain
    with opened(browser) as page:
        page.goto(address + TURN)
        page.emulate_media(media="print")
        assert fill(page).startswith('url("#h')
        expect(page.get_by_label(LABEL)).to_be_hidden()


def test_a_games_page_has_the_same_switch(browser: Browser, address: str) -> None:
    """UX-18: the choice held on pages of turns only."""
    with opened(browser) as page:
        page.goto(f"{address}games/six-left-standing/index.html#024-fall-1906-movement")
        page.get_by_label(LABEL).check()
        page.locator("#replay svg.cm").wait_for()
        assert fill(page).startswith('url("#h')
        page.get_by_role("button", name="Turn before").click()
        page.reload()
        expect(page.get_by_label(LABEL)).to_be_checked()
        page.locator("#replay svg.cm").wait_for()
        assert fill(page).startswith('url("#h')


def test_estates_have_no_such_switch(browser: Browser, address: str) -> None:
    """A letter on each plot names its owner."""
    with opened(browser) as page:
        for where in ("014-night-7/index.html", "index.html"):
            page.goto(f"{address}games/fighting-over-farna/{where}")
            expect(page.get_by_label(LABEL)).to_have_count(0)
