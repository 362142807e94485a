"""Step 8 of a Night: Courtiers and family members take their posts (NB-K, NB-P)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract.acts import Deed, Fault, because
from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.noblesse.events import (
    Control,
    Message,
)
from adjudicator.rulesets.noblesse.movement import STEPS_A_NIGHT, is_path
from adjudicator.rulesets.noblesse.orders import Order
from adjudicator.rulesets.noblesse.position import BASIC, Courtier
from adjudicator.rulesets.noblesse.scenario import tables
from adjudicator.rulesets.noblesse.work import Work

BOUND = frozenset({"courtier", "noble"})
"""Commanders who leave their unit only when it is destroyed or disbanded (NB-K-6)."""


def post_courtiers(work: Work) -> None:
    """Step 8: move Courtiers and family members, and give them their posts (NB-K)."""
    work.mastered = {seat for seat in work.living() if work.has_working(seat, "spymaster")}
    for seat, overseer in work.posted("overseer"):
        if work.holding(overseer.at or "").buildings.get(overseer.what or "") == 0:
            work.send_home(seat, overseer.id)
    for seat, order in work.orders_of(*POSTS):
        work.carry_out(seat, order, POSTS[order.kind])


def _steward(work: Work, seat: SeatId, at: str) -> Courtier | None:
    """The player’s Steward on an estate; None if there is none."""
    return next((courtier for whose, courtier in work.posted("steward", at) if whose == seat), None)


def _full(work: Work, seat: SeatId) -> bool:
    """True if a player may not control any more estates (NB-E-4)."""
    home = work.players[seat].home
    return len([estate for estate in work.controlled(seat) if estate != home]) >= work.estate_limit(seat)


def _no_courtier(work: Work, seat: SeatId) -> Fault | None:
    return None if work.free_courtiers(seat) else because("no-courtier", "K-1")


def _tax_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    resource, at = order.args["resource"], order.args["estate"]
    by, steward = work.holding(at).by, _steward(work, seat, at)
    turned = by == work.players[seat].faction and steward is not None
    if not getattr(work.base_income(at), resource) and by == seat:
        return because("nothing-to-tax", "F-2", known=True, at=at)
    if by != seat and not turned:
        return work.not_your_estate(seat, order, "F-2")
    if turned and _full(work, seat):
        return because("no-more-estates", "E-5", at=at)
    if not getattr(work.base_income(at), resource):
        return because("nothing-to-tax", "F-2", at=at)
    if work.posted("tax", at, resource):
        return because("post-taken", "F-2", at=at)
    return None if steward is not None else _no_courtier(work, seat)


def _tax(work: Work, seat: SeatId, order: Order) -> None:
    """Post a Tax Collector. On an estate of the faction, the Steward becomes one, and the player then controls the estate (NB-E-8, K-5)."""
    at, steward = order.args["estate"], _steward(work, seat, order.args["estate"])
    turned = work.holding(at).by != seat
    number = steward.id if steward is not None else work.free_courtiers(seat)[0].id
    if turned:
        work.hold(at, by=seat)
        work.tell(Control(heard=work.hearers(seat), at=at, by=seat, before=work.players[seat].faction))
    _take_post(work, seat, order, number, "tax", order.args["resource"], "E-8" if turned else "F-2")


def _take_post(work: Work, seat: SeatId, order: Order, number: int, post: str, what: str | None, rule: str) -> None:
    at = order.args["estate"]
    work.post(seat, number, post=post, at=at, what=what)
    work.busy[seat].add(number)
    work.judge(seat, order, "succeeds", "posted", rule, at=at)


def _lobby_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    resource, at = order.args["resource"], order.args["estate"]
    if work.holding(at).by == seat and not getattr(work.base_income(at), resource):
        return because("nothing-to-tax", "F-4", known=True, at=at)
    if not any(whose == seat for whose, _ in work.posted("tax", at, resource)):
        return because("no-collector", "F-4", at=at)
    return because("post-taken", "F-5", at=at) if work.posted("lobby", at, resource) else _no_courtier(work, seat)


def _lobby(work: Work, seat: SeatId, order: Order) -> None:
    _take_post(work, seat, order, work.free_courtiers(seat)[0].id, "lobby", order.args["resource"], "F-4")


def _steward_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    """The fault in an order to post a Steward. It reveals nothing about an estate that the player neither controls nor has a unit on (NB-E-6)."""
    at = order.args["estate"]
    by, faction = work.holding(at).by, work.players[seat].faction
    here = [work.units[name] for name in work.units_at(at)]
    own = by == seat or (by == faction and work.leader(faction) == seat)
    if not own and not any(unit.owner == seat for unit in here):
        return because("no-unit-there", "E-6", at=at)
    if by not in {None, seat, faction}:
        return because("controlled", "E-6", at=at)
    if work.posted("steward", at):
        return because("post-taken", "F-3", at=at)
    if work.posted("tax", at):
        return because("collectors-there", "F-3", at=at)
    if any(noble.at == at for side in work.factions.values() for noble in side.nobles.values()):
        return because("post-taken", "X-2", at=at)
    if by is None and any(work.faction_of(unit) != faction for unit in here):
        return because("others-there", "E-6", at=at)
    return _no_courtier(work, seat)


def _place_steward(work: Work, seat: SeatId, order: Order) -> None:
    """Post a Steward, who takes an estate for the faction or serves on one it already has (NB-E-6, E-9, E-18, F-3, K-18)."""
    at, faction = order.args["estate"], work.players[seat].faction
    free = work.holding(at).by is None
    _take_post(work, seat, order, work.free_courtiers(seat)[0].id, "steward", None, "E-7" if free else "F-3")
    if free:
        work.hold(at, by=faction)
        work.tell(Control(heard=work.hearers(seat), at=at, by=faction))


def _hand_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    at, player = order.args["estate"], work.players[seat]
    if _steward(work, seat, at) is None:
        return because("no-steward", "K-17", at=at)
    if work.holding(at).by != player.faction:
        return work.not_your_estate(seat, order, "K-17", "not-the-factions")
    if player.heir is None or player.heir.hostage is not None:
        return because("no-heir", "K-17")
    return because("no-more-estates", "E-5", at=at) if _full(work, seat) else None


def _hand(work: Work, seat: SeatId, order: Order) -> None:
    """Hand an estate of the faction over from its Steward to the Heir, who holds it for the player (NB-K-5, K-17)."""
    at, steward = order.args["estate"], _steward(work, seat, order.args["estate"])
    assert steward is not None
    work.hold(at, by=seat)
    work.send_home(seat, steward.id)
    work.busy[seat].add(steward.id)
    work.judge(seat, order, "succeeds", "handed", "K-17", at=at)
    work.tell(Control(heard=work.hearers(seat), at=at, by=seat, before=work.players[seat].faction))


def _staff_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    building, at = order.args["building"], order.args["estate"]
    due = work.holding(at).buildings.get(building)
    if work.holding(at).by != seat:
        return work.not_your_estate(seat, order, "G-6")
    if due is None or due > 0:
        return because("not-built", "G-7", building=building, at=at)
    if len(work.posted("staff", at, building)) >= tables().buildings[building].staff:
        return because("post-taken", "G-6", at=at)
    return _no_courtier(work, seat)


def _staff(work: Work, seat: SeatId, order: Order) -> None:
    _take_post(work, seat, order, work.free_courtiers(seat)[0].id, "staff", order.args["building"], "G-9")


def _at_post(work: Work, seat: SeatId, order: Order, post: str) -> list[Courtier]:
    """The player’s Courtiers at a post, except those who already had their assignment for this cycle (NB-K-1, K-8)."""
    at, what = order.args["estate"], order.args.get("building", order.args.get("resource"))
    return [
        courtier
        for courtier in work.players[seat].courtiers
        if (courtier.post, courtier.at) == (post, at)
        and what in {None, courtier.what}
        and courtier.id not in work.busy[seat]
    ]


def _spy_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    start, path = order.args["estate"], order.path
    mine = _at_post(work, seat, order, "spy")
    if not mine and start != work.players[seat].home:
        return because("no-spy", "K-8", known=True, at=start)
    if not is_path(work, start, path):
        return because("not-beside", "K-9", "illegal", known=True, at=start)
    if len(path) > STEPS_A_NIGHT + work.reach[seat] and seat not in work.mastered:
        return because("too-far", "K-8", "illegal")
    return None if mine else _no_courtier(work, seat)


def _send_spy(work: Work, seat: SeatId, order: Order) -> None:
    """Send a Spy along a path of estates, from where they are or from home (NB-K-8, K-9, G-3, C-20)."""
    number = (_at_post(work, seat, order, "spy") or work.free_courtiers(seat))[0].id
    work.post(seat, number, post="spy", at=order.path[-1], what=None)
    work.busy[seat].add(number)
    work.ways[seat, number] = order.path
    work.judge(seat, order, "succeeds", "spying", "K-8", at=order.path[-1])


def _lead_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name, who = order.args["unit"], order.args["family"]
    unit, player = work.units.get(name), work.players[seat]
    heir = player.heir
    away = player.unit is not None if who == "pc" else heir is None or heir.unit is not None or heir.hostage is not None
    if unit is None or unit.owner != seat:
        return work.not_your_unit(seat, order, "P-8")
    if away or unit.at != player.home:
        return because("family-away", "P-8", who=who)
    if unit.leader in {"pc", "heir"}:
        return because("led-already", "P-8", unit=name)
    if unit.leader in BOUND:
        return because("commander-bound", "K-6", likely=True, unit=name, commander=unit.leader)
    return None


def _lead(work: Work, seat: SeatId, order: Order) -> None:
    """Let the Player Character or Heir replace an officer at home (NB-P-8). Other commanders are bound (NB-K-6)."""
    name, who = order.args["unit"], order.args["family"]
    unit, heir = work.units[name], work.players[seat].heir
    work.bereave(name, unit, dies=False)
    work.units[name] = replace(unit, leader="pc" if who == "pc" else "heir", name="")
    if who == "pc":
        work.change(seat, unit=name)
    elif heir is not None:
        work.change(seat, heir=replace(heir, unit=name))
    work.judge(seat, order, "succeeds", "leads", "P-8", unit=name, who=who)


def _leave_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    name = order.args["unit"]
    unit = work.units.get(name)
    if unit is None or unit.owner != seat or unit.leader not in {"pc", "heir"}:
        return work.not_your_unit(seat, order, "P-8")
    return because("family-away", "P-8", who=unit.leader) if unit.at != work.players[seat].home else None


def _leave(work: Work, seat: SeatId, order: Order) -> None:
    name = order.args["unit"]
    work.bereave(name, work.units[name], dies=False)
    work.units[name] = replace(work.units[name], leader="company", name=BASIC)
    work.judge(seat, order, "succeeds", "left", "P-8", unit=name)


def _recall_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    post = order.kind.removeprefix("recall ")
    if _at_post(work, seat, order, post):
        return None
    return because("nobody-there", RECALLS[post], known=True, at=order.args["estate"])


def _recall(work: Work, seat: SeatId, order: Order) -> None:
    """Call a Courtier back, which counts as their assignment for this cycle (NB-K-1, K-8)."""
    post = order.kind.removeprefix("recall ")
    number = _at_post(work, seat, order, post)[0].id
    work.send_home(seat, number)
    work.busy[seat].add(number)
    work.judge(seat, order, "succeeds", "recalled", RECALLS[post], at=order.args["estate"])


def _recall_collector(work: Work, seat: SeatId, order: Order) -> None:
    """Call a collector or lobbyist home as the Night begins. They may take another post in the same Night (NB-K-3, K-4)."""
    post = order.kind.removeprefix("recall ")
    work.send_home(seat, _at_post(work, seat, order, post)[0].id)
    work.judge(seat, order, "succeeds", "recalled", RECALLS[post], at=order.args["estate"])


def _is_spouse(work: Work, seat: SeatId, order: Order) -> bool:
    to = order.args["seat"]
    return to == work.players[seat].married and work.players[to].alive


def _message_fault(work: Work, seat: SeatId, order: Order) -> Fault | None:
    return None if _is_spouse(work, seat, order) else _no_courtier(work, seat)


def _send_message(work: Work, seat: SeatId, order: Order) -> None:
    """Send a Messenger, who reaches only the player's faction. The sender does not learn whether the message arrived (NB-K-10, K-11, FS-21).

    Spouses talk without one (NB-X-3).
    """
    to = order.args["seat"]
    if _is_spouse(work, seat, order):
        work.judge(seat, order, "succeeds", "heard", "X-3", seat=to)
        work.tell(Message(heard=(to,), by=seat, to=to, text=order.args["text"][:500]))
        return
    work.busy[seat].add(work.free_courtiers(seat)[0].id)
    # The verdict is the same for every addressee. Otherwise ten messages in a Night would reveal who belongs to the player's faction.
    work.judge(seat, order, "succeeds", "sent", "K-11", seat=to)
    if to != seat and work.players[to].faction == work.players[seat].faction and work.players[to].alive:
        work.tell(Message(heard=(to,), by=seat, to=to, text=order.args["text"][:500]))


RECALLS = {"tax": "K-3", "lobby": "K-4", "staff": "G-9", "spy": "K-8"}
"""Post -> the rule for calling a Courtier back from it."""
POSTS: Mapping[str, Deed[Work, Order]] = {
    "tax": Deed(_tax_fault, _tax),
    "lobby": Deed(_lobby_fault, _lobby),
    "steward": Deed(_steward_fault, _place_steward),
    "hand": Deed(_hand_fault, _hand),
    "staff": Deed(_staff_fault, _staff),
    "spy": Deed(_spy_fault, _send_spy),
    "lead": Deed(_lead_fault, _lead),
    "leave": Deed(_leave_fault, _leave),
    "recall staff": Deed(_recall_fault, _recall),
    "recall spy": Deed(_recall_fault, _recall),
    "message": Deed(_message_fault, _send_message),
}
"""Kind of order -> its conditions and its effect."""
COLLECTORS: Mapping[str, Deed[Work, Order]] = {
    "recall tax": Deed(_recall_fault, _recall_collector),
    "recall lobby": Deed(_recall_fault, _recall_collector),
}
"""Like `POSTS`, for the orders that step 1 of a Night carries out."""
