"""What is asked of a forge, the place of players' pull requests: GitHub's answers stand behind it.

Whatever it says of a pull request is a stranger's text, but for numbers, hashes and times, which are checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from adjudicator.core.jobs.intake import Change
from adjudicator.core.text.problems import Problem, Problems

LATER = "it will be tried again with the next run"


class Trouble(Problems):
    """The forge does not play along: not the fault of whoever sent a pull request, and tried again later."""


def trouble(what: str, right: str) -> Trouble:
    """One trouble, ready to be raised."""
    return Trouble([Problem("", 0, 0, what, right)])


class Moved(Exception):
    """The branch is no longer where it was read; read it again."""


@dataclass(frozen=True, slots=True)
class Pull:
    """A pull request as it is now."""

    number: int
    open: bool
    draft: bool
    branch: str
    """The branch that it is for."""
    head: str
    """The commit that it offers: a Git hash."""
    files: int
    """How many files it changes."""
    comments: int
    account: int
    """Its author's number; 0 if the forge does not say it."""
    login: str
    updated: str
    """When the server last saw it change. It cannot be set back, as commit dates can."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a commit's tree, as Git tells of it."""

    mode: str
    kind: str
    size: int
    sha: str


class Forge(Protocol):
    """One repository at one forge. Every question raises `Trouble` when it has no answer."""

    calls: int
    """Requests that were made."""
    left: int | None
    """Requests that are left, if it says so."""

    @property
    def now(self) -> str:
        """The server's time to the minute."""

    def pull(self, number: int) -> Pull:
        """A pull request as it is now, whatever an event said of it."""

    def open_pulls(self, since: datetime) -> list[tuple[int, int]]:
        """Number and account of the pull requests that are open and changed since a time, the latest first."""

    def changes(self, number: int) -> tuple[Change, ...]:
        """The files that a pull request changes: the first hundred."""

    def entry(self, commit: str, path: str) -> Entry:
        """A file's entry in a commit's tree; raises `Problems` if it is not there, or not in ordinary folders."""

    def blob(self, sha: str) -> bytes:
        """A file's bytes."""

    def offer_times(self, number: int) -> list[str]:
        """Each time that a pull request became one to be taken in: made ready, opened again, or pointed at a branch."""

    def was_reopened(self, number: int) -> bool:
        """Whether somebody opened a pull request again that was closed."""

    def has_said(self, number: int, mark: str) -> bool:
        """Whether a job of ours wrote a comment with this mark on a pull request."""

    def comment_once(self, number: int, mark: str, text: str) -> None:
        """Comments on a pull request unless a comment of ours with this mark is there."""

    def close(self, number: int) -> None:
        """Closes a pull request; does nothing if it is closed."""

    def trailers(self, branch: str, path: str) -> dict[str, str]:
        """Name -> value of the trailers of the latest commit that touched a file; empty if there is no such commit."""

    def add_file(self, *, branch: str, base: str, tree: str, path: str, body: bytes, message: str) -> str:
        """Makes a commit on `base` (whose tree is `tree`) that adds just these bytes the branch's head; gives its hash.

        Raises `Moved` unless the branch was still at `base`.
        """

    def publish(self, branch: str) -> None:
        """Starts the workflow that builds the site: a job's own push starts nothing by itself."""

    def close_pool(self) -> None:
        """Closes its connections."""
