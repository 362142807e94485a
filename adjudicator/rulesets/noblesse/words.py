"""Wording of Noblesse's facts: abilities, posts, Spies' reports, fights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.rulesets.noblesse.battle import Fight
from adjudicator.rulesets.noblesse.orders import FORM_OF
from adjudicator.rulesets.noblesse.position import Position, Seen
from adjudicator.rulesets.noblesse.scenario import Ability, Stock, tables

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
"""Action of the common list -> its name in a sentence."""
DOING: Mapping[str, str] = {
    "open city": "declare an Open City", "noble": "create a Noble", "marriage": "offer marriage", "heir": "create an Heir",
    "hostages": "offer hostages", "release": "release hostages", "march": "make a Forced March", "surgeon": "call a Field Surgeon",
    "arson": "commit Arson", "bribery": "pay bribes", "poison": "poison the wells", "assassin": "hire an assassin",
    "incapacitate": "use Incapacitate", "knife": "use a Knife in the Back",
}  # fmt: skip
"""Action of the common list -> the verb phrase for taking it."""
HARMS = "fire, bribes, poison, knives, incapacitation and dismissals"
"""Harm that a ward keeps away (NB-C-17)."""
FAMILY: Mapping[str, str] = {"pc": "Player Character", "heir": "Heir"}


def amounts(stock: Stock) -> str:
    """Amounts in words, such as `3 money and 2 influence` or `nothing`."""
    return join_words(str(stock).split(", "))


def value_words(value: str) -> str:
    """A unit's value in a sentence, such as `Morale` or `melee`."""
    return value.capitalize() if value == "morale" else value


def of_words(of: str) -> str:
    """An action, building, formation or resource in a sentence: `a Hired Assassin`, `the Arsenal`, `Garrison`."""
    if of in tables().actions:
        return ACTION_NAMES[of]
    if of in tables().buildings:
        return f"the {of.title()}"
    return of.capitalize() if of in tables().formations else of


def core_words(ability: Ability) -> str:
    """The effect of a part of a core ability, in words."""
    amount, about = ability.amount, of_words(ability.of or "")
    match ability.effect:
        case "council":
            return "the unit that has been in the field longest has the War Council’s bonus even without the building"
        case "inspire":
            whom = "the unit that the Player Character leads" if ability.of == "pc" else f"each {about}"
            return f"{whom} has {amount} more {value_words(ability.value or 'morale')}"
        case "levy":
            return f"the first unit recruited each Night costs {amount} manpower less, but never less than the price of its formation"
        case "thrift":
            return f"{about} costs {amount} less of each resource in its price, but never less than 1"
        case "gather":
            return f"the Home Estate yields {amount} more {about} every Night"
        case "ward":
            return f"while its player controls it, the Home Estate is safe from {HARMS}"
        case "retain":
            return f"{more(amount)} from the start"
        case "march":
            each = f"each {about}" if ability.of else "each unit"
            return f"{each} may move two estates every Night, if the first holds no other faction’s units"
        case "reach":
            return f"Spies go {many(amount, 'estate', 'no')} further every Night"
        case "domain":
            return f"{many(amount, 'estate', 'no')} beside the Home Estate can be controlled without an Heir, and one more with one"
        case "expel" | "survey" | "gauge" | "plunder" | "win over":
            raise AssertionError(ability.effect)  # no core has it
        case _:
            assert_never(ability.effect)


def more(amount: int) -> str:
    """A number of additional Courtiers: `1 more Courtier`, `2 more Courtiers`."""
    return f"{amount} more {'Courtier' if amount == 1 else 'Courtiers'}"


def ability_words(ability: Ability, *, yours: bool = False) -> str:
    """The effect of an ability with a price, in words; `yours` speaks to its player."""
    has, takes, their, whose_ = (
        ("you have", "you take", "your", "your")
        if yours
        else ("the player has", "the player takes", "their", "the player’s")
    )
    amount, about = ability.amount, of_words(ability.of or "")
    match ability.effect:
        case "inspire":
            return f"one unit has {amount} more {value_words(ability.value or 'morale')} tonight"
        case "levy":
            return f"one unit recruited tonight costs {amount} manpower less, but never less than the price of its formation"
        case "thrift":
            return f"tonight {about} costs {amount} less of each resource in its price, but never less than 1"
        case "gather":
            return f"the Home Estate yields {amount} more {about} tonight"
        case "ward":
            return f"one estate is safe tonight from {HARMS}"
        case "retain":
            return f"{more(amount)} for good, from the next Night on"
        case "march":
            return "tonight one unit may move one estate further, even a Garrison, and even where that starts a battle"
        case "reach":
            return f"Spies go {many(amount, 'estate', 'no')} further tonight"
        case "expel":
            return f"a Steward, Tax Collector or Lobbyist on an estate where {has} a Spy is sent home"
        case "survey":
            return f"it shows who has Courtiers at posts on an estate where {has} a Spy"
        case "gauge":
            return f"it shows the strength of a unit on an estate where {has} a Spy"
        case "plunder":
            return f"{takes} the whole income of an estate where one of {their} units stands tonight"
        case "win over":
            return f"an Heir on an estate where {has} a Spy is won over, and joins {whose_} faction when they succeed"
        case "council" | "domain":
            raise AssertionError(ability.effect)  # no ability with a price has it
        case _:
            assert_never(ability.effect)


def with_article(word: str) -> str:
    """A word with its article, such as `a Brigade` or `an Arsenal`."""
    return f"{'an' if word[:1] in 'AEIOUaeiou' else 'a'} {word}"


def fight_words(fight: Fight, names: Mapping[str, str]) -> str:
    """Describe one fight of a battle: the winner, the length, and the Morale left."""
    attacker, defender = (names.get(side, side) for side in fight.sides)
    rounds = sum(stage.number > 0 for stage in fight.rounds)
    lasted = f"in {many(rounds, 'round', 'no')}" if rounds else "by ambush alone"
    if fight.how == "both-lost":
        return f"{attacker} and {defender} destroyed each other {lasted}"
    if fight.how == "stand-off":
        left = f"{fight.left[0]} and {fight.left[1]} Morale left"
        return f"{attacker} and {defender} fought to a stand-off in {many(rounds, 'round', 'no')}, with {left}"
    first = fight.winner == fight.sides[0]
    winner, loser = (attacker, defender) if first else (defender, attacker)
    return f"{winner} beat {loser} {lasted}, with {fight.left[0 if first else 1]} Morale left"


def left_words(position: Position, sides: tuple[str, ...], left: tuple[str, ...]) -> str:
    """Describe who is left after a battle."""
    if not left:
        return "nobody was left"
    if len(left) == len(sides):
        return f"{'both' if len(sides) == 2 else 'all'} were left"
    # A side is one faction, several that fight together under a common name, or neutral units.
    several = len(left) > 1 or left[0] not in position.settings.board.factions
    return f"{join_words(left)} were left" if several else f"only {left[0]} was left"


def seen_words(seen: Seen) -> str:
    """An estate in a Spy's report."""
    units = Counter((unit.formation.capitalize(), unit.faction, unit.commander) for unit in seen.units)
    parts = []
    for (formation, faction, commander), count in units.items():
        what = with_article(f"{faction} {formation}") if count == 1 else f"{count} {faction} {formation}s"
        led = f"led by {COMMANDERS.get(commander, commander)}"
        parts.append(f"{what} {led if count == 1 else f'(each {led})'}")
    stand = "stands" if sum(units.values()) <= 1 else "stand"
    there = f"{join_words(parts) or 'no unit'} {stand} there"
    return f"{seen.at}: {seen.by or 'nobody'} controls it, it yields {amounts(seen.income)}, and {there}"


def post_words(what: str) -> str:
    """A post in words: `tax money` becomes `Tax Collector for money`."""
    post, _, resource = what.partition(" ")
    name = {"tax": "Tax Collector", "lobby": "Lobbyist", "staff": "staff"}.get(post, post.capitalize())
    if resource in tables().buildings:
        return f"{name} of the {resource.title()}"
    return f"{name} for {resource}" if resource else name


def target_words(ability: Ability, on: str | None) -> str:
    """The target of an ability, such as ` on U101`, ` at E5` or ` on the Steward at E5`; empty without one."""
    if on is None:
        return ""
    if ability.effect == "expel":
        post, _, at = on.rpartition(" at ")
        return f" on the {post_words(post)} at {at}"
    return f" at {on}" if FORM_OF[ability.effect] == "ability at" else f" on {on}"


def learned_words(fact: str) -> str:
    """A learned fact in words: `Fennel: tax money` becomes `Fennel’s Tax Collector for money`, and `melee 8` stays unchanged."""
    seat, colon, post = fact.partition(": ")
    return f"{whose(seat)} {post_words(post)}" if colon else fact


def revealed_words(facts: tuple[str, ...]) -> str:
    """Revealed facts after `that`: joined by commas, or by semicolons if a fact has commas itself."""
    return "; ".join(facts) if any(", " in fact for fact in facts) else join_words(facts)


def vote_words(votes: tuple[tuple[str, str], ...], needed: int, lynched: str | None) -> str:
    """Describe the votes of a Day and their result."""
    for_: dict[str, list[str]] = {}
    for seat, to in votes:
        for_.setdefault(to, []).append(seat)
    told = [f"{join_words(seats)} voted for {to}" for to, seats in sorted(for_.items(), key=lambda pair: -len(pair[1]))]
    end = f"{lynched} was lynched" if lynched is not None else "nobody was lynched"
    votes_ = f"{many(needed, 'vote', 'no')} {'was' if needed == 1 else 'were'} needed"
    return f"{'; '.join(told) or 'Nobody voted'}; {votes_}, and {end}."
