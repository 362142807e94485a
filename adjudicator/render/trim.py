"""Trim pictures that a page shows as images: remove parts that nobody can see there, and style rules that nothing in them uses."""

from __future__ import annotations

import re

SHEET = re.compile(r"(<style[^>]*>(?:<!\[CDATA\[)?)(.*?)((?:\]\]>)?</style>)", re.DOTALL)
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
MEDIA = re.compile(r"(@media[^{]*)\{((?:[^{}]*\{[^{}]*\})*)\}")
CLASS = re.compile(r"\.([A-Za-z][\w-]*)")
CLASSES = re.compile(r' class="([^"]*)"')
VARIABLE = re.compile(r"(--[\w-]+):[^;{}]*;?")
USED = re.compile(r"var\((--[\w-]+)")
TOOLTIP = re.compile(r"<title>[^<]*</title>")
SHAPE = re.compile(r'<path(?= )[^>]* id="([^"]+)"[^>]*/>')
PAGE = "[data-md-color-scheme"
"""Beginning of the rules for pictures inside a page; an image file is not inside one."""


def trimmed(svg: str) -> str:
    """Remove a picture's unused rules, colours and shapes, and its tooltips, which an image does not show."""
    head, title, rest = svg.partition("</title>")
    svg = head + title + TOOLTIP.sub("", rest)
    svg = SHAPE.sub(lambda found: found[0] if f'href="#{found[1]}"' in svg else "", svg)
    sheet = SHEET.search(svg)
    if sheet is None:
        return svg
    classes = {name for found in CLASSES.findall(svg) for name in found.split()}
    kept = MEDIA.sub(lambda found: _media(found[1], _rules(found[2], classes)), _outside(sheet[2], classes))
    # A colour may be defined by another one, so removal takes a second round; that is enough for these sheets.
    others = svg[: sheet.start()] + svg[sheet.end() :]
    kept = _coloured(_coloured(kept, others), others)
    return f"{svg[: sheet.start()]}{sheet[1]}{kept}{sheet[3]}{svg[sheet.end() :]}"


def _coloured(sheet: str, others: str) -> str:
    """A sheet with only the colours that it or the rest of the picture uses."""
    used = {*USED.findall(sheet), *USED.findall(others)}
    return VARIABLE.sub(lambda found: found[0] if found[1] in used else "", sheet)


def _outside(sheet: str, classes: set[str]) -> str:
    """A sheet with only the needed rules outside of `@media` blocks; the blocks are unchanged."""
    parts, at = [], 0
    for media in MEDIA.finditer(sheet):
        parts += [_rules(sheet[at : media.start()], classes), media[0]]
        at = media.end()
    return "".join((*parts, _rules(sheet[at:], classes)))


def _media(head: str, rules: str) -> str:
    return f"{head}{{{rules}}}" if rules else ""


def _rules(rules: str, classes: set[str]) -> str:
    """The rules that apply to something with these classes."""
    return "".join(f"{needed}{{{said}}}" for head, said in RULE.findall(rules) if (needed := _needed(head, classes)))


def _needed(head: str, classes: set[str]) -> str:
    """The selectors of a rule whose classes all occur, as the rule writes them."""
    return ",".join(one for one in head.split(",") if PAGE not in one and classes.issuperset(CLASS.findall(one)))
