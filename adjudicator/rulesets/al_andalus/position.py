"""An Al-Andalus position: the war on the board, and the courts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.ruleset import Keep
from adjudicator.core.text.codec import UNWRITTEN, Flag, Whole, extend_record, field_text, record
from adjudicator.core.text.problems import among, nearest, problem
from adjudicator.mechanics.adjustments import DisbandDistance
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets import diplomacy

WAZIRS: tuple[SeatId, ...] = ("First Wazir", "Second Wazir", "Third Wazir")


class WazirSolo(StrEnum):
    """Dinars that a wazir needs to win, for each centre of the strongest prince (AA-K-6)."""

    MORE_THAN_3 = "more_than_3"
    AT_LEAST_3 = "at_least_3"


@record
class Settings:
    """House rules. The defaults follow the text of the rules; the other values are rulings from the one recorded game."""

    board: Annotated[str, field_text("The board (AA-A-1).")] = "taifas"
    victory: Annotated[
        Annotated[Whole, Choice(ge=1)] | None,
        field_text("Number of supply centres that wins; if it is left out, the board's 14 (AA-K-1)."),
    ] = None
    wazir_solo: Annotated[
        WazirSolo, field_text("How many dinars a wazir needs to win, for each centre of the strongest prince (AA-K-6).")
    ] = WazirSolo.MORE_THAN_3
    wazir_solo_ends_game: Annotated[
        Flag,
        field_text("Whether a wazir who has enough ends the game, once centres have changed hands in fall (AA-K-7)."),
    ] = False
    generals: Annotated[Flag, field_text("Whether wazirs may be appointed generals (AA-L-1).")] = False

    @property
    def war(self) -> diplomacy.Settings:
        """The settings of the war: standard Diplomacy, with removals counted from home (AA-A-1, AA-D-3)."""
        return _war(self)


def _war(settings: Settings) -> diplomacy.Settings:
    return diplomacy.Settings(
        board=f"{settings.board}_generals" if settings.generals else settings.board,
        draws=diplomacy.Draws.NONE,
        build_sites=diplomacy.BuildSites.HOME,
        victory=settings.victory,
        disband_distance=DisbandDistance.HOME,
    )


@record
class KeptBoard(Settings):
    """House rules with the board that the game began with, if the board of that name has changed since."""

    own: Board = field(metadata=UNWRITTEN)

    @property
    def war(self) -> diplomacy.Settings:
        """The settings of the war, on the board that the game began with."""
        return extend_record(_war(self), diplomacy.OwnBoard, own=self.own)


def furnish(settings: Settings, beside: Callable[[str], tuple[bytes, str]], keep: Keep) -> Settings:
    """House rules with the board that the game began with. Raises `Problems` if no board has that name."""
    board = diplomacy.begun_board(settings.war.board, keep)
    return settings if diplomacy.is_shipped(board) else extend_record(settings, KeptBoard, own=board)


@record
class Command:
    """A general's command: the unit that only they order, and the centres that it took (AA-L-2, AA-L-7)."""

    unit: str
    land: tuple[str, ...] = ()


@record
class Conquest:
    """A prince who took another's last centre, and decides this winter about the wazir who served there (AA-J)."""

    wazir: SeatId
    conqueror: SeatId


@record
class Position:
    """The state between two turns, all of it public (AA-A-8)."""

    war: diplomacy.Position
    courts: Mapping[SeatId, SeatId] = field(default_factory=dict)
    """Wazir -> the prince they serve. A wazir without an entry is free."""
    purses: Mapping[SeatId, Whole]
    """Wazir -> their dinars."""
    treasuries: Mapping[SeatId, Whole]
    """Prince -> dinars that wait for the next wazir they hire (AA-F-5)."""
    generals: Mapping[SeatId, Command] = field(default_factory=dict)
    executed: tuple[SeatId, ...] = ()
    conquests: tuple[Conquest, ...] = ()
    """Conquests to decide on this winter."""
    votes: tuple[SeatId, ...] = ()
    """Princes whose vote for a draw is in force (AA-K-2)."""
    missed: Mapping[SeatId, Whole] = field(default_factory=dict)
    """Seat -> turns of movement missed in a row (AA-I-4)."""
    heirs: Mapping[SeatId, SeatId] = field(default_factory=dict)
    """Silent prince -> the wazir whom that silence arrested, who may take the throne (AA-I-5)."""
    settings: Settings


def attach_settings(position: Position, settings: Settings) -> Position:
    """The position on the board that the game began with, which turn.yaml only names."""
    mine = position.settings
    if not isinstance(settings, KeptBoard) or mine.war.board != settings.war.board:
        return position
    war = replace(position.war, settings=extend_record(position.war.settings, diplomacy.OwnBoard, own=settings.own))
    return replace(position, war=war, settings=extend_record(mine, KeptBoard, own=settings.own))


def princes(settings: Settings) -> tuple[SeatId, ...]:
    """The princes, in the board's order."""
    return tuple(power for power in settings.war.ground.powers if power not in WAZIRS)


def seats(settings: Settings) -> tuple[SeatId, ...]:
    """The princes, then the wazirs. Raises `Problems` if the board has armies that nobody leads."""
    board = settings.war.ground
    if board.others:
        what = f"the board {board.name} has armies that belong to nobody, so no prince or wazir could lead them"
        raise problem("", what, "name another board")
    return (*princes(settings), *WAZIRS)


def starting_position(settings: Settings) -> Position:
    """The first position: wazirs are free and poor, treasuries empty (AA-E-9)."""
    return Position(
        war=diplomacy.starting_position(settings.war),
        purses=dict.fromkeys(WAZIRS, 0),
        treasuries=dict.fromkeys(princes(settings), 0),
        settings=settings,
    )


def living_wazirs(position: Position) -> tuple[SeatId, ...]:
    """The wazirs who are still in the game (AA-J-3)."""
    return tuple(wazir for wazir in WAZIRS if wazir not in position.executed)


def reigning_princes(position: Position) -> tuple[SeatId, ...]:
    """The princes who have a unit or a centre."""
    survivors = diplomacy.survivors(diplomacy.field_of(position.war))
    return tuple(prince for prince in princes(position.settings) if prince in survivors)


def wazir_of(position: Position, prince: SeatId) -> SeatId | None:
    """The wazir at a prince's court (at most one, AA-E-2)."""
    return next((wazir for wazir, court in position.courts.items() if court == prince), None)


def faults(position: Position) -> Iterator[Remark]:
    """Faults in the war and in the courts: unknown names, missing purses, two wazirs, wrong units."""
    for fault in diplomacy.faults(position.war):
        yield Remark(("war", *fault.place), fault.what, fault.right)
    reign = princes(position.settings)
    mentions: tuple[tuple[str, Iterable[str], tuple[str, ...]], ...] = (
        ("courts", position.courts, WAZIRS),
        ("courts", position.courts.values(), reign),
        ("purses", position.purses, WAZIRS),
        ("treasuries", position.treasuries, reign),
        ("generals", position.generals, WAZIRS),
        ("executed", position.executed, WAZIRS),
        ("conquests", (conquest.wazir for conquest in position.conquests), WAZIRS),
        ("conquests", (conquest.conqueror for conquest in position.conquests), reign),
        ("votes", position.votes, reign),
        ("missed", position.missed, (*reign, *WAZIRS)),
        ("heirs", position.heirs, reign),
        ("heirs", position.heirs.values(), WAZIRS),
    )
    for key, names, allowed in mentions:
        for name in names:
            if name not in allowed:
                right = among(name, allowed)
                yield Remark((key,), f"{key} cannot name {name!r:.40}", right)
    for prince in {court for court in position.courts.values() if list(position.courts.values()).count(court) > 1}:
        yield Remark(("courts",), f"{prince} has two wazirs", "a court has at most one (AA-E-2)")
    for wazir in WAZIRS:
        if wazir not in position.executed and wazir not in position.purses:
            yield Remark(("purses",), f"{wazir} has no purse", f"add `{wazir}: 0`")
    for prince in reign:
        if prince not in position.treasuries:
            yield Remark(("treasuries",), f"{prince} has no treasury", f"add `{prince}: 0`")
    for wazir, command in position.generals.items():
        owner = position.courts.get(wazir, wazir)
        away = {(lost.power, lost.unit) for lost in position.war.dislodged}
        if command.unit not in position.war.units.get(owner, ()) and (owner, command.unit) not in away:
            yield Remark(
                ("generals", wazir),
                f"{command.unit!r:.40} is not one of {owner}'s units",
                "name one of theirs (AA-L-1)",
            )


def check_courts(position: Position) -> Position:
    """Return the position unchanged. Raises `Problems` if a court has an unknown prince or wazir, or two wazirs."""
    reign = princes(position.settings)
    for wazir, prince in position.courts.items():
        if wazir not in WAZIRS or prince not in reign:
            raise problem(
                "", f"{wazir!r:.40} cannot serve {prince!r:.40}", nearest(wazir, WAZIRS) or nearest(prince, reign)
            )
    if len(set(position.courts.values())) < len(position.courts):
        raise problem("", "a prince has two wazirs", "a court has at most one (AA-E-2)")
    return position


def when(position: Position) -> str:
    """The turn's name, such as `Spring 1080, movement`."""
    return diplomacy.when(position.war)
