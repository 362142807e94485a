"""Orders other than those to a seat's own units: bids on units without a sole commander, and orders to people such as heirs.

The order desk offers them and counts down the purse. The ruleset provides the messages about bids and lists what is legal, so the desk
need not know any game.
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
    """Orders that it can be given, each as a canonical line without the unit's name."""
    going: str = ""
    """Remark on a move of the unit, if it does not move as others do."""
    void: str = ""
    """Message for a bid on the unit by its attacker, if the attack voids the bid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Purse:
    """Coins that one seat bids with, and the units that it can bid on."""

    holds: int
    weights: Mapping[str, int]
    """Unit -> weight of each coin that the seat bids on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bidding:
    """Format of bids, their field in a sheet, and the messages about them."""

    key: str
    coin: str
    """Unit of a bid: `DP`."""
    form: str
    """Template with `{amount}` and `{wish}`. The wish begins with the unit."""
    joints: tuple[str, ...]
    """Words that people may write between the coin and the unit."""
    spelt: Mapping[str, str]
    """Regular expression for the end of a wish -> its canonical spelling. Python and browsers read the expressions alike."""
    twice: str
    """Message for bids that give one `{unit}` two orders."""
    dear: str
    """Message for a bid of more coins than the seat has left. Its blanks are `{left}`, the whole `{purse}` and the total `{asked}`."""
    nothing: str
    """Message for a bid of zero or of an impossible number; `{amount}` is the number as written."""
    heavy: str
    """Note beside a number of coins that each count as `{weight}`."""

    def line(self, amount: int, wish: str) -> str:
        """A bid in canonical form."""
        return self.form.replace(AMOUNT, str(amount)).replace(WISH, wish)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Orders to somebody, under a title, or the reason why there are none."""

    title: str
    orders: tuple[str, ...]
    """Orders without the person's `head`."""
    units: tuple[str, ...] = ()
    """For each order, the unit that must be bid on; empty if no order needs a bid."""
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
    """Reason why they can be given no order; empty if they can be given some."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Everything that seats can give orders about in one turn, besides their own units."""

    bidding: Bidding | None
    """None while there is nothing to bid on."""
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    """Unit -> the orders that it can be given."""
    purses: Mapping[SeatId, Purse] = field(default_factory=dict)
    persons: Mapping[SeatId, tuple[Person, ...]] = field(default_factory=dict)
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words for the owners of units under shared command -> orders that these units can be given."""
