"""The facts that a Diplomacy turn can produce besides its verdicts, each with its rule and its sentence."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.facts import EVERYBODY, Facts, Say, fact
from adjudicator.core.contract.resolution import DONE, SeatId, Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import many
from adjudicator.core.text.codec import record
from adjudicator.rulesets.diplomacy.position import Position


@record
class UnitVerdict(Verdict):
    """Result of an order for a unit, and whether the unit was dislodged."""

    @property
    def ok(self) -> bool:
        """Whether the order succeeded and its unit was not dislodged."""
        # Not super(): a record has slots, so the decorated class is not the class being defined here.
        return self.result in DONE and not self.also

    @property
    def also(self) -> str:
        """`dislodged` if the unit was dislodged, otherwise empty."""
        return "dislodged" if "dislodged_by" in (self.facts or {}) else ""

    @property
    def idle(self) -> bool:
        """Whether the unit had no order and nobody attacked it."""
        return bool(self.implied) and self.reason == "unattacked"


@fact(
    "{power} sent no sheet.",
    rule="DP-N-1", weight=0, heard=EVERYBODY, joins=Joint("{items} sent no sheets.", "{power}"),
)  # fmt: skip
class Missing:
    """A power that owed a sheet sent none (DP-N-1)."""

    event: Literal["missing"] = "missing"
    power: SeatId


@fact(
    "{power}’s {unit} was dislodged by {by} and may retreat to {to:or}.",
    rule="DP-R-1", weight=40, heard=EVERYBODY,
    joins=Joint("{power} had these units dislodged: {items}.", "{unit} by {by} (it may retreat to {to:or})"),
)  # fmt: skip
class Forced:
    """A unit was dislodged and may retreat (DP-R-1)."""

    event: Literal["forced"] = "forced"
    power: SeatId
    unit: str
    by: str
    to: tuple[str, ...]
    """Places it may retreat to."""


@fact(
    "{power}’s {unit} was dislodged by {by}, had nowhere to retreat and was destroyed.",
    rule="DP-R-6", weight=40, heard=EVERYBODY,
    joins=Joint("{power}’s {items} were dislodged, had nowhere to retreat and were destroyed.", "{unit} (by {by})"),
)  # fmt: skip
class Destroyed:
    """A dislodged unit had nowhere to retreat to and was destroyed (DP-R-6)."""

    event: Literal["destroyed"] = "destroyed"
    power: SeatId
    unit: str
    by: str


@fact(
    "{power}’s {unit} retreated to {to}.",
    rule="DP-R-1", weight=20, heard=EVERYBODY, joins=Joint("{power}’s units retreated: {items}.", "{unit} to {to}"),
)  # fmt: skip
class Retreated:
    """A dislodged unit retreated (DP-R-1)."""

    event: Literal["retreated"] = "retreated"
    power: SeatId
    unit: str
    to: str


@fact(
    Say("{power}’s {unit} disbanded, as ordered.", {"why": "ordered"}),
    Say("{power}’s {unit} was given no retreat order and disbanded.", {"why": "no-order"}),
    Say("{power}’s {unit} was given an impossible retreat and disbanded.", {"why": "illegal"}),
    "{power}’s {unit} retreated to the same place as another unit and disbanded.",
    rule=("DP-R-4", "DP-R-5", "DP-R-8"), weight=20, heard=EVERYBODY,
    joins=(
        Joint("{items} disbanded, as ordered.", "{power}’s {unit}", {"why": "ordered"}),
        Joint("{items} were given no retreats and disbanded.", "{power}’s {unit}", {"why": "no-order"}),
        Joint("{items} were given impossible retreats and disbanded.", "{power}’s {unit}", {"why": "illegal"}),
        Joint("{items} retreated to the same places as other units and disbanded.", "{power}’s {unit}", {"why": "collided"}),
    ),
)  # fmt: skip
class Disbanded:
    """A dislodged unit left the board: `ordered` (DP-R-8), `no-order` or `illegal` (DP-R-5), `collided` (DP-R-4)."""

    event: Literal["disbanded"] = "disbanded"
    power: SeatId
    unit: str
    why: Literal["ordered", "no-order", "illegal", "collided"]


@fact(
    "{power} built {unit}.",
    rule="DP-W-3", weight=20, heard=EVERYBODY, joins=Joint("{power} built {items}.", "{unit}"),
)  # fmt: skip
class Built:
    """A power built a unit (DP-W-3)."""

    event: Literal["built"] = "built"
    power: SeatId
    unit: str


@fact(
    "{power} removed {unit}.",
    rule="DP-W-7", weight=20, heard=EVERYBODY, joins=Joint("{power} removed {items}.", "{unit}"),
)  # fmt: skip
class Removed:
    """A unit was removed, as ordered (DP-W-7)."""

    event: Literal["removed"] = "removed"
    power: SeatId
    unit: str


def dissolved(position: Position, told: Dissolved) -> str:
    """The sentence about a unit removed for lack of orders, with its distance from the nearest centre if its power owns one."""
    if told.distance is None:
        return f"{told.power} ordered too few removals and lost {told.unit}, as the dice decided."
    if told.distance >= len(position.settings.ground.provinces):
        why = (
            "which cannot get to its centres by itself" if position.centres.get(told.power) else "for it owns no centre"
        )
        return f"{told.power} ordered too few removals and lost {told.unit}, {why}."
    away = f"{many(told.distance, 'move')} from its nearest centre"
    return f"{told.power} ordered too few removals and lost {told.unit}, {away}."


@fact(
    dissolved,
    rule="DP-W-8", weight=20, heard=EVERYBODY,
)  # fmt: skip
class Dissolved:
    """A unit was removed because its power ordered too few removals (DP-W-8)."""

    event: Literal["dissolved"] = "dissolved"
    power: SeatId
    unit: str
    distance: int | None = None
    """Moves to the nearest centre that counts; None if the dice picked the unit."""


@fact(
    "{power} left {builds:many build} unused.",
    rule="DP-W-6", weight=0, heard=EVERYBODY, joins=Joint("Builds were left unused by {items}.", "{power} ({builds})"),
)  # fmt: skip
class Unused:
    """A power left builds unused (DP-W-6)."""

    event: Literal["unused"] = "unused"
    power: SeatId
    builds: int


@fact(
    Say("{power} took {centre}.", {"lost_by": None}, weight=50),
    Say("{power} took {centre}.", {"lost_by_itself": True}),
    "{power} took {centre} from {lost_by}.",
    rule="DP-W-1", weight=60, heard=EVERYBODY,
    joins=(
        Joint("{power} took {items} from {loser}.", "{centre}", chain=True),
        Joint("{power} took {items}.", "{centre}", chain=True),
    ),
)  # fmt: skip
class Taken:
    """A supply centre changed hands (DP-W-1)."""

    event: Literal["taken"] = "taken"
    centre: str
    power: SeatId
    lost_by: SeatId | None = None

    @property
    def lost_by_itself(self) -> bool:
        """Whether the power that lost the centre is named after it, as a power that no player leads may be."""
        return self.lost_by == self.centre

    @property
    def loser(self) -> SeatId | None:
        """The power that lost the centre; None if nobody held it, or a power that is named after it."""
        return None if self.lost_by_itself else self.lost_by


@fact(
    "A standoff left {province} empty.",
    rule="DP-M-2", weight=10, heard=EVERYBODY, joins=Joint("Standoffs left {items} empty.", "{province}"),
)  # fmt: skip
class Standoff:
    """A province was left empty because units of equal strength met there (DP-M-2)."""

    event: Literal["standoff"] = "standoff"
    province: str


@fact(
    "{power} was eliminated.",
    rule="DP-V-4", weight=80, heard=EVERYBODY, joins=Joint("{items} were eliminated.", "{power}"),
)  # fmt: skip
class Eliminated:
    """A power has neither units nor centres left (DP-V-4)."""

    event: Literal["eliminated"] = "eliminated"
    power: SeatId


@fact(
    Say("{powers} voted for a draw.", {"needed": ()}),
    "{powers} voted for a draw; {needed} did not.",
    rule="DP-V-3", weight=30, heard=EVERYBODY,
)  # fmt: skip
class Voted:
    """Powers voted for a draw; the game goes on unless all surviving powers did (DP-V-3)."""

    event: Literal["voted"] = "voted"
    powers: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]
    """Powers whose votes were still missing."""


@fact(
    Say("{powers} voted for a draw among {among}.", {"needed": ()}, weight=60),
    "{powers} voted for a draw among {among}; {needed} did not.",
    rule="DP-V-11", weight=30, heard=EVERYBODY,
)  # fmt: skip
class VotedAmong:
    """Powers voted for a draw among the powers that they named; it needs all that are left (DP-V-11)."""

    event: Literal["voted-among"] = "voted-among"
    among: tuple[SeatId, ...]
    powers: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]
    """Surviving powers that named others, or nobody."""


@fact(
    Say("{powers} conceded the game to {to}.", {"needed": ()}, weight=100),
    "{powers} would concede the game to {to}; {needed} would not.",
    rule="DP-V-5", weight=30, heard=EVERYBODY,
)  # fmt: skip
class Conceded:
    """Powers conceded the game to another one. It ends if all surviving powers but that one did so (DP-V-5)."""

    event: Literal["conceded"] = "conceded"
    to: SeatId
    powers: tuple[SeatId, ...]
    needed: tuple[SeatId, ...]
    """Surviving powers other than `to` that did not concede."""


@fact(
    Say("{power} won alone with {centres:many supply centre}, among them those that win.", {"by": "hold"}),
    Say("{power} won alone with {centres:many supply centre}, more than any other when the years were over.", {"by": "time"}),
    Say("{power} won with {centres:many supply centre}, together with others.", {"by": "shared"}),
    "{power} won alone with {centres:many supply centre}.",
    rule=("DP-V-1", "DP-V-7", "DP-V-8", "DP-V-10"), weight=100, heard=EVERYBODY,
)  # fmt: skip
class Won:
    """A power won: by its number of centres (DP-V-1), by those it holds (DP-V-7), when the years were over (DP-V-8), or with others (DP-V-10)."""

    event: Literal["won"] = "won"
    power: SeatId
    centres: int
    by: Literal["hold", "time", "shared"] | None = None


@fact(
    "The game ended in a draw between {powers}.",
    rule="DP-V-3", weight=100, heard=EVERYBODY,
)  # fmt: skip
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
    | VotedAmong
    | Conceded
    | Won
    | Drawn
)
FACTS: Facts[AnyEvent] = Facts.of(AnyEvent)
weight, JOINTS = FACTS.weight, FACTS.joints
"""The end of the game weighs most, then eliminations, then centres, then units."""
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""One entry under `events` in `turn.yaml`."""
