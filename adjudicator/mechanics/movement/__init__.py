"""The Diplomacy movement phase: orders, convoys, the solver. It depends on provinces, but not on a game."""

from adjudicator.mechanics.movement.orders import (
    Convoy,
    Hold,
    Move,
    Named,
    Order,
    Outcome,
    Reason,
    Result,
    SupportHold,
    SupportMove,
)
from adjudicator.mechanics.movement.solver import DEFAULT_RULES, Movement, MovementRules, check_orders, solve, step

__all__ = [
    "DEFAULT_RULES",
    "Convoy",
    "Hold",
    "Move",
    "Movement",
    "MovementRules",
    "Named",
    "Order",
    "Outcome",
    "Reason",
    "Result",
    "SupportHold",
    "SupportMove",
    "check_orders",
    "solve",
    "step",
]
