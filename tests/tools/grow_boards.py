"""Grows boards for the tests: land and sea on a jagged lattice, powers far apart, names made of syllables.

`python -m tests.tools.grow_boards` rewrites the files of `tests/data/boards` whose first line says that they were grown. The
same name gives the same board. They need not be good boards, only large, crowded or odd ones.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.text.yamltext import write

FOLDER = Path(__file__).parent.parent / "data" / "boards"
HEAD = "# Grown by tests/tools/grow_boards.py.\n"
FIRST = [
    "Ald",
    "Bar",
    "Cor",
    "Dun",
    "Esk",
    "Fal",
    "Gar",
    "Hol",
    "Ith",
    "Jar",
    "Kel",
    "Lor",
    "Mar",
    "Nor",
    "Osk",
    "Pel",
    "Quen",
    "Rav",
    "Sal",
    "Tor",
    "Ulm",
    "Var",
    "Wex",
    "Yar",
    "Zel",
]
SECOND = ["a", "e", "i", "o", "u", "ae", "ei", "ou"]
LAST = [
    "burg",
    "dal",
    "den",
    "fell",
    "ford",
    "gard",
    "ham",
    "heim",
    "lund",
    "mark",
    "mere",
    "mouth",
    "nia",
    "ria",
    "rock",
    "stad",
    "thorpe",
    "ton",
    "vale",
    "vik",
    "wick",
    "wold",
]
PEOPLE = [
    "Amber",
    "Basalt",
    "Coral",
    "Dusk",
    "Ember",
    "Frost",
    "Gale",
    "Harbour",
    "Iron",
    "Jade",
    "Kestrel",
    "Lotus",
    "Marble",
    "Nettle",
    "Onyx",
    "Pearl",
    "Quartz",
    "Raven",
    "Sable",
    "Thorn",
]


@dataclass(frozen=True)
class Plan:
    """Kind and size of a board to grow."""

    name: str
    title: str
    about: str
    rows: int
    columns: int
    powers: int
    homes: int
    neutral: int
    sea: float
    """Highest share of sea."""
    lakes: int
    """Number of cells that seas begin to grow from."""


PLANS = (
    Plan("great", "The Great Continent", "Nine powers on 224 provinces.", 14, 16, 9, 4, 30, 0.22, 7),
    Plan("twenty", "Twenty Thrones", "Twenty powers, two homes each.", 12, 14, 20, 2, 25, 0.2, 6),
    Plan("steppe", "The Steppe", "Twenty powers and no sea at all.", 11, 12, 20, 2, 20, 0.0, 0),
    Plan("islands", "The Shallow Sea", "Five powers on islands: mostly water.", 8, 10, 5, 2, 8, 0.62, 12),
)


def grown(plan: Plan) -> str:
    """A board file."""
    chance = random.Random(f"courtly boards: {plan.name}")
    cells = [(row, column) for row in range(plan.rows) for column in range(plan.columns)]
    near: dict[tuple[int, int], set[tuple[int, int]]] = {cell: set() for cell in cells}
    for row, column in cells:
        lean = row % 2
        for other in ((row, column + 1), (row + 1, column - 1 + lean), (row + 1, column + lean)):
            if other in near and chance.random() > 0.06:
                near[row, column].add(other)
                near[other].add((row, column))
    for cell in cells:  # No cell may be without a neighbour.
        if not near[cell]:
            other = (cell[0], cell[1] - 1) if cell[1] else (cell[0], 1)
            near[cell].add(other)
            near[other].add(cell)
    seas = _seas(plan, chance, cells, near)
    kinds = {c: "sea" if c in seas else "coast" if near[c] & seas else "inland" for c in cells}
    names = _names(chance, len(cells))
    codes = dict(zip(cells, _codes(names), strict=True))
    titles = dict(zip(cells, names, strict=True))
    homes = _homes(plan, cells, near, seas)
    owned = {cell: power for power, own in homes.items() for cell in own}
    free = [cell for cell in cells if cell not in seas and cell not in owned]
    chance.shuffle(free)
    centres = {*owned, *free[: plan.neutral]}
    provinces = {}
    for cell in sorted(cells, key=codes.__getitem__):
        province: dict[str, object] = {"name": titles[cell], "kind": kinds[cell]}
        if cell in centres:
            province["centre"] = True
        if cell in owned:
            province["home"] = owned[cell]
        provinces[codes[cell]] = province
    borders: dict[str, list[str]] = {"army": [], "fleet": [], "both": []}
    for cell, other in sorted((a, b) for a in cells for b in near[a] if a < b):
        pair = " ".join(sorted((codes[cell], codes[other])))
        wet = {kinds[cell], kinds[other]}
        if "sea" in wet:
            borders["fleet"].append(pair)
        elif wet == {"coast"} and near[cell] & near[other] & seas:
            borders["both"].append(pair)
        else:
            borders["army"].append(pair)
    powers = {}
    for power, own in homes.items():
        units = [
            f"{'F' if kinds[cell] == 'coast' and index % 2 else 'A'} {codes[cell]}" for index, cell in enumerate(own)
        ]
        powers[power] = {"adjective": power, "units": units}
    data = {
        "name": plan.name, "title": plan.title, "about": plan.about, "starts": 1, "victory": len(centres) // 2 + 1,
        "powers": powers, "provinces": provinces, "borders": {key: pairs for key, pairs in borders.items() if pairs},
    }  # fmt: skip
    return HEAD + write(data)


def _seas(
    plan: Plan, chance: random.Random, cells: list[tuple[int, int]], near: dict[tuple[int, int], set[tuple[int, int]]]
) -> set[tuple[int, int]]:
    """Cells of water, grown from a few; each sea keeps a neighbour that is one, or a coast."""
    wanted = int(plan.sea * len(cells))
    seas: set[tuple[int, int]] = set()
    edge = deque(chance.sample(cells, plan.lakes))
    while edge and len(seas) < wanted:
        cell = edge.popleft()
        if cell in seas:
            continue
        seas.add(cell)
        more = sorted(near[cell] - seas)
        chance.shuffle(more)
        edge.extend(more[:2])
    return seas


def _homes(
    plan: Plan,
    cells: list[tuple[int, int]],
    near: dict[tuple[int, int], set[tuple[int, int]]],
    seas: set[tuple[int, int]],
) -> dict[str, list[tuple[int, int]]]:
    """Power -> its home cells, side by side; powers far from one another."""
    land = [cell for cell in cells if cell not in seas]
    taken: set[tuple[int, int]] = set()
    homes: dict[str, list[tuple[int, int]]] = {}
    for power in PEOPLE[: plan.powers]:
        start = max((cell for cell in land if cell not in taken), key=lambda cell: _apart(cell, taken))
        own, edge = [start], deque([start])
        while edge and len(own) < plan.homes:
            for other in sorted(near[edge.popleft()] - seas - taken - {*own})[: plan.homes - len(own)]:
                own.append(other)
                edge.append(other)
        spare = sorted(
            (c for c in land if c not in taken and c not in own),
            key=lambda c: (abs(c[0] - start[0]) + abs(c[1] - start[1]), c),
        )
        own += spare[: plan.homes - len(own)]
        taken |= {*own}
        homes[power] = own
    return homes


def _apart(cell: tuple[int, int], taken: set[tuple[int, int]]) -> tuple[int, int, int]:
    """Sort key: distance of a cell from the taken ones, then its position."""
    return min((abs(cell[0] - row) + abs(cell[1] - column) for row, column in taken), default=0), -cell[0], -cell[1]


def _names(chance: random.Random, count: int) -> list[str]:
    every = [first + middle + last for first in FIRST for middle in SECOND for last in LAST]
    return chance.sample(every, count)


def _codes(names: list[str]) -> list[str]:
    """Three letters of each name, no two alike."""
    codes: list[str] = []
    for name in names:
        letters = [letter for letter in name.upper() if letter.isalpha()]
        ways = [letters[0] + a + b for n, a in enumerate(letters[1:], 1) for b in letters[n + 1 :]]
        ways += [letters[0] + a + b for a in "QXZJKVW" for b in "QXZJKVW"]
        codes.append(next(way for way in ways if way not in codes))
    return codes


if __name__ == "__main__":
    for plan in PLANS:
        (FOLDER / f"{plan.name}.yaml").write_text(grown(plan), encoding="utf-8")
