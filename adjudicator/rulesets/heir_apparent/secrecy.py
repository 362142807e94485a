"""Who sees and hears what, put together; and how long sealed files are (HA-A-9)."""

from __future__ import annotations

from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.ruleset import Secrecy
from adjudicator.rulesets.heir_apparent import brief, events
from adjudicator.rulesets.heir_apparent.position import Position, seen_by

LENGTHS = Lengths(sheet=2048, dispatch=5120, secret=6144)
"""For three to five players, as REHEARSALS.md measures it."""

SECRECY: Secrecy[Position, events.AnyEvent] = Secrecy(
    seen_by=seen_by,
    heard_by=events.heard_by,
    public_roll=lambda name: name.startswith("princes:"),
    brief=brief.brief,
    lengths=lambda settings: LENGTHS,
)
