"""Deadlines: how long each kind of turn stays open. Reads no clock: the time is always an argument."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from adjudicator.core.codec import record
from adjudicator.core.problems import problem

DURATION = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?")


@record
class Schedule:
    """How long turns stay open, as `3d`, `36h` or `1d12h`.

    `turn` holds for every kind of turn that `phases` does not name. Without a schedule a game has no deadlines: it is
    adjudicated when every sheet is in, or by `courtly run --now`.
    """

    turn: str = "3d"
    phases: Mapping[str, str] | None = None

    def length(self, kind: str) -> timedelta:
        """How long a turn of this kind stays open."""
        return duration((self.phases or {}).get(kind, self.turn))


def duration(text: str) -> timedelta:
    """`1d12h` as a timedelta; raises `Problems` for anything else, and for nothing at all."""
    match = DURATION.fullmatch(text)
    if not text or match is None:
        raise problem("", f"{text!r:.40} is not a length of time", "write days, hours and minutes, as in 3d or 1d12h")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return timedelta(days=days, hours=hours, minutes=minutes)


def read_time(text: str) -> datetime:
    """An ISO 8601 time with a zone (`2026-12-01T18:00Z`) as a UTC datetime; raises `Problems`."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        value = None
    if value is None or value.tzinfo is None:
        raise problem("", f"{text!r:.40} is not a time", "write it like 2026-12-01T18:00Z")
    return value.astimezone(UTC)


def write_time(value: datetime) -> str:
    """A time in canonical form: UTC to the minute, `2026-12-01T18:00Z`."""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")


def next_deadline(schedule: Schedule | None, kind: str, after: str | None) -> str | None:
    """The deadline of a turn of `kind` that opens when the one before closed at `after`; None without a schedule."""
    if schedule is None or after is None:
        return None
    return write_time(read_time(after) + schedule.length(kind))
