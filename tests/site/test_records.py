"""UX-11. Records and ratings: pure functions of the archive."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from adjudicator.core.contract.scene import Scene
from adjudicator.core.game.archive import Archive
from adjudicator.site.records import (
    LONGEST_OPENING,
    MEAN,
    Record,
    SeatRecord,
    ratings,
    record_of,
    records_data,
    records_page,
)
from adjudicator.site.story import BOT
from adjudicator.site.turn import scene_to_see
from tests.site.test_story import story_of

PEOPLE = ("Anna", "Ben", "Chiara", "Dmitri", BOT, "not recorded")


def game(number: int, *seats: tuple[str, bool]) -> Record:
    """A finished game with these players, who won or not."""
    told = tuple(SeatRecord(f"S{at}", f"S{at}", player, won, ("A Vienna H",)) for at, (player, won) in enumerate(seats))
    return Record(f"g{number}", f"Game {number}", "Diplomacy", f"2026-01-{number + 1:02d}", 9, told, (0, ""), None)


GAMES = st.lists(st.lists(st.tuples(st.sampled_from(PEOPLE), st.booleans()), min_size=1, max_size=7), max_size=8).map(
    lambda games: [game(number, *seats) for number, seats in enumerate(games)]
)


@settings(max_examples=60, deadline=None)
@given(GAMES, st.randoms())
def test_ratings_depend_on_the_games_and_not_on_their_order(games: list[Record], chance: object) -> None:
    """Everybody with a name who finished a game against another has one; bots and unknown players have none."""
    mixed = sorted(games, key=lambda _: chance.random())  # type: ignore[attr-defined]
    found = ratings(games)
    assert ratings(mixed) == found
    together = [{seat.player for seat in one.seats} - {BOT, "not recorded"} for one in games]
    decided = [any(seat.won for seat in one.seats) for one in games]
    rated = [people for people, won in zip(together, decided, strict=True) if won and len(people) > 1]
    counted = Counter(name for people in rated for name in people)
    assert {one.player: one.games for one in found} == counted
    assert [one.safe for one in found] == sorted((one.safe for one in found), reverse=True)


def test_a_victory_raises_a_rating_and_a_defeat_lowers_it() -> None:
    anna, ben = ratings([game(0, ("Anna", True), ("Ben", False), (BOT, False))])
    assert (anna.player, anna.won, ben.player, ben.won) == ("Anna", 1, "Ben", 0)
    assert anna.mean > MEAN > ben.mean
    model = PlackettLuce()
    ((first,), (second,)) = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    assert (anna.mean, ben.mean) == (round(first.mu, 4), round(second.mu, 4))
    even = ratings([game(0, ("Anna", True), ("Ben", True))])
    assert {one.mean for one in even} == {MEAN}


def test_a_player_with_two_seats_has_one_place() -> None:
    found = {one.player: one for one in ratings([game(0, ("Anna", False), ("Anna", True), ("Ben", False))])}
    assert found["Anna"].mean > found["Ben"].mean
    assert found["Anna"].games == 1


def record(root: Path, slug: str) -> Record:
    story = story_of(root, slug)
    found = record_of(story, lambda index: scene_to_see(story, story.turns[index]))
    assert found is not None
    return found


def no_scene(index: int) -> Scene:
    """Nobody looks at the scenes of a game that gets no record."""
    raise AssertionError(index)


def journeys(root: Path, slug: str) -> int:
    """The most moves of one unit of Diplomacy, counted from nothing but the texts of orders and results."""
    story = story_of(root, slug)
    units: dict[str, int] = {}
    driven: dict[str, int] = {}
    most = 0
    for turn in story.turns:
        retreats = "retreats" in turn.data.phase
        before, units = (driven, units) if retreats else (units, {})
        after = dict(before)
        moves = []
        for verdict in turn.data.verdicts:
            told = re.fullmatch(r"([AF] .+?)(?:/\w+)? - (.+?)(?: via convoy)?", verdict.order)
            if told and verdict.result == "succeeds" and not re.search(r"^[AF] [^-]+ [SC] ", verdict.order):
                moves.append((told[1], f"{verdict.order[0]} {told[2].partition('/')[0]}"))
        for start, _ in moves:
            after.pop(start, None)
        driven = {}
        for verdict in turn.data.verdicts:
            unit = re.match(r"[AF] .+?(?= H$| - | S | C |$)", verdict.order)
            if verdict.also and unit and not retreats:
                driven[unit[0]] = after.pop(unit[0], 0)
        for start, goal in moves:
            (units if retreats else after)[goal] = before.get(start, 0) + 1
            most = max(most, before.get(start, 0) + 1)
        left = {
            v.order.removeprefix("Disband ").removesuffix(" disband") for v in turn.data.verdicts if "isband" in v.order
        }
        units = {unit: moved for unit, moved in (units if retreats else after).items() if retreats or unit not in left}
    return most


@pytest.mark.parametrize("slug", ["austria-alone", "france-by-one", "six-left-standing"])
def test_a_journey_is_counted_as_by_the_texts_of_orders(root: Path, slug: str) -> None:
    found = record(root, slug)
    assert found.journey is not None
    assert found.journey[0] == journeys(root, slug)


@pytest.mark.parametrize(("slug", "moves"), [("the-wazirs-of-1080", 19), ("nine-courts", 12), ("france-by-one", 12)])
def test_a_unit_that_retreats_goes_on_with_its_journey(root: Path, slug: str, moves: int) -> None:
    """Whoever drove it out stays in its place, and takes nothing of its journey."""
    journey = record(root, slug).journey
    assert journey is not None
    assert journey[0] == moves


def test_games_without_a_winner_prove_nothing() -> None:
    """A campaign has none, and a game may be stopped: playing many of them raises nobody."""
    assert ratings([game(0, ("Anna", False), ("Ben", False)), game(1, ("Anna", False), ("Chiara", False))]) == []


def test_two_spellings_that_share_a_page_share_a_rating() -> None:
    found = ratings([game(0, ("Anna", True), ("Ben", False)), game(1, ("anna", True), ("Ben", False))])
    assert [(one.player, one.games) for one in found] == [("Anna", 2), ("Ben", 2)]


def test_a_finished_game_has_its_seats_victories_and_openings(root: Path) -> None:
    found = record(root, "austria-alone")
    assert (found.turns, found.still) == (34, (1, "Spring 1901, movement"))
    assert [seat.seat for seat in found.seats if seat.won] == ["Austria"]
    assert {len(seat.opening) for seat in found.seats} == {3, 4}
    heir = record(root, "the-heir-of-avermark")
    assert [seat.called for seat in heir.seats if seat.won] == ["Ysolde (Third)"]
    assert heir.journey is None
    assert Record.of(json.loads(json.dumps(asdict(heir)))) == heir


def test_running_games_and_records_of_reports_have_none(root: Path) -> None:
    for slug in ("first-lessons", "fall-1085"):
        story = story_of(root, slug)
        assert record_of(story, no_scene) is None


def test_the_page_shows_what_the_data_say(root: Path) -> None:
    records = [record(root, slug) for slug in Archive(root).slugs() if slug in ("austria-alone", "six-left-standing")]
    page = str(records_page("diplomacy", "Diplomacy", records, {}))
    assert "Nobody has a rating yet" in page
    assert "Openings of Austria" in page
    assert page.count('href="../../games/six-left-standing/index.html"') >= 2
    data = json.loads(records_data(records))
    assert [one["game"] for one in data["games"]] == [one.game for one in records]
    assert data["ratings"] == []
    long = replace(records[0].seats[0], opening=("x",) * (LONGEST_OPENING + 1))
    bare = [replace(records[0], seats=(long,))]
    assert "too many orders" in str(records_page("diplomacy", "Diplomacy", bare, {}))


def test_ratings_link_to_the_pages_of_players() -> None:
    records = [game(0, ("Anna", True), ("<b>Eve</b>", False))]
    page = str(records_page("diplomacy", "Diplomacy", records, {"Anna": "players/anna/index.html"}))
    assert 'href="../../players/anna/index.html">Anna</a>' in page
    assert "<b>" not in page
    shown = [f"{one.mean:.1f} ± {2 * one.spread:.1f}</td><td>1</td><td>{one.won}</td>" for one in ratings(records)]
    assert all(row in page for row in shown)
