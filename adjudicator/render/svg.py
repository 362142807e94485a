"""Begin and finish an SVG document, without the surplus that svgwrite writes; write elements as text if there are many."""

from __future__ import annotations

from html import escape

import svgwrite
from svgwrite.base import BaseElement

UNUSED = (' xmlns:ev="http://www.w3.org/2001/xml-events"', ' xmlns:xlink="http://www.w3.org/1999/xlink"')
"""Namespaces that no picture uses."""


def empty_document(kind: str) -> svgwrite.Drawing:
    """An empty drawing; `kind` is its class for style sheets."""
    drawing = svgwrite.Drawing(debug=False, size=None)
    drawing.attribs.clear()
    drawing.attribs.update({"class": kind, "role": "img", "xmlns": "http://www.w3.org/2000/svg"})
    return drawing


def document_text(drawing: svgwrite.Drawing) -> str:
    """The drawing as text, ending in a newline."""
    text: str = drawing.tostring()
    for unused in UNUSED:
        text = text.replace(unused, "")
    return text + "\n"


def short_text(drawing: svgwrite.Drawing) -> str:
    """The drawing as text in SVG 2's shorter syntax, for pictures with many parts.

    The text in pictures is names and our sentences, which contain none of the replaced strings.
    """
    return short(document_text(drawing))


def short(text: str) -> str:
    """Convert svgwrite's output to SVG 2's shorter syntax."""
    return text.replace(' xlink:href="', ' href="').replace(" />", "/>")


def element_text(drawn: BaseElement) -> str:
    """An svgwrite element as text."""
    return short(str(drawn.tostring()))


def element(kind: str, inside: str = "", /, **attributes: str) -> str:
    """An element as text, around content that is already text. `class_` means `class`; empty attributes are omitted."""
    told = "".join(
        f' {"class" if name == "class_" else name}="{escape(value)}"' for name, value in attributes.items() if value
    )
    return f"<{kind}{told}>{inside}</{kind}>" if inside else f"<{kind}{told}/>"


def words(text: str) -> str:
    """Escape text for use between tags."""
    return escape(text, quote=False)


def length(value: float) -> str:
    """A length as text, to a tenth."""
    return f"{value:.1f}".rstrip("0").rstrip(".")


def text_at(text: str, x: float, y: float, kind: str) -> str:
    """A line of text; `kind` is its class."""
    return element("text", words(text), x=length(x), y=length(y), class_=kind)


def rect(x: float, y: float, wide: float, high: float, kind: str, round_: int = 8) -> str:
    """A rectangle, with rounded corners if `round_` is more than 0."""
    return element(
        "rect", x=length(x), y=length(y), width=length(wide), height=length(high), rx=str(round_) if round_ else "", class_=kind
    )  # fmt: skip


def shield(cx: float, cy: float, size: tuple[int, int, int, int], kind: str) -> str:
    """A pointed field for a number.

    `size` is half its width, and the distances from its middle up to the edge, down to the ends of its sides, and to its tip.
    """
    half, up, low, tip = size
    path = f"M{length(cx - half)} {length(cy - up)}H{length(cx + half)}V{length(cy + low)}L{length(cx)} {length(cy + tip)}L{length(cx - half)} {length(cy + low)}Z"
    return element("path", d=path, class_=kind)
