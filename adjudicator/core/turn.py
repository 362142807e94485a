"""The life of a turn: open, check, resolve, write, open the next; and verify it all again.

`turn.yaml` is written when the turn opens (position) and completed when it is adjudicated (verdicts, events, rolls).
Resolving reads everything first, computes, then writes: the picture, the completed `turn.yaml`, and the next turn's
folder, each in one step. A process killed between the steps leaves a state from which the next run goes on to the
very same bytes, because each step depends only on what the step before wrote.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator.core import dice as luck
from adjudicator.core.archive import Archive, display, read_file, sentence, write_file, write_folder
from adjudicator.core.codec import decode, encode, record
from adjudicator.core.game import SCHEMA, Game, GameKind, check_schema, seat_file, subtext
from adjudicator.core.problems import Problem, Problems, contained, nearest, placed, problem
from adjudicator.core.resolution import Ending, Remark, Resolution, Verdict
from adjudicator.core.schedule import next_deadline, read_time
from adjudicator.core.yamltext import OWN_LIMIT, Text, read, write


@record
class DiceData:
    """The turn's dice: a commitment while it is open, secret and digest once it is resolved."""

    commitment: str
    secret: str | None = None
    digest: str | None = None


@record
class TurnData:
    """`turn.yaml` as it is written; position and events are the ruleset's own types."""

    schema: int
    game: str
    turn: str
    phase: str
    status: str
    """`open` or `resolved`."""
    position: Any
    dice: DiceData
    deadline: str | None = None
    closed: str | None = None
    """When the turn was adjudicated, by the time given to the command; absent for imported turns."""
    sheets: Mapping[str, str] | None = None
    """Seat -> SHA-256 of the sheet file that was judged; a seat without a sheet is absent."""
    verdicts: tuple[Verdict, ...] = ()
    events: tuple[Any, ...] = ()
    rolls: tuple[luck.Roll, ...] = ()
    ended: Ending | None = None


ORDER = (
    "schema", "game", "turn", "phase", "status", "deadline", "closed", "position",
    "dice", "sheets", "verdicts", "events", "rolls", "ended",
)  # fmt: skip
"""The order of keys in `turn.yaml`: what people look for first stands first."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was read: its data with typed position and events."""

    game: Game
    folder: Path
    data: TurnData
    source: bytes

    @property
    def name(self) -> str:
        """The turn's folder name."""
        return self.data.turn

    @property
    def resolution(self) -> Resolution[Any, Any] | None:
        """What the turn produced, as it is recorded (its position is the one the turn began with); None while open."""
        if self.data.status == "open":
            return None
        return Resolution(self.data.position, self.data.verdicts, self.data.events, self.data.ended)


# Reading ----------------------------------------------------------------------------------------------------------


def load_game(archive: Archive, slug: str) -> Game:
    """A game's `game.yaml`; raises `Problems` with everything that is wrong in it."""
    path = archive.game_folder(slug) / "game.yaml"
    if not path.parent.is_dir():
        archive.turns(slug)
    return Game(slug, read(read_file(path, archive.root), display(path, archive.root)))


def load_turn(archive: Archive, game: Game, name: str) -> Turn:
    """One turn of a game; raises `Problems`."""
    folder = archive.game_folder(game.slug) / name
    path = folder / "turn.yaml"
    source = read_file(path, archive.root, own=True)
    text = read(source, display(path, archive.root), limit=OWN_LIMIT)
    check_schema(text)
    data = decode(TurnData, text)
    faults = [
        text.problem((key,), f"{key} is {getattr(data, key)!r:.60}", f"this file is {right!r}")
        for key, right in (("game", game.slug), ("turn", name))
        if getattr(data, key) != right
    ]
    for key in ("deadline", "closed"):
        if (time := getattr(data, key)) is not None:
            try:
                read_time(time)
            except Problems as error:
                faults.extend(text.problem((key,), p.what, p.right) for p in error.problems)
    if data.status not in ("open", "resolved"):
        faults.append(text.problem(("status",), f"status is {data.status!r:.40}", "it is open or resolved"))
    if faults:
        raise Problems(faults)
    position = decode(game.ruleset.position, subtext(text, "position"))
    events_text = subtext(text, "events")
    events = decode(tuple[game.ruleset.event, ...], replace(events_text, data=events_text.data or []))  # type: ignore[name-defined]
    return Turn(game, folder, replace(data, position=position, events=events), source)


def sheet_path(folder: Path, seat: str) -> Path:
    """Where a seat's open sheet of a turn lives."""
    return folder / "orders" / f"{seat_file(seat)}.yaml"


def sheet_files(archive: Archive, folder: Path) -> list[Path]:
    """What lies in a turn's `orders` folder, by name; raises `Problems` if that is a link or a file."""
    orders = folder / "orders"
    if orders.is_symlink():
        raise problem(display(orders, archive.root), "this is a link", "put the folder itself here")
    if not orders.exists():
        return []
    if not orders.is_dir():
        raise problem(display(orders, archive.root), "this is not a folder", "sheets go to orders/SEAT.yaml")
    return sorted(p for p in orders.iterdir() if not p.name.startswith(".") and p.name != "README.md")


def load_sheets(archive: Archive, turn: Turn) -> tuple[dict[str, Any], dict[str, str]]:
    """The sheets of a turn and their digests, by seat; raises `Problems` for every fault in every file."""
    faults: list[Problem] = []
    sheets: dict[str, Any] = {}
    digests: dict[str, str] = {}
    known = {seat_file(seat): seat for seat in turn.game.seats}
    for path in sheet_files(archive, turn.folder):
        shown = display(path, archive.root)
        seat = known.get(path.stem)
        if path.suffix != ".yaml" or seat is None:
            files = [f"{name}.yaml" for name in known]
            right = nearest(path.name, files) or "sheets here: " + ", ".join(files)
            faults.append(Problem(shown, 0, 0, "no seat of this game has a sheet of that name", right))
            continue
        try:
            source = read_file(path, archive.root)
            sheets[seat] = decode(turn.game.ruleset.sheet, read(source, shown))
            digests[seat] = hashlib.sha256(source).hexdigest()
        except Problems as error:
            faults.extend(error.problems)
    if faults:
        raise Problems(faults)
    return sheets, digests


def changed_sheets(archive: Archive, turn: Turn, digests: Mapping[str, str]) -> list[Problem]:
    """The sheets of a judged turn that are not the ones it was judged from."""
    judged = turn.data.sheets or {}
    if turn.data.status == "open":
        return []
    words = {(True, False): "was added", (False, True): "was removed", (True, True): "was changed"}
    return [
        Problem(
            display(sheet_path(turn.folder, seat), archive.root),
            0,
            0,
            f"this sheet {words[seat in digests, seat in judged]} after the turn was judged",
            "restore it from the repository's history",
        )
        for seat in sorted({*judged, *digests})
        if judged.get(seat) != digests.get(seat)
    ]


def unfounded(archive: Archive, turn: Turn, before: str | None) -> list[Problem]:
    """What is wrong with a turn's position, given the turn before it (None: it is the first of its game)."""
    game = turn.game
    if before is None:
        expected = first_turn(game).position
    else:
        last = load_turn(archive, game, before)
        if last.data.status == "open" or before in (game.data.as_played or {}):
            return []
        sheets, digests = load_sheets(archive, last)
        if changed := changed_sheets(archive, last, digests):
            return changed
        expected = resolved(game, last.data, sheets, digests, last.data.closed)[1].position
    if encode(expected) == encode(turn.data.position):
        return []
    where = f"{display(turn.folder, archive.root)}/turn.yaml"
    return [
        Problem(where, 0, 0, "the position is not the one the turn before led to", "restore the file from the history")
    ]


def check_sheet(game: Game, position: Any, seat: str, text: Text) -> tuple[Problem, ...]:
    """Everything that is wrong with one sheet, before the deadline; warnings included."""
    try:
        sheet = decode(game.ruleset.sheet, text)
    except Problems as error:
        return error.problems
    found = [place_remark(text, remark) for remark in game.ruleset.check(position, seat, sheet)]
    if seat not in game.ruleset.due(position):
        owing = ", ".join(sorted(game.ruleset.due(position))) or "none"
        what = f"{seat} has nothing to order in this turn (a vote on the sheet counts all the same)"
        found.append(text.problem((), what, f"seats that do: {owing}", level="warning"))
    return tuple(sorted(found))


def place_remark(text: Text, remark: Remark) -> Problem:
    """A ruleset's remark on a sheet as a problem with its line and column."""
    return text.problem(remark.place, remark.what, remark.right, offset=remark.offset, level=remark.level)


# Computing --------------------------------------------------------------------------------------------------------


def turn_name(number: int, phase: str) -> str:
    """`Spring 1901, movement` as the third turn's folder name: `003-spring-1901-movement`."""
    return f"{number:03d}-" + re.sub(r"[^a-z0-9]+", "-", phase.casefold()).strip("-")


def opened(game: Game, number: int, position: Any, after: str | None) -> TurnData:
    """The data of a turn that opens with this position; `after` is when the turn before closed."""
    phase = game.ruleset.when(position)
    name = turn_name(number, phase)
    secret = luck.turn_secret(game.data.seed, game.slug, name)
    return TurnData(
        schema=SCHEMA,
        game=game.slug,
        turn=name,
        phase=phase,
        status="open",
        position=position,
        dice=luck_data(secret),
        deadline=next_deadline(game.data.schedule, game.ruleset.kind(position), after),
    )


def luck_data(secret: bytes) -> DiceData:
    """What an open turn shows of its dice."""
    return DiceData(commitment=luck.commitment(secret))


def first_turn(game: Game) -> TurnData:
    """The first turn of a game, as set up by its ruleset."""
    secret = luck.turn_secret(game.data.seed, game.slug, "setup")
    key = luck.turn_key(secret, game.slug, "setup", luck.digest({}))
    position = game.ruleset.setup(game.settings, luck.NamedDice(key))
    return opened(game, 1, position, f"{game.data.opened}T00:00Z")


def resolved(
    game: Game, data: TurnData, sheets: Mapping[str, Any], digests: Mapping[str, str], closed: str | None
) -> tuple[TurnData, Resolution[Any, Any]]:
    """The completed data of a turn, and its resolution. Pure: same arguments, same result."""
    secret = luck.turn_secret(game.data.seed, game.slug, data.turn)
    mixed = luck.digest(digests)
    rolled = luck.NamedDice(luck.turn_key(secret, game.slug, data.turn, mixed))
    found = game.ruleset.resolve(data.position, dict(sorted(sheets.items())), rolled)
    done = replace(
        data,
        status="resolved",
        closed=closed,
        dice=DiceData(commitment=luck.commitment(secret), secret=secret.hex(), digest=mixed),
        sheets=dict(sorted(digests.items())),
        verdicts=found.verdicts,
        events=found.events,
        rolls=rolled.rolls,
        ended=found.ended,
    )
    return done, found


def turn_text(data: TurnData) -> bytes:
    """`turn.yaml`'s canonical bytes."""
    plain = encode(data)
    return write({key: plain[key] for key in ORDER if key in plain}).encode()


def map_text(game: Game, data: TurnData) -> bytes:
    """`map.svg`'s bytes: the position, and the orders with their verdicts once the turn is resolved."""
    found = None
    if data.status == "resolved":
        found = Resolution(data.position, data.verdicts, data.events, data.ended)
    return game.ruleset.paint(game.ruleset.draw(data.position, found)).encode()


@record
class EndingData:
    """`ending.yaml`: that the game is over, how, and the position it ended in; so that none need read its turns."""

    schema: int
    turn: str
    ended: Ending
    position: Any


def stopped(data: TurnData) -> Ending:
    """The ending of a game whose record breaks off after this turn."""
    return Ending(how="stopped", winners=(), when=data.phase, rule="")


def ending_files(game: Game, turn: str, ended: Ending, position: Any) -> dict[str, bytes]:
    """What a game's folder gets when it is over: the last map, and `ending.yaml`, in the order in which to write them."""
    ending = EndingData(schema=SCHEMA, turn=turn, ended=ended, position=position)
    picture = game.ruleset.paint(game.ruleset.draw(position, None))
    return {"map.svg": picture.encode(), "ending.yaml": write(encode(ending)).encode()}


def load_ending(archive: Archive, game: Game) -> EndingData:
    """A finished game's `ending.yaml`, with its position typed; raises `Problems`."""
    path = archive.game_folder(game.slug) / "ending.yaml"
    text = read(read_file(path, archive.root, own=True), display(path, archive.root), limit=OWN_LIMIT)
    check_schema(text)
    return replace(decode(EndingData, text), position=decode(game.ruleset.position, subtext(text, "position")))


# Running ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a run did: `opened`, `resolved`, `ended`, `mended` or `redrew`, and the turn it did it to."""

    game: str
    what: str
    turn: str
    phase: str


def is_due(game: Game, data: TurnData, sheets: Mapping[str, Any], at: str | None) -> bool:
    """Whether an open turn is to be judged: every seat that owes a sheet gave a final one, or the deadline is past."""
    owing = game.ruleset.due(data.position)
    if owing and all(seat in sheets and getattr(sheets[seat], "final", False) for seat in owing):
        return True
    return data.deadline is not None and at is not None and read_time(at) >= read_time(data.deadline)


def run_game(archive: Archive, slug: str, *, at: str | None = None, now: bool = False) -> Iterator[Step]:
    """Judges what is due in one game and opens what comes next; yields each step once it is on disk.

    `at` is the time (deadlines before it are past); `now` judges the open turn whether it is due or not. Nothing is
    done to a game that has ended or is a record. The caller holds the archive's lock.
    """
    if not archive.has_ended(slug):
        with placed(f"games/{slug}"), contained(f"games/{slug}"):
            yield from _run(archive, slug, at, now=now)


def _run(archive: Archive, slug: str, at: str | None, *, now: bool) -> Iterator[Step]:
    game = load_game(archive, slug)
    if game.data.kind is GameKind.RECORD:
        return
    archive.clean(slug)
    names = archive.turns(slug)
    if not names:
        data = first_turn(game)
        write_folder(archive.game_folder(slug) / data.turn, _files(game, data))
        yield Step(slug, "opened", data.turn, data.phase)
        names = [data.turn]
        now = False  # the turn that `now` speaks of was open before this run, with time to send sheets
    while True:
        turn = load_turn(archive, game, names[-1])
        if turn.data.status == "resolved":
            # A process was killed after this turn was judged and before the next one opened. The same command given
            # again finishes that turn, and must not judge the one it opens.
            now = False
            data, found = _again(archive, turn)
            yield from _go_on(archive, game, data, _following(game, data, found, len(names)), "mended")
            if archive.has_ended(slug):
                return
            names = archive.turns(slug)
            continue
        sheets, digests = load_sheets(archive, turn)
        if not (now or is_due(game, turn.data, sheets, at)):
            if _mend_map(turn):
                yield Step(slug, "redrew", turn.data.turn, turn.data.phase)
            return
        if faults := unfounded(archive, turn, names[-2] if len(names) > 1 else None):
            raise Problems(faults)
        now = False
        data, found = resolved(game, turn.data, sheets, digests, at)
        picture, text = map_text(game, data), turn_text(data)
        if len(text) > OWN_LIMIT:
            # Sheets with thousands of short lines grow many times over when they are judged. Written, it could not be read.
            what = f"judged, the turn's file would have {len(text)} bytes"
            raise problem(
                display(turn.folder, archive.root), what, f"at most {OWN_LIMIT} are allowed; shorten the longest sheet"
            )
        coming = _following(game, data, found, len(names))
        write_file(turn.folder / "map.svg", picture)
        write_file(turn.folder / "turn.yaml", text)
        yield Step(slug, "resolved", data.turn, data.phase)
        yield from _go_on(archive, game, data, coming, "opened")
        if archive.has_ended(slug):
            return
        names = archive.turns(slug)


def _again(archive: Archive, turn: Turn) -> tuple[TurnData, Resolution[Any, Any]]:
    sheets, digests = load_sheets(archive, turn)
    if changed := changed_sheets(archive, turn, digests):
        raise Problems(changed)
    data, found = resolved(turn.game, turn.data, sheets, digests, turn.data.closed)
    if turn_text(data) != turn.source:
        # Going on would open a turn that does not follow from this one: a sheet was changed after it was judged.
        raise Problems([_difference(f"{display(turn.folder, archive.root)}/turn.yaml", turn.source, turn_text(data))])
    return data, found


def _following(
    game: Game, data: TurnData, found: Resolution[Any, Any], number: int
) -> tuple[TurnData | None, dict[str, bytes]]:
    """The turn that comes after a judged one, with its files; None and the ending's files when the game is over.

    Computed before the judged turn is written, so that what cannot be opened is not judged either.
    """
    if found.ended is not None:
        return None, ending_files(game, data.turn, found.ended, found.position)
    after = opened(game, number + 1, found.position, data.closed or data.deadline)
    return after, _files(game, after)


def _go_on(
    archive: Archive, game: Game, data: TurnData, coming: tuple[TurnData | None, dict[str, bytes]], word: str
) -> Iterator[Step]:
    folder = archive.game_folder(game.slug)
    after, files = coming
    if after is None:
        assert data.ended is not None
        for name, body in files.items():
            write_file(folder / name, body)
        yield Step(game.slug, "ended", data.turn, data.ended.when)
        return
    write_folder(folder / after.turn, files)
    yield Step(game.slug, word, after.turn, after.phase)


def _files(game: Game, data: TurnData) -> dict[str, bytes]:
    return {"turn.yaml": turn_text(data), "map.svg": map_text(game, data)}


def _mend_map(turn: Turn) -> bool:
    """Draws an open turn's map again if a killed process had already replaced it by the judged one; whether it did."""
    return write_file(turn.folder / "map.svg", map_text(turn.game, turn.data))


# Verifying --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """One game verified: how many turns were judged again, and every difference found."""

    game: str
    turns: int
    as_played: int
    problems: tuple[Problem, ...]
    digest: str
    """SHA-256 over all that was recomputed, the same on every machine."""


def verify_game(archive: Archive, slug: str) -> Checked:
    """Judges every archived turn of a game again from its sheets and compares the bytes."""
    faults: list[Problem] = []
    total = hashlib.sha256()
    judged = stands = 0
    where = f"games/{slug}"
    try:
        with placed(where), contained(where):
            game = load_game(archive, slug)
            if game.data.kind is GameKind.RECORD:
                return Checked(slug, 0, 0, (), total.hexdigest())
            expected: TurnData | None = first_turn(game)
            last: TurnData | None = None
            end: Resolution[Any, Any] | None = None
            for number, name in enumerate(archive.turns(slug), 1):
                turn = load_turn(archive, game, name)
                shown = display(turn.folder, archive.root)
                as_played = name in (game.data.as_played or {})
                if expected is None:
                    faults.append(Problem(shown, 0, 0, "a turn after the game's end", "remove it"))
                    break
                start = opened(game, number, turn.data.position, None)
                if name != start.turn:
                    faults.append(
                        Problem(shown, 0, 0, "the folder's name does not fit its phase", f"it is {start.turn}")
                    )
                if encode(expected.position) != encode(turn.data.position):
                    faults.append(
                        Problem(f"{shown}/turn.yaml", 0, 0, "the position is not the one the turn before led to")
                    )
                if turn.data.status == "open":
                    again = replace(start, deadline=turn.data.deadline)
                    expected = None
                    text, found = turn_text(again), None
                else:
                    sheets, digests = load_sheets(archive, turn)
                    faults.extend(changed_sheets(archive, turn, digests))
                    again, found = resolved(
                        game, replace(start, deadline=turn.data.deadline), sheets, digests, turn.data.closed
                    )
                    text = turn_text(again)
                    judged += 1
                    if as_played:
                        stands += 1
                        text = turn.source
                total.update(text)
                if text != turn.source:
                    faults.append(_difference(f"{shown}/turn.yaml", turn.source, text))
                if not as_played:
                    picture = map_text(game, again)
                    total.update(picture)
                    if read_file(turn.folder / "map.svg", archive.root, own=True) != picture:
                        faults.append(
                            Problem(
                                f"{shown}/map.svg", 0, 0, "the map is not the one this turn draws", "render it again"
                            )
                        )
                if found is not None:
                    expected = None
                    if found.ended is None:
                        expected = opened(game, number + 1, found.position, None)
                        if as_played and number < len(archive.turns(slug)):
                            after = load_turn(archive, game, archive.turns(slug)[number])
                            expected = replace(expected, position=after.data.position)
                last, end = (turn.data if as_played else again), found
            faults.extend(_check_ending(archive, game, last, end))
    except Problems as error:
        faults.extend(error.problems)
    except OSError as error:
        faults.extend(sentence(error, archive.root).problems)
    return Checked(slug, judged, stands, tuple(sorted(set(faults))), total.hexdigest())


def _check_ending(
    archive: Archive, game: Game, last: TurnData | None, found: Resolution[Any, Any] | None
) -> Iterator[Problem]:
    """What is wrong with a game's ending, given its last turn and what that led to."""
    where = f"games/{game.slug}"
    if last is None or found is None or last.status == "open":
        if archive.has_ended(game.slug):
            yield Problem(
                f"{where}/ending.yaml",
                0,
                0,
                "the game has an open turn and is said to have ended",
                "remove one of the two",
            )
        return
    if last.ended is None and not archive.has_ended(game.slug):
        return  # Killed before the next turn opened; the next run opens it.
    wanted = ending_files(game, last.turn, last.ended or stopped(last), found.position)
    for name, right in wanted.items():
        body = read_file(archive.game_folder(game.slug) / name, archive.root, own=True)
        if body != right:
            yield _difference(f"{where}/{name}", body, right)


def _difference(path: str, old: bytes, new: bytes) -> Problem:
    """The first line in which two texts differ, as a problem."""
    lines_old, lines_new = old.decode(errors="replace").split("\n"), new.decode(errors="replace").split("\n")
    for number, (one, two) in enumerate(zip(lines_old, lines_new, strict=False), 1):
        if one != two:
            return Problem(
                path, number, 0, f"{one.strip()[:160]!r} is archived", f"judged again it is {two.strip()[:160]!r}"
            )
    return Problem(path, min(len(lines_old), len(lines_new)), 0, "the file is longer or shorter than judged again", "")
