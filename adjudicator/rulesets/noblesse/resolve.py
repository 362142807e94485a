"""A turn of Noblesse: the setup, a Night (`night`, in ten steps) or a Day (`day`)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.noblesse.day import found_courts, resolve_day
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.night import resolve_night
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import Phase, Position


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Resolve a turn of any kind (NB-A-1, NB-A-2)."""
    match position.phase:
        case Phase.SETUP:
            return found_courts(position, sheets, dice)
        case Phase.NIGHT:
            return resolve_night(position, sheets, dice)
        case Phase.DAY:
            return resolve_day(position, sheets, dice)


def due(position: Position) -> frozenset[SeatId]:
    """The seats that owe a sheet: all living players, by night and by day."""
    return frozenset(seat for seat, player in position.players.items() if player.alive)
