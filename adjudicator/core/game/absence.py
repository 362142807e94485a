"""Absences: players say ahead when they are away, and no deadline that waits for them falls on such a day.

A player sends `games/GAME/absence/SEAT.yaml`, which names the seat and the first and the last day. As with a request for a seat, intake does
not put that file into the archive but writes another, `SEAT.FIRST.yaml`, with the account that the forge names as its author and the time of
the request. An absence counts as long as that account plays the seat. The days of one player in a calendar year are at most as many as the
schedule's `absences` gives; days that are announced twice count once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated

from adjudicator.core.contract.words import many
from adjudicator.core.game.archive import Archive, display
from adjudicator.core.game.game import SCHEMA, Absence, Game, check_schema, is_day, seat_file
from adjudicator.core.game.schedule import duration, read_time, zone_named
from adjudicator.core.text.codec import decode, encode, field_text, record
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.yamltext import Text, read, write

FOLDER = "absence"
"""A game's folder for the absences that its players announce."""
FILE = re.compile(r"([a-z0-9][a-z0-9-]{0,79})\.(\d{4}-\d\d-\d\d)\.yaml", re.ASCII)
FAR = 731
"""Maximum number of days from now to the first day: nobody plans further, and a wrong year could not be taken back."""
MOST = 366
"""Maximum number of days of one absence."""


@record
class Announced:
    """An absence as a player sends it: `games/GAME/absence/SEAT.yaml` of a pull request."""

    seat: str
    first: Annotated[str, field_text("The first day that you are away, such as `2026-12-20`.")]
    last: Annotated[str, field_text("The last day that you are away.")]


def load_absences(archive: Archive, game: Game) -> tuple[Absence, ...]:
    """The absences that a game's players have announced, by first day and seat; raises `Problems` for files that intake did not write."""
    folder = archive.game_folder(game.slug) / FOLDER
    if archive.files.is_link(folder):
        raise problem(display(folder, archive.root), "this is a link", "put the folder itself here")
    found: list[Absence] = []
    faults: list[Problem] = []
    for path in archive.files.paths(folder, "*"):
        if path.name == "README.md":
            continue
        try:
            found.append(_read_kept(game, read(archive.read(path), display(path, archive.root))))
        except Problems as error:
            faults.extend(error.problems)
    if faults:
        raise Problems(faults)
    return tuple(sorted(found, key=lambda one: (one.first, one.seat)))


def _read_kept(game: Game, text: Text) -> Absence:
    name = text.path.rpartition("/")[2]
    match = FILE.fullmatch(name)
    if match is None or match[1] not in map(seat_file, game.seats):
        right = (
            f"intake and `courtly away` write such files, with names such as {seat_file(game.seats[0])}.2026-12-20.yaml"
        )
        raise problem(text.path, "no absence of this game has a file of that name", right)
    check_schema(text)
    kept = decode(Absence, text)
    if (match[1], match[2]) != (seat_file(kept.seat), kept.first):
        raise Problems([text.problem((), "the file's name does not match its contents", "restore one or the other")])
    faults = [*_day_faults(text, kept.first, kept.last)]
    try:
        read_time(kept.announced)
    except Problems as error:
        faults += [text.problem(("announced",), fault.what, fault.right) for fault in error.problems]
    if faults:
        raise Problems(faults)
    return kept


def _day_faults(text: Text, first: str, last: str) -> Iterable[Problem]:
    """Everything that is wrong with the two days of an absence, by itself."""
    wrong = [(key, said) for key, said in (("first", first), ("last", last)) if not is_day(said)]
    for key, said in wrong:
        yield text.problem((key,), f"{said!r:.40} is not a day", "write it like 2026-12-20")
    if not wrong and last < first:
        yield text.problem(("last",), f"{last} is before {first}", "give the first day, then the last")
    elif not wrong and (date.fromisoformat(last) - date.fromisoformat(first)).days >= MOST:
        yield text.problem(("last",), "this is more than a year", "ask the host to give your seat to somebody else")


# Announcing -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat whose player announces an absence. `first` is the first day, empty until the player's file has been read."""

    game: Game
    seat: str
    account: int | None
    first: str = ""

    @property
    def path(self) -> str:
        """The path of the file that intake writes."""
        return f"{self.game.home}/{FOLDER}/{seat_file(self.seat)}.{self.first}.yaml"

    @property
    def sent(self) -> str:
        """The path of the file that the player sends."""
        return f"{self.game.home}/{FOLDER}/{seat_file(self.seat)}.yaml"

    @property
    def welcome(self) -> str:
        """Sentences for the author of an accepted absence: what it changes."""
        return (
            "While a turn waits for your sheet, its deadline does not fall on these days: it moves to the first possible day after them. "
            "Everybody can see when you are away. Your host can bring a deadline forward again."
        )


def leave(game: Game, name: str) -> Leave:
    """Find the seat whose player announces an absence with a file of this name; raises `Problems`. The account is not checked here."""
    schedule = game.data.schedule
    if schedule is None or schedule.absences is None:
        raise problem("", "nobody announces absences in this game", "ask its host for more time")
    seat = next((seat for seat in game.seats if f"{seat_file(seat)}.yaml" == name), None)
    if seat is None:
        right = "files here: " + ", ".join(f"{seat_file(seat)}.yaml" for seat in game.seats)
        raise problem("", "no seat of this game has a file of that name", right)
    return Leave(game, seat, None)


def absence_of(wanted: Leave, said: Announced, text: Text, at: str) -> tuple[Leave, Absence]:
    """The absence that a player's file announces at a time, and its record; raises `Problems` with everything that is wrong.

    The first day may not be over yet, in the zone of the game's schedule: nobody is excused afterwards.
    """
    game = wanted.game
    faults = []
    if said.seat != wanted.seat:
        what = f"the seat is {said.seat!r:.60}"
        faults.append(text.problem(("seat",), what, f"write {wanted.seat}, as the file's name says"))
    own = [*_day_faults(text, said.first, said.last)]
    if not own:
        faults += _too_late(game, said, text, at)
        faults += _too_long(wanted, said, text)
    if faults or own:
        raise Problems(faults + own)
    return replace(wanted, first=said.first), Absence(
        schema=SCHEMA, seat=wanted.seat, account=wanted.account, first=said.first, last=said.last, announced=at
    )


def absence_text(kept: Absence) -> bytes:
    """The file that is kept of an absence."""
    head = "# It is not changed: the deadlines of turns depend on it.\n"
    return (head + write(encode(kept))).encode()


def _too_late(game: Game, said: Announced, text: Text, at: str) -> Iterable[Problem]:
    assert game.data.schedule is not None
    today = read_time(at).astimezone(zone_named(game.data.schedule.zone)).date()
    if date.fromisoformat(said.first) < today:
        what = f"{said.first} is over: today is {today.isoformat()} in the game's time zone"
        yield text.problem(("first",), what, "begin today or later; ask the host about days that are over")
    elif date.fromisoformat(said.first) > today + timedelta(days=FAR):
        yield text.problem(("first",), f"{said.first} is more than two years ahead", "was another year meant?")


def _too_long(wanted: Leave, said: Announced, text: Text) -> Iterable[Problem]:
    """A fault for each calendar year with more days than the schedule gives, counting all absences of the account."""
    schedule = wanted.game.data.schedule
    assert schedule is not None
    assert schedule.absences is not None
    most = duration(schedule.absences).days
    own = [one for one in wanted.game.absences if (one.seat, one.account) == (wanted.seat, wanted.account)]
    before = {day for one in own for day in days_of(one.first, one.last)}
    new = set(days_of(said.first, said.last))
    for year in sorted({day.year for day in new - before}):
        had, all_in = (sum(day.year == year for day in days) for days in (before, before | new))
        if all_in > most:
            what = f"that would be {many(all_in, 'day')} in {year}, and this game gives each player {many(most, 'day')}"
            left = f"you have {many(max(most - had, 0), 'day')} left in {year}; ask the host for more time"
            yield text.problem(("last",), what, left)


def days_of(first: str, last: str) -> Iterable[date]:
    """Every day of an absence, which must be valid."""
    start = date.fromisoformat(first)
    return (start + timedelta(days=step) for step in range((date.fromisoformat(last) - start).days + 1))


def earlier_absence(wanted: Leave) -> Absence | None:
    """The seat's earlier absence with the same first day; None if there is none."""
    return next((one for one in wanted.game.absences if (one.seat, one.first) == (wanted.seat, wanted.first)), None)
