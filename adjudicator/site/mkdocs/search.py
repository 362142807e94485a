"""What the search finds of play: games with their seats and players, and turns by what happened in them.

The index is fetched whole by whoever searches, so what it holds of play has bounds: of a game and of a turn so many letters, and
of all turns in the archive the newest. An older turn is found by its game.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator

from adjudicator.core.game.game import Game
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.sheets import holder
from adjudicator.site.mkdocs.head import shorten
from adjudicator.site.story import Story, is_unnamed
from adjudicator.site.words import state_in_words

NEWEST = 2000
"""Turns that are found by themselves."""
GAME_LETTERS = 1000
TURN_LETTERS = 240
"""Letters of what is searched of a game, and of a turn beside its title."""

GAMES = 1000
"""Games that are found by their seats and players; older ones by their titles alone."""

Entry = dict[str, str]
"""What the theme searches: `location`, `title` and `text`, both escaped."""


Found = tuple[str, str, str, Entry]
"""When a turn was judged, its game, its name, and what is found of it."""


def turn_entries(story: Story) -> list[Found]:
    """A game's newest turns, latest first."""
    judged = [
        (story.atom_time(turn), story.slug, turn.name, _turn_entry(story, turn))
        for turn in story.turns
        if turn.data.status != "open"
    ]
    return sorted(judged, key=lambda entry: entry[:3], reverse=True)[:NEWEST]


def page_entry(address: str, title: str, text: str) -> Entry:
    """A page that is no game's."""
    return {**_entry("", title, text, TURN_LETTERS), "location": address}


def bounded(games: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of games, latest first, without what is searched of those beyond the latest."""
    for number, entry in enumerate(games):
        yield entry if number < GAMES else {**entry, "text": ""}


def gathering_entry(game: Game) -> Entry:
    """A game that waits for people."""
    people = ", ".join(f"{seat}: {game.joined[seat].player}" for seat in game.seats if seat in game.joined)
    return _entry(f"games/{game.name}", game.title, f"{game.ruleset.about.title}. Open seats. {people}", GAME_LETTERS)


def search_entries(stories: Iterable[Story], gathering: Iterable[Game]) -> Iterator[Entry]:
    """Every game, and the newest turns, latest first."""
    turns: list[Found] = []
    for story in stories:
        yield game_entry(story)
        turns = sorted([*turns, *turn_entries(story)], key=lambda entry: entry[:3], reverse=True)[:NEWEST]
    yield from map(gathering_entry, gathering)
    for *_, entry in turns:
        yield entry


def game_entry(story: Story) -> Entry:
    """A game, found by its title, its rules, its seats and everybody who played it."""
    game = story.game
    seats = []
    for seat in game.seats:
        names = dict.fromkeys([game.player(seat), *(holder(game, turn.data, seat).player for turn in story.turns)])
        seats.append(": ".join([seat, *filter(None, [", ".join(name for name in names if not is_unnamed(name))])]))
    text = f"{game.ruleset.about.title}, {state_in_words(story)}. {'; '.join(seats)}."
    return _entry(f"games/{story.slug}", game.title, text, GAME_LETTERS)


def _turn_entry(story: Story, turn: Turn) -> Entry:
    """A turn, found by what happened in it above all and by what else mattered."""
    told = story.shortly(turn)
    text = " ".join((told.headline or story.game.ruleset.words.quiet, *told.rest))
    return _entry(f"games/{story.slug}/{turn.name}", f"{turn.data.phase}, {story.game.title}", text, TURN_LETTERS)


def _entry(folder: str, title: str, text: str, letters: int) -> Entry:
    """One entry, escaped, as long as it may be."""
    return {
        "location": f"{folder}/index.html",
        "title": html.escape(shorten(title)),
        "text": html.escape(shorten(text, letters)),
    }
