"""A player's sheet, and how the orders on its lines are read. The forms of the lines are in `acts`."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.lines import Blank, Lines, Misfit
from adjudicator.core.contract.sheet import ORDER_LETTERS, StandingWords
from adjudicator.core.text.codec import field_text, record
from adjudicator.rulesets.noblesse.acts import ACTS, DAY, PARTS
from adjudicator.rulesets.noblesse.position import Option, Phase, Position
from adjudicator.rulesets.noblesse.scenario import (
    ABILITY,
    RESOURCES,
    Effect,
    Priced,
    Scenario,
    Stock,
    expand_companies,
    tables,
)
from adjudicator.rulesets.noblesse.treaties import DEMANDED, Proposal

FORM_OF: Mapping[Effect, str] = {
    "inspire": "ability on unit", "levy": "ability", "thrift": "ability", "gather": "ability", "ward": "ability at",
    "retain": "ability", "march": "ability to", "reach": "ability", "expel": "ability on post", "survey": "ability at",
    "gauge": "ability on unit", "plunder": "ability at", "win over": "ability at",
}  # fmt: skip
"""Effect of an ability with a price -> the kind of order that uses it."""
ABILITIES = frozenset(FORM_OF.values())
"""Kinds of orders that use an ability."""
FAMILY = ("pc", "heir")
ASKS = ("battle", "conquest")
OFFERS = ("marriage", "hostages", "release")
LEADERS = ("pc", "heir", "courtier")
AMOUNT = re.compile(r"([0-9]{1,4}) (\w+)")


CHOICES = ("homes", "income", "without", "unit")
"""Keys of a sheet for the choices before the start (NB-C-2)."""


@record
class Sheet(StandingWords):
    """One player's sheet for one turn: a Night, a Day, or the setup before the first Night."""

    orders: Annotated[tuple[str, ...], Choice(max_length=100)] = ()
    homes: Annotated[
        tuple[str, ...],
        Choice(max_length=20),
        field_text(
            "The first that is free becomes my Home Estate (NB-C-2, NB-C-7).",
            title="Before the start: the squares I wish for",
        ),
    ] = ()
    income: Annotated[
        Stock,
        field_text(
            "Five points, spread over influence, manpower and money (NB-E-1).",
            title="Before the start: the income of my Home",
        ),
    ] = Stock()
    without: Annotated[
        Option | None,
        field_text(
            "I cannot use it at any time in the game (NB-C-3).",
            title="Before the start: the one of my four options that I give up",
        ),
    ] = None
    unit: Annotated[
        str | None,
        field_text(
            "Such as `regiment led by pc: 2 Lancers, 3 Pikes` (NB-C-4).", title="Before the start: my first unit"
        ),
    ] = None
    treaties: Annotated[
        tuple[Proposal, ...],
        Choice(max_length=6),
        field_text(
            "A leader's proposals to other factions, each with promises, penalties and ends in the listed forms (NB-T)."
        ),
    ] = ()

    @property
    def choices(self) -> Mapping[str, object]:
        """Choices before the start, by key (NB-C-2)."""
        return {key: getattr(self, key) for key in CHOICES}

    @property
    def founding(self) -> tuple[str, ...]:
        """Choices for the setup, as lines."""
        lines = [f"Home {home}"[:40] for home in self.homes]
        lines += [f"Income {self.income}"] if self.income else []
        lines += [f"Without {self.without}"] if self.without is not None else []
        lines += [f"Unit {self.unit}"[:ORDER_LETTERS]] if self.unit is not None else []
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Order:
    """An order after reading: its kind, and the words in the blanks of its form in canonical spelling."""

    kind: str
    args: Mapping[str, str]
    number: int = 0
    """Its number among all orders of a turn, from 1, because two orders may have the same text; 0 until a resolution numbers it."""

    @property
    def line(self) -> str:
        """The order as a line in canonical spelling."""
        return ACTS.line(self.kind, self.args)

    @property
    def when(self) -> str:
        """The part of a turn that it belongs to."""
        return ACTS.by_kind[self.kind].when

    @property
    def path(self) -> tuple[str, ...]:
        """The estates that the order's path names, in order."""
        return tuple(self.args["path"].split(", "))

    @property
    def companies(self) -> tuple[str, ...]:
        """The designs to recruit, one for each company."""
        return expand_companies(tuple(self.args["companies"].split(", ")))

    @property
    def option(self) -> Priced:
        """The ability that it uses."""
        return next(name for name, price in ABILITY.items() if str(price) == self.args["ability"])

    @property
    def amounts(self) -> Stock:
        """The amounts that it gives."""
        return stock_of(self.args["amounts"])


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is not an order: what is wrong, and what would be right."""

    what: str
    right: str


def stock_of(text: str) -> Stock:
    """Read amounts such as `3 money, 2 influence`."""
    found = dict.fromkeys(RESOURCES, 0)
    for number, name in AMOUNT.findall(text):
        found[name] += int(number)
    return Stock(**found)


def blanks_of(scenario: Scenario) -> dict[str, Blank]:
    """Words that the blanks of the forms accept, from public knowledge only."""
    named, estates = tables(), scenario.estates
    together = r",| and "
    return {
        "unit": Blank(shape="U[1-9][0-9]{0,5}", such="units are called U and a number", sample="U3"),
        "treaty": Blank(shape="T[1-9][0-9]{0,5}", such="such as T417", sample="T417"),
        "estate": Blank(words=estates, such=f"estates are {estates[0]} to {estates[-1]}"),
        "path": Blank(of="estate", between=r",| then | and | to |[-&/]", sample="B2"),
        "formation": Blank(words=tuple(named.formations), loose=True),
        "building": Blank(words=tuple(named.buildings), loose=True),
        "resource": Blank(words=RESOURCES, loose=True),
        "seat": Blank(words=scenario.players, loose=True),
        "mercenaries": Blank(words=tuple(scenario.mercenaries), loose=True),
        "officer": Blank(words=tuple(scenario.officers), loose=True),
        "faction": Blank(words=tuple(scenario.factions)),
        "number": Blank(words=("1", "2", "3"), also=NUMBERS),
        "ability": Blank(words=tuple(map(str, ABILITY.values())), also={**NUMBERS, "five": "5", "eight": "8"}),
        "family": Blank(words=FAMILY),
        "ask": Blank(words=ASKS),
        "offer": Blank(words=OFFERS),
        "action": Blank(words=DEMANDED, loose=True),
        "leader": Blank(words=(*LEADERS, *scenario.officers, *scenario.companies), forms=("noble of {estate}",)),
        "company": Blank(words=(*scenario.companies, "own"), loose=True),
        "companies": Blank(of="company", between=rf"{together}|[+&]", number="[1-9][0-9]?", bare=True),
        "amounts": Blank(
            of="resource", between=rf"{together}|[+&]", number="[0-9]{1,4}", such="such as `3 money, 2 influence`"
        ),
        "target": Blank(
            forms=("steward at {estate}", "tax {resource} at {estate}", "lobby {resource} at {estate}"),
            such="such as `steward at B2`, `tax money at B2`, `lobby money at B2`",
        ),
        "text": Blank(sample="I will"),
    }


NUMBERS: Mapping[str, str] = {"one": "1", "two": "2", "three": "3"}


def _with_other_words() -> dict[str, str]:
    """Variants of each form with `at {estate}`, using `in`, `on` or no word -> the form itself."""
    return {
        act.form.replace(" at {estate}", f"{word}{{estate}}"): act.form
        for act in ACTS.acts
        if " at {estate}" in act.form
        for word in (" in ", " on ", " ")
    }


MORE: Mapping[str, str] = _with_other_words()
SAYS = r"^(?:.*?\b(?:message|tell)\b[^:]*:|.*?\bsaying:)"
"""Start of a line that carries a message; the message must stay untouched."""
AROUND: tuple[tuple[str, str], ...] = (
    (r"^\s*(?:[-*•–>]\s+|\d{1,2}[.)]\s+)", ""),
    (r"[*_`#]+", ""),
    (r"[()\[\]]", " "),
    (r"\s*(?:-+>|→|=>|➔)\s*", " to "),
    (r"\b(?:unit|regiment|brigade|division|garrison)\s+(?:number\s+)?U?\s?([0-9]+)\b", r"U\1"),
    (r"\b(?:unit|regiment|brigade|division|garrison)\s+(?=U[0-9])", ""),
    (r"\bU\s+([0-9]+)\b", r"U\1"),
    (r"\btreaty\s+T?\s?([0-9]+)\b", r"T\1"),
    (r"\b(?:estate|square)\s+(?=[A-Z]\s?[0-9])", ""),
    (r"\b([A-J])\s([0-9]{1,2})\b", r"\1\2"),
    (r"\b([0-9]+)x\s+(?=[A-Za-z])", r"\1 "),
    (r"\b(ability)\s*[#:]?\s*(?=[0-9])", r"\1 "),
    (r"\b(?:the|a|an|my|our|please)\s+(?!wells)", ""),
    (r"[\s!.;]+$", ""),
    (r"(\bU[0-9]+)\s+-\s+(?=[A-J][0-9])", r"\1 to "),
    (r"(\bU[0-9]+)\s+from\s+[A-J][0-9]+\s+to\b", r"\1 to"),
)
"""Patterns for text that people write around the words of an order, each with its replacement."""


class Reader:
    """Reads the orders of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.lines = ACTS.lines(PARTS, blanks_of(scenario), MORE, example="Move U3 to B2", around=AROUND, says=SAYS)

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # a reader lives as long as its scenario
    def read(self, text: str) -> Order | Unreadable:
        """Read a line as an order; if it is not one, return what is wrong."""
        found = self.lines.read(text)
        if isinstance(found, Misfit):
            return Unreadable(
                f"{text[:60]!r} is no order" if found.what.endswith("is no order") else found.what, found.right
            )
        form, args = found
        if "amounts" in args:
            args["amounts"] = str(stock_of(args["amounts"]))
        return Order(ACTS.kinds[form], args)

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # as above
    def written(self, text: str) -> tuple[Order | Unreadable, str]:
        """Read a line, and return the result with its canonical text; a line that is not an order keeps its text."""
        order = self.read(text)
        return order, order.line if isinstance(order, Order) else text


def lines(position: Position) -> Lines:
    """Forms of orders for the open turn; none before the first Night."""
    parts = [part for part in PARTS if (part == DAY) == (position.phase is Phase.DAY)]
    if position.phase is Phase.SETUP:
        parts = []
    return ACTS.lines(parts, blanks_of(position.settings.board), MORE, around=AROUND, says=SAYS)


def unasked(position: Position) -> tuple[str, ...]:
    """Keys of a sheet that mean nothing in the open turn: orders and treaties in the setup, choices after it (NB-C-2)."""
    return ("orders", "treaties") if position.phase is Phase.SETUP else CHOICES


_readers: dict[int, Reader] = {}
MOST_READERS = 64
"""Most readers that are cached. A long verification of many games drops them and builds them again."""


def reader_of(scenario: Scenario) -> Reader:
    """The reader of a scenario, made once because it caches the lines it has read."""
    found = _readers.get(id(scenario))
    if found is None or found.scenario is not scenario:
        if len(_readers) >= MOST_READERS:
            _readers.clear()
        found = _readers[id(scenario)] = Reader(scenario)
    return found


def read_orders(scenario: Scenario, sheet: Sheet) -> list[tuple[str, Order | Unreadable]]:
    """Each line of a sheet with its order, or with the fault that makes it unreadable."""
    reader = reader_of(scenario)
    return [(line, reader.read(line)) for line in sheet.orders]
