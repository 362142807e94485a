"""Playing a card: its legality, its cost, the counters and reactions to it, and when it takes effect.

The rules are HA-O (spells and counters), HA-P (reactions), and HA-W-13 and HA-W-14 (how plans do both).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.effects import characters_of, shields_from, work_steps
from adjudicator.rulesets.heir_apparent.index import filter_of, title_of
from adjudicator.rulesets.heir_apparent.orders import Step as Line
from adjudicator.rulesets.heir_apparent.plans import Progress, Reason
from adjudicator.rulesets.heir_apparent.position import clockwise, left_of
from adjudicator.rulesets.heir_apparent.selectors import Choose
from adjudicator.rulesets.heir_apparent.table import Pending
from adjudicator.rulesets.heir_apparent.titles import Action, ActPhase
from adjudicator.rulesets.heir_apparent.work import Playing, Turn

MOST_RINGS = 4
"""Most reaction rings that may be open at once, one inside another (HA-P-4, HR-1)."""
HAPPENS_TO = frozenset({"joined", "turn_forced", "kill_pending", "dismiss_pending", "melee_declared"})
"""Triggers that are about characters. A reaction to one can aim only at a character involved (HR-86)."""


class Stop(Exception):  # not an error
    """Raised when a player stops the run at their chance (HA-W-21)."""

    def __init__(self, seat: SeatId) -> None:
        super().__init__(seat)
        self.seat = seat


@dataclass(frozen=True, slots=True)
class Ready:
    """A card or an ability that is ready for use: what it will do, and what it costs."""

    playing: Playing
    action: Action | None = None
    turns: str | None = None
    """The character turned to pay for it."""
    ability: str | None = None
    """The id of the ability; None for a card."""
    surplus: bool = False
    """True if the line names more than the card asks for."""


# Legality ---------------------------------------------------------------------------------------------------------


def aimed(turn: Turn, step: Line, ready: Callable[[tuple[str, ...]], Ready | Reason]) -> Ready | Reason:
    """Find the first legal way to aim a line; without one, return why the first way is not legal (HA-W-25).

    If the line names more than a card needs, prefer ways that use every name, for example one as the payer (HR-51).
    """
    legal = [one for at in step.aims if isinstance(one := ready(at), Ready)]
    return next((one for one in legal if not one.surplus), legal[0]) if legal else ready(next(step.aims))


def ready_card(
    turn: Turn, seat: SeatId, named: str, targets: Sequence[str], phase: ActPhase, pending: Pending | None = None
) -> Ready | Reason:
    """Prepare a card from a player's hand with its targets, or return why it cannot be played."""
    card = turn.copy_in(turn.hands[seat], named)
    if card is None:
        return "gone" if turn.copy_in(turn.held_before[seat], named) is not None else "not-in-hand"
    action = turn.table.index.action(card)
    if phase not in action.phases:
        return "other-phase"
    if pending is not None and pending.trigger not in action.trigger:
        return "other-trigger"
    if action.spell and not wizards_of(turn, seat):
        return "no-wizard"
    if action.cost.favor is not None and turn.table.favor[seat] < action.cost.favor:
        return "no-favor"
    asks = turn.table.index.asks[action.id]
    turns: str | None = None
    if action.cost.turn is not None:
        words = filter_of(action.cost.turn)
        able = [name for name in sorted(turn.table.people) if turn.table.fits(words, name, seat)]
        if not able:
            return "nobody-to-turn"
        # HR-51: the first target that fits pays. If the line names more than the card asks for, the payer is not a target.
        turns = next((name for name in targets if name in able), None)
        if turns is not None and len(targets) > len(asks):
            at = targets.index(turns)
            targets = [*targets[:at], *targets[at + 1 :]]
        turns = turns or able[0]
    playing = Playing(of=action.id, me=seat, steps=action.effect, card=card, spell=action.spell, answers=pending)
    fault = _aim(turn, playing, asks, targets, turns)
    return fault if fault is not None else Ready(playing, action, turns, surplus=len(targets) > len(asks))


def ready_ability(
    turn: Turn, seat: SeatId, name: str, ability: str | None, targets: Sequence[str], phase: ActPhase
) -> Ready | Reason:
    """Prepare a character's ability with its targets, or return why it cannot be used (HA-G-1, HR-18)."""
    one = turn.table.people.get(name)
    if one is None:
        return "not-in-play"
    if one.by != seat:
        return "not-yours"
    found = [it for it in turn.table.index.abilities(name) if ability in (None, it.id)]
    if not found:
        return "no-ability"
    if one.turned:
        return "turned"
    fitting = [it for it in found if phase in it.phases]
    if not fitting:
        return "other-phase"
    playing = Playing(of=name, me=seat, steps=fitting[0].effect, bearer=name)
    fault = _aim(turn, playing, turn.table.index.asks[f"{name}/{fitting[0].id}"], targets, name)
    return fault if fault is not None else Ready(playing, turns=name, ability=fitting[0].id)


def wizards_of(turn: Turn, seat: SeatId) -> list[str]:
    """A player's unturned Wizards, including the Prince (HA-O-1, HA-O-9)."""
    people = turn.table.people
    mine = (name for name in sorted(people) if people[name].by == seat and not people[name].turned)
    return [name for name in mine if "Wizard" in turn.table.keywords(name)]


def _aim(
    turn: Turn, playing: Playing, asks: Sequence[Choose], targets: Sequence[str], turning: str | None
) -> Reason | None:
    """Give a card its targets in the order it asks for them, or return why they do not fit (HA-O-11, HR-54)."""
    given = [*targets]
    if playing.answers is not None and len(given) < len(asks):
        given = _forced(turn, playing.answers, asks, given)
    if len(given) < len(asks):
        return "few-targets"
    names: dict[str, str] = {}
    for ask, text in zip(asks, given, strict=False):
        values = turn.table.values(ask.filter, playing.me, turning=turning)
        value = _meant(turn, text, values, playing.me)
        if value is None or not _answers(turn, ask, value, playing.answers):
            return "bad-target"
        names[ask.name] = value
    playing.names = names
    return _bars(turn, playing)


def _forced(turn: Turn, pending: Pending, asks: Sequence[Choose], given: Sequence[str]) -> list[str]:
    """Fill in the character that a reaction's trigger is about as its target, so that lines need not name it (HR-86)."""
    rest = [*given]
    filled: list[str] = []
    for ask in asks:
        if ask.filter.kind == "character" and pending.trigger in HAPPENS_TO and pending.victim is not None:
            filled.append(pending.victim)
        elif rest:
            filled.append(rest.pop(0))
    return filled


def _meant(turn: Turn, text: str, values: Sequence[str], me: SeatId) -> str | None:
    """The allowed value that `text` means, or None: `me` means the player's Prince, and a title its lowest copy."""
    name = turn.table.princes[me] if text == "me" else text
    return name if name in values else turn.copy_in(values, name)


def _answers(turn: Turn, ask: Choose, value: str, pending: Pending | None) -> bool:
    """False if a reaction to a trigger about characters aims at a character who is not involved (HR-86)."""
    if pending is None or ask.filter.kind != "character" or pending.trigger not in HAPPENS_TO:
        return True
    return value in pending.hits


def _bars(turn: Turn, playing: Playing) -> Reason | None:
    """Return why these targets bar a card: a second copy, control of a Prince, a melee within one side, or a shield from nothing pending."""
    people, shields = turn.table.people, list[bool]()
    for step in playing.steps:
        if step.attach is not None:
            title = playing.of
            for name in characters_of(turn, step.attach.target, playing):
                if any(title_of(card) == title for card in people[name].tucked):
                    return "same-title"  # HA-B-9
        if step.control is not None and any(
            people[name].prince for name in characters_of(turn, step.control.target, playing)
        ):
            return "bad-target"  # HA-M-3
        if step.melee is not None:
            attackers = characters_of(turn, step.melee.attacker, playing)
            defenders = characters_of(turn, step.melee.defender, playing)
            if {people[name].by for name in attackers} & {people[name].by for name in defenders}:
                return "own-side"  # HA-H-4
        if step.shield is not None:
            shields.append(shields_from(turn, step.shield, playing))
    return "not-pending" if shields and not any(shields) else None  # HR-16


# Playing ----------------------------------------------------------------------------------------------------------


def pay_for(turn: Turn, seat: SeatId, ready: Ready) -> None:
    """Take a card out of the hand and pay its cost. A cost is neither a forced turn nor a loss (HR-17, HR-49)."""
    playing = ready.playing
    if playing.card is not None:
        turn.take_from_hand(seat, playing.card)
    if ready.turns is not None:
        turn.table.people[ready.turns].turned = True
    if ready.action is not None and ready.action.cost.favor is not None:
        turn.table.favor[seat] -= ready.action.cost.favor


def play_card(turn: Turn, seat: SeatId, ready: Ready, act: int) -> Reason:
    """Play a card at a chance: pay, reveal, let the others counter or react, and carry it out. Return the result."""
    pay_for(turn, seat, ready)
    turn.tell(_played(turn, seat, ready, act))
    stopped = _opposed(turn, seat, ready)
    if stopped is None:
        stopped = settle_card(turn, ready.playing)
    else:
        turn.actions = turn.actions.discard(ready.playing.card or "")
    return stopped or "done"


def _played(turn: Turn, seat: SeatId, ready: Ready, act: int) -> facts.Played:
    playing, action = ready.playing, ready.action
    assert action is not None
    assert playing.card is not None
    return facts.Played(
        act=act,
        seat=seat,
        card=playing.card,
        at=tuple(playing.names.values()),
        trigger=playing.answers.trigger if playing.answers is not None else None,
        turned=ready.turns,
        paid=action.cost.favor or 0,
    )


def _opposed(turn: Turn, seat: SeatId, ready: Ready) -> Reason | None:
    """Return `countered` or `cancelled` if a revealed card is stopped before it works (HA-B-6, HA-P-6)."""
    playing, action = ready.playing, ready.action
    assert action is not None
    hits = tuple(playing.names.values())
    if action.spell:
        spell = Pending(trigger=None, cause=seat, card=action.id, spell=True, hits=hits)
        cast(turn, spell)
        if spell.stopped:
            turn.tell(facts.Stopped(card=action.id, why="countered"))
            return "countered"
        return None
    pending = Pending(trigger="card_played", cause=seat, card=action.id, hits=hits)
    react(turn, pending)
    return "cancelled" if pending.stopped else None


def settle_card(turn: Turn, playing: Playing) -> Reason | None:
    """Carry out a card if its targets still fit, and discard it unless it was tucked (HA-B-6, HA-O-11, HR-19)."""
    vanished = not _still_fits(turn, playing)
    if vanished:
        turn.tell(facts.Stopped(card=playing.of, why="vanished"))
    else:
        try:
            work_steps(turn, playing)
        except Stop:
            _lay_aside(turn, playing)  # its last step is a melee that goes on in another window
            raise
    _lay_aside(turn, playing)
    return "vanished" if vanished else None


def _lay_aside(turn: Turn, playing: Playing) -> None:
    """Discard a card that has worked, unless it was tucked."""
    if playing.card is not None and not playing.tucked:
        turn.actions = turn.actions.discard(playing.card)


def _still_fits(turn: Turn, playing: Playing) -> bool:
    """True if all named targets still match what the card asks for."""
    asks = turn.table.index.asks[playing.of]
    return all(playing.names[ask.name] in turn.table.values(ask.filter, playing.me) for ask in asks)


# Spells -----------------------------------------------------------------------------------------------------------


def cast(turn: Turn, spell: Pending) -> None:
    """Run the spellcasting phase. Wizards counter the top of the stack one by one; an odd number of counters stops the spell (HA-O-4 to O-6)."""
    if not any(turn.plan(seat, "counters").lines for seat in turn.start.ring):
        return
    turn.table.pending.append(spell)
    order = clockwise(turn.start.ring, left_of(turn.start.ring, spell.cause))
    top, passes, chance = spell.cause, 0, 0
    while passes < len(order):
        seat = order[chance % len(order)]
        chance += 1
        wizard = _counters(turn, seat, spell) if seat != top else None
        if wizard is None:
            passes += 1
            continue
        line, name = wizard
        passes, top = 0, seat
        spell.depth += 1
        turn.table.people[name].turned = True
        line.acts.append(0)
        assert spell.card is not None
        turn.tell(facts.Countered(seat=seat, character=name, card=spell.card, number=spell.depth))
    turn.table.pending.pop()
    spell.stopped = spell.depth % 2 == 1


def _counters(turn: Turn, seat: SeatId, spell: Pending) -> tuple[Progress, str] | None:
    """A player's first line that can counter now, with the Wizard it names; None if there is none (HA-O-5; HA-W-14)."""
    able = wizards_of(turn, seat)
    for line, step in turn.plan(seat, "counters").steps:
        if not turn.holds(seat, line):
            continue
        name = step.args["character"]
        if name not in able:
            line.fault = line.fault or no_wizard(turn, seat, name)
        elif turn.countered[seat, line.number] < int(step.args.get("number", "1")):
            turn.countered[seat, line.number] += 1
            return line, name
    return None


def no_wizard(turn: Turn, seat: SeatId, name: str) -> Reason:
    """Return why a character who is not one of `wizards_of` cannot counter for the player."""
    one = turn.table.people.get(name)
    if one is None:
        return "not-in-play"
    if one.by != seat:
        return "not-yours"
    return "no-wizard" if "Wizard" not in turn.table.keywords(name) else "turned"


# Reactions --------------------------------------------------------------------------------------------------------


def react(turn: Turn, pending: Pending) -> None:
    """Run the reaction ring. Players play cards one by one, and the last card works first (HA-P-3, HA-P-4; HA-W-13)."""
    if turn.rings >= MOST_RINGS or not any(turn.plan(seat, "reactions").lines for seat in turn.start.ring):
        return
    turn.rings += 1
    turn.table.pending.append(pending)
    order = clockwise(turn.start.ring, left_of(turn.start.ring, pending.cause))
    stack: list[tuple[Progress, Playing]] = []
    passes = chance = 0
    while passes < len(order):
        seat = order[chance % len(order)]
        chance += 1
        found = _reaction(turn, seat, pending)
        if found is None:
            passes += 1
            continue
        passes = 0
        line, ready = found
        if _reveal(turn, seat, line, ready):
            stack.append((line, ready.playing))
            pending.shields += any(
                step.shield is not None and shields_from(turn, step.shield, ready.playing)
                for step in ready.playing.steps
            )
    for line, playing in reversed(stack):
        line.end = settle_card(turn, playing) or line.end
    turn.table.pending.pop()
    turn.rings -= 1


def _reaction(turn: Turn, seat: SeatId, pending: Pending) -> tuple[Progress, Ready] | None:
    """A player's first line whose trigger, condition, card and targets fit, ready to be played."""
    plan = turn.plan(seat, "reactions")
    for line, step in plan.steps:
        if line.number in plan.done or step.args["trigger"] != pending.trigger:
            continue
        if not _hits(turn, seat, step) or not turn.holds(seat, line):
            line.asked = True
            continue
        card = step.args["card"]
        ready = aimed(turn, step, lambda at, card=card: ready_card(turn, seat, card, at, "reaction", pending))  # type: ignore[misc]  # the default binds this iteration's card
        if isinstance(ready, Ready):
            plan.done.add(line.number)
            return line, ready
        line.fault = line.fault or ready
    return None


def _hits(turn: Turn, seat: SeatId, step: Line) -> bool:
    """True if the line names no target (`of`), or if what it names is hit."""
    return "target" not in step.args or bool(turn.ask(seat).flag("hits", (step.args["target"],)))


def _reveal(turn: Turn, seat: SeatId, line: Progress, ready: Ready) -> bool:
    """Play a reaction, and return True if it comes onto the stack. Its line is spent (HR-42); no act is counted (HA-E-10)."""
    pay_for(turn, seat, ready)
    turn.tell(_played(turn, seat, ready, 0))
    line.acts.append(0)
    _spend(turn, seat, line)
    stopped = _opposed(turn, seat, ready)
    line.end = stopped or "spent"
    if stopped is not None:
        turn.actions = turn.actions.discard(ready.playing.card or "")
    return stopped is None


def _spend(turn: Turn, seat: SeatId, line: Progress) -> None:
    """Remove a spent reaction from a player's standing orders."""
    kept = turn.standing[seat]
    left = [*(kept.reactions or ())]
    plan = turn.plan(seat, "reactions")
    gone = sum(number < line.number for number in plan.done)
    del left[line.number - gone]
    turn.standing[seat] = replace(kept, reactions=tuple(left))
