"""Treaties between factions, from proposal to end, and the penalties for breaches (NB-T, NB-H, NB-N)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse import treaties as law
from adjudicator.rulesets.noblesse.events import (
    EVERYBODY,
    Breached,
    Dismissed,
    Paid,
    Proposed,
    Published,
    Reported,
    Revealed,
    TreatyBegan,
    TreatyEnded,
)
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import Debt, Forced, Penance, Phase, led_by
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import Breach, Penalty, PenaltyForm, Treaty
from adjudicator.rulesets.noblesse.work import Work


def _leaders_of(work: Work, treaty: Treaty) -> tuple[SeatId, ...]:
    """The leaders of a treaty's two factions, who hear of it (NB-L-8)."""
    return tuple(sorted(leader for name in treaty.parties if (leader := work.leader(name)) is not None))


# Proposals and signatures -------------------------------------------------------------------------------------------


def propose(work: Work) -> None:
    """Record the treaties that leaders propose, by day or by night (NB-T-1 to T-3)."""
    for seat in work.seats_in_order():
        sheet = work.sheets.get(seat)
        for proposal in sheet.treaties if sheet is not None else ():
            faction = led_by(work.factions, seat)
            line = f"Treaty with {proposal.to}"
            wrong = list(itertools.islice(law.faults(proposal, work.scenario, faction or ""), 1))
            if faction is None:
                work.judge(seat, line, "illegal", "not-leader", "T-1")
            elif wrong:
                work.judge(seat, line, "illegal", "bad-clause", "T-3", what=wrong[0][1])
            elif proposal.to == faction or work.leader(proposal.to) is None:
                result = "illegal" if proposal.to == faction else "fails"
                work.judge(seat, line, result, "no-partner", "T-1", faction=proposal.to)
            else:
                treaty = law.treaty_of(proposal, faction)
                name = work.draw_name("T", f"treaty:{work.cycle}:{seat}", work.treaties)
                work.treaties[name] = treaty
                work.judge(seat, line, "succeeds", "proposed", "T-1", treaty=name)
                work.tell(Proposed(heard=_leaders_of(work, treaty), treaty=name, by=faction, to=proposal.to))


def sign(work: Work) -> None:
    """Resolve signatures, declared ends, reports, concessions and choices (NB-T-5, T-6, T-9, T-10, Z-3, Y-5)."""
    for seat, order in work.orders_of("sign", "sign with", "withdraw", "declare"):
        work.carry_out(seat, order, TREATIES[order.kind])
    # This order reveals neither the proposer nor the first to sign.
    work.published.sort(key=lambda intent: (work.scenario.prestige(intent.faction), intent.text))
    work.events.extend(work.published)
    for kinds in (("report", "concede"), ("choose",)):
        for seat, order in work.orders_of(*kinds):
            work.carry_out(seat, order, TREATIES[order.kind])


def _treaty(work: Work, seat: SeatId, order: Order) -> tuple[Treaty, str] | None:
    """The treaty that an order names, and the player's faction; None unless they lead one of its parties."""
    treaty, faction = work.treaties.get(order.args["treaty"]), led_by(work.factions, seat)
    return (treaty, faction) if treaty is not None and faction in treaty.parties else None


def _no_treaty(order: Order, rule: str, result: str = "fails") -> Fault:
    """The fault in an order about a treaty that others made or that does not exist. It does not reveal which."""
    return because("no-treaty", rule, result, treaty=order.args["treaty"])


def _sign_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name, mine = order.args["treaty"], _treaty(work, seat, order)
    if mine is None:
        return _no_treaty(order, "T-1")
    treaty, faction = mine
    if treaty.status != "proposed" or treaty.parties[1] != faction:
        return because("not-open", "T-9", treaty=name)
    if law.makes_second_ally(work.treaties, treaty):
        return because("second-ally", "H-15", treaty=name)
    return because("forbidden", "N-7", treaty=name) if law.is_forbidden(work.treaties, treaty) else None


def _sign(work: Work, seat: SeatId, order: Order) -> None:
    """Sign a treaty for a faction. Both leaders publish the intent, in the same words or in different ones (NB-T-5)."""
    name, faction = order.args["treaty"], led_by(work.factions, seat)
    treaty = work.treaties[name]
    assert faction is not None
    starts = max(treaty.starts or 0, work.cycle + 1)
    said = order.args["text"][:300] if order.kind == "sign with" else treaty.intents.get(treaty.parties[0], "")
    intents = {**treaty.intents, faction: said} if said else treaty.intents
    work.treaties[name] = replace(treaty, status="signed", starts=starts, intents=intents)
    work.judge(seat, order, "succeeds", "signed", "T-9", treaty=name, starts=starts)
    work.published += [Published(heard=EVERYBODY, faction=party, text=intent) for party, intent in intents.items()]


def _withdraw_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    mine = _treaty(work, seat, order)
    if mine is None:
        return _no_treaty(order, "T-1")
    treaty, faction = mine
    if treaty.status == "proposed" and treaty.parties[0] == faction:
        return None
    return because("not-open", "T-1", treaty=order.args["treaty"])


def _withdraw(work: Work, seat: SeatId, order: Order) -> None:
    del work.treaties[order.args["treaty"]]
    work.judge(seat, order, "succeeds", "withdrawn", "T-1", treaty=order.args["treaty"])


def _declare_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    mine = _treaty(work, seat, order)
    if mine is None:
        return _no_treaty(order, "T-1")
    return None if mine[0].status == "in force" else because("not-in-force", "Z-3", treaty=order.args["treaty"])


def _declare(work: Work, seat: SeatId, order: Order) -> None:
    name, faction = order.args["treaty"], led_by(work.factions, seat)
    treaty = work.treaties[name]
    assert faction is not None
    work.treaties[name] = replace(treaty, declared=tuple(sorted({*treaty.declared, faction})))
    work.judge(seat, order, "succeeds", "declared", "Z-3", treaty=name)


def _breaker(treaty: Treaty, faction: str, order: Order) -> str:
    """The faction whose promise an order reports or concedes as broken."""
    return faction if order.kind == "concede" else law.other_party(treaty, faction)


def _report_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name, number, mine = order.args["treaty"], int(order.args["number"]), _treaty(work, seat, order)
    if mine is None or mine[0].status != "in force":
        return _no_treaty(order, "T-10", "illegal")
    treaty, faction = mine
    breaker = _breaker(treaty, faction, order)
    if number > len(treaty.promises[breaker]):
        return because("no-promise", "T-10", "illegal", number=number)
    if any((breach.by, breach.promise) == (breaker, number) for breach in treaty.breaches):
        return because("reported-already", "T-10", number=number)
    if order.kind == "concede":
        return None
    found = _standing(work, treaty, breaker, number)
    if found == "broken" or (found == "unknown" and _admits(work, breaker, order)):
        return None
    if found != "unknown":
        return because("false-report", "T-10", treaty=name, number=number, found=found)
    waits = any((report.by, report.promise) == (breaker, number) for report in treaty.reports)
    return because("waits-already", "T-10", treaty=name, number=number) if waits else None


def _standing(work: Work, treaty: Treaty, breaker: str, number: int) -> str:
    promise = treaty.promises[breaker][number - 1]
    return law.standing(promise, breaker, treaty, work.cycle, work.scenario, by_day=True)


def _admits(work: Work, breaker: str, order: Order) -> bool:
    """True if the breaker's leader concedes, on the same Day, the breach that an order reports."""
    theirs = work.orders.get(work.leader(breaker) or "", ())
    return any(other.kind == "concede" and other.args == order.args for other in theirs)


def _report(work: Work, seat: SeatId, order: Order) -> None:
    """Count a breach that the program can judge or the breaker concedes; any other report waits for the host's ruling (NB-T-6, T-10)."""
    name, number, faction = order.args["treaty"], int(order.args["number"]), led_by(work.factions, seat)
    treaty = work.treaties[name]
    assert faction is not None
    breaker = _breaker(treaty, faction, order)
    sure = order.kind == "concede" or _standing(work, treaty, breaker, number) == "broken"
    if sure or _admits(work, breaker, order):
        work.judge(seat, order, "succeeds", "breach", "T-7", treaty=name, number=number)
        _count_breach(work, name, breaker, number, work.cycle)
        return
    made = law.Report(by=breaker, promise=number)
    work.treaties[name] = replace(treaty, reports=(*treaty.reports, made))
    work.judge(seat, order, "succeeds", "waits", "T-10", treaty=name, number=number)
    work.tell(Reported(heard=_leaders_of(work, treaty), treaty=name, by=breaker, promise=number))


def hear_rulings(work: Work) -> None:
    """Act on the host's rulings. The breach counts as reported on this Day, or, in a Night, on the Day before (NB-T-10)."""
    reported = work.cycle if work.start.phase is Phase.DAY else work.cycle - 1
    for name in sorted(work.treaties):
        for report in work.treaties[name].reports:
            treaty = work.treaties[name]
            match report.ruled:
                case "broken":
                    _count_breach(work, name, report.by, report.promise, reported)
                case "kept":
                    left = tuple(other for other in treaty.reports if other != report)
                    work.treaties[name] = replace(treaty, reports=left)
                    told = Dismissed(heard=_leaders_of(work, treaty), treaty=name, by=report.by, promise=report.promise)
                    work.tell(told)
                case None:
                    pass  # it keeps waiting
                case _:
                    assert_never(report.ruled)


def _count_breach(work: Work, name: str, breaker: str, number: int, cycle: int) -> None:
    """Count a promise as broken, and let all penalties take effect (NB-T-7)."""
    treaty = work.treaties[name]
    breach = Breach(by=breaker, promise=number, cycle=cycle)
    left = tuple(report for report in treaty.reports if (report.by, report.promise) != (breaker, number))
    work.treaties[name] = replace(treaty, breaches=(*treaty.breaches, breach), reports=left)
    work.tell(Breached(heard=_leaders_of(work, treaty), treaty=name, by=breaker, promise=number))
    for at, penalty in enumerate(treaty.penalties, 1):
        _punish(work, name, breaker, penalty, at, cycle)


def _choice(work: Work, order: Order, treaty: Treaty, faction: str) -> law.Unnamed | None:
    """The first penalty left open that an order can complete with its action and its player."""
    for unnamed in law.may_name(treaty, faction, work.cycle):
        penalty = treaty.penalties[unnamed.penalty - 1]
        if penalty.action in {"", order.args["action"]} and (not penalty.who or order.args["seat"] in penalty.who):
            return unnamed
    return None


def _choose_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    who, mine = order.args["seat"], _treaty(work, seat, order)
    if mine is None or mine[0].status != "in force":
        return _no_treaty(order, "T-1")
    treaty, faction = mine
    unnamed = _choice(work, order, treaty, faction)
    if unnamed is None:
        return because("nothing-to-name", "N-3", treaty=order.args["treaty"])
    own = work.players[who].faction == faction and work.players[who].alive
    return because("not-of-faction", "N-3", seat=who) if unnamed.by == faction and not own else None


def _choose(work: Work, seat: SeatId, order: Order) -> None:
    """Name the action and the player that a penalty left open (NB-N-3, NB-T-14).

    Nobody learns from it whether a player belongs to the other faction, because a wrong name has no effect.
    """
    name, faction = order.args["treaty"], led_by(work.factions, seat)
    treaty = work.treaties[name]
    assert faction is not None
    unnamed = _choice(work, order, treaty, faction)
    assert unnamed is not None
    left = list(treaty.unnamed)
    left.remove(unnamed)
    work.treaties[name] = replace(treaty, unnamed=tuple(left))
    wanted = Penance(action=order.args["action"], who=order.args["seat"], treaty=name)
    breaker = work.factions[unnamed.by]
    work.factions[unnamed.by] = replace(breaker, penance=(*breaker.penance, wanted))
    work.judge(seat, order, "succeeds", "chosen", "N-3", treaty=name)


TREATIES: Mapping[str, Deed[Work, Order]] = {
    "sign": Deed(_sign_fault, _sign),
    "sign with": Deed(_sign_fault, _sign),
    "withdraw": Deed(_withdraw_fault, _withdraw),
    "declare": Deed(_declare_fault, _declare),
    "report": Deed(_report_fault, _report),
    "concede": Deed(_report_fault, _report),
    "choose": Deed(_choose_fault, _choose),
}
"""Kind of order by day -> its conditions and its effect."""


def _punish(work: Work, name: str, breaker: str, penalty: Penalty, number: int, cycle: int) -> None:
    """Impose a penalty for a breach reported in a cycle, from the next Night on (NB-T-7, T-10, NB-N)."""
    treaty, mine = work.treaties[name], work.factions[breaker]
    wronged, cycles = law.other_party(treaty, breaker), penalty.cycles or 1
    match penalty.listed:
        case PenaltyForm.PAYS:
            # Due in each of the cycles, or within them, which means in the last one (NB-N-2).
            dues = range(1, cycles + 1) if penalty.each else [cycles]
            debts = tuple(Debt(to=wronged, amount=penalty.amounts, treaty=name, due=cycle + due) for due in dues)
            work.factions[breaker] = replace(mine, owed=(*mine.owed, *debts))
        case PenaltyForm.ACTS if penalty.action and penalty.who:
            wanted = tuple(Penance(action=penalty.action, who=who, treaty=name) for who in penalty.who)
            work.factions[breaker] = replace(mine, penance=(*mine.penance, *wanted))
        case PenaltyForm.ACTS:
            asked = law.Unnamed(by=breaker, penalty=number, cycle=cycle)
            work.treaties[name] = replace(treaty, unnamed=(*treaty.unnamed, asked))
        case PenaltyForm.VOTES:
            forced = Forced(
                who=penalty.who, number=penalty.number, will=penalty.will, until=cycle + cycles, treaty=name
            )
            work.factions[breaker] = replace(mine, forced=(*mine.forced, forced))
        case PenaltyForm.REVEALS:
            leader = work.leader(wronged)
            facts = tuple(_true_facts(work, breaker, penalty))
            if leader is not None:
                work.tell(Revealed(heard=(leader,), faction=breaker, facts=facts))
        case PenaltyForm.ENDS | PenaltyForm.LASTS | PenaltyForm.TREATIES:
            pass  # checked when a treaty may end or another is signed
        case _:
            assert_never(penalty.listed)


def _true_facts(work: Work, faction: str, penalty: Penalty) -> list[str]:
    """True facts about a faction's players, as far as a penalty reveals them (NB-N-5)."""
    facts = []
    for seat in work.living(faction):
        if penalty.who and seat not in penalty.who:
            continue
        player = work.players[seat]
        if "roles" in penalty.facts:
            facts.append(f"{seat} is {player.role}")
        if "estates" in penalty.facts:
            facts.append(f"{seat} controls {', '.join(work.controlled(seat)) or 'no estate'}")
        if "units" in penalty.facts:
            units = [
                f"{unit.formation} {name} at {unit.at}"
                for name, unit in sorted(work.units.items())
                if unit.owner == seat
            ]
            facts.append(f"{seat} has {', '.join(units) or 'no unit'}")
    return facts


# In force -----------------------------------------------------------------------------------------------------------


def end_and_begin(work: Work) -> None:
    """Step 1: end treaties, then begin others (NB-A-3, T-8, T-9, T-11)."""
    held = [work.faction_at(estate) for estate in work.scenario.prizes]
    members = {name: len(work.living(name)) for name in work.factions}
    prizes = {name: held.count(name) for name in work.factions}
    nobles = {name: len(faction.nobles) for name, faction in work.factions.items()}
    for name, treaty in sorted(work.treaties.items()):
        if treaty.status == "in force":
            rule = law.ending_rule(treaty, work.cycle, work.scenario, members=members, prizes=prizes, nobles=nobles)
            if any(work.leader(party) is None for party in treaty.parties):
                rule = "NB-P-17"
            if rule is not None:
                end(work, name, rule)
        elif treaty.status != "ended" and any(work.leader(party) is None for party in treaty.parties):
            del work.treaties[name]  # no treaty begins with a faction that is gone (NB-P-17)
    for name, treaty in sorted(work.treaties.items()):
        if treaty.status == "signed" and (treaty.starts or 0) <= work.cycle:
            work.treaties[name] = replace(treaty, status="in force", began=work.cycle)
            work.tell(
                TreatyBegan(heard=_leaders_of(work, treaty), treaty=name, parties=treaty.parties, state=treaty.state)
            )


def end(work: Work, name: str, rule: str) -> None:
    """End a treaty, and with it the state it set, its reports, and the debts and demands of its penalties (NB-T-8)."""
    treaty = work.treaties[name]
    work.treaties[name] = replace(treaty, status="ended", deeds=(), reports=(), unnamed=())
    for party in treaty.parties:
        faction = work.factions[party]
        work.factions[party] = replace(
            faction,
            owed=tuple(debt for debt in faction.owed if debt.treaty != name),
            penance=tuple(penance for penance in faction.penance if penance.treaty != name),
            forced=tuple(forced for forced in faction.forced if forced.treaty != name),
        )
    work.tell(TreatyEnded(heard=_leaders_of(work, treaty), treaty=name, parties=treaty.parties, rule=rule))


def end_with_the_cycle(work: Work) -> None:
    """After step 10: end the treaties that end with this cycle because of an earlier breach (NB-Z-7)."""
    for name, treaty in sorted(work.treaties.items()):
        if treaty.status == "in force" and law.ends_with_cycle(treaty, work.cycle):
            end(work, name, "NB-Z-7")


def challenge(work: Work) -> None:
    """Before combat: judge requests for battle or conquest. A Neutral visitor's request ends all treaties with the owner (NB-H-5 to H-9)."""
    for seat, order in work.challenges:
        name = order.args["unit"]
        unit = work.units.get(name)
        mine = work.players[seat].faction
        owner = work.faction_at(unit.at) if unit is not None else None
        if unit is None or owner is None or owner == mine or unit.at in work.open or unit.at != order.path[-1]:
            work.judge(seat, order, "void", "request-void", "H-8", unit=name)
            continue
        state = work.relation(mine, owner)
        if state == "allied":
            work.judge(seat, order, "void", "allied", "H-10", unit=name)
            continue
        # A Hostile visitor need not ask. The verdict stays the same, so that it does not reveal the state of the leaders' treaties.
        for key, treaty in sorted(work.treaties.items()):
            between = treaty.status in {"signed", "in force"} and set(treaty.parties) == {mine, owner}
            if between and state == "neutral":
                end(work, key, "NB-H-7")
        work.judge(seat, order, "succeeds", "challenged", "H-7", unit=name, at=unit.at)


def pay_debts(work: Work) -> None:
    """Pay the debts from penalties. Amounts that the leader cannot pay stay due the next Night (NB-N-2)."""
    for name, faction in sorted(work.factions.items()):
        leader = faction.leader
        kept: list[Debt] = []
        for debt in faction.owed:
            to = work.leader(debt.to)
            if leader is None or to is None:
                continue
            if debt.due > work.cycle:
                kept.append(debt)
                continue
            stock = work.players[leader].stock
            paid = Stock(
                influence=min(stock.influence, debt.amount.influence),
                manpower=min(stock.manpower, debt.amount.manpower),
                money=min(stock.money, debt.amount.money),
            )
            _transfer(work, name, debt.to, paid)
            if debt.amount - paid:
                kept.append(replace(debt, amount=debt.amount - paid))
        work.factions[name] = replace(work.factions[name], owed=tuple(kept))


def _transfer(work: Work, by: str, to: str, amount: Stock) -> None:
    payer, taker = work.leader(by), work.leader(to)
    if amount and payer is not None and taker is not None:
        work.change(payer, stock=work.players[payer].stock - amount)
        work.give(taker, amount)
        work.tell(Paid(heard=tuple(sorted((payer, taker))), by=by, to=to, amount=amount))


def _pay_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    """Return why a leader cannot pay another faction's leader. The two need a treaty in force (NB-F-13, NB-M-2)."""
    mine, to = led_by(work.factions, seat), order.args["faction"]
    if mine is None:
        return because("not-leader", "F-13", "illegal")
    if not any(treaty.status == "in force" and {*treaty.parties} == {mine, to} for treaty in work.treaties.values()):
        return because("no-treaty", "F-13", treaty=to)
    return work.too_poor(seat, order.amounts)


def _pay(work: Work, seat: SeatId, order: Order) -> None:
    to = order.args["faction"]
    _transfer(work, work.players[seat].faction, to, order.amounts)
    work.judge(seat, order, "succeeds", "paid", "M-2", faction=to)


PAY = Deed(_pay_fault, _pay)
"""The conditions and the effect of a leader's payment to another faction's leader."""
