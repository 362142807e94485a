"""Reports of a window: its acts one by one with the pools after each, and the bidding of a round of the auction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.core.contract.pages import Chart, Report, Side, Table
from adjudicator.core.contract.words import many
from adjudicator.rulesets.heir_apparent import events as e
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.picture import sides_of
from adjudicator.rulesets.heir_apparent.position import OPPOSE, SUPPORT, Position
from adjudicator.rulesets.heir_apparent.prose import tell
from adjudicator.rulesets.heir_apparent.table import ATTACK
from adjudicator.rulesets.heir_apparent.words import POOLS

SIDES: Mapping[str, Side] = {POOLS[SUPPORT]: Side(5, POOLS[SUPPORT], "S"), POOLS[OPPOSE]: Side(1, POOLS[OPPOSE], "O")}
"""The sides in a chart of a Challenge."""


def reports(view: Position, events: Iterable[e.AnyEvent]) -> tuple[Report, ...]:
    """The acts of the window, if anybody acted, and the bidding, if there was any."""
    told = tuple(events)
    made = [_bidding(view, event) for event in told if isinstance(event, e.Bid)]
    acts = [event for event in told if isinstance(event, e.Act) and (event.act or isinstance(event, e.Played))]
    if acts:
        made.append(_acts(view, acts))
    return tuple(made)


def _bidding(view: Position, bid: e.Bid) -> Report:
    """Each player's bids, with one column per player and one row for each time round the table."""
    index = index_of(view.settings.set)
    names = {seat: index.name(view.players[seat].prince) for seat in view.ring}
    order = list(dict.fromkeys(seat for seat, _ in bid.said))
    rows: list[dict[str, str]] = []
    for seat, said in bid.said:
        if not rows or seat in rows[-1] or order.index(seat) < max(order.index(one) for one in rows[-1]):
            rows.append({})
        rows[-1][seat] = "passed" if said is None else str(said)
    head = ("Round the table", *(names[seat] for seat in order))
    table = Table(
        "Bids", head, tuple((number, *(row.get(seat, "") for seat in order)) for number, row in enumerate(rows, 1))
    )
    about = f"{names[bid.seat]} pays {bid.price} favor and chooses first; the others follow clockwise."
    return Report("bidding", f"The bidding of round {bid.round}", about, table)


def _acts(view: Position, acts: Sequence[e.Acts]) -> Report:
    """Every act with the pools after it, and the pools as they grew."""
    index = index_of(view.settings.set)
    pools = list(dict.fromkeys(pool for act in acts for pool in act.after))
    called = {pool: POOLS.get(pool) or index.name(pool) for pool in pools}
    rows = []
    for act in acts:
        text = tell(view, act)
        text = text.rpartition(": ")[0] + "." if act.after else text
        number = str(act.act) if act.act else "reaction"
        rows.append((number, text, *(act.after.get(pool, "") for pool in pools)))
    table = Table("Acts", ("Act", "What was done", *called.values()), tuple(rows))
    many_acts = sum(act.act > 0 for act in acts)
    about = f"{many(many_acts, 'act')}, in order; the numbers show the pools after each."
    chart, sides = _growth(view, acts)
    return Report("acts", "Act by act", about, table, chart, sides, steps=len(rows) > 1)


def _growth(view: Position, acts: Sequence[e.Acts]) -> tuple[Chart | None, Mapping[str, Side] | None]:
    """A chart of an Event's pools over its acts, and its sides; None for both if there are fewer than three acts."""
    shown = [act for act in acts if act.act and act.after and ATTACK not in act.after]
    if len(shown) < 3:
        return None, None
    names = index_of(view.settings.set).name
    sides = {**SIDES, **{side.name: side for side in sides_of(view).values()}}
    lines = {POOLS.get(pool) or names(pool): tuple(act.after.get(pool, 0) for act in shown) for pool in shown[0].after}
    labels = tuple(str(act.act) for act in shown)
    return Chart("Pools", "tokens", labels, lines, "Act"), sides
