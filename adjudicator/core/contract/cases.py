"""Read the worked examples of a rulebook from files of cases, with their line numbers, and play them.

The ruleset defines the record of a case, which includes the fields of `Titled`. A file is a chapter of cases.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from adjudicator.core.contract.resolution import Example, Resolution, SeatId
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import read_own
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.codec import decode, load, record
from adjudicator.core.text.yamltext import Text

if TYPE_CHECKING:
    from adjudicator.core.contract.ruleset import PlayedBy, Ruleset

P = TypeVar("P")
V = TypeVar("V", bound="PlayedBy")
E = TypeVar("E")


class Titled(Protocol):
    """The description that every case has."""

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
    """Load the files of cases in a folder, except `but`: name of the file -> its chapter. `case` is the record of one case. Raises `Problems`."""
    chapter: type[CaseFile[C]] = CaseFile[case]  # type: ignore[valid-type]  # a type only at run time
    return {
        path.stem: load(chapter, read_own(path), f"cases/{path.name}", own=True)
        for path in Own(folder).paths(folder, "*.yaml")
        if path.stem not in but
    }


def sheets_in(
    case: str, sheets: Mapping[SeatId, Mapping[str, Any]], sheet_for: Callable[[SeatId], type[Any]]
) -> dict[SeatId, Any]:
    """The sheets of a case, each decoded as its seat's type of sheet. Raises `Problems`."""
    return {seat: decode(sheet_for(seat), Text(f"cases/{case}", dict(sheet), {})) for seat, sheet in sheets.items()}


@record
class TurnCase(Generic[P]):
    """A turn as an example: a position, sheets, and their outcome."""

    id: str
    title: str
    about: str = ""
    rules: tuple[str, ...]
    position: P
    sheets: Mapping[SeatId, Mapping[str, Any]] = field(default_factory=dict)
    verdicts: tuple[Judged, ...] = ()
    told: tuple[str, ...] = ()
    """The facts, each as a sentence."""


def turns(rules: Ruleset[V, Any, E]) -> Iterator[Example[V, E]]:
    """Play the cases of a ruleset, which must be turns (`TurnCase`), and yield them as examples. Raises `Problems`."""
    for chapter, case, done in _played(rules):
        yield Example(f"{chapter}/{case.id}", case.title, case.about, case.rules, case.position, done)


def wrong_turns(rules: Ruleset[V, Any, E]) -> list[str]:
    """Play the cases of a ruleset, which must be turns (`TurnCase`), and return a message for each difference from the expected outcome."""
    faults = []
    for chapter, case, done in _played(rules):
        judged = tuple(
            Judged(
                seat=one.seat,
                order=one.order,
                result=one.result,
                reason=one.reason,
                rule=one.rule,
                implied=bool(one.implied),
            )
            for one in done.verdicts
        )
        told = tuple(rules.words.tell(case.position, one) for one in done.events)
        place = f"cases/{chapter}.yaml, {case.id}"
        said, came = (*map(str, case.verdicts), *case.told), (*map(str, judged), *told)
        pairs = itertools.zip_longest(said, came, fillvalue="nothing more")
        faults += [f"{place}: it says {said}, but the outcome is {came}" for said, came in pairs if said != came]
    return faults


def _played(rules: Ruleset[V, Any, E]) -> Iterator[tuple[str, TurnCase[V], Resolution[V, E]]]:
    """Play every case; yield its chapter, the case itself and the outcome. The dice are the same each time."""
    kind: type[TurnCase[V]] = TurnCase[rules.types.position]  # type: ignore[name-defined]  # a type only at run time
    for chapter, file in case_files(rules.folder / "cases", kind).items():
        for case in file.cases:
            sheets = sheets_in(case.id, case.sheets, partial(rules.types.sheet, case.position))
            yield chapter, case, rules.rules.resolve(case.position, sheets, NamedDice(b"examples"))


def play_cases(
    files: Mapping[str, CaseFile[C]], play: Callable[[C], tuple[P, Resolution[P, E]]]
) -> Iterator[Example[P, E]]:
    """Play every case in these files. `play` returns the position that a case begins with, and the outcome."""
    for stem, file in files.items():
        for case in file.cases:
            position, done = play(case)
            yield Example(f"{stem}/{case.id}", case.title, case.about, case.rules, position, done)
