"""The shapes of what an order desk reads of a turn: `desk.json` of a game, or what a lesson or a table has in its place.

`site_src/assets/desk/types.d.ts` says the same to the desk's script; it is written from here, and from what the site has beside it, by `nox -s desk -- --write`.
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
    """What follows from a position as its seat may see it."""

    options: Mapping[str, list[str]]
    """Key of a field -> its legal texts."""
    without: list[str]
    """What happens without orders, where that may be said."""
    cautions: list[Annotated[Mapping[str, Any], Said(Caution)]]
    stands: Mapping[str, list[str]]
    """Key of a field -> the lines that stand of earlier sheets, where that is no secret."""
    prices: Annotated[Mapping[str, Any], Prices] | None
    """What its orders take of what it has, where that is no secret."""


class SeatEntry(SeatPart):
    """A seat, as far as the public may know it."""

    name: str
    file: str
    """What its sheets are called."""
    player: str
    account: int | None
    open: bool
    """Whether anybody may join."""
    join: JoinFile | None
    """Of an open seat: the file that asks for it."""
    next: int
    """The number of its next sheet in this turn."""
    sent: int
    owes: bool
    form: int
    """Which of the desk's forms its sheet has."""
    happened: list[tuple[str, bool]]
    """What became of its orders in the turn before, where that is no secret: each in a sentence, and whether it succeeded."""
    key: str | None
    """The public key that its private news is sealed to, an age key or an SSH key; none in a game without secrets."""
    news: str | None
    """SHA-256 of its private news of this turn, of what is told and not of the file."""


class JoinFile(TypedDict):
    """What asks for an open seat."""

    path: str
    text: str
    address: str | None
    """The forge's page for that file, filled in where it can be; none where none is to be sent so."""
    issue: str | None
    """The forge's page for an issue that holds the file, filled in; none where none is to be sent so."""
    how: str
    """Who gets the seat, in a sentence."""


class ForgeWays(TypedDict):
    """The pages and questions of the forge where the archive lives: addresses in which a place, a text or a number is still to be filled in."""

    name: str
    """As pages call it."""
    bot: str
    """The name of the account that answers requests."""
    file: str
    new_file: str
    """The page for a new file."""
    filled_file: str | None
    """The same with its text; none where the forge fills none in."""
    new_issue: str
    pull: str
    issue: str
    fork: str
    commits: str
    raw: str
    requests: str
    comments: str


class Limits(TypedDict):
    """What the desk may not go beyond, since the archive takes in no more."""

    keys: int
    """Keys that open a sealed sheet."""
    sheets: int
    """Sheets of a seat in a turn."""
    letters: int
    """Letters of an order."""
    bytes: int
    """Bytes of a sheet."""
    line: int
    """Letters of a sheet's line that holds several things."""
    words: int
    """Known words that a fault shows."""


class WrittenLines(TypedDict):
    """The forms of orders by what they are for, and what may stand in their blanks."""

    forms: Mapping[str, tuple[str, ...]]
    blanks: Mapping[str, Annotated[Mapping[str, Any], Said(Blank)]]
    once: Mapping[str, tuple[str, ...]] | None
    """Form -> a word and blanks: of lines that share these a sheet holds one; of other forms no two equal lines. None where any may repeat."""
    also: Mapping[str, str]
    """Other forms with the same blanks -> the form that they mean; they are tried when no form fits."""
    around: tuple[tuple[str, str], ...]
    """Regular expressions for what people write around the words of an order, each with what stays of it; then the line is read again."""
    says: str
    """A regular expression for the head of a line that says something: what follows it stays as it is. Empty if none does."""


class WrittenPlans(TypedDict):
    """The lists of sheets whose lines are tried in order, and what may stand in these lines."""

    lists: Mapping[str, Annotated[Mapping[str, Any], Plan]]
    """Key of a field -> its plan."""
    blanks: Mapping[str, Annotated[Mapping[str, Any], Said(Blank)]]
    names: Mapping[str, str]
    """Other names of words -> the words, wherever they stand."""
    titles: Mapping[str, str]
    """Word -> what the desk calls it, such as a card's title."""
    about: Mapping[str, str]
    """Number or flag of a condition -> what it is, in a few words."""
    told: Mapping[str, Mapping[str, list[str]]]
    """Seat -> key of a field -> sentences that everybody knows, and whoever writes this list should have before their eyes."""
    cards: Mapping[str, list[Annotated[Mapping[str, Any], Card]]]
    """Seat -> what it can fill in by taps; its lists hold the same lines."""


class Before(TypedDict):
    """The turn that was judged last: what it was called, and the folder of its page."""

    turn: str
    phase: str


class BoardPart(TypedDict):
    """What follows from a position for all seats."""

    names: list[str]
    """The places of the map."""
    spelling: Annotated[Mapping[str, Any], Spelling]
    lines: WrittenLines | None
    """How orders are written, where the public does not know what is legal."""
    plans: WrittenPlans | None
    """How lists of lines are written that are tried in order; none where no sheet has any."""
    walks: Annotated[Mapping[str, Any], Walks] | None
    """Who walks in this turn, and what their steps take; none where nobody does."""
    beside: Annotated[Mapping[str, Any], Beside] | None
    """What seats order beside their own units, where a game has any of it."""


class DeskFile(BoardPart):
    """A game whose turn is open: `games/GAME/desk.json`."""

    schema: int
    archive: str | None
    forge: ForgeWays | None
    """Where the archive lives; none if it does not say it."""
    doors: list[str]
    """How sheets may come: `pull_requests`, `issues`."""
    game: str
    folder: str
    """Where it lies in the archive: `games/NAME`."""
    title: str
    ruleset: str
    turn: str
    phase: str
    before: Before | None
    """The turn before; None in a game's first."""
    deadline: str | None
    paused: bool
    judge: bool
    """Whether the site has the judge for browsers, which checks sheets as they are written."""
    hidden: bool
    """Whether only a seat knows what is legal for it."""
    attempt: int | None
    """Which time the turn was begun, if not the first."""
    limits: Limits
    width: Annotated[Mapping[str, Any], Width]
    """How long a sealed text is."""
    recipient: str | None
    """The key that sheets are sealed to; none in a game that is not sealed."""
    seats: list[SeatEntry]
    forms: list[list[Field]]
    """The sheets' forms: of many seats it is the same."""
