"""Adjudication on a forge: judge what is due, answer sheets that do not open, and push the result.

This is the only job with the master secret. It takes no sheets in: that is for intake and catch-up, which have no secret. But a due turn is
judged only when every request of its players from before the deadline has been answered; until then this job starts catch-up.

Only the push counts. A job that is killed leaves nothing behind. If two jobs push at once, git refuses one push. The job that made it starts
over with the archive as it is now, and finds nothing left to do.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.ci.again import find_earlier_judging
from adjudicator.ci.catch_up import AGAIN, may_wait, unanswered
from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import Forge, Issue, Pull, Spent
from adjudicator.ci.intake import LOOKED_BACK, SOURCE, SOURCES, receipt_of
from adjudicator.core.game.archive import Archive, display, sentence
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.guard import missing_masters, strangers
from adjudicator.core.jobs.pin import PINNED, installed, pinned
from adjudicator.core.jobs.run import Step, might_be_due, run_game
from adjudicator.core.jobs.unopened import newly_unopened
from adjudicator.core.jobs.waiting import Waiting, waiting
from adjudicator.core.text.problems import Problem, Problems, contain_errors
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.unopened import NAME, load_unopened, unopened_text

ATTEMPTS = 6
"""Maximum number of attempts to judge and push; an attempt fails if somebody else has pushed meanwhile."""


@dataclass
class Batch:
    """Results of one adjudication."""

    steps: list[Step] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    """Games that are waiting for their hosts to decide."""
    held: list[str] = field(default_factory=list)
    """A line for each due game that is waiting for answers to requests of its players."""
    unopened: list[str] = field(default_factory=list)
    """Paths of the sheets that were found not to open."""
    due: int = 0
    """Number of games that could not be judged although something may have been due in them."""
    read: int = 0
    """Number of games that were read, because something might have been due in them."""
    pushed: bool = False


def adjudicate(
    clone: Clone,
    archive: Archive,
    *,
    at: str,
    forge: Forge | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Batch:
    """Judge what is due at `at`, by the server's clock, and push the result; raises `Problems` if that fails.

    A fault in one game is kept in `problems` and does not stop the others.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            wait(2.0**attempt)
        clone.update()
        check_engine(archive)
        found, faults = _open_requests(forge, clone, at)
        batch = judge_due_games(archive, at, found)
        batch.problems.extend(faults)
        if forge is not None:
            tell_unopened(forge, clone, archive, batch)
        lines = [f"{step.game}: {step.what} {step.phase}" for step in batch.steps]
        lines += [f"{path} does not open" for path in batch.unopened]
        changed = [*(step.game for step in batch.steps), *(path.split("/")[1] for path in batch.unopened)]
        if not changed or not clone.commit(lines, at, changed) or clone.push():
            batch.pushed = bool(changed)
            if batch.held and forge is not None:
                try:
                    forge.start(AGAIN, clone.branch)
                except Problems as error:
                    batch.problems.extend(error.problems)
            return batch
    raise Problems(
        [Problem("", 0, 0, f"others pushed {ATTEMPTS} times while the turns were being judged", "run it again")]
    )


def _open_requests(forge: Forge | None, clone: Clone, at: str) -> tuple[list[Pull | Issue] | None, tuple[Problem, ...]]:
    """The open requests for the archive's branch, and no faults; or None and the faults if the forge does not answer."""
    if forge is None:
        return [], ()
    try:
        found, _ = forge.requests(read_time(at) - LOOKED_BACK)
    except Problems as error:
        return None, error.problems
    return [one for one in found if isinstance(one, Issue) or one.branch == clone.branch], ()


def check_engine(archive: Archive) -> None:
    """Raise `Problems` unless the version of courtly that runs here is the one that the archive names at the commit to be judged (RT-8).

    A job that somebody starts again months later, or that began before an update, would otherwise judge by outdated rules.
    """
    path = archive.root / PINNED
    named = pinned(archive.files.text(path)) if archive.files.is_file(path) else None
    here = installed()
    if named is not None and here is not None and named != here:
        what = f"{PINNED} names {named}, but {here} runs here"
        raise Problems(
            [
                Problem(
                    "",
                    0,
                    0,
                    what,
                    "start the workflow again with “Run workflow”: that installs the version that is named",
                )
            ]
        )


def judge_due_games(archive: Archive, at: str, found: Sequence[Pull | Issue] | None = ()) -> Batch:
    """Judge what is due in a folder; a game that cannot be due is not read, except for the keys of its open turn.

    A game whose open turn shows other keys than this archive's is not touched. `found` has the open requests; a due turn waits until those
    of its players have been answered. With None the open requests are unknown, and the turn waits for a while. Rulings are applied in either
    case. If a running game's master secret is missing, that is a fault at once, not only at the deadline (H3-10).
    """
    batch = Batch()
    with archive.writing():
        stopped = missing_masters(archive) | strangers(archive)
        batch.problems.extend(fault for faults in stopped.values() for fault in faults)
        for slug in archive.slugs():
            held: list[str] = []

            def objection(turn: Turn, held: list[str] = held) -> Problem | None:
                """The reason why a due turn is not judged now; called once its rulings have been applied."""
                held.extend(_held_by(archive, turn, at, found))
                return Problem("", 0, 0, "waits", "") if held else find_earlier_judging(turn)

            try:
                if not might_be_due(archive, slug, at):
                    continue
                if slug in stopped:
                    batch.due += 1
                    continue
                batch.read += 1
                done = len(batch.steps)
                for step in run_game(archive, slug, at=at, objection=objection):
                    batch.steps.append(step)
                if len(batch.steps) == done and (idle := waiting(archive, slug, at)):
                    batch.waiting.append(idle)
            except Problems as error:
                if held:
                    verb = "are" if len(held) > 1 else "is"
                    batch.held.append(f"{slug} is waiting until {', '.join(held)} {verb} answered")
                    continue
                batch.due += 1
                batch.problems.extend(error.problems)
            except OSError as error:
                batch.due += 1
                batch.problems.extend(sentence(error, archive.root).problems)
    return batch


def _held_by(archive: Archive, turn: Turn, at: str, found: Sequence[Pull | Issue] | None) -> list[str]:
    """The requests that a due turn is waiting for, in words."""
    if found is None:
        return ["every open request"] if may_wait(turn, at) else []
    return [f"{SOURCES[request.door]} {request.number}" for request in unanswered(archive, found, turn, at)]


# Sheets that do not open ----------------------------------------------------------------------------------------------


MOST_TOLD = 30
"""Maximum number of sheets whose authors one run informs: GitHub takes about eighty writes a minute, and other jobs write too."""


def tell_unopened(forge: Forge, clone: Clone, archive: Archive, batch: Batch) -> None:
    """Check the sealed sheets of open turns; inform the authors of those that do not open, and record their names.

    The author is informed first, then the name is recorded. A job that is killed in between repeats the answer, which appears only once. If
    the answer cannot be written, because the request is gone, the name is recorded all the same; if the forge takes no more calls, the rest
    waits for the next run.
    """
    stopped = {fault.path.split("/")[1] for fault in batch.problems if fault.path.startswith("games/")}
    stopped |= {line.partition(" ")[0] for line in batch.held}
    for slug in archive.slugs():
        if archive.has_ended(slug) or slug in stopped or not (names := archive.turns(slug)):
            continue
        folder = archive.game_folder(slug) / names[-1]
        if not any(archive.files.paths(folder / "orders", "*.age")):
            continue
        told: list[Path] = []
        spent = False
        try:
            with contain_errors(f"games/{slug}", quiet=True):
                turn = load_turn(archive, load_game(archive, slug), names[-1])
                for path, why in newly_unopened(archive, turn).items():
                    if len(batch.unopened) + len(told) >= MOST_TOLD:
                        break
                    try:
                        _tell(forge, clone, archive, path, why)
                    except Spent as error:
                        batch.problems.extend(error.problems)
                        spent = True
                        break
                    except Problems as error:
                        batch.problems.extend(error.problems)
                    told.append(path)
                if told:
                    now = load_unopened(archive, turn.folder) | {path.name for path in told}
                    archive.files.write(turn.folder / NAME, unopened_text(now))
                    batch.unopened.extend(sorted(display(path, archive.root) for path in told))
        except Problems as error:
            batch.problems.extend(error.problems)
        if spent:
            return


def _tell(forge: Forge, clone: Clone, archive: Archive, path: Path, why: str) -> None:
    """Tell the author of a sheet that it does not open, if the request that brought the sheet is known."""
    shown = display(path, archive.root)
    number = receipt_of(forge, clone, archive, shown)[1].get(SOURCE, "").rpartition(" ")[2]
    digest = hashlib.sha256(archive.files.read(path)).hexdigest()
    if number.isdecimal() and number.isascii():
        forge.comment_once(int(number), f"unopened {digest}", UNOPENED.format(path=shown, why=why))


UNOPENED = """**This sheet does not count:** {why}.

| | |
| --- | --- |
| file | `{path}` |

It counts as if you had not sent it, but its number is used up. Open the order desk again, so that it has the key of this turn, seal your
orders, and send them under the next number. This answer reveals nothing about what is in a sheet.
"""
