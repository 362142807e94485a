"""Actions of armies besides marching: each tests its conditions when its tick comes, and costs Movement either way (GC-O-14)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from adjudicator.core.contract.lines import find_name
from adjudicator.core.contract.resolution import Fact
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.campaign import APART
from adjudicator.rulesets.grand_campaign.claims import Claims
from adjudicator.rulesets.grand_campaign.events import Shaper
from adjudicator.rulesets.grand_campaign.march import March, Trouble, trouble
from adjudicator.rulesets.grand_campaign.orders import Item
from adjudicator.rulesets.grand_campaign.position import Army, year_of
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.rosters import character, roster_faults
from adjudicator.rulesets.grand_campaign.tables import ACTIONS, BUILDINGS, CONSTRUCTIONS, FACTIONS, Code
from adjudicator.rulesets.grand_campaign.world import World

ACTS = ACTIONS.armies
FELLING = 50
"""Gold for each pip on the die for felled wood, or on the two dice for a raid (GC-O-27, GC-I-17)."""
REACH = 4
"""Reach of an Underground Invasion and of an earthquake, in hexes (GC-I-57, GC-I-66)."""
NEAR = 2
"""Trees of the nurtured kind must grow within this distance, in hexes (GC-I-63)."""


@dataclass(frozen=True, slots=True)
class Act:
    """An Action being carried out: its army, its place and its tick."""

    world: World
    claims: Claims
    march: March
    item: Item
    tick: int
    locked: Collection[Hex]
    """Hexes with armies that run into Enemies (GC-I-45)."""

    @property
    def army(self) -> Army:
        """The army that acts."""
        return self.world.armies[self.march.key]

    @property
    def seat(self) -> str:
        """The army's owner."""
        return self.army.owner

    @property
    def here(self) -> Hex:
        """The hex that the army is on."""
        assert self.army.at is not None
        return self.army.at

    @property
    def roll(self) -> str:
        """The name of the Action's dice rolls."""
        return f"{self.item.kind}:{self.seat}:{self.army.id}"

    def no(self, reason: Reason, /, **named: Fact) -> Trouble:
        """Return the trouble that makes the Action fail."""
        return trouble(reason, self.item, **named)

    def pay(self, price: int) -> Trouble | None:
        """Take gold from the purse; return the trouble if there is too little (GC-B-6)."""
        gold = self.world.gold[self.seat]
        if gold < price:
            return self.no("too-poor", price=price, gold=gold)
        self.world.gold[self.seat] = gold - price
        return None


def take(act: Act) -> Trouble | None:
    """Take an Action; return the trouble if it failed, or None."""
    if ACTS[act.item.kind].special and act.item.kind not in act.world.rules(act.army).actions:
        return act.no("not-special", faction=FACTIONS[act.army.faction].name)
    return DEEDS[act.item.kind](act)


# Claiming and building ----------------------------------------------------------------------------------------------


def _claim(act: Act) -> Trouble | None:
    """Claim Territory (GC-O-18)."""
    if act.world.ground(act.here).sea:
        return act.no("at-sea")
    taken = act.here in act.world.holder or act.claims.builder(act.here) not in {None, act.seat}
    if taken or act.here in act.world.cities:
        return act.no("claimed", hex=act.here)
    act.claims.add(act.seat, act.here, act.tick)
    return None


def site_trouble(act: Act, *, without: Hex | None = None) -> Trouble | None:
    """The reason why nothing can be founded on the army's hex; None if something can (GC-E-2, GC-E-8, GC-E-16, GC-O-21)."""
    world, here = act.world, act.here
    if not world.ground(here).build:
        return act.no("no-building", terrain=world.ground(here).name)
    work = world.work(here)
    if work is not None and here != without:
        return act.no("built-on", what=work.name, hex=here)
    if act.claims.owner(here) not in {None, act.seat}:
        return act.no("not-own", hex=here)
    return None


def _construct(act: Act) -> Trouble | None:
    """Construct a Town, Fortress or City (GC-O-20)."""
    kind = ACTS[act.item.kind].builds
    assert kind is not None
    price = CONSTRUCTIONS[kind].price
    assert price is not None
    problem = site_trouble(act)
    other = act.world.crowded(act.here)
    if problem is None and other is not None:
        problem = act.no("crowded", other=other, away=distance(act.here, other), apart=APART)
    problem = problem or _cap(act, kind)
    problem = problem or act.pay(price)
    if problem is None:
        _found(act, kind, price, "built")
    return problem


def _cap(act: Act, kind: str) -> Trouble | None:
    """The reason why the player cannot build another construction of a kind; None if they can (GC-E-10, GC-E-11, GC-E-13)."""
    if not act.world.capped(act.seat, kind):
        return None
    return act.no("fortresses" if kind == "fortress" else "capped")


def _found(act: Act, kind: str, price: int, how: str, start: Hex | None = None) -> None:
    """Found a construction, with its claim: a settlement claims the hexes within 1, a Mine only its own (GC-E-3, GC-O-25)."""
    act.world.works[act.here] = kind
    act.claims.add(act.seat, act.here, act.tick, radius=int(CONSTRUCTIONS[kind].settlement), built=True)
    if how == "moved":
        event = facts.Built(seat=act.seat, what=kind, at=act.here, how="moved", price=price, tick=act.tick, start=start)
    else:
        event = facts.Built(seat=act.seat, what=kind, at=act.here, how="built", price=price, tick=act.tick)
    act.world.tell(event)


def _mine(act: Act) -> Trouble | None:
    """Construct a Mine (GC-O-25, GC-O-26)."""
    price = CONSTRUCTIONS["mine"].price
    assert price is not None
    ground = act.world.ground(act.here)
    problem = act.no("no-mine", hex=act.here, terrain=ground.name) if not ground.mine else site_trouble(act)
    problem = problem or act.pay(price)
    if problem is None:
        _found(act, "mine", price, "built")
    return problem


def _improve(act: Act) -> Trouble | None:
    """Improve a settlement to a higher kind (GC-O-22, GC-O-23)."""
    world, here = act.world, act.here
    rank = act.item.args["rank"].casefold()
    price = (CONSTRUCTIONS[rank].from_ or {}).get(world.works.get(here, ""))
    if price is None or act.claims.owner(here) != act.seat:
        return act.no("no-settlement", hex=here)
    problem = _cap(act, rank) or act.pay(price)
    if problem is None:
        world.works[here] = rank
        world.tell(facts.Built(seat=act.seat, what=rank, at=here, how="improved", price=price, tick=act.tick))
    return problem


def _road(act: Act) -> Trouble | None:
    """Build a Road (GC-O-32, GC-O-33)."""
    world, here = act.world, act.here
    owner = act.claims.owner(here)
    friendly = act.claims.mine(act.seat, here) or (owner is not None and world.relation(act.seat, owner) == "allied")
    if not friendly:
        return act.no("not-friendly", hex=here)
    if world.roaded(here):
        return act.no("road-there", hex=here)
    if not world.ground(here).build:
        return act.no("no-building", terrain=world.ground(here).name)
    problem = act.pay(BUILDINGS.road)
    if problem is None:
        world.roads.add(here)
        world.tell(facts.Built(seat=act.seat, what="road", at=here, how="built", price=BUILDINGS.road, tick=act.tick))
    return problem


def _move_settlement(act: Act) -> Trouble | None:
    """Move a Town, Fortress or City to the army's hex (GC-I-44, GC-I-45)."""
    world, old = act.world, act.item.args["hex"]
    kind = act.item.args["settlement"].casefold()
    if world.works.get(old) != kind or world.holder.get(old) != act.seat:
        return act.no("no-site", what=f"you have no {CONSTRUCTIONS[kind].name} on {old}")
    if old in act.locked:
        return act.no("no-site", what=f"an army fights on {old}")
    other = world.crowded(act.here, without=old)
    problem = site_trouble(act, without=old)
    if problem is None and (old == act.here or other is not None):
        near = other or old
        problem = act.no("crowded", other=near, away=distance(act.here, near), apart=APART)
    problem = problem or act.pay(CONSTRUCTIONS[kind].moving)
    if problem is None:
        del world.works[old]
        _found(act, kind, CONSTRUCTIONS[kind].moving, "moved", old)
    return problem


# Land ---------------------------------------------------------------------------------------------------------------


def _reshape(act: Act, why: Shaper, code: Code) -> None:
    act.world.terrain[act.here] = code
    act.world.tell(facts.Reshaped(why=why, changes=((act.here, code),)))


def _fell(act: Act) -> Trouble | None:
    """Fell Forest: thin out the trees for gold (GC-O-27)."""
    ground = act.world.ground(act.here)
    if ground.fells is None:
        return act.no("no-forest", hex=act.here, terrain=ground.name)
    _reshape(act, "fell_forest", ground.fells)
    gold = FELLING * act.world.dice.roll(act.roll, 6)
    act.world.earn(act.seat, gold)
    act.world.tell(facts.Earned(who=act.march.key, what="fell_forest", gold=gold, at=act.here, tick=act.tick))
    return None


def _cultivate(act: Act) -> Trouble | None:
    """Cultivate: turn grassland into Farmland (GC-O-29)."""
    ground = act.world.ground(act.here)
    if ground.cultivates is None:
        return act.no("no-grass", hex=act.here, terrain=ground.name)
    _reshape(act, "cultivate", ground.cultivates)
    return None


def _clear(act: Act) -> Trouble | None:
    """Clear: turn an Ash Plain into Grassland, or an Ash Forest into an Ash Plain (GC-O-31)."""
    ground = act.world.ground(act.here)
    if ground.clears is None:
        return act.no("no-ash", hex=act.here, terrain=ground.name)
    _reshape(act, "clear", ground.clears)
    return None


def _nurture(act: Act) -> Trouble | None:
    """Nurture Forest: grow trees, of the kind wished for if it grows nearby (GC-I-62, GC-I-63)."""
    world = act.world
    grows = world.ground(act.here).nurtures
    if grows is None:
        return act.no("no-saplings", hex=act.here, terrain=world.ground(act.here).name)
    kind = next(iter(grows))
    wished = next((one for one in grows if one == act.item.args.get("kind")), None)
    if "kind" in act.item.args and wished != kind and len(grows) > 1:  # trees that grow here already keep their kind
        near = {world.ground(label).kind for label in world.grid.within(act.here, NEAR)}
        if wished is None or wished not in near:
            return act.no("no-such-trees")
        kind = wished
    _reshape(act, "nurture_forest", grows[kind])
    return None


def _earthquake(act: Act) -> Trouble | None:
    """Generate Earthquake: a die for each construction within reach, except those that cannot be destroyed (GC-I-57, GC-I-58)."""
    world = act.world
    reached = [label for label in world.grid.within(act.here, REACH) if label in world.works]
    for label in reached:
        kind = world.works[label]
        if not CONSTRUCTIONS[kind].ancient and world.dice.roll(f"{act.roll}:{label}", 6) == 1:
            del world.works[label]
            world.tell(facts.Wrecked(at=label, what=kind, why="earthquake", by=act.seat))
    return None


# Going elsewhere ----------------------------------------------------------------------------------------------------


def _arrive(act: Act, there: Hex, how: str) -> None:
    act.march.trail.append(there)
    start = act.here
    act.world.change(act.march.key, at=there)
    if how == "teleport":
        act.world.tell(facts.Appeared(who=act.march.key, start=start, at=there, how="teleport"))
    else:
        act.world.tell(facts.Appeared(who=act.march.key, start=start, at=there, how="teleporter"))


def _friendly_cities(act: Act) -> list[Hex]:
    world = act.world
    return [
        label
        for label, kind in world.works.items()
        if CONSTRUCTIONS[kind].city and world.stance(act.seat, label) in {"own", "allied"}
    ]


def _teleport(act: Act) -> Trouble | None:
    """Teleport to a free hex in or beside a friendly City (GC-I-14, GC-I-15)."""
    there = act.item.args["hex"]
    if not any(distance(there, city) <= 1 for city in _friendly_cities(act)):
        return act.no("too-far", hex=there)
    if not _can_stand(act, there):
        return act.no("not-free", hex=there)
    _arrive(act, there, "teleport")
    return None


def _can_stand(act: Act, there: Hex) -> bool:
    world = act.world
    return (
        world.entry(act.army, there) is not None
        and act.claims.builder(there) in {None, act.seat}
        and world.open_to(act.seat, there)
        and world.standing(there) is None
    )


def _teleporter(act: Act) -> Trouble | None:
    """Ancient Teleporter: go from one friendly temple to another (GC-H-10, GC-H-11)."""
    world, there = act.world, act.item.args["hex"]
    temples = [label for label in _friendly_cities(act) if CONSTRUCTIONS[world.works[label]].teleports]
    if act.here not in temples or there not in temples or there == act.here:
        return act.no("no-temple")
    if world.standing(there) is not None:
        return act.no("not-free", hex=there)
    _arrive(act, there, "teleporter")
    return None


def _sands(act: Act) -> Trouble | None:
    """Into the Sands: leave the map by going under the sand (GC-I-73)."""
    world, here = act.world, act.here
    if world.terrain[here] not in world.rules(act.army).sands:
        return act.no("no-sand", hex=here, terrain=world.ground(here).name)
    world.change(act.march.key, at=None, sank=here)
    world.tell(facts.Appeared(who=act.march.key, start=here, how="sands"))
    return None


# War ----------------------------------------------------------------------------------------------------------------


def _prepare(act: Act) -> Trouble | None:
    """Prepare to Attack (GC-O-40)."""
    assert act.item.way is not None
    there = act.world.grid.step(act.here, act.item.way)
    if there is None:
        return act.no("off-map")
    if act.world.stance(act.seat, there) != "enemy":
        return act.no("not-enemy", hex=there)
    act.march.aim, act.march.lead = there, act.item.lead
    return None


def _invade(act: Act) -> Trouble | None:
    """Underground Invasion: attack from below. Ordering it uses it up for the year, even if it fails (GC-I-66, GC-I-67; GR-6)."""
    world, there = act.world, act.item.args["hex"]
    year = year_of(world.turn)
    if not act.army.general or act.army.invaded == year:
        return act.no("used-up")
    world.change(act.march.key, invaded=year)
    if distance(act.here, there) > REACH:
        return act.no("too-deep", hex=there, reach=REACH)
    if world.stance(act.seat, there) != "enemy":
        return act.no("not-enemy", hex=there)
    if world.work(there) is None:
        return act.no("too-deep", hex=there, reach=REACH)
    act.march.aim, act.march.lead = there, act.item.lead
    return None


def _annex(act: Act) -> Trouble | None:
    """Fail to Annex Territory: it was not prepared, or is not the first item of the army's list (GC-O-45; GR-4)."""
    return act.no("not-prepared" if act.march.number == 0 and not act.march.troubles else "not-first")


def _raid(act: Act) -> Trouble | None:
    """Coastal Raid: take gold from the Neutral or Enemy holder of a coast beside the army (GC-I-17, GC-I-18)."""
    assert act.item.way is not None
    world = act.world
    there = world.grid.step(act.here, act.item.way)
    victim = world.holder.get(there) if there is not None else None
    if (
        there is None
        or victim is None
        or not world.coastal(there)
        or world.stance(act.seat, there) not in {"neutral", "enemy"}
    ):
        return act.no("no-victim")
    gold = FELLING * (world.dice.roll(f"{act.roll}:1", 6) + world.dice.roll(f"{act.roll}:2", 6))
    gold = min(gold, world.gold[victim])
    world.gold[victim] -= gold
    world.earn(act.seat, gold)
    world.tell(facts.Earned(who=act.march.key, what="coastal_raid", gold=gold, of=victim, at=there, tick=act.tick))
    return None


# The rest -----------------------------------------------------------------------------------------------------------


def _explore(act: Act) -> Trouble | None:
    """Explore Ruins: find an artefact on a 6 (GC-O-36, GC-O-37, GC-U-10)."""
    world = act.world
    near = [label for label in world.grid.within(act.here, 1) if label in world.ruins]
    if act.item.hex is not None:
        near = [label for label in near if label == act.item.hex]
    if not near:
        return act.no("no-ruin")
    ruin = min(near, key=lambda label: (distance(label, act.here), hex_order(label)))
    if world.realms[act.seat].barred == ruin:
        return act.no("ruin-barred", hex=ruin)
    world.reform(act.seat, barred=None)
    found = world.found(act.roll)
    bearer = find_bearer(world, act.army) if found is not None else None
    if found is not None and bearer is not None:
        world.give(act.march.key, bearer, found[0])
        world.reform(act.seat, barred=ruin)
    world.tell(
        facts.Explored(
            who=act.march.key,
            at=ruin,
            artefact=found[0] if found is not None and bearer is not None else None,
            bearer=bearer,
            tick=act.tick,
        )
    )
    return None


def find_bearer(world: World, army: Army) -> str | None:
    """The character who takes a found artefact: the standing order's choice, then the General, then the next who bears none (GC-U-13)."""
    people = list(map(character, army.characters))
    wished = find_name(world.realms[army.owner].orders.bearer.get(army.id, ""), (one.name for one in people))
    free = [one for one in people if one.bears is None]
    free.sort(key=lambda one: (one.name != wished, one.role != "general"))
    return free[0].name if free else None


def _reform(act: Act) -> Trouble | None:
    """Reform Army: take another list. Experience is lost, and artefacts go back to the pool (GC-O-34, GC-O-35)."""
    name = act.item.args["roster"]
    roster = act.world.roster(act.seat, name)
    if roster is None:
        return act.no("no-roster", roster=name)
    wrong = next(roster_faults(roster, tuple(FACTIONS)), None)
    if wrong is not None:
        return act.no("bad-roster", roster=name, what=wrong[1])
    fresh = act.world.raised(act.seat, act.army.id, act.here, roster)
    act.world.change(
        act.march.key,
        faction=fresh.faction,
        points=fresh.points,
        ld=fresh.ld,
        characters=fresh.characters,
        units=fresh.units,
        fervour=None,
    )
    act.world.tell(facts.Reformed(who=act.march.key, name=name))
    return None


def _forced_march(act: Act) -> Trouble | None:
    """Forced March: add 1 to the army's Movement (GC-O-38)."""
    act.march.allowance += 1
    return None


def _deploy(act: Act) -> Trouble | None:
    """Defensive Deployment: do nothing, as every army does that has nothing else to do (GC-O-3, GC-O-51)."""
    return None


DEEDS: Mapping[str, Callable[[Act], Trouble | None]] = {
    "claim_territory": _claim,
    "construct_town": _construct,
    "construct_fortress": _construct,
    "construct_city": _construct,
    "construct_mine": _mine,
    "improve_settlement": _improve,
    "fell_forest": _fell,
    "cultivate": _cultivate,
    "clear": _clear,
    "build_road": _road,
    "reform_army": _reform,
    "explore_ruins": _explore,
    "forced_march": _forced_march,
    "prepare_to_attack": _prepare,
    "annex_territory": _annex,
    "defensive_deployment": _deploy,
    "ancient_teleporter": _teleporter,
    "teleport": _teleport,
    "coastal_raid": _raid,
    "move_settlement": _move_settlement,
    "generate_earthquake": _earthquake,
    "nurture_forest": _nurture,
    "underground_invasion": _invade,
    "into_the_sands": _sands,
}
assert set(DEEDS) == set(ACTS), "every Action of the table can be taken, and no other"
