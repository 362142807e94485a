"""A study: a link that holds a turn, its lit orders and a note. Everything is in the address, and a stranger's note stays text."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.site.conftest import opened, until

pytestmark = pytest.mark.slow

TURN = "games/austria-alone/002-fall-1901-movement/index.html"
ROWS = ".courtly-orders li"
LIT = "() => [...document.querySelectorAll('.courtly-orders li')].flatMap((row, at) => row.classList.contains('courtly-lit') ? [at] : [])"


def make(page: Page, rows: list[int], note: str) -> str:
    """Makes a study of these orders, and returns its link."""
    page.get_by_text("Share this board").click()
    for row in rows:
        page.locator(ROWS).nth(row).click()
    page.get_by_label("A note for the study").fill(note)
    page.get_by_role("button", name="Copy the link").click()
    until(page, "() => document.querySelector('.courtly-study output').textContent")
    return page.url


def test_a_link_shows_the_orders_and_the_note(browser: Browser, address: str) -> None:
    with opened(browser, width=1440) as page:
        page.goto(address + TURN)
        link = make(page, [0, 2], "Why Rumania?\nTwo against two. <b>x</b> & 100%")
        assert page.evaluate(LIT) == [0, 2]
    with opened(browser, width=1440) as page:
        page.goto(link)
        until(page, f"() => ({LIT})().length === 2")
        assert page.evaluate(LIT) == [0, 2]
        note = page.locator(".courtly-note")
        assert note.inner_text().startswith("Why Rumania?\nTwo against two. <b>x</b> & 100%\n")
        assert "not a part of this game’s archive" in note.inner_text()
        assert note.locator("b").count() == 0
        page.keyboard.press("ArrowRight")
        until(page, "() => document.title.includes('Winter 1901')")
        assert page.locator(".courtly-note").count() == 0


def test_a_second_tap_takes_an_order_out_of_the_study(browser: Browser, address: str) -> None:
    with opened(browser, width=1440) as page:
        page.goto(address + TURN)
        assert make(page, [0, 1, 0], "").endswith("#lit=1")


@pytest.mark.parametrize(
    "fragment",
    [
        "lit=99999.x.-1.1e3&note=",
        "lit=&note=%3Cimg%20src=x%20onerror=alert(1)%3E",
        "lit=0.0.0",
        "%",
        "note=" + "a" * 5000,
    ],
)
def test_any_address_is_harmless(browser: Browser, address: str, fragment: str) -> None:
    """Links come from strangers."""
    with opened(browser, width=1440) as page:
        page.goto(f"{address}{TURN}#{fragment}")
        until(page, "() => document.querySelector('.courtly-study')")
        assert page.locator(".courtly-told img").count() == 0
        shown = page.locator(".courtly-note").all_inner_texts()
        assert all(len(text) < 400 for text in shown)
        assert set(page.evaluate(LIT)) <= {0, 1}
