"""Who stood with whom over time, as SVG: a bar for each row, told apart by letters as well as by colour."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

import svgwrite

from adjudicator.core.resolution import SeatId, Side, Timeline
from adjudicator.render.palette import FILLS, most_slot, style

WIDTH, LEFT, RIGHT, TOP, FOOT = 760, 14, 14, 8, 36
ROW, BAR = 62, 30
LETTER = 17
"""The room that a letter needs in a bar."""


def timeline(chart: Timeline, sides: Mapping[SeatId, Side]) -> str:
    """The timeline as one SVG document; its description says every span in words."""
    height = TOP + ROW * len(chart.rows) + FOOT
    drawing = svgwrite.Drawing(debug=False, size=None)
    drawing.attribs.clear()
    drawing.attribs.update({"class": "cm ch", "viewBox": f"0 0 {WIDTH} {height}", "role": "img"})
    drawing.attribs["xmlns"] = "http://www.w3.org/2000/svg"
    count = max(len(chart.labels), 1)
    step = (WIDTH - LEFT - RIGHT) / count
    words = []
    drawing.defs.add(drawing.style(style(most_slot(sides)) + STYLE))
    for number, (row, values) in enumerate(chart.rows.items()):
        top = TOP + ROW * number
        last = values[-1]
        drawing.add(drawing.text(f"{row}: {last or chart.none}", (LEFT, top + 18), class_="rw"))
        middle = top + 25 + BAR / 2
        drawing.add(drawing.path(f"M{LEFT} {middle:g}H{WIDTH - RIGHT}", class_="gr"))
        spans = []
        at = 0
        for value, run in groupby(values):
            length = len(list(run))
            begin, end = chart.labels[at], chart.labels[at + length - 1]
            when = begin if begin == end else f"{begin} to {end}"
            spans.append(f"{value or chart.none} {when}")
            if value is not None:
                x, wide = round(LEFT + at * step, 1), round(length * step, 1)
                side = sides.get(value)
                slot = (side.slot - 1) % len(FILLS) + 1 if side is not None else 0
                group = drawing.g(class_=f"o{slot}" if slot else "o")
                group.set_desc(title=f"{row}: {value}, {when}")
                group.add(drawing.rect((x, top + 25), (wide, BAR), rx=4, class_=f"bar l{slot}" if slot else "bar u"))
                letter = side.letter if side is not None else "×"
                if wide >= LETTER:
                    group.add(drawing.text(letter, (round(x + wide / 2, 1), top + 25 + BAR / 2 + 6), class_="lt"))
                drawing.add(group)
            at += length
        words.append(f"{row}: {', '.join(spans)}.")
    longest = max(map(len, chart.labels), default=1)
    fit = max(1, int((WIDTH - LEFT - RIGHT) / (18 * longest)))
    every = -(-count // fit)
    for index in range(0, count, every):
        x = LEFT + index * step
        if x + 9 * longest < WIDTH - RIGHT:
            drawing.add(drawing.text(chart.labels[index], (round(x, 1), height - 10), class_="ax st"))
    drawing.set_desc(title=chart.title, desc=f"{chart.title}. {' '.join(words)}")
    text: str = drawing.tostring()
    for unused in (' xmlns:ev="http://www.w3.org/2001/xml-events"', ' xmlns:xlink="http://www.w3.org/1999/xlink"'):
        text = text.replace(unused, "")
    return text + "\n"


STYLE = (
    ".ch .gr{stroke:var(--edge);stroke-opacity:.5;fill:none;stroke-dasharray:2 5}.ch .ax{font-size:15px}"
    ".cm.ch .st{text-anchor:start}.cm.ch .rw{text-anchor:start;font-size:17px;font-weight:600}"
    ".ch .bar{stroke:var(--o,var(--edge));stroke-width:2}.ch .lt{font-size:17px;font-weight:700;fill:var(--ink)}"
    "@media(max-width:640px){.cm.ch .ax{font-size:20px}.cm.ch .rw{font-size:20px}}"
)
