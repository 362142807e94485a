"""The weight of pages of games: what a cold visit loads, what comes only on demand, and nothing that moves while it comes (UX-5, PF-1)."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from adjudicator.site.mkdocs.slim import OWN, classes_in, slim
from tests.site.conftest import opened, until

GAME, TURN = "games/nine-courts/index.html", "games/austria-alone/002-fall-1901-movement/index.html"
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const one of list.getEntries()) sum += one.value; }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""
"""How much of the page moved while it came, as browsers count it."""
PALETTE = "input[name=__palette] + label:not([hidden])"


@pytest.fixture
def loaded(browser: Browser) -> Iterator[tuple[Page, list[str]]]:
    """A page, and the addresses that it asks for."""
    with opened(browser, width=390, height=844) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.partition("?")[0]))
        yield page, asked


@pytest.mark.slow
def test_a_cold_turn_weighs_less_than_75_kilobytes(loaded: tuple[Page, list[str]], site: Path, address: str) -> None:
    """With everything, its typeface too; compressed as a web host would."""
    page, asked = loaded
    page.goto(address + TURN, wait_until="networkidle")
    names = {url.removeprefix(address) for url in asked}
    files = [site / name for name in names if (site / name).is_file()]
    assert len(files) >= 9
    weights = {
        path.name: len(data) if path.suffix == ".woff2" else len(gzip.compress(data))
        for path in files
        for data in (path.read_bytes(),)
    }
    assert sum(weights.values()) < 75_000, weights
    assert not [name for name in names if "bundle" in name or "search" in name or "motion" in name]


@pytest.mark.slow
def test_the_search_comes_when_a_reader_goes_to_it(loaded: tuple[Page, list[str]], address: str) -> None:
    page, asked = loaded
    page.goto(address + TURN, wait_until="networkidle")
    page.locator(".md-header__button[for=__search]").first.click()
    page.keyboard.type("join", delay=30)
    until(
        page,
        "() => document.querySelector('.md-search__output, [class*=search]')?.ownerDocument.body.textContent.includes('How to play')",
    )
    assert [url for url in asked if "bundle" in url]
    assert [url for url in asked if url.endswith("search_index.json")]


@pytest.mark.slow
def test_the_menu_works_without_the_themes_script(loaded: tuple[Page, list[str]], address: str) -> None:
    page, asked = loaded
    page.goto(address + TURN, wait_until="networkidle")
    page.locator(".md-header label[for=__drawer]").first.click()
    page.wait_for_timeout(400)
    assert page.get_by_role("link", name="How to play").or_(page.get_by_role("link", name="Games")).first.is_visible()
    assert not [url for url in asked if "bundle" in url]


@pytest.mark.slow
def test_light_and_dark_work_before_and_after_the_themes_script(browser: Browser, address: str) -> None:
    """Both remember the choice in one place, so that the whole site follows it."""
    with opened(browser, color_scheme="dark") as page:
        page.goto(address + TURN)
        scheme = "() => document.body.dataset.mdColorScheme"
        assert page.evaluate(scheme) == "slate", "the system's choice"
        for wanted in ("slate", "default", "slate"):  # dark, light, as the system
            page.locator(PALETTE).click()
            assert page.evaluate(scheme) == wanted
        page.locator(PALETTE).click()
        page.locator(PALETTE).click()
        assert page.evaluate(scheme) == "default"
        page.goto(address + "play.html")
        assert page.evaluate(scheme) == "default"
        page.goto(address + TURN)
        assert page.evaluate(scheme) == "default"
        page.keyboard.press("/")
        until(
            page,
            "() => !document.getElementById('courtly-theme') && document.querySelector('.md-search__input') === document.activeElement",
        )
        page.wait_for_timeout(300)
        assert page.evaluate(scheme) == "default"
        assert page.locator(PALETTE).count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("where", [GAME, TURN, "index.html", "desk.html", "rulesets/diplomacy.html"])
def test_little_moves_while_a_page_comes(browser: Browser, address: str, where: str, width: int) -> None:
    with opened(browser, width=width, height=844) as page:
        page.goto(address + where, wait_until="networkidle")
        assert page.evaluate(SHIFT) < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1000, 1440])
@pytest.mark.parametrize("where", [GAME, TURN, "players.html", "rulesets/heir_apparent/records.html"])
def test_a_page_looks_the_same_with_the_whole_style_sheet(
    browser: Browser, site: Path, address: str, where: str, width: int
) -> None:
    (whole,) = (site / "assets/stylesheets").glob("main.*.css")
    with opened(browser, width=width, height=900, color_scheme="dark" if width == 1000 else "light") as page:
        page.goto(address + where, wait_until="networkidle")
        light = page.screenshot(full_page=True)
        page.evaluate(
            """(address) => new Promise((done) => {
              const sheet = document.querySelector('link[href$="play.css"]');
              sheet.addEventListener("load", () => setTimeout(done, 200));
              sheet.href = address;
            })""",
            f"{address}assets/stylesheets/{whole.name}",
        )
        assert page.screenshot(full_page=True) == light


def test_a_style_sheet_keeps_what_its_classes_need() -> None:
    sheet = (
        '@charset "utf-8";a{b:c}.md-a .md-b,.md-a>p{d:e}.md-c{f:g}@media print{.md-c{h:i}.md-a{j:k}}@media screen{.md-c{l:m}}'
        "@keyframes n{0%{o:p}to{q:r}}.md-a:not(.md-c) i{s:t}:is(.md-a,.md-c){u:v}"
    )
    used = classes_in('<p class="md-a x"><i class="md-b">') | OWN
    assert slim(sheet, used) == (
        '@charset "utf-8";a{b:c}.md-a .md-b,.md-a>p{d:e}@media print{.md-a{j:k}}@keyframes n{0%{o:p}to{q:r}}.md-a:not(.md-c) i{s:t}'
    )


@pytest.mark.slow
def test_half_of_the_themes_sheet_is_left_out(site: Path) -> None:
    (whole,) = (site / "assets/stylesheets").glob("main.*.css")
    light = (site / "assets/stylesheets/play.css").read_text(encoding="utf-8")
    assert len(light) < whole.stat().st_size * 0.55
    assert re.search(r"\.md-typeset", light)
    assert light.count("{") == light.count("}")
