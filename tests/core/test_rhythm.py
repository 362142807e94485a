"""A host's rhythm: days of the week and of the month, by kind of turn; early and late turns; misses that are counted (HO-1, HO-2, HO-8)."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.schedule import (
    Out,
    Rhythm,
    Schedule,
    counts_from,
    in_zone,
    judge_or_wait,
    next_deadline,
    read_time,
    takes_sheet,
    write_time,
)
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.run import might_be_due, run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.text.codec import encode, load
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.judge import as_open
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.core.test_deadlines import SEATS, Play

pytestmark = pytest.mark.usefixtures("plain_maps")

WEEKLY = """
zone: America/New_York
days: [Monday, Thursday]
at: "19:00"
early: never
phases: {retreats: {turn: 24h, at: none, early: all}}
"""
"""Mondays and Thursdays 19:00 New York; retreats 24 hours after the report and as soon as all are in; moves and builds never early."""


def weekly() -> Schedule:
    return load(Schedule, WEEKLY.encode(), "schedule")


# When a deadline falls ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "after", "deadline"),
    [
        # A Friday; the next Monday, at 19:00 in New York.
        (weekly(), "2026-11-20T12:00Z", "2026-11-24T00:00Z"),
        # From one deadline to the next, over the end of summer time and over its beginning.
        (weekly(), "2026-10-29T23:00Z", "2026-11-03T00:00Z"),
        (weekly(), "2027-03-12T00:00Z", "2027-03-15T23:00Z"),
        # Twice a month, on days that many months lack.
        (Schedule(dates=(1, 15), at="18:00"), "2026-11-20T00:00Z", "2026-12-01T18:00Z"),
        (Schedule(dates=(31,), at="18:00"), "2027-01-31T18:00Z", "2027-03-31T18:00Z"),
        # At least so long: Thursday is too near.
        (Schedule(days=("Monday", "Thursday"), at="18:00", least="2d"), "2026-11-25T00:00Z", "2026-11-30T18:00Z"),
        (Schedule(days=("Monday", "Thursday"), at="18:00", least="1d"), "2026-11-25T00:00Z", "2026-11-26T18:00Z"),
        # A day of play that is a holiday.
        (Schedule(days=("Thursday",), at="18:00", holidays=("2026-11-26",)), "2026-11-20T00:00Z", "2026-12-03T18:00Z"),
        # Saturdays count, but nothing is due on them: two days from Thursday is Sunday at the same time.
        (Schedule(turn="2d", slide=("Saturday",)), "2026-11-19T18:00Z", "2026-11-22T18:00Z"),
        (Schedule(turn="2d", slide=("Saturday", "Sunday"), at="18:00"), "2026-11-19T18:00Z", "2026-11-23T18:00Z"),
        (Schedule(turn="2d", slide=("Saturday",)), "2026-11-20T18:00Z", "2026-11-22T18:00Z"),
    ],
)  # fmt: skip
def test_deadlines_fall_on_the_days_that_the_host_named(schedule: Schedule, after: str, deadline: str) -> None:
    assert [*schedule.faults()] == []
    assert next_deadline(schedule, "movement", after) == deadline


def test_a_kind_of_turn_keeps_what_it_does_not_change() -> None:
    schedule = weekly()
    retreats, moves = schedule.rhythm("retreats"), schedule.rhythm("movement")
    assert (moves.days, moves.at, moves.early, moves.turn) == (("Monday", "Thursday"), "19:00", "never", None)
    assert (retreats.days, retreats.at, retreats.early, retreats.turn) == (None, None, "all", "24h")
    assert next_deadline(schedule, "retreats", "2026-11-24T00:00Z") == "2026-11-25T00:00Z"
    assert next_deadline(schedule, "adjustments", "2026-11-25T00:00Z") == "2026-11-27T00:00Z"


def test_a_schedule_comes_back_the_same() -> None:
    assert load(Schedule, write(encode(weekly())).encode(), "schedule") == weekly()
    short = load(Schedule, b"turn: 3d\nphases: {retreats: 12h}\ngrace: 1d\n", "schedule")
    assert short == Schedule(turn="3d", phases={"retreats": Rhythm(turn="12h")}, grace=("1d",))
    assert load(Schedule, write(encode(short)).encode(), "schedule") == short


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("{turn: 3d, days: [Monday]}", ("days",), "`turn` and `days` both say when turns are due"),
        ("{days: [Lunedi]}", ("days", 0), "'Lunedi' is not a day of the week"),
        ("{dates: [0]}", ("dates", 0), "0 is not a day of the month"),
        ("{turn: 3d, grace: [48h, never]}", ("grace",), "'never' is not a length of time"),
        ("{turn: 3d, slide: [Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday]}", ("slide",), "every day is off"),
        ("{turn: 3d, early: final, delay: 30m}", ("delay",), "it counts only with `early: all`"),
        ("{turn: 3d, at: none}", ("at",), "the schedule has no time of day to take away"),
        ("{turn: 3d, out: {kinds: [movement]}}", ("out",), "it does not say after how many misses"),
        ("{turn: 3d, phases: {retreats: {least: soon}}}", ("phases", "retreats", "least"), "'soon' is not a length of time"),
    ],
)  # fmt: skip
def test_faults_of_a_rhythm_are_found(text: str, place: tuple[str | int, ...], what: str) -> None:
    assert [(at, said) for at, said, _ in load(Schedule, text.encode(), "schedule").faults()] == [(place, what)]


def test_impossible_dates_are_a_problem_and_not_an_endless_search() -> None:
    schedule = Schedule(dates=(24,), holidays=tuple(f"2027-{month:02}-24" for month in range(1, 13)), at="18:00")
    assert next_deadline(schedule, "movement", "2026-12-25T00:00Z") == "2028-01-24T18:00Z"


# After a grace (HO-2) -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "deadline", "closed", "following"),
    [
        (Schedule(turn="1d", zone="Europe/Berlin", at="18:00", grace=("1d",)), "2026-11-21T17:00Z", "2026-11-22T17:05Z", "2026-11-23T17:00Z"),
        (Schedule(turn="3d", zone="Europe/Berlin", at="19:00", grace=("2d",)), "2026-11-23T18:00Z", "2026-11-25T18:30Z", "2026-11-28T18:00Z"),
        (Schedule(turn="1d", at="18:00", grace=("48h", "none")), "2026-11-20T18:00Z", "2026-11-22T18:07Z", "2026-11-23T18:00Z"),
        (Schedule(turn="1d", at="18:00", grace=("48h", "none")), "2026-11-20T18:00Z", "2026-11-20T18:07Z", "2026-11-21T18:00Z"),
    ],
)  # fmt: skip
def test_a_turn_judged_at_the_end_of_its_grace_delays_the_next_by_the_grace_alone(
    schedule: Schedule, deadline: str, closed: str, following: str
) -> None:
    assert next_deadline(schedule, "movement", counts_from(schedule, "movement", deadline, closed)) == following


# Early, never early, a little later ---------------------------------------------------------------------------------------


def test_a_turn_that_is_never_early_waits_for_its_deadline(tmp_path: Path) -> None:
    game = Play(tmp_path, early="never")
    game.sheets(final=True)
    assert game.turn().data.early == "never"
    assert game.run("2026-11-21T23:59Z") == []
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]
    game.check()


@pytest.mark.parametrize("sealed", [False, True])
def test_all_sheets_are_enough_where_the_schedule_says_so(tmp_path: Path, sealed: bool) -> None:
    game = Play(tmp_path, sealed=sealed, early="all", least="12h")
    game.sheets("Italy")
    assert game.turn().data.earliest == "2026-11-20T12:00Z"
    assert game.run("2026-11-20T18:00Z") == [], "Italy has sent nothing"
    game.sheet("Italy")
    assert game.run("2026-11-20T11:59Z") == [], "the turn is open for twelve hours at least"
    assert game.run("2026-11-20T18:30Z") == ["resolved 001", "opened 002"]
    game.check()


@pytest.mark.parametrize("sealed", [False, True])
def test_once_all_are_in_the_deadline_moves_forward_by_the_delay(tmp_path: Path, sealed: bool) -> None:
    game = Play(tmp_path, sealed=sealed, early="all", delay="30m")
    game.sheets()
    assert game.run("2026-11-20T18:00Z") == ["all in 001"]
    assert game.turn().data.deadline == "2026-11-20T18:30Z"
    game.sheet("Italy", "A Venice - Tyrolia")
    assert game.run("2026-11-20T18:29Z") == [], "it moves only once"
    assert game.run("2026-11-20T18:30Z") == ["resolved 001", "opened 002"]
    assert "A Venice - Tyrolia" in [verdict.order for verdict in game.turn(1).data.verdicts]
    game.sheets()
    assert game.run("2026-11-22T18:10Z") == [], "half an hour would be later than the deadline"
    assert game.run("2026-11-22T18:30Z") == ["resolved 002", "opened 003"]
    game.check()


def test_the_history_of_a_turn_that_moved_forward_is_in_order(tmp_path: Path) -> None:
    """Only a turn that its schedule judges once all are in; other deadlines need a ruling, and civil disorder may come by one."""
    game = Play(tmp_path, early="all", delay="30m", phases={"adjustments": "1d"})

    def saved() -> str:
        run = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *run, "add", "-A"], cwd=tmp_path, check=True)
        subprocess.run(["git", *run, "commit", "-qm", "x"], cwd=tmp_path, check=True)
        return CliRunner().invoke(main, ["-C", str(tmp_path), "verify", "--history"]).output

    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    saved()
    game.sheets()
    saved()
    assert game.run("2026-11-20T18:00Z") == ["all in 001"]
    said = saved()
    assert "its deadline moved forward, as the schedule says" in said
    assert "error" not in said
    game.run("2026-11-20T18:30Z")
    game.rule({"reason": "Away.", "absent": "Italy"})
    game.run("2026-11-20T18:40Z")
    assert "error" not in saved()
    path = game.turn().folder / "turn.yaml"
    text = path.read_text("utf-8")
    path.write_text(text.replace("deadline: 2026-11-22T18:30Z", "deadline: 2026-11-23T18:30Z"), "utf-8")
    assert "the deadline has changed, but no ruling says so" in saved()


# `proceed` proceeds (HO-1) ------------------------------------------------------------------------------------------------

GO_ON = {"reason": "We go on.", "proceed": True}


def test_proceed_ends_a_grace(tmp_path: Path) -> None:
    game = Play(tmp_path, grace="2d")
    game.sheets("Italy")
    game.rule(GO_ON)
    assert game.run("2026-11-22T20:00Z") == ["ruled 001", "resolved 001", "opened 002"]


def test_proceed_judges_before_the_deadline_if_every_sheet_is_in(tmp_path: Path) -> None:
    game = Play(tmp_path)
    game.sheets()
    game.rule(GO_ON)
    assert game.run("2026-11-20T20:00Z") == ["ruled 001", "resolved 001", "opened 002"]


def test_proceed_judges_a_game_without_deadlines(tmp_path: Path) -> None:
    game = Play(tmp_path, timed=False)
    game.sheets("Italy")
    assert game.run("2026-11-20T20:00Z") == []
    game.rule(GO_ON)
    assert game.run("2026-11-20T20:00Z") == ["ruled 001", "resolved 001", "opened 002"]


# One seat (HO-8) ----------------------------------------------------------------------------------------------------------


def test_the_host_puts_one_seat_into_civil_disorder(tmp_path: Path) -> None:
    game = Play(tmp_path, grace="2d")
    game.rule({"reason": "Ida wrote that she is away.", "absent": "Italy"})
    game.sheets("Italy", final=True)
    assert game.run("2026-11-20T20:00Z") == ["ruled 001", "resolved 001", "opened 002"], "nobody waits for Italy"
    assert game.turn().data.absent == ("Italy",)
    game.sheet("Italy")
    game.sheets("Italy", final=True)
    assert game.run("2026-11-20T21:00Z") == ["resolved 002", "opened 003"]
    assert game.turn().data.absent == (), "a sheet brings it back"
    game.check()


def test_a_seat_that_the_host_vacates_is_not_waited_for(tmp_path: Path) -> None:
    game = Play(tmp_path, timed=False)
    game.rule({"reason": "Ida left.", "replace": {"seat": "Italy", "player": "open"}})
    game.sheets("Italy", final=True)
    assert game.run("2026-11-20T20:00Z") == ["ruled 001", "resolved 001", "opened 002"]
    game.rule({"reason": "Iris takes over.", "replace": {"seat": "Italy", "player": "Iris", "account": 900}})
    game.sheets("Italy", final=True)
    assert game.run("2026-11-20T21:00Z") == ["ruled 002"], "the new player is waited for"
    assert game.turn().data.absent == ()
    game.check()


# Misses ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sealed", [False, True])
def test_the_first_miss_gets_a_grace_and_later_ones_none(tmp_path: Path, sealed: bool) -> None:
    game = Play(tmp_path, sealed=sealed, grace=["48h", "none"])
    game.sheets("Italy")
    assert game.run("2026-11-22T00:00Z") == []
    assert game.run("2026-11-24T00:00Z") == ["resolved 001", "opened 002"]
    assert encode(game.turn().data)["misses"] == {"Italy": {"in_row": 1, "in_all": 1}}
    assert game.turn().data.deadline == "2026-11-26T00:00Z"
    game.sheets("Italy")
    assert game.run("2026-11-26T00:00Z") == ["resolved 002", "opened 003"], "no grace a second time"
    game.sheets("France")
    assert game.run("2026-11-28T00:00Z") == [], "France misses for the first time"
    game.check()


@pytest.mark.parametrize("sealed", [False, True])
def test_a_seat_is_out_after_two_misses_in_a_row_or_three_in_all(tmp_path: Path, sealed: bool) -> None:
    game = Play(tmp_path, sealed=sealed, out={"in_row": 2, "in_all": 3})
    told = []
    for number, missing in enumerate((("Italy", "France"), ("Italy",), ("France",), (), ("France",)), 1):
        game.sheets(*missing)
        game.run(write_time(datetime(2026, 11, 20, tzinfo=UTC) + timedelta(days=2 * number)))
        told.append(game.turn().data.absent)
    assert told == [(), ("Italy",), ("Italy",), ("Italy",), ("France", "Italy")]
    story = load_story(Archive(tmp_path), "game")
    assert story is not None
    page = str(turn_page(story, len(story.turns) - 1, "<svg></svg>", "../../../", legend=""))
    assert "Turns missed before this one: France 3 turns and Italy 2 turns." in page
    game.rule({"reason": "Iris takes over.", "replace": {"seat": "Italy", "player": "Iris", "account": 900}})
    game.run("2026-11-30T01:00Z")
    assert game.turn().data.absent == ("France",)
    assert "Italy" not in (game.turn().data.misses or {}), "a new player begins without misses"
    game.check()


def test_only_the_kinds_of_turns_that_count_are_counted(tmp_path: Path) -> None:
    schedule = Schedule(turn="1d", out=Out(in_row=2, kinds=("movement",)))
    assert schedule.counts_misses
    game = Play(tmp_path, out={"in_row": 1, "kinds": ["adjustments"]})
    game.run("2026-11-22T00:00Z")
    assert (game.turn().data.absent, game.turn().data.misses) == ((), None)


# A quarter of a year by the rules of a weekly host (PbF-weekly) ---------------------------------------------------------------

NEW_YORK = ZoneInfo("America/New_York")


def as_the_host_would(kind: str, opened: datetime) -> datetime:
    """The deadline that the published rules give, by a calendar on the wall: a second reading, without the schedule's code."""
    if kind == "retreats":
        return opened + timedelta(hours=24)
    day = opened.astimezone(NEW_YORK).date()
    while True:
        due = datetime.combine(day, time(19), NEW_YORK).astimezone(UTC)
        if day.strftime("%w") in "14" and due > opened:
            return due
        day += timedelta(days=1)


def test_a_quarter_of_a_year_by_the_rules_of_a_weekly_host(tmp_path: Path) -> None:
    """Late, missing and replaced players, a deadline moved with notice, and summer time: every deadline is as the host would have set it."""
    dice, seen = random.Random(20270201), Counter[str]()
    archive = Archive(tmp_path)
    (tmp_path / "games").mkdir()
    new_charter(archive)
    seats = {seat: {"player": f"{seat}’s player", "account": 101 + at} for at, seat in enumerate(SEATS)}
    schedule = load(dict[str, Any], WEEKLY.encode(), "schedule")
    new_game(archive, "game", {"ruleset": "diplomacy", "title": "A game", "opened": "2027-02-01", "seats": seats,
                               "seed": "s", "schedule": schedule})  # fmt: skip
    now, end = datetime(2027, 2, 1, 0, 7, tzinfo=UTC), datetime(2027, 5, 1, tzinfo=UTC)
    began, extended = datetime(2027, 2, 1, tzinfo=UTC), False
    arrivals: dict[str, datetime] = {}
    planned = ""
    while now < end:
        game = load_game(archive, "game")
        turn = load_turn(archive, game, archive.turns("game")[-1])
        data, kind = turn.data, game.ruleset.kind(turn.data.position)
        assert data.deadline is not None
        due = read_time(data.deadline)
        if turn.name != planned:
            planned = turn.name
            seen["late"] += sum(when < end for when in arrivals.values())  # for a turn that is judged by now
            assert due == as_the_host_would(kind, began), (turn.name, began, due)
            seen[kind] += 1
            span = (due - now).total_seconds()
            # One in twelve sends nothing, and one in twelve is up to a day late.
            arrivals = {
                seat: now + timedelta(seconds=span * dice.uniform(0.05, 0.95)) if (fate := dice.randrange(12)) > 1
                else due + timedelta(hours=dice.uniform(1, 24)) if fate else end
                for seat in data.owing
            }  # fmt: skip
            if seen["movement"] == 6 and kind == "movement" and not extended:
                extended = True
                ruling = {"reason": "Half of us are at a wedding.", "extend": write_time(due + timedelta(days=2))}
                (turn.folder / "ruling.yaml").write_text(write({"rulings": [ruling]}), encoding="utf-8")
                began = due
            if seen["movement"] == 9 and kind == "movement" and not (turn.folder / "ruling.yaml").exists():
                new = {"seat": "Italy", "player": "Iris", "account": 900}
                (turn.folder / "ruling.yaml").write_text(
                    write({"rulings": [{"reason": "Ida left us.", "replace": new}]}), encoding="utf-8"
                )
                seen["replaced"] += 1
        at = write_time(now)
        for seat, when in sorted(arrivals.items()):
            if when <= now:
                del arrivals[seat]
                assert takes_sheet(judge_or_wait(as_open(game, data), at), first=True)
                lines = [line.orders[0] for line in game.ruleset.rules.options(data.position, seat) if line.orders]
                by_unit = {" ".join(line.split(" ")[:2]): line for line in dice.sample(lines, len(lines))}
                orders = turn.folder / "orders"
                orders.mkdir(exist_ok=True)
                path = orders / f"{seat.lower()}.yaml"
                path.write_text(write({"orders": [*by_unit.values()], "final": True}), encoding="utf-8")
        steps = []
        if might_be_due(archive, "game", at):
            with archive.writing():
                steps = [step.what for step in run_game(archive, "game", at=at)]
        if "resolved" in steps:
            early, in_time = now < due, due <= now < due + timedelta(hours=1)
            extra = timedelta(days=2) if extended and seen["moved"] == 0 and seen["movement"] == 6 else timedelta()
            if extra:
                seen["moved"] += 1
                early, in_time = now < due, True
            assert in_time or (early and kind == "retreats"), (turn.name, due, now)
            seen["early"] += early
            seen["missing"] += len(data.owing) > len([*(turn.folder / "orders").glob("*.yaml")])
            began = due if not early else now.replace(second=0)
        now += timedelta(hours=1)
    assert seen["movement"] + seen["adjustments"] >= 25, seen
    assert all(seen[what] for what in ("retreats", "adjustments", "early", "late", "missing", "moved", "replaced")), (
        seen
    )
    assert [str(fault) for fault in verify_game(archive, "game").problems] == []


# The deadlines to come ----------------------------------------------------------------------------------------------------------------


def test_schedule_prints_the_deadlines_to_come(tmp_path: Path) -> None:
    runner, file = CliRunner(), tmp_path / "weekly.yaml"
    file.write_text(WEEKLY, encoding="utf-8")
    made = runner.invoke(
        main, ["-C", str(tmp_path), "new", "g", "--here", "--opened", "2026-11-20", "--schedule", str(file)]
    )
    assert made.exit_code == 0, made.output
    assert "  Mon 23 Nov 2026, 19:00 (UTC-5): Spring 1901, movement, which is open now" in made.output.splitlines()
    shown = runner.invoke(main, ["-C", str(tmp_path), "schedule", "g", "--weeks", "1"])
    assert shown.output.splitlines() == [
        "Mon 23 Nov 2026, 19:00 (UTC-5): Spring 1901, movement, which is open now",
        "Thu 26 Nov 2026, 19:00 (UTC-5): movement or adjustments",
        "Mon 30 Nov 2026, 19:00 (UTC-5): movement or adjustments",
        (
            "retreats, if they come after one of these: Tue 24 Nov 2026, 19:00 (UTC-5); Fri 27 Nov 2026, 19:00 (UTC-5); "
            "Tue 1 Dec 2026, 19:00 (UTC-5)"
        ),
    ]
    bare = runner.invoke(main, ["-C", str(tmp_path), "new", "bare", "--opened", "2026-11-20"])
    assert bare.exit_code == 0
    none = runner.invoke(main, ["-C", str(tmp_path), "schedule", "bare"])
    assert none.exit_code == 1
    assert "this game has no schedule, so its turns have no deadlines" in none.output


@pytest.mark.parametrize(
    ("zone", "at", "text"),
    [
        ("UTC", "2026-12-03T19:00Z", "Thu 3 Dec 2026, 19:00 (UTC)"),
        ("Asia/Kolkata", "2026-12-03T19:00Z", "Fri 4 Dec 2026, 00:30 (UTC+5:30)"),
        ("America/St_Johns", "2026-12-03T02:00Z", "Wed 2 Dec 2026, 22:30 (UTC-3:30)"),
    ],
)
def test_times_are_written_in_the_zone_of_the_schedule(zone: str, at: str, text: str) -> None:
    assert in_zone(Schedule(zone=zone), at) == text
