"""Follow the units of a game through its scenes."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.core.contract.scene import Scene
from adjudicator.render.province_map import MOVES
from adjudicator.render.scenes import ProvinceScene


def longest_journey(scenes: Sequence[Scene]) -> tuple[int, str] | None:
    """The largest number of moves made by one unit, and that unit's first title; None if the scenes are not maps of provinces, or if nothing moved."""
    units: Units = {}
    away: Units = {}
    best = (0, "")
    for scene in scenes:
        if not isinstance(scene, ProvinceScene):
            return None
        # A region has one unit, and beside it perhaps one that the unit has driven out.
        units = {
            _region(token.place): units.get(_region(token.place), (token.title, 0))
            for token in scene.tokens
            if not token.state
        }
        away = {
            _region(token.place): away.get(_region(token.place), (token.title, 0))
            for token in scene.tokens
            if token.state == "dislodged"
        }
        moved: Units = {}
        for arrow in scene.arrows:
            start, goal = _region(arrow.path[0]), _region(arrow.path[-1])
            left = away if arrow.kind == "retreat" else units
            if arrow.kind in MOVES and arrow.ok and start in left:
                title, moves = left.pop(start)
                moved[goal] = (title, moves + 1)
                best = max(best, moved[goal][::-1], key=lambda one: one[0])
        away |= {region: units[region] for region in moved if region in units}
        units |= moved
    return best if best[0] else None


Units = dict[str, tuple[str, int]]
"""Region -> a unit's first title, and its number of moves."""


def _region(place: str) -> str:
    """The region of a place, which may be one of its coasts."""
    return place.partition("/")[0]
