"""Defeated armies: the Defeat Table, retreats, and losers of clashes, who go back (GC-V-1 to GC-V-12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from adjudicator.mechanics.hexes import Hex, distance, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.accounts import Settled
from adjudicator.rulesets.grand_campaign.events import Line
from adjudicator.rulesets.grand_campaign.havens import carried, nearest, refuges_of, stands, ways_end
from adjudicator.rulesets.grand_campaign.marching import remaining_path
from adjudicator.rulesets.grand_campaign.position import Army, ArmyKey, Stopped
from adjudicator.rulesets.grand_campaign.world import World

TABLE: tuple[Line, ...] = ("destroyed", "mauled", "scattered", "routed", "retreats", "withdraws")
"""The results of the Defeat Table, in order from 1 (GC-V-3 to GC-V-5)."""
FAR: dict[Line, int] = {"scattered": 7, "routed": 7, "retreats": 6, "withdraws": 5}
RESTS = frozenset({"mauled", "scattered"})
"""Results that make an army skip its next Army Phase."""
LOST_SIEGE, TWO_ATTACKERS = 2, 1
"""Numbers subtracted from the die (GC-V-8)."""
BACK = 7
"""Distance within which the loser of a clash looks for a hex (GC-V-12)."""


@dataclass(frozen=True, slots=True)
class Defeat:
    """A defeated army and the battle that it lost."""

    army: ArmyKey
    settled: Settled
    defended: bool

    @property
    def backs_off(self) -> bool:
        """True if it lost a clash that was fought, so that it does not roll on the table (GC-V-12; GR-17)."""
        return self.settled.battle.kind == "clash" and self.settled.how != "conceded"


def defeats(world: World, battles: Iterable[Settled], stopped: dict[ArmyKey, Stopped]) -> None:
    """Judge all defeated armies, in Player Order of the losers (GC-V-2)."""
    beaten = [
        Defeat(settled.loser, settled, settled.winner == "attacker") for settled in battles if settled.loser is not None
    ]
    for defeat in sorted(beaten, key=lambda one: world.army_order(one.army)):
        if defeat.settled.how != "conceded" and surrounded(world, world.armies[defeat.army]):
            world.tell(facts.Beaten(army=defeat.army, why="surrounded", result="destroyed"))
            world.lose(defeat.army, "surrounded")
        elif defeat.backs_off:
            _back_off(world, defeat, stopped)
        else:
            _roll(world, defeat)


def surrounded(world: World, army: Army) -> bool:
    """Whether players at war with an army hold every neighbouring hex that it could enter (GC-V-9; GR-19)."""
    assert army.at is not None
    near = [spot for spot in world.grid.neighbours(army.at).values() if world.entry(army, spot) is not None]
    return bool(near) and all(
        (holder := world.holder.get(spot)) is not None and world.at_war(army.owner, holder) for spot in near
    )


def _roll(world: World, defeat: Defeat) -> None:
    """Roll on the Defeat Table (GC-V-3 to GC-V-8); a concession takes the last line without a die (GC-A-8)."""
    army, battle = world.armies[defeat.army], defeat.settled.battle
    conceded = defeat.settled.how == "conceded"
    if conceded:
        world.tell(facts.Beaten(army=army.key, why="conceded", result="withdraws"))
        result: Line = "withdraws"
    else:
        die = world.dice.roll(f"defeat:{army.key}", 6)
        siege = LOST_SIEGE if battle.wins == "siege" and defeat.defended else 0
        twice = TWO_ATTACKERS if battle.twice and defeat.defended else 0
        result = TABLE[max(1, die - siege - twice) - 1]
        eternal, least = 0, world.rules(army).eternal
        if result == "destroyed" and least:
            eternal = world.dice.roll(f"eternal:{army.key}", 6)
            result = "mauled" if eternal >= least else result
        told = facts.Beaten(
            army=army.key, why="defeat", die=die, siege=siege, twice=twice, eternal=eternal, result=result
        )
        world.tell(told)
    refuges = refuges_of(world, army, battle.at if defeat.defended else None)
    if result == "destroyed" or not refuges:
        world.lose(army.key, "defeat")
        return
    if result in RESTS:
        world.change(army.key, rests=True)
    if result == "mauled":
        _carry(world, army, refuges)
    else:
        _retreat(world, army, refuges, FAR[result])


# Destinations -------------------------------------------------------------------------------------------------------


def _retreat(world: World, army: Army, refuges: list[Hex], far: int) -> None:
    """Retreat by up to `far` hexes towards the nearest refuge (GC-V-5, GC-V-6; GR-9).

    No result from 3 to 6 destroys an army while it has a refuge (F1). An army that can end nowhere on the way stays where it is. One that
    cannot stay either is carried off as if mauled.
    """
    assert army.at is not None
    here = army.at
    found = nearest(world, army, here, refuges)
    if found is not None and not found[1]:
        return  # it is on its refuge already (GR-9)
    if found is not None and (path := ways_end(world, army, here, found[0], min(far, len(found[1])))):
        _go(world, army, path, path[-1], "retreat")
    elif not stands(world, army, here):
        _carry(world, army, refuges)


def _carry(world: World, army: Army, refuges: list[Hex]) -> None:
    """Put a mauled army on the nearest refuge, or on the nearest free hex (GC-V-4, GC-V-7; GR-28)."""
    assert army.at is not None
    spot = carried(world, army, army.at, refuges)
    if spot is None:
        world.lose(army.key, "nowhere")
    else:
        _go(world, army, (), spot, "mauled")


def _back_off(world: World, defeat: Defeat, stopped: dict[ArmyKey, Stopped]) -> None:
    """Send the loser of a clash back along its trail, out of the victor's way (GC-V-12; GR-27)."""
    army, victor = world.armies[defeat.army], defeat.settled.victor
    assert army.at is not None
    here = army.at
    barred = set(remaining_path(world, stopped[victor], army.key)) if victor in stopped else set()
    trail = stopped[army.key].trail if army.key in stopped else (here,)
    spot = next((spot for spot in reversed(trail) if spot not in barred and stands(world, army, spot)), None)
    if spot is None:
        near = [spot for spot in world.grid.within(here, BACK) if spot not in barred and stands(world, army, spot)]
        spot = min(near, key=lambda one: (distance(one, here), hex_order(one)), default=None)
    if spot is None:  # like a mauled army, as long as it has a settlement (F1)
        spot = carried(world, army, here, refuges_of(world, army))
    if spot is None:
        world.lose(army.key, "nowhere")
    elif spot != here:
        _go(world, army, (), spot, "back")


def _go(world: World, army: Army, path: tuple[Hex, ...], at: Hex, how: Literal["retreat", "mauled", "back"]) -> None:
    assert army.at is not None
    world.change(army.key, at=at)
    world.tell(facts.Retreated(army=army.key, start=army.at, path=path, at=at, how=how))
