"""A game that was played elsewhere, phase by phase: judged by our own rules, and compared with its record.

If an order cannot be read, no other difference is reported for its phase. If the board cannot have a recorded position, that is a fault.
Neither phase is compared with the record, and the game goes on with the record's next position.

A record may use a different word for the same result. This is accepted in three cases, which are counted:

* A move by convoy that came to nothing may be `fails`, `no_convoy` or `invalid` in records. If fleets were lacking, it is illegal to us.
* A support for a move that the unit could never make is illegal to us (DATC 6.D.31). Records judge it like any other.
* A support for something that the other unit did not do is `invalid` to us (DP-S-3). Records say `cut` if the supporting unit was
  attacked as well. The support had no effect either way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as default
from enum import StrEnum
from typing import Any, TypeAlias

from adjudicator.core.contract.resolution import PlayedGame, PlayedTurn, Resolution, Verdict
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.codec import extend_record, record
from adjudicator.core.text.problems import Problems, problem
from adjudicator.mechanics.adjustments import DisbandDistance, SurplusOrders
from adjudicator.mechanics.movement import Move, MovementRules, Reason, SupportHold, SupportMove
from adjudicator.mechanics.movement.solver import (
    AdjacentConvoys,
    Coasts,
    ConvoyedAttack,
    Disengaged,
    Impossible,
    MultiRoute,
    Paradox,
    SupportCoasts,
    UnitCoast,
)
from adjudicator.mechanics.notation import Disband, Fault, Notation, plain_word
from adjudicator.mechanics.provinces import Board, BuildSites
from adjudicator.rulesets.diplomacy.events import AnyEvent, Destroyed
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Dislodged,
    OwnBoard,
    Phase,
    Position,
    Season,
    Settings,
    board_named,
    field_of,
    notation_on,
    shipped_boards,
    starting_position,
)
from adjudicator.rulesets.diplomacy.resolve import resolve
from adjudicator.rulesets.diplomacy.war import due

PHASE = re.compile(r"([A-Z])(-?\d{1,7})([MRA])", re.ASCII)
SEASONS = {"S": Season.SPRING, "F": Season.FALL, "W": Season.WINTER}
RANK = {one: at for kind in (Season, Phase) for at, one in enumerate(kind)}
"""Season or phase -> its number: seasons are counted within a year, phases within a season."""
YEARLY = "Y"
"""The letter in place of a season's, for turns that a record names only by calendar year. Fall is then half a game year after spring."""
PHASES = {"M": Phase.MOVEMENT, "R": Phase.RETREATS, "A": Phase.ADJUSTMENTS}
OTHER_RULES = {
    "via_no_route": "an army ordered by convoy walked instead (against DP-C-6)",
    "auto_disband": "units were removed by the rule from before 2023 (DP-W-8, disband_distance: home)",
}
"""Flag in a record -> description of the rule that was used instead of ours."""
RULES_AS_SET: dict[str, Mapping[StrEnum, str]] = {
    "coasts": {
        Coasts.LENIENT: "a fleet's move could leave out a coast (DP-O-8, coasts: lenient)",
        Coasts.STRICT: "a fleet's move had to name its coast (DP-O-8, coasts: strict)",
        Coasts.CORRECTED: "a wrong coast was corrected (DP-O-8, coasts: corrected)",
    },
    "support_coasts": {
        SupportCoasts.LENIENT: "a support could leave out the coast that the fleet moves to (DP-S-6, support_coasts: lenient)",
        SupportCoasts.STRICT: "a support had to name the coast that the fleet moves to (DP-S-6, support_coasts: strict)",
    },
    "unit_coast": {
        UnitCoast.IGNORED: "an order counted even if it named a coast that its fleet was not on (DP-O-9, unit_coast: ignored)",
        UnitCoast.BINDING: "an order was illegal if it named a coast that its fleet was not on (DP-O-9, unit_coast: binding)",
    },
    "impossible": {
        Impossible.IGNORED: "a unit whose move was impossible could be supported to hold (DP-O-3, impossible: ignored)",
        Impossible.FAILED_MOVE: "a unit whose move was impossible counted as one that tried to move (DP-O-3, impossible: failed-move)",
    },
    "adjacent_convoys": {
        AdjacentConvoys.INTENT: "an army went by a convoy that a fleet of its own power was ordered to give (DP-C-5, adjacent_convoys: intent)",
        AdjacentConvoys.EXPLICIT: "an army walked unless its order said `via convoy` (DP-C-5, adjacent_convoys: explicit)",
    },
    "multi_route": {
        MultiRoute.ANY: "one unbroken route was enough for a convoy (DP-C-4, multi_route: any)",
        MultiRoute.ALL: "a fleet lost on any route broke a convoy (DP-C-4, multi_route: all)",
    },
    "convoyed_attack": {
        ConvoyedAttack.ORIGIN: "an attack by convoy came from where the army started (DP-S-4, convoyed_attack: origin)",
        ConvoyedAttack.SEA: "an attack by convoy came from the sea (DP-S-4, convoyed_attack: sea)",
    },
    "disengaged": {
        Disengaged.BOUNCES: "a unit dislodged by one that passed it by convoy stood others off (DP-M-8, disengaged: bounces)",
        Disengaged.HARMLESS: "a unit dislodged by one that passed it by convoy stood nobody off (DP-M-8, disengaged: harmless)",
    },
    "disband_distance": {
        DisbandDistance.OWNED: "units were removed by the rule of 2023 (DP-W-8, disband_distance: owned)",
        DisbandDistance.HOME: OTHER_RULES["auto_disband"],
        DisbandDistance.MOVES: "units were removed by their own moves to a centre (DP-W-8, disband_distance: moves)",
        DisbandDistance.CENTRES: "units outside supply centres were removed first (DP-W-8, disband_distance: centres)",
    },
    "surplus_orders": {
        SurplusOrders.FIRST: "if there were too many builds or removals, the first ones counted (DP-W-5, surplus_orders: first)",
        SurplusOrders.NONE: "if there were too many builds or removals, none counted (DP-W-5, surplus_orders: none)",
    },
    "build_sites": {
        BuildSites.HOME: "powers built only in their own home centres (DP-W-3, build_sites: home)",
        BuildSites.HOMES: "powers built in any home centre (DP-W-3, build_sites: homes)",
        BuildSites.OWNED: "powers built in any centre that they owned (DP-W-3, build_sites: owned)",
        BuildSites.HOME_KEPT: "powers with a home centre built in any centre that they owned (DP-W-3, build_sites: home-kept)",
    },
}  # fmt: skip
"""House rule that may explain a record's results -> description of each of its values."""
MOST_TURNS = 1000
"""Most phases of a game without any order: a record may name a far year."""
WINTER_RULES = ("disband_distance", "surplus_orders", "build_sites")
SENTENCE = (
    "a convoyed army did not cut support for an attack on a fleet that its convoy needed: the rulebook's sentence"
)
BY_SENTENCE = {
    True: f"{SENTENCE}, not Szykman's rule for paradoxes (DP-C-8)",
    False: f"{SENTENCE}; our rule lets it cut (DP-C-10)",
}
"""Whether our rules find a paradox -> description of the other rule."""


@record
class RulebookSettings(OwnBoard):
    """House rules that follow the rulebook's sentence about convoyed armies and support. No setting of ours offers it."""

    @property
    def movement(self) -> MovementRules:
        """The house rules in the form that the movement solver takes."""
        return replace(super(RulebookSettings, self).movement, paradox=Paradox.RULEBOOK)  # noqa: UP008  # `record` replaces the class.


Codes: TypeAlias = Mapping[str, tuple[str, ...]]
"""Power -> its units or centres, as codes."""


Marks: TypeAlias = frozenset[str]
"""Words for a result that other programs print: `bounce`, `cut`, `void`, `no convoy`, `disrupted`, `dislodged`, or `failed` for any failure."""


@dataclass(frozen=True, slots=True)
class Reported:
    """One phase as another program reports it. The position before it may be left out."""

    line: int
    name: str
    orders: Mapping[str, Sequence[tuple[str, Marks | None]]]
    units: Codes | None = None
    """Power -> its units before the phase, without dislodged ones, in codes; None if the report leaves them out."""
    centres: Codes | None = None
    dislodged: Codes | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """One phase of a record, in either format."""

    line: int
    name: str
    units: Codes
    centres: Codes
    dislodged: Mapping[str, Mapping[str, str | None]] | None
    contested: Sequence[str] | None
    orders: Mapping[str, Sequence[tuple[str, str | Marks | None]]]
    after: AfterData | None
    flags: tuple[str, ...]
    board: str | None = None
    """The record's name for the board, if it gives one."""


@record
class AfterData:
    """The position after a phase, as a record gives it."""

    phase: str | None = None
    units: Codes = default(default_factory=dict)
    dislodged: Codes | None = None
    centers: Codes | None = None


def choose_board(
    settings: Settings, chosen: Collection[str], board: str | None, line: int
) -> tuple[Settings, dict[str, object]]:
    """House rules with the board that a record names, and the settings that this changes.

    A board that the caller chose overrides the record's, because other sites have different names for boards.
    """
    mine = "board" in chosen or settings.board != Settings().board
    if mine or board in (None, "standard", settings.ground.name):
        return settings, {}
    if board not in shipped_boards():
        right = "name its file with --board, such as --board islands.yaml"
        raise problem("", f"the game was played on {board!r:.40}, a board that is not known here", right, line=line)
    sites = settings.build_sites if "build_sites" in chosen else board_named(board).builds
    return replace(settings, board=board, build_sites=sites), {"board": board}


def judge_game(settings: Settings, chosen: Collection[str], name: str, phases: list[Recorded]) -> PlayedGame[Position]:
    """Judge the phases of a game, each from the position that its record gives."""
    settings, named = choose_board(settings, chosen, phases[0].board, phases[0].line)
    notation = notation_on(settings.ground)
    turns: list[PlayedTurn[Position]] = []
    faults: list[str] = []
    expected: Position | None = None
    ended = False
    empty = 0
    others: dict[str, list[str]] = {}
    for recorded in phases:
        try:
            position = recorded_position(notation.board, recorded, settings)
        except Problems as error:
            faults += [f"{recorded.name:.20}: {fault.what}" for fault in error.problems]
            expected = None
            continue
        if is_empty(position, recorded, expected):
            empty += 1
            continue
        if expected is not None and not ended:
            expected, ended = without_orders(expected, order_of(position), turns)
        turn, done = judge_phase(notation, recorded, position, expected)
        turns.append(turn)
        if turn.other_rules:
            others.setdefault(turn.other_rules, []).append(recorded.name)
        # If other rules were followed, or an order is not known, the record's next position is used unchecked.
        expected, ended = (None if turn.other_rules or not turn.compared else done.position), done.ended is not None
    return PlayedGame(
        slug_of(name) or "game", name, named, tuple(turns), ended, empty, tuple(faults), remarks_on_rules(others)
    )


def is_empty(position: Position, recorded: Recorded, expected: Position | None) -> bool:
    """Whether a recorded phase has nothing to decide, so that our game has no turn for it."""
    if position.phase is Phase.MOVEMENT:
        return False
    if not any(recorded.orders.values()) and (
        (position.phase is Phase.RETREATS and not position.dislodged)
        or (expected is not None and is_before(position, expected))
    ):
        return True
    # If our game has this turn but nobody has anything to do in the recorded one, that is a difference.
    return not due(position) and (expected is None or order_of(position) != order_of(expected))


def order_of(position: Position) -> tuple[int, int, int]:
    """Year, season and phase as numbers, which order the phases of a game."""
    return position.year, RANK[position.season], RANK[position.phase]


def _rank(when: tuple[int, Season, Phase]) -> tuple[int, int, int]:
    year, season, phase = when
    return year, RANK[season], RANK[phase]


def _letters(board: Board) -> dict[str, Season]:
    """Initial -> season: those of the names in the rules, and those of the calendar's own names where they are unique."""
    firsts = [plain_word(board.calendar.season(season))[:1].upper() for season in Season]
    own = {first: season for first, season in zip(firsts, Season, strict=True) if firsts.count(first) == 1}
    return {**own, **SEASONS}


def _half(board: Board) -> int:
    """Half of the board's game year, in calendar years; 0 if the calendar's step is odd or `Y` is a season's letter."""
    step = board.calendar.step
    return step // 2 if step % 2 == 0 and YEARLY not in _letters(board) else 0


def _when(board: Board, name: str) -> tuple[int, Season, Phase] | None:
    """The year, season and phase that a record's name for a phase means on a board; None if it is not clear."""
    match = PHASE.fullmatch(name)
    if match is None:
        return None
    letter, year, phase = match[1], int(match[2]), PHASES[match[3]]
    season = _letters(board).get(letter)
    if letter == YEARLY and season is None and (half := _half(board)):
        leap = board.calendar.before is not None
        since = _counted(year, leap=leap) - _counted(board.starts, leap=leap)
        season = {0: Season.SPRING, half: Season.FALL}.get(since % board.calendar.step)
        if season is Season.FALL:
            year = _counted(year, leap=leap) - half
            year = year - 1 if leap and year <= 0 else year
        elif phase is Phase.ADJUSTMENTS:
            season = None
    if season is None:
        return None
    # There are builds once a year; some records name them after the season before.
    return year, Season.WINTER if season is Season.FALL and phase is Phase.ADJUSTMENTS else season, phase


def _counted(year: int, *, leap: bool) -> int:
    """A year's number in a count without a gap. `leap` is True for calendars without a year 0."""
    return year + 1 if leap and year < 0 else year


def _known_letters(board: Board) -> str:
    """The letters that a phase's name may begin with, in words: `S (Spring), F or A (Autumn), W (Winter)`."""
    letters, calendar = _letters(board), board.calendar
    standing = {season: letter for letter, season in SEASONS.items()}
    said = []
    for season in Season:
        others = sorted(letter for letter in letters if letters[letter] is season and letter != standing[season])
        said.append(f"{' or '.join([standing[season], *others])} ({calendar.season(season)})")
    if half := _half(board):
        every = f"every {half} years" if half > 1 else "every year"
        said.append(f"{YEARLY} ({every} from {calendar.year(board.starts)})")
    return ", ".join(said)


def without_orders(
    expected: Position, until: tuple[int, int, int], turns: list[PlayedTurn[Position]]
) -> tuple[Position, bool]:
    """Judge the phases before `until`, which a record leaves out because nobody ordered anything in them, and add them to `turns`.

    Returns the position after them, and true if the game is over then.
    """
    ended = False
    while not ended and order_of(expected) < until and len(turns) < MOST_TURNS:
        sheets, done = judge_orders(expected, {})
        turns.append(PlayedTurn(expected, sheets, (), None, compared=True, reworded=0))
        expected, ended = done.position, done.ended is not None
    return expected, ended


def slug_of(title: str) -> str:
    """A game's title as the name of a folder; empty if it has no letters and no digits."""
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:80]


def is_before(earlier: Position, later: Position) -> bool:
    """True if one phase comes before another."""
    return order_of(earlier) < order_of(later)


def recorded_position(board: Board, recorded: Recorded, settings: Settings) -> Position:
    """The position that a record gives for a phase. Raises `Problems` if the board cannot have it."""
    when = _when(board, recorded.name)
    if when is None:
        what = f"{recorded.name!r:.40} is not the name of a phase, such as S1901M"
        if PHASE.fullmatch(recorded.name):
            what = f"{recorded.name!r:.40} does not begin with a season's letter; on this board these are {_known_letters(board)}"
        raise problem("", what, line=recorded.line)

    def unit(text: str) -> str:
        try:
            return board.unit_name(board.unit(text))
        except KeyError:
            raise problem("", f"{text!r:.40} is not a unit that the board can have", "", line=recorded.line) from None

    def province(code: str) -> str:
        if code not in board.provinces:
            raise problem("", f"{code!r:.40} is not a province on the board", "", line=recorded.line)
        return board.provinces[code].name

    sides = (*board.powers, *board.others)
    for power in (*recorded.units, *recorded.centres, *(recorded.dislodged or {})):
        if power not in sides:
            raise problem("", f"{power!r:.40} is not a power on the board", "", line=recorded.line)
    lost = tuple(
        Dislodged(power=power, unit=unit(text), attacked_from=province(start) if start else None)
        for power, units in sorted((recorded.dislodged or {}).items())
        for text, start in sorted(units.items())
    )
    # Records also list provinces that were contested and taken; only the empty ones are closed to retreats.
    taken = {text.partition(" ")[2].partition("/")[0] for units in recorded.units.values() for text in units}
    contested = tuple(sorted(province(code) for code in recorded.contested or () if code not in taken))
    return Position(
        year=when[0],
        season=when[1],
        phase=when[2],
        units={
            p: tuple(sorted(unit(t) for t in recorded.units.get(p, ())))
            for p in sides
            if p in board.powers or recorded.units.get(p)
        },
        centres={
            p: tuple(sorted(province(c) for c in recorded.centres.get(p, ())))
            for p in sides
            if p in board.powers or recorded.centres.get(p)
        },
        others=tuple(board.others),
        dislodged=tuple(sorted(lost, key=lambda each: board.unit(unit_code(board, each.unit)).province)),
        contested=contested,
        settings=settings,
    )


def unit_code(board: Board, text: str) -> str:
    """The code of a unit written as in a position: `F St Petersburg/SC` is `F STP/SC`. Raises `StopIteration` for an unknown place."""
    kind, _, name = text.partition(" ")
    province, slash, coast = name.partition("/")
    return f"{kind} " + next(p.id for p in board.provinces.values() if p.name == province) + slash + coast


def judge_orders(
    position: Position, orders: Mapping[str, list[str]]
) -> tuple[dict[str, dict[str, object]], Resolution[Position, AnyEvent]]:
    """Judge these orders, by power; returns the sheets that hold them, and the outcome."""
    sheets = {power: Sheet(orders=tuple(texts)) for power, texts in orders.items() if texts}
    plain: dict[str, dict[str, object]] = {power: {"orders": list(sheet.orders)} for power, sheet in sheets.items()}
    return plain, resolve(position, sheets, GivenDice({}))


def judge_phase(
    notation: Notation, recorded: Recorded, position: Position, expected: Position | None
) -> tuple[PlayedTurn[Position], Resolution[Position, AnyEvent]]:
    """Judge one recorded phase and list every difference."""
    differences: list[str] = []
    units = field_of(position).names()
    written: dict[str, list[str]] = {}
    unreadable: list[str] = []
    for power, orders in recorded.orders.items():
        if power not in notation.board.powers:
            continue
        for text, _ in orders:
            order = notation.read(text)
            if isinstance(order, Fault):
                unreadable.append(f"{recorded.name}: {power}: the order {text!r:.60} cannot be read: {order.what}")
                continue
            written.setdefault(power, []).append(notation.write(order, units))
    sheets, done = judge_orders(position, written)
    if unreadable:  # The unit's real order is not known, so nothing else in this phase can be compared.
        return PlayedTurn(position, sheets, tuple(unreadable[:1]), None, compared=False, reworded=0), done
    why = next((OTHER_RULES[flag] for flag in recorded.flags if flag in OTHER_RULES), None)
    if expected is not None and not is_before(expected, position) and _facts(expected) != _facts(position):
        differences.append(f"{recorded.name}: the record's position is not the one that the phase before led to")
    judged, compared = done, why is None
    if "auto_disband" in recorded.flags:
        # The rule from before 2023 is a setting, so these winters are compared under it. The archive keeps the game's own rule.
        older = replace(position.settings, disband_distance=DisbandDistance.HOME)
        _, judged = judge_orders(replace(position, settings=older), written)
        compared = True
    reworded = 0
    if compared:
        found, reworded = _measure(notation, recorded, written, judged)
        if found and why is None:
            # A rule explains a difference only if it accounts for the whole record of the phase.
            tries = [
                (rule, counted)
                for rule, tried, by in _other_ways(notation, position, written, done)
                for left, counted in (_measure(notation, recorded, by, tried),)
                if not left
            ]
            if tries:
                why, found, reworded = " or ".join(rule for rule, _ in tries), [], tries[0][1]
        differences += found
    return PlayedTurn(position, sheets, tuple(differences), why, compared, reworded), done


def _measure(
    notation: Notation,
    recorded: Recorded,
    written: Mapping[str, list[str]],
    judged: Resolution[Position, AnyEvent],
) -> tuple[list[str], int]:
    """Differences between a phase as judged and its record, and the number of results that differ only in wording."""
    differences: list[str] = []
    reworded = 0
    wanted = [(power, text, result) for power, orders in recorded.orders.items() for text, result in orders]
    verdicts = _verdicts_by_power(notation, judged.verdicts, written)
    gone = {event.unit for event in judged.events if isinstance(event, Destroyed)}
    attacks = {(power, order.to) for power, text, _ in wanted if isinstance(order := notation.read(text), Move)}
    for power, text, result in wanted:
        if result is None or power not in notation.board.powers:
            continue
        verdict = verdicts[power].pop(0)
        if isinstance(result, frozenset):
            same, word = _marks_agree(verdict, result)
            result = ", ".join(sorted(result)) or "success"  # noqa: PLW2901  # for the message below
        else:
            same, word = agrees(notation, verdict, result, gone, attacks)
        reworded += word
        if not same:
            differences.append(
                f"{recorded.name}: {power}: {text}: the record says {result}, we say {_result(verdict, gone)}"
            )
    if recorded.after is not None:
        differences.extend(f"{recorded.name}: {line}" for line in _compare(notation.board, judged, recorded.after))
    return differences, reworded


def _other_ways(
    notation: Notation,
    position: Position,
    written: Mapping[str, list[str]],
    done: Resolution[Position, AnyEvent],
) -> Iterator[tuple[str, Resolution[Position, AnyEvent], Mapping[str, list[str]]]]:
    """Judge a phase by each of the other known rules; yields the rule, the resolution and the orders used."""
    settings = position.settings
    if position.phase is Phase.RETREATS:
        return
    for key, values in RULES_AS_SET.items():
        if (key in WINTER_RULES) is not (position.phase is Phase.ADJUSTMENTS):
            continue
        mine = settings.sites if key == "build_sites" else getattr(settings, key)
        for value, rule in values.items():
            if value is not mine:
                other: Settings = replace(settings, **{key: value})  # type: ignore[arg-type]  # a value of that setting
                yield rule, judge_orders(replace(position, settings=other), written)[1], written
    if position.phase is Phase.MOVEMENT:
        other = extend_record(settings, RulebookSettings, own=settings.ground, shapes=settings.drawn)
        paradox = any(verdict.reason == Reason.PARADOX for verdict in done.verdicts)
        yield BY_SENTENCE[paradox], judge_orders(replace(position, settings=other), written)[1], written
        if (walking := _walking(notation, written, done)) != written:
            yield OTHER_RULES["via_no_route"], judge_orders(position, walking)[1], walking


def _walking(
    notation: Notation, written: Mapping[str, list[str]], done: Resolution[Position, AnyEvent]
) -> dict[str, list[str]]:
    """The orders, changed so that an army goes by land if no fleets gave the convoy that it asked for."""
    stranded = {
        (verdict.seat, order)
        for verdict in done.verdicts
        if verdict.reason in (Reason.CONVOY_MISSING, Reason.NO_ROUTE)
        if isinstance(order := notation.read(verdict.order), Move) and order.via
    }

    def walked(power: str, text: str) -> str:
        order = notation.read(text)
        if isinstance(order, Move) and (power, order) in stranded:
            return notation.write(replace(order, via=False))
        return text

    return {power: [walked(power, text) for text in texts] for power, texts in written.items()}


def remarks_on_rules(others: Mapping[str, list[str]]) -> tuple[str, ...]:
    """The other rules that a record follows, each with the phases where it does."""
    return tuple(f"{', '.join(names)}: played by another rule: {rule}" for rule, names in others.items())


def _verdicts_by_power(
    notation: Notation, verdicts: Iterable[Verdict], written: Mapping[str, list[str]]
) -> dict[str, list[Verdict]]:
    """Each power's verdicts on its orders, in the order written."""
    by_power: dict[str, list[Verdict]] = {power: [] for power in written}
    for verdict in verdicts:
        if not verdict.implied:
            by_power.setdefault(verdict.seat, []).append(verdict)
    return by_power


def _result(verdict: Verdict, gone: set[str]) -> str:
    facts = verdict.facts or {}
    text = verdict.result
    if "dislodged_by" in facts:
        text += ", destroyed" if unit_of(verdict) in gone else ", dislodged"
    return text


def unit_of(verdict: Verdict) -> str:
    """The unit that a verdict is about, as its order names it."""
    return re.split(r" (?:-|S|C|H)(?: |$)", verdict.order, maxsplit=1)[0]


NO_MOVE = frozenset({"bounce", "no convoy", "void"})
"""Words that programs use for a move by convoy that came to nothing."""


def _marks_agree(verdict: Verdict, theirs: Marks) -> tuple[bool, int]:
    """Whether our verdict agrees with the words of another program, and 1 if it uses others for the same result."""
    ours = frozenset(result_marks(verdict)) - {"disrupted"}
    theirs = theirs - {"disrupted"}
    if ours == theirs:
        return True, 0
    lost = {"dislodged"}
    if ours & lost != theirs & lost:
        return False, 0
    if theirs == lost:  # a program with one word for each order
        return True, 1
    failed, other = ours - lost, theirs - lost - {"failed"}
    if "failed" in theirs and not other:
        return bool(failed), 0
    convoyed = verdict.reason in (Reason.CONVOY_MISSING, Reason.CONVOY_BROKEN, Reason.PARADOX, Reason.NO_ROUTE)
    supports = {"cut", "void"}
    same = (convoyed and failed <= NO_MOVE and other <= NO_MOVE and bool(failed) is bool(other)) or (
        verdict.reason in (Reason.NOT_AS_SUPPORTED, Reason.SUPPORTED_CANNOT_REACH)
        and failed <= supports
        and other <= supports
    )
    return same, int(same)


def judge_reported(
    settings: Settings, chosen: Collection[str], title: str, board: str | None, phases: Sequence[Reported]
) -> PlayedGame[Position]:
    """Judge a game that another program reports, from its first phase on. Raises `Problems` if it begins later without a position.

    The game goes on from the position that our rules lead to, or from the report's, if that is another one.
    """
    settings, named = choose_board(settings, chosen, board, phases[0].line)
    notation = notation_on(settings.ground)
    expected = starting_position(settings)
    turns: list[PlayedTurn[Position]] = []
    faults: list[str] = []
    others: dict[str, list[str]] = {}
    ended, empty = False, 0
    first = _when(settings.ground, phases[0].name)
    if first is not None and _rank(first) != order_of(expected) and phases[0].units is None:
        what = f"the report begins with {phases[0].name}, and does not show the position then"
        raise problem("", what, f"begin with {phase_name(expected)}", line=phases[0].line)
    sure = False
    for reported, again in zip(phases, [*phases[1:], None], strict=True):
        if again is not None and again.name == reported.name:
            continue  # the later report of a phase corrects the earlier one
        when = _when(settings.ground, reported.name)
        unknown = sorted({*reported.orders} - {*settings.ground.powers, *settings.ground.others})
        faults += [f"{reported.name:.20}: {power!r:.40} is not a power on the board" for power in unknown]
        if when is not None and turns and not ended:
            expected, ended = without_orders(expected, _rank(when), turns)
        if when is not None and _rank(when) < order_of(expected) and _asks_nothing(notation, reported):
            empty += 1
            continue
        position = _position_of(settings, reported, expected)
        if ended or when is None or _rank(when) != order_of(position):
            if any(reported.orders.values()):
                ours = "over" if ended else f"in {phase_name(expected)}"
                faults.append(f"{reported.name:.20}: by our rules the game is {ours} then")
            else:
                empty += 1
            continue
        recorded = Recorded(
            line=reported.line, name=reported.name, units={}, centres={}, dislodged=None, contested=None, orders=reported.orders, after=None, flags=()
        )  # fmt: skip
        # After a phase by other rules, or one that cannot be compared, the report's next position is taken unchecked.
        turn, done = judge_phase(notation, recorded, position, expected if sure else None)
        turns.append(turn)
        sure = turn.compared and not turn.other_rules
        expected, ended = done.position, done.ended is not None
        if turn.other_rules:
            others.setdefault(turn.other_rules, []).append(reported.name)
            expected = _by_their_rule(notation, position, turn, done)
    return PlayedGame(
        slug_of(title) or "game",
        title or "Game",
        named,
        tuple(turns),
        ended,
        empty,
        tuple(faults),
        remarks_on_rules(others),
    )


def _by_their_rule(
    notation: Notation, position: Position, turn: PlayedTurn[Position], done: Resolution[Position, AnyEvent]
) -> Position:
    """The position that the other rule of a phase leads to, in a game with our own rules."""
    for rule, tried, _ in _other_ways(notation, position, orders_of(turn), done):
        if rule in (turn.other_rules or "").split(" or "):
            return replace(tried.position, settings=position.settings)
    return done.position


def _asks_nothing(notation: Notation, reported: Reported) -> bool:
    """True if nobody orders more than to disband: some programs have a phase of retreats for units that cannot go anywhere."""
    orders = [notation.read(text) for some in reported.orders.values() for text, _ in some]
    return all(isinstance(order, Disband) for order in orders)


def _position_of(settings: Settings, reported: Reported, expected: Position) -> Position:
    """The position before a reported phase: ours, or the report's if its units are in other places. Raises `Problems` for an impossible one."""
    if reported.units is None:
        return expected
    board, sides = settings.ground, (*settings.ground.powers, *settings.ground.others)
    when = _when(board, reported.name)
    ours = field_of(expected)
    standing = {power: sorted(str(unit) for whose, unit in ours.units.values() if whose == power) for power in sides}
    same = all(standing[power] == sorted(reported.units.get(power, ())) for power in sides)
    owned, centres_of = ours.centres(), reported.centres
    if centres_of is not None:
        same = same and all(
            sorted(owned.get(power, ())) == sorted({*centres_of.get(power, ())} & {*board.centres}) for power in sides
        )
    if when is not None and _rank(when) == order_of(expected) and same:
        return expected
    theirs = {power: tuple(sorted({*codes} & {*board.centres})) for power, codes in (centres_of or {}).items()}
    centres = theirs or {power: tuple(sorted(codes)) for power, codes in ours.centres().items()}
    lost = {power: dict[str, str | None].fromkeys(units) for power, units in (reported.dislodged or {}).items()}
    recorded = Recorded(
        line=reported.line, name=reported.name, units=reported.units, centres=centres, dislodged=lost or None, contested=None, orders={}, after=None, flags=()
    )  # fmt: skip
    return recorded_position(board, recorded, settings)


def agrees(
    notation: Notation, verdict: Verdict, recorded: str, gone: set[str], attacks: set[tuple[str, str]]
) -> tuple[bool, int]:
    """Whether our verdict agrees with the record, and 1 if the record uses another accepted word for it (see the module's docstring)."""
    base, _, fate = recorded.replace(" ", "").partition(",")
    if base in ("dislodged", "destroyed"):
        base, fate = "stands", base
    ours, _, our_fate = _result(verdict, gone).replace(" ", "").partition(",")
    if fate != our_fate:
        return False, 0
    if base == ours:
        return True, 0
    reason = verdict.reason
    not_moved = reason in (Reason.CONVOY_MISSING, Reason.CONVOY_BROKEN, Reason.PARADOX, Reason.NO_ROUTE)
    if not_moved and base in ("fails", "no_convoy", "invalid"):
        return True, 1
    if base == "no_convoy" and ours == "fails" and isinstance(notation.read(verdict.order), Move):
        return True, 1
    if reason == Reason.SUPPORTED_CANNOT_REACH and base in ("given", "cut", "invalid"):
        return True, 1
    order = notation.read(verdict.order)
    attacked = isinstance(order, SupportHold | SupportMove) and any(
        power != verdict.seat and to == order.unit.province for power, to in attacks
    )
    agrees = reason == Reason.NOT_AS_SUPPORTED and base == "cut" and attacked
    return agrees, int(agrees)


def _facts(position: Position) -> tuple[Any, ...]:
    """The parts of a position that are compared with a record."""
    return (
        order_of(position),
        dict(position.units),
        dict(position.centres),
        {(lost.power, lost.unit, lost.attacked_from) for lost in position.dislodged},
        set(position.contested),
    )


def _compare(board: Board, done: Resolution[Position, AnyEvent], after: AfterData) -> Iterator[str]:
    position = done.position
    field = field_of(position)
    sides = (*board.powers, *board.others)
    standing: dict[str, list[str]] = {}
    for whose, unit in field.units.values():
        standing.setdefault(whose, []).append(str(unit))
    ours = {power: sorted(standing.get(power, ())) for power in sides}
    theirs = {p: sorted(after.units.get(p, ())) for p in sides}
    if ours != theirs:
        for power in sides:
            if ours[power] != theirs[power]:
                yield f"units of {power}: the record has {', '.join(theirs[power])}, we have {', '.join(ours[power])}"
    if after.dislodged is not None:
        for power in sides:
            lost = sorted(str(unit) for _, (whose, unit, _) in field.dislodged.items() if whose == power)
            recorded = sorted(after.dislodged.get(power, ()))
            if recorded != lost:
                yield f"dislodged units of {power}: the record has {', '.join(recorded)}, we have {', '.join(lost)}"
    if after.centers is not None:
        owned = field.centres()
        for power in sides:
            ours_owned, theirs_owned = sorted(owned.get(power, ())), sorted(after.centers.get(power, ()))
            if ours_owned != theirs_owned:
                yield f"centres of {power}: the record has {', '.join(theirs_owned)}, we have {', '.join(ours_owned)}"
    name, recorded_name = phase_name(position), after.phase or ""
    if done.ended is None and recorded_name and recorded_name != name:
        when = _when(board, recorded_name)
        # Some records go on to a retreat or winter phase where nobody can do anything; we never open one.
        empty = when is not None and when[2] is not Phase.MOVEMENT and _rank(when) < order_of(position)
        if not empty and (when is None or _rank(when) != order_of(position)):
            yield f"the record goes on to {recorded_name}, we go on to {name}"


def phase_name(position: Position) -> str:
    """Name of a phase in records: `S1901M`."""
    return f"{position.season[0]}{position.year}{position.phase[0].upper()}"


def orders_of(turn: PlayedTurn[Position]) -> dict[str, list[str]]:
    """The orders of a turn by power, as text."""
    return {power: [str(text) for text in sheet["orders"]] for power, sheet in turn.sheets.items()}  # type: ignore[attr-defined]  # a list, as judge_orders made it


def find_their_rule(
    notation: Notation,
    position: Position,
    written: Mapping[str, list[str]],
    start: Position,
    done: Resolution[Position, AnyEvent],
) -> str | None:
    """Descriptions of the other rules that lead to the units of the record's next phase, joined; None if none does."""
    rules = [
        rule
        for rule, tried, _ in _other_ways(notation, position, written, done)
        if tried.position.units == start.units and not is_before(tried.position, start)
    ]
    return " or ".join(rules) or None


def result_marks(verdict: Verdict) -> list[str]:
    """The words that the package `diplomacy` and other programs use for a result: `bounce`, `cut`, `void`, `no convoy`, `disrupted`, `dislodged`."""
    words: list[str] = []
    facts = verdict.facts or {}
    match verdict.result:
        case "illegal" | "unreadable":
            words.append("void")
        case "invalid":
            words.append("no convoy" if verdict.reason == Reason.CONVOY_MISSING else "void")
        case "fails":
            words.append("no convoy" if verdict.reason in (Reason.CONVOY_BROKEN, Reason.PARADOX) else "bounce")
        case "cut" | "disrupted":
            words.append(verdict.result)
        case _:
            pass
    if "dislodged_by" in facts:
        words.append("dislodged")
    return words
