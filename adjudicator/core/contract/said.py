"""How a type says that data leaves out what a record leaves empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """Marks the data of a record that has only what the record says: no empty value."""

    record: type[Any]
