"""The reserve: whoever is next on the list takes over a seat that falls into civil disorder by the game's own rules."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.ci.adjudicate import Batch
from adjudicator.ci.channels import news
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.reserve import take_over
from adjudicator.core.jobs.run import run_game
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.load import load_game
from adjudicator.core.turn.sheets import holder
from adjudicator.site.game import game_page
from adjudicator.site.story import load_story
from adjudicator.site.turn import map_of, turn_page
from tests.core.test_deadlines import SEATS, Play

pytestmark = pytest.mark.usefixtures("plain_maps")

NINA, OTTO = {"player": "Nina", "account": 901}, {"player": "Otto", "account": 902}


def with_reserve(root: Path, *people: dict[str, Any], sealed: bool = False, **schedule: Any) -> Play:
    """A game with these people in reserve, where a seat is out after one miss unless the schedule says otherwise."""
    game = Play(root, sealed=sealed, **({"out": {"in_all": 1}} | schedule))
    path = root / "games/game/game.yaml"
    data: Any = read(path.read_bytes(), "game.yaml").data
    path.write_text(write(data | {"reserve": [*people]}), "utf-8")
    return game


def plays(game: Play, seat: str) -> tuple[str, int | None]:
    turn = game.turn()
    person = holder(turn.game, turn.data, seat)
    return person.player, person.account


@pytest.mark.parametrize("sealed", [False, True])
def test_the_next_in_reserve_takes_over_and_is_waited_for(tmp_path: Path, sealed: bool) -> None:
    game = with_reserve(tmp_path, NINA, OTTO, sealed=sealed)
    game.sheets("Italy")
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002", "ruled 002"]
    data = game.turn().data
    assert plays(game, "Italy") == ("Nina", 901)
    assert (data.absent, "Italy" in data.owing, data.misses) == ((), True, None)
    (ruling,) = data.rulings
    assert ruling.reason == "Italy is in civil disorder, and the next person on the reserve list takes over."
    game.sheets("Italy")
    game.sheet("Italy", account=901)
    assert game.run("2026-11-24T00:00Z")[:2] == ["resolved 002", "opened 003"]
    game.check()


def test_two_seats_at_once_go_in_the_order_of_the_game_and_nobody_gets_two(tmp_path: Path) -> None:
    game = with_reserve(tmp_path, NINA)
    game.sheets("Italy", "France")
    game.run("2026-11-22T00:00Z")
    assert plays(game, "France") == ("Nina", 901)
    assert game.turn().data.absent == ("Italy",)
    game.sheets("France")
    game.run("2026-11-24T00:00Z")
    assert game.turn().data.absent == ("France", "Italy"), "Nina missed a turn, and does not follow herself"
    game.check()


def test_whoever_holds_a_seat_or_held_one_takes_over_none(tmp_path: Path) -> None:
    austria = {"player": "Anna", "account": 101 + SEATS.index("Austria")}
    game = with_reserve(tmp_path, austria, OTTO)
    game.rule({"reason": "Anna left.", "replace": {"seat": "Austria", "player": "Nina", "account": 901}})
    game.sheets("Italy", "Austria")
    game.sheet("Austria", account=901)
    game.run("2026-11-22T00:00Z")
    assert plays(game, "Italy") == ("Otto", 902)
    game.check()


def test_a_seat_that_the_host_puts_into_civil_disorder_stays_with_the_host(tmp_path: Path) -> None:
    game = with_reserve(tmp_path, NINA)
    game.rule({"reason": "Ida left.", "absent": "Italy"})
    game.sheets("Italy")
    assert game.run("2026-11-22T00:00Z") == ["ruled 001", "resolved 001", "opened 002"]
    assert game.turn().data.absent == ("Italy",)
    game.check()


def test_civil_disorder_for_every_miss_counts_too(tmp_path: Path) -> None:
    game = with_reserve(tmp_path, NINA, out=None, missing="civil_disorder")
    game.sheets("Turkey")
    assert game.run("2026-11-22T00:00Z") == ["resolved 001", "opened 002", "ruled 002"]
    assert plays(game, "Turkey") == ("Nina", 901)
    game.check()


def test_a_killed_run_gives_the_seat_too(tmp_path: Path) -> None:
    """A run that ends after judging writes the very same files when it is run again."""
    game = with_reserve(tmp_path, NINA)
    game.sheets("Italy")
    game.run("2026-11-22T00:00Z")
    folder = game.turn().folder
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    shutil.rmtree(folder)
    assert [step.what for step in run_game(game.archive, "game", at="2026-11-22T00:00Z")] == ["mended", "ruled"]
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_nobody_gets_a_power_that_is_out_of_the_game(tmp_path: Path) -> None:
    game = with_reserve(tmp_path, NINA)
    turn = game.turn()
    gone = {seat: units for seat, units in turn.data.position.units.items() if seat != "Italy"}
    empty = replace(turn.data.position, units=gone, centres={**turn.data.position.centres, "Italy": ()})
    out = replace(turn.data, absent=("Italy",))
    assert take_over(game.archive, turn.game, turn.data, out) is not None
    assert take_over(game.archive, turn.game, turn.data, replace(out, position=empty)) is None


def test_pages_and_channels_name_nobody_before_the_end(tmp_path: Path) -> None:
    """`names: at_end`: neither the ruling's reason nor its sentence."""
    game = with_reserve(tmp_path, NINA)
    path = tmp_path / "games/game/game.yaml"
    path.write_text(path.read_text("utf-8") + "names: at_end\n", "utf-8")
    game.sheets("Italy")
    steps = [*run_game(game.archive, "game", at="2026-11-22T00:00Z")]
    story = load_story(game.archive, "game")
    assert story is not None
    pages = [str(turn_page(story, number, "<svg></svg>", "../../../")) for number in range(2)]
    assert not any("Nina" in page for page in [*pages, str(game_page(story, "../../", map_of(story, story.last)))])
    assert "the next person on the reserve list takes over." in pages[1]
    told = [one.said for one in news(game.archive, Batch(steps=steps), "2026-11-22T00:00Z")]
    assert not any("Nina" in text or "the host ruled" in text for text in told)


@pytest.mark.parametrize(
    ("people", "what"),
    [
        ([{"player": "Nina"}], "Nina has no account; add `account:` with its number"),
        ([NINA, {"player": "Nora", "account": 901}], "the account 901 is listed twice"),
        ([NINA | {"key": "age1x"}], "is not a key that can be sealed to"),
        ([NINA | {"player": "open"}], "'open' names nobody"),
        ([NINA | {"nonce": "abcdefgh"}], "the dice of the setup have been rolled by then"),
    ],
)
def test_faults_in_the_reserve_are_named(tmp_path: Path, people: list[dict[str, Any]], what: str) -> None:
    with_reserve(tmp_path, *people)
    with pytest.raises(Problems, match=what.replace("(", r"\(")) as caught:
        load_game(Archive(tmp_path), "game")
    assert all(fault.path == "games/game/game.yaml" and fault.line for fault in caught.value.problems)


def test_in_a_game_with_hidden_information_everybody_in_reserve_needs_a_key() -> None:
    from adjudicator.core.game.game import Game
    from tests.conftest import ROOT

    archive = Archive(ROOT)
    slug = next(slug for slug in archive.slugs() if load_game(archive, slug).ruleset.secrecy is not None)
    path = archive.game_folder(slug) / "game.yaml"
    data: Any = read(path.read_bytes(), "game.yaml").data
    text = read(write(data | {"reserve": [NINA]}).encode(), "game.yaml")
    before = load_game(archive, slug)
    with pytest.raises(Problems, match="Nina has no key"):
        Game(slug, text, archive=before.archive, beside=lambda name: archive.read(path.with_name(name), own=True))


def test_the_page_of_a_running_game_lists_the_reserve(tmp_path: Path) -> None:
    game = with_reserve(tmp_path, NINA, OTTO)
    story = load_story(game.archive, "game")
    assert story is not None
    page = str(game_page(story, "../../", map_of(story, story.last)))
    assert "On the reserve list, to take over a seat that misses too many turns: Nina and Otto." in page
