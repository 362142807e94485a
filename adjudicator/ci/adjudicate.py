"""Adjudication on a forge: what is due is judged, sheets that do not open are answered, and the result is pushed.

The only job with the master secret. It takes nothing in: that is for intake and catch-up, which have no secret. But a turn that is due is
judged only when every request of its players from before the deadline has had its answer; until then catch-up is started.

Only the push counts. A job that is killed leaves nothing behind; two jobs at once end with one of them refused by git,
which starts over from the archive as it then is and finds nothing left to do.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import urllib3

from adjudicator.ci.again import find_earlier_judging
from adjudicator.ci.catch_up import AGAIN, unanswered
from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import Forge, Issue, Pull
from adjudicator.ci.intake import LOOKED_BACK, SOURCE, SOURCES
from adjudicator.core.game.archive import Archive, display, sentence, write_file
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.guard import missing_masters, strangers
from adjudicator.core.jobs.pin import PINNED, installed, pinned
from adjudicator.core.jobs.run import Step, might_be_due, run_game
from adjudicator.core.jobs.unopened import newly_unopened
from adjudicator.core.jobs.waiting import Waiting, waiting
from adjudicator.core.text.problems import Problem, Problems, contain_errors, plain
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.unopened import NAME, load_unopened, unopened_text

ATTEMPTS = 6
"""How often the batch is run again because somebody else pushed meanwhile."""


@dataclass
class Batch:
    """What one adjudication did."""

    steps: list[Step] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    """Games that wait for their hosts to decide."""
    held: list[str] = field(default_factory=list)
    """A line for each game that is due and waits until requests of its players are answered."""
    unopened: list[str] = field(default_factory=list)
    """The sheets that were found not to open, by their paths."""
    due: int = 0
    """How many games could not be judged though something may have been due in them."""
    read: int = 0
    """How many games were read, because something might have been due in them."""
    pushed: bool = False


def adjudicate(
    clone: Clone,
    archive: Archive,
    *,
    at: str,
    forge: Forge | None = None,
    wait: Callable[[float], None] = time.sleep,
) -> Batch:
    """Judges what is due at `at`, by the server's clock, and pushes it; raises `Problems` when it cannot.

    A fault in one game is kept in `problems` and stops no other.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            wait(2.0**attempt)
        clone.update()
        check_engine(archive)
        found = forge.requests(read_time(at) - LOOKED_BACK)[0] if forge is not None else []
        found = [one for one in found if isinstance(one, Issue) or one.branch == clone.branch]
        batch = judge_due_games(archive, at, found)
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
    raise Problems([Problem("", 0, 0, f"others pushed {ATTEMPTS} times while the turns were judged", "run it again")])


def check_engine(archive: Archive) -> None:
    """Raises `Problems` when another courtly runs than the archive names at the commit that is about to be judged (RT-8).

    A job that somebody starts again months later, or that began before an update, would judge by the rules of its own day.
    """
    path = archive.root / PINNED
    named = pinned(path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else None
    here = installed()
    if named is not None and here is not None and named != here:
        what = f"{PINNED} names {named}, and {here} runs here"
        raise Problems(
            [Problem("", 0, 0, what, "start the workflow anew, by “Run workflow”: it installs what is named")]
        )


def judge_due_games(archive: Archive, at: str, found: Sequence[Pull | Issue] = ()) -> Batch:
    """Judges what is due in a folder; a game that cannot be due is not read, except for the keys of its open turn.

    A game whose open turn shows other keys than this archive's is not touched, nor one whose players' requests, among those `found` open,
    wait for an answer. A running game whose master secret is missing is a fault at once, not at its deadline (H3-10).
    """
    batch = Batch()
    with archive.writing():
        stopped = missing_masters(archive) | strangers(archive)
        batch.problems.extend(fault for faults in stopped.values() for fault in faults)
        for slug in archive.slugs():
            try:
                if not might_be_due(archive, slug, at):
                    continue
                if slug in stopped:
                    batch.due += 1
                    continue
                batch.read += 1
                if asked := _held_by(archive, slug, at, found):
                    batch.held.append(
                        f"{slug} waits until {', '.join(asked)} {'are' if len(asked) > 1 else 'is'} answered"
                    )
                    continue
                done = len(batch.steps)
                batch.steps.extend(run_game(archive, slug, at=at, objection=find_earlier_judging))
                if len(batch.steps) == done and (idle := waiting(archive, slug, at)):
                    batch.waiting.append(idle)
            except Problems as error:
                batch.due += 1
                batch.problems.extend(error.problems)
            except OSError as error:
                batch.due += 1
                batch.problems.extend(sentence(error, archive.root).problems)
    return batch


def _held_by(archive: Archive, slug: str, at: str, found: Sequence[Pull | Issue]) -> list[str]:
    """The requests that a game waits for, in words; empty without open ones."""
    names = archive.turns(slug) if found and not archive.has_ended(slug) else []
    if not names:
        return []
    turn = load_turn(archive, load_game(archive, slug), names[-1])
    if turn.data.status != "open":
        return []
    return [f"{SOURCES[request.door]} {request.number}" for request in unanswered(archive, found, turn, at)]


# Sheets that do not open ----------------------------------------------------------------------------------------------


def tell_unopened(forge: Forge, clone: Clone, archive: Archive, batch: Batch) -> None:
    """Looks at the sealed sheets of open turns; tells the authors of those that do not open, and writes their names down.

    First the author learns it, then it is written: a job that is killed in between says it again, which says it once.
    """
    stopped = {fault.path.split("/")[1] for fault in batch.problems if fault.path.startswith("games/")}
    for slug in archive.slugs():
        if archive.has_ended(slug) or slug in stopped or not (names := archive.turns(slug)):
            continue
        folder = archive.game_folder(slug) / names[-1]
        if not any((folder / "orders").glob("*.age")):
            continue
        try:
            with contain_errors(f"games/{slug}", quiet=True):
                turn = load_turn(archive, load_game(archive, slug), names[-1])
                told = [
                    path
                    for path, why in newly_unopened(archive, turn).items()
                    if _tell(forge, clone, archive, path, why)
                ]
                if told:
                    names_now = load_unopened(archive, turn.folder) | {path.name for path in told}
                    write_file(turn.folder / NAME, unopened_text(names_now))
                    batch.unopened.extend(sorted(display(path, archive.root) for path in told))
        except Problems as error:
            batch.problems.extend(error.problems)


def _tell(forge: Forge, clone: Clone, archive: Archive, path: Path, why: str) -> bool:
    """Tells the author of a sheet, where its request is known, that it does not open; whether that is done."""
    shown = display(path, archive.root)
    source = forge.receipt(clone.branch, shown)[1].get(SOURCE, "")
    number = source.rpartition(" ")[2]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if number.isdecimal() and number.isascii():
        forge.comment_once(int(number), f"unopened {digest}", UNOPENED.format(path=shown, why=why))
    return True


UNOPENED = """**This sheet does not count:** {why}.

| | |
| --- | --- |
| file | `{path}` |

It is as if it had not come, except that its number is used up. Open the order desk again, so that it has the key of this turn, seal your
orders, and send them under the next number. This answer says nothing of what is in a sheet.
"""


# Announcing -------------------------------------------------------------------------------------------------------


def announcements(archive: Archive, batch: Batch) -> Iterator[str]:
    """A line for each turn that was opened and each game that ended, for a chat channel; what was judged before leads it."""
    news: dict[str, str] = {}
    for step in batch.steps:
        if step.what not in ("opened", "mended", "ended", "resolved"):
            continue
        game = load_game(archive, step.game)
        if step.what == "resolved":
            news[step.game] = f"{escape_markdown(_public_headline(load_turn(archive, game, step.turn)))} "
            continue
        headline = news.pop(step.game, "")
        if step.what == "ended":
            yield f"{headline}{escape_markdown(game.title)} is over: {escape_markdown(step.phase)}."
            continue
        deadline = load_turn(archive, game, step.turn).data.deadline
        until = f" Sheets until {deadline}." if deadline else ""
        yield f"{headline}{escape_markdown(game.title)}: {escape_markdown(step.phase)} is open.{until}"


def _public_headline(turn: Turn) -> str:
    """What everybody may hear of a judged turn, above all."""
    rules = turn.game.ruleset
    return (
        rules.headline(rules.view(turn.data.position, None), rules.heard(turn.data.events, None)) or rules.words.quiet
    )


def escape_markdown(text: str) -> str:
    """A stranger's text for a chat that reads Markdown, without markup, mentions or links."""
    marked = "".join(f"\\{char}" if char in "\\`*_{}[]()<>#+-.!|~:/" else char for char in plain(text)[:200])
    return marked.replace("@", "@\u200b")


def announce(address: str, lines: list[str]) -> None:
    """Posts lines to a Discord webhook, which may mention nobody; raises `Problems` when it does not take them."""
    if not lines:
        return
    body = json.dumps({"content": "\n".join(lines)[:1900], "allowed_mentions": {"parse": []}}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "courtly"}
    pool = urllib3.PoolManager(retries=urllib3.Retry(total=2, allowed_methods=None, redirect=0), timeout=20)
    try:
        answer = pool.request("POST", address, body=body, headers=headers)
    except urllib3.exceptions.HTTPError as error:
        # Not the error's own text: it would name the address, which is a secret.
        raise Problems(
            [Problem("", 0, 0, f"the announcement failed ({type(error).__name__})", "see the webhook")]
        ) from None
    finally:
        pool.clear()
    if answer.status >= 300:
        raise Problems([Problem("", 0, 0, f"the announcement was answered {answer.status}", "see the webhook")])
