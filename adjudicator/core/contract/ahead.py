"""Orders ahead: lists on a sheet that hold orders for later turns, for seats that send no sheet then.

A line is an order of the later turn, and may end in a condition: `A Vienna - Tyrolia if not unit(Bohemia, Germany)`. Of a list's lines, in
turn, those count that are legal when the later turn is judged, whose condition holds then, and that fit the lines before them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field

from adjudicator.core.contract.conditions import Argument, Condition, Terms, Wrong, read_condition
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS, StandingWords
from adjudicator.core.text.codec import field_text, shared

P = TypeVar("P")
Q = TypeVar("Q")
IF = re.compile(r" if ", re.IGNORECASE)
MOST_AHEAD = 30
"""Maximum number of lines in a list."""
AheadLine = Annotated[str, Field(max_length=ORDER_LETTERS)]
"""One line of a list."""
SEALED = "ahead"
"""The key of the lists that are sealed on their own, so that publishing their turn's key does not open them."""
Number = Callable[[str, tuple[str, ...]], int | None]
"""Name of a number and its arguments -> its value; None if it has none."""
Flag = Callable[[str, tuple[str, ...]], bool | None]
"""Name of a flag and its arguments -> whether it is up; None if it has no meaning."""


@shared
class AheadWords(StandingWords):
    """Fields of sheets that may hold orders ahead. The lists themselves are fields of the ruleset's sheet."""

    ahead: Annotated[
        Mapping[str, Annotated[str, Field(max_length=16_384)]],
        Field(max_length=4),
        field_text("Lists of orders ahead, each sealed by the order desk or `courtly seal`."),
    ] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead(Generic[P]):
    """How a game's sheets hold orders ahead."""

    lists: Callable[[P], Mapping[str, str]]
    """Public view -> the lists that a sheet of this turn may have: key -> the kind of the turn that the list is for."""
    keys: tuple[str, ...]
    """The keys of all lists."""
    fault: Callable[[P, SeatId, str, str], Remark | None]
    """Public view, seat, key of a list, and an order in it -> what is wrong with the order, whatever happens until then. The place in the
    remark does not matter."""
    fits: Callable[[P, SeatId, tuple[str, ...], str], bool]
    """Public view of the later turn, seat, the orders chosen so far, and a legal one -> whether it may join them."""
    terms: Terms
    """Names that conditions may use."""
    argument: Callable[[P], Argument]
    """Public view -> the reader of the names' arguments."""
    values: Callable[[P, SeatId], tuple[Number, Flag]]
    """Public view of the later turn, and the seat -> the values of the names."""


def through(ahead: Ahead[Q], inner: Callable[[P], Q]) -> Ahead[P]:
    """The orders ahead of a game whose position holds that of another game, `inner`."""
    return Ahead(
        lists=lambda view: ahead.lists(inner(view)),
        keys=ahead.keys,
        fault=lambda view, seat, key, line: ahead.fault(inner(view), seat, key, line),
        fits=lambda view, seat, chosen, line: ahead.fits(inner(view), seat, chosen, line),
        terms=ahead.terms,
        argument=lambda view: ahead.argument(inner(view)),
        values=lambda view, seat: ahead.values(inner(view), seat),
    )


def split_line(line: str) -> tuple[str, str | None]:
    """The order and the condition of a line; None for the condition if the line has none."""
    order, *rest = IF.split(" ".join(line.split()), maxsplit=1)
    return order.strip(), rest[0].strip() if rest else None


def remarks_on_lists(ahead: Ahead[Any], view: Any, seat: SeatId, sheet: Any) -> Iterator[Remark]:
    """Faults in a sheet's orders ahead that show before the later turn opens."""
    lists, argument = ahead.lists(view), ahead.argument(view)
    for key in ahead.keys:
        lines: tuple[str, ...] = getattr(sheet, key, ())
        if lines and key not in lists:
            what = f"`{key}` cannot be used: its turn does not come before your next sheet of this kind"
            yield Remark((key,), what, "leave it out, and write it on the last such sheet before that turn")
            continue
        for index, line in enumerate(lines):
            order, condition = split_line(line)
            if fault := ahead.fault(view, seat, key, order):
                yield Remark((key, index), fault.what, fault.right, fault.offset, fault.level)
            read = read_condition(condition, ahead.terms, argument) if condition is not None else None
            if isinstance(read, Wrong):
                yield Remark((key, index), read.what, read.right, len(order))


def usable(
    ahead: Ahead[P], view: P, seat: SeatId, lines: Iterable[str], legal: Callable[[tuple[str, ...]], bool]
) -> tuple[str, ...]:
    """The orders of a list that count in the turn whose public view is `view`. `legal` tells whether a sheet of these orders has no fault."""
    chosen: tuple[str, ...] = ()
    number, flag = ahead.values(view, seat)
    for line in lines:
        order, said = split_line(line)
        condition = read_condition(said, ahead.terms, ahead.argument(view)) if said is not None else None
        if isinstance(condition, Wrong) or (isinstance(condition, Condition) and not condition.holds(number, flag)):
            continue
        if legal((*chosen, order)) and ahead.fits(view, seat, chosen, order):
            chosen = (*chosen, order)
    return chosen
