"""The Army Phase: all armies move and act by one clock, which counts the Movement each has spent (GC-P-16, GC-P-17; catalogue 3.4).

At every tick the due Actions are done first, in Player Order; then the due steps together, except those that interfere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.core.secrets.dice import Roll
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import actions
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.actions import ACTS, Act
from adjudicator.rulesets.grand_campaign.claims import Claims
from adjudicator.rulesets.grand_campaign.havens import carried, refuges_of
from adjudicator.rulesets.grand_campaign.march import Farmland, March, Trouble
from adjudicator.rulesets.grand_campaign.orders import Item, Order, reader_of
from adjudicator.rulesets.grand_campaign.position import Army, ArmyKey, Stopped
from adjudicator.rulesets.grand_campaign.rosters import mostly
from adjudicator.rulesets.grand_campaign.tables import CALENDAR, LANDS, TERRAIN, Terrain
from adjudicator.rulesets.grand_campaign.world import World

T = TypeVar("T")
MOVEMENT = 10
"""Army Movement (GC-F-10)."""
MOVES = frozenset({"step", "skip", "portal"})


@dataclass(frozen=True, slots=True)
class Clash:
    """Two Enemies that ran into each other (GC-P-22)."""

    attacker: ArmyKey
    defender: ArmyKey
    at: Hex
    tick: int
    standing: bool
    """Whether the defender was on the hex already, rather than entering it too (GC-R-6)."""


class Phase:
    """The Army Phase of all armies."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.claims = Claims(world)
        self.marches: dict[ArmyKey, March] = {}
        self.clashes: list[Clash] = []

    # Stage A: preparation -------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Set up every army's allowance, and handle those that rest, come out of the sand or annex (catalogue 3.4, stage A)."""
        world = self.world
        lists = {}
        for seat, order in world.orders_of("armies"):
            key = f"{seat} {order.args['army']}"
            if key in world.armies:
                lists[key] = order
            else:
                world.judge(seat, order.line, "illegal", "no-army")
        for key in sorted(world.armies, key=world.army_order):
            army = world.armies[key]
            listed = lists.get(key)
            items = [*listed.items] if listed is not None else []
            march = self.marches[key] = March(key, listed, items, allowance_of(world, army))
            if army.rests:
                march.items.clear()
                if listed is not None:
                    march.trouble("rests")
                world.change(key, rests=None)
            if army.sank is not None:
                self._emerge(march)
                if key not in world.armies:
                    del self.marches[key]
                    if listed is not None:
                        world.judge(army.owner, listed.line, "fails", "no-army")
                    continue
            self._drop_late_emergence(march)
            march.trail = [label] if (label := world.armies[key].at) is not None else []
            march.state = "ready" if march.items else "finished"
            if march.items and march.item.kind == "annex_territory" and march.state == "ready":
                self._annex(march, army)
            world.change(key, slowed=None, aim=None)

    def _annex(self, march: March, army: Army) -> None:
        """Annex, if it is legal and the first item: then the army does nothing else (GC-O-45, GC-O-47, GR-4)."""
        if army.aim is not None and self.world.stance(army.owner, army.aim) == "enemy":
            march.aim, march.lead, march.state = army.aim, march.item.lead, "annexing"
            march.number = 1
            for late in march.items[1:]:
                march.trouble("after", late)
            march.items.clear()

    def _emerge(self, march: March) -> None:
        """Bring an army out of the sand on the hex that it names, or on the first one possible (GC-I-73, GC-I-74)."""
        world, army = self.world, self.world.armies[march.key]
        assert army.sank is not None
        spot = march.item.hex if march.items and march.item.kind == "emerge" else None
        free = (
            spot is not None
            and world.terrain[spot] in world.rules(army).sands
            and world.stance(army.owner, spot) in {"own", "allied"}
            and world.standing(spot) is None
        )
        if spot is not None:
            item = march.items.pop(0)
            if free:
                march.number += 1
            else:
                march.trouble("not-free", item, hex=spot)
        if not free:
            sands = world.rules(army).sands
            near = (
                label
                for label in world.surroundings(army, army.sank)
                if world.terrain[label] in sands and world.stance(army.owner, label) in {"own", "allied"}
            )
            spot = next(near, None) or carried(world, army, army.sank, refuges_of(world, army))
        if spot is not None:
            world.change(march.key, at=spot, sank=None)
            world.tell(facts.Appeared(who=march.key, at=spot, how="emerged"))
        else:  # like a mauled army that has no settlement to go to (GC-I-74, GC-V-4)
            world.lose(march.key, "nowhere")

    def _drop_late_emergence(self, march: March) -> None:
        """Drop every Emerge that is left in the list (GR-24)."""
        for item in [item for item in march.items if item.kind == "emerge"]:
            march.items.remove(item)
            march.trouble("not-free", item, hex=item.hex or "")
        if self.world.armies[march.key].at is None:
            march.items.clear()

    # Stage B: the clock ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the clock until no army has anything left to do (catalogue 3.4, stage B)."""
        while True:
            ready = [march for march in self.marches.values() if march.state == "ready"]
            for march in ready:
                if march.cost is None:
                    self._look(march)
            ready = [march for march in ready if march.state == "ready"]
            if not ready:
                break
            tick = min(march.spent + (march.cost or 0) for march in ready)
            self._round([march for march in ready if march.spent + (march.cost or 0) == tick], tick)
        for march in self.marches.values():
            if march.path:
                start = march.trail[0]
                self.world.tell(facts.Marched(who=march.key, start=start, path=tuple(march.path)))

    def _look(self, march: March) -> None:
        """Determine the cost of an army's next item, or end its phase (catalogue 3.4, B1)."""
        army = self.world.armies[march.key]
        while march.items and march.item.kind not in MOVES and self._surplus(march, army):
            march.trouble("over-limit", march.items.pop(0))
        if not march.items:
            march.end()
            return
        item = march.item
        if item.kind not in MOVES:
            cost = ACTS[item.kind].movement
        else:
            there = self.target(march)
            if there is None:
                self._illegal(march, item)
                return
            known = step_cost(self.world, army, there, march)
            if known is None:
                march.trouble("barred", item, hex=there, terrain=self.world.ground(there).name)
                march.end()
                return
            cost = known
        if march.spent + cost > march.allowance:
            march.trouble("no-movement", item, cost=cost, left=march.allowance - march.spent)
            march.end()
            return
        march.cost = cost

    def _illegal(self, march: March, item: Item) -> None:
        """End an army's phase at a step that leads nowhere."""
        match item.kind:
            case "skip":
                march.trouble("not-skipping", item)
            case "portal":
                march.trouble("no-portal", item)
            case _:
                march.trouble("off-map", item)
        march.end()

    def _surplus(self, march: March, army: Army) -> bool:
        """Whether an Action would exceed the limit, or repeat one (GC-O-9, GR-5)."""
        limit = 2 if army.general else 1
        return len(march.used) >= limit or march.item.kind in march.used

    def target(self, march: March) -> Hex | None:
        """The hex that the next item leads to; None if it leads nowhere (GC-Z-36, GC-I-13, GC-K-4)."""
        world, item = self.world, march.item
        army = world.armies[march.key]
        assert army.at is not None
        match item.kind:
            case "step":
                assert item.way is not None
                return world.grid.step(army.at, item.way)
            case "skip":
                assert item.way is not None
                assert item.next is not None
                there = world.grid.step(army.at, item.way, item.next)
                able = world.rules(army).skips and not march.skipped
                return there if able and there is not None and distance(army.at, there) == 2 else None
            case _:
                portals = world.start.opening.portals if world.start.opening is not None else ()
                return item.hex if army.at in portals and item.hex in portals and item.hex != army.at else None

    def _round(self, due: list[March], tick: int) -> None:
        """Run one round of a tick: Actions, then steps (catalogue 3.4, B3 to B6)."""
        due.sort(key=lambda march: self.world.army_order(march.key))
        for march in due:
            if march.item.kind not in MOVES:
                self._act(march, tick)
        moving: dict[ArmyKey, Hex] = {}
        for march in due:
            if march.state == "ready" and march.cost is not None and march.item.kind in MOVES:
                there = self._allowed(march)
                if there is not None:
                    moving[march.key] = there
        while self._interfere(moving, tick):
            pass
        self._step(moving)

    def _act(self, march: March, tick: int) -> None:
        """Take an Action. It costs its Movement whether it succeeds or fails (GC-O-14)."""
        item = march.items.pop(0)
        march.used.append(item.kind)
        march.spent += march.cost or 0
        march.cost = None
        locked = [self.world.armies[one.key].at for one in self.marches.values() if one.state == "locked"]
        fighting = frozenset(label for label in locked if label is not None)
        problem = actions.take(Act(self.world, self.claims, march, item, tick, fighting))
        if problem is None:
            march.number += 1
        else:
            march.troubles.append(problem)
        if ACTS[item.kind].ends:
            for late in march.items:
                march.trouble("after", late)
            march.items.clear()
            march.state = "away" if self.world.armies[march.key].at is None else "finished"

    def _allowed(self, march: March) -> Hex | None:
        """The hex of a due step; None if it is foreign land, which ends the army's phase (GC-O-6; GR-2)."""
        world = self.world
        there = self.target(march)
        assert there is not None, "the way of a step does not change while it waits"
        owner = world.armies[march.key].owner
        seat = self.claims.builder(there) or world.holder.get(there)
        if there in world.cities or (seat is not None and world.relation(owner, seat) not in {"own", "allied"}):
            march.trouble("foreign", march.item, hex=there, seat=seat or "nobody")
            march.end()
            return None
        return there

    # Interference ---------------------------------------------------------------------------------------------------

    def _interfere(self, moving: dict[ArmyKey, Hex], tick: int) -> bool:
        """Handle the first group of armies whose moves interfere; return False if no group is left (catalogue 3.4, B5)."""
        world = self.world
        at: dict[Hex, ArmyKey] = {army.at: key for key, army in world.armies.items() if army.at is not None}
        for one, other in itertools.combinations(sorted(moving, key=world.army_order), 2):
            here, there = world.armies[one].at, world.armies[other].at
            steps = all(self.marches[key].item.kind == "step" for key in (one, other))
            if steps and moving[one] == there and moving[other] == here:
                assert there is not None
                # The contested hex is that of the army later in Player Order, which is on it (GC-P-22).
                self._meet(moving, [one, other], None, there, tick)
                return True
        entered: dict[Hex, list[ArmyKey]] = {}
        for key in sorted(moving, key=world.army_order):
            entered.setdefault(moving[key], []).append(key)
        groups: list[tuple[Hex, list[ArmyKey], ArmyKey | None]] = []
        for label, keys in entered.items():
            stander = at.get(label)
            if stander in moving:
                stander = None
            if len(keys) > 1 or stander is not None:
                groups.append((label, keys, stander))
        if not groups:
            return False
        label, keys, stander = min(groups, key=lambda group: (len(group[1]) < 2, hex_order(group[0])))
        self._meet(moving, keys, stander, label, tick)
        return True

    def _meet(
        self, moving: dict[ArmyKey, Hex], keys: list[ArmyKey], stander: ArmyKey | None, at: Hex, tick: int
    ) -> None:
        """Handle armies that enter one hex, or swap hexes: lock the first two Enemies, and stop the others (GC-P-18, GC-P-19, GR-1)."""
        world = self.world
        members = sorted([*keys, *([stander] if stander is not None else [])], key=world.army_order)
        free = [key for key in members if self.marches[key].state != "locked"]
        foes = next(
            (
                (one, other)
                for one, other in itertools.combinations(free, 2)
                if world.at_war(world.armies[one].owner, world.armies[other].owner)
            ),
            None,
        )
        if foes is not None:
            attacker, defender = foes if foes[0] != stander else (foes[1], foes[0])
            self._lock(attacker, defender, at, tick, standing=stander in foes)
        fighting = foes or ()
        stopped = [key for key in members if key not in fighting]
        for key in stopped:
            march = self.marches[key]
            if key in moving:
                rival = next(other for other in members if other != key)
                march.trouble("halted", march.item, army=rival, hex=at)
            elif march.state == "ready" and march.items:  # it was on the hex, and loses the rest of its list
                march.trouble("halted", march.item, army=next(other for other in members if other != key), hex=at)
            if march.state == "ready":
                march.end()
        for key in keys:
            moving.pop(key, None)
        if foes is None:
            world.tell(facts.Halted(who=tuple(members), at=at, tick=tick))

    def _lock(self, attacker: ArmyKey, defender: ArmyKey, at: Hex, tick: int, *, standing: bool) -> None:
        """Lock two Enemies where they are: they keep the rest of their lists (GC-P-21)."""
        for key, other in ((attacker, defender), (defender, attacker)):
            march = self.marches[key]
            if march.items and march.state == "ready":
                march.trouble("clashed", march.item, army=other, hex=at)
            else:
                march.trouble("locked", army=other, hex=at)
            march.state, march.cost, march.aim = "locked", None, None
        self.clashes.append(Clash(attacker, defender, at, tick, standing))
        self.world.tell(facts.Clashed(attacker=attacker, defender=defender, at=at, tick=tick))

    def _step(self, moving: Mapping[ArmyKey, Hex]) -> None:
        """Do all remaining steps together (catalogue 3.4, B6)."""
        for key, there in moving.items():
            march = self.marches[key]
            count_farms(self.world, self.world.armies[key], there, march)
            march.skipped |= march.item.kind == "skip"
            march.spent += march.cost or 0
            march.cost = None
            march.items.pop(0)
            march.number += 1
            march.trail.append(there)
            march.path.append((march.spent, there))
        for key, there in moving.items():
            self.world.change(key, at=there)

    # Results --------------------------------------------------------------------------------------------------------

    def stopped(self) -> tuple[Stopped, ...]:
        """The rest of the lists of locked armies (GC-P-21)."""
        return tuple(
            Stopped(
                army=key,
                items=tuple(item.line for item in march.items),
                spent=march.spent,
                allowance=march.allowance,
                used=tuple(march.used),
                trail=tuple(march.trail),
                farms=march.farmland.farms,
                roads=march.farmland.roads,
            )
            for key, march in sorted(self.marches.items(), key=lambda one: self.world.army_order(one[0]))
            if march.state == "locked"
        )

    def judge(self) -> None:
        """Give a verdict on each army's line: done, or its first trouble, with the others listed."""
        for march in self.marches.values():
            if march.order is None:
                continue
            seat = self.world.armies[march.key].owner
            judge_items(self.world, seat, march.order, march.number, march.troubles)


class _Ones:
    """Dice for trial runs, which always show 1."""

    rolls: tuple[Roll, ...] = ()

    def roll(self, name: str, sides: int) -> int:
        return 1

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        return tuple(items)


ONES = _Ones()


class Completion(Phase):
    """The rest of the move of a clash's victor, while all other armies stay. An army in its way only stops it (GC-V-13)."""

    def __init__(self, world: World, stopped: Stopped) -> None:
        super().__init__(world)
        army = world.armies[stopped.army]
        assert army.at is not None
        items = [*reader_of(world.plan).items_of(stopped.items)]
        self.march = self.marches[army.key] = March(
            army.key,
            None,
            items,
            stopped.allowance,
            state="ready" if items else "finished",
            spent=stopped.spent,
            farmland=Farmland(stopped.farms, stopped.roads),
            trail=[army.at],
            used=list(stopped.used),
        )

    def complete(self) -> None:
        """Run the rest of the list, and then settle its claims."""
        self.run()
        self.march.aim = None  # Prepare to Attack becomes Defensive Deployment
        self.claims.settle()

    def _interfere(self, moving: dict[ArmyKey, Hex], tick: int) -> bool:
        """Stop the army short of a hex with another army. Returns False: no other group is left."""
        march = self.march
        there = moving.get(march.key)
        other = self.world.standing(there) if there is not None else None
        if other is None:
            return False
        march.trouble("halted", march.item, army=other.key, hex=there or "")
        march.end()
        moving.clear()
        self.world.tell(facts.Halted(who=tuple(sorted((march.key, other.key))), at=there or "", tick=tick))
        return False


def remaining_path(world: World, stopped: Stopped, gone: ArmyKey) -> tuple[Hex, ...]:
    """The hexes that a clash's victor still has to pass, with the loser gone and all others where they are (GR-27).

    Its move is tried on a copy of the world, with dice that show 1, because no die changes its path.
    """
    trial = world.trial(ONES)
    del trial.armies[gone]
    completion = Completion(trial, stopped)
    completion.run()
    return tuple(label for _, label in completion.march.path)


def judge_items(world: World, seat: SeatId, order: Order, number: int, troubles: Iterable[Trouble]) -> None:
    """Give the verdict on a line of items: the number done, and the reasons that stopped the others."""
    met = [*troubles]
    if not met:
        world.did(seat, order)
        return
    first, *others = met
    named: dict[str, Fact] = {"done": number, "of": len(order.items)}
    if others:
        named["more"] = tuple(str(one.facts.get("item", one.reason)) for one in others)
    world.judge(seat, order.line, "partly" if number else "fails", first.reason, **named, **first.facts)


def allowance_of(world: World, army: Army) -> int:
    """The Movement of an army in this season (GC-O-13)."""
    assert world.start.opening is not None
    season = CALENDAR.seasons[world.start.opening.season].movement
    return max(0, MOVEMENT + season - (army.slowed or 0))


def step_cost(world: World, army: Army, there: Hex, march: March) -> int | None:
    """The Movement for a step into a hex (GC-O-11, GC-X); None if the army cannot go there."""
    assert army.at is not None
    table = world.entry(army, there)
    if table is None:
        return None
    crossing = world.rules(army).crossing or LANDS.crossing
    ground = trodden(world, army, there)
    return price_of(
        world, (army.at, there), march.farmland, ground, table - world.discounted(army, there), crossing=crossing
    )


def price_of(
    world: World, step: tuple[Hex, Hex], farmland: Farmland, ground: Terrain, table: int, *, crossing: int
) -> int:
    """The Movement for a step, from the terrain table's cost `table` (GC-X)."""
    here_sea, there_sea = (world.ground(label).sea for label in step)
    road = world.roaded(step[1])
    if here_sea != there_sea:  # the crossing replaces the table, roads and discounts (GC-X-13)
        cost = crossing
    elif (farmed := farmland.cost(ground, road=road)) is not None:
        cost = farmed
    else:
        cost = max(1, table - road)
    return cost + (world.storm and (here_sea or there_sea))


def trodden(world: World, army: Army, there: Hex) -> Terrain:
    """The terrain that a hex counts as for this army: some gallop over other ground as if it were Farmland (GC-I-39)."""
    ground, gallop = world.ground(there), world.rules(army).gallops
    if gallop is not None and ground.group == gallop.over and mostly(army.units, gallop.core):
        return TERRAIN[gallop.as_]
    return ground


def count_farms(world: World, army: Army, there: Hex, march: March) -> None:
    """Count Farmland entered (GC-X-11); a crossing onto it does not count (GR-12)."""
    assert army.at is not None
    if world.ground(army.at).sea == world.ground(there).sea:
        march.farmland.enter(trodden(world, army, there), road=world.roaded(there))
