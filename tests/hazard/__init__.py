"""Hazard: hidden hands, dice at setup and in play, and nothing more. The ruleset to copy for a game with secrets.

Three seats hold three cards each of a shuffled deck of twelve. Each turn every seat plays one card and whispers a word
that only it may read while the game runs. The highest card scores a point, a tie is broken by an open die, and a
secret die decides who draws a card. After four turns the most points win.

A small game may be one file, like this one. Its sections have the order of a large game's files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import partial
from typing import Annotated, Literal, TypeAlias

from adjudicator import rules as game

# position.py: everything true between two turns, and the house rules -----------------------------------------------

SEATS = ("Ash", "Birch", "Cedar")
DECK = tuple(f"card-{number:02d}" for number in range(1, 13))
LAST = 4


@game.record
class Settings:
    """House rules."""

    rounds: Annotated[game.Whole, game.Choice(ge=1, le=9), game.field_text("Rounds that are played (HZ-V-1).")] = LAST


@game.record
class Kept:
    """The part of a seat's sheets that applies until it sends another (HZ-P-3)."""

    reserve: tuple[str, ...] | None = None


@game.record
class Position:
    """Hands, deck, discards and reserves are hidden: the public sees how many cards there are (HZ-H-2, HZ-P-3, HZ-P-5)."""

    turn: game.Everybody[game.Whole]
    hands: Annotated[Mapping[game.SeatId, tuple[str, ...]], game.by_seat(game.face_down)]
    deck: Annotated[game.Deck, game.instead(partial(game.Deck.unseen, discards=True))] = game.Deck()
    points: game.Everybody[Mapping[game.SeatId, game.Whole]] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    whispers: game.Mine[Mapping[game.SeatId, str]] = field(default_factory=dict)
    standing: game.Mine[Mapping[game.SeatId, Kept]] = field(default_factory=dict)
    settings: game.InFull[Settings] = Settings()


def setup(settings: Settings, dice: game.Dice) -> Position:
    """Each seat is dealt three cards (HZ-H-1)."""
    deck, hands = game.new_deck(DECK, dice, "setup:deck"), {}
    for seat in SEATS:
        dealt = game.draw_cards(deck, 3, dice, "secret:deck")
        hands[seat], deck = dealt.cards, dealt.deck
    return Position(turn=1, hands=hands, deck=deck, settings=settings)


def faults(position: Position) -> Iterator[game.Remark]:
    """Faults of a position: seats and cards that the game does not have."""
    for key, seats in (("hands", position.hands), ("points", position.points)):
        if set(seats) != set(SEATS):
            yield game.Remark((key,), f"{key} are those of {', '.join(seats)}", f"name {', '.join(SEATS)}")
    for card in (card for cards in (*position.hands.values(), position.deck.cards) for card in cards):
        if card not in DECK:
            yield game.Remark(("hands",), f"{card!r:.40} is not a card", f"cards are {DECK[0]} to {DECK[-1]}")


def when(view: Position) -> str:
    """`Round 2, cards`."""
    return f"Round {view.turn}, cards"


# orders.py, options.py: the contents of a sheet ---------------------------------------------------------------------


@game.record
class Sheet(game.SheetWords):
    """A card, and a word that nobody else reads."""

    play: Annotated[str | None, game.field_text(title="I play")] = None
    reserve: Annotated[
        tuple[str, ...] | None,
        game.field_text(
            "Cards to be played in this order where I say nothing of one. It stands until I send another (HZ-P-3).",
            title="My reserve",
        ),
    ] = None
    draw: Annotated[game.Flag, game.field_text(title="I ask to draw a card (HZ-P-4)")] = False
    whisper: Annotated[str, game.Choice(max_length=80), game.field_text(title="A word for myself (HZ-P-5)")] = ""


STANDING = game.StandingParts(Kept, [Sheet])


def check(view: Position, seat: game.SeatId, sheet: Sheet) -> tuple[game.Remark, ...]:
    """Faults of a sheet, as far as the view shows the seat's hand."""
    hand = view.hands[seat]
    if sheet.play is not None and game.BACK not in hand and sheet.play not in hand:
        return (
            game.Remark(("play",), f"{sheet.play!r:.40} is not in your hand (HZ-P-1)", "your hand: " + ", ".join(hand)),
        )
    return ()


def options(view: Position, seat: game.SeatId) -> Iterator[Sheet]:
    """One sheet for each card of the hand that the view shows, and one that asks to draw."""
    hand = [card for card in view.hands[seat] if card != game.BACK]
    yield from (Sheet(play=card) for card in hand)
    yield Sheet(draw=True)


# events.py: the facts that a turn can produce, each with the sentence that tells it, its rule, its weight and who hears it ----------


@game.fact("{seat} scored.", rule="HZ-P-2", weight=1, heard=game.EVERYBODY)
class Scored:
    """A seat scored. Everybody hears which seat, but nobody hears its card."""

    event: Literal["scored"] = "scored"
    seat: game.SeatId


@game.fact("{seat} drew {card}.", rule="HZ-P-4", weight=0, heard=game.ITS_SEAT)
class Drew:
    """A seat drew a card. Only that seat hears of it."""

    event: Literal["drew"] = "drew"
    seat: game.SeatId
    card: str


AnyEvent: TypeAlias = Scored | Drew
FACTS: game.Facts[AnyEvent] = game.Facts.of(AnyEvent)


# resolve.py: the turn, as a tuple of named steps ---------------------------------------------------------------------


class Work(game.Draft[Position, game.Verdict, AnyEvent], rules="HZ"):
    """The turn while it is judged."""

    hands: dict[game.SeatId, tuple[str, ...]]
    points: dict[game.SeatId, int]
    standing: dict[game.SeatId, Kept]
    deck: game.Deck

    def __init__(self, position: Position, sheets: Mapping[game.SeatId, Sheet], dice: game.Dice) -> None:
        super().__init__(position, sheets, dice)
        self.played: dict[game.SeatId, str] = {}


def keep_reserves(work: Work) -> None:
    """Keeps the reserves that sheets name, until others replace them (HZ-P-3)."""
    work.standing = STANDING.after(work.standing, work.sheets)


def play_cards(work: Work) -> None:
    """Plays each seat's named card, or the first of its reserve (HZ-P-1, HZ-P-3), and discards it face down."""
    for seat in SEATS:
        sheet, hand = work.sheets.get(seat), work.hands[seat]
        named = sheet.play if sheet is not None else None
        reserve = STANDING.of(work.standing, seat).reserve or ()
        card = named if named is not None else next((card for card in reserve if card in hand), None)
        if card is None:
            continue
        holds = card in hand
        if holds:
            work.played[seat] = card
            work.hands[seat] = tuple(other for other in hand if other != card)
            work.deck = work.deck.discard(card)
        reason = "not-in-hand" if not holds else "played" if named is not None else "from-reserve"
        rule = "P-3" if reason == "from-reserve" else "P-1"
        work.judge(seat, f"Play {card}"[:60], "succeeds" if holds else "illegal", reason, rule)


def score(work: Work) -> None:
    """The highest card scores; a tie is broken by a die (HZ-P-2)."""
    if work.played:
        best = max(work.played.values())
        winners = sorted(seat for seat, card in work.played.items() if card == best)
        winner = winners[work.dice.roll(f"open:tie:{work.start.turn}", len(winners)) - 1]
        work.points[winner] += 1
        work.tell(Scored(seat=winner))


def draw_a_card(work: Work) -> None:
    """One seat draws the top card, by a die that nobody sees; the discards are shuffled if need be (HZ-P-4)."""
    askers = tuple(seat for seat in SEATS if seat in work.sheets and work.sheets[seat].draw) or SEATS
    if work.deck.cards:
        lucky = askers[work.dice.roll(f"secret:draw:{work.start.turn}", len(askers)) - 1]
        drawn = game.draw_cards(work.deck, 1, work.dice, "secret:deck")
        work.hands[lucky] = (*work.hands[lucky], *drawn.cards)
        work.tell(*(Drew(seat=lucky, card=card) for card in drawn.cards))
        work.deck = drawn.deck


TURN = (keep_reserves, play_cards, score, draw_a_card)


def resolve(
    position: Position, sheets: Mapping[game.SeatId, Sheet], dice: game.Dice
) -> game.Resolution[Position, AnyEvent]:
    """Resolve a turn; the last one ends the game (HZ-V-1)."""
    work = Work(position, sheets, dice)
    for step in TURN:
        step(work)
    if position.turn == position.settings.rounds:
        most = max(work.points.values())
        winners = tuple(seat for seat in SEATS if most and work.points[seat] == most)
        work.ended = game.Ending(how="score", winners=winners, when=when(position), rule="HZ-V-1")
    whispers = {seat: sheet.whisper for seat, sheet in sorted(sheets.items()) if sheet.whisper}
    return work.done(work.after(turn=position.turn + 1, whispers=whispers))


# prose.py, secrecy.py: a sentence for every verdict, and the words to a seat ------------------------------------------------------------------------------

REASONS = {
    "played": "was played",
    "from-reserve": "was played, out of the reserve",
    "not-in-hand": "was not in the hand",
}


def tell(view: Position, verdict: game.Verdict) -> str:
    """One sentence for a verdict; facts have theirs at their records."""
    return f"{verdict.order.removeprefix('Play ')} {REASONS[verdict.reason]}."


def brief(view: Position, seat: game.SeatId) -> tuple[str, ...]:
    """The seat's name and hand, in a sentence."""
    return (f"You are {seat}. You hold {', '.join(view.hands[seat]) or 'no card'}.",)


# picture.py: the position, and the cards of the turn before, on a table -------------------------------------------------


def draw(view: Position, done: game.Resolution[Position, AnyEvent] | None) -> game.TableScene:
    """Each seat with its points and its hand, as far as the view shows it; in the middle the deck, and the cards of the turn `done`."""
    played = done.verdicts if done is not None else ()
    row = tuple(
        game.TableCard(
            name=told.seat, title=told.order.removeprefix("Play "), numbers=(), tooltip=told.order, note=told.seat
        )
        for told in played
        if told.ok
    )
    chairs = tuple(
        game.Chair(
            seat=seat,
            title=seat,
            notes=(game.many(view.points[seat], "point"), game.many(len(hand), "card")),
            cards=(),
            hand={card: card for card in hand if card != game.BACK},
        )
        for seat, hand in view.hands.items()
    )
    hands = ". ".join(f"{seat}: {', '.join(hand) or 'no card'}" for seat, hand in view.hands.items())
    return game.TableScene(
        title=when(view),
        description=f"{hands}.",
        sides={seat: game.Side(slot, seat, seat[0]) for slot, seat in enumerate(SEATS, 1)},
        signs={},
        chairs=chairs,
        row=row,
        piles=(game.Pile("Deck", len(view.deck.cards)),),
        legend="Each seat has its points and its hand. Cards that were played lie in the middle.",
    )


LENGTHS = game.Lengths(sheet=1024, dispatch=2048, secret=2048)
"""As measured by `courtly rehearse hazard --lengths`, with room for three whispers of 80 letters of four bytes."""

RULESET: game.Ruleset[Position, Sheet, AnyEvent] = game.small_ruleset(
    __file__,
    game.About(
        slug="hazard",
        title="Hazard",
        designer="nobody in particular",
        players="3",
        summary="Hidden hands: the highest card scores.",
        licence="Free for everybody.",
        prefix="HZ",
        luck=True,
    ),
    seats=SEATS,
    settings=Settings,
    position=Position,
    sheet=Sheet,
    facts=FACTS,
    setup=setup,
    when=when,
    check=check,
    options=options,
    resolve=resolve,
    faults=faults,
    tell=tell,
    quiet="Nobody scored.",
    draw=draw,
    score=("Points", lambda view: view.points),
    secrecy=game.secrets(
        Position, FACTS, public_roll=lambda name: name.startswith("open:"), brief=brief, lengths=LENGTHS
    ),
)
