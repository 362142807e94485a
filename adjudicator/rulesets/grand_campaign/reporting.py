"""A battle's report as buttons to tap on a phone at the table: the winner, the deeds, photos and stories (GC-Z-14)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from adjudicator.core.contract.plans import Ask, Card
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.rulesets.grand_campaign.accounts import Accounts, Deed
from adjudicator.rulesets.grand_campaign.acts import LINES
from adjudicator.rulesets.grand_campaign.bonus import GOLD, WORDS
from adjudicator.rulesets.grand_campaign.orders import CUSTOM, RESULTS, Order, reader_of
from adjudicator.rulesets.grand_campaign.position import Battle, Phase, Position, Quarrel
from adjudicator.rulesets.grand_campaign.rosters import character, unit
from adjudicator.rulesets.grand_campaign.skirmishes import skirmish_id
from adjudicator.rulesets.grand_campaign.tables import SCENARIOS
from adjudicator.rulesets.grand_campaign.words import scenario, who
from adjudicator.rulesets.grand_campaign.world import World

ENDED: Mapping[str, str] = {
    "win": "{me} won", "major win": "{me} won a great victory", "loss": "{foe} won", "major loss": "{foe} won a great victory", "draw": "A draw",
    "stalemate": "Not fought", "auto": "The resolver judges it", "I concede": "{me} concedes",
}  # fmt: skip
"""Result in a report -> the label of its button."""
assert set(ENDED) == set(RESULTS)
MONSTERS = ("2",)
"""Numbers of slain monsters that have a button; higher ones are typed."""


def report_cards(view: Position, seat: SeatId) -> tuple[Card, ...]:
    """A card for each of a player's battles and skirmishes, in a battle turn."""
    return tuple(_cards(view, seat)) if view.phase is Phase.BATTLES else ()


def _cards(view: Position, seat: SeatId) -> Iterator[Card]:
    accounts = Accounts(World(view, {}, NamedDice(b"desk")))
    for battle in view.battles:
        if seat in accounts.seats(battle):
            yield _battle(view, accounts, battle, seat)
    for number, quarrel in enumerate(view.quarrels):
        seats = tuple(key.rpartition(" ")[0] for key in (quarrel.comer, quarrel.other))
        if seat in seats:
            yield _skirmish(skirmish_id(number), quarrel, seats)


def _battle(view: Position, accounts: Accounts, battle: Battle, seat: SeatId) -> Card:
    seats = accounts.seats(battle)
    foe = next((other for other in seats if other != seat), "The garrison")
    foe_army = who(battle.defender) if battle.defender is not None else "the garrison"
    results = tuple((words.format(me=seat, foe=foe), f"{battle.id}: {result}") for result, words in ENDED.items())
    ends = tuple((one.name, f" in {one.name}") for id_, one in SCENARIOS.items() if id_ != battle.scenario)
    return Card(
        title=f"{battle.id}: {who(battle.attackers[0])} against {foe_army}",
        about=f"Over {battle.at}, {scenario(battle.scenario)}.",
        asks=(
            Ask(
                key="results",
                label="Who won?",
                answers=results,
                one=True,
                ends=(*ends, ("One of our own", f" in {CUSTOM}")),
            ),
            *_deeds(view, accounts, battle),
            *_tales(battle),
        ),
    )


def _deeds(view: Position, accounts: Accounts, battle: Battle) -> Iterator[Ask]:
    """A question for everybody who fought, whose answers are the deeds that a report may name (GC-S, GC-T)."""
    everybody = _everybody(accounts, battle)
    borne = {artefact: by for artefact, by in accounts.world.borne().items() if by[0] in set(_keys(battle))}
    for key, name, called in everybody:
        foes = [other for army, _, other in everybody if army != key]
        answers: list[tuple[str, str]] = []
        for form, kind in LINES.forms("deeds").items():
            blanks = {
                "number": MONSTERS if "{number}" in form else ("",),
                "artefact": tuple(_parted(kind, borne, key, name)) if "{artefact}" in form else ("",),
                "foe": tuple(foes) if "{foe}" in form else ("",),
            }
            for number, artefact, foe in itertools.product(*blanks.values()):
                line = form.format(battle=battle.id, who=called, number=number, artefact=artefact, foe=foe)
                order = reader_of(view.plan).read("deeds", line)
                if isinstance(order, Order) and order.kind == kind and isinstance(accounts.deed(battle, order), Deed):
                    answers.append((line.removeprefix(f"{battle.id}: {called} "), line))
        if answers:
            label = f"{name}, of {who(key)}"
            yield Ask(key="deeds", label=label, answers=tuple(answers), folded=True)


def _parted(kind: str, borne: Mapping[str, tuple[str, str]], army: str, name: str) -> Iterator[str]:
    """The Artefacts that a fighter can take from the other side (GC-U-5), or give away (GC-U-8)."""
    for artefact, by in borne.items():
        if by[0] != army if kind == "took" else by == (army, name):
            yield artefact


def _keys(battle: Battle) -> tuple[str, ...]:
    return (battle.attackers[0], *((battle.defender,) if battle.defender is not None else ()))


def _everybody(accounts: Accounts, battle: Battle) -> list[tuple[str, str, str]]:
    """All who fought, as (army, name, name in a line); the last begins with the player's name if both sides have that name."""
    people = []
    for key in _keys(battle):
        army = accounts.world.armies[key]
        people += [(key, one.name) for one in (*map(character, army.characters), *map(unit, army.units))]
    names = [name.casefold() for _, name in people]
    return [
        (key, name, f"{key.rpartition(' ')[0]} {name}" if names.count(name.casefold()) > 1 else name)
        for key, name in people
    ]


def _tales(battle: Battle) -> Iterator[Ask]:
    """The question about photos, a report or a story of a battle, which bring gold (GC-W-1 to GC-W-3)."""
    tales = tuple(
        (f"I write {'a report' if kind == 'account' else 'a story'} of {words} words ({GOLD[kind]} gold)", f"{battle.id}: {kind}")
        for kind, words in WORDS.items()
    )  # fmt: skip
    label = f"Photos ({GOLD['photos']} gold), a report or a story"
    yield Ask(key="bonus", label=label, answers=tales, link=f"{battle.id}: photos ", folded=True)


def _skirmish(id_: str, quarrel: Quarrel, seats: tuple[SeatId, ...]) -> Card:
    lines = {kind: form for form, kind in LINES.forms("skirmishes").items()}
    won = lines["won"]
    answers = (
        *((f"{seat} won", won.replace("{skirmish}", id_).replace("{seat}", seat)) for seat in seats),
        ("A tie", lines["tie"].format(skirmish=id_)),
        ("Not played", lines["unplayed"].format(skirmish=id_)),
    )
    return Card(
        title=f"{id_}: {who(quarrel.comer)} against {who(quarrel.other)}",
        about=f"Over {quarrel.at}. Unless both of you report the same, the dice decide.",
        asks=(Ask(key="skirmishes", label="How did it end?", answers=answers, one=True),),
    )
