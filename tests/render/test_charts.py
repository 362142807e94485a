"""Charts: time in the game's own units, panels where lines would cross, every value in words, and no overlapping text."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from adjudicator.core.contract.pages import Chart, Side, Timeline
from adjudicator.render import chart_pictures, line_chart, timeline
from adjudicator.render.axis import ROUND, STEPS, Axis, Tick, named_ticks, ticks_of, value_step
from adjudicator.render.chart import DASHES, MOST_LINES, PANEL_WIDTH, WIDTH
from adjudicator.render.palette import letters, page_style
from adjudicator.render.text import REGULAR, width
from adjudicator.site.charts import chart_figure
from tests.conftest import Paper, first_of
from tests.render.test_kinship import shared, within

SVG = "{http://www.w3.org/2000/svg}"
STYLES = Path(__file__).parents[2] / "site_src/assets/courtly.css"
SEATS = (
    "Badajoz", "Castille", "Granada", "Seville", "Zaragoza", "First Wazir", "Second Wazir", "Third Wazir of a very long name",
    "Aragon", "Navarre",
)  # fmt: skip


def sides_of(seats: tuple[str, ...]) -> dict[str, Side]:
    signs = letters(seats)
    return {seat: Side(slot, seat, signs[seat]) for slot, seat in enumerate(seats, 1)}


def years_of(count: int) -> Chart:
    """So many seasons of ten purses, two to a year; one ends early, one begins late."""
    labels = tuple(f"{('Spring', 'Fall')[at % 2]} {1080 + at // 2}" for at in range(count))
    lines = {
        seat: tuple(
            None
            if (number == 2 and at > count - 3) or (number == 3 and at < 2)
            else (7 * number + at * (number % 4)) % 41
            for at in range(count)
        )
        for number, seat in enumerate(SEATS)
    }
    return Chart("Dinars", "dinars", labels, lines, "Year", tuple(label[-4:] for label in labels), tuple(range(count)))


def few(chart: Chart, seats: int = MOST_LINES) -> Chart:
    """A chart with fewer seats."""
    lines = dict(list(chart.lines.items())[:seats])
    return Chart(chart.title, chart.unit, chart.labels, lines, chart.axis, chart.ticks, chart.turns)


# The axis of time --------------------------------------------------------------------------------------------------


def test_the_ticks_are_the_games_own_units() -> None:
    """FR-12."""
    chart = years_of(95)
    assert [tick.name for tick in ticks_of(chart)] == [str(1080 + at) for at in range(48)]
    assert [tick.at for tick in ticks_of(chart)] == list(range(0, 95, 2))
    # A game in its first year has a name at its last position too.
    first = Chart("", "", ("1901", "Winter 1901"), {}, "Year", ("1901", "1901"))
    assert ticks_of(first) == (Tick(0, "1901"), Tick(1, "Winter 1901"))
    # Without units the labels are the ticks; a unit that comes again is another one.
    assert ticks_of(Chart("", "", ("1", "2"), {})) == (Tick(0, "1"), Tick(1, "2"))
    assert [tick.at for tick in ticks_of(Timeline("", ("a", "b", "c"), {}, "", "", ("x", "y", "x")))] == [0, 1, 2]


@pytest.mark.parametrize("count", [1, 2, 9, 19, 40, 95, 400])
@pytest.mark.parametrize("kind", ["{}", "Spring {}", "a unit of a name that is longer than all others {}"])
@pytest.mark.parametrize("size", [10, 16])
def test_as_many_names_as_fit_are_on_the_axis(count: int, kind: str, size: int) -> None:
    """FR-12."""
    ticks = [Tick(at, kind.format(1080 + at)) for at in range(count)]
    spots = [round(40 + 380 * at / max(count - 1, 1), 1) for at in range(count)]
    axis = Axis(40, 420, 0, 450)
    named = named_ticks(ticks, spots, size, axis)
    assert named
    ends = 0.0
    for middle, name in named:
        half = width(name, size) * REGULAR / 2
        assert len(named) == 1 or (middle - half >= ends - 0.1 and middle + half <= 450.1)
        ends = middle + half + size / 3
    # The next smaller step would not have fit.
    steps = [step * tens for tens in (1, 10, 100) for step in STEPS]
    apart = int(named[1][1][-4:]) - int(named[0][1][-4:]) if len(named) > 1 else steps[-1]
    if apart > 1 and len(named) > 1:
        tighter = steps[steps.index(apart) - 1]
        wide = width(named[0][1], size) * REGULAR + size / 3
        assert wide > tighter * 380 / (count - 1) - 0.1
    if apart >= ROUND and kind == "{}" and len(named) > 1:
        assert all(int(name) % apart == 0 for _, name in named)


def test_95_turns_have_more_than_three_names() -> None:
    """FR-12."""
    chart = years_of(95)
    for picture in (line_chart(few(chart), sides_of(SEATS)), chart_pictures(chart, sides_of(SEATS))[0]):
        names = re.findall(r'<text class="ax( wd| nr)?" x="[\d.]+" y="[\d.]+">(\d{4})<', picture)
        assert len([name for only, name in names if only != " nr"]) >= 5
        assert len([name for only, name in names if only != " wd"]) >= 4
    bars = timeline(Timeline("Courts", chart.labels, {"First": ("Granada",) * 95}, "free", "Year", chart.ticks), {})
    assert len(re.findall(r">1\d{3}</text>", bars)) >= 9


@pytest.mark.parametrize(
    ("top", "most", "step"),
    [(3, 8, 1), (8, 8, 1), (9, 8, 2), (45, 8, 10), (345, 8, 50), (99_999, 8, 20_000), (19, 4, 5)],
)
def test_the_value_axis_has_round_steps(top: int, most: int, step: int) -> None:
    assert value_step(top, most) == step
    chart = Chart("Stocks", "money", ("1", "2"), {"A": (0, top)})
    text = line_chart(chart, {"A": Side(1, "A", "A")})
    shown = [int(number) for number in re.findall(r'class="ax en"[^>]*>(\d+)<', text)]
    assert shown == list(range(0, shown[-1] + 1, value_step(top, 8)))
    assert shown[-1] >= top


# Lines and panels --------------------------------------------------------------------------------------------------


def test_more_than_six_lines_have_a_panel_each() -> None:
    """FR-12."""
    chart, sides = years_of(36), sides_of(SEATS)
    assert len(chart_pictures(few(chart), sides)) == 1
    pictures = chart_pictures(few(chart, MOST_LINES + 1), sides)
    assert len(pictures) == MOST_LINES + 1
    pictures = chart_pictures(chart, sides)
    assert pictures == chart_pictures(chart, sides)
    roots = [ET.fromstring(picture) for picture in pictures]
    assert [root.findtext(f"{SVG}title") for root in roots] == [f"Dinars: {seat}" for seat in SEATS]
    # They share one scale and one axis, which makes them comparable.
    scales = {
        tuple(
            (node.text, node.get("x"), node.get("y"))
            for node in root.iter(f"{SVG}text")
            if "ax" in node.get("class", "")
        )
        for root in roots
    }
    assert len(scales) == 1
    # The first has the shared parts: the style, and every line, which the others show in grey.
    assert [picture.count("<style") for picture in pictures] == [1] + [0] * 9
    (name,) = re.findall(r'<path [^>]*id="(c[0-9a-f]+)"', pictures[0])
    assert all(f'<use class="ot" href="#{name}"' in picture for picture in pictures)
    assert all(len([node for node in root.iter(f"{SVG}path") if node.get("class") == "ln"]) == 1 for root in roots)
    assert all(root.get("role") == "img" and root.findtext(f"{SVG}desc") for root in roots)
    # Another chart on the same page has different lines.
    other = Chart("Others", "", chart.labels, chart.lines)
    assert f'id="{name}"' not in chart_pictures(other, sides)[0]


def test_lines_differ_without_colour_and_end_in_their_letters() -> None:
    """FR-12."""
    chart, sides = few(years_of(20)), sides_of(SEATS)
    root = ET.fromstring(line_chart(chart, sides))
    dashes = [node.get("stroke-dasharray", "") for node in root.iter(f"{SVG}path") if node.get("class") == "ln"]
    assert dashes == list(DASHES[:MOST_LINES])
    said = [node.text for node in root.iter(f"{SVG}text") if (node.get("class") or "").startswith(("hl", "en2"))]
    ended = {seat: [value for value in values if value is not None][-1] for seat, values in chart.lines.items()}
    assert sorted(zip(said[::2], said[1::2], strict=True)) == sorted(
        (sides[seat].letter, f"{seat} {value}") for seat, value in ended.items()
    )


def test_a_line_is_broken_where_it_has_no_value() -> None:
    chart = Chart("Centres", "centres", ("1", "2", "3", "4", "5"), {"A": (1, 1, None, 2, None), "B": (None,) * 5})
    text = line_chart(chart, sides_of(("A", "B")))
    (line,) = re.findall(r'<path class="ln" d="([^"]*)"', text)
    assert line.count("M") == 2
    assert "At the end: A 2." in text
    assert ">B" not in text


# Values in words --------------------------------------------------------------------------------------------------


def test_every_value_is_shown_under_the_pointer() -> None:
    """FR-12."""
    chart, sides = years_of(36), sides_of(SEATS)
    for seat, picture in zip(SEATS, chart_pictures(chart, sides), strict=True):
        said: dict[str, int] = {}
        for first, last, value in re.findall(r"<title>(\w+ \d{4})(?: to (\w+ \d{4}))?: (\d+)</title>", picture):
            run = chart.labels[chart.labels.index(first) : chart.labels.index(last or first) + 1]
            said |= dict.fromkeys(run, int(value))
        assert said == {
            label: value for label, value in zip(chart.labels, chart.lines[seat], strict=True) if value is not None
        }
    together = line_chart(few(chart), sides)
    for at, label in enumerate(chart.labels):
        values = [f"{seat} {v[at]}" for seat, v in few(chart).lines.items() if v[at] is not None]
        assert f"<title>{label}\n{chr(10).join(values)}</title>" in together


def test_a_table_behind_a_chart_has_every_value() -> None:
    """FR-12."""
    chart = years_of(36)
    body = str(chart_figure(chart, sides_of(SEATS)))
    assert body.index("</svg>") < body.index("<details")
    assert "open" not in re.findall(r"<details[^>]*>", body)[0]
    assert "<summary>Dinars as a table</summary>" in body
    assert re.findall(r'<th scope="col">([^<]*)</th>', body) == ["When", *SEATS]
    rows = re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', body)
    assert [label for label, _ in rows] == list(chart.labels)
    for at, (_, cells) in enumerate(rows):
        values = [chart.lines[seat][at] for seat in SEATS]
        assert re.findall(r"<td>([^<]*)</td>", cells) == ["–" if value is None else str(value) for value in values]
    assert ".courtly-numbers" in STYLES.read_text(encoding="utf-8")
    assert "courtly-numbers" in body
    courts = Timeline("Courts", ("1", "2"), {"First": ("Granada", None)}, "free", "Year")
    body = str(chart_figure(courts, sides_of(SEATS)))
    assert re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", body) == ["Year", "First", "1", "Granada", "2", "free"]
    assert "courtly-numbers" not in body


def test_names_that_are_markup_stay_text() -> None:
    seats = tuple(f'{letter}<b onload="x">&' for letter in "ABCDEFGH")
    sides = {seat: Side(slot, seat, seat[0]) for slot, seat in enumerate(seats, 1)}
    chart = Chart("<i>", "<u>", ("<s>", "<q>"), dict.fromkeys(seats, (1, 2)), "<p>", ("<em>", "<h1>"))
    for shown in (chart, few(chart)):
        body = str(chart_figure(shown, sides))
        assert not re.search(r"<(b|i|u|s|q|em|h1)\b", body)
    body = str(chart_figure(Timeline("<i>", ("<s>",), {"<b>": (seats[0],)}, "<u>", "<p>", ("<em>",)), sides))
    assert not re.search(r"<(b|i|u|s|q|em|h1)\b", body)


# In a browser ------------------------------------------------------------------------------------------------------

MEASURED = """
() => [...document.querySelectorAll("svg")].map((svg) => {
  const box = (node) => {
    const {left, right, top, bottom} = node.getBoundingClientRect();
    return {left, right, top, bottom};
  };
  return {
    picture: box(svg),
    texts: [...svg.querySelectorAll("text")].filter((text) => text.getBoundingClientRect().width).map((text) => {
      const whole = box(text);
      const cut = 0.17 * (whole.bottom - whole.top);
      return {
        ...whole, top: whole.top + cut, bottom: whole.bottom - cut, words: text.textContent, kind: text.getAttribute("class"),
        pixels: parseFloat(getComputedStyle(text).fontSize) * svg.getScreenCTM().a,
      };
    }),
  };
})
"""


def measure(paper: Paper, figure: str, wide: int) -> Any:
    page = paper(wide)
    css = STYLES.read_text(encoding="utf-8") + page_style()
    page.set_content(
        f"<!doctype html><html style='font-size:20px'><style>body{{margin:16px}}{css}</style>"
        f"<body data-md-color-scheme=default class=md-typeset><div class=courtly>{figure}</div>"
    )
    measures = page.evaluate(MEASURED)
    across = page.evaluate("document.documentElement.scrollWidth")
    assert across <= wide
    return measures


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 700, 1440], 1))
@pytest.mark.parametrize("count", [2, 19, 36, 95])
@pytest.mark.parametrize("kind", ["lines", "panels", "bars"])
def test_no_text_in_a_chart_overlaps_another(paper: Paper, kind: str, count: int, wide: int) -> None:
    """FR-12."""
    chart = years_of(count)
    courts = Timeline("Courts", chart.labels, {"First": ("Granada",) * count}, "free", "Year", chart.ticks)
    shown: Chart | Timeline = courts if kind == "bars" else few(chart) if kind == "lines" else chart
    seen = measure(paper, str(chart_figure(shown, sides_of(SEATS))), wide)
    assert len(seen) == (len(SEATS) if kind == "panels" else 1)
    for picture in seen:
        for text in picture["texts"]:
            assert within(text, picture["picture"]), text
            # A letter in a narrow bar is as large as the bar is wide; its row, its title and the table repeat it.
            assert text["pixels"] >= 9 or text["kind"] in {"hl pr", "lt", "lt pr", "lt pr sm"}, text
        for text, other in itertools.combinations(picture["texts"], 2):
            assert not shared(text, other), (text, other)
    for one, other in itertools.combinations(seen, 2):
        assert not shared(one["picture"], other["picture"])
    if kind == "panels":
        # Two in a row on a phone, four on a wide screen.
        assert len({picture["picture"]["left"] for picture in seen}) == {390: 2, 700: 2, 1440: 4}[wide]


def test_texts_are_large_enough_on_a_phone() -> None:
    """At 390 px a picture of lines has 358 for its width, and a panel half of that."""
    assert 16 * 358 / WIDTH >= 9
    assert 12.5 * (358 - 16) / 2 / PANEL_WIDTH >= 9
