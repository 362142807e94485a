"""Resolves a Night, from sheets to the next Day, in the ten steps of NB-A-3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.rulesets.noblesse import leaders
from adjudicator.rulesets.noblesse.abilities import lay_cores, use_abilities
from adjudicator.rulesets.noblesse.actions import ACTIONS, do_penance
from adjudicator.rulesets.noblesse.acts import ACTION, MOVEMENT, POSTING, RECRUITING, SHARING
from adjudicator.rulesets.noblesse.combat import fight
from adjudicator.rulesets.noblesse.deeds import note_deeds
from adjudicator.rulesets.noblesse.events import (
    EVERYBODY,
    Agreed,
    AnyEvent,
    Built,
    Silent,
    SpyReport,
)
from adjudicator.rulesets.noblesse.income import collect
from adjudicator.rulesets.noblesse.movement import move_units
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.position import BASIC, Phase, Position, Seen, SeenUnit
from adjudicator.rulesets.noblesse.posts import COLLECTORS, post_courtiers
from adjudicator.rulesets.noblesse.recruiting import recruit
from adjudicator.rulesets.noblesse.victory import win
from adjudicator.rulesets.noblesse.work import Work

PATIENCE = 2
"""Nights in a row without orders before the host may put in a substitute (NB-P-18)."""


def begin(work: Work) -> None:
    """Step 1: put treaties and offers into effect, count Nobles, record proposals, and recall collectors."""
    leaders.hear_rulings(work)
    lay_cores(work)
    leaders.end_and_begin(work)
    for seat in work.living():
        missed = 0 if seat in work.sheets else work.players[seat].missed + 1
        work.change(seat, missed=missed)
        if missed >= PATIENCE:
            work.tell(Silent(heard=EVERYBODY, seat=seat, nights=missed))
    for offer in work.offers:
        if offer.accepted:
            _agree(work, offer.kind, offer.by, offer.to)
    work.offers = []
    work.count_nobles()
    leaders.propose(work)
    for seat, order in work.orders_of(*COLLECTORS):
        work.carry_out(seat, order, COLLECTORS[order.kind])


def _agree(work: Work, kind: str, by: SeatId, to: SeatId) -> None:
    """Put an accepted offer into effect, if both are alive and it is still allowed (NB-X-3, NB-P-10, NB-P-15)."""
    if not (work.players[by].alive and work.players[to].alive):
        return
    proposer, partner = work.players[by], work.players[to]
    if kind == "marriage":
        if proposer.married is not None or partner.married is not None:
            return
        work.change(by, married=to)
        work.change(to, married=by)
    elif kind == "hostages":
        if proposer.married != to or proposer.faction == partner.faction:
            return
        for giver, taker in ((by, to), (to, by)):
            heir = work.players[giver].heir
            if heir is not None:
                if heir.unit is not None:
                    unit = work.units[heir.unit]
                    work.units[heir.unit] = replace(unit, leader="company", name=BASIC)
                work.change(giver, heir=replace(heir, unit=None, hostage=taker))
    else:
        for giver in (by, to):
            heir = work.players[giver].heir
            if heir is not None and heir.hostage in {by, to}:
                work.change(giver, heir=replace(heir, hostage=None))
    work.tell(Agreed(heard=tuple(sorted((by, to))), kind=kind, by=by, to=to))  # type: ignore[arg-type]  # one of three


def carry_out_actions(work: Work) -> None:
    """Step 4: carry out actions in the order of work (NB-A-4, NB-K-12). Each leader first does what penalties demand (NB-N-3)."""
    for seat in work.seats_in_order():
        do_penance(work, seat)
        for order in work.orders[seat]:
            if order.kind in ACTIONS:
                if work.players[seat].alive:
                    work.carry_out(seat, order, ACTIONS[order.kind])
                else:
                    work.judge(seat, order, "void", "dead", "P-16")


def complete_buildings(work: Work) -> None:
    """Step 7: complete the buildings that were ordered in the Night before (NB-G-7)."""
    for estate in work.scenario.estates:
        holding = work.holding(estate)
        done = [name for name, due in sorted(holding.buildings.items()) if due == work.cycle]
        if done:
            work.hold(estate, buildings={name: 0 if name in done else due for name, due in holding.buildings.items()})
            owner = holding.by if holding.by in work.players else None
            work.events.extend(Built(heard=work.hearers(owner), at=estate, building=name) for name in done)


def report_spies(work: Work) -> None:
    """Step 10: report the estates that Spies saw, in their state after step 8 (NB-K-8, K-9)."""
    for seat in work.living():
        reports: list[Seen] = []
        for courtier in work.players[seat].courtiers:
            if courtier.post == "spy" and courtier.at is not None:
                path = work.ways.get((seat, courtier.id), (courtier.at,))
                estates = tuple(_see_estate(work, estate) for estate in path)
                work.tell(SpyReport(heard=(seat,), seat=seat, spy=courtier.id, estates=estates))
                reports.extend(estates)
        by_place = {report.at: report for report in reports}
        work.change(seat, reports=tuple(by_place[at] for at in sorted(by_place)))


COMMANDERS = {
    "company": "an officer", "courtier": "a courtier", "pc": "a player", "heir": "an heir", "noble": "a noble",
    "unique": "a famous officer",
}  # fmt: skip


def _see_estate(work: Work, estate: str) -> Seen:
    units = tuple(
        SeenUnit(unit=name, faction=work.faction_of(unit), formation=unit.formation, commander=COMMANDERS[unit.leader])
        for name in work.units_at(estate)
        for unit in (work.units[name],)
    )
    return Seen(at=estate, by=work.holding(estate).by, income=work.base_income(estate), units=units)


NIGHT = (
    begin,
    move_units,
    use_abilities,
    carry_out_actions,
    recruit,
    fight,
    complete_buildings,
    post_courtiers,
    collect,
    report_spies,
    leaders.end_with_the_cycle,
    note_deeds,
    win,
)
"""The steps of a Night, in the order of NB-A-3."""


def resolve_night(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Resolve a Night. Only the numbers of new units are random."""
    work = Work(position, sheets, dice)
    work.read_sheets((MOVEMENT, ACTION, RECRUITING, POSTING, SHARING))
    for step in NIGHT:
        step(work)
    for seat, orders in work.orders.items():
        for order in orders:
            if order.number not in work.results:
                work.judge(seat, order, "void", "dead", "P-16")
    return work.done(work.after(phase=Phase.DAY))
