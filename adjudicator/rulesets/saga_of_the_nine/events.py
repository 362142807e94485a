"""Facts that a turn of a saga can produce besides those of the war, each with its rule and its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Field as Choice

from adjudicator.core.contract.facts import EVERYBODY, Facts, Say, fact
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.rulesets import diplomacy


@record
class Offered:
    """DP that one Major bid for an order."""

    major: SeatId
    dp: Whole
    triple: Flag | None = None
    """True if each of them counted three times (S9-D-11)."""


@record
class Bidden:
    """All bids for one order of a unit."""

    order: str
    total: Whole
    by: tuple[Offered, ...]


def left_behind(removed: tuple[str, ...], left: tuple[str, ...]) -> str:
    """The end of a sentence about an elimination: which units left the board, and which centres belong to nobody now."""
    units = f"; {join_words(removed)} left the board" if removed else ""
    return units + (f"; {join_words(left)} now belong{'s' if len(left) == 1 else ''} to nobody" if left else "")


def tied(_: object, decided: Decided) -> str:
    """The sentence about a unit that holds because the bids on it tie."""
    bids = decided.bids
    same = [bid for bid in bids if bid.total == bids[0].total]
    return f"{decided.unit} holds because the bids tie at {bids[0].total} DP: {join_words(map(_bid, same))}{_against(bids[len(same) :])}."


def told(_: object, decided: Decided) -> str:
    """The sentence about a unit that carries out the order with the highest sum."""
    first, *others = decided.bids
    done = f"“{decided.unit} {decided.order}” won"
    return f"{done} with {first.total} DP ({_givers(first.by)}){_against(others)}."


def _bid(bid: Bidden) -> str:
    """An order that was bid for, with its bidders."""
    return f"{'hold' if bid.order == 'H' else f'“{bid.order}”'} ({_givers(bid.by)})"


def _against(bids: Sequence[Bidden]) -> str:
    """The losing sums, as the end of a sentence."""
    return f", against {join_words(f'{bid.total} for {_bid(bid)}' for bid in bids)}" if bids else ""


def _givers(offered: tuple[Offered, ...]) -> str:
    return join_words(f"{offer.major} {offer.dp}{' × 3' if offer.triple else ''}" for offer in offered)


@fact(
    Say(tied, {"order": None}),
    told,
    rule=("S9-D-9", "S9-D-10", "S9-D-18"), weight=5, heard=EVERYBODY,
)  # fmt: skip
class Decided:
    """The outcome of the bids on a unit (S9-D-9, S9-D-10, S9-D-18)."""

    event: Literal["decided"] = "decided"
    power: SeatId
    """The unit's owner: a Minor, a Thrall or a Vassal."""
    unit: str
    order: str | None = None
    """The order that the unit got; None if the bids tied, and then it holds."""
    bids: tuple[Bidden, ...]
    """The bids for each order, highest sum first."""


@fact(
    Say("{minor} became {major:whose} Thrall, and the heir moved there from {capital}.", {"helped": ()}),
    "{minor} became {major:whose} Thrall with help from {helped}, and the heir moved there from {capital}.",
    rule=("S9-T-7", "S9-M-7"), weight=75, heard=EVERYBODY,
)  # fmt: skip
class Wed:
    """An heir married a Minor, which is now a Thrall (S9-T-7)."""

    event: Literal["wed"] = "wed"
    major: SeatId
    minor: SeatId
    capital: str
    """The Capital that the heir came from."""
    helped: tuple[SeatId, ...] = ()
    """Other Majors whose DP helped to decide the marriage (S9-M-7)."""


@fact(
    "The heirs of {giver} and {receiver} are betrothed, to wed in {at}.",
    rule="S9-V-11", weight=55, heard=EVERYBODY,
)  # fmt: skip
class Promised:
    """Two heirs are betrothed until the Census (S9-V-11)."""

    event: Literal["promised"] = "promised"
    giver: SeatId
    receiver: SeatId
    at: str


@fact(
    "The heirs of {giver} and {receiver} did not wed: {by} took {where}.",
    rule=("S9-V-9", "S9-V-10"), weight=65, heard=EVERYBODY,
)  # fmt: skip
class Parted:
    """A betrothal failed at the Census: another power's unit was in the Location or in a Capital (S9-V-9, S9-V-10)."""

    event: Literal["parted"] = "parted"
    giver: SeatId
    receiver: SeatId
    at: str
    where: str
    """The Location or Capital where that unit was."""
    by: SeatId


@fact(
    Say("The heirs of {giver} and {receiver} wed in {capital}, which is now {vassal:whose} Capital.", {"unit": None}),
    "The heirs of {giver} and {receiver} wed in {capital}, which is now {vassal:whose} Capital, and {unit} is its unit.",
    rule=("S9-V-12", "S9-V-13"), weight=80, heard=EVERYBODY,
)  # fmt: skip
class Founded:
    """Two heirs married, and their Vassal was made (S9-V-12, S9-V-13)."""

    event: Literal["founded"] = "founded"
    vassal: SeatId
    giver: SeatId
    receiver: SeatId
    capital: str
    unit: str | None = None
    """The Giver's unit that became the Vassal's."""


@fact(
    "{by} took {at}, and killed {major:whose} heir there.",
    rule="S9-H-10", weight=70, heard=EVERYBODY,
    joins=Joint("Heirs were killed: {items}.", "{major:whose} in {at} by {by}"),
)  # fmt: skip
class HeirKilled:
    """An heir died in a centre that was captured (S9-H-10)."""

    event: Literal["heir_killed"] = "heir_killed"
    major: SeatId
    at: str
    by: SeatId


@fact(
    "{thrall} is no longer {controller:whose} Thrall: {by} took it.",
    rule="S9-T-14", weight=50, heard=EVERYBODY,
    joins=Joint("Thralls were lost: {items}.", "{controller:whose} {thrall} to {by}"),
)  # fmt: skip
class ThrallLost:
    """A Thrall was lost: its centre was captured (S9-T-14)."""

    event: Literal["thrall_lost"] = "thrall_lost"
    thrall: SeatId
    controller: SeatId
    by: SeatId


@fact(
    "{power} has lost {capital} and has no heir, so it is eliminated{behind}.",
    rule=("S9-H-13", "S9-X-7"), weight=90, heard=EVERYBODY,
)  # fmt: skip
class Fallen:
    """A Major was eliminated: without a living heir, and without its Capital (S9-H-13, S9-X-7)."""

    event: Literal["fallen"] = "fallen"
    power: SeatId
    capital: str
    removed: tuple[str, ...] = ()
    """Its units, which left the board."""
    left: tuple[str, ...] = ()
    """Its centres, which belong to nobody."""

    @property
    def behind(self) -> str:
        """The end of the sentence: which units left the board, and which centres belong to nobody now."""
        return left_behind(self.removed, self.left)


@fact(
    "{vassal} lost its Capital, {capital}, and was eliminated{behind}.",
    rule=("S9-V-31", "S9-V-32", "S9-X-7"), weight=80, heard=EVERYBODY,
)  # fmt: skip
class VassalFallen:
    """A Vassal was eliminated: it lost its Capital (S9-V-31, S9-V-32, S9-X-7)."""

    event: Literal["vassal_fallen"] = "vassal_fallen"
    vassal: SeatId
    controllers: tuple[SeatId, SeatId]
    capital: str
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def behind(self) -> str:
        """The end of the sentence: which units left the board, and which centres belong to nobody now."""
        return left_behind(self.removed, self.left)


@fact(
    "{power:whose} {unit} grew back.",
    rule="S9-E-9", weight=8, heard=EVERYBODY,
    joins=Joint("Units grew back: {items}.", "{power:whose} {unit}"),
)  # fmt: skip
class Regrown:
    """A Minor or Thrall got its unit back (S9-E-9)."""

    event: Literal["regrown"] = "regrown"
    power: SeatId
    unit: str


@fact(
    "{major} has a new heir, in {at}.",
    rule="S9-H-6", weight=25, heard=EVERYBODY,
    joins=Joint("New heirs were born in their Capitals: {items}.", "{major:whose} in {at}"),
)  # fmt: skip
class HeirBuilt:
    """A Major has a new heir in its Capital (S9-H-6)."""

    event: Literal["heir_built"] = "heir_built"
    major: SeatId
    at: str


@fact(
    "{vassal} is now called {name}.",
    rule="S9-V-34", weight=25, heard=EVERYBODY,
)  # fmt: skip
class Renamed:
    """A young Vassal got the name that both its controllers wrote (S9-V-34)."""

    event: Literal["renamed"] = "renamed"
    vassal: SeatId
    name: SeatId


@fact(
    Say("{power} won: no other Major is left.", {"last": True}),
    "{power} won alone with a total of {total}: {parts}.",
    rule=("S9-K-2", "S9-K-9"), weight=110, heard=EVERYBODY,
)  # fmt: skip
class Triumph:
    """A Major won outright: by its total (S9-K-2), or as the last one left (S9-K-9)."""

    event: Literal["triumph"] = "triumph"
    power: SeatId
    own: Whole
    thralls: Whole
    shared: Whole
    last: Flag = False
    """True if it is the last Major."""

    @property
    def total(self) -> int:
        """The winning total."""
        return self.own + self.thralls + self.shared

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the total, in words."""
        others = ((self.thralls, "Thralls"), (self.shared, "Vassals"))
        return (
            f"{many(self.own, 'centre')} of their own",
            *(f"{number} of {whose}" for number, whose in others if number),
        )


@record
class Placed:
    """A Major's place in a draw, and the numbers that decided it (S9-K-8)."""

    power: SeatId
    place: Annotated[Whole, Choice(ge=1)]
    """1 for the first. Majors that tie share a place."""
    total: Whole = 0
    own: Whole = 0
    fell: Whole | None = None
    """The cycle of its elimination."""


@fact(
    Say("Nobody is left; the game ended in a draw between those who fell last: {powers}.", {"why": "all-fell"}),
    "The game ended in a draw between {powers}: {cause}. {ranked}.",
    rule=("S9-K-5", "S9-K-7", "S9-K-9"), weight=110, heard=EVERYBODY,
)  # fmt: skip
class Shared:
    """The game ended in a draw: all voted for it (S9-K-5), the last cycle is over (S9-K-7), or all fell (S9-K-9)."""

    event: Literal["shared"] = "shared"
    powers: tuple[SeatId, ...]
    why: Literal["vote", "cycles", "all-fell"]
    places: tuple[Placed, ...] = ()
    """All Majors, best place first; empty if all fell."""
    silent: tuple[SeatId, ...] = ()
    """Majors that did not vote, but could not prevent the draw, because they missed two phases of orders in a row (S9-K-11)."""

    @property
    def cause(self) -> str:
        """Why the game ended. After a vote, Majors whose silence did not prevent the draw are named separately (S9-K-11)."""
        if self.why != "vote":
            return "the last cycle is over"
        if not self.silent:
            return "all voted for it"
        asked = [power for power in self.powers if power not in self.silent]
        return f"{join_words(asked)} voted for it, and {join_words(self.silent)}, who sent no orders twice in a row, could not prevent it"

    @property
    def ranked(self) -> str:
        """The sentence about who is first, with their total."""
        first = [place.power for place in self.places if place.place == 1]
        if {*first} == {*self.powers}:
            return f"All have the same place, with {self.places[0].total} each"
        return f"{join_words(first)} {'is' if len(first) == 1 else 'are'} first with {self.places[0].total}"


@fact(
    Say("{powers} voted for a draw; {needed} did not.", {"silent": ()}),
    "{powers} voted for a draw; {needed} did not. {silent}, who sent no orders twice in a row, cannot prevent one.",
    rule=("S9-K-5", "S9-K-11"), weight=30, heard=EVERYBODY,
)  # fmt: skip
class DrawVote:
    """Majors whose votes for a draw are in force, and those whose votes are missing (S9-K-5)."""

    event: Literal["draw_vote"] = "draw_vote"
    powers: tuple[SeatId, ...]
    """Majors that voted for a draw."""
    needed: tuple[SeatId, ...]
    silent: tuple[SeatId, ...] = ()
    """Majors that did not vote, but cannot prevent a draw, because they missed two phases of orders in a row (S9-K-11)."""


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
OWN: Facts[OwnEvent] = Facts.of(OwnEvent)
"""Facts about heirs, bids and the Census. Those about the war are in Diplomacy."""
AnyEvent: TypeAlias = OwnEvent | diplomacy.AnyEvent
Event = Annotated[AnyEvent, Choice(discriminator="event")]
"""An entry under `events` in `turn.yaml`."""
