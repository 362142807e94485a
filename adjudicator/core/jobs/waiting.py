"""Find games that are waiting for their host (`missing: host`), since when, and whose sheets are missing. Reads no clock."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.choices import MissingSheets
from adjudicator.core.game.game import GameKind
from adjudicator.core.game.rulings import apply_decision, sound_rulings
from adjudicator.core.game.schedule import Wait, judge_or_wait, read_time, write_time
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.judge import as_open, closes, owing
from adjudicator.core.turn.keys import has_keys
from adjudicator.core.turn.load import load_all, load_game, load_turn, ruling_text, rulings_of
from adjudicator.core.turn.sheets import load_inputs
from adjudicator.core.turn.unopened import seats_sent

REMEDY = "add an `extend`, `replace` or `proceed` ruling"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A turn that is waiting for its host."""

    game: str
    home: str
    turn: str
    phase: str
    since: str
    """The time when its deadline and grace had passed."""
    seats: tuple[str, ...]
    """Seats whose sheets are missing."""

    @property
    def what(self) -> str:
        """A phrase about the wait, for its host."""
        return f"has been waiting for you since {self.since}: no sheet came from {', '.join(self.seats)}"

    @property
    def remark(self) -> Problem:
        """The wait as a remark about the turn."""
        return Problem(f"{self.home}/{self.turn}", 0, 0, self.what, REMEDY, "warning")

    def __str__(self) -> str:
        """The wait as a line of a run's output."""
        return f"{self.game}: {self.phase} {self.what}; {REMEDY}"


def waiting(archive: Archive, slug: str, at: str) -> Waiting | None:
    """A game's wait for its host at a given time; None if it is not waiting, or if the next run applies a new ruling. Raises `Problems`."""
    if archive.has_ended(slug):
        return None
    game, names = load_game(archive, slug), archive.turns(slug)
    if not names or game.data.kind is GameKind.RECORD:
        return None
    return host_awaited(archive, load_turn(archive, game, names[-1]), at)


def host_awaited(archive: Archive, turn: Turn, at: str) -> Waiting | None:
    """Like `waiting`, for a game's latest turn that is already loaded. Raises `Problems`."""
    then = host_decides(archive, turn)
    if then is None or then.since is None or read_time(at) < read_time(then.since):
        return None
    if len(rulings_of(archive, turn)) > len(turn.data.rulings):
        return None
    return Waiting(turn.game.slug, turn.game.home, turn.name, turn.data.phase, then.since, then.seats)


def open_decisions(archive: Archive, turn: Turn, *, host: bool) -> Iterator[Problem]:
    """Remarks about the decisions that an open turn still needs from its host.

    Hidden decisions are listed only if the host requests them (`host`): otherwise logs, output and exit codes would reveal them. With
    `host`, raises `Problems` if decisions are hidden and the master secret is not available.
    """
    decisions, where = turn.game.ruleset.decisions, f"{turn.game.home}/{turn.name}"
    if decisions is None or turn.data.status != "open":
        return
    right = f"write it, with a reason, into {where}/ruling.yaml"
    if decisions.hidden:
        right += f", and seal the file: `courtly seal {where}/ruling.yaml`"
    if host or not decisions.hidden:
        position = load_all(archive, turn).position if decisions.hidden else _with_decisions(archive, turn)
        for decision in decisions.waits(position):
            yield Problem(where, 0, 0, f"is waiting for its host: {decision}", right, "warning")
    else:
        yield Problem(where, 0, 0, UNTOLD, "`courtly check --host` shows it, with the master secret", "warning")


def _with_decisions(archive: Archive, turn: Turn) -> Any:
    """The position of an open turn after the decisions in its ruling.yaml that no run has applied yet."""
    position, text = turn.data.position, ruling_text(archive, turn)
    for index, ruling in sound_rulings(turn.game, text).items():
        if index >= len(turn.data.rulings) and ruling.decide is not None:
            with contextlib.suppress(Problems):  # faults in a ruling are reported elsewhere
                position = apply_decision(turn.game, position, ruling, text, index)
    return position


def left_to_host(archive: Archive, slug: str, name: str) -> list[Problem]:
    """Public remarks about the decisions that a newly opened turn needs from its host."""
    return list(open_decisions(archive, load_turn(archive, load_game(archive, slug), name), host=False))


UNTOLD = "it is hidden whether anything is waiting for the host’s ruling"


def host_decides(archive: Archive, turn: Turn) -> Wait | None:
    """The `Wait` for the host that will come if an open turn gets no more sheets; None if the turn will not wait for the host."""
    game, data = turn.game, turn.data
    schedule = game.data.schedule
    if schedule is None or schedule.missing is not MissingSheets.HOST or data.status != "open":
        return None
    last = closes(game, data)
    open_turn = as_open(game, data)
    try:
        # With the key, it is known which sheets do not count; without it, only the names of the files are.
        # Orders ahead are left out: whether a seat has some is nobody's business before they are needed.
        known = load_inputs(archive, turn)[1] if has_keys(game, data) else None
        given = known.own | frozenset(known.stood) if known is not None else seats_with_sheets(archive, turn)
    except Problems:
        given = seats_with_sheets(archive, turn)  # faults in a sheet are reported elsewhere
    answer = judge_or_wait(replace(open_turn, given=given), write_time(last) if last is not None else None)
    return answer if isinstance(answer, Wait) and answer.why == "host" else None


def seats_with_sheets(archive: Archive, turn: Turn) -> frozenset[str]:
    """The seats that have a sheet, sent or standing, as far as everybody can see: by the names of files, without opening any."""
    standing = (turn.data.standing or {}).get(turn.game.ruleset.kind(turn.data.position)) or {}
    return seats_sent(archive, turn) | frozenset(standing)


def seats_owing(archive: Archive, turn: Turn) -> tuple[str, ...]:
    """The seats that an open turn waits for and that have no sheet, as far as everybody can see.

    A reminder names them, so nothing inside a sheet may matter.
    """
    sent = seats_with_sheets(archive, turn)
    return tuple(seat for seat in owing(turn.game, turn.data.position, turn.data.absent) if seat not in sent)
