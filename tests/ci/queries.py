"""Queries in GraphQL, carried out by the tests' GitHub against the part of GitHub's own schema that is used."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphql import GraphQLSchema, build_schema, graphql_sync

if TYPE_CHECKING:
    from tests.ci.fake import FakeGitHub, Issue, Pull

HERE = Path(__file__).parent
TYPES = {
    "ready_for_review": "ReadyForReviewEvent", "reopened": "ReopenedEvent", "base_ref_changed": "BaseRefChangedEvent",
    "head_ref_force_pushed": "HeadRefForcePushedEvent", "transferred": "TransferredEvent",
}  # fmt: skip
"""Events: REST's word -> GraphQL's type."""


@cache
def schema() -> GraphQLSchema:
    return build_schema((HERE / "github.graphql").read_text(encoding="utf-8"))


def carry_out(fake: FakeGitHub, body: Any) -> tuple[int, Any]:
    """Status and answer of a query; a query that does not fit the schema gets errors in place of data, as at GitHub."""
    made = graphql_sync(
        schema(),
        body["query"],
        {"repository": lambda info, **given: Repository(fake)},
        variable_values=body["variables"],
    )
    answer: dict[str, Any] = {"data": made.data}
    if made.errors:
        answer["errors"] = [{"message": error.message} for error in made.errors]
    return 200, answer


def actor(account: int, login: str) -> dict[str, Any] | None:
    return {"__typename": "User", "login": login, "databaseId": account} if account else None


def connection(nodes: list[Any]) -> dict[str, Any]:
    return {"totalCount": len(nodes), "nodes": nodes}


def listed(nodes: list[Any]) -> Callable[..., dict[str, Any]]:
    """Resolver of a connection: the first or the last nodes, as many as the query asks for."""

    def answer(info: Any, first: int | None = None, last: int | None = None, **_: Any) -> dict[str, Any]:
        assert (first or last or 0) in range(1, 101), "GitHub gives no more than a hundred"
        shown = nodes[:first] if first is not None else nodes[-(last or 0) :]
        return {"totalCount": len(nodes), "nodes": shown}

    return answer


def timeline(events: list[tuple[str, str]]) -> Callable[..., dict[str, Any]]:
    def answer(info: Any, itemTypes: list[str], last: int, **_: Any) -> dict[str, Any]:  # noqa: N803 - GitHub's word
        kinds = {kind for kind in TYPES.values() if _constant(kind) in itemTypes}
        shown = [{"__typename": TYPES[name], "createdAt": time} for name, time in events if TYPES.get(name) in kinds]
        return {"nodes": shown[-last:]}

    return answer


def _constant(kind: str) -> str:
    return "".join(f"_{char}" if char.isupper() else char for char in kind)[1:].upper()


def common(asked: Pull | Issue) -> dict[str, Any]:
    # Comments that a test adds as a stranger's are of another type.
    own = [{"viewerDidAuthor": type(text) is str, "body": str(text)} for text in asked.comments]
    return {
        "number": asked.number, "createdAt": asked.created, "updatedAt": asked.updated,
        "author": actor(asked.account, asked.login), "comments": listed(own), "timelineItems": timeline(asked.events),
    }  # fmt: skip


class Repository:
    """The repository as queries see it."""

    def __init__(self, fake: FakeGitHub) -> None:
        self.fake = fake

    def _pull(self, pull: Pull) -> dict[str, Any]:
        state = "MERGED" if pull.merged else pull.state.upper()
        words = {
            "added": "ADDED",
            "modified": "MODIFIED",
            "removed": "DELETED",
            "renamed": "RENAMED",
            "changed": "CHANGED",
        }
        files = [{"path": file["filename"], "changeType": words[file["status"]]} for file in self.fake.changed(pull)]
        # For a very large one GitHub does not name or count any.
        shown = (
            {"changedFiles": len(files), "files": listed(files)}
            if not pull.huge
            else {"changedFiles": 0, "files": None}
        )
        return {
            "__typename": "PullRequest", **common(pull), "state": state, "isDraft": pull.draft, "baseRefName": pull.base,
            "headRefOid": pull.head, **shown,
        }  # fmt: skip

    def _issue(self, issue: Issue) -> dict[str, Any]:
        edits = [{"editor": actor(account, "editor")} for account, _ in issue.edits]
        return {
            "__typename": "Issue", **common(issue), "state": issue.state.upper(), "body": issue.body,
            "lastEditedAt": issue.edits[-1][1] if issue.edits else None, "userContentEdits": listed(edits),
        }  # fmt: skip

    def _page(self, asked: list[Any], show: Callable[[Any], Any], first: int, after: str | None) -> dict[str, Any]:
        newest = sorted(asked, key=lambda one: (one.updated, one.number), reverse=True)
        start = int(after or 0)
        end = start + first
        return {
            "nodes": [show(one) for one in newest[start:end]],
            "pageInfo": {"hasNextPage": end < len(newest), "endCursor": str(end)},
        }

    def pullRequests(self, info: Any, first: int, states: list[str], after: str | None = None, **_: Any) -> Any:  # noqa: N802
        shown = [pull for pull in self.fake.pulls.values() if pull.state.upper() in states]
        return self._page(shown, self._pull, first, after)

    def issues(self, info: Any, first: int, filterBy: Any, after: str | None = None, **_: Any) -> Any:  # noqa: N803
        since = filterBy["since"]
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", since):
            raise ValueError("a DateTime has seconds")  # GitHub parses it with Ruby's Time.iso8601, which demands them
        shown = [
            issue
            for issue in self.fake.issues.values()
            if issue.state.upper() in filterBy["states"] and issue.updated >= since
        ]
        return self._page(shown, self._issue, first, after)

    def issue(self, info: Any, number: int) -> Any:
        issue = self.fake.issues.get(number)
        return self._issue(issue) if issue is not None else None

    def object(self, info: Any, oid: str) -> Any:
        if self.fake.asks("cat-file", "-e", f"{oid}^{{commit}}") is None:
            return None
        return {"__typename": "Commit", "oid": oid, "file": lambda info, path: self._file(oid, path)}

    def _file(self, commit: str, path: str) -> Any:
        line = self.fake.asks("ls-tree", "-l", "-z", commit, "--", path) or b""
        head, _, name = line.rstrip(b"\0").partition(b"\t")
        if name.decode() != path:
            return None
        mode, kind, sha, size = head.decode().split()
        return {
            "mode": int(mode, 8), "type": kind, "oid": sha, "size": int(size) if size.isdigit() else 0,
            "object": self._blob(sha) if kind == "blob" else None,
        }  # fmt: skip

    def _blob(self, sha: str) -> Any:
        raw = subprocess.run(
            ["git", "-C", str(self.fake.repository), "cat-file", "blob", sha], capture_output=True, check=True
        ).stdout
        try:
            text, binary = raw.decode("utf-8"), b"\0" in raw
        except UnicodeDecodeError:
            text, binary = "", True
        return {
            "__typename": "Blob", "oid": sha, "isBinary": binary, "isTruncated": len(raw) > 512_000,
            "text": None if binary else text[:512_000],
        }  # fmt: skip
