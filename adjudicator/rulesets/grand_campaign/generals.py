"""A new General's Army for players who lost theirs (GC-F-11 to GC-F-15)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.campaign import GENERAL
from adjudicator.rulesets.grand_campaign.position import Army, Standing
from adjudicator.rulesets.grand_campaign.rosters import Roster, character, roster_faults, unit
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS, FACTIONS
from adjudicator.rulesets.grand_campaign.world import OPEN, World

APART = 4
"""The least distance between any settlement and the place where a General without land appears (GC-F-15)."""


def succeed(world: World) -> None:
    """Replace every General's Army that is gone, in Player Order (GC-F-12, GC-F-13)."""
    for seat in world.seats():
        realm = world.realms[seat]
        if realm.out:
            continue
        homes = _homes(world, seat)
        if homes and realm.landless:
            realm = world.reform(seat, landless=None)
        if f"{seat} {GENERAL}" in world.armies or seat not in world.fallen:
            continue
        if homes:
            _replace(world, seat, homes)
        elif realm.landless:
            eliminate(world, seat)
        else:
            world.reform(seat, landless=True)
            _exile(world, seat)


def _homes(world: World, seat: SeatId) -> list[Hex]:
    """A player's own settlements, then Allied ones: Cities, Fortresses and Towns, each in hex order (GC-F-13)."""

    def rank(label: Hex) -> tuple[bool, int, tuple[int, int]]:
        kind = CONSTRUCTIONS[world.works[label]]
        size = 0 if kind.city else 1 if kind.battle == "siege" else 2
        return world.holder.get(label) != seat, size, hex_order(label)

    found = [
        label
        for label, kind in world.works.items()
        if CONSTRUCTIONS[kind].settlement and world.stance(seat, label) in OPEN
    ]
    return sorted(found, key=rank)


def _replace(world: World, seat: SeatId, homes: list[Hex]) -> None:
    """Follow the standing order: promote an army, or raise one from a list. Otherwise the lost army returns, inexperienced (GC-F-13, GC-F-14)."""
    orders = world.realms[seat].orders
    old = _fresh(world.fallen[seat])
    promoted = (orders.general or "").removeprefix("promote ")
    if orders.general is not None and orders.general.startswith("promote ") and f"{seat} {promoted}" in world.armies:
        chosen = world.armies.pop(f"{seat} {promoted}")
        world.armies[f"{seat} {GENERAL}"] = replace(chosen, id=GENERAL)
        world.renamed[chosen.key] = f"{seat} {GENERAL}"
        _place(world, replace(old, id=promoted), orders, homes, "promoted", promoted)
        return
    roster = _listed(world, seat, orders)
    if roster is not None:
        _place(world, world.raised(seat, GENERAL, None, roster), orders, homes, "roster")
    else:
        _place(world, old, orders, homes, "same")


def _listed(world: World, seat: SeatId, orders: Standing) -> Roster | None:
    """The list that the standing order names, if it is valid."""
    if orders.general is None or orders.general.startswith("promote "):
        return None
    roster = orders.roster or world.roster(seat, orders.general)
    return roster if roster is not None and next(roster_faults(roster, tuple(FACTIONS)), None) is None else None


def _fresh(army: Army) -> Army:
    """An army as its list has it, without experience or artefacts."""
    people = (replace(one, xp=0, level=0, bears=None).line for one in map(character, army.characters))
    units = (replace(one, xp=0, level=0).line for one in map(unit, army.units))
    return Army(
        owner=army.owner,
        id=army.id,
        name=army.name,
        faction=army.faction,
        points=army.points,
        ld=army.ld,
        characters=tuple(people),
        units=tuple(units),
    )


def _place(
    world: World,
    army: Army,
    orders: Standing,
    homes: list[Hex],
    how: Literal["same", "roster", "promoted"],
    promoted: str | None = None,
) -> None:
    """Place an army on the standing order's hex at or beside a settlement, or as near to the first settlement as possible (GC-F-12, GC-F-13)."""
    seat = army.owner
    near = {label for home in homes for label in world.grid.within(home, 1)}
    spots = [*world.surroundings(army, homes[0])]
    if orders.at is not None and orders.at in near and orders.at in spots:
        spots.insert(0, orders.at)
    if not spots:
        return  # no hex on the map fits: the player goes on without a General's Army
    world.armies[army.key] = replace(army, at=spots[0])
    world.fallen.pop(seat)
    world.tell(facts.Succeeded(seat=seat, name=army.name, at=spots[0], how=how, promoted=promoted))


def _exile(world: World, seat: SeatId) -> None:
    """Place a General far from everybody, on unclaimed land (GC-F-15)."""
    army = _fresh(world.fallen[seat])
    towns = world.settled()
    spots = [
        spot
        for spot in world.surroundings(army, world.grid.hexes[0])
        if not world.ground(spot).sea
        and world.stance(seat, spot) is None
        and all(distance(spot, town) >= APART for town in towns)
    ]
    spots.sort(key=hex_order)
    if not spots:
        eliminate(world, seat)
        return
    spot = spots[world.dice.roll(f"exile:{seat}", len(spots)) - 1]
    world.armies[army.key] = replace(army, at=spot)
    world.fallen.pop(seat)
    world.tell(facts.Succeeded(seat=seat, name=army.name, at=spot, how="exile"))


def eliminate(world: World, seat: SeatId) -> None:
    """Put a player out: their land becomes unclaimed, and their armies and parties are lost (GC-F-15)."""
    world.reform(seat, out=True)
    for army in world.armies_of(seat):
        world.lose(army.key, "out")
    for party in world.parties_of(seat):
        world.lose_party(party.key, "out")
    for label in [label for label, holder in world.holder.items() if holder == seat]:
        del world.holder[label]
    for pairs in (world.war, world.alliance):
        pairs -= {both for both in pairs if seat in both}
    world.fallen.pop(seat, None)
    world.tell(facts.Eliminated(seat=seat))
