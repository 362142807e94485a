"""Jousts: a fee, a draw, and courses decided by a die and a Level (GC-W-4 to GC-W-7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.orders import Order
from adjudicator.rulesets.grand_campaign.position import ArmyKey
from adjudicator.rulesets.grand_campaign.rosters import Character, character
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS
from adjudicator.rulesets.grand_campaign.world import World

POINTS, COURSES = 2, 5
"""Points that win a bout, and the number of courses until the totals decide (GC-W-6)."""


@dataclass(slots=True)
class Rider:
    """A player's rider in a joust."""

    seat: SeatId
    army: ArmyKey
    one: Character
    order: Order


@dataclass(slots=True)
class Joust:
    """A joust: its fee and its riders."""

    by: SeatId
    fee: int
    """0 if everybody stakes the Artefact that they bear."""
    riders: dict[SeatId, Rider] = field(default_factory=dict)


def joust(world: World) -> None:
    """Hold all jousts of a season, in the Player Order of their hosts."""
    jousts: dict[SeatId, Joust] = {}
    for seat, order in world.orders_of("diplomacy", "joust", "joust_for_artefacts"):
        found = Joust(seat, int(order.args.get("amount", 0)))
        if _enter(world, found, seat, order):
            jousts[seat] = found
    for seat, order in world.orders_of("diplomacy", "enter_joust"):
        held = jousts.get(order.args["seat"])
        if held is None or seat in held.riders:
            world.judge(seat, order.line, "illegal", "no-joust", seat=order.args["seat"])
        else:
            _enter(world, held, seat, order)
    for held in jousts.values():
        _ride(world, held)


def _enter(world: World, held: Joust, seat: SeatId, order: Order) -> bool:
    """Enter a player's character, if they are on the map; False, with a verdict, if not (GC-W-5)."""
    army = world.armies.get(f"{seat} {order.args['army']}")
    name = order.args["character"].casefold()
    people = map(character, army.characters) if army is not None and army.at is not None else iter(())
    one = next((one for one in people if one.name.casefold() == name), None)
    if army is None or one is None:
        world.judge(seat, order.line, "illegal", "no-rider", army=order.args["army"], who=order.args["character"])
        return False
    held.riders[seat] = Rider(seat, army.key, one, order)
    return True


def _stake(world: World, held: Joust, rider: Rider) -> str:
    """The reason why a rider cannot pay the stake; empty if they can (GC-W-7)."""
    if held.fee:
        return (
            f"The fee is {held.fee} gold, and the purse held {world.gold[rider.seat]}."
            if (world.gold[rider.seat] < held.fee)
            else ""
        )
    bears = world.bears(rider.army, rider.one.name)
    if bears is None or ARTEFACTS[bears].class_ == "cursed":
        return f"{rider.one.name} bears no Artefact that could be staked."
    return ""


def _ride(world: World, held: Joust) -> None:
    """Run a joust: riders who cannot pay drop out, and two are needed (GC-W-5)."""
    for rider in [*held.riders.values()]:
        what = _stake(world, held, rider)
        if what:
            world.fails(rider.seat, rider.order.line, "no-stake", what=what)
            del held.riders[rider.seat]
    riders = [held.riders[seat] for seat in sorted(held.riders)]
    if len(riders) < 2:
        for rider in riders:
            world.fails(rider.seat, rider.order.line, "nobody-came")
        return
    for rider in riders:
        world.gold[rider.seat] -= held.fee
        world.succeeds(rider.seat, rider.order.line, "rides", who=rider.one.name)
    drawn = world.dice.shuffle(f"joust:{held.by}", riders)
    bouts: list[tuple[SeatId, SeatId, SeatId]] = []
    left = [*drawn]
    number = 0
    while len(left) > 1:
        winners = []
        for one, other in zip(left[::2], left[1::2], strict=False):
            number += 1
            winner = _bout(world, f"joust:{held.by}:{number}", one, other)
            bouts.append((one.seat, other.seat, winner.seat))
            winners.append(winner)
        left = [*winners, *left[len(left) - len(left) % 2 :]]  # the odd one out has a bye
    champion = left[0]
    world.earn(champion.seat, held.fee * len(riders))
    artefacts = _artefacts(world, champion, riders) if not held.fee else ()
    world.tell(
        facts.Jousted(
            by=held.by,
            riders=tuple((rider.seat, rider.one.name) for rider in drawn),
            bouts=tuple(bouts),
            winner=champion.seat,
            gold=held.fee * len(riders),
            artefacts=artefacts,
        )
    )


def _artefacts(world: World, champion: Rider, riders: Sequence[Rider]) -> tuple[str, ...]:
    """Give the staked Artefacts to the champion's characters who bear none; those without a bearer can be found again (GC-U-4)."""
    won = []
    for rider in riders:
        if rider is champion:
            continue
        artefact = world.bears(rider.army, rider.one.name)
        assert artefact is not None
        world.give(rider.army, rider.one.name, None)
        won.append(artefact)
        taker = next(
            (
                (army.key, one.name)
                for army in world.armies_of(champion.seat)
                for one in map(character, army.characters)
                if one.bears is None
            ),
            None,
        )
        if taker is not None:
            world.give(*taker, artefact)
            world.tell(facts.Took(artefact=artefact, giver=rider.army, army=taker[0], bearer=taker[1], how="joust"))
    return tuple(won)


def _bout(world: World, name: str, one: Rider, other: Rider) -> Rider:
    """Ride courses until one has two points; after five the higher total wins, then a die (GC-W-6)."""
    points: Mapping[SeatId, list[int]] = {one.seat: [0, 0], other.seat: [0, 0]}
    for course in range(1, COURSES + 1):
        rolled = {
            rider.seat: world.dice.roll(f"{name}:{rider.seat}:{course}", 6) + rider.one.level for rider in (one, other)
        }
        for rider, rival in ((one, other), (other, one)):
            points[rider.seat][0] += rolled[rider.seat] > rolled[rival.seat]
            points[rider.seat][1] += rolled[rider.seat]
        best = max((one, other), key=lambda rider: points[rider.seat][0])
        if points[best.seat][0] >= POINTS:
            return best
    if points[one.seat][1] != points[other.seat][1]:
        return max((one, other), key=lambda rider: points[rider.seat][1])
    return one if world.dice.roll(f"{name}:last", 2) == 1 else other
