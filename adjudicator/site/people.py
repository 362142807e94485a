"""Pages of people: each player's seats and results in all games of the site, and the list of all players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from adjudicator.core.contract.words import many
from adjudicator.core.turn.sheets import holder
from adjudicator.site.markup import join, link, table, tag
from adjudicator.site.story import Story, is_unnamed, person_slug

FOLDER = "players"
"""The folder of the pages, below the site's root."""
EVERYBODY = "players.html"
"""The list of all players."""
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
    result: str
    """`playing`, `won`, `shared the victory`, `did not win`, `nobody won` or `left the seat`."""
    time: str
    """Time of the game's latest judgement, as `atom_time` writes it."""


def page_of(name: str) -> str | None:
    """Address of a person's page below the site's root; None for a seat without a name, or with a name that gives no address."""
    slug = "" if is_unnamed(name) else person_slug(name)
    return f"{FOLDER}/{slug}/index.html" if slug else None


def names_of(story: Story, seat: str) -> list[str]:
    """Everybody who held a seat, in order."""
    names = [story.game.player(seat)]
    for turn in story.turns:
        name = holder(story.game, turn.data, seat).player
        if name != names[-1]:
            names.append(name)
    return names


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
            seat,
            _result(story, seat) if last else LEFT,
            story.atom_time(story.last),
        )
        for seat in story.game.seats
        for names in (names_of(story, seat),)
        for name, last in ((name, at == len(names) - 1) for at, name in enumerate(names))
        if page_of(name) is not None
    )


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


def person_page(parts: Sequence[Part]) -> Markup:
    """The page of a person: their record, and every seat that they had."""
    name, root = name_in(parts), "../../"
    rows = [
        (link(part.title, f"{root}games/{part.game}/index.html"), part.ruleset, part.seat, part.result)
        for part in parts
    ]
    crumbs = [link("All games", f"{root}index.html"), link("Players", f"{root}{EVERYBODY}")]
    return tag(
        "div",
        tag("p", join(crumbs, " › "), class_="courtly-crumbs"),
        tag("h1", name),
        tag("p", about(parts), class_="courtly-lead"),
        table(("Game", "Rules", "Seat", "Result"), rows, f"Games of {name}"),
        tag("p", link("Atom feed of these games", "feed.xml"), class_="courtly-small"),
        class_="courtly",
    )


def people_page(people: Mapping[str, Sequence[Part]]) -> Markup:
    """The list of all players, by name, each with the counts of games, victories and shared victories."""
    rows = [
        (
            link(name_in(parts), address),
            len({part.game for part in parts}),
            sum(part.result == WON for part in parts),
            sum(part.result == SHARED for part in parts),
            sum(part.result == "playing" for part in parts),
        )
        for address, parts in sorted(people.items(), key=lambda pair: name_in(pair[1]).casefold())
    ]
    return tag(
        "div",
        tag("p", link("All games", "index.html"), class_="courtly-crumbs"),
        tag("h1", "Players"),
        table(("Player", "Games", "Won", "Shared", "Playing"), rows, "Players")
        if rows
        else tag("p", "Nobody has played here under a name yet."),
        class_="courtly",
    )
