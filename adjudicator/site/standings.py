"""Standings as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from adjudicator.core.contract.pages import Cell, Table
from adjudicator.site.markup import join, table


def tables(found: Iterable[Table], before: Iterable[Table] = ()) -> Markup:
    """Standings; with those `before`, every number that changed says by how much."""
    old = {one.title: {row[0]: row for row in one.rows} for one in before}
    shown = []
    for one in found:
        rows = [
            [_changed(cell, old.get(one.title, {}).get(row[0]), at) for at, cell in enumerate(row)] for row in one.rows
        ]
        shown.append(table(one.head, rows, one.title))
    return join(shown)


def _changed(cell: Cell, row: Sequence[Cell] | None, at: int) -> str:
    """A cell of a standing: `5 (+1)` where the row it came from had 4."""
    was = row[at] if row is not None and at < len(row) else None
    if isinstance(cell, int) and isinstance(was, int) and cell != was:
        return f"{cell} ({cell - was:+d})".replace("-", "−")
    return str(cell)
