"""Catch-up decides and events only make it faster: lost, doubled, late or blocked, they give the same archive to the byte and one answer each."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.ci.catch_up import MOST_ANSWERS, catch_up
from adjudicator.ci.clone import Clone
from adjudicator.ci.github import GitHub
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.letters import letter
from adjudicator.core.text.problems import Problems
from tests.ci.conftest import ACCOUNTS, FIRST, SEATS, World, game_data
from tests.ci.fake import OWNER, git

LATE = "2026-11-22T00:05:00Z"


def some_requests(world: World) -> dict[int, str]:
    """Sheets by both doors, faulty ones, strangers' and joins, over some hours; number -> expected result."""
    what: dict[int, str] = {}

    def step() -> None:
        world.fake.now = world.fake.now.replace(minute=world.fake.now.minute + 3)

    for seat in SEATS[:4]:
        for number, order in enumerate(("H", "- Bohemia"), 1):
            name = f"{seat.lower()}.{number}.yaml".replace(".1.", ".")
            path, text = f"games/open/{FIRST}/orders/{name}", f"orders: [A {seat[:3]} {order}]\n"
            if (len(seat) + number) % 2:
                what[world.fake.open_issue(ACCOUNTS[seat], seat.lower(), letter(path, text))] = "accepted"
            else:
                what[world.fake.open_pull(ACCOUNTS[seat], seat.lower(), {path: text.encode()})] = "accepted"
            step()
    stolen = {f"games/open/{FIRST}/orders/russia.yaml": b"orders: []\n"}
    what[world.fake.open_pull(ACCOUNTS["Italy"], "italy", stolen)] = "refused"
    what[world.fake.open_issue(999, "x", letter(f"games/open/{FIRST}/orders/russia.yaml", "orders: []\n"))] = "refused"
    what[world.fake.open_issue(998, "y", "A question")] = "left"
    what[world.fake.open_pull(997, "z", {"README.md": b"Hello\n"})] = "left"
    step()
    return what


def answers(world: World, what: Mapping[int, str]) -> None:
    """Check that each request has its one answer, and that an ignored one has none."""
    for number, became in what.items():
        asked = world.fake.asked_for(number)
        assert asked is not None
        kinds = [re.match(r"<!-- courtly (\w+) ", comment) for comment in asked.comments]
        said = [kind[1] for kind in kinds if kind is not None]
        assert said == ([] if became == "left" else [became]), (number, asked.comments)
        assert asked.state == ("open" if became == "left" else "closed")


def all_events(world: World) -> None:
    for _, number in world.fake.events:
        world.intake(number)


def every_event_twice(world: World) -> None:
    for _, number in world.fake.events:
        world.intake(number)
        world.intake(number)


def no_event(world: World) -> None:
    pass


def half_of_the_events(world: World) -> None:
    for _, number in world.fake.events[::2]:
        world.intake(number)


def only_issues(world: World) -> None:
    """The owner's policy blocks pull_request_target: only issues start a job."""
    for name, number in world.fake.events:
        if name == "issues":
            world.intake(number)


def a_day_late(world: World) -> None:
    """The turn is judged before any event comes."""
    now, events = world.fake.now, [*world.fake.events]
    world.catch_up()
    world.fake.now = now.replace(day=now.day + 1)
    for _, number in events:
        assert world.intake(number).what == "left"
    world.fake.now = now


EVENTS = (all_events, every_event_twice, no_event, half_of_the_events, only_issues, a_day_late)


@pytest.mark.slow
@pytest.mark.usefixtures("plain_maps")
def test_the_archive_is_the_same_whatever_happens_to_the_events(
    worlds: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("adjudicator.core.secrets.chance.urandom", lambda size: b"\x11" * size)
    archives = {}
    for events in EVENTS:
        world = worlds({"open": game_data(sealed=False, seed="s")})
        what = some_requests(world)
        events(world)
        world.catch_up()
        assert world.catch_up(LATE).outcomes == []
        answers(world, what)
        batch = world.adjudicate()
        assert (batch.problems, batch.held, batch.pushed) == ([], [], True)
        archives[events.__name__] = world.fake.files()
    assert len(archives["all_events"]) > 10
    for name, files in archives.items():
        assert files == archives["all_events"], name


def test_without_the_policy_only_the_blocked_event_fails_to_start_a_job(world: World) -> None:
    world.fake.policy = {"issues"}
    path = f"games/open/{FIRST}/orders/austria.yaml"
    world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: []\n"})
    world.fake.open_issue(ACCOUNTS["Italy"], "emil", letter(path.replace("austria", "italy"), "orders: []\n"))
    assert [name for name, _ in world.fake.events] == ["issues"]
    only_issues(world)
    assert [done.number for done in world.catch_up().outcomes] == [1]


def test_a_due_turn_waits_until_its_players_requests_are_answered(world: World) -> None:
    """The job with the key comes first; it does not take anything in, and starts catch-up."""
    path = f"games/open/{FIRST}/orders/austria.yaml"
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: [A Vienna - Trieste]\n"})
    stranger = world.fake.open_pull(999, "x", {path: b"orders: []\n"})
    first = world.adjudicate(LATE)
    assert first.held == [f"open is waiting until pull request {number} is answered"]
    assert {step.game for step in first.steps} == {"summer"}
    assert world.fake.dispatched == ["catch-up.yml"]
    assert world.fake.pulls[number].comments == []
    assert [(done.number, done.what) for done in world.catch_up().outcomes] == [
        (number, "accepted"), (stranger, "refused"),
    ]  # fmt: skip
    assert world.fake.dispatched[1:] == ["adjudicate.yml"], "the turn is due, and may be judged now"
    assert {step.game for step in world.adjudicate().steps} == {"open"}
    assert b"A Vienna - Trieste" in world.fake.read(f"games/open/{FIRST}/turn.yaml")


def test_a_request_sent_after_the_deadline_holds_up_no_turn(world: World) -> None:
    world.fake.now = world.fake.now.replace(day=22, minute=1, hour=0)
    path = f"games/open/{FIRST}/orders/austria.yaml"
    world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: []\n"})
    batch = world.adjudicate(LATE)
    assert (batch.held, {step.game for step in batch.steps}) == ([], {"open", "summer"})


def test_a_request_that_nobody_answers_holds_up_a_turn_for_at_most_a_day(world: World) -> None:
    path = f"games/open/{FIRST}/orders/austria.yaml"
    world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: []\n"})
    assert len(world.adjudicate("2026-11-22T23:59:00Z").held) == 1
    assert world.adjudicate("2026-11-23T00:00:00Z").held == []
    assert b"status: resolved" in world.fake.read(f"games/open/{FIRST}/turn.yaml")


@pytest.mark.slow
def test_two_hundred_requests_take_as_many_runs_as_the_limits_require(worlds: Callable[..., World]) -> None:
    """GitHub takes eighty writes of content a minute and five hundred an hour from a job's token, and a thousand calls."""
    games = {f"game-{number:02}": game_data(sealed=False, seed="s") for number in range(29)}
    world = worlds(games)
    wanted = {}
    for number in range(200):
        slug, seat = f"game-{number // 7:02}", SEATS[number % 7]
        path, text = f"games/{slug}/{FIRST}/orders/{seat.lower()}.yaml", f"orders: []\n# {number}\n"
        if number % 3:
            world.fake.open_issue(ACCOUNTS[seat], seat.lower(), letter(path, text))
        else:
            world.fake.open_pull(ACCOUNTS[seat], seat.lower(), {path: text.encode()})
        wanted[path] = text.encode()
    runs = []
    while True:
        before, pushed = len(world.fake.calls), world.fake.main()
        caught = world.catch_up()
        runs.append(len(caught.outcomes))
        calls = world.fake.calls[before:]
        assert not any(fault.level == "error" for fault in caught.problems), caught.problems
        assert len([call for call in calls if call.startswith(("POST /issues", "PATCH"))]) <= 2 * MOST_ANSWERS
        assert world.fake.git("rev-list", "--count", f"{pushed}..main") == str(len(caught.outcomes))
        assert caught.left == 200 - sum(runs)
        if not caught.left:
            break
        assert world.fake.dispatched[-1] == "catch-up.yml", "the next run is started at once"
        world.fake.now = world.fake.now.replace(minute=world.fake.now.minute + 1)
    assert runs == [35, 35, 35, 35, 35, 25]
    assert {path: world.fake.read(path) for path in wanted} == wanted
    assert {len(pull.comments) for pull in world.fake.pulls.values()} == {1}
    assert {len(issue.comments) for issue in world.fake.issues.values()} == {1}
    print(f"{len(runs)} runs, {len(world.fake.calls)} calls for 200 requests")


@pytest.mark.slow
def test_a_run_that_reaches_the_limit_stops_and_the_next_says_what_it_took_in(worlds: Callable[..., World]) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s")})
    assert world.fake.limits is not None
    world.fake.limits.content_minute = 5
    paths = {seat: f"games/open/{FIRST}/orders/{seat.lower()}.yaml" for seat in SEATS}
    numbers = [world.fake.open_pull(ACCOUNTS[seat], seat.lower(), {paths[seat]: b"orders: []\n"}) for seat in SEATS]
    first = world.catch_up()
    assert str(first.problems[0]) == "GitHub's rate limit is used up; it will be tried again with the next run"
    assert set(paths.values()) <= set(world.fake.files()), "one push for all, before any answer"
    assert first.left == 5
    assert "catch-up.yml" not in world.fake.dispatched
    world.fake.limits.content_minute = 80
    world.fake.now = world.fake.now.replace(minute=11)
    assert len(world.catch_up().outcomes) == 5
    for number in numbers:
        (comment,) = world.fake.pulls[number].comments
        assert "| received | 2026-11-20T12:00Z (server time) |" in comment
        assert world.fake.pulls[number].state == "closed"


def jobs(world: World, folder: Path, count: int) -> list[tuple[GitHub, Clone, Archive]]:
    """`count` machines, each with its clone and its connection."""
    made = []
    for number in range(count):
        root = folder / f"machine-{number}"
        git(folder, "clone", "--quiet", str(world.fake.repository), str(root))
        made.append((GitHub(world.fake.address, OWNER, "t", patience=0.0), Clone(root, "main"), Archive(root)))
    return made


@pytest.mark.slow
def test_only_the_job_that_pushed_answers(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Intake and catch-up handle one request: intake pushes between catch-up's read and its push, and has not answered yet."""
    from adjudicator.ci.intake import intake

    path = f"games/open/{FIRST}/orders/austria.yaml"
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {path: b"orders: []\n"})
    (other,) = jobs(world, tmp_path, 1)
    pushed: list[str] = []
    real = GitHub.comment_once

    def commented(self: GitHub, *arguments: Any) -> None:
        """Run a complete catch-up just before intake writes its receipt."""
        if not pushed:
            pushed.append(world.fake.main())
            assert catch_up(*other, wait=lambda s: None).outcomes == []
        real(self, *arguments)

    monkeypatch.setattr(GitHub, "comment_once", commented)
    assert intake(world.github, world.clone, Archive(world.root), number).what == "accepted"
    assert pushed == [world.fake.main()]
    assert len(world.fake.pulls[number].comments) == 1
    other[0].close_pool()


@pytest.mark.slow
def test_a_second_sheet_is_not_refused_while_another_job_takes_in_the_first(
    worlds: Callable[..., World], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other job pushes the first sheet after this one has updated its clone, and answers before this one looks for earlier requests."""
    from adjudicator.ci import intake as module

    world = worlds({"open": game_data(sealed=False, seed="s")})
    path = f"games/open/{FIRST}/orders/germany"
    first = world.fake.open_pull(ACCOUNTS["Germany"], "greta", {f"{path}.yaml": b"orders: []\n"})
    second = world.fake.open_pull(ACCOUNTS["Germany"], "greta", {f"{path}.2.yaml": b"orders: []\n"})
    (mine, other) = jobs(world, tmp_path, 2)
    looked = module._before

    def late(forge: Any, request: Any) -> Any:
        monkeypatch.setattr(module, "_before", looked)
        assert module.intake(*other, first).what == "accepted"
        return looked(forge, request)

    monkeypatch.setattr(module, "_before", late)
    assert module.intake(*mine, second).what == "accepted"
    for forge, *_ in (mine, other):
        forge.close_pool()
    answers(world, {first: "accepted", second: "accepted"})


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_many_jobs_at_once_end_as_one(worlds: Callable[..., World], tmp_path: Path, seed: int) -> None:
    """Intake for each request, twice, and catch-up three times, all at once and in any order."""
    from adjudicator.ci.intake import intake
    from adjudicator.core.game.game import Door

    world = worlds({"open": game_data(sealed=False, seed="s")})
    what = some_requests(world)
    faults: list[BaseException] = []
    works: list[int | None] = [*what, *what, None, None, None]
    random.Random(seed).shuffle(works)
    machines = jobs(world, tmp_path, 5)

    def work(forge: GitHub, clone: Clone, archive: Archive) -> None:
        while works:
            number = works.pop()
            try:
                if number is None:
                    catch_up(forge, clone, archive, wait=lambda seconds: None)
                else:
                    door = Door.ISSUES if number in world.fake.issues else Door.PULLS
                    intake(forge, clone, archive, number, door)
            except Problems as error:
                if "the branch moved" not in str(error) and "others pushed" not in str(error):
                    faults.append(error)
            except BaseException as error:  # noqa: BLE001 - a fault in a thread fails the test
                faults.append(error)

    threads = [threading.Thread(target=work, args=machine) for machine in machines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for forge, *_ in machines:
        forge.close_pool()
    assert faults == []
    world.fake.now = world.fake.now.replace(hour=13)
    world.catch_up()
    answers(world, what)
    assert world.fake.git("rev-list", "--count", "main") == str(1 + list(what.values()).count("accepted"))


def test_requests_from_strangers_keep_no_machine_running(world: World) -> None:
    for account in range(900, 900 + MOST_ANSWERS + 5):
        world.fake.open_pull(account, "x", {f"games/open/{FIRST}/orders/austria.yaml": b""})
    caught = world.catch_up()
    assert (caught.left, world.fake.dispatched) == (5, [])
    assert str(caught.problems[0]) == "5 requests were not checked; it will be tried again with the next run"


def test_the_job_without_a_secret_gets_none_even_if_the_machine_has_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from adjudicator.cli import main

    masters: list[Any] = []
    real = Archive.__init__

    def watched(self: Archive, root: Path, given: Any = None) -> None:
        masters.append(given)
        real(self, root, given)

    monkeypatch.setattr(Archive, "__init__", watched)
    environment = {
        "GITHUB_API_URL": world.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t",
        "COURTLY_MASTER": "courtly-master-1-" + "5a" * 32,
    }  # fmt: skip
    done = CliRunner().invoke(main, ["-C", str(world.root), "ci", "catch-up"], env=environment)
    assert (done.exit_code, done.output) == (0, "Everything that is open has been answered.\n")
    assert masters == [None]
    number = world.fake.open_issue(ACCOUNTS["Italy"], "emil", letter(f"games/open/{FIRST}/orders/italy.yaml", "x: 1\n"))
    done = CliRunner().invoke(main, ["-C", str(world.root), "ci", "catch-up"], env=environment)
    assert (done.exit_code, done.output.partition(":")[0]) == (0, f"Issue {number} refused")


@pytest.mark.parametrize(
    ("ends", "starts"),
    [
        ([], False),
        (["success"], False),
        (["failure"], True),
        (["failure", "success"], True),
        (["failure", "failure"], False),
        ([None, "failure"], False),
    ],
)
def test_a_site_that_failed_to_publish_is_published_once_more(
    world: World, ends: list[str | None], starts: bool
) -> None:
    """A queue that did not move takes it the second time; a fault in a page would fail for ever."""
    world.fake.runs["pages.yml"] = ends
    assert world.catch_up().problems == []
    assert world.fake.dispatched == (["pages.yml"] if starts else [])
