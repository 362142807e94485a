"""Words to everybody on a sheet, and games whose sheets count for one turn: house rules in game.yaml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.sheet import MOST_WORDS
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import seat_file
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.text.problems import Problem
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.load import load_game
from adjudicator.core.turn.sheets import check_sheet
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.core.test_deadlines import SEATS, Play

SAID = "Peace with Turkey. Nobody else."


def begun(root: Path, *, sealed: bool = False, **house: Any) -> Play:
    """A game with these keys in its game.yaml, which no turn was judged in."""
    game = Play(root / "archive", sealed=sealed)
    path = game.root / "games/game/game.yaml"
    path.write_text(write({**read(path.read_bytes(), "game.yaml").data, **house}), encoding="utf-8")  # type: ignore[dict-item]
    return game


def page(game: Play) -> str:
    """The first turn's page."""
    story = load_story(game.archive, "game")
    assert story is not None
    return turn_page(story, 0, "<svg></svg>", "../../../")


def remarks(game: Play, said: dict[str, Any]) -> tuple[Problem, ...]:
    """Errors that `check` finds in Austria’s sheet."""
    turn = game.turn()
    found = check_sheet(turn.game, turn.data, "Austria", read(write(said).encode(), "austria.yaml"))
    return tuple(one for one in found if one.level == "error")


def judged(game: Play, **said: Any) -> dict[str, str] | None:
    """Words that the first turn publishes, if Austria says this and all others send plain sheets."""
    game.sheet("Austria", **said)
    game.sheets("Austria")
    game.run("2026-11-22T00:00Z")
    words = game.turn(1).data.words
    return dict(words) if words is not None else None


@pytest.mark.parametrize("sealed", [False, True])
def test_words_are_published_with_the_turn_and_not_before(tmp_path: Path, sealed: bool) -> None:
    game = begun(tmp_path, sealed=sealed, words=True)
    game.sheet("Austria", words=SAID)
    before = page(game)
    assert SAID not in before
    assert SAID not in (game.turn().folder / "turn.yaml").read_text(encoding="utf-8")
    assert judged(game, words=f"  {SAID}\n") == {"Austria": SAID}
    after = page(game)
    assert f"<strong>Austria</strong>: {SAID}" in after
    assert verify_game(game.archive, "game").problems == ()


def test_words_do_not_count_where_the_game_publishes_none(tmp_path: Path) -> None:
    game = begun(tmp_path)
    assert [one.what for one in remarks(game, {"orders": [], "words": SAID})] == [
        "this game publishes no words with the orders"
    ]
    assert judged(game, words=SAID) is None
    assert "words:" not in (game.turn(1).folder / "turn.yaml").read_text(encoding="utf-8")


def test_too_many_words_are_left_out_and_the_orders_count(tmp_path: Path) -> None:
    game = begun(tmp_path, words=True)
    assert remarks(game, {"words": "a" * MOST_WORDS}) == ()
    assert re.search(f"at most {MOST_WORDS}", str(remarks(game, {"words": "a" * (MOST_WORDS + 1)})))
    game.sheet("Austria", "A Vienna - Galicia", words="a" * (MOST_WORDS + 1))
    game.sheets("Austria")
    game.run("2026-11-22T00:00Z")
    data = game.turn(1).data
    assert data.words is None
    assert [verdict.reason for verdict in data.verdicts if verdict.order == "A Vienna - Galicia"] == ["unopposed"]
    assert [*(data.partly or {})] == [f"{seat_file('Austria')}.yaml"]


def test_words_are_text_and_never_code(tmp_path: Path) -> None:
    game = begun(tmp_path, words=True)
    judged(game, words="<b>War</b> & [peace](javascript:x) {{ y }}")
    shown = page(game)
    assert "<b>War" not in shown
    assert "&lt;b&gt;War&lt;/b&gt; &amp; " in shown


def test_a_voided_sheet_says_nothing(tmp_path: Path) -> None:
    game = begun(tmp_path, words=True)
    game.rule({"void": {"seat": "Austria"}, "reason": "An insult."})
    assert judged(game, words=SAID) is None


def test_a_standing_sheet_speaks_once(tmp_path: Path) -> None:
    game = begun(tmp_path, words=True)
    assert judged(game, words=SAID, standing=True) == {"Austria": SAID}
    game.sheets("Austria")
    game.run("2026-11-24T00:00Z")
    second = game.turn(2).data
    assert dict(second.stood or {}) == {"Austria": game.turns[0]}
    assert second.words is None


def test_sheets_count_for_one_turn_where_the_game_says_so(tmp_path: Path) -> None:
    game = begun(tmp_path, standing=False)
    assert [one.what for one in remarks(game, {"orders": [], "standing": True})] == [
        "in this game a sheet counts for one turn"
    ]
    assert remarks(game, {"orders": []}) == ()
    judged(game, standing=True)
    second = game.turn(2).data
    assert second.standing is None
    assert set(second.owing) == {*SEATS}
    assert verify_game(game.archive, "game").problems == ()


def test_new_takes_both_as_options(tmp_path: Path) -> None:
    """They never change once the game has begun, and `courtly new` begins it."""
    root = tmp_path / "archive"
    run = CliRunner().invoke(
        main, ["-C", str(root), "new", "seas", "--here", "--words", "--no-standing"], catch_exceptions=False
    )
    assert run.exit_code == 0, run.output
    data = load_game(Archive(root), "seas").data
    assert (data.words, data.standing) == (True, False)
