"""The tally of a game's sides, in tables and over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.contract.pages import Chart, Table
from adjudicator.rulesets.noblesse import picture
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.scenario import RESOURCES


def tally(position: Position) -> tuple[Table, ...]:
    """Tables of the players, and of the factions if the viewer knows who everybody is."""
    rows = [
        (
            seat,
            "lives" if player.alive else "dead",
            player.faction or "unknown",
            player.role or "unknown",
            player.home or "unknown",
        )
        for seat, player in sorted(position.players.items())
    ]
    tables = [Table("Players", ("Player", "State", "Faction", "Role", "Home"), tuple(rows))]
    if not picture.is_partial(position):
        factions = [
            (
                name,
                sum(player.alive and player.faction == name for player in position.players.values()),
                sum(picture.faction_at(position, estate) == name for estate in position.settings.board.estates),
                sum(
                    unit.owner in position.players and position.players[unit.owner].faction == name
                    for unit in position.units.values()
                ),
                len(faction.nobles),
            )
            for name, faction in position.factions.items()
        ]
        tables.append(Table("Factions", ("Faction", "Players", "Estates", "Units", "Nobles"), tuple(factions)))
    return tuple(tables)


def chart(positions: Iterable[Position]) -> tuple[Chart, ...]:
    """Charts of each faction's living players, estates and stocks over the Nights; empty while they are secret."""
    turns = [(turn, position) for turn, position in enumerate(positions) if position.phase is Phase.NIGHT]
    nights = [position for _, position in turns]
    if not nights or any(picture.is_partial(night) for night in nights):
        return ()
    labels = tuple(f"Night {night.cycle}" for night in nights)
    cycles = tuple(str(night.cycle) for night in nights)
    places = tuple(turn for turn, _ in turns)
    factions = tuple(nights[0].factions)

    def line(count: Mapping[str, tuple[int, ...]], title: str, unit: str) -> Chart:
        return Chart(title, unit, labels, count, "Night", cycles, places)

    living = {
        name: tuple(sum(p.alive and p.faction == name for p in night.players.values()) for night in nights)
        for name in factions
    }
    estates = {
        name: tuple(sum(picture.faction_at(night, at) == name for at in night.estates) for night in nights)
        for name in factions
    }
    stocks = {
        name: tuple(
            sum(getattr(p.stock, key) for p in night.players.values() if p.faction == name for key in RESOURCES)
            for night in nights
        )
        for name in factions
    }
    return (
        line(living, "Living players", "players"),
        line(estates, "Estates", "estates"),
        line(stocks, "Stocks of all kinds", "resources"),
    )
