"""Hazard: a tiny game with hidden hands and dice, to prove what the core promises of secrets. Not in the product.

Three seats hold three cards each of a shuffled deck of twelve. Each turn every seat plays one card and whispers a word
that only it may ever read while the game runs; the highest card scores a point, a tie is broken by an open die, and a
secret die decides who draws a card. After four turns the most points win.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.codec import Flag, Whole, record
from adjudicator.core.dice import Dice
from adjudicator.core.resolution import Chart, Ending, Remark, Resolution, Scene, SeatId, Table, Verdict
from adjudicator.core.ruleset import About, Ruleset

SEATS = ("Ash", "Birch", "Cedar")
DECK = tuple(f"card-{number:02d}" for number in range(1, 13))
LAST = 4


@record
class Settings:
    """No house rules."""


@record
class Position:
    """Hands and deck are hidden: the public sees how many."""

    turn: Whole
    hands: Mapping[SeatId, tuple[str, ...]]
    deck: tuple[str, ...]
    points: Mapping[SeatId, Whole]
    whispers: Mapping[SeatId, str]


@record
class Sheet:
    """A card, and a word that nobody else reads."""

    play: str | None = None
    whisper: str = ""
    final: Flag = False


@record
class Scored:
    """Everybody hears who scored, and nobody with which card."""

    event: Literal["scored"] = "scored"
    seat: SeatId


@record
class Drew:
    """Only who drew hears of it."""

    event: Literal["drew"] = "drew"
    seat: SeatId
    card: str


AnyEvent: TypeAlias = Scored | Drew
Event = Annotated[AnyEvent, Choice(discriminator="event")]


def setup(settings: Settings, dice: Dice) -> Position:
    deck = dice.shuffle("setup:deck", DECK)
    hands = {seat: deck[at * 3 : at * 3 + 3] for at, seat in enumerate(SEATS)}
    return Position(turn=1, hands=hands, deck=deck[9:], points=dict.fromkeys(SEATS, 0), whispers={})


def check(position: Position, seat: SeatId, sheet: Sheet) -> tuple[Remark, ...]:
    hand = position.hands.get(seat)  # none where the viewer does not see it
    if sheet.play is not None and hand and "back" not in hand and sheet.play not in hand:
        return (Remark(("play",), f"{sheet.play} is not in your hand"),)
    return ()


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    verdicts: list[Verdict] = []
    events: list[AnyEvent] = []
    played: dict[SeatId, str] = {}
    for seat, sheet in sorted(sheets.items()):
        good = sheet.play is not None and sheet.play in position.hands[seat]
        if good:
            assert sheet.play is not None
            played[seat] = sheet.play
        verdicts.append(
            Verdict(
                seat=seat,
                order=f"play {sheet.play}",
                result="played" if good else "illegal",
                reason="card",
                rule="HZ-1",
            )
        )
    points = dict(position.points)
    if played:
        best = max(played.values())
        winners = sorted(seat for seat, card in played.items() if card == best)
        winner = winners[dice.roll(f"open:tie:{position.turn}", len(winners)) - 1]
        points[winner] += 1
        events.append(Scored(seat=winner))
    hands = {seat: tuple(card for card in hand if card != played.get(seat)) for seat, hand in position.hands.items()}
    deck = position.deck
    if deck:
        lucky = SEATS[dice.roll(f"secret:draw:{position.turn}", len(SEATS)) - 1]
        hands[lucky] = (*hands[lucky], deck[0])
        events.append(Drew(seat=lucky, card=deck[0]))
        deck = deck[1:]
    after = Position(
        turn=position.turn + 1,
        hands=hands,
        deck=deck,
        points=points,
        whispers={seat: sheet.whisper for seat, sheet in sorted(sheets.items()) if sheet.whisper},
    )
    ended = None
    if position.turn == LAST:
        most = max(points.values())
        winners_ = tuple(seat for seat in SEATS if points[seat] == most)
        ended = Ending(how="points", winners=winners_, when=when(position), rule="HZ-2")
    return Resolution(after, tuple(verdicts), tuple(events), ended)


def when(position: Position) -> str:
    return f"Round {position.turn}, cards"


def tell(position: Position, fact: Verdict | AnyEvent) -> str:
    match fact:
        case Verdict(order=order, result=result):
            return f"{order}: {result}."
        case Scored(seat=seat):
            return f"{seat} scored."
        case Drew(seat=seat, card=card):
            return f"{seat} drew {card}."


def seen_by(position: Position, seat: SeatId | None) -> Position:
    def backs(cards: Iterable[str]) -> tuple[str, ...]:
        return tuple("back" for _ in cards)

    return replace(
        position,
        hands={whose: hand if whose == seat else backs(hand) for whose, hand in position.hands.items()},
        deck=backs(position.deck),
        whispers={whose: word for whose, word in position.whispers.items() if whose == seat},
    )


def heard_by(fact: Verdict | AnyEvent, seat: SeatId | None) -> bool:
    return isinstance(fact, Scored) or fact.seat == seat


def draw(position: Position, resolution: Resolution[Position, AnyEvent] | None) -> Scene:
    said = ", ".join(f"{seat} {points}" for seat, points in position.points.items())
    cards = ", ".join(f"{seat}: {' '.join(hand)}" for seat, hand in position.hands.items())
    return Scene(
        outlines="", title=when(position), description=f"{said}. {cards}", sides={}, names={}, seas=frozenset()
    )


def paint(scene: Scene) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        f"<title>{scene.title}</title><desc>{scene.description}</desc></svg>\n"
    )


RULESET: Ruleset[Position, Sheet, AnyEvent] = Ruleset(
    about=About(slug="hazard", title="Hazard", designer="the tests", players="3", summary="Cards.", licence="MIT."),
    folder=Path(__file__).parent,
    position=Position,
    sheet=Sheet,
    event=Event,
    settings=Settings,
    seats=lambda settings: SEATS,
    setup=setup,
    due=lambda position: frozenset(SEATS),
    when=when,
    kind=lambda position: "cards",
    check=check,
    options=lambda position, seat: (Sheet(play=card) for card in position.hands.get(seat, ())),
    resolve=resolve,
    tell=tell,
    draw=draw,
    paint=paint,
    tally=lambda position: (Table("Points", ("Seat", "Points"), tuple(position.points.items())),),
    chart=lambda positions: (Chart("Points", "points", (), {}),),
    seen_by=seen_by,
    heard_by=heard_by,
    examples=lambda: (),
    kinds=("cards",),
    hidden=True,
    public_roll=lambda name: name.startswith("open:"),
)
