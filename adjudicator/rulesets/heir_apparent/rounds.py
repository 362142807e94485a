"""Chances: the acts at each, the ring that passes them round, and melees (HA-E-3 to E-11, HA-G, HA-H, HA-I; HA-W-16)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.secrets.dice import Dice, NamedDice
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.chain import (
    Ready,
    Stop,
    aimed,
    pay_for,
    play_card,
    react,
    ready_ability,
    ready_card,
)
from adjudicator.rulesets.heir_apparent.effects import work_steps
from adjudicator.rulesets.heir_apparent.index import title_of
from adjudicator.rulesets.heir_apparent.orders import Step
from adjudicator.rulesets.heir_apparent.plans import Plan, Progress, Reason
from adjudicator.rulesets.heir_apparent.position import Lot, Position, Underway, left_of
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE, Fight, Pending, Round
from adjudicator.rulesets.heir_apparent.titles import ActPhase
from adjudicator.rulesets.heir_apparent.variables import Part
from adjudicator.rulesets.heir_apparent.work import Answers, Playing, Turn

MOST_ACTS = 500
"""Most acts in a ring or an Actions phase, which then stops. No legal card set reaches this number (HA-W-16, HR-88)."""
FREE = 2
"""Tokens that a Prince gives without turning (HA-I-6)."""
FREELY = "prince"
"""The word for the Prince's free tokens among the helpers of an `enough` line."""
Do: TypeAlias = Callable[[int], Reason]
"""Carries out an act under its number, and returns the result."""


# Chances ----------------------------------------------------------------------------------------------------------


def chance(turn: Turn, plan: Plan, phase: ActPhase) -> bool:
    """Run a player's chance: do the first line that holds and can be done. Return False if they pass (HA-W-4)."""
    own = turn.own[plan.seat]
    own.done = plan.done_names()
    for line, step in plan.steps:
        if line.number in plan.done and not step.again and step.kind != "enough":
            continue
        if not turn.holds(plan.seat, line):
            continue
        if step.kind == "pass":
            line.end = "passed"
            break
        if step.kind == "ask":
            _ask(turn, plan, line)
            continue
        do = prepared(turn, plan.seat, step, phase)
        if isinstance(do, str):
            line.fault = line.fault or do
            continue
        plan.done.add(line.number)
        own.done = None
        _went_on(turn, plan.seat)
        _do(turn, plan.seat, line, do)
        return True
    own.done = None
    _went_on(turn, plan.seat)
    return False


def _went_on(turn: Turn, seat: SeatId) -> None:
    if turn.going_on == seat:
        turn.going_on = None


def _ask(turn: Turn, plan: Plan, line: Progress) -> None:
    """Stop the run here if the plan's player has a reopen token and no card is half carried out (HA-W-21)."""
    fight = turn.table.fight
    if turn.going_on == plan.seat:
        line.fault = line.fault or "stopped-here"
    elif not turn.table.reopenings[plan.seat]:
        line.fault = line.fault or "no-token"
    elif turn.table.pending or (fight is not None and not fight.last):
        line.fault = line.fault or "half-done"
    else:
        plan.done.add(line.number)
        line.end = "asked"
        raise Stop(plan.seat)


def _do(turn: Turn, seat: SeatId, line: Progress, do: Do) -> None:
    """Carry out an act, and record the pools after it."""
    turn.act += 1
    if (round_ := turn.table.round) is not None:
        round_.passes = 0  # before anything answers the act (HA-E-5)
        round_.acts[seat] = round_.acts.get(seat, 0) + 1
    number, first = turn.act, len(turn.events)
    line.acts.append(number)
    line.end = do(number)
    for at in range(first, len(turn.events)):
        fact = turn.events[at]
        if isinstance(fact, facts.Act) and fact.act == number:
            turn.events[at] = replace(fact, after=turn.pools())
            break


def go_round(
    turn: Turn,
    part: Literal["event", "melee"],
    first: SeatId,
    going: Callable[[], bool],
    underway: Underway | None = None,
) -> None:
    """Give chances one by one until all players pass in succession (HA-E-3 to E-9), or until `going` returns False.

    A ring that was stopped resumes with its passes, and without the lines already carried out (HA-W-22).
    """
    ring, round_ = turn.start.ring, turn.table.round
    assert round_ is not None, "it was opened"
    plans = turn.running = {seat: turn.plan(seat, part).afresh() for seat in ring}
    if underway is not None and underway.asked is not None:
        for seat, plan in plans.items():
            plan.done |= done_before(turn, seat, part)
        turn.going_on = underway.asked
    else:
        round_.passes = 0
    current, acts = first, 0
    while going() and round_.passes < len(ring):
        if acts >= MOST_ACTS:
            turn.guarded = True
            break
        if chance(turn, plans[current], part):
            acts += 1
        else:
            round_.passes += 1
        current = left_of(ring, current)


def done_before(turn: Turn, seat: SeatId, part: Part) -> set[int]:
    """Lines of a list that were carried out before the run was stopped; empty for a list that was sent again (HA-W-22)."""
    filed = turn.start.filed.get(seat)
    sheet = turn.sheets.get(seat)
    if filed is None or (sheet is not None and getattr(sheet, part, None) is not None):
        return set()
    return {*(filed.fought if part == "melee" else filed.done)}


# Acts -------------------------------------------------------------------------------------------------------------


def prepared(turn: Turn, seat: SeatId, step: Step, phase: ActPhase) -> Do | Reason:
    """Prepare the act of a line, or return why it cannot be done."""
    args = step.args
    match step.kind:
        case "join":
            return _join(turn, seat, args["character"], pool_of(turn, seat, args["pool"]))
        case "enough":
            return _enough(turn, seat, args["helpers"].split(", "), pool_of(turn, seat, args["pool"]))
        case "free":
            return _free(turn, seat, pool_of(turn, seat, args["pool"]))
        case "play":
            found = aimed(turn, step, lambda at: ready_card(turn, seat, args["card"], at, phase))
            return found if isinstance(found, str) else lambda act: play_card(turn, seat, found, act)
        case "use":
            name, called = args["character"], args.get("ability")
            ability = aimed(turn, step, lambda at: ready_ability(turn, seat, name, called, at, phase))
            return ability if isinstance(ability, str) else lambda act: _use(turn, seat, ability, act)
        case "draw with":
            return _draw_with(turn, seat, args["character"])
        case "unturn":
            return _rise(turn, seat)
        case "attack":
            return _attack(turn, seat, args["fighter"], args["character"])
        case "assist":
            return _assist(turn, seat, args["character"], "attack" if args["side"] == ATTACK else "defence")
        case _:
            raise AssertionError(step.kind)


def thing_meant(turn: Turn, seat: SeatId, value: str, blank: str = "thing") -> str:
    """The id of the person or thing that a value names; `me` and the seats mean their Princes."""
    princes = {
        "me": turn.table.princes[seat],
        **{one.casefold(): prince for one, prince in turn.table.princes.items()},
    }
    return princes.get(value.strip().casefold()) or turn.reader.named(value, blank)


def pool_of(turn: Turn, seat: SeatId, named: str) -> str:
    """The pool that a word names; `me` is the player's own."""
    return turn.table.princes[seat] if named == "me" else named


def bar_to_turn(turn: Turn, seat: SeatId, name: str) -> Reason | None:
    """Return why a player cannot turn a character; None if they can (HA-M-10, HA-M-11)."""
    one = turn.table.people.get(name)
    if one is None:
        return "not-in-play"
    if one.by != seat:
        return "not-yours"
    return "turned" if one.turned else None


def bar_to_feed(turn: Turn, seat: SeatId, pool: str) -> Reason | None:
    """Return why a player cannot feed a pool; None if they can."""
    if pool not in turn.table.pools:
        return "no-pool"
    return None if turn.table.is_open(pool, seat) else "closed-pool"


def _join(turn: Turn, seat: SeatId, name: str, pool: str) -> Do | Reason:
    """Turn a character to join the Event (HA-I-3 to I-5, HA-I-12)."""
    bar = bar_to_turn(turn, seat, name) or bar_to_feed(turn, seat, pool)
    if bar is not None:
        return bar
    table = turn.table
    assert table.event is not None
    if table.rating(name, table.event.skill) < 1:
        return "too-weak"
    if not table.may_join(name):
        return "barred"

    def do(act: int) -> Reason:
        tokens = table.strength(name)
        table.people[name].turned = True
        if name not in table.joined:
            table.joined.append(name)
        turn.feed(pool, tokens, seat, name)
        turn.tell(facts.Joined(act=act, seat=seat, character=name, pool=pool, tokens=tokens))
        react(turn, Pending(trigger="joined", cause=seat, hits=(name,), victim=name))
        return "done"

    return do


def _free(turn: Turn, seat: SeatId, pool: str) -> Do | Reason:
    """Give the Prince's 2 free tokens, once per Event (HA-I-6, HA-J-7)."""
    if seat in turn.table.free:
        return "gave-before"
    bar = bar_to_feed(turn, seat, pool)
    if bar is not None:
        return bar

    def do(act: int) -> Reason:
        turn.table.free.add(seat)
        turn.feed(pool, FREE, seat)
        turn.tell(facts.Gave(act=act, seat=seat, pool=pool, tokens=FREE))
        return "done"

    return do


def _enough(turn: Turn, seat: SeatId, names: Sequence[str], pool: str) -> Do | Reason:
    """Prepare the act of the weakest helper who makes a pool win, or of the strongest if only all of them together would (HA-W-24)."""
    table = turn.table
    bar = bar_to_feed(turn, seat, pool)
    if bar is not None:
        return bar
    if table.wins(pool):
        return "not-needed"
    able: list[tuple[int, Do]] = []
    for name in dict.fromkeys(names):
        free = name == FREELY
        do = _free(turn, seat, pool) if free else _join(turn, seat, name, pool)
        if not isinstance(do, str):
            able.append((FREE if free else table.strength(name), do))
    able.sort(key=lambda one: one[0])  # a stable sort: among equals, the first named comes first
    for tokens, do in able:
        if table.wins(pool, tokens):
            return do
    if not table.wins(pool, sum(tokens for tokens, _ in able)):
        return "not-enough"
    most = able[-1][0]
    return next(do for tokens, do in able if tokens == most)


def _use(turn: Turn, seat: SeatId, ready: Ready, act: int) -> Reason:
    """Turn a character for its ability; no reaction can answer that (HA-P-6)."""
    playing = ready.playing
    pay_for(turn, seat, ready)
    assert ready.ability is not None
    at = tuple(playing.names.values())
    turn.tell(facts.Used(act=act, seat=seat, character=playing.of, ability=ready.ability, at=at))
    work_steps(turn, playing)
    return "done"


def _rise(turn: Turn, seat: SeatId) -> Do | Reason:
    """Unturn all of the active player's characters before the Event, by house rule (HA-L-11)."""
    if turn.start.settings.unturn == "after":
        return "house-rule"
    if turn.risen:
        return "risen"

    def do(act: int) -> Reason:
        turn.risen = True
        turn.unturn(seat)
        return "done"

    return do


def _draw_with(turn: Turn, seat: SeatId, name: str) -> Do | Reason:
    """Turn a character, never the Prince, to draw an Action card (HA-G-2, HA-G-3)."""
    bar = bar_to_turn(turn, seat, name)
    if bar is not None:
        return bar
    if turn.table.people[name].prince:
        return "prince"

    def do(act: int) -> Reason:
        turn.table.people[name].turned = True
        turn.tell(facts.DrewWith(act=act, seat=seat, character=name))
        turn.draw_actions(seat, 1, name)
        return "done"

    return do


# Melees -----------------------------------------------------------------------------------------------------------


def _attack(turn: Turn, seat: SeatId, fighter: str, foe: str) -> Do | Reason:
    """Turn a Fighter to attack a character of another player (HA-G-4, HA-H-1 to H-4, HA-N-1)."""
    bar = bar_to_turn(turn, seat, fighter)
    if bar is not None:
        return bar
    people = turn.table.people
    if foe not in people:
        return "not-in-play"
    if people[fighter].prince or people[foe].prince:
        return "prince"
    if "Fighter" not in turn.table.keywords(fighter):
        return "no-fighter"
    if people[foe].by == seat:
        return "own-side"

    def do(act: int) -> Reason:
        people[fighter].turned = True
        _melee(turn, fighter, foe, facts.Attacked(act=act, seat=seat, attacker=fighter, defender=foe))
        return "done"

    return do


def melee(turn: Turn, attacker: str, defender: str, playing: Playing) -> None:
    """Turn the attacker and fight a melee that a card starts, unless a melee is already going on (HA-G-4, HA-H-1)."""
    if turn.table.fight is None:
        turn.table.people[attacker].turned = True
        of, me = playing.of, playing.me
        declared = facts.Attacked(act=0, seat=me, attacker=attacker, defender=defender, of=of)
        _melee(turn, attacker, defender, declared, playing)


def _melee(turn: Turn, attacker: str, defender: str, declared: facts.Attacked, playing: Playing | None = None) -> None:
    """Fight a melee from its declaration to its end; `playing` is the card that started it, if any (HA-H-5 to H-17; HA-G-4)."""
    table = turn.table
    fight = table.fight = Fight(attacker, defender)
    if playing is not None:
        fight.card, fight.spell, fight.last = playing.of, playing.spell, playing.last
    table.round = Round()
    turn.tell(declared)
    hits = (attacker, defender)
    react(turn, Pending(trigger="melee_declared", cause=declared.seat, card=fight.card, spell=fight.spell, hits=hits))
    first = table.people[defender].by if defender in table.people else declared.seat
    _fight_out(turn, fight, first)


def fight_on(turn: Turn, underway: Underway) -> None:
    """Resume a melee at the chance where it was stopped, and fight it to its end (HA-W-22)."""
    brawl = underway.brawl
    assert brawl is not None
    fight = Fight(brawl.attacker, brawl.defender, [*brawl.lots], brawl.card, brawl.spell)
    turn.table.fight, turn.table.round = fight, Round(dict(brawl.acts), underway.passes)
    _fight_out(turn, fight, underway.next, underway)


def _fight_out(turn: Turn, fight: Fight, first: SeatId, underway: Underway | None = None) -> None:
    """Run the chances of a melee, and settle it (HA-H-6 to H-14)."""
    table, attacker, defender = turn.table, fight.attacker, fight.defender

    def going() -> bool:
        return attacker in table.people and defender in table.people

    if going():
        go_round(turn, "melee", first, going, underway)
    piles = table.pile(ATTACK), table.pile(DEFENCE)
    loser = (defender if piles[0] > piles[1] else attacker) if going() else None
    by: facts.Settling | None = None if loser is None else "tie" if piles[0] == piles[1] else "tokens"
    turn.tell(facts.Fought(attacker=attacker, defender=defender, attack=piles[0], defence=piles[1], loser=loser, by=by))
    if loser is not None:
        strike(turn, loser, attacker if loser == defender else defender, card=fight.card, spell=fight.spell)
    assert table.fight is fight
    turn.running = MappingProxyType({})
    table.fight, table.round = None, None  # an Event has no melees (HA-H-17)


def strike(turn: Turn, loser: str, by: str, *, card: str | None, spell: bool) -> None:
    """Kill the loser of a melee, unless shielded (HA-H-12, HA-P-7: the cause is the active player)."""
    pending = Pending(
        trigger="kill_pending", cause=turn.table.active, card=card, spell=spell, hits=(loser,), victim=loser
    )
    react(turn, pending)
    if not pending.stopped and loser in turn.table.people:
        turn.kill(loser, by)


def _assist(turn: Turn, seat: SeatId, name: str, side: Literal["attack", "defence"]) -> Do | Reason:
    """Turn a character to assist a side (HA-H-6 to H-10)."""
    table, fight = turn.table, turn.table.fight
    assert fight is not None
    bar = bar_to_turn(turn, seat, name)
    if bar is not None:
        return bar
    if table.people[name].prince:
        return "prince"
    if name in (fight.attacker, fight.defender):
        return "principal"
    tokens = table.rating(name, "combat")
    if tokens < 1:
        return "no-combat"

    def do(act: int) -> Reason:
        table.people[name].turned = True
        fight.lots.append(Lot(pool=side, amount=tokens, seat=seat, source=name))
        turn.tell(facts.Assisted(act=act, seat=seat, character=name, side=side, tokens=tokens))
        return "done"

    return do


def can_act(turn: Turn, seat: SeatId) -> bool:
    """True if a player has any act left in the Event: a join, the free tokens, an ability, or a card that can be aimed (HR-4)."""
    open_pools = [pool for pool in turn.table.pools if turn.table.is_open(pool, seat)]
    if open_pools and seat not in turn.table.free:
        return True
    mine = [name for name, one in turn.table.people.items() if one.by == seat and not one.turned]
    if open_pools and any(turn.table.may_join(name) for name in mine):
        return True
    return any(_usable(turn, seat, name) for name in sorted(mine)) or any(
        _playable(turn, seat, card) for card in sorted(turn.hands[seat])
    )


def _usable(turn: Turn, seat: SeatId, name: str) -> bool:
    def by(ability: str) -> Callable[[tuple[str, ...]], Ready | Reason]:
        return lambda at: ready_ability(turn, seat, name, ability, at, "event")

    mine = turn.table.index.abilities(name)
    return any(_aimable(turn, seat, f"{name}/{ability.id}", by(ability.id)) for ability in mine)


def _playable(turn: Turn, seat: SeatId, card: str) -> bool:
    return bar_of(turn, seat, card, "event") is None


def bar_of(turn: Turn, seat: SeatId, card: str, phase: ActPhase) -> Reason | None:
    """Return why a card in a player's hand cannot be played at any targets; None if it can be played at some."""
    return _aimless(turn, seat, title_of(card), lambda at: ready_card(turn, seat, card, at, phase))


def _aimable(turn: Turn, seat: SeatId, asking: str, ready: Callable[[tuple[str, ...]], Ready | Reason]) -> bool:
    return _aimless(turn, seat, asking, ready) is None


def _aimless(
    turn: Turn, seat: SeatId, asking: str, ready: Callable[[tuple[str, ...]], Ready | Reason]
) -> Reason | None:
    """Return why no targets are legal; None if some are."""
    choices = [turn.table.values(ask.filter, seat) for ask in turn.table.index.asks[asking]]
    why: Reason = "bad-target"
    for at in itertools.product(*choices):
        found = ready(at)
        if isinstance(found, Ready):
            return None
        why = found
    return why


def begun(position: Position, sheets: Mapping[SeatId, Any], dice: Dice) -> Turn:
    """Set up a turn with its sheets, ready to be resolved."""
    return Turn(position, sheets, dice, Answers(react, melee))


def looked_at(view: Position) -> Turn:
    """A turn without sheets, for asking what could be done in it."""
    return begun(view, {}, NamedDice(b"nothing is rolled"))
