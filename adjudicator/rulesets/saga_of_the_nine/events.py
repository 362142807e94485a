"""The facts that a turn of a saga can produce beside those of the war, each naming its rule."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.rulesets import diplomacy


@record
class Offered:
    """DP that one Major bid for an order."""

    major: SeatId
    dp: Whole
    triple: Flag | None = None
    """True where each counted 3 (S9-D-11)."""


@record
class Bidden:
    """All that was bid for one order of a unit."""

    order: str
    total: Whole
    by: tuple[Offered, ...]


@record
class Decided:
    """What the bids on a unit came to (S9-D-9, S9-D-10, S9-D-18)."""

    event: Literal["decided"] = "decided"
    power: SeatId
    """Whose unit it is: a Minor's, a Thrall's or a Vassal's."""
    unit: str
    order: str | None = None
    """What it was told; None for a tie, and then it holds."""
    bids: tuple[Bidden, ...]
    """The highest sum first."""


@record
class Wed:
    """An heir married a Minor, which is a Thrall now (S9-T-7)."""

    event: Literal["wed"] = "wed"
    major: SeatId
    minor: SeatId
    capital: str
    """Whence the heir came."""
    helped: tuple[SeatId, ...] = ()
    """Other Majors whose DP told the Minor to marry (S9-M-7)."""


@record
class Promised:
    """Two heirs are betrothed until the Census (S9-V-11)."""

    event: Literal["promised"] = "promised"
    giver: SeatId
    receiver: SeatId
    at: str


@record
class Parted:
    """A betrothal failed at the Census: a stranger stood in the Location or in a Capital (S9-V-9, S9-V-10)."""

    event: Literal["parted"] = "parted"
    giver: SeatId
    receiver: SeatId
    at: str
    where: str
    """The place that was captured."""
    by: SeatId


@record
class Founded:
    """Two heirs married, and their Vassal was made (S9-V-12, S9-V-13)."""

    event: Literal["founded"] = "founded"
    vassal: SeatId
    giver: SeatId
    receiver: SeatId
    capital: str
    unit: str | None = None
    """The Giver's unit that became the Vassal's."""


@record
class HeirKilled:
    """An heir died in a centre that was captured (S9-H-10)."""

    event: Literal["heir_killed"] = "heir_killed"
    major: SeatId
    at: str
    by: SeatId


@record
class ThrallLost:
    """A Thrall is no more: its centre was captured (S9-T-14)."""

    event: Literal["thrall_lost"] = "thrall_lost"
    thrall: SeatId
    controller: SeatId
    by: SeatId


@record
class Fallen:
    """A Major was eliminated: without a living heir, and without its Capital (S9-H-13, S9-X-7)."""

    event: Literal["fallen"] = "fallen"
    power: SeatId
    capital: str
    removed: tuple[str, ...] = ()
    """Its units, which left the board."""
    left: tuple[str, ...] = ()
    """Its centres, which belong to nobody."""


@record
class VassalFallen:
    """A Vassal was eliminated: it lost its Capital (S9-V-31, S9-V-32, S9-X-7)."""

    event: Literal["vassal_fallen"] = "vassal_fallen"
    vassal: SeatId
    controllers: tuple[SeatId, SeatId]
    capital: str
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


@record
class Regrown:
    """A Minor or Thrall got its unit back (S9-E-9)."""

    event: Literal["regrown"] = "regrown"
    power: SeatId
    unit: str


@record
class HeirBuilt:
    """A Major has a new heir in its Capital (S9-H-6)."""

    event: Literal["heir_built"] = "heir_built"
    major: SeatId
    at: str


@record
class Renamed:
    """A young Vassal got the name that both who control it wrote (S9-V-34)."""

    event: Literal["renamed"] = "renamed"
    vassal: SeatId
    name: SeatId


@record
class Triumph:
    """A Major won alone: by its total (S9-K-2), or as the last that is left (S9-K-9)."""

    event: Literal["triumph"] = "triumph"
    power: SeatId
    own: Whole
    thralls: Whole
    shared: Whole
    last: Flag = False
    """Whether it is the last Major."""

    @property
    def total(self) -> int:
        """What it won with."""
        return self.own + self.thralls + self.shared


@record
class Placed:
    """A Major's place in a draw, and what gave it (S9-K-8)."""

    power: SeatId
    place: Annotated[Whole, Choice(ge=1)]
    """1 for the first; Majors that tie have the same."""
    total: Whole = 0
    own: Whole = 0
    fell: Whole | None = None
    """The cycle in which it was eliminated."""


@record
class Shared:
    """The game ended as a draw: all voted for it (S9-K-5), the last cycle is over (S9-K-7), or all fell (S9-K-9)."""

    event: Literal["shared"] = "shared"
    powers: tuple[SeatId, ...]
    why: Literal["vote", "cycles", "all-fell"]
    places: tuple[Placed, ...] = ()
    """All Majors, the first ones first; empty where all fell."""
    silent: tuple[SeatId, ...] = ()
    """Of a vote those who never voted, and barred nothing as they sent nothing twice (S9-K-11)."""


@record
class DrawVote:
    """Majors whose votes for a draw stand, and those whose are missing (S9-K-5)."""

    event: Literal["draw_vote"] = "draw_vote"
    powers: tuple[SeatId, ...]
    """Those who voted for it."""
    needed: tuple[SeatId, ...]
    silent: tuple[SeatId, ...] = ()
    """Those who bar nothing, as they sent nothing twice (S9-K-11)."""


OwnEvent: TypeAlias = (
    Decided
    | Wed
    | Promised
    | Parted
    | Founded
    | HeirKilled
    | ThrallLost
    | Fallen
    | VassalFallen
    | Regrown
    | HeirBuilt
    | Renamed
    | Triumph
    | Shared
    | DrawVote
)
OWN = (
    Decided, Wed, Promised, Parted, Founded, HeirKilled, ThrallLost, Fallen, VassalFallen, Regrown, HeirBuilt, Renamed,
    Triumph, Shared, DrawVote,
)  # fmt: skip
AnyEvent: TypeAlias = OwnEvent | diplomacy.AnyEvent
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""What `turn.yaml` holds under `events`."""
