"""Play Diplomacy before two judges, the ruleset and the second one, and compare their results for each turn.

Positions are random, on boards with and without coasts to choose between, one-way borders and armies of nobody, and
by all settings of the rulebook; orders are drawn so that they interact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from random import Random
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.ruleset import as_shipped
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.yamltext import write
from adjudicator.mechanics.adjustments import DisbandDistance, SurplusOrders
from adjudicator.mechanics.movement.solver import (
    AdjacentConvoys,
    Coasts,
    ConvoyedAttack,
    Disengaged,
    Impossible,
    MultiRoute,
    SupportCoasts,
    UnitCoast,
)
from adjudicator.mechanics.provinces import BuildSites
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    AbsentVotes,
    ConvoyedRetreat,
    Dislodged,
    Draws,
    Phase,
    Position,
    Season,
    Settings,
    furnish,
)
from tests.judges.diplomacy import Judged, Told, judge
from tests.judges.games import so_many
from tests.judges.moves import Field, Said, Unit, ground_of, reader_of
from tests.judges.war_lot import Lot, crowd, retreat_lines, winter_lines

Sheets = dict[str, Sheet]
CHOICES: Mapping[str, type[StrEnum]] = {
    "adjacent_convoys": AdjacentConvoys, "multi_route": MultiRoute, "convoyed_attack": ConvoyedAttack,
    "disengaged": Disengaged, "coasts": Coasts, "impossible": Impossible, "support_coasts": SupportCoasts,
    "unit_coast": UnitCoast, "convoyed_retreat": ConvoyedRetreat, "surplus_orders": SurplusOrders,
    "disband_distance": DisbandDistance, "draws": Draws, "absent_votes": AbsentVotes, "build_sites": BuildSites,
}  # fmt: skip
OWN_BOARDS: Mapping[str, Mapping[str, Any]] = {
    "canals": {  # fleets convoy from some coasts; some ways are one-way; the game is short
        "extends": "standard", "victory": 5,
        "win": {"lead": 2, "years": 4, "hold": ["PAR", "BER", "MUN", "LON"], "least": 3},
        "provinces": {"KIE": {"convoys": True}, "CON": {"convoys": True}, "DEN": {"convoys": True}, "SWI": {"name": "Switzerland", "kind": "inland"}},
        "borders": {"army": ["SWI PIE"], "one_way": {"army": ["SWI BUR", "MUN SWI", "NAF SPA"], "fleet": ["MAO TYS", "NTH BAL"], "both": ["DEN BER"]}},
    },
}  # fmt: skip
"""Custom boards, each written over one that comes with the game."""


@cache
def own_settings(name: str) -> Settings:
    """House rules of a custom board, with all else by default."""
    data = {"name": "own", "title": "A board of the judges", **OWN_BOARDS[name]}
    source = write(data).encode()
    return furnish(Settings(board=f"{name}.yaml"), lambda _: (source, f"{name}.yaml"), as_shipped)


# Comparing ------------------------------------------------------------------------------------------------------------


def plain(position: Position) -> dict[str, Any]:
    """A position in a form to compare."""

    def grouped(table: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
        return {power: sorted(table[power]) for power in sorted(table) if table[power]}

    return {
        "turn": f"{position.season} {position.year}, {position.phase}",
        "units": grouped(position.units),
        "centres": grouped(position.centres),
        "dislodged": sorted((lost.power, lost.unit, lost.attacked_from or "") for lost in position.dislodged),
        "contested": sorted(position.contested),
        "others": sorted(position.others),
    }


def in_table(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    for key in one:
        here, there = one[key], other[key]
        if isinstance(here, dict):
            same = {name for name in here if here[name] == there.get(name)}
            here, there = ({name: what for name, what in t.items() if name not in same} for t in (here, there))
        if here != there:
            yield f"{key}: the ruleset {here}, the second judge {there}"


def fits(verdict: Any, what: Said) -> bool:
    rules = what.rules
    return verdict.result in what.words and (not rules or verdict.rule in rules)


def of_lines(position: Position, theirs: Resolution[Any, Any], lines: list[Told]) -> Iterator[str]:
    """Wrong verdicts. Coasts and kinds that a line left out may be written out."""
    reader = reader_of(position.settings.ground)

    def key(seat: str, text: str) -> tuple[object, ...]:
        order = reader.read(text)
        if order is None:
            return seat, text
        return seat, order.does, order.unit.province, order.whom.province, order.to

    told: dict[tuple[object, ...], list[Any]] = defaultdict(list)
    for verdict in theirs.verdicts:
        if not verdict.implied:
            told[key(verdict.seat, verdict.order)].append(verdict)
    meant: dict[tuple[object, ...], list[Told]] = defaultdict(list)
    for line in lines:
        meant[key(line.seat, line.text)].append(line)
    for name in sorted({*told, *meant}, key=str):
        left = [*told[name]]
        lost: list[Told] = []
        for line in sorted(meant[name], key=lambda line: line.said is None):
            fit = next((v for v in left if line.said is None or fits(v, line.said)), None)
            if fit is None:
                lost.append(line)
            else:
                left.remove(fit)
        if left or lost:
            theirs_say = [f"{v.result} {v.reason} {v.rule}" for v in told[name]]
            ours_say = [
                "|".join(sorted(line.said.words)) + " " + "|".join(sorted(line.said.rules)) if line.said else "?"
                for line in meant[name]
            ]
            yield f"{name}: the ruleset {theirs_say}, the second judge {ours_say}"


def differences(position: Position, theirs: Resolution[Position, Any], ours: Judged) -> list[str]:
    """All disagreements between the two judges: the next position, the ending, and the result and rule of each line."""
    found = [*in_table(plain(theirs.position), plain(ours.position))]
    ended = None if theirs.ended is None else (theirs.ended.how, sorted(theirs.ended.winners))
    ending = None if ours.ending is None else (ours.ending.how, sorted(ours.ending.winners))
    if ended != ending:
        found.append(f"ending: the ruleset {ended}, the second judge {ending}")
    return [*found, *of_lines(position, theirs, ours.lines)]


# Positions ------------------------------------------------------------------------------------------------------------


def house_rules(random: Random) -> Settings:
    board = random.choice(["standard"] * 6 + ["two_rivers", "two_rivers", "fleet_rome", "canals", "canals"])
    settings = own_settings(board) if board in OWN_BOARDS else Settings(board=board)
    if random.random() < 0.6:
        chosen: dict[str, Any] = {key: random.choice([*kind]) for key, kind in CHOICES.items() if random.random() < 0.3}
        settings = replace(settings, **chosen)
    centres = len(settings.ground.centres)
    return replace(settings, victory=random.choice([None, None, None, min(4, centres), min(7, centres)]))


def amid(random: Random) -> Position:
    """A position that nobody played, in any phase."""
    settings = house_rules(random)
    board = settings.ground
    ground = ground_of(board)
    powers = [*board.powers]
    units: dict[str, Unit] = {}
    for nobody, data in board.others.items():
        for text in data.units:
            if random.random() < 0.8:
                kind, _, place = text.partition(" ")
                unit = Unit(nobody, kind, place)
                units[unit.province] = unit
    number = random.randint(2, max(4, min(30, len(board.provinces) // 2)))
    units |= {unit.province: unit for unit in crowd(random, ground, powers, units, number)}
    owner = {place: random.choice(powers) for place in sorted(ground.centres) if random.random() < 0.7}
    if random.random() < 0.3:
        few = random.sample(powers, 2)
        owner = {place: power if power in few else random.choice(few) for place, power in owner.items()}
    owner = {place: power for place, power in owner.items() if place not in units or units[place].power in powers}
    phase = random.choice([Phase.MOVEMENT] * 5 + [Phase.RETREATS, Phase.ADJUSTMENTS, Phase.ADJUSTMENTS])
    season = Season.WINTER if phase is Phase.ADJUSTMENTS else random.choice([Season.SPRING, Season.FALL])
    dislodged: list[Dislodged] = []
    if phase is Phase.RETREATS:
        for here in sorted(units):
            if units[here].power in powers and random.random() < 0.4:
                kinds = [kind for kind in "AF" if kind == "F" or here in ground.army]
                kind = random.choice(kinds)
                at = here if kind == "A" else random.choice(ground.places(here) or [""])
                origins = [*sorted(ground.army.get(here, ())), ""]
                if at:
                    origin = random.choice(origins)
                    dislodged.append(
                        Dislodged(
                            power=random.choice(powers),
                            unit=Unit("", kind, at).text(ground),
                            attacked_from=ground.names[origin] if origin else None,
                        )
                    )
        if not dislodged:
            phase = Phase.MOVEMENT
    empty = sorted(place for place in board.provinces if place not in units)
    contested = random.sample(empty, min(3, len(empty))) if dislodged else []
    texts: dict[str, list[str]] = {power: [] for power in powers}
    for unit in units.values():
        texts.setdefault(unit.power, []).append(unit.text(ground))
    centres: dict[str, list[str]] = {power: [] for power in powers}
    for place, power in owner.items():
        centres[power].append(ground.names[place])
    year = board.starts
    for _ in range(random.randint(0, 4)):
        year = board.calendar.after(year)
    return Position(
        year=year,
        season=season,
        phase=phase,
        units={power: tuple(sorted(mine)) for power, mine in texts.items()},
        centres={power: tuple(sorted(mine)) for power, mine in centres.items()},
        dislodged=tuple(dislodged),
        contested=tuple(sorted(ground.names[place] for place in contested)),
        others=tuple(board.others),
        settings=settings,
    )


def units_in(position: Position) -> dict[str, Unit]:
    ground = ground_of(position.settings.ground)
    code = {name: place for place, name in ground.names.items()}
    units = [Unit(power, text[0], code[text[2:]]) for power, texts in position.units.items() for text in texts]
    return {unit.province: unit for unit in units}


def sheets_by_lot(random: Random, position: Position) -> Sheets:
    board = position.settings.ground
    ground = ground_of(board)
    units = units_in(position)
    lot = Lot(random, Field(ground, position.settings, units)) if units else None
    agreed, yielded = random.random() < 0.06, random.choice([*board.powers]) if random.random() < 0.06 else None
    sheets: Sheets = {}
    for power in board.powers:
        if random.random() < 0.03:
            continue
        match position.phase:
            case Phase.MOVEMENT:
                lines = lot.lines(power) if lot is not None else []
            case Phase.RETREATS:
                lines = retreat_lines(random, ground, position.dislodged, power)
            case Phase.ADJUSTMENTS:
                code = {name: place for place, name in ground.names.items()}
                own = {code[name] for name in position.centres.get(power, ())}
                lines = winter_lines(random, ground, units, own, power)
        sheets[power] = Sheet(
            orders=tuple(lines),
            draw=agreed or random.random() < 0.2,
            concede=yielded if yielded is not None and random.random() < 0.97 and yielded != power else None,
        )
    return sheets


# Playing --------------------------------------------------------------------------------------------------------------


@dataclass
class Turn:
    """One turn before both judges."""

    position: Position
    sheets: Sheets
    theirs: Resolution[Position, Any] | None
    """None if the ruleset failed with an error."""
    ours: Judged
    different: list[str]


def both(position: Position, sheets: Sheets) -> Turn:
    """A turn, judged by both."""
    ours = judge(position, sheets)
    try:
        theirs = RULESET.rules.resolve(position, sheets, GivenDice({}))
    except Exception as error:  # noqa: BLE001 - any error is a difference
        return Turn(position, sheets, None, ours, [f"the ruleset broke down: {error!r}"])
    return Turn(position, sheets, theirs, ours, differences(position, theirs, ours))


def play(number: int) -> Iterator[Turn]:
    """One game, from a seed, for a few turns."""
    random = Random(f"judges {number}")
    position = amid(random)
    for _ in range(random.randint(1, 5)):
        turn = both(position, sheets_by_lot(random, position))
        yield turn
        if turn.theirs is None or turn.theirs.ended is not None:
            return
        position = turn.theirs.position


def turns(seed: int, count: int) -> Iterator[Turn]:
    """The first `count` turns, from as many games as needed."""
    return so_many(play, seed, count)


def kind(turn: Turn) -> str:
    return f"{turn.position.settings.board}, {turn.position.phase}"


# Telling --------------------------------------------------------------------------------------------------------------


def smaller(turn: Turn) -> Turn:
    """The same turn with as few lines on its sheets, and as few units, as still divide the judges."""
    position, sheets = turn.position, dict(turn.sheets)

    def told(turn: Turn) -> set[str]:
        """Keys of the differences; only those of lines if there are any, because many things move the same units."""
        keys = {what.partition(": the")[0] for what in turn.different}
        return {key for key in keys if key.startswith("(")} or keys

    tell = told(turn)

    def divides(position: Position, sheets: Sheets) -> bool:
        try:
            return bool(tell & told(both(position, sheets)))
        except Exception:  # noqa: BLE001 - a smaller position must stay valid
            return False

    changed = True
    while changed:
        changed = False
        for power, sheet in [*sheets.items()]:
            for index in range(len(sheet.orders) - 1, -1, -1):
                fewer = replace(sheets[power], orders=sheets[power].orders[:index] + sheets[power].orders[index + 1 :])
                if divides(position, {**sheets, power: fewer}):
                    sheets[power], changed = fewer, True
        for key in ("units", "centres"):
            for power, texts in [*getattr(position, key).items()]:
                for text in texts:
                    table = getattr(position, key)
                    rest = tuple(other for other in table[power] if other != text)
                    fewer_of: dict[str, Any] = {key: {**table, power: rest}}
                    less = replace(position, **fewer_of)
                    if divides(less, sheets):
                        position, changed = less, True
    return both(position, sheets)


def report(turn: Turn) -> str:
    """A difference for people to read: the position, the necessary sheets, and both results."""
    small = smaller(turn)
    rules = small.position.settings
    lines = [f"{key}: {value}" for key, value in plain(small.position).items() if value]
    default = Settings()
    said = {key: str(getattr(rules, key)) for key in (*CHOICES, "board", "victory")}
    lines.append("settings: " + str({k: v for k, v in said.items() if v != str(getattr(default, k))}))
    for power, sheet in sorted(small.sheets.items()):
        if sheet != Sheet():
            lines.append(f"{power}: {[*sheet.orders]} draw {sheet.draw} concede {sheet.concede}")
    lines.append("missing: " + ", ".join(power for power in rules.ground.powers if power not in small.sheets))
    return "\n".join((*lines, *(f"=> {what}" for what in small.different)))
