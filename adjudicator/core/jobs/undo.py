"""Put a judged turn back, when the host adds an `undo` ruling to the open turn after it.

Nothing that was ever sent disappears: the folders of the judged turn and of the open one move to `undone/TURN.ATTEMPT/`. The judged turn is
begun again from its original position, as another attempt with new keys, because those of the first were published.

Each step is one rename or one new folder, in an order that shows which step was the last. So a process may be killed between any two
steps, and the next process continues from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from adjudicator.core.game.archive import UNDONE, Archive, display
from adjudicator.core.game.game import Game
from adjudicator.core.game.rulings import Ruling, hide, reveal_hidden
from adjudicator.core.jobs.verify import RESTORE, start_problem
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import Carried, StartData, Turn, TurnData
from adjudicator.core.turn.files import open_files
from adjudicator.core.turn.judge import carry_over, open_first_turn, open_turn, resolve_turn, start_digest, with_times
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_all, load_turn, rulings_of
from adjudicator.core.turn.sheets import load_inputs

KEPT = ("correct", "decide", "hidden", "replace")
"""The kinds of rulings that also apply to a turn's next attempt: those about its position, and about who plays."""


def undoing(archive: Archive, turn: Turn) -> Ruling | None:
    """The `undo` ruling of an open turn, if all rulings above it have been applied; otherwise None.

    Also None while the rulings have faults: whoever applies them reports all faults at once.
    """
    if turn.data.status != "open" or not archive.files.is_file(turn.folder / "ruling.yaml"):
        return None
    try:
        rulings = rulings_of(archive, turn)
    except Problems:
        return None
    coming = rulings[len(turn.data.rulings) :]
    return coming[0] if len(coming) == 1 and coming[0].undo else None


def put_back(archive: Archive, turn: Turn, ruling: Ruling, at: str | None) -> Iterator[TurnData]:
    """Put back an open turn and the judged one before it; yields the judged one, begun again.

    Raises `Problems` if there is no such turn, or if it cannot be put back.
    """
    game, names = turn.game, archive.turns(turn.game.slug)
    number = int(turn.name.partition("-")[0])
    before = next((name for name in names if int(name.partition("-")[0]) == number - 1), None)
    judged = load_turn(archive, game, before) if before is not None else None
    if number == 1:
        where = f"{display(turn.folder, archive.root)}/ruling.yaml"
        raise problem(where, "there is no judged turn to put back", "remove the `undo` ruling")
    if judged is not None and judged.name in (turn.game.data.as_played or {}):
        right = f"take {judged.name} out of `as_played` first: otherwise today's rules would apply to that turn"
        raise problem(
            f"{turn.game.home}/game.yaml", "this ruling would put back a turn that is kept as it was played", right
        )
    if judged is not None and number == 2 and judged.data.status == "resolved":
        _begun_otherwise(archive, judged)  # report faults before anything is moved
    if judged is not None and judged.data.status == "resolved":
        _move(archive, judged.folder)
        judged = None
    if judged is None:
        again = _begin_again(archive, turn, ruling, at)
        kept = _kept_rulings(archive, turn, again)
        files = {"ruling.yaml": kept} if kept else {}
        earlier = [name for name in archive.turns(game.slug) if int(name.partition("-")[0]) < number - 1]
        last = load_all(archive, load_turn(archive, game, earlier[-1])) if earlier else None
        archive.files.write_folder(archive.game_folder(game.slug) / again.turn, open_files(game, again, last) | files)
    else:
        again = judged.data
    _move(archive, turn.folder)
    yield again


def _move(archive: Archive, folder: Path) -> None:
    """Move a turn's folder into `undone/`, named after its attempt."""
    kept = folder.parent / UNDONE
    archive.files.move(folder, kept / f"{folder.name}.{archive.attempts(folder.parent.name, folder.name) + 1}")


def _begin_again(archive: Archive, turn: Turn, ruling: Ruling, at: str | None) -> TurnData:
    """Begin the turn before an open one again, after its old folder has been moved away."""
    game: Game = turn.game
    number = int(turn.name.partition("-")[0]) - 1
    earlier = [name for name in archive.turns(game.slug) if int(name.partition("-")[0]) < number]
    if not earlier:
        data = _begin_game_again(archive, game, at)
    else:
        last = load_turn(archive, game, earlier[-1])
        whole, given, keys = load_inputs(archive, last)
        done, resolution = resolve_turn(game, whole, given, last.data.closed, keys, last.data.judged_by)
        data = next_attempt(archive, game, number, resolution.position, None, carry_over(game, done, given))
    after = at or last.data.closed if earlier else at
    return replace(with_times(game, data, after), opened=after, put_back=ruling.reason)


def _begin_game_again(archive: Archive, game: Game, at: str | None) -> TurnData:
    """Begin the first turn again with the position that the game began with, even if this version would begin it with a different one."""
    firsts = [(name, path) for name, path in archive.undone(game.slug) if int(name.partition("-")[0]) == 1]
    was = load_turn(archive, game, firsts[-1][0], firsts[-1][1])
    whole = _begun_otherwise(archive, was)
    if whole is None:
        return open_first_turn(
            game, at=at, attempt=lambda name: archive.attempts(game.slug, name) + 1, seal=was.data.seal
        )
    attempt = archive.attempts(game.slug, was.name) + 1
    data = open_turn(game, 1, whole.position, at, Carried(setup=whole.setup, seal=was.data.seal), attempt=attempt)
    digest = start_digest(game, whole.position, whole.setup, lambda: keys_for(game, data.turn, None, attempt))
    return replace(
        data, start=StartData(digest=digest, files=was.data.start.files if was.data.start is not None else None)
    )


def _begun_otherwise(archive: Archive, was: Turn) -> TurnData | None:
    """The complete first turn, if this version would begin the game with a different position; otherwise None. Raises `Problems`."""
    whole = load_all(archive, was)
    other = start_problem(archive, was, whole, open_first_turn(was.game, was.data).position)
    if other is None:
        return None
    if other.right == RESTORE:
        raise Problems([other])
    if any(ruling.correct or ruling.hidden or ruling.decide is not None for ruling in whole.rulings):
        what = "the game's first position was corrected, and this version of courtly would begin with a different one"
        right = (
            f"put the turn back with the version that began it{f' ({by[:60]})' if (by := was.data.judged_by) else ''}"
        )
        raise problem(f"{display(was.folder, archive.root)}/turn.yaml", what, right)
    return whole


def next_attempt(
    archive: Archive, game: Game, number: int, position: object, after: str | None, hands: Carried
) -> TurnData:
    """Open a turn; the number of its attempt is one more than the number of attempts that were put back."""
    data = open_turn(game, number, position, after, hands)
    attempt = archive.attempts(game.slug, data.turn) + 1
    return data if attempt == 1 else open_turn(game, number, position, after, hands, attempt=attempt)


def _kept_rulings(archive: Archive, turn: Turn, again: TurnData) -> bytes:
    """The `ruling.yaml` of the new attempt: rulings about its position and about who plays, and any pause; empty if there are none."""
    slug = turn.game.slug
    folder = archive.game_folder(slug) / UNDONE / f"{again.turn}.{archive.attempts(slug, again.turn)}"
    was = load_turn(archive, turn.game, again.turn, folder)
    kept = [_reseal(was, again, ruling) for ruling in was.data.rulings if ruling.kind in KEPT]
    kept += [ruling for ruling in turn.data.rulings if ruling.kind == "replace"]
    if turn.data.paused:  # the game is paused until somebody resumes it
        kept += [ruling for ruling in (*was.data.rulings, *turn.data.rulings) if ruling.kind == "pause"][-1:]
    return write({"rulings": encode(kept)}).encode() if kept else b""


def _reseal(was: Turn, again: TurnData, ruling: Ruling) -> Ruling:
    """Carry a ruling over to the next attempt: its hidden part is sealed again, to the new key."""
    if ruling.hidden is None:
        return ruling
    assert again.seal is not None
    inside = reveal_hidden(ruling.hidden, keys_for(was.game, was.name, was.data).identity or "", was.name)
    anew = replace(inside, attempt=again.attempt or 1)
    return replace(ruling, hidden=hide(anew, again.seal.recipient))
