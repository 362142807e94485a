"""Games that a run does not read because they cannot be due, and the faults that it notices in them nevertheless."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.core.files.floor import UNFINISHED
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.turn.load import load_game
from tests.core.test_archive import AT, FIRST, courtly, errors, new

EARLY = "2026-11-20T10:00Z"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An archive with three games; none is due early."""
    for slug in ("a", "b", "c"):
        new(tmp_path, slug)
    return tmp_path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Games that a run reads."""
    names: list[str] = []

    def load(archive: Archive, slug: str) -> Game:
        """Read the game and note its name."""
        names.append(slug)
        return load_game(archive, slug)

    monkeypatch.setattr("adjudicator.core.jobs.run.load_game", load)
    return names


def test_games_that_cannot_be_due_are_not_read(root: Path, reads: list[str]) -> None:
    """FR-10."""
    assert courtly(root, "run", "--at", EARLY).output == "Nothing is due.\n"
    assert reads == []
    (root / "games/b" / FIRST / "ruling.yaml").write_text(
        "rulings: [{reason: So., replace: {seat: Italy, player: Ida}}]\n"
    )
    assert courtly(root, "run", "--at", EARLY).output == "b: ruled Spring 1901, movement\n"
    assert set(reads) == {"b"}
    reads.clear()
    assert "a: resolved Spring 1901, movement" in courtly(root, "run", "--at", AT).output
    assert set(reads) == {"a", "b", "c"}  # a game with rulings is always read: they may have changed


def test_the_next_run_still_repairs_what_a_killed_run_left(root: Path) -> None:
    """FR-10. A missing map and unfinished files are noticed by their names only."""
    picture = root / "games/a" / FIRST / "map.svg"
    kept = picture.read_bytes()
    picture.unlink()
    left = [root / "games/b" / f"{UNFINISHED}002-fall-1901-movement", root / "games/c" / FIRST / f"{UNFINISHED}x"]
    for path in left:
        path.write_text("half")
    assert courtly(root, "run", "--at", EARLY).output == "a: redrew Spring 1901, movement\n"
    assert picture.read_bytes() == kept
    assert [path.exists() for path in left] == [False, False]


@pytest.mark.parametrize("deadline", ["soon", "2026-13-45T00:00Z", '""'])
def test_a_deadline_that_is_not_a_time_is_reported(root: Path, deadline: str) -> None:
    """FR-10. It counted as no deadline at all, so the game would have waited for ever."""
    path = root / "games/a" / FIRST / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("deadline: 2026-11-23T00:00Z", f"deadline: {deadline}".rstrip()), encoding="utf-8")
    result = courtly(root, "run", "--at", EARLY)
    assert result.exit_code == 1
    assert all(line.startswith(f"error: games/a/{FIRST}/turn.yaml:") for line in errors(result)), result.stderr


def test_other_commands_report_what_a_run_no_longer_checks(root: Path) -> None:
    """FR-10. `verify` reports a changed map, `check` a changed game.yaml; `run --game` reads that game as before."""
    picture = root / "games/a" / FIRST / "map.svg"
    kept = picture.read_bytes()
    picture.write_bytes(b"<svg></svg>")
    home = root / "games/b/game.yaml"
    home.write_text(home.read_text() + "wrong: 1\n")
    assert courtly(root, "run", "--at", EARLY).output == "Nothing is due.\n"
    assert "wrong" in "".join(errors(courtly(root, "check", "--at", EARLY)))
    assert "wrong" in "".join(errors(courtly(root, "run", "--game", "b", "--at", EARLY)))
    assert any("drawing the map again gives a different one" in line for line in errors(courtly(root, "verify")))
    assert courtly(root, "run", "--game", "a", "--at", EARLY).output == "a: redrew Spring 1901, movement\n"
    assert picture.read_bytes() == kept
