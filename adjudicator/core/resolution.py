"""What a turn produces: verdicts, events, an ending; and the tables, charts and pages that tell of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from adjudicator.core.codec import record

SeatId = str
P = TypeVar("P")
E = TypeVar("E")

Fact = str | int | tuple[str, ...]

NOT_RECORDED = "not recorded"
"""The result of an order in a record of which nobody knows what became."""
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


@dataclass(frozen=True, slots=True)
class Remark:
    """What a ruleset finds in a sheet before the deadline; the core turns it into a problem with its line.

    `place` is the path into the sheet (`("orders", 2)`), `offset` counts characters into that value.
    """

    place: tuple[str | int, ...]
    what: str
    right: str = ""
    offset: int = 0
    level: str = "error"


@dataclass(frozen=True, slots=True)
class Resolution(Generic[P, E]):
    """The outcome of a turn: the next position, one verdict an order, the facts, and the ending if it ended."""

    position: P
    verdicts: tuple[Verdict, ...]
    events: tuple[E, ...]
    ended: Ending | None = None


@dataclass(frozen=True, slots=True)
class At:
    """Words that lead to a turn of the game: its place among the turns, from 0, and maybe a `Report`'s anchor on its page."""

    text: str
    turn: int
    anchor: str = ""

    def __str__(self) -> str:
        return self.text


Cell = str | int | At


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a title, column heads, and rows of text or numbers, the first of each its name."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False
    """Whether it is long and for those who look for it: a page shows its title, and it unfolds."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers over time: labels along the time axis and one line a seat (None where it has no value)."""

    title: str
    unit: str
    labels: tuple[str, ...]
    lines: Mapping[SeatId, tuple[int | None, ...]]


@dataclass(frozen=True, slots=True)
class Timeline:
    """Who stood with whom over time: labels along the time axis, and for each row a side at each of them, or none."""

    title: str
    labels: tuple[str, ...]
    rows: Mapping[str, tuple[str | None, ...]]
    none: str
    """What it is called to stand with none."""


@dataclass(frozen=True, slots=True)
class Kin:
    """Someone in a family."""

    name: str
    side: SeatId | None
    """Whose colour and letter he has; None where nobody knows."""
    note: str = ""
    """A short text under the name: what became of him."""
    dead: bool = False
    held: SeatId | None = None
    """The side that holds him as a hostage."""
    other: SeatId | None = None
    """The second side of a child of two."""


@dataclass(frozen=True, slots=True)
class Family:
    """One or two parents, when they married (empty for one), and their children."""

    parents: tuple[Kin, ...]
    when: str
    children: tuple[Kin, ...]


@dataclass(frozen=True, slots=True)
class Kinship:
    """A family tree: every couple with its children, and everyone who never married as a family of one."""

    title: str
    families: tuple[Family, ...]


MOST_SIDES = 24
"""Sides that pictures can tell apart."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side in a picture: its slot in the palette (from 1), its name and the one or two letters that stand for it."""

    slot: int
    name: str
    letter: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a `Chapter`, with the sides whose colours and letters it uses."""

    of: Chart | Timeline | Kinship
    sides: Mapping[SeatId, Side]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter: its heading, sentences, pictures and tables."""

    title: str
    about: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of a game beside its turns: one kind of thing through the whole game. `name` is its part of the address."""

    name: str
    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One fact of a turn in full: a title, a sentence, a table of its numbers, and a chart of them.

    `anchor` is its place on the turn's page; `sides` are those of the chart's lines.
    """

    anchor: str
    title: str
    about: str
    table: Table
    chart: Chart | None = None
    sides: Mapping[SeatId, Side] | None = None


@dataclass(frozen=True, slots=True)
class Example(Generic[P, E]):
    """A worked example of some rules: the position it begins with, and what it led to."""

    id: str
    title: str
    about: str
    rules: tuple[str, ...]
    position: P
    resolution: Resolution[P, E]


# Games from elsewhere ---------------------------------------------------------------------------------------------


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
    """Recorded phases in which nobody could do anything; they are no turns."""
    faults: tuple[str, ...] = ()
    """Recorded phases that cannot be read, in words; each is a difference."""
