"""Pages of cards: the cards of a ruleset with their record in the archive, and a host's own set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import Masters
from adjudicator.rulesets.heir_apparent import RULESET
from adjudicator.rulesets.heir_apparent.cardset import cards_named
from adjudicator.site.mkdocs.build import build
from tests.conftest import first_of
from tests.site.conftest import COLOURS, empty_site, opened, serious, served

pytestmark = pytest.mark.slow

CARDS, TITLES = "rulesets/heir_apparent/cards", [one.id for _, one in cards_named("avermark").titles()]
SEATS = ("First", "Second", "Third")
RENAMED = ("Lord Marrow", "Lord Marigold")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A site with a game of the shipped cards, and a game with a host's set, where one card has another name."""
    folder = empty_site(tmp_path_factory.mktemp("cards"))
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(folder, Masters((b"s" * 32,)))
    data = {
        "ruleset": "heir_apparent",
        "opened": "2026-11-20",
        "sealed": True,
        "seats": {seat: {"player": "P", "key": recipient_of(new_identity())} for seat in SEATS},
    }
    new_game(archive, "shipped", {**data, "title": "Shipped", "id": "3f" * 8, "settings": {"players": 3}})
    text = (
        (RULESET.folder / "data/avermark.yaml")
        .read_text("utf-8")
        .replace("set: avermark", "set: mine")
        .replace(*RENAMED)
        .replace("id: hush,", "id: index,")
    )
    mine = {**data, "title": "Harbour", "id": "4f" * 8, "settings": {"players": 3, "cards": "mine.yaml"}}
    new_game(archive, "own", mine, {"mine.yaml": text.encode()})
    for game in ("shipped", "own"):
        list(play(archive, game, SEATS, "2", "2026-11-20T18:00Z", 9))
    site = build(folder, folder / "public").parent
    with served(site) as address:
        yield site, address


def text_of(page: Path) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.read_text("utf-8")))


def test_every_card_has_its_page_and_is_in_the_list_of_all(built: tuple[Path, str]) -> None:
    site, _ = built
    pages = {path.stem for path in (site / CARDS).glob("*.html")}
    assert pages == {"index", *TITLES}
    all_cards = (site / CARDS / "index.html").read_text("utf-8")
    assert sorted(re.findall(r'<li id="([^"]+)"><a href="\1.html"', all_cards)) == sorted(TITLES)
    assert all_cards.count('<svg class="cm cf"') == len(TITLES)
    assert all_cards.count("<style>.cm{") == 1
    assert "rulesets/heir_apparent/cards/lord-marrow.html" in (site / "sitemap-pages.xml").read_text("utf-8")
    assert f"{CARDS}/lord-marrow.html" in (site / "search/rules.json").read_text("utf-8")
    assert '<a href="heir_apparent/cards/index.html">' in (site / "rulesets/heir_apparent.html").read_text("utf-8")


def test_a_page_says_what_its_card_did_in_which_game(built: tuple[Path, str]) -> None:
    """Only of the games that are played with these cards; the chapter of a game links there."""
    site, _ = built
    told = [text_of(site / CARDS / f"{name}.html") for name in TITLES]
    assert sum("Shipped" in text for text in told) > 15
    assert not any("Harbour" in text for text in told)
    chapter = (site / "games/shipped/cards.html").read_text("utf-8")
    assert 'href="../../rulesets/heir_apparent/cards/lord-marrow.html"' in chapter


def test_a_hosts_own_cards_have_pages_in_their_game(built: tuple[Path, str]) -> None:
    site, _ = built
    assert {path.stem for path in (site / "games/own/cards").glob("*.html")} == {"index", "index_", *TITLES} - {"hush"}
    assert "each with its face" not in text_of(site / "games/own/cards/index_.html")
    assert RENAMED[1] in text_of(site / "games/own/cards/lord-marrow.html")
    assert 'href="cards/lord-marrow.html"' in (site / "games/own/cards.html").read_text("utf-8")
    assert not (site / "games/shipped/cards").exists()


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), first_of([(390, "dark"), (1280, "light")], 1))
def test_the_pages_are_accessible_to_everybody(
    browser: Browser, built: tuple[Path, str], width: int, scheme: str
) -> None:
    """On a phone too, without failing scripts, and from card to card."""
    _, address = built
    with opened(browser, width, 844, color_scheme=scheme) as page:
        page.goto(f"{address}{CARDS}/index.html")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious(page, within=".courtly", only=COLOURS if scheme == "dark" else ()) == []
        page.get_by_role("link", name="Lord Marrow").first.click()
        expect(page.locator("h1")).to_have_text("Lord Marrow")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious(page, within=".courtly", only=COLOURS if scheme == "dark" else ()) == []
        page.get_by_role("navigation", name="Cards").get_by_role("link").last.click()
        expect(page.locator("h1")).not_to_have_text("Lord Marrow")
