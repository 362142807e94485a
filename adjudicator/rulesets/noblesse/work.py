"""A turn in progress: where everything is, what each player may do, and what it costs.

Every method answers a question or makes one change. `night` and `day` decide which changes a turn makes, and when.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from adjudicator.core.contract.acts import Fault, because
from adjudicator.core.contract.draft import Draft, Line
from adjudicator.core.contract.resolution import Fact, Resolution, SeatId, Verdict
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.noblesse.battle import Strength
from adjudicator.rulesets.noblesse.events import (
    EVERYBODY,
    AnyEvent,
    Control,
    Died,
    FactionGone,
    Gone,
    HeirDied,
    Left,
    Published,
    Rumour,
    Silent,
    Succession,
    Turned,
    Untitled,
)
from adjudicator.rulesets.noblesse.orders import Order, Sheet, Unreadable, read_orders
from adjudicator.rulesets.noblesse.position import (
    BASIC,
    Courtier,
    Faction,
    Holding,
    Offer,
    Option,
    Player,
    Position,
    Unit,
)
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Company, Priced, Resource, Stock, tables
from adjudicator.rulesets.noblesse.treaties import Treaty, relation

NOBODY, NEUTRALS = "", "neutral units"
"""The owner of a neutral unit, and the name of such units (NB-E-17)."""
LIMIT, FREE_GARRISONS = 3, 2
"""Most units that a faction may have on an estate, and most Garrisons in addition (NB-B-9)."""


class Work(Draft[Position, Verdict, AnyEvent], rules="NB", by_key=("units", "away", "treaties")):
    """A turn in progress."""

    players: dict[SeatId, Player]
    factions: dict[str, Faction]
    estates: dict[str, Holding]
    units: dict[str, Unit]
    away: dict[str, int]
    offers: list[Offer]
    treaties: dict[str, Treaty]
    sheets: Mapping[SeatId, Sheet]

    def __init__(self, position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> None:
        super().__init__(position, sheets, dice)
        self.scenario = position.settings.board
        self.cycle = position.cycle
        self.bound: dict[str, tuple[SeatId, Order]] = {}
        """Unit -> its order to move, which all units carry out at once (NB-B-10)."""
        self.votes: dict[SeatId, str] = {}
        """Player -> the player they vote to lynch today, or `night` (NB-W-5)."""
        self.published: list[Published] = []
        """Intents of treaties that were signed today (NB-T-5)."""
        self.challenges: list[tuple[SeatId, Order]] = []
        """Requests for battle or conquest, in the order of work (NB-H-8)."""
        self.orders: dict[SeatId, list[Order]] = {}
        self.results: dict[int, str] = {}
        """Number of an order with a verdict -> its result."""
        self.aimed: dict[int, tuple[tuple[SeatId, str, bool], ...]] = {}
        """Number of a paid action -> its victims: player, faction, and whether that is certain."""
        self.idle: set[int] = set()
        """Numbers of actions that were paid for and succeeded, but without effect (NB-X-8, NB-X-15)."""
        self.busy: dict[SeatId, set[int]] = {seat: set() for seat in self.players}
        """Courtiers who already had their assignment for this cycle (NB-K-1)."""
        self.nobles: dict[str, int] = {}
        """Faction -> number of its Nobles, counted once for the whole Night (NB-A-6)."""
        self.named: set[str] = set()
        """Names of units that were raised in this turn."""
        self.open: set[str] = set()
        self.burnt: set[tuple[str, str]] = set()
        self.bribed: set[tuple[str, Resource]] = set()
        self.inspired: dict[str, Strength] = {}
        """Unit -> the strength that abilities added tonight (NB-C-13)."""
        self.levies: dict[SeatId, list[int]] = {}
        """Player -> the discounts on their next units tonight (NB-C-14)."""
        self.thrift: Counter[tuple[SeatId, str]] = Counter()
        """Player, and an action or a building -> their discount on it tonight (NB-C-15)."""
        self.gathered: dict[SeatId, Stock] = {}
        """Player -> the extra yield of their Home tonight (NB-C-16)."""
        self.warded: set[str] = set()
        """Estates that are protected tonight (NB-C-17)."""
        self.reach: Counter[SeatId] = Counter()
        """Player -> how many more estates their Spies can travel tonight (NB-C-20)."""
        self.plundered: dict[str, SeatId] = {}
        """Estate -> the player who takes its income tonight (NB-C-25)."""
        self.wooed: set[tuple[SeatId, SeatId]] = set()
        """Pairs of players: the first won over the second's Heir tonight (NB-C-26)."""
        self.turned: dict[SeatId, tuple[str, int]] = {}
        """Player who changed sides this turn -> the faction they left, and the number of events before that (NB-P-20)."""
        self.returned: dict[str, SeatId] = {}
        """Rented unit of a player who changed sides -> the leader who received it (NB-P-21)."""
        self.sides: dict[int, str] = {}
        """Number of an order with a verdict -> the faction of its player at that time (NB-P-20)."""
        self.marched: set[str] = set()
        """Units that were on a forced march (NB-X-6)."""
        self.mastered: set[SeatId] = set()
        """Players who had a working Spymaster before any post was taken tonight (NB-G-10)."""
        self.ways: dict[tuple[SeatId, int], tuple[str, ...]] = {}
        """Spy -> the estates that they passed or stopped at this Night."""

    # Players --------------------------------------------------------------------------------------------------------

    def living(self, faction: str | None = None) -> list[SeatId]:
        """Living players by name, of one faction if it is given."""
        return [
            seat
            for seat, player in sorted(self.players.items())
            if player.alive and (faction is None or player.faction == faction)
        ]

    def leader(self, faction: str) -> SeatId | None:
        """A faction's leader; None if the faction is gone."""
        return self.factions[faction].leader

    def count_nobles(self) -> None:
        """Count the Nobles once for the whole Night (NB-A-6); hostages do not count (NB-P-15)."""
        self.nobles = {name: len(faction.nobles) for name, faction in self.factions.items()}

    def seats_in_order(self) -> list[SeatId]:
        """Living players in the order of work: factions by Nobles, then prestige; in each, the leader, then members by name (NB-A-4, A-5, A-7)."""
        ranked = sorted(self.factions, key=lambda name: (-self.nobles.get(name, 0), self.scenario.prestige(name)))
        return [
            seat
            for faction in ranked
            for seat in sorted(self.living(faction), key=lambda member: (member != self.leader(faction), member))
        ]

    def hearers(self, *seats: SeatId | None) -> tuple[SeatId, ...]:
        """The players themselves and the leaders of their factions: a leader hears about everything that concerns a member."""
        hearers = {seat for seat in seats if seat is not None and seat != NOBODY}
        hearers |= {leader for seat in list(hearers) if (leader := self.leader(self.players[seat].faction)) is not None}
        return tuple(sorted(hearers))

    def faction_then(self, seat: SeatId, event: int) -> str:
        """The faction that a player belonged to at the event with this index in the turn (NB-P-20)."""
        before, since = self.turned.get(seat, ("", 0))
        return before if event < since else self.players[seat].faction

    def heirs_at(self, estate: str) -> list[SeatId]:
        """Players whose Heirs are on an estate: with their unit, as hostages at the holder's home, or at home (NB-C-26)."""
        return [seat for seat in self.living() if self._place_of_heir(seat) == estate]

    def _place_of_heir(self, seat: SeatId) -> str | None:
        player = self.players[seat]
        if player.heir is None:
            return None
        if player.heir.unit is not None:
            return self.units[player.heir.unit].at
        return player.home if player.heir.hostage is None else self.players[player.heir.hostage].home

    def change(self, seat: SeatId, **fields: Any) -> None:
        """Change fields of a player."""
        self.players[seat] = replace(self.players[seat], **fields)

    # Verdicts -------------------------------------------------------------------------------------------------------

    def judge(self, seat: SeatId, order: Line | str, result: str, reason: str, rule: str, /, **facts: Fact) -> None:
        """Record the verdict on an order, and its result by the order's number."""
        if isinstance(order, Order) and order.number:
            self.results[order.number] = result
            self.sides[order.number] = self.players[seat].faction
        super().judge(seat, order, result, reason, rule, **facts)

    def not_your_unit(self, seat: SeatId, order: Order, rule: str) -> Fault:
        """The fault in an order for another player's unit: `fails` if the giver had it when the turn began, otherwise `illegal`."""
        name = order.args["unit"]
        had = self.start.units.get(name)
        return because(
            "not-your-unit", rule, "fails" if had is not None and had.owner == seat else "illegal", unit=name
        )

    def not_your_estate(self, seat: SeatId, order: Order, rule: str, reason: str = "not-your-estate") -> Fault:
        """The fault in an order for another player's estate: `fails` if the giver held it when the turn began, otherwise `illegal`."""
        at, before = order.args["estate"], self.start.players[seat]
        # Players know their faction's holdings only where their Steward was (NB-C-9).
        served = order.kind in {"tax", "hand"} and any(
            courtier.post == "steward" and courtier.at == at for courtier in before.courtiers
        )
        held = self.start.estates.get(at, Holding()).by in {seat, *([before.faction] if served else [])}
        return because(reason, rule, "fails" if held else "illegal", at=at)

    def read_sheets(self, allowed: Iterable[str]) -> None:
        """Read every sheet. Orders that are unreadable or belong to another kind of turn get their verdicts (NB-A-16)."""
        times = frozenset(allowed)
        number = 0
        for seat in sorted(self.players):
            kept = self.orders.setdefault(seat, [])
            sheet = self.sheets.get(seat)
            if sheet is None or not self.players[seat].alive:
                continue
            for line, order in read_orders(self.start.settings.board, sheet):
                if isinstance(order, Unreadable):
                    right = f"; {order.right}" if order.right else ""
                    self.judge(seat, line, "unreadable", "unreadable", "A-16", what=f"{order.what}{right}")
                elif order.when not in times:
                    self.judge(seat, order, "illegal", "not-now", "A-16", phase=self.start.phase.value)
                else:
                    number += 1
                    kept.append(replace(order, number=number))
            for line in sheet.founding if times else [f"Treaty with {proposal.to}" for proposal in sheet.treaties]:
                self.judge(seat, line, "illegal", "not-now", "A-16", phase=self.start.phase.value)

    def orders_of(self, *kinds: str) -> Iterator[tuple[SeatId, Order]]:
        """Orders of these kinds, in the order of work; those of one player in the order written."""
        for seat in self.seats_in_order():
            for order in self.orders[seat]:
                if order.kind in kinds and self.players[seat].alive:
                    yield seat, order

    # Stocks and Courtiers -------------------------------------------------------------------------------------------

    def too_poor(self, seat: SeatId, price: Stock) -> Fault | None:
        """The fault in an order whose price exceeds the player's stock: the whole order fails (NB-A-13). None if it can be paid."""
        stock = self.players[seat].stock
        return None if stock.covers(price) else because("too-poor", "A-13", price=str(price), stock=str(stock))

    def pay(self, seat: SeatId, order: Order, price: Stock) -> bool:
        """Take a price out of a player's stock. If the stock is too small, the order fails and the result is False."""
        fault = self.too_poor(seat, price)
        if fault is not None:
            self.fail(seat, order, fault)
            return False
        self.change(seat, stock=self.players[seat].stock - price)
        return True

    def give(self, seat: SeatId, amount: Stock) -> None:
        """Add to a player's stock."""
        self.change(seat, stock=self.players[seat].stock + amount)

    def free_courtiers(self, seat: SeatId, count: int = 1) -> list[Courtier]:
        """Courtiers at court without an assignment this cycle, at most `count` (NB-K-1)."""
        at_court = [
            courtier
            for courtier in self.players[seat].courtiers
            if courtier.post == "court" and courtier.id not in self.busy[seat]
        ]
        return at_court[:count]

    def post(self, seat: SeatId, number: int, **fields: Any) -> None:
        """Give a Courtier another post."""
        courtiers = tuple(
            replace(courtier, **fields) if courtier.id == number else courtier
            for courtier in self.players[seat].courtiers
        )
        self.change(seat, courtiers=courtiers)

    def send_home(self, seat: SeatId, number: int) -> None:
        """Send a Courtier back to court."""
        self.post(seat, number, post="court", at=None, what=None)

    def posted(self, post: str, at: str | None = None, what: str | None = None) -> list[tuple[SeatId, Courtier]]:
        """Courtiers at a post, with their players; only those at one estate, or with one `what`, if given."""
        return [
            (seat, courtier)
            for seat, player in sorted(self.players.items())
            for courtier in player.courtiers
            if courtier.post == post and at in {None, courtier.at} and what in {None, courtier.what}
        ]

    def posted_at(self, post: str) -> Mapping[str, list[tuple[SeatId, Courtier]]]:
        """Estate -> the Courtiers at that post there, with their players."""
        by_estate: dict[str, list[tuple[SeatId, Courtier]]] = defaultdict(list)
        for seat, courtier in self.posted(post):
            by_estate[courtier.at or ""].append((seat, courtier))
        return by_estate

    def has_spy(self, seat: SeatId, estate: str) -> bool:
        """True if a player has a Spy on an estate."""
        return any(courtier.post == "spy" and courtier.at == estate for courtier in self.players[seat].courtiers)

    def has_option(self, seat: SeatId, option: Option) -> bool:
        """True if a player may use one of their four options (NB-C-3)."""
        return self.players[seat].without != option

    def ability_price(self, seat: SeatId, option: Priced) -> Stock:
        """Price of an ability."""
        return self.scenario.ability_price(self.players[seat].faction, option)

    def price_after_thrift(self, seat: SeatId, what: str, price: Stock) -> Stock:
        """A price reduced by the player's thrift tonight, but never below 1 of any resource in it (NB-C-15)."""
        less = self.thrift[seat, what]
        return Stock(**{name: min(full, max(1, full - less)) for name in RESOURCES for full in (getattr(price, name),)})

    # Estates --------------------------------------------------------------------------------------------------------

    def holding(self, estate: str) -> Holding:
        """An estate's controller and buildings; empty if it has neither."""
        return self.estates.get(estate, Holding())

    def hold(self, estate: str, **fields: Any) -> None:
        """Change an estate."""
        self.estates[estate] = replace(self.holding(estate), **fields)

    def faction_at(self, estate: str) -> str | None:
        """The faction that controls an estate, by itself or by one of its players (NB-V-9)."""
        by = self.holding(estate).by
        return self.players[by].faction if by in self.players else by

    def home_of(self, estate: str) -> SeatId | None:
        """The player whose Home Estate this is, if any."""
        return next((seat for seat, player in sorted(self.players.items()) if player.home == estate), None)

    def base_income(self, estate: str) -> Stock:
        """An estate's base income; for a Home, the income its player designed (NB-E-1)."""
        seat = self.home_of(estate)
        return self.players[seat].design if seat is not None else self.scenario.income(estate)

    def estate_limit(self, seat: SeatId) -> int:
        """Number of estates that a player may control besides their Home, even if the Home is lost (NB-E-4, E-5, C-21)."""
        player = self.players[seat]
        return player.had_heir + self.scenario.core_amount(player.role, "domain")

    def controlled(self, seat: SeatId) -> list[str]:
        """The estates that a player controls themselves."""
        theirs = {estate for estate, holding in self.estates.items() if holding.by == seat}
        return [estate for estate in self.scenario.estates if estate in theirs]

    def has_working(self, seat: SeatId, building: str, estate: str | None = None) -> bool:
        """True if a player has this building complete, staffed and not burnt tonight (NB-G-6, X-8)."""
        need = tables().buildings[building].staff
        for at in self.controlled(seat) if estate is None else [estate]:
            done = self.holding(at).buildings.get(building)
            if done is None or done > 0 or (at, building) in self.burnt or self.holding(at).by != seat:
                continue
            if len([1 for whose, _ in self.posted("staff", at, building) if whose == seat]) >= need:
                return True
        return False

    def lose_control(self, estate: str, *, seized: bool = True) -> None:
        """Take an estate from its owner. Courtiers there go home, and unfinished buildings are lost (NB-E-11 to E-15).

        If another faction seized it, all Spies go home too; Commanders stay with their units (NB-E-14, NB-K-6).
        """
        by, faction = self.holding(estate).by, self.faction_at(estate)
        for post in ("steward", "tax", "lobby", "overseer", "staff", *(["spy"] if seized else [])):
            for seat, courtier in self.posted(post, estate):
                self.send_home(seat, courtier.id)
        if faction is not None:
            for name, noble in sorted(self.factions[faction].nobles.items()):
                if noble.at == estate:
                    self.untitle(faction, name)
        self.free_estate(
            estate, self.hearers(by if by in self.players else None, self.leader(faction) if faction else None)
        )

    def untitle(self, faction: str, name: str) -> None:
        """Turn a Noble without a seat into an ordinary Courtier of the leader (NB-X-23)."""
        mine = self.factions[faction]
        noble = mine.nobles[name]
        left = {title: other for title, other in mine.nobles.items() if title != name}
        self.factions[faction] = replace(mine, nobles=left)
        self.tell(Untitled(heard=self.hearers(mine.leader), faction=faction, noble=name))
        if mine.leader is None:
            return
        number = self.add_courtier(mine.leader)
        if noble.unit is not None:
            self.post(mine.leader, number, post="commander", what=noble.unit)
            self.units[noble.unit] = replace(self.units[noble.unit], leader="courtier", name=str(number))

    def add_courtier(self, seat: SeatId) -> int:
        """Add a Courtier to a player's court, and return the Courtier's number."""
        courtiers = self.players[seat].courtiers
        number = max((courtier.id for courtier in courtiers), default=0) + 1
        self.change(seat, courtiers=(*courtiers, Courtier(id=number)))
        return number

    # Units ----------------------------------------------------------------------------------------------------------

    def faction_of(self, unit: Unit) -> str:
        """The faction of a unit; `NEUTRALS` for a neutral unit (NB-E-17)."""
        return self.players[unit.owner].faction if unit.owner != NOBODY else NEUTRALS

    def units_at(self, estate: str) -> list[str]:
        """The units on an estate, sorted by name."""
        return sorted([name for name, unit in self.units.items() if unit.at == estate])

    def add_unit(self, seat: SeatId, unit: Unit) -> str:
        """Put a new unit on the board and return its name, drawn by lot from those that no unit had tonight."""
        name = self.draw_name("U", f"unit:{self.cycle}:{seat}", {*self.start.units, *self.named})
        self.named.add(name)
        self.units[name] = unit
        return name

    def draw_name(self, letter: str, roll: str, taken: Iterable[str]) -> str:
        """Draw a free name by lot, a letter and a number, so that it reveals nothing."""
        used = set(taken)
        return next(
            name
            for attempt in itertools.count(1)
            if (name := f"{letter}{self.dice.roll(f'{roll}:{attempt}', 900) + 99}") not in used
        )

    def fits(self, estate: str, faction: str, formation: str) -> bool:
        """True if one more unit of a faction fits on an estate (NB-B-9)."""
        mine = [unit for unit in self.units.values() if self.faction_of(unit) == faction]
        return room_for(mine, estate, formation)

    def company(self, unit: Unit, name: str) -> Company:
        """A company's design; `own` is the design of the role that recruited it."""
        if name == "own":
            role = unit.role or self.players[unit.owner].role
            return self.scenario.roles[role].company
        return self.scenario.companies[name]

    def designs(self, unit: Unit) -> tuple[str, ...]:
        """The designs of a unit's companies, including its officer's if a company leads it."""
        return (*unit.companies, unit.name) if unit.leader == "company" and unit.name != BASIC else unit.companies

    def strength(self, name: str) -> Strength:
        """Strength that a unit adds to its side tonight, from companies, leader, buildings and abilities."""
        unit = self.units[name]
        total = self.leader_strength(unit)
        for company in unit.companies:
            total += self.company(unit, company).strength
        owner = unit.owner
        if owner == NOBODY:
            return total
        role = self.players[owner].role
        if self.has_working(owner, "war council") or (
            self.scenario.has_core(role, "council") and self._oldest(owner) == name
        ):
            # The core ability gives one of the player's units the War Council's bonus even without the building (NB-C-11).
            total += Strength(**self.scenario.factions[self.players[owner].faction].council)
        for core in self.scenario.cores(role):
            if core.effect == "inspire" and core.of in {unit.formation, unit.leader}:
                total += core.strength
        if unit.formation == "garrison" and self.holding(unit.at).by == owner and self.has_working(owner, "arsenal"):
            total += Strength(morale=15)
        return total + self.inspired.get(name, Strength())

    def _oldest(self, owner: SeatId) -> str:
        """The player's unit that has been in the field longest (NB-C-11)."""
        return min((unit.recruited, name) for name, unit in self.units.items() if unit.owner == owner)[1]

    def leader_strength(self, unit: Unit) -> Strength:
        """Strength that a unit's leader adds (NB-K-6, NB-P-2, NB-P-4)."""
        match unit.leader:
            case "pc" | "heir":
                return Strength(attack=3)
            case "courtier" | "noble":
                return Strength(attack=2)
            case "unique":
                return self.scenario.officers[unit.name].strength
            case "company":
                return Strength(attack=1) if unit.name == BASIC else self.scenario.companies[unit.name].strength

    def dismiss(self, name: str, why: Any, *, dies: bool) -> None:
        """Remove a unit. With `dies`, family members die with it; other leaders go home, and officers are lost (NB-P-3, P-4, K-7)."""
        unit = self.units.pop(name)
        heard, faction = self.hearers(unit.owner), self.faction_of(unit)
        fate = self.bereave(name, unit, dies=dies)
        if unit.rented is not None:
            self.away[unit.rented] = self.cycle + 2
        if (
            self.faction_of(unit) == faction
        ):  # otherwise it fell before its owner changed sides, so it fell for the old faction (NB-P-20)
            heard = self.hearers(unit.owner)
        self.tell(Gone(heard=heard, unit=name, owner=unit.owner, at=unit.at, why=why, leader=fate))  # type: ignore[arg-type]  # one of three

    def bereave(self, name: str, unit: Unit, *, dies: bool) -> str:
        """Take a unit's leader from it and return their fate: `home`, `dead` or `lost`."""
        owner = unit.owner
        match unit.leader:
            case "courtier":
                self.send_home(owner, int(unit.name))
                return "home"
            case "noble":
                faction = self.factions[self.players[owner].faction]
                noble = faction.nobles.get(unit.name)
                if noble is not None:
                    nobles = {**faction.nobles, unit.name: replace(noble, unit=None)}
                    self.factions[self.players[owner].faction] = replace(faction, nobles=nobles)
                return "home"
            case "pc":
                self.change(owner, unit=None)
                if dies:
                    self.kill(owner, "battle")
                return "dead" if dies else "home"
            case "heir":
                heir = self.players[owner].heir
                if heir is not None:
                    self.change(owner, heir=None if dies else replace(heir, unit=None))
                if dies:
                    self.tell(HeirDied(heard=self.hearers(owner), seat=owner))
                return "dead" if dies else "home"
            case "unique":
                if dies:
                    return "lost"
                faction_ = self.factions[self.players[owner].faction]
                holder = {**faction_.officers, unit.name: owner}
                self.factions[self.players[owner].faction] = replace(faction_, officers=holder)
                return "home"
            case "company":
                return "lost"

    def relation(self, faction: str, other: str) -> str:
        """The state between two factions (NB-H-1)."""
        return "allied" if faction == other else relation(self.treaties, faction, other)

    def must_fight(self, estate: str, faction: str, other: str) -> bool:
        """True if units of two factions that meet on an estate fight (NB-H-2 to H-5, H-10, battle procedure, 2)."""
        if faction == other or estate in self.open:
            return False
        state = self.relation(faction, other)
        return state == "hostile" or (state == "neutral" and self.faction_at(estate) not in {faction, other})

    def spares_at(self, holder: SeatId, estate: str) -> bool:
        """True if the holder has a hostage from the player who controls this estate or has their Home there (NB-P-12)."""
        by = self.holding(estate).by
        return any(self.spares(holder, giver) for giver in (self.home_of(estate), by) if giver is not None)

    def spares(self, holder: SeatId, giver: SeatId) -> bool:
        """True if the holder has the giver's Heir as a hostage and so may do nothing against the giver (NB-P-12)."""
        heir = self.players[giver].heir if giver in self.players else None
        return heir is not None and heir.hostage == holder

    # Deaths ---------------------------------------------------------------------------------------------------------

    def kill(self, seat: SeatId, why: Any) -> None:
        """Kill a Player Character. Their Heir succeeds them, or the player is out (NB-P-5, P-7, P-9, P-13, P-16)."""
        player = self.players[seat]
        heir = player.heir
        self.tell(
            Died(heard=EVERYBODY, seat=seat, why=why, role=player.role, faction=player.faction, heir=heir is not None)
        )
        if player.unit is not None and player.unit in self.units:
            unit = self.units[player.unit]
            self.units[player.unit] = replace(unit, leader="company", name=BASIC)
        if heir is not None:
            if heir.unit is not None:
                self.units[heir.unit] = replace(self.units[heir.unit], leader="pc", name="")
            self.change(seat, wounds=0, unit=heir.unit, heir=None)
            if heir.won not in {None, player.faction} and self.leader(str(heir.won)) is not None:
                self.turn(seat, str(heir.won))
            return
        self.change(seat, alive=False, unit=None, married=None, reports=())
        for other, partner in sorted(self.players.items()):
            if partner.married == seat:
                self.change(other, married=None)
            if partner.heir is not None and partner.heir.hostage == seat:
                self.change(other, heir=replace(partner.heir, hostage=None))
        self.offers = [offer for offer in self.offers if seat not in {offer.by, offer.to}]
        self.bury(seat)

    def bury(self, seat: SeatId) -> None:
        """Give the possessions of a player without an Heir to their leader, or remove them (NB-P-16, P-17, L-4)."""
        faction = self.players[seat].faction
        self._hand_on_lead(seat, faction)
        mine = self.factions[faction]
        self.change(seat, stock=Stock())
        leader = mine.leader
        if leader is None:
            self._dissolve(faction, None)
            return
        for name, unit in sorted(self.units.items()):
            if unit.owner != seat:
                continue
            led = unit
            if unit.leader == "courtier":
                number = self.add_courtier(leader)
                self.post(leader, number, post="commander", what=name)
                led = replace(unit, name=str(number))
            self.units[name] = replace(led, owner=leader, role=unit.role or self.players[seat].role)
        officers = {officer: leader if whose == seat else whose for officer, whose in mine.officers.items()}
        self.factions[faction] = replace(self.factions[faction], officers=officers)
        for sent in self.players[seat].courtiers:
            if sent.post == "steward" and sent.at is not None and self.holding(sent.at).by == faction:
                number = self.add_courtier(leader)
                self.post(leader, number, post="steward", at=sent.at)
        for estate in self.controlled(seat):
            self._unseat(faction, estate)
            self.free_estate(estate, self.hearers(leader))
        self.change(seat, courtiers=())

    def turn(self, seat: SeatId, to: str) -> None:
        """Move a player to another faction. Their own property goes with them, and the old faction's stays (NB-P-20, P-21).

        Only they and their new leader hear which faction it is. The old leader hears that they left (NB-P-22).
        """
        old = self.players[seat].faction
        for name, unit in sorted(self.units.items()):
            if unit.owner == seat and unit.leader in {"noble", "unique"}:
                self.bereave(name, unit, dies=False)
                self.units[name] = replace(unit, leader="company", name=BASIC)
        self.turned[seat] = (old, len(self.events))
        self.change(seat, faction=to)
        heard = self.hearers(seat)
        self.tell(Turned(heard=heard, seat=seat, faction=to, before=old))
        self._hand_on_lead(seat, old)
        leader = self.leader(old)
        for sent in self.players[seat].courtiers:
            if sent.post == "steward" and self.holding(sent.at or "").by == old:
                self.send_home(seat, sent.id)
        for name, unit in sorted(self.units.items()):
            if unit.owner == seat and unit.rented is not None:
                self._give_back(name, unit, leader)
        if leader is None:
            self._dissolve(old, heard)
            return
        self.tell(Left(heard=(leader,), seat=seat, faction=old))
        for estate in self.controlled(seat):
            self._unseat(old, estate)
        mine = self.factions[old]
        officers = {officer: leader if whose == seat else whose for officer, whose in mine.officers.items()}
        successor = None if mine.successor == seat else mine.successor
        self.factions[old] = replace(mine, officers=officers, successor=successor)

    def _give_back(self, name: str, unit: Unit, leader: SeatId | None) -> None:
        """Give the rented unit of a player who changed sides to the leader who pays for it; without a leader it is dismissed (NB-P-21)."""
        if leader is None:
            self.dismiss(name, "faction-gone", dies=False)
            return
        if unit.leader == "pc":
            self.change(unit.owner, unit=None)
            unit = replace(unit, leader="company", name=BASIC)
        self.units[name] = replace(unit, owner=leader)
        self.returned[name] = leader

    def _hand_on_lead(self, seat: SeatId, faction: str) -> None:
        """If a player led the faction, pass the lead and the stock to a living member, if any is left (NB-L-3, L-4)."""
        mine = self.factions[faction]
        if mine.leader != seat:
            return
        alive = self.living(faction)
        heir = mine.successor if mine.successor in alive else next(iter(alive), None)
        self.factions[faction] = replace(mine, leader=heir, successor=None)
        if heir is not None:
            self.give(heir, self.players[seat].stock)
            self.change(seat, stock=Stock())
            self.tell(Succession(heard=tuple(alive), faction=faction, leader=heir))

    def _dissolve(self, faction: str, heard: tuple[SeatId, ...] | None) -> None:
        """Remove a faction without living players (NB-P-17). The players in `heard` hear of it; without `heard`, everybody does."""
        for name in [name for name, unit in self.units.items() if self.faction_of(unit) == faction]:
            self.dismiss(name, "faction-gone", dies=False)
        for estate in self.scenario.estates:
            if self.faction_at(estate) == faction:
                self.free_estate(estate, ())
        for member, player in sorted(self.players.items()):
            if player.faction == faction:
                self.change(member, courtiers=())
        mine = self.factions[faction]
        self.factions[faction] = replace(mine, nobles={}, officers={}, owed=(), penance=(), forced=())
        self.tell(FactionGone(heard=heard, faction=faction))

    def _unseat(self, faction: str, estate: str) -> None:
        """Take the title from each of a faction's Nobles whose seat is this estate (NB-X-23)."""
        for name in [name for name, noble in self.factions[faction].nobles.items() if noble.at == estate]:
            self.untitle(faction, name)

    def free_estate(self, estate: str, heard: tuple[SeatId, ...]) -> None:
        """Leave an estate without a controller; unfinished buildings are lost (NB-E-15)."""
        before = self.holding(estate)
        self.hold(estate, by=None, buildings={name: due for name, due in before.buildings.items() if due == 0})
        self.tell(Control(heard=heard, at=estate, by=None, before=before.by))

    # The end --------------------------------------------------------------------------------------------------------

    def done(self, position: Position) -> Resolution[Position, AnyEvent]:
        """The outcome: verdicts by player, and public events in an order that does not reveal who went first (NB-A-4, NB-Y-8)."""
        self.verdicts.sort(key=lambda verdict: verdict.seat)
        public = iter(sorted((event for event in self.events if event.heard is None), key=self._public_order))
        self.events = [next(public) if event.heard is None else event for event in self.events]
        return super().done(position)

    def _public_order(self, event: AnyEvent) -> tuple[int, int, str]:
        kinds = ("silent", "published", "voted", "rumour", "died", "faction_gone", "victory")
        at = self.scenario.estates.index(event.at) if isinstance(event, Rumour) else 0
        who = event.seat if isinstance(event, Silent | Died) else getattr(event, "faction", "")
        rank = self.scenario.prestige(who) if who in self.factions else at
        return kinds.index(event.event), rank, who

    def after(self, **fields: Any) -> Position:
        """The position with all changes so far; estates that nobody controls and without buildings are left out."""
        kept = {name: self.estates.get(name, Holding()) for name in self.scenario.estates}
        return super().after(estates={name: one for name, one in kept.items() if one != Holding()}, **fields)


def room_for(mine: Iterable[Unit], estate: str, formation: str) -> bool:
    """True if one more unit fits on an estate: a faction may have 3 there, and 2 more Garrisons (NB-B-9, B-10)."""
    here = [unit.formation for unit in mine if unit.at == estate]
    garrisons = here.count("garrison")
    if formation == "garrison" and garrisons < FREE_GARRISONS:
        return True
    return len(here) - min(garrisons, FREE_GARRISONS) < LIMIT
