"""The interface between intake and a forge, which holds players' requests; implemented for GitHub and Forgejo.

A request is a pull request with one file, or an issue that holds one. Everything in the forge's answers is a stranger's text, except for
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
    """The forge does not cooperate. This is not the sender's fault, and the work is tried again later."""


class Spent(Trouble):
    """The forge takes no more calls for now: whoever gets this stops calling, and leaves the rest to the next run."""


def trouble(what: str, right: str) -> Trouble:
    """A `Trouble` with one problem, ready to be raised."""
    return Trouble([Problem("", 0, 0, what, right)])


class Moved(Exception):
    """The branch has moved since it was read; read it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The fields that both kinds of request have, as they are when the request is read."""

    number: int
    """Pull requests and issues share one sequence of numbers."""
    open: bool
    account: int
    """Its author's number; 0 if the forge does not give it."""
    login: str
    created: str
    """When the server first saw it."""
    updated: str
    """When the server last saw it change. Unlike commit dates, this cannot be set back."""
    comments: int
    marks: tuple[str, ...] | None = None
    """The marks of courtly's comments on it, oldest first; None if they were not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull(Request):
    """A pull request."""

    draft: bool
    branch: str
    """The branch that it would be merged into."""
    head: str
    """The commit that it offers: a Git hash."""
    files: int
    """Number of files it changes."""
    changes: tuple[Change, ...] | None = None
    """The first files that it changes; None if they were not read."""
    offered: tuple[str, ...] | None = None
    """The times when it became eligible for intake, such as by reopening; None if they were not read."""
    reopened: bool | None = None

    door = Door.PULLS

    @property
    def version(self) -> str:
        """A name for its content, which changes whenever the content does."""
        return self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue(Request):
    """An issue, which may hold a sheet."""

    text: str
    version: str
    """A name for its text, which changes whenever the text does."""
    own: bool
    """True if only its author edited it, as far as its edits are known."""
    known: bool = True
    """True if all its edits are known."""
    reopened: bool

    door = Door.ISSUES


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a commit's tree, as listed by Git."""

    mode: str
    kind: str
    size: int
    sha: str


class Forge(Protocol):
    """One repository on one forge. Every method raises `Trouble` if the forge gives no answer."""

    doors: tuple[Door, ...]
    """The doors that the forge supports: a sheet that comes by another door is refused, whatever archive.yaml says."""
    calls: int
    """Number of calls made."""
    writes: int
    """Number of calls that wrote something."""
    left: int | None
    """Calls left before the rate limit, if the forge gives it."""

    @property
    def now(self) -> str:
        """The server's time to the minute."""

    def request(self, number: int, door: Door) -> Pull | Issue:
        """A request as it is now, whatever an event said about it."""

    def requests(self, since: datetime) -> tuple[list[Pull | Issue], bool]:
        """All open requests that changed since a time, with marks and changes, read in bulk; and true if none is missing."""

    def edited(self, since: datetime) -> list[Issue]:
        """Accepted and closed issues that changed since a time: their authors may have edited them."""

    def changes(self, pull: Pull) -> tuple[Change, ...]:
        """The files that a pull request changes: the first hundred."""

    def fetch(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Read files in bulk, given as commit and path, if the forge can; `entry` and `blob` then need no call for them."""

    def entry(self, commit: str, path: str) -> Entry:
        """A file's entry in a commit's tree; raises `Problems` if it does not exist, or is not in ordinary folders."""

    def blob(self, sha: str) -> bytes:
        """A file's bytes."""

    def offer_times(self, pull: Pull) -> tuple[str, ...]:
        """The times when a pull request became eligible for intake: made ready, opened again, or pointed at another branch."""

    def was_reopened(self, pull: Pull) -> bool:
        """True if somebody reopened a closed pull request."""

    def marks(self, number: int) -> tuple[str, ...]:
        """The marks of courtly's comments on a request, oldest first."""

    def comment_once(self, number: int, mark: str, text: str, known: tuple[str, ...] | None = None) -> None:
        """Comment on a request unless a comment of ours with this mark exists; if two jobs do so at once, one comment remains.

        `known` has the request's marks if they have just been read; otherwise it is None.
        """

    def close(self, request: Pull | Issue) -> None:
        """Close a request; does nothing if it is closed already."""

    def receipt(self, branch: str, path: str, digest: str = "") -> tuple[str, dict[str, str]]:
        """The latest commit that touched a file, and name -> value of its trailers; both empty without such a commit.

        With a `digest`, the latest commit whose receipt names a file with this SHA-256: the file may have moved since.
        """

    def add_file(self, *, branch: str, base: str, tree: str, path: str, body: bytes, message: str) -> str:
        """Add a file with these bytes by a commit on `base` (whose tree is `tree`), and make it the branch's head; returns its hash.

        Raises `Moved` unless the branch was still at `base`.
        """

    def start(self, workflow: str, branch: str) -> None:
        """Start the workflow with this file name. Jobs need this, because what they push starts no workflow."""

    def has_failed(self, workflow: str, branch: str) -> bool:
        """True if a workflow failed when it last ran on a branch, but not the time before: another try may help."""

    def mail(self, account: int, login: str) -> str:
        """The address that identifies an account as the author of a commit on the forge."""

    def close_pool(self) -> None:
        """Close the connections to the forge."""
