"""The secrecy of Noblesse in one object, and the lengths of sealed files (NB-C-9)."""

from __future__ import annotations

from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.ruleset import Secrecy
from adjudicator.rulesets.noblesse import brief, secrecy
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.position import Position, Settings, seen_by
from adjudicator.rulesets.noblesse.scenario import scenario_named

LENGTHS = Lengths(sheet=2048, dispatch=7168, secret=9216)
"""Lengths on the board of Farna, as measured in REHEARSALS.md."""


def lengths(settings: Settings) -> Lengths:
    """Lengths of sealed files, scaled up if a host's scenario has more players than Farna."""
    return LENGTHS.scaled(len(settings.board.players), len(scenario_named("farna").players))


SECRECY: Secrecy[Position, AnyEvent] = Secrecy(
    seen_by=seen_by,
    heard_by=secrecy.heard_by,
    public_roll=lambda name: False,
    brief=brief.brief,
    lengths=lengths,
)
