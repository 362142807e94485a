"""Receipts: unchanged files are not checked again, and the findings are still those of a full check, to the word, whatever was changed."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.files.floor import Files
from adjudicator.core.files.places import remembered
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.trees import Trees
from adjudicator.core.jobs.verify import verify_again, verify_changed
from tests.ci.fake import git
from tests.conftest import ROOT, first_of

GAMES = ("fall-1085", "first-lessons")


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A repository with a few small games, committed."""
    for slug in GAMES:
        shutil.copytree(ROOT / "games" / slug, tmp_path / "games" / slug)
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path)
    return Archive(tmp_path)


def commit(folder: Path) -> None:
    git(folder, "add", "-A", "games")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def judged(archive: Archive) -> list[str]:
    """Games that were judged again. The findings are the same as for a check of all games."""
    found = [*verify_changed(archive, archive.slugs())]
    assert [checked for checked, _ in found] == [checked for checked, _ in verify_again(archive, archive.slugs())]
    return [checked.game for checked, again in found if again]


def test_receipts_work_without_asking_git(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """RT-4, RT-5: so a repository's settings and index flags have no influence; files outside of any commit are remembered as well."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("a program was run")

    monkeypatch.setattr("subprocess.Popen.__init__", never)
    shutil.rmtree(archive.root / ".git")
    assert judged(archive) == [*GAMES]
    assert judged(archive) == []


def test_a_folder_that_some_machines_confuse_with_a_game_is_noticed_despite_receipts(archive: Archive) -> None:
    """RT-14: it is beside the game's folder, and the message names the game; so too for a record, which is not judged."""
    assert judged(archive) == [*GAMES]
    for game in GAMES:
        (archive.games / game.title()).mkdir()
        found = {checked.game: checked.problems for checked, _ in verify_changed(archive, archive.slugs())}
        assert [problem.path for problem in found[game]] == [f"games/{game.title()}"]
    assert judged(archive) == [*GAMES]


def test_folders_may_be_nested_to_any_depth(archive: Archive) -> None:
    """A stranger's archive must not cause a traceback. Folders deeper than those of a game are reported as read by nothing."""
    deep = archive.games / GAMES[1]
    for _ in range(30):
        deep = deep.joinpath(*["d"] * 40)
        deep.mkdir(parents=True)
    assert len(deep.parts) > 1200
    for words in ("verify", "check", "doctor"):
        said = CliRunner().invoke(main, ["-C", str(archive.root), words])
        assert said.exception is None or isinstance(said.exception, SystemExit), words
        assert "nothing reads this" in said.output or words == "doctor"
    archive.files.remove(archive.games / GAMES[1] / "d")
    assert not (archive.games / GAMES[1] / "d").exists()


def test_files_changed_just_now_are_read_again(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two changes in one tick of the clock have the same time: a file's time is trusted only some time after the change."""
    read: list[str] = []
    real = Files.read

    def reading(files: Files, path: Path, *more: int) -> bytes:
        if path.name != "folders.json":
            read.append(path.name)
        return real(files, path, *more)

    monkeypatch.setattr(Files, "read", reading)

    def looked() -> tuple[dict[str, str], int]:
        read.clear()
        trees = Trees(archive)
        found = dict(trees)
        trees.save()
        return found, len(read)

    first, many = looked()
    assert looked() == (first, many), "they were copied a moment ago"
    monkeypatch.setattr("adjudicator.core.game.trees.SETTLED", -3600)
    assert looked() == (first, many)
    assert looked() == (first, 0)
    (archive.games / GAMES[0] / "README.md").write_text("x")
    assert looked()[0] != first


def test_unchanged_games_are_not_judged_again(archive: Archive) -> None:
    assert judged(archive) == [*GAMES]
    assert judged(archive) == []
    (archive.games / "archive.yaml").write_text("schema: 1\n")
    assert judged(archive) == [*GAMES], "what holds for all games is not in their folders"


def test_the_command_says_what_it_did_not_judge(archive: Archive) -> None:
    def verify(*more: str) -> dict[str, object]:
        done = CliRunner().invoke(main, ["-C", str(archive.root), "--json", "verify", *more])
        assert done.exit_code == 0, done.output
        said: dict[str, object] = (
            json.loads(done.output)["summary"] if "summary" in json.loads(done.output) else json.loads(done.output)
        )
        return said

    first, second, third, named = verify(), verify(), verify("--all"), verify(GAMES[0])
    assert [one["by_receipt"] for one in (first, second, third, named)] == [0, 2, 0, 0]
    assert first["digest"] == second["digest"] == third["digest"]
    assert first["turns"] == second["turns"]
    told = CliRunner().invoke(main, ["-C", str(archive.root), "verify"])
    assert "2 games, unchanged since then; --all judges these too" in told.output


def test_the_cache_can_be_deleted_and_git_ignores_it(archive: Archive) -> None:
    assert judged(archive) == [*GAMES]
    assert git(archive.root, "status", "--porcelain") == b""
    shutil.rmtree(remembered(archive.root).root)
    assert judged(archive) == [*GAMES]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: b"[]",
        lambda data: data.replace(b'"key":"', b'"key":"0'),
        lambda data: json.dumps({**json.loads(data), "games": {slug: ["x", 1] for slug in GAMES}}).encode(),
        lambda data: json.dumps({**json.loads(data), "games": [1]}).encode(),
        lambda data: json.dumps(
            {**json.loads(data), "games": {slug: [tree, [1, 2]] for slug, (tree, _) in json.loads(data)["games"].items()}}
        ).encode(),
    ],
)  # fmt: skip
def test_an_invalid_receipt_counts_for_nothing(archive: Archive, spoil: Callable[[bytes], bytes]) -> None:
    assert judged(archive) == [*GAMES]
    path = remembered(archive.root).root / "verify.json"
    path.write_bytes(spoil(path.read_bytes()))
    assert judged(archive) == [*GAMES]
    assert judged(archive) == []


def test_receipts_that_came_with_the_archive_count_for_nothing(archive: Archive) -> None:
    """A stranger's pull request may hold any file: no file in the archive counts as a receipt (RT-3)."""
    assert judged(archive) == [*GAMES]
    kept = remembered(archive.root).root / "verify.json"
    turn = next((archive.games / GAMES[1]).glob("001*/turn.yaml"))
    turn.write_bytes(turn.read_bytes().replace(b"moves", b"holds", 1))
    commit(archive.root)
    forged = json.loads(kept.read_bytes())
    forged["games"] = {slug: [tree, forged["games"][slug][1]] for slug, tree in Trees(archive).items()}
    kept.unlink()
    for name in (".courtly/verify.json", "verify.json", f".courtly/{kept.parent.name}/verify.json"):
        (archive.root / name).parent.mkdir(parents=True, exist_ok=True)
        (archive.root / name).write_text(json.dumps(forged))
    git(archive.root, "add", "-f", ".courtly", "verify.json")
    git(archive.root, "commit", "-q", "-m", "forged")
    assert judged(archive) == [*GAMES]


def test_nothing_is_remembered_in_the_archive(archive: Archive) -> None:
    """RT-3: a stranger's tree does not change, even if nothing can be remembered."""
    before = sorted(archive.root.rglob("*"))
    assert judged(archive) == [*GAMES]
    assert sorted(archive.root.rglob("*")) == before
    with pytest.MonkeyPatch.context() as patch:
        (archive.root.parent / "file").write_text("")
        patch.setenv("COURTLY_CACHE", str(archive.root.parent / "file"))
        assert judged(archive) == [*GAMES]
        assert judged(archive) == [*GAMES]


@pytest.mark.slow
@pytest.mark.parametrize("seed", first_of(range(8), 4))
def test_every_change_is_noticed(archive: Archive, seed: int) -> None:
    """A law over changes of any kind, committed or not, staged or not, taken back or not.

    Also with as many bytes as before, and with the file's time set back.
    """
    rolls = random.Random(seed)
    root = archive.root
    before = git(root, "rev-parse", "HEAD").decode()
    for _ in range(8):
        files = sorted(path for path in archive.games.rglob("*") if path.is_file())
        path = rolls.choice(files)
        match rolls.randrange(9):
            case 8:
                looked = path.stat()
                path.write_bytes(bytes(byte ^ 1 for byte in path.read_bytes()))
                os.utime(path, ns=(looked.st_atime_ns, looked.st_mtime_ns))
            case 0 | 1:
                data = bytearray(path.read_bytes() or b" ")
                data[rolls.randrange(len(data))] = rolls.randrange(32, 127)
                path.write_bytes(data)
            case 2:
                path.unlink()
            case 3:
                (path.parent / rolls.choice(["x.yaml", "map.svg", ".gitignore"])).write_text("*\n")
            case 4:
                git(root, "add", "-A", "games")
            case 5:
                commit(root)
            case 6:
                git(root, "checkout", "-q", "-f", before, "--", "games")
            case _:
                git(root, "reset", "-q", "--hard", before)
                git(root, "clean", "-q", "-d", "-f", "-x", "games")
        judged(archive)
    shutil.rmtree(archive.games)  # git takes a file for unchanged if its size and its time are
    git(root, "reset", "-q", "--hard", before)
    git(root, "clean", "-q", "-d", "-f", "-x", "games")
    judged(archive)
    assert judged(archive) == []
