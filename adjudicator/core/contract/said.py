"""A marker for types of plain data that leave out a record's empty values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """Marks a mapping as the plain data of a record, without the record's empty values."""

    record: type[Any]
