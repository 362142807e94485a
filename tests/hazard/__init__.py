"""Hazard: hidden hands, dice at setup and in play, and nothing more. The ruleset to copy for a game with secrets.

Three seats hold three cards each of a shuffled deck of twelve. Each turn every seat plays one card and whispers a word
that only it may read while the game runs. The highest card scores a point, a tie is broken by an open die, and a
secret die decides who draws a card. After four turns the most points win.

A small game may be one file, like this one. Its sections have the order of a large game's files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract import cases
from adjudicator.core.contract.facts import EVERYBODY, ITS_SEAT, Facts, fact
from adjudicator.core.contract.lengths import Lengths
from adjudicator.core.contract.pages import Chart, Side, Table
from adjudicator.core.contract.resolution import Ending, Example, Remark, Resolution, SeatId, Verdict
from adjudicator.core.contract.ruleset import (
    About,
    Desk,
    Pictures,
    Rules,
    Ruleset,
    Secrecy,
    StandIn,
    Tables,
    Types,
    Words,
    Worth,
    at_random,
    by_its_own_name,
    ended,
    no_chapters,
    no_parts,
    no_reports,
    one_sheet,
    the_seat,
)
from adjudicator.core.contract.seen import Everybody, InFull, Mine, by_seat, instead, views
from adjudicator.core.contract.sheet import SheetWords
from adjudicator.core.secrets.dice import Dice, NamedDice
from adjudicator.core.text.codec import Flag, Whole, field_text, record
from adjudicator.mechanics.cards import BACK, Deck, face_down, new_deck
from adjudicator.mechanics.cards import draw as draw_from
from adjudicator.mechanics.standing import StandingParts

# position.py: everything true between two turns, and the house rules -----------------------------------------------

SEATS = ("Ash", "Birch", "Cedar")
DECK = tuple(f"card-{number:02d}" for number in range(1, 13))
LAST = 4


@record
class Settings:
    """House rules."""

    rounds: Annotated[Whole, Choice(ge=1, le=9), field_text("Rounds that are played (HZ-V-1).")] = LAST


@record
class Kept:
    """The part of a seat's sheets that applies until it sends another (HZ-P-3)."""

    reserve: tuple[str, ...] | None = None


@record
class Position:
    """Hands, deck, discards and reserves are hidden: the public sees how many cards there are (HZ-H-2, HZ-P-3, HZ-P-5)."""

    turn: Everybody[Whole]
    hands: Annotated[Mapping[SeatId, tuple[str, ...]], by_seat(face_down)]
    deck: Annotated[Deck, instead(partial(Deck.unseen, discards=True))]
    points: Everybody[Mapping[SeatId, Whole]]
    whispers: Mine[Mapping[SeatId, str]]
    standing: Mine[Mapping[SeatId, Kept]] = field(default_factory=dict)
    settings: InFull[Settings] = Settings()


def setup(settings: Settings, dice: Dice) -> Position:
    """Each seat is dealt three cards (HZ-H-1)."""
    deck, hands = new_deck(DECK, dice, "setup:deck"), {}
    for seat in SEATS:
        dealt = draw_from(deck, 3, dice, "secret:deck")
        hands[seat], deck = dealt.cards, dealt.deck
    points = dict.fromkeys(SEATS, 0)
    return Position(turn=1, hands=hands, deck=deck, points=points, whispers={}, settings=settings)


def faults(position: Position) -> Iterator[Remark]:
    """Faults of a position: seats and cards that the game does not have."""
    for key, seats in (("hands", position.hands), ("points", position.points)):
        if set(seats) != set(SEATS):
            yield Remark((key,), f"{key} are those of {', '.join(seats)}", f"name {', '.join(SEATS)}")
    for card in (card for cards in (*position.hands.values(), position.deck.cards) for card in cards):
        if card not in DECK:
            yield Remark(("hands",), f"{card!r:.40} is no card", f"cards are {DECK[0]} to {DECK[-1]}")


def when(view: Position) -> str:
    """`Round 2, cards`."""
    return f"Round {view.turn}, cards"


# orders.py, options.py: the contents of a sheet ---------------------------------------------------------------------


@record
class Sheet(SheetWords):
    """A card, and a word that nobody else reads."""

    play: Annotated[str | None, field_text(title="I play")] = None
    reserve: Annotated[
        tuple[str, ...] | None,
        field_text(
            "Cards to be played in this order where I say nothing of one. It stands until I send another (HZ-P-3).",
            title="My reserve",
        ),
    ] = None
    draw: Annotated[Flag, field_text(title="I ask to draw a card (HZ-P-4)")] = False
    whisper: Annotated[str, field_text(title="A word for myself (HZ-P-5)")] = ""


STANDING = StandingParts(Kept, [Sheet])


def check(view: Position, seat: SeatId, sheet: Sheet) -> tuple[Remark, ...]:
    """Faults of a sheet, as far as the view shows the seat's hand."""
    hand = view.hands[seat]
    if sheet.play is not None and BACK not in hand and sheet.play not in hand:
        return (Remark(("play",), f"{sheet.play!r:.40} is not in your hand (HZ-P-1)", "your hand: " + ", ".join(hand)),)
    return ()


def options(view: Position, seat: SeatId) -> Iterator[Sheet]:
    """One sheet for each card of the hand that the view shows, and one that asks to draw."""
    hand = [card for card in view.hands[seat] if card != BACK]
    yield from (Sheet(play=card) for card in hand)
    yield Sheet(draw=True)


# events.py: the facts that a turn can produce, each with the sentence that tells it, its rule, its weight and who hears it ----------


@fact("{seat} scored.", rule="HZ-P-2", weight=1, heard=EVERYBODY)
class Scored:
    """A seat scored. Everybody hears which seat, but nobody hears its card."""

    event: Literal["scored"] = "scored"
    seat: SeatId


@fact("{seat} drew {card}.", rule="HZ-P-4", weight=0, heard=ITS_SEAT)
class Drew:
    """A seat drew a card. Only that seat hears of it."""

    event: Literal["drew"] = "drew"
    seat: SeatId
    card: str


AnyEvent: TypeAlias = Scored | Drew
FACTS: Facts[AnyEvent] = Facts.of(AnyEvent)
Event = Annotated[AnyEvent, Choice(discriminator="event")]


# resolve.py: the turn, as a tuple of named steps ---------------------------------------------------------------------


@dataclass
class Work:
    """The turn while it is judged."""

    position: Position
    sheets: Mapping[SeatId, Sheet]
    dice: Dice
    hands: dict[SeatId, tuple[str, ...]]
    played: dict[SeatId, str] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    events: list[AnyEvent] = field(default_factory=list)


def keep_reserves(work: Work) -> None:
    """Keeps the reserves that sheets name, until others replace them (HZ-P-3)."""
    work.position = replace(work.position, standing=STANDING.after(work.position.standing, work.sheets))


def play_cards(work: Work) -> None:
    """Plays each seat's named card, or the first of its reserve (HZ-P-1, HZ-P-3), and discards it face down."""
    for seat in SEATS:
        sheet, hand = work.sheets.get(seat), work.hands[seat]
        named = sheet.play if sheet is not None else None
        reserve = STANDING.of(work.position.standing, seat).reserve or ()
        card = named if named is not None else next((card for card in reserve if card in hand), None)
        if card is None:
            continue
        holds = card in hand
        if holds:
            work.played[seat] = card
            work.hands[seat] = tuple(other for other in hand if other != card)
            work.position = replace(work.position, deck=work.position.deck.discard(card))
        reason = "not-in-hand" if not holds else "played" if named is not None else "from-reserve"
        rule = "HZ-P-3" if reason == "from-reserve" else "HZ-P-1"
        result = "succeeds" if holds else "illegal"
        work.verdicts.append(Verdict(seat=seat, order=f"Play {card}"[:60], result=result, reason=reason, rule=rule))


def score(work: Work) -> None:
    """The highest card scores; a tie is broken by a die (HZ-P-2)."""
    if work.played:
        best = max(work.played.values())
        winners = sorted(seat for seat, card in work.played.items() if card == best)
        winner = winners[work.dice.roll(f"open:tie:{work.position.turn}", len(winners)) - 1]
        points = {**work.position.points, winner: work.position.points[winner] + 1}
        work.position = replace(work.position, points=points)
        work.events.append(Scored(seat=winner))


def draw_a_card(work: Work) -> None:
    """One seat draws the top card, by a die that nobody sees; the discards are shuffled if need be (HZ-P-4)."""
    askers = tuple(seat for seat in SEATS if seat in work.sheets and work.sheets[seat].draw) or SEATS
    if work.position.deck.cards:
        lucky = askers[work.dice.roll(f"secret:draw:{work.position.turn}", len(askers)) - 1]
        drawn = draw_from(work.position.deck, 1, work.dice, "secret:deck")
        work.hands[lucky] = (*work.hands[lucky], *drawn.cards)
        work.events += [Drew(seat=lucky, card=card) for card in drawn.cards]
        work.position = replace(work.position, deck=drawn.deck)


TURN = (keep_reserves, play_cards, score, draw_a_card)


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Resolve a turn; the last one ends the game (HZ-V-1)."""
    work = Work(position, sheets, dice, dict(position.hands))
    for step in TURN:
        step(work)
    whispers = {seat: sheet.whisper for seat, sheet in sorted(sheets.items()) if sheet.whisper}
    after = replace(work.position, turn=position.turn + 1, hands=work.hands, whispers=whispers)
    ending = None
    if position.turn == position.settings.rounds:
        most = max(after.points.values())
        winners = tuple(seat for seat in SEATS if most and after.points[seat] == most)
        ending = Ending(how="points", winners=winners, when=when(position), rule="HZ-V-1")
    return Resolution(after, tuple(work.verdicts), tuple(work.events), ending)


# prose.py: a sentence for every verdict and every fact --------------------------------------------------------------

REASONS = {
    "played": "was played",
    "from-reserve": "was played, out of the reserve",
    "not-in-hand": "was not in the hand",
}


def tell(view: Position, fact: Verdict | AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    if isinstance(fact, Verdict):
        return f"{fact.order.removeprefix('Play ')} {REASONS[fact.reason]}."
    return FACTS.tell(view, fact)


# secrecy.py: who hears what ------------------------------------------------------------------------------------------


seen_by = views(Position)
"""The position as a seat sees it, derived from its fields: its hand, reserve and whisper, and only backs of other cards."""


def heard_by(fact: Verdict | AnyEvent, seat: SeatId | None) -> Verdict | AnyEvent | None:
    """A verdict only for its seat, and a fact for the hearers that its record names."""
    if isinstance(fact, Verdict):
        return fact if fact.seat == seat else None
    return FACTS.heard(fact, seat)


def brief(view: Position, seat: SeatId) -> tuple[str, ...]:
    """The seat's name and hand, in a sentence."""
    return (f"You are {seat}. You hold {', '.join(view.hands[seat]) or 'no card'}.",)


# picture.py, standings.py --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableScene:
    """Cards on a table: a custom scene for a custom painter."""

    title: str
    description: str
    lines: tuple[str, ...]
    sides: Mapping[SeatId, Side]
    names: Mapping[str, str] = field(default_factory=dict)
    legend: str = "Each line is a seat with its points and its hand."

    def uncounted(self) -> Self:
        """This scene, since it counts nothing."""
        return self

    def to_click(self) -> Self:
        """This scene, since nothing in it can be clicked."""
        return self


def draw(view: Position, done: Resolution[Position, AnyEvent] | None) -> TableScene:
    """Each seat's points and cards, as far as the view shows them."""
    lines = tuple(
        f"{seat}, {view.points[seat]} points: {' '.join(hand) or 'no card'}" for seat, hand in view.hands.items()
    )
    sides = {seat: Side(slot, seat, seat[0]) for slot, seat in enumerate(SEATS, 1)}
    return TableScene(title=when(view), description=". ".join(lines), lines=lines, sides=sides)


def paint(scene: TableScene) -> str:
    """The scene as SVG. Players' texts would have to be escaped; this scene has none."""
    rows = "".join(
        f'<text x="20" y="{50 + 40 * row}" font-size="24">{line}</text>' for row, line in enumerate(scene.lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {60 + 40 * len(scene.lines)}" role="img">'
        f"<title>{scene.title}</title><desc>{scene.description}</desc>{rows}</svg>\n"
    )


def tally(view: Position) -> tuple[Table, ...]:
    """Points by seat."""
    return (Table("Points", ("Seat", "Points"), tuple(view.points.items())),)


def chart(views: Iterable[Position]) -> tuple[Chart, ...]:
    """Points over the rounds."""
    rounds = list(views)
    labels = tuple(str(view.turn) for view in rounds)
    return (Chart("Points", "points", labels, {seat: tuple(view.points[seat] for view in rounds) for seat in SEATS}),)


# examples.py: the rulebook's worked examples -------------------------------------------------------------------------


@record
class Case:
    """A round: hands, reserves and sheets, with the results."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    hands: Mapping[SeatId, tuple[str, ...]]
    reserves: Mapping[SeatId, tuple[str, ...]] = field(default_factory=dict)
    sheets: Mapping[SeatId, Mapping[str, str]]
    verdicts: tuple[Verdict, ...]
    points: Mapping[SeatId, Whole]


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """Play a case. Returns its first position and the resolution."""
    standing = {seat: Kept(reserve=cards) for seat, cards in case.reserves.items()}
    points = dict.fromkeys(SEATS, 0)
    position = Position(turn=1, hands=case.hands, deck=Deck(), points=points, whispers={}, standing=standing)
    sheets = cases.sheets_in(case.id, case.sheets, partial(one_sheet(Sheet), position))
    return position, resolve(position, sheets, NamedDice(b"case"))


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Every case, played."""
    return cases.play_cases(cases.case_files(Path(__file__).parent / "cases", Case), play)


LENGTHS = Lengths(sheet=1024, dispatch=2048, secret=2048)
"""As measured by `courtly rehearse hazard --lengths`, with a margin."""

RULESET: Ruleset[Position, Sheet, AnyEvent] = Ruleset(
    about=About(
        slug="hazard",
        title="Hazard",
        designer="nobody in particular",
        players="3",
        summary="Hidden hands: the highest card scores.",
        licence="Free for everybody.",
        prefix="HZ",
        luck=True,
    ),
    folder=Path(__file__).parent,
    types=Types(
        position=Position,
        event=Event,
        settings=Settings,
        verdict=Verdict,
        sheets={"sheet": Sheet},
        sheet=one_sheet(Sheet),
    ),
    rules=Rules(
        seats=lambda settings: SEATS,
        setup=setup,
        due=lambda view: frozenset(SEATS),
        when=when,
        kind=lambda view: "cards",
        kinds=("cards",),
        check=check,
        options=options,
        resolve=resolve,
        faults=faults,
    ),
    words=Words(
        tell=tell,
        ended=ended,
        quiet="Nobody scored.",
        weight=FACTS.weight,
        plain=1,
        joints=FACTS.joints,
        called=by_its_own_name,
        part=no_parts,
    ),
    pictures=Pictures(draw=draw, paint=paint),
    tables=Tables(tally=tally, chart=chart, reports=no_reports, chapters=no_chapters),
    cards=None,
    secrecy=Secrecy(
        seen_by=seen_by,
        heard_by=heard_by,
        public_roll=lambda name: name.startswith("open:"),
        brief=brief,
        lengths=lambda settings: LENGTHS,
    ),
    desk=Desk(
        spelling=None,
        lines=None,
        canonical=None,
        cautions=None,
        unasked=None,
        plans=None,
        stands=None,
        prices=None,
        meanings=None,
        walks=None,
        beside=None,
    ),
    stand_in=StandIn(mind=Worth(at_random), party=the_seat),
    host_files=None,
    decisions=None,
    exchange=None,
    examples=examples,
)
