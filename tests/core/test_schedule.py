"""Deadlines: lengths of time, times, and when the next turn closes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.game.schedule import Rhythm, Schedule, duration, next_deadline, read_time, write_time
from adjudicator.core.text.problems import Problems
from tests.conftest import examples

LAW = examples(100)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("3d", timedelta(days=3)),
        ("36h", timedelta(hours=36)),
        ("1d12h", timedelta(days=1, hours=12)),
        ("90m", timedelta(minutes=90)),
        ("1d2h3m", timedelta(days=1, hours=2, minutes=3)),
        ("999d", timedelta(days=999)),
        ("1m", timedelta(minutes=1)),
    ],
)
def test_lengths_are_read(text: str, length: timedelta) -> None:
    assert duration(text) == length


@pytest.mark.parametrize(
    "text",
    ["", "3", "d", "3 d", "3D", "-1d", "1h1d", "1000d", "1.5d", "3d ", "3d\n", "P3D", "1w", "٣d", "0d", "0h", "0d0h0m"],
)
def test_faulty_lengths_are_refused(text: str) -> None:
    # A turn without a length would be due as soon as it opens: a run would judge for ever.
    with pytest.raises(Problems) as caught:
        duration(text)
    (fault,) = caught.value.problems
    assert fault.what == f"{text!r} is not a length of time"
    assert fault.right == "write days, hours and minutes, as in 3d or 1d12h"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("2026-12-01T18:00Z", "2026-12-01T18:00Z"),
        ("2026-12-01T18:00:59Z", "2026-12-01T18:00Z"),
        ("2026-12-01T18:00+02:00", "2026-12-01T16:00Z"),
        ("2026-12-31 23:30-01:00", "2027-01-01T00:30Z"),
        ("0999-01-01T00:00Z", "0999-01-01T00:00Z"),
    ],
)
def test_times_are_read_and_written_in_one_form(text: str, canonical: str) -> None:
    assert write_time(read_time(text)) == canonical
    assert write_time(read_time(canonical)) == canonical


@pytest.mark.parametrize(
    "text",
    ["", "now", "2026-12-01", "2026-12-01T18:00", "18:00Z", "2026-13-01T00:00Z", "2026-02-30T00:00Z",
     "0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00", "\u2028", "2026-12-01T18:00Zx"],
)  # fmt: skip
def test_faulty_times_are_refused(text: str) -> None:
    with pytest.raises(Problems) as caught:
        read_time(text)
    (fault,) = caught.value.problems
    assert fault.what == f"{text!r} is not a time"
    assert fault.right == "write it like 2026-12-01T18:00Z"


@LAW
@given(st.datetimes(timezones=st.just(UTC)))
def test_every_time_survives_writing_and_reading_to_the_minute(value: datetime) -> None:
    assert read_time(write_time(value)) == value.replace(second=0, microsecond=0)


def test_times_are_written_in_utc() -> None:
    assert write_time(datetime(2026, 12, 1, 1, 0, tzinfo=timezone(timedelta(hours=2)))) == "2026-11-30T23:00Z"


def test_each_kind_of_turn_has_its_own_length() -> None:
    schedule = Schedule(turn="3d", phases={"retreats": Rhythm(turn="12h"), "adjustments": Rhythm(turn="1d")})
    after = "2026-12-30T18:00Z"
    assert next_deadline(schedule, "movement", after) == "2027-01-02T18:00Z"
    assert next_deadline(schedule, "retreats", after) == "2026-12-31T06:00Z"
    assert next_deadline(schedule, "adjustments", after) == "2026-12-31T18:00Z"
    assert next_deadline(Schedule(), "movement", after) == "2027-01-02T18:00Z"


def test_without_a_schedule_or_a_beginning_there_is_no_deadline() -> None:
    assert next_deadline(None, "movement", "2026-12-30T18:00Z") is None
    assert next_deadline(Schedule(), "movement", None) is None


def test_a_deadline_after_the_end_of_time_is_a_problem() -> None:
    with pytest.raises(Problems) as caught:
        next_deadline(Schedule(turn="3d"), "movement", "9999-12-30T00:00Z")
    assert str(caught.value) == "the deadline after 9999-12-30T00:00Z is out of range; choose an earlier day"
