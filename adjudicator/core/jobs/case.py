"""A single turn as a file: a position, the sheets, the dice, and the results. `courtly case` judges it again.

It is for disputed rulings, rulebooks and tests. You need only the file and courtly, not the archive that it comes from.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.ruleset import find
from adjudicator.core.files.places import named
from adjudicator.core.game.archive import read_file
from adjudicator.core.game.beside import beside_from
from adjudicator.core.game.game import SCHEMA, Game, check_schema, house_rules
from adjudicator.core.secrets.dice import GivenDice, Roll
from adjudicator.core.text.codec import decode, encode, record
from adjudicator.core.text.problems import Problem, Problems, contain_errors, plain, problem, with_path
from adjudicator.core.text.yamltext import OWN_LIMIT, Text, read, write

END = "(nothing more)\n"
BASE64 = "base64:"
POSITION = "start.yaml"
"""Name of the file with a game's first position, beside its game.yaml."""
ALONE = "case"
"""Name of a game that is not in an archive."""


@record
class Start:
    """A game's rules and one of its positions, outside any archive: the basis of a case, or of a new game."""

    schema: int = SCHEMA
    ruleset: str
    title: str = "A case"
    phase: str = ""
    settings: Mapping[str, Any] | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """Name -> content of the host's own files that the settings name, such as a board; as text, or as `base64:` and the encoded bytes."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """Name -> content, as the game began with it, of each ruleset file that has changed in courtly since."""
    position: Mapping[str, Any] | None = None


@record
class Case(Start):
    """A single turn with its results."""

    sheets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rolls: tuple[Roll, ...] = ()
    result: Mapping[str, Any]
    """The turn's verdicts, its events and the position after it; and how the game ended, if it did."""


START_KEYS = tuple(one.name for one in fields(Start))


def bare_game(start: Start, path: str) -> Game:
    """The game of a start or a case, with a player in every seat; raises `Problems`."""
    files, kept = ({name: _bytes(text) for name, text in some.items()} for some in (start.files, start.kept))
    said: dict[str, Any] = {"settings": encode(start.settings or {})}
    beside = beside_from(files)
    rules = find(start.ruleset)
    text = Text(path, said, {})
    settings, _ = house_rules(rules, text.under("settings"), beside, "", kept.get)
    said |= {"schema": SCHEMA, "ruleset": start.ruleset, "title": start.title, "opened": "2000-01-01", "sealed": True}
    said["seats"] = {seat: {"player": seat} for seat in rules.rules.seats(settings)}
    return Game(ALONE, Text(path, said, {}), archive=ALONE, beside=beside, kept=kept.get)


def start_of(game: Game, position: Any, files: Mapping[str, bytes], title: str = "") -> Start:
    """The start for a new game that begins with this position; `files` has the host's files that the game's settings name."""
    plain = dict(game.data.settings or {})
    about: dict[str, Any] = {"ruleset": game.data.ruleset, "title": title or game.title, "settings": plain or None}
    own = {name: _text(files[name]) for name in game.files}
    today = bare_game(Start(**about, files=own), "").begun_with
    kept = {name: _text(body) for name, body in game.begun_with.items() if today.get(name) != body}
    phase = game.ruleset.rules.when(game.ruleset.view(position, None))
    return Start(**about, phase=phase, files=own, kept=kept, position=encode(position))


def case_of(start: Start, sheets: Mapping[str, Any], rolls: tuple[Roll, ...], done: Resolution[Any, Any]) -> Case:
    """A case made of these sheets and their results."""
    about = {name: getattr(start, name) for name in START_KEYS}
    return Case(
        **about, sheets={seat: encode(sheet) for seat, sheet in sheets.items()}, rolls=rolls, result=result_of(done)
    )


def result_of(done: Resolution[Any, Any]) -> dict[str, Any]:
    """Results of a turn, as plain data."""
    plain = {"verdicts": encode(done.verdicts), "events": encode(done.events), "position": encode(done.position)}
    return plain | ({"ended": encode(done.ended)} if done.ended is not None else {})


def case_text(case: Start) -> str:
    """A case or a start as a file, without default values."""
    return write({key: value for key, value in encode(case).items() if value or key == "schema"})


def read_case(source: bytes, path: str) -> Case:
    """Read a case file; raises `Problems` with everything that is wrong in it."""
    text = read(source, path, limit=OWN_LIMIT)
    check_schema(text)
    return decode(Case, text)


def read_start(path: Path) -> Start:
    """Read a start or case file to begin a game with; raises `Problems` if no game can begin with it."""
    shown = plain(path.as_posix())
    start = start_in(read_file(*named(path), shown=shown, own=True), shown)
    if start.position is None:
        raise problem(shown, "the file has no position", "use the file as the table gave it to you")
    if start.kept:
        what = f"it comes from a game that began with files that have changed in courtly since: {', '.join(start.kept)}"
        raise problem(shown, what, "continue at the table that it comes from")
    return start


def start_in(source: bytes, path: str) -> Start:
    """Read a start or case file; raises `Problems`."""
    text = read(source, path, limit=OWN_LIMIT)
    check_schema(text)
    return decode(Case if isinstance(text.data, dict) and "result" in text.data else Start, text)


def begin_with(start: Start, own: dict[str, bytes]) -> str:
    """Add a start's files to the host's `own`, which take precedence; returns the name of the file with the position."""
    for name, body in start.files.items():
        own.setdefault(name, _bytes(body))
    own[POSITION] = write(encode(start.position)).encode()
    return POSITION


def case_problems(source: bytes, path: str) -> list[Problem]:
    """Judge a case again and return the first difference in each part of its results; raises `Problems` if the file is not a case."""
    text = read(source, path, limit=OWN_LIMIT)
    if isinstance(text.data, dict) and "position" in text.data and "result" not in text.data:
        raise problem(path, "this is a position, not a case", "`courtly new NAME --from FILE` begins a game with it")
    case = read_case(source, path)
    if case.position is None:
        raise problem(path, "the file has no position", "use the file as the table gave it to you")
    with with_path(path), contain_errors(path):
        game = bare_game(case, path)
        position = game.written_position(text.under("position"))
        sheets = {}
        for seat in sorted(case.sheets):
            if seat not in game.seats:
                what = f"the game has no seat {seat!r:.40}"
                raise Problems([text.problem(("sheets", seat), what, f"seats: {', '.join(game.seats)}")])
            sheets[seat], _ = game.ruleset.salvage_sheet(position, seat, text.under("sheets", seat))
        dice = GivenDice({roll.name: roll.value for roll in case.rolls})
        done = result_of(game.ruleset.rules.resolve(position, sheets, dice))
    said, rolled = (sorted(encode(rolls), key=str) for rolls in (case.rolls, dice.rolls))
    parts: list[tuple[str, Any, Any]] = [
        ("rolls", said, rolled),
        *((key, encode(case.result.get(key)), done.get(key)) for key in ("verdicts", "events", "position", "ended")),
    ]
    return [_difference(path, key, was, now) for key, was, now in parts if was != now]


def _difference(path: str, key: str, said: Any, now: Any) -> Problem:
    """A problem with the first line of a part that comes out differently when the turn is judged again."""
    lines, again = ((write({key: one}) + END).splitlines() for one in (said, now))
    was, is_ = next((pair for pair in zip(lines, again, strict=False) if pair[0] != pair[1]), (lines[0], again[0]))
    return Problem(
        path, 0, 0, f"{key}: the case says {was.strip()!r:.200}", f"judged again, it is {is_.strip()!r:.200}"
    )


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return BASE64 + base64.b64encode(body).decode()


def _bytes(text: str) -> bytes:
    if not text.startswith(BASE64):
        return text.encode()
    try:
        return base64.b64decode(text.removeprefix(BASE64), validate=True)
    except ValueError:
        what = f"{text[:40]!r} under `files` or `kept` is not base64"
        raise problem("", what, "get the file from the table again") from None
