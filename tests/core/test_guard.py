"""The open turn is guarded: with the master secret at hand, keys that are not the archive's stop a game loudly (FS-3, FS-4, FS-15)."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adjudicator.ci.adjudicate import judge_due_games
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs import guard
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.guard import strangers
from adjudicator.core.jobs.new import new_charter, new_game, setup_commitment
from adjudicator.core.jobs.run import run_game, undo_turn
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_charter, load_game, load_turn
from tests.ci.fake import git
from tests.core.test_deadlines import MASTER, SEATS, Play
from tests.core.test_secrets import Table, cli

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
        replacing(TURN, r"(commitment: .*)$", rf"\1\n  secret: {'cd' * 32}"), "this turn is open, but shows secrets"),
    "another width of sheets": (
        replacing(TURN, r"(recipient: .*)$", r"\1\n  format: 2\n  width: 4096"), "the lengths of the sealed files are not allowed"),
    "an attempt that there was not": (
        replacing(TURN, r"^status: open$", "status: open\nattempt: 2"), "this is attempt 2, but going by undone/ it should be attempt 1"),
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
def test_keys_that_are_not_the_archives_stop_the_game_with_advice_on_what_to_restore(
    name: str, start: Play, tmp_path: Path
) -> None:
    change, what = STRANGE[name]
    game = start.copy(tmp_path / "archive")
    change(game.root)
    before = {path: path.read_bytes() for path in game.root.rglob("*.*") if path.is_file()}
    with pytest.raises(Problems) as caught, game.archive.writing():
        list(run_game(game.archive, "game", at=OVER))
    fault = next(fault for fault in caught.value.problems if fault.what.startswith(what))
    assert fault.path == TURN
    assert fault.line > 1
    assert fault.right.startswith(
        "from the history, restore whatever was changed: turn.yaml, or what its keys come from ("
    )
    assert set(check_archive(game.archive)) >= {fault}
    # The job with the secret reports it long before anything is due, and does not stop any other game.
    batch = judge_due_games(game.archive, "2026-11-20T01:00Z")
    assert (sorted(batch.problems), batch.steps, batch.read) == (sorted(caught.value.problems), [], 0)
    assert {path: path.read_bytes() for path in before} == before
    for words in (("check",), ("run", "--at", OVER)):
        done = cli(game.root, *words, COURTLY_MASTER=MASTER)
        assert done.exit_code == 1
        assert f"error: {TURN}:" in done.output
        assert "Every game can be judged" not in done.output


def test_a_file_that_hides_keys_from_a_quick_look_is_read_whole(start: Play, tmp_path: Path) -> None:
    """The expected lines are inside a text; the lines that count are elsewhere."""
    game = start.copy(tmp_path / "archive")
    path = game.root / TURN
    text = path.read_text(encoding="utf-8")
    seal = re.search(r"^seal:\n(?:  .*\n)+", text, re.MULTILINE)
    assert seal is not None
    theirs = re.sub(r"age1\w+", THEIRS, seal[0])
    inline = "seal: {" + ", ".join(line.strip() for line in theirs.splitlines()[1:]) + "}\n"
    for real, fake in (
        (theirs.replace("seal:", '"seal":'), f'put_back: "\n{seal[0]}"\n'),
        (theirs.replace("seal:", '"seal":'), f"put_back: |\n  x\n\n{seal[0]}"),
        (inline, f"put_back:\n  'x\n\n{seal[0]}\n  '\n"),
        (inline, f'put_back:\n  "x\n\n{seal[0]}\n  "\n'),
    ):
        path.write_text(text.replace(seal[0], "") + real + fake, encoding="utf-8")
        name = Archive(game.root).turns("game")[-1]
        assert not guard._sure(game.archive, load_charter(game.archive).archive, "game", name)  # type: ignore[union-attr]
        with pytest.raises(Problems), game.archive.writing():
            list(run_game(game.archive, "game", at=OVER))


def test_the_keys_of_an_undone_attempt_are_not_accepted_again(tmp_path: Path) -> None:
    """They were published: if they came back into the open turn, anybody could read every sheet. The file's claim about it does not count."""
    game = Play(tmp_path / "archive", sealed=True)
    game.sheets(orders=[])
    game.run(OVER)
    list(undo_turn(game.archive, "game", "So.", OVER))
    assert strangers(game.archive) == {}
    path = game.root / TURN
    old = (game.root / "games/game/undone" / f"{FIRST}.1/turn.yaml").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^attempt: 2\n", "", path.read_text(encoding="utf-8"))
    for key in ("recipient", "commitment"):
        was = re.search(rf"(?m)^  {key}: .*$", old)
        assert was is not None
        text = re.sub(rf"(?m)^  {key}: .*$", was[0], text)
    path.write_text(text, encoding="utf-8")
    said = [fault.what.partition(",")[0] for fault in strangers(game.archive)["game"]]
    assert said == [
        "the commitment to the dice is not the one that this archive's master secret gives",
        "the key that sheets are sealed to is not the one that this archive's master secret gives",
        "this is attempt 1",
    ]
    assert len(check_archive(game.archive)) == 3


def test_an_edited_seed_stops_a_game_that_is_not_sealed(tmp_path: Path) -> None:
    """FS-4: the dice would silently change."""
    game = Play(tmp_path / "archive")
    game.sheets(orders=[])
    replacing("games/game/game.yaml", r"^seed: .*$", "seed: another")(game.root)
    with (
        pytest.raises(Problems, match="the commitment to the dice is not the one that the game's seed gives"),
        game.archive.writing(),
    ):
        list(run_game(game.archive, "game", at=OVER))
    assert [fault.what for fault in check_archive(game.archive)] == [
        "the commitment to the dice is not the one that the game's seed gives"
    ]


def test_without_the_secret_nothing_is_reported_and_an_unchanged_game_has_no_fault(start: Play, tmp_path: Path) -> None:
    game = start.copy(tmp_path / "archive")
    assert strangers(game.archive) == {}
    assert check_archive(game.archive) == []
    STRANGE["FS-3: another's key"][0](game.root)
    assert check_archive(Archive(game.root)) == [], "SECURITY.md says what can happen until a job with the secret looks"


def test_an_archive_that_lost_its_id_gets_no_new_one(start: Play, tmp_path: Path) -> None:
    """FS-4: `init` wrote a new one, and the sheets of every open turn were silently refused."""
    game = start.copy(tmp_path / "archive")
    (game.root / "games/archive.yaml").unlink()
    with pytest.raises(
        Problems,
        match=r"games/archive.yaml: the file is missing, and the keys of these sealed games .*: game; restore it",
    ):
        new_charter(game.archive)
    assert not (game.root / "games/archive.yaml").exists()


def test_a_game_that_gathers_nonces_does_not_open_without_them(tmp_path: Path) -> None:
    """FS-15: `run --now` opened it, and only the host's secret dealt the cards."""
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
            Problems, match="the game is waiting for the nonces of Italy; every player must give one, so that the host"
        ):
            list(run_game(archive, "game", at=OVER, now=True))
    assert archive.turns("game") == []


def test_a_game_opened_again_under_its_name_has_different_keys(tmp_path: Path) -> None:
    """FS-5: a trial that was removed and opened again had the published identity and the dice of the old one."""
    env = {"COURTLY_MASTER": MASTER}
    shown = []
    for _ in range(2):
        assert cli(tmp_path, "new", "summer", "--sealed", "--opened", "2026-11-20", **env).exit_code == 0
        text = (tmp_path / "games/summer" / FIRST / "turn.yaml").read_text(encoding="utf-8")
        shown.append((re.findall(r"recipient: (\S+)", text), re.findall(r"commitment: (\S+)", text)))
        shutil.rmtree(tmp_path / "games/summer")
    assert len(shown[0][0]) == len(shown[0][1]) == 1
    assert shown[0][0] != shown[1][0]
    assert shown[0][1] != shown[1][1]


def test_a_turn_that_the_history_has_judged_is_not_judged_again(tmp_path: Path) -> None:
    """FS-5: if it were put back by hand, it would use keys that everybody can read."""
    game = Play(tmp_path / "archive", sealed=True)
    git(game.root, "init", "--quiet", "-b", "main")
    commit(game.root, "opened")
    opened = git(game.root, "rev-parse", "HEAD").decode()
    game.sheets(orders=[])
    env = {"COURTLY_MASTER": MASTER}
    assert cli(game.root, "run", "--at", OVER, **env).exit_code == 0
    commit(game.root, "judged")
    judging = git(game.root, "rev-parse", "HEAD").decode()
    git(game.root, "rm", "--quiet", "-r", "games")
    git(game.root, "checkout", "--quiet", opened, "--", "games")
    commit(game.root, "put back by hand")
    game.sheets(orders=["A Vienna H"])
    done = cli(game.root, "run", "--at", OVER, **env)
    said = f"error: {TURN}: this turn was already judged in commit {judging[:12]}, and its keys were published; restore it as it was judged"
    assert (done.exit_code, done.output.startswith(said)) == (1, True), done.output
    batch = judge_due_games(game.archive, OVER)
    assert [fault.what.partition(" commit")[0] for fault in batch.problems] == ["this turn was already judged in"]
    # The right way gives it new keys.
    git(game.root, "checkout", "--quiet", judging, "--", "games")
    git(game.root, "clean", "--quiet", "-fd")
    assert cli(game.root, "undo", "game", "--reason", "So.", "--at", OVER, **env).exit_code == 0
    commit(game.root, "put back")
    game.sheets(orders=[])
    assert cli(game.root, "run", "--at", "2026-11-24T00:00Z", **env).exit_code == 0


@pytest.mark.parametrize("over", [False, True])
def test_a_turn_that_was_judged_under_another_name_or_put_away_is_not_judged_again(tmp_path: Path, over: bool) -> None:
    """A game that is renamed keeps its keys: turning its turn back in the same commit would reuse them."""
    game = Play(tmp_path / "archive", sealed=True)
    git(game.root, "init", "--quiet", "-b", "main")
    commit(game.root, "opened")
    opened = {path.relative_to(game.root / "games/game"): path.read_bytes() for path in files_below(game.root)}
    game.sheets(orders=[])
    env = {"COURTLY_MASTER": MASTER}
    if over:
        (game.root / "games/game" / FIRST / "ruling.yaml").write_text(
            "rulings:\n- {reason: All agree., end: {how: draw}}\n"
        )
    assert cli(game.root, "run", "--at", OVER, **env).exit_code == 0
    assert (game.root / "games/over/game").is_dir() == over
    commit(game.root, "judged")
    shutil.rmtree(game.root / ("games/over/game" if over else "games/game"))
    name = "game" if over else "other"
    for path, body in opened.items():
        (game.root / "games" / name / path).parent.mkdir(parents=True, exist_ok=True)
        (game.root / "games" / name / path).write_bytes(body)
    if not over:
        with (game.root / "games/other/game.yaml").open("a") as file:
            file.write("named: game\n")
    commit(game.root, "put back by hand")
    done = cli(game.root, "run", "--at", OVER, **env)
    said = f"error: games/{name}/{FIRST}/turn.yaml: this turn was already judged in commit "
    assert (done.exit_code, done.output.startswith(said)) == (1, True), done.output


def files_below(root: Path) -> list[Path]:
    return [path for path in sorted((root / "games/game").rglob("*")) if path.is_file()]


def commit(root: Path, what: str) -> None:
    git(root, "add", "--all", "games")
    git(root, "commit", "--quiet", "-m", what)


# When the first deadline counts from ------------------------------------------------------------------------------


def test_the_first_deadline_counts_from_the_moment_the_turn_opens(tmp_path: Path) -> None:
    """FH-1: `--turn 3h` in the morning was over before it began, because it counted from midnight."""
    before = datetime.now(UTC).replace(second=0, microsecond=0)
    assert cli(tmp_path, "new", "quick", "--turn", "3h").exit_code == 0
    after = datetime.now(UTC)
    archive = Archive(tmp_path)
    data = load_turn(archive, load_game(archive, "quick"), FIRST).data
    assert data.opened is not None
    assert data.deadline is not None
    assert before <= read_time(data.opened) <= after
    assert read_time(data.deadline) - read_time(data.opened) == timedelta(hours=3)
    assert cli(tmp_path, "run", "--game", "quick").output == "Nothing is due.\n"
    assert cli(tmp_path, "verify").exit_code == 0


def test_a_game_that_waited_for_its_nonces_gets_its_whole_first_turn(tmp_path: Path) -> None:
    """FH-1: a game that gathered nonces for days was judged at once, without a sheet."""
    archive = Archive(tmp_path, read_masters(MASTER, "test"))
    archive.games.mkdir()
    new_charter(archive)
    seats = {seat: {"player": seat, "nonce": "n" * 8} for seat in SEATS}
    data = {
        "ruleset": "diplomacy",
        "title": "G",
        "opened": "2026-11-20",
        "sealed": True,
        "id": "0f" * 8,
        "seats": seats,
    }
    data |= {"setup": setup_commitment(archive, "game", "0f" * 8), "schedule": {"turn": "2d"}}
    new_game(archive, "game", data)
    with archive.writing():
        assert [step.what for step in run_game(archive, "game", at="2026-11-25T09:30Z")] == ["opened"]
    turn = load_turn(archive, load_game(archive, "game"), FIRST).data
    assert (turn.opened, turn.deadline) == ("2026-11-25T09:30Z", "2026-11-27T09:30Z")


NO_LENGTHS = ["the lengths of the sealed files are not allowed, or differ from those of the turn before"]
WRONG = {
    "a width that is no step": ("width: 1024", "width: 1023"),
    "a width too small for a sheet": ("width: 1024", "width: 512"),
    "a length that is no step": ("secret: 2048", "secret: 2049"),
    "a file without a length": ("  dispatch: 2048\n", ""),
    "the format of open games": ("format: 3\n  width: 1024\n  dispatch: 2048\n  secret: 2048", "format: 2\n  width: 1024"),
}  # fmt: skip
WRONG |= {
    "sheets that no pull request can bring": ("width: 1024", "width: 16384"),
}  # fmt: skip
ANOTHER = {
    key: (f"{key}: {size}", f"{key}: {2 * size}")
    for key, size in (("width", 1024), ("dispatch", 2048), ("secret", 2048))
}


def said_of(table: Table, old: str, new: str) -> list[str]:
    """Problems of a game whose open turn has `new` instead of `old`."""
    assert strangers(table.archive) == {}
    path = table.turn.folder / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    return [fault.what.partition(" that")[0] for fault in strangers(table.archive).get("cards", [])]


@pytest.mark.parametrize("how", WRONG)
def test_the_quick_look_knows_the_lengths_of_a_game_with_secrets(how: str, with_hazard: None, tmp_path: Path) -> None:
    """Lengths in an open game would reveal something; wrong lengths would drop every sheet."""
    said = said_of(Table(tmp_path / "archive"), *WRONG[how])
    assert said == NO_LENGTHS


BELOW = {
    "a width that begins with 0": ("width: 1024", "width: 01024"),
    "an identity": ("  secret: 2048\n", "  secret: 2048\n\n  identity: AGE-SECRET-KEY-1X\n"),
    "a secret of the dice": ("\ndice:\n", "\ndice:\n# below\n"),
    "another format in a second turn": (
        "format: 3\n  width: 1024\n  dispatch: 2048\n  secret: 2048",
        "format: 2\n  width: 3072",
    ),
}


@pytest.mark.parametrize("how", BELOW)
def test_the_quick_look_leaves_text_undecided_that_the_program_never_writes(
    how: str, with_hazard: None, tmp_path: Path
) -> None:
    table = Table(tmp_path / "archive")
    table.play(1)
    path = table.turn.folder / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    old, new = BELOW[how]
    assert old in text
    own = table.turn.game.archive
    assert guard._sure(table.archive, own, "cards", path.parent.name)
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert not guard._sure(table.archive, own, "cards", path.parent.name)


def test_a_turn_that_is_indented_as_a_whole_is_read_in_full(with_hazard: None, tmp_path: Path) -> None:
    """Its keys were elsewhere, and a text between brackets held the right lines in their places: somebody else's key passed."""
    table = Table(tmp_path / "archive")
    path = table.turn.folder / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    own = table.turn.game.archive
    inside = "".join(f" {line}\n" for line in text.splitlines()).replace(table.turn.data.seal.recipient, THEIRS)  # type: ignore[union-attr]  # a sealed game
    decoy = text.partition("deadline:")[2].partition("position:")[0]
    path.write_text(f"{inside} absent: [ 'x\ndeadline:{decoy}a: b']\n", encoding="utf-8")
    assert not guard._sure(table.archive, own, "cards", path.parent.name)
    assert strangers(table.archive)["cards"]


@pytest.mark.parametrize("key", ANOTHER)
def test_a_game_keeps_the_lengths_of_its_first_turn(key: str, with_hazard: None, tmp_path: Path) -> None:
    """RT-16: a game cannot use a length that the turn before did not have, whatever a ruleset may want."""
    table = Table(tmp_path / "archive")
    table.play(1)
    assert said_of(table, *ANOTHER[key]) == NO_LENGTHS
