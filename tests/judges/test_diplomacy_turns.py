"""A sample of turns that Diplomacy's ruleset and its second judge must judge alike."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.examples import case_files, position_of, sheets_of
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import Phase, Position, Season, Settings
from tests.judges.diplomacy_turns import both, report, turns

OTHER_WORDS = "orders/generous"
"""An example of an order that the ruleset reads and this judge does not."""
CASES = {f"{stem}/{case.id}": case for stem, file in case_files().items() for case in file.cases}
del CASES[OTHER_WORDS]
OFTEN = {
    "another kind meant", "available", "built", "convoy broken", "convoyed", "cut", "destroyed", "dislodged", "disrupted", "dissolved", "ended: concession",
    "ended: draw", "ended: shared", "ended: solo", "fails", "given", "head-on", "invalid", "met", "on a coast", "paradox", "removed", "retreated",
    "ring", "taken", "told again in moves", "told twice", "traded places", "waived",
    "agreed on some who are left", "conceded to one not first", "conceded to too few", "count of falls",
    "count of falls broken", "proposal",
    "votes from before", "votes reported before",
}  # fmt: skip
SEEN = OFTEN | {
    "built nowhere", "none of too many", "wrong coast", "agreed on nobody who is left", "another kind meant of another",
    "built away, a home kept", "conceded to the first", "no home kept", "no way by moves", "removed otherwise by centres",
    "removed otherwise by moves", "drawn by lot", "drawn off centres", "some of those agreed on are gone", "told again in retreats", *(f"illegal DP-{rule}" for rule in (
        "C-1", "C-2", "C-9", "G-6", "M-1", "M-12", "O-6", "O-8", "O-9", "S-1", "S-2", "S-7", "S-8",
    )),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_second_judge_agrees_with_every_worked_example(name: str) -> None:
    case = CASES[name]
    position = position_of(case)
    turn = both(position, sheets_of(case, position))
    assert not turn.different, report(turn)


def test_a_coast_does_not_change_the_meaning_of_an_armys_order() -> None:
    position = Position(
        year=1901,
        season=Season.SPRING,
        phase=Phase.MOVEMENT,
        units={"Russia": ("A Portugal",)},
        centres={},
        settings=Settings(),
    )
    turn = both(position, {"Russia": Sheet(orders=("A Portugal - Spain/SC", "A Portugal - Spain"))})
    assert not turn.different, report(turn)


@pytest.mark.slow
def test_two_judges_agree() -> None:
    """They agree on every next position, ending, and result and rule of a line; and the sample has some of everything."""
    seen: Counter[str] = Counter()
    for turn in turns(600, 600):
        assert [*RULESET.rules.faults(turn.position)] == []
        assert not turn.different, report(turn)
        seen += turn.ours.seen
    assert {*seen} >= OFTEN, OFTEN - {*seen}


@pytest.mark.long
def test_two_judges_agree_on_some_of_everything() -> None:
    """Rare events too."""
    seen: Counter[str] = Counter()
    for turn in turns(1000, 12_000):
        assert not turn.different, report(turn)
        seen += turn.ours.seen
    assert {*seen} >= SEEN, SEEN - {*seen}
