"""A small GitHub on loopback: a bare repository, pull requests, issues, and the calls that the workflows use.

Its Git is real: the server answers from a bare repository by git's plumbing, and moves the branch with a compare-and-swap as
GitHub does. Queries run against GitHub's schema (github.graphql). It limits a job's token as GitHub's documentation says,
and lets
an event start a job only if the owner's policy allows it. Tests inject faults: outages, conflicts, pushes that come in
between.
"""

from __future__ import annotations

import base64
import http.server
import json
import os
import re
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.ci import queries
from tests.ci.published import Call

OWNER = "example/games"
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent", "LC_ALL": "C",
    "GIT_AUTHOR_NAME": "Somebody", "GIT_AUTHOR_EMAIL": "somebody@example.org",
    "GIT_COMMITTER_NAME": "Somebody", "GIT_COMMITTER_EMAIL": "somebody@example.org",
}  # fmt: skip


def git(folder: Path, *arguments: str, stdin: bytes | None = None, **environment: str) -> bytes:
    """Run git in a folder and return its output; fail the test if git fails."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments],
        input=stdin, env=ENVIRONMENT | environment, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, (arguments, done.stderr.decode(errors="replace"))
    return done.stdout.strip()


@dataclass
class Pull:
    """A pull request."""

    number: int
    account: int
    login: str
    head: str
    updated: str
    created: str = ""
    state: str = "open"
    merged: bool = False
    draft: bool = False
    huge: bool = False
    """True if it is so large that queries do not name any of its files."""
    base: str = "main"
    title: str = "A sheet"
    body: str = ""
    comments: list[str] = field(default_factory=list)
    events: list[tuple[str, str]] = field(default_factory=list)
    """Events of the pull request, by GitHub's name, with their times."""


@dataclass
class Issue:
    """An issue."""

    number: int
    account: int
    login: str
    body: str
    updated: str
    created: str
    title: str = "A sheet"
    state: str = "open"
    edits: list[tuple[int, str]] = field(default_factory=list)
    """Accounts that edited it, with the times."""
    comments: list[str] = field(default_factory=list)
    events: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Limits:
    """Limits of a job's token in a repository, by GitHub's documentation ("Rate limits", "Actions limits")."""

    hour: int = 1_000
    """Calls of REST an hour; queries have the same limit, counted separately."""
    content_minute: int = 80
    """Approximate number of writes a minute that make or change content."""
    content_hour: int = 500
    made: deque[datetime] = field(default_factory=deque)
    wrote: deque[datetime] = field(default_factory=deque)
    asked: deque[datetime] = field(default_factory=deque)

    def take(self, kind: str, now: datetime) -> tuple[int, dict[str, str]] | None:
        """Count a call of a kind (`query`, `write`, or another); return the refusal if it is one too many."""
        for calls in (self.made, self.wrote, self.asked):
            while calls and calls[0] <= now - timedelta(hours=1):
                calls.popleft()
        minute = sum(at > now - timedelta(minutes=1) for at in self.wrote)
        if kind == "write" and (minute >= self.content_minute or len(self.wrote) >= self.content_hour):
            return 403, {"Retry-After": "60", "X-RateLimit-Remaining": str(self.hour - len(self.made))}
        calls = self.asked if kind == "query" else self.made
        if len(calls) >= self.hour:
            return 403, {"X-RateLimit-Remaining": "0"}
        calls.append(now)
        if kind == "write":
            self.wrote.append(now)
        return None


Fault = Callable[[str, str], "tuple[int, dict[str, str]] | None"]


class FakeGitHub:
    """The server. It makes its bare repository in the folder `root`."""

    def __init__(self, root: Path) -> None:
        self.repository = root / "remote.git"
        git(root, "init", "--quiet", "--bare", "-b", "main", str(self.repository))
        self.now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
        self.pulls: dict[int, Pull] = {}
        self.issues: dict[int, Issue] = {}
        self.limits: Limits | None = Limits()
        self.policy = {"pull_request_target", "issues"}
        """Events that the owner's policy allows to start a job."""
        self.events: list[tuple[str, int]] = []
        """Events that start a job: name and number, in order; a test delivers them, twice or late or not at all."""
        self.calls: list[str] = []
        self.dispatched: list[str] = []
        self.runs: dict[str, list[str | None]] = {}
        """Workflow -> results of its runs on the branch, the latest first."""
        self.faults: list[Fault] = []
        """Hooks before each call; the first answer that one gives is the answer."""
        self.before: list[Callable[[str, str], None]] = []
        """Called before each call, so that a test can do something in between."""
        self.exchanges: list[Call] | None = None
        """Calls with their answers, where a test keeps them; without the faults that it injects."""
        self.lock = threading.RLock()
        fake = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65_536
            disable_nagle_algorithm = True

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
                """Says nothing."""

            def date_time_string(self, timestamp: float | None = None) -> str:
                return format_datetime(fake.now, usegmt=True)

            def answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                path = self.path.removeprefix(f"/repos/{OWNER}")
                with fake.lock:
                    fake.calls.append(f"{self.command} {path}")
                    for done in list(fake.before):
                        done(self.command, path)
                    fault = next((answer for ask in list(fake.faults) if (answer := ask(self.command, path))), None)
                    extra: Mapping[str, str] = {}
                    if fault is not None:
                        (status, extra), data = fault, {"message": "no"}
                    elif (limit := fake.limit(self.command, path)) is not None:
                        (status, extra), data = limit, {"message": "You have exceeded a rate limit."}
                    else:
                        status, data = fake.serve(self.command, path, body)
                        if fake.limits is not None:
                            extra = {"X-RateLimit-Remaining": str(fake.limits.hour - len(fake.limits.made))}
                        if fake.exchanges is not None:
                            fake.exchanges.append(Call(self.command, path, body, status, data))
                raw = b"" if data is None else json.dumps(data).encode()
                self.send_response(status)
                for key, value in extra.items():
                    self.send_header(key, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PATCH = do_DELETE = answer  # noqa: N815 - the names that the server looks for

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    @property
    def time(self) -> str:
        return self.now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def git(self, *arguments: str, stdin: bytes | None = None, **environment: str) -> str:
        return git(self.repository, *arguments, stdin=stdin, **environment).decode()

    def asks(self, *arguments: str) -> bytes | None:
        """Output of git in the repository; None if it fails."""
        done = subprocess.run(
            ["git", "-C", str(self.repository), *arguments], env=ENVIRONMENT, capture_output=True, check=False
        )
        return done.stdout if done.returncode == 0 else None

    # Actions of players ------------------------------------------------------------------------------------------

    def commit(
        self,
        files: Mapping[str, bytes | tuple[str, bytes] | None],
        *,
        onto: str = "main",
        parents: list[str] | None = None,
        author: str = "Somebody",
        date: str = "2026-11-20T12:00:00Z",
        says: str = "My sheet",
    ) -> str:
        """Commit changes to files (None removes; a pair gives the mode as well), as a fork would hold it."""
        base = self.git("rev-parse", onto)
        index = str(self.repository / "pull-index")
        Path(index).unlink(missing_ok=True)
        self.git("read-tree", base, GIT_INDEX_FILE=index)
        for path, entry in files.items():
            if entry is None:
                self.git(
                    "rm", "--cached", "--quiet", "--", path, GIT_INDEX_FILE=index, GIT_WORK_TREE=str(self.repository)
                )
                continue
            mode, body = entry if isinstance(entry, tuple) else ("100644", entry)
            sha = body.decode() if mode == "160000" else self.git("hash-object", "-w", "--stdin", stdin=body)
            self.git("update-index", "--add", "--cacheinfo", f"{mode},{sha},{path}", GIT_INDEX_FILE=index)
        tree = self.git("write-tree", GIT_INDEX_FILE=index)
        flags = [flag for parent in (parents or [base]) for flag in ("-p", parent)]
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_NAME": author}
        return self.git("commit-tree", tree, *flags, stdin=says.encode(), **dates)

    def open_pull(
        self, account: int, login: str, files: Mapping[str, bytes | tuple[str, bytes] | None], **options: Any
    ) -> int:
        """Open a pull request; return its number."""
        head = self.commit(files, **options)
        return self.open_pull_of(account, login, head)

    def open_pull_of(self, account: int, login: str, head: str) -> int:
        with self.lock:
            number = self.next_number()
            self.pulls[number] = Pull(number, account, login, head, self.time, self.time)
            self.git("update-ref", f"refs/pull/{number}/head", head)
            self.happens("pull_request_target", number)
        return number

    def next_number(self) -> int:
        """Number of the next pull request or issue: both share one sequence."""
        return len(self.pulls) + len(self.issues) + 1

    def happens(self, event: str, number: int) -> None:
        """Record an event that starts a job, if the owner's policy allows it."""
        if event in self.policy:
            self.events.append((event, number))

    def open_issue(self, account: int, login: str, body: str) -> int:
        """Open an issue; return its number. GitHub's form ends lines as Windows does."""
        with self.lock:
            number = self.next_number()
            text = body.replace("\n", "\r\n")
            self.issues[number] = Issue(number, account, login, text, self.time, self.time)
            self.happens("issues", number)
        return number

    def edit_issue(self, number: int, body: str, account: int | None = None) -> None:
        """Edit an issue's text, as its author or as the given account."""
        issue = self.issues[number]
        issue.body, issue.updated = body.replace("\n", "\r\n"), self.time
        issue.edits.append((account if account is not None else issue.account, self.time))
        self.happens("issues", number)

    def limit(self, method: str, path: str) -> tuple[int, dict[str, str]] | None:
        """Refusal of a call that is one too many; None for an allowed one."""
        if self.limits is None:
            return None
        content = method in ("POST", "PATCH", "DELETE") and re.match(r"/(issues|pulls)/", path)
        return self.limits.take("query" if path == "/graphql" else "write" if content else "read", self.now)

    def asked_for(self, number: int) -> Pull | Issue | None:
        """Pull request or issue with this number."""
        return self.pulls.get(number) or self.issues.get(number)

    def force_push(self, number: int, files: Mapping[str, bytes | tuple[str, bytes] | None], **options: Any) -> None:
        pull = self.pulls[number]
        pull.head, pull.updated = self.commit(files, **options), self.time
        pull.events.append(("head_ref_force_pushed", self.time))
        self.git("update-ref", f"refs/pull/{number}/head", pull.head)

    def set_state(self, pull: Pull | Issue, state: str) -> None:
        """Close a request or open it again, whoever does it."""
        if pull.state != state:
            pull.state, pull.updated = state, self.time
            pull.events.append(({"closed": "closed", "open": "reopened"}[state], self.time))

    def make_ready(self, number: int) -> None:
        """Make a draft ready; the time of its last change stays, because GitHub promises nothing else."""
        self.pulls[number].draft = False
        self.pulls[number].events.append(("ready_for_review", self.time))

    def point_at(self, number: int, branch: str) -> None:
        """Point a pull request at another branch; the time of its last change stays."""
        self.pulls[number].base = branch
        self.pulls[number].events.append(("base_ref_changed", self.time))

    def push_to_main(self, files: Mapping[str, bytes | tuple[str, bytes] | None], **options: Any) -> str:
        """Push straight onto the branch, as somebody with the right to push."""
        commit = self.commit(files, **options)
        self.git("update-ref", "refs/heads/main", commit)
        return commit

    def main(self) -> str:
        return self.git("rev-parse", "refs/heads/main")

    def files(self, commit: str = "main") -> dict[str, str]:
        """Path -> mode and blob of everything on the branch."""
        heads = {}
        for line in self.git("ls-tree", "-r", "-z", commit).split("\0"):
            if line:
                head, _, path = line.partition("\t")
                heads[path] = head
        return heads

    def read(self, path: str, commit: str = "main") -> bytes:
        return subprocess.run(
            ["git", "-C", str(self.repository), "cat-file", "blob", f"{commit}:{path}"],
            env=ENVIRONMENT, capture_output=True, check=True,
        ).stdout  # fmt: skip

    # The calls ---------------------------------------------------------------------------------------------------

    def serve(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        path, _, query = path.partition("?")
        if (method, path) == ("POST", "/graphql"):
            return queries.carry_out(self, body)
        for verb, pattern, answer in ROUTES:
            match = re.fullmatch(pattern, path)
            if verb == method and match:
                return answer(self, match, body, dict(part.split("=") for part in query.split("&") if part))
        return 404, {"message": "Not Found"}

    def changed(self, pull: Pull) -> list[dict[str, Any]]:
        base = self.git("merge-base", "main", pull.head)
        out = self.git("diff", "-z", "--name-status", "-M", base, pull.head).split("\0")
        words = {"A": "added", "M": "modified", "D": "removed", "T": "changed"}
        files, at = [], 0
        while at < len(out) and out[at]:
            letter = out[at][0]
            if letter == "R":
                files.append({"filename": out[at + 2], "status": "renamed", "previous_filename": out[at + 1]})
                at += 3
            else:
                files.append({"filename": out[at + 1], "status": words[letter]})
                at += 2
        return files

    def show(self, pull: Pull) -> dict[str, Any]:
        return {
            "number": pull.number, "state": pull.state, "merged": pull.merged, "draft": pull.draft,
            "title": pull.title, "body": pull.body, "updated_at": pull.updated, "created_at": pull.created,
            "user": {"id": pull.account, "login": pull.login}, "base": {"ref": pull.base},
            "head": {"sha": pull.head, "ref": "patch-1"},
            "comments": len(pull.comments), "commits": int(self.git("rev-list", "--count", f"main..{pull.head}")),
            "changed_files": len(self.changed(pull)),
        }  # fmt: skip


def _pull(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    pull = fake.pulls.get(int(match[1]))
    return (200, fake.show(pull)) if pull else (404, {"message": "Not Found"})


def _files(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    return 200, fake.changed(fake.pulls[int(match[1])])[: int(query.get("per_page", 30))]


def _tree(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    entries = []
    for line in fake.git("ls-tree", "-l", "-z", match[1]).split("\0"):
        if line:
            head, _, name = line.partition("\t")
            mode, kind, sha, size = head.split()
            entries.append(
                {"path": name, "mode": mode, "type": kind, "sha": sha} | ({"size": int(size)} if size != "-" else {})
            )
    return 200, {"sha": match[1], "tree": entries, "truncated": False}


def _blob(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    raw = subprocess.run(
        ["git", "-C", str(fake.repository), "cat-file", "blob", match[1]],
        env=ENVIRONMENT,
        capture_output=True,
        check=True,
    ).stdout
    return 200, {"content": base64.encodebytes(raw).decode(), "encoding": "base64", "size": len(raw)}


def _make_blob(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    return 201, {"sha": fake.git("hash-object", "-w", "--stdin", stdin=base64.b64decode(body["content"]))}


def _make_tree(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    index = str(fake.repository / "api-index")
    Path(index).unlink(missing_ok=True)
    fake.git("read-tree", body["base_tree"], GIT_INDEX_FILE=index)
    for entry in body["tree"]:
        fake.git(
            "update-index",
            "--add",
            "--cacheinfo",
            f"{entry['mode']},{entry['sha']},{entry['path']}",
            GIT_INDEX_FILE=index,
        )
    return 201, {"sha": fake.git("write-tree", GIT_INDEX_FILE=index)}


def _make_commit(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    flags = [flag for parent in body["parents"] for flag in ("-p", parent)]
    dates = {"GIT_AUTHOR_DATE": fake.time, "GIT_COMMITTER_DATE": fake.time}
    return 201, {"sha": fake.git("commit-tree", body["tree"], *flags, stdin=body["message"].encode(), **dates)}


def _move(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    old, new = fake.git("rev-parse", f"refs/heads/{match[1]}"), body["sha"]
    if not body.get("force") and fake.git("merge-base", old, new) != old:
        return 422, {"message": "Update is not a fast forward"}
    if fake.asks("update-ref", f"refs/heads/{match[1]}", new, old) is None:
        return 422, {"message": "Reference cannot be updated"}  # a push came first
    for pull in fake.pulls.values():
        if pull.state == "open" and fake.git("merge-base", pull.head, new) == pull.head:
            pull.state, pull.merged = "closed", True
    return 200, {"object": {"sha": new}}


def _change_pull(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    pull = fake.pulls[int(match[1])]
    fake.set_state(pull, body["state"])
    return 200, fake.show(pull)


def _change_issue(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    issue = fake.issues.get(int(match[1]))
    if issue is None:
        return 404, {"message": "Not Found"}
    fake.set_state(issue, body["state"])
    return 200, {"number": issue.number, "state": issue.state}


def _comments(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    asked = fake.asked_for(int(match[1]))
    if asked is None:
        return 404, {"message": "Not Found"}
    size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
    shown = [
        {"id": 1000 * asked.number + at, "body": text, "user": {"type": "Bot", "login": "github-actions[bot]"}}
        for at, text in enumerate(asked.comments, 1)
    ]
    return 200, shown[(page - 1) * size : page * size]


def _uncomment(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    number, at = divmod(int(match[1]), 1000)
    asked = fake.asked_for(number)
    if asked is None or not 0 < at <= len(asked.comments):
        return 404, {"message": "Not Found"}
    del asked.comments[at - 1]
    return 204, None


def _events(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    asked = fake.asked_for(int(match[1]))
    return 200, [{"event": name, "created_at": time} for name, time in (asked.events if asked else ())]


def _commits(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    said = fake.git("log", f"-{query['per_page']}", "--format=%H%x00%B%x01", query["sha"], "--", unquote(query["path"]))
    commits = [entry.strip("\n").split("\0") for entry in said.split("\1")]
    return 200, [{"sha": commit[0], "commit": {"message": commit[1]}} for commit in commits if len(commit) == 2]


def _comment(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    asked = fake.asked_for(int(match[1]))
    if asked is None:
        return 404, {"message": "Not Found"}
    asked.comments.append(body["body"])
    asked.updated = fake.time
    return 201, {"id": 1000 * asked.number + len(asked.comments)}


def _runs(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    ends = fake.runs.get(match[1], [])[: int(query["per_page"])]
    return 200, {
        "total_count": len(ends),
        "workflow_runs": [{"id": at, "conclusion": end} for at, end in enumerate(ends)],
    }


def _dispatch(fake: FakeGitHub, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    fake.dispatched.append(match[1])
    return 204, None


HASH = "([0-9a-f]{40})"
ROUTES: list[tuple[str, str, Callable[..., tuple[int, Any]]]] = [
    ("GET", r"", lambda fake, match, body, query: (200, {"full_name": OWNER, "default_branch": "main"})),
    ("GET", r"/pulls/(\d+)", _pull),
    ("GET", r"/pulls/(\d+)/files", _files),
    ("PATCH", r"/pulls/(\d+)", _change_pull),
    ("PATCH", r"/issues/(\d+)", _change_issue),
    ("DELETE", r"/issues/comments/(\d+)", _uncomment),
    ("GET", rf"/git/trees/{HASH}", _tree),
    ("GET", rf"/git/blobs/{HASH}", _blob),
    ("POST", r"/git/blobs", _make_blob),
    ("POST", r"/git/trees", _make_tree),
    ("POST", r"/git/commits", _make_commit),
    ("PATCH", r"/git/refs/heads/([\w-]+)", _move),
    ("GET", r"/issues/(\d+)/comments", _comments),
    ("POST", r"/issues/(\d+)/comments", _comment),
    ("GET", r"/issues/(\d+)/events", _events),
    ("GET", r"/commits", _commits),
    ("POST", r"/actions/workflows/([\w.-]+)/dispatches", _dispatch),
    ("GET", r"/actions/workflows/([\w.-]+)/runs", _runs),
]
