"""One round of the auction: proxy bids (HA-W-19), then everybody's choice from the row (HA-D).

A sheet gives the most that its player will pay to choose first, and the open auction is played out from that, bid by bid. There are no jump bids:
a player who would pay up to some amount loses nothing by raising as little as possible.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.heir_apparent.titles import Character


@dataclass(frozen=True, slots=True)
class Said:
    """A player's bid at their chance; None if they passed and were out (HA-D-7)."""

    seat: SeatId
    bid: int | None


@dataclass(frozen=True, slots=True)
class Bidding:
    """The course of the bidding: all bids and passes in order, the winner, and the price (HA-D-8, HA-D-13)."""

    said: tuple[Said, ...]
    winner: SeatId
    price: int


def bidding(
    ring: Sequence[SeatId], right: SeatId, most: Mapping[SeatId, int | None], favor: Mapping[SeatId, int]
) -> Bidding:
    """Play out the bidding among all seats, clockwise from the holder of the Right of First Bid.

    `most` is the most that each will pay, or None to pass at once; nobody bids more than their favor (HA-D-10). A seat without an entry
    passes. If nobody bids, the holder of the right wins for nothing, and no bid is recorded (HA-D-12).
    """
    first = ring.index(right)
    order = [*ring[first:], *ring[:first]]
    caps = {seat: -1 if (cap := most.get(seat)) is None else min(cap, favor[seat]) for seat in order}
    inside, said = list(order), list[Said]()
    high, leader = -1, None
    while inside and inside != [leader]:
        for seat in order:
            if seat not in inside or seat == leader or inside == [leader]:
                continue
            if high + 1 <= caps[seat]:
                high, leader = high + 1, seat
                said.append(Said(seat, high))
            else:
                inside.remove(seat)
                said.append(Said(seat, None))
    return Bidding(tuple(said), leader or right, max(high, 0))


@dataclass(frozen=True, slots=True)
class Choice:
    """The character that each player took, clockwise from the winner, and those that were discarded (HA-D-14)."""

    taken: Mapping[SeatId, str]
    discarded: tuple[str, ...]
    right: SeatId
    """The seat that chose last. It has the Right of First Bid in the next round (HA-D-16)."""


def choose(
    ring: Sequence[SeatId], winner: SeatId, row: Collection[Character], wishes: Mapping[SeatId, Sequence[str]]
) -> Choice:
    """Let everybody choose from the row: their first wish that is still there, or the first character in the default order (HA-D-15).

    Wishes for characters outside the row are skipped (HR-28).
    """
    first = ring.index(winner)
    left = [character.id for character in sorted(row, key=by_default)]
    taken: dict[SeatId, str] = {}
    for seat in (*ring[first:], *ring[:first]):
        taken[seat] = next((wish for wish in wishes.get(seat, ()) if wish in left), left[0])
        left.remove(taken[seat])
    return Choice(taken, tuple(sorted(left)), ring[first - 1])


def by_default(character: Character) -> tuple[int, str]:
    """Sort key of the default order: by the sum of both ratings, highest first, then by name (HR-29)."""
    return -character.politics - character.combat, character.name
