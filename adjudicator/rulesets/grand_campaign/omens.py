"""The opening of a season: its event, the Player Order, and the dice of its income (GC-K, GC-D, GC-M-9).

It is rolled at the end of the turn before it, and is part of the position, so that everybody sees it before writing orders.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.events import Shaper
from adjudicator.rulesets.grand_campaign.income import roll_income
from adjudicator.rulesets.grand_campaign.position import Opening, season_of
from adjudicator.rulesets.grand_campaign.tables import CALENDAR, CONSTRUCTIONS, FACTIONS, TERRAIN, Code, Season
from adjudicator.rulesets.grand_campaign.world import World

PORTALS = 6
"""Number of hexes that become portals (GC-K-3)."""
WOODS = frozenset({"light_vegetation", "dense_vegetation"})
OPEN_GROUND = frozenset({"grassland", "farmland", "ash_plain", "ash_forest"})
"""Groups of terrain that a forest reclaims (GC-K-22)."""


def open_season(world: World, turn: int) -> Opening:
    """Open a season in the current world; land may change, and armies may perish (GC-J-1, phases 1 and 2)."""
    season = season_of(world.start.settings, turn)
    dice = (world.dice.roll("omen:1", 6), world.dice.roll("omen:2", 6))
    event = CALENDAR.events[str(sum(dice))].id
    before = len(world.events)
    opening = Opening(season=season, event=event)
    match event:
        case "portals":
            hexes = drawn(
                world, "portal", [label for label in world.grid.hexes if world.ground(label).cost is not None], PORTALS
            )
            opening = Opening(season=season, event=event, portals=tuple(sorted(hexes, key=hex_order)))
            world.tell(facts.Portals(hexes=opening.portals))
        case "golden_age":
            seats = sorted(seat for seat, realm in world.realms.items() if not realm.out)
            opening = Opening(season=season, event=event, golden=seats[world.dice.roll("golden", len(seats)) - 1])
            assert opening.golden is not None
            world.tell(facts.Golden(seat=opening.golden))
        case _:
            WORKS.get(event, _nothing)(world, season)
    order = player_order(world)
    told = world.events[before:]
    del world.events[before:]
    world.tell(facts.Opened(turn=turn, season=season, omen=event, dice=dice, order=order))
    world.events += told
    income = roll_income(world, season, event)
    return Opening(season=season, event=event, order=order, portals=opening.portals, golden=opening.golden, dice=income)


def player_order(world: World) -> tuple[SeatId, ...]:
    """Player Order: fewest Cities first, then Fortresses, Towns, Mines, then a die; equal dice are rolled again (GC-D-2 to GC-D-4)."""
    counted = {
        seat: tuple(world.count(seat, what) for what in ("city", "fortress", "town", "mine")) for seat in world.realms
    }
    order: list[SeatId] = []
    for key in sorted(set(counted.values())):
        order += _rolled(world, sorted(seat for seat in counted if counted[seat] == key), 1)
    return tuple(order)


def _rolled(world: World, seats: list[SeatId], again: int) -> list[SeatId]:
    """Players in the order of their dice, lowest first (GC-D-4)."""
    if len(seats) < 2:
        return seats
    dice = {seat: world.dice.roll(f"order:{seat}:{again}", 6) for seat in seats}
    again += 1
    tied = ([seat for seat in seats if dice[seat] == value] for value in sorted(set(dice.values())))
    return [seat for group in tied for seat in _rolled(world, group, again)]


def drawn(world: World, name: str, hexes: list[Hex], number: int) -> list[Hex]:
    """Draw up to `number` different hexes, one after the other."""
    left = list(hexes)
    return [left.pop(world.dice.roll(f"{name}:{at + 1}", len(left)) - 1) for at in range(min(number, len(left)))]


# Events that change the land ----------------------------------------------------------------------------------------


def _nothing(world: World, season: Season) -> None:
    """Do nothing, for events that act later in the season or not at all."""


def reshape(
    world: World, why: Shaper, changes: Mapping[Hex, Code], centre: Hex | None = None, radius: int | None = None
) -> None:
    """Change terrain, and report it if anything changed."""
    changed = tuple(
        (label, changes[label]) for label in sorted(changes, key=hex_order) if world.terrain[label] != changes[label]
    )
    world.terrain.update(changed)
    if changed:
        world.tell(facts.Reshaped(why=why, centre=centre, radius=radius, changes=changed))


def _quench(world: World, season: Season) -> None:
    """Volcanic Quenching: a Volcano goes out on a 1 (GC-K-5)."""
    changes = {
        label: becomes
        for label in world.grid.hexes
        if (becomes := world.ground(label).quenches) is not None and world.dice.roll(f"quench:{label}", 6) == 1
    }
    reshape(world, "volcanic_quenching", changes)


def _weather(world: World, season: Season) -> None:
    """Weather Extremes: the sea freezes in Winter, and Ice melts in Summer (GC-K-6 to GC-K-9)."""
    if season not in {"winter", "summer"}:
        return
    changes: dict[Hex, Code] = {}
    for label in world.grid.hexes:
        if world.ground(label).melts is None:
            continue
        if not any(world.ground(near).sea for near in world.grid.neighbours(label).values()):
            continue
        if world.dice.roll(f"weather:{label}", 6) != 1:
            continue
        for near in world.grid.within(label, 1):
            becomes = world.ground(near).freezes if season == "winter" else world.ground(near).melts
            if becomes is not None:
                changes[near] = becomes
    reshape(world, "weather_extremes", changes)


def woods(world: World) -> tuple[tuple[Hex, ...], ...]:
    """Areas of Light and Dense Vegetation (GC-K-11)."""
    return world.grid.areas([label for label in world.grid.hexes if world.ground(label).group in WOODS])


def _double_one(world: World, name: str) -> bool:
    return [world.dice.roll(f"{name}:{at}", 6) for at in (1, 2)] == [1, 1]


def _radius(world: World, name: str) -> int:
    """Roll a radius: D3 + 1 (GC-K-10)."""
    return (world.dice.roll(f"{name}:radius", 6) + 1) // 2 + 1


def _burn(world: World, season: Season) -> None:
    """Forest Fire: on a double 1 a wood burns round one of its hexes (GC-K-10, GC-K-11)."""
    for area in woods(world):
        name = f"fire:{area[0]}"
        if _double_one(world, name):
            centre = area[world.dice.roll(f"{name}:hex", len(area)) - 1]
            radius = _radius(world, name)
            burnt = [label for label in world.grid.within(centre, radius) if world.ground(label).group in WOODS]
            reshape(world, "forest_fire", dict.fromkeys(burnt, "AF"), centre, radius)


def _grow(world: World, season: Season) -> None:
    """Forest Thrives: on a double 1 a wood spreads from its edge, or thins out if the rule is taken literally (GC-K-18 to GC-K-22)."""
    letter = world.plan.configuration.forest_thrives == "letter"
    for area in woods(world):
        edge = [label for label in area if set(world.grid.neighbours(label).values()) - set(area)]
        name = f"growth:{area[0]}"
        if not edge or not _double_one(world, name):
            continue
        centre = edge[world.dice.roll(f"{name}:hex", len(edge)) - 1]
        radius = _radius(world, name)
        light = light_of(world.terrain[centre])
        changes = {}
        for label in world.grid.within(centre, radius):
            ground = world.ground(label)
            if letter and ground.group in WOODS:
                changes[label] = light_of(world.terrain[label])
            elif not letter and ground.group in OPEN_GROUND and label not in world.settled():
                changes[label] = light
        reshape(world, "forest_thrives", changes, centre, radius)


def light_of(code: Code) -> Code:
    """The code of Light Vegetation with the same kind of trees."""
    kind = TERRAIN[code].kind
    return next(one for one, ground in TERRAIN.items() if ground.group == "light_vegetation" and ground.kind == kind)


# Fire from below ----------------------------------------------------------------------------------------------------


def _erupt(world: World, season: Season) -> None:
    """Volcanic Activity: Volcanoes erupt one by one, then Mountains may awaken (GC-K-25, GC-K-30, GC-K-32)."""
    for label in [label for label in world.grid.hexes if world.ground(label).quenches is not None]:
        if world.dice.roll(f"eruption:{label}", 6) == 1:
            erupt(world, "volcanic_activity", label, _radius(world, f"eruption:{label}"))
    _awaken(world)


def _cataclysm(world: World, season: Season) -> None:
    """Cataclysm: any hex erupts, with a large radius (GC-K-33, GC-K-34)."""
    hexes = world.grid.hexes
    centre = hexes[world.dice.roll("cataclysm:hex", len(hexes)) - 1]
    radius = world.dice.roll("cataclysm:1", 6) + world.dice.roll("cataclysm:2", 6)
    erupt(world, "cataclysm", centre, radius)


def erupt(world: World, why: Shaper, centre: Hex, radius: int) -> None:
    """Let a hex erupt: terrain changes first, then things are destroyed hex by hex (GC-K-25 to GC-K-29, GC-K-32)."""
    reached = world.grid.within(centre, radius)
    changes = {label: becomes for label in reached if (becomes := world.ground(label).erupts) is not None}
    reshape(world, why, changes, centre, radius)
    for label in reached:
        name = f"ruin:{centre}:{label}"
        holder = world.holder.get(label)
        proof = holder is not None and FACTIONS[world.realms[holder].faction].realm.fireproof
        kind = world.works.get(label)
        if (
            kind is not None
            and not CONSTRUCTIONS[kind].ancient
            and _burnt(world, f"{name}:{kind}", one=True, again=proof)
        ):
            del world.works[label]
            world.tell(facts.Wrecked(at=label, what=kind, why="eruption"))
        if label in world.roads and _burnt(world, f"{name}:road", one=True, again=proof):
            world.roads.remove(label)
            world.tell(facts.Wrecked(at=label, what="road", why="eruption"))
        army = world.standing(label)
        if army is not None and _burnt(world, f"{name}:army", one=False, again=world.rules(army).fireproof):
            world.lose(army.key, "eruption")
        for party in sorted((one for one in world.parties.values() if one.at == label), key=lambda one: one.key):
            if _burnt(world, f"{name}:{party.key}", one=False, again=False):
                world.lose_party(party.key, "eruption")


def _burnt(world: World, name: str, *, one: bool, again: bool) -> bool:
    """Roll for destruction: True on a 1 if `one`, otherwise on a double 1. With `again`, a second roll must destroy too (GC-K-28, GC-I-37)."""

    def hit(attempt: str) -> bool:
        return world.dice.roll(f"{name}{attempt}", 6) == 1 if one else _double_one(world, f"{name}{attempt}")

    return hit("") and (not again or hit(":again"))


def _awaken(world: World) -> None:
    """Raise a Volcano in each range of Mountains that rolls a double 1 (GC-K-30, GC-K-31)."""
    ranges = world.grid.areas([label for label in world.grid.hexes if world.ground(label).awakens is not None])
    for area in ranges:
        name = f"awakening:{area[0]}"
        able = [label for label in area if (work := world.work(label)) is None or not work.ancient]
        if not _double_one(world, name) or not able:
            continue
        label = able[world.dice.roll(f"{name}:hex", len(able)) - 1]
        becomes = world.ground(label).awakens
        assert becomes is not None
        reshape(world, "awakening", {label: becomes}, label)
        kind = world.works.get(label)
        if kind is not None and not CONSTRUCTIONS[kind].ancient:
            del world.works[label]
            world.tell(facts.Wrecked(at=label, what=kind, why="awakening"))
        if label in world.roads:
            world.roads.remove(label)
            world.tell(facts.Wrecked(at=label, what="road", why="awakening"))
        _flee(world, label)


def _flee(world: World, label: Hex) -> None:
    """Move an army and parties from a new Volcano to the nearest free legal hex (GC-K-31)."""
    army = world.standing(label)
    if army is not None:
        near = next((spot for spot in world.surroundings(army, label) if spot != label), None)
        if near is not None:
            world.change(army.key, at=near)
            world.tell(facts.Displaced(who=army.key, start=label, at=near, why="awakening"))
        else:
            world.lose(army.key, "nowhere")
    for party in sorted((one for one in world.parties.values() if one.at == label), key=lambda one: one.key):
        open_ = [spot for spot in world.grid.hexes if world.ground(spot).cost is not None and spot != label]
        there = min(open_, key=lambda spot: (distance(spot, label), hex_order(spot)))
        world.change_party(party.key, at=there)
        world.tell(facts.Displaced(who=party.key, start=label, at=there, why="awakening"))


WORKS: Mapping[str, Callable[[World, Season], None]] = {
    "volcanic_quenching": _quench,
    "weather_extremes": _weather,
    "forest_fire": _burn,
    "forest_thrives": _grow,
    "volcanic_activity": _erupt,
    "cataclysm": _cataclysm,
}
"""Events that act as the season opens. Portals, a Golden Age, crops, growth and storms act during the season (catalogue 2.5)."""
