"""Maps of estates: borders are shared, everything stays in its plot, and nothing overlaps other text."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from adjudicator.core.contract.pages import Side
from adjudicator.render import render_grid
from adjudicator.render.grid_map.parcels import CELL, RIM, Parcels, ground_of, place_of, spot_of
from adjudicator.render.grid_map.picture import HALF
from adjudicator.render.grid_map.units import TILE
from adjudicator.render.grid_map.words import fit_name, short_names
from adjudicator.render.palette import page_style
from adjudicator.render.scenes import Arrow, Attendant, GridScene, Mark, Plot, Token
from adjudicator.rulesets.noblesse.picture import SIGNS
from tests.conftest import Paper, first_of

BUILDINGS, POSTS, UNITS = SIGNS.buildings, SIGNS.posts, SIGNS.units
SVG = "{http://www.w3.org/2000/svg}"
SIDES = {
    "Alliance": Side(1, "Alliance", "A"),
    "Fleurs": Side(2, "Fleurs", "F"),
    "Pape": Side(3, "Pape", "P"),
    "TCK": Side(4, "TCK", "T"),
}
LORDS = {"B2": "Ada", "B9": "Bo", "I2": "Leander", "I9": "Leo", "E5": "Margot"}
PRIZES = ("E5", "E6", "F5", "F6")
Box = tuple[float, float, float, float]


def board(*, longest: bool = False) -> GridScene:
    """A board that has everything."""
    plots, tokens = [], []
    seats = list(SIDES)
    for row, column in itertools.product(range(10), range(10)):
        place = place_of(row, column)
        number = 10 * row + column
        owner = seats[number % 4] if number % 3 else None
        incomes = (("influence", number % 3), ("manpower", number % 2 + 1), ("money", number // 7 % 3))
        lord = LORDS.get(place, "")
        plots.append(
            Plot(
                place,
                owner,
                f"{place}: {owner or 'nobody'}'s, with {', '.join(f'{n} {k}' for k, n in incomes)}",
                incomes if place != "B2" else (("influence", 5), ("money", 2), ("manpower", 12)),
                lord=lord,
                own=bool(lord),
                prize=place in PRIZES,
                buildings=tuple(BUILDINGS) if place == "B2" else ("+arsenal",) if lord else (),
                posts=tuple(POSTS) if place == "B2" else ("steward",) if number % 5 == 0 else (),
                fog=number % 11 == 3,
            )
        )
    crowd = (*(("Pape", kind) for kind in ("regiment", "brigade", "division", "garrison", "garrison")),)
    for place, units in (
        ("E5", (*crowd, *(("TCK", kind) for kind in ("regiment", "brigade", "division")))),
        ("B2", crowd),
        ("F6", (("Alliance", "brigade"),)),
        ("A1", (("Fleurs", "regiment"), ("Fleurs", "division"))),
        *((place_of(n % 10, n // 4), ((seats[n % 4], list(UNITS)[n // 4 % 4]),)) for n in range(24)),
    ):
        tokens += [Token(place, owner, kind, f"{owner}: {kind} in {place}") for owner, kind in units]
    tokens.append(Token("C3", "Pape", "division", "Pape: division in C3", leader="Pape"))
    tokens.append(Token("C3", "TCK", "regiment", "TCK: regiment in C3", state="gone"))
    tokens.append(Token("C4", "TCK", "garrison", "TCK: garrison in C4", state="new"))
    tokens.append(Token("J10", "mercenaries", "brigade", "mercenaries in J10"))
    return GridScene(
        title="Night 4",
        description="Night 4. Pape holds 12 estates.",
        sides=SIDES,
        rows=10,
        columns=10,
        signs=SIGNS,
        plots=tuple(plots),
        tokens=tuple(tokens),
        arrows=(
            Arrow("move", ("E4", "E5"), "Pape", ok=True, title="Pape: E4 - E5"),
            Arrow("move", ("E4", "E5"), "Pape", ok=True, title="Pape: another, E4 - E5"),
            Arrow("move", ("F5", "E5"), "TCK", ok=True, title="TCK: F5 - E5"),
            Arrow("move", ("E5", "F5"), "Pape", ok=False, title="Pape: E5 - F5 failed"),
            Arrow("move", ("H6", "G6", "G5"), "Alliance", ok=True, title="Alliance: H6 - G5"),
        ),
        marks=(
            Mark("battle", "E5", None, ok=True, title="A battle in E5"),
            Mark("gone", "E5", "Fleurs", ok=True, title="A regiment of Fleurs is no more"),
            Mark("new", "H9", "Alliance", ok=True, title="A garrison was raised"),
            Mark("gone", "C3", "TCK", ok=True, title="The regiment of TCK is no more"),
            Mark("new", "C4", "TCK", ok=True, title="The garrison of TCK was raised"),
        ),
        standings=tuple((seat, "2 Nobles, 12 estates" if longest else "12 estates") for seat in SIDES),
        attendants=(
            Attendant("Pape", "Pape", "Ada, Leader", "Ada"),
            Attendant("Pape", "Pape", "Bo", "Bo"),
            Attendant(None, None, "nobody yet", "–"),
        ),
    )


def tree(scene: GridScene) -> ET.Element:
    return ET.fromstring(render_grid(scene))


def test_a_board_is_small_well_formed_and_described() -> None:
    text = render_grid(board())
    print(f"a full board has {len(text.encode())} bytes")
    assert len(text.encode()) <= 60_000
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Night 4"
    assert root.findtext(f"{SVG}desc") == "Night 4. Pape holds 12 estates."
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert text.endswith("</svg>\n")


def test_the_same_board_gives_the_same_bytes() -> None:
    scene = board()
    again = replace(
        scene,
        plots=scene.plots,
        tokens=scene.tokens[::-1],
        arrows=scene.arrows[::-1],
        marks=scene.marks[::-1],
    )
    assert render_grid(scene) == render_grid(board()) == render_grid(again)


def test_numbers_have_at_most_one_decimal() -> None:
    text = re.sub(r"<style.*?</style>|<title>.*?</title>", "", render_grid(board()), flags=re.DOTALL)
    assert not re.search(r"\.\d\d|\de-\d", text)


Point = tuple[int, int]


def walk(path: str) -> list[tuple[Point, Point, Point]]:
    """The borders that an outline runs along: start, turn, end, in the picture's coordinates."""
    numbers = [int(text) for text in re.findall(r"-?\d+", path)]
    assert re.fullmatch(r"M[\d ]+(q[-\d ]+){4}z", path)
    x, y = numbers[:2]
    borders = []
    for at in range(2, 18, 4):
        turn_x, turn_y, end_x, end_y = numbers[at : at + 4]
        borders.append(((x, y), (x + turn_x, y + turn_y), (x + end_x, y + end_y)))
        x, y = x + end_x, y + end_y
    assert (x, y) == tuple(numbers[:2])
    return borders


def test_neighbours_share_their_borders() -> None:
    parcels = Parcels(10, 10)
    shapes = {(r, c): walk(parcels.outline(r, c)) for r, c in itertools.product(range(10), range(10))}
    straight = 0
    for (row, column), (_, right, low, _) in shapes.items():
        if column < 9:
            assert right[::-1] == shapes[row, column + 1][3]
        if row < 9:
            assert low[::-1] == shapes[row + 1, column][0]
        straight += len({point[0] for point in right}) == 1
    assert straight <= 10  # The map's edge is straight; all others wander.
    drawn = [path.get("d") for path in tree(board()).findall(f"{SVG}path")]
    assert drawn[:100] == [parcels.outline(row, column) for row, column in itertools.product(range(10), range(10))]


def test_borders_leave_room_for_the_contents_of_a_plot() -> None:
    parcels = Parcels(10, 10)
    for row, column in itertools.product(range(10), range(10)):
        x, y = RIM + CELL * column + CELL // 2, RIM + CELL * row + CELL // 2
        for border in walk(parcels.outline(row, column)):
            (x1, y1), (u, v), (x2, y2) = border
            for px, py in ((x1, y1), ((x1 + 2 * u + x2) / 4, (y1 + 2 * v + y2) / 4)):
                assert max(abs(px - x), abs(py - y)) >= HALF - 2  # as much as a letter's own margin


def test_the_ground_is_of_four_kinds() -> None:
    kinds = {ground_of(row, column)[0] for row, column in itertools.product(range(10), range(10))}
    assert kinds == {"f", "m", "w", "h"}


def origin_of(element: ET.Element, at: tuple[float, float] = (0, 0), size: float = 1) -> tuple[float, float, float]:
    """Where an element's origin lies in the end, and its scale."""
    transform = element.get("transform", "")
    moved = re.match(r"translate\((-?[\d.]+) (-?[\d.]+)\)", transform)
    scaled = re.search(r"scale\(([\d.]+)\)", transform)
    if moved:
        at = at[0] + size * float(moved[1]), at[1] + size * float(moved[2])
    return *at, size * (float(scaled[1]) if scaled else 1)


SIZES = {
    "rl": 28,
    "cd": 17,
    "rn": 17,
    "ri": 38,
    "ky": 21,
    "kq": 25.5,
    "k": 27,
    "k2": 23,
    "kl": 23,
    "hl": 13,
    "ld": 12,
    "gm-in": 16,
}


def texts(root: ET.Element, *, narrow: bool) -> list[tuple[str, Box]]:
    """Every visible text, with its box from the size of its letters."""
    shapes = {element.get("id"): element for element in root.iterfind(f"{SVG}defs/*")}
    seen: list[tuple[str, Box]] = []

    def visit(element: ET.Element, at: tuple[float, float], size: float, classes: tuple[str, ...]) -> None:
        classes = (*classes, *element.get("class", "").split())
        x, y, size = origin_of(element, at, size)
        if "q" in classes if not narrow else {"wd", "n2"} & set(classes):
            return
        if element.tag == f"{SVG}use":
            shape = shapes[(element.get("href") or "")[1:]]
            here = (x + size * float(element.get("x", 0)), y + size * float(element.get("y", 0)))
            visit(shape, here, size, classes)
        elif element.tag == f"{SVG}text" and element.text:
            letter = next((SIZES[name] for name in reversed(classes) if name in SIZES), 18) * size
            wide = letter * 0.6 * len(element.text)
            middle, base = x + size * float(element.get("x", 0)), y + size * float(element.get("y", 0))
            left = middle if {"k", "ky"} & set(classes) else middle - wide * (1 if {"rn", "ri"} & set(classes) else 0.5)
            seen.append((element.text, (left, base - 0.72 * letter, left + wide, base)))
        for child in element:
            if child.tag != f"{SVG}defs":
                visit(child, (x, y), size, classes)

    visit(root, (0, 0), 1, ())
    return seen


@pytest.mark.parametrize("longest", [False, True])
def test_no_text_covers_anything_else(longest: bool) -> None:
    scene = board(longest=longest)
    root = tree(scene)
    width, height = (int(part) for part in root.get("viewBox", "").split()[2:])
    boxes = texts(root, narrow=False)
    assert len(boxes) > 250
    for text, (x1, y1, x2, y2) in boxes:
        assert x1 >= 0, text
        assert y1 >= 0, text
        assert x2 <= width, text
        assert y2 <= height, text
    for (text, a), (other, b) in itertools.combinations(boxes, 2):
        assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]), (text, a, other, b)


def test_units_are_inside_their_plots() -> None:
    root = tree(board())
    seen = 0
    for group in root.iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title") or ""
        at = re.search(r" in ([A-J]\d+)$", title)
        if at and group.get("transform"):
            row, column = spot_of(at[1])
            x, y, size = origin_of(group)
            middle = (RIM + CELL * (column + 0.5), RIM + CELL * (row + 0.5))
            assert abs(x - middle[0]) + TILE[0] * size / 2 <= HALF
            assert abs(y - middle[1]) + TILE[1] * size / 2 <= HALF
            seen += 1
    assert seen == len(board().tokens)


def test_units_in_a_plot_do_not_cover_each_other() -> None:
    for flock in tree(board()).iter(f"{SVG}g"):
        if "tk" not in flock.get("class", "").split():
            continue
        spots = [origin_of(group) for group in flock.findall(f"{SVG}g") if group.get("transform")]
        for (x1, y1, size), (x2, y2, _) in itertools.combinations(spots, 2):
            assert abs(x1 - x2) >= (TILE[0] - 2) * size or abs(y1 - y2) >= (TILE[1] - 2) * size


def test_every_kind_of_thing_is_drawn() -> None:
    text = render_grid(board())
    root = ET.fromstring(text)
    said = {node.text for node in root.iter(f"{SVG}text")}
    assert {*UNITS, *BUILDINGS, *POSTS, "influence", "manpower", "money", "home", "prize", "unknown"} <= said
    assert {"battle", "unit raised", "unit lost"} <= said
    titles = [node.text for node in root.iter(f"{SVG}title")]
    scene = board()
    for title in (*(p.title for p in scene.plots), *(t.title for t in scene.tokens), *(m.title for m in scene.marks)):
        assert title in titles
    assert "Pape: E4 - E5; Pape: another, E4 - E5" in titles
    assert "Pape: E5 - F5 failed" in titles
    assert text.count('class="pz"') == len(PRIZES)
    # In wide pictures and in narrow ones, and in both keys.
    assert text.count('href="#g-crown"') == 2 * len(PRIZES) + 2
    assert text.count('href="#g-house"') == 2 * len(LORDS) + 2
    assert 'class="bn"' in text  # being built
    assert '">12</text>' in text  # as a number, where it is too much for pips
    used = set(re.findall(r'href="#([^"]+)"', text))
    assert used == set(re.findall(r' id="([^"]+)"', text))


def test_a_board_without_units_or_standings_is_only_a_map() -> None:
    bare = GridScene("A board", "Nothing on it.", SIDES, 3, 4, SIGNS, (Plot("A1", None, "A1"),))
    root = tree(bare)
    assert root.get("viewBox") == f"0 0 {4 * CELL + 2 * RIM} {3 * CELL + 2 * RIM}"
    assert len(root.findall(f"{SVG}path")) == 12
    with pytest.raises(ValueError, match="no such mark: hold"):
        render_grid(replace(bare, marks=(Mark("hold", "A1", None, ok=True, title=""),)))


def test_the_order_desk_can_click_every_plot() -> None:
    assert "data-region" not in render_grid(board())
    root = tree(replace(board(), clickable=True, names={"A1": "The Corner"}))
    regions = [path.get("data-region") for path in root.findall(f"{SVG}path") if path.get("data-region")]
    assert len(regions) == 100
    assert regions[:3] == ["The Corner", "A2", "A3"]
    flocks = {group.get("data-region") for group in root.findall(f"{SVG}g") if group.get("data-region")}
    assert {"The Corner", "E5", "J10"} <= flocks


def test_colours_follow_the_page_and_the_printer() -> None:
    text = render_grid(board())
    sheet = text[text.index("<style") : text.index("</style>")]
    assert sheet.count("{") == sheet.count("}")
    assert "@media screen and (prefers-color-scheme:dark){.cm{--sea:#16222c" in sheet  # and so light in print
    assert not re.search(r"#[0-9a-f]{3,6}\b", sheet[sheet.index(".gm{") :])
    roles = set(re.findall(r"--(\w+):", page_style()))
    assert set(re.findall(r"var\(--(\w+)\)", sheet)) <= roles | {"o"}


def test_lords_can_be_told_apart_by_a_few_letters() -> None:
    assert short_names(["Ada", "Bo", "Leander", "Leo"]) == {"Ada": "A", "Bo": "B", "Leander": "Lea", "Leo": "Leo"}
    narrow = [text for text, _ in texts(tree(board()), narrow=True)]
    assert {"A", "B", "Lea", "Leo"} <= set(narrow)
    assert "Leander" not in narrow
    assert "A7" not in narrow


HERBS = (
    "Anise",
    "Basil",
    "Borage",
    "Caraway",
    "Chervil",
    "Dill",
    "Fennel",
    "Hyssop",
    "Lovage",
    "Marjoram",
    "Rue",
    "Tansy",
)


def herbs() -> GridScene:
    """A board with long names, a unit lost in a battle, and three marks in a home."""
    homes = {place_of(n // 4 * 2, n % 4 * 2): name for n, name in enumerate(HERBS)}
    plots = tuple(
        Plot(place, owner := "Pape" if number % 5 else None, place, lord=homes.get(place, ""), own=owner is not None)
        for number, place in enumerate(place_of(row, column) for row in range(8) for column in range(8))
    )
    return GridScene(
        title="Night 5",
        description="A battle.",
        sides=SIDES,
        rows=8,
        columns=8,
        signs=SIGNS,
        plots=plots,
        tokens=(
            *(Token("C3", "Pape", kind, f"Pape: {kind} in C3") for kind in UNITS),
            *(Token("A5", "Pape", "garrison", "Pape: garrison in A5") for _ in range(3)),
            Token("A3", "Pape", "garrison", "Pape: garrison in A3"),
        ),
        marks=(
            *(
                Mark(kind, place, None, ok=True, title=kind)
                for place in ("A3", "B2")
                for kind in ("battle", "gone", "new")
            ),
            *(Mark("new", place, "Pape", ok=True, title="new") for place in ("A5", "C3")),
            *(Mark("gone", "H8", seat, ok=True, title=f"{seat} lost one") for seat in ("Pape", "TCK")),
        ),
        standings=tuple((seat, "12") for seat in SIDES),
    )


def test_names_are_whole_or_abbreviated_with_a_full_stop() -> None:
    wide = {text for text, _ in texts(tree(herbs()), narrow=False)}
    cut = {"Caraway": "Caraw.", "Marjoram": "Marjor."}
    assert {cut.get(name, name) for name in HERBS} <= wide
    assert [fit_name("Marjoram", 17, room) for room in (200, 77, 50, 30, 1)] == [
        "Marjoram", "Marjor.", "Mar.", "M.", "M.",
    ]  # fmt: skip
    narrow = {text for text, _ in texts(tree(herbs()), narrow=True)}
    assert {"A", "Ba", "Bo", "Ca", "Ch", "D", "F", "H", "L", "M", "R", "T"} <= narrow


# In a browser ------------------------------------------------------------------------------------------------------


MEASURED = """
() => {
  const svg = document.querySelector("svg.gm");
  const scale = svg.getScreenCTM().a;
  const ground = /^#g([fmwhv]\\d|-brook)$/;
  const things = [...svg.querySelectorAll("text, use, .kk, .tk > g[transform]")].filter((one) =>
    !one.closest("defs") && !one.parentNode.closest(".kk, .tk > g") && !one.matches(".hf, .hb") &&
    !ground.test(one.getAttribute("href") ?? "") && one.getBoundingClientRect().width);
  return {
    scale,
    bottom: svg.getBoundingClientRect().bottom / scale,
    wide: svg.getBoundingClientRect().right / scale,
    things: things.map((one) => {
      const {left, right, top, bottom} = one.getBoundingClientRect();
      const text = one.tagName === "text";
      const size = text ? parseFloat(getComputedStyle(one).fontSize) : 0;
      const cut = 0.2 * size * one.getScreenCTM().a / scale;
      return {
        what: text ? one.textContent : one.getAttribute("href") ?? one.querySelector("title")?.textContent ?? "disc",
        text, size: size * one.getScreenCTM().a, kind: one.closest("[class]").getAttribute("class"),
        left: left / scale, right: right / scale,
        // The box of a text is its whole line, and the letters fill the middle of it.
        top: top / scale + cut, bottom: bottom / scale - cut,
      };
    }),
  };
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 1200], 1))
@pytest.mark.parametrize("scene", [board(), board(longest=True), herbs()], ids=["board", "longest", "herbs"])
def test_nothing_overlaps_on_a_phone_or_a_desktop(paper: Paper, scene: GridScene, wide: int) -> None:
    page = paper(wide)
    page.set_content(f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{render_grid(scene)}")
    seen: Any = page.evaluate(MEASURED)
    things = seen["things"]
    assert len(things) > 80
    for thing in things:
        assert thing["left"] >= 0, thing
        assert thing["right"] <= seen["wide"], thing
        assert thing["bottom"] <= seen["bottom"], thing
    for thing, other in itertools.combinations(things, 2):
        across = min(thing["right"], other["right"]) - max(thing["left"], other["left"])
        down = min(thing["bottom"], other["bottom"]) - max(thing["top"], other["top"])
        # Outlines and badges may touch.
        assert min(across, down) <= 4, (thing, other)
    # Only a margin is left below the last text.
    said = [thing for thing in things if thing["text"]]
    assert seen["bottom"] - max(thing["bottom"] for thing in said) <= 40
    size = {thing["what"]: thing["size"] for thing in said}
    for seat, standing in scene.standings:
        assert size[f"{SIDES[seat].name} {standing}"] >= 9
    for label in ("regiment", "home", "battle", "unit raised", "unit lost"):
        assert size[label] >= 9
