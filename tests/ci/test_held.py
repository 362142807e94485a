"""Reasons for a due turn to wait, and things that are not reasons. Also requests, answers and files that once held up more than themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjudicator.core.jobs.letters import letter
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, SEATS, World, game_data

LATE = "2026-11-22T00:05:00Z"
RULING = f"games/open/{FIRST}/ruling.yaml"


def place(name: str, game: str = "open") -> str:
    return f"games/{game}/{FIRST}/orders/{name}"


def asks(world: World, who: str | int, path: str, text: str = "orders: []\n") -> int:
    """Send a file as an issue."""
    return world.fake.open_issue(ACCOUNTS[who] if isinstance(who, str) else who, "somebody", letter(path, text))


def offers(world: World, who: str | int, path: str, body: bytes = b"orders: []\n") -> int:
    return world.fake.open_pull(ACCOUNTS[who] if isinstance(who, str) else who, "somebody", {path: body})


def answers(world: World, number: int) -> list[str]:
    asked = world.fake.asked_for(number)
    assert asked is not None
    return [comment.split()[2] for comment in asked.comments]


def test_a_pull_request_too_large_for_its_files_to_be_listed_stops_nothing(world: World) -> None:
    """GitHub answers `files: null, changedFiles: 0` for it."""
    huge = offers(world, 999, "README.md", b"x")
    world.fake.pulls[huge].huge = True
    mine = offers(world, "Austria", place("austria.yaml"))
    assert [(one.number, one.what) for one in world.catch_up().outcomes] == [(mine, "accepted")]
    assert world.adjudicate(LATE).problems == []


def test_an_unreadable_request_does_not_stop_others(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.ci import queries

    broken, mine = offers(world, 999, "README.md"), offers(world, "Austria", place("austria.yaml"))
    real = queries.Repository._pull

    def without(self: Any, pull: Any) -> dict[str, Any]:
        return real(self, pull) | ({"headRefOid": "../x"} if pull.number == broken else {})

    monkeypatch.setattr(queries.Repository, "_pull", without)
    caught = world.catch_up()
    assert [(one.number, one.what) for one in caught.outcomes] == [(mine, "accepted")]
    assert [str(fault) for fault in caught.problems] == [
        "more requests are open than one run can read; it will be tried again with the next run"
    ]


def no_queries(world: World, status: int = 502) -> None:
    world.fake.faults.append(lambda method, path: (status, {}) if path == "/graphql" else None)


def test_a_turn_waits_a_day_if_the_open_requests_cannot_be_listed(world: World) -> None:
    no_queries(world)
    first = world.adjudicate("2026-11-22T23:55:00Z")
    assert sorted(first.held) == [
        "open is waiting until every open request is answered",
        "summer is waiting until every open request is answered",
    ]
    assert [str(fault) for fault in first.problems] == ["GitHub answers 502; it will be tried again with the next run"]
    late = world.adjudicate("2026-11-23T00:00:00Z")
    assert {step.game for step in late.steps} == {"open", "summer"}


def test_a_page_that_is_too_large_for_github_is_requested_in_smaller_pages(world: World) -> None:
    for number in range(23):
        offers(world, 900 + number, place("austria.yaml"))
    counted: list[int] = []
    real = world.fake.serve

    def slow(method: str, path: str, body: Any) -> tuple[int, Any]:
        if path == "/graphql" and (size := body["variables"].get("first")):
            counted.append(size)
            if size > 10:
                return 502, None
        return real(method, path, body)

    world.fake.serve = slow  # type: ignore[method-assign]  # the test's own server
    assert len(world.catch_up().outcomes) == 23
    assert set(counted) == {50, 10}


def test_rulings_are_applied_while_a_request_waits(world: World) -> None:
    """The host pauses, and there is a request that nobody can answer."""
    number = offers(world, "Austria", place("austria.yaml"))
    world.fake.faults.append(lambda method, path: (404, {}) if "/git/trees/" in path else None)
    world.fake.push_to_main({RULING: b"rulings:\n- {reason: holidays, pause: true}\n"})
    batch = world.adjudicate("2026-11-21T00:00:00Z")
    assert ([step.what for step in batch.steps], batch.held) == (["ruled"], [])
    assert answers(world, number) == []


def test_a_game_without_deadlines_waits_at_most_a_day_for_a_request(worlds: Callable[..., World]) -> None:
    world = worlds({"open": game_data(sealed=False, seed="s", schedule=None)})
    for seat in SEATS:
        world.fake.push_to_main({place(f"{seat.lower()}.yaml"): b"orders: []\nfinal: true\n"})
    offers(world, "Austria", place("austria.2.yaml"))
    assert len(world.adjudicate("2026-11-21T11:00:00Z").held) == 1
    assert world.adjudicate("2026-11-21T12:00:00Z").held == []


def test_a_request_that_nobody_can_answer_does_not_make_jobs_start_each_other(world: World) -> None:
    offers(world, "Austria", place("austria.yaml"))
    world.fake.faults.append(lambda method, path: (404, {}) if "/git/blobs/" in path or "/git/trees/" in path else None)
    real = world.fake.serve

    def textless(method: str, path: str, body: Any) -> tuple[int, Any]:
        status, answer = real(method, path, body)
        if path == "/graphql" and "query Files" in body["query"]:
            return 200, {"data": {"repository": {}}}
        return status, answer

    world.fake.serve = textless  # type: ignore[method-assign]  # the test's own server
    assert world.adjudicate(LATE).held == ["open is waiting until pull request 1 is answered"]
    assert world.fake.dispatched == ["catch-up.yml"]
    assert world.catch_up().outcomes == []
    assert world.fake.dispatched == ["catch-up.yml"]


def test_a_refused_request_that_is_reopened_holds_up_no_turn_however_many_comment_on_it(world: World) -> None:
    number = asks(world, "Austria", place("austria.7.yaml"))
    assert world.intake(number).what == "refused"
    issue = world.fake.issues[number]
    issue.comments[:0] = ["a word"] * 60  # more than come with a query
    world.fake.set_state(issue, "open")
    assert world.adjudicate(LATE).held == []


def test_an_impossible_file_name_holds_up_and_stops_nothing(world: World) -> None:
    asks(world, "Austria", place("a" * 290 + ".yaml"))
    batch = world.adjudicate(LATE)
    assert (batch.held, batch.problems) == ([], [])


def test_a_due_turn_waits_for_the_hosts_second_ruling(world: World) -> None:
    first = b"rulings:\n- reason: snow\n  extend: 2026-11-22T06:00Z\n"
    world.fake.push_to_main({RULING: first})
    world.adjudicate("2026-11-21T00:00:00Z")
    world.fake.now = world.fake.now.replace(day=22, hour=5, minute=30)
    number = asks(world, HOST, RULING, (first + b"- reason: more snow\n  extend: 2026-11-23T06:00Z\n").decode())
    assert world.adjudicate("2026-11-22T06:05:00Z").held == [f"open is waiting until issue {number} is answered"]
    assert answers(world, number) == []
    world.catch_up()
    batch = world.adjudicate()
    assert ([step.what for step in batch.steps], batch.held) == (["ruled"], [])


def test_an_older_ruling_never_replaces_a_newer_one(world: World) -> None:
    one = "rulings:\n- reason: snow\n  extend: 2026-11-23T00:00Z\n"
    two = one + "- reason: more\n  extend: 2026-11-24T00:00Z\n"
    first = asks(world, HOST, RULING, one)
    world.fake.now = world.fake.now.replace(hour=13)
    second = asks(world, HOST, RULING, two)
    # Whichever event comes first, the sheet sent first is handled first.
    assert world.intake(second).what == "accepted"
    assert world.intake(first).line == "is already closed"
    assert world.fake.read(RULING).decode() == two
    # And one that was opened again after it is refused.
    world.fake.issues[first].comments.clear()
    world.fake.set_state(world.fake.issues[first], "open")
    world.fake.issues[first].events.clear()
    world.fake.push_to_main({RULING: two.encode()})
    assert "were sent at 2026-11-20T12:00Z, before the current ones" in world.intake(first).line
    assert world.fake.read(RULING).decode() == two


def test_a_ruling_whose_answer_was_lost_is_committed_once(world: World) -> None:
    number = asks(world, HOST, RULING, "rulings:\n- reason: snow\n  extend: 2026-11-23T00:00Z\n")
    assert world.intake(number).what == "accepted"
    head, issue = world.fake.main(), world.fake.issues[number]
    issue.comments.clear()
    world.fake.set_state(issue, "open")
    issue.events.clear()
    world.fake.now = world.fake.now.replace(hour=14)
    assert world.intake(number).what == "accepted"
    assert (world.fake.main(), answers(world, number)) == (head, ["accepted"])


def test_a_seat_that_was_given_away_and_back_keeps_its_sheets(worlds: Callable[..., World]) -> None:
    """A sheet by a former or future holder of the seat does not get the answer that it cannot be opened: it may count when the turn is judged."""
    from adjudicator.core.game.archive import Archive
    from adjudicator.core.jobs.verify import verify_game

    world = worlds({"summer": game_data()})
    path = place("austria.yaml.age", "summer")
    assert world.intake(offers(world, "Austria", path, world.sealed("Austria", ["A Vienna H"]))).what == "accepted"
    rule = f"games/summer/{FIRST}/ruling.yaml"
    away = "rulings:\n- reason: away\n  replace: {seat: Austria, player: Zoe, account: 555}\n"
    world.intake(asks(world, HOST, rule, away))
    assert world.adjudicate("2026-11-20T13:00:00Z").unopened == []
    world.fake.now = world.fake.now.replace(hour=14)
    back = away + f"- reason: back\n  replace: {{seat: Austria, player: Anna, account: {ACCOUNTS['Austria']}}}\n"
    world.intake(asks(world, HOST, rule, back))
    assert world.adjudicate("2026-11-20T15:00:00Z").unopened == []
    world.adjudicate(LATE)
    world.clone.update()
    assert verify_game(Archive(world.root), "summer").problems == ()
    assert b"A Vienna H" in world.fake.read(f"games/summer/{FIRST}/turn.yaml")


def test_an_answer_that_cannot_be_written_holds_up_no_others(worlds: Callable[..., World]) -> None:
    world = worlds({"summer": game_data()})
    numbers = {}
    for seat in ("Austria", "Italy"):
        body = world.sealed(seat, [], sequence=9)
        numbers[seat] = offers(world, seat, place(f"{seat.lower()}.yaml.age", "summer"), body)
        assert world.intake(numbers[seat]).what == "accepted"
    gone = f"/issues/{numbers['Austria']}/comments"
    world.fake.faults.append(lambda method, path: (404, {}) if method == "POST" and path == gone else None)
    batch = world.adjudicate("2026-11-20T13:00:00Z")
    assert [path.rpartition("/")[2] for path in batch.unopened] == ["austria.yaml.age", "italy.yaml.age"]
    assert answers(world, numbers["Italy"]) == ["accepted", "unopened"]
    assert "GitHub answers 404 for a comment" in str(batch.problems[0])


@pytest.mark.parametrize("name", ["game.yaml", f"{FIRST}/ruling.yaml", f"{FIRST}/unopened.yaml"])
def test_a_fault_in_the_archive_gets_nobodys_sheet_refused(world: World, name: str) -> None:
    file = f"games/open/{name}"
    was = world.fake.read(file) if name == "game.yaml" else None
    world.fake.push_to_main({file: b"titel: x\n" + (was or b"")})
    number = asks(world, "Austria", place("austria.yaml"))
    caught = world.catch_up()
    assert (caught.outcomes, answers(world, number)) == ([], [])
    assert f"the archive has a fault: {file}:" in str(caught.problems[0])
    world.fake.push_to_main({file: was})
    assert [one.what for one in world.catch_up().outcomes] == ["accepted"]


def test_an_account_with_hundreds_of_requests_holds_up_a_turn_for_only_an_hour(world: World) -> None:
    for number in range(12):
        asks(world, "Austria", place(f"x{number}.yaml"))
    assert len(world.adjudicate("2026-11-22T00:59:00Z").held) == 1
    assert world.adjudicate("2026-11-22T01:00:00Z").held == []


@pytest.mark.parametrize("job", ["intake", "catch_up"])
def test_a_rivals_comment_does_not_change_the_order_of_sheets(world: World, job: str) -> None:
    numbers = [offers(world, "Austria", place(name)) for name in ("austria.yaml", "austria.2.yaml")]
    world.fake.now = world.fake.now.replace(minute=2)
    world.fake.pulls[numbers[0]].comments.append("hello")
    world.fake.pulls[numbers[0]].updated = world.fake.time
    if job == "intake":
        assert world.intake(numbers[1]).what == "accepted"
    else:
        assert [one.what for one in world.catch_up().outcomes] == ["accepted", "accepted"]
    assert {place("austria.yaml"), place("austria.2.yaml")} <= set(world.fake.files())


@pytest.mark.parametrize("job", ["intake", "catch_up"])
def test_the_first_to_ask_for_a_seat_gets_it_even_if_they_play_elsewhere(
    worlds: Callable[..., World], job: str
) -> None:
    seats = game_data()["seats"] | {"Turkey": {"player": "open"}}
    joined = game_data(sealed=False, seed="s", seats=seats, join="first")
    world = worlds({"open": joined, "other": game_data(sealed=False, seed="s")}, open_now=("open",))
    first = offers(world, 999, "games/open/join/turkey.yaml", b"seat: Turkey\n")
    world.fake.now = world.fake.now.replace(minute=30)
    second = offers(world, ACCOUNTS["Turkey"], "games/open/join/turkey.yaml", b"seat: Turkey\n")
    if job == "intake":
        world.intake(second)
    else:
        world.catch_up()
    assert b"account: 999" in world.fake.read("games/open/join/turkey.yaml")
    assert (answers(world, first), answers(world, second)) == (["accepted"], ["refused"])


@pytest.mark.parametrize("lost", [0, 1])
def test_of_two_sheets_with_one_name_the_first_is_taken_in_whichever_event_is_lost(world: World, lost: int) -> None:
    numbers = [offers(world, "Austria", place("austria.yaml"), f"orders: []\n# {at}\n".encode()) for at in (1, 2)]
    world.intake(numbers[1 - lost])
    world.catch_up()
    assert world.fake.read(place("austria.yaml")) == b"orders: []\n# 1\n"
    assert [answers(world, number) for number in numbers] == [["accepted"], ["refused"]]


def test_closed_issues_use_up_no_pages(world: World) -> None:
    for _ in range(120):
        number = world.fake.open_issue(999, "x", "A question")
        world.fake.set_state(world.fake.issues[number], "closed")
    before = len(world.fake.calls)
    caught = world.catch_up()
    assert (caught.problems, len(world.fake.calls) - before) == ([], 6)


def test_an_issue_that_was_edited_before_its_receipt_came_gets_the_receipt_and_a_note(world: World) -> None:
    number = asks(world, "Austria", place("austria.yaml"))
    assert world.intake(number).what == "accepted"
    issue = world.fake.issues[number]
    issue.comments.clear()  # the job that took it in died before it answered
    issue.state = "open"
    world.fake.now = world.fake.now.replace(minute=30)
    world.fake.edit_issue(number, letter(place("austria.yaml"), "orders: [A Vienna H]\n"))
    assert world.intake(number).what == "accepted"
    assert answers(world, number) == ["accepted"]
    assert "**Received:**" in issue.comments[0]
    assert "**This edit changes nothing.**" in issue.comments[0]
    for text in ("orders: [A Vienna - Galicia]\n", "orders: [A Vienna - Tyrolia]\n"):
        world.fake.edit_issue(number, letter(place("austria.yaml"), text))
        world.intake(number)
    assert answers(world, number) == ["accepted", "edited"], "one note, however often somebody edits"


def test_an_issue_brings_only_one_file(world: World) -> None:
    number = asks(world, "Austria", place("austria.yaml"))
    world.intake(number)
    world.fake.edit_issue(number, letter(place("austria.2.yaml"), "orders: [A Vienna H]\n"))
    world.fake.set_state(world.fake.issues[number], "open")
    assert world.intake(number).what == "left"
    assert place("austria.2.yaml") not in world.fake.files()
    assert (answers(world, number), world.fake.issues[number].state) == (["accepted", "edited"], "closed")


def test_an_issue_edited_too_often_to_tell_by_whom_is_refused(world: World) -> None:
    number = asks(world, "Austria", place("austria.yaml"))
    for _ in range(51):
        world.fake.edit_issue(number, letter(place("austria.yaml"), "orders: []\n"))
    assert "was edited so often that nobody can tell by whom" in world.intake(number).line


def test_a_run_with_few_calls_left_stops_and_starts_no_other(world: World) -> None:
    assert world.fake.limits is not None
    offers(world, "Austria", place("austria.yaml"))
    world.github._read("")
    world.fake.limits.made.extend([world.fake.now] * 950)
    world.github._read("")
    caught = world.catch_up()
    assert (caught.left, caught.spent, world.fake.dispatched) == (1, True, [])


def test_a_request_from_a_deleted_account_is_ignored_without_an_alarm(world: World) -> None:
    asks(world, 0, place("austria.yaml"))
    caught = world.catch_up()
    assert (caught.outcomes, caught.problems) == ([], [])


def test_a_refusal_at_a_closed_door_does_not_ask_for_a_corrected_sheet(world: World) -> None:
    world.fake.push_to_main({"games/archive.yaml": world.fake.read("games/archive.yaml") + b"doors: [pull_requests]\n"})
    number = asks(world, "Austria", place("austria.yaml"))
    world.intake(number)
    assert world.fake.issues[number].comments[0].endswith("send it as a pull request\n```\n\nIt is closed.\n")
