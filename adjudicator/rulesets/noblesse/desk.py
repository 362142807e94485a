"""The order desk of Noblesse. It offers forms of orders, because public knowledge does not show which orders are legal."""

from __future__ import annotations

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Desk
from adjudicator.rulesets.noblesse.options import cautions
from adjudicator.rulesets.noblesse.orders import lines, unasked
from adjudicator.rulesets.noblesse.position import Position, led_by
from adjudicator.rulesets.noblesse.prices import prices
from adjudicator.rulesets.noblesse.treaties import other_party

WHO = {"pc": "yourself", "heir": "your Heir", "courtier": "one of your Courtiers at court"}
"""Word for a person in orders -> its meaning."""


def meanings(view: Position, seat: SeatId) -> dict[str, str]:
    """Number of a unit or treaty that a player knows of -> its meaning."""
    mine = {name: unit for name, unit in view.units.items() if unit.owner == seat}
    known = WHO | {name: f"your {unit.formation} at {unit.at}" for name, unit in mine.items()}
    for report in view.players[seat].reports:
        known |= {
            unit.unit: f"a {unit.formation} seen at {report.at}" for unit in report.units if unit.unit not in mine
        }
    led = led_by(view.factions, seat)
    if led is not None:
        known |= {
            name: f"the treaty with {other_party(treaty, led)}, {treaty.status}"
            for name, treaty in view.treaties.items()
        }
    return known


DESK: Desk[Position] = Desk(
    spelling=None,
    lines=lines,
    canonical=lambda view, line: lines(view).canonical(line),
    pasted=None,
    cautions=cautions,
    unasked=unasked,
    plans=None,
    stands=None,
    prices=prices,
    meanings=meanings,
    walks=None,
    beside=None,
)
