"""Named dice: verifiable, independent of each other and of the order of asking, and fair."""

from __future__ import annotations

import hashlib
import hmac
import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.secrets.dice import (
    GivenDice,
    NamedDice,
    Roll,
    commitment,
    digest,
    roll_value,
    turn_key,
    turn_secret,
)
from adjudicator.core.text.problems import Problems
from tests.conftest import examples

LAW = examples(60)
ASKED = st.dictionaries(st.text(max_size=20), st.integers(1, 1000), min_size=1, max_size=8)


def by_hand(key: bytes, name: str, sides: int) -> int:
    """A roll as the design describes it, written a second time without the program."""
    for counter in itertools.count():
        block = hmac.new(key, f"{name}|{counter}".encode(), "sha256").digest()
        number = int(block[:8].hex(), 16)
        if number < 2**64 - (2**64 % sides):
            return 1 + number % sides
    raise AssertionError


def test_the_scheme_is_the_published_one() -> None:
    secret = hmac.new(b"seed", b"dice/v1|summer|001-spring", hashlib.sha256).digest()
    assert turn_secret("seed", "summer", "001-spring") == secret
    assert commitment(secret) == hashlib.sha256(secret).hexdigest()
    mixed = hashlib.sha256(b"Austria 11\nTurkey 22\n").hexdigest()
    assert digest({"Turkey": "22", "Austria": "11"}) == mixed
    assert digest({}) == hashlib.sha256(b"").hexdigest()
    key = hmac.new(secret, f"mix|summer|001-spring|{mixed}".encode(), hashlib.sha256).digest()
    assert turn_key(secret, "summer", "001-spring", mixed) == key
    for sides in (1, 2, 6, 20, 52, 1000, 2**40 + 1, 2**63 + 1, 2**64):
        for name in ("battle:toledo:1", "", "é|0"):
            assert roll_value(key, name, sides) == by_hand(key, name, sides)


def test_known_values_never_change() -> None:
    key = turn_key(turn_secret("seed", "g", "001-a"), "g", "001-a", digest({"Austria": "aa"}))
    dice = NamedDice(key)
    rolls = [dice.roll("battle:toledo:1", 6), dice.roll("battle:toledo:2", 6), dice.roll("x", 100)]
    assert rolls == [by_hand(key, "battle:toledo:1", 6), by_hand(key, "battle:toledo:2", 6), by_hand(key, "x", 100)]
    assert rolls == [2, 1, 47]


def test_rejection_goes_on_to_the_next_counter() -> None:
    # With 2**63 + 1 sides nearly half of all numbers are rejected.
    sides = 2**63 + 1
    first = [int(hmac.new(b"k", f"{n}|0".encode(), "sha256").hexdigest()[:16], 16) for n in range(40)]
    rejected = [n for n in range(40) if first[n] >= sides]
    assert rejected
    for n in rejected:
        assert roll_value(b"k", str(n), sides) == by_hand(b"k", str(n), sides) != 1 + first[n] % sides


@pytest.mark.slow
@LAW
@given(ASKED, st.randoms(use_true_random=False))
def test_values_depend_only_on_names(asked: dict[str, int], random: Any) -> None:
    forwards, shuffled = NamedDice(b"key"), NamedDice(b"key")
    values = {name: forwards.roll(name, sides) for name, sides in asked.items()}
    names = list(asked)
    random.shuffle(names)
    assert {name: shuffled.roll(name, asked[name]) for name in names} == values
    assert {name: forwards.roll(name, asked[name]) for name in names} == values, "the same name gives the same value"
    assert forwards.rolls == shuffled.rolls
    assert forwards.rolls == tuple(Roll(name=n, sides=asked[n], value=values[n]) for n in sorted(asked))
    assert all(1 <= values[name] <= sides for name, sides in asked.items())


def test_an_extra_roll_shifts_no_other() -> None:
    few, many = NamedDice(b"key"), NamedDice(b"key")
    many.roll("extra", 6)
    many.shuffle("deck", range(30))
    assert [few.roll(f"r{n}", 6) for n in range(20)] == [many.roll(f"r{n}", 6) for n in range(20)]


def test_keys_and_turns_give_different_dice() -> None:
    secrets = {turn_secret(seed, game, turn) for seed in "ab" for game in "gh" for turn in "tu"}
    assert len(secrets) == 8
    keys = {turn_key(b"s", "g", "t", digest({"A": text})) for text in ("1", "2", "3")}
    assert len(keys) == 3, "one other sheet gives other dice"


@LAW
@given(st.lists(st.integers(), max_size=30), st.text(max_size=10))
def test_shuffles_are_permutations(items: list[int], name: str) -> None:
    dice = NamedDice(b"key")
    shuffled = dice.shuffle(name, items)
    assert Counter(shuffled) == Counter(items)
    assert dice.shuffle(name, items) == shuffled
    assert NamedDice(b"key").shuffle(name, tuple(items)) == shuffled
    assert len(dice.rolls) == max(0, len(items) - 1), "every draw is a roll that is kept"


def test_a_shuffle_can_be_repeated_from_its_rolls() -> None:
    dice = NamedDice(b"key")
    shuffled = dice.shuffle("deck", "ABCDEFGH")
    again = GivenDice({roll.name: roll.value for roll in dice.rolls})
    assert again.shuffle("deck", "ABCDEFGH") == shuffled


def test_given_dice_return_the_given_values() -> None:
    dice = GivenDice({"a": 3, "b": 6, "unused": 99})
    assert (dice.roll("b", 6), dice.roll("a", 6), dice.roll("b", 6)) == (6, 3, 6)
    assert dice.rolls == (Roll(name="a", sides=6, value=3), Roll(name="b", sides=6, value=6))


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("gone", "no value is given for the roll 'gone'; give one from 1 to 6"),
        ("high", "the roll 'high' is given as 7; give a value from 1 to 6"),
        ("zero", "the roll 'zero' is given as 0; give a value from 1 to 6"),
    ],
)
def test_given_dice_refuse_impossible_values(name: str, what: str) -> None:
    dice = GivenDice({"high": 7, "zero": 0})
    with pytest.raises(Problems) as caught:
        dice.roll(name, 6)
    assert str(caught.value) == what
    assert dice.rolls == ()


@pytest.mark.parametrize("sides", [0, -1, 2**64 + 1])
def test_impossible_dice_are_refused(sides: int) -> None:
    with pytest.raises(ValueError, match="a die cannot have"):
        NamedDice(b"key").roll("x", sides)


def test_a_name_cannot_have_two_numbers_of_sides() -> None:
    dice = NamedDice(b"key")
    value = dice.roll("x", 6)
    with pytest.raises(ValueError, match="has 6 sides, not 8"):
        dice.roll("x", 8)
    assert dice.rolls == (Roll(name="x", sides=6, value=value),)


# Fairness: the keys are fixed, so these either always pass or always fail. The thresholds are the 99.9 % points of
# chi-square for the degrees of freedom, which a fair die exceeds with one set of keys in a thousand.
CHI_SQUARE = {1: 10.83, 5: 20.52, 19: 43.82, 23: 49.73, 51: 87.97}


def chi_square(counts: Counter[Any], kinds: int) -> float:
    expected = counts.total() / kinds
    missing = (kinds - len(counts)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize("sides", [2, 6, 20, 52])
@pytest.mark.parametrize("vary", ["name", "key"])
def test_rolls_are_uniform(sides: int, vary: str) -> None:
    counts = Counter(
        roll_value(b"key", f"roll:{n}", sides) if vary == "name" else roll_value(f"key {n}".encode(), "roll", sides)
        for n in range(300 * sides)
    )
    assert set(counts) == set(range(1, sides + 1))
    assert chi_square(counts, sides) < CHI_SQUARE[sides - 1]


def test_shuffles_are_uniform() -> None:
    counts = Counter(NamedDice(f"key {n}".encode()).shuffle("deck", "ABCD") for n in range(4800))
    assert len(counts) == 24
    assert chi_square(counts, 24) < CHI_SQUARE[23]
