"""Bids: which are legal, which are void, and which order each unit without a player gets (S9-D)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.contract import acts
from adjudicator.core.contract.acts import illegal
from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.mechanics.bids import Bid, Decision, Unpaid, decide, pay
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove, check_orders
from adjudicator.mechanics.notation import AnyOrder, Fault
from adjudicator.rulesets.diplomacy import Movement, is_for_moves
from adjudicator.rulesets.saga_of_the_nine.events import Bidden, Decided, Offered
from adjudicator.rulesets.saga_of_the_nine.orders import Marry, Offer
from adjudicator.rulesets.saga_of_the_nine.position import Position, minors, purse_of, stationary
from adjudicator.rulesets.saga_of_the_nine.work import Work, add_command, add_unreadable

TRIPLE = 3
"""Weight of each DP that a Thrall's controller allocates to it (S9-D-11)."""


def against_bid(position: Position, major: SeatId, offer: Offer) -> acts.Fault | None:
    """Why a bid is illegal, whatever others do; None if it is legal (S9-D-6, S9-D-7, S9-E-2, S9-T-6)."""
    ground = position.ground
    board, province = ground.board, offer.unit.province
    place = board.provinces[province].name
    here = ground.units.get(province)
    if here is None:
        return illegal("bid-on-nothing", "D-7", place=place)
    power, unit = here
    if offer.unit.kind and offer.unit.kind != unit.kind:
        return illegal("bid-wrong-kind", "D-7", unit=board.unit_name(unit))
    if power in board.powers:
        return illegal("bid-on-major", "D-7", power=power)
    vassal = position.vassals.get(power)
    if vassal is not None and major not in vassal.controllers:
        return illegal("bid-on-others-vassal", "D-6", vassal=power, controllers=vassal.controllers)
    if isinstance(offer.wish, Marry):
        if vassal is not None:
            return illegal("vassals-marry-nobody", "V-23", vassal=power)
        if power in position.thralls:
            return illegal("thralls-marry-nobody", "T-16", thrall=power, controller=position.thralls[power])
        assert power in minors(position)
        if offer.wish.heir not in position.heirs:
            return illegal("bid-for-no-heir", "T-6", heir=offer.wish.heir)
        return None
    return _against_wish(position, power, offer.wish)


def _against_wish(position: Position, power: SeatId, wish: AnyOrder) -> acts.Fault | None:
    """Why bids cannot give a unit this order; None if they can."""
    if not isinstance(wish, Movement):
        return illegal("bid-for-no-order", "D-7")
    if isinstance(wish, Convoy) and power not in position.vassals:
        return illegal("stationary-convoys", "E-2", power=power)
    ground = position.ground
    (outcome,) = check_orders(
        ground.board, ground.units, [(power, wish)], position.settings.movement, stationary(position)
    )
    if outcome is None:
        return None
    return illegal(outcome.reason.value, "E-3" if outcome.reason == "never-convoyed" else "D-7")


def attacked_by(work: Work, major: SeatId) -> frozenset[str]:
    """Provinces of Minors and Thralls that a Major's legal orders attack by moves, supports or convoys (S9-D-15)."""
    ground, still = work.war.start, stationary(work.start)
    orders = [(major, line.said) for line in work.lines[major] if is_for_moves(line.said)]
    outcomes = check_orders(ground.board, ground.units, orders, work.start.settings.movement, still)
    goals: set[str] = set()
    for (_, order), outcome in zip(orders, outcomes, strict=True):
        if outcome is not None:
            continue
        match order:
            case Move(_, to) | SupportMove(_, _, to) | Convoy(_, _, to):
                goals.add(to)
            case Hold() | SupportHold():
                pass
    return frozenset(goals & still)


@dataclass(frozen=True, slots=True)
class _Legal:
    """A legal bid with its line."""

    offer: Offer
    line: str
    order: AnyOrder | Marry
    """The order that it bids for, in the form that equal orders share."""
    wish: str
    """That order in words, identical for equal bids."""


def _legal_bids(work: Work, major: SeatId) -> list[_Legal]:
    """A Major's legal bids in the order of its sheet. The others get their verdicts (S9-D-7, SR-1)."""
    units = work.war.start.names()
    legal: list[_Legal] = []
    for bid in work.bids[major]:
        if isinstance(bid.offer, Fault):
            add_unreadable(work, major, bid.text, bid.offer)
            continue
        line = work.speech.write_bid(bid.offer, units)
        objection = against_bid(work.start, major, bid.offer)
        if objection is not None:
            work.fail(major, line, objection)
            continue
        order = work.speech.same(bid.offer.wish, units)
        legal.append(_Legal(bid.offer, line, order, work.speech.write_wish(order, units)))
    return legal


def take_bids(work: Work) -> None:
    """Pays and adds up all bids, and gives each unit without a player the order with the highest sum (S9-D-8 to S9-D-17)."""
    orders: dict[str, AnyOrder | Marry] = {}
    counting: list[tuple[Bid[str], _Legal]] = []
    for major in work.bids:
        legal = _legal_bids(work, major)
        offers = [_bid(work, major, each) for each in legal]
        attacked = attacked_by(work, major)
        for each, offer, payment in zip(legal, offers, pay(offers, purse_of(work.start, major)), strict=True):
            unit = work.unit_name(offer.unit)
            if payment.fault is Unpaid.CONTRADICTED:
                work.judge(major, each.line, "illegal", "bid-twice", "D-13", unit=unit)
            elif payment.fault is Unpaid.TOO_DEAR:
                facts: dict[str, Fact] = {"left": payment.left, "purse": purse_of(work.start, major)}
                work.judge(major, each.line, "illegal", "bid-too-dear", "D-14", **facts)
            elif offer.unit in attacked:
                place = work.name(offer.unit)
                work.judge(major, each.line, "void", "bid-void", "D-15", place=place, dp=offer.amount)
            else:
                orders[each.wish] = each.order
                counting.append((offer, each))
    decisions = decide([offer for offer, _ in counting], {wish: wish for wish in orders})
    for offer, each in counting:
        _judge_bid(work, offer, each, decisions[offer.unit])
    for province, decision in decisions.items():
        _tell(work, province, decision, orders)


def _bid(work: Work, major: SeatId, each: _Legal) -> Bid[str]:
    province = each.offer.unit.province
    power, _ = work.war.start.units[province]
    weight = TRIPLE if work.start.thralls.get(power) == major else 1
    return Bid(major, province, each.wish, each.offer.amount, weight)


def _judge_bid(work: Work, offer: Bid[str], each: _Legal, decision: Decision[str]) -> None:
    """Adds the verdict on a bid that counts (S9-D-9, S9-D-10)."""
    mine = next(whole for whole in decision.sums if whole.wish == offer.wish)
    facts: dict[str, Fact] = {"total": mine.total}
    if len(decision.sums) > 1:
        other = next(whole for whole in decision.sums if whole is not mine)
        facts |= {"against": other.total, "other": _deed(work, offer.unit, other.wish)}
    if decision.tied and mine.total == decision.sums[0].total:
        work.judge(offer.bidder, each.line, "fails", "bid-tied", "D-10", **facts)
    elif decision.tied:
        facts |= {"against": decision.sums[0].total}
        work.judge(offer.bidder, each.line, "fails", "bid-below-tie", "D-10", **facts)
    elif decision.wish == offer.wish:
        work.judge(offer.bidder, each.line, "succeeds", "bid-decides", "D-9", **facts)
    else:
        winner = decision.sums[0]
        facts |= {"against": winner.total, "other": _deed(work, offer.unit, winner.wish)}
        work.judge(offer.bidder, each.line, "fails", "bid-outbid", "D-9", **facts)


def _deed(work: Work, province: str, wish: str) -> str:
    """A wish in words, without the name of its unit."""
    return wish.removeprefix(work.unit_name(province)).strip()


def _tell(work: Work, province: str, decision: Decision[str], orders: dict[str, AnyOrder | Marry]) -> None:
    """Records what the bids on a unit decided, and commands the unit. A unit that is to marry holds (S9-T-5)."""
    power, unit = work.war.start.units[province]
    wish = decision.wish
    work.tell(
        Decided(
            power=power,
            unit=work.unit_name(province),
            order=_deed(work, province, wish) if wish is not None else None,
            bids=tuple(
                Bidden(
                    order=_deed(work, province, whole.wish),
                    total=whole.total,
                    by=_offered(whole.bids),
                )
                for whole in decision.sums
            ),
        )
    )
    work.told[province] = None
    if wish is None:
        return
    order = orders[wish]
    if isinstance(order, Marry):
        work.told[province] = order.heir
        work.helpers[province] = tuple(dict.fromkeys(bid.bidder for bid in decision.sums[0].bids))
        add_command(work, power, Hold(Named(unit.kind, province)))
    else:
        add_command(work, power, order)


def _offered(bids: tuple[Bid[str], ...]) -> tuple[Offered, ...]:
    """The DP that each Major bid. If a Major wrote several lines, their DP are added up."""
    dp: dict[SeatId, int] = {}
    for bid in bids:
        dp[bid.bidder] = dp.get(bid.bidder, 0) + bid.amount
    tripled = {bid.bidder for bid in bids if bid.weight > 1}
    return tuple(
        Offered(major=major, dp=number, triple=True if major in tripled else None)
        for major, number in sorted(dp.items())
    )


def refuse_bids(work: Work) -> None:
    """Refuses all bids, in a turn that is not a phase of orders (S9-D-3)."""
    units = work.war.start.names()
    for major, bids in work.bids.items():
        for bid in bids:
            if isinstance(bid.offer, Fault):
                add_unreadable(work, major, bid.text, bid.offer)
            else:
                work.judge(major, work.speech.write_bid(bid.offer, units), "illegal", "bid-not-now", "D-3")
