"""A table and a chart of the players in a game."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.contract.pages import Chart, Table
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.position import Phase, Position
from adjudicator.rulesets.heir_apparent.resolve import when


def tally(view: Position) -> tuple[Table, ...]:
    """Favor, characters, hands and reopen tokens; the player who would win now comes first (HA-L-9)."""
    index = index_of(view.settings.set)
    popular = {seat: index.princes[view.players[seat].prince].popularity for seat in view.ring}
    rows = tuple(
        (
            seat,
            index.name(view.players[seat].prince),
            popular[seat],
            view.players[seat].favor,
            sum(one.by == seat for one in view.court.values()) - 1,
            len(view.players[seat].hand),
            view.players[seat].reopenings,
        )
        for seat in sorted(view.ring, key=lambda seat: (-view.players[seat].favor, -popular[seat]))
    )
    head = ("Player", "Prince", "Popularity", "Favor", "Characters", "Hand", "Reopen tokens")
    return (Table("Standings", head, rows),)


def chart(views: Iterable[Position]) -> tuple[Chart, ...]:
    """Favor at the start of every window."""
    windows = list(views)
    if not windows:
        return ()
    labels = tuple(when(view) for view in windows)
    ticks = tuple("auction" if view.phase is Phase.AUCTION else str(view.turn) for view in windows)
    lines = {seat: tuple(view.players[seat].favor for view in windows) for seat in windows[0].settings.seats}
    return (Chart("Favor", "favor", labels, lines, "Turn", ticks, tuple(range(len(windows)))),)
