"""What a sheet may ask for, and how people write it: one short line an order.

Each kind of order has a form, and the form does everything: it reads what people write (case and spaces do not matter), it
writes the canonical line, and it is what a fault shows as right.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.codec import Flag, record
from adjudicator.core.problems import nearest
from adjudicator.rulesets.noblesse.position import Option
from adjudicator.rulesets.noblesse.scenario import ABILITY, RESOURCES, Priced, Scenario, Stock, counted, tables
from adjudicator.rulesets.noblesse.treaties import Proposal

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
    "inspire": (ACTION, "Ability {ability} on {unit}"),
    "levy": (ACTION, "Ability {ability}"),
    "expel": (ACTION, "Ability {ability} on {target}"),
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
}  # fmt: skip
"""Kind of order -> when it is worked out, and its form."""

ABILITIES = frozenset({"inspire", "levy", "expel"})
"""Orders that use an ability; each is of the kind that the ability's effect is."""
FAMILY = ("pc", "heir")
ASKS = ("battle", "conquest")
OFFERS = ("marriage", "hostages", "release")
LEADERS = ("pc", "heir", "courtier")
FIELD = re.compile(r"\{(\w+)\}")
UNIT = re.compile(r"U[1-9][0-9]{0,5}")
TREATY = re.compile(r"T[1-9][0-9]{0,5}")
AMOUNT = re.compile(r"([0-9]{1,4}) (\w+)")


@record
class Sheet:
    """One player's sheet for one turn: a Night, a Day, or the setup before the first Night."""

    orders: Annotated[tuple[str, ...], Choice(max_length=100)] = ()
    homes: Annotated[tuple[str, ...], Choice(max_length=20)] = ()
    """Before the start: the squares I wish for. The first that is free becomes my Home Estate (NB-C-2, NB-C-7)."""
    income: Stock = Stock()
    """Before the start: the income of my Home. Five points over influence, manpower and money (NB-E-1)."""
    without: Option | None = None
    """Before the start: which of my four options I do without. It cannot be used for the whole game (NB-C-3)."""
    unit: str | None = None
    """Before the start: my first unit. Such as `regiment led by pc: 2 Lancers, 3 Pikes` (NB-C-4)."""
    treaties: Annotated[tuple[Proposal, ...], Choice(max_length=6)] = ()
    """A leader's proposals to other factions, each with promises, penalties and ends by the listed forms (NB-T)."""
    final: Flag = False
    standing: Flag = False

    @property
    def founding(self) -> tuple[str, ...]:
        """What is said for the setup alone, as lines."""
        lines = [f"Home {home}"[:40] for home in self.homes]
        lines += [f"Income {self.income}"] if self.income else []
        lines += [f"Without {self.without}"] if self.without is not None else []
        lines += [f"Unit {self.unit}"[:200]] if self.unit is not None else []
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Order:
    """An order as it was read: its kind, and what fills the blanks of its form, canonically written."""

    kind: str
    args: Mapping[str, str]

    @property
    def line(self) -> str:
        """The order as people write it."""
        return FIELD.sub(lambda blank: self.args[blank[1]], FORMS[self.kind][1])

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
        return counted(tuple(self.args["companies"].split(", ")))

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


class Reader:
    """Reads the orders of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.estates = frozenset(scenario.estates)
        named = tables()
        self.words: dict[str, tuple[str, ...]] = {
            "formation": tuple(named.formations),
            "building": tuple(named.buildings),
            "resource": RESOURCES,
            "seat": scenario.players,
            "mercenaries": tuple(scenario.mercenaries),
            "officer": tuple(scenario.officers),
            "faction": tuple(scenario.factions),
            "number": ("1", "2", "3"),
            "ability": tuple(map(str, ABILITY.values())),
            "family": FAMILY,
            "ask": ASKS,
            "offer": OFFERS,
        }
        self.designs = (*scenario.companies, "own")
        self.forms = {
            kind: re.compile(
                FIELD.sub(
                    lambda blank: f"(?P<{blank[1]}>.+?)", re.escape(form).replace(r"\{", "{").replace(r"\}", "}")
                ),
                re.IGNORECASE,
            )
            for kind, (_, form) in FORMS.items()
        }

    @functools.lru_cache(maxsize=20_000)  # noqa: B019  # a reader lives as long as its scenario
    def read(self, text: str) -> Order | Unreadable:
        """A line as an order; else what is wrong with it."""
        whole = " ".join(text.split())
        line = whole.rstrip(".;")
        fault: Unreadable | None = None
        for kind, pattern in self.forms.items():
            match = pattern.fullmatch(whole if "text" in pattern.groupindex else line)  # what one says stays as it is
            if match is None:
                continue
            args: dict[str, str] = {}
            for blank, given in match.groupdict().items():
                found = self.fill(blank, given)
                if isinstance(found, Unreadable):
                    fault = fault or found
                    break
                args[blank] = found
            else:
                return Order(kind, args)
        if fault is not None:
            return fault
        shown = [form for _, form in FORMS.values()]
        verb = line.partition(" ")[0].casefold()
        alike = [form for form in shown if form.casefold().startswith(f"{verb} ")]
        right = " or ".join(alike) if alike else nearest(line, shown) or "such as `Move U3 to B2`"
        return Unreadable(f"{text[:60]!r} is no order", re.sub(r"[{}]", "", right))

    def fill(self, blank: str, given: str) -> str | Unreadable:
        """A blank's text, canonically written; else what is wrong with it."""
        if blank in self.words:
            return _named(given, self.words[blank], blank)
        if blank == "unit":
            unit = given.upper()
            return (
                unit
                if UNIT.fullmatch(unit)
                else Unreadable(f"{given[:40]!r} is no unit", "units are called U1, U2, ...")
            )
        if blank == "treaty":
            name = given.upper()
            return name if TREATY.fullmatch(name) else Unreadable(f"{given[:40]!r} is no treaty", "such as T417")
        if blank in {"estate", "path"}:
            ways = [part.strip().upper() for part in re.split(r",| then |-", given)]
            wrong = [part for part in ways if part not in self.estates]
            if wrong or (blank == "estate" and len(ways) > 1):
                edge = self.scenario.estates
                return Unreadable(f"{(wrong or ways)[0][:20]!r} is no estate", f"estates are {edge[0]} to {edge[-1]}")
            return ", ".join(ways)
        if blank == "companies":
            return self._companies(given)
        if blank == "leader":
            known = (*LEADERS, *self.scenario.officers, *self.scenario.companies)
            if given.casefold().startswith("noble of "):
                return f"noble of {given.rsplit(maxsplit=1)[-1].upper()}"
            return _named(given, known, "leader")
        if blank == "amounts":
            parts = [part.strip() for part in re.split(r",| and ", given)]
            if all((match := AMOUNT.fullmatch(part)) and match[2].casefold() in RESOURCES for part in parts):
                return str(stock_of(", ".join(parts).casefold()))
            return Unreadable(f"{given[:40]!r} is no amount", "such as `3 money, 2 influence`")
        if blank == "target":
            return self._target(given)
        return given

    def _companies(self, given: str) -> str | Unreadable:
        found: dict[str, int] = {}
        for part in re.split(r",| and ", given):
            match = re.fullmatch(r"(?:([1-9][0-9]?) )?(.+)", part.strip())
            name = (
                _named(match[2], self.designs, "company")
                if match is not None
                else Unreadable("a company is missing", "")
            )
            if isinstance(name, Unreadable):
                return name
            assert match is not None
            found[name] = found.get(name, 0) + int(match[1] or 1)
        return ", ".join(f"{count} {name}" if count > 1 else name for name, count in found.items())

    def _target(self, given: str) -> str | Unreadable:
        match = re.fullmatch(r"(?:(tax|lobby) (\w+)|(steward)) at (\w+)", given.casefold())
        if match is None or match[4].upper() not in self.estates or (match[2] and match[2] not in RESOURCES):
            return Unreadable(
                f"{given[:40]!r} is no target", "such as `steward at B2`, `tax money at B2`, `lobby money at B2`"
            )
        return f"steward at {match[4].upper()}" if match[3] else f"{match[1]} {match[2]} at {match[4].upper()}"


def _named(given: str, known: Iterable[str], what: str) -> str | Unreadable:
    """One of the known names, however it is spelt."""
    names = tuple(known)
    by = {name.casefold(): name for name in names}
    found = by.get(given.strip().casefold())
    if found is None:
        found = by.get(given.strip().casefold().removesuffix("s")) or by.get(f"{given.strip().casefold()}s")
    return found or Unreadable(f"no {what} is called {given[:40]!r}", nearest(given, names) or ", ".join(names[:12]))


_readers: dict[int, Reader] = {}


def reader_of(scenario: Scenario) -> Reader:
    """The reader of a scenario; made once, for it knows its lines by heart."""
    found = _readers.get(id(scenario))
    if found is None or found.scenario is not scenario:
        found = _readers[id(scenario)] = Reader(scenario)
    return found


def read_orders(scenario: Scenario, sheet: Sheet) -> list[tuple[str, Order | Unreadable]]:
    """Each line of a sheet with what it means."""
    reader = reader_of(scenario)
    return [(line, reader.read(line)) for line in sheet.orders]
