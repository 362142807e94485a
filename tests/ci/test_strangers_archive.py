"""An archive of somebody else's: what reads it runs nothing of it, believes nothing it says of itself, and writes nowhere else."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.files.disk import Disk
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.doctor import ignored
from adjudicator.core.jobs.verify import verify_changed
from adjudicator.core.text.problems import Problems
from adjudicator.site.mkdocs.publish import _clear
from tests.ci.fake import git
from tests.conftest import ROOT

GAME = "first-lessons"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """A game of Diplomacy with a judged turn, committed."""
    root = tmp_path / "stranger"
    shutil.copytree(ROOT / "games" / GAME, root / "games" / GAME)
    git(root, "init", "--quiet", "-b", "main")
    git(root, "add", "--force", "--all")
    git(root, "-c", "user.name=x", "-c", "user.email=x@x.invalid", "commit", "--quiet", "--no-gpg-sign", "-m", "All")
    return Archive(root)


def courtly(root: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["-C", str(root), *words])
    return done.exit_code, done.output


def program(root: Path) -> tuple[Path, Path]:
    """A program that leaves a sign when it runs, and the sign."""
    sign = root.parent / "it-ran"
    path = root / ".git" / "evil.sh"
    path.write_text(f"#!/bin/sh\ntouch '{sign}'\ncat\n", "utf-8")
    path.chmod(0o755)
    return path, sign


@pytest.mark.parametrize(
    "word", ["core.fsmonitor", "filter.x.clean", "filter.x.process", "core.pager", "diff.external"]
)
@pytest.mark.parametrize("command", [("verify",), ("check",), ("doctor",)], ids=lambda words: words[0])
def test_no_program_of_its_settings_runs(archive: Archive, word: str, command: tuple[str, ...]) -> None:
    """RT-4: nor one that its attributes send files through."""
    evil, sign = program(archive.root)
    git(archive.root, "config", word, str(evil))
    (archive.root / ".gitattributes").write_text("* filter=x\n", "utf-8")
    turn = archive.game_folder(GAME) / archive.turns(GAME)[0] / "turn.yaml"
    os.utime(turn, (0, 0))  # so that git looks into it
    courtly(archive.root, *command)
    assert not sign.exists()
    if word in ("core.fsmonitor", "filter.x.clean"):
        git(archive.root, "status", "--porcelain")
        assert sign.exists(), "git by itself would have run it"


def test_no_variable_of_git_leads_elsewhere(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RT-4: as a hook sets them, which is run in a repository of its own."""
    assert courtly(archive.root, "verify")[0] == 0
    turn = archive.game_folder(GAME) / archive.turns(GAME)[0] / "turn.yaml"
    turn.write_bytes(turn.read_bytes().replace(b"status: resolved", b"status: resolved # x"))
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert courtly(archive.root, "verify")[0] == 1


@pytest.mark.parametrize("bit", ["--skip-worktree", "--assume-unchanged"])
def test_no_bit_of_the_index_is_believed(archive: Archive, bit: str) -> None:
    """RT-5: a file that git was told to skip is read all the same, so what was found of it before does not count."""
    assert [judged for _, judged in verify_changed(archive, [GAME])] == [True]
    assert [judged for _, judged in verify_changed(archive, [GAME])] == [False]
    turn = archive.game_folder(GAME) / archive.turns(GAME)[0] / "turn.yaml"
    git(archive.root, "update-index", bit, turn.relative_to(archive.root).as_posix())
    turn.write_bytes(turn.read_bytes().replace(b"status: resolved", b"status: resolved # x"))
    ((checked, judged),) = verify_changed(archive, [GAME])
    assert judged
    assert checked.problems


def test_nothing_is_written_through_a_link(archive: Archive, tmp_path: Path) -> None:
    """RT-3: `verify` finds the same with `.courtly` a link, and keeps nothing."""
    victim = tmp_path / "victim"
    victim.mkdir()
    (archive.root / ".courtly").symlink_to(victim)
    code, said = courtly(archive.root, "verify")
    assert (code, "the same bytes" in said) == (0, True), said
    assert [*victim.iterdir()] == []


def test_no_folder_is_emptied_through_a_link(tmp_path: Path) -> None:
    """RT-3: `courtly site` clears what another build left, and nothing that a link points to."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "work.txt").write_text("years", "utf-8")
    (tmp_path / "public").symlink_to(precious)
    with pytest.raises(Problems, match="is a link"):
        _clear(Disk(tmp_path), tmp_path / "public")
    assert (precious / "work.txt").read_text("utf-8") == "years"


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_folder_to_write_into_has_no_link_on_its_way(tmp_path: Path, depth: int) -> None:
    """RT-3: at any depth; and a file in the place of a folder is no way either."""
    parts, elsewhere = ("open-sheets", "summer", "001-spring"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    for kind in ("link", "file"):
        root = tmp_path / kind
        way = root.joinpath(*parts[:depth])
        way.mkdir(parents=True)
        if kind == "link":
            (way / parts[depth]).symlink_to(elsewhere)
        else:
            (way / parts[depth]).write_text("x", "utf-8")
        with pytest.raises(OSError, match="part of this path is a"):
            Disk(root).make(root.joinpath(*parts))
    assert [*elsewhere.iterdir()] == []
    assert Disk(tmp_path).make(tmp_path / "a/b/c").is_dir()


def test_doctor_names_what_git_was_told_to_leave_out(archive: Archive) -> None:
    """RT-1: before it is lost; a job commits it all the same."""
    assert [*ignored(archive)] == []
    (archive.root / ".gitignore").write_text("secret*\n", "utf-8")
    turn = archive.game_folder(GAME) / archive.turns(GAME)[0]
    for number in range(5):
        (turn / f"secret.{number}").write_text("x", "utf-8")
    told = [*ignored(archive)]
    assert told[0].startswith(f"git ignores games/{GAME}/{turn.name}/secret.0: a commit by hand leaves it out")
    assert told[3:] == ["git ignores 2 more files below games/"]
