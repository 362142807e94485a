"""Deadlines: how long each kind of turn stays open, and when it is due. Reads no clock: the time is always an argument.

A kind of turn has a rhythm: a length (`turn: 3d`), or days (`days: [Monday, Thursday]`, `dates: [1, 15]`). Days off do not count: a turn of two days that opens on a Friday at 18:00, with Saturdays and Sundays off, is due on Tuesday at 18:00. Zones
come from the tzdata package and never from the machine, so that every machine agrees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from importlib import resources
from typing import Annotated, Any, Literal, assert_never
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator

from adjudicator.core.game.choices import MissingSheets
from adjudicator.core.text.codec import Whole, field_text, record
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import Place

DURATION = re.compile(r"(?:(\d{1,3})d)?(?:(\d{1,3})h)?(?:(\d{1,4})m)?", re.ASCII)
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
ZONE = re.compile(r"[A-Za-z0-9_+-]{1,40}(/[A-Za-z0-9_+-]{1,40}){0,2}", re.ASCII)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LATE = timedelta(hours=6)
"""A turn judged at most this long after its deadline counts as judged on time; see `counts_from`. For short turns the limit is less."""
TIME = re.compile(
    r"\d{4}-\d\d-\d\d[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)", re.ASCII
)
SEARCHED = 400
"""Maximum number of days in a row that may be off. A schedule with more is refused when a deadline is computed."""


Early = Literal["never", "final", "all"]
NONE = "none"
"""The word for no time of day, and for no grace."""


def _one_or_more(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _length_or_rhythm(value: Any) -> Any:
    return {"turn": value} if isinstance(value, str | int) else value


@record
class Rhythm:
    """When turns are due, and when they are judged earlier or later. A kind of turn takes what it leaves out from the schedule."""

    turn: Annotated[
        str | None,
        field_text("How long a turn stays open, such as `3d`, `36h` or `1d12h`; 3d unless you say otherwise."),
    ] = None
    days: Annotated[
        tuple[str, ...] | None,
        field_text("Instead of `turn`: the days of the week on which turns are due, such as `[Monday, Thursday]`."),
    ] = None
    dates: Annotated[
        tuple[Whole, ...] | None,
        field_text("Instead of `turn`: the days of the month on which turns are due, such as `[1, 15]`."),
    ] = None
    at: Annotated[
        str | None,
        field_text(
            'The time of day of deadlines, such as `"18:00"`. A deadline moves to the next such time. For a kind of turn, `none` means none.'
        ),
    ] = None
    days_off: Annotated[
        tuple[str, ...] | None, field_text("Days of the week that do not count, such as `[Saturday, Sunday]`.")
    ] = None
    slide: Annotated[
        tuple[str, ...] | None,
        field_text("Days of the week that count, but on which nothing is due: such a deadline moves to the next day."),
    ] = None
    grace: Annotated[
        tuple[str, ...] | None,
        BeforeValidator(_one_or_more, json_schema_input_type=str | tuple[str, ...] | None),
        field_text(
            "How long a turn waits for missing sheets after its deadline. It is judged as soon as all are in. A list such as `[48h, none]` "
            "gives the grace of a seat's first miss, then of its second and later ones."
        ),
    ] = None
    early: Annotated[
        Early | None,
        field_text(
            "When a turn is judged before its deadline: `never`; `final`, if all sheets are in and marked as final; `all`, if all are in."
        ),
    ] = None
    least: Annotated[
        str | None, field_text("How long a turn stays open at least, such as `12h`, even if all sheets are in.")
    ] = None
    delay: Annotated[
        str | None,
        field_text("With `early: all`: how long the turn still stays open once all sheets are in, such as `30m`."),
    ] = None

    remind: Annotated[
        tuple[str, ...] | None,
        BeforeValidator(_one_or_more, json_schema_input_type=str | tuple[str, ...] | None),
        field_text(
            "How long before the deadline the seats that owe a sheet are named in the group's channels, such as `[24h, 3h]`."
        ),
    ] = None

    remind_late: Annotated[
        str | None,
        field_text(
            "How often the seats that owe a sheet are named in a grace, such as `24h`; never if it is left out."
        ),
    ] = None

    def faults_here(self) -> Iterable[tuple[Place, str, str]]:
        """Yield everything that is wrong with these keys: the key, the fault, and the remedy."""
        graces = [one for one in self.grace or () if one != NONE]
        for key, lengths in (
            ("turn", (self.turn,)), ("grace", graces), ("least", (self.least,)), ("delay", (self.delay,)), ("remind", self.remind or ()),
            ("remind_late", (self.remind_late,)),
        ):  # fmt: skip
            for length in lengths:
                try:
                    duration(length or "1d")
                except Problems as error:
                    yield (key,), error.problems[0].what, error.problems[0].right
        for key, names in (("days", self.days), ("days_off", self.days_off), ("slide", self.slide)):
            for index, name in enumerate(names or ()):
                if name not in WEEKDAYS:
                    yield (key, index), f"{name!r:.40} is not a day of the week", "days: " + ", ".join(WEEKDAYS)
            if names is not None and key != "days" and set(names) == set(WEEKDAYS):
                yield (key,), "every day is off", "leave at least one day of the week to play on"
        for index, number in enumerate(self.dates or ()):
            if not 1 <= number <= 31:
                yield ("dates", index), f"{number} is not a day of the month", "write numbers from 1 to 31"
        if self.at not in (None, NONE) and not CLOCK.fullmatch(self.at or ""):
            yield ("at",), f"{self.at!r:.40} is not a time of day", 'write it like "18:00"'
        said = [key for key in ("turn", "days", "dates") if getattr(self, key) is not None]
        if len(said) > 1:
            yield (
                (said[1],),
                f"`{said[0]}` and `{said[1]}` both say when turns are due",
                "keep one of them; `least` says how long at least",
            )
        if self.delay is not None and self.early not in (None, "all"):
            yield ("delay",), "it counts only with `early: all`", "write `early: all`, or leave it out"


@record
class Out:
    """When a seat that keeps missing turns is put into civil disorder: no turn waits for it until it sends a sheet or gets a new player."""

    in_row: Annotated[Whole | None, field_text("After so many misses in a row.")] = None
    in_all: Annotated[Whole | None, field_text("After so many misses in the whole game.")] = None
    kinds: Annotated[
        tuple[str, ...], field_text("The kinds of turns that count, such as `[movement]`; all if it is left out.")
    ] = ()


@record
class Schedule(Rhythm):
    """When turns are due.

    Its own keys apply to every kind of turn, except where `phases` gives a kind its own. Without a schedule a game has no deadlines: a turn is
    judged when every sheet is in, or by `courtly run --now`.
    """

    phases: (
        Mapping[str, Annotated[Rhythm, BeforeValidator(_length_or_rhythm, json_schema_input_type=str | Rhythm)]] | None
    ) = None
    zone: Annotated[str, field_text("The time zone of days and of `at`, such as `Europe/Berlin`.")] = "UTC"
    holidays: Annotated[tuple[str, ...], field_text("Days that do not count, such as `[2026-12-24, 2026-12-25]`.")] = ()
    missing: MissingSheets = MissingSheets.HOLD
    out: Out | None = None
    absences: Annotated[
        str | None,
        field_text(
            "On how many days a year each player may announce to be away, such as `14d`. A deadline that waits for them moves past such days."
        ),
    ] = None
    starts: Annotated[
        str | None, field_text("The earliest time for the first turn to open, such as `2026-12-01T18:00Z`.")
    ] = None

    def rhythm(self, kind: str) -> Rhythm:
        """The rhythm of a kind of turn: its own keys, and those of the schedule that it leaves out."""
        own = (self.phases or {}).get(kind, Rhythm())
        mine: dict[str, Any] = {one.name: getattr(own, one.name) for one in fields(Rhythm)}
        due = {"turn", "days", "dates"}
        timed = any(mine[key] is not None for key in due)
        common = {one.name: getattr(self, one.name) for one in fields(Rhythm) if not (timed and one.name in due)}
        merged = {key: common.get(key) if value is None else value for key, value in mine.items()}
        return Rhythm(**merged | {"at": None if merged["at"] == NONE else merged["at"]})

    def length(self, kind: str) -> timedelta:
        """The time that a turn of this kind stays open, at least."""
        rhythm = self.rhythm(kind)
        if rhythm.days or rhythm.dates:
            return duration(rhythm.least) if rhythm.least else timedelta(days=1)
        return duration(rhythm.turn or "3d")

    @property
    def counts_misses(self) -> bool:
        """True if anything depends on how often a seat missed its turns."""
        graces = [self.grace, *(self.rhythm(kind).grace for kind in self.phases or {})]
        return self.out is not None or any(len(grace or ()) > 1 for grace in graces)

    def faults(self) -> Iterable[tuple[Place, str, str]]:
        """Yield everything that is wrong with a schedule: the key, the fault, and the remedy."""
        yield from self.faults_here()
        if self.at == NONE:
            yield ("at",), "the schedule has no time of day to take away", "leave it out; `none` is for a kind of turn"
        for kind, rhythm in (self.phases or {}).items():
            yield from (
                (("phases", kind, *(place if place != ("turn",) else ())), what, right)
                for place, what, right in rhythm.faults_here()
            )
        if self.out is not None and not (self.out.in_row or self.out.in_all):
            yield ("out",), "it does not say after how many misses", "write `in_row: 2`, `in_all: 3`, or both"
        if self.absences is not None and not re.fullmatch(r"[1-9]\d{0,2}d", self.absences, re.ASCII):
            what = f"{self.absences!r:.40} is not a number of days"
            yield ("absences",), what, "write the days that each player may be away in a year, as in 14d"
        try:
            zone_named(self.zone)
        except Problems as error:
            yield ("zone",), error.problems[0].what, error.problems[0].right
        if self.starts is not None:
            try:
                read_time(self.starts)
            except Problems as error:
                yield ("starts",), error.problems[0].what, error.problems[0].right
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
    """The time that the next turn counts from: the deadline or the end of the grace, if the turn closed soon after; otherwise `closed`.

    “Soon” means at most `LATE`, and at most a quarter of the next turn, which is of `kind`. Turns are judged some minutes late. If the
    next turn counted from that moment, a game with daily deadlines at 18:00 would have one only every two days, and in a game without a
    time of day the deadlines would drift.
    """
    if schedule is None or deadline is None or closed is None:
        return closed or deadline
    limit, then = min(LATE, schedule.length(kind) / 4), read_time(closed)
    graces = {one for each in (schedule, *(schedule.phases or {}).values()) for one in each.grace or () if one != NONE}
    due = read_time(deadline)
    for grace in sorted({timedelta(), *map(duration, graces)}):
        if timedelta() <= then - due - grace <= limit:
            return write_time(due if grace <= limit else due + grace)
    return closed


def next_deadline(schedule: Schedule | None, kind: str, after: str | None) -> str | None:
    """The deadline of a turn of `kind` whose time counts from `after`; None without a schedule."""
    if schedule is None or after is None:
        return None
    rhythm = schedule.rhythm(kind)
    try:
        due = _deadline(schedule, rhythm, read_time(after), schedule.length(kind))
        return write_time(_slid(schedule, rhythm, due))
    except OverflowError:
        raise problem("", f"the deadline after {after} is out of range", "choose an earlier day") from None


def past_absences(schedule: Schedule, kind: str, deadline: str, away: Iterable[tuple[date, date]]) -> str:
    """A deadline of a turn of `kind`, moved past the days in `away`, which are pairs of a first and a last day in the schedule's zone.

    It keeps its time of day, and moves to the next possible day: for `days` and `dates`, the next of those. Midnight belongs to the day that it
    ends, because nobody who is away on that day could play before it.
    """
    rhythm, spans = schedule.rhythm(kind), [*away]
    zone, due = zone_named(schedule.zone), read_time(deadline)
    try:
        for _ in range(SEARCHED):
            here = (due - INSTANT).astimezone(zone)
            last = max((last for first, last in spans if first <= here.date() <= last), default=None)
            if last is None:
                return write_time(due)
            if rhythm.days or rhythm.dates:
                # One minute after the end of the last day is the earliest time that `_deadline` takes.
                midnight = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
                due = _deadline(schedule, replace(rhythm, least=None), midnight, timedelta())
            else:
                due = datetime.combine(last, here.time(), zone).astimezone(UTC)
                due = _next_day(schedule, due, {*(rhythm.days_off or ())}) + INSTANT
            due = _slid(schedule, rhythm, due - INSTANT) + INSTANT
    except OverflowError:
        pass
    raise problem("", f"no deadline after {deadline} is free of absences", "extend the turn with a ruling")


INSTANT = timedelta(minutes=1)
"""The shortest time that schedules know."""


def _next_day(schedule: Schedule, due: datetime, off: set[str]) -> datetime:
    """The same time of day on the next day, without holidays and the days of the week in `off`."""
    there = due.astimezone(zone_named(schedule.zone))
    for step in range(1, SEARCHED):
        day = there.date() + timedelta(days=step)
        if WEEKDAYS[day.weekday()] not in off and day.isoformat() not in schedule.holidays:
            return datetime.combine(day, there.time(), there.tzinfo).astimezone(UTC)
    raise problem("", f"{SEARCHED} days in a row are off", "take some days out of `slide`, `days_off` or `holidays`")


def earliest(schedule: Schedule | None, kind: str, after: str | None) -> str | None:
    """The earliest time for a turn of `kind` that opens `after` a time to be judged, even if all sheets are in; None if nothing says so."""
    if schedule is None or after is None or (least := schedule.rhythm(kind).least) is None:
        return None
    try:
        return write_time(read_time(after) + duration(least))
    except OverflowError:
        raise problem("", f"{least} after {after} is out of range", "choose an earlier day") from None


def _slid(schedule: Schedule, rhythm: Rhythm, due: datetime) -> datetime:
    """The deadline, moved by whole days past the days of `slide`."""
    slide = {*(rhythm.slide or ())}
    if WEEKDAYS[due.astimezone(zone_named(schedule.zone)).weekday()] not in slide:
        return due
    return _next_day(schedule, due, slide | {*(rhythm.days_off or ())})


def _deadline(schedule: Schedule, rhythm: Rhythm, start: datetime, length: timedelta) -> datetime:
    zone = zone_named(schedule.zone)
    off = {WEEKDAYS.index(name) for name in rhythm.days_off or ()}
    holidays = {date.fromisoformat(day) for day in schedule.holidays}

    def midnight(day: date) -> datetime:
        return datetime.combine(day, time(), zone).astimezone(UTC)

    def is_off(day: date) -> bool:
        return day.weekday() in off or day in holidays

    if rhythm.days or rhythm.dates:
        hour, minute = map(int, (rhythm.at or "00:00").split(":"))
        first = start + (length if rhythm.least else timedelta(minutes=1))
        for step in range(SEARCHED + 2):
            day = start.astimezone(zone).date() + timedelta(days=step)
            deadline = datetime.combine(day, time(hour, minute), zone).astimezone(UTC)
            named = WEEKDAYS[day.weekday()] in (rhythm.days or ()) or day.day in (rhythm.dates or ())
            if named and deadline >= first and not is_off(day):
                return deadline
        raise problem(
            "", f"no such day is within {SEARCHED} days", "name more days, or take some out of `days_off` or `holidays`"
        )
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
    if rhythm.at is None:
        return at
    hour, minute = map(int, rhythm.at.split(":"))
    day = at.astimezone(zone).date()
    for step in range(SEARCHED + 2):
        there = day + timedelta(days=step)
        deadline = datetime.combine(there, time(hour, minute), zone).astimezone(UTC)
        if deadline >= at and not is_off(there):
            return deadline
    raise problem("", f"{SEARCHED} days in a row are off", "take some days out of `days_off` or `holidays`")


def closing(
    schedule: Schedule | None, kind: str, deadline: str | None, misses: Iterable[int] | None = None
) -> datetime | None:
    """The time when a turn of `kind` stops waiting for missing sheets: its deadline plus the grace; None without a deadline.

    `misses` are the earlier misses of each seat whose sheet is missing; the longest grace that one of them gets counts. Without it, the
    longest grace that any seat could get counts.
    """
    if deadline is None:
        return None
    graces = (schedule.rhythm(kind).grace or ()) if schedule is not None else ()
    lengths = [duration(one) if one != NONE else timedelta() for one in graces]
    if misses is not None and lengths:
        lengths = [lengths[min(count, len(lengths) - 1)] for count in misses]
    try:
        return read_time(deadline) + max(lengths, default=timedelta())
    except OverflowError:
        raise problem("", f"the grace after the deadline {deadline} is out of range", "choose an earlier day") from None


def to_come(
    schedule: Schedule, kinds: Iterable[str], after: str, until: str, away: Sequence[tuple[date, date]] = ()
) -> dict[str, tuple[str, ...]]:
    """Kind of turn -> the deadlines after a time and until another, if every turn is of this kind and is judged at its deadline.

    For a kind with another rhythm than the first's: the deadlines of turns that open `after`, and at each deadline of the first kind. No
    deadline falls on the days in `away`, which are those of `past_absences`.
    """
    first, *others = kinds
    came, at = [after], after

    def following(kind: str, at: str) -> str | None:
        due = next_deadline(schedule, kind, at)
        return past_absences(schedule, kind, due, away) if due is not None and away else due

    while (due := following(first, at)) is not None and due > at and read_time(due) <= read_time(until):
        came.append(at := due)
    found = {first: tuple(came[1:])}
    for kind in others:
        if schedule.rhythm(kind) != schedule.rhythm(first):
            found[kind] = tuple(due for one in came if (due := following(kind, one)) is not None)
    return found


def in_zone(schedule: Schedule, value: str) -> str:
    """A time as the schedule's zone writes it: `Thu 3 Dec 2026, 19:00 (UTC-5)`."""
    there = read_time(value).astimezone(zone_named(schedule.zone))
    offset = there.utcoffset() or timedelta()
    minutes = int(offset.total_seconds()) // 60
    sign, part = "-" if minutes < 0 else "+", f":{abs(minutes) % 60:02}" if minutes % 60 else ""
    zone = f"UTC{sign}{abs(minutes) // 60}{part}" if minutes else "UTC"
    day = f"{WEEKDAYS[there.weekday()][:3]} {there.day} {MONTHS[there.month - 1]} {there.year}"
    return f"{day}, {there.hour:02}:{there.minute:02} ({zone})"


# Judge now, or wait --------------------------------------------------------------------------------------------------


def _in_grace(schedule: Schedule, kind: str, deadline: str) -> Iterable[datetime]:
    """The times of reminders between a deadline and the end of the longest grace that a seat could get, which is not one of them."""
    late, due, last = schedule.rhythm(kind).remind_late, read_time(deadline), closing(schedule, kind, deadline)
    if late is not None and last is not None:
        for step in range(1, MOST_LATE + 1):
            if (at := due + step * duration(late)) >= last:
                return
            yield at


MOST_LATE = 30
"""Maximum number of reminders in a grace."""


def reminders(schedule: Schedule | None, kind: str, deadline: str | None, after: str | None) -> tuple[str, ...] | None:
    """Times of a turn’s reminders that are later than `after`, in order; None if there are none.

    Where missing sheets wait for the host, the host is reminded too, when the grace is over.
    """
    if schedule is None or deadline is None:
        return None
    rhythm, due = schedule.rhythm(kind), read_time(deadline)
    if not rhythm.remind and rhythm.remind_late is None:
        return None
    try:
        times = sorted(
            {due - duration(length) for length in rhythm.remind or ()} | {*_in_grace(schedule, kind, deadline)}
        )
    except OverflowError:
        raise problem(
            "", f"a reminder before the deadline {deadline} is out of range", "choose a shorter time"
        ) from None
    if schedule.missing is MissingSheets.HOST and (last := closing(schedule, kind, deadline)) is not None:
        times.append(last)
    return tuple(write_time(at) for at in times if after is None or at > read_time(after)) or None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTurn:
    """An open turn, as far as the caller knows it; omitted facts count as false.

    A caller that cannot read the sheets, but must not overlook a due turn, lists every seat that sent a sheet as final.
    """

    schedule: Schedule | None
    kind: str = ""
    deadline: str | None
    earliest: str | None = None
    """The turn is not judged before this time, even if all sheets are in."""
    early: Early = "final"
    """When the turn is judged before its deadline."""
    misses: Mapping[str, int] = field(default_factory=dict)
    """Seat -> the turns that it missed before this one."""
    paused: bool = False
    owed: bool
    """True if anybody owes a sheet."""
    waited: tuple[str, ...]
    """The seats to wait for: those that owe a sheet and are not in civil disorder."""
    final: frozenset[str] = frozenset()
    """Seats that sent a sheet for this very turn and marked it as final."""
    sent: frozenset[str] = frozenset()
    """Seats that sent a sheet for this very turn."""
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

    The turn is judged when the host has ended the game; when nobody owes a sheet; when the host rules that it proceeds, once its deadline is past
    or every seat has a sheet (a turn without a deadline at once); when every seat that it waits for
    has sent a final sheet (`early: all`: any sheet; `early: never`: not before the deadline); when the deadline is past and each of these
    seats has a sheet; and when the grace is past too. With `missing: host`, it is judged without missing sheets only if the host rules so.
    A paused game waits, unless the host has ended it.
    """
    past = at is not None and turn.deadline is not None and read_time(at) >= read_time(turn.deadline)
    if turn.ended:
        return Judge("ended", past)
    missing = tuple(seat for seat in turn.waited if seat not in turn.given)
    if turn.paused:
        return Wait("paused", missing, None)
    if not turn.owed:
        return Judge("nobody owes", past)
    if turn.proceed and (past or turn.deadline is None or not missing):
        return Judge("host", past)
    ready = {"never": frozenset[str](), "final": turn.final, "all": turn.final | turn.sent}[turn.early]
    soon = turn.earliest is not None and (at is None or read_time(at) < read_time(turn.earliest))
    if turn.waited and ready.issuperset(turn.waited) and not soon:
        return Judge("all final" if turn.final.issuperset(turn.waited) else "all in", past)
    if not past:
        return Wait("deadline", tuple(seat for seat in turn.waited if seat not in ready), turn.deadline)
    last = closing(turn.schedule, turn.kind, turn.deadline, [turn.misses.get(seat, 0) for seat in missing])
    assert at is not None
    assert last is not None
    if not missing:
        return Judge("all in", past)
    over = read_time(at) >= last
    match turn.schedule.missing if turn.schedule is not None else MissingSheets.HOLD:
        case MissingSheets.HOST:
            return Wait("host", missing, None, write_time(last)) if over else Wait("grace", missing, None)
        case MissingSheets.HOLD | MissingSheets.CIVIL_DISORDER:
            return Judge("late", past) if over else Wait("grace", missing, write_time(last))
        case other:
            assert_never(other)


def takes_sheet(answer: Judge | Wait, *, first: bool) -> bool:
    """True if an open turn still takes a seat's sheet: before its deadline any sheet; after it only the seat's first, while the turn waits."""
    return not answer.past or (first and isinstance(answer, Wait))
