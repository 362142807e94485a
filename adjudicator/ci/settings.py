"""The settings that a group's games need on GitHub, with a check for each.

`courtly doctor --github` runs them all; `courtly init --github` runs each before it changes the setting. GitHub's answers are read with
care: a token may not see everything, and a setting that it does not see is neither right nor wrong.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol
from urllib.parse import quote

from adjudicator.ci.github import GitHub
from adjudicator.core.game.game import Door
from adjudicator.core.game.schedule import read_time
from adjudicator.core.text.problems import Problems, plain, problem
from adjudicator.core.text.yamltext import read

ENVIRONMENT = "courtly"
"""The environment that holds the master secret; adjudicate.yml names it."""
SECRET = "COURTLY_MASTER"  # noqa: S105 - its name
INTAKE, SITE = "intake.yml", "pages.yml"
FOLDER = ".github/workflows"
BLOCKED = "pull_request_target"
"""The event that GitHub's default rule stops in public repositories."""
SINCE = "2 December 2026"
"""The day when the default rule takes effect, as docs.github.com announced it in November 2026."""
LATE = timedelta(hours=3)
"""A quarter-hourly schedule that has not run for this long is late."""
LIMITED = {
    "existing_users": "accounts that have existed for a while",
    "contributors_only": "people who contributed before",
    "collaborators_only": "collaborators",
}
"""GitHub's word for a limit of interactions -> the people it lets in."""
UNSEEN = frozenset({401, 403, 404})
"""GitHub's statuses for a token without access; 404 may also mean that the thing does not exist."""


class Asks(Protocol):
    """A way to query GitHub about one repository."""

    def ask(self, path: str) -> tuple[int, Any]:
        """Status and JSON of a GET of /repos/OWNER/NAME and `path`; raises `Problems` if there is no answer."""


class Reader(GitHub):
    """GitHub, read-only; without a token it reads as a stranger, who sees less and may make only sixty calls an hour."""

    def __init__(self, base: str, repository: str, token: str, *, patience: float = 1.0) -> None:
        super().__init__(base, repository, token, patience=patience)
        if not token:
            del self.headers["Authorization"]

    def ask(self, path: str) -> tuple[int, Any]:
        """Status and JSON of a GET of `path` below the repository."""
        return self._call("GET", path)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    ok: bool | None
    """None if it could not be checked."""
    what: str
    right: str = ""
    """The remedy; empty if none is needed."""

    def __str__(self) -> str:
        return plain(f"{self.what}: {self.right}" if self.right else self.what)


def fine(what: str) -> Finding:
    """A finding that all is well."""
    return Finding(ok=True, what=what)


def wrong(what: str, right: str = "") -> Finding:
    """A finding that something is wrong, with its remedy."""
    return Finding(ok=False, what=what, right=right)


def unseen(what: str) -> Finding:
    """A finding that the setting could not be seen: neither right nor wrong."""
    return Finding(ok=None, what=what)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The facts about an archive that its settings on GitHub must match."""

    repository: str
    branch: str
    starts: Mapping[str, tuple[str, ...]]
    """Workflow -> the events that start it."""
    at: str
    """The current time, to tell whether a schedule is late."""
    doors: tuple[Door, ...] = (Door.PULLS, Door.ISSUES)
    """The ways to send sheets that the archive accepts."""

    @property
    def events(self) -> tuple[str, ...]:
        """The events that start intake."""
        return self.starts[INTAKE]


def events_of(workflow: bytes, name: str = INTAKE) -> tuple[str, ...]:
    """The events that start a workflow, from the text of its file, in alphabetical order; raises `Problems`."""
    data = read(workflow, f"{FOLDER}/{name}").data
    events = data.get("on") if isinstance(data, dict) else None
    if isinstance(events, str):
        return (events,)
    if not events or not isinstance(events, (dict, list)):
        raise problem(f"{FOLDER}/{name}", "nothing starts this workflow", "`courtly init` writes it again")
    return tuple(sorted(map(str, events)))


# Each setting ---------------------------------------------------------------------------------------------------------


def visible(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that everybody can see the repository, and that pushes are possible."""
    if repo.get("archived"):
        return wrong(f"{wanted.repository} is archived: nothing can be pushed", "Settings › General › Unarchive")
    if repo.get("private"):
        what = f"{wanted.repository} is private: environments, Pages and minutes for schedules need a paid plan"
        return wrong(what, "Settings › General › Change visibility, or keep it private and pay")
    return fine(f"{wanted.repository} is public")


def branch(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that the archive's branch is the default one: schedules and intake run there and nowhere else."""
    there = str(repo.get("default_branch") or "")
    if there == wanted.branch:
        return fine(f"the default branch is {wanted.branch}")
    what = f"the default branch is {there}, but the archive's is {wanted.branch}: schedules run only on the default one"
    return wrong(what, "Settings › General › Default branch")


def actions(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that workflows may run, with GitHub's own actions in them."""
    status, data = asks.ask("/actions/permissions")
    if status in UNSEEN:
        return _hidden("whether Actions are on", status)
    answer = _object(data)
    if status != 200 or not answer.get("enabled"):
        return wrong("Actions are off: nothing runs", "Settings › Actions › General › Allow all actions")
    if answer.get("allowed_actions") == "local_only":
        what = "GitHub's own actions (checkout, setup-python) are not allowed: no workflow starts"
        return wrong(what, "Settings › Actions › General › Allow all actions")
    return fine("Actions are on")


def policy(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that Actions policies let intake start for strangers' pull requests, and let every workflow start on all its events.

    GitHub's default rule appears in no list; it stops `pull_request_target` in public repositories unless a policy covers it. A policy
    allows its workflows only the events that it lists; one that names no workflow applies to all.
    """
    whole, unread = policies(asks)
    if whole is None:
        return _hidden(f"whether a policy lets {INTAKE} start", unread)
    page, allowing = "Settings › Actions › Policies", ""
    for one in whole:
        name = f"the policy {one.get('name')!s:.60}"
        about = [file for file in wanted.starts if covers(one, f"{FOLDER}/{file}")]
        if one.get("enforcement") != "active":
            continue
        if INTAKE in about and list(_rules(one, "restrict_actions_actors")):
            what = f"{name} lets only some people start {INTAKE}: players' sheets are not taken in"
            return wrong(what, f"leave {FOLDER}/{INTAKE} out of it: {page}")
        for rule in _rules(one, "restrict_action_events"):
            listed = rule.get("allowed_events")
            allowed = [str(event) for event in listed] if isinstance(listed, list) else []
            for file in about:
                if missing := [event for event in wanted.starts[file] if event not in allowed]:
                    what = f"{name} does not let {_and(missing)} start {file}"
                    if file == INTAKE:
                        return wrong(what, f"add what is missing: {page}, or `courtly init --github`")
                    return wrong(what, f"limit it to {FOLDER}/{INTAKE}: {page}")
                allowing = name if file == INTAKE else allowing
    if allowing:
        return fine(f"{allowing} allows intake: {_and(wanted.events)} may start {INTAKE}")
    if unread:
        return unseen(f"a policy could not be read (GitHub answers {unread}), and no other names {INTAKE}")
    if BLOCKED not in wanted.events or repo.get("private"):
        return fine(f"{INTAKE} needs no policy: GitHub's default rule does not concern it")
    what = f"no policy allows intake: from {SINCE} GitHub stops {BLOCKED} in public repositories without one"
    return wrong(what, f"make one: {page}, or `courtly init --github`")


def policies(asks: Asks) -> tuple[list[dict[str, Any]] | None, int]:
    """The repository's complete Actions policies, None if the token may not see them; and the status for one that could not be read, or 0.

    According to GitHub's description of `GET /repos/{owner}/{repo}/actions/policies` (docs.github.com, REST, Actions policies, read on
    2026-11-26), the list leaves out conditions and rules, so each policy is requested by its number.
    """
    status, data = asks.ask("/actions/policies?per_page=100")
    if status != 200:
        return None, status
    found, unread = [], 0
    for entry in _objects(data, "policies"):
        number = entry.get("id")
        if not isinstance(number, int):
            continue
        status, whole = asks.ask(f"/actions/policies/{number}")
        if status == 200:
            found.append(_object(whole))
        else:
            unread = status
    return found, unread


def covers(policy: Mapping[str, Any], path: str) -> bool:
    """True if a policy applies to the workflow at a path; one that names no path applies to all."""
    paths = _object(_object(policy.get("conditions")).get("workflow_path"))

    def hit(globs: Any) -> bool:
        return isinstance(globs, list) and any(
            glob == "~ALL" or fnmatch.fnmatchcase(path, str(glob)) for glob in globs[:1000]
        )

    return (not paths.get("include") or hit(paths["include"])) and not hit(paths.get("exclude"))


def _rules(policy: Mapping[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """The parameters of a policy's rules of one kind."""
    for rule in _objects(policy, "rules"):
        if rule.get("type") == kind:
            yield _object(rule.get("parameters"))


def environment(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that the environment of the master secret exists, and names the archive's branch as the only one that may use it."""
    right = f"Settings › Environments › {ENVIRONMENT}: Selected branches and tags, and there only {wanted.branch}"
    status, data = asks.ask(f"/environments/{ENVIRONMENT}")
    if status == 404 and not _may_hide(repo):
        return wrong(f"there is no environment {ENVIRONMENT}", right)
    if status != 200:
        return _hidden(f"the environment {ENVIRONMENT}", status)
    limit = _object(data).get("deployment_branch_policy")
    if not isinstance(limit, dict):
        return wrong(f"every branch can read the secrets of the environment {ENVIRONMENT}", right)
    if not limit.get("custom_branch_policies"):
        what = f"the environment {ENVIRONMENT} is open to every protected branch, not only to {wanted.branch}"
        return wrong(what, right)
    status, data = asks.ask(f"/environments/{ENVIRONMENT}/deployment-branch-policies?per_page=100")
    if status != 200:
        return _hidden(f"which branches can use the environment {ENVIRONMENT}", status)
    names = sorted(
        (f"the tag {one.get('name')}" if one.get("type") == "tag" else str(one.get("name")))[:80]
        for one in _objects(data, "branch_policies")
    )
    if names == [wanted.branch]:
        return fine(f"the environment {ENVIRONMENT} is limited to the branch {wanted.branch}")
    who = _and(names[:10]) if names else "no branch"
    return wrong(f"{who} can use the environment {ENVIRONMENT}", right)


def secret(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that the environment has a master secret. GitHub shows its value to nobody."""
    status, _ = asks.ask(f"/environments/{ENVIRONMENT}/secrets/{SECRET}")
    if status == 200:
        return fine(f"the environment {ENVIRONMENT} has the secret {SECRET}")
    if status == 404 and _admin(repo):
        right = f"Settings › Environments › {ENVIRONMENT} › Add environment secret, or `courtly init --github`"
        return wrong(f"the environment {ENVIRONMENT} has no secret {SECRET}", right)
    return _hidden(f"whether the environment {ENVIRONMENT} has the secret {SECRET}", status)


def spread(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that the master secret is not *also* a secret of the whole repository, which each branch's workflows can read."""
    status, _ = asks.ask(f"/actions/secrets/{SECRET}")
    if status == 200:
        what = f"{SECRET} is also a secret of the whole repository, which every branch's workflows can read"
        return wrong(what, "remove it there: Settings › Secrets and variables › Actions")
    if status == 404 and _admin(repo):
        return fine(f"{SECRET} is not a secret of the whole repository")
    return _hidden(f"whether {SECRET} is a secret of the whole repository", status)


def permission(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that workflows may only read unless they request more."""
    status, data = asks.ask("/actions/permissions/workflow")
    if status != 200:
        return _hidden("the default permissions of workflows", status)
    if _object(data).get("default_workflow_permissions") == "read":
        return fine("workflows may only read, unless they ask for more")
    right = "Settings › Actions › General › Workflow permissions › Read repository contents"
    return wrong("workflows may write by default", right)


def pages(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that the workflow publishes the site, and report its address."""
    right = "Settings › Pages › Source: GitHub Actions"
    status, data = asks.ask("/pages")
    if status == 404 and (_admin(repo) or repo.get("has_pages") is False):
        return wrong("Pages are off: the site is not published", right)
    if status != 200:
        return _hidden("whether Pages are on", status)
    if _object(data).get("build_type") != "workflow":
        return wrong("Pages publish a branch instead of what the workflow builds", right)
    return fine(f"Pages publish what {SITE} builds: {address(wanted.repository, _object(data))}")


def address(repository: str, pages: Mapping[str, Any] | None = None) -> str:
    """The site's address: the one that GitHub gives for Pages, otherwise the default for a repository."""
    if pages and str(pages.get("html_url") or "").startswith("https://"):
        return plain(str(pages["html_url"])[:300])
    owner, _, name = repository.partition("/")
    own = name.lower() == f"{owner.lower()}.github.io"
    return f"https://{owner.lower()}.github.io/" + ("" if own else f"{name}/")


def doors(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that sheets can come in by every door that the archive opens, as far as the API shows the settings."""
    general = "Settings › General › Features"
    if Door.PULLS in wanted.doors:
        if repo.get("has_pull_requests") is False:
            yield wrong("pull requests are off: no sheet can come in that way", general)
        elif repo.get("pull_request_creation_policy") == "collaborators_only":
            yield wrong("only collaborators may open pull requests: players cannot send sheets that way", general)
        elif repo.get("allow_forking") is False and repo.get("private"):
            yield wrong("forks are not allowed: no sheet can come in by a pull request", general)
        else:
            yield fine("everybody may open pull requests")
    if Door.ISSUES in wanted.doors:
        on = repo.get("has_issues")
        yield fine("issues are on") if on else wrong("issues are off: no sheet can come in that way", general)
    status, data = asks.ask("/interaction-limits")
    limit = str(_object(data).get("limit") or "") if status == 200 else ""
    if status not in (200, 204):
        yield _hidden("whether interactions are limited", status)
    elif limit:
        until = str(_object(data).get("expires_at") or "")[:16]
        who = LIMITED.get(limit, plain(limit)[:40])
        what = f"only {who} may open pull requests and issues{f', until {until}' if until else ''}"
        yield wrong(what, "Settings › Moderation options › Interaction limits")
    else:
        yield fine("interactions are not limited")
    status, data = asks.ask("/interaction-limits/pulls/creation-cap")
    cap = _object(data)
    if status == 200 and cap.get("enabled"):
        most = cap.get("max_open_pull_requests")
        what = f"each player may have {most} pull requests open at once; each sheet takes one until intake closes it"
        yield fine(what)


def workflows(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that each workflow exists and is enabled."""
    status, data = asks.ask("/actions/workflows?per_page=100")
    if status != 200:
        yield _hidden("whether the workflows are enabled", status)
        return
    states = {str(one.get("path")): str(one.get("state")) for one in _objects(data, "workflows")}
    well = []
    for name in wanted.starts:
        state = states.get(f"{FOLDER}/{name}", "deleted")
        on = f"Actions › {name.removesuffix('.yml')} › Enable workflow, or `gh workflow enable {name}`"
        if state == "active":
            well.append(name)
        elif state == "deleted":
            yield wrong(f"{name} is not on GitHub", f"push {FOLDER}/{name} to {wanted.branch}")
        elif state == "disabled_inactivity":
            yield wrong(f"GitHub disabled {name} after 60 days without a change", on)
        else:
            yield wrong(f"{name} is disabled", on)
    if well:
        yield fine(f"enabled: {', '.join(well)}")


def ran(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Iterator[Finding]:
    """Check that the last run of each workflow with a schedule succeeded, and was not long ago."""
    for name, events in wanted.starts.items():
        if "schedule" in events:
            yield _ran(asks, wanted, name)


def _ran(asks: Asks, wanted: Wanted, name: str) -> Finding:
    found = _last_run(asks, name)
    if isinstance(found, Finding):
        return found
    begun = read_time(str(found["created_at"]))
    since = read_time(wanted.at) - begun
    when = f"{name} last ran at {str(found['created_at'])[:16]}Z"
    if failed := _failed(found):
        return wrong(f"{when}, and {failed}", f"read why: {_log(found, wanted)}")
    if since > LATE:
        hours = int(since.total_seconds() // 3600)
        what = f"{when}, {hours} hours ago: GitHub's scheduler is late or stopped"
        return wrong(what, f"`gh workflow run {name}` starts it; the page for groups shows how to use an outside clock")
    return fine(when)


def published(asks: Asks, wanted: Wanted, repo: Mapping[str, Any]) -> Finding:
    """Check that the last run of the `pages` workflow succeeded: if it failed, the site online is an older one."""
    found = _last_run(asks, SITE)
    if isinstance(found, Finding):
        return found
    when = f"{SITE} last ran at {str(found['created_at'])[:16]}Z"
    if failed := _failed(found):
        right = f"read why: {_log(found, wanted)}; then `gh workflow run {SITE}`"
        return wrong(f"{when}, and {failed}: the site is not up to date", right)
    return fine(when)


def _last_run(asks: Asks, name: str) -> Finding | dict[str, Any]:
    """The latest run of a workflow, with a readable time; otherwise a finding."""
    status, data = asks.ask(f"/actions/workflows/{quote(name)}/runs?per_page=1")
    if status != 200:
        return _hidden(f"when {name} ran last", status)
    runs = _objects(data, "workflow_runs")
    if not runs:
        return unseen(f"{name} has not run yet")
    try:
        read_time(str(runs[0].get("created_at")))
    except Problems:
        return unseen(f"{name} ran, but GitHub does not say when")
    return runs[0]


def _failed(run: Mapping[str, Any]) -> str:
    """How a run ended, if it did not succeed; empty for one that did, or that is still running."""
    end = run.get("conclusion")
    words = {"failure": "failed", "cancelled": "was cancelled", "timed_out": "ran out of time"}
    words |= {
        "startup_failure": "did not start",
        "action_required": "is waiting for an approval",
        "stale": "was given up",
    }
    return words.get(str(end), "")


def _log(run: Mapping[str, Any], wanted: Wanted) -> str:
    number = run.get("id")
    return f"https://github.com/{wanted.repository}/actions/runs/{number if isinstance(number, int) else ''}"


# All of them ----------------------------------------------------------------------------------------------------------

Check = Callable[[Asks, Wanted, Mapping[str, Any]], "Finding | Iterable[Finding]"]
CHECKS: tuple[Check, ...] = (
    *(visible, branch, actions, policy, environment, secret, spread, permission, pages, doors),
    *(workflows, ran, published),
)


def look(asks: Asks, wanted: Wanted) -> Iterator[Finding]:
    """Findings about every setting, in a fixed order; a query without an answer is a finding too."""
    try:
        status, data = asks.ask("")
    except Problems as error:
        yield unseen(f"{wanted.repository} could not be checked: {error.problems[0].what}")
        return
    if status != 200:
        right = "make it with `courtly init --github`, or give a token that sees it in GH_TOKEN"
        yield wrong(f"there is no repository {wanted.repository} that this token sees (GitHub answers {status})", right)
        return
    for check in CHECKS:
        try:
            found = check(asks, wanted, _object(data))
            yield from (found,) if isinstance(found, Finding) else found
        except Problems as error:
            yield unseen(f"{check.__name__}: could not be checked: {error.problems[0].what}")


def _hidden(what: str, status: int) -> Finding:
    """A finding that a setting could not be checked."""
    why = "without an administrator's token" if status in UNSEEN else f"(GitHub answers {status})"
    return unseen(f"{what} could not be checked {why}")


def _admin(repo: Mapping[str, Any]) -> bool:
    """True if the token is an administrator's: a 404 then means that the thing does not exist."""
    return _object(repo.get("permissions")).get("admin") is True


def _may_hide(repo: Mapping[str, Any]) -> bool:
    """True if a 404 may hide an environment: not in a public repository, nor from an administrator."""
    return bool(repo.get("private")) and not _admin(repo)


def _object(data: Any) -> dict[str, Any]:
    return data if isinstance(data, dict) else {}


def _objects(data: Any, key: str) -> list[dict[str, Any]]:
    """The objects in a list of an answer; anything else there is left out."""
    items = _object(data).get(key)
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _and(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
