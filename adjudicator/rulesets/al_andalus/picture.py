"""What is to be seen: the war, and beside it who serves where and with how many dinars."""

from __future__ import annotations

from dataclasses import replace

from adjudicator.core.resolution import Resolution, Scene, Side
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.events import OWN, AnyEvent
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, princes, wazir_of
from adjudicator.rulesets.al_andalus.prose import REASONS, dinars

SLOTS = {"Castille": 1, "Zaragoza": 7, "Badajoz": 3, "Seville": 2, "Granada": 8} | dict(
    zip(WAZIRS, (4, 5, 6), strict=True)
)
"""The colours on record (AA-A-2): red, yellow, dark blue, purple, cyan."""
LEGEND = "Beside each prince stand his centres, then his wazir’s first letter and the dinars of both."


def draw(position: Position, done: Resolution[Position, AnyEvent] | None) -> Scene:
    """The war's picture, with the courts in its legend and its description."""
    war: Resolution[diplomacy.Position, diplomacy.AnyEvent] | None = None
    if done is not None:
        kept = tuple(verdict for verdict in done.verdicts if verdict.reason not in REASONS)
        seats = dict(position.courts)
        kept = tuple(replace(verdict, seat=seats.get(verdict.seat, verdict.seat)) for verdict in kept)
        found = tuple(event for event in done.events if not isinstance(event, OWN))
        war = Resolution(position.war, kept, found, None)
    scene = diplomacy.draw(position.war, war)
    board = diplomacy.board_named(position.war.settings.board)
    sides = {name: Side(SLOTS.get(name, 4), name, name[0]) for name in (*board.powers, *WAZIRS)}
    field = diplomacy.field_of(position.war)
    standings = []
    for prince in princes(position.settings):
        wazir = wazir_of(position, prince)
        purse = f" {wazir[0]}{position.purses[wazir]}" if wazir else ""
        treasury = f" +{position.treasuries[prince]}" if position.treasuries.get(prince) else ""
        standings.append((prince, f"{len(field.owned(prince))}{purse}{treasury}"))
    return replace(
        scene,
        sides=sides,
        standings=tuple(standings),
        description=f"{scene.description} {_courts(position)}",
        legend=f"{scene.legend} {LEGEND}",
    )


def _courts(position: Position) -> str:
    """Who serves where, in words."""
    parts = []
    for wazir in WAZIRS:
        if wazir in position.executed:
            parts.append(f"{wazir} was executed.")
            continue
        where = f"at the court of {position.courts[wazir]}" if wazir in position.courts else "free"
        general = f", general of {position.generals[wazir].unit}" if wazir in position.generals else ""
        parts.append(f"{wazir}: {where}{general}, {dinars(position.purses[wazir])}.")
    waiting = [f"{prince} {number}" for prince, number in position.treasuries.items() if number]
    if waiting:
        parts.append(f"In treasuries: {', '.join(waiting)}.")
    return " ".join(parts)
