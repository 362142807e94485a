"""The Spending Phase: armies, parties, more members, and a Golden Age (GC-N)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.orders import Order
from adjudicator.rulesets.grand_campaign.position import Party
from adjudicator.rulesets.grand_campaign.rosters import roster_faults
from adjudicator.rulesets.grand_campaign.tables import BUILDINGS, CONSTRUCTIONS, FACTIONS, PARTIES
from adjudicator.rulesets.grand_campaign.world import World

MEMBER = 100
"""Price of a member of a party (GC-G-7)."""
MOST_HIRED, MOST_MEMBERS, MOST_PARTIES = 5, 8, 3
"""Most members of a new party, of any party, and most parties of a player (GC-G-3, GC-G-7, GC-G-8)."""


def spend(world: World) -> None:
    """Buy armies, then parties, then members, then the Golden Age's upgrade, each in Player Order (GC-N-1, GC-N-6)."""
    for seat, order in world.orders_of("spending", "army"):
        _recruit(world, seat, order)
    for seat, order in world.orders_of("spending", "party"):
        _engage(world, seat, order)
    for seat, order in world.orders_of("spending", "hire"):
        _hire(world, seat, order)
    for seat, order in world.orders_of("spending", "golden"):
        _golden(world, seat, order)


def _beside(world: World, seat: SeatId, spot: Hex, kinds: Iterable[str]) -> bool:
    """Whether a hex is beside, and not on, one of the player's constructions of these kinds (GC-N-4)."""
    return any(
        world.holder.get(near) == seat and (work := world.works.get(near)) is not None
        and any(CONSTRUCTIONS[work] is CONSTRUCTIONS[kind] or (kind == "city" and CONSTRUCTIONS[work].city) for kind in kinds)
        for near in world.grid.neighbours(spot).values()
    )  # fmt: skip


def _recruit(world: World, seat: SeatId, order: Order) -> None:
    """Raise a new army from a list (GC-N-2, GC-F-4, GC-F-7)."""
    spot, name, id_ = order.args["hex"], order.args["roster"], order.args["army"]
    roster = world.roster(seat, name)
    if roster is None:
        world.fails(seat, order.line, "no-roster", roster=name)
        return
    wrong = next(roster_faults(roster, tuple(FACTIONS)), None)
    if wrong is not None:
        world.fails(seat, order.line, "bad-roster", roster=name, what=wrong[1])
        return
    army = world.raised(seat, id_, spot, roster)
    most = world.most_armies(seat)
    standing = world.standing(spot)
    if army.general or army.key in world.armies:
        world.fails(seat, order.line, "id-taken")
    elif len([one for one in world.armies_of(seat) if not one.general]) >= most:
        world.fails(seat, order.line, "too-many-armies", number=most)
    elif not _beside(world, seat, spot, ("city", "fortress")):
        world.fails(seat, order.line, "not-adjacent", hex=spot, what="City or Fortress")
    elif not world.open_to(seat, spot):
        world.fails(seat, order.line, "foreign-land", hex=spot)
    elif world.entry(army, spot) is None:
        world.fails(seat, order.line, "impassable", hex=spot, terrain=world.ground(spot).name)
    elif standing is not None:
        world.fails(seat, order.line, "occupied", army=standing.key, hex=spot)
    elif _pay(world, seat, order, BUILDINGS.army):
        world.armies[army.key] = army
        world.tell(facts.Recruited(who=army.key, at=spot, name=army.name, price=BUILDINGS.army))
        world.did(seat, order)


def _pay(world: World, seat: SeatId, order: Order, price: int) -> bool:
    """Take a price from the purse; if it holds too little gold, let the order fail and return False (GC-B-6)."""
    if world.gold[seat] < price:
        world.fails(seat, order.line, "too-poor", price=price, gold=world.gold[seat])
        return False
    world.gold[seat] -= price
    return True


def _engage(world: World, seat: SeatId, order: Order) -> None:
    """Engage a new party, whose members are paid from its Party Gold (GC-N-3, GC-G-1, GC-G-7)."""
    spot, type_, number = order.args["hex"], order.args["type"], int(order.args["number"])
    faction = FACTIONS[world.realms[seat].faction]
    key = f"{seat} {order.args['party']}"
    if type_ not in faction.parties:
        allowed = ", ".join(PARTIES[one].name for one in faction.parties)
        world.fails(seat, order.line, "wrong-type", faction=faction.name, what=allowed)
    elif number > MOST_HIRED:
        world.fails(seat, order.line, "too-many-members")
    elif key in world.parties:
        world.fails(seat, order.line, "id-taken")
    elif len(world.parties_of(seat)) >= MOST_PARTIES:
        world.fails(seat, order.line, "too-many-parties")
    elif not _beside(world, seat, spot, ("city", "fortress", "town")):
        world.fails(seat, order.line, "not-adjacent", hex=spot, what="City, Fortress or Town")
    elif world.ground(spot).cost is None:
        world.fails(seat, order.line, "impassable", hex=spot, terrain=world.ground(spot).name)
    elif _pay(world, seat, order, BUILDINGS.party):
        gold = BUILDINGS.party - MEMBER * number
        world.parties[key] = Party(owner=seat, id=order.args["party"], at=spot, type_=type_, members=number, gold=gold)
        name = PARTIES[type_].name
        world.tell(facts.Recruited(who=key, at=spot, name=name, price=BUILDINGS.party, members=number))
        world.did(seat, order)


def _hire(world: World, seat: SeatId, order: Order) -> None:
    """Hire more members for a party in a Friendly settlement, for Party Gold (GC-G-8)."""
    number = int(order.args["number"])
    party = world.parties.get(f"{seat} {order.args['party']}")
    if party is None:
        world.fails(seat, order.line, "no-party")
        return
    work = world.work(party.at)
    price = MEMBER * number
    if work is None or not work.settlement or world.stance(seat, party.at) not in {"own", "allied"}:
        world.fails(seat, order.line, "not-settled", hex=party.at)
    elif party.members + number > MOST_MEMBERS:
        world.fails(seat, order.line, "too-many-members")
    elif party.gold < price:
        world.fails(seat, order.line, "too-poor", price=price, gold=party.gold)
    else:
        world.change_party(party.key, members=party.members + number, gold=party.gold - price)
        name = PARTIES[party.type_].name
        world.tell(facts.Recruited(who=party.key, at=party.at, name=name, price=price, members=number))
        world.did(seat, order)


def _golden(world: World, seat: SeatId, order: Order) -> None:
    """Upgrade a Town to a Fortress, or a Fortress to a City, for free (GC-K-14, GC-K-15)."""
    spot = order.args["hex"]
    assert world.start.opening is not None
    better = {"town": "fortress", "fortress": "city"}.get(world.works.get(spot, ""))
    if world.start.opening.golden != seat:
        world.fails(seat, order.line, "not-golden")
    elif better is None or world.holder.get(spot) != seat:
        world.fails(seat, order.line, "no-upgrade", hex=spot)
    elif world.capped(seat, better):
        world.fails(seat, order.line, "capped")
    else:
        world.works[spot] = better
        world.tell(facts.Built(seat=seat, what=better, at=spot, how="golden"))
        world.did(seat, order)
