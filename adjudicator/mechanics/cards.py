"""Cards: draw piles and discard piles, hands, and the check that no card is lost or duplicated.

A card is its id, and every copy has its own id. All luck comes from the platform: a shuffle consists of named rolls, so that anyone
can check it later. Cards are sorted before they are shuffled or picked, so that the order of discarding or dealing has no effect.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import Whole, record

BACK = "back"
"""Placeholder in a view for a card that the reader may not see; never a card's id."""


@record
class Deck:
    """A draw pile, face down, and its discards."""

    pile: tuple[str, ...] = ()
    """The draw pile, top card first."""
    discards: tuple[str, ...] = ()
    """The discarded cards, latest last."""
    shuffles: Whole = 0
    """How many times the discards have become a new pile."""

    def discard(self, *cards: str) -> Deck:
        """Return the deck with these cards added to its discards."""
        return replace(self, discards=(*self.discards, *cards))

    def without(self, card: str) -> Deck:
        """Return the deck without a card from the discards; raises ValueError if it is not among them."""
        at = self.discards.index(card)
        return replace(self, discards=self.discards[:at] + self.discards[at + 1 :])

    def unseen(self, *, discards: bool = False) -> Deck:
        """Return the public view of the deck: the pile face down, and with `discards` the discards face down too."""
        return replace(
            self, pile=face_down(self.pile), discards=face_down(self.discards) if discards else self.discards
        )

    @property
    def cards(self) -> tuple[str, ...]:
        """All its cards: those of the pile, then the discards."""
        return (*self.pile, *self.discards)


@dataclass(frozen=True, slots=True)
class Draw:
    """The drawn cards in order, and the deck afterwards."""

    cards: tuple[str, ...]
    deck: Deck
    reshuffled: bool
    """True if the discards became a new pile during the draw."""


def new_deck(cards: Collection[str], dice: Dice, name: str) -> Deck:
    """Make a deck of all these cards, shuffled by rolls with this name."""
    return Deck(pile=dice.shuffle(name, sorted(cards)))


def draw(deck: Deck, count: int, dice: Dice, name: str) -> Draw:
    """Draw the top `count` cards one by one; fewer if the pile and the discards run out.

    If a card is to be drawn from an empty pile, the discards are shuffled into a new one. The rolls of that shuffle are
    called `NAME:NUMBER`, where the number counts the deck's shuffles.
    """
    drawn: list[str] = []
    reshuffled = False
    while len(drawn) < count and deck.cards:
        if not deck.pile:
            number = deck.shuffles + 1
            deck = Deck(pile=dice.shuffle(f"{name}:{number}", sorted(deck.discards)), shuffles=number)
            reshuffled = True
        drawn.append(deck.pile[0])
        deck = replace(deck, pile=deck.pile[1:])
    return Draw(tuple(drawn), deck, reshuffled)


def pick(cards: Collection[str], count: int, dice: Dice, name: str) -> tuple[str, ...]:
    """Pick up to `count` of these cards at random, by rolls with this name; sorted."""
    return tuple(sorted(dice.shuffle(name, sorted(cards))[:count]))


def face_down(cards: Iterable[str]) -> tuple[str, ...]:
    """Replace every card with a back."""
    return tuple(BACK for _ in cards)


def misplaced(cards: Iterable[str], zones: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Each card that is not in exactly one zone -> its zones; a zone that holds it twice is listed twice.

    Every card that is not among `cards` counts as misplaced. Backs are ignored.
    """
    places: defaultdict[str, list[str]] = defaultdict(list)
    for zone, held in zones.items():
        for card in held:
            if card != BACK:
                places[card].append(zone)
    known = set(cards)
    wrong = {card: tuple(places[card]) for card in known | {*places} if card not in known or len(places[card]) != 1}
    return dict(sorted(wrong.items()))
