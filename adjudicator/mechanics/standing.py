"""Parts of a sheet that stand by themselves: said once, they are in force until a later sheet of the seat says that key again.

They are kept in the position, so that a ruleset's `seen_by` hides them with whatever else is a seat's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, Generic, TypeVar

from adjudicator.core.contract.resolution import SeatId

K = TypeVar("K")


class StandingParts(Generic[K]):
    """Which keys of a sheet stand: the fields of the record `kept`, which are None until they are said.

    The sheet types have fields of the same names, None where a sheet does not speak of them; an empty list is an answer.
    """

    def __init__(self, kept: type[K], sheets: Iterable[type[Any]]) -> None:
        self.kept: Any = kept
        kinds: list[Any] = [self.kept, *sheets]
        self.keys = tuple(field.name for field in fields(kinds[0]))
        for kind in kinds:
            defaults = {field.name: field.default for field in fields(kind)}
            wrong = [key for key in self.keys if defaults.get(key, MISSING) is not None]
            assert not wrong, f"{kind.__name__} needs {', '.join(wrong)} with None for what is not said"

    def after(self, standing: Mapping[SeatId, K], sheets: Mapping[SeatId, Any]) -> dict[SeatId, K]:
        """What stands for each seat once these sheets are in: key by key what the sheet says, else what stood before."""
        merged: dict[SeatId, K] = dict(standing)
        for seat, sheet in sorted(sheets.items()):
            said = {key: value for key in self.keys if (value := getattr(sheet, key)) is not None}
            if said:
                merged[seat] = replace(merged.get(seat, self.kept()), **said)
        return dict(sorted(merged.items()))

    def of(self, standing: Mapping[SeatId, K], seat: SeatId) -> K:
        """What stands for a seat; None under every key if it never said anything."""
        parts: K = standing.get(seat, self.kept())
        return parts
