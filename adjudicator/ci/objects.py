"""A repository's objects, read from git itself: commits, trees, blobs. Nothing is checked out, and no setting of git's is asked."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from adjudicator.core.problems import Problem, Problems, problem

TREE, LINK, COMMIT = "40000", "120000", "160000"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a tree has under a name."""

    mode: str
    sha: str


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its tree, the commits before it, and what it says."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Change:
    """That a file was added, changed or removed between a commit and one of those before it (None: it is the first)."""

    commit: Commit
    parent: str | None
    path: str
    old: Entry | None
    new: Entry | None


class Objects:
    """The objects of the repository that holds a folder. Raises `Problems` where there is none, or not its whole history."""

    def __init__(self, root: Path) -> None:
        self.root = root
        said = _git(root, "rev-parse", "--is-shallow-repository", "--show-prefix", "HEAD").splitlines()
        if said[0] != "false":
            right = "clone again without --depth, or `git fetch --unshallow`"
            raise problem(str(root), "the history is not whole", right)
        self.prefix, self.head = said[1], said[2]
        """The folder's path from the repository's root, with a slash at its end; and the commit that it stands on."""
        self._batch = subprocess.Popen(  # noqa: S603 - fixed words
            ["git", "--no-replace-objects", "-C", str(root), "cat-file", "--batch"],  # noqa: S607 - whichever git there is
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.tree = lru_cache(maxsize=20_000)(self._tree)
        self.blob = lru_cache(maxsize=2_000)(self._blob)
        self.commit = lru_cache(maxsize=None)(self._commit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._batch.communicate()

    def _object(self, sha: str) -> bytes:
        assert self._batch.stdin is not None
        assert self._batch.stdout is not None
        self._batch.stdin.write(f"{sha}\n".encode())
        self._batch.stdin.flush()
        head = self._batch.stdout.readline().split()
        if len(head) != 3:
            raise problem(str(self.root), f"git has no object {sha[:12]}", "clone again, whole")
        body = self._batch.stdout.read(int(head[2]))
        self._batch.stdout.read(1)
        return body

    def _blob(self, sha: str) -> bytes:
        return self._object(sha)

    def _tree(self, sha: str) -> Mapping[str, Entry]:
        body, size, found, at = self._object(sha), len(sha) // 2, {}, 0
        while at < len(body):
            end = body.index(b"\0", at)
            mode, _, name = body[at:end].partition(b" ")
            at = end + 1 + size
            found[name.decode("utf-8", "surrogateescape")] = Entry(mode.decode(), body[end + 1 : at].hex())
        return found

    def _commit(self, sha: str) -> Commit:
        head, _, message = self._object(sha).decode("utf-8", "replace").partition("\n\n")
        words = [line.split(" ") for line in head.splitlines()]
        parents = tuple(word[1] for word in words if word[0] == "parent")
        return Commit(sha, next(word[1] for word in words if word[0] == "tree"), parents, message)

    def commits(self) -> Iterator[Commit]:
        """Every commit that can be reached from here, those before it first; on side branches that were merged, too."""
        for sha in _git(self.root, "rev-list", "--topo-order", "--reverse", "HEAD").split():
            yield self.commit(sha)

    def reaches(self, sha: str) -> set[str]:
        """The commit and all that can be reached from it; raises `Problems` when it is none that this history has."""
        if _git(self.root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{sha}^{{commit}}").strip() != sha:
            raise problem(str(self.root), f"there is no commit {sha[:12]}", "name one by all its digits")
        return set(_git(self.root, "rev-list", sha).split())

    def folder(self, commit: str, path: str) -> str | None:
        """The tree of a folder in a commit, by its path from this folder; None where there is none."""
        sha = self.commit(commit).tree
        for part in (self.prefix + path).split("/"):
            entry = self.tree(sha).get(part)
            if entry is None or entry.mode != TREE:
                return None
            sha = entry.sha
        return sha

    def file(self, commit: str, path: str) -> bytes | None:
        """A file in a commit; None where there is none."""
        above, _, name = path.rpartition("/")
        tree = self.folder(commit, above)
        entry = self.tree(tree).get(name) if tree is not None else None
        return self.blob(entry.sha) if entry is not None and entry.mode not in (TREE, COMMIT) else None

    def changes(self, commit: Commit, path: str) -> Iterator[Change]:
        """What changed below a folder between a commit and each of those before it."""
        new = self.folder(commit.sha, path)
        for parent in commit.parents or (None,):
            old = self.folder(parent, path) if parent is not None else None
            if old != new:
                for where, was, is_ in self._between(old, new, path):
                    yield Change(commit, parent, where, was, is_)

    def _between(self, old: str | None, new: str | None, path: str) -> Iterator[tuple[str, Entry | None, Entry | None]]:
        before = self.tree(old) if old is not None else {}
        after = self.tree(new) if new is not None else {}
        for name in sorted({*before, *after}):
            was, is_ = before.get(name), after.get(name)
            if was == is_:
                continue
            below = f"{path}/{name}"
            trees = [one.sha if one is not None and one.mode == TREE else None for one in (was, is_)]
            if any(trees):
                yield from self._between(trees[0], trees[1], below)
            files = [one if one is not None and one.mode != TREE else None for one in (was, is_)]
            if any(files):
                yield below, files[0], files[1]

    def name_of(self, body: bytes) -> str:
        """What git calls a file of these bytes."""
        kind = hashlib.sha256 if len(self.head) == 64 else hashlib.sha1
        return kind(b"blob %d\0" % len(body) + body).hexdigest()


def _git(root: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and hashes
            ["git", "--no-replace-objects", "-C", str(root), *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise problem("", "git is not installed", "install it, or leave out --history") from None
    if done.returncode:
        raise Problems([Problem(str(root), 0, 0, "this is no git repository with commits", "leave out --history")])
    return done.stdout.decode("utf-8", "replace")
