"""A Major's orders for units and heirs, its bids, and how their lines are read.

Lines for units are read as in standard Diplomacy. A line about an heir, a bid, or a waiver for a Vassal is read here:

    heir   = ["Heir"] power ("Marry" | "marries" | "weds" | "M") (minor | "Heir" power "at" centre)
    bid    = number ["DP"] ["to" | ":"] unit (order | ("Marry" | ...) "Heir" power)
    build  = "Build" "Heir" [centre]
    waive  = "Waive" [Vassal]
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypeAlias, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract.ahead import AheadWords
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import SeatName
from adjudicator.core.text.codec import Flag, field_text, record
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import (
    BUILDS,
    LIMIT,
    WAIVES,
    AnyOrder,
    Build,
    Disband,
    Fault,
    Notation,
    Reader,
    Waive,
)
from adjudicator.mechanics.notation import spoken_words as spoken
from adjudicator.mechanics.provinces import Board, Unit
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.position import Position

MOST_NAMES = 12
MOST_READ = 20_000
"""Most readings of lines that are cached."""


@record
class Sheet(AheadWords):
    """A Major's sheet for one turn."""

    orders: Annotated[
        tuple[str, ...],
        Choice(max_length=100),
        field_text("For my own units and my heir; in retreats and winter, for my Vassals’ units too."),
    ] = ()
    bids: Annotated[
        tuple[str, ...],
        Choice(max_length=100),
        field_text("Such as `2 DP to F Permyak H`; bids are paid in the order listed (S9-D-14).", title="Bids"),
    ] = ()
    draw: Annotated[
        Flag | None,
        field_text("A vote counts until I take it back with `draw: false` (S9-K-5).", title="I vote for a draw"),
    ] = None
    concede: Annotated[
        SeatName | None,
        field_text(
            "The game ends if all other Majors concede it to the same Major (S9-K-10).", title="I concede the game to"
        ),
    ] = None
    retreats: diplomacy.RetreatsAhead = ()
    winter: diplomacy.WinterAhead = ()
    name: Annotated[
        Mapping[str, str],
        Choice(max_length=MOST_NAMES),
        field_text("Both its controllers must write the same name, before its first spring is over (S9-V-34).", title="Names for young Vassals"),
    ] = field(default_factory=dict)  # fmt: skip


# Meanings of lines --------------------------------------------------------------------------------------------------


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
    """A Vassal's build is to be left unused."""

    vassal: SeatId


@dataclass(frozen=True, slots=True)
class Marry:
    """A Minor is to marry an heir: something that Majors can bid for."""

    unit: Named
    heir: SeatId


@dataclass(frozen=True, slots=True)
class Offer:
    """A bid of DP for a unit to carry out an order or to marry."""

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
"""Most DP that a line may name. A purse has three at most."""


MY_HEIR = re.compile(
    r"\b(?:my|our)\s+(?:unmarried\s+)?heir\b|^(?:the\s+)?(?:heir|h)(?=\s+(?:marr|wed|m\b))", re.IGNORECASE
)
"""Words for an heir that name no Major. They mean the heir of the sheet's Major."""
MARRIAGES: tuple[tuple[str, str], ...] = (
    (r"^at\s+([\w .'-]+?)\s*:\s*(.+)$", r"\2 at \1"),
    (r"^(?:the\s+)?(?:h|heir)\s+of\s+", "Heir "),
    (r"^(?:h|heir)\s+(?=\w+\s+(?:m|marr|wed))", "Heir "),
    (r"^(?!(?:build|built|new|the|my|an?)\b)([^\W\d_]+?)(?:'s|’s|s')?\s+heir\b(?!\s+of)", r"Heir \1"),
    (r"^heir\s+(\w+)\s+and\s+(?:the\s+)?heir\s+(?:of\s+)?(\w+)\s+(?:marry|wed)", r"Heir \1 Marry Heir \2"),
    (r"\b(?:to|will|shall)\s+(?=marry|wed)|\bthe\s+minor\s+(?:of\s+)?", ""),
    (r"\bmarrying\b", "Marry"),
    (
        r"(\bmarry\b|\bmarries\b|\bweds?\b)\s*(.*?)\s*(?:@|,|\()\s*(?:at\s+|in\s+)?([^\W\d_][\w .'-]*?)\)?$",
        r"\1 \2 at \3",
    ),
    (r"\b(at|in)\s+[af]\s+(?=\w)", r"\1 "),
    (r"!+$", ""),
)
"""Patterns in how people write about heirs, and their replacements."""
BIDS: tuple[tuple[str, str], ...] = (
    (r"^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)", ""),
    (r"^(?:i\s+)?(?:bid|allocate|spend|pay|put)\s+", ""),
    *((rf"^{word}(?=\s+dp)", str(number)) for number, word in enumerate(("one", "two", "three"), 1)),
    (r"^dp:?\s*(\d+)\s*", r"\1 DP to "),
    (r"^(.*\D)\s*[:(,-]?\s*\(?(\d+)\s*(?:dps?|d\.p\.|points?)\)?$", r"\2 DP to \1"),
    (r"^(\D.*?)\s*:\s*(\d+)$", r"\2 DP to \1"),
    (r"^(\d+)\s*(?:x|dps?|d\.p\.|points?)\s*(?:(?:for|on|to|at)\b|:)?\s*", r"\1 DP to "),
    (r"(?<=to )(?:my\s+|the\s+)?(?:thrall|minor|vassal|unit)\s+(?:of\s+|in\s+)?", ""),
    (r"(?<=to )(?:my|the|their)\s+", ""),
    (r"\bsorties?\s+(?:to\s+|into\s+|against\s+|on\s+)?", "- "),
    (r":\s*", " "),
)
"""Patterns in how people write bids, and their replacements."""


@functools.cache
def _around(bid: bool) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(found, re.IGNORECASE), put) for found, put in (BIDS if bid else MARRIAGES))


def capital_name_on(board: Board, major: SeatId) -> str:
    """The name of a Major's Capital on a board (S9-A-7)."""
    units = board.powers[major].units
    return board.provinces[board.unit(units[0]).province].name if units else major


class Speech:
    """The vocabulary of one board and its Vassals. It caches the lines it has read."""

    def __init__(self, notation: Notation, vassals: tuple[SeatId, ...]) -> None:
        self.notation = notation
        self.board = notation.board
        self.powers: dict[tuple[str, ...], SeatId] = {spoken(power): power for power in self.board.powers}
        self.initials = {power[0].casefold(): power for power in self.board.powers}
        self.vassals = {spoken(name): name for name in vassals}
        self._said: dict[tuple[str, SeatId], Said | Fault] = {}
        self._offers: dict[tuple[str, SeatId], Offer | Fault] = {}
        majors_ = "|".join(map(re.escape, self.board.powers))
        capitals = {capital_name_on(self.board, major): major for major in self.board.powers}
        homes = "|".join(map(re.escape, capitals))
        ruled = "|".join(map(re.escape, vassals)) or "(?!)"
        self._names: tuple[tuple[re.Pattern[str], str], ...] = tuple(
            (re.compile(found, re.IGNORECASE), put)
            for found, put in (
                (rf"^({ruled}):?\s+waives?$", r"Waive \1"),
                (rf"^(?:{ruled}):?\s+|\s+for\s+(?:{ruled})$|(?<=\bto )(?:{ruled}):?\s+|(?<=\bDP )(?:{ruled}):?\s+", ""),
                (rf"^((?:disband|build)\s+)(?:{ruled})\s+", r"\1"),
                (
                    rf"^(?:build|built|new)\s+(?:an?\s+)?(?:new\s+)?(?:heir|h)(?:\s+(?:for\s+|of\s+)?(?:{majors_}))?$",
                    "Build Heir",
                ),
                (rf"^heir(?:\s+(?:of\s+)?(?:{majors_}))?\s+builds?$", "Build Heir"),
                (
                    rf"^(?:build|built|new)\s+(?:an?\s+)?(?:new\s+)?(?:heir|h)\s+(?:at\s+|in\s+)?(?:{homes})$",
                    "Build Heir",
                ),
                *(
                    (rf"\bheir\s+(?:in\s+|of\s+)?{re.escape(place)}\b", f"Heir {major}")
                    for place, major in capitals.items()
                ),
            )
        )

    def read(self, text: str, major: SeatId = "") -> Said | Fault:
        """The meaning of a line of orders, or the fault in it. `my heir` is the heir of `major`."""
        key = (text, major)
        if key not in self._said:
            _make_room(self._said)
            said: Said | Fault = self._line(text)
            if isinstance(said, Fault) and (plain := self._by_words(text, major, bid=False)) != text:
                again = self._line(plain)
                said = said if isinstance(again, Fault) else again
            self._said[key] = said
        return self._said[key]

    def read_bid(self, text: str, major: SeatId = "") -> Offer | Fault:
        """The offer in a bid, or the fault in it. `my heir` is the heir of `major`."""
        key = (text, major)
        if key not in self._offers:
            _make_room(self._offers)
            offer = self._offer(text)
            if isinstance(offer, Fault) and (plain := self._by_words(text, major, bid=True)) != text:
                again = self._offer(plain)
                offer = offer if isinstance(again, Fault) else again
            self._offers[key] = offer
        return self._offers[key]

    def _line(self, text: str) -> Said | Fault:
        reader = SagaReader(self, text)
        return reader.read(reader.line, self._plain)

    def _offer(self, text: str) -> Offer | Fault:
        reader = SagaReader(self, text)
        return reader.read(reader.offer, self._plain_bid)

    def _by_words(self, text: str, major: SeatId, *, bid: bool) -> str:
        """An unreadable line without the filler around its words, and with each word in its canonical form."""
        if len(text) > LIMIT:
            return text
        for found, put in (*_around(bid), *self._names):
            text = found.sub(put, text)
        if major:
            text = MY_HEIR.sub(f"Heir {major}", text)
        plain = self.notation.plain(text)
        return plain if bid or not plain.startswith("-") else text

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
        """A wish in canonical form, with the kinds of all units (S9-D-8)."""
        if isinstance(wish, Marry):
            return f"{self.notation.named(wish.unit, units)} Marry Heir {wish.heir}"
        return self.notation.write(wish, units)

    def write_bid(self, offer: Offer, units: Mapping[str, Unit]) -> str:
        """A bid in canonical form."""
        return f"{offer.amount} DP to {self.write_wish(offer.wish, units)}"

    def same(self, wish: AnyOrder | Marry, units: Mapping[str, Unit]) -> AnyOrder | Marry:
        """The wish in the form that equal wishes share, however people write them (S9-D-8).

        Kinds are filled in, and an army that cannot walk is taken to go by convoy.
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


def _make_room(read: dict[tuple[str, SeatId], Any]) -> None:
    """Empties the cache when it holds too many lines."""
    if len(read) > MOST_READ:
        read.clear()


@functools.lru_cache(maxsize=64)
def _speech(notation: Notation, vassals: tuple[SeatId, ...]) -> Speech:
    return Speech(notation, vassals)


def speech_of(position: Position) -> Speech:
    """The vocabulary of a position's board and Vassals."""
    return _speech(position.ground.notation, tuple(position.vassals))


class SagaReader(Reader):
    """Reads lines about units, heirs and DP."""

    def __init__(self, speech: Speech, text: str) -> None:
        super().__init__(speech.notation, text)
        self.speech = speech

    def line(self) -> Said:
        """Reads a line of orders; raises `Unreadable`."""
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
        """The word after the current one; empty at the end."""
        return self.words[self.at + 1] if self.at + 1 < len(self.words) else ""

    def power(self, *, initial: bool = False) -> SeatId | None:
        """Reads the Major named at this word; None if there is none. With `initial`, the first letter of the name is enough."""
        for words, name in self.speech.powers.items():
            if tuple(self.words[self.at : self.at + len(words)]) == words:
                self.at += len(words)
                return name
        named = self.speech.initials.get(self.word) if initial else None
        if named is not None:
            self.at += 1
        return named

    def needed_power(self) -> SeatId:
        """Reads the name of a Major, which must come next; raises `Unreadable`."""
        start = self.at
        named = self.power(initial=True)
        if named is None:
            given = self.tokens[start][0] if start < len(self.tokens) else ""
            what = f"{given!r} where a Major should be" if given else "a Major is missing"
            majors_named = ", ".join(self.speech.board.powers)
            raise self.fail(start, what, nearest(given, self.speech.board.powers) or f"name one: {majors_named}")
        return named

    def place_at(self) -> str:
        """Reads a place, with or without `at` or `in` before it, and returns its code; raises `Unreadable`."""
        self.take(("at", "in"))
        return self.province()

    def heir(self) -> HeirOrder:
        """Reads an heir's order; raises `Unreadable`."""
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
            said = self.tokens[self.at][0] if self.at < len(self.tokens) else ""
            near = nearest(said, self.speech.board.powers) if said else ""
            right = near or "name one: " + ", ".join(self.speech.board.powers)
            raise self.fail(self.at, "no Major has such an heir", right)
        if other is not None:
            return MarryHeir(heir, other, self.place_at() if self.at < len(self.words) else "")
        self.at = start
        unit = self.unit()
        return MarryMinor(heir, unit.province, unit.kind)

    def offer(self) -> Offer:
        """Reads a bid; raises `Unreadable`."""
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
            raise self.fail(
                self.at, f"you bid {self.word[:20]} DP", "bid at least 1 DP, and no more than your purse holds"
            )
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
    """One line of a sheet: its index, its text, and its meaning or the fault in it."""

    index: int
    text: str
    said: Said | Fault


@dataclass(frozen=True, slots=True)
class BidLine:
    """One bid of a sheet: its index, its text, and its offer or the fault in it."""

    index: int
    text: str
    offer: Offer | Fault


def read_lines(speech: Speech, sheet: Sheet, major: SeatId = "") -> tuple[Line, ...]:
    """The lines under `orders` of a Major's sheet, with their meanings."""
    return tuple(Line(index, text, speech.read(text, major)) for index, text in enumerate(sheet.orders))


def read_bids(speech: Speech, sheet: Sheet, major: SeatId = "") -> tuple[BidLine, ...]:
    """The lines under `bids` of a Major's sheet, with their offers."""
    return tuple(BidLine(index, text, speech.read_bid(text, major)) for index, text in enumerate(sheet.bids))


def canonical_line(position: Position, line: str) -> str:
    """The canonical form of a line of orders or of a bid; an unreadable line is unchanged."""
    speech, units = speech_of(position), position.ground.names()
    said = speech.read(line)
    if not isinstance(said, Fault):
        return speech.write(said, units)
    offer = speech.read_bid(line)
    return line if isinstance(offer, Fault) else speech.write_bid(offer, units)


def is_of_units(said: Said | Fault) -> bool:
    """True if a line is an order for a unit."""
    return not isinstance(said, Fault | MarryMinor | MarryHeir | BuildHeir | WaiveFor)


def power_of_line(position: Position, major: SeatId, order: AnyOrder) -> SeatId:
    """The power that a Major's line gives an order to: the Major itself, or a Vassal that it controls (SR-32, SR-33).

    This depends on who owns the dislodged unit in retreats, and on who owns the unit or the place in winter.
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


Movement = diplomacy.Movement
