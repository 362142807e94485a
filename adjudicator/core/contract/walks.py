"""Walks over a board as tables, so that the order desk can show the cost of a path while the player taps it.

Somebody walks from place to place and spends points. The cost of a step depends on the place entered, on whether the step
crosses a shore, and, for counted places, on how many of them were entered before. The game judges whether the walk succeeds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

BARRED = "-"
"""Sign of a place that cannot be entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Footing:
    """Costs of entering places: one sign for each place, in the order of `Walks.places`. A digit is a cost; a letter is a key of `counted`."""

    costs: str
    counted: Mapping[str, int]
    """Letter -> number of such places that cost 1 together, paid on entering the last of them. The count continues through the walk."""
    crossing: int
    """Cost of a step across a shore, in place of the cost of the place entered. Such a step does not count for `counted`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """Somebody who walks: the name that begins their lines, their place, points and terrain."""

    name: str
    at: str
    has: int
    ground: int
    """Index into `Walks.grounds`."""
    deeds: int
    """Index into `Walks.deeds`, for the acts that they may do on the way."""
    once: int
    """Number of acts that they may do on the way, each at most once."""
    skips: bool = False
    """Whether they may skip a place, once."""
    wide: bool = False
    """Whether they may enter places that are closed to the seat's other walkers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walks:
    """Walkers of a turn, and the board."""

    columns: int
    places: tuple[str, ...]
    """Places row by row, each row of `columns` places. Even rows lie half a place to the right."""
    shore: str
    """One sign for each place. There is a shore between neighbouring places whose signs differ."""
    grounds: tuple[Footing, ...]
    deeds: tuple[tuple[str, ...], ...]
    """Sets of acts that a walker may do on the way, as lines write them; `Walker.deeds` chooses one set."""
    acts: Mapping[str, int]
    """Act on the way, by its first words -> its cost."""
    gains: Mapping[str, int] = field(default_factory=dict)
    """Act on the way -> points that the walker gains."""
    ends: tuple[str, ...] = ()
    """First words of acts that end a walk."""
    first: tuple[str, ...] = ()
    """First words of acts that must come before all others."""
    gates: tuple[str, ...] = ()
    """Places that lead to one another, at the cost of entering."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Act on the way -> one sign for each place: `x` where public information shows it to be pointless."""
    walkers: Mapping[str, Mapping[str, tuple[Walker, ...]]]
    """Seat -> key of a list -> walkers that have a line in it: `A1: E, NE`."""
    closed: Mapping[str, str]
    """Seat -> one sign for each place: `x` where the seat may not enter."""


def signs(values: Iterable[str]) -> str:
    """Join the signs of places into one string."""
    text = list(values)
    assert all(len(sign) == 1 for sign in text), text
    return "".join(text)
