"""Reminders: a run names, once for each time that the schedule gives, the seats that owe a sheet (42, HO: reminders)."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.jobs.waiting import seats_owing
from tests.core.test_deadlines import SEATS, Play


@pytest.mark.parametrize("sealed", [False, True])
def test_each_reminder_comes_once_and_only_while_sheets_are_owed(tmp_path: Path, sealed: bool) -> None:
    """The turn opens on the 20th at midnight and is due on the 22nd."""
    game = Play(tmp_path / "archive", sealed=sealed, remind=["24h", "3h"])
    assert game.turn().data.remind == ("2026-11-21T00:00Z", "2026-11-21T21:00Z")
    assert game.run("2026-11-20T23:59Z") == []
    assert game.run("2026-11-21T00:10Z") == ["reminded 001"]
    assert game.turn().data.remind == ("2026-11-21T21:00Z",)
    game.sheets("Italy")
    assert game.run("2026-11-21T21:00Z") == ["reminded 001"]
    assert game.turn().data.remind is None
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]
    assert game.turn(1).data.remind is None
    assert game.turn().data.remind == ("2026-11-23T00:00Z", "2026-11-23T21:00Z")
    game.sheets()
    assert game.run("2026-11-23T22:00Z") == []  # all are in, though not final: nobody owes anything
    assert game.run("2026-11-24T00:00Z") == ["resolved 002", "opened 003"]
    assert verify_game(game.archive, "game").problems == ()


def test_a_late_run_reminds_once(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", remind=["24h", "3h"])
    assert game.run("2026-11-21T23:00Z") == ["reminded 001"]
    assert game.turn().data.remind is None


def test_a_moved_deadline_moves_the_reminders_that_are_still_to_come(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", remind=["24h", "3h"])
    game.run("2026-11-21T00:10Z")
    game.rule({"extend": "2026-11-22T12:00Z", "reason": "A holiday."})
    assert game.run("2026-11-21T13:00Z") == ["ruled 001"]
    assert game.turn().data.remind == ("2026-11-22T09:00Z",)  # a day before the new deadline is past
    game.rule({"extend": "2026-11-25T12:00Z", "reason": "Another."})
    game.run("2026-11-21T14:00Z")
    assert game.turn().data.remind == ("2026-11-24T12:00Z", "2026-11-25T09:00Z")
    assert verify_game(game.archive, "game").problems == ()


def test_a_paused_game_reminds_nobody(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", remind="24h")
    game.rule({"pause": True, "reason": "A holiday."})
    game.run("2026-11-20T12:00Z")
    assert game.run("2026-11-21T12:00Z") == []
    game.rule({"resume": "2026-11-30T00:00Z", "reason": "On."})
    game.run("2026-11-25T00:00Z")
    assert game.run("2026-11-29T00:00Z") == ["reminded 001"]


def test_a_kind_of_turn_has_reminders_of_its_own(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", remind="24h", phases={"retreats": {"turn": "12h", "remind": "2h"}})
    rhythm = game.turn().game.data.schedule
    assert rhythm is not None
    assert (rhythm.rhythm("movement").remind, rhythm.rhythm("retreats").remind) == (("24h",), ("2h",))
    assert set(game.turn().data.owing) == {*SEATS}


@pytest.mark.parametrize("account", [None, 999])
def test_a_reminder_does_not_depend_on_what_is_inside_a_sheet(tmp_path: Path, account: int | None) -> None:
    """Italy's sheet counts, or was sealed by somebody else and will be refused: nobody may learn that before the turn is judged."""
    game = Play(tmp_path / "archive", sealed=True, remind="3h")
    game.sheets("Italy")
    game.sheet("Italy", account=account)
    assert game.run("2026-11-21T22:00Z") == []
    assert seats_owing(game.archive, game.turn()) == ()


def test_who_is_late_is_named_again_and_again_until_the_grace_is_over(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", remind="3h", remind_late="1d", grace="3d")
    assert game.turn().data.remind == ("2026-11-21T21:00Z", "2026-11-23T00:00Z", "2026-11-24T00:00Z")
    game.sheets("Italy")
    assert game.run("2026-11-21T21:00Z") == ["reminded 001"]
    assert game.run("2026-11-22T12:00Z") == []
    assert game.run("2026-11-23T00:10Z") == ["reminded 001"]
    game.sheet("Italy")
    assert game.run("2026-11-24T00:00Z") == ["resolved 001", "opened 002"]
    assert verify_game(game.archive, "game").problems == ()


def test_without_a_grace_nobody_is_reminded_late(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", remind_late="1h")
    assert game.turn().data.remind is None
    game.sheets()
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002"]
