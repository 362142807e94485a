"""Cards: piles that are drawn from and discarded to, hands, and the law that no card is lost or doubled.

A card is its id, and every copy has its own. All luck is the platform's: a shuffle is rolls with names, so that anyone can check
it later. What is shuffled or picked from is sorted first, so that the order in which cards were discarded or dealt decides nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from adjudicator.core.secrets.dice import Dice
from adjudicator.core.text.codec import Whole, record

BACK = "back"
"""What stands in a view for a card that the reader does not see; no card's id."""


@record
class Deck:
    """A pile that cards are drawn from, face down, and the one that they are discarded to."""

    pile: tuple[str, ...] = ()
    """The top first."""
    discards: tuple[str, ...] = ()
    """The latest last."""
    shuffles: Whole = 0
    """How often the discards have become a new pile."""

    def discard(self, *cards: str) -> Deck:
        """The deck with these cards on its discards."""
        return replace(self, discards=(*self.discards, *cards))

    def without(self, card: str) -> Deck:
        """The deck without a card that was discarded; raises ValueError if it was not."""
        at = self.discards.index(card)
        return replace(self, discards=self.discards[:at] + self.discards[at + 1 :])

    def unseen(self, *, discards: bool = False) -> Deck:
        """The deck as everybody sees it: how many cards the pile has, and with `discards` how many were discarded and not which."""
        return replace(
            self, pile=face_down(self.pile), discards=face_down(self.discards) if discards else self.discards
        )

    @property
    def cards(self) -> tuple[str, ...]:
        """All its cards: those of the pile, then the discards."""
        return (*self.pile, *self.discards)


@dataclass(frozen=True, slots=True)
class Draw:
    """What was drawn, in this order, and the deck after it."""

    cards: tuple[str, ...]
    deck: Deck
    reshuffled: bool
    """Whether the discards became a new pile meanwhile."""


def new_deck(cards: Collection[str], dice: Dice, name: str) -> Deck:
    """A deck of all these cards, shuffled by rolls of this name."""
    return Deck(pile=dice.shuffle(name, sorted(cards)))


def draw(deck: Deck, count: int, dice: Dice, name: str) -> Draw:
    """The top `count` cards, one by one; fewer if pile and discards hold no more.

    Whenever a card is to be drawn and the pile is empty, the discards are shuffled into a new one, by rolls called after the deck's
    `name` and the number of the shuffle.
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
    """So many of these cards at random, all if there are no more, sorted; by rolls of this name."""
    return tuple(sorted(dice.shuffle(name, sorted(cards))[:count]))


def face_down(cards: Iterable[str]) -> tuple[str, ...]:
    """A back for each card."""
    return tuple(BACK for _ in cards)


def misplaced(cards: Iterable[str], zones: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Each card that does not lie in exactly one zone -> the zones it lies in, none or several, a zone twice if it is there twice.

    Cards that the game does not have are among them; backs are no cards.
    """
    places: defaultdict[str, list[str]] = defaultdict(list)
    for zone, held in zones.items():
        for card in held:
            if card != BACK:
                places[card].append(zone)
    known = set(cards)
    wrong = {card: tuple(places[card]) for card in known | {*places} if card not in known or len(places[card]) != 1}
    return dict(sorted(wrong.items()))
