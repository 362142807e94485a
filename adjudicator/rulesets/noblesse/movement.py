"""Step 2 of a Night: units move, then make forced marches (NB-B)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.abilities import is_swift
from adjudicator.rulesets.noblesse.actions import action_price
from adjudicator.rulesets.noblesse.events import Moved
from adjudicator.rulesets.noblesse.field import battle_starts
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import Unit
from adjudicator.rulesets.noblesse.scenario import tables
from adjudicator.rulesets.noblesse.work import Work, room_for

STEPS_A_NIGHT = 2
"""Estates that a Spy, and a unit just recruited, may cover in one Night (NB-K-8, NB-B-6)."""


def move_units(work: Work) -> None:
    """Step 2: all units move at once (NB-B-5 to B-11), then those on a forced march (NB-X-17)."""
    before = {name: unit.at for name, unit in work.units.items()}
    goals: dict[str, tuple[str, ...]] = {}
    given: dict[str, tuple[SeatId, Order]] = {}
    for seat, order in work.orders_of("move", "challenge"):
        name, path = order.args["unit"], order.path
        unit = work.units.get(name)
        if unit is None or unit.owner != seat:
            work.refuse(seat, order, "not-your-unit", "A-16", unit=name)
        elif name in given:
            work.judge(seat, order, "illegal", "ordered-twice", "A-16", unit=name)
        elif not tables().formations[unit.formation].moves:
            work.judge(seat, order, "illegal", "garrison", "B-8", unit=name)
        elif not is_path(work, unit.at, path):
            work.judge(seat, order, "illegal", "not-beside", "B-5", unit=name, at=unit.at)
        elif len(path) > 1 and (not _is_swift(work, unit) or len(path) > STEPS_A_NIGHT):
            work.judge(seat, order, "illegal", "too-far", "B-6" if len(path) == STEPS_A_NIGHT else "B-5", unit=name)
        else:
            given[name] = (seat, order)
            blocked = len(path) > 1 and any(
                work.faction_of(other) != work.faction_of(unit) for other in work.units.values() if other.at == path[0]
            )
            goals[name] = path[:1] if blocked else path
    admitted = _admit_units(work, {name: path[-1] for name, path in goals.items()})
    for name in admitted:
        work.units[name] = replace(work.units[name], at=goals[name][-1])
    for name, (seat, order) in given.items():
        full = name not in admitted
        short = len(goals[name]) < len(order.path)
        if full:
            work.judge(seat, order, "fails", "no-room", "B-9", at=goals[name][-1])
            continue
        reason, rule = ("first-leg", "B-7") if short else ("moved", "B-5")
        if order.kind == "challenge":
            work.challenges.append((seat, order))  # the verdict comes with the result of the request
        else:
            work.judge(seat, order, "succeeds", reason, rule, unit=name, at=goals[name][-1])
        work.events.append(Moved(heard=work.hearers(seat), unit=name, owner=seat, path=(before[name], *goals[name])))
    for seat, order in work.orders_of("march"):
        _march(work, seat, order)


def _is_swift(work: Work, unit: Unit) -> bool:
    return is_swift(work.scenario, work.players[unit.owner].role, unit, work.cycle)


def is_path(work: Work, start: str, path: tuple[str, ...]) -> bool:
    """True if each estate of a path is next to the one before, and the first next to `start`."""
    here = start
    for estate in path:
        if estate not in work.scenario.neighbours(here):
            return False
        here = estate
    return True


def _admit_units(work: Work, goals: dict[str, str]) -> list[str]:
    """Units that fit at their goals. Units that stay come first, then arrivals in the order of work (NB-B-10)."""
    order = list(goals)  # as the orders were read: in the order of work, a player's own as written (NB-A-7)
    refused: set[str] = set()
    while True:
        # A refused unit stays, and so may leave no room for another.
        placed = {name: unit for name, unit in work.units.items() if name not in goals or name in refused}
        again = set(refused)
        for name in order:
            if name in refused:
                continue
            unit = work.units[name]
            mine = (other for other in placed.values() if work.faction_of(other) == work.faction_of(unit))
            if room_for(mine, goals[name], unit.formation):
                placed[name] = replace(unit, at=goals[name])
            else:
                again.add(name)
        if again == refused:
            return [name for name in order if name not in refused]
        refused = again


def _march(work: Work, seat: SeatId, order: Order) -> None:
    """March a unit of the player's faction one estate further, if no battle starts where it is (NB-X-6, NB-X-17)."""
    name, goal = order.args["unit"], order.args["estate"]
    unit = work.units.get(name)
    faction, cost = work.players[seat].faction, action_price(work, seat, "march")
    envoys = work.free_courtiers(seat)
    # Check the player's means first. Reported only for units that can march, a lack would reveal whose they are (NB-K-18).
    if not envoys:
        work.judge(seat, order, "fails", "no-envoy", "K-12")
        return
    if not work.affords(seat, order, cost):
        return
    if unit is None or work.faction_of(unit) != faction:
        work.refuse(seat, order, "not-your-unit", "X-17", unit=name)
        return
    fault = _march_fault(work, unit, name, goal)
    if fault is not None and unit.owner != seat and work.leader(faction) != seat:
        # The reason that another player's unit did not march would reveal whose it is, and where (NB-C-9).
        work.refuse(seat, order, "not-your-unit", "X-17", unit=name)
    elif fault is not None:
        result, reason, rule, facts = fault
        work.judge(seat, order, result, reason, rule, **facts)
    elif work.pay(seat, order, cost):
        work.busy[seat].add(envoys[0].id)
        work.units[name] = replace(unit, at=goal)
        work.marched.add(name)
        work.judge(seat, order, "succeeds", "marched", "X-6", unit=name, at=goal)
        # A member who is not the leader does not hear whose unit it is, nor where it came from (NB-C-9).
        work.events.append(Moved(heard=work.hearers(unit.owner), unit=name, owner=unit.owner, path=(unit.at, goal)))


def _march_fault(work: Work, unit: Unit, name: str, goal: str) -> tuple[str, str, str, dict[str, str]] | None:
    """Return why a unit cannot make a forced march: result, reason, rule and facts; None if it can."""
    if not tables().formations[unit.formation].moves:
        return "illegal", "garrison", "X-17", {"unit": name}
    if goal not in work.scenario.neighbours(unit.at):
        return "fails", "not-beside", "X-17", {"unit": name, "at": unit.at}
    if name in work.marched:
        return "fails", "marched-already", "X-6", {"unit": name}
    if battle_starts(work, unit.at):
        return "fails", "battle-starts", "X-6", {"unit": name, "at": unit.at}
    if not work.fits(goal, work.faction_of(unit), unit.formation):
        return "fails", "no-room", "B-9", {"at": goal}
    return None
