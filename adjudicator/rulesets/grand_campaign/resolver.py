"""The resolver: a battle that nobody plays, judged by ratings and dice (GC-Z-21 to GC-Z-26)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.accounts import Deed, Fighter, Settled
from adjudicator.rulesets.grand_campaign.events import Side
from adjudicator.rulesets.grand_campaign.position import Army, Battle
from adjudicator.rulesets.grand_campaign.rosters import GENERAL, Unit, character, unit
from adjudicator.rulesets.grand_campaign.tables import ARTEFACTS, CONSTRUCTIONS, SCENARIOS
from adjudicator.rulesets.grand_campaign.world import World

BASE = 10
POINTS, EACH = 2500, 125
"""The points of a full army, and the difference that counts as 1 (GC-Z-22)."""
LD, MOST_LD = 8, 2
LEVELS, MOST_LEVELS = 3, 4
LEAST_ARTEFACTS, MOST_ARTEFACTS = -2, 3
"""Weights and limits of Leadership, Levels and artefacts (GC-Z-23)."""
MAJOR, WIN = 6, 2
"""The least margins of a major win and of a win (GC-Z-24)."""
OUT = 2
"""The highest die that removes a badly beaten General (GC-Z-25)."""
TRAINED = "trained"
"""The kind of deed that the resolver credits a unit with, for experience (GC-Z-25)."""


def points_of(world: World, army: Army) -> int:
    """The points of an army's list, with Waaaagh! or the lack of it (GC-I-50)."""
    more = world.rules(army).fervour
    return army.points + (more if army.fervour == "high" else -more if army.fervour == "low" else 0)


def rating(world: World, battle: Battle, played: str, side: Side) -> tuple[tuple[str, int], ...]:
    """The numbers added to 10 and three dice for a side, by name (GC-Z-21 to GC-Z-23)."""
    scenario = SCENARIOS[played].rating[side == "defender"]
    key = battle.attackers[0] if side == "attacker" else battle.defender
    if key is None:
        ld = CONSTRUCTIONS[world.cities[battle.at]].garrison
        return (("points", 0), ("ld", _held(ld - LD, -MOST_LD, MOST_LD)), ("scenario", scenario))
    army = world.armies[key]
    over = points_of(world, army) - POINTS
    people = (*map(character, army.characters), *map(unit, army.units))
    borne = sum(ARTEFACTS[one.bears].rating for one in map(character, army.characters) if one.bears is not None)
    return (
        ("points", abs(over) // EACH * (1 if over > 0 else -1)),
        ("ld", _held(army.ld - LD, -MOST_LD, MOST_LD)),
        ("veterans", min(MOST_LEVELS, sum(one.level for one in people) // LEVELS)),
        ("general", int(army.general)),
        ("artefacts", _held(borne, LEAST_ARTEFACTS, MOST_ARTEFACTS)),
        ("scenario", scenario),
    )


def _held(number: int, least: int, most: int) -> int:
    return max(least, min(most, number))


def judge(world: World, found: Settled) -> Settled:
    """Judge a battle by ratings and dice, and return it with its result and its deeds (GC-Z-24, GC-Z-25)."""
    battle, dice = found.battle, world.dice
    parts = {side: rating(world, battle, found.scenario, side) for side in SIDES}
    rolls = {side: tuple(dice.roll(f"battle:{battle.id}:{side}:{number}", 6) for number in (1, 2, 3)) for side in SIDES}
    totals = {side: BASE + sum(number for _, number in parts[side]) + sum(rolls[side]) for side in SIDES}
    margin = totals["attacker"] - totals["defender"]
    world.tell(
        facts.Rated(
            id=battle.id,
            attacker=parts["attacker"],
            defender=parts["defender"],
            attacker_dice=rolls["attacker"],
            defender_dice=rolls["defender"],
            margin=margin,
        )
    )
    if abs(margin) < WIN:
        return replace(found, drawn=True)
    winner: Side = "attacker" if margin > 0 else "defender"
    settled = replace(found, winner=winner, major=abs(margin) >= MAJOR)
    return replace(settled, deeds=tuple(_deeds(world, settled)))


SIDES: tuple[Side, ...] = ("attacker", "defender")


def _deeds(world: World, settled: Settled) -> Iterable[Deed]:
    """Deeds of the armies in a battle that the resolver judged (GC-Z-25)."""
    name, victor, loser = f"battle:{settled.battle.id}", settled.victor, settled.loser
    if victor is not None:
        able = [one for one in map(unit, world.armies[victor].units) if "scoring" in one.tags]
        for number in range(1 + settled.major):
            if able:
                one = able.pop(world.dice.roll(f"{name}:trained:{number + 1}", len(able)) - 1)
                yield Deed(TRAINED, Fighter(victor, one.name))
    if loser is None or not settled.major:
        return
    army = world.armies[loser]
    if world.dice.roll(f"{name}:out", 6) <= OUT:
        general = next(one for one in map(character, army.characters) if one.role == GENERAL)
        yield Deed("fell", Fighter(loser, general.name))
        if general.bears is not None and victor is not None:
            taker = next(
                (
                    one
                    for one in sorted(
                        map(character, world.armies[victor].characters), key=lambda one: one.role != GENERAL
                    )
                    if one.bears is None
                ),
                None,
            )
            if taker is not None:
                yield Deed("took", Fighter(victor, taker.name), artefact=general.bears)
    flying = [one for one in map(unit, army.units) if _flying(one)]
    if flying:
        yield Deed("lost", Fighter(loser, flying[world.dice.roll(f"{name}:standard", len(flying)) - 1].name))


def _flying(one: Unit) -> bool:
    return "scoring" in one.tags and "standard" in one.tags
