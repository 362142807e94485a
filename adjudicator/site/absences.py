"""Absences for readers: on a game's page the rule and how to announce one, on an open turn's page the players who are away before its deadline."""

from __future__ import annotations

from datetime import date

from markupsafe import Markup

from adjudicator.core.contract.words import join_words, many
from adjudicator.core.game.absence import Leave
from adjudicator.core.game.game import Absence, Charter
from adjudicator.core.game.schedule import duration, read_time
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.sheets import absences_in
from adjudicator.site.markup import join, link, table, tag
from adjudicator.site.seats import Request, ways
from adjudicator.site.story import Story
from adjudicator.site.words import MONTHS


def day_in_words(day: str) -> str:
    """`2026-12-20` as `20 December 2026`."""
    at = date.fromisoformat(day)
    return f"{at.day} {MONTHS[at.month - 1]} {at.year}"


def _days(one: Absence) -> str:
    """The days of an absence: `20 December 2026 to 2 January 2027`."""
    first, last = day_in_words(one.first), day_in_words(one.last)
    return first if one.first == one.last else f"{first} to {last}"


def absences_of_game(story: Story, charter: Charter | None, root: str) -> Markup | None:
    """The absences that a running game's players have announced, and how to announce one; None if its schedule has no room for any."""
    game, schedule = story.game, story.game.data.schedule
    if schedule is None or schedule.absences is None or story.ending is not None or story.record:
        return None
    rows = [(one.seat, _days(one)) for one in reversed(game.absences)]
    days = many(duration(schedule.absences).days, "day")
    files = []
    for seat in game.seats:
        wanted = Leave(game, seat, None)
        text = f"seat: {seat}\nfirst: YYYY-MM-DD\nlast: YYYY-MM-DD\n"
        request = Request(wanted.sent, text, *ways(charter, wanted.sent, text, f"{seat} is away in {game.slug}"))
        if request.address or request.issue:
            own = link(seat, request.address) if request.address else seat
            files.append(join([own, link("as an issue", request.issue)], ", or ") if request.issue else own)
    return tag(
        "section",
        tag("h2", "Who is away"),
        tag(
            "p",
            f"Each player can be away on {days} a year. Say so ahead, and a deadline that waits for you moves past those days. ",
            link("How to say so", f"{root}play.html#going-away"),
        ),
        tag("p", "You play ", join(files, "; "), "?") if files else None,
        table(("Seat", "Away"), rows, "Who is away") if rows else None,
        class_="courtly-away",
    )


def away_line(story: Story, turn: Turn) -> Markup | None:
    """The players who are away at some time before an open turn's deadline; None if nobody has said so."""
    deadline = turn.data.deadline
    if deadline is None or not story.game.absences:
        return None
    before = [one.data.closed for one in story.turns if one.name != turn.name and one.data.closed is not None]
    since = before[-1] if before else turn.data.opened or f"{story.game.data.opened}T00:00Z"
    first, last = (read_time(time).date().isoformat() for time in (since, deadline))
    away = [
        f"{one.seat} ({_days(one)})"
        for one in absences_in(story.game, turn.data)
        if one.first <= last and one.last >= first
    ]
    return tag("p", f"Away: {join_words(away)}.") if away else None
