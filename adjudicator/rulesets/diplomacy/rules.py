"""The rulebook's rule behind each reason."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.mechanics.adjustments import AdjustReason
from adjudicator.mechanics.movement import Reason
from adjudicator.mechanics.retreats import RetreatReason

UNREADABLE = "unreadable"
"""The reason for a line that could not be read."""
NOT_NOW = "not-now"
"""The reason for a build, removal or waiver in a turn of moves."""

RULE_OF: Mapping[str, str] = {
    UNREADABLE: "DP-O-7",
    NOT_NOW: "DP-O-1",
    Reason.NO_UNIT: "DP-O-4",
    Reason.NOT_YOURS: "DP-O-4",
    Reason.WRONG_KIND: "DP-O-6",
    Reason.ORDERED_TWICE: "DP-O-5",
    Reason.REPLACED: "DP-O-5",
    Reason.SAME_PLACE: "DP-M-12",
    Reason.NOT_ADJACENT: "DP-M-1",
    Reason.ARMY_TO_SEA: "DP-G-6",
    Reason.FLEET_TO_LAND: "DP-G-6",
    Reason.COAST_NEEDED: "DP-O-8",
    Reason.WRONG_COAST: "DP-O-8",
    Reason.ON_OTHER_COAST: "DP-O-9",
    Reason.NO_ROUTE: "DP-C-2",
    Reason.ONLY_ARMIES_CONVOYED: "DP-C-1",
    Reason.SUPPORTS_ITSELF: "DP-S-8",
    Reason.SUPPORT_OUT_OF_REACH: "DP-S-1",
    Reason.SUPPORTED_CANNOT_REACH: "DP-S-7",
    Reason.SUPPORTED_ABSENT: "DP-S-2",
    Reason.CONVOY_NOT_AT_SEA: "DP-C-1",
    Reason.CONVOYED_ABSENT: "DP-C-1",
    Reason.CONVOY_USELESS: "DP-C-9",
    Reason.UNOPPOSED: "DP-M-1",
    Reason.STRONGER: "DP-M-3",
    Reason.FOLLOWED: "DP-M-5",
    Reason.CIRCULAR: "DP-M-6",
    Reason.BOUNCED: "DP-M-4",
    Reason.STANDOFF: "DP-M-2",
    Reason.HEAD_TO_HEAD: "DP-M-7",
    Reason.OWN_UNIT: "DP-M-9",
    Reason.CONVOY_MISSING: "DP-C-2",
    Reason.CONVOY_BROKEN: "DP-C-3",
    Reason.PARADOX: "DP-C-8",
    Reason.SUPPORTED: "DP-S-2",
    Reason.AGAINST_OWN: "DP-M-9",
    Reason.CUT_BY_ATTACK: "DP-S-4",
    Reason.CUT_BY_DISLODGEMENT: "DP-S-5",
    Reason.NOT_AS_SUPPORTED: "DP-S-3",
    Reason.OTHER_COAST: "DP-S-6",
    Reason.CONVOYED: "DP-C-2",
    Reason.CONVOY_DISLODGED: "DP-C-3",
    Reason.CONVOY_UNUSED: "DP-C-5",
    Reason.NOT_AS_CONVOYED: "DP-C-2",
    Reason.UNATTACKED: "DP-O-2",
    Reason.WITHSTOOD: "DP-M-4",
    Reason.DISLODGED: "DP-M-3",
    RetreatReason.NO_UNIT: "DP-R-1",
    RetreatReason.NOT_A_RETREAT: "DP-R-7",
    RetreatReason.UNREACHABLE: "DP-R-1",
    RetreatReason.COAST_NEEDED: "DP-O-8",
    RetreatReason.OCCUPIED: "DP-R-2",
    RetreatReason.ATTACKER_CAME_FROM_THERE: "DP-R-2",
    RetreatReason.CONTESTED: "DP-R-2",
    RetreatReason.COLLIDED: "DP-R-4",
    RetreatReason.RETREATED: "DP-R-1",
    RetreatReason.DISBANDED: "DP-R-8",
    RetreatReason.NO_ORDER: "DP-R-5",
    AdjustReason.BUILT: "DP-W-3",
    AdjustReason.REMOVED: "DP-W-7",
    AdjustReason.WAIVED: "DP-W-6",
    AdjustReason.NOT_AN_ADJUSTMENT: "DP-W-2",
    AdjustReason.NOTHING_TO_BUILD: "DP-W-2",
    AdjustReason.TOO_MANY_BUILDS: "DP-W-5",
    AdjustReason.NOTHING_TO_REMOVE: "DP-W-2",
    AdjustReason.TOO_MANY_REMOVALS: "DP-W-5",
    AdjustReason.ALREADY_REMOVED: "DP-W-5",
    AdjustReason.NOT_A_HOME_CENTRE: "DP-W-3",
    AdjustReason.NOBODYS_HOME: "DP-W-3",
    AdjustReason.NO_HOME_LEFT: "DP-W-3",
    AdjustReason.NOT_OWNED: "DP-W-3",
    AdjustReason.OCCUPIED: "DP-W-3",
    AdjustReason.ALREADY_BUILT: "DP-W-3",
    AdjustReason.FLEET_INLAND: "DP-G-6",
    AdjustReason.COAST_NEEDED: "DP-W-4",
}
"""Reason -> its rule. `SORTIE` and `NEVER_CONVOYED` are left out: standard Diplomacy has no units that never leave their place."""
