"""Turns of as many games as needed, one game after the other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def so_many(play: Callable[[int], Iterable[T]], seed: int, count: int) -> Iterator[T]:
    """The first `count` turns of games with the numbers from `seed` on."""
    return itertools.islice(itertools.chain.from_iterable(map(play, itertools.count(seed))), count)
