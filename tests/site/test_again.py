"""A site built again: only what has changed is written, and it is the site that would be built from nothing, to the byte."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.text.problems import Problems
from adjudicator.site.mkdocs import build as building
from adjudicator.site.mkdocs.build import build
from adjudicator.site.mkdocs.written import Written
from tests.ci.fake import git
from tests.conftest import ROOT
from tests.site.conftest import empty_site

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site")]

GAMES = ("fall-1085", "first-lessons", "the-heir-of-avermark")


def commit(folder: Path) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text("utf-8") + text, encoding="utf-8")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a site and a few games, committed."""
    folder = tmp_path / "archive"
    folder.mkdir()
    empty_site(folder, (*GAMES, "archive.yaml"))
    (folder / ".gitignore").write_text("public/\n")
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


def test_a_site_built_again_is_the_site_built_from_nothing(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    made: list[Path] = []
    add, run = Written.add, building._run_mkdocs

    def counted(self: Written, story: object, files: object) -> object:
        written.append(story.slug)  # type: ignore[attr-defined]  # whatever it is
        return add(self, story, files)  # type: ignore[arg-type]  # as it came

    def counted_run(root: Path, folder: Path) -> object:
        made.append(root)
        return run(root, folder)

    monkeypatch.setattr(Written, "add", counted)
    monkeypatch.setattr(building, "_run_mkdocs", counted_run)
    number = 0

    def again() -> tuple[list[str], bool]:
        """The games that were written, and whether MkDocs ran, for a site as from nothing."""
        nonlocal number
        number += 1
        written.clear()
        made.clear()
        build(root)
        done = (written[:], bool(made))
        cold = tmp_path / f"cold-{number}"
        shutil.copytree(root, cold, ignore=shutil.ignore_patterns("public", ".courtly"))
        build(cold)
        assert files_of(root / "public") == files_of(cold / "public")
        shutil.rmtree(cold)
        return done

    assert again() == ([*GAMES], True)
    assert again() == ([], False)
    append(root / "games/first-lessons/game.yaml", "# A host's remark.\n")
    assert again() == (["first-lessons"], False)
    assert again() == (["first-lessons"], False), "it is not committed: nobody knows it by its hash"
    commit(root)
    assert again() == (["first-lessons"], False)
    assert again() == ([], False)
    shutil.copytree(ROOT / "games/france-by-one", root / "games/france-by-one")
    commit(root)
    assert again() == (["france-by-one"], False)
    append(root / "site_src/index.md", "\nOne line more.\n")
    assert again() == (sorted(["france-by-one", *GAMES]), True)
    shutil.rmtree(root / "games/the-heir-of-avermark")
    commit(root)
    assert again() == ([], False)
    turn = next((root / "games/fall-1085").glob("001*/turn.yaml"))
    turn.write_bytes(b"nonsense: [")
    with pytest.raises(Problems, match="fall-1085"):
        build(root)
    assert not (root / "public/games/fall-1085").exists()
    assert "games/fall-1085/" not in (root / "public/index.html").read_text("utf-8")
    git(root, "checkout", "-q", "--", "games")
    again()


def test_the_command_builds_everything_when_it_is_told_to(root: Path) -> None:
    for more in ((), ("--all",)):
        done = CliRunner().invoke(main, ["-C", str(root), "site", *more])
        assert done.exit_code == 0, done.output
    before = files_of(root / "public")
    (root / "public/games/first-lessons/index.html").write_text("spoilt")
    assert CliRunner().invoke(main, ["-C", str(root), "site", "--all"]).exit_code == 0
    assert files_of(root / "public") == before


def test_where_nothing_can_be_kept_it_is_built_all_the_same(root: Path) -> None:
    """Without git nobody knows what has changed."""
    shutil.rmtree(root / ".git")
    build(root)
    assert (root / "public/games/first-lessons/index.html").is_file()
    first = files_of(root / "public")
    build(root)
    assert files_of(root / "public") == first


def test_where_a_site_hangs_on_what_cannot_be_seen_all_of_it_is_built(root: Path) -> None:
    append(root / "mkdocs.yml", '\ncopyright: !ENV [COURTLY_NOTE, "nobody"]\n')
    commit(root)
    for said in ("first", "second"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COURTLY_NOTE", f"the {said} note")
            build(root)
        assert f"the {said} note" in (root / "public/games/first-lessons/index.html").read_text("utf-8")
