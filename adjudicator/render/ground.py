"""The shapes of a board, wherever they come from."""

from __future__ import annotations

import functools
from typing import assert_never

from adjudicator.render.outlines import Outlines, load_outlines
from adjudicator.render.own_outlines import load_own
from adjudicator.render.scenes import Drawn, Ground, Tiles


def outlines_of(ground: Ground) -> Outlines:
    """The shapes of a board: from the file at a path, from a host's file, or laid out from its borders."""
    match ground:
        case str():
            return load_outlines(ground)
        case Drawn():
            return _load_drawn(ground)
        case Tiles():
            return _lay_out(ground)
        case _:
            assert_never(ground)


def _load_drawn(drawn: Drawn) -> Outlines:
    """A host's shapes, which were checked before the game was opened."""
    return load_own(drawn)


@functools.lru_cache(maxsize=16)
def _lay_out(tiles: Tiles) -> Outlines:
    """The layout of tiles, computed once. The import is local: networkx is slow to import, and few pictures need it."""
    from adjudicator.render.layout import lay_out

    return lay_out(tiles)
