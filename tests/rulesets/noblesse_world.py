"""Building blocks of the Noblesse tests: a board to set up, one turn played on it, and games grown by stand-ins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

from adjudicator.core.contract.lines import Lines
from adjudicator.core.contract.resolution import Ending, Resolution, SeatId, Verdict
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import NamedDice, turn_key
from adjudicator.rulesets import noblesse
from adjudicator.rulesets.noblesse.acts import ACTS
from adjudicator.rulesets.noblesse.day import found_courts, resolve_day, setup
from adjudicator.rulesets.noblesse.events import AnyEvent
from adjudicator.rulesets.noblesse.night import resolve_night
from adjudicator.rulesets.noblesse.orders import Sheet, blanks_of
from adjudicator.rulesets.noblesse.position import (
    Courtier,
    Faction,
    Heir,
    Holding,
    Noble,
    Offer,
    OwnScenario,
    Phase,
    Player,
    Position,
    Settings,
    Unit,
)
from adjudicator.rulesets.noblesse.scenario import COUNCIL, Ability, Scenario, Stock, expand_companies

T = TypeVar("T")
Outcome = Resolution[Position, AnyEvent]

FACTIONS: Mapping[str, tuple[SeatId, ...]] = {
    "Pape": ("Basil", "Anise", "Borage"),
    "Fleurs": ("Chervil", "Caraway", "Dill"),
    "TCK": ("Hyssop", "Fennel", "Lovage"),
    "Alliance": ("Rue", "Marjoram", "Tansy"),
}
"""Faction -> its players. The leader comes first and is never the first by name."""
HOMES: Mapping[SeatId, str] = {
    "Anise": "A1", "Basil": "A2", "Borage": "A3", "Caraway": "A8", "Chervil": "A9", "Dill": "A10",
    "Fennel": "J1", "Hyssop": "J2", "Lovage": "J3", "Marjoram": "J8", "Rue": "J9", "Tansy": "J10",
}  # fmt: skip
STRONG = "4 Vanguard, 7 Men-at-arms, 2 Longbows"
"""A division that beats WEAK in one round."""
WEAK = "2 Light Horse, 3 Militia"
WALLS = "5 Pikes, 3 Crossbows"
SLOTS = {2 + 3: "regiment", 2 + 5 + 2: "brigade", 4 + 7 + 2: "division", 5 + 3: "garrison"}
FARNA = Settings().board
FORMS_OF_FARNA = Lines({"": tuple(ACTS.kinds)}, blanks_of(FARNA))
"""Every form of an order, day and night."""
PLAIN = replace(
    FARNA,
    factions={name: replace(faction, core=COUNCIL) for name, faction in FARNA.factions.items()},
    roles={name: replace(role, personal=None, abilities={}) for name, role in FARNA.roles.items()},
    abilities={
        "two": Ability(effect="inspire", amount=5),
        "five": Ability(effect="levy", amount=3),
        "eight": Ability(effect="expel"),
    },
)
"""The default scenario with roles of equal powers, to test the common rules without their exceptions."""
RICH = Stock(influence=40, manpower=40, money=40)


def dice(name: str = "test") -> NamedDice:
    return NamedDice(turn_key(b"test", "noblesse", name, ""))


@dataclass(frozen=True)
class Turn:
    """A resolved turn, with helpers that query it."""

    before: Position
    done: Outcome

    @property
    def after(self) -> Position:
        return self.done.position

    @property
    def ended(self) -> Ending | None:
        return self.done.ended

    def said(self, seat: SeatId) -> list[str]:
        """The verdicts of a seat, each as `result reason rule`."""
        return [f"{v.result} {v.reason} {v.rule}" for v in self.done.verdicts if v.seat == seat]

    def verdicts(self, seat: SeatId) -> list[Verdict]:
        return [v for v in self.done.verdicts if v.seat == seat]

    def all(self, kind: type[T]) -> list[T]:
        return [event for event in self.done.events if isinstance(event, kind)]

    def player(self, seat: SeatId) -> Player:
        return self.after.players[seat]

    def stock(self, seat: SeatId) -> tuple[int, int, int]:
        """Influence, manpower, money."""
        stock = self.after.players[seat].stock
        return stock.influence, stock.manpower, stock.money

    def by(self, estate: str) -> str | None:
        return self.after.estates.get(estate, Holding()).by

    def posts(self, seat: SeatId) -> list[tuple[str, str | None, str | None]]:
        """Courtiers who are not at court."""
        return [(c.post, c.at, c.what) for c in self.after.players[seat].courtiers if c.post != "court"]

    def at(self, unit: str) -> str | None:
        return self.after.units[unit].at if unit in self.after.units else None

    def again(self, **orders: list[str]) -> Turn:
        """The turn after this one."""
        return play_turn(self.after, orders)


class Board:
    """A position under construction: twelve players at home with ten Courtiers each, and nothing else."""

    def __init__(self, cycle: int = 5, phase: Phase = Phase.NIGHT, scenario: Scenario = PLAIN) -> None:
        settings = Settings() if scenario is FARNA else OwnScenario(own=scenario)
        roles = {f: settings.board.roles_of(f) for f in FACTIONS}
        players = {
            seat: Player(
                role=roles[faction][index],
                faction=faction,
                home=HOMES[seat],
                design=Stock(influence=2, manpower=2, money=1),
                courtiers=tuple(Courtier(id=number) for number in range(1, 11)),
            )
            for faction, seats in FACTIONS.items()
            for index, seat in enumerate(seats)
        }
        self.now = Position(
            cycle=cycle,
            phase=phase,
            players=dict(sorted(players.items())),
            factions={
                f: Faction(
                    leader=seats[0],
                    officers={n: seats[0] for n, o in settings.board.officers.items() if o.faction == f},
                )
                for f, seats in FACTIONS.items()
            },
            estates={home: Holding(by=seat) for seat, home in HOMES.items()},
            settings=settings,
        )

    def player(self, seat: SeatId, **fields: Any) -> Board:
        changed = replace(self.now.players[seat], **fields)
        self.now = replace(self.now, players={**self.now.players, seat: changed})
        return self

    def rich(self, *seats: SeatId) -> Board:
        for seat in seats:
            self.player(seat, stock=RICH)
        return self

    def stock(self, seat: SeatId, influence: int = 0, manpower: int = 0, money: int = 0) -> Board:
        return self.player(seat, stock=Stock(influence=influence, manpower=manpower, money=money))

    def post(self, seat: SeatId, post: str, at: str, what: str | None = None) -> Board:
        """Post the first Courtier who is at court."""
        courtiers = self.now.players[seat].courtiers
        first = next(courtier for courtier in courtiers if courtier.post == "court")
        sent = replace(first, post=post, at=at, what=what)  # type: ignore[arg-type]  # one of the posts
        return self.player(seat, courtiers=tuple(sent if courtier is first else courtier for courtier in courtiers))

    def unit(
        self, name: str, owner: SeatId, at: str, companies: str = WEAK, leader: str = "courtier", **fields: Any
    ) -> Board:
        """Leader: pc, heir, courtier, `noble of C4`, a Unique Officer or a company."""
        filled = expand_companies(tuple(companies.split(", ")))
        kind, who = leader, ""
        if leader == "courtier":
            who = str(next(courtier.id for courtier in self.now.players[owner].courtiers if courtier.post == "court"))
            self.post(owner, "commander", at, name)
        elif leader == "pc":
            self.player(owner, unit=name)
        elif leader == "heir":
            heir = self.now.players[owner].heir
            assert heir is not None
            self.player(owner, heir=replace(heir, unit=name))
        elif leader.startswith("noble "):
            kind, who = "noble", leader.removeprefix("noble ")
            nobles = self.now.factions[self.now.players[owner].faction].nobles
            changed = {**nobles, who: replace(nobles[who], unit=name)}
            self.faction(self.now.players[owner].faction, nobles=changed)
        elif leader in self.now.settings.board.officers:
            kind, who = "unique", leader
            faction = self.now.players[owner].faction
            left = {title: by for title, by in self.now.factions[faction].officers.items() if title != leader}
            self.faction(faction, officers=left)
        else:
            kind, who = "company", leader
        unit = Unit(
            owner=owner, formation=SLOTS[len(filled)], at=at, companies=filled, leader=kind,  # type: ignore[arg-type]  # one of the kinds
            name=who, recruited=fields.pop("recruited", 1), **fields,
        )  # fmt: skip
        self.now = replace(self.now, units={**self.now.units, name: unit})
        return self

    def hold(self, estate: str, by: str | None, **buildings: int) -> Board:
        """Place buildings by name (`war_council=0`), each with the cycle when it is due."""
        done = {name.replace("_", " "): due for name, due in buildings.items()}
        self.now = replace(self.now, estates={**self.now.estates, estate: Holding(by=by, buildings=done)})
        return self

    def building(self, seat: SeatId, name: str, staff: int = 1) -> Board:
        """Place a finished building with its staff on a player's Home."""
        home = HOMES[seat]
        holding = self.now.estates[home]
        self.hold(home, holding.by, **holding.buildings, **{name: 0})
        for _ in range(staff):
            self.post(seat, "staff", home, name)
        return self

    def faction(self, faction: str, **fields: Any) -> Board:
        changed = replace(self.now.factions[faction], **fields)
        self.now = replace(self.now, factions={**self.now.factions, faction: changed})
        return self

    def noble(self, faction: str, *seats: str) -> Board:
        """Place Nobles on these seats, controlled by the faction."""
        for at in seats:
            nobles = self.now.factions[faction].nobles
            self.faction(faction, nobles={**nobles, f"of {at}": Noble(at=at)})
            self.hold(at, faction)
        return self

    def wed(self, seat: SeatId, other: SeatId) -> Board:
        return self.player(seat, married=other).player(other, married=seat)

    def heir(self, seat: SeatId, other: SeatId, **fields: Any) -> Board:
        """Give a player and their partner an Heir: five Courtiers more and one less."""
        self.wed(seat, other)
        born = Heir(other=self.now.players[other].faction, **fields)
        return self.player(seat, heir=born, had_heir=True)

    def offer(self, kind: str, by: SeatId, to: SeatId, *, accepted: bool | None = None) -> Board:
        made = Offer(kind=kind, by=by, to=to, accepted=accepted)  # type: ignore[arg-type]  # one of the kinds
        self.now = replace(self.now, offers=(*self.now.offers, made))
        return self

    def dead(self, *seats: SeatId) -> Board:
        for seat in seats:
            self.player(seat, alive=False, courtiers=(), stock=Stock(), unit=None)
            self.hold(HOMES[seat], None)
        return self

    def turn(self, **orders: list[str]) -> Turn:
        return play_turn(self.now, orders)

    night = day = turn


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], thrown: Any) -> Outcome:
    """Resolve a turn of any kind."""
    works = {Phase.SETUP: found_courts, Phase.NIGHT: resolve_night, Phase.DAY: resolve_day}
    return works[position.phase](position, sheets, thrown)


def play_turn(position: Position, orders: Mapping[SeatId, list[str]]) -> Turn:
    sheets = {seat: Sheet(orders=tuple(lines)) for seat, lines in orders.items()}
    return Turn(position, resolve(position, sheets, dice()))


# Games that stand-ins play ----------------------------------------------------------------------------------------


RULES = noblesse.RULESET


@cache
def grow(seed: int, turns: int) -> Position:
    """The position that stand-ins leave after some turns, or the last one before the game ended."""
    if turns == 0:
        return setup(Settings(), dice(f"setup {seed}"))
    before = grow(seed, turns - 1)
    done = resolve(before, wanted_sheets(before, f"{seed}:{turns}"), dice(f"{seed}:{turns}"))
    return before if done.ended is not None else done.position


def wanted_sheets(position: Position, seed: str) -> dict[SeatId, Sheet]:
    """Sheets that stand-ins write."""
    chance = chance_of("grown", seed)
    return {seat: write_sheet(RULES, position, seat, chance) for seat in sorted(RULES.due(position))}


def units_of(position: Position, faction: str) -> Iterator[Unit]:
    return (unit for unit in position.units.values() if position.players[unit.owner].faction == faction)
