"""Material that a ruleset provides for readers: tables, charts, timelines, families, chapters, and the sides in its pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId


@dataclass(frozen=True, slots=True)
class At:
    """Words that link to a turn of the game. `turn` is its index, from 0; `anchor` may name a `Report` on its page."""

    text: str
    turn: int
    anchor: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Of:
    """Words that link to the page of a card, by its name."""

    text: str
    card: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Due:
    """A cell with the time when the sheets of a turn are due; empty once the turn has been judged. `turn` is the turn's index."""

    turn: int

    def __str__(self) -> str:
        return ""


Cell = str | int | At | Of | Due


@dataclass(frozen=True, slots=True)
class Table:
    """A table: a title, column heads, and rows of text or numbers. The first cell of a row is its name."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: bool = False
    """Whether the table is long and of interest to few. A page then shows only its title, and readers unfold it."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Numbers over time: labels along the time axis and one line for each seat (None where it has no value)."""

    title: str
    unit: str
    labels: tuple[str, ...]
    lines: Mapping[SeatId, tuple[int | None, ...]]
    axis: str = ""
    """Name of the unit of time, such as `Year`."""
    ticks: tuple[str, ...] = ()
    """The unit of time of each label, such as its year. If empty, the labels are used."""
    turns: tuple[int, ...] = ()
    """Index of the turn of each label, from 0. An index after the last turn has no page. Empty if the labels are not turns."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Alliances over time: labels along the time axis, and for each row its side at each label, or None."""

    title: str
    labels: tuple[str, ...]
    rows: Mapping[str, tuple[str | None, ...]]
    none: str
    """Label for a row that is on nobody's side."""
    axis: str = ""
    ticks: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    """`axis`, `ticks` and `turns` are as in `Chart`."""


@dataclass(frozen=True, slots=True)
class Kin:
    """Someone in a family."""

    name: str
    side: SeatId | None
    """Side that gives their colour and letter; None where nobody knows it."""
    note: str = ""
    """A short note under the name, such as their fate."""
    dead: bool = False
    held: SeatId | None = None
    """The side that holds them hostage."""
    other: SeatId | None = None
    """Side of the second parent, for a child of two sides."""
    sort: str = ""
    """A word for somebody without a side, such as `Minor`; empty if nobody knows their side."""


@dataclass(frozen=True, slots=True)
class Family:
    """One or two parents, their wedding date (empty for one parent), and their children."""

    parents: tuple[Kin, ...]
    when: str
    children: tuple[Kin, ...]


@dataclass(frozen=True, slots=True)
class Kinship:
    """A family tree: every couple with its children. Everyone who never married is a family of one."""

    title: str
    families: tuple[Family, ...]


MOST_SIDES = 24
"""Maximum number of sides that pictures can distinguish."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side in a picture: its slot in the palette (from 1), its name, and its abbreviation of one or two letters."""

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
    """Texts for the host, who copies one of them into a file of a turn. Each is a pair: a sentence about its effect, and the text."""

    file: str
    turn: int
    """Index of the turn."""
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a chapter: its heading, sentences, pictures and tables."""

    title: str
    about: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    tables: tuple[Table, ...] = ()
    position: object = None
    """A position of the game to draw below the sentences; None for no picture."""
    copies: Copies | None = None
    """Shown below the tables, but not printed."""
    sheet: bool = False
    """Whether the section is for use at the table. It is printed on a separate page."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page about one subject in the whole game, beside the pages of the turns. `name` is its part of the address."""

    name: str
    title: str
    about: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A card that has a page. `name` is its part of the address."""

    name: str
    title: str
    group: str
    """Heading for cards of its sort."""
    face: str
    """An SVG document."""
    said: tuple[str, ...]
    """Text of the card, for the search index."""
    table: Table
    """Components of the card."""


@dataclass(frozen=True, slots=True)
class Report:
    """Full report of one fact of a turn: a title, a sentence, a table of its numbers, and a chart of them.

    `anchor` is its place on the turn's page. `sides` are those of the chart's lines.
    """

    anchor: str
    title: str
    about: str
    table: Table
    chart: Chart | None = None
    sides: Mapping[SeatId, Side] | None = None
    steps: bool = False
    """Whether the rows happened one after another. A page then plays them row by row and shows the numbers of its columns as bars."""
