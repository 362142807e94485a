"""Gold for photos, accounts and stories of battles (GC-W-1 to GC-W-3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.accounts import Settled
from adjudicator.rulesets.grand_campaign.orders import BattlesSheet, Order
from adjudicator.rulesets.grand_campaign.world import World

GOLD: Mapping[str, int] = {"photos": 50, "account": 100, "story": 100}
WORDS: Mapping[str, int] = {"account": 120, "story": 250}
"""The words that a text needs (GC-W-3)."""


def honour(world: World, battles: Iterable[Settled]) -> None:
    """Gold for both players of each battle that somebody tells of: the best that is claimed (GC-W-2)."""
    claimed: dict[str, list[tuple[SeatId, Order]]] = {}
    settled = {one.battle.id: one for one in battles}
    for seat, order in world.orders_of("bonus"):
        one = settled.get(order.args["battle"])
        players = _players(one) if one is not None else ()
        if one is None or seat not in players:
            world.judge(seat, order.line, "illegal", "not-your-battle", battle=order.args["battle"])
        elif not one.fought and one.how != "resolver":
            world.fail(seat, order.line, "not-fought")
        elif problem := _problem(world, seat, order):
            world.fail(seat, order.line, "no-account", what=problem)
        else:
            claimed.setdefault(one.battle.id, []).append((seat, order))
    for id_, claims in claimed.items():
        best = max(GOLD[order.kind] for _, order in claims)
        seat, chosen = next(claim for claim in claims if GOLD[claim[1].kind] == best)
        players = _players(settled[id_])
        for player in players:
            world.earn(player, best)
        for other, order in claims:
            if order is chosen:
                world.done(other, order.line, "honoured", gold=best)
            else:
                world.fail(other, order.line, "outdone")
        world.tell(facts.Honoured(battle=id_, what=_what(chosen.kind), by=seat, seats=tuple(players), gold=best))


def _what(kind: str) -> facts.Bonus:
    return "photos" if kind == "photos" else "story" if kind == "story" else "account"


def _players(settled: Settled) -> tuple[SeatId, ...]:
    """The players of a battle; a garrison is nobody's (GC-W-3)."""
    keys = (settled.army("attacker"), settled.army("defender"))
    return tuple(key.rpartition(" ")[0] for key in keys if key is not None)


def _problem(world: World, seat: SeatId, order: Order) -> str:
    """Why a claim earns nothing; nothing if it does (GC-W-3)."""
    if order.kind == "photos":
        return ""
    sheet = world.sheets[seat]
    told = sheet.accounts if isinstance(sheet, BattlesSheet) else ()
    text = next((one.text for one in told if one.battle == order.args["battle"]), "")
    words, needed = len(text.split()), WORDS[order.kind]
    what = "A report" if order.kind == "account" else "A story"
    return "" if words >= needed else f"{what} has at least {needed} words, and this text has {words}."
