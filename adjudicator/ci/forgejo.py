"""The calls to Forgejo's API, with their failures in words. The API has only REST; changes to the branch are pushed with git.

Written from the published API, which every instance shows at /api/swagger (`swagger.v1.json`); each call is marked with the name of its
operation. Gaps in the documentation were filled from the source (routers, models/issues, services/convert). No call has been tested on a
real instance yet.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import LATER, Entry, Issue, Moved, Pull, trouble
from adjudicator.ci.rest import MARK, MOST_COMMITS, Rest, hash_of, receipt_in, time_of
from adjudicator.core.game.forges import FORGEJO, host_of
from adjudicator.core.game.game import Door, keepable
from adjudicator.core.game.schedule import read_time, write_time
from adjudicator.core.jobs.intake import Change
from adjudicator.core.text.problems import problem

PAGE = 50
"""Entries per page: an instance's default maximum (`MAX_RESPONSE_ITEMS`), which few change."""
PAGES = 40
"""Maximum number of pages that are read of any list."""
STATUSES = {
    "added": "added",
    "changed": "modified",
    "unchanged": "modified",
    "deleted": "removed",
    "renamed": "renamed",
    "copied": "copied",
}
"""Forgejo's word for a change -> GitHub's (services/convert/convert.go, ToChangedFile)."""
OFFERED = frozenset({"reopen", "change_title", "change_target_branch", "pull_push"})
"""Events that make a pull request eligible for intake (models/issues/comment.go). A draft is marked by its title, `WIP: ...`."""


class Forgejo(Rest):
    """A `Forge`: one repository on one instance of Forgejo.

    It pushes commits from `clone`, the clone that intake works in: Forgejo's API cannot make trees, or commits on a known parent.
    """

    doors = keepable(FORGEJO)

    def __init__(
        self, base: str, repository: str, token: str, clone: Clone, *, name: str = FORGEJO.bot, patience: float = 1.0
    ) -> None:
        headers = {"Accept": "application/json", "Authorization": f"token {token}", "User-Agent": "courtly"}
        super().__init__(FORGEJO.name, base, repository, headers, patience=patience)
        self.clone = clone
        self.name = name
        self.server = self.base.removesuffix("/api/v1")

    def _list(self, path: str, pages: int = PAGES) -> Iterator[Any]:
        """The entries of a list, page after page, until one is empty: an instance may return fewer than requested."""
        for page in range(1, pages + 1):
            items = self._read(f"{path}{'&' if '?' in path else '?'}limit={PAGE}&page={page}") or []
            yield from items
            if not items:
                return

    # Reading -------------------------------------------------------------------------------------------------------

    def request(self, number: int, door: Door) -> Pull | Issue:
        """A request as it is now, whatever an event said about it."""
        if door is Door.PULLS:
            return self._pull(self._read(f"/pulls/{number}"))  # repoGetPullRequest
        return self._issue(self._read(f"/issues/{number}"))  # issueGetIssue

    def _common(self, data: Mapping[str, Any]) -> dict[str, Any]:
        author = data.get("user") or {}
        created, updated = time_of(data["created_at"]), time_of(data["updated_at"])
        return {
            "number": int(data["number"]), "open": data.get("state") == "open", "account": max(0, int(author.get("id") or 0)),
            "login": str(author.get("login") or ""), "created": created,
            "updated": max(created, updated), "comments": int(data.get("comments") or 0),
        }  # fmt: skip

    def _pull(self, data: Mapping[str, Any]) -> Pull:
        return Pull(
            **self._common(data),
            draft=bool(data.get("draft")),
            branch=str(data["base"]["ref"]),
            head=hash_of(data["head"]["sha"]),
            files=int(data.get("changed_files") or 0),
        )

    def _issue(self, data: Mapping[str, Any]) -> Issue:
        """An issue; `own` is always false, because the API does not show who edited it."""
        text = str(data.get("body") or "")
        version = hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
        return Issue(**self._common(data), text=text, version=version, own=False, reopened=False)

    def requests(self, since: datetime) -> tuple[list[Pull | Issue], bool]:
        """All open requests that changed since a time, and true if none is missing; marks and changes are requested one by one."""
        found: dict[int, Pull | Issue] = {}
        whole = True
        start = write_time(since)
        lists = (
            ("/pulls?state=open&sort=recentupdate", Door.PULLS),  # repoListPullRequests
            (f"/issues?state=open&type=issues&since={start}", Door.ISSUES),  # issueListIssues
        )
        for path, door in lists:
            count = 0
            for data in self._list(path):
                count += 1
                made = self._pull(data) if door is Door.PULLS else self._issue(data)
                if read_time(made.updated) < since:
                    if door is Door.PULLS:
                        break
                    continue
                found.setdefault(made.number, made)
            whole = whole and count < PAGE * PAGES
        return [self._whole(made) for made in found.values()], whole

    def edited(self, since: datetime) -> list[Issue]:
        """An empty list: this forge does not show who edited an issue, so none is taken in."""
        return []

    def _whole(self, request: Pull | Issue) -> Pull | Issue:
        """A request from a list, completed with the fields that lists lack."""
        marks = self.marks(request.number) if request.comments else ()
        if isinstance(request, Issue):
            return replace(request, marks=marks)
        changes = self.changes(request)
        return replace(request, marks=marks, changes=changes, files=max(request.files, len(changes)))

    def changes(self, pull: Pull) -> tuple[Change, ...]:
        """The first files that a pull request changes; only one is allowed, so more need not be read."""
        if pull.changes is not None:
            return pull.changes
        files = self._read(f"/pulls/{pull.number}/files?limit={PAGE}") or []  # repoGetPullRequestFiles
        return tuple(Change(str(file["filename"]), STATUSES.get(str(file["status"]), "changed")) for file in files)

    def fetch(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Do nothing: Forgejo has no query for many files at once."""

    def entry(self, commit: str, path: str) -> Entry:
        """A file's entry in a commit's tree: mode, type, size, sha. The tree is walked folder by folder, to notice a link or submodule in place of a folder."""
        sha, parts = commit, path.split("/")
        for depth, part in enumerate(parts):
            entry = next((item for item in self._tree(hash_of(sha)) if item["path"] == part), None)
            if entry is None:
                raise problem("", "the file is not in the pull request's commit", "push it again")
            if depth == len(parts) - 1:
                return Entry(str(entry["mode"]), str(entry["type"]), int(entry.get("size") or 0), str(entry["sha"]))
            if entry["type"] != "tree" or entry["mode"] != "040000":
                raise problem(
                    "", f"{'/'.join(parts[: depth + 1])} is not a folder there", "leave the folders as they are"
                )
            sha = entry["sha"]
        raise AssertionError("a path has at least one part")

    def _tree(self, sha: str) -> Iterator[Mapping[str, Any]]:
        for page in range(1, PAGES + 1):
            tree = self._read(f"/git/trees/{sha}?page={page}")  # GetTree
            yield from tree.get("tree") or ()
            if not tree.get("truncated"):
                return

    def blob(self, sha: str) -> bytes:
        """A file's bytes."""
        return base64.b64decode(self._read(f"/git/blobs/{hash_of(sha)}")["content"])  # GetBlob

    def offer_times(self, pull: Pull) -> tuple[str, ...]:
        """The times, by the server's clock, when a pull request became eligible for intake; pushes are among them.

        An owner of the repository can set back the pull request's `updated_at` through the API, but not the times of pushes.
        """
        return tuple(time for kind, time in self._events(pull.number) if kind in OFFERED)

    def was_reopened(self, pull: Pull) -> bool:
        """True if somebody reopened a closed pull request."""
        return any(kind == "reopen" for kind, _ in self._events(pull.number))

    def _events(self, number: int) -> list[tuple[str, str]]:
        timeline = self._list(f"/issues/{number}/timeline")  # issueGetCommentsAndTimeline
        return [(str(one["type"]), time_of(one["created_at"])) for one in timeline if one]

    def receipt(self, branch: str, path: str, digest: str = "") -> tuple[str, dict[str, str]]:
        """The latest commit that touched a file, and name -> value of its trailers; both empty without such a commit.

        With a `digest`, the latest commit whose receipt names a file with this SHA-256: the file may have moved since.
        """
        plain = "stat=false&verification=false&files=false"
        asked = f"sha={quote(branch)}&path={quote(path)}&limit={MOST_COMMITS if digest else 1}&{plain}"
        return receipt_in(self._read(f"/commits?{asked}"), digest)  # repoGetAllCommits

    # Writing -------------------------------------------------------------------------------------------------------

    def add_file(self, *, branch: str, base: str, tree: str, path: str, body: bytes, message: str) -> str:
        """Add a file with these bytes by a commit on `base`, and push it as the branch's head; returns its hash.

        Raises `Moved` unless the branch was still at `base`: then the push, which is not forced, is refused.
        """
        if (self.clone.head, self.clone.tree, self.clone.branch) != (base, tree, branch):
            raise Moved
        commit = self.clone.add(path, body, message, self.now)
        if not self.clone.push():
            raise Moved
        return commit

    def close(self, request: Pull | Issue) -> None:
        """Close a request; does nothing if it is closed already."""
        kind, what = ("pulls", "a pull request") if isinstance(request, Pull) else ("issues", "an issue")
        # repoEditPullRequest, issueEditIssue; 412 for one that was merged, and is therefore closed.
        status, _ = self._call("PATCH", f"/{kind}/{request.number}", {"state": "closed"})
        if status not in (200, 201, 412):
            raise trouble(f"{self.forge} answers {status} for closing {what}", "see the job's permissions")

    def _own_comments(self, number: int) -> Iterator[tuple[int, str]]:
        """Courtly's comments on a request, as pairs of number and mark, oldest first."""
        for comment in self._read(f"/issues/{number}/comments") or ():  # issueGetComments: all of them, in one page
            mark = MARK.match(str(comment.get("body") or ""))
            if mark is not None and (comment.get("user") or {}).get("login") == self.name:
                yield int(comment["id"]), mark[1]

    def start(self, workflow: str, branch: str) -> None:
        """Start the workflow with this file name. Jobs need this, because what they push starts no workflow."""
        # DispatchWorkflow
        status, _ = self._call("POST", f"/actions/workflows/{workflow}/dispatches", {"ref": branch})
        if status == 404:
            what = f"this version of {self.forge} has no call that starts {workflow}, or there is no such workflow"
            raise trouble(what, f"its schedule starts it; a newer version of {self.forge} can start it at once")
        if status not in (200, 201, 204):
            raise trouble(f"{self.forge} answers {status} for starting {workflow}", LATER)

    def has_failed(self, workflow: str, branch: str) -> bool:
        """True if a workflow failed when it last ran on a branch, but not the time before: another try may help."""
        # ListActionRuns; an older instance does not know the call, or does not filter by workflow.
        path = f"/actions/runs?workflow_id={quote(workflow)}&ref={quote(f'refs/heads/{branch}', safe='')}&limit={PAGE}"
        status, data = self._call("GET", path)
        runs = (data or {}).get("workflow_runs") or () if status == 200 else ()
        ends = [run.get("status") for run in runs if run.get("workflow_id") == workflow]
        return ends[:1] == ["failure"] and ends[1:2] != ["failure"]

    def mail(self, account: int, login: str) -> str:
        """The address that identifies an account as the author of a commit; wrong if the instance uses another host for such addresses."""
        return FORGEJO.mail.format(account=account, login=login.lower(), host=host_of(self.server))
