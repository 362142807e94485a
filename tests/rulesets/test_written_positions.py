"""Positions written or edited by hand: faults that make them unplayable are reported before a game begins, never in the middle."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from adjudicator.core.contract.ruleset import slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game, GameKind
from adjudicator.core.jobs.case import bare_game, start_of
from adjudicator.core.jobs.what_if import table_at
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.load import load_game, load_turn
from tests.conftest import FUZZ, ROOT

ARCHIVE = Archive(ROOT)
CASES = 4_000 if FUZZ else 80
STEP = 7
"""Every STEP-th turn gives a position."""


def bases(ruleset: str) -> Iterator[tuple[Game, dict[str, Any]]]:
    for slug in ARCHIVE.slugs():
        game = load_game(ARCHIVE, slug)
        if game.data.ruleset != ruleset or game.data.kind is GameKind.RECORD:
            continue
        for turn in ARCHIVE.turns(slug)[::STEP]:
            if load_turn(ARCHIVE, game, turn).data.status != "open":
                table = table_at(ARCHIVE, slug, turn)
                start = start_of(table.game, table.position, table.files)
                yield bare_game(start, "x"), dict(encode(start.position))


def parts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every part of plain data below the top, with its path."""
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from parts(one, (*path, key))
    if path:
        yield path, value


def mended(position: dict[str, Any], random: Random) -> dict[str, Any]:
    """A position after a hasty edit: names swapped, numbers changed, parts missing, duplicated or misnamed."""
    position = copy.deepcopy(position)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        found = [(path, value) for path, value in parts(position) if path[0] != "settings"]
        if not found:
            return position
        path, value = random.choice(found)
        words = [one for _, one in found if isinstance(one, str)] or ["Nowhere"]
        parent: Any = position
        for key in path[:-1]:
            parent = parent[key]
        key, dice = path[-1], random.random()
        if isinstance(value, bool):
            parent[key] = not value
        elif isinstance(value, int):
            parent[key] = random.choice((value + 1, value - 1, 0, -1, 99, 10**6))
        elif isinstance(value, str):
            parent[key] = random.choice(words if dice < 0.6 else ["Nowhere", "", "x y", f"{value}x"])
        elif value is None:
            parent[key] = random.choice(words)
        elif isinstance(parent, list):
            parent.pop(key) if dice < 0.5 else parent.append(copy.deepcopy(value))
        elif dice < 0.5:
            del parent[key]
        else:
            parent[random.choice(words)] = parent.pop(key)
    return position


@pytest.mark.parametrize("ruleset", slugs())
def test_a_position_is_refused_or_can_be_played(ruleset: str) -> None:
    """Any accepted position can be judged and drawn; very few refusals need a trial turn to find the fault."""
    random, known = Random(f"{ruleset}|{CASES}"), list(bases(ruleset))
    taken, tried = 0, 0
    refused: list[Problem] = []
    for _ in range(CASES):
        game, position = random.choice(known)
        try:
            written = game.written_position(Text("position", mended(position, random), {}))
        except Problems as error:
            refused += error.problems
            tried += any("a turn from this position cannot be judged" in one.what for one in error.problems)
            continue
        taken += 1
        rules = game.ruleset
        done = rules.rules.resolve(written, {}, NamedDice(b"x"))
        rules.pictures.paint(rules.pictures.draw(written, done))
        rules.pictures.paint(rules.pictures.draw(rules.view(done.position, None), None))
    assert taken
    assert [one for one in refused if "courtly failed" in one.what or not one.what or not one.right] == []
    assert tried <= CASES // 100
