"""Hatches on owned land, which tell owners apart without colour: always in print, on screens while the page's switch is on.

Only plain colours have hatches: all other land has a pattern anyway (`sides`).
"""

from __future__ import annotations

from collections.abc import Iterable
from zlib import crc32

from adjudicator.render.svg import element

NINTH = 25
"""The slot of a ninth plain colour, for the last side of a game that has nine: it is used only with the first eight."""
HATCHES = (
    (18, "45", "M0 9h18", 2.4),
    (18, "", "M9 9h0", 6),
    (18, "", "M0 9h18", 2.4),
    (18, "-45", "M0 9h18", 2.4),
    (18, "90", "M0 9h18", 2.4),
    (25, "", "M0 9h25M9 0v25", 1.8),
    (25, "45", "M0 9h25M9 0v25", 1.8),
    (20, "-45", "M0 5h8M10 15h8", 3.2),
)
"""By slot: the size of a tile, its rotation, its lines, and their width."""
HATCH_OF = dict(enumerate(HATCHES, 1)) | {NINTH: (18, "", "M0 4.5l9 9l9-9", 2.4)}
"""Slot -> its hatch, including the ninth plain colour."""


def hatching(slots: Iterable[int], words: str) -> tuple[str, str, str]:
    """A class for the picture, and rules and patterns for owners with these slots; `words` must differ between pictures."""
    slots = sorted(slot for slot in slots if slot in HATCH_OF)
    if not slots:
        return "", "", ""
    # A page may have several pictures, and hide the first, so no picture may depend on the patterns of another.
    name = f"h{crc32(words.encode()):x}"
    rules = "".join(f"--g{slot}:url(#{name}-{slot});" for slot in slots)
    printed = "".join(f".{name} .l{slot}{{fill:var(--g{slot})}}" for slot in slots)
    patterns = []
    for slot in slots:
        size, turn, lines, broad = HATCH_OF[slot]
        # One path for ground and lines: an open line has no fill, and the ground's edge is outside the tile.
        ink = {"fill": f"var(--f{slot})", "stroke": f"var(--i{slot})", "stroke-width": f"{broad:g}"}
        patterns.append(
            element(
                "pattern",
                element("path", d=f"M-9-9h40v40h-40z{lines}", **ink),
                id=f"{name}-{slot}",
                width=str(size),
                height=str(size),
                patternUnits="userSpaceOnUse",
                patternTransform=f"rotate({turn})" if turn else "",
            )
        )
    return (
        name,
        f".{name}{{{rules}}}.{name} pattern path{{stroke-opacity:.6}}@media print{{{printed}}}",
        "".join(patterns),
    )


def is_hatched(picture: str) -> bool:
    """True if a picture has hatches to switch on."""
    return '<pattern id="h' in picture


def page_rules() -> str:
    """Rules for a page that has a switch for hatches: land is hatched while the switch is on."""
    return "".join(
        f":root:has(.courtly-hatch:checked) .cm .l{slot}{{fill:var(--g{slot},var(--f{slot}))}}\n" for slot in HATCH_OF
    )
