"""The end of the Army Phase: attacks, the armies that answer, and the battles to fight (GC-O-40 to GC-O-56; catalogue 3.4, stage C)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.hexes import Hex, distance
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign.march import March
from adjudicator.rulesets.grand_campaign.marching import Phase
from adjudicator.rulesets.grand_campaign.position import ArmyKey, Battle, id_order
from adjudicator.rulesets.grand_campaign.tables import LANDS
from adjudicator.rulesets.grand_campaign.world import World

RADIUS = 2
"""Distance within which an army in the open answers attacks (GC-O-49)."""
NEAR = 2
"""Distance within which two armies that both prepare to attack roll off (GC-O-41)."""


@dataclass(slots=True)
class Fight:
    """An attack that meets an army or a garrison: one or more armies of one player against one defender (GC-O-43)."""

    attacks: list[March]
    defender: ArmyKey | None
    """None for the garrison of a neutral city."""


@dataclass(slots=True)
class Outcome:
    """The battles to be fought, and the hexes to be annexed."""

    battles: list[Battle] = field(default_factory=list)
    annexes: dict[ArmyKey, Hex] = field(default_factory=dict)


def settle(phase: Phase) -> Outcome:
    """Settle claims, then attacks: roll-offs, defenders and scenarios (catalogue 3.4, stage C).

    Land that was an Enemy's when an army prepared to attack it still is: neither land nor relations change in the Army Phase (GC-O-56).
    """
    world = phase.world
    phase.claims.settle()
    marches = sorted(phase.marches.values(), key=lambda march: world.army_order(march.key))
    _roll_off(world, marches)
    ready = [march for march in marches if march.aim is None and march.state not in {"locked", "annexing", "away"}]
    attacks = [march for march in marches if march.aim is not None]
    fights, twice, alone = match(world, attacks, [march.key for march in ready])
    out = Outcome()
    for march in alone:
        assert march.aim is not None
        if march.state == "annexing":
            out.annexes[march.key] = march.aim
        else:
            world.change(march.key, aim=march.aim)
        annexes = march.state == "annexing"
        world.tell(facts.Unchallenged(army=march.key, at=march.aim, annexes=annexes))
    for clash in phase.clashes:
        here = world.armies[clash.attacker].at
        assert here is not None
        scenario, _ = _scenario(world, here, clash.at, len(out.battles) + 1, stormed=False, landing=clash.standing)
        _join(world, out, "clash", clash.at, (clash.attacker,), clash.defender, (scenario, None), twice=False)
    for fight in fights:
        lead = fight.attacks[0]
        assert lead.aim is not None
        here = world.armies[lead.key].at
        assert here is not None
        under = any(item == "underground_invasion" for item in lead.used)
        found = _scenario(
            world, here, lead.aim, len(out.battles) + 1, stormed=True, landing=not under, bridge=not under
        )
        kind = "annex" if lead.state == "annexing" else "attack"
        keys = tuple(march.key for march in fight.attacks)
        _join(world, out, kind, lead.aim, keys, fight.defender, found, twice=fight.defender in twice)
    return out


def _roll_off(world: World, marches: Iterable[March]) -> None:
    """Roll off Enemies that prepare to attack near each other: the lower roll must deploy defensively (GC-O-41, GC-O-42; GR-23)."""
    armed = [march for march in marches if march.aim is not None and march.state != "annexing"]
    pairs = []
    for one, other in itertools.combinations(armed, 2):
        first, second = world.armies[one.key], world.armies[other.key]
        assert first.at is not None
        assert second.at is not None
        away = distance(first.at, second.at)
        if world.at_war(first.owner, second.owner) and away <= NEAR:
            pairs.append((away, world.army_order(one.key), world.army_order(other.key), one, other))
    for *_, one, other in sorted(pairs, key=lambda found: found[:3]):
        if one.aim is None or other.aim is None:
            continue
        rolled: list[tuple[int, int]] = []
        while not rolled or rolled[-1][0] == rolled[-1][1]:
            name = f"roll-off:{one.key}:{other.key}:{len(rolled) + 1}"
            rolled.append((world.dice.roll(f"{name}:1", 6), world.dice.roll(f"{name}:2", 6)))
        loser, winner = (one, other) if rolled[-1][0] < rolled[-1][1] else (other, one)
        loser.aim = None
        loser.trouble("lost-roll-off", army=winner.key)
        world.tell(facts.RolledOff(first=one.key, second=other.key, dice=tuple(rolled), loser=loser.key))


def radius(world: World, key: ArmyKey) -> int:
    """Distance within which an army in Defensive Deployment answers (GC-O-49, GC-O-50)."""
    army = world.armies[key]
    assert army.at is not None
    work = world.work(army.at)
    friendly = world.stance(army.owner, army.at) in {"own", "allied"}
    return work.radius if work is not None and work.settlement and friendly else RADIUS


def match(
    world: World, attacks: Iterable[March], defenders: Iterable[ArmyKey]
) -> tuple[list[Fight], set[ArmyKey], list[March]]:
    """Match defenders to attackers in Player Order: the fights, the defenders attacked twice, and the attacks that nobody answers.

    Each army fights once. A player's second attack joins their first fight if only the defender bound there could answer it (GC-O-53,
    GC-O-54). A defender is attacked twice if another attack joined its fight, or met nobody because it was bound (GC-O-55; GR-14).
    """
    fights: list[Fight] = []
    twice: set[ArmyKey] = set()
    alone: list[March] = []
    waiting = [key for key in defenders if world.armies[key].at is not None]
    for march in attacks:
        target, seat = march.aim, world.armies[march.key].owner
        assert target is not None
        if target in world.cities:
            _storm(world, fights, march)
            continue
        able = [key for key in waiting if _answers(world, key, seat, target)]
        bound = {fight.defender for fight in fights}
        free = [key for key in able if key not in bound]
        if free:
            fights.append(Fight([march], _chosen(world, free, target)))
            continue
        joint = [
            fight for fight in fights if fight.defender in able and world.armies[fight.attacks[0].key].owner == seat
        ]
        if joint:
            chosen = _chosen(world, [fight.defender for fight in joint if fight.defender is not None], target)
            next(fight for fight in joint if fight.defender == chosen).attacks.append(march)
            twice.add(chosen)
            continue
        twice |= set(able)
        alone.append(march)
    for fight in fights:
        fight.attacks.sort(
            key=lambda one: (not one.lead, not world.armies[one.key].general, id_order(world.armies[one.key].id))
        )
    return fights, twice, alone


def _storm(world: World, fights: list[Fight], march: March) -> None:
    """Attack a neutral city. Its garrison answers each player's attacks separately (GC-H-14; GR-7)."""
    owner = world.armies[march.key].owner
    same = (
        fight
        for fight in fights
        if fight.defender is None
        and fight.attacks[0].aim == march.aim
        and world.armies[fight.attacks[0].key].owner == owner
    )
    joint = next(same, None)
    if joint is not None:
        joint.attacks.append(march)
    else:
        fights.append(Fight([march], None))


def _answers(world: World, key: ArmyKey, attacker: SeatId, target: Hex) -> bool:
    """Whether an army can answer an attack (GC-O-49, GC-O-52)."""
    army = world.armies[key]
    assert army.at is not None
    aside = army.id in world.realms[army.owner].orders.aside
    return not aside and world.at_war(army.owner, attacker) and distance(army.at, target) <= radius(world, key)


def _chosen(world: World, keys: list[ArmyKey], target: Hex) -> ArmyKey:
    """The defender who answers: by the hex holder's list, then the nearest, the holder's own, the General's, and by id (GC-O-53; GR-15)."""
    holder = world.holder.get(target)
    listed = world.realms[holder].orders.answer if holder is not None else ()

    def place(key: ArmyKey) -> tuple[int, int, bool, bool, tuple[bool, int, str], int]:
        army = world.armies[key]
        assert army.at is not None
        mine = army.owner == holder
        named = listed.index(army.id) if mine and army.id in listed else len(listed)
        return (
            named,
            distance(army.at, target),
            not mine,
            not army.general,
            id_order(army.id),
            world.rank[army.owner],
        )

    return min(keys, key=place)


def _join(
    world: World,
    out: Outcome,
    kind: str,
    at: Hex,
    attackers: tuple[ArmyKey, ...],
    defender: ArmyKey | None,
    scenario: tuple[str, str | None],
    *,
    twice: bool,
) -> None:
    name, wins = scenario
    battle = Battle(
        id=f"B{len(out.battles) + 1}",
        kind="clash" if kind == "clash" else "annex" if kind == "annex" else "attack",
        at=at,
        attackers=attackers,
        defender=defender,
        scenario=name,
        wins="siege" if wins == "siege" else "raid" if wins == "raid" else None,
        twice=twice or None,
    )
    out.battles.append(battle)
    world.tell(facts.Joined(id=battle.id, at=at, attackers=attackers, defender=defender, scenario=name))


def _scenario(
    world: World, here: Hex, there: Hex, number: int, *, stormed: bool, landing: bool, bridge: bool = True
) -> tuple[str, str | None]:
    """The scenario of a battle, and the Siege or Raid that a victory counts as (GC-R-3 to GC-R-7; GR-11)."""
    work, ground = world.work(there), world.ground(there)
    if stormed and work is not None:
        return work.battle, work.battle
    listed = LANDS.scenarios[ground.scenarios]
    if ground.sea:
        return listed[0], None
    if landing and world.ground(here).sea and world.coastal(there):
        return "beach", None
    if bridge and (there in world.plan.rivers.hexes or frozenset({here, there}) in world.plan.wet):
        return "bridge", None
    return listed[world.dice.roll(f"scenario:{number}", 6) - 1], None
