"""A ruling that a host is shown loads unchanged and decides the open question (F5), in every ruleset that leaves something to its host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import RulingsData
from adjudicator.core.jobs.waiting import open_decisions
from adjudicator.core.text.codec import decode
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.load import load_game, load_turn
from tests.judges import campaign_turns
from tests.rulesets.noblesse_world import dice
from tests.rulesets.test_grand_campaign_found import outcome
from tests.rulesets.test_noblesse_treaties import report_and_wait

ROOT = Path(__file__).parent.parent.parent
MANY = 400
ASKING = [slug for slug in slugs() if find(slug).decisions is not None]


def positions(slug: str) -> Iterator[Any]:
    """Positions where something waits for the host, and others."""
    if slug == "noblesse":
        yield report_and_wait()[0]
        return
    assert slug == "grand_campaign", f"no positions of {slug} are known here"
    for turn in campaign_turns.turns(1300, MANY):
        yield outcome(turn, dice(str(turn.number))).position


@pytest.mark.parametrize("slug", ASKING)
def test_every_hint_loads_and_decides_the_question(slug: str) -> None:
    decisions, seen = find(slug).decisions, 0
    assert decisions is not None
    for start in positions(slug):
        position, left = start, list(decisions.waits(start))
        while left:
            (written,) = re.findall(r"`(rulings: .*?)`", left[0])
            (ruling,) = decode(RulingsData, read(written.encode(), "ruling.yaml")).rulings
            assert ruling.reason
            decision = decode(decisions.kind, read(str(dict(ruling.decide or {})).encode(), "decide.yaml"))
            assert decisions.faults(position, decision) == ()
            position = decisions.apply(position, decision, ruling.reason)
            assert [*decisions.waits(position)] == left[1:]
            left, seen = left[1:], seen + 1
    assert seen


def test_check_considers_a_ruling_that_no_run_has_applied() -> None:
    """A turn of the archive waits for its host, and its ruling.yaml has decided the question: no message is left."""
    archive, seen = Archive(ROOT), 0
    game = load_game(archive, "the-amber-reach")
    decisions = game.ruleset.decisions
    assert decisions is not None
    for name in archive.turns(game.slug):
        turn = load_turn(archive, game, name)
        position = replace(turn.data.position, rulings={})
        waits = decisions.waits(position)
        undone = replace(turn, data=replace(turn.data, status="open", rulings=(), position=position))
        told = [problem.what for problem in open_decisions(archive, undone, host=False)]
        ruled = [f"battle: {ruling.decide['battle']}," for ruling in turn.data.rulings if ruling.decide is not None]
        open_ = [wait for wait in waits if not any(battle in wait for battle in ruled)]
        assert len(told) == len(open_)
        seen += len(waits) - len(open_)
    assert seen
