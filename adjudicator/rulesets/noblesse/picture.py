"""The picture of a Noblesse position: estates, controllers, units, battles, and fog over estates that the viewer may not see."""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import load
from adjudicator.render.palette import letters
from adjudicator.render.scenes import Arrow, GridScene, Mark, Plot, Signs, Token
from adjudicator.rulesets.noblesse.events import AnyEvent, Gone, Moved, Raised, Rumour
from adjudicator.rulesets.noblesse.position import Phase, Position, Unit
from adjudicator.rulesets.noblesse.scenario import RESOURCES, Scenario
from adjudicator.rulesets.noblesse.secrecy import public_phase
from adjudicator.rulesets.noblesse.work import NEUTRALS, NOBODY

SIGNS = load(Signs, read_own(Path(__file__).parent / "data" / "signs.yaml"), "data/signs.yaml", own=True)
"""Drawings of the things on estates."""
LEGEND = (
    "Each square is an estate; its colour and letter show which faction controls it, and small signs show what it yields. A crown marks "
    "each of the four winning estates, and a house marks a player’s Home. Flags are units, with their faction’s letter. After a Night, crossed "
    "swords mark a battle, a plus on a disc marks a new unit, and a gravestone marks a unit that is gone."
)
FOG = "The viewer knows nothing about veiled estates."
LEADERS = {"company": "an officer", "courtier": "a Courtier", "pc": "its player", "heir": "an Heir", "noble": "a Noble", "unique": "a Unique Officer"}  # fmt: skip


def is_partial(position: Position) -> bool:
    """True if a position is a view that leaves out some player's role."""
    return any(not player.role for player in position.players.values())


def draw(position: Position, done: Resolution[Position, AnyEvent] | None) -> GridScene:
    """The picture of the position at the start of a turn, with the turn's moves and battles."""
    scenario = position.settings.board
    sides = sides_of(scenario)
    veiled = is_partial(position)
    plots = tuple(_plot(position, estate, veiled) for estate in scenario.estates)
    tokens = tuple(_token(position, name, unit) for name, unit in position.units.items())
    seen = {report.at: report for player in position.players.values() for report in player.reports} if veiled else {}
    tokens += tuple(
        Token(
            at,
            unit.faction,
            unit.formation,
            f"{unit.faction}: {unit.unit}, a {unit.formation} led by {unit.commander}, seen by a Spy",
        )
        for at, report in seen.items()
        for unit in report.units
        if unit.unit not in position.units
    )
    events = done.events if done is not None else ()
    battles = tuple(
        Mark("battle", event.at, None, ok=True, title=f"Battle at {event.at}: {' against '.join(event.sides)}")
        for event in events
        if isinstance(event, Rumour)
    )
    moves = tuple(
        Arrow(
            "move",
            event.path,
            position.players[event.owner].faction,
            ok=True,
            title=f"{event.unit} moved to {event.path[-1]}",
        )
        for event in events
        if isinstance(event, Moved) and position.players[event.owner].faction
    )
    changes = tuple(
        Mark(
            "gone" if isinstance(event, Gone) else "new",
            event.at,
            position.players[event.owner].faction,
            ok=True,
            title=f"{position.players[event.owner].faction}: {event.unit} {'is no more' if isinstance(event, Gone) else 'was raised'}",
        )
        for event in events
        if isinstance(event, Gone | Raised)
        and event.owner in position.players
        and position.players[event.owner].faction
    )
    held = {
        name: sum(faction_at(position, estate) == name for estate in scenario.estates) for name in scenario.factions
    }
    standings = tuple((name, "" if veiled else str(held[name])) for name in scenario.factions)
    return GridScene(
        title=public_phase(position),
        description=_describe(position, held, veiled),
        sides=sides,
        rows=scenario.rows,
        columns=scenario.columns,
        signs=SIGNS,
        plots=plots,
        tokens=tokens,
        arrows=moves,
        marks=(*battles, *changes),
        legend=f"{LEGEND} {FOG}" if veiled else LEGEND,
        standings=standings,
        names={estate: estate for estate in scenario.estates},
    )


def sides_of(scenario: Scenario) -> dict[str, Side]:
    """The factions as sides of a picture."""
    signs = letters(tuple(scenario.factions))
    return {name: Side(slot, name, signs[name]) for slot, name in enumerate(scenario.factions, 1)}


def faction_at(position: Position, estate: str) -> str | None:
    """The faction that controls an estate, as far as the viewer knows."""
    holding = position.estates.get(estate)
    if holding is None or holding.by is None:
        return None
    player = position.players.get(holding.by)
    return (player.faction or None) if player is not None else holding.by


def _plot(position: Position, estate: str, veiled: bool) -> Plot:
    scenario = position.settings.board
    holding = position.estates.get(estate)
    lord = next((seat for seat, player in position.players.items() if player.home == estate), None)
    base = position.players[lord].design if lord is not None else scenario.income(estate)
    report = next(
        (seen for player in position.players.values() for seen in player.reports if veiled and seen.at == estate), None
    )
    if report is not None:
        base = report.income
    visible = (
        holding is not None
        or lord is not None
        or report is not None
        or any(unit.at == estate for unit in position.units.values())
    )
    owner = faction_at(position, estate)
    if owner is None and report is not None and report.by in scenario.factions:
        owner = report.by
    own = holding is not None and holding.by in position.players
    buildings = tuple(
        name if due == 0 else f"+{name}"
        for name, due in sorted((holding.buildings if holding is not None else {}).items())
    )
    posts = tuple(
        courtier.post
        for player in position.players.values()
        for courtier in player.courtiers
        if courtier.at == estate and courtier.post in {"tax", "lobby", "steward", "spy", "staff", "overseer"}
    )
    parts = [estate]
    if lord is not None:
        parts.append(f"Home of {lord}")
    parts.append(f"controlled by {holding.by if own and holding is not None else owner}" if owner else "")
    parts.append(f"yields {base}")
    return Plot(
        place=estate,
        owner=owner,
        title=", ".join(part for part in parts if part),
        incomes=tuple((name, getattr(base, name)) for name in RESOURCES if getattr(base, name)),
        lord=lord or "",
        own=own,
        prize=estate in scenario.prizes,
        buildings=buildings,
        posts=tuple(sorted(set(posts))),
        fog=veiled and not visible,
    )


def _token(position: Position, name: str, unit: Unit) -> Token:
    if unit.owner == NOBODY:
        return Token(unit.at, NEUTRALS, unit.formation, f"{name}, a {unit.formation} that belongs to nobody")
    faction = position.players[unit.owner].faction
    title = f"{faction}: {name}, a {unit.formation} of {unit.owner} led by {LEADERS[unit.leader]}"
    return Token(unit.at, faction, unit.formation, title)


def _describe(position: Position, held: dict[str, int], veiled: bool) -> str:
    """The position in words."""
    alive = [seat for seat, player in position.players.items() if player.alive]
    dead = [f"{seat} ({player.faction})" for seat, player in position.players.items() if not player.alive]
    parts = [f"{len(alive)} players live: {', '.join(alive)}."]
    if dead:
        parts.append(f"Dead: {', '.join(dead)}.")
    if position.phase is Phase.SETUP:
        parts.append("Nobody has a home yet.")
    if veiled and not position.estates and not position.units:
        parts.append("Nothing else is known to everybody.")
        return " ".join(parts)
    for name, count in held.items():
        units = [
            f"{label} at {unit.at}"
            for label, unit in position.units.items()
            if unit.owner in position.players and position.players[unit.owner].faction == name
        ]
        if count or units:
            parts.append(f"{name}: {count} estates; {', '.join(units) or 'no units'}.")
    return " ".join(parts)
