"""Land with a ruler who does not own it, capitals, crowns, sorties and unowned pieces: readable with and without colour."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from adjudicator.core.contract.pages import Side
from adjudicator.render import overlords, province_map, render
from adjudicator.render.geometry import Vector
from adjudicator.render.ground import outlines_of
from adjudicator.render.outlines import border_on
from adjudicator.render.room import room_of
from adjudicator.render.scenes import Area, Arrow, Crown, Mark, ProvinceScene, Token
from adjudicator.rulesets.diplomacy.picture import draw
from adjudicator.rulesets.diplomacy.position import Settings, board_named, starting_position
from tests.conftest import Paper
from tests.render.test_kinship import shared
from tests.render.test_signs import OVERLAPS

TOUCHING = """
() => {
  const box = (node) => node.getBoundingClientRect();
  const seen = (node) => box(node).width && !node.closest("defs");
  const crowns = [...document.querySelectorAll(".kf, .ke")].filter(seen);
  const others = [...document.querySelectorAll(".kf, .ke, .n text, .c text, .h:not(g), .h circle, .t, .p")].filter(seen);
  return crowns.flatMap((crown) => others.filter((other) => other !== crown).filter((other) => {
    const [one, two] = [box(crown), box(other)];
    // Letters fill about the middle two thirds of their line.
    const cut = other.tagName === "text" ? two.height * 0.18 : 0;
    const across = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    return across > 1 && Math.min(one.bottom, two.bottom - cut) - Math.max(one.top, two.top + cut) > 1;
  }).map((other) => `${crown.parentNode.textContent} / ${other.parentNode.querySelector("title")?.textContent ?? other.textContent}`));
}
"""
SVG = "{http://www.w3.org/2000/svg}"
NINE = ("Aesir", "Dokkalfar", "Eldjotnar", "Hrimthursar", "Jotnar", "Ljosalfar", "Menn", "Vanir", "Zwergar")
BOARDS = ("standard", "nine_worlds")


def sides_of(letters: int = 1) -> dict[str, Side]:
    return {name: Side(slot, name, name[:letters]) for slot, name in enumerate(NINE, 1)}


@cache
def bare(board: str = "standard") -> ProvinceScene:
    """A board with nothing on it, and nine sides."""
    scene = draw(starting_position(Settings(board=board)), None)
    areas = tuple(replace(area, owner=None) for area in scene.areas)
    standings = tuple((name, "5") for name in NINE)
    return replace(scene, sides=sides_of(), areas=areas, tokens=(), standings=standings)


def with_area(region: str, **more: Any) -> ProvinceScene:
    scene = bare()
    return replace(scene, areas=tuple(replace(area, **more) if area.region == region else area for area in scene.areas))


@cache
def crowded(board: str, seed: int = 0, letters: int = 1) -> ProvinceScene:
    """A unit in every centre, ten pieces of ruled land, 20 crowns, and 30 sorties."""
    chance = random.Random(seed)
    ways, scene = board_named(board), bare(board)
    centres = [area.region for area in scene.areas if area.centre]
    chance.shuffle(centres)
    areas: dict[str, Area] = {area.region: area for area in scene.areas}
    tokens, arrows = [], []
    for number, region in enumerate(centres):
        first, second = chance.sample(NINE, 2)
        name = scene.names[region]
        owner: str | None = first
        leader: str | None = None
        rulers: tuple[str, ...] = ()
        if number < 5:
            owner, leader, rulers = None, first, (first,)
        elif number < 10:
            leader, rulers = second, (first, second)
        elif number < 18:
            owner = "Minor"
        title = f"{name}, supply centre of {owner or 'Minor'}, {' and '.join(rulers) or 'nobody'}"
        areas[region] = replace(
            areas[region],
            owner="Minor" if rulers else owner,
            rulers=rulers,
            capital=number % 4 == 0,
            title=title,
        )
        army = bool(ways.army_to.get(region))
        kind = "army" if army else "fleet"
        tokens.append(Token(region, owner, kind, f"{owner or 'Minor'}: {region}", leader=leader))
        goals = sorted(ways.army_to[region]) if army else sorted(ways.fleet_to[region])
        if number < 30:
            goal, ok = chance.choice(goals), chance.random() < 0.6
            said = f"A {name} - {scene.names[goal]} bounced: strength 1 against strength 1."
            arrows.append(Arrow("sortie", (region, goal), owner or "Minor", ok, said))
    places = [*centres[:4] * 3, *centres[4:12]]
    crowns = tuple(
        Crown(place, chance.choice(NINE), chance.random() < 0.5, f"Heir {number} in {scene.names[place]}")
        for number, place in enumerate(sorted(places))
    )
    return replace(
        scene,
        sides=sides_of(letters),
        areas=tuple(areas.values()),
        tokens=tuple(tokens),
        arrows=tuple(arrows),
        crowns=crowns,
        title="Autumn of cycle 3",
        description=f"Made up, {seed}.",
    )


def written(text: str, title: str) -> list[str]:
    """Elements with a tooltip, as drawn."""
    return re.findall(rf"<g [^>]*><title>{re.escape(title)}</title>.*?(?=<g class=\"o[p\\d]*[ \"]|</svg>)", text)


def land(text: str, title: str) -> str:
    """The classes of land with a tooltip, beyond those common to all land."""
    (lands,) = re.findall(r'<g class="l">(.*?)</g>', text)
    return "".join(re.findall(rf'<path(?: class="([^"]*)")? d="[^"]*"><title>{re.escape(title)}</title>', lands))


def circles_of(text: str, coat: str | None = None) -> list[tuple[str, list[str], Vector]]:
    """Rings of supply centres that are drawn together: their look, the sizes around each spot, and the spot."""
    found = []
    for outer in ET.fromstring(text).iter():
        for group in outer.findall(f"{SVG}g") if coat in (None, outer.get("class", "")) else ():
            sizes: dict[Vector, list[str]] = {}
            for circle in group.findall(f"{SVG}circle") if group.get("class", "").startswith("h") else ():
                spot = float(circle.get("cx", "0")), float(circle.get("cy", "0"))
                sizes.setdefault(spot, []).append(circle.get("r", ""))
            found += [(group.get("class", ""), sizes[spot], spot) for spot in sizes]
    return found


def lettered(text: str, coat: str) -> list[tuple[str, Vector]]:
    """The letters of rings that are drawn together, each with its place."""
    return [
        (letter, (float(x), float(y)))
        for group in ET.fromstring(text).iter(f"{SVG}g")
        if group.get("class") == coat
        for words in group.findall(f"{SVG}text")
        for letter, x, y in zip(words.text or "", words.get("x", "").split(), words.get("y", "").split(), strict=True)
    ]


def rings_of(text: str, coat: str) -> list[tuple[str, list[str], str, float]]:
    """The rings with the letters of a coat: look, sizes, letter, and how far down its baseline is from their middle."""
    letters = lettered(text, coat) if coat else []
    found = []
    for cls, sizes, (x, y) in circles_of(text, coat or None):
        here = [(letter, round(down - y, 1)) for letter, (across, down) in letters if across == x and abs(down - y) < 9]
        found += [(cls, sizes, *(here[0] if here else ("", 0)))]
    return found


def patterns(text: str) -> dict[str, str]:
    """The patterns of ruled land in a picture, without their ids."""
    return {
        tail: re.sub(r"r[0-9a-f]{6,8}", "r", inside)
        for tail, inside in re.findall(r'<pattern id="r[0-9a-f]{6,8}(-[-\d]+)"([^§]*?)</pattern>', text)
    }


def stripes(ground: str, first: int) -> str:
    """A pattern: the first ruler's stripe, with a line in it, on a ground."""
    return (
        f' href="#r"><path class="ra" d="M-9-9h42v42H-9zM-9 12h42" fill="var(--{ground})" stroke="var(--f{first})"/>'
        f'<path class="rb o{first}" d="M-9 12h42"/>'
    )


# Ground and marks ---------------------------------------------------------------------------------------------------


def test_land_of_one_ruler_has_their_stripes_and_their_letter_in_a_hollow_mark() -> None:
    text = render(with_area("SPA", owner="Spain", rulers=("Jotnar",), title="Spain, of Jotnar"))
    assert land(text, "Spain, of Jotnar") == "m5"
    assert patterns(text) == {"-5": stripes("land", 5)}
    (name,) = re.findall(r'<svg class="cm p[0-9a-f]+ (r[0-9a-f]+)"', text)
    assert f".cm.{name} .m5{{fill:url(#{name}-5) var(--land)}}" in text
    assert rings_of(text, "o5") == [("h hv", ["9"], "J", 4.3)]


def test_land_of_two_rulers_has_the_stripes_and_letters_of_both() -> None:
    text = render(with_area("SPA", owner=None, rulers=("Zwergar", "Aesir"), title="Spain, of two"))
    assert land(text, "Spain, of two") == "m9-1"
    assert patterns(text) == {"-9-1": stripes("f1", 9)}
    mark = (
        '<rect class="h hv" x="-13.5" y="-9" width="27" height="18" rx="9"/>'
        '<text class="hl pr" y="4.3"><tspan class="o9">Z</tspan><tspan class="o1">A</tspan></text></g>'
    )
    assert re.search(rf'<g class="o9" transform="translate\(\d+ \d+\)">{re.escape(mark)}', text)


def test_a_ruler_beyond_the_first_eight_keeps_their_rim_and_pairs_of_letters_fit() -> None:
    text = render(with_area("SPA", rulers=("Zwergar",)))
    assert '<circle class="cm-r2" r="9"/><circle class="cm-rg" r="9"/>' in text
    text = render(replace(with_area("SPA", rulers=("Zwergar", "Aesir")), sides=sides_of(2)))
    assert '<rect class="h hv" x="-22.5" y="-9" width="45" height="18" rx="9"/>' in text
    assert '<tspan class="o9">Zw</tspan><tspan class="o1">Ae</tspan>' in text


@pytest.mark.parametrize(
    ("more", "rings"),
    [
        (
            {"rulers": ("Menn", "Vanir")},
            (
                '<rect class="h" x="-18.5" y="-14" width="37" height="28" rx="14"/>'
                '<rect class="h hv" x="-13.5" y="-9" width="27" height="18" rx="9"/><text class="hl pr" y="4.3">'
                '<tspan class="o7">M</tspan><tspan class="o8">V</tspan></text>'
            ),
        ),
        (
            {"owner": "Zwergar"},
            (
                '<circle class="h" r="17"/><circle class="cm-r2" r="9"/><circle class="cm-rg" r="9"/>'
                '<circle class="h w" r="9"/><text class="hl" y="4.6">Z</text>'
            ),
        ),
    ],
)
def test_a_capital_of_two_rulers_or_of_one_beyond_eight_has_a_second_ring(more: dict[str, Any], rings: str) -> None:
    text = render(with_area("SPA", capital=True, **more))
    assert re.search(rf'<g (class="o\d" )?transform="translate\(\d+ \d+\)">{re.escape(rings)}</g>', text)


@pytest.mark.parametrize(
    ("more", "coat", "ring"),
    [
        ({"owner": "Menn"}, "o7", ("h w", ["9"], "M", 4.6)),
        ({"rulers": ("Menn",)}, "o7", ("h hv", ["9"], "M", 4.3)),
        ({}, "", ("h", ["9", "3.4"], "", 0)),
    ],
)
def test_a_capital_has_a_second_ring(more: dict[str, Any], coat: str, ring: tuple[str, list[str], str, float]) -> None:
    capital, plain = (render(with_area("SPA", capital=capital, **more)) for capital in (True, False))
    assert ring in rings_of(capital, coat)
    outer = [spot for cls, sizes, spot, *_ in circles_of(capital) if (cls, sizes) == ("h", ["14"])]
    assert outer == [spot for _, sizes, spot in circles_of(capital) if spot in outer and sizes == ring[1]]
    assert len(outer) == 1
    assert not any(sizes == ["14"] for _, sizes, _ in circles_of(plain))


def test_each_letter_is_in_its_ring_when_one_text_has_many() -> None:
    scene = bare()
    areas = tuple(replace(area, owner=NINE[at % 8] if at % 3 else None) for at, area in enumerate(scene.areas))
    text = render(replace(scene, areas=areas))
    room = room_of(scene.outlines, tuple(scene.names.items()))
    for slot, name in enumerate(NINE[:8], 1):
        spots = [room.centres[area.region] for area in areas if area.centre and area.owner == name]
        assert spots
        assert lettered(text, f"o{slot}") == [(name[0], (x, y + 4.6)) for x, y in spots]
        assert [spot for cls, _, spot in circles_of(text, f"o{slot}") if cls == "h w"] == spots


def test_only_a_side_can_rule_land() -> None:
    text = render(with_area("SPA", rulers=("Spain",), title="Spain"))
    assert "<title>Spain</title>" in text
    assert land(text, "Spain") == ""
    assert patterns(text) == {}


def test_the_hatches_that_a_reader_switches_on_leave_ruled_land_alone() -> None:
    text = render(with_area("SPA", owner="Menn", rulers=("Jotnar",), title="Spain"))
    assert land(text, "Spain") == "m5"
    assert not re.search(r"\.m\d[^{]*\{[^}]*--g", text)


def test_two_pictures_on_a_page_never_share_a_pattern() -> None:
    one = with_area("SPA", rulers=("Jotnar",))
    others = (with_area("SPA", rulers=("Menn",)), replace(one, description="Another."))
    (name,) = re.findall(r'<pattern id="(r[0-9a-f]+)"', render(one))
    assert not any(name in render(other) for other in others)


# Pieces -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("owner", [None, "Spain"])
def test_a_piece_of_nobody_or_of_no_side_is_plain(owner: str | None) -> None:
    token = Token("SPA", owner, "army", "A Spain")
    text = render(replace(bare(), tokens=(token,)))
    (piece,) = written(text, "A Spain")
    assert re.sub(r"\d+ \d+", "", piece).startswith(
        '<g class="op" transform="translate()"><title>A Spain</title><use class="p" href="#army"/></g>'
    )
    assert ".cm .op{--o:var(--edge)}" in text
    assert ".cm .p{fill:var(--out);stroke:var(--o);" in text


def test_a_leader_has_a_disc_beside_any_piece() -> None:
    tokens = (
        Token("SPA", None, "army", "A Spain", leader="Menn"),
        Token("POR", "Aesir", "fleet", "F Portugal", leader="Jotnar"),
    )
    text = render(replace(bare(), tokens=tokens))
    for slot, letter in ((7, "M"), (5, "J")):
        assert (
            f'<g class="o{slot}"><circle class="h w" cx="-37" r="12"/>'
            f'<text class="hl gl" x="-37" y="6">{letter}</text></g></g>'
        ) in text
    assert ".cm .gl{font-size:17px}" in text


def test_orders_of_unowned_pieces_are_drawn_in_the_same_grey() -> None:
    arrows = (
        Arrow("move", ("SPA", "POR"), "Spain", ok=True, title="moved"),
        Arrow("support-hold", ("GAS", "SPA"), "Spain", ok=True, title="supported"),
    )
    marks = (
        Mark("hold", "MAR", "Spain", ok=True, title="held"),
        Mark("build-army", "PAR", "Spain", ok=True, title="built"),
        Mark("standoff", "BUR", None, ok=False, title="standoff"),
    )
    text = render(replace(bare(), arrows=arrows, marks=marks))
    assert {title: coat for coat, title in re.findall(r'<g class="(o\w*)[ "][^>]*><title>(\w+)</title>', text)} == {
        "moved": "op",
        "supported": "op",
        "held": "op",
        "built": "op",
        "standoff": "o",
    }


# Crowns -------------------------------------------------------------------------------------------------------------


def test_a_crown_is_filled_if_married_and_otherwise_hollow_with_its_letter_and_tooltip() -> None:
    crowns = (
        Crown("SPA", "Menn", married=True, title="Heir 1 of Menn, married"),
        Crown("SPA", "Zwergar", married=False, title="Heir 2 of Zwergar"),
    )
    scene = replace(bare(), crowns=crowns)
    text = render(scene)
    first, second, *_ = room_of(scene.outlines, tuple(scene.names.items())).crowns(pairs=False)["SPA"]
    for (x, y), coat, cls, letter, crown in (
        (first.at, "o7", "kf", "M", crowns[0]),
        (second.at, "o9", "ke", "Z", crowns[1]),
    ):
        assert (
            f'<g class="{coat}"><title>{crown.title}</title><use class="{cls}" href="#crown" x="{x}" y="{y}"/>'
            f'<text x="{x}" y="{y + 7}">{letter}</text></g>'
        ) in text
    assert text.count('id="crown') == 1
    assert "kt" not in re.findall(r'class="(\w+)"', text), "on their own land they need no line to their mark"


def test_a_crown_off_its_land_is_tied_to_its_mark() -> None:
    scene = replace(bare(), crowns=(Crown("HOL", "Menn", married=True, title="Heir"),))
    room = room_of(scene.outlines, tuple(scene.names.items()))
    (x, y), ashore = room.crowns(pairs=False)["HOL"][0]
    assert not ashore
    (tie,) = re.findall(r'<g class="o7"><path class="kt" d="M(\S+) (\S+)L(\S+) (\S+)"/></g>', render(scene))
    start, end = (float(tie[0]), float(tie[1])), (float(tie[2]), float(tie[3]))
    assert start == (x, y)
    assert math.dist(end, room.centres["HOL"]) == pytest.approx(12, abs=0.1)


def test_crowns_without_room_are_not_lost() -> None:
    crowns = tuple(Crown("SPA", name, married=True, title=f"Heir of {name}") for name in NINE[:7])
    text = render(replace(bare(), crowns=crowns))
    spots = re.findall(r'<use class="kf" href="#crown" x="(\d+)" y="(\d+)"/>', text)
    assert len(set(spots)) == 7


def box_at(spot: Vector, wide: float, high: float) -> dict[str, float]:
    x, y = spot
    return {"left": x - wide, "right": x + wide, "top": y - high, "bottom": y + high}


@pytest.mark.parametrize("letters", [1, 2])
@pytest.mark.parametrize("board", BOARDS)
def test_no_two_crowns_on_a_board_touch_and_none_touches_a_ring(board: str, letters: int) -> None:
    """As many at once in each centre as there are spots, which happens in no game."""
    scene = bare(board)
    room = room_of(scene.outlines, tuple(scene.names.items()))
    wide = 14 if letters == 1 else 17
    crowns = [(code, perch.at) for code, perches in room.crowns(pairs=letters > 1).items() for perch in perches]
    assert {len(perches) for perches in room.crowns(pairs=letters > 1).values()} <= {3, 4}
    boxes = [(code, box_at(spot, wide - 1, 12)) for code, spot in crowns]
    assert [(a, b) for (a, one), (b, two) in itertools.combinations(boxes, 2) if shared(one, two)] == []
    across, down = room.outlines.size
    assert [
        a for a, one in boxes if one["left"] < 0 or one["top"] < 0 or one["right"] > across or one["bottom"] > down
    ] == []
    rings_of = {code: box_at(spot, 9, 9) for code, spot in room.centres.items()}
    assert [(a, b) for a, one in boxes for b, two in rings_of.items() if shared(one, two)] == []
    pieces = [box_at(shape.unit, 20, 15) for shape in room.outlines.provinces.values()]
    assert [a for a, one in boxes for two in pieces if shared(one, two)] == []


def test_crowns_keep_their_spots_unless_an_order_runs_through_one() -> None:
    quiet = replace(bare(), crowns=(Crown("SPA", "Menn", married=True, title="Heir"),))
    (x, y) = map(int, re.findall(r'<use class="kf" href="#crown" x="(\d+)" y="(\d+)"/>', render(quiet))[0])
    ways = [Arrow("move", ("SPA", to), "Menn", ok=True, title=to) for to in ("POR", "GAS", "MAR", "WES", "LYO", "MAO")]
    for way in ways:
        painter = province_map._Painter(replace(quiet, arrows=(way,)))
        painter.orders()
        ((_, _, perch),) = painter.perches
        line = painter.lines[way.path[0], way.path[1]]
        through = any(abs(u - x) < 12 and abs(v - y) < 11 for u, v in line)
        assert perch.at != (x, y) if through else True
        assert not any(abs(u - perch.at[0]) < 12 and abs(v - perch.at[1]) < 11 for u, v in line)


# Sorties ------------------------------------------------------------------------------------------------------------


def sortie(*path: str, ok: bool = True, taken: bool = False) -> tuple[str, Vector, Vector, list[Vector]]:
    """The picture of a sortie; the ends of its line, and those of its bar."""
    tokens = (Token(path[-1], "Menn", "army", "there"),) if taken else ()
    arrow = Arrow("sortie", path, "Jotnar", ok, "sortie")
    text = render(replace(bare(), arrows=(arrow,), tokens=tokens))
    number = r"(-?[\d.]+)"
    pairs = rf"M{number} {number}l{number} ?{number}m0 0l{number} ?{number}m{number} ?{number}l{number} ?{number}"
    (shape,) = re.findall(rf'<path class="g" d="{pairs}"/>', text)
    x, y, u, v, across, down, *_ = map(float, shape)
    u, v = x + u, y + v
    return text, (x, y), (u, v), [(u + across, v + down), (u - across, v - down)]


@pytest.mark.parametrize("path", [("SPA", "GAS"), ("SPA", "POR"), ("BUD", "TRI"), ("MOS", "UKR"), ("SMY", "EAS")])
def test_a_sortie_ends_in_a_bar_across_its_line_at_the_border(path: tuple[str, str]) -> None:
    _, start, end, bar = sortie(*path)
    outlines = outlines_of(bare().outlines)
    one, two = (outlines.anchor(place) for place in path)
    assert math.dist(start, one) == pytest.approx(24, abs=1)
    along = border_on(outlines.provinces[path[1]].path, one, two)
    assert math.dist(end, one) == pytest.approx(along * math.dist(one, two), abs=1)
    middle = ((bar[0][0] + bar[1][0]) / 2, (bar[0][1] + bar[1][1]) / 2)
    assert middle == end
    assert math.dist(*bar) == pytest.approx(26, abs=1.5)
    turn = (end[0] - start[0]) * (bar[1][0] - bar[0][0]) + (end[1] - start[1]) * (bar[1][1] - bar[0][1])
    assert abs(turn) / math.dist(start, end) / math.dist(*bar) < 0.1, "at a right angle"


def test_a_sortie_stops_short_of_the_unit_that_it_meets() -> None:
    for path in (("BEL", "HOL"), ("ROM", "NAP"), ("LVP", "EDI"), ("SPA", "GAS")):
        _, start, end, _ = sortie(*path, taken=True)
        unit = outlines_of(bare().outlines).anchor(path[1])
        assert math.dist(end, unit) >= min(34, math.dist(start, unit) * 0.5), path


def test_a_sortie_that_worked_is_solid_and_any_other_dashed_with_a_cross() -> None:
    good, *_ = sortie("SPA", "GAS")
    assert re.findall(r'<g class="o5 a"><title>sortie</title>(.*?)</g>', good)[0].count("<path") == 2
    assert re.findall(r'<title>sortie</title><path class="g" d="(.*?)"/><path d="\1"/></g>', good)
    bad, *_ = sortie("SPA", "GAS", ok=False)
    assert re.findall(r'<title>sortie</title><path class="g" d="(.*?)"/><path class="d" d="\1"/><path class="x" ', bad)


def test_a_support_of_a_sortie_ends_on_its_line() -> None:
    arrows = (
        Arrow("sortie", ("SPA", "GAS"), "Jotnar", ok=True, title="sortie"),
        Arrow("support", ("MAR", "SPA", "GAS"), "Menn", ok=True, title="support"),
    )
    painter = province_map._Painter(replace(bare(), arrows=arrows))
    painter.orders()
    assert painter.aided(arrows[1]) == painter.lines["SPA", "GAS"]


def test_a_bar_is_never_under_the_disc_of_the_units_leader() -> None:
    """It goes beyond the disc; if that is too near to the next unit, the disc moves to the other side."""
    for path, taken, side in (
        (("SPA", "POR"), False, -37),
        (("BUD", "TRI"), True, -37),
        (("VIE", "TYR"), True, -37),
        (("BEL", "PIC"), True, 37),
        (("SMY", "CON"), True, 37),
        (("SPA", "MAR"), True, -37),
    ):
        tokens = [Token(path[0], None, "army", "A", leader="Menn")]
        tokens += [Token(path[1], "Jotnar", "army", "B")] if taken else []
        arrow = Arrow("sortie", path, "Spain", ok=True, title="sortie")
        scene = replace(bare(), tokens=tuple(tokens), arrows=(arrow,))
        text = render(scene)
        assert f'<g class="o7"><circle class="h w" cx="{side}" r="12"/>' in text, path
        painter = province_map._Painter(scene)
        painter.orders()
        x, y = painter.spot(path[0])
        assert math.dist(painter.drawn[0].lines[0][-1], (x + side, y)) > 12, path


# Whole pictures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_everything_has_its_tooltip(board: str) -> None:
    scene = crowded(board)
    titles = {title.text or "" for title in ET.fromstring(render(scene)).iter(f"{SVG}title")}
    things: Iterable[Area | Crown | Token | Arrow] = (*scene.areas, *scene.crowns, *scene.tokens, *scene.arrows)
    assert {thing.title for thing in things} - titles == set()


@pytest.mark.parametrize("letters", [1, 2])
@pytest.mark.parametrize("board", BOARDS)
def test_the_same_scene_gives_the_same_bytes(board: str, letters: int) -> None:
    scene = crowded(board, 1, letters)
    text = render(scene)
    room_of.cache_clear()
    for layer in (*vars(province_map).values(), *vars(overlords).values()):
        if hasattr(layer, "cache_clear"):
            layer.cache_clear()
    assert render(scene) == text


def test_scripts_do_not_mistake_a_crown_for_a_piece() -> None:
    scene = replace(bare(), crowns=(Crown("SPA", "Menn", married=True, title="Menn: heir in Spain"),))
    (group,) = [
        group
        for group in ET.fromstring(render(scene.to_click())).iter(f"{SVG}g")
        if group.findtext(f"{SVG}title") == "Menn: heir in Spain"
    ]
    assert group.attrib == {"class": "o7"}


def test_a_picture_without_overlords_has_none_of_their_marks() -> None:
    text = render(draw(starting_position(Settings()), None))
    assert not re.search(r'\.(op|p|hv|kf|ke|kt|ra|rb|gl)\b|class="(op|p|hv|k[fet]|r[ab])"|id="(r|crown)', text)


def test_a_crowded_map_is_small() -> None:
    """Ten pieces of ruled land, 20 crowns and 30 sorties; then 34 pieces as well."""
    scene = crowded("standard")
    sizes = [len(render(each).encode()) for each in (replace(scene, tokens=()), scene)]
    print(f"a crowded map has {sizes[0]} bytes without its pieces, {sizes[1]} with them")
    assert sizes[0] <= 60_000
    assert sizes[1] <= 64_000


CROWDED = [(board, seed) for board in BOARDS for seed in range(2)]


@pytest.mark.slow
@pytest.mark.parametrize("wide", [390, 1440])
@pytest.mark.parametrize(("board", "seed"), CROWDED)
def test_no_letter_covers_another(paper: Paper, board: str, seed: int, wide: int) -> None:
    page = paper(wide, 900)
    page.set_content(
        f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{render(crowded(board, seed))}"
    )
    assert page.evaluate(OVERLAPS) == []


@pytest.mark.slow
@pytest.mark.parametrize(("board", "seed"), CROWDED)
def test_crowns_touch_no_name_no_mark_and_no_piece(paper: Paper, board: str, seed: int) -> None:
    page = paper(1440, 900)
    page.set_content(
        f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{render(crowded(board, seed))}"
    )
    assert page.evaluate(TOUCHING) == []
    assert page.evaluate("document.querySelectorAll('.kf, .ke').length") == 20


def test_powers_that_nobody_leads_are_plain_if_there_are_more_of_them_than_colours() -> None:
    """Nine powers and 22 others: those have no colour, no letter, and no line in the legend."""
    position = starting_position(Settings(board="nine_worlds"))
    scene = draw(position, None)
    assert {name: (side.slot, side.letter) for name, side in scene.sides.items()} == {
        name: (slot, name[0]) for slot, name in enumerate(NINE, 1)
    }
    assert scene.standings == tuple((name, "3") for name in NINE)
    text = render(scene)
    plain = [token for token in scene.tokens if token.owner not in NINE]
    assert len(plain) == len(position.others) == 22
    assert text.count('<use class="p" ') == 22
    assert text.count('<use class="t" ') == 27
    assert "Plain pieces without a letter belong to powers that no player leads" in scene.legend
    assert all(other in scene.description for other in position.others)


def test_powers_that_nobody_leads_are_sides_if_there_are_colours_for_all() -> None:
    position = replace(starting_position(Settings()), others=("Spain",), units={"Spain": ("A Spain",)}, centres={})
    scene = draw(position, None)
    assert scene.sides["Spain"] == Side(8, "Spain", "S")
    assert "Spain" in dict(scene.standings)
    assert "Plain pieces" not in scene.legend
