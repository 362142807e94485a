"""Income: dice rolled when the season opened become gold for the holders of their hexes (GC-M)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex, hex_order
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.position import Yield
from adjudicator.rulesets.grand_campaign.tables import CALENDAR, CONSTRUCTIONS, FACTIONS, Season, city_bonus
from adjudicator.rulesets.grand_campaign.world import World

PIP = 50
"""Gold for each pip on the dice (GC-M-1, GC-M-4)."""
GROWTH, CROP = "economic_growth", "bumper_crop"
EXHAUSTING = ((1, 1), (6, 6))
"""Dice that exhaust a Mine (GC-M-2)."""


@dataclass(frozen=True, slots=True)
class Part:
    """The yield of one thing on a hex."""

    what: str
    """A construction, or `ruin`."""
    gold: int
    exhausted: bool = False


def roll_income(world: World, season_: Season, event: str) -> dict[Hex, Yield]:
    """Roll the dice of a season that opens, one set for each construction and ruin, held or not (GC-M-9)."""
    season = CALENDAR.seasons[season_]
    dice: dict[Hex, Yield] = {}
    roll = world.dice.roll
    for label in sorted({*world.works, *world.ruins}, key=hex_order):
        kind = CONSTRUCTIONS.get(world.works.get(label, ""))
        city, mine = kind is not None and kind.city, kind is not None and kind.mine
        town = kind is CONSTRUCTIONS["town"]
        name = f"income:{label}"
        dice[label] = Yield(
            city=tuple(roll(f"{name}:city:{at}", 6) for at in (1, 2, 3)) if city else (),
            mine=tuple(roll(f"{name}:mine:{at}", 6) for at in (1, 2)) if mine and label not in world.sabotaged else (),
            season=roll(f"{name}:season", 6) if (city and season.cities) or (town and season.towns) else None,
            event=roll(f"{name}:event", 6) if (city and event == GROWTH) or (town and event == CROP) else None,
            peasants=roll(f"{name}:peasants", 6) if city else None,
            slaves=roll(f"{name}:slaves", 6) if mine else None,
            ruin=roll(f"{name}:ruin", 6) if label in world.ruins else None,
        )
    return {label: one for label, one in dice.items() if one != Yield()}


def parts_of(world: World, faction: str, label: Hex, dice: Yield) -> list[Part]:
    """The yields of a hex for a player of a faction (GC-M-1 to GC-M-5, and the rules of factions)."""
    realm = FACTIONS[faction].realm
    name = world.works.get(label)
    kind = CONSTRUCTIONS.get(name or "")
    parts: list[Part] = []
    if kind is not None and kind.city and dice.city:
        river, sea = label in world.plan.rivered, world.coastal(label)
        bonus = city_bonus(faction, world.terrain[label], river=river, sea=sea)
        gold = PIP * (sum(dice.city) + bonus + (dice.season or 0) + (dice.event or 0))
        parts.append(Part(name or "", gold // 2 if realm.peasants and dice.peasants == 1 else gold))
    elif kind is CONSTRUCTIONS["town"] and (dice.season or dice.event):
        parts.append(Part("town", PIP * ((dice.season or 0) + (dice.event or 0))))
    # A Mine in revolt is not rolled, and so not exhausted (GC-I-36); nor is a sabotaged one (GC-M-11).
    if kind is not None and kind.mine and dice.mine and not (realm.slaves and dice.slaves == 1):
        worked_out = tuple(dice.mine) in EXHAUSTING and not kind.ancient
        parts.append(Part("mine", PIP * (sum(dice.mine) + realm.mines), worked_out))
    if realm.ruins and dice.ruin:
        parts.append(Part("ruin", PIP * dice.ruin))
    return parts


def expected(world: World, seat: SeatId) -> tuple[list[tuple[Hex, Part]], int]:
    """The yields of a player's land this season, part by part, and their sum (GC-Z-1)."""
    assert world.start.opening is not None
    faction = world.realms[seat].faction
    found = [
        (label, part)
        for label, dice in world.start.opening.dice.items()
        if world.holder.get(label) == seat
        for part in parts_of(world, faction, label, dice)
    ]
    return found, sum(part.gold for _, part in found)


def collect(world: World) -> None:
    """Give all players their income, and remove exhausted Mines (GC-B-7, GC-M-2)."""
    for seat in world.seats():
        found, total = expected(world, seat)
        lost = world.earn(seat, total)
        if found:
            parts = tuple((label, part.what, part.gold) for label, part in found)
            world.tell(facts.Income(seat=seat, parts=parts, total=total, lost=lost, purse=world.gold[seat]))
        for label, part in found:
            if part.exhausted:
                del world.works[label]
                world.tell(facts.Exhausted(seat=seat, at=label))
    world.sabotaged.clear()
