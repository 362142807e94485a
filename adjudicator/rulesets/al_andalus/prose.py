"""One sentence for every verdict and every fact of the courts; the war's are standard Diplomacy's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from adjudicator.core.contract.resolution import Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus import events as e
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position

REASONS: dict[str, str] = {
    # Hirings (E).
    "hired": "{wazir} came to the court",
    "court-full": "it failed: {own} did not leave, and a court has one wazir",
    "went-elsewhere": "it failed: {wazir} went to another court",
    "stayed": "it failed: {wazir} did not ask for it",
    "no-such-wazir": "is not possible: no wazir of that name is in the game",
    "no-such-prince": "is not possible: there is no such court to go to",
    "serves-already": "is not possible: the wazir serves at that court already",
    "accepted": "the wazir was hired, and serves from the next season",
    "not-asked": "it failed: {prince} did not hire them, and they stay where they are",
    "set-free": "they are their own master",
    "not-free": "is not possible: only a general who has land, and keeps the command, leaves to be their own master",
    "arrested-first": "it failed: {prince} ordered an arrest in the same season",
    # Plunder and arrest (G, H).
    "arrest": "all units of the prince hold",
    "plundered": "all units of {prince} hold, and each is worth a dinar",
    "countered": "it failed: {prince} ordered an arrest in the same season",
    "on-his-way": "it failed: a wazir on the way to another court orders and plunders nothing",
    "no-court": "is not possible: they serve at no court",
    "arrest-held": "came to nothing: {by} ordered an arrest, and all units hold",
    "plunder-held": "came to nothing: {by} plundered, and all units hold",
    # One order a unit (B, C, D).
    "overridden": "was overridden by {by}: {order}",
    "confused": "confused the unit, and it held: {by} ordered {order}",
    "held-back": "was not carried out: the prince left no unit fallow, and this one, {distance} from home, was held for them",
    "generals-unit": "is not possible: its general alone orders that unit",
    "not-his-unit": "is not possible: a general orders {unit} alone",
    "no-influence": "is not possible: a wazir influences no retreat and no adjustment",
    "not-this-season": "is not possible: that is for spring and fall",
    "repeated": "stands on the sheet twice",
    # Fates (J).
    "fate-full": "is not possible: {own} serves the conqueror, and a court has one wazir",
    "fate-take": "the wazir serves the conqueror from spring",
    "fate-execute": "the wazir is out of the game",
    "fate-free": "the wazir is free",
    "not-his-to-decide": "is not possible: that is not theirs to decide",
    # Generals (L).
    "appointed": "{wazir} commands it from the next season",
    "refused": "{wazir} refused",
    "refuses": "they stay a plain wazir",
    "general-already": "is not possible: {wazir} commands a unit already",
    "no-wazir": "it failed: no wazir serves at this court",
    "no-such-unit": "is not possible: no unit of that name is theirs to give",
    "unit-destroyed": "it failed: {unit} was destroyed in that very season",
    "no-generals": "is not possible: this game has no generals",
    "no-command": "is not possible: they have no command to give up",
    "command-over": "it failed: the command ended otherwise",
    "nothing-to-refuse": "came to nothing: nobody made them a general",
    "resigned": "unit and land are the prince's again",
    # Replacements (I).
    "ascended": "they take the place of {prince}",
    "on-the-throne": "came to nothing: they took the throne of {prince}",
    "not-vacant": "is not possible: their prince has not missed two turns",
}
"""What became of an order, by its reason; facts stand in braces."""


def weight(position: Position, event: e.AnyEvent) -> int:
    """How much a fact weighs in the headline of its turn: ends, courts that fall, arrests and plunder, then the war."""
    match event:
        case e.WazirWon():
            return 110
        case e.Drawn():
            return 100
        case e.Ascended():
            return 90
        case e.CourtFell():
            return 75
        case e.Decided():
            return 72
        case e.Departed():
            return 70
        case e.Arrested():
            return 68 if event.wazir is not None else 0
        case e.Plundered() | e.TreasuryLost():
            return 65
        case e.Appointed() | e.CommandEnded() | e.Hired():
            return 45
        case e.DrawVote() | e.Vacant():
            return 30
        case e.HeldBack():
            return 15
        case e.Paid():
            return 5
        case e.Silent():
            return 0
        case _:
            return diplomacy.weight(position.war, event)


JOINTS: Mapping[str, tuple[Joint, ...]] = {
    **diplomacy.JOINTS,
    "silent": (Joint("{items} sent nothing, and are treated as if they ordered arrests.", "{prince}"),),
    "arrested": (Joint("Arrests found no wazirs at the courts of {items}.", "{prince}", {"wazir": None}),),
    "taken": (  # a prince is called after a city: the two are told apart
        Joint("{power} took {items} from the prince of {lost_by}.", "{centre}", chain=True),
        Joint("{power} took {items}.", "{centre}", chain=True),
    ),
    "hired": (Joint("Wazirs were hired: {items}.", "{wazir} by {prince}", {"left": None, "dinars": 0}),),
    "appointed": (Joint("Wazirs were made generals: {items}.", "{prince:whose} {wazir} of {unit}"),),
    "plundered": (
        Joint("Wazirs plundered dinars, and all units held: {items}.", "{wazir} {dinars} at the court of {prince}"),
    ),
    "paid": (
        Joint("Wazirs earned nothing, for no unit held: {items}.", "{wazir} at the court of {prince}", {"dinars": 0}),
        Joint("Wazirs earned dinars: {items}.", "{wazir} {dinars} at the court of {prince} ({units} held)"),
    ),
}
"""How several facts of a kind are told in one sentence."""


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    if isinstance(fact, Verdict):
        return _verdict(position, fact)
    if isinstance(fact, diplomacy.Won):
        return f"{fact.power} won alone with {fact.centres} supply centres."
    if isinstance(fact, diplomacy.Dissolved) and fact.power in WAZIRS:
        return f"{fact.power} had no land left in winter, and {fact.unit} was removed."
    if isinstance(fact, e.OWN):
        return _event(fact)
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
            text = text.replace(" had no valid order and ", " ")  # It may have been held: arrest, plunder, confusion.
        if "with" in facts:
            text = text.removesuffix(".") + f". {facts['with']} gave the same order."
        return text
    if verdict.reason == "held-back":
        facts["distance"] = many(int(facts["distance"]), "step")
    return f"{verdict.order}{'' if words.startswith(('was', 'is', 'came', 'confused', 'stands')) else ':'} {words.format_map(facts)}."


def _event(event: e.OwnEvent) -> str:
    match event:
        case e.Silent(prince=prince):
            return f"{prince} sent nothing, and is treated as if they ordered an arrest."
        case e.Vacant(seat=seat, chooser=None):
            return f"{seat} missed two turns; the host finds somebody else."
        case e.Vacant(seat=seat, chooser=chooser):
            return f"{seat} missed two turns; {chooser} may take the throne, or the host finds somebody else."
        case e.Ascended(wazir=wazir, prince=prince, dinars=lost):
            return f"{wazir} took the throne of {prince}; their {many(lost, 'dinar')} are lost, and their seat begins anew, free."
        case e.Hired(wazir=wazir, prince=prince, left=left, dinars=got):
            text = f"{prince} hired {wazir}" + (f", who left {left}" if left else "")
            return text + (f"; {many(got, 'dinar')} waited for them in the treasury." if got else ".")
        case e.Plundered(wazir=wazir, prince=prince, dinars=got):
            return f"{wazir} plundered {prince}: all units held, and the wazir took {many(got, 'dinar')}."
        case e.Arrested(prince=prince, wazir=None):
            return f"The arrest at the court of {prince} found no wazir."
        case e.Arrested(prince=prince, wazir=wazir, had=had, taken=taken):
            return f"{prince} arrested {wazir}: of {many(had, 'dinar')} the wazir keeps {had - taken}, and {taken} wait in the treasury."
        case e.Paid(wazir=wazir, dinars=0, prince=prince):
            return f"{wazir} earned nothing at the court of {prince}: no unit held."
        case e.Paid(wazir=wazir, prince=prince, dinars=got, units=units):
            held = "held" if len(units) > 1 else "held alone"
            return f"{wazir} earned {many(got, 'dinar')} at the court of {prince}: {join_words(units)} {held}."
        case e.HeldBack(prince=prince, unit=unit, distance=distance):
            return f"{prince} left no unit fallow: {unit}, {many(distance, 'step')} from home, was held."
        case e.TreasuryLost(prince=prince, dinars=lost):
            return f"The treasury of {prince} was lost: {many(lost, 'dinar')}."
        case e.CourtFell(prince=prince, wazir=wazir, conqueror=None):
            return f"The court of {prince} fell, and nobody conquered it alone; {wazir} is free."
        case e.CourtFell(prince=prince, wazir=wazir, conqueror=conqueror):
            return f"{conqueror} took the last centre of {prince}, and decides in winter about {wazir}."
        case e.Decided(conqueror=conqueror, wazir=wazir, fate="take"):
            return f"{conqueror} took {wazir} into their service."
        case e.Decided(conqueror=conqueror, wazir=wazir, fate="execute", dinars=lost):
            return f"{conqueror} had {wazir} executed, whose {many(lost, 'dinar')} vanished."
        case e.Decided(conqueror=conqueror, wazir=wazir):
            return f"{conqueror} let {wazir} go free."
        case e.Appointed(prince=prince, wazir=wazir, unit=unit):
            return f"{prince} made {wazir} general of {unit}."
        case e.CommandEnded(wazir=wazir, unit=unit, why=why):
            cause = {
                "arrested": "went back to the prince who arrested them",
                "lost": "was lost",
                "resigned": "went back to their prince when they gave up the command",
                "removed": "was removed",
                "landless": "had no land left",
                "fell": "stayed behind when the court fell",
                "throne": "stayed with the throne that they took",
            }[why]
            return f"{wazir} is general no more: {unit} {cause}."
        case e.Departed(wazir=wazir, prince=prince, to=to, unit=unit, land=land):
            took = join_words((unit, *land))
            where = f"came to {to}" if prince == wazir else f"left {prince}"
            return f"{wazir} {where} with {took}" + (
                f", which {'are' if land else 'is'} {to}’s now." if to else ", and is their own master."
            )
        case e.DrawVote(princes=princes, needed=needed):
            return f"{join_words(princes)} would agree to a draw; {join_words(needed)} would not."
        case e.Drawn(princes=princes, wazirs=wazirs):
            richest = (
                f", with {join_words(wazirs)} as the richest wazir{'s' if len(wazirs) > 1 else ''}" if wazirs else ""
            )
            return f"The game ended in a draw between {join_words(princes)}{richest}."
        case e.WazirWon(wazirs=wazirs, dinars=had, prince=prince, centres=centres):
            return f"{join_words(wazirs)} won with {many(had, 'dinar')} against the {centres} centres of {prince}."
        case _:
            assert_never(event)
