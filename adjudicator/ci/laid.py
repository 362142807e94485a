"""Let the host enter sheets for players without an account on the forge. Intake's checks apply, and the history shows who entered them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from adjudicator.ci.intake import SENT, SOURCE
from adjudicator.core.files.places import named, scratch
from adjudicator.core.game.absence import leave
from adjudicator.core.game.archive import Archive, display, read_file
from adjudicator.core.game.game import seat_file
from adjudicator.core.game.repository import git, git_environment, git_says
from adjudicator.core.jobs.intake import BY_HOST, Accepted, Place, admit, examine_file, locate_seat, take_absence
from adjudicator.core.jobs.unopened import fault_of
from adjudicator.core.text.problems import Problem, Problems, plain, problem
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.keys import has_keys, keys_for
from adjudicator.core.turn.sheets import MOST_BYTES, by_seat, holder, read_name, sheet_name

HEADS = (b"age-encryption.org/", b"-----BEGIN AGE ENCRYPTED FILE-----")


@dataclass(frozen=True, slots=True)
class Laid:
    """A sheet that the host entered."""

    accepted: Accepted
    committed: bool
    """True if it was committed; false if the archive is not in a git repository."""


def take(archive: Archive, file: Path, game: str, seat: str, at: str) -> Laid:
    """Enter a file as the seat's next sheet in the open turn, and commit nothing else; if it is refused, write nothing and raise `Problems`.

    The checks are intake's, except for the account: the host decides whose sheet it is. With the master secret, a sealed sheet that does
    not open is refused as well.
    """
    body = read_file(*named(file), shown=plain(str(file)))
    if len(body) > MOST_BYTES:
        raise problem(plain(str(file)), f"the file has {len(body)} bytes", f"at most {MOST_BYTES} are allowed")
    sealed = body.lstrip().startswith(HEADS)
    with archive.writing():
        turn = locate_seat(archive, game, seat)
        sent = by_seat(archive, turn)[0].get(seat, [])
        name = sheet_name(seat, 1 + (sent[0][0].number if sent else 0), sealed=sealed)
        path = f"{display(turn.folder, archive.root)}/orders/{name}"
        file_of = read_name(turn.game, name)
        if file_of is None:
            raise problem(path, f"{seat} has sent {sent[0][0].number} sheets this turn", "that is the limit")
        place = Place(path, turn, file_of)
        admit(archive, place, at)
        accepted = examine_file(archive, place, body)
        if sealed and place.file is not None and has_keys(turn.game, turn.data):
            keys = keys_for(turn.game, turn.name, turn.data)
            if (why := fault_of(turn, place.file, body, path, keys)) is not None:
                raise problem(plain(str(file)), why, "have it sealed again, as the next sheet of this seat")
        return _enter(archive, accepted, at)


def announce(archive: Archive, game: str, seat: str, days: tuple[str, str], at: str) -> Laid:
    """Enter the absence of a seat's player from the first to the last of two days, and commit nothing else; raises `Problems`.

    The checks are intake's, except for the account: the host decides whose absence it is.
    """
    with archive.writing():
        turn = locate_seat(archive, game, seat)
        wanted = replace(
            leave(turn.game, f"{seat_file(seat)}.yaml"), account=holder(turn.game, turn.data, seat).account
        )
        said = {"seat": seat, "first": days[0], "last": days[1]}
        try:
            accepted, done = take_absence(wanted, write(said).encode(), at)
        except Problems as error:  # the host wrote no file that a line could be in
            raise Problems([Problem("", 0, 0, fault.what, fault.right) for fault in error.problems]) from None
        if done:
            return Laid(accepted, committed=False)
        return _enter(archive, accepted, at)


def _enter(archive: Archive, accepted: Accepted, at: str) -> Laid:
    """Write an accepted file in its place, and commit it."""
    path, body = accepted.place.path, accepted.body
    target = archive.root / path
    archive.files.make(target.parent)
    archive.files.write(target, body)
    return Laid(accepted, _commit(archive.root, path, body, message(accepted, at)))


def message(accepted: Accepted, at: str) -> str:
    """The message of the commit, with trailers like intake's; they show that the host entered the file."""
    what = accepted.what
    lines = [
        what[0].upper() + what[1:],
        "",
        "Entered by the host for a player who sent it another way.",
        "",
        f"Courtly-File: {accepted.place.path}",
        f"Courtly-SHA256: {accepted.digest}",
        f"Courtly-Received: {at}",
        f"{SENT}: {at}",
        f"{SOURCE}: {BY_HOST}",
    ]
    return "\n".join(lines) + "\n"


def _commit(root: Path, path: str, body: bytes, text: str) -> bool:
    """Commit only these bytes, as this file, under the local user's name; returns false without a repository.

    It uses git's plumbing, and a separate index: no attribute, filter or ignored name can affect the bytes on their way into the commit,
    and other staged files stay staged. Raises `Problems`.
    """
    with scratch() as files:
        apart = git_environment(as_user=True) | {"GIT_INDEX_FILE": str(files.root / "index")}

        def must(*arguments: str, stdin: bytes | None = None, environment: Mapping[str, str] = apart) -> str:
            done = git(root, *arguments, stdin=stdin, environment=environment)
            if done.returncode:
                said = plain((done.stderr.decode("utf-8", "replace").strip().splitlines() or [""])[-1])
                right = f"the sheet is in {path}: commit it yourself, or remove it"
                raise problem(path, f"git {arguments[0]} failed: {said[:200]}", right)
            return done.stdout.decode().strip()

        if git_says(root, "rev-parse", "--is-inside-work-tree").strip() != "true":
            return False
        head = git_says(root, "rev-parse", "--quiet", "--verify", "HEAD").strip()
        entry = f"100644,{must('hash-object', '-w', '--no-filters', '--stdin', stdin=body)},{must('rev-parse', '--show-prefix')}{path}"
        must("read-tree", head or "--empty")
        must("update-index", "--add", "--cacheinfo", entry)
        commit = must(
            "commit-tree", must("write-tree", "--missing-ok"), *(("-p", head) if head else ()), stdin=text.encode()
        )
        must("update-ref", "-m", "courtly take", "HEAD", commit, head or "0" * len(commit))
        must("update-index", "--add", "--cacheinfo", entry, environment=git_environment(as_user=True))
    return True
