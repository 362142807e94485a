"""Numbers over time as SVG lines, told apart by letter, dash and marker as well as by colour."""

from __future__ import annotations

from collections.abc import Mapping

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.pages import Chart, Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.palette import BAND, band_of, most_slot, slot_of, style
from adjudicator.render.svg import document_text, empty_document

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 44, 140, 18, 42
GLYPH = 12
"""The width that a letter may take at the size it has on a phone."""
DIGIT = 14
"""The width of a digit at that size."""
LINE = 21
"""From one label at the right to the next."""
SAMPLE = 54
"""The room of a piece of line before each label, where there are more lines than colours."""
MARKS = 4
"""The number of stretches between markers on such a line."""
DASHES = ("", "10 4", "3 4", "14 4 3 4", "6 6", "18 5", "2 6", "12 3 3 3 3 3")


def line_chart(chart: Chart, sides: Mapping[SeatId, Side]) -> str:
    """The chart as one SVG document; its description holds every number."""
    drawing = empty_document("cm ch")
    many = any(band_of(slot_of(sides[seat])) for seat in chart.lines)
    tall = max(HEIGHT, TOP + BOTTOM + LINE * len(chart.lines)) if many else HEIGHT
    drawing.attribs["viewBox"] = f"0 0 {WIDTH} {tall}"
    words = "; ".join(
        f"{seat}: " + ", ".join(str(v) for v in values if v is not None) for seat, values in chart.lines.items()
    )
    drawing.set_desc(title=chart.title, desc=f"{chart.title}, {chart.labels[0]} to {chart.labels[-1]}. {words}.")
    drawing.defs.add(drawing.style(style(most_slot(sides)) + CHART_STYLE + (MANY if many else "")))
    top = max((v for values in chart.lines.values() for v in values if v is not None), default=1)
    step = 5 if top > 8 else 2 if top > 4 else 1
    while top > 10 * step:  # 5, 10, 20, 50, ... so that there are never more than ten lines
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    top = -(-max(top, 1) // step) * step
    count = max(len(chart.labels) - 1, 1)
    beside = 12 + (SAMPLE if many else 0)
    right = max(RIGHT, 4 + beside + GLYPH * max(len(f"{seat} {top}") for seat in chart.lines))
    left = max(LEFT, 10 + DIGIT * len(str(top)))
    span = WIDTH - left - right
    longest = max(map(len, chart.labels))
    fit = 9 if longest <= 4 else max(1, int(span / (1.5 * GLYPH * longest)))

    def x(index: float) -> float:
        return round(left + span * index / count, 1)

    def y(value: float) -> float:
        return round(tall - BOTTOM - (tall - TOP - BOTTOM) * value / top, 1)

    for value in range(0, top + 1, step):
        drawing.add(drawing.path(f"M{left} {y(value)}H{WIDTH - right}", class_="gr"))
        drawing.add(drawing.text(str(value), (left - 10, y(value) + 5), class_="ax en"))
    every = -(-len(chart.labels) // fit)
    for index, label in enumerate(chart.labels):
        if index % every == 0:
            # A long label at either end would run out of the picture.
            side = "" if longest <= 4 else " st" if index == 0 else " en" if index == count else ""
            drawing.add(drawing.text(label, (x(index), tall - 14), class_=f"ax{side}"))
    ends: list[tuple[float, SeatId]] = []
    for seat, values in chart.lines.items():
        slot = slot_of(sides[seat])
        points = [(x(i), y(v)) for i, v in enumerate(values) if v is not None]
        if not points:
            continue
        path = "M" + "L".join(f"{px:g} {py:g}" for px, py in points)
        group = drawing.g(class_=f"o{slot}")
        group.set_desc(title=f"{seat}: {', '.join(str(v) for v in values if v is not None)}")
        line = drawing.path(path, class_="ln")
        if dash := DASHES[(slot - 1) % BAND]:
            line.attribs["stroke-dasharray"] = dash
        group.add(line)
        if many:
            # On lines that lie on each other their markers stand in different places.
            every = max(1, len(chart.labels) // MARKS)
            for index, amount in enumerate(values):
                if amount is not None and (index + slot) % every == 0:
                    group.add(looks.marker(drawing, slot, (x(index), y(amount)), "w"))
        group.add(looks.marker(drawing, slot, points[-1], "w"))
        drawing.add(group)
        ends.append((points[-1][1], seat))
    shown = -100.0
    rows = sorted(ends)
    low = tall - BOTTOM + 6
    spots: list[float] = []
    for spot, _ in rows:
        shown = max(spot + 5, shown + LINE)
        spots.append(shown)
    if spots and spots[-1] > low:
        # Too many at the bottom: push the column up just as far as it needs.
        for index in range(len(spots) - 1, -1, -1):
            bound = low if index == len(spots) - 1 else spots[index + 1] - LINE
            spots[index] = min(spots[index], bound)
    for (_, seat), spot in zip(rows, spots, strict=True):
        last = next(v for v in reversed(chart.lines[seat]) if v is not None)
        label = drawing.text(
            f"{seat} {last}", (WIDTH - right + beside, round(spot, 1)), class_=f"en2 o{slot_of(sides[seat])}"
        )
        if many:
            drawing.add(_sample(drawing, slot_of(sides[seat]), WIDTH - right, spot))
        drawing.add(label)
    return document_text(drawing)


def _sample(drawing: svgwrite.Drawing, slot: int, x: float, spot: float) -> BaseElement:
    """A piece of a slot's line with its marker, before the line's label."""
    group = drawing.g(class_=f"o{slot}")
    y = round(spot - 5, 1)
    line = drawing.path(f"M{x + 18:g} {y:g}h{SAMPLE - 14}", class_="ln")
    if dash := DASHES[(slot - 1) % BAND]:
        line.attribs["stroke-dasharray"] = dash
    group.add(line)
    group.add(looks.marker(drawing, slot, (x + 18, y), "w"))
    return group


CHART_STYLE = (
    ".ch .gr{stroke:var(--edge);stroke-opacity:.35;fill:none}.ch .ax{font-size:15px}.ch .en{text-anchor:end}.ch .st{text-anchor:start}"
    ".ch .ln{fill:none;stroke:var(--o);stroke-width:3}.ch .en2{text-anchor:start;font-size:15px;font-weight:600;fill:var(--o)}"
    "@media(max-width:640px){.cm.ch .ax{font-size:22px}.cm.ch .en2{font-size:19px}}"
)
MANY = ".cm.ch .ln+.w,.cm.ch .w+.w{stroke:var(--halo);stroke-width:1}"
"""Markers on lines that cross others."""
