"""Who hears of what, and what everybody calls a turn. Who sees what of a position its fields say themselves (NB-C-9, NB-L-2)."""

from __future__ import annotations

from adjudicator.core.contract.resolution import SeatId, Verdict
from adjudicator.rulesets.noblesse.events import FACTS, AnyEvent
from adjudicator.rulesets.noblesse.position import Phase, Position


def heard_by(fact: Verdict | AnyEvent, seat: SeatId | None) -> Verdict | AnyEvent | None:
    """A verdict or an event as a seat or the public learns of it; None if it does not. Seats learn their own verdicts alone."""
    if isinstance(fact, Verdict):
        return fact if fact.seat == seat else None
    return FACTS.heard(fact, seat)


def public_phase(position: Position) -> str:
    """`Night 3`, as everybody calls the turn."""
    return "Setup" if position.phase is Phase.SETUP else f"{position.phase.value.capitalize()} {position.cycle}"
