"""The referee's page of a campaign in a browser: copying rulings at a tap, reports side by side, one printed sheet per battle."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from adjudicator.site.mkdocs.build import build
from tests.site.campaign_table import DISPUTED, GAME, begin, judge
from tests.site.conftest import COLOURS, empty_site, opened, serious, served

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site of a campaign with a disputed battle."""
    folder = empty_site(tmp_path_factory.mktemp("referee"))
    judge(begin(folder), DISPUTED)
    with served(build(folder, folder / "public").parent) as address:
        yield f"{address}games/{GAME}/referee.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tap_copies_a_ruling(browser: Browser, table: str, scheme: str) -> None:
    """F5: the theme's button beside each ruling copies the whole file, and the page shows where it belongs."""
    with opened(browser, 390, 844, color_scheme=scheme, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(table)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        section = page.locator("section", has=page.get_by_role("heading", name="B2: reports"))
        expect(section).to_contain_text(f"games/{GAME}/004-spring-of-year-1-battles/ruling.yaml")
        section.locator("pre").nth(2).get_by_role("button").click()
        assert page.evaluate("navigator.clipboard.readText()").strip() == (
            "rulings: [{decide: {battle: B2, outcome: defender, deeds: [Captain Ioreth beat Thane Brokka]}, reason: WHY}]"
        )
        assert serious(page, within=".courtly-copies", only=COLOURS if scheme == "dark" else ()) == []


def test_each_battle_prints_on_one_page(browser: Browser, table: str) -> None:
    """One sheet per page, dark on white in any colour scheme; rulings stay on the screen."""
    with opened(browser, color_scheme="dark") as page:
        page.goto(table)
        page.emulate_media(media="print")
        expect(page.locator(".courtly-copies").first).to_be_hidden()
        expect(page.get_by_role("heading", name="B2: Anna’s A1 against Ben’s A1")).to_be_visible()
        ink = page.locator(".courtly-sheet td").first.evaluate("one => getComputedStyle(one).color")
        assert max(map(int, re.findall(r"\d+", ink)[:3])) < 100, ink
        page.set_viewport_size({"width": 720, "height": 1000})  # an A4 page between its margins
        sheets = page.locator(".courtly-sheet")
        expect(sheets).to_have_count(3)
        assert max(sheets.evaluate_all("all => all.map((one) => one.offsetHeight)")) < 1000
        assert sheets.evaluate_all("all => all.map((one) => getComputedStyle(one).breakBefore)") == ["page"] * 3
