"""The Diplomacy Phase: ended alliances, peace, trades, alliances and war (GC-L); and changes of faction (GC-I-3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.actions import find_bearer
from adjudicator.rulesets.grand_campaign.orders import Order
from adjudicator.rulesets.grand_campaign.position import pair
from adjudicator.rulesets.grand_campaign.reasons import Reason
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS
from adjudicator.rulesets.grand_campaign.world import World

BETWEEN_CHANGES = 4
"""Seasons that must pass between two changes of faction (GC-I-4)."""


def negotiate(world: World) -> None:
    """Run the whole phase in its order, so that war overrides an alliance of the same season (GC-L-10)."""
    for seat, order in [*world.orders_of("diplomacy")]:
        if order.args.get("seat") == seat and order.kind != "approve":
            world.judge(seat, order.line, "illegal", "self")
            world.orders[seat, "diplomacy"].remove(order)
    before = set(world.alliance)
    _dissolve(world)
    _mutual(world, "peace")
    _trade(world)
    _mutual(world, "alliance")
    _declare(world)
    _send_home(world, before - world.alliance)
    _approve(world)


def _dissolve(world: World) -> None:
    """End alliances at one side's word (GC-L-4)."""
    before = frozenset(world.alliance)
    for seat, order in world.orders_of("diplomacy", "dissolve"):
        other = order.args["seat"]
        if pair(seat, other) in before:
            if pair(seat, other) in world.alliance:
                world.alliance.remove(pair(seat, other))
                world.tell(facts.Treated(what="dissolved", by=seat, to=other))
            world.did(seat, order)
        else:
            world.judge(seat, order.line, "illegal", "not-allied")


def _mutual(world: World, kind: Literal["peace", "alliance"]) -> None:
    """Make peace and alliances, which need both sides (GC-L-3, GC-L-5, GC-L-9)."""
    asked = {(seat, order.args["seat"]): order for seat, order in world.orders_of("diplomacy", kind)}
    for one, other in sorted({pair(*both) for both in asked}):
        orders = [(seat, asked[seat, to]) for seat, to in ((one, other), (other, one)) if (seat, to) in asked]
        if len(orders) == 1:
            ((seat, order),) = orders
            world.fails(seat, order.line, "unanswered", seat=other if seat == one else one)
            continue
        at_war, allied = (one, other) in world.war, (one, other) in world.alliance
        reason: Reason = "done"
        if kind == "peace" and not at_war:
            reason = "not-at-war"
        elif kind == "alliance" and at_war:
            reason = "at-war"
        elif kind == "alliance" and allied:
            reason = "already"
        for seat, order in orders:
            if reason == "done":
                world.did(seat, order)
            else:
                world.fails(seat, order.line, reason)
        if reason != "done":
            continue
        if kind == "peace":
            world.war.remove((one, other))
            world.tell(facts.Treated(what="peace", by=one, to=other))
        else:
            world.alliance.add((one, other))
            world.tell(facts.Treated(what="alliance", by=one, to=other))


# Trades -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Goods:
    """Goods that one side of a trade gives (GC-L-12)."""

    gold: int
    hexes: tuple[Hex, ...]
    artefacts: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The goods in words, always in the same order."""
        return (*((f"{self.gold} gold",) if self.gold else ()), *self.hexes, *self.artefacts)


def goods_of(text: str) -> Goods:
    """Parse goods such as `300 gold, 0504, Sunsplitter`."""
    words = text.split(", ")
    return Goods(
        sum(int(word.split()[0]) for word in words if word.endswith(" gold")),
        tuple(sorted({word for word in words if word.isdecimal()})),
        tuple(sorted({word for word in words if word in ARTEFACTS})),
    )


@dataclass(frozen=True, slots=True)
class Trade:
    """A trade that both players wrote, with the goods of each."""

    one: SeatId
    other: SeatId
    gives: Goods
    takes: Goods
    orders: tuple[tuple[SeatId, Order], ...]
    peace: bool = False
    """True if the trade also makes peace between the two; neither happens without the other."""

    def given(self) -> tuple[tuple[SeatId, SeatId, Goods], ...]:
        """Giver, receiver and goods of both sides."""
        return ((self.one, self.other, self.gives), (self.other, self.one, self.takes))


def _trade(world: World) -> None:
    """Make the trades that both players wrote, if everybody can give all that they promised (GC-L-12; GR-31)."""
    trades = _matched(world)
    promised: dict[SeatId, int] = {}
    twice: dict[tuple[SeatId, str], int] = {}
    for trade in trades:
        for giver, _, goods in trade.given():
            promised[giver] = promised.get(giver, 0) + goods.gold
            for thing in (*goods.hexes, *goods.artefacts):
                twice[giver, thing] = twice.get((giver, thing), 0) + 1
    had = dict(world.gold)
    done = []
    for trade in trades:
        fault = next((found for part in trade.given() if (found := _fault(world, *part))), None)
        if trade.peace and (trade.one, trade.other) not in world.war:
            fault = "not-at-war", ""
        poor = next((giver for giver, _, goods in trade.given() if goods.gold and promised[giver] > had[giver]), None)
        again = next(
            (
                (giver, thing)
                for giver, _, goods in trade.given()
                for thing in (*goods.hexes, *goods.artefacts)
                if twice[giver, thing] > 1
            ),
            None,
        )
        for seat, order in trade.orders:
            if fault is not None:
                world.fails(seat, order.line, fault[0], what=fault[1])
            elif poor is not None:
                world.fails(seat, order.line, "cannot-pay", seat=poor, what=f"{promised[poor]} gold of {had[poor]}")
            elif again is not None:
                world.fails(seat, order.line, "cannot-pay", seat=again[0], what=f"{again[1]} twice")
            else:
                world.did(seat, order)
        if fault is None and poor is None and again is None:
            done.append(trade)
    for trade in done:
        if trade.peace:
            world.war.remove((trade.one, trade.other))
            world.tell(facts.Treated(what="peace", by=trade.one, to=trade.other))
        for giver, taker, goods in trade.given():
            world.gold[giver] -= goods.gold
            for label in goods.hexes:
                world.holder[label] = taker
        world.tell(facts.Traded(by=trade.one, to=trade.other, gave=trade.gives.words, got=trade.takes.words))
    for trade in done:  # the cap on purses applies only after all have paid (GC-B-7)
        for _, taker, goods in trade.given():
            world.earn(taker, goods.gold)
        _swap(world, trade)


def _matched(world: World) -> list[Trade]:
    """Trades, and peace at a price, that both players wrote in the same terms; the others are unanswered (GC-L-9)."""
    offers: dict[tuple[str, SeatId, SeatId, Goods, Goods], Order] = {}
    for seat, order in world.orders_of("diplomacy", "trade", "priced_peace"):
        key = (order.kind, seat, order.args["seat"], goods_of(order.args["goods"]), goods_of(order.args["price"]))
        if key in offers:
            world.judge(seat, order.line, "illegal", "twice")
        else:
            offers[key] = order
    found = []
    for (kind, seat, to, gives, takes), order in offers.items():
        answer = offers.get((kind, to, seat, takes, gives))
        if answer is None:
            world.fails(seat, order.line, "unanswered", seat=to)
        elif seat < to:
            found.append(Trade(seat, to, gives, takes, ((seat, order), (to, answer)), peace=kind == "priced_peace"))
    return found


def _fault(world: World, giver: SeatId, taker: SeatId, goods: Goods) -> tuple[Reason, str] | None:
    """Why goods cannot be given: hexes that are not the giver's or hold an army, artefacts not borne or cursed (GC-L-13, GC-U-14)."""
    for label in goods.hexes:
        army = world.standing(label)
        if world.holder.get(label) != giver or (army is not None and army.owner != taker):
            return "not-yours-to-trade", label
    borne = world.borne()
    for name in goods.artefacts:
        if ARTEFACTS[name].class_ == "cursed":
            return "cursed", name
        if name not in borne or world.armies[borne[name][0]].owner != giver:
            return "not-yours-to-trade", name
    return None


def _swap(world: World, trade: Trade) -> None:
    """Give artefacts to characters of the receiver who bear none, the General's Army first; without one they go to the pool."""
    borne = world.borne()
    for giver, taker, goods in trade.given():
        for name in goods.artefacts:
            key, who = borne[name]
            assert world.armies[key].owner == giver
            world.give(key, who, None)
            for army in sorted(world.armies_of(taker), key=lambda one: not one.general):
                bearer = find_bearer(world, world.armies[army.key])
                if bearer is not None:
                    world.give(army.key, bearer, name)
                    break


# War, and what ends ---------------------------------------------------------------------------------------------------


def _declare(world: World) -> None:
    """Declare war at one side's word (GC-L-2, GC-L-10)."""
    before = frozenset(world.war)
    for seat, order in world.orders_of("diplomacy", "war"):
        both = pair(seat, order.args["seat"])
        if both in before:
            world.judge(seat, order.line, "illegal", "already")
            continue
        world.alliance.discard(both)
        if both not in world.war:
            world.tell(facts.Treated(what="war", by=seat, to=order.args["seat"]))
        world.war.add(both)
        world.did(seat, order)


def _send_home(world: World, ended: Collection[tuple[SeatId, SeatId]]) -> None:
    """Move armies on land of a former ally to the nearest free hex that they may enter, once all treaties are settled (GC-L-14; GR-29)."""
    for key in sorted(world.armies, key=world.army_order):
        army = world.armies[key]
        holder = world.holder.get(army.at or "")
        parted = holder is not None and pair(army.owner, holder) in ended
        if parted and army.at is not None and not world.open_to(army.owner, army.at):
            near = next(world.surroundings(army, army.at), None)
            if near is not None:
                world.change(key, at=near, aim=None)
                world.tell(facts.Displaced(who=key, start=army.at, at=near, why="alliance"))


def _approve(world: World) -> None:
    """Record changes of faction that more than half of all players approve; they apply from the next season on (GC-I-3, GC-I-4)."""
    wished: dict[tuple[SeatId, str], list[tuple[SeatId, Order]]] = {}
    for seat, order in world.orders_of("diplomacy", "approve"):
        wished.setdefault((order.args["seat"], order.args["faction"]), []).append((seat, order))
    for (seat, faction), votes in sorted(wished.items()):
        voters = {voter for voter, _ in votes}
        changed = world.realms[seat].changed
        if changed and world.turn - changed < BETWEEN_CHANGES:
            reason: Reason = "too-soon"
        elif world.realms[seat].faction == faction:
            reason = "already"
        elif seat not in voters or 2 * len(voters) <= len(world.realms):
            reason = "no-majority"
        else:
            reason = "done"
            world.converts[seat] = faction
        for voter, order in votes:
            known = {"number": len(voters), "all": len(world.realms)} if reason == "no-majority" else {}
            if reason == "done":
                world.did(voter, order)
            else:
                world.fails(voter, order.line, reason, **known)
