"""Saga of the Nine: the rulebook's worked examples with their whole outcomes, and its rules, counted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args

import pytest

from adjudicator.core.contract.resolution import Resolution, Verdict
from adjudicator.core.text.codec import encode
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import RULESET, events
from adjudicator.rulesets.saga_of_the_nine.examples import After, Case, case_files, position_of, sheets_of
from adjudicator.rulesets.saga_of_the_nine.position import Position, faults
from adjudicator.rulesets.saga_of_the_nine.prose import REASONS
from tests.rulesets.worked import NO_DICE, Played, by_name, ending, sentences, verdicts_of

RULES = (RULESET.folder / "RULES.md").read_text(encoding="utf-8")
RULE_IDS = tuple(re.findall(r"^\*\*(S9-[A-Z]-\d+)\.\*\*", RULES, flags=re.MULTILINE))
WAR_RULES = (diplomacy.RULESET.folder / "RULES.md").read_text(encoding="utf-8")
WAR_IDS = {*re.findall(r"^\*\*(DP-[A-Z]-\d+)\.\*\*", WAR_RULES, flags=re.MULTILINE)}
Outcome = Resolution[Position, events.AnyEvent]


CASES = by_name(case_files())


@cache
def play_case(name: str) -> Played[Case, Position, events.AnyEvent]:
    case = CASES[name]
    position = position_of(case)
    return Played(case, position, RULESET.rules.resolve(position, sheets_of(case), NO_DICE))


# The whole outcome of every case ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_verdicts(name: str) -> None:
    """Units without orders that nothing happened to are left out."""
    here = play_case(name)
    assert verdicts_of(here, idle=False) == here.case.verdicts


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_events_and_ending(name: str) -> None:
    here = play_case(name)
    assert sentences(RULESET, here.position, here.done.events) == here.case.events
    assert ending(RULESET, here) == here.case.ended


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_position_afterwards(name: str) -> None:
    here = play_case(name)
    before, after = encode(here.position), encode(here.done.position)
    for field in fields(After):
        told: Any = getattr(here.case.after, field.name)
        wanted = before.get(field.name)
        if told is not None:
            plain = encode(told)
            wanted = {**before[field.name], **plain} if field.name in ("units", "centres") else plain
        if field.name in ("units", "centres"):
            assert _some(after[field.name]) == _some(wanted), field.name
        else:
            assert (after.get(field.name) or None) == (wanted or None), field.name
    assert RULESET.when(here.done.position) == here.case.next
    assert here.done.position.settings == here.position.settings


def _some(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: sorted(texts) for name, texts in table.items() if texts}


@pytest.mark.parametrize("name", CASES)
def test_every_example_begins_and_ends_with_a_sound_position(name: str) -> None:
    here = play_case(name)
    assert [*faults(here.position)] == []
    assert [*faults(here.done.position)] == []


# Counted ------------------------------------------------------------------------------------------------------------


def test_every_rule_is_cited_by_an_example() -> None:
    cited = {rule for case in CASES.values() for rule in case.rules if rule.startswith("S9-")}
    print(f"{len(cited)} of {len(RULE_IDS)} rules are cited by {len(CASES)} examples")
    assert len(RULE_IDS) == len(set(RULE_IDS)) == 161
    # Orders ahead need several turns: tests/core/test_ahead.py plays them.
    assert [rule for rule in RULE_IDS if rule not in cited] == ["S9-N-6"]
    assert cited <= set(RULE_IDS)


def test_every_verdict_cites_a_rule_of_a_rulebook() -> None:
    seen = {verdict.rule for name in CASES for verdict in play_case(name).done.verdicts}
    assert seen <= {*RULE_IDS, *WAR_IDS}
    ends = {play_case(name).done.ended for name in CASES} - {None}
    assert {ended.rule for ended in ends if ended is not None} <= set(RULE_IDS)


def test_a_draw_names_who_was_first() -> None:
    """S9-K-8."""
    told = [
        RULESET.words.ended(done.ended) for name in CASES if (done := play_case(name).done).ended and done.ended.first
    ]
    assert told == [
        "drawn between Aesir, Dokkalfar, Eldjotnar, Hrimthursar, Ljosalfar, Vanir and Zwergar, with Dokkalfar first, Autumn 11, orders",
        "drawn between Menn and Vanir, with Vanir first, Autumn 7, orders",
    ]


def test_every_reason_and_every_event_has_an_example() -> None:
    seen = {verdict.reason for name in CASES for verdict in play_case(name).done.verdicts}
    assert sorted({*REASONS} - seen) == []
    told = {type(event) for name in CASES for event in play_case(name).done.events}
    assert sorted(kind.__name__ for kind in {*get_args(events.OwnEvent)} - told) == []


def test_sentences_are_complete() -> None:
    """No blank is left, and nothing is repeated."""
    for name in CASES:
        here = play_case(name)
        for fact in (*here.done.verdicts, *here.done.events):
            text = RULESET.words.tell(here.position, fact)
            assert text.endswith("."), (name, text)
            assert not re.search(r"[{}]|  |\.\.|None", text), (name, text)


def test_the_order_of_sheets_makes_no_difference() -> None:
    for name, case in CASES.items():
        sheets = sheets_of(case)
        turned = dict(reversed(sheets.items()))
        assert RULESET.rules.resolve(position_of(case), turned, NO_DICE) == play_case(name).done


def test_lines_repeated_on_a_sheet_change_nothing() -> None:
    """S9-M-2, S9-D-13: a repeated line counts once for heirs; for bids its DP are added, and the order stays."""
    for name, case in CASES.items():
        sheets = {
            seat: replace(sheet, orders=(*sheet.orders, *sheet.orders)) for seat, sheet in sheets_of(case).items()
        }
        if position_of(case).phase == "winter":
            continue  # there a second removal or waiver is one more
        done = RULESET.rules.resolve(position_of(case), sheets, NO_DICE)
        assert done.position == play_case(name).done.position, name


def test_an_unknown_reason_is_shown_as_it_is_written() -> None:
    verdict = Verdict(seat="Aesir", order="x", result="illegal", reason="not-a-reason", rule="S9-A-1")
    position = play_case("first/marry-a-minor").position
    assert "not-a-reason" in RULESET.words.tell(position, verdict)
