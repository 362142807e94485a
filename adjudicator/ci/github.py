"""The dozen calls of GitHub's REST API that are used, with their failures in words.

Whatever is answered is a stranger's text until it is checked: numbers are read as numbers, names only compared.
"""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

import urllib3

from adjudicator.ci.forge import LATER, Entry, Moved, Pull, trouble
from adjudicator.core.game.schedule import read_time, write_time
from adjudicator.core.jobs.intake import Change
from adjudicator.core.text.problems import problem

BOT = "github-actions[bot]"
"""Who a workflow's own token writes as; nobody can register a name with brackets."""
HASH = re.compile(r"[0-9a-f]{40}", re.ASCII)
VERSION = "2022-11-28"
PUBLISHES = "pages.yml"
"""The workflow that builds the site."""
PAGES = 30
"""The most pages, of a hundred entries, that are read of any list."""
OPEN_PAGES = 100
"""The most pages that are read of the list of open pull requests."""


OFFERED = frozenset({"ready_for_review", "reopened", "base_ref_changed", "head_ref_force_pushed"})
"""What makes a pull request one that intake may take in, as GitHub calls it."""


class GitHub:
    """One repository at one API address: a `Forge`.

    `calls` counts requests. Reads are tried again after an outage, a rate limit that says how long, and a dropped
    connection; writes only where a second one does no harm. `name` is who its token writes as.
    """

    def __init__(self, base: str, repository: str, token: str, *, name: str = BOT, patience: float = 1.0) -> None:
        self.base = base.rstrip("/")
        self.repository = repository
        self.name = name
        self.calls = 0
        self.clock: datetime | None = None
        """The server's time, as of the latest answer."""
        self.left: int | None = None
        """Calls that are left before the rate limit, as of the latest answer."""
        retry = urllib3.Retry(
            total=4,
            backoff_factor=patience,
            status_forcelist=(429, 500, 502, 503, 504),
            allowed_methods=("GET",),
            respect_retry_after_header=True,
            raise_on_status=False,
            redirect=3,
        )
        self.pool = urllib3.PoolManager(retries=retry, timeout=urllib3.Timeout(connect=10, read=30))
        self.headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "User-Agent": "courtly",
            "X-GitHub-Api-Version": VERSION,
        }

    def close_pool(self) -> None:
        """Closes its connections."""
        self.pool.clear()

    def _call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        self.calls += 1
        try:
            answer = self.pool.request(
                method,
                f"{self.base}/repos/{self.repository}{path}",
                headers=self.headers,
                body=json.dumps(body).encode() if body is not None else None,
            )
        except urllib3.exceptions.HTTPError as error:
            raise trouble(f"GitHub does not answer ({type(error).__name__})", LATER) from None
        if (date := answer.headers.get("Date")) is not None:
            with contextlib.suppress(ValueError):
                self.clock = parsedate_to_datetime(date).astimezone(UTC)
        left = answer.headers.get("X-RateLimit-Remaining", "")
        self.left = int(left) if left.isdigit() else None
        if answer.status >= 500 or answer.status == 429:
            raise trouble(f"GitHub answers {answer.status}", LATER)
        if answer.status == 403 and (self.left == 0 or "Retry-After" in answer.headers):
            raise trouble("GitHub's rate limit is used up", LATER)
        try:
            return answer.status, json.loads(answer.data) if answer.data else None
        except ValueError:
            raise trouble("GitHub's answer is not JSON", LATER) from None

    def _read(self, path: str) -> Any:
        status, data = self._call("GET", path)
        if status != 200:
            raise trouble(f"GitHub answers {status} for {path.partition('?')[0]}", "see the job's permissions")
        return data

    def _list(self, path: str, pages: int = PAGES) -> Iterator[Any]:
        for page in range(1, pages + 1):
            items = self._read(f"{path}{'&' if '?' in path else '?'}per_page=100&page={page}")
            yield from items
            if len(items) < 100:
                return

    @property
    def now(self) -> str:
        """The server's time to the minute; asks the server if nothing was asked before."""
        if self.clock is None:
            self._read("")
        assert self.clock is not None, "every answer of the server is dated"
        return write_time(self.clock)

    # Reading -------------------------------------------------------------------------------------------------------

    def pull(self, number: int) -> Pull:
        """A pull request as it is now, whatever an event said of it."""
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
            updated=write_time(read_time(str(data["updated_at"]))),
        )

    def open_pulls(self, since: datetime) -> list[tuple[int, int]]:
        """Number and account of the pull requests that are open and changed since a time, the latest first.

        A call for each hundred of them, up to ten thousand: a flood hides those that lay still for longest.
        """
        pulls: dict[int, int] = {}
        for pull in self._list("/pulls?state=open&sort=updated&direction=desc", pages=OPEN_PAGES):
            if read_time(str(pull["updated_at"])) < since:
                break
            # One that changes meanwhile moves up, and others come twice.
            pulls.setdefault(int(pull["number"]), int((pull.get("user") or {}).get("id") or 0))
        return list(pulls.items())

    def changes(self, number: int) -> tuple[Change, ...]:
        """The first hundred files that a pull request changes; one is right, so more need not be read."""
        files = self._read(f"/pulls/{number}/files?per_page=100")
        return tuple(Change(str(file["filename"]), str(file["status"])) for file in files)

    def entry(self, commit: str, path: str) -> Entry:
        """A file's entry in a commit's tree: mode, type, size, sha. Walked folder by folder, so that nothing is hidden."""
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
        data = self._read(f"/git/blobs/{hash_of(sha)}")
        return base64.b64decode(data["content"])

    # Writing -------------------------------------------------------------------------------------------------------

    def _make(self, path: str, body: Any) -> str:
        status, data = self._call("POST", path, body)
        if status != 201:
            raise trouble(f"GitHub answers {status} for {path}", "see the job's permissions")
        return hash_of(data["sha"])

    def add_file(self, *, branch: str, base: str, tree: str, path: str, body: bytes, message: str) -> str:
        """Makes a commit on `base` (whose tree is `tree`) that adds just these bytes the branch's head; gives its hash.

        `base` is its one parent: nothing of the pull request's own commits, which say what their author likes, comes in.
        Raises `Moved` unless the branch was still at `base`: what was checked against an older archive does not go in.
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

    def close(self, number: int) -> None:
        """Closes a pull request; does nothing if it is closed."""
        status, _ = self._call("PATCH", f"/pulls/{number}", {"state": "closed"})
        if status != 200:
            raise trouble(f"GitHub answers {status} for closing a pull request", "see the job's permissions")

    def has_said(self, number: int, mark: str) -> bool:
        """Whether a job of ours wrote a comment with this mark on a pull request."""
        sign = f"<!-- courtly {mark} -->"
        for comment in self._list(f"/issues/{number}/comments"):
            # Anybody can write the mark, and have other people's bots write it.
            if (comment.get("user") or {}).get("login") == self.name and str(comment.get("body") or "").startswith(
                sign
            ):
                return True
        return False

    def comment_once(self, number: int, mark: str, text: str) -> None:
        """Comments on a pull request unless a comment of ours with this mark is there."""
        if self.has_said(number, mark):
            return
        status, _ = self._call("POST", f"/issues/{number}/comments", {"body": f"<!-- courtly {mark} -->\n{text}"})
        if status != 201:
            raise trouble(f"GitHub answers {status} for a comment", "see the job's permissions")

    def _events(self, number: int) -> list[tuple[str, str]]:
        """What happened to a pull request, by GitHub's word for it and the server's time; without commits and comments."""
        # Not its timeline: that says nothing of a pull request that is pointed at another branch.
        return [(str(event["event"]), str(event["created_at"])) for event in self._list(f"/issues/{number}/events")]

    def offer_times(self, number: int) -> list[str]:
        """Each time, by the server's clock, that a pull request became one to be taken in.

        A draft can be made ready, a closed one opened again, and one for another branch pointed at ours, all after the
        deadline; GitHub promises nowhere that its `updated_at` tells of each.
        """
        return [write_time(read_time(time)) for name, time in self._events(number) if name in OFFERED]

    def was_reopened(self, number: int) -> bool:
        """Whether somebody opened a pull request again that was closed."""
        return "reopened" in dict(self._events(number))

    def trailers(self, branch: str, path: str) -> dict[str, str]:
        """Name -> value of the trailers of the latest commit that touched a file; empty if there is no such commit."""
        commits = self._read(f"/commits?sha={quote(branch)}&path={quote(path)}&per_page=1")
        lines = str(commits[0]["commit"]["message"]).splitlines() if commits else []
        return dict(line.split(": ", 1) for line in lines if ": " in line)

    def publish(self, branch: str) -> None:
        """Starts the workflow that builds the site: a job's own push starts nothing by itself."""
        status, _ = self._call("POST", f"/actions/workflows/{PUBLISHES}/dispatches", {"ref": branch})
        if status not in (200, 204):  # it may tell which run it started
            raise trouble(f"GitHub answers {status} for starting {PUBLISHES}", "give the job `actions: write`")


def hash_of(value: object) -> str:
    """A Git hash, and nothing that could be a path; raises `Problems`."""
    text = str(value)
    if not HASH.fullmatch(text):
        raise trouble("GitHub's answer names no commit", LATER)
    return text
