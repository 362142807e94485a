"""A card set by the ids of its titles and copies, with facts that are computed once and used often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.rulesets.heir_apparent.selectors import Choose, Filter, Selector, Unread, read_filter, read_selector
from adjudicator.rulesets.heir_apparent.steps import Step
from adjudicator.rulesets.heir_apparent.titles import Ability, Action, AnyTitle, CardSet, Character, Event, Prince

SPEAKS = ("from_", "target", "attacker", "who", "what", "card", "pool", "to", "defender", "n")
"""Parameters of steps that hold selectors, in the order that players use when they name their choices."""


def title_of(card: str) -> str:
    """The id of an Action card's title, from the id of a copy or of the title; any other id is returned unchanged."""
    return card.partition("#")[0]


def is_called(card: str, name: str) -> bool:
    """True if the name is the id of the card's copy or of its title (HR-25)."""
    return name in (card, title_of(card))


def speaks_of(text: str) -> Selector:
    """The selector in a string from a loaded card, which cannot be unreadable."""
    found = read_selector(text)
    assert not isinstance(found, Unread), text
    return found


def filter_of(words: Iterable[str]) -> Filter:
    """The filter made of these words from a loaded card, which cannot be unreadable."""
    found = read_filter(tuple(words))
    assert not isinstance(found, Unread), words
    return found


def asked_by(steps: Iterable[Step]) -> tuple[Choose, ...]:
    """The choices that the player of these steps makes, in the card's order."""
    found: list[Choose] = []
    for step in steps:
        deed: Any = step.deed
        for name in SPEAKS:
            told = getattr(deed, name, None)
            # The danger that a shield averts is a plain word; every other string is a selector.
            if not isinstance(told, str) or (step.shield is not None and name == "from_"):
                continue
            found += _chosen_in(speaks_of(told))
    return tuple(found)


def _chosen_in(selector: Any) -> Iterator[Choose]:
    if isinstance(selector, Choose):
        yield selector
    elif hasattr(selector, "of"):
        yield from _chosen_in(selector.of)


@dataclass(frozen=True, slots=True)
class Index:
    """The titles of a set by id; Action cards also by the ids of their copies."""

    cards: CardSet
    princes: Mapping[str, Prince]
    characters: Mapping[str, Character]
    events: Mapping[str, Event]
    actions: Mapping[str, Action]
    asks: Mapping[str, tuple[Choose, ...]]
    """Action, or character and ability as `oriane-vell/gossip` -> the choices of its player, in order."""

    def action(self, card: str) -> Action:
        """The title of an Action card, by the id of a copy or of the title."""
        return self.actions[title_of(card)]

    def person(self, name: str) -> Prince | Character:
        """The Prince or Character with this id."""
        return self.princes.get(name) or self.characters[name]

    def abilities(self, name: str) -> tuple[Ability, ...]:
        """Abilities that a character can turn for."""
        found = self.characters.get(name)
        return found.abilities if found is not None else ()

    def name(self, thing: str) -> str:
        """The name of a title, from its id or the id of a copy; any other string is returned unchanged."""
        title: AnyTitle | None = (
            self.princes.get(thing)
            or self.characters.get(thing)
            or self.events.get(thing)
            or self.actions.get(title_of(thing))
        )
        return title.name if title is not None else thing


_indexes: dict[int, Index] = {}
MOST_INDEXES = 64
"""Most card sets in the cache. Verifying many games fills it; it is then emptied, and sets are indexed again."""


def index_of(cards: CardSet) -> Index:
    """The index of a set, from the cache if it is there."""
    found = _indexes.get(id(cards))
    if found is None or found.cards is not cards:
        if len(_indexes) >= MOST_INDEXES:
            _indexes.clear()
        found = _indexes[id(cards)] = _index(cards)
    return found


def _index(cards: CardSet) -> Index:
    asks = {action.id: asked_by(action.effect) for action in cards.actions}
    for character in cards.characters:
        asks |= {f"{character.id}/{ability.id}": asked_by(ability.effect) for ability in character.abilities}
    return Index(
        cards,
        {prince.id: prince for prince in cards.princes},
        {character.id: character for character in cards.characters},
        {event.id: event for event in cards.events},
        {action.id: action for action in cards.actions},
        asks,
    )
