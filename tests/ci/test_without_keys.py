"""A running game with hidden information, as somebody without keys sees it: its public part is still proven."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import Masters
from tests.ci.fake import git
from tests.ci.test_history import Group
from tests.conftest import ROOT

GAME, SEATS = "avermark", ("First", "Second", "Third")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of Heir Apparent after two rounds of its auction, in a separate repository."""
    root = tmp_path_factory.mktemp("running")
    (root / "games").mkdir()
    git(root, "init", "--quiet", "-b", "main")
    archive = Archive(root, Masters((b"s" * 32,)))
    new_charter(archive)
    seats = {seat: {"player": "P", "key": recipient_of(new_identity())} for seat in SEATS}
    data = {
        "ruleset": "heir_apparent", "title": "A table", "opened": "2026-11-20", "id": "3f" * 8, "sealed": True, "seats": seats,
        "settings": {"players": 3},
    }  # fmt: skip
    new_game(archive, GAME, data)
    group = Group(root)
    group.commit("A game")
    list(play(archive, GAME, SEATS, "2", "2026-11-20T18:00Z", 2))
    group.commit("Two turns")
    return root


@pytest.fixture
def lent(running: Path, tmp_path: Path) -> Group:
    return Group(running).copy(tmp_path / "lent")


def changed(group: Group, name: str, was: str, is_: str) -> None:
    """Write a file again with part of its text changed; it was a link to another repository's file."""
    path = group.root / "games" / GAME / name
    text = path.read_text("utf-8")
    assert re.search(was, text), (name, was)
    path.unlink()
    path.write_text(re.sub(was, is_, text, count=1), "utf-8")


def faults(group: Group) -> list[str]:
    """Faults that plain `verify` reports without any key."""
    return [f"{problem.path}: {problem.what}" for problem in verify_game(Archive(group.root), GAME).problems]


TURNS = ("001-auction-round-1", "003-auction-round-3")
TAMPERINGS: tuple[tuple[str, Callable[[Group], None], str], ...] = (
    ("the map of a judged turn", lambda group: changed(group, f"{TURNS[0]}/map.svg", "</svg>", "<g/></svg>"), "drawing the map again"),
    ("the map of the open turn", lambda group: changed(group, f"{TURNS[1]}/map.svg", "</svg>", "<g/></svg>"), "drawing the map again"),
    ("the name of a judged turn", lambda group: changed(group, f"{TURNS[0]}/turn.yaml", 'phase: "?Auction, round 1"?', "phase: Spring"), "the turn is called"),
    ("who is waited for", lambda group: changed(group, f"{TURNS[1]}/turn.yaml", r"owing:\n- First\n", "owing:\n"), "the turn is waiting for"),
    ("favor in a judged turn", lambda group: changed(group, f"{TURNS[0]}/turn.yaml", "favor: [0-9]+", "favor: 99"), "drawing the map again"),
)  # fmt: skip


def test_a_running_game_raises_no_alarm(lent: Group) -> None:
    """RT-2: and its sealed turns count as sealed."""
    checked = verify_game(Archive(lent.root), GAME)
    assert (checked.problems, checked.sealed, checked.turns) == ((), 2, 0)
    assert [*lent.history().problems] == []


@pytest.mark.parametrize(("what", "tamper", "says"), TAMPERINGS, ids=[what for what, _, _ in TAMPERINGS])
def test_tampering_with_a_running_hidden_game_is_noticed_without_keys(
    lent: Group, what: str, tamper: Callable[[Group], None], says: str
) -> None:
    """RT-2: without any key, while the game runs."""
    tamper(lent)
    assert any(says in fault for fault in faults(lent)), faults(lent)


@pytest.mark.parametrize(
    ("was", "is_"),
    [
        (r'(name: "princes:1", sides: \d+, value: )(\d+)', r"\g<1>99"),
        (r' *- \{name: "princes:1"[^\n]*\n', ""),
    ],
    ids=["changed", "removed"],
)
def test_a_changed_public_roll_is_noticed(lent: Group, was: str, is_: str) -> None:
    """RT-15: rolls are added when a game is over, and no published roll changes."""
    changed(lent, f"{TURNS[0]}/turn.yaml", was, is_)
    lent.commit("Another Prince")
    assert any("`setup` was changed" in problem.what for problem in lent.history().problems), lent.history().problems


@pytest.mark.parametrize(
    ("made", "like"),
    [
        ("Avermark", "avermark"), ("avermark ", "avermark"), ("avermark.", "avermark"), ("avermark/GAME.yaml", "game.yaml"),
        ("avermark/001-Auction-round-1", "001-auction-round-1"), ("avermark/001-auction-round-1/Map.svg", "map.svg"),
    ],
)  # fmt: skip
def test_names_that_some_machines_confuse_are_faults(lent: Group, made: str, like: str) -> None:
    """RT-14: on a machine that folds names, a clone has only one of the two, and nobody knows which."""
    path = lent.root / "games" / made
    if "." in path.name[1:-1]:
        path.write_text("x", "utf-8")
    else:
        path.mkdir()
    assert f"games/{made}: some machines cannot tell this from {like!r}, and keep only one of the two" in faults(lent)


@pytest.mark.parametrize("name", [".x", f"{TURNS[1]}/.x", ".DS_Store"])
def test_files_with_a_dot_before_their_name_are_named(lent: Group, name: str) -> None:
    """RT-12: no file in a game is silently ignored."""
    (lent.root / "games" / GAME / name).write_text("x", "utf-8")
    told = [problem for problem in check_archive(Archive(lent.root)) if problem.what == "nothing reads this"]
    assert [problem.path for problem in told] == [f"games/{GAME}/{name}"]


def test_a_turn_whose_closing_is_later_than_its_commit_is_noted(lent: Group) -> None:
    """RT-6: somebody who knows the secret and the sheets can close a turn at any time and claim another time; the history shows it."""
    changed(lent, f"{TURNS[0]}/turn.yaml", r"closed: \S+", "closed: 2099-06-01T00:00Z")
    lent.commit("Later")
    told = [note.what for note in lent.history().notes]
    assert any(
        what.startswith("it says that it was closed at 2099-06-01T00:00Z, but was committed at 2027-") for what in told
    ), told


def test_turns_that_were_closed_out_of_order_are_noted(tmp_path: Path) -> None:
    """RT-6: a turn cannot close before the one before it; this check does not need the history."""
    root = tmp_path / "lessons"
    shutil.copytree(ROOT / "games" / "first-lessons", root / "games" / "first-lessons")
    path = root / "games/first-lessons/002-fall-1901-movement/turn.yaml"
    path.write_text(re.sub(r"closed: \S+", "closed: 2020-01-01T00:00Z", path.read_text("utf-8")), "utf-8")
    notes = [note.what for note in verify_game(Archive(root), "first-lessons").notes]
    assert any(
        what.startswith("this turn was closed at 2020-01-01T00:00Z, but the turn before it was closed later")
        for what in notes
    ), notes
