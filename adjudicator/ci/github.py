"""The calls to GitHub's API, with their failures in words: REST for one request, GraphQL for many.

Answers are strangers' text until checked: numbers are read as numbers, names only compared.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from adjudicator.ci import graphql
from adjudicator.ci.forge import LATER, Entry, Issue, Moved, Pull, Spent, Trouble, trouble
from adjudicator.ci.rest import MARK, MOST_COMMITS, Rest, hash_of, receipt_in, time_of
from adjudicator.core.game.forges import GITHUB
from adjudicator.core.game.game import Door, keepable
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.intake import Change
from adjudicator.core.text.problems import Problem, Problems, plain, problem

BOT = GITHUB.bot
"""The account that a workflow's own token writes as; nobody can register a name with brackets."""
VERSION = "2022-11-28"
PAGES = 30
"""Maximum number of pages, of a hundred entries, that are read of any list."""
OPEN_PAGES = 40
"""Maximum number of pages, with `graphql.PAGE` requests each, that are read of each of the two lists of open requests."""
FILES = 25
"""Number of files per query."""
STATUSES = {"ADDED": "added", "MODIFIED": "modified", "DELETED": "removed", "RENAMED": "renamed", "COPIED": "copied"}
"""GraphQL's word for a change -> REST's."""


OFFERED = frozenset({"ready_for_review", "reopened", "base_ref_changed", "head_ref_force_pushed"})
"""GitHub's names of the events that make a pull request eligible for intake."""


class GitHub(Rest):
    """A `Forge`: one repository on GitHub.

    `name` is the account that the token writes as.
    """

    doors = keepable(GITHUB)

    def __init__(
        self, base: str, repository: str, token: str, *, query: str = "", name: str = BOT, patience: float = 1.0
    ) -> None:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "User-Agent": "courtly",
            "X-GitHub-Api-Version": VERSION,
        }
        super().__init__(GITHUB.name, base, repository, headers, patience=patience)
        self.query = query or f"{self.base}/graphql"
        self.name = name
        self.entries: dict[tuple[str, str], Entry] = {}
        """(Commit, path) -> the entry read in bulk."""
        self.blobs: dict[str, bytes] = {}
        self.again = self.retry.new(allowed_methods=None)
        """How queries are tried again: they are sent like writes, but only read."""

    def _ask(self, query: str, **variables: Any) -> Mapping[str, Any]:
        """Send a GraphQL query, and return the repository in the answer; raises `Trouble`."""
        owner, _, name = self.repository.partition("/")
        asked = {"query": query, "variables": {"owner": owner, "name": name, **variables}}
        status, data = self._send("POST", self.query, asked, self.again)
        said = data if isinstance(data, dict) else {}
        faults = said.get("errors") or []
        if any(isinstance(fault, dict) and fault.get("type") == "RATE_LIMITED" for fault in faults):
            raise Spent([Problem("", 0, 0, "GitHub's rate limit is used up", LATER)])
        repository = (said.get("data") or {}).get("repository")
        if status != 200 or not isinstance(repository, dict):
            first = next((str(fault.get("message")) for fault in faults if isinstance(fault, dict)), "")
            why = f": {plain(first)[:200]}" if first else ""
            raise trouble(f"GitHub answers {status} to a query{why}", "see the job's permissions")
        return repository

    def _list(self, path: str, pages: int = PAGES) -> Iterator[Any]:
        for page in range(1, pages + 1):
            items = self._read(f"{path}{'&' if '?' in path else '?'}per_page=100&page={page}")
            yield from items
            if len(items) < 100:
                return

    # Reading -------------------------------------------------------------------------------------------------------

    def request(self, number: int, door: Door) -> Pull | Issue:
        """A request as it is now, whatever an event said about it."""
        if door is Door.PULLS:
            return self._pull(number)
        found = self._ask(graphql.ONE, number=number).get("issue")
        if not isinstance(found, dict):
            raise trouble(f"GitHub shows no issue {number}", "it may be gone")
        return _issue(found)

    def _pull(self, number: int) -> Pull:
        data = self._read(f"/pulls/{number}")
        author = data.get("user") or {}
        return Pull(
            number=int(data["number"]),
            open=data.get("state") == "open",
            draft=bool(data.get("draft")),
            branch=str(data["base"]["ref"]),
            head=hash_of(data["head"]["sha"]),
            files=int(data["changed_files"]),
            comments=int(data.get("comments") or 0),
            account=int(author.get("id") or 0),
            login=str(author.get("login") or ""),
            created=time_of(data["created_at"]),
            updated=time_of(data["updated_at"]),
        )

    def requests(self, since: datetime) -> tuple[list[Pull | Issue], bool]:
        """All open requests that changed since a time, and true if none is missing.

        A query reads fifty of them, up to two thousand of each kind: in a flood, those that changed longest ago are not seen.
        """
        pulls, whole = self._listed(graphql.PULLS, "pullRequests", OPEN_PAGES, since)
        issues, whole_too = self._listed(graphql.ISSUES, "issues", OPEN_PAGES, since, states=["OPEN"])
        found = [made for made in {made.number: made for made in [*pulls, *issues]}.values() if made.open]
        return [self._marked(made) for made in found if read_time(made.updated) >= since], whole and whole_too

    def edited(self, since: datetime) -> list[Issue]:
        """Accepted and closed issues that changed since a time: their authors may have edited them. A hundred at most."""
        found, _ = self._listed(graphql.ISSUES, "issues", 2, since, states=["CLOSED"])
        return [made for made in found if isinstance(made, Issue) and made.marks]

    def _listed(
        self, query: str, key: str, pages: int, since: datetime, **more: Any
    ) -> tuple[list[Pull | Issue], bool]:
        """The requests of one list that changed since a time, from at most `pages` pages; and true if none is missing."""
        found: dict[int, Pull | Issue] = {}
        after: str | None = None
        whole, size = True, graphql.PAGE
        given = more | ({"since": since.strftime("%Y-%m-%dT%H:%M:%SZ")} if "states" in more else {})
        for _ in range(pages):
            try:
                data = self._ask(query, after=after, first=size, **given)[key]
            except Spent:
                raise
            except Trouble:
                if size == graphql.SMALL:
                    raise
                size = graphql.SMALL  # for a page of large requests, GitHub may need longer than its time limit allows
                continue
            times = []
            for node in data["nodes"]:
                try:
                    made = _pull_of(node) if key == "pullRequests" else _issue(node)
                    times.append(time_of(node["updatedAt"]))
                except (KeyError, TypeError, ValueError, Problems):
                    whole = False  # an unreadable request does not stop the others
                    continue
                # A request that changes meanwhile moves up, so others may come twice.
                found.setdefault(made.number, made)
            after = data["pageInfo"]["endCursor"]
            if not data["pageInfo"]["hasNextPage"] or any(read_time(time) < since for time in times):
                return list(found.values()), whole
        return list(found.values()), False

    def _marked(self, request: Pull | Issue) -> Pull | Issue:
        """A request with the marks of courtly's comments; they are read separately if not all comments came with the request."""
        return request if request.marks is not None else replace(request, marks=self.marks(request.number))

    def changes(self, pull: Pull) -> tuple[Change, ...]:
        """The first hundred files that a pull request changes; only one is allowed, so more need not be read."""
        if pull.changes is not None:
            return pull.changes
        files = self._read(f"/pulls/{pull.number}/files?per_page=100")
        return tuple(Change(str(file["filename"]), str(file["status"])) for file in files)

    def fetch(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Read files in bulk, given as commit and path; `entry` and `blob` then need no call for them.

        Only plain text files whose bytes match the hash that GitHub names are kept; all others are requested one by one.
        """
        files = [*dict.fromkeys(wanted)]
        for start in range(0, len(files), FILES):
            part = files[start : start + FILES]
            given = {f"c{at}": hash_of(commit) for at, (commit, _) in enumerate(part)}
            given |= {f"p{at}": path for at, (_, path) in enumerate(part)}
            answer = self._ask(graphql.files(len(part)), **given)
            for at, key in enumerate(part):
                entry = (answer.get(f"f{at}") or {}).get("file") or {}
                body = ((entry.get("object") or {}).get("text") or "").encode()
                sha = hashlib.sha1(b"blob %d\0" % len(body) + body, usedforsecurity=False).hexdigest()
                if entry.get("oid") == sha and entry.get("mode") == 0o100644 and entry.get("type") == "blob":
                    self.entries[key] = Entry("100644", "blob", len(body), sha)
                    self.blobs[sha] = body

    def entry(self, commit: str, path: str) -> Entry:
        """A file's entry in a commit's tree: mode, type, size, sha. The tree is walked folder by folder, so that nothing is hidden."""
        if (known := self.entries.get((commit, path))) is not None:
            return known
        sha = commit
        parts = path.split("/")
        for depth, part in enumerate(parts):
            tree = self._read(f"/git/trees/{hash_of(sha)}")
            entry = next((item for item in tree["tree"] if item["path"] == part), None)
            if entry is None:
                raise problem("", "the file is not in the pull request's commit", "push it again")
            if depth == len(parts) - 1:
                kind, size = str(entry["type"]), int(entry.get("size") or 0)
                return Entry(str(entry["mode"]), kind, size, str(entry["sha"]))
            if entry["type"] != "tree" or entry["mode"] != "040000":
                raise problem(
                    "", f"{'/'.join(parts[: depth + 1])} is not a folder there", "leave the folders as they are"
                )
            sha = entry["sha"]
        raise AssertionError("a path has at least one part")

    def blob(self, sha: str) -> bytes:
        """A file's bytes."""
        if (known := self.blobs.get(sha)) is not None:
            return known
        data = self._read(f"/git/blobs/{hash_of(sha)}")
        return base64.b64decode(data["content"])

    # Writing -------------------------------------------------------------------------------------------------------

    def _make(self, path: str, body: Any) -> str:
        status, data = self._call("POST", path, body)
        if status != 201:
            raise trouble(f"GitHub answers {status} for {path}", "see the job's permissions")
        return hash_of(data["sha"])

    def add_file(self, *, branch: str, base: str, tree: str, path: str, body: bytes, message: str) -> str:
        """Add a file with these bytes by a commit on `base` (whose tree is `tree`), and make it the branch's head; returns its hash.

        `base` is the commit's only parent: nothing of the pull request's own commits, whose text is up to their author, comes in. Raises
        `Moved` unless the branch was still at `base`: a file that was checked against an older archive does not go in.
        """
        blob = self._make("/git/blobs", {"content": base64.b64encode(body).decode(), "encoding": "base64"})
        entry = {"path": path, "mode": "100644", "type": "blob", "sha": blob}
        made = self._make("/git/trees", {"base_tree": tree, "tree": [entry]})
        commit = self._make("/git/commits", {"message": message, "tree": made, "parents": [base]})
        status, _ = self._call("PATCH", f"/git/refs/heads/{branch}", {"sha": commit, "force": False})
        if status in (409, 422):
            raise Moved
        if status != 200:
            raise trouble(f"GitHub answers {status} for the branch", "see the job's permissions")
        return commit

    def close(self, request: Pull | Issue) -> None:
        """Close a request; does nothing if it is closed already."""
        kind, what = ("pulls", "a pull request") if isinstance(request, Pull) else ("issues", "an issue")
        status, _ = self._call("PATCH", f"/{kind}/{request.number}", {"state": "closed"})
        if status != 200:
            raise trouble(f"GitHub answers {status} for closing {what}", "see the job's permissions")

    def _own_comments(self, number: int) -> Iterator[tuple[int, str]]:
        """Courtly's comments on a request, as pairs of number and mark, oldest first."""
        for comment in self._list(f"/issues/{number}/comments"):
            # Anybody can write the mark, and can make other people's bots write it.
            mark = MARK.match(str(comment.get("body") or ""))
            if mark is not None and (comment.get("user") or {}).get("login") == self.name:
                yield int(comment["id"]), mark[1]

    def _events(self, number: int) -> list[tuple[str, str]]:
        """The events of a request, each as GitHub's word for it and the server's time; without commits or comments."""
        # The timeline would not do: it does not show that a pull request was pointed at another branch.
        return [(str(event["event"]), str(event["created_at"])) for event in self._list(f"/issues/{number}/events")]

    def offer_times(self, pull: Pull) -> tuple[str, ...]:
        """The times, by the server's clock, when a pull request became eligible for intake.

        A draft can be made ready, a closed one opened again, and one for another branch pointed at ours, all after the deadline; GitHub
        does not promise that a pull request's `updated_at` reflects each of these.
        """
        if pull.offered is not None:
            return pull.offered
        return tuple(time_of(time) for name, time in self._events(pull.number) if name in OFFERED)

    def was_reopened(self, pull: Pull) -> bool:
        """True if somebody reopened a closed pull request."""
        return pull.reopened if pull.reopened is not None else "reopened" in dict(self._events(pull.number))

    def receipt(self, branch: str, path: str, digest: str = "") -> tuple[str, dict[str, str]]:
        """The latest commit that touched a file, and name -> value of its trailers; both empty without such a commit.

        With a `digest`, the latest commit whose receipt names a file with this SHA-256: the file may have moved since.
        """
        many = MOST_COMMITS if digest else 1
        return receipt_in(self._read(f"/commits?sha={quote(branch)}&path={quote(path)}&per_page={many}"), digest)

    def start(self, workflow: str, branch: str) -> None:
        """Start the workflow with this file name. Jobs need this, because what they push starts no workflow."""
        status, _ = self._call("POST", f"/actions/workflows/{workflow}/dispatches", {"ref": branch})
        if status not in (200, 204):  # 200 if it names the run that it started
            raise trouble(f"GitHub answers {status} for starting {workflow}", "give the job `actions: write`")

    def has_failed(self, workflow: str, branch: str) -> bool:
        """True if a workflow failed when it last ran on a branch, but not the time before: another try may help."""
        found = self._read(f"/actions/workflows/{workflow}/runs?branch={quote(branch)}&per_page=2")
        ends = [run.get("conclusion") for run in found["workflow_runs"]]
        return ends[:1] == ["failure"] and ends[1:] != ["failure"]

    def mail(self, account: int, login: str) -> str:
        """The address that identifies an account as the author of a commit on GitHub (RT-11)."""
        return GITHUB.mail.format(account=account, login=login)


def _author(node: Mapping[str, Any] | None) -> tuple[int, str]:
    """Number and name of an account in a GraphQL response; 0 for a deleted one."""
    author = node or {}
    return int(author.get("databaseId") or 0), str(author.get("login") or "")


def _nodes(connection: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The entries of a list in an answer; GitHub may leave out any of them, and the list itself."""
    return [node for node in (connection or {}).get("nodes") or [] if node]


def _marks(node: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The marks of courtly's comments; None if not all comments came with the answer."""
    if node["comments"]["totalCount"] > graphql.COMMENTS:
        return None
    comments = _nodes(node["comments"])
    own = (MARK.match(str(comment["body"])) for comment in comments if comment["viewerDidAuthor"])
    return tuple(mark[1] for mark in own if mark is not None)


def _common(node: Mapping[str, Any]) -> dict[str, Any]:
    account, login = _author(node["author"])
    return {
        "number": int(node["number"]), "open": node["state"] == "OPEN", "account": account, "login": login,
        "created": time_of(node["createdAt"]), "updated": time_of(node["updatedAt"]),
        "comments": int(node["comments"]["totalCount"]), "marks": _marks(node),
    }  # fmt: skip


def _pull_of(node: Mapping[str, Any]) -> Pull:
    """A pull request from a query's answer."""
    happened = [(item["__typename"], time_of(item["createdAt"])) for item in _nodes(node["timelineItems"])]
    # For a very large pull request, GitHub neither lists nor counts the files: they are then requested separately.
    files = [(str(file["path"]), str(file["changeType"])) for file in _nodes(node["files"])]
    return Pull(
        **_common(node),
        draft=bool(node["isDraft"]),
        branch=str(node["baseRefName"]),
        head=hash_of(node["headRefOid"]),
        files=int(node["changedFiles"]),
        changes=tuple(Change(path, STATUSES.get(kind, "changed")) for path, kind in files) or None,
        offered=tuple(time for _, time in happened),
        reopened="ReopenedEvent" in dict(happened),
    )


def _issue(node: Mapping[str, Any]) -> Issue:
    """An issue from a query's answer, dated by its last edit, or by the last time that it was opened again or moved here.

    Comments do not change this date, although they change GitHub's `updatedAt`.
    """
    common = _common(node)
    edited = [time_of(node["lastEditedAt"])] if node["lastEditedAt"] else []
    happened = [(item["__typename"], time_of(item["createdAt"])) for item in _nodes(node["timelineItems"])]
    common["updated"] = max([common["created"], *edited, *(time for _, time in happened)])
    edits = _nodes(node["userContentEdits"])
    count = int((node["userContentEdits"] or {}).get("totalCount") or 0)
    editors = [_author(edit["editor"])[0] for edit in edits]
    text = str(node["body"])
    return Issue(
        **common,
        text=text,
        version=hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(),
        own=all(editor == common["account"] for editor in editors),
        known=count <= len(editors),
        reopened="ReopenedEvent" in dict(happened),
    )
