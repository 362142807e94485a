"""Worked examples of a rulebook, as files of cases: read with their lines, and played.

What a case says is the ruleset's own record, with `id`, `title`, `about` and `rules` among its fields; a file is a chapter of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from adjudicator.core.contract.resolution import Example, Resolution, SeatId
from adjudicator.core.text.codec import decode, load, record
from adjudicator.core.text.yamltext import Text

F = TypeVar("F")
P = TypeVar("P")
E = TypeVar("E")


@record
class Judged:
    """What became of one order."""

    seat: str
    order: str
    result: str
    reason: str
    rule: str
    implied: bool = False
    """Whether the unit did so for want of an order."""


@record
class Ended:
    """How a game ended."""

    how: str
    winners: tuple[str, ...]
    rule: str


def case_files(folder: Path, kind: type[F], but: Container[str] = ()) -> dict[str, F]:
    """Name -> file of cases, as a record of `kind`, for all in a folder except `but`; raises `Problems`."""
    return {
        path.stem: load(kind, path.read_bytes(), f"cases/{path.name}", own=True)
        for path in sorted(folder.glob("*.yaml"))
        if path.stem not in but
    }


def sheets_in(
    case: str, sheets: Mapping[SeatId, Mapping[str, Any]], sheet_for: Callable[[SeatId], type[Any]]
) -> dict[SeatId, Any]:
    """The sheets of a case, each of the type that its seat writes; raises `Problems`."""
    return {seat: decode(sheet_for(seat), Text(f"cases/{case}", dict(sheet), {})) for seat, sheet in sheets.items()}


def played(files: Mapping[str, Any], play: Callable[[Any], tuple[P, Resolution[P, E]]]) -> Iterator[Example[P, E]]:
    """Every case in the `cases` of these files, played: `play` gives the position it begins with and the outcome."""
    for stem, file in files.items():
        for case in file.cases:
            position, done = play(case)
            yield Example(f"{stem}/{case.id}", case.title, case.about, case.rules, position, done)
