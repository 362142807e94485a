"""The look: pages of the theme and the order desk take their colours from one sheet; boards fit the window, and a lit order is easy to see."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser

from adjudicator.site.mkdocs.slim import bare
from tests.conftest import ROOT
from tests.site.conftest import opened, until

ASSETS = ROOT / "site_src/assets"
SHEETS = sorted(ASSETS.glob("*.css"))
THEMES = {
    "--md-primary-fg-color--light",
    "--md-primary-fg-color--dark",
    "--md-primary-bg-color",
    "--md-default-fg-color--light",
}
CODE = {"--md-code-hl-number-color", "--md-code-hl-constant-color"}
"""Colours that only the theme uses."""
SVG = {".courtly-view .courtly-here", ".view .marks"}
"""Marks on a picture, with its own colours."""
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\((?!0, 0, 0)")
"""Every literal colour but black, which shadows are."""


def test_every_colour_and_typeface_stands_in_one_sheet() -> None:
    for sheet in SHEETS:
        if sheet.name == "tokens.css":
            continue
        text = sheet.read_text(encoding="utf-8")
        assert "@font-face" not in text, sheet.name
        for line in text[: text.index("@media print")].splitlines() if "@media print" in text else text.splitlines():
            if COLOUR.search(line) and "url(" not in line:
                names = set(re.findall(r"(--[\w-]+): ?(?:#|hsl|rgb)", line))
                assert (names and names <= THEMES | CODE) or line.startswith(tuple(SVG)), (sheet.name, line)


def test_every_token_is_used_and_every_used_one_is_there() -> None:
    there = set(
        re.findall(r"^  (--courtly-[\w-]+):", (ASSETS / "tokens.css").read_text(encoding="utf-8"), re.MULTILINE)
    )
    used = set()
    for sheet in SHEETS:
        used |= set(re.findall(r"var\((--courtly-[\w-]+)\)", sheet.read_text(encoding="utf-8")))
    assert len(there) >= 15
    assert used == there


def test_published_sheets_have_no_comments_and_the_same_rules() -> None:
    for sheet in SHEETS:
        text = sheet.read_text(encoding="utf-8")
        assert "/*" in text, sheet.name
        left = bare(text)
        assert "/*" not in left
        assert left.count("{") == re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).count("{")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_desk_and_frame_have_the_same_colours_by_day_and_by_night(
    browser: Browser, address: str, scheme: Literal["light", "dark"]
) -> None:
    """A press of the button turns the theme's pages and the desk; without one the system decides, and paper is always light."""
    reads = "() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    paper = {"light": "rgb(251, 248, 241)", "dark": "rgb(27, 29, 36)"}
    with opened(browser, width=1000, height=800, color_scheme=scheme) as page:
        for where in ("index.html", "desk.html", "dice-check.html", "embed.html"):
            page.goto(f"{address}{where}")
            until(page, f"() => ({reads})()[0] === '{paper[scheme]}'")
        page.goto(f"{address}desk.html")
        other: Literal["light", "dark"] = "light" if scheme == "dark" else "dark"
        while page.evaluate(reads)[0] != paper[other]:
            page.locator("#theme").click()
        page.goto(f"{address}play.html")
        until(page, f"() => ({reads})()[0] === '{paper[other]}'")
        page.emulate_media(media="print")
        assert page.evaluate("() => getComputedStyle(document.body).colorScheme") == "light"


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
