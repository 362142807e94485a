"""Run games: judge what is due, and open what comes next. Each step is written as a whole.

Judging reads everything first, computes, then writes: the picture, the completed `turn.yaml`, and the next turn's folder, each in one step.
If a process is killed between two steps, the next run continues and writes the very same bytes, because each step depends only on the
results of the step before. (Only sealed files differ: their content is the same, but age never seals it to the same bytes twice.)
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import Enum, auto
from pathlib import Path

from adjudicator.core.files.floor import UNFINISHED
from adjudicator.core.game.absence import FILE as ABSENCE
from adjudicator.core.game.absence import FOLDER as ABSENCES
from adjudicator.core.game.archive import OVER, TURN, Archive, display
from adjudicator.core.game.draw import DRAW, FOLDER, draw_faults, draw_text
from adjudicator.core.game.game import LETTERS_KEY, Game, GameKind, seat_file
from adjudicator.core.game.installed import this_courtly
from adjudicator.core.game.join import draw_now, gathers, starts_later, waits_for
from adjudicator.core.game.schedule import Judge, OpenTurn, counts_from, judge_or_wait, read_time
from adjudicator.core.jobs.coming import coming_faults
from adjudicator.core.jobs.edited import edited_settings
from adjudicator.core.jobs.guard import strange_keys
from adjudicator.core.jobs.move import lay_away
from adjudicator.core.jobs.new import keep_data
from adjudicator.core.jobs.reserve import take_over
from adjudicator.core.jobs.undo import next_attempt, put_back, undoing
from adjudicator.core.jobs.verify import difference, position_faults
from adjudicator.core.jobs.waiting import seats_owing
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problem, Problems, contain_errors, problem, with_path
from adjudicator.core.text.yamltext import OWN_LIMIT, Plain, read, write
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.files import (
    all_news,
    dispatches,
    ending_files,
    map_text,
    open_files,
    public_data,
    secret_file,
    turn_text,
    with_digests,
)
from adjudicator.core.turn.judge import (
    apply_rulings_anew,
    carry_over,
    is_due,
    later_deadline,
    open_first_turn,
    reminders_from,
    resolve_turn,
    sooner_deadline,
    still_to_remind,
)
from adjudicator.core.turn.keys import Keys, keys_for
from adjudicator.core.turn.load import load_all, load_game, load_turn, ruling_text
from adjudicator.core.turn.maps import remove_maps
from adjudicator.core.turn.press import identity_for, key_text
from adjudicator.core.turn.sheets import Given, changed_sheets, load_given


@dataclass(frozen=True, slots=True)
class Step:
    """One action of a run, and the turn that it affected (none for `drew`).

    `what` is `drew`, `opened`, `resolved`, `ruled`, `put back`, `ended`, `revealed`, `mended`, `redrew`, `all in` (its deadline moved forward,
    because every sheet is in), `away` (its deadline moved back, because a player is away), `reminded`, or `put away`, the last step of a game
    that is over.
    """

    game: str
    """The game's folder below `games/`: its name, or `over/NAME` once it has been put away."""
    what: str
    turn: str
    phase: str


# Games that might be due --------------------------------------------------------------------------------------------

PEEK = 4096
"""A `turn.yaml` certainly shows its status, its deadline and the seats that owe sheets within this many bytes."""
STATUS = re.compile(rb"^status: (\w+)$", re.MULTILINE)
DEADLINE = re.compile(rb"^deadline:(?: \"?([0-9TZ:+-]+)\"?$)?", re.MULTILINE)
PAUSED = re.compile(rb"^paused: true$", re.MULTILINE)
REMIND = re.compile(rb"^remind:(?: \[|\n- )['\"]?([0-9TZ:+-]+)", re.MULTILINE)
SOMEBODY = re.compile(rb"^owing:(?: \[[^\]]|\n- )")
AHEAD = re.compile(rb"^ahead:", re.MULTILINE)
LAST = re.compile(rb"^last: ['\"]?(\d{4}-\d\d-\d\d)['\"]?$", re.MULTILINE)
OWING = re.compile(rb"^owing:(?: \[.*\]|\n(?:- .*\n)*)", re.MULTILINE)


def might_be_due(archive: Archive, slug: str, at: str, *, maps: bool = True) -> bool:
    """True if a running game is worth reading. Reads only the beginning of one file and the names of a few others.

    False is always right: the function decides as it would for a loaded game, and where it does not know a fact, it assumes what makes the
    turn due: no grace after the deadline, and every sheet final. It notices by their names the files of a killed run and missing maps; it
    does not notice changed maps or an edited game.yaml. `maps` is false for a checkout without maps, where a missing map means nothing.
    """
    home = os.fspath(archive.game_folder(slug))
    try:
        around = set(
            archive.files.names(home)
        )  # for ten thousand games; a Path for each name takes longer than all the rest
        if "ending.yaml" in around and archive.has_ended(slug):
            return False
        turns = [name for name in around if TURN.fullmatch(name)]
        if not turns:
            return True
        folder = f"{home}{os.sep}{max(turns, key=lambda name: (int(name.partition('-')[0]), name))}"
        beside = set(archive.files.names(folder))
        if (maps and "map.svg" not in beside) or any(name.startswith(UNFINISHED) for name in beside | around):
            return True
        head = archive.files.start(f"{folder}{os.sep}turn.yaml", PEEK)
        sheets = archive.files.names(f"{folder}{os.sep}orders") if "orders" in beside else []
        away = _last_days(archive, f"{home}{os.sep}{ABSENCES}") if ABSENCES in around else {}
    except OSError:
        return True
    status, deadline, waited = STATUS.search(head), DEADLINE.search(head), OWING.search(head)
    if not head.startswith(b"schema: ") or status is None or status[1] != b"open" or "ruling.yaml" in beside:
        return True
    if deadline is not None and deadline[1] is None:
        return True  # something that is not a time is there
    until = deadline[1].decode() if deadline is not None else None
    try:
        if until is not None:
            read_time(until)
        remind = REMIND.search(head) if PAUSED.search(head) is None else None
        if remind is not None and read_time(at) >= read_time(remind[1].decode()):
            return True
        if not sheets and AHEAD.search(head) is None and waited is not None and SOMEBODY.search(waited[0]):
            # No sheet has come, and at least one seat owes one: it does not matter which.
            owing: tuple[str, ...] = ("somebody",)
        else:
            owing = decode(tuple[str, ...], read(waited[0], "turn.yaml").under("owing")) if waited is not None else ()
    except Problems:
        return True
    files = {name.partition(".")[0] for name in sheets if ".yaml" in name}
    if until is not None and any(
        first <= _day(until, 1) and last >= _day(until, -1) for (seat, first), last in away.items() if seat not in files
    ):
        return True
    sent = frozenset(seat for seat in owing if seat_file(seat) in files or AHEAD.search(head))
    turn = OpenTurn(
        schedule=None,
        deadline=until,
        paused=PAUSED.search(head) is not None,
        owed=bool(owing),
        waited=owing,
        final=sent,
        given=sent,
    )
    return isinstance(judge_or_wait(turn, at), Judge)


def _last_days(archive: Archive, folder: str) -> dict[tuple[str, str], str]:
    """A seat's file name and the first day of an absence -> its last day, from the files in a folder; a year 9999 where it is not plain."""
    found = {}
    for name in archive.files.names(folder):
        if (match := ABSENCE.fullmatch(name)) is not None:
            last = LAST.search(archive.files.start(f"{folder}{os.sep}{name}", PEEK))
            found[match[1], match[2]] = last[1].decode() if last is not None else "9999"
    return found


def _day(time: str, days: int) -> str:
    """A day so many days after a time, in UTC: with one day more on either side it is the day in every time zone."""
    try:
        return (read_time(time) + timedelta(days=days)).date().isoformat()
    except OverflowError:  # the first or the last day that there is
        return read_time(time).date().isoformat()


MOST_ALONE = 100
"""Maximum number of turns in a row that are judged although nobody owed a sheet: a game with no players left would otherwise never end."""
# Running ----------------------------------------------------------------------------------------------------------
Objection = Callable[[Turn], Problem | None]
"""Open turn -> why it may not be judged, for a reason outside its files; None if it may be."""


def run_game(
    archive: Archive, slug: str, *, at: str | None = None, now: bool = False, objection: Objection | None = None
) -> Iterator[Step]:
    """Judge what is due in one game and open what comes next; yields each step once it is on disk.

    `at` is the time (deadlines before it are past); `now` judges the open turn even if it is not due; `objection` is called before a turn
    is judged. A record, or a game that has ended, is not touched. The caller holds the lock.
    """
    with with_path(archive.place(slug)):
        if archive.has_ended(slug):
            return
        game = load_game(archive, slug)
        with contain_errors(archive.place(slug), quiet=game.ruleset.secrecy is not None):
            yield from _run(archive, game, at, now=now, objection=objection)
            remove_maps(archive, slug)


def _alone(archive: Archive, game: Game, names: list[str]) -> int:
    """The number of turns in a row, up to and including the newest, where nobody owed a sheet; counting stops beyond `MOST_ALONE`."""
    count = 1
    for name in reversed(names[:-1]):
        if count > MOST_ALONE or game.ruleset.due(load_turn(archive, game, name).data.position):
            break
        count += 1
    return count


class Go(Enum):
    """How a run goes on after a step."""

    ON = auto()
    """Take the next step."""
    AGAIN = auto()
    """The files have changed: look at the newest turn again, from the first step on."""
    STOP = auto()
    """Nothing is left to do for now."""


@dataclass(slots=True)
class Running:
    """One game that is being run: its newest turn, as read from its files, and what the run remembers."""

    archive: Archive
    game: Game
    at: str | None
    now: bool
    """Judge the turn that was open before this run, even if it is not due. False once the run has opened a turn: players need time for it."""
    objection: Objection | None
    names: list[str]
    turn: Turn = field(init=False)
    keys: Keys = field(init=False)
    found: TurnData = field(init=False)
    """The newest turn as it was read from its files."""
    whole: TurnData = field(init=False)
    """The newest turn with the rulings that have been applied so far."""
    given: Given = field(init=False)
    """The sheets of the turn; read by `wait`."""
    alone: int = 0
    """Number of turns in a row that were judged although nobody owed a sheet."""
    drawn: str = ""
    """The turn that this run opened, whose map need not be checked by drawing it again."""

    @property
    def folder(self) -> Path:
        """The game's folder."""
        return self.archive.game_folder(self.game.slug)

    def look(self) -> None:
        """Read the newest turn; raises `Problems` if its keys are not those of the archive."""
        self.names = self.archive.turns(self.game.slug)
        self.turn = load_turn(self.archive, self.game, self.names[-1])
        if faults := strange_keys(self.archive, self.turn):
            raise Problems(faults)
        self.keys = keys_for(self.game, self.turn.name, self.turn.data)
        self.found = self.whole = load_all(self.archive, self.turn)

    def step(self, what: str, data: TurnData) -> Step:
        """Make the `Step` that reports an action on a turn."""
        return Step(self.game.slug, what, data.turn, data.phase)

    def write_turn(self, coming: TurnData, before: TurnData | None, what: str) -> Step:
        """Write the folder of the next turn in one go; returns the step that reports it."""
        files = _next_files(self.archive, self.game, coming, before) if before else open_files(self.game, coming, None)
        self.archive.files.write_folder(self.folder / coming.turn, files)
        return self.step(what, coming)


def _run(archive: Archive, game: Game, at: str | None, *, now: bool, objection: Objection | None) -> Iterator[Step]:
    """Take the steps in their order, and begin again with the first whenever a step has changed the files."""
    if game.data.kind is GameKind.RECORD:
        return
    archive.clean(game.slug)
    run = Running(archive, game, at, now, objection, archive.turns(game.slug))
    if not run.names and (yield from _begin(run)) is Go.STOP:
        return
    if edited := edited_settings(archive, run.game):
        raise Problems(edited)
    go = Go.AGAIN
    while go is not Go.STOP:
        run.look()
        for step in STEPS:
            go = yield from step(run)
            if go is not Go.ON:
                break


def _begin(run: Running) -> Generator[Step, None, Go]:
    """Draw the seats and open the first turn, if the game has everything that it needs to begin."""
    archive, game, slug = run.archive, run.game, run.game.slug
    silent = [seat for seat in game.seats if game.data.setup is not None and not game.data.seats[seat].nonce]
    if silent and run.now:
        what = f"the game is waiting for the nonces of {', '.join(silent)}"
        right = "every player must give one, so that the host cannot choose the setup; a new game without `setup:` needs none"
        raise problem(f"{archive.place(slug)}/game.yaml", what, right)
    if silent:
        return Go.STOP  # until every player has contributed to the dice of the setup
    if (draw := draw_now(archive, game, run.at)) is not None:
        archive.files.write(run.folder / FOLDER / DRAW, draw_text(draw))
        yield Step(slug, "drew", "", "its seats")
        game = run.game = load_game(archive, slug)
    if faults := draw_faults(archive, game, begun=False):
        raise Problems(faults)
    if gathers(game) and run.now:
        right = "to begin without them, write in game.yaml who plays those seats, such as `player: nobody`"
        raise problem(f"games/{slug}/game.yaml", f"the game {waits_for(game)}", right)
    if gathers(game):
        return Go.STOP  # until all its seats are taken
    starts = starts_later(game, run.at)
    if starts is not None and run.now:
        right = "take `starts` out of its schedule to begin now"
        raise problem(f"games/{slug}/game.yaml", f"the game opens at {starts} at the earliest", right)
    if starts is not None:
        return Go.STOP
    data = open_first_turn(game, at=run.at)
    keep_data(archive, game)
    yield run.write_turn(data, None, "opened")
    run.now = False
    return Go.ON


def mend(run: Running) -> Generator[Step, None, Go]:
    """Finish what a killed process left undone after judging a turn: open the next turn, or end the game.

    Raises `Problems` if judging the turn again gives different files: the next turn would then not follow from the archived files.
    """
    if run.turn.data.status != "resolved":
        return Go.ON
    archive, game, turn = run.archive, run.game, run.turn
    run.now = False  # the same command, run again, finishes that turn, and must not judge the one it opens
    given = load_given(archive, turn, run.whole, run.keys)
    if changed := changed_sheets(archive, turn, given.digests):
        raise Problems(changed)
    data, resolution = resolve_turn(game, run.whole, given, turn.data.closed, run.keys, turn.data.judged_by)
    judged, revealed = (turn_text(public_data(game, data, over=over)) for over in (False, True))
    # At the end the keys are published before the game is marked as over; a process may be killed in between.
    if turn.source != judged and (resolution.ended is None or turn.source != revealed):
        path = f"{display(turn.folder, archive.root)}/turn.yaml"
        raise Problems([difference(path, turn.source, judged, turn.data.judged_by)])
    if resolution.ended is not None:
        yield from _end(archive, game, data, resolution.position)
        return Go.STOP
    yield run.write_turn(_next(archive, game, data, resolution.position, given, len(run.names)), data, "mended")
    return Go.AGAIN


def take_back(run: Running) -> Generator[Step, None, Go]:
    """Put back the turn before, if the host's `undo` ruling says so."""
    if (ruling := undoing(run.archive, run.turn)) is None:
        return Go.ON
    for again in put_back(run.archive, run.turn, ruling, run.at):
        yield run.step("put back", again)
    run.now = False
    return Go.AGAIN


def rule(run: Running) -> Generator[Step, None, Go]:
    """Apply the host's new rulings."""
    archive, turn = run.archive, run.turn
    if faults := coming_faults(archive, turn, run.whole, ruling_text(archive, turn)):
        raise Problems(faults)
    run.whole, new = apply_rulings_anew(archive, turn, run.whole)
    if not new:
        return Go.ON
    if run.whole.deadline != turn.data.deadline:
        run.whole = replace(run.whole, remind=reminders_from(run.game, run.whole, run.at))
    _check_founded(archive, turn, run.found, run.names)
    for name, body in _files_after_rulings(archive, turn, run.whole, run.names, new).items():
        archive.files.write(turn.folder / name, body)
    yield run.step("ruled", run.whole)
    return Go.AGAIN


def _write_again(run: Running) -> None:
    """Write the open turn's files again, with its new deadline or the reminders that are left."""
    for name, body in _files_after_rulings(run.archive, run.turn, run.whole, run.names, ()).items():
        run.archive.files.write(run.turn.folder / name, body)


def wait(run: Running) -> Generator[Step, None, Go]:
    """Stop if the turn is not due. Before that, draw its map again if a killed run has replaced it with the map of the judged turn."""
    archive, game, turn = run.archive, run.game, run.turn
    run.given = load_given(archive, turn, run.whole, run.keys)
    if not run.now and (later := later_deadline(game, run.whole, run.given.sheets)) is not None:
        run.whole = replace(run.whole, deadline=later)
        run.whole = replace(run.whole, remind=reminders_from(game, run.whole, run.at))
        _write_again(run)
        yield run.step("away", run.whole)
        return Go.AGAIN
    if run.now or is_due(game, run.whole, run.given, run.at):
        return Go.ON
    if (sooner := sooner_deadline(game, run.whole, run.given, run.at)) is not None:
        run.whole = replace(run.whole, deadline=sooner)
        _write_again(run)
        yield run.step("all in", run.whole)
        return Go.AGAIN
    left = still_to_remind(run.whole, run.at)
    if left != (run.whole.remind or ()) and seats_owing(archive, turn):
        run.whole = replace(run.whole, remind=left or None)
        _write_again(run)
        yield run.step("reminded", run.whole)
        return Go.AGAIN
    if turn.name != run.drawn and archive.files.write(turn.folder / "map.svg", map_text(game, run.whole)):
        # A killed process had already replaced the open turn's map with the judged one.
        yield run.step("redrew", turn.data)
    return Go.STOP


def judge(run: Running) -> Generator[Step, None, Go]:
    """Judge the turn and open the next, or end the game. Everything is computed before anything is written."""
    archive, game, turn = run.archive, run.game, run.turn
    _check_founded(archive, turn, run.found, run.names)
    if run.objection is not None and (why := run.objection(turn)) is not None:
        raise Problems([why])
    run.now = False
    owed = bool(game.ruleset.due(run.whole.position))
    run.alone = 0 if owed else (run.alone + 1 if run.alone else _alone(archive, game, run.names))
    if run.alone > MOST_ALONE:
        what = f"nobody owed a sheet in any of the last {MOST_ALONE} turns"
        raise problem(archive.place(game.slug), what, "end the game with an `end` ruling, or fix the ruleset's `due`")
    data, resolution = resolve_turn(game, run.whole, run.given, run.at, run.keys, this_courtly())
    picture, size = map_text(game, data), len(turn_text(data))
    if size > OWN_LIMIT:
        # Sheets with thousands of short lines grow many times over when judged. A turn's file of that size could be written, but not read.
        what = f"judged, the turn's file would have {size} bytes"
        right = f"at most {OWN_LIMIT} are allowed; shorten the longest sheet"
        raise problem(display(turn.folder, archive.root), what, right)
    # If the next turn cannot be opened, this one is not judged either.
    after: TurnData | None = None
    files: dict[str, bytes] = {}
    if resolution.ended is None:
        after = _next(archive, game, data, resolution.position, run.given, len(run.names))
        files = _next_files(archive, game, after, data)
    else:
        ending_files(game, data.turn, resolution.ended, resolution.position)
    archive.files.write(turn.folder / "map.svg", picture)
    if game.ruleset.secrecy is not None:
        archive.files.write(turn.folder / "secret.age", secret_file(game, data))
    archive.files.write(turn.folder / "turn.yaml", turn_text(public_data(game, data, over=False)))
    yield run.step("resolved", data)
    if after is None:
        yield from _end(archive, game, data, resolution.position)
        return Go.STOP
    archive.files.write_folder(run.folder / after.turn, files)
    yield run.step("opened", after)
    run.drawn = after.turn
    return Go.AGAIN


STEPS = (mend, take_back, rule, wait, judge)
"""The steps that a run takes on the newest turn, in order. A process may be killed between any two; the next run writes the same bytes."""


def _check_founded(archive: Archive, turn: Turn, whole: TurnData, names: list[str]) -> None:
    before = load_turn(archive, turn.game, names[-2]) if len(names) > 1 else None
    if faults := [fault for fault in position_faults(archive, turn, whole, before) if fault.level == "error"]:
        raise Problems(faults)


def _next(archive: Archive, game: Game, data: TurnData, position: object, given: Given, number: int) -> TurnData:
    after = counts_from(game.data.schedule, game.ruleset.kind(position), data.deadline, data.closed)
    return next_attempt(archive, game, number + 1, position, after, carry_over(game, data, given))


def _next_files(archive: Archive, game: Game, after: TurnData, data: TurnData) -> dict[str, bytes]:
    """The files of the turn that opens after a judged one, with rulings that give seats to people in reserve."""
    rulings = take_over(archive, game, data, after)
    return open_files(game, after, data) | ({"ruling.yaml": rulings} if rulings is not None else {})


def _files_after_rulings(
    archive: Archive, turn: Turn, whole: TurnData, names: list[str], rulings: tuple[object, ...]
) -> dict[str, bytes]:
    """The files in an open turn's folder that rulings change: `turn.yaml` last, because it lists the rulings that were applied."""
    game = turn.game
    files: dict[str, bytes] = {}
    if game.ruleset.secrecy is not None:
        before = load_all(archive, load_turn(archive, game, names[-2])) if len(names) > 1 else None
        texts = all_news(game, whole, before, keys_for(game, whole.turn, whole))
        whole = with_digests(whole, texts)
        # It holds the whole turn: turn.yaml is written last, and until then the old one shows a different position.
        files["secret.age"] = secret_file(game, whole, whole=True)
        applied = whole.rulings[len(whole.rulings) - len(rulings) :]
        moved = [one for one in applied if one.correct or one.hidden or one.decide is not None]
        new = {ruling.replace.seat for ruling in applied if ruling.replace}
        files |= dispatches(game, whole, before, texts, [seat for seat in game.seats if moved or seat in new])
    files["map.svg"] = map_text(game, whole)
    files["turn.yaml"] = turn_text(public_data(game, whole, over=False))
    return files


def _end(archive: Archive, game: Game, data: TurnData, position: object) -> Iterator[Step]:
    """End a game: reveal everything, move it to the games that are over, and then write that it is over."""
    assert data.ended is not None
    if game.ruleset.secrecy is not None:
        yield from _reveal(archive, game, archive.turns(game.slug))
    files = ending_files(game, data.turn, data.ended, position)
    if game.data.letters is not None:
        # Before ending.yaml: whoever finds the game over finds the key of its letters too.
        files = {LETTERS_KEY: key_text(identity_for(game)), **files}
    if odd := [name for name in files if archive.files.is_folder(archive.game_folder(game.slug) / name)]:
        raise problem(f"{game.home}/{odd[0]}", "this is a folder, and the run writes a file there", "remove it")
    # The file that marks it as over is written last: after a kill before that, the next run ends the game.
    lay_away(archive, game.slug)
    for name, body in files.items():
        archive.files.write(archive.game_folder(game.slug) / name, body)
    yield Step(game.slug, "ended", data.turn, data.ended.when)
    yield Step(f"{OVER}/{game.slug}", "put away", data.turn, data.ended.when)


def undo_turn(archive: Archive, slug: str, reason: str, at: str) -> Iterator[Step]:
    """Add an `undo` ruling below those of the open turn, and carry it out; raises `Problems` and writes nothing if that is impossible."""
    if archive.has_ended(slug):
        right = "its secrets are published; open a new game"
        raise problem(archive.place(slug), "the game is over, and no turn of a finished game can be put back", right)
    game, names = load_game(archive, slug), archive.turns(slug)
    if not names:
        raise problem(archive.place(slug), "the game has no turn yet", "there is nothing to put back")
    if not reason.strip():
        raise problem("--reason", "the reason is empty", "give a reason: the turn's page shows it")
    if load_turn(archive, game, names[-1]).data.status != "open":
        # A process was killed before the next turn opened, before it marked the game as over, or while it put a turn back.
        finished = False
        for step in run_game(archive, slug, at=at):
            finished |= step.what == "put back"
            yield step
        if archive.has_ended(slug) or finished:
            return
        names = archive.turns(slug)
    turn = load_turn(archive, game, names[-1])
    text = ruling_text(archive, turn)
    plain = text.data if isinstance(text.data, dict) else {}
    given = plain.get("rulings")
    if isinstance(given, list) and given and isinstance(given[-1], dict) and "undo" in given[-1]:
        yield from run_game(archive, slug, at=at)  # the same command was killed before it carried that out
        return
    ruling: Plain = {"reason": reason, "undo": True}
    body = write({"rulings": [*(given if isinstance(given, list) else []), ruling]}).encode()
    if faults := coming_faults(archive, turn, load_all(archive, turn), read(body, text.path)):
        raise Problems(faults)
    archive.files.write(turn.folder / "ruling.yaml", body)
    yield from run_game(archive, slug, at=at)


def _reveal(archive: Archive, game: Game, names: list[str]) -> Iterator[Step]:
    """Publish the keys of every judged turn, including those put back: from now on anyone can open what is sealed.

    The sheets for a turn that was put back while open were never judged, and remain their senders' secrets.
    """
    everywhere: list[tuple[str, Path | None]] = [*archive.undone(game.slug), *((name, None) for name in names)]
    for name, folder in everywhere:
        turn = load_turn(archive, game, name, folder)
        if folder is not None and turn.data.status != "resolved":
            continue
        keys = keys_for(game, name, turn.data)
        assert turn.data.seal is not None
        setup = turn.data.setup
        if setup is not None:
            setup = load_all(archive, turn).setup
        data = replace(
            turn.data,
            dice=replace(turn.data.dice, secret=keys.dice.hex()),
            seal=replace(turn.data.seal, identity=keys.identity),
            setup=setup,
        )
        if archive.files.write(turn.folder / "turn.yaml", turn_text(data)):
            yield Step(game.slug, "revealed", name, turn.data.phase)


def reveal(archive: Archive, slug: str) -> Iterator[Step]:
    """Publish those keys of a finished game with hidden information that are still secret; raises `Problems` if it is still running."""
    game = load_game(archive, slug)
    if game.ruleset.secrecy is None:
        right = "its keys were published turn by turn"
        raise problem(archive.place(slug), f"{game.ruleset.about.title} has nothing hidden", right)
    names = archive.turns(slug)
    last = load_turn(archive, game, names[-1]) if names else None
    if last is None or last.data.ended is None:
        raise problem(archive.place(slug), "the game is not over", "end it first; an `end` ruling can do that")
    yield from _reveal(archive, game, names)
