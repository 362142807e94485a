"""Games are renamed, put away when they are over and moved to another archive, without sealing anything again (H3-12)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.files.floor import Files
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.trees import Trees
from adjudicator.core.jobs import move
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.intake import Place, locate
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.run import might_be_due, run_game
from adjudicator.core.jobs.seal import open_file, seal_sheet
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.load import load_game, load_turn
from tests.ci.fake import git
from tests.core.test_deadlines import MASTER, SEATS, Play
from tests.core.test_secrets import Table

FIRST, SECOND = "001-spring-1901-movement", "002-fall-1901-movement"
EARLY, LATE, LATER = "2026-11-20T12:00Z", "2026-11-22T00:00Z", "2026-11-24T00:00Z"


def courtly(root: Path, *words: str, **env: str) -> Result:
    clean = {"COURTLY_MASTER": "", "COURTLY_MASTER_FILE": ""}
    return CliRunner().invoke(main, ["-C", str(root), *words], env=clean | env)


def run(archive: Archive, slug: str, at: str) -> list[str]:
    with archive.writing():
        return [f"{step.game}: {step.what}" for step in run_game(archive, slug, at=at)]


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def without_keys(text: bytes) -> bytes:
    return b"".join(line for line in text.splitlines(keepends=True) if not line.startswith((b"named:", b"archive:")))


def sent(archive: Archive, slug: str, seat: str, *orders: str) -> Path:
    """A sealed sheet in its place, as players make it."""
    path = archive.root.parent / f"{seat.lower()}.yaml"
    path.write_text(write({"orders": list(orders)}))
    made = seal_sheet(Archive(archive.root), path, game=slug, seat=seat, turn=None, readers=[])
    made.write(Archive(archive.root), made.place)
    path.unlink()
    return made.place


# Renaming ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_sheets_sent_before_a_rename_count_after_it(sealed: bool, tmp_path: Path) -> None:
    """Two games are played alike, and one is renamed in the middle of a turn: they produce equal turns."""
    game = Play(tmp_path / "one/archive", sealed=sealed)
    game.sheet("Austria", "A Vienna - Tyrolia")
    stays = game.copy(tmp_path / "two/archive")
    before = files(game.root / "games/game")
    done = courtly(game.root, "rename", "game", "the-long-summer")
    assert (done.exit_code, done.output) == (
        0, "game is now in games/the-long-summer. Its pages and sealed sheets keep the name game.\n",
    )  # fmt: skip
    archive = game.archive
    assert archive.slugs() == ["the-long-summer"]
    after = files(game.root / "games/the-long-summer")
    assert after == before | {"game.yaml": before["game.yaml"] + b"named: game\n"}
    assert [fault for fault in check_archive(archive, EARLY) if fault.level == "error"] == []
    for played, slug in ((archive, "the-long-summer"), (stays.archive, "game")):
        folder = played.game_folder(slug)
        if sealed:
            assert b"Vienna" in open_file(played, folder / FIRST / "orders/austria.yaml.age", None)
        assert run(played, slug, LATE) == [f"{slug}: resolved", f"{slug}: opened"]
        checked = verify_game(played, slug)
        assert (checked.problems, checked.turns, checked.name) == ((), 1, "game")
    assert without_keys(files(archive.game_folder("the-long-summer"))["game.yaml"]) == before["game.yaml"]
    one, two = (
        files(played.game_folder(slug)) for played, slug in ((archive, "the-long-summer"), (stays.archive, "game"))
    )
    different = {name for name in {*one, *two} if one.get(name) != two.get(name)}
    assert different == {"game.yaml"}
    assert verify_game(archive, "the-long-summer").digest == verify_game(stays.archive, "game").digest


def test_sheets_sealed_after_a_rename_contain_the_original_name(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive", sealed=True)
    move.rename(game.archive, "game", "summer")
    place = sent(game.archive, "summer", "Austria", "A Vienna - Tyrolia")
    assert place.parent == game.root / "games/summer" / FIRST / "orders"
    assert b"game: game\n" in open_file(game.archive, place, None)
    assert run(game.archive, "summer", LATE) == ["summer: resolved", "summer: opened"]
    turn = load_turn(game.archive, load_game(game.archive, "summer"), FIRST)
    assert "A Vienna - Tyrolia" in [verdict.order for verdict in turn.data.verdicts]
    assert turn.data.refused is None


@pytest.mark.usefixtures("with_hazard")
def test_a_hidden_game_renamed_in_mid_game_verifies_without_the_master_secret(tmp_path: Path) -> None:
    table = Table(tmp_path / "archive")
    table.play(2)
    move.rename(table.archive, "cards", "hands")
    for day in (3, 4):
        assert run(table.archive, "hands", f"2026-11-2{day}T00:00Z")[0] == "hands: resolved"
    assert table.archive.has_ended("hands")
    checked = verify_game(Archive(table.root), "hands")
    assert (checked.problems, checked.turns, checked.name) == ((), 4, "cards")


def test_the_digest_of_an_archive_uses_original_names(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    seats = {seat: {"player": "P", "account": at} for at, seat in enumerate(SEATS, 1)}
    data: dict[str, Any] = {"ruleset": "diplomacy", "title": "B", "opened": "2026-11-20", "seats": seats, "seed": "t"}
    new_game(game.archive, "another", data)
    before = courtly(game.root, "verify", "--all").output
    move.rename(game.archive, "game", "a-first-one")
    assert courtly(game.root, "verify", "--all").output == before


def test_a_game_can_get_its_original_name_back(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    before = files(game.root / "games/game")
    assert [move.rename(game.archive, *names) for names in (("game", "one"), ("one", "two"))] == ["game", "game"]
    done = courtly(game.root, "rename", "two", "game")
    assert done.output == "two is back in games/game, under its original name.\n"
    assert files(game.root / "games/game") == before


@pytest.mark.parametrize(
    ("old", "new", "what", "right"),
    [
        ("nothing", "x", "there is no such game", "games: "),
        ("game", "Not So", "cannot be a game's name", "lowercase letters"),
        ("game", "over", "no game can be called `over`", "choose another name"),
        ("game", "other", "there is already a game with that name", "choose another name"),
        (
            "game",
            "first-of-renamed",
            "the game that was opened under this name is now called renamed",
            "pages and sealed",
        ),
        ("first-of-renamed", "x", "there is no such game", "it was renamed to renamed"),
        ("game", "done", "there is already a game with that name", "choose another name"),
    ],
)
def test_impossible_names_are_refused(old: str, new: str, what: str, right: str, tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    for slug in ("other", "first-of-renamed", "done"):
        seats = {seat: {"player": "P"} for seat in SEATS}
        data: dict[str, Any] = {
            "ruleset": "diplomacy",
            "title": slug,
            "opened": "2026-11-20",
            "seats": seats,
            "seed": "t",
        }
        new_game(game.archive, slug, data)
    move.rename(game.archive, "first-of-renamed", "renamed")
    (game.root / "games/over").mkdir()
    (game.root / "games/done").rename(game.root / "games/over/done")
    before = files(game.root)
    done = courtly(game.root, "rename", old, new)
    assert done.exit_code == 1
    assert what in done.stderr
    assert right in done.stderr
    assert {name: body for name, body in files(game.root).items() if name != ".courtly.lock"} == {
        name: body for name, body in before.items() if name != ".courtly.lock"
    }
    if old == "game":  # and a new game cannot have that name
        with pytest.raises(Problems):
            new_game(game.archive, new, data)


def test_a_sheet_for_the_old_name_goes_to_the_new_one(tmp_path: Path) -> None:
    """It may have been written before the game was renamed, and its author cannot help it."""
    game = Play(tmp_path / "archive")
    move.rename(game.archive, "game", "summer")
    old, new = (locate(game.archive, f"games/{name}/{FIRST}/orders/austria.yaml", 101) for name in ("game", "summer"))
    assert isinstance(old, Place)
    assert isinstance(new, Place)
    assert old.path == new.path == f"games/summer/{FIRST}/orders/austria.yaml"
    with pytest.raises(Problems, match="there is no game 'gane'"):
        locate(game.archive, f"games/gane/{FIRST}/orders/austria.yaml", 101)


def test_a_rename_that_was_killed_can_be_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Play(tmp_path / "archive", sealed=True)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Files, "move", killed)
        with pytest.raises(KeyboardInterrupt):
            move.rename(game.archive, "game", "summer")
    assert check_archive(game.archive) == [], "a name that is the folder's says nothing new"
    assert move.rename(game.archive, "game", "summer") == "game"
    assert (game.root / "games/summer/game.yaml").read_text().count("named: game") == 1
    assert check_archive(game.archive) == []


def test_a_folder_renamed_by_hand_is_reported_with_the_right_way(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    (game.root / "games/game").rename(game.root / "games/summer")
    (fault,) = [fault for fault in check_archive(game.archive) if fault.level == "error"]
    assert fault.what == "game is 'game', but its folder is called 'summer'"
    assert fault.right.startswith("give the folder its name back: keys, dice and sealed sheets use it")
    assert "courtly rename" in fault.right


# Games that are over ----------------------------------------------------------------------------------------------


def ended(root: Path, **more: Any) -> Play:
    game = Play(root, **more)
    game.sheet("Austria", "A Vienna - Tyrolia")
    game.rule({"reason": "We stop.", "end": {"how": "called off"}})
    return game


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_the_run_that_ends_a_game_puts_it_away_last(sealed: bool, tmp_path: Path) -> None:
    game = ended(tmp_path / "archive", sealed=sealed)
    assert run(game.archive, "game", EARLY)[-3:] == ["game: resolved", "game: ended", "over/game: put away"]
    assert sorted(path.name for path in (game.root / "games").iterdir()) == ["archive.yaml", "over"]
    archive = Archive(game.root)
    assert (archive.slugs(), archive.has_ended("game"), archive.turns("game")) == (["game"], True, [FIRST])
    assert archive.game_folder("game") == game.root / "games/over/game"
    assert not might_be_due(archive, "game", LATE)
    checked = verify_game(archive, "game")
    assert (checked.problems, checked.turns) == ((), 1)
    assert check_archive(archive) == []
    for words in (
        ("check",),
        ("verify", "--all"),
        ("run", "--at", LATE),
        ("render", "game"),
        ("doctor",),
        ("upgrade",),
    ):
        assert "games/game" not in courtly(game.root, *words).output
    assert run(archive, "game", LATER) == []
    if sealed:  # a player's note of the sheet's path still leads to it
        place = game.root / "games/game" / FIRST / "orders/austria.yaml.age"
        assert b"A Vienna - Tyrolia" in open_file(archive, place, None)


def test_both_places_are_always_read_and_one_command_moves_finished_games(tmp_path: Path) -> None:
    game = ended(tmp_path / "archive")
    run(game.archive, "game", EARLY)
    (game.root / "games/over/game").rename(game.root / "games/game")
    (game.root / "games/over").rmdir()
    archive = game.archive
    assert archive.has_ended("game")
    before, digest = files(game.root / "games/game"), courtly(game.root, "verify", "--all").output
    assert run(archive, "game", LATE) == [], "a run leaves it where it is"
    done = courtly(game.root, "move", "--over")
    assert (done.exit_code, done.output) == (0, "1 finished game moved to games/over/.\n")
    assert files(game.root / "games/over/game") == before
    assert courtly(game.root, "verify", "--all").output == digest
    assert courtly(game.root, "move", "--over").output == "0 finished games moved to games/over/.\n"


def test_a_running_game_is_not_put_away(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    done = courtly(game.root, "move", "--over", "game")
    assert (done.exit_code, done.stderr) == (
        1, "error: games/game: the game is not over; a run puts it away once it is over\n",
    )  # fmt: skip
    assert courtly(game.root, "move", "game").exit_code == 2


@pytest.mark.parametrize(
    "where",
    ["jobs.run.lay_away", "files.floor.Files.write"],
    ids=["before it moves it", "before it says that it is over"],
)
def test_a_run_that_is_killed_while_it_ends_a_game_is_finished_by_the_next(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = ended(tmp_path / "archive")
    calm = game.copy(tmp_path / "calm")
    run(calm.archive, "game", EARLY)

    write = Files.write

    def killed(*given: object) -> Any:
        if "lay_away" in where or str(given[1]).endswith("ending.yaml"):
            raise KeyboardInterrupt
        return write(*given)  # type: ignore[arg-type]  # as it came

    with monkeypatch.context() as patch:
        patch.setattr(f"adjudicator.core.{where}", killed)
        with pytest.raises(KeyboardInterrupt):
            run(game.archive, "game", EARLY)
    assert not game.archive.has_ended("game")
    assert might_be_due(game.archive, "game", EARLY)
    assert run(game.archive, "game", EARLY) == ["game: ended", "over/game: put away"]
    assert files(game.root / "games/over") == files(calm.root / "games/over")


def test_two_games_with_one_name_are_reported(tmp_path: Path) -> None:
    game = Play(tmp_path / "archive")
    shutil.copytree(game.root / "games/game", game.root / "games/over/game")
    (fault,) = check_archive(game.archive)
    assert (fault.path, fault.what) == ("games/over/game", "there is also a game with this name in games/game")
    (game.root / "games/over/game.yaml").write_text("schema: 1\n")
    assert "no game can be called `over`" in check_archive(game.archive)[0].what


def test_a_game_that_was_put_away_is_known_by_its_place(tmp_path: Path) -> None:
    """Things kept for a game, such as its pages, name files in it: they are made again when it moves, and only then."""
    game = ended(tmp_path / "archive")
    run(game.archive, "game", EARLY)
    (game.root / "games/over/game").rename(game.root / "games/game")
    first = dict(Trees(game.archive))
    move.put_away(game.archive, "game")
    second = dict(Trees(game.archive))
    assert [*first] == [*second] == ["game"]
    assert first != second
    assert dict(Trees(game.archive)) == second


def test_a_folder_is_known_by_the_hash_that_git_gives_it(tmp_path: Path) -> None:
    """The hash of git, with SHA-256, for the same files: with every kind of name, and a file that sorts between a folder and its name."""
    game = ended(tmp_path / "archive")
    folder = game.root / "games/game"
    for name in ("kept/ü b.yaml", "001.yaml", "001-x/y", "001-x.yaml", ".hidden"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(name, "utf-8")
    git(game.root, "init", "-q", "-b", "main", "--object-format=sha256")
    git(game.root, "add", "-A", "-f", "games")
    git(game.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "So")
    trees = Trees(game.archive)
    said = git(game.root, "rev-parse", "HEAD:games/game").decode().strip()
    assert trees["game"] == f"{said}games/game"
    lines = git(game.root, "ls-tree", "-z", "HEAD:games/game").decode().rstrip("\0").split("\0")
    assert trees.parts("game") == {line.split("\t")[1]: line.split("\t")[0].split(" ")[2] for line in lines}


def test_listing_looks_at_each_folder_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Play(tmp_path / "archive")
    for number in range(20):
        shutil.copytree(game.root / "games/game", game.root / f"games/over/old-{number}")
    looked: list[str] = []
    real = Files.entries

    def entries(files: Files, folder: Path) -> Any:
        looked.append(os.fspath(folder))
        return real(files, folder)

    monkeypatch.setattr(Files, "entries", entries)
    assert len(game.archive.slugs()) == 21
    assert looked == [str(game.root / "games"), str(game.root / "games/over")]


# Another archive --------------------------------------------------------------------------------------------------


def other(root: Path, *, master: bool = True) -> Archive:
    (root / "games").mkdir(parents=True)
    archive = Archive(root, read_masters(MASTER, "test") if master else None)
    new_charter(archive)
    return archive


@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_a_game_goes_on_in_another_archive(sealed: bool, tmp_path: Path) -> None:
    game = Play(tmp_path / "here", sealed=sealed)
    game.sheet("Austria", "A Vienna - Tyrolia")
    stays = game.copy(tmp_path / "stays")
    there = other(tmp_path / "there")
    own = (game.root / "games/archive.yaml").read_text().split("archive: ")[1].split("\n")[0].strip('"')
    before = files(game.root / "games/game")
    done = courtly(game.root, "move", "game", str(there.root))
    assert done.exit_code == 0, done.output
    assert done.output.startswith(f"game is now in {there.root}, in games/game.")
    assert ("It is sealed: whoever judges it there needs the master secret" in done.output) is sealed
    assert game.archive.slugs() == []
    after = files(there.root / "games/game")
    assert after.keys() == before.keys()
    assert {name for name in after if after[name] != before[name]} == {"game.yaml"}
    (line,) = [line for line in after["game.yaml"].decode().splitlines() if line.startswith("archive:")]
    assert line.split()[1].strip('"') == own
    assert [fault for fault in check_archive(there) if fault.level == "error"] == []
    assert run(there, "game", LATE) == run(stays.archive, "game", LATE) == ["game: resolved", "game: opened"]
    assert verify_game(there, "game").problems == ()
    assert verify_game(there, "game").digest == verify_game(stays.archive, "game").digest
    # And back: the line is not needed any more.
    assert courtly(there.root, "move", "game", str(game.root)).exit_code == 0
    assert (game.root / "games/game/game.yaml").read_bytes() == before["game.yaml"]
    assert game.archive.slugs() == ["game"]


def test_a_renamed_finished_game_moves_to_the_finished_games_of_another_archive(tmp_path: Path) -> None:
    game = ended(tmp_path / "here", sealed=True)
    move.rename(game.archive, "game", "summer")
    run(game.archive, "summer", EARLY)
    there = other(tmp_path / "there", master=False)
    assert move.move(game.archive, "summer", there) is None, "nobody needs a secret for it"
    assert there.game_folder("summer") == there.root / "games/over/summer"
    checked = verify_game(there, "summer")
    assert (checked.problems, checked.name, checked.turns) == ((), "game", 1)


@pytest.mark.parametrize("case", ["nothing", "no charter", "this one", "taken", "first name taken"])
def test_a_game_stays_if_the_other_archive_cannot_take_it(case: str, tmp_path: Path) -> None:
    game = Play(tmp_path / "here")
    there = tmp_path / "there"
    match case:
        case "nothing":
            what = "there is no archive here"
        case "no charter":
            (there / "games").mkdir(parents=True)
            what = "make the archive first, with `courtly init`"
        case "this one":
            there = game.root
            what = "the game is already in this archive"
        case "taken":
            Play(there)
            what = "there is a game called game already"
        case _:
            move.rename(Play(there).archive, "game", "summer")
            what = "summer was opened as game"
    before = files(game.root / "games")
    done = courtly(game.root, "move", "game", str(there))
    assert done.exit_code == 1, done.output
    assert what in done.stderr
    assert files(game.root / "games") == before
