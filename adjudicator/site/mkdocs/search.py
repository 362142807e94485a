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

Entry = dict[str, str]
"""What the theme searches: `location`, `title` and `text`, both escaped."""


class Findable:
    """What the search finds of play, filled game by game: of the turns no more is kept than is found."""

    def __init__(self) -> None:
        self.games: list[Entry] = []
        self.pages: list[Entry] = []
        self.turns: list[tuple[str, str, str, Entry]] = []
        """When it was judged, game, turn, and what is found; latest first."""

    def add(self, story: Story) -> None:
        """Takes in a game and its newest turns."""
        self.games.append(_game_entry(story))
        oldest = self.turns[-1][:3] if len(self.turns) == NEWEST else ("", "", "")
        judged = [
            (*key, _turn_entry(story, turn))
            for turn in story.turns
            if turn.data.status != "open" and (key := (story.atom_time(turn), story.slug, turn.name)) > oldest
        ]
        if judged:
            self.turns = sorted([*self.turns, *judged], key=lambda entry: entry[:3], reverse=True)[:NEWEST]

    def add_page(self, address: str, title: str, text: str) -> None:
        """Takes in a page that is no game's."""
        self.pages.append({**_entry("", title, text, TURN_LETTERS), "location": address})

    def entries(self, gathering: Iterable[Game]) -> Iterator[Entry]:
        """Every game, pages that are no game's, those that wait for people, and the newest turns, latest first."""
        yield from self.games
        yield from self.pages
        for game in gathering:
            people = ", ".join(f"{seat}: {game.joined[seat].player}" for seat in game.seats if seat in game.joined)
            about = f"{game.ruleset.about.title}. Open seats. {people}"
            yield _entry(f"games/{game.slug}", game.title, about, GAME_LETTERS)
        for *_, entry in self.turns:
            yield entry


def search_entries(stories: Iterable[Story], gathering: Iterable[Game]) -> Iterator[Entry]:
    """Every game, and the newest turns, latest first."""
    findable = Findable()
    for story in stories:
        findable.add(story)
    return findable.entries(gathering)


def _game_entry(story: Story) -> Entry:
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
