"""The titles of a card set: Princes, Characters, Events and Actions (HA-A-1 to HA-A-5, HA-B). No code depends on the name of a card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field as Choice

from adjudicator.core.text.codec import Flag, Whole, field_text, record, shared
from adjudicator.rulesets.heir_apparent.selectors import Keyword, Word
from adjudicator.rulesets.heir_apparent.steps import Limit, Skill, Step

Theme = Literal["Money", "Noble", "Palace", "Magic", "War"]
ActPhase = Literal["action", "event", "melee", "reaction"]
Trigger = Literal[
    "event_revealed", "card_played", "melee_declared", "turn_forced", "kill_pending", "dismiss_pending", "favor_loss", "joined",
    "outcome_known",
]  # fmt: skip
"""Triggers of reactions (HA-P-2)."""
TRIGGERS: tuple[Trigger, ...] = get_args(Trigger)
Id = Annotated[
    str,
    Choice(pattern=r"^[a-z][a-z0-9-]{0,39}$"),
    field_text("In lower case, with hyphens; no two cards may share one."),
]
Name = Annotated[str, Choice(min_length=1, max_length=40)]
Rules = Annotated[
    str, Choice(max_length=240), field_text("What the card does, in a sentence or two, with every number.")
]
Flavour = Annotated[str, Choice(min_length=1, max_length=90)]
Rating = Annotated[Whole, Choice(ge=0, le=5)]
Words = tuple[Word | str, ...]
"""A filter, as a list of words."""


@shared
class Title:
    """Fields of every card."""

    id: Id
    name: Name
    text: Rules
    flavour: Flavour


@record
class Prince(Title):
    """A player's Prince (HA-B-15, HA-C-5 to HA-C-9)."""

    popularity: Annotated[Whole, Choice(ge=1, le=5)]
    favor: Annotated[Whole, Choice(ge=0, le=99)]
    politics: Rating
    combat: Rating
    keywords: tuple[Keyword, ...] = ()


@record
class Ability:
    """An ability that a character can turn for (HA-G-1, HA-G-7)."""

    id: Id
    phases: Annotated[tuple[Literal["action", "event"], ...], Choice(min_length=1)]
    turn: Literal[True]
    effect: Annotated[tuple[Step, ...], Choice(min_length=1)]


@record
class Character(Title):
    """A courtier (HA-B-16)."""

    politics: Rating
    combat: Rating
    keywords: tuple[Keyword, ...] = ()
    points: Annotated[Whole, Choice(ge=1, le=9)]
    abilities: tuple[Ability, ...] = ()


@record
class Bonus:
    """Extra tokens that characters with a keyword give."""

    keyword: Keyword
    n: Annotated[Whole, Choice(ge=1, le=2)]


@record
class Lasting:
    """The lasting effect of an Event that succeeded: in the middle for all, or tucked under a character (HA-I-14, HA-I-15)."""

    on_success: Literal["middle", "tucked"]
    while_: Annotated[tuple[Step, ...], Choice(min_length=1)]


@record
class Event(Title):
    """A Contest or a Challenge (HA-B-18 to HA-B-21)."""

    type: Literal["contest", "challenge"]
    skill: Skill
    themes: Annotated[tuple[Theme, ...], Choice(max_length=1)] = ()
    mandatory: Flag | None = None
    choice: Mapping[str, Words] = field(default_factory=dict)
    bonus: Bonus | None = None
    limit: Limit | None = None
    winner: tuple[Step, ...] | None = None
    loser: tuple[Step, ...] | None = None
    success: tuple[Step, ...] | None = None
    failure: tuple[Step, ...] | None = None
    lasting: Lasting | None = None

    @property
    def outcome(self) -> Mapping[str, tuple[Step, ...]]:
        """Part -> its steps, for the parts that are written."""
        parts = {"winner": self.winner, "loser": self.loser, "success": self.success, "failure": self.failure}
        return {part: steps for part, steps in parts.items() if steps is not None}


@record
class Cost:
    """The cost of a card: favor, or a character that turns (HA-Q-3)."""

    favor: Annotated[Whole, Choice(ge=1, le=9)] | None = None
    turn: Words | None = None


@record
class Action(Title):
    """An Action card, in as many copies as it says (HA-A-5, HA-B-4 to HA-B-14)."""

    copies: Annotated[Whole, Choice(ge=1, le=3)]
    kind: Literal["effect", "equipment"]
    spell: Flag
    phases: Annotated[tuple[ActPhase, ...], Choice(min_length=1)]
    trigger: tuple[Trigger, ...] = ()
    cost: Cost = Cost()
    effect: Annotated[tuple[Step, ...], Choice(min_length=1)]
    while_: tuple[Step, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The ids of its copies: `title#1`, `title#2` (HA-A-5)."""
        return tuple(f"{self.id}#{number}" for number in range(1, self.copies + 1))


AnyTitle: TypeAlias = Prince | Character | Event | Action


@record
class CardSet:
    """A whole set of cards."""

    set: Id
    title: Name
    rules: Literal[1]
    princes: tuple[Prince, ...]
    characters: tuple[Character, ...]
    events: tuple[Event, ...]
    actions: tuple[Action, ...]

    def titles(self) -> Iterator[tuple[tuple[str, int], AnyTitle]]:
        """Every title with its place in the file."""
        lists: tuple[tuple[str, tuple[AnyTitle, ...]], ...] = (
            ("princes", self.princes), ("characters", self.characters), ("events", self.events), ("actions", self.actions),
        )  # fmt: skip
        for key, titles in lists:
            for number, title in enumerate(titles):
                yield (key, number), title
