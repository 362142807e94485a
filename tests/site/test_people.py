"""Pages of people: their seats and results."""

from __future__ import annotations

import itertools
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator.site.game_files import files_of
from adjudicator.site.mkdocs.search import game_entry
from adjudicator.site.packs import PACK
from adjudicator.site.people import Part, about, by_person, page_of, parts_of, people_page, person_page
from adjudicator.site.story import BOT, HIDDEN, Story, shown_name
from tests.site.test_story import story_of

PART = Part("Anna", "one", "Game one", "Diplomacy", "Austria", 3, 4, "won", "2026-01-01T00:00:00Z")


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


@pytest.fixture
def named(root: Path, tmp_path: Path) -> Callable[[str], Story]:
    """A copy of one of the archive's finished games, whose seats have people's names: P1, P2 and so on."""

    def copy(slug: str) -> Story:
        shutil.copytree(root / "games/over" / slug, tmp_path / "games/over" / slug)
        shutil.copy(root / "games/archive.yaml", tmp_path / "games/archive.yaml")
        path = tmp_path / "games/over" / slug / "game.yaml"
        numbers = itertools.count(1)
        text = re.sub(r"player: a stand-in", lambda _: f"player: P{next(numbers)}", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
        return story_of(tmp_path, slug)

    return copy


def test_players_can_stay_unnamed_until_the_end(root: Path, tmp_path: Path) -> None:
    """With `names: at_end` no published file names them, apart from the packs, which are the archive's own files."""
    slug = "first-lessons"
    shutil.copytree(root / "games" / slug, tmp_path / "games" / slug)
    shutil.copy(root / "games/archive.yaml", tmp_path / "games/archive.yaml")
    path = tmp_path / "games" / slug / "game.yaml"
    text = path.read_text(encoding="utf-8")
    people = re.findall(r"player: (\w+)", text)
    assert people[:2] == ["Anna", "Ben"]
    named = re.compile(rf"\b({'|'.join(people)})\b")

    def published() -> dict[str, str]:
        story = story_of(tmp_path, slug)
        done = files_of(story, None)
        others = {at: body for at, body in done.others.items() if body is not None and not at.endswith(PACK)}
        pages = {at: body for at, (_, body) in done.pages.items() if body is not None}
        return {**pages, **others, "search": str(game_entry(story))}

    before = [at for at, body in published().items() if named.search(body)]
    assert {"search", f"games/{slug}/index.html", f"games/{slug}/desk.json"} <= {*before}
    path.write_text(text + "names: at_end\n", encoding="utf-8")
    after = published()
    assert [at for at, body in after.items() if named.search(body)] == []
    assert HIDDEN in after[f"games/{slug}/index.html"]
    assert parts_of(story_of(tmp_path, slug)) == ()
    assert shown_name(story_of(tmp_path, slug).game, "Anna", over=True) == "Anna"


def test_bots_have_no_page(root: Path) -> None:
    assert parts_of(story_of(root, "nine-courts")) == ()
    assert page_of(BOT) is None


def test_the_winner_won_and_several_winners_share(named: Callable[[str], Story]) -> None:
    story = named("nine-courts")
    assert story.ending is not None
    results = {part.seat: part.result for part in parts_of(story)}
    for seat in story.game.seats:
        wanted = "shared the victory" if seat in story.ending.winners else "did not win"
        assert results[seat] == wanted
    alone = {part.seat: part.result for part in parts_of(named("the-heir-of-avermark"))}
    assert (alone["Ysolde (Third)"], alone["Aldemar (First)"]) == ("won", "did not win")
    assert {part.result for part in parts_of(named("the-amber-reach"))} == {"nobody won"}


def test_a_missing_sheet_counts_against_whoever_owed_it(named: Callable[[str], Story]) -> None:
    """Menn sent nothing in Spring 9; everybody else sent all orders."""
    story = named("nine-courts")
    parts = {part.seat: part for part in parts_of(story)}
    missed = {seat: part.owed - part.sent for seat, part in parts.items() if part.owed != part.sent}
    silent = {
        seat
        for turn in story.turns
        for seat in story.game.ruleset.due(turn.data.position)
        if turn.data.closed and seat not in turn.data.absent
        and seat not in {**(turn.data.sheets or {}), **(turn.data.stood or {})}
    }  # fmt: skip
    assert set(missed) == silent
    assert "Menn" in missed


def test_parts_are_gathered_by_person_latest_first() -> None:
    later = replace(PART, game="two", title="Game two", time="2026-02-01T00:00:00Z", result="playing")
    other = replace(PART, player="Ben", seat="England", result="did not win")
    people = by_person([PART, other, later])
    assert people == {"players/anna/index.html": [later, PART], "players/ben/index.html": [other]}
    assert about(people["players/anna/index.html"]) == "2 games: 1 won, 1 still being played."
    assert about(people["players/ben/index.html"]) == "1 game."
    page = str(person_page(people["players/anna/index.html"], people))
    assert re.findall(r'href="([^"]+)"', page) == [
        "../../index.html",
        "../../players.html",
        "../../games/two/index.html",
        "../../games/one/index.html",
        "../../players/ben/index.html",
        "feed.xml",
        "deadlines.ics",
    ]
    assert "<td>1</td><td>1</td><td>0</td>" in page, "Anna won the game that both finished"
    assert "Sent orders in time for 6 of 8 turns." in page
    everybody = str(people_page(people, {"Diplomacy": "rulesets/diplomacy/records.html"}))
    assert "<td>2</td><td>1</td><td>0</td><td>1</td><td>6\u00a0of\u00a08</td>" in everybody


def test_a_strangers_name_stays_text() -> None:
    part = replace(PART, player="<b>Eve</b>", title="<i>x</i>")
    pages = str(person_page([part], {})) + str(people_page({"players/eve/index.html": [part]}, {}))
    assert "<b>" not in pages
    assert "<i>" not in pages
    assert page_of("...") is None


def test_the_better_of_two_seats_counts_when_two_people_met() -> None:
    lost = replace(PART, seat="Turkey", result="did not win")
    other = replace(PART, player="Ben", seat="England", result="did not win")
    for order in ([PART, lost, other], [lost, PART, other]):
        people = by_person(order)
        page = str(person_page(people["players/anna/index.html"], people))
        assert "<td>1</td><td>1</td><td>0</td>" in page


def test_a_player_who_comes_back_to_a_seat_has_one_part(named: Callable[[str], Story]) -> None:
    story = named("nine-courts")
    seat = story.game.seats[0]
    turns = list(story.turns)
    for at, name in ((3, "Nina"), (6, "P1")):
        players = {**(turns[at].data.players or {}), seat: replace(story.game.data.seats[seat], player=name)}
        for later in range(at, len(turns)):
            turns[later] = replace(turns[later], data=replace(turns[later].data, players=players))
    story = replace(story, turns=tuple(turns))
    assert story.players_of(seat) == ["P1", "Nina", "P1"]
    parts = [part for part in parts_of(story) if part.seat == seat]
    assert [(part.player, part.result == "left the seat") for part in parts] == [("P1", False), ("Nina", True)]
    assert sum(part.owed for part in parts) <= len(turns)
