"""The facts that an Al-Andalus turn can produce beside those of the war, each naming its rule."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import Whole, record
from adjudicator.rulesets import diplomacy


@record
class Silent:
    """A prince sent nothing and is treated as if they ordered an arrest (AA-I-1)."""

    event: Literal["silent"] = "silent"
    prince: SeatId


@record
class Vacant:
    """A seat missed two turns of moves and is to be given to another (AA-I-4); a prince's as their wazir chooses (AA-I-5)."""

    event: Literal["vacant"] = "vacant"
    seat: SeatId
    chooser: SeatId | None = None
    """The wazir who chooses; the host where there is none (AA-I-6)."""


@record
class Ascended:
    """A wazir took the place of their prince; their dinars are lost and their seat begins anew, free (AA-I-5, AA-I-6)."""

    event: Literal["ascended"] = "ascended"
    wazir: SeatId
    prince: SeatId
    dinars: Whole


@record
class Hired:
    """A wazir came to a court, and got what waited for them there (AA-E-3, AA-F-5)."""

    event: Literal["hired"] = "hired"
    wazir: SeatId
    prince: SeatId
    left: SeatId | None = None
    """The court they came from."""
    dinars: Whole = 0


@record
class Plundered:
    """A wazir plundered their prince: all units held, a dinar for each (AA-G-1)."""

    event: Literal["plundered"] = "plundered"
    wazir: SeatId
    prince: SeatId
    dinars: Whole


@record
class Arrested:
    """A prince arrested their wazir: half the dinars, rounded down, into the treasury (AA-H-2, AA-H-3)."""

    event: Literal["arrested"] = "arrested"
    prince: SeatId
    wazir: SeatId | None = None
    """None when no wazir was there to be arrested (AA-H-6)."""
    had: Whole = 0
    taken: Whole = 0


@record
class Paid:
    """A wazir's pay for a season: a dinar for each unit that held by order (AA-F-1)."""

    event: Literal["paid"] = "paid"
    wazir: SeatId
    prince: SeatId
    dinars: Whole
    units: tuple[str, ...]


@record
class HeldBack:
    """A unit was held because its prince left none fallow (AA-B-3, AA-D-2)."""

    event: Literal["held_back"] = "held_back"
    prince: SeatId
    unit: str
    distance: Whole


@record
class TreasuryLost:
    """A treasury vanished with its prince (AA-F-6)."""

    event: Literal["treasury_lost"] = "treasury_lost"
    prince: SeatId
    dinars: Whole


@record
class CourtFell:
    """A prince lost their last centre, and their wazir awaits a fate or goes free (AA-J-1, AA-J-2, AA-J-5)."""

    event: Literal["court_fell"] = "court_fell"
    prince: SeatId
    wazir: SeatId
    conqueror: SeatId | None = None


@record
class Decided:
    """A conqueror took a wazir over, had them executed, or let them go (AA-J)."""

    event: Literal["decided"] = "decided"
    conqueror: SeatId
    wazir: SeatId
    fate: Literal["take", "execute", "free"]
    dinars: Whole = 0
    """What vanished with an executed wazir (AA-J-3)."""


@record
class Appointed:
    """A prince made their wazir general of a unit (AA-L-1, AA-L-14)."""

    event: Literal["appointed"] = "appointed"
    prince: SeatId
    wazir: SeatId
    unit: str


@record
class CommandEnded:
    """A wazir is no longer a general (AA-L-10, AA-L-12, AA-L-13, AA-L-20, AA-L-22)."""

    event: Literal["command_ended"] = "command_ended"
    wazir: SeatId
    unit: str
    why: Literal["arrested", "lost", "resigned", "removed", "landless", "fell", "throne"]


@record
class Departed:
    """A general left their prince with their unit and the land it took (AA-L-7, AA-L-8, AA-L-9)."""

    event: Literal["departed"] = "departed"
    wazir: SeatId
    prince: SeatId
    """Whose unit and land it was: the wazir's own, if they were their own master."""
    to: SeatId | None = None
    """The wazir's new prince; None when they are their own master."""
    unit: str
    land: tuple[str, ...]


@record
class DrawVote:
    """Princes whose votes for a draw stand, and those whose are missing (AA-K-2)."""

    event: Literal["draw_vote"] = "draw_vote"
    princes: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]


@record
class Drawn:
    """The princes that were left agreed a draw, and the richest wazir is in it (AA-K-2, AA-K-3, AA-K-9)."""

    event: Literal["princes_draw"] = "princes_draw"
    princes: tuple[SeatId, ...]
    wazirs: tuple[SeatId, ...]


@record
class WazirWon:
    """A wazir had more dinars than the strongest prince could match (AA-K-5)."""

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
OWN = (
    Silent, Vacant, Ascended, Hired, Plundered, Arrested, Paid, HeldBack, TreasuryLost, CourtFell, Decided, Appointed,
    CommandEnded, Departed, DrawVote, Drawn, WazirWon,
)  # fmt: skip
AnyEvent: TypeAlias = OwnEvent | diplomacy.AnyEvent
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""What `turn.yaml` holds under `events`."""
