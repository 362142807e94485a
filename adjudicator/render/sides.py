"""Patterns, rims, markers and pairs of letters, for sides that colours and initials cannot distinguish.

Sides in slots 1 to 8 have plain colours. Those in 9 to 16 have striped land, a second rim around their discs and units,
and square markers on their lines; those in 17 to 24 have dotted or checked land, a beaded rim and diamonds. Only pictures
that need these style rules contain them, so all other pictures stay the same to the byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render.palette import band_of, slot_of

RIM = 5
"""Width of a second rim around its shape."""
PILL = 1.5
"""Width of a disc with two letters, relative to its height."""

COARSE, FINE = "coarse", "fine"
"""The patterns of maps, and those of charts, which are drawn in smaller units."""
TILES = {COARSE: (20, 6, 3, 4), FINE: (12, 3, 2, 2)}
"""The size of a pattern's tile, the widths of its stripes and its checks, and the radius of its dots."""
TURNS = {"stripes to the right": "rotate(-45)", "stripes to the left": "rotate(45)", "checks": "rotate(45)", "dots": ""}

RULES = (
    # These selectors have no parent class: shapes drawn by reference have no ancestors in the document.
    ".cm-r2,.cm-r3{stroke-width:10;fill:var(--o);stroke:var(--o)}"
    ".cm-rg{stroke-width:5;fill:var(--halo);stroke:var(--halo)}"
    # Dots without length but with round ends are beads; the gap covers their inner half.
    ".cm-r3{stroke-dasharray:.1 12;stroke-linecap:round;stroke-width:11}"
    ".cm .hz{fill:none;stroke:var(--halo)}.cm .hd{fill:var(--halo)}"
    "@media(max-width:640px){.cm .rt{transform:scale(1.2)}}"
)
PAIRS = ".cm .t+.pr,.cm .y+.pr{font-size:16px}.cm .hl.pr{font-size:12px}.cm .hl.gl.pr{font-size:15px}.cm .kl.pr{font-size:21px}"
"""Style for sides with two letters instead of one."""


def is_crowded(sides: Iterable[Side]) -> bool:
    """True if a picture of these sides needs more than colours and initials."""
    return any(band_of(slot_of(side)) or len(side.letter) > 1 for side in sides)


def signs(drawing: svgwrite.Drawing, sides: Mapping[SeatId, Side], words: str, kind: str = COARSE) -> str:
    """Define the patterns of the sides that have one; return the further rules for this picture's style sheet."""
    slots = _patterned_slots(sides)
    pairs = PAIRS if any(len(side.letter) > 1 for side in sides.values()) else ""
    if not slots:
        return pairs
    # A page may have several pictures, and hide the first, so no picture may depend on patterns or rules of another.
    seen = f"{words} {slots}".encode()
    tag = f"p{crc32(seen):x}"
    drawing.attribs["class"] += f" {tag}"
    for slot in slots:
        drawing.defs.add(_pattern(drawing, slot, f"{tag}-{slot}", kind))
    fills = (f".cm.{tag} .l{n}{{fill:url(#{tag}-{n}) var(--f{n})}}.cm .hf{n}{{fill:var(--f{n})}}" for n in slots)
    return "".join(fills) + RULES + pairs


def _pattern(drawing: svgwrite.Drawing, slot: int, name: str, kind: str) -> BaseElement:
    """The pattern of a slot; even and odd slots differ."""
    size, stripe, check, dot = TILES[kind]
    half, quarter = size // 2, size // 4
    pattern = drawing.pattern(
        id=name, size=(size, size), patternUnits="userSpaceOnUse", patternTransform=TURNS[pattern_of(slot)]
    )
    pattern.add(drawing.rect((0, 0), (size, size), class_=f"hf{slot}"))
    match pattern_of(slot):
        case "dots":
            for at in (quarter, half + quarter):
                pattern.add(drawing.circle((at, at), dot, class_="hd"))
        case "checks":
            pattern.add(drawing.path(f"M0 {half}h{size}M{half} 0v{size}", class_="hz", stroke_width=check))
        case _:
            pattern.add(drawing.path(f"M0 {half}h{size}", class_="hz", stroke_width=stripe))
    return pattern


def _patterned_slots(sides: Mapping[SeatId, Side]) -> list[int]:
    """Slots in a picture that have patterns."""
    return sorted({slot for side in sides.values() if band_of(slot := slot_of(side))})


def pattern_of(slot: int) -> str:
    """The name of the pattern on a slot's land; empty for a plain one."""
    kinds = (("", ""), ("stripes to the left", "stripes to the right"), ("checks", "dots"))
    return kinds[band_of(slot)][slot % 2]


def add_rim(group: BaseElement, slot: int, shape: BaseElement, more: BaseElement, cls: str = "") -> None:
    """Add the second rim below a shape, made from two more elements of that shape; the first eight slots have none."""
    band = band_of(slot)
    if band:
        for element, layer in ((shape, f"cm-r{band + 1}"), (more, "cm-rg")):
            element.attribs["class"] = f"{layer} {cls}".strip()
            group.add(element)


def disc(
    drawing: svgwrite.Drawing, group: BaseElement, at: tuple[float, float], radius: float, side: Side | None, cls: str
) -> None:
    """Add a side's disc with its rim: round for one letter, longer for two."""

    def body() -> BaseElement:
        if side is None or len(side.letter) == 1:
            return drawing.circle(at, radius)
        half = PILL * radius
        return drawing.rect((at[0] - half, at[1] - radius), (2 * half, 2 * radius), rx=radius)

    add_rim(group, slot_of(side), body(), body())
    shown = body()
    shown.attribs["class"] = cls
    group.add(shown)


def pair_class(letter: str) -> str:
    """The additional class for a side's letters if there are two; empty for one letter."""
    return " pr" if len(letter) > 1 else ""


def marker(drawing: svgwrite.Drawing, slot: int, at: tuple[float, float], cls: str) -> BaseElement:
    """A point on a slot's line: round, square or a diamond."""
    x, y = (f"{value:g}" for value in at)
    shapes = (None, f"M{x} {y}m-4.5-4.5h9v9h-9z", f"M{x} {y}m0-6.5l6.5 6.5-6.5 6.5-6.5-6.5z")
    path = shapes[band_of(slot)]
    return drawing.circle(at, 4.5, class_=cls) if path is None else drawing.path(path, class_=cls)


def columns(depths: Sequence[int], need: float, room: float) -> tuple[list[tuple[float, int]], int]:
    """Arrange blocks of `depths` lines in columns at least `need` wide.

    Returns the left edge and first line of each block, and the number of all lines.
    """
    if not depths:
        return [], 0
    count = max(1, min(len(depths), int(room / need)))
    count = -(-len(depths) // -(-len(depths) // count))
    lines = [max(depths[at : at + count]) for at in range(0, len(depths), count)]
    step = room / count
    return [(step * (n % count), sum(lines[: n // count])) for n in range(len(depths))], sum(lines)
