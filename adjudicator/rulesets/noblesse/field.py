"""The sides on an estate, their battle order, and the pairs that fight (battle procedure, 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from adjudicator.rulesets.noblesse.work import NEUTRALS, Work


@dataclass(frozen=True, slots=True)
class Camp:
    """A side on an estate: a faction, or Allies who are there together, with all their units."""

    factions: tuple[str, ...]
    units: tuple[str, ...]


def camps(work: Work, estate: str) -> Mapping[str, Camp]:
    """The sides on an estate by name, in battle order: the first attacker first."""
    units: dict[str, list[str]] = {}
    for name in work.units_at(estate):
        units.setdefault(work.faction_of(work.units[name]), []).append(name)
    groups: list[list[str]] = []
    for faction in sorted(units, key=work.scenario.prestige):
        together = next((group for group in groups if work.relation(group[0], faction) == "allied"), None)
        if together is None:
            groups.append([faction])
        else:
            together.append(faction)
    owner = work.faction_at(estate)

    def defends(group: list[str]) -> bool:
        # If the owner has no units there, its Ally defends (NB-H-11); if both are there, they are one side.
        if owner is None:
            return NEUTRALS in group
        return any(work.relation(owner, faction) == "allied" for faction in group)

    def rank(group: list[str]) -> tuple[bool, tuple[int, int]]:
        # Allies rank as the higher-ranking one of them. Its Nobles count with its own prestige, never with the other's.
        return defends(group), max((work.nobles.get(faction, 0), -work.scenario.prestige(faction)) for faction in group)

    return {
        " and ".join(group): Camp(tuple(group), tuple(name for faction in group for name in units[faction]))
        for group in sorted(groups, key=rank)
    }


def must_fight(work: Work, estate: str, side: Camp, other: Camp) -> bool:
    """True if two sides fight: the state between their factions demands it (NB-H-2 to H-5, H-10), and one of them may begin (NB-P-12)."""
    if not any(work.must_fight(estate, a, b) for a in side.factions for b in other.factions):
        return False
    if _is_held_back(work, side, other):
        return not _is_held_back(work, other, side) and _has_come(work, estate, other)
    return not _is_held_back(work, other, side) or _has_come(work, estate, side)


def _is_held_back(work: Work, side: Camp, other: Camp) -> bool:
    """True if a side may not begin, because each of its units' players holds an Heir of the other side (NB-P-15)."""
    owners = {work.units[name].owner for name in other.units}
    return all(any(work.spares(work.units[name].owner, giver) for giver in owners) for name in side.units)


def _has_come(work: Work, estate: str, side: Camp) -> bool:
    """True if a unit of a side came to the estate tonight or was raised there, and so may begin (NB-P-15)."""
    stood = work.start.units
    return any(name not in stood or stood[name].at != estate for name in side.units)


def battle_starts(work: Work, estate: str) -> bool:
    """True if any two sides on an estate would fight with the units there at this moment (NB-X-6, NB-X-17)."""
    return any(must_fight(work, estate, side, other) for side, other in combinations(camps(work, estate).values(), 2))
