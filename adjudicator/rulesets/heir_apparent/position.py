"""A position of Heir Apparent: Princes, characters in play, favor, hands, decks, and the Event that is being fought over.

Hands, the order of decks, the Events left out, and the lasting parts of sheets are hidden (HA-W-15).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.ruleset import Keep
from adjudicator.core.contract.seen import BySeat, Everybody, InFull, Mine, instead, only, views
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import UNWRITTEN, Flag, Whole, extend_record, field_text, record
from adjudicator.core.text.problems import among, problem
from adjudicator.mechanics.cards import Deck, face_down, misplaced
from adjudicator.rulesets.heir_apparent.cardset import SETS, cards_named, load_cards, shipped_sets
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.selectors import Keyword
from adjudicator.rulesets.heir_apparent.steps import Skill
from adjudicator.rulesets.heir_apparent.titles import CardSet

SEATS: tuple[SeatId, ...] = ("First", "Second", "Third", "Fourth", "Fifth")
"""The chairs. Princes are dealt to them (HA-C-6)."""
MOST_CHARACTERS = 5
"""Most characters that a player holds besides the Prince (HA-M-8)."""
HAND_LIMIT = 5
"""Most Action cards that a player keeps in the Discard phase (HA-L-1)."""
ROUNDS = 5
"""Rounds of the auction (HA-D-1)."""
REOPENINGS = 2
"""Reopen tokens that each player begins with (HA-W-10)."""
SUPPORT, OPPOSE = "support", "oppose"
"""The pools of a Challenge (HA-K-1). Those of a Contest have the names of the Princes (HA-J-1)."""


class Phase(StrEnum):
    """The kinds of turn (HA-W-1): the rounds of the auction, then a main window and an Event window in each turn of the game.

    There are also windows for a choice when an Event is revealed (HA-W-3), after a run is stopped (HA-W-21), and after an Event is
    reopened (HA-W-11).
    """

    AUCTION = "auction"
    MAIN = "main"
    CHOICE = "choice"
    EVENT = "event"
    STOPPED = "stopped"
    REOPENED = "reopened"


@record
class Settings:
    """House rules."""

    players: Annotated[
        Annotated[Whole, Choice(ge=3, le=5)], field_text("How many play: 3, 4 or 5 (HA-A-4).", title="Players")
    ] = 4
    cards: Annotated[
        str,
        field_text(
            "The card set: `avermark`, or the host's own file beside game.yaml, such as `harbour.yaml` (HA-A-2).",
            title="Card set",
        ),
    ] = "avermark"
    draws: Annotated[
        Literal["active", "all"],
        field_text(
            "Who draws at the beginning of a turn: only the active player, or the others as well, one card each (HA-F-19).",
            title="Who draws",
        ),
    ] = "active"
    choice: Annotated[
        Literal["window", "sheet"],
        field_text(
            "Where the active player makes an Event's choice: in a separate window before anybody plans, or on the Event's sheet, which saves windows (HA-W-3).",
            title="Choice on reveal",
        ),
    ] = "window"
    unturn: Annotated[
        Literal["after", "either"],
        field_text(
            "When the active player unturns: after the Event, or before it instead if they write `unturn` among their actions (HA-L-11).",
            title="When players unturn",
        ),
    ] = "after"
    digest: Annotated[
        str | None,
        field_text("The SHA-256 of the host's own card set, if there is one; the program writes it into positions."),
    ] = None

    @property
    def set(self) -> CardSet:
        """The card set itself."""
        return cards_named(self.cards)

    @property
    def seats(self) -> tuple[SeatId, ...]:
        """The chairs that are taken."""
        return SEATS[: self.players]


@record
class OwnCards(Settings):
    """House rules with the card set from the host's own file."""

    own: CardSet = field(metadata=UNWRITTEN)

    @property
    def set(self) -> CardSet:
        """The card set itself."""
        return self.own


def furnish(settings: Settings, beside: Callable[[str], tuple[bytes, str]], keep: Keep) -> Settings:
    """Read the card set that house rules name, and add it to them; raises `Problems` if it is missing or faulty, or its digest differs."""
    if not settings.cards.endswith(".yaml"):
        file = SETS / f"{settings.cards}.yaml" if settings.cards in shipped_sets() else None
        today = read_own(file) if file is not None else None
        kept = keep(f"{settings.cards}.yaml", today)
        if kept is None or kept == today:
            cards_named(settings.cards)
        if settings.digest is not None:
            raise problem(
                "", f"digest: {settings.cards} is not a file of your own, so it has no digest", "leave it out"
            )
        if kept is None or kept == today:
            return settings
        return extend_record(settings, OwnCards, own=load_cards(kept, f"kept/{settings.cards}.yaml"))
    source, path = beside(settings.cards)
    digest = hashlib.sha256(source).hexdigest()
    if settings.digest not in {None, digest}:
        raise problem(
            "",
            f"{settings.cards} does not have the digest that is written here",
            "restore the file, or remove the digest",
        )
    return extend_record(settings, OwnCards, digest=digest, own=load_cards(source, path))


@record
class Player:
    """A player: their Prince, favor and hand."""

    prince: Everybody[str]
    favor: Everybody[Whole]
    reopenings: Everybody[Whole] = REOPENINGS
    """Reopen tokens left."""
    hand: Annotated[tuple[str, ...], only("owner", instead=face_down)] = ()
    """Action cards, the latest drawn last."""


@record
class Courtier:
    """A character in play, or a Prince."""

    by: Everybody[SeatId]
    """The seat that controls it."""
    turned: Everybody[Flag] = False
    tucked: Everybody[tuple[str, ...]] = ()
    """Equipment and Events under it, in order of arrival."""
    home: Everybody[SeatId | None] = None
    """The seat that it goes back to at the end of the turn, if it is borrowed (HR-85)."""


@record
class Change:
    """A change that a card makes to a character until the Event closes or the turn ends."""

    of: Everybody[str]
    skill: Everybody[Skill | None] = None
    n: Everybody[int] = 0
    keyword: Everybody[Keyword | None] = None
    mode: Everybody[Literal["add", "remove"]] = "add"
    until: Everybody[Literal["event", "turn"]]


@record
class Lot:
    """Tokens in a pool: their number, their giver, and the character they come from, if any (HA-I-13, HR-3)."""

    pool: Everybody[str]
    amount: Everybody[Whole]
    seat: Everybody[SeatId]
    source: Everybody[str | None] = None


@record
class Brawl:
    """A melee that was stopped, as it was at the chance where that happened (HA-W-21)."""

    attacker: Everybody[str]
    defender: Everybody[str]
    lots: Everybody[tuple[Lot, ...]] = ()
    """The tokens of those who assist."""
    acts: Everybody[Mapping[SeatId, Whole]] = field(default_factory=dict)
    card: Everybody[str | None] = None
    """The title of the card that started it, if one did."""
    spell: Everybody[Flag] = False


@record
class Underway:
    """An Event or Actions phase that was stopped or reopened, as it was then (HA-W-10, HA-W-21)."""

    lots: Everybody[tuple[Lot, ...]] = ()
    joined: Everybody[tuple[str, ...]] = ()
    """Characters turned into the Event (HA-I-9)."""
    inside: Everybody[tuple[SeatId, ...]] = ()
    """Players who have participated (HA-J-4, HA-J-6)."""
    free: Everybody[tuple[SeatId, ...]] = ()
    """Players whose Prince has given the 2 free tokens (HA-I-6)."""
    acts: Everybody[Mapping[SeatId, Whole]] = field(default_factory=dict)
    """Acts that each player has made in the Event."""
    next: Everybody[SeatId]
    """The seat with the first chance."""
    asked: Everybody[SeatId | None] = None
    """The seat that stopped the run; None if the Event was reopened."""
    last: Everybody[SeatId | None] = None
    """The seat that acted last before the phase was stopped."""
    passes: Everybody[Whole] = 0
    """Successive passes just before the phase was stopped."""
    act: Everybody[Whole] = 0
    """The number of the last act."""
    stops: Everybody[Whole] = 0
    """How often the phase has been stopped since it began or was reopened."""
    again: Everybody[Flag] = False
    """True if the Event was reopened before (HA-W-11)."""
    brawl: Everybody[Brawl | None] = None
    """The melee that was stopped in it."""


@record
class Kept:
    """A player's lists that apply until they send others (HA-W-8)."""

    melee: tuple[str, ...] | None = None
    reactions: tuple[str, ...] | None = None
    counters: tuple[str, ...] | None = None
    discard: tuple[str, ...] | None = None
    release: tuple[str, ...] | None = None


@record
class Filed:
    """Parts of a player's sheet in a window that goes on in another. They apply unless the player sends them again (HR-5, HA-W-22)."""

    actions: tuple[str, ...] | None = None
    event: tuple[str, ...] | None = None
    done: tuple[Whole, ...] = ()
    """Lines of `actions` or `event` that have been carried out, by number from 0."""
    fought: tuple[Whole, ...] = ()
    """Lines of `melee` that have been carried out in the melee that was stopped."""
    reopen: tuple[str, ...] | None = None
    draw: tuple[str, ...] | None = None
    keep: tuple[str, ...] | None = None
    unturn: Literal["all", "none"] | tuple[str, ...] | None = None
    end: Flag = False


@record
class Position:
    """The state between two turns."""

    phase: Everybody[Phase]
    turn: Everybody[Whole] = 0
    """The number of the turn; 0 during the auction."""
    round: Everybody[Whole] = 0
    """The round of the auction; 0 afterwards."""
    right: Everybody[SeatId | None] = None
    """The seat with the Right of First Bid (HA-D-2, HA-D-16)."""
    active: Everybody[SeatId | None] = None
    """The seat whose turn it is."""
    ring: Everybody[tuple[SeatId, ...]]
    """The seats, clockwise, which is in the order of popularity, highest first (HA-C-7)."""
    players: BySeat[Mapping[SeatId, Player]]
    court: Everybody[Mapping[str, Courtier]]
    """Characters in play, Princes among them."""
    row: Everybody[tuple[str, ...]] = ()
    """Characters to choose from in the auction."""
    characters: Annotated[Deck, instead(Deck.unseen)]
    killed: Everybody[tuple[str, ...]] = ()
    """Characters out of the game for good (HA-M-1)."""
    actions: Annotated[Deck, instead(Deck.unseen)]
    events: Annotated[tuple[str, ...], instead(face_down)]
    """The Event deck, the top first."""
    unused: Annotated[tuple[str, ...], instead(face_down)]
    """Events that are not in this game (HA-C-4)."""
    event: Everybody[str | None] = None
    """The Event that was revealed."""
    chosen: Everybody[Mapping[str, str]] = field(default_factory=dict)
    """Choice that the Event asked for -> the value chosen."""
    past: Everybody[tuple[str, ...]] = ()
    """The Event discard (HA-I-16)."""
    middle: Everybody[tuple[str, ...]] = ()
    """Events in the middle, whose effects apply to everybody (HA-I-15)."""
    changes: Everybody[tuple[Change, ...]] = ()
    risen: Everybody[Flag] = False
    """True if the active player has unturned in this turn (HA-L-11)."""
    underway: Everybody[Underway | None] = None
    standing: Mine[Mapping[SeatId, Kept]] = field(default_factory=dict)
    filed: Mine[Mapping[SeatId, Filed]] = field(default_factory=dict)
    over: Everybody[Flag | None] = None
    """True when the game has ended."""
    settings: InFull[Settings] = Settings()

    @property
    def princes(self) -> Mapping[SeatId, str]:
        """Seat -> its Prince, clockwise."""
        return {seat: self.players[seat].prince for seat in self.ring}


def clockwise(ring: tuple[SeatId, ...], first: SeatId) -> tuple[SeatId, ...]:
    """All seats clockwise, from `first`."""
    at = ring.index(first)
    return (*ring[at:], *ring[:at])


def left_of(ring: tuple[SeatId, ...], seat: SeatId) -> SeatId:
    """The next seat clockwise."""
    return ring[(ring.index(seat) + 1) % len(ring)]


seen_by = views(Position)
"""The position as a seat or the public (None) may see it. Hidden cards appear as backs, so only their number shows (HA-W-15)."""


def attach_settings(position: Position, settings: Settings) -> Position:
    """A position with the card set that turn.yaml only names; raises `Problems` if the set has changed."""
    mine = position.settings
    if mine.cards != settings.cards:
        raise problem("", f"the position uses the card set {mine.cards!r:.60}", f"in game.yaml it is {settings.cards}")
    if not isinstance(settings, OwnCards):
        return position
    if mine.digest != settings.digest:
        what = f"{settings.cards} is not as it was when this turn was opened"
        raise problem("", what, "restore the file from the repository's history")
    return replace(position, settings=extend_record(mine, OwnCards, own=settings.own))


def zones(position: Position) -> dict[str, tuple[str, ...]]:
    """Every place where a card can lie -> the cards there (HA-M-13)."""
    hands = {f"the hand of {seat}": player.hand for seat, player in position.players.items()}
    tucked = {f"under {name}": courtier.tucked for name, courtier in position.court.items()}
    return hands | tucked | {
        "in play": tuple(position.court),
        "the row": position.row,
        "the Character deck": position.characters.pile,
        "the Character discard": position.characters.discards,
        "the killed": position.killed,
        "the Action deck": position.actions.pile,
        "the Action discard": position.actions.discards,
        "the Event deck": position.events,
        "the Events left out": position.unused,
        "the Event discard": position.past,
        "the middle": position.middle,
        "the Event": (position.event,) if position.event is not None else (),
    }  # fmt: skip


def all_cards(position: Position) -> Iterator[str]:
    """Every card of the game: Princes that were dealt, and all Characters, Events and Action cards."""
    cards = position.settings.set
    yield from (player.prince for player in position.players.values())
    yield from (one.id for one in cards.characters)
    yield from (one.id for one in cards.events)
    for action in cards.actions:
        yield from action.cards


MOST_FAVOR = 999
"""Most favor that a written position may give a seat. Play by the rules never comes near it."""


def faults(position: Position) -> Iterator[Remark]:
    """Errors in a position, such as missing seats, and cards that lie in no place or in two."""
    seats = position.settings.seats
    if {*position.players} != {*seats} or sorted(position.ring) != sorted(seats):
        yield Remark(
            ("players",), f"these are not the seats: {', '.join(position.players)}", "name " + ", ".join(seats)
        )
        return
    known = index_of(position.settings.set)
    for seat, player in position.players.items():
        if player.prince not in known.princes:
            right = among(player.prince, known.princes)
            yield Remark(("players", seat, "prince"), f"{player.prince!r:.40} is not a Prince in this set", right)
        elif position.court.get(player.prince, Courtier(by="")).by != seat:
            yield Remark(
                ("court",), f"{player.prince} must be in play and controlled by {seat} (HA-M-2)", "put the Prince back"
            )
        if player.favor > MOST_FAVOR:
            what = f"{seat} has {player.favor} favor, too many to list every bid"
            yield Remark(("players", seat, "favor"), what, f"write at most {MOST_FAVOR}")
    for name, courtier in position.court.items():
        for key, whose in (("by", courtier.by), ("home", courtier.home)):
            if whose is not None and whose not in seats:
                yield Remark(("court", name, key), f"{whose!r:.40} is not a seat", among(whose, seats))
    for key, one in (("active", position.active), ("right", position.right)):
        if one is not None and one not in seats:
            yield Remark((key,), f"{one!r:.40} is not a seat", among(one, seats))
    if position.active is None and position.phase is not Phase.AUCTION:
        yield Remark(("active",), "nobody has the turn", "name a seat")
    with_event = position.phase in (Phase.EVENT, Phase.CHOICE, Phase.REOPENED)
    without = position.phase in (Phase.AUCTION, Phase.MAIN)
    if not position.over and ((with_event and position.event is None) or (without and position.event is not None)):
        told = "an Event" if position.event is None else f"the Event {position.event}"
        yield Remark(
            ("event",),
            f"{position.phase.value} with{'out' if position.event is None else ''} {told}",
            "an Event must be open in its own windows, and only there",
        )
    elif position.event is not None and position.event not in known.events:
        yield Remark(
            ("event",), f"{position.event!r:.40} is not an Event in this set", among(position.event, known.events)
        )
    if not position.over and (position.phase in (Phase.REOPENED, Phase.STOPPED)) is (position.underway is None):
        what = "`underway` must be given if a phase was stopped or reopened, and only then"
        yield Remark(("underway",), what, "correct the phase")
    yield from _named(position)
    yield from _misplaced(position, {*all_cards(position)})


def _named(position: Position) -> Iterator[Remark]:
    """Errors in a stopped phase, such as seats and characters that do not exist."""
    underway, seats = position.underway, position.settings.seats
    if underway is None:
        return
    if not position.over and (position.phase is Phase.STOPPED) is (underway.asked is None):
        yield Remark(
            ("underway", "asked"), "`asked` must name a seat if the run was stopped, and only then", "correct the phase"
        )
    for key, seat in (("next", underway.next), ("asked", underway.asked)):
        if seat is not None and seat not in seats:
            yield Remark(("underway", key), f"{seat!r:.40} is not a seat", among(seat, seats))
    if underway.brawl is not None:
        for key in ("attacker", "defender"):
            name = getattr(underway.brawl, key)
            if name not in position.court:
                right = among(name, position.court)
                yield Remark(("underway", "brawl", key), f"{name!r:.40} is not in play", right)


def _misplaced(position: Position, cards: Iterable[str]) -> Iterator[Remark]:
    for card, places in misplaced(cards, zones(position)).items():
        where = " and in ".join(places) or "no place"
        yield Remark((), f"{card} lies in {where}", "every card of the set must lie in one place (HA-M-13)")
