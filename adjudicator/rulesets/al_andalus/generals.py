"""Wazirs as generals: their units and land, and how their commands begin and end (AA-L)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.events import (
    Appointed,
    CommandEnded,
    Departed,
)
from adjudicator.rulesets.al_andalus.position import (
    Command,
    Position,
    wazir_of,
)
from adjudicator.rulesets.al_andalus.work import Work, province_of_unit


def _moved_units(work: Work) -> dict[str, str]:
    """Name of each unit before the movement -> its name after it; destroyed units are left out."""
    assert work.war is not None
    names = {}
    for realm in work.realms:
        for province in realm.units:
            unit = work.war.now(realm.prince, work.field.names()[province])
            if unit is not None:
                names[work.name(province)] = work.field.board.unit_name(unit)
    return names


def follow_commands(work: Work, before: Position, arrested: Mapping[SeatId, SeatId]) -> None:
    """Updates the commands whose units moved, were lost, left or went back to a prince (AA-L-7 to AA-L-12)."""
    assert work.hirings is not None
    moved = _moved_units(work)
    resigned: set[SeatId] = set()
    generals: dict[SeatId, Command] = {}
    for wazir, command in before.generals.items():
        unit = moved.get(command.unit)
        if unit is None:
            work.tell(CommandEnded(wazir=wazir, unit=command.unit, why="lost"))
        elif wazir in arrested:
            work.tell(CommandEnded(wazir=wazir, unit=command.unit, why="arrested"))
        elif wazir in work.wazirs and work.wazirs[wazir].resign and wazir in before.courts:
            resigned.add(wazir)
            work.judge(wazir, "Resign", "succeeds", "resigned", "AA-L-12")
            work.tell(CommandEnded(wazir=wazir, unit=command.unit, why="resigned"))
        else:
            generals[wazir] = replace(command, unit=unit)
            goes = wazir in work.hirings.accepted or wazir in work.hirings.freed
            if goes:
                _depart(work, before, wazir, generals[wazir])
    for wazir, sheet in sorted(work.wazirs.items()):
        if not sheet.resign or wazir in resigned:
            continue
        if wazir in before.generals and wazir in before.courts:
            work.judge(wazir, "Resign", "fails", "command-over", "AA-L-12")
        else:
            work.judge(wazir, "Resign", "illegal", "no-command", "AA-L-12")
    work.amend(generals=generals)


def _depart(work: Work, before: Position, wazir: SeatId, command: Command) -> None:
    """Lets a general leave with unit and land, which now belong to the general or to their new prince (AA-L-7 to L-9)."""
    assert work.hirings is not None
    assert work.war is not None
    to = work.hirings.accepted.get(wazir)
    owner = to if to is not None else wazir
    former = before.courts.get(wazir, wazir)
    field_ = work.war.field
    here = province_of_unit(work, command.unit)
    lost = field_.dislodged.get(here)
    if lost is not None and lost[0] == former:  # The unit that dislodged it is there now.
        field_.dislodged[here] = (owner, *lost[1:])
    else:
        field_.units[here] = (owner, field_.units[here][1])
    for code in field_.board.centres:
        if field_.board.provinces[code].name in command.land:
            field_.owners[code] = owner
    work.tell(Departed(wazir=wazir, prince=former, to=to, unit=command.unit, land=command.land))


def appoint_generals(work: Work, before: Position, arrested: Mapping[SeatId, SeatId]) -> None:
    """Puts appointments into effect at the season's end (AA-L-1, AA-L-14)."""
    moved = _moved_units(work)
    refused: set[SeatId] = set()
    generals = dict(work.position.generals)
    for prince, sheet in sorted(work.princely.items()):
        if sheet.appoint is None:
            continue
        wazir = wazir_of(before, prince)
        own_units = {
            name: name for realm in work.realms if realm.prince == prince for name in map(work.name, realm.units)
        }
        unit = own_units.get(_unit_name(work, sheet.appoint))
        order = f"Appoint {sheet.appoint[:60]}"
        if not work.position.settings.generals:
            work.judge(prince, order, "illegal", "no-generals", "AA-L-1")
        elif wazir is None or work.position.courts.get(wazir) != prince or wazir in arrested:
            work.judge(prince, order, "fails", "no-wazir", "AA-L-1")
        elif unit is None:
            work.judge(prince, order, "illegal", "no-such-unit", "AA-L-1")
        elif unit not in moved:
            work.judge(prince, order, "fails", "unit-destroyed", "AA-L-14", unit=unit)
        elif wazir in generals:
            work.judge(prince, order, "illegal", "general-already", "AA-L-1", wazir=wazir)
        elif wazir in work.wazirs and work.wazirs[wazir].refuse:
            work.judge(prince, order, "fails", "refused", "AA-L-14", wazir=wazir)
            work.judge(wazir, "Refuse", "succeeds", "refuses", "AA-L-14")
            refused.add(wazir)
        else:
            generals[wazir] = Command(unit=moved[unit])
            work.judge(prince, order, "succeeds", "appointed", "AA-L-1", wazir=wazir)
            work.tell(Appointed(prince=prince, wazir=wazir, unit=moved[unit]))
    for wazir, plans in sorted(work.wazirs.items()):
        if plans.refuse and wazir not in refused:
            could = before.settings.generals and wazir in before.courts and wazir not in before.generals
            work.judge(wazir, "Refuse", "fails" if could else "illegal", "nothing-to-refuse", "AA-L-14")
    work.amend(generals=dict(sorted(generals.items())))


def _unit_name(work: Work, text: str) -> str:
    """The full name of the unit that `text` spells; `text` itself if it names no unit."""
    order = work.field.notation.read(f"{text} H")
    if isinstance(order, Fault) or not isinstance(order, diplomacy.Hold) or order.unit.province not in work.field.units:
        return text
    unit = work.field.units[order.unit.province][1]
    return work.field.board.unit_name(unit) if order.unit.kind in {"", unit.kind} else text


def follow_the_war(work: Work) -> None:
    """Updates the commands whose units retreated, disbanded or were removed (AA-L-12, AA-L-13)."""
    war = work.war
    assert war is not None
    generals: dict[SeatId, Command] = {}
    for wazir, command in work.position.generals.items():
        here = (work.position.courts.get(wazir, wazir), province_of_unit(work, command.unit))
        if here not in war.became:
            generals[wazir] = command
            continue
        now = war.became[here]
        if now is not None:
            generals[wazir] = replace(command, unit=work.field.board.unit_name(now))
            continue
        winter = war.position.phase is diplomacy.Phase.ADJUSTMENTS
        why: Literal["removed", "landless", "lost"] = "lost"
        if winter:
            why = "removed" if wazir in work.position.courts else "landless"
        work.tell(CommandEnded(wazir=wazir, unit=command.unit, why=why))
    work.amend(generals=generals)


def update_land(work: Work, command: Command, taken: list[diplomacy.Taken]) -> Command:
    """The command with the centres that its unit took, and without those that others took (AA-L-7)."""
    centres = {event.centre for event in taken}
    here = work.field.board.provinces[province_of_unit(work, command.unit)].name
    return replace(command, land=tuple(sorted((set(command.land) - centres) | (centres & {here}))))
