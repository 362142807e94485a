"""Turns on their own: case files that are judged again, and games that begin with a position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.case import bare_game, case_problems, case_text, read_case
from adjudicator.core.jobs.what_if import table_at
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.load import load_game, load_turn
from tests.conftest import ROOT, first_of

ARCHIVE = Archive(ROOT)
GAMES = [slug for slug in ARCHIVE.slugs() if len(ARCHIVE.turns(slug)) > 1]


def stops(game: str) -> list[tuple[str, str]]:
    """Judged turns of a game: the first two, one in the middle, the last."""
    turns = [one for one in ARCHIVE.turns(game) if load_turn(ARCHIVE, load_game(ARCHIVE, game), one).data.sheets]
    return [(game, turns[at]) for at in sorted({0, 1 % len(turns), len(turns) // 2, len(turns) - 1})] if turns else []


TURNS = [stop for game in GAMES for stop in stops(game)]


def case_at(game: str, turn: str) -> str:
    table = table_at(ARCHIVE, game, turn)
    table.judge(table.played)
    return case_text(table.case())


def invoke(folder: Path, *words: str) -> Any:
    return CliRunner().invoke(main, ["-C", str(folder), *words])


def test_the_cases_include_games_of_all_rulesets() -> None:
    assert {load_game(ARCHIVE, game).data.ruleset for game, _ in TURNS} == {*slugs()}


@pytest.mark.parametrize(("game", "turn"), TURNS)
def test_a_played_turn_is_judged_the_same_as_a_case(game: str, turn: str) -> None:
    """Without its archive: with dice, with the host's files, with hidden information."""
    text = case_at(game, turn)
    assert case_problems(text.encode(), "case.yaml") == []
    case = read_case(text.encode(), "case.yaml")
    played = load_turn(ARCHIVE, load_game(ARCHIVE, game), turn).data
    assert (bare_game(case, "case.yaml").ruleset.about.slug, case.phase) == (
        load_game(ARCHIVE, game).data.ruleset,
        played.phase,
    )
    assert len(case.result["verdicts"]) >= len(played.verdicts)


CHANGES = {
    "a verdict": ("result: succeeds", "result: fails", "verdicts: the case says"),
    "a sheet": ("F Trieste - Albania", "F Trieste H", "verdicts: the case says"),
    "a position": ("A Vienna", "A Tyrolia", "verdicts: the case says"),
    "two units in one place": ("F Trieste]", "F Vienna]", "Vienna"),
    "another ruleset": ("ruleset: diplomacy", "ruleset: chess", "no ruleset is called 'chess'"),
    "a stranger": ("  Austria:\n    orders", "  Atlantis:\n    orders", "the game has no seat 'Atlantis'"),
    "no case": ("result:\n", "outcome:\n", "this is a position, not a case"),
    "no position": ("position:\n", "places:\n", "'places'"),
    "another setting": (
        "ruleset: diplomacy",
        "ruleset: diplomacy\nsettings: {board: fleet_rome}",
        "the position has board: standard, but the game",
    ),
    "rolls that nobody rolled": (
        "result:\n",
        "rolls: [{name: x, sides: 6, value: 6}]\nresult:\n",
        "rolls: the case says",
    ),
    "junk for a file": ("result:\n", "files: {x.yaml: 'base64:abc'}\nresult:\n", "is not base64"),
    "no text": ("schema: 1", "schema: [", ""),
    "another schema": ("schema: 1", "schema: 9", "schema"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_every_change_to_a_case_is_reported_without_a_traceback(tmp_path: Path, what: str) -> None:
    old, new, said = CHANGES[what]
    text = case_at("first-lessons", "001-spring-1901-movement")
    assert old in text
    (tmp_path / "case.yaml").write_text(text.replace(old, new, 1))
    done = invoke(tmp_path, "case", str(tmp_path / "case.yaml"))
    assert done.exit_code == 1
    assert said in done.output
    assert "case.yaml: " in done.output or "case.yaml:" in done.output
    assert "Traceback" not in done.output


def test_all_named_case_files_are_judged(tmp_path: Path) -> None:
    names = []
    for game, turn in TURNS[:3]:
        names.append(str(tmp_path / f"{game}-{turn}.yaml"))
        Path(names[-1]).write_text(case_at(game, turn))
    done = invoke(tmp_path, "case", *names)
    assert (done.exit_code, done.output) == (0, "3 cases judged again: no differences.\n")
    done = invoke(tmp_path, "case", names[0], str(tmp_path / "none.yaml"))
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "none.yaml: there is no such file" in done.output


# Games that begin with a position ------------------------------------------------------------------------------------

OPEN = [stop for stop in TURNS if load_game(ARCHIVE, stop[0]).ruleset.secrecy is None]


@pytest.mark.parametrize(("game", "turn"), first_of(OPEN, 8))
def test_a_game_begins_with_a_position_and_goes_on(tmp_path: Path, game: str, turn: str) -> None:
    """The turn is judged as in the other game. Then it is a game like any other, and `verify` checks its start too."""
    table = table_at(ARCHIVE, game, turn)
    start = table.start()
    if start.kept:
        pytest.skip("begun with other data than courtly has today")
    (tmp_path / "start-file.yaml").write_text(case_text(start))
    done = invoke(tmp_path, "new", "again", "--here", "--from", str(tmp_path / "start-file.yaml"), "--sealed")
    assert "needs the archive's master secret" in done.output
    done = invoke(tmp_path, "new", "again", "--here", "--from", str(tmp_path / "start-file.yaml"))
    assert done.exit_code == 0, done.output
    archive = Archive(tmp_path)
    made = load_game(archive, "again")
    (first,) = archive.turns("again")
    opened = load_turn(archive, made, first).data
    assert (opened.position, opened.phase) == (table.position, table.phase)
    assert (made.data.ruleset, made.data.begins) == (table.game.data.ruleset, "start.yaml")
    assert invoke(tmp_path, "play", "again", "--all", "--seed", "1", "--turns", "1").exit_code == 0
    assert invoke(tmp_path, "verify").exit_code == 0
    folder = Archive(tmp_path).game_folder("again")  # it may be over already
    begun = folder / "start.yaml"
    begun.write_text(begun.read_text() + "# a remark\n")
    assert invoke(tmp_path, "verify", "--all").exit_code == 0, "a remark is no other position"
    turn_file = folder / first / "turn.yaml"
    plain: Any = read(turn_file.read_bytes(), "turn.yaml", limit=1 << 20).data
    other: Any = read(begun.read_bytes(), "start.yaml", limit=1 << 20).data
    assert other == plain["position"]


def begun_with(tmp_path: Path, change: Any) -> str:
    """Output of `courtly new --from` for a position that somebody changed."""
    plain: Any = read(
        case_text(table_at(ARCHIVE, "first-lessons", "002-fall-1901-movement").start()).encode(), "x"
    ).data
    change(plain)
    (tmp_path / "mine.yaml").write_text(write(plain))
    done = invoke(tmp_path, "new", "mine", "--here", "--from", str(tmp_path / "mine.yaml"))
    assert done.exit_code == 1
    assert not (tmp_path / "games/mine").exists()
    assert "Traceback" not in done.output
    return str(done.output)


WRONG: dict[str, tuple[Any, str]] = {
    "two units": (lambda plain: plain["position"]["units"].update(England=["F Trieste"]), "Trieste"),
    "no place": (lambda plain: plain["position"]["units"].update(England=["F Atlantis"]), "Atlantis"),
    "no position": (lambda plain: plain.pop("position"), "the file has no position"),
    "no ruleset": (lambda plain: plain.pop("ruleset"), "'ruleset' is missing"),
    "another setting": (
        lambda plain: plain.update(settings={"board": "fleet_rome"}),
        "the position has board: standard, but the game",
    ),
    "a stranger's key": (lambda plain: plain.update(motto="x"), "motto"),
    "a board that is not there": (lambda plain: plain.update(settings={"board": "islands.yaml"}), "islands.yaml"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_faulty_position_opens_no_game(tmp_path: Path, what: str) -> None:
    change, said = WRONG[what]
    told = begun_with(tmp_path, change)
    assert said in told
    assert "start.yaml" not in told, "a file that was never written"


def test_a_game_with_hidden_information_cannot_begin_with_an_open_position(tmp_path: Path) -> None:
    def hide(plain: dict[str, Any]) -> None:
        plain.update(ruleset="heir_apparent", settings=None)

    assert "has hidden information" in begun_with(tmp_path, hide)


def test_a_changed_start_position_is_named(tmp_path: Path) -> None:
    (tmp_path / "start-file.yaml").write_text(
        case_text(table_at(ARCHIVE, "first-lessons", "002-fall-1901-movement").start())
    )
    assert invoke(tmp_path, "new", "again", "--here", "--from", str(tmp_path / "start-file.yaml")).exit_code == 0
    assert load_game(Archive(tmp_path), "again").title == "First lessons"
    begun = tmp_path / "games/again/start.yaml"
    begun.write_text(begun.read_text().replace("F Albania", "F Greece"))
    done = invoke(tmp_path, "verify")
    assert done.exit_code == 1
    assert "games/again/start.yaml: the position in start.yaml is not the one that the game began with" in done.output


def test_the_name_of_the_start_file_cannot_lead_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "start-file.yaml").write_text(case_text(table_at(ARCHIVE, *OPEN[0]).start()))
    assert invoke(tmp_path, "new", "again", "--here", "--from", str(tmp_path / "start-file.yaml")).exit_code == 0
    place = tmp_path / "games/again/game.yaml"
    text = place.read_text()
    for name in ("../../secret.yaml", "game.yaml", "none.yaml", "a/b.yaml"):
        place.write_text(text.replace("begins: start.yaml", f"begins: {name}"))
        with pytest.raises(Problems):
            load_game(Archive(tmp_path), "again")
