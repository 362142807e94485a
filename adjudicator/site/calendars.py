"""Calendars that a reader's own calendar subscribes to: the deadlines of a game, of a player, and of all games.

An event keeps its id when its deadline moves, so the calendar moves it instead of adding another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from icalendar import Calendar, Event

from adjudicator.core.game.schedule import read_time
from adjudicator.core.turn.data import Turn
from adjudicator.site.story import Story, is_unnamed

NAME = "deadlines.ics"
LENGTH = timedelta(minutes=15)
"""How long a deadline is shown in a calendar: it ends at the deadline, so a reminder before its start comes in time."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A turn's deadline as calendars show it."""

    id: str
    """The same for every build, and for a deadline that moves."""
    time: str
    """In UTC: `2026-11-24T17:00Z`."""
    title: str
    page: str
    """Address of the turn's page below the site's root."""
    players: tuple[str, ...]
    """The people whose orders it waits for."""


def is_dated(story: Story) -> bool:
    """True if a game has a calendar. It stays for those who subscribe to it, though all its turns be paused."""
    return any(turn.data.deadline for turn in story.turns)


def entry_of(story: Story, turn: Turn) -> Deadline | None:
    """A turn's entry in calendars; None if it has no deadline, or is paused."""
    data, game = turn.data, story.game
    if data.deadline is None or data.paused:
        return None
    archive = game.archive or "archive"
    waiting = (*data.owing, *story.sheets_sent(turn)) if data.status == "open" else ()
    people = {story.players_of(seat)[-1] for seat in game.seats if seat in waiting}
    return Deadline(
        id=f"{turn.name}.{story.slug}.{archive}@courtly",
        time=data.deadline,
        title=f"{game.title}: orders for {data.phase}",
        page=f"games/{story.slug}/{turn.name}/index.html",
        players=tuple(sorted(name for name in people if not is_unnamed(name))),
    )


def calendar(title: str, deadlines: Iterable[Deadline], base: str) -> bytes:
    """A calendar of these deadlines, in order of time; `base` is the site's address and ends in a slash."""
    found = Calendar()
    found.add("prodid", "-//Courtly//Deadlines//EN")
    found.add("version", "2.0")
    found.add("x-wr-calname", " ".join(title.split()))
    for one in sorted(deadlines, key=lambda one: (one.time, one.id)):
        end = read_time(one.time)
        event = Event()
        event.add("uid", one.id)
        event.add("dtstamp", end)  # nothing depends on when the site was built
        event.add("dtstart", end - LENGTH)
        event.add("dtend", end)
        event.add("summary", one.title)
        event.add("url", base + one.page)
        found.add_component(event)
    text: bytes = found.to_ical()
    return text
