"""A sealed sheet that does not open: its author learns it before the deadline, and can send another (H3-4, H3-5)."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.ci.history import check_history
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from tests.ci.conftest import ACCOUNTS, FIRST, SEATS, World, game_data
from tests.ci.fake import git
from tests.conftest import tool

HOSTED = {"schedule": {"turn": "1d", "missing": "host"}}


def place(name: str) -> str:
    return f"games/summer/{FIRST}/orders/{name}"


def send(world: World, seat: str, body: bytes, number: int = 1) -> int:
    """Send a seat's sealed sheet by pull request, and take it in; return the request's number."""
    name = f"{seat.lower()}{f'.{number}' if number > 1 else ''}.yaml.age"
    asked = world.fake.open_pull(ACCOUNTS[seat], seat.lower(), {place(name): body})
    done = world.intake(asked)
    assert (done.what, done.line.split()[0]) == ("accepted", place(name)), done
    return asked


def wrong_key(world: World, seat: str) -> bytes:
    """A correct envelope, sealed by the age command to the wrong key."""
    sealed = subprocess.run(
        [tool("age"), "-r", recipient_of(new_identity())], input=world.inside(seat, []), capture_output=True, check=True
    )
    return sealed.stdout


WAYS: dict[str, Callable[[World, str], bytes]] = {
    "another key": wrong_key,
    "another seat": lambda world, seat: world.sealed("England", [], account=ACCOUNTS[seat]),
    "another turn": lambda world, seat: world.sealed(seat, [], turn="002-fall-1901-movement"),
    "another number": lambda world, seat: world.sealed(seat, [], sequence=7),
    "no sheet inside": lambda world, seat: world.sealed(seat, [], sheet={"oders": ["A Vienna - Trieste"]}),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_author_is_notified_before_the_deadline_and_the_next_sheet_counts(
    worlds: Callable[..., World], way: str, tmp_path: Path
) -> None:
    world = worlds({"summer": game_data(**HOSTED)})
    number = send(world, "Austria", WAYS[way](world, "Austria"))
    assert world.fake.dispatched == ["adjudicate.yml"], "the job with the key looks at once"
    batch = world.adjudicate("2026-11-20T12:05:00Z")
    assert (batch.unopened, batch.problems, batch.pushed) == ([place("austria.yaml.age")], [], True)
    answer = world.fake.pulls[number].comments[1]
    assert answer.startswith("<!-- courtly unopened ")
    assert "**This sheet does not count:**" in answer
    assert "under the next number" in answer
    assert "oders" not in answer
    assert "Trieste" not in answer
    assert (
        world.fake.read(f"games/summer/{FIRST}/unopened.yaml")
        .decode()
        .endswith("schema: 1\nfiles:\n- austria.yaml.age\n")
    )
    # It reports it once.
    again = world.adjudicate("2026-11-20T12:20:00Z")
    assert (again.unopened, again.pushed, len(world.fake.pulls[number].comments)) == ([], False, 2)
    # After the deadline the host decides, and a seat that has not sent a readable sheet still may.
    send(world, "Italy", world.sealed("Italy", ["A Venice H"]))
    waits = world.adjudicate("2026-11-22T00:05:00Z")
    assert "Austria" in waits.waiting[0].seats
    send(world, "Austria", world.sealed("Austria", ["A Vienna - Galicia"], sequence=2), 2)
    for seat in SEATS:
        if seat not in ("Austria", "Italy"):
            send(world, seat, world.sealed(seat, []))
    assert [step.what for step in world.adjudicate("2026-11-22T01:00:00Z").steps] == ["resolved", "opened"]
    turn = world.fake.read(f"games/summer/{FIRST}/turn.yaml").decode()
    assert "A Vienna - Galicia" in turn
    world.clone.update()
    assert check_archive(world.archive) == []
    assert verify_game(Archive(world.root), "summer").problems == ()
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    report = check_history(tmp_path / "whole")
    assert report.problems == []


def test_without_the_notice_the_authors_next_sheet_is_late(worlds: Callable[..., World]) -> None:
    """H3-4: intake counted the names of files, but the run counted the sheets that open."""
    world = worlds({"summer": game_data(**HOSTED)})
    send(world, "Austria", world.sealed("Austria", ["A Vienna - Galicia"]))
    world.adjudicate("2026-11-22T00:05:00Z")
    files = {place("austria.2.yaml.age"): world.sealed("Austria", [], sequence=2)}
    assert "the deadline was" in world.intake(world.fake.open_pull(ACCOUNTS["Austria"], "a", files)).line


def test_a_sheet_that_opens_gets_no_notice(worlds: Callable[..., World]) -> None:
    world = worlds({"summer": game_data()})
    number = send(world, "Austria", world.sealed("Austria", ["A Vienna - Galicia"]))
    batch = world.adjudicate("2026-11-20T12:05:00Z")
    assert (batch.unopened, batch.pushed, len(world.fake.pulls[number].comments)) == ([], False, 1)


def test_the_author_of_an_issue_is_notified_too(worlds: Callable[..., World]) -> None:
    from adjudicator.core.jobs.letters import letter

    world = worlds({"summer": game_data()})
    body = world.sealed("Austria", [], sequence=3).decode()
    number = world.fake.open_issue(ACCOUNTS["Austria"], "anna", letter(place("austria.yaml.age"), body))
    assert world.intake(number).what == "accepted"
    world.adjudicate("2026-11-20T12:05:00Z")
    assert world.fake.issues[number].comments[1].startswith("<!-- courtly unopened ")
    # This is not an edit of the issue, so no comment follows.
    world.catch_up("2026-11-20T13:00:00Z")
    assert len(world.fake.issues[number].comments) == 2


def test_a_job_killed_between_answer_and_push_notifies_only_once(
    worlds: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    from adjudicator.ci.clone import Clone

    world = worlds({"summer": game_data()})
    number = send(world, "Austria", wrong_key(world, "Austria"))
    with monkeypatch.context() as patch:
        patch.setattr(Clone, "push", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            world.adjudicate("2026-11-20T12:05:00Z")
    assert world.adjudicate("2026-11-20T12:20:00Z").unopened == [place("austria.yaml.age")]
    assert len(world.fake.pulls[number].comments) == 2


def test_a_false_claim_that_a_sheet_does_not_open_is_noticed(worlds: Callable[..., World], tmp_path: Path) -> None:
    """Somebody who may push could take a friend's late first sheet in, or make the game wait for a rival's seat."""
    world = worlds({"summer": game_data()})
    send(world, "Austria", world.sealed("Austria", ["A Vienna - Galicia"]))
    name = f"games/summer/{FIRST}/unopened.yaml"
    world.fake.push_to_main({name: b"schema: 1\nfiles: [austria.yaml.age]\n"})
    world.adjudicate("2026-11-22T00:05:00Z")
    world.clone.update()
    (fault,) = verify_game(Archive(world.root), "summer").problems
    assert str(fault).startswith(f"{name}: austria.yaml.age opens, but is listed as a sheet that does not")
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    assert check_history(tmp_path / "whole").problems == []


@pytest.mark.parametrize("change", ["removed", "shortened", "added late"])
def test_a_changed_list_of_unopened_sheets_is_noticed_in_the_history(
    worlds: Callable[..., World], tmp_path: Path, change: str
) -> None:
    world = worlds({"summer": game_data()})
    send(world, "Austria", wrong_key(world, "Austria"))
    world.adjudicate("2026-11-20T12:05:00Z")
    name = f"games/summer/{FIRST}/unopened.yaml"
    if change == "added late":
        world.adjudicate("2026-11-22T00:05:00Z")
        world.fake.push_to_main({name: b"schema: 1\nfiles: [austria.yaml.age, italy.yaml.age]\n"})
    else:
        world.fake.push_to_main({name: None if change == "removed" else b"schema: 1\nfiles: []\n"})
    git(tmp_path, "clone", "--quiet", str(world.fake.repository), "whole")
    faults = check_history(tmp_path / "whole").problems
    what = {
        "removed": "sheets that were listed as unopened are no longer listed",
        "shortened": "sheets that were listed as unopened are no longer listed",
        "added late": "the list of sheets that do not open was changed after the turn had been judged",
    }[change]
    assert [(fault.path, fault.what.partition(" (commit")[0]) for fault in faults] == [(name, what)]


def test_a_job_without_the_secret_fails_at_once(world: World) -> None:
    """H3-10: it reported "Nothing is due" until the first deadline."""
    from click.testing import CliRunner

    from adjudicator.cli import main
    from tests.ci.fake import OWNER

    environment = {"GITHUB_API_URL": world.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t"}
    others = "courtly-master-1-" + "6b" * 32
    for given in ({}, {"COURTLY_MASTER": others}):
        said = CliRunner().invoke(main, ["-C", str(world.root), "ci", "adjudicate"], env=environment | given)
        assert said.exit_code == 1
        assert "error: games/summer: the game is sealed, but its master secret" in said.output
        assert "it is the COURTLY_MASTER secret of the `courtly` environment" in said.output
    # At the deadline a due game failed: the message is not "Nothing is due".
    world.fake.now = world.fake.now.replace(day=24)
    said = CliRunner().invoke(
        main, ["-C", str(world.root), "ci", "adjudicate", "--at", "2026-11-23T00:00Z"], env=environment
    )
    assert "open: resolved Spring 1901, movement" in said.output
    assert "Nothing is due" not in said.output
    said = CliRunner().invoke(
        main, ["-C", str(world.root), "ci", "adjudicate", "--at", "2026-11-23T00:05Z"], env=environment
    )
    assert said.exit_code == 1
    assert "Nothing is due" not in said.output
