"""What a player should know when a turn opens: who they are, what they hold, what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.heir_apparent.index import Index, index_of, title_of
from adjudicator.rulesets.heir_apparent.options import vain_lines
from adjudicator.rulesets.heir_apparent.picture import kind_of
from adjudicator.rulesets.heir_apparent.position import Phase, Position, left_of
from adjudicator.rulesets.heir_apparent.table import Table


def brief(view: Position, seat: SeatId) -> tuple[str, ...]:
    """Sentences for one player."""
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
    elif view.phase is not Phase.AUCTION:
        yield "Your hand is empty."
    kept = view.standing.get(seat)
    if kept is not None:
        dead = vain_lines(view, seat, kept)
        for name in ("melee", "reactions", "counters", "discard", "release"):
            lines = [line for line in getattr(kept, name) or () if line not in dead]
            if lines:
                yield f"Still standing from your earlier sheets, {name}: {'; '.join(lines)}."
        if dead:
            yield f"Standing still, though nothing can come of them as things are: {'; '.join(dead)}."
    match view.phase:
        case Phase.AUCTION:
            last = " If you are the richest afterwards you draw at once: say how." if view.round == 5 else ""
            yield f"Bid for the first choice from the row, and say whom you wish for.{last}"
        case Phase.MAIN:
            assert view.active is not None
            other = f"It is {whose(index.name(view.players[view.active].prince))} turn; say what stands of your plans."
            yield "It is your turn: plan your actions." if view.active == seat else other
        case Phase.EVENT | Phase.REOPENED:
            assert view.active is not None
            if view.event is not None:
                event = index.events[view.event]
                turn = "your" if view.active == seat else whose(index.name(view.players[view.active].prince))
                yield f"The Event of {turn} turn is {event.name}: {kind_of(event)}. {event.text}"
            if view.active == seat and view.event is not None and index.events[view.event].choice:
                yield f"The Event asks you to choose: {', '.join(index.events[view.event].choice)}."
            if left_of(view.ring, view.active) == seat and view.events:
                yield "The next turn is yours: say what you draw."
            yield f"You have {many(player.reopenings, 'reopen token')}."


def _described(view: Position, index: Index, table: Table, name: str) -> str:
    """`Lord Marrow (lord-marrow, 4/1, turned, with Glass Oath)`: Politics and Combat as they are now."""
    one = table.people[name]
    told = [name, f"{table.rating(name, 'politics')}/{table.rating(name, 'combat')}"]
    told += sorted(table.keywords(name))
    told += ["turned"] if one.turned else []
    told += [f"with {join_words(index.name(card) for card in one.tucked)}"] if one.tucked else []
    told += [f"borrowed from {index.name(view.players[one.home].prince)}"] if one.home is not None else []
    return f"{index.name(name)} ({', '.join(told)})"
