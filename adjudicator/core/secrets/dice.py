"""Named, verifiable rolls and shuffles.

Dice are named, never streamed: a roll called `battle:toledo:1` depends only on its name and the turn's key. So an extra roll
changes no other, and the order of rolls does not matter. When a turn opens, it commits to its secret
s = HMAC(seed, "dice/v1|game|turn") by hash. At the deadline the digest X of all accepted sheets is mixed in:
K = HMAC(s, "mix|game|turn|" + X). A roll is HMAC(K, name + "|" + counter) by rejection sampling. So players cannot
predict or bias it, and the host cannot choose after seeing the sheets. s and X are published with the result.

HMAC is HMAC-SHA256 throughout, text is UTF-8, and digests are written in hexadecimal.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from adjudicator.core.text.codec import record
from adjudicator.core.text.problems import problem

T = TypeVar("T")
SPACE = 1 << 64
"""Size of the range of numbers that rolls are made from, and so the maximum number of sides of a die."""


@record
class Roll:
    """One recorded roll: its name, the number of sides, and the value from 1 to `sides`."""

    name: str
    sides: int
    value: int


class Dice(Protocol):
    """Interface of the dice that rulesets roll."""

    def roll(self, name: str, sides: int) -> int:
        """Roll a die: return an integer from 1 to `sides`. Repeated calls with the same name return the same value."""

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a random order. Repeated calls with the same name and number of items use the same order."""

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Every roll made so far, sorted by name."""


class _Rolls:
    """Keeps the rolls. A name rolled twice must have the same number of sides."""

    def __init__(self) -> None:
        self._kept: dict[str, Roll] = {}

    @property
    def rolls(self) -> tuple[Roll, ...]:
        return tuple(self._kept[name] for name in sorted(self._kept))

    def _value(self, name: str, sides: int) -> int:
        raise NotImplementedError

    def roll(self, name: str, sides: int) -> int:
        if not 1 <= sides <= SPACE:  # with more sides no number would ever be accepted
            raise ValueError(f"a die cannot have {sides} sides")
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = Roll(name=name, sides=sides, value=self._value(name, sides))
        if kept.sides != sides:
            raise ValueError(f"the roll {name!r} has {kept.sides} sides, not {sides}")
        return kept.value

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        # Fisher-Yates, each draw a named roll, so that a shuffle can be checked like any roll.
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            pick = self.roll(f"{name}:{last}", last + 1) - 1
            deck[last], deck[pick] = deck[pick], deck[last]
        return tuple(deck)


class NamedDice(_Rolls):
    """Dice that use a turn's key K."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key

    def _value(self, name: str, sides: int) -> int:
        return roll_value(self._key, name, sides)


class GivenDice(_Rolls):
    """Dice with given values, one for each name, rolled by hand or set by a test."""

    def __init__(self, values: Mapping[str, int]) -> None:
        super().__init__()
        self._values = dict(values)

    def _value(self, name: str, sides: int) -> int:
        value = self._values.get(name)
        if value is None:
            raise problem("", f"no value is given for the roll {name!r}", f"give one from 1 to {sides}")
        if not 1 <= value <= sides:
            raise problem("", f"the roll {name!r} is given as {value}", f"give a value from 1 to {sides}")
        return value


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def turn_secret(seed: str, game: str, turn: str, attempt: int = 1) -> bytes:
    """The secret s of one turn. It differs for each attempt at a turn."""
    return _hmac(seed.encode(), f"dice/v1|{game}|{turn}" + (f"|{attempt}" if attempt > 1 else ""))


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret, which `turn.yaml` shows while the turn is open."""
    return hashlib.sha256(secret).hexdigest()


def digest(sheets: Mapping[str, str]) -> str:
    """X: one digest over the digests of all accepted sheet files, by seat in alphabetical order."""
    text = "".join(f"{name} {sheets[name]}\n" for name in sorted(sheets))
    return hashlib.sha256(text.encode()).hexdigest()


def turn_key(secret: bytes, game: str, turn: str, mixed: str) -> bytes:
    """The key K for the turn's rolls."""
    return _hmac(secret, f"mix|{game}|{turn}|{mixed}")


def roll_value(key: bytes, name: str, sides: int) -> int:
    """The value of one roll, made from the first 8 bytes of HMAC(K, name|counter).

    The counter begins at 0, and rises until these bytes, read as a number, are below the largest multiple of `sides` up to 2**64.
    """
    limit = SPACE - SPACE % sides
    counter = 0
    while True:
        number = int.from_bytes(_hmac(key, f"{name}|{counter}")[:8], "big")
        if number < limit:
            return number % sides + 1
        counter += 1
