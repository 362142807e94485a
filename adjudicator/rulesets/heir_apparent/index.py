"""A card set by the ids of its titles and of its copies, with what is worked out of a title once and asked often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from adjudicator.rulesets.heir_apparent.selectors import Choose, Filter, Selector, Unread, read_filter, read_selector
from adjudicator.rulesets.heir_apparent.steps import Step
from adjudicator.rulesets.heir_apparent.titles import Ability, Action, AnyTitle, CardSet, Character, Event, Prince

SPEAKS = ("from_", "target", "attacker", "who", "what", "card", "pool", "to", "defender", "n")
"""The parameters of steps that are selectors, in the order in which they choose."""


def title_of(card: str) -> str:
    """The title of an Action card, by the id of a copy or of the title; any other id is its own."""
    return card.partition("#")[0]


def is_called(card: str, name: str) -> bool:
    """Whether a name is that of a card: of the copy, or of its title (HR-25)."""
    return name in (card, title_of(card))


def speaks_of(text: str) -> Selector:
    """What a text of a card that was loaded speaks of."""
    found = read_selector(text)
    assert not isinstance(found, Unread), text
    return found


def filter_of(words: Iterable[str]) -> Filter:
    """The filter that these words of a loaded card make."""
    found = read_filter(tuple(words))
    assert not isinstance(found, Unread), words
    return found


def asked_by(steps: Iterable[Step]) -> tuple[Choose, ...]:
    """What the player of these steps names, in the order in which the card asks."""
    found: list[Choose] = []
    for step in steps:
        deed: Any = step.deed
        for name in SPEAKS:
            told = getattr(deed, name, None)
            # What a shield is held against is a word, and no selector; every other text is one.
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
    """Action, or character and ability as `oriane-vell/gossip` -> what its player names, in order."""

    def action(self, card: str) -> Action:
        """The title of an Action card, by the id of a copy or of the title."""
        return self.actions[title_of(card)]

    def person(self, name: str) -> Prince | Character:
        """A Prince or a Character."""
        return self.princes.get(name) or self.characters[name]

    def abilities(self, name: str) -> tuple[Ability, ...]:
        """What a character can turn for."""
        found = self.characters.get(name)
        return found.abilities if found is not None else ()

    def name(self, thing: str) -> str:
        """What people call a title, by its id or that of a copy; what is no title as it is."""
        title: AnyTitle | None = (
            self.princes.get(thing)
            or self.characters.get(thing)
            or self.events.get(thing)
            or self.actions.get(title_of(thing))
        )
        return title.name if title is not None else thing


_indexes: dict[int, Index] = {}
MOST_INDEXES = 64
"""Card sets that are remembered; a long verification of many games forgets, and reads again."""


def index_of(cards: CardSet) -> Index:
    """The index of a set; made once while the set is in use."""
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
