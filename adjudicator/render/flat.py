"""Pictures for programs that know only part of CSS: one size, light, with every colour written out.

Our pictures adapt to the page they are shown in, with style variables and media queries. Programs that turn SVG into
pixels, such as resvg, know neither.
"""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree as ET

from adjudicator.render.palette import NARROW

SVG = "http://www.w3.org/2000/svg"
MEDIA = re.compile(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\}")
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,([^()]*))?\)")
OWNER = re.compile(r"\.(o\w+)$")
"""A selector that sets the colour of an owner's parts."""
COLOUR = "--o"
"""The variable that means the colour of the owner. It is inherited; every other variable has one value in a picture."""
OWNED = re.compile(rf"var\({COLOUR}[,)]")


def flat(svg: str) -> str:
    """A picture with the same look, as on a narrow light page, without style variables and media queries.

    Narrow, because such a picture is shown small: its letters and units are larger. It needs `svg` to be a picture of ours.
    """
    root = ET.fromstring(svg)  # noqa: S314 - a picture that this package has just drawn
    sheets = list(root.iter(f"{{{SVG}}}style"))
    sheet = MEDIA.sub("", NARROW.sub(r"\1", html.unescape("".join(element.text or "" for element in sheets))))
    rules = [(selector.strip(), body.split(";")) for selector, body in RULE.findall(sheet)]
    values, owners = _variables(rules)
    for element in sheets:
        element.text = None
    if sheets:
        sheets[0].text = "".join(_written(selector, body, values, owners) for selector, body in rules)
    _resolve(root, "", values, owners)
    ET.register_namespace("", SVG)
    return ET.tostring(root, encoding="unicode")


Rules = list[tuple[str, list[str]]]


def _variables(rules: Rules) -> tuple[dict[str, str], dict[str, str]]:
    """Variable -> its value, and owner's class -> its colour."""
    values: dict[str, str] = {}
    owners: dict[str, str] = {}
    for selector, body in rules:
        for line in body:
            name, _, value = line.strip().partition(":")
            if name == COLOUR and (owner := OWNER.search(selector)):
                owners[owner[1]] = value
            elif name.startswith("--"):
                values.setdefault(name, value)
    return values, owners


def _filled(text: str, values: dict[str, str]) -> str:
    """The text with values in place of variables, which may themselves be made of variables."""
    while (filled := VARIABLE.sub(lambda match: values.get(match[1], match[2] or "none"), text)) != text:
        text = filled
    return text


def _written(selector: str, body: list[str], values: dict[str, str], owners: dict[str, str]) -> str:
    """A rule without variables; one that uses an owner's colour becomes a rule for each owner."""
    lines = [line for line in body if line.strip() and not line.strip().startswith("--")]
    owned = [line for line in lines if OWNED.search(line)]
    written = []
    if plain := [line for line in lines if line not in owned]:
        written.append(f"{selector}{{{_filled(';'.join(plain), values)}}}")
    if general := [line for line in owned if COLOUR in values or f"{COLOUR}," in line]:
        written.append(f"{selector}{{{_filled(';'.join(general), values)}}}")
    for owner, colour in owners.items() if owned else ():
        theirs = ",".join(f"{one.strip()}.in-{owner}" for one in selector.split(","))
        written.append(f"{theirs}{{{_filled(';'.join(owned), {**values, COLOUR: colour})}}}")
    return "".join(written)


def _resolve(element: ET.Element, owner: str, values: dict[str, str], owners: dict[str, str]) -> None:
    """Mark an element and those in it with the class of their owner, and fill in the variables in their attributes."""
    kinds = element.get("class", "").split()
    owner = next((kind for kind in kinds if kind in owners), owner)
    if owner:
        element.set("class", " ".join([*kinds, f"in-{owner}"]))
    here = {**values, COLOUR: owners[owner]} if owner else values
    for name, value in element.items():
        if "var(" in value:
            element.set(name, _filled(value, here))
    for child in element:
        _resolve(child, owner, values, owners)
