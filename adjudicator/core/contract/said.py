"""Marker for types of data that leave out a record's empty values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """Marks data of a record without its empty values."""

    record: type[Any]
