"""The Grand Campaign: what holds after every turn, whatever anybody orders."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.jobs.stand_in import chance_of
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import extend_record
from adjudicator.mechanics.hexes import DIRECTIONS, distance
from adjudicator.rulesets.grand_campaign import events as e
from adjudicator.rulesets.grand_campaign.acts import MOVES, PARTY_ACTS
from adjudicator.rulesets.grand_campaign.campaign import APART, Campaign, campaign_named, load_campaign
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.faults import faults
from adjudicator.rulesets.grand_campaign.orders import RESULTS, AnySheet, BattlesSheet, PlacementSheet, SeasonSheet
from adjudicator.rulesets.grand_campaign.placing import setup
from adjudicator.rulesets.grand_campaign.position import OwnCampaign, Phase, Position, Settings
from adjudicator.rulesets.grand_campaign.resolve import due, resolve
from adjudicator.rulesets.grand_campaign.tables import CONSTRUCTIONS, FACTIONS, PARTIES
from adjudicator.rulesets.grand_campaign.world import World
from adjudicator.rulesets.grand_campaign.worth import write
from tests.rulesets.test_grand_campaign_rules import SAMPLE

Done = Resolution[Position, AnyEvent]
WORDS = {
    "rank": ("Fortress", "City"),
    "settlement": ("Town", "Fortress", "City"),
    "kind": ("forest", "pine", "jungle"),
    "number": ("1", "2"),
    "amount": ("10", "300"),
}


@functools.cache
def campaign_of(factions: tuple[str, str, str]) -> Settings:
    """The sample campaign with other factions."""
    plan = campaign_named("sample")
    sides = {
        seat: replace(side, faction=faction)
        for (seat, side), faction in zip(plan.players.items(), factions, strict=True)
    }
    return extend_record(Settings(), OwnCampaign, own=replace(plan, players=sides))


def wild(position: Position, seat: str, chance: Random) -> AnySheet:
    """A sheet with every kind of line, most of it foolish."""
    hexes = position.grid.hexes
    rival = chance.choice([other for other in position.realms if other != seat])

    def filled(form: str) -> str:
        def word(blank: re.Match[str]) -> str:
            match blank[1]:
                case "direction" | "next":
                    return chance.choice(DIRECTIONS)
                case "hex":
                    return chance.choice(hexes)
                case "seat" | "other":
                    return rival
                case "roster":
                    return chance.choice([*position.plan.rosters])
                case "army":
                    return chance.choice(("A1", "A2", "G"))
                case "character":
                    return next((army.name for army in position.armies if army.owner == seat), "Nobody")
                case other:
                    return chance.choice(WORDS[other])

        return re.sub(r"\{(\w+)\}", word, form)

    if position.phase is Phase.PLACEMENT:
        return PlacementSheet(city=tuple(chance.sample(hexes, 3)), towns=tuple(chance.sample(hexes, 5)))
    if position.phase is Phase.BATTLES:
        return BattlesSheet(
            results=tuple(
                f"{battle.id}: {chance.choice(RESULTS)}" for battle in position.battles if chance.random() < 0.7
            )
        )
    mine = [
        label
        for label, kind in position.works.items()
        if position.holder.get(label) == seat and CONSTRUCTIONS[kind].settlement
    ]
    near = [spot for label in mine for spot in position.grid.neighbours(label).values()] or list(hexes)
    steps = [form for form in MOVES.kinds if form not in DIRECTIONS]
    deeds = [form for form in PARTY_ACTS.kinds if form not in DIRECTIONS]

    def line(forms: list[str], most: int) -> str:
        return ", ".join(
            chance.choice(DIRECTIONS) if chance.random() < 0.7 else filled(chance.choice(forms))
            for _ in range(chance.randint(1, most))
        )

    def bought() -> str:
        return f"{chance.choice(('claim', 'seize', 'destroy'))} {chance.choice(hexes)}"

    armies = [army for army in position.armies if army.owner == seat]
    return SeasonSheet(
        diplomacy=(
            *(f"{chance.choice(('war', 'alliance', 'peace'))} with {rival}" for _ in range(chance.randint(0, 2))),
            f"trade with {rival}: {chance.choice(mine or hexes)} for nothing",
            f"joust for 10 gold: G {filled('{character}')}",
            f"joust of {rival}: G {filled('{character}')}",
        ),
        spending=(
            *(f"army A{at} from {chance.choice([*position.plan.rosters])} at {chance.choice(near)}" for at in (3, 4)),
            *(f"party P{at} of 3 {chance.choice([*PARTIES])} at {chance.choice(near)}" for at in (1, 2, 3)),
        ),
        armies=tuple(
            f"{army.id}: {'Annex Territory' if army.aim and chance.random() < 0.7 else line(steps, 7)}"
            for army in armies
        ),
        parties=tuple(f"{party.id}: {line(deeds, 5)}" for party in position.parties if party.owner == seat),
        conquest=tuple(
            f"{army.id}: {', '.join(bought() for _ in range(4))}" for army in armies if chance.random() < 0.3
        ),
    )


def turns(seed: int, most: int, tame: float = 0.5) -> Iterator[tuple[Position, Mapping[str, AnySheet], Done]]:
    """Some turns of a campaign; so many of all the sheets are written by stand-ins, and the others are wild."""
    chance = Random(seed)
    first, second, third = (chance.choice([*FACTIONS]) for _ in range(3))
    position = setup(campaign_of((first, second, third)), NamedDice(b"%d" % seed))
    if chance.random() < 0.5:
        rich = {seat: replace(realm, gold=3500) for seat, realm in position.realms.items()}
        position = replace(position, realms=rich)
    for number in range(most):
        agreed = chance_of(str(seed), str(number))
        sheets: dict[str, AnySheet] = {
            seat: write(position, seat, agreed) if chance.random() < tame else wild(position, seat, chance)
            for seat in sorted(due(position))
        }
        done = resolve(position, sheets, NamedDice(b"%d %d" % (seed, number)))
        yield position, sheets, done
        if done.ended is not None:
            return
        position = done.position


def gold_told(events: tuple[AnyEvent, ...]) -> Counter[str]:
    """Gold that everybody gained or spent by the facts of a turn; losses to a full purse do not count."""
    told: Counter[str] = Counter()
    for event in events:
        match event:
            case e.Income():
                told[event.seat] += event.total
            case e.Recruited(who=key, price=price, members=members):
                # Members that a party hires later are paid from its purse (GC-G-8).
                own = members and price != 500
                told[key.rpartition(" ")[0]] -= 0 if own else price
            case e.Built():
                told[event.seat] -= event.price
            case e.Earned(who=key, gold=gold, purse=purse, of=of, what=what):
                told[key.rpartition(" ")[0]] += gold
                if of is not None and what != "caught":
                    told[of] -= gold + (purse if what == "loot_town" else 0)
            case e.Bought(army=key, gold=gold):
                told[key.rpartition(" ")[0]] += gold
            case e.Traded():
                for seat, goods, sign in (
                    (event.by, event.gave, -1),
                    (event.by, event.got, 1),
                    (event.to, event.gave, 1),
                    (event.to, event.got, -1),
                ):
                    told[seat] += sign * sum(int(word.split()[0]) for word in goods if word.endswith(" gold"))
            case e.Honoured():
                for seat in event.seats:
                    told[seat] += event.gold
            case e.Jousted():
                fee = event.gold // len(event.riders)
                for seat, _ in event.riders:
                    told[seat] -= fee
                told[event.winner] += event.gold
            case _:
                pass
    return told


def keeps(before: Position, done: Done) -> None:
    """Laws that hold after every turn."""
    after = done.position
    assert list(faults(after)) == []
    spots = [army.at for army in after.armies if army.at is not None]
    assert len(spots) == len({*spots})
    world = World(after, {}, NamedDice(b"law"))
    for army in after.armies:
        if army.at is not None:
            assert world.open_to(army.owner, army.at), (army.key, army.at)
            assert (
                world.entry(army, army.at) is not None
                or after.terrain[army.at] != before.terrain[army.at]
                or army.key in {one.key for one in before.armies if one.at == army.at}
            )
    cap = after.plan.configuration.gold_cap
    told = gold_told(done.events)
    for seat, realm in after.realms.items():
        assert 0 <= realm.gold <= cap
        change = realm.gold - before.realms[seat].gold
        assert change == told[seat] or (change < told[seat] and _was_full(before, done, seat, told[seat])), (
            seat,
            change,
            told[seat],
        )
    towns = {
        label: kind
        for label, kind in (dict(after.works) | dict(after.cities)).items()
        if CONSTRUCTIONS[kind].settlement
    }
    assert all(distance(one, other) >= APART for one, other in itertools.combinations(towns, 2))
    borne = [line.rpartition("bears ")[2] for army in after.armies for line in army.characters if "bears " in line]
    assert len(borne) == len({*borne})
    generals = Counter(army.owner for army in after.armies if army.general)
    waiting = after.phase is Phase.BATTLES and not after.closed
    assert all(generals[seat] == 1 for seat, realm in after.realms.items() if not realm.out and not waiting)


def _was_full(before: Position, done: Done, seat: str, told: int) -> bool:
    """True if a purse was full at some time in the turn, so that something was lost (GC-B-2)."""
    gains = sum(max(0, number) for number in (gold_told((event,))[seat] for event in done.events))
    return before.realms[seat].gold + gains > before.plan.configuration.gold_cap


@given(st.integers(0, 10**6))
def test_laws_hold_whatever_is_ordered(seed: int) -> None:
    """One army per hex, nobody on Neutral or Enemy land, gold by named causes only, settlements apart, each Artefact once."""
    for before, _, done in turns(seed, 5):
        keeps(before, done)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(150))
def test_laws_hold_through_whole_campaigns(seed: int) -> None:
    """The laws also hold through whole campaigns."""
    for before, _, done in turns(seed, 60):
        keeps(before, done)


NAMES = {"Anna": "Bella", "Ben": "Carl", "Cora": "Dora"}
BACK = {new: old for old, new in NAMES.items()}


class Renamed(NamedDice):
    """Dice that know the players by other names."""

    def _value(self, name: str, sides: int) -> int:
        return super()._value(re.sub(r"Bella|Carl|Dora", lambda found: BACK[found[0]], name), sides)


def renamed(thing: Any) -> Any:
    """A text with every player's other name."""
    return re.sub(r"\b(Anna|Ben|Cora)\b", lambda found: NAMES[found[0]], thing)


@functools.cache
def other_names() -> Campaign:
    """The sample campaign with other players."""
    return load_campaign(renamed(SAMPLE.read_text(encoding="utf-8")).encode(), "own.yaml")


@given(st.integers(0, 10**6))
def test_names_of_players_make_no_difference(seed: int) -> None:
    """Players with other names, in the same alphabetical order, get the same results."""
    chance = Random(seed)
    one = setup(Settings(), NamedDice(b"names"))
    other = setup(extend_record(Settings(), OwnCampaign, own=other_names()), Renamed(b"names"))
    for number in range(3):
        sheets = {seat: wild(one, seat, chance) for seat in sorted(due(one))}
        texts = {NAMES[seat]: _renamed_sheet(sheet) for seat, sheet in sheets.items()}
        done, again = resolve(one, sheets, NamedDice(b"%d" % number)), resolve(other, texts, Renamed(b"%d" % number))
        assert [renamed(repr(event)) for event in done.events] == [repr(event) for event in again.events]
        one, other = done.position, again.position


def _renamed_sheet(sheet: AnySheet) -> AnySheet:
    lists: dict[str, Any] = {
        key: tuple(map(renamed, value))
        for key in type(sheet).__dataclass_fields__
        if isinstance(value := getattr(sheet, key), tuple)
    }
    return replace(sheet, **lists)


@pytest.mark.long
def test_every_rule_of_a_faction_is_used() -> None:
    """In a hundred campaigns of all factions every special Action is taken, and everything that only some factions have occurs."""
    done: Counter[str] = Counter()
    for seed in range(100):
        for _, _, after in turns(1000 + seed, 40, 0.65):
            for event in after.events:
                match event:
                    case e.Appeared():
                        done[event.how] += 1
                    case e.Earned(what="coastal_raid"):
                        done["raid"] += 1
                    case e.Built(how="moved"):
                        done["moved"] += 1
                    case e.Wrecked(why="earthquake"):
                        done["earthquake"] += 1
                    case e.Reshaped(why="nurture_forest"):
                        done["nurture"] += 1
                    case e.Gave():
                        done["gift"] += 1
                    case e.Beaten(eternal=die) if die:
                        done["eternal"] += 1
                    case e.Bought(tests=(_, _)):
                        done["discipline"] += 1
                    case e.Income(parts=parts):
                        done["ruins"] += any(what == "ruin" for _, what, _ in parts)
                        done["mines"] += any(what == "mine" for _, what, _ in parts)
                    case _:
                        pass
            for army in after.position.armies:
                done["fervour"] += army.fervour is not None
                done["invaded"] += army.invaded is not None
            for verdict in after.verdicts:
                done["skip"] += "Skip" in verdict.order and verdict.result == "succeeds"
    used = {"sands", "emerged", "teleport", "raid", "moved", "earthquake", "nurture", "gift", "eternal", "discipline", "ruins", "mines",
            "fervour", "invaded", "skip"}  # fmt: skip
    assert {name for name in used if not done[name]} == set()
