"""Putting a judged turn back (FH-4): nothing sent is lost, the keys are new, and everybody can verify it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.files.floor import Files
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs import undo
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.run import undo_turn
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.envelope import open_own
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.aside import news_alone
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests import hazard
from tests.core.test_deadlines import Play
from tests.core.test_rulings import Table, rule

FIRST, SECOND = "001-spring-1901-movement", "002-fall-1901-movement"
OVER = "2026-11-22T00:00Z"
LATER = "2026-11-22T12:00Z"


def judged(root: Path, *, sealed: bool) -> Play:
    """A game whose first turn was judged with sheets of all, and whose second has a sheet of Italy."""
    game = Play(root, sealed=sealed)
    game.sheet("Austria", "A Vienna - Tyrolia")
    game.sheets("Austria", orders=[])
    assert game.run(OVER) == ["resolved 001", "opened 002"]
    game.sheet("Italy", "A Rome - Apulia")
    return game


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_a_judged_turn_is_put_back_and_played_again(sealed: bool, tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=sealed)
    before, first, second = files(game.root / "games/game"), game.turn(1).data, game.turn(2).data
    steps = list(undo_turn(game.archive, "game", "Italy's sheet was lost", LATER))
    assert [(step.what, step.turn) for step in steps] == [("put back", FIRST)]
    after = files(game.root / "games/game")
    # Nothing is gone: all of it is in undone/, byte for byte, with the ruling beside it.
    kept = {name: body for name, body in before.items() if name[0].isdecimal()}
    assert {f"undone/{name.replace('/', '.1/', 1)}": body for name, body in kept.items()}.items() <= after.items()
    assert read(after[f"undone/{SECOND}.1/ruling.yaml"], "").data == {
        "rulings": [{"reason": "Italy's sheet was lost", "undo": True}]
    }
    assert game.turns == [FIRST]
    again = game.turn(1).data
    assert (again.status, again.attempt, again.put_back) == ("open", 2, "Italy's sheet was lost")
    assert (again.position, again.opened, again.deadline) == (first.position, LATER, "2026-11-24T12:00Z")
    assert again.dice.commitment not in {first.dice.commitment, second.dice.commitment}
    if sealed:
        assert again.seal is not None
        assert first.seal is not None
        assert again.seal.recipient != first.seal.recipient
    assert game.run(LATER) == []
    game.check()
    assert check_archive(game.archive) == []
    # It goes on: other orders, another result; the second turn is another attempt too.
    game.sheet("Austria", "A Vienna - Galicia")
    game.sheets("Austria", orders=[])
    assert game.run("2026-11-24T12:00Z") == ["resolved 001", "opened 002"]
    assert game.turn(2).data.attempt == 2
    assert game.turn(2).data.dice.commitment != second.dice.commitment
    assert "A Galicia" in game.turn(2).data.position.units["Austria"]
    game.check()


def test_a_turn_can_be_put_back_again_and_by_a_ruling_without_the_command(tmp_path: Path) -> None:
    """As the host does by pull request: the ruling is in the open turn's file, and the next run carries it out."""
    game = judged(tmp_path / "archive", sealed=True)
    for number in (2, 3):
        game.rule({"reason": f"For the {number}nd time.", "undo": True})
        assert game.run(LATER) == ["put back 001"]
        assert game.turn(1).data.attempt == number
        game.sheets(orders=[])
        assert game.run("2026-11-24T12:00Z") == ["resolved 001", "opened 002"]
        assert game.turn(2).data.attempt == number
        game.check()
    names = sorted(path.name for path in (game.root / "games/game/undone").iterdir())
    assert names == [f"{FIRST}.1", f"{FIRST}.2", f"{SECOND}.1", f"{SECOND}.2"]


def test_rulings_about_the_start_and_the_players_apply_again(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    game.rule(
        {"reason": "The box.", "correct": {"units.Austria": ["A Serbia"]}},
        {"reason": "Gone.", "replace": {"seat": "Italy", "player": "Ida"}},
        {"reason": "A feast.", "extend": "2026-11-23T00:00Z"},
    )
    game.run("2026-11-20T12:00Z")
    game.sheets(orders=[])
    game.run("2026-11-23T00:00Z")
    game.rule({"reason": "Ill.", "replace": {"seat": "Turkey", "player": "Tom"}})
    game.run("2026-11-23T00:00Z")
    game.rule({"reason": "Once more.", "undo": True})
    assert game.run("2026-11-23T06:00Z") == ["put back 001", "ruled 001"]
    data = game.turn(1).data
    assert [ruling.reason for ruling in data.rulings] == ["The box.", "Gone.", "Ill."]
    assert data.position.units["Austria"] == ("A Serbia",)
    assert {seat: player.player for seat, player in (data.players or {}).items()} == {"Italy": "Ida", "Turkey": "Tom"}
    assert data.deadline == "2026-11-25T06:00Z"
    game.check()


def test_hidden_parts_are_dealt_and_sealed_again(with_hazard: None, tmp_path: Path) -> None:
    """A hidden correction is sealed to the new attempt's key; dispatches are sent again; the old key opens nothing new."""
    table = Table(tmp_path / "archive")
    hand = ["card-01", "card-02", "card-03"]
    rule(table, {"reason": "Dealt wrongly.", "correct": {"hands.Ash": hand}})
    table.run("2026-11-20T12:00Z")
    table.play(1)
    first = load_turn(table.archive, load_game(table.archive, "cards"), table.archive.turns("cards")[0]).data
    rule(table, {"reason": "Once more.", "undo": True})
    assert table.run("2026-11-21T06:00Z") == ["put back", "ruled"]
    again = table.turn
    assert (again.data.attempt, again.data.rulings[0].reason) == (2, "Dealt wrongly.")
    assert first.seal is not None
    assert again.data.seal is not None
    assert first.seal.recipient != again.data.seal.recipient
    assert load_all(table.archive, again).position.hands["Ash"] == tuple(hand)
    letter = (again.folder / "dispatches/ash.age").read_bytes()
    news: Any = read(news_alone(open_own(letter, [table.identities["Ash"]], "")), "").data
    assert (news["attempt"], news["position"]["hands"]["Ash"]) == (2, hand)
    assert [str(fault) for fault in verify_game(table.archive, "cards").problems] == []
    for number in range(2, hazard.LAST + 2):
        for seat in hazard.SEATS:
            table.sheet(seat, "word")
        table.run(f"2026-11-2{number}T06:00Z")
    assert table.archive.has_ended("cards")
    checked = verify_game(Archive(table.root), "cards")
    assert ([str(fault) for fault in checked.problems], checked.sealed) == ([], 0)


def test_rulings_above_an_undo_are_applied_first_and_none_may_follow_it(tmp_path: Path) -> None:
    """A player who was replaced in the same file would have kept the seat, without any message."""
    game = judged(tmp_path / "archive", sealed=False)
    game.rule(
        {"reason": "Gone.", "replace": {"seat": "Italy", "player": "Nina"}}, {"reason": "Once more.", "undo": True}
    )
    assert game.run(LATER) == ["ruled 002", "put back 001", "ruled 001"]
    assert {seat: player.player for seat, player in (game.turn(1).data.players or {}).items()} == {"Italy": "Nina"}
    game.check()
    game.sheets(orders=[])
    game.run("2026-11-24T12:00Z")
    game.rule({"reason": "Again.", "undo": True}, {"reason": "Wait.", "pause": True})
    before = files(game.root)
    with pytest.raises(
        Problems, match="a ruling below an `undo` would have no effect: this turn is put back, too; remove it"
    ):
        game.run("2026-11-24T12:00Z")
    assert files(game.root) == before


def test_a_paused_game_stays_paused_when_its_turn_is_put_back(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)
    game.rule({"reason": "A feast.", "pause": True})
    assert game.run(LATER) == ["ruled 002"]
    game.rule({"reason": "Once more.", "undo": True})
    assert game.run(LATER) == ["put back 001", "ruled 001"]
    assert game.turn(1).data.paused
    game.check()


def test_a_turn_kept_as_played_is_not_put_back_silently(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)
    path = game.root / "games/game/game.yaml"
    path.write_text(path.read_text() + f"as_played:\n  {FIRST}: older rules\n")
    with pytest.raises(Problems, match=f"take {FIRST} out of `as_played` first"):
        list(undo_turn(game.archive, "game", "So.", LATER))
    path.write_text(path.read_text().replace(f"as_played:\n  {FIRST}: older rules\n", ""))
    assert game.run(LATER) == ["put back 001"]


def test_a_run_that_was_killed_before_the_next_turn_opened_is_finished_first(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)
    shutil.rmtree(game.root / "games/game" / SECOND)
    steps = [(step.what, step.turn) for step in undo_turn(game.archive, "game", "So.", LATER)]
    assert steps == [("mended", SECOND), ("put back", FIRST)]
    game.check()


def test_after_the_game_undone_turns_are_revealed_and_verified_too(with_hazard: None, tmp_path: Path) -> None:
    table = Table(tmp_path / "archive")
    table.play(1)
    rule(table, {"reason": "Once more.", "undo": True})
    table.run("2026-11-21T06:00Z")
    for number in range(2, hazard.LAST + 2):
        for seat in hazard.SEATS:
            table.sheet(seat, "word")
        table.run(f"2026-11-2{number}T06:00Z")
    assert table.archive.has_ended("cards")
    with_master, without = (verify_game(archive, "cards") for archive in (table.archive, Archive(table.root)))
    assert [str(fault) for fault in with_master.problems] == []
    assert with_master == without
    kept = sorted((table.archive.game_folder("cards") / "undone").glob("*/turn.yaml"))
    assert [path.read_text().count("identity: AGE-SECRET-KEY-1") for path in kept] == [1, 0], (
        "what was never judged stays sealed"
    )
    text = kept[0].read_text()
    kept[0].write_text(re.sub(r"(?m)^  identity: .*\n", "", text))
    (fault,) = verify_game(Archive(table.root), "cards").problems
    assert "the key of this turn, which was put back, is not published; run `courtly reveal`" in str(fault)


def test_nothing_is_put_back_if_nothing_was_judged(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    before = files(game.root)
    with pytest.raises(Problems, match="there is no judged turn to put back"):
        list(undo_turn(game.archive, "game", "So.", LATER))
    with pytest.raises(Problems, match="the reason is empty"):
        list(undo_turn(game.archive, "game", " ", LATER))
    assert files(game.root) == before


def test_a_finished_game_stays_over(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)
    game.rule({"reason": "Enough.", "end": {"how": "draw"}})
    game.run(LATER)
    before = files(game.root)
    with pytest.raises(
        Problems, match="the game is over, and no turn of a finished game can be put back; its secrets are published"
    ):
        list(undo_turn(game.archive, "game", "So.", LATER))
    assert files(game.root) == before


def test_verify_notices_changes_to_undone_turns(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)
    list(undo_turn(game.archive, "game", "So.", LATER))
    kept = game.root / "games/game/undone" / f"{FIRST}.1"
    whole = files(game.root)

    def faults() -> list[str]:
        return [str(fault) for fault in verify_game(game.archive, "game").problems]

    for name, changed, said in (
        (f"undone/{FIRST}.1/turn.yaml", lambda body: body.replace(b"Tyrolia", b"Bohemia"), "is archived"),
        (f"undone/{FIRST}.1/orders/austria.yaml", lambda body: b"orders: []\n", "changed after the turn was judged"),
        (
            f"undone/{SECOND}.1/ruling.yaml",
            lambda body: body.replace(b"So.", b"Or so."),
            "no ruling in undone/ gives the reason",
        ),
        (
            f"{FIRST}/turn.yaml",
            lambda body: body.replace(b"attempt: 2", b"attempt: 3"),
            "this is attempt 3, but going by undone/ it should be attempt 2",
        ),
    ):
        path = game.root / "games/game" / name
        body = path.read_bytes()
        path.write_bytes(changed(body))
        assert path.read_bytes() != body
        assert any(said in fault for fault in faults()), (name, faults())
        path.write_bytes(body)
    assert files(game.root) == whole
    assert faults() == []
    shutil.rmtree(kept)
    assert any("this is attempt 2, but going by undone/ it should be attempt 1" in fault for fault in faults())


@pytest.mark.slow
@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
@pytest.mark.parametrize("again", ["run", "undo"])
def test_an_undo_killed_between_any_two_steps_is_finished_by_the_next_run(
    sealed: bool, again: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or by the same `undo` once more, which does not put back another turn."""
    start = judged(tmp_path / "start", sealed=sealed)
    start.rule({"reason": "So.", "undo": True})
    straight = start.copy(tmp_path / "straight")
    assert straight.run(LATER) == ["put back 001"]

    def content(game: Play) -> dict[str, bytes]:
        return files(game.root / "games")

    for nth in range(1, 10):
        here = start.copy(tmp_path / f"killed-{nth}")
        left = [nth]

        def stopping(work: Callable[..., object], left: list[int] = left) -> Callable[..., object]:
            def step(*args: Any) -> object:
                left[0] -= 1
                if not left[0]:
                    raise KeyboardInterrupt
                return work(*args)

            return step

        with monkeypatch.context() as patch:
            patch.setattr(undo, "_move", stopping(undo._move))
            patch.setattr(Files, "write_folder", stopping(Files.write_folder))
            try:
                here.run(LATER)
                break
            except KeyboardInterrupt:
                pass
        if again == "run":
            here.run(LATER)
        else:
            assert [done.what for done in undo_turn(here.archive, "game", "So.", LATER)] == ["put back"]
        assert content(here) == content(straight), nth
    assert nth == 4, "before each of the two moves and the new folder"


def test_the_page_of_an_undone_turn_says_so_and_why(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)
    list(undo_turn(game.archive, "game", "Italy's <b>sheet</b> was lost", LATER))
    story = load_story(game.archive, "game")
    assert story is not None
    page = str(turn_page(story, 0, "", "../"))
    assert (
        "The host put this turn back, and it is played again. Reason: Italy&#39;s &lt;b&gt;sheet&lt;/b&gt; was lost"
        in page
    )
    assert "games/game/undone/" in page


def test_the_undo_command_puts_a_turn_back(tmp_path: Path) -> None:
    game = judged(tmp_path / "archive", sealed=False)

    def courtly(*words: str) -> tuple[str, int]:
        done = CliRunner().invoke(main, ["-C", str(game.root), *words])
        return done.output, done.exit_code

    assert courtly("undo", "game", "--reason", "So.", "--at", LATER) == ("game: put back Spring 1901, movement\n", 0)
    assert courtly("check") == ("Every game can be judged.\n", 0)
    text, code = courtly("undo", "game", "--reason", "So.", "--at", LATER)
    assert (text.startswith("error: games/game/001-spring-1901-movement/ruling.yaml"), code) == (True, 1)
    assert courtly("undo", "game")[1] == 2


def test_a_player_who_joined_later_has_the_seat_in_the_replayed_turn_and_after_it(tmp_path: Path) -> None:
    """The same answer while it is open and after it is judged: otherwise a refused sheet would count afterwards."""
    game = Play(tmp_path / "archive", sealed=True)
    path = game.root / "games/game/game.yaml"
    text = path.read_text()
    seat = "{player: Italy’s player, account: 105}"
    assert seat in text
    path.write_text(text.replace(seat, "{player: open}") + "join: first\n")
    game.sheets("Italy", orders=[])
    assert game.run(OVER) == ["resolved 001", "opened 002"]
    joined = game.root / "games/game/join"
    joined.mkdir()
    who = {"schema": 1, "seat": "Italy", "player": "ida", "account": 105, "turn": SECOND, "asked": "2026-11-22T06:00Z"}
    (joined / "italy.yaml").write_text(write(who))
    list(undo_turn(game.archive, "game", "So.", LATER))
    game.sheet("Italy", "A Rome - Apulia")
    game.sheet("Italy", "A Rome H", account=777)
    assert game.run("2026-11-24T12:00Z") == ["resolved 001", "opened 002"]
    data = game.turn(1).data
    assert list(data.refused or {}) == ["italy.2.yaml.age"]
    assert "Italy" in (data.sheets or {})
    game.check()
    assert game.run("2026-11-24T12:00Z") == []
