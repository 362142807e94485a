"""The deadlines that a game's schedule has in store. Reads no clock: they follow from the open turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from adjudicator.core.contract.words import join_words, many
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import Game
from adjudicator.core.game.schedule import Schedule, in_zone, read_time, to_come, write_time
from adjudicator.core.text.problems import problem
from adjudicator.core.turn.judge import later_deadline
from adjudicator.core.turn.load import load_turn
from adjudicator.core.turn.sheets import absences_in
from adjudicator.core.turn.unopened import seats_sent


def deadlines_ahead(archive: Archive, game: Game, weeks: int) -> Iterator[str]:
    """Lines about the deadlines of the next weeks, from the open turn on; raises `Problems` if the game has no schedule or is over."""
    schedule = game.data.schedule
    if schedule is None:
        right = "add `schedule:` to its game.yaml; the page for hosts shows how"
        raise problem(archive.place(game.slug), "this game has no schedule, so its turns have no deadlines", right)
    if archive.has_ended(game.slug):
        raise problem(archive.place(game.slug), "this game is over", "choose a running game")
    names = archive.turns(game.slug)
    kinds = game.ruleset.rules.kinds
    if not names:
        after = schedule.starts or f"{game.data.opened}T00:00Z"
        yield f"{game.data.title} has not begun. If its first turn opens on {in_zone(schedule, after)}:"
        yield from _lines(schedule, kinds, after, weeks, [])
        return
    data = load_turn(archive, game, names[-1]).data
    if data.paused or data.deadline is None:
        yield f"{data.phase}: " + ("the game is paused" if data.paused else "no deadline")
        return
    turn = load_turn(archive, game, names[-1])
    moves = later_deadline(game, data, seats_sent(archive, turn))
    yield f"{in_zone(schedule, data.deadline)}: {data.phase}, which is open now" + (
        f"; the next run moves this to {in_zone(schedule, moves)}, because somebody is away" if moves else ""
    )
    absences = absences_in(game, data) if schedule.absences is not None else []
    spans = [(date.fromisoformat(one.first), date.fromisoformat(one.last)) for one in absences]
    yield from _lines(schedule, kinds, moves or data.deadline, weeks, spans)
    today = data.deadline[:10]
    if away := [f"{one.seat} from {one.first} to {one.last}" for one in absences if one.last >= today]:
        yield f"away: {join_words(away)}; a deadline falls on such a day only if nobody waits for that seat"


def _lines(
    schedule: Schedule, kinds: tuple[str, ...], after: str, weeks: int, away: Sequence[tuple[date, date]]
) -> Iterator[str]:
    """The deadlines after a time: a line for each of the first kind, then those of each kind with another rhythm."""
    try:
        until = write_time(read_time(after) + timedelta(weeks=weeks))
    except OverflowError:
        raise problem("", f"{many(weeks, 'week')} after {after} is out of range", "choose an earlier day") from None
    found = to_come(schedule, kinds, after, until, away)
    alike = join_words([kind for kind in kinds if kind == kinds[0] or kind not in found], "or")
    for due in found[kinds[0]]:
        yield f"{in_zone(schedule, due)}: {alike}"
    for kind in kinds[1:]:
        if kind in found:
            some = "; ".join(in_zone(schedule, due) for due in found[kind][:3])
            yield f"{kind}, if they come after one of these: {some}{'; ...' if len(found[kind]) > 3 else ''}"
