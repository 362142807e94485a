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
    assert (pull.state, pull.merged) == ("closed", True)
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
