"""The home page: its doors, the board in play, the lists of games, the rulesets."""

from __future__ import annotations

import re
from dataclasses import replace

from markupsafe import Markup

from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.site.home import Card, home_lists, ruleset_boards

CARD = Card(
    Markup('<article class="courtly-card">A</article>'),
    "a",
    "2026-01-01T00:00:00Z",
    "running",
    ("diplomacy", "Diplomacy"),
    7,
    "Game A",
    "Fall 1901, movement",
    "Italy took Tunis.",
    2,
    (1000, 900),
    (),
)
OVER = replace(CARD, slug="b", state="finished", title="Game B", headline="Austria won.", time="2026-02-01T00:00:00Z")


def titles(page: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", page)


def test_the_doors_lead_to_a_lesson_an_open_seat_and_a_group() -> None:
    page = str(home_lists([replace(CARD, open=("Austria", "Italy"))], [], None))
    doors = page[: page.index("</p>")]
    assert re.findall(r'href="([^"]+)"', doors) == ["desk.html#lesson/diplomacy/first", "#open", "group.html"]
    assert 'id="open"' in page


def test_without_an_open_seat_no_door_leads_to_one() -> None:
    page = str(home_lists([CARD], [], None))
    assert "#open" not in page
    assert "Join" not in page


def test_the_board_in_play_is_the_newest_of_the_games_that_are_played() -> None:
    page = str(home_lists([OVER, CARD], [], None))
    figure = page[page.index("<figure") : page.index("</figure>")]
    assert '<a href="games/a/index.html">Italy took Tunis.</a>' in figure
    assert "Game A · Fall 1901, movement · 2 turns played" in figure
    assert 'width="1000" height="900"' in figure


def test_a_board_without_a_headline_names_its_game_once() -> None:
    page = str(home_lists([replace(CARD, headline="", shown="", judged=0)], [], None))
    caption = page[page.index("<figcaption") : page.index("</figcaption>")]
    assert caption == '<figcaption><strong><a href="games/a/index.html">Game A</a></strong>'


def test_a_finished_game_is_shown_where_none_is_played() -> None:
    page = str(home_lists([OVER], [], None))
    assert "Austria won." in page[: page.index("</figure>")]


def test_games_being_played_come_before_the_rulesets_and_those_before_what_is_over() -> None:
    assert titles(str(home_lists([OVER, CARD], [], None))) == ["Being played", "Six games", "Finished"]


def test_an_archive_without_games_still_shows_what_can_be_played() -> None:
    page = str(home_lists([], [], None))
    assert titles(page) == ["Six games"]
    assert "<figure" not in page
    for slug in slugs():
        about = find(slug).about
        assert f'href="rulesets/{slug}.html">{about.title}</a>' in page
        assert f'src="boards/{slug}.svg"' in page


def test_every_ruleset_has_a_board_and_the_same_one_each_time() -> None:
    boards = ruleset_boards()
    assert sorted(boards) == sorted(f"boards/{slug}.svg" for slug in slugs())
    assert all(svg.startswith("<svg") and "<title" in svg for svg in boards.values())
    assert ruleset_boards() == boards
