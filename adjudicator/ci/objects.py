"""A repository's objects, read from git itself: commits, trees, blobs. Nothing is checked out, and git's settings have no effect.

Commits are walked by their own headers: git's grafts, replacements and caches cannot hide any of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from adjudicator.core.game.repository import git, git_batch
from adjudicator.core.text.problems import Problem, Problems, problem
from adjudicator.core.text.yamltext import OWN_LIMIT

TREE, LINK, COMMIT = "40000", "120000", "160000"
SAID = 8 * 1024
"""Maximum number of bytes of a commit's message that are read: intake writes fewer, and merged commits may be strangers'."""
DEPTH = 8
"""Maximum depth of folders that are searched: no file of an archive is deeper."""
TRAILER = re.compile(r"(Courtly-[A-Za-z0-9]+): (.{1,400})")


class Entry(NamedTuple):
    """A file or folder in a tree, without its name."""

    mode: str
    sha: str


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its tree, its parents, and intake's trailers in its message, by name."""

    sha: str
    tree: str
    parents: tuple[str, ...]
    trailers: Mapping[str, str]
    at: int = 0
    """The committer's time, in seconds since 1970; 0 if it cannot be read."""


@dataclass(frozen=True, slots=True)
class Change:
    """A file that was added, changed or removed between a commit and one of its parents (None for the first commit)."""

    commit: Commit
    parent: str | None
    path: str
    old: Entry | None
    new: Entry | None


class Objects:
    """The objects of the repository that holds a folder; raises `Problems` without one, or without its whole history."""

    def __init__(self, root: Path) -> None:
        self.root = root
        said = _git(root, "rev-parse", "--is-shallow-repository", "--show-prefix", "HEAD").splitlines()
        if said[0] != "false":
            right = "clone again without --depth, or `git fetch --unshallow`"
            raise problem(str(root), "the history is not complete", right)
        self.prefix, self.head = said[1], said[2]
        """The folder's path from the repository's root, with a slash at its end; and the commit at HEAD."""
        self._batch = git_batch(root)
        self._entries = re.compile(rb"([0-7]{1,7}) ([^\0]+)\0(.{%d})" % (len(self.head) // 2), re.DOTALL)
        self._tree = lru_cache(maxsize=500)(self._read_tree)
        self.commit = lru_cache(maxsize=None)(self._read_commit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._batch.communicate()

    # Objects ----------------------------------------------------------------------------------------------------------

    def _object(self, sha: str, kind: bytes, most: int | None = None) -> bytes | None:
        """An object's bytes, or the first `most` of them; None if it is of another kind, or missing (as a submodule's is)."""
        assert self._batch.stdin is not None
        assert self._batch.stdout is not None
        self._batch.stdin.write(f"{sha}\n".encode())
        self._batch.stdin.flush()
        head = self._batch.stdout.readline().split()
        if len(head) != 3:
            return None
        size = int(head[2])
        body = self._batch.stdout.read(size if most is None else min(size, most))
        left = size - len(body) + 1
        while left > 0:  # bytes that are not needed are discarded
            left -= len(self._batch.stdout.read(min(left, 1 << 20)))
        return body if head[1] == kind else None

    def _must(self, sha: str, kind: bytes, most: int | None = None) -> bytes:
        body = self._object(sha, kind, most)
        if body is None:
            raise problem(
                str(self.root), f"git has no {kind.decode()} {sha[:12]}", "clone again, with the whole history"
            )
        return body

    def blob(self, entry: Entry) -> bytes | None:
        """A file's bytes; None if it cannot be an archive's: a submodule, a link, or larger than any of ours."""
        if entry.mode in (TREE, COMMIT, LINK):
            return None
        body = self._must(entry.sha, b"blob", OWN_LIMIT + 1)
        return body if len(body) <= OWN_LIMIT else None

    def _read_tree(self, sha: str) -> Mapping[bytes, tuple[bytes, bytes]]:
        """The entries of a folder: name -> mode and digest, as git wrote them."""
        return {name: (mode, digest) for mode, name, digest in self._entries.findall(self._must(sha, b"tree"))}

    def _read_commit(self, sha: str) -> Commit:
        # The head has a few lines (and perhaps a signature). Of a message of megabytes only the beginning is read.
        head, _, message = self._must(sha, b"commit", 8 * SAID).partition(b"\n\n")
        lines = head.decode("utf-8", "replace").split("\n")
        parents = []
        for line in lines[1:]:
            if not line.startswith("parent "):
                break  # git does not take a later header line for a parent
            parents.append(line.removeprefix("parent "))
        text = message[:SAID].decode("utf-8", "replace")
        matches = (TRAILER.fullmatch(line) for line in text.split("\n") if line.startswith("Courtly-"))
        trailers = {match[1]: match[2] for match in matches if match}
        by = next((line for line in lines[1:] if line.startswith("committer ")), "")
        time = re.fullmatch(r"committer .*> ([0-9]{1,12}) [+-][0-9]{4}", by)
        return Commit(sha, lines[0].removeprefix("tree "), tuple(parents), trailers, int(time[1]) if time else 0)

    # Commits ----------------------------------------------------------------------------------------------------------

    def commits(self) -> Iterator[Commit]:
        """Every reachable commit, parents first; including those on merged side branches."""
        for sha in self._walk(self.head):
            yield self.commit(sha)

    def _walk(self, head: str) -> Iterator[str]:
        """The commits reachable from one, each after all its ancestors."""
        done: set[str] = set()
        waiting = [head]
        while waiting:
            sha = waiting[-1]
            before = [parent for parent in self.commit(sha).parents if parent not in done] if sha not in done else []
            if before:
                waiting.extend(reversed(before))
                continue
            waiting.pop()
            if sha not in done:
                done.add(sha)
                yield sha

    def reaches(self, sha: str) -> set[str] | None:
        """The commit and all its ancestors; None if it is not in this history."""
        everything = {commit.sha for commit in self.commits()}
        return set(self._walk(sha)) if sha in everything else None

    # Files ------------------------------------------------------------------------------------------------------------

    def folder(self, commit: str, path: str) -> str | None:
        """The tree of a folder in a commit, by its path relative to `root`; None if it is missing."""
        sha = self.commit(commit).tree
        for part in (self.prefix + path).split("/"):
            item = self._tree(sha).get(part.encode("utf-8", "surrogateescape"))
            entry = _entry(*item) if item is not None else None
            if entry is None or entry.mode != TREE:
                return None
            sha = entry.sha
        return sha

    def names(self, commit: str, path: str) -> Mapping[str, Entry]:
        """The entries of a folder in a commit; empty if it is missing."""
        sha = self.folder(commit, path)
        tree = self._tree(sha) if sha is not None else {}
        return {name.decode("utf-8", "surrogateescape"): _entry(*item) for name, item in tree.items()}

    def file(self, commit: str, path: str) -> Entry | None:
        """A file in a commit; None if it is missing."""
        above, _, name = path.rpartition("/")
        sha = self.folder(commit, above)
        item = self._tree(sha).get(name.encode("utf-8", "surrogateescape")) if sha is not None else None
        entry = _entry(*item) if item is not None else None
        return entry if entry is not None and entry.mode != TREE else None

    def changes(self, commit: Commit, parent: str | None, path: str) -> list[Change]:
        """Changes below a folder between a commit and one of its parents, by path."""
        old = self.folder(parent, path) if parent is not None else None
        differences = self.between(old, self.folder(commit.sha, path), path)
        return sorted(
            (Change(commit, parent, *difference) for difference in differences), key=lambda change: change.path
        )

    def between(self, old: str | None, new: str | None, path: str) -> Iterator[tuple[str, Entry | None, Entry | None]]:
        """The files that differ between two trees, each with its old and new entry, down to `DEPTH` folders."""
        waiting = [(old, new, path, DEPTH)] if old != new else []
        while waiting:
            old, new, path, depth = waiting.pop()
            before, after = (self._tree(sha) if sha is not None else {} for sha in (old, new))
            for raw in {name for name, _ in before.items() ^ after.items()}:
                was, is_ = (_entry(*tree[raw]) if raw in tree else None for tree in (before, after))
                below = f"{path}/{raw.decode('utf-8', 'surrogateescape')}"
                folders = [entry.sha if entry is not None and entry.mode == TREE else None for entry in (was, is_)]
                if any(folders) and depth:
                    waiting.append((folders[0], folders[1], below, depth - 1))
                files = [entry if entry is not None and entry.mode != TREE else None for entry in (was, is_)]
                if any(files):
                    yield below, files[0], files[1]

    def name_of(self, body: bytes) -> str:
        """Git's name for a file with these bytes."""
        kind = hashlib.sha256 if len(self.head) == 64 else hashlib.sha1
        return kind(b"blob %d\0" % len(body) + body).hexdigest()


def _entry(mode: bytes, digest: bytes) -> Entry:
    """An entry, with its mode as git understands it: `040000` and `40755` are folders too."""
    kind = int(mode, 8) & 0o170000
    return Entry({0o040000: TREE, 0o120000: LINK, 0o160000: COMMIT}.get(kind, mode.decode()), digest.hex())


def _git(root: Path, *arguments: str) -> str:
    try:
        done = git(root, *arguments)
    except FileNotFoundError:
        raise problem("", "git is not installed", "install it, or leave out --history") from None
    if done.returncode:
        raise Problems([Problem(str(root), 0, 0, "this is not a git repository with commits", "leave out --history")])
    return done.stdout.decode("utf-8", "surrogateescape")
