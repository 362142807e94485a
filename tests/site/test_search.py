"""The search: the parts of games that it finds, and the limits of its index."""

from __future__ import annotations

import functools
import html
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Request, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.site.mkdocs import search
from adjudicator.site.mkdocs.search import (
    GAME_LETTERS,
    IN_HELP,
    INDEXES,
    TURN_LETTERS,
    Entry,
    Found,
    game_entry,
    gathering_entry,
    parted,
    turn_entries,
)
from adjudicator.site.story import Story, load_story
from tests.site.conftest import opened
from tests.site.test_story import story_of

MOST_BYTES = 800
"""Maximum bytes of an entry in the index in the worst case here; the mean is 300."""


def search_entries(stories: Iterable[Story], gathering: Iterable[Game]) -> Iterator[Entry]:
    """Every game, and the newest turns, latest first."""
    turns: list[Found] = []
    for story in stories:
        yield game_entry(story)
        turns = sorted([*turns, *turn_entries(story)], key=lambda entry: entry[:3], reverse=True)[: search.NEWEST]
    yield from map(gathering_entry, gathering)
    for *_, entry in turns:
        yield entry


def size(entry: Mapping[str, str]) -> int:
    """The bytes of an entry in the index."""
    return len(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()) + 1


@pytest.mark.slow
def test_games_are_indexed_by_player_and_turns_by_events(site: Path, root: Path) -> None:
    """FR-7. No turn was in it."""
    index = json.loads((site / INDEXES["games"]).read_text(encoding="utf-8"))["docs"]
    entries = {doc["location"]: doc for doc in index if doc["location"].startswith("games/")}
    archive = Archive(root)
    wanted = set()
    for slug in archive.slugs():
        story = story_of(root, slug)
        wanted.add(f"games/{slug}/index.html")
        for turn in story.turns:
            if turn.data.status != "open":
                address = f"games/{slug}/{turn.name}/index.html"
                wanted.add(address)
                assert (
                    html.unescape(entries[address]["text"])[:60]
                    == " ".join((story.headline(turn) or "", *story.shortly(turn).rest)).strip()[:60]
                )
    assert set(entries) == wanted
    game = entries["games/first-lessons/index.html"]
    assert game["title"] == "First lessons"
    assert "Austria: Anna" in game["text"]
    fall = entries["games/austria-alone/002-fall-1901-movement/index.html"]
    assert fall["title"] == "Fall 1901, movement, Austria alone"
    assert fall["text"].startswith("Germany took Denmark, and Warsaw from Russia. Standoffs left Rumania")


@pytest.mark.slow
def test_a_reader_finds_turns_by_a_province_and_games_by_player_and_title(
    site: Path, address: str, browser: Browser
) -> None:
    """FR-7. `Vienna` led only to rules, and a player's name to nothing."""
    wanted = {
        "Vienna": ("Games", "games/austria-alone/006-winter-1902-adjustments/"),
        "Fatma": ("", "games/first-lessons/index.html"),
        "Farna": ("", "games/fighting-over-farna/"),
        "convoy": ("Rules", "rulesets/diplomacy.html"),
    }
    for words, (elsewhere, target) in wanted.items():
        with opened(browser) as page:
            page.goto(f"{address}index.html")
            page.keyboard.press("f")  # the theme's own key for the search
            page.keyboard.type(words)
            if elsewhere:
                page.get_by_role("navigation", name="Where to look").get_by_role("link", name=elsewhere).click()
                expect(page.locator(".courtly-scopes [aria-current]")).to_have_text(elsewhere)
            page.wait_for_selector(".md-search-result__link", state="attached")
            # The theme shows more as the reader scrolls down.
            for _ in range(20):
                links = page.locator(".md-search-result__link").evaluate_all("links => links.map(link => link.href)")
                if any(target in link for link in links):
                    break
                page.locator(".md-search__scrollwrap").evaluate("box => box.scrollTo(0, box.scrollHeight)")
                page.wait_for_timeout(100)
            assert any(target in link for link in links), (words, links)


@pytest.mark.slow
def test_the_index_grows_by_a_bounded_number_of_turns(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR-7. The length of an entry is limited, and only the newest turns have one; every game has one."""
    stories = [story_of(root, slug) for slug in Archive(root).slugs()]
    entries = list(search_entries(stories, ()))
    assert max(map(size, entries)) <= MOST_BYTES
    assert all(len(html.unescape(entry["text"])) <= max(GAME_LETTERS, TURN_LETTERS) for entry in entries)
    turns = [entry for entry in entries if entry["location"].count("/") == 3]
    monkeypatch.setattr(search, "NEWEST", 50)
    fewer = list(search_entries(stories, ()))
    assert [entry for entry in fewer if entry["location"].count("/") == 3] == turns[:50]
    assert len(fewer) == 50 + len(stories)
    newest = max(story.atom_time(turn) for story in stories for turn in story.turns if turn.data.status != "open")
    assert any(
        story.atom_time(turn) == newest and f"/{turn.name}/" in turns[0]["location"]
        for story in stories
        for turn in story.turns
    )


@pytest.mark.slow
def test_everybody_who_played_a_seat_is_found_and_strangers_words_are_text(root: Path, tmp_path: Path) -> None:
    """FR-7."""
    shutil.copytree(root / "games/first-lessons", tmp_path / "games/first-lessons")
    path = tmp_path / "games/first-lessons/game.yaml"
    text = path.read_text(encoding="utf-8").replace("{player: Anna}", '{player: "<b>Anna</b>"}')
    path.write_text(text, encoding="utf-8")
    turn = tmp_path / "games/first-lessons/002-fall-1901-movement/turn.yaml"
    took = "players:\n  Italy: {player: Zoë}\n"
    turn.write_text(turn.read_text(encoding="utf-8").replace("dice:\n", f"{took}dice:\n", 1), encoding="utf-8")
    story: Any = load_story(Archive(tmp_path), "first-lessons")
    entry = next(search_entries([story], ()))
    assert "Austria: &lt;b&gt;Anna&lt;/b&gt;" in entry["text"]
    assert "Italy: Emil, Zoë" in entry["text"]


def test_every_entry_is_in_the_index_of_its_kind_and_help_knows_the_latest_games() -> None:
    """A reader fetches one index, not all three: rulebooks are more than half of everything."""
    pages = [
        "play.html#joining",
        "index.html",
        "rulesets/diplomacy.html#moves",
        "rulesets/x/cards/nim.html",
        "command.html",
    ]
    games = [f"games/{at}/index.html" for at in range(IN_HELP + 20)]
    more = ["games/0/001-spring/index.html", "players.html", "players/anna/index.html", "games-2026.html"]
    found = parted({"location": at, "title": "", "text": ""} for at in (*pages, *games, *more))
    assert {part: [one["location"] for one in docs] for part, docs in found.items()} == {
        "help": ["play.html#joining", "index.html", "command.html", *games[:IN_HELP]],
        "rules": ["rulesets/diplomacy.html#moves", "rulesets/x/cards/nim.html"],
        "games": [*games, *more],
    }


def note(asked: list[str], request: Request) -> None:
    asked.append(request.url)


@pytest.mark.slow
def test_a_rulebook_searches_the_rules_and_a_game_help(browser: Browser, address: str) -> None:
    for at, index in (("rulesets/diplomacy.html", "rules"), ("games/austria-alone/index.html", "help")):
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", functools.partial(note, asked))
        page.goto(f"{address}{at}", wait_until="networkidle")
        page.locator(".md-search__input").fill("convoy")
        page.wait_for_selector(".md-search-result__link", state="attached")
        assert [url for url in asked if "/search/" in url and url.endswith(".json")] == [f"{address}{INDEXES[index]}"]
        page.close()


@pytest.mark.slow
def test_the_index_comes_when_the_reader_goes_to_the_search(browser: Browser, address: str) -> None:
    """PF-1: it was two thirds of every page. Words that a reader types before it has come are searched once it has."""
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}index.html", wait_until="networkidle")
    assert not [url for url in asked if "search_index" in url]
    page.locator(".md-search__input").fill("join")
    page.wait_for_selector(".md-search-result__link", state="attached")
    assert [url for url in asked if "search_index" in url] == [f"{address}search/search_index.json"]
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize(("words", "found"), [("join", "play.html"), ("start a game", "group.html")])
def test_the_pages_that_help_come_first(browser: Browser, address: str, words: str, found: str) -> None:
    """UX-4: "join" found an article about an inquest, "start a game" a table of rehearsals."""
    page = browser.new_page()
    page.goto(f"{address}index.html")
    page.locator(".md-search__input").fill(words)
    page.wait_for_selector(".md-search-result__link", state="attached")
    first = page.locator(".md-search-result__link").first.get_attribute("href") or ""
    assert first.partition("?")[0].endswith(found)
    page.close()
