"""Deadlines: how long each kind of turn stays open. Reads no clock: the time is always an argument."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from adjudicator.core.codec import record
from adjudicator.core.problems import problem

DURATION = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?", re.ASCII)


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
    """`1d12h` as a timedelta; raises `Problems` for anything else, and for no time at all.

    A turn of no length would be due as soon as it opens, and a run would never come to its end.
    """
    match = DURATION.fullmatch(text)
    days, hours, minutes = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
    length = timedelta(days=days, hours=hours, minutes=minutes)
    if not length:
        raise problem("", f"{text!r:.40} is not a length of time", "write days, hours and minutes, as in 3d or 1d12h")
    return length


def read_time(text: str) -> datetime:
    """An ISO 8601 time with a zone (`2026-12-01T18:00Z`) as a UTC datetime; raises `Problems`."""
    try:
        value = datetime.fromisoformat(text)
        if value.tzinfo is not None:
            return value.astimezone(UTC)
    except (ValueError, OverflowError):  # OverflowError: in UTC it lies before the year 1 or after 9999
        pass
    raise problem("", f"{text!r:.40} is not a time", "write it like 2026-12-01T18:00Z")


def write_time(value: datetime) -> str:
    """A time in canonical form: UTC to the minute, `2026-12-01T18:00Z`."""
    # Not strftime: on some systems its %Y has fewer than four digits for early years.
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="minutes") + "Z"


def next_deadline(schedule: Schedule | None, kind: str, after: str | None) -> str | None:
    """The deadline of a turn of `kind` that opens when the one before closed at `after`; None without a schedule."""
    if schedule is None or after is None:
        return None
    length = schedule.length(kind)
    try:
        return write_time(read_time(after) + length)
    except OverflowError:
        raise problem("", f"the deadline {length} after {after} is out of range", "choose an earlier day") from None
