"""The rulebook's worked examples, read from `cases/` and played. They illustrate the rules on the site and serve as tests.

All of them share one cast: players and roles in the scenario's order, homes in the first squares of each faction's range,
no units and empty stocks. A case lists only its differences. Before the start (`phase: setup`) nobody has a home yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from adjudicator.core.contract import cases
from adjudicator.core.contract.cases import CaseFile, Ended, Judged
from adjudicator.core.contract.resolution import Example, Resolution
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import Whole, extend_record, record
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.orders import Order, Sheet, reader_of
from adjudicator.rulesets.noblesse.position import (
    Courtier,
    Faction,
    Heir,
    Holding,
    Noble,
    Offer,
    Option,
    OwnScenario,
    Phase,
    Player,
    Position,
    Settings,
    Unit,
)
from adjudicator.rulesets.noblesse.resolve import resolve
from adjudicator.rulesets.noblesse.scenario import Ability, Priced, Stock
from adjudicator.rulesets.noblesse.treaties import Expiration, Penalty, Promise, Proposal, State, Treaty, treaty_of

FOLDER = Path(__file__).parent / "cases"


@record
class After:
    """The state afterwards; omitted fields are unchanged."""

    units: Mapping[str, str] | None = None
    """Unit -> its estate."""
    control: Mapping[str, str] | None = None
    """Estate -> its controller, except for homes that their own players control."""
    stocks: Mapping[str, Stock] | None = None
    """Player -> their stock; players with nothing are left out."""
    posts: Mapping[str, tuple[str, ...]] | None = None
    """Player -> posts of their Courtiers, such as `tax money A1` or `commander U101`; players whose Courtiers are all at court are left out."""
    treaties: Mapping[str, str] | None = None
    """Treaty -> its status."""
    dead: tuple[str, ...] | None = None


@record
class Case:
    """One worked example: a Night or a Day of the cast, or the setup before the first Night."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    phase: Phase = Phase.NIGHT
    cycle: Whole = 2
    settings: Settings = Settings()
    without: Mapping[str, Option] = field(default_factory=dict)
    """Player -> the one of their four options that they do without; ability 8 by default."""
    wounds: Mapping[str, Whole] = field(default_factory=dict)
    missed: Mapping[str, Whole] = field(default_factory=dict)
    """Player -> number of Nights in a row without a sheet from them."""
    dead: tuple[str, ...] = ()
    stocks: Mapping[str, Stock] = field(default_factory=dict)
    designs: Mapping[str, Stock] = field(default_factory=dict)
    """Player -> the income of their Home."""
    posts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Player -> posts of their Courtiers, such as `tax money A1`, `steward B2`, `spy J1`, `staff arsenal A1`, `overseer arsenal A1`."""
    control: Mapping[str, str] = field(default_factory=dict)
    buildings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Estate -> its complete buildings."""
    begun: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Estate -> buildings that were begun there in the Night before."""
    nobles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Faction -> the seats of its Nobles."""
    states: Mapping[str, State] = field(default_factory=dict)
    """Two factions -> the state that a treaty in force gives them, such as `Pape and TCK: neutral`."""
    treaties: Mapping[str, Treaty] = field(default_factory=dict)
    factions: Mapping[str, Faction] = field(default_factory=dict)
    """Faction -> the demands of its penalties and its next leader. Leader and officers default to the cast's."""
    married: Mapping[str, str] = field(default_factory=dict)
    heirs: Mapping[str, str] = field(default_factory=dict)
    """Player -> the other parent of their Heir."""
    hostages: Mapping[str, str] = field(default_factory=dict)
    """Player -> the player who holds their Heir as a hostage."""
    won: Mapping[str, str] = field(default_factory=dict)
    """Player -> the faction that won over their Heir."""
    abilities: Mapping[str, Mapping[Priced, Ability]] = field(default_factory=dict)
    """Player -> abilities that replace those of their role in the scenario."""
    offers: tuple[Offer, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    """Unit -> its owner and the order that would recruit it: `Anise: regiment at A1 led by pc: 2 Lancers, 3 Pikes`.

    The owner of a neutral unit is `nobody`.
    """
    fresh: tuple[str, ...] = ()
    """Units that were recruited in the Night before."""
    rented: Mapping[str, str] = field(default_factory=dict)
    """Unit -> name of the mercenaries that it consists of."""
    sheets: Mapping[str, Mapping[str, Any]]
    verdicts: tuple[Judged, ...]
    events: tuple[str, ...]
    after: After
    ended: Ended | None = None


def case_files() -> dict[str, CaseFile[Case]]:
    """Every file of cases by name; raises `Problems` if one is faulty."""
    return cases.case_files(FOLDER, Case)


def cast(settings: Settings | None = None) -> Position:
    """The cast on the second Night: everybody at home, with ten Courtiers at court and nothing else."""
    settings = settings or Settings()
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
    factions: dict[str, Faction] = {}
    for name in scenario.factions:
        leader = next(seat for seat, player in players.items() if player.faction == name)
        officers = {title: leader for title, officer in scenario.officers.items() if officer.faction == name}
        factions[name] = Faction(leader=leader, officers=officers)
    return Position(cycle=2, phase=Phase.NIGHT, players=players, factions=factions, estates=estates, settings=settings)


def position_of(case: Case) -> Position:
    """The position at the start of an example."""
    position = cast(_settings_of(case))
    if case.phase is Phase.SETUP:
        players = {
            seat: replace(player, home=None, design=Stock(), without=None) for seat, player in position.players.items()
        }
        return replace(position, cycle=case.cycle, phase=case.phase, players=players, estates={})
    players, estates = dict(position.players), dict(position.estates)
    _seat(case, players)
    for seat in case.dead:
        estates[players[seat].home or ""] = Holding()
        players[seat] = replace(players[seat], alive=False, courtiers=())
    for estate, by in case.control.items():
        estates[estate] = Holding(by=by)
    for due, built in ((0, case.buildings), (case.cycle, case.begun)):
        for estate, names in built.items():
            holding = estates.get(estate, Holding())
            estates[estate] = replace(holding, buildings={**holding.buildings, **dict.fromkeys(names, due)})
    factions = {name: _faction_of(case, name, faction) for name, faction in position.factions.items()}
    units = _raise_units(case, position, players, factions)
    treaties = {
        f"T{number}": _bond(factions_, state, case.cycle)
        for number, (factions_, state) in enumerate(case.states.items(), 101)
    }
    return replace(
        position, cycle=case.cycle, phase=case.phase, players=players, estates=estates, units=units, factions=factions,
        treaties={**treaties, **case.treaties}, offers=case.offers,
    )  # fmt: skip


def _settings_of(case: Case) -> Settings:
    """House rules of a case, with the abilities that it gives to roles."""
    if not case.abilities:
        return case.settings
    board = case.settings.board
    roles = dict(board.roles)
    for seat, role in zip(board.players, board.roles, strict=True):
        roles[role] = replace(roles[role], abilities={**roles[role].abilities, **case.abilities.get(seat, {})})
    return extend_record(case.settings, OwnScenario, own=replace(board, roles=roles))


def _seat(case: Case, players: dict[str, Player]) -> None:
    """Give players the stocks, posts, wounds and families that a case sets."""
    for seat, stock in case.stocks.items():
        players[seat] = replace(players[seat], stock=stock)
    for seat, design in case.designs.items():
        players[seat] = replace(players[seat], design=design)
    for seat, option in case.without.items():
        players[seat] = replace(players[seat], without=option)
    for seat, wounds in case.wounds.items():
        players[seat] = replace(players[seat], wounds=wounds)
    for seat, nights in case.missed.items():
        players[seat] = replace(players[seat], missed=nights)
    for seat, posts in case.posts.items():
        for number, text in enumerate(posts, 1):
            *words, at = text.split(" ")
            post, what = words[0], " ".join(words[1:]) or None
            _post(players, seat, number, post=post, at=at, what=what)
    for seat, other in (*case.married.items(), *case.heirs.items(), *case.hostages.items()):
        players[seat] = replace(players[seat], married=other)
        players[other] = replace(players[other], married=seat)
    for seat, other in (*case.heirs.items(), *case.hostages.items()):
        heir = Heir(other=players[other].faction, hostage=case.hostages.get(seat), won=case.won.get(seat))
        players[seat] = replace(players[seat], heir=heir, had_heir=True)


def _faction_of(case: Case, name: str, usual: Faction) -> Faction:
    """A faction as a case describes it."""
    said = case.factions.get(name, Faction())
    living = [
        seat for seat in case.settings.board.players if seat not in case.dead and seat in _members(case.settings, name)
    ]
    leader = said.leader or (usual.leader if usual.leader in living else next(iter(living), None))
    nobles = {f"of {at}": Noble(at=at) for at in case.nobles.get(name, ())}
    return replace(said, leader=leader, nobles={**nobles, **said.nobles}, officers=said.officers or usual.officers)


def _members(settings: Settings, faction: str) -> tuple[str, ...]:
    """The players of a faction in the cast."""
    board = settings.board
    parts = zip(board.players, board.roles.values(), strict=True)
    return tuple(seat for seat, role in parts if role.faction == faction)


def _raise_units(
    case: Case, position: Position, players: dict[str, Player], factions: dict[str, Faction]
) -> dict[str, Unit]:
    """Raise the units of a case, each under its leader."""
    units: dict[str, Unit] = {}
    reader = reader_of(position.settings.board)
    for name, text in case.units.items():
        seat, _, rest = text.partition(": ")
        owner = "" if seat == "nobody" else seat
        order = reader.read(f"Recruit {rest}")
        assert isinstance(order, Order), text
        leader, number = order.args["leader"], 10 - len(units)
        kind, called = "company", leader
        match leader:
            case "pc":
                kind, called = "pc", ""
                players[seat] = replace(players[seat], unit=name)
            case "heir":
                kind, called = "heir", ""
                heir = players[seat].heir
                assert heir is not None, text
                players[seat] = replace(players[seat], heir=replace(heir, unit=name))
            case "courtier":
                kind, called = "courtier", str(number)
                _post(players, seat, number, post="commander", what=name)
            case _ if leader.startswith("noble "):
                kind, called = "noble", leader.removeprefix("noble ")
                mine = factions[players[seat].faction]
                noble = replace(mine.nobles[called], unit=name)
                factions[players[seat].faction] = replace(mine, nobles={**mine.nobles, called: noble})
            case _ if leader in position.settings.board.officers:
                kind = "unique"
                mine = factions[players[seat].faction]
                left = {title: whose for title, whose in mine.officers.items() if title != leader}
                factions[players[seat].faction] = replace(mine, officers=left)
        units[name] = Unit(
            owner=owner, formation=order.args["formation"], at=order.args["estate"], companies=order.companies,
            leader=kind,  # type: ignore[arg-type]  # one of the kinds
            name=called, recruited=case.cycle - 1 if name in case.fresh else 0, rented=case.rented.get(name),
            role=players[seat].role if "own" in order.companies else None,
        )  # fmt: skip
    return units


def _bond(between: str, state: State, cycle: int) -> Treaty:
    """A treaty between two factions that only sets their state, in force since this cycle."""
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
    """Play every example."""
    return cases.play_cases(case_files(), play)


def play(case: Case) -> tuple[Position, Resolution[Position, AnyEvent]]:
    """Play an example; return the position at its start, and the resolution of its sheets."""
    position = position_of(case)
    return position, resolve(position, sheets_of(case), NamedDice(b"examples"))
