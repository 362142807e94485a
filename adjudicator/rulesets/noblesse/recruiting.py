"""Step 5 of a Night: units are recruited, and mercenaries hired (NB-B, NB-L)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.events import Raised
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import LeaderKind, Unit
from adjudicator.rulesets.noblesse.scenario import (
    SLOTS,
    Scenario,
    amount_of,
    expand_companies,
    tables,
)
from adjudicator.rulesets.noblesse.work import Work

NOBLE = "noble "
"""The word before the name of a Noble who is to lead a unit."""
OWN_DESIGNS = 2
"""Most companies of a role's own design that may be in the field (NB-C-1)."""


def recruit(work: Work) -> None:
    """Step 5: collect rents, then disband, recruit and rent units (NB-B-15 to B-21, NB-L-6, NB-L-11)."""
    # Rents are paid in the order of the mercenaries' names. Unit numbers are drawn by lot, and no rent may depend on them.
    for name, unit in sorted(work.units.items(), key=lambda pair: (pair[1].rented or "", pair[0])):
        if unit.rented is not None:
            leader = work.leader(work.faction_of(unit))
            rent = amount_of("money", tables().formations[unit.formation].price)
            if leader is not None and work.players[leader].stock.covers(rent):
                work.change(leader, stock=work.players[leader].stock - rent)
            else:
                work.dismiss(name, "unpaid", dies=False)
    for seat, order in work.orders_of(*RECRUITS):
        work.carry_out(seat, order, RECRUITS[order.kind])


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
"""Number of tiers that cost 1 Manpower when a unit is recruited, or 1 Money when it is hired (NB-B-15, NB-L-11)."""


def rent_of(scenario: Scenario, mercenaries: str) -> int:
    """The price of hiring mercenaries, in Money: that of their formation, and a tenth of their tiers, rounded up (NB-L-6, NB-L-11)."""
    pool = scenario.mercenaries[mercenaries]
    tiers = sum(scenario.companies[company].tier for company in expand_companies(pool.companies))
    return tables().formations[pool.formation].price - -tiers // TENTH


def price_of(scenario: Scenario, role: str, formation: str, companies: tuple[str, ...], officer: int = 0) -> int:
    """The price of a unit in Manpower: that of its formation, and a tenth of its companies' tiers, rounded up (NB-B-15)."""
    tiers = officer
    for name in companies:
        tiers += (scenario.roles[role].company if name == "own" else scenario.companies[name]).tier
    return tables().formations[formation].price - -tiers // TENTH


def _disband_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    unit = work.units.get(order.args["unit"])
    return None if unit is not None and unit.owner == seat else work.not_your_unit(seat, order, "B-21")


def _disband(work: Work, seat: SeatId, order: Order) -> None:
    work.judge(seat, order, "succeeds", "disbanded", "B-21", unit=order.args["unit"])
    work.dismiss(order.args["unit"], "disbanded", dies=False)


@dataclass(frozen=True, slots=True)
class Command:
    """The leader of a unit to be recruited."""

    kind: LeaderKind
    name: str = ""
    """Number of the Courtier, title of the Noble or the officer, or design of the company; empty for family."""
    tier: int = 0
    """Tier of an Officer company, which counts in the unit's price."""


def _command(work: Work, seat: SeatId, order: Order) -> Command | Fault:
    """The leader that an order to recruit names, or the fault if they cannot lead (NB-B-12, K-1, L-10, P-8, X-2)."""
    leader, at = order.args["leader"], order.args["estate"]
    player, faction = work.players[seat], work.factions[work.players[seat].faction]
    match leader:
        case "pc" | "heir":
            heir = player.heir
            led = player.unit if leader == "pc" else (heir.unit if heir is not None else "")
            away = at != player.home or led is not None
            if away or (leader == "heir" and (heir is None or heir.hostage is not None)):
                return because("family-away", "P-8", who=leader)
            return Command(leader)
        case "courtier":
            free = work.free_courtiers(seat)
            return Command(leader, str(free[0].id)) if free else because("no-courtier", "K-1")
        case noble if noble.startswith(NOBLE):
            title = noble.removeprefix(NOBLE)
            held = faction.nobles.get(title)
            if held is None or faction.leader != seat or held.unit is not None or held.at != at:
                return because("no-such-noble", "X-2", noble=title)
            return Command("noble", title)
        case officer if officer in work.scenario.officers:
            mine = faction.officers.get(officer) == seat
            return Command("unique", officer) if mine else because("not-your-officer", "L-10", officer=officer)
        case _:
            design = work.scenario.companies[leader]
            if design.slot != "officer":
                return because("no-officer", "B-12", "illegal", known=True, company=leader)
            return Command("company", leader, design.tier)


def _seat_of_noble(work: Work, seat: SeatId, order: Order) -> bool:
    """True if a leader recruits under one of the faction's Nobles, at the Noble's estate."""
    leader, faction = order.args["leader"], work.factions[work.players[seat].faction]
    noble = faction.nobles.get(leader.removeprefix(NOBLE)) if leader.startswith(NOBLE) else None
    return faction.leader == seat and noble is not None and noble.at == order.args["estate"]


def _recruit_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    formation, at = order.args["formation"], order.args["estate"]
    player, companies = work.players[seat], order.companies
    if work.holding(at).by != seat and not _seat_of_noble(work, seat, order):
        return work.not_your_estate(seat, order, "B-20")
    wanted = wanted_companies(work, seat, formation, companies)
    if wanted is not None:
        return because("not-filled", "B-15", "illegal", known=True, formation=formation, wanted=wanted)
    own = companies.count("own")
    fielded = sum(unit.companies.count("own") for unit in work.units.values() if unit.role == player.role)
    if own and not work.has_option(seat, "companies"):
        return because("without", "C-3", "illegal", known=True)
    if own + fielded > OWN_DESIGNS:
        return because("own-design-twice", "C-1", "illegal", known=own > OWN_DESIGNS, fielded=fielded)
    command = _command(work, seat, order)
    if isinstance(command, Fault):
        return command
    return None if work.fits(at, player.faction, formation) else because("no-room", "B-9", at=at)


def _recruit(work: Work, seat: SeatId, order: Order) -> None:
    formation, at = order.args["formation"], order.args["estate"]
    player, companies = work.players[seat], order.companies
    faction, command = work.factions[player.faction], _command(work, seat, order)
    assert isinstance(command, Command)
    cost = price_of(work.scenario, player.role, formation, companies, command.tier)
    levies = work.levies.get(seat, [])
    if levies:
        cost = max(tables().formations[formation].price, cost - levies[0])
    price = amount_of("manpower", cost)
    if not work.pay(seat, order, price):
        return
    del levies[:1]
    unit = Unit(
        owner=seat, formation=formation, at=at, companies=companies, leader=command.kind, name=command.name, recruited=work.cycle,
        role=player.role if "own" in companies else None,
    )  # fmt: skip
    new = work.add_unit(seat, unit)
    match command.kind:
        case "courtier":
            work.post(seat, int(command.name), post="commander", at=None, what=new)
            work.busy[seat].add(int(command.name))
        case "pc":
            work.change(seat, unit=new)
        case "heir":
            assert player.heir is not None
            work.change(seat, heir=replace(player.heir, unit=new))
        case "noble":
            nobles = {**faction.nobles, command.name: replace(faction.nobles[command.name], unit=new)}
            work.factions[player.faction] = replace(faction, nobles=nobles)
        case "unique":
            left = {title: whose for title, whose in faction.officers.items() if title != command.name}
            work.factions[player.faction] = replace(faction, officers=left)
        case "company":
            pass  # hired with the unit
        case _:
            assert_never(command.kind)
    work.judge(seat, order, "succeeds", "recruited", "B-15", unit=new, price=cost)
    work.tell(Raised(heard=work.hearers(seat), unit=new, owner=seat, formation=formation, at=at, price=price))


def _hire_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name, to = order.args["mercenaries"], order.args["seat"]
    faction, home = work.players[seat].faction, work.players[to].home or ""
    if work.leader(faction) != seat:
        return because("not-leader", "L-6", "illegal")
    if work.players[to].faction != faction or not work.players[to].alive:
        return because("not-of-faction", "L-6", seat=to)
    if any(unit.rented == name for unit in work.units.values()) or work.away.get(name, 0) > work.cycle:
        return because("rented", "L-11", mercenaries=name)
    if work.holding(home).by != to:
        return because("home-lost", "E-16", at=home)
    fits = work.fits(home, faction, work.scenario.mercenaries[name].formation)
    return None if fits else because("no-room", "B-9", at=home)


def _hire(work: Work, seat: SeatId, order: Order) -> None:
    """Rent a unit, which appears at the Home of the player who gets it (NB-L-6, NB-L-11)."""
    name, to = order.args["mercenaries"], order.args["seat"]
    formation, home = work.scenario.mercenaries[name].formation, work.players[to].home or ""
    companies = expand_companies(work.scenario.mercenaries[name].companies)
    officer = next(company for company in companies if work.scenario.companies[company].slot == "officer")
    rest = tuple(company for company in companies if company != officer)
    price = amount_of("money", rent_of(work.scenario, name))
    if work.pay(seat, order, price):
        unit = Unit(
            owner=to, formation=formation, at=home, companies=rest, leader="company", name=officer,
            recruited=work.cycle, rented=name,
        )  # fmt: skip
        new = work.add_unit(to, unit)
        work.judge(seat, order, "succeeds", "hired", "L-6", unit=new, price=str(price))
        heard = work.hearers(seat, to)
        work.tell(Raised(heard=heard, unit=new, owner=to, formation=formation, at=home, price=price, rented=name))


RECRUITS: Mapping[str, Deed[Work, Order]] = {
    "disband": Deed(_disband_fault, _disband),
    "recruit": Deed(_recruit_fault, _recruit),
    "hire": Deed(_hire_fault, _hire),
}
"""Kind of order -> its conditions and its effect."""
