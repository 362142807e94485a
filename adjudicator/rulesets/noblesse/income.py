"""Step 9 of a Night: the yields of estates, companies and Universities, and the gifts of leaders (NB-F, NB-G-9)."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse import leaders
from adjudicator.rulesets.noblesse.abilities import extra_yield, raider
from adjudicator.rulesets.noblesse.actions import harm
from adjudicator.rulesets.noblesse.events import (
    Earned,
    Shared,
    Trained,
    Yield,
)
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import led_by
from adjudicator.rulesets.noblesse.scenario import (
    COLOURS,
    RESOURCES,
    Resource,
    Stock,
    amount_of,
)
from adjudicator.rulesets.noblesse.work import Work


def collect(work: Work) -> None:
    """Step 9: collect the yields of estates and companies, train Courtiers, then let leaders share and pay (NB-F, NB-G-9)."""
    yields: dict[SeatId, list[Yield]] = {seat: [] for seat in work.living()}
    taxes, lobbies, stewards = (work.posted_at(post) for post in ("tax", "lobby", "steward"))
    manned: set[str | None] = {*taxes, *stewards}
    manned |= {noble.at for faction in work.factions.values() for noble in faction.nobles.values()}
    manned |= {*work.plundered, *(work.players[seat].home for seat in work.gathered)}
    for estate in work.scenario.estates:
        if estate not in manned:
            continue  # nobody is there to collect anything
        base = work.base_income(estate)
        amounts = {name: 0 if (estate, name) in work.bribed else getattr(base, name) for name in RESOURCES}
        taker = raider(work, estate)
        if taker is not None:
            harm(work, "plunder", estate, "")
            if any(amounts.values()):
                yields[taker].append(Yield(of=estate, amount=Stock(**amounts)))
            continue
        collectors = taxes.get(estate, [])
        lobbied = {courtier.what for _, courtier in lobbies.get(estate, ())}
        gained: dict[SeatId, Stock] = {}
        for seat, collector in collectors:
            resource: Resource = collector.what  # type: ignore[assignment]  # a Tax Collector has one
            amount = amounts[resource]
            if amount and resource in lobbied:
                amount += 2
            gained[seat] = gained.get(seat, Stock()) + amount_of(resource, amount)
        lord = work.home_of(estate)
        if lord is not None and lord in yields and (more := extra_yield(work, lord)):
            gained[lord] = gained.get(lord, Stock()) + more
        for seat, amount_ in gained.items():
            if amount_:
                yields[seat].append(Yield(of=estate, amount=amount_))
        seated = [seat for seat, _ in stewards.get(estate, ())]
        seated += [
            leader
            for name, faction in sorted(work.factions.items())
            if (leader := faction.leader) is not None and any(noble.at == estate for noble in faction.nobles.values())
        ]
        if seated and not collectors:
            by = work.holding(estate).by
            to = by if by in work.players else work.leader(by) if by is not None else None
            little = Stock(**{name: 1 for name in RESOURCES if amounts[name]})
            if to is not None and little:
                yields[to].append(Yield(of=estate, amount=little))
    for name, unit in sorted(work.units.items()):
        colours = Stock()
        for company in work.designs(unit):
            colour = work.company(unit, company).colour
            if colour is not None:
                colours += amount_of(COLOURS[colour], 1)
        if colours:
            yields.setdefault(unit.owner, []).append(Yield(of=name, amount=colours))
    for seat, sources in yields.items():
        if seat not in work.players:
            continue
        total = Stock()
        for source in sources:
            total += source.amount
        work.give(seat, total)
        if sources:
            work.tell(Earned(heard=(seat,), seat=seat, sources=tuple(sources), total=total))
    for seat in work.living():
        for estate in work.controlled(seat):
            if work.has_working(seat, "university", estate):
                number = work.add_courtier(seat)
                work.tell(Trained(heard=(seat,), seat=seat, courtier=number))
    leaders.pay_debts(work)
    for kind, deed in GIFTS.items():
        for seat, order in work.orders_of(kind):
            work.carry_out(seat, order, deed)


def _share_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    to, faction = order.args["seat"], work.players[seat].faction
    if work.leader(faction) != seat:
        return because("not-leader", "F-13", "fails" if led_by(work.start.factions, seat) else "illegal")
    if to == seat or work.players[to].faction != faction or not work.players[to].alive:
        return because("not-of-faction", "F-12", seat=to)
    return work.too_poor(seat, order.amounts)


def _share(work: Work, seat: SeatId, order: Order) -> None:
    to, amount = order.args["seat"], order.amounts
    work.pay(seat, order, amount)
    work.give(to, amount)
    work.judge(seat, order, "succeeds", "shared", "F-12", seat=to)
    work.tell(Shared(heard=tuple(sorted((seat, to))), by=seat, to=to, amount=amount))


GIFTS: Mapping[str, Deed[Work, Order]] = {"share": Deed(_share_fault, _share), "pay": leaders.PAY}
"""Kind of order to share or to pay -> its conditions and its effect. Leaders share first, then pay (NB-F-12, F-13)."""
