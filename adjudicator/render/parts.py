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
    """A side's disc."""
    drawing = svgwrite.Drawing(debug=False)
    group = drawing.g()
    sides.disc(drawing, group, at, radius, side, cls)
    return "".join(map(element_text, group.elements))


def tooltip(text: str) -> str:
    """A tooltip."""
    return f"<title>{words(text)}</title>"


def lettering(text: str, x: float | None, y: float, cls: str) -> str:
    """A text on its baseline's middle."""
    across = "" if x is None else f' x="{number(x)}"'
    return f'<text class="{cls}"{across} y="{number(y)}">{words(text)}</text>'


def stroke(path: str, cls: str) -> str:
    """A path without a tooltip of its own."""
    return f'<path class="{cls}" d="{path}"/>'
