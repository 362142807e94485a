"""A sample of turns that The Grand Campaign's ruleset and its second judge must judge alike."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.rulesets.grand_campaign.faults import faults
from tests.judges.campaign import EVENTS, SPECIAL
from tests.judges.campaign_turns import report, turns

ACTIONS = {
    "build_road", "claim_territory", "clear", "construct_city", "construct_fortress", "construct_mine", "construct_town", "cultivate",
    "defensive_deployment", "explore_ruins", "fell_forest", "forced_march", "improve_settlement", "prepare_to_attack", "reform_army",
}  # fmt: skip
PARTY = {"convert_gold", "explore_ruin", "guerrilla_tactics", "loot_town", "patrol", "sabotage_mine"}
OFTEN = {
    "advanced", "annexed", "army destroyed", "backed off", "barred ruin", "battle by annex", "battle by attack",
    "battle by attack on a garrison", "blocked", "bought a hex", "claimed", "clash of two that moved", "clash with one that stood",
    "collision", "conceded", "contested claim", "deeds", "disputed", "emerged", "general replaced", "halted", "illegal step",
    "mauled", "out of movement", "outcome stalemate None", "party moved", "patrol sprung", "portal", "recruited army",
    "recruited party", "refused step", "resumed step", "retreated", "roll-off", "ruling", "skip", "skirmish won", "surplus action",
    "unchallenged",
}  # fmt: skip
SEEN = OFTEN | {
    "army in an eruption", "artefact taken", "awakened", "burnt", "caught", "defender bound by another", "destroyed mine",
    "destroyed town", "eruption", "eternal", "exhausted", "exile", "failed to seize town", "found cursed",
    "found legendary", "found minor", "general out", "golden age used", "grown", "hired", "mauled without a way",
    "moved when an alliance ended", "next general by roster", "no end of its retreat", "nowhere to retreat", "out",
    "party in an eruption", "peace", "peasants", "promoted", "retreats on", "road wrecked", "rolled destruction again",
    "ruin yields", "searched the field", "seized city", "seized dwarven_hold", "seized fortress", "seized mine",
    "seized temple_city", "seized town", "skirmish tied", "slaves", "stays on its settlement", "struck", "surrounded", "swap",
    "tested again", "two attack a garrison", "two attack one", "weather changed a hex", "wrecked", "wrecked by an earthquake",
}  # fmt: skip


@pytest.mark.slow
def test_two_judges_agree() -> None:
    """They agree on every next position."""
    phases: set[str] = set()
    seen: Counter[str] = Counter()
    for turn in turns(0, 300):
        assert [*faults(turn.position)] == []
        assert not turn.different, report(turn)
        phases.add(str(turn.position.phase))
        seen += turn.seen
    assert phases == {"season", "battles"}
    assert {*seen} >= OFTEN, OFTEN - {*seen}


@pytest.mark.long
def test_two_judges_agree_on_some_of_everything() -> None:
    """Each event, Action, defeat and purchase, and rare events too."""
    seen: Counter[str] = Counter()
    for turn in turns(1000, 12_000):
        assert not turn.different, report(turn)
        seen += turn.seen
    wanted = SEEN | {f"event {event}" for event in EVENTS.values()} | {f"defeat {die}" for die in range(1, 7)}
    wanted |= {f"{action} done" for action in ACTIONS | {*SPECIAL}} | {f"party {action} done" for action in PARTY}
    assert {*seen} >= wanted, wanted - {*seen}
