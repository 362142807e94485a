"""The job's own clone of the archive: updated, committed to, pushed; it never contains a pull request's files."""

from __future__ import annotations

import base64
import os
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from adjudicator.core.files.disk import Disk
from adjudicator.core.files.places import named
from adjudicator.core.game.forges import DEFAULT, host_of, kind_of
from adjudicator.core.game.repository import git, git_environment
from adjudicator.core.text.problems import plain, problem

PLAINLY = b"* -text -eol -filter -ident -working-tree-encoding\n"
"""Attributes that leave every byte unchanged."""


def _entry(line: str) -> tuple[str, tuple[str, str]]:
    """A line of `ls-files --stage`, parsed: the path, and its mode and blob."""
    about, _, path = line.partition("\t")
    mode, blob, _ = about.split(" ")
    return path, (mode, blob)


PUSHES = 5
"""Number of attempts to push before the push counts as refused."""
NAME = "courtly"


class Clone:
    """A working tree that follows one branch of its remote `origin`."""

    def __init__(self, root: Path, branch: str, token: str = "", server: str = DEFAULT) -> None:
        self.root = root
        self.files = Disk(root)
        self.branch = branch
        mail = kind_of(server).own_mail.format(host=host_of(server))
        # Git gets the token in its environment, because every process on the machine can read arguments. The machine's git settings are ignored.
        base = {key: value for key, value in os.environ.items() if not key.startswith("COURTLY_")}
        settings = {}
        if token:
            basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
            settings[f"http.{server}/.extraheader"] = f"AUTHORIZATION: basic {basic}"
        self.environment = {
            **git_environment(base, settings, fetching=True),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": NAME,
            "GIT_AUTHOR_EMAIL": mail,
            "GIT_COMMITTER_NAME": NAME,
            "GIT_COMMITTER_EMAIL": mail,
            "LC_ALL": "C",
        }

    def git(
        self, *arguments: str, at: str | None = None, stdin: bytes | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run git; returns its output and exit status."""
        dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at} if at else {}
        done = git(self.root, *arguments, environment=self.environment | dates, stdin=stdin)
        said, faults = (out.decode("utf-8", "replace") for out in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, said, faults)

    def _must(self, *arguments: str, at: str | None = None, stdin: bytes | None = None) -> str:
        done = self.git(*arguments, at=at, stdin=stdin)
        if done.returncode:
            said = done.stderr.strip().splitlines()
            raise problem("", f"git {arguments[0]} failed: {plain(said[-1] if said else '')[:200]}", "")
        return done.stdout.strip()

    @property
    def head(self) -> str:
        """The commit of the working tree."""
        return self._must("rev-parse", "HEAD")

    @property
    def tree(self) -> str:
        """The git tree of the commit `head`."""
        return self._must("rev-parse", "HEAD^{tree}")

    def update(self) -> str:
        """Bring the working tree to the remote's branch, undoing whatever was not pushed; returns its commit."""
        self._must(
            "fetch", "--quiet", "--no-tags", "origin", f"+refs/heads/{self.branch}:refs/remotes/origin/{self.branch}"
        )
        there = self._must("rev-parse", f"refs/remotes/origin/{self.branch}")
        # Most jobs begin in a fresh checkout: checking every file once is then enough, and a reset would repeat it.
        if self.head != there or self._must("status", "--porcelain", "--untracked-files=no"):
            self._must("reset", "--quiet", "--hard", there)
        self._must("clean", "--quiet", "-fd", "--", "games")
        return there

    def commit(self, lines: Iterable[str], at: str, games: Iterable[str] = ()) -> bool:
        """Commit the changes under `games/`, dated by the server's time; returns true if there were any.

        With `games`, only the folders of these games are checked. The commit contains the files byte for byte (RT-1): otherwise an ignored
        name, or an attribute that makes git write files differently, could lead to a push of an incomplete turn that nobody notices.
        """
        self._enter([f"games/{slug}" for slug in dict.fromkeys(games)] or ["games"])
        if self.git("diff", "--cached", "--quiet").returncode == 0:
            return False
        told = [plain(line) for line in lines]
        title = told[0] if len(told) == 1 else f"{len(told)} steps"
        body = "\n".join(told) if len(told) > 1 else ""
        self._must(
            "commit",
            "--quiet",
            "--no-gpg-sign",
            "-m",
            title,
            *(["-m", body] if body else []),
            at=at.replace("Z", "+00:00"),
        )
        return True

    def _take_bytes_as_they_are(self) -> None:
        """Override the repository's attributes for encodings, line ends and filters, which does no harm in a job's clone."""
        path = self.root / self._must("rev-parse", "--git-path", "info/attributes")
        files, path = named(path)
        files.make(path.parent)
        files.write(path, PLAINLY)

    def _enter(self, folders: list[str]) -> None:
        """Put all changes below these folders into the index, byte for byte; raises `Problems` if something is left out."""
        self._take_bytes_as_they_are()
        self._must("add", "--sparse", "--all", "--force", "--", *folders)
        told = self._must("diff", "--cached", "--name-only", "--no-renames", "--diff-filter=d", "-z", "--", *folders)
        paths = [path for path in told.split("\0") if path and "\n" not in path]
        if paths:
            lines = "".join(f"{self.root.resolve() / path}\n" for path in paths).encode()
            names = self._must("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=lines).split()
            staged = dict(
                _entry(one) for one in self._must("ls-files", "--stage", "-z", "--", *folders).split("\0") if one
            )
            for path, name in zip(paths, names, strict=True):
                mode, blob = staged[path]
                if blob != name:
                    self._must("update-index", "--cacheinfo", f"{mode},{name},{path}")
        left = [path for path in self._must("ls-files", "--others", "-z", "--", *folders).split("\0") if path]
        if left:
            what = f"{plain(left[0])[:120]} would not be in the commit, so nothing is pushed"
            raise problem("", what, "check whether its folder is a git repository itself")

    def add(self, path: str, body: bytes, message: str, at: str) -> str:
        """Commit these bytes as a file, in a separate commit with this message; returns its hash. Nothing is pushed.

        It uses git's plumbing: no filter, attribute or ignored name can affect the bytes on their way into the commit.
        """
        blob = self._must("hash-object", "-w", "--no-filters", "--stdin", stdin=body)
        self._must("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        tree = self._must("write-tree", "--missing-ok")
        dated = at.replace("Z", "+00:00")
        commit = self._must("commit-tree", "--no-gpg-sign", tree, "-p", self.head, at=dated, stdin=message.encode())
        self._must("update-ref", "HEAD", commit)
        file = self.root / path
        self.files.make(file.parent)
        self.files.write(file, body)
        return commit

    def push(self) -> bool:
        """Push the branch, never by force; False if the remote has moved on meanwhile."""
        there = f"refs/remotes/origin/{self.branch}"
        for attempt in range(PUSHES):
            done = self.git("push", "--quiet", "origin", f"HEAD:refs/heads/{self.branch}")
            if done.returncode == 0:
                return True
            # A fetch shows why; git's messages differ from version to version.
            self._must("fetch", "--quiet", "--no-tags", "origin", f"+refs/heads/{self.branch}:{there}")
            if self.git("merge-base", "--is-ancestor", there, "HEAD").returncode:
                return False
            time.sleep(0.1 * attempt)  # two pushes can meet at the server's lock before either is done
        said = done.stderr.strip().splitlines()
        raise problem(
            "", f"the push was refused: {plain(said[-1] if said else '')[:200]}", "check the branch's protection"
        )
