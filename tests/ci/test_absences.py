"""Absences come by pull request or issue: only the seat's player, only ahead, only within the allowance; then the deadline moves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from adjudicator.ci.history import check_history
from adjudicator.core.jobs.letters import letter
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.turn.load import load_game
from tests.ci.conftest import ACCOUNTS, FIRST, World, game_data

PATH = "games/open/absence/italy.yaml"
KEPT = "games/open/absence/italy.2026-11-21.yaml"
DAYS = "seat: Italy\nfirst: 2026-11-21\nlast: 2026-11-23\n"
STRANGER = 900


@pytest.fixture
def world(worlds: Callable[..., World]) -> World:
    """A GitHub with one open game whose players may be away for ten days a year."""
    schedule = {"turn": "2d", "absences": "10d"}
    return worlds({"open": game_data(sealed=False, seed="s", schedule=schedule)})


def sends(world: World, text: str = DAYS, *, seat: str = "Italy", account: int | None = None, path: str = PATH) -> str:
    """Send an absence as a pull request, and run intake; return the result."""
    world.fake.open_pull(account or ACCOUNTS[seat], seat.lower(), {path: text.encode()})
    done = world.intake(len(world.fake.pulls) + len(world.fake.issues))
    return done.line if done.what == "refused" else done.what


@pytest.mark.parametrize("door", ["pull request", "issue"])
def test_an_absence_moves_the_deadline_and_the_history_is_in_order(world: World, door: str) -> None:
    before = world.turn("open").data.deadline
    assert before == "2026-11-22T00:00Z"
    if door == "issue":
        number = world.fake.open_issue(ACCOUNTS["Italy"], "italy", letter(PATH, DAYS))
    else:
        number = world.fake.open_pull(ACCOUNTS["Italy"], "italy", {PATH: DAYS.encode()})
    done = world.intake(number)
    assert (done.what, done.line.partition(" ")[0]) == ("accepted", KEPT)
    assert "adjudicate.yml" in world.fake.dispatched
    assert world.intake(number).what == "left", "it is in, and answered once"
    (told,) = (world.fake.issues if door == "issue" else world.fake.pulls)[number].comments
    assert "Everybody can see when you are away" in told
    steps = [step.what for step in world.adjudicate().steps]
    assert steps == ["away"]
    turn = world.turn("open")
    assert turn.data.deadline == "2026-11-25T00:00Z"
    (kept,) = load_game(world.archive, "open").absences
    assert (kept.account, kept.announced) == (ACCOUNTS["Italy"], "2026-11-20T12:00Z")
    assert [step.what for step in world.adjudicate("2026-11-25T00:05:00Z").steps] == ["resolved", "opened"]
    assert verify_game(world.archive, "open").problems == ()
    world.clone.update()
    proof = check_history(world.root)
    assert [fault for fault in proof.problems if fault.level == "error"] == []
    assert [str(fault) for fault in proof.problems if "absence" in str(fault)] == []


def test_the_same_absence_again_changes_nothing_and_another_from_that_day_is_refused(world: World) -> None:
    assert sends(world) == "accepted"
    assert sends(world) == "accepted", "a second receipt, and no second file"
    said = sends(world, DAYS.replace("11-23", "11-26"))
    assert (
        said
        == f"{PATH}:2:8: an absence of Italy from 2026-11-21 to 2026-11-23 is announced already; announce further days from the day after"
    )
    world.clone.update()
    assert len(load_game(world.archive, "open").absences) == 1


@pytest.mark.parametrize(
    ("text", "words", "more"),
    [
        (DAYS, "your account does not hold Italy", {"account": ACCOUNTS["France"]}),
        (DAYS, "your account does not hold Italy", {"account": STRANGER}),
        (DAYS, "no seat of this game has a file of that name", {"path": "games/open/absence/spain.yaml"}),
        (DAYS, "no seat of this game has a file of that name", {"path": KEPT}),
        (
            DAYS,
            "absences go to games/GAME/absence/SEAT.yaml, in small letters",
            {"path": "games/open/absence/Italy.yaml"},
        ),
        (
            DAYS,
            "absences go to games/GAME/absence/SEAT.yaml, in small letters",
            {"path": f"games/open/{FIRST}/absence/italy.yaml"},
        ),
        (DAYS.replace("Italy", "France"), "the seat is 'France'", {}),
        (DAYS.replace("11-21", "11-19"), "2026-11-19 is over", {}),
        (DAYS.replace("11-23", "12-23"), "that would be 33 days in 2026", {}),
        (DAYS.replace("11-23", "11-20"), "2026-11-20 is before 2026-11-21", {}),
        (DAYS + "announced: 2026-11-01T00:00Z\n", "unknown key 'announced'", {}),
        (DAYS + "account: 102\n", "unknown key 'account'", {}),
        ("", "'first' is missing", {}),
    ],
)
def test_what_cannot_go_in_is_refused(world: World, text: str, words: str, more: dict[str, object]) -> None:
    said = sends(world, text, **more)  # type: ignore[arg-type]
    assert words in said
    world.clone.update()
    assert load_game(world.archive, "open").absences == ()
    assert world.turn("open").name == FIRST


def test_a_game_without_the_rule_takes_none(worlds: Callable[..., World]) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s")})
    assert sends(world) == "nobody announces absences in this game; ask its host for more time"


def test_a_due_turn_waits_for_an_absence_that_nobody_has_answered(world: World) -> None:
    """Sent in time, while intake was down: the turn is not judged before the answer, which moves its deadline."""
    world.fake.now = datetime.fromisoformat("2026-11-21T23:00:00Z")
    world.fake.open_pull(ACCOUNTS["Italy"], "italy", {PATH: DAYS.encode()})
    assert world.adjudicate("2026-11-22T00:10:00Z").steps == []
    world.catch_up("2026-11-22T00:20:00Z")
    assert [step.what for step in world.adjudicate("2026-11-22T00:30:00Z").steps] == ["away"]
    assert world.turn("open").data.deadline == "2026-11-25T00:00Z"
    world.fake.open_pull(ACCOUNTS["France"], "france", {PATH.replace("italy", "france"): b"x"})
    world.catch_up("2026-11-25T00:05:00Z")
    assert [step.what for step in world.adjudicate("2026-11-25T00:10:00Z").steps] == ["resolved", "opened"]
