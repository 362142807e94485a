"""One sentence for every verdict and every fact of Noblesse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from adjudicator.core.contract.resolution import Fact, Verdict
from adjudicator.core.contract.runs import Joint
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.noblesse import events as e
from adjudicator.rulesets.noblesse.battle import Fight
from adjudicator.rulesets.noblesse.orders import FORM_OF
from adjudicator.rulesets.noblesse.position import Phase, Position, Seen
from adjudicator.rulesets.noblesse.scenario import Ability, Stock, tables

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

COMMANDERS: Mapping[str, str] = {
    "a courtier": "a Courtier",
    "a player": "a Player Character",
    "an heir": "an Heir",
    "a noble": "a Noble",
    "a famous officer": "a Unique Officer",
}
OPTIONS: Mapping[str, str] = {
    "two": "ability 2",
    "five": "ability 5",
    "eight": "ability 8",
    "companies": "the companies of the role’s own design",
}
ACTION_NAMES: Mapping[str, str] = {
    "open city": "an Open City", "noble": "a Noble", "marriage": "an offer of marriage", "heir": "an Heir",
    "hostages": "an offer of hostages", "release": "a release of hostages", "march": "a Forced March", "surgeon": "a Field Surgeon",
    "arson": "Arson", "bribery": "Bribery", "poison": "Poison the Wells", "assassin": "a Hired Assassin",
    "incapacitate": "Incapacitate", "knife": "a Knife in the Back",
}  # fmt: skip
"""Actions of the common list in a sentence."""
HARMS = "fire, bribes, poison, knives, Incapacitate and dismissals"
"""What a ward keeps away (NB-C-17)."""
FAMILY: Mapping[str, str] = {"pc": "Player Character", "heir": "Heir"}


def tell(position: Position, fact: Verdict | e.AnyEvent) -> str:
    """One sentence for a verdict or a fact."""
    return _tell_verdict(fact) if isinstance(fact, Verdict) else _tell_event(position, fact)


STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ()),
    (
        "Step 1: treaties and agreements",
        ("breached", "dismissed", "revealed", "treaty_began", "treaty_ended", "agreed", "silent", "proposed"),
    ),
    ("Step 2: units move", ("moved",)),
    (
        "Steps 3 and 4: abilities and actions",
        ("used", "learned", "harmed", "wounded", "offered", "heir_born", "ennobled"),
    ),
    ("Step 5: recruitment", ("raised",)),
    (
        "Step 6: combat",
        ("battle", "rumour", "gone", "heir_died", "untitled", "died", "turned", "left", "succession", "faction_gone"),
    ),
    ("Step 7: buildings", ("built",)),
    ("Step 8: Courtiers and family", ("control", "message")),
    ("Step 9: income", ("earned", "shared", "paid", "trained")),
    ("Step 10: Spies report", ("spied",)),
    ("The end", ("victory",)),
)
"""The steps of a Night (NB-A-3), and the kinds of events told under each; `part` knows the exceptions."""
ORDER = {kind: step for step, (_, kinds) in enumerate(STEPS) for kind in kinds}
ACTIONS, RECRUITMENT, COMBAT, INCOME = 3, 4, 5, 8


def part(position: Position, event: e.AnyEvent) -> tuple[int, str]:
    """The rank and the heading of an event on the turn's page, by the steps of a Night; (0, "") by day."""
    if position.phase is not Phase.NIGHT:
        return 0, ""
    match event:
        case e.Gone(why=why) if why != "destroyed":
            step = RECRUITMENT
        case e.Harmed(kind="plunder"):
            step = INCOME
        case e.Control(by=None):
            step = COMBAT
        case e.Died(why="wounds"):
            step = ACTIONS
        case _:
            step = ORDER.get(event.event, 0)
    return step, STEPS[step][0]


# Words --------------------------------------------------------------------------------------------------------------


def amounts(stock: Stock) -> str:
    """`3 money and 2 influence`; `nothing`."""
    return join_words(str(stock).split(", "))


def value_words(value: str) -> str:
    """`Morale`, `melee`: a value of a unit's in a sentence."""
    return value.capitalize() if value == "morale" else value


def of_words(of: str) -> str:
    """An action, building, formation or resource in a sentence: `a Hired Assassin`, `the Arsenal`, `Garrison`."""
    if of in tables().actions:
        return ACTION_NAMES[of]
    if of in tables().buildings:
        return f"the {of.title()}"
    return of.capitalize() if of in tables().formations else of


def core_words(ability: Ability) -> str:
    """What a part of a core ability does."""
    amount, about = ability.amount, of_words(ability.of or "")
    match ability.effect:
        case "council":
            return "the unit that has been in the field longest has the War Council’s bonus even without the building"
        case "inspire":
            whom = "the unit that the Player Character leads" if ability.of == "pc" else f"each {about}"
            return f"{whom} has {amount} more {value_words(ability.value or 'morale')}"
        case "levy":
            return (
                f"the first unit recruited each Night costs {amount} manpower less, but never less than its formation"
            )
        case "thrift":
            return f"{about} costs {amount} less of each resource in its price, but never less than 1"
        case "gather":
            return f"the Home Estate yields {amount} {about} more every Night"
        case "ward":
            return f"while its player controls it, the Home Estate is safe from {HARMS}"
        case "retain":
            return f"{many(amount, 'Courtier', 'no')} more from the start"
        case "march":
            each = f"each {about}" if ability.of else "each unit"
            return f"{each} may move two estates every Night, if the first holds no other faction’s units"
        case "reach":
            return f"Spies go {many(amount, 'estate', 'no')} further every Night"
        case "domain":
            return f"{many(amount, 'estate', 'no')} beside the Home Estate can be controlled without an Heir, and one more with one"
        case "expel" | "survey" | "gauge" | "plunder" | "win over":
            raise AssertionError(ability.effect)  # no core does it
        case _:
            assert_never(ability.effect)


def ability_words(ability: Ability) -> str:
    """What an ability with a price does."""
    amount, about = ability.amount, of_words(ability.of or "")
    match ability.effect:
        case "inspire":
            return f"one unit has {amount} more {value_words(ability.value or 'morale')} tonight"
        case "levy":
            return f"one unit recruited tonight costs {amount} manpower less, but never less than its formation"
        case "thrift":
            return f"tonight {about} costs {amount} less of each resource in its price, but never less than 1"
        case "gather":
            return f"the Home Estate yields {amount} {about} more tonight"
        case "ward":
            return f"one estate is safe tonight from {HARMS}"
        case "retain":
            return f"{many(amount, 'Courtier', 'no')} more for good, from the next Night on"
        case "march":
            return "one unit goes an estate further tonight, even a Garrison, and even where a battle would start"
        case "reach":
            return f"Spies go {many(amount, 'estate', 'no')} further tonight"
        case "expel":
            return "a Steward, Tax Collector or Lobbyist where there is a Spy of the player’s is sent home"
        case "survey":
            return "it shows who has Courtiers at posts on an estate where there is a Spy of the player’s"
        case "gauge":
            return "it shows the strength of a unit where there is a Spy of the player’s"
        case "plunder":
            return "the whole income of an estate where a unit of the player’s stands goes to the player tonight"
        case "win over":
            return "an Heir where there is a Spy of the player’s is won over, and joins the player’s faction when they succeed"
        case "council" | "domain":
            raise AssertionError(ability.effect)  # no ability with a price does it
        case _:
            assert_never(ability.effect)


def _with_article(word: str) -> str:
    return f"{'an' if word[:1] in 'AEIOUaeiou' else 'a'} {word}"


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


def _tell_event(position: Position, event: e.AnyEvent) -> str:
    match event:
        case e.Founded(seat=seat, home=home, design=design, without=without):
            does = f"{seat} does without {OPTIONS[without]}"
            return f"{whose(seat)} Home Estate is {home}, which yields {amounts(design)}; {does}."
        case e.Moved(unit=unit, owner=owner, path=path):
            through = f" through {join_words(path[1:-1])}" if len(path) > 2 else ""
            return f"{whose(owner)} {unit} moved from {path[0]}{through} to {path[-1]}."
        case e.Raised(unit=unit, owner=owner, formation=formation, at=at, price=price, rented=rented):
            cost = f"for {amounts(price)}" if price else "free of charge"
            if rented is not None:
                return f"{rented}, {_with_article(formation.capitalize())}, came to {owner} at {at} as {unit}, rented {cost}."
            return f"{owner} raised {unit}, {_with_article(formation.capitalize())}, at {at} {cost}."
        case e.Gone(unit=unit, owner=owner, at=at, why=why, leader=leader):
            cause = {
                "destroyed": "was destroyed",
                "disbanded": "was disbanded",
                "unpaid": "was not paid, and left",
                "faction-gone": "left the game with its faction",
            }[why]
            fate = {"home": "went home", "dead": "died", "lost": "was lost with it"}[leader]
            named = f"{whose(owner)} {unit}" if owner else f"{unit}, of nobody’s,"
            return f"{named} {cause} at {at}; its leader {fate}."
        case e.Battle(at=at, sides=sides, fights=fights):
            names = {side.name: f"{side.name} ({', '.join(side.units)})" for side in sides}
            return f"Battle at {at}: " + "; then ".join(_fight_words(fight, names) for fight in fights) + "."
        case e.Rumour(at=at, sides=sides, left=left):
            return f"There was a battle at {at}, {' against '.join(sides)}; {_left_words(position, sides, left)}."
        case e.Control(at=at, by=None, before=None):
            return f"Nobody controls {at}."
        case e.Control(at=at, by=None, before=before):
            return f"{before} lost control of {at}."
        case e.Control(at=at, by=by, before=None):
            return f"{by} took control of {at}."
        case e.Control(at=at, by=by, before=before):
            return f"{by} took control of {at}, which was {whose(str(before))}."
        case e.Wounded(seat=seat, wounds=wounds):
            return f"{whose(seat)} Player Character has {many(wounds, 'wound', 'no')} now; 3 kill."
        case e.Died(seat=seat, why=why, role=role, faction=faction, heir=heir):
            cause = {"wounds": "died of wounds", "battle": "fell in battle", "lynched": "was lynched"}[why]
            after = "an Heir takes the place" if heir else "there is no Heir, and the player is out"
            return f"{seat} {cause}: {role}, of {faction}; {after}."
        case e.HeirDied(seat=seat):
            return f"{whose(seat)} Heir fell in battle."
        case e.Built(at=at, building=building):
            return f"The {building.title()} at {at} is complete."
        case e.Trained(seat=seat, courtier=courtier):
            return f"{whose(seat)} University made one more Courtier, number {courtier}."
        case e.Earned(seat=seat, sources=(), total=total):
            return f"{seat} earned {amounts(total)}."
        case e.Earned(seat=seat, sources=sources, total=total):
            each = ", ".join(f"{source.of} gave {amounts(source.amount)}" for source in sources)
            return f"{seat} earned {amounts(total)}: {each}."
        case e.Shared(by=by, to=to, amount=amount):
            return f"{by} gave {to} {amounts(amount)} of the faction’s stock."
        case e.SpyReport(seat=seat, spy=spy, estates=estates):
            return f"{whose(seat)} Spy {spy} saw " + "; ".join(_seen_words(estate) for estate in estates) + "."
        case e.Offered(kind="marriage", by=by, to=to):
            return f"{by} offered {to} marriage."
        case e.Offered(kind="hostages", by=by, to=to):
            return f"{by} offered {to} an exchange of hostages."
        case e.Offered(by=by, to=to):
            return f"{by} offered {to} to release the hostages."
        case e.Agreed(kind="marriage", by=by, to=to):
            return f"{by} and {to} are married."
        case e.Agreed(kind="hostages", by=by, to=to):
            return f"{by} and {to} exchanged hostages."
        case e.Agreed(by=by, to=to):
            return f"{by} and {to} released their hostages."
        case e.HeirBorn(seat=seat, other=other):
            return f"{seat} has an Heir, of {whose(seat)} faction and {whose(other)}."
        case e.Ennobled(faction=faction, noble=noble):
            return f"{faction} has a new Noble, the Noble {noble}."
        case e.Untitled(faction=faction, noble=noble):
            return f"The Noble {noble} lost the seat, and is an ordinary Courtier of {whose(faction)} leader."
        case e.Harmed(kind=kind, at=at, what=what):
            match kind:
                case "arson":
                    return f"Somebody set fire to the {what.title()} at {at}; it has no effect tonight."
                case "bribery":
                    return f"Somebody paid bribes at {at}; it yields no {what} tonight."
                case "incapacitate":
                    return f"Somebody incapacitated who led {what} at {at}; an officer of tier 1 leads it now."
                case "expel":
                    return f"Somebody had the {_post_words(what)} at {at} sent home."
                case "plunder":
                    return f"Somebody plundered {at}; all its income tonight is lost."
                case _:
                    assert_never(kind)
        case e.Used(seat=seat, ability=ability, on=on):
            return f"{seat} used an ability{_target_words(ability, on)}: {ability_words(ability)}."
        case e.Learned(seat=seat, about=about, facts=facts):
            return f"{seat} learned of {about}: {join_words(map(_learned_words, facts)) if facts else 'nobody is at a post there'}."
        case e.Message(by=by, to=to, text=text):
            return f"{whose(by)} Messenger told {to}: “{text}”."
        case e.Succession(faction=faction, leader=leader):
            return f"{leader} leads {faction} now."
        case e.Turned(seat=seat, faction=faction, before=before):
            return f"{whose(seat)} Heir had been won over: {seat} is of {faction} now, and no longer of {before}."
        case e.Left(seat=seat, faction=faction):
            return f"{whose(seat)} Heir had been won over: {seat} is no longer of {faction}."
        case e.Silent(seat=seat, nights=nights):
            return f"{seat} has sent no orders for {many(nights, 'Night', 'no')} now; the host may put in a substitute."
        case e.FactionGone(faction=faction):
            return f"{faction} has no living player left, and is gone."
        case e.Voted(votes=votes, needed=needed, lynched=lynched):
            return _vote_words(votes, needed, lynched)
        case e.Proposed(treaty=treaty, by=by, to=to):
            return f"{by} proposed the treaty {treaty} to {to}."
        case e.Published(faction=faction, text=text):
            return f"{faction} published the intent of a treaty: “{text}”."
        case e.TreatyBegan(treaty=treaty, parties=parties, state=state):
            return f"The treaty {treaty} of {join_words(parties)} is in force: they are {state or 'hostile as before'}."
        case e.TreatyEnded(treaty=treaty, parties=parties, rule=rule):
            return f"The treaty {treaty} of {join_words(parties)} is over, by {rule}."
        case e.Reported(treaty=treaty, by=by, promise=promise):
            return f"That {by} broke promise {promise} of the treaty {treaty} is reported; it waits for the host’s ruling, or to be conceded."
        case e.Dismissed(treaty=treaty, by=by, promise=promise):
            return f"The host ruled that {by} did not break promise {promise} of the treaty {treaty}."
        case e.Breached(treaty=treaty, by=by, promise=promise):
            return f"{by} broke promise {promise} of the treaty {treaty}."
        case e.Paid(by=by, to=to, amount=amount):
            return f"The leader of {by} paid {amounts(amount)} to the leader of {to}."
        case e.Revealed(faction=faction, facts=facts):
            return f"{faction} had to reveal: {'; '.join(facts)}."
        case e.Victory(faction=faction, how=how):
            prizes = join_words(position.settings.board.prizes)
            having = {
                "military": f"with {prizes}, all its own or one of them its Ally’s",
                "alliance": f"with its Ally, each with two of {prizes}",
                "dynastic": f"with the {position.settings.nobles} Nobles that it takes",
                "supremacy": "with more of the living than all others together",
            }[how]
            return f"{faction} won {having}."
        case _:
            assert_never(event)


QUIET = "Nothing that everybody hears of."


def weight(position: Position, event: e.AnyEvent) -> int:
    """How much an event weighs in its turn's headline, 0 to 100: ends and deaths first, then treaties and battles."""
    match event:
        case e.Victory():
            return 100
        case e.FactionGone():
            return 95
        case e.Died():
            return 90
        case e.Voted(lynched=lynched):
            return 20 if lynched is None else 85
        case e.Breached() | e.Published() | e.TreatyBegan() | e.TreatyEnded():
            return 70
        case e.Battle() | e.Rumour():
            return 60
        case e.Reported() | e.Dismissed():
            return 65
        case e.Turned() | e.Left():
            return 55
        case e.Succession() | e.HeirDied() | e.HeirBorn() | e.Agreed() | e.Revealed() | e.Ennobled() | e.Untitled():
            return 50
        case e.Control() | e.Harmed() | e.Wounded():
            return 40
        case e.Built() | e.Gone() | e.Raised() | e.Proposed() | e.Offered() | e.Paid():
            return 30
        case (
            e.Founded()
            | e.Moved()
            | e.Trained()
            | e.Yield()
            | e.Earned()
            | e.Shared()
            | e.SpyReport()
            | e.Message()
            | e.Used()
            | e.Learned()
        ):
            return 10
        case e.Silent():
            return 0
        case _:
            assert_never(event)


PLAIN = 40
"""Facts that weigh less are plain: moves, incomes, reports of Spies, offers, new units and buildings."""
GONE = {
    "destroyed": "were destroyed",
    "disbanded": "were disbanded",
    "unpaid": "were not paid, and left",
    "faction-gone": "left the game with their faction",
}
LEADERS = {"home": "went home", "dead": "died", "lost": "were lost with them"}

JOINTS: Mapping[str, tuple[Joint, ...]] = {
    "moved": (Joint("Units moved: {items}.", "{owner:whose} {unit} from {path:to}"),),
    "raised": (
        Joint(
            "Units were raised free of charge: {items}.",
            "{owner:whose} {unit} ({formation:title}, at {at})",
            {"rented": None, "price": Stock()},
        ),
        Joint(
            "Units were raised: {items}.",
            "{owner:whose} {unit} ({formation:title}, at {at}, for {price})",
            {"rented": None},
        ),
    ),
    "gone": tuple(
        Joint(
            f"{{items}} {gone}; their leaders {fate}.", "{owner:whose} {unit} at {at}", {"why": why, "leader": leader}
        )
        for why, gone in GONE.items()
        for leader, fate in LEADERS.items()
    ),
    "control": (
        Joint("{by} took control of {items} from {before}.", "{at}", chain=True),
        Joint("{by} took control of {items}.", "{at}", chain=True),
        Joint("{before} lost control of {items}.", "{at}"),
        Joint("Nobody controls {items}.", "{at}"),
    ),
    "wounded": (Joint("Player Characters have wounds now, of which 3 kill: {items}.", "{seat} {wounds}"),),
    "heir_died": (Joint("{items} fell in battle.", "{seat:whose} Heir"),),
    "built": (Joint("These buildings are complete: {items}.", "the {building:title} at {at}"),),
    "trained": (Joint("Universities made one more Courtier each: {items}.", "{seat:whose} number {courtier}"),),
    "offered": (
        Joint("Marriage was offered by {items}.", "{by} to {to}", {"kind": "marriage"}),
        Joint("Exchanges of hostages were offered by {items}.", "{by} to {to}", {"kind": "hostages"}),
        Joint("Players offered to release hostages: {items}.", "{by} to {to}", {"kind": "release"}),
    ),
    "agreed": (
        Joint("These are married now: {items}.", "{by} with {to}", {"kind": "marriage"}),
        Joint("Hostages were exchanged: {items}.", "{by} with {to}", {"kind": "hostages"}),
        Joint("Hostages were released: {items}.", "{by} with {to}", {"kind": "release"}),
    ),
    "heir_born": (Joint("Heirs were born: {items}.", "to {seat}, with {other}"),),
    "succession": (Joint("Factions have new leaders: {items}.", "{faction} {leader}"),),
    "proposed": (Joint("{by} proposed treaties: {items}.", "{treaty} to {to}"),),
    "published": (Joint("The intents of treaties were published: {items}.", "{faction} “{text}”"),),
    "treaty_began": (Joint("Treaties are in force, their parties {state}: {items}.", "{treaty} ({parties})"),),
    "treaty_ended": (Joint("Treaties are over, by {rule}: {items}.", "{treaty} ({parties})"),),
    "breached": (Joint("{by} broke promises: {items}.", "promise {promise} of the treaty {treaty}"),),
}
"""How several facts of a kind are told in one sentence."""


def _fight_words(fight: Fight, names: Mapping[str, str]) -> str:
    """One fight of a battle: who won, how long it took, what is left."""
    attacker, defender = (names.get(side, side) for side in fight.sides)
    rounds = sum(stage.number > 0 for stage in fight.rounds)
    lasted = f"in {many(rounds, 'round', 'no')}" if rounds else "by ambush alone"
    if fight.how == "both-lost":
        return f"{attacker} and {defender} destroyed each other {lasted}"
    if fight.how == "stand-off":
        left = f"{fight.left[0]} and {fight.left[1]} Morale left"
        return f"{attacker} and {defender} stood off after {many(rounds, 'round', 'no')}, with {left}"
    first = fight.winner == fight.sides[0]
    winner, loser = (attacker, defender) if first else (defender, attacker)
    return f"{winner} beat {loser} {lasted}, {fight.left[0 if first else 1]} Morale left"


def _left_words(position: Position, sides: tuple[str, ...], left: tuple[str, ...]) -> str:
    if not left:
        return "nobody is left"
    if len(left) == len(sides):
        return f"{'both' if len(sides) == 2 else 'all'} are still there"
    # A side is one faction, several that fight together under a name of its own, or neutral units.
    several = len(left) > 1 or left[0] not in position.settings.board.factions
    return f"{join_words(left)} {'are' if several else 'is'} left"


def _seen_words(seen: Seen) -> str:
    """An estate in a Spy's report."""
    units = Counter((unit.formation.capitalize(), unit.faction, unit.commander) for unit in seen.units)
    parts = []
    for (formation, faction, commander), count in units.items():
        what = _with_article(formation) if count == 1 else f"{count} {formation}s"
        each = ", each" if count > 1 else ""
        parts.append(f"{what} of {faction}{each} led by {COMMANDERS.get(commander, commander)}")
    controlled = f"controlled by {seen.by or 'nobody'}"
    return f"{seen.at}: {controlled}, income {amounts(seen.income)}, with {', and '.join(parts) or 'no unit'}"


def _post_words(what: str) -> str:
    """`tax money` as `Tax Collector of money`."""
    post, _, resource = what.partition(" ")
    name = {"tax": "Tax Collector", "lobby": "Lobbyist", "staff": "staff"}.get(post, post.capitalize())
    return f"{name} of {resource.title() if resource in tables().buildings else resource}" if resource else name


def _target_words(ability: Ability, on: str | None) -> str:
    """The target of an ability, such as ` on U101`, ` at E5` or ` on the Steward at E5`; empty without one."""
    if on is None:
        return ""
    if ability.effect == "expel":
        post, _, at = on.rpartition(" at ")
        return f" on the {_post_words(post)} at {at}"
    return f" at {on}" if FORM_OF[ability.effect] == "ability at" else f" on {on}"


def _learned_words(fact: str) -> str:
    """`Fennel: tax money` as `Fennel’s Tax Collector of money`; `melee 8` as it is."""
    seat, colon, post = fact.partition(": ")
    return f"{whose(seat)} {_post_words(post)}" if colon else fact


def _vote_words(votes: tuple[tuple[str, str], ...], needed: int, lynched: str | None) -> str:
    for_: dict[str, list[str]] = {}
    for seat, to in votes:
        for_.setdefault(to, []).append(seat)
    told = [f"{join_words(seats)} voted for {to}" for to, seats in sorted(for_.items(), key=lambda pair: -len(pair[1]))]
    end = f"{lynched} was lynched" if lynched is not None else "nobody was lynched"
    votes_ = f"{many(needed, 'vote', 'no')} {'was' if needed == 1 else 'were'} needed"
    return f"{'; '.join(told) or 'Nobody voted'}; {votes_}, and {end}."
