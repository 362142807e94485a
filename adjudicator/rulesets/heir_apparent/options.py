"""Orders that a seat may give, as far as its view shows: for checks of sheets, for stand-ins, and for lists of options.

There are countless conditions, so an option is a line without one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from adjudicator.core.contract.conditions import Compared, Condition, Term
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.cards import BACK
from adjudicator.rulesets.heir_apparent.chain import no_wizard
from adjudicator.rulesets.heir_apparent.index import filter_of, title_of
from adjudicator.rulesets.heir_apparent.orders import (
    BASE,
    MOST_STEPS,
    PARTS,
    SLIPS,
    SLOT,
    AuctionSheet,
    ChoiceSheet,
    EventSheet,
    MainSheet,
    Standing,
    Step,
    Unreadable,
    sheet_type,
)
from adjudicator.rulesets.heir_apparent.plans import ILLEGAL, PRINCES, RULES, Reason
from adjudicator.rulesets.heir_apparent.position import Kept, Phase, Position, left_of
from adjudicator.rulesets.heir_apparent.prose import REASONS, act_of
from adjudicator.rulesets.heir_apparent.rounds import bar_to_turn, looked_at, prepared, thing_meant
from adjudicator.rulesets.heir_apparent.table import ATTACK, DEFENCE
from adjudicator.rulesets.heir_apparent.titles import ActPhase
from adjudicator.rulesets.heir_apparent.variables import FLAGS, NUMBERS, PLANS, PLAYED_IN, Part, means
from adjudicator.rulesets.heir_apparent.work import Turn, Unseen

# Checking ----------------------------------------------------------------------------------------------------------


def check(view: Position, seat: SeatId, sheet: Standing) -> tuple[Remark, ...]:
    """Remarks on a sheet, as far as the view shows its faults."""
    return tuple(_remarks(view, seat, sheet))


def _remarks(view: Position, seat: SeatId, sheet: Standing) -> Iterator[Remark]:
    turn = looked_at(view)
    if BACK in turn.hands[seat]:
        turn.hands[seat] = Unseen(turn.hands[seat])
    for part in PARTS:
        lines = getattr(sheet, part, None) or ()
        steps = [turn.reader.read(part, line) for line in lines]
        yield from _never_done(part, steps)
        for number, step in enumerate(steps):
            place = (part, number)
            if isinstance(step, Unreadable):
                yield Remark(place, step.what, _right(turn, view, seat, part, step))
            elif number >= MOST_STEPS and part != "reopen":
                yield Remark(place, f"a list can have at most {MOST_STEPS} lines (HA-W-7)", "leave the others out")
            else:
                yield from _idle(turn, seat, part, step, place)
    yield from _not_theirs(view, seat, sheet)
    yield from _unknown(turn, view, seat, sheet)


CALLED = re.compile(r"no (\w+) is called '(.*)'")
"""Matches the fault for an unknown name: the blank it fills, and the name."""


def _right(turn: Turn, view: Position, seat: SeatId, part: Part, line: Unreadable) -> str:
    """A suggestion to replace an unreadable line, using only names in play, in the hand or in the row (HE-8)."""
    if line.right in {slip.right for slip in SLIPS}:
        return line.right
    people = sorted(turn.table.people) + sorted(view.row)
    cards = sorted({title_of(card) for card in turn.hands[seat] if card != BACK})
    mine = [name for name in turn.table.court_of(seat) if not turn.table.people[name].turned]
    rivals = [prince for other, prince in turn.table.princes.items() if other != seat]
    said = CALLED.match(line.what)
    if said is not None and said[1] in {"character", "fighter", "person", "target", "thing", "card", "other"}:
        known = cards if said[1] in {"card", "other"} else [*people, *(cards if said[1] in {"target", "thing"} else ())]
        if known:
            return nearest(said[2], known) or f"choose from {', '.join(known[:MOST_NAMES])}"
    if not line.right.startswith("such as"):
        return line.right
    contest = turn.table.contest
    samples = {
        "character": mine[0] if mine else turn.table.princes[seat],
        "fighter": next((name for name in mine if "Fighter" in turn.table.keywords(name)), ""),
        "card": cards[0] if cards else "",
        "other": cards[-1] if cards else "",
        "prince": rivals[0],
        "target": rivals[0],
        "person": "me",
        "pool": "me" if contest else "support",
    }
    return turn.reader.hint(part, line.line, {name: text for name, text in samples.items() if text}) or line.right


MOST_NAMES = 16
"""Most names that a fault lists."""


def _idle(turn: Turn, seat: SeatId, part: Part, step: Step, place: tuple[str | int, ...]) -> Iterator[Remark]:
    """Warnings about lines that may do nothing, as far as the view shows: meaningless conditions, and acts that are impossible now."""
    table = turn.table
    for name in _names(step.condition) if step.condition is not None else ():
        if not means(table, part, name):
            where = (NUMBERS.get(name) or FLAGS[name]).where
            what = f"{name} means something only {where}, so the condition never holds (HA-W-6)"
            yield Remark(place, what, "test something else", level="warning")
    bar = _bar(turn, seat, part, step)
    if bar is not None:
        rule = PRINCES.get(step.kind, RULES[bar]) if bar == "prince" else RULES[bar]
        what = f"{act_of(step.line)}: {REASONS[bar]} ({rule})"
        never = bar in ILLEGAL
        yield Remark(place, what, "leave it out" if never else "it may be possible later", level="warning")
    if step.kind == "react" and step.args["trigger"] == "card_played" and not re.search(r"\bby\(", step.line):
        what = "this answers your own cards too"
        yield Remark(place, what, "add `if not by(me)`, or say whose cards", level="warning")


def _bar(turn: Turn, seat: SeatId, part: Part, step: Step) -> Reason | None:
    """The reason that bars a line now, if any. A hand that the view does not show may hold anything."""
    table, people = turn.table, turn.table.people
    match step.kind:
        case "react":
            if step.args["trigger"] not in table.index.action(step.args["card"]).trigger:
                return "other-trigger"
            held = turn.copy_in(turn.hands[seat], step.args["card"])
            return "not-in-hand" if held is None else None
        case "counter":
            return _for_good(no_wizard(turn, seat, step.args["character"]))
        case "assist":
            name = step.args["character"]
            bar = _for_good(bar_to_turn(turn, seat, name))
            return bar or ("prince" if people[name].prince else None if table.rating(name, "combat") else "no-combat")
        case "play" if part == "melee":
            action = table.index.action(step.args["card"])
            held = turn.copy_in(turn.hands[seat], step.args["card"])
            return "not-in-hand" if held is None else None if "melee" in action.phases else "other-phase"
        case "draw" if step.args["character"] not in (BASE, SLOT):
            name = step.args["character"]
            return bar_to_turn(turn, seat, name) or ("prince" if people[name].prince else None)
        case "trade":
            hand = [card for card in turn.hands[seat] if card != BACK]
            hidden = len(hand) < len(turn.hands[seat])
            for key in ("card", "other"):
                card = turn.copy_in(hand, step.args[key])
                if card is None:
                    return None if hidden else "not-in-hand"
                action = table.index.action(card)
                if action.kind != "equipment" and not action.spell:
                    return "no-trade"
                hand.remove(card)
            return None
        case "join" if (
            part == "event" and step.condition is None and bar_to_turn(turn, seat, step.args["character"]) == "turned"
        ):
            return "turned"
        case "ask":
            return None if turn.table.reopenings[seat] else "no-token"
        case "enough":
            helpers = [name for name in step.args["helpers"].split(", ") if name in table.index.characters]
            gone = [bar for name in helpers if (bar := _for_good(bar_to_turn(turn, seat, name))) is not None]
            return gone[0] if gone and len(gone) == len(helpers) else None
        case "join" | "free" | "play" | "use" | "draw with" | "attack" | "unturn" if part in ("actions", "event"):
            if part == "event" and not table.open:
                return None
            found = prepared(turn, seat, step, "action" if part == "actions" else "event")
            return _for_good(found) if isinstance(found, str) else None
        case _:
            return None


def vain_lines(view: Position, seat: SeatId, kept: Kept) -> list[str]:
    """Lines of earlier sheets that can do nothing now: a character they name is gone, or the card is not in the hand (HE-11)."""
    turn, dead = looked_at(view), list[str]()
    for part in ("melee", "reactions", "counters"):
        for line in getattr(kept, part) or ():
            step = turn.reader.read(part, line)
            if isinstance(step, Step) and _bar(turn, seat, part, step) in GONE:
                dead.append(line)
    return dead


GONE = frozenset({"not-in-play", "not-yours", "not-in-hand", "other-trigger", "no-wizard"})
"""Reasons that keep a line of an earlier sheet from doing anything."""


def _for_good(bar: Reason | None) -> Reason | None:
    """The reason that bars a line, unless that may well change before the line's chance."""
    return bar if bar not in CHANGING else None


def _never_done(part: Part, steps: Sequence[Step | Unreadable]) -> Iterator[Remark]:
    """Warnings about `done(...)` with a name that no line of the list has (HA-W-6)."""
    names = {step.name for step in steps if isinstance(step, Step)} - {""}
    for number, step in enumerate(steps):
        if not isinstance(step, Step) or step.condition is None or part not in PLAYED_IN[PLANS]:
            continue
        asked = [flag for flag in _flags(step.condition) if flag.name == "done" and flag.arguments[0] not in names]
        for flag in asked:
            right = nearest(flag.arguments[0], names) or f"end the line you mean with `as {flag.arguments[0]}`"
            yield Remark((part, number), f"{flag}: no line of `{part}` has this name (HA-W-6)", right, level="warning")


CHANGING = frozenset({"turned", "closed-pool", "bad-target", "gave-before", "nobody-to-turn", "no-favor", "same-title"})
"""Reasons that bar a line now but may well change before its chance, so there is no warning."""


def _names(condition: Condition) -> Iterator[str]:
    for clause in condition.clauses:
        if isinstance(clause, Compared):
            yield from (side.name for side in (clause.left, clause.right) if isinstance(side, Term))
    yield from (flag.name for flag in _flags(condition))


def _flags(condition: Condition) -> Iterator[Term]:
    return (clause.flag for clause in condition.clauses if not isinstance(clause, Compared))


def _not_theirs(view: Position, seat: SeatId, sheet: Standing) -> Iterator[Remark]:
    """Warnings about parts that are for another player in this turn, and about bids that do not count as written."""
    mine = view.active == seat
    following = left_of(view.ring, view.active) if view.active is not None else None
    draws = view.phase is Phase.AUCTION or following == seat or view.settings.draws == "all"
    told = {"actions": mine, "choice": mine, "unturn": mine, "draw": draws, "keep": draws}
    for key, theirs in told.items():
        if not theirs and getattr(sheet, key, None):
            what = f"{key} is for the {'next' if key in ('draw', 'keep') else 'active'} player, but that is not you"
            yield Remark((key,), what, "leave it out", level="warning")
    if isinstance(sheet, AuctionSheet) and isinstance(sheet.bid, int):
        favor = view.players[seat].favor
        if sheet.bid > favor:
            yield Remark(
                ("bid",), f"you have {favor} favor (HA-D-10)", f"{sheet.bid} counts as {favor}", level="warning"
            )
        elif sheet.bid < 0:
            yield Remark(("bid",), f"{sheet.bid} cannot be a bid", "write 0 or more, or pass", level="warning")


def _unknown(turn: Turn, view: Position, seat: SeatId, sheet: Standing) -> Iterator[Remark]:
    """Remarks on names that no card has, or that cannot be used here."""
    table, reader = turn.table, turn.reader
    known = {*table.index.characters, *table.index.princes, *table.index.actions}
    known |= {card for action in table.index.actions.values() for card in action.cards}
    for key in ("wishes", "discard", "release", "unturn"):
        names = getattr(sheet, key, None)
        for number, name in enumerate(names if isinstance(names, tuple) else ()):
            meant = reader.named(name, "character" if key == "wishes" else "thing")
            if meant not in known:
                right = nearest(meant, known) or "see the chapter about the cards"
                yield Remark((key, number), f"no card is called {name!r:.40}", right)
            elif key == "wishes" and meant not in view.row:
                yield Remark(
                    (key, number), f"{name} is not in the row", "the row: " + ", ".join(view.row), level="warning"
                )
    if isinstance(sheet, EventSheet | ChoiceSheet) and table.event is not None:
        made = isinstance(sheet, EventSheet) and (view.settings.choice == "window" or view.phase is not Phase.EVENT)
        for name in sheet.choice:
            if made and name in table.event.choice:
                yield Remark(
                    ("choice", name), "the choice has already been made (HA-W-3)", "leave it out", level="warning"
                )
            elif name not in table.event.choice:
                right = "it asks for " + ", ".join(table.event.choice) if table.event.choice else "leave it out"
                yield Remark(("choice", name), f"{table.event.name} does not ask for {name!r:.40}", right)
        yield from _choices_of(turn, view, seat, sheet)


def _choices_of(turn: Turn, view: Position, seat: SeatId, sheet: EventSheet | ChoiceSheet) -> Iterator[Remark]:
    """Remarks on values that cannot be chosen now (HA-I-1)."""
    if seat != view.active:
        return
    legal: dict[str, list[str]] = {}
    for name, value in choices(turn, seat):
        legal.setdefault(name, []).append(value)
    for name, given in sheet.choice.items():
        for value in (given,) if isinstance(given, str) else given:
            meant = thing_meant(turn, seat, value)
            if name in legal and meant not in legal[name]:
                right = nearest(meant, legal[name]) or f"choose from {', '.join(legal[name][:MOST_NAMES])}"
                yield Remark(("choice", name), f"{value!r:.40} cannot be chosen as {name} (HA-I-1)", right)


# Options -----------------------------------------------------------------------------------------------------------


def options(view: Position, seat: SeatId) -> Iterable[Standing]:
    """Legal sheets of one line each, from the seat's current view."""
    turn = looked_at(view)
    kind: Any = sheet_type(view, seat)
    chosen = choices(turn, seat) if view.active == seat else ()
    if kind is AuctionSheet:
        yield from (AuctionSheet(bid=bid) for bid in range(view.players[seat].favor + 1))
        yield from (AuctionSheet(wishes=(name,)) for name in view.row)
    elif kind is MainSheet:
        if view.active == seat:
            yield from (MainSheet(actions=(line,)) for line in legal_lines(turn, seat, "actions"))
    elif kind is ChoiceSheet:
        yield from (ChoiceSheet(choice={name: value}) for name, value in chosen)
    else:
        yield from (EventSheet(event=(line,)) for line in legal_lines(turn, seat, "event"))
        if view.phase is Phase.EVENT and view.settings.choice == "sheet":
            yield from (EventSheet(choice={name: value}) for name, value in chosen)
    for part, lines in (
        ("melee", _melees(turn, seat)),
        ("reactions", _reactions(turn, seat)),
        ("counters", _counters(turn, seat)),
    ):
        yield from (kind(**{part: (line,)}) for line in lines)


def choices(turn: Turn, seat: SeatId) -> Iterator[tuple[str, str]]:
    """Each choice that the Event asks for with each legal value, as (name, value)."""
    event = turn.table.event
    for name, words in event.choice.items() if event is not None else ():
        yield from ((name, value) for value in turn.table.values(filter_of(words), seat))


def legal_lines(turn: Turn, seat: SeatId, part: Part) -> Iterator[str]:
    """The acts that a player could do now, if it were their chance."""
    phase: ActPhase = "action" if part == "actions" else "event"
    for line in _candidates(turn, seat, part):
        step = turn.reader.read(part, line)
        if isinstance(step, Step) and not isinstance(prepared(turn, seat, step, phase), str):
            yield step.line


def _candidates(turn: Turn, seat: SeatId, part: Part) -> Iterator[str]:
    table = turn.table
    mine = sorted(name for name, one in table.people.items() if one.by == seat and not one.turned)
    if part == "event":
        pools = table.pools
        yield from (f"join {name} for {pool}" for name in mine for pool in pools)
        yield from (f"prince for {pool}" for pool in pools)
    else:
        theirs = sorted(name for name, one in table.people.items() if one.by != seat and not one.prince)
        yield "unturn"
        yield from (f"draw with {name}" for name in mine)
        yield from (f"attack {foe} with {name}" for name in mine for foe in theirs)
    for name in mine:
        for ability in table.index.abilities(name):
            for at in _targets(turn, seat, f"{name}/{ability.id}"):
                yield f"use {name} {ability.id}{at}"
    for card in sorted({card for card in turn.hands[seat] if card != BACK}):
        for at in _targets(turn, seat, title_of(card)):
            yield f"play {card}{at}"


def _targets(turn: Turn, seat: SeatId, asking: str) -> Iterator[str]:
    """Every way to name a card's targets, as the text that follows the card."""
    choices_ = [turn.table.values(ask.filter, seat) for ask in turn.table.index.asks[asking]]
    for named in itertools.product(*choices_):
        yield f" at {', '.join(named)}" if named else ""


def _melees(turn: Turn, seat: SeatId) -> Iterator[str]:
    able = [name for name in turn.table.court_of(seat) if turn.table.rating(name, "combat") > 0]
    yield from (f"assist {side} with {name}" for name in able for side in (ATTACK, DEFENCE))


def _reactions(turn: Turn, seat: SeatId) -> Iterator[str]:
    for card in sorted({card for card in turn.hands[seat] if card != BACK}):
        action = turn.table.index.action(card)
        asks = turn.table.index.asks[action.id]
        if not asks or all(ask.filter.kind == "character" for ask in asks):
            yield from (f"on {trigger} play {card}" for trigger in action.trigger)


def _counters(turn: Turn, seat: SeatId) -> Iterator[str]:
    people = turn.table.people
    mine = (name for name in sorted(people) if people[name].by == seat and "Wizard" in turn.table.keywords(name))
    yield from (f"counter with {name}" for name in mine)
