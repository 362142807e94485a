"""Who hears of what, and what everybody calls a turn. Who sees what of a position its fields say themselves (NB-C-9, NB-L-2)."""

from __future__ import annotations

from adjudicator.core.contract import facts
from adjudicator.rulesets.noblesse.events import FACTS
from adjudicator.rulesets.noblesse.position import Phase, Position

heard_by = facts.heard_by(FACTS)


def public_phase(position: Position) -> str:
    """`Night 3`, as everybody calls the turn."""
    return "Setup" if position.phase is Phase.SETUP else f"{position.phase.value.capitalize()} {position.cycle}"
