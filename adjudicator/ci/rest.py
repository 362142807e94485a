"""Send calls to a forge's REST API, try them again, count them, and put failures into words; make each comment only once.

Answers are strangers' text until checked: numbers are read as numbers, names only compared.
"""

from __future__ import annotations

import contextlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import urllib3

from adjudicator.ci.forge import LATER, Spent, trouble
from adjudicator.core.game.schedule import read_time, write_time
from adjudicator.core.text.problems import Problem

HASH = re.compile(r"[0-9a-f]{40}", re.ASCII)
MARK = re.compile(r"<!-- courtly ([a-z]+ [0-9a-f]{1,64}) -->", re.ASCII)
"""The beginning of each of courtly's comments: an invisible mark that identifies it to later jobs."""


class Rest(ABC):
    """One repository at one API address.

    `calls` counts requests. Reads are tried again after an outage, a dropped connection, or a rate limit that says how long to
    wait; writes are not, because a second one might do harm. `forge` is the forge's name in words.
    """

    def __init__(
        self, forge: str, base: str, repository: str, headers: dict[str, str], *, patience: float = 1.0
    ) -> None:
        self.forge = forge
        self.base = base.rstrip("/")
        self.repository = repository
        self.headers = headers
        self.calls = 0
        self.writes = 0
        self.clock: datetime | None = None
        """The server's time, as of the latest answer."""
        self.left: int | None = None
        """Calls that are left before the rate limit, as of the latest answer."""
        self.retry = urllib3.Retry(
            total=4,
            backoff_factor=patience,
            status_forcelist=(429, 500, 502, 503, 504),
            allowed_methods=("GET",),
            respect_retry_after_header=True,
            raise_on_status=False,
            redirect=3,
        )
        # Without patience, as in tests, no call is given up because the machine is slow (H3-21).
        limit = urllib3.Timeout(connect=10, read=30) if patience else None
        self.pool = urllib3.PoolManager(retries=self.retry, timeout=limit)

    def close_pool(self) -> None:
        """Close the connections to the forge."""
        self.pool.clear()

    def _call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        self.writes += method != "GET"
        return self._send(method, f"{self.base}/repos/{self.repository}{path}", body)

    def _send(self, method: str, address: str, body: Any, retries: urllib3.Retry | None = None) -> tuple[int, Any]:
        self.calls += 1
        raw = json.dumps(body).encode() if body is not None else None
        headers = self.headers if raw is None else self.headers | {"Content-Type": "application/json"}
        try:
            answer = self.pool.request(method, address, headers=headers, body=raw, retries=retries)
        except urllib3.exceptions.HTTPError as error:
            raise trouble(f"{self.forge} does not answer ({type(error).__name__})", LATER) from None
        if (date := answer.headers.get("Date")) is not None:
            with contextlib.suppress(ValueError):
                self.clock = parsedate_to_datetime(date).astimezone(UTC)
        told = answer.headers.get("X-RateLimit-Remaining", "")
        left = int(told) if told.isdigit() else None
        if retries is None:
            self.left = left  # queries are counted separately
        if (answer.status == 403 and (left == 0 or "Retry-After" in answer.headers)) or answer.status == 429:
            what = f"{self.forge}'s rate limit is used up" if answer.status == 403 else f"{self.forge} answers 429"
            raise Spent([Problem("", 0, 0, what, LATER)])
        if answer.status >= 500:
            raise trouble(f"{self.forge} answers {answer.status}", LATER)
        try:
            return answer.status, json.loads(answer.data) if answer.data else None
        except ValueError:
            raise trouble(f"{self.forge}'s answer is not JSON", LATER) from None

    def _read(self, path: str) -> Any:
        status, data = self._call("GET", path)
        if status != 200:
            raise trouble(f"{self.forge} answers {status} for {path.partition('?')[0]}", "see the job's permissions")
        return data

    @property
    def now(self) -> str:
        """The server's time to the minute; contacts the server if this is the first call."""
        if self.clock is None:
            self._read("")
        assert self.clock is not None, "every answer of the server is dated"
        return write_time(self.clock)

    @abstractmethod
    def _own_comments(self, number: int) -> Iterator[tuple[int, str]]:
        """Courtly's comments on a request, as pairs of number and mark, oldest first."""

    def marks(self, number: int) -> tuple[str, ...]:
        """The marks of courtly's comments on a request, oldest first."""
        return tuple(mark for _, mark in self._own_comments(number))

    def comment_once(self, number: int, mark: str, text: str, known: tuple[str, ...] | None = None) -> None:
        """Comment on a request unless a comment of ours with this mark exists; if two jobs do so at once, one comment remains.

        `known` has the request's marks if they have just been read; otherwise it is None.
        """
        if mark in (self.marks(number) if known is None else known):
            return
        status, _ = self._call("POST", f"/issues/{number}/comments", {"body": f"<!-- courtly {mark} -->\n{text}"})
        if status != 201:
            raise trouble(f"{self.forge} answers {status} for a comment", "see the job's permissions")
        # Another job may have checked at the same moment. Both see both comments now, and remove all but the first.
        for again, _ in [entry for entry in self._own_comments(number) if entry[1] == mark][1:]:
            status, _ = self._call("DELETE", f"/issues/comments/{again}")
            if status not in (204, 404):
                raise trouble(f"{self.forge} answers {status} for removing a comment", "see the job's permissions")


def time_of(value: object) -> str:
    """A time from an API, in the archive's form, to the minute; raises `Problems`."""
    return write_time(read_time(str(value)))


MOST_COMMITS = 10
"""Maximum number of commits that are searched for the one that introduced a file: later commits may have moved it."""


def receipt_in(commits: Sequence[Mapping[str, Any]], digest: str) -> tuple[str, dict[str, str]]:
    """The first of these commits, or with a `digest` the first whose receipt names that digest; and name -> value of its trailers."""
    for commit in commits:
        lines = str(commit["commit"]["message"]).splitlines()
        trailers = dict(line.split(": ", 1) for line in lines if ": " in line)
        if digest in ("", trailers.get("Courtly-SHA256")):
            return hash_of(commit["sha"]), trailers
    return "", {}


def hash_of(value: object) -> str:
    """A Git hash, checked so that it cannot be a path; raises `Problems`."""
    text = str(value)
    if not HASH.fullmatch(text):
        raise trouble("the forge's answer names no commit", LATER)
    return text
