"""Prices of orders, as a table: so that the order desk can add up what a sheet takes while it is written.

They say what an order takes if it is carried out. Whether it is, and whether there is enough by then, the game judges. `sum_of` is
what the table says; the browser is held to it, and the table to what the game takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any

from adjudicator.core.contract.lines import Lines, Misfit
from adjudicator.core.contract.said import Said

Amounts = Mapping[str, int]
"""Thing -> how many of it: `money` -> 3."""
COUNTED = re.compile(r"(?:([0-9]+) )?(.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What an order of one form takes: a fixed part, and parts that hang on what stands in its blanks."""

    fixed: Amounts = field(default_factory=dict)
    by: Mapping[str, Mapping[str, Amounts]] = field(default_factory=dict)
    """Blank -> word -> amounts, as often as the word stands there: `2 Pikes` twice; the empty word is any other."""
    thing: str = ""
    """What `shares` add up to."""
    per: int = 1
    """How many shares are one of the thing; what is left over counts as one."""
    shares: Mapping[str, Amounts] = field(default_factory=dict)
    """Blank -> word -> shares, as often as the word stands there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a seat has when a turn opens, and what its orders take of it."""

    purse: Amounts
    forms: Mapping[str, Annotated[Price, Said(Price)]]
    """Form of orders -> its price; other forms take nothing."""
    note: str
    """What the sum leaves out, in a sentence."""


def plain_prices(prices: Prices) -> dict[str, Any]:
    """Prices as the desk reads them: of a form's price only what it has."""
    forms = {
        form: {key: value for key, value in asdict(price).items() if value and (key, value) != ("per", 1)}
        for form, price in prices.forms.items()
    }
    return {"purse": dict(prices.purse), "forms": forms, "note": prices.note}


def words_in(text: str) -> Iterable[tuple[int, str]]:
    """The words that stand in a blank, each with how often: `2 Pikes, Lancers` has two and one."""
    for part in text.split(", "):
        counted = COUNTED.fullmatch(part)
        assert counted is not None, "every part has a word"
        yield int(counted[1] or 1), counted[2]


def price_of(price: Price, blanks: Mapping[str, str]) -> dict[str, int]:
    """What an order takes whose blanks are filled like this: thing -> number, none that is 0."""
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
    """What these orders take together, of the things in the purse; an order that cannot be read takes nothing."""
    total = dict.fromkeys(prices.purse, 0)
    for order in orders:
        reading = lines.read(order)
        if isinstance(reading, Misfit) or reading[0] not in prices.forms:
            continue
        for thing, number in price_of(prices.forms[reading[0]], reading[1]).items():
            total[thing] = total.get(thing, 0) + number
    return total
