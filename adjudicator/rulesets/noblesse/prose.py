"""One sentence for every verdict of Noblesse; facts have theirs at their records."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.contract.resolution import Fact, Verdict
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.noblesse import events as e
from adjudicator.rulesets.noblesse.position import Phase, Position
from adjudicator.rulesets.noblesse.words import FAMILY, HARMS, of_words, value_words

BEFORE: Mapping[str, str] = {
    "succeeds": ": ",
    "fails": " failed: ",
    "illegal": " is not possible: ",
    "void": " came to nothing: ",
}
"""Result of an order -> what stands between the order and its reason."""

REASONS: dict[str, str] = {
    # Any order (A).
    "unreadable": "{what}",
    "not-now": "that is no order for {phase}",
    "too-poor": "it costs {price}, and {player} has {stock}",
    "dead": "{player} was dead by then",
    "no-courtier": "no Courtier of {player} was free",
    "no-envoy": "{player} had no Courtier free for it",
    "not-your-estate": "{at} is not controlled by {player}",
    "not-your-unit": "{unit} is not {player’s} to order so",
    "not-leader": "it is for the leader of the faction alone",
    "not-of-faction": "{seat} is not another living player of the faction",
    "nobody-there": "nobody is at that post at {at}",
    "no-spy": "{player} has no {watcher} {place}",
    "without": "{player} does without that for the whole game",
    # The setup (C, E).
    "home": "{at} is {player’s} Home Estate",
    "home-found": "{player} has {at} already",
    "home-taken": "{at} is another player’s",
    "not-in-range": "the faction’s Home Estates lie in {range}",
    "design": "that is the income of the Home Estate",
    "not-five": "it has to add up to 5",
    "does-without": "it cannot be used for the whole game",
    "first-unit": "{unit} is worth {price}, and free",
    "too-dear": "the unit is worth {price}, and a first unit 5 manpower at most",
    # Movement (B).
    "moved": "{unit} went to {at}",
    "first-leg": "{unit} went to {at} and no further, for another faction’s unit stood there",
    "ordered-twice": "{unit} was given a way before",
    "garrison": "{unit} is a Garrison, and Garrisons never move",
    "not-beside": "from {at} the way does not lead from each estate to one beside it",
    "too-far": "{limit}",
    "no-room": "{at} has no room for another unit of the faction: 3 at most, the first 2 Garrisons not counted",
    "marched": "{unit} marched on to {at}",
    "battle-starts": "a battle starts at {at}, where {unit} stands",
    # Abilities and actions (C, X).
    "inspire": "the unit has {amount} more {value} tonight",
    "levy": "one unit recruited tonight costs {amount} manpower less, but never less than its formation",
    "thrift": "tonight {of} costs {amount} less of each resource in its price, but never less than 1",
    "gather": "the Home Estate yields {amount} {of} more tonight",
    "ward": "{at} is safe tonight from {harms}",
    "retain": "{retained} more at court, to serve from the next Night on",
    "march": "{unit} went on to {at}",
    "reach": "Spies go {amount} further tonight",
    "expel": "who held that post was sent home, and cannot be posted again tonight",
    "survey": "who has Courtiers at {at} is known now",
    "gauge": "the strength of {unit} is known now",
    "plunder": "{player} takes the whole income of {at} tonight, if a unit of {player’s} still stands there",
    "win over": "{seat’s} Heir is won over, and joins {faction} when they succeed, if nobody wins them over after that",
    "no-heir-there": "no Heir is at {at} whom {player} could still win over tonight",
    "no-neighbour": "{at} is not beside where {unit} stands",
    "no-own-unit": "no unit of {player’s} is at {at}",
    "plundered-already": "somebody else plunders {at} tonight",
    "warded": "the place is safe from that tonight",
    "other-ability": "that is not what ability {ability} of the role does",
    "opened": "nobody fights at {at} tonight",
    "ennobled": "the Steward at {at} is a Noble",
    "at-home": "it takes a Steward elsewhere than on the Home Estate",
    "no-steward": "no Steward of {player} is at {at}",
    "offered": "{seat} answers by day",
    "crossed": "{seat} offered the same, and so it is agreed",
    "not-possible": "it takes another living player",
    "married": "{player} is married already",
    "unmarried": "{player} is not married",
    "had-heir": "{player} had an Heir already, and there is never a second",
    "heir-born": "{player} has an Heir with {seat}",
    "not-your-partner": "{player} is not married to that player",
    "one-faction": "both players are of one faction",
    "no-hostages": "neither player holds the other’s Heir",
    "hostage": "{player} holds an Heir of the player whom it would harm",
    "healed": "the wounds went down to 1",
    "nothing-to-heal": "there was nothing to heal, and it cost the same",
    "burnt": "the {building} at {at} has no effect tonight",
    "bribed": "{at} yields none of it tonight",
    "poisoned": "{hit} at {at} took a wound",
    "struck": "{seat’s} Player Character took a wound",
    "dead-already": "that player is out of the game",
    "officer-led": "an officer leads {unit}, and they are not so removed; the price is spent",
    "heir-led": "an Heir leads {unit}, whom no action for money reaches; the price is spent",
    "incapacitated": "an officer of tier 1 with attack 1 leads {unit} now",
    "stabbed": "{seat’s} Player Character took two wounds at {at}; the Spy is lost",
    "not-there": "{seat’s} Player Character was not at {at}; the Spy and the price are lost",
    # Buildings (G).
    "begun": "the {building} at {at} is complete in the next Night",
    "built-already": "{at} has its {building}, or it is begun there",
    "no-overseers": "it takes {needed} to oversee it, and {player} had fewer free",
    "not-built": "no complete {building} stands at {at}",
    # Recruitment (B, L).
    "recruited": "{unit} was recruited for {price}",
    "disbanded": "{unit} is no more",
    "hired": "{unit} was rented for {price}",
    "not-filled": "beside who leads it, a {formation} takes {wanted}",
    "own-design-twice": "a role has two companies of its own design at most{fielded}",
    "family-away": "it is done on the Home Estate, with the {who} there and at the head of no other unit",
    "no-such-noble": "{player} has no Noble {noble} who is free to lead",
    "not-your-officer": "{officer} is not at {player’s} disposal",
    "no-officer": "“{company}” is no Officer company",
    "rented": "{mercenaries} cannot be rented now: the unit serves somebody, or is not back yet",
    "home-lost": "the unit would appear at {at}, and that Home Estate is in others’ hands",
    # Courtiers and family (F, K, P).
    "posted": "a Courtier of {player} took the post at {at}",
    "recalled": "the Courtier at {at} was called back to court",
    "post-taken": "that post at {at} is filled already",
    "collectors-there": "a Tax Collector is at {at}, and a Steward serves only where there is none",
    "no-collector": "no Tax Collector of {player} takes that at {at}",
    "nothing-to-tax": "{at} has none of it",
    "handed": "the Heir holds {at} for {player}, and the Steward is free",
    "not-the-factions": "{at} is not an estate of the faction",
    "no-heir": "{player} has no Heir at home",
    "no-more-estates": "{player} may not control another estate",
    "controlled": "somebody else controls {at}",
    "no-unit-there": "no unit of {player’s} is at {at}",
    "others-there": "units of others are at {at}",
    "spying": "the Spy went to {at}",
    "sent": "the Messenger went to {seat}",
    "heard": "{seat}, your spouse, hears it",
    "leads": "the {who} leads {unit}",
    "led-already": "one of the family leads {unit} already",
    "commander-bound": "a {commander} leads {unit}, and is bound until it is destroyed or disbanded",
    "left": "an officer of tier 1 with attack 1 leads {unit} now",
    # Sharing, and the Day (F, L, Y).
    "shared": "{seat} has it",
    "voted": "the vote counts",
    "voted-already": "{player} voted before, for {seat}",
    "accepted": "it takes effect when the next Night begins",
    "refused": "nothing comes of the offer",
    "no-offer": "no such offer of {seat} waits for an answer",
    "named": "{seat} is to lead the faction after {player}",
    "given": "{seat} may recruit a unit under that officer",
    # Treaties (T, M, N, Z, H).
    "bad-clause": "{what}",
    "no-partner": "{faction} is no other faction with a leader",
    "proposed": "it waits as {treaty} for the other leader’s signature",
    "no-treaty": "{player} has no such treaty",
    "withdrawn": "{treaty} is off the table",
    "not-open": "{treaty} does not wait for that",
    "not-in-force": "{treaty} is not in force",
    "declared": "it ends with the next Night, if the promises are kept",
    "second-ally": "a faction has one Ally at most",
    "forbidden": "a breach that was reported forbids it",
    "signed": "{treaty} is signed, and begins with Night {starts}",
    "no-promise": "there is no promise {number}",
    "reported-already": "promise {number} was reported before",
    "breach": "promise {number} of {treaty} was broken, and its penalties take effect",
    "waits": "promise {number} of {treaty} waits for the host’s ruling, or for the other leader to concede it",
    "waits-already": "promise {number} of {treaty} was reported, and waits for the host",
    "nothing-to-name": "{treaty} leaves nothing of that kind to {player} to name",
    "chosen": "the breaker’s leader does it before anything else, as soon as they can",
    "false-report": "promise {number} of {treaty} is {found}",
    "paid": "the leader of {faction} has it",
    "request-void": "{unit} found no estate there whose owner could be asked",
    "allied": "Allies neither fight each other nor take each other’s estates",
    "challenged": "{unit} is at {at}, whose owner is Hostile now; if the two were Neutral, all treaties between them are over",
    # What a hostage forbids, and other limits.
    "marched-already": "{unit} has marched on once tonight",
}
"""Reason of a verdict -> what became of the order; facts stand in braces."""


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    return _tell_verdict(fact) if isinstance(fact, Verdict) else e.FACTS.tell(position, fact)


def part(position: Position, event: e.AnyEvent) -> tuple[int, str]:
    """The rank and the heading of an event on the turn's page, by the steps of a Night; (0, "") by day."""
    return e.FACTS.part(position, event) if position.phase is Phase.NIGHT else (0, "")


# Verdicts -----------------------------------------------------------------------------------------------------------


def _tell_verdict(verdict: Verdict) -> str:
    facts = {key: _fact_words(key, value) for key, value in (verdict.facts or {}).items()}
    at = facts.get("at")
    facts["player"] = verdict.seat
    facts |= {f"{name}’s": whose(facts[name]) for name in ("player", "seat") if name in facts}
    if "amount" in facts:
        facts["retained"] = many(int(facts["amount"]), "Courtier", "no")
    facts["harms"] = HARMS
    facts.setdefault("value", "Morale")  # what `inspire` gives if no other is said (NB-C-13)
    facts["watcher"] = "Spy or Commander" if verdict.rule == "NB-X-8" else "Spy"
    facts["place"] = f"at {at}" if at else "there"
    facts["limit"] = (
        "a Spy goes two estates a Night at most, unless a Spymaster works for them or an ability says more"
        if "unit" not in facts
        else "a unit goes one estate a Night, and up to two only in the Night after it was recruited or by an ability"
    )
    words = REASONS.get(verdict.reason, f"it was ruled so ({verdict.reason})").format_map(facts)
    if verdict.reason == "unreadable":
        return f"“{verdict.order}” could not be read: {words}. It is ignored."
    return f"{verdict.order}{BEFORE.get(verdict.result, ': ')}{words}."


def _fact_words(key: str, value: Fact) -> str:
    """A fact of a verdict as its sentence has it."""
    text = join_words(value) if isinstance(value, tuple) else str(value)
    match key:
        case "price" | "stock":
            return f"{text} manpower" if isinstance(value, int) else join_words(text.split(", "))
        case "what":
            return text.strip().rstrip(";").strip()
        case "building":
            return text.title()
        case "formation" | "commander":
            return text.capitalize()
        case "wanted":
            return f"{join_words(text.split(', '))} companies"
        case "who":
            return FAMILY.get(text, text)
        case "phase":
            return "the setup" if text == "setup" else f"a {text.capitalize()}"
        case "needed":
            return many(int(text), "Courtier", "no")
        case "value":
            return value_words(text)
        case "of":
            return of_words(text)
        case "hit":
            return many(int(text), "Player Character", "no")
        case "fielded":
            return "" if text == "0" else f", and {text} {'is' if text == '1' else 'are'} in the field"
        case _:
            return text


# Events -------------------------------------------------------------------------------------------------------------


QUIET = "Nothing that everybody hears of."
PLAIN = 40
"""Facts that weigh less are plain: moves, incomes, reports of Spies, offers, new units and buildings."""
