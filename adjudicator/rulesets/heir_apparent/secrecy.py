"""The secrecy of the game: what seats and the public see and hear, and the lengths of sealed files (HA-A-9)."""

from __future__ import annotations

from adjudicator.core.contract import facts
from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.ruleset import Secrecy
from adjudicator.rulesets.heir_apparent import brief, events
from adjudicator.rulesets.heir_apparent.position import Position, Settings, seen_by

LENGTHS = Lengths(sheet=2048, dispatch=5120, secret=7168)  # as REHEARSALS.md measures them, for three to five players
ROOMY = Lengths(sheet=2048, dispatch=7168, secret=8192)
"""More room for games where all draw, because hands are fuller, and for a host's own cards, because no rehearsal measured them."""


def lengths(settings: Settings) -> Lengths:
    """Lengths of a game's sealed files, which depend on its house rules."""
    return ROOMY if settings.draws == "all" or settings.digest is not None else LENGTHS


heard_by = facts.heard_by(events.FACTS)


SECRECY: Secrecy[Position, events.AnyEvent] = Secrecy(
    seen_by=seen_by,
    heard_by=heard_by,
    public_roll=lambda name: name.startswith("princes:"),
    brief=brief.brief,
    lengths=lengths,
)
