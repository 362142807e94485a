"""Play Diplomacy before two judges, the ruleset and the second one, and compare their results for each turn.

Positions are random, on boards with and without coasts to choose between, one-way borders and armies of nobody, and
by all settings of the rulebook; orders are drawn so that they interact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from random import Random
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.ruleset import as_shipped
from adjudicator.core.secrets.dice import NamedDice, roll_value
from adjudicator.core.text.yamltext import write
from adjudicator.mechanics.adjustments import DisbandDistance, SurplusOrders
from adjudicator.mechanics.movement.solver import (
    AdjacentConvoys,
    Coasts,
    ConvoyedAttack,
    Disengaged,
    DoubleOrders,
    Impossible,
    MultiRoute,
    SupportCoasts,
    UnitCoast,
    UnitKind,
)
from adjudicator.mechanics.provinces import BuildSites
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    AbsentVotes,
    ConvoyedRetreat,
    Dislodged,
    DrawAmong,
    Draws,
    Phase,
    Position,
    Season,
    Settings,
    Vote,
    Votes,
    furnish,
)
from tests.judges.diplomacy import Fact, Judged, Told, judge
from tests.judges.games import so_many
from tests.judges.moves import Field, Said, Unit, ground_of, reader_of
from tests.judges.war_lot import Lot, crowd, muddled, retreat_lines, winter_lines

Sheets = dict[str, Sheet]
CHOICES: Mapping[str, type[StrEnum]] = {
    "adjacent_convoys": AdjacentConvoys, "multi_route": MultiRoute, "convoyed_attack": ConvoyedAttack,
    "disengaged": Disengaged, "coasts": Coasts, "impossible": Impossible, "support_coasts": SupportCoasts,
    "unit_coast": UnitCoast, "convoyed_retreat": ConvoyedRetreat, "surplus_orders": SurplusOrders,
    "disband_distance": DisbandDistance, "draws": Draws, "absent_votes": AbsentVotes, "build_sites": BuildSites,
    "unit_kind": UnitKind, "double_orders": DoubleOrders, "draw_among": DrawAmong, "votes": Votes,
}  # fmt: skip
OWN_BOARDS: Mapping[str, Mapping[str, Any]] = {
    "canals": {  # fleets convoy from some coasts; some ways are one-way; the game is short
        "extends": "standard", "victory": 5,
        "win": {"lead": 2, "years": 4, "hold": ["PAR", "BER", "MUN", "LON"], "least": 3},
        "provinces": {"KIE": {"convoys": True}, "CON": {"convoys": True}, "DEN": {"convoys": True}, "SWI": {"name": "Switzerland", "kind": "inland"}},
        "borders": {"army": ["SWI PIE"], "one_way": {"army": ["SWI BUR", "MUN SWI", "NAF SPA"], "fleet": ["MAO TYS", "NTH BAL"], "both": ["DEN BER"]}},
    },
    "falls": {"extends": "standard", "victory": 4, "win": {"held": 3, "lead": 1}},  # the number must be kept for some falls
    "twice": {"extends": "standard", "victory": 5, "win": {"held": 2, "hold": ["PAR", "BER", "MUN", "LON"], "least": 3}},
    "allies": {  # victories are shared, by the number or by centres that win
        "extends": "standard", "victory": 5,
        "win": {"held": 2, "shared": True, "years": 6, "hold": ["PAR", "BER", "MUN", "LON", "BRE", "VIE"], "least": 3},
    },
    "rivers": {"extends": "two_rivers", "victory": 3, "win": {"shared": True, "hold": ["NIN", "BAB"]}},
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
        "claims": {power: falls for power, falls in sorted(position.claims.items()) if falls},
        "votes": {power: str(vote) for power, vote in sorted(position.votes.items())},
    }


def in_table(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    for key in one:
        here, there = one[key], other[key]
        if isinstance(here, dict):
            same = {name for name in here if here[name] == there.get(name)}
            here, there = ({name: what for name, what in t.items() if name not in same} for t in (here, there))
        if here != there:
            yield f"{key}: the ruleset {here}, the second judge {there}"


def facts(theirs: Resolution[Position, Any]) -> list[Fact]:
    """Events of units removed for lack of orders, of votes and of the end."""
    told: list[Fact] = []
    for event in theirs.events:
        match event.event:
            case "dissolved":
                told.append((event.event, event.power, event.unit, event.distance))
            case "voted-among":
                told.append((event.event, event.among, event.powers, event.needed))
            case "voted":
                told.append((event.event, event.powers, event.needed))
            case "conceded":
                told.append((event.event, event.to, event.powers, event.needed))
            case "won":
                told.append((event.event, event.power, event.centres))
            case "drawn":
                told.append((event.event, event.powers))
            case _:
                pass
    return told


def fits(verdict: Any, what: Said) -> bool:
    rules = what.rules
    return verdict.result in what.words and (not rules or verdict.rule in rules)


def of_lines(position: Position, theirs: Resolution[Any, Any], lines: list[Told]) -> Iterator[str]:
    """Wrong verdicts. Coasts and kinds that a line left out may be written out."""
    reader = reader_of(position.settings.ground)

    def key(seat: str, text: str) -> tuple[object, ...]:
        order = reader.read(text)
        if order is None and " R " in text:  # in a turn of moves
            order = reader.read(text.replace(" R ", " - "))
            return (seat, "R", order.unit.province, order.to) if order is not None else (seat, text)
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
    ended = None if theirs.ended is None else (theirs.ended.how, theirs.ended.winners)
    ending = None if ours.ending is None else (ours.ending.how, ours.ending.winners)
    if ended != ending:
        found.append(f"ending: the ruleset {ended}, the second judge {ending}")
    elif theirs.ended is not None and ours.ending is not None and theirs.ended.rule not in ours.ending.rules:
        rules = "|".join(sorted(ours.ending.rules))
        found.append(f"rule of the ending: the ruleset {theirs.ended.rule}, the second judge {rules}")
    if facts(theirs) != ours.told:
        found.append(f"facts: the ruleset {facts(theirs)}, the second judge {ours.told}")
    return [*found, *of_lines(position, theirs, ours.lines)]


# Positions ------------------------------------------------------------------------------------------------------------


def house_rules(random: Random) -> Settings:
    board = random.choice(["standard"] * 6 + ["two_rivers", "two_rivers", "fleet_rome", "canals", *OWN_BOARDS])
    settings = own_settings(board) if board in OWN_BOARDS else Settings(board=board)
    if random.random() < 0.6:
        chance = random.choice([0.2, 0.5])
        chosen: dict[str, Any] = {
            key: random.choice([*kind]) for key, kind in CHOICES.items() if random.random() < chance
        }
        settings = replace(settings, **chosen)
        settings = replace(settings, concede_least=random.choice([None, None, None, 1, 3, 5]))
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
        claims=claims_by_lot(random, settings),
        votes=kept_by_lot(random, settings),
        settings=settings,
    )


def kept_by_lot(random: Random, settings: Settings) -> dict[str, Vote]:
    """Votes that were kept, some of powers that are gone."""
    powers = sorted(settings.ground.powers)
    if settings.votes != "kept" or random.random() < 0.2:
        return {}
    agreed, to = random.random() < 0.4, random.choice([None, random.choice(powers)])
    among = tuple(sorted(random.sample(powers, 2))) if random.random() < 0.3 else ()
    votes = {}
    for power in powers:
        if random.random() < 0.85:
            draw = agreed or random.random() < 0.2
            votes[power] = Vote(draw=draw, among=among, concede=to if to != power else None)
    return {power: vote for power, vote in votes.items() if vote != Vote()}


def claims_by_lot(random: Random, settings: Settings) -> dict[str, int]:
    """Falls with the number of centres, even for powers that have lost it since."""
    falls = settings.ground.win.held
    if falls is None:
        return {}
    return {power: random.randint(1, falls) for power in settings.ground.powers if random.random() < 0.6}


def units_in(position: Position) -> dict[str, Unit]:
    ground = ground_of(position.settings.ground)
    code = {name: place for place, name in ground.names.items()}
    units = [Unit(power, text[0], code[text[2:]]) for power, texts in position.units.items() for text in texts]
    return {unit.province: unit for unit in units}


def some_of(random: Random, position: Position) -> tuple[str, ...]:
    """Powers to name for a draw; often weak ones, or those that are gone."""
    powers = sorted(position.settings.ground.powers)
    has = {power: len(position.units.get(power, ())) + len(position.centres.get(power, ())) for power in powers}
    if random.random() < 0.5:
        powers.sort(key=lambda power: (has[power] + random.random()) * (1 + random.random()))
    else:
        random.shuffle(powers)
    return tuple(powers[: random.choice([1, 2, 2, 3, len(powers)])])


def votes_by_lot(random: Random, position: Position) -> dict[str, dict[str, Any]]:
    """Each power's votes for an end: often for the same one, sometimes for another, or none."""
    powers = [*position.settings.ground.powers]
    named = position.settings.draw_among is DrawAmong.NAMED
    agreed, yielded = random.random() < 0.06, random.choice(powers) if random.random() < 0.1 else None
    proposed = some_of(random, position) if random.random() < (0.5 if named else 0.05) else None
    divided = random.random() < 0.5
    votes: dict[str, dict[str, Any]] = {}
    for power in powers:
        them = proposed
        if them is not None and divided and random.random() < 0.3:
            them = random.choice([None, some_of(random, position)])
        to = yielded if random.random() < (0.97 if random.random() < 0.7 else 0.6) else None
        to = random.choice(powers) if random.random() < 0.02 else to
        votes[power] = {
            "draw": agreed or random.random() < 0.2,
            "among": tuple(random.sample(them, len(them))) if them is not None else (),
            "concede": to if to != power else None,
        }
    return votes


def sheets_by_lot(random: Random, position: Position) -> Sheets:
    board, settings = position.settings.ground, position.settings
    ground = ground_of(board)
    units = units_in(position)
    code = {name: place for place, name in ground.names.items()}
    can = units
    if position.phase is Phase.RETREATS:
        lost = [Unit(gone.power, gone.unit[0], code[gone.unit[2:]]) for gone in position.dislodged]
        can = {unit.province: unit for unit in lost}
    lot, other = (Lot(random, Field(ground, settings, units)) if units else None for _ in range(2))
    votes = votes_by_lot(random, position)
    muddle = random.choice([0, 0, 0.1, 0.3])
    sheets: Sheets = {}
    for power in board.powers:
        if random.random() < 0.03:
            continue
        match position.phase:
            case Phase.MOVEMENT:
                lines = lot.lines(power) if lot is not None else []
                more = other.lines(power) if other is not None else []
            case Phase.RETREATS:
                lines, more = (retreat_lines(random, ground, position.dislodged, power) for _ in range(2))
            case Phase.ADJUSTMENTS:
                own = {code[name] for name in position.centres.get(power, ())}
                lines, more = winter_lines(random, ground, units, own, power), []
        if muddle:
            lines = muddled(random, ground, can, lines, more, muddle, moves=position.phase is Phase.MOVEMENT)
        said = votes[power]
        if settings.votes == "kept" and random.random() < 0.7:  # mostly the vote stays as it is
            said = {"draw": random.choice([None, None, None, False])}
        sheets[power] = Sheet(orders=tuple(lines[:100]), **said)
    return sheets


# Playing --------------------------------------------------------------------------------------------------------------


KEY = b"judges"
"""The key of the dice that both judges roll."""


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
    ours = judge(position, sheets, partial(roll_value, KEY))
    try:
        theirs = RULESET.rules.resolve(position, sheets, NamedDice(KEY))
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
    said = {key: str(getattr(rules, key)) for key in (*CHOICES, "board", "victory", "concede_least")}
    lines.append("settings: " + str({k: v for k, v in said.items() if v != str(getattr(default, k))}))
    for power, sheet in sorted(small.sheets.items()):
        if sheet != Sheet():
            lines.append(f"{power}: {[*sheet.orders]} draw {sheet.draw} among {sheet.among} concede {sheet.concede}")
    lines.append("missing: " + ", ".join(power for power in rules.ground.powers if power not in small.sheets))
    return "\n".join((*lines, *(f"=> {what}" for what in small.different)))
