"""What leaders settle between factions: treaties from proposal to end, and what a breach costs (NB-T, NB-H, NB-N)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import assert_never

from adjudicator.core.resolution import SeatId
from adjudicator.rulesets.noblesse import treaties as law
from adjudicator.rulesets.noblesse.events import (
    Agreed,
    Battle,
    Breached,
    Built,
    Control,
    Died,
    Earned,
    Ennobled,
    FactionGone,
    Founded,
    Gone,
    Harmed,
    HeirBorn,
    HeirDied,
    Message,
    Moved,
    Offered,
    Paid,
    Proposed,
    Published,
    Raised,
    Revealed,
    Rumour,
    Shared,
    Silent,
    SpyReport,
    Succession,
    Trained,
    TreatyBegan,
    TreatyEnded,
    Untitled,
    Victory,
    Voted,
    Wounded,
)
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import Debt, Forced, Penance, led_by
from adjudicator.rulesets.noblesse.scenario import Stock, tables
from adjudicator.rulesets.noblesse.treaties import Breach, Deed, Penalty, PenaltyForm, Treaty
from adjudicator.rulesets.noblesse.world import World

PLACED = {
    "spy": "spies", "tax": "tax collectors", "steward": "stewards", "recruit": "commanders", "lead": "commanders",
    "build": "structures",
}  # fmt: skip
REMOVED = {"recall spy": "spies", "recall tax": "tax collectors", "leave": "commanders"}


def _both(work: World, treaty: Treaty) -> tuple[SeatId, ...]:
    """Who hears of a treaty: the two leaders (NB-L-8)."""
    return tuple(sorted(leader for name in treaty.parties if (leader := work.leader(name)) is not None))


# Proposals and signatures -------------------------------------------------------------------------------------------


def propose(work: World) -> None:
    """Treaties that leaders propose, by day or by night (NB-T-1 to T-3)."""
    for seat in work.in_order():
        sheet = work.sheets.get(seat)
        for proposal in sheet.treaties if sheet is not None else ():
            faction = led_by(work.factions, seat)
            line = f"Treaty with {proposal.to}"
            wrong = list(itertools.islice(law.faults(proposal, work.scenario), 1))
            if faction is None:
                work.verdict(seat, line, "illegal", "not-leader", "T-1")
            elif wrong:
                work.verdict(seat, line, "illegal", "bad-clause", "T-3", what=wrong[0][1])
            elif proposal.to == faction or work.leader(proposal.to) is None:
                result = "illegal" if proposal.to == faction else "fails"
                work.verdict(seat, line, result, "no-partner", "T-1", faction=proposal.to)
            else:
                treaty = law.treaty_of(proposal, faction)
                name = work.lot("T", f"treaty:{work.cycle}:{seat}", work.treaties)
                work.treaties[name] = treaty
                work.verdict(seat, line, "succeeds", "proposed", "T-1", treaty=name)
                work.events.append(Proposed(heard=_both(work, treaty), treaty=name, by=faction, to=proposal.to))


def sign(work: World) -> None:
    """Signatures, declarations, reports of breaches, concessions (NB-T-5, T-6, T-9, T-10, Z-3, Y-5)."""
    published: list[Published] = []
    for seat, order in work.each("sign", "sign with", "withdraw", "declare"):
        name, faction = order.args["treaty"], led_by(work.factions, seat)
        treaty = work.treaties.get(name)
        if treaty is None or faction not in treaty.parties:
            work.verdict(seat, order, "fails", "no-treaty", "T-1", treaty=name)  # whether there is one or not
        elif order.kind == "withdraw":
            if treaty.status == "proposed" and treaty.parties[0] == faction:
                del work.treaties[name]
                work.verdict(seat, order, "succeeds", "withdrawn", "T-1", treaty=name)
            else:
                work.verdict(seat, order, "fails", "not-open", "T-1", treaty=name)
        elif order.kind == "declare":
            if treaty.status != "in force":
                work.verdict(seat, order, "fails", "not-in-force", "Z-3", treaty=name)
            else:
                declared = tuple(sorted({*treaty.declared, faction}))
                work.treaties[name] = replace(treaty, declared=declared)
                work.verdict(seat, order, "succeeds", "declared", "Z-3", treaty=name)
        elif treaty.status != "proposed" or treaty.parties[1] != faction:
            work.verdict(seat, order, "fails", "not-open", "T-9", treaty=name)
        elif law.second_ally(work.treaties, treaty):
            work.verdict(seat, order, "fails", "second-ally", "H-15", treaty=name)
        elif law.forbidden(work.treaties, treaty):
            work.verdict(seat, order, "fails", "forbidden", "N-7", treaty=name)
        else:
            starts = max(treaty.starts or 0, work.cycle + 1)
            # Each of the two publishes the intent, in the same words or in his own (NB-T-5).
            said = order.args["text"][:300] if order.kind == "sign with" else treaty.intents.get(treaty.parties[0], "")
            intents = {**treaty.intents, faction: said} if said else treaty.intents
            work.treaties[name] = replace(treaty, status="signed", starts=starts, intents=intents)
            work.verdict(seat, order, "succeeds", "signed", "T-9", treaty=name, starts=starts)
            published += [Published(faction=party, text=intent) for party, intent in intents.items()]
    # In an order that does not tell who proposed, nor who signed first.
    published.sort(key=lambda one: (work.scenario.prestige(one.faction), one.text))
    work.events.extend(published)
    for seat, order in work.each("report", "concede"):
        _report(work, seat, order)


def _report(work: World, seat: SeatId, order: Order) -> None:
    name, number, faction = order.args["treaty"], int(order.args["number"]), led_by(work.factions, seat)
    treaty = work.treaties.get(name)
    if treaty is None or faction is None or faction not in treaty.parties or not law.reportable(treaty, work.cycle):
        work.verdict(seat, order, "illegal", "no-treaty", "T-10", treaty=name)
        return
    breaker = faction if order.kind == "concede" else law.other_party(treaty, faction)
    promises = treaty.promises[breaker]
    if number > len(promises):
        work.verdict(seat, order, "illegal", "no-promise", "T-10", number=number)
        return
    if any((one.by, one.promise) == (breaker, number) for one in treaty.breaches):
        work.verdict(seat, order, "fails", "reported-already", "T-10", number=number)
        return
    found = law.standing(promises[number - 1], breaker, treaty, work.cycle, work.scenario, by_day=True)
    accused = work.leader(breaker)
    admits = any(one.kind == "concede" and one.args == order.args for one in work.orders.get(accused or "", ()))
    if order.kind == "concede" or found == "broken" or (found == "unknown" and admits):
        breach = Breach(by=breaker, promise=number, cycle=work.cycle)
        work.treaties[name] = replace(treaty, breaches=(*treaty.breaches, breach))
        work.verdict(seat, order, "succeeds", "breach", "T-7", treaty=name, number=number)
        work.events.append(Breached(heard=_both(work, treaty), treaty=name, by=breaker, promise=number))
        for penalty in treaty.penalties:
            _punish(work, treaty, breaker, penalty)
    elif found == "unknown":
        work.verdict(seat, order, "fails", "not-conceded", "T-10", treaty=name, number=number)
    else:
        work.verdict(seat, order, "fails", "false-report", "T-10", treaty=name, number=number, found=found)


def _punish(work: World, treaty: Treaty, breaker: str, penalty: Penalty) -> None:
    """What a breach brings, from the next Night on (NB-T-7, NB-T-10, NB-N)."""
    wronged, mine = law.other_party(treaty, breaker), work.factions[breaker]
    match penalty.listed:
        case PenaltyForm.PAYS:
            times = penalty.cycles or 1 if penalty.each else 1
            debts = tuple(
                Debt(to=wronged, amount=penalty.amounts, due=work.cycle + 1 + number) for number in range(times)
            )
            work.factions[breaker] = replace(mine, owed=(*mine.owed, *debts))
        case PenaltyForm.ACTS:
            wanted = tuple(Penance(action=penalty.action, who=one) for one in penalty.who)
            work.factions[breaker] = replace(mine, penance=(*mine.penance, *wanted))
        case PenaltyForm.VOTES:
            until = work.cycle + (penalty.cycles or 1)
            forced = Forced(who=penalty.who, number=penalty.number, will=penalty.will, until=until)
            work.factions[breaker] = replace(mine, forced=(*mine.forced, forced))
        case PenaltyForm.REVEALS:
            leader = work.leader(wronged)
            facts = tuple(_facts(work, breaker, penalty))
            if leader is not None:
                work.events.append(Revealed(heard=(leader,), faction=breaker, facts=facts))
        case PenaltyForm.ENDS | PenaltyForm.LASTS | PenaltyForm.TREATIES:
            pass  # how long the treaty lasts, and which others are signed, is asked when it matters
        case _:
            assert_never(penalty.listed)


def _facts(work: World, faction: str, penalty: Penalty) -> list[str]:
    """True facts of a faction's players, as a penalty makes it reveal them (NB-N-5)."""
    found = []
    for seat in work.living(faction):
        if penalty.who and seat not in penalty.who:
            continue
        player = work.players[seat]
        if "roles" in penalty.facts:
            found.append(f"{seat} is {player.role}")
        if "estates" in penalty.facts:
            found.append(f"{seat} controls {', '.join(work.controlled(seat)) or 'no estate'}")
        if "units" in penalty.facts:
            units = [
                f"{unit.formation} {name} at {unit.at}"
                for name, unit in sorted(work.units.items())
                if unit.owner == seat
            ]
            found.append(f"{seat} has {', '.join(units) or 'no unit'}")
    return found


# In force -----------------------------------------------------------------------------------------------------------


def end_and_begin(work: World) -> None:
    """Step 1: treaties end, then treaties begin (NB-A-3, T-8, T-9, T-11)."""
    held = [work.faction_at(estate) for estate in work.scenario.prizes]
    members = {name: len(work.living(name)) for name in work.factions}
    prizes = {name: held.count(name) for name in work.factions}
    nobles = {name: len(faction.nobles) for name, faction in work.factions.items()}
    for name, treaty in sorted(work.treaties.items()):
        if treaty.status == "in force":
            rule = law.over(treaty, work.cycle, work.scenario, members=members, prizes=prizes, nobles=nobles)
            if any(work.leader(party) is None for party in treaty.parties):
                rule = "NB-P-17"
            if rule is not None:
                end(work, name, rule)
        elif treaty.status != "ended" and any(work.leader(party) is None for party in treaty.parties):
            del work.treaties[name]  # with a faction that is gone nothing begins (NB-P-17)
        elif treaty.deeds and not law.reportable(treaty, work.cycle):
            work.treaties[name] = replace(treaty, deeds=())
    for name, treaty in sorted(work.treaties.items()):
        if treaty.status == "signed" and (treaty.starts or 0) <= work.cycle:
            work.treaties[name] = replace(treaty, status="in force", began=work.cycle)
            work.events.append(
                TreatyBegan(heard=_both(work, treaty), treaty=name, parties=treaty.parties, state=treaty.state)
            )


def end(work: World, name: str, rule: str) -> None:
    """A treaty is over, and with it its state (NB-T-8)."""
    treaty = work.treaties[name]
    challenged = work.cycle if rule == "NB-H-7" and treaty.status == "in force" else None
    # Nobody asks for deeds any more, unless it was challenged and can be reported tomorrow (NB-H-9).
    deeds = treaty.deeds if challenged else ()
    work.treaties[name] = replace(treaty, status="ended", challenged=challenged, deeds=deeds)
    work.events.append(TreatyEnded(heard=_both(work, treaty), treaty=name, parties=treaty.parties, rule=rule))


def end_with_the_cycle(work: World) -> None:
    """After step 10: treaties that end so many cycles after a breach, at a cycle's end (NB-Z-7)."""
    for name, treaty in sorted(work.treaties.items()):
        if treaty.status == "in force" and law.over_with(treaty, work.cycle):
            end(work, name, "NB-Z-7")


def challenge(work: World) -> None:
    """Before combat: a Neutral visitor who asks for battle or conquest ends every treaty with the owner (NB-H-5 to H-9)."""
    for seat, order in work.challenges:
        name = order.args["unit"]
        unit = work.units.get(name)
        mine = work.players[seat].faction
        owner = work.faction_at(unit.at) if unit is not None else None
        if unit is None or owner is None or owner == mine or unit.at in work.open or unit.at != order.path[-1]:
            work.verdict(seat, order, "void", "request-void", "H-8", unit=name)
            continue
        state = work.relation(mine, owner)
        if state == "allied":
            work.verdict(seat, order, "void", "allied", "H-10", unit=name)
            continue
        # Who is Hostile has nothing to ask for; the verdict is the same, for it does not tell the state of leaders' treaties.
        for key, treaty in sorted(work.treaties.items()):
            between = treaty.status in {"signed", "in force"} and set(treaty.parties) == {mine, owner}
            if between and state == "neutral":
                end(work, key, "NB-H-7")
        work.verdict(seat, order, "succeeds", "challenged", "H-7", unit=name, at=unit.at)


def pay_debts(work: World) -> None:
    """What a penalty made a leader owe moves in step 9; what is missing is owed the next Night (NB-N-2)."""
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
            _moves(work, name, debt.to, paid)
            if debt.amount - paid:
                kept.append(replace(debt, amount=debt.amount - paid))
        work.factions[name] = replace(work.factions[name], owed=tuple(kept))


def _moves(work: World, by: str, to: str, amount: Stock) -> None:
    payer, taker = work.leader(by), work.leader(to)
    if amount and payer is not None and taker is not None:
        work.change(payer, stock=work.players[payer].stock - amount)
        work.gives(taker, amount)
        work.events.append(Paid(heard=tuple(sorted((payer, taker))), by=by, to=to, amount=amount))


def pay(work: World) -> None:
    """Payments between leaders who have a treaty, at the moment of sharing (NB-F-13, NB-M-2)."""
    for seat, order in work.each("pay"):
        mine, to = led_by(work.factions, seat), order.args["faction"]
        if mine is None:
            work.verdict(seat, order, "illegal", "not-leader", "F-13")
        elif not any(one.status == "in force" and set(one.parties) == {mine, to} for one in work.treaties.values()):
            work.verdict(seat, order, "fails", "no-treaty", "F-13", treaty=to)
        elif not work.players[seat].stock.covers(order.amounts):
            stock = str(work.players[seat].stock)
            work.verdict(seat, order, "fails", "too-poor", "A-13", price=str(order.amounts), stock=stock)
        else:
            _moves(work, mine, to, order.amounts)
            work.verdict(seat, order, "succeeds", "paid", "M-2", faction=to)


def note_deeds(work: World) -> None:
    """Keeps what factions did that their treaties speak of, as far as it can be checked (NB-T-10)."""
    deeds = [*_from_events(work), *_from_orders(work)]
    for name, treaty in work.treaties.items():
        if law.reportable(treaty, work.cycle):
            more = tuple(deed for deed in deeds if law.concerns(treaty, deed, work.scenario))
            work.treaties[name] = replace(treaty, deeds=(*treaty.deeds, *more))


def _from_events(work: World) -> list[Deed]:
    found: list[Deed] = []
    for event in work.events:
        match event:
            case Moved(owner=owner, path=path, unit=name):
                by = work.players[owner].faction
                unit = work.units.get(name)
                what = unit.formation if unit is not None else work.formations.get(name, "")
                found += [Deed(by=by, cycle=work.cycle, kind="entered", at=at, what=what) for at in path[1:]]
                found.append(Deed(by=by, cycle=work.cycle, kind="removed", at=path[0], what=what))
            case Battle(at=at, sides=parts, fights=fights):
                factions = {part.name: part.factions for part in parts}
                for one in fights:
                    sides = [factions[side] for side in one.sides]
                    for me, enemy in ((0, 1), (1, 0)):
                        found += [
                            Deed(by=a, cycle=work.cycle, kind="fought", at=at, who=b)
                            for a in sides[me]
                            for b in sides[enemy]
                        ]
            case Control(at=at, by=holder) if holder is not None:
                by = work.players[holder].faction if holder in work.players else holder
                found.append(Deed(by=by, cycle=work.cycle, kind="controls", at=at))
            case Voted(votes=votes):
                found += [
                    Deed(by=work.players[seat].faction, cycle=work.cycle, kind="voted", who=to) for seat, to in votes
                ]
            case Died(seat=seat, faction=faction):
                found += [
                    Deed(by=other, cycle=work.cycle, kind="killed", what=faction, who=seat)
                    for other in work.factions
                    if other != faction
                ]
            case (
                Founded()
                | Raised()
                | Gone()
                | Rumour()
                | Wounded()
                | HeirDied()
                | Built()
                | Trained()
                | Earned()
                | Shared()
            ):
                pass  # of these nobody promises anything
            case SpyReport() | Offered() | Agreed() | HeirBorn() | Ennobled() | Untitled() | Harmed() | Message():
                pass
            case Succession() | Silent() | FactionGone() | Proposed() | Published() | Victory():
                pass
            case TreatyBegan() | TreatyEnded() | Breached() | Paid() | Revealed() | Control():
                pass  # what leaders pay is noted from their orders: what a penalty makes them pay is no payment promised
            case _:
                assert_never(event)
    return found


def _from_orders(work: World) -> list[Deed]:
    found: list[Deed] = []
    for seat, orders in work.orders.items():
        by = work.players[seat].faction
        for order in orders:
            if work.results.get(order.number) != "succeeds":
                continue
            unit = work.units.get(order.args.get("unit", "")) or work.start.units.get(order.args.get("unit", ""))
            at = order.args.get("estate") or (unit.at if unit is not None else "")
            if order.kind in PLACED:
                place = order.path[-1] if order.kind == "spy" else at
                found.append(Deed(by=by, cycle=work.cycle, kind="placed", at=place, what=PLACED[order.kind]))
            elif order.kind in REMOVED:
                found.append(Deed(by=by, cycle=work.cycle, kind="removed", at=at, what=REMOVED[order.kind]))
            elif order.kind == "pay":
                # What a penalty makes a leader pay is no payment that he promised (NB-N-2).
                to = order.args["faction"]
                found.append(Deed(by=by, cycle=work.cycle, kind="paid", who=to, amounts=order.amounts))
            elif order.kind in tables().actions:
                who, against = order.args.get("seat", ""), _against(work, order)
                found.append(
                    Deed(by=by, cycle=work.cycle, kind="acted", at=at, what=order.kind, who=who, against=against)
                )
    return found


def _against(work: World, order: Order) -> str:
    """The faction that an action was done to: of the player, the unit's owner, or who controlled the estate before."""
    who, unit, at = (order.args.get(key, "") for key in ("seat", "unit", "estate"))
    if unit in work.start.units:
        who = work.start.units[unit].owner
    elif not who and at in work.start.estates:
        who = work.start.estates[at].by or ""
    return work.start.players[who].faction if who in work.start.players else who
