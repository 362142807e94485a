"""Luck, counted: dice and shuffles are even and independent, and any change to one is noticed."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract import ruleset
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.secrets.dice import NamedDice, Roll, commitment, digest, roll_value, turn_key, turn_secret
from adjudicator.core.secrets.masters import dice_secret
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.files import turn_text
from adjudicator.core.turn.load import load_all, load_game, load_turn
from tests import hazard
from tests.conftest import examples
from tests.core.test_deadlines import FIRST, STROKE, Play, both
from tests.core.test_rulings import Table

pytestmark = pytest.mark.usefixtures("with_hazard")

LAW = examples(100)


# Counting ---------------------------------------------------------------------------------------------------------
# The keys are fixed, so each of these tests always passes or always fails. A fair die fails one set of keys in a
# thousand; a die that is loaded fails nearly all.

RARE = 0.001


def critical(freedom: int) -> float:
    """Value that chi-square exceeds once in a thousand times by mere chance (Wilson and Hilferty's approximation)."""
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + NormalDist().inv_cdf(1 - RARE) * part**0.5) ** 3)


def chi_square(counts: Counter[Any], kinds: int) -> float:
    """Distance of the counts from an even distribution; results that never came count too."""
    expected = counts.total() / kinds
    unseen = (kinds - len(counts)) * expected
    return unseen + sum((count - expected) ** 2 / expected for count in counts.values())


def even(found: Iterable[Any], kinds: int) -> bool:
    """True if each of the `kinds` results comes about equally often."""
    counts = Counter(found)
    assert len(counts) <= kinds
    assert counts.total() >= 20 * kinds, "too few to tell"
    return chi_square(counts, kinds) < critical(kinds - 1)


def test_the_critical_values_match_the_tables() -> None:
    tables = {1: 10.828, 2: 13.816, 4: 18.467, 5: 20.515, 19: 43.820, 24: 51.179, 35: 66.619, 99: 148.230, 119: 172.419}
    for freedom, value in tables.items():
        assert critical(freedom) == pytest.approx(value, rel=0.035 if freedom < 3 else 0.015 if freedom < 10 else 0.003)


KEYS = [hashlib.sha256(f"key {n}".encode()).digest() for n in range(8)]
SIDES = (2, 3, 6, 20, 100)
WAYS: dict[str, Callable[[int, int], int]] = {
    "names": lambda n, sides: roll_value(KEYS[0], f"roll:{n}", sides),
    "words": lambda n, sides: roll_value(KEYS[1], f"battle:toledo:{n % 7}:{'x' * (n // 7 % 50)}{n // 350}", sides),
    "turns": lambda n, sides: roll_value(turn_key(turn_secret("seed", "g", f"{n}"), "g", f"{n}", digest({})), "roll", sides),
    "games": lambda n, sides: roll_value(turn_key(turn_secret("seed", f"{n}", "t"), f"{n}", "t", digest({})), "roll", sides),
    "masters": lambda n, sides: roll_value(dice_secret(n.to_bytes(32, "big"), "a", "g", "t"), "roll", sides),
    "sheets": lambda n, sides: roll_value(turn_key(KEYS[2], "g", "t", digest({"Ash": f"{n}"})), "roll", sides),
}  # fmt: skip


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("way", WAYS)
def test_dice_are_even_whatever_part_of_their_name_or_key_differs(way: str, sides: int) -> None:
    rolls = [WAYS[way](n, sides) for n in range(max(1200, 40 * sides))]
    assert set(rolls) == set(range(1, sides + 1))
    assert even(rolls, sides)


LOADED: dict[str, Callable[[int, int], int]] = {
    "one face in ten is laid down": lambda n, sides: sides if n % 10 == 0 else WAYS["names"](n, sides),
    "the highest face never comes": lambda n, sides: 1 + (WAYS["names"](n, sides) - 1) % (sides - 1),
    "rolled again when it is one": lambda n, sides: max(WAYS["names"](n, sides), WAYS["names"](-n - 1, sides)),
    "one after the other": lambda n, sides: 1 + (n // 600) % sides,
}


@pytest.mark.parametrize("sides", [3, 6, 20])
@pytest.mark.parametrize("how", LOADED)
def test_loaded_dice_are_detected(how: str, sides: int) -> None:
    # As many rolls as above, except for the die laid down one time in ten: a small bias takes more rolls to show.
    count = max(1200, 40 * sides) if "ten" not in how else 4000
    assert not even((LOADED[how](n, sides) for n in range(count)), sides)


def test_dice_of_very_many_sides_are_even_because_numbers_are_rejected() -> None:
    # With 3 * 2**62 sides, the bare remainder would make the first third come twice as often.
    sides = 3 << 62
    thirds = [(roll_value(KEYS[3], f"{n}", sides) - 1) * 3 // sides for n in range(3000)]
    assert even(thirds, 3)
    naive = [int.from_bytes(hmac.digest(KEYS[3], f"{n}|0".encode(), "sha256")[:8], "big") % sides for n in range(3000)]
    assert not even((number * 3 // sides for number in naive), 3)


# Shuffles ---------------------------------------------------------------------------------------------------------

CARDS = "ABCDE"
DECKS = [NamedDice(f"deck {n}".encode()).shuffle("deck", CARDS) for n in range(6000)]
ORDERS = list(itertools.permutations(CARDS))


@pytest.mark.parametrize("position", range(len(CARDS)))
def test_every_card_is_equally_often_in_every_place(position: int) -> None:
    assert even((deck[position] for deck in DECKS), len(CARDS))


@pytest.mark.parametrize("card", CARDS)
def test_every_place_is_equally_likely_for_every_card(card: str) -> None:
    assert even((deck.index(card) for deck in DECKS), len(CARDS))


def test_every_order_of_five_cards_is_equally_likely() -> None:
    assert set(DECKS) == set(ORDERS)
    assert even(DECKS, len(ORDERS))


def test_decks_with_one_key_and_different_names_are_even() -> None:
    dice = NamedDice(KEYS[4])
    assert even((dice.shuffle(f"hand:{n}", CARDS) for n in range(3000)), len(ORDERS))


def test_neighbours_stay_together_no_more_often_than_by_chance() -> None:
    pairs = [pair for deck in DECKS for pair in itertools.pairwise(deck)]
    assert even(pairs, len(CARDS) * (len(CARDS) - 1))


def test_a_bad_shuffle_is_detected() -> None:
    def bad(n: int) -> tuple[str, ...]:
        """Swap every card with any other, which is the usual mistake."""
        dice, deck = NamedDice(f"deck {n}".encode()), list(CARDS)
        for at in range(len(deck)):
            other = dice.roll(f"deck:{at}", len(deck)) - 1
            deck[at], deck[other] = deck[other], deck[at]
        return tuple(deck)

    assert not even((bad(n) for n in range(6000)), len(ORDERS))
    unshuffled = [tuple(CARDS) if n % 25 == 0 else deck for n, deck in enumerate(DECKS)]
    assert not even(unshuffled, len(ORDERS))
    assert not even((deck[0] for deck in unshuffled), len(CARDS))


# Each by itself ---------------------------------------------------------------------------------------------------

NAMES = st.text(st.characters(codec="utf-8"), max_size=12)
ASKED = st.lists(
    st.one_of(
        st.tuples(st.just("roll"), NAMES.map(lambda name: f"r:{name}"), st.integers(1, 10**6)),
        st.tuples(st.just("shuffle"), NAMES.map(lambda name: f"s:{name}"), st.integers(0, 8)),
    ),
    max_size=10,
    unique_by=lambda asked: asked[1],
)


def answers(dice: NamedDice, asked: Sequence[tuple[str, str, int]]) -> dict[str, Any]:
    return {
        name: dice.roll(name, count) if what == "roll" else dice.shuffle(name, range(count))
        for what, name, count in asked
    }


@LAW
@given(ASKED, ASKED, st.randoms(use_true_random=False), st.binary(min_size=1, max_size=32))
def test_rolls_and_shuffles_depend_on_no_others_and_on_no_order(
    asked: list[tuple[str, str, int]], more: list[tuple[str, str, int]], chance: random.Random, key: bytes
) -> None:
    alone = {name: answers(NamedDice(key), [one])[name] for one in asked for name in [one[1]]}
    names = {name for _, name, _ in asked}
    others = [one for one in more if one[1] not in names and not one[1].startswith("s:")]
    mixed = [*asked, *others, *asked]
    chance.shuffle(mixed)
    dice = NamedDice(key)
    given = answers(dice, mixed)
    assert {name: given[name] for name in alone} == alone
    assert answers(dice, asked) == alone, "nor on how often they are asked"
    assert len(dice.rolls) == len({roll.name for roll in dice.rolls})


PAIRS: dict[str, Callable[[int], tuple[int, int]]] = {
    "neighbouring names": lambda n: (roll_value(KEYS[0], f"r:{2 * n}", 6), roll_value(KEYS[0], f"r:{2 * n + 1}", 6)),
    "a name and a longer one": lambda n: (roll_value(KEYS[0], f"r:{n}", 6), roll_value(KEYS[0], f"r:{n}:1", 6)),
    "the same name in two turns": lambda n: (WAYS["turns"](2 * n, 6), WAYS["turns"](2 * n + 1, 6)),
    "the same name in two games": lambda n: (WAYS["games"](2 * n, 6), WAYS["games"](2 * n + 1, 6)),
    "the same name under two keys": lambda n: (roll_value(KEYS[1], f"r:{n}", 6), roll_value(KEYS[2], f"r:{n}", 6)),
    "two masters of one bit’s difference": lambda n: (WAYS["masters"](2 * n, 6), WAYS["masters"](2 * n + 1, 6)),
    "with one other sheet": lambda n: (WAYS["sheets"](2 * n, 6), WAYS["sheets"](2 * n + 1, 6)),
    "a battle in two turns of one key": lambda n: (
        roll_value(turn_key(KEYS[7], "g", "001", f"{n}"), "battle:1", 6),
        roll_value(turn_key(KEYS[7], "g", "002", f"{n}"), "battle:1", 6),
    ),
}


@pytest.mark.parametrize("which", PAIRS)
def test_two_rolls_are_independent_of_each_other(which: str) -> None:
    pairs = [PAIRS[which](n) for n in range(3600)]
    assert even(pairs, 36)
    assert even(((one + other) % 6 for one, other in pairs), 6)


def test_dependent_rolls_are_detected() -> None:
    pairs = [PAIRS["neighbouring names"](n) for n in range(3600)]
    assert not even(((one, one if n % 10 == 0 else other) for n, (one, other) in enumerate(pairs)), 36)


# Commitment and mix -----------------------------------------------------------------------------------------------

SHEETS = st.dictionaries(
    st.sampled_from(("Ash", "Birch", "Cedar", "Doge", "Elm")),
    st.builds(bytes.hex, st.binary(min_size=32, max_size=32)),
    min_size=1,
)


@LAW
@given(SHEETS, st.data())
def test_a_different_sheet_gives_different_dice(sheets: dict[str, str], data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(sorted(sheets)))
    at = data.draw(st.integers(0, 63))
    one_digit = "0123456789abcdef"[int(sheets[seat][at], 16) ^ 1]
    changed = sheets | {seat: sheets[seat][:at] + one_digit + sheets[seat][at + 1 :]}
    without = {name: value for name, value in sheets.items() if name != seat}
    renamed = without | {"Fig": sheets[seat]}
    more = sheets | {"Fig": "0" * 64}
    every = [sheets, changed, without, renamed, more]
    assert len({digest(sheets) for sheets in every}) == len(every)
    assert len({turn_key(KEYS[0], "g", "t", digest(sheets)) for sheets in every}) == len(every)
    assert digest(dict(reversed(sheets.items()))) == digest(sheets), "and in whatever order they came, the same"


@LAW
@given(
    st.lists(st.tuples(st.binary(min_size=32, max_size=32), st.sampled_from("gh"), st.sampled_from("tu")), unique=True)
)
def test_different_secrets_games_and_turns_give_different_keys(places: list[tuple[bytes, str, str]]) -> None:
    keys = {turn_key(secret, game, turn, digest({})) for secret, game, turn in places}
    assert len(keys) == len(places)
    assert len({commitment(secret) for secret, _, _ in places}) == len({secret for secret, _, _ in places})


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "one")


def test_nobody_knows_the_dice_before_the_last_sheet_is_in(table: Table, tmp_path: Path) -> None:
    # The same cards and words, sealed once more with another nonce: every die falls differently.
    digests, values, commitments = set(), [], set()
    for n in range(12):
        here = table.copy(tmp_path / f"copy-{n}")
        for seat in hazard.SEATS:
            here.sheet(seat, "the same word")
        here.run("2026-11-21T00:00Z")
        game = load_game(here.archive, "cards")
        turn = load_turn(here.archive, game, here.archive.turns("cards")[0])
        whole = load_all(here.archive, turn)
        digests.add(whole.dice.digest)
        commitments.add(whole.dice.commitment)
        values.append([roll.value for roll in whole.rolls if roll.name.startswith("secret:draw")])
    assert len(digests) == 12
    assert len(commitments) == 1
    assert all(len(value) == 1 for value in values)
    assert len({value for (value,) in values}) > 1


def by_hand(key: bytes, name: str, sides: int) -> int:
    """A roll as the page on dice describes it, without the program."""
    for counter in itertools.count():
        number = int.from_bytes(hmac.digest(key, f"{name}|{counter}".encode(), "sha256")[:8], "big")
        if number < 2**64 - 2**64 % sides:
            return 1 + number % sides
    raise AssertionError


@pytest.mark.parametrize("gather", [False, True])
def test_after_the_game_every_roll_can_be_repeated_by_hand(tmp_path: Path, gather: bool) -> None:
    table = Table(tmp_path / "over", gather=gather)
    table.play()
    checked: list[str] = []

    def again(kept: Any, where: str, mixed: str, rolls: Sequence[Roll]) -> None:
        secret = bytes.fromhex(kept.secret)
        assert hashlib.sha256(secret).hexdigest() == kept.commitment
        key = hmac.digest(secret, f"mix|cards|{where}|{mixed}".encode(), "sha256")
        for roll in rolls:
            assert roll.value == by_hand(key, roll.name, roll.sides)
            checked.append(roll.name)

    archive = Archive(table.root)
    for name in archive.turns("cards"):
        turn = load_turn(archive, load_game(archive, "cards"), name)
        files = {path.name: path.read_bytes() for path in sorted((turn.folder / "orders").iterdir())}
        sheets = {seat: hashlib.sha256(files[f"{seat.lower()}.yaml.age"]).hexdigest() for seat in hazard.SEATS}
        mixed = hashlib.sha256("".join(f"{seat} {sheets[seat]}\n" for seat in sorted(sheets)).encode()).hexdigest()
        assert (turn.data.sheets, turn.data.dice.digest) == (sheets, mixed)
        again(turn.data.dice, name, mixed, load_all(archive, turn).rolls)
        if (setup := turn.data.setup) is not None:
            lines = "".join(f"{seat} {nonce}\n" for seat, nonce in sorted(setup.nonces.items()))
            again(setup, "setup", hashlib.sha256(lines.encode()).hexdigest(), setup.rolls)
            assert bool(setup.nonces) == gather
    anew = [name for name in checked if name.startswith("secret:deck:1:")]
    assert anew, "the deck holds a card for each of the first three turns, and is shuffled anew in the last"
    assert len(checked) - len(anew) == 11 + 2 * hazard.LAST, "the shuffle, and a tie and a draw each turn"


# Changes to luck are found out ------------------------------------------------------------------------------------

HEX = "[0-9a-f]{64}"


def other_digit(match: re.Match[str]) -> str:
    """The matched text, with the hexadecimal digit in the middle of its last group changed."""
    text, at = match[0], match.end(1) - match.start(0) - 32
    return text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :]


SETUP_ROLL = r'- \{name: "setup:deck:11", sides: 12, value: \d+\}'
CHANGES: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "the secret": (f'^dice:(?s:.*?)secret: "?({HEX})', other_digit),
    "the digest": (f'^dice:(?s:.*?)digest: "?({HEX})', other_digit),
    "the commitment": (f'^dice:(?s:.*?)commitment: "?({HEX})', other_digit),
    "a sheet’s digest": (f'^sheets:\n  [A-Z][a-z]+: "?({HEX})', other_digit),
    "a roll’s value": (r"(sides: )1, value: 1\}", r"\g<1>2, value: 2}"),
    "a roll’s name": (r"open:tie:(\d)", r"open:tie:1\1"),
    "a roll more": (r'^rolls:\n(?=- \{name: "open)', 'rolls:\n- {name: "open:more", sides: 6, value: 6}\n'),
    "no rolls": (r'^rolls:\n- \{name: "open.*\n', ""),
    "no dice": (r"^dice:\n(  .*\n)+", ""),
}
SETUP_CHANGES: dict[str, tuple[str, str | Callable[[re.Match[str]], str]]] = {
    "the setup’s secret": (f'^setup:(?s:.*?)secret: "?({HEX})', other_digit),
    "the setup’s commitment": (f'^setup:(?s:.*?)commitment: "?({HEX})', other_digit),
    "a roll of the setup": (SETUP_ROLL, lambda match: re.sub(r"value: (\d+)", lambda m: f"value: {int(m[1]) % 12 + 1}", match[0])),
    "a roll of the setup less": (f"^  {SETUP_ROLL}\n", ""),
    "a nonce more": (r"^  rolls:\n", "  nonces: {Ash: nonceAsh0}\n  rolls:\n"),
}  # fmt: skip
GATHERED_CHANGES = SETUP_CHANGES | {
    "a nonce": (r"nonces: \{Ash: nonceAsh0", "nonces: {Ash: nonceAsh1"),
    "a nonce less": (r"nonces: \{Ash: nonceAsh0, ", "nonces: {"),
    "a nonce more": (r"nonces: \{Ash: nonceAsh0", "nonces: {Aaa: nonceAaa0, Ash: nonceAsh0"),
}


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """Finished games of hazard, with and without nonces for the setup."""
    real = ruleset.slugs
    roots = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "adjudicator.rulesets.hazard", hazard)
        patch.setattr(ruleset, "slugs", lambda: (*real(), "hazard"))
        for gather in (False, True):
            table = Table(tmp_path_factory.mktemp("over") / "archive", gather=gather)
            table.play()
            roots[gather] = table.root
    return roots


def faults_after(
    root: Path, game: str, turn: str, change: tuple[str, str | Callable[[re.Match[str]], str]]
) -> list[str]:
    """Faults that verify finds after a change to a turn.yaml; the file is restored afterwards."""
    path = Archive(root).game_folder(game) / turn / "turn.yaml"
    kept = path.read_bytes()
    text, count = re.subn(change[0], change[1], kept.decode(), count=1, flags=re.MULTILINE)
    assert count == 1
    assert text.encode() != kept
    try:
        path.write_text(text)
        return [str(fault) for fault in verify_game(Archive(root), game).problems]
    finally:
        path.write_bytes(kept)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, hazard.LAST + 1))
@pytest.mark.parametrize("what", CHANGES)
def test_changed_luck_is_noticed_in_any_turn(over: dict[bool, Path], what: str, number: int) -> None:
    name = f"{number:03d}-round-{number}-cards"
    assert verify_game(Archive(over[False]), "cards").problems == ()
    faults = faults_after(over[False], "cards", name, CHANGES[what])
    assert faults
    assert any(line.startswith(f"games/over/cards/{name}/") for line in faults), faults


@pytest.mark.slow
@pytest.mark.parametrize(
    ("gather", "what"), [*((False, what) for what in SETUP_CHANGES), *((True, what) for what in GATHERED_CHANGES)]
)
def test_a_changed_setup_is_noticed(over: dict[bool, Path], what: str, gather: bool) -> None:
    change = (GATHERED_CHANGES if gather else SETUP_CHANGES)[what]
    assert verify_game(Archive(over[gather]), "cards").problems == ()
    faults = faults_after(over[gather], "cards", "001-round-1-cards", change)
    assert faults
    assert any(line.startswith("games/over/cards/001-round-1-cards/") for line in faults), faults


@pytest.mark.slow
@both
@pytest.mark.parametrize("what", ["the secret", "the digest", "the commitment", "a sheet’s digest", "no dice"])
def test_changes_to_luck_are_noticed_even_if_nothing_is_rolled(tmp_path: Path, sealed: bool, what: str) -> None:
    game = Play(tmp_path / "archive", sealed=sealed)
    game.sheets(final=True)
    game.run(STROKE)
    game.check()
    faults = faults_after(game.root, "game", FIRST, CHANGES[what])
    assert faults
    assert any(line.startswith(f"games/game/{FIRST}/") for line in faults), faults
    game.check()


@both
def test_the_commitment_of_an_open_turn_matches_its_secret(tmp_path: Path, sealed: bool) -> None:
    game = Play(tmp_path / "archive", sealed=sealed)
    before = game.turn()
    game.sheets(final=True)
    game.run(STROKE)
    after = game.turn(1)
    assert (before.data.dice.secret, before.data.dice.digest) == (None, None)
    assert before.data.dice.commitment == after.data.dice.commitment
    assert after.data.dice.secret is not None
    assert commitment(bytes.fromhex(after.data.dice.secret)) == before.data.dice.commitment
    assert after.data.dice.digest == digest(after.data.sheets or {})
    plain: Any = read(turn_text(after.data), "turn.yaml").data
    assert plain["dice"] == {
        "commitment": before.data.dice.commitment, "secret": after.data.dice.secret, "digest": after.data.dice.digest,
    }  # fmt: skip
