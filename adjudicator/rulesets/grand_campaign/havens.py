"""Places for an army that must leave its hex: refuges, the ways to them, and hexes where it can end (GC-V-4 to GC-V-7)."""

from __future__ import annotations

import functools
from collections.abc import Callable

from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign.position import Army
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS
from adjudicator.rulesets.grand_campaign.world import OPEN, World

Rank = tuple[int, tuple[int, int]]


def refuges_of(world: World, army: Army, lost: Hex | None = None) -> list[Hex]:
    """An army's own and Allied settlements; for a defender, without the one that was attacked (GC-V-7).

    Settlements with a Neutral or Enemy army on them are left out, unless all have one (GC-V-6).
    """
    friendly = [
        label
        for label in sorted(world.works, key=hex_order)
        if CONSTRUCTIONS[world.works[label]].settlement and label != lost and world.stance(army.owner, label) in OPEN
    ]
    return [label for label in friendly if not _is_barred(world, army, label)] or friendly


def _is_barred(world: World, army: Army, label: Hex) -> bool:
    """Whether a Neutral or Enemy army is on a hex."""
    other = world.standing(label)
    return other is not None and world.relation(army.owner, other.owner) not in OPEN and other.owner != army.owner


def rank_of(world: World, label: Hex) -> Rank:
    """Sort key of a refuge: City, Fortress, Town, then hex order (GC-V-7)."""
    kind = CONSTRUCTIONS[world.works[label]]
    return (0 if kind.city else 1 if kind.battle == "siege" else 2), hex_order(label)


def way_for(world: World, army: Army) -> Callable[[Hex], bool]:
    """Return a test: may a retreat lead over a hex? All land is open except hexes of Neutral or Enemy armies or garrisons (GC-V-6; GR-19).

    It looks up the armies' hexes once, because it is called for many hexes. It is valid only until an army moves.
    """
    there: dict[Hex | None, Army] = {}
    for other in world.armies.values():
        there.setdefault(other.at, other)

    @functools.cache
    def open_(label: Hex) -> bool:
        if label in world.cities or world.entry(army, label) is None:
            return False
        other = there.get(label)
        return other is None or world.relation(army.owner, other.owner) in OPEN

    return open_


def stands(world: World, army: Army, label: Hex) -> bool:
    """Whether an army may end on a hex: it is free, can be entered, and is neither Neutral nor Enemy land (GC-V-6)."""
    other = world.standing(label)
    return (
        (other is None or other.key == army.key)
        and world.entry(army, label) is not None
        and world.open_to(army.owner, label)
    )


def ways_end(world: World, army: Army, here: Hex, refuge: Hex, far: int) -> tuple[Hex, ...]:
    """The hexes of a retreat along a shortest path to a refuge, without its start; empty if it can end nowhere.

    On these paths it ends on the last allowed hex within `far` steps, otherwise on the first one beyond. If there are several, the first
    step that differs decides, in the order of directions (GC-V-6).
    """
    open_ = way_for(world, army)
    steps = world.grid.reach((refuge,), lambda label: label == here or open_(label))
    length = steps[here]
    rings: list[set[Hex]] = [{here}]
    for left in reversed(range(length)):
        rings.append({on for at in rings[-1] for on in world.grid.neighbours(at).values() if steps.get(on, -1) == left})
    for number in (*range(far, 0, -1), *range(far + 1, length + 1)):
        ends = {label for label in rings[number] if stands(world, army, label)}
        if ends:
            return _way_to(world, rings[: number + 1], ends)
    return ()


def _way_to(world: World, rings: list[set[Hex]], ends: set[Hex]) -> tuple[Hex, ...]:
    """The way through one hex of each ring to one of the ends; if there are several, the first in the order of directions."""
    leading = [ends]
    for ring in reversed(rings[:-1]):
        leading.append({at for at in ring if leading[-1] & {*world.grid.neighbours(at).values()}})
    (here,) = leading.pop()
    way: list[Hex] = []
    while leading:
        fit = leading.pop()
        here = next(there for there in world.grid.neighbours(here).values() if there in fit)
        way.append(here)
    return tuple(way)


def nearest(world: World, army: Army, here: Hex, refuges: list[Hex]) -> tuple[Hex, tuple[Hex, ...]] | None:
    """The nearest refuge by path length, and the path; None if none can be reached (GC-V-7; GR-28)."""
    open_ = way_for(world, army)
    steps = world.grid.reach((here,), open_)
    far: dict[Hex, int] = {}
    for label in refuges:
        # A refuge itself need not be open: a city is not, and is entered from a hex beside it.
        beside = [steps[near] + 1 for near in world.grid.neighbours(label).values() if near in steps]
        if label in steps or beside:
            far[label] = steps[label] if label in steps else min(beside)
    if not far:
        return None
    label = min(far, key=lambda one: (far[one], rank_of(world, one)))
    path = world.grid.path(here, label, open_)
    assert path is not None, "what can be reached from here can be reached from there"
    return label, path


def carried(world: World, army: Army, here: Hex, refuges: list[Hex]) -> Hex | None:
    """The hex for an army that is carried off: the nearest refuge, or the free hex nearest to that refuge (GC-V-4, GC-V-7; GR-28)."""
    if not refuges:
        return None
    found = nearest(world, army, here, refuges)
    refuge = found[0] if found is not None else min(refuges, key=lambda one: (distance(here, one), rank_of(world, one)))
    spots = sorted(world.grid.hexes, key=lambda spot: (distance(spot, refuge), hex_order(spot)))
    return next((spot for spot in spots if stands(world, army, spot)), None)
