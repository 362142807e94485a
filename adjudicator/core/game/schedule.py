"""Deadlines: how long each kind of turn stays open, and when it is due. Reads no clock: the time is always an argument.

Days off do not count: a turn of two days that opens on a Friday at 18:00, with Saturdays and Sundays off, is due on Tuesday at 18:00. Zones
come from the tzdata package and never from the machine, so that every machine agrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from importlib import resources
from typing import Annotated, Literal, assert_never
from zoneinfo import ZoneInfo

from adjudicator.core.game.choices import MissingSheets
from adjudicator.core.text.codec import field_text, record
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import Place

DURATION = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?", re.ASCII)
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,2}", re.ASCII)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LATE = timedelta(hours=6)
"""A turn judged at most this long after its deadline counts as judged on time; see `counts_from`. For short turns the limit is less."""
TIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII
)
SEARCHED = 400
"""Maximum number of days in a row that may be off. A schedule with more is refused when a deadline is computed."""


@record
class Schedule:
    """How long turns stay open, such as `3d`, `36h` or `1d12h`.

    `turn` applies to every kind of turn that `phases` does not name. Without a schedule a game has no deadlines: a turn is judged when
    every sheet is in, or by `courtly run --now`.
    """

    turn: str = "3d"
    phases: Mapping[str, str] | None = None
    zone: Annotated[str, field_text("The time zone of days and of `at`, such as `Europe/Berlin`.")] = "UTC"
    at: Annotated[
        str | None,
        field_text('The time of day of deadlines, such as `"18:00"`. A deadline moves to the next such time.'),
    ] = None
    days_off: Annotated[
        tuple[str, ...], field_text("Days of the week that do not count, such as `[Saturday, Sunday]`.")
    ] = ()
    holidays: Annotated[tuple[str, ...], field_text("Days that do not count, such as `[2026-12-24, 2026-12-25]`.")] = ()
    grace: Annotated[
        str | None,
        field_text("How long a turn waits for missing sheets after its deadline. It is judged as soon as all are in."),
    ] = None
    missing: MissingSheets = MissingSheets.HOLD
    starts: Annotated[
        str | None, field_text("The earliest time for the first turn to open, such as `2026-12-01T18:00Z`.")
    ] = None

    def length(self, kind: str) -> timedelta:
        """The time that a turn of this kind stays open."""
        return duration((self.phases or {}).get(kind, self.turn))

    def faults(self) -> Iterable[tuple[Place, str, str]]:
        """Yield everything that is wrong with a schedule: the key, the fault, and the remedy."""
        lengths: dict[Place, str] = {("turn",): self.turn}
        lengths |= {("phases", key): length for key, length in (self.phases or {}).items()}
        if self.grace is not None:
            lengths["grace",] = self.grace
        for place, length in lengths.items():
            try:
                duration(length)
            except Problems as error:
                yield place, error.problems[0].what, error.problems[0].right
        try:
            zone_named(self.zone)
        except Problems as error:
            yield ("zone",), error.problems[0].what, error.problems[0].right
        if self.at is not None and not CLOCK.fullmatch(self.at):
            yield ("at",), f"{self.at!r:.40} is not a time of day", 'write it like "18:00"'
        if self.starts is not None:
            try:
                read_time(self.starts)
            except Problems as error:
                yield ("starts",), error.problems[0].what, error.problems[0].right
        for index, name in enumerate(self.days_off):
            if name not in WEEKDAYS:
                yield ("days_off", index), f"{name!r:.40} is not a day of the week", "days: " + ", ".join(WEEKDAYS)
        if set(self.days_off) == set(WEEKDAYS):
            yield ("days_off",), "every day is off", "leave at least one day of the week to play on"
        for index, day in enumerate(self.holidays):
            try:
                date.fromisoformat(day)
            except ValueError:
                yield ("holidays", index), f"{day!r:.40} is not a day", "write it like 2026-12-24"


@lru_cache(maxsize=64)
def zone_named(name: str) -> ZoneInfo:
    """A time zone from the tzdata package; raises `Problems` if the name is unknown."""
    if ZONE.fullmatch(name):
        file = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
        if file.is_file():
            with file.open("rb") as body:
                try:
                    return ZoneInfo.from_file(body, key=name)
                except ValueError:
                    pass
    raise problem("", f"no time zone is called {name!r:.60}", "write it like Europe/Berlin or UTC")


def duration(text: str) -> timedelta:
    """Parse a length of time such as `1d12h`; raises `Problems` for any other text, and for zero.

    A turn of no length would be due as soon as it opens, and a run would never end.
    """
    match = DURATION.fullmatch(text)
    days, hours, minutes = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
    length = timedelta(days=days, hours=hours, minutes=minutes)
    if not length:
        raise problem("", f"{text!r:.40} is not a length of time", "write days, hours and minutes, as in 3d or 1d12h")
    return length


def read_time(text: str) -> datetime:
    """Parse an ISO 8601 time with a zone (`2026-12-01T18:00Z`) into a UTC datetime; raises `Problems`."""
    try:
        # Checked by the pattern, because versions of Python differ in the other formats they accept.
        if TIME.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # OverflowError: in UTC it is before the year 1 or after 9999
        pass
    raise problem("", f"{text!r:.40} is not a time", "write it like 2026-12-01T18:00Z")


def write_time(value: datetime) -> str:
    """Write a time in canonical form: UTC to the minute, `2026-12-01T18:00Z`."""
    # Not strftime: on some systems its %Y has fewer than four digits for early years.
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="minutes") + "Z"


def counts_from(schedule: Schedule | None, kind: str, deadline: str | None, closed: str | None) -> str | None:
    """The time that the next turn counts from: this turn's deadline, if this turn was `closed` shortly after it; otherwise `closed`.

    "Shortly" means at most `LATE`, and at most a quarter of the next turn, which is of `kind`. Turns are judged some minutes late. If the
    next turn counted from that moment, a game with daily deadlines at 18:00 would have one only every two days, and in a game without a
    time of day the deadlines would drift.
    """
    if schedule is None or deadline is None or closed is None:
        return closed or deadline
    late = read_time(closed) - read_time(deadline)
    return deadline if timedelta() <= late <= min(LATE, schedule.length(kind) / 4) else closed


def next_deadline(schedule: Schedule | None, kind: str, after: str | None) -> str | None:
    """The deadline of a turn of `kind` whose time counts from `after`; None without a schedule."""
    if schedule is None or after is None:
        return None
    length = schedule.length(kind)
    try:
        return write_time(_deadline(schedule, read_time(after), length))
    except OverflowError:
        raise problem("", f"the deadline {length} after {after} is out of range", "choose an earlier day") from None


def _deadline(schedule: Schedule, start: datetime, length: timedelta) -> datetime:
    zone = zone_named(schedule.zone)
    off = {WEEKDAYS.index(name) for name in schedule.days_off}
    holidays = {date.fromisoformat(day) for day in schedule.holidays}

    def midnight(day: date) -> datetime:
        return datetime.combine(day, time(), zone).astimezone(UTC)

    def is_off(day: date) -> bool:
        return day.weekday() in off or day in holidays

    at = start
    if off or holidays:
        left, idle = length, 0
        while idle <= SEARCHED:
            day = at.astimezone(zone).date()
            tomorrow = midnight(day + timedelta(days=1))
            if is_off(day):
                at, idle = tomorrow, idle + 1
            elif at + left < tomorrow:
                at += left
                break
            else:
                left -= tomorrow - at
                at, idle = tomorrow, 0
        else:
            raise problem("", f"{SEARCHED} days in a row are off", "take some days out of `days_off` or `holidays`")
    else:
        at += length
    if schedule.at is None:
        return at
    hour, minute = map(int, schedule.at.split(":"))
    day = at.astimezone(zone).date()
    for step in range(SEARCHED + 2):
        there = day + timedelta(days=step)
        deadline = datetime.combine(there, time(hour, minute), zone).astimezone(UTC)
        if deadline >= at and not is_off(there):
            return deadline
    raise problem("", f"{SEARCHED} days in a row are off", "take some days out of `days_off` or `holidays`")


def closing(schedule: Schedule | None, deadline: str | None) -> datetime | None:
    """The time when a turn stops waiting for missing sheets: its deadline plus the grace; None without a deadline."""
    if deadline is None:
        return None
    grace = duration(schedule.grace) if schedule is not None and schedule.grace else timedelta()
    try:
        return read_time(deadline) + grace
    except OverflowError:
        raise problem("", f"the grace after the deadline {deadline} is out of range", "choose an earlier day") from None


# Judge now, or wait --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """An open turn, as far as the caller knows it; omitted facts count as false.

    A caller that cannot read the sheets, but must not overlook a due turn, lists every seat that sent a sheet as final.
    """

    schedule: Schedule | None
    deadline: str | None
    paused: bool = False
    owed: bool
    """True if anybody owes a sheet."""
    waited: tuple[str, ...]
    """The seats to wait for: those that owe a sheet and are not in civil disorder."""
    final: frozenset[str] = frozenset()
    """Seats that sent a sheet for this very turn and marked it as final."""
    given: frozenset[str] = frozenset()
    """Seats that have a sheet, sent or standing."""
    ended: bool = False
    """True if the host ended the game."""
    proceed: bool = False
    """True if the host ruled that the turn is judged although sheets are missing."""


@dataclass(frozen=True, slots=True)
class Judge:
    """The turn is to be judged now."""

    why: Literal["ended", "nobody owes", "all final", "all in", "host", "late"]
    past: bool
    """True if its deadline is past."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The turn is not to be judged yet."""

    why: Literal["paused", "deadline", "grace", "host"]
    seats: tuple[str, ...]
    """Seats whose sheets are missing."""
    until: str | None
    """The time when the turn stops waiting for them; None if people decide that."""
    since: str | None = None
    """The time when the turn began to wait for the host's decision."""

    @property
    def past(self) -> bool:
        """True if its deadline is past."""
        return self.why in ("grace", "host")


def judge_or_wait(turn: OpenTurn, at: str | None) -> Judge | Wait:
    """Return `Judge` if an open turn is to be judged at the time `at`, otherwise `Wait` with the missing seats. Without `at`, no deadline is past.

    The turn is judged when the host has ended the game; when nobody owes a sheet; when every seat that it waits for has sent a final sheet;
    when the deadline is past and each of these seats has a sheet; and when the grace is past too. With `missing: host`, it is judged without
    missing sheets only if the host rules so. A paused game waits, unless the host has ended it.
    """
    last = closing(turn.schedule, turn.deadline)
    past = at is not None and turn.deadline is not None and read_time(at) >= read_time(turn.deadline)
    if turn.ended:
        return Judge("ended", past)
    missing = tuple(seat for seat in turn.waited if seat not in turn.given)
    if turn.paused:
        return Wait("paused", missing, None)
    if not turn.owed:
        return Judge("nobody owes", past)
    if turn.waited and turn.final.issuperset(turn.waited):
        return Judge("all final", past)
    if not past:
        return Wait("deadline", tuple(seat for seat in turn.waited if seat not in turn.final), turn.deadline)
    assert at is not None
    assert last is not None
    if not missing:
        return Judge("all in", past)
    over = read_time(at) >= last
    match turn.schedule.missing if turn.schedule is not None else MissingSheets.HOLD:
        case MissingSheets.HOST:
            if turn.proceed:
                return Judge("host", past)
            return Wait("host", missing, None, write_time(last)) if over else Wait("grace", missing, None)
        case MissingSheets.HOLD | MissingSheets.CIVIL_DISORDER:
            return Judge("late", past) if over else Wait("grace", missing, write_time(last))
        case other:
            assert_never(other)


def takes_sheet(answer: Judge | Wait, *, first: bool) -> bool:
    """True if an open turn still takes a seat's sheet: before its deadline any sheet; after it only the seat's first, while the turn waits."""
    return not answer.past or (first and isinstance(answer, Wait))
