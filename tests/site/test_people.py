"""Pages of people: their seats and results."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from adjudicator.site.people import Part, about, by_person, page_of, parts_of, people_page, person_page
from tests.site.test_story import story_of

PART = Part("Anna", "one", "Game one", "Diplomacy", "Austria", "won", "2026-01-01T00:00:00Z")


def test_a_running_game_gives_everybody_a_part_that_is_being_played(root: Path) -> None:
    parts = parts_of(story_of(root, "first-lessons"))
    assert [(part.player, part.seat, part.result) for part in parts[:2]] == [
        ("Anna", "Austria", "playing"),
        ("Ben", "England", "playing"),
    ]
    assert len(parts) == 7


def test_seats_without_a_name_and_records_give_nobody_a_part(root: Path) -> None:
    assert parts_of(story_of(root, "austria-alone")) == ()
    assert parts_of(story_of(root, "fall-1085")) == ()


def test_the_winner_won_and_several_winners_share(root: Path) -> None:
    story = story_of(root, "nine-courts")
    assert story.ending is not None
    results = {part.seat: part.result for part in parts_of(story)}
    for seat in story.game.seats:
        wanted = "shared the victory" if seat in story.ending.winners else "did not win"
        assert results[seat] == wanted
    alone = {part.seat: part.result for part in parts_of(story_of(root, "the-heir-of-avermark"))}
    assert (alone["Third"], alone["First"]) == ("won", "did not win")
    assert {part.result for part in parts_of(story_of(root, "the-amber-reach"))} == {"nobody won"}


def test_parts_are_gathered_by_person_latest_first() -> None:
    later = replace(PART, game="two", title="Game two", time="2026-02-01T00:00:00Z", result="playing")
    other = replace(PART, player="Ben", seat="England", result="did not win")
    people = by_person([PART, other, later])
    assert people == {"players/anna/index.html": [later, PART], "players/ben/index.html": [other]}
    assert about(people["players/anna/index.html"]) == "2 games: 1 won, 1 still being played."
    assert about(people["players/ben/index.html"]) == "1 game."
    page = str(person_page(people["players/anna/index.html"]))
    assert re.findall(r'href="([^"]+)"', page) == [
        "../../index.html",
        "../../players.html",
        "../../games/two/index.html",
        "../../games/one/index.html",
        "feed.xml",
    ]
    everybody = str(people_page(people))
    assert "<td>2</td><td>1</td><td>0</td><td>1</td>" in everybody


def test_a_strangers_name_stays_text() -> None:
    part = replace(PART, player="<b>Eve</b>", title="<i>x</i>")
    pages = str(person_page([part])) + str(people_page({"players/eve/index.html": [part]}))
    assert "<b>" not in pages
    assert "<i>" not in pages
    assert page_of("...") is None
