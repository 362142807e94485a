"""Play Saga of the Nine before two judges, the ruleset and the second one, and compare their results for each turn.

Half of all sheets are stand-ins', half are random: legal, illegal and perverse lines, with plans that several
Majors share (a wedding, a convoy, an attack and its supports), so that some succeed. Some games begin as
games do and are played to their end; most begin in the middle of one that nobody played, with Thralls, Vassals and
land of nobody, and last a few turns.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.jobs.stand_in import chance_of
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import RULESET
from adjudicator.rulesets.saga_of_the_nine.orders import Sheet
from adjudicator.rulesets.saga_of_the_nine.position import Phase, Position, Season, Settings, Vassal
from adjudicator.rulesets.saga_of_the_nine.worth import write
from tests.judges.games import so_many
from tests.judges.saga import Fact, Judged, Words, judge
from tests.judges.war import World, world_of

Sheets = dict[str, Sheet]
FROM_START = 6
"""One game in this many begins as games do."""
MISSPELT = (
    "", "Asgard", "A Xyzzy H", "A Asgard - Xyzzy", "Heir Loki Marry Permyak", "Heir Aesir Marry Xyzzy", "Build Xyzzy",
    "0 DP to F Permyak H", "DP to F Permyak H", "Frobnicate", "A Asgard S", "A Asgard jumps Kvenland", "Waive vXX",
)  # fmt: skip
NAMES = ("Bifrost", "Ratatosk", "Sleipnir", "Permyak", "Aesir", "vAD", "vJJ", "Aegir")


# Comparing ------------------------------------------------------------------------------------------------------------


def plain(position: Position) -> dict[str, Any]:
    """A position in a form to compare: lists without a prescribed order are sorted, and empty values are left out."""

    def grouped(table: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
        return {power: sorted(table[power]) for power in sorted(table) if table[power]}

    return {
        "turn": f"{position.season} {position.cycle}, {position.phase}",
        "units": grouped(position.units),
        "centres": grouped(position.centres),
        "dislodged": sorted((lost.power, lost.unit, lost.attacked_from or "") for lost in position.dislodged),
        "contested": sorted(position.contested),
        "heirs": sorted(position.heirs),
        "built": dict(sorted(position.built.items())),
        "thralls": dict(sorted(position.thralls.items())),
        "vassals": {name: (v.giver, v.receiver, v.capital, v.born) for name, v in sorted(position.vassals.items())},
        "betrothed": sorted((pair.giver, pair.receiver, pair.at) for pair in position.betrothed),
        "eliminated": dict(sorted(position.eliminated.items())),
        "votes": sorted(position.votes),
        "missed": dict(sorted(position.missed.items())),
    }


def facts(theirs: Resolution[Position, Any]) -> Counter[Fact]:
    """Facts of a turn that the next position does not show: sums of bids, deaths of heirs, places in a draw."""
    said: Counter[Fact] = Counter()
    for event in theirs.events:
        match event.event:
            case "decided":
                totals = sorted((bid.total for bid in event.bids), reverse=True)
                said["decided", event.unit, *totals] += 1
            case "heir_killed":
                said["killed", event.major, event.at, event.by] += 1
            case "shared":
                for place in event.places:
                    said["placed", place.power] += 1
            case _:
                pass
    return said


def fit(told: list[str], meant: list[Words]) -> bool:
    """True if the results of equal lines are as expected; if several words will do, the first that is left is used."""
    left = [*told]
    for words in sorted(meant, key=lambda words: len(words) or 99):
        word = next((word for word in left if word in words or not words), None)
        if word is None:
            return False
        left.remove(word)
    return not left


def differences(position: Position, theirs: Resolution[Position, Any], ours: Judged) -> list[str]:
    """Disagreements between the two judges: the next position, the ending, and the result of each line."""

    def same_line(line: str) -> str:
        """The line as both judges write it: the rules do not say if a bride's kind or the way of a retreat is printed."""
        line = re.sub("Marry [AF] ", "Marry ", line)
        return line.removesuffix(" via convoy") if position.phase is Phase.RETREATS else line

    found: list[str] = []
    one, other = plain(theirs.position), plain(ours.position)
    for key in one:
        here, there = one[key], other[key]
        if isinstance(here, dict):  # only the differences in it
            both_have = {power for power in here if here[power] == there.get(power)}
            here, there = ({p: what for p, what in t.items() if p not in both_have} for t in (here, there))
        if here != there:
            found.append(f"{key}: the ruleset {here}, the second judge {there}")
    ended = None if theirs.ended is None else (theirs.ended.how, sorted(theirs.ended.winners))
    ending = None if ours.ending is None else (ours.ending.how, sorted(ours.ending.winners))
    if ended != ending:
        found.append(f"ending: the ruleset {ended}, the second judge {ending}")
    one_says, other_says = facts(theirs), ours.facts
    if one_says != other_says:
        only, missing = sorted(map(str, one_says - other_says)), sorted(map(str, other_says - one_says))
        found.append(f"facts: the ruleset {only}, the second judge {missing}")
    placed = [place for event in theirs.events if event.event == "shared" for place in event.places]
    for place in (place for place in placed if place.place != ours.places.get(place.power)):
        found += [f"place {place.place} of {place.power}: the second judge {ours.places}"]
    told: dict[tuple[str, str], list[str]] = defaultdict(list)
    for verdict in theirs.verdicts:
        if not verdict.implied:
            told[verdict.seat, same_line(verdict.order)].append(verdict.result)
    meant: dict[tuple[str, str], list[Words]] = defaultdict(list)
    for seat, line, words in ours.words:
        meant[seat, same_line(line)].append(words)
    for seat, line in sorted({*told, *meant}):
        if not fit(told[seat, line], meant[seat, line]):
            results = [" or ".join(sorted(words)) or "any word" for words in meant[seat, line]]
            found.append(f"{seat}, {line!r}: the ruleset {told[seat, line]}, the second judge {results}")
    return found


# Positions ------------------------------------------------------------------------------------------------------------


def house_rules(random: Random) -> Settings:
    return Settings(
        cycles=random.choice([0, 3, 5, 9, 11]),
        victory=random.choice([None, None, 8, 12, 40]),
        draws=random.choice([*diplomacy.Draws]),
    )


def amid(random: Random) -> Position:
    """A position in the middle of a game that nobody played."""
    rules = house_rules(random)
    world = world_of(rules.ground)
    majors = [*world.homes]
    fallen = {major: random.randint(1, 3) for major in majors if random.random() < random.choice([0.0, 0.1, 0.5, 0.8])}
    living = [major for major in majors if major not in fallen] or [majors[0]]
    fallen.pop(living[0], None)
    owner: dict[str, str] = {}
    for major in majors:
        for home in sorted(world.homes[major]):
            stays = major in living and random.random() < 0.8
            owner[home] = major if stays else random.choice([*living, "", ""])
    thralls: dict[str, str] = {}
    for minor, (_, place) in world.minors.items():
        chance = random.random()
        owner[place] = minor if chance < 0.6 else random.choice([*living, ""])
        if chance < 0.25:
            thralls[minor] = random.choice(living)
    vassals: dict[str, Vassal] = {}
    pairs: set[frozenset[str]] = set()
    cycle = random.randint(4, 10)
    rules = replace(rules, cycles=random.choice([0, 0, cycle, cycle + 1, cycle + 2]))
    for _ in range(random.randint(0, 5)):
        giver, receiver = random.choice(living), random.choice(living)
        free = sorted(place for place, power in owner.items() if power == giver)
        free = [place for place in free if place not in world.homes[giver] | world.homes[receiver]]
        if giver == receiver or {giver, receiver} in pairs or not free:
            continue
        pairs.add(frozenset((giver, receiver)))
        name = f"v{giver[0]}{receiver[0]}" if random.random() < 0.8 else random.choice(NAMES[:3])
        if name in vassals:
            continue
        born = random.choice([cycle - 1, cycle - 1, cycle - 2])
        vassals[name] = Vassal(giver=giver, receiver=receiver, capital=random.choice(free), born=born)
        for place in (vassals[name].capital, *random.sample(free, min(len(free), random.randint(0, 3)))):
            owner[place] = name
    for name, vassal in vassals.items():
        owner[vassal.capital] = name
    controllers = {major for vassal in vassals.values() for major in (vassal.giver, vassal.receiver)}
    for major in living:  # S9-H-13
        if major not in controllers and major not in thralls.values():
            owner[world.capitals[major]] = major
    vassals = {name: vassal for name, vassal in vassals.items() if owner[vassal.capital] == name}
    owner = {place: power if power in {*majors, *world.minors, *vassals} else "" for place, power in owner.items()}
    heirs = [major for major in living if owner[world.capitals[major]] == major and random.random() < 0.7]
    units: dict[str, list[str]] = defaultdict(list)
    taken: set[str] = set()
    for minor, (kind, place) in world.minors.items():
        if owner[place] == minor and random.random() < 0.92:
            units[minor].append(f"{kind} {place}")
            taken.add(place)
    crowd = random.choice([1, 1, 4])
    for power in (*living, *vassals):
        lands = [place for place, own in owner.items() if own == power] or [random.choice([*owner])]
        together = power in vassals and random.random() < 0.5
        for _ in range(random.randint(max(0, len(lands) - 2), len(lands) + (3 if together else crowd))):
            place = vassals[power].capital if together else random.choice(lands)
            for _ in range(random.randint(0, 2)):
                place = random.choice(sorted(world.beside[place]))
            kind = "F" if place in world.seas or (place not in world.inland and random.random() < 0.5) else "A"
            stands_alone = place not in taken and place not in {home for _, home in world.minors.values()}
            if stands_alone or (place not in taken and random.random() < 0.2):
                units[power].append(f"{kind} {place}")
                taken.add(place)
    centres: dict[str, list[str]] = defaultdict(list)
    for place, power in owner.items():
        if power:
            centres[power].append(place)
    phase = random.choice([Phase.ORDERS] * 4 + [Phase.RETREATS] * 4 + [Phase.WINTER] * 3)
    season = Season.WINTER if phase is Phase.WINTER else random.choice([Season.SPRING, Season.AUTUMN, Season.AUTUMN])
    dislodged = driven_out(random, world, units, living, [*vassals]) if phase is Phase.RETREATS else ()
    return Position(
        cycle=cycle,
        season=season,
        phase=phase,
        dislodged=dislodged,
        contested=tuple(sorted(random.sample(sorted({*world.beside} - taken), 3))) if dislodged else (),
        units={power: tuple(sorted(texts)) for power, texts in sorted(units.items())},
        centres={power: tuple(sorted(places)) for power, places in sorted(centres.items())},
        heirs=tuple(heirs),
        built={major: random.randint(cycle - 2, cycle - 1) for major in living if random.random() < 0.4},
        thralls=thralls,
        vassals=vassals,
        eliminated=fallen,
        votes=tuple(major for major in living if random.random() < 0.3 and rules.draws is diplomacy.Draws.VOTE),
        missed={major: random.randint(1, 3) for major in living if random.random() < 0.15},
        settings=rules,
    )


def driven_out(
    random: Random, world: World, units: dict[str, list[str]], living: list[str], vassals: list[str]
) -> tuple[diplomacy.DislodgedUnit, ...]:
    """Dislodged units, with their attackers in their places: all units of some Vassal, and a few others."""
    chosen = {power for power in vassals if random.random() < 0.6}
    lost: list[diplomacy.DislodgedUnit] = []
    stood = [(power, text) for power in (*living, *vassals) for text in units[power]]
    for power, text in stood:
        kind, _, place = text.partition(" ")
        if random.random() < (0.9 if power in chosen else 0.15):
            units[power].remove(text)
            units[random.choice([other for other in living if other != power] or living)].append(text)
            came_from = random.choice([*sorted(world.reach(kind, place)), None])
            lost.append(diplomacy.DislodgedUnit(power=power, unit=text, attacked_from=came_from))
    return tuple(random.sample(lost, len(lost)))


# Sheets ---------------------------------------------------------------------------------------------------------------


@dataclass
class Lot:
    """Draws the sheets of one turn by lot."""

    position: Position
    random: Random
    world: World = field(init=False)

    def __post_init__(self) -> None:
        here = self.position
        self.world = world_of(here.settings.ground)
        self.whose = {text.partition(" ")[2]: power for power, texts in here.units.items() for text in texts}
        self.kind = {text.partition(" ")[2]: text[0] for texts in here.units.values() for text in texts}
        self.owner = {place: power for power, places in here.centres.items() for place in places}
        self.majors = [*self.world.homes]
        self.plans: dict[str, list[str]] = defaultdict(list)
        """Place of a unit -> orders that others hope for, without its name."""
        self.weddings: dict[str, str] = {}
        self.brides: list[tuple[str, str]] = []
        if here.phase is Phase.ORDERS:
            self.plan()

    def near(self, place: str) -> list[str]:
        return sorted(self.world.beside[place])

    def unit(self, place: str) -> str:
        return f"{self.kind.get(place, 'A')} {place}"

    def plan(self) -> None:
        """Attacks with their supports, convoys, and weddings."""
        random, world = self.random, self.world
        places = sorted(self.whose)
        for _ in range(random.randint(0, 8)):
            place = random.choice(places)
            goals = sorted(world.reach(self.kind[place], place))
            crowded = [goal for goal in goals if goal in self.whose]
            goal = random.choice(crowded or goals or self.near(place))
            self.plans[place].append(f"- {goal}")
            for helper in self.near(goal):
                if helper in self.whose and helper != place and random.random() < 0.7:
                    self.plans[helper].append(f"S {self.unit(place)} - {goal}")
        for _ in range(random.randint(0, 6)):
            self.plan_convoy([place for place in places if place in world.seas])
        for _ in range(random.randint(0, 2)):
            self.plan_ring(random.choice(places))
        self.plan_weddings()

    def first(self, place: str, order: str) -> None:
        self.plans[place].insert(0, order)

    def plan_convoy(self, fleets: list[str]) -> None:
        """A convoy, and now and then an attack on its fleet, which the unit supports that the army attacks (DP-C-8)."""
        random, world = self.random, self.world
        if not fleets:
            return
        chain = [random.choice(fleets)]
        for _ in range(random.randint(0, 2)):
            chain += [sea for sea in self.near(chain[-1]) if sea in fleets and sea not in chain][:1]
        armies = [place for place in self.near(chain[0]) if self.kind.get(place) == "A"]
        coasts = [place for place in self.near(chain[-1]) if place not in world.seas]
        if not armies or not coasts:
            return
        army = random.choice(armies)
        held = [place for place in coasts if self.kind.get(place) == "F"]
        goal = random.choice(held if held and random.random() < 0.5 else coasts)
        self.first(army, f"- {goal}" + random.choice(["", "", " via convoy"]))
        for sea in chain:
            self.first(sea, f"C A {army} - {goal}")
        for helper in self.near(goal):
            if helper in self.whose and random.random() < 0.3:
                self.plans[helper].append(f"S A {army} - {goal}")
        enemies = [place for place in self.near(chain[-1]) if self.kind.get(place) == "F" and place not in (army, goal)]
        if goal in held and enemies:
            enemy = random.choice(enemies)
            self.first(enemy, f"- {chain[-1]}")
            self.first(goal, f"S F {enemy} - {chain[-1]}")

    def plan_ring(self, start: str) -> None:
        """Three units, each into the next one's place (DP-M-6)."""
        reach = {place: self.world.reach(kind, place) for place, kind in self.kind.items()}
        rings = [
            (one, other)
            for one in sorted(reach[start] & reach.keys())
            for other in sorted(reach[one] & reach.keys())
            if start in reach[other] and other != start
        ]
        if rings:
            one, other = self.random.choice(rings)
            for place, goal in ((start, one), (one, other), (other, start)):
                self.first(place, f"- {goal}")

    def plan_weddings(self) -> None:
        random, world = self.random, self.world
        single = [*self.position.heirs]
        random.shuffle(single)
        while single:
            one = single.pop()
            if random.random() < 0.25:
                continue
            if single and random.random() < 0.6:
                shared = [
                    {v.giver, v.receiver} - {one}
                    for v in self.position.vassals.values()
                    if one in (v.giver, v.receiver)
                ]
                again = [other for others in shared for other in others if other in single]
                other = random.choice(again) if again and random.random() < 0.5 else single[-1]
                single.remove(other)
                fit = [place for place, power in self.owner.items() if power in (one, other)]
                fit = [place for place in fit if place not in world.homes[one] | world.homes[other]]
                fit = fit if random.random() < 0.9 else sorted(world.codes.values())
                if fit:
                    at = random.choice(sorted(fit))
                    self.weddings[one] = f"Heir {one} Marry Heir {other} at {at}"
                    self.weddings[other] = f"Heir {other} Marry Heir {one} at {at}"
                continue
            brides = [place for place, power in self.whose.items() if power in world.minors]
            if brides:
                bride = random.choice(sorted(brides))
                self.weddings[one] = f"Heir {one} Marry {bride}"
                self.brides.append((bride, one))

    # Lines

    def told(self, place: str) -> str:
        """Order for a unit, without the unit's name."""
        random, world = self.random, self.world
        if self.plans[place] and random.random() < 0.8:
            plan = self.plans[place][0] if random.random() < 0.85 else random.choice(self.plans[place])
            far = self.kind[place] == "A" and plan[2:] in world.beside.keys() - world.army.get(place, frozenset())
            return f"{plan} via convoy" if far and random.random() < 0.3 else plan
        near = self.near(place)
        kind = self.kind.get(place, "A")
        via = " via convoy" if kind == "A" else ""  # the rules do not say what these words mean for a fleet
        match random.randint(0, 9):
            case 0:
                return "H"
            case 1 | 2 | 3:
                return f"- {random.choice(sorted(world.reach(kind, place)) or near)}"
            case 4 | 5:
                beside = [other for other in near if other in self.whose] or near
                return f"S {self.unit(random.choice(beside))}"
            case 6 | 7:
                goal = random.choice(near)
                beside = [other for other in self.near(goal) if other in self.whose and other != place] or near
                return f"S {self.unit(random.choice(beside))} - {goal}"
            case 8:
                anywhere = random.choice(sorted(world.codes.values()))
                return random.choice([f"- {anywhere}", f"- {random.choice(near)}{via}", f"S F {anywhere}"])
            case _:
                whom, goal = random.choice(near), random.choice(near)
                return f"C A {whom} - {goal}"

    def perverse(self, major: str) -> str:
        """A line that may be wrong in any way: another's unit, the wrong kind, the wrong phase, no line at all."""
        random = self.random
        place = random.choice(sorted(self.world.codes.values()))
        if random.random() < 0.6 and self.whose:
            place = random.choice(sorted(self.whose))
        vassals = [*self.position.vassals] or ["vDA"]
        return random.choice(
            [
                f"{self.unit(place)} {self.told(place)}",
                f"{random.choice('AF')} {place} H",
                f"Heir {random.choice(self.majors)} Marry {place}",
                f"Heir {major} Marry {random.choice('AF')} {place}",
                f"Heir {major} Marry Heir {random.choice(self.majors)} at {place}",
                f"Heir {major} Marry Heir {random.choice(self.majors)}",
                f"Build {random.choice('AF')} {place}",
                f"Disband {self.unit(place)}",
                "Build Heir",
                f"Build Heir {place}",
                f"Waive {random.choice(vassals)}",
                "Waive",
                random.choice(MISSPELT),
            ]
        )

    def respelt(self, line: str) -> str:
        """The line in other words, now and then."""
        random = self.random
        if random.random() < 0.9:
            return line
        code = {name: code for code, name in self.world.codes.items()}
        for name in sorted(code, key=len, reverse=True):
            if name in line and random.random() < 0.7:
                line = line.replace(name, code[name])
        return random.choice([line, line.upper(), line.lower()])

    def orders(self, major: str) -> list[str]:
        random, here = self.random, self.position
        mine = sorted(place for place, power in self.whose.items() if power == major)
        lines = [f"{self.unit(place)} {self.told(place)}" for place in mine if random.random() < 0.9]
        lines += [f"{self.unit(place)} {self.told(place)}" for place in mine if random.random() < 0.03]
        if major in self.weddings and random.random() < 0.9:
            lines.append(self.weddings[major])
        elif major in here.heirs and random.random() < 0.1 and self.brides:
            lines.append(f"Heir {major} Marry {random.choice(self.brides)[0]}")
        return lines

    def bids(self, major: str) -> list[str]:
        random, here = self.random, self.position
        others = sorted(place for place, power in self.whose.items() if power not in self.majors)
        ruled = [name for name, vassal in here.vassals.items() if major in (vassal.giver, vassal.receiver)]
        theirs = [place for place in others if self.whose[place] in ruled]
        planned = [place for place in others if self.plans[place]]
        lines: list[str] = []
        for _ in range(random.randint(0, 4)):
            groups = [group for group in (others, theirs, theirs, planned, planned) if group]
            if groups:
                place = random.choice(random.choice(groups))
                lines.append(f"{random.choice([1, 1, 1, 2, 2, 3, 4])} DP to {self.unit(place)} {self.told(place)}")
        for bride, groom in self.brides:
            if random.random() < (0.8 if groom == major else 0.1):
                lines.append(f"{random.randint(1, 3)} DP to {self.unit(bride)} Marry Heir {groom}")
        if lines and random.random() < 0.15:
            lines.append(random.choice(lines))
        if lines and random.random() < 0.1:
            again = random.choice(lines).partition(" DP to ")[2]
            lines.append(f"{random.randint(1, 2)}:{again}")
        if random.random() < 0.1:
            lines.append(f"1 DP to {self.perverse(major)}")
        if random.random() < 0.05:
            lines.append(
                f"1 DP to {random.choice('AF')} {random.choice(others)} Marry Heir {random.choice(self.majors)}"
            )
        random.shuffle(lines)
        return lines

    def meeting(self, major: str) -> list[str]:
        """A Major's part in two retreats of one Vassal to one place, a retreat for each controller (S9-V-28)."""
        for name, vassal in self.position.vassals.items():
            lost = sorted(lost.unit for lost in self.position.dislodged if lost.power == name)
            for one, other in itertools.pairwise(lost):
                goals = self.world.reach(one[0], one[2:]) & self.world.reach(other[0], other[2:])
                goals -= self.whose.keys() | {*self.position.contested}
                for goal in sorted(goals):
                    if major == vassal.giver:
                        return [f"{one} - {goal}"]
                    if major == vassal.receiver:
                        return [f"{other} - {goal}"]
        return []

    def retreats(self, major: str) -> list[str]:
        random, here = self.random, self.position
        if random.random() < 0.8 and (lines := self.meeting(major)):
            return lines
        lines = []
        thorough = random.random() < 0.5
        lost_at = [lost.unit.partition(" ")[2] for lost in here.dislodged]
        for lost in here.dislodged:
            vassal = here.vassals.get(lost.power)
            if major != lost.power and (vassal is None or major not in (vassal.giver, vassal.receiver)):
                continue
            place = lost.unit.partition(" ")[2]
            for _ in range(
                random.choice([0, 1, 1, 1, 1, 1, 2]) if vassal is None or thorough else random.randint(0, 1)
            ):
                near = [to for to in self.near(place) if to not in self.whose] or self.near(place)
                shared = [to for to in near if any(to in self.near(other) for other in lost_at if other != place)]
                near = shared[:1] if shared and random.random() < 0.6 else near
                goal = random.choice(near if random.random() < 0.9 else self.near(place))
                lines.append(f"Disband {lost.unit}" if random.random() < 0.1 else f"{lost.unit} - {goal}")
        return lines

    def winter(self, major: str) -> list[str]:
        random, here = self.random, self.position
        ruled = [name for name, vassal in here.vassals.items() if major in (vassal.giver, vassal.receiver)]
        lines: list[str] = ["Build Heir"] if random.random() < 0.6 else []
        for power in (major, *ruled):
            mine = [place for place, owner in self.whose.items() if owner == power]
            sites = sorted(self.world.homes[major]) if power == major else [here.vassals[power].capital]
            more = len(here.centres.get(power, ())) - len(mine)
            for _ in range(random.randint(0, abs(more) + 1)):
                if more < 0 and mine:
                    lines.append(f"Disband {self.unit(random.choice(sorted(mine)))}")
                elif more > 0 and random.random() < 0.85:
                    lines.append(f"Build {random.choice('AF')} {random.choice(sites)}")
                elif more > 0:
                    lines.append("Waive" if power == major else f"Waive {power}")
        random.shuffle(lines)
        return lines

    def sheet(self, major: str, begun: Sheet) -> Sheet:
        """A random sheet, or the planned one with more lines."""
        random, here = self.random, self.position
        orders, bids = [*begun.orders], [*begun.bids]
        if begun == Sheet():
            match here.phase:
                case Phase.ORDERS:
                    orders, bids = self.orders(major), self.bids(major)
                case Phase.RETREATS:
                    orders = self.retreats(major)
                case Phase.WINTER:
                    orders = self.winter(major)
            random.shuffle(orders)
        elif here.phase is Phase.ORDERS and random.random() < 0.3:
            bids += self.bids(major)
        while random.random() < 0.12:
            orders.insert(random.randint(0, len(orders)), self.perverse(major))
        if random.random() < 0.03:
            bids.append(random.choice(["1 DP to F Permyak H", *MISSPELT]))
        return replace(
            begun,
            orders=tuple(self.respelt(line) for line in orders),
            bids=tuple(self.respelt(line) for line in bids),
            name=self.names(major),
        )

    def names(self, major: str) -> dict[str, str]:
        random, here = self.random, self.position
        said: dict[str, str] = {}
        for name, vassal in here.vassals.items():
            mine = major in (vassal.giver, vassal.receiver)
            young = vassal.born >= here.cycle - (here.season is not Season.WINTER)
            if mine and young and random.random() < 0.6:
                said[name] = NAMES[len(name + vassal.capital) % 2] if random.random() < 0.7 else random.choice(NAMES)
            elif random.random() < 0.03:
                said[name] = random.choice(NAMES)
        return said

    def sheets(self, kind: str, number: int) -> Sheets:
        """One turn's sheets: stand-ins' (`wise`), by lot (`wild`), or of both (`mixed`); now and then one is missing."""
        random, here = self.random, self.position
        due = RULESET.rules.due(here)
        agreed = random.random() < 0.06
        yielded = random.choice(self.majors) if random.random() < 0.04 else None
        asleep = random.choice([0.02, 0.02, 0.3])
        sheets: Sheets = {}
        for major in self.majors:
            sleeps = agreed and here.missed.get(major, 0) > 0
            if sleeps or random.random() < (asleep if major in due else 0.93):
                continue
            wise = kind == "wise" or (kind == "mixed" and random.random() < 0.5)
            begun = Sheet()
            if wise and major in due:
                chance = chance_of(f"judges {number}", f"{here.season} {here.cycle} {here.phase}")
                written = write(here, major, chance)
                assert isinstance(written, Sheet)
                begun = written
            if kind != "wise" or random.random() < 0.3:
                begun = self.sheet(major, begun)
            if agreed or random.random() < 0.1:
                begun = replace(begun, draw=agreed or random.random() < 0.5)
            if yielded is not None and random.random() < 0.97:
                begun = replace(begun, concede=yielded)
            sheets[major] = begun
        order = [*sheets]
        random.shuffle(order)
        return {major: sheets[major] for major in order}


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


def play(number: int, *, wise: bool = True) -> Iterator[Turn]:
    """One game, from a seed, until it ends or has lasted long enough."""
    random = Random(f"judges {number}")
    midst = number % FROM_START != 0
    position = amid(random) if midst else RULESET.rules.setup(house_rules(random), GivenDice({}))
    for _ in range(random.randint(1, 6) if midst else 40):
        kind = random.choice(["wise", "mixed", "mixed", "wild"]) if wise else "wild"
        turn = both(position, Lot(position, random).sheets(kind, number))
        yield turn
        if turn.theirs is None or turn.theirs.ended is not None:
            return
        position = turn.theirs.position


def turns(seed: int, count: int, *, wise: bool = True) -> Iterator[Turn]:
    """The first `count` turns, from as many games as needed."""
    return so_many(functools.partial(play, wise=wise), seed, count)


# Telling --------------------------------------------------------------------------------------------------------------


def shorter(sheet: Sheet) -> Iterator[Sheet]:
    """The sheet with one thing less on it, for each thing."""
    fewer: list[dict[str, Any]] = []
    for key in ("orders", "bids"):
        lines = getattr(sheet, key)
        fewer += [{key: (*lines[:index], *lines[index + 1 :])} for index in range(len(lines))]
    fewer += [{"name": {}}] * bool(sheet.name)
    fewer += [{"draw": None}] * (sheet.draw is not None) + [{"concede": None}] * (sheet.concede is not None)
    for less in fewer:
        yield replace(sheet, **less)


def smaller(turn: Turn) -> Turn:
    """The same turn with as few lines on its sheets as still divide the judges."""
    sheets = dict(turn.sheets)
    todo = [*sheets]
    while todo:
        major = todo.pop()
        others = {other: sheet for other, sheet in sheets.items() if other != major}
        if both(turn.position, others).different:
            sheets = others
            continue
        for less in shorter(sheets[major]):
            if both(turn.position, {**sheets, major: less}).different:
                sheets[major] = less
                todo.append(major)
                break
    return both(turn.position, sheets)


def report(turn: Turn) -> str:
    """A difference for people to read: the position, the necessary sheets, and both results."""
    small = smaller(turn)
    rules = small.position.settings
    lines = [f"{key}: {value}" for key, value in plain(small.position).items() if value]
    lines.append(f"settings: cycles {rules.cycles}, victory {rules.victory}, draws {rules.draws}")
    for major, sheet in sorted(small.sheets.items()):
        said = {key: getattr(sheet, key) for key in ("orders", "bids", "draw", "concede", "name")}
        lines.append(f"{major}: " + str({key: value for key, value in said.items() if value not in ((), None, {})}))
    return "\n".join((*lines, *(f"=> {what}" for what in small.different)))
