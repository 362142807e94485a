"""Colours by role, in light and in dark, and the style sheet of every picture.

Sides have slots, not colours: slot 1 is the first power in alphabetical order. Colour never carries information by itself:
a side's letter is on its units and possessions, and failed orders are dashed, with a cross. Nobody can distinguish 24 colours,
so there are three bands of eight: the second and third use other hues, and add patterns, rims and markers (`sides`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from unicodedata import normalize

from adjudicator.core.contract.pages import Side
from adjudicator.render.hatch import NINTH, page_rules

FILLS = (
    "#f0b3a6", "#cdbdea", "#acd0f2", "#bdb9ae", "#b0daa8", "#f2c4dc", "#f5dc8c", "#a6e0dc",
    "#efa464", "#dc9de4", "#68ceaa", "#a2b2fd", "#b2c25b", "#f996a6", "#67c6e5", "#d4ae9d",
    "#e1957a", "#a5a4dc", "#70b4dc", "#94b96d", "#82ba95", "#d293c4", "#d3a056", "#adac97",
    "#bcca6c",
)  # fmt: skip
"""Owned land in light pictures, by slot; from the ninth on so deep that pale stripes and dots are visible on it."""
FILLS_DARK = (
    "#7c3f36", "#54437a", "#2f5a86", "#5c5a54", "#3c6b3a", "#7d3f62", "#77601c", "#22696a",
    "#834b11", "#76457c", "#066b51", "#495594", "#576204", "#8a404e", "#07657d", "#705447",
    "#753a24", "#494773", "#125373", "#3b5714", "#29593b", "#6a3860", "#684503", "#4f4e3d",
    "#576204",
)  # fmt: skip
INKS = (
    "#a81c12", "#55289b", "#114f9e", "#36342f", "#14692a", "#97165f", "#7a5200", "#00656d",
    "#7e4503", "#7c2e86", "#00654b", "#3e47aa", "#525c06", "#971f41", "#045f76", "#734936",
    "#6f2200", "#3c3377", "#014563", "#2e4902", "#064d2a", "#69165c", "#573900", "#434126",
    "#525c06",
)  # fmt: skip
"""Units and orders, by slot: dark enough for white letters (contrast 5:1 and more) and for lines on land and sea."""
INKS_DARK = (
    "#ff9a8c", "#cdb4ff", "#8fc7ff", "#d6d2c6", "#93dc97", "#ff9fd2", "#f4cf5f", "#74e0dd",
    "#fba860", "#e7a0ef", "#63d7af", "#a9b9ff", "#b8c954", "#fe9ead", "#62cef0", "#ddb3a1",
    "#eb9070", "#a4a2e5", "#60b6e5", "#8fbb5e", "#78bd90", "#d98dc9", "#db9e3d", "#aead93",
    "#b8c954",
)  # fmt: skip
"""Units and orders in dark pictures, by slot: light, with dark letters."""

BAND = 8
"""Number of slots that differ only by hue; in each further band of eight they have a pattern too."""
USUAL = 7
"""Number of slots in every picture's style sheet; a picture with more sides has as many as it needs."""


def style(most: int = USUAL) -> str:
    """The style sheet for sides up to a slot. Colours are variables, so that a page in the other colour scheme can override them."""
    return _sheet((*range(1, BAND + 1), NINTH) if most == NINTH else range(1, max(most, USUAL) + 1))


def _sheet(slots: Sequence[int]) -> str:
    """The style sheet for sides with these slots."""
    light = {
        "sea": "#d7e8f3", "seal": "#9dbfd6", "land": "#f6f0df", "edge": "#6e6452", "out": "#ddd8cc",
        "ink": "#26221b", "soft": "#5d7f97", "halo": "#fffdf6", "on": "#fff", "bad": "#c00018",
    }  # fmt: skip
    dark = {
        "sea": "#16222c", "seal": "#3a5468", "land": "#3a372f", "edge": "#a79e8b", "out": "#262521",
        "ink": "#f1ecdf", "soft": "#9fbdd0", "halo": "#12161a", "on": "#111", "bad": "#ff8088",
    }  # fmt: skip
    light |= {f"f{n}": FILLS[n - 1] for n in slots} | {f"i{n}": INKS[n - 1] for n in slots}
    dark |= {f"f{n}": FILLS_DARK[n - 1] for n in slots} | {f"i{n}": INKS_DARK[n - 1] for n in slots}
    return "".join(
        (
            ".cm{", variables(light), "font-family:'Noto Sans',Roboto,'DejaVu Sans',Arial,sans-serif}",
            "@media screen and (prefers-color-scheme:dark){.cm{", variables(dark), "}}",  # prints are light
            ".cm path{stroke-linejoin:round;stroke-linecap:round}",
            ".cm .s{fill:var(--sea);stroke:var(--seal);stroke-width:1.6}",
            ".cm .l{fill:var(--land);stroke:var(--edge);stroke-width:1.8}",
            ".cm .u{fill:var(--out);stroke:var(--edge);stroke-width:1}",
            *(f".cm .l{n}{{fill:var(--f{n})}}.cm .o{n}{{--o:var(--i{n})}}" for n in slots),
            ".cm text{text-anchor:middle;fill:var(--ink)}",
            ".cm .c,.cm .n{font-weight:600;paint-order:stroke;stroke:var(--halo);stroke-width:3;stroke-opacity:.7}",
            ".cm .c,.cm .n{font-size:16px}.cm .z{font-style:italic;stroke:none}.cm .z text{fill:var(--soft)}",
            ".cm .q{display:none}",
            ".cm .h{fill:var(--halo);stroke:var(--ink);stroke-width:2}.cm .w{fill:var(--o)}",
            ".cm .hl{font-size:13px;font-weight:700}.cm .w+.hl{fill:var(--on)}",
            ".cm .g{fill:none;stroke:var(--halo);stroke-width:9;stroke-opacity:.85}",
            ".cm .a{fill:none;stroke:var(--o);stroke-width:4.5}.cm .b{stroke-dasharray:1 8}.cm .d{stroke-dasharray:13 7}",
            ".cm .v{stroke-dasharray:16 6 2 6}.cm .e{stroke-width:4}.cm .x{fill:none;stroke:var(--bad);stroke-width:4.5}",
            ".cm .t{fill:var(--o);stroke:var(--halo);stroke-width:2.5}",
            ".cm .y{fill:var(--halo);stroke:var(--o);stroke-width:3.5;stroke-dasharray:6 4}",
            ".cm .t+text,.cm .y+text{fill:var(--on);font-weight:700;font-size:21px}.cm .y+text{fill:var(--o)}",
            ".cm .k{font-size:27px;font-weight:600;text-anchor:start}.cm .kl{font-size:23px;font-weight:700;fill:var(--on)}",
            "@media(max-width:640px){",
            ".cm .n{display:none}.cm .q{display:inline}.cm .c{font-size:25px;transform:translateY(-2px)}",
            ".cm .t,.cm .y,.cm .t+text,.cm .y+text{transform:scale(1.2)}.cm .a{stroke-width:6}.cm .e{stroke-width:5}",
            ".cm .k{font-size:44px}.cm .kl{font-size:27px}.cm .n2{display:none}",
            "}",
        )
    )  # fmt: skip


NARROW = re.compile(r"@media\(max-width:640px\)\{((?:[^{}]*\{[^{}]*\})*)\}")
"""A style sheet's rules for narrow pictures."""
PRINT = re.compile(r"@media print\{((?:[^{}]*\{[^{}]*\})*)\}")
"""A style sheet's rules for print."""


def settled(sheet: str, *, narrow: bool) -> str:
    """A style sheet that is the same at every width: with the rules for narrow pictures, or without.

    A cropped picture has one width wherever it appears, so the part of the board that it shows decides whether it is narrow.
    """
    return NARROW.sub(r"\1" if narrow else "", sheet)


def printed(sheet: str) -> str:
    """A style sheet that applies its print rules on screens as well."""
    return PRINT.sub(r"\1", sheet)


def slot_of(side: Side | None) -> int:
    """A side's index among the colours; 0, which has no colour, for None."""
    return (side.slot - 1) % len(FILLS) + 1 if side is not None else 0


def band_of(slot: int) -> int:
    """A slot's band of eight: 0, which is drawn without a pattern, 1 or 2."""
    return 0 if slot == NINTH else max(slot - 1, 0) // BAND


def letters(names: Sequence[str]) -> dict[str, str]:
    """Name -> its initial if all initials differ; otherwise a pair: the initial, and the first later letter that makes a free pair.

    Names are in the order of their slots. A name added at the end changes no others, except in two cases: it makes pairs necessary, or it
    can get a pair only if another name swaps its own.
    """
    spelt = {name: [letter for letter in normalize("NFC", name) if letter.isalnum()] or ["?"] for name in names}
    initials = {name: signs[0].upper()[:1] for name, signs in spelt.items()}
    if len(set(initials.values())) == len(initials):
        return initials
    taken: dict[str, str] = {}
    """Pair of letters -> the name that has it."""

    def settle(name: str, tried: set[str]) -> bool:
        ways = [initials[name] + letter.lower()[:1] for letter in spelt[name][1:]]
        # Free pairs first; then pairs that their owners can swap for another, so that Anna makes way for Ann.
        for pair in sorted(dict.fromkeys(ways), key=lambda pair: pair in taken):
            if pair not in tried:
                tried.add(pair)
                if pair not in taken or settle(taken[pair], tried):
                    taken[pair] = name
                    return True
        return False

    for name in names:
        if not settle(name, set()):
            spare = (f"{initials[name]}{sign}" for sign in "23456789abcdefghijklmnopqrstuvwxyz")
            taken[next(pair for pair in spare if pair not in taken)] = name
    pairs = {name: pair for pair, name in taken.items()}
    return {name: pairs[name] for name in names}


def most_slot(sides: Mapping[str, Side]) -> int:
    """The highest slot among the sides of a picture, at most the number of colours."""
    return max((min(side.slot, len(FILLS)) for side in sides.values()), default=USUAL)


def variables(roles: dict[str, str]) -> str:
    """Roles as CSS variables."""
    return "".join(f"--{role}:{colour};" for role, colour in roles.items())


def page_style() -> str:
    """Rules for a page with pictures in it: the page's own colour scheme wins over the system's."""
    sheet = _sheet(range(1, len(FILLS) + 1))
    light = sheet[len(".cm{") : sheet.index("font-family")]
    start = sheet.index("dark){.cm{") + len("dark){.cm{")
    dark = sheet[start : sheet.index("}}", start)]
    return (
        f'[data-md-color-scheme="default"] .cm{{{light}}}\n[data-md-color-scheme="slate"] .cm{{{dark}}}\n'
        f"@media print{{[data-md-color-scheme] .cm{{{light}}}}}\n{page_rules()}"
        # Beside pictures, a disc in the colour of a side.
        ".courtly-disc{background:var(--o);color:var(--on)}"
        + "".join(f".courtly-o{n}{{--o:var(--i{n})}}" for n in range(1, len(FILLS) + 1))
    )
