"""Deadlines in every zone and season, and runs at them: the seats they wait for, for how long, and the next step."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adjudicator.cli import main
from adjudicator.core.files.disk import Disk
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import MissingSheets
from adjudicator.core.game.game import seat_file
from adjudicator.core.game.schedule import (
    WEEKDAYS,
    Rhythm,
    Schedule,
    closing,
    counts_from,
    next_deadline,
    read_time,
    write_time,
    zone_named,
)
from adjudicator.core.jobs.coming import coming_faults
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.run import might_be_due, run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.jobs.waiting import waiting
from adjudicator.core.secrets.age import encrypt
from adjudicator.core.secrets.envelope import Envelope, envelope_text
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn, ruling_text
from adjudicator.core.turn.sheets import sheet_name
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from adjudicator.site.words import in_words
from tests.conftest import examples, first_of

pytestmark = pytest.mark.usefixtures("plain_maps")

LAW = examples(60)
MASTER = "courtly-master-1-" + "5a" * 32
SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
FIRST = "001-spring-1901-movement"
KINDS = ("movement", "retreats", "adjustments")


# A game to play ---------------------------------------------------------------------------------------------------


class Play:
    """A game of Diplomacy, unsealed or sealed, that opened at midnight (UTC) of 20 November 2026, a Friday."""

    def __init__(self, root: Path, *, sealed: bool = False, timed: bool = True, **schedule: Any) -> None:
        self.root = root
        self.sealed = sealed
        self.archive = Archive(root, read_masters(MASTER, "test") if sealed else None)
        (root / "games").mkdir(parents=True)
        new_charter(self.archive)
        seats = {seat: {"player": f"{seat}’s player", "account": 101 + at} for at, seat in enumerate(SEATS)}
        data: dict[str, Any] = {"ruleset": "diplomacy", "title": "A game", "opened": "2026-11-20", "seats": seats}
        data |= {"sealed": True} if sealed else {"seed": "s"}
        length = {} if {"days", "dates"} & {*schedule} else {"turn": "2d"}
        new_game(self.archive, "game", data | ({"schedule": length | schedule} if timed else {}))

    def copy(self, root: Path) -> Play:
        """A copy of the game, which can go on differently."""
        made = copy(self)
        shutil.copytree(self.root, root)
        made.root, made.archive = root, Archive(root, self.archive.masters)
        return made

    @property
    def turns(self) -> list[str]:
        return self.archive.turns("game")

    def turn(self, number: int = 0) -> Turn:
        """The turn with this number; without one, the latest."""
        return load_turn(self.archive, load_game(self.archive, "game"), self.turns[number - 1])

    def sheet(self, seat: str, *orders: str, account: int | None = None, unnamed: bool = False, **said: Any) -> Path:
        """Send a sheet for the open turn: sealed if the game is."""
        turn = self.turn()
        folder = turn.folder / "orders"
        folder.mkdir(exist_ok=True)
        number = 1 + len([*folder.glob(f"{seat_file(seat)}.*")])
        plain = {"orders": list(orders)} | said
        path = folder / sheet_name(seat, number, sealed=self.sealed)
        if not self.sealed:
            path.write_text(write(plain), encoding="utf-8")
            return path
        assert turn.data.seal is not None
        envelope = Envelope(
            archive=turn.game.archive,
            game="game",
            turn=turn.name,
            seat=seat,
            account=None if unnamed else account or 101 + SEATS.index(seat),
            sequence=number,
            nonce="0" * 32,
            sheet=plain,
        )
        path.write_bytes(encrypt(envelope_text(envelope), [turn.data.seal.recipient], armored=True))
        return path

    def sheets(self, *but: str, **said: Any) -> None:
        """Send an empty sheet for every seat that the turn waits for, except these."""
        for seat in self.turn().data.owing:
            if seat not in but:
                self.sheet(seat, **said)

    def rule(self, *rulings: dict[str, Any]) -> Path:
        """Add rulings to those of the open turn."""
        path = self.turn().folder / "ruling.yaml"
        before: Any = read(path.read_bytes(), "ruling.yaml").data if path.exists() else {"rulings": []}
        path.write_text(write({"rulings": [*before["rulings"], *rulings]}), encoding="utf-8")
        return path

    def run(self, at: str, *, now: bool = False) -> list[str]:
        """Steps of a run at this time. Asserts that `might_be_due` expected every one of them."""
        expected = might_be_due(self.archive, "game", at)
        with self.archive.writing():
            done = [f"{step.what} {step.turn[:3]}" for step in run_game(self.archive, "game", at=at, now=now)]
            assert expected or now or not done, "might_be_due said no"
            assert list(run_game(self.archive, "game", at=at)) == [], "a second run changes nothing"
        return done

    def check(self) -> None:
        """Verify that every judged turn gives the same result again, with the master secret and without it."""
        with_keys = verify_game(self.archive, "game")
        assert [str(fault) for fault in with_keys.problems] == []
        assert verify_game(Archive(self.root), "game") == with_keys
        assert with_keys.turns == sum(self.turn(at).data.status == "resolved" for at in range(1, len(self.turns) + 1))


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Play]]:
    """Make games, and verify each of them at the end of the test."""
    made: list[Play] = []

    def make(**options: Any) -> Play:
        made.append(Play(tmp_path / f"archive-{len(made)}", **options))
        return made[-1]

    yield make
    for game in made:
        game.check()


both = pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
JUDGED = ["resolved 001", "opened 002"]


# When a deadline falls --------------------------------------------------------------------------------------------

WEEKEND = ("Saturday", "Sunday")
ONLY_WEDNESDAYS = tuple(day for day in WEEKDAYS if day != "Wednesday")
BERLIN, KATHMANDU = "Europe/Berlin", "Asia/Kathmandu"


@pytest.mark.parametrize(
    ("schedule", "after", "deadline"),
    [
        # Days off do not count.
        (Schedule(turn="2d", days_off=WEEKEND), "2026-11-20T18:00Z", "2026-11-24T18:00Z"),
        (Schedule(turn="2d", days_off=WEEKEND, zone=BERLIN), "2026-11-20T17:00Z", "2026-11-24T17:00Z"),
        (Schedule(turn="1d", days_off=WEEKEND), "2026-11-21T12:00Z", "2026-11-24T00:00Z"),
        (Schedule(turn="1h", days_off=WEEKEND), "2026-11-20T22:59Z", "2026-11-20T23:59Z"),
        (Schedule(turn="1h", days_off=WEEKEND), "2026-11-20T23:01Z", "2026-11-23T00:01Z"),
        # Exactly midnight: it belongs to the day that begins.
        (Schedule(turn="2d"), "2026-11-19T00:00Z", "2026-11-21T00:00Z"),
        (Schedule(turn="2d", days_off=WEEKEND), "2026-11-19T00:00Z", "2026-11-23T00:00Z"),
        (Schedule(turn="1d", days_off=WEEKEND), "2026-11-19T00:00Z", "2026-11-20T00:00Z"),
        (Schedule(turn="1h", holidays=("2026-11-20",)), "2026-11-19T23:00Z", "2026-11-21T00:00Z"),
        (Schedule(turn="1d", at="00:00"), "2026-11-19T00:00Z", "2026-11-20T00:00Z"),
        (Schedule(turn="1d", at="00:00"), "2026-11-19T00:01Z", "2026-11-21T00:00Z"),
        # The time of day: a turn that begins exactly at that time counts from it.
        (Schedule(turn="1d", at="18:00"), "2026-11-19T18:00Z", "2026-11-20T18:00Z"),
        (Schedule(turn="1d", at="18:00"), "2026-11-19T17:59Z", "2026-11-20T18:00Z"),
        (Schedule(turn="1d", at="18:00"), "2026-11-19T18:01Z", "2026-11-21T18:00Z"),
        (Schedule(turn="1d", at="18:00", days_off=WEEKEND), "2026-11-19T18:01Z", "2026-11-23T18:00Z"),
        (Schedule(turn="12h", at="09:00", days_off=("Friday",)), "2026-11-19T22:00Z", "2026-11-22T09:00Z"),
        # The night when Berlin goes from 02:00 to 03:00, and the night when it goes from 03:00 to 02:00.
        (Schedule(turn="1d", zone=BERLIN), "2026-03-28T17:00Z", "2026-03-29T17:00Z"),
        (Schedule(turn="1d", zone=BERLIN, at="18:00"), "2026-03-28T16:00Z", "2026-03-29T16:00Z"),
        (Schedule(turn="1d", zone=BERLIN, at="18:00"), "2026-10-24T16:00Z", "2026-10-25T17:00Z"),
        (Schedule(turn="1h", zone=BERLIN, at="02:30"), "2026-03-28T23:00Z", "2026-03-29T01:30Z"),
        (Schedule(turn="1h", zone=BERLIN, at="02:30"), "2026-10-24T23:00Z", "2026-10-25T00:30Z"),
        (Schedule(turn="1h", zone=BERLIN, at="02:30"), "2026-10-24T23:45Z", "2026-10-26T01:30Z"),
        (Schedule(turn="2d", zone=BERLIN, days_off=WEEKEND), "2026-03-27T17:00Z", "2026-03-31T16:00Z"),
        (Schedule(turn="2d", zone=BERLIN, days_off=WEEKEND), "2026-10-23T16:00Z", "2026-10-27T17:00Z"),
        (Schedule(turn="2d", zone=BERLIN, days_off=("Monday",)), "2026-03-28T17:00Z", "2026-03-31T17:00Z"),
        (Schedule(turn="2d", zone=BERLIN, days_off=("Monday",)), "2026-10-24T16:00Z", "2026-10-27T16:00Z"),
        (Schedule(turn="1d", zone=BERLIN, holidays=("2026-03-29",)), "2026-03-28T23:00Z", "2026-03-30T22:00Z"),
        (Schedule(turn="1d", zone=BERLIN, holidays=("2026-10-25",)), "2026-10-24T22:00Z", "2026-10-26T23:00Z"),
        # Zones whose offset from UTC is not in whole hours, or that change by half an hour, or at midnight.
        (Schedule(turn="1d", zone=KATHMANDU, at="06:00"), "2026-11-19T00:15Z", "2026-11-20T00:15Z"),
        (Schedule(turn="1d", zone=KATHMANDU, at="06:00"), "2026-11-19T00:16Z", "2026-11-21T00:15Z"),
        (Schedule(turn="1h", zone=KATHMANDU, days_off=("Saturday",)), "2026-11-20T17:30Z", "2026-11-21T18:30Z"),
        (Schedule(turn="1h", zone=KATHMANDU, days_off=("Saturday",)), "2026-11-20T17:14Z", "2026-11-20T18:14Z"),
        (Schedule(turn="1h", zone=KATHMANDU, days_off=("Saturday",)), "2026-11-20T17:15Z", "2026-11-21T18:15Z"),
        (Schedule(turn="1d", zone="Australia/Lord_Howe", at="12:00"), "2026-10-03T01:30Z", "2026-10-05T01:00Z"),
        (Schedule(turn="1d", zone="America/Havana", days_off=("Saturday",)), "2026-03-07T05:00Z", "2026-03-09T05:00Z"),
        (Schedule(turn="1d", zone="America/Havana", days_off=("Saturday",)), "2026-10-31T04:00Z", "2026-11-02T04:00Z"),
        # A year's end, and a leap day.
        (Schedule(turn="1d"), "2026-12-31T18:00Z", "2027-01-01T18:00Z"),
        (
            Schedule(turn="1d", holidays=("2026-12-31", "2027-01-01")), "2026-12-30T12:00Z", "2027-01-02T12:00Z"
        ),
        (Schedule(turn="1h", zone=BERLIN, at="00:30"), "2026-12-31T22:15Z", "2026-12-31T23:30Z"),
        (Schedule(turn="1d"), "2028-02-28T18:00Z", "2028-02-29T18:00Z"),
        # Everything off but one day of the week, for short turns and for long ones.
        (Schedule(turn="12h", days_off=ONLY_WEDNESDAYS), "2026-11-20T18:00Z", "2026-11-25T12:00Z"),
        (Schedule(turn="36h", days_off=ONLY_WEDNESDAYS), "2026-11-20T18:00Z", "2026-12-02T12:00Z"),
        (Schedule(turn="1d", days_off=ONLY_WEDNESDAYS), "2026-11-20T18:00Z", "2026-12-02T00:00Z"),
        (Schedule(turn="1h", days_off=ONLY_WEDNESDAYS, at="20:00"), "2026-11-25T20:00Z", "2026-12-02T20:00Z"),
        (Schedule(turn="100d", days_off=ONLY_WEDNESDAYS), "2026-11-20T18:00Z", "2028-10-25T00:00Z"),
        (Schedule(turn="999d", days_off=ONLY_WEDNESDAYS), "2026-11-20T18:00Z", "2046-01-17T00:00Z"),
    ],
)  # fmt: skip
def test_worked_examples_of_deadlines_come_out_right(schedule: Schedule, after: str, deadline: str) -> None:
    assert list(schedule.faults()) == []
    assert next_deadline(schedule, "movement", after) == deadline


@pytest.mark.parametrize(
    ("kind", "deadline"),
    [("movement", "2026-11-24T17:00Z"), ("retreats", "2026-11-20T17:00Z"), ("adjustments", "2026-11-23T17:00Z")],
)
def test_each_kind_of_turn_has_its_own_length_in_days_that_count(kind: str, deadline: str) -> None:
    schedule = Schedule(
        turn="2d",
        phases={"retreats": Rhythm(turn="6h"), "adjustments": Rhythm(turn="1d")},
        zone=BERLIN,
        at="18:00",
        days_off=WEEKEND,
    )
    assert next_deadline(schedule, kind, "2026-11-20T11:00Z") == deadline


def test_the_deadline_of_a_game_is_that_of_its_schedule(play: Callable[..., Play]) -> None:
    game = play(turn="2d", zone=BERLIN, at="18:00", days_off=["Saturday"], holidays=["2026-11-22"], grace="6h")
    assert game.turn().data.deadline == "2026-11-24T17:00Z"
    assert game.run("2026-11-24T22:59Z") == []
    assert game.run("2026-11-24T23:00Z") == JUDGED
    assert (game.turn(1).data.closed, game.turn(2).data.deadline) == ("2026-11-24T23:00Z", "2026-11-26T17:00Z")


@pytest.mark.parametrize(
    ("closed", "deadline"),
    [
        ("2026-11-20T18:00Z", "2026-11-21T18:00Z"),
        ("2026-11-20T18:07Z", "2026-11-21T18:00Z"),
        ("2026-11-21T00:00Z", "2026-11-21T18:00Z"),
        ("2026-11-21T00:01Z", "2026-11-22T18:00Z"),
        ("2026-11-20T09:00Z", "2026-11-21T18:00Z"),
    ],
)
def test_a_daily_game_that_is_judged_some_minutes_late_stays_daily(closed: str, deadline: str) -> None:
    schedule = Schedule(turn="1d", at="18:00")
    after = counts_from(schedule, "movement", "2026-11-20T18:00Z", closed)
    assert next_deadline(schedule, "movement", after) == deadline


def test_lateness_is_forgiven_for_a_quarter_of_a_short_turn_at_most() -> None:
    def found(closed: str) -> str | None:
        schedule = Schedule(turn="2h")
        return next_deadline(schedule, "movement", counts_from(schedule, "movement", "2026-11-20T18:00Z", closed))

    assert (found("2026-11-20T18:30Z"), found("2026-11-20T18:31Z")) == ("2026-11-20T20:00Z", "2026-11-20T20:31Z")
    assert counts_from(None, "movement", "2026-11-20T18:00Z", "2026-11-20T18:01Z") == "2026-11-20T18:01Z"
    assert counts_from(Schedule(), "movement", "2026-11-20T18:00Z", None) == "2026-11-20T18:00Z"


@pytest.mark.parametrize("at", [None, "18:00"])
def test_a_schedule_without_a_day_that_counts_is_reported(at: str | None) -> None:
    def deadline(off: int) -> str | None:
        days = tuple((date(2026, 11, 21) + timedelta(days=n)).isoformat() for n in range(off))
        return next_deadline(Schedule(turn="12h", holidays=days, at=at), "movement", "2026-11-20T18:00Z")

    assert deadline(399) == ("2027-12-25T06:00Z" if at is None else "2027-12-25T18:00Z")
    with pytest.raises(Problems) as caught:
        deadline(402)
    assert str(caught.value) == "400 days in a row are off; take some days out of `days_off` or `holidays`"


def test_the_grace_is_counted_from_the_deadline() -> None:
    assert closing(Schedule(grace=("1d12h",)), "movement", "2026-12-31T18:00Z") == datetime(
        2027, 1, 2, 6, 0, tzinfo=UTC
    )
    assert closing(Schedule(), "movement", "2026-12-31T18:00Z") == datetime(2026, 12, 31, 18, 0, tzinfo=UTC)
    assert closing(None, "movement", "2026-12-31T18:00Z") == datetime(2026, 12, 31, 18, 0, tzinfo=UTC)
    assert closing(Schedule(grace=("1d",)), "movement", None) is None


def test_a_grace_after_the_end_of_time_is_a_problem() -> None:
    with pytest.raises(Problems, match="out of range"):
        closing(Schedule(grace=("2d",)), "movement", "9999-12-31T00:00Z")


# Laws of deadlines ------------------------------------------------------------------------------------------------

ZONES = (
    "UTC", BERLIN, KATHMANDU, "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Chatham",
    "Pacific/Kiritimati", "Africa/Cairo", "America/Havana", "Asia/Beirut",
)  # fmt: skip
DAYS = st.dates(date(2025, 12, 1), date(2028, 4, 1))
LENGTHS = st.builds("{}m".format, st.integers(1, 7200))
CLOCKS = st.builds("{:02d}:{:02d}".format, st.integers(0, 23), st.integers(0, 59))
STARTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC)).map(write_time)  # noqa: DTZ001
SCHEDULES = st.builds(
    Schedule,
    turn=LENGTHS,
    zone=st.sampled_from(ZONES),
    at=st.none() | CLOCKS,
    days_off=st.lists(st.sampled_from(WEEKDAYS), max_size=6, unique=True).map(tuple),
    holidays=st.lists(DAYS.map(str), max_size=6, unique=True).map(tuple),
)


@st.composite
def near(draw: st.DrawFn) -> tuple[Schedule, str]:
    """A schedule and a start, with holidays around it."""
    schedule, start = draw(SCHEDULES), draw(STARTS)
    first = read_time(start).date()
    days = draw(st.lists(st.integers(-1, 9), max_size=4, unique=True))
    return replace(schedule, holidays=tuple((first + timedelta(days=n)).isoformat() for n in days)), start


def found(schedule: Schedule, start: str) -> datetime:
    deadline = next_deadline(schedule, "movement", start)
    assert deadline is not None
    return read_time(deadline)


def is_off(schedule: Schedule, moment: datetime) -> bool:
    day = moment.astimezone(zone_named(schedule.zone)).date()
    return WEEKDAYS[day.weekday()] in (schedule.days_off or ()) or day.isoformat() in schedule.holidays


@LAW
@given(near())
def test_a_deadline_is_never_before_the_whole_length_has_passed(case: tuple[Schedule, str]) -> None:
    schedule, start = case
    length = schedule.length("movement")
    assert found(schedule, start) >= read_time(start) + length
    if not schedule.days_off and not schedule.holidays and schedule.at is None:
        assert found(schedule, start) == read_time(start) + length


@LAW
@given(near())
def test_a_deadline_falls_on_a_day_that_counts_and_at_its_time_of_day(case: tuple[Schedule, str]) -> None:
    schedule, start = case
    deadline = found(schedule, start)
    assert not is_off(schedule, deadline)
    if schedule.at is not None:
        local = deadline.astimezone(zone_named(schedule.zone))
        wanted = datetime.combine(local.date(), time.fromisoformat(schedule.at), local.tzinfo)
        exists = wanted.astimezone(UTC).astimezone(local.tzinfo).replace(tzinfo=None) == wanted.replace(tzinfo=None)
        assert local.strftime("%H:%M") == schedule.at or not exists, "only a time that the clocks leave out moves"
        assert local - wanted <= timedelta(hours=1)


@LAW
@given(near(), DAYS.map(str) | st.integers(0, 9), st.sampled_from(WEEKDAYS), st.integers(1, 3000))
def test_more_days_off_a_longer_turn_or_a_later_start_never_bring_a_deadline_forward(
    case: tuple[Schedule, str], holiday: str | int, weekday: str, more: int
) -> None:
    schedule, start = case
    before = found(schedule, start)
    if isinstance(holiday, int):
        holiday = (read_time(start).date() + timedelta(days=holiday)).isoformat()
    assert found(replace(schedule, holidays=(*schedule.holidays, holiday)), start) >= before
    if len({*(schedule.days_off or ()), weekday}) < len(WEEKDAYS):
        assert found(replace(schedule, days_off=(*(schedule.days_off or ()), weekday)), start) >= before
    assert found(replace(schedule, turn=f"{int((schedule.turn or '3d')[:-1]) + more}m"), start) >= before
    assert found(schedule, write_time(read_time(start) + timedelta(minutes=more))) >= before
    if schedule.at is None:
        assert found(replace(schedule, at="12:00"), start) >= before


QUARTER = timedelta(minutes=15)


def counted(schedule: Schedule, start: datetime) -> datetime:
    """The deadline by counting quarters of an hour, one after the other."""
    moment, left = start, schedule.length("movement")
    while left or is_off(schedule, moment):
        left -= timedelta() if is_off(schedule, moment) else QUARTER
        moment += QUARTER
    zone = zone_named(schedule.zone)
    while schedule.at and (moment.astimezone(zone).strftime("%H:%M") != schedule.at or is_off(schedule, moment)):
        moment += QUARTER
    return moment


@examples(50)
@given(near(), st.integers(1, 200), st.integers(16, 95), st.integers(0, 30000))
def test_counting_quarters_of_an_hour_gives_the_same_deadline(
    case: tuple[Schedule, str], length: int, at: int, start: int
) -> None:
    # From 04:00 on, because no zone changes its clocks then: when a local time occurs twice, the first counts.
    clock = f"{at // 4:02d}:{at % 4 * 15:02d}" if case[0].at else None
    schedule = replace(case[0], turn=f"{15 * length}m", at=clock)
    first = read_time(case[1]).replace(hour=0, minute=0) + start % 96 * QUARTER
    assert found(schedule, write_time(first)) == counted(schedule, first)


MACHINES: tuple[dict[str, str], ...] = (
    {"TZ": "Pacific/Kiritimati"},
    {"TZ": "America/St_Johns", "PYTHONTZPATH": ""},
    {"TZ": "XXX-14YYY,M3.5.0,M10.5.0/3", "PYTHONTZPATH": "poisoned"},
    {"TZ": "nonsense", "PYTHONTZPATH": "poisoned", "LC_ALL": "C"},
)
CASES = [
    [zone, start]
    for zone in (BERLIN, KATHMANDU, "America/St_Johns")
    for start in ("2026-03-27T17:00Z", "2026-10-23T22:30Z")
]
ASK = f"""
import json, time
from adjudicator.core.game.schedule import Schedule, next_deadline
time.tzset()
made = [Schedule(turn="1d12h", zone=zone, at=at, days_off=("Sunday",)) for zone, _ in {CASES!r} for at in (None, "18:00")]
starts = [start for _, start in {CASES!r} for _ in "12"]
print(json.dumps([next_deadline(one, "movement", start) for one, start in zip(made, starts, strict=True)]))
"""


@pytest.mark.skipif(os.name != "posix", reason="a machine's own zone is set by TZ on POSIX systems")
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine["TZ"])
def test_deadlines_are_the_same_on_machines_in_other_zones_and_with_other_zone_files(
    machine: dict[str, str], tmp_path: Path, root: Path
) -> None:
    wrong = resources.files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo").read_bytes()
    for zone in ("UTC", *(zone for zone, _ in CASES)):
        file = tmp_path / "poisoned" / zone
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(wrong)
    paths = {key: str(tmp_path / value) if value == "poisoned" else value for key, value in machine.items()}
    done = subprocess.run(
        [sys.executable, "-c", ASK], env={**os.environ, **paths}, cwd=root, capture_output=True, text=True, check=True
    )
    here = [
        next_deadline(Schedule(turn="1d12h", zone=zone, at=at, days_off=("Sunday",)), "movement", start)
        for zone, start in CASES
        for at in (None, "18:00")
    ]
    assert json.loads(done.stdout) == here
    assert here[:4] == ["2026-03-30T04:00Z", "2026-03-30T16:00Z", "2026-10-26T11:30Z", "2026-10-26T17:00Z"]


def test_zoneinfo_itself_would_believe_a_poisoned_zone_file(tmp_path: Path) -> None:
    # This proves that the test above checks something.
    file = tmp_path / "Europe" / "Berlin"
    file.parent.mkdir()
    file.write_bytes(resources.files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo").read_bytes())
    code = (
        "from datetime import *; from zoneinfo import *; print(datetime(2026, 1, 1, tzinfo=ZoneInfo('Europe/Berlin')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONTZPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "2026-01-01 00:00:00+09:00\n"
    assert datetime(2026, 1, 1, tzinfo=zone_named(BERLIN)).utcoffset() == timedelta(hours=1)
    assert datetime(2026, 1, 1, tzinfo=ZoneInfo(BERLIN)).utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize(
    "zone", ["Berlin", "europe/berlin", "Europe/", "../tzdata", "leapseconds", "", "Europe/Berlin\n"]
)
def test_unknown_zones_are_refused(zone: str) -> None:
    ((place, what, right),) = Schedule(zone=zone).faults()
    assert (place, what, right) == (
        ("zone",), f"no time zone is called {zone!r}", "write it like Europe/Berlin or UTC"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("schedule", "faults"),
    [
        (Schedule(turn="soon"), [("turn",)]),
        (
            Schedule(phases={"retreats": Rhythm(turn="0d"), "movement": Rhythm(turn="1d")}, grace=("1w",)),
            [("grace",), ("phases", "retreats")],
        ),
        (Schedule(at="24:00", zone="Mars"), [("at",), ("zone",)]),
        (Schedule(at="6:00"), [("at",)]),
        (Schedule(days_off=("Sunday", "Sonntag", "monday")), [("days_off", 1), ("days_off", 2)]),
        (Schedule(days_off=WEEKDAYS), [("days_off",)]),
        (Schedule(holidays=("2026-12-24", "2026-02-30", "24.12.2026")), [("holidays", 1), ("holidays", 2)]),
    ],
)
def test_every_fault_in_a_schedule_is_reported_at_its_place(
    schedule: Schedule, faults: list[tuple[object, ...]]
) -> None:
    assert sorted(place for place, _, _ in schedule.faults()) == faults


# Events at a deadline ---------------------------------------------------------------------------------------------
# Every game here opens on 20 November 2026 at 00:00Z with turns of two days; the first deadline is 22 November, 00:00Z.

BEFORE, STROKE, AFTER = "2026-11-21T23:59Z", "2026-11-22T00:00Z", "2026-11-22T00:01Z"


def missing(turn: Turn) -> list[str]:
    """Powers that sent nothing, by the events of the judged turn."""
    return [event.power for event in turn.data.events if event.event == "missing"]


@both
def test_when_all_sheets_are_final_the_turn_is_judged_at_once(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheets("Turkey", final=True)
    assert game.run("2026-11-20T10:00Z") == []
    game.sheet("Turkey")
    assert game.run("2026-11-20T10:00Z") == [], "a sheet that is not final can still be changed"
    game.sheet("Turkey", final=True)
    assert game.run("2026-11-20T12:34Z") == JUDGED
    assert (game.turn(1).data.closed, missing(game.turn(1))) == ("2026-11-20T12:34Z", [])
    assert (game.turn(2).data.deadline, game.turn(2).data.owing) == ("2026-11-22T12:34Z", SEATS)


@both
def test_a_later_sheet_that_is_not_final_replaces_a_final_one(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheets(final=True)
    game.sheet("Italy", "A Rome - Apulia")
    assert game.run(BEFORE) == []
    assert game.run(STROKE) == JUDGED


@both
@pytest.mark.parametrize("missing_rule", list(MissingSheets))
def test_when_all_sheets_are_in_the_turn_is_judged_exactly_at_its_deadline(
    play: Callable[..., Play], sealed: bool, missing_rule: str
) -> None:
    game = play(sealed=sealed, missing=str(missing_rule), grace="12h")
    game.sheets()
    assert game.run(BEFORE) == []
    assert game.run(STROKE) == JUDGED
    assert game.turn(1).data.closed == STROKE
    assert (game.turn(2).data.absent, game.turn(2).data.deadline) == ((), "2026-11-24T00:00Z")


def test_after_a_turn_judged_late_the_next_has_its_whole_length(play: Callable[..., Play]) -> None:
    game = play()
    game.sheets()
    assert game.run("2026-12-24T18:05Z") == JUDGED, "and not a turn for every deadline that went by"
    assert game.turn(2).data.deadline == "2026-12-26T18:05Z"


@both
def test_hold_judges_without_the_missing_sheet_and_waits_for_it_again_next_turn(
    play: Callable[..., Play], sealed: bool
) -> None:
    game = play(sealed=sealed)
    game.sheets("Italy")
    assert game.run(BEFORE) == []
    assert game.run(STROKE) == JUDGED
    assert missing(game.turn(1)) == ["Italy"]
    assert sorted(game.turn(1).data.sheets or {}) == sorted({*SEATS} - {"Italy"})
    assert (game.turn(2).data.absent, game.turn(2).data.owing) == ((), SEATS)
    game.sheets("Italy", final=True)
    assert game.run("2026-11-23T00:00Z") == []


@both
@pytest.mark.parametrize("missing_rule", ["hold", "civil_disorder"])
def test_grace_waits_for_missing_sheets_and_ends(play: Callable[..., Play], sealed: bool, missing_rule: str) -> None:
    game = play(sealed=sealed, grace="12h", missing=missing_rule)
    game.sheets("Italy")
    for at in (STROKE, AFTER, "2026-11-22T11:59Z"):
        assert game.run(at) == []
    assert game.run("2026-11-22T12:00Z") == JUDGED
    assert missing(game.turn(1)) == ["Italy"]
    assert game.turn(2).data.absent == (("Italy",) if missing_rule == "civil_disorder" else ())


@both
@pytest.mark.parametrize("missing_rule", ["hold", "civil_disorder"])
def test_within_the_grace_a_turn_is_judged_as_soon_as_all_sheets_are_in(
    play: Callable[..., Play], sealed: bool, missing_rule: str
) -> None:
    game = play(sealed=sealed, grace="12h", missing=missing_rule)
    game.sheets("Italy", "Russia")
    assert game.run(STROKE) == []
    game.sheet("Italy")
    assert game.run("2026-11-22T03:00Z") == []
    game.sheet("Russia")
    assert game.run("2026-11-22T03:10Z") == JUDGED
    assert (missing(game.turn(1)), game.turn(2).data.absent) == ([], ())
    assert game.turn(2).data.deadline == "2026-11-24T00:00Z"


# Civil disorder ---------------------------------------------------------------------------------------------------


@pytest.fixture
def absent(play: Callable[..., Play]) -> Callable[..., Play]:
    """A game in whose second turn, open until 24 November, Italy is in civil disorder."""

    def make(**options: Any) -> Play:
        game = play(missing="civil_disorder", **options)
        game.sheets("Italy")
        assert game.run("2026-11-22T12:00Z" if "grace" in options else STROKE) == JUDGED
        assert game.turn(1).data.absent == ()
        assert (game.turn(2).data.absent, game.turn(2).data.owing) == (
            ("Italy",), tuple(seat for seat in SEATS if seat != "Italy"),
        )  # fmt: skip
        return game

    return make


@both
def test_nobody_waits_for_a_seat_in_civil_disorder(absent: Callable[..., Play], sealed: bool) -> None:
    game = absent(sealed=sealed, grace="12h")
    game.sheets(final=True)
    assert game.run("2026-11-22T13:00Z") == ["resolved 002", "opened 003"]
    assert missing(game.turn(2)) == ["Italy"]
    assert game.turn(3).data.absent == ("Italy",)


@both
def test_no_grace_is_given_for_a_seat_in_civil_disorder(absent: Callable[..., Play], sealed: bool) -> None:
    game = absent(sealed=sealed, grace="12h")
    game.sheets()
    assert game.run("2026-11-24T12:00Z") == ["resolved 002", "opened 003"]


@both
def test_a_seat_in_civil_disorder_comes_back_when_it_sends_a_sheet(absent: Callable[..., Play], sealed: bool) -> None:
    game = absent(sealed=sealed)
    game.sheet("Italy", "A Venice - Piedmont")
    assert game.turn().data.absent == ("Italy",), "an open turn is not changed by a sheet"
    game.sheets(final=True)
    assert game.run("2026-11-22T09:00Z") == ["resolved 002", "opened 003"]
    assert missing(game.turn(2)) == []
    assert "A Piedmont" in game.turn(3).data.position.units["Italy"], "and the sheet counted"
    assert game.turn(3).data.absent == ()
    assert "Italy" in game.turn(3).data.owing or game.turn(3).data.position.phase != "movement"


@both
def test_a_seat_in_civil_disorder_comes_back_when_it_is_given_to_another(
    absent: Callable[..., Play], sealed: bool
) -> None:
    game = absent(sealed=sealed)
    game.rule({"reason": "A new player was found.", "replace": {"seat": "Italy", "player": "Ida", "account": 777}})
    assert game.run("2026-11-22T09:00Z") == ["ruled 002"]
    assert (game.turn().data.absent, game.turn().data.owing) == ((), SEATS)
    game.sheets("Italy", final=True)
    assert game.run("2026-11-22T10:00Z") == []
    game.sheet("Italy", account=777, final=True)
    assert game.run("2026-11-22T10:00Z") == ["resolved 002", "opened 003"]
    assert (game.turn(2).data.refused, missing(game.turn(2)), game.turn(3).data.absent) == (None, [], ())


def test_a_turn_for_only_absent_seats_is_judged_at_its_deadline(absent: Callable[..., Play]) -> None:
    game = absent()
    assert game.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"]
    assert (game.turn().data.absent, game.turn().data.owing) == (SEATS, ())
    assert game.run("2026-11-25T23:59Z") == []
    assert game.run("2026-11-26T00:00Z") == ["resolved 003", "opened 004"]


def test_a_seat_that_owes_nothing_is_not_missed(play: Callable[..., Play]) -> None:
    # Turkey takes Bulgaria and builds in Winter; nobody else owes a sheet then, and nobody else is absent after it.
    game = to_winter(play(missing="civil_disorder", phases={"adjustments": "1d"}))
    assert game.turn().data.owing == ("Turkey",)
    at = game.turn().data.deadline
    assert at == "2026-11-22T00:00Z"
    assert game.run(at) == ["resolved 003", "opened 004"]
    assert game.turn().data.absent == ("Turkey",)


def to_winter(game: Play) -> Play:
    """Play a year in two hours of the first day; only Turkey gains a centre."""
    game.sheets("Turkey", final=True)
    game.sheet("Turkey", "A Constantinople - Bulgaria", final=True)
    assert game.run("2026-11-20T01:00Z") == JUDGED
    game.sheets(final=True)
    assert game.run("2026-11-21T00:00Z") == ["resolved 002", "opened 003"]
    assert game.turn().data.phase == "Winter 1901, adjustments"
    return game


# The host decides -------------------------------------------------------------------------------------------------


@pytest.fixture
def idle(play: Callable[..., Play]) -> Callable[..., Play]:
    """A game that is past its deadline and waits for Italy and the host."""

    def make(**options: Any) -> Play:
        game = play(missing="host", **options)
        game.sheets("Italy")
        for at in (STROKE, AFTER, "2026-12-24T00:00Z"):
            assert game.run(at) == [], "it waits for as long as it takes"
        return game

    return make


@both
@pytest.mark.parametrize("grace", [None, "12h"])
def test_a_game_that_waits_for_the_host_goes_on_with_a_late_sheet(
    idle: Callable[..., Play], sealed: bool, grace: str | None
) -> None:
    game = idle(sealed=sealed, **({"grace": grace} if grace else {}))
    game.sheet("Italy")
    assert game.run("2026-11-29T07:00Z") == JUDGED
    assert (missing(game.turn(1)), game.turn(2).data.absent, game.turn(2).data.deadline) == (
        [], (), "2026-12-01T07:00Z",
    )  # fmt: skip


@pytest.mark.parametrize(("grace", "since"), [(None, STROKE), ("12h", "2026-11-22T12:00Z")], ids=["no grace", "grace"])
@both
def test_run_check_doctor_and_page_say_that_a_game_waits_for_its_host(
    play: Callable[..., Play], sealed: bool, grace: str | None, since: str
) -> None:
    """FH-5. They reported `Nothing is due`, `can be judged` and `fine`."""
    game = play(sealed=sealed, missing="host", **({"grace": grace} if grace else {}))
    game.sheets("Italy")

    def said(*words: str, at: str) -> tuple[int, str]:
        masters = {"COURTLY_MASTER": MASTER if words[0] == "run" else ""}
        done = CliRunner().invoke(main, ["-C", str(game.root), *words, "--at", at], env=masters, catch_exceptions=False)
        return done.exit_code, done.output

    def page() -> str:
        story = load_story(Archive(game.root), "game")
        assert story is not None
        return str(turn_page(story, 0, "<svg/>", "../../../"))

    before = write_time(read_time(since) - timedelta(minutes=1))
    what = f"has been waiting for you since {since}: no sheet came from Italy; add an `extend`, `replace` or `proceed` ruling"
    assert said("run", at=before) == (0, "Nothing is due.\n")
    assert said("check", at=before)[1].splitlines()[-1].startswith("Every game can be judged")
    assert "waiting for you" not in said("doctor", at=before)[1]
    for at in (since, "2026-12-24T00:00Z"):
        assert said("run", at=at) == (0, f"game: Spring 1901, movement {what}\n")
        status, told = said("check", at=at)
        assert (status, f"warning: games/game/{FIRST}: {what}\n" in told) == (0, True)
        assert told.splitlines()[-1].startswith("Every other game can be judged; ")
        status, told = said("doctor", at=at)
        assert (status, f"wrong  games/game/{FIRST}: {what}\n" in told) == (1, True)
    when = in_words(since)
    assert f"If no sheet comes from Italy before {when}, the turn waits for its host to decide." in page()
    past = f"No sheet came from Italy: the turn has waited for its host to decide since {when}."
    assert f'data-since="{since}" data-past="{past}"' in page()
    path = game.rule({"reason": "So.", "proceed": True})
    for words in (["check"], ["doctor"]):
        assert "waiting for you" not in said(*words, at=since)[1], "the host has decided, and the next run does it"
    path.unlink()
    game.sheet("Italy")
    assert "waits for its host" not in page()
    assert "game: resolved Spring 1901, movement" in said("run", at="2026-12-24T00:00Z")[1]


def test_the_holder_of_the_key_knows_which_sealed_sheets_do_not_count(play: Callable[..., Play]) -> None:
    """FH-5. By its name there is a sheet, but the run waits for another."""
    game = play(sealed=True, missing="host")
    game.sheets("Italy")
    game.sheet("Italy", account=999)
    assert game.run(AFTER) == []
    idle = waiting(game.archive, "game", AFTER)
    assert idle is not None
    assert (idle.seats, waiting(Archive(game.root), "game", AFTER)) == (("Italy",), None)


@both
def test_proceed_judges_without_the_missing_sheets(idle: Callable[..., Play], sealed: bool) -> None:
    game = idle(sealed=sealed)
    game.rule({"reason": "Italy is ill.", "proceed": True})
    assert game.run(AFTER) == ["ruled 001", *JUDGED]
    assert (missing(game.turn(1)), game.turn(2).data.absent, game.turn(2).data.owing) == (["Italy"], (), SEATS)
    game.sheets("Italy")
    assert game.run("2026-11-30T00:00Z") == [], "the ruling was for one turn"


def test_proceed_before_the_deadline_hurries_nobody(play: Callable[..., Play]) -> None:
    game = play(missing="host")
    game.sheets("Italy")
    game.rule({"reason": "Italy said that it will send none.", "proceed": True})
    assert game.run(BEFORE) == ["ruled 001"]
    assert game.run(STROKE) == JUDGED


@both
def test_extend_gives_everybody_time_until_a_new_deadline(idle: Callable[..., Play], sealed: bool) -> None:
    game = idle(sealed=sealed)
    game.rule({"reason": "A holiday.", "extend": "2026-11-25T20:00+02:00"})
    assert game.run("2026-11-23T00:00Z") == ["ruled 001"]
    assert game.turn().data.deadline == "2026-11-25T18:00Z"
    game.sheet("Austria", "A Vienna - Galicia")
    game.sheet("Italy")
    assert game.run("2026-11-25T17:59Z") == []
    assert game.run("2026-11-25T18:00Z") == JUDGED
    assert "A Galicia" in game.turn(2).data.position.units["Austria"]


@both
def test_resume_can_bring_a_deadline_forward(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.rule({"reason": "All agreed.", "resume": "2026-11-20T06:00Z"})
    assert game.run("2026-11-20T07:00Z") == ["ruled 001", *JUDGED]
    assert game.turn(1).data.deadline == "2026-11-20T06:00Z"


@both
def test_after_replace_a_game_that_waited_for_the_host_waits_for_the_new_player(
    idle: Callable[..., Play], sealed: bool
) -> None:
    game = idle(sealed=sealed)
    game.rule({"reason": "Italy left.", "replace": {"seat": "Italy", "player": "Ida", "account": 777}})
    assert game.run("2026-11-23T00:00Z") == ["ruled 001"]
    game.sheet("Italy", account=777)
    assert game.run("2026-11-23T05:00Z") == JUDGED
    for turn in (game.turn(1), game.turn(2)):
        assert turn.data.players is not None
        assert (turn.data.players["Italy"].player, turn.data.players["Italy"].account) == ("Ida", 777)
    game.sheets("Italy", final=True)
    game.sheet("Italy", account=777, final=True)
    assert game.run("2026-11-24T05:00Z") == ["resolved 002", "opened 003"]
    assert game.turn(2).data.refused is None, "the seat stays with who took it over"


@both
def test_nobody_becomes_absent_if_the_host_decides(idle: Callable[..., Play], sealed: bool) -> None:
    game = idle(sealed=sealed)
    assert game.run("2026-11-24T00:00Z", now=True) == JUDGED
    assert game.turn(2).data.absent == ()


# A game that is paused --------------------------------------------------------------------------------------------


@both
def test_a_paused_game_waits_until_it_is_resumed_whatever_happens(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.rule({"reason": "The convention.", "pause": True})
    assert game.run("2026-11-20T05:00Z") == ["ruled 001"]
    assert (game.turn().data.paused, game.turn().data.deadline) == (True, STROKE)
    game.sheets()
    assert game.run("2026-12-01T00:00Z") == []
    game.sheets(final=True)
    assert game.run("2026-12-01T00:00Z") == []
    game.sheet("Italy")
    game.rule({"reason": "Back again.", "resume": "2026-12-05T00:00Z"})
    assert game.run("2026-12-03T00:00Z") == ["ruled 001"]
    assert (game.turn().data.paused, game.turn().data.deadline) == (False, "2026-12-05T00:00Z")
    assert game.run("2026-12-04T23:59Z") == []
    assert game.run("2026-12-05T00:00Z") == JUDGED
    assert (game.turn(1).data.paused, game.turn(2).data.paused) == (False, False)


@both
def test_a_game_paused_past_its_deadline_and_resumed_is_judged_at_once_when_all_are_final(
    play: Callable[..., Play], sealed: bool
) -> None:
    game = play(sealed=sealed)
    game.sheets(final=True)
    game.rule({"reason": "Wait.", "pause": True})
    assert game.run(AFTER) == ["ruled 001"]
    game.rule({"reason": "On.", "resume": "2026-12-05T00:00Z"})
    assert game.run("2026-11-23T00:00Z") == ["ruled 001", *JUDGED]


def test_a_paused_game_can_still_be_judged_by_hand(play: Callable[..., Play]) -> None:
    game = play()
    game.rule({"reason": "Wait.", "pause": True})
    assert game.run(BEFORE, now=True) == ["ruled 001", *JUDGED]
    assert game.run("2026-11-23T00:00Z") == [], "the pause was for one turn"
    assert game.turn().data.deadline == "2026-11-23T23:59Z"


# Standing sheets --------------------------------------------------------------------------------------------------


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
@both
@pytest.mark.parametrize("missing_rule", list(MissingSheets))
def test_a_standing_sheet_is_used_again_in_turns_of_its_kind_and_in_no_others(
    play: Callable[..., Play], sealed: bool, missing_rule: str
) -> None:
    game = play(sealed=sealed, missing=str(missing_rule), grace="1h")
    path = game.sheet("Italy", "A Venice H", "F Naples - Ionian Sea", standing=True)
    game.sheet("Turkey", "A Constantinople - Bulgaria")
    game.sheets("Italy", "Turkey")
    assert game.run(STROKE) == JUDGED
    assert (game.turn(1).data.standing, game.turn(1).data.stood) == (None, None)
    standing = {"movement": {"Italy": FIRST}}

    assert game.turn(2).data.standing == standing
    game.sheets("Italy")
    assert game.run("2026-11-23T23:59Z") == []
    assert game.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"], "it counts as sent, and needs no grace"
    fall = game.turn(2)
    assert (fall.data.stood, missing(fall)) == ({"Italy": FIRST}, [])
    assert fall.data.sheets is not None
    assert fall.data.sheets["Italy"] == digest(path)
    assert b'\nstood:\n  Italy: "001-spring-1901-movement"\n' in fall.source
    orders = [(verdict.order, verdict.result) for verdict in fall.data.verdicts if verdict.seat == "Italy"]
    assert orders[:2] == [("A Venice H", "stands"), ("F Naples - Ionian Sea", "illegal")]

    assert game.turn(3).data.phase == "Winter 1901, adjustments"
    game.sheets()
    assert game.run("2026-11-26T00:00Z") == ["resolved 003", "opened 004"]
    assert (game.turn(3).data.standing, game.turn(3).data.stood) == (standing, None)

    assert game.turn(4).data.phase == "Spring 1902, movement"
    game.sheets("Italy")
    assert game.run("2026-11-28T00:00Z") == ["resolved 004", "opened 005"]
    assert (game.turn(4).data.stood, game.turn(5).data.standing) == ({"Italy": FIRST}, standing)


@both
def test_any_newer_sheet_that_does_not_stand_ends_a_standing_one(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheet("Italy", "A Venice H", standing=True)
    game.sheet("France", "A Paris H", standing=True)
    game.sheet("Russia", "A Moscow H", standing=True)
    game.sheet("Russia", "A Moscow H")
    game.run(STROKE)
    assert game.turn(2).data.standing == {"movement": {"France": FIRST, "Italy": FIRST}}, "Russia took it back in time"
    game.sheet("Italy", "A Venice - Piedmont")
    game.sheet("France", "A Paris - Burgundy", standing=True)
    game.run("2026-11-24T00:00Z")
    second = "002-fall-1901-movement"
    assert game.turn(2).data.stood is None
    assert game.turn(3).data.standing == {"movement": {"France": second}}
    game.run("2026-11-26T00:00Z")
    assert game.turn(3).data.stood == {"France": second}
    assert "Italy" in missing(game.turn(3))


@both
def test_a_standing_sheet_is_not_final_in_later_turns(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheets(final=True, standing=True)
    assert game.run("2026-11-20T06:00Z") == JUDGED
    assert game.run("2026-11-22T05:59Z") == [], "else the whole game would run by in one go"
    game.sheets("Italy", final=True)
    assert game.run("2026-11-22T05:59Z") == []
    assert game.run("2026-11-22T06:00Z") == ["resolved 002", "opened 003"]
    assert game.turn(2).data.stood == {"Italy": FIRST}


@both
def test_a_standing_sheet_keeps_its_seat_out_of_civil_disorder(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed, missing="civil_disorder")
    game.sheets("Italy", standing=True)
    game.run(STROKE)
    assert game.turn().data.absent == ("Italy",)
    game.run("2026-11-24T00:00Z")
    assert game.turn().data.absent == ("Italy",)
    assert sorted(game.turn(2).data.stood or {}) == sorted({*SEATS} - {"Italy"})


def test_a_sealed_sheet_that_cannot_be_read_does_not_end_a_standing_one(play: Callable[..., Play]) -> None:
    game = play(sealed=True)
    game.sheet("Italy", "A Venice H", standing=True)
    game.run(STROKE)
    game.sheet("Italy", account=666)
    game.run("2026-11-24T00:00Z")
    fall = game.turn(2)
    assert fall.data.stood == {"Italy": FIRST}
    assert fall.data.refused == {"italy.yaml.age": "sealed for another account: 666; here it is 105"}
    assert game.turn(3).data.standing == {"movement": {"Italy": FIRST}}


@both
def test_a_later_change_to_a_standing_sheet_is_noticed_wherever_it_was_used(
    play: Callable[..., Play], sealed: bool
) -> None:
    game = play(sealed=sealed)
    path = game.sheet("Italy", "A Venice H", standing=True)
    game.run(STROKE)
    kept = path.read_bytes()
    path.write_bytes(kept + b"\n" if not sealed else kept[:-40] + kept[-39:])
    gone = f"games/game/{FIRST}: the sheet of Italy that was judged here is gone; restore it from the history"
    with pytest.raises(Problems) as caught:
        game.run("2026-11-22T05:00Z")
    assert gone in str(caught.value)
    path.write_bytes(kept)
    assert game.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"]
    path.unlink()
    assert gone in [str(fault) for fault in verify_game(game.archive, "game").problems]
    path.write_bytes(kept)


# Ends by the players ----------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("final", [False, True])
def test_a_draw_that_all_vote_for_ends_the_game(play: Callable[..., Play], sealed: bool, final: bool) -> None:
    game = play(sealed=sealed)
    game.sheets("Italy", draw=True, final=final)
    game.sheet("Italy", "A Venice - Piedmont", draw=True, final=final)
    assert game.run("2026-11-20T06:00Z" if final else STROKE) == ["resolved 001", "ended 001", "put away 001"]
    ended = game.turn().data.ended
    assert ended is not None
    assert (ended.how, ended.winners, ended.when, ended.rule) == ("draw", SEATS, "Spring 1901, movement", "DP-V-3")
    assert (game.turns, game.archive.has_ended("game")) == ([FIRST], True)
    assert not might_be_due(game.archive, "game", "2027-01-01T00:00Z")
    assert game.run("2027-01-01T00:00Z") == []
    if sealed:
        published = game.turn().data.seal
        assert published is not None
        assert (published.identity or "").startswith("AGE-SECRET-KEY-1")


@both
def test_a_draw_needs_every_vote(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheets("Italy", draw=True)
    game.sheet("Italy")
    assert game.run(STROKE) == JUDGED
    (voted,) = (event for event in game.turn(1).data.events if event.event == "voted")
    assert (voted.powers, voted.needed) == (tuple(seat for seat in SEATS if seat != "Italy"), ("Italy",))
    game.sheets("Italy", draw=True)
    assert game.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"], "a sheet that is missing votes for nothing"


@both
def test_a_concession_by_all_others_ends_the_game(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed)
    game.sheets("France", "Italy", concede="France")
    game.sheet("Italy", concede="Turkey")
    game.sheet("France")
    assert game.run(STROKE) == JUDGED
    game.sheets("France", concede="France", final=True)
    game.sheet("France", final=True)
    assert game.run("2026-11-22T01:00Z") == ["resolved 002", "ended 002", "put away 002"]
    ended = game.turn().data.ended
    assert ended is not None
    assert (ended.how, ended.winners, ended.when, ended.rule) == (
        "concession", ("France",), "Fall 1901, movement", "DP-V-5",
    )  # fmt: skip


# Games that are worth reading -------------------------------------------------------------------------------------

SENT: dict[str, tuple[tuple[str, bool], ...]] = {
    "none": (),
    "all but one": (("all but Italy", True),),
    "two of one": (("all but Italy", True), ("France", True)),
    "all": (("all", False),),
    "all final": (("all", True),),
    "all final but one": (("all", True), ("Italy", False)),
}
RULED: dict[str, dict[str, Any]] = {
    "no ruling": {},
    "pause": {"pause": True},
    "resume": {"resume": "2026-11-21T00:00Z"},
    "later": {"extend": "2026-12-01T00:00Z"},
    "earlier": {"resume": "2026-11-20T01:00Z"},
    "proceed": {"proceed": True},
    "void": {"void": {"seat": "Italy"}},
    "replace": {"replace": {"seat": "Italy", "player": "Ida", "account": 105}},
    "correct": {"correct": {"units.Italy": []}},
    "absent": {"absent": "Italy"},
    "ask": {"ask": {"question": "More time?"}},
    "end": {"end": {"how": "called off"}},
}
TIMES = (BEFORE, STROKE, "2026-11-22T12:00Z")


@pytest.mark.slow
@pytest.mark.parametrize(("sealed", "missing_rule"), first_of([(True, "civil_disorder"), (False, "host")], 1))
@pytest.mark.parametrize("ruling", RULED)
def test_a_game_in_which_a_run_does_something_is_never_taken_for_one_that_is_not_due(
    tmp_path: Path, sealed: bool, missing_rule: str, ruling: str
) -> None:
    start = Play(tmp_path / "start", sealed=sealed, missing=missing_rule, grace="12h")
    quiet = 0
    for sent, sheets in SENT.items():
        state = start.copy(tmp_path / sent)
        for whose, final in sheets:
            if whose.startswith("all"):
                state.sheets(*(["Italy"] if whose == "all but Italy" else []), final=final)
            else:
                state.sheet(whose, final=final)
        if RULED[ruling] and not (ruling == "void" and sent in ("none", "all but one", "two of one")):
            state.rule({"reason": "So.", **RULED[ruling]})
        for at in TIMES:
            expected = might_be_due(state.archive, "game", at)
            state.run(at)  # which asserts that this was expected
            if ruling == "no ruling" and len(state.turns) == 1:
                assert expected == (at >= STROKE or (sent.startswith("all") and sent != "all but one")), (sent, at)
                quiet += not expected
    assert quiet == (3 if ruling == "no ruling" else 0)  # the void of a missing order counts nothing


def test_a_game_with_absent_seats_is_due_when_the_others_are_ready(absent: Callable[..., Play]) -> None:
    game = absent()
    at = "2026-11-22T01:00Z"
    assert not might_be_due(game.archive, "game", at)
    game.sheets("Russia", final=True)
    assert not might_be_due(game.archive, "game", at)
    game.sheet("Russia", final=True)
    assert might_be_due(game.archive, "game", at)
    assert game.run(at) == ["resolved 002", "opened 003"]
    assert not might_be_due(game.archive, "game", at), "the turn that opened is quiet"


def test_a_game_that_waits_for_nobody_is_due_at_its_deadline(absent: Callable[..., Play]) -> None:
    game = absent()
    game.run("2026-11-24T00:00Z")
    assert game.turn().data.owing == ()
    # A head lists the seats that the turn waits for, not those that owe: the game is read, and waits. They may come
    # back until then.
    assert might_be_due(game.archive, "game", "2026-11-25T23:59Z")
    assert game.run("2026-11-25T23:59Z") == []
    assert might_be_due(game.archive, "game", "2026-11-26T00:00Z")
    assert game.run("2026-11-26T00:00Z") == ["resolved 003", "opened 004"]


@both
def test_a_game_without_deadlines_is_due_when_all_are_final(play: Callable[..., Play], sealed: bool) -> None:
    game = play(sealed=sealed, timed=False)
    assert not might_be_due(game.archive, "game", "2099-01-01T00:00Z")
    assert game.run("2099-01-01T00:00Z") == []
    game.sheets(final=True)
    assert game.run("2099-01-01T00:00Z") == JUDGED
    assert game.turn().data.deadline is None


@both
def test_a_quiet_game_is_recognised_by_one_head_and_the_names_of_its_sheets(
    play: Callable[..., Play], monkeypatch: pytest.MonkeyPatch, sealed: bool
) -> None:
    game = play(sealed=sealed)
    game.sheets("Italy", final=True)
    read_files: list[str] = []
    start, read = Disk.start, Disk.read

    def started(files: Disk, path: str, length: int) -> bytes:
        read_files.append(Path(path).name)
        return start(files, path, length)

    def watched(files: Disk, path: str, limit: int | None = None) -> bytes:
        read_files.append(Path(path).name)
        return read(files, path, limit)

    def never(*args: object) -> None:
        raise AssertionError("the game was read")

    with monkeypatch.context() as patch:
        patch.setattr(Disk, "start", started)
        patch.setattr(Disk, "read", watched)
        for name in ("load_game", "load_turn", "load_all", "load_given"):
            patch.setattr(f"adjudicator.core.jobs.run.{name}", never)
        assert not might_be_due(game.archive, "game", BEFORE)
    assert read_files == ["turn.yaml"]


@pytest.mark.parametrize("what", ["no turn", "no turn.yaml", "status", "garbage", "empty"])
def test_a_game_with_anything_unexpected_is_read(tmp_path: Path, what: str) -> None:
    game = Play(tmp_path / "archive")
    path = game.turn().folder / "turn.yaml"
    match what:
        case "no turn":
            shutil.rmtree(path.parent)
        case "no turn.yaml":
            path.unlink()
        case "status":
            path.write_text(path.read_text().replace("status: open", "status: resolved"))
        case "garbage":
            path.write_bytes(bytes(range(256)) * 40)
        case _:
            path.write_bytes(b"")
    assert might_be_due(game.archive, "game", "2026-11-20T01:00Z")


# Any game at all --------------------------------------------------------------------------------------------------

ACTIONS = st.one_of(
    st.tuples(st.just("sheet"), st.sampled_from(SEATS), st.booleans(), st.booleans()),
    st.tuples(st.just("sheets"), st.sampled_from(SEATS), st.booleans(), st.booleans()),
    st.tuples(st.just("rule"), st.sampled_from(list(RULED)[1:]), st.integers(0, 60), st.none()),
    st.tuples(st.just("wait"), st.integers(1, 60), st.none(), st.none()),
)


@pytest.mark.slow
@settings(examples(12), suppress_health_check=[HealthCheck.too_slow])
@given(
    st.booleans(),
    st.sampled_from(list(MissingSheets)),
    st.sampled_from([None, "6h", "1d"]),
    st.lists(ACTIONS, min_size=4, max_size=14),
)
def test_whatever_happens_a_run_does_what_is_due_once_and_everything_verifies(
    tmp_path_factory: pytest.TempPathFactory,
    sealed: bool,
    missing_rule: MissingSheets,
    grace: str | None,
    actions: list[tuple[str, Any, Any, Any]],
) -> None:
    more: dict[str, Any] = {"grace": grace} if grace else {}
    game = Play(tmp_path_factory.mktemp("any") / "archive", sealed=sealed, missing=str(missing_rule), **more)
    clock = read_time("2026-11-20T00:00Z")
    ruled: set[str] = set()  # who are absent because the host said so, whatever the game's rule for missing sheets
    for what, one, two, three in actions:
        if game.archive.has_ended("game"):
            break
        match what:
            case "sheet":
                game.sheet(one, final=two, standing=three)
            case "sheets":
                game.sheets(one, final=two, standing=three)
            case "rule":
                later = write_time(clock + timedelta(hours=two))
                timed: dict[str, Any] = {key: later for key in ("extend", "resume") if key in RULED[one]}
                path = game.turn().folder / "ruling.yaml"
                kept = path.read_bytes() if path.exists() else b"rulings: []\n"
                game.rule({"reason": "So.", **RULED[one], **timed})
                if coming_faults(game.archive, game.turn(), game.turn().data, ruling_text(game.archive, game.turn())):
                    with pytest.raises(Problems):
                        game.run(write_time(clock))
                    path.write_bytes(kept)  # a refused ruling is not applied, and can be removed
                elif one == "absent":
                    ruled.add(RULED[one]["absent"])
            case _:
                clock += timedelta(hours=one)
        game.run(write_time(clock))
        turn = game.turn()
        if turn.data.status == "open":
            due = turn.game.ruleset.due(turn.data.position)
            assert turn.data.owing == tuple(seat for seat in SEATS if seat in due - set(turn.data.absent))
            assert missing_rule is MissingSheets.CIVIL_DISORDER or set(turn.data.absent) <= ruled
    game.check()
