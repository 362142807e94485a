"""Forgejo instead of GitHub: the same sheets make the same archive to the byte, but its issues are not a door."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import Forge, Spent, Trouble
from adjudicator.ci.forgejo import Forgejo
from adjudicator.ci.github import GitHub
from adjudicator.core.game.game import CHARTER, Door
from adjudicator.core.jobs.letters import letter
from adjudicator.core.turn.load import load_game, load_turn
from tests.ci.conftest import ACCOUNTS, FIRST, SEATS, World, game_data, start
from tests.ci.fake import OWNER, git
from tests.ci.fake_forgejo import FakeForgejo


class Stranger(str):
    """A comment by somebody else."""

    __slots__ = ()


SHEET = b"orders: [A Vienna - Galicia]\n"
OPEN = f"games/open/{FIRST}/orders/"


def moved(world: World, folder: Path) -> World:
    """Move the archive of a world, unchanged, to a Forgejo instance."""
    fake = FakeForgejo(folder)
    fake.now = world.fake.now
    git(world.root, "push", "--quiet", str(fake.repository), "HEAD:refs/heads/main")
    root = folder / "clone"
    git(folder, "clone", "--quiet", str(fake.repository), str(root))
    clone = Clone(root, "main", server=fake.address)
    forgejo = Forgejo(fake.api, OWNER, "token", clone, patience=0.0)
    return World(fake, clone, type(world.archive)(root, world.archive.masters), cast("GitHub", forgejo), root)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[World, World]]:
    """The same archive on GitHub and on Forgejo: a sealed game, an open one, and one that people join."""
    seats = {seat: {"player": f"{seat}’s player", "account": ACCOUNTS[seat]} for seat in SEATS}
    joined = game_data(sealed=False, seed="s", join="first", seats=seats | {"Turkey": {"player": "open"}})
    games = {"summer": game_data(), "open": game_data(sealed=False, seed="s"), "joined": joined}
    folders = [tmp_path / name for name in ("github", "forgejo")]
    for folder in folders:
        folder.mkdir()
    github = start(folders[0], games, open_now=("joined",))
    forgejo = moved(github, folders[1])
    yield github, forgejo
    for world in (github, forgejo):
        world.github.close_pool()
        world.fake.stop()


@pytest.fixture
def forgejo(pair: tuple[World, World]) -> World:
    return pair[1]


def offered(world: World, who: str, path: str, body: bytes = SHEET) -> int:
    return world.fake.open_pull(ACCOUNTS[who], who.lower(), {path: body})


def everything(world: World, sealed: bytes) -> list[tuple[str, str]]:
    """Send everything that can come, one after the other; return each outcome, without hashes of commits."""
    fake, done = world.fake, []

    def take(number: int) -> None:
        outcome = world.intake(number)
        done.append((outcome.what, outcome.line))

    take(offered(world, "Austria", f"games/summer/{FIRST}/orders/austria.yaml.age", sealed))
    take(offered(world, "Austria", f"{OPEN}austria.yaml"))
    take(offered(world, "England", f"{OPEN}austria.2.yaml"))  # not theirs
    refused = max(fake.pulls)
    take(refused)
    fake.set_state(fake.pulls[refused], "open")
    take(refused)  # a refused sheet stays refused
    draft, other = offered(world, "France", f"{OPEN}france.yaml"), offered(world, "France", f"{OPEN}france.yaml")
    fake.pulls[draft].draft, fake.pulls[other].base = True, "gh-pages"
    take(draft)
    take(other)
    take(fake.open_pull(9, "stranger", {"README.md": b"# Mine\n"}))
    take(fake.open_pull(9, "stranger", {f"{OPEN}x.yaml": SHEET, "README.md": b"# Mine\n"}))
    take(fake.open_pull(ACCOUNTS["Turkey"], "turkey", {"games/joined/join/turkey.yaml": b"seat: Turkey\n"}))
    take(fake.open_pull(9, "stranger", {f"{OPEN}germany.yaml": ("120000", b"../../../etc/passwd")}))
    # The branch moves while a sheet is checked.
    number = offered(world, "Germany", f"{OPEN}germany.yaml", b"orders: [A Berlin - Kiel]\n")

    def push(method: str, path: str) -> None:
        if "/git/blobs/" in path:
            fake.before.remove(push)
            fake.push_to_main({"notes.txt": b"somebody was faster\n"})

    fake.before.append(push)
    take(number)
    assert fake.before == []
    # Events are lost; catch-up finds the open requests. One became ready after the deadline.
    offered(world, "Italy", f"{OPEN}italy.yaml", b"orders: [A Venice H]\n")
    offered(world, "Russia", f"{OPEN}england.yaml")
    fake.now = fake.now.replace(day=22, minute=1)
    fake.make_ready(draft)
    caught = world.catch_up()
    assert [str(fault) for fault in caught.problems] == []
    done += [(one.what, one.line) for one in caught.outcomes]
    batch = world.adjudicate()
    assert [str(fault) for fault in batch.problems] == []
    done += [(step.what, step.game) for step in batch.steps]
    return done


@pytest.mark.slow
def test_the_same_sheets_make_the_same_archive(pair: tuple[World, World]) -> None:
    """Accepted, refused, ignored, joined, late, beside a branch that moves, caught up, judged: every file is the same to the byte."""
    github, forgejo = pair
    sealed = github.sealed("Austria", ["A Vienna - Galicia"])
    told = [everything(world, sealed) for world in pair]
    assert told[0] == told[1]
    assert [what for what, _ in told[1]] == [
        "accepted", "accepted", "refused", "left", "left", "left", "left", "left", "refused", "accepted", "refused",
        "accepted", "refused", "accepted", "refused",
        "resolved", "opened", "resolved", "opened", "resolved", "opened",
    ]  # fmt: skip
    assert forgejo.fake.files() == github.fake.files()
    state = [{n: (p.state, p.merged, len(p.comments)) for n, p in world.fake.pulls.items()} for world in pair]
    assert state[0] == state[1]
    assert forgejo.fake.dispatched == github.fake.dispatched
    calls = {call.removeprefix(f"GET /api/v1/repos/{OWNER}") for call in forgejo.fake.calls}
    assert not [
        call for call in calls if "graphql" in call or "/git/refs" in call or ("POST" in call and "/git/" in call)
    ]


def test_a_commit_holds_only_the_file_and_the_instances_own_address(forgejo: World) -> None:
    """One parent, our message, and the player at the instance's own address for people without one (RT-11)."""
    before = forgejo.fake.main()
    number = offered(forgejo, "Austria", f"{OPEN}austria.yaml")
    assert forgejo.intake(number).what == "accepted"
    said = forgejo.fake.git("log", "-1", "--format=%P%x00%an <%ae>%x00%B", "main").split("\0")
    assert said[:2] == [before, "courtly <courtly@noreply.127.0.0.1>"]
    assert "Co-authored-by: austria <austria@noreply.127.0.0.1>" in said[2]
    (comment,) = forgejo.fake.pulls[number].comments
    assert forgejo.fake.main() in comment
    assert forgejo.fake.read(f"{OPEN}austria.yaml") == SHEET


def test_issues_are_not_a_door_if_nobody_can_tell_who_edited_them(forgejo: World) -> None:
    """Whatever archive.yaml says: by event and by catch-up, in one clear sentence, once; other issues stay untouched."""
    texts = letter(f"{OPEN}austria.yaml", SHEET.decode()), "The map is lovely."
    numbers = [forgejo.fake.open_issue(ACCOUNTS["Austria"], "anna", text) for text in texts]
    before = forgejo.fake.files()
    done = forgejo.intake(numbers[0])
    assert (done.what, done.line) == (
        "refused",
        "this archive does not take sheets as an issue; send it as a pull request",
    )
    assert forgejo.intake(numbers[1]).line == "is an ordinary issue"
    again = forgejo.fake.open_issue(ACCOUNTS["Austria"], "anna", texts[0])
    caught = forgejo.catch_up()
    assert [(one.number, one.what) for one in caught.outcomes] == [(again, "refused")]
    states = {number: (issue.state, len(issue.comments)) for number, issue in forgejo.fake.issues.items()}
    assert states == {numbers[0]: ("closed", 1), numbers[1]: ("open", 0), again: ("closed", 1)}
    assert forgejo.fake.files() == before


def test_a_request_is_late_even_if_its_time_was_set_back(forgejo: World) -> None:
    """An owner of the repository can set `updated_at` through Forgejo's API, but not the times when it was opened and pushed to."""
    number = offered(forgejo, "Austria", f"{OPEN}austria.yaml")
    seen = forgejo.fake.pulls[number].updated
    forgejo.fake.now = forgejo.fake.now.replace(day=22, minute=1)
    forgejo.fake.force_push(number, {f"{OPEN}austria.yaml": b"orders: [A Vienna - Trieste]\n"})
    forgejo.fake.pulls[number].updated = seen
    late = offered(forgejo, "England", f"{OPEN}england.yaml", b"orders: []\n")
    forgejo.fake.pulls[late].updated = seen
    for one in (number, late):
        assert "the deadline was 2026-11-22T00:00Z" in forgejo.intake(one).line
    assert f"{OPEN}austria.yaml" not in forgejo.fake.files()


def test_a_stranger_cannot_forge_our_marks(forgejo: World) -> None:
    number = offered(forgejo, "Austria", f"{OPEN}austria.yaml")
    pull = forgejo.fake.pulls[number]
    pull.comments.append(Stranger(f"<!-- courtly refused {pull.head} -->"))
    assert forgejo.intake(number).what == "accepted"


def test_long_lists_are_read_to_the_end(forgejo: World) -> None:
    """A page has fifty entries."""
    for _ in range(52):
        offered(forgejo, "England", f"{OPEN}austria.yaml")
    found, whole = forgejo.github.requests(forgejo.fake.now.replace(day=1))
    assert (len(found), whole) == (52, True)
    assert {request.marks for request in found} == {()}
    assert {len(request.changes or ()) for request in found if not hasattr(request, "text")} == {1}


@pytest.mark.parametrize(
    ("runs", "started"),
    [({"ci.yml": ["success"], "pages.yml": ["failure", "success"]}, ["pages.yml"]), ({"pages.yml": ["failure", "failure"]}, []),
     ({"ci.yml": ["failure"], "pages.yml": ["success", "failure"]}, []), ({}, [])],
    ids=["once", "again", "mended", "never"],
)  # fmt: skip
def test_pages_that_failed_once_are_built_again(
    forgejo: World, runs: dict[str, list[str | None]], started: list[str]
) -> None:
    forgejo.fake.runs = runs
    assert forgejo.catch_up().problems == []
    assert forgejo.fake.dispatched == started
    # An instance that does not know the call, or does not let the job make it.
    forgejo.fake.faults.append(lambda method, path: (404, {}) if "/actions/runs" in path else None)
    assert forgejo.catch_up().problems == []
    assert forgejo.fake.dispatched == started


Break = Callable[[str, str], "tuple[int, dict[str, str]] | None"]


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        (lambda method, path: (500, {}), Trouble, "Forgejo answers 500"),
        (lambda method, path: (404, {}) if "/pulls/" in path else None, Trouble, "Forgejo answers 404 for /pulls/"),
        (lambda method, path: (403, {}) if method == "POST" else None, Trouble, "Forgejo answers 403 for a comment"),
        (lambda method, path: (403, {}) if method == "PATCH" else None, Trouble, "Forgejo answers 403 for closing a pull request"),
        (lambda method, path: (429, {}), Spent, "Forgejo answers 429"),
        (lambda method, path: (404, {}) if path.endswith("/dispatches") else None, Trouble,
         "this version of Forgejo has no call that starts adjudicate.yml, or there is no such workflow; its schedule starts it; a newer version of Forgejo can start it at once"),
        (lambda method, path: (403, {}) if path.endswith("/dispatches") else None, Trouble, "Forgejo answers 403 for starting adjudicate.yml"),
    ],
    ids=["outage", "gone", "comment", "closing", "limit", "no dispatch", "dispatch"],
)  # fmt: skip
def test_failures_are_reported_and_tried_again(forgejo: World, fault: Break, kind: type[Trouble], words: str) -> None:
    number = offered(forgejo, "Austria", f"games/summer/{FIRST}/orders/austria.yaml.age", forgejo.sealed("Austria", []))
    forgejo.fake.faults.append(fault)
    with pytest.raises(kind) as error:
        forgejo.intake(number)
    assert words in str(error.value)
    forgejo.fake.faults.clear()
    assert forgejo.intake(number).what in ("accepted", "left")
    assert forgejo.fake.pulls[number].state == "closed" or "just taken it in" in forgejo.intake(number).line


def courtly(world: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs `courtly ci` as a workflow on the instance does."""
    fake = cast("FakeForgejo", world.fake)
    variables = {
        "GITHUB_API_URL": fake.api, "GITHUB_SERVER_URL": fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "token",
        "COURTLY_MASTER": "courtly-master-1-" + "5a" * 32,
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "adjudicator", "-C", str(world.root), "ci", *arguments],
        env=os.environ | variables, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_the_command_recognises_forgejo_by_its_address(forgejo: World) -> None:
    """An archive that claims another home is refused: its links would lead there."""
    number = offered(forgejo, "Austria", f"{OPEN}austria.yaml")
    wrong = courtly(forgejo, "intake", "--pull", str(number))
    assert wrong.returncode == 1
    what = "games/archive.yaml: this runs on Forgejo, but the archive says that its forge is https://github.com"
    right = f"add the line `forge: {forgejo.fake.address}`: all links are built from it"
    assert wrong.stderr.splitlines() == [f"error: {what}; {right}"]
    text = forgejo.fake.read(CHARTER).decode() + f"forge: {forgejo.fake.address}\n"
    forgejo.fake.push_to_main({CHARTER: text.encode()})
    forgejo.clone.update()
    taken = courtly(forgejo, "intake", "--pull", str(number))
    assert f"Pull request {number} accepted" in taken.stdout, taken.stderr
    offered(forgejo, "Italy", f"{OPEN}italy.yaml", b"orders: []\n")
    assert "accepted" in courtly(forgejo, "catch-up").stdout
    forgejo.fake.now = forgejo.fake.now.replace(day=25)
    assert "open: resolved" in courtly(forgejo, "adjudicate").stdout
    game = load_game(forgejo.archive, "open")
    forgejo.clone.update()
    assert load_turn(forgejo.archive, game, FIRST).data.status == "resolved"


def test_both_classes_have_every_member_of_forge() -> None:
    """Both have every member of Forge. GitHub opens two doors, Forgejo one."""
    kinds: list[type[Any]] = [GitHub, Forgejo]
    members = [name for name in vars(Forge) if not name.startswith("_")]
    assert len(members) >= 15
    for kind in kinds:
        assert [name for name in members if not hasattr(kind, name)] == []
    assert (GitHub.doors, Forgejo.doors) == ((Door.PULLS, Door.ISSUES), (Door.PULLS,))
