"""A sentence for every verdict. The sentences for facts are in `events`; those about the war are in Diplomacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from adjudicator.core.contract import ruleset
from adjudicator.core.contract.resolution import Ending, Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import events as e
from adjudicator.rulesets.saga_of_the_nine.position import Phase, Position

REASONS: Mapping[str, str] = {
    # Bids (D).
    "bid-decides": "this order won with {total} DP{over}",
    "bid-outbid": "was outbid: {other} got {against} DP, against its {total}",
    "bid-tied": "had no effect: {total} DP tied with {against} for {other}, so the unit held",
    "bid-below-tie": "had no effect: others tied at {against} DP against its {total}, so the unit held",
    "bid-void": "is void: whoever attacks {place} has no say there, and the {dp} DP are spent",
    "bid-twice": "does not count and costs nothing: one Major bid on {unit} for two different orders",
    "bid-too-dear": "does not count and costs nothing: the purse of {purse} DP had {left} left",
    "bid-on-nothing": "is not possible: no unit stands in {place}",
    "bid-wrong-kind": "is not possible: the unit there is {unit}",
    "bid-on-major": "is not possible: nobody may bid on a Major’s unit, and this one is {power}’s",
    "bid-on-others-vassal": "is not possible: {vassal} is ruled by {controllers}, and they alone bid on its units",
    "bid-for-no-heir": "is not possible: {heir} has no unmarried heir",
    "bid-for-no-order": "is not possible: units move in this turn; retreats, builds and removals come later",
    "bid-not-now": "is not possible: bids are for the orders of Spring and Autumn",
    "stationary-convoys": "is not possible: a unit of {power} holds, supports, makes sorties or marries, and never convoys",
    "vassals-marry-nobody": "is not possible: {vassal} is a Vassal, and marries nobody",
    "thralls-marry-nobody": "is not possible: {thrall} is a Thrall of {controller}, and marries nobody",
    "ordered-by-bids": "is not possible: it is a unit of {power}, and bids decide what it does",
    # Heirs (M, T, V).
    "not-your-heir": "is not possible: {heir}’s heir is theirs to order",
    "no-heir": "is not possible: {heir} has no unmarried heir",
    "heir-told-twice": "is not possible: the heir has two different orders, and obeys neither",
    "heir-repeated": "stands on the sheet twice",
    "capital-held": "is not possible: {unit} of {power} stood in the Capital when the phase opened",
    "is-thrall": "is not possible: {thrall} is a Thrall of {controller}, and marries nobody",
    "no-minor": "is not possible: {place} belongs to no Minor",
    "minor-without-unit": "is not possible: {minor} has no unit now",
    "minor-wrong-kind": "is not possible: the unit there is {unit}",
    "not-in-spring": "is not possible: heirs marry each other in Autumn",
    "with-itself": "is not possible: an heir can only marry another Major’s heir",
    "no-location": "is not possible: it names no place",
    "other-has-no-heir": "is not possible: {other} has no unmarried heir",
    "share-a-vassal": "is not possible: the two already rule {vassal} together",
    "location-is-home": "is not possible: {place} is a home of {home}, one of the two",
    "location-is-neithers": "is not possible: {place} belongs to neither of the two",
    "location-held": "is not possible: {unit} of {power} stood in {place} when the phase opened",
    "their-capital-held": "is not possible: {unit} of {power} stood in the other’s Capital when the phase opened",
    "wed": "{minor} is now a Thrall",
    "bride-dislodged": "failed: {minor}’s unit was dislodged",
    "wed-another": "failed: {minor} wed {other}’s heir",
    "named-another": "failed: {minor} was told to marry {other}’s heir",
    "no-yes": "failed: {minor} was not told to marry this heir",
    "no-answer": "failed: {other}’s heir had no order to marry this one",
    "other-location": "failed: {other}’s heir was to marry in {there}, and not in {place}",
    "betrothed": "the two are betrothed until the Census",
    "marry-not-now": "is not possible: heirs marry in the orders of Spring and Autumn",
    # New heirs (H, W).
    "heir-built": "an heir was born in {capital}",
    "heir-not-now": "is not possible: heirs are built in Winter",
    "heir-elsewhere": "is not possible: heirs are built in the Capital, {capital}, and not in {place}",
    "capital-lost": "is not possible: {capital} belongs to somebody else",
    "heir-there": "is not possible: an heir lives in {capital} already",
    "heir-last-winter": "is not possible: an heir was built in Winter {cycle}, and none can be built two Winters in a row",
    "vassals-build-no-heirs": "is not possible: {vassal} is a Vassal, and builds no heirs",
    # Vassals (V).
    "not-your-vassal": "is not possible: {vassal} is not their Vassal",
    "vassal-told-twice": "is not possible: the unit has two different orders from one sheet",
    "vassal-repeated": "stands on the sheet twice",
    "vassal-overruled": "was overruled by {by}: {order}",
    "gave-way": "gave way to {unit}, which {by} ordered to the same place, and the unit disbanded",
    "giver-first": "was overruled: the orders of {by}, who gave the dowry, come first",
    "not-vassals-capital": "is not possible: {vassal} builds only in its Capital, {capital}",
    "named": "that is now its name",
    "no-longer-young": "is not possible: a Vassal is named before its first spring is over",
    "no-name": "is not possible: {what}",
    "name-alone": "failed: {other} did not write that name",
    "name-taken": "failed: another Vassal was to get the same name",
    # Eliminated Majors (N).
    "eliminated": "is not possible: they are eliminated",
}
"""Reason of a verdict -> what became of the order, with placeholders in braces for the facts."""


def weight(position: Position, event: e.AnyEvent) -> int:
    """Weight of a fact, about the saga or the war, in the headline of its turn."""
    return e.OWN.weight(position, event) if e.OWN.tells(event) else diplomacy.weight(position.war, event)


JOINTS: Mapping[str, tuple[Joint, ...]] = {
    **diplomacy.JOINTS,
    **e.OWN.joints,
    "standoff": (Joint("{items} are closed to retreats.", "{province}"),),
}
"""Kind of fact -> the sentences that join several of them."""


def ended(ending: Ending) -> str:
    """How a saga ended, as part of a sentence."""
    if ending.how == "draw" and ending.rule == "S9-K-9":
        return f"all fell, {ending.when}"
    if ending.how == "draw" and ending.first:
        first = "" if {*ending.first} == {*ending.winners} else f", with {join_words(ending.first)} first"
        return f"drawn between {join_words(ending.winners)}{first}, {ending.when}"
    return diplomacy.ended(ending) if ending.winners else ruleset.ended(ending)


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    if isinstance(fact, Verdict):
        return _verdict(position, fact)
    if e.OWN.tells(fact):
        return e.OWN.tell(position, fact)
    if isinstance(fact, diplomacy.Standoff):
        return f"{fact.province} is closed to retreats."
    if isinstance(fact, diplomacy.Destroyed) and fact.power in position.settings.ground.others:
        # A Minor's or Thrall's unit never leaves its place, even if another one is open to it (S9-E-1, S9-E-8).
        return f"{fact.unit} was dislodged by {fact.by}, and was destroyed: Minors’ and Thralls’ units never retreat."
    return diplomacy.tell(position.war, fact)


def as_told(position: Position, verdict: Verdict) -> Verdict:
    """The verdict, not marked as implied if bids ordered the unit to do anything but hold, because then it did have an order."""
    bidden = position.phase is Phase.ORDERS and verdict.seat not in position.settings.ground.powers
    return replace(verdict, implied=None) if bidden and not verdict.order.endswith(" H") else verdict


def _verdict(position: Position, verdict: Verdict) -> str:
    words = REASONS.get(verdict.reason)
    facts = {
        key: join_words(value) if isinstance(value, tuple) else str(value)
        for key, value in (verdict.facts or {}).items()
    }
    if words is None:
        told = as_told(position, verdict)
        text = diplomacy.tell(position.war, told)
        if told.implied and told.seat not in position.settings.ground.powers:
            text = text.replace(" had no valid order and ", " ")
        if "with" in facts:
            text = text.removesuffix(".") + f". {facts['with']} gave the same order."
        return text
    if verdict.reason.startswith("bid-") and "other" in facts:  # another order that was bid for
        facts["other"] = "“hold”" if facts["other"] == "H" else f"“{facts['other']}”"
    if verdict.reason == "bid-decides":
        facts["over"] = f" against {facts['against']} for {facts['other']}" if "other" in facts else ""
    said = words.format_map(facts)
    joined = said.startswith(("is ", "was ", "stands ", "does ", "gave ", "failed: ", "had "))
    return f"{verdict.order}{' ' if joined else ': '}{said}."
