"""The Grand Campaign: the rulebook's worked examples to the number, and how much of the rules' reasons, facts and forms they cover."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, get_args

import pytest

from adjudicator.core.contract.cases import case_files
from adjudicator.core.contract.resolution import Resolution
from adjudicator.rulesets.grand_campaign import examples, prose
from adjudicator.rulesets.grand_campaign.acts import LINES, MOVES, PARTS, PARTY_ACTS, PURCHASES
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.examples import Case, outcome, play, story
from adjudicator.rulesets.grand_campaign.faults import faults
from adjudicator.rulesets.grand_campaign.orders import Order, reader_of
from adjudicator.rulesets.grand_campaign.position import Position, Settings
from adjudicator.rulesets.grand_campaign.reasons import Reason
from tests.conftest import ROOT
from tests.rulesets.worked import Played, by_name, verdicts_of

CASES = by_name({**examples.case_files(), **case_files(ROOT / "tests/data/grand-campaign", examples.Case)})
"""The rulebook's cases, and others for rules that make no difference in those."""
ELSEWHERE = {"unplaced"}
"""Facts that no example on the sample map can have; other tests cover them."""


@cache
def played(name: str) -> Played[Case, Position, AnyEvent]:
    """A case, played."""
    position, done = play(CASES[name])
    return Played(CASES[name], position, done)


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_whole_outcome(name: str) -> None:
    """Every event, every verdict, and every difference afterwards."""
    here = played(name)
    position, done = here.position, here.done
    assert [prose.tell(position, event) for event in story(here.case, position, done)] == [*here.case.told]
    assert verdicts_of(here) == here.case.verdicts
    assert outcome(position, done.position) == here.case.after
    assert list(faults(done.position)) == []


def test_every_example_of_the_catalogue_is_played() -> None:
    """EX-1 to EX-36 are all played."""
    named = {int(number) for case in CASES.values() for number in re.findall(r"EX-([0-9]+)", case.title)}
    assert named == {*range(1, 37)}


def test_every_reason_has_a_case() -> None:
    """There is a case for every reason why an order or a purchase can fail or fall short."""
    seen: set[str] = {verdict.reason for name in CASES for verdict in played(name).done.verdicts}
    seen |= {event.reason for name in CASES for event in played(name).done.events if event.event == "passed"}
    assert seen == {*get_args(Reason)}


def test_every_kind_of_fact_happens_in_a_case() -> None:
    """Every kind of fact happens in a case."""
    seen = {event.event for name in CASES for event in played(name).done.events}
    kinds = {kind.__dataclass_fields__["event"].default for kind in get_args(AnyEvent)}
    assert seen | ELSEWHERE == kinds


def orders() -> list[Order]:
    """Every readable line of every case."""
    reader = reader_of(Settings().plan)
    read = (
        reader.read(part, line)
        for case in CASES.values()
        for sheet in case.sheets.values()
        for part in PARTS
        for line in sheet.get(part) or ()
    )
    return [order for order in read if isinstance(order, Order)]


def test_every_form_appears_in_a_case() -> None:
    """Every form of a line, every step, Action and purchase appears in a case."""
    seen = orders()
    assert {(order.part, order.kind) for order in seen} == {
        (part, kind) for part in PARTS for kind in LINES.forms(part).values()
    }
    items = {item.kind for order in seen for item in order.items}
    assert items == {*MOVES.kinds.values(), *PARTY_ACTS.kinds.values(), *PURCHASES.kinds.values()}


def test_the_order_of_sheets_and_lines_does_not_matter() -> None:
    """Sheets in another order, and the lines of armies and parties in another order, have the same outcome."""

    def turned(part: str, lines: Any) -> Any:
        return (
            tuple(reversed(lines)) if part in {"armies", "parties"} and ":" in str(lines) and _apart(lines) else lines
        )

    for name in CASES:
        here = played(name)
        sheets = {
            seat: {part: turned(part, lines) for part, lines in sheet.items()}
            for seat, sheet in reversed([*here.case.sheets.items()])
        }
        again = play(replace(here.case, sheets=sheets))[1]
        assert (again.position, again.events) == (here.done.position, here.done.events), name
        assert _sorted(again) == _sorted(here.done), name


def _apart(lines: Any) -> bool:
    """True if no two lines are for the same army; otherwise the first of them counts (GC-P-5)."""
    named = [line.partition(":")[0] for line in lines]
    return len({*named}) == len(named)


def _sorted(done: Resolution[Position, AnyEvent]) -> list[str]:
    return sorted(map(repr, done.verdicts))
