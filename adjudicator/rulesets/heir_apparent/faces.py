"""The faces of cards, and the details that a page shows beside each: its kind, its numbers, and its steps."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.contract.pages import Card, Table
from adjudicator.core.contract.words import join_words, many
from adjudicator.core.text.codec import encode
from adjudicator.render import render_card
from adjudicator.render.scenes import CardFace
from adjudicator.rulesets.heir_apparent.cardset import cards_named
from adjudicator.rulesets.heir_apparent.picture import SIGNS, kind_of
from adjudicator.rulesets.heir_apparent.position import OwnCards, Position, Settings
from adjudicator.rulesets.heir_apparent.selectors import KEYWORDS
from adjudicator.rulesets.heir_apparent.titles import Action, AnyTitle, CardSet, Character, Event, Prince

GROUPS = {Prince: "Princes", Character: "Characters", Event: "Events", Action: "Action cards"}
"""Type of title -> its heading on a page, in this order."""
TONES = {Prince: "t1", Character: "t2", Event: "t3", Action: "t4"}


SHOWN = frozenset({"id", "name", "text", "flavour"})
"""Keys of a card that its face and its page show unchanged."""


def form_of(card: Action) -> str:
    """An Action's form, such as `Spell; Event, Melee`, and the triggers that a reaction answers."""
    kind = ("Spell" if card.kind == "effect" else "Enchantment") if card.spell else card.kind.capitalize()
    answers = f" to {join_words((one.replace('_', ' ') for one in card.trigger), 'or')}" if card.trigger else ""
    return f"{kind}; {', '.join(phase.capitalize() for phase in card.phases)}{answers}"


def face_of(cards: CardSet, one: AnyTitle) -> CardFace:
    """The face of a title's card: its kind, ratings, keywords and text, with a description of all of it in words."""
    numbers = (("Politics", one.politics), ("Combat", one.combat)) if isinstance(one, Prince | Character) else ()
    held = one.keywords if isinstance(one, Prince | Character) else ()
    kind, foot = _kind(one), f"{cards.title} · {one.id}"
    if isinstance(one, Action) and one.copies > 1:
        foot += f" · {one.copies} copies"
    parts = [f"{one.name}: {kind}."]
    parts += [f"{', '.join(f'{label} {number}' for label, number in numbers)}."] if numbers else []
    parts += [f"{', '.join(held)}."] if held else []
    return CardFace(
        name=one.id,
        title=one.name,
        kind=kind,
        said=tuple(_said(one)),
        description=" ".join([*parts, *_said(one)]),
        numbers=numbers,
        signs={word: getattr(SIGNS, word) for word in KEYWORDS if word in held},
        flavour=one.flavour,
        foot=foot,
        tone=TONES[type(one)],  # type: ignore[arg-type]  # one of the four
    )


def _kind(one: AnyTitle) -> str:
    match one:
        case Prince():
            return f"Prince · popularity {one.popularity} · favor {one.favor}"
        case Character():
            return f"Character · {many(one.points, 'point')}"
        case Event():
            return kind_of(one)
        case Action():
            short = form_of(one).partition(" to ")[0]
            return short.replace("; ", " · ")


def _said(one: AnyTitle) -> Iterator[str]:
    if isinstance(one, Action) and one.trigger:
        yield f"Answers: {join_words((trigger.replace('_', ' ') for trigger in one.trigger), 'or')}."
    if one.text:
        yield one.text


def shipped() -> tuple[Card, ...]:
    """The cards of the set that the ruleset ships."""
    return cards_of(cards_named(Settings().cards))


def own(position: Position) -> bool:
    """True if a game is played with a host's own set."""
    return isinstance(position.settings, OwnCards)


def of(position: Position) -> tuple[Card, ...]:
    """The cards of a game's set."""
    return cards_of(position.settings.set)


def cards_of(cards: CardSet) -> tuple[Card, ...]:
    """Every card of a set: Princes, Characters, Events and Action cards, each in alphabetical order."""
    sorts: tuple[tuple[AnyTitle, ...], ...] = (cards.princes, cards.characters, cards.events, cards.actions)
    return tuple(
        Card(
            one.id, one.name, GROUPS[type(one)], render_card(face_of(cards, one)), (one.text, one.flavour), _steps(one)
        )
        for some in sorts
        for one in sorted(some, key=lambda one: one.name)
    )


def _steps(one: AnyTitle) -> Table:
    """A card's keys and steps as the set's file has them, one row per step."""
    told = {key: value for key, value in encode(one).items() if key not in SHOWN and value not in (None, [], {}, False)}
    rows = tuple(
        (key, _plain(part)) for key, value in told.items() for part in (value if isinstance(value, list) else [value])
    )
    return Table("In the set", ("Key", "Value"), rows, folded=True)


def _plain(value: object) -> str:
    """A value on one line, as YAML writes it."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key}: {_plain(one)}" for key, one in value.items() if one is not None) + "}"
        case list():
            return "[" + ", ".join(map(_plain, value)) + "]"
        case bool():
            return "true" if value else "false"
        case _:
            return str(value)
