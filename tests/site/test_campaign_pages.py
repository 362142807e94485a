"""A campaign's pages in a browser: hiding layers of its map, stepping through the clock, relations over time."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.site.conftest import opened, serious

pytestmark = pytest.mark.slow

TURN = "games/the-amber-reach/013-summer-of-year-2/index.html"
LAYERS = ["Realms", "Roads", "Movement", "Armies and parties", "Battles"]


@pytest.mark.long
def test_every_layer_of_the_map_can_be_hidden(browser: Browser, address: str) -> None:
    """Without a script too: each box hides only its layer, and shows it again."""
    with opened(browser, 390, 844, java_script_enabled=False) as page:
        page.goto(address + TURN)
        shown = page.locator(".courtly-board [data-layer]")
        assert shown.evaluate_all("all => all.map((one) => one.dataset.layer)") == LAYERS
        for name in LAYERS:
            page.get_by_role("checkbox", name=name, exact=True).uncheck()
            assert shown.evaluate_all(
                "all => all.filter((one) => getComputedStyle(one).display === 'none').map((one) => one.dataset.layer)"
            ) == [name]
            page.get_by_role("checkbox", name=name, exact=True).check()


def test_the_clock_can_be_stepped_through_tick_by_tick(browser: Browser, address: str) -> None:
    """Each tick lights exactly the hexes that its sentence names."""
    with opened(browser, 1280, 900) as page:
        page.goto(address + TURN)
        steps = page.locator(".courtly-stepper")
        lit = page.locator(".courtly-view .courtly-here")
        expect(lit).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        for _ in range(3):
            steps.get_by_role("button", name="Next tick").click()
            told = steps.locator("output").inner_text()
            named = {*re.findall(r"\b\d{4}\b", told)}
            assert named
            titles = page.locator(".courtly-view .courtly-here title").all_text_contents()
            assert {title[:4] for title in titles} == named
        assert serious(page, within=".courtly-stepper") == []


def test_relations_are_shown_over_time(browser: Browser, address: str) -> None:
    """A bar for each war and alliance, and a table with equal content."""
    with opened(browser, 390, 844) as page:
        page.goto(address + "games/the-amber-reach/treaties.html")
        figure = page.locator("figure", has=page.locator("svg")).first
        assert "Aveline and Cosima: war" in figure.inner_text()
        expect(page.locator("summary", has_text="Relations when each season opened")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_phone_shows_numbers_in_a_close_view(browser: Browser, address: str) -> None:
    """F15: messages use numbers of hexes; at 390 pixels the whole map is too small for them, a closer view is not."""
    with opened(browser, 390, 844) as page:
        page.goto(address + TURN)
        numbers = page.locator(".courtly-view .hl2")
        expect(numbers).to_be_hidden()
        page.locator(".courtly-tools").get_by_role("button", name="Larger board").click()
        expect(numbers).to_be_visible()
