"""Find all faults in rulings that have come in but have not been applied yet.

Applied rulings remain in force, even those applied before this check existed: only new ones are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.game.rulings import Ruling, hides, load_rulings, sound_rulings, unseen_parts
from adjudicator.core.game.schedule import read_time
from adjudicator.core.jobs.voids import void_faults
from adjudicator.core.text.problems import Problem, Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.judge import apply_rulings

SOON = timedelta(days=60)
"""A date with another year is suggested only if it is at most this long after the deadline."""


def coming_faults(
    archive: Archive,
    turn: Turn,
    data: TurnData,
    text: Text,
    at: str | None = None,
    *,
    blind: bool = False,
    known: tuple[Ruling, ...] | None = None,
) -> list[Problem]:
    """Faults in the rulings in an open turn's `ruling.yaml` that are not in `data` yet.

    With a time `at`, a new deadline in the past is reported too, but only as a remark: a host who runs courtly by hand may have set it in
    time. `blind` leaves out the effects of corrections and decisions, for callers that do not see the position. `known` has the file's
    rulings, if the caller has read them.
    """
    game, faults = turn.game, []
    try:
        rulings = dict(enumerate(known if known is not None else load_rulings(game, text)))
    except Problems as error:
        rulings, faults = sound_rulings(game, text), [*error.problems]
    applied = len(data.rulings)
    if not faults and tuple(rulings.values())[:applied] != data.rulings:
        return []  # earlier rulings were changed, which is reported when the rulings are applied
    timed = None
    for index in range(applied, max(rulings, default=-1) + 1):
        ruling = rulings.get(index)
        if ruling is None:  # its faults are already listed; the rulings after it keep their places
            data = replace(data, rulings=(*data.rulings, Ruling(reason="")))
            continue
        unseen = hides(game, ruling) or unseen_parts(game, data.position, ruling.correct or {})
        # Faults in a correction of hidden parts would name the hidden facts, in a log that everybody reads.
        told = replace(ruling, correct=None, decide=None, hidden=None) if blind or unseen else ruling
        try:
            after = apply_rulings(game, data, [told], text)
        except Problems as error:
            faults.extend(error.problems)
            after = replace(data, rulings=(*data.rulings, ruling))
        if ruling.undo and index < max(rulings):
            what = "a ruling below an `undo` would have no effect: this turn is put back, too"
            faults.append(
                text.problem(("rulings", index + 1), what, "remove it, and add it to the turn that is opened again")
            )
        faults.extend(_faults(archive, turn, data, after, ruling, text))
        data = after
        if ruling.extend or ruling.resume:
            timed = index
    if timed is not None and at is not None:
        faults.extend(_past(data, text, timed, at))
    return sorted(set(faults))


def _faults(
    archive: Archive, turn: Turn, data: TurnData, after: TurnData, ruling: Ruling, text: Text
) -> Iterator[Problem]:
    """Faults in a ruling; `data` is the turn without its effects, `after` the turn with them."""
    place = ("rulings", len(data.rulings))
    if ruling.extend and data.deadline and read_time(ruling.extend) <= read_time(data.deadline):
        what = f"{ruling.extend} gives no more time: the deadline is {data.deadline}"
        right = _meant(ruling.extend, data.deadline) + "give a later time; `resume: TIME` brings a deadline forward"
        yield text.problem((*place, "extend"), what, right)
    for path in unseen_parts(turn.game, data.position, ruling.correct or {}):
        what = f"the public does not see {path!r:.80}, but here everybody could read it"
        right = f"`courtly seal {turn.game.home}/{turn.name}/ruling.yaml` seals it to the turn"
        yield text.problem((*place, "correct", path), what, right)
    if hides(turn.game, ruling):
        what = "this decision is hidden, but here everybody could read it"
        right = f"`courtly seal {turn.game.home}/{turn.name}/ruling.yaml` seals it to the turn"
        yield text.problem((*place, "decide"), what, right)
    if ruling.undo and turn.name.startswith("001-"):
        yield text.problem((*place, "undo"), "there is no judged turn to put back", "remove this ruling")
    if ruling.void is not None:
        yield from void_faults(archive, turn, data, ruling.void, text, (*place, "void"))
    yield from _in_time(turn.game, data, after, ruling, text)


def _meant(given: str, deadline: str) -> str:
    """A question whether a different year was meant; empty unless that year would put the time soon after the deadline."""
    late = read_time(deadline)
    for year in (late.year, late.year + 1):
        with suppress(Problems):
            if late < read_time(near := f"{year:04d}{given[4:]}") <= late + SOON:
                return f"did you mean {near}? "
    return ""


def _in_time(game: Game, data: TurnData, after: TurnData, ruling: Ruling, text: Text) -> Iterator[Problem]:
    """A problem if a ruling would make this a different turn: the folder, the dice and the sheets belong to the turn as it is now."""
    was, would = game.ruleset.when(data.position), game.ruleset.when(after.position)
    if was != would:
        what = f"this turn is {was}, but the ruling would make it {would}"
        right = "correct only the position on the board: a ruling cannot change which turn this is"
        yield text.problem(("rulings", len(data.rulings), ruling.kind), what, right)


def _past(data: TurnData, text: Text, index: int, at: str) -> Iterator[Problem]:
    """A remark if the rulings leave the turn with a deadline in the past."""
    ended = any(ruling.reason and ruling.end for ruling in data.rulings)
    if data.deadline is None or data.paused or ended or read_time(data.deadline) > read_time(at):
        return
    name = "extend" if data.rulings[index].extend else "resume"
    what = f"at {at}, {data.deadline} is already past, so nobody gets more time"
    yield text.problem(
        ("rulings", index, name), what, "if you want to give more, write a time in the future", level="warning"
    )
