"""The workflows: every action they call, directly or not, was reviewed, nothing is cached, and each session of nox runs somewhere (H3-3, H3-17,
HS-3)."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.conftest import ROOT

FOLDER = ROOT / ".github/workflows"
NAMES = sorted(path.name for path in FOLDER.glob("*.yml"))
GROUPS = ("adjudicate.yml", "catch-up.yml", "intake.yml", "pages.yml")
"""The workflows of a group's own repository."""
USES = re.compile(r"^\s*-?\s*(?:- )?uses: (\S+)@(\S+)(?: # (\S+))?$", re.MULTILINE)
DEAD = frozenset({"node12", "node16", "node20"})
"""Runtimes that GitHub's runners no longer have (changelogs of 2023 to 2026-09-23)."""


def load(path: Path) -> Any:
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def actions() -> dict[str, Any]:
    return dict(load(ROOT / "vendor/actions.yaml"))


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in load(FOLDER / name)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("name", NAMES)
def test_each_action_was_reviewed_and_runs_on_a_runtime_that_runners_have(name: str) -> None:
    text, known = (FOLDER / name).read_text(encoding="utf-8"), actions()
    found = USES.findall(text)
    assert len(found) == text.count("uses:"), "each `uses:` is on a line of its own"
    for action, commit, release in found:
        assert re.fullmatch(r"[0-9a-f]{40}", commit), f"{action} is not pinned by commit"
        assert action.startswith("actions/"), f"{action} is not GitHub's own"
        assert (commit, release) == (known[action]["commit"], known[action]["release"])


@pytest.mark.parametrize("action", actions())
def test_no_action_is_dead_or_calls_something_movable(action: str) -> None:
    """RT: upload-pages-artifact v3 called a movable tag, though it was itself pinned by commit."""
    entry = actions()[action]
    assert entry["runs"] not in DEAD
    assert (entry["runs"] == "composite") is ("calls" in entry)
    for inner in entry.get("calls", {}).values():
        assert re.fullmatch(r"[0-9a-f]{40}", inner["commit"])
        assert inner["runs"] not in DEAD
        assert inner["runs"] != "composite", "open it, too"
    text = "".join((FOLDER / name).read_text(encoding="utf-8") for name in NAMES)
    assert f"uses: {action}@" in text, "no workflow calls it"


@pytest.mark.parametrize("name", GROUPS)
def test_a_groups_workflows_check_out_the_default_branch_and_keep_no_credentials(name: str) -> None:
    """RT-8: a restarted run took the commit of its first attempt, and judged by old rules."""
    (given,) = [step["with"] for step in steps(name) if "actions/checkout@" in step.get("uses", "")]
    assert given["ref"] == "${{ github.event.repository.default_branch }}"
    assert given["persist-credentials"] is False


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_cached_and_every_permission_is_named(name: str) -> None:
    """RT-9: nothing of the published site comes from a cache."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    data = load(FOLDER / name)
    assert data["cache-mode"] == "none"
    assert "actions/cache" not in text
    assert data["permissions"] == {}
    for job in data["jobs"].values():
        assert "timeout-minutes" in job
        for right, value in job["permissions"].items():
            assert re.search(rf"{right}: {value} # \w", text), f"{right} of {name} has no reason"


@pytest.mark.parametrize("name", GROUPS)
def test_a_groups_workflows_contain_no_logic_and_no_strangers_text(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45
    runs = [step["run"] for step in steps(name) if "run" in step]
    assert not any("${{" in run for run in runs), "an expression in a shell line could be a stranger's text"
    secrets = re.findall(r"secrets\.(\w+)", text)
    assert bool(secrets) is (name == "adjudicate.yml")
    assert load(FOLDER / name)["concurrency"]["cancel-in-progress"] is False


def test_the_policy_names_the_events_of_intake() -> None:
    """An owner's policy lists the events of the one file; another event here would be blocked."""
    text = (FOLDER / "intake.yml").read_text(encoding="utf-8").replace("\non:\n", "\nstarts:\n")
    assert set(YAML(typ="safe", pure=True).load(text)["starts"]) == {"pull_request_target", "issues"}


def test_intake_has_no_secret_and_catch_up_has_the_same_permissions() -> None:
    rights = {name: load(FOLDER / name)["jobs"][name.removesuffix(".yml")]["permissions"] for name in GROUPS}
    assert rights["intake.yml"] == rights["catch-up.yml"]
    assert [name for name in GROUPS if "environment" in load(FOLDER / name)["jobs"][name.removesuffix(".yml")]] == [
        "adjudicate.yml", "pages.yml",
    ]  # fmt: skip


ELSEWHERE = {
    "quick": "part of tests; run on every system",
    "format": "changes files",
    "bless": "changes files",
    "bench": "needs files of games",
    "scale": "needs files of games",
    "corpus": "needs files of games",
    "atlas": "draws the boards again, for who changes one",
    "everywhere": "the Pythons of the matrix do the same",
}
"""Sessions that no job runs every week, and why."""


def test_every_nox_session_runs_in_some_job() -> None:
    tree = ast.parse((ROOT / "noxfile.py").read_text(encoding="utf-8"))
    sessions = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any("session" in ast.unparse(mark) for mark in node.decorator_list)
    }
    jobs = load(FOLDER / "ci.yml")["jobs"]
    run = {word for words in jobs["tests"]["strategy"]["matrix"]["sessions"] for word in words.split()}
    run |= set(jobs["weekly"]["strategy"]["matrix"]["session"])
    assert sessions - run == set(ELSEWHERE)
    assert run - sessions == set()


def test_ci_tests_every_python_and_every_system() -> None:
    matrix = load(FOLDER / "ci.yml")["jobs"]["systems"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert [system.partition("-")[0] for system in matrix["os"]] == ["ubuntu", "macos", "windows"]


def test_a_release_is_attested_hashed_and_published_without_a_token() -> None:
    text = (FOLDER / "release.yml").read_text(encoding="utf-8")
    jobs = load(FOLDER / "release.yml")["jobs"]
    assert jobs["publish"]["needs"] == ["build", "wheels"]
    assert {name for name, job in jobs.items() if "id-token" in job["permissions"]} == {"publish"}
    runs = "\n".join(step["run"] for step in jobs["publish"]["steps"] if "run" in step)
    assert runs.index("sha256sum") < runs.index("pypi_attestations sign") < runs.index("twine upload --attestations")
    assert "gh release create" in runs
    assert "secrets." not in text
    assert not re.search(r"(?i)password|api.token", text)
