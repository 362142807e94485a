"""Courts: hirings, arrests, purses and treasuries. `resolve` and `season` call these functions, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId
from adjudicator.rulesets.al_andalus.events import Arrested, Hired, OwnEvent, Plundered
from adjudicator.rulesets.al_andalus.orders import FREE, PrinceSheet, WazirSheet, may_go_free
from adjudicator.rulesets.al_andalus.position import Position, living_wazirs, reigning_princes, wazir_of
from adjudicator.rulesets.diplomacy import UnitVerdict


@dataclass(frozen=True, slots=True)
class Hirings:
    """The changes of court that succeed, and the verdict on each order to hire or to move."""

    accepted: Mapping[SeatId, SeatId]
    """Wazir -> the new prince."""
    leaving: frozenset[SeatId]
    """Wazirs who ordered a change of court, whether or not it succeeds: they order no unit and plunder nothing (AA-C-10, AA-E-4)."""
    freed: frozenset[SeatId]
    """Generals who leave to be their own masters (AA-L-7), except those whom their princes arrest (AA-L-17)."""
    verdicts: tuple[UnitVerdict, ...]


def match_hirings(
    position: Position,
    princely: Mapping[SeatId, PrinceSheet],
    wazirs: Mapping[SeatId, WazirSheet],
    arresting: frozenset[SeatId],
) -> Hirings:
    """Matches princes with the wazirs they hire (AA-E-1, AA-E-7): both must want it, and a court has only one wazir.

    A match fails if the prince's current wazir stays. A wazir whose match fails stays too, which may make another match fail.
    All other matches succeed together, in chains and rings as well. A general who goes free also leaves a court empty (AA-E-11),
    unless their prince is one of `arresting` (AA-L-17).
    """
    offers = {prince: sheet.hire for prince, sheet in princely.items() if sheet.hire is not None}
    moves = {wazir: sheet.court for wazir, sheet in wazirs.items() if sheet.court is not None}
    reigning = reigning_princes(position)
    going = {wazir for wazir in moves if moves[wazir] == FREE and may_go_free(position, wazir, wazirs[wazir])}
    freed = frozenset(wazir for wazir in going if position.courts[wazir] not in arresting)
    pairs = {
        wazir: prince
        for prince, wazir in offers.items()
        if prince in reigning
        and wazir in living_wazirs(position)
        and moves.get(wazir) == prince
        and position.courts.get(wazir) != prince
    }
    while True:
        stuck = {
            wazir
            for wazir, prince in pairs.items()
            if (serving := wazir_of(position, prince)) is not None and serving not in pairs and serving not in freed
        }
        if not stuck:
            break
        pairs = {wazir: prince for wazir, prince in pairs.items() if wazir not in stuck}
    verdicts: list[UnitVerdict] = []
    for prince, wazir in sorted(offers.items()):
        serving = wazir_of(position, prince)
        if prince not in reigning:
            reason, result, rule = "no-such-prince", "illegal", "AA-E-1"
        elif wazir not in living_wazirs(position):
            reason, result, rule = "no-such-wazir", "illegal", "AA-E-1"
        elif serving == wazir:
            reason, result, rule = "serves-already", "illegal", "AA-E-2"
        elif pairs.get(wazir) == prince:
            reason, result, rule = "hired", "succeeds", "AA-E-1"
        elif moves.get(wazir) == prince:
            reason, result, rule = "court-full", "fails", "AA-E-7"
        elif wazir in moves:
            reason, result, rule = "went-elsewhere", "fails", "AA-E-1"
        else:
            reason, result, rule = "stayed", "fails", "AA-E-1"
        facts = {"wazir": wazir} | ({"own": serving} if serving else {})
        verdicts.append(
            UnitVerdict(seat=prince, order=f"Hire {wazir}", result=result, reason=reason, rule=rule, facts=facts)
        )
    for wazir, prince in sorted(moves.items()):
        serving = wazir_of(position, prince)
        if wazir in freed:
            reason, result, rule = "set-free", "succeeds", "AA-L-7"
        elif wazir in going:
            reason, result, rule = "arrested-first", "fails", "AA-L-17"
        elif prince == FREE:
            reason, result, rule = "not-free", "illegal", "AA-E-5"
        elif prince not in reigning:
            reason, result, rule = "no-such-prince", "illegal", "AA-E-1"
        elif position.courts.get(wazir) == prince:
            reason, result, rule = "serves-already", "illegal", "AA-E-2"
        elif pairs.get(wazir) == prince:
            reason, result, rule = "accepted", "succeeds", "AA-E-3"
        elif offers.get(prince) == wazir:
            reason, result, rule = "court-full", "fails", "AA-E-7"
        else:
            reason, result, rule = "not-asked", "fails", "AA-E-4"
        facts = {"prince": position.courts[wazir] if wazir in going else prince} | ({"own": serving} if serving else {})
        verdicts.append(
            UnitVerdict(seat=wazir, order=f"Court {prince}", result=result, reason=reason, rule=rule, facts=facts)
        )
    leaving = frozenset(
        wazir
        for wazir, prince in moves.items()
        if position.courts.get(wazir) != prince and (prince in reigning or wazir in going)
    )
    return Hirings(dict(sorted(pairs.items())), leaving, freed, tuple(verdicts))


def arrest_of(position: Position, prince: SeatId, hirings: Hirings) -> Arrested:
    """The effect of an arrest: half the wazir's purse, rounded down, goes to the treasury (AA-H-2 to AA-H-4). It may find nobody (AA-H-6)."""
    wazir = wazir_of(position, prince)
    if wazir is None or wazir in hirings.accepted:
        return Arrested(prince=prince)
    had = position.purses[wazir]
    return Arrested(prince=prince, wazir=wazir, had=had, taken=had // 2)


@dataclass(frozen=True, slots=True)
class Purses:
    """Courts, purses and treasuries after a season."""

    courts: dict[SeatId, SeatId]
    purses: dict[SeatId, int]
    treasuries: dict[SeatId, int]


def settle(position: Position, hirings: Hirings, gains: tuple[OwnEvent, ...]) -> tuple[Purses, tuple[Hired, ...]]:
    """Applies plunder, pay, arrests and changes of court (AA-M, steps 5 and 6). Returns the new courts and dinars, and the hirings."""
    courts, purses, treasuries = dict(position.courts), dict(position.purses), dict(position.treasuries)
    for gain in gains:
        if isinstance(gain, Arrested) and gain.wazir is not None:
            purses[gain.wazir] -= gain.taken
            treasuries[gain.prince] += gain.taken
            del courts[gain.wazir]
        elif isinstance(gain, Plundered):
            purses[gain.wazir] += gain.dinars
        elif (dinars := getattr(gain, "dinars", None)) is not None and (
            wazir := getattr(gain, "wazir", None)
        ) is not None:
            purses[wazir] += dinars
    for wazir in hirings.freed:
        courts.pop(wazir, None)
    hired = []
    for wazir, prince in hirings.accepted.items():
        hired.append(Hired(wazir=wazir, prince=prince, left=position.courts.get(wazir), dinars=treasuries[prince]))
        courts[wazir] = prince
        purses[wazir] += treasuries[prince]
        treasuries[prince] = 0
    return Purses(dict(sorted(courts.items())), purses, treasuries), tuple(hired)
