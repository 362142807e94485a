"""The rulebook's worked examples, read from `cases/` and played: illustrations on the site, tests in the repository."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field as Choice

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Judged
from adjudicator.core.contract.resolution import Example, Resolution, SeatId
from adjudicator.core.secrets.dice import Dice, NamedDice
from adjudicator.core.text.codec import Flag, Whole, record
from adjudicator.mechanics.hexes import Hex
from adjudicator.rulesets.grand_campaign.campaign import rows_of
from adjudicator.rulesets.grand_campaign.events import AnyEvent
from adjudicator.rulesets.grand_campaign.orders import sheet_type
from adjudicator.rulesets.grand_campaign.placing import setup
from adjudicator.rulesets.grand_campaign.position import (
    Army,
    ArmyKey,
    Battle,
    Claim,
    Opening,
    Party,
    Patrol,
    Phase,
    Position,
    Quarrel,
    Realm,
    Relations,
    Ruling,
    Settings,
    Standing,
    Stopped,
    Yield,
    by_row,
    id_order,
    labels,
    pair,
)
from adjudicator.rulesets.grand_campaign.resolve import resolve
from adjudicator.rulesets.grand_campaign.tables import Code, Season
from adjudicator.rulesets.grand_campaign.world import World

FOLDER = Path(__file__).parent / "cases"
QUIET = "volcanic_quenching"
"""An event that does nothing after the season has opened."""
GOLDEN: Mapping[str, int] = {"omen:1": 3, "omen:2": 4}
"""Dice of a season that begins with a Golden Age, which by itself changes nothing."""
Pairs = tuple[tuple[SeatId, SeatId], ...]


@record
class Force:
    """An army in an example; unset fields come from its list in the campaign."""

    at: Hex | None = None
    like: str | None = None
    """The campaign's list that it uses."""
    faction: str | None = None
    points: Whole | None = None
    ld: Whole | None = None
    rests: Flag | None = None
    sank: Hex | None = None
    aim: Hex | None = None
    slowed: Whole | None = None
    fervour: str | None = None
    invaded: Whole | None = None
    characters: tuple[str, ...] | None = None
    units: tuple[str, ...] | None = None


@record
class Band:
    """A party in an example."""

    at: Hex
    type_: str = "sellswords"
    members: Whole = 3
    gold: Whole = 0
    weirdstone: Whole | None = None
    ruin: Hex | None = None
    patrol: Patrol | None = None


@record
class Case:
    """One worked example on the sample map: realms hold their starting land, and only the named armies are there."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    phase: Phase = Phase.SEASON
    turn: Whole = 2
    season: Season = "summer"
    event: str = QUIET
    settings: Settings = field(default_factory=Settings)
    order: tuple[SeatId, ...] = ("Anna", "Ben", "Cora")
    portals: tuple[Hex, ...] = ()
    golden: SeatId | None = None
    income: Mapping[Hex, Yield] = field(default_factory=dict)
    factions: Mapping[SeatId, str] = field(default_factory=dict)
    """Factions of players, and of their armies that name none."""
    gold: Mapping[SeatId, Whole] = field(default_factory=dict)
    land: Mapping[SeatId, tuple[Hex, ...]] = field(default_factory=dict)
    """Land that players hold besides their starting land; others lose it. `nobody` frees hexes."""
    works: Mapping[Hex, str] = field(default_factory=dict)
    """Constructions besides those at the start; `none` removes one."""
    terrain: Mapping[Hex, Code] = field(default_factory=dict)
    roads: tuple[Hex, ...] = ()
    sabotaged: tuple[Hex, ...] = ()
    conquered: Mapping[Hex, SeatId] = field(default_factory=dict)
    """Neutral cities that a player has conquered."""
    realms: Mapping[SeatId, Mapping[str, Any]] = field(default_factory=dict)
    """Other fields of realms."""
    standing: Mapping[SeatId, Standing] = field(default_factory=dict)
    war: Pairs = ()
    alliance: Pairs = ()
    armies: Mapping[ArmyKey, Force] = field(default_factory=dict)
    parties: Mapping[ArmyKey, Band] = field(default_factory=dict)
    battles: tuple[Battle, ...] = ()
    annexes: Mapping[ArmyKey, Hex] = field(default_factory=dict)
    stopped: tuple[Stopped, ...] = ()
    quarrels: tuple[Quarrel, ...] = ()
    plans: Mapping[ArmyKey, tuple[str, ...]] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    sheets: Mapping[SeatId, Mapping[str, Any]] = field(default_factory=dict)
    through: Flag = False
    """Whether to include the next turn of battles, without any reports."""
    opens: Flag = False
    """Whether the example is about the opening of the next season, and includes its facts."""
    dice: Mapping[str, Annotated[int, Choice(ge=1)]] = field(default_factory=dict)
    """Rolls by name; others are rolled at random."""
    told: tuple[str, ...] = ()
    """Facts of the turn; see `story`."""
    verdicts: tuple[Judged, ...] = ()
    after: Mapping[str, Any] = field(default_factory=dict)
    """All changes to the position; see `outcome`."""


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases by name; raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case)


class CaseDice(NamedDice):
    """Dice of an example: it may name rolls and their values; all others are random."""

    def __init__(self, values: Mapping[str, int], key: bytes) -> None:
        super().__init__(key)
        self.values = values

    def _value(self, name: str, sides: int) -> int:
        return self.values[name] if name in self.values else super()._value(name, sides)


@functools.cache
def started(settings: Settings) -> Position:
    """The sample campaign with every settlement at its start, and no army or party on the map yet."""
    position = setup(settings, NamedDice(b"sample"))
    plan = position.plan
    world = World(position, {}, NamedDice(b"sample"))
    for seat, side in plan.players.items():
        assert side.start is not None
        for kind, label in side.start.settlements:
            world.works[label] = kind
            near = [one for one in plan.grid.within(label, 1) if one not in world.holder and one not in plan.cities]
            world.take(seat, near)
    return world.after()


def position_of(case: Case) -> Position:
    """The starting position of an example."""
    if case.phase is Phase.PLACEMENT:
        return setup(case.settings, NamedDice(case.id.encode()))
    start = started(case.settings)
    owners = dict(start.holder) | dict(case.conquered)
    for seat, hexes in case.land.items():
        for label in hexes:
            owners.pop(label, None) if seat == "nobody" else owners.update({label: seat})
    works = dict(start.works) | dict(case.works) | {label: start.cities[label] for label in case.conquered}
    opening = Opening(
        season=case.season,
        event=case.event,
        order=case.order,
        portals=case.portals,
        golden=case.golden,
        dice=case.income,
    )
    realms = {
        seat: Realm(
            faction=case.factions.get(seat, realm.faction),
            gold=case.gold.get(seat, 0),
            land=by_row(label for label, owner in owners.items() if owner == seat),
            standing=case.standing.get(seat),
            **case.realms.get(seat, {}),
        )
        for seat, realm in start.realms.items()
    }
    return replace(
        start,
        phase=case.phase,
        turn=case.turn,
        opening=opening,
        rows=rows_of({**start.terrain, **case.terrain}, start.grid),
        roads=labels(case.roads),
        cities={label: kind for label, kind in start.cities.items() if label not in case.conquered},
        works={label: works[label] for label in labels(works) if works[label] != "none"},
        sabotaged=labels(case.sabotaged),
        realms=realms,
        relations=Relations(
            war=tuple(sorted(pair(*both) for both in case.war)),
            alliance=tuple(sorted(pair(*both) for both in case.alliance)),
        ),
        armies=tuple(
            sorted(
                (_army(start, case, key, force) for key, force in case.armies.items()),
                key=lambda one: (one.owner, id_order(one.id)),
            )
        ),
        parties=tuple(
            Party(
                owner=key.rsplit(" ", 1)[0],
                id=key.rsplit(" ", 1)[1],
                at=band.at,
                type_=band.type_,
                members=band.members,
                gold=band.gold,
                weirdstone=band.weirdstone,
                ruin=band.ruin,
                patrol=band.patrol,
            )
            for key, band in sorted(case.parties.items())
        ),
        battles=case.battles,
        annexes=dict(case.annexes),
        stopped=case.stopped,
        quarrels=case.quarrels,
        claims=case.claims,
        plans=dict(case.plans),
        rulings=dict(case.rulings),
    )


def _army(start: Position, case: Case, key: ArmyKey, force: Force) -> Army:
    owner, id_ = key.rsplit(" ", 1)
    side = start.plan.players[owner]
    name = force.like or side.rosters.get(id_, next(iter(side.rosters.values())))  # type: ignore[call-overload]  # any id
    world = World(start, {}, NamedDice(b""))
    army = world.raised(owner, id_, force.at, start.plan.rosters[name])
    said: dict[str, Any] = {
        key: value
        for key, value in (
            ("faction", force.faction or case.factions.get(owner)),
            ("points", force.points), ("ld", force.ld), ("rests", force.rests), ("sank", force.sank), ("aim", force.aim),
            ("slowed", force.slowed), ("fervour", force.fervour), ("invaded", force.invaded), ("characters", force.characters),
            ("units", force.units),
        )
        if value is not None
    }  # fmt: skip
    return replace(army, **said)


def outcome(before: Position, after: Position) -> dict[str, Any]:
    """All changes to a position, in the format of an example, without the opening of the next season."""
    found: dict[str, Any] = {}
    for key in ("phase", "turn", "closed", "closing"):
        old, new = getattr(before, key), getattr(after, key)
        if old != new:
            found[key] = getattr(new, "value", new)
    held = before.holder, after.holder
    seats = {*before.realms}
    found["land"] = {
        seat: " ".join(
            (
                *(f"+{label}" for label in labels(after.holder) if held[0].get(label) != seat == held[1][label]),
                *(f"-{label}" for label in labels(before.holder) if held[0][label] == seat != held[1].get(label)),
            )
        )
        for seat in sorted(seats)
    }
    for name, old, new in (
        ("gold", _purses(before), _purses(after)),
        ("works", dict(before.works), dict(after.works)),
        ("terrain", before.terrain, after.terrain),
        ("roads", dict.fromkeys(before.roads, "road"), dict.fromkeys(after.roads, "road")),
        ("sabotaged", dict.fromkeys(before.sabotaged, "yes"), dict.fromkeys(after.sabotaged, "yes")),
        ("relations", _relations(before), _relations(after)),
        ("realms", _realms(before), _realms(after)),
        ("armies", {one.key: _words(one) for one in before.armies}, {one.key: _words(one) for one in after.armies}),
        ("parties", {one.key: _words(one) for one in before.parties}, {one.key: _words(one) for one in after.parties}),
        ("people", _people(before), _people(after)),
    ):
        found[name] = {key: new.get(key, "none") for key in sorted({*old, *new}) if old.get(key) != new.get(key)}
    found["land"] = {seat: text for seat, text in found["land"].items() if text}
    found["battles"] = [_battle(battle) for battle in after.battles if battle not in before.battles]
    found["annexes"] = {key: at for key, at in after.annexes.items() if key not in before.annexes}
    found["stopped"] = {one.army: ", ".join(one.items) for one in after.stopped if one not in before.stopped}
    return {key: value for key, value in found.items() if value not in ({}, [], None)}


def _purses(position: Position) -> dict[str, int]:
    return {seat: realm.gold for seat, realm in position.realms.items()}


def _relations(position: Position) -> dict[str, str]:
    pairs = position.relations
    return {" and ".join(both): "war" for both in pairs.war} | {
        " and ".join(both): "alliance" for both in pairs.alliance
    }


def _realms(position: Position) -> dict[str, str]:
    """Each realm's fields, except land and gold."""
    return {
        seat: _said(
            faction=realm.faction, barred=realm.barred, changed=realm.changed, landless=realm.landless, out=realm.out
        )
        for seat, realm in position.realms.items()
    }


def _words(one: Army | Party) -> str:
    if isinstance(one, Army):
        return _said(
            at=one.at, name=one.name, faction=one.faction, points=one.points, rests=one.rests, sank=one.sank, aim=one.aim,
            slowed=one.slowed, fervour=one.fervour, invaded=one.invaded,
        )  # fmt: skip
    patrol = one.patrol and ("all" if one.patrol.all else "enemies")
    return _said(
        at=one.at, type=one.type_, members=one.members, gold=one.gold or None, weirdstone=one.weirdstone, ruin=one.ruin, patrol=patrol
    )  # fmt: skip


def _said(**fields: object) -> str:
    """Fields that are set: `at 0504, rests`."""
    parts = (key if value is True else f"{key} {value}" for key, value in fields.items() if value is not None)
    return ", ".join(parts)


def _people(position: Position) -> dict[str, str]:
    """Characters and units that have experience, a Level or an artefact."""
    found = {}
    for army in position.armies:
        for line in (*army.characters, *army.units):
            if " XP" in line or "level " in line or "bears " in line:
                found[f"{army.key} {line.split(',')[0]}"] = line.split(", ", 1)[1]
    return found


def _battle(battle: Battle) -> str:
    foe = battle.defender or "the garrison"
    more = "".join(
        (
            f", a {battle.wins}" if battle.wins else "",
            ", attacked twice" if battle.twice else "",
            ", disputed" if battle.disputed else "",
        )
    )
    return f"{battle.id} {battle.kind} {' and '.join(battle.attackers)} against {foe} over {battle.at}, {battle.scenario}{more}"


def story(case: Case, before: Position, done: Resolution[Position, AnyEvent]) -> list[AnyEvent]:
    """Facts of an example, without the opening of the next season unless the example is about it."""
    at = next((at for at, event in enumerate(done.events) if event.event == "opened"), len(done.events))
    return [*done.events] if case.opens or before.phase is Phase.PLACEMENT else [*done.events[:at]]


def sheets_of(case: Case, position: Position) -> dict[SeatId, Any]:
    """The sheets of an example."""
    return cases.sheets_in(case.id, case.sheets, functools.partial(sheet_type, position))


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Play every example."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """Play an example, and return its starting position and the resolution of its sheets."""
    position = position_of(case)
    dice: Dice = CaseDice({**GOLDEN, **case.dice}, case.id.encode())
    done = resolve(position, sheets_of(case, position), dice)
    if not case.through:
        return position, done
    after = resolve(done.position, {}, dice)
    return position, replace(after, verdicts=(*done.verdicts, *after.verdicts), events=(*done.events, *after.events))
