"""Skirmishes of parties, played by the group or rolled (GC-W-8 to GC-W-20)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.orders import Order
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Quarrel
from adjudicator.rulesets.grand_campaign.tables import PARTIES
from adjudicator.rulesets.grand_campaign.world import World

STEP, MOST_LOST = 4, 3
"""Points of margin for each further member that the loser loses, and the most that it loses (GC-W-12)."""
PURSE = 10
"""Gold for each pip of loot (GC-W-13)."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a skirmish."""

    winner: ArmyKey | None
    losses: Mapping[ArmyKey, int]
    gold: int = 0
    stones: int = 0


def skirmish_id(at: int) -> str:
    """Id of a skirmish, from its index in the season: `S1`."""
    return f"S{at + 1}"


def fight(world: World, quarrels: Iterable[Quarrel]) -> None:
    """Fight all skirmishes, in the order of their quarrels (GC-W-17)."""
    listed = [*quarrels]
    told = _reports(world, listed)
    for at, quarrel in enumerate(listed):
        if quarrel.comer in world.parties and quarrel.other in world.parties:
            _fight(world, skirmish_id(at), quarrel, told.get(skirmish_id(at)))


def _reports(world: World, quarrels: list[Quarrel]) -> dict[str, Order]:
    """Give a verdict on every line, and return skirmish -> the line that both sides wrote (GC-W-9)."""
    owners = {
        skirmish_id(at): tuple(key.rpartition(" ")[0] for key in (quarrel.comer, quarrel.other))
        for at, quarrel in enumerate(quarrels)
    }
    written: dict[str, dict[SeatId, Order]] = {}
    for seat, order in world.orders_of("skirmishes"):
        name = order.args["skirmish"]
        if seat not in owners.get(name, ()):
            world.judge(seat, order.line, "illegal", "no-skirmish", skirmish=name)
        else:
            written.setdefault(name, {}).setdefault(seat, order)
    found = {}
    for name, orders in written.items():
        agreed = len(orders) == 2 and len({order.line for order in orders.values()}) == 1
        for seat, order in orders.items():
            if agreed:
                world.succeeds(seat, order.line, "played")
                found[name] = order
            else:
                world.fails(seat, order.line, "rolled")
    return found


def _fight(world: World, id_: str, quarrel: Quarrel, told: Order | None) -> None:
    pair = (quarrel.comer, quarrel.other)
    scores: dict[ArmyKey, tuple[int, ...]] = dict.fromkeys(pair, ())
    if told is not None and told.kind == "unplayed":  # as if it had never happened (GC-A-12, GC-A-13)
        world.tell(facts.Skirmished(id=id_, at=quarrel.at, comer=pair[0], other=pair[1], how="unplayed"))
        return
    if told is not None:
        outcome = _played(world, pair, told)
    else:
        for key in pair:
            party = world.parties[key]
            dice = (world.dice.roll(f"skirmish:{id_}:{key}:1", 6), world.dice.roll(f"skirmish:{id_}:{key}:2", 6))
            scores[key] = (party.members + PARTIES[party.type_].strength, *dice)
        outcome = _rolled(world, id_, pair, scores)
    outcome = _whole(world, pair, outcome)
    world.tell(
        facts.Skirmished(
            id=id_,
            at=quarrel.at,
            comer=pair[0],
            other=pair[1],
            comer_score=scores[pair[0]],
            other_score=scores[pair[1]],
            winner=outcome.winner,
            comer_lost=outcome.losses[pair[0]],
            other_lost=outcome.losses[pair[1]],
            gold=outcome.gold,
            weirdstone=outcome.stones,
            how="rolled" if told is None else "played",
        )
    )
    _settle(world, quarrel, outcome)


def _rolled(
    world: World, id_: str, pair: tuple[ArmyKey, ArmyKey], scores: Mapping[ArmyKey, tuple[int, ...]]
) -> Outcome:
    """Roll a skirmish: Strength and two dice each (GC-W-10 to GC-W-13)."""
    one, other = pair
    margin = sum(scores[one]) - sum(scores[other])
    if margin == 0:
        return Outcome(None, dict.fromkeys(pair, 1))
    winner, loser = (one, other) if margin > 0 else (other, one)
    party = world.parties[loser]
    lost = min(MOST_LOST, 1 + abs(margin) // STEP)
    gold = min(party.gold, PURSE * world.dice.roll(f"skirmish:{id_}:loot", 6))
    stones = int(abs(margin) >= STEP and bool(party.weirdstone))
    return Outcome(winner, {winner: 0, loser: lost}, gold, stones)


def _played(world: World, pair: tuple[ArmyKey, ArmyKey], told: Order) -> Outcome:
    """The result that both sides report, with loot limited to the loser's possessions."""
    if told.kind == "tie":
        return Outcome(None, dict.fromkeys(pair, 1))
    one, other = pair
    winner, loser = (one, other) if one.rpartition(" ")[0] == told.args["seat"] else (other, one)
    party = world.parties[loser]
    return Outcome(
        winner,
        {winner: int(told.args["mine"]), loser: int(told.args["theirs"])},
        min(party.gold, int(told.args["pieces"])),
        min(party.weirdstone or 0, int(told.args["stones"])),
    )


def _whole(world: World, pair: tuple[ArmyKey, ArmyKey], outcome: Outcome) -> Outcome:
    """Limit losses to a party's members; the winner takes everything from a party that is wiped out (GC-G-9)."""
    losses = {key: min(lost, world.parties[key].members) for key, lost in outcome.losses.items()}
    loser = next((key for key in pair if outcome.winner is not None and key != outcome.winner), None)
    party = world.parties[loser] if loser is not None else None
    if party is None or losses[party.key] < party.members:
        return replace(outcome, losses=losses)
    return replace(outcome, losses=losses, gold=party.gold, stones=party.weirdstone or 0)


def _settle(world: World, quarrel: Quarrel, outcome: Outcome) -> None:
    """Apply losses and loot, and move the losers (GC-W-11 to GC-W-15, GC-G-9)."""
    backs = {quarrel.comer: quarrel.comer_back, quarrel.other: quarrel.other_back}
    gone = [key for key, lost in outcome.losses.items() if world.parties[key].members <= lost]
    if outcome.winner is not None:
        loser = quarrel.other if outcome.winner == quarrel.comer else quarrel.comer
        winner_, loser_ = world.parties[outcome.winner], world.parties[loser]
        gold, stones = outcome.gold, outcome.stones
        world.change_party(
            outcome.winner, gold=winner_.gold + gold, weirdstone=(winner_.weirdstone or 0) + stones or None
        )
        world.change_party(loser, gold=loser_.gold - gold, weirdstone=(loser_.weirdstone or 0) - stones or None)
        if loser not in gone:
            _flee(world, loser, quarrel.at, backs[loser])
    for key, lost in outcome.losses.items():
        if key in gone:
            world.lose_party(key, "members")
        elif lost:
            world.parties[key] = replace(world.parties[key], members=world.parties[key].members - lost)


def _flee(world: World, key: ArmyKey, here: Hex, back: Hex | None) -> None:
    """Move a party back to its last hex, or to the first passable neighbour in direction order (GC-W-14)."""
    near = [label for label in world.grid.neighbours(here).values() if world.ground(label).cost is not None]
    spot = back if back is not None else next(iter(near), None)
    if spot is not None:
        world.change_party(key, at=spot)
        world.tell(facts.Fled(who=key, at=spot))
