"""The Grand Campaign: the setting that has players place one after another. The same wishes lead to the same result as placing together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.desk import plans, unasked
from adjudicator.rulesets.grand_campaign.orders import PlacementSheet
from adjudicator.rulesets.grand_campaign.placing import asked, setup
from adjudicator.rulesets.grand_campaign.position import Phase, Position, Settings, when
from adjudicator.rulesets.grand_campaign.resolve import due, resolve
from tests.conftest import FUZZ
from tests.site.campaign_table import GAME, judge, last

IN_TURNS = Settings(placing="in-turns")
DICE = NamedDice(b"placing")
SEEDS = range(200 if FUZZ else 12)
Sheets = Mapping[str, PlacementSheet]


def turns(settings: Settings, sheets: Sheets) -> list[Resolution[Position, e.AnyEvent]]:
    """All turns of placing, each with the position that follows."""
    position, done = setup(settings, DICE), []
    while position.phase is Phase.PLACEMENT:
        owed = {seat: sheets.get(seat, PlacementSheet()) for seat in due(position)}
        now = {seat: replace(PlacementSheet(), **{key: getattr(sheet, key) for key in asked(position, seat)})
               for seat, sheet in owed.items()}  # fmt: skip
        done.append(resolve(position, now, DICE))
        position = done[-1].position
    return done


def wishes(chance: Random) -> dict[str, PlacementSheet]:
    """Wishes of all or some of the sample's players, some near each other, some for impossible hexes."""
    plan = Settings().plan
    hexes = plan.grid.hexes

    def some(most: int) -> tuple[str, ...]:
        return tuple(chance.sample(hexes, chance.randrange(most)))

    return {
        seat: PlacementSheet(city=some(6), fortress=some(20), towns=some(40), armies=some(40), general=some(30))
        for seat in plan.seats
        if chance.random() < 0.8
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_wishes_lead_to_the_same_result_either_way(seed: int) -> None:
    """GC-C-17: one by one or together, whatever is wished: every settlement, claim and army, and the start of the first season."""
    sheets = wishes(Random(seed))
    (together,) = turns(Settings(), sheets)
    apart = turns(IN_TURNS, sheets)
    assert len(apart) == 4 * 3 + 1
    ended = apart[-1].position
    assert ended.placed is None
    assert replace(ended, settings=together.position.settings) == together.position
    told = [event for done in apart for event in done.events]
    assert told == list(together.events)


def test_each_player_has_a_turn_and_sees_earlier_placements() -> None:
    """GC-C-4, GC-C-17: the order of the rounds, the seats that owe a sheet, and the names of the turns; later players see earlier placements."""
    names, owed = [], []
    position = setup(IN_TURNS, DICE)
    while position.phase is Phase.PLACEMENT:
        names.append(when(position))
        owed.append(sorted(due(position)))
        position = resolve(position, {}, DICE).position
    assert names[:4] == [
        "Before the campaign, City of Anna",
        "Before the campaign, City of Ben",
        "Before the campaign, City of Cora",
        "Before the campaign, Fortress of Anna",
    ]
    assert names[6::3] == [
        "Before the campaign, first Town of Anna", "Before the campaign, second Town of Anna", "Before the campaign, armies",
    ]  # fmt: skip
    assert len({*names}) == 13
    assert owed == [["Anna"], ["Ben"], ["Cora"]] * 4 + [["Anna", "Ben", "Cora"]]
    second = resolve(setup(IN_TURNS, DICE), {"Anna": PlacementSheet(city=("1203",))}, DICE).position
    assert (second.works, second.holder["1203"]) == ({"1203": "city"}, "Anna")
    third = resolve(second, {"Ben": PlacementSheet(city=("1203", "0204"))}, DICE)
    assert third.position.works == {"1203": "city", "0204": "city"}, "Ben saw it, and had another wish"
    (verdict,) = third.verdicts
    assert (verdict.result, verdict.reason, verdict.rule) == ("succeeds", "placed", "GC-C-4")


def test_lines_for_another_turn_are_reported() -> None:
    """GC-C-17: `check` warns, the verdict reports it, and the desk does not ask for it."""
    rules, position = find("grand_campaign"), setup(IN_TURNS, DICE)
    sheet = PlacementSheet(city=("0204",), towns=("0301",))
    (told,) = rules.rules.check(position, "Anna", sheet)
    assert (told.place, told.level, told.right) == (("towns",), "warning", "this turn is for city")
    (early,) = rules.rules.check(position, "Ben", PlacementSheet(city=("1203",)))
    assert early.right == "it is another player's turn"
    done = resolve(position, {"Anna": sheet, "Ben": PlacementSheet(city=("1203",))}, DICE)
    assert [(one.seat, one.order, one.reason, one.rule) for one in done.verdicts] == [
        ("Anna", "City: 0204", "placed", "GC-C-4"),
        ("Anna", "Towns: 0301", "not-placed-now", "GC-C-17"),
        ("Ben", "City: 1203", "not-placed-now", "GC-C-17"),
    ]
    assert rules.words.tell(position, done.verdicts[1]) == "Towns: 0301: it is placed in another turn."
    assert unasked(position) == ("fortress", "towns", "armies", "general")
    assert plans(position).told["Ben"] == {"city": ("Now Anna places their City. The order is Anna, Ben and Cora.",)}
    assert unasked(setup(Settings(), DICE)) == ()


def test_together_is_the_default_and_a_campaign_may_override_it() -> None:
    """GC-C-17: games that have begun stay unchanged; a game's setting overrides the campaign's."""
    assert setup(Settings(), DICE).placed is None
    plan = Settings().plan
    assert plan.configuration.placing == "together"


def test_a_game_can_be_placed_in_turns(tmp_path: Path) -> None:
    """GC-C-17: with `--set placing=in-turns`: one sheet per turn, a folder for each, and the archive verifies."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(tmp_path)
    data: dict[str, Any] = {
        "ruleset": "grand_campaign", "title": "In turns", "opened": "2026-11-20", "id": "5c" * 8, "seed": "turns",
        "seats": {seat: {"player": "P", "account": 101 + at} for at, seat in enumerate(("Anna", "Ben", "Cora"))},
        "settings": {"placing": "in-turns"},
    }  # fmt: skip
    new_game(archive, GAME, data)
    while (turn := last(archive)).data.position.phase is Phase.PLACEMENT:
        seats = turn.data.owing
        judge(archive, {seat: {"city": ["0301"]} if seat == "Anna" and "city" in turn.name else {} for seat in seats})
    names = archive.turns(GAME)
    assert names[:2] == ["001-before-the-campaign-city-of-anna", "002-before-the-campaign-city-of-ben"]
    assert names[12:] == ["013-before-the-campaign-armies", "014-spring-of-year-1"]
    assert turn.data.position.works["0301"] == "city"
    assert {army.owner for army in turn.data.position.armies} == {"Anna", "Ben", "Cora"}
    assert [str(fault) for fault in verify_game(archive, GAME).problems] == []
