"""The turn that a running game is waiting for, in the words of its page, its card and the turn's page."""

from __future__ import annotations

from markupsafe import Markup

from adjudicator.core.game.schedule import Judge, judge_or_wait, write_time
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.judge import as_open, closes
from adjudicator.core.turn.load import load_charter
from adjudicator.site.markup import join, link, tag
from adjudicator.site.story import Story
from adjudicator.site.words import in_words

NO_DEADLINE = "no deadline"


def time_of(iso: str) -> Markup:
    """A time in UTC. A script converts it to the reader's zone and adds how far off it is."""
    return tag("time", in_words(iso), datetime=iso, class_="courtly-time")


def deadline_of(story: Story, turn: Turn) -> Markup | str:
    """The state of an open turn: due at a time, judged with the next run, paused, or `NO_DEADLINE`."""
    answer = judge_or_wait(as_open(story.game, turn.data), None)
    if isinstance(answer, Judge):
        return "judged with the next run"
    if answer.why == "paused":
        return "paused by the host"
    return Markup("due {}").format(time_of(answer.until)) if answer.until else NO_DEADLINE


def due_line(story: Story, turn: Turn) -> Markup | None:
    """A line that a script shows if the turn is due but not yet judged, with a link to start the job; None without a deadline.

    The page is built before the deadline, and the clock that starts the job may be hours late.
    """
    last = closes(story.game, turn.data)
    charter = load_charter(story.archive)
    if last is None or turn.data.status != "open" or turn.data.paused:
        return None
    place = charter.place if charter is not None else None
    address = place.address("workflow", filename="adjudicate.yml") if place is not None else None
    words = "This turn is due but not yet judged. Nothing that was sent in time is lost."
    start = (" The host can start it: ", link("Run workflow", address), ".") if address else ()
    return tag("p", words, *start, class_="courtly-due", hidden=True, data_due=write_time(last))


def sheets_in(story: Story, turn: Turn) -> str:
    """The number of awaited sheets that have come: `5 of 7 sheets in`; empty if none is awaited."""
    sent = story.sheets_sent(turn)
    due = {*turn.data.owing, *sent}
    return f"{len(sent)} of {len(due)} sheets in" if due else ""


def now_line(story: Story, root: str, *, write: bool) -> Markup | None:
    """The turn that a running game is waiting for, its deadline, and how many sheets are in; None for any other game."""
    turn = story.last
    if turn.data.status != "open" or story.ending is not None:
        return None
    parts = [tag("strong", f"Now: {turn.data.phase}"), deadline_of(story, turn), sheets_in(story, turn)]
    ways = (
        [link("Write orders", f"{root}desk.html#{story.slug}", class_="md-button md-button--primary")] if write else []
    )
    words = tag("span", join([part for part in parts if part], ", "))
    return tag("p", words, *ways, class_="courtly-now")
