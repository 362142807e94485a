"""What a seat orders beside its own units: bids on units that nobody leads alone, and those who are ordered and are no unit.

The order desk offers them, and counts the purse down. What it says of a bid are the ruleset's own words; what is legal is listed, so
nothing of a game stands in the desk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import SeatId

AMOUNT, WISH = "{amount}", "{wish}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A unit that can be bid on, the same for every seat that may."""

    whose: str
    """In a few words, as `a Minor`."""
    wishes: tuple[str, ...]
    """What it can be told, each as a canonical line without the unit's name."""
    going: str = ""
    """What is said of a move of it, if it does not go as others do."""
    void: str = ""
    """Said of a bid on it by whoever attacks it, if that makes the bid void."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """What one seat bids with, and on which units."""

    holds: int
    weights: Mapping[str, int]
    """Unit -> what each coin of the seat counts for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidding:
    """How bids are written, in which field of a sheet, and what is said of them."""

    key: str
    coin: str
    """What is bid: `DP`."""
    form: str
    """With `{amount}` and `{wish}`; the wish begins with the unit."""
    joints: tuple[str, ...]
    """What may stand between the coin and the unit, or be left out."""
    spelt: Mapping[str, str]
    """How the end of a wish may be spelt, as regular expressions that Python and browsers read alike -> how the game writes it."""
    twice: str
    """Said of bids that tell one `{unit}` two things."""
    dear: str
    """Said of a bid of more than is `{left}`, of the `{purse}` and of all that is `{asked}`."""
    nothing: str
    """Said of a bid of nothing: `{amount}` is what it says."""
    heavy: str
    """Said beside a number that counts more than itself, by its `{weight}`."""

    def line(self, amount: int, wish: str) -> str:
        """A bid as the game writes it."""
        return self.form.replace(AMOUNT, str(amount)).replace(WISH, wish)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Orders of somebody, under a title; why there are none, if so."""

    title: str
    orders: tuple[str, ...]
    """Each without its head."""
    units: tuple[str, ...] = ()
    """The unit of each order that has to be bid on with it; none if that is not so."""
    wish: str = ""
    """What these units have to be told, without their names."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is ordered and is no unit, such as an heir."""

    name: str
    """As the seat calls them: `My heir`."""
    head: str
    """What every order of theirs begins with."""
    groups: tuple[Group, ...]
    why: str = ""
    """Why there is no order for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """All that the seats order beside their own units in one turn."""

    bidding: Bidding | None
    """None while nothing can be bid."""
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    """Unit -> what it can be told."""
    purses: Mapping[SeatId, Purse] = field(default_factory=dict)
    persons: Mapping[SeatId, tuple[Person, ...]] = field(default_factory=dict)
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Whose units they are that a seat commands with others -> the orders of these units."""


def bids_for(beside: Beside, seat: SeatId) -> Iterator[str]:
    """Every bid of one coin that the desk can write for a seat."""
    purse = beside.purses.get(seat)
    if beside.bidding is None or purse is None:
        return
    for unit in purse.weights:
        for wish in beside.pieces[unit].wishes:
            yield beside.bidding.line(1, f"{unit} {wish}")
