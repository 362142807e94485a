"""Step 2 of a Night: units move, then make forced marches (NB-B)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.acts import Deed, Fault, because
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
"""Number of estates that a Spy, or a unit just recruited, may cover in one Night (NB-K-8, NB-B-6)."""


def move_units(work: Work) -> None:
    """Step 2: move all units at the same time (NB-B-5 to B-11), then those on a forced march (NB-X-17)."""
    for seat, order in work.orders_of("move", "challenge"):
        work.carry_out(seat, order, MOVES[order.kind])
    before = {name: unit.at for name, unit in work.units.items()}
    goals = {name: _way(work, work.units[name], order.path) for name, (_, order) in work.bound.items()}
    admitted = _admit_units(work, {name: path[-1] for name, path in goals.items()})
    for name in admitted:
        work.units[name] = replace(work.units[name], at=goals[name][-1])
    for name, (seat, order) in work.bound.items():
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
        work.tell(Moved(heard=work.hearers(seat), unit=name, owner=seat, path=(before[name], *goals[name])))
    for seat, order in work.orders_of("march"):
        work.carry_out(seat, order, MOVES[order.kind])


def _move_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name, path = order.args["unit"], order.path
    unit = work.units.get(name)
    if unit is None or unit.owner != seat:
        return work.not_your_unit(seat, order, "A-16")
    if name in work.bound:
        return because("ordered-twice", "A-16", "illegal", unit=name)
    if not tables().formations[unit.formation].moves:
        return because("garrison", "B-8", "illegal", known=True, unit=name)
    if not is_path(work, unit.at, path):
        return because("not-beside", "B-5", "illegal", known=True, unit=name, at=unit.at)
    swift = is_swift(work.scenario, work.players[seat].role, unit, work.cycle)
    if len(path) > 1 and (not swift or len(path) > STEPS_A_NIGHT):
        return because("too-far", "B-6" if len(path) == STEPS_A_NIGHT else "B-5", "illegal", known=True, unit=name)
    return None


def _set_out(work: Work, seat: SeatId, order: Order) -> None:
    work.bound[order.args["unit"]] = (seat, order)


def _way(work: Work, unit: Unit, path: tuple[str, ...]) -> tuple[str, ...]:
    """The estates that a unit enters: only the first if a unit of another faction is there when all units set out (NB-B-7)."""
    mine = work.faction_of(unit)
    others = (other for other in work.units.values() if other.at == path[0])
    return path[:1] if any(work.faction_of(other) != mine for other in others) else path


def is_path(work: Work, start: str, path: tuple[str, ...]) -> bool:
    """True if each estate of a path is next to the one before, and the first next to `start`."""
    here = start
    for estate in path:
        if estate not in work.scenario.neighbours(here):
            return False
        here = estate
    return True


def _admit_units(work: Work, goals: dict[str, str]) -> list[str]:
    """The moving units that fit at their goals. Units that stay have their places first, then arrivals in the order of work (NB-B-10)."""
    order = list(goals)  # as the orders were read: in the order of work, a player's own as written (NB-A-7)
    refused: set[str] = set()
    while True:
        # A refused unit stays where it is, so that there may be no room for another one.
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


def _march_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    """Return why a unit of the player's faction cannot march one estate further (NB-X-6, NB-X-17)."""
    name, goal = order.args["unit"], order.args["estate"]
    unit, faction = work.units.get(name), work.players[seat].faction
    # Check the player's means first. If a lack were reported only for units that can march, it would reveal whose they are (NB-K-18).
    if not work.free_courtiers(seat):
        return because("no-envoy", "K-12")
    if poor := work.too_poor(seat, action_price(work, seat, "march")):
        return poor
    if unit is None or work.faction_of(unit) != faction:
        return work.not_your_unit(seat, order, "X-17")
    fault = _halted(work, unit, name, goal)
    if fault is not None and unit.owner != seat and work.leader(faction) != seat:
        # The reason that another player's unit did not march would reveal whose it is, and where (NB-C-9).
        return work.not_your_unit(seat, order, "X-17")
    return fault


def _halted(work: Work, unit: Unit, name: str, goal: str) -> Fault | None:
    if not tables().formations[unit.formation].moves:
        return because("garrison", "X-17", "illegal", known=True, unit=name)
    if goal not in work.scenario.neighbours(unit.at):
        return because("not-beside", "X-17", unit=name, at=unit.at)
    if name in work.marched:
        return because("marched-already", "X-6", unit=name)
    if battle_starts(work, unit.at):
        return because("battle-starts", "X-6", unit=name, at=unit.at)
    return None if work.fits(goal, work.faction_of(unit), unit.formation) else because("no-room", "B-9", at=goal)


def _march(work: Work, seat: SeatId, order: Order) -> None:
    name, goal = order.args["unit"], order.args["estate"]
    unit, envoy = work.units[name], work.free_courtiers(seat)[0]
    if work.pay(seat, order, action_price(work, seat, "march")):
        work.busy[seat].add(envoy.id)
        work.units[name] = replace(unit, at=goal)
        work.marched.add(name)
        work.judge(seat, order, "succeeds", "marched", "X-6", unit=name, at=goal)
        # A member who is not the leader does not hear whose unit it is, nor where it came from (NB-C-9).
        work.tell(Moved(heard=work.hearers(unit.owner), unit=name, owner=unit.owner, path=(unit.at, goal)))


MOVES: Mapping[str, Deed[Work, Order]] = {
    "move": Deed(_move_fault, _set_out),
    "challenge": Deed(_move_fault, _set_out),
    "march": Deed(_march_fault, _march),
}
"""Kind of order -> its conditions and its effect."""
