"""The end of a season's battles: experience, defeats, conquests, skirmishes, and the next season (GC-S-1, GC-V-19, GC-Z-5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudicator.core.contract.resolution import Ending, Resolution
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign import events as facts
from adjudicator.rulesets.grand_campaign import resolver
from adjudicator.rulesets.grand_campaign.accounts import Accounts, Settled
from adjudicator.rulesets.grand_campaign.actions import find_bearer
from adjudicator.rulesets.grand_campaign.acts import BATTLE_PARTS
from adjudicator.rulesets.grand_campaign.bonus import honour
from adjudicator.rulesets.grand_campaign.conquest import Conquest, kept_plans
from adjudicator.rulesets.grand_campaign.defeat import defeats
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.experience import School
from adjudicator.rulesets.grand_campaign.generals import succeed
from adjudicator.rulesets.grand_campaign.marching import Completion
from adjudicator.rulesets.grand_campaign.omens import open_season
from adjudicator.rulesets.grand_campaign.orders import Item, reader_of
from adjudicator.rulesets.grand_campaign.position import (
    ArmyKey,
    Battle,
    Claim,
    Phase,
    Position,
    Quarrel,
    Stopped,
    id_order,
    when,
)
from adjudicator.rulesets.grand_campaign.season import Season, play_season
from adjudicator.rulesets.grand_campaign.skirmishes import fight
from adjudicator.rulesets.grand_campaign.tables import SCENARIOS
from adjudicator.rulesets.grand_campaign.world import World

CLOSED = "closed"
"""The ending of every campaign (GC-A-4, GC-A-5)."""


@dataclass(slots=True)
class Aftermath:
    """The state of a season after its battles, for the steps that end the season."""

    world: World
    settled: list[Settled]
    open: list[Battle]
    """Battles that are waiting for the host."""
    annexes: Mapping[ArmyKey, Hex]
    stopped: dict[ArmyKey, Stopped]
    quarrels: tuple[Quarrel, ...]
    plans: dict[ArmyKey, tuple[str, ...]]
    closing: bool


def fight_season(world: World) -> Resolution[Position, AnyEvent]:
    """Play a season. If there is nothing to fight, the Post-Battle Phase follows at once (GC-Z-4, GC-W-9)."""
    season = play_season(world)
    if season.outcome.battles or season.quarrels:
        succeed(season.world)  # replaces General's Armies lost before the battles, which later turns do not know of
        return season.world.done(season.position)
    return _finish(_after(season))


def _after(season: Season) -> Aftermath:
    stopped = {one.army: one for one in season.stopped}
    return Aftermath(
        season.world, [], [], season.outcome.annexes, stopped, season.quarrels, dict(season.plans), season.closing
    )


def fight_battles(world: World) -> Resolution[Position, AnyEvent]:
    """Settle a season's battles by their reports. Those whose reports disagree wait, and do not hold up the others (GC-Z-16)."""
    position = world.start
    world.read(*BATTLE_PARTS)
    plans = {**position.plans, **kept_plans(world)}
    settled, open_ = _settle(world)
    stopped = {one.army: one for one in position.stopped}
    return _finish(
        Aftermath(world, settled, open_, position.annexes, stopped, position.quarrels, plans, bool(position.closing))
    )


def _settle(world: World) -> tuple[list[Settled], list[Battle]]:
    """Settle every battle, and return the results, in order, and the battles that are waiting for the host."""
    accounts = Accounts(world)
    settled: list[Settled] = []
    open_: list[Battle] = []
    for battle in world.start.battles:
        if _won_before(battle, settled):
            told = facts.Struck(id=battle.id, army=battle.attackers[0])
            world.tell(told)
            continue
        found = accounts.settle(battle)
        accounts.judge(battle, found)
        if found is None:
            open_.append(battle)
            continue
        if found.how == "resolver":
            found = resolver.judge(world, found)
        ruling = world.start.rulings.get(battle.id)
        world.tell(
            facts.Fought(
                id=battle.id,
                at=battle.at,
                attackers=battle.attackers,
                defender=battle.defender,
                scenario=found.scenario,
                winner=found.winner,
                major=found.major,
                drawn=found.drawn,
                how=found.how,
                reason=ruling.reason if ruling is not None else "",
            )
        )
        settled.append(found)
    return settled, open_


def _won_before(battle: Battle, settled: list[Settled]) -> bool:
    """Whether a garrison was beaten by an earlier attack in this turn (GC-H-16; GR-7)."""
    return battle.defender is None and any(
        one.battle.defender is None and one.battle.at == battle.at and one.winner == "attacker" for one in settled
    )


def _finish(after: Aftermath) -> Resolution[Position, AnyEvent]:
    """Run the Post-Battle Phase in its order, then skirmishes, then open the next season (GC-S-1, GC-V-19)."""
    world = after.world
    posts = {key: army.at for key, army in world.armies.items() if army.at is not None}
    _learn(world, after.settled)
    _artefacts(world, after.settled)
    claims = honour(world, after.settled, after.open)
    conquest = Conquest(world, posts, _plans(world, after))
    defeats(world, after.settled, after.stopped)
    conquest.award(after.settled, after.annexes)
    conquest.spend()
    conquest.advance()
    _complete(after)
    succeed(world)
    fight(world, after.quarrels)
    after.open = [*_still_open(after)]
    if after.open:
        return _waiting(after, claims)
    return _open_next(after)


def _plans(world: World, after: Aftermath) -> dict[ArmyKey, tuple[Item, ...]]:
    reader = reader_of(world.plan)
    return {key: reader.plan_of(lines) for key, lines in after.plans.items()}


# Characters and veterans --------------------------------------------------------------------------------------------


def _learn(world: World, battles: list[Settled]) -> None:
    """Give experience to all who fought, and set the Waaaagh! of armies that have it (GC-S, GC-T, GC-I-50, GC-I-52)."""
    for settled in _in_order(world, battles):
        school = School(world, settled)
        if settled.fought:
            school.teach()
        for key in school.armies:
            if world.rules(world.armies[key]).fervour:
                won = settled.fought and settled.victor == key
                lost = settled.fought and settled.loser == key
                world.change(key, fervour="high" if won else "low" if lost else None)


def _in_order(world: World, battles: list[Settled]) -> list[Settled]:
    """Battles in Player Order of their attackers, then by id (GC-S-1)."""
    return sorted(
        battles, key=lambda one: (world.army_order(one.battle.attackers[0]), id_order(one.battle.id.lstrip("B")))
    )


def _artefacts(world: World, battles: list[Settled]) -> None:
    """Pass on artefacts: taken from the slain, given away, or found by a major winner (GC-U-5, GC-U-8, GC-U-15)."""
    for settled in _in_order(world, battles):
        slain = {deed.who for deed in settled.deeds if deed.kind == "fell"}
        beaten = {(deed.who, deed.foe) for deed in settled.deeds if deed.kind == "beat"}
        for deed in settled.deeds:
            if deed.artefact is None:
                continue
            key, name = world.borne().get(deed.artefact, ("", ""))
            if deed.kind == "took" and any(
                (one.army, one.name) == (key, name) and key != deed.who.army for one in slain
            ):
                _pass_on(world, deed.artefact, key, name, deed.who.army, deed.who.name, "slain")
            elif deed.kind == "gave" and (key, name) == (deed.who.army, deed.who.name):
                assert deed.foe is not None
                losers = [foe for who, foe in beaten if who == deed.who and foe is not None]
                could = [foe for foe in losers if world.bears(foe.army, foe.name) is None]
                if losers and (
                    deed.foe in could or not could
                ):  # another character only if the beaten one cannot take it
                    _pass_on(world, deed.artefact, key, name, deed.foe.army, deed.foe.name, "given")
        victor = settled.victor
        if settled.fought and settled.major and SCENARIOS[settled.scenario].artefact and victor is not None:
            found = world.found(f"find:{settled.battle.id}")
            bearer = find_bearer(world, world.armies[victor]) if found is not None else None
            if found is not None and bearer is not None:
                world.give(victor, bearer, found[0])
                world.tell(facts.Found(army=victor, artefact=found[0], bearer=bearer))


def _pass_on(
    world: World, artefact: str, giver: ArmyKey, name: str, army: ArmyKey, bearer: str, how: facts.Passing
) -> None:
    """Pass an artefact on, if the new bearer bears none (GC-U-4)."""
    if world.give(army, bearer, artefact):
        world.give(giver, name, None)
        world.tell(facts.Took(artefact=artefact, giver=giver, army=army, bearer=bearer, how=how))


# The end of the season ----------------------------------------------------------------------------------------------


def _complete(after: Aftermath) -> None:
    """Complete the moves of armies that won a clash, in Player Order (GC-V-13)."""
    world = after.world
    victors = [one.victor for one in after.settled if one.battle.kind == "clash"]
    able = [key for key in victors if key is not None and key in world.armies and key in after.stopped]
    for key in sorted(able, key=world.army_order):
        stopped = after.stopped[key]
        if stopped.items:
            completion = Completion(world, stopped)
            completion.complete()
            told = facts.Resumed(army=key, done=completion.march.number, of=len(stopped.items))
            world.tell(told)


def _still_open(after: Aftermath) -> Iterator[Battle]:
    """Battles that are still waiting, with their armies' current names. A battle whose army is gone is struck."""
    world = after.world
    for battle in after.open:
        attackers = tuple(world.renamed.get(key, key) for key in battle.attackers)
        defender = world.renamed.get(battle.defender or "", battle.defender)
        if attackers[0] in world.armies and (defender is None or defender in world.armies):
            yield replace(battle, attackers=attackers, defender=defender)
        else:
            world.tell(facts.Struck(id=battle.id, army=attackers[0]))


def _waiting(after: Aftermath, claims: Sequence[Claim]) -> Resolution[Position, AnyEvent]:
    """Open another turn for the battles that are waiting for the host or for matching reports (GC-Z-16)."""
    world = after.world
    waiting = {battle.id for battle in after.open}
    keys = {key for battle in after.open for key in (*battle.attackers, battle.defender)}
    position = world.after(
        phase=Phase.BATTLES,
        battles=tuple(replace(battle, disputed=True) for battle in after.open),
        annexes={},
        stopped=tuple(one for one in after.stopped.values() if one.army in keys),
        quarrels=(),
        plans={key: lines for key, lines in after.plans.items() if key in keys},
        rulings={},
        claims=tuple(claim for claim in claims if claim.battle in waiting),
        closing=after.closing or None,
    )
    return world.done(position)


def _open_next(after: Aftermath) -> Resolution[Position, AnyEvent]:
    """Open the next season, or end the campaign (GC-A-5)."""
    world = after.world
    last = world.turn >= world.start.settings.last
    nothing: dict[str, Any] = {
        "battles": (), "annexes": {}, "stopped": (), "quarrels": (), "plans": {}, "rulings": {}, "claims": (), "closing": None,
    }  # fmt: skip
    alone = sum(not realm.out for realm in world.realms.values()) == 0
    if last or after.closing or alone:
        world.tell(facts.Closed(why="turns" if last else "agreed"))
        position = world.after(phase=Phase.BATTLES, closed=True, **nothing)
        ending = Ending(how=CLOSED, winners=(), when=when(world.start), rule="GC-A-5")
        world.ended = ending
        return world.done(position)
    world.turn += 1
    opening = open_season(world, world.turn)
    succeed(world)
    position = world.after(phase=Phase.SEASON, turn=world.turn, opening=opening, **nothing)
    return world.done(position)
