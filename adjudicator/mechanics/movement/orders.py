"""Orders for units, as immutable values, and their outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Named:
    """A unit as a player names it. `kind` and `coast` are empty if the player omitted them."""

    kind: str
    province: str
    coast: str = ""


@dataclass(frozen=True, slots=True)
class Hold:
    """The unit stays."""

    unit: Named


@dataclass(frozen=True, slots=True)
class Move:
    """The unit goes to a province; `via` is True if the order says `via convoy`. Retreats are moves too.

    `retreat` is True if the order says that the unit retreats: a turn of moves has no such orders.
    """

    unit: Named
    to: str
    coast: str = ""
    via: bool = False
    retreat: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class SupportHold:
    """The unit helps another to hold its place."""

    unit: Named
    target: Named


@dataclass(frozen=True, slots=True)
class SupportMove:
    """The unit helps another into a province."""

    unit: Named
    target: Named
    to: str
    coast: str = ""


@dataclass(frozen=True, slots=True)
class Convoy:
    """The fleet carries an army over its sea."""

    unit: Named
    target: Named
    to: str
    coast: str = ""


Order: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy


class Result(StrEnum):
    """Result of an order, in the words of the test cases (DATC)."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    GIVEN = "given"
    CUT = "cut"
    AVAILABLE = "available"
    DISRUPTED = "disrupted"
    STANDS = "stands"
    INVALID = "invalid"
    ILLEGAL = "illegal"


class Reason(StrEnum):
    """Reason for a result. Each reason has one sentence in every ruleset that uses it.

    Values are stored in turns: `rotated` is a circular movement, `held-off` a bounce and `overcome` a dislodgement.
    """

    # Illegal orders: the unit holds (DATC 4.E.1).
    NO_UNIT = "no-unit"
    NOT_YOURS = "not-yours"
    WRONG_KIND = "wrong-kind"
    ORDERED_TWICE = "ordered-twice"
    REPLACED = "replaced"
    SAME_PLACE = "same-place"
    NOT_ADJACENT = "not-adjacent"
    ARMY_TO_SEA = "army-to-sea"
    FLEET_TO_LAND = "fleet-to-land"
    COAST_NEEDED = "coast-needed"
    WRONG_COAST = "wrong-coast"
    ON_OTHER_COAST = "on-other-coast"
    NO_ROUTE = "no-route"
    ONLY_ARMIES_CONVOYED = "only-armies-convoyed"
    SUPPORTS_ITSELF = "supports-itself"
    SUPPORT_OUT_OF_REACH = "support-out-of-reach"
    SUPPORTED_CANNOT_REACH = "supported-cannot-reach"
    SUPPORTED_ABSENT = "supported-absent"
    CONVOY_NOT_AT_SEA = "convoy-not-at-sea"
    CONVOYED_ABSENT = "convoyed-absent"
    CONVOY_USELESS = "convoy-useless"
    NEVER_CONVOYED = "never-convoyed"
    # Moves.
    UNOPPOSED = "unopposed"
    STRONGER = "stronger"
    FOLLOWED = "followed"
    CIRCULAR = "rotated"
    BOUNCED = "held-off"
    STANDOFF = "standoff"
    HEAD_TO_HEAD = "head-to-head"
    OWN_UNIT = "own-unit"
    CONVOY_MISSING = "convoy-missing"
    CONVOY_BROKEN = "convoy-broken"
    PARADOX = "paradox"
    SORTIE = "sortie"
    # Supports.
    SUPPORTED = "supported"
    AGAINST_OWN = "against-own"
    CUT_BY_ATTACK = "cut-by-attack"
    CUT_BY_DISLODGEMENT = "cut-by-dislodgement"
    NOT_AS_SUPPORTED = "not-as-supported"
    OTHER_COAST = "other-coast"
    # Convoys.
    CONVOYED = "convoyed"
    CONVOY_DISLODGED = "convoy-dislodged"
    CONVOY_UNUSED = "convoy-unused"
    NOT_AS_CONVOYED = "not-as-convoyed"
    # Holds.
    UNATTACKED = "unattacked"
    WITHSTOOD = "withstood"
    DISLODGED = "overcome"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one order, with the cause.

    `strength` is the order's strength, and `against` the strength that it was compared with. `by` are the provinces of the
    units that caused the result, `their_supporters` those of the units whose supports counted for them, `supporters` those
    of the units whose supports counted for this order. `dislodged` is the province where the dislodging attack started, or `""`.
    """

    result: Result
    reason: Reason
    strength: int = 0
    against: int = 0
    by: tuple[str, ...] = ()
    their_supporters: tuple[str, ...] = ()
    supporters: tuple[str, ...] = ()
    dislodged: str = ""
