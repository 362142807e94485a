"""Compare the GitHub of these tests with GitHub's published description: `nox -s github` fetches that.

vendor/github-api/README.md lists the checks. Without the packages they are skipped.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from graphql import build_schema, parse, validate

from adjudicator.ci.intake import intake
from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.letters import letter
from adjudicator.core.text.yamltext import read
from tests.ci import queries
from tests.ci.conftest import ACCOUNTS, FIRST, World, game_data
from tests.ci.fake import OWNER, ROUTES
from tests.ci.published import Call, Description, description, events
from tests.conftest import ROOT

FOLDER = Path(os.environ.get("COURTLY_GITHUB", "/nowhere"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="nox -s github fetches what GitHub publishes"),
]

SOMETIMES = {
    ".draft": "what is not said to be a draft is none",
    ".tree.size": "a folder's entry has none; only a file's is read",
    ".body": "a comment without text is read as one with none",
}
"""Keys that answers have here but GitHub does not promise; and why nothing depends on them."""


@pytest.fixture(scope="module")
def github() -> Description:
    return description(FOLDER)


@pytest.fixture
def calls(worlds: Callable[..., World]) -> list[Call]:
    """The traffic when sheets are accepted, refused, late, and caught up, at both doors, and when somebody joins."""
    people = game_data()["seats"] | {"Turkey": {"player": "open"}}
    world = worlds({"open": game_data(sealed=False, seed="s", seats=people, join="first")}, open_now=("open",))
    made = world.fake.exchanges = []
    first, second = (f"games/open/{FIRST}/orders/austria{end}" for end in (".yaml", ".2.yaml"))
    sheet = {first: b"orders: []\n"}
    assert world.intake(world.fake.open_pull(ACCOUNTS["Austria"], "anna", sheet)).what == "accepted"
    refused = world.fake.open_pull(ACCOUNTS["Italy"], "emil", {second: b""})
    assert world.intake(refused).what == "refused"
    world.fake.set_state(world.fake.pulls[refused], "open")
    assert world.intake(refused).what == "left"
    assert (
        world.intake(world.fake.open_pull(999, "greta", {"games/open/join/turkey.yaml": b"seat: Turkey\n"})).what
        == "accepted"
    )
    # Another job comments at the same moment, and one of the two equal comments is removed.
    number = world.fake.open_issue(
        ACCOUNTS["France"], "emma", letter(first.replace("austria", "france"), "orders: []\n")
    )
    issue = world.fake.issues[number]

    def twice(method: str, call: str) -> None:
        if (method, call) == ("POST", f"/issues/{number}/comments") and not issue.comments:
            issue.comments.append(f"<!-- courtly accepted {hashlib.sha1(issue.body.encode()).hexdigest()} -->")

    world.fake.before.append(twice)
    assert world.intake(number).what == "accepted"
    assert len(issue.comments) == 1
    world.fake.before.clear()
    world.fake.runs["pages.yml"] = ["failure", None]
    world.fake.open_pull(ACCOUNTS["Austria"], "anna", {second: b"orders: []\n"})
    world.rounds("2026-11-22T00:00:00Z")
    world.github.clock = None
    assert world.github.now
    with pytest.raises(Exception, match="404"):
        world.intake(4711)
    # A branch that somebody else moved meanwhile.
    head = world.fake.main()
    world.fake.git("update-ref", "refs/heads/main", f"{head}~1")
    other = world.fake.push_to_main({"README.md": b""})
    status, _ = world.github._call("PATCH", "/git/refs/heads/main", {"sha": head, "force": False})
    assert (status, world.fake.main()) == (422, other)
    return made


@pytest.fixture
def rest(calls: list[Call]) -> list[Call]:
    """The calls of REST among them."""
    return [call for call in calls if call.path != "/graphql"]


def test_queries_and_our_part_of_the_schema_match_what_github_publishes(calls: list[Call]) -> None:
    whole = build_schema(
        (FOLDER / "@octokit/graphql-schema/schema.graphql").read_text(encoding="utf-8"),
        assume_valid_sdl=True,  # it says two things of one field
        assume_valid=True,
    )
    part, differences = queries.schema(), []
    for name, kind in part.type_map.items():
        other = whole.type_map.get(name)
        for field, spec in getattr(kind, "fields", {}).items():
            known = getattr(other, "fields", {}).get(field)
            if known is None or str(known.type) != str(spec.type):
                differences.append(f"{name}.{field}")
            for argument, given in (getattr(spec, "args", None) or {}).items():
                if known is None or str(known.args[argument].type) != str(given.type):
                    differences.append(f"{name}.{field}({argument})")
        differences += [
            f"{name}.{value}" for value in getattr(kind, "values", {}) if value not in getattr(other, "values", {})
        ]
    assert differences == []
    asked = [call for call in calls if call.path == "/graphql"]
    said = {str(call.body["query"]).partition("(")[0] for call in asked}
    assert said == {"query Pulls", "query Issues", "query One", "query Files"}
    for call in asked:
        assert validate(whole, parse(call.body["query"])) == []
        assert "errors" not in call.answer
    # A query for an unknown field, or with a value of another type, would be noticed.
    for wrong in ('query X { repository(owner: "a", name: "b") { issue(number: 1) { edited } } }',
                  'query X { repository(owner: "a", name: 1) { issue(number: 1) { body } } }'):  # fmt: skip
        assert validate(whole, parse(wrong)) != []


def test_every_call_and_answer_matches_githubs_description(rest: list[Call], github: Description) -> None:
    faults = sorted(
        {f"{call.method} {call.path.partition('?')[0]}: {fault}" for call in rest for fault in github.faults(call)}
    )
    assert faults == []
    answered = {
        (verb, pattern)
        for verb, pattern, _ in ROUTES
        if any(call.method == verb and re.fullmatch(pattern, call.path.partition("?")[0]) for call in rest)
    }
    assert {(verb, pattern) for verb, pattern, _ in ROUTES} - answered == set()
    print(f"{len(rest)} calls of {len(answered)} kinds agree with GitHub's description")


def test_answers_have_only_keys_that_github_promises_or_that_are_listed_here(
    rest: list[Call], github: Description
) -> None:
    fields = {field for call in rest if call.status < 300 for field in github.unpromised(call)}
    assert fields - set(SOMETIMES) == set()
    assert set(SOMETIMES) - fields == set()


DRIFTS: dict[str, Callable[[Call], Call]] = {
    "a path that is none": lambda call: replace(call, path=call.path.replace("/pulls", "/pull_requests")),
    "a parameter that is none": lambda call: replace(call, path=f"{call.path.partition('?')[0]}?per=100"),
    "a parameter of another type": lambda call: replace(call, path=f"{call.path.partition('?')[0]}?per_page=many"),
    "a choice that is none": lambda call: replace(call, path=f"{call.path.partition('?')[0]}?sort=oldest"),
    "a status that is none": lambda call: replace(call, status=299),
    "an answer of another type": lambda call: replace(call, answer={}),
    "a key that is none": lambda call: replace(call, answer=[entry | {"account": 1} for entry in call.answer]),
    "a value of another type": lambda call: replace(call, answer=[entry | {"number": "1"} for entry in call.answer]),
    "a body where there is none": lambda call: replace(call, body={}),
}


@pytest.mark.parametrize("drift", DRIFTS)
def test_drift_is_noticed(drift: str, github: Description) -> None:
    call = Call("GET", "/pulls?state=open&per_page=100", None, 200, [{"number": 1, "state": "open", "draft": False}])
    assert list(github.faults(call)) == []
    assert len(list(github.faults(DRIFTS[drift](call)))) > 0


def test_an_incomplete_request_is_noticed(github: Description) -> None:
    call = Call("POST", "/git/commits", {"message": "x", "tree": "0" * 40, "parents": []}, 201, {"sha": "0" * 40})
    assert list(github.faults(call)) == []
    for key in ("message", "tree"):
        body = {name: value for name, value in call.body.items() if name != key}
        assert list(github.faults(replace(call, body=body))) == [f"body: {key!r} is a required property"]


# Events ---------------------------------------------------------------------------------------------------------------


def workflow(event: str) -> tuple[list[str], set[str]]:
    """Kinds of an event that start intake, and the fields that its workflow reads, without those of the other event."""
    source = (ROOT / ".github/workflows/intake.yml").read_bytes()
    data: Any = read(source.replace(b"\non:\n", b"\nstarts:\n"), "intake.yml").data
    said = set(re.findall(r"github\.event\.([a-z_.]+)", source.decode()))
    others = "issue" if event == "pull_request_target" else "pull_request"
    return data["starts"][event]["types"], {field for field in said if field.partition(".")[0] != others}


@pytest.mark.parametrize(
    ("event", "name", "needed"),
    [
        ("pull_request_target", "pull-request", {"action", "changes.base", "pull_request.number"}),
        ("issues", "issues", {"issue.number", "issue.body"}),
    ],
)
def test_events_have_the_fields_that_the_workflow_reads(
    event: str, name: str, needed: set[str], github: Description
) -> None:
    kinds, said = workflow(event)
    described = {kind: github.schema(f"webhook-{name}-{kind.replace('_', '-')}") for kind in kinds}
    assert needed <= said
    for field in said - {"changes.base"}:
        assert [kind for kind in kinds if github.has(described[kind], field.split("."))] == kinds, field
    if event == "pull_request_target":
        assert [kind for kind in kinds if github.has(described[kind], ["changes", "base"])] == ["edited"]


def test_intake_reads_the_pull_request_number_of_every_example(world: World, tmp_path: Path) -> None:
    kinds, _ = workflow("pull_request_target")
    examples = [example for example in events(FOLDER, "pull_request") if example["action"] in kinds]
    assert {example["action"] for example in examples} == set(kinds) - {"edited"}  # GitHub has no example of it
    for example in examples:
        path = tmp_path / "event.json"
        path.write_text(json.dumps(example), encoding="utf-8")
        environment = {
            "GITHUB_API_URL": world.fake.address, "GITHUB_REPOSITORY": OWNER, "GITHUB_TOKEN": "t",
            "GITHUB_EVENT_PATH": str(path),
        }  # fmt: skip
        done = CliRunner().invoke(main, ["-C", str(world.root), "ci", "intake"], env=environment)
        assert f"GitHub answers 404 for /pulls/{example['pull_request']['number']}" in done.output


def test_intake_recognises_an_example_of_a_pull_request(world: World) -> None:
    """The examples have every field that intake reads of a pull request, with the expected types."""
    pull = events(FOLDER, "pull_request")[0]["pull_request"]
    number = world.fake.open_pull(ACCOUNTS["Austria"], "anna", {"README.md": b""})
    ours = world.fake.show(world.fake.pulls[number])
    assert {key for key in ours if key not in pull} == set()
    assert {key: type(ours[key]) for key in ours if ours[key] is not None and pull[key] is not None} == {
        key: type(pull[key]) for key in ours if ours[key] is not None and pull[key] is not None
    }
    assert intake(world.github, world.clone, Archive(world.root), number).line == "changes no game"
