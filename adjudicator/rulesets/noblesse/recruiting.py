"""Step 5 of a Night: units are recruited, and mercenaries hired (NB-B, NB-L)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.events import Raised
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import Unit
from adjudicator.rulesets.noblesse.scenario import (
    SLOTS,
    Scenario,
    amount_of,
    expand_companies,
    tables,
)
from adjudicator.rulesets.noblesse.work import Work


def recruit(work: Work) -> None:
    """Step 5: rent is due, units are disbanded, recruited and rented (NB-B-15 to B-21, NB-L-6, NB-L-11)."""
    # In the order of the mercenaries' names. Unit numbers are drawn by lot, and no rent may depend on them.
    for name, unit in sorted(work.units.items(), key=lambda pair: (pair[1].rented or "", pair[0])):
        if unit.rented is not None:
            leader = work.leader(work.faction_of(unit))
            rent = amount_of("money", tables().formations[unit.formation].price)
            if leader is not None and work.players[leader].stock.covers(rent):
                work.change(leader, stock=work.players[leader].stock - rent)
            else:
                work.dismiss(name, "unpaid", dies=False)
    for seat in work.seats_in_order():
        for order in work.orders[seat]:
            if not work.players[seat].alive:
                continue
            if order.kind == "disband":
                unit_ = work.units.get(order.args["unit"])
                if unit_ is None or unit_.owner != seat:
                    work.refuse(seat, order, "not-your-unit", "B-21", unit=order.args["unit"])
                else:
                    work.judge(seat, order, "succeeds", "disbanded", "B-21", unit=order.args["unit"])
                    work.dismiss(order.args["unit"], "disbanded", dies=False)
            elif order.kind == "recruit":
                _recruit(work, seat, order)
            elif order.kind == "hire":
                _hire(work, seat, order)


def wanted_companies(work: Work, seat: SeatId, formation: str, companies: tuple[str, ...]) -> str | None:
    """The companies that a formation takes, such as `2 flank, 3 centre`; None if `companies` fill it."""
    form = tables().formations[formation]
    slots = dict.fromkeys(SLOTS, 0)
    for name in companies:
        design = (
            work.scenario.roles[work.players[seat].role].company if name == "own" else work.scenario.companies[name]
        )
        slots[design.slot] += 1
    wanted = {slot: getattr(form, slot) for slot in SLOTS if slot != "officer"}
    if slots["officer"] or any(slots[slot] != wanted[slot] for slot in wanted):
        return ", ".join(f"{count} {slot}" for slot, count in wanted.items() if count)
    return None


TENTH = 10
"""Number of tiers of a unit's companies that cost 1 of the resource it is paid in (NB-B-15, NB-L-11)."""


def rent_of(scenario: Scenario, mercenaries: str) -> int:
    """The rent of mercenaries in Money: their formation, and a tenth of their tiers rounded up (NB-L-6, NB-L-11)."""
    pool = scenario.mercenaries[mercenaries]
    tiers = sum(scenario.companies[company].tier for company in expand_companies(pool.companies))
    return tables().formations[pool.formation].price - -tiers // TENTH


def price_of(scenario: Scenario, role: str, formation: str, companies: tuple[str, ...], officer: int = 0) -> int:
    """The price of a unit in Manpower: its formation, and a tenth of its tiers rounded up (NB-B-15)."""
    tiers = officer
    for name in companies:
        tiers += (scenario.roles[role].company if name == "own" else scenario.companies[name]).tier
    return tables().formations[formation].price - -tiers // TENTH


def _recruit(work: Work, seat: SeatId, order: Order) -> None:
    formation, at, leader = order.args["formation"], order.args["estate"], order.args["leader"]
    player, companies = work.players[seat], order.companies
    faction = work.factions[player.faction]
    noble = leader.removeprefix("noble ") if leader.startswith("noble ") else None
    if work.holding(at).by != seat and not (
        noble is not None and faction.leader == seat and noble in faction.nobles and faction.nobles[noble].at == at
    ):
        work.refuse(seat, order, "not-your-estate", "B-20", at=at)
        return
    wanted = wanted_companies(work, seat, formation, companies)
    if wanted is not None:
        work.judge(seat, order, "illegal", "not-filled", "B-15", formation=formation, wanted=wanted)
        return
    own = companies.count("own")
    fielded = sum(unit.companies.count("own") for unit in work.units.values() if unit.role == player.role)
    if own and not work.has_option(seat, "companies"):
        work.judge(seat, order, "illegal", "without", "C-3")
        return
    if own + fielded > 2:
        work.judge(seat, order, "illegal", "own-design-twice", "C-1", fielded=fielded)
        return
    officer, kind, name = 0, leader, ""
    if leader in {"pc", "heir"}:
        heir = player.heir
        led = player.unit if leader == "pc" else (heir.unit if heir is not None else "")
        if at != player.home or led is not None or (leader == "heir" and (heir is None or heir.hostage is not None)):
            work.judge(seat, order, "fails", "family-away", "P-8", who=leader)
            return
    elif leader == "courtier":
        free = work.free_courtiers(seat)
        if not free:
            work.judge(seat, order, "fails", "no-courtier", "K-1")
            return
        name = str(free[0].id)
    elif noble is not None:
        held = faction.nobles.get(noble)
        if held is None or faction.leader != seat or held.unit is not None or held.at != at:
            work.judge(seat, order, "fails", "no-such-noble", "X-2", noble=noble)
            return
        kind, name = "noble", noble
    elif leader in work.scenario.officers:
        if faction.officers.get(leader) != seat:
            work.judge(seat, order, "fails", "not-your-officer", "L-10", officer=leader)
            return
        kind, name = "unique", leader
    else:
        design = work.scenario.companies[leader]
        if design.slot != "officer":
            work.judge(seat, order, "illegal", "no-officer", "B-12", company=leader)
            return
        kind, name, officer = "company", leader, design.tier
    if not work.fits(at, player.faction, formation):
        work.judge(seat, order, "fails", "no-room", "B-9", at=at)
        return
    cost = price_of(work.scenario, player.role, formation, companies, officer)
    levies = work.levies.get(seat, [])
    if levies:
        cost = max(tables().formations[formation].price, cost - levies[0])
    if not work.pay(seat, order, amount_of("manpower", cost)):
        return
    del levies[:1]
    role = player.role if own else None
    unit = Unit(
        owner=seat,
        formation=formation,
        at=at,
        companies=companies,
        leader=kind,  # type: ignore[arg-type]  # one of the kinds
        name=name,
        recruited=work.cycle,
        role=role,
    )
    new = work.add_unit(seat, unit)
    if kind == "courtier":
        work.post(seat, int(name), post="commander", at=None, what=new)
        work.busy[seat].add(int(name))
    elif kind == "pc":
        work.change(seat, unit=new)
    elif kind == "heir":
        assert player.heir is not None
        work.change(seat, heir=replace(player.heir, unit=new))
    elif kind == "noble":
        nobles = {**faction.nobles, name: replace(faction.nobles[name], unit=new)}
        work.factions[player.faction] = replace(faction, nobles=nobles)
    elif kind == "unique":
        left = {title: whose for title, whose in faction.officers.items() if title != name}
        work.factions[player.faction] = replace(faction, officers=left)
    work.judge(seat, order, "succeeds", "recruited", "B-15", unit=new, price=cost)
    work.events.append(
        Raised(
            heard=work.hearers(seat),
            unit=new,
            owner=seat,
            formation=formation,
            at=at,
            price=amount_of("manpower", cost),
        )
    )


def _hire(work: Work, seat: SeatId, order: Order) -> None:
    """Rent a unit, which appears on the leader's Home or the assignee's (NB-L-6, NB-L-11)."""
    name, to = order.args["mercenaries"], order.args["seat"]
    faction = work.players[seat].faction
    pool = work.scenario.mercenaries[name]
    companies = expand_companies(pool.companies)
    officer = next(company for company in companies if work.scenario.companies[company].slot == "officer")
    rest = tuple(company for company in companies if company != officer)
    cost = amount_of("money", rent_of(work.scenario, name))
    home = work.players[to].home or ""
    if work.leader(faction) != seat:
        work.judge(seat, order, "illegal", "not-leader", "L-6")
    elif work.players[to].faction != faction or not work.players[to].alive:
        work.judge(seat, order, "fails", "not-of-faction", "L-6", seat=to)
    elif any(unit.rented == name for unit in work.units.values()) or work.away.get(name, 0) > work.cycle:
        work.judge(seat, order, "fails", "rented", "L-11", mercenaries=name)
    elif work.holding(home).by != to:
        work.judge(seat, order, "fails", "home-lost", "E-16", at=home)
    elif not work.fits(home, faction, pool.formation):
        work.judge(seat, order, "fails", "no-room", "B-9", at=home)
    elif work.pay(seat, order, cost):
        unit = Unit(
            owner=to, formation=pool.formation, at=home, companies=rest, leader="company", name=officer,
            recruited=work.cycle, rented=name,
        )  # fmt: skip
        new = work.add_unit(to, unit)
        work.judge(seat, order, "succeeds", "hired", "L-6", unit=new, price=str(cost))
        heard = work.hearers(seat, to)
        work.events.append(
            Raised(heard=heard, unit=new, owner=to, formation=pool.formation, at=home, price=cost, rented=name)
        )
