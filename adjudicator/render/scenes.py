"""What is to be seen: each painter's scene, and the pieces, arrows and marks that several of them draw.

A ruleset fills a scene in; `render` decides how it looks. What a painter draws for a kind of unit, building or yield is
handed in with the scene, as data of the ruleset.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Self

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import record


@dataclass(frozen=True, slots=True)
class Area:
    """A region with its owner; `centre` draws a ring that says who owns it; `title` is its tooltip."""

    region: str
    owner: SeatId | None
    centre: bool
    title: str
    rulers: tuple[SeatId, ...] = ()
    """One or two who rule it and do not own it: hatched in the colour of one, striped in those of two, the first's broader."""
    capital: bool = False
    """Whether its ring is a double one."""
    unled: bool = False
    """Whether a power without a colour owns it, and its ring is a single one; nobody's has a small one within."""


@dataclass(frozen=True, slots=True)
class Crown:
    """A small crown beside a region's ring, in its owner's colour with their letter; hollow if not `married`."""

    place: str
    owner: SeatId
    married: bool
    title: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece in a place. `kind` is one of the scene's markers; `state` is ``, `dislodged`, `new` or `gone`."""

    place: str
    owner: SeatId | None
    """Whose colour and letter it has; plain grey without a letter for None, and on boards for who is no side of the scene."""
    kind: str
    title: str
    state: str = ""
    leader: SeatId | None = None
    """Who leads it, if that is not its owner: a small disc with the leader's letter beside the piece."""
    attacker: str | None = None
    """Where the attack came from if it was dislodged, empty if nobody knows; None if it was not. It gets a broken ring."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An order drawn as a line. `kind`: move, sortie, convoyed, retreat, support, support-hold, convoy.

    `path` holds the places the line runs through: for a move its start and end (with the seas of a convoy between);
    for a support or convoy the unit that gives it, then start and end of the move it is for. A sortie is a move that
    never enters: it ends in a bar at the border.
    """

    kind: str
    path: tuple[str, ...]
    owner: SeatId
    ok: bool
    title: str


@dataclass(frozen=True, slots=True)
class Mark:
    """An order drawn as a sign on a place. `kind`: hold, disband, standoff, or `build-` with one of the scene's markers."""

    kind: str
    place: str
    owner: SeatId | None
    ok: bool
    title: str


@dataclass(frozen=True, slots=True)
class Attendant:
    """Someone without a place on the board, shown in the legend: beside a side (`at`), or on a row of those without one."""

    who: SeatId | None
    """Whose letter and colour; None for an empty place."""
    at: SeatId | None
    text: str
    short: str
    """The text where there is little room."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A province of a board, as far as a picture needs to know it."""

    code: str
    name: str
    kind: Literal["sea", "coast", "inland"]
    centre: bool = False
    coasts: tuple[str, ...] = ()
    """Its coasts that are told apart, as `NC`."""


@dataclass(frozen=True, slots=True)
class Border:
    """Who passes between two places, written as codes, or `STP/NC` for a fleet's coast; only to the second if `one_way`."""

    one: str
    two: str
    army: bool
    fleet: bool
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Tiles:
    """A board's provinces and borders: `layout` makes a picture from them, and what a host drew is compared with them."""

    provinces: tuple[Tile, ...]
    borders: tuple[Border, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """Shapes that a host drew, as their file has them, and the board that they must be of."""

    source: bytes
    path: str
    tiles: Tiles


Ground = str | Drawn | Tiles
"""Where a board's shapes come from: the path of its outlines.yaml, a host's own file, or its provinces and borders."""


Frame = tuple[int, int, int, int]
"""The part of a picture that is shown: left, top, width and height, in the units of the whole."""


@dataclass(frozen=True, slots=True)
class ProvinceScene:
    """Everything to be seen in one picture of a board of provinces; `outlines` says where the board's shapes come from."""

    outlines: Ground
    title: str
    description: str
    sides: Mapping[SeatId, Side]
    names: Mapping[str, str]
    """Region -> the name written on it in wide pictures."""
    seas: frozenset[str]
    markers: Mapping[str, str]
    """Kind of unit -> its shape around the point where it stands, as a path."""
    areas: tuple[Area, ...] = ()
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    crowns: tuple[Crown, ...] = ()
    """A place has room for three."""
    legend: str = ""
    """What the signs in this picture mean, in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Beside each side, what the legend says of it."""
    attendants: tuple[Attendant, ...] = ()
    clickable: bool = False
    """Whether each region says its name to scripts (`data-region`), for the order desk."""
    frame: Frame | None = None
    """What is shown of the board, without standings (`crop`); all of it for None."""

    def uncounted(self) -> Self:
        """The same without standings and attendants."""
        return replace(self, standings=(), attendants=())

    def to_click(self) -> Self:
        """The same for scripts."""
        return replace(self, clickable=True)


@dataclass(frozen=True, slots=True)
class Plot:
    """An estate on a grid: whose it is, what it yields, what stands on it. `place` is its row and column (`B3`)."""

    place: str
    owner: SeatId | None
    """The side that holds it."""
    title: str
    """Its tooltip."""
    incomes: tuple[tuple[str, int], ...] = ()
    """What it yields, of the scene's yields, and how much."""
    lord: str = ""
    """The name of the player whose home it is, or their letter; where there is no room it is cut."""
    own: bool = False
    """Whether a player holds it themselves, rather than their side."""
    prize: bool = False
    """Whether it is one of the estates that win the game."""
    buildings: tuple[str, ...] = ()
    """What stands here, of the scene's buildings; with a `+` before it while it is being built."""
    posts: tuple[str, ...] = ()
    """Who serves here, of the scene's posts."""
    fog: bool = False
    """Whether the viewer does not know what is there."""


@record
class UnitSign:
    """A unit's shape around the point where it stands, and how far below that its letter's line is."""

    path: str
    baseline: int


@record
class YieldSign:
    """The shape of one of something that plots yield, drawn from a point beside its middle."""

    path: str
    start: tuple[int, int]


@record
class Signs:
    """What stands for what in pictures of a grid. Shapes are paths around the sign's middle; the key lists them in this order."""

    yields: Mapping[str, YieldSign]
    """At most three, told apart by shape and by colour."""
    units: Mapping[str, UnitSign]
    buildings: Mapping[str, str]
    """At most 25. Any other building is a hut."""
    posts: Mapping[str, str]
    """At most 25. Whoever serves otherwise is a dot."""


@dataclass(frozen=True, slots=True)
class GridScene:
    """Everything to be seen in one picture of a grid of estates; rows have letters from A, columns numbers from 1.

    Tokens are of the kinds that its signs have, arrows of the kind move, and marks of the kinds battle, gone and new.
    """

    title: str
    description: str
    sides: Mapping[SeatId, Side]
    rows: int
    columns: int
    signs: Signs
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

    def uncounted(self) -> Self:
        """The same without standings and attendants."""
        return replace(self, standings=(), attendants=())

    def to_click(self) -> Self:
        """The same for scripts."""
        return replace(self, clickable=True)


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card as it is read by itself. `name` is in the ids of its picture, so that several can stand in a page."""

    name: str
    title: str
    kind: str
    """What it is, in a few words."""
    said: tuple[str, ...]
    """What it does, in sentences."""
    description: str
    numbers: tuple[tuple[str, int], ...] = ()
    """At most two, each with what it is: the first is drawn in a round, the second in a pointed field."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Sign -> its shape in a square of 20 around its middle, as a path."""
    flavour: str = ""
    foot: str = ""
    """Where it is from, and how many there are of it."""
    tone: Literal["t1", "t2", "t3", "t4"] = "t2"
    """The shade of its band: one for each sort of card."""


@dataclass(frozen=True, slots=True)
class TableCard:
    """Somebody on the table: a card that stands upright or lies on its side."""

    name: str
    """As scripts find it in the picture."""
    title: str
    numbers: tuple[int, ...]
    """At most two: the first is drawn in a round, the second in a pointed field."""
    tooltip: str
    signs: tuple[str, ...] = ()
    """Of the scene's signs."""
    turned: bool = False
    chief: bool = False
    """Whether it is whom the seat plays as: it has a crown."""
    tucked: tuple[str, ...] = ()
    """Titles of cards under it."""
    note: str = ""
    """What happened to it, in a word or two."""
    gone: bool = False
    """Whether it left the table: it is crossed out."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at the table."""

    seat: SeatId
    title: str
    notes: tuple[str, ...]
    """What it has, each in a word or two."""
    cards: tuple[TableCard, ...]
    hand: Mapping[str, str] = field(default_factory=dict)
    """Name -> title of the cards in its hand, for whoever may see them."""
    turn: bool = False
    """Whether it is this seat's turn."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Tokens in the middle; in the colour of a side, if they are one's."""

    title: str
    tokens: int
    owner: SeatId | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards in a pile, which are not looked at."""

    title: str
    cards: int


@dataclass(frozen=True, slots=True)
class TableScene:
    """Everything to be seen on a table: seats clockwise, and between them what lies in the middle."""

    title: str
    description: str
    sides: Mapping[SeatId, Side]
    signs: Mapping[str, str]
    """Sign -> its shape in a square of 20 around its middle, as a path."""
    chairs: tuple[Chair, ...]
    middle: tuple[str, ...] = ()
    """The card in the middle: its title, what it is, and what it says."""
    heaps: tuple[Heap, ...] = ()
    row: tuple[TableCard, ...] = ()
    """Cards in the middle that are nobody's."""
    piles: tuple[Pile, ...] = ()
    lying: tuple[str, ...] = ()
    """Titles of cards that lie in the middle and go on working."""
    legend: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    clickable: bool = False
    """Whether each card says its name to scripts (`data-region`), for the order desk."""

    def uncounted(self) -> Self:
        """The same: nobody is counted."""
        return self

    def to_click(self) -> Self:
        """The same for scripts."""
        return replace(self, clickable=True)


@record
class GroundSign:
    """How a kind of ground is drawn: its tone, and strokes around the middle of a hex."""

    tone: str
    path: str = ""


@record
class HexSigns:
    """What stands for what in pictures of hexes. A hex reaches 35 from its middle to the sides, and 40 up and down."""

    grounds: Mapping[str, GroundSign]
    tones: Mapping[str, tuple[str, str]]
    """Tone -> its colour in light and in dark pictures."""
    works: Mapping[str, str]
    """Shapes around a sign's middle."""


@dataclass(frozen=True, slots=True)
class Hexagon:
    """A hex of a map: its ground, whose it is, what stands on it. `place` is column and row, two digits each."""

    place: str
    ground: str
    title: str
    """Its tooltip."""
    owner: SeatId | None = None
    work: str = ""
    """Of the scene's works."""
    name: str = ""
    """Written below what stands here."""
    ruin: bool = False
    road: bool = False
    river: bool = False
    portal: bool = False


@dataclass(frozen=True, slots=True)
class HexScene:
    """Everything to be seen on a map of hexes in rows, of which the even ones lie half a hex to the right.

    Tokens are of the kinds army, general and party; their titles begin with what is written on them, before a colon. Arrows are of the
    kinds move, attack and retreat, marks of the kinds battle, new and gone.
    """

    title: str
    description: str
    sides: Mapping[SeatId, Side]
    columns: int
    rows: int
    signs: HexSigns
    hexes: tuple[Hexagon, ...]
    rivers: tuple[tuple[str, str], ...] = ()
    """Pairs of hexes with a river between them."""
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    legend: str = ""
    """What the signs in this picture mean, in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Beside each side, what the strip below says of it."""
    clickable: bool = False
    """Whether each hex says its name to scripts (`data-region`), for the order desk."""
    names: Mapping[str, str] = field(default_factory=dict)
    frame: Frame | None = None
    """What is shown of the map, without standings (`crop`); all of it for None."""

    def uncounted(self) -> Self:
        """The same without standings."""
        return replace(self, standings=())

    def to_click(self) -> Self:
        """The same for scripts."""
        return replace(self, clickable=True)
