"""Powers with two commanders: choose one of their orders for each unit, and merge their lists of builds and removals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Order = TypeVar("Order", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Chosen(Generic[Order]):
    """The order that applies, and the commanders who gave it."""

    order: Order
    by: tuple[str, ...]


def choose(
    first: tuple[str, Order | None], second: tuple[str, Order | None], is_legal: Callable[[Order], bool]
) -> Chosen[Order] | None:
    """Choose between two commanders' orders for one unit; None if neither gave one.

    A single order applies. Of two, the legal one applies; if both are legal, or neither is, the first commander's does.
    """
    given = [(who, order) for who, order in (first, second) if order is not None]
    if not given:
        return None
    if len(given) == 2 and given[0][1] == given[1][1]:
        return Chosen(given[0][1], (first[0], second[0]))
    who, order = next(((who, order) for who, order in given if is_legal(order)), given[0])
    return Chosen(order, (who,))


def merge(
    first: tuple[str, Sequence[Order]], second: tuple[str, Sequence[Order]]
) -> list[tuple[Order, tuple[str, ...]]]:
    """Merge both commanders' orders into one list, each with those who gave it: the first commander's orders, then the rest.

    An order that both gave is listed once, for both; if both gave it twice, it is listed twice.
    """
    left: dict[Order, int] = {}
    for order in second[1]:
        left[order] = left.get(order, 0) + 1
    merged: list[tuple[Order, tuple[str, ...]]] = []
    for order in first[1]:
        both = left.get(order, 0) > 0
        if both:
            left[order] -= 1
        merged.append((order, (first[0], second[0]) if both else (first[0],)))
    return [*merged, *((order, (second[0],)) for order in _last(second[1], left))]


def _last(orders: Sequence[Order], count: Mapping[Order, int]) -> list[Order]:
    """The last `count[order]` copies of each order, in the sequence of the list."""
    left = dict(count)
    kept: list[Order] = []
    for order in reversed(orders):
        if left.get(order, 0) > 0:
            left[order] -= 1
            kept.append(order)
    return kept[::-1]
