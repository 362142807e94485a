"""A sentence for every verdict, in words that a beginner understands. The sentences for facts are in `events`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from adjudicator.core.contract import ruleset
from adjudicator.core.contract.resolution import Ending, Fact, Verdict
from adjudicator.core.contract.words import join_words
from adjudicator.mechanics.adjustments import AdjustReason
from adjudicator.mechanics.movement import Move, Reason, SupportHold, SupportMove
from adjudicator.mechanics.notation import AnyOrder, Waive
from adjudicator.mechanics.retreats import RetreatReason
from adjudicator.rulesets.diplomacy import events as e
from adjudicator.rulesets.diplomacy.position import Field, Position
from adjudicator.rulesets.diplomacy.rules import NOT_NOW, UNREADABLE


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """The sentence for a verdict or a fact; two if the unit was dislodged as well."""
    if isinstance(fact, Verdict):
        return _verdict(fact)
    return e.FACTS.tell(position, fact)


QUIET = "No province changed hands."


def ended(ending: Ending) -> str:
    """The end of a game, as part of a sentence."""
    winners = ", ".join(ending.winners)
    match ending.how:
        case "solo" if winners:
            return f"won by {winners}, {ending.when}"
        case "draw" if winners:
            return f"drawn between {winners}, {ending.when}"
        case "shared" if winners:
            return f"won together by {winners}, {ending.when}"
        case "concession" if winners:
            return f"conceded to {winners}, {ending.when}"
        case _:  # a host's own word, or an incomplete record
            return ruleset.ended(ending)


PLAIN = 10
"""Facts below this weight are plain: missing sheets, unused builds."""


CARRIED_OUT: Mapping[str, str] = {
    RetreatReason.DISBANDED: "disbanded", AdjustReason.BUILT: "was built", AdjustReason.REMOVED: "was removed",
}  # fmt: skip
"""Reasons of orders that name a unit after their verb -> the words for the unit."""


def _verdict(verdict: Verdict) -> str:
    facts = verdict.facts or {}
    order = verdict.order
    if verdict.reason == UNREADABLE:
        right = f" ({facts['right']})" if "right" in facts else ""
        return f"“{order}” could not be read: {facts.get('what', '')}{right}. It is ignored."
    if verdict.implied and verdict.reason == RetreatReason.NO_ORDER:
        return f"{order.removeprefix('Disband ')} was given no retreat order and disbanded."
    if verdict.reason in CARRIED_OUT:
        kind, _, unit = order.partition(" ")
        return f"{unit} {CARRIED_OUT[verdict.reason]}." if unit else f"{kind} was carried out."
    subject = (
        order.removesuffix(" H") if verdict.reason in (Reason.UNATTACKED, Reason.WITHSTOOD, Reason.DISLODGED) else order
    )
    text = f"{subject} {_because(verdict, facts)}."
    if verdict.implied:
        unit = order.removesuffix(" H")
        text = f"{unit} had no valid order and {_because(verdict, facts)}."
    if "dislodged_by" in facts and verdict.reason != Reason.DISLODGED:
        text += f" It was dislodged by {facts['dislodged_by']}."
    return text


def _because(verdict: Verdict, facts: Mapping[str, Fact]) -> str:
    if verdict.reason == NOT_NOW:
        return f"is not possible: {MOVING}"
    for reasons in (Reason, RetreatReason, AdjustReason):
        try:
            reason = reasons(verdict.reason)
        except ValueError:
            continue
        break
    else:
        return f"was ruled {verdict.result} ({verdict.reason})"
    if isinstance(reason, Reason):
        return _movement(reason, facts)
    if isinstance(reason, RetreatReason):
        return _retreat(reason, facts)
    return _adjustment(reason)


def _movement(reason: Reason, facts: Mapping[str, Fact]) -> str:
    by = join_words(facts.get("by"))
    strength, against = facts.get("strength", 1), facts.get("against", 0)
    helpers = f"supported by {join_words(facts['their_supporters'])}" if "their_supporters" in facts else ""
    aided = f" ({helpers})" if helpers else ""
    helped = f" (supported by {join_words(facts['supporters'])})" if "supporters" in facts else ""
    several = isinstance(facts.get("by"), tuple) and len(facts["by"]) > 1  # type: ignore[arg-type]  # a tuple here
    theirs = f"{by}, with strength {against} each{aided}" if several else f"{by}’s {against}{aided}"
    match reason:
        case Reason.UNOPPOSED:
            return f"moved{helped}: nothing stood in its way"
        case Reason.FOLLOWED:
            return f"moved{helped}: {by} left the province"
        case Reason.CIRCULAR:
            return f"moved{helped} in a circular movement: every unit of the ring moved on at once"
        case Reason.STRONGER:
            return f"moved{helped}: strength {strength} against {theirs}"
        case Reason.BOUNCED:
            return f"bounced: strength {strength}{helped} against {by}’s hold strength of {against}{aided}"
        case Reason.STANDOFF:
            theirs = f"strength {against}{' each' if several else ''}" + (f" ({helpers})" if helpers else "")
            were = "were" if several else "was"
            return f"bounced: strength {strength}{helped} against {by}, which {were} moving there too with {theirs}"
        case Reason.HEAD_TO_HEAD:
            return f"bounced: it met {by} head-on, strength {strength}{helped} against {against}{aided}"
        case Reason.OWN_UNIT:
            return f"bounced: {by} stayed there, and a power cannot dislodge its own unit"
        case Reason.CONVOY_MISSING:
            return "did not sail: no unbroken chain of fleets was ordered to convoy it there"
        case Reason.CONVOY_BROKEN:
            were = "were" if several else "was"
            return f"did not sail: its convoy broke when {by} {were} dislodged"
        case Reason.SORTIE:
            return f"bounced{helped}: a unit like this one never leaves its place"
        case Reason.PARADOX:
            return "had no effect: the convoy would have decided its own fate, so the army stays and affects nothing"
        case Reason.SUPPORTED:
            return f"counted for {by}"
        case Reason.AGAINST_OWN:
            return f"counted, but not against {by}, a unit of the same power"
        case Reason.CUT_BY_ATTACK:
            return f"was cut by attacks from {by}" if several else f"was cut by {by}’s attack"
        case Reason.CUT_BY_DISLODGEMENT:
            return f"was cut because {by} dislodged it"
        case Reason.NOT_AS_SUPPORTED:
            return f"had no effect: {by} did something else"
        case Reason.OTHER_COAST:
            return f"had no effect: it did not name the coast that {by} went for"
        case Reason.CONVOYED:
            return f"was ready to carry {by}"
        case Reason.CONVOY_DISLODGED:
            return f"broke: {by} dislodged the fleet"
        case Reason.CONVOY_UNUSED:
            return f"was not needed: {by} went over land"
        case Reason.NOT_AS_CONVOYED:
            return f"had no effect: {by} did something else"
        case Reason.UNATTACKED:
            return "held"
        case Reason.WITHSTOOD:
            # A unit weaker than its attacker holds only because the attackers block each other (DP-M-4).
            beleaguered = int(str(against)) > int(str(strength))
            off = ": the attackers held each other off" if beleaguered else ""
            return f"held with strength {strength}{helped} against {theirs}{off}"
        case Reason.DISLODGED:
            return f"was dislodged by {by}: hold strength {strength}{helped} against {against}{aided}"
        case (
            Reason.NO_UNIT
            | Reason.NOT_YOURS
            | Reason.WRONG_KIND
            | Reason.ORDERED_TWICE
            | Reason.REPLACED
            | Reason.SAME_PLACE
            | Reason.NOT_ADJACENT
            | Reason.ARMY_TO_SEA
            | Reason.FLEET_TO_LAND
            | Reason.COAST_NEEDED
            | Reason.WRONG_COAST
            | Reason.ON_OTHER_COAST
            | Reason.NO_ROUTE
            | Reason.ONLY_ARMIES_CONVOYED
            | Reason.SUPPORTS_ITSELF
            | Reason.SUPPORT_OUT_OF_REACH
            | Reason.SUPPORTED_CANNOT_REACH
            | Reason.SUPPORTED_ABSENT
            | Reason.CONVOY_NOT_AT_SEA
            | Reason.CONVOYED_ABSENT
            | Reason.CONVOY_USELESS
            | Reason.NEVER_CONVOYED
        ):
            return f"is not possible: {IMPOSSIBLE[reason]}"
        case _:
            assert_never(reason)


MOVING = "units move in this turn; retreats, builds and removals come later"
IMPOSSIBLE: dict[Reason, str] = {
    Reason.NO_UNIT: "no unit stands there",
    Reason.NOT_YOURS: "the unit belongs to someone else",
    Reason.WRONG_KIND: "the unit there is of the other kind",
    Reason.ORDERED_TWICE: "the unit was given more than one order",
    Reason.REPLACED: "a later order for the unit counts instead",
    Reason.SAME_PLACE: "a unit cannot go where it already is",
    Reason.NOT_ADJACENT: "the two places are not adjacent",
    Reason.ARMY_TO_SEA: "an army cannot go to sea",
    Reason.FLEET_TO_LAND: "a fleet cannot go inland",
    Reason.COAST_NEEDED: "it must say which coast",
    Reason.WRONG_COAST: "it cannot reach that coast from where it is",
    Reason.ON_OTHER_COAST: "the fleet is on the other coast, and an order cannot change that",
    Reason.NO_ROUTE: "there are no fleets that could carry it there",
    Reason.ONLY_ARMIES_CONVOYED: "only armies can be convoyed",
    Reason.SUPPORTS_ITSELF: "a unit cannot support itself",
    Reason.SUPPORT_OUT_OF_REACH: "a unit supports only where it could itself go",
    Reason.SUPPORTED_CANNOT_REACH: "the supported unit could never get there",
    Reason.SUPPORTED_ABSENT: "there is no unit to support",
    Reason.CONVOY_NOT_AT_SEA: "only a fleet at sea convoys",
    Reason.CONVOYED_ABSENT: "there is no army to convoy",
    Reason.CONVOY_USELESS: "no convoy route runs through this fleet",
    Reason.NEVER_CONVOYED: "a unit like this one never leaves its place, so no fleet carries it",
}

NAMING: dict[Reason, str] = {
    Reason.NOT_ADJACENT: "{to} is not adjacent to {here}",
    Reason.NO_UNIT: "no unit stands in {here}",
    Reason.NOT_YOURS: "the unit in {here} belongs to {owner}",
    Reason.SUPPORT_OUT_OF_REACH: "it could not itself go to {to}, so it cannot support there",
    Reason.SUPPORTED_ABSENT: "no unit stands in {of}",
    Reason.CONVOYED_ABSENT: "no army stands in {of}",
}
"""Reasons whose sentences name places: the unit's (`here`), that of the unit it helps (`of`), and the destination (`to`)."""
ONE_WAY = "the border between {here} and {to} can be crossed only the other way (DP-G-9)"
IS_KIND = {
    (role, kind): f"the unit in {{{role}}} is {words}"
    for role in ("here", "of")
    for kind, words in (("A", "an army"), ("F", "a fleet"))
}
"""Role and real kind of a unit that was named as the wrong kind -> the sentence."""


def _retreat(reason: RetreatReason, facts: Mapping[str, Fact]) -> str:
    by = facts.get("by", ())
    several = isinstance(by, tuple) and len(by) > 1
    match reason:
        case RetreatReason.RETREATED:
            return "succeeded"
        case RetreatReason.DISBANDED:
            return "was carried out"
        case RetreatReason.COLLIDED:
            return f"failed: {join_words(by)} retreated to the same place, so {'all' if several else 'both'} disbanded"
        case RetreatReason.NO_ORDER:
            return "followed from the lack of an order"
        case _:
            return f"is not possible: {because_retreat(reason)}"


def only_back(field: Field, here: str, to: str) -> bool:
    """Whether the border can be crossed only from `to` to `here`, by a unit of the kind at `here`."""
    unit, board = field.units.get(here), field.board
    if unit is None or to in board.reach(unit[1]):
        return False
    if unit[1].kind == "A":
        return here in board.army_to.get(to, ())
    return any(here in there for place, there in board.fleet_reach.items() if place.partition("/")[0] == to)


def because_retreat(reason: RetreatReason) -> str:
    """The reason why a retreat order is illegal."""
    match reason:
        case RetreatReason.NO_UNIT:
            return "no dislodged unit is there"
        case RetreatReason.NOT_YOURS:
            return IMPOSSIBLE[Reason.NOT_YOURS]
        case RetreatReason.WRONG_KIND:
            return IMPOSSIBLE[Reason.WRONG_KIND]
        case RetreatReason.ON_OTHER_COAST:
            return IMPOSSIBLE[Reason.ON_OTHER_COAST]
        case RetreatReason.ORDERED_TWICE:
            return IMPOSSIBLE[Reason.ORDERED_TWICE]
        case RetreatReason.REPLACED:
            return IMPOSSIBLE[Reason.REPLACED]
        case RetreatReason.NOT_A_RETREAT:
            return "a dislodged unit retreats or disbands, nothing else, and nobody else moves"
        case RetreatReason.UNREACHABLE:
            return "the unit cannot get there by itself in one move"
        case RetreatReason.COAST_NEEDED:
            return "it must name a coast that it can reach"
        case RetreatReason.OCCUPIED:
            return "the province is occupied"
        case RetreatReason.ATTACKER_CAME_FROM_THERE:
            return "the attack came from there"
        case RetreatReason.CONTESTED:
            return "a standoff took place there"
        case RetreatReason.RETREATED | RetreatReason.DISBANDED | RetreatReason.COLLIDED | RetreatReason.NO_ORDER:
            return ""
        case _:
            assert_never(reason)


def _adjustment(reason: AdjustReason) -> str:
    match reason:
        case AdjustReason.BUILT | AdjustReason.REMOVED | AdjustReason.WAIVED:
            return "was carried out"
        case _:
            return f"is not possible: {because_adjustment(reason)}"


def because_adjustment(reason: AdjustReason) -> str:
    """The reason why a build or removal is illegal."""
    match reason:
        case AdjustReason.NOT_AN_ADJUSTMENT:
            return "in winter units are built, removed or waived, nothing else"
        case AdjustReason.NOTHING_TO_BUILD:
            return "there is nothing left to build"
        case AdjustReason.TOO_MANY_BUILDS:
            return "all builds were used by the orders before it"
        case AdjustReason.NOTHING_TO_REMOVE:
            return "nothing is to be removed"
        case AdjustReason.TOO_MANY_REMOVALS:
            return "enough units were removed by the orders before it"
        case AdjustReason.NO_UNIT:
            return IMPOSSIBLE[Reason.NO_UNIT]
        case AdjustReason.NOT_YOURS:
            return IMPOSSIBLE[Reason.NOT_YOURS]
        case AdjustReason.WRONG_KIND:
            return IMPOSSIBLE[Reason.WRONG_KIND]
        case AdjustReason.ON_OTHER_COAST:
            return IMPOSSIBLE[Reason.ON_OTHER_COAST]
        case AdjustReason.ALREADY_REMOVED:
            return "that unit was removed by an order before it"
        case AdjustReason.NOT_A_HOME_CENTRE:
            return "it is not one of the power's home centres"
        case AdjustReason.NO_HOME_LEFT:
            return "the power owns none of its home centres"
        case AdjustReason.NOBODYS_HOME:
            return "it is no power's home centre"
        case AdjustReason.NOT_OWNED:
            return "the power does not own that centre"
        case AdjustReason.OCCUPIED:
            return "a unit stands there"
        case AdjustReason.ALREADY_BUILT:
            return "an order before it built there"
        case AdjustReason.FLEET_INLAND:
            return "a fleet cannot be built inland"
        case AdjustReason.COAST_NEEDED:
            return "a fleet there needs a coast"
        case AdjustReason.BUILT | AdjustReason.REMOVED | AdjustReason.WAIVED:
            return ""
        case _:
            assert_never(reason)


def because(field: Field, reason: Reason | RetreatReason | AdjustReason, order: AnyOrder) -> str:
    """The reason why an order is illegal, in words that name its places."""
    if isinstance(reason, RetreatReason):
        return because_retreat(reason)
    if isinstance(reason, AdjustReason):
        return because_adjustment(reason)
    names = field.board.provinces
    if isinstance(order, Waive):
        return IMPOSSIBLE.get(reason, "")
    here, to, of = order.unit.province, getattr(order, "to", ""), getattr(order, "target", order.unit).province
    known = field.units.get(here)
    template = NAMING.get(reason, IMPOSSIBLE.get(reason, ""))
    match reason, order:
        case Reason.NOT_ADJACENT | Reason.NO_ROUTE, Move() if only_back(field, here, to):
            template = ONE_WAY if reason is Reason.NOT_ADJACENT else f"{ONE_WAY}, and {IMPOSSIBLE[reason]}"
        case Reason.WRONG_KIND, SupportHold(target=target) | SupportMove(target=target) if known is not None and (
            order.unit.kind in ("", known[1].kind)
        ):
            template = IS_KIND["of", field.units[target.province][1].kind]
        case Reason.WRONG_KIND, _:
            template = IS_KIND["here", field.units[here][1].kind]
        case Reason.COAST_NEEDED | Reason.WRONG_COAST, Move():
            places = field.board.fleet_to[field.units[here][1].place].get(to, ())
            return f"{IMPOSSIBLE[reason]}; from here: " + ", ".join(map(field.board.place_name, places))
        case Reason.SUPPORT_OUT_OF_REACH, SupportHold(target=target):
            to = target.province
        case _:
            pass
    return template.format(
        here=names[here].name,
        to=names[to].name if to else "",
        of=names[of].name,
        owner=known[0] if known is not None else "",
    )
