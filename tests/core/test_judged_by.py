"""Each turn names the courtly that judged it. The name is not a result, so a different courtly still verifies the turn (H3-6, H3-12)."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import adjudicator
from adjudicator.core.game import installed
from adjudicator.core.game.installed import this_courtly
from adjudicator.core.jobs import run, verify
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.verify import verify_game
from tests.core.test_deadlines import Play

FIRST = "001-spring-1901-movement"
COMMIT = "1f0c5a7e9b21aa55aa55aa55aa55aa55aa55aa55"


@pytest.fixture
def fresh() -> Iterator[None]:
    """Clear the cached version of the installation, before and after."""
    this_courtly.cache_clear()
    yield
    this_courtly.cache_clear()


def as_courtly(patch: pytest.MonkeyPatch, version: str) -> None:
    """From here on another version of courtly is installed."""
    for module in (run, verify):
        patch.setattr(module, "this_courtly", lambda: version)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A turn that 0.0.9 judged, and one that is open."""
    played = Play(tmp_path / "archive")
    as_courtly(monkeypatch, "0.0.9+1f0c5a7e9b21")
    played.sheet("Austria", "A Vienna - Tyrolia")
    played.sheets("Austria", orders=[])
    played.run("2026-11-22T00:00Z")
    monkeypatch.undo()
    return played


def lines_of(game: Play, name: str) -> list[str]:
    (folder,) = (game.root / "games/game").glob(name)
    return [line for line in (folder / "turn.yaml").read_text().splitlines() if line.startswith("judged_by:")]


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (None, adjudicator.__version__),
        ("", adjudicator.__version__),
        ("not JSON", adjudicator.__version__),
        (json.dumps([]), adjudicator.__version__),
        (json.dumps({"url": "file:///home/anna/courtly", "dir_info": {"editable": True}}), adjudicator.__version__),
        (json.dumps({"url": "https://x/y", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}),
         f"{adjudicator.__version__}+1f0c5a7e9b21"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("fresh")
def test_a_courtly_is_named_after_its_installation(
    said: str | None, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return said

    monkeypatch.setattr(installed, "distribution", lambda name: Installed())
    assert this_courtly() == named


@pytest.mark.usefixtures("fresh")
def test_a_courtly_that_was_not_installed_is_named_after_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(installed, "distribution", missing)
    assert this_courtly() == adjudicator.__version__


def test_the_name_is_written_when_a_turn_is_judged_and_stays_when_another_courtly_verifies_it(
    game: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (lines_of(game, "001-*"), lines_of(game, "002-*")) == (['judged_by: "0.0.9+1f0c5a7e9b21"'], [])
    as_courtly(monkeypatch, "0.2.0")
    checked = verify_game(game.archive, "game")
    assert (checked.turns, checked.problems) == (1, ())
    game.sheets(orders=[])
    game.run("2026-11-24T00:00Z")
    assert lines_of(game, "002-*") == ['judged_by: "0.2.0"']
    assert verify_game(game.archive, "game").problems == ()


def test_the_digest_is_the_same_whichever_courtly_judged(game: Play) -> None:
    before = verify_game(game.archive, "game").digest
    path = game.root / "games/game" / FIRST / "turn.yaml"
    text = path.read_text()
    for other in ('judged_by: "0.2.0"\n', ""):
        path.write_text(re.sub("^judged_by: .*\n", other, text, flags=re.MULTILINE))
        checked = verify_game(game.archive, "game")
        assert (checked.digest, checked.problems) == (before, ())


def test_a_run_that_was_killed_names_who_judged_the_turn_before_it(game: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn names the courtly that was killed; the next one only opens the turn after it."""
    before = (game.root / "games/game" / FIRST / "turn.yaml").read_bytes()
    shutil.rmtree(next((game.root / "games/game").glob("002-*")))
    as_courtly(monkeypatch, "0.2.0")
    game.run("2026-11-22T00:00Z")
    assert (game.root / "games/game" / FIRST / "turn.yaml").read_bytes() == before
    assert verify_game(game.archive, "game").problems == ()


def test_a_difference_is_reported_as_judged_by_another_courtly(game: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    """H3-6: after an update, the message was to restore a file that nobody had changed."""
    path = game.root / "games/game" / FIRST / "turn.yaml"
    path.write_text(
        path.read_text().replace("A Vienna - Tyrolia, result: succeeds", "A Vienna - Tyrolia, result: fails")
    )
    cause = (
        "judged by courtly 0.0.9+1f0c5a7e9b21; this is 0.2.0: `courtly upgrade` shows what comes out differently now"
    )
    plain = "judged again, it is "
    as_courtly(monkeypatch, "0.2.0")
    (fault,) = verify_game(game.archive, "game").problems
    assert fault.right.startswith(plain)
    assert fault.right.endswith(cause)
    as_courtly(monkeypatch, "0.0.9+1f0c5a7e9b21")
    (fault,) = verify_game(game.archive, "game").problems
    assert fault.right.startswith(plain)
    assert cause not in fault.right, "this very courtly judged it, so somebody changed it"


def test_no_message_asks_to_restore_a_position_that_another_courtly_made(
    game: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """H3-6: `check` and `run` gave the advice “restore the file from the history” about an unchanged file."""
    (path,) = (game.root / "games/game").glob("002-*/turn.yaml")
    text = path.read_text()
    path.write_text(text.replace("A Tyrolia", "A Vienna"))
    assert path.read_text() != text
    as_courtly(monkeypatch, "0.2.0")
    right = (
        "the turn before was judged by courtly 0.0.9+1f0c5a7e9b21; this is 0.2.0: "
        "`courtly upgrade` shows what comes out differently now"
    )
    (found,) = [fault for fault in check_archive(game.archive) if fault.level == "error"]
    assert (found.what, found.right) == ("the position is not the one the turn before led to", right)
    as_courtly(monkeypatch, "0.0.9+1f0c5a7e9b21")
    (found,) = [fault for fault in check_archive(game.archive) if fault.level == "error"]
    assert found.right == "restore the file from the history"
