"""The open turn is guarded: with the master secret at hand, other keys than the archive's stop a game loudly (FS-3, FS-4, FS-15)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.ci.adjudicate import judged
from adjudicator.core.archive import Archive
from adjudicator.core.batch import run_game
from adjudicator.core.checking import check_archive
from adjudicator.core.enter import new_charter, new_game, setup_commitment
from adjudicator.core.guard import strangers
from adjudicator.core.problems import Problems
from adjudicator.core.seal import new_identity, read_masters, recipient_of
from tests.core.test_deadlines import MASTER, SEATS, Play
from tests.core.test_secrets import cli

FIRST = "001-spring-1901-movement"
THEIRS = recipient_of(new_identity())
TURN = f"games/game/{FIRST}/turn.yaml"
OVER = "2026-11-22T00:00Z"
"""After the first deadline."""

Change = Callable[[Path], None]


def replacing(name: str, pattern: str, new: str) -> Change:
    def change(root: Path) -> None:
        path = root / name
        text = path.read_text(encoding="utf-8")
        changed = re.sub(pattern, new, text, count=1, flags=re.MULTILINE)
        assert changed != text
        path.write_text(changed, encoding="utf-8")

    return change


STRANGE: dict[str, tuple[Change, str]] = {
    "FS-3: another's key": (
        replacing(TURN, r"recipient: age1\w+", f"recipient: {THEIRS}"), "the key that sheets are sealed to is not the one that"),
    "FS-3: another commitment": (
        replacing(TURN, r'commitment: "?[0-9a-f]{64}"?', f"commitment: {'ab' * 32}"), "the commitment to the dice is not the one that"),
    "FS-3: secrets of their own, as if they were published": (
        replacing(TURN, r"(commitment: .*)$", rf"\1\n  secret: {'cd' * 32}"), "secrets stand in an open turn, which"),
    "FS-4: another id of the archive": (
        replacing("games/archive.yaml", r"archive: \S+", "archive: " + "e0" * 8), "the key that sheets are sealed to is not"),
    "FS-4: an id where there was none": (
        replacing("games/game/game.yaml", r"^title:", "id: " + "a1" * 8 + "\ntitle:"), "the key that sheets are sealed to is not"),
}  # fmt: skip


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Play:
    game = Play(tmp_path_factory.mktemp("guard") / "archive", sealed=True)
    game.sheets(orders=[])
    return game


@pytest.mark.parametrize("name", STRANGE)
def test_other_keys_than_the_archives_stop_the_game_and_say_what_to_restore(
    name: str, start: Play, tmp_path: Path
) -> None:
    change, what = STRANGE[name]
    game = start.copy(tmp_path / "archive")
    change(game.root)
    before = {path: path.read_bytes() for path in game.root.rglob("*.*") if path.is_file()}
    with pytest.raises(Problems) as caught, game.archive.writing():
        list(run_game(game.archive, "game", at=OVER))
    fault = next(one for one in caught.value.problems if one.what.startswith(what))
    assert fault.path == TURN
    assert fault.line > 1
    assert fault.right.startswith("restore turn.yaml from the history; or what it comes from, if that was changed: ")
    assert set(check_archive(game.archive)) >= {fault}
    # The job that has the secret says so long before anything is due, and stops no other game.
    batch = judged(game.archive, "2026-11-20T01:00Z")
    assert (sorted(batch.problems), batch.steps, batch.read) == (sorted(caught.value.problems), [], 0)
    assert {path: path.read_bytes() for path in before} == before
    for words in (("check",), ("run", "--at", OVER)):
        done = cli(game.root, *words, COURTLY_MASTER=MASTER)
        assert done.exit_code == 1
        assert f"error: {TURN}:" in done.output
        assert "Every game can be judged" not in done.output


def test_a_file_in_which_keys_are_hidden_from_a_quick_look_is_read_whole(start: Play, tmp_path: Path) -> None:
    """The lines that say what they should stand in a text; what counts stands elsewhere."""
    game = start.copy(tmp_path / "archive")
    path = game.root / TURN
    text = path.read_text(encoding="utf-8")
    found = re.search(r"^seal:\n(?:  .*\n)+", text, re.MULTILINE)
    assert found is not None
    theirs = re.sub(r"age1\w+", THEIRS, found[0])
    for fake in (f'put_back: "\n{found[0]}"\n', f"put_back: |\n  x\n\n{found[0]}"):
        path.write_text(text.replace(found[0], "") + theirs.replace("seal:", '"seal":') + fake, encoding="utf-8")
        stopped = judged(game.archive, "2026-11-20T01:00Z").problems
        assert stopped or "game" not in strangers(game.archive)
        with pytest.raises(Problems), game.archive.writing():
            list(run_game(game.archive, "game", at=OVER))


def test_an_edited_seed_stops_a_game_that_is_not_sealed(tmp_path: Path) -> None:
    """FS-4: the dice would silently be others."""
    game = Play(tmp_path / "archive")
    game.sheets(orders=[])
    replacing("games/game/game.yaml", r"^seed: .*$", "seed: another")(game.root)
    with (
        pytest.raises(Problems, match="the commitment to the dice is not the one that the game's seed gives"),
        game.archive.writing(),
    ):
        list(run_game(game.archive, "game", at=OVER))
    assert [one.what for one in check_archive(game.archive)] == [
        "the commitment to the dice is not the one that the game's seed gives"
    ]


def test_who_has_no_secret_is_told_nothing_and_nothing_is_wrong_where_nothing_was_changed(
    start: Play, tmp_path: Path
) -> None:
    game = start.copy(tmp_path / "archive")
    assert strangers(game.archive) == {}
    assert check_archive(game.archive) == []
    STRANGE["FS-3: another's key"][0](game.root)
    assert check_archive(Archive(game.root)) == [], "SECURITY.md says what can happen until a job with the secret looks"


def test_an_archive_that_lost_its_id_gets_no_other(start: Play, tmp_path: Path) -> None:
    """FS-4: `init` wrote a new one, and the sheets of every open turn were refused in silence."""
    game = start.copy(tmp_path / "archive")
    (game.root / "games/archive.yaml").unlink()
    with pytest.raises(
        Problems, match=r"games/archive.yaml: there is none, and sealed games are here, .*: game; restore it"
    ):
        new_charter(game.archive)
    assert not (game.root / "games/archive.yaml").exists()


def test_a_game_that_gathers_nonces_does_not_open_without_them(tmp_path: Path) -> None:
    """FS-15: `run --now` opened it, and the host's secret alone dealt the cards."""
    archive = Archive(tmp_path, read_masters(MASTER, "test"))
    archive.games.mkdir()
    new_charter(archive)
    seats = {seat: {"player": seat} | ({"nonce": "n" * 8} if seat != "Italy" else {}) for seat in SEATS}
    data = {
        "ruleset": "diplomacy",
        "title": "G",
        "opened": "2026-11-20",
        "sealed": True,
        "id": "0f" * 8,
        "seats": seats,
    }
    new_game(archive, "game", data | {"setup": setup_commitment(archive, "game", "0f" * 8)})
    with archive.writing():
        assert list(run_game(archive, "game", at=OVER)) == []
        with pytest.raises(
            Problems, match="the game waits for the nonces of Italy; each player gives one: they deal with the host"
        ):
            list(run_game(archive, "game", at=OVER, now=True))
    assert archive.turns("game") == []
