"""A Noblesse position: players with their courts, estates, units, factions, treaties. Most of it is secret (NB-C-9)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.ruleset import Keep
from adjudicator.core.contract.seen import NONE, OWNER, Everybody, Eyes, InFull, Nobody, Owner, made, only, shown, views
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import UNWRITTEN, Flag, Whole, extend_record, field_text, record
from adjudicator.core.text.problems import among, nearest, problem
from adjudicator.rulesets.noblesse.scenario import (
    RESOURCES,
    Scenario,
    Stock,
    load_scenario,
    scenario_named,
    shipped_scenarios,
    tables,
)
from adjudicator.rulesets.noblesse.treaties import Treaty, unlisted_clauses

Post = Literal["court", "tax", "lobby", "steward", "spy", "commander", "overseer", "staff"]
"""A Courtier's place after a Night (NB-K-2). Envoys and Messengers are back by then."""
Option = Literal["two", "five", "eight", "companies"]
OPTIONS: tuple[Option, ...] = ("two", "five", "eight", "companies")
"""The four options of a role; a player does without one of them (NB-C-2, NB-C-3)."""


class Phase(StrEnum):
    """Kinds of turn: the setup, then Nights and Days (NB-A-1, NB-C-2)."""

    SETUP = "setup"
    NIGHT = "night"
    DAY = "day"


@record
class Settings:
    """House rules."""

    scenario: Annotated[
        str,
        field_text(
            "The scenario: a board with its factions, roles and companies. `farna`, or the host's own file beside game.yaml, such as `islands.yaml` (NB-C-1)."
        ),
    ] = "farna"
    dynastic: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("Number of Nobles that wins; if it is left out, twice the number of starting factions (NB-V-4)."),
    ] = None
    last_cycle: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text(
            "The game ends undecided after the Day of this cycle, if nobody has won; if it is left out, there is no such limit (NB-V-12)."
        ),
    ] = None
    digest: Annotated[
        str | None,
        field_text(
            "The SHA-256 of the host's own scenario file, if there is one; the program writes it into positions."
        ),
    ] = None

    @property
    def board(self) -> Scenario:
        """The scenario itself."""
        return scenario_named(self.scenario)

    @property
    def nobles(self) -> int:
        """Number of Nobles that wins the game (NB-V-3, NB-V-4)."""
        return self.dynastic or 2 * len(self.board.factions)


@record
class OwnScenario(Settings):
    """House rules with the scenario from the host's file."""

    own: Scenario = field(metadata=UNWRITTEN)

    @property
    def board(self) -> Scenario:
        """The scenario itself."""
        return self.own


def furnish(settings: Settings, beside: Callable[[str], tuple[bytes, str]], keep: Keep) -> Settings:
    """Read the scenario of the house rules; raises `Problems` if it is missing or faulty, or its digest differs."""
    if not settings.scenario.endswith(".yaml"):
        file = shipped_scenarios().get(settings.scenario)
        today = read_own(file) if file is not None else None
        kept = keep(f"{settings.scenario}.yaml", today)
        if kept is None or kept == today:
            scenario_named(settings.scenario)
        if settings.digest is not None:
            raise problem(
                "", f"digest: {settings.scenario} is not a file of your own, so it has no digest", "leave it out"
            )
        if kept is None or kept == today:
            return settings
        return extend_record(settings, OwnScenario, own=load_scenario(kept, f"kept/{settings.scenario}.yaml"))
    source, path = beside(settings.scenario)
    digest = hashlib.sha256(source).hexdigest()
    if settings.digest not in {None, digest}:
        raise problem(
            "",
            f"{settings.scenario} is not the file whose digest is written here",
            "restore the file, or leave the digest out",
        )
    return extend_record(settings, OwnScenario, digest=digest, own=load_scenario(source, path))


@record
class Courtier:
    """A Courtier of a player, at court or at a post."""

    id: Everybody[Whole]
    post: Everybody[Post] = "court"
    at: Everybody[str | None] = None
    """The estate of their post; for a Spy, where they stopped."""
    what: Everybody[str | None] = None
    """The resource of a Tax Collector or Lobbyist, the building of staff and overseers, the unit of a Commander."""


@record
class Heir:
    """An Heir (NB-X-4, NB-P-4), who belongs to both parents' factions until they succeed (NB-V-6)."""

    other: Annotated[str, only(instead="")]
    """The faction of the other parent."""
    unit: Everybody[str | None] = None
    """The unit they command."""
    hostage: Everybody[SeatId | None] = None
    """The player who holds them (NB-P-10)."""
    won: Nobody[str | None] = None
    """The faction that they join when they succeed, because it won them over (NB-C-26)."""


@record
class SeenUnit:
    """A unit as a Spy sees it (NB-K-9)."""

    unit: Everybody[str]
    faction: Everybody[str]
    formation: Everybody[str]
    commander: Everybody[str]


@record
class Seen:
    """An estate as a Spy sees it (NB-K-9)."""

    at: Everybody[str]
    by: Everybody[str | None] = None
    income: Everybody[Stock]
    units: Everybody[tuple[SeenUnit, ...]] = ()


@record
class Player:
    """A player: their role, their stock, their court."""

    role: Annotated[str, only("owner", "leader", "dead", instead="")]
    faction: Annotated[str, only("owner", "leader", "dead", instead="")]
    home: Annotated[str | None, only("owner", "leader")] = None
    design: Annotated[Stock, only("owner", "leader")] = Stock()
    """The income of their Home Estate (NB-E-1)."""
    without: Owner[Option | None] = None
    """The one of their four options that they may not use (NB-C-3)."""
    alive: Everybody[Flag] = True
    wounds: Owner[Whole] = 0
    unit: Owner[str | None] = None
    """The unit that their Player Character commands; None when the PC is at home (NB-P-1)."""
    stock: Owner[Stock] = Stock()
    courtiers: Owner[tuple[Courtier, ...]] = ()
    heir: Owner[Heir | None] = None
    had_heir: Owner[Flag] = False
    """True from the first Heir on; there can never be a second (NB-P-7)."""
    married: Owner[SeatId | None] = None
    reports: Owner[tuple[Seen, ...]] = ()
    """Estates that their Spies saw last Night (NB-K-9)."""
    missed: Owner[Whole] = 0
    """Nights in a row without orders (NB-P-18)."""


@record
class Noble:
    """A Noble of a faction: their seat, and the unit they command (NB-X-2, NB-X-23)."""

    at: Everybody[str]
    unit: Everybody[str | None] = None


@record
class Faction:
    """A faction apart from its players: leader, Nobles, Officers, and demands of penalties. Its stock is its leader's (NB-L-9)."""

    leader: Annotated[SeatId | None, only("leader")] = None
    """None if the faction is gone (NB-P-17), or if the viewer does not know."""
    successor: Annotated[SeatId | None, only("leader")] = None
    nobles: Annotated[Mapping[str, Noble], only("leader")] = field(default_factory=dict)
    """Name -> Noble."""
    officers: Annotated[Mapping[str, SeatId], only("leader")] = field(default_factory=dict)
    """Unique Officer at court -> the player who may use them (NB-L-5)."""
    owed: Annotated[tuple[Debt, ...], only("leader")] = ()
    """Debts that penalties imposed on it (NB-N-2)."""
    penance: Annotated[tuple[Penance, ...], only("leader")] = ()
    """Actions that penalties make it take against its own players (NB-N-3)."""
    forced: Annotated[tuple[Forced, ...], only("leader")] = ()
    """Votes that penalties make it give or withhold (NB-N-6)."""


@record
class Debt:
    """A debt that one faction's leader owes to another's."""

    to: Everybody[str]
    amount: Everybody[Stock]
    treaty: Everybody[str]
    """The treaty behind the debt. The debt lapses with it (NB-T-8)."""
    due: Everybody[Whole]
    """The cycle when it falls due."""


@record
class Penance:
    """An action that a leader must take against a player of their faction."""

    action: Everybody[str]
    who: Everybody[SeatId]
    treaty: Everybody[str]


@record
class Forced:
    """Votes that the first `number` members of a faction must give to these players, or withhold from them, until the Day of a cycle."""

    who: Everybody[tuple[str, ...]]
    number: Everybody[Whole]
    will: Everybody[Flag]
    until: Everybody[Whole]
    treaty: Everybody[str]


LeaderKind = Literal["company", "courtier", "pc", "heir", "noble", "unique"]


@record
class Unit:
    """A unit. `name` identifies its leader: a Courtier's number, a Noble's or Unique Officer's name, or a company's design."""

    owner: Everybody[SeatId]
    """The player who controls it; empty for a neutral unit."""
    formation: Everybody[str]
    at: Everybody[str]
    companies: Everybody[tuple[str, ...]]
    """Designs, without the officer's. `own` is the personal design of a role."""
    leader: Everybody[LeaderKind]
    name: Everybody[str] = ""
    recruited: Everybody[Whole]
    """The cycle of its recruitment (NB-B-6)."""
    rented: Everybody[str | None] = None
    """Name of the mercenaries that it consists of (NB-L-6)."""
    role: Everybody[str | None] = None
    """The role whose design `own` is; the owner's role if None."""


@record
class Holding:
    """An estate, with its controller and its buildings."""

    by: Everybody[str | None] = None
    """A faction, or a player who controls it themselves (NB-E-6 to E-8); None if nobody does."""
    buildings: Everybody[Mapping[str, Whole]] = field(default_factory=dict)
    """Building -> the cycle whose Night completes it, or 0 once it is complete (NB-G-7)."""


@record
class Offer:
    """An offer, to be answered by day (NB-X-18)."""

    kind: Everybody[Literal["marriage", "hostages", "release"]]
    by: Everybody[SeatId]
    to: Everybody[SeatId]
    accepted: Everybody[Flag | None] = None


def _players_seen(position: Position, seat: SeatId | None) -> dict[SeatId, Player]:
    """The players as a seat knows them. Everybody knows who lives and who the dead were; a leader also knows the faction's members."""
    led = _leads(position, seat)
    return {
        name: shown(player, _eyes_on(player, own=name == seat and player.alive, led=led))
        for name, player in position.players.items()
    }


def _eyes_on(player: Player, *, own: bool, led: str | None) -> Eyes:
    if not player.alive:
        return frozenset({"dead"})
    if own:
        return OWNER
    return frozenset({"leader"}) if led is not None and player.faction == led else NONE


def _factions_seen(position: Position, seat: SeatId | None) -> dict[str, Faction]:
    """The factions as a seat knows them. A leader knows everything about their own, a member only the Officers they may use."""
    viewer, led = _viewer(position, seat), _leads(position, seat)
    found = {
        name: shown(faction, frozenset({"leader"}) if name == led else NONE)
        for name, faction in position.factions.items()
    }
    if viewer is not None and led != viewer.faction:
        mine = {name: by for name, by in position.factions[viewer.faction].officers.items() if by == seat}
        found[viewer.faction] = replace(found[viewer.faction], officers=mine)
    return found


def _estates_seen(position: Position, seat: SeatId | None) -> dict[str, Holding]:
    """The estates that a seat knows: its own, those where it has a Steward or the like, and for a leader the whole faction's."""
    viewer, led = _viewer(position, seat), _leads(position, seat)
    posted = {one.at for one in viewer.courtiers if one.post in WATCHING} if viewer is not None else set()
    fellows = _fellows(position, seat)
    return {
        estate: shown(holding, NONE)
        for estate, holding in position.estates.items()
        if holding.by in fellows or (led is not None and holding.by == led) or estate in posted
    }


WATCHING = frozenset({"steward", "tax", "lobby", "staff", "overseer"})
"""Posts whose holder sees who controls the estate."""


def _units_seen(position: Position, seat: SeatId | None) -> dict[str, Unit]:
    """The units that a seat knows: its own, and for a leader those of the faction's members."""
    fellows = _fellows(position, seat)
    return {name: shown(unit, NONE) for name, unit in position.units.items() if unit.owner in fellows}


def _away_seen(position: Position, seat: SeatId | None) -> Mapping[str, Whole]:
    """The mercenaries that are away, for leaders only: they rent mercenaries, and know which are available (NB-L-11)."""
    return position.away if _leads(position, seat) is not None else {}


def _offers_seen(position: Position, seat: SeatId | None) -> tuple[Offer, ...]:
    """The offers that a seat made or received. Nobody else knows about them."""
    viewer = _viewer(position, seat)
    return tuple(shown(one, NONE) for one in position.offers if viewer is not None and seat in {one.by, one.to})


def _treaties_seen(position: Position, seat: SeatId | None) -> dict[str, Treaty]:
    """The treaties that a seat may see: those of the faction that it leads, without the deeds that only the program keeps (NB-T-6)."""
    led = _leads(position, seat)
    return {name: shown(treaty, NONE) for name, treaty in position.treaties.items() if led in treaty.parties}


def _viewer(position: Position, seat: SeatId | None) -> Player | None:
    """The player whose view it is; None for the public, and for the dead, who see what the public sees."""
    player = position.players.get(seat) if seat is not None else None
    return player if player is not None and player.alive else None


def _leads(position: Position, seat: SeatId | None) -> str | None:
    """The faction that the viewer leads, if any."""
    return led_by(position.factions, seat) if seat is not None and _viewer(position, seat) is not None else None


def _fellows(position: Position, seat: SeatId | None) -> set[SeatId]:
    """The viewer and, if they lead a faction, its members."""
    if seat is None or _viewer(position, seat) is None:
        return set()
    led = _leads(position, seat)
    return {name for name, player in position.players.items() if led is not None and player.faction == led} | {seat}


@record
class Position:
    """The full state between two turns. The view of a seat or the public leaves out everything they do not know (NB-C-9, NB-L-2)."""

    cycle: Everybody[Whole]
    phase: Everybody[Phase]
    players: Annotated[Mapping[SeatId, Player], made(_players_seen)]
    factions: Annotated[Mapping[str, Faction], made(_factions_seen)]
    estates: Annotated[Mapping[str, Holding], made(_estates_seen)] = field(default_factory=dict)
    """Estates that somebody controls, or that hold a building."""
    units: Annotated[Mapping[str, Unit], made(_units_seen)] = field(default_factory=dict)
    """`U417` -> unit. The number is drawn by lot, so it reveals nothing about the owner or the number of units."""
    away: Annotated[Mapping[str, Whole], made(_away_seen)] = field(default_factory=dict)
    """Mercenaries that left or died -> the first cycle when they can be rented again (NB-L-11)."""
    offers: Annotated[tuple[Offer, ...], made(_offers_seen)] = ()
    treaties: Annotated[Mapping[str, Treaty], made(_treaties_seen)] = field(default_factory=dict)
    """`T417` -> treaty, from its proposal on."""
    settings: InFull[Settings]


seen_by = views(Position)
"""The position as a seat or the public may see it, made only of facts the viewer may know. Hidden changes never change a byte of it."""


def attach_settings(position: Position, settings: Settings) -> Position:
    """Attach to a position the scenario that turn.yaml only names; raises `Problems` if the scenario has changed."""
    mine = position.settings
    if mine.scenario != settings.scenario:
        raise problem(
            "", f"the position belongs to the scenario {mine.scenario!r:.60}", f"game.yaml says {settings.scenario}"
        )
    if not isinstance(settings, OwnScenario):
        return position
    if mine.digest != settings.digest:
        what = f"{settings.scenario} is not as it was when this turn was opened"
        raise problem("", what, "restore the file from the repository's history")
    return replace(position, settings=extend_record(mine, OwnScenario, own=settings.own))


BASIC = "officer"
"""The tier 1 officer with attack 1 who takes over a unit without a leader (NB-P-8, NB-X-26)."""
WHATS: Mapping[Post, Callable[[Position], Iterable[str]]] = {
    "tax": lambda _: RESOURCES,
    "lobby": lambda _: RESOURCES,
    "staff": lambda _: tables().buildings,
    "overseer": lambda _: tables().buildings,
    "commander": lambda position: position.units,
}
"""A Courtier's post -> the values that `what` may have; other posts have none."""


def faults(position: Position) -> Iterator[Remark]:
    """Faults in a position, such as names unknown to its scenario, and missing players, factions and homes."""
    board, named = position.settings.board, tables()
    names: dict[str, Iterable[str]] = {
        "player": board.players,
        "faction": board.factions,
        "estate": board.estates,
        "role": board.roles,
        "formation": named.formations,
        "building": named.buildings,
        "company": (*board.companies, "own"),
        "owner": (*board.players, ""),
        "holder": (*board.players, *board.factions),
    }
    for what, path, name in _names_in(position):
        if name not in names[what]:
            yield Remark(path, f"this game has no {what} called {name!r:.40}", among(name, names[what]))
    for name, unit in position.units.items():
        if not unit.owner and unit.rented is not None:
            what = f"{name} is rented, but nobody controls it"
            yield Remark(("units", name, "rented"), what, "leave it out (NB-L-6)")
        if unit.leader == "company" and unit.name not in (*board.companies, BASIC):
            what = f"{unit.name!r:.40} is not a company that could lead {name}"
            yield Remark(("units", name, "name"), what, nearest(unit.name, board.companies) or BASIC)
    for seat, player in position.players.items():
        if not player.alive and any(courtier.post != "court" for courtier in player.courtiers):
            yield Remark(
                ("players", seat, "courtiers"),
                f"{seat} is dead but still has Courtiers at posts",
                "remove them (NB-P-16)",
            )
        for at, courtier in enumerate(player.courtiers):
            of = WHATS.get(courtier.post)
            wanted = tuple(of(position)) if of is not None else ()
            if (wanted or courtier.what is not None) and courtier.what not in wanted:
                what = f"{courtier.what!r:.40} cannot be the `what` of a Courtier at the post {courtier.post}"
                right = nearest(courtier.what or "", wanted) or ", ".join(wanted[:12]) or "leave `what` out"
                yield Remark(("players", seat, "courtiers", at, "what"), what, right)
    for name, treaty in position.treaties.items():
        if {*treaty.promises} != {*treaty.parties}:
            what = f"promises are listed for {' and '.join(treaty.promises) or 'nobody'} in a treaty of {' and '.join(treaty.parties)}"
            yield Remark(
                ("treaties", name, "promises"),
                what,
                "list both parties, with an empty list for one that promises nothing",
            )
        for faction in treaty.declared:
            if faction not in treaty.parties:
                yield Remark(
                    ("treaties", name, "declared"),
                    f"{faction!r:.40} is not a party to the treaty",
                    " or ".join(treaty.parties),
                )
        for path, form, listed in unlisted_clauses(treaty):
            what = f"{form!r:.40} is not a form that a treaty's clauses can have (NB-T-3)"
            yield Remark(("treaties", name, *path), what, among(form, listed))
    if position.phase is not Phase.SETUP:
        for seat, player in position.players.items():
            if player.home is None:
                yield Remark(
                    ("players", seat, "home"), f"{seat} has no Home Estate (NB-C-2)", "name one of the estates"
                )
    for seat in board.players:
        if seat not in position.players:
            yield Remark(("players",), f"{seat} is missing", "name every player, including the dead")
    for name in board.factions:
        if name not in position.factions:
            yield Remark(("factions",), f"{name} is missing", "name every faction, including those that are gone")


def _names_in(position: Position) -> Iterator[tuple[str, tuple[str | int, ...], str]]:
    """Names in a position that its scenario must have, each with its kind and its path."""
    for seat, player in position.players.items():
        here = ("players", seat)
        yield "player", here, seat
        yield "role", (*here, "role"), player.role
        yield "faction", (*here, "faction"), player.faction
        places = [
            (("home",), player.home),
            *((("courtiers", at), courtier.at) for at, courtier in enumerate(player.courtiers)),
        ]
        yield from (("estate", (*here, *tail), at) for tail, at in places if at is not None)
        yield from (("player", (*here, "married"), spouse) for spouse in (player.married,) if spouse is not None)
        if player.heir is not None and player.heir.won is not None:
            yield "faction", (*here, "heir", "won"), player.heir.won
    for name, faction in position.factions.items():
        yield "faction", ("factions", name), name
        seats = [("leader", faction.leader), ("successor", faction.successor)]
        yield from (("player", ("factions", name, key), seat) for key, seat in seats if seat is not None)
        yield from (
            ("estate", ("factions", name, "nobles", title), noble.at) for title, noble in faction.nobles.items()
        )
        yield from (("faction", ("factions", name, "owed", at, "to"), debt.to) for at, debt in enumerate(faction.owed))
        yield from (
            ("player", ("factions", name, "officers", officer), seat) for officer, seat in faction.officers.items()
        )
    for estate, holding in position.estates.items():
        yield "estate", ("estates", estate), estate
        yield from (("holder", ("estates", estate, "by"), by) for by in (holding.by,) if by is not None)
        yield from (("building", ("estates", estate, "buildings"), building) for building in holding.buildings)
    for name, unit in position.units.items():
        here = ("units", name)
        yield "owner", (*here, "owner"), unit.owner
        yield "formation", (*here, "formation"), unit.formation
        yield "estate", (*here, "at"), unit.at
        yield from (("company", (*here, "companies", at), company) for at, company in enumerate(unit.companies))
        yield from (("role", (*here, "role"), unit.role) for _ in (1,) if unit.role)
        if "own" in unit.companies and not unit.role:
            yield "player", (*here, "owner"), unit.owner  # this player's role supplies the design
    for at, offer in enumerate(position.offers):
        yield from (("player", ("offers", at), seat) for seat in (offer.by, offer.to))
    for name, treaty in position.treaties.items():
        yield from (("faction", ("treaties", name, "parties"), party) for party in treaty.parties)


def led_by(factions: Mapping[str, Faction], seat: SeatId) -> str | None:
    """The faction that a player leads, if any."""
    return next((name for name, faction in factions.items() if faction.leader == seat), None)
