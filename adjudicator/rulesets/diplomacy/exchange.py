"""Import and export of games.

Reads two formats: JSON Lines with one phase per line (units, orders with results, and the position after it; `.gz` or plain), and the JSON
that the Python package `diplomacy` saves. Every phase is judged by our own rules and compared with the record (see `records`). Writes the
JSON of the `diplomacy` package.

A game is played on the board that the caller names, or on the board of ours that its record names (`variant`, `map`).
"""

from __future__ import annotations

import codecs
import gzip
import io
import json
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import IO, Any, assert_never, cast

from adjudicator.core.contract.resolution import Piece, PlayedGame, PlayedTurn, Resolution
from adjudicator.core.text.codec import decode, record
from adjudicator.core.text.problems import Problems, problem
from adjudicator.core.text.yamltext import Text
from adjudicator.mechanics.adjustments import build_sites
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Fault, Waive
from adjudicator.mechanics.provinces import Board
from adjudicator.mechanics.retreats import open_retreats
from adjudicator.rulesets.diplomacy.elsewhere import daide, jdip, printed, webdiplomacy
from adjudicator.rulesets.diplomacy.elsewhere.jdip_save import write_jdip
from adjudicator.rulesets.diplomacy.elsewhere.judge_report import write_reports
from adjudicator.rulesets.diplomacy.events import AnyEvent
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Field,
    Phase,
    Position,
    Settings,
    field_of,
    notation_on,
)
from adjudicator.rulesets.diplomacy.records import (
    PHASE,
    AfterData,
    Codes,
    Recorded,
    Reported,
    choose_board,
    find_their_rule,
    is_before,
    is_empty,
    judge_game,
    judge_phase,
    judge_reported,
    order_of,
    orders_of,
    phase_name,
    recorded_position,
    remarks_on_rules,
    result_marks,
    slug_of,
    unit_code,
    unit_of,
    without_orders,
)

MIB = 1024 * 1024
LIMIT = 256 * MIB
"""Largest allowed size of a file of games, unpacked, in bytes."""
GAME_LIMIT = 8 * MIB
"""Largest allowed size of a line, or of a game, in bytes. No more than that is in memory at a time."""
READ = (
    "these are read: JSON with one phase on each line; the JSON of the Python package diplomacy; saved games of jDip and Realpolitik; history.json of "
    "webDiplomacy; reports of njudge, DPjudge and Realpolitik; orders as DiplomacyGM lists them; logs of DAIDE. Turns of other programs can be pasted "
    "into sheets, order by order"
)
"""The advice for a file in another form (HO-7)."""
LOOKED_AT = 4000
"""Letters of a file that are looked at to tell its form."""
FORMS: Mapping[str, str] = {
    r"<\?xml|<game\b|jdip": "this looks like a game that jDip saved",
    r"<!doctype html|<html": "this looks like a web page",
    r"^\s*(?:NOW|ORD|SCO|HLO|MAP|THX|SUB|PRN)\s*\(": "this looks like a log of DAIDE",
    r"::\s*Judge:|Movement results for|Status of the \w+ phase|Retreat orders for": "this looks like a report of njudge or DPjudge",
    r"Realpolitik": "this looks like a file of Realpolitik",
    r'"gameID"|"variantID"|"memberID"': "this looks like JSON of webDiplomacy",
    r"^\s*(?:austria|england|france|germany|italy|russia|turkey)\b.{0,3}(?:army|fleet|[af] )": "this looks like a report of orders",
}
"""Pattern near the beginning of a file -> what it looks like."""


def _kind_of(head: str) -> str:
    """The likely form of a file, in words, from its beginning."""
    for pattern, words in FORMS.items():
        if re.search(pattern, head, re.IGNORECASE | re.MULTILINE):
            return words
    return "this is in no form that is known here"


NAMED = re.compile(r'\{"game": ?"([^"\\]*)"')
"""The beginning of most lines. A line that begins otherwise is parsed to find the name of its game."""


def split_games(source: bytes) -> Iterator[Piece]:
    """Split a file into games of numbered lines: one line for a saved game, or one for each phase. Raises `Problems` if it cannot be read."""
    _check(source)
    with _open_text(source) as stream:
        head = stream.read(100_000).lstrip()
    if head.startswith("{") and '"phases"' in head and '"phase":' not in head[:2_000]:
        yield from (
            (((number, line),) for number, line in _lines(source)) if _is_whole(head) else [((1, _read_all(source)),)]
        )
        return
    if head and (not head.startswith(("{", "[")) or _is_webdiplomacy(head)):
        yield tuple(_all_lines(_read_all(source)))
        return
    name: str | None = None
    lines: list[tuple[int, str]] = []
    size = 0
    for number, line in _lines(source):
        game = _game_of(line)
        if lines and game != name:
            yield tuple(lines)
            lines, size = [], 0
        name, size = game, size + len(line)
        if size > GAME_LIMIT:
            raise problem("", f"the game {game!r:.40} is larger than {_mib(GAME_LIMIT)}", "leave it out", line=number)
        lines.append((number, line))
    if not lines:
        raise problem("", "there is no game in this file", "put one phase, as JSON, on each line")
    yield tuple(lines)


def _game_of(line: str) -> str | None:
    """Name of the game that a line belongs to; None if it cannot be read, which is reported when the phase is parsed."""
    if (named := NAMED.match(line)) is not None:
        return named[1]
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return str(data.get("game")) if isinstance(data, dict) else None


def read_game(piece: Piece, settings: Settings, chosen: Collection[str] = ()) -> PlayedGame[Position]:
    """Judge one game of a file by these house rules. Raises `Problems` if it cannot be read.

    `chosen` names the settings that the caller chose; the record may override the others.
    """
    number, line = piece[0]
    text = "\n".join(line for _, line in piece)
    if not text.lstrip("\ufeff \n\r\t").startswith(("{", "[")):
        return _read_text(piece, text, settings, chosen)
    data = _parse_json(text if _is_webdiplomacy(text[:LOOKED_AT]) else line, number)
    if webdiplomacy.looks_like_webdiplomacy(data):
        title = f"webDiplomacy {data.get('gameID', 'game')}"
        return _judge_reports(settings, chosen, title, None, list(webdiplomacy.phases_of(data, number)), number)
    if "phases" in data:
        return _judge_saved_game(settings, chosen, data, number)
    phases = [_recorded(data if at == number else _parse_json(text, at), at) for at, text in piece]
    return judge_game(settings, chosen, str(data["game"]), phases)


def _read_text(piece: Piece, text: str, settings: Settings, chosen: Collection[str]) -> PlayedGame[Position]:
    """Judge a game in a form that is not JSON. Raises `Problems` for a form that is not known."""
    board, first = settings.ground, piece[0][0]
    if jdip.looks_like_jdip(text[:LOOKED_AT]):
        title = jdip.title_of(text) or "Game of jDip"
        return _judge_reports(settings, chosen, title, None, list(jdip.phases_of(text, board, first)), first)
    if daide.looks_like_daide(text):
        return _judge_reports(settings, chosen, "Log of DAIDE", None, list(daide.phases_of(piece, board)), first)
    if printed.looks_printed(text):
        title = printed.title_of(text) or "Reported game"
        return _judge_reports(settings, chosen, title, None, list(printed.phases_of(piece, board)), first)
    raise problem("", _kind_of(text[:LOOKED_AT]), READ, line=first)


def _judge_reports(
    settings: Settings, chosen: Collection[str], title: str, board: str | None, phases: list[Reported], line: int
) -> PlayedGame[Position]:
    if not phases:
        raise problem("", "there is no phase with orders in this file", READ, line=line)
    return judge_reported(settings, chosen, title, board, phases)


def _is_webdiplomacy(head: str) -> bool:
    return '"terrID"' in head or ('"phases"' in head and '"gameID"' in head)


def _all_lines(text: str) -> Iterator[tuple[int, str]]:
    yield from enumerate((line.rstrip("\r") for line in text.split("\n")), 1)


def _mib(size: int) -> str:
    return f"{size // MIB} MiB"


def _open_bytes(source: bytes) -> IO[bytes]:
    """The bytes of a file as a stream, unpacked as they are read, because a small file may unpack to any size."""
    packed = io.BytesIO(source)
    return cast("IO[bytes]", gzip.GzipFile(fileobj=packed)) if source[:2] == b"\x1f\x8b" else packed


def _open_text(source: bytes) -> IO[str]:
    return io.TextIOWrapper(_open_bytes(source), "utf-8-sig", newline="\n")


def _lines(source: bytes) -> Iterator[tuple[int, str]]:
    """The lines of a checked file, each with its number; empty lines are left out."""
    with _open_text(source) as stream:
        yield from ((number, line) for number, line in enumerate(stream, 1) if line.strip())


def _is_whole(head: str) -> bool:
    """Whether the first line of a file of saved games is a whole game; otherwise the file is one game."""
    line, ended, _ = head.partition("\n")
    return '"phases"' in line and (not ended or line.rstrip().endswith("}"))


def _read_all(source: bytes) -> str:
    with _open_text(source) as stream:
        text = stream.read(GAME_LIMIT + 1)
    if len(text) > GAME_LIMIT:
        raise problem("", f"the game in this file is larger than {_mib(GAME_LIMIT)}", "leave out its messages")
    return text


def _check(source: bytes) -> None:
    """Raise `Problems` if a file is damaged, too large or not text.

    Reads it in small parts and keeps none of them.
    """
    size, line, number = 0, 0, 1
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with _open_bytes(source) as stream:  # this reads every member of a gzip file and verifies the checksums
            while part := stream.read(64 * 1024):
                decoder.decode(part)
                size += len(part)
                if size > LIMIT:
                    packed = "unpacks to more" if source[:2] == b"\x1f\x8b" else "is larger"
                    raise problem("", f"the file {packed} than {_mib(LIMIT)}", "split it")
                first, last = part.find(b"\n"), part.rfind(b"\n")
                line += len(part) if first < 0 else first
                if line > GAME_LIMIT:
                    what = f"the line is longer than {_mib(GAME_LIMIT)}"
                    raise problem("", what, "put one game, or one phase, on each line", line=number)
                if first >= 0:
                    line, number = len(part) - last - 1, number + part.count(b"\n")
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise problem("", "the file is not UTF-8 text", "") from None
    except (zlib.error, EOFError, OSError) as error:
        raise problem("", f"the file is not gzip, or is damaged ({error})", "download it again") from None


def _parse_json(line: str, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise problem("", f"not JSON: {_kind_of(line[:LOOKED_AT])}", READ, line=number) from None
    if not isinstance(data, dict):
        raise problem("", "not a JSON object", READ, line=number)
    return data


@record
class PhaseData:
    """One phase, which is one line of the JSON Lines format."""

    game: str
    phase: str
    units: Codes
    centers: Codes
    orders: Mapping[str, tuple[tuple[str, str], ...]]
    dislodged: Mapping[str, Mapping[str, str | None]] | None = None
    contested: tuple[str, ...] | None = None
    after: AfterData | None = None
    flags: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    checked: bool | None = None
    variant: str | None = None


def _recorded(data: dict[str, Any], number: int) -> Recorded:
    try:
        phase = decode(PhaseData, Text("", data, {}))
    except Problems as error:
        raise Problems(
            replace(p, line=number, what=f"not a phase of a game: {p.what}") for p in error.problems
        ) from None
    return Recorded(
        line=number,
        name=phase.phase,
        units=phase.units,
        centres=phase.centers,
        dislodged=phase.dislodged,
        contested=phase.contested,
        orders=phase.orders,
        after=phase.after,
        flags=phase.flags,
        board=phase.variant,
    )


def _judge_saved_game(
    settings: Settings, chosen: Collection[str], data: dict[str, Any], number: int
) -> PlayedGame[Position]:
    settings, named = choose_board(settings, chosen, str(data.get("map", "standard")), number)
    board = settings.ground
    notation = notation_on(board)
    powers = {power.upper(): power for power in (*board.powers, *board.others)}
    phases: list[Recorded] = []
    try:
        for phase in data["phases"]:
            state = phase["state"]
            if not PHASE.fullmatch(str(phase["name"])):
                continue  # COMPLETED, or a game that is still forming
            retreats = {powers[p]: sorted(map(str, units)) for p, units in state.get("retreats", {}).items() if units}
            phases.append(
                Recorded(
                    line=number,
                    name=str(phase["name"]),
                    units={
                        powers[p]: tuple(str(u) for u in units if u[0] != "*") for p, units in state["units"].items()
                    },
                    centres={powers[p]: tuple(map(str, c)) for p, c in state["centers"].items()},
                    dislodged={p: dict.fromkeys(units) for p, units in retreats.items()} if retreats else None,
                    contested=None,
                    orders={
                        powers[p]: [(str(o), None) for o in orders or ()]
                        for p, orders in (phase.get("orders") or {}).items()
                    },
                    after=None,
                    flags=(),
                )
            )
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        what = f"{_kind_of(json.dumps(data)[:LOOKED_AT])}, and not a game that the Python package diplomacy saved"
        missing = (
            f": {error.args[0]!r:.40} is missing, or is not what the package writes"
            if isinstance(error, KeyError)
            else ""
        )
        raise problem("", f"{what}{missing}", READ, line=number) from None
    if phases and all(not orders for orders in phases[-1].orders.values()):
        last: Recorded | None = phases.pop()
    else:
        last = None
    if not phases:
        raise problem("", "the game has no phase that was played", "", line=number)
    slug = "game-" + (slug_of(str(data.get("id", ""))) or "imported")
    # A phase leads to the position of the next one. Retreats use our own record of the attack, which the file leaves out.
    turns: list[PlayedTurn[Position]] = []
    expected: Position | None = None
    ended = False
    empty = 0
    others: dict[str, list[str]] = {}
    following = [*phases[1:], last]
    faults: list[str] = []
    for recorded, after in zip(phases, following, strict=True):
        try:
            position = recorded_position(board, recorded, settings)
            start = recorded_position(board, after, settings) if after is not None else None
        except Problems as error:
            faults += [f"{recorded.name:.20}: {fault.what}" for fault in error.problems]
            expected = None
            continue
        if any(recorded.orders.values()) and is_empty(position, recorded, expected):
            empty += 1
            continue
        if expected is not None and not ended:
            expected, ended = without_orders(expected, order_of(position), turns)
        if expected is not None and position.phase is Phase.RETREATS and order_of(expected) == order_of(position):
            position = replace(position, dislodged=expected.dislodged, contested=expected.contested)
        turn, done = judge_phase(notation, recorded, position, expected)
        if after is not None and start is not None and turn.compared:
            if start.units != done.position.units or is_before(done.position, start):
                turn = replace(turn, other_rules=find_their_rule(notation, position, orders_of(turn), start, done))
            if (
                start.units != done.position.units
                and order_of(start) == order_of(done.position)
                and not turn.other_rules
            ):
                line = f"{recorded.name}: the record's next units differ from ours"
                turn = replace(turn, differences=(*turn.differences, line))
        turns.append(turn)
        if turn.other_rules:
            others.setdefault(turn.other_rules, []).append(recorded.name)
        expected, ended = (None if turn.other_rules or not turn.compared else done.position), done.ended is not None
    title = f"Game {data.get('id', 'imported')}"
    return PlayedGame(slug[:80], title, named, tuple(turns), ended, empty, tuple(faults), remarks_on_rules(others))


def write_played(
    name: str, turns: Iterable[tuple[Position, Mapping[str, Sheet], Resolution[Position, AnyEvent] | None]]
) -> bytes:
    """Write a game in the format that the `diplomacy` package saves, for that package's tools and servers; `map` names the board."""
    phases: list[dict[str, Any]] = []
    map_name = "standard"
    for position, sheets, done in turns:
        field = field_of(position)
        board, notation = field.board, field.notation
        map_name = board.name
        results: dict[str, list[str]] = {str(unit): [] for _, unit in field.units.values()}
        orders: dict[str, list[str] | None] = {power.upper(): [] for power in board.powers}
        for power, sheet in sorted(sheets.items()):
            lines = []
            for text in sheet.orders:
                order = notation.read(text)
                if not isinstance(order, Fault):
                    lines.append(_write_in_codes(field, order))
            orders[power.upper()] = lines
        for verdict in done.verdicts if done else ():
            unit = _code_or_none(board, unit_of(verdict))
            if unit in results:
                results[unit] = result_marks(verdict)
        units = {p.upper(): sorted(str(u) for w, u in field.units.values() if w == p) for p in field.powers}
        for _, (power, lost, _) in sorted(field.dislodged.items()):
            units[power.upper()].append(f"*{lost}")
        state = {
            "name": phase_name(position),
            "map": board.name,
            "game_id": name,
            "rules": ["NO_PRESS"],
            "note": "",
            "units": units,
            "centers": {p.upper(): sorted(field.owned(p)) for p in field.powers},
            "homes": {p.upper(): list(board.homes(p)) for p in board.powers},
            "influence": {p.upper(): [] for p in board.powers},
            "civil_disorder": {p.upper(): 0 for p in board.powers},
            "retreats": {p.upper(): _their_retreats(field, p) for p in board.powers},
            "builds": {p.upper(): _their_builds(field, position, p) for p in board.powers},
        }
        phases.append(
            {"name": phase_name(position), "state": state, "orders": orders, "results": results, "messages": []}
        )
    data = {"id": name, "map": map_name, "rules": ["NO_PRESS"], "phases": phases}
    return (json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _write_in_codes(field: Field, order: AnyOrder) -> str:
    """An order in the package's notation: `F STP/SC - BOT`, `A PAR R GAS`, `A PAR B`, `A PAR D`, `WAIVE`."""
    units = field.names()
    arrow = "R" if field.dislodged else "-"

    def unit(named: Named) -> str:
        real = units.get(named.province)
        return str(real) if real is not None else f"{named.kind} {place(named.province, named.coast)}".lstrip()

    def place(province: str, coast: str) -> str:
        return f"{province}/{coast}" if coast else province

    match order:
        case Hold(u):
            return f"{unit(u)} H"
        case Move(u, to, coast, via):
            return f"{unit(u)} {arrow} {place(to, coast)}" + (" VIA" if via else "")
        case SupportHold(u, target):
            return f"{unit(u)} S {unit(target)}"
        case SupportMove(u, target, to, _):
            return f"{unit(u)} S {unit(target)} - {to}"
        case Convoy(u, target, to, _):
            return f"{unit(u)} C {unit(target)} - {to}"
        case Build(u):
            return f"{u.kind} {place(u.province, u.coast)} B"
        case Disband(u):
            return f"{unit(u)} D"
        case Waive():
            return "WAIVE"
        case _:
            assert_never(order)


def _code_or_none(board: Board, text: str) -> str:
    try:
        return unit_code(board, text)
    except StopIteration:
        return ""


def _their_retreats(field: Field, power: str) -> dict[str, list[str]]:
    return {
        str(unit): list(open_retreats(field.board, unit, attacker, set(field.units), field.contested))
        for _, (whose, unit, attacker) in sorted(field.dislodged.items())
        if whose == power
    }


def _their_builds(field: Field, position: Position, power: str) -> dict[str, Any]:
    if position.phase is not Phase.ADJUSTMENTS:
        return {"count": 0, "homes": []}
    owned = field.owned(power)
    units = sum(1 for whose, _ in field.units.values() if whose == power)
    sites = list(build_sites(field.board, power, owned, set(field.units), position.settings.sites))
    count = len(owned) - units
    return {"count": min(count, len(sites)) if count > 0 else count, "homes": sites if count > 0 else []}


WRITERS = {"diplomacy": write_played, "judge": write_reports, "jdip": write_jdip}
"""Name of a form -> its writer. The first is the usual one."""
