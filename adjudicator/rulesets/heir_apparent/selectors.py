"""The closed language that steps of cards use to name players, characters, pools and tucked cards (CARDS.md).

me, active, winner, ...                 players
controller(accused)                     whoever controls that character
choose(victim, [other, unturned])       what the player names when playing the card
victim                                  what an earlier step chose under that name
each([any, keyword:Fighter])            all characters that fit
self                                    the character that bears this card, or whose ability this is
source(choose(speaker, [other, joined]))  the tokens of a character in this event
hand(X), actions(2), event              what a step can look at
per([mine, turned])                     the number of characters that fit
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from adjudicator.core.text.problems import nearest

Keyword = Literal["Noble", "Palace", "Wealthy", "Wizard", "Fighter"]
KEYWORDS: tuple[Keyword, ...] = get_args(Keyword)
Kind = Literal["character", "equipment", "pool", "player"]
"""Kinds of thing that a filter looks for."""
Word = Literal[
    "mine", "other", "any", "not-prince", "prince", "turned", "unturned", "joined", "equipment", "pool", "player",
]  # fmt: skip
WORDS: tuple[Word, ...] = get_args(Word)
WHOSE = frozenset({"mine", "other", "any"})
CONTRADICTIONS = (
    ("turned", "unturned"),
    ("prince", "not-prince"),
    ("mine", "other"),
    ("mine", "any"),
    ("other", "any"),
)
PlayerWord = Literal[
    "me", "active", "winner", "loser", "all", "others", "left", "right",
    "supporters", "opponents", "chief-supporter", "chief-opponent",
]  # fmt: skip
PLAYERS: tuple[PlayerWord, ...] = get_args(PlayerWord)
LONGEST = 160
"""Most letters in a selector. This also limits how deep selectors nest."""
NAME = re.compile(r"[a-z][a-z0-9-]*")
CALL = re.compile(r"([a-z]+)\((.*)\)")
CHOICE = re.compile(r"([^,]*),\s*\[([^\[\]]*)\]\s*")


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions on a thing: it must fit all these words, and have all these keywords."""

    words: frozenset[str] = frozenset()
    keywords: frozenset[str] = frozenset()

    @property
    def kind(self) -> Kind:
        """The kind of thing that the filter looks for: characters, unless a word names another kind."""
        if "equipment" in self.words:
            return "equipment"
        if "pool" in self.words:
            return "pool"
        return "player" if "player" in self.words else "character"


@dataclass(frozen=True, slots=True)
class Player:
    """A player, or several, by their role."""

    word: PlayerWord


@dataclass(frozen=True, slots=True)
class Choose:
    """A choice that the card's player makes, and the name that later steps use for it."""

    name: str
    filter: Filter


@dataclass(frozen=True, slots=True)
class Chosen:
    """The thing that was chosen under a name."""

    name: str


@dataclass(frozen=True, slots=True)
class Each:
    """All characters that fit."""

    filter: Filter


@dataclass(frozen=True, slots=True)
class Bearer:
    """The character that bears the card, or whose ability it is."""


@dataclass(frozen=True, slots=True)
class Controller:
    """Whoever controls a character."""

    of: Choose | Chosen | Bearer


@dataclass(frozen=True, slots=True)
class Source:
    """The tokens that a character gave."""

    of: Choose | Chosen


@dataclass(frozen=True, slots=True)
class HandOf:
    """A player's hand, to look at."""

    of: Player | Choose | Chosen | Controller


@dataclass(frozen=True, slots=True)
class TopActions:
    """The top cards of the Action deck, to look at."""

    count: int


@dataclass(frozen=True, slots=True)
class TopEvent:
    """The top card of the Event deck, to look at."""


@dataclass(frozen=True, slots=True)
class Per:
    """The number of characters that fit."""

    filter: Filter


Selector: TypeAlias = (
    Player | Choose | Chosen | Each | Bearer | Controller | Source | HandOf | TopActions | TopEvent | Per
)


@dataclass(frozen=True, slots=True)
class Unread:
    """The fault in a selector or filter that cannot be read: what is wrong, and what would be right."""

    what: str
    right: str = ""


Reader: TypeAlias = Callable[[str], Selector | Unread]
"""Reads the text between the parentheses of a selector."""


def read_filter(words: Sequence[str]) -> Filter | Unread:
    """Read a filter from its words, which may come in any order."""
    plain = {word for word in words if ":" not in word}
    keywords = {word.removeprefix("keyword:") for word in words if ":" in word}
    for word in words:
        if word.startswith("keyword:"):
            if word[8:] not in KEYWORDS:
                return _no(word[8:], "keyword", KEYWORDS)
        elif word not in WORDS:
            return _no(word, "word of a filter", [*WORDS, *(f"keyword:{one}" for one in KEYWORDS)])
    if len(plain) + len(keywords) < len(words):
        return Unread(f"[{', '.join(words)}] says something twice", "say it once")
    for one, other in CONTRADICTIONS:
        if {one, other} <= plain:
            return Unread(f"[{', '.join(words)}] contradicts itself", f"write {one} or {other}")
    found = plain & {"equipment", "pool", "player"}
    if len(found) > 1:
        return Unread(f"[{', '.join(words)}] asks for two kinds of thing", f"write {' or '.join(sorted(found))}")
    if found == {"pool"} and (len(plain) > 1 or keywords):
        return Unread(f"[{', '.join(words)}]: a pool has no such property", "write [pool]")
    if not found and not plain & WHOSE:
        return Unread(f"[{', '.join(words)}] does not say whose characters", "add mine, other or any")
    return Filter(frozenset(plain), frozenset(keywords))


@lru_cache(maxsize=4096)
def read_selector(text: str) -> Selector | Unread:
    """Read a selector. `cardset.faults` decides later whether it may be used where it is written."""
    text = text.strip()
    if len(text) > LONGEST:
        return Unread(f"{text[:40]!r}... has {len(text)} letters", f"write at most {LONGEST}")
    if text == "self":
        return Bearer()
    if text == "event":
        return TopEvent()
    for word in PLAYERS:
        if text == word:
            return Player(word)
    call = CALL.fullmatch(text)
    if call is not None:
        read = CALLS.get(call[1])
        return read(call[2].strip()) if read is not None else _no(call[1], "selector", CALLS)
    if NAME.fullmatch(text):
        return Chosen(text)
    return Unread(f"{text!r:.60} is not something that a card can refer to", "see “What a card can do”")


def _no(word: str, what: str, known: Collection[str]) -> Unread:
    return Unread(f"there is no {what} {word!r:.40}", nearest(word, known) or "write " + ", ".join(known))


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _choose(text: str) -> Selector | Unread:
    match = CHOICE.fullmatch(text)
    if match is None:
        return Unread(f"choose({text:.60}) cannot be read", "write choose(NAME, [WORD, ...])")
    name = match[1].strip()
    if not NAME.fullmatch(name) or name in {*PLAYERS, *WORDS, *CALLS, "self", "event"}:
        return Unread(f"{name!r:.40} cannot name a choice", "use another word, in lower case")
    found = read_filter(_words(match[2]))
    return found if isinstance(found, Unread) else Choose(name, found)


def _bracketed(text: str) -> Filter | Unread:
    if not (text.startswith("[") and text.endswith("]")):
        return Unread(f"{text!r:.60} is not a filter", "write words in brackets, such as [mine, unturned]")
    return read_filter(_words(text[1:-1]))


def _that_fit(made: Callable[[Filter], Selector]) -> Reader:
    """Return a reader for selectors around a filter: `each([...])` and `per([...])`."""

    def read(text: str) -> Selector | Unread:
        found = _bracketed(text)
        return found if isinstance(found, Unread) else made(found)

    return read


def _of(made: Callable[[Any], Selector], of: Any, missing: str, right: str) -> Reader:
    """Return a reader for selectors around another selector of the types `of`, such as `hand(...)`."""

    def read(text: str) -> Selector | Unread:
        found = read_selector(text)
        if isinstance(found, Unread):
            return found
        return made(found) if isinstance(found, of) else Unread(f"{text!r:.60} is not a {missing}", right)

    return read


def _actions(text: str) -> Selector | Unread:
    if re.fullmatch("[1-9][0-9]?", text):
        return TopActions(int(text))
    return Unread(f"actions({text:.20}) cannot be read", "write how many cards, such as actions(2)")


CHARACTER = "write choose(NAME, [WORD, ...]), or a name that was chosen"
CALLS: dict[str, Reader] = {
    "actions": _actions,
    "choose": _choose,
    "controller": _of(Controller, Choose | Chosen | Bearer, "single character", CHARACTER),
    "each": _that_fit(Each),
    "hand": _of(HandOf, Player | Choose | Chosen | Controller, "player", "write choose(NAME, [player, other])"),
    "per": _that_fit(Per),
    "source": _of(Source, Choose | Chosen, "single character", "write choose(NAME, [other, joined])"),
}
