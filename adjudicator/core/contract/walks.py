"""Walks over a board, as tables: so that the order desk can say what a path costs while it is tapped.

Somebody walks from place to place and spends what they have. What a step takes hangs on the place that is entered, on whether it
crosses a shore, and, where places are counted, on how many of them were entered before. Whether they arrive, the game judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

BARRED = "-"
"""The sign of a place that cannot be entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """What entering each place takes: a sign a place, in their order. A digit is a cost, a letter one of `counted`."""

    costs: str
    counted: Mapping[str, int]
    """Letter -> how many such places cost 1 together, the last of them: entered one by one they are counted through the walk."""
    crossing: int
    """What a step across a shore takes, in place of the rest; it is not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """Somebody who walks: what lines of theirs begin with, where they stand, what they have, what they walk on."""

    name: str
    at: str
    has: int
    ground: int
    """Which of the grounds."""
    deeds: int
    """Which of the lists of what they may do on their way."""
    once: int
    """How many things they may do on their way, none of them twice."""
    skips: bool = False
    """Whether they may skip a place, once."""
    wide: bool = False
    """Whether they may enter what is closed to others of the seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walks:
    """Who walks in a turn, and over what."""

    columns: int
    places: tuple[str, ...]
    """Row by row, each of so many columns; even rows lie half a place to the right."""
    shore: str
    """A sign a place: those that differ have a shore between them."""
    grounds: tuple[Footing, ...]
    deeds: tuple[tuple[str, ...], ...]
    """What somebody may do on their way, as a line says it."""
    acts: Mapping[str, int]
    """What is done on the way -> what it takes; by its first words."""
    gains: Mapping[str, int] = field(default_factory=dict)
    """What is done on the way -> what it adds to what somebody has."""
    ends: tuple[str, ...] = ()
    """What nothing is done after, by its first words."""
    first: tuple[str, ...] = ()
    """What is done before anything else or not at all, by its first words."""
    gates: tuple[str, ...] = ()
    """Places that lead to one another, for what entering one takes."""
    where: Mapping[str, str] = field(default_factory=dict)
    """What is done on the way -> a sign a place: `x` where it makes no sense, as everybody sees."""
    walkers: Mapping[str, Mapping[str, tuple[Walker, ...]]]
    """Seat -> key of a list -> those who have a line in it: `A1: E, NE`."""
    closed: Mapping[str, str]
    """Seat -> a sign a place: `x` where it is not let in."""


def signs(values: Iterable[str]) -> str:
    """Signs of places, one behind the other."""
    text = list(values)
    assert all(len(sign) == 1 for sign in text), text
    return "".join(text)
