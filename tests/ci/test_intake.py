"""Intake of honest pull requests: files taken in, comments, pull requests that it ignores."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from adjudicator.ci.clone import Clone
from tests.ci.conftest import ACCOUNTS, FIRST, World
from tests.ci.fake import OWNER, git


def test_a_sealed_sheet_is_taken_in_and_gets_a_receipt(world: World) -> None:
    body = world.sealed("Austria", ["A Vienna - Galicia"])
    path = f"games/summer/{FIRST}/orders/austria.yaml.age"
    before = world.fake.files()
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: body})
    world.fake.calls.clear()
    done = world.intake(number)
    assert (done.what, done.line.split()[0]) == ("accepted", path)
    after = world.fake.files()
    assert set(after) - set(before) == {path}
    assert {k: v for k, v in after.items() if k != path} == before
    assert world.fake.read(path) == body
    pull = world.fake.pulls[number]
    assert (pull.state, pull.merged) == ("closed", False)
    (comment,) = pull.comments
    assert done.line.split()[1] in comment
    assert "2026-11-20T12:00Z" in comment
    assert "Galicia" not in comment
    # Two of them are queries, which check if an earlier request by the same player waits.
    assert len(world.fake.calls) <= 19
    batch = world.adjudicate("2026-11-25T00:00:00Z")
    assert [(step.game, step.what) for step in batch.steps] == [
        ("open", "resolved"), ("open", "opened"), ("summer", "resolved"), ("summer", "opened"),
    ]  # fmt: skip
    assert batch.pushed


def test_nothing_of_a_players_own_commit_enters_the_archive(world: World) -> None:
    """FS-12: it came in as a second parent, with a message of any length, a forged author and forged trailers."""
    path = f"games/open/{FIRST}/orders/austria.yaml"
    before = world.fake.main()
    said = "Closes #1\n\nCourtly-Account: 102\n" + "x" * 2**20
    head = world.fake.commit({path: b"orders: []\n"}, author="Hanna, the host", says=said)
    number = world.fake.open_pull_of(ACCOUNTS["Austria"], "anna", head)
    assert world.intake(number).what == "accepted"
    parents, author, message = world.fake.git("log", "-1", "--format=%P%x00%an <%ae>%x00%B", "main").split("\0")
    assert (parents, author) == (before, "Somebody <somebody@example.org>")  # set by the API, as on GitHub
    assert message.split("\n", 1)[0] == f"Sheet of Austria for open, {FIRST}"
    assert "Courtly-Account: 101" in message
    assert "102" not in message
    assert len(message) < 600
    assert head not in world.fake.git("rev-list", "main").split()
    pull = world.fake.pulls[number]
    assert (pull.state, pull.merged, len(pull.comments)) == ("closed", False, 1)
    assert pull.comments[0].startswith("<!-- courtly accepted ")


def courtly(world: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `courtly ci` as a workflow does, in a separate process."""
    variables = {
        "GITHUB_API_URL": world.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "token",
        "COURTLY_MASTER": "courtly-master-1-" + "5a" * 32,
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "adjudicator", "-C", str(world.root), "ci", *arguments],
        env=os.environ | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_a_player_cannot_choose_after_the_deadline_which_sheet_counts(world: World) -> None:
    """FS-9: a sheet that was refused in time stayed open until the adjudication found its number right."""

    def sheet(name: str, order: str) -> int:
        path = f"games/open/{FIRST}/orders/{name}"
        return world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: f"orders: [{order}]\n".encode()})

    third = sheet("austria.3.yaml", "A Vienna - Trieste")
    said = courtly(world, "intake", "--pull", str(third))
    assert "Austria has sent 0 sheets this turn; the next one is called austria.yaml" in said.stdout
    for name, order in (("austria.yaml", "A Vienna - Galicia"), ("austria.2.yaml", "A Vienna - Tyrolia")):
        assert "accepted" in courtly(world, "intake", "--pull", str(sheet(name, order))).stdout
    world.fake.now = world.fake.now.replace(day=22)
    judged = courtly(world, "adjudicate")
    assert "open: resolved" in judged.stdout
    orders = {name for name in world.fake.files() if name.startswith(f"games/open/{FIRST}/orders/")}
    assert {name.rpartition("/")[2] for name in orders} == {"austria.yaml", "austria.2.yaml"}
    assert "A Vienna - Tyrolia" in world.fake.read(f"games/open/{FIRST}/turn.yaml").decode()
    assert "A Vienna - Trieste" not in world.fake.read(f"games/open/{FIRST}/turn.yaml").decode()
    pull = world.fake.pulls[third]
    assert (pull.state, len(pull.comments)) == ("closed", 1)
    assert pull.comments[0].endswith(
        "It is closed, and stays refused. Correct the file and open another pull request.\n"
    )


@pytest.mark.slow
def test_sheets_that_intake_missed_are_taken_in_by_the_order_they_were_sent(world: World) -> None:
    """FS-9: the sheet that was sent later counts, as if intake had not missed them."""
    orders = ("A Vienna - Galicia", "A Vienna - Tyrolia", "A Vienna - Trieste")
    for number, order in enumerate(orders, 1):
        name = f"austria.{number}.yaml".replace(".1.", ".")
        files = {f"games/open/{FIRST}/orders/{name}": f"orders: [{order}]\n".encode()}
        world.fake.open_pull(ACCOUNTS["Austria"], "anna", files)
        world.fake.now = world.fake.now.replace(hour=12 + number)
    assert [done.what for done in world.catch_up("2026-11-22T06:00:00Z").outcomes] == ["accepted"] * 3
    world.adjudicate()
    assert "A Vienna - Trieste" in world.fake.read(f"games/open/{FIRST}/turn.yaml").decode()


def test_a_pull_request_that_also_changes_other_folders_stays_open(world: World) -> None:
    """FS-9: a refused pull request is closed, but one that also changes other folders is somebody's work on those."""
    path = f"games/open/{FIRST}/orders/austria.yaml"
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"", "adjudicator/core/secrets/age.py": b""})
    assert world.intake(number).what == "refused"
    pull = world.fake.pulls[number]
    assert pull.state == "open"
    assert pull.comments[0].endswith(
        "It stays open for those who look after the repository. A sheet needs a separate pull request.\n"
    )
    assert world.intake(number).line == "was refused before, and stays refused with this commit"
    assert (pull.state, len(pull.comments)) == ("open", 1)


@pytest.mark.slow
def test_a_draft_from_before_the_deadline_marked_ready_after_it_is_late(world: World) -> None:
    """FS-10: it was taken in if GitHub did not change the time of its last change."""
    path = f"games/open/{FIRST}/orders/austria.yaml"
    numbers = [world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: []\n"}) for _ in range(2)]
    world.fake.pulls[numbers[0]].draft, world.fake.pulls[numbers[1]].base = True, "gh-pages"
    world.fake.now = world.fake.now.replace(day=22, minute=1)
    world.fake.make_ready(numbers[0])
    world.fake.point_at(numbers[1], "main")
    waits = courtly(world, "adjudicate").stdout
    assert f"open is waiting until pull request {numbers[0]}, pull request {numbers[1]} are answered." in waits
    assert world.fake.dispatched == ["catch-up.yml", "pages.yml"]
    assert courtly(world, "catch-up").stdout.count("refused") == 2
    assert "open: resolved" in courtly(world, "adjudicate").stdout
    assert path not in world.fake.files()
    for number in numbers:
        assert "the deadline was 2026-11-22T00:00Z" in world.fake.pulls[number].comments[0]
        assert "by the server's clock this came at 2026-11-22T12:01Z" in world.fake.pulls[number].comments[0]


def test_events_are_requested_only_after_the_deadline(world: World) -> None:
    """FS-10: before the deadline a sheet is in time whatever happened to its pull request, so the call is saved."""
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {f"games/open/{FIRST}/orders/austria.yaml": b""})
    assert world.intake(number).what == "accepted"
    assert [call for call in world.fake.calls if "/events" in call or "/commits?" in call] == []


def test_intake_works_in_the_checkout_that_its_workflow_makes(world: World, root: Path) -> None:
    """Without maps, which are nine tenths of an archive's bytes; its commit includes every file."""
    workflow = YAML(typ="safe", pure=True).load((root / ".github/workflows/intake.yml").read_text())
    (made,) = [step["with"] for step in workflow["jobs"]["intake"]["steps"] if "checkout" in step.get("uses", "")]
    assert made["sparse-checkout-cone-mode"] is False
    git(world.root, "sparse-checkout", "set", "--no-cone", *made["sparse-checkout"].split())
    assert not list(world.root.glob("games/*/*/map.svg"))
    assert list(world.root.glob("games/*/*/turn.yaml"))
    before = world.fake.files()
    path = f"games/open/{FIRST}/orders/austria.yaml"
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: [A Vienna - Trieste]\n"})
    assert world.intake(number).what == "accepted"
    assert world.fake.files().keys() - before.keys() == {path}
    assert before.keys() - world.fake.files().keys() == set()
    assert not list(world.root.glob("games/*/*/map.svg"))
    # A missing map is not a reason to judge.
    assert world.fake.dispatched == []
    assert world.catch_up().problems == []
    assert world.fake.dispatched == []


def test_a_clone_that_matches_the_branch_is_left_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout without changes is not reset or cleaned; any change in it is undone."""
    asked: list[str] = []
    real = Clone.git

    def git_counted(self: Clone, *words: str, **more: Any) -> subprocess.CompletedProcess[str]:
        asked.append(words[0])
        return real(self, *words, **more)

    monkeypatch.setattr(Clone, "git", git_counted)
    world.clone.update()
    assert "reset" not in asked
    turn = world.root / f"games/open/{FIRST}/turn.yaml"
    said = turn.read_bytes()

    def stray() -> None:
        (world.root / "games/stray").mkdir()
        (world.root / "games/stray/x").write_text("x")

    def staged() -> None:
        turn.write_bytes(b"x")
        git(world.root, "add", "-A")

    def ahead() -> None:
        git(world.root, "commit", "-q", "--allow-empty", "-m", "not pushed")

    def left() -> None:
        (turn.parent / "left").write_text("x")
        (world.root / "games/open/002-empty/orders").mkdir(parents=True)

    untracked: list[Callable[[], object]] = [left, stray]
    changes: list[Callable[[], object]] = [lambda: turn.write_bytes(b"x"), turn.unlink, staged, ahead, *untracked]
    for change in changes:
        change()
        asked.clear()
        world.clone.update()
        assert ("reset" in asked) is (change not in untracked)
        assert turn.read_bytes() == said
        assert not (turn.parent / "left").exists()
        assert not (world.root / "games/stray").exists()
        assert not (world.root / "games/open/002-empty").exists()
        asked.clear()
        world.clone.update()
        assert "reset" not in asked
    (world.root / "notes").write_text("mine")
    world.clone.update()
    assert "reset" not in asked
    assert (world.root / "notes").exists()
    world.adjudicate("2026-11-25T00:00:00Z")
    assert asked.count("add") == 1
