"""The position as a seat or the public may see it (NB-C-9, NB-L-2).

A view is made of what its viewer may know and of nothing else, so changing what is hidden from that viewer changes no byte of it.
"""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.contract.resolution import SeatId, Verdict
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.position import Faction, Phase, Player, Position, led_by
from adjudicator.rulesets.noblesse.treaties import Treaty

UNKNOWN = Player(role="", faction="")
"""What one player knows of another who lives."""


def seen_by(position: Position, seat: SeatId | None) -> Position:
    """The position as a seat may see it, or the public (None).

    Everybody knows who lives and who the dead were. A player knows their own court, estates, stock and units; a faction's leader
    also its members, their homes, its estates, its Nobles and its units.
    """
    viewer = position.players.get(seat) if seat is not None else None
    if viewer is None or not viewer.alive:
        return _public_view(position)
    assert seat is not None
    led = led_by(position.factions, seat)
    players: dict[SeatId, Player] = {}
    for name, player in position.players.items():
        if name == seat:
            # Players know the other parent of their Heir, and not that parent's faction; nor who won the Heir over (NB-C-26).
            heir = replace(player.heir, other="", won=None) if player.heir is not None else None
            players[name] = replace(player, heir=heir)
        elif led is not None and player.faction == led and player.alive:
            players[name] = replace(UNKNOWN, role=player.role, faction=led, home=player.home, design=player.design)
        else:
            players[name] = _public_player(player)
    mine = position.factions[viewer.faction]
    factions = {
        name: faction
        if name == led
        else Faction(leader=None, officers={o: seat for o, by in mine.officers.items() if by == seat})
        if name == viewer.faction
        else Faction(leader=None)
        for name, faction in position.factions.items()
    }
    posted = _estates_seen(viewer)
    fellows = {name for name, player in position.players.items() if led is not None and player.faction == led} | {seat}
    return replace(
        position,
        players=players,
        factions=factions,
        estates={
            estate: holding
            for estate, holding in position.estates.items()
            if holding.by in fellows or (led is not None and holding.by == led) or estate in posted
        },
        units={name: unit for name, unit in position.units.items() if unit.owner in fellows},
        away=position.away if led is not None else {},
        offers=tuple(offer for offer in position.offers if seat in {offer.by, offer.to}),
        treaties={name: _without_deeds(treaty) for name, treaty in position.treaties.items() if led in treaty.parties},
    )


def _estates_seen(viewer: Player) -> frozenset[str | None]:
    """The estates where a player has a Steward or the like, and so sees who controls them."""
    return frozenset(
        courtier.at
        for courtier in viewer.courtiers
        if courtier.post in {"steward", "tax", "lobby", "staff", "overseer"}
    )


def _without_deeds(treaty: Treaty) -> Treaty:
    """A treaty as its leaders see it, without the deeds that the program alone keeps (NB-T-6)."""
    return replace(treaty, deeds=())


def _public_player(player: Player) -> Player:
    """What everybody knows of a player: whether they live, and if not who they were (NB-Y-4)."""
    if player.alive:
        return UNKNOWN
    return replace(UNKNOWN, role=player.role, faction=player.faction, alive=False)


def _public_view(position: Position) -> Position:
    return replace(
        position,
        players={name: _public_player(player) for name, player in position.players.items()},
        factions={name: Faction(leader=None) for name in position.factions},
        estates={},
        units={},
        away={},
        offers=(),
        treaties={},
    )


def heard_by(fact: Verdict | AnyEvent, seat: SeatId | None) -> Verdict | AnyEvent | None:
    """A verdict or an event as a seat or the public learns of it; None if it does not. Seats learn their own verdicts alone.

    An event's other hearers are left out: they would tell a player who leads the faction.
    """
    if isinstance(fact, Verdict):
        return fact if fact.seat == seat else None
    if fact.heard is None:
        return fact
    return replace(fact, heard=(seat,)) if seat is not None and seat in fact.heard else None


def public_phase(position: Position) -> str:
    """`Night 3`, as everybody calls the turn."""
    return "Setup" if position.phase is Phase.SETUP else f"{position.phase.value.capitalize()} {position.cycle}"
