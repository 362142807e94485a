"""A board in a frame of another page, on another site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.site.conftest import opened, served, until

pytestmark = pytest.mark.slow

GAME, TURN = "austria-alone", "002-fall-1901-movement"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The folder and the address of another site."""
    with served(tmp_path) as address:
        yield tmp_path, address


def test_the_code_that_a_page_gives_shows_its_board_elsewhere(
    browser: Browser, address: str, elsewhere: tuple[Path, str]
) -> None:
    folder, other = elsewhere
    with opened(browser) as page:
        page.goto(f"{address}games/{GAME}/{TURN}/index.html")
        page.evaluate(
            "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { globalThis.copied = text; } } })"
        )
        page.get_by_text("Share this board").click()
        page.get_by_role("button", name="Copy code for another page").click()
        until(page, "() => globalThis.copied")
        code = page.evaluate("copied")
        board = page.evaluate("document.querySelector('#turn .courtly-view > svg desc').textContent")
    (folder / "index.html").write_text(f"<!doctype html><title>A blog</title>{code}", encoding="utf-8")
    with opened(browser) as page:
        page.goto(f"{other}index.html")
        frame = page.frame_locator("iframe")
        frame.locator("#board > svg").wait_for()
        assert frame.locator("#board > svg > desc").text_content() == board
        link = frame.locator("#turn")
        assert link.text_content() == "Fall 1901, movement"
        assert link.get_attribute("href") == f"games/{GAME}/{TURN}/index.html"
        assert link.get_attribute("target") == "_blank"
        frame.get_by_role("button", name="Next turn").click()
        assert link.text_content() == "Winter 1901, adjustments"


@pytest.mark.parametrize(
    ("fragment", "words"),
    [
        ("", "Pages show a board here."),
        ("../../evil/x", "Pages show a board here."),
        ("//evil.example/x", "Pages show a board here."),
    ],
)
def test_any_address_is_harmless(browser: Browser, address: str, fragment: str, words: str) -> None:
    with opened(browser) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address}embed.html#{fragment}")
        page.wait_for_timeout(200)
        assert page.locator("#board").inner_text().startswith(words)
        assert all(url.startswith(address) for url in asked)
        assert not any("/games/" in url for url in asked)


@pytest.mark.parametrize("turn", ["/999-never", ""])
def test_without_a_turn_it_shows_the_latest(browser: Browser, address: str, turn: str) -> None:
    with opened(browser) as page:
        page.goto(f"{address}embed.html#{GAME}{turn}")
        page.locator("#board > svg").wait_for()
        assert page.locator("#after").is_disabled()
