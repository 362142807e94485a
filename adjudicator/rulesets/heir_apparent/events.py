"""The facts that a turn of Heir Apparent can produce. Everybody hears of all of them; of hidden cards others see the backs alone.

Acts carry their number in the phase and the pools as they stand after them (`after`). `of` is the card, Event or character that brought
a thing about, by id; empty where the rules alone did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Annotated, Literal, TypeAlias, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract import resolution
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import Flag, Whole, record, shared
from adjudicator.mechanics.cards import face_down
from adjudicator.rulesets.heir_apparent.selectors import Keyword
from adjudicator.rulesets.heir_apparent.steps import Skill
from adjudicator.rulesets.heir_apparent.titles import Trigger


@record
class Verdict(resolution.Verdict):
    """A verdict that knows what it is to wait: a line of a plan for which there was no occasion is no failure."""

    @property
    def unused(self) -> bool:
        """Whether the line had no occasion."""
        return self.result == WAITS


WAITS = "waits"
"""The result of a line that had no occasion."""
Settling = Literal["tokens", "popularity", "tie"]
"""What a result was decided by."""
Pools = Mapping[str, Whole]
"""Pool -> its tokens; in a melee `attack` and `defence`."""


@shared
class Act:
    """What every act has: its number in its phase, and the pools after it."""

    act: Whole
    seat: SeatId
    after: Pools = field(default_factory=dict)


# The auction --------------------------------------------------------------------------------------------------------


@record
class Bid:
    """A round of bidding: all that was said in order, None for passing, and who won (HA-D-5 to HA-D-13)."""

    event: Literal["bid"] = "bid"
    round: Whole
    said: tuple[tuple[SeatId, Whole | None], ...]
    seat: SeatId
    price: Whole


@record
class Chose:
    """A player took a character from the row (HA-D-14)."""

    event: Literal["chose"] = "chose"
    seat: SeatId
    character: str
    place: Whole
    """Their place in the choice, from 1."""


@record
class Passed:
    """Characters of the row whom nobody took (HA-D-14)."""

    event: Literal["unchosen"] = "unchosen"
    characters: tuple[str, ...]


@record
class Dealt:
    """A row of characters lies open (HA-D-3)."""

    event: Literal["row"] = "row"
    round: Whole
    characters: tuple[str, ...]


# Cards, hands and decks ---------------------------------------------------------------------------------------------


@record
class Drew:
    """A player drew Action cards; others see how many (HA-W-15)."""

    event: Literal["drew"] = "drew"
    seat: SeatId
    cards: tuple[str, ...]
    of: str = ""


@record
class Peeked:
    """A player looked at hidden cards; others know at what (HA-F, CARDS.md)."""

    event: Literal["peeked"] = "peeked"
    seat: SeatId
    at: str
    """`actions`, `event`, or whose hand."""
    cards: tuple[str, ...]
    of: str


@record
class Discarded:
    """Action cards went from a hand to the discard, face up (HA-L-3)."""

    event: Literal["discarded"] = "discarded"
    seat: SeatId
    cards: tuple[str, ...]
    why: Literal["limit", "trade", "effect"]
    of: str = ""


@record
class Reshuffled:
    """A discard became a new pile (HA-M-4)."""

    event: Literal["reshuffled"] = "reshuffled"
    deck: Literal["action", "character"]
    cards: Whole


@record
class Came:
    """A Character was drawn and played (HA-F-7)."""

    event: Literal["came"] = "came"
    seat: SeatId
    character: str


@record
class Refused:
    """A Character was drawn and not played (HA-F-13)."""

    event: Literal["refused"] = "refused"
    seat: SeatId
    character: str


@record
class Released:
    """A character beyond the five was discarded (HA-M-8)."""

    event: Literal["released"] = "released"
    seat: SeatId
    character: str


# Turns --------------------------------------------------------------------------------------------------------------


@record
class Began:
    """A turn began (HA-E-1)."""

    event: Literal["began"] = "began"
    turn: Whole
    seat: SeatId
    by: Literal["favor", "popularity"] | None = None
    """Of the first turn what gave it to this player (HA-C-11); later ones go clockwise (HA-C-12)."""


@record
class Revealed:
    """The top Event was revealed (HA-I-1)."""

    event: Literal["revealed"] = "revealed"
    name: str


@record
class Named:
    """The active player chose what the Event asks for (HA-I-1)."""

    event: Literal["named"] = "named"
    seat: SeatId
    name: str
    value: str


# Acts ---------------------------------------------------------------------------------------------------------------


@record
class Joined(Act):
    """A character turned into the Event (HA-I-3, HA-I-5)."""

    event: Literal["joined"] = "joined"
    character: str
    pool: str
    tokens: Whole


@record
class Gave(Act):
    """A Prince gave the free 2 (HA-I-6)."""

    event: Literal["gave"] = "gave"
    pool: str
    tokens: Whole


@record
class Played(Act):
    """A card was played: at a chance, or as a reaction (HA-B-10, HA-P-1)."""

    event: Literal["played"] = "played"
    card: str
    at: tuple[str, ...] = ()
    trigger: Trigger | None = None
    """What a reaction answered. A reaction is no act: its number is 0 (HA-E-10)."""
    turned: str | None = None
    """Who was turned to pay for it."""
    paid: Whole = 0
    """The favor that was paid."""


@record
class Used(Act):
    """A character turned for its ability (HA-G-1)."""

    event: Literal["used"] = "used"
    character: str
    ability: str
    at: tuple[str, ...] = ()


@record
class DrewWith(Act):
    """A character turned to draw a card (HA-G-2)."""

    event: Literal["drew_with"] = "drew_with"
    character: str


@record
class Attacked(Act):
    """A character attacked another; the number is 0 where a card made it (HA-G-4, HA-H-1)."""

    event: Literal["attacked"] = "attacked"
    attacker: str
    defender: str
    of: str = ""


@record
class Assisted(Act):
    """A character turned to assist a side of a melee (HA-H-6)."""

    event: Literal["assisted"] = "assisted"
    character: str
    side: Literal["attack", "defence"]
    tokens: Whole


# Spells and reactions -----------------------------------------------------------------------------------------------


@record
class Countered:
    """A Wizard turned to counter a spell, or the counter before (HA-O-3)."""

    event: Literal["countered"] = "countered"
    seat: SeatId
    character: str
    card: str
    number: Whole


@record
class Stopped:
    """A card had no effect, and why (HA-O-7, HA-O-11, HR-1, HR-19)."""

    event: Literal["stopped"] = "stopped"
    card: str
    why: Literal["countered", "cancelled", "vanished"]
    of: str = ""


@record
class Shielded:
    """What was about to happen did not (HR-15, HR-16)."""

    event: Literal["shielded"] = "shielded"
    against: Literal["kill", "dismiss", "turn", "favor_loss"]
    target: str
    of: str


# What cards and rules do ----------------------------------------------------------------------------------------------


@record
class Gained:
    """A player gained favor."""

    event: Literal["gained"] = "gained"
    seat: SeatId
    amount: Whole
    favor: Whole
    """What they have afterwards."""
    of: str


@record
class Lost:
    """A player lost favor, as much as there was (HA-Q-1, HA-Q-2)."""

    event: Literal["lost"] = "lost"
    seat: SeatId
    amount: Whole
    favor: Whole
    of: str


@record
class Took:
    """Favor went from one player to another, as much as there was (HA-Q-2)."""

    event: Literal["took"] = "took"
    seat: SeatId
    before: SeatId
    """Who had it."""
    amount: Whole
    favor: Whole
    left: Whole
    """What the other has afterwards."""
    of: str


@record
class Turned:
    """A card turned a character."""

    event: Literal["turned"] = "turned"
    character: str
    of: str


@record
class Unturned:
    """A card unturned a character."""

    event: Literal["unturned"] = "unturned"
    character: str
    of: str


@record
class Killed:
    """A character was killed, and is out of the game (HA-M-1)."""

    event: Literal["killed"] = "killed"
    seat: SeatId
    """Who controlled it."""
    character: str
    of: str


@record
class Dismissed:
    """A card sent a character to the discard (HA-M-1)."""

    event: Literal["dismissed"] = "dismissed"
    seat: SeatId
    character: str
    of: str


@record
class Controlled:
    """A character has another controller; to the end of the turn, if it is borrowed (HR-85)."""

    event: Literal["controlled"] = "controlled"
    seat: SeatId
    before: SeatId
    character: str
    borrowed: Flag
    of: str


@record
class Returned:
    """A borrowed character went home (HR-85)."""

    event: Literal["returned"] = "returned"
    seat: SeatId
    before: SeatId
    character: str


@record
class Tucked:
    """A card was tucked under a character (HA-B-7, HA-I-14)."""

    event: Literal["tucked"] = "tucked"
    card: str
    character: str


@record
class Untucked:
    """A tucked card was discarded."""

    event: Literal["untucked"] = "untucked"
    card: str
    character: str
    of: str


@record
class Rated:
    """A card changed a rating until the Event closes or the turn ends."""

    event: Literal["rated"] = "rated"
    character: str
    skill: Skill
    amount: int
    until: Literal["event", "turn"]
    of: str


@record
class Marked:
    """A card gave or took a keyword until the Event closes or the turn ends."""

    event: Literal["marked"] = "marked"
    character: str
    keyword: Keyword
    mode: Literal["add", "remove"]
    until: Literal["event", "turn"]
    of: str


@record
class Fed:
    """A card added tokens to a pool."""

    event: Literal["fed"] = "fed"
    seat: SeatId
    pool: str
    tokens: Whole
    of: str


@record
class Stripped:
    """A card took tokens of a character out of their pools."""

    event: Literal["stripped"] = "stripped"
    character: str
    tokens: Whole
    of: str


@record
class Redirected:
    """A card moved a character's tokens to another pool."""

    event: Literal["redirected"] = "redirected"
    character: str
    pool: str
    tokens: Whole
    of: str


# How things end -----------------------------------------------------------------------------------------------------


@record
class Fought:
    """A melee closed: who is to be killed, or nobody if a principal was gone (HA-H-12 to HA-H-14)."""

    event: Literal["fought"] = "fought"
    attacker: str
    defender: str
    attack: Whole
    defence: Whole
    loser: str | None = None
    by: Settling | None = None
    """Tokens, or the tie, in which the attacker dies (HA-H-12)."""


@record
class Closed:
    """The chances of an Event were over: all passed in succession, or the guard stopped it (HA-E-4, HA-W-16)."""

    event: Literal["closed"] = "closed"
    pools: Pools
    acts: Whole
    guard: Flag = False


@record
class Reopened:
    """A player spent a reopen token (HA-W-10)."""

    event: Literal["reopened"] = "reopened"
    seat: SeatId
    left: Whole
    """Tokens that they still have."""


@record
class Asked:
    """A player spent a reopen token to stop the run at their chance (HA-W-21)."""

    event: Literal["asked"] = "asked"
    seat: SeatId
    left: Whole
    """Tokens that they still have."""
    after: Whole
    """The number of the last act before it."""
    pools: Pools = field(default_factory=dict)


@record
class Settled:
    """How the Event ended, before what follows from it (HA-J, HA-K)."""

    event: Literal["settled"] = "settled"
    name: str
    pools: Pools
    success: Flag | None = None
    """For a Challenge."""
    winner: SeatId | None = None
    loser: SeatId | None = None
    supporters: tuple[SeatId, ...] = ()
    opponents: tuple[SeatId, ...] = ()
    chief_supporter: SeatId | None = None
    chief_opponent: SeatId | None = None
    by: Settling | None = None
    """What decided it: tokens, popularity among those who tie, or for a Challenge the tie itself (HA-J-9, HA-K-2)."""
    lost_by: Settling | None = None
    """What decided who lost a Contest (HA-J-10)."""


@record
class Laid:
    """A finished Event was laid into the middle, where it goes on working, or on the discard (HA-I-15, HA-I-16)."""

    event: Literal["laid"] = "laid"
    name: str
    where: Literal["middle", "discard"]


@record
class Rose:
    """The active player unturned characters (HA-L-4)."""

    event: Literal["rose"] = "rose"
    seat: SeatId
    characters: tuple[str, ...]


@record
class Ranked:
    """The end: everybody by favor, then popularity (HA-L-9, HA-L-10)."""

    event: Literal["ranked"] = "ranked"
    places: tuple[SeatId, ...]
    favor: Mapping[SeatId, Whole]
    tied: tuple[SeatId, ...] = ()
    """Players whose place popularity gave, as they had as much favor as another (HA-L-9)."""


AnyEvent: TypeAlias = (
    Bid | Chose | Passed | Dealt | Drew | Peeked | Discarded | Reshuffled | Came | Refused | Released | Began | Revealed | Named
    | Joined | Gave | Played | Used | DrewWith | Attacked | Assisted | Countered | Stopped | Shielded | Gained | Lost | Took
    | Turned | Unturned | Killed | Dismissed | Controlled | Returned | Tucked | Untucked | Rated | Marked | Fed | Stripped
    | Redirected | Fought | Closed | Reopened | Asked | Settled | Laid | Rose | Ranked
)  # fmt: skip
Event = Annotated[AnyEvent, Choice(discriminator="event")]
Acts: TypeAlias = Joined | Gave | Played | Used | DrewWith | Attacked | Assisted


def heard_by(fact: resolution.Verdict | AnyEvent, seat: SeatId | None) -> resolution.Verdict | AnyEvent | None:
    """A verdict or a fact as a seat or the public (None) learns of it: verdicts are their authors' alone, hidden cards show backs."""
    match fact:
        case resolution.Verdict():
            return fact if fact.seat == seat else None
        case Drew() | Peeked():
            return fact if fact.seat == seat else replace(fact, cards=face_down(fact.cards))
        case (
            Bid() | Chose() | Passed() | Dealt() | Discarded() | Reshuffled() | Came() | Refused() |
            Released() | Began() | Revealed() | Named() | Joined() | Gave() | Played() | Used() |
            DrewWith() | Attacked() | Assisted() | Countered() | Stopped() | Shielded() | Gained() | Lost() |
            Took() | Turned() | Unturned() | Killed() | Dismissed() | Controlled() | Returned() | Tucked() |
            Untucked() | Rated() | Marked() | Fed() | Stripped() | Redirected() | Fought() | Closed() |
            Reopened() | Asked() | Settled() | Laid() | Rose() | Ranked()
        ):  # fmt: skip
            return fact
        case _:
            assert_never(fact)  # a new fact says here who hears it (RT-13)
