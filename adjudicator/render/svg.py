"""An SVG document, begun and ended: what svgwrite writes too much is taken out."""

from __future__ import annotations

import svgwrite

UNUSED = (' xmlns:ev="http://www.w3.org/2001/xml-events"', ' xmlns:xlink="http://www.w3.org/1999/xlink"')
"""Namespaces that no picture uses."""


def empty_document(kind: str) -> svgwrite.Drawing:
    """An empty drawing; `kind` is its class, which style sheets know it by."""
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
    """The same in SVG 2's shorter words, for pictures of many parts.

    Texts in a picture are names and our own sentences, which hold neither of these.
    """
    return document_text(drawing).replace(' xlink:href="', ' href="').replace(" />", "/>")
