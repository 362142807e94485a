"""How people write the plans of Heir Apparent, for the order desk."""

from __future__ import annotations

from adjudicator.core.contract.ruleset import Desk
from adjudicator.rulesets.heir_apparent.position import Position

DESK: Desk[Position] = Desk(
    spelling=None,
    lines=None,
    canonical=None,
    cautions=None,
    unasked=None,
    objections=None,
    prices=None,
    meanings=None,
    beside=None,
)
