"""Set up a group's repository on GitHub with the program `gh`: everything that GitHub needs, in the necessary order.

Settings come before the first push: the push starts workflows, and a job that names a missing environment creates it, open to every branch.
Each step first checks if it is done, so the whole setup can be run again. If a step fails, it explains what to do by hand, and the others
go on.
The master secret goes to `gh` through its standard input, and nowhere else.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import Any, Literal

from adjudicator.ci import settings
from adjudicator.ci.settings import ENVIRONMENT, SECRET, SITE, Finding, Wanted, fine, wrong
from adjudicator.core.files.places import is_there, read_named
from adjudicator.core.game.archive import Archive, enclosing_repository
from adjudicator.core.game.repository import git, git_environment
from adjudicator.core.jobs.doctor import SPILT, spilt
from adjudicator.core.jobs.guard import missing_masters
from adjudicator.core.secrets.masters import (
    FILE_VARIABLE,
    MASTER,
    VARIABLE,
    Masters,
    keep,
    master_file,
    masters_from,
    new_master,
    read_masters,
)
from adjudicator.core.text.problems import Problems, plain, problem

POLICY = "courtly intake"
"""The name of the Actions policy that is created."""
ANSWER = re.compile(r"HTTP/\S+ (\d{3})[^\n]*\n(?:[^\r\n][^\n]*\n)*\r?\n?", re.ASCII)
"""The head that `gh api --include` prints before an answer's body."""
TRIES = 5
"""Number of attempts to start the workflow that was just pushed: GitHub needs a few seconds to notice it."""
WORTH_ANOTHER = frozenset({404, 409, 422})
"""Statuses of a refused setting that are worth another try once the files have been pushed."""
KEPT_OUT = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GH_FORCE_TTY", "CLICOLOR_FORCE", "GH_DEBUG", "DEBUG")


class Refused(Exception):
    """A step that failed: the reason, in words; GitHub's status, if any; the remedy, if it is not the step's page."""

    def __init__(self, what: str, status: int = 0, right: str = "") -> None:
        super().__init__(what)
        self.what, self.status, self.right = what, status, right


@dataclass(frozen=True, slots=True)
class Gh:
    """The programs `gh` and git, run for one repository; their environment contains none of the archive's secrets."""

    repository: str
    environment: Mapping[str, str]

    @classmethod
    def of(cls, repository: str, environment: Mapping[str, str]) -> Gh:
        """A `Gh` for a repository; it uses `environment` without the archive's secrets, and without variables that would disturb the programs."""
        kept = {k: v for k, v in environment.items() if not k.startswith("COURTLY_") and k not in KEPT_OUT}
        quiet = {"GH_HOST": "github.com", "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1", "NO_COLOR": "1"}
        return cls(repository, kept | quiet | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"})

    def lacking(self) -> str:
        """Why `gh` cannot be used here; empty if it can."""
        if which("gh", path=self.environment.get("PATH")) is None:
            return "the program gh (https://cli.github.com) is not installed"
        # Not `gh auth status`, which also fails if another of several accounts has expired.
        signed_in = self.run("auth", "token", "--hostname", "github.com").returncode == 0
        return "" if signed_in else "gh is not signed in (run `gh auth login`)"

    def token(self) -> str:
        """The token in the environment, or else the one that `gh` signed in with; empty if there is none."""
        if given := self.environment.get("GITHUB_TOKEN") or self.environment.get("GH_TOKEN"):
            return given
        if which("gh", path=self.environment.get("PATH")) is None:
            return ""
        done = self.run("auth", "token", "--hostname", "github.com")
        return done.stdout.strip() if done.returncode == 0 else ""

    def run(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run `gh` with these words; returns its output and exit status."""
        return self._run(["gh", *words], stdin)

    def git(self, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
        """Run git in a folder with `repository.git`; when it contacts GitHub, it is signed in like `gh`."""
        helper = "credential.https://github.com.helper"
        environment = git_environment(self.environment, fetching=True, as_user=True)
        done = git(root, "-c", f"{helper}=", "-c", f"{helper}=!gh auth git-credential", *words, environment=environment)
        said, faults = (out.decode("utf-8", "replace") for out in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, said, faults)

    def _run(self, words: Sequence[str], stdin: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - fixed words, and names that were checked
            words,
            input=stdin,
            env=dict(self.environment),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )

    def ask(self, path: str) -> tuple[int, Any]:
        """Status and JSON of a GET of `path` below the repository; raises `Problems` if there is no answer."""
        return self.call("GET", path)

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and JSON of one call; raises `Problems` if there is no answer."""
        words = ["api", "--include", "--method", method, f"repos/{self.repository}{path}"]
        more = ("--input", "-") if body is not None else ()
        done = self.run(*words, *more, stdin=json.dumps(body) if more else "")
        if (head := ANSWER.match(done.stdout)) is None:
            raise problem("", f"GitHub does not answer: {last_line(done.stderr)}", "try again later")
        try:
            text = done.stdout[head.end() :]
            return int(head[1]), json.loads(text) if text.strip() else None
        except ValueError:
            raise problem("", "GitHub's answer is not JSON", "try again later") from None

    def must(self, method: str, path: str, body: Any, *fine: int) -> int:
        """Make a call that must answer with one of these statuses; raises `Refused` with GitHub's reason."""
        status, data = self.call(method, path, body)
        if status not in fine:
            said = data.get("message") if isinstance(data, dict) else None
            raise Refused(f"GitHub answers {status}{f' ({plain(str(said))[:200]})' if said else ''}", status)
        return status


def last_line(text: str) -> str:
    """The last line of a program's output, shortened, and without any master secret."""
    lines = [line for line in text.splitlines() if line.strip()]
    return MASTER.sub("courtly-master-1-...", plain(lines[-1].strip())[:300]) if lines else "it said nothing"


# The steps ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Setup:
    """The data that the steps work with."""

    gh: Gh
    archive: Archive
    wanted: Wanted
    private: bool
    written: Sequence[str]
    """Files that `init` has just written or removed."""
    secrets: Mapping[str, str]
    """The environment that may give the master secret."""
    wait: float = 2.0
    """Seconds before another attempt to start the new workflow."""
    repo: Mapping[str, Any] = field(default_factory=dict)
    """GitHub's answer about the repository; empty if it does not exist."""

    @property
    def root(self) -> Path:
        """The archive's folder."""
        return self.archive.root

    def git(self, *words: str) -> str:
        """Run git, and return its output; raises `Refused` with the last line of git's error output."""
        done = self.gh.git(self.root, *words)
        if done.returncode:
            raise Refused(f"git {words[0]}: {last_line(done.stderr)}", right=advice(done.stderr))
        return done.stdout.strip()


ADVICE = (
    ("`workflow` scope", "let gh push workflows: `gh auth refresh --hostname github.com --scopes workflow`"),
    ("tell me who you are", 'tell git who commits: `git config --global user.name "..."`, and `user.email`'),
    ("unable to auto-detect email", 'tell git who commits: `git config --global user.name "..."`, and `user.email`'),
    ("[rejected]", "GitHub has commits that are not here: `git pull --rebase origin main`, then run this again"),
    (
        "publickey",
        "git has no SSH key for GitHub: `gh config set git_protocol https`, `git remote remove origin`, then run this again",
    ),
)
"""Git's words when it fails -> the remedy."""


def advice(said: str) -> str:
    """The remedy for git's message; empty if none is known."""
    return next((right for words, right in ADVICE if words in said), "")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the setup on GitHub: how to check it, to do it, and to do it by hand."""

    name: str
    look: Callable[[Setup], Finding]
    """Check whether it is already done."""
    do: Callable[[Setup], str]
    """Do it, and return a description of the result; raises `Refused` or `Problems`."""
    page: str
    """The page for doing it by hand; `{branch}` and `{events}` are replaced by the archive's."""
    hand: Callable[[Plan], Sequence[str]]
    """The commands that do it."""
    needs: tuple[str, ...] = ("repository",)

    def place(self, archive: Wanted | Plan) -> str:
        """The page for doing it by hand for an archive, in words."""
        return self.page.format(branch=archive.branch, events=" and ".join(archive.events))


@dataclass(frozen=True, slots=True)
class Plan:
    """The names to fill into the commands that people type."""

    repository: str
    private: bool
    branch: str
    events: tuple[str, ...]
    master: str
    """The file that keeps the master secret."""
    fresh: bool
    """True if that file has to be created."""


def _setting(check: Callable[..., Finding]) -> Callable[[Setup], Finding]:
    return lambda setup: check(setup.gh, setup.wanted, setup.repo)


def _api(plan: Plan, method: str, path: str, body: Any = None) -> str:
    words = f"gh api --method {method} repos/{plan.repository}{path}"
    return words if body is None else f"echo {shlex.quote(json.dumps(body))} | {words} --input -"


def _look_repository(setup: Setup) -> Finding:
    status, data = setup.gh.ask("")
    if status == 401:
        raise Refused("GitHub no longer accepts gh's sign-in", status, "run `gh auth login`")
    if status != 200 or not isinstance(data, dict):
        return wrong("there is none")
    setup.repo = data
    if str(data.get("full_name", "")).lower() != setup.wanted.repository.lower():
        raise Refused(f"it is now called {plain(str(data.get('full_name')))[:140]}", right="name it with --repository")
    if (data.get("permissions") or {}).get("admin") is not True:
        raise Refused(
            "it belongs to somebody else", right="sign in as its owner with `gh auth login`, or name another repository"
        )
    kind = "private" if data.get("private") else "public"
    return fine(f"https://github.com/{setup.wanted.repository}, {kind}")


def _make_repository(setup: Setup) -> str:
    kind = "private" if setup.private else "public"
    done = setup.gh.run("repo", "create", setup.wanted.repository, f"--{kind}")
    if done.returncode:
        raise Refused(last_line(done.stderr))
    if not _look_repository(setup).ok:
        raise Refused("it was made, but GitHub does not show it yet", right="run this again in a minute")
    return f"made https://github.com/{setup.wanted.repository}, {kind}"


LIMITED = {"deployment_branch_policy": {"protected_branches": False, "custom_branch_policies": True}}


def _make_environment(setup: Setup) -> str:
    place = f"/environments/{ENVIRONMENT}"
    status, data = setup.gh.ask(place)
    limit = data.get("deployment_branch_policy") if status == 200 and isinstance(data, dict) else None
    if not isinstance(limit, dict) or not limit.get("custom_branch_policies"):
        setup.gh.must("PUT", place, LIMITED, 200)
    # A branch that is already on the list answers 303.
    setup.gh.must("POST", f"{place}/deployment-branch-policies", {"name": setup.wanted.branch}, 200, 303)
    found = settings.environment(setup.gh, setup.wanted, setup.repo)
    if found.ok is False:  # somebody let other branches in as well; that is for them to undo
        raise Refused(found.what)
    return f"made, only for the branch {setup.wanted.branch}"


def _masters(setup: Setup) -> tuple[Masters, str]:
    """The master secrets for GitHub, and their source; if there is none, one is made and kept in a new file."""
    given = masters_from(setup.secrets)
    if given.secrets:
        return given, f"from {VARIABLE if setup.secrets.get(VARIABLE) else FILE_VARIABLE}"
    path = master_place(setup.root)
    shown = min(str(path), os.path.relpath(path), key=len)
    if is_there(path):
        kept = read_masters(read_named(path, follow=True).decode("utf-8", "replace"), shown)
        if not kept.secrets:
            raise problem(shown, "there is no master secret in this file", "move it away, and run this again")
        return kept, f"from {shown}; for `courtly new`: export {FILE_VARIABLE}={shlex.quote(str(path))}"
    _fit(setup, Masters())
    if around := enclosing_repository(path):
        raise problem(shown, f"this place is inside the repository {around}", "move the archive's folder out of it")
    body, name = master_file(new_master())
    keep(path, body)
    said = f"made and kept in {shown}, its name is {name}: keep a copy, because sealed games cannot go on if it is lost"
    return read_masters(body, shown), f"{said}; for `courtly new`: export {FILE_VARIABLE}={shlex.quote(str(path))}"


def master_place(root: Path) -> Path:
    """Path of the archive's master secret, existing or new: beside its folder, and outside every repository."""
    path = root.parent / f"{root.name}-master.txt"
    if not is_there(path) and is_there(root.parent / "master.txt"):  # as `init` proposes it to those who create one
        path = root.parent / "master.txt"
    while (around := enclosing_repository(path)) is not None and around.parent != around:
        path = around.parent / path.name
    return path


def _fit(setup: Setup, masters: Masters) -> None:
    """Raise `Problems` unless every sealed game that runs here was opened under one of these master secrets."""
    faults = missing_masters(Archive(setup.root, masters))
    if faults:
        (fault, *_) = next(iter(faults.values()))
        raise problem(fault.path, fault.what, f"name the file that has it in {FILE_VARIABLE}, and run this again")


def _set_secret(setup: Setup) -> str:
    masters, origin = _masters(setup)
    _fit(setup, masters)
    lines = "".join(f"courtly-master-1-{secret.hex()}\n" for secret in masters.secrets)
    words = ("secret", "set", SECRET, "--env", ENVIRONMENT, "--repo", setup.wanted.repository)
    done = setup.gh.run(*words, stdin=lines)
    if done.returncode:
        raise Refused(f"{last_line(done.stderr)}; the secret is {origin}")
    return f"set, {origin}"


def _set_permission(setup: Setup) -> str:
    setup.gh.must("PUT", "/actions/permissions/workflow", {"default_workflow_permissions": "read"}, 204)
    return "read-only"


def _set_actions(setup: Setup) -> str:
    setup.gh.must("PUT", "/actions/permissions", {"enabled": True}, 204)
    found = settings.actions(setup.gh, setup.wanted, setup.repo)
    if found.ok is False:  # the owner decided which actions are allowed
        raise Refused(found.what)
    return "on"


def policy_body(events: Sequence[str]) -> dict[str, Any]:
    """The Actions policy that lets these events start intake, and applies to no other file.

    It has the shape for `POST /repos/{owner}/{repo}/actions/policies` (docs.github.com, REST, Actions policies, read on 2026-11-26).
    Without the path it would forbid all other events for every workflow.
    """
    path = f"{settings.FOLDER}/{settings.INTAKE}"
    return {
        "name": POLICY,
        "enforcement": "active",
        "conditions": {"workflow_path": {"include": [path], "exclude": []}},
        "rules": [{"type": "restrict_action_events", "parameters": {"allowed_events": list(events)}}],
    }


def _set_policy(setup: Setup) -> str:
    body = policy_body(setup.wanted.events)
    there, _ = settings.policies(setup.gh)
    ours = next((one for one in there or () if one.get("name") == POLICY), None)
    if ours is not None and isinstance(ours.get("id"), int):
        setup.gh.must("PUT", f"/actions/policies/{ours['id']}", body, 200)
    else:
        setup.gh.must("POST", "/actions/policies", body, 201)
    found = settings.policy(setup.gh, setup.wanted, setup.repo)
    if found.ok is False:
        raise Refused(found.what)
    return f"{', '.join(setup.wanted.events)} may start {settings.INTAKE}"


def _set_pages(setup: Setup) -> str:
    status = setup.gh.must("POST", "/pages", {"build_type": "workflow"}, 201, 409)
    if status == 409:
        setup.gh.must("PUT", "/pages", {"build_type": "workflow"}, 204)
    return "published by the workflow"


def _top(setup: Setup) -> Path | None:
    """The repository around the archive's folder, if there is one."""
    done = setup.gh.git(setup.root, "rev-parse", "--show-toplevel")
    return Path(done.stdout.strip()) if done.returncode == 0 else None


def _head(setup: Setup) -> str:
    """The commit at HEAD; empty before the first commit."""
    done = setup.gh.git(setup.root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    return done.stdout.strip() if done.returncode == 0 else ""


def _look_commit(setup: Setup) -> Finding:
    top = _top(setup)
    if top is None:
        return wrong("this folder is not a git repository yet")
    if os.path.normcase(top.resolve()) != os.path.normcase(setup.root.resolve()):
        right = "GitHub looks for workflows only at the top of a repository: move this folder out of that one"
        raise Refused(f"this folder is inside another repository, {plain(str(top))}", right=right)
    branch = setup.gh.git(setup.root, "symbolic-ref", "--quiet", "--short", "HEAD").stdout.strip()
    if branch != setup.wanted.branch and _head(setup):
        right = f"`git switch {setup.wanted.branch}`, or `git branch -m {setup.wanted.branch}`"
        raise Refused(
            f"git is on {plain(branch) or 'no branch'}, but the archive's branch is {setup.wanted.branch}", right=right
        )
    if not _head(setup) or _changed(setup):
        return wrong("not committed")
    return fine(f"everything is in {_head(setup)[:12]}")


def _changed(setup: Setup) -> list[str]:
    """The files that `init` wrote or removed and whose change is not committed."""
    return [name for name in setup.written if setup.git("status", "--porcelain", "--", name)]


def _commit(setup: Setup) -> str:
    if _top(setup) is None:
        setup.git("init", "--quiet", "-b", setup.wanted.branch)
    first = not _head(setup)
    if first:
        setup.git("symbolic-ref", "HEAD", f"refs/heads/{setup.wanted.branch}")
    if files := list(spilt(setup.root)):
        raise Refused(f"{files[0]} {SPILT.partition(';')[0]}", right="then run this again")
    files = ["."] if first else _changed(setup)
    setup.git("add", "--all", "--", *files)
    message = "Begin the archive" if first else "Bring the files of courtly up to date"
    setup.git("commit", "--quiet", "--message", message, *([] if first else ["--", *files]))
    return f"{_head(setup)[:12]}: {message}"


REMOTE = re.compile(r"(?:https://(?:[^@/]*@)?|ssh://git@|git@)github\.com[:/](.+?)(?:\.git)?/?", re.ASCII)


def _look_push(setup: Setup) -> Finding:
    done = setup.gh.git(setup.root, "config", "--get", "remote.origin.url")
    if url := done.stdout.strip():
        there = REMOTE.fullmatch(url)
        if there is None or there[1].lower() != setup.wanted.repository.lower():
            right = f"`git remote set-url origin {_url(setup)}`"
            raise Refused("origin points to another repository", right=right)
    status, data = setup.gh.ask(f"/branches/{setup.wanted.branch}")
    commit = data.get("commit") if status == 200 and isinstance(data, dict) else None
    sha = commit.get("sha") if isinstance(commit, dict) else None
    if url and sha and sha == _head(setup):
        return fine(f"{setup.wanted.branch} is the same on GitHub as here")
    return wrong("not pushed")


def _url(setup: Setup) -> str:
    protocol = setup.gh.run("config", "get", "git_protocol", "--host", "github.com").stdout.strip()
    start = "git@github.com:" if protocol == "ssh" else "https://github.com/"
    return f"{start}{setup.wanted.repository}.git"


def _push(setup: Setup) -> str:
    if not setup.gh.git(setup.root, "config", "--get", "remote.origin.url").stdout.strip():
        setup.git("remote", "add", "origin", _url(setup))
    setup.git("push", "--quiet", "--set-upstream", "origin", f"HEAD:refs/heads/{setup.wanted.branch}")
    return f"to {setup.wanted.branch}"


def _look_site(setup: Setup) -> Finding:
    status, data = setup.gh.ask(f"/actions/workflows/{SITE}/runs?per_page=1")
    runs = data.get("workflow_runs") if status == 200 and isinstance(data, dict) else None
    last = runs[0] if isinstance(runs, list) and runs and isinstance(runs[0], dict) else {}
    well = last.get("status") != "completed" or last.get("conclusion") == "success"
    if last and well and last.get("head_sha") == _head(setup):
        return fine(f"{SITE} has run, or is running")
    return wrong(f"{SITE} has not run")


def _start_site(setup: Setup) -> str:
    for left in reversed(range(TRIES)):
        try:
            setup.gh.must("POST", f"/actions/workflows/{SITE}/dispatches", {"ref": setup.wanted.branch}, 200, 204)
            break
        except Refused as error:
            if not left or error.status not in WORTH_ANOTHER:
                raise
            time.sleep(setup.wait)
    return f"{SITE} was started"


STEPS: tuple[Step, ...] = (
    Step(
        "repository", _look_repository, _make_repository, "https://github.com/new, without any file in it",
        lambda p: [f"gh repo create {p.repository} --{'private' if p.private else 'public'}"], needs=(),
    ),
    Step(
        "environment", _setting(settings.environment), _make_environment,
        f"Settings › Environments › New environment: {ENVIRONMENT}; there Deployment branches and tags › "
        "Selected branches and tags › {branch}",
        lambda p: [
            _api(p, "PUT", f"/environments/{ENVIRONMENT}", LIMITED),
            _api(p, "POST", f"/environments/{ENVIRONMENT}/deployment-branch-policies", {"name": p.branch}),
        ],
    ),
    Step(
        "secret", _setting(settings.secret), _set_secret,
        f"Settings › Environments › {ENVIRONMENT} › Add environment secret: {SECRET}, "
        "with the line that begins with courtly-master-1-",
        lambda p: [
            *([f"courtly keygen --master -o {shlex.quote(p.master)}"] if p.fresh else []),
            f"gh secret set {SECRET} --env {ENVIRONMENT} --repo {p.repository} < {shlex.quote(p.master)}",
        ],
        needs=("repository", "environment"),
    ),
    Step(
        "actions", _setting(settings.actions), _set_actions, "Settings › Actions › General › Allow all actions",
        lambda p: [_api(p, "PUT", "/actions/permissions", {"enabled": True, "allowed_actions": "all"})],
    ),
    Step(
        "permissions", _setting(settings.permission), _set_permission,
        "Settings › Actions › General › Workflow permissions › Read repository contents",
        lambda p: [_api(p, "PUT", "/actions/permissions/workflow", {"default_workflow_permissions": "read"})],
    ),
    Step(
        "policy", _setting(settings.policy), _set_policy,
        f"Settings › Actions › Policies › New policy: enforcement Active, the workflow {settings.FOLDER}/{settings.INTAKE}, "
        "and there {events}",
        lambda p: [_api(p, "POST", "/actions/policies", policy_body(p.events))],
    ),
    Step(
        "pages", _setting(settings.pages), _set_pages, "Settings › Pages › Source: GitHub Actions",
        lambda p: [_api(p, "POST", "/pages", {"build_type": "workflow"})],
    ),
    Step(
        "commit", _look_commit, _commit, "in this folder",
        lambda p: [f"git init -b {p.branch}", "git add .", 'git commit -m "Begin the archive"'], needs=(),
    ),
    Step(
        "push", _look_push, _push, "in this folder",
        lambda p: [
            f"git remote add origin https://github.com/{p.repository}.git",
            f"git push --set-upstream origin {p.branch}",
        ],
        needs=("repository", "commit"),
    ),
    Step(
        "site", _look_site, _start_site, "Actions › pages › Run workflow",
        lambda p: [f"gh workflow run {SITE} --repo {p.repository}"], needs=("push", "pages"),
    ),
)  # fmt: skip
"""In order: what GitHub needs before it sees the first file, the files, and the first run."""
SETTINGS = ("environment", "secret", "actions", "permissions", "policy", "pages")
"""Steps before the push, repeated after it if GitHub needs the files first."""


# All of them ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """The outcome of one step."""

    step: str
    state: Literal["done", "already", "later", "missing"]
    what: str
    right: str = ""

    def __str__(self) -> str:
        text = f"{self.step}: {'done already: ' if self.state == 'already' else ''}{self.what}"
        return MASTER.sub("courtly-master-1-...", plain(f"{text}; {self.right}" if self.right else text))


def set_up(setup: Setup) -> Iterator[Line]:
    """Run every step that is not done, and yield the outcome of each.

    A setting that GitHub refuses because its files are missing is tried again after the push.
    """
    well: set[str] = set()
    later: list[Step] = []
    for step in STEPS:
        line = _take(setup, step, well, later if step.name in SETTINGS else None)
        if line.state == "later":
            later.append(step)
        elif line.state != "missing":
            well.add(step.name)
        yield line
        if step.name == "push":
            for waiting in later:
                line = _take(setup, waiting, well, None)
                if line.state != "missing":
                    well.add(waiting.name)
                yield line


def _take(setup: Setup, step: Step, well: set[str], later: Sequence[Step] | None) -> Line:
    """Run one step, unless it is done. `later` has the earlier steps to try again after the push; None if this one may not join them."""
    if lacking := [name for name in step.needs if name not in well]:
        what = f"needs {' and '.join(lacking)} first"
        if later is not None and {one.name for one in later} >= set(lacking):
            return Line(step.name, "later", what)
        return Line(step.name, "missing", what, "run this again after that")
    try:
        found = step.look(setup)
        if found.ok:
            return Line(step.name, "already", found.what)
        return Line(step.name, "done", step.do(setup))
    except Refused as error:
        if later is not None and error.status in WORTH_ANOTHER:
            return Line(step.name, "later", f"{error.what}; it will be tried again after the push")
        return Line(step.name, "missing", error.what, error.right or f"by hand: {step.place(setup.wanted)}")
    except Problems as error:
        (fault, *_) = error.problems
        what = f"{fault.path}: {fault.what}" if fault.path else fault.what
        return Line(step.name, "missing", what, fault.right or f"by hand: {step.place(setup.wanted)}")
    except OSError as error:
        what = f"{error.filename or step.name}: {error.strerror or error}"
        return Line(step.name, "missing", what, f"by hand: {step.place(setup.wanted)}")


def by_hand(plan: Plan) -> Iterator[str]:
    """The steps for those without `gh`: a numbered list of pages and of commands to copy, in order."""
    for number, step in enumerate(STEPS, 1):
        yield f"{number}. {step.name}: {step.place(plan)}"
        yield from (f"     {command}" for command in step.hand(plan))


def plan_of(wanted: Wanted, root: Path, secrets: Mapping[str, str], *, private: bool) -> Plan:
    """The names to fill into the commands, for somebody who types them in the archive's folder."""
    given = secrets.get(FILE_VARIABLE)
    master = given or os.path.relpath(master_place(root), root)
    fresh = not given and not is_there(root / master)
    return Plan(wanted.repository, private, wanted.branch, wanted.events, master, fresh)
