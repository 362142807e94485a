"""Metadata of pages: descriptions, tags for sharing, feeds, and links to feeds and to GitHub."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from adjudicator.site.mkdocs.build import build
from adjudicator.site.mkdocs.head import LONGEST, describe, shorten
from tests.site.test_pages import HOSTILE, hostile_copy

ADDRESS = "https://games.example/club/"
FALL = "games/austria-alone/002-fall-1901-movement/index.html"


class HeadOf(HTMLParser):
    """The meta elements of a page by name, and its links to feeds with their titles."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.meta: dict[str, str] = {}
        self.feeds: dict[str, str] = {}
        self.links: dict[str, str] = {}
        """Address -> text, of the page's visible links."""
        self._at = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag == "meta" and "content" in values:
            name = values.get("property") or values.get("name", "")
            assert name not in self.meta or not name.startswith(("og:", "twitter:", "description"))
            self.meta[name] = values["content"]
        if tag == "link" and values.get("type") == "application/atom+xml":
            assert values["rel"].split() == ["alternate", "feed"]
            self.feeds[values["href"]] = values["title"]
        self._at = values.get("href", "") if tag == "a" else ""

    def handle_data(self, data: str) -> None:
        if self._at:
            self.links[self._at] = self.links.get(self._at, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._at = ""


@pytest.fixture(scope="module")
def club(root: Path, plain_books: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published site of two games, in an archive that names its repository; the texts of one game are hostile."""
    place = tmp_path_factory.mktemp("club")
    hostile_copy(root, place)
    shutil.copytree(root / "games/over/austria-alone", place / "games/austria-alone")
    (place / "games/archive.yaml").write_text(
        "schema: 1\narchive: c4074e208919e073\nrepository: our-club/war games\nbranch: main\n", encoding="utf-8"
    )
    path = place / "mkdocs.yml"
    text = path.read_text(encoding="utf-8").replace("# site_url: https://example.org/", f"site_url: {ADDRESS}")
    path.write_text(text, encoding="utf-8")
    path = place / "games/austria-alone/game.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("{player: not recorded}") > 1
    path.write_text(text.replace("{player: not recorded}", "{player: Zoë Q}", 1), encoding="utf-8")
    return build(place, place / "public").parent


@pytest.mark.slow
def test_a_shared_game_or_turn_says_what_happened(club: Path) -> None:
    """FR-6. No page had a tag for sharing, and one description served for all."""
    game, turn = HeadOf(club / "games/austria-alone/index.html"), HeadOf(club / FALL)
    shared = {name: text for name, text in turn.meta.items() if name.startswith(("og:", "twitter:", "description"))}
    said = "Germany took Denmark, and Warsaw from Russia. Austria alone: Fall 1901, movement."
    assert shared == {
        "description": said,
        "og:site_name": "Courtly",
        "og:title": "Fall 1901, movement, Austria alone",
        "og:description": said,
        "og:type": "article",
        "og:url": f"{ADDRESS}{FALL}",
        "og:image": f"{ADDRESS}games/austria-alone/002-fall-1901-movement/card.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": said,
        "twitter:card": "summary_large_image",
    }
    assert game.meta["og:type"] == "website"
    assert game.meta["og:url"] == f"{ADDRESS}games/austria-alone/index.html"
    assert game.meta["og:description"] == (
        "Diplomacy, won by Austria, Fall 1908, retreats. Austria won alone with 19 supply centres."
    )
    for path in club.glob("games/*/**/index.html"):
        meta = HeadOf(path).meta
        assert {"og:title", "og:description", "og:type", "og:url", "twitter:card"} <= set(meta), path
        assert len(meta["og:description"]) <= LONGEST


@pytest.mark.slow
def test_every_page_has_its_own_description(club: Path) -> None:
    """FR-6."""
    said: dict[str, Path] = {}
    for path in sorted(club.rglob("*.html")):
        if path.name != "404.html":
            description = HeadOf(path).meta["description"]
            assert description, path
            assert "COURTLY" not in description
            assert said.setdefault(description, path) == path, description


@pytest.mark.slow
def test_browsers_find_the_feeds_and_readers_see_them(club: Path) -> None:
    """FR-6. Feeds were found only by their addresses; no page linked to a player's."""
    assert HeadOf(club / "index.html").feeds == {"feed.xml": "All games"}
    turn, game = HeadOf(club / FALL), HeadOf(club / "games/austria-alone/index.html")
    own = {"../../games/austria-alone/feed.xml": "Austria alone", "../../feed.xml": "All games"}
    theirs = {"../../players/zo-q/feed.xml": "Games of Zoë Q"}
    assert game.feeds == own | theirs
    assert turn.feeds == {f"../{address}": title for address, title in own.items()}
    for page, folder in ((turn, club / FALL), (game, club / "games/austria-alone/index.html")):
        for address in page.feeds:
            assert (folder.parent / address).resolve().is_file()
    assert game.links["../../players/zo-q/feed.xml"] == "Atom"
    assert game.links["feed.xml"] == "Atom feed of this game"
    assert turn.links["../feed.xml"] == "Atom feed of this game"


@pytest.mark.slow
def test_pages_link_to_the_records_on_github(club: Path, site: Path) -> None:
    """FR-6. No page did. An archive without a repository has no such links."""
    at = "https://github.com/our-club/war%20games"
    record = f"{at}/blob/main/games/austria-alone/002-fall-1901-movement/turn.yaml"
    game, turn = HeadOf(club / "games/austria-alone/index.html"), HeadOf(club / FALL)
    assert game.links[f"{at}/tree/main/games/austria-alone"] == "The game's folder on GitHub"
    assert game.links[record] == "turn.yaml"
    assert turn.links[record] == "turn.yaml, the record of this turn, on GitHub"
    for path in ("games/austria-alone/index.html", FALL):
        assert not [
            address for address in HeadOf(site / path).links if "github.com/" in address and "games/" in address
        ]


@pytest.mark.slow
def test_no_address_is_made_up_for_an_archive_that_names_none(site: Path) -> None:
    """FR-6."""
    assert "og:url" not in HeadOf(site / FALL).meta


@pytest.mark.slow
def test_text_by_a_stranger_is_plain_text_in_the_head_too(club: Path) -> None:
    """FR-6."""
    for path in sorted(club.glob("games/first-lessons/**/index.html")):
        text = path.read_text(encoding="utf-8")
        head = text.partition("</head>")[0]
        assert "<script>alert" not in head, path
        assert "<img" not in head, path
        assert "javascript:" not in "".join(HeadOf(path).links)
    game = HeadOf(club / "games/first-lessons/index.html")
    assert [title for title in game.feeds.values() if title == f"Games of {HOSTILE}"]


def test_descriptions_are_short_and_from_the_first_paragraph() -> None:
    """FR-6."""
    words = "word " * 100
    assert len(shorten(words)) <= LONGEST
    assert shorten(words).endswith("word…")
    assert shorten("Two\n  lines") == "Two lines"
    long = "A paragraph with <a href='x'>a link</a> &amp; more than forty letters."
    assert describe(f"<p>Short.</p><p>{long}</p>", "T", "O") == re.sub("<[^>]*>", "", long).replace("&amp;", "&")
    assert describe("<p>Short.</p>", "Title", "Otherwise") == "Title. Otherwise"
