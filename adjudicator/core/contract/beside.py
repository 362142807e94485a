"""Orders beside those to a seat's own units: bids on units without a sole commander, and orders to people such as heirs.

The order desk offers them and counts the purse down. The ruleset gives the texts about bids and lists what is legal, so the desk
knows nothing about any game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import SeatId

AMOUNT, WISH = "{amount}", "{wish}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A unit that can be bid on, the same for every seat that may bid on it."""

    whose: str
    """Owner in a few words, such as `a Minor`."""
    wishes: tuple[str, ...]
    """Orders that it can get, each as a canonical line without the unit's name."""
    going: str = ""
    """Remark on a move of the unit, if it does not move as others do."""
    void: str = ""
    """Message for a bid on the unit by its attacker, if the attack voids the bid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """Coins that one seat bids with, and the units that it can bid on."""

    holds: int
    weights: Mapping[str, int]
    """Unit -> weight of each coin of the seat for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidding:
    """Format of bids, their field in a sheet, and the messages about them."""

    key: str
    coin: str
    """Unit of a bid: `DP`."""
    form: str
    """Template with `{amount}` and `{wish}`. The wish begins with the unit."""
    joints: tuple[str, ...]
    """Words that may separate the coin and the unit, or be left out."""
    spelt: Mapping[str, str]
    """Regular expression for the end of a wish -> its canonical spelling. Python and browsers read the expressions alike."""
    twice: str
    """Message for bids that give one `{unit}` two orders."""
    dear: str
    """Message for a bid higher than the `{left}` coins, with the `{purse}` and the total `{asked}`."""
    nothing: str
    """Message for a bid of zero or of an impossible number; `{amount}` is the number as written."""
    heavy: str
    """Note beside a number whose coins each count `{weight}`."""

    def line(self, amount: int, wish: str) -> str:
        """A bid in canonical form."""
        return self.form.replace(AMOUNT, str(amount)).replace(WISH, wish)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Orders to somebody, under a title, or the reason for their absence."""

    title: str
    orders: tuple[str, ...]
    """Orders without the person's head."""
    units: tuple[str, ...] = ()
    """The unit that each order needs a bid on; empty if they need none."""
    wish: str = ""
    """Order that the bid must give these units, without their names."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who takes orders but is not a unit, such as an heir."""

    name: str
    """Name that the seat uses for them: `My heir`."""
    head: str
    """Words that every order to them begins with."""
    groups: tuple[Group, ...]
    why: str = ""
    """Reason if no order can be given to them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Everything that seats order beside their own units in one turn."""

    bidding: Bidding | None
    """None while there is nothing to bid on."""
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    """Unit -> the orders that it can get."""
    purses: Mapping[SeatId, Purse] = field(default_factory=dict)
    persons: Mapping[SeatId, tuple[Person, ...]] = field(default_factory=dict)
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Owners of units under shared command, in words -> the orders of these units."""
