"""What a turn came to, in words that every ruleset shares: verdicts, remarks, the next position, the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from adjudicator.core.text.codec import record
from adjudicator.core.text.problems import Level

SeatId = str
P = TypeVar("P")
E = TypeVar("E")
Fact = str | int | tuple[str, ...]
NOT_RECORDED = "not recorded"
"""The result of an order in a record, where nobody knows what became of it."""
DONE = frozenset({"succeeds", "given", "available", "stands"})
"""The results that say that an order did what it was to do. Any other word of a ruleset says that it did not."""


@record
class Verdict:
    """What became of one order, with the cause."""

    seat: SeatId
    order: str
    """The order in canonical form; as written, when it could not be read."""
    result: str
    reason: str
    """One of the ruleset's reasons; `tell` has a sentence for each."""
    rule: str
    """The id of the rule in the ruleset's rulebook."""
    implied: bool | None = None
    """True for a unit that got no order and did what the rules say."""
    facts: Mapping[str, Fact] | None = None
    """What the reason speaks of: strengths compared, the units that caused it."""

    @property
    def ok(self) -> bool:
        """Whether the order did what it was to do. Derived, never written; a ruleset's own verdict may ask its facts too."""
        return self.result in DONE

    @property
    def known(self) -> bool:
        """Whether anybody knows what became of the order; False only in records."""
        return self.result != NOT_RECORDED

    @property
    def also(self) -> str:
        """What became of whoever was ordered beside what became of the order, in a word; empty for nothing."""
        return ""

    @property
    def unused(self) -> bool:
        """Whether the order waited for something that did not come, and so neither did what it was to do nor failed."""
        return False

    @property
    def idle(self) -> bool:
        """Whether nobody ordered it and nothing happened, so that no reader misses it."""
        return False


@record
class Ending:
    """How a game ended."""

    how: str
    """`solo`, `draw`, or a ruleset's own word."""
    winners: tuple[SeatId, ...]
    """Nobody need have won."""
    when: str
    rule: str
    first: tuple[SeatId, ...] = ()
    """Of several winners those in the first place, where the ruleset ranks them."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What a ruleset finds in a sheet before the deadline; the core turns it into a problem with its line.

    `place` is the path into the sheet (`("orders", 2)`), `offset` counts characters into that value.
    """

    place: tuple[str | int, ...]
    what: str
    right: str = ""
    offset: int = 0
    level: Level = "error"


@dataclass(frozen=True, slots=True)
class Resolution(Generic[P, E]):
    """The outcome of a turn: the next position, one verdict an order, the facts, and the ending if it ended."""

    position: P
    verdicts: tuple[Verdict, ...]
    events: tuple[E, ...]
    ended: Ending | None = None


@dataclass(frozen=True, slots=True)
class Example(Generic[P, E]):
    """A worked example of some rules: the position it begins with, and what it led to."""

    id: str
    title: str
    about: str
    rules: tuple[str, ...]
    position: P
    resolution: Resolution[P, E]


@dataclass(frozen=True, slots=True)
class PlayedTurn(Generic[P]):
    """One turn of a game played elsewhere, as we judge it, compared with what its record says."""

    position: P
    sheets: Mapping[SeatId, Mapping[str, object]]
    """Seat -> its sheet as plain data, ready to be written."""
    differences: tuple[str, ...]
    """Every difference between our judgement and the record, in words."""
    other_rules: str | None
    """Which other rules the record is known to follow here, so that its next position need not be ours."""
    compared: bool
    """Whether the turn was compared at all: as it is, or by the other rules where a setting has them."""
    reworded: int
    """Results that the record names with another word for the same thing."""


Piece = tuple[tuple[int, str], ...]
"""The lines of one game in a file of games, each with its number."""


@dataclass(frozen=True, slots=True)
class PlayedGame(Generic[P]):
    """A game played elsewhere: a name for its folder, a title, its house rules and its turns."""

    slug: str
    title: str
    settings: Mapping[str, object]
    turns: tuple[PlayedTurn[P], ...]
    complete: bool
    """False when the record breaks off before the game's end."""
    empty: int = 0
    """How many recorded phases left nobody anything to do, and so became no turns."""
    faults: tuple[str, ...] = ()
    """Recorded phases that cannot be read, in words; each is a difference."""
    remarks: tuple[str, ...] = ()
    """What is worth saying and is no difference: each other rule that the record follows, and in which phases."""
