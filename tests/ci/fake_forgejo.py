"""A small Forgejo on loopback: the same repository as the GitHub beside it, and the calls that we use of its published API.

Its Git is real. It does not have GraphQL, cannot make trees or commits, and gives at most fifty entries a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.ci.fake import HASH, OWNER, FakeGitHub, Issue, Pull, _blob, _commits, _tree, _uncomment

MOST = 50
BOT = {"id": -2, "login": "forgejo-actions"}
HAPPENED = {
    "reopened": "reopen", "closed": "close", "ready_for_review": "change_title", "base_ref_changed": "change_target_branch",
    "head_ref_force_pushed": "pull_push",
}  # fmt: skip
"""Events of a pull request: GitHub's word -> type in Forgejo's timeline."""
STATUSES = {"added": "added", "modified": "changed", "removed": "deleted", "renamed": "renamed", "changed": "changed"}
PREFIX = f"/api/v1/repos/{OWNER}"


class FakeForgejo(FakeGitHub):
    """The server."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.limits = None

    @property
    def address(self) -> str:
        """Address of the instance; its API is below it."""
        return super().address

    @property
    def api(self) -> str:
        return f"{self.address}/api/v1"

    def serve(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if not path.startswith(PREFIX):
            return 404, {"message": "Not Found"}
        path, _, query = path.removeprefix(PREFIX).partition("?")
        asked = {name: unquote(value) for name, _, value in (part.partition("=") for part in query.split("&") if part)}
        for verb, pattern, answer in ROUTES:
            match = re.fullmatch(pattern, path)
            if verb == method and match:
                return answer(self, match, body, asked)
        return 404, {"message": "Not Found"}

    def shown(self, one: Pull | Issue) -> dict[str, Any]:
        common = {
            "number": one.number, "state": one.state, "title": one.title, "body": one.body, "created_at": one.created,
            "updated_at": one.updated, "user": {"id": one.account, "login": one.login}, "comments": len(one.comments),
        }  # fmt: skip
        if isinstance(one, Issue):
            return common | {"pull_request": None}
        return common | {
            "draft": one.draft, "merged": one.merged, "base": {"ref": one.base, "sha": self.main()},
            "head": {"ref": "patch-1", "sha": one.head}, "changed_files": len(self.changed(one)),
        }  # fmt: skip


def page(items: list[Any], query: dict[str, str]) -> list[Any]:
    """The entries of a page."""
    size = min(int(query.get("limit", MOST)), MOST)
    start = (int(query.get("page", 1)) - 1) * size
    return items[start : start + size]


def _one(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    number = int(match[2])
    one = fake.pulls.get(number) if match[1] == "pulls" else fake.asked_for(number)
    return (200, fake.shown(one)) if one is not None else (404, {"message": "Not Found"})


def _pulls(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    assert (query["state"], query["sort"]) == ("open", "recentupdate")
    found = [pull for pull in fake.pulls.values() if pull.state == "open"]
    newest = sorted(found, key=lambda pull: (pull.updated, pull.number), reverse=True)
    return 200, page([fake.shown(pull) for pull in newest], query)


def _issues(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    assert (query["state"], query["type"]) == ("open", "issues")
    since = query["since"].replace("Z", ":00Z")
    found = [issue for issue in fake.issues.values() if issue.state == "open" and issue.updated >= since]
    return 200, page([fake.shown(issue) for issue in found], query)


def _files(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    files = [file | {"status": STATUSES[file["status"]]} for file in fake.changed(fake.pulls[int(match[1])])]
    return 200, page(files, query)


def _pages_of_tree(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    """A tree, in pages of three: an archive has many files, and a test only a few."""
    _, whole = _tree(fake, match, body, query)
    start = 3 * (int(query.get("page", 1)) - 1)
    return 200, whole | {"tree": whole["tree"][start : start + 3], "truncated": start + 3 < len(whole["tree"])}


def _close(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    one = fake.asked_for(int(match[2]))
    assert one is not None
    if isinstance(one, Pull) and one.merged:
        return 412, {"message": "cannot change state of this pull request, it was already merged"}
    fake.set_state(one, body["state"])
    return 201, fake.shown(one)


def _comments(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    one = fake.asked_for(int(match[1]))
    if one is None:
        return 404, {"message": "Not Found"}
    return 200, [
        {
            "id": 1000 * one.number + at,
            "body": text,
            "user": BOT if type(text) is str else {"id": 9, "login": "stranger"},
        }
        for at, text in enumerate(one.comments, 1)
    ]


def _comment(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    one = fake.asked_for(int(match[1]))
    if one is None:
        return 404, {"message": "Not Found"}
    one.comments.append(body["body"])
    one.updated = fake.time
    return 201, {"id": 1000 * one.number + len(one.comments)}


def _timeline(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    one = fake.asked_for(int(match[1]))
    events = one.events if one is not None else []
    return 200, page([{"type": HAPPENED[name], "created_at": time} for name, time in events], query)


def _start(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    assert body == {"ref": "main"}
    fake.dispatched.append(match[1])
    return 204, None


def _ended(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    """Runs of every workflow, as an instance lists them that cannot filter by `workflow_id`."""
    assert query["ref"] == "refs/heads/main"
    runs = [{"workflow_id": name, "status": end or "running"} for name, ends in fake.runs.items() for end in ends]
    return 200, {"total_count": len(runs), "workflow_runs": page(runs, query)}


def _last(fake: FakeForgejo, match: re.Match[str], body: Any, query: Any) -> tuple[int, Any]:
    return _commits(fake, match, body, query | {"per_page": query["limit"]})


ROUTES: list[tuple[str, str, Callable[..., tuple[int, Any]]]] = [
    ("GET", r"", lambda fake, match, body, query: (200, {"full_name": OWNER, "default_branch": "main"})),
    ("GET", r"/pulls", _pulls),
    ("GET", r"/issues", _issues),
    ("GET", r"/(pulls|issues)/(\d+)", _one),
    ("PATCH", r"/(pulls|issues)/(\d+)", _close),
    ("GET", r"/pulls/(\d+)/files", _files),
    ("GET", r"/issues/(\d+)/comments", _comments),
    ("POST", r"/issues/(\d+)/comments", _comment),
    ("DELETE", r"/issues/comments/(\d+)", _uncomment),
    ("GET", r"/issues/(\d+)/timeline", _timeline),
    ("GET", rf"/git/trees/{HASH}", _pages_of_tree),
    ("GET", rf"/git/blobs/{HASH}", _blob),
    ("GET", r"/commits", _last),
    ("GET", r"/actions/runs", _ended),
    ("POST", r"/actions/workflows/([\w.-]+)/dispatches", _start),
]
