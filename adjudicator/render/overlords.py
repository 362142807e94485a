"""Draw land with rulers who do not own it, crowns, capitals, and pieces without an owner.

Only pictures that need these style rules contain them, so all other pictures stay the same to the byte.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

from adjudicator.core.contract.pages import Side
from adjudicator.render import sides
from adjudicator.render.geometry import path_of, turn_point
from adjudicator.render.outlines import Point
from adjudicator.render.palette import band_of, slot_of
from adjudicator.render.parts import disc, lettering, stroke, tooltip
from adjudicator.render.room import CENTRE, CROWN
from adjudicator.render.svg import element, words

TILE, TURN = 24, "rotate(-60)"
"""The size of a tile of ruled land, and its rotation: steeper than stripes and hatches of owned land."""
BAND, CORE = 12, 2.6
"""Widths of the first ruler's stripe, and of the line in its middle."""
RULED = (
    f".cm .ra{{stroke-width:{BAND}}}.cm .rb{{stroke:var(--o);stroke-width:{CORE}}}"
    ".cm .hv{stroke:var(--o);stroke-width:2.6}.cm .hv+.hl{fill:var(--o);font-size:12px}"
    ".cm .hv+.hl.pr{font-size:11px}.cm .hl tspan{fill:var(--o)}"
)
"""Style of the rings of ruled land: hollow, with letters in the rulers' colours."""
CROWNS = (
    ".cm .kt{stroke:var(--o);stroke-width:2}.cm .kf{fill:var(--o);stroke:var(--halo);stroke-width:2}.cm .kf+text{fill:var(--on)}"
    ".cm .ke{fill:var(--halo);stroke:var(--o);stroke-width:2.4}.cm .ke+text{fill:var(--o)}"
    ".cm .kf+text,.cm .ke+text{font-size:12px;font-weight:700}"
)
"""Style of crowns: full or hollow."""
PLAIN = (
    ".cm .op{--o:var(--edge)}.cm .p{fill:var(--out);stroke:var(--o);stroke-width:2.8}"
    "@media(max-width:640px){.cm .p{transform:scale(1.2)}}"
)
"""Style of pieces without an owner: pale with a dark edge, while sides' pieces are dark with a pale edge."""
LED = ".cm .gl{font-size:17px}"
"""Style of leaders' letters."""
SHAPES = ("crown", "crown2")
"""Ids of the crowns with one letter and with two."""
FULL, HOLLOW = 4.6, 4.3
"""Distance from a ring's middle down to the baseline of its letters, in a full ring and in a hollow one."""
RING, RIMMED = 5, 8
"""Distance between a capital's two rings, and the distance if the inner one has a second rim."""

Slots = tuple[int, ...]
"""The slots of a region's rulers, the first before the second."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """Additional parts of a picture with ruled land: its class, rules and patterns."""

    name: str
    rules: str
    patterns: str


def ruled(rulers: Iterable[Slots], told: str) -> Ruled:
    """The patterns of a picture whose regions have these rulers; `told` must differ between pictures."""
    pairs = sorted({slots for slots in rulers if slots})
    if not pairs:
        return Ruled("", "", "")
    # A page may have several pictures, and hide the first, so no picture may depend on the patterns of another.
    name = f"r{crc32(f'{told} {pairs}'.encode()):x}"
    size = str(TILE)
    tile = element("pattern", id=name, width=size, height=size, patternUnits="userSpaceOnUse", patternTransform=TURN)
    fills = "".join(f".cm.{name} .{ground(slots)}{{fill:url(#{name}-{_tail(slots)}) var(--land)}}" for slots in pairs)
    return Ruled(name, fills + RULED, tile + "".join(_pattern(slots, f"{name}-{_tail(slots)}") for slots in pairs))


def ground(slots: Slots) -> str:
    """The class of land with these rulers."""
    return f"m{_tail(slots)}"


def _tail(slots: Slots) -> str:
    return "-".join(map(str, slots))


def _pattern(slots: Slots, name: str) -> str:
    """Stripes of the first ruler, with a line in each, on plain land or on the second ruler's colour."""
    first, *others = slots
    below = f"f{others[0]}" if others else "land"
    # One path for ground and stripe: an open line has no fill, and the ground's edge is outside the tile.
    stripe = f"M-9 {TILE // 2}h{TILE + 18}"
    lines = element(
        "path",
        class_="ra",
        d=f"M-9-9h{TILE + 18}v{TILE + 18}H-9z{stripe}",
        fill=f"var(--{below})",
        stroke=f"var(--f{first})",
    )
    lines += element("path", class_=f"rb o{first}", d=stripe)
    return f'<pattern id="{name}" href="#{name.partition("-")[0]}">{lines}</pattern>'


# Marks of centres ----------------------------------------------------------------------------------------------------


def _half(shown: tuple[Side, ...]) -> float:
    """Half the width of a mark without its outer ring."""
    written = sum(len(side.letter) for side in shown)
    return CENTRE * (1, 1, sides.PILL, 2, 2.5)[min(written, 4)]


@functools.lru_cache(maxsize=1024)
def mark(owner: Side | None, rulers: tuple[Side, ...], *, capital: bool) -> str:
    """A centre's mark around the origin: full with its owner's letter, or hollow with its rulers' letters.

    `province_map` itself draws unowned marks, and those of a single plain side.
    """
    shown = rulers or ((owner,) if owner is not None else ())
    rim = RIMMED if len(shown) == 1 and band_of(slot_of(shown[0])) else RING
    inside = _capsule(_half(shown) + rim, CENTRE + rim, "h") if capital else ""
    if len(rulers) == 2:
        inside += _capsule(_half(rulers), CENTRE, "h hv")
        letters = "".join(f'<tspan class="o{slot_of(side)}">{words(side.letter)}</tspan>' for side in rulers)
        return inside + f'<text class="hl pr" y="{HOLLOW}">{letters}</text>'
    (side,) = shown
    cls = "h hv" if rulers else "h w"
    inside += disc((0, 0), CENTRE, side, cls) if band_of(slot_of(side)) else _capsule(_half(shown), CENTRE, cls)
    return inside + lettering(side.letter, 0, HOLLOW if rulers else FULL, f"hl{sides.pair_class(side.letter)}")


def _capsule(wide: float, high: float, cls: str) -> str:
    """A disc around the origin, stretched to a width."""
    if wide == high:
        return element("circle", class_=cls, r=f"{wide:g}")
    left, top, across, down = (f"{value:g}" for value in (-wide, -high, 2 * wide, 2 * high))
    return element("rect", class_=cls, x=left, y=top, width=across, height=down, rx=f"{high:g}")


# Crowns --------------------------------------------------------------------------------------------------------------


def defined(owners: Iterable[Side]) -> str:
    """Definitions of the shapes of these sides' crowns."""
    return "".join(
        element("path", d=_shape(CROWN[pair][0] - 1), id=SHAPES[pair]) for pair in sorted({*map(is_pair, owners)})
    )


def _shape(half: int) -> str:
    """The path of a crown: three points on a band that carries the letter."""
    foot, notch = CROWN[0][1] - 1, round(half * 0.46)
    return f"M-{half} {foot}V-8L-{notch}-4 0-{foot} {notch}-4 {half}-8V{foot}z"


def crown(at: Point, side: Side, title: str, *, married: bool) -> str:
    """A crown with its owner's letter."""
    x, y = at
    # No transform: scripts read a piece's place from the transform of its group, and a crown is not a piece.
    shape = f'<use class="{"kf" if married else "ke"}" href="#{SHAPES[is_pair(side)]}" x="{x}" y="{y}"/>'
    shape += lettering(side.letter, x, y + 7, "")
    return element("g", tooltip(title) + shape, class_=f"o{slot_of(side)}")


def tie(at: Point, home: Point, side: Side) -> str:
    """A line from a crown to the mark of its region."""
    end = turn_point(at, home, -CENTRE - 3, 0)
    return element("g", stroke(path_of([at, end]), "kt"), class_=f"o{slot_of(side)}")


def is_pair(side: Side) -> bool:
    """True if a side has two letters."""
    return len(side.letter) > 1
