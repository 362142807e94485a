"""One sentence for every verdict and every fact of heirs, bids and the Census; the war's are standard Diplomacy's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from adjudicator.core.contract import ruleset
from adjudicator.core.contract.resolution import Ending, Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine import events as e
from adjudicator.rulesets.saga_of_the_nine.position import Phase, Position

REASONS: Mapping[str, str] = {
    # Bids (D).
    "bid-decides": "it decides with {total} DP{over}",
    "bid-outbid": "it was outbid: {total} DP against {against} for {other}",
    "bid-tied": "it came to nothing: {total} DP tie with {against} for {other}, and the unit holds",
    "bid-below-tie": "it came to nothing: others tie at {against} DP against its {total}, and the unit holds",
    "bid-void": "it is void: whoever attacks {place} has no say there, and the {dp} DP are spent",
    "bid-twice": "does not count and costs nothing: {unit} was bid on for two different orders by one Major",
    "bid-too-dear": "does not count and costs nothing: the purse of {purse} DP had {left} left",
    "bid-on-nothing": "is not possible: no unit stands in {place}",
    "bid-wrong-kind": "is not possible: the unit there is {unit}",
    "bid-on-major": "is not possible: nobody bids on a unit of a Major, and it is {power}’s",
    "bid-on-others-vassal": "is not possible: {vassal} is ruled by {controllers}, and they alone bid on its units",
    "bid-for-no-heir": "is not possible: {heir} has no unmarried heir",
    "bid-for-no-order": "is not possible: units move in this turn; nothing is built or disbanded",
    "bid-not-now": "is not possible: bids are for the orders of Spring and Autumn",
    "stationary-convoys": "is not possible: a unit of {power} holds, supports, makes sorties or marries, and never convoys",
    "vassals-marry-nobody": "is not possible: {vassal} is a Vassal, and marries nobody",
    "thralls-marry-nobody": "is not possible: {thrall} is a Thrall of {controller}, and marries nobody",
    "ordered-by-bids": "is not possible: it is a unit of {power}, and bids decide what it does",
    # Heirs (M, T, V).
    "not-your-heir": "is not possible: the heir of {heir} is theirs to order",
    "no-heir": "is not possible: {heir} has no unmarried heir",
    "heir-told-twice": "is not possible: the heir has two different orders, and obeys neither",
    "heir-repeated": "stands on the sheet twice",
    "capital-held": "is not possible: {unit} of {power} stood in the Capital when the phase opened",
    "is-thrall": "is not possible: {thrall} is a Thrall of {controller}, and marries nobody",
    "no-minor": "is not possible: {place} is no Minor’s",
    "minor-without-unit": "is not possible: {minor} has no unit now",
    "minor-wrong-kind": "is not possible: the unit there is {unit}",
    "not-in-spring": "is not possible: heirs marry each other in Autumn",
    "with-itself": "is not possible: an heir marries another Major’s",
    "no-location": "is not possible: it names no place",
    "other-has-no-heir": "is not possible: {other} has no unmarried heir",
    "share-a-vassal": "is not possible: the two rule {vassal} together already",
    "location-is-home": "is not possible: {place} is a home of {home}, one of the two",
    "location-is-neithers": "is not possible: {place} belongs to neither of the two",
    "location-held": "is not possible: {unit} of {power} stood in {place} when the phase opened",
    "their-capital-held": "is not possible: {unit} of {power} stood in the other’s Capital when the phase opened",
    "wed": "{minor} is a Thrall from now on",
    "bride-dislodged": "it failed: the unit of {minor} was dislodged",
    "wed-another": "it failed: {minor} wed the heir of {other}",
    "named-another": "it failed: {minor} was told to marry the heir of {other}",
    "no-yes": "it failed: {minor} was not told to marry this heir",
    "no-answer": "it failed: the heir of {other} was not to marry this one",
    "other-location": "it failed: the heir of {other} was to marry in {there}, and not in {place}",
    "betrothed": "the two are betrothed until the Census",
    "marry-not-now": "is not possible: heirs marry in the orders of Spring and Autumn",
    # New heirs (H, W).
    "heir-built": "an heir came to {capital}",
    "heir-not-now": "is not possible: heirs are built in Winter",
    "heir-elsewhere": "is not possible: heirs are built in the Capital, {capital}, and not in {place}",
    "capital-lost": "is not possible: {capital} is another’s",
    "heir-there": "is not possible: an heir lives in {capital} already",
    "heir-last-winter": "is not possible: an heir was built in Winter {cycle}, and not in two Winters in a row",
    "vassals-build-no-heirs": "is not possible: {vassal} is a Vassal, and builds no heirs",
    # Vassals (V).
    "not-your-vassal": "is not possible: {vassal} is no Vassal of theirs",
    "vassal-told-twice": "is not possible: the unit has two different orders from one sheet",
    "vassal-repeated": "stands on the sheet twice",
    "vassal-overruled": "was overruled by {by}: {order}",
    "gave-way": "gave way to {unit}, which {by} ordered to the same place, and the unit disbanded",
    "giver-first": "was overruled: the orders of {by}, who gave the dowry, come first",
    "not-vassals-capital": "is not possible: {vassal} builds in its Capital alone, in {capital}",
    "named": "so it is called from now on",
    "no-longer-young": "is not possible: a Vassal is named before its first spring is over",
    "no-name": "is not possible: {what}",
    "name-alone": "it failed: {other} wrote no such name",
    "name-taken": "it failed: another Vassal was to get the same name",
    # Who is out (N).
    "eliminated": "is not possible: they are eliminated",
}
"""What became of an order, by its reason; facts stand in braces."""


def weight(position: Position, event: e.AnyEvent) -> int:
    """How much a fact weighs in the headline of its turn: ends, falls, weddings, deaths, then the war."""
    match event:
        case e.Triumph() | e.Shared():
            return 110
        case e.Fallen():
            return 90
        case e.Founded() | e.VassalFallen():
            return 80
        case e.Wed():
            return 75
        case e.HeirKilled():
            return 70
        case e.Parted():
            return 65
        case e.Promised():
            return 55
        case e.ThrallLost():
            return 50
        case e.DrawVote():
            return 30
        case e.HeirBuilt() | e.Renamed():
            return 25
        case e.Regrown():
            return 8
        case e.Decided():
            return 5
        case _:
            return diplomacy.weight(position.war, event)


JOINTS: Mapping[str, tuple[Joint, ...]] = {
    **diplomacy.JOINTS,
    "standoff": (Joint("{items} are closed to retreats.", "{province}"),),
    "heir_killed": (Joint("Heirs were killed: {items}.", "{major}’s in {at} by {by}"),),
    "thrall_lost": (Joint("Thralls are no more: {items}.", "{thrall} of {controller}, taken by {by}"),),
    "regrown": (Joint("Units grew back: {items}.", "{unit} of {power}"),),
    "heir_built": (Joint("New heirs came to their Capitals: {items}.", "{major}’s to {at}"),),
}
"""How several facts of a kind are told in one sentence."""


def ended(ending: Ending) -> str:
    """How a saga ended, as a part of a sentence."""
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
    if isinstance(fact, e.OWN):
        return _event(fact)
    if isinstance(fact, diplomacy.Standoff):
        return f"{fact.province} is closed to retreats."
    if isinstance(fact, diplomacy.Destroyed) and fact.power in position.settings.ground.others:
        # It may have had room: such a unit never leaves its place (S9-E-1, S9-E-8).
        return f"{fact.unit} was dislodged by {fact.by}, and was destroyed: Minors’ and Thralls’ units never retreat."
    return diplomacy.tell(position.war, fact)


def as_told(position: Position, verdict: Verdict) -> Verdict:
    """The verdict, no longer implied where bids told a unit to do anything but hold: it did not act for want of an order."""
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
            text = text.replace(" had no valid order and held", " held")
        if "with" in facts:
            text = text.removesuffix(".") + f". {facts['with']} gave the same order."
        return text
    if facts.get("other") == "H":
        facts["other"] = "“hold”"
    if verdict.reason == "bid-decides":
        facts["over"] = f" against {facts['against']} for {facts['other']}" if "other" in facts else ""
    said = words.format_map(facts)
    joined = said.startswith(("is ", "was ", "stands ", "does ", "gave "))
    return f"{verdict.order}{' ' if joined else ': '}{said}."


def _event(event: e.OwnEvent) -> str:
    match event:
        case e.Decided(unit=unit, order=None, bids=bids):
            tied = [bid for bid in bids if bid.total == bids[0].total]
            return f"{unit} holds, for the bids tie at {bids[0].total} DP: {join_words(map(_bid, tied))}{_against(bids[len(tied) :])}."
        case e.Decided(unit=unit, order=order, bids=bids):
            deed = "to hold" if order == "H" else f"“{order}”"
            return f"{unit} is told {deed} by {bids[0].total} DP ({_givers(bids[0].by)}){_against(bids[1:])}."
        case e.Wed(major=major, minor=minor, capital=capital, helped=helped):
            help_ = f", with help of {join_words(helped)}" if helped else ""
            return f"{minor} became a Thrall of {major}{help_}: their heir moved there from {capital}."
        case e.Promised(giver=giver, receiver=receiver, at=at):
            return f"The heirs of {giver} and {receiver} are betrothed, to wed in {at}."
        case e.Parted(giver=giver, receiver=receiver, where=where, by=by):
            return f"The heirs of {giver} and {receiver} did not wed: {by} took {where}."
        case e.Founded(vassal=vassal, giver=giver, receiver=receiver, capital=capital, unit=unit):
            with_unit = f", and {unit} is its own" if unit is not None else ""
            return (
                f"The heirs of {giver} and {receiver} wed in {capital}, the Capital of {vassal} from now on{with_unit}."
            )
        case e.HeirKilled(major=major, at=at, by=by):
            return f"{by} took {at}, and the heir of {major} there was killed."
        case e.ThrallLost(thrall=thrall, controller=controller, by=by):
            return f"{thrall} is no Thrall of {controller} any more: {by} took it."
        case e.Fallen(power=power, capital=capital, removed=removed, left=left):
            return f"{power} has no heir and has lost {capital}: eliminated{_left(removed, left)}."
        case e.VassalFallen(vassal=vassal, capital=capital, removed=removed, left=left):
            return f"{vassal} has lost its Capital, {capital}: eliminated{_left(removed, left)}."
        case e.Regrown(power=power, unit=unit):
            return f"{power} has {unit} again."
        case e.HeirBuilt(major=major, at=at):
            return f"{major} has a new heir, in {at}."
        case e.Renamed(vassal=vassal, name=name):
            return f"{vassal} is called {name} from now on."
        case e.Triumph(power=power, last=True):
            return f"{power} won: no other Major is left."
        case e.Triumph(power=power):
            parts = [many(event.own, "centre") + " of their own"]
            parts += [
                f"{number} of {whose}"
                for number, whose in ((event.thralls, "Thralls"), (event.shared, "Vassals"))
                if number
            ]
            return f"{power} won alone with a total of {event.total}: {join_words(parts)}."
        case e.Shared(powers=powers, why="all-fell"):
            return f"Nobody is left; the game ended in a draw of those who fell last: {join_words(powers)}."
        case e.Shared(powers=powers, why=why, places=places):
            cause = _votes(event) if why == "vote" else "the last cycle is over"
            first = [place.power for place in places if place.place == 1]
            ranked = f"First is {join_words(first)} with {places[0].total}."
            if {*first} == {*powers}:
                ranked = f"All have the same place, with {places[0].total} each."
            return f"The game ended in a draw of {join_words(powers)}: {cause}. {ranked}"
        case e.DrawVote(powers=powers, needed=needed, silent=silent):
            idle = (
                f" {join_words(silent)}, who sent nothing twice, {'bars' if len(silent) == 1 else 'bar'} none."
                if silent
                else ""
            )
            return f"{join_words(powers)} voted for a draw; {join_words(needed)} did not.{idle}"
        case _:
            assert_never(event)


def _votes(event: e.Shared) -> str:
    """Who voted for a draw, apart from those who barred nothing for they had sent nothing twice (S9-K-11)."""
    if not event.silent:
        return "all voted for it"
    asked = [power for power in event.powers if power not in event.silent]
    return f"{join_words(asked)} voted for it, and {join_words(event.silent)}, who sent nothing twice, did not object"


def _bid(bid: e.Bidden) -> str:
    """What was bid for, and by whom."""
    return f"{'hold' if bid.order == 'H' else f'“{bid.order}”'} ({_givers(bid.by)})"


def _against(bids: tuple[e.Bidden, ...]) -> str:
    """The sums that were too low."""
    return f", against {join_words(f'{bid.total} for {_bid(bid)}' for bid in bids)}" if bids else ""


def _givers(offered: tuple[e.Offered, ...]) -> str:
    return join_words(f"{offer.major} {offer.dp}{' × 3' if offer.triple else ''}" for offer in offered)


def _left(removed: tuple[str, ...], left: tuple[str, ...]) -> str:
    """What an elimination leaves behind."""
    units = f"; {join_words(removed)} left the board" if removed else ""
    return units + (f"; {join_words(left)} belong{'s' if len(left) == 1 else ''} to nobody" if left else "")
