"""What a ruleset gives to be read: tables, charts, timelines, families, chapters, and the sides in its pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId


@dataclass(frozen=True, slots=True)
class At:
    """Words that lead to a turn of the game: its place among the turns, from 0, and maybe a `Report`'s anchor on its page."""

    text: str
    turn: int
    anchor: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Of:
    """Words that lead to the page of a card, by its name."""

    text: str
    card: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Due:
    """When the sheets of an open turn are due, by its place among the turns; nothing once it is judged."""

    turn: int

    def __str__(self) -> str:
        return ""


Cell = str | int | At | Of | Due


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
    axis: str = ""
    """What the units of time are, such as `Year`."""
    ticks: tuple[str, ...] = ()
    """The unit of time that each label is in, such as its year; the labels themselves if there are none."""
    turns: tuple[int, ...] = ()
    """Each label's place among the game's turns, from 0; one after the last has no page. Empty if labels are no turns."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Who stood with whom over time: labels along the time axis, and for each row its side at each label, or None."""

    title: str
    labels: tuple[str, ...]
    rows: Mapping[str, tuple[str | None, ...]]
    none: str
    """What standing with nobody is called."""
    axis: str = ""
    ticks: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    """These three are as a `Chart` has them."""


@dataclass(frozen=True, slots=True)
class Kin:
    """Someone in a family."""

    name: str
    side: SeatId | None
    """Whose colour and letter they have; None where nobody knows."""
    note: str = ""
    """A short text under the name: what became of them."""
    dead: bool = False
    held: SeatId | None = None
    """The side that holds them as a hostage."""
    other: SeatId | None = None
    """The second side of a child of two."""
    sort: str = ""
    """Of someone without a side what they are, as in `Minor`; empty where nobody knows whose they are."""


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
class Copies:
    """Texts of which the host copies one into a file of a turn: each with what it does, in a sentence."""

    file: str
    turn: int
    """The turn's place among the turns."""
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter: its heading, sentences, pictures and tables."""

    title: str
    about: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    position: object = None
    """A position of the game whose picture stands there, below the sentences; None for no such picture."""
    copies: Copies | None = None
    """Below the tables; paper leaves them out."""
    sheet: bool = False
    """Whether it is printed for the table: on paper it has a page of its own."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of a game beside its turns: one kind of thing through the whole game. `name` is its part of the address."""

    name: str
    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card with a page of its own. `name` is its part of the address."""

    name: str
    title: str
    group: str
    """What cards of its sort are called."""
    face: str
    """An SVG document."""
    said: tuple[str, ...]
    """What it says, for whoever searches."""
    table: Table
    """What it is made of."""


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
    steps: bool = False
    """Whether the rows happened one after the other: a page goes through them row by row, and shows the numbers of its columns as bars."""
