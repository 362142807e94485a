"""Reports for people to read: those of njudge, DPjudge and Realpolitik, and the orders that DiplomacyGM shows.

A heading names the phase. The orders follow, each after its power's name or below it, perhaps with results. Parts that repeat what
follows from the orders (ownership of centres, units to retreat, deadlines) are left out. A long line may go on in the next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets.diplomacy.records import Marks, Reported

SEASON = r"(?P<season>spring|summer|fall|autumn|winter)"
KIND = {
    "movement": "M", "moves": "M", "move": "M",
    "retreat": "R", "retreats": "R",
    "adjustment": "A", "adjustments": "A", "builds": "A", "build": "A",
}  # fmt: skip
LETTER = {"spring": "S", "summer": "S", "fall": "F", "autumn": "F", "winter": "W"}
HEADINGS = (
    # njudge, DPjudge, Realpolitik: `Movement results for Spring of 1901.  (game.001)`
    rf"^(?P<kind>movement|retreat|adjustment)s? (?:results|orders) for {SEASON}(?: of)?,? (?P<year>-?\d{{1,5}})\b",
    # DiplomacyGM: `1901 Spring Moves`, or `Spring Moves 1901`
    rf"^(?P<year>-?\d{{1,5}}) {SEASON} (?P<kind>moves|retreats|builds)$",
    rf"^{SEASON} (?P<kind>moves|retreats|builds) (?P<year>-?\d{{1,5}})$",
    # Realpolitik's saved games: `3 1901` is the fall's moves.
    r"^(?P<step>[1-5]) (?P<year>\d{3,4})$",
)
WITHOUT_RESULTS = frozenset({1, 2})
"""The headings of programs that show no results."""
HEADING = tuple(re.compile(pattern, re.IGNORECASE) for pattern in HEADINGS)
NOT_ORDERS = re.compile(
    r"^(?:ownership of|the following units|the next phase|the deadline|status of|starting position|date:|subject:|from |::|"
    r"__missing|missing orders|unit locations|units? (?:that )?(?:may|must|can)|supply cent|broadcast|\w+ \w+ in .* can retreat)",
    re.IGNORECASE,
)
"""The beginning of a part of a report that holds no orders."""
IGNORED = re.compile(
    r"^(?:[-=_*~]{3,}|_*\s*submitted orders:?\s*_*|no orders?|nmr|none|.*\bpending\b.*|-?\d+|[-A-Za-z]{20,})\.?$",
    re.IGNORECASE,
)
LONGEST = 400
"""Letters of a line that may still be an order with its results."""
UNUSED = re.compile(r"^\d+ unus(?:able|ed) builds? (?:waived|pending)$", re.IGNORECASE)
MARKS: Mapping[str, str] = {
    "bounce": "bounce", "bounced": "bounce", "fails": "failed", "failed": "failed", "cut": "cut", "void": "void", "invalid": "void",
    "no convoy": "no convoy", "dislodged": "dislodged", "destroyed": "dislodged", "disrupted": "disrupted", "disbanded": "dislodged", "illegal": "void",
    "impossible": "void", "ordered to move": "",
}  # fmt: skip
STEPS = ("S{}M", "S{}R", "F{}M", "F{}R", "W{}A")
NAMED = re.compile(
    r"(?:results|orders|position) for [A-Za-z]+(?: of)?,? -?\d+\.?\s+\(([\w-]+)(?:\.\w+)?\)|:: Judge: \S+\s+Game: (\S+)|^\d+\n([^\n]{1,60})\n"
)
SILENT = re.compile(r"^(.*?)[,:]? no (?:move|order)s? received$", re.IGNORECASE)
COAST = re.compile(r"(?<!north)(?<!south)(?<!east)(?<!west) coast\b", re.IGNORECASE)
"""A word that older versions of DiplomacyGM put behind every place on a coast."""
MARKED = re.compile(r"\s*[(\[]\s*\*([^*()\[\]]*)\*\s*[)\]]")
BUILDS = re.compile(r"^builds?\s+(?:an?\s+)?(army|fleet)\s+(?:in|at)\s+(.*)$", re.IGNORECASE)
REMOVES = re.compile(
    r"^(?:removes?|disbands?)\s+(?:the\s+)?(army|fleet)\s+(?:in|at|of)?\s*(.*)$|^disband\s+(.*)$", re.IGNORECASE
)
WAIVES = re.compile(r"^(?:waives?|builds? waived|defaults|waived).*$", re.IGNORECASE)
DISBANDS = re.compile(r"^(.*?)\s+(?:is\s+)?disband(?:s|ed)?$", re.IGNORECASE)


def title_of(text: str) -> str:
    """The name of the game, as far as a report says it; otherwise empty."""
    found = NAMED.search(text)
    return next((name for name in found.groups() if name), "").strip() if found is not None else ""


def looks_printed(text: str) -> bool:
    """True if a text has the heading of a report."""
    return any(pattern.match(line.strip(" *_#")) for line in text.splitlines() for pattern in HEADING)


def phases_of(lines: Iterable[tuple[int, str]], board: Board) -> Iterator[Reported]:
    """The phases of a report, in its order. A phase that is repeated, such as one that is corrected, comes again."""
    powers = {power.casefold(): power for power in (*board.powers, *board.others)}
    names = "|".join(sorted(map(re.escape, powers), key=len, reverse=True))
    own = re.compile(
        rf"^(?:\*\*|@|__)?\s*({names})\b\s*(?:\*\*|__)?\s*(:)?\s*(?:\([^()]*\)\s*)*(:)?\s*(.*)$", re.IGNORECASE
    )
    head: tuple[int, str, bool] | None = None
    orders: dict[str, list[str]] = {}
    power: str | None = None
    open_line = False
    reads = False
    for number, raw in lines:
        line = " ".join(raw[: 2 * LONGEST].split())
        if (name := _phase(line)) is not None:
            if head is not None:
                yield _reported(head, orders, board)
            head, orders, power, open_line, reads = (number, *name), {}, None, False, True
        elif not line or head is None or IGNORED.match(line):
            open_line = False
        elif NOT_ORDERS.match(line):
            reads = open_line = False
        elif (match := own.match(line)) is not None and (match[4] == "" or match[2] or match[3]):
            power = powers[match[1].casefold()]
            orders.setdefault(power, [])
            reads = reads or not match[4]
            open_line = bool(match[4]) and reads
            if open_line:
                orders[power].append(match[4])
        elif power is not None and orders[power] and len(orders[power][-1]) > LONGEST:
            open_line = False  # no order is that long
        elif (
            (open_line and power is not None and not orders[power][-1].endswith((".", ")", "]")))
            or (open_line and power is not None and line.endswith((")", ").", "*)")) and "(" not in line)
            or (reads and power is not None and orders[power] and line.startswith("(*"))
        ):
            orders[power][-1] += f" {line}"
        elif reads and power is not None:
            orders[power].append(line)
    if head is not None:
        yield _reported(head, orders, board)


def _phase(line: str) -> tuple[str, bool] | None:
    """The phase that a heading is about, such as `S1901M`, and true if its orders come with results; None for any other line."""
    line = line.strip(" *_#")
    for index, pattern in enumerate(HEADING):
        if (match := pattern.match(line)) is None:
            continue
        marked = index not in WITHOUT_RESULTS
        if "step" in match.groupdict():
            return STEPS[int(match["step"]) - 1].format(int(match["year"])), marked
        kind = KIND[match["kind"].casefold()]
        letter = "W" if kind == "A" else LETTER[match["season"].casefold()]
        return f"{letter}{int(match['year'])}{kind}", marked
    return None


def _reported(head: tuple[int, str, bool], orders: Mapping[str, list[str]], board: Board) -> Reported:
    number, name, marked = head
    read = {
        power: tuple(
            (text, marks if marked else None)
            for text, marks in (_order(line, name[-1]) for line in some if line)
            if text
        )
        for power, some in orders.items()
    }
    return Reported(line=number, name=name, orders={power: some for power, some in read.items() if some})


def _order(line: str, kind: str) -> tuple[str, Marks | None]:
    """Split an order from its results; None for results in winter, because reports leave them out."""
    said = [part.strip().casefold() for found in MARKED.findall(line) for part in found.split(",")]
    text = COAST.sub("", " ".join(MARKED.sub("", line).split()).rstrip(". "))
    marks = frozenset(mark for word in said if (mark := MARKS.get(word, word)))
    if (silent := SILENT.match(text)) is not None:
        return (f"{silent[1]} H", marks) if kind == "M" else ("", None)
    if kind == "A":
        if UNUSED.match(text):
            return "", None
        if (built := BUILDS.match(text)) is not None:
            text = f"Build {built[1][0].upper()} {built[2]}"
        elif (gone := REMOVES.match(text)) is not None:
            text = f"Disband {f'{gone[1][0].upper()} {gone[2]}' if gone[1] else gone[3]}"
        elif WAIVES.match(text):
            text = "Waive"
        return text, None
    if kind == "R":
        if (gone := DISBANDS.match(text)) is not None:
            text = f"{gone[1]} Disband"
        return text, None
    steps = text.split("->")
    if len(steps) > 2 and not re.search(r"\b(?:support|convoy)", text, re.IGNORECASE):
        text = f"{steps[0].strip()} - {steps[-1].strip()} via convoy"
    return text, marks
