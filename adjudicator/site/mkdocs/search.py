"""The search entries about play: games with their seats and players, and turns with their events.

There are three indexes, and a reader who searches fetches one of them: help, rules or games. late.js chooses by the page, and the
reader can choose another. The index of games has bounds: a number of letters per game and per turn, and only the newest turns of the
archive. An older turn is found by its game.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator

from adjudicator.core.game.game import Game
from adjudicator.core.turn.data import Turn
from adjudicator.site.mkdocs.head import shorten
from adjudicator.site.story import Story, is_unnamed, shown_name
from adjudicator.site.words import state_in_words

PLAY = re.compile(r"games/|games-|players")
"""The beginning of the addresses of games, years and players."""
GAME = re.compile(r"games/[^/]+/index\.html")
NEWEST = 2000
"""The most turns that have search entries."""
GAME_LETTERS = 1000
TURN_LETTERS = 240
"""The most letters of text in a game's entry and in a turn's, besides the title."""

GAMES = 1000
"""The most games that can be found by their seats and players; older games are found only by their titles."""

IN_HELP = 100
"""The most games that the index of help has too, the latest ones, so that their titles and players are found from any page."""
INDEXES = {"help": "search/search_index.json", "rules": "search/rules.json", "games": "search/games.json"}
"""Index -> its address. Help has the address that the theme asks for."""

Entry = dict[str, str]
"""An entry of the theme's search: `location`, `title` and `text`, both escaped."""


Found = tuple[str, str, str, Entry]
"""A judged turn: its time, its game, its name, and its entry."""


def parted(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The entries by index: rulebooks with their cards are rules, games with their turns, players and years are games, and the rest is help."""
    parts: dict[str, list[Entry]] = {name: [] for name in INDEXES}
    seen = 0
    for entry in entries:
        at = entry["location"]
        part = "rules" if at.startswith("rulesets/") else "games" if PLAY.match(at) else "help"
        parts[part].append(entry)
        if part == "games" and GAME.fullmatch(at) and seen < IN_HELP:
            seen += 1
            parts["help"].append(entry)
    return parts


def turn_entries(story: Story) -> list[Found]:
    """A game's newest turns, latest first."""
    judged = [
        (story.atom_time(turn), story.slug, turn.name, _turn_entry(story, turn))
        for turn in story.turns
        if turn.data.status != "open"
    ]
    return sorted(judged, key=lambda entry: entry[:3], reverse=True)[:NEWEST]


def page_entry(address: str, title: str, text: str) -> Entry:
    """The entry for a page that belongs to no game."""
    return {**_entry("", title, text, TURN_LETTERS), "location": address}


def bounded(games: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of games, latest first; those beyond the latest have no searched text."""
    for number, entry in enumerate(games):
        yield entry if number < GAMES else {**entry, "text": ""}


def gathering_entry(game: Game) -> Entry:
    """The entry for a game that is waiting for players."""
    people = ", ".join(
        f"{seat}: {shown_name(game, game.joined[seat].player, over=False)}"
        for seat in game.seats
        if seat in game.joined
    )
    return _entry(f"games/{game.name}", game.title, f"{game.ruleset.about.title}. Open seats. {people}", GAME_LETTERS)


def game_entry(story: Story) -> Entry:
    """The entry for a game, found by its title, its rules, its seats and everybody who played it."""
    game = story.game
    seats = []
    for seat in game.seats:
        names = story.players_of(seat)
        seats.append(": ".join([seat, *filter(None, [", ".join(name for name in names if not is_unnamed(name))])]))
    text = f"{game.ruleset.about.title}, {state_in_words(story)}. {'; '.join(seats)}."
    return _entry(f"games/{story.slug}", game.title, text, GAME_LETTERS)


def _turn_entry(story: Story, turn: Turn) -> Entry:
    """The entry for a turn, found by its main event and by other events that mattered."""
    told = story.shortly(turn)
    text = " ".join((told.headline or story.game.ruleset.words.quiet, *told.rest))
    return _entry(f"games/{story.slug}/{turn.name}", f"{turn.data.phase}, {story.game.title}", text, TURN_LETTERS)


def _entry(folder: str, title: str, text: str, letters: int) -> Entry:
    """One entry, escaped, with at most `letters` letters of text."""
    return {
        "location": f"{folder}/index.html",
        "title": html.escape(shorten(title)),
        "text": html.escape(shorten(text, letters)),
    }
