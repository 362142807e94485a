"""Characters that a reader cannot see, from one table for all machines: `unseen.txt`.

Python's tables differ from version to version, but what is refused, quoted or made visible must not. Joiners and selectors that
change the look of an emoji or a letter are refused too. They carry no meaning in a name or an order, and two names could look alike
without being equal.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache
from pathlib import Path

from adjudicator.core.files.places import own_text

KINDS = {
    "control": "a control character",
    "direction": "a character that changes the direction of text",
    "format": "a character that forms others",
    "half": "half of a character",
    "private": "a character for private use",
    "unknown": "a character that Unicode 14 does not know",
    "unseen": "a character that nobody sees",
}
"""Description of each kind in the table."""


@cache
def ranges() -> tuple[tuple[int, int, str], ...]:
    """First character, last character and kind of each range in the table, in ascending order."""
    source = own_text(Path(__file__).with_suffix(".txt"))
    rows = (line.split() for line in source.splitlines() if not line.startswith("#"))
    ends = ((where.partition("-"), name) for where, name in rows)
    return tuple((int(first, 16), int(last or first, 16), name) for (first, _, last), name in ends)


@cache
def _starts() -> tuple[int, ...]:
    return tuple(first for first, _, _ in ranges())


def kind(char: str) -> str:
    """The key of `KINDS` for a character; empty if it can be seen."""
    code = ord(char)
    at = bisect_right(_starts(), code) - 1
    _, last, name = ranges()[at]
    return name if code <= last else ""


def unseen(text: str) -> frozenset[str]:
    """The characters of a text that cannot be seen, except tabs and line ends."""
    return frozenset(char for char in set(text) if char not in "\t\n" and kind(char))


def what(char: str) -> str:
    """Description of an unseen character, with its number and its Unicode name."""
    name = unicodedata.name(char, "") if kind(char) != "unknown" else ""
    return f"{KINDS[kind(char)]} (U+{ord(char):04X}{name and ' '}{name})"
