"""How people write the sheets of a campaign, for the order desk."""

from __future__ import annotations

from adjudicator.core.contract.lines import Blank
from adjudicator.core.contract.plans import Plan, Plans
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Desk
from adjudicator.rulesets.grand_campaign.orders import BATTLE_PARTS, FORMS, SEASON_PARTS, blanks_of
from adjudicator.rulesets.grand_campaign.position import Phase, Position

WISHES = ("city", "fortress", "towns", "armies", "general")


def plans(view: Position) -> Plans:
    """The lists of a sheet of this turn."""
    blanks = {**blanks_of(view.plan), "wish": Blank(words=view.grid.hexes)}
    if view.phase is Phase.PLACEMENT:
        return Plans(lists={key: Plan(forms=("{wish}",)) for key in WISHES}, blanks=blanks, names={}, about={})
    parts = SEASON_PARTS if view.phase is Phase.SEASON else BATTLE_PARTS
    return Plans(lists={part: Plan(forms=tuple(FORMS[part])) for part in parts}, blanks=blanks, names={}, about={})


def stands(view: Position, seat: SeatId) -> dict[str, tuple[str, ...]]:
    """What stands of a player's orders until they send another list (GC-Z-7)."""
    orders = view.realms[seat].orders
    lines = [f"stand aside {army}" for army in orders.aside]
    if orders.answer:
        lines.append(f"answer with {', '.join(orders.answer)}")
    lines += [f"bearer of {army}: {name}" for army, name in orders.bearer.items()]
    if orders.general is not None and orders.at is not None:
        lines.append(f"next General: {orders.general} at {orders.at}")
    return {"standing": tuple(lines)} if lines and view.phase is Phase.SEASON else {}


DESK: Desk[Position] = Desk(
    spelling=None,
    lines=None,
    canonical=None,
    cautions=None,
    unasked=None,
    objections=None,
    plans=plans,
    stands=stands,
    prices=None,
    meanings=None,
    beside=None,
)
