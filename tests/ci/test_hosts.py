"""Several hosts (HO-9): each of their accounts may bring rulings, and a due turn waits for their requests as for the players'."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.ci.catch_up import game_accounts
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.intake import Place, locate
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_game

pytestmark = pytest.mark.usefixtures("plain_maps")
SEATS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PLACE = "games/war/001-spring-1901-movement/ruling.yaml"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    (tmp_path / "games").mkdir()
    made = Archive(tmp_path)
    new_charter(made)
    new_game(made, "war", {"ruleset": "diplomacy", "title": "War", "opened": "2026-11-20", "seed": "s", "host_account": 100,
                           "host_accounts": [101, 102], "seats": {seat: {"player": "Anna", "account": 200} if seat == "Austria" else {"player": "Ben"} for seat in SEATS}})  # fmt: skip
    return made


@pytest.mark.parametrize("account", [100, 101, 102])
def test_each_host_may_bring_rulings(archive: Archive, account: int) -> None:
    assert isinstance(locate(archive, PLACE, account), Place)


@pytest.mark.parametrize("account", [200, 103, 10])
def test_nobody_else_may(archive: Archive, account: int) -> None:
    with pytest.raises(Problems, match="rulings come from the account of the game's host"):
        locate(archive, PLACE, account)


@pytest.mark.parametrize(
    "text", ["host_accounts: [101, 102]", "host_accounts:\n  - 101\n  - 102\n", 'host_accounts: ["101", 102]']
)
def test_a_due_turn_waits_for_requests_of_every_host(archive: Archive, text: str) -> None:
    path = archive.game_folder("war") / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("host_accounts: [101, 102]", text.rstrip("\n")), "utf-8")
    assert load_game(archive, "war").data.rulers == {100, 101, 102}
    assert game_accounts(archive, "war") == {100, 101, 102, 200}
