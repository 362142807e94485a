"""Adjudication on GitHub: what intake missed is caught up, what is due is judged, and the result is pushed.

Only the push counts. A job that is killed leaves nothing behind; two jobs at once end with one of them refused by git,
which starts over from the archive as it then is and finds nothing left to do.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

import urllib3

from adjudicator.ci.again import find_earlier_judging
from adjudicator.ci.clone import Clone
from adjudicator.ci.forge import LATER, Forge
from adjudicator.ci.intake import Outcome, intake
from adjudicator.core.game.archive import Archive, sentence
from adjudicator.core.game.join import FOLDER, may_join
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.guard import strangers
from adjudicator.core.jobs.run import Step, might_be_due, run_game
from adjudicator.core.jobs.waiting import Waiting, waiting
from adjudicator.core.text.problems import Problem, Problems, contain_errors, plain
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn

ATTEMPTS = 6
"""How often the batch is run again because somebody else pushed meanwhile."""


LOOKED_BACK = timedelta(days=30)
"""How far back open pull requests are looked at again; older ones have had their answer."""
MOST_CALLS = 600
"""The most calls of one run for looking at pull requests again: GitHub gives a repository's jobs a thousand an hour."""
MOST_STRANGERS = 20
"""How many pull requests of strangers are looked at again where seats can be joined, the oldest, after all players'."""
SPARED = 100
"""The calls that are left to other jobs when a flood of pull requests uses up the rate limit."""


@dataclass
class Batch:
    """What one adjudication did."""

    steps: list[Step] = field(default_factory=list)
    pulls: list[Outcome] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    """Games that wait for their hosts to decide."""
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

    A fault in one game, or in one pull request, is kept in `problems` and stops no other.
    """
    pulls, faults = catch_up(forge, clone, archive, at) if forge is not None else ([], [])
    for attempt in range(ATTEMPTS):
        if attempt:
            wait(2.0**attempt)
        clone.update()
        batch = judge_due_games(archive, at)
        batch.pulls, batch.problems = pulls, [*faults, *batch.problems]
        lines, changed = [f"{s.game}: {s.what} {s.phase}" for s in batch.steps], [s.game for s in batch.steps]
        if not batch.steps or not clone.commit(lines, at, changed):
            return batch
        if clone.push():
            batch.pushed = True
            return batch
    raise Problems([Problem("", 0, 0, f"others pushed {ATTEMPTS} times while the turns were judged", "run it again")])


# Catching up ------------------------------------------------------------------------------------------------------


def catch_up(forge: Forge, clone: Clone, archive: Archive, at: str) -> tuple[list[Outcome], list[Problem]]:
    """Takes in the pull requests that intake missed, while there are calls to spare; gives what became of them, and the faults."""
    pulls: list[Outcome] = []
    faults: list[Problem] = []
    open_pulls = forge.open_pulls(read_time(at) - LOOKED_BACK)
    players = accounts(archive) if open_pulls else frozenset()
    oldest = list(reversed(open_pulls))
    numbers = in_rounds((number, account) for number, account in oldest if account in players)
    if open_pulls and any(may_join(archive, slug) for slug in archive.slugs()):
        others = [(number, account) for number, account in oldest if account not in players]
        numbers += in_rounds(others[:MOST_STRANGERS])
    # Else a stranger's has had its answer from intake, or needs none.
    most = forge.calls + MOST_CALLS
    for done, number in enumerate(numbers):
        if forge.calls > most or (forge.left is not None and forge.left < SPARED):
            what = f"{len(numbers) - done} pull requests were not looked at again: too few calls to GitHub are left"
            faults.append(Problem("", 0, 0, what, LATER))
            break
        try:
            with contain_errors(f"pull request {number}"):
                pulls.append(intake(forge, clone, archive, number))
        except Problems as error:
            faults.extend(error.problems)
    return pulls, faults


def in_rounds(pulls: Iterable[tuple[int, int]]) -> list[int]:
    """The numbers of pull requests, given as (number, account), in rounds: each account's first, then each one's second, ...

    So all that an account sent is looked at, in the order it was sent, and whoever sends many delays nobody's first.
    """
    rounds: list[list[int]] = []
    counts: Counter[int] = Counter()
    for number, account in pulls:
        if counts[account] == len(rounds):
            rounds.append([])
        rounds[counts[account]].append(number)
        counts[account] += 1
    return [number for numbers in rounds for number in numbers]


ACCOUNT = re.compile(rb"account[\"']?\s*:\s*[\"']?([0-9]{1,18})\b")


def accounts(archive: Archive) -> frozenset[int]:
    """Every account that a running game names, as player or host; looked for in the bytes, because there may be many games."""
    numbers: set[int] = set()
    for slug in archive.slugs():
        if archive.has_ended(slug):
            continue
        folder = archive.game_folder(slug)
        latest = [folder / name / "turn.yaml" for name in archive.turns(slug)[-1:]]
        joined = sorted((folder / FOLDER).glob("*.yaml"))
        for path in (folder / "game.yaml", *latest, *(path.with_name("ruling.yaml") for path in latest), *joined):
            if path.is_file() and not path.is_symlink():
                numbers.update(map(int, ACCOUNT.findall(path.read_bytes())))
    return frozenset(numbers)


def judge_due_games(archive: Archive, at: str) -> Batch:
    """Judges what is due in a folder; a game that cannot be due is not read, except for the keys of its open turn.

    A game whose open turn shows other keys than this archive's is not touched.
    """
    batch = Batch()
    with archive.writing():
        stopped = strangers(archive)
        batch.problems.extend(fault for faults in stopped.values() for fault in faults)
        for slug in archive.slugs():
            try:
                if slug not in stopped and might_be_due(archive, slug, at):
                    batch.read += 1
                    done = len(batch.steps)
                    batch.steps.extend(run_game(archive, slug, at=at, objection=find_earlier_judging))
                    if len(batch.steps) == done and (idle := waiting(archive, slug, at)):
                        batch.waiting.append(idle)
            except Problems as error:
                batch.problems.extend(error.problems)
            except OSError as error:
                batch.problems.extend(sentence(error, archive.root).problems)
    return batch


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
