"""A game as the site shows it: its turns, as far as the public may see them, and the words for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from adjudicator.core.contract.resolution import Ending, Resolution, Verdict
from adjudicator.core.contract.runs import Told
from adjudicator.core.contract.words import ordinal
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import UNNAMED, Game, GameKind, Names
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_all, load_ending, load_game, load_turn
from adjudicator.core.turn.press import Opened, open_letters
from adjudicator.core.turn.sheets import by_seat, holder
from adjudicator.core.turn.unopened import seats_sent

BOT = "a stand-in"
"""The name of a seat's player if nobody plays it but the computer."""
NAMED = re.compile(r"\b([a-z]+(?:-[a-z]+)*)(?:#\d+)?")
"""A word that may be the name of a card, and the number of its copy."""
TWICE = re.compile(r"\b([^(),:;]+) \(\1\)")
"""A title with the same title in brackets, which were its name."""
NOTHING: Mapping[str, dict[str, Any]] = {}


@dataclass(frozen=True, slots=True)
class Story:
    """One game, read for the site."""

    archive: Archive
    game: Game
    turns: tuple[Turn, ...]
    ending: Ending | None
    final: Any
    """The position a finished game ended in; None while it runs."""
    taken: Mapping[tuple[str, str], str] | None = None
    """The files that intake took in, from `receipts.intake_receipts`."""
    letters: tuple[Opened, ...] = ()
    """The letters of its players; empty while the game runs."""
    memory: dict[str, Told] = field(default_factory=dict, compare=False, repr=False)
    """Short accounts of turns, by name: the page, the head, the feeds and the search all ask for them."""

    titles: dict[str, str] = field(default_factory=dict, compare=False, repr=False)
    """The titles of the game's cards by name, once somebody has asked for one."""

    @property
    def slug(self) -> str:
        """The name in the addresses of the game's pages: its original name, even if its folder has another name now."""
        return self.game.name

    @property
    def last(self) -> Turn:
        """The latest turn."""
        return self.turns[-1]

    @property
    def state(self) -> str:
        """`running`, `finished` or `record`, as the home page filters games."""
        return "record" if self.record else "finished" if self.ending else "running"

    @property
    def record(self) -> bool:
        """True if the game is known from reports only: it is shown, never judged, and its people are not counted."""
        return self.game.data.kind is GameKind.RECORD

    def facts(self, turn: Turn) -> list[Any]:
        """The facts of a turn; while the game runs, only those that the public may hear."""
        rules = self.game.ruleset
        return list(turn.data.events if self.ending else rules.heard(turn.data.events, None))

    def headline(self, turn: Turn) -> str | None:
        """The main event of a turn, in a sentence; None while the turn is open."""
        if turn.data.status == "open":
            return None
        return self.shortly(turn).headline or self.game.ruleset.words.quiet

    def shortly(self, turn: Turn) -> Told:
        """A short account of a turn: its headline, other events that matter, and plain ones."""
        if turn.name not in self.memory:
            self.memory[turn.name] = self.game.ruleset.told(self.position(turn), self.facts(turn))
        return self.memory[turn.name]

    def latest_headline(self) -> str | None:
        """The headline of a running game's latest judged turn, with the turn's name; None before there is one."""
        turn = next((turn for turn in reversed(self.turns) if turn.data.status != "open"), None)
        return f"{turn.data.phase}: {self.headline(turn)}" if turn is not None and self.state == "running" else None

    def parts(self, turn: Turn) -> list[tuple[str, list[str]]]:
        """The facts of a turn in sentences, under the ruleset's headings."""
        words, position = self.game.ruleset.words, turn.data.position
        by_heading: dict[tuple[int, str], list[str]] = {}
        for event in self.facts(turn):
            by_heading.setdefault(words.part(position, event), []).append(words.tell(position, event))
        return [(heading, lines) for (_, heading), lines in sorted(by_heading.items())]

    def tell(self, turn: Turn, verdict: Verdict) -> str:
        """The reason for an order's result, in a sentence."""
        if not verdict.known:
            return "Its outcome is not on record."
        return self.readable(self.game.ruleset.words.tell(turn.data.position, verdict))

    def readable(self, text: str) -> str:
        """A text with the titles of cards in place of the names that orders use: `Quilted Coat` for `quilted-coat#1`."""
        cards = self.game.ruleset.cards
        if cards is None or self.record:
            return text
        if not self.titles:
            self.titles.update((card.name, card.title) for card in cards.of(self.turns[0].data.position))
        return TWICE.sub(r"\1", NAMED.sub(lambda match: self.titles.get(match[1], match[0]), text))

    def position(self, turn: Turn) -> Any:
        """The position at the start of a turn; while the game runs, as the public may see it."""
        return turn.data.position if self.ending else self.game.ruleset.view(turn.data.position, None)

    def after(self, index: int) -> Any:
        """The position that a turn led to, as the public may see it; None while the turn is open."""
        if index + 1 < len(self.turns):
            return self.position(self.turns[index + 1])
        return self.final

    def told(self) -> list[Resolution[Any, Any]]:
        """Every turn with the position at its start, as far as the page's reader may know it; an open one has no facts."""
        rules = self.game.ruleset
        resolutions = []
        for turn in self.turns:
            verdicts = turn.data.verdicts if self.ending else rules.heard(turn.data.verdicts, None)
            resolutions.append(Resolution(self.position(turn), verdicts, tuple(self.facts(turn)), turn.data.ended))
        return resolutions

    def players_of(self, seat: str) -> list[str]:
        """Everybody who held a seat, in order."""
        names = [shown_name(self.game, self.game.player(seat), over=self.ending is not None)]
        for turn in self.turns:
            name = self.player_in(turn, seat)
            if name != names[-1]:
                names.append(name)
        return names

    def player_in(self, turn: Turn, seat: str) -> str:
        """The player of a seat in a turn, as pages name them."""
        return shown_name(self.game, holder(self.game, turn.data, seat).player, over=self.ending is not None)

    def sheets_sent(self, turn: Turn) -> dict[str, str]:
        """Seat -> its latest sheet for a turn, as anybody can see it: sealed or open, and its number."""
        files, _ = by_seat(self.archive, turn)
        sent = seats_sent(self.archive, turn)
        return {
            seat: ("a sealed sheet" if sheets[0][0].sealed else "an open sheet")
            + (f" (its {ordinal(sheets[0][0].number)})" if sheets[0][0].number > 1 else "")
            for seat, sheets in files.items()
            if seat in sent
        }

    def atom_time(self, turn: Turn) -> str:
        """The time a turn was judged, in Atom's format.

        Turns without a recorded time are a minute apart, beginning on the day the game was opened.
        """
        if turn.data.closed:
            return turn.data.closed.replace("Z", ":00Z")
        number = int(turn.name.partition("-")[0])
        return f"{self.game.data.opened}T{number // 60 % 24:02d}:{number % 60:02d}:00Z"


def load_story(
    archive: Archive,
    slug: str,
    taken: Mapping[tuple[str, str], str] | None = None,
    known: Mapping[str, dict[str, Any]] = NOTHING,
) -> Story | None:
    """A game with all its turns; None while it has no turn. Raises `Problems`.

    `taken` is the result of `intake_receipts`; `known` is the plain data of the turns whose files need not be opened.
    """
    game = load_game(archive, slug)
    turns = tuple(load_turn(archive, game, name, plain=known.get(name)) for name in archive.turns(slug))
    if not turns:
        return None
    if not archive.has_ended(slug):
        return Story(archive, game, told_apart(turns), None, None, taken)
    ending = load_ending(archive, game)
    # The game is over and its keys are published, so hidden information is shown.
    turns = tuple(_whole(archive, turn) for turn in turns)
    letters = open_letters(archive, game)
    return Story(archive, game, told_apart(turns), ending.ended, ending.position, taken, letters)


def told_apart(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """Turns under the names that pages use; a name that is repeated, as after battles that had to wait, gets a number."""
    seen: Counter[str] = Counter()
    told = []
    for turn in turns:
        phase = turn.data.phase
        seen[phase] += 1
        again = seen[phase] > 1
        name = f"{phase} ({ordinal(seen[phase])} turn)"
        told.append(replace(turn, data=replace(turn.data, phase=name)) if again else turn)
    return tuple(told)


def _whole(archive: Archive, turn: Turn) -> Turn:
    """A turn with nothing left out, and the keys that were published for it."""
    if turn.game.ruleset.secrecy is None:
        return turn
    data = turn.data
    return replace(turn, data=replace(load_all(archive, turn), seal=data.seal, dice=data.dice, setup=data.setup))


HIDDEN = "named at the end"
"""Shown instead of a player's name while a game with `names: at_end` is running."""


def shown_name(game: Game, player: str, *, over: bool) -> str:
    """A player's name as pages show it: in a game with `names: at_end`, nobody is named before it is over."""
    return HIDDEN if game.data.names is Names.AT_END and not over and not is_unnamed(player) else player


def is_unnamed(player: str) -> bool:
    """True if a seat's player is not a particular person, or the page does not say who it is."""
    return player in (*UNNAMED, BOT, HIDDEN)


def person_slug(name: str) -> str:
    """A player's name as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:60]
