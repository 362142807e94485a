"""How a sentence names what belongs to the campaign: armies, hexes, constructions, dice and reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudicator.core.contract.facts import Spelling
from adjudicator.core.contract.words import join_words, many, whose
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.position import ArmyKey
from adjudicator.rulesets.grand_campaign.reasons import REASONS, Reason
from adjudicator.rulesets.grand_campaign.tables import (
    ACTIONS,
    CALENDAR,
    CONSTRUCTIONS,
    FACTIONS,
    PARTIES,
    SCENARIOS,
    TERRAIN,
    Code,
)

OMENS: Mapping[str, str] = {event.id: event.name for event in CALENDAR.events.values()}
FEW = 4
"""Up to this number, hexes are listed one by one; beyond it, only their number is given."""


def who(key: ArmyKey) -> str:
    """An army or a party: `Anna’s A1`."""
    owner, _, id_ = key.rpartition(" ")
    return f"{whose(owner)} {id_}" if owner else key


def each(keys: Iterable[ArmyKey]) -> str:
    """Several armies or parties: `Anna’s A1 and Ben’s G`."""
    return join_words([who(key) for key in keys])


def work(kind: str) -> str:
    """Display name of a construction, a road or an army."""
    return CONSTRUCTIONS[kind].name if kind in CONSTRUCTIONS else kind


def a(noun: str) -> str:
    """A noun with its indefinite article."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def some(number: int, noun: str, none: str = "") -> str:
    """`1 City`, `3 Cities`, `2 hexes`; with `none` instead of a 0."""
    if number != 1 and noun.endswith("y"):
        return many(number, f"{noun[:-1]}ie", none)
    if number != 1 and noun.endswith(("s", "x", "ch")):
        return many(number, f"{noun}e", none)
    return many(number, noun, none)


def hexes(labels: Sequence[Hex]) -> str:
    """Hexes by name if they are few, otherwise their number."""
    return join_words(labels) if len(labels) <= FEW else f"{len(labels)} hexes"


def terrain(code: Code) -> str:
    """Display name of a kind of terrain."""
    return TERRAIN[code].name


def scenario(id_: str) -> str:
    """Display name of a scenario."""
    return SCENARIOS[id_].name


def action(id_: str) -> str:
    """Display name of an Action."""
    table = ACTIONS.armies if id_ in ACTIONS.armies else ACTIONS.parties
    return table[id_].name if id_ in table else id_.replace("_", " ")


def turn_words(name: str) -> str:
    """A turn's name within a sentence: `Spring of year 1`, and `the Spring battles of year 1` for `Spring of year 1, battles`."""
    season, of, year = name.removesuffix(", battles").partition(" of ")
    return f"the {season} battles{of}{year}" if name.endswith(", battles") else name


def dice(numbers: Iterable[int]) -> str:
    """Dice in words: `3 and 5`."""
    return join_words([*numbers])


def reason_words(reason: Reason, facts: Mapping[str, object]) -> str:
    """The sentence for a reason as it reads after a colon: without a capital letter and a full stop."""
    named = {
        key: who(str(value)) if key == "army" and " " in str(value) else str(value) for key, value in facts.items()
    }
    if "left" in facts:
        named["left"] = f"only {facts['left']}" if facts["left"] else "none"
    text = REASONS[reason].text
    said = text.format_map(named).rstrip(".")
    return said if text.startswith("{") or text.split()[0] in PROPER else said[0].lower() + said[1:]


PROPER = frozenset({"Guerrilla", "Annex"})
"""First words of reasons that keep their capital within a sentence."""


SPELLINGS: Mapping[str, Spelling] = {
    "army": lambda _, key: who(key),
    "armies": lambda _, keys: each(keys),
    "foe": lambda _, key: who(key) if key is not None else "the garrison",
    "work": lambda _, kind: work(kind),
    "a work": lambda _, kind: a(work(kind)),
    "few": lambda _, labels: hexes(labels),
    "scenario": lambda _, id_: scenario(id_),
    "action": lambda _, id_: action(id_),
    "omen": OMENS,
    "season": lambda _, season: CALENDAR.seasons[season].name,
    "faction": lambda _, faction: FACTIONS[faction].name,
    "party": lambda _, kind: PARTIES[kind].name if kind in PARTIES else kind,
    "goods": lambda _, goods: join_words(goods) or "nothing",
    "cost": lambda _, price: f" for {price} gold" if price else "",
    "placed": {"wish": " as wished", "start": " at the start of the campaign", "first": ", the first hex that would do"},
    "beaten": {
        "destroyed": "was destroyed", "mauled": "was mauled", "scattered": "was scattered", "routed": "was routed",
        "retreats": "retreated", "withdraws": "withdrew",
    },
    "claimed": {"claim": "claimed", "conquest": "conquered"},
    "end": {
        "eruption": "perished in the eruption",
        "defeat": "was destroyed",
        "surrounded": "was surrounded and destroyed",
        "nowhere": "had nowhere to go and was lost",
        "members": "lost its last member",
        "out": "disbanded",
    },
    "retreated": {"retreat": "retreated", "mauled": "was moved", "back": "fell back"},
    "gift": {"photos": "photos", "account": "a report", "story": "a story"},
}  # fmt: skip
"""Spelling -> how it writes a field of a fact."""
