"""Intake: one pull request is looked at, and goes in, goes back, or is left to people.

What goes in is the bytes that were checked, in a commit of our own on the very archive they were checked against: GitHub
moves the branch only if nobody else did. So neither a force-push nor an adjudication can come between check and commit,
and nothing else of a stranger's commit, no message, author or parent, enters the archive. The pull request is closed with
its receipt. The merge button's own call knows no such condition, which is why it is not used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import LATER, Forge, Moved, Pull, Trouble, trouble
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.join import Chair
from adjudicator.core.jobs.guard import strange_keys
from adjudicator.core.jobs.intake import (
    MOST_BYTES,
    REGULAR,
    Accepted,
    Change,
    Over,
    Place,
    admit,
    all_for_games,
    examine_file,
    is_for_games,
    is_in,
    is_open,
    latest_before,
    locate,
    only_change,
    take_seat,
)
from adjudicator.core.text.problems import Problem, Problems, plain, problem

ATTEMPTS = 6
"""How often a pull request is checked anew because the branch moved meanwhile."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pull request: `accepted`, `refused`, or `left` alone; and a line for the log."""

    number: int
    what: str
    line: str


def intake(forge: Forge, clone: Clone, archive: Archive, number: int) -> Outcome:
    """Takes in, refuses or leaves one pull request as it is now; doing it again changes nothing.

    Raises `Problems` when the forge does not play along; then nothing was changed, and the adjudication catches up.
    """
    for _ in range(ATTEMPTS):
        pull = forge.pull(number)
        if not pull.open:
            return Outcome(number, "left", "is closed already")
        if pull.branch != clone.branch:
            return Outcome(number, "left", "is for another branch")
        if pull.draft:
            return Outcome(number, "left", "is a draft")
        changes = forge.changes(number)
        if not is_for_games(changes):
            return Outcome(number, "left", "changes no game")
        if not pull.account:
            raise trouble(f"nobody says whose pull request {number} is", LATER)
        head = pull.head
        if pull.comments and forge.has_said(number, refusal_mark(head)):
            return _leave_refused(forge, number, changes)
        base, tree = clone.update(), clone.tree
        try:
            accepted, done, sent = _check_pull(forge, clone, archive, pull, changes, head)
        except Trouble:
            raise
        except Problems as error:
            if forge.pull(number).head != head:
                continue  # pushed to meanwhile: this is no longer what is offered
            forge.comment_once(number, refusal_mark(head), refusal(error, _advice(error, changes)))
            if all_for_games(changes):
                forge.close(number)
            return Outcome(number, "refused", plain(_short(error)))
        at = forge.now
        try:
            commit = (
                base
                if done
                else forge.add_file(
                    branch=clone.branch,
                    base=base,
                    tree=tree,
                    path=accepted.place.path,
                    body=accepted.body,
                    message=message(accepted, pull, at, sent),
                )
            )
        except Moved:
            continue
        forge.comment_once(number, f"accepted {accepted.digest}", receipt(accepted, at, "" if done else commit))
        forge.close(number)
        if isinstance(accepted.place, Chair):
            # What a job pushes publishes nothing by itself, and the desk seals for whom the page names.
            forge.publish(clone.branch)
        return Outcome(number, "accepted", f"{accepted.place.path} {accepted.digest}")
    raise trouble(f"the branch moved {ATTEMPTS} times while pull request {number} was checked", "run it again")


def refusal_mark(head: str) -> str:
    """The mark of a refusal of this very commit, which stays refused.

    Otherwise a sheet with a wrong number could be kept open until others made the number right, after the deadline.
    """
    return f"refused {head}"


def _leave_refused(forge: Forge, number: int, changes: tuple[Change, ...]) -> Outcome:
    """Leaves a pull request that was refused, closed unless somebody opened it again for people to look at."""
    if all_for_games(changes) and not forge.was_reopened(number):
        forge.close(number)  # the job that refused it came no further
    return Outcome(number, "left", "was refused before, and that holds for this commit")


def _check_pull(
    forge: Forge, clone: Clone, archive: Archive, pull: Pull, changes: tuple[Change, ...], head: str
) -> tuple[Accepted, bool, str]:
    """The pull request's file, checked from outside to inside; whether it is in already; and when it was sent.

    The cheap questions come first.
    """
    change = only_change(changes, pull.files)
    sent = pull.updated
    place = locate(archive, change.path, pull.account)
    if isinstance(place, Chair):
        accepted, done = take_seat(archive, place, _body(forge, head, change.path), pull.login, sent)
        return accepted, done, sent
    if strange := strange_keys(archive, place.turn):
        # The job that catches up has the master secret: what was sealed to a strange key is neither taken in nor refused (FS-3).
        raise trouble(f"{place.turn.game.slug} is stopped: {strange[0].what}", strange[0].right)
    there = place.file is not None and (archive.root / place.path).is_file()
    if not there:
        admit(archive, place, sent)
        if not is_open(archive, place, forge.now):
            # Only now does it matter when it became what it is: before, it is in time whatever happened to it.
            sent = max([sent, *forge.offer_times(pull.number)])
            admit(archive, place, sent)
            _check_turn(forge, clone, archive, place, sent)
    body = _body(forge, head, change.path)
    if there:
        if is_in(archive, place, body):
            return Accepted(place, body), True, sent
        admit(archive, place, sent)
    return examine_file(archive, place, body), False, sent


def _body(forge: Forge, head: str, path: str) -> bytes:
    """The bytes of a pull request's file; raises `Problems` unless it is an ordinary one of a size that is allowed."""
    entry = forge.entry(head, path)
    if entry.mode != REGULAR or entry.kind != "blob":
        what = {"120000": "a link", "160000": "a submodule", "100755": "an executable file"}.get(entry.mode, "no file")
        raise problem("", f"{path} is {what}", "send an ordinary file")
    if entry.size > MOST_BYTES:
        raise problem("", f"the file has {entry.size} bytes", f"at most {MOST_BYTES} are allowed")
    body = forge.blob(entry.sha)
    if len(body) > MOST_BYTES:
        raise problem("", f"the file has {len(body)} bytes", f"at most {MOST_BYTES} are allowed")
    return body


def _check_turn(forge: Forge, clone: Clone, archive: Archive, place: Place, sent: str) -> None:
    """Raises `Problems` if a sheet looked at after the deadline came before the one whose number it follows.

    Its number was wrong when it came; by then its author could not yet choose whether it would count.
    """
    before = latest_before(archive, place)
    came = forge.trailers(clone.branch, before).get(SENT) if before else None
    if before and came and TIMES.fullmatch(came) and sent < came:
        what = f"this was sent at {sent}, before {before.rpartition('/')[2]}, which was sent at {came}"
        raise problem("", what, "the later one counts; write another for the next turn")


# Words ------------------------------------------------------------------------------------------------------------


SENT = "Courtly-Sent"
TIMES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\dZ", re.ASCII)


def message(accepted: Accepted, pull: Pull, at: str, sent: str) -> str:
    """The commit's message: nothing in it is a stranger's text, and the receipt is in it."""
    login, account = pull.login, pull.account
    lines = [
        accepted.what[0].upper() + accepted.what[1:],
        "",
        f"Pull request {pull.number}.",
        "",
        f"Courtly-File: {accepted.place.path}",
        f"Courtly-SHA256: {accepted.digest}",
        f"Courtly-Received: {at}",
        f"Courtly-Account: {account}",
        f"{SENT}: {sent}",
    ]
    if login.replace("-", "").isalnum() and login.isascii():
        lines.append(f"Co-authored-by: {login} <{account}+{login}@users.noreply.forge.com>")
    return "\n".join(lines) + "\n"


def receipt(accepted: Accepted, at: str, commit: str) -> str:
    """What the player whose file went in is told."""
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
        lines += ["It counts as it is. What you may want to look at:", "", *fence(accepted.remarks), ""]
    if isinstance(place, Chair):
        lines.append(_welcome(place))
    elif place.file is not None:
        sealed = "It is sealed: what it says is read when the turn is judged."
        lines.append(sealed if place.file.sealed else "Everybody can read it.")
        lines.append("To change your mind before the deadline, send another under the next number.")
    return "\n".join(lines) + "\n"


def _welcome(wanted: Chair) -> str:
    if not wanted.taken:
        return "The host decides who gets the seat. Everybody can see who asked for it, and with which key."
    if wanted.turn is None:
        return "The seat is yours. The game opens when all its seats are taken."
    return f"The seat is yours from {wanted.turn} on: send your sheets."


def _advice(error: Problems, changes: tuple[Change, ...]) -> str:
    if not all_for_games(changes):
        return "It stays open for those who look after the repository. A sheet goes into a pull request of its own."
    if isinstance(error, Over):
        return "It is closed. Open another for the turn that is open."
    return "It is closed, and stays refused. Mend the file and open another pull request."


def refusal(error: Problems, advice: str) -> str:
    """What is said of a pull request that cannot go in."""
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
