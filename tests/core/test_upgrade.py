"""After an update: turns that today's rules judge differently are shown, and stay as they were played if a reason is given (FH-11, FS-8)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.upgrade import upgrade_of
from adjudicator.core.jobs.verify import verify_game
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.core.test_deadlines import Play
from tests.core.test_secrets import MASTER, Table, cli

FIRST, SECOND = "001-spring-1901-movement", "002-fall-1901-movement"


@pytest.fixture
def older(tmp_path: Path) -> Play:
    """A game of two turns, as if another version had judged them: one verdict and a unit differ, and a map is drawn differently."""
    game = Play(tmp_path / "archive")
    game.sheet("Austria", "A Vienna - Tyrolia")
    game.sheets("Austria", orders=[])
    game.run("2026-11-22T00:00Z")
    game.sheets(orders=[])
    game.run("2026-11-24T00:00Z")
    folder = game.root / "games/game"
    for name, old, new in (
        (FIRST, r"(order: A Vienna - Tyrolia, result: )succeeds", r"\1fails"),
        (SECOND, r"A Tyrolia(?=.*\n)", "A Vienna"),
    ):
        path = folder / name / "turn.yaml"
        text, count = re.subn(old, new, path.read_text(), count=1)
        assert count == 1
        path.write_text(text)
    (folder / SECOND / "map.svg").write_text("<svg/>\n")
    return game


def courtly(game: Play, *words: str) -> tuple[str, int]:
    done = CliRunner().invoke(main, ["-C", str(game.root), *words])
    return done.output, done.exit_code


def test_differences_are_shown_and_nothing_is_written_without_a_reason(older: Play) -> None:
    before = {path: path.read_bytes() for path in older.root.rglob("*.*") if path.is_file()}
    text, code = courtly(older, "upgrade")
    lines = text.splitlines()
    assert code == 0
    assert lines[0].startswith(f"error: games/game/{FIRST}/turn.yaml:")
    assert "is archived; judged again, it is" in lines[0]
    assert lines[-1].startswith(
        "Judged differently today: 2 turns; drawn differently: 0 maps. With --reason they are kept"
    )
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    "ending", ["", "as_played:\n  003-x: because\n", "schedule: {turn: 2d}"], ids=["none", "some", "no newline"]
)
def test_with_a_reason_turns_are_kept_as_played_and_the_hosts_file_is_otherwise_unchanged(
    older: Play, ending: str
) -> None:
    path = older.root / "games/game/game.yaml"
    text = path.read_text().replace('schedule:\n  turn: "2d"\n', "")
    path.write_text(text + "# Ours.\n" + ending)
    before = path.read_text()
    told, code = courtly(older, "upgrade", "game", "--reason", "by 0.1: #other rules")
    assert code == 0, told
    assert told.splitlines()[-1] == "Now kept as played: 2 turns; drawn again: 0 maps."
    added = f'  "{FIRST}": "by 0.1: #other rules"\n  "{SECOND}": "by 0.1: #other rules"\n'
    assert path.read_text().replace("as_played:\n" + added, "as_played:\n" if "as_played" in before else "") in {
        before,
        before + "\n",
    }
    checked = verify_game(older.archive, "game")
    wrong = [str(fault) for fault in checked.problems]
    assert wrong == ([] if "003-x" not in ending else [wrong[0]])
    assert (checked.turns, checked.as_played) == (0, 2), "what stands is not counted as judged"
    notes = [str(note) for note in checked.notes]
    assert [
        f"{name}: this turn is kept as it was played, and is not verified: by 0.1: #other rules" in note
        for name, note in zip((FIRST, SECOND), notes, strict=True)
    ] == [True, True]
    assert upgrade_of(older.archive, "game").turns == {}
    story = load_story(older.archive, "game")
    assert story is not None
    assert "This turn is kept as it was played. Today&#39;s rules would judge it differently" in str(
        turn_page(story, 0, "", "../")
    )


def test_a_map_that_would_look_different_is_drawn_again(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    game.sheets(orders=[])
    game.run("2026-11-22T00:00Z")
    path = game.root / "games/game" / FIRST / "map.svg"
    right = path.read_bytes()
    path.write_text("<svg/>\n")
    assert courtly(game, "upgrade")[0].startswith("Judged differently today: 0 turns; drawn differently: 1 map.")
    assert courtly(game, "upgrade", "--reason", "So.")[0] == "Now kept as played: 0 turns; drawn again: 1 map.\n"
    assert path.read_bytes() == right
    assert "as_played" not in (game.root / "games/game/game.yaml").read_text()


@pytest.mark.parametrize("key", ["as_played", "rejudged"])
def test_names_that_no_turn_has_are_reported_with_their_line(key: str, tmp_path: Path) -> None:
    """FS-8: a name that no turn has was accepted."""
    game = Play(tmp_path / "archive")
    path = game.root / "games/game/game.yaml"
    path.write_text(path.read_text() + f"{key}:\n  001-spring-1901-movemint: so\n")
    line = path.read_text().count("\n")
    (fault,) = verify_game(game.archive, "game").problems
    assert (
        str(fault)
        == f"games/game/game.yaml:{line}:29: the game has no turn '001-spring-1901-movemint'; did you mean '{FIRST}'?"
    )


def test_the_page_of_a_game_that_was_judged_again_says_so(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    path = game.root / "games/game/game.yaml"
    path.write_text(path.read_text() + f"rejudged:\n  {FIRST}: two rules were mended\n")
    story = load_story(Archive(game.root), "game")
    assert story is not None
    page = str(turn_page(story, 0, "", "../"))
    assert "From this turn on the game was judged again, by corrected rules. Reason: two rules were mended" in page


def test_a_text_that_only_looks_like_the_key_is_left_alone(older: Play) -> None:
    path = older.root / "games/game/game.yaml"
    path.write_text(path.read_text() + "about: 'we say\n\nas_played:\n  things'\n")
    before = path.read_text()
    text, code = courtly(older, "upgrade", "--reason", "So.")
    assert (code, path.read_text()) == (1, before)
    assert "the turns cannot be added there without changing something else; add by hand:" in text
    assert courtly(older, "upgrade", "--reason", " ")[1] == 2


def test_sealed_turns_are_reported_as_not_judged(with_hazard: None, tmp_path: Path) -> None:
    table = Table(tmp_path / "archive")
    table.play(2)
    said = cli(table.root, "upgrade")
    assert said.output == (
        "Judged differently today: 0 turns; drawn differently: 0 maps. Not judged without the master secret: 2 sealed turns.\n"
    )
    assert "sealed" not in cli(table.root, "upgrade", COURTLY_MASTER=MASTER).output
