"""Standings as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from adjudicator.core.contract.pages import Cell, Table
from adjudicator.site.markup import join, table, tag


def tables(current: Iterable[Table], before: Iterable[Table] = ()) -> Markup:
    """The `current` standings; every number that differs from those in `before` shows the difference. All but the first are folded."""
    old = {entry.title: {row[0]: row for row in entry.rows} for entry in before}
    shown: list[Markup] = []
    for entry in current:
        rows = [
            [_with_change(cell, old.get(entry.title, {}).get(row[0]), at) for at, cell in enumerate(row)]
            for row in entry.rows
        ]
        made = table(entry.head, rows, entry.title)
        shown.append(tag("details", tag("summary", entry.title), made) if shown else made)
    return join(shown)


def _with_change(cell: Cell, row: Sequence[Cell] | None, at: int) -> str:
    """A cell of a table: `5 (+1)` if the row had 4 before."""
    was = row[at] if row is not None and at < len(row) else None
    if isinstance(cell, int) and isinstance(was, int) and cell != was:
        return f"{cell} ({cell - was:+d})".replace("-", "−")
    return str(cell)
