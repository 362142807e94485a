"""Cards without any game: decks, draws and reshuffles, and no card is ever lost."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.secrets.dice import GivenDice, NamedDice
from adjudicator.mechanics.cards import BACK, Deck, draw, face_down, misplaced, new_deck, pick

CARDS = tuple(f"card-{number:02d}" for number in range(12))


def test_a_deck_is_drawn_from_the_top_and_reshuffled_when_it_is_empty() -> None:
    deck = Deck(pile=("a", "b"), discards=("e", "d", "c"))
    # The shuffle is of c, d, e: the first roll swaps the last place with the first, the second changes nothing.
    drawn = draw(deck, 3, GivenDice({"deck:1:2": 1, "deck:1:1": 2}), "deck")
    assert drawn.cards == ("a", "b", "e")
    assert drawn.deck == Deck(pile=("d", "c"), discards=(), shuffles=1)
    assert drawn.reshuffled
    again = draw(drawn.deck.discard("a"), 3, GivenDice({}), "deck")
    assert (again.cards, again.deck) == (("d", "c", "a"), Deck(shuffles=2))


def test_nothing_is_shuffled_until_a_card_is_missing() -> None:
    drawn = draw(Deck(pile=("a",), discards=("b", "c")), 1, GivenDice({}), "deck")
    assert (drawn.cards, drawn.deck, drawn.reshuffled) == (("a",), Deck(discards=("b", "c")), False)


def test_a_deck_that_runs_out_yields_only_the_cards_there_are() -> None:
    assert draw(Deck(), 2, GivenDice({}), "deck").cards == ()
    assert draw(Deck(pile=("a",)), 2, GivenDice({}), "deck").cards == ("a",)


def test_a_discarded_card_can_leave_for_good() -> None:
    assert Deck(discards=("a", "b", "c")).without("b") == Deck(discards=("a", "c"))
    with pytest.raises(ValueError, match="not in tuple"):
        Deck(pile=("a",)).without("a")


def test_everybody_sees_a_deck_only_from_the_back() -> None:
    deck = Deck(pile=("a", "b"), discards=("c",), shuffles=2)
    assert deck.unseen() == Deck(pile=(BACK, BACK), discards=("c",), shuffles=2)
    assert deck.unseen(discards=True).discards == (BACK,)
    assert face_down("ab") == (BACK, BACK)


def test_misplaced_cards_are_named_with_their_places() -> None:
    zones = {"hand": ("a", "b", BACK), "pile": ("b", "x"), "discards": ("c", "c")}
    assert misplaced("abcd", zones) == {"b": ("hand", "pile"), "c": ("discards", "discards"), "d": (), "x": ("pile",)}
    assert misplaced("ab", {"hand": ("b",), "pile": ("a",)}) == {}


@given(st.integers(0, 10**6), st.integers(1, 14), st.randoms(use_true_random=False))
def test_the_order_of_cards_makes_no_difference(key: int, count: int, random: Random) -> None:
    """Neither the order of a deck's cards, nor that of the discards, nor that of a hand."""
    other = list(CARDS)
    random.shuffle(other)

    def dice() -> NamedDice:
        return NamedDice(str(key).encode())

    assert new_deck(CARDS, dice(), "deck") == new_deck(other, dice(), "deck")
    one, two = (draw(Deck(discards=tuple(cards)), count, dice(), "deck") for cards in (CARDS, other))
    assert one == two
    assert pick(CARDS, count, dice(), "pick") == pick(other, count, dice(), "pick")
    assert len(pick(CARDS, count, dice(), "pick")) == min(count, len(CARDS))


@given(
    st.integers(0, 10**6),
    st.lists(st.tuples(st.sampled_from(["draw", "discard", "kill"]), st.integers(0, 5)), max_size=30),
)
def test_no_card_is_lost_or_doubled(key: int, deeds: list[tuple[str, int]]) -> None:
    dice = NamedDice(str(key).encode())
    deck = new_deck(CARDS, dice, "setup")
    hand: list[str] = []
    dead: list[str] = []
    for deed, count in deeds:
        match deed:
            case "draw":
                drawn = draw(deck, count, dice, "deck")
                assert len(drawn.cards) == min(count, len(deck.cards))
                assert drawn.reshuffled == (len(deck.pile) < len(drawn.cards))
                deck, hand = drawn.deck, [*hand, *drawn.cards]
            case "discard":
                gone = pick(hand, count, dice, f"gone:{len(hand)}")
                deck, hand = deck.discard(*gone), [card for card in hand if card not in gone]
            case "kill" if deck.discards:
                dead.append(deck.discards[count % len(deck.discards)])
                deck = deck.without(dead[-1])
        zones = {"pile": deck.pile, "discards": deck.discards, "hand": hand, "dead": dead}
        assert misplaced(CARDS, zones) == {}


def test_every_order_of_a_reshuffle_is_equally_likely() -> None:
    """6,000 keys, six orders of three cards: each within five deviations (of 29) of a thousand."""
    seen = Counter(
        draw(Deck(discards=("a", "b", "c")), 3, NamedDice(f"key {n}".encode()), "deck").cards for n in range(6000)
    )
    assert len(seen) == 6
    assert all(abs(count - 1000) < 145 for count in seen.values()), seen
