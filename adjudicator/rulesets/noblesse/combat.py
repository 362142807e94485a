"""Step 6 of a Night: the battles on the estates, and who controls each estate afterwards (NB-H, NB-E)."""

from __future__ import annotations

from adjudicator.rulesets.noblesse import leaders
from adjudicator.rulesets.noblesse.battle import Side, Strength, battle
from adjudicator.rulesets.noblesse.events import (
    EVERYBODY,
    Battle,
    BattleSide,
    Control,
    Rumour,
)
from adjudicator.rulesets.noblesse.field import camps, must_fight
from adjudicator.rulesets.noblesse.work import Work


def fight(work: Work) -> None:
    """Step 6: resolve combat estate by estate (NB-A-8), and settle who controls each one (NB-E-11 to E-16)."""
    leaders.challenge(work)
    for estate in work.scenario.estates:
        if work.units_at(estate):
            _fight_at(work, estate)
            _settle_control(work, estate)


def _fight_at(work: Work, estate: str) -> None:
    sides = camps(work, estate)
    if len(sides) < 2:
        return
    ordered = []
    for label, side in sides.items():
        total = Strength()
        for name in side.units:
            total += work.strength(name)
        lords = {work.units[name].owner for name in side.units}
        # A Star Fortress protects a player who defends their Home with it (NB-G-5).
        safe = any(
            lord in work.players and work.players[lord].home == estate and work.has_working(lord, "star fortress")
            for lord in lords
        )
        ordered.append(Side(label, total, safe))

    def hostile(label: str, other: str) -> bool:
        return must_fight(work, estate, sides[label], sides[other])

    fights = battle(ordered, hostile)
    morale = {label: army.strength.morale for label, army in zip(sides, ordered, strict=True)}
    for fought in fights:
        morale[fought.sides[0]], morale[fought.sides[1]] = fought.left
    # A side without Morale at the start is lost without a fight, if it would have to fight (battle procedure, 2).
    undone = [
        label for label in sides if morale[label] <= 0 and any(hostile(label, two) for two in sides if two != label)
    ]
    part = [label for label in sides if label in undone or any(label in fought.sides for fought in fights)]
    if not part:
        return
    told = tuple(BattleSide(name=label, factions=sides[label].factions, units=sides[label].units) for label in part)
    heard = work.hearers(*(work.units[name].owner for label in part for name in sides[label].units))
    if fights:
        work.tell(Battle(heard=heard, at=estate, sides=told, fights=fights))
    # Everybody hears who fought, in an order that does not reveal whose estate it is (NB-Y-7).
    labels = tuple(sorted(part, key=lambda label: work.scenario.prestige(sides[label].factions[0])))
    work.tell(
        Rumour(heard=EVERYBODY, at=estate, sides=labels, left=tuple(label for label in labels if morale[label] > 0))
    )
    for label in part:
        if morale[label] <= 0:
            for name in sorted(sides[label].units, key=lambda unit: (_removal_rank(work, unit), unit)):
                if name in work.units:
                    work.dismiss(name, "destroyed", dies=True)


def _removal_rank(work: Work, name: str) -> int:
    """Rank that decides when a defeated side's unit is removed, so that nobody who falls inherits from another (NB-P-16).

    Unit numbers are drawn by lot, so only units of equal rank are removed by number.
    """
    unit = work.units[name]
    if unit.leader == "heir":
        return 0  # the Heir must not succeed their player, who falls with them (NB-P-4)
    if unit.leader != "pc":
        return 1  # the Courtier in command is at home before their player dies
    return 3 if unit.owner == work.leader(work.faction_of(unit)) else 2


def _settle_control(work: Work, estate: str) -> None:
    """Take an estate from its owner, or give a player their Home back (NB-E-11 to E-13, NB-E-16)."""
    here = {work.faction_of(work.units[name]) for name in work.units_at(estate)}
    owner, by = work.faction_at(estate), work.holding(estate).by
    if owner is not None and estate not in work.open:
        defended = any(work.relation(owner, faction) == "allied" for faction in here)
        # A player who holds a hostage takes no control of the giver's estates (NB-P-15).
        takers = {
            work.faction_of(unit)
            for unit in (work.units[name] for name in work.units_at(estate))
            if by not in work.players or not work.spares(unit.owner, by)
        }
        if not defended and any(work.relation(owner, faction) == "hostile" for faction in takers):
            work.lose_control(estate)
    lord = work.home_of(estate)
    lost = lord is not None and work.players[lord].alive and work.holding(estate).by != lord
    if lord is not None and lost and estate not in work.open:
        mine = work.players[lord].faction
        # If another faction still has it, that faction is Neutral or allied, and keeps it (NB-H-6, NB-H-10).
        if here == {mine} and work.faction_at(estate) in {None, mine}:
            if work.holding(estate).by is not None:
                work.lose_control(estate, seized=False)  # people of the owner's faction there go home
            work.hold(estate, by=lord)
            work.tell(Control(heard=work.hearers(lord), at=estate, by=lord))
