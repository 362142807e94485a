"""Rebuilding a site: only changed pages are written, and the site equals a build from nothing, to the byte."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from markupsafe import Markup

from adjudicator.cli import main
from adjudicator.core.contract.scene import Scene
from adjudicator.core.files.places import remembered
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_turn
from adjudicator.site.mkdocs import build as building
from adjudicator.site.mkdocs.build import build
from adjudicator.site.mkdocs.written import Written
from adjudicator.site.story import Story
from adjudicator.site.turn import scene_to_see, turn_page
from tests.ci.fake import git
from tests.conftest import ROOT, first_of
from tests.site.conftest import empty_site

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("plain_books")]

GAMES = ("fall-1085", "first-lessons")
CARDS = "the-heir-of-avermark"
"""A game with pages for its cards; its first turns are enough here."""


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


def test_a_rebuilt_site_equals_one_built_from_nothing(
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

    def again(*, changed: bool = True) -> tuple[list[str], bool]:
        """The games that were written, and whether MkDocs ran. If `changed`, asserts that the site equals a build from nothing."""
        nonlocal number
        number += 1
        written.clear()
        made.clear()
        build(root)
        done = (written[:], bool(made))
        if not changed:
            return done
        cold = tmp_path / f"cold-{number}"
        # If MkDocs has nothing to do, its earlier output is reused: it takes seconds.
        shutil.copytree(root, cold, ignore=shutil.ignore_patterns("public"), copy_function=os.link)
        if not made:
            known = shutil.ignore_patterns("site", "site.json")
            shutil.copytree(remembered(root).root, remembered(cold).root, ignore=known)
        build(cold)
        assert files_of(root / "public") == files_of(cold / "public")
        shutil.rmtree(cold)
        return done

    assert again() == ([*GAMES], True)
    assert again(changed=False) == ([], False)
    append(root / "games/first-lessons/game.yaml", "# A host's remark.\n")
    assert again() == (["first-lessons"], False)
    assert again(changed=False) == ([], False)
    commit(root)
    assert again(changed=False) == ([], False), "a commit changes no file"
    shutil.copytree(
        Archive(ROOT).game_folder(CARDS), root / "games" / CARDS, ignore=shutil.ignore_patterns("00[4-9]*", "0[1-9]*")
    )
    commit(root)
    assert again() == ([CARDS], False)
    append(root / "site_src/index.md", "\nOne line more.\n")
    assert again() == ([*GAMES, CARDS], True)
    shutil.rmtree(root / "games" / CARDS)
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


def test_the_command_builds_everything_if_asked_to(root: Path) -> None:
    for more in ((), ("--all",)):
        done = CliRunner().invoke(main, ["-C", str(root), "site", *more])
        assert done.exit_code == 0, done.output
    before = files_of(root / "public")
    (root / "public/games/first-lessons/index.html").write_text("spoilt")
    assert CliRunner().invoke(main, ["-C", str(root), "site", "--all"]).exit_code == 0
    assert files_of(root / "public") == before


def test_a_site_is_built_even_if_nothing_can_be_cached(root: Path) -> None:
    """Without git nothing shows what has changed."""
    shutil.rmtree(root / ".git")
    build(root)
    assert (root / "public/games/first-lessons/index.html").is_file()
    first = files_of(root / "public")
    build(root)
    assert files_of(root / "public") == first


@pytest.mark.long
def test_a_site_that_depends_on_something_unknown_is_always_built_whole(root: Path) -> None:
    shutil.rmtree(root / "games/fall-1085")
    append(root / "mkdocs.yml", '\ncopyright: !ENV [COURTLY_NOTE, "nobody"]\n')
    commit(root)
    for said in ("first", "second"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COURTLY_NOTE", f"the {said} note")
            build(root)
        assert f"the {said} note" in (root / "public/games/first-lessons/index.html").read_text("utf-8")


def test_judging_a_turn_rebuilds_its_page_and_not_earlier_ones(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-10, FR-11. Whatever is done to a running game, the site equals a build from nothing, and few of its pages are made."""
    pages: list[str] = []
    opened: list[str] = []
    painted: list[str] = []

    def page(story: Story, index: int, *more: Any) -> Markup:
        pages.append(story.turns[index].name)
        return turn_page(story, index, *more)

    def scene(story: Story, turn: Turn) -> Scene:
        painted.append(turn.name)
        return scene_to_see(story, turn)

    def load(archive: Archive, game: Game, name: str, **more: Any) -> Turn:
        if more.get("plain") is None:
            opened.append(name)
        return load_turn(archive, game, name, **more)

    monkeypatch.setattr("adjudicator.site.game_files.turn_page", page)
    monkeypatch.setattr("adjudicator.site.game_files.scene_to_see", scene)
    monkeypatch.setattr("adjudicator.site.story.load_turn", load)

    def courtly(*words: str) -> None:
        done = CliRunner().invoke(main, ["-C", str(root), *words])
        assert done.exit_code == 0, done.output

    def turns() -> list[str]:
        return Archive(root).turns("summer")

    def again(*, changed: bool = True) -> tuple[list[str], list[str], list[str]]:
        """Numbers of the turns whose pages were made, whose files were opened, and whose maps were drawn.

        If `changed`, asserts that the site equals a build from nothing.
        """
        commit(root)
        for done in (pages, opened, painted):
            done.clear()
        build(root)
        numbers = [sorted({str(int(name[:3])) for name in done}, key=int) for done in (pages, opened, painted)]
        if changed:
            cold = tmp_path / "cold"
            left_out = shutil.ignore_patterns("public", "site", "site.json")
            shutil.copytree(root, cold, ignore=left_out, copy_function=os.link)
            build(cold)
            assert files_of(root / "public") == files_of(cold / "public")
            shutil.rmtree(cold)
        return numbers[0], numbers[1], numbers[2]

    for game in GAMES:
        shutil.rmtree(root / "games" / game)
    courtly("new", "summer", "--ruleset", "diplomacy", "--opened", "2026-11-20", "--turn", "2d")
    for _ in range(5):
        courtly("run", "--game", "summer", "--now")
    every = [str(number + 1) for number in range(len(turns()))]
    assert len(every) >= 6
    assert again() == (every, every, every)
    assert again(changed=False) == ([], [], [])
    courtly("run", "--game", "summer", "--now")
    last = len(turns())
    assert last == len(every) + 1
    # The judged turn, the one that was opened, and the one before, which links to its successor.
    assert again() == (
        [str(last - 2), str(last - 1), str(last)],
        [str(last - 1), str(last)],
        [str(last - 2), str(last - 1), str(last)],
    )
    sheet = root / "games/summer" / turns()[-1] / "orders/france.yaml"
    sheet.parent.mkdir(exist_ok=True)
    sheet.write_text("orders:\n  - A Paris - Burgundy\n")
    assert again()[1] == [str(last)], "a sheet came"
    assert again(changed=False) == ([], [], [])
    ruling = root / "games/summer" / turns()[-1] / "ruling.yaml"
    ruling.write_text("rulings:\n  - extend: 2030-12-24T18:00Z\n    reason: holidays\n")
    assert again()[1] == [str(last)], "a ruling"
    append(root / "games/summer/game.yaml", "# A host's remark.\n")
    assert again()[0] == [str(number + 1) for number in range(last)], "all pages hang on it"
    (root / "public/games/summer" / turns()[1] / "index.html").unlink()
    courtly("run", "--game", "summer", "--now")
    assert "2" in again()[0], "it was not there"
    (root / "public/games/summer/replay.js").write_text("spoilt")
    (remembered(root).root / "site/summer.turns.json").write_text("{}")
    courtly("run", "--game", "summer", "--now")
    assert len(again()[0]) == len(turns())
    (root / "public/games/summer/replay.js").write_text("spoilt")
    courtly("run", "--game", "summer", "--now")
    drawn = again()
    assert drawn[0] == ["7", "8", "9", "10"], (
        "the seventh has a ruling: what it struck off may stand on an earlier sheet"
    )
    assert len(drawn[2]) == len(turns()), "the file that had their maps was spoilt"
    ruling = root / "games/summer" / turns()[-1] / "ruling.yaml"
    ruling.write_text("rulings:\n  - end: {how: stopped, winners: []}\n    reason: nobody plays any more\n")
    courtly("run", "--game", "summer", "--now")
    assert len(again()[0]) == len(turns()), "a game that is over is told anew"
    assert not (remembered(root).root / "site/summer.turns.json").exists()
    assert again(changed=False) == ([], [], [])


def test_edits_that_were_taken_back_are_not_published(root: Path, tmp_path: Path) -> None:
    """An edit that was never committed disappears from the site, with the files that it caused."""
    build(root)
    before = files_of(root / "public")
    game = root / "games/first-lessons/game.yaml"
    game.write_text(game.read_text("utf-8").replace("title:", "title: DIRTY", 1), encoding="utf-8")
    build(root)
    assert b"DIRTY" in (root / "public/index.html").read_bytes()
    git(root, "checkout", "-q", "--", "games")
    build(root)
    assert files_of(root / "public") == before


@pytest.mark.parametrize("where", first_of(["game", "clear", "lists"], 1))
def test_a_killed_build_is_not_taken_for_a_whole_one(root: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it stops, and whatever the files contain by then, the next one makes the site as from nothing."""
    build(root)
    before = files_of(root / "public")

    class Killed(BaseException):
        pass

    def kill(*_: object, **__: object) -> None:
        raise Killed

    append(root / "games/first-lessons/game.yaml", "# Another remark.\n")
    shutil.rmtree(root / "games/fall-1085")
    commit(root)
    if where == "clear":
        shutil.rmtree(root / "public")
    stops = {"clear": "publish._lay_out", "game": "written.Written.write_page", "lists": "publish._extend_search"}
    with monkeypatch.context() as patch:
        patch.setattr(f"adjudicator.site.mkdocs.{stops[where]}", kill)
        with pytest.raises(Killed):
            build(root)
    git(root, "checkout", "-q", "HEAD~1", "--", "games")
    commit(root)
    build(root)
    assert files_of(root / "public") == before


def test_deleted_files_of_the_site_come_back(root: Path) -> None:
    build(root)
    before = files_of(root / "public")
    for name in ("index.html", "feed.xml", "games/desks.json", "games/first-lessons/map.svg"):
        (root / "public" / name).unlink()
        build(root)
        assert files_of(root / "public") == before, name


def test_games_may_have_the_names_of_things_cached_beside_them(root: Path) -> None:
    for slug in ("cards", "unfinished", "turns", "site"):
        shutil.copytree(root / "games/first-lessons", root / f"games/{slug}")
        for path in (root / f"games/{slug}").rglob("turn.yaml"):
            path.write_text(
                path.read_text("utf-8").replace("game: first-lessons\n", f"game: {slug}\n"), encoding="utf-8"
            )
    commit(root)
    for _ in range(2):
        build(root)
    append(root / "games/cards/game.yaml", "# A remark.\n")
    commit(root)
    build(root)
    assert (root / "public/games/cards/index.html").is_file()
    build(root, everything=True)
