"""Maps of hexes: every hex is there, realms are bounded, pieces do not overlap, and input order does not matter."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest

from adjudicator.core.contract.pages import Side
from adjudicator.mechanics.hexes import Grid
from adjudicator.render import render_hexes
from adjudicator.render.hex_map import CORNERS, HALF, ROW, SIDE
from adjudicator.render.scenes import Arrow, Hexagon, HexScene, Mark, Token
from adjudicator.rulesets.grand_campaign.picture import SIGNS
from tests.conftest import Paper

SIDES = {name: Side(slot, name, name[0]) for slot, name in enumerate(("Anna", "Ben", "Cora", "Dan", "Eve", "Fay"), 1)}
GRID = Grid(20, 20)
MOST_BYTES = 90_000


def scene(grid: Grid = GRID) -> HexScene:
    """A map with everything: six realms, 30 armies, stacked parties, trails, attacks, battles."""
    codes, works, seats = list(SIGNS.grounds), list(SIGNS.works), list(SIDES)
    hexes = tuple(
        Hexagon(
            place=label,
            ground=codes[at % len(codes)],
            title=f"{label}: {codes[at % len(codes)]}",
            owner=seats[(int(label[:2]) // 4 + int(label[2:]) // 7) % 6] if at % 9 else None,
            work=works[at // 11 % len(works)] if at % 11 == 0 else "",
            name="Old Smoker" if at % 97 == 0 else "",
            ruin=at % 16 == 3,
            road=at % 7 < 2,
            river=label[:2] == "05",
            portal=at % 80 == 5,
        )
        for at, label in enumerate(grid.hexes)
    )
    tokens = [
        Token(
            grid.hexes[at * 13 % len(grid.hexes)],
            seats[at % 6],
            "general" if at % 5 == 0 else "army",
            f"{seats[at % 6]} A{at}: an army",
        )
        for at in range(30)
    ]
    tokens += [
        Token(
            grid.hexes[(at // 3 * 17 + 1) % len(grid.hexes)],
            seats[at % 6],
            "party",
            f"{seats[at % 6]} P{at % 3 + 1}: a party",
        )
        for at in range(12)
    ]
    # On a hex with a name: beside an army, and two without one.
    tokens += [
        Token(grid.hexes[at % len(grid.hexes)], "Anna", "party", f"Anna P{number}: a party")
        for at, number in ((0, 4), (97, 5), (97, 6))
    ]
    return HexScene(
        title="Spring of year 1",
        description="Six realms.",
        sides=SIDES,
        columns=grid.columns,
        rows=grid.rows,
        signs=SIGNS,
        hexes=hexes,
        rivers=(("0303", "0403"), ("0403", "0404")),
        tokens=tuple(tokens),
        arrows=(
            Arrow("move", ("0101", "0201", "0202"), "Anna", ok=True, title="marched"),
            Arrow("attack", ("0505", "0605"), "Ben", ok=True, title="attacks"),
            Arrow("retreat", ("0909", "0809"), "Cora", ok=True, title="retreats"),
        ),
        marks=(
            Mark("battle", "0605", None, ok=True, title="Battle"),
            Mark("new", "0101", "Anna", ok=True, title="Town"),
        ),
        legend="Hexes.",
        standings=tuple((seat, "12 hexes, 300 gold") for seat in SIDES),
        names={label: label for label in grid.hexes},
    )


def test_everything_is_drawn_in_few_bytes() -> None:
    """400 hexes under 90 KB: each hex once with its tooltip, each piece, each defined sign used; the same bytes every time."""
    shown = scene()
    svg = render_hexes(shown)
    assert len(svg.encode()) < MOST_BYTES
    assert svg == render_hexes(scene())
    assert len(re.findall(r'<use href="#x\w+-\w+" x="\d+" y="\d+"><title>', svg)) == len(GRID.hexes)
    used, defined = {*re.findall(r'href="#([\w-]+)"', svg)}, {*re.findall(r' id="([\w-]+)"', svg)}
    assert used <= defined
    assert all(f"<title>{token.title}" in svg or token.title in svg for token in shown.tokens)
    assert "<title>Spring of year 1</title>" in svg
    assert "<desc>Six realms.</desc>" in svg


def test_scripts_find_each_hex() -> None:
    """For the order desk, and only there, each hex carries its name."""
    named = re.findall(r'data-region="(\d{4})"', render_hexes(scene().to_click()))
    assert sorted(named) == sorted(GRID.hexes)
    assert "data-region" not in render_hexes(scene())
    assert "300 gold" not in render_hexes(scene().uncounted())


def test_a_realm_is_a_closed_line() -> None:
    """The fill of a realm covers its hexes and no others: by area, and by the course of the lines."""
    owned = ("0303", "0403", "0304", "0705")
    shown = scene(Grid(9, 9))
    hexes = tuple(replace(one, owner="Anna" if one.place in owned else None) for one in shown.hexes)
    svg = render_hexes(replace(shown, hexes=hexes, tokens=(), arrows=(), marks=()))
    (coat,) = re.findall(r'd="([^"]+)" class="l1 hc"', svg)
    area = 0.0
    loops = coat.split("z")[:-1]
    for loop in loops:
        numbers = [int(number) for number in re.findall(r"-?\d+", loop)]
        x, y = numbers[:2]
        points = [(x, y)]
        for dx, dy in zip(numbers[2::2], numbers[3::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x, y))
        area += sum(a * d - b * c for (a, b), (c, d) in itertools.pairwise([*points, points[0]])) / 2
    assert len(loops) == 2
    assert area == len(owned) * 2 * HALF * ROW
    assert (CORNERS[0][1], SIDE) == (-40, 40)


@pytest.mark.parametrize("width", [390, 1200])
def test_pieces_do_not_overlap(paper: Paper, width: int) -> None:
    """No box of an army or a party covers another or a name, in wide pictures and on a phone."""
    page = paper(width)
    page.set_content(f"<body style='margin:0'>{render_hexes(scene())}</body>")
    boxes = page.evaluate(
        "[...document.querySelectorAll('.hk, .hnm')].map(one => { const b = one.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] })"
    )
    assert len(boxes) >= 40
    for one, other in itertools.combinations(boxes, 2):
        apart = one[2] <= other[0] + 1 or other[2] <= one[0] + 1 or one[3] <= other[1] + 1 or other[3] <= one[1] + 1
        assert apart, (one, other)
