"""A sample of turns that Heir Apparent's ruleset and its second judge must judge alike."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.judges.heir import cards
from tests.judges.heir_turns import report, turns

PHASES = {"auction", "main", "choice", "event", "stopped", "reopened"}
SEEN = {
    "assisted again", "borrowed one won for good", "cancelled", "chosen one gone", "could not refuse", "counter to a counter",
    "countered", "discarded down", "drew nobody", "drew nothing", "joined again", "killed", "left with something tucked",
    "limit of five", "melee by borrowed-rage", "melee by thrown-glove", "melee lost", "melee won", "newcomer released",
    "no act left to reopen with", "no choice", "nobody bid", "reaction stopped", "reopened", "reshuffled actions",
    "reshuffled characters", "rings 3 deep", "saved from dismiss_pending", "saved from favor_loss", "saved from kill_pending",
    "saved from turn_forced", "several reactions in a ring", "sixth drawn", "target vanished", "went home",
    "actions: asked at the same chance", "actions: asked without a token", "event: asked at the same chance",
    "event: asked without a token", "melee: asked at the same chance", "melee: asked without a token", "stopped in actions",
    "stopped in actions again", "stopped in event", "stopped in event again", "stopped in event once reopened",
    "stopped in event once reopened again", "stopped in melee", "stopped in melee again", "stopped in melee by a card",
    "melee goes on after a stop", "melee goes on after a stop (by a card)", "reopened after a stop",
    "actions: passed over what was carried out before the stop", "event: passed over what was carried out before the stop",
    "melee: passed over what was carried out before the stop", "new list of actions after a stop by another",
    "new list of actions after a stop by the asker", "new list of event after a stop by another",
    "new list of event after a stop by the asker", "new list of melee after a stop by another",
    "new list of melee after a stop by the asker", "choice in a window", "another drew action by base",
    "another drew character by base", "actions: a later of several targets taken", "event: a later of several targets taken",
    "reactions: a later of several targets taken", "enough: the fewest of 2", "enough: the most", "enough: nobody",
    "enough for me: the fewest of 2", "enough for me: the most", "enough for me: nobody", "enough for another: the fewest of 2",
    "enough for another: the most", "enough for another: nobody", "enough in a Mandatory Contest", "enough: a tie won by popularity",
    "enough: of as many tokens the one named first", "reopened, and 1 owe nothing",
    "unturned before the Event: some", "unturned before the Event: some after a stop", "unturned before the Event: nobody turned",
    "cannot unturn again", "cannot unturn without the house rule", "nobody unturned after the Event: nothing filed",
    "nobody unturned after the Event: all filed", "nobody unturned after the Event: some filed", "no strength: absent",
    "no strength: barred", "no strength: turned", "a later way taken, in which all that is named serves", "Event pays opponents",
}  # fmt: skip


@pytest.mark.slow
def test_two_judges_agree() -> None:
    """They agree on every next position, ending and fate of a line."""
    phases: set[str] = set()
    for turn in turns(0, 600):
        assert not turn.different, report(turn)
        phases.add(turn.data["phase"])
    assert phases == PHASES


@pytest.mark.long
def test_two_judges_agree_on_some_of_everything() -> None:
    """Each card, counter and reaction, and rare events too."""
    seen: Counter[str] = Counter()
    for turn in turns(0, 6000):
        assert not turn.different, report(turn)
        seen += turn.ours.seen
    wanted = SEEN | {*cards().events}
    for name, action in cards().actions.items():
        wanted.add(("reaction " if "reaction" in action["phases"] else "played ") + name)
    for who, one in cards().characters.items():
        if one.get("abilities"):
            wanted.add(f"used {who}")
    assert {*seen} >= wanted, wanted - {*seen}
