"""The part of GitHub that makes a repository and sets it up, on loopback: settings as state, and a bare repository to push to.

A stand-in for the program `gh` (tests/ci/gh.py) talks to it, and so does the code that looks at the settings. Its answers
have only keys that GitHub's description has; Actions policies, which the description lacks, are as docs.github.com shows
them.
"""

from __future__ import annotations

import base64
import http.server
import json
import os
import re
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.ci.fake import git
from tests.ci.published import Call
from tests.conftest import ROOT

OWNER = "anna/our-games"
AT = "2026-11-26T12:00:00Z"
ADMIN = re.compile(r"/(actions/(policies|permissions|secrets)|environments/[^/]+/secrets|interaction-limits|pages)\b")
"""Calls that only an administrator may make; in a public repository everybody sees the rest."""
Refusal = Callable[[str, str], "tuple[int, str] | None"]


@dataclass
class Settings:
    """The server, and what is set there."""

    folder: Path
    repo: dict[str, Any] | None = None
    """The repository, as GitHub shows it; None before it exists."""
    admin: bool = True
    """True if the caller is an administrator."""
    actions: dict[str, Any] = field(default_factory=lambda: {"enabled": True, "allowed_actions": "all"})
    permission: str = "write"
    policies: list[dict[str, Any]] = field(default_factory=list)
    environments: dict[str, dict[str, Any]] = field(default_factory=dict)
    branches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Environment -> branches that it is limited to."""
    secrets: dict[str, str] = field(default_factory=dict)
    """Environment/name, or the name of a secret of the whole repository -> the value sent."""
    pages: dict[str, Any] | None = None
    states: dict[str, str] = field(default_factory=dict)
    """Workflow -> its state, if it is not active."""
    runs: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    limit: dict[str, Any] = field(default_factory=dict)
    cap: dict[str, Any] = field(default_factory=lambda: {"enabled": False, "max_open_pull_requests": 10})
    refusals: list[Refusal] = field(default_factory=list)
    """Hooks before each call; the first answer refuses it, with a status and GitHub's reason."""
    needs_file: bool = False
    """True if a policy may only name a workflow that exists."""
    calls: list[str] = field(default_factory=list)
    exchanges: list[Call] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    """Authorizations that were sent."""

    def __post_init__(self) -> None:
        self.remote = self.folder / "remote.git"
        git(self.folder, "init", "--quiet", "--bare", "-b", "main", str(self.remote))
        self.lock = threading.Lock()
        world = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65_536

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
                """Says nothing."""

            def answer(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.headers.get("Transfer-Encoding") == "chunked":  # as gh sends its standard input
                    while size := int(self.rfile.readline(), 16):
                        raw += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                body = json.loads(raw or "null")
                with world.lock:
                    world.tokens.add(self.headers.get("Authorization", ""))
                    status, data = world.serve(self.command, self.path.removeprefix("/api/v3"), body)
                raw = b"" if data is None else json.dumps(data).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_PUT = answer  # noqa: N815 - the names that the server looks for

        self.handler = Handler
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.start(self.server)

    def start(self, server: socketserver.BaseServer) -> None:
        """Start serving from another thread."""
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def address(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.server.server_port}"

    def stop(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()

    @property
    def head(self) -> str:
        """Commit that was pushed; "" before the first push."""
        names = git(self.remote, "for-each-ref", "--format=%(objectname)", "refs/heads/main").decode()
        return names.strip()

    def make(self, *, private: bool = False, **more: Any) -> None:
        """Make the repository, as GitHub makes one."""
        owner, name = OWNER.split("/")
        self.repo = {
            "id": 1, "name": name, "full_name": OWNER, "private": private, "default_branch": "main", "archived": False,
            "has_issues": True, "has_pull_requests": True, "pull_request_creation_policy": "all", "has_pages": False,
            "allow_forking": True, "html_url": f"https://github.com/{owner}/{name}",
            "permissions": {"admin": self.admin, "push": self.admin, "pull": True},
        } | more  # fmt: skip

    def set_all(self, events: tuple[str, ...]) -> None:
        """Set everything as it should be, with a first push."""
        self.make(has_pages=True)
        self.permission = "read"
        limit = {"protected_branches": False, "custom_branch_policies": True}
        self.environments["courtly"] = {"id": 1, "name": "courtly", "deployment_branch_policy": limit}
        self.branches["courtly"] = [{"id": 1, "name": "main", "type": "branch"}]
        self.secrets["courtly/COURTLY_MASTER"] = "x"
        self.policies.append(policy(events))
        self.pages = {"url": "x", "build_type": "workflow", "html_url": "https://anna.github.io/our-games/"}
        push(self.remote)
        for path in (ROOT / ".github/workflows").glob("*.yml"):
            self.runs[path.name] = [run(7, "2026-11-26T11:52:00Z", "success", self.head)]
        self.runs["pages.yml"] = [run(8, "2026-11-26T11:55:00Z", "success", self.head)]

    # Answers ---------------------------------------------------------------------------------------------------------

    def serve(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Status and JSON of one call."""
        short = path.removeprefix(f"/repos/{OWNER}")
        pushed = bool(self.head)
        self.calls.append(f"{method} {short}{' after the push' if pushed and method != 'GET' else ''}")
        refused = next((answer for ask in self.refusals if (answer := ask(method, short)) is not None), None)
        if refused is not None:
            return refused[0], {"message": refused[1]}
        if short == path:
            return self._account(method, path, body)
        if self.repo is None:
            return 404, {"message": "Not Found"}
        if not self.admin and (ADMIN.match(short) or method != "GET"):
            return 403, {"message": "Resource not accessible by personal access token"}
        status, data = self._repository(method, short.partition("?")[0], body)
        if "/actions/policies" not in short:
            self.exchanges.append(Call(method, short, body, status, data))
        return status, data

    def _account(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        """Calls of the programs outside of the repository."""
        if (method, path) == ("POST", "/user/repos"):
            if self.repo is not None:
                return 422, {"message": "Repository creation failed.: name already exists on this account"}
            self.make(private=bool(body.get("private")))
            return 201, self.repo
        if path == "/graphql" and "createRepository" in body["query"]:
            self.make(private=body["variables"]["input"]["visibility"] == "PRIVATE")
            made = {"id": "R_1", "name": "our-games", "owner": {"login": "anna"}, "url": f"https://github.com/{OWNER}"}
            return 200, {"data": {"createRepository": {"repository": made}}}
        if path == "/graphql":
            return 200, {"data": {"viewer": {"login": "anna"}}}
        if path == "/users/anna":
            return 200, {"login": "anna", "node_id": "U_1", "type": "User"}
        return (200, {}) if path == "/" else (404, {"message": "Not Found"})

    def _repository(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        for verb, pattern, answer in ROUTES:
            if verb == method and (found := re.fullmatch(pattern, path)):
                return answer(self, body, *found.groups())
        return 404, {"message": "Not Found"}

    def _set_policy(self, body: Any, number: str = "") -> tuple[int, Any]:
        named = body["conditions"]["workflow_path"]["include"]
        files = git(self.remote, "ls-tree", "-r", "--name-only", "main").decode().splitlines() if self.head else []
        if self.needs_file and not set(named) <= set(files):
            return 422, {"message": "Validation Failed: there is no such workflow"}
        if number:
            kept = next(one for one in self.policies if one["id"] == int(number))
            kept.update(body)
            return 200, kept
        self.policies.append({"id": len(self.policies) + 41, **body})
        return 201, self.policies[-1]

    def _policies(self, body: Any) -> tuple[int, Any]:
        # The list contains neither conditions nor rules, nor GitHub's default rule.
        short = [{key: one[key] for key in ("id", "name", "enforcement")} for one in self.policies]
        return 200, {"total_count": len(short), "policies": short}

    def _policy(self, body: Any, number: str) -> tuple[int, Any]:
        found = next((one for one in self.policies if one["id"] == int(number)), None)
        return (200, found) if found else (404, {"message": "Not Found"})

    def _environment(self, body: Any, name: str) -> tuple[int, Any]:
        found = self.environments.get(name)
        return (200, found) if found else (404, {"message": "Not Found"})

    def _set_environment(self, body: Any, name: str) -> tuple[int, Any]:
        self.environments[name] = {"id": 1, "name": name, **body}
        self.branches.setdefault(name, [])
        return 200, self.environments[name]

    def _limits(self, body: Any, name: str) -> tuple[int, Any]:
        found = self.branches.get(name, [])
        return 200, {"total_count": len(found), "branch_policies": found}

    def _add_limit(self, body: Any, name: str) -> tuple[int, Any]:
        if any(one["name"] == body["name"] for one in self.branches[name]):
            return 303, None
        self.branches[name].append({"id": len(self.branches[name]) + 1, "type": "branch", **body})
        return 200, self.branches[name][-1]

    def _secret(self, body: Any, name: str) -> tuple[int, Any]:
        found = {"name": name.rpartition("/")[2], "created_at": AT, "updated_at": AT}
        return (200, found) if name.replace("/secrets/", "/") in self.secrets else (404, {"message": "Not Found"})

    def _key(self, body: Any, name: str) -> tuple[int, Any]:
        return 200, {"key_id": "1", "key": base64.b64encode(bytes([9, *[0] * 31])).decode()}

    def _set_secret(self, body: Any, name: str) -> tuple[int, Any]:
        environment, _, secret = name.partition("/secrets/")
        if environment not in self.environments:
            return 404, {"message": "Not Found"}
        self.secrets[f"{environment}/{secret}"] = body["encrypted_value"]
        return 201, {}

    def _set_actions(self, body: Any) -> tuple[int, Any]:
        self.actions.update(body)
        return 204, None

    def _set_permission(self, body: Any) -> tuple[int, Any]:
        self.permission = body["default_workflow_permissions"]
        return 204, None

    def _pages(self, body: Any) -> tuple[int, Any]:
        return (200, self.pages) if self.pages else (404, {"message": "Not Found"})

    def _make_pages(self, body: Any) -> tuple[int, Any]:
        if self.pages:
            return 409, {"message": "GitHub Pages is already enabled."}
        self.pages = {"url": "x", "html_url": "https://anna.github.io/our-games/", **body}
        return 201, self.pages

    def _set_pages(self, body: Any) -> tuple[int, Any]:
        assert self.pages is not None
        self.pages.update(body)
        return 204, None

    def _branch(self, body: Any, name: str) -> tuple[int, Any]:
        return (200, {"name": name, "commit": {"sha": self.head}}) if self.head else (404, {"message": "Not Found"})

    def _workflows(self, body: Any) -> tuple[int, Any]:
        files = git(self.remote, "ls-tree", "-r", "--name-only", "main").decode().splitlines() if self.head else []
        paths = [path for path in files if path.startswith(".github/workflows/")]
        found = [
            {"id": number, "path": path, "state": self.states.get(path.rpartition("/")[2], "active")}
            for number, path in enumerate(paths, 1)
        ]
        return 200, {"total_count": len(found), "workflows": found}

    def _runs(self, body: Any, name: str) -> tuple[int, Any]:
        if not self.head:
            return 404, {"message": "Not Found"}
        found = self.runs.get(name, [])
        return 200, {"total_count": len(found), "workflow_runs": found[:1]}

    def _dispatch(self, body: Any, name: str) -> tuple[int, Any]:
        if not self.head:
            return 404, {"message": "Not Found"}
        self.runs.setdefault(name, []).insert(0, run(9, AT, None, self.head))
        return 204, None


ROUTES: tuple[tuple[str, str, Callable[..., tuple[int, Any]]], ...] = (
    ("GET", r"", lambda world, body: (200, world.repo)),
    ("GET", r"/actions/permissions", lambda world, body: (200, world.actions)),
    ("PUT", r"/actions/permissions", Settings._set_actions),
    ("GET", r"/actions/permissions/workflow", lambda w, body: (200, {"default_workflow_permissions": w.permission})),
    ("PUT", r"/actions/permissions/workflow", Settings._set_permission),
    ("GET", r"/actions/policies", Settings._policies),
    ("POST", r"/actions/policies", Settings._set_policy),
    ("GET", r"/actions/policies/(\d+)", Settings._policy),
    ("PUT", r"/actions/policies/(\d+)", Settings._set_policy),
    ("GET", r"/environments/([^/]+)", Settings._environment),
    ("PUT", r"/environments/([^/]+)", Settings._set_environment),
    ("GET", r"/environments/([^/]+)/deployment-branch-policies", Settings._limits),
    ("POST", r"/environments/([^/]+)/deployment-branch-policies", Settings._add_limit),
    ("GET", r"/environments/([^/]+)/secrets/public-key", Settings._key),
    ("GET", r"/environments/([^/]+/secrets/[^/]+)", Settings._secret),
    ("PUT", r"/environments/([^/]+/secrets/[^/]+)", Settings._set_secret),
    ("GET", r"/actions/secrets/([^/]+)", Settings._secret),
    ("GET", r"/pages", Settings._pages),
    ("POST", r"/pages", Settings._make_pages),
    ("PUT", r"/pages", Settings._set_pages),
    ("GET", r"/branches/([^/]+)", Settings._branch),
    ("GET", r"/actions/workflows", Settings._workflows),
    ("GET", r"/actions/workflows/([^/]+)/runs", Settings._runs),
    ("POST", r"/actions/workflows/([^/]+)/dispatches", Settings._dispatch),
    ("GET", r"/interaction-limits", lambda world, body: (200, world.limit)),
    ("GET", r"/interaction-limits/pulls/creation-cap", lambda world, body: (200, world.cap)),
)
"""Method, path below the repository, answer."""


def policy(events: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """An Actions policy about intake."""
    rule = {"type": "restrict_action_events", "parameters": {"allowed_events": list(events)}}
    where = {"workflow_path": {"include": [".github/workflows/intake.yml"], "exclude": []}}
    return {"id": 1, "name": "theirs", "enforcement": "active", "conditions": where, "rules": [rule]} | more


def run(number: int, at: str, end: str | None, head: str) -> dict[str, Any]:
    """A run of a workflow; an unfinished one has no end."""
    status = "completed" if end else "in_progress"
    return {"id": number, "created_at": at, "status": status, "conclusion": end, "head_sha": head}


def push(remote: Path) -> None:
    """Push the project's workflows into a bare repository."""
    blobs = {
        path.name: git(remote, "hash-object", "-w", str(path)).decode()
        for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
    }
    tree = "".join(f"100644 blob {blob}\t{name}\n" for name, blob in blobs.items())
    for folder in ("workflows", ".github"):
        made = git(remote, "mktree", stdin=tree.encode()).decode()
        tree = f"040000 tree {made}\t{folder}\n"
    made = git(remote, "mktree", stdin=tree.encode()).decode()
    commit = git(remote, "commit-tree", "-m", "x", made).decode()
    git(remote, "update-ref", "refs/heads/main", commit)


def stand_in(folder: Path, world: Settings) -> Mapping[str, str]:
    """Environment of a machine whose `gh` is a stand-in that talks to this server, and whose git pushes to its repository."""
    programs = folder / "bin"
    programs.mkdir()
    script = Path(__file__).with_name("gh.py")
    (programs / "gh").write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "{script}" "$@"\n')
    (programs / "gh").chmod(0o755)
    return {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder), "GH_STANDS_IN": str(folder),
        "GH_ADDRESS": world.address, "GITHUB_API_URL": world.address, "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{world.remote}.insteadOf", "GIT_CONFIG_VALUE_0": f"https://github.com/{OWNER}.git",
        **{f"GIT_{who}_{what}": "anna@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }  # fmt: skip
