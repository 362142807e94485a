"""`courtly doctor --github`: what it finds of a repository's settings, on a GitHub on loopback."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.ci.settings import Finding, Reader, Wanted, covers, events_of, look
from adjudicator.cli import main
from adjudicator.core.game.game import Door
from adjudicator.core.text.problems import Problems
from adjudicator.site.init import WORKFLOWS
from tests.ci.settings import OWNER, Settings, policy, run
from tests.conftest import ROOT

EVENTS = ("issues", "pull_request_target")
STARTS = {name: events_of((ROOT / ".github/workflows" / name).read_bytes(), name) for name in WORKFLOWS}
WANTED = Wanted(OWNER, "main", STARTS | {"intake.yml": EVENTS}, "2026-11-26T12:00Z")
TIMED = [name for name, events in STARTS.items() if "schedule" in events]
WELL = [
    "anna/our-games is public",
    "the default branch is main",
    "Actions are on",
    "the policy theirs allows intake: issues and pull_request_target may start intake.yml",
    "the environment courtly is limited to the branch main",
    "the environment courtly has the secret COURTLY_MASTER",
    "COURTLY_MASTER is not a secret of the whole repository",
    "workflows may only read, unless they ask for more",
    "Pages publish what pages.yml builds: https://anna.github.io/our-games/",
    "everybody may open pull requests",
    "issues are on",
    "interactions are not limited",
    f"enabled: {', '.join(WORKFLOWS)}",
    *(f"{name} last ran at 2026-11-26T11:52Z" for name in TIMED),
    "pages.yml last ran at 2026-11-26T11:55Z",
]


@pytest.fixture
def github(tmp_path: Path) -> Iterator[Settings]:
    made = Settings(tmp_path)
    made.set_all(EVENTS)
    yield made
    made.stop()


def found(github: Settings, token: str = "t", wanted: Wanted = WANTED) -> list[Finding]:
    reader = Reader(github.address, OWNER, token, patience=0)
    try:
        return list(look(reader, wanted))
    finally:
        reader.close_pool()


def test_a_repository_that_is_set_up_has_no_faults(github: Settings) -> None:
    assert found(github) == [Finding(ok=True, what=line) for line in WELL]
    assert github.tokens == {"Bearer t"}
    assert {call.partition(" ")[0] for call in github.calls} == {"GET"}
    assert len(github.calls) <= 30, "of sixty an hour for whoever has no token"


def set_repo(**more: Any) -> Callable[[Settings], None]:
    return lambda github: github.make(**{"has_pages": True} | more)


def set_policies(*policies: dict[str, Any]) -> Callable[[Settings], None]:
    return lambda github: setattr(github, "policies", list(policies))


def set_runs(name: str, *runs: dict[str, Any]) -> Callable[[Settings], None]:
    return lambda github: github.runs.__setitem__(name, list(runs))


def set_limit(**more: Any) -> Callable[[Settings], None]:
    return lambda github: github.environments["courtly"].update(deployment_branch_policy=more or None)


def set_branches(*names: str, kind: str = "branch") -> Callable[[Settings], None]:
    rules = [{"id": number, "name": name, "type": kind} for number, name in enumerate(names)]
    return lambda github: github.branches.__setitem__("courtly", rules)


def refuse(part: str, status: int) -> Callable[[Settings], None]:
    return lambda github: github.refusals.append(lambda verb, path: (status, "no") if path.startswith(part) else None)


POLICIES = "Settings › Actions › Policies"
LIMIT = "Settings › Environments › courtly: Selected branches and tags, and there only main"
WRONG: list[tuple[Callable[[Settings], None], str]] = [
    (set_repo(private=True), "anna/our-games is private: environments, Pages and minutes for schedules need a paid plan: Settings › General › Change visibility, or keep it private and pay"),
    (set_repo(archived=True), "anna/our-games is archived: nothing can be pushed: Settings › General › Unarchive"),
    (set_repo(default_branch="trunk"), "the default branch is trunk, but the archive's is main: schedules run only on the default one: Settings › General › Default branch"),
    (lambda github: github.actions.update(enabled=False), "Actions are off: nothing runs: Settings › Actions › General › Allow all actions"),
    (lambda github: github.actions.update(allowed_actions="local_only"), "GitHub's own actions (checkout, setup-python) are not allowed: no workflow starts: Settings › Actions › General › Allow all actions"),
    (set_policies(), f"no policy allows intake: from 2 December 2026 GitHub stops pull_request_target in public repositories without one: make one: {POLICIES}, or `courtly init --github`"),
    (set_policies(policy(EVENTS, enforcement="disabled")), f"no policy allows intake: from 2 December 2026 GitHub stops pull_request_target in public repositories without one: make one: {POLICIES}, or `courtly init --github`"),
    (set_policies(policy(EVENTS, rules=[])), f"no policy allows intake: from 2 December 2026 GitHub stops pull_request_target in public repositories without one: make one: {POLICIES}, or `courtly init --github`"),
    (set_policies(policy(("issues",))), f"the policy theirs does not let pull_request_target start intake.yml: add what is missing: {POLICIES}, or `courtly init --github`"),
    (set_policies(policy((*EVENTS, "push", "workflow_dispatch"), conditions={})), f"the policy theirs does not let schedule start {TIMED[0]}: limit it to .github/workflows/intake.yml: {POLICIES}"),
    (set_policies(policy(EVENTS), policy(("push", "schedule"), id=2, name="all", conditions={})), f"the policy all does not let issues and pull_request_target start intake.yml: add what is missing: {POLICIES}, or `courtly init --github`"),
    (set_policies(policy(EVENTS), policy((), id=2, name="us", rules=[{"type": "restrict_actions_actors", "parameters": {"allowed_actors": [{"id": 1, "type": "User"}]}}])),
     f"the policy us lets only some people start intake.yml: players' sheets are not taken in: leave .github/workflows/intake.yml out of it: {POLICIES}"),
    (lambda github: github.environments.clear(), f"there is no environment courtly: {LIMIT}"),
    (set_limit(), f"every branch can read the secrets of the environment courtly: {LIMIT}"),
    (set_limit(protected_branches=True, custom_branch_policies=False), f"the environment courtly is open to every protected branch, not only to main: {LIMIT}"),
    (set_branches(), f"no branch can use the environment courtly: {LIMIT}"),
    (set_branches("main", "*"), f"* and main can use the environment courtly: {LIMIT}"),
    (set_branches("main", kind="tag"), f"the tag main can use the environment courtly: {LIMIT}"),
    (lambda github: github.secrets.clear(), "the environment courtly has no secret COURTLY_MASTER: Settings › Environments › courtly › Add environment secret, or `courtly init --github`"),
    (lambda github: github.secrets.update(COURTLY_MASTER="x"), "COURTLY_MASTER is also a secret of the whole repository, which every branch's workflows can read: remove it there: Settings › Secrets and variables › Actions"),
    (lambda github: setattr(github, "permission", "write"), "workflows may write by default: Settings › Actions › General › Workflow permissions › Read repository contents"),
    (lambda github: setattr(github, "pages", None), "Pages are off: the site is not published: Settings › Pages › Source: GitHub Actions"),
    (lambda github: (github.pages or {}).update(build_type="legacy"), "Pages publish a branch instead of what the workflow builds: Settings › Pages › Source: GitHub Actions"),
    (set_repo(has_pull_requests=False), "pull requests are off: no sheet can come in that way: Settings › General › Features"),
    (set_repo(pull_request_creation_policy="collaborators_only"), "only collaborators may open pull requests: players cannot send sheets that way: Settings › General › Features"),
    (set_repo(has_issues=False), "issues are off: no sheet can come in that way: Settings › General › Features"),
    (lambda github: github.limit.update(limit="contributors_only", origin="repository", expires_at="2026-11-27T10:00:00Z"), "only people who contributed before may open pull requests and issues, until 2026-11-27T10:00: Settings › Moderation options › Interaction limits"),
    (lambda github: github.states.update({"adjudicate.yml": "disabled_inactivity"}), "GitHub disabled adjudicate.yml after 60 days without a change: Actions › adjudicate › Enable workflow, or `gh workflow enable adjudicate.yml`"),
    (lambda github: github.states.update({"intake.yml": "disabled_manually"}), "intake.yml is disabled: Actions › intake › Enable workflow, or `gh workflow enable intake.yml`"),
    (set_runs("adjudicate.yml", run(7, "2026-11-26T11:52:00Z", "failure", "")), "adjudicate.yml last ran at 2026-11-26T11:52Z, and failed: read why: https://github.com/anna/our-games/actions/runs/7"),
    (set_runs("adjudicate.yml", run(7, "2026-11-26T01:30:00Z", "success", "")), "adjudicate.yml last ran at 2026-11-26T01:30Z, 10 hours ago: GitHub's scheduler is late or stopped: `gh workflow run adjudicate.yml` starts it; the page for groups shows how to use an outside clock"),
    (set_runs("pages.yml", run(8, "2026-11-25T11:55:00Z", "timed_out", "")), "pages.yml last ran at 2026-11-25T11:55Z, and ran out of time: the site is not up to date: read why: https://github.com/anna/our-games/actions/runs/8; then `gh workflow run pages.yml`"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), WRONG, ids=[said[:40] for _, said in WRONG])
def test_each_fault_is_one_line_that_says_what_to_do(
    github: Settings, change: Callable[[Settings], None], said: str
) -> None:
    """H3-0, H3-10, H3-11: and it does not cause any other finding."""
    change(github)
    wrong = [str(one) for one in found(github) if one.ok is not True]
    assert said in wrong
    # The consequences: no secret without its environment, and only Pages if all is private.
    assert len(wrong) == 1 or (
        said.startswith(("there is no environment", "anna/our-games is private")) and len(wrong) == 2
    )


UNSEEN: list[tuple[Callable[[Settings], None], str]] = [
    (refuse("/actions/permissions", 403), "whether Actions are on could not be checked without an administrator's token"),
    (refuse("/actions/policies", 404), "whether a policy lets intake.yml start could not be checked without an administrator's token"),
    (refuse("/actions/policies/1", 404), "a policy could not be read (GitHub answers 404), and no other names intake.yml"),
    (refuse("/environments/courtly/deployment", 403), "which branches can use the environment courtly could not be checked without an administrator's token"),
    (refuse("/environments/courtly/secrets", 403), "whether the environment courtly has the secret COURTLY_MASTER could not be checked without an administrator's token"),
    (refuse("/pages", 403), "whether Pages are on could not be checked without an administrator's token"),
    (refuse("/interaction-limits", 405), "whether interactions are limited could not be checked (GitHub answers 405)"),
    (refuse("/actions/workflows?", 500), "workflows: could not be checked: GitHub answers 500"),
    (set_runs("pages.yml"), "pages.yml has not run yet"),
    (set_runs("pages.yml", run(8, "yesterday", "success", "")), "pages.yml ran, but GitHub does not say when"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "said"), UNSEEN, ids=[said[:40] for _, said in UNSEEN])
def test_a_setting_that_cannot_be_read_is_neither_right_nor_wrong(
    github: Settings, change: Callable[[Settings], None], said: str
) -> None:
    change(github)
    all_of_it = found(github)
    assert Finding(ok=None, what=said) in all_of_it
    assert [str(one) for one in all_of_it if one.ok is False] == []


def test_a_limit_on_open_pull_requests_is_reported(github: Settings) -> None:
    github.cap["enabled"] = True
    said = "each player may have 10 pull requests open at once; each sheet takes one until intake closes it"
    assert [one for one in found(github) if one.what not in WELL] == [Finding(ok=True, what=said)]


def test_a_door_that_the_host_closed_need_not_be_open_on_github(github: Settings) -> None:
    github.make(has_pages=True, has_pull_requests=False)
    assert [one for one in found(github, wanted=replace(WANTED, doors=(Door.ISSUES,))) if one.ok is not True] == []
    github.make(has_pages=True, has_issues=False)
    assert [one for one in found(github, wanted=replace(WANTED, doors=(Door.PULLS,))) if one.ok is not True] == []


def test_a_private_repository_needs_no_policy(github: Settings) -> None:
    github.make(private=True, has_pages=True)
    github.policies = []
    assert Finding(ok=True, what="intake.yml needs no policy: GitHub's default rule does not concern it") in found(
        github
    )


def test_a_stranger_sees_only_public_settings(github: Settings) -> None:
    """Even without a token; then no authorization is sent at all."""
    github.admin = False
    github.make()
    assert [one.what for one in found(github, token="") if one.ok] == [
        line for line in WELL if not line.startswith(("Actions", "the policy", "COURTLY", "workflows", "Pages", "inter"))
        and "has the secret" not in line
    ]  # fmt: skip
    assert github.tokens == {""}
    assert [one for one in found(github, token="") if one.ok is False] == []


def test_a_missing_repository_is_one_finding(github: Settings) -> None:
    github.repo = None
    (line,) = map(str, found(github))
    assert line == (
        "there is no repository anna/our-games that this token sees (GitHub answers 404): make it with `courtly init --github`, "
        "or give a token that sees it in GH_TOKEN"
    )


def test_an_outage_is_one_finding(github: Settings) -> None:
    github.refusals.append(lambda verb, path: (503, "no"))
    assert found(github) == [Finding(ok=None, what="anna/our-games could not be checked: GitHub answers 503")]


ODD: list[Any] = [None, [], {}, "x", 7, {"policies": 7}, {"workflows": [7, None]}, {"workflow_runs": [{}]}]


@pytest.mark.parametrize("answer", ODD, ids=repr)
def test_no_answer_from_github_makes_the_check_crash(answer: Any) -> None:
    class Odd:
        def ask(self, path: str) -> tuple[int, Any]:
            return 200, answer

    assert len(list(look(Odd(), WANTED))) >= 10


@pytest.mark.parametrize(
    ("conditions", "about"),
    [
        (None, True), ({}, True), ({"workflow_path": {"include": [], "exclude": []}}, True),
        ({"workflow_path": {"include": ["~ALL"]}}, True), ({"workflow_path": {"include": [".github/workflows/*.yml"]}}, True),
        ({"workflow_path": {"include": [".github/workflows/pages.yml"]}}, False),
        ({"workflow_path": {"include": ["~ALL"], "exclude": [".github/workflows/intake.yml"]}}, False),
        ({"workflow_path": {"include": 7}}, False), (7, True),
    ],
)  # fmt: skip
def test_a_policy_covers_the_workflows_in_its_conditions(conditions: Any, about: bool) -> None:
    assert covers({"conditions": conditions}, ".github/workflows/intake.yml") is about


def test_the_events_of_intake_are_read_from_its_file() -> None:
    assert events_of(b"on: issues\n") == ("issues",)
    assert events_of(b"on: [push, issues]\n") == ("issues", "push")
    assert events_of(b"on:\n  pull_request_target:\n    types: [opened]\n  issues:\n") == EVENTS
    assert "pull_request_target" in events_of((ROOT / ".github/workflows/intake.yml").read_bytes())
    for text in (b"name: x\n", b"on:\n", b"on: 7\n", b"- x\n", b"on: [\n"):
        with pytest.raises(Problems):
            events_of(text)


# The command ----------------------------------------------------------------------------------------------------------


def doctor(root: Path, github: Settings, *words: str, **environment: str) -> Result:
    env: dict[str, str | None] = {"GITHUB_TOKEN": None, "GH_TOKEN": None, "PATH": "/nonexistent"}
    at = ("--at", "2026-11-26T12:00Z")
    return CliRunner().invoke(
        main, ["-C", str(root), *words, *at], env=env | {"GITHUB_API_URL": github.address} | environment
    )


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """A group's repository. These tests have no git on their path, which the doctor reports too."""
    root = tmp_path / "ours"
    done = CliRunner().invoke(
        main, ["-C", str(root), "init", "--repository", OWNER, "--from", f"git+https://x/y@{'0' * 40}"]
    )
    assert done.exit_code == 0, done.output
    return root


NO_GIT = "git is not installed: pull requests need it"


def test_the_command_reports_in_lines_and_as_json(ours: Path, github: Settings) -> None:
    """The command reads the events of intake from the archive's file."""
    events = events_of((ours / ".github/workflows/intake.yml").read_bytes())
    github.policies = [policy(events)]
    github.permission = "write"
    github.pages = None
    github.refusals.append(lambda verb, path: (403, "no") if "interaction" in path else None)
    done = doctor(ours, github, "doctor", "--github", GH_TOKEN="mine")
    lines = [line for line in done.stdout.splitlines() if not line.startswith("fine")]
    assert lines == [
        f"wrong  {NO_GIT}",
        "wrong  workflows may write by default: Settings › Actions › General › Workflow permissions › Read repository contents",
        "wrong  Pages are off: the site is not published: Settings › Pages › Source: GitHub Actions",
        "?      whether interactions are limited could not be checked without an administrator's token",
    ]
    assert (done.exit_code, github.tokens) == (1, {"Bearer mine"})
    told = json.loads(doctor(ours, github, "--json", "doctor", "--github", OWNER, GITHUB_TOKEN="other").stdout)
    assert [one for one in told["findings"] if one["ok"] is not True] == [
        {"ok": {"w": False, "?": None}[line[0]], "what": line[7:]} for line in lines
    ]
    assert github.tokens == {"Bearer mine", "Bearer other"}


def test_a_setting_that_cannot_be_read_is_not_a_failure(
    ours: Path, github: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    github.admin = False
    github.make()
    monkeypatch.setattr(
        "adjudicator.core.jobs.doctor.which", lambda name, path=None: "/bin/git" if name == "git" else None
    )
    done = doctor(ours, github, "doctor", "--github")
    assert (done.exit_code, "wrong" in done.stdout) == (0, False), done.output
    assert (
        "?      GitHub was asked without a token: to see every setting, run `gh auth login`, or give a token in GH_TOKEN\n"
        in done.stdout
    )
    assert (
        "?      whether a policy lets intake.yml start could not be checked without an administrator's token\n"
        in done.stdout
    )


def test_without_the_option_github_is_not_asked(ours: Path, github: Settings) -> None:
    doctor(ours, github, "doctor")
    assert github.calls == []


def test_a_name_that_is_not_a_repository_is_refused(tmp_path: Path, ours: Path, github: Settings) -> None:
    done = doctor(ours, github, "doctor", "--github", "../x")
    assert (
        done.stderr
        == "error: '../x' is not a repository; name it as OWNER/NAME, or under `repository:` in games/archive.yaml\n"
    )
    (tmp_path / "bare/games").mkdir(parents=True)
    done = doctor(tmp_path / "bare", github, "doctor", "--github")
    assert done.stderr.startswith("error: it is not known which repository on GitHub is meant; name it as OWNER/NAME")
    assert github.calls == []


def test_workflows_of_another_courtly_are_reported_offline(ours: Path, github: Settings) -> None:
    """H3-3. Older ones may use actions that GitHub no longer runs."""
    said = "differs from this courtly's: it is older or newer, or it was edited; write it again with `courtly init`, then commit and push"
    for name in WORKFLOWS:
        path = ours / ".github/workflows" / name
        before = path.read_bytes()
        path.write_bytes(before + b"# mine\n")
        lines = doctor(ours, github, "doctor").stdout.splitlines()
        assert [line for line in lines if line.startswith("wrong")] == [
            f"wrong  {NO_GIT}", f"wrong  .github/workflows/{name} {said}",
        ]  # fmt: skip
        path.unlink()
        gone = f"wrong  .github/workflows/{name} is missing; write it again with `courtly init`"
        assert gone in doctor(ours, github, "doctor").stdout.splitlines()
        path.write_bytes(before)
    assert doctor(ours, github, "doctor").stdout.count("wrong") == 1
