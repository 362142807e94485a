"""Gold for photos, accounts and stories of battles (GC-W-1 to GC-W-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.accounts import Settled
from adjudicator.rulesets.grand_campaign.orders import BattlesSheet, Order, reader_of
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Battle, Claim
from adjudicator.rulesets.grand_campaign.world import World

GOLD: Mapping[str, int] = {"photos": 50, "account": 100, "story": 100}
WORDS: Mapping[str, int] = {"account": 120, "story": 250}
"""Number of words that an account or a story needs (GC-W-3)."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A player's account of a battle: from this turn's sheet, or kept from before it was settled."""

    seat: SeatId
    order: Order
    text: str
    kept: bool = False


def honour(world: World, battles: Iterable[Settled], waiting: Iterable[Battle]) -> tuple[Claim, ...]:
    """Give gold to both players of each battle that somebody writes about: the best claim counts (GC-W-2).

    Returns the claims about battles that are waiting for the host. They count once those battles are settled (F4).
    """
    claimed: dict[str, list[_Told]] = {}
    settled = {one.battle.id: one for one in battles}
    open_ = {battle.id: _seats(battle.attackers[0], battle.defender) for battle in waiting}
    claims = list(world.start.claims)
    for told in _told(world):
        id_ = told.order.args["battle"]
        one = settled.get(id_)
        if told.seat in open_.get(id_, ()):
            claims = [
                claim for claim in claims if (claim.battle, claim.seat, claim.line) != (id_, told.seat, told.order.line)
            ]
            claims.append(Claim(battle=id_, seat=told.seat, line=told.order.line, text=told.text))
            world.judge(told.seat, told.order.line, "partly", "waits-for-ruling")
        elif one is None or told.seat not in _players(one):
            world.judge(told.seat, told.order.line, "illegal", "not-your-battle", battle=id_)
        else:
            _claim(world, one, told, claimed)
    for told in _kept(world, settled):
        _claim(world, settled[told.order.args["battle"]], told, claimed)
    for id_, tales in claimed.items():
        best = max(GOLD[told.order.kind] for told in tales)
        chosen = next(told for told in tales if GOLD[told.order.kind] == best)
        players = _players(settled[id_])
        for player in players:
            world.earn(player, best)
        for told in tales:
            if told is chosen and not told.kept:
                world.succeeds(told.seat, told.order.line, "honoured", gold=best)
            elif not told.kept:
                world.fails(told.seat, told.order.line, "outdone")
        seats = tuple(players)
        world.tell(facts.Honoured(battle=id_, what=_what(chosen.order.kind), by=chosen.seat, seats=seats, gold=best))
    return tuple(claims)


def _told(world: World) -> Iterator[_Told]:
    """The claims on this turn's sheets."""
    for seat, order in world.orders_of("bonus"):
        sheet = world.sheets[seat]
        accounts = sheet.accounts if isinstance(sheet, BattlesSheet) else ()
        yield _Told(seat, order, next((one.text for one in accounts if one.battle == order.args["battle"]), ""))


def _kept(world: World, settled: Mapping[str, Settled]) -> Iterator[_Told]:
    """Earlier claims about battles that are settled now."""
    reader = reader_of(world.plan)
    for claim in world.start.claims:
        order = reader.read("bonus", claim.line)
        if claim.battle in settled and isinstance(order, Order):
            yield _Told(claim.seat, order, claim.text, kept=True)


def _claim(world: World, one: Settled, told: _Told, claimed: dict[str, list[_Told]]) -> None:
    """Count a claim, or report why it earns nothing."""
    if not one.fought and one.how != "resolver":
        if not told.kept:
            world.fails(told.seat, told.order.line, "not-fought")
    elif problem := _problem(told):
        if not told.kept:
            world.fails(told.seat, told.order.line, "no-account", what=problem)
    else:
        claimed.setdefault(one.battle.id, []).append(told)


def _what(kind: str) -> facts.Bonus:
    return "photos" if kind == "photos" else "story" if kind == "story" else "account"


def _players(settled: Settled) -> tuple[SeatId, ...]:
    """The players of a battle; a garrison has none (GC-W-3)."""
    return _seats(settled.army("attacker"), settled.army("defender"))


def _seats(*keys: ArmyKey | None) -> tuple[SeatId, ...]:
    return tuple(key.rpartition(" ")[0] for key in keys if key is not None)


def _problem(told: _Told) -> str:
    """The reason why a claim earns nothing; empty if it earns gold (GC-W-3)."""
    kind = told.order.kind
    if kind == "photos":
        return ""
    words, needed = len(told.text.split()), WORDS[kind]
    what = "A report" if kind == "account" else "A story"
    return "" if words >= needed else f"{what} has at least {needed} words, and this text has {words}."
