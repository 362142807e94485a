"""The tables of the Grand Campaign's rulebook, written out of its data files: `python -m tests.tools.campaign_tables` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product

from adjudicator.rulesets.grand_campaign.resolver import MAJOR, WIN
from adjudicator.rulesets.grand_campaign.tables import (
    ACTIONS,
    ARTEFACTS,
    BUILDINGS,
    CALENDAR,
    CONSTRUCTIONS,
    FACTIONS,
    LANDS,
    PARTIES,
    PEOPLES,
    SCENARIOS,
    TERRAIN,
    Terrain,
)


def table(title: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A heading with a table."""
    cells = [[*head], *([str(cell) for cell in row] for row in rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join((f"### {title}", "", lines[0], f"|{' --- |' * len(cells[0])}", *lines[1:], ""))


def entering(ground: Terrain) -> str:
    """Cost of entering a kind of terrain, in words."""
    if ground.cost is None:
        return "never"
    if ground.every:
        return f"1 for each {ground.every}, with a road for each {ground.roaded}"
    return f"{ground.cost}, across the coast {LANDS.crossing}" if ground.sea else str(ground.cost)


def changes(ground: Terrain) -> str:
    """Terrain that actions turn a kind of terrain into."""
    done = (("felled", ground.fells), ("cultivated", ground.cultivates), ("cleared", ground.clears))
    found = [f"{how}: {TERRAIN[code].name}" for how, code in done if code is not None]
    if ground.nurtures:
        found.append(f"nurtured: {', '.join(dict.fromkeys(TERRAIN[code].name for code in ground.nurtures.values()))}")
    return "; ".join(found)


def chances(lead: int) -> tuple[int, ...]:
    """Major wins, wins, draws, losses and major losses of the side with this lead, out of 46,656 (GC-Z-26)."""
    three = Counter(map(sum, product(range(1, 7), repeat=3)))
    counted = [0] * 5
    for (one, times), (other, more) in product(three.items(), repeat=2):
        margin = lead + one - other
        counted[sum(margin < least for least in (MAJOR, WIN, 1 - WIN, 1 - MAJOR))] += times * more
    return tuple(counted)


def tables() -> tuple[str, ...]:
    """All tables, as Markdown."""
    names = {"yes": "yes", "": "no"}
    terrain = (
        (code, one.name, one.group.replace("_", " "), entering(one), names["yes" if one.build else ""], changes(one),
         TERRAIN[one.erupts].name if one.erupts else "", one.scenarios)
        for code, one in TERRAIN.items()
    )  # fmt: skip
    lists = (
        (name, *(SCENARIOS[one].name for one in kinds), *[""] * (6 - len(kinds)))
        for name, kinds in LANDS.scenarios.items()
    )
    works = (
        (one.name, one.price or "", "; ".join(f"{CONSTRUCTIONS[kind].name} {price}" for kind, price in (one.from_ or {}).items()),
         one.moving or "", one.razing or "", one.most or "", one.radius, one.battle.title(), one.seizing, one.destroying or "", one.garrison or "")
        for one in CONSTRUCTIONS.values()
    )  # fmt: skip
    factions = (
        (
            one.name,
            ", ".join(
                (
                    *(TERRAIN[what].name if what in TERRAIN else what.replace("_", " ") for what in one.army.discount),
                    *(f"crossings {one.army.crossing}" for _ in range(one.army.crossing is not None)),
                )
            ),
            "; ".join(
                f"{', '.join(TERRAIN[code].name for code in way.into)} for {way.cost}"
                + (f", if most Core units are {way.core}" if way.core else "")
                for way in one.army.enters
            ),
            ", ".join(ACTIONS.armies[what].name for what in one.army.actions),
            ", ".join(PARTIES[kind].name for kind in one.parties),
        )
        for one in FACTIONS.values()
    )
    cities = ((kind, *yields.bonus) for kind, yields in PEOPLES.cities.items())
    events = ((number, event.name) for number, event in CALENDAR.events.items())
    armies = ((one.name, one.movement, names["yes" if one.ends else ""]) for one in ACTIONS.armies.values())
    deeds = ((one.name, one.movement, names["yes" if one.ends else ""]) for one in ACTIONS.parties.values())
    scenarios = (
        (one.name, *one.points, *one.rating, names["yes" if one.artefact else ""]) for one in SCENARIOS.values()
    )
    artefacts = ((name, one.class_, one.type_, one.rating, one.effect) for name, one in ARTEFACTS.items())
    parties = (
        (one.name, one.strength, one.movement, one.patrols, one.harries, one.delays, one.digs, names["yes" if one.caught_twice else ""])
        for one in PARTIES.values()
    )  # fmt: skip
    leads = ((lead, *(f"{100 * count / 6**6:.1f}" for count in chances(lead))) for lead in range(7))
    prices = (("Army", BUILDINGS.army), ("Adventuring party", BUILDINGS.party), ("Road", BUILDINGS.road))
    return (
        table("Terrain", ("Code", "Terrain", "Group", "Entering", "Building", "Changes", "An eruption makes", "Scenarios"), terrain),
        table("Scenarios by terrain", ("List", "1", "2", "3", "4", "5", "6"), lists),
        table(
            "Constructions",
            ("Construction", "Price", "Improved from", "Moving", "Razing brings", "At most", "Radius", "Fought as", "Seize", "Destroy", "Garrison Ld"),
            works,
        ),
        table("Other prices", ("What", "RG"), prices),
        table("Factions", ("Faction", "1 less for", "Enters", "Special Actions", "Parties"), factions),
        table("What Cities yield beyond 3D6, times 50", ("Cities", "Neither", "River", "Sea", "Both"), cities),
        table("Events", ("2D6", "Event"), events),
        table("Actions of armies", ("Action", "MP", "Ends the phase"), armies),
        table("Actions of parties", ("Action", "MP", "Ends the list"), deeds),
        table("Scenarios", ("Scenario", "CP attacker", "CP defender", "Rating attacker", "Rating defender", "Artefact"), scenarios),
        table("Chances of a battle by the resolver, per cent", ("Lead", "Major win", "Win", "Draw", "Loss", "Major loss"), leads),
        table("Artefacts", ("Artefact", "Class", "Type", "Rating", "At the table"), artefacts),
        table("Parties", ("Party", "Strength", "Movement", "Patrols", "Harries within", "Delays", "Digs", "Caught twice"), parties),
    )  # fmt: skip


if __name__ == "__main__":
    print("\n".join(tables()))
