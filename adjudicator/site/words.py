"""Times and the state of a game, in the words of the pages."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.game.game import Charter
from adjudicator.core.game.schedule import WEEKDAYS, read_time
from adjudicator.site.story import Story


def state_in_words(story: Story) -> str:
    """The state of a game: its current turn, how it ended, or the turns on record."""
    if story.record:
        return f"a record: {', '.join(turn.data.phase for turn in story.turns)}"
    if story.ending is None:
        return f"now: {story.last.data.phase}"
    return ended_in_words(story)


def ended_in_words(story: Story) -> str:
    """How a finished game ended; a player whose character has another name is shown with both: `Brannoc (Second)`."""
    assert story.ending is not None
    winners = tuple(seat_in_words(story, seat) for seat in story.ending.winners)
    return story.game.ruleset.words.ended(replace(story.ending, winners=winners))


def seat_in_words(story: Story, seat: str) -> str:
    """A seat and, once the game is over, its character if that has another name: `Brannoc (Second)`."""
    view = story.final
    name = story.game.ruleset.words.called(view, seat) if view is not None else None
    return f"{name} ({seat})" if name is not None else seat


RESULTS = {
    "succeeds": "done", "fails": "failed", "stands": "held", "given": "supported", "available": "ready",
    "partly": "in part", "waits": "waiting",
}  # fmt: skip
"""A result as the archive records it -> as pages show it."""


def result_in_words(verdict: Verdict) -> str:
    """The result of an order in a word or two. Of a unit that held and met with something else, only the latter is shown."""
    held = verdict.result == "stands" and bool(verdict.also)
    parts = (
        "" if held else RESULTS.get(verdict.result, verdict.result),
        "no order" if verdict.implied else "",
        verdict.also,
    )
    return ", ".join(filter(None, parts))


def on_forge(charter: Charter | None, path: str) -> tuple[str, str] | None:
    """The forge's name, and the address there of a file or folder of the archive; None if the archive names no repository."""
    if charter is None or (place := charter.place) is None:
        return None
    address = place.address("file" if path.endswith((".yaml", ".svg")) else "folder", path=path)
    return (place.kind.name, address) if address is not None else None


def in_words(time: str) -> str:
    """`2026-11-24T17:00Z` as `Tuesday 24 November 2026, 17:00 UTC`, in English on every machine."""
    at = read_time(time)
    return f"{WEEKDAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]} {at.year}, {at.hour:02d}:{at.minute:02d} UTC"


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
