"""Bids: what the members of a table offer, out of purses of their own, for orders to units that none of them leads alone.

Who bids pays in the order of their own list. The order that most is bid for is carried out; equal orders are one, whoever bids for
them, and a tie decides nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Wish = TypeVar("Wish", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Bid(Generic[Wish]):
    """One offer: so much for this unit to do that. Wishes are one wish if they are equal."""

    bidder: str
    unit: str
    wish: Wish
    amount: int
    weight: int = 1
    """What each of the amount counts."""

    @property
    def counts(self) -> int:
        """What it adds to the sum for its wish."""
        return self.amount * self.weight


class Unpaid(StrEnum):
    """Why an offer neither counts nor costs anything."""

    CONTRADICTED = "contradicted"
    """The same bidder offers for another wish to the same unit."""
    TOO_DEAR = "too-dear"
    """More is offered than is left."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What became of one offer when it was to be paid: why it was not, if so, and what was left before it."""

    fault: Unpaid | None
    left: int


def pay(bids: Sequence[Bid[Wish]], purse: int) -> list[Payment]:
    """The payment of each of one bidder's offers, taken as they are listed.

    Offers of two wishes for one unit go first: none of them counts, so none is paid.
    """
    wishes: dict[str, set[Wish]] = {}
    for bid in bids:
        wishes.setdefault(bid.unit, set()).add(bid.wish)
    payments: list[Payment] = []
    left = purse
    for bid in bids:
        if len(wishes[bid.unit]) > 1:
            payments.append(Payment(Unpaid.CONTRADICTED, left))
        elif bid.amount > left:
            payments.append(Payment(Unpaid.TOO_DEAR, left))
        else:
            payments.append(Payment(None, left))
            left -= bid.amount
    return payments


@dataclass(frozen=True, slots=True)
class Sum(Generic[Wish]):
    """All that was bid for one wish."""

    wish: Wish
    total: int
    bids: tuple[Bid[Wish], ...]
    """By bidder, in alphabetical order."""


@dataclass(frozen=True, slots=True)
class Decision(Generic[Wish]):
    """What the bids on one unit came to, the highest sum first; those that tie stand as `decide` was told to sort them."""

    sums: tuple[Sum[Wish], ...]

    @property
    def wish(self) -> Wish | None:
        """The wish that is carried out: the one that more was bid for than for any other; None for a tie."""
        return None if self.tied else self.sums[0].wish

    @property
    def tied(self) -> bool:
        """Whether two wishes have the most."""
        return len(self.sums) > 1 and self.sums[0].total == self.sums[1].total


def decide(bids: Iterable[Bid[Wish]], names: dict[Wish, str]) -> dict[str, Decision[Wish]]:
    """Unit -> what its bids came to, for each unit that is bid on. `names` has the words of each wish, which sort those that tie."""
    by_unit: dict[str, dict[Wish, list[Bid[Wish]]]] = {}
    for bid in bids:
        by_unit.setdefault(bid.unit, {}).setdefault(bid.wish, []).append(bid)
    return {
        unit: Decision(
            tuple(
                sorted(
                    (
                        Sum(wish, sum(bid.counts for bid in offers), tuple(sorted(offers, key=lambda bid: bid.bidder)))
                        for wish, offers in wishes.items()
                    ),
                    key=lambda whole: (-whole.total, names[whole.wish]),
                )
            )
        )
        for unit, wishes in sorted(by_unit.items())
    }
