"""A sheet by issue: the same checks, the same receipt; each effect of an issue's form and edits has one clear answer (H3-0)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from adjudicator.ci.letters import marked_path, read_letter
from adjudicator.core.jobs.letters import letter
from tests.ci.conftest import ACCOUNTS, FIRST, HOST, World, game_data

PATH = f"games/open/{FIRST}/orders/austria.yaml"
SHEET = "orders: [A Vienna - Trieste]\n"


def by_issue(world: World, seat: str, text: str, path: str = PATH) -> int:
    """Send a sheet as an issue; return its number."""
    return world.fake.open_issue(ACCOUNTS[seat], seat.lower(), letter(path, text))


def answer_to(world: World, number: int) -> str:
    """Run intake; return the only answer on the issue."""
    world.intake(number)
    (comment,) = world.fake.issues[number].comments
    return comment


def test_an_issue_brings_the_exact_bytes_and_is_closed_with_its_receipt(world: World) -> None:
    """GitHub's form ends lines as Windows does; the stored file has the line ends of the sheet."""
    number = by_issue(world, "Austria", SHEET)
    assert "\r\n" in world.fake.issues[number].body
    done = world.intake(number)
    assert (done.what, str(done).partition(":")[0]) == ("accepted", f"Issue {number} accepted")
    assert world.fake.read(PATH) == SHEET.encode()
    issue = world.fake.issues[number]
    assert (issue.state, len(issue.comments)) == ("closed", 1)
    assert "**Received:** the sheet of Austria for open" in issue.comments[0]
    message = world.fake.git("log", "-1", "--format=%B", "main")
    assert message.splitlines()[2] == f"Issue {number}."
    for line in (f"Courtly-Source: issue {number}", "Courtly-Account: 101", "Courtly-Sent: 2026-11-20T12:00Z"):
        assert line in message.splitlines()
    assert f"Co-authored-by: austria <{ACCOUNTS['Austria']}+austria@users.noreply.github.com>" in message, "RT-11, H3-9"


def test_a_sealed_sheet_by_issue_wakes_the_job_with_the_key(world: World) -> None:
    path = f"games/summer/{FIRST}/orders/austria.yaml.age"
    body = world.sealed("Austria", ["A Vienna - Galicia"])
    number = by_issue(world, "Austria", body.decode(), path)
    assert world.intake(number).what == "accepted"
    assert world.fake.read(path) == body
    assert world.fake.dispatched == ["adjudicate.yml"]


def test_sheets_from_both_doors_form_one_sequence(world: World) -> None:
    """Sheets are ordered by the server's time, whichever door each came through."""
    first = by_issue(world, "Austria", SHEET)
    world.fake.now = world.fake.now.replace(hour=13)
    second = world.fake.open_pull(
        ACCOUNTS["Austria"], "anna", {PATH.replace("austria", "austria.2"): b"orders: [A Vienna - Tyrolia]\n"}
    )
    caught = world.catch_up("2026-11-20T14:00:00Z")
    assert [(done.number, done.what) for done in caught.outcomes] == [(first, "accepted"), (second, "accepted")]
    world.adjudicate("2026-11-22T00:00:00Z")
    assert b"A Vienna - Tyrolia" in world.fake.read(f"games/open/{FIRST}/turn.yaml")


ORDINARY = ["I have a question", "", "> <!-- courtly sheet x -->", "```\norders: []\n```"]


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_issue_is_left_alone(world: World, text: str) -> None:
    number = world.fake.open_issue(999, "somebody", text)
    assert world.intake(number).line == "is an ordinary issue"
    caught = world.catch_up()
    assert (caught.outcomes, caught.problems) == ([], [])
    issue = world.fake.issues[number]
    assert (issue.state, issue.comments) == ("open", [])


MARKER = f"<!-- courtly sheet {PATH} -->\n"
FAULTS = {
    "quoted": (MARKER + "> orders:\n> - A Vienna H\n", "the sheet is quoted: its lines begin with >"),
    "no block": (
        MARKER + "orders: []\n",
        "there is no sheet between two lines of backticks; put the sheet, and nothing else, between",
    ),
    "an open block": (
        MARKER + "````\norders: []\n```\n",
        "the line of backticks above the sheet has no matching line below it",
    ),
    "two blocks": (MARKER + "```\norders: []\n```\n```\norders: []\n```\n", "there are 4 lines of backticks"),
    "an image": (
        MARKER + "```\norders: []\n```\n![map](https://example.org/x.png)\n",
        "line 5 of the issue, outside the block, is an image",
    ),
    "a quotation": (
        MARKER + "```\norders: []\n```\n> and this\n",
        "line 5 of the issue, outside the block, is a quotation",
    ),
    "words": (
        MARKER + "Sorry, late!\n```\norders: []\n```\n",
        "line 2 of the issue, outside the block, is other text",
    ),
    "size": (
        MARKER + "```\n" + "# " + "x" * 20_000 + "\n```\n",
        "the sheet has 20003 bytes; at most 16384 are allowed",
    ),
    "a strange place": ("<!-- courtly sheet ../x -->\n```\norders: []\n```\n", "a sheet does not belong here"),
    "no YAML": (MARKER + "```\norders: [\n```\n", "austria.yaml:2:"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_an_unreadable_issue_gets_one_clear_answer(world: World, fault: str) -> None:
    text, words = FAULTS[fault]
    number = world.fake.open_issue(ACCOUNTS["Austria"], "anna", text)
    before = world.fake.main()
    said = answer_to(world, number)
    assert words in said
    assert said.endswith("It is closed, and stays refused. Correct the sheet and open another issue.\n")
    assert (world.fake.main(), world.fake.issues[number].state) == (before, "closed")


@pytest.mark.parametrize("text", [SHEET, "```\n", "a: |\n  ````\n", "orders: []", "- `x` ``` y\n", "\n\n# end\n"])
def test_any_text_written_into_an_issue_is_read_back_unchanged(text: str) -> None:
    written = letter(PATH, text)
    assert marked_path(written) == PATH
    for sent in (written, written.replace("\n", "\r\n"), "\ufeff" + written):
        assert read_letter(sent) == (text.rstrip("\n") + "\n").encode()


def test_an_issue_that_was_not_taken_in_dates_from_its_last_edit(world: World) -> None:
    early, late = by_issue(world, "Austria", SHEET), by_issue(world, "Italy", SHEET, PATH.replace("austria", "italy"))
    world.fake.now = world.fake.now.replace(day=22, hour=1)
    world.fake.edit_issue(late, letter(PATH.replace("austria", "italy"), "orders: []\n"))
    # Other people's comments do not make an issue later.
    world.fake.issues[early].comments.append("me too")
    world.fake.issues[early].updated = world.fake.time
    caught = world.catch_up("2026-11-22T02:00:00Z")
    assert [(done.number, done.what) for done in caught.outcomes] == [(early, "accepted"), (late, "refused")]
    assert (
        "the deadline was 2026-11-22T00:00Z, but by the server's clock this came at 2026-11-22T01:00Z"
        in world.fake.issues[late].comments[0]
    )


def test_an_edit_by_the_author_before_intake_becomes_the_sheet(world: World) -> None:
    number = by_issue(world, "Austria", "orders: []\n")
    world.fake.edit_issue(number, letter(PATH, SHEET))
    assert world.intake(number).what == "accepted"
    assert world.fake.read(PATH) == SHEET.encode()


@pytest.mark.parametrize("who", [HOST, 999, 0])
def test_an_edit_by_anybody_but_the_author_gets_the_issue_refused(world: World, who: int) -> None:
    """Even by the host; account 0 means a deleted account."""
    number = by_issue(world, "Austria", SHEET)
    world.fake.edit_issue(number, letter(PATH, "orders: []\n"), account=who)
    world.fake.edit_issue(number, letter(PATH, SHEET))
    assert "somebody else edited this issue; open another, and let nobody else edit it" in answer_to(world, number)
    assert PATH not in world.fake.files()


@pytest.mark.parametrize("event", ["seen", "lost"])
def test_an_edit_after_intake_changes_nothing_and_the_author_is_notified_once(world: World, event: str) -> None:
    number = by_issue(world, "Austria", SHEET)
    assert world.intake(number).what == "accepted"
    head = world.fake.main()
    world.fake.now = world.fake.now.replace(hour=15)
    world.fake.edit_issue(number, letter(PATH, "orders: []\n"))
    for _ in range(2):
        if event == "seen":
            assert world.intake(number).what == "left"
        else:
            assert world.catch_up().problems == []
    issue = world.fake.issues[number]
    assert (world.fake.main(), issue.state, len(issue.comments)) == (head, "closed", 2)
    assert "**This edit changes nothing.**" in issue.comments[1]
    assert world.fake.read(PATH) == SHEET.encode()


def test_an_issue_that_was_not_edited_after_intake_gets_no_note_about_an_edit(world: World) -> None:
    number = by_issue(world, "Austria", SHEET)
    world.intake(number)
    for _ in range(2):
        world.catch_up("2026-11-20T16:00:00Z")
        world.intake(number)
    assert len(world.fake.issues[number].comments) == 1


def test_a_refused_issue_that_is_reopened_stays_refused_and_stays_open(world: World) -> None:
    """FS-9, at the other door: a sheet with a wrong number must not wait until others make the number right."""
    number = by_issue(world, "Austria", SHEET, PATH.replace("austria", "austria.2"))
    assert "the next one is called austria.yaml" in answer_to(world, number)
    world.fake.set_state(world.fake.issues[number], "open")
    assert world.intake(by_issue(world, "Austria", SHEET)).what == "accepted"
    world.catch_up("2026-11-23T00:00:00Z")
    issue = world.fake.issues[number]
    assert (issue.state, len(issue.comments)) == ("open", 1)
    assert PATH.replace("austria", "austria.2") not in world.fake.files()


def test_an_issue_reopened_after_the_deadline_is_late(world: World) -> None:
    number = by_issue(world, "Austria", SHEET)
    world.fake.set_state(world.fake.issues[number], "closed")
    assert world.intake(number).line == "is already closed"
    world.fake.now = world.fake.now.replace(day=22, hour=3)
    world.fake.set_state(world.fake.issues[number], "open")
    assert "by the server's clock this came at 2026-11-22T03:00Z" in answer_to(world, number)


@pytest.mark.parametrize(
    ("doors", "closed", "words"),
    [
        ("[pull_requests]", "issue", "this archive does not take sheets as an issue; send it as a pull request"),
        ("[issues]", "pull", "this archive does not take sheets as a pull request; send it as an issue"),
        ("[]", "issue", "this archive does not take sheets as an issue; ask the archive's host how"),
    ],
)
def test_a_host_can_close_a_door(world: World, doors: str, closed: str, words: str) -> None:
    world.fake.push_to_main(
        {"games/archive.yaml": world.fake.read("games/archive.yaml") + f"doors: {doors}\n".encode()}
    )
    issue = by_issue(world, "Austria", SHEET)
    pull = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {PATH.replace("austria", "italy"): SHEET.encode()})
    world.catch_up()
    refused, other = (issue, pull) if closed == "issue" else (pull, issue)
    asked = world.fake.asked_for(refused)
    assert asked is not None
    assert words in asked.comments[0]
    elsewhere = world.fake.asked_for(other)
    assert elsewhere is not None
    assert ("**Received:**" in elsewhere.comments[0]) is (doors != "[]")


def test_a_seat_can_be_joined_by_issue(worlds: Callable[..., World]) -> None:
    seats = game_data()["seats"] | {"Turkey": {"player": "open"}}
    world = worlds({"open": game_data(sealed=False, seed="s", seats=seats, join="first")})
    number = world.fake.open_issue(501, "zoe", letter("games/open/join/turkey.yaml", "seat: Turkey\n"))
    assert world.intake(number).what == "accepted"
    assert b"account: 501" in world.fake.read("games/open/join/turkey.yaml")
    assert "pages.yml" in world.fake.dispatched
    # Intake wrote a separate file, and nobody edited anything.
    world.catch_up("2026-11-21T00:00:00Z")
    assert len(world.fake.issues[number].comments) == 1


def test_the_host_can_send_a_ruling_by_issue(world: World) -> None:
    path = f"games/open/{FIRST}/ruling.yaml"
    ruling = "rulings:\n- reason: snow\n  extend: 2026-11-25T00:00Z\n"
    assert world.intake(world.fake.open_issue(HOST, "hanna", letter(path, ruling))).what == "accepted"
    assert world.fake.read(path) == ruling.encode()
    assert world.fake.dispatched == ["adjudicate.yml"]
    other = world.fake.open_issue(ACCOUNTS["Italy"], "emil", letter(path, ruling))
    assert "rulings come from the account of the game's host" in answer_to(world, other)
