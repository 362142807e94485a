"""A sample of turns that Al-Andalus's ruleset and its second judge must judge alike."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.rulesets.al_andalus import RULESET
from adjudicator.rulesets.al_andalus.examples import case_files, position_of, sheets_of
from tests.judges.al_andalus_turns import both, report, turns

OTHER_WORDS = "orders/same-meaning"
"""An example of an order that the ruleset reads and this judge does not."""
CASES = {f"{stem}/{case.id}": case for stem, file in case_files().items() for case in file.cases}
del CASES[OTHER_WORDS]
OFTEN = {
    "appointed", "arrest missed", "arrested", "changed court", "command ended: arrested", "command ended: lost", "command ended: resigned",
    "confused", "countered", "court full", "ended: draw", "ended: solo", "ended: wazir solo", "general took along", "held back", "hired",
    "land taken", "overridden", "plundered", "refused", "same order", "throne", "wazir orders", "went free",
}  # fmt: skip
SEEN = OFTEN | {
    "command ended: fell", "command ended: landless", "command ended: removed", "court conquered", "court fell", "eliminated",
    "ended: wazir solo and solo", "executed", "let go", "taken over",
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_second_judge_agrees_with_every_worked_example(name: str) -> None:
    case = CASES[name]
    turn = both(position_of(case), dict(sheets_of(case)))
    assert not turn.different, report(turn)


@pytest.mark.slow
def test_two_judges_agree() -> None:
    """They agree on every next position, ending, fact, and result and rule of a line; and the sample has some of everything."""
    seen: Counter[str] = Counter()
    for turn in turns(0, 600):
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
