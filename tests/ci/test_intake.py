"""Intake of honest pull requests: what goes in, what is said, what is left alone."""

from __future__ import annotations

from tests.ci.conftest import ACCOUNTS, FIRST, World


def test_a_sealed_sheet_goes_in_and_gets_a_receipt(world: World) -> None:
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
    assert len(world.fake.calls) <= 16
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
    assert (parents, author) == (before, "Somebody <somebody@example.org>")  # the API's own, here as there
    assert message.split("\n", 1)[0] == f"Sheet of Austria for open, {FIRST}"
    assert "Courtly-Account: 101" in message
    assert "102" not in message
    assert len(message) < 600
    assert head not in world.fake.git("rev-list", "main").split()
    pull = world.fake.pulls[number]
    assert (pull.state, pull.merged, len(pull.comments)) == ("closed", False, 1)
    assert pull.comments[0].startswith("<!-- courtly accepted ")
