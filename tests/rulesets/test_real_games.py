"""Real games replayed: every phase is judged by our rules, and none differs from its record."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from adjudicator.core.contract.resolution import PlayedGame
from adjudicator.core.game.game import house_rules, nothing_beside
from adjudicator.core.text.yamltext import Text
from adjudicator.mechanics.movement import Move
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.exchange import read_game
from adjudicator.rulesets.diplomacy.position import Position, board_named, notation_of
from tests.rulesets.worked import read_played

HOUSE, _ = house_rules(RULESET, Text("", {}, {}), nothing_beside)
FILES = sorted((Path(__file__).parent.parent / "data").glob("*.jsonl.gz"))
PHASES = {"webdip-cicero-b.jsonl.gz": 737, "selfplay-searchbot-b.jsonl.gz": 1000}


def test_the_files_are_complete() -> None:
    assert {path.name: gzip.decompress(path.read_bytes()).count(b"\n") for path in FILES} == PHASES


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_phase_is_judged_as_recorded(path: Path) -> None:
    games: list[PlayedGame[Position]] = list(read_played(path.read_bytes(), HOUSE))
    assert [line for game in games for turn in game.turns for line in turn.differences] == []
    # Turns played by other rules are few and marked; a different reading must not excuse many.
    turns = [turn for game in games for turn in game.turns]
    assert sum(turn.other_rules is not None for turn in turns) <= 15
    assert sum(not turn.compared for turn in turns) <= 1
    assert sum(turn.reworded for turn in turns) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_changed_result_is_noticed(path: Path) -> None:
    """The comparison can fail: a record with one result reversed is reported."""
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()[:60]
    spoilt = 0
    for number, line in enumerate(lines):
        data = json.loads(line)
        orders = next((orders for orders in data["orders"].values() if orders), None)
        if data["phase"].endswith("M") and orders and orders[0][1] in ("succeeds", "given"):
            orders[0][1] = "fails"
            changed = [*lines[:number], json.dumps(data), *lines[number + 1 :]]
            differences = [
                d for g in read_played("\n".join(changed).encode(), HOUSE) for t in g.turns for d in t.differences
            ]
            assert len(differences) == 1
            assert "the record says fails" in differences[0]
            spoilt += 1
    assert spoilt > 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_border_used_in_the_games_exists(path: Path) -> None:
    board, notation = board_named("standard"), notation_of("standard")
    used: set[tuple[str, str]] = set()
    for line in gzip.decompress(path.read_bytes()).splitlines():
        data = json.loads(line)
        for orders in data["orders"].values():
            for text, result in orders:
                order = notation.read(text)
                if isinstance(order, Move) and result == "succeeds" and text.startswith("F"):
                    used.add((min(order.unit.province, order.to), max(order.unit.province, order.to)))
    assert len(used) > 100
    assert used <= board.borders


def test_the_ruleset_reads_games() -> None:
    assert RULESET.exchange is not None
    assert RULESET.exchange.read is read_game
