"""A game's turns, as its chapters need them: names that link to the turns, their facts in order, and tables with a row for each fact.

log = History(turns, final, when, ("Year", year_of))
log.table("Crowns", ("Turn", "Who", "Where"), {Crowned: lambda fact: (fact.seat, fact.at)})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, overload

from adjudicator.core.contract.pages import At, Cell, Chart, Table, Timeline
from adjudicator.core.contract.resolution import Resolution, SeatId

P = TypeVar("P")
E = TypeVar("E")
F = TypeVar("F")
Cells = tuple[Cell, ...]


class History(Generic[P, E]):
    """The turns of a game, as far as its reader may know them."""

    def __init__(
        self,
        turns: Sequence[Resolution[P, E]],
        final: P | None,
        name: Callable[[P], str],
        axis: tuple[str, Callable[[P], int]] = ("", lambda position: 0),
    ) -> None:
        """Take `turns` and `final` as `Tables.chapters` gets them. Without any turn, `final` must be given.

        `name` returns the name of the turn that begins with a position. `axis` is for charts and timelines: the name of a unit of time, such
        as `Year`, and a function that returns the number of the year for a position.
        """
        self.turns = turns
        self.final = final
        """The last position; None while the game runs."""
        self.positions = [turn.position for turn in turns] + ([final] if final is not None else [])
        self.last = self.positions[-1]
        """The last position that the reader may know."""
        self._name = name
        self._axis, self._unit = axis

    def name(self, turn: int) -> str:
        """Name of a turn."""
        return self._name(self.turns[turn].position)

    def when(self, turn: int, anchor: str = "") -> At:
        """Name of a turn, as a link to its page."""
        return At(self.name(turn), turn, anchor)

    def after(self, turn: int) -> P:
        """The position after a turn; the turn's own position, if the reader may know none after it."""
        return self.positions[min(turn + 1, len(self.positions) - 1)]

    @overload
    def facts(self) -> Iterator[tuple[int, E]]: ...
    @overload
    def facts(self, *kinds: type[F]) -> Iterator[tuple[int, F]]: ...
    def facts(self, *kinds: type[Any]) -> Iterator[tuple[int, Any]]:
        """The facts of these kinds in order, each with the index of its turn; without kinds, all of them."""
        for at, turn in enumerate(self.turns):
            for fact in turn.events:
                if not kinds or isinstance(fact, kinds):
                    yield at, fact

    def rows(self, columns: Mapping[type[Any], Callable[[Any], Cells]]) -> tuple[Cells, ...]:
        """A row for each fact of these kinds: its turn, then the cells that the function of its kind gives."""
        return tuple((self.when(at), *columns[type(fact)](fact)) for at, fact in self.facts() if type(fact) in columns)

    def table(
        self,
        title: str,
        head: tuple[str, ...],
        columns: Mapping[type[Any], Callable[[Any], Cells]],
        *,
        folded: bool = False,
    ) -> tuple[Table, ...]:
        """A table of `rows`; empty if there is no such fact."""
        rows = self.rows(columns)
        return (Table(title, head, rows, folded),) if rows else ()

    def chart(
        self, title: str, unit: str, turns: Sequence[int], lines: Mapping[SeatId, tuple[int | None, ...]]
    ) -> Chart:
        """A chart over these turns; each line has a value for each of them."""
        return Chart(title, unit, self._labels(turns), lines, self._axis, self._ticks(turns), tuple(turns))

    def timeline(
        self, title: str, none: str, turns: Sequence[int], rows: Mapping[str, tuple[str | None, ...]]
    ) -> Timeline:
        """A timeline over these turns; each row has a side in each of them. `none` is the label for rows on nobody's side."""
        return Timeline(title, self._labels(turns), rows, none, self._axis, self._ticks(turns), tuple(turns))

    def _labels(self, turns: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.name(at) for at in turns)

    def _ticks(self, turns: Iterable[int]) -> tuple[str, ...]:
        return tuple(str(self._unit(self.turns[at].position)) for at in turns) if self._axis else ()
