"""Prices of orders as a table, so that the order desk can add up the cost of a sheet while it is being written.

A price is the cost of an order that is carried out. The game judges whether it is carried out, and whether the seat can still pay.
Tests compare the browser's sums with `sum_of`, and the table with the costs in the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from adjudicator.core.contract.lines import Lines, Misfit
from adjudicator.core.contract.said import Said

Amounts = Mapping[str, int]
"""Thing -> quantity: `money` -> 3."""
COUNTED = re.compile(r"(?:([0-9]+) )?(.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Cost of an order of one form: a fixed part, and parts that depend on the words in its blanks."""

    fixed: Amounts = field(default_factory=dict)
    by: Mapping[str, Mapping[str, Amounts]] = field(default_factory=dict)
    """Blank -> word -> amounts, for each time that the word occurs: twice for `2 Pikes`. The empty word means any other."""
    thing: str = ""
    """The thing that is paid for `shares`."""
    per: int = 1
    """Number of shares that cost one `thing`; a remainder costs one more."""
    shares: Mapping[str, Amounts] = field(default_factory=dict)
    """Blank -> word -> shares, for each time that the word occurs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Resources of a seat when a turn opens, and the prices of its orders."""

    purse: Amounts
    forms: Mapping[str, Annotated[Price, Said(Price)]]
    """Form of orders -> its price; other forms cost nothing."""
    note: str
    """Sentence about costs that the sum leaves out."""


def plain_prices(prices: Prices) -> dict[str, Any]:
    """Convert prices to the data that the desk reads, with only the parts that each form's price has."""
    forms = {
        form: {key: value for key, value in asdict(price).items() if value and (key, value) != ("per", 1)}
        for form, price in prices.forms.items()
    }
    return {"purse": dict(prices.purse), "forms": forms, "note": prices.note}


def words_in(text: str) -> Iterable[tuple[int, str]]:
    """The words in a blank, each with its count: `2 Pikes, Lancers` has two and one."""
    for part in text.split(", "):
        counted = COUNTED.fullmatch(part)
        assert counted is not None, "every part has a word"
        yield int(counted[1] or 1), counted[2]


def price_of(price: Price, blanks: Mapping[str, str]) -> dict[str, int]:
    """Cost of an order with these values in its blanks: thing -> number, without zeros."""
    total = dict(price.fixed)
    for blank, words in price.by.items():
        for times, word in words_in(blanks[blank]):
            for thing, number in words.get(word, words.get("", {})).items():
                total[thing] = total.get(thing, 0) + times * number
    shares = sum(
        times * words.get(word, 0) for blank, words in price.shares.items() for times, word in words_in(blanks[blank])
    )
    if shares:
        total[price.thing] = total.get(price.thing, 0) - -shares // price.per
    return {thing: number for thing, number in total.items() if number}


def sum_of(prices: Prices, lines: Lines, orders: Iterable[str]) -> dict[str, int]:
    """Cost of these orders together, for each thing in the purse. An order that cannot be read costs nothing."""
    total = dict.fromkeys(prices.purse, 0)
    for order in orders:
        reading = lines.read(order)
        if isinstance(reading, Misfit) or reading[0] not in prices.forms:
            continue
        for thing, number in price_of(prices.forms[reading[0]], reading[1]).items():
            total[thing] = total.get(thing, 0) + number
    return total
