"""The Adventurer Phase: parties move and act one after the other, in Player Order (GC-Q)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.mechanics.hexes import Hex, distance
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.march import Farmland, Trouble, trouble
from adjudicator.rulesets.grand_campaign.marching import judge_items, price_of
from adjudicator.rulesets.grand_campaign.orders import Item, Order
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Party, Patrol, Quarrel
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.rosters import character, learn
from adjudicator.rulesets.grand_campaign.tables import ACTIONS, CALENDAR, CONSTRUCTIONS, FACTIONS, LANDS, PARTIES
from adjudicator.rulesets.grand_campaign.world import World

ACTS = ACTIONS.parties
LOOT_PURSE, LOOT, DIG, STONE = 5, 50, 10, 50
"""Gold per pip when looting (Party Gold, then Realm Gold), per pip in a ruin, and per Weirdstone (GC-Q-9, GC-Q-12, GC-Q-14)."""


@dataclass(slots=True)
class Walk:
    """A party in the Adventurer Phase: its list, its Movement, and how far it has come."""

    key: ArmyKey
    order: Order | None
    allowance: int
    start: Hex
    spent: int = 0
    farmland: Farmland = field(default_factory=Farmland)
    acted: bool = False
    number: int = 0
    path: list[tuple[int, Hex]] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)

    @property
    def back(self) -> Hex | None:
        """The hex that the party came from; None if it has not moved (GC-W-14)."""
        return None if not self.path else self.path[-2][1] if len(self.path) > 1 else self.start


class Adventures:
    """The Adventurer Phase."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.walks: dict[ArmyKey, Walk] = {}
        self.quarrels: list[Quarrel] = []
        self.eager: set[ArmyKey] = set()
        """Parties that ordered a skirmish on their hex (GC-Q-7)."""

    def run(self) -> tuple[Quarrel, ...]:
        """Run all parties in Player Order, each through its whole list, and return the skirmishes to be fought (GC-Q-2)."""
        world = self.world
        lists: dict[ArmyKey, Order] = {}
        for seat, order in world.orders_of("parties"):
            key = f"{seat} {order.args['party']}"
            if key in world.parties:
                lists[key] = order
            else:
                world.judge(seat, order.line, "illegal", "no-party")
        for key in sorted(world.parties, key=world.army_order):
            party = world.parties[key]
            self.walks[key] = Walk(key, lists.get(key), allowance_of(world, party), party.at)
        for key in sorted(world.parties, key=world.army_order):
            self._walk(self.walks[key])
        return tuple(self.quarrels)

    def fought(self, key: ArmyKey) -> bool:
        """Whether a party already has its skirmish this season (GC-Q-7)."""
        return any(key in (quarrel.comer, quarrel.other) for quarrel in self.quarrels)

    def strangers(self, party: Party) -> list[Party]:
        """Neutral and Enemy parties on a party's hex, in Player Order."""
        world = self.world
        return sorted(
            (
                one
                for one in world.parties.values()
                if one.at == party.at and world.relation(party.owner, one.owner) in {"neutral", "enemy"}
            ),
            key=lambda one: world.army_order(one.key),
        )

    def _walk(self, walk: Walk) -> None:
        world = self.world
        seat = world.parties[walk.key].owner
        world.change_party(walk.key, patrol=None)  # it lasts until the owner's next Adventurer Phase (GC-Q-16)
        if walk.order is None:
            return
        if self.fought(walk.key):
            walk.troubles.append(trouble("met-before"))
        else:
            for number, item in enumerate(walk.order.items, 1):
                if not self._do(walk, item):
                    self._leave_out(walk, walk.order.items[number:])
                    break
            if not self.fought(walk.key):
                self.meet(walk.key, eager=False)
        if walk.path:
            world.tell(facts.Marched(who=walk.key, start=walk.start, path=tuple(walk.path)))
        judge_items(world, seat, walk.order, walk.number, walk.troubles)

    def _leave_out(self, walk: Walk, late: Sequence[Item]) -> None:
        """Note that the items after the end of a list are left out, unless an earlier trouble explains it (GC-W-16, GC-O-16)."""
        if late and not walk.troubles and self.fought(walk.key):
            walk.troubles.append(trouble("met-before"))
        elif not walk.troubles:
            walk.troubles += [trouble("after", item) for item in late]

    def _do(self, walk: Walk, item: Item) -> bool:
        """Do one item of a party's list; return False if the list ends with it."""
        if item.kind in {"step", "portal"}:
            return self._step(walk, item)
        if walk.acted:
            walk.troubles.append(trouble("over-limit", item))
            return True
        party = self.world.parties[walk.key]
        if item.kind != "skirmish" and self.strangers(party):  # it costs nothing, and can be done later (GC-Q-5; GR-33)
            walk.troubles.append(trouble("strangers", item, hex=party.at))
            return not self.meet(walk.key, eager=False)
        cost = ACTS[item.kind].movement
        if walk.spent + cost > walk.allowance:
            walk.troubles.append(trouble("no-movement", item, cost=cost, left=walk.allowance - walk.spent))
            return False
        walk.spent += cost
        walk.acted = True
        problem = DEEDS[item.kind](Deed(self, walk, item))
        if problem is not None:
            walk.troubles.append(problem)
        else:
            walk.number += 1
        return not (ACTS[item.kind].ends or self.fought(walk.key) or walk.key not in self.world.parties)

    # Moving ---------------------------------------------------------------------------------------------------------

    def _step(self, walk: Walk, item: Item) -> bool:
        world, party = self.world, self.world.parties[walk.key]
        there = self._target(party, item)
        if there is None:
            walk.troubles.append(trouble("off-map" if item.kind == "step" else "no-portal", item))
            return False
        cost = _cost(world, party, there, walk)
        if cost is None:
            walk.troubles.append(trouble("barred", item, hex=there, terrain=world.ground(there).name))
            return False
        if walk.spent + cost > walk.allowance:
            walk.troubles.append(trouble("no-movement", item, cost=cost, left=walk.allowance - walk.spent))
            return False
        if world.ground(party.at).sea == world.ground(there).sea:
            walk.farmland.enter(world.ground(there), road=world.roaded(there))
        walk.spent += cost
        walk.number += 1
        walk.path.append((walk.spent, there))
        world.change_party(walk.key, at=there)
        return not self._patrolled(walk, there)

    def _target(self, party: Party, item: Item) -> Hex | None:
        if item.kind == "step":
            assert item.way is not None
            return self.world.grid.step(party.at, item.way)
        opening = self.world.start.opening
        portals = opening.portals if opening is not None else ()
        return item.hex if party.at in portals and item.hex in portals and item.hex != party.at else None

    def _patrolled(self, walk: Walk, there: Hex) -> bool:
        """Bring the first patrol in Player Order that may fight a party here; True if one comes (GC-Q-15, GC-Q-16; GR-32)."""
        world = self.world
        for key in sorted(world.parties, key=world.army_order):
            party = world.parties[key]
            if party.patrol is None or self.fought(key) or not self._watches(party, world.parties[walk.key].owner):
                continue
            reach = PARTIES[party.type_].patrols
            if distance(party.at, there) > reach:
                continue
            way = world.grid.path(party.at, there, lambda label: world.ground(label).cost is not None)
            if way is None or len(way) > reach:
                continue
            back = party.at
            world.change_party(key, at=there, patrol=None)
            if way:  # a party that enters the patrol's own hex is met there
                world.tell(facts.Marched(who=key, start=back, path=tuple((0, label) for label in way)))
            self._quarrel(key, walk.key, there, back if way else self.walks[key].back, walk.back)
            return True
        return False

    def _watches(self, party: Party, seat: SeatId) -> bool:
        """Whether a patrol is directed against a player's parties (GR-32)."""
        assert party.patrol is not None
        relation = self.world.relation(party.owner, seat)
        against = relation == "enemy" or (relation == "neutral" and party.patrol.all)
        return against and seat not in party.patrol.but

    # Meeting --------------------------------------------------------------------------------------------------------

    def meet(self, key: ArmyKey, *, eager: bool) -> bool:
        """Start a skirmish on a party's hex if one side wants it or both have moved; True if one starts (GC-Q-7)."""
        party = self.world.parties[key]
        for other in self.strangers(party):
            moved = bool(self.walks[key].path) and bool(self.walks[other.key].path)
            if not self.fought(other.key) and (eager or other.key in self.eager or moved):
                self._quarrel(key, other.key, party.at, self.walks[key].back, self.walks[other.key].back)
                return True
        return False

    def _quarrel(self, comer: ArmyKey, other: ArmyKey, at: Hex, back: Hex | None, others: Hex | None) -> None:
        self.quarrels.append(Quarrel(comer=comer, other=other, at=at, comer_back=back, other_back=others))
        self.world.tell(facts.Met(comer=comer, other=other, at=at))


def allowance_of(world: World, party: Party) -> int:
    """A party's Adventurer Movement this season (GC-G-6, GC-J-5, GC-J-8)."""
    return PARTIES[party.type_].movement + CALENDAR.seasons[world.season].movement


def _cost(world: World, party: Party, there: Hex, walk: Walk) -> int | None:
    """The Movement that a step costs a party: as for an army, without discounts (GC-Q-3)."""
    ground = world.ground(there)
    if ground.cost is None:
        return None
    return price_of(world, (party.at, there), walk.farmland, ground, ground.cost, crossing=LANDS.crossing)


# Actions of parties -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deed:
    """A party's Action being carried out."""

    phase: Adventures
    walk: Walk
    item: Item

    @property
    def world(self) -> World:
        """The campaign's world."""
        return self.phase.world

    @property
    def party(self) -> Party:
        """The party that acts."""
        return self.world.parties[self.walk.key]

    @property
    def roll(self) -> str:
        """The name of the Action's dice rolls."""
        return f"{self.item.kind}:{self.walk.key}"

    def no(self, reason: Reason, /, **named: Fact) -> Trouble:
        """Return the trouble that makes the Action fail."""
        return trouble(reason, self.item, **named)

    def enemy(self) -> SeatId | None:
        """The Enemy that holds the party's hex; None on other land (GC-Q-21)."""
        holder = self.world.holder.get(self.party.at)
        return holder if holder is not None and self.world.at_war(self.party.owner, holder) else None

    def in_city(self) -> bool:
        """Whether the party is in a City of its player or of an ally."""
        work = self.world.work(self.party.at)
        return (
            work is not None and work.city and self.world.stance(self.party.owner, self.party.at) in {"own", "allied"}
        )


def _loot(deed: Deed) -> Trouble | None:
    """Loot Town: take gold from an Enemy Town, and risk being caught (GC-Q-9)."""
    world, party, victim = deed.world, deed.party, deed.enemy()
    if victim is None or world.works.get(party.at) != "town":
        return deed.no("no-enemy-work", what="Town")
    caught = world.dice.roll(f"{deed.roll}:caught", 6) == 1
    if caught and PARTIES[party.type_].caught_twice:
        caught = world.dice.roll(f"{deed.roll}:again", 6) == 1
    if caught:
        world.change_party(party.key, gold=0)
        world.tell(facts.Earned(who=party.key, what="caught", gold=0, purse=party.gold, of=victim, at=party.at))
        return None
    purse = LOOT_PURSE * world.dice.roll(f"{deed.roll}:purse", 6)
    gold = LOOT * world.dice.roll(f"{deed.roll}:gold", 6)
    if world.gold[victim] < purse + gold:
        purse, gold = 0, world.gold[victim]
    world.gold[victim] -= purse + gold
    world.earn(party.owner, gold)
    world.change_party(party.key, gold=party.gold + purse)
    world.tell(facts.Earned(who=party.key, what="loot_town", gold=gold, purse=purse, of=victim, at=party.at))
    return None


def _sabotage(deed: Deed) -> Trouble | None:
    """Sabotage Mine: an Enemy Mine yields nothing in the next income (GC-Q-11)."""
    world, party = deed.world, deed.party
    work = world.work(party.at)
    if deed.enemy() is None or work is None or not work.mine:
        return deed.no("no-enemy-work", what="Mine")
    world.sabotaged.add(party.at)
    world.tell(facts.Sabotaged(who=party.key, at=party.at))
    return None


def _dig(deed: Deed) -> Trouble | None:
    """Explore Ruin: find gold and a Weirdstone (GC-Q-12, GC-Q-13)."""
    world, party = deed.world, deed.party
    if party.at not in world.ruins:
        return deed.no("not-on-ruin", hex=party.at)
    if party.ruin == party.at:
        return deed.no("dug", hex=party.at)
    gold = DIG * (world.dice.roll(deed.roll, 6) + PARTIES[party.type_].digs)
    world.change_party(party.key, gold=party.gold + gold, weirdstone=(party.weirdstone or 0) + 1, ruin=party.at)
    world.tell(facts.Explored(who=party.key, at=party.at, gold=gold))
    return None


def _patrol(deed: Deed) -> Trouble | None:
    """Patrol, until the owner's next Adventurer Phase (GC-Q-15, GC-Q-16)."""
    but = tuple(seat for key in ("seat", "other") if (seat := deed.item.args.get(key)) is not None)
    deed.world.change_party(deed.walk.key, patrol=Patrol(all=deed.item.line.startswith("Patrol all"), but=but))
    deed.world.tell(facts.Patrolling(who=deed.walk.key, at=deed.party.at))
    return None


def _convert(deed: Deed) -> Trouble | None:
    """Convert Gold; Weirdstone is sold first, if the line names it (GC-Q-19, GC-Q-14)."""
    world, party = deed.world, deed.party
    if not deed.in_city():
        return deed.no("no-city")
    sold = (party.weirdstone or 0) if deed.item.line.endswith("Weirdstone") else 0
    wished = int(deed.item.args.get("amount", party.gold))
    gold = min(wished, party.gold) + STONE * sold
    world.change_party(
        party.key, gold=party.gold - min(wished, party.gold), weirdstone=(party.weirdstone or 0) - sold or None
    )
    lost = world.earn(party.owner, gold)
    world.tell(facts.Earned(who=party.key, what="convert_gold", gold=gold - lost, purse=gold, at=party.at))
    return None


def _harry(deed: Deed) -> Trouble | None:
    """Guerrilla Tactics: slow a Neutral or Enemy army within reach (GC-Q-17, GC-Q-18)."""
    world, party = deed.world, deed.party
    target = world.armies.get(f"{deed.item.args['seat']} {deed.item.args['army']}")
    type_ = PARTIES[party.type_]
    if target is None or target.at is None or distance(target.at, party.at) > type_.harries:
        return deed.no("no-target", reach=type_.harries)
    if world.relation(party.owner, target.owner) in {"own", "allied"}:
        return deed.no("no-target", reach=type_.harries)
    loses = (world.dice.roll(deed.roll, 6) + 1) // 2 + type_.delays
    world.change(target.key, slowed=(target.slowed or 0) + loses)
    world.tell(facts.Harried(who=party.key, army=target.key, loses=loses))
    return None


def _skirmish(deed: Deed) -> Trouble | None:
    """Skirmish with a Neutral or Enemy party on the hex, or with one that comes (GC-Q-5, GC-Q-7)."""
    deed.phase.eager.add(deed.walk.key)
    deed.phase.meet(deed.walk.key, eager=True)
    return None


def _teleporter(deed: Deed) -> Trouble | None:
    """Ancient Teleporter: go from one friendly temple to another (GC-H-10, GC-Q-22)."""
    world, party, there = deed.world, deed.party, deed.item.args["hex"]

    def temple(label: Hex) -> bool:
        kind = world.works.get(label)
        return (
            kind is not None and CONSTRUCTIONS[kind].teleports and world.stance(party.owner, label) in {"own", "allied"}
        )

    if not temple(party.at) or not temple(there) or there == party.at:
        return deed.no("no-temple")
    start = party.at
    world.change_party(party.key, at=there)
    deed.walk.path.append((deed.walk.spent, there))
    world.tell(facts.Appeared(who=party.key, start=start, at=there, how="teleporter"))
    return None


def _gift(deed: Deed) -> Trouble | None:
    """Gift Weirdstone: experience for a character of the player's own armies (GC-I-68, GC-I-69)."""
    world, party = deed.world, deed.party
    faction = FACTIONS[world.realms[party.owner].faction]
    number = int(deed.item.args["number"])
    army = world.armies.get(f"{party.owner} {deed.item.args['army']}")
    name = deed.item.args["character"].casefold()
    if not faction.realm.gifts:
        return deed.no("not-special", faction=faction.name)
    if not deed.in_city():
        return deed.no("no-city")
    lines = [character(line) for line in army.characters] if army is not None else []
    at = next((at for at, one in enumerate(lines) if one.name.casefold() == name), None)
    if army is None or at is None or (party.weirdstone or 0) < number:
        return deed.no("no-gift", number=party.weirdstone or 0)
    lines[at] = learn(lines[at], number)
    world.change(army.key, characters=tuple(one.line for one in lines))
    world.change_party(party.key, weirdstone=(party.weirdstone or 0) - number or None)
    world.tell(facts.Gave(who=party.key, army=army.key, character=lines[at].name, number=number))
    return None


DEEDS: Mapping[str, Callable[[Deed], Trouble | None]] = {
    "loot_town": _loot,
    "sabotage_mine": _sabotage,
    "explore_ruin": _dig,
    "patrol": _patrol,
    "convert_gold": _convert,
    "guerrilla_tactics": _harry,
    "skirmish": _skirmish,
    "ancient_teleporter": _teleporter,
    "gift_weirdstone": _gift,
}
assert set(DEEDS) == set(ACTS), "every Action of the table can be taken, and no other"
