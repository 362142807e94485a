"""Pictures that a page shows as images: without what nobody sees of them there, and without rules that nothing in them needs."""

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
"""What rules begin with that a page has for the pictures in it; a file is in no page."""


def trimmed(svg: str) -> str:
    """The same picture with only those rules, colours and shapes that something in it has, and with no tooltips: an image shows none."""
    head, title, rest = svg.partition("</title>")
    svg = head + title + TOOLTIP.sub("", rest)
    svg = SHAPE.sub(lambda found: found[0] if f'href="#{found[1]}"' in svg else "", svg)
    sheet = SHEET.search(svg)
    if sheet is None:
        return svg
    classes = {name for found in CLASSES.findall(svg) for name in found.split()}
    kept = MEDIA.sub(lambda found: _media(found[1], _rules(found[2], classes)), _outside(sheet[2], classes))
    # What a colour is made of is used where that colour is; two rounds are enough for what there is.
    others = svg[: sheet.start()] + svg[sheet.end() :]
    kept = _coloured(_coloured(kept, others), others)
    return f"{svg[: sheet.start()]}{sheet[1]}{kept}{sheet[3]}{svg[sheet.end() :]}"


def _coloured(sheet: str, others: str) -> str:
    """A sheet with only those colours that it, or what stands around it, uses."""
    used = {*USED.findall(sheet), *USED.findall(others)}
    return VARIABLE.sub(lambda found: found[0] if found[1] in used else "", sheet)


def _outside(sheet: str, classes: set[str]) -> str:
    """A sheet with only the rules that are needed outside of what is for some media; that stays as it is."""
    parts, at = [], 0
    for media in MEDIA.finditer(sheet):
        parts += [_rules(sheet[at : media.start()], classes), media[0]]
        at = media.end()
    return "".join((*parts, _rules(sheet[at:], classes)))


def _media(head: str, rules: str) -> str:
    return f"{head}{{{rules}}}" if rules else ""


def _rules(rules: str, classes: set[str]) -> str:
    """Those of some rules that something with these classes has."""
    return "".join(f"{needed}{{{said}}}" for head, said in RULE.findall(rules) if (needed := _needed(head, classes)))


def _needed(head: str, classes: set[str]) -> str:
    """Those selectors of a rule whose classes are all there, as it writes them."""
    return ",".join(one for one in head.split(",") if PAGE not in one and classes.issuperset(CLASS.findall(one)))
