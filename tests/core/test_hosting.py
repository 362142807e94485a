"""House rules that people play by in forums, by mail and on servers: what a host writes for each is taken as it is written.

Other files test seasons and tournaments (test_series), boards of hosts (test_own_boards), undone turns (test_undo) and void orders
(test_rulings).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import KINDS
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.coming import coming_faults
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.core.turn.sheets import check_sheet
from tests.conftest import ROOT
from tests.core.test_deadlines import MASTER, SEATS, Play

WISHES: list[dict[str, Any]] = read((ROOT / "tests/data/hosting.yaml").read_bytes(), "hosting.yaml").data  # type: ignore[assignment]  # a list of tables


def of(key: str) -> list[Any]:
    return [pytest.param(wish[key], id=wish["wish"]) for wish in WISHES if key in wish]


@pytest.mark.parametrize("more", of("game"))
def test_a_game_opens_with_the_hosts_setting(more: dict[str, Any], tmp_path: Path) -> None:
    archive = Archive(tmp_path, read_masters(MASTER, "test"))
    archive.games.mkdir()
    new_charter(archive)
    data: dict[str, Any] = {
        "ruleset": "diplomacy", "title": "A game", "opened": "2026-11-20", "seed": "s",
        "seats": {seat: {"player": seat, "account": 101 + at} for at, seat in enumerate(SEATS)},
    }  # fmt: skip
    if "join" in more:
        data["seats"]["Italy"] = {"player": "open"}
    if more.get("sealed"):
        del data["seed"]
    new_game(archive, "game", data | more)
    errors = [str(one) for one in check_archive(archive) if one.level == "error"]
    assert errors == []


@pytest.mark.parametrize("ruling", of("ruling"))
def test_a_ruling_is_taken_in_an_open_turn(ruling: dict[str, Any], tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    turn = game.turn()
    (kind,) = ruling
    assert kind in KINDS
    text = read(write({"rulings": [{"reason": "The host decides.", **ruling}]}).encode(), "ruling.yaml")
    assert coming_faults(game.archive, turn, load_all(game.archive, turn), text) in ([], ())


@pytest.mark.parametrize("sheet", of("sheet"))
def test_a_sheet_is_taken_as_it_is_written(sheet: dict[str, Any], tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    turn = load_turn(game.archive, load_game(game.archive, "game"), game.turns[-1])
    found = check_sheet(turn.game, turn.data, "Austria", read(write(sheet).encode(), "sheet.yaml"))
    assert [str(one) for one in found if one.level == "error"] == []
