"""The working state of a turn, and functions that add verdicts and commands to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudicator.core.contract.draft import Draft
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.secrets.dice import Dice
from adjudicator.mechanics.notation import AnyOrder, Fault
from adjudicator.mechanics.provinces import Board
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.events import AnyEvent
from adjudicator.rulesets.saga_of_the_nine.orders import (
    HeirOrder,
    Sheet,
    Speech,
    read_bids,
    read_lines,
    speech_of,
)
from adjudicator.rulesets.saga_of_the_nine.position import Position, living


@dataclass(frozen=True, slots=True)
class Suit:
    """A legal order of an heir to marry, which is waiting for an answer."""

    order: HeirOrder
    line: str


class Work(Draft[Position, diplomacy.UnitVerdict, AnyEvent], rules="S9"):
    """The turn while it is being judged. `position` is the current one, but the current board is in `war.field`."""

    sheets: Mapping[SeatId, Sheet]
    """The sheets of living Majors."""

    def __init__(self, position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> None:
        alive = living(position)
        super().__init__(position, {major: sheets[major] for major in alive if major in sheets}, dice)
        self.speech: Speech = speech_of(position)
        self.war = diplomacy.begin(position.war)
        self.lines = {major: read_lines(self.speech, sheet, major) for major, sheet in self.sheets.items()}
        self.bids = {major: read_bids(self.speech, sheet, major) for major, sheet in self.sheets.items()}
        self.commands: list[diplomacy.Command] = []
        """The orders that units carry out, whoever gave them."""
        self.given: list[tuple[SeatId, ...]] = []
        """The givers of each command; empty if DP decided it."""
        self.told: dict[str, SeatId | None] = {}
        """Province of each unit that was bid on -> the Major whose heir it is to marry; None for any other order."""
        self.helpers: dict[str, tuple[SeatId, ...]] = {}
        """Province of each unit that is to marry -> the Majors whose DP decided that."""
        self.gave_way: set[tuple[SeatId, str]] = set()
        """Vassal and province of each unit that disbands because another of the Vassal's retreats to the same place (S9-V-28)."""
        self.suits: dict[SeatId, Suit] = {}
        """Major -> its heir's legal order."""

    @property
    def board(self) -> Board:
        """The board that the war is on."""
        return self.war.field.board

    def name(self, province: str) -> str:
        """The name of a province."""
        return self.board.provinces[province].name

    def unit_name(self, province: str) -> str:
        """The name of the unit that began the turn in a province, as players write it."""
        return self.board.unit_name(self.war.start.names()[province])


def add_unreadable(work: Work, seat: SeatId, text: str, fault: Fault) -> None:
    """Records that a line cannot be read (DP-O-7)."""
    work.verdicts.append(diplomacy.unreadable_verdict(seat, text, fault))


def add_command(work: Work, power: SeatId, order: AnyOrder, *givers: SeatId) -> None:
    """Adds an order for a power's unit, with those who gave it."""
    work.commands.append((power, order))
    work.given.append(givers)
