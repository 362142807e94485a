"""Catch-up: give every open request the answer that intake would have given, once, even if the request's event was lost.

It has no secret. Open requests are read in bulk. The files that may go in are committed, each in a separate commit, and pushed together;
only then are answers written. So if two jobs see the same request, only the one whose push succeeded answers. A run writes no more than a
job's token may in a minute; the rest is left for the next run.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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
    needs_answer,
    path_of,
    wake,
)
from adjudicator.core.game.absence import FOLDER as ABSENCES
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.join import FOLDER
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.intake import JOIN, is_place
from adjudicator.core.text.problems import Problem, Problems, contain_errors, problem
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.judge import closes

MOST_ANSWERS = 35
"""Maximum number of requests that one run answers, with two writes each: GitHub takes about eighty a minute, and other jobs write too."""
SPARED = 100
"""Number of calls that are left to other jobs when a flood of requests uses up the rate limit."""
EDITED_BACK = timedelta(days=2)
"""How far back accepted issues are checked for edits."""
AGAIN = "catch-up.yml"
"""The file of this job's workflow."""


@dataclass
class Caught:
    """The result of one run."""

    outcomes: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left: int = 0
    """Number of requests that are left for the next run."""
    spent: bool = False
    """True if the forge took no more calls."""


def catch_up(
    forge: Forge,
    clone: Clone,
    archive: Archive,
    *,
    most: int = MOST_ANSWERS,
    wait: Callable[[float], None] = time.sleep,
) -> Caught:
    """Answer at most `most` open requests, in the order of `in_turn`.

    Raises `Problems` if the forge does not answer at all. A fault in one request does not stop the others.
    """
    caught = Caught()
    at = forge.now
    found, whole = forge.requests(read_time(at) - LOOKED_BACK)
    found += forge.edited(read_time(at) - EDITED_BACK)
    if not whole:
        caught.problems.append(Problem("", 0, 0, "more requests are open than one run can read", LATER))
    for attempt in range(ATTEMPTS):
        if attempt:
            wait(2.0**attempt)
        clone.update()
        caught.left, faults = 0, list[Problem]()
        made, commits = _plan(forge, clone, archive, in_turn(archive, found), most, caught, faults)
        if not commits or clone.push():
            break
    else:
        raise problem("", f"others pushed {ATTEMPTS} times while requests were being taken in", LATER)
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
    """Decide on requests in order and commit the files that may go in; returns the decisions, and request number -> commit."""
    made: list[Decision] = []
    commits: dict[int, str] = {}
    answers = 0
    _fetch(forge, found[: 2 * most], faults)
    for done, request in enumerate(found):
        if answers >= most or (forge.left is not None and forge.left < SPARED):
            caught.left = sum(needs_answer(other) for other in found[done:])
            caught.spent = answers < most
            break
        try:
            with contain_errors(f"request {request.number}"):
                one = decide(forge, clone, archive, request)
                if one.what == "refuse" and is_changed(forge, request):
                    continue  # somebody has pushed to it meanwhile
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
    """Read in bulk the files of those pull requests that may be taken in."""
    wanted = [
        (request.head, request.changes[0].path)
        for request in found
        if isinstance(request, Pull)
        and request.changes is not None
        and len(request.changes) == 1
        and needs_answer(request)
        and is_place(request.changes[0].path)
    ]
    try:
        forge.fetch(wanted)
    except Problems as error:
        faults.extend(error.problems)  # then they are read one by one


def _answer(forge: Forge, made: list[Decision], commits: dict[int, str], at: str, caught: Caught) -> None:
    """Write the answers, and record the outcome of each request."""
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
    """Start the workflows that have something to do now, and this one again if players' requests are left."""
    try:
        players = accounts(archive)
        answered = {one.request.number for one in made}
        rest = [request for request in found if request.number not in answered and needs_answer(request)]
        # A turn may be due. While a player's request cannot be answered, starting the judge would make the two jobs start each other for ever.
        stuck = any(request.account in players for request in rest)
        done = any(one.what != "leave" for one in made)
        wake(forge, clone, archive, [one for one in made if one.request.number in commits], at, clock=done or not stuck)
        # Strangers' requests wait for the next scheduled run, so that strangers cannot keep machines running.
        if forge.has_failed(PAGES, clone.branch):
            forge.start(
                PAGES, clone.branch
            )  # the queue may have dropped a deployment; if a page has a fault, it fails again and is left as it is
        if caught.left and not caught.spent and any(request.account in players for request in rest):
            forge.start(AGAIN, clone.branch)
    except Problems as error:
        caught.problems.extend(error.problems)
    if caught.left:
        caught.problems.append(Problem("", 0, 0, f"{caught.left} requests were not checked", LATER, "warning"))


# Selection and order of requests --------------------------------------------------------------------------------------


def in_turn(archive: Archive, found: list[Pull | Issue]) -> list[Pull | Issue]:
    """Requests in the order of processing: players' before strangers', in rounds, by their numbers."""
    players = accounts(archive) if found else frozenset()
    # By number: a comment gives a pull request a later time, but not another number.
    oldest = sorted(found, key=lambda request: request.number)
    order = [
        *in_rounds(request for request in oldest if request.account in players),
        *in_rounds(request for request in oldest if request.account not in players),
    ]
    # Whoever asks for a seat first gets it, player or stranger: the places that requests for seats have here go to them by number.
    asking = [request for request in order if JOIN.fullmatch(path_of(None, request))]
    seats = iter(sorted(asking, key=lambda request: request.number))
    waiting = {request.number for request in asking}
    return [next(seats) if request.number in waiting else request for request in order]


def in_rounds(requests: Iterable[Pull | Issue]) -> list[Pull | Issue]:
    """Requests in rounds: each account's first, then each one's second, ...

    So an account's requests are processed in the order that it sent them, and many requests from one account delay nobody else's first.
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
HOSTS = re.compile(rb"host_accounts[\"']?\s*:\s*(\[[^\]]{0,400}\]|(?:\s*-\s*[\"']?[0-9]{1,18}\b[\"']?){1,20})")
NUMBER = re.compile(rb"[0-9]{1,18}")


def _numbers(text: bytes) -> Iterator[int]:
    """Every account number that a file names."""
    yield from map(int, ACCOUNT.findall(text))
    yield from (int(number) for some in HOSTS.findall(text) for number in NUMBER.findall(some))


def accounts(archive: Archive) -> frozenset[int]:
    """Every account that a running game names, as player or host. Searches the files' bytes, because there may be many games."""
    return frozenset().union(*(game_accounts(archive, slug) for slug in archive.slugs()))


def game_accounts(archive: Archive, slug: str) -> frozenset[int]:
    """Every account that one game names, as player or host; empty for a game that is over."""
    if archive.has_ended(slug):
        return frozenset()
    numbers: set[int] = set()
    folder = archive.game_folder(slug)
    latest = [folder / name / "turn.yaml" for name in archive.turns(slug)[-1:]]
    joined = archive.files.paths(folder / FOLDER, "*.yaml")
    for path in (folder / "game.yaml", *latest, *(path.with_name("ruling.yaml") for path in latest), *joined):
        if archive.files.is_file(path):
            numbers.update(_numbers(archive.files.read(path)))
    return frozenset(numbers)


PATIENCE, LITTLE = timedelta(days=1), timedelta(hours=1)
"""How long a due turn waits for a request that nobody answers, since a fault in courtly must not stop a game for ever; and how long for
one from an account that sent more than `MOST_HELD`.
"""
MOST_HELD = 10


def unanswered(archive: Archive, found: Iterable[Pull | Issue], turn: Turn, at: str) -> list[Pull | Issue]:
    """The requests that a due turn waits for: unanswered, sent by its players, for this turn or about an absence, and opened before its deadline.

    Nobody can change when a request was opened. If what it brings came too late, it is refused when it is answered.
    """
    now, last = read_time(at), closes(turn.game, turn.data)
    over = last if last is not None and last <= now else None
    game = turn.game
    # A request may be older than the game's current name.
    folders = (turn.name, ABSENCES)
    places = {
        f"games/{name}/{folder}/": f"{game.home}/{folder}/" for name in (game.slug, game.name) for folder in folders
    }
    players = game_accounts(archive, turn.game.slug)
    waiting = []
    for request in sorted(found, key=lambda request: request.number):
        path = path_of(None, request)
        before = "/".join(path.split("/")[:3]) + "/"
        path = places[before] + path.removeprefix(before) if before in places else ""
        # Rulings are changed in place; an existing sheet was taken in.
        there = path != "" and not path.endswith("/ruling.yaml") and archive.files.is_file(archive.root / path)
        created = read_time(request.created)
        mine = request.account in players and path != "" and not there
        if mine and needs_answer(request) and created <= (over or now):
            waiting.append((request, max(created, over) if over is not None else created))
    counts = Counter(request.account for request, _ in waiting)
    return [
        request
        for request, since in waiting
        if now - since < (PATIENCE if counts[request.account] <= MOST_HELD else LITTLE)
    ]


def may_wait(turn: Turn, at: str) -> bool:
    """True if a due turn may still wait while the open requests are unknown."""
    last = closes(turn.game, turn.data)
    return last is not None and read_time(at) - last < PATIENCE
