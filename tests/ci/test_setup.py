"""A group's first day: `courtly init --github` against a GitHub on loopback, by a stand-in for the program `gh`."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socketserver
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from adjudicator.ci.settings import Wanted, events_of
from adjudicator.ci.setup import SETTINGS, STEPS, policy_body
from adjudicator.cli import main
from adjudicator.core.secrets.masters import MASTER, kid_of, read_masters
from adjudicator.site.init import WORKFLOWS
from tests.ci.fake import git
from tests.ci.published import description
from tests.ci.settings import OWNER, ROUTES, Settings, policy, stand_in
from tests.conftest import ROOT

pytestmark = pytest.mark.slow
EVENTS = events_of((ROOT / ".github/workflows/intake.yml").read_bytes())
WANTED = Wanted(OWNER, "main", {"intake.yml": EVENTS}, "")
FROM = f"git+https://github.com/anna/courtly@{'0' * 40}"


OLD = "courtly-master-1-" + "5a" * 32
NAME = kid_of(read_masters(OLD, "").secrets[0])


class Machine:
    """A host's machine: a folder, `gh`, git, and the GitHub that they talk to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.github = Settings(folder)
        self.root = folder / "our-games"
        self.environment = dict(stand_in(folder, self.github))

    def courtly(self, *words: str, **environment: str) -> Result:
        # The tests do not use the accounts that this machine is signed in to.
        nobody: dict[str, str | None] = {"GITHUB_TOKEN": None, "GH_TOKEN": None}
        env = {**nobody, "COURTLY_MASTER": None, "COURTLY_MASTER_FILE": None, **self.environment, **environment}
        return CliRunner().invoke(main, ["-C", str(self.root), *words], env=env)

    def init(self, *words: str, **environment: str) -> Result:
        return self.courtly(
            "init", "--title", "Our games", "--repository", OWNER, "--from", FROM, "--github", *words, **environment
        )

    def steps(self, done: Result) -> dict[str, str]:
        """Step -> its final state, as a word."""
        found = re.findall(r"^(done |fine |later|wrong)  (\w+): ", done.stdout, re.MULTILINE)
        return {name: mark.strip() for mark, name in found}

    def calls(self) -> list[dict[str, Any]]:
        """Calls of `gh`."""
        return [json.loads(line) for line in (self.folder / "calls.jsonl").read_text().splitlines()]

    @property
    def secret(self) -> str:
        """Master secret that GitHub was given."""
        return base64.b64decode(self.github.secrets["courtly/COURTLY_MASTER"]).decode()

    def refuse(self, method: str, pattern: str, status: int, why: str = "no") -> None:
        self.github.refusals.append(
            lambda verb, path: (status, why) if verb == method and re.search(pattern, path) else None
        )


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    made.github.stop()


def state(github: Settings) -> dict[str, Any]:
    """All settings on a GitHub, except the secret and the commits themselves."""
    assert github.repo is not None
    return {
        "private": github.repo["private"], "actions": github.actions, "permission": github.permission,
        "policies": github.policies, "environments": github.environments, "branches": github.branches,
        "secrets": sorted(github.secrets), "pages": github.pages, "runs": sorted(github.runs), "pushed": bool(github.head),
    }  # fmt: skip


def test_a_first_day_goes_from_nothing_to_a_site(machine: Machine) -> None:
    """H3-10. Settings come before the first push; the secret is not in any argument, output or log; twice changes nothing."""
    done = machine.init()
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    assert machine.steps(done) == {step.name: "done" for step in STEPS} | {"actions": "fine"}
    assert done.stdout.endswith("The site will be at https://anna.github.io/our-games/ in a few minutes.\n")
    limit = {"protected_branches": False, "custom_branch_policies": True}
    assert state(machine.github) == {
        "private": False,
        "actions": {"enabled": True, "allowed_actions": "all"},
        "permission": "read",
        "policies": [{"id": 41, **policy_body(EVENTS)}],
        "environments": {"courtly": {"id": 1, "name": "courtly", "deployment_branch_policy": limit}},
        "branches": {"courtly": [{"id": 1, "type": "branch", "name": "main"}]},
        "secrets": ["courtly/COURTLY_MASTER"],
        "pages": {"url": "x", "html_url": "https://anna.github.io/our-games/", "build_type": "workflow"},
        "runs": ["pages.yml"],
        "pushed": True,
    }
    assert "pull_request_target" in EVENTS
    written = [call for call in machine.github.calls if not call.startswith("GET")]
    assert [call for call in written if call.endswith("after the push")] == [
        "POST /actions/workflows/pages.yml/dispatches after the push"
    ]
    # The pushed commit is the local one, with every file that init wrote; the secret is outside, for its owner only.
    assert git(machine.root, "rev-parse", "HEAD").decode() == machine.github.head
    assert git(machine.root, "status", "--porcelain") == b""
    pushed = git(machine.github.remote, "ls-tree", "-r", "--name-only", "main").decode().splitlines()
    assert {f".github/workflows/{name}" for name in WORKFLOWS} | {"games/archive.yaml", "mkdocs.yml"} <= set(pushed)
    kept = machine.folder / "our-games-master.txt"
    assert kept.stat().st_mode & 0o777 == 0o600
    found = MASTER.search(kept.read_text())
    assert found is not None
    assert machine.secret == found[0]
    secrets = [call for call in machine.calls() if call["words"][:2] == ["secret", "set"]]
    assert [call["stdin"].strip() for call in secrets] == [found[0]]
    told = json.dumps([call | {"stdin": "" if call in secrets else call["stdin"]} for call in machine.calls()])
    history = git(machine.root, "log", "--patch", "--all").decode(errors="replace")
    for text in (done.output, told, history):
        assert found[1] not in text
    assert str(kept) in done.stdout, "where it is kept is said"
    # The doctor approves everything, except the runs, which this GitHub does not have.
    again = machine.courtly("doctor", "--github", "--at", "2026-11-26T12:00Z")
    assert again.exit_code == 0, again.output
    assert f"fine   {OWNER} is public\n" in again.stdout
    # Twice: each step is reported as done, and nothing is written.
    before, calls = state(machine.github), len(machine.github.calls)
    twice = machine.init()
    assert twice.exit_code == 0, twice.output
    assert machine.steps(twice) == {step.name: "fine" for step in STEPS}
    assert twice.stdout.count("done already: ") == len(STEPS)
    assert state(machine.github) == before
    assert [call for call in machine.github.calls[calls:] if not call.startswith("GET")] == []


def test_a_policy_that_github_refuses_before_the_push_is_made_after_it(machine: Machine) -> None:
    """H3-0."""
    machine.github.needs_file = True
    done = machine.init()
    assert done.exit_code == 0, done.output
    lines = [line for line in done.stdout.splitlines() if "  policy: " in line]
    assert lines == [
        "later  policy: GitHub answers 422 (Validation Failed: there is no such workflow); it will be tried again after the push",
        f"done   policy: {', '.join(EVENTS)} may start intake.yml",
    ]
    assert machine.github.policies == [{"id": 41, **policy_body(EVENTS)}]


def test_steps_that_depend_on_a_step_after_the_push_come_after_it_too(machine: Machine) -> None:
    def early(verb: str, path: str) -> tuple[int, str] | None:
        return (404, "no") if (verb, path) == ("PUT", "/environments/courtly") and not machine.github.head else None

    machine.github.refusals.append(early)
    done = machine.init()
    assert done.exit_code == 0, done.output
    assert "later  secret: needs environment first\n" in done.stdout
    assert machine.github.branches["courtly"][0]["name"] == "main"
    assert list(machine.github.secrets) == ["courtly/COURTLY_MASTER"]


REFUSALS = {
    "repository": ("POST", r"^/user/repos$", 422, "name already exists on this account"),
    "environment": ("PUT", r"^/environments/courtly$", 403, "Resource not accessible"),
    "secret": ("PUT", r"/secrets/COURTLY_MASTER$", 404, "Not Found"),
    "permissions": ("PUT", r"^/actions/permissions/workflow$", 409, "the organization decides"),
    "policy": ("POST", r"^/actions/policies$", 403, "Resource not accessible by integration"),
    "pages": ("POST", r"^/pages$", 422, "Your current plan does not support GitHub Pages for this repository."),
    "site": ("POST", r"/dispatches$", 403, "Resource not accessible"),
}
FOLLOWS = {"repository": {*SETTINGS, "push", "site"}, "environment": {"secret"}, "pages": {"site"}}
"""Step -> steps that wait for it."""


@pytest.mark.parametrize(
    "steps", [["repository"], ["environment", "site"], ["secret", "permissions", "policy", "pages"]]
)
def test_a_step_that_fails_says_what_to_do_and_the_rest_goes_on(machine: Machine, steps: list[str]) -> None:
    """After the cause is corrected, the same command goes on from there."""
    assert {*REFUSALS} == {"repository", "environment", "site", "secret", "permissions", "policy", "pages"}
    for step in steps:
        machine.refuse(*REFUSALS[step])
    done = machine.init()
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    wrong = {*steps}.union(*(FOLLOWS.get(step, ()) for step in steps))
    assert {name for name, mark in machine.steps(done).items() if mark == "wrong"} == wrong
    for step in steps:
        (line,) = [line for line in done.stdout.splitlines() if line.startswith(f"wrong  {step}: ")]
        assert REFUSALS[step][3] in line
        (page,) = [one.place(WANTED) for one in STEPS if one.name == step]
        assert f"by hand: {page}" in line
    assert done.stdout.endswith("Once that is fixed, run this again: it goes on from there.\n")
    machine.github.refusals.clear()
    mended = machine.init()
    assert mended.exit_code == 0, mended.output
    assert {name for name, mark in machine.steps(mended).items() if mark == "done"} >= wrong - {"actions"}


def test_following_the_printed_list_by_hand_does_the_same(machine: Machine, tmp_path: Path) -> None:
    """A host who is not signed in gets commands and pages in order; typed as printed, they make the same settings."""
    (machine.folder / "signed-out").touch()
    done = machine.init()
    assert done.exit_code == 1
    assert (
        "Nothing was changed on GitHub: gh is not signed in (run `gh auth login`). Do this by hand, in this order"
        in done.stdout
    )
    assert machine.github.calls == []
    heads = re.findall(r"^(\d+)\. (\w+): (.+)$", done.stdout, re.MULTILINE)
    assert [(int(number), name, page) for number, name, page in heads] == [
        (number, step.name, step.place(WANTED)) for number, step in enumerate(STEPS, 1)
    ]
    commands = re.findall(r"^     (.+)$", done.stdout, re.MULTILINE)
    (machine.folder / "signed-out").unlink()
    script = f'courtly() {{ {sys.executable} -m adjudicator "$@"; }}\n' + "\n".join(commands)
    env = {**os.environ, **machine.environment, "PYTHONPATH": str(ROOT)}
    typed = subprocess.run(
        ["bash", "-ec", script], cwd=machine.root, env=env, capture_output=True, text=True, check=False
    )
    assert typed.returncode == 0, typed.stdout + typed.stderr
    by_hand = state(machine.github)
    (tmp_path / "other").mkdir()
    other = Machine(tmp_path / "other")
    assert other.init().exit_code == 0
    assert by_hand == state(other.github)
    other.github.stop()
    assert MASTER.search(machine.secret) is not None
    again = machine.init()
    assert (again.exit_code, again.stdout.count("done already: ")) == (0, len(STEPS)), again.output


def test_following_the_page_for_groups_by_hand_does_the_same(machine: Machine, tmp_path: Path) -> None:
    """H3-0, H3-10. The commands of the page, with a policy that may allow more events than intake starts on today."""
    page = (ROOT / "site_src/group.md").read_text(encoding="utf-8")
    (block,) = [
        one for one in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL) if "gh repo create" in one
    ]
    done = machine.courtly("init", "--repository", OWNER, "--from", FROM)
    assert done.exit_code == 0, done.output
    script = f'courtly() {{ {sys.executable} -m adjudicator "$@"; }}\n{re.sub("^[$] ", "", block, flags=re.MULTILINE)}'
    env = {**os.environ, **machine.environment, "PYTHONPATH": str(ROOT)}
    typed = subprocess.run(
        ["bash", "-ec", script], cwd=machine.root, env=env, capture_output=True, text=True, check=False
    )
    assert typed.returncode == 0, typed.stdout + typed.stderr
    (tmp_path / "other").mkdir()
    other = Machine(tmp_path / "other")
    assert other.init().exit_code == 0
    (rule,) = machine.github.policies[0]["rules"]
    allowed = rule["parameters"]["allowed_events"]
    assert set(EVENTS) <= set(allowed) <= {"issues", "pull_request_target"}
    rule["parameters"]["allowed_events"] = list(EVENTS)
    assert state(machine.github) == state(other.github)
    other.github.stop()
    assert machine.init().stdout.count("done already: ") == len(STEPS)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_pages_external_clock_starts_adjudicate(machine: Machine) -> None:
    """H3-11."""
    page = (ROOT / "site_src/group.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^[0-9,]+ \* \* \* \* (curl .*)$", page, re.MULTILINE)
    machine.github.set_all(EVENTS)
    (machine.folder / "courtly-token").write_text("Authorization: Bearer github_pat_x\n")
    here = line.replace("https://api.github.com", machine.github.address).replace("/home/anna", str(machine.folder))
    typed = subprocess.run(["bash", "-c", here], capture_output=True, text=True, check=False)
    assert (typed.returncode, typed.stdout, typed.stderr) == (0, "", "")
    assert machine.github.tokens == {"Bearer github_pat_x"}
    assert machine.github.calls == ["POST /actions/workflows/adjudicate.yml/dispatches after the push"]
    machine.github.refusals.append(lambda verb, path: (401, "Bad credentials"))
    assert subprocess.run(["bash", "-c", here], capture_output=True, check=False).returncode != 0, "cron sends a mail"


def test_a_missing_gh_is_reported(machine: Machine) -> None:
    (machine.folder / "bin/gh").unlink()
    git_folder = Path(shutil.which("git") or "").parent
    if (git_folder / "gh").exists():
        (machine.folder / "bin/git").symlink_to(git_folder / "git")
        machine.environment["PATH"] = str(machine.folder / "bin")
    done = machine.init()
    assert done.exit_code == 1
    assert "the program gh (https://cli.github.com) is not installed. Do this by hand, in this order" in done.stdout
    assert "gh repo create anna/our-games --public" in done.stdout


def test_a_private_repository_is_private(machine: Machine) -> None:
    assert machine.init("--private").exit_code == 0
    assert machine.github.repo is not None
    assert machine.github.repo["private"] is True


def test_the_result_can_be_json(machine: Machine) -> None:
    machine.refuse("POST", r"^/pages$", 403)
    done = CliRunner().invoke(
        main, ["--json", "-C", str(machine.root), "init", "--repository", OWNER, "--from", FROM, "--github"],
        env={**machine.environment, "COURTLY_MASTER_FILE": None},
    )  # fmt: skip
    written, told = map(json.loads, done.stdout.splitlines())
    assert "games/archive.yaml" in written["written"]
    assert (told["touched"], told["site"]) == (True, "https://anna.github.io/our-games/")
    states = {one["step"]: one["state"] for one in told["steps"]}
    assert states == {
        **{step.name: "done" for step in STEPS}, "actions": "already", "pages": "missing", "site": "missing",
    }  # fmt: skip
    assert done.exit_code == 1


# The secret -----------------------------------------------------------------------------------------------------------


def test_a_given_master_secret_is_used(machine: Machine) -> None:
    """All its lines, without the rest of the file; and no new file is made."""
    lines = [f"courtly-master-1-{digit * 64}" for digit in "ab"]
    path = machine.folder / "keys.txt"
    path.write_text(f"# new\n{lines[0]}\n# old\n{lines[1]}\n")
    done = machine.init(COURTLY_MASTER_FILE=str(path))
    assert done.exit_code == 0, done.output
    assert machine.secret.split() == lines
    assert not (machine.folder / "our-games-master.txt").exists()
    assert "done   secret: set, from COURTLY_MASTER_FILE\n" in done.stdout
    # It is not in any environment either.
    assert [call["environment"] for call in machine.calls() if call["environment"]] == []


def test_a_master_secret_made_as_init_proposes_is_used(machine: Machine) -> None:
    """Otherwise `courtly new` would use one secret, and GitHub another."""
    (machine.folder / "master.txt").write_text(f"# mine\n{OLD}\n")
    done = machine.init()
    assert done.exit_code == 0, done.output
    assert machine.secret == OLD
    assert f"for `courtly new`: export COURTLY_MASTER_FILE={machine.folder}/master.txt\n" in done.stdout
    assert not (machine.folder / "our-games-master.txt").exists()


def test_a_master_secret_in_a_variable_is_kept_from_programs_that_init_runs(machine: Machine) -> None:
    done = machine.init(COURTLY_MASTER="courtly-master-1-" + "c" * 64)
    assert done.exit_code == 0, done.output
    assert machine.secret == "courtly-master-1-" + "c" * 64
    assert [call["environment"] for call in machine.calls() if call["environment"]] == []
    assert "c" * 64 not in done.output


def test_running_games_under_another_secret_stop_the_setup(machine: Machine) -> None:
    """H3-10. A new secret on GitHub would stop them at their deadline."""
    old = machine.folder / "old.txt"
    old.write_text(OLD)
    begun = machine.courtly("new", "summer", "--sealed", "--turn", "2d", COURTLY_MASTER_FILE=str(old))
    assert begun.exit_code == 0, begun.output
    (machine.root / "games/archive.yaml").write_text(
        (machine.root / "games/archive.yaml").read_text() + f"repository: {OWNER}\n"
    )
    without = machine.init()
    assert (
        f"wrong  secret: games/summer: the game is sealed, but its master secret {NAME} is not available; name the file that has it"
        in without.stdout
    )
    assert not (machine.folder / "our-games-master.txt").exists()
    other = machine.init(COURTLY_MASTER="courtly-master-1-" + "6b" * 32)
    assert (
        f"wrong  secret: games/summer: the game is sealed, but its master secret {NAME} is not available; name the file that has it"
        in other.stdout
    )
    assert machine.github.secrets == {}
    assert machine.init(COURTLY_MASTER_FILE=str(old)).exit_code == 0
    assert machine.secret == OLD


def test_a_master_secret_in_the_folder_is_not_pushed(machine: Machine) -> None:
    machine.root.mkdir()
    (machine.root / "notes.md").write_text(OLD)
    done = machine.init()
    assert (
        "wrong  commit: notes.md contains a master secret, in a folder that git publishes: move it out; " in done.stdout
    )
    assert machine.github.head == ""
    assert "5a5a" not in done.output


def test_no_secret_or_terminal_command_that_gh_prints_is_repeated(machine: Machine) -> None:
    assert machine.init().exit_code == 0
    (machine.folder / "garbage").touch()
    done = machine.init()
    assert done.exit_code == 1
    assert "panic: courtly-master-1-..." in done.stdout
    assert "5a5a" not in done.output
    assert "\x1b" not in done.output


# Things that already exist --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"permissions": {"admin": False}}, "it belongs to somebody else; sign in as its owner with `gh auth login`, or name another repository"),
        ({"full_name": "anna/new-name"}, "it is now called anna/new-name; name it with --repository"),
    ],
)  # fmt: skip
def test_a_repository_that_does_not_belong_to_the_host_is_left_alone(
    machine: Machine, more: dict[str, Any], said: str
) -> None:
    machine.github.make(**more)
    done = machine.init()
    assert f"wrong  repository: {said}\n" in done.stdout
    assert [call for call in machine.github.calls if not call.startswith("GET")] == []


def test_settings_that_a_host_changed_are_corrected_or_reported(machine: Machine) -> None:
    """An environment that GitHub made, Pages from a branch, our policy with fewer events, Actions off."""
    machine.github.make()
    machine.github.environments["courtly"] = {"id": 1, "name": "courtly", "deployment_branch_policy": None}
    machine.github.branches["courtly"] = []
    machine.github.pages = {"url": "x", "build_type": "legacy", "html_url": "https://games.example/"}
    machine.github.policies = [policy(("push",), id=3, name="courtly intake")]
    machine.github.actions = {"enabled": False}
    done = machine.init()
    assert done.exit_code == 0, done.output
    assert machine.github.environments["courtly"]["deployment_branch_policy"]["custom_branch_policies"] is True
    assert [one["name"] for one in machine.github.branches["courtly"]] == ["main"]
    assert machine.github.pages["build_type"] == "workflow"
    assert machine.github.policies == [{"id": 3, **policy_body(EVENTS)}]
    assert machine.github.actions == {"enabled": True}
    assert "fine   repository: done already: https://github.com/anna/our-games, public\n" in done.stdout


def test_other_branches_of_the_environment_stay_and_the_secret_is_withheld(machine: Machine) -> None:
    machine.github.make()
    limit = {"protected_branches": False, "custom_branch_policies": True}
    machine.github.environments["courtly"] = {"id": 1, "name": "courtly", "deployment_branch_policy": limit}
    machine.github.branches["courtly"] = [{"id": 7, "name": "release/*", "type": "branch"}]
    done = machine.init()
    assert "wrong  environment: main and release/* can use the environment courtly; by hand: Settings ›" in done.stdout
    assert "wrong  secret: needs environment first; run this again after that\n" in done.stdout
    assert machine.github.secrets == {}


def nested(machine: Machine) -> None:
    git(machine.folder, "init", "--quiet")


def elsewhere(machine: Machine) -> None:
    machine.root.mkdir()
    git(machine.root, "init", "--quiet", "-b", "main")
    git(machine.root, "remote", "add", "origin", "https://github.com/ben/games.git")


def on_another_branch(machine: Machine) -> None:
    machine.root.mkdir()
    git(machine.root, "init", "--quiet", "-b", "trunk")
    git(machine.root, "commit", "--quiet", "--allow-empty", "-m", "x")


def ahead(machine: Machine) -> None:
    machine.github.set_all(EVENTS)


def nameless(machine: Machine) -> None:
    for name in list(machine.environment):
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")):
            del machine.environment[name]
    machine.environment |= {
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_1": "user.useConfigOnly",
        "GIT_CONFIG_VALUE_1": "true",
    }


def no_workflow_scope(machine: Machine) -> None:
    """The remote refuses workflows, as GitHub does for a token without that scope."""
    said = (
        "refusing to allow an OAuth App to create or update workflow `.github/workflows/a.yml` without `workflow` scope"
    )
    hook = machine.github.remote / "hooks/update"
    hook.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    hook.chmod(0o755)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (nested, "wrong  commit: this folder is inside another repository, FOLDER; GitHub looks for workflows only at the top of a repository: move this folder out of that one"),
        (elsewhere, "wrong  push: origin points to another repository; `git remote set-url origin https://github.com/anna/our-games.git`"),
        (on_another_branch, "wrong  commit: git is on trunk, but the archive's branch is main; `git switch main`, or `git branch -m main`"),
        (ahead, "GitHub has commits that are not here: `git pull --rebase origin main`, then run this again"),
        (nameless, 'tell git who commits: `git config --global user.name "..."`, and `user.email`'),
        (no_workflow_scope, "let gh push workflows: `gh auth refresh --hostname github.com --scopes workflow`"),
    ],
)  # fmt: skip
def test_obstacles_to_the_push_are_reported(machine: Machine, before: Callable[[Machine], None], said: str) -> None:
    before(machine)
    head = machine.github.head
    done = machine.init()
    assert done.exit_code == 1
    assert said.replace("FOLDER", str(machine.folder)) in done.stdout
    assert machine.github.head == head


def test_existing_files_stay_uncommitted_and_a_later_init_is_pushed(machine: Machine) -> None:
    assert machine.init().exit_code == 0
    (machine.root / "notes.md").write_text("half a thought")
    (machine.root / ".github/workflows/pages.yml").write_text("old")
    git(machine.root, "commit", "--quiet", "--all", "-m", "old")
    # A copy that an older courtly made and nobody committed: it is removed.
    (machine.root / "site_src/desk.html").write_bytes((ROOT / "site_src/desk.html").read_bytes())
    done = machine.init("--verbose")
    assert done.exit_code == 0, done.output
    assert "wrote .github/workflows/pages.yml\nremoved site_src/desk.html\n" in done.stdout
    shown = git(machine.github.remote, "show", "--format=%s", "--name-only", "main").decode().split("\n")
    assert shown == ["Bring the files of courtly up to date", "", ".github/workflows/pages.yml"]
    assert git(machine.root, "status", "--porcelain") == b"?? notes.md"


def test_without_a_repository_name_init_asks_for_one_and_writes_nothing(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["-C", str(tmp_path), "init", "--from", FROM, "--github"])
    assert done.exit_code == 1
    assert done.stderr == (
        "error: it is not known which repository on GitHub is meant; name it as OWNER/NAME, or under `repository:` in "
        "games/archive.yaml\n"
    )
    assert list(tmp_path.iterdir()) == []


PUBLISHED = Path(os.environ.get("COURTLY_GITHUB", "/nowhere"))


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="nox -s github fetches what GitHub publishes")
def test_every_call_and_answer_matches_githubs_description(machine: Machine) -> None:
    """Except Actions policies, which GitHub's description (@octokit/openapi 23.0.2) does not have yet."""
    for _ in range(2):
        assert machine.init().exit_code == 0
    machine.courtly("doctor", "--github", "--at", "2026-11-26T12:00Z")
    machine.github.pages = {"url": "x", "html_url": "https://anna.github.io/our-games/", "build_type": "legacy"}
    machine.github.actions["enabled"] = False
    machine.github.branches["courtly"] = [{"id": 1, "name": "main", "type": "branch"}]
    machine.github.environments["courtly"]["deployment_branch_policy"] = None
    assert machine.init().exit_code == 0
    calls = machine.github.exchanges
    github = description(PUBLISHED)
    shown = {f"{call.method} {call.path} {call.status}: {fault}" for call in calls for fault in github.faults(call)}
    # Every call answers 404 for a missing thing; the description does not list 404 for these.
    place = "/environments/courtly"
    absent = (place, f"{place}/secrets/COURTLY_MASTER", "/actions/secrets/COURTLY_MASTER")
    silent = {f"GET {path} 404: it does not answer 404" for path in absent}
    assert sorted(shown - silent) == []
    asked = {(call.method, call.path.partition("?")[0]) for call in calls}
    known = [(verb, pattern) for verb, pattern, _ in ROUTES if "policies" not in pattern or "deployment" in pattern]
    unused = [one for one in known if not any(one[0] == verb and re.fullmatch(one[1], path) for verb, path in asked)]
    assert unused == [("GET", r"/environments/([^/]+)/secrets/public-key")], "which the real gh asks for"
    print(f"{len(calls)} calls of {len(known) - 1} kinds agree with GitHub's description")


@pytest.mark.skipif(shutil.which("gh") is None, reason="the program gh itself is not installed")
def test_the_real_gh_accepts_our_calls(machine: Machine) -> None:
    """The real one, through a socket that answers as GitHub; only the push goes by git."""
    socket = machine.folder / "socket"
    server = socketserver.ThreadingUnixStreamServer(str(socket), machine.github.handler)
    machine.github.start(server)
    config = machine.folder / "config"
    config.mkdir()
    (config / "config.yml").write_text(f"http_unix_socket: {socket}\ngit_protocol: https\n")
    (machine.folder / "bin/gh").unlink()
    machine.environment |= {"GH_CONFIG_DIR": str(config), "GH_TOKEN": "gho_x"}
    done = machine.init()
    server.shutdown()
    server.server_close()
    assert done.exit_code == 0, done.output
    assert machine.steps(done) == {step.name: "done" for step in STEPS} | {"actions": "fine"}
    assert list(machine.github.secrets) == ["courtly/COURTLY_MASTER"]
    assert machine.github.policies == [{"id": 41, **policy_body(EVENTS)}]
