"""Facts that a turn of Heir Apparent can produce. Everybody hears all of them, but sees only the backs of other players' hidden cards.

Acts carry their number in the phase and the pools after them (`after`). `of` is the id of the card, Event or character that caused a
fact. It is empty if the rules caused it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract import resolution
from adjudicator.core.contract.facts import EVERYBODY, Facts, Hearers, Say, fact
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.core.text.codec import Flag, Whole, record, shared
from adjudicator.mechanics.cards import BACK, face_down
from adjudicator.rulesets.heir_apparent.position import Position
from adjudicator.rulesets.heir_apparent.selectors import Keyword
from adjudicator.rulesets.heir_apparent.steps import Skill
from adjudicator.rulesets.heir_apparent.titles import Trigger
from adjudicator.rulesets.heir_apparent.words import SPELLINGS, by, name, names, pools, who


@record
class Verdict(resolution.Verdict):
    """A verdict that can also be `waits`: a plan's line that had no occasion to act has not failed."""

    @property
    def unused(self) -> bool:
        """True if the line had no occasion to act."""
        return self.result == WAITS


WAITS = "waits"
"""The result of a line that had no occasion to act."""
Settling = Literal["tokens", "popularity", "tie"]
"""Ways to decide a result."""
Pools = Mapping[str, Whole]
"""Pool -> its tokens; in a melee the pools are `attack` and `defence`."""


@shared
class Act:
    """Fields of every act: its number in its phase, and the pools after it."""

    act: Whole
    seat: SeatId
    after: Pools = field(default_factory=dict)


def _own(told: Any) -> tuple[SeatId, str]:
    """A fact's seat and its character."""
    return told.seat, told.character


def bidding(view: Position, told: Bid) -> str:
    """Sentence about a round of the auction, with all bids."""
    said = ", ".join(f"{who(view, seat)} {'passed' if bid is None else bid}" for seat, bid in told.said)
    return f"{who(view, told.seat)} won round {told.round} of the auction for {told.price} favor: {said}."


def peeking(view: Position, told: Peeked) -> str:
    """Sentence about a look at hidden cards, with their names if the reader may know them."""
    decks = {"event": "the top of the Event deck", "actions": "the top of the Action deck"}
    at = decks.get(told.at) or f"{whose(name(view, told.at))} hand"
    hidden = "" if BACK in told.cards else f": {names(view, told.cards)}"
    return f"{who(view, told.seat)} looked at {at}{hidden if told.cards else ', where nothing was'}{by(view, told.of)}."


def playing(view: Position, told: Played) -> str:
    """Sentence about a card that was played, with its targets and its price."""
    paid = [f"turning {name(view, told.turned)}"] if told.turned is not None else []
    paid += [f"paying {told.paid} favor"] if told.paid else []
    cost = f", {' and '.join(paid)}" if paid else ""
    at = f" on {names(view, told.at)}" if told.at else ""
    after = f": {pools(view, told.after)}" if told.after else ""
    return f"{who(view, told.seat)} played {name(view, told.card)}{at}{cost}{after}."


def asking(view: Position, told: Asked) -> str:
    """Sentence about a player who stopped the run, and how far it had come."""
    there = f" ({pools(view, told.pools)})" if told.pools else ""
    when = f"after act {told.after}" if told.after else "before any act"
    left = many(told.left, "reopen token")
    return f"{who(view, told.seat)} stopped the run {when}{there} to think again, and has {left} left."


def settled(view: Position, told: Settled) -> str:
    """Sentence about the end of an Event, with its pools and what decided it."""
    event, there = name(view, told.name), pools(view, told.pools)
    if told.success is not None:
        chief = told.chief_supporter if told.success else told.chief_opponent
        side = "supporters" if told.success else "opponents"
        led = f"; {who(view, chief)} led the {side}" if chief is not None else ""
        tie = ", as a tie is no success" if told.by == "tie" else ""
        return f"{event} {'succeeded' if told.success else 'failed'} {ruled(there, tie + led, 'HA-K-2')}."
    if told.winner is None:
        return f"Nobody took part in {event}."
    lost = f", and {who(view, told.loser)} lost" if told.loser is not None else ""
    why = []
    if told.by == "popularity":
        why.append(f"{who(view, told.winner)} is the most popular of those tied for the most")
    if told.lost_by == "popularity" and told.loser is not None:
        why.append(f"{who(view, told.loser)} is the least popular of those tied for the fewest")
    decided = f": {', '.join(why)}" if why else ""
    return f"{who(view, told.winner)} won {event}{lost} {ruled(there, decided, rules_of(told))}."


def ruled(pools: str, why: str, rules: str) -> str:
    """The pools in brackets, the reason, and at the end of the sentence the rules."""
    return f"({pools}){why} ({rules})" if why else f"({pools}; {rules})"


def rules_of(told: Settled) -> str:
    """Rules that decided a Contest."""
    return "HA-J-9, HA-J-10" if told.loser is not None else "HA-J-9, HA-J-12"


def ranking(view: Position, told: Ranked) -> str:
    """Sentence about everybody's place, and what decided ties."""
    places = ", ".join(f"{who(view, seat)} {told.favor[seat]}" for seat in told.places)
    tied = join_words(tuple(who(view, seat) for seat in told.tied))
    popular = f"; among {tied} the more popular comes first" if told.tied else ""
    return f"{who(view, told.places[0])} is crowned: {places}{popular} (HA-L-9)."


def _backs(told: Any, seat: SeatId | None) -> Any:
    """A fact about cards as a seat hears it: with backs only, unless the fact is about that seat."""
    return told if told.seat == seat else replace(told, cards=face_down(told.cards))


BACKS = Hearers(_backs)


# The auction --------------------------------------------------------------------------------------------------------


@fact(bidding, rule=("HA-D-5", "HA-D-13"), weight=50, heard=EVERYBODY)
class Bid:
    """A round of bidding: all bids in order, None for passing, and the winner (HA-D-5 to HA-D-13)."""

    event: Literal["bid"] = "bid"
    round: Whole
    said: tuple[tuple[SeatId, Whole | None], ...]
    seat: SeatId
    price: Whole


@fact("{seat:who} took {character:card}.", rule="HA-D-14", weight=42, heard=EVERYBODY)
class Chose:
    """A player took a character from the row (HA-D-14)."""

    event: Literal["chose"] = "chose"
    seat: SeatId
    character: str
    place: Whole
    """The player's place in the order of choosing, from 1."""


@fact("{characters:cards} went to the Character discard.", rule="HA-D-14", weight=5, heard=EVERYBODY)
class Passed:
    """Characters in the row that nobody took (HA-D-14)."""

    event: Literal["unchosen"] = "unchosen"
    characters: tuple[str, ...]


@fact("The row of round {round} is {characters:cards}.", rule="HA-D-3", weight=5, heard=EVERYBODY)
class Dealt:
    """A row of characters was turned up (HA-D-3)."""

    event: Literal["row"] = "row"
    round: Whole
    characters: tuple[str, ...]


# Cards, hands and decks ---------------------------------------------------------------------------------------------


@fact("{seat:who} drew {cards:hand}{of:by}.", rule=("HA-F-6", "HA-W-15"), weight=5, heard=BACKS)
class Drew:
    """A player drew Action cards; others see how many (HA-W-15)."""

    event: Literal["drew"] = "drew"
    seat: SeatId
    cards: tuple[str, ...]
    of: str = ""


@fact(peeking, rule="HA-W-15", weight=5, heard=BACKS)
class Peeked:
    """A player looked at hidden cards. Others hear where these were (HA-F, CARDS.md)."""

    event: Literal["peeked"] = "peeked"
    seat: SeatId
    at: str
    """`actions`, `event`, or the Prince of the player whose hand it was."""
    cards: tuple[str, ...]
    of: str


@fact(
    Say("{seat:who} discarded {cards:cards} down to the limit{of:by}.", {"why": "limit"}),
    Say("{seat:who} discarded {cards:cards} to draw replacements{of:by}.", {"why": "trade"}),
    "{seat:who} discarded {cards:cards}{of:by}.",
    rule=("HA-L-3", "HA-F-17"), weight=5, heard=EVERYBODY,
)  # fmt: skip
class Discarded:
    """Action cards went from a hand to the discard, face up (HA-L-3)."""

    event: Literal["discarded"] = "discarded"
    seat: SeatId
    cards: tuple[str, ...]
    why: Literal["limit", "trade", "effect"]
    of: str = ""


@fact(
    "The {deck:deck} discard ({cards:many card}) was shuffled into a new {deck:deck} deck.",
    rule="HA-M-4", weight=5, heard=EVERYBODY,
)  # fmt: skip
class Reshuffled:
    """A discard was shuffled into a new deck (HA-M-4)."""

    event: Literal["reshuffled"] = "reshuffled"
    deck: Literal["action", "character"]
    cards: Whole


@fact(
    "{seat:who} drew {character:card} and played the card; it comes in turned.",
    rule="HA-F-7", weight=5, heard=EVERYBODY,
)  # fmt: skip
class Came:
    """A Character was drawn and played (HA-F-7)."""

    event: Literal["came"] = "came"
    seat: SeatId
    character: str


@fact("{seat:who} drew {character:card} and refused the card.", rule="HA-F-13", weight=5, heard=EVERYBODY)
class Refused:
    """A Character was drawn and not played (HA-F-13)."""

    event: Literal["refused"] = "refused"
    seat: SeatId
    character: str


@fact("{seat:who} released {character:card}: nobody may hold more than five.", rule="HA-M-8", weight=5, heard=EVERYBODY)
class Released:
    """A character beyond the five was discarded (HA-M-8)."""

    event: Literal["released"] = "released"
    seat: SeatId
    character: str


# Turns --------------------------------------------------------------------------------------------------------------


@fact(
    Say("Turn {turn} is {seat:whose}, who has the most favor left (HA-C-11).", {"by": "favor"}),
    Say("Turn {turn} is {seat:whose}, the most popular of those with most favor left (HA-C-11).", {"by": "popularity"}),
    "Turn {turn} is {seat:whose}.",
    rule=("HA-C-11", "HA-C-12"), weight=30, heard=EVERYBODY,
)  # fmt: skip
class Began:
    """A turn began (HA-E-1)."""

    event: Literal["began"] = "began"
    turn: Whole
    seat: SeatId
    by: Literal["favor", "popularity"] | None = None
    """Why the first turn is this player's (HA-C-11). None for later turns, which go clockwise (HA-C-12)."""


@fact("{name:card} was revealed.", rule="HA-I-1", weight=60, heard=EVERYBODY)
class Revealed:
    """The top Event was revealed (HA-I-1)."""

    event: Literal["revealed"] = "revealed"
    name: str


@fact("{seat:who} named {value:card} as {name}.", rule="HA-I-1", weight=28, heard=EVERYBODY)
class Named:
    """The active player chose what the Event asks for (HA-I-1)."""

    event: Literal["named"] = "named"
    seat: SeatId
    name: str
    value: str


# Acts ---------------------------------------------------------------------------------------------------------------


@fact(
    "{own:own} joined, adding {tokens} to {pool:pool}{after:after}.",
    rule=("HA-I-3", "HA-I-5"),
    weight=22,
    heard=EVERYBODY,
)
class Joined(Act):
    """A character turned into the Event (HA-I-3, HA-I-5)."""

    event: Literal["joined"] = "joined"
    character: str
    pool: str
    tokens: Whole

    own = property(_own)


@fact("{seat:who} put {tokens} into {pool:pool}{after:after}.", rule="HA-I-6", weight=21, heard=EVERYBODY)
class Gave(Act):
    """A Prince gave the 2 free tokens (HA-I-6)."""

    event: Literal["gave"] = "gave"
    pool: str
    tokens: Whole


@fact(playing, rule=("HA-B-10", "HA-P-1"), weight=25, heard=EVERYBODY)
class Played(Act):
    """A card was played: at a chance, or as a reaction (HA-B-10, HA-P-1)."""

    event: Literal["played"] = "played"
    card: str
    at: tuple[str, ...] = ()
    trigger: Trigger | None = None
    """The trigger that a reaction answered. A reaction is not an act, so its number is 0 (HA-E-10)."""
    turned: str | None = None
    """The character that was turned to pay for it."""
    paid: Whole = 0
    """The favor that was paid."""


@fact("{own:own} turned for “{ability}”{at:at}{after:after}.", rule="HA-G-1", weight=24, heard=EVERYBODY)
class Used(Act):
    """A character turned for its ability (HA-G-1)."""

    event: Literal["used"] = "used"
    character: str
    ability: str
    at: tuple[str, ...] = ()

    own = property(_own)


@fact("{own:own} turned to draw.", rule="HA-G-2", weight=5, heard=EVERYBODY)
class DrewWith(Act):
    """A character turned to draw a card (HA-G-2)."""

    event: Literal["drew_with"] = "drew_with"
    character: str

    own = property(_own)


@fact("{attacker:card} attacked {defender:card}{of:by}.", rule=("HA-G-4", "HA-H-1"), weight=36, heard=EVERYBODY)
class Attacked(Act):
    """A character attacked another; `act` is 0 if a card caused the attack (HA-G-4, HA-H-1)."""

    event: Literal["attacked"] = "attacked"
    attacker: str
    defender: str
    of: str = ""


@fact("{own:own} assisted the {side} with {tokens}{after:after}.", rule="HA-H-6", weight=21, heard=EVERYBODY)
class Assisted(Act):
    """A character turned to assist a side of a melee (HA-H-6)."""

    event: Literal["assisted"] = "assisted"
    character: str
    side: Literal["attack", "defence"]
    tokens: Whole

    own = property(_own)


# Spells and reactions -----------------------------------------------------------------------------------------------


@fact(
    Say("{own:own} turned to counter {card:card}.", {"number": 1}),
    "{own:own} turned to counter the counter.",
    rule="HA-O-3", weight=44, heard=EVERYBODY,
)  # fmt: skip
class Countered:
    """A Wizard turned to counter a spell, or the counter before this one (HA-O-3)."""

    event: Literal["countered"] = "countered"
    seat: SeatId
    character: str
    card: str
    number: Whole

    own = property(_own)


@fact(
    Say("{card:card} failed: what it was aimed at was no longer a target{of:by}.", {"why": "vanished"}),
    "{card:card} was {why}{of:by}.",
    rule=("HA-O-7", "HA-O-11", "HA-R-1"), weight=46, heard=EVERYBODY,
)  # fmt: skip
class Stopped:
    """A card had no effect; `why` gives the reason (HA-O-7, HA-O-11, HR-1, HR-19)."""

    event: Literal["stopped"] = "stopped"
    card: str
    why: Literal["countered", "cancelled", "vanished"]
    of: str = ""


@fact("{target:card} was not {against:danger}{of:by}.", rule="HA-R-11", weight=56, heard=EVERYBODY)
class Shielded:
    """A shield averted what was about to happen (HR-15, HR-16)."""

    event: Literal["shielded"] = "shielded"
    against: Literal["kill", "dismiss", "turn", "favor_loss"]
    target: str
    of: str


# Effects of cards and rules -------------------------------------------------------------------------------------------


@fact("{seat:who} gained {amount} favor and has {favor}{of:by}.", rule="HA-Q-1", weight=40, heard=EVERYBODY)
class Gained:
    """A player gained favor."""

    event: Literal["gained"] = "gained"
    seat: SeatId
    amount: Whole
    favor: Whole
    """The player's favor afterwards."""
    of: str


@fact("{seat:who} lost {amount} favor and has {favor}{of:by}.", rule=("HA-Q-1", "HA-Q-2"), weight=38, heard=EVERYBODY)
class Lost:
    """A player lost favor, at most as much as they had (HA-Q-1, HA-Q-2)."""

    event: Literal["lost"] = "lost"
    seat: SeatId
    amount: Whole
    favor: Whole
    of: str


@fact(
    "{seat:who} took {amount} favor from {before:who} and has {favor}; {before:who} has {left}{of:by}.",
    rule="HA-Q-2", weight=54, heard=EVERYBODY,
)  # fmt: skip
class Took:
    """Favor went from one player to another: the amount of the card, or all that the giver had if that was less (HA-Q-2)."""

    event: Literal["took"] = "took"
    seat: SeatId
    before: SeatId
    """The player who lost the favor."""
    amount: Whole
    favor: Whole
    left: Whole
    """The other player's favor afterwards."""
    of: str


@fact(
    Say("{character:card} was turned to draw.", {"of": ""}),
    "{character:card} was turned{of:by}.",
    rule="HA-M-10", weight=5, heard=EVERYBODY,
)  # fmt: skip
class Turned:
    """A character was turned by a card, or for a draw if `of` is empty."""

    event: Literal["turned"] = "turned"
    character: str
    of: str


@fact("{character:card} was unturned{of:by}.", rule="HA-M-12", weight=5, heard=EVERYBODY)
class Unturned:
    """A card unturned a character."""

    event: Literal["unturned"] = "unturned"
    character: str
    of: str


@fact("{own:own} was killed by {of:card}.", rule="HA-M-1", weight=90, heard=EVERYBODY)
class Killed:
    """A character was killed, and is out of the game (HA-M-1)."""

    event: Literal["killed"] = "killed"
    seat: SeatId
    """The player who controlled it."""
    character: str
    of: str

    own = property(_own)


@fact("{own:own} was dismissed{of:by}.", rule="HA-M-1", weight=62, heard=EVERYBODY)
class Dismissed:
    """A card sent a character to the discard (HA-M-1)."""

    event: Literal["dismissed"] = "dismissed"
    seat: SeatId
    character: str
    of: str

    own = property(_own)


@fact(
    Say("{seat:who} took control of {lent:own} until the end of the turn{of:by}.", {"borrowed": True}),
    "{seat:who} took control of {lent:own}{of:by}.",
    rule="HA-R-9", weight=70, heard=EVERYBODY,
)  # fmt: skip
class Controlled:
    """A character changed hands, until the end of the turn if it was borrowed (HR-85)."""

    event: Literal["controlled"] = "controlled"
    seat: SeatId
    before: SeatId
    character: str
    borrowed: Flag
    of: str

    @property
    def lent(self) -> tuple[SeatId, str]:
        """The former controller and the character."""
        return self.before, self.character


@fact("{character:card} went back to {seat:who}.", rule="HA-R-9", weight=5, heard=EVERYBODY)
class Returned:
    """A borrowed character went home (HR-85)."""

    event: Literal["returned"] = "returned"
    seat: SeatId
    before: SeatId
    character: str


@fact("{card:card} was tucked under {character:card}.", rule=("HA-B-7", "HA-I-14"), weight=5, heard=EVERYBODY)
class Tucked:
    """A card was tucked under a character (HA-B-7, HA-I-14)."""

    event: Literal["tucked"] = "tucked"
    card: str
    character: str


@fact("{card:card} under {character:card} was discarded{of:by}.", rule="HA-M-7", weight=5, heard=EVERYBODY)
class Untucked:
    """A tucked card was discarded."""

    event: Literal["untucked"] = "untucked"
    card: str
    character: str
    of: str


@fact("{character:card} has {skill} {amount:signed} {until:until}{of:by}.", rule="HA-B-7", weight=5, heard=EVERYBODY)
class Rated:
    """A card changed a rating until the Event closes or the turn ends."""

    event: Literal["rated"] = "rated"
    character: str
    skill: Skill
    amount: int
    until: Literal["event", "turn"]
    of: str


@fact(
    "{character:card} {mode:gets} the keyword {keyword} {until:until}{of:by}.",
    rule="HA-B-7", weight=5, heard=EVERYBODY,
)  # fmt: skip
class Marked:
    """A card gave or took a keyword until the Event closes or the turn ends."""

    event: Literal["marked"] = "marked"
    character: str
    keyword: Keyword
    mode: Literal["add", "remove"]
    until: Literal["event", "turn"]
    of: str


@fact("{pool:pool} gained {tokens:many token} of {seat:whose}{of:by}.", rule="HA-I-3", weight=5, heard=EVERYBODY)
class Fed:
    """A card added tokens to a pool."""

    event: Literal["fed"] = "fed"
    seat: SeatId
    pool: str
    tokens: Whole
    of: str


@fact("{character:card} lost {tokens:many token}{of:by}.", rule="HA-I-3", weight=5, heard=EVERYBODY)
class Stripped:
    """A card removed a character's tokens from the pools."""

    event: Literal["stripped"] = "stripped"
    character: str
    tokens: Whole
    of: str


@fact("{character:its} {tokens:many token} went to {pool:pool}{of:by}.", rule="HA-I-3", weight=5, heard=EVERYBODY)
class Redirected:
    """A card moved a character's tokens to another pool."""

    event: Literal["redirected"] = "redirected"
    character: str
    pool: str
    tokens: Whole
    of: str


# How things end -----------------------------------------------------------------------------------------------------


@fact(
    Say("The melee of {attacker:card} and {defender:card} ended without a result.", {"loser": None}),
    Say("{winner:card} won the melee against {loser:card}: Attack {attack}, Defence {defence}, and in a tie the attacker dies (HA-H-12).", {"by": "tie"}),
    "{winner:card} won the melee against {loser:card}: Attack {attack}, Defence {defence} (HA-H-12).",
    rule=("HA-H-12", "HA-H-14"), weight=64, heard=EVERYBODY,
)  # fmt: skip
class Fought:
    """A melee closed. `loser` will be killed; it is None if a principal was gone (HA-H-12 to HA-H-14)."""

    event: Literal["fought"] = "fought"
    attacker: str
    defender: str
    attack: Whole
    defence: Whole
    loser: str | None = None
    by: Settling | None = None
    """The reason: tokens, or a tie, which the attacker does not survive (HA-H-12)."""

    @property
    def winner(self) -> str:
        """The principal that won, if the melee had a result."""
        return self.attacker if self.loser == self.defender else self.defender


@fact(
    Say("The Event was stopped after too many acts ({pools:pools}).", {"guard": True}),
    "The Event closed: all passed ({pools:pools}).",
    rule=("HA-E-4", "HA-W-16"), weight=5, heard=EVERYBODY,
)  # fmt: skip
class Closed:
    """An Event closed: all passed in succession, or it was stopped after too many acts (HA-E-4, HA-W-16)."""

    event: Literal["closed"] = "closed"
    pools: Pools
    acts: Whole
    guard: Flag = False


@fact(
    "{seat:who} reopened the Event and has {left:many reopen token} left.",
    rule="HA-W-10", weight=66, heard=EVERYBODY,
)  # fmt: skip
class Reopened:
    """A player spent a reopen token (HA-W-10)."""

    event: Literal["reopened"] = "reopened"
    seat: SeatId
    left: Whole
    """Reopen tokens that the player still has."""


@fact(asking, rule="HA-W-21", weight=5, heard=EVERYBODY)
class Asked:
    """A player spent a reopen token to stop the run at their chance (HA-W-21)."""

    event: Literal["asked"] = "asked"
    seat: SeatId
    left: Whole
    """Reopen tokens that the player still has."""
    after: Whole
    """The number of the last act before the stop."""
    pools: Pools = field(default_factory=dict)


@fact(settled, rule=("HA-J-9", "HA-J-10", "HA-J-12", "HA-K-2"), weight=80, heard=EVERYBODY)
class Settled:
    """An Event was decided; its consequences follow (HA-J, HA-K)."""

    event: Literal["settled"] = "settled"
    name: str
    pools: Pools
    success: Flag | None = None
    """True if a Challenge succeeded; None for a Contest."""
    winner: SeatId | None = None
    loser: SeatId | None = None
    supporters: tuple[SeatId, ...] = ()
    opponents: tuple[SeatId, ...] = ()
    chief_supporter: SeatId | None = None
    chief_opponent: SeatId | None = None
    by: Settling | None = None
    """The reason: tokens, popularity among those who tie, or for a Challenge the tie itself (HA-J-9, HA-K-2)."""
    lost_by: Settling | None = None
    """The reason why the loser of a Contest lost (HA-J-10)."""


@fact(
    Say("{name:card} lies in the middle and goes on working.", {"where": "middle"}),
    "{name:card} went to the Event discard.",
    rule=("HA-I-15", "HA-I-16"), weight=26, heard=EVERYBODY,
)  # fmt: skip
class Laid:
    """A finished Event was put in the middle, where it goes on working, or on the discard (HA-I-15, HA-I-16)."""

    event: Literal["laid"] = "laid"
    name: str
    where: Literal["middle", "discard"]


@fact("{seat:who} unturned {characters:cards}.", rule="HA-L-4", weight=5, heard=EVERYBODY)
class Rose:
    """The active player unturned characters (HA-L-4)."""

    event: Literal["rose"] = "rose"
    seat: SeatId
    characters: tuple[str, ...]


@fact(ranking, rule=("HA-L-9", "HA-L-10"), weight=100, heard=EVERYBODY)
class Ranked:
    """The game ended: all players by favor, and by popularity where favor is equal (HA-L-9, HA-L-10)."""

    event: Literal["ranked"] = "ranked"
    places: tuple[SeatId, ...]
    favor: Mapping[SeatId, Whole]
    tied: tuple[SeatId, ...] = ()
    """Players placed by popularity, because they had as much favor as another (HA-L-9)."""


AnyEvent: TypeAlias = (
    Bid | Chose | Passed | Dealt | Drew | Peeked | Discarded | Reshuffled | Came | Refused | Released | Began | Revealed | Named
    | Joined | Gave | Played | Used | DrewWith | Attacked | Assisted | Countered | Stopped | Shielded | Gained | Lost | Took
    | Turned | Unturned | Killed | Dismissed | Controlled | Returned | Tucked | Untucked | Rated | Marked | Fed | Stripped
    | Redirected | Fought | Closed | Reopened | Asked | Settled | Laid | Rose | Ranked
)  # fmt: skip
Event = Annotated[AnyEvent, Choice(discriminator="event")]
Acts: TypeAlias = Joined | Gave | Played | Used | DrewWith | Attacked | Assisted

FACTS: Facts[AnyEvent] = Facts.of(AnyEvent, spellings=SPELLINGS)
