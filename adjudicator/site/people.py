"""Pages of people: each player's seats and results in all games of the site, and the list of all players."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from markupsafe import Markup

from adjudicator.core.contract.words import many
from adjudicator.core.jobs.punctual import in_time
from adjudicator.site.markup import join, link, table, tag
from adjudicator.site.story import Story, is_unnamed, person_slug
from adjudicator.site.words import seat_in_words

FOLDER = "players"
"""The folder of the pages, below the site's root."""
EVERYBODY = "players.html"
"""The list of all players."""
DATA = "players.json"
"""The same as data."""
WON, SHARED, LEFT = "won", "shared the victory", "left the seat"


@dataclass(frozen=True, slots=True)
class Part:
    """A seat that a person had in a game."""

    player: str
    game: str
    """Slug of the game."""
    title: str
    ruleset: str
    """Title of the ruleset."""
    seat: str
    sent: int
    """Turns that waited for this person's orders and got them, or were judged by their standing orders."""
    owed: int
    """Turns that waited for this person's orders."""
    result: str
    """`playing`, `won`, `shared the victory`, `did not win`, `nobody won` or `left the seat`."""
    time: str
    """Time of the game's latest judgement, as `atom_time` writes it."""


def page_of(name: str) -> str | None:
    """Address of a person's page below the site's root; None for a seat without a name, or with a name that gives no address."""
    slug = "" if is_unnamed(name) else person_slug(name)
    return f"{FOLDER}/{slug}/index.html" if slug else None


def parts_of(story: Story) -> tuple[Part, ...]:
    """The parts that people have in a game; none for a record, whose people are not counted."""
    if story.record:
        return ()
    return tuple(
        Part(
            name,
            story.slug,
            story.game.title,
            story.game.ruleset.about.title,
            seat_in_words(story, seat),
            *_punctual(story, seat, name),
            _result(story, seat) if last else LEFT,
            story.atom_time(story.last),
        )
        for seat in story.game.seats
        for names in (story.players_of(seat),)
        for name, last in ((name, name == names[-1]) for name in dict.fromkeys(names))
        if page_of(name) is not None
    )


def _punctual(story: Story, seat: str, name: str) -> tuple[int, int]:
    """How many turns got this person's orders for a seat in time, and how many waited for them."""
    return in_time(story.game, (turn.data for turn in story.turns), (seat,), lambda player: player.player == name)


def _result(story: Story, seat: str) -> str:
    if story.ending is None:
        return "playing"
    if not story.ending.winners:
        return "nobody won"
    if seat not in story.ending.winners:
        return "did not win"
    return WON if len(story.ending.winners) == 1 else SHARED


def by_person(parts: Iterable[Part]) -> Mapping[str, Sequence[Part]]:
    """Address of a page -> the parts of its person, latest games first. Two names that give one address share a page."""
    people: dict[str, list[Part]] = {}
    for part in sorted(parts, key=lambda part: (part.time, part.game, part.seat), reverse=True):
        address = page_of(part.player)
        if address is not None:
            people.setdefault(address, []).append(part)
    return dict(sorted(people.items()))


def name_in(parts: Sequence[Part]) -> str:
    """The name of a person, as in their latest game."""
    return parts[0].player


def about(parts: Sequence[Part]) -> str:
    """A person's record in a sentence, such as `3 games: 1 won, 1 shared, 1 still being played`."""
    won = sum(part.result == WON for part in parts)
    shared = sum(part.result == SHARED for part in parts)
    playing = sum(part.result == "playing" for part in parts)
    counts = [(won, "won"), (shared, "shared"), (playing, "still being played")]
    told = ", ".join(f"{number} {words}" for number, words in counts if number)
    games = many(len({part.game for part in parts}), "game")
    return f"{games}: {told}." if told else f"{games}."


def people_data(people: Mapping[str, Sequence[Part]]) -> str:
    """Every person with their parts, as JSON."""
    data = {
        address: {"name": name_in(parts), "parts": [asdict(part) for part in parts]}
        for address, parts in people.items()
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


BETTER = {WON: 2, SHARED: 1}
"""How good a result is, to compare two people in one game; any other counts 0."""


def _met(parts: Sequence[Part], people: Mapping[str, Sequence[Part]]) -> list[tuple[str, str, int, int, int]]:
    """Everybody met in a finished game: address, name, number of games, and how many of them each of the two finished better."""
    mine = _best(part for part in parts if part.result not in ("playing", LEFT))
    rows = []
    for address, others in people.items():
        if address == page_of(name_in(parts)):
            continue
        theirs = _best(part for part in others if part.game in mine and part.result != LEFT)
        if theirs:
            marks = [(mine[game], mark) for game, mark in theirs.items()]
            better, worse = sum(a > b for a, b in marks), sum(a < b for a, b in marks)
            rows.append((address, name_in(others), len(theirs), better, worse))
    return sorted(rows, key=lambda row: (-row[2], row[1].casefold()))


def _best(parts: Iterable[Part]) -> dict[str, int]:
    """Game -> how good a person's best result in it is; they may have had several seats."""
    best: dict[str, int] = {}
    for part in parts:
        best[part.game] = max(best.get(part.game, 0), BETTER.get(part.result, 0))
    return best


def person_page(parts: Sequence[Part], people: Mapping[str, Sequence[Part]]) -> Markup:
    """The page of a person: their record, every seat that they had, and whom they met."""
    name, root = name_in(parts), "../../"
    rows = [
        (link(part.title, f"{root}games/{part.game}/index.html"), part.ruleset, part.seat, part.result)
        for part in parts
    ]
    sent, owed = sum(part.sent for part in parts), sum(part.owed for part in parts)
    met = [
        (link(other, f"{root}{address}"), games, better, worse)
        for address, other, games, better, worse in _met(parts, people)
    ]
    crumbs = [link("All games", f"{root}index.html"), link("Players", f"{root}{EVERYBODY}")]
    return tag(
        "div",
        tag("p", join(crumbs, " › "), class_="courtly-crumbs"),
        tag("h1", name),
        tag("p", about(parts), class_="courtly-lead"),
        table(("Game", "Rules", "Seat", "Result"), rows, f"Games of {name}"),
        tag("p", f"Sent orders in time for {sent} of {many(owed, 'turn')}.") if owed else None,
        tag(
            "section",
            tag("h2", "Head to head"),
            table(("Player", "Games together", f"{name} did better", "They did better"), met, "Head to head"),
        )
        if met
        else None,
        tag(
            "p",
            link("Atom feed of these games", "feed.xml"),
            " · ",
            link(f"Calendar of {name}’s deadlines", "deadlines.ics"),
            class_="courtly-small",
        ),
        class_="courtly",
    )


def people_page(
    people: Mapping[str, Sequence[Part]], records: Mapping[str, str], seasons: Mapping[str, str] | None = None
) -> Markup:
    """The list of all players, by name, each with the counts of games, victories and shared victories.

    `records` is the address of the page of records of each ruleset, by title; `seasons` the title of each season and tournament, by the address of its page.
    """
    rows = [
        (
            link(name_in(parts), address),
            len({part.game for part in parts}),
            sum(part.result == WON for part in parts),
            sum(part.result == SHARED for part in parts),
            sum(part.result == "playing" for part in parts),
            f"{sent}\u00a0of\u00a0{owed}" if (owed := sum(part.owed for part in parts)) else "",
        )
        for address, parts in sorted(people.items(), key=lambda pair: name_in(pair[1]).casefold())
        for sent in (sum(part.sent for part in parts),)
    ]
    return tag(
        "div",
        tag("p", link("All games", "index.html"), class_="courtly-crumbs"),
        tag("h1", "Players"),
        table(("Player", "Games", "Won", "Shared", "Playing", "In time"), rows, "Players")
        if rows
        else tag("p", "Nobody has played here under a name yet."),
        tag("p", "Ratings and records: ", join((link(title, page) for title, page in records.items()), " · "))
        if records
        else None,
        tag("p", "Seasons and tournaments: ", join((link(title, page) for page, title in seasons.items()), " · "))
        if seasons
        else None,
        tag("p", link("The same as data", DATA), class_="courtly-small"),
        class_="courtly",
    )
