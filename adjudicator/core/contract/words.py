"""Helpers for sentences of every ruleset: lists of words, counts of things, ordinal numbers."""

from __future__ import annotations

from collections.abc import Iterable


def join_words(words: Iterable[object] | str | int | None, last: str = "and") -> str:
    """Join words into a list: `A Munich, F Kiel and A Berlin`. One word comes back unchanged; without words, the result is empty."""
    texts = [str(words)] if isinstance(words, str | int) else [str(word) for word in words or ()]
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + f" {last} " + texts[-1]


def many(number: int, word: str, none: str = "") -> str:
    """A count of things: `1 step`, `3 steps`, `0 steps`; with `none` instead of the 0: `no step`."""
    if number == 0 and none:
        return f"{none} {word}"
    return f"{number} {word}{'' if number == 1 else 's'}"


def whose(name: str) -> str:
    """The possessive of a name: `Basil’s`, `Fleurs’`."""
    return f"{name}’" if name.endswith("s") else f"{name}’s"


def ordinal(number: int) -> str:
    """An ordinal number: `2nd`, `3rd`, `11th`."""
    ending = "th" if 10 < number % 100 < 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
