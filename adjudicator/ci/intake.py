"""Intake: check one request, and accept it, refuse it, or leave it to people.

A request is a pull request with one file, or an issue that holds one. The checked bytes go in by a commit that courtly makes on the very
archive they were checked against: the forge moves the branch only if nobody else has. So neither a force-push nor an adjudication can come
between check and commit, and nothing else of a stranger's commit, no message, author or parent, enters the archive. The request is closed,
and gets a receipt. GitHub's call for merging is not used, because it cannot be limited in this way.

An event starts intake for one request, so that the answer comes quickly. Catch-up does the same for everything that is open, even if events
were lost.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import Forge, Issue, Moved, Pull, Trouble, trouble
from adjudicator.ci.letters import marked_path, read_letter
from adjudicator.core.game.absence import Leave
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Door
from adjudicator.core.game.join import Chair
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.intake import (
    REGULAR,
    Accepted,
    Early,
    Ended,
    Over,
    Place,
    admit,
    all_for_games,
    examine_file,
    is_for_games,
    is_in,
    is_open,
    is_place,
    latest_before,
    locate,
    only_change,
    take_absence,
    take_seat,
)
from adjudicator.core.jobs.run import might_be_due
from adjudicator.core.text.problems import Problem, Problems, plain, problem
from adjudicator.core.turn.load import load_charter
from adjudicator.core.turn.sheets import MOST_BYTES
from adjudicator.core.turn.unopened import seats_sent


class Shut(Problems):
    """A refusal because this archive does not take sheets in the way that this one came: as a pull request, or as an issue."""


ATTEMPTS = 6
"""Maximum number of times that a request is checked; it is checked again if the branch has moved meanwhile."""
ANSWERS = timedelta(minutes=10)
"""How long a job that accepted a file may take to answer; intake's own limit is five minutes."""
LOOKED_BACK = timedelta(days=30)
"""How far back open requests are considered; older ones have been answered."""
MOST_BEFORE = 10
"""Maximum number of earlier requests that are processed before the one that an event is about."""
PAGES, JUDGE = "pages.yml", "adjudicate.yml"
"""The workflow that builds the site, and the one that judges."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a request: `accepted`, `refused`, or `left` unchanged; and a line for the log."""

    number: int
    what: str
    line: str
    door: Door = Door.PULLS

    def __str__(self) -> str:
        """The outcome as a line."""
        return f"{SOURCES[self.door].capitalize()} {self.number} {self.what}: {self.line}"


SOURCES = {Door.PULLS: "pull request", Door.ISSUES: "issue"}


def source_of(request: Pull | Issue) -> str:
    """The name of a request in commits: `pull request 12`."""
    return f"{SOURCES[request.door]} {request.number}"


# Deciding ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision on a request, for the archive that it was checked against."""

    request: Pull | Issue
    what: Literal["accept", "refuse", "leave", "tell"]
    """`tell`: an accepted issue was edited, and its author learns that this changes nothing."""
    line: str
    """A line for the log."""
    accepted: Accepted | None = None
    sent: str = ""
    error: Problems | None = None
    for_games: bool = True
    """True if it touches nothing but games, so that nobody else need review it."""
    closes: bool = False
    """True if a request that is left has been answered, and is only to be closed."""
    before: tuple[str, str] | None = None
    """For a file that is already in: when it was received, and its commit."""
    edited: bool = False
    """True if the text of an issue has changed since it was accepted."""

    def outcome(self) -> Outcome:
        """The outcome of the request once this decision has been carried out."""
        done = {"accept": "accepted", "refuse": "refused"}.get(self.what, "left")
        return Outcome(self.request.number, done, self.line, self.request.door)


def decide(forge: Forge, clone: Clone, archive: Archive, request: Pull | Issue) -> Decision:
    """Decide on a request, for the archive in the clone; writes nothing. Raises `Trouble`."""
    if not request.open:
        return _edited(forge, request) or Decision(request, "leave", "is already closed")
    if isinstance(request, Issue):
        if marked_path(request.text) is None:
            return Decision(request, "leave", "is an ordinary issue")
        for_games = True
    else:
        if request.branch != clone.branch:
            return Decision(request, "leave", "is for another branch")
        if request.draft:
            return Decision(request, "leave", "is a draft")
        changes = forge.changes(request)
        if not is_for_games(changes):
            return Decision(request, "leave", "changes no game")
        request = replace(request, changes=changes)
        for_games = all_for_games(changes)
    if not request.account:
        return Decision(request, "leave", "has no known author")
    if refusal_mark(request) in _marks(forge, request):
        # Closed, unless somebody reopened it for people to review: the job that refused it may have been killed before closing it.
        reopened = request.reopened if isinstance(request, Issue) else for_games and forge.was_reopened(request)
        line = "was refused before, and stays refused with " + (
            "this text" if isinstance(request, Issue) else "this commit"
        )
        return Decision(request, "leave", line, closes=for_games and not reopened)
    if isinstance(request, Issue) and (said := _edited(forge, request)) is not None:
        return said  # accepted, opened again and edited: it brings no second file
    try:
        accepted, done, sent = _check(forge, clone, archive, request)
    except Trouble:
        raise
    except Problems as error:
        return Decision(request, "refuse", plain(_short(error)), error=error, for_games=for_games)
    line = f"{accepted.place.path} {accepted.digest}"
    other = isinstance(request, Issue) and done and not _says(request, accepted)
    made = Decision(request, "accept", line, accepted, sent, for_games=for_games, edited=other)
    if not done:
        return made
    if acceptance_mark(made) in _marks(forge, request):
        return Decision(request, "leave", "was taken in before", closes=True)
    commit, trailers = receipt_of(forge, clone, archive, accepted.place.path)
    came = trailers.get("Courtly-Received", "")
    if trailers.get(SOURCE) != source_of(request) or not TIMES.fullmatch(came):
        return replace(made, before=("", ""))
    if read_time(forge.now) - read_time(came) < ANSWERS:
        return Decision(request, "leave", "another job has just taken it in, and will answer")
    return replace(made, before=(came, commit))


def _marks(forge: Forge, request: Pull | Issue) -> tuple[str, ...]:
    if request.marks is not None:
        return request.marks
    return forge.marks(request.number) if request.comments else ()


def refusal_mark(request: Pull | Issue) -> str:
    """The mark of a refusal of this very commit or text, which stays refused.

    Otherwise a sheet with a wrong number could be kept open until others made the number right, after the deadline.
    """
    return f"refused {request.version}"


def _edited(forge: Forge, request: Pull | Issue) -> Decision | None:
    """The answer to an edit of an accepted issue; None if it was not edited, or its author already has the answer."""
    if not isinstance(request, Issue) or not request.comments:
        return None
    marks = _marks(forge, request)
    if not any(mark.startswith("accepted ") for mark in marks):
        return None
    closes = request.open
    if f"accepted {request.version}" in marks or EDIT_MARK in marks:
        return Decision(request, "leave", "was taken in before", closes=True) if closes else None
    return Decision(request, "tell", "was edited after it was taken in, which changes nothing", closes=closes)


def _says(request: Issue, accepted: Accepted) -> bool:
    """True if an issue holds the very file that was accepted; of a seat or an absence, intake stores a different file, so any issue counts."""
    if isinstance(accepted.place, Chair | Leave):
        return True
    try:
        return read_letter(request.text) == accepted.body
    except Problems:
        return False


def acceptance_mark(made: Decision) -> str:
    """The mark of a receipt. It names the file, or the current text of an issue, which may be edited later."""
    assert made.accepted is not None
    request = made.request
    return f"accepted {request.version if isinstance(request, Issue) else made.accepted.digest}"


EDIT_MARK = "edited 0"
"""The mark of the answer to an edit: only one is given, however often somebody edits."""


def _check(forge: Forge, clone: Clone, archive: Archive, request: Pull | Issue) -> tuple[Accepted, bool, str]:
    """Check a request's file, cheap checks first; returns the file, true if it is already in, and when it was sent."""
    if isinstance(request, Issue):
        path = marked_path(request.text) or ""
    else:
        path = only_change(forge.changes(request), request.files).path
    sent = request.updated
    with _archives_fault(path):
        _check_door(forge, archive, request)
        place = locate(archive, path, request.account)
    if isinstance(place, Chair):
        accepted, done = take_seat(archive, place, _body(forge, request, path), request.login, sent)
        return accepted, done, sent
    if isinstance(place, Leave):
        accepted, done = take_absence(place, _body(forge, request, path), sent)
        return accepted, done, sent
    there = archive.files.is_file(archive.root / place.path)
    if there and isinstance(request, Issue) and _source(forge, clone, archive, place.path) == source_of(request):
        # This issue brought the file that is there, whatever the issue contains now.
        return Accepted(place, archive.read(archive.root / place.path)), True, sent
    if not there:
        with _archives_fault(path):
            admit(archive, place, sent)
            late = not is_open(archive, place, forge.now)
        if late:
            # Only now does it matter when the request became eligible for intake: before the deadline, it is in time in any case.
            if isinstance(request, Pull):
                sent = max([sent, *forge.offer_times(request)])
                admit(archive, place, sent)
            _check_turn(forge, clone, archive, place, sent, request.number)
    body = _body(forge, request, path)
    if there and is_in(archive, place, body):
        return Accepted(place, body), True, sent
    if there and place.file is not None:
        admit(archive, place, sent)
    elif there:
        _check_rulings_order(forge, clone, archive, place, sent, request.number)
    return examine_file(archive, place, body), False, sent


def receipt_of(forge: Forge, clone: Clone, archive: Archive, path: str) -> tuple[str, dict[str, str]]:
    """The commit of intake that added a file, with its trailers, even if the game has been renamed or put away since.

    Without such a commit, the latest that touched the file, and its trailers.
    """
    latest = forge.receipt(clone.branch, path)
    file = archive.root / path
    inside = archive.inside(file)
    if SOURCE in latest[1] or not inside or not archive.files.is_file(file):
        return latest
    digest = Accepted.digest_of(archive.read(file))
    for name in dict.fromkeys((inside[0], archive.name_of(inside[0]))):
        older = "/".join(("games", name, *inside[1:]))
        if older != path and SOURCE in (found := forge.receipt(clone.branch, older, digest))[1]:
            return found
    return latest


def _source(forge: Forge, clone: Clone, archive: Archive, path: str) -> str:
    """The name of the request that brought a file; empty if none did."""
    return receipt_of(forge, clone, archive, path)[1].get(SOURCE, "")


@contextlib.contextmanager
def _archives_fault(path: str) -> Iterator[None]:
    """Turn faults in the archive's own files into `Trouble`: the sender of a sheet cannot mend them, so the sheet is not refused."""
    try:
        yield
    except Trouble:
        raise
    except Problems as error:
        others = [fault for fault in error.problems if fault.path and fault.path != path]
        if others:
            raise trouble(
                f"the archive has a fault: {others[0]}", "the request is checked again once that is mended"
            ) from None
        raise


def _check_rulings_order(forge: Forge, clone: Clone, archive: Archive, place: Place, sent: str, number: int) -> None:
    """Raise `Problems` for rulings that were sent before those in the archive: they would replace newer ones."""
    said = receipt_of(forge, clone, archive, place.path)[1]
    came = said.get(SENT, "")
    if TIMES.fullmatch(came) and (sent, number) < (came, _number_of(said.get(SOURCE, ""))):
        what = f"these rulings were sent at {sent}, before the current ones, which were sent at {came}"
        raise problem("", what, "send the current ones again, with those that you want to add below them")


def _number_of(source: str) -> int:
    number = source.rpartition(" ")[2]
    return int(number) if number.isdecimal() and number.isascii() and len(number) < 19 else 0


def _check_door(forge: Forge, archive: Archive, request: Pull | Issue) -> None:
    """Raise `Problems` for a door that is closed or that the forge does not support, and for an issue that others edited."""
    charter = load_charter(archive)
    left = [door for door in (charter.doors if charter is not None else Door) if door in forge.doors]
    if request.door not in left:
        ways = {Door.PULLS: "a pull request", Door.ISSUES: "an issue"}
        others = " or ".join(ways[door] for door in left)
        right = f"send it as {others}" if others else "ask the archive's host how"
        raise Shut([Problem("", 0, 0, f"this archive does not take sheets as {ways[request.door]}", right)])
    if isinstance(request, Issue) and not request.own:
        raise problem("", "somebody else edited this issue", "open another, and let nobody else edit it")
    if isinstance(request, Issue) and not request.known:
        raise problem("", "this issue was edited so often that nobody can tell by whom", "open another")


def _body(forge: Forge, request: Pull | Issue, path: str) -> bytes:
    """The bytes of a request's file; raises `Problems` unless it is an ordinary file of an allowed size."""
    if isinstance(request, Issue):
        return read_letter(request.text)
    entry = forge.entry(request.head, path)
    if entry.mode != REGULAR or entry.kind != "blob":
        what = {"120000": "a link", "160000": "a submodule", "100755": "an executable file"}.get(
            entry.mode, "not a file"
        )
        raise problem("", f"{path} is {what}", "send an ordinary file")
    if entry.size > MOST_BYTES:
        raise problem("", f"the file has {entry.size} bytes", f"at most {MOST_BYTES} are allowed")
    body = forge.blob(entry.sha)
    if len(body) > MOST_BYTES:
        raise problem("", f"the file has {len(body)} bytes", f"at most {MOST_BYTES} are allowed")
    return body


def _check_turn(forge: Forge, clone: Clone, archive: Archive, place: Place, sent: str, number: int) -> None:
    """Raise `Problems` if a sheet that is processed after the deadline was sent before the one whose number it follows.

    The sheet's number was wrong when it was sent, and its author must not be able to choose afterwards whether it counts. A rival's comment
    gives a pull request a later time, but not another number: the sheet was sent before if its time and its request's number are both
    earlier.
    """
    before = latest_before(archive, place)
    said = receipt_of(forge, clone, archive, before)[1] if before else {}
    came, after = said.get(SENT), _number_of(said.get(SOURCE, "")) or number + 1
    if before and came and TIMES.fullmatch(came) and sent < came and number < after:
        what = f"this was sent at {sent}, before {before.rpartition('/')[2]}, which was sent at {came}"
        raise problem("", what, "the later one counts; write another for the next turn")


# Carrying out -----------------------------------------------------------------------------------------------------


def intake(forge: Forge, clone: Clone, archive: Archive, number: int, door: Door = Door.PULLS) -> Outcome:
    """Accept, refuse or leave one request, as it is now; doing so again changes nothing.

    Raises `Problems` if the forge does not cooperate; whatever is left to do, catch-up does.
    """
    ordered = False
    for _ in range(ATTEMPTS):
        request = forge.request(number, door)
        base, tree = clone.update(), clone.tree
        made = decide(forge, clone, archive, request)
        if not ordered and (made.what == "accept" or isinstance(made.error, Early)):
            ordered = True
            earlier = _before(forge, request)
            for one in earlier:
                intake(forge, clone, archive, one.number, one.door)
            # Nothing that came before is waiting now, but another job may have taken it in since the clone was updated.
            if earlier or isinstance(made.error, Early):
                continue
        if made.what == "refuse" and is_changed(forge, request):
            continue  # somebody has pushed to it meanwhile
        at, commit = forge.now, ""
        if made.what == "accept" and made.before is None:
            assert made.accepted is not None
            path, body = made.accepted.place.path, made.accepted.body
            said = message(forge, made, at)
            try:
                commit = forge.add_file(branch=clone.branch, base=base, tree=tree, path=path, body=body, message=said)
            except Moved:
                continue
        answer(forge, made, at, commit)
        if commit:
            clone.update()
            wake(forge, clone, archive, [made], at)
        return made.outcome()
    raise trouble(f"the branch moved {ATTEMPTS} times while {SOURCES[door]} {number} was being checked", "run it again")


def _before(forge: Forge, request: Pull | Issue) -> list[Pull | Issue]:
    """The waiting requests that came before this one, from the same account or for the same place; at most `MOST_BEFORE`, oldest first.

    Events come in any order, and some never: a second sheet must not be refused because the first is still on its way, and of two requests
    for one seat the first gets it. Numbers show which came first: no comment changes them.
    """
    found, _ = forge.requests(read_time(request.created) - LOOKED_BACK)
    path = path_of(forge, request)
    own = [
        one
        for one in found
        if one.number < request.number
        and needs_answer(one)
        and (one.account == request.account or (path and path_of(forge, one) == path))
    ]
    return sorted(own, key=lambda one: one.number)[:MOST_BEFORE]


def path_of(forge: Forge | None, request: Pull | Issue) -> str:
    """The path of a request's first file, as the request gives it; empty if there is none, or if no file of a game can have that path."""
    if isinstance(request, Issue):
        path = marked_path(request.text) or ""
    else:
        changes = request.changes if request.changes is not None or forge is None else forge.changes(request)
        path = changes[0].path if changes else ""
    return path if is_place(path) else ""


def needs_answer(request: Pull | Issue) -> bool:
    """True if a request is open and unanswered, as far as that can be seen without the archive."""
    if not request.open or (isinstance(request, Pull) and request.draft):
        return False
    return request.marks is None or not any(
        mark == refusal_mark(request) or mark.startswith("accepted ") for mark in request.marks
    )


def is_changed(forge: Forge, request: Pull | Issue) -> bool:
    """True if a request's content, or whether it is open, has changed since it was read."""
    now = forge.request(request.number, request.door)
    return now.version != request.version or now.open != request.open


def answer(forge: Forge, made: Decision, at: str, commit: str) -> None:
    """Write the outcome of a request, once, and close it: two writes at most. `commit` has just taken its file in, if not empty."""
    request = made.request
    known = request.marks if request.comments else ()
    if made.what == "tell":
        assert isinstance(request, Issue)
        forge.comment_once(request.number, EDIT_MARK, EDITED, known)
    elif made.what == "refuse":
        assert made.error is not None
        forge.comment_once(request.number, refusal_mark(request), refusal(made.error, _advice(made)), known)
    elif made.accepted is not None:
        received, where = (at, commit) if made.before is None else made.before
        said = receipt(made.accepted, received, where) + (f"\n{EDITED}" if made.edited else "")
        forge.comment_once(request.number, acceptance_mark(made), said, known)
    if made.what == "accept" or (made.what == "refuse" and made.for_games) or made.closes:
        forge.close(request)


def wake(
    forge: Forge, clone: Clone, archive: Archive, made: Iterable[Decision], at: str, *, clock: bool = True
) -> None:
    """Start the workflows that have something to do now that these files are in, or, with `clock`, because a turn may be due.

    The judging job is started for a sealed sheet, to check that it opens; for a ruling; for a new seat or wish; for an absence, which may
    move a deadline; and if the last missing sheet has come in. The site is built for a new seat: it lists the keys for private news, and a job's own push does not publish it.
    """
    places = [decision.accepted.place for decision in made if decision.accepted is not None]
    if any(isinstance(place, Chair) for place in places):
        forge.start(PAGES, clone.branch)
    sheets = [place for place in places if isinstance(place, Place) and not place.letter]
    if (
        any(place.file is None or place.file.sealed or _all_in(archive, place) for place in sheets)
        or any(isinstance(place, Leave) for place in places)
        or any(isinstance(place, Chair) and place.turn is None and (place.taken or place.wish) for place in places)
        or (
            clock
            and any(archive.turns(slug) and might_be_due(archive, slug, at, maps=False) for slug in archive.slugs())
        )
    ):
        forge.start(JUDGE, clone.branch)


def _all_in(archive: Archive, place: Place) -> bool:
    """True if every seat that owes a sheet in a sheet's turn has sent one."""
    turn = place.turn
    return set(turn.data.owing) <= seats_sent(archive, turn)


# Texts ------------------------------------------------------------------------------------------------------------


SENT = "Courtly-Sent"
SOURCE = "Courtly-Source"
TIMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ", re.ASCII)


def message(forge: Forge, made: Decision, at: str) -> str:
    """The message of a commit that takes a file in: it contains the receipt, and no stranger's text."""
    accepted, request = made.accepted, made.request
    assert accepted is not None
    login, account = request.login, request.account
    source = source_of(request)
    lines = [
        accepted.what[0].upper() + accepted.what[1:],
        "",
        f"{source[0].upper()}{source[1:]}.",
        "",
        f"Courtly-File: {accepted.place.path}",
        f"Courtly-SHA256: {accepted.digest}",
        f"Courtly-Received: {at}",
        f"Courtly-Account: {account}",
        f"{SENT}: {made.sent}",
        f"{SOURCE}: {source}",
    ]
    if login.replace("-", "").isalnum() and login.isascii():
        lines.append(f"Co-authored-by: {login} <{forge.mail(account, login)}>")
    return "\n".join(lines) + "\n"


EDITED = """**This edit changes nothing.** The file was taken in as it was when its receipt was written.

To change your mind about a sheet before the deadline, send another under the next number.
"""


def receipt(accepted: Accepted, at: str, commit: str) -> str:
    """The answer to the player whose file was accepted."""
    place = accepted.place
    lines = [
        f"**Received:** the {accepted.what}.",
        "",
        "| | |",
        "| --- | --- |",
        f"| file | `{accepted.place.path}` |",
        f"| SHA-256 | `{accepted.digest}` |",
        *((f"| received | {at} (server time) |", f"| commit | {commit} |") if commit else ("| received | before |",)),
        "",
    ]
    if accepted.remarks:
        lines += ["It counts as it is. You may want to look at this:", "", *fence(accepted.remarks), ""]
    if isinstance(place, Chair | Leave):
        lines.append(place.welcome)
    elif place.letter:
        lines.append(
            "It stays sealed until the game is over. If it is sealed to the key in game.yaml, everybody can then read it beside its turn."
        )
    elif place.file is not None:
        sealed = "It is sealed, and will be read when the turn is judged."
        lines.append(sealed if place.file.sealed else "Everybody can read it.")
        lines.append("To change your mind before the deadline, send another under the next number.")
    return "\n".join(lines) + "\n"


def _advice(made: Decision) -> str:
    issue = isinstance(made.request, Issue)
    if not made.for_games:
        return "It stays open for those who look after the repository. A sheet needs a separate pull request."
    if isinstance(made.error, (Ended, Shut)):
        return "It is closed."
    if isinstance(made.error, Over):
        return f"It is closed. Open another{' issue' if issue else ''} for the turn that is open."
    if issue:
        return "It is closed, and stays refused. Correct the sheet and open another issue."
    return "It is closed, and stays refused. Correct the file and open another pull request."


def refusal(error: Problems, advice: str) -> str:
    """The answer to a request that cannot go in."""
    lines = ["**This cannot go in.** Nothing was changed.", "", *fence(error.problems), ""]
    lines.append(advice)
    return "\n".join(lines) + "\n"


def fence(problems: tuple[Problem, ...]) -> list[str]:
    """At most twenty problems as a block of Markdown, without markup, mentions or links in it."""
    told = [str(fault).replace("`", "'")[:400] for fault in problems[:20]]
    if len(problems) > 20:
        told.append(f"... and {len(problems) - 20} more")
    return ["```text", *told, "```"]


def _short(error: Problems) -> str:
    first = str(error.problems[0])[:200]
    return first + (f" (and {len(error.problems) - 1} more)" if len(error.problems) > 1 else "")
