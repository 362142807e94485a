"""What a sheet may ask for, and how people write it: one short line an order.

Each kind of order has a form, and the form does everything: it reads what people write (case and spaces do not matter), it
writes the canonical line, and it is what a fault shows as right.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.lines import Blank, Lines, Misfit, fill_form
from adjudicator.core.contract.sheet import ORDER_LETTERS, StandingWords
from adjudicator.core.text.codec import field_text, record
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

MOVEMENT, ACTION, RECRUITING, POSTING, SHARING, DAY = "movement", "action", "recruiting", "posting", "sharing", "day"

FORMS: Mapping[str, tuple[str, str]] = {
    # Night: units (steps 2 and 5).
    "move": (MOVEMENT, "Move {unit} to {path}"),
    "challenge": (MOVEMENT, "Move {unit} to {path} asking {ask}"),
    "march": (MOVEMENT, "March {unit} to {estate}"),
    "recruit": (RECRUITING, "Recruit {formation} at {estate} led by {leader}: {companies}"),
    "disband": (RECRUITING, "Disband {unit}"),
    "hire": (RECRUITING, "Hire {mercenaries} for {seat}"),
    # Night: actions (steps 3 and 4).
    "ability": (ACTION, "Ability {ability}"),
    "ability on unit": (ACTION, "Ability {ability} on {unit}"),
    "ability on post": (ACTION, "Ability {ability} on {target}"),
    "ability at": (ACTION, "Ability {ability} at {estate}"),
    "ability to": (ACTION, "Ability {ability} on {unit} to {estate}"),
    "open city": (ACTION, "Open city at {estate}"),
    "noble": (ACTION, "Create noble at {estate}"),
    "marriage": (ACTION, "Offer marriage to {seat}"),
    "heir": (ACTION, "Create heir"),
    "hostages": (ACTION, "Offer hostages to {seat}"),
    "release": (ACTION, "Release hostages with {seat}"),
    "surgeon": (ACTION, "Field surgeon"),
    "arson": (ACTION, "Arson at {estate} on {building}"),
    "bribery": (ACTION, "Bribery at {estate} for {resource}"),
    "poison": (ACTION, "Poison the wells at {estate}"),
    "assassin": (ACTION, "Assassin on {seat}"),
    "incapacitate": (ACTION, "Incapacitate {unit}"),
    "knife": (ACTION, "Knife at {estate} for {seat}"),
    "build": (ACTION, "Build {building} at {estate}"),
    # Night: Courtiers and family (step 8).
    "tax": (POSTING, "Tax {resource} at {estate}"),
    "lobby": (POSTING, "Lobby {resource} at {estate}"),
    "steward": (POSTING, "Steward at {estate}"),
    "hand": (POSTING, "Hand {estate} to heir"),
    "staff": (POSTING, "Staff {building} at {estate}"),
    "spy": (POSTING, "Spy from {estate} to {path}"),
    "lead": (POSTING, "Lead {unit} with {family}"),
    "leave": (POSTING, "Leave {unit}"),
    "recall tax": (POSTING, "Recall tax {resource} at {estate}"),
    "recall lobby": (POSTING, "Recall lobby {resource} at {estate}"),
    "recall staff": (POSTING, "Recall staff {building} at {estate}"),
    "recall spy": (POSTING, "Recall spy at {estate}"),
    "message": (POSTING, "Message to {seat}: {text}"),
    # Night: the leader's sharing (step 9).
    "share": (SHARING, "Share {amounts} with {seat}"),
    "pay": (SHARING, "Pay {amounts} to {faction}"),
    # Day.
    "vote": (DAY, "Vote {seat}"),
    "vote night": (DAY, "Vote night"),
    "accept": (DAY, "Accept {offer} of {seat}"),
    "refuse": (DAY, "Refuse {offer} of {seat}"),
    "successor": (DAY, "Successor {seat}"),
    "give": (DAY, "Give {officer} to {seat}"),
    "sign": (DAY, "Sign {treaty}"),
    "sign with": (DAY, "Sign {treaty} saying: {text}"),
    "withdraw": (DAY, "Withdraw {treaty}"),
    "declare": (DAY, "Declare end of {treaty}"),
    "report": (DAY, "Report {treaty} promise {number}"),
    "concede": (DAY, "Concede {treaty} promise {number}"),
    "choose": (DAY, "Choose {action} on {seat} under {treaty}"),
}  # fmt: skip
"""Kind of order -> when it is worked out, and its form."""

PARTS: Mapping[str, str] = {
    MOVEMENT: "Movement of units",
    RECRUITING: "Recruiting",
    ACTION: "Actions",
    POSTING: "Courtiers and family",
    SHARING: "The leader’s sharing",
    DAY: "The Day",
}
"""When orders are worked out -> what they are called together."""
ONCE: Mapping[str, tuple[str, ...]] = {
    FORMS[kind][1]: key
    for kinds, key in (
        (("move", "challenge"), ("move", "unit")),
        (("vote", "vote night"), ("vote",)),
        (("sign", "sign with"), ("sign", "treaty")),
        (("accept", "refuse"), ("answer", "offer", "seat")),
    )
    for kind in kinds
}
"""Forms of orders of which a sheet may hold one, such as two votes; any other line may not stand there twice."""
FORM_OF: Mapping[Effect, str] = {
    "inspire": "ability on unit", "levy": "ability", "thrift": "ability", "gather": "ability", "ward": "ability at",
    "retain": "ability", "march": "ability to", "reach": "ability", "expel": "ability on post", "survey": "ability at",
    "gauge": "ability on unit", "plunder": "ability at", "win over": "ability at",
}  # fmt: skip
"""What an ability with a price does -> the kind of order that uses it."""
ABILITIES = frozenset(FORM_OF.values())
"""Orders that use an ability."""
FAMILY = ("pc", "heir")
ASKS = ("battle", "conquest")
OFFERS = ("marriage", "hostages", "release")
LEADERS = ("pc", "heir", "courtier")
AMOUNT = re.compile(r"([0-9]{1,4}) (\w+)")


CHOICES = ("homes", "income", "without", "unit")
"""What is chosen before the start (NB-C-2)."""


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
            "Five points over influence, manpower and money (NB-E-1).", title="Before the start: the income of my Home"
        ),
    ] = Stock()
    without: Annotated[
        Option | None,
        field_text(
            "It cannot be used for the whole game (NB-C-3).",
            title="Before the start: which of my four options I do without",
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
            "A leader's proposals to other factions, each with promises, penalties and ends by the listed forms (NB-T)."
        ),
    ] = ()

    @property
    def choices(self) -> Mapping[str, object]:
        """What is chosen before the start, by key (NB-C-2)."""
        return {key: getattr(self, key) for key in CHOICES}

    @property
    def founding(self) -> tuple[str, ...]:
        """What is said for the setup alone, as lines."""
        lines = [f"Home {home}"[:40] for home in self.homes]
        lines += [f"Income {self.income}"] if self.income else []
        lines += [f"Without {self.without}"] if self.without is not None else []
        lines += [f"Unit {self.unit}"[:ORDER_LETTERS]] if self.unit is not None else []
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Order:
    """An order as it was read: its kind, and what fills the blanks of its form, canonically written."""

    kind: str
    args: Mapping[str, str]
    number: int = 0
    """Its number among all orders of a turn that is worked out, from 1: two may read the same."""

    @property
    def line(self) -> str:
        """The order as people write it."""
        return fill_form(FORMS[self.kind][1], self.args)

    @property
    def when(self) -> str:
        """Which part of a turn it belongs to."""
        return FORMS[self.kind][0]

    @property
    def path(self) -> tuple[str, ...]:
        """The estates of a way, in order."""
        return tuple(self.args["path"].split(", "))

    @property
    def companies(self) -> tuple[str, ...]:
        """The designs to recruit, one for each company."""
        return expand_companies(tuple(self.args["companies"].split(", ")))

    @property
    def option(self) -> Priced:
        """Which of the abilities it uses."""
        return next(name for name, price in ABILITY.items() if str(price) == self.args["ability"])

    @property
    def amounts(self) -> Stock:
        """What is shared."""
        return stock_of(self.args["amounts"])


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no order: what is wrong, and what would be right."""

    what: str
    right: str


def stock_of(text: str) -> Stock:
    """`3 money, 2 influence` as amounts."""
    found = dict.fromkeys(RESOURCES, 0)
    for number, name in AMOUNT.findall(text):
        found[name] += int(number)
    return Stock(**found)


def blanks_of(scenario: Scenario) -> dict[str, Blank]:
    """What may stand in the blanks of the forms, as everybody knows it."""
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
OWN_NAMES: Mapping[str, str] = {
    "{unit} to {path}": "Move {unit} to {path}",
    "{unit} moves to {path}": "Move {unit} to {path}",
    "Move {unit} {path}": "Move {unit} to {path}",
    "{unit} to {path} asking {ask}": "Move {unit} to {path} asking {ask}",
    "Move {unit} to {path} asking for {ask}": "Move {unit} to {path} asking {ask}",
    "Move {unit} to {path}, asking {ask}": "Move {unit} to {path} asking {ask}",
    "Forced march {unit} to {estate}": "March {unit} to {estate}",
    "Force march {unit} to {estate}": "March {unit} to {estate}",
    "Use ability {ability}": "Ability {ability}",
    "Tax collector for {resource} at {estate}": "Tax {resource} at {estate}",
    "Tax collector {resource} at {estate}": "Tax {resource} at {estate}",
    "Collect {resource} at {estate}": "Tax {resource} at {estate}",
    "TC {resource} at {estate}": "Tax {resource} at {estate}",
    "Lobbyist for {resource} at {estate}": "Lobby {resource} at {estate}",
    "Lobbyist {resource} at {estate}": "Lobby {resource} at {estate}",
    "Lobby for {resource} at {estate}": "Lobby {resource} at {estate}",
    "Steward to {estate}": "Steward at {estate}",
    "Make {estate} an open city": "Open city at {estate}",
    "Declare {estate} an open city": "Open city at {estate}",
    "Political marriage with {seat}": "Offer marriage to {seat}",
    "Political marriage to {seat}": "Offer marriage to {seat}",
    "Marry {seat}": "Offer marriage to {seat}",
    "Marriage with {seat}": "Offer marriage to {seat}",
    "Propose marriage to {seat}": "Offer marriage to {seat}",
    "Exchange hostages with {seat}": "Offer hostages to {seat}",
    "Hired assassin on {seat}": "Assassin on {seat}",
    "Assassinate {seat}": "Assassin on {seat}",
    "Poison wells at {estate}": "Poison the wells at {estate}",
    "Poison at {estate}": "Poison the wells at {estate}",
    "Knife in the back at {estate} for {seat}": "Knife at {estate} for {seat}",
    "Send message to {seat}: {text}": "Message to {seat}: {text}",
    "Message {seat}: {text}": "Message to {seat}: {text}",
    "Tell {seat}: {text}": "Message to {seat}: {text}",
    "Vote for {seat}": "Vote {seat}",
    "Vote: {seat}": "Vote {seat}",
    "Lynch {seat}": "Vote {seat}",
    "Vote to lynch {seat}": "Vote {seat}",
    "I vote {seat}": "Vote {seat}",
    "I vote for {seat}": "Vote {seat}",
    "Vote for night": "Vote night",
    "Vote no lynch": "Vote night",
    "No lynch": "Vote night",
    "Accept {seat}'s {offer}": "Accept {offer} of {seat}",
    "Accept {offer} from {seat}": "Accept {offer} of {seat}",
    "Accept {offer} with {seat}": "Accept {offer} of {seat}",
    "Refuse {seat}'s {offer}": "Refuse {offer} of {seat}",
    "Refuse {offer} from {seat}": "Refuse {offer} of {seat}",
    "Refuse {offer} with {seat}": "Refuse {offer} of {seat}",
    "Successor: {seat}": "Successor {seat}",
    "Give {amounts} to {seat}": "Share {amounts} with {seat}",
    "Share {amounts} to {seat}": "Share {amounts} with {seat}",
    "Give {seat} {amounts}": "Share {amounts} with {seat}",
    "Sign treaty {treaty}": "Sign {treaty}",
    "Sign {treaty}: {text}": "Sign {treaty} saying: {text}",
    "End {treaty}": "Declare end of {treaty}",
    "Declare end {treaty}": "Declare end of {treaty}",
    "Withdraw from {treaty}": "Withdraw {treaty}",
}
"""Other forms, of the source and of people -> the forms that they mean."""


def _with_other_words() -> dict[str, str]:
    """`OWN_NAMES`, and each form that says where with `in`, `on`, or without a word for it."""
    variants = dict(OWN_NAMES)
    for _, form in FORMS.values():
        if " at {estate}" in form:
            for word in (" in ", " on ", " "):
                variants.setdefault(form.replace(" at {estate}", f"{word}{{estate}}"), form)
    return variants


ALSO: Mapping[str, str] = _with_other_words()
SAYS = r"^(?:.*?\b(?:message|tell)\b[^:]*:|.*?\bsaying:)"
"""The head of a line that says something, which is nobody's to touch."""
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
"""What people write around the words of an order, and what stays of it."""


class Reader:
    """Reads the orders of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        forms = tuple(form for _, form in FORMS.values())
        self.lines = Lines({"": forms}, blanks_of(scenario), ONCE, "Move U3 to B2", also=ALSO, around=AROUND, says=SAYS)
        self.kinds = {form: kind for kind, (_, form) in FORMS.items()}

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # a reader lives as long as its scenario
    def read(self, text: str) -> Order | Unreadable:
        """A line as an order; else what is wrong with it."""
        found = self.lines.read(text)
        if isinstance(found, Misfit):
            return Unreadable(
                f"{text[:60]!r} is no order" if found.what.endswith("is no order") else found.what, found.right
            )
        form, args = found
        if "amounts" in args:
            args["amounts"] = str(stock_of(args["amounts"]))
        return Order(self.kinds[form], args)

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # as above
    def written(self, text: str) -> tuple[Order | Unreadable, str]:
        """A line as an order, and as that is written canonically; what is no order as it is."""
        order = self.read(text)
        return order, order.line if isinstance(order, Order) else text


def lines(position: Position) -> Lines:
    """The forms of orders for the turn that waits: none before the first Night."""
    forms: dict[str, tuple[str, ...]] = {}
    for when, title in PARTS.items():
        if position.phase is not Phase.SETUP and (when == DAY) == (position.phase is Phase.DAY):
            forms[title] = tuple(form for at, form in FORMS.values() if at == when)
    named = {form for some in forms.values() for form in some}
    once = {form: key for form, key in ONCE.items() if form in named}
    also = {other: form for other, form in ALSO.items() if form in named}
    return Lines(forms, blanks_of(position.settings.board), once, also=also, around=AROUND, says=SAYS)


def unasked(position: Position) -> tuple[str, ...]:
    """The keys of a sheet that mean nothing in the turn that waits: of the setup, or of every later turn (NB-C-2)."""
    return ("orders", "treaties") if position.phase is Phase.SETUP else CHOICES


_readers: dict[int, Reader] = {}
MOST_READERS = 64
"""Scenarios that are remembered; a long verification of many games forgets, and reads again."""


def reader_of(scenario: Scenario) -> Reader:
    """The reader of a scenario; made once, for it knows its lines by heart."""
    found = _readers.get(id(scenario))
    if found is None or found.scenario is not scenario:
        if len(_readers) >= MOST_READERS:
            _readers.clear()
        found = _readers[id(scenario)] = Reader(scenario)
    return found


def read_orders(scenario: Scenario, sheet: Sheet) -> list[tuple[str, Order | Unreadable]]:
    """Each line of a sheet with what it means."""
    reader = reader_of(scenario)
    return [(line, reader.read(line)) for line in sheet.orders]
