"""Standard Diplomacy, judged a second time: written only from RULES.md; its moves are `moves`.

It shares with the ruleset the shapes of positions and sheets and the board file, but not a single rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from adjudicator.mechanics.movement.solver import DoubleOrders, UnitKind
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Dislodged,
    DrawAmong,
    Draws,
    Phase,
    Position,
    Season,
    Settings,
    Vote,
)
from tests.judges.moves import Field, Fought, Order, Said, Unit, fight, filled, ground_of, province_of, reader_of, said

ILLEGAL, FAILS = "illegal", "fails"
Fact: TypeAlias = tuple[object, ...]
"""Name of an event, and what it says."""


@dataclass(frozen=True, slots=True)
class Ending:
    how: str
    winners: tuple[str, ...]
    """As the board lists its powers."""
    rules: frozenset[str]
    """Rules that may be named for it."""


@dataclass(eq=False)
class Told:
    """A line of a sheet, with its result."""

    seat: str
    text: str
    order: Order | None
    said: Said | None = None
    """None if the result is still open, or the rules do not give one."""


@dataclass
class Judged:
    """Result of a turn."""

    position: Position
    ending: Ending | None
    lines: list[Told]
    told: list[Fact]
    """Events of units removed for lack of orders, of votes and of the end, in this order."""
    seen: Counter[str] = field(default_factory=Counter)


class War:
    """A war in progress: a position that changes, and the lines that were sent."""

    def __init__(self, position: Position, lines: Mapping[str, Collection[str]], *, draws: bool = True) -> None:
        self.settings: Settings = position.settings
        self.ground = ground_of(position.settings.ground)
        self.board = self.ground.board
        self.year, self.season, self.phase = position.year, position.season, position.phase
        self.others = position.others
        self.claims = {**position.claims}
        self.roll: Callable[[str, int], int] | None = None
        """The turn's dice: the name of a roll and its sides -> its value."""
        self.votes: Mapping[str, Sheet] = {}
        """The votes of the powers, where they are kept."""
        self.code = {name: place for place, name in self.ground.names.items()}
        self.units: dict[str, Unit] = {}
        for power, texts in position.units.items():
            for text in texts:
                unit = self.unit(power, text)
                self.units[unit.province] = unit
        self.owner = {self.code[name]: power for power, names in position.centres.items() for name in names}
        self.lost: dict[str, tuple[Unit, str | None]] = {}
        for gone in position.dislodged:
            unit = self.unit(gone.power, gone.unit)
            self.lost[unit.province] = unit, self.code[gone.attacked_from] if gone.attacked_from else None
        self.closed = {self.code[name] for name in position.contested}
        self.sheets = {*lines}
        reader = reader_of(self.board)
        self.lines = [Told(seat, text, reader.read(text)) for seat, texts in lines.items() for text in texts]
        for told in self.lines:
            if told.order is None:
                retreats = self.phase is Phase.MOVEMENT and " R " in told.text  # no order for this turn (DP-O-5)
                told.said = said(ILLEGAL, {"DP-O-1"}) if retreats else said("unreadable", {"DP-O-7"})
        self.again: list[Told] = []
        """Lines that repeat a line before them (DP-O-5)."""
        self.powers = tuple(self.board.powers)
        self.seen: Counter[str] = Counter()
        self.told: list[Fact] = []
        self.events: Counter[tuple[str | int, ...]] = Counter()

    def unit(self, power: str, text: str) -> Unit:
        kind, _, name = text.partition(" ")
        return Unit(power, kind, self.code[name])

    # Powers

    def standing(self, power: str) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.power == power]

    def own(self, power: str) -> set[str]:
        return {place for place, owner in self.owner.items() if owner == power}

    def left(self) -> list[str]:
        """Powers that are left (DP-V-4)."""
        alive = {*self.owner.values(), *(unit.power for unit in self.units.values())}
        alive |= {unit.power for unit, _ in self.lost.values()}
        return [power for power in self.powers if power in alive]

    # Movement

    def orders_of(self, power: str, can: Mapping[str, Unit]) -> dict[str, list[Told]]:
        """A power's lines for its units that it may order now, by province; the rest are illegal (DP-O-4, DP-O-6)."""
        mine: dict[str, list[Told]] = {}
        for told in self.lines:
            order = told.order
            if told.seat != power or order is None or told.said is not None:
                continue
            if order.does in ("Build", "Waive"):
                told.said = said(ILLEGAL)
                continue
            if order.does == "Disband" and can is self.units:  # no order for a turn of moves (DP-O-5)
                told.said = said(ILLEGAL, {"DP-O-1"})
                continue
            unit = can.get(order.unit.province)
            if unit is None or unit.power != power:
                told.said = said(ILLEGAL, {"DP-O-4", *({"DP-R-1", "DP-R-7"} if can is not self.units else ())})
            elif not self.right_kind(order.unit.kind, unit):
                told.said = said(ILLEGAL, {"DP-O-6"})
            elif self.bound_elsewhere(order, unit):
                told.said = said(ILLEGAL, {"DP-O-9"})
                self.seen["illegal DP-O-9"] += 1
            else:
                mine.setdefault(unit.province, []).append(told)
                wrong = filled(order, can, again=True).whom.kind not in ("", order.whom.kind) and order.whom.kind != ""
                self.seen["another kind meant of another"] += wrong and not self.kinds_count
        return mine

    @property
    def kinds_count(self) -> bool:
        """True if a line that calls an army a fleet is for a unit that is not there (DP-O-6)."""
        return self.settings.unit_kind is not UnitKind.IGNORED

    def right_kind(self, kind: str, unit: Unit) -> bool:
        """DP-O-6."""
        wrong = kind not in ("", unit.kind)
        self.seen["another kind meant"] += wrong and not self.kinds_count
        return not wrong or not self.kinds_count

    def bound_elsewhere(self, order: Order, unit: Unit) -> bool:
        """True if a line names a coast that its unit is not on, where that binds (DP-O-9).

        A reading: that an army's coast is ignored (DP-O-8) is meant of the coast where it goes; it is itself on none (DP-G-7).
        """
        if self.settings.unit_coast.value != "binding" or not order.unit.coast:
            return False
        return unit.place != f"{unit.province}/{order.unit.coast}"

    def once(self, lines: list[Told], can: Mapping[str, Unit]) -> Order | None:
        """The order that counts of several lines for one unit, whose line comes first then; none if none does (DP-O-5)."""
        orders = [self.meant(told.order, can) for told in lines if told.order is not None]
        order = orders[-1]
        if any(other != order for other in orders):
            if self.settings.double_orders is not DoubleOrders.LAST:
                self.seen["told twice"] += 1
                for told in lines:
                    told.said = said(ILLEGAL, {"DP-O-5"})
                return None
            self.seen["told again in moves" if can is self.units else "told again in retreats"] += 1
            while any(other != order for other in orders):
                orders.pop(0)
                lines.pop(0).said = said(ILLEGAL, {"DP-O-5"})
        for again in lines[1:]:  # it counts once; the result of the others is open
            self.lines.remove(again)
            self.again.append(again)
        return order

    def meant(self, order: Order, can: Mapping[str, Unit]) -> Order:
        """An order in normal form: kinds are filled in, and coasts dropped if they do not matter."""
        order = filled(order, can, again=not self.kinds_count)
        unit, whom = order.unit, order.whom
        right = unit.province in can and can[unit.province].place == f"{unit.province}/{unit.coast}"
        if self.settings.unit_coast.value == "ignored" or unit.kind == "A" or right:
            unit = replace(unit, coast="")
        army = (whom if whom.province else unit).kind == "A"
        return replace(
            order,
            unit=unit,
            whom=replace(whom, coast=""),
            coast="" if army else order.coast,
            via=order.via and can is self.units,  # no convoys in a turn of retreats (DP-R-7)
        )

    def movement(self) -> tuple[dict[str, Order], set[str]]:
        """Legal orders, and the units that tried something impossible (DP-O-3)."""
        field_ = Field(self.ground, self.settings, self.units)
        legal: dict[str, Order] = {}
        stuck: set[str] = set()
        for power in self.powers:
            for here, lines in self.orders_of(power, self.units).items():
                order = self.once(lines, self.units)
                if order is None:
                    continue
                broken = field_.breaks(order)
                if lines[1:] and order.whom.province and order.whom.province not in self.units:
                    broken.add(
                        "DP-O-5"
                    )  # the rules do not say if a coast matters that is named for an army that is not there
                if not broken:
                    legal[here] = order
                    continue
                lines[0].said = said(ILLEGAL, broken)
                if self.right_elsewhere(lines[0]):  # the example to DP-O-9 calls it a failure; the effect is the same
                    lines[0].said = said(f"{FAILS}|{ILLEGAL}", {*broken, "DP-O-9"})
                self.seen["illegal " + min(broken)] += 1
                if self.settings.impossible.value == "failed-move" and order.does == "-":
                    stuck.add(here)
        return legal, stuck

    def right_elsewhere(self, told: Told) -> bool:
        """True if the move would be right for a fleet on the coast in the line."""
        order = told.order
        assert order is not None
        place = f"{order.unit.province}/{order.unit.coast}"
        here = self.units[order.unit.province].place
        return order.does == "-" and here != place and order.to in self.ground.fleet.get(place, {})

    def move(self, legal: Mapping[str, Order], stuck: Collection[str] = (), generals: Collection[str] = ()) -> Fought:
        """The battle and all its consequences."""
        fought = self.march(legal, stuck, generals)
        self.leave_moves()
        return fought

    def march(self, legal: Mapping[str, Order], stuck: Collection[str] = (), generals: Collection[str] = ()) -> Fought:
        """The battle and its effects on the board."""
        field_ = Field(self.ground, self.settings, self.units)
        fought = fight(field_, legal, stuck, generals)
        self.seen += fought.seen
        for told in self.lines:
            if told.said is None and told.order is not None:
                told.said = fought.said[told.order.unit.province]
        before = self.units
        self.units = {}
        for here, unit in before.items():
            if here not in fought.lost:
                went = replace(unit, place=fought.moved.get(here, unit.place))
                self.units[went.province] = went
        self.closed = {*fought.closed}
        for here, origin in fought.lost.items():
            unit = before[here]
            if self.ways(unit, origin):  # an army of nobody disbands in the turn of retreats (the example to DP-G-10)
                self.lost[here] = unit, origin
            else:  # DP-R-6
                self.seen["destroyed"] += 1
        return fought

    def ways(self, unit: Unit, origin: str | None) -> set[str]:
        """Places where a dislodged unit can go (DP-R-1, DP-R-2)."""
        return {*self.ground.reach(unit.kind, unit.place)} - self.units.keys() - self.closed - {origin or ""}

    def leave_moves(self) -> None:
        """From movement or retreats to the next phase."""
        if self.lost:
            self.phase = Phase.RETREATS
            return
        self.closed.clear()
        if self.season is Season.SPRING:
            self.season, self.phase = Season.FALL, Phase.MOVEMENT
            return
        self.take_centres()
        self.count_falls()
        self.season, self.phase = Season.WINTER, Phase.ADJUSTMENTS
        self.fall_over = True

    fall_over = False

    def take_centres(self) -> None:
        """DP-W-1; armies of nobody do not take anything (DP-G-10)."""
        for here, unit in self.units.items():
            if here in self.ground.centres and unit.power in self.powers:
                self.seen["taken"] += self.owner.get(here) != unit.power
                self.owner[here] = unit.power

    # Retreats

    def retreats(self) -> None:
        """Everything in a turn of retreats."""
        self.withdraw()
        self.leave_moves()

    def withdraw(self) -> None:
        """The retreats themselves."""
        can = {here: unit for here, (unit, _) in self.lost.items()}
        goals: dict[str, str] = {}
        for power in self.powers:
            for here, lines in self.orders_of(power, can).items():
                order = self.once(lines, can)
                if order is None:
                    continue
                lines[0].said, goal = self.retreat(order, *self.lost[here])
                if lines[0].said is not None and lines[1:]:
                    lines[0].said = replace(lines[0].said, rules=lines[0].said.rules | {"DP-O-5"})
                if goal:
                    goals[here] = goal
        met = Counter(map(province_of, goals.values()))
        for here, goal in goals.items():
            together = met[province_of(goal)] > 1
            if together:
                self.seen["met"] += 1
            else:
                unit = replace(can[here], place=goal)
                self.units[unit.province] = unit
                self.seen["retreated"] += 1
            for told in self.lines:
                if told.said is None and told.order is not None and told.order.unit.province == here:
                    told.said = said(FAILS, {"DP-R-4"}) if together else said("succeeds", {"DP-R-1"})
        self.lost.clear()

    def retreat(self, order: Order, unit: Unit, origin: str | None) -> tuple[Said | None, str]:
        """Result of a retreat, and its goal if it is legal."""
        if order.does == "Disband":
            return said("succeeds", {"DP-R-8"}), ""
        if order.does != "-":
            return said(ILLEGAL, {"DP-R-7"}), ""
        broken: set[str] = set()
        to = order.to
        if to not in self.ground.reach(unit.kind, unit.place):
            return said(ILLEGAL, {"DP-R-1"}), ""
        if to in self.units or to in self.closed or to == origin:
            broken.add("DP-R-2")
        goals = [to]
        if unit.kind == "F":
            goals = Field(self.ground, self.settings, {}).goals(unit, to, order.coast)
            if len(goals) != 1:
                broken |= {"DP-O-8", "DP-R-1"}
        if broken:
            return said(ILLEGAL, broken), ""
        return None, goals[0]

    # Winter

    def sites(self, power: str) -> set[str]:
        """Places where a power may build (DP-W-3)."""
        homes = self.ground.homes
        rule = self.settings.sites.value
        kept = rule == "home-kept" and any(homes.get(place) == power for place in self.own(power))
        return {
            place
            for place in self.own(power)
            if rule == "owned" or kept or (place in homes and (rule == "homes" or homes[place] == power))
        }

    def surplus(self, power: str) -> int:
        """DP-W-2."""
        return len(self.own(power)) - len(self.standing(power))

    def can_adjust(self, power: str) -> bool:
        more = self.surplus(power)
        return more < 0 or (more > 0 and bool(self.sites(power) - self.units.keys()))

    def winter(self) -> None:
        self.opening = {**self.units}  # everything happens at once (DP-G-2): a removal does not free a place to build
        for power in self.powers:
            more = self.surplus(power)
            mine = [told for told in self.lines if told.seat == power and told.said is None]
            if more < 0:
                self.remove(power, mine, -more)
            else:
                self.build(power, mine, more)
        self.next_year()

    def build(self, power: str, mine: list[Told], more: int) -> None:
        """Build in the order of the sheet (DP-W-5).

        A reading: the number to reach is the number of units that could be built, so nobody waives a build that has no site
        (DP-W-2, DP-W-3).
        """
        number = min(more, len(self.sites(power) - self.opening.keys()))
        good: list[tuple[Told, Unit | None]] = []
        fleets = {place: self.ground.places(place) for place in self.board.provinces}
        for told in mine:
            order = told.order
            assert order is not None
            if order.does == "Waive":
                good.append((told, None))
                continue
            if order.does != "Build":
                told.said = said(ILLEGAL)
                continue
            place, kind = order.unit.province, order.unit.kind
            broken: set[str] = set()
            if place not in self.sites(power) or place in self.opening:
                broken.add("DP-W-3")
                self.seen["no home kept"] += place in self.own(power) and self.settings.sites.value == "home-kept"
            if kind == "F" and not fleets[place]:
                broken.add("DP-G-6")
            if self.ground.kind[place] == "sea":
                broken.add("DP-G-6")
            if number == 0:
                broken.add("DP-W-2")
            if broken:
                again = any(unit is not None and unit.province == place for _, unit in good)
                told.said = said(ILLEGAL, {*broken, "DP-W-3"} if again else broken)
                continue
            at = place
            if kind == "F" and len(fleets[place]) > 1:
                at = f"{place}/{order.unit.coast}"
                if at not in fleets[place]:
                    again = any(unit is not None and unit.province == place for _, unit in good)
                    told.said = said(f"{FAILS}|{ILLEGAL}", {"DP-W-4", "DP-W-3"} if again else {"DP-W-4"})
                    self.seen["built nowhere"] += 1
                    continue
            good.append((told, Unit(power, kind, at)))
        if self.settings.surplus_orders.value == "none" and self.too_many(good, number):
            named: set[str] = set()
            for told, unit in good:
                if unit is not None:
                    told.said = said(ILLEGAL, {"DP-W-5", "DP-W-2", *({"DP-W-3"} if unit.province in named else ())})
                    named.add(unit.province)
                else:  # the rules do not say which waivers count then, and nothing depends on it
                    told.said = said("succeeds|illegal", {"DP-W-6", "DP-W-5", "DP-W-2"})
            self.seen["none of too many"] += bool(number)
            return
        for told, unit in good:
            if number == 0:
                built = unit is not None and unit.province in self.units
                told.said = said(ILLEGAL, {"DP-W-5", "DP-W-2", *({"DP-W-3"} if built else ())})
            elif unit is None:
                number -= 1
                told.said = said("succeeds", {"DP-W-6"})
                self.seen["waived"] += 1
            elif unit.province in self.units:
                told.said = said(ILLEGAL, {"DP-W-3", "DP-W-5"})
            else:
                number -= 1
                self.units[unit.province] = unit
                away = self.ground.homes.get(unit.province) != power
                self.seen["built away, a home kept"] += away and self.settings.sites.value == "home-kept"
                told.said = said("succeeds", {"DP-W-3"})
                self.seen["built"] += 1

    @staticmethod
    def too_many(good: list[tuple[Told, Unit | None]], number: int) -> bool:
        """True if builds are left over when the number is reached; a waiver that is left over is not a build (DP-W-5)."""
        sites: set[str] = set()
        for _, unit in good:
            if unit is None:
                number -= number > 0
            elif unit.province not in sites:
                sites.add(unit.province)
                if number == 0:
                    return True
                number -= 1
        return False

    def remove(self, power: str, mine: list[Told], number: int) -> None:
        good: list[Told] = []
        gone: set[str] = set()
        for told in mine:
            order = told.order
            assert order is not None
            unit = self.units.get(order.unit.province)
            if order.does != "Disband":
                told.said = said(ILLEGAL)
            elif unit is None or unit.power != power:
                told.said = said(ILLEGAL, {"DP-O-4"})
            elif not self.right_kind(order.unit.kind, unit):
                told.said = said(ILLEGAL, {"DP-O-6"})
            elif self.bound_elsewhere(order, unit):
                told.said = said(ILLEGAL, {"DP-O-9"})
            elif unit.province in gone:
                told.said = said(ILLEGAL, {"DP-W-5"})
            else:
                good.append(told)
                gone.add(unit.province)
        if self.settings.surplus_orders.value == "none" and len(good) > number:
            for told in good:
                told.said = said(ILLEGAL, {"DP-W-5"})
            self.seen["none of too many"] += 1
            good = []
        for told in good:
            assert told.order is not None
            if number:
                number -= 1
                del self.units[told.order.unit.province]
                told.said = said("succeeds", {"DP-W-7"})
                self.seen["removed"] += 1
            else:
                told.said = said(ILLEGAL, {"DP-W-5"})
        self.dissolve(power, number)

    def farthest(self, power: str) -> list[Unit]:
        """A power's units in the order of removal without orders (DP-W-8)."""
        by_centres = self.settings.disband_distance.value == "centres"

        def order(unit: Unit) -> tuple[bool, int, bool, str]:
            last = by_centres and unit.province in self.ground.centres
            return last, -self.distance(unit), unit.kind == "A", self.ground.names[unit.province]

        return sorted(self.standing(power), key=order)

    def distance(self, unit: Unit) -> int:
        """DP-W-8; more than any other if the unit gets nowhere."""
        never = len(self.board.provinces)
        rule = self.settings.disband_distance.value
        if rule == "moves":
            way = self.ground.way(unit.kind, unit.place, self.own(unit.power))
            self.seen["no way by moves"] += way is None and bool(self.own(unit.power))
            return never if way is None else way
        homes = [place for place, owner in self.ground.homes.items() if owner == unit.power]
        return self.ground.distances(homes if rule == "home" else self.own(unit.power)).get(unit.province, never)

    def dissolve(self, power: str, number: int) -> None:
        rule = self.settings.disband_distance.value
        if rule.startswith("random"):
            self.draw_lots(power, number)
            return
        goals = self.ground.distances(self.own(power))
        far = sorted(self.standing(power), key=lambda unit: -goals.get(unit.province, len(self.board.provinces)))
        other = {goals.get(unit.province) for unit in far[:number]}  # as by "owned"
        mine = {goals.get(unit.province) for unit in self.farthest(power)[:number]}
        self.seen[f"removed otherwise by {rule}"] += rule in ("moves", "centres") and other != mine
        for unit in self.farthest(power)[:number]:
            del self.units[unit.province]
            self.told.append(("dissolved", power, unit.text(self.ground), self.distance(unit)))
            self.seen["dissolved"] += 1

    def draw_lots(self, power: str, number: int) -> None:
        """DP-W-8 with `random`: one die for each unit to remove."""
        for turn in range(number):
            there = {self.ground.names[unit.province]: unit for unit in self.standing(power)}
            spare = self.settings.disband_distance.value == "random-centres"
            off = {name: unit for name, unit in there.items() if unit.province not in self.ground.centres}
            self.seen["drawn off centres"] += spare and bool(off) and len(off) < len(there)
            there = off if spare and off else there
            assert self.roll is not None
            name = sorted(there)[self.roll(f"removal:{power}:{turn + 1}", len(there)) - 1]
            del self.units[there[name].province]
            self.told.append(("dissolved", power, there[name].text(self.ground), None))
            self.seen["drawn by lot"] += 1

    def next_year(self) -> None:
        self.year = self.board.calendar.after(self.year)
        self.season, self.phase = Season.SPRING, Phase.MOVEMENT

    # The position afterwards

    def position(self) -> Position:
        names = self.ground.names
        units: dict[str, list[str]] = {power: [] for power in self.powers}
        centres: dict[str, list[str]] = {power: [] for power in self.powers}
        for unit in self.units.values():
            units.setdefault(unit.power, []).append(unit.text(self.ground))
        for place, power in self.owner.items():
            centres.setdefault(power, []).append(names[place])
        return Position(
            year=self.year,
            season=self.season,
            phase=self.phase,
            units={power: tuple(sorted(texts)) for power, texts in units.items()},
            centres={power: tuple(sorted(texts)) for power, texts in centres.items()},
            dislodged=tuple(
                Dislodged(
                    power=unit.power, unit=unit.text(self.ground), attacked_from=names[origin] if origin else None
                )
                for unit, origin in self.lost.values()
            ),
            contested=tuple(sorted(names[place] for place in self.closed)) if self.lost else (),
            others=self.others,
            claims=self.claims,
            votes={
                power: Vote(draw=bool(sheet.draw), among=tuple(sorted({*sheet.among})), concede=sheet.concede)
                for power, sheet in self.votes.items()
                if power in self.left() and (sheet.draw or sheet.among or sheet.concede is not None)
            },
            settings=self.settings,
        )

    # The end

    def count_falls(self) -> None:
        """Count the falls in a row with the number of centres and the lead, if the board asks for several (DP-V-9, DP-V-6)."""
        before, self.claims = self.claims, {}
        if (self.board.win.held or 1) > 1:
            self.claims = {power: before.get(power, 0) + 1 for power in self.powers if self.has_number(power)}
            self.seen["count of falls"] += len(self.claims)
            self.seen["count of falls broken"] += len(before.keys() - self.claims.keys())

    def has_number(self, power: str) -> bool:
        """True if a power owns the number of centres that wins, with the lead (DP-V-1, DP-V-6)."""
        least, mine = self.settings.victory or self.board.counts, len(self.own(power))
        if least is None or mine < least:
            return False
        lead = self.board.win.lead
        return lead is None or all(mine - len(self.own(other)) >= lead for other in self.powers if other != power)

    def has_winning_centres(self, power: str) -> bool:
        """DP-V-7."""
        win = self.board.win
        held = sum(self.owner.get(self.code_of(place)) == power for place in win.hold)
        return bool(win.hold) and held >= (win.least or len(win.hold))

    def by_number(self, among: Collection[str]) -> list[str]:
        """Powers that can claim victory by their number of centres (DP-V-1, DP-V-9)."""
        falls = self.board.win.held or 1
        return [
            power for power in among if self.has_number(power) and (falls == 1 or self.claims.get(power, 0) >= falls)
        ]

    def most(self, among: Collection[str]) -> list[str]:
        """The power with most centres; nobody if several have as many."""
        number = {power: len(self.own(power)) for power in among}
        best = [power for power in among if number[power] == max(number.values())]
        return best if len(best) == 1 else []

    def victory(self) -> Ending | None:
        """The winners after Fall (DP-V-1, DP-V-2, DP-V-7, DP-V-10)."""
        number = self.by_number(self.powers)
        hold = [power for power in self.powers if self.has_winning_centres(power)]
        both = tuple(power for power in self.powers if power in {*number, *hold})
        if self.board.win.shared and len(both) > 1:
            return Ending("shared", both, frozenset({"DP-V-10"}))
        winner = self.victor(self.powers)
        if winner is None:
            return None
        rules = {"DP-V-7"} if winner in hold else set()
        rules |= {"DP-V-1", *({"DP-V-9"} if self.board.win.held else ())} if winner in number else set()
        return Ending("solo", (winner,), frozenset(rules))

    def victor(self, among: Collection[str]) -> str | None:
        """The winner after Fall, by the number of centres, or by the named centres (DP-V-1, DP-V-2, DP-V-6, DP-V-7).

        A reading: of powers that have the number (for enough falls), only the one with most centres has a claim against one
        that holds the winning centres.
        """
        claims = {*self.most(self.by_number(among)), *filter(self.has_winning_centres, among)}
        return next(iter(self.most([power for power in among if power in claims])), None)

    def code_of(self, place: str) -> str:
        return place if place in self.board.provinces else self.code[place]

    def time_is_up(self) -> Ending | None:
        """DP-V-8."""
        board = self.board
        if board.win.years is None or board.calendar.years(board.starts, self.year) < board.win.years:
            return None
        number = {power: len(self.own(power)) for power in self.powers}
        best = tuple(power for power in self.powers if number[power] == max(number.values()))
        return Ending("solo" if len(best) == 1 else "draw", best, frozenset({"DP-V-8"}))


def judge(position: Position, sheets: Mapping[str, Sheet], roll: Callable[[str, int], int] | None = None) -> Judged:
    """Judge a turn by the rules. `roll` gives the values of the turn's dice."""
    war = War(position, {power: sheet.orders for power, sheet in sheets.items()})
    war.roll = roll
    left = war.left()
    match position.phase:
        case Phase.MOVEMENT:
            war.move(*war.movement())
        case Phase.RETREATS:
            war.retreats()
        case Phase.ADJUSTMENTS:
            war.winter()
    ending: Ending | None = None
    if war.fall_over:
        ending = war.victory() or war.time_is_up()
        if not any(map(war.can_adjust, war.powers)):
            war.next_year()
    told = war.told
    said, repeats = {power: sheets.get(power, Sheet()) for power in left}, False
    if position.settings.votes == "kept":
        said, repeats = with_votes_from_before(position, said)
        war.votes = said
    if ending is None and position.settings.draws is Draws.VOTE:
        silent: set[str] = set()
        if position.settings.absent_votes == "accept":
            silent = {power for power in owes(position) if power not in sheets}
        war.seen["votes from before"] += any(power not in sheets for power in war.votes if voted(said[power]))
        agreed = Agreed(war, said, silent)
        ending = agreed.ending()
        war.seen["votes reported before"] += repeats and bool(agreed.told)
        told += [fact for fact in agreed.told if not repeats or not fact[-1]]
    if ending is not None:
        war.seen[f"ended: {ending.how}"] += 1
        told += told_end(war, ending)
    return Judged(war.position(), ending, [*war.lines, *war.again], told, war.seen)


def voted(sheet: Sheet) -> bool:
    """Whether a sheet says how to end the game."""
    return not (sheet.draw is None and not sheet.among and sheet.concede is None)


def with_votes_from_before(position: Position, said: Mapping[str, Sheet]) -> tuple[dict[str, Sheet], bool]:
    """DP-V-12: the votes that count, and whether all of them were reported in an earlier turn."""
    counted, repeats = {}, True
    for power, sheet in said.items():
        before = position.votes.get(power)
        if voted(sheet):
            counted[power] = Sheet(draw=bool(sheet.draw), among=sheet.among, concede=sheet.concede)
            old = (before.draw, {*before.among}, before.concede) if before is not None else None
            repeats = repeats and old == (bool(sheet.draw), {*sheet.among}, sheet.concede)
        elif before is not None:
            counted[power] = Sheet(draw=before.draw, among=before.among, concede=before.concede)
        else:
            counted[power] = Sheet(draw=False)
    return counted, repeats


def told_end(war: War, ending: Ending) -> list[Fact]:
    """How the players hear of the end."""
    if ending.how == "draw":
        return [("drawn", ending.winners)]
    if ending.how in ("solo", "shared"):
        return [("won", power, len(war.own(power))) for power in ending.winners]
    return []


def owes(position: Position) -> set[str]:
    """The powers with something to order in this turn."""
    war = War(position, {})
    match position.phase:
        case Phase.MOVEMENT:
            return {unit.power for unit in war.units.values()}
        case Phase.RETREATS:
            return {unit.power for unit, _ in war.lost.values()}
        case Phase.ADJUSTMENTS:
            return {power for power in war.powers if war.can_adjust(power)}


@dataclass
class Agreed:
    """Agreements of the surviving powers in a turn without a victory; `war` is over by then."""

    war: War
    sheets: Mapping[str, Sheet]
    """The sheet of each power that was left when the turn began, as the board lists them."""
    silent: Collection[str]
    """Powers that are not needed, because they owe a sheet and have none."""
    told: list[Fact] = field(default_factory=list)

    def lacks(self, votes: Collection[str], of: str | None = None) -> tuple[str, ...]:
        """Powers with votes that are still needed; the power that others concede to has none."""
        return tuple(power for power in self.sheets if power not in votes and power not in self.silent and power != of)

    def ending(self) -> Ending | None:
        """Their agreed end: first a draw among some, then one among all, then a concession."""
        return self.among() or self.draw() or self.concession()

    def among(self) -> Ending | None:
        """DP-V-11."""
        if self.war.settings.draw_among is not DrawAmong.NAMED:
            return None
        named = {power: tuple(sorted({*sheet.among})) for power, sheet in self.sheets.items() if sheet.among}
        ending: Ending | None = None
        for them in sorted({*named.values()}):
            votes = tuple(power for power in named if named[power] == them)
            needed = self.lacks(votes)
            self.told.append(("voted-among", them, votes, needed))
            self.war.seen["proposal"] += 1
            if not needed:
                left = tuple(power for power in self.war.left() if power in them)
                self.war.seen["agreed on some who are left" if left else "agreed on nobody who is left"] += 1
                self.war.seen["some of those agreed on are gone"] += bool(left) and len(left) < len(them)
                ending = Ending("draw", left, frozenset({"DP-V-11"})) if left else None
        return ending

    def draw(self) -> Ending | None:
        """DP-V-3."""
        votes = tuple(power for power, sheet in self.sheets.items() if sheet.draw)
        if not votes:
            return None
        self.told.append(("voted", votes, self.lacks(votes)))
        return None if self.lacks(votes) else Ending("draw", tuple(self.war.left()), frozenset({"DP-V-3"}))

    def concession(self) -> Ending | None:
        """DP-V-5."""
        offers: list[tuple[str, Fact, bool]] = []
        for to in self.sheets:
            votes = tuple(power for power, sheet in self.sheets.items() if sheet.concede == to and power != to)
            if not votes:
                continue
            least, mine = self.war.settings.concede_least, len(self.war.own(to))
            if least is not None:
                more = all(mine > len(self.war.own(other)) for other in self.war.powers if other != to)
                if mine < least or not more:
                    self.war.seen["conceded to too few" if mine < least else "conceded to one not first"] += 1
                    continue
                self.war.seen["conceded to the first"] += 1
            needed = self.lacks(votes, to)
            offers.append((to, ("conceded", to, votes, needed), not needed))
        winners = [to for to, _, agreed in offers if agreed]
        self.war.seen["conceded to each other"] += len(winners) > 1
        for to, fact, _ in offers:
            self.told.append(fact)
            if winners == [to]:
                return Ending("concession", (to,), frozenset({"DP-V-5"}))
        return None
