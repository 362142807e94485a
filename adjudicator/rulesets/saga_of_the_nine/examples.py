"""The rulebook's worked examples, read from `cases/` and played. They illustrate the rules on the site and serve as tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Ended, Judged
from adjudicator.core.contract.resolution import Example, Resolution, SeatId
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.codec import Whole, record
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.events import AnyEvent
from adjudicator.rulesets.saga_of_the_nine.orders import Sheet
from adjudicator.rulesets.saga_of_the_nine.position import (
    Betrothal,
    Phase,
    Position,
    Season,
    Settings,
    Vassal,
    majors,
    starting_position,
)
from adjudicator.rulesets.saga_of_the_nine.resolve import resolve

FOLDER = Path(__file__).parent / "cases"
WHEN = re.compile(r"(Spring|Autumn|Winter) (\d+)(?:, (orders|retreats))?")


@record
class Rule:
    """A Vassal in an example."""

    giver: SeatId
    receiver: SeatId
    capital: str
    born: Whole = 1


@record
class After:
    """The expected position. Fields that are left out are unchanged, and so are powers left out of a table of powers."""

    units: Mapping[str, tuple[str, ...]] | None = None
    centres: Mapping[str, tuple[str, ...]] | None = None
    heirs: tuple[str, ...] | None = None
    thralls: Mapping[str, str] | None = None
    vassals: Mapping[str, Rule] | None = None
    built: Mapping[str, Whole] | None = None
    betrothed: tuple[Betrothal, ...] | None = None
    eliminated: Mapping[str, Whole] | None = None
    dislodged: tuple[Mapping[str, str], ...] | None = None
    contested: tuple[str, ...] | None = None
    votes: tuple[str, ...] | None = None
    missed: Mapping[str, Whole] | None = None


@record
class Case:
    """One worked example, with only what matters.

    If units are named, no others are on the board, and neither are Minors without one. A Major that is not named owns its homes and has
    its heir in its Capital. Majors without a sheet here send an empty one.
    """

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    when: str
    settings: Settings = field(default_factory=Settings)
    units: Mapping[str, tuple[str, ...]] | None = None
    """All units; if left out, those of the start."""
    centres: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """All centres of the powers named here."""
    heirs: tuple[str, ...] | None = None
    """Majors with an unmarried heir among those that the example names; if left out, all of them."""
    thralls: Mapping[str, str] = field(default_factory=dict)
    vassals: Mapping[str, Rule] = field(default_factory=dict)
    built: Mapping[str, Whole] = field(default_factory=dict)
    betrothed: tuple[Betrothal, ...] = ()
    eliminated: Mapping[str, Whole] = field(default_factory=dict)
    dislodged: tuple[Mapping[str, str], ...] = ()
    contested: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    missed: Mapping[str, Whole] = field(default_factory=dict)
    silent: tuple[str, ...] = ()
    """Majors that send no sheet."""
    sheets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    verdicts: tuple[Judged, ...] = ()
    events: tuple[str, ...] = ()
    after: After = field(default_factory=After)
    next: str
    ended: Ended | None = None


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases by name. Raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case)


def named_in(case: Case) -> tuple[SeatId, ...]:
    """The Majors that an example names, in the order of the board."""
    named = {
        *(case.units or ()), *case.centres, *case.sheets, *case.thralls.values(), *case.built, *case.eliminated,
        *(who for rule in case.vassals.values() for who in (rule.giver, rule.receiver)), *case.silent,
        *(lost["power"] for lost in case.dislodged), *(case.heirs or ()),
    }  # fmt: skip
    return tuple(major for major in majors(case.settings) if major in named)


def position_of(case: Case) -> Position:
    """The position that an example begins with."""
    start = starting_position(case.settings)
    matched = WHEN.fullmatch(case.when)
    assert matched is not None, case.when
    season = Season(matched[1])
    phase = Phase(matched[3]) if matched[3] else Phase.WINTER
    named = named_in(case)
    given = case.heirs if case.heirs is not None else named
    heirs = [
        major
        for major in majors(case.settings)
        if major not in case.eliminated and (major in given if major in named else True)
    ]
    vassals = {
        name: Vassal(giver=rule.giver, receiver=rule.receiver, capital=rule.capital, born=rule.born)
        for name, rule in sorted(case.vassals.items())
    }
    units = start.units if case.units is None else {power: tuple(sorted(texts)) for power, texts in case.units.items()}
    return Position(
        cycle=int(matched[2]),
        season=season,
        phase=phase,
        units={**dict.fromkeys(majors(case.settings), ()), **{power: texts for power, texts in units.items() if texts}},
        centres=_centres(case, start, vassals),
        dislodged=tuple(diplomacy.DislodgedUnit(**lost) for lost in case.dislodged),
        contested=case.contested,
        heirs=tuple(heirs),
        built=dict(case.built),
        thralls=dict(sorted(case.thralls.items())),
        vassals=vassals,
        betrothed=case.betrothed,
        eliminated=dict(case.eliminated),
        votes=case.votes,
        missed=dict(case.missed),
        settings=case.settings,
    )


def _centres(case: Case, start: Position, vassals: Mapping[str, Vassal]) -> dict[SeatId, tuple[str, ...]]:
    """Centres by owner: those that the example gives, otherwise those of the start. Each centre has only one owner."""
    said = {name: (vassal.capital,) for name, vassal in vassals.items()} | dict(case.centres)
    taken = {name for names in said.values() for name in names}
    centres: dict[SeatId, tuple[str, ...]] = {}
    here = {*(start.units if case.units is None else case.units), *case.thralls, *majors(case.settings)}
    for power, names in start.centres.items():
        absent = power in case.eliminated or power not in here
        left = () if absent else tuple(name for name in names if name not in taken)
        centres[power] = tuple(sorted(said.get(power, left)))
    centres |= {power: tuple(sorted(names)) for power, names in sorted(said.items()) if power not in centres}
    reign = majors(case.settings)
    return {power: names for power, names in centres.items() if names or power in reign}


def sheets_of(case: Case) -> dict[str, Sheet]:
    """The sheets of an example, with an empty one for each Major that it does not mention."""
    position = position_of(case)
    present = [major for major in majors(case.settings) if major not in (*case.silent, *case.eliminated)]
    given = {**{major: {} for major in present}, **case.sheets}
    return cases.sheets_in(case.id, given, partial(_sheet_of, position))


def _sheet_of(position: Position, seat: SeatId) -> type[Sheet]:
    return Sheet


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Plays every example."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """Plays an example, and returns its first position and the resolution of its sheets."""
    position = position_of(case)
    return position, resolve(position, sheets_of(case), GivenDice({}))
