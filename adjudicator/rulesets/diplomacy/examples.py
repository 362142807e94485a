"""The rulebook's worked examples, read from `cases/` and played. They illustrate the rules on the site and serve as tests.

The DATC's cases (`cases/datc.yaml`) have a different format and serve only as tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field as Choice

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Ended
from adjudicator.core.contract.resolution import Example, Resolution
from adjudicator.core.contract.ruleset import as_shipped
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.codec import record
from adjudicator.core.text.yamltext import write
from adjudicator.rulesets.diplomacy.events import AnyEvent
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import Dislodged, Phase, Position, Season, Settings, Vote, furnish
from adjudicator.rulesets.diplomacy.resolve import resolve
from adjudicator.rulesets.diplomacy.war import due

FOLDER = Path(__file__).parent / "cases"
Units = Mapping[str, tuple[str, ...]]
Lost = Mapping[str, Mapping[str, str | None]]


@record
class Line:
    """One order and its outcome. A unit without a valid order is named under `unit` instead."""

    power: str
    order: str | None = None
    unit: str | None = None
    result: str
    reason: str
    rule: str


@record
class After:
    """The position after the turn; `centres` only if they changed."""

    units: Units
    dislodged: Lost = field(default_factory=dict)
    centres: Units | None = None
    contested: tuple[str, ...] = ()
    claims: Mapping[str, int] = field(default_factory=dict)
    votes: Mapping[str, Vote] = field(default_factory=dict)


@record
class Case:
    """One worked example."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    phase: str
    settings: Settings = field(default_factory=Settings)
    board: Mapping[str, Any] = field(default_factory=dict)
    """A board for this example only: a board file that extends another."""
    units: Units
    centres: Units = field(default_factory=dict)
    dislodged: Lost = field(default_factory=dict)
    contested: tuple[str, ...] = ()
    votes: tuple[str, ...] = ()
    concedes: Mapping[str, str] = field(default_factory=dict)
    """Power -> the power it concedes to."""
    among: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Power -> the powers that it names for a draw."""
    claims: Mapping[str, int] = field(default_factory=dict)
    kept: Mapping[str, Vote] = field(default_factory=dict)
    """Power -> its vote from before, which was kept (DP-V-12)."""
    withdraws: tuple[str, ...] = ()
    """Powers whose sheets say `draw: false`."""
    missing: tuple[str, ...] = ()
    dice: Mapping[str, Annotated[int, Choice(ge=1)]] = field(default_factory=dict)
    """Name of a roll -> its value, where the dice pick units to remove (DP-W-8)."""
    orders: tuple[Line, ...]
    after: After
    events: tuple[str, ...] = ()
    next: str
    ended: Ended | None = None


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases in our format, by name. Raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case, but={"datc"})


def settings_of(case: Case) -> Settings:
    """The house rules of an example, with its board loaded."""
    if not case.board:
        return case.settings
    source = write({"name": "example", "title": "An example", **case.board}).encode()
    return furnish(replace(case.settings, board="example.yaml"), lambda name: (source, name), as_shipped)


def position_of(case: Case) -> Position:
    """The starting position of an example."""
    settings = settings_of(case)
    board = settings.ground
    match = re.fullmatch(r"(\w+) (-?\d+), (\w+)", case.phase)
    assert match, case.phase

    def unit(code: str) -> str:
        return board.unit_name(board.unit(code))

    def name(code: str) -> str:
        return board.provinces[code].name

    return Position(
        year=int(match[2]),
        season=Season(match[1]),
        phase=Phase(match[3]),
        units={power: tuple(map(unit, units)) for power, units in case.units.items()},
        centres={power: tuple(map(name, codes)) for power, codes in case.centres.items()},
        dislodged=tuple(
            Dislodged(power=power, unit=unit(code), attacked_from=name(origin) if origin else None)
            for power, lost in case.dislodged.items()
            for code, origin in lost.items()
        ),
        contested=tuple(map(name, case.contested)),
        others=tuple(power for power in board.others if power in case.units),
        claims=case.claims,
        votes=case.kept,
        settings=settings,
    )


def sheets_of(case: Case, position: Position) -> dict[str, Sheet]:
    """The sheets of an example: one from each power that owes one, orders, votes or concedes, unless it is listed as missing."""
    voters = {*case.votes, *case.concedes, *case.among, *case.withdraws}
    powers = {*due(position), *(line.power for line in case.orders), *voters} - set(case.missing)
    return {
        power: Sheet(
            orders=tuple(line.order for line in case.orders if line.power == power and line.order is not None),
            draw=True if power in case.votes else False if power in case.withdraws else None,
            concede=case.concedes.get(power),
            among=case.among.get(power, ()),
        )
        for power in sorted(powers)
    }


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Play every example."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """The starting position of an example, and the resolution of its sheets."""
    position = position_of(case)
    return position, resolve(position, sheets_of(case, position), GivenDice(case.dice))
