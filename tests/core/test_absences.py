"""Absences: days when a player is away, announced ahead; no deadline that waits for them falls on such a day."""

from __future__ import annotations

import subprocess
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.cli import main
from adjudicator.core.game.absence import absence_text
from adjudicator.core.game.game import Absence, seat_file
from adjudicator.core.game.schedule import WEEKDAYS, Schedule, past_absences, read_time, zone_named
from adjudicator.core.jobs.run import might_be_due
from adjudicator.core.text.codec import load
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_game
from adjudicator.site.game import game_page
from adjudicator.site.story import load_story
from adjudicator.site.turn import map_of, turn_page
from tests.conftest import examples
from tests.core.test_deadlines import SEATS, Play

pytestmark = pytest.mark.usefixtures("plain_maps")

LAW = examples(300)
ITALY = 101 + SEATS.index("Italy")


def away(
    game: Play,
    seat: str,
    first: str,
    last: str,
    *,
    announced: str = "2026-11-20T08:00Z",
    account: int | None = None,
) -> None:
    """Put the record of an absence into a game, as intake writes it."""
    kept = Absence(
        schema=1,
        seat=seat,
        account=account or 101 + SEATS.index(seat),
        first=first,
        last=last,
        announced=announced,
    )
    folder = game.root / "games/game/absence"
    folder.mkdir(exist_ok=True)
    (folder / f"{seat_file(seat)}.{first}.yaml").write_bytes(absence_text(kept))


# Where a deadline moves to ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "deadline", "spans", "moved"),
    [
        ("turn: 3d", "2026-12-21T18:30Z", ["12-20 12-27"], "2026-12-28T18:30Z"),
        ("turn: 3d", "2026-12-28T00:01Z", ["12-20 12-27"], "2026-12-28T00:01Z"),
        ("turn: 3d", "2026-12-28T00:00Z", ["12-20 12-27"], "2026-12-29T00:00Z"),
        ("turn: 3d", "2026-12-19T23:59Z", ["12-20 12-27"], "2026-12-19T23:59Z"),
        ("turn: 3d", "2026-12-20T00:00Z", ["12-20 12-20"], "2026-12-20T00:00Z"),
        ("turn: 3d\ndays_off: [Monday]\nholidays: [2026-12-29]", "2026-12-22T18:00Z", ["12-20 12-27"], "2026-12-30T18:00Z"),
        ("turn: 3d\nslide: [Monday]", "2026-12-22T18:00Z", ["12-20 12-27"], "2026-12-29T18:00Z"),
        ("turn: 3d", "2026-12-22T18:00Z", ["12-20 12-23", "12-24 12-26"], "2026-12-27T18:00Z"),
        ("turn: 3d", "2026-12-22T18:00Z", ["12-20 12-23", "12-22 12-30"], "2026-12-31T18:00Z"),
        ('days: [Monday, Thursday]\nat: "19:00"\nzone: America/New_York', "2026-12-25T00:00Z", ["12-24 12-27"], "2026-12-29T00:00Z"),
        ('days: [Monday, Thursday]\nat: "19:00"\nzone: America/New_York', "2026-12-25T00:00Z", ["12-25 12-27"], "2026-12-25T00:00Z"),
        ("days: [Monday]\nleast: 5d", "2026-12-21T00:00Z", ["12-20 12-27"], "2027-01-04T00:00Z"),
        ("days: [Monday]", "2026-12-21T00:00Z", ["12-20 12-26"], "2026-12-28T00:00Z"),
        ('dates: [1, 15]\nat: "12:00"', "2026-12-15T12:00Z", ["12-10 12-31"], "2027-01-01T12:00Z"),
        ("turn: 3d\nzone: Europe/Berlin", "2026-03-27T17:00Z", ["03-27 03-28"], "2026-03-29T16:00Z"),
    ],
)  # fmt: skip
def test_a_deadline_moves_past_the_days_on_which_somebody_is_away(
    schedule: str, deadline: str, spans: list[str], moved: str
) -> None:
    pairs = [tuple(date.fromisoformat(f"2026-{day}") for day in span.split()) for span in spans]
    assert past_absences(load(Schedule, schedule.encode(), "s"), "movement", deadline, pairs) == moved  # type: ignore[arg-type]


DAYS = st.dates(date(2026, 11, 1), date(2027, 2, 1))


@given(
    days_off=st.sets(st.sampled_from(WEEKDAYS), max_size=5),
    slide=st.sets(st.sampled_from(WEEKDAYS), max_size=1),
    due=st.datetimes(min_value=read_time("2026-11-01T00:00Z").replace(tzinfo=None), max_value=read_time("2027-02-01T00:00Z").replace(tzinfo=None)),
    spans=st.lists(st.tuples(DAYS, st.integers(0, 20)), max_size=4),
    zone=st.sampled_from(["UTC", "Pacific/Auckland", "America/New_York"]),
)  # fmt: skip
@LAW
def test_it_moves_to_the_first_day_that_is_possible_at_the_same_time_of_day(
    days_off: set[str], slide: set[str], due: Any, spans: list[tuple[date, int]], zone: str
) -> None:
    """A second, slow reading: day by day until nobody is away and something can be due."""
    schedule = Schedule(turn="3d", zone=zone, days_off=tuple(sorted(days_off)), slide=tuple(sorted(slide)))
    pairs = [(first, first + timedelta(days=length)) for first, length in spans]
    start = f"{due:%Y-%m-%dT%H:%M}Z"
    there = (read_time(start) - timedelta(minutes=1)).astimezone(zone_named(zone))
    day = there.date()
    while any(first <= day <= last for first, last in pairs):
        day += timedelta(days=1)
        while any(first <= day <= last for first, last in pairs) or WEEKDAYS[day.weekday()] in days_off | slide:
            day += timedelta(days=1)
    moved = read_time(past_absences(schedule, "movement", start, pairs)) - timedelta(minutes=1)
    found = moved.astimezone(zone_named(zone))
    assert found.date() == day
    assert (found - there) % timedelta(days=1) in (timedelta(0), timedelta(hours=1), timedelta(hours=23))


# In a game ------------------------------------------------------------------------------------------------------------


def test_the_deadline_of_an_open_turn_moves_once_and_the_next_counts_from_it(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d", remind="3h")
    assert game.turn().data.deadline == "2026-11-22T00:00Z"
    away(game, "Italy", "2026-11-21", "2026-11-23")
    assert game.run("2026-11-20T09:00Z") == ["away 001"]
    assert game.turn().data.deadline == "2026-11-25T00:00Z"
    assert game.turn().data.remind == ("2026-11-24T21:00Z",)
    assert game.run("2026-11-20T09:00Z") == []
    assert game.run("2026-11-24T23:59Z") == ["reminded 001"]
    assert game.run("2026-11-25T00:00Z") == ["resolved 001", "opened 002"]
    assert game.turn().data.deadline == "2026-11-27T00:00Z"
    game.check()


def test_a_turn_opens_with_a_deadline_when_nobody_is_away(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-23", "2026-11-29")
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]
    assert game.turn().data.deadline == "2026-12-01T00:00Z"
    game.check()


def test_an_absence_that_was_announced_in_time_counts_however_late_the_job_is(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-21", "2026-11-23", announced="2026-11-22T00:00Z")
    assert game.run("2026-11-22T06:00Z") == ["away 001"]
    assert game.turn().data.deadline == "2026-11-25T00:00Z"


@pytest.mark.parametrize(
    "why", ["announced after the deadline", "another account", "its sheet is in", "civil disorder", "no such rule"]
)
def test_an_absence_that_the_turn_does_not_wait_for_moves_nothing(tmp_path: Path, why: str) -> None:
    rule: dict[str, Any] = {} if why == "no such rule" else {"absences": "14d"}
    game = Play(tmp_path, **rule)
    said = {"announced": "2026-11-22T00:01Z"} if why == "announced after the deadline" else {}
    away(game, "Italy", "2026-11-20", "2026-11-24", account=999 if why == "another account" else None, **said)
    steps = []
    if why == "its sheet is in":
        game.sheet("Italy")
    if why == "civil disorder":
        game.rule({"reason": "Ida left.", "absent": "Italy"})
        steps = ["ruled 001"]
    assert game.run("2026-11-20T09:00Z") == steps
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]
    game.check()


def test_the_host_can_bring_a_moved_deadline_forward_and_it_stays_there(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    game.run("2026-11-20T09:00Z")
    game.rule({"reason": "Ida has time after all.", "resume": "2026-11-22T12:00Z"})
    assert game.run("2026-11-20T10:00Z") == ["ruled 001"]
    assert game.turn().data.deadline == "2026-11-22T12:00Z"
    assert game.run("2026-11-20T10:01Z") == []
    assert game.run("2026-11-22T12:00Z") == ["resolved 001", "opened 002"]
    game.check()


@pytest.mark.parametrize(
    ("ruling", "at", "steps"),
    [
        ({"proceed": True}, "2026-11-22T00:00Z", ["ruled 001", "resolved 001", "opened 002"]),
        ({"end": {"how": "draw"}}, "2026-11-20T09:00Z", ["ruled 001", "resolved 001", "ended 001"]),
    ],
)
def test_a_turn_that_the_host_has_judged_waits_for_nobody_who_is_away(
    tmp_path: Path, ruling: dict[str, Any], at: str, steps: list[str]
) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    game.rule({"reason": "We go on."} | ruling)
    assert game.run(at)[:3] == steps


def test_a_new_player_does_not_inherit_days_away(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    game.rule({"reason": "Ida left.", "replace": {"seat": "Italy", "player": "Iris", "account": 900}})
    assert game.run("2026-11-20T09:00Z") == ["ruled 001"]
    assert game.turn().data.deadline == "2026-11-22T00:00Z"
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]


def test_a_player_who_is_back_early_ends_the_wait(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d", early="all", delay="30m")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    game.run("2026-11-20T09:00Z")
    game.sheets()
    assert game.run("2026-11-21T09:00Z") == ["all in 001"]
    assert game.turn().data.deadline == "2026-11-21T09:30Z"
    assert game.run("2026-11-21T09:30Z") == ["resolved 001", "opened 002"]
    game.check()


def test_a_run_reads_a_game_again_only_if_an_absence_may_move_its_deadline(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-12-01", "2026-12-04")
    assert not might_be_due(game.archive, "game", "2026-11-20T09:00Z")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    assert might_be_due(game.archive, "game", "2026-11-20T09:00Z")
    game.sheet("Italy")
    assert not might_be_due(game.archive, "game", "2026-11-20T09:00Z")


# Faults ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["7", "1h", "0d", "1d12h", "-3d"])
def test_the_allowance_is_a_number_of_days(tmp_path: Path, said: str) -> None:
    with pytest.raises(Problems, match="is not a number of days"):
        Play(tmp_path, absences=said)


@pytest.mark.parametrize(
    ("name", "old", "new", "what"),
    [
        ("italy.2026-11-22.yaml", "2026-11-24", "2026-11-21", "2026-11-21 is before 2026-11-22"),
        ("italy.2026-11-22.yaml", "2026-11-24", "2027-12-24", "this is more than a year"),
        ("italy.2026-11-22.yaml", "last: 2026-11-24", "last: tomorrow", "'tomorrow' is not a day"),
        ("italy.2026-11-22.yaml", "announced: 2026", "announced: x2026", "is not a time"),
        ("italy.2026-11-23.yaml", "", "", "the file's name does not match its contents"),
        ("spain.2026-11-22.yaml", "", "", "no absence of this game has a file of that name"),
        ("italy.yaml", "", "", "no absence of this game has a file of that name"),
    ],
)
def test_a_file_that_intake_did_not_write_is_named(tmp_path: Path, name: str, old: str, new: str, what: str) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-22", "2026-11-24")
    path = tmp_path / "games/game/absence/italy.2026-11-22.yaml"
    text = path.read_text("utf-8").replace(old, new)
    path.unlink()
    path.with_name(name).write_text(text, "utf-8")
    done = CliRunner().invoke(main, ["-C", str(tmp_path), "check"])
    assert f"games/game/absence/{name}" in done.output
    assert what in done.output


# The host enters one ----------------------------------------------------------------------------------------------------


def command(root: Path, *words: str) -> str:
    return CliRunner().invoke(main, ["-C", str(root), *words]).output


def test_a_host_enters_an_absence_and_the_history_says_so(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")

    def git(*words: str) -> None:
        run = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *run, *words], cwd=tmp_path, check=True)

    git("init", "-q")
    for key, value in (("user.name", "A"), ("user.email", "a@example.org")):
        git("config", key, value)
    git("add", "-A")
    git("commit", "-qm", "The archive")
    days = ("2026-11-21", "2026-11-23", "--seat", "Italy")
    said = command(tmp_path, "away", *days, "--at", "2026-11-20T08:00Z")
    assert (
        said
        == "games/game/absence/italy.2026-11-21.yaml: Italy is away from 2026-11-21 to 2026-11-23; committed; push it.\n"
    )
    assert load_game(game.archive, "game").absences == (
        Absence(schema=1, seat="Italy", account=ITALY, first="2026-11-21", last="2026-11-23", announced="2026-11-20T08:00Z"),
    )  # fmt: skip
    assert "nothing was committed" in command(tmp_path, "away", *days, "--at", "2026-11-20T09:00Z")
    assert game.run("2026-11-20T09:00Z") == ["away 001"]
    git("add", "-A")
    git("commit", "-qm", "A run")
    history = command(tmp_path, "verify", "--history")
    assert "its deadline moved back, because a player is away" in history
    assert "this absence was entered by the host" in history
    assert "error" not in history
    assert "did not hold the seat" not in history
    turn = game.turn().folder / "turn.yaml"
    turn.write_text(turn.read_text("utf-8").replace("2026-11-25T00:00Z", "2026-11-24T00:00Z"), "utf-8")
    assert "the deadline has changed, but no ruling says so" in command(tmp_path, "verify", "--history")
    turn.write_text(turn.read_text("utf-8").replace("2026-11-24T00:00Z", "2027-05-01T00:00Z"), "utf-8")
    assert "the deadline has changed, but no ruling says so" in command(tmp_path, "verify", "--history"), "far later"
    git("checkout", "-q", ".")
    kept = tmp_path / "games/game/absence/italy.2026-11-21.yaml"
    kept.write_text(kept.read_text("utf-8").replace("last: 2026-11-23", "last: 2026-11-22"), "utf-8")
    assert "italy.2026-11-21.yaml: this absence was changed" in command(tmp_path, "verify", "--history")
    kept.unlink()
    said = command(tmp_path, "verify", "--history")
    assert "italy.2026-11-21.yaml: this absence is gone" in said


@pytest.mark.parametrize(
    ("first", "last", "what"),
    [
        ("2026-11-19", "2026-11-23", "2026-11-19 is over: today is 2026-11-20 in the game's time zone"),
        ("2026-11-24", "2026-11-23", "2026-11-23 is before 2026-11-24"),
        ("2026-11-24", "2026-13-01", "'2026-13-01' is not a day; write it like 2026-12-20"),
        ("20261124", "2026-11-30", "'20261124' is not a day"),
        ("2026-12-20", "2026-12-28", "that would be 13 days in 2026, and this game gives each player 10 days; you have 6 days left in 2026"),
        ("2026-11-25", "2026-12-01", "an absence of Italy from 2026-11-25 to 2026-11-28 is announced already"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_absence_is_said(tmp_path: Path, first: str, last: str, what: str) -> None:
    Play(tmp_path, absences="10d")
    command(tmp_path, "away", "2026-11-25", "2026-11-28", "--seat", "Italy", "--at", "2026-11-20T08:00Z")
    said = command(tmp_path, "away", first, last, "--seat", "Italy", "--at", "2026-11-20T08:00Z")
    assert what in said
    assert len([*(tmp_path / "games/game/absence").iterdir()]) == 1


def test_days_count_by_calendar_year_and_once(tmp_path: Path) -> None:
    Play(tmp_path, absences="4d")
    at = ("--seat", "Italy", "--at", "2026-11-20T08:00Z")
    assert "is away" in command(tmp_path, "away", "2026-12-28", "2027-01-04", *at), "four days in each year"
    assert "is away" in command(tmp_path, "away", "2026-12-29", "2026-12-31", *at), "these days count already"
    assert "5 days in 2026" in command(tmp_path, "away", "2026-12-27", "2026-12-27", *at)
    assert "you have 0 days left in 2027" in command(tmp_path, "away", "2027-02-01", "2027-02-01", *at)


def test_without_the_rule_nobody_announces_absences(tmp_path: Path) -> None:
    Play(tmp_path)
    said = command(tmp_path, "away", "2026-11-25", "2026-11-28", "--seat", "Italy", "--at", "2026-11-20T08:00Z")
    assert "nobody announces absences in this game; ask its host for more time" in said


def test_a_link_in_place_of_the_folder_is_a_fault(tmp_path: Path) -> None:
    Play(tmp_path / "one", absences="10d")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "one/games/game/absence").symlink_to(tmp_path / "elsewhere")
    assert "games/game/absence: this is a link" in command(tmp_path / "one", "check")


# On the pages -----------------------------------------------------------------------------------------------------------


def test_pages_say_who_is_away_and_how_to_say_so(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="10d")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    away(game, "France", "2026-12-20", "2026-12-20")
    away(game, "Turkey", "2026-11-21", "2026-11-23", account=999)
    game.run("2026-11-20T09:00Z")
    story = load_story(game.archive, "game")
    assert story is not None
    page = str(turn_page(story, 0, "<svg></svg>", "../../../"))
    assert "Away: Italy (21 November 2026 to 23 November 2026)." in page
    whole = str(game_page(story, "../../", map_of(story, story.last)))
    assert "Each player can be away on 10 days a year." in whole
    assert "<td>France</td><td>20 December 2026</td>" in whole.replace("\n", "")
    assert "You play" not in whole, "without a repository there is nowhere to send it"


def test_pages_of_a_game_without_the_rule_say_nothing_of_it(tmp_path: Path) -> None:
    game = Play(tmp_path)
    story = load_story(game.archive, "game")
    assert story is not None
    assert "away" not in str(game_page(story, "../../", map_of(story, story.last)))


def test_the_deadlines_to_come_skip_the_days_when_somebody_is_away(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-24", "2026-11-26")
    away(game, "Italy", "2026-11-01", "2026-11-02")
    said = command(tmp_path, "schedule", "game", "--weeks", "1").splitlines()
    assert said[0].endswith("Spring 1901, movement, which is open now")
    assert [line.partition(",")[0] for line in said[:-1]] == ["Sun 22 Nov 2026", "Tue 24 Nov 2026", "Sat 28 Nov 2026"]
    assert said[-1] == (
        "away: Italy from 2026-11-24 to 2026-11-26; a deadline falls on such a day only if nobody waits for that seat"
    )


def test_a_deadline_to_come_shows_where_the_next_run_moves_it(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "2026-11-21", "2026-11-23")
    first = command(tmp_path, "schedule", "game", "--weeks", "1").splitlines()[0]
    assert first.endswith(
        "which is open now; the next run moves this to Wed 25 Nov 2026, 00:00 (UTC), because somebody is away"
    )


@pytest.mark.parametrize(
    ("first", "what"), [("9999-12-25", "is more than two years ahead"), ("2028-11-23", "is more than two")]
)
def test_a_year_that_is_far_off_is_doubted(tmp_path: Path, first: str, what: str) -> None:
    Play(tmp_path, absences="14d")
    assert what in command(tmp_path, "away", first, first, "--seat", "Italy", "--at", "2026-11-20T08:00Z")


def test_the_last_day_that_there_is_stops_no_other_game(tmp_path: Path) -> None:
    game = Play(tmp_path, absences="14d")
    away(game, "Italy", "9999-12-01", "9999-12-30")
    path = game.turn().folder / "turn.yaml"
    path.write_text(
        path.read_text("utf-8").replace("deadline: 2026-11-22T00:00Z", "deadline: 9999-12-31T18:00Z"), "utf-8"
    )
    assert might_be_due(game.archive, "game", "2026-11-20T09:00Z")
    said = command(tmp_path, "schedule", "game")
    assert "out of range" in said


def test_a_schedule_in_a_file_without_a_length_is_named(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text("absences: 14d\nout: {in_row: 2}\nremind: 3h\n")
    (tmp_path / "ours/games").mkdir(parents=True)
    said = command(tmp_path / "ours", "new", "k", "--schedule", str(file))
    assert "nothing says how long a turn stays open" in said
