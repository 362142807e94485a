"""Orders ahead: retreats and winter orders on a sheet of moves, for powers that send no sheet later (DP-N-2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field as Choice

from adjudicator.core.contract.ahead import MOST_AHEAD, Ahead, AheadLine, Flag, Number
from adjudicator.core.contract.conditions import Argument, Terms, Wrong
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.text.codec import field_text
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.movement import Move, Named
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Fault
from adjudicator.rulesets.diplomacy.position import Field, Phase, Position, Season, field_of

RETREATS, WINTER = "retreats", "winter"
RetreatsAhead = Annotated[
    tuple[AheadLine, ...],
    Choice(max_length=MOST_AHEAD),
    field_text(
        "For units that are dislodged, such as `A Vienna - Tyrolia`, the best first. They count if I send no sheet of retreats.",
        title="Retreats, in case I miss them",
    ),
]
WinterAhead = Annotated[
    tuple[AheadLine, ...],
    Choice(max_length=MOST_AHEAD),
    field_text(
        "Such as `Build A Vienna` or `Disband F Trieste`, the most important first. They count if I send no sheet in winter.",
        title="Builds and removals, in case I miss winter",
    ),
]
TERMS = Terms(
    numbers={"centres": ("power",), "units": ("power",)},
    flags={"unit": ("place", "power"), "owns": ("power", "place"), "empty": ("place",)},
)
"""Conditions can test the numbers of a power's centres and units, whether a power has a unit in a place, owns it, or nobody is there."""


def lists_of(movement: bool, last: bool, retreats: str, winter: str) -> Mapping[str, str]:
    """The lists of a turn: of moves (`movement`), and the year's last (`last`), with the kinds of the turns that they are for."""
    return {} if not movement else {RETREATS: retreats, WINTER: winter} if last else {RETREATS: retreats}


def _lists(position: Position) -> Mapping[str, str]:
    last = position.season is Season.FALL
    return lists_of(position.phase is Phase.MOVEMENT, last, Phase.RETREATS.value, Phase.ADJUSTMENTS.value)


def fault_ahead(
    field: Field, power: SeatId, key: str, read: AnyOrder | Fault, *, others: frozenset[SeatId] = frozenset()
) -> Remark | None:
    """The fault of an order in a list that shows now, or None. The power may also order units of `others`."""
    if isinstance(read, Fault):
        return Remark((), read.what, read.right, read.offset)
    if key == WINTER:
        winter = isinstance(read, Build | Disband) or not hasattr(read, "unit")
        return None if winter else Remark((), "this is not an order for winter", "write `Build`, `Disband` or `Waive`")
    unit: Named | None = getattr(read, "unit", None)
    if not isinstance(read, Move | Disband) or unit is None:
        return Remark((), "this is not a retreat", "write UNIT - PLACE, or UNIT Disband")
    here = field.units.get(unit.province)
    if here is not None and here[0] in {power, *others}:
        return None
    mine = sorted(field.board.unit_name(one) for whose, one in field.units.values() if whose in {power, *others})
    right = nearest(field.notation.named(unit, None), mine) or "your units: " + ", ".join(mine)
    return Remark((), "you have no unit there: a dislodged unit retreats from where it stands now", right)


def fits_ahead(read: Callable[[str], Any], chosen: tuple[str, ...], line: str) -> bool:
    """True if an order is about another unit than those chosen before it, and leads to another province."""
    new = read(line)
    for one in map(read, chosen):
        if _province(new) is not None and _province(one) == _province(new):
            return False
        if isinstance(new, Move) and isinstance(one, Move) and new.to == one.to:
            return False
    return True


def _province(order: Any) -> str | None:
    """The province of an order's unit; None for an order without one."""
    return order.unit.province if isinstance(order, Move | Build | Disband) else None


def argument_for(field: Field) -> Argument:
    """The reader of names in conditions: places and powers of the board."""

    def read(blank: str, text: str) -> str | Wrong:
        if blank == "power":
            found = [power for power in field.powers if power.casefold() == text.casefold()]
            right = nearest(text, field.powers) or "powers: " + ", ".join(field.powers)
            return found[0] if found else Wrong(f"no power is called {text!r:.40}", right)
        order = field.notation.read(f"A {text} H")
        if isinstance(order, Fault):
            return Wrong(order.what, order.right)
        code: str = order.unit.province  # type: ignore[union-attr]  # the line says that a unit holds
        return field.board.provinces[code].name

    return read


def values_on(field: Field) -> tuple[Number, Flag]:
    """The values of names in conditions, on this board at this moment."""
    code_of = {province.name: code for code, province in field.board.provinces.items()}

    def number(name: str, arguments: tuple[str, ...]) -> int | None:
        (power,) = arguments
        if name == "centres":
            return sum(owner == power for owner in field.owners.values())
        return sum(whose == power for whose, _ in field.units.values())

    def flag(name: str, arguments: tuple[str, ...]) -> bool | None:
        if name == "owns":
            return field.owners.get(code_of[arguments[1]]) == arguments[0]
        here = field.units.get(code_of[arguments[0]])
        return here is None if name == "empty" else here is not None and here[0] == arguments[1]

    return number, flag


def _read(position: Position) -> Callable[[str], AnyOrder | Fault]:
    return field_of(position).notation.read


AHEAD: Ahead[Position] = Ahead(
    lists=_lists,
    keys=(RETREATS, WINTER),
    fault=lambda view, power, key, line: fault_ahead(field_of(view), power, key, _read(view)(line)),
    fits=lambda view, power, chosen, line: fits_ahead(_read(view), chosen, line),
    terms=TERMS,
    argument=lambda view: argument_for(field_of(view)),
    values=lambda view, power: values_on(field_of(view)),
)
