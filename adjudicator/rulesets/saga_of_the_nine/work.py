"""The working state of a turn, and functions that add verdicts and commands to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as default

from adjudicator.core.contract.resolution import Ending, Fact, SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.mechanics.notation import AnyOrder, Fault
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.events import AnyEvent
from adjudicator.rulesets.saga_of_the_nine.orders import (
    BidLine,
    HeirOrder,
    Line,
    Sheet,
    Speech,
    read_bids,
    read_lines,
    speech_of,
)
from adjudicator.rulesets.saga_of_the_nine.position import Position, living


@dataclass(frozen=True, slots=True)
class Suit:
    """A legal order of an heir, which waits for an answer."""

    order: HeirOrder
    line: str


@dataclass
class Work:
    """The turn while it is being judged."""

    start: Position
    """The position it began with."""
    position: Position
    """The current position, except for the board, which is `war.field`."""
    sheets: Mapping[SeatId, Sheet]
    """Of Majors that are alive."""
    speech: Speech
    war: diplomacy.War
    lines: Mapping[SeatId, tuple[Line, ...]]
    bids: Mapping[SeatId, tuple[BidLine, ...]]
    verdicts: list[diplomacy.UnitVerdict] = default(default_factory=list)
    events: list[AnyEvent] = default(default_factory=list)
    commands: list[diplomacy.Command] = default(default_factory=list)
    """The orders that units carry out, whoever gave them."""
    given: list[tuple[SeatId, ...]] = default(default_factory=list)
    """The givers of each command; empty if DP decided it."""
    told: dict[str, SeatId | None] = default(default_factory=dict)
    """Province of each unit that was bid on -> the Major whose heir it is to marry; None for any other order."""
    helpers: dict[str, tuple[SeatId, ...]] = default(default_factory=dict)
    """Province of each unit that is to marry -> the Majors whose DP decided that."""
    gave_way: set[tuple[SeatId, str]] = default(default_factory=set)
    """Vassal and province of each unit that disbands because another of the Vassal's retreats to the same place (S9-V-28)."""
    suits: dict[SeatId, Suit] = default(default_factory=dict)
    """Major -> its heir's legal order."""
    ended: Ending | None = None

    @property
    def board(self) -> Board:
        """The board."""
        return self.war.field.board

    def name(self, province: str) -> str:
        """The name of a province."""
        return self.board.provinces[province].name

    def unit_name(self, province: str) -> str:
        """The unit that began the turn in a province, as people write it."""
        return self.board.unit_name(self.war.start.names()[province])


def begin(position: Position, sheets: Mapping[SeatId, Sheet]) -> Work:
    """A turn with its sheets read and nothing decided yet."""
    speech, alive = speech_of(position), living(position)
    present = {major: sheets[major] for major in alive if major in sheets}
    return Work(
        start=position,
        position=position,
        sheets=present,
        speech=speech,
        war=diplomacy.begin(position.war),
        lines={major: read_lines(speech, sheet, major) for major, sheet in present.items()},
        bids={major: read_bids(speech, sheet, major) for major, sheet in present.items()},
    )


def add_verdict(
    work: Work, seat: SeatId, order: str, result: str, reason: str, rule: str, facts: Mapping[str, Fact] | None = None
) -> None:
    """Records what became of an order."""
    work.verdicts.append(
        diplomacy.UnitVerdict(
            seat=seat, order=order[:ORDER_LETTERS], result=result, reason=reason, rule=f"S9-{rule}", facts=facts or None
        )
    )


def add_unreadable(work: Work, seat: SeatId, text: str, fault: Fault) -> None:
    """Records that a line cannot be read (DP-O-7)."""
    work.verdicts.append(diplomacy.unreadable_verdict(seat, text, fault))


def add_command(work: Work, power: SeatId, order: AnyOrder, *givers: SeatId) -> None:
    """Adds an order for a power's unit, with those who gave it."""
    work.commands.append((power, order))
    work.given.append(givers)
