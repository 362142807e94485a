"""Bids: players offer amounts from their purses for orders to units that they lead together.

A bidder's offers are paid in the sequence of their list. The order with the highest sum is carried out. Bids for the same order add up,
whoever makes them. A tie decides nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Wish = TypeVar("Wish", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Bid(Generic[Wish]):
    """An amount offered for a wish: an order that the bidder wants the unit to carry out. Offers for equal wishes add up."""

    bidder: str
    unit: str
    wish: Wish
    amount: int
    weight: int = 1
    """The amount counts this many times."""

    @property
    def counts(self) -> int:
        """The bid's contribution to the sum for its wish."""
        return self.amount * self.weight


class Unpaid(StrEnum):
    """Reason why an offer neither counts nor costs anything."""

    CONTRADICTED = "contradicted"
    """The same bidder also bids on the same unit for a different wish."""
    TOO_DEAR = "too-dear"
    """The offer is more than is left in the purse."""


@dataclass(frozen=True, slots=True)
class Payment:
    """The result for one offer: `fault` is the reason if it was not paid, and `left` is what the purse held before it."""

    fault: Unpaid | None
    left: int


def pay(bids: Sequence[Bid[Wish]], purse: int) -> list[Payment]:
    """Pay one bidder's offers from the purse, in the sequence of their list.

    If offers on one unit have different wishes, none of them counts or is paid.
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
    """All bids on a unit for one wish, and their total."""

    wish: Wish
    total: int
    bids: tuple[Bid[Wish], ...]
    """Sorted by bidder."""


@dataclass(frozen=True, slots=True)
class Decision(Generic[Wish]):
    """The result of the bids on one unit: the sums for its wishes, highest first. `decide` sorts equal sums by name."""

    sums: tuple[Sum[Wish], ...]

    @property
    def wish(self) -> Wish | None:
        """The wish with the highest sum, which is carried out; None if there is a tie."""
        return None if self.tied else self.sums[0].wish

    @property
    def tied(self) -> bool:
        """True if two or more wishes share the highest sum."""
        return len(self.sums) > 1 and self.sums[0].total == self.sums[1].total


def decide(bids: Iterable[Bid[Wish]], names: dict[Wish, str]) -> dict[str, Decision[Wish]]:
    """Unit -> the result of its bids, for each unit with bids. `names` gives each wish a name, which sorts equal sums."""
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
