"""Signs on a map: nothing that must be read is covered, and events are visible without colour (FR-3, FR-8)."""

from __future__ import annotations

import itertools
import math
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.game.archive import Archive
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.mechanics.boards import load_board
from adjudicator.render import province_map, render
from adjudicator.render.geometry import Vector
from adjudicator.render.ground import outlines_of
from adjudicator.render.hatch import HATCHES
from adjudicator.render.room import CENTRE, room_of
from adjudicator.render.scenes import Arrow, Ground, ProvinceScene
from adjudicator.rulesets.diplomacy import RULESET, ground
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.picture import MARKERS, draw
from tests.conftest import Paper, first_of
from tests.render.crowd import crowd, legal_by_unit

ROOT = Path(__file__).parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
STROKE = 4.5
"""Width of lines and crosses."""


@cache
def archived() -> dict[str, ProvinceScene]:
    """Every turn in the archive that has a scene of provinces."""
    archive, found = Archive(ROOT), {}
    for slug in archive.slugs():
        game = load_game(archive, slug)
        for name in archive.turns(slug):
            turn = load_turn(archive, game, name)
            scene = game.ruleset.pictures.draw(turn.data.position, turn.resolution)
            if isinstance(scene, ProvinceScene):
                found[f"{slug}/{name}"] = scene
    return found


def scene_of(slug: str, name: str) -> ProvinceScene:
    archive = Archive(ROOT)
    game = load_game(archive, slug)
    turn = load_turn(archive, game, name)
    scene = game.ruleset.pictures.draw(turn.data.position, turn.resolution)
    assert isinstance(scene, ProvinceScene)
    return scene


def crowded(seed: int) -> ProvinceScene:
    """Random legal orders for the maximum number of units: far more of them meet than in any game."""
    chance = random.Random(seed)
    position = crowd(chance)
    sheets = {
        power: Sheet(orders=tuple(chance.choice(choices) for choices in orders.values()))
        for power, orders in legal_by_unit(position).items()
    }
    return draw(position, RULESET.rules.resolve(position, sheets, GivenDice({})))


# Crosses ------------------------------------------------------------------------------------------------------------


def apart(one: tuple[Vector, Vector], two: tuple[Vector, Vector]) -> float:
    """The distance between two straight pieces; 0 if they cross."""

    def turn(a: Vector, b: Vector, c: Vector) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    def away(point: Vector, piece: tuple[Vector, Vector]) -> float:
        (x1, y1), (x2, y2) = piece
        dx, dy = x2 - x1, y2 - y1
        part = ((point[0] - x1) * dx + (point[1] - y1) * dy) / (dx * dx + dy * dy or 1)
        part = min(1.0, max(0.0, part))
        return math.dist(point, (x1 + part * dx, y1 + part * dy))

    if turn(*one, two[0]) * turn(*one, two[1]) < 0 and turn(*two, one[0]) * turn(*two, one[1]) < 0:
        return 0
    return min(away(one[0], two), away(one[1], two), away(two[0], one), away(two[1], one))


def crosses_of(text: str) -> Iterator[list[tuple[Vector, Vector]]]:
    """The two strokes of each small cross in a picture."""
    for group in ET.fromstring(text).iter(f"{SVG}path"):
        if group.get("class") == "x":
            for x, y, size in re.findall(r"M(-?[\d.]+) (-?[\d.]+)l14 14m0-14l-(14) 14", group.get("d") or ""):
                left, top, wide = float(x), float(y), float(size)
                yield [((left, top), (left + wide, top + wide)), ((left + wide, top), (left, top + wide))]


def covered(scene: ProvinceScene) -> list[str]:
    """The crosses that lie on the shaft of a move's arrow, or on another cross."""
    painter = province_map._Painter(scene)
    painter.orders()
    shafts = [(path, line) for path, line in painter.lines.items()]
    crosses = [*crosses_of(render(scene))]
    faults = [
        f"{strokes[0][0]} on {path}"
        for strokes in crosses
        for path, line in shafts
        if any(apart(stroke, piece) < STROKE for stroke in strokes for piece in itertools.pairwise(line))
    ]
    middles = [strokes[0][0] for strokes in crosses]
    return faults + [f"{a} on {b}" for a, b in itertools.combinations(middles, 2) if math.dist(a, b) < 12]


@pytest.mark.parametrize("turn", ["024-fall-1906-movement", "002-fall-1901-movement", "033-fall-1908-movement"])
def test_no_cross_lies_on_an_arrow(turn: str) -> None:
    """FR-8."""
    scene = scene_of("six-left-standing", turn)
    assert [*crosses_of(render(scene))]
    assert covered(scene) == []


@pytest.mark.slow
@pytest.mark.parametrize("stride", first_of([16, 1], 1))
def test_no_cross_lies_on_an_arrow_in_any_archived_turn(stride: int) -> None:
    """FR-8."""
    scenes = dict([*archived().items()][::stride])
    assert sum(len([*crosses_of(render(scene))]) for scene in scenes.values()) > 400 / stride
    assert {name: faults for name, scene in scenes.items() if (faults := covered(scene))} == {}


@pytest.mark.slow
def test_no_cross_lies_on_an_arrow_however_many_there_are() -> None:
    """FR-8."""
    assert {seed: faults for seed in range(10) if (faults := covered(crowded(seed)))} == {}


# Rings --------------------------------------------------------------------------------------------------------------

FLEET = [(-25, -9), (-16, -9), (-16, -16), (16, -16), (16, -9), (25, -9), (16, 15), (-16, 15)]
"""The corners of a fleet, which is larger than an army on every side."""
PHONE = 1.2
"""How much units grow on a phone."""


def test_the_size_of_a_fleet_in_these_tests_is_that_of_its_marker() -> None:
    assert MARKERS["F"].path == "M-25 -9h9v-7h32v7h9l-9 24h-32z"


def in_fleet(x: float, y: float) -> bool:
    within = False
    for (x1, y1), (x2, y2) in zip(FLEET, [*FLEET[1:], FLEET[0]], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            within = not within
    return within


def share_covered(ring: Vector, unit: Vector, grown: float) -> float:
    """Share of a ring that a fleet covers."""
    points = [
        (ring[0] + dx, ring[1] + dy)
        for dx in range(-CENTRE, CENTRE + 1)
        for dy in range(-CENTRE, CENTRE + 1)
        if math.hypot(dx, dy) <= CENTRE
    ]
    return sum(in_fleet((x - unit[0]) / grown, (y - unit[1]) / grown) for x, y in points) / len(points)


def grounds() -> dict[str, Ground]:
    """Every shipped board as drawn, and as it would be laid out without drawn shapes."""
    drawn: dict[str, Ground] = {}
    for path in sorted(RULESETS.glob("*/boards/*/board.yaml")):
        board = load_board(path.parent)
        drawn[path.parent.name] = ground.ground_of(board, None)
        drawn[f"{path.parent.name}, laid out"] = ground.tiles_of(board)
    return drawn


@pytest.mark.parametrize("name", grounds())
@pytest.mark.parametrize("grown", first_of([PHONE, 1], 1))
def test_a_ring_is_never_more_than_a_quarter_covered_by_a_unit(name: str, grown: float) -> None:
    """FR-8: wherever a unit may be, on a phone too."""
    place = grounds()[name]
    outlines = outlines_of(place)
    rings = room_of(place, tuple((code, code) for code in outlines.provinces)).centres
    assert len(rings) > 5
    spots = [spot for shape in outlines.provinces.values() for spot in (shape.unit, *(shape.coasts or {}).values())]
    shares = {
        (code, unit): share_covered(ring, unit, grown)
        for code, ring in rings.items()
        for unit in spots
        if math.dist(ring, unit) < 60
    }
    assert {spot: share for spot, share in shares.items() if share > 0.25} == {}


@pytest.mark.slow
def test_a_dislodged_unit_covers_little_of_any_ring_or_other_unit() -> None:
    """FR-3, FR-8."""
    rooms = {
        id(room): room
        for scene in archived().values()
        for room in (room_of(scene.outlines, tuple(scene.names.items())),)
    }
    for room in rooms.values():
        for code, shape in room.outlines.provinces.items():
            spot = room.beside(code)
            assert 45 <= math.dist(spot, shape.unit) < 90, code
            covered_rings = {other: share_covered(ring, spot, 1) for other, ring in room.centres.items()}
            assert max(covered_rings.values()) <= 0.25, (code, spot, covered_rings)


# Dislodged units ----------------------------------------------------------------------------------------------------


def groups(text: str, title: str) -> list[ET.Element]:
    """Elements with a tooltip."""
    return [group for group in ET.fromstring(text).iter(f"{SVG}g") if group.findtext(f"{SVG}title") == title]


def spot_of(group: ET.Element) -> Vector:
    (match,) = re.findall(r"translate\((-?[\d.]+) (-?[\d.]+)\)", group.get("transform") or "")
    return float(match[0]), float(match[1])


def opening(ring: ET.Element) -> float:
    """The direction of a broken ring's gap."""
    (arc,) = [path.get("d") or "" for path in ring.iter(f"{SVG}path") if path.get("class") == "xr"]
    x1, y1, x2, y2 = map(float, re.findall(r"M(\S+) (\S+)A35 35 0 1 1 (\S+) (\S+)", arc)[0])
    return math.atan2(y1 + y2, x1 + x2)


def test_a_dislodged_unit_shows_where_it_is_and_where_its_attacker_came_from() -> None:
    """FR-3: a broken ring of the same size, open towards the attacker, in the movement and in the retreats after it."""
    turns = {"024-fall-1906-movement": "", "025-fall-1906-retreats": "beside"}
    attackers = {"Germany: A St Petersburg": "NWY", "Austria: F Tunis": "TYS", "Austria: A Vienna": "TYR"}
    for turn, beside in turns.items():
        scene = scene_of("six-left-standing", turn)
        text, outlines = render(scene), outlines_of(scene.outlines)
        assert len(re.findall('class="xr"', text)) == len(attackers)
        for unit, attacker in attackers.items():
            ring, token = groups(text, f"{unit}, dislodged")
            assert spot_of(ring) == spot_of(token)
            assert [use.get("class") for use in token.iter(f"{SVG}use")] == ["t"], (
                "as large as any other unit, and as solid"
            )
            x, y = spot_of(ring)
            to = outlines.anchor(attacker)
            off = opening(ring) - math.atan2(to[1] - y, to[0] - x)
            assert abs(math.remainder(off, 2 * math.pi)) < 0.05, (turn, unit)
            home = next(code for code, name in scene.names.items() if unit.endswith(name))
            away = math.dist((x, y), outlines.anchor(home))
            assert (45 < away < 90) if beside else away == 0, (turn, unit)
            if beside:
                assert any(path.get("class") == "xh" for path in ring.iter(f"{SVG}path")), "where it came in"
                (tie,) = [path.get("d") or "" for path in ring.iter(f"{SVG}path") if path.get("class") == "xt"]
                left, top, *_ = map(float, re.findall(r"-?[\d.]+", tie))
                assert (x + left, y + top) == outlines.anchor(home), "tied to where it stood"


def test_dislodged_units_are_listed_in_words() -> None:
    """FR-3: in the description and in the legend, and in neither if no unit is."""
    said = "Dislodged: A St Petersburg of Germany, attacked from Norway; F Tunis of Austria, attacked from Tyrrhenian Sea; A Vienna of Austria, attacked from Tyrolia."
    for turn in ("024-fall-1906-movement", "025-fall-1906-retreats"):
        scene = scene_of("six-left-standing", turn)
        assert scene.description.endswith(said)
        assert "A broken red ring marks a dislodged unit; its gap is where the attack came from." in scene.legend
    quiet = scene_of("six-left-standing", "001-spring-1901-movement")
    assert "islodged" not in quiet.description
    assert "ring marks a dislodged" not in quiet.legend
    assert 'class="xr"' not in render(quiet)


def test_al_andalus_shows_a_dislodged_unit_with_the_same_sign() -> None:
    """FR-3: the same sign in Al-Andalus."""
    scene = scene_of("the-wazirs-of-1080", "010-fall-1082-movement")
    assert [(token.place, token.attacker) for token in scene.tokens if token.attacker is not None] == [("VAL", "ABR")]
    assert len(groups(render(scene), "Granada: A Valencia, dislodged")) == 2


def test_an_attacker_that_came_by_convoy_comes_from_the_last_sea() -> None:
    """FR-3: the ring is open where the arrow arrives."""
    scene = scene_of("six-left-standing", "024-fall-1906-movement")
    tokens = tuple(replace(token, attacker="YOR") if token.place == "BEL" else token for token in scene.tokens)
    arrow = Arrow("convoyed", ("YOR", "NTH", "BEL"), "England", ok=True, title="A Yorkshire - Belgium")
    carried = replace(scene, tokens=tokens, arrows=(arrow,))
    outlines = outlines_of(scene.outlines)
    (title,) = [token.title for token in tokens if token.place == "BEL"]
    ring = next(group for group in groups(render(carried), title) if group.find(f"{SVG}path") is not None)
    (x, y), (u, v) = outlines.anchor("BEL"), outlines.anchor("NTH")
    assert opening(ring) == pytest.approx(math.atan2(v - y, u - x), abs=0.05)


OVERLAPS = """
() => {
  const svg = document.querySelector("svg.cm");
  const scale = svg.getScreenCTM().a;
  // Letters with places of their own in one text are as many texts to a reader.
  const letters = (text) => [...text.textContent].map((_, at) => {
    const { x, y, width, height } = text.getExtentOfChar(at);
    const turn = text.getScreenCTM();
    const [left, top] = [turn.a * x + turn.e, turn.d * y + turn.f];
    return { left, top, right: left + turn.a * width, bottom: top + turn.d * height };
  });
  const seen = [...svg.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().width);
  const boxes = seen.flatMap((text) => {
    const parts = text.x.baseVal.numberOfItems > 1 ? letters(text) : [text.getBoundingClientRect()];
    return parts.map(({ left, right, top, bottom }) => {
      // Letters fill about the middle two thirds of their line.
      const cut = (bottom - top) * 0.18;
      return { text: text.textContent, left, right, top: top + cut, bottom: bottom - cut };
    });
  });
  return boxes.flatMap((one, index) => boxes.slice(index + 1).filter((two) =>
    Math.min(one.right, two.right) - Math.max(one.left, two.left) > scale &&
    Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > scale
  ).map((two) => `${one.text} / ${two.text}`));
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 1440], 1))
def test_no_letter_covers_another_when_units_are_dislodged(paper: Paper, wide: int) -> None:
    """FR-3, FR-8: an army dislodged from Tyrolia once covered that name."""
    page = paper(wide, 900)
    faults: dict[str, list[str]] = {}
    scenes = {name: scene for name, scene in archived().items() if any(token.state for token in scene.tokens)}
    for name, scene in scenes.items():
        page.set_content(f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{render(scene)}")
        faults[name] = page.evaluate(OVERLAPS)
    assert {name: found for name, found in faults.items() if found} == {}
    assert len(faults) > 40


# Supports to hold, names, hatches -----------------------------------------------------------------------------------


def seen(line: Sequence[Vector], units: Sequence[Vector]) -> float:
    """The length of a line outside the boxes of units."""
    steps = [
        (a[0] + (b[0] - a[0]) * n / 20, a[1] + (b[1] - a[1]) * n / 20)
        for a, b in itertools.pairwise(line)
        for n in range(20)
    ]
    whole = sum(math.dist(a, b) for a, b in itertools.pairwise(line))
    free = [p for p in steps if not any(abs(p[0] - x) < 26 and abs(p[1] - y) < 17 for x, y in units)]
    return whole * len(free) / max(len(steps), 1)


@pytest.mark.slow
def test_a_support_to_hold_reaches_the_unit_that_it_is_for() -> None:
    """FR-8: Belgium's support of Holland was a stub of 15. Each now shows at least 25, and ends in an arc around the other unit."""
    checked = 0
    for name, scene in archived().items():
        painter = province_map._Painter(scene)
        painter.orders()
        for each in painter.drawn:
            if each.arrow.kind == "support-hold":
                giver, unit = (painter.spot(place) for place in each.arrow.path)
                assert seen(each.lines[0], [giver, unit]) > 25, (name, each.arrow.path)
                assert 30 <= math.dist(each.lines[0][-1], unit) < 46, (name, each.arrow.path)
                assert "A" in each.shapes[-1][0]
                checked += 1
    assert checked > 100


def test_names_and_codes_have_one_size_and_one_weight() -> None:
    """FR-8: codes were too large, though they replace names."""
    text = render(scene_of("six-left-standing", "024-fall-1906-movement"))
    wide = text[: text.index("@media(max-width:640px)")]
    assert ".cm .c,.cm .n{font-size:16px}" in wide
    assert ".cm .c,.cm .n{font-weight:600;" in wide
    assert wide.count(".cm .c{") == wide.count(".cm .c,") - 2 == 0


def test_owners_can_be_told_apart_without_colour_in_print_and_if_the_page_says_so() -> None:
    """FR-8: for owners of land, eight hatches that differ in more than colour; off by default on a screen."""
    shapes = {re.sub(r"M-9-9.*?z", "", f"{turn} {lines}") for _, turn, lines, _ in HATCHES}
    assert len(shapes) == len(HATCHES) == 8
    scene = scene_of("six-left-standing", "024-fall-1906-movement")
    text = render(scene)
    patterns = re.findall(r'<pattern id="(h[0-9a-f]+)-(\d)"', text)
    owners = {scene.sides[area.owner].slot for area in scene.areas if area.owner is not None}
    assert {int(slot) for _, slot in patterns} == owners
    (name,) = {name for name, _ in patterns}
    assert f'<svg class="cm {name}"' in text
    printed = text[text.index("@media print{") :]
    for slot in owners:
        assert f".{name} .l{slot}{{fill:var(--g{slot})}}" in printed
        assert f"--g{slot}:url(#{name}-{slot});" in text
    assert "--g" not in text[: text.index(f".{name}{{--g")]
    other = render(scene_of("six-left-standing", "022-spring-1906-movement"))
    assert f"{name}-" not in other, "no picture on a page takes another's"


# Layers that are kept -----------------------------------------------------------------------------------------------


def test_a_picture_is_the_same_when_its_layers_are_drawn_again() -> None:
    """FR-11: the cache changes no byte."""
    scenes = [
        scene_of("six-left-standing", "024-fall-1906-movement"),
        scene_of("the-wazirs-of-1080", "011-fall-1082-retreats"),
    ]
    scenes += [scene.to_click() for scene in scenes] + [scene.uncounted() for scene in scenes]
    kept = [render(scene) for scene in scenes for _ in range(2)][::2]
    for layer in vars(province_map).values():
        if hasattr(layer, "cache_clear"):
            layer.cache_clear()
    room_of.cache_clear()
    assert [render(scene) for scene in scenes] == kept
    assert len(set(kept)) == len(kept)
    for text in kept:
        root = ET.fromstring(text)
        assert root.findtext(f"{SVG}title")
        assert root.findtext(f"{SVG}desc")


def test_text_by_strangers_is_escaped() -> None:
    scene = scene_of("six-left-standing", "024-fall-1906-movement")
    bad = '<script>alert("1")</script>&'
    hostile = replace(
        scene,
        title=bad,
        description=bad,
        tokens=tuple(replace(token, title=bad) for token in scene.tokens),
        arrows=tuple(replace(arrow, title=bad) for arrow in scene.arrows),
        areas=tuple(replace(area, title=bad) for area in scene.areas),
        names=dict.fromkeys(scene.names, f'"{bad}'),
        sides={seat: replace(side, name=bad, letter="<") for seat, side in scene.sides.items()},
        clickable=True,
    )
    text = render(hostile)
    root = ET.fromstring(text)
    assert "<script" not in text
    assert root.findtext(f"{SVG}title") == bad
    assert {path.get("data-region") for path in root.iter(f"{SVG}path")} == {None, f'"{bad}'}
