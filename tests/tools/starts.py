"""Tables of starting positions for the rulebooks' first pages, from the data. `python -m tests.tools.starts` prints them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from adjudicator.core.contract.ruleset import find
from adjudicator.core.text.codec import decode
from adjudicator.core.text.yamltext import Plain, Text
from adjudicator.rulesets.diplomacy.position import board_named
from adjudicator.rulesets.grand_campaign.tables import FACTIONS
from adjudicator.rulesets.heir_apparent.cardset import cards_named
from adjudicator.rulesets.saga_of_the_nine.position import capital_name
from tests import laws


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    cells = [[*head], *([str(cell) for cell in row] for row in rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join((lines[0], f"|{' --- |' * len(cells[0])}", *lines[1:]))


def some(words: Iterable[object]) -> str:
    """Words with commas between."""
    return ", ".join(map(str, words))


def opening(slug: str, **settings: Plain) -> Any:
    """The first position of a ruleset under these house rules."""
    rules = find(slug)
    return rules.rules.setup(decode(rules.types.settings, Text("settings", settings, {})), laws.dice("setup"))


def homes(board: str, power: str) -> str:
    """A power's home centres, by name."""
    provinces = board_named(board).provinces.values()
    return some(sorted(province.name for province in provinces if province.home == power))


def diplomacy() -> str:
    """The powers of the standard board."""
    now = opening("diplomacy")
    rows = [(power, homes(now.settings.board, power), some(units)) for power, units in now.units.items()]
    return table(("Power", "Home centres", "Units"), rows)


def al_andalus() -> str:
    """The princes, and the wazirs."""
    now = opening("al_andalus")
    rows = [(prince, some(now.war.centres[prince]), some(units)) for prince, units in now.war.units.items()]
    assert not now.courts
    purses = [(wazir, "no land, at no court", f"{dinars} dinars") for wazir, dinars in now.purses.items()]
    return table(("Prince or wazir", "Home centres", "Units"), (*rows, *purses))


def saga_of_the_nine() -> str:
    """The Majors, and the units of the Minors."""
    now = opening("saga_of_the_nine")
    nine = find("saga_of_the_nine").rules.seats(now.settings)
    rows = [(power, capital_name(now.settings, power), some(now.units[power])) for power in nine]
    others = sorted(str(unit) for power, units in now.units.items() if power not in nine for unit in units)
    kinds = [
        (f"{len(found)} Minors with {word}", "", some(unit.removeprefix(f"{kind} ") for unit in found))
        for kind, word in (("A", "an army"), ("F", "a fleet"))
        if (found := [unit for unit in others if unit.startswith(f"{kind} ")])
    ]
    return table(("Power", "Capital, with its heir", "Units"), (*rows, *kinds))


def heir_apparent() -> str:
    """The start for each number of players, then the Princes."""
    rows = []
    for players in (3, 4, 5):
        now = opening("heir_apparent", players=players)
        tokens = {player.reopenings for player in now.players.values()}
        rows.append((players, len(now.row), len(now.events), 5 + 2 * len(now.events), some(tokens)))
    counts = table(("Players", "Characters for sale a round", "Events", "Windows", "Reopen tokens"), rows)
    princes = cards_named(opening("heir_apparent").settings.cards).princes
    dealt = [(one.name, one.popularity, one.favor, one.politics, one.combat, some(one.keywords)) for one in princes]
    return f"{counts}\n\n{table(('Prince', 'Popularity', 'Favor', 'Politics', 'Combat', 'Keywords'), dealt)}"


def noblesse() -> str:
    """The factions of the default scenario, by prestige."""
    scenario = opening("noblesse").settings.board
    rows = [
        (
            name,
            " to ".join(faction.start),
            faction.resource.capitalize(),
            some(role for role, one in scenario.roles.items() if one.faction == name),
        )
        for name, faction in scenario.factions.items()
    ]
    return table(("Faction", "Squares to begin in", "Abilities cost", "Roles"), rows)


def grand_campaign() -> str:
    """The players of the default campaign."""
    plan = opening("grand_campaign").plan
    rows = []
    for player, side in plan.players.items():
        start = side.start
        assert start is not None
        city = f"{start.city} {plan.names[start.city]}" if start.city in plan.names else start.city
        armies = some(f"{army} {side.rosters[army]} {start.armies[army]}" for army in side.rosters)
        rows.append((player, FACTIONS[side.faction].name, city, start.fortress, some(start.towns), armies))
    return table(("Player", "Faction", "City", "Fortress", "Towns", "Armies"), rows)


TABLES: Mapping[str, Callable[[], str]] = {
    "al_andalus": al_andalus,
    "diplomacy": diplomacy,
    "grand_campaign": grand_campaign,
    "heir_apparent": heir_apparent,
    "noblesse": noblesse,
    "saga_of_the_nine": saga_of_the_nine,
}
"""Ruleset -> its table of starts."""

if __name__ == "__main__":
    for slug in sys.argv[1:] or TABLES:
        print(f"{slug}\n\n{TABLES[slug]()}\n")
