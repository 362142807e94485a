"""A stranger's archive: courtly runs nothing in it, does not believe its claims about itself, and writes nowhere else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
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
LINKED = "the-wazirs-of-1080"
"""Another archive, with links in it."""


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
    """A program that leaves a mark when it runs, and the mark."""
    sign = root.parent / "it-ran"
    path = root / ".git" / "evil.sh"
    path.write_text(f"#!/bin/sh\ntouch '{sign}'\ncat\n", "utf-8")
    path.chmod(0o755)
    return path, sign


@pytest.mark.parametrize(
    "word", ["core.fsmonitor", "filter.x.clean", "filter.x.process", "core.pager", "diff.external"]
)
@pytest.mark.parametrize("command", [("verify",), ("check",), ("doctor",)], ids=lambda words: words[0])
def test_no_program_that_its_settings_name_runs(archive: Archive, word: str, command: tuple[str, ...]) -> None:
    """RT-4: nor a program that its attributes send files through."""
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


def test_no_git_variable_leads_elsewhere(archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RT-4: git sets such variables for a hook, which runs in another repository."""
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
def test_no_flag_in_the_index_is_believed(archive: Archive, bit: str) -> None:
    """RT-5: a file that git must skip is read all the same, so earlier findings about it do not count."""
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
    """RT-3: `courtly site` clears the output of another build, but nothing that a link points to."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "work.txt").write_text("years", "utf-8")
    (tmp_path / "public").symlink_to(precious)
    with pytest.raises(Problems, match="is a link"):
        _clear(Disk(tmp_path), tmp_path / "public")
    assert (precious / "work.txt").read_text("utf-8") == "years"


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_an_output_folder_may_have_no_link_in_its_path(tmp_path: Path, depth: int) -> None:
    """RT-3: at any depth; a file where a folder belongs is refused too."""
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


def test_doctor_names_files_that_git_ignores(archive: Archive) -> None:
    """RT-1: before the file is lost. A job commits it nevertheless."""
    assert [*ignored(archive)] == []
    (archive.root / ".gitignore").write_text("secret*\n", "utf-8")
    turn = archive.game_folder(GAME) / archive.turns(GAME)[0]
    for number in range(5):
        (turn / f"secret.{number}").write_text("x", "utf-8")
    told = [*ignored(archive)]
    assert told[0].startswith(f"git ignores games/{GAME}/{turn.name}/secret.0, so a commit by hand leaves it out")
    assert told[3:] == ["git ignores 2 more files below games/"]


# Every trick at once -------------------------------------------------------------------------------------------------

WATCHED = """
import json, os, sys
seen = []
def watch(event, args):
    if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "socket.connect", "ctypes.dlopen", "import"):
        if event != "import":
            seen.append([event, repr(args[0]), repr(args[1]) if len(args) > 1 else ""])
    elif event == "open" and isinstance(args[0], str) and os.path.isabs(args[0]):
        seen.append([event, os.path.realpath(args[0]), ""])
sys.addaudithook(watch)
from adjudicator.cli import main
try:
    main()
finally:
    with open(os.environ["SEEN"], "w") as file:
        json.dump(seen, file)
"""
"""The command, with a watch over every program that it runs, every connection, and every file that it opens by a full path."""


STOPS = (
    "games/archive.yaml",
    ".courtly.lock",
    "site_src/assets",
    "public",
    "objects",
    "games/over",
    f"games/{LINKED}/undone",
)
"""Tricks that stop a command: it reaches the others only without them."""


def tricky(root: Path, victim: Path, but: Iterable[str] = ()) -> None:
    """An archive with every known trick: links, settings, hooks, attributes, names; `but` leaves out some."""
    shutil.copytree(ROOT / "games" / GAME, root / "games" / GAME)
    shutil.copytree(Archive(ROOT).game_folder(LINKED), root / "games" / LINKED)
    (root / "mkdocs.yml").write_text(
        "site_name: X\nuse_directory_urls: false\nplugins:\n  - courtly\ntheme: {name: material}\nsite_dir: public\ndocs_dir: site_src\n"
    )
    (root / "site_src").mkdir()
    (root / "site_src/index.md").write_text('# X\n\n<div id="courtly-games"></div>\n')
    (victim / "deep").mkdir(parents=True)
    for name in (
        "turn.yaml",
        "map.svg",
        "game.yaml",
        "austria.yaml",
        "archive.yaml",
        "verify.json",
        "index.html",
        ".gitignore",
        "deep/x.yaml",
    ):
        (victim / name).write_text(f"precious {name}")
    git(root, "init", "--quiet", "-b", "main")
    turns = sorted(path.name for path in (root / "games" / LINKED).glob("0*"))
    linked = root / "games" / LINKED
    for name, to in {
        ".courtly": victim, ".courtly.lock": victim / "turn.yaml", "open-sheets": victim, "public": victim,
        "games/elsewhere": victim, "games/over": victim, "games/archive.yaml": victim / "archive.yaml",
        f"games/{LINKED}/{turns[0]}/orders/badajoz.9.yaml": victim / "austria.yaml", f"games/{LINKED}/{turns[0]}/.courtly-map.svg": victim / "map.svg",
        f"games/{LINKED}/.courtly-{turns[1]}": victim, "games/.courtly-new": victim, f"games/{LINKED}/undone": victim, f"games/{LINKED}/kept/x.yaml": victim / "turn.yaml",
        f"games/{LINKED}/{turns[1]}/dispatches": victim, f"games/{LINKED}/{turns[1]}/ruling.yaml": victim / "turn.yaml", "site_src/assets": victim,
    }.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if name not in but and not (root / name).exists():
            (root / name).symlink_to(to)
    map_file = linked / turns[0] / "map.svg"
    map_file.unlink()
    map_file.symlink_to(victim / "map.svg")
    for name in (
        LINKED.title(),
        f"{LINKED} ",
        f"{LINKED}.",
        LINKED.replace("s", "\u017f"),
        "line\nbreak",
        "-rf",
        "$(touch it-ran)",
        "...",
    ):
        (root / "games" / name).mkdir(exist_ok=True)
        (root / "games" / name / "turn.yaml").write_text("x: 1\n")
    git(root, "add", "--force", "--all")
    git(root, "-c", "user.name=x", "-c", "user.email=x@x.invalid", "commit", "--quiet", "--no-gpg-sign", "-m", "All")
    evil, _ = program(root)
    for word in (
        "core.fsmonitor", "filter.x.clean", "filter.x.smudge", "filter.x.process", "core.pager", "diff.external", "diff.x.textconv",
        "diff.x.command", "core.sshCommand", "core.askPass", "core.editor", "credential.helper", "gpg.program", "gpg.ssh.program",
        "merge.x.driver", "core.alternateRefsCommand", "uploadpack.packObjectsHook", "remote.origin.uploadpack", "log.mailmap", "alias.log",
        "alias.ls-files", "pager.log", "interactive.diffFilter", "trailer.x.command",
    ):  # fmt: skip
        git(root, "config", word, f"{evil}")
    for word, value in {
        "log.showSignature": "true", "core.worktree": str(victim), "extensions.partialClone": "origin", "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::sh -c {evil}", "protocol.ext.allow": "always", "core.hooksPath": str(root / ".git/evil-hooks"),
        "include.path": str(victim / "turn.yaml.config"),
    }.items():  # fmt: skip
        git(root, "config", word, value) if word != "core.worktree" else None
    for hooks in (root / ".git/hooks", root / ".git/evil-hooks"):
        hooks.mkdir(exist_ok=True)
        for name in (
            "post-checkout",
            "post-index-change",
            "pre-commit",
            "reference-transaction",
            "post-rewrite",
            "fsmonitor-watchman",
        ):
            shutil.copy(evil, hooks / name)
    (root / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    lost = root / ".git/objects"
    for path in sorted(lost.glob("[0-9a-f][0-9a-f]/*"))[: 0 if "objects" in but else 3]:
        path.unlink()  # so that git fetches them, by the address above


def snapshot(folder: Path) -> dict[str, tuple[bytes | None, int]]:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes() if path.is_file() else None, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


@pytest.mark.slow
@pytest.mark.parametrize("but", [(), STOPS], ids=["all", "those behind the first"])
@pytest.mark.parametrize(
    "words",
    [("verify",), ("verify", "--all"), ("verify", "--history"), ("check",), ("doctor",), ("site",), ("run",)],
    ids=" ".join,
)
def test_every_trick_at_once_touches_nothing_and_runs_nothing(
    tmp_path: Path, words: tuple[str, ...], but: tuple[str, ...]
) -> None:
    """RT-3, RT-4, RT-9 and the like: whatever the command reports, nothing outside is written, read or run."""
    root, victim, home = tmp_path / "stranger", tmp_path / "victim", tmp_path / "home"
    home.mkdir()
    tricky(root, victim, but)
    before, games = snapshot(victim), snapshot(root / "games")
    outside = {*tmp_path.iterdir()}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, "-C", str(root), *words], cwd=home, capture_output=True, text=True, check=False, timeout=300,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "COURTLY_CACHE": str(home / "cache"), "SEEN": str(home / "seen.json"), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"},
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    seen = json.loads((home / "seen.json").read_text())
    assert snapshot(victim) == before
    assert not (tmp_path / "it-ran").exists(), "a program of the repository ran"
    assert {*tmp_path.iterdir()} == outside
    ran = [(event, what) for event, what, _ in seen if event not in ("open", "ctypes.dlopen")]
    assert {what for _, what in ran} <= {"'git'"}, ran
    opened = [what for event, what, _ in seen if event == "open" and Path(what).is_relative_to(victim)]
    assert opened == [], "a file behind a link was opened"
    if words != ("run",):
        now = snapshot(root / "games")
        assert {name: body for name, (body, _) in now.items()} == {name: body for name, (body, _) in games.items()}


def test_the_watch_sees_what_is_run_and_opened(tmp_path: Path) -> None:
    """This proves that the test above checks something."""
    (tmp_path / "file").write_text("x")
    script = WATCHED.replace(
        "from adjudicator.cli import main",
        "def main():\n    import subprocess\n    open(sys.argv[1]).close()\n    subprocess.run(['true'])",
    )
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "file")],
        check=True,
        env={"PATH": os.environ["PATH"], "SEEN": str(tmp_path / "seen.json")},
    )
    seen = json.loads((tmp_path / "seen.json").read_text())
    assert ["open", str((tmp_path / "file").resolve()), ""] in seen
    assert [what for event, what, _ in seen if event == "subprocess.Popen"] == ["'true'"]
