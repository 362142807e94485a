"""The job that ends a game commits it where it lies then, and intake goes by the name that a game has now (H3-12)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from adjudicator.ci.history import check_history
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.verify import verify_game
from tests.ci.conftest import ACCOUNTS, FIRST, World, game_data
from tests.ci.fake import git

LATE = "2026-11-25T00:00:00Z"


def fresh(world: World, folder: Path) -> Archive:
    git(folder, "clone", "--quiet", str(world.fake.repository), "fresh")
    return Archive(folder / "fresh")


def test_a_game_that_a_job_ends_is_pushed_whole_among_those_that_are_over(
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
    old = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {path.replace("austria", "italy"): late})
    assert world.intake(old).what == "refused"
    assert "it was renamed: send this to games/long/" in world.fake.pulls[old].comments[-1]
    new = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {f"games/long/{FIRST}/orders/italy.yaml.age": late})
    assert world.intake(new).what == "accepted"
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
