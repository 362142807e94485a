"""The facts a Diplomacy turn can produce beside its verdicts, each naming its cause."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import DONE, SeatId, Verdict
from adjudicator.core.text.codec import record


@record
class UnitVerdict(Verdict):
    """What became of an order for a unit, and of the unit."""

    @property
    def ok(self) -> bool:
        """Whether the order did what it was to do, and its unit was not dislodged over it."""
        # Not super(): a record has slots, and so is another class than the one that is being written here.
        return self.result in DONE and not self.also

    @property
    def also(self) -> str:
        """`dislodged`, if the unit was."""
        return "dislodged" if "dislodged_by" in (self.facts or {}) else ""

    @property
    def idle(self) -> bool:
        """Whether the unit had no order and nobody attacked it."""
        return bool(self.implied) and self.reason == "unattacked"


@record
class Missing:
    """A power that owed a sheet sent none (DP-N-1)."""

    event: Literal["missing"] = "missing"
    power: SeatId


@record
class Forced:
    """A unit was dislodged and may retreat (DP-R-1)."""

    event: Literal["forced"] = "forced"
    power: SeatId
    unit: str
    by: str
    to: tuple[str, ...]
    """Where it may go."""


@record
class Destroyed:
    """A dislodged unit had nowhere to go (DP-R-6)."""

    event: Literal["destroyed"] = "destroyed"
    power: SeatId
    unit: str
    by: str


@record
class Retreated:
    """A dislodged unit retreated (DP-R-1)."""

    event: Literal["retreated"] = "retreated"
    power: SeatId
    unit: str
    to: str


@record
class Disbanded:
    """A dislodged unit left the board: `ordered` (DP-R-8), `no-order` or `illegal` (DP-R-5), `collided` (DP-R-4)."""

    event: Literal["disbanded"] = "disbanded"
    power: SeatId
    unit: str
    why: Literal["ordered", "no-order", "illegal", "collided"]


@record
class Built:
    """A new unit (DP-W-3)."""

    event: Literal["built"] = "built"
    power: SeatId
    unit: str


@record
class Removed:
    """A unit was removed, as ordered (DP-W-7)."""

    event: Literal["removed"] = "removed"
    power: SeatId
    unit: str


@record
class Dissolved:
    """A unit was removed because its power ordered too few removals (DP-W-8)."""

    event: Literal["dissolved"] = "dissolved"
    power: SeatId
    unit: str
    distance: int


@record
class Unused:
    """Builds that were not used (DP-W-6)."""

    event: Literal["unused"] = "unused"
    power: SeatId
    builds: int


@record
class Taken:
    """A supply centre changed hands (DP-W-1)."""

    event: Literal["taken"] = "taken"
    centre: str
    power: SeatId
    lost_by: SeatId | None = None


@record
class Standoff:
    """A province was left empty because equals met there (DP-M-2)."""

    event: Literal["standoff"] = "standoff"
    province: str


@record
class Eliminated:
    """A power has neither units nor centres left (DP-V-4)."""

    event: Literal["eliminated"] = "eliminated"
    power: SeatId


@record
class Voted:
    """Powers voted for a draw; the game goes on unless all that are left did (DP-V-3)."""

    event: Literal["voted"] = "voted"
    powers: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]
    """Those whose votes were still missing."""


@record
class Conceded:
    """Powers would accept a power's victory; the game goes on unless all others that are left would (DP-V-5)."""

    event: Literal["conceded"] = "conceded"
    to: SeatId
    powers: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]
    """Those who have not said so."""


@record
class Won:
    """A power won alone: by its number of centres (DP-V-1), by those it holds (DP-V-7), or when the years were over (DP-V-8)."""

    event: Literal["won"] = "won"
    power: SeatId
    centres: int
    by: Literal["hold", "time"] | None = None


@record
class Drawn:
    """The game ended in a draw (DP-V-3)."""

    event: Literal["drawn"] = "drawn"
    powers: tuple[SeatId, ...]


AnyEvent: TypeAlias = (
    Missing
    | Forced
    | Destroyed
    | Retreated
    | Disbanded
    | Built
    | Removed
    | Dissolved
    | Unused
    | Taken
    | Standoff
    | Eliminated
    | Voted
    | Conceded
    | Won
    | Drawn
)
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""What `turn.yaml` holds under `events`."""
