"""The job that ends a game commits it to its new place, and intake uses a game's current name (H3-12)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest

from adjudicator.ci.history import check_history
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.move import rename
from adjudicator.core.jobs.verify import verify_game
from adjudicator.site.receipts import intake_receipts
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.ci.conftest import ACCOUNTS, FIRST, World, game_data
from tests.ci.fake import git

LATE = "2026-11-25T00:00:00Z"


def fresh(world: World, folder: Path) -> Archive:
    git(folder, "clone", "--quiet", str(world.fake.repository), "fresh")
    return Archive(folder / "fresh")


def test_a_game_that_a_job_ends_is_pushed_whole_to_the_finished_games(
    worlds: Callable[..., World], tmp_path: Path
) -> None:
    world = worlds({"summer": game_data(), "winter": game_data()})
    ending = b"rulings:\n- {reason: All agree., end: {how: called off}}\n"
    world.fake.push_to_main({f"games/summer/{FIRST}/ruling.yaml": ending})
    before = {path for path in world.fake.files() if path.startswith("games/summer/")}
    batch = world.adjudicate("2026-11-20T12:00:00Z")
    assert (batch.problems, batch.pushed) == ([], True)
    assert [(step.game, step.what) for step in batch.steps][-2:] == [("summer", "ended"), ("over/summer", "put away")]
    after = set(world.fake.files())
    assert not [path for path in after if path.startswith("games/summer/")]
    assert {path.replace("games/summer/", "games/over/summer/") for path in before} <= after
    assert "games/over/summer/ending.yaml" in after
    archive = fresh(world, tmp_path)
    assert (archive.slugs(), archive.has_ended("summer"), archive.has_ended("winter")) == (
        ["summer", "winter"], True, False,
    )  # fmt: skip
    assert verify_game(archive, "summer").problems == ()
    assert check_history(archive.root).problems == []
    # The other game goes on, and nothing is done twice.
    late = world.adjudicate(LATE)
    assert {step.game for step in late.steps} == {"winter"}
    number = world.fake.open_pull(
        ACCOUNTS["Italy"], "emil", {f"games/summer/{FIRST}/orders/italy.yaml.age": b"whatever"}
    )
    refused = world.intake(number)
    assert refused.what == "refused"
    assert "this game is over" in world.fake.pulls[number].comments[-1]


def test_a_renamed_game_takes_sheets_in_under_its_new_name(worlds: Callable[..., World], tmp_path: Path) -> None:
    world = worlds()
    game = world.turn().game.slug
    late = world.sealed("Italy", ["A Venice H"])
    early = world.sealed("Austria", ["A Vienna - Galicia"])
    path = f"games/{game}/{FIRST}/orders/austria.yaml.age"
    assert world.intake(world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: early})).what == "accepted"
    renamed = {
        old.replace(f"games/{game}/", "games/long/"): world.fake.read(old)
        for old in world.fake.files()
        if old.startswith(f"games/{game}/")
    }
    renamed["games/long/game.yaml"] += b"named: %s\n" % game.encode()
    gone = dict.fromkeys(old for old in world.fake.files() if old.startswith(f"games/{game}/"))
    world.fake.push_to_main({**gone, **renamed})
    # A sheet offered under the old name is waited for, and taken in under the new one.
    old = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {path.replace("austria", "italy"): late})
    (held,) = world.adjudicate("2026-11-22T01:00:00Z").held
    assert held.startswith("long is waiting until pull request")
    assert world.intake(old).what == "accepted"
    assert f"`games/long/{FIRST}/orders/italy.yaml.age`" in world.fake.pulls[old].comments[-1]
    batch = world.adjudicate(LATE)
    assert batch.problems == []
    assert {step.game for step in batch.steps} >= {"long"}
    archive = fresh(world, tmp_path)
    checked = verify_game(archive, "long")
    assert (checked.problems, checked.name) == ((), game)
    judged = (archive.game_folder("long") / FIRST / "turn.yaml").read_text()
    assert "A Vienna - Galicia" in judged
    assert "\n  Italy: " in judged.partition("\nsheets:")[2]
    report = check_history(archive.root)
    assert report.problems == []
    assert f"games/{game} was renamed to games/long" in [note.what.partition(" (")[0] for note in report.notes]


def renames(world: World, old: str, new: str) -> None:
    """Rename a game as the host, and push it."""
    world.clone.update()
    rename(world.archive, old, new)
    assert world.clone.commit(["Renamed"], "2026-11-20T13:00Z")
    assert world.clone.push()


def test_the_author_of_a_sheet_that_does_not_open_is_notified_even_after_a_rename(worlds: Callable[..., World]) -> None:
    """H3-6: the commit of a sheet touched it under the game's name at that time."""
    world = worlds({"summer": game_data()})
    path = f"games/summer/{FIRST}/orders/austria.yaml.age"
    number = world.fake.open_pull(
        ACCOUNTS["Austria"], "anna", {path: world.sealed("Austria", ["A Vienna H"], attempt=7)}
    )
    assert world.intake(number).what == "accepted"
    renames(world, "summer", "long")
    batch = world.adjudicate("2026-11-20T12:30:00Z")
    assert (batch.problems, batch.unopened) == ([], [path.replace("summer", "long")])
    assert "**This sheet does not count:**" in world.fake.pulls[number].comments[-1]


def test_a_sheet_taken_in_before_a_rename_gets_its_answer_after_it(worlds: Callable[..., World]) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s")})
    number = world.fake.open_pull(
        ACCOUNTS["Italy"], "emil", {f"games/open/{FIRST}/orders/italy.yaml": b"orders: [A Venice H]\n"}
    )
    with mock.patch("adjudicator.ci.intake.answer", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        world.intake(number)
    renames(world, "open", "long")
    world.fake.now += timedelta(minutes=10)
    (done,) = world.catch_up().outcomes
    assert (done.number, done.what) == (number, "accepted")
    assert "received | 2026-11-20T12:00Z (server time)" in world.fake.pulls[number].comments[-1]


@pytest.mark.parametrize("last", ["third", "open"])
def test_no_page_doubts_a_sheet_that_came_under_an_interim_name(worlds: Callable[..., World], last: str) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s")})
    renames(world, "open", "second")
    sheet = f"games/second/{FIRST}/orders/italy.yaml"
    number = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {sheet: b"orders: [A Venice H]\n"})
    assert world.intake(number).what == "accepted"
    renames(world, "second", last)
    digest = hashlib.sha256(b"orders: [F Ankara H]\n").hexdigest()
    forged = f"Sheet\n\nCourtly-File: x\nCourtly-SHA256: {digest}\n"  # is not a path of a game
    world.fake.push_to_main({"x": b"x"}, says=forged)
    world.fake.push_to_main({f"games/{last}/{FIRST}/orders/turkey.yaml": b"orders: [F Ankara H]\n"})
    world.clone.update()
    story = load_story(Archive(world.root), last, intake_receipts(world.root))
    assert story is not None
    page = str(turn_page(story, 0, "", "../../../"))
    assert "turkey.yaml was not taken in by intake" in page
    assert "italy.yaml was not taken in by intake" not in page


def test_a_checkout_without_finished_games_can_judge_and_end_games(worlds: Callable[..., World]) -> None:
    """The page for hosts promises this for growing archives."""
    world = worlds({"summer": game_data(), "winter": game_data()})
    git(world.root, "sparse-checkout", "set", "--no-cone", "/*", "!/games/over/")
    ending = b"rulings:\n- {reason: All agree., end: {how: called off}}\n"
    world.fake.push_to_main({f"games/summer/{FIRST}/ruling.yaml": ending})
    batch = world.adjudicate(LATE)
    assert (batch.problems, batch.pushed) == ([], True)
    world.fake.push_to_main({f"games/winter/{world.archive.turns('winter')[-1]}/ruling.yaml": ending})
    assert "games/over/summer/ending.yaml" in world.fake.files()
    before = {path for path in world.fake.files() if "/summer/" in path}
    assert world.adjudicate("2026-11-30T00:00:00Z").problems == []
    after = world.fake.files()
    assert {path for path in after if "/summer/" in path} == before
    assert "games/over/winter/ending.yaml" in after
    assert not [path for path in after if path.startswith(("games/summer/", "games/winter/"))]


def test_a_running_game_among_the_finished_ones_is_reported_and_goes_on(worlds: Callable[..., World]) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s")})
    files = {path: world.fake.read(path) for path in world.fake.files() if path.startswith("games/open/")}
    there = {path.replace("games/open/", "games/over/open/"): body for path, body in files.items()}
    world.fake.push_to_main({**dict.fromkeys(files), **there})
    world.clone.update()
    (said,) = check_archive(world.archive)
    assert (
        str(said)
        == "games/over/open: this game is not over, but its folder is in games/over/; move the folder back to games/open"
    )
    number = world.fake.open_pull(
        ACCOUNTS["Italy"], "emil", {f"games/open/{FIRST}/orders/italy.yaml": b"orders: [A Venice H]\n"}
    )
    assert world.intake(number).what == "accepted"
    assert f"games/over/open/{FIRST}/orders/italy.yaml" in world.fake.files()
    assert not [path for path in world.fake.files() if path.startswith("games/open/")]


def test_no_page_doubts_a_sheet_of_a_game_from_another_archive(worlds: Callable[..., World]) -> None:
    """Its receipt is in the history of the archive that it came from."""
    world = worlds({"open": game_data(sealed=False, seed="s")})
    place = f"games/open/{FIRST}/orders"
    number = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {f"{place}/italy.yaml": b"orders: [A Venice H]\n"})
    assert world.intake(number).what == "accepted"
    world.fake.push_to_main({f"{place}/turkey.yaml": b"orders: [F Ankara H]\n"})
    pages = []
    for more in (b"", b'archive: "0123456789abcdef"\n'):
        world.fake.push_to_main({"games/open/game.yaml": world.fake.read("games/open/game.yaml") + more})
        world.clone.update()
        story = load_story(Archive(world.root), "open", intake_receipts(world.root))
        assert story is not None
        pages.append("turkey.yaml was not taken in by intake" in str(turn_page(story, 0, "", "../../../")))
    assert pages == [True, False]
