"""Catch-up: everything that is open is looked at, and gets the answer that intake would have given, once, whatever events were lost.

It has no secret. What is open is read in bulk; what may go in is committed, each file in a commit of its own, and pushed at once; only then
are answers written. So of two jobs that look at one request only the one whose push went through answers. A run writes no more than a
job's token may in a minute; what is left goes to the next run.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import LATER, Forge, Issue, Pull, Spent
from adjudicator.ci.intake import (
    ATTEMPTS,
    LOOKED_BACK,
    PAGES,
    Decision,
    Outcome,
    answer,
    decide,
    is_changed,
    message,
    refusal_mark,
    wake,
)
from adjudicator.ci.letters import marked_path
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.join import FOLDER
from adjudicator.core.game.schedule import closing, read_time
from adjudicator.core.jobs.intake import JOIN, PATH
from adjudicator.core.text.problems import Problem, Problems, contain_errors, problem
from adjudicator.core.turn.data import Turn

MOST_ANSWERS = 35
"""Requests that one run answers, with two writes each: GitHub takes about eighty a minute, and other jobs write too."""
SPARED = 100
"""The calls that are left to other jobs when a flood of requests uses up the rate limit."""
AGAIN = "catch-up.yml"
"""The workflow that runs this."""


@dataclass
class Caught:
    """The result of one run."""

    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left: int = 0
    """Requests that wait for the next run."""
    spent: bool = False
    """Whether the forge took no more calls."""


def catch_up(
    forge: Forge,
    clone: Clone,
    archive: Archive,
    *,
    most: int = MOST_ANSWERS,
    wait: Callable[[float], None] = time.sleep,
) -> Caught:
    """Answers what is open, the oldest first and each account's first before anybody's second, at most so many requests.

    Raises `Problems` when the forge does not answer at all. A fault in one request stops no other.
    """
    caught = Caught()
    at = forge.now
    found, whole = forge.requests(read_time(at) - LOOKED_BACK)
    if not whole:
        caught.problems.append(Problem("", 0, 0, "more is open than one run can read", LATER))
    for attempt in range(ATTEMPTS):
        if attempt:
            wait(2.0**attempt)
        clone.update()
        caught.left, faults = 0, list[Problem]()
        made, commits = _plan(forge, clone, archive, in_turn(archive, found), most, caught, faults)
        if not commits or clone.push():
            break
    else:
        raise problem("", f"others pushed {ATTEMPTS} times while requests were taken in", LATER)
    caught.problems += faults
    _answer(forge, made, commits, at, caught)
    _go_on(forge, clone, archive, made, commits, at, caught, found)
    return caught


def _plan(
    forge: Forge,
    clone: Clone,
    archive: Archive,
    found: list[Pull | Issue],
    most: int,
    caught: Caught,
    faults: list[Problem],
) -> tuple[list[Decision], dict[int, str]]:
    """Decides on requests in order and commits the files that may go in; gives the decisions, and number -> commit."""
    made: list[Decision] = []
    commits: dict[int, str] = {}
    answers = 0
    _fetch(forge, found[: 2 * most], faults)
    for done, request in enumerate(found):
        if answers >= most or (forge.left is not None and forge.left < SPARED):
            caught.left = sum(needs_answer(other) for other in found[done:])
            break
        try:
            with contain_errors(f"request {request.number}"):
                one = decide(forge, clone, archive, request)
                if one.what == "refuse" and is_changed(forge, request):
                    continue  # pushed to meanwhile: this is no longer what is offered
        except Spent as error:
            faults.extend(error.problems)
            caught.spent = True
            caught.left = sum(needs_answer(other) for other in found[done:])
            break
        except Problems as error:
            faults.extend(error.problems)
            continue
        made.append(one)
        answers += one.what != "leave" or one.closes
        if one.what == "accept" and one.before is None:
            assert one.accepted is not None
            at = forge.now
            path, body = one.accepted.place.path, one.accepted.body
            commits[request.number] = clone.add(path, body, message(forge, one, at), at)
    return made, commits


def _fetch(forge: Forge, found: Iterable[Pull | Issue], faults: list[Problem]) -> None:
    """Reads the files of pull requests that may go in, in bulk."""
    wanted = [
        (request.head, request.changes[0].path)
        for request in found
        if isinstance(request, Pull)
        and request.changes is not None
        and len(request.changes) == 1
        and needs_answer(request)
        and (PATH.fullmatch(request.changes[0].path) or JOIN.fullmatch(request.changes[0].path))
    ]
    try:
        forge.fetch(wanted)
    except Problems as error:
        faults.extend(error.problems)  # then they are read one by one


def _answer(forge: Forge, made: list[Decision], commits: dict[int, str], at: str, caught: Caught) -> None:
    """Writes the answers, and keeps what became of each request."""
    for done, one in enumerate(made):
        try:
            with contain_errors(f"request {one.request.number}"):
                answer(forge, one, at, commits.get(one.request.number, ""))
            if one.what != "leave" or one.closes:
                caught.outcomes.append(one.outcome())
        except Spent as error:
            caught.problems.extend(error.problems)
            caught.spent = True
            caught.left += sum(other.what != "leave" for other in made[done:])
            caught.outcomes.extend(other.outcome() for other in made[done:] if other.request.number in commits)
            return
        except Problems as error:
            caught.problems.extend(error.problems)


def _go_on(
    forge: Forge,
    clone: Clone,
    archive: Archive,
    made: list[Decision],
    commits: dict[int, str],
    at: str,
    caught: Caught,
    found: list[Pull | Issue],
) -> None:
    """Starts what is to be done next: the jobs for which files came in or time has come, and this one if something is left."""
    try:
        wake(forge, clone, archive, [one for one in made if one.request.number in commits], at)
        players = accounts(archive)
        answered = {one.request.number for one in made}
        rest = [request for request in found if request.number not in answered and needs_answer(request)]
        # What strangers send waits for the next run by the clock: they shall not keep machines running.
        if forge.has_failed(PAGES, clone.branch):
            forge.start(
                PAGES, clone.branch
            )  # a deployment that the queue swallowed; a fault in a page fails again, and is left
        if caught.left and not caught.spent and any(request.account in players for request in rest):
            forge.start(AGAIN, clone.branch)
    except Problems as error:
        caught.problems.extend(error.problems)
    if caught.left:
        caught.problems.append(Problem("", 0, 0, f"{caught.left} requests were not looked at", LATER, "warning"))


# Which requests, and in which order -----------------------------------------------------------------------------------


def needs_answer(request: Pull | Issue) -> bool:
    """Whether a request is open and has had no answer, as far as that shows without looking at the archive."""
    if not request.open or (isinstance(request, Pull) and request.draft):
        return False
    return request.marks is None or refusal_mark(request) not in request.marks


def in_turn(archive: Archive, found: list[Pull | Issue]) -> list[Pull | Issue]:
    """Requests in the order in which they are looked at: players' before strangers', in rounds, by the server's time."""
    players = accounts(archive) if found else frozenset()
    oldest = sorted(found, key=lambda request: (request.updated, request.number))
    return [
        *in_rounds(request for request in oldest if request.account in players),
        *in_rounds(request for request in oldest if request.account not in players),
    ]


def in_rounds(requests: Iterable[Pull | Issue]) -> list[Pull | Issue]:
    """Requests in rounds: each account's first, then each one's second, ...

    So all that an account sent is looked at, in the order it was sent, and whoever sends many delays nobody's first.
    """
    rounds: list[list[Pull | Issue]] = []
    counts: Counter[int] = Counter()
    for request in requests:
        if counts[request.account] == len(rounds):
            rounds.append([])
        rounds[counts[request.account]].append(request)
        counts[request.account] += 1
    return [request for one in rounds for request in one]


ACCOUNT = re.compile(rb"account[\"']?\s*:\s*[\"']?([0-9]{1,18})\b")


def accounts(archive: Archive) -> frozenset[int]:
    """Every account that a running game names, as player or host; looked for in the bytes, because there may be many games."""
    return frozenset().union(*(game_accounts(archive, slug) for slug in archive.slugs()))


def game_accounts(archive: Archive, slug: str) -> frozenset[int]:
    """Every account that one game names, as player or host; empty for a game that is over."""
    if archive.has_ended(slug):
        return frozenset()
    numbers: set[int] = set()
    folder = archive.game_folder(slug)
    latest = [folder / name / "turn.yaml" for name in archive.turns(slug)[-1:]]
    joined = sorted((folder / FOLDER).glob("*.yaml"))
    for path in (folder / "game.yaml", *latest, *(path.with_name("ruling.yaml") for path in latest), *joined):
        if path.is_file() and not path.is_symlink():
            numbers.update(map(int, ACCOUNT.findall(path.read_bytes())))
    return frozenset(numbers)


PATIENCE = timedelta(days=1)
"""How long a due turn waits for a request that nobody answers: a fault of ours shall not stop a game for ever."""
MOST_HELD = 10
"""The requests of one account that a due turn waits for, the oldest: whoever sends hundreds does not stop a game."""


def unanswered(archive: Archive, found: Iterable[Pull | Issue], turn: Turn, at: str) -> list[Pull | Issue]:
    """The requests that a due turn waits for: those of its players for it from before its deadline that nobody has answered.

    They count from when they were opened, which nobody can move; one that is late is refused by whoever answers it.
    """
    last = closing(turn.game.data.schedule, turn.data.deadline)
    until = min(last, read_time(at)) if last is not None else read_time(at)
    place = f"games/{turn.game.slug}/{turn.name}/"
    if read_time(at) - until >= PATIENCE:
        return []
    players = game_accounts(archive, turn.game.slug)
    held: Counter[int] = Counter()
    requests = []
    for request in sorted(found, key=lambda request: request.number):
        path = _path_of(request)
        if (
            request.account in players
            and needs_answer(request)
            and path.startswith(place)
            and not (archive.root / path).is_file()
            and read_time(request.created) <= until
            and held[request.account] < MOST_HELD
        ):
            held[request.account] += 1
            requests.append(request)
    return requests


def _path_of(request: Pull | Issue) -> str:
    """The place of a request's first file, as it says; empty for one that names none."""
    if isinstance(request, Issue):
        return marked_path(request.text) or ""
    return request.changes[0].path if request.changes else ""
