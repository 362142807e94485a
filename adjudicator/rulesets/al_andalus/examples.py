"""The rulebook's worked examples, read from `cases/` and played. They illustrate the rules on the site and serve as tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Ended, Judged
from adjudicator.core.contract.resolution import Example, Resolution
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.codec import Whole, record
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.events import AnyEvent
from adjudicator.rulesets.al_andalus.orders import AnySheet, sheet_of
from adjudicator.rulesets.al_andalus.position import (
    WAZIRS,
    Command,
    Conquest,
    Position,
    Settings,
    princes,
)
from adjudicator.rulesets.al_andalus.resolve import resolve

FOLDER = Path(__file__).parent / "cases"


@record
class After:
    """The expected position. Fields that are left out are unchanged."""

    units: Mapping[str, tuple[str, ...]] | None = None
    centres: Mapping[str, tuple[str, ...]] | None = None
    courts: Mapping[str, str] | None = None
    purses: Mapping[str, Whole] | None = None
    treasuries: Mapping[str, Whole] | None = None
    executed: tuple[str, ...] | None = None
    generals: Mapping[str, Command] | None = None
    dislodged: tuple[Mapping[str, str], ...] | None = None
    conquests: tuple[Conquest, ...] | None = None
    votes: tuple[str, ...] | None = None
    heirs: Mapping[str, str] | None = None
    missed: Mapping[str, Whole] | None = None
    """Given only where it matters, because every seat without a sheet misses one more turn."""


@record
class Case:
    """One worked example. Units and provinces are given by name; seats that send no sheet are left out."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    year: Whole = 1080
    season: diplomacy.Season = diplomacy.Season.SPRING
    phase: diplomacy.Phase = diplomacy.Phase.MOVEMENT
    settings: Settings = field(default_factory=Settings)
    units: Mapping[str, tuple[str, ...]]
    centres: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dislodged: tuple[Mapping[str, str], ...] = ()
    courts: Mapping[str, str] = field(default_factory=dict)
    purses: Mapping[str, Whole] = field(default_factory=dict)
    treasuries: Mapping[str, Whole] = field(default_factory=dict)
    generals: Mapping[str, Command] = field(default_factory=dict)
    executed: tuple[str, ...] = ()
    conquests: tuple[Conquest, ...] = ()
    votes: tuple[str, ...] = ()
    missed: Mapping[str, Whole] = field(default_factory=dict)
    heirs: Mapping[str, str] = field(default_factory=dict)
    sheets: Mapping[str, Mapping[str, Any]]
    verdicts: tuple[Judged, ...]
    events: tuple[str, ...]
    after: After
    next: str
    ended: Ended | None = None


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases by name. Raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case)


def position_of(case: Case) -> Position:
    """The position that an example begins with."""
    settings = case.settings
    plain = {
        "year": case.year, "season": case.season, "phase": case.phase, "settings": settings.war,
        "units": {power: tuple(sorted(units)) for power, units in case.units.items()},
        "centres": {power: tuple(sorted(names)) for power, names in case.centres.items()},
        "dislodged": tuple(diplomacy.DislodgedUnit(**lost) for lost in case.dislodged),
    }  # fmt: skip
    return Position(
        war=diplomacy.Position(**plain),  # type: ignore[arg-type]  # as written above
        courts=dict(case.courts),
        purses={wazir: case.purses.get(wazir, 0) for wazir in WAZIRS if wazir not in case.executed},
        treasuries={prince: case.treasuries.get(prince, 0) for prince in princes(settings)},
        generals=dict(case.generals),
        executed=case.executed,
        conquests=case.conquests,
        votes=case.votes,
        missed=dict(case.missed),
        heirs=dict(case.heirs),
        settings=settings,
    )


def sheets_of(case: Case) -> dict[str, AnySheet]:
    """The sheets of an example."""
    return cases.sheets_in(case.id, case.sheets, partial(sheet_of, position_of(case)))


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Plays every example."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """Plays an example, and returns its first position and the resolution of its sheets."""
    position = position_of(case)
    return position, resolve(position, sheets_of(case), GivenDice({}))
