"""The Draw phase: the base draw, one draw for each open slot and for each character turned, and trade-ins (HA-F)."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.heir_apparent import events as facts
from adjudicator.rulesets.heir_apparent.orders import BASE, SLOT, Step
from adjudicator.rulesets.heir_apparent.plans import Plan, Progress, Reason
from adjudicator.rulesets.heir_apparent.position import MOST_CHARACTERS
from adjudicator.rulesets.heir_apparent.rounds import bar_to_turn
from adjudicator.rulesets.heir_apparent.work import Turn


@dataclass(slots=True)
class Slots:
    """The draws that a player has left (HA-F-10)."""

    fresh: int
    """Open slots whose draw has not been made."""
    used: int = 0
    """Open slots whose draw has been made."""
    base: bool = True
    """True if the base draw is left."""
    refused: bool = False
    """True if a Character has been refused (HA-F-12, HA-F-13)."""

    def fill(self) -> None:
        """Fill a slot with a Character: one that had its draw, or else a fresh one, whose draw is lost (HA-F-9, HA-F-10)."""
        if self.used:
            self.used -= 1
        elif self.fresh:
            self.fresh -= 1


def draw_phase(turn: Turn, seat: SeatId) -> None:
    """Run a player's Draw phase by their plan. Without one, draw an Action card for the base and for each slot (HA-F-1, HA-W-4)."""
    own = turn.own[seat]
    own.drawn, own.last = [], None
    open_ = MOST_CHARACTERS - len(turn.table.court_of(seat)) if seat == turn.table.active else 0  # HA-F-19
    slots = Slots(fresh=max(0, open_))
    if (seat, "draw") in turn.plans:
        _by_plan(turn, turn.plan(seat, "draw"), slots)
    else:
        for _ in range(1 + slots.fresh):
            own.drawn += turn.draw_actions(seat, 1)
    own.drawn, own.last = None, None


def _by_plan(turn: Turn, plan: Plan, slots: Slots) -> None:
    """Make the draws of a plan one by one, in the order written (HA-F-18)."""
    for line, step in plan.steps:
        if not turn.holds(plan.seat, line):
            continue
        fault = _right(turn, plan.seat, step, slots)
        if fault is not None:
            line.fault = line.fault or fault
            continue
        line.acts.append(0)
        _draw(turn, plan.seat, step.args["deck"], slots)


def _right(turn: Turn, seat: SeatId, step: Step, slots: Slots) -> Reason | None:
    """Use up the right to a draw, or return why the player has none. A right is spent even if nothing can be drawn (HR-12)."""
    if seat != turn.table.active and step.args.get("character") != BASE:
        return "not-next"  # HA-F-19
    if step.kind == "trade":
        return _trade(turn, seat, step)
    by = step.args["character"]
    if by == BASE:
        if not slots.base:
            return "base-taken"
        slots.base = False
        return None
    if by == SLOT:
        if not slots.fresh:
            return "no-slot"
        slots.fresh, slots.used = slots.fresh - 1, slots.used + 1
        return None
    bar = bar_to_turn(turn, seat, by)
    if bar is not None:
        return bar
    if turn.table.people[by].prince:
        return "prince"  # HA-F-5
    turn.table.people[by].turned = True
    turn.tell(facts.Turned(character=by, of=""))
    return None


def _trade(turn: Turn, seat: SeatId, step: Step) -> Reason | None:
    """Discard two cards from the hand, each equipment or a Spell, for a draw (HA-F-17)."""
    hand, named = [*turn.hands[seat]], (step.args["card"], step.args["other"])
    meant: dict[int, str] = {}
    for at in sorted(
        range(2), key=lambda at: "#" not in named[at]
    ):  # named copies first: a title then means another copy
        card = turn.copy_in(hand, named[at])
        if card is None:
            return "not-in-hand"
        hand.remove(card)
        meant[at] = card
    chosen = [meant[at] for at in range(2)]
    for card in chosen:
        action = turn.table.index.action(card)
        if action.kind != "equipment" and not action.spell:
            return "no-trade"
    turn.discard(seat, chosen, "trade")
    return None


def _draw(turn: Turn, seat: SeatId, deck: str, slots: Slots) -> None:
    own = turn.own[seat]
    assert own.drawn is not None
    if deck == "action":
        own.drawn += turn.draw_actions(seat, 1)
        return
    name = turn.draw_character()
    if name is None:
        return
    own.drawn.append(name)
    own.last = turn.table.index.characters[name]
    _keep(turn, seat, name, slots)


def _keep(turn: Turn, seat: SeatId, name: str, slots: Slots) -> None:
    """Play a drawn Character or refuse it, by the first line of `keep` that holds (HA-F-7, F-8, F-12 to F-14)."""
    refuses, releasing, told = _wish(turn, seat, slots)
    if refuses and not slots.refused:
        slots.refused = True
        turn.characters = turn.characters.discard(name)
        turn.tell(facts.Refused(seat=seat, character=name))
        return
    turn.put_in_play(seat, name, turned=True)
    turn.tell(facts.Came(seat=seat, character=name))
    if told is not None and releasing is not None and turn.table.people.get(releasing) is None:
        told.fault = told.fault or "not-in-play"
    if len(turn.table.court_of(seat)) <= MOST_CHARACTERS:
        slots.fill()
        return
    # HA-F-13: the newcomer may be released instead of another only as the player's one refusal.
    barred = name if slots.refused else None
    turn.newcomers.add(name)
    gone = turn.choose_release(seat, releasing, barred)
    turn.newcomers.discard(name)
    slots.refused = slots.refused or gone == name
    turn.release(gone)


def _wish(turn: Turn, seat: SeatId, slots: Slots) -> tuple[bool, str | None, Progress | None]:
    """Whether a player refuses the Character just drawn, the character they release for it, and the line that decides.

    If no line holds, the Character is played if a slot is open and refused otherwise (HA-W-9).
    """
    for line, step in turn.plan(seat, "keep").steps:
        if not turn.holds(seat, line):
            continue
        if step.kind == "refuse":
            if slots.refused:
                line.fault = line.fault or "refused-before"
            else:
                line.acts.append(0)
            return True, None, line
        line.acts.append(0)
        return False, step.args.get("character"), line
    return len(turn.table.court_of(seat)) >= MOST_CHARACTERS, None, None
