"""The small parts of a picture of provinces as text: tooltips, letters, lines, discs."""

from __future__ import annotations

import functools

import svgwrite

from adjudicator.core.contract.pages import Side
from adjudicator.render import sides
from adjudicator.render.geometry import Vector, number
from adjudicator.render.svg import element_text, words


@functools.lru_cache(maxsize=1024)
def disc(at: Vector, radius: float, side: Side | None, cls: str) -> str:
    """A side's disc, as text."""
    drawing = svgwrite.Drawing(debug=False)
    group = drawing.g()
    sides.disc(drawing, group, at, radius, side, cls)
    # A circle's middle is at the origin by default.
    return "".join(map(element_text, group.elements)).replace(' cx="0"', "").replace(' cy="0"', "")


def tooltip(text: str) -> str:
    """A tooltip as an element."""
    return f"<title>{words(text)}</title>"


def lettering(text: str, x: float, y: float, cls: str) -> str:
    """A text element; `x` and `y` are the middle of its baseline, and `cls` is empty if its group has the class."""
    look = f' class="{cls}"' if cls else ""
    across = f' x="{number(x)}"' if x else ""
    return f'<text{look}{across} y="{number(y)}">{words(text)}</text>'


def stroke(path: str, cls: str) -> str:
    """A path without a tooltip; `cls` is empty if its group has the class."""
    return f'<path class="{cls}" d="{path}"/>' if cls else f'<path d="{path}"/>'
