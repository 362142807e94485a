"""What a player should know when a turn opens: who they are, what they hold, what is asked of them."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.position import Phase, Position, left_of


def brief(view: Position, seat: SeatId) -> tuple[str, ...]:
    """Sentences for one player."""
    return tuple(_sentences(view, seat))


def _sentences(view: Position, seat: SeatId) -> Iterator[str]:
    index, player = index_of(view.settings.set), view.players[seat]
    yield f"You are {index.name(player.prince)} and have {player.favor} favor."
    mine = sorted(name for name, one in view.court.items() if one.by == seat and name != player.prince)
    if mine:
        yield f"Your characters: {join_words(index.name(name) for name in mine)}."
    if player.hand:
        yield f"Your hand: {', '.join(f'{index.name(card)} ({card})' for card in player.hand)}."
    elif view.phase is not Phase.AUCTION:
        yield "Your hand is empty."
    kept = view.standing.get(seat)
    if kept is not None:
        for name in ("melee", "reactions", "counters", "discard", "release"):
            lines = getattr(kept, name)
            if lines:
                yield f"Of your earlier sheets stands under {name}: {'; '.join(lines)}."
    match view.phase:
        case Phase.AUCTION:
            last = " If you are the richest afterwards you draw at once: say how." if view.round == 5 else ""
            yield f"Bid for the first choice from the row, and say whom you wish for.{last}"
        case Phase.MAIN:
            yield "It is your turn: plan your actions." if view.active == seat else "It is another player’s turn."
        case Phase.EVENT | Phase.REOPENED:
            assert view.active is not None
            if view.active == seat and view.event is not None and index.events[view.event].choice:
                yield f"The Event asks you to choose: {', '.join(index.events[view.event].choice)}."
            if left_of(view.ring, view.active) == seat and view.events:
                yield "The next turn is yours: say what you draw."
            yield f"You have {many(player.reopenings, 'reopen token')}."
