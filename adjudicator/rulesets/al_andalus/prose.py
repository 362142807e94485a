"""A sentence for every verdict. The sentences for facts are in `events`; those about the war are in Diplomacy."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import events as e
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position

REASONS: dict[str, str] = {
    # Hirings (E).
    "hired": "{wazir} came to the court",
    "court-full": "failed: {own} did not leave, and a court can have only one wazir",
    "went-elsewhere": "failed: {wazir} went to another court",
    "stayed": "failed: {wazir} did not ask to be hired",
    "no-such-wazir": "is not possible: no wazir of that name is in the game",
    "no-such-prince": "is not possible: there is no such court to go to",
    "serves-already": "is not possible: the wazir serves at that court already",
    "accepted": "the wazir was hired, and serves from the next season",
    "not-asked": "failed: {prince} did not hire the wazir",
    "set-free": "they are their own master",
    "not-free": "is not possible: only a general who has land, and keeps the command, leaves to be their own master",
    "arrested-first": "failed: {prince} ordered an arrest in the same season",
    # Plunder and arrest (G, H).
    "arrest": "all the prince’s units held",
    "plundered": "all of {prince}’s units held, and each was worth a dinar",
    "countered": "failed: {prince} ordered an arrest in the same season",
    "on-his-way": "failed: a wazir on the way to another court orders and plunders nothing",
    "no-court": "is not possible: they serve at no court",
    "arrest-held": "came to nothing: {by} ordered an arrest, so all its units held",
    "plunder-held": "came to nothing: {by} plundered, so all units held",
    # One order per unit (B, C, D).
    "overridden": "was overridden by {by}: {order}",
    "confused": "confused the unit, and it held: {by} ordered {order}",
    "held-back": "was not carried out: the prince left no unit fallow, and this one, {distance} from home, was held for them",
    "generals-unit": "is not possible: its general alone orders that unit",
    "not-his-unit": "is not possible: a general orders {unit} alone",
    "no-influence": "is not possible: a wazir influences no retreat and no adjustment",
    "not-this-season": "is not possible: that is for spring and fall",
    "repeated": "stands on the sheet twice",
    # Fates (J).
    "fate-full": "is not possible: {own} serves the conqueror, and a court can have only one wazir",
    "fate-take": "the wazir serves the conqueror from spring",
    "fate-execute": "the wazir is out of the game",
    "fate-free": "the wazir is free",
    "not-his-to-decide": "is not possible: that is not theirs to decide",
    # Generals (L).
    "appointed": "{wazir} commands it from the next season",
    "refused": "{wazir} refused",
    "refuses": "the wazir stays a plain wazir",
    "general-already": "is not possible: {wazir} commands a unit already",
    "no-wazir": "failed: no wazir serves at this court",
    "no-such-unit": "is not possible: no unit of that name is theirs to give",
    "unit-destroyed": "failed: {unit} was destroyed that same season",
    "no-generals": "is not possible: this game has no generals",
    "no-command": "is not possible: they have no command to give up",
    "command-over": "failed: the command ended otherwise",
    "nothing-to-refuse": "came to nothing: nobody made them a general",
    "resigned": "unit and land are the prince's again",
    # Replacements (I).
    "ascended": "the wazir takes the place of {prince}",
    "on-the-throne": "came to nothing: they took the throne of {prince}",
    "not-vacant": "is not possible: their prince has not missed two turns",
}
"""Reason of a verdict -> what became of the order, with placeholders in braces for the facts."""


def weight(position: Position, event: e.AnyEvent) -> int:
    """Weight of a fact, about the courts or the war, in the headline of its turn."""
    return e.OWN.weight(position, event) if e.OWN.tells(event) else diplomacy.weight(position.war, event)


JOINTS: Mapping[str, tuple[Joint, ...]] = {
    **diplomacy.JOINTS,
    **e.OWN.joints,
    "taken": (  # princes are named after cities, and the sentence must not confuse the two
        Joint("{power} took {items} from the prince of {lost_by}.", "{centre}", chain=True),
        Joint("{power} took {items}.", "{centre}", chain=True),
    ),
}
"""Kind of fact -> the sentences that join several of them."""


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    if isinstance(fact, Verdict):
        return _verdict(position, fact)
    if isinstance(fact, diplomacy.Won):
        return f"{fact.power} won alone with {fact.centres} supply centres."
    if isinstance(fact, diplomacy.Dissolved) and fact.power in WAZIRS:
        return f"{fact.power} had no land left in winter, and {fact.unit} was removed."
    if e.OWN.tells(fact):
        return e.OWN.tell(position, fact)
    return diplomacy.tell(position.war, fact)


def _verdict(position: Position, verdict: Verdict) -> str:
    words = REASONS.get(verdict.reason)
    facts = {
        key: join_words(value) if isinstance(value, tuple) else str(value)
        for key, value in (verdict.facts or {}).items()
    }
    if words is None:
        text = diplomacy.tell(position.war, verdict)
        if verdict.implied:
            text = text.replace(" had no valid order and ", " ")  # An arrest, plunder or confusion may have held it.
        if "with" in facts:
            text = text.removesuffix(".") + f". {facts['with']} gave the same order."
        return text
    if verdict.reason == "held-back":
        facts["distance"] = many(int(facts["distance"]), "step")
    return f"{verdict.order}{'' if words.startswith(('was ', 'is ', 'came ', 'confused ', 'stands ', 'failed: ')) else ':'} {words.format_map(facts)}."
