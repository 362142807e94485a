"""The state of a turn in progress: land, realms, armies and parties as they are now, and what things cost.

Everything here answers a question or makes one change; the modules of the phases decide which changes a turn makes, and when.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.lines import find_name
from adjudicator.core.contract.resolution import Fact, SeatId, Verdict
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.acts import Part
from adjudicator.rulesets.grand_campaign.campaign import APART, rows_of
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.orders import Order, SeasonSheet, Unreadable, reader_of
from adjudicator.rulesets.grand_campaign.position import (
    Army,
    ArmyKey,
    Party,
    Position,
    Realm,
    Relations,
    by_row,
    id_order,
    labels,
    pair,
)
from adjudicator.rulesets.grand_campaign.reasons import REASONS, Reason
from adjudicator.rulesets.grand_campaign.rosters import Roster, character, mostly
from adjudicator.rulesets.grand_campaign.tables import (
    ARTEFACTS,
    CONSTRUCTIONS,
    FACTIONS,
    TERRAIN,
    ArmyRules,
    Construction,
    Terrain,
)

Relation = Literal["own", "allied", "neutral", "enemy"]
OPEN: frozenset[Relation] = frozenset({"own", "allied"})
NOBODY = ""
"""Controller of a hex that nobody controls; a neutral city is Enemy to everybody (GC-H-12)."""


class Enough(Exception):
    """Raised once every wanted line has its verdict."""


class World(Draft[Position, Verdict, AnyEvent], rules="GC"):
    """The campaign in the middle of a turn."""

    cities: dict[Hex, str]
    works: dict[Hex, str]
    realms: dict[SeatId, Realm]

    def __init__(self, position: Position, sheets: Mapping[SeatId, Any], dice: Dice) -> None:
        super().__init__(position, sheets, dice)
        self.plan = position.plan
        self.grid = position.grid
        self.turn = position.turn
        self.terrain = dict(position.terrain)
        self.ruins = frozenset(position.ruins)
        self.roads = set(position.roads)
        self.sabotaged = set(position.sabotaged)
        self.holder = dict(position.holder)
        self.gold = {seat: realm.gold for seat, realm in position.realms.items()}
        self.war = set(position.relations.war)
        self.alliance = set(position.relations.alliance)
        self.armies = {army.key: army for army in position.armies}
        self.parties = {party.key: party for party in position.parties}
        self.rank = {seat: at for at, seat in enumerate(position.opening.order if position.opening else position.order)}
        self.season = position.opening.season if position.opening else position.plan.configuration.first_season
        self.storm = position.opening is not None and position.opening.event == "stormy_seas"
        self.fallen: dict[SeatId, Army] = {}
        """Player -> the General's Army that they lost (GC-F-12)."""
        self.renamed: dict[ArmyKey, ArmyKey] = {}
        """Army that became the General's -> its current key (GC-F-14)."""
        self.converts: dict[SeatId, str] = {}
        """Player -> their faction from the next season on (GC-I-4)."""
        self.orders: dict[tuple[SeatId, Part], list[Order]] = {}
        self.wanted: set[str] = set()
        """Lines whose verdicts are wanted: `Enough` is raised after the last one. If empty, the turn is played to its end."""

    def trial(self, dice: Dice) -> World:
        """A copy for trying something out. Changes to the copy do not affect the original: everything that its dicts hold is frozen."""
        other = copy.copy(self)
        other.dice = dice
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set):
                setattr(other, name, value.copy())
        return other

    # Players, armies and parties ------------------------------------------------------------------------------------

    def relation(self, one: SeatId, other: SeatId) -> Relation:
        """The relation of two players (GC-L)."""
        if one == other:
            return "own"
        both = pair(one, other)
        return "enemy" if both in self.war else "allied" if both in self.alliance else "neutral"

    def at_war(self, one: SeatId, other: SeatId) -> bool:
        """Whether two players are Enemies."""
        return pair(one, other) in self.war

    def stance(self, seat: SeatId, label: Hex) -> Relation | None:
        """A player's relation to a hex: own, Allied, Neutral or Enemy land; None if it is unclaimed (GC-H-12)."""
        if label in self.cities:
            return "enemy"
        holder = self.holder.get(label)
        return None if holder is None else self.relation(seat, holder)

    def open_to(self, seat: SeatId, label: Hex) -> bool:
        """Whether land is own, Allied or unclaimed (GC-O-6, GC-O-7)."""
        stance = self.stance(seat, label)
        return stance is None or stance in OPEN

    def seats(self) -> list[SeatId]:
        """The players in Player Order (GC-D-1)."""
        return sorted(self.realms, key=self.rank.__getitem__)

    def army_order(self, key: ArmyKey) -> tuple[int, tuple[bool, int, str]]:
        """The key that sorts armies and parties by Player Order, then id."""
        thing = self.armies.get(key) or self.parties[key]
        return self.rank[thing.owner], id_order(thing.id)

    def standing(self, label: Hex) -> Army | None:
        """The army on a hex, if any (GC-O-8)."""
        return next((army for army in self.armies.values() if army.at == label), None)

    def armies_of(self, seat: SeatId) -> list[Army]:
        """A player's armies, by id."""
        return sorted((one for one in self.armies.values() if one.owner == seat), key=lambda one: id_order(one.id))

    def parties_of(self, seat: SeatId) -> list[Party]:
        """A player's parties, in the order of their ids."""
        return sorted((one for one in self.parties.values() if one.owner == seat), key=lambda one: id_order(one.id))

    def change(self, key: ArmyKey, **fields: Any) -> Army:
        """Change fields of an army."""
        self.armies[key] = replace(self.armies[key], **fields)
        return self.armies[key]

    def lose(self, key: ArmyKey, why: facts.End) -> None:
        """Remove an army; the artefacts that it bore can be found again (GC-F-18, GC-U-9)."""
        army = self.armies.pop(key)
        if army.general:
            self.fallen[army.owner] = army
        self.tell(facts.Perished(who=key, at=army.at or army.sank or "", why=why))

    def lose_party(self, key: ArmyKey, why: facts.End) -> None:
        """Remove a party, with all that it carried (GC-G-9)."""
        party = self.parties.pop(key)
        self.tell(facts.Perished(who=key, at=party.at, why=why))

    def change_party(self, key: ArmyKey, **fields: Any) -> Party:
        """Change fields of a party."""
        self.parties[key] = replace(self.parties[key], **fields)
        return self.parties[key]

    def reform(self, seat: SeatId, **fields: Any) -> Realm:
        """Change fields of a realm."""
        self.realms[seat] = replace(self.realms[seat], **fields)
        return self.realms[seat]

    # Land -----------------------------------------------------------------------------------------------------------

    def ground(self, label: Hex) -> Terrain:
        """The terrain of a hex."""
        return TERRAIN[self.terrain[label]]

    def work(self, label: Hex) -> Construction | None:
        """The construction on a hex, including neutral cities."""
        name = self.works.get(label) or self.cities.get(label)
        return CONSTRUCTIONS[name] if name is not None else None

    def settled(self) -> dict[Hex, str]:
        """Every hex with a Town, Fortress or City, neutral ones included -> its kind."""
        return {label: kind for label, kind in (self.works | self.cities).items() if CONSTRUCTIONS[kind].settlement}

    def roaded(self, label: Hex) -> bool:
        """Whether a hex has a road, or counts as having one (GC-E-9)."""
        work = self.work(label)
        return label in self.roads or (work is not None and work.settlement)

    def coastal(self, label: Hex) -> bool:
        """Whether a hex is coast: land beside the sea (GC-Y-6)."""
        return not self.ground(label).sea and any(
            self.ground(near).sea for near in self.grid.neighbours(label).values()
        )

    def crowded(self, spot: Hex, without: Hex | None = None) -> Hex | None:
        """The nearest settlement that is too near for another one, if any; `without` is left out (GC-E-2)."""
        near = [label for label in self.settled() if label != without and distance(spot, label) < APART]
        return min(near, key=lambda label: (distance(spot, label), hex_order(label)), default=None)

    def works_of(self, seat: SeatId) -> Iterator[tuple[Hex, str]]:
        """A player's constructions, in hex order."""
        for label in sorted(self.works, key=hex_order):
            if self.holder.get(label) == seat:
                yield label, self.works[label]

    def count(self, seat: SeatId, what: Literal["city", "fortress", "town", "mine"]) -> int:
        """Number of a player's settlements or Mines; a Dwarven Hold is a City and a Mine, a Temple City a City (GC-D-5)."""
        kinds = [CONSTRUCTIONS[kind] for _, kind in self.works_of(seat)]
        match what:
            case "city":
                return sum(kind.city for kind in kinds)
            case "mine":
                return sum(kind.mine for kind in kinds)
            case "fortress" | "town":
                return sum(kind is CONSTRUCTIONS[what] for kind in kinds)

    def capped(self, seat: SeatId, kind: str) -> bool:
        """Whether a player has as many of a construction as they may build (GC-E-10, GC-E-11)."""
        most = CONSTRUCTIONS[kind].most
        return most is not None and sum(one == kind for _, one in self.works_of(seat)) >= most

    def most_armies(self, seat: SeatId) -> int:
        """The number of armies that a player may have, without the General's (GC-F-7)."""
        rules = FACTIONS[self.realms[seat].faction].realm
        ruins = sum(self.holder.get(label) == seat for label in self.ruins) if rules.haunted else 0
        return self.count(seat, "city") + ruins + rules.armies

    def take(self, seat: SeatId, hexes: Iterable[Hex]) -> tuple[Hex, ...]:
        """Give hexes to a player; return those that were not theirs, in hex order."""
        new = labels(label for label in hexes if self.holder.get(label) != seat)
        for label in new:
            self.holder[label] = seat
        return new

    # Movement and factions ------------------------------------------------------------------------------------------

    def rules(self, army: Army) -> ArmyRules:
        """The rules of an army's faction (GC-I-1)."""
        return FACTIONS[army.faction].army

    def entry(self, army: Army, label: Hex) -> int | None:
        """The table's cost of entering a hex for an army; None if it cannot enter (GC-X-9, GC-I-21)."""
        code = self.terrain[label]
        cost = TERRAIN[code].cost
        if cost is not None:
            return cost
        ways = (
            way
            for way in self.rules(army).enters
            if code in way.into and (way.core is None or mostly(army.units, way.core))
        )
        return next((way.cost for way in ways), None)

    def discounted(self, army: Army, label: Hex) -> bool:
        """Whether an army enters a hex for 1 less, by the rules of its faction (GC-I-5)."""
        discount = self.rules(army).discount
        return self.terrain[label] in discount or self.ground(label).group in discount

    def surroundings(self, army: Army, label: Hex) -> Iterator[Hex]:
        """Free hexes that an army may occupy, by distance from one hex, then in hex order (GC-F-13, GC-L-14)."""
        taken = {one.at for one in self.armies.values()}
        return (
            spot
            for spot in self.grid.outwards(label)
            if spot not in taken and self.open_to(army.owner, spot) and self.entry(army, spot) is not None
        )

    # Gold -----------------------------------------------------------------------------------------------------------

    def earn(self, seat: SeatId, amount: int) -> int:
        """Add to a purse, up to the cap; return the amount lost (GC-B-3)."""
        total = self.gold[seat] + amount
        self.gold[seat] = min(total, self.plan.configuration.gold_cap)
        return total - self.gold[seat]

    # Artefacts ------------------------------------------------------------------------------------------------------

    def borne(self) -> dict[str, tuple[ArmyKey, str]]:
        """Artefact -> its bearer's army and name (GC-U-2)."""
        return {
            one.bears: (key, one.name)
            for key, army in self.armies.items()
            for one in map(character, army.characters)
            if one.bears is not None
        }

    def bears(self, key: ArmyKey, name: str) -> str | None:
        """The artefact that a character bears; None if they bear none, or do not exist."""
        people = map(character, self.armies[key].characters)
        return next((one.bears for one in people if one.name.casefold() == name.casefold()), None)

    def found(self, name: str) -> tuple[str, int, int] | None:
        """Roll for an artefact: on a 6, a second die decides its class. Return it with both dice, or None (GC-U-10, GC-U-12)."""
        first = self.dice.roll(f"{name}:found", 6)
        if first < 6:
            return None
        second = self.dice.roll(f"{name}:class", 6)
        borne = self.borne()
        for class_ in ("legendary" if second == 6 else "cursed" if second == 1 else "minor", "minor"):
            pool = sorted(one for one, thing in ARTEFACTS.items() if thing.class_ == class_ and one not in borne)
            if pool:
                return pool[self.dice.roll(f"{name}:{class_}", len(pool)) - 1], first, second
        return None

    def give(self, key: ArmyKey, name: str, artefact: str | None) -> bool:
        """Make a character bear an artefact, or none; False if the character does not exist, or bears one already (GC-U-4)."""
        lines = [character(line) for line in self.armies[key].characters]
        at = next((at for at, one in enumerate(lines) if one.name.casefold() == name.casefold()), None)
        if at is None or (artefact is not None and lines[at].bears is not None):
            return False
        lines[at] = replace(lines[at], bears=artefact)
        self.change(key, characters=tuple(one.line for one in lines))
        return True

    # Rosters --------------------------------------------------------------------------------------------------------

    def roster(self, seat: SeatId, name: str) -> Roster | None:
        """A list by its name: from the player's sheet, or from the campaign (GC-F-4)."""
        sheet = self.sheets.get(seat)
        sent = sheet.lists if isinstance(sheet, SeasonSheet) else {}
        return _called(name, sent) or _called(name, self.plan.rosters)

    def raised(self, seat: SeatId, id_: str, at: Hex | None, roster: Roster) -> Army:
        """A new army from a list (GC-F-16)."""
        return Army(
            owner=seat,
            id=id_,
            at=at,
            name=roster.general.name,
            faction=roster.faction or self.realms[seat].faction,
            points=roster.points,
            ld=roster.ld,
            characters=tuple(character(line).line for line in roster.characters),
            units=roster.units,
        )

    # Verdicts and facts ---------------------------------------------------------------------------------------------

    def judge(  # type: ignore[override]  # a campaign has a closed set of reasons, each with its rule
        self, seat: SeatId, line: str, result: str, reason: Reason, rule: str | None = None, /, **facts: Fact
    ) -> None:
        """Record the verdict on an order, citing the reason's rule unless another is named."""
        super().judge(seat, line, result, reason, rule or REASONS[reason].rule, **facts)
        if self.wanted:
            self.wanted.discard(line[:ORDER_LETTERS])
            if not self.wanted:
                raise Enough

    def did(self, seat: SeatId, order: Order) -> None:
        """Record that an order was carried out, citing the order's rule."""
        self.judge(seat, order.line, "succeeds", "done", order.rule)

    def succeeds(self, seat: SeatId, line: str, reason: Reason, /, **facts: Fact) -> None:
        """Record that an order succeeded, citing the rule of the reason."""
        self.judge(seat, line, "succeeds", reason, **facts)

    def fails(self, seat: SeatId, line: str, reason: Reason, /, **facts: Fact) -> None:
        """Record that an order failed."""
        self.judge(seat, line, "fails", reason, **facts)

    def read(self, *parts: Part) -> None:
        """Read these lists of every sheet; unreadable lines, and repeated ones that may occur only once, get their verdicts."""
        reader = reader_of(self.plan)
        for seat in sorted(self.sheets):
            for part in parts:
                kept = self.orders.setdefault((seat, part), [])
                seen: set[tuple[str, ...]] = set()
                for text in getattr(self.sheets[seat], part, None) or ():
                    order = reader.read(part, self.named(seat, text))
                    if isinstance(order, Unreadable):
                        right = f"; {order.right}" if order.right else ""
                        self.judge(seat, text, "unreadable", "unreadable", what=f"{order.what}{right}")
                        continue
                    key = reader.once(order)
                    if key in seen:
                        self.judge(seat, order.line, "illegal", "twice")
                        continue
                    seen.add(key)
                    kept.append(order)

    def named(self, seat: SeatId, text: str) -> str:
        """A line with an army's id instead of its name before the colon (GC-F-17)."""
        head, colon, rest = text.partition(":")
        if colon:
            for army in self.start.armies:
                if army.owner == seat and army.name.casefold() == head.strip().casefold():
                    return f"{army.id}:{rest}"
        return text

    def orders_of(self, part: Part, *kinds: str) -> Iterator[tuple[SeatId, Order]]:
        """The orders of these kinds in Player Order, each player's in the order they wrote them."""
        for seat in self.seats():
            for order in self.orders.get((seat, part), ()):
                if not kinds or order.kind in kinds:
                    yield seat, order

    # The end --------------------------------------------------------------------------------------------------------

    def after(self, **fields: Any) -> Position:
        """The position with all changes so far, and with these fields."""
        held: dict[SeatId, list[Hex]] = {seat: [] for seat in self.realms}
        for label, seat in self.holder.items():
            held[seat].append(label)
        return super().after(
            rows=rows_of(self.terrain, self.grid),
            roads=labels(self.roads),
            cities=_sorted(self.cities),
            works=_sorted(self.works),
            sabotaged=labels(self.sabotaged),
            realms={
                seat: replace(realm, gold=self.gold[seat], land=by_row(held[seat]))
                for seat, realm in self.realms.items()
            },
            relations=Relations(war=tuple(sorted(self.war)), alliance=tuple(sorted(self.alliance))),
            armies=tuple(sorted(self.armies.values(), key=lambda one: (one.owner, id_order(one.id)))),
            parties=tuple(sorted(self.parties.values(), key=lambda one: (one.owner, id_order(one.id)))),
            **fields,
        )


def _called(name: str, rosters: Mapping[str, Roster]) -> Roster | None:
    title = find_name(name, rosters)
    return rosters[title] if title is not None else None


def _sorted(things: Mapping[Hex, str]) -> dict[Hex, str]:
    return {label: things[label] for label in sorted(things, key=hex_order)}
