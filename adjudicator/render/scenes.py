"""The painters' scenes, and the pieces, arrows and marks that several of them draw.

A ruleset fills in a scene, and `render` decides how it looks. The shapes for kinds of units, buildings and yields come with
the scene, as data of the ruleset.
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
    """A region with its owner. `centre` draws a ring that shows the owner; `title` is the tooltip."""

    region: str
    owner: SeatId | None
    centre: bool
    title: str
    rulers: tuple[SeatId, ...] = ()
    """One or two seats that rule the region without owning it.

    The region is hatched in the colour of one ruler, or striped in those of two; the first ruler's stripes are broader.
    """
    capital: bool = False
    """True to draw a double ring."""
    unled: bool = False
    """True if a power without a colour owns it. Its ring is single; the ring of a region that nobody owns has a small one inside."""


@dataclass(frozen=True, slots=True)
class Crown:
    """A small crown beside a region's ring, in the owner's colour and with the owner's letter; hollow if not `married`."""

    place: str
    owner: SeatId
    married: bool
    title: str


@dataclass(frozen=True, slots=True)
class Token:
    """A piece in a place. `kind` is one of the scene's markers; `state` is empty, `dislodged`, `new` or `gone`."""

    place: str
    owner: SeatId | None
    """The seat whose colour and letter it has.

    For None, and on boards for a seat that is not a side of the scene, the piece is plain grey without a letter.
    """
    kind: str
    title: str
    state: str = ""
    leader: SeatId | None = None
    """The seat that leads it, if not its owner: a small disc beside the piece shows the leader's letter."""
    attacker: str | None = None
    """Place that the dislodging attack came from, empty if unknown. None if the piece was not dislodged.

    A dislodged piece gets a broken ring.
    """


@dataclass(frozen=True, slots=True)
class Arrow:
    """An order drawn as a line. `kind`: move, sortie, convoyed, retreat, support, support-hold, convoy.

    `path` holds the places that the line runs through. For a move these are its start and end, with the seas of a convoy
    between them. For a support or convoy they are the unit that gives it, then start and end of the move that it serves.
    A sortie is a move that never enters its goal: its line ends in a bar at the border.
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
    """Someone without a place on the board. The legend shows them beside a side (`at`), or in a separate row if they have none."""

    who: SeatId | None
    """The seat whose letter and colour they have; None for an empty place."""
    at: SeatId | None
    text: str
    short: str
    """The text to use if space is short."""


@dataclass(frozen=True, slots=True)
class Tile:
    """The facts about a province that a picture needs."""

    code: str
    name: str
    kind: Literal["sea", "coast", "inland"]
    centre: bool = False
    coasts: tuple[str, ...] = ()
    """Its named coasts, such as `NC`."""


@dataclass(frozen=True, slots=True)
class Border:
    """The kinds of unit that may pass between two places; if `one_way`, only from the first to the second.

    Places are codes, or `STP/NC` for a fleet's coast.
    """

    one: str
    two: str
    army: bool
    fleet: bool
    one_way: bool = False


@dataclass(frozen=True, slots=True)
class Tiles:
    """A board's provinces and borders: `layout` makes a picture from them, and a host's drawing is checked against them."""

    provinces: tuple[Tile, ...]
    borders: tuple[Border, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A host's file of shapes, and the board that the shapes must agree with."""

    source: bytes
    path: str
    tiles: Tiles


Ground = str | Drawn | Tiles
"""Source of a board's shapes: the path of its outlines.yaml, a host's file, or its provinces and borders."""


Frame = tuple[int, int, int, int]
"""Visible part of a picture: left, top, width and height, in the units of the whole picture."""


@dataclass(frozen=True, slots=True)
class ProvinceScene:
    """Everything that one picture of a board of provinces shows; `outlines` is the source of the board's shapes."""

    outlines: Ground
    title: str
    description: str
    sides: Mapping[SeatId, Side]
    names: Mapping[str, str]
    """Region -> the name written on it in wide pictures."""
    seas: frozenset[str]
    markers: Mapping[str, str]
    """Kind of unit -> its shape as a path, drawn around the unit's position."""
    areas: tuple[Area, ...] = ()
    tokens: tuple[Token, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    marks: tuple[Mark, ...] = ()
    crowns: tuple[Crown, ...] = ()
    """Up to three in one region do not overlap."""
    legend: str = ""
    """Explains the signs in this picture in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Side -> the text beside it in the legend."""
    attendants: tuple[Attendant, ...] = ()
    clickable: bool = False
    """True to name each region for scripts (`data-region`), for the order desk."""
    frame: Frame | None = None
    """Part of the board to show, without standings (`crop`); the whole board for None."""

    def uncounted(self) -> Self:
        """Return the scene without standings or attendants."""
        return replace(self, standings=(), attendants=())

    def to_click(self) -> Self:
        """Return the scene with names for scripts."""
        return replace(self, clickable=True)


@dataclass(frozen=True, slots=True)
class Plot:
    """An estate on a grid with its owner, yields and buildings. `place` is its row and column (`B3`)."""

    place: str
    owner: SeatId | None
    """The side that holds it."""
    title: str
    """Its tooltip."""
    incomes: tuple[tuple[str, int], ...] = ()
    """Pairs of a yield, from the scene's signs, and its amount."""
    lord: str = ""
    """The name or the letter of the player whose home it is; shortened if it does not fit."""
    own: bool = False
    """True if a player holds it personally, rather than the player's side."""
    prize: bool = False
    """True if it is one of the estates that win the game."""
    buildings: tuple[str, ...] = ()
    """Buildings here, from the scene's signs, each with a `+` before it while under construction."""
    posts: tuple[str, ...] = ()
    """Posts that serve here, from the scene's signs."""
    fog: bool = False
    """True if the viewer does not know this estate's contents."""


@record
class UnitSign:
    """A unit's shape around its position, and the distance from there down to the baseline of its letter."""

    path: str
    baseline: int


@record
class YieldSign:
    """The shape of one unit of a yield, and the point, relative to its middle, where drawing starts."""

    path: str
    start: tuple[int, int]


@record
class Signs:
    """The signs in pictures of a grid. Shapes are paths around the sign's middle; the key lists them in this order."""

    yields: Mapping[str, YieldSign]
    """At most three, each with its own shape and colour."""
    units: Mapping[str, UnitSign]
    buildings: Mapping[str, str]
    """At most 25. Any other building appears as a hut."""
    posts: Mapping[str, str]
    """At most 25. Any other post appears as a dot."""


@dataclass(frozen=True, slots=True)
class GridScene:
    """Everything that one picture of a grid of estates shows; rows have letters from A, columns numbers from 1.

    The kinds of tokens are those of `signs.units`. Arrows are moves; marks are of the kinds battle, gone and new.
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
    """Explains the signs in this picture in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Side -> the text beside it in the strip below the picture."""
    attendants: tuple[Attendant, ...] = ()
    clickable: bool = False
    """True to name each plot for scripts (`data-region`), for the order desk."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Place -> its name for scripts, if that differs from the place."""

    def uncounted(self) -> Self:
        """Return the scene without standings or attendants."""
        return replace(self, standings=(), attendants=())

    def to_click(self) -> Self:
        """Return the scene with names for scripts."""
        return replace(self, clickable=True)


@dataclass(frozen=True, slots=True)
class CardFace:
    """A single card, large enough to read. `name` is part of the ids in its picture, so that a page can hold several cards."""

    name: str
    title: str
    kind: str
    """The kind of card in a few words."""
    said: tuple[str, ...]
    """The card's effects, in sentences."""
    description: str
    numbers: tuple[tuple[str, int], ...] = ()
    """At most two (meaning, number) pairs: the first is drawn in a round field, the second in a pointed one."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Sign -> its shape in a square of 20 around its middle, as a path."""
    flavour: str = ""
    foot: str = ""
    """Its origin, and the number of copies."""
    tone: Literal["t1", "t2", "t3", "t4"] = "t2"
    """The shade of its band, one for each sort of card."""


@dataclass(frozen=True, slots=True)
class TableCard:
    """A person on the table: a card that is upright, or on its side if `turned`."""

    name: str
    """Its name for scripts."""
    title: str
    numbers: tuple[int, ...]
    """At most two: the first is drawn in a round field, the second in a pointed one."""
    tooltip: str
    signs: tuple[str, ...] = ()
    """Names from the scene's signs."""
    turned: bool = False
    chief: bool = False
    """True if the seat plays as this person, who then has a crown."""
    tucked: tuple[str, ...] = ()
    """Titles of cards under it."""
    note: str = ""
    """The latest event that concerns it, in a word or two."""
    gone: bool = False
    """True if it left the table: it is crossed out."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at the table."""

    seat: SeatId
    title: str
    notes: tuple[str, ...]
    """The seat's possessions, each in a word or two."""
    cards: tuple[TableCard, ...]
    hand: Mapping[str, str] = field(default_factory=dict)
    """Name -> title of the cards in its hand, if the viewer may see them."""
    turn: bool = False
    """True if it is this seat's turn."""


@dataclass(frozen=True, slots=True)
class Heap:
    """Tokens in the middle, in the colour of the side that owns them, if any."""

    title: str
    tokens: int
    owner: SeatId | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile of face-down cards."""

    title: str
    cards: int


@dataclass(frozen=True, slots=True)
class TableScene:
    """Everything that a picture of a table shows: the seats clockwise, and the things in the middle."""

    title: str
    description: str
    sides: Mapping[SeatId, Side]
    signs: Mapping[str, str]
    """Sign -> its shape in a square of 20 around its middle, as a path."""
    chairs: tuple[Chair, ...]
    middle: tuple[str, ...] = ()
    """The card in the middle: its title, its kind and its text."""
    heaps: tuple[Heap, ...] = ()
    row: tuple[TableCard, ...] = ()
    """Cards in the middle that nobody owns."""
    piles: tuple[Pile, ...] = ()
    lying: tuple[str, ...] = ()
    """Titles of cards in the middle that stay in effect."""
    legend: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    clickable: bool = False
    """True to name each card for scripts (`data-region`), for the order desk."""

    def uncounted(self) -> Self:
        """Return the scene itself: it has no standings."""
        return self

    def to_click(self) -> Self:
        """Return the scene with names for scripts."""
        return replace(self, clickable=True)


@record
class GroundSign:
    """The drawing of a kind of ground: its tone, and strokes around the middle of a hex."""

    tone: str
    path: str = ""


@record
class HexSigns:
    """The signs in pictures of hexes. A hex reaches 35 from its middle to the sides, and 40 up and down."""

    grounds: Mapping[str, GroundSign]
    tones: Mapping[str, tuple[str, str]]
    """Tone -> its colour in light and in dark pictures."""
    works: Mapping[str, str]
    """Shapes around a sign's middle."""


@dataclass(frozen=True, slots=True)
class Hexagon:
    """A hex of a map with its ground, owner and works. `place` is column and row, two digits each."""

    place: str
    ground: str
    title: str
    """Its tooltip."""
    owner: SeatId | None = None
    work: str = ""
    """One of the scene's works, or empty."""
    name: str = ""
    """The name to write below the hex's sign."""
    ruin: bool = False
    road: bool = False
    river: bool = False
    portal: bool = False


@dataclass(frozen=True, slots=True)
class HexScene:
    """Everything that a map of hexes shows. Hexes are in rows; the even rows are half a hex further right.

    The kind of a token is army, general or party; the last word before the colon in its title is written on it.
    The kind of an arrow is move, attack or retreat; the kind of a mark is battle, new or gone.
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
    """Explains the signs in this picture in a few sentences."""
    standings: tuple[tuple[SeatId, str], ...] = ()
    """Side -> the text beside it in the strip below the picture."""
    clickable: bool = False
    """True to name each hex for scripts (`data-region`), for the order desk."""
    names: Mapping[str, str] = field(default_factory=dict)
    frame: Frame | None = None
    """Part of the map to show, without standings (`crop`); the whole map for None."""

    def uncounted(self) -> Self:
        """Return the scene without standings."""
        return replace(self, standings=())

    def to_click(self) -> Self:
        """Return the scene with names for scripts."""
        return replace(self, clickable=True)
