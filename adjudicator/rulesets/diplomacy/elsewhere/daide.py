"""Logs of DAIDE, the protocol of programs that play: NOW gives a position, ORD an order with its result, SCO the owners of centres."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from adjudicator.core.text.problems import problem
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.records import Marks, Reported

TURN = r"\(\s*(SPR|SUM|FAL|AUT|WIN)\s+(-?\d{1,7})\s*\)"
MESSAGE = re.compile(rf"\b(NOW|ORD)\s*{TURN}\s*(.*)$|\b(SCO)\s*(\(.*)$")
PHASES = {"SPR": "S{}M", "SUM": "S{}R", "FAL": "F{}M", "AUT": "F{}R", "WIN": "W{}A"}
PLACES = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
COASTS = {"NCS": "NC", "SCS": "SC", "ECS": "EC", "WCS": "WC"}
MARKS = {"BNC": "bounce", "CUT": "cut", "NSO": "void", "DSR": "no convoy", "RET": "dislodged", "FLD": "failed", "FAR": "void", "NSU": "void", "NSP": "void"}  # fmt: skip
KINDS = {"AMY": "A", "FLT": "F"}
LONGEST = 20_000
"""Letters of a message that are read; a position of all units of a board has about 1,000."""
TOKEN = re.compile(r"\(|\)|[A-Z]{3}|-?\d+|'[^']*'")
UNIT = re.compile(
    r"\(\s*([A-Z]{3})\s+(AMY|FLT)\s+(\(\s*[A-Z]{3}\s+[NSEW]CS\s*\)|[A-Z]{3})\s*(MRT\s*\([^()]*(?:\([^()]*\)[^()]*)*\))?\s*\)"
)


def looks_like_daide(text: str) -> bool:
    """True if a text has positions and orders of DAIDE."""
    return re.search(rf"\b(?:NOW|ORD)\s*{TURN}\s*\(", text) is not None


@dataclass
class _Phase:
    line: int
    name: str
    orders: dict[str, list[tuple[str, Marks | None]]] = field(default_factory=dict)
    units: dict[str, tuple[str, ...]] | None = None
    dislodged: dict[str, tuple[str, ...]] = field(default_factory=dict)


def phases_of(lines: Iterable[tuple[int, str]], board: Board) -> Iterator[Reported]:
    """The phases of a log, each with the position before it where the log gives one. Raises `Problems` for messages that are not DAIDE."""
    number = 0

    def counted() -> Iterator[tuple[int, str]]:
        nonlocal number
        for number, line in lines:  # the number of the line that a fault is in
            yield number, line[:LONGEST]

    try:
        yield from _phases(counted(), board)
    except (IndexError, KeyError, ValueError):
        raise problem("", "this message is not DAIDE", "leave the line out", line=number) from None


def _phases(lines: Iterable[tuple[int, str]], board: Board) -> Iterator[Reported]:
    powers = {power[:3].upper(): power for power in board.powers}
    phase: _Phase | None = None
    latest = (-(10**9), 0)
    for number, line in lines:
        match = MESSAGE.search(line)
        if match is None or match[5]:
            continue
        name = PHASES[match[2]].format(int(match[3]))
        when = int(match[3]), list(PHASES).index(match[2])
        if when < latest:
            raise problem("", "a second game begins here", "import one game at a time", line=number)
        latest = when
        if phase is None or phase.name != name:
            if phase is not None:
                yield _reported(phase)
            phase = _Phase(number, name)
        if match[1] == "NOW" and phase.units is None:
            phase.units, phase.dislodged = _units(match[4], powers)
        elif match[1] == "ORD":
            power, text, marks = _order(match[4], powers)
            if (text, marks) not in phase.orders.setdefault(power, []):
                phase.orders[power].append((text, marks))
    if phase is not None and phase.orders:
        yield _reported(phase)


def _reported(phase: _Phase) -> Reported:
    return Reported(
        line=phase.line,
        name=phase.name,
        orders={power: tuple(some) for power, some in phase.orders.items()},
        units=phase.units,
        dislodged=phase.dislodged if phase.units is not None else None,
    )


def _place(text: str) -> str:
    """A place in codes: `( STP SCS )` is `STP/SC`."""
    words = text.strip("() ").split()
    place = PLACES.get(words[0], words[0])
    return f"{place}/{COASTS[words[1]]}" if len(words) > 1 else place


def _units(text: str, powers: dict[str, str]) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    standing: dict[str, tuple[str, ...]] = {}
    lost: dict[str, tuple[str, ...]] = {}
    for power, kind, place, retreats in UNIT.findall(text):
        where = lost if retreats else standing
        name = powers.get(power, power)
        where[name] = (*where.get(name, ()), f"{KINDS[kind]} {_place(place)}")
    return standing, lost


def _order(text: str, powers: dict[str, str]) -> tuple[str, str, Marks | None]:
    """The power, the order in codes and the result of `( order ) ( result )`. Raises `ValueError` for anything else."""
    inside, result = _two_groups(text)
    if (waived := re.match(r"\s*([A-Z]{3})\s+WVE", inside)) is not None:
        return powers.get(waived[1], waived[1]), "WAIVE", None
    subject = UNIT.match(inside.strip())
    if subject is None:
        raise ValueError(text)
    unit, rest = f"{KINDS[subject[2]]} {_place(subject[3])}", inside.strip()[subject.end() :].strip()
    word, _, after = rest.partition(" ")
    marks: Marks | None = frozenset(MARKS[token] for token in TOKEN.findall(result) if token in MARKS)
    match word:
        case "HLD":
            said = f"{unit} H"
        case "MTO":
            said = f"{unit} - {_place(after)}"
        case "CTO":
            said = f"{unit} - {_place(after.partition('VIA')[0])} VIA"
        case "SUP" | "CVY":
            other = UNIT.match(after)
            if other is None:
                raise ValueError(text)
            target = f"{KINDS[other[2]]} {_place(other[3])}"
            goal = re.sub(r"^(?:MTO|CTO)\s*", "", after[other.end() :].strip())
            said = f"{unit} {word[0]} {target}" + (f" - {_place(goal)}" if goal else "")
        case "RTO":
            said, marks = f"{unit} - {_place(after)}", None
        case "DSB":
            said, marks = f"{unit} D", None
        case "BLD":
            said, marks = f"Build {unit}", None
        case "REM":
            said, marks = f"Disband {unit}", None
        case _:
            raise ValueError(text)
    return powers.get(subject[1], subject[1]), said, marks


def _two_groups(text: str) -> tuple[str, str]:
    """The contents of the first two groups in brackets."""
    found: list[str] = []
    depth, start = 0, 0
    for at, letter in enumerate(text):
        if letter == "(":
            depth += 1
            if depth == 1:
                start = at + 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start:at])
    return found[0] if found else "", found[1] if len(found) > 1 else ""
