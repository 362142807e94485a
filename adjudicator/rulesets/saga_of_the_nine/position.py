"""A Saga position: the board with its Minors, Thralls and Vassals, the heirs, and the house rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, Literal, assert_never

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.ruleset import Keep
from adjudicator.core.text.codec import UNWRITTEN, Whole, field_text, record
from adjudicator.core.text.problems import among, problem
from adjudicator.mechanics.adjustments import DisbandDistance, SurplusOrders
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets import diplomacy

MOST_DP = 3
"""Most DP that a Major has in a phase of orders (S9-D-4)."""


class Season(StrEnum):
    """The season of a turn; Autumn is the Fall of the source (S9-A-12)."""

    SPRING = "Spring"
    AUTUMN = "Autumn"
    WINTER = "Winter"


class Phase(StrEnum):
    """The kind of a turn (S9-A-10)."""

    ORDERS = "orders"
    RETREATS = "retreats"
    WINTER = "winter"


SEASONS = {
    Season.SPRING: diplomacy.Season.SPRING,
    Season.AUTUMN: diplomacy.Season.FALL,
    Season.WINTER: diplomacy.Season.WINTER,
}
PHASES = {
    Phase.ORDERS: diplomacy.Phase.MOVEMENT,
    Phase.RETREATS: diplomacy.Phase.RETREATS,
    Phase.WINTER: diplomacy.Phase.ADJUSTMENTS,
}


@record
class Settings(diplomacy.Settings):
    """House rules: those of standard Diplomacy, and the length of a saga."""

    board: Annotated[str, field_text("The board (S9-A-5).")] = "nine_worlds"
    draws: Annotated[diplomacy.Draws, field_text("Whether Majors can vote for a draw (S9-K-5).")] = diplomacy.Draws.VOTE
    victory: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("Total of centres that wins; if it is left out, the board decides (S9-K-2)."),
    ] = None
    cycles: Annotated[
        Annotated[Whole, Choice(ge=0)],
        field_text("Number of cycles after which the game is a draw; 0 for no limit (S9-K-7)."),
    ] = 11
    # Two of the war's settings have only one value here: their other values depend on homes or on one commander's list (S-5).
    surplus_orders: Annotated[
        Literal[SurplusOrders.FIRST],
        field_text(
            "If there are too many orders in winter, the first ones count: a Vassal’s two lists are merged into one (S9-V-26)."
        ),
    ] = SurplusOrders.FIRST
    disband_distance: Annotated[
        Literal[DisbandDistance.OWNED],
        field_text(
            "When units are removed for lack of orders, distance counts from the centres that a power owns: Vassals have no homes (S9-V-27)."
        ),
    ] = DisbandDistance.OWNED


@record
class OwnBoard(Settings):
    """House rules with a board from the host's files, or with the one that the game began with, if that has changed since."""

    own: Board = field(metadata=UNWRITTEN)
    shapes: tuple[bytes, str] | None = field(default=None, metadata=UNWRITTEN)

    @property
    def ground(self) -> Board:
        """The board itself."""
        return self.own

    @property
    def drawn(self) -> tuple[bytes, str] | None:
        """Bytes and path of the host's own shapes of the board, if there are any."""
        return self.shapes


def furnish(settings: Settings, beside: Callable[[str], tuple[bytes, str]], keep: Keep) -> Settings:
    """House rules with the board they name, from the host's files or from a ruleset (S9-A-5).

    Raises `Problems` if the board is missing or faulty, or does not suit them.
    """
    return diplomacy.furnish_board(settings, OwnBoard, beside, keep)


@record
class Vassal:
    """A power that two Majors command together, made by the marriage of their heirs (S9-V)."""

    giver: SeatId
    receiver: SeatId
    capital: str
    """The centre where both heirs live (S9-V-12)."""
    born: Whole
    """The cycle of its founding."""

    @property
    def controllers(self) -> tuple[SeatId, SeatId]:
        """The Giver of the dowry, then the Receiver (S9-V-5)."""
        return (self.giver, self.receiver)


@record
class Betrothal:
    """Two heirs who will wed at the next Census, unless another power's unit prevents it (S9-V-9 to S9-V-11)."""

    giver: SeatId
    receiver: SeatId
    at: str


@record
class Position:
    """The state between two turns, all of it public (S9-A-14). Units and places are written as players write them."""

    cycle: Whole
    season: Season
    phase: Phase
    units: Mapping[SeatId, tuple[str, ...]]
    """Units of Majors, Minors, Thralls and Vassals. A Thrall keeps the name it had as a Minor."""
    centres: Mapping[SeatId, tuple[str, ...]]
    dislodged: tuple[diplomacy.DislodgedUnit, ...] = ()
    contested: tuple[str, ...] = ()
    """Provinces closed to retreats."""
    heirs: tuple[SeatId, ...] = ()
    """Majors with an unmarried heir, who lives in the Capital (S9-H-3)."""
    built: Mapping[SeatId, Whole] = field(default_factory=dict)
    """Major -> the last cycle in whose Winter it built an heir (S9-H-6)."""
    thralls: Mapping[SeatId, SeatId] = field(default_factory=dict)
    """Thrall -> its controller, whose heir lives in its centre (S9-T-7)."""
    vassals: Mapping[SeatId, Vassal] = field(default_factory=dict)
    betrothed: tuple[Betrothal, ...] = ()
    eliminated: Mapping[SeatId, Whole] = field(default_factory=dict)
    """Major -> the cycle of its elimination (S9-H-13)."""
    votes: tuple[SeatId, ...] = ()
    """Majors whose vote for a draw is in force (S9-K-5)."""
    missed: Mapping[SeatId, Whole] = field(default_factory=dict)
    """Major -> phases of orders missed in a row, forgotten with the next sheet (S9-K-11)."""
    settings: Settings

    @property
    def war(self) -> diplomacy.Position:
        """The position as standard Diplomacy judges it. Minors, Thralls and Vassals are powers without seats."""
        board = self.settings.ground
        named = {*self.units, *self.centres, *(lost.power for lost in self.dislodged)}
        return diplomacy.Position(
            year=self.cycle,
            season=SEASONS[self.season],
            phase=PHASES[self.phase],
            units=self.units,
            centres=self.centres,
            dislodged=self.dislodged,
            contested=self.contested,
            others=tuple(sorted(named - {*board.powers})),
            settings=self.settings,
        )

    @property
    def ground(self) -> diplomacy.Field:
        """The position on its board, for lookups."""
        return diplomacy.field_of(self.war)


def attach_settings(position: Position, settings: Settings) -> Position:
    """The position on the game's board, which turn.yaml only names. Raises `Problems` if the board has changed."""
    return replace(position, settings=diplomacy.attach_board(position.settings, settings, OwnBoard))


# Powers and their roles ---------------------------------------------------------------------------------------------


def majors(settings: Settings) -> tuple[SeatId, ...]:
    """The powers that have a player each (S9-A-2)."""
    return tuple(settings.ground.powers)


def living(position: Position) -> tuple[SeatId, ...]:
    """The Majors that are not eliminated."""
    return tuple(major for major in majors(position.settings) if major not in position.eliminated)


def minors(position: Position) -> tuple[SeatId, ...]:
    """The Minors that are left: neither captured nor a Thrall (S9-B-7)."""
    return tuple(
        name for name in position.settings.ground.others if position.centres.get(name) and name not in position.thralls
    )


def capital_of(board: Board, major: SeatId) -> str:
    """The code of a Major's Capital: where the first of its units begins (S9-A-6, S9-A-7)."""
    return board.unit(board.powers[major].units[0]).province


def capital_name(settings: Settings, major: SeatId) -> str:
    """The name of a Major's Capital."""
    board = settings.ground
    return board.provinces[capital_of(board, major)].name


def centre_of(board: Board, minor: SeatId) -> str:
    """The code of a Minor's centre, even if it is no longer a Minor."""
    return board.unit(board.others[minor].units[0]).province


def owner_of(position: Position, centre: str) -> SeatId | None:
    """The power that owns the named centre, if any."""
    return next((power for power, names in position.centres.items() if centre in names), None)


def ruled_by(position: Position, major: SeatId) -> tuple[SeatId, ...]:
    """The Vassals that a Major controls together with another Major."""
    return tuple(name for name, vassal in position.vassals.items() if major in vassal.controllers)


def rulers_of(position: Position, power: SeatId) -> tuple[SeatId, ...]:
    """The rulers of a power: a Thrall's controller, a Vassal's Giver and Receiver, nobody for other powers."""
    vassal = position.vassals.get(power)
    if vassal is not None:
        return vassal.controllers
    return (position.thralls[power],) if power in position.thralls else ()


def shared_vassal(position: Position, one: SeatId, other: SeatId) -> SeatId | None:
    """The Vassal that two Majors control together (S9-V-6)."""
    return next((name for name, vassal in position.vassals.items() if {one, other} == {*vassal.controllers}), None)


def stationary(position: Position) -> frozenset[str]:
    """The provinces of units that never leave their place: Minors' and Thralls' (S9-E-1)."""
    others = position.settings.ground.others
    return frozenset(province for province, (power, _) in position.ground.units.items() if power in others)


def heirs_of(position: Position, major: SeatId) -> tuple[str, ...]:
    """The centres where a Major's heirs live, the unmarried one's first."""
    homes = [capital_name(position.settings, major)] if major in position.heirs else []
    board = position.settings.ground
    homes += [
        board.provinces[centre_of(board, name)].name for name, ruler in position.thralls.items() if ruler == major
    ]
    homes += [position.vassals[name].capital for name in ruled_by(position, major)]
    return tuple(homes)


def purse_of(position: Position, major: SeatId) -> int:
    """DP that a Major has in a phase of orders: one for each centre that it owns, but at least 1 and at most 3 (S9-D-4)."""
    return min(MOST_DP, max(1, len(position.centres.get(major, ()))))


@record
class Total:
    """Centres that count for a Major's victory (S9-K-1)."""

    own: Whole
    thralls: Whole
    shared: Whole
    """Centres of the Vassals that it controls together with another Major."""

    @property
    def all(self) -> int:
        """The sum of all three numbers."""
        return self.own + self.thralls + self.shared


def total_of(position: Position, major: SeatId) -> Total:
    """The total that decides whether a Major wins (S9-K-1, S9-T-10, S9-V-29)."""
    thralls = [name for name, ruler in position.thralls.items() if ruler == major]
    return Total(
        own=len(position.centres.get(major, ())),
        thralls=sum(len(position.centres.get(name, ())) for name in thralls),
        shared=sum(len(position.centres.get(name, ())) for name in ruled_by(position, major)),
    )


def vassal_name(giver: SeatId, receiver: SeatId) -> SeatId:
    """The name that a Vassal begins with, such as `vDA` for Dokkalfar's dowry to the Aesir (S9-V-16)."""
    return f"v{giver[0]}{receiver[0]}"


# The start ----------------------------------------------------------------------------------------------------------


def seats(settings: Settings) -> tuple[SeatId, ...]:
    """The Majors, in the board's order. Raises `Problems` if no saga can be played on the board."""
    board = settings.ground
    initials = [major[0].upper() for major in board.powers]
    if len({*initials}) < len(initials):
        what = f"on the board {board.name}, two powers share a first letter, but Vassals are named by first letters (S9-A-4)"
        raise problem("", what, "name another board")
    for major, data in board.powers.items():
        homes = board.homes(major)
        if not data.units or capital_of(board, major) not in homes:
            what = f"on the board {board.name}, the first unit of {major} is not in one of its homes (S9-A-7)"
            raise problem("", what, "name another board")
    for minor, data in board.others.items():
        if len(data.units) != 1 or board.provinces[centre_of(board, minor)].owner != minor:
            what = f"on the board {board.name}, {minor} cannot be a Minor: it must have one unit, in the one centre that it owns (S9-B-1)"
            raise problem("", what, "name another board")
    return tuple(board.powers)


def starting_position(settings: Settings) -> Position:
    """The first position: homes, units and one heir for each Major, and all Minors (S9-A-8, S9-A-9, S9-A-13)."""
    start = diplomacy.starting_position(settings)
    return Position(
        cycle=start.year,
        season=Season.SPRING,
        phase=Phase.ORDERS,
        units=start.units,
        centres=start.centres,
        heirs=majors(settings),
        settings=settings,
    )


def when(position: Position) -> str:
    """The turn's name, such as `Spring 1, orders` or `Winter 1`."""
    calendar = position.settings.ground.calendar
    season = f"{calendar.season(SEASONS[position.season].value)} {calendar.year(position.cycle)}"
    match position.phase:
        case Phase.ORDERS | Phase.RETREATS:
            return f"{season}, {position.phase}"
        case Phase.WINTER:
            return season
        case _:
            assert_never(position.phase)


# Faults -------------------------------------------------------------------------------------------------------------


def faults(position: Position) -> Iterator[Remark]:
    """Errors in a position: on the board, and among heirs, Thralls and Vassals."""
    board = position.settings.ground
    reign, alive = majors(position.settings), living(position)
    powers = (*reign, *board.others, *position.vassals)
    for key, table in (("units", position.units), ("centres", position.centres)):
        for power in table:
            if power not in powers:
                yield Remark((key, power), f"no power is called {power!r:.40}", among(power, powers))
    unknown = [fault for fault in diplomacy.faults(position.war) if fault.place[:1] != ("others",)]
    yield from unknown
    if unknown:
        return
    mentions: tuple[tuple[str, Iterable[str], tuple[str, ...]], ...] = (
        ("heirs", position.heirs, alive),
        ("built", position.built, reign),
        ("thralls", position.thralls, tuple(board.others)),
        ("thralls", position.thralls.values(), alive),
        ("vassals", (who for vassal in position.vassals.values() for who in vassal.controllers), alive),
        ("betrothed", (who for pair in position.betrothed for who in (pair.giver, pair.receiver)), position.heirs),
        ("eliminated", position.eliminated, reign),
        ("votes", position.votes, alive),
        ("missed", position.missed, alive),
    )
    for key, names, allowed in mentions:
        for name in names:
            if name not in allowed:
                right = among(name, allowed)
                yield Remark((key,), f"{key} cannot name {name!r:.40}", right)
    if len({*position.heirs}) < len(position.heirs):
        yield Remark(("heirs",), "a Major has two unmarried heirs", "name each Major at most once (S9-H-3)")
    for major in alive:
        capital = capital_name(position.settings, major)
        if owner_of(position, capital) == major:
            continue
        if major in position.heirs:
            right = f"give {major} the centre, or leave it out of `heirs` (S9-H-3, S9-H-10)"
            yield Remark(
                ("heirs",), f"the unmarried heir of {major} lives in {capital}, which {major} does not own", right
            )
        elif not heirs_of(position, major):
            right = f"write `eliminated: {{{major}: CYCLE}}`, or give it an heir or {capital} (S9-H-13)"
            yield Remark(
                ("eliminated",), f"{major} has neither an heir nor its Capital, {capital}, but is not eliminated", right
            )
    for major in position.eliminated:
        for key, table in (("units", position.units), ("centres", position.centres)):
            if table.get(major):
                yield Remark((key, major), f"{major} is eliminated but has {key}", "remove them (S9-X-7)")
    for minor in position.thralls:
        if minor in board.others and not position.centres.get(minor):
            yield Remark(("thralls", minor), f"{minor} owns no centre", "a Thrall must own its centre (S9-T-10)")
    pairs: set[frozenset[SeatId]] = set()
    for name, vassal in position.vassals.items():
        if name in (*reign, *board.others):
            yield Remark(("vassals", name), f"{name!r:.40} is already a power", "give it another name (S9-V-16)")
        if vassal.giver == vassal.receiver or frozenset(vassal.controllers) in pairs:
            what = f"{vassal.giver} and {vassal.receiver} cannot control {name} together"
            yield Remark(("vassals", name), what, "name two Majors that share no other Vassal (S9-V-6)")
        pairs.add(frozenset(vassal.controllers))
        if vassal.capital not in position.centres.get(name, ()):
            what = f"{name} does not own its Capital, {vassal.capital!r:.40}"
            yield Remark(("vassals", name, "capital"), what, "name a centre that it owns (S9-V-12)")
    for index, pair in enumerate(position.betrothed):
        if owner_of(position, pair.at) != pair.giver:
            yield Remark(
                ("betrothed", index, "at"),
                f"{pair.at!r:.40} does not belong to {pair.giver}",
                "name a centre that it owns (S9-V-3)",
            )
