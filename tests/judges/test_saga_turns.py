"""A sample of turns that the ruleset and its second judge must judge alike; `nox -s judges` compares as many as you like."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.rulesets.saga_of_the_nine import RULESET
from adjudicator.rulesets.saga_of_the_nine.examples import case_files, position_of, sheets_of
from adjudicator.rulesets.saga_of_the_nine.position import Phase, Season
from tests.judges.saga_turns import both, report, turns

CASES = {f"{stem}/{case.id}": case for stem, file in case_files().items() for case in file.cases}
SEEN = {
    "betrothed", "built", "captured", "convoyed", "convoy broken", "cut", "decided", "dislodged", "eliminated", "ended: concession",
    "ended: draw", "ended: solo", "gave way", "grown back", "heir built", "heir killed", "met", "overruled", "paradox", "removed",
    "renamed", "retreated", "ring", "sortie", "supported", "thrall", "thrall captured", "tied", "told twice", "too dear", "vassal",
    "vassal fell", "wedding failed",
}  # fmt: skip
PHASES = {
    (Season.SPRING, Phase.ORDERS), (Season.SPRING, Phase.RETREATS), (Season.AUTUMN, Phase.ORDERS), (Season.AUTUMN, Phase.RETREATS),
    (Season.WINTER, Phase.WINTER),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_second_judge_agrees_with_every_worked_example(name: str) -> None:
    case = CASES[name]
    turn = both(position_of(case), dict(sheets_of(case)))
    assert not turn.different, report(turn)


@pytest.mark.slow
def test_two_judges_agree() -> None:
    """They agree on every next position, ending and result of a line; and the sample has some of everything."""
    seen: Counter[str] = Counter()
    phases: Counter[tuple[Season, Phase]] = Counter()
    for turn in (*turns(270, 380, wise=False), *turns(0, 60)):
        assert [*RULESET.rules.faults(turn.position)] == []
        assert not turn.different, report(turn)
        seen += turn.ours.seen
        phases[turn.position.season, turn.position.phase] += 1
    assert {*phases} == PHASES
    assert {*seen} >= SEEN, SEEN - {*seen}
