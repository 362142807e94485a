"""Play Al-Andalus before two judges, the ruleset and the second one, and compare their results for each turn.

Most positions are random, with and without generals, and are played for a few turns with random sheets: wazirs and princes
who
agree and who do not, orders for one unit from both, arrests, plunder and silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.rulesets.al_andalus import RULESET
from adjudicator.rulesets.al_andalus.orders import AnySheet, Fate, PrinceSheet, WazirSheet
from adjudicator.rulesets.al_andalus.position import WAZIRS, Command, Conquest, Position, Settings, WazirSolo
from adjudicator.rulesets.diplomacy.position import Dislodged, Phase, Season
from adjudicator.rulesets.diplomacy.position import Position as War
from tests.judges.al_andalus import Fact, Judged, judge
from tests.judges.diplomacy_turns import in_table, of_lines, units_in
from tests.judges.diplomacy_turns import plain as plain_war
from tests.judges.games import so_many
from tests.judges.moves import Field, Named, Order, Unit, ground_of
from tests.judges.war_lot import Lot, crowd, retreat_lines, winter_lines, written

Sheets = dict[str, AnySheet]
FROM_START = 8
"""One game in this many begins as games do."""


# Comparing ------------------------------------------------------------------------------------------------------------


def plain(position: Position) -> dict[str, Any]:
    """A position in a form to compare; 0 and empty values are left out."""
    war = plain_war(position.war)
    return {
        **war,
        "courts": dict(position.courts),
        "purses": {wazir: dinars for wazir, dinars in position.purses.items() if dinars},
        "treasuries": {prince: dinars for prince, dinars in position.treasuries.items() if dinars},
        "generals": {wazir: (general.unit, sorted(general.land)) for wazir, general in position.generals.items()},
        "executed": sorted(position.executed),
        "conquests": sorted((conquest.wazir, conquest.conqueror) for conquest in position.conquests),
        "votes": sorted(position.votes),
        "missed": {  # only of those who are in the game (AA-I-7)
            seat: count
            for seat, count in position.missed.items()
            if count and (seat in living(position) if seat not in WAZIRS else seat not in position.executed)
        },
        "heirs": {prince: heir for prince, heir in position.heirs.items() if prince in living(position)},
    }


def facts(theirs: Resolution[Position, Any]) -> Counter[Fact]:
    """Facts of a turn that the next position does not show."""
    told: Counter[Fact] = Counter()
    for event in theirs.events:
        match event.event:
            case "paid":
                told["paid", event.wazir, event.prince, event.dinars] += 1
            case "plundered":
                told["plundered", event.wazir, event.prince, event.dinars] += 1
            case "arrested":
                told["arrested", event.prince, event.taken] += 1
            case "hired":
                told["hired", event.wazir, event.prince, event.dinars] += 1
            case "held_back":
                told["held back", event.prince, event.unit, event.distance] += 1
            case "court_fell":
                told["court fell", event.prince, event.wazir, event.conqueror or ""] += 1
            case "command_ended":
                told["command ended", event.wazir, event.why] += 1
            case "treasury_lost":
                told["treasury lost", event.prince, event.dinars] += 1
            case "ascended":
                told["ascended", event.wazir, event.prince, event.dinars] += 1
            case _:
                pass
    return told


def differences(position: Position, theirs: Resolution[Position, Any], ours: Judged) -> list[str]:
    """All disagreements between the two judges: position, ending, facts, and the result and rule of each line."""
    one, other = plain(theirs.position), plain(ours.position)
    found: list[str] = []
    for key in one:
        here, there = one[key], other[key]
        if isinstance(here, dict) and set(here) != set(there):
            here = {**dict.fromkeys(there), **here}
            there = {**dict.fromkeys(here), **there}
        found += in_table({key: here}, {key: there})
    ended = None if theirs.ended is None else (theirs.ended.how, theirs.ended.winners)
    ending = None if ours.ending is None else (ours.ending.how, ours.ending.winners)
    if ended != ending:
        found.append(f"ending: the ruleset {ended}, the second judge {ending}")
    one_says, other_says = facts(theirs), ours.facts
    if one_says != other_says:
        only, missing = sorted(map(str, one_says - other_says)), sorted(map(str, other_says - one_says))
        found.append(f"facts: the ruleset {only}, the second judge {missing}")
    return [*found, *of_lines(position.war, theirs, ours.lines)]


# Positions ------------------------------------------------------------------------------------------------------------


def house_rules(random: Random) -> Settings:
    return Settings(
        generals=random.random() < 0.65,
        victory=random.choice([None, None, 4, 6, 9]),
        wazir_solo=random.choice([*WazirSolo]),
        wazir_solo_ends_game=random.random() < 0.3,
    )


def amid(random: Random) -> Position:
    """A position in the middle of a game that nobody played."""
    settings = house_rules(random)
    board = settings.war.ground
    ground = ground_of(board)
    princes = [power for power in board.powers if power not in WAZIRS]
    few = random.sample(princes, random.choice([2, 3, 4, 5, 5]))
    units = {unit.province: unit for unit in crowd(random, ground, few, (), random.randint(3, 22))}
    owner = {place: random.choice(few) for place in sorted(ground.centres) if random.random() < 0.75}
    if random.random() < 0.5:  # courts that may fall
        poor = random.choice(few)
        mine = [place for place, power in owner.items() if power == poor]
        for place in mine[1:]:
            owner[place] = random.choice(few)
        if random.random() < 0.6:  # at once, to one or to two
            takers = random.sample(
                [power for power in few if power != poor], min(len(few) - 1, random.choice([1, 1, 2]))
            )
            for place in (place for place, power in owner.items() if power == poor):
                kind = "A" if place in ground.army else "F"
                units[place] = Unit(random.choice(takers), kind, place)
    executed = [wazir for wazir in WAZIRS if random.random() < 0.06]
    wazirs = [wazir for wazir in WAZIRS if wazir not in executed]
    phase = random.choice([Phase.MOVEMENT] * 6 + [Phase.RETREATS, Phase.ADJUSTMENTS, Phase.ADJUSTMENTS])
    season = Season.WINTER if phase is Phase.ADJUSTMENTS else random.choice([Season.SPRING, Season.FALL, Season.FALL])
    conquests: list[Conquest] = []
    courts: dict[str, str] = {}
    open_courts = [prince for prince in few if prince in {*owner.values(), *(unit.power for unit in units.values())}]
    random.shuffle(open_courts)
    reign = [*open_courts]
    for wazir in wazirs:
        if phase is Phase.ADJUSTMENTS and reign and random.random() < 0.3:
            conquests.append(Conquest(wazir=wazir, conqueror=random.choice(reign)))
        elif open_courts and random.random() < 0.75:
            courts[wazir] = open_courts.pop()
    generals: dict[str, Command] = {}
    if settings.generals:
        for wazir in wazirs:
            if any(conquest.wazir == wazir for conquest in conquests) or random.random() < 0.35:
                continue
            prince = courts.get(wazir)
            mine_units = sorted(here for here, unit in units.items() if unit.power == (prince or random.choice(few)))
            if not mine_units:
                continue
            here = random.choice(mine_units)
            if any(general.unit == units[here].text(ground) for general in generals.values()):
                continue
            theirs = sorted(place for place, power in owner.items() if power == (prince or random.choice(few)))
            land = random.sample(theirs, min(len(theirs), random.choice([0, 1, 1, 2, 3])))
            if prince is None:
                units[here] = replace(units[here], power=wazir)
                owner |= dict.fromkeys(land, wazir)
            generals[wazir] = Command(
                unit=units[here].text(ground), land=tuple(sorted(ground.names[place] for place in land))
            )
    generals = {  # one general may have taken land that another took first
        wazir: replace(
            general,
            land=tuple(
                name for name in general.land if owner[place_of(ground.names, name)] == courts.get(wazir, wazir)
            ),
        )
        for wazir, general in generals.items()
    }
    dislodged: list[Dislodged] = []
    if phase is Phase.RETREATS:
        for here in sorted(units):
            unit = units[here]
            if random.random() < 0.4 and (
                unit.text(ground) not in {g.unit for g in generals.values()} or random.random() < 0.9
            ):
                near = sorted(ground.army.get(here, ()))
                dislodged.append(
                    Dislodged(
                        power=unit.power,
                        unit=unit.text(ground),
                        attacked_from=ground.names[random.choice(near)] if near and random.random() < 0.8 else None,
                    )
                )
                rivals = [power for power in few if power != unit.power]
                units[here] = replace(unit, power=random.choice(rivals))
        if not dislodged:
            phase = Phase.MOVEMENT
    texts: dict[str, list[str]] = {power: [] for power in board.powers}
    for unit in units.values():
        texts[unit.power].append(unit.text(ground))
    centres: dict[str, list[str]] = {power: [] for power in board.powers}
    for place, power in owner.items():
        centres[power].append(ground.names[place])
    empty = sorted(place for place in board.provinces if place not in units)
    contested = random.sample(empty, min(3, len(empty))) if dislodged else []
    alive = [power for power in princes if texts[power] or centres[power] or any(d.power == power for d in dislodged)]
    courts = {wazir: prince for wazir, prince in courts.items() if prince in alive}
    free = [
        wazir
        for wazir in wazirs
        if wazir not in courts and wazir not in generals and all(c.wazir != wazir for c in conquests)
    ]
    silent: dict[str, str] = {}
    for prince in alive:
        if free and prince not in courts.values() and random.random() < 0.25:
            silent[prince] = free.pop()
    return Position(
        war=War(
            year=1080 + random.randint(0, 9),
            season=season,
            phase=phase,
            units={power: tuple(sorted(mine)) for power, mine in texts.items()},
            centres={power: tuple(sorted(mine)) for power, mine in centres.items()},
            dislodged=tuple(dislodged),
            contested=tuple(sorted(ground.names[place] for place in contested)),
            settings=settings.war,
        ),
        courts=courts,
        purses={wazir: random.choice([0, 1, 2, 3, 7, 12, 15, 20, 30]) for wazir in wazirs},
        treasuries={prince: random.choice([0, 0, 1, 4]) if prince in alive else 0 for prince in princes},
        generals={
            wazir: general
            for wazir, general in generals.items()
            if wazir not in WAZIRS or courts.get(wazir, wazir) in (*alive, wazir)
        },
        executed=tuple(executed),
        conquests=tuple(conquests),
        votes=tuple(prince for prince in alive if random.random() < 0.3),
        missed={seat: random.randint(1, 3) for seat in (*alive, *wazirs) if random.random() < 0.15 or seat in silent},
        heirs=silent,
        settings=settings,
    )


def place_of(names: Mapping[str, str], name: str) -> str:
    return next(place for place, called in names.items() if called == name)


def living(position: Position) -> set[str]:
    """All who have a unit or a centre."""
    war = position.war
    have = {power for table in (war.units, war.centres) for power, things in table.items() if things}
    return have | {lost.power for lost in war.dislodged}


# Sheets ---------------------------------------------------------------------------------------------------------------


class Lots:
    """All sheets of a turn, drawn so that they interact."""

    def __init__(self, random: Random, position: Position) -> None:
        self.random, self.position = random, position
        self.board = position.settings.war.ground
        self.ground = ground_of(self.board)
        self.units = units_in(position.war)
        self.lot = Lot(random, Field(self.ground, position.war.settings, self.units)) if self.units else None
        self.princes = [power for power in self.board.powers if power not in WAZIRS]
        self.wants: dict[str, str] = {}
        """Wazir -> the prince who has agreed with them."""
        self.served = {prince: wazir for wazir, prince in position.courts.items()}
        if random.random() < 0.75:
            wazirs, princes = [*WAZIRS], [*self.princes]
            random.shuffle(wazirs)
            random.shuffle(princes)
            self.wants = dict(zip(wazirs, princes, strict=False))
            if random.random() < 0.4:  # a ring
                courts = [*position.courts]
                self.wants |= {one: position.courts[courts[i - 1]] for i, one in enumerate(courts) if len(courts) > 1}
        self.bold = random.random() < 0.4
        """Princes use all their units."""
        self.agreed = random.random() < 0.06

    def write(self, order: Order) -> str:
        return written(self.random, self.ground, order)

    def prince(self, prince: str) -> PrinceSheet:
        random, here = self.random, self.position
        orders: list[str] = []
        match here.war.phase:
            case Phase.MOVEMENT:
                if self.lot is not None:
                    orders = self.lot.lines(prince)
                    mine = [unit for unit in self.units.values() if unit.power == prince]
                    if self.bold:
                        orders = [self.write(self.used(unit)) for unit in mine]
                    elif random.random() < 0.4:
                        orders = [self.write(Order(Named(unit.kind, unit.province), "H")) for unit in mine]
                    elif random.random() < 0.7:
                        orders = [line for line in orders if random.random() < 0.8]
            case Phase.RETREATS:
                orders = retreat_lines(random, self.ground, here.war.dislodged, prince)
            case Phase.ADJUSTMENTS:
                code = {name: place for place, name in self.ground.names.items()}
                own = {code[name] for name in here.war.centres.get(prince, ())}
                orders = winter_lines(random, self.ground, self.units, own, prince)
        moving = here.war.phase is Phase.MOVEMENT
        agreed = [wazir for wazir, court in self.wants.items() if court == prince]
        hire = (
            agreed[0]
            if agreed and random.random() < 0.85
            else random.choice(WAZIRS)
            if random.random() < 0.08
            else None
        )
        appoint = None
        if random.random() < (0.35 if here.settings.generals and prince in self.served else 0.03) and self.units:
            texts = [
                unit.text(self.ground) for unit in self.units.values() if unit.power == prince or random.random() < 0.02
            ]
            appoint = random.choice(texts) if texts else None
        fate: dict[str, Fate] = {}
        for conquest in here.conquests:
            if (conquest.conqueror == prince and random.random() < 0.8) or random.random() < 0.05:
                fate[conquest.wazir] = random.choice([*Fate])
        return PrinceSheet(
            orders=tuple(orders),
            hire=hire if moving or random.random() < 0.1 else None,
            arrest=random.random() < 0.12 if moving else random.random() < 0.03,
            appoint=appoint if moving or random.random() < 0.1 else None,
            fate=fate,
            draw=True if self.agreed else random.choice([None, None, None, None, True, False]),
        )

    def used(self, unit: Unit) -> Order:
        """The unit's plan; a move if the plan is to hold."""
        assert self.lot is not None
        order = self.lot.plans[unit.province]
        reach = sorted(self.ground.reach(unit.kind, unit.place))
        return order if order.does != "H" or not reach else self.lot.move(unit, self.random.choice(reach))

    def wazir_order(self, wazir: str) -> str | None:
        random, here = self.random, self.position
        if random.random() < 0.2:
            return None
        general = here.generals.get(wazir)
        prince = here.courts.get(wazir)
        if here.war.phase is Phase.RETREATS:
            lost = [d for d in here.war.dislodged if general is not None and d.unit == general.unit]
            lines = retreat_lines(random, self.ground, lost or here.war.dislodged, lost[0].power if lost else "")
            return random.choice(lines) if lines else None
        if here.war.phase is Phase.ADJUSTMENTS or self.lot is None:
            lines = winter_lines(random, self.ground, self.units, (), prince or wazir)
            return random.choice(lines) if lines and random.random() < 0.2 else None
        mine = [unit for unit in self.units.values() if unit.power == (prince or wazir)]
        if general is not None and random.random() < 0.9:
            mine = [unit for unit in mine if unit.text(self.ground) == general.unit] or mine
        if not mine or random.random() < 0.04:
            mine = [*self.units.values()]
        unit = random.choice(mine)
        chance = random.random()
        if chance < 0.15:
            return self.write(Order(Named(unit.kind, unit.province), "H"))
        if chance < 0.25:
            return self.write(self.lot.perverse(unit))
        if chance < 0.55:
            return self.write(self.used(unit))
        return self.write(self.lot.plans[unit.province])

    def wazir(self, wazir: str) -> WazirSheet:
        random, here = self.random, self.position
        moving = here.war.phase is Phase.MOVEMENT
        court = self.wants.get(wazir) if random.random() < 0.85 else None
        if court is None and random.random() < 0.1:
            court = random.choice(self.princes)
        if (wazir in here.generals and random.random() < 0.25) or random.random() < 0.02:
            court = "free"
        odd = 1.0 if moving else 0.1
        silent = here.missed.get(here.courts.get(wazir, ""), 0) >= 2 or wazir in here.heirs.values()
        return WazirSheet(
            court=court if random.random() < odd else None,
            order=self.wazir_order(wazir),
            plunder=random.random() < 0.15 * odd,
            refuse=random.random() < 0.1 * odd,
            resign=random.random() < (0.12 if wazir in here.generals else 0.02) * odd,
            throne=random.random() < (0.5 if silent else 0.02) * odd,
        )

    def sheets(self) -> Sheets:
        random = self.random
        asleep = random.choice([0.03, 0.03, 0.1, 0.4])
        gone = {prince for prince, count in self.position.missed.items() if count >= 2 and random.random() < 0.7}
        sheets: Sheets = {}
        for seat in (*self.princes, *WAZIRS):
            if seat not in WAZIRS and seat not in living(self.position):
                continue
            if random.random() < asleep or seat in gone or seat in self.position.executed:
                continue
            sheets[seat] = self.wazir(seat) if seat in WAZIRS else self.prince(seat)
        order = [*sheets]
        random.shuffle(order)
        return {seat: sheets[seat] for seat in order}


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
    midst = number % FROM_START != 0
    position = amid(random) if midst else RULESET.rules.setup(house_rules(random), GivenDice({}))
    for _ in range(random.randint(1, 6) if midst else 20):
        turn = both(position, Lots(random, position).sheets())
        yield turn
        if turn.theirs is None or turn.theirs.ended is not None:
            return
        position = turn.theirs.position


def turns(seed: int, count: int) -> Iterator[Turn]:
    """The first `count` turns, from as many games as needed."""
    return so_many(play, seed, count)


def kind(turn: Turn) -> str:
    return f"{turn.position.war.phase}, " + ("generals" if turn.position.settings.generals else "no generals")


# Telling --------------------------------------------------------------------------------------------------------------


def shorter(sheet: AnySheet) -> Iterator[AnySheet]:
    """The sheet with one thing less on it, for each thing."""
    empty = type(sheet)()
    for key in ("hire", "arrest", "appoint", "fate", "draw", "court", "order", "plunder", "refuse", "resign", "throne"):
        if hasattr(sheet, key) and getattr(sheet, key) != getattr(empty, key):
            less: dict[str, Any] = {key: getattr(empty, key)}
            yield replace(sheet, **less)
    if isinstance(sheet, PrinceSheet):
        for index in range(len(sheet.orders)):
            yield replace(sheet, orders=sheet.orders[:index] + sheet.orders[index + 1 :])


def owns_land(position: Position) -> bool:
    """True if each general's land belongs to them, or to the prince they serve."""
    centres = position.war.centres
    return all(
        {*general.land} <= {*centres.get(position.courts.get(wazir, wazir), ())}
        for wazir, general in position.generals.items()
    )


def smaller(turn: Turn) -> Turn:
    """The same turn with as few lines on its sheets, and as few units, as still divide the judges."""
    position, sheets = turn.position, dict(turn.sheets)
    tell = {what.partition(":")[0] for what in turn.different}

    def divides(position: Position, sheets: Sheets) -> bool:
        try:
            if living(position) != living(turn.position):
                return False
            if [*RULESET.rules.faults(position)] or not owns_land(position):
                return False
            return bool(tell & {what.partition(":")[0] for what in both(position, sheets).different})
        except Exception:  # noqa: BLE001 - a smaller position must stay valid
            return False

    changed = True
    while changed:
        changed = False
        for seat in [*sheets]:
            for less in shorter(sheets[seat]):
                if divides(position, {**sheets, seat: less}):
                    sheets[seat], changed = less, True
                    break
        for key in ("units", "centres"):
            for power, texts in [*getattr(position.war, key).items()]:
                for text in texts:
                    table = getattr(position.war, key)
                    rest = tuple(other for other in table[power] if other != text)
                    fewer: dict[str, Any] = {key: {**table, power: rest}}
                    small = replace(position, war=replace(position.war, **fewer))
                    if divides(small, sheets):
                        position, changed = small, True
    return both(position, sheets)


def report(turn: Turn) -> str:
    """A difference for people to read: the position, the necessary sheets, and both results."""
    small = smaller(turn)
    rules = small.position.settings
    lines = [f"{key}: {value}" for key, value in plain(small.position).items() if value]
    lines.append(
        f"settings: generals {rules.generals}, victory {rules.victory}, {rules.wazir_solo}, ends {rules.wazir_solo_ends_game}"
    )
    for seat, sheet in sorted(small.sheets.items()):
        empty = type(sheet)()
        keys = (
            "orders",
            "hire",
            "arrest",
            "appoint",
            "fate",
            "draw",
            "court",
            "order",
            "plunder",
            "refuse",
            "resign",
            "throne",
        )
        said = {key: getattr(sheet, key) for key in keys if hasattr(sheet, key)}
        lines.append(f"{seat}: { ({key: value for key, value in said.items() if value != getattr(empty, key)}) }")
    return "\n".join((*lines, *(f"=> {what}" for what in small.different)))
