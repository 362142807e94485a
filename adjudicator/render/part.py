"""A part of a board: the shapes visible through a frame, with everything in its position on the whole board."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudicator.render.outlines import Box, Outlines, Point, rings
from adjudicator.render.room import CODE, LETTER, NAME_SIZE, Perch, Room
from adjudicator.render.scenes import Frame

FAR = 500
"""A part of a board that is wider than this is drawn as on a phone, with codes instead of names, which would be too small."""
OUTSIDE = 12
"""Distance beyond the frame where shapes are cut, so that the cut edges are not visible."""
RING = 14
"""Half the width of the space for a centre's ring."""


def is_far(frame: Frame) -> bool:
    """True if the frame is so large that it needs the larger letters, pieces and lines of narrow pictures."""
    return frame[2] > FAR


def is_inside(box: Box, frame: Frame) -> bool:
    """True if all of a box is in a frame."""
    left, top, width, height = frame
    return left <= box[0] and top <= box[1] and box[2] <= left + width and box[3] <= top + height


def name_box(room: Room, code: str, *, far: bool) -> Box:
    """The box of a region's label in the widest letters that a reader may have.

    The label is the code if `far` or if the name does not fit, otherwise the name.
    """
    if far or code not in room.fits:
        x, y = room.outlines.provinces[code].label
        return (x + CODE[0], y + CODE[1], x + CODE[2], y + CODE[3] + 4)
    left, top, lines = room.fits[code]
    half = max(map(len, lines)) * NAME_SIZE * LETTER / 2 + 8
    return (left - half, top - 16, left + half, top + 5 + (len(lines) - 1) * NAME_SIZE * 1.1)


@dataclass(frozen=True, eq=False)
class Part(Room):
    """The `Room` in a frame. All positions are those on the whole board."""

    whole: Room
    written: tuple[str, ...]
    """Regions whose name or code is in the frame."""

    @property
    def named(self) -> Iterable[str]:
        """Regions that show a name or a code."""
        return self.written

    @property
    def settled(self) -> bool:
        """True: each region shows its name or its code, the same at every width."""
        return True

    def large(self, *, pairs: bool) -> Mapping[str, Point]:
        """Region -> position of its mark if that is larger than a ring."""
        return {code: spot for code, spot in self.whole.large(pairs=pairs).items() if code in self.centres}

    def crowns(self, *, pairs: bool) -> Mapping[str, tuple[Perch, ...]]:
        """Region -> possible spots for its crowns."""
        return self.whole.crowns(pairs=pairs)

    def beside(self, place: str) -> Point:
        """Position of a unit dislodged from `place`."""
        return self.whole.beside(place)


@functools.lru_cache(maxsize=512)
def part_of(room: Room, frame: Frame) -> Part:
    """The part of a board that a frame shows."""
    left, top, width, height = frame
    far = is_far(frame)
    seen = (left - OUTSIDE, top - OUTSIDE, left + width + OUTSIDE, top + height + OUTSIDE)
    outlines = room.outlines
    provinces = {
        code: replace(shape, path=path)
        for code, shape in outlines.provinces.items()
        if (path := _cut(shape.path, seen))
    }
    shown = Outlines(
        size=outlines.size,
        provinces=provinces,
        neutral=tuple(replace(one, path=path) for one in outlines.neutral if (path := _cut(one.path, seen))),
        crossings=tuple(
            one
            for one in outlines.crossings
            if min(one[2], one[4]) < seen[2] and max(one[2], one[4]) > seen[0]
            and min(one[3], one[5]) < seen[3] and max(one[3], one[5]) > seen[1]
        ),
        # A sign between two regions is drawn if both are visible; the frame cuts it like them.
        signs=tuple(one for one in outlines.signs if one.between is None or all(code in provinces for code in one.between)),
    )  # fmt: skip
    return Part(
        outlines=shown,
        fits={code: room.fits[code] for code in room.fits if code in provinces} if not far else {},
        centres={
            code: spot
            for code, spot in room.centres.items()
            if code in provinces
            and is_inside((spot[0] - RING, spot[1] - RING, spot[0] + RING, spot[1] + RING), frame)
        },
        whole=room,
        written=tuple(code for code in provinces if is_inside(name_box(room, code, far=far), frame)),
    )  # fmt: skip


@functools.lru_cache(maxsize=4096)
def _rings(path: str) -> tuple[tuple[Point, ...], ...]:
    return tuple(map(tuple, rings(path)))


@functools.lru_cache(maxsize=4096)
def bounds(path: str) -> tuple[int, int, int, int]:
    """The box around a shape."""
    across, down = zip(*(corner for ring in _rings(path) for corner in ring), strict=True)
    return min(across), min(down), max(across), max(down)


def _cut(path: str, box: tuple[int, int, int, int]) -> str:
    """The part of a shape in a box, as a path of the same kind; empty if the shape is outside."""
    left, top, right, bottom = bounds(path)
    if left >= box[0] and top >= box[1] and right <= box[2] and bottom <= box[3]:
        return path
    if left >= box[2] or top >= box[3] or right <= box[0] or bottom <= box[1]:
        return ""
    cut = [ring for whole in _rings(path) if len(ring := _cut_ring(whole, box)) > 2]
    return "".join(map(_written, cut))


def _cut_ring(ring: Sequence[Point], box: tuple[int, int, int, int]) -> Sequence[Point]:
    """The part of a ring in a box: cut by the sides of the box one by one."""
    for axis, bound, way in ((0, box[0], 1), (1, box[1], 1), (0, box[2], -1), (1, box[3], -1)):
        ring = [*_beyond(ring, axis, bound, way)]
    return ring


def _beyond(ring: Sequence[Point], axis: int, bound: int, way: int) -> Iterator[Point]:
    """Corners of a ring on one side of a line, with the new ones where the line cuts it."""
    for here, after in zip(ring, [*ring[1:], *ring[:1]], strict=True):
        inside, goes_on = ((point[axis] - bound) * way >= 0 for point in (here, after))
        if inside:
            yield here
        if inside != goes_on:
            part = (bound - here[axis]) / (after[axis] - here[axis])
            across = round(here[1 - axis] + part * (after[1 - axis] - here[1 - axis]))
            yield (bound, across) if axis == 0 else (across, bound)


def _written(ring: Sequence[Point]) -> str:
    """A ring as a path, each corner relative to the one before."""
    steps = (f"{x - u} {y - v}" for (u, v), (x, y) in itertools.pairwise(ring))
    return f"M{ring[0][0]} {ring[0][1]}l{' '.join(steps)}z".replace(" -", "-")
