"""Objections: why an order is not among the legal ones, as a table that Python and the order desk read.

The desk knows which orders are legal, and not why another one is none. A ruleset lists what can be told from what everybody sees: who
stands where, what lies beside what. The first objection of the list whose tests an order meets is said. What cannot be told so is
named in `unsaid`, and the desk says that it does not look for it.

A test reads `ROLE [not] TEST [WHAT]`. Roles are the blanks of the order's form, and `reader`: whose order it is. Tests are `empty`
(nothing stands there), `mine` (what stands there is the reader's), `named` (it is of the kind that the order names, or the order names
none), `is KIND`, `names KIND` (the order does), `plain` (without a side of the place), `exact` (it names no other side than there is),
`in SET`, `same ROLE`, and `beside ROLE`, `back ROLE`, `far ROLE` and the names of `near`, which are what the ground says that they are.

`objection_to` is what the table says; the browser is held to it, and it to what the game judges.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from adjudicator.core.contract.lines import pattern
from adjudicator.core.contract.resolution import SeatId

NAMED = re.compile(r"(?:([A-Z]) )?([^/]+)(/\w+)?")
"""How a role is written: the letter of its kind, if it has one, the place, and a side of the place."""
BLANK = re.compile(r"\{(\w+)(?: (\w+))?\}")
"""What a sentence names: a role, or a fact of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What everybody sees of a board, place by place."""

    stands: Mapping[str, tuple[str, SeatId]]
    """Place -> what stands there, as orders name it, and whose it is."""
    beside: Mapping[str, tuple[str, ...]]
    """Place -> the places that what stands there reaches by itself; reader -> the places where it may begin something."""
    back: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Place -> the places that are closed to what stands there alone."""
    far: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Place -> the places that what stands there reaches with the help of others; reader -> the places that are its own."""
    near: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """What else places or a reader have to do with places, by the name that tests call it."""
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sets of places, by name."""
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What sentences say of places or readers, by name: place -> words. Of each place `unit` and `owner` say what stands there."""


@dataclass(frozen=True, slots=True)
class Objection:
    """What is wrong with orders of some forms that meet some tests; `what` names roles, `{ROLE FACT}`, and `{owner}` of what is ordered.

    Without words nothing is said: what the next objections would say may be wrong.
    """

    forms: tuple[str, ...]
    """Names of forms; none of them stands for all."""
    tests: tuple[str, ...]
    what: str
    legal: bool = False
    """Whether such an order is legal all the same: what is legal can be said in more ways than are listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Objections:
    """All that can be told against orders in one turn."""

    things: tuple[str, ...]
    """Roles that are of what stands on the board, written with the letter of its kind; other roles are places."""
    forms: Mapping[str, str]
    """Name -> form, with roles for blanks, as `{here} - {to}`; of several that an order has the first counts."""
    ground: Ground
    table: tuple[Objection, ...]
    sides: Mapping[SeatId, SeatId] = field(default_factory=dict)
    """Seat -> whose units it orders, if not its own."""
    unsaid: tuple[str, ...] = ()
    """What else may be wrong, each in a few words: the desk does not look for it."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """An order taken apart, and who asks."""

    form: str
    roles: Mapping[str, tuple[str, str, str]]
    """Role -> the kind that the order names, the place, and its side; kind and side may be empty."""


def objection_to(objections: Objections, seat: SeatId, line: str) -> str | None:
    """What is wrong with a canonical line that is not listed as legal for a seat; empty if nothing is, None if it cannot be told."""
    asked = _take_apart(objections, seat, line)
    if asked is None:
        return None
    for objection in objections.table:
        if objection.forms and asked.form not in objection.forms:
            continue
        if all(_meets(objections.ground, asked, test) for test in objection.tests):
            return _said(objections.ground, asked, objection.what) or ("" if objection.legal else None)
    return None


def _said(ground: Ground, asked: _Asked, what: str) -> str:
    """A sentence with what it names."""

    def name(match: re.Match[str]) -> str:
        role, fact = match.groups()
        if role == "owner":
            role, fact = "here", "owner"
        place = asked.roles.get(role, ("", "", ""))[1]
        if fact is None:
            return place
        if fact in {"unit", "owner"}:
            return ground.stands.get(place, ("", ""))[fact == "owner"]
        return ground.facts[fact].get(place, "")

    return BLANK.sub(name, what)


def _take_apart(objections: Objections, seat: SeatId, line: str) -> _Asked | None:
    for name, form in objections.forms.items():
        match = pattern(form).fullmatch(line)
        if match is None:
            continue
        roles: dict[str, tuple[str, str, str]] = {"reader": ("", objections.sides.get(seat, seat), "")}
        for role, text in match.groupdict().items():
            named = NAMED.fullmatch(text)
            if named is None:
                return None
            kind, place, side = (named[1] or "", named[2], named[3] or "")
            if kind and role not in objections.things:
                kind, place = "", f"{kind} {place}"  # a place may be called so
            roles[role] = (kind, place, side)
        return _Asked(name, roles)
    return None


def _meets(ground: Ground, asked: _Asked, test: str) -> bool:
    role, *words = test.split(" ")
    wanted = words[0] != "not"
    name, *about = words if wanted else words[1:]
    relations = {"beside": ground.beside, "back": ground.back, "far": ground.far, **ground.near}
    if role not in asked.roles or (about and name in {"same", *relations} and about[0] not in asked.roles):
        return False
    kind, place, side = asked.roles[role]
    stands = ground.stands.get(place)
    match name:
        case "empty":
            holds = stands is None
        case "mine":
            holds = stands is not None and stands[1] == asked.roles["reader"][1]
        case "named":
            holds = stands is not None and kind in {"", stands[0][0]}
        case "is":
            holds = stands is not None and stands[0][0] == about[0]
        case "names":
            holds = kind == about[0]
        case "plain":
            holds = not side
        case "exact":
            holds = not side or (stands is not None and stands[0].endswith(side))
        case "in":
            holds = place in ground.sets[about[0]]
        case "same":
            holds = place == asked.roles[about[0]][1]
        case _:
            assert name in relations, f"no test is called {name}"
            holds = place in relations[name].get(asked.roles[about[0]][1], ())
    return holds == wanted
