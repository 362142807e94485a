"""A Day with its votes, answers and leaders' decisions, and the setup before the first Night (NB-C, NB-W, NB-Y)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import Ending, Resolution, SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.noblesse import leaders
from adjudicator.rulesets.noblesse.acts import ACTS, DAY
from adjudicator.rulesets.noblesse.deeds import note_deeds
from adjudicator.rulesets.noblesse.events import EVERYBODY, AnyEvent, Founded, Raised, Voted
from adjudicator.rulesets.noblesse.orders import Order, Reader, Sheet, Unreadable, reader_of
from adjudicator.rulesets.noblesse.position import (
    OPTIONS,
    Courtier,
    Faction,
    Offer,
    Phase,
    Player,
    Position,
    Settings,
    Unit,
)
from adjudicator.rulesets.noblesse.recruiting import price_of, wanted_companies
from adjudicator.rulesets.noblesse.scenario import Stock, amount_of, expand_companies
from adjudicator.rulesets.noblesse.victory import finish, supreme
from adjudicator.rulesets.noblesse.work import NOBODY, Work

COURTIERS = 10
"""Courtiers of a player at the start, unless their role gives more (NB-C-8, NB-C-18)."""
FIRST_UNIT = 5
"""Highest price of the starting unit, in Manpower (NB-C-4)."""
POINTS = 5
"""Points that a Home Estate's income must add up to (NB-E-1)."""
NIGHT = "night"


def setup(settings: Settings, dice: Dice) -> Position:
    """The position before the first turn, with the roles dealt. Players choose the rest (NB-C-1, C-2, C-9)."""
    scenario = settings.board
    dealt = dice.shuffle("setup:roles", tuple(scenario.roles))
    roles = dict(zip(scenario.players, dealt, strict=True))
    players = {
        seat: Player(
            role=role,
            faction=scenario.roles[role].faction,
            courtiers=tuple(
                Courtier(id=number) for number in range(1, COURTIERS + scenario.core_amount(role, "retain") + 1)
            ),
        )
        for seat, role in roles.items()
    }
    factions: dict[str, Faction] = {}
    for name in scenario.factions:
        first = scenario.roles_of(name)[0]
        leader = next(seat for seat, role in roles.items() if role == first)
        officers = {title: leader for title, officer in scenario.officers.items() if officer.faction == name}
        factions[name] = Faction(leader=leader, officers=officers)
    units = {}
    for number, (estate, neutral) in enumerate(sorted(scenario.neutrals.items()), 1):
        designs = expand_companies(neutral.companies)
        officer = next(name for name in designs if scenario.companies[name].slot == "officer")
        rest = tuple(name for name in designs if name != officer)
        # Units raised later get three digits.
        units[f"U{number}"] = Unit(
            owner=NOBODY,
            formation=neutral.formation,
            at=estate,
            companies=rest,
            leader="company",
            name=officer,
            recruited=0,
        )
    return Position(cycle=1, phase=Phase.SETUP, players=players, factions=factions, units=units, settings=settings)


def found_courts(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Resolve the setup: homes by wish and prestige, incomes, options, first units (NB-C-2 to C-7, NB-E-1)."""
    work = Work(position, sheets, dice)
    work.read_sheets(())
    taken: set[str] = set()
    wishes = {text.strip().upper() for sheet in sheets.values() for text in sheet.homes}
    in_turn = sorted(work.players, key=lambda member: (work.scenario.prestige(work.players[member].faction), member))
    # Players with wishes choose first, by prestige and then by name (NB-C-7). The others get a square that nobody wished for.
    for seat in sorted(in_turn, key=lambda member: not sheets.get(member, Sheet()).homes):
        sheet, player = sheets.get(seat, Sheet()), work.players[seat]
        allowed = work.scenario.start(player.faction)
        home = ""
        for wish in (text.strip().upper() for text in sheet.homes):
            if wish not in allowed:
                work.judge(
                    seat, f"Home {wish}"[:40], "illegal", "not-in-range", "C-1", range=f"{allowed[0]} to {allowed[-1]}"
                )
            elif home:
                work.judge(seat, f"Home {wish}", "void", "home-found", "C-7", at=home)
            elif wish in taken:
                work.judge(seat, f"Home {wish}", "fails", "home-taken", "C-7", at=wish)
            else:
                home = wish
                work.judge(seat, f"Home {wish}", "succeeds", "home", "C-2", at=wish)
        left = [estate for estate in allowed if estate not in taken]
        home = home or next((estate for estate in left if estate not in wishes), left[0] if left else "")
        taken.add(home)
        design = sheet.income
        if design:
            good = design.influence + design.manpower + design.money == POINTS
            result, reason = ("succeeds", "design") if good else ("illegal", "not-five")
            work.judge(seat, f"Income {design}", result, reason, "E-1")
            design = design if good else Stock()
        if not design:
            design = Stock(influence=2, manpower=2, money=1)
        without = sheet.without or OPTIONS[-1]
        if sheet.without is not None:
            work.judge(seat, f"Without {without}", "succeeds", "does-without", "C-3")
        work.change(seat, home=home, design=design, without=without)
        work.hold(home, by=seat)
        work.tell(Founded(heard=work.hearers(seat), seat=seat, home=home, design=design, without=without))
    reader = reader_of(position.settings.board)
    for seat in work.seats_in_order():
        unit = sheets.get(seat, Sheet()).unit
        if unit is not None:
            _raise_first_unit(work, seat, unit, reader)
    return work.done(work.after(phase=Phase.NIGHT))


def first_unit_order(reader: Reader, home: str, text: str) -> Order | Unreadable:
    """Read a starting unit as the order that would recruit it at home."""
    head, colon, rest = text.partition(":")
    return reader.read(
        f"Recruit {head.partition(' led by ')[0]} at {home} led by {head.partition(' led by ')[2]}{colon}{rest}"
    )


def _raise_first_unit(work: Work, seat: SeatId, text: str, reader: Reader) -> None:
    """Raise the starting unit: free, at home, worth at most 5 Manpower, as if just recruited (NB-C-4 to C-6, A-14)."""
    player = work.players[seat]
    order = first_unit_order(reader, player.home or "", text)
    line = f"Unit {text}"[:ORDER_LETTERS]
    if isinstance(order, Unreadable):
        work.judge(seat, line, "unreadable", "unreadable", "C-4", what=f"{order.what}; {order.right}")
        return
    formation, leader, companies = order.args["formation"], order.args["leader"], order.companies
    wanted = wanted_companies(work, seat, formation, companies)
    officer = 0
    if leader not in {"pc", "courtier"}:
        design = work.scenario.companies.get(leader)
        if design is None or design.slot != "officer":
            work.judge(seat, line, "illegal", "no-officer", "C-6", company=leader)
            return
        officer = design.tier
    if wanted is not None:
        work.judge(seat, line, "illegal", "not-filled", "C-4", formation=formation, wanted=wanted)
        return
    if companies.count("own") > (2 if player.without != "companies" else 0):
        reason, rule = ("without", "C-3") if player.without == "companies" else ("own-design-twice", "C-1")
        work.judge(seat, line, "illegal", reason, rule, fielded=0)
        return
    price = price_of(work.scenario, player.role, formation, companies, officer)
    if price > FIRST_UNIT:
        work.judge(seat, line, "illegal", "too-dear", "C-4", price=price)
        return
    name = ""
    if leader == "courtier":
        name = str(player.courtiers[0].id)
    elif leader != "pc":
        name = leader
    kind = leader if leader in {"pc", "courtier"} else "company"
    unit = Unit(
        owner=seat,
        formation=formation,
        at=player.home or "",
        companies=companies,
        leader=kind,  # type: ignore[arg-type]  # one of the kinds
        name=name,
        recruited=0,
        role=player.role if "own" in companies else None,
    )
    new = work.add_unit(seat, unit)
    if leader == "courtier":
        work.post(seat, int(name), post="commander", what=new)
    elif leader == "pc":
        work.change(seat, unit=new)
    work.judge(seat, line, "succeeds", "first-unit", "C-4", unit=new, price=price)
    work.tell(
        Raised(
            heard=work.hearers(seat),
            unit=new,
            owner=seat,
            formation=formation,
            at=player.home or "",
            price=amount_of("manpower", 0),
        )
    )


# By day -------------------------------------------------------------------------------------------------------------


def settle(work: Work) -> None:
    """Resolve answers to offers, the naming of successors, and gifts of officers (NB-Y-5, L-3, L-5, X-18)."""
    for kinds in (("accept", "refuse"), ("successor", "give")):
        for seat, order in work.orders_of(*kinds):
            work.carry_out(seat, order, DECISIONS[order.kind])


def _offer_to(work: Work, seat: SeatId, order: Order) -> Offer | None:
    """The offer to a player that an answer names."""
    named = (order.args["offer"], order.args["seat"], seat)
    return next((offer for offer in work.offers if (offer.kind, offer.by, offer.to) == named), None)


def _answer_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    offer = _offer_to(work, seat, order)
    if offer is not None and offer.accepted is None:
        return None
    return because("no-offer", "X-18", "illegal", known=True, seat=order.args["seat"])


def _answer(work: Work, seat: SeatId, order: Order) -> None:
    offer = _offer_to(work, seat, order)
    assert offer is not None
    work.offers[work.offers.index(offer)] = replace(offer, accepted=order.kind == "accept")
    work.judge(seat, order, "succeeds", "accepted" if order.kind == "accept" else "refused", "X-18")


def _member_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    faction, to, rule = work.players[seat].faction, order.args["seat"], ACTS.by_kind[order.kind].rule
    if work.factions[faction].leader != seat:
        return because("not-leader", rule, "illegal", known=True)
    member = work.players[to].faction == faction and work.players[to].alive
    if not member or (order.kind == "successor" and to == seat):
        return because("not-of-faction", rule, "illegal", known=True, seat=to)
    return None


def _name_successor(work: Work, seat: SeatId, order: Order) -> None:
    faction, to = work.players[seat].faction, order.args["seat"]
    work.factions[faction] = replace(work.factions[faction], successor=to)
    work.judge(seat, order, "succeeds", "named", "L-3", seat=to)


def _gift_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    if fault := _member_fault(work, seat, order):
        return fault
    officer = order.args["officer"]
    there = officer in work.factions[work.players[seat].faction].officers
    return None if there else because("not-your-officer", "L-5", known=True, officer=officer)


def _give_officer(work: Work, seat: SeatId, order: Order) -> None:
    faction, to = work.players[seat].faction, order.args["seat"]
    officers = {**work.factions[faction].officers, order.args["officer"]: to}
    work.factions[faction] = replace(work.factions[faction], officers=officers)
    work.judge(seat, order, "succeeds", "given", "L-5", seat=to)


def count_votes(work: Work) -> None:
    """Count the votes and publish them. A player with the votes of more than half of the living is lynched (NB-W-5, NB-Y-2)."""
    for seat, order in work.orders_of("vote", "vote night"):
        work.carry_out(seat, order, DECISIONS[order.kind])
    _force_votes(work)
    needed = len(work.living()) // 2 + 1
    counts = Counter(name for name in work.votes.values() if name != NIGHT)
    lynched = next((name for name, count in sorted(counts.items()) if count >= needed), None)
    work.tell(Voted(heard=EVERYBODY, votes=tuple(sorted(work.votes.items())), needed=needed, lynched=lynched))
    if lynched is not None:
        work.kill(lynched, "lynched")


def _vote_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    to = order.args.get("seat")
    if seat in work.votes:
        return because("voted-already", "Y-1", "illegal", seat=work.votes[seat])
    if to is not None and not work.players[to].alive:
        return because("dead-already", "Y-1", "illegal", known=True, seat=to)
    return None


def _vote(work: Work, seat: SeatId, order: Order) -> None:
    work.votes[seat] = order.args.get("seat", NIGHT)
    work.judge(seat, order, "succeeds", "voted", "Y-1")


DECISIONS: Mapping[str, Deed[Work, Order]] = {
    "accept": Deed(_answer_fault, _answer),
    "refuse": Deed(_answer_fault, _answer),
    "successor": Deed(_member_fault, _name_successor),
    "give": Deed(_gift_fault, _give_officer),
    "vote": Deed(_vote_fault, _vote),
    "vote night": Deed(_vote_fault, _vote),
}
"""Kind of order by day, other than about treaties -> its conditions and its effect."""


def _force_votes(work: Work) -> None:
    """Set or remove the votes that penalties demand, for members in the order of work (NB-N-6)."""
    for name, faction in sorted(work.factions.items()):
        members = [seat for seat in work.seats_in_order() if work.players[seat].faction == name]
        for forced in work.start.factions[name].forced:  # today's reports count from the next Night (NB-T-10)
            targets = [target for target in forced.who if work.players[target].alive]
            if forced.will:
                for seat in members[: forced.number] if targets else ():
                    work.votes[seat] = targets[0]
            else:
                for seat in [member for member in members if work.votes.get(member) in forced.who][: forced.number]:
                    del work.votes[seat]
        kept = tuple(demand for demand in faction.forced if demand.until > work.cycle)
        work.factions[name] = replace(work.factions[name], forced=kept)


def see_who_is_left(work: Work) -> None:
    """End the game by Supremacy after a lynch (NB-V-10), or after the game's last cycle (NB-V-12)."""
    won = {faction: "supremacy" for faction in work.factions if work.living(faction) and supreme(work, faction)}
    finish(work, won)
    last = work.start.settings.last_cycle
    if work.ended is None and last is not None and work.cycle >= last:
        work.ended = Ending(how="undecided", winners=(), when=f"Day {work.cycle}", rule="NB-V-12")


STEPS = (settle, leaders.propose, leaders.hear_rulings, leaders.sign, count_votes, note_deeds, see_who_is_left)


def resolve_day(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Resolve a Day."""
    work = Work(position, sheets, dice)
    work.read_sheets((DAY,))
    work.count_nobles()
    for step in STEPS:
        step(work)
    return work.done(work.after(phase=Phase.NIGHT, cycle=position.cycle + 1))
