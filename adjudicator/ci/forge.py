"""The questions that intake asks of a forge, the place of players' requests: GitHub and Forgejo answer them.

A request is a pull request with one file, or an issue that holds one. Whatever the forge says of it is a stranger's text, except for
numbers, hashes and times, which are checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from adjudicator.core.game.game import Door
from adjudicator.core.jobs.intake import Change
from adjudicator.core.text.problems import Problem, Problems

LATER = "it will be tried again with the next run"


class Trouble(Problems):
    """The forge does not play along: not the fault of whoever sent a request, and tried again later."""


class Spent(Trouble):
    """The forge takes no more calls for now: whoever gets this stops asking, and leaves the rest to the next run."""


def trouble(what: str, right: str) -> Trouble:
    """One trouble, ready to be raised."""
    return Trouble([Problem("", 0, 0, what, right)])


class Moved(Exception):
    """The branch is no longer where it was read; read it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Fields that both kinds of request have, as they are now."""

    number: int
    """Pull requests and issues are numbered in one row."""
    open: bool
    account: int
    """Its author's number; 0 if the forge does not say it."""
    login: str
    created: str
    """When the server first saw it."""
    updated: str
    """When the server last saw it change. It cannot be set back, as commit dates can."""
    comments: int
    marks: tuple[str, ...] | None = None
    """The marks of our own comments on it, the oldest first; None where they were not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull(Request):
    """A pull request."""

    draft: bool
    branch: str
    """The branch that it is for."""
    head: str
    """The commit that it offers: a Git hash."""
    files: int
    """How many files it changes."""
    changes: tuple[Change, ...] | None = None
    """The first of its changes; None where they were not read."""
    offered: tuple[str, ...] | None = None
    """Each time that it became one to be taken in; None where these were not read."""
    reopened: bool | None = None

    door = Door.PULLS

    @property
    def version(self) -> str:
        """A sign of what it offers: another when it offers something else."""
        return self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue(Request):
    """An issue, which may hold a sheet."""

    text: str
    version: str
    """A sign of its text: another when the text is another."""
    own: bool
    """Whether nobody but its author edited it, as far as its edits are known."""
    known: bool = True
    """Whether all its edits are known."""
    reopened: bool

    door = Door.ISSUES


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a commit's tree, as Git tells of it."""

    mode: str
    kind: str
    size: int
    sha: str


class Forge(Protocol):
    """One repository at one forge. Every question raises `Trouble` when it has no answer."""

    doors: tuple[Door, ...]
    """The doors that it can keep: a sheet at another one is refused, whatever archive.yaml says."""
    calls: int
    """Requests that were made."""
    writes: int
    """Those of them that wrote something."""
    left: int | None
    """Requests that are left, if it says so."""

    @property
    def now(self) -> str:
        """The server's time to the minute."""

    def request(self, number: int, door: Door) -> Pull | Issue:
        """A request as it is now, whatever an event said of it."""

    def requests(self, since: datetime) -> tuple[list[Pull | Issue], bool]:
        """Everything open that changed since a time, with its marks and changes, in bulk; and whether that is all."""

    def edited(self, since: datetime) -> list[Issue]:
        """Issues that were taken in and closed, and changed since a time: their authors may have edited them."""

    def changes(self, pull: Pull) -> tuple[Change, ...]:
        """The files that a pull request changes: the first hundred."""

    def fetch(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Reads files, each by commit and path, in bulk; `entry` and `blob` need no call for them afterwards."""

    def entry(self, commit: str, path: str) -> Entry:
        """A file's entry in a commit's tree; raises `Problems` if it is not there, or not in ordinary folders."""

    def blob(self, sha: str) -> bytes:
        """A file's bytes."""

    def offer_times(self, pull: Pull) -> tuple[str, ...]:
        """Each time that a pull request became one to be taken in: made ready, opened again, or pointed at a branch."""

    def was_reopened(self, pull: Pull) -> bool:
        """Whether somebody opened a pull request again that was closed."""

    def marks(self, number: int) -> tuple[str, ...]:
        """The marks of our own comments on a request, the oldest first."""

    def comment_once(self, number: int, mark: str, text: str, known: tuple[str, ...] | None = None) -> None:
        """Comments on a request unless a comment of ours with this mark is there; of two jobs at once one comment stays.

        `known` are the marks that were just read; None where they were not.
        """

    def close(self, request: Pull | Issue) -> None:
        """Closes a request; does nothing if it is closed."""

    def receipt(self, branch: str, path: str, digest: str = "") -> tuple[str, dict[str, str]]:
        """The latest commit that touched a file, and name -> value of its trailers; empty if there is no such commit.

        With a `digest`, the latest that says it put a file of this SHA-256 there: the file may lie elsewhere by now.
        """

    def add_file(self, *, branch: str, base: str, tree: str, path: str, body: bytes, message: str) -> str:
        """Makes a commit on `base` (whose tree is `tree`) that adds just these bytes the branch's head; gives its hash.

        Raises `Moved` unless the branch was still at `base`.
        """

    def start(self, workflow: str, branch: str) -> None:
        """Starts a workflow by its file's name: a job's own push starts nothing by itself."""

    def has_failed(self, workflow: str, branch: str) -> bool:
        """Whether a workflow failed when it ran last on a branch, and had not failed the time before: once more may help."""

    def mail(self, account: int, login: str) -> str:
        """The address by which the forge knows an account as the author of a commit."""

    def close_pool(self) -> None:
        """Closes its connections."""
