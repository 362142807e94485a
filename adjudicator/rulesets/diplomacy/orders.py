"""The fields of a Diplomacy sheet, and the reader of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field as Choice

from adjudicator.core.contract.ahead import AheadWords
from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.sheet import SeatName
from adjudicator.core.text.codec import Flag, field_text, record
from adjudicator.mechanics.notation import AnyOrder, Fault, Waive
from adjudicator.rulesets.diplomacy.ahead import RetreatsAhead, WinterAhead
from adjudicator.rulesets.diplomacy.position import Field, Position, Votes


@record
class Sheet(AheadWords):
    """One power's sheet for one turn, in a game that keeps votes (DP-V-12)."""

    orders: Annotated[tuple[str, ...], Choice(max_length=100)] = ()
    draw: Annotated[
        Flag | None,
        field_text(
            "My votes count until I vote again. `draw: false` takes them back (DP-V-3, DP-V-12).",
            title="I vote for a draw",
        ),
    ] = None
    among: Annotated[
        tuple[SeatName, ...],
        field_text(
            "The game ends if all powers that are left name the same ones here (DP-V-11).",
            title="I vote for a draw among",
        ),
    ] = ()
    concede: Annotated[
        SeatName | None,
        field_text(
            "The game ends if all other powers concede it to the same power (DP-V-5).", title="I concede the game to"
        ),
    ] = None
    retreats: RetreatsAhead = ()
    winter: WinterAhead = ()

    @property
    def votes(self) -> bool:
        """True if the sheet says anything about ending the game."""
        return self.draw is not None or bool(self.among) or self.concede is not None


@record
class TurnSheet(Sheet):
    """One power's sheet for one turn, in a game where its votes count for that turn."""

    draw: Annotated[
        Flag,
        field_text(
            "The draw includes all powers that are left, and all must vote for it (DP-V-3).", title="I vote for a draw"
        ),
    ] = False


def sheet_for(position: Position, seat: SeatId) -> type[Sheet]:
    """The kind of sheet that a power sends: where votes are kept, it can leave its vote as it is (DP-V-12)."""
    return Sheet if position.settings.votes is Votes.KEPT else TurnSheet


def read_orders(field: Field, sheet: Sheet) -> list[tuple[int, AnyOrder | Fault]]:
    """The lines of a sheet, read: the index of each, and its order or the fault that makes it unreadable."""
    return [(index, field.notation.read(text)) for index, text in enumerate(sheet.orders)]


def canonical_line(field: Field, line: str) -> str:
    """The canonical form of a line; an unreadable line is unchanged."""
    order = field.notation.read(line)
    return line if isinstance(order, Fault) else field.notation.write(order, field.names())


def pasted_lines(field: Field, line: str) -> tuple[str, ...]:
    """The orders in a line from elsewhere, in canonical form, even if there are several; empty if it cannot be read."""
    order, names = field.notation.read(line), field.names()
    orders = field.notation.several(line) if isinstance(order, Fault) else (order,)
    return tuple(field.notation.write(one, names) for one in orders)


@dataclass(frozen=True, slots=True)
class Read:
    """The lines of a sheet, read once: the orders and the faults, each with its index."""

    orders: tuple[tuple[int, AnyOrder], ...]
    faults: tuple[tuple[int, Fault], ...]
    owners: tuple[tuple[int, SeatName], ...] = ()
    """Index of each line that begins with its owner, a power or a seat, and the owner's name."""

    @classmethod
    def of(cls, field: Field, lines: Iterable[str], seats: Iterable[SeatName] = ()) -> Read:
        """Read the lines; a line may begin with the name of its owner: a power, or one of `seats`."""
        lines = tuple(lines)
        named = ((index, field.notation.owner_said(line, seats)) for index, line in enumerate(lines))
        lines_read = [(index, field.notation.read(line)) for index, line in enumerate(lines)]
        return cls(
            tuple((index, order) for index, order in lines_read if not isinstance(order, Fault)),
            tuple((index, fault) for index, fault in lines_read if isinstance(fault, Fault)),
            tuple((index, owner) for index, owner in named if owner is not None),
        )

    def provinces(self) -> set[str]:
        """The provinces of the units that have orders."""
        return {order.unit.province for _, order in self.orders if not isinstance(order, Waive)}
