"""A player's briefing when a turn opens: who they are, what they hold, and what they have to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.heir_apparent.index import Index, index_of, title_of
from adjudicator.rulesets.heir_apparent.options import vain_lines
from adjudicator.rulesets.heir_apparent.orders import EventSheet, MainSheet, sheet_type
from adjudicator.rulesets.heir_apparent.picture import kind_of
from adjudicator.rulesets.heir_apparent.plans import RULES
from adjudicator.rulesets.heir_apparent.position import Phase, Position, left_of
from adjudicator.rulesets.heir_apparent.prose import REASONS
from adjudicator.rulesets.heir_apparent.rounds import bar_of, looked_at
from adjudicator.rulesets.heir_apparent.table import Table
from adjudicator.rulesets.heir_apparent.titles import ActPhase


def brief(view: Position, seat: SeatId) -> tuple[str, ...]:
    """The sentences of one player's briefing."""
    return tuple(_sentences(view, seat))


def _sentences(view: Position, seat: SeatId) -> Iterator[str]:
    index, player = index_of(view.settings.set), view.players[seat]
    yield f"You are {index.name(player.prince)} and have {player.favor} favor."
    table = Table(view)
    mine = [player.prince, *table.court_of(seat)]
    yield f"Your characters: {'; '.join(_described(view, index, table, name) for name in mine)}."
    able = [name for name in mine if index.abilities(name)]
    yield from (f"{index.name(name)}: {index.person(name).text}" for name in able)
    if player.hand:
        yield f"Your hand: {', '.join(f'{index.name(card)} ({card})' for card in player.hand)}."
        yield from (
            f"{index.name(title)}: {index.action(title).text}" for title in dict.fromkeys(map(title_of, player.hand))
        )
        yield from _barred(view, seat, index)
    elif view.phase is not Phase.AUCTION:
        yield "Your hand is empty."
    kept = view.standing.get(seat)
    if kept is not None:
        dead = vain_lines(view, seat, kept)
        for name in ("melee", "reactions", "counters", "discard", "release"):
            lines = [line for line in getattr(kept, name) or () if line not in dead]
            if lines:
                yield f"Still in force from your earlier sheets ({name}): {'; '.join(lines)}."
        if dead:
            yield f"Still in force, though nothing can come of them now: {'; '.join(dead)}."
    match view.phase:
        case Phase.AUCTION:
            last = " If you are the richest afterwards you draw at once: say how." if view.round == 5 else ""
            yield f"Bid for the first choice from the row, and say whom you wish for.{last}"
        case _:
            yield from _of_turn(view, seat, index)


WHEN: Mapping[str, str] = {
    "action": "the Actions phase", "event": "Events", "melee": "melees", "reaction": "reactions",
}  # fmt: skip
"""Phase of a card -> its name in a sentence."""


def _barred(view: Position, seat: SeatId, index: Index) -> Iterator[str]:
    """Sentences about cards in the hand that cannot be played in this window, with the reasons (HE-4)."""
    kind = sheet_type(view, seat)
    if kind is not EventSheet and not (kind is MainSheet and view.active == seat):
        return
    turn = looked_at(view)
    phase: ActPhase = "event" if kind is EventSheet else "action"
    for card in dict.fromkeys(map(title_of, view.players[seat].hand)):
        if phase not in index.action(card).phases:
            when = join_words(WHEN[one] for one in index.action(card).phases)
            yield f"{index.name(card)} cannot be played in this window: it is for {when} (HA-B-10)."
        elif (bar := bar_of(turn, seat, card, phase)) is not None:
            why = "it has nothing to aim at" if bar == "bad-target" else REASONS[bar]
            yield f"{index.name(card)} cannot be played now: {why} ({RULES[bar]})."


def _of_turn(view: Position, seat: SeatId, index: Index) -> Iterator[str]:
    """Sentences about a window of a turn, and about the player who is to act in it."""
    assert view.active is not None
    mine, active = view.active == seat, index.name(view.players[view.active].prince)
    player, underway = view.players[seat], view.underway
    if underway is not None and underway.asked is not None:
        stopper = index.name(view.players[underway.asked].prince)
        if underway.asked == seat:
            yield "You stopped the run: send a new plan, or it goes on with the one you sent."
        elif view.event is None and not mine:
            yield f"{stopper} stopped the run; it goes on without a sheet of yours, and you may change what stands of your plans."
        else:
            yield f"{stopper} stopped the run: it goes on with the plan you sent, unless you send another."
    if view.event is None:
        if underway is None:
            other = (
                f"It is {whose(active)} turn, and nothing is due from you; you may change what stands of your plans."
            )
            yield "It is your turn: plan your actions." if mine else other
    else:
        event = index.events[view.event]
        yield f"The Event of {'your' if mine else whose(active)} turn is {event.name}: {kind_of(event)}. {event.text}"
        if view.phase is Phase.CHOICE:
            asks = join_words([f"the {one}" for one in event.choice])
            yield f"The Event asks you to choose {asks}." if mine else f"{active} chooses {asks}."
        elif view.phase is Phase.EVENT and view.settings.choice == "sheet" and mine and event.choice:
            yield f"The Event asks you to choose {join_words([f'the {one}' for one in event.choice])}."
        yield from (f"Chosen as {name}: {index.name(value)}." for name, value in view.chosen.items())
        next_ = view.settings.draws == "all" or left_of(view.ring, view.active) == seat
        if next_ and view.events and view.phase is not Phase.CHOICE:
            yours = left_of(view.ring, view.active) == seat
            yield "The next turn is yours: say what you want to draw." if yours else "Everybody draws next: say how."
    if view.phase is not Phase.CHOICE:
        yield f"You have {many(player.reopenings, 'reopen token')}."


def _described(view: Position, index: Index, table: Table, name: str) -> str:
    """A character with its current Politics and Combat: `Lord Marrow (4/1, turned, with Glass Oath)`."""
    one = table.people[name]
    told = [f"{table.rating(name, 'politics')}/{table.rating(name, 'combat')}"]
    told += sorted(table.keywords(name))
    told += ["turned"] if one.turned else []
    told += [f"with {join_words(index.name(card) for card in one.tucked)}"] if one.tucked else []
    told += [f"borrowed from {index.name(view.players[one.home].prince)}"] if one.home is not None else []
    return f"{index.name(name)} ({', '.join(told)})"
