"""Things that a card can do: 20 steps, each a record with its parameters (CARDS.md). Cards can do nothing else."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.text.codec import Whole, field_text, record, shared
from adjudicator.rulesets.heir_apparent.selectors import Keyword

Skill = Literal["politics", "combat"]
Until = Literal["event", "turn", "attached", "game"]
Pending = Literal["kill", "dismiss", "turn", "favor_loss"]
Number: TypeAlias = Annotated[Whole, Choice(ge=-99, le=99)] | str
"""A whole number, or `per(FILTER)`, which `max` caps."""
Most = Annotated[Whole, Choice(ge=1, le=99), field_text("The most that `per(...)` can come to.")]


@shared
class Counted:
    """A step with an amount, given or counted."""

    n: Number
    max: Most | None = None

    @property
    def most(self) -> int:
        """The amount, or its maximum if it is counted."""
        return self.n if isinstance(self.n, int) else self.max or 0


@record
class Favor(Counted):
    """Players gain favor, or lose it, never below 0 (HA-Q-1, HA-Q-2)."""

    who: str


@record
class FavorMove(Counted):
    """Favor goes from one player to another, at most as much as the giver has (HA-Q-2)."""

    from_: str
    to: str


@record
class DrawCards(Counted):
    """Players draw Action cards (HA-M-5)."""

    who: str


@record
class DiscardHand(Counted):
    """Players discard cards from their hands, or all they have if that is less."""

    who: str
    pick: Literal["owner", "random"]


@record
class Stat(Counted):
    """A rating changes for as long as `until` says; below 0 it counts as 0 (HA-B-17)."""

    target: str
    skill: Skill
    until: Until


@record
class GiveKeyword:
    """A keyword is given or taken away for as long as `until` says (HA-N-10)."""

    target: str
    word: Keyword
    mode: Literal["add", "remove"]
    until: Until


@record
class Support(Counted):
    """The player adds tokens to a pool; their source is the player (HA-I-13)."""

    pool: str


@record
class Strip(Counted):
    """A character's tokens are removed from the pools, at most as many as it has there."""

    from_: str


@record
class Redirect:
    """All tokens of one character go to another pool."""

    from_: str
    pool: str


@record
class Turn:
    """Characters turn (HA-M-12)."""

    target: str


@record
class Unturn:
    """Characters unturn (HA-M-12)."""

    target: str


@record
class Kill:
    """Characters leave the game for good (HA-M-1)."""

    target: str


@record
class Dismiss:
    """Characters go to the Character discard (HA-M-1)."""

    target: str


@record
class Control:
    """A character changes hands, until the end of the turn if `until` says so; nobody holds more than five (HA-M-8)."""

    target: str
    to: str
    until: Literal["turn"] | None = None


@record
class Attach:
    """The card is tucked under a character, where its steps under `while` work (HA-B-7)."""

    target: str


@record
class Detach:
    """A tucked card is discarded."""

    card: str


@record
class Melee:
    """A melee begins (HA-H)."""

    attacker: str
    defender: str


@record
class Cancel:
    """The card that set off this reaction has no effect."""


@record
class Shield:
    """Something that was about to happen does not happen."""

    from_: Pending
    target: str


@record
class Peek:
    """A player looks at hidden cards."""

    what: str
    to: str


@record
class Limit:
    """Limits who may turn into an Event: only characters with a keyword, or none with it, unless they have another. The free 2 is exempt."""

    only: Keyword | None = None
    bar: Keyword | None = None
    unless: Keyword | None = None


Deed: TypeAlias = (
    Favor | FavorMove | DrawCards | DiscardHand | Stat | GiveKeyword | Support | Strip | Redirect | Turn | Unturn
    | Kill | Dismiss | Control | Attach | Detach | Melee | Cancel | Shield | Peek
)  # fmt: skip


@record
class Step:
    """One step of a card: its deed, under the word for it."""

    favor: Favor | None = None
    favor_move: FavorMove | None = None
    draw: DrawCards | None = None
    discard_hand: DiscardHand | None = None
    stat: Stat | None = None
    keyword: GiveKeyword | None = None
    support: Support | None = None
    strip: Strip | None = None
    redirect: Redirect | None = None
    turn: Turn | None = None
    unturn: Unturn | None = None
    kill: Kill | None = None
    dismiss: Dismiss | None = None
    control: Control | None = None
    attach: Attach | None = None
    detach: Detach | None = None
    melee: Melee | None = None
    cancel: Cancel | None = None
    shield: Shield | None = None
    peek: Peek | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words that this step uses; a valid step uses exactly one."""
        return tuple(word for word in WORDS if getattr(self, word) is not None)

    @property
    def deed(self) -> Deed:
        """The deed under its word."""
        (word,) = self.words
        deed: Deed = getattr(self, word)
        return deed


WORDS = tuple(field.name for field in dataclasses.fields(Step))
"""The words of all steps."""
