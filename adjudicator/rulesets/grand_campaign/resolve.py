"""A turn of the campaign: placing, a season's orders, or its battles (catalogue 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.grand_campaign.battles import fight_battles, fight_season
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.placing import place
from adjudicator.rulesets.grand_campaign.position import Phase, Position
from adjudicator.rulesets.grand_campaign.world import World


def due(position: Position) -> frozenset[SeatId]:
    """Players who owe a sheet: all, the one who places now (GC-C-17), or those with a battle or skirmish (GC-Z-4, GC-Z-7, GC-W-9)."""
    if position.closed:
        return frozenset()
    if position.placer is not None:
        return frozenset({position.placer[0]})
    if position.phase is not Phase.BATTLES:
        return frozenset(seat for seat, realm in position.realms.items() if not realm.out)
    fighting = [key for battle in position.battles for key in (battle.attackers[0], battle.defender)]
    fighting += [key for quarrel in position.quarrels for key in (quarrel.comer, quarrel.other)]
    return frozenset(key.rpartition(" ")[0] for key in fighting if key is not None)


def resolve(position: Position, sheets: Mapping[SeatId, Any], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Resolve a turn of any phase."""
    if position.phase is Phase.PLACEMENT:
        return place(position, sheets, dice)
    return resolve_in(World(position, sheets, dice))


def resolve_in(world: World) -> Resolution[Position, AnyEvent]:
    """Resolve a season or its battles, in a world where nothing has been done yet."""
    return fight_season(world) if world.start.phase is Phase.SEASON else fight_battles(world)
