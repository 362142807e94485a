"""What a Major may ask for, and how its lines are read: orders of units and heirs, and bids.

Lines for units are read as in standard Diplomacy. A line about an heir, a bid, or a waiver for a Vassal is read here:

    heir   = ["Heir"] power ("Marry" | "marries" | "weds" | "M") (minor | "Heir" power "at" centre)
    bid    = number ["DP"] ["to" | ":"] unit (order | ("Marry" | ...) "Heir" power)
    build  = "Build" "Heir" [centre]
    waive  = "Waive" [Vassal]
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeAlias, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import SeatName, StandingWords
from adjudicator.core.text.codec import Flag, field_text, record
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import BUILDS, WAIVES, AnyOrder, Build, Disband, Fault, Notation, Reader, Waive
from adjudicator.mechanics.notation import spoken_words as spoken
from adjudicator.mechanics.provinces import Unit
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.position import Position, majors

MOST_NAMES = 12
MOST_READ = 20_000
"""Lines that are remembered as they were read."""


@record
class Sheet(StandingWords):
    """A Major's sheet for one turn."""

    orders: Annotated[
        tuple[str, ...],
        Choice(max_length=100),
        field_text("For units of my own and my heir; in retreats and winter also for my Vassals’ units."),
    ] = ()
    bids: Annotated[
        tuple[str, ...],
        Choice(max_length=100),
        field_text("Such as `2 DP to F Permyak H`, paid in this order (S9-D-14).", title="Bids"),
    ] = ()
    draw: Annotated[
        Flag | None,
        field_text("A vote stands until it is taken back with `draw: false` (S9-K-5).", title="I vote for a draw"),
    ] = None
    concede: Annotated[
        SeatName | None, field_text("It ends when all others do (S9-K-10).", title="I concede the game to")
    ] = None
    name: Annotated[
        Mapping[str, str],
        Choice(max_length=MOST_NAMES),
        field_text("Both who control it must say the same, before its first spring is over (S9-V-34).", title="Names for young Vassals"),
    ] = field(default_factory=dict)  # fmt: skip


# What lines mean ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MarryMinor:
    """An heir is to marry a Minor."""

    heir: SeatId
    centre: str
    """The code of the Minor's centre."""
    kind: str = ""
    """The kind of its unit, if the line names it."""


@dataclass(frozen=True, slots=True)
class MarryHeir:
    """Two heirs are to marry in a place."""

    heir: SeatId
    other: SeatId
    at: str
    """The code of the place; empty if the line names none."""


@dataclass(frozen=True, slots=True)
class BuildHeir:
    """A new heir is to come to the Capital."""

    at: str = ""
    """The code of a place, if the line names one."""


@dataclass(frozen=True, slots=True)
class WaiveFor:
    """A Vassal's build is not used."""

    vassal: SeatId


@dataclass(frozen=True, slots=True)
class Marry:
    """A Minor's unit is to marry an heir: what DP are bid for."""

    unit: Named
    heir: SeatId


@dataclass(frozen=True, slots=True)
class Offer:
    """So many DP for a unit to do that."""

    amount: int
    wish: AnyOrder | Marry

    @property
    def unit(self) -> Named:
        """The unit that is bid on."""
        assert not isinstance(self.wish, Waive)
        return self.wish.unit


HeirOrder: TypeAlias = MarryMinor | MarryHeir
Said: TypeAlias = AnyOrder | HeirOrder | BuildHeir | WaiveFor
MARRIES = frozenset({"marry", "marries", "weds", "wed"})
MOST = 999
"""DP that a line may name; a purse has three."""


class Speech:
    """The words of one board and of the Vassals on it; remembers the lines it has read."""

    def __init__(self, notation: Notation, vassals: tuple[SeatId, ...]) -> None:
        self.notation = notation
        self.board = notation.board
        self.powers: dict[tuple[str, ...], SeatId] = {spoken(power): power for power in self.board.powers}
        self.initials = {power[0].casefold(): power for power in self.board.powers}
        self.vassals = {spoken(name): name for name in vassals}
        self._said: dict[str, Said | Fault] = {}
        self._offers: dict[str, Offer | Fault] = {}

    def read(self, text: str) -> Said | Fault:
        """What a line of orders says, or why it cannot be read."""
        if text not in self._said:
            _make_room(self._said)
            reader = SagaReader(self, text)
            said = reader.read(reader.line, self._plain)
            self._said[text] = said
        return self._said[text]

    def read_bid(self, text: str) -> Offer | Fault:
        """What a bid offers, or why it cannot be read."""
        if text not in self._offers:
            _make_room(self._offers)
            reader = SagaReader(self, text)
            offer = reader.read(reader.offer, self._plain_bid)
            self._offers[text] = offer
        return self._offers[text]

    # Printing ---------------------------------------------------------------------------------------------------------

    def _plain(self, said: Said) -> str:
        return self.write(said, {})

    def _plain_bid(self, offer: Offer) -> str:
        return self.write_bid(offer, {})

    def write(self, said: Said, units: Mapping[str, Unit]) -> str:
        """A line of orders in canonical form; `units` fills in kinds that are left out."""
        names = self.board.provinces
        match said:
            case MarryMinor(heir, centre, kind):
                here = units.get(centre)
                wrong = f"{kind} " if kind and (here is None or here.kind != kind) else ""
                return f"Heir {heir} Marry {wrong}{names[centre].name}"
            case MarryHeir(heir, other, at):
                return f"Heir {heir} Marry Heir {other}" + (f" at {names[at].name}" if at else "")
            case BuildHeir(at):
                return "Build Heir" + (f" {names[at].name}" if at else "")
            case WaiveFor(vassal):
                return f"Waive {vassal}"
            case Hold() | Move() | SupportHold() | SupportMove() | Convoy() | Build() | Disband() | Waive():
                return self.notation.write(said, units)
            case _:
                assert_never(said)

    def write_wish(self, wish: AnyOrder | Marry, units: Mapping[str, Unit]) -> str:
        """What a unit is asked to do, in canonical form with the kinds of all units (S9-D-8)."""
        if isinstance(wish, Marry):
            return f"{self.notation.named(wish.unit, units)} Marry Heir {wish.heir}"
        return self.notation.write(wish, units)

    def write_bid(self, offer: Offer, units: Mapping[str, Unit]) -> str:
        """A bid in canonical form."""
        return f"{offer.amount} DP to {self.write_wish(offer.wish, units)}"

    def same(self, wish: AnyOrder | Marry, units: Mapping[str, Unit]) -> AnyOrder | Marry:
        """The wish as equal ones are written, however people write them (S9-D-8).

        Kinds are filled in, and an army that cannot walk goes by convoy without saying so.
        """

        def complete(named: Named) -> Named:
            here = units.get(named.province)
            return Named(named.kind or (here.kind if here else ""), named.province)

        match wish:
            case Move(unit, to):
                whole = complete(unit)
                walks = whole.kind == "F" or to in self.board.army_to[unit.province]
                via = whole.kind != "F" and (wish.via or not walks)
                return replace(wish, unit=whole, via=via)
            case SupportHold(unit, target) | SupportMove(unit, target) | Convoy(unit, target):
                return replace(wish, unit=complete(unit), target=complete(target))
            case Hold(unit) | Build(unit) | Disband(unit) | Marry(unit):
                return replace(wish, unit=complete(unit))
            case Waive():
                return wish
            case _:
                assert_never(wish)


def _make_room(read: dict[str, Any]) -> None:
    """Forgets the lines that were read when they are too many."""
    if len(read) > MOST_READ:
        read.clear()


@functools.lru_cache(maxsize=64)
def _speech(notation: Notation, vassals: tuple[SeatId, ...]) -> Speech:
    return Speech(notation, vassals)


def speech_of(position: Position) -> Speech:
    """The words of a position."""
    return _speech(position.ground.notation, tuple(position.vassals))


class SagaReader(Reader):
    """Reads lines about units, heirs and DP."""

    def __init__(self, speech: Speech, text: str) -> None:
        super().__init__(speech.notation, text)
        self.speech = speech

    def line(self) -> Said:
        """A line of orders; raises `Unreadable`."""
        if not self.words:
            return self.whole()
        self.skip_decorations()
        start = self.at
        if self.take(("heir",)) or (self.power() is not None and self.word in MARRIES | {"m"}):
            self.at = start
            return self.heir()
        self.at = start
        if self.word in BUILDS and self.next_word() == "heir":
            self.at += 2
            return BuildHeir("" if self.at >= len(self.words) else self.place_at())
        if self.take(WAIVES):
            for words, name in self.speech.vassals.items():
                if tuple(self.words[self.at : self.at + len(words)]) == words:
                    self.at += len(words)
                    return WaiveFor(name)
            self.at = start
        return self.whole()

    def next_word(self) -> str:
        """The word after the next one; empty at the end."""
        return self.words[self.at + 1] if self.at + 1 < len(self.words) else ""

    def power(self, *, initial: bool = False) -> SeatId | None:
        """The Major named here, whom the reader then has gone past; by its first letter too if that may be."""
        for words, name in self.speech.powers.items():
            if tuple(self.words[self.at : self.at + len(words)]) == words:
                self.at += len(words)
                return name
        named = self.speech.initials.get(self.word) if initial else None
        if named is not None:
            self.at += 1
        return named

    def needed_power(self) -> SeatId:
        """The Major named here; raises `Unreadable`."""
        start = self.at
        named = self.power(initial=True)
        if named is None:
            given = self.tokens[start][0] if start < len(self.tokens) else ""
            what = f"{given!r} where a Major should be" if given else "a Major is missing"
            majors_named = ", ".join(self.speech.board.powers)
            raise self.fail(start, what, nearest(given, self.speech.board.powers) or f"name one: {majors_named}")
        return named

    def place_at(self) -> str:
        """The code of a place, with or without `at` or `in` before it; raises `Unreadable`."""
        self.take(("at", "in"))
        return self.province()

    def heir(self) -> HeirOrder:
        """An heir's order; raises `Unreadable`."""
        self.take(("heir",))
        heir = self.needed_power()
        if not self.take(MARRIES | {"m"}):
            raise self.fail(self.at, f"no order after the heir of {heir}", "write `Marry` and whom")
        self.take(("the",))
        start = self.at
        named = self.take(("heir",))
        if named:
            self.take(("of",))
        other = self.power(initial=named)
        if other is None and named:
            raise self.fail(self.at, "no Major has such an heir", "name one: " + ", ".join(self.speech.board.powers))
        if other is not None:
            return MarryHeir(heir, other, self.place_at() if self.at < len(self.words) else "")
        self.at = start
        unit = self.unit()
        return MarryMinor(heir, unit.province, unit.kind)

    def offer(self) -> Offer:
        """A bid; raises `Unreadable`."""
        right = "write it like 2 DP to F Permyak H"
        while self.words and self.words[-1] in (";", "", ","):
            self.words.pop()
            self.tokens.pop()
        if not self.word.isdecimal() or not self.word.isascii():
            given = self.tokens[self.at][0] if self.tokens else ""
            what = f"{given!r} where a number of DP should be" if given else "an empty bid"
            raise self.fail(self.at, what, right)
        digits = self.word.lstrip("0")
        if not digits or len(digits) > len(str(MOST)):
            raise self.fail(self.at, f"a bid of {self.word[:20]} DP", "bid 1 DP or more, as far as your purse goes")
        self.at += 1
        self.take(("dp",))
        self.take(("to", ":"))
        start = self.at
        unit = self.unit()
        if self.word in MARRIES or (self.word == "m" and self.next_word() == "heir"):
            self.at += 1
            self.take(("the",))
            if self.take(("heir",)):
                self.take(("of",))
            return Offer(int(digits), Marry(unit, self.needed_power()))
        return Offer(int(digits), self.told(start, unit))


# Sheets -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a sheet: where it stands, as it was written, and what it says or why it cannot be read."""

    index: int
    text: str
    said: Said | Fault


@dataclass(frozen=True, slots=True)
class BidLine:
    """One bid of a sheet: where it stands, as it was written, and what it offers or why it cannot be read."""

    index: int
    text: str
    offer: Offer | Fault


def read_lines(speech: Speech, sheet: Sheet) -> tuple[Line, ...]:
    """The lines under `orders`."""
    return tuple(Line(index, text, speech.read(text)) for index, text in enumerate(sheet.orders))


def read_bids(speech: Speech, sheet: Sheet) -> tuple[BidLine, ...]:
    """The lines under `bids`."""
    return tuple(BidLine(index, text, speech.read_bid(text)) for index, text in enumerate(sheet.bids))


def canonical_line(position: Position, line: str) -> str:
    """The canonical form of a line of orders or of a bid; an unreadable one unchanged."""
    speech, units = speech_of(position), position.ground.names()
    said = speech.read(line)
    if not isinstance(said, Fault):
        return speech.write(said, units)
    offer = speech.read_bid(line)
    return line if isinstance(offer, Fault) else speech.write_bid(offer, units)


def is_of_units(said: Said | Fault) -> bool:
    """Whether a line is an order of a unit."""
    return not isinstance(said, Fault | MarryMinor | MarryHeir | BuildHeir | WaiveFor)


def power_of_line(position: Position, major: SeatId, order: AnyOrder) -> SeatId:
    """The power that a Major's line for a unit is for: itself, or a Vassal that it controls (SR-32, SR-33).

    In retreats that is whose dislodged unit is named, in winter who owns the unit or the place.
    """
    ground = position.ground
    if isinstance(order, Waive):
        return major
    province = order.unit.province
    whose: SeatId | None
    lost, here = ground.dislodged.get(province), ground.units.get(province)
    if lost is not None:
        whose = lost[0]
    elif isinstance(order, Build):
        whose = ground.owners.get(province)
    else:
        whose = here[0] if here is not None else None
    vassal = position.vassals.get(whose) if whose is not None else None
    return whose if whose is not None and vassal is not None and major in vassal.controllers else major


def named_majors(position: Position, names: Iterable[str]) -> tuple[SeatId, ...]:
    """Those of these names that are Majors, in the order of the board."""
    return tuple(major for major in majors(position.settings) if major in {*names})


Movement = diplomacy.Movement
