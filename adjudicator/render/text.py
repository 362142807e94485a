"""Upper bounds for the width of text in pictures, and line breaking."""

from __future__ import annotations

from unicodedata import normalize

EMS = {
    letter: ems
    for ems, letters in (
        (0.4, " ',./IJ\\ijl|’‘·łı"),
        (0.54, '!"()*-:;[]_`frt–†ľ'),
        (0.69, "?Laceksvxyz«»“”"),
        (0.73, "$0123456789EFTbdghnopqu{}ßðøþđ"),
        (0.88, "&ABCDGHKNOPQRSUVXYZØÐÞďħ"),
        (0.95, "#+<=>^w~"),
    )
    for letter in letters
}
"""Greatest width of a bold letter, relative to the font size: in DejaVu Sans, the widest font of the style sheet's list."""
WIDEST, FOREIGN = 1.2, 1.4
"""Greatest widths of the other Latin letters, and of letters from unknown fonts."""
REGULAR = 0.93
"""Width of regular letters, relative to bold ones."""


def width(text: str, size: float) -> float:
    """Greatest width that text can have in bold letters of this size."""
    ems = 0.0
    for letter in text:
        # An accent is above or below its letter, and adds no width.
        base = letter if letter in EMS else normalize("NFD", letter)[0]
        ems += EMS.get(base, WIDEST if base < "\u0180" or letter in "—…" else FOREIGN)
    return ems * size


def wrap(text: str, size: float, room: float, most: int) -> tuple[str, ...]:
    """Break text into at most `most` lines of width `room`, between words if possible; the rest becomes `…`."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
            continue
        part = ""
        for letter in word:
            if part and width(part + letter, size) > room:
                lines.append(part)
                part = ""
            part += letter
        lines.append(part)
    if len(lines) > most:
        last = lines[most - 1]
        while last and width(f"{last}…", size) > room:
            last = last[:-1]
        lines[most - 1 :] = [f"{last.rstrip()}…"]
    return tuple(lines)
