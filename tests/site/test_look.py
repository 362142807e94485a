"""The look: pages of the theme and the order desk have the same colours; boards fit the window, and a lit order is easy to see."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.conftest import ROOT
from tests.site.conftest import opened, until

ASSETS = ROOT / "site_src/assets"
SAME = {
    "--courtly-paper": "--paper",
    "--courtly-raised": "--card",
    "--courtly-ink": "--ink",
    "--courtly-good": "--good",
    "--courtly-bad": "--bad",
    "--courtly-press": "--main",
    "--courtly-title": "--title",
    "--md-typeset-a-color": "--link",
}
"""A variable of the theme's pages -> the desk's."""


def values(file: str, *selectors: str) -> dict[str, str]:
    """The variables that a style sheet sets in its first rules with these selectors."""
    text = (ASSETS / file).read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for selector in selectors:
        rule = re.search(rf"^{re.escape(selector)} \{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
        assert rule, (file, selector)
        found |= dict(re.findall(r"^  (--[\w-]+): (.*);$", rule[1], re.MULTILINE))
    return found


@pytest.mark.parametrize(
    ("pages", "desk"),
    [
        (values("courtly.css", ":root", '[data-md-color-scheme="default"]'), values("desk.css", ":root")),
        (values("courtly.css", '[data-md-color-scheme="slate"]'), values("dark.css", ":root")),
    ],
    ids=["light", "dark"],
)
def test_pages_and_desk_have_the_same_colours(pages: dict[str, str], desk: dict[str, str]) -> None:
    shared = {name: pages[name] for name in SAME if name in pages}
    assert len(shared) >= 7
    assert shared == {name: desk[SAME[name]] for name in shared}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["austria-alone", "nine-courts", "the-amber-reach"])
def test_the_board_of_a_game_fits_the_window_with_its_slider(browser: Browser, address: str, game: str) -> None:
    """UX-14. It began at half the window's height, and ended a third below it."""
    with opened(browser, width=1440, height=900) as page:
        page.goto(f"{address}games/{game}/index.html")
        until(page, "() => document.querySelector('.courtly-slider')")
        slider = page.locator(".courtly-slider").bounding_box()
        board = page.locator("#replay .courtly-view").bounding_box()
        assert slider is not None
        assert board is not None
        assert slider["y"] < board["y"] < 260
        assert board["y"] + board["height"] <= 900


@pytest.mark.slow
def test_a_lit_order_is_broader_and_the_others_stay_visible(browser: Browser, address: str) -> None:
    """UX-15. All other arrows vanished, and the lit one looked as before."""
    stroke = "(path) => parseFloat(getComputedStyle(path).strokeWidth)"
    with opened(browser, width=1440) as page:
        page.goto(f"{address}games/austria-alone/002-fall-1901-movement/index.html")
        row = page.locator(".courtly-orders li", has_text="F Albania - Greece")
        arrow = page.locator("#turn svg g.a", has=page.locator("title", has_text="F Albania - Greece moved"))
        path = arrow.locator("path:not(.g)").first
        before = path.evaluate(stroke)
        row.click()
        until(page, "() => document.querySelector('#turn svg .courtly-lit')")
        page.wait_for_timeout(300)
        assert path.evaluate(stroke) > 1.5 * before
        shown = page.locator("#turn svg .courtly-drawn:not(.courtly-lit)").evaluate_all(
            "(all) => all.map((one) => Number(getComputedStyle(one).opacity))"
        )
        assert len(shown) > 10
        assert all(0.15 <= opacity <= 0.5 for opacity in shown)


@pytest.mark.slow
def test_every_dialog_has_a_name(site: Path) -> None:
    """UX-21. The theme's search has none, on any page."""
    dialogs = [
        tag
        for page in site.rglob("*.html")
        for tag in re.findall(r'<[^>]*role="dialog"[^>]*>', page.read_text(encoding="utf-8"))
    ]
    assert len(dialogs) > 300
    assert {"aria-label=" in tag for tag in dialogs} == {True}
