"""RT-6: a turn's times are the host's claims, and the history, the receipts and the other turns show if they are possible."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.verify import verify_game
from tests.ci.conftest import World, game_data
from tests.ci.fake import OWNER, git
from tests.ci.test_history import NOON, SPRING, Group

DEADLINE = "2026-11-22T00:00Z"


@pytest.fixture
def group(tmp_path: Path) -> Group:
    """A game whose first turn has a deadline, and one sheet that intake took in at noon."""
    (tmp_path / "games").mkdir()
    git(tmp_path, "init", "--quiet", "-b", "main")
    made = Group(tmp_path)
    made.new("open", **game_data(sealed=False, seed="s", schedule={"turn": "2d"}))
    list(run_game(made.archive, "open", at="2026-11-20T00:00Z"))
    made.commit("Begun")
    sheet = f"games/open/{SPRING}/orders/austria.yaml"
    made.put(sheet.removeprefix("games/"), "orders: [A Vienna H]\n")
    made.received(sheet)
    return made


def notes(group: Group) -> list[str]:
    return [note.what for note in (*verify_game(group.archive, "open").notes, *group.history().notes)]


def test_a_turn_that_was_judged_early_is_noted_with_the_seats_it_should_have_waited_for(group: Group) -> None:
    """`run --now`, or a clock set to another time: the table sees that six of seven had no time left."""
    list(run_game(group.archive, "open", at="2026-11-21T00:00Z", now=True))
    group.commit("Judged")
    (told,) = [what for what in notes(group) if "to wait" in what]
    assert told == (
        f"this turn was closed at 2026-11-21T00:00Z, although it had to wait until {DEADLINE}, and "
        "Austria, England, France, Germany, Italy, Russia, Turkey had not finished"
    )


def test_a_turn_that_was_judged_on_time_is_not_noted(group: Group) -> None:
    list(run_game(group.archive, "open", at=DEADLINE))
    group.commit("Judged")
    assert [what for what in notes(group) if re.search("closed|to wait|came in", what)] == []


@pytest.mark.parametrize("line", ["grace: 1d", "missing: host"])
def test_a_later_change_by_the_host_does_not_affect_earlier_turns(group: Group, line: str) -> None:
    """A grace that is set now does not mean that earlier turns closed too soon, and does not remove a note."""
    list(run_game(group.archive, "open", at=DEADLINE))
    group.commit("Judged")
    group.edit("open/game.yaml", "^schedule:$", f"schedule:\n  {line}")
    assert [note.what for note in verify_game(group.archive, "open").notes] == []


def test_a_turn_that_was_closed_before_a_sheet_came_in_is_noted(group: Group) -> None:
    """Backdated: its sheets had come in after the time that it claims."""
    list(run_game(group.archive, "open", at="2026-11-20T06:00Z", now=True))
    group.commit("Judged")
    (told,) = [what for what in notes(group) if "came in" in what]
    assert told.startswith(f"it came in at {NOON}, but its turn says that it was closed at 2026-11-20T06:00Z (commit ")


def test_a_job_refuses_a_time_in_the_future(worlds: Callable[..., World], monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip or a host in a hurry cannot close a turn of next week."""
    world = worlds({"summer": game_data(schedule={"turn": "2d"})})
    for name, value in {
        "GITHUB_API_URL": world.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t",
        "COURTLY_MASTER": "courtly-master-1-" + "5a" * 32,
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    head = world.fake.main()
    said = CliRunner().invoke(main, ["-C", str(world.root), "ci", "adjudicate", "--at", "2027-06-01T00:00Z"])
    assert said.exit_code == 1
    assert said.output.startswith("error: --at: 2027-06-01T00:00Z is in the future: it is 2026-11-")
    assert world.fake.main() == head
