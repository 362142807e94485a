"""Writes `adjudicator/core/text/unseen.txt`, the table of characters that no file may hold: `python tests/unseen.py`.

It is made from the Unicode tables of the oldest Python that courtly runs on (3.11, with Unicode 14), and only there.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

TABLE = Path(__file__).parent.parent / "adjudicator/core/text/unseen.txt"
UNICODE = "14.0.0"
CATEGORIES = {
    "Cc": "control", "Zl": "control", "Zp": "control", "Cf": "unseen", "Cs": "half", "Co": "private", "Cn": "unknown",
}  # fmt: skip
"""Kinds by category."""
DIRECTION = ("061C", "200E-200F", "202A-202E", "2066-2069")
CONTROL = ("FEFF",)
FORMAT = ("0600-0605", "06DD", "070F", "0890-0891", "08E2", "110BD", "110CD", "13430-13438")
"""They are visible themselves, and change the look of their neighbours."""
EMPTY = (
    *(
        "034F",
        "115F-1160",
        "17B4-17B5",
        "180B-180F",
        "2065",
        "2800",
        "3164",
        "FFA0",
    ),  # look like nothing, or like a space
    *("FE00-FE0F", "FFF0-FFF8", "E0000-E0FFF"),  # change the look of the character before or after them
)
HEAD = f"""\
# Characters that no file of an archive may hold: what a reader cannot see, what changes the direction of text, and what
# Unicode {UNICODE} does not know, which is the oldest that a Python of ours brings: what newer ones add is refused as well, so
# that every machine reads, quotes and refuses the same. Made by `python tests/unseen.py`.
"""


def listed(ranges: tuple[str, ...]) -> set[int]:
    """The numbers in ranges, as written in the file."""
    ends = [span.split("-") for span in ranges]
    return {number for pair in ends for number in range(int(pair[0], 16), int(pair[-1], 16) + 1)}


def table() -> str:
    """The table by this Python's Unicode."""
    named = {
        "direction": listed(DIRECTION),
        "control": listed(CONTROL),
        "format": listed(FORMAT),
        "unseen": listed(EMPTY),
    }
    kinds = [
        next((kind for kind, numbers in named.items() if number in numbers), None)
        or CATEGORIES.get(unicodedata.category(chr(number)))
        for number in range(0x110000)
    ]
    lines = []
    start = 0
    for number in range(1, 0x110001):
        if number == 0x110000 or kinds[number] != kinds[start]:
            if kinds[start] is not None:
                ends = f"{start:04X}" if start == number - 1 else f"{start:04X}-{number - 1:04X}"
                lines.append(f"{ends} {kinds[start]}\n")
            start = number
    return HEAD + "".join(lines)


if __name__ == "__main__":
    assert unicodedata.unidata_version == UNICODE, f"this Python has Unicode {unicodedata.unidata_version}"
    TABLE.write_text(table(), encoding="utf-8", newline="\n")
