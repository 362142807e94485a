"""The rulebook's worked examples, read from `cases/` and played, for the site and the tests.

All of them have one cast: players and roles in the scenario's order, homes in the first squares of each faction's range,
no units and empty stocks; a case says what is otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Judged
from adjudicator.core.contract.resolution import Example, Resolution
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import Whole, record
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.orders import Order, Sheet, reader_of
from adjudicator.rulesets.noblesse.position import (
    Courtier,
    Faction,
    Heir,
    Holding,
    Noble,
    Phase,
    Player,
    Position,
    Settings,
    Unit,
)
from adjudicator.rulesets.noblesse.resolve import resolve
from adjudicator.rulesets.noblesse.scenario import Stock
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal, State, Treaty, treaty_of

FOLDER = Path(__file__).parent / "cases"


@record
class After:
    """What is true afterwards; what is left out is unchanged."""

    units: Mapping[str, str] | None = None
    """Unit -> where it stands."""
    control: Mapping[str, str] | None = None
    """Estate -> who controls it, homes that nobody took left out."""
    stocks: Mapping[str, Stock] | None = None
    """Player -> their stock; players with nothing are left out."""
    dead: tuple[str, ...] | None = None


@record
class Case:
    """One worked example: a Night or a Day of the cast."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    phase: Phase = Phase.NIGHT
    cycle: Whole = 2
    stocks: Mapping[str, Stock] = field(default_factory=dict)
    designs: Mapping[str, Stock] = field(default_factory=dict)
    """Player -> the income of their Home."""
    posts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Player -> posts of their Courtiers, as `tax money A1`, `steward B2`, `spy J1`, `staff arsenal A1`."""
    control: Mapping[str, str] = field(default_factory=dict)
    buildings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Estate -> what stands on it."""
    nobles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Faction -> the seats of its Nobles."""
    states: Mapping[str, State] = field(default_factory=dict)
    """Two factions -> the state that a treaty in force gives them, as `Pape and TCK: neutral`."""
    hostages: Mapping[str, str] = field(default_factory=dict)
    """Player -> who holds their Heir as a hostage."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Unit -> its owner and the order that would recruit it: `Anise: regiment at A1 led by pc: 2 Lancers, 3 Pikes`."""
    sheets: Mapping[str, Mapping[str, Any]]
    verdicts: tuple[Judged, ...]
    events: tuple[str, ...]
    after: After
    ended: str | None = None


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases by name; raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case)


def cast() -> Position:
    """Everybody at home on the second Night, with ten Courtiers at court and nothing else."""
    settings = Settings()
    scenario = settings.board
    players: dict[str, Player] = {}
    estates: dict[str, Holding] = {}
    left = {name: list(scenario.start(name)) for name in scenario.factions}
    for seat, (role, part) in zip(scenario.players, scenario.roles.items(), strict=True):
        home = left[part.faction].pop(0)
        players[seat] = Player(
            role=role, faction=part.faction, home=home, design=Stock(influence=2, manpower=2, money=1), without="eight",
            courtiers=tuple(Courtier(id=number) for number in range(1, 11)),
        )  # fmt: skip
        estates[home] = Holding(by=seat)
    factions = {
        name: Faction(leader=next(seat for seat, player in players.items() if player.faction == name))
        for name in scenario.factions
    }
    return Position(cycle=2, phase=Phase.NIGHT, players=players, factions=factions, estates=estates, settings=settings)


def position_of(case: Case) -> Position:
    """The position an example begins with."""
    position = cast()
    players, estates = dict(position.players), dict(position.estates)
    for seat, stock in case.stocks.items():
        players[seat] = replace(players[seat], stock=stock)
    for seat, design in case.designs.items():
        players[seat] = replace(players[seat], design=design)
    for seat, posts in case.posts.items():
        for number, text in enumerate(posts, 1):
            *words, at = text.split(" ")
            post, what = words[0], " ".join(words[1:]) or None
            _post(players, seat, number, post=post, at=at, what=what)
    for estate, by in case.control.items():
        estates[estate] = Holding(by=by)
    for estate, names in case.buildings.items():
        estates[estate] = replace(estates.get(estate, Holding()), buildings=dict.fromkeys(names, 0))
    units: dict[str, Unit] = {}
    reader = reader_of(position.settings.board)
    for name, text in case.units.items():
        seat, _, rest = text.partition(": ")
        order = reader.read(f"Recruit {rest}")
        assert isinstance(order, Order), text
        leader, number = order.args["leader"], 10 - len(units)
        if leader == "pc":
            players[seat] = replace(players[seat], unit=name)
        elif leader == "courtier":
            _post(players, seat, number, post="commander", what=name)
        units[name] = Unit(
            owner=seat, formation=order.args["formation"], at=order.args["estate"], companies=order.companies,
            leader=leader if leader in {"pc", "courtier"} else "company",  # type: ignore[arg-type]  # one of the kinds
            name=str(number) if leader == "courtier" else "" if leader == "pc" else leader, recruited=0,
        )  # fmt: skip
    factions = {
        name: replace(faction, nobles={f"of {at}": Noble(at=at) for at in case.nobles.get(name, ())})
        for name, faction in position.factions.items()
    }
    for giver, holder in case.hostages.items():
        heir = Heir(other=players[holder].faction, hostage=holder)
        players[giver] = replace(players[giver], married=holder, heir=heir, had_heir=True)
        players[holder] = replace(players[holder], married=giver)
    treaties = {
        f"T{number}": _bond(factions_, state, case.cycle)
        for number, (factions_, state) in enumerate(case.states.items(), 101)
    }
    return replace(
        position, cycle=case.cycle, phase=case.phase, players=players, estates=estates, units=units, factions=factions,
        treaties=treaties,
    )  # fmt: skip


def _bond(between: str, state: State, cycle: int) -> Treaty:
    """A treaty of two factions about nothing but their state, in force since this cycle."""
    proposer, _, partner = between.partition(" and ")
    promise = Promise(form="show players", text="who leads")
    proposal = Proposal(
        to=partner, state=state, mine=(promise,), theirs=(promise,), penalties=(Penalty(form="ends", cycles=1),),
        ends=(Expiration(form="cycles", number=9),),
    )  # fmt: skip
    return replace(treaty_of(proposal, proposer), status="in force", began=cycle)


def _post(players: dict[str, Player], seat: str, number: int, **fields: Any) -> None:
    courtiers = tuple(
        replace(courtier, **fields) if courtier.id == number else courtier for courtier in players[seat].courtiers
    )
    players[seat] = replace(players[seat], courtiers=courtiers)


def sheets_of(case: Case) -> dict[str, Sheet]:
    """The sheets of an example."""
    return cases.sheets_in(case.id, case.sheets, lambda _: Sheet)


def examples() -> Iterator[Example[Position, AnyEvent]]:
    """Every example, played."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """An example played: the position it begins with, and the resolution of its sheets."""
    position = position_of(case)
    return position, resolve(position, sheets_of(case), NamedDice(b"examples"))
