"""Follow the units of a game through its scenes."""

from __future__ import annotations

from collections.abc import Sequence

from adjudicator.core.contract.scene import Scene
from adjudicator.render.province_map import MOVES
from adjudicator.render.scenes import ProvinceScene


def longest_journey(scenes: Sequence[Scene]) -> tuple[int, str] | None:
    """Most moves of one unit, and that unit's first title; None if the scenes are not maps of provinces, or nothing moved."""
    units: dict[str, tuple[str, int]] = {}
    best = (0, "")
    for scene in scenes:
        if not isinstance(scene, ProvinceScene):
            return None
        there = {token.place: token for token in scene.tokens if not token.state}
        kinds = {place: (token.owner, token.kind) for place, token in there.items()}
        units = {place: units.get(place, (there[place].title, 0)) for place in kinds}
        moved = {}
        for arrow in scene.arrows:
            if arrow.kind in MOVES and arrow.ok and arrow.path[0] in units:
                title, moves = units.pop(arrow.path[0])
                moved[arrow.path[-1]] = (title, moves + 1)
                best = max(best, (moves + 1, title), key=lambda one: one[0])
        units |= moved
    return best if best[0] else None
