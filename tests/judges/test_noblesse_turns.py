"""A sample of turns whose treaties, battles and incomes Noblesse's ruleset and its second judge must judge alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.scenario import ABILITY
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Treaty
from tests.judges.noblesse_turns import report, turns
from tests.judges.noblesse_war import Side, fight
from tests.rulesets.noblesse_world import FARNA, PLAIN, STRONG, WEAK, Board, play_turn

HOWS = ("broken", "kept", "open", "unknown")
FORMS = ("actions", "battle", "control", "enter", "move")
OFTEN = {
    *(f"{form} {how}" for form in FORMS for how in HOWS if how != "unknown" or form not in ("control", "move")),
    *(f"{form} {how}" for form in ("pay", "votes", "withdraw") for how in HOWS[:3]),
    "at start: no", "at start: yes", "began", "breach", "concede", "debts", "declare", "ended after step 10", "forced votes", "owed on",
    "report", "revealed", "show units unknown",
    "allied side", "asked", "coloured", "fight: both-lost", "fight: stand-off", "fight: won", "first leg", "lobbied", "lost estate",
    "lost unit", "noble's seat", "several fights", "steward", "two estates", "walled", "war night",
}  # fmt: skip


def tried(board: Board, promise: Promise, by: str, to: str, **orders: list[str]) -> str:
    """Result of a report of a promise on the Day after a Night with these orders."""
    other = Promise(form="show units", text="their Morale")
    usual: Any = {
        "intents": {},
        "penalties": (Penalty(form="ends", cycles=9),),
        "ends": (Expiration(form="cycles", number=9),),
    }
    made = Treaty(parties=(by, to), status="signed", promises={by: (promise,), to: (other,)}, **usual)
    night = play_turn(replace(board.now, treaties={"T100": made}), orders)
    leader = board.now.factions[to].leader
    assert leader is not None
    (said,) = night.again(**{leader: ["Report T100 promise 1"]}).said(leader)
    return said


def test_a_faction_that_was_attacked_did_not_seek_battle() -> None:
    board = Board().unit("U100", "Caraway", "F4", STRONG).unit("U101", "Marjoram", "F5", WEAK)
    promise = Promise(form="battle", factions=("Alliance",))
    assert tried(board, promise, "Fleurs", "Pape", Marjoram=["Move U101 to F4"]) == "succeeds breach NB-T-7"


@pytest.mark.parametrize(("action", "line"), [("arson", "Arson at E5 on arsenal"), ("surgeon", "Field surgeon")])
def test_an_action_that_came_to_nothing_is_for_the_host_to_rule(action: str, line: str) -> None:
    board = Board().rich("Anise").post("Anise", "spy", "E5")
    promise = Promise(form="actions", will=False, actions=(action,))
    assert tried(board, promise, "Pape", "TCK", Anise=[line]) == "succeeds waits NB-T-10"


def side(name: str, **values: int) -> Side:
    return Side(frozenset({name}), [], Counter(values), values.get("morale", 0), walled=bool(values.get("walled")))


@pytest.mark.parametrize(
    ("one", "other", "how", "left", "rounds"),
    [
        (  # worked example 1 of the catalogue
            {"attack": 4, "melee": 8, "charge": 4, "ranged": 4, "toughness": 1, "morale": 46},
            {"attack": 1, "melee": 6, "pike": 6, "ranged": 6, "toughness": 2, "morale": 31},
            "won", (1, -11), 6,
        ),
        ({"attack": 1, "ambush": 12, "morale": 5}, {"attack": 9, "melee": 50, "toughness": 2, "morale": 10}, "won", (5, 0), 0),
        ({"attack": 6, "melee": 10, "morale": 10}, {"attack": 6, "melee": 10, "morale": 8}, "both-lost", (0, -2), 1),
        (
            {"attack": 2, "melee": 5, "toughness": 6, "morale": 9},
            {"attack": 1, "melee": 6, "ranged": 3, "toughness": 5, "morale": 12},
            "stand-off", (9, 12), 6,
        ),
        ({"attack": 2, "melee": 20, "morale": 30}, {"attack": 1, "malus": 5, "ranged": 3, "morale": 20}, "won", (15, 0), 6),
        (
            {"attack": 1, "ambush": 12, "morale": 5},
            {"attack": 9, "melee": 50, "toughness": 2, "morale": 10, "walled": 1},
            "won", (-45, 10), 1,
        ),
    ],
)  # fmt: skip
def test_the_second_judge_agrees_with_the_catalogues_fights(
    one: dict[str, int], other: dict[str, int], how: str, left: tuple[int, int], rounds: int
) -> None:
    fought = fight(side("one", **one), side("other", **other))
    assert (fought.how, fought.left, fought.rounds) == (how, left, rounds)


def test_no_game_for_the_second_judge_lets_a_player_change_sides() -> None:
    """NB-C-26, ST-5: the second judge keeps one faction for each player and Night, so its games may not have a role that wins
    over an Heir, and none has."""
    for board in (FARNA, PLAIN):
        effects = {board.ability(role, option).effect for role in board.roles for option in ABILITY}
        assert "win over" not in effects
    assert not any(player.heir for turn in turns(0, 40) for player in turn.position.players.values())


@pytest.mark.slow
def test_two_judges_agree() -> None:
    """They agree on every promise on every Day, on its consequences, on every round of every fight, and on all incomes."""
    seen: Counter[str] = Counter()
    for turn in turns(0, 900):
        assert [*RULESET.rules.faults(turn.position)] == []
        assert not turn.different, report(turn)
        seen += turn.ours.seen
    assert {*seen} >= OFTEN, OFTEN - {*seen}


@pytest.mark.long
def test_two_judges_agree_on_some_of_everything() -> None:
    """In many games."""
    seen: Counter[str] = Counter()
    for turn in turns(1000, 12_000):
        assert not turn.different, report(turn)
        seen += turn.ours.seen
    wanted = OFTEN | {"arsenal", "control unknown", "home returned"}
    assert {*seen} >= wanted, wanted - {*seen}
