"""Alliances over time as SVG: a line of bars for each row, with letters as well as colours."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from adjudicator.core.contract.pages import Side, Timeline
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import axis
from adjudicator.render import sides as looks
from adjudicator.render.axis import Axis, Sizes
from adjudicator.render.palette import most_slot, slot_of, style
from adjudicator.render.svg import document_text, empty_document
from adjudicator.render.text import REGULAR, width, wrap

WIDTH, LEFT, RIGHT, TOP, FOOT = 760, 14, 14, 8, 36
ROW, BAR = 62, 30
LETTER = 17
"""Least width of a bar with a letter."""
NUMBER = Sizes(15, 20)
"""Sizes of the axis's names."""
NAME, SAID = 20, 19.5
"""Sizes of rows' names and of the key on a phone."""
ENTRY, DISC = 40, 13
"""Height of a line in the key of many sides, and half the height of its disc."""
KEY = 25
"""Half the width of a disc in the key of many sides, with its second rim."""
PAIR = (15, 11)
"""Sizes of two letters: the first that fits into a bar is used."""


def timeline(chart: Timeline, sides: Mapping[SeatId, Side]) -> str:
    """The timeline as one SVG document. Tooltips of bars give their spans; the description lists the last state of all rows."""
    shown = {seat: side for seat, side in sides.items() if any(seat in values for values in chart.rows.values())}
    many = looks.is_crowded(shown.values())
    low = TOP + ROW * len(chart.rows) + FOOT
    key = list(shown.values()) if many else []
    room = WIDTH - LEFT - RIGHT
    need = max((2 * KEY + 24 + width(side.name, SAID * REGULAR) for side in key), default=room)
    spots, lines = looks.columns([1] * len(key), need, room)
    height = low + ENTRY * lines
    drawing = empty_document("cm ch tm")
    drawing.attribs["viewBox"] = f"0 0 {WIDTH} {height}"
    count = max(len(chart.labels), 1)
    step = (WIDTH - LEFT - RIGHT) / count
    words = []
    signs = looks.signs(drawing, shown, f"{chart.title} {chart.labels} {dict(chart.rows)}", looks.FINE)
    drawing.defs.add(drawing.style(style(most_slot(sides)) + axis.STYLE + STYLE + (MANY if many else "") + signs))
    for number, (row, values) in enumerate(chart.rows.items()):
        top = TOP + ROW * number
        last = values[-1]
        said = f"{row}: {last or chart.none}"
        if many:
            (said,) = wrap(said, NAME, WIDTH - LEFT - RIGHT, 1)
        drawing.add(drawing.text(said, (LEFT, top + 18), class_="rw"))
        middle = top + 25 + BAR / 2
        drawing.add(drawing.path(f"M{LEFT} {middle:g}H{WIDTH - RIGHT}", class_="gr"))
        at = 0
        for value, run in groupby(values):
            length = len(list(run))
            begin, end = chart.labels[at], chart.labels[at + length - 1]
            when = begin if begin == end else f"{begin} to {end}"
            if value is not None:
                x, wide = round(LEFT + at * step, 1), round(length * step, 1)
                side = sides.get(value)
                slot = slot_of(side)
                group = drawing.g(class_=f"o{slot}" if slot else "o")
                group.set_desc(title=f"{row}: {value}, {when}")
                group.add(drawing.rect((x, top + 25), (wide, BAR), rx=4, class_=f"bar l{slot}" if slot else "bar u"))
                letter = side.letter if side is not None else "×"
                fits = [size for size in PAIR if wide >= width(letter, size) + 3] if len(letter) > 1 else [LETTER]
                if fits and wide >= LETTER:
                    spot = (round(x + wide / 2, 1), top + 25 + BAR / 2 + 6)
                    cls = f"lt{looks.pair_class(letter)}{' sm' if fits[0] == PAIR[-1] else ''}"
                    if wide >= width(letter, NAME) + 3:
                        cls += " bg"
                    group.add(drawing.text(letter, spot, class_=cls))
                drawing.add(group)
            at += length
        words.append(f"{row}: {last or chart.none}")
    middles = [round(LEFT + (index + 0.5) * step, 1) for index in range(count)]
    reach = Axis(LEFT, WIDTH - RIGHT, 2, WIDTH - 2)
    axis.add_time(drawing, chart, middles, NUMBER, reach, low - FOOT + 4)
    for side, (left, line) in zip(key, spots, strict=True):
        x = LEFT + KEY + round(left)
        group = drawing.g(class_=f"o{slot_of(side)}")
        y = low + ENTRY * line + ENTRY / 2
        looks.disc(drawing, group, (x, y), DISC, side, "w")
        group.add(drawing.text(side.letter, (x, y + 6), class_=f"kd{looks.pair_class(side.letter)}"))
        group.add(drawing.text(side.name, (x + KEY + 8, y + 6), class_="kt"))
        drawing.add(group)
    over = f"{chart.title}, {chart.labels[0]} to {chart.labels[-1]}"
    drawing.set_desc(title=chart.title, desc=f"{over}. At the end: {'; '.join(words)}.")
    return document_text(drawing)


STYLE = (
    ".tm .gr{stroke:var(--edge);stroke-opacity:.5;fill:none;stroke-dasharray:2 5}.cm.tm .ax{font-size:15px}"
    ".cm.ch .rw{text-anchor:start;font-size:17px;font-weight:600}"
    ".ch .bar{stroke:var(--o,var(--edge));stroke-width:2}.ch .lt{font-size:17px;font-weight:700;fill:var(--ink)}"
    "@media(max-width:640px){.cm.tm .ax{font-size:20px}.cm.ch .rw{font-size:20px}.cm.tm .lt.bg{font-size:20px}}"
)
MANY = (
    # Letters on stripes and dots need an outline.
    ".cm.ch .lt{paint-order:stroke;stroke:var(--halo);stroke-width:3;stroke-opacity:.8}"
    ".cm.ch .kt{text-anchor:start;font-size:16px}.cm.ch .kd{font-size:17px;font-weight:700;fill:var(--on)}"
    f".cm.ch .pr{{font-size:{PAIR[0]}px}}.cm.ch .pr.sm{{font-size:{PAIR[1]}px}}"
    f"@media(max-width:640px){{.cm.ch .kt{{font-size:{SAID}px}}.cm.ch .kd.pr{{font-size:{SAID}px}}}}"
)
"""Further rules for many sides' letters and their key."""
