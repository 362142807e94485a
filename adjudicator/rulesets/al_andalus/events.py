"""Facts that an Al-Andalus turn can produce besides those of the war, each with its rule and its sentence."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.facts import EVERYBODY, Facts, Say, fact
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words
from adjudicator.core.text.codec import Whole
from adjudicator.rulesets import diplomacy


@fact(
    "{prince} sent no orders, which counts as ordering an arrest.",
    rule="AA-I-1", weight=0, heard=EVERYBODY,
    joins=Joint("{items} sent nothing, and are treated as if they ordered arrests.", "{prince}"),
)  # fmt: skip
class Silent:
    """A prince sent nothing and is treated as if they ordered an arrest (AA-I-1)."""

    event: Literal["silent"] = "silent"
    prince: SeatId


@fact(
    Say("{seat} missed two turns; the host will find somebody else.", {"chooser": None}),
    "{seat} missed two turns; {chooser} may take the throne, or the host will find somebody else.",
    rule=("AA-I-4", "AA-I-5"), weight=30, heard=EVERYBODY,
)  # fmt: skip
class Vacant:
    """A seat missed two turns of moves and gets another player (AA-I-4). A prince's wazir may take the throne instead (AA-I-5)."""

    event: Literal["vacant"] = "vacant"
    seat: SeatId
    chooser: SeatId | None = None
    """The wazir who may take the throne; None if the host decides (AA-I-6)."""


@fact(
    "{wazir} took the throne of {prince} and lost their {dinars:many dinar}; whoever plays {wazir} now starts without a court.",
    rule=("AA-I-5", "AA-I-6"), weight=90, heard=EVERYBODY,
)  # fmt: skip
class Ascended:
    """A wazir replaced their prince. The wazir's dinars are lost, and their seat starts again, free (AA-I-5, AA-I-6)."""

    event: Literal["ascended"] = "ascended"
    wazir: SeatId
    prince: SeatId
    dinars: Whole


@fact(
    Say("{prince} hired {wazir}.", {"left": None, "dinars": 0}),
    Say("{prince} hired {wazir}, who left {left}.", {"dinars": 0}),
    Say("{prince} hired {wazir}; {dinars:many dinar} waited for them in the treasury.", {"left": None}),
    "{prince} hired {wazir}, who left {left}; {dinars:many dinar} waited for them in the treasury.",
    rule=("AA-E-3", "AA-F-5"), weight=45, heard=EVERYBODY,
    joins=Joint("Wazirs were hired: {items}.", "{wazir} by {prince}", {"left": None, "dinars": 0}),
)  # fmt: skip
class Hired:
    """A wazir came to a court, and got the dinars that were waiting there (AA-E-3, AA-F-5)."""

    event: Literal["hired"] = "hired"
    wazir: SeatId
    prince: SeatId
    left: SeatId | None = None
    """The prince whom the wazir left, if any."""
    dinars: Whole = 0


@fact(
    "{wazir} plundered {prince}: all units held, and the wazir took {dinars:many dinar}.",
    rule="AA-G-1", weight=65, heard=EVERYBODY,
    joins=Joint(
        "Wazirs plundered, and all units held: {items}.", "{wazir} took {dinars:many dinar} at the court of {prince}"
    ),
)  # fmt: skip
class Plundered:
    """A wazir plundered their prince: all units held, and the wazir took a dinar for each (AA-G-1)."""

    event: Literal["plundered"] = "plundered"
    wazir: SeatId
    prince: SeatId
    dinars: Whole


@fact(
    Say("There was no wazir at the court of {prince} to arrest.", {"wazir": None}, weight=0),
    "{prince} arrested {wazir}: the wazir keeps {kept} of {had:many dinar}, and {taken} stay in the treasury.",
    rule=("AA-H-2", "AA-H-3"), weight=68, heard=EVERYBODY,
    joins=Joint("There was no wazir to arrest at the courts of {items}.", "{prince}", {"wazir": None}),
)  # fmt: skip
class Arrested:
    """A prince arrested their wazir: half the dinars, rounded down, went into the treasury (AA-H-2, AA-H-3)."""

    event: Literal["arrested"] = "arrested"
    prince: SeatId
    wazir: SeatId | None = None
    """None when no wazir was there to be arrested (AA-H-6)."""
    had: Whole = 0
    taken: Whole = 0

    @property
    def kept(self) -> int:
        """Dinars that the wazir keeps."""
        return self.had - self.taken


@fact(
    Say("{wazir} earned nothing at the court of {prince}: no unit held.", {"dinars": 0}),
    "{wazir} earned {dinars:many dinar} at the court of {prince}: {only}{units} held.",
    rule="AA-F-1", weight=5, heard=EVERYBODY,
    joins=(
        Joint("These wazirs earned nothing, because no unit of their prince held: {items}.", "{wazir} at the court of {prince}", {"dinars": 0}),
        Joint("These wazirs earned dinars: {items}.", "{wazir} {dinars} at the court of {prince} ({units} held)"),
    ),
)  # fmt: skip
class Paid:
    """A wazir's pay for a season: a dinar for each unit that held by order (AA-F-1)."""

    event: Literal["paid"] = "paid"
    wazir: SeatId
    prince: SeatId
    dinars: Whole
    units: tuple[str, ...]

    @property
    def only(self) -> str:
        """`only ` before one unit."""
        return "" if len(self.units) > 1 else "only "


@fact(
    "{prince} left no unit fallow: {unit}, {distance:many step} from home, was held.",
    rule=("AA-B-3", "AA-D-2"), weight=15, heard=EVERYBODY,
)  # fmt: skip
class HeldBack:
    """A unit was held because its prince left none fallow (AA-B-3, AA-D-2)."""

    event: Literal["held_back"] = "held_back"
    prince: SeatId
    unit: str
    distance: Whole


@fact(
    "The treasury of {prince} was lost: {dinars:many dinar}.",
    rule="AA-F-6", weight=65, heard=EVERYBODY,
)  # fmt: skip
class TreasuryLost:
    """A treasury vanished with its prince (AA-F-6)."""

    event: Literal["treasury_lost"] = "treasury_lost"
    prince: SeatId
    dinars: Whole


@fact(
    Say("The court of {prince} fell, and nobody conquered it alone; {wazir} is free.", {"conqueror": None}),
    "{conqueror} took the last centre of {prince}, and decides in winter about {wazir}.",
    rule=("AA-J-1", "AA-J-2", "AA-J-5"), weight=75, heard=EVERYBODY,
)  # fmt: skip
class CourtFell:
    """A prince lost their last centre. A conqueror decides about their wazir, or the wazir goes free (AA-J-1, AA-J-2, AA-J-5)."""

    event: Literal["court_fell"] = "court_fell"
    prince: SeatId
    wazir: SeatId
    conqueror: SeatId | None = None


@fact(
    Say("{conqueror} took {wazir} into their service.", {"fate": "take"}),
    Say("{conqueror} had {wazir} executed, whose {dinars:many dinar} vanished.", {"fate": "execute"}),
    "{conqueror} let {wazir} go free.",
    rule="AA-J-3", weight=72, heard=EVERYBODY,
)  # fmt: skip
class Decided:
    """A conqueror took a wazir into service, had them executed, or let them go (AA-J)."""

    event: Literal["decided"] = "decided"
    conqueror: SeatId
    wazir: SeatId
    fate: Literal["take", "execute", "free"]
    dinars: Whole = 0
    """Dinars that vanished with an executed wazir (AA-J-3)."""


@fact(
    "{prince} made {wazir} general of {unit}.",
    rule=("AA-L-1", "AA-L-14"), weight=45, heard=EVERYBODY,
    joins=Joint("Wazirs were made generals: {items}.", "{prince:whose} {wazir} of {unit}"),
)  # fmt: skip
class Appointed:
    """A prince made their wazir general of a unit (AA-L-1, AA-L-14)."""

    event: Literal["appointed"] = "appointed"
    prince: SeatId
    wazir: SeatId
    unit: str


@fact(
    Say("{wazir} is no longer a general: {unit} went back to the prince who arrested the wazir.", {"why": "arrested"}),
    Say("{wazir} is no longer a general: {unit} was lost.", {"why": "lost"}),
    Say("{wazir} is no longer a general: {unit} went back to their prince when they gave up the command.", {"why": "resigned"}),
    Say("{wazir} is no longer a general: {unit} was removed.", {"why": "removed"}),
    Say("{wazir} is no longer a general: {unit} had no land left.", {"why": "landless"}),
    Say("{wazir} is no longer a general: {unit} stayed behind when the court fell.", {"why": "fell"}),
    "{wazir} is no longer a general: {unit} stayed with the throne that they took.",
    rule=("AA-L-10", "AA-L-12", "AA-L-13", "AA-L-20", "AA-L-22"), weight=45, heard=EVERYBODY,
)  # fmt: skip
class CommandEnded:
    """A wazir is no longer a general (AA-L-10, AA-L-12, AA-L-13, AA-L-20, AA-L-22)."""

    event: Literal["command_ended"] = "command_ended"
    wazir: SeatId
    unit: str
    why: Literal["arrested", "lost", "resigned", "removed", "landless", "fell", "throne"]


def departed(_: object, told: Departed) -> str:
    """The sentence about a general who left a prince or came to one, with their unit and land and the new owner of both."""
    took = join_words((told.unit, *told.land))
    where = f"came to {told.to}" if told.prince == told.wazir else f"left {told.prince}"
    whose = f", which {'are' if told.land else 'is'} {told.to}’s now." if told.to else ", and is their own master."
    return f"{told.wazir} {where} with {took}{whose}"


@fact(
    departed,
    rule=("AA-L-7", "AA-L-8", "AA-L-9"), weight=70, heard=EVERYBODY,
)  # fmt: skip
class Departed:
    """A general left a prince or came to one, with their unit and the land that it took (AA-L-7, AA-L-8, AA-L-9)."""

    event: Literal["departed"] = "departed"
    wazir: SeatId
    prince: SeatId
    """The former owner of unit and land: the wazir, if they were their own master."""
    to: SeatId | None = None
    """The wazir's new prince; None when they are their own master."""
    unit: str
    land: tuple[str, ...]


@fact(
    "{princes} would agree to a draw; {needed} would not.",
    rule="AA-K-2", weight=30, heard=EVERYBODY,
)  # fmt: skip
class DrawVote:
    """Princes whose votes for a draw are in force, and those whose votes are missing (AA-K-2)."""

    event: Literal["draw_vote"] = "draw_vote"
    princes: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]


@fact(
    Say("The game ended in a draw between {princes}.", {"wazirs": ()}),
    "The game ended in a draw between {princes}, with {wazirs} as the richest {title}.",
    rule=("AA-K-2", "AA-K-3", "AA-K-9"), weight=100, heard=EVERYBODY,
)  # fmt: skip
class Drawn:
    """The remaining princes agreed to a draw, which includes the richest wazir (AA-K-2, AA-K-3, AA-K-9)."""

    event: Literal["princes_draw"] = "princes_draw"
    princes: tuple[SeatId, ...]
    wazirs: tuple[SeatId, ...]

    @property
    def title(self) -> str:
        """`wazir`, or `wazirs` if several are equally rich."""
        return "wazirs" if len(self.wazirs) > 1 else "wazir"


@fact(
    "{wazirs} won with {dinars:many dinar} against the {centres} centres of {prince}.",
    rule="AA-K-5", weight=110, heard=EVERYBODY,
)  # fmt: skip
class WazirWon:
    """A wazir, or several, won with enough dinars for each centre of the strongest prince (AA-K-5)."""

    event: Literal["wazir_won"] = "wazir_won"
    wazirs: tuple[SeatId, ...]
    dinars: Whole
    prince: SeatId
    centres: Whole


OwnEvent: TypeAlias = (
    Silent
    | Vacant
    | Ascended
    | Hired
    | Plundered
    | Arrested
    | Paid
    | HeldBack
    | TreasuryLost
    | CourtFell
    | Decided
    | Appointed
    | CommandEnded
    | Departed
    | DrawVote
    | Drawn
    | WazirWon
)
OWN: Facts[OwnEvent] = Facts.of(OwnEvent)
"""Facts about the courts. Those about the war are in Diplomacy."""
AnyEvent: TypeAlias = OwnEvent | diplomacy.AnyEvent
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""An entry under `events` in `turn.yaml`."""
