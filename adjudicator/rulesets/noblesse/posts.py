"""Step 8 of a Night: Courtiers and the family take their posts (NB-K, NB-P)."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.events import (
    Control,
    Message,
)
from adjudicator.rulesets.noblesse.movement import STEPS_A_NIGHT, is_path
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import BASIC
from adjudicator.rulesets.noblesse.scenario import tables
from adjudicator.rulesets.noblesse.work import Work

BOUND = frozenset({"courtier", "noble"})
"""Commanders who leave their unit when it is destroyed or disbanded, and not before (NB-K-6)."""


def post_courtiers(work: Work) -> None:
    """Step 8: Courtiers and family members who are not in command move or take posts (NB-K)."""
    work.mastered = {seat for seat in work.living() if work.has_working(seat, "spymaster")}
    for seat, overseer in work.posted("overseer"):
        if work.holding(overseer.at or "").buildings.get(overseer.what or "") == 0:
            work.send_home(seat, overseer.id)
    for seat, order in work.orders_of(*POSTS):
        POSTS[order.kind](work, seat, order)


def _tax(work: Work, seat: SeatId, order: Order) -> None:
    resource, at = order.args["resource"], order.args["estate"]
    by = work.holding(at).by
    steward = next((courtier for whose, courtier in work.posted("steward", at) if whose == seat), None)
    faction = work.players[seat].faction
    turned = by == faction and steward is not None
    if by != seat and not turned:
        work.refuse(seat, order, "not-your-estate", "F-2", at=at)
    elif turned and len(
        [estate for estate in work.controlled(seat) if estate != work.players[seat].home]
    ) >= work.estate_limit(seat):
        work.judge(seat, order, "fails", "no-more-estates", "E-5", at=at)
    elif not getattr(work.base_income(at), resource):
        work.judge(seat, order, "fails", "nothing-to-tax", "F-2", at=at)
    elif work.posted("tax", at, resource):
        work.judge(seat, order, "fails", "post-taken", "F-2", at=at)
    else:
        if steward is not None:
            number = steward.id  # the Steward becomes the Tax Collector (NB-E-8, K-5)
        elif free := work.free_courtiers(seat):
            number = free[0].id
        else:
            work.judge(seat, order, "fails", "no-courtier", "K-1")
            return
        if turned:
            work.hold(at, by=seat)
            work.events.append(Control(heard=work.hearers(seat), at=at, by=seat, before=faction))
        work.post(seat, number, post="tax", at=at, what=resource)
        work.busy[seat].add(number)
        work.judge(seat, order, "succeeds", "posted", "E-8" if turned else "F-2", at=at)


def _lobby(work: Work, seat: SeatId, order: Order) -> None:
    resource, at = order.args["resource"], order.args["estate"]
    if work.holding(at).by == seat and not getattr(work.base_income(at), resource):
        work.judge(seat, order, "fails", "nothing-to-tax", "F-4", at=at)
    elif not [1 for whose, _ in work.posted("tax", at, resource) if whose == seat]:
        work.judge(seat, order, "fails", "no-collector", "F-4", at=at)
    elif work.posted("lobby", at, resource):
        work.judge(seat, order, "fails", "post-taken", "F-5", at=at)
    else:
        _take_post(work, seat, order, "lobby", at, resource, "F-4")


def _take_post(work: Work, seat: SeatId, order: Order, post: str, at: str, what: str | None, rule: str) -> bool:
    free = work.free_courtiers(seat)
    if not free:
        work.judge(seat, order, "fails", "no-courtier", "K-1")
        return False
    work.post(seat, free[0].id, post=post, at=at, what=what)
    work.busy[seat].add(free[0].id)
    work.judge(seat, order, "succeeds", "posted", rule, at=at)
    return True


def _place_steward(work: Work, seat: SeatId, order: Order) -> None:
    """Posts a Steward, who takes an estate for the faction or serves on one of its own (NB-E-6, E-9, E-18, F-3, K-18).

    A player learns nothing of an estate that they neither control nor have a unit at.
    """
    at = order.args["estate"]
    by, faction = work.holding(at).by, work.players[seat].faction
    here = [work.units[name] for name in work.units_at(at)]
    own = by == seat or (by == faction and work.leader(faction) == seat)
    if not own and not any(unit.owner == seat for unit in here):
        work.judge(seat, order, "fails", "no-unit-there", "E-6", at=at)
    elif by not in {None, seat, faction}:
        work.judge(seat, order, "fails", "controlled", "E-6", at=at)
    elif work.posted("steward", at):
        work.judge(seat, order, "fails", "post-taken", "F-3", at=at)
    elif work.posted("tax", at):
        work.judge(seat, order, "fails", "collectors-there", "F-3", at=at)
    elif any(noble.at == at for side in work.factions.values() for noble in side.nobles.values()):
        work.judge(seat, order, "fails", "post-taken", "X-2", at=at)
    elif by is not None:
        _take_post(work, seat, order, "steward", at, None, "F-3")
    elif any(work.faction_of(unit) != faction for unit in here):
        work.judge(seat, order, "fails", "others-there", "E-6", at=at)
    elif _take_post(work, seat, order, "steward", at, None, "E-7"):
        work.hold(at, by=faction)
        work.events.append(Control(heard=work.hearers(seat), at=at, by=faction))


def _hand(work: Work, seat: SeatId, order: Order) -> None:
    """Hands the faction's estate from its Steward to the Heir, for the player (NB-K-5, K-17)."""
    at, player = order.args["estate"], work.players[seat]
    steward = next((courtier for whose, courtier in work.posted("steward", at) if whose == seat), None)
    if steward is None:
        work.judge(seat, order, "fails", "no-steward", "K-17", at=at)
    elif work.holding(at).by != player.faction:
        work.refuse(seat, order, "not-the-factions", "K-17", at=at)
    elif player.heir is None or player.heir.hostage is not None:
        work.judge(seat, order, "fails", "no-heir", "K-17")
    elif len([estate for estate in work.controlled(seat) if estate != player.home]) >= work.estate_limit(seat):
        work.judge(seat, order, "fails", "no-more-estates", "E-5", at=at)
    else:
        work.hold(at, by=seat)
        work.send_home(seat, steward.id)
        work.busy[seat].add(steward.id)
        work.judge(seat, order, "succeeds", "handed", "K-17", at=at)
        work.events.append(Control(heard=work.hearers(seat), at=at, by=seat, before=player.faction))


def _staff(work: Work, seat: SeatId, order: Order) -> None:
    building, at = order.args["building"], order.args["estate"]
    due = work.holding(at).buildings.get(building)
    if work.holding(at).by != seat:
        work.refuse(seat, order, "not-your-estate", "G-6", at=at)
    elif due is None or due > 0:
        work.judge(seat, order, "fails", "not-built", "G-7", building=building, at=at)
    elif len(work.posted("staff", at, building)) >= tables().buildings[building].staff:
        work.judge(seat, order, "fails", "post-taken", "G-6", at=at)
    else:
        _take_post(work, seat, order, "staff", at, building, "G-9")


def _send_spy(work: Work, seat: SeatId, order: Order) -> None:
    """Sends a Spy up to two estates, from where they are or from home (NB-K-8, K-9, G-3, C-20)."""
    start, path = order.args["estate"], order.path
    mine = [
        courtier
        for courtier in work.players[seat].courtiers
        if courtier.post == "spy" and courtier.at == start and courtier.id not in work.busy[seat]
    ]
    fresh = not mine and start == work.players[seat].home
    far = len(path) > STEPS_A_NIGHT + work.reach[seat] and seat not in work.mastered
    if not mine and not fresh:
        work.judge(seat, order, "fails", "no-spy", "K-8", at=start)
    elif not is_path(work, start, path):
        work.judge(seat, order, "illegal", "not-beside", "K-9", at=start)
    elif far:
        work.judge(seat, order, "illegal", "too-far", "K-8")
    elif fresh and not work.free_courtiers(seat):
        work.judge(seat, order, "fails", "no-courtier", "K-1")
    else:
        number = mine[0].id if mine else work.free_courtiers(seat)[0].id
        work.post(seat, number, post="spy", at=path[-1], what=None)
        work.busy[seat].add(number)
        work.ways[seat, number] = path
        work.judge(seat, order, "succeeds", "spying", "K-8", at=path[-1])


def _lead(work: Work, seat: SeatId, order: Order) -> None:
    """Puts the Player Character or Heir in an officer's place at home (NB-P-8); other commanders are bound (NB-K-6)."""
    name, who = order.args["unit"], order.args["family"]
    unit, player = work.units.get(name), work.players[seat]
    heir = player.heir
    away = player.unit is not None if who == "pc" else heir is None or heir.unit is not None or heir.hostage is not None
    if unit is None or unit.owner != seat:
        work.refuse(seat, order, "not-your-unit", "P-8", unit=name)
    elif away or unit.at != player.home:
        work.judge(seat, order, "fails", "family-away", "P-8", who=who)
    elif unit.leader in {"pc", "heir"}:
        work.judge(seat, order, "fails", "led-already", "P-8", unit=name)
    elif unit.leader in BOUND:
        work.judge(seat, order, "fails", "commander-bound", "K-6", unit=name, commander=unit.leader)
    else:
        work.bereave(name, unit, dies=False)
        work.units[name] = replace(unit, leader="pc" if who == "pc" else "heir", name="")
        if who == "pc":
            work.change(seat, unit=name)
        elif heir is not None:
            work.change(seat, heir=replace(heir, unit=name))
        work.judge(seat, order, "succeeds", "leads", "P-8", unit=name, who=who)


def _leave(work: Work, seat: SeatId, order: Order) -> None:
    name = order.args["unit"]
    unit = work.units.get(name)
    if unit is None or unit.owner != seat or unit.leader not in {"pc", "heir"}:
        work.refuse(seat, order, "not-your-unit", "P-8", unit=name)
    elif unit.at != work.players[seat].home:
        work.judge(seat, order, "fails", "family-away", "P-8", who=unit.leader)
    else:
        work.bereave(name, unit, dies=False)
        work.units[name] = replace(unit, leader="company", name=BASIC)
        work.judge(seat, order, "succeeds", "left", "P-8", unit=name)


def _send_message(work: Work, seat: SeatId, order: Order) -> None:
    """Sends a Messenger, who reaches the own faction alone; the sender learns no more (NB-K-10, K-11, FS-21).

    Spouses talk without one (NB-X-3).
    """
    to = order.args["seat"]
    if to == work.players[seat].married and work.players[to].alive:
        work.judge(seat, order, "succeeds", "heard", "X-3", seat=to)
        work.events.append(Message(heard=(to,), by=seat, to=to, text=order.args["text"][:500]))
        return
    free = work.free_courtiers(seat)
    if not free:
        work.judge(seat, order, "fails", "no-courtier", "K-1")
        return
    work.busy[seat].add(free[0].id)
    # The same answer whoever it is for: else ten messages in a Night would tell a player who is of their faction.
    work.judge(seat, order, "succeeds", "sent", "K-11", seat=to)
    if to != seat and work.players[to].faction == work.players[seat].faction and work.players[to].alive:
        work.events.append(Message(heard=(to,), by=seat, to=to, text=order.args["text"][:500]))


def _recall(work: Work, seat: SeatId, order: Order) -> None:
    at, what = order.args["estate"], order.args.get("building")
    post, rule = ("staff", "G-9") if order.kind == "recall staff" else ("spy", "K-8")
    # Who was posted or moved tonight has had their assignment of this cycle, and who is recalled has it with that (NB-K-1, K-8).
    mine = [
        courtier
        for courtier in work.players[seat].courtiers
        if (courtier.post, courtier.at) == (post, at)
        and what in {None, courtier.what}
        and courtier.id not in work.busy[seat]
    ]
    if not mine:
        work.judge(seat, order, "fails", "nobody-there", rule, at=at)
        return
    work.send_home(seat, mine[0].id)
    work.busy[seat].add(mine[0].id)
    work.judge(seat, order, "succeeds", "recalled", rule, at=at)


POSTS = {
    "tax": _tax, "lobby": _lobby, "steward": _place_steward, "hand": _hand, "staff": _staff, "spy": _send_spy, "lead": _lead, "leave": _leave,
    "recall staff": _recall, "recall spy": _recall, "message": _send_message,
}  # fmt: skip
