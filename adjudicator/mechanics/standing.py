"""Standing parts of a sheet: a key keeps its value until a later sheet from the same seat gives it another.

The position keeps them, so that a ruleset's `seen_by` hides them with everything else that is private to a seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, Generic, TypeVar

from adjudicator.core.contract.resolution import SeatId

K = TypeVar("K")


class StandingParts(Generic[K]):
    """Keeps the standing keys of sheets. They are the fields of the record `kept`, all None until a sheet gives them.

    The sheet types have fields with the same names, None if a sheet omits them; an empty list counts as given.
    """

    def __init__(self, kept: type[K], sheets: Iterable[type[Any]]) -> None:
        self.kept: Any = kept
        kinds: list[Any] = [self.kept, *sheets]
        self.keys = tuple(field.name for field in fields(kinds[0]))
        for kind in kinds:
            defaults = {field.name: field.default for field in fields(kind)}
            wrong = [key for key in self.keys if defaults.get(key, MISSING) is not None]
            assert not wrong, f"{kind.__name__} needs {', '.join(wrong)} with None as the default"

    def after(self, standing: Mapping[SeatId, K], sheets: Mapping[SeatId, Any]) -> dict[SeatId, K]:
        """Seat -> its standing parts after these sheets: for each key the sheet's value, or the old one if the sheet omits it."""
        merged: dict[SeatId, K] = dict(standing)
        for seat, sheet in sorted(sheets.items()):
            said = {key: value for key in self.keys if (value := getattr(sheet, key)) is not None}
            if said:
                merged[seat] = replace(merged.get(seat, self.kept()), **said)
        return dict(sorted(merged.items()))

    def of(self, standing: Mapping[SeatId, K], seat: SeatId) -> K:
        """A seat's standing parts, with None for each key that the seat never gave."""
        parts: K = standing.get(seat, self.kept())
        return parts
