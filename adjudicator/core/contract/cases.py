"""Worked examples of a rulebook, read from files of cases with their line numbers, and played.

The ruleset defines the record of a case, which includes the fields of `Titled`. A file is a chapter of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from adjudicator.core.contract.resolution import Example, Resolution, SeatId
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import decode, load, record
from adjudicator.core.text.yamltext import Text

P = TypeVar("P")
E = TypeVar("E")


class Titled(Protocol):
    """Description that every case has."""

    @property
    def id(self) -> str:
        """Name of the case in its file."""
        ...

    @property
    def title(self) -> str:
        """Heading: the point that it shows."""
        ...

    @property
    def about(self) -> str:
        """Background for the reader; may be empty."""
        ...

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that it illustrates."""
        ...


C = TypeVar("C", bound=Titled)


@record
class CaseFile(Generic[C]):
    """A chapter of examples."""

    title: str
    cases: tuple[C, ...]


@record
class Judged:
    """Outcome of one order."""

    seat: str
    order: str
    result: str
    reason: str
    rule: str
    implied: bool = False
    """Whether the unit did this because it got no order."""


@record
class Ended:
    """How a game ended."""

    how: str
    winners: tuple[str, ...]
    rule: str


def case_files(folder: Path, case: type[C], but: Container[str] = ()) -> dict[str, CaseFile[C]]:
    """Name -> chapter of such cases, for all files in a folder except `but`. Raises `Problems`."""
    chapter: type[CaseFile[C]] = CaseFile[case]  # type: ignore[valid-type]  # a type only at run time
    return {
        path.stem: load(chapter, read_own(path), f"cases/{path.name}", own=True)
        for path in Own(folder).paths(folder, "*.yaml")
        if path.stem not in but
    }


def sheets_in(
    case: str, sheets: Mapping[SeatId, Mapping[str, Any]], sheet_for: Callable[[SeatId], type[Any]]
) -> dict[SeatId, Any]:
    """The sheets of a case, each of its seat's type. Raises `Problems`."""
    return {seat: decode(sheet_for(seat), Text(f"cases/{case}", dict(sheet), {})) for seat, sheet in sheets.items()}


def play_cases(
    files: Mapping[str, CaseFile[C]], play: Callable[[C], tuple[P, Resolution[P, E]]]
) -> Iterator[Example[P, E]]:
    """Every case of these files, played: `play` gives the position it begins with and the outcome."""
    for stem, file in files.items():
        for case in file.cases:
            position, done = play(case)
            yield Example(f"{stem}/{case.id}", case.title, case.about, case.rules, position, done)
