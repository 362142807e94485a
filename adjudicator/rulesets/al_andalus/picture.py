"""The picture of a turn: the war, plus the courts and dinars of the wazirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.contract.words import many
from adjudicator.render.scenes import Attendant, ProvinceScene
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.events import OWN, AnyEvent
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, princes, wazir_of
from adjudicator.rulesets.al_andalus.prose import REASONS

SLOTS = {"Castille": 1, "Zaragoza": 7, "Badajoz": 3, "Seville": 2, "Granada": 8} | dict(
    zip(WAZIRS, (4, 5, 6), strict=True)
)
"""Seat -> number of its colour. The princes have those of the recorded game (AA-A-2): red, yellow, dark blue, purple, cyan."""
LEGEND = "Below each prince are their wazir and the wazir’s purse; dinars that wait in a treasury follow a plus."
GENERALS = "A small disc beside a unit is the general who leads it."


def draw(position: Position, done: Resolution[Position, AnyEvent] | None) -> ProvinceScene:
    """The war's picture, with the courts in its legend and its description."""
    war: Resolution[diplomacy.Position, diplomacy.AnyEvent] | None = None
    if done is not None:
        verdicts = tuple(verdict for verdict in done.verdicts if verdict.reason not in REASONS)
        served = dict(position.courts)
        verdicts = tuple(replace(verdict, seat=served.get(verdict.seat, verdict.seat)) for verdict in verdicts)
        events = tuple(event for event in done.events if not OWN.tells(event))
        war = Resolution(position.war, verdicts, events, None)
    scene = diplomacy.draw(position.war, war)
    board = position.war.settings.ground
    # With initials, Seville and the Second Wazir would have the same letter.
    letters = {wazir: str(number) for number, wazir in enumerate(WAZIRS, 1)}
    sides = {name: Side(SLOTS.get(name, 4), name, letters.get(name, name[0])) for name in (*board.powers, *WAZIRS)}
    field = diplomacy.field_of(position.war)
    standings = tuple((prince, str(len(field.owned(prince)))) for prince in princes(position.settings))
    leads = {(position.courts.get(wazir, wazir), command.unit): wazir for wazir, command in position.generals.items()}
    standing = {unit.place: (whose, board.unit_name(unit)) for whose, unit in field.units.values()}
    dislodged = {unit.place: (whose, board.unit_name(unit)) for whose, unit, _ in field.dislodged.values()}
    tokens = tuple(
        replace(token, leader=wazir, title=f"{token.title}, led by {wazir}")
        if (wazir := leads.get((dislodged if token.state else standing)[token.place])) is not None
        else token
        for token in scene.tokens
    )
    legend = f"{scene.legend} {LEGEND}" + (f" {GENERALS}" if position.settings.generals else "")
    return replace(
        scene,
        sides=sides,
        standings=standings,
        tokens=tokens,
        attendants=tuple(_attendants(position)),
        description=f"{scene.description} {_courts(position)}",
        legend=legend,
    )


def _attendants(position: Position) -> Iterator[Attendant]:
    """Each prince's wazir, then the wazirs who serve nobody."""
    for prince in princes(position.settings):
        wazir = wazir_of(position, prince)
        waiting = f" +{position.treasuries[prince]}" if position.treasuries.get(prince) else ""
        if wazir is None:
            yield Attendant(None, prince, f"no wazir{waiting}", f"–{waiting}")
        else:
            purse = position.purses.get(wazir, 0)
            yield Attendant(wazir, prince, f"{wazir} {purse}{waiting}", f"{purse}{waiting}")
    for wazir in WAZIRS:
        if wazir in position.executed:
            yield Attendant(wazir, None, f"{wazir}, executed", "dead")
        elif wazir not in position.courts:
            purse = position.purses.get(wazir, 0)
            yield Attendant(wazir, None, f"{wazir} {purse}, free", f"{purse} free")


def _courts(position: Position) -> str:
    """The wazirs' courts and dinars, in words."""
    parts = []
    for wazir in WAZIRS:
        if wazir in position.executed:
            parts.append(f"{wazir} was executed.")
            continue
        if wazir not in position.purses and wazir not in position.courts:
            continue  # a record may not name this wazir's court
        where = f"at the court of {position.courts[wazir]}" if wazir in position.courts else "free"
        general = f", general of {position.generals[wazir].unit}" if wazir in position.generals else ""
        purse = (
            f", {many(position.purses[wazir], 'dinar')}" if wazir in position.purses else ""
        )  # a record may not give the purse
        parts.append(f"{wazir}: {where}{general}{purse}.")
    waiting = [f"{prince} {number}" for prince, number in position.treasuries.items() if number]
    if waiting:
        parts.append(f"In treasuries: {', '.join(waiting)}.")
    return " ".join(parts)
