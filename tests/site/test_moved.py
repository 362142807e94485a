"""A game's pages keep their addresses when its folder is renamed or put away; links into the archive follow it (H3-12)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.move import put_away, rename
from adjudicator.core.turn.load import load_charter
from adjudicator.site.desk import desk_files
from adjudicator.site.mkdocs.build import build
from adjudicator.site.story import load_story
from tests.ci.fake import git
from tests.site.conftest import empty_site

RUNS, ENDED = "first-lessons", "austria-alone"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A committed repository with a site and two games, one of them over and not put away yet."""
    folder = tmp_path / "archive"
    folder.mkdir()
    empty_site(folder, (RUNS, ENDED))
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\nrepository: our-club/games\n')
    (folder / ".gitignore").write_text("public/\n")
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "So")


def files_of(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*")) if path.is_file()}


@pytest.mark.slow
def test_addresses_stay_and_links_to_files_follow_the_game(root: Path) -> None:
    archive, public = Archive(root), root / "public"
    build(root)
    before = files_of(public)
    rename(archive, RUNS, "the-first-ones")
    put_away(archive, ENDED)
    for done in (False, True):  # before it is committed, and after
        if done:
            commit(root)
        build(root)
        after = files_of(public)
        assert after.keys() == before.keys()
        assert not [name for name in after if "the-first-ones" in name or name.startswith("games/over/")]
        pages = {name: body.decode() for name, body in after.items() if name.endswith((".html", ".json", ".xml"))}
        old = [
            name
            for name, text in pages.items()
            if f"/tree/main/games/{ENDED}" in text or f"/main/games/{RUNS}" in text or f"/main/games/{ENDED}/" in text
        ]
        assert old == [], "no page leads to where the folders lay"
        assert "/tree/main/games/the-first-ones" in pages[f"games/{RUNS}/index.html"]
        assert f"/tree/main/games/over/{ENDED}" in pages[f"games/{ENDED}/index.html"]
        listed = {game["game"] for game in json.loads(pages["games/desks.json"])}
        assert listed == {RUNS}
    again = files_of(build(root, everything=True).parent)
    assert again == after, "built again it is the same"


def test_the_desk_sends_sheets_to_the_folder_and_seals_them_for_the_original_name(root: Path) -> None:
    archive = Archive(root)
    rename(archive, RUNS, "the-first-ones")
    story = load_story(archive, "the-first-ones")
    assert story is not None
    (text,) = [text for name, text in desk_files(story, load_charter(archive)).items() if name.endswith("desk.json")]
    data = json.loads(text)
    assert (data["game"], data["folder"]) == (RUNS, "games/the-first-ones")


def test_sheets_that_intake_took_in_before_a_rename_are_known(root: Path) -> None:
    import hashlib

    from adjudicator.site.turn import _by_hand

    archive = Archive(root)
    folder = archive.game_folder(RUNS)
    sheets = sorted(folder.glob("*/orders/*.yaml"))
    taken = {(path.relative_to(root).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()): "" for path in sheets}
    assert taken
    rename(archive, RUNS, "the-first-ones")
    for known, many in ((taken, 0), ({("games/else/x/orders/y.yaml", "0" * 64): ""}, len(sheets))):
        story = load_story(archive, "the-first-ones", known)
        assert story is not None
        assert sum(len([*_by_hand(story, turn)]) for turn in story.turns) == many
