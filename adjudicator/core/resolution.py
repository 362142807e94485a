"""What a turn produces: verdicts, events, an ending, tables; and the scene that a picture is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from adjudicator.core.codec import record

SeatId = str
P = TypeVar("P")
E = TypeVar("E")

Fact = str | int | tuple[str, ...]

NOT_RECORDED = "not recorded"
"""The result of an order in a record of which nobody knows what became."""


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


@record
class Ending:
    """How a game ended."""

    how: str
    """`solo`, `draw`, or a ruleset's own word."""
    winners: tuple[SeatId, ...]
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


# Scenes: a ruleset says what is to be seen; `render` decides how it looks. ---------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """A side in the picture: its slot in the palette (from 1), its name and the one letter that stands for it."""

    slot: int
    name: str
    letter: str


@dataclass(frozen=True, slots=True)
class Area:
    """A region with its owner; `centre` draws the mark of a supply centre; `title` is its tooltip."""

    region: str
    owner: SeatId | None
    centre: bool
    title: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece in a place. `kind` is `army` or `fleet`; `state` is ``, `dislodged`, `new` or `gone`."""

    place: str
    owner: SeatId
    kind: str
    title: str
    state: str = ""
    leader: SeatId | None = None
    """Who leads it, if that is not its owner: a small disc with the leader's letter beside the piece."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An order drawn as a line. `kind`: move, convoyed, retreat, support, support-hold, convoy.

    `path` holds the places the line runs through: for a move its start and end (with the seas of a convoy between);
    for a support or convoy the unit that gives it, then start and end of the move it is for.
    """

    kind: str
    path: tuple[str, ...]
    owner: SeatId
    ok: bool
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """An order drawn as a sign on a place. `kind`: hold, build, remove, disband, standoff."""

    kind: str
    place: str
    owner: SeatId | None
    ok: bool
    title: str


@dataclass(frozen=True, slots=True)
class Attendant:
    """Someone without a place on the board, shown in the legend: beside a side (`at`), or on a row of those beside none."""

    who: SeatId | None
    """Whose letter and colour; None for an empty place."""
    at: SeatId | None
    text: str
    short: str
    """The text where there is little room."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to be seen in one picture; `outlines` is the file with the board's shapes."""

    outlines: str
    title: str
    description: str
    sides: Mapping[SeatId, Side]
    names: Mapping[str, str]
    """Region -> the name written on it in wide pictures."""
    seas: frozenset[str]
    areas: tuple[Area, ...] = ()
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    legend: str = ""
    """What the signs in this picture mean, in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Beside each side, what the legend says of it."""
    attendants: tuple[Attendant, ...] = ()
    clickable: bool = False
    """Whether each region says its name to scripts (`data-region`), for the order desk."""


@dataclass(frozen=True, slots=True)
class Plot:
    """An estate on a grid: whose it is, what it yields, what stands on it. `place` is its row and column (`B3`)."""

    place: str
    owner: SeatId | None
    """The side that holds it."""
    title: str
    """Its tooltip."""
    incomes: tuple[tuple[str, int], ...] = ()
    """What it yields: `influence`, `manpower` or `money`, and how much."""
    lord: str = ""
    """The name of the player whose home it is, or his letter; where there is no room it is cut."""
    own: bool = False
    """Whether a player holds it himself, rather than his side."""
    prize: bool = False
    """Whether it is one of the estates that win the game."""
    buildings: tuple[str, ...] = ()
    """`war council`, `university`, `spymaster`, `arsenal`, `star fortress`; with a `+` before it while it is being built."""
    posts: tuple[str, ...] = ()
    """Who serves here: `tax`, `lobby`, `steward`, `spy`, `staff`, `overseer`, `commander`."""
    fog: bool = False
    """Whether the viewer does not know what is there."""


@dataclass(frozen=True, slots=True)
class GridScene:
    """Everything to be seen in one picture of a grid of estates; rows have letters from A, columns numbers from 1.

    Tokens are of the kinds regiment, brigade, division and garrison, arrows of the kind move, and marks of the kinds
    battle, gone and new.
    """

    title: str
    description: str
    sides: Mapping[SeatId, Side]
    rows: int
    columns: int
    plots: tuple[Plot, ...]
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    legend: str = ""
    """What the signs in this picture mean, in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Beside each side, what the strip below says of it."""
    attendants: tuple[Attendant, ...] = ()
    clickable: bool = False
    """Whether each plot says its name to scripts (`data-region`), for the order desk."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Place -> its name for scripts, where that is not the place itself."""


AnyScene = Scene | GridScene
"""What a picture is drawn from."""


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
