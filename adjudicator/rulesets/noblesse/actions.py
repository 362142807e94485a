"""Step 4 of a Night: the actions of the common list, and new buildings (NB-X, NB-G-7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.events import Control, Ennobled, Harmed, HeirBorn, Offered, Wounded
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import BASIC, Courtier, Heir, Noble, Offer, Penance
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Stock, amount_of, tables
from adjudicator.rulesets.noblesse.work import Work

LETHAL = 3
"""Number of wounds that removes a Player Character (NB-X-14)."""


def _paid(action: Deed[Work, Order]) -> Deed[Work, Order]:
    """An action of the common list, extended so that it takes an Envoy and the price (NB-K-12)."""

    def does(work: Work, seat: SeatId, order: Order) -> None:
        needed = ACTS.by_kind[order.kind].people
        envoys = work.free_courtiers(seat, 2)
        if len(envoys) < needed:
            work.judge(seat, order, "fails", "no-envoy", "K-12")
        elif work.pay(seat, order, action_price(work, seat, order.kind)):
            if needed:
                work.busy[seat].add(envoys[0].id)
            work.aimed[order.number] = victims_of(work, order)
            action.does(work, seat, order)

    return Deed(action.fault, does)


def victims_of(work: Work, order: Order) -> tuple[tuple[SeatId, str, bool], ...]:
    """The victims of an action: a player and a faction each, and whether they certainly are victims (NB-M-10, NB-Z-5)."""
    at, who = order.args.get("estate", ""), order.args.get("seat", "")
    if order.kind == "incapacitate":
        who = work.units[order.args["unit"]].owner
    if who:
        return ((who, work.players[who].faction, True),)
    if order.kind not in {"poison", "arson", "bribery"}:
        return (("", "", True),)
    owner, lord = work.holding(at).by, work.home_of(at)
    victims: dict[SeatId, bool] = {}
    if order.kind == "poison":
        victims |= {seat: True for seat in work.living() if estate_of_pc(work, seat) == at}
    if owner in work.players:
        # The owner of poisoned wells may count as a victim even if their Player Character was elsewhere.
        victims.setdefault(owner, order.kind != "poison")
    # The player whose Home it is and the leader of the controlling faction may count as victims as well.
    leader = work.leader(owner) if owner in work.factions else None
    for seat in (lord, leader):
        if seat is not None:
            victims.setdefault(seat, False)
    done = tuple((seat, work.players[seat].faction, sure) for seat, sure in victims.items())
    return (*done, ("", work.faction_at(at) or "", True))


def action_price(work: Work, seat: SeatId, kind: str) -> Stock:
    """Price of an action for a player tonight, after abilities that reduce it (NB-C-15)."""
    nobles = len(work.factions[work.players[seat].faction].nobles)
    return work.price_after_thrift(seat, kind, usual_price(kind, nobles))


def usual_price(kind: str, nobles: int) -> Stock:
    """Price of an action without any ability, in a faction with this many Nobles (NB-X-2, X-22)."""
    usual = tables().actions[kind]
    return usual + amount_of("influence", nobles) if kind == "noble" else usual


def do_penance(work: Work, seat: SeatId) -> None:
    """Carry out the actions that penalties demand of a leader. Those that the leader cannot pay for, or cannot do yet, have to wait (NB-N-3)."""
    faction = work.players[seat].faction
    mine = work.factions[faction]
    if mine.leader != seat or not mine.penance:
        return
    waiting = []
    for penance in mine.penance:
        if not work.players[penance.who].alive or work.players[penance.who].faction != faction:
            continue
        order, cost = (
            _penal_order(work, penance),
            work.price_after_thrift(seat, penance.action, tables().actions[penance.action]),
        )
        able = work.players[seat].alive and work.players[seat].stock.covers(cost)
        if not able or order is None or COMMON[penance.action].fault(work, seat, order) is not None:
            waiting.append(penance)
            continue
        work.change(seat, stock=work.players[seat].stock - cost)
        COMMON[penance.action].does(work, seat, order)
    work.factions[faction] = replace(work.factions[faction], penance=tuple(waiting))


def _penal_order(work: Work, penance: Penance) -> Order | None:
    """The order that a penalty demands, aimed at the player's location, Home or oldest unit; None without a target (NB-T-14)."""
    who, kind = penance.who, penance.action
    home = work.players[who].home or ""
    match kind:
        case "assassin" | "marriage":
            return Order(kind, {"seat": who})
        case "knife":
            return Order(kind, {"estate": estate_of_pc(work, who) or "", "seat": who})
        case "poison":
            return Order(kind, {"estate": estate_of_pc(work, who) or ""})
        case "arson":
            built = [name for name in tables().buildings if name in work.holding(home).buildings]
            return Order(kind, {"estate": home, "building": built[0]}) if built else None
        case "bribery":
            most = max(RESOURCES, key=lambda name: int(getattr(work.base_income(home), name)))
            return Order(kind, {"estate": home, "resource": most})
        case _:
            led = [
                (unit.recruited, name)
                for name, unit in work.units.items()
                if unit.owner == who and unit.leader in {"courtier", "pc", "noble"}
            ]
            return Order(kind, {"unit": min(led)[1]}) if led else None


def _build_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name, at = order.args["building"], order.args["estate"]
    needed = tables().buildings[name].overseers
    if work.holding(at).by != seat:
        return work.not_your_estate(seat, order, "G-6")
    if name in work.holding(at).buildings:
        return because("built-already", "G-8", "illegal", known=True, building=name, at=at)
    return because("no-overseers", "G-7", needed=needed) if len(work.free_courtiers(seat, needed)) < needed else None


def _build(work: Work, seat: SeatId, order: Order) -> None:
    """Begin a building. Its overseers are bound until it is complete, and it needs no Envoy (NB-G-7, NB-K-13)."""
    name, at = order.args["building"], order.args["estate"]
    kind = tables().buildings[name]
    if work.pay(seat, order, work.price_after_thrift(seat, name, kind.price)):
        for overseer in work.free_courtiers(seat, kind.overseers):
            work.post(seat, overseer.id, post="overseer", at=at, what=name)
        work.hold(at, buildings={**work.holding(at).buildings, name: work.cycle + 1})
        work.judge(seat, order, "succeeds", "begun", "G-7", building=name, at=at)


# Conditions of actions, apart from their prices ---------------------------------------------------------------------


def _because(
    order: Order, reason: str, rule: str, result: str = "fails", *, known: bool = False, likely: bool = False
) -> Fault:
    """A fault in an action. Its sentence may name the estate, the player and the building of the order."""
    named = {key: order.args[key] for key in ("seat", "building") if key in order.args}
    return because(reason, rule, result, known=known, likely=likely, at=order.args.get("estate", ""), **named)


def _steward_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    at, rule = order.args["estate"], ACTS.by_kind[order.kind].rule
    if at == work.players[seat].home:
        return _because(order, "at-home", rule, "illegal", known=True)
    if not any(courtier.post == "steward" and courtier.at == at for courtier in work.players[seat].courtiers):
        return _because(order, "no-steward", rule, likely=True)
    return None


def _marriage_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    to = order.args["seat"]
    if to == seat:
        return _because(order, "not-possible", "X-3", "illegal", known=True)
    if not work.players[to].alive:
        return _because(order, "dead-already", "X-3", known=True)
    # A player who offers must not learn whether the other is married. An offer to a married player costs its price, and fails (NB-X-18).
    return _because(order, "married", "X-3", likely=True) if work.players[seat].married is not None else None


def _heir_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    player = work.players[seat]
    if player.had_heir:
        return _because(order, "had-heir", "X-4", "illegal", known=True)
    return _because(order, "unmarried", "X-19") if player.married is None else None


def _exchange_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    to = order.args["seat"]
    if to != work.players[seat].married:
        once = to == work.start.players[seat].married
        return _because(order, "not-your-partner", "X-5", "fails" if once else "illegal")
    if work.players[to].faction == work.players[seat].faction:
        return _because(order, "one-faction", "P-14")  # members do not know each other (NB-C-9)
    return None


def _release_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    to = order.args["seat"]
    heirs = [(work.players[giver].heir, holder) for giver, holder in ((seat, to), (to, seat))]
    if not any(heir is not None and heir.hostage == other for heir, other in heirs):
        return _because(order, "no-hostages", "P-15")
    return None


def _no_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    return None


def _spy_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    at = order.args["estate"]
    commands = order.kind == "arson" and any(
        unit.owner == seat and unit.at == at and unit.leader in {"courtier", "pc", "heir", "noble"}
        for unit in work.units.values()
    )
    if not work.has_spy(seat, at) and not commands:
        # Units move earlier, so the player's unit may be there by then (NB-X-8); Spies move later (NB-A-10).
        return _because(order, "no-spy", ACTS.by_kind[order.kind].rule, known=order.kind != "arson")
    if order.kind == "knife" and (fault := _hostage_fault(work, seat, order.args["seat"], order)):
        return fault
    if work.spares_at(seat, at):
        return _because(order, "hostage", "P-12")
    return _ward_fault(work, at, order)


def _hostage_fault(work: Work, seat: SeatId, victim: SeatId, order: Order) -> Fault | None:
    """The fault in an action against the giver of a hostage, their Heir or their estates; None for other victims (NB-P-12)."""
    return _because(order, "hostage", "P-12") if work.spares(seat, victim) else None


def _player_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    to = order.args["seat"]
    if not work.players[to].alive:
        return _because(order, "dead-already", "X-11", known=True)
    return _hostage_fault(work, seat, to, order)


def _unit_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    unit = work.units.get(order.args["unit"])
    if unit is None or not work.has_spy(seat, unit.at):
        return _because(order, "no-spy", "X-12")
    return _hostage_fault(work, seat, unit.owner, order) or _ward_fault(work, unit.at, order)


def _ward_fault(work: Work, at: str, order: Order) -> Fault | None:
    """The fault in an action at an estate that is protected tonight; None at other estates (NB-C-17)."""
    return _because(order, "warded", "C-17") if at in work.warded else None


# Effects ------------------------------------------------------------------------------------------------------------


def _open_city(work: Work, seat: SeatId, order: Order) -> None:
    work.open.add(order.args["estate"])
    work.judge(seat, order, "succeeds", "opened", "X-16", at=order.args["estate"])


def _ennoble(work: Work, seat: SeatId, order: Order) -> None:
    """Turn a Steward into a Noble of the faction, who leaves the player's court for good (NB-X-2, X-24)."""
    at, player = order.args["estate"], work.players[seat]
    steward = next(courtier for courtier in player.courtiers if courtier.post == "steward" and courtier.at == at)
    work.change(seat, courtiers=tuple(courtier for courtier in player.courtiers if courtier.id != steward.id))
    faction = work.factions[player.faction]
    name = f"of {at}"
    if work.holding(at).by == seat:
        # The estate passes to the faction with its Steward.
        for post in ("tax", "lobby", "staff", "overseer"):
            for whose, courtier in work.posted(post, at):
                work.send_home(whose, courtier.id)
        work.hold(at, by=player.faction)
        work.tell(Control(heard=work.hearers(seat), at=at, by=player.faction, before=seat))
    work.factions[player.faction] = replace(faction, nobles={**faction.nobles, name: Noble(at=at)})
    work.judge(seat, order, "succeeds", "ennobled", "X-2", at=at)
    work.tell(Ennobled(heard=work.hearers(seat), faction=player.faction, noble=name, at=at))


def _offer(work: Work, seat: SeatId, order: Order) -> None:
    """Make an offer, which costs its price even if refused. Two offers that cross are accepted (NB-X-18)."""
    kind, to = order.kind, order.args["seat"]
    crossing = next((offer for offer in work.offers if (offer.kind, offer.by, offer.to) == (kind, to, seat)), None)
    accepted = True if crossing is not None else None
    made = Offer(kind=kind, by=seat, to=to, accepted=accepted)  # type: ignore[arg-type]  # one of three
    if crossing is not None:
        # It counts as agreed now, before any offer that is accepted by day.
        work.offers.remove(crossing)
        work.offers.insert(sum(offer.accepted is True for offer in work.offers), made)
    else:
        work.offers.append(made)
    rule = {"marriage": "X-3", "hostages": "X-5", "release": "P-15"}[kind]
    work.judge(seat, order, "succeeds", "crossed" if crossing is not None else "offered", rule, seat=to)
    work.tell(Offered(heard=tuple(sorted((seat, to))), kind=kind, by=seat, to=to))  # type: ignore[arg-type]  # one of three


def _create_heir(work: Work, seat: SeatId, order: Order) -> None:
    """Create an Heir, who costs a Courtier and brings five more (NB-X-4, NB-K-16)."""
    other = work.players[seat].married
    assert other is not None
    spent = work.free_courtiers(seat)[0]
    left = tuple(courtier for courtier in work.players[seat].courtiers if courtier.id != spent.id)
    last = max((courtier.id for courtier in work.players[seat].courtiers), default=0)
    left += tuple(Courtier(id=last + number) for number in range(1, 6))
    work.change(seat, courtiers=left, heir=Heir(other=work.players[other].faction), had_heir=True)
    work.busy[seat] |= {
        last + number for number in range(1, 6)
    }  # they come with the child, and serve from the next Night
    work.judge(seat, order, "succeeds", "heir-born", "X-4", seat=other)
    work.tell(HeirBorn(heard=tuple(sorted((seat, other))), seat=seat, other=other))


def _heal(work: Work, seat: SeatId, order: Order) -> None:
    """Reduce wounds to 1. At 0 or 1 nothing changes, and the price is still paid (NB-X-7, X-15)."""
    if work.players[seat].wounds > 1:
        work.change(seat, wounds=1)
        work.tell(Wounded(heard=(seat,), seat=seat, wounds=1))
        work.judge(seat, order, "succeeds", "healed", "X-7")
    else:
        work.idle.add(order.number)
        work.judge(seat, order, "succeeds", "nothing-to-heal", "X-15")


def _burn(work: Work, seat: SeatId, order: Order) -> None:
    at, building = order.args["estate"], order.args["building"]
    work.burnt.add((at, building))
    work.judge(seat, order, "succeeds", "burnt", "X-8", building=building, at=at)
    if building in work.holding(at).buildings:  # a Spy does not see buildings (NB-K-9)
        harm(work, "arson", at, building)
    else:
        work.idle.add(order.number)


def _bribe(work: Work, seat: SeatId, order: Order) -> None:
    at, resource = order.args["estate"], order.args["resource"]
    work.bribed.add((at, resource))  # type: ignore[arg-type]  # a resource
    work.judge(seat, order, "succeeds", "bribed", "X-9", at=at)
    harm(work, "bribery", at, resource)


def harm(work: Work, kind: str, at: str, what: str) -> None:
    """Report harm at an estate to its controller, without naming the culprit."""
    by = work.holding(at).by
    owner = by if by in work.players else work.leader(by) if by is not None else None
    if owner is not None:
        work.tell(Harmed(heard=work.hearers(owner), kind=kind, at=at, what=what))  # type: ignore[arg-type]  # one of five


def wound(work: Work, seat: SeatId, wounds: int) -> None:
    """Wound a Player Character; the third wound removes them at once (NB-X-14, X-15)."""
    total = work.players[seat].wounds + wounds
    work.change(seat, wounds=total)
    work.tell(Wounded(heard=(seat,), seat=seat, wounds=total))
    if total >= LETHAL:
        work.kill(seat, "wounds")


def estate_of_pc(work: Work, seat: SeatId) -> str | None:
    """The estate where a Player Character is: with their unit, or at their Home (NB-P-1)."""
    player = work.players[seat]
    return work.units[player.unit].at if player.unit is not None else player.home


def _poison(work: Work, seat: SeatId, order: Order) -> None:
    """Wound every Player Character on the estate, including the poisoner's (NB-X-10, X-25)."""
    at = order.args["estate"]
    hit = [victim for victim in work.living() if estate_of_pc(work, victim) == at]
    work.judge(seat, order, "succeeds", "poisoned", "X-10", at=at, hit=len(hit))
    for victim in hit:
        wound(work, victim, 1)


def _assassinate(work: Work, seat: SeatId, order: Order) -> None:
    work.judge(seat, order, "succeeds", "struck", "X-11", seat=order.args["seat"])
    wound(work, order.args["seat"], 1)


def _incapacitate(work: Work, seat: SeatId, order: Order) -> None:
    """Send a commander home and let a basic officer take over. Officers and Heirs stay (NB-X-12, X-26, P-6)."""
    name = order.args["unit"]
    unit = work.units[name]
    if unit.leader in {"company", "unique"}:
        work.judge(seat, order, "fails", "officer-led", "X-26", unit=name)
        return
    if unit.leader == "heir":
        work.judge(seat, order, "fails", "heir-led", "P-6", unit=name)
        return
    work.bereave(name, unit, dies=False)
    if unit.leader == "courtier":
        work.busy[unit.owner].add(int(unit.name))  # they have had their assignment for this cycle (NB-K-1)
    work.units[name] = replace(unit, leader="company", name=BASIC)
    work.judge(seat, order, "succeeds", "incapacitated", "X-12", unit=name)
    work.tell(Harmed(heard=work.hearers(unit.owner), kind="incapacitate", at=unit.at, what=name))


def _stab(work: Work, seat: SeatId, order: Order) -> None:
    """Kill the Spy, and wound the named player twice if they are there (NB-X-13, X-28)."""
    at, to = order.args["estate"], order.args["seat"]
    spy = next(courtier for courtier in work.players[seat].courtiers if courtier.post == "spy" and courtier.at == at)
    work.change(seat, courtiers=tuple(courtier for courtier in work.players[seat].courtiers if courtier.id != spy.id))
    if work.players[to].alive and estate_of_pc(work, to) == at:
        work.judge(seat, order, "succeeds", "stabbed", "X-13", seat=to, at=at)
        wound(work, to, 2)
    else:
        work.judge(seat, order, "fails", "not-there", "X-28", seat=to, at=at)


COMMON: Mapping[str, Deed[Work, Order]] = {
    "open city": Deed(_steward_fault, _open_city),
    "noble": Deed(_steward_fault, _ennoble),
    "marriage": Deed(_marriage_fault, _offer),
    "heir": Deed(_heir_fault, _create_heir),
    "hostages": Deed(_exchange_fault, _offer),
    "release": Deed(_release_fault, _offer),
    "surgeon": Deed(_no_fault, _heal),
    "arson": Deed(_spy_fault, _burn),
    "bribery": Deed(_spy_fault, _bribe),
    "poison": Deed(_spy_fault, _poison),
    "assassin": Deed(_player_fault, _assassinate),
    "incapacitate": Deed(_unit_fault, _incapacitate),
    "knife": Deed(_spy_fault, _stab),
}
"""Action of the common list -> its conditions apart from its price, and its effect (NB-X)."""
ACTIONS: Mapping[str, Deed[Work, Order]] = {
    "build": Deed(_build_fault, _build),
    **{kind: _paid(action) for kind, action in COMMON.items()},
}
"""Kind of order -> its conditions and its effect."""
