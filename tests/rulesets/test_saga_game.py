"""The saga in the archive: one whole game, with every possible kind of event."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Any, get_args

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.saga_of_the_nine import events
from tests.conftest import ROOT

SLUG = "nine-courts"
NOT_THERE = {events.Triumph}
"""The game is drawn, so there is never a single winner."""
KINDS = {
    "hold": r"[AF] .* H", "move": r"[AF] [^/]* - .*", "support to hold": r"[AF] .* S [AF] (?!.* - ).*",
    "support to move": r"[AF] .* S .* - .*", "convoy": r"F .* C A .* - .*", "by convoy": r"A .* - .* via convoy",
    "a Minor’s wedding": r"Heir \w+ Marry (?!Heir).*", "a wedding of two heirs": r"Heir \w+ Marry Heir .* at .*",
    "a new heir": r"Build Heir", "a build": r"Build [AF] .*", "a waiver": r"Waive", "a removal": r"Disband .*", "a name": r"Name v.. .*",
    "a bid to hold": r"\d DP to .* H", "a bid for a support to hold": r"\d DP to .* S [AF] (?!.* - ).*",
    "a bid for a support": r"\d DP to .* S .* - .*", "a bid for a move": r"\d DP to [AF] (?!.* S ).* - .*",
    "a bid for a wedding": r"\d DP to .* Marry Heir .*",
}  # fmt: skip


@pytest.fixture(scope="module")
def turns() -> list[Any]:
    archive = Archive(ROOT)
    game = load_game(archive, SLUG)
    return [load_turn(archive, game, name).data for name in archive.turns(SLUG)]


def test_the_game_has_every_kind_of_order_and_bid(turns: list[Any]) -> None:
    """Legal ones, and judged."""
    done = {v.order for turn in turns for v in turn.verdicts if v.result != "illegal"}
    assert [kind for kind, form in KINDS.items() if not any(re.fullmatch(form, order) for order in done)] == []


def test_the_game_has_every_kind_of_event(turns: list[Any]) -> None:
    """Weddings of both kinds, those that failed, deaths, the fall of Majors, Thralls and Vassals, and the rest."""
    happened = Counter(type(event) for turn in turns for event in turn.events)
    assert {*get_args(events.OwnEvent)} - {*happened} == NOT_THERE
    assert happened[events.Fallen] >= 2


def test_every_map_names_each_majors_thralls_together() -> None:
    """In its description; a Thrall's piece shows its unit and its controller."""
    archive = Archive(ROOT)
    game = load_game(archive, SLUG)
    houses = 0
    for name in archive.turns(SLUG):
        turn = load_turn(archive, game, name)
        drawn = (turn.folder / "map.svg").read_text(encoding="utf-8")
        position = turn.data.position
        for ruler in {*position.thralls.values()}:
            thralls = [thrall for thrall in sorted(position.thralls) if position.thralls[thrall] == ruler]
            units = [*itertools.chain.from_iterable(position.units.get(thrall, ()) for thrall in thralls)]
            told = ", ".join(next(iter(position.units.get(one, ())), f"{one} without a unit") for one in thralls)
            assert f"{'Thralls' if len(thralls) > 1 else 'Thrall'} of {ruler}: {told}." in drawn
            assert all(re.search(f"<title>{unit}(, dislodged)?, Thrall of {ruler}<", drawn) for unit in units)
            houses += 1
    assert houses > 100


def test_the_game_is_marked_as_played_by_stand_ins(turns: list[Any]) -> None:
    data = load_game(Archive(ROOT), SLUG).data
    assert {seat.player for seat in data.seats.values()} == {"a stand-in"}
    assert data.about is not None
    assert data.about.endswith("The computer played every seat.")
    assert data.made is not None
    assert "stand-ins played it to its end" in data.made
    assert turns[-1].phase.startswith("Autumn 11")
