"""The tally of realms, as tables and over time, and reports on a season: its ledger, its marches and the resolver's sums."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from adjudicator.core.contract.pages import Cell, Chart, Report, Table, Timeline
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.position import Army, Phase, Position, pair, when, year_of
from adjudicator.rulesets.grand_campaign.rosters import character, unit
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS, FACTIONS, PARTIES
from adjudicator.rulesets.grand_campaign.words import a, scenario, who, work


def works_of(position: Position, seat: SeatId) -> dict[str, int]:
    """Construction -> how many a player has."""
    counted: dict[str, int] = {}
    holder = position.holder
    for label, kind in position.works.items():
        if holder.get(label) == seat:
            counted[kind] = counted.get(kind, 0) + 1
    return counted


def cities_of(position: Position, seat: SeatId) -> int:
    """Number of a player's Cities, including conquered ancient ones."""
    return sum(number for kind, number in works_of(position, seat).items() if CONSTRUCTIONS[kind].city)


def tally(position: Position) -> tuple[Table, ...]:
    """Tables of realms, armies, parties, relations, veterans, and the battles to be fought. Nothing is ranked (GC-A-4)."""
    realms = []
    for seat, realm in position.realms.items():
        has = works_of(position, seat)
        realms.append(
            (
                seat,
                FACTIONS[realm.faction].name,
                "out" if realm.out else len(realm.hexes),
                realm.gold,
                cities_of(position, seat),
                has.get("fortress", 0),
                has.get("town", 0),
                has.get("mine", 0),
                sum(army.owner == seat for army in position.armies),
            )
        )
    head = ("Player", "Faction", "Hexes", "Gold", "Cities", "Fortresses", "Towns", "Mines", "Armies")
    tables = [Table("Realms", head, tuple(realms))]
    if position.battles:
        tables.append(Table("Battles to fight", ("Battle", "Where", "Scenario", "Attackers", "Defender"), tuple(
            (battle.id, battle.at, scenario(battle.scenario), join_words([who(key) for key in battle.attackers]), who(battle.defender) if battle.defender else "the garrison")
            for battle in position.battles
        )))  # fmt: skip
    tables.append(_relations(position))
    if position.armies:
        rows = tuple(_army(army) for army in position.armies)
        tables.append(Table("Armies", ("Army", "General", "Faction", "At", "Ld", "Points", "State"), rows))
    if position.parties:
        bands = tuple(
            (
                f"{party.owner} {party.id}",
                PARTIES[party.type_].name,
                party.at,
                party.members,
                party.gold,
                party.weirdstone or 0,
            )
            for party in position.parties
        )
        tables.append(Table("Adventuring parties", ("Party", "Type", "At", "Members", "Gold", "Weirdstone"), bands))
    people = tuple(_veterans(position))
    if people:
        named = ("Name", "Army", "Level", "XP", "Bears")
        tables.append(Table("Veterans and artefacts", named, people, folded=len(people) > 12))
    return tuple(tables)


def _relations(position: Position) -> Table:
    seats = [seat for seat, realm in position.realms.items() if not realm.out]

    def between(one: SeatId, other: SeatId) -> str:
        if one == other:
            return "–"
        both = pair(one, other)
        return (
            "war" if both in position.relations.war else "allied" if both in position.relations.alliance else "neutral"
        )

    return Table(
        "Relations", ("Player", *seats), tuple((one, *(between(one, other) for other in seats)) for one in seats)
    )


def _army(army: Army) -> tuple[str | int, ...]:
    state = ", ".join(
        (
            *(["rests"] if army.rests else []),
            *([f"prepared to attack {army.aim}"] if army.aim else []),
            *([f"{army.slowed} less Movement"] if army.slowed else []),
            *(["Waaaagh!" if army.fervour == "high" else "without heart"] if army.fervour else []),
        )
    )
    at = army.at or "under the sand"
    return f"{army.owner} {army.id}", army.name, FACTIONS[army.faction].name, at, army.ld, army.points, state


def _veterans(position: Position) -> Iterable[tuple[str | int, ...]]:
    for army in position.armies:
        for one in map(character, army.characters):
            if one.xp or one.level or one.bears:
                yield one.name, f"{army.owner} {army.id}", one.level, one.xp, one.bears or ""
        for troop in map(unit, army.units):
            if troop.xp or troop.level:
                yield troop.name, f"{army.owner} {army.id}", troop.level, troop.xp, ""


def chart(positions: Iterable[Position]) -> tuple[Chart | Timeline, ...]:
    """Charts of land, gold and Cities, season by season."""
    turns = list(positions)
    shown = [
        (number, position)
        for number, position in enumerate(turns)
        if position.phase is Phase.SEASON or number == len(turns) - 1
    ]
    if len(shown) < 2:
        return ()
    labels = tuple(when(position) for _, position in shown)
    ticks = tuple(str(year_of(max(1, position.turn))) for _, position in shown)
    places = tuple(number for number, _ in shown)
    seats = turns[0].plan.seats

    def lines(count: Mapping[SeatId, tuple[int | None, ...]], title: str, unit_: str) -> Chart:
        return Chart(title, unit_, labels, count, "Year", ticks, places)

    land = {seat: tuple(len(one.realms[seat].hexes) for _, one in shown) for seat in seats}
    gold = {seat: tuple(one.realms[seat].gold for _, one in shown) for seat in seats}
    cities = {seat: tuple(cities_of(one, seat) for _, one in shown) for seat in seats}
    return (lines(land, "Land", "hexes"), lines(gold, "Gold", "gold"), lines(cities, "Cities", "Cities"))


# Reports ------------------------------------------------------------------------------------------------------------


def reports(position: Position, events: Iterable[e.AnyEvent]) -> tuple[Report, ...]:
    """A season's ledger, the clock of its marches, and the resolver's sums."""
    told = list(events)
    found = []
    ledger = [
        (event.seat, label, work(what) if what in CONSTRUCTIONS else what, gold)
        for event in told
        if isinstance(event, e.Income)
        for label, what, gold in event.parts
    ]
    if ledger:
        table = Table("The ledger", ("Player", "Hex", "From", "Gold"), tuple(ledger), folded=True)
        found.append(Report("ledger", "The ledger", "What each construction yielded (GC-M).", table))
    clock = sorted(_ticks(told), key=lambda row: (row[0], row[1]))
    if clock:
        ticks = [
            (tick, "; ".join(f"{one} {what}" for _, one, what in some))
            for tick, some in itertools.groupby(clock, key=lambda row: row[0])
        ]
        table = Table("Tick by tick", ("Tick", "What happened"), tuple(ticks), folded=True)
        about = "Each tick is the Movement that the army had spent when it happened (GC-P-17)."
        found.append(Report("clock", "Tick by tick", about, table, steps=True))
    rated = [event for event in told if isinstance(event, e.Rated)]
    if rated:
        rows: list[tuple[Cell, ...]] = [
            (event.id, side, *_sums(parts), join_words(dice), 10 + sum(number for _, number in parts) + sum(dice))
            for event in rated
            for side, parts, dice in (
                ("attacker", event.attacker, event.attacker_dice),
                ("defender", event.defender, event.defender_dice),
            )
        ]
        head = ("Battle", "Side", *(name.title() for name in PARTS), "Dice", "Sum with 10")
        found.append(
            Report(
                "resolver",
                "The resolver",
                "Ratings and dice (GC-Z-21 to GC-Z-24).",
                Table("The resolver", head, tuple(rows)),
            )
        )
    return tuple(found)


PARTS = ("points", "ld", "veterans", "general", "artefacts", "scenario")


def _sums(parts: Iterable[tuple[str, int]]) -> tuple[int, ...]:
    has = dict(parts)
    return tuple(has.get(name, 0) for name in PARTS)


def _ticks(events: Iterable[e.AnyEvent]) -> Iterable[tuple[int, str, str]]:
    for event in events:
        match event:
            case e.Marched(who=key, path=path):
                yield from ((spent, who(key), f"enters {label}") for spent, label in path)
            case e.Built(seat=seat, what=what, at=at, tick=tick) if tick:
                yield tick, seat, f"builds {a(work(what))} on {at}"
            case e.Halted(who=keys, at=at, tick=tick):
                yield tick, join_words([who(key) for key in keys]), f"meet at {at}"
            case e.Clashed(attacker=one, defender=other, at=at, tick=tick):
                yield tick, join_words([who(one), who(other)]), f"clash at {at}"
            case e.Explored(who=key, at=at, tick=tick) if tick:
                yield tick, who(key), f"searches the ruin on {at}"
            case _:
                pass
