"""The outcome of a turn in terms common to all rulesets: verdicts, remarks, the next position, the end."""

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
"""The result of an order in a record that does not show its outcome."""
DONE = frozenset({"succeeds", "given", "available", "stands"})
"""Results of orders that achieved their purpose. Any other result means that the order did not."""


@record
class Verdict:
    """Outcome of one order, with the cause."""

    seat: SeatId
    order: str
    """The order in canonical form, or as written if it could not be read."""
    result: str
    reason: str
    """One of the ruleset's reasons; `tell` has a sentence for each."""
    rule: str
    """The id of the rule in the ruleset's rulebook."""
    implied: bool | None = None
    """True for a unit that got no order and did what the rules say."""
    facts: Mapping[str, Fact] | None = None
    """Details of the reason: strengths compared, the units that caused it."""

    @property
    def ok(self) -> bool:
        """True if the order achieved its purpose. Derived, never written; a ruleset's own verdict may also use its facts."""
        return self.result in DONE

    @property
    def known(self) -> bool:
        """True if the outcome of the order is known; False only in records."""
        return self.result != NOT_RECORDED

    @property
    def also(self) -> str:
        """Fate of the ordered unit or person, besides the outcome of the order, in a word. May be empty."""
        return ""

    @property
    def unused(self) -> bool:
        """True if the order waited for something that did not come, and so neither succeeded nor failed."""
        return False

    @property
    def idle(self) -> bool:
        """True if nobody gave the order and nothing happened, so that readers can do without it."""
        return False


@record
class Ending:
    """The end of a game."""

    how: str
    """`solo`, `draw`, or a ruleset's own word."""
    winners: tuple[SeatId, ...]
    """May be empty."""
    when: str
    rule: str
    first: tuple[SeatId, ...] = ()
    """The winners in first place, where the ruleset ranks several."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A fault that a ruleset finds in a sheet before the deadline. The core turns it into a problem with a line number.

    `place` is the path into the sheet (`("orders", 2)`). `offset` is the fault's position in that value, in characters from 0.
    """

    place: tuple[str | int, ...]
    what: str
    right: str = ""
    offset: int = 0
    level: Level = "error"


@dataclass(frozen=True, slots=True)
class Resolution(Generic[P, E]):
    """The outcome of a turn: the next position, a verdict for each order, the facts, and the ending if the game ended."""

    position: P
    verdicts: tuple[Verdict, ...]
    events: tuple[E, ...]
    ended: Ending | None = None


@dataclass(frozen=True, slots=True)
class Example(Generic[P, E]):
    """A worked example of some rules: the initial position, and the outcome."""

    id: str
    title: str
    about: str
    rules: tuple[str, ...]
    position: P
    resolution: Resolution[P, E]


@dataclass(frozen=True, slots=True)
class PlayedTurn(Generic[P]):
    """One turn of a game played elsewhere, as we judge it, compared with its record."""

    position: P
    sheets: Mapping[SeatId, Mapping[str, object]]
    """Seat -> its sheet as plain data, ready to be written."""
    differences: tuple[str, ...]
    """Every difference between our judgement and the record, in words."""
    other_rules: str | None
    """Other rules that the record is known to follow here, so that its next position may differ from ours."""
    compared: bool
    """Whether the turn was compared at all, either by our rules or by the other rules that a setting offers."""
    reworded: int
    """Number of results that the record gives in a different word with the same meaning."""


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
    """Number of recorded phases that asked nobody for an order. They did not become turns."""
    faults: tuple[str, ...] = ()
    """Descriptions of recorded phases that cannot be read. Each counts as a difference."""
    remarks: tuple[str, ...] = ()
    """Further notes that do not count as differences: each other rule that the record follows, and its phases."""
