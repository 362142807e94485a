"""The Autumn Census, act by act (S9-X): weddings, captures, deaths, eliminations, and units that grow back.

It uses the board after the Autumn retreats. `victory` decides whether the Census ends the game.
"""

from __future__ import annotations

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.events import (
    Fallen,
    Founded,
    HeirKilled,
    Parted,
    Regrown,
    ThrallLost,
    VassalFallen,
)
from adjudicator.rulesets.saga_of_the_nine.position import (
    Betrothal,
    Position,
    Vassal,
    capital_name,
    capital_of,
    centre_of,
    living,
    minors,
    vassal_name,
)
from adjudicator.rulesets.saga_of_the_nine.work import Work

# 1. Weddings --------------------------------------------------------------------------------------------------------


def wed_heirs(work: Work) -> None:
    """Act 1: weds the betrothed, unless another power's unit is in the Location or in a Capital (S9-V-9 to S9-V-14)."""
    for pair in work.position.betrothed:
        stranger = _stranger(work, pair)
        if stranger is not None:
            where, by = stranger
            work.tell(Parted(giver=pair.giver, receiver=pair.receiver, at=pair.at, where=where, by=by))
        else:
            _found(work, pair)
    work.amend(betrothed=())


def _stranger(work: Work, pair: Betrothal) -> tuple[str, SeatId] | None:
    """The first place needed for the wedding that holds another power's unit, with that power; None if no unit is in the way."""
    places = {
        work.board.places[pair.at]: pair.giver,
        capital_of(work.board, pair.giver): pair.giver,
        capital_of(work.board, pair.receiver): pair.receiver,
    }
    for code, owner in places.items():
        here = work.war.field.units.get(code)
        if here is not None and here[0] != owner:
            return work.name(code), here[0]
    return None


def _found(work: Work, pair: Betrothal) -> None:
    """Founds a Vassal: it gets the Location and the Giver's unit there, and both heirs move in (S9-V-12, S9-V-13)."""
    position, field, code = work.position, work.war.field, work.board.places[pair.at]
    name = vassal_name(pair.giver, pair.receiver)
    field.owners[code] = name
    here = field.units.get(code)
    unit = None
    if here is not None:
        field.units[code] = (name, here[1])
        unit = work.board.unit_name(here[1])
    work.tell(Founded(vassal=name, giver=pair.giver, receiver=pair.receiver, capital=work.name(code), unit=unit))
    vassal = Vassal(giver=pair.giver, receiver=pair.receiver, capital=work.name(code), born=position.cycle)
    work.amend(
        heirs=tuple(major for major in position.heirs if major not in vassal.controllers),
        vassals=dict(sorted({**position.vassals, name: vassal}.items())),
    )


# 2. Captures --------------------------------------------------------------------------------------------------------


def capture_centres(work: Work) -> None:
    """Act 2: gives every centre with another power's unit in it to that power, all at once (S9-B-2, S9-X-3)."""
    told = len(work.war.events)
    diplomacy.take_centres(work.war)
    work.events += work.war.events[told:]


def _captured(work: Work) -> dict[str, SeatId]:
    """Name of each centre captured at this Census -> the power that took it."""
    return {event.centre: event.power for event in work.events if isinstance(event, diplomacy.Taken)}


# 3. Deaths ----------------------------------------------------------------------------------------------------------


def bury_heirs(work: Work) -> None:
    """Act 3: removes the heirs in captured centres, and the Thralls whose centre was captured (S9-X-4)."""
    position, taken = work.position, _captured(work)
    for major in position.heirs:
        _bury(work, major, capital_name(position.settings, major), taken)
    for thrall, controller in position.thralls.items():
        centre = work.name(centre_of(work.board, thrall))
        _bury(work, controller, centre, taken)
        if centre in taken:
            work.tell(ThrallLost(thrall=thrall, controller=controller, by=taken[centre]))
    for vassal in position.vassals.values():
        for major in vassal.controllers:
            _bury(work, major, vassal.capital, taken)
    work.amend(
        heirs=tuple(major for major in position.heirs if capital_name(position.settings, major) not in taken),
        thralls={
            thrall: controller
            for thrall, controller in position.thralls.items()
            if work.name(centre_of(work.board, thrall)) not in taken
        },
    )


def _bury(work: Work, major: SeatId, at: str, taken: dict[str, SeatId]) -> None:
    if at in taken:
        work.tell(HeirKilled(major=major, at=at, by=taken[at]))


# 4. Eliminations ----------------------------------------------------------------------------------------------------


def eliminate(work: Work) -> None:
    """Act 4: eliminates Majors with neither an heir nor their Capital, and Vassals without their Capital (S9-X-5, S9-X-6)."""
    position, owners = work.position, dict(work.war.field.owners)
    standing = {
        name: vassal
        for name, vassal in position.vassals.items()
        if owners.get(work.board.places[vassal.capital]) == name
    }
    with_heir = {
        *position.heirs,
        *position.thralls.values(),
        *(major for vassal in standing.values() for major in vassal.controllers),
    }
    fallen = [
        major
        for major in living(position)
        if major not in with_heir and owners.get(capital_of(work.board, major)) != major
    ]
    for major in fallen:
        removed, left = _clear(work, major)
        capital = capital_name(position.settings, major)
        work.tell(Fallen(power=major, capital=capital, removed=removed, left=left))
    for name, vassal in position.vassals.items():
        if name not in standing:
            removed, left = _clear(work, name)
            work.tell(
                VassalFallen(
                    vassal=name, controllers=vassal.controllers, capital=vassal.capital, removed=removed, left=left
                )
            )
    work.amend(
        vassals=standing,
        eliminated=dict(sorted({**position.eliminated, **dict.fromkeys(fallen, position.cycle)}.items())),
        votes=tuple(major for major in position.votes if major not in fallen),
        missed={major: turns for major, turns in position.missed.items() if major not in fallen},
    )


def _clear(work: Work, power: SeatId) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Removes a power's units and leaves its centres to nobody (S9-X-7). Returns the names of both."""
    field = work.war.field
    units = {code: unit for code, (whose, unit) in sorted(field.units.items()) if whose == power}
    centres = sorted(field.owned(power))
    for code in units:
        del field.units[code]
    for code in centres:
        del field.owners[code]
    return tuple(work.board.unit_name(unit) for unit in units.values()), tuple(work.name(code) for code in centres)


# 5. Units grow back -------------------------------------------------------------------------------------------------


def regrow(work: Work) -> None:
    """Act 5: gives each Minor or Thrall that owns its centre, but lost its unit, a new unit of the same kind (S9-E-9)."""
    field, position = work.war.field, work.position
    for name in sorted({*_left(work, position), *position.thralls}):
        unit = work.board.unit(work.board.others[name].units[0])
        if unit.province not in field.units:
            field.units[unit.province] = (name, unit)
            work.tell(Regrown(power=name, unit=work.board.unit_name(unit)))


def _left(work: Work, position: Position) -> tuple[SeatId, ...]:
    """Minors that still own their centre."""
    return tuple(name for name in minors(position) if work.war.field.owners.get(centre_of(work.board, name)) == name)


ACTS = (wed_heirs, capture_centres, bury_heirs, eliminate, regrow)
"""The acts that change the board, in the order of S9-X-1; victory, draw and last cycle follow."""


def hold_census(work: Work) -> None:
    """Runs the acts that change the board, after the Autumn retreats (S9-A-10, S9-A-11)."""
    for act in ACTS:
        act(work)
