"""Up to 24 sides in every kind of picture: no two look alike, nothing overlaps, and nothing leaves the picture."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.pages import Chart, Family, Kin, Kinship, Side, Timeline
from adjudicator.render import kinship, line_chart, render, render_grid, timeline
from adjudicator.render.chart import DASHES, MOST_LINES
from adjudicator.render.grid_map.parcels import place_of
from adjudicator.render.grid_map.sheet import PAIR
from adjudicator.render.grid_map.words import DISC, DISC_RIMMED
from adjudicator.render.hatch import NINTH
from adjudicator.render.kinship import WIDTH
from adjudicator.render.palette import FILLS, FILLS_DARK, INKS, INKS_DARK, band_of, letters, page_style, slot_of, style
from adjudicator.render.scenes import Attendant, GridScene, Plot, ProvinceScene, Token
from adjudicator.render.sides import PILL, columns, pattern_of
from adjudicator.render.text import width
from adjudicator.rulesets.diplomacy import RULESET
from adjudicator.rulesets.diplomacy.position import Settings, starting_position
from adjudicator.rulesets.noblesse.picture import SIGNS
from tests.conftest import Paper, first_of
from tests.render.test_grids import MEASURED as GRID_MEASURED
from tests.render.test_kinship import MEASURED as KIN_MEASURED
from tests.render.test_kinship import shared, within
from tests.render.test_maps import contrast

SVG = "{http://www.w3.org/2000/svg}"
NAMES = (
    "Aragon", "Austria", "Bavaria", "Bohemia", "Castile", "Croatia", "Denmark", "England", "Florence", "France", "Genoa",
    "Hungary", "Ireland", "Lithuania", "Milan", "Naples", "Norway", "Poland", "Portugal", "Saxony", "Scotland", "Sweden",
    "Venice", "Wallachia",
)  # fmt: skip
COUNTS = first_of([24, 12, 9, 16], 2)
PALER = {"light": ("#26221b", "#fffdf6", "#f6f0df", "#d7e8f3", "#fff"), "dark": ("#f1ecdf", "#12161a", "#3a372f", "#16222c", "#111")}  # fmt: skip
"""Words, stripes and dots, unowned land, the sea, and the letters on an ink."""


def sides_of(count: int) -> dict[str, Side]:
    pairs = letters(NAMES[:count])
    return {name: Side(slot, name, pairs[name]) for slot, name in enumerate(NAMES[:count], 1)}


def provinces(count: int, *, courts: bool = False) -> ProvinceScene:
    """The standard board, divided among so many sides."""
    base = RULESET.pictures.draw(starting_position(Settings()), None)
    assert isinstance(base, ProvinceScene)
    sides = sides_of(count)
    seats = list(sides)
    areas = tuple(replace(area, owner=seats[n % count]) for n, area in enumerate(base.areas))
    tokens = tuple(
        Token(
            area.region,
            area.owner or "",
            ("army", "fleet")[n % 2],
            f"{area.owner}: {area.region}",
            state="new" if n % 7 == 3 else "",
            leader=seats[(n + 5) % count] if courts and n % 9 == 4 else None,
        )
        for n, area in enumerate(areas)
        if n % 3 != 2 or not area.centre
    )
    beside = tuple(
        Attendant(seats[(n + 3) % count] if n % 4 else None, seat, "no wazir +5" if not n % 4 else f"{seat} 120", "120")
        for n, seat in enumerate(seats)
    )
    alone = tuple(Attendant(seat, None, f"{seat} 3, free", "3 free") for seat in seats[:5])
    return replace(
        base,
        sides=sides,
        areas=areas,
        tokens=tokens,
        standings=tuple((seat, str(n)) for n, seat in enumerate(seats)),
        attendants=(*beside, *alone) if courts else (),
    )


def estates(count: int) -> GridScene:
    sides = sides_of(count)
    seats = list(sides)
    plots, tokens = [], []
    for row, column in itertools.product(range(10), range(10)):
        number, place = 10 * row + column, place_of(row, column)
        owner = seats[(number * 7 + row) % count] if number % 5 else None
        lord = ("Leander", "Bo", "Margot")[number % 3] if number % 8 == 1 else ""
        plots.append(Plot(place, owner, place, (("influence", number % 3), ("money", 2)), lord=lord, own=bool(lord)))
        for each in range((number % 4 == 0) + 3 * (number % 12 == 0)):
            who, kind = seats[(number + each) % count], list(SIGNS.units)[(number // 4 + each) % 4]
            leader = who if number % 8 == 0 and not each else None
            state = "new" if number % 16 == 4 else ""
            tokens.append(Token(place, who, kind, f"{who}: {kind} in {place}", leader=leader, state=state))
    return GridScene(
        title="Night 4",
        description="Night 4.",
        sides=sides,
        rows=10,
        columns=10,
        signs=SIGNS,
        plots=tuple(plots),
        tokens=tuple(tokens),
        standings=tuple((seat, f"{n} estates") for n, seat in enumerate(seats)),
        attendants=tuple(Attendant(seat, seat, "Leander, Leader", "Lea") for seat in seats[::2]),
    )


def chart_of(count: int) -> str:
    """A chart of the last of so many sides, as many as fit in one picture."""
    every = sides_of(count)
    sides = dict(list(every.items())[-MOST_LINES:])
    lines = {
        seat: tuple((3 + number * 5 + at * (number % 7)) % 17 if at < 18 - number % 3 else None for at in range(18))
        for number, seat in enumerate(sides)
    }
    return line_chart(Chart("Centres", "centres", tuple(str(1901 + at) for at in range(18)), lines), sides)


def courts_of(count: int) -> str:
    sides = sides_of(count)
    seats = list(sides)
    rows = {
        f"Wazir of {seat}": tuple(
            seats[(number + at // (1 + number % 5)) % count] if (number + at) % 9 else None for at in range(24)
        )
        for number, seat in enumerate(seats)
    }
    return timeline(Timeline("Courts", tuple(f"Spring {1080 + at}" for at in range(24)), rows, "free"), sides)


def houses_of(count: int) -> str:
    sides = sides_of(count)
    seats = list(sides)
    families = [
        Family(
            (Kin("Ada", one), Kin("Konstantin Wolfsburg", two, dead=number % 3 == 1)),
            f"Night {number}",
            (
                Kin("Cy", one, other=two),
                Kin("Isabeau of the Marsh", two, "heir of Leander, who died in Night 7", held=seats[number], other=one),
            ),
        )
        for number, (one, two) in enumerate(itertools.pairwise(seats))
    ]
    alone = [Family((Kin("Marguerite", seat),), "", ()) for seat in seats]
    return kinship(Kinship("Houses", (*families, *alone)), sides)


PICTURES = {
    "provinces": lambda count: render(provinces(count)),
    "courts": lambda count: render(provinces(count, courts=True)),
    "estates": lambda count: render_grid(estates(count)),
    "chart": chart_of,
    "timeline": courts_of,
    "kinship": houses_of,
}


# Colours and signs -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "fills", "inks"), [("light", FILLS, INKS), ("dark", FILLS_DARK, INKS_DARK)])
def test_letters_and_words_can_be_read_in_24_colours(
    scheme: str, fills: tuple[str, ...], inks: tuple[str, ...]
) -> None:
    words, pale, land, sea, on = PALER[scheme]
    sheet = style(24)
    for role, colour in (("ink", words), ("halo", pale), ("land", land), ("sea", sea), ("on", on)):
        assert f"--{role}:{colour};" in sheet  # the tests measure the values that pictures really have
    assert len(fills) == len(inks) == NINTH
    measured = {
        "letters on inks": min(contrast(ink, on) for ink in inks),
        "lines on the sea": min(contrast(ink, sea) for ink in inks),
        "lines on land": min(contrast(ink, land) for ink in inks),
        "words on land": min(contrast(words, fill) for fill in fills),
        "words on stripes": contrast(words, pale),
        "stripes on land": min(contrast(pale, fill) for fill in fills[8:24]),
        "rims around": min(contrast(ink, pale) for ink in inks[8:]),
    }
    print(scheme, {what: round(value, 2) for what, value in measured.items()})
    least = {"letters on inks": 5, "lines on the sea": 3, "lines on land": 3, "words on land": 5, "words on stripes": 7}
    assert all(measured[what] >= value for what, value in least.items()), measured
    assert measured["stripes on land"] >= 1.8
    assert measured["rims around"] >= 5


def test_no_two_slots_look_alike() -> None:
    slots = range(1, 25)
    for colours in (FILLS, FILLS_DARK, INKS, INKS_DARK):
        assert len(set(colours[:24])) == 24
        assert colours[NINTH - 1] not in colours[:8]
    assert len({(FILLS[n - 1], FILLS_DARK[n - 1], pattern_of(n)) for n in slots}) == 24
    # Ignoring colour: bands by pattern and rim, lines by marker and dash, each combination once.
    assert [{pattern_of(n) for n in slots if band_of(n) == band} for band in range(3)] == [
        {""}, {"stripes to the left", "stripes to the right"}, {"checks", "dots"},
    ]  # fmt: skip
    assert len({(band_of(n), DASHES[(n - 1) % 8]) for n in slots}) == 24
    assert all(pattern_of(n) != pattern_of(n + 1) for n in range(9, 24))
    # A slot beyond the last is drawn like one of them rather than not at all.
    assert [slot_of(Side(n, "", "")) for n in (1, 8, 9, 24, NINTH, 26)] == [1, 8, 9, 24, NINTH, 1]
    assert slot_of(None) == band_of(0) == band_of(NINTH) == 0
    assert f"--f{NINTH}:" in style(NINTH)
    assert "--f9:" not in style(NINTH)


def test_the_first_eight_sides_look_as_before() -> None:
    assert FILLS[:8] == ("#f0b3a6", "#cdbdea", "#acd0f2", "#bdb9ae", "#b0daa8", "#f2c4dc", "#f5dc8c", "#a6e0dc")
    assert INKS[:8] == ("#a81c12", "#55289b", "#114f9e", "#36342f", "#14692a", "#97165f", "#7a5200", "#00656d")
    assert "--f24:" in page_style()
    assert "--i24:" in page_style()
    assert "--f8:" not in style()


def test_letters_are_initials_or_pairs() -> None:
    assert letters(("France", "Austria", "england")) == {"France": "F", "Austria": "A", "england": "E"}
    assert letters(("Austria", "Aragon", "Bavaria")) == {"Austria": "Au", "Aragon": "Ar", "Bavaria": "Ba"}
    # A side with no other choice keeps a sample that another side can do without.
    assert letters(("Anna", "Ann")) == {"Anna": "Aa", "Ann": "An"}
    assert letters(("A", "Al", "Ala")) == {"A": "A2", "Al": "Al", "Ala": "Aa"}
    assert letters(("’t Zand", "Lys d’Or", "Zoë")) == {"’t Zand": "T", "Lys d’Or": "L", "Zoë": "Z"}
    assert letters(("Élise", "Étienne")) == {"Élise": "Él", "Étienne": "Ét"}
    assert letters(()) == {}
    assert len(set(letters(NAMES).values())) == 24


@given(st.lists(st.text(min_size=1, max_size=12), unique=True, max_size=30))
def test_no_two_names_have_the_same_letters(names: list[str]) -> None:
    pairs = letters(names)
    assert list(pairs) == names
    assert len(set(pairs.values())) == len(names)
    assert {len(pair) for pair in pairs.values()} in (set(), {1}, {2})
    assert pairs == letters(names)


def test_an_added_name_changes_no_pair_of_letters() -> None:
    for count in range(2, 24):
        more = letters(NAMES[: count + 1])
        assert all(more[name] == pair for name, pair in letters(NAMES[:count]).items())


def test_pairs_fit_into_the_discs_of_estates() -> None:
    # They are drawn by reference, where a browser cannot measure them.
    assert DISC_RIMMED < DISC
    pairs = [*letters(NAMES).values(), "Wo", "Mo"]
    assert all(width(pair, PAIR) <= 2 * PILL * DISC_RIMMED for pair in pairs)


def test_columns_are_wide_enough() -> None:
    assert columns([], 10, 100) == ([], 0)
    assert columns([1, 2, 1, 1], 40, 100) == ([(0, 0), (50, 0), (0, 2), (50, 2)], 3)
    assert columns([1, 1], 400, 100) == ([(0, 0), (0, 1)], 2)


# Every kind of picture ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", PICTURES)
def test_every_picture_is_described_and_reproducible(kind: str, count: int) -> None:
    text = PICTURES[kind](count)
    assert text == PICTURES[kind](count)
    root = ET.fromstring(text)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    sheet = text[text.index("<style") : text.index("</style>")]
    assert sheet.count("{") == sheet.count("}")
    # Patterns are only those of sides in the picture.
    patterns = {int(n) for n in re.findall(r'<pattern [^>]*id="p[0-9a-f]+-(\d+)"', text)}
    assert patterns == (set() if kind == "chart" else set(range(9, count + 1)))
    assert {int(n) for n in re.findall(r"url\(#p[0-9a-f]+-(\d+)\)", text)} == patterns
    # No other picture on the page has this id.
    assert len(set(re.findall(r"#(p[0-9a-f]+)-", text))) == bool(patterns)
    fewer = PICTURES[kind](count - 1)
    assert not any(f"#{tag}-" in fewer for tag in re.findall(r"#(p[0-9a-f]+)-", text))
    hatches = {f"g{slot}" for slot in range(1, 9)}  # each picture has its own
    assert set(re.findall(r"var\(--(\w+)\)", sheet)) <= set(re.findall(r"--(\w+):", page_style())) | {"o"} | hatches


@pytest.mark.parametrize("kind", PICTURES)
def test_a_picture_of_eight_sides_with_initials_needs_no_patterns_or_pairs(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.render.test_many_sides.NAMES", tuple(f"{letter} side" for letter in "ABCDEFGH"))
    text = PICTURES[kind](8)
    assert not re.search(r'<pattern id="p|url\(#p|cm-r[23g]|[. ](pr|kz|k3|kt)\b', text)


def looks(kind: str, count: int) -> set[tuple[str, ...]]:
    """Differences between the discs, units or samples of the sides in a picture, ignoring colour."""
    root = ET.fromstring(PICTURES[kind](count))
    differences: set[tuple[str, ...]] = set()
    for group in root.iter(f"{SVG}g"):
        signs = [node for node in group if node.tag != f"{SVG}g"]
        if not re.fullmatch(r"o\d+", group.get("class", "")) and group.get("class") not in {"kz", "kk"}:
            continue
        if kind == "chart" and signs[0].get("class") == "ln":
            line, *marks = signs
            shapes = {re.sub(r"M[-\d. ]+", "", mark.get("d", "")) for mark in marks}
            differences.add((line.get("stroke-dasharray", ""), *shapes))
        elif kind != "chart":
            rims = [node.get("class", "") for node in signs if node.get("class", "").startswith("cm-r")]
            words = [node.text or "" for node in signs if node.tag == f"{SVG}text"]
            if words and {node.tag for node in signs} & {f"{SVG}circle", f"{SVG}rect"}:
                differences.add((words[0], *rims[:1]))
    return differences


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", PICTURES)
def test_no_two_sides_are_alike_without_colour(kind: str, count: int) -> None:
    differences = looks(kind, count)
    if kind == "chart":
        assert len(differences) == MOST_LINES
        return
    rims: dict[str, set[tuple[str, ...]]] = {}
    for letter, *rim in differences:
        rims.setdefault(letter, set()).add(tuple(name.split()[0] for name in rim))
    for side in sides_of(count).values():
        band = band_of(side.slot)
        assert (f"cm-r{band + 1}",) in rims[side.letter] if band else rims[side.letter] == {()}


# In a browser ------------------------------------------------------------------------------------------------------


MEASURED = """
() => {
  const svg = document.querySelector("svg");
  const scale = svg.getScreenCTM().a;
  const box = (node) => {
    const {left, right, top, bottom} = node.getBoundingClientRect();
    return {left: left / scale, right: right / scale, top: top / scale, bottom: bottom / scale};
  };
  const seen = (node) => node.getBoundingClientRect().width && !node.closest("defs");
  return {
    picture: box(svg),
    texts: [...svg.querySelectorAll("text")].filter(seen).map((text) => {
      const whole = box(text);
      const cut = 0.17 * (whole.bottom - whole.top);
      const before = text.previousElementSibling;
      return {
        ...whole, top: whole.top + cut, bottom: whole.bottom - cut,
        words: text.textContent, kind: text.getAttribute("class"), pixels: text.getBoundingClientRect().height,
        on: before && /^(circle|rect|use)$/.test(before.tagName) ? box(before) : null,
      };
    }),
    discs: [...svg.querySelectorAll(".kz")].filter(seen).map((group) => box(group)),
  };
}
"""


def measure(paper: Paper, text: str, wide: int, script: str = MEASURED) -> Any:
    page = paper(wide)
    page.set_content(f"<!doctype html><style>body{{margin:0}}svg{{display:block;width:100%}}</style>{text}")
    return page.evaluate(script)


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 1200], 1))
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", ["provinces", "courts"])
def test_a_legend_of_many_sides_wraps(paper: Paper, kind: str, count: int, wide: int) -> None:
    scene = provinces(count, courts=kind == "courts")
    seen = measure(paper, render(scene), wide)
    top = seen["discs"][0]["top"]
    assert len(seen["discs"]) == len(scene.standings) + len(scene.attendants)
    for disc, other in itertools.combinations(seen["discs"], 2):
        assert not shared(disc, other), (disc, other)
    for disc in seen["discs"]:
        assert within(disc, seen["picture"]), disc
    words = [text for text in seen["texts"] if text["top"] > top]
    said = {text["words"] for text in words}
    assert {f"{seat} {text}" for seat, text in scene.standings} <= said
    assert {person.text if wide > 640 else person.short for person in scene.attendants} <= said
    for text in seen["texts"]:
        assert within(text, seen["picture"]), text
        if text["on"] and text["words"] in {side.letter for side in scene.sides.values()}:
            # A pair fits into its unit, disc or mark.
            assert text["right"] - text["left"] <= text["on"]["right"] - text["on"]["left"], text
    for text in words:
        if "k" in text["kind"].split():
            assert text["pixels"] >= 9, text


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 1200], 1))
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("kind", ["chart", "timeline"])
def test_keys_of_many_sides_overlap_nothing(paper: Paper, kind: str, count: int, wide: int) -> None:
    seen = measure(paper, PICTURES[kind](count), wide)
    texts = seen["texts"]
    for text in texts:
        assert within(text, seen["picture"]), text
        assert text["on"] is None or text["right"] - text["left"] <= text["on"]["right"] - text["on"]["left"], text
    for text, other in itertools.combinations(texts, 2):
        assert not shared(text, other), (text, other)
    said = " ".join(text["words"] for text in texts if text["kind"] in {"en2", "kt"} or text["kind"].startswith("en2"))
    assert all(name in said for name in NAMES[count - MOST_LINES if kind == "chart" else 0 : count])


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 1200], 1))
@pytest.mark.parametrize("count", COUNTS)
def test_estates_of_many_sides_overlap_nothing(paper: Paper, count: int, wide: int) -> None:
    seen = measure(paper, render_grid(estates(count)), wide, GRID_MEASURED)
    assert len(seen["things"]) > 150
    for thing in seen["things"]:
        assert thing["left"] >= 0, thing
        assert thing["right"] <= seen["wide"], thing
        assert thing["bottom"] <= seen["bottom"], thing
    for thing, other in itertools.combinations(seen["things"], 2):
        across = min(thing["right"], other["right"]) - max(thing["left"], other["left"])
        down = min(thing["bottom"], other["bottom"]) - max(thing["top"], other["top"])
        # Outlines, second rims and badges may touch.
        assert min(across, down) <= 6, (thing, other)


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 760], 1))
@pytest.mark.parametrize("count", COUNTS)
def test_cards_of_many_sides_contain_their_texts(paper: Paper, count: int, wide: int) -> None:
    seen = measure(paper, houses_of(count), wide, KIN_MEASURED)
    assert seen["picture"]["right"] <= max(wide, WIDTH)
    for index, text in enumerate(seen["texts"]):
        cut = (text["bottom"] - text["top"]) * 0.1
        text["top"] += cut
        text["bottom"] -= cut
        assert within(text, seen["picture"]), text
        assert text["card"] < 0 or within(text, seen["cards"][text["card"]]), text
        for other in seen["texts"][:index]:
            assert not shared(text, other), (text, other)
