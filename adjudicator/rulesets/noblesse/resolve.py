"""Resolves a turn of Noblesse: the setup or a Day (`day`), or a Night (`night`)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.acts import Deed
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.noblesse.abilities import USES
from adjudicator.rulesets.noblesse.actions import ACTIONS
from adjudicator.rulesets.noblesse.day import DECISIONS, found_courts, resolve_day
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.income import GIFTS
from adjudicator.rulesets.noblesse.leaders import TREATIES
from adjudicator.rulesets.noblesse.movement import MOVES
from adjudicator.rulesets.noblesse.night import resolve_night
from adjudicator.rulesets.noblesse.orders import Order, Sheet
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.posts import COLLECTORS, POSTS
from adjudicator.rulesets.noblesse.recruiting import RECRUITS
from adjudicator.rulesets.noblesse.work import Work

DEEDS: Mapping[str, Deed[Work, Order]] = {
    **COLLECTORS, **MOVES, **USES, **ACTIONS, **RECRUITS, **POSTS, **GIFTS, **DECISIONS, **TREATIES,
}  # fmt: skip
"""Kind of order -> its conditions and its effect, for all orders."""


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
