"""Types of the data that an order desk reads: `desk.json` of a game, or its equivalent in a lesson or at a table.

`site_src/assets/desk/types.d.ts` declares them for the desk's script. `nox -s desk -- --write` generates it from here and from the site's
additions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from adjudicator.core.contract.beside import Beside
from adjudicator.core.contract.cautions import Caution
from adjudicator.core.contract.forms import Field
from adjudicator.core.contract.lines import Blank, Spelling
from adjudicator.core.contract.plans import Card, Plan
from adjudicator.core.contract.prices import Prices
from adjudicator.core.contract.said import Said
from adjudicator.core.contract.walks import Walks
from adjudicator.core.secrets.envelope import Width


class SeatPart(TypedDict):
    """Data that follows from a position, as its seat may see it."""

    options: Mapping[str, list[str]]
    """Key of a field -> its legal values."""
    without: list[str]
    """Sentences about what happens without orders, if that may be shown."""
    cautions: list[Annotated[Mapping[str, Any], Said(Caution)]]
    stands: Mapping[str, list[str]]
    """Key of a field -> lines of earlier sheets that still apply, if that is not a secret."""
    prices: Annotated[Mapping[str, Any], Prices] | None
    """The cost of its orders and the means to pay it, if they are not a secret."""


class SeatEntry(SeatPart):
    """A seat, as far as the public may know it."""

    name: str
    file: str
    """The name of its sheets' files, without number and ending."""
    player: str
    account: int | None
    open: bool
    """True if anybody may join."""
    join: JoinFile | None
    """For an open seat: the file that asks for it."""
    next: int
    """The number of its next sheet in this turn."""
    sent: int
    owes: bool
    form: int
    """Index into the desk's forms: the form of its sheet."""
    happened: list[tuple[str, bool]]
    """Results of its orders in the turn before, if they are not secret: for each order a sentence, and true if the order succeeded."""
    key: str | None
    """The public key that its private news is sealed to, an age key or an SSH key; null in a game without secrets."""
    news: str | None
    """SHA-256 of its private news of this turn: of the plain text, not of the file."""


class JoinFile(TypedDict):
    """The file that asks for an open seat."""

    path: str
    text: str
    address: str | None
    """The forge's page for that file, prefilled if possible; null if it cannot be sent that way."""
    issue: str | None
    """The forge's page for an issue that holds the file, prefilled; null if it cannot be sent that way."""
    how: str
    """A sentence about who gets the seat."""


class ForgeWays(TypedDict):
    """Addresses of pages and queries on the forge that hosts the archive, with blanks for variable parts, such as a file's path or its text."""

    name: str
    """Name of the forge, for pages."""
    bot: str
    """Name of the account that answers requests."""
    file: str
    new_file: str
    """The page for a new file."""
    filled_file: str | None
    """The page for a new file with its text; null if the forge cannot prefill it."""
    new_issue: str
    pull: str
    issue: str
    fork: str
    commits: str
    raw: str
    requests: str
    comments: str


class Limits(TypedDict):
    """The limits of an archive, which the desk must respect."""

    keys: int
    """Maximum number of keys that one file is sealed to."""
    sheets: int
    """Maximum number of a seat's sheets in one turn."""
    letters: int
    """Maximum length of an order, in characters."""
    bytes: int
    """Maximum size of a sheet's file, in bytes."""
    line: int
    """Maximum length of a line in a sheet that holds several values, in characters."""
    words: int
    """Maximum number of known words that a fault lists."""


class WrittenLines(TypedDict):
    """The forms of orders by their purpose, and the possible values of their blanks."""

    forms: Mapping[str, tuple[str, ...]]
    blanks: Mapping[str, Annotated[Mapping[str, Any], Said(Blank)]]
    once: Mapping[str, tuple[str, ...]] | None
    """Form -> a word and blanks. Of the lines with the same word and the same values of these blanks, a sheet may hold only one. Lines of other
    forms may not be repeated. Null if lines may repeat."""
    also: Mapping[str, str]
    """Other forms with the same blanks -> the form that they mean. They are tried when no form fits."""
    around: tuple[tuple[str, str], ...]
    """Regular expressions for words that people write around an order, each with its replacement. The line is then read again."""
    says: str
    """A regular expression for the head of a line of speech; the text after it is left unchanged. Empty if the game has no such lines."""


class WrittenPlans(TypedDict):
    """Lists in sheets whose lines are tried in order, and the possible values of their blanks."""

    lists: Mapping[str, Annotated[Mapping[str, Any], Plan]]
    """Key of a field -> its plan."""
    blanks: Mapping[str, Annotated[Mapping[str, Any], Said(Blank)]]
    names: Mapping[str, str]
    """Alternative names of words -> the words, wherever they occur."""
    titles: Mapping[str, str]
    """Word -> its name at the desk, such as a card's title."""
    about: Mapping[str, str]
    """Number or flag of a condition -> a short description."""
    told: Mapping[str, Mapping[str, list[str]]]
    """Seat -> key of a field -> public facts, as sentences, that the writer of this list should see."""
    cards: Mapping[str, list[Annotated[Mapping[str, Any], Card]]]
    """Seat -> cards that it can fill in by taps. The taps write lines into its lists."""


class Before(TypedDict):
    """The turn judged last: the name of its folder, and its display name."""

    turn: str
    phase: str


class DeskLetters(TypedDict):
    """The terms for letters that open when the game is over."""

    recipient: str
    """The key that they are sealed to."""
    width: Annotated[Mapping[str, Any], Width]
    """The length of a sealed letter."""
    most: int
    """Maximum number of characters in a letter."""
    count: int
    """Maximum number of a seat's letters in a game."""
    next: Mapping[str, int]
    """File of a seat -> the number of its next letter."""
    sent: list[str]
    """SHA-256 of every letter's file in the archive."""


class BoardPart(TypedDict):
    """Data that follows from a position and is the same for all seats."""

    names: list[str]
    """The places of the map."""
    spelling: Annotated[Mapping[str, Any], Spelling]
    lines: WrittenLines | None
    """How orders are written, for games whose legal orders are not public."""
    plans: WrittenPlans | None
    """How the lists whose lines are tried in order are written; null if no sheet has such a list."""
    walks: Annotated[Mapping[str, Any], Walks] | None
    """Pieces that walk in this turn, and the cost of their steps; null if nothing walks."""
    beside: Annotated[Mapping[str, Any], Beside] | None
    """Orders other than those to a seat's own units, in games that have any."""


class HostPart(TypedDict):
    """Data for the host's page, which writes rulings."""

    path: str
    """The file that rulings of this turn go into."""
    exists: bool
    indent: int | None
    """Spaces before the entries of that file, so that a ruling can be added at its end; null if the desk writes the whole file."""
    before: str
    """The rulings of a file that has another form, as a list with an entry a line; otherwise empty."""
    waits: list[str]
    """Sentences about decisions that the turn needs from its host, as far as everybody may know them."""


class DeskFile(BoardPart):
    """A game whose turn is open: `games/GAME/desk.json`."""

    schema: int
    archive: str | None
    forge: ForgeWays | None
    """The forge that hosts the archive; null if the archive names none."""
    doors: list[str]
    """Ways to send a sheet: `pull_requests`, `issues`."""
    game: str
    folder: str
    """Its path in the archive: `games/NAME`."""
    title: str
    ruleset: str
    turn: str
    phase: str
    before: Before | None
    """The turn before; null in a game's first turn."""
    deadline: str | None
    paused: bool
    judge: bool
    """True if the site has the judge for browsers, which checks sheets while they are being written."""
    hidden: bool
    """True if only the seat itself knows its legal orders."""
    attempt: int | None
    """Attempt number of the turn, if not the first."""
    limits: Limits
    width: Annotated[Mapping[str, Any], Width]
    """Lengths that a sealed text may have."""
    recipient: str | None
    """The key that sheets are sealed to; null in a game that is not sealed."""
    ahead: Mapping[str, str] | None
    """Key of a list of orders ahead -> the key that it is sealed to on its own; null if sheets have no such lists, or are not sealed."""
    host: HostPart | None
    """Null where nobody rules: in lessons and at tables."""
    letters: DeskLetters | None
    """The terms for letters; null in a game that takes none."""
    seats: list[SeatEntry]
    forms: list[list[Field]]
    """The different forms of the sheets; many seats share one."""
