"""Stand-ins (elsewhere called bots) play seats: they choose those of a ruleset's `options` that the ruleset values most.

A stand-in is seeded and reproducible: the same position, seat and seed give the same sheet. It knows only what its seat may see. It is not
a strong opponent: it is for missing players and for trying out rules.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from adjudicator.core.contract.resolution import SeatId
from adjudicator.core.contract.ruleset import Chance, Ruleset, Worth, Writer, at_random


def chance_of(seed: str, turn: str) -> Chance:
    """Named numbers for one turn: `chance(name, n)` is one of 0 to n-1, always the same one for a name.

    All seats share them: two stand-ins that use the same name get the same number, and so agree.
    """
    begun = hashlib.blake2b(f"stand-in/v1|{seed}|{turn}|".encode(), digest_size=8)

    def chance(name: str, sides: int) -> int:
        body = begun.copy()
        body.update(name.encode())
        return int.from_bytes(body.digest(), "big") % sides

    return chance


def combine_sheets(sheet: Any, more: Any) -> Any:
    """Combine two sheets of one type: lists and tables are joined; any other field is taken from the second sheet if it is filled in there.

    A list that a sheet leaves out counts as empty.
    """
    changed: dict[str, Any] = {}
    kind: Callable[[], Any] = type(sheet)
    for name, nothing in _empty(kind):
        new = getattr(more, name)
        if new == nothing:
            continue
        if isinstance(new, tuple):
            changed[name] = (*(getattr(sheet, name) or ()), *new)
        elif isinstance(new, Mapping):
            changed[name] = {**getattr(sheet, name), **new}
        else:
            changed[name] = new
    return replace(sheet, **changed) if changed else sheet


@functools.lru_cache(maxsize=64)
def _empty(kind: Callable[[], Any]) -> tuple[tuple[str, Any], ...]:
    """The names of a sheet's fields, each with its empty value."""
    empty = kind()
    return tuple((field.name, getattr(empty, field.name)) for field in fields(empty))


def write_sheet(rules: Ruleset[Any, Any, Any], position: Any, seat: SeatId, chance: Chance) -> Any:
    """The sheet that a stand-in sends for a seat; it uses only the seat's view of `position`.

    If the ruleset has a `Writer`, that writes the whole sheet. Otherwise the option worth most is added, again and again, as long as one is
    worth more than 0. Options that `check` finds an error in are left out.
    """
    view = rules.view(position, seat)
    mind = rules.stand_in.mind if rules.stand_in is not None else Worth(at_random)
    if isinstance(mind, Writer):
        return mind.write(view, seat, chance)
    worth = mind.of(view, seat, chance)
    sheet: Any = rules.sheet_for(position, seat)()
    left = list(rules.rules.options(view, seat))
    while left:
        valued = [(value, more) for more in left if (value := worth(sheet, more)) is not None]
        if not valued:
            break
        best, chosen = max(valued, key=lambda pair: pair[0])
        if best <= 0:
            break
        left = [more for _, more in valued if more is not chosen]
        tried = combine_sheets(sheet, chosen)
        if not any(remark.level == "error" for remark in rules.rules.check(view, seat, tried)):
            sheet = tried
    return sheet
