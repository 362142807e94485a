"""Numbers over time as SVG: lines with named ends, or a panel for each seat if too many lines would cross."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from zlib import crc32

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.pages import Chart, Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import axis
from adjudicator.render import sides as looks
from adjudicator.render.axis import Axis, Sizes
from adjudicator.render.palette import BAND, band_of, most_slot, slot_of, style
from adjudicator.render.svg import empty_document, short_text
from adjudicator.render.text import width, wrap

MOST_LINES = 6
"""Most lines in one picture; if there are more, each line has a panel."""

WIDTH, HEIGHT = 600, 300
TOP, BOTTOM = 14, 30
NAME, NUMBER = Sizes(13, 17), Sizes(12, 16)
"""Sizes of names and of numbers."""
LINE = 24
"""Vertical distance from one line's name to the next."""
DISC = 10
BESIDE = 30
"""Distance between the lines' ends and the discs of their names."""
MARKS = 4
"""About how many markers a line has, if it has any."""
DASHES = ("", "11 8", ".1 6", "14 7 .1 7", "4 9", "26 8", "9 6 .1 6 .1 6", "22 7 4 7")
"""Dashes by slot within a band. Their ends are round, so a dash looks longer, and a gap shorter, by the width of the line."""

PANEL_WIDTH, PANEL_HEIGHT = 220, 150
PANEL_TOP, PANEL_BOTTOM = 34, 22
PANEL_NAME, PANEL_NUMBER = Sizes(11, 14), Sizes(10, 12.5)
PANEL_DISC = 9


@dataclass(frozen=True, slots=True)
class Plot:
    """The part of a picture where lines are drawn, and its scales."""

    left: float
    right: float
    top: float
    low: float
    step: int
    """Step between the values of the axis."""
    most: int
    """The highest value of the axis."""
    spots: tuple[float, ...]
    """Horizontal position of each label."""

    def height_of(self, value: int) -> float:
        """Vertical position of a value."""
        return round(self.low - (self.low - self.top) * value / self.most, 1)

    def strips(self) -> Iterator[tuple[float, float]]:
        """Left and right ends of each label's part of the picture."""
        middles = [round((one + other) / 2, 1) for one, other in zip(self.spots, self.spots[1:], strict=False)]
        return zip((self.left, *middles), (*middles, self.right), strict=True)


def chart_pictures(chart: Chart, sides: Mapping[SeatId, Side]) -> tuple[str, ...]:
    """The chart as SVG documents: a single one for few lines, or one per seat for many."""
    return (line_chart(chart, sides),) if len(chart.lines) <= MOST_LINES else panels(chart, sides)


def _plot(chart: Chart, box: tuple[float, float, float, float], most_steps: int) -> Plot:
    left, right, top, low = box
    highest = max((v for values in chart.lines.values() for v in values if v is not None), default=1)
    step = axis.value_step(max(highest, 1), most_steps)
    count = max(len(chart.labels) - 1, 1)
    spots = tuple(round(left + (right - left) * index / count, 1) for index in range(len(chart.labels)))
    return Plot(left, right, top, low, step, -(-max(highest, 1) // step) * step, spots)


def _path(plot: Plot, values: Sequence[int | None]) -> str:
    """A line through the values, with a gap for each None."""
    parts: list[str] = []
    drawn = False
    for spot, value in zip(plot.spots, values, strict=True):
        if value is not None:
            # A single point is a dot: a line without length, with round ends.
            parts.append(f"{'L' if drawn else 'M'}{spot:g} {plot.height_of(value):g}{'' if drawn else 'h0'}")
        drawn = value is not None
    return "".join(parts)


def _last(values: Sequence[int | None]) -> tuple[int, int] | None:
    """Index and value of the last entry that has a value; None if none has."""
    return next(((at, v) for at, v in reversed(list(enumerate(values))) if v is not None), None)


def _add_values(drawing: svgwrite.Drawing, plot: Plot, drop: float) -> None:
    """Add the axis of values with its lines; `drop` is the distance of a number's baseline below its line."""
    heights = {value: plot.height_of(value) for value in range(0, plot.most + 1, plot.step)}
    lines = "".join(f"M{plot.left:g} {y:g}H{plot.right:g}" for value, y in heights.items() if value)
    drawing.add(drawing.path(lines, class_="gr"))
    for value, y in heights.items():
        drawing.add(drawing.text(str(value), (plot.left - 6, round(y + drop, 1)), class_="ax en"))


def _pairs(chart: Chart, sides: Mapping[SeatId, Side]) -> str:
    return PAIRS if any(len(sides[seat].letter) > 1 for seat in chart.lines) else ""


def _over(chart: Chart) -> str:
    return f"{chart.title}, {chart.labels[0]} to {chart.labels[-1]}"


def line_chart(chart: Chart, sides: Mapping[SeatId, Side]) -> str:
    """The chart as one SVG document; letter, name and last value are at the end of each line."""
    drawing = empty_document("cm ch li")
    ended = {seat: last for seat, values in chart.lines.items() if (last := _last(values)) is not None}
    tall = max(HEIGHT, TOP + BOTTOM + LINE * len(ended))
    drawing.attribs["viewBox"] = f"0 0 {WIDTH} {tall}"
    said = ", ".join(f"{seat} {value}" for seat, (_, value) in ended.items())
    drawing.set_desc(title=chart.title, desc=f"{_over(chart)}. At the end: {said}.")
    bands = BANDS if any(band_of(slot_of(sides[seat])) for seat in chart.lines) else ""
    drawing.defs.add(drawing.style(style(most_slot(sides)) + axis.STYLE + LINES + bands + _pairs(chart, sides)))
    discs = {seat: DISC * (looks.PILL if len(sides[seat].letter) > 1 else 1) for seat in ended}
    most = max(discs.values(), default=DISC)
    room = WIDTH / 2 - BESIDE - 2 * most - 8
    names = {
        seat: wrap(seat, NAME.phone, room - width(f" {value}", NAME.phone), 1)[0] for seat, (_, value) in ended.items()
    }
    texts = {seat: f"{names[seat]} {value}" for seat, (_, value) in ended.items()}
    beside = BESIDE + 2 * most + 8 + max((width(text, NAME.phone) for text in texts.values()), default=0)
    highest = max((v for values in chart.lines.values() for v in values if v is not None), default=1)
    left = 10 + width(str(highest * 10), NUMBER.phone)
    plot = _plot(chart, (round(left, 1), round(WIDTH - beside, 1), TOP, tall - BOTTOM), 8)
    _add_values(drawing, plot, 5)
    axis.add_time(drawing, chart, plot.spots, NUMBER, Axis(plot.left, plot.right, 0, plot.right + BESIDE), plot.low)
    if chart.axis:
        spot = (round(plot.right + BESIDE + 2, 1), round(plot.low + NUMBER.phone + 5, 1))
        drawing.add(drawing.text(chart.axis, spot, class_="ax st un"))
    for seat in ended:
        drawing.add(_line(drawing, plot, slot_of(sides[seat]), chart.lines[seat]))
    rows = sorted(ended, key=lambda seat: plot.height_of(ended[seat][1]))
    for seat, y in zip(rows, _apart([plot.height_of(ended[seat][1]) for seat in rows], plot.low), strict=True):
        at, value = ended[seat]
        group = drawing.g(class_=f"o{slot_of(sides[seat])}")
        x = plot.right + BESIDE + most
        lead = f"M{plot.spots[at]:g} {plot.height_of(value):g}L{x - discs[seat]:g} {y:g}"
        group.add(drawing.path(lead, class_="ld"))
        looks.disc(drawing, group, (round(x, 1), y), DISC, sides[seat], "w")
        group.add(
            drawing.text(sides[seat].letter, (round(x, 1), y + 4.5), class_=f"hl{looks.pair_class(sides[seat].letter)}")
        )
        label = drawing.text(texts[seat], (round(x + most + 6, 1), y + 5), class_="en2")
        if names[seat] != seat:
            label.set_desc(title=seat)
        group.add(label)
        drawing.add(group)
    strips = drawing.g(class_="ht")
    for (begin, end), index in zip(plot.strips(), range(len(chart.labels)), strict=True):
        said = "\n".join(f"{seat} {v[index]}" for seat, v in chart.lines.items() if v[index] is not None)
        strips.add(axis.strip(drawing, begin, end, TOP, plot.low, f"{chart.labels[index]}\n{said}"))
    drawing.add(strips)
    return short_text(drawing)


def _line(drawing: svgwrite.Drawing, plot: Plot, slot: int, values: Sequence[int | None]) -> BaseElement:
    """A slot's line with its dashes, and the markers of its band."""
    group = drawing.g(class_=f"o{slot}")
    line = drawing.path(_path(plot, values), class_="ln")
    if dash := DASHES[(slot - 1) % BAND]:
        line.attribs["stroke-dasharray"] = dash
    group.add(line)
    if band_of(slot):
        # Lines on top of each other have their markers in different places.
        every = max(1, len(values) // MARKS)
        for index, value in enumerate(values):
            if value is not None and (index + slot) % every == 0:
                group.add(looks.marker(drawing, slot, (plot.spots[index], plot.height_of(value)), "w"))
    return group


def _apart(heights: Sequence[float], low: float) -> list[float]:
    """Move heights, which are sorted from the top down, so that they are at least a line apart and above the axis."""
    spots: list[float] = []
    for height in heights:
        spots.append(max(height, spots[-1] + LINE) if spots else max(height, DISC + 3.0))
    bound = low - DISC / 2
    for index in range(len(spots) - 1, -1, -1):
        spots[index] = round(min(spots[index], bound), 1)
        bound = spots[index] - LINE
    return spots


def panels(chart: Chart, sides: Mapping[SeatId, Side]) -> tuple[str, ...]:
    """A small SVG document for each line, with all lines faint behind it; all documents have the same scale.

    The first document holds the parts that all share, so all must be on one page.
    """
    highest = max((v for values in chart.lines.values() for v in values if v is not None), default=1)
    left = round(8 + width(str(highest), PANEL_NUMBER.phone), 1)
    box = (left, PANEL_WIDTH - 8, PANEL_TOP, PANEL_HEIGHT - PANEL_BOTTOM)
    plot = _plot(chart, box, 4)
    paths = {seat: _path(plot, values) for seat, values in chart.lines.items()}
    name = f"c{crc32(f'{chart.title} {paths}'.encode()):x}"
    pictures: list[str] = []
    for seat, values in chart.lines.items():
        drawing = empty_document("cm ch pn")
        drawing.attribs["viewBox"] = f"0 0 {PANEL_WIDTH} {PANEL_HEIGHT}"
        last = _last(values)
        said = "no value" if last is None else f"{last[1]} at {chart.labels[last[0]]}"
        numbers = [value for value in values if value is not None]
        between = f"; from {min(numbers)} to {max(numbers)}" if numbers else ""
        drawing.set_desc(title=f"{chart.title}: {seat}", desc=f"{_over(chart)}. {seat}: {said}{between}.")
        if not pictures:
            drawing.defs.add(drawing.style(style(most_slot(sides)) + axis.STYLE + PANELS + _pairs(chart, sides)))
            drawing.defs.add(drawing.path("".join(paths.values()), id=name))
        slot = slot_of(sides[seat])
        _add_values(drawing, plot, 4)
        drawing.add(drawing.use(f"#{name}", class_="ot"))
        reach = Axis(plot.left, plot.right, 0, PANEL_WIDTH)
        axis.add_time(drawing, chart, plot.spots, PANEL_NUMBER, reach, plot.low)
        group = drawing.g(class_=f"o{slot}")
        if last is not None:
            group.add(drawing.path(paths[seat], class_="ln"))
            group.add(looks.marker(drawing, slot, (plot.spots[last[0]], plot.height_of(last[1])), "w"))
        _add_head(drawing, group, seat, sides[seat], "" if last is None else str(last[1]))
        drawing.add(group)
        drawing.add(_runs(drawing, plot, chart.labels, values))
        pictures.append(short_text(drawing))
    return tuple(pictures)


def _runs(drawing: svgwrite.Drawing, plot: Plot, labels: Sequence[str], values: Sequence[int | None]) -> BaseElement:
    """A strip with a tooltip for each run of equal values."""
    strips = drawing.g(class_="ht")
    for value, run in groupby(zip(plot.strips(), labels, values, strict=True), key=lambda point: point[2]):
        points = list(run)
        if value is not None:
            ((begin, _), first, _), ((_, end), last, _) = points[0], points[-1]
            when = first if len(points) == 1 else f"{first} to {last}"
            strips.add(axis.strip(drawing, begin, end, PANEL_TOP, plot.low, f"{when}: {value}"))
    return strips


def _add_head(drawing: svgwrite.Drawing, group: BaseElement, seat: SeatId, side: Side, value: str) -> None:
    """Add a panel's letter, name and last value."""
    half = PANEL_DISC * (looks.PILL if len(side.letter) > 1 else 1)
    at = (round(half + 6, 1), 14)
    looks.disc(drawing, group, at, PANEL_DISC, side, "w")
    group.add(drawing.text(side.letter, (at[0], 18.5), class_=f"hl{looks.pair_class(side.letter)}"))
    begin = 2 * half + 14
    room = PANEL_WIDTH - 8 - begin - width(f" {value}", PANEL_NAME.phone)
    shown = wrap(seat, PANEL_NAME.phone, room, 1)[0]
    group.add(drawing.text(f"{shown} {value}".strip(), (round(begin, 1), 19), class_="en2"))


def _styled(kind: str, names: Sizes, numbers: Sizes) -> str:
    """Style rules for lines and text in pictures of one kind; a page may have several kinds."""
    return (
        f".{kind} .ln{{fill:none;stroke:var(--o);stroke-width:3}}"
        f".cm.{kind} .en2{{text-anchor:start;font-weight:600;font-size:{names.wide:g}px}}"
        f".cm.{kind} .ax{{font-size:{numbers.wide:g}px}}.cm.{kind} .hl{{font-size:12px}}"
        f"@media(max-width:640px){{.cm.{kind} .ax{{font-size:{numbers.phone:g}px}}.cm.{kind} .en2{{font-size:{names.phone:g}px}}}}"
    )


LINES = (
    _styled("li", NAME, NUMBER) + "@media(max-width:640px){.cm.li .hl{font-size:15px}}"
    ".li .ld{fill:none;stroke:var(--o);stroke-width:1.2;stroke-opacity:.6}.li .un{font-style:italic}"
)
BANDS = ".cm.li .ln+.w,.cm.li .w+.w{stroke:var(--halo);stroke-width:1}"
"""Style of markers on lines that may cross others."""
PAIRS = ".cm.pn .pr,.cm.li .pr{font-size:11px}@media(max-width:640px){.cm.li .pr{font-size:13px}}"
"""Style for sides with two letters instead of one."""
PANELS = (
    _styled("pn", PANEL_NAME, PANEL_NUMBER) + ".pn .ot{fill:none;stroke:var(--edge);stroke-opacity:.4;stroke-width:1.2}"
)
