"""Hearers of facts, and the public name of a turn. The fields of a position declare who sees them (NB-C-9, NB-L-2)."""

from __future__ import annotations

from adjudicator.core.contract import facts
from adjudicator.rulesets.noblesse.events import FACTS
from adjudicator.rulesets.noblesse.position import Phase, Position

heard_by = facts.heard_by(FACTS)


def public_phase(position: Position) -> str:
    """Public name of the turn, such as `Night 3`."""
    return "Setup" if position.phase is Phase.SETUP else f"{position.phase.value.capitalize()} {position.cycle}"
