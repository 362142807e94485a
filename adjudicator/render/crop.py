"""Crop scenes to some of their places, such as those of a few orders, and their surroundings.

Pictures of one board before and after a turn show the same part of it.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from adjudicator.core.contract.scene import Scene
from adjudicator.render.hex_map import SIDE, middle_of
from adjudicator.render.outlines import Box, rings
from adjudicator.render.part import OUTSIDE, bounds, is_inside, name_box, part_of
from adjudicator.render.room import CENTRE, MARK, ROUND, Room, room_of
from adjudicator.render.scenes import Frame, HexScene, ProvinceScene, Token

MARGIN = 10
"""Margin around the visible things."""
LEAST = (330, 230)
"""The least width and height of a part of a board: a smaller part would be magnified more than on any other page."""
LARGE = 620
"""The greatest width and height that a part may grow to in order to include neighbours."""
AROUND = (120, 100)
"""How far around a region's unit its land is included, across and down; large seas and plains may be cut off there."""
NEIGHBOUR = 110
"""The contents of neighbouring regions are included up to this distance."""
UNIT: Box = (-38, -30, 38, 30)
"""A unit with its bar, on any picture."""
LED: Box = (-66, -30, 66, 30)
"""A unit with its bar and the disc of a leader on either side."""
NEXT: Box = (-100, -90, 100, 90)
"""A hex and its neighbours, around the middle of the hex."""

AnyScene = ProvinceScene | HexScene


def can_crop(scene: Scene | object) -> TypeGuard[AnyScene]:
    """True if the scene is of a kind that can be cropped."""
    return isinstance(scene, ProvinceScene | HexScene)


def ordered(scene: AnyScene) -> set[str]:
    """Places where the orders of a scene are drawn."""
    places = {place for arrow in scene.arrows for place in arrow.path} | {mark.place for mark in scene.marks}
    return {_region(place) for place in places}


def changed(before: AnyScene, after: AnyScene) -> set[str]:
    """Places whose pieces, buildings or owners differ between two scenes."""
    one, other = _stands(before), _stands(after)
    return {place for place in {*one, *other} if one.get(place) != other.get(place)}


def _stands(scene: AnyScene) -> dict[str, list[tuple[Any, ...]]]:
    """Place -> its drawn contents, without orders or words."""
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for token in sorted(scene.tokens, key=lambda one: (one.place, one.state, one.owner or "", one.title)):
        found[_region(token.place)].append(
            (token.place, token.owner, token.kind, token.state, token.leader, _number(token))
        )
    if isinstance(scene, HexScene):
        for one in scene.hexes:
            found[one.place].append((one.owner, one.work, one.ruin, one.road, one.portal))
    else:
        for area in scene.areas:
            found[area.region].append((area.owner, area.rulers, area.capital, area.unled))
        for crown in scene.crowns:
            found[_region(crown.place)].append((crown.owner, crown.married))
    return found  # fmt: skip


def _number(token: Token) -> str:
    """The part of a tooltip that is also written on the piece, for pieces of maps of hexes; empty for other pieces."""
    return (
        token.title.partition(":")[0] if token.kind in ("army", "general", "party") and token.title.count(":") else ""
    )


def with_pieces(scene: AnyScene) -> set[str]:
    """Places with pieces."""
    return {_region(token.place) for token in scene.tokens}


def cropped(scenes: Sequence[AnyScene], places: Collection[str], more: Collection[str] = ()) -> tuple[AnyScene, ...]:
    """Crop each scene to some places and their surroundings. All scenes are of one board, and show the same part of it.

    Things outside the part are dropped, and so are standings. The description lists the pieces in the part. `more` are
    places to include if the part does not become too large.
    """
    first = scenes[0]
    if isinstance(first, HexScene):
        frame = _hex_frame(first, {*places, *more})
        if max(frame[2:]) > LARGE:
            frame = _hex_frame(first, places)
        return tuple(_part_of_hexes(scene, frame) for scene in scenes if isinstance(scene, HexScene))
    boards = [scene for scene in scenes if isinstance(scene, ProvinceScene)]
    room = room_of(first.outlines, tuple(first.names.items()))
    frame = _frame(room, boards, {*places, *more})
    if max(frame[2:]) > LARGE:
        frame = _frame(room, boards, places)
    return tuple(_part_of_board(room, scene, frame) for scene in boards)


def _region(place: str) -> str:
    """A place without its coast."""
    return place.partition("/")[0]


def _told(tokens: Iterable[Token]) -> str:
    """The pieces in a part, in words."""
    return "; ".join(token.title for token in tokens) + "." if tokens else "No unit."


# Boards of provinces -------------------------------------------------------------------------------------------------


def _frame(room: Room, scenes: Sequence[ProvinceScene], places: Collection[str]) -> Frame:
    """The visible part of a board: these regions with all their contents, and whatever contents of their neighbours fit."""
    regions = sorted({*places} & {*room.outlines.provinces})
    within = _around(box for code in regions for box in _boxes(room, scenes, code, land=True))
    reach = (within[0] - NEIGHBOUR, within[1] - NEIGHBOUR, within[2] + NEIGHBOUR, within[3] + NEIGHBOUR)
    wanted = within
    for code in sorted({near for region in regions for near in neighbours(room)[region]} - {*regions}):
        # A neighbour's land may be cut off, but the box of its name and contents is included whole or not at all.
        box = _around(_boxes(room, scenes, code, land=False))
        more = _around((wanted, box))
        if _contains(reach, box) and max(more[2] - more[0], more[3] - more[1]) <= LARGE:
            wanted = more
    return _framed(wanted, room.outlines.size)


def _framed(box: Box, size: tuple[int, int]) -> Frame:
    """A box with its margin, enlarged to the least size and moved inside the board."""
    spans = []
    for axis in (0, 1):
        start, end = box[axis] - MARGIN, box[axis + 2] + MARGIN
        lacks = max(0, LEAST[axis] - (end - start)) / 2
        start, end = start - lacks, end + lacks
        # Space that would be beyond the board's edge is added on the other side.
        shift = max(0, -start) - max(0, end - size[axis])
        start, end = max(0, round(start + shift)), min(size[axis], round(end + shift))
        spans.append((start, end - start))
    (left, width), (top, height) = spans
    return left, top, width, height


def _boxes(room: Room, scenes: Sequence[ProvinceScene], code: str, *, land: bool) -> Iterator[Box]:
    """Boxes of a region's name and of its contents in any of the scenes; with `land`, of the land around its unit as well."""
    shape = room.outlines.provinces[code]
    yield name_box(room, code, far=True)
    yield name_box(room, code, far=False)
    if land:
        (x, y), (wide, high) = shape.unit, AROUND
        left, top, right, bottom = bounds(shape.path)
        yield (max(left, x - wide), max(top, y - high), min(right, x + wide), min(bottom, y + high))
        yield _shifted(UNIT, shape.unit)
    if code in room.centres:
        x, y = room.centres[code]
        yield (x - CENTRE - 6, y - CENTRE - 6, x + CENTRE + 6, y + CENTRE + 6)
    for scene in scenes:
        for token in scene.tokens:
            if _region(token.place) == code:
                yield _token_box(room, token)
        if any(crown.place == code for crown in scene.crowns):
            yield from _crown_boxes(room, code)
        if any(area.region == code and area.centre and (area.rulers or area.capital) for area in scene.areas):
            yield _large_box(room, code)


def _token_box(room: Room, token: Token) -> Box:
    """The box of a piece, with its ring if it is dislodged."""
    if token.state == "dislodged":
        reach = ROUND + 6
        return _shifted((-reach, -reach, reach, reach), room.beside(token.place))
    return _shifted(LED if token.leader is not None else UNIT, room.outlines.anchor(token.place))


def _crown_boxes(room: Room, code: str) -> Iterator[Box]:
    """Boxes of all spots for a region's crowns."""
    for perch in room.crowns(pairs=False).get(code, ()):
        yield _shifted((-18, -16, 18, 16), perch.at)


def _large_box(room: Room, code: str) -> Box:
    """The box of a region's mark, if that is larger than a ring."""
    wide, high = MARK[False]
    return _shifted((-wide, -high, wide, high), room.large(pairs=False).get(code, room.outlines.provinces[code].unit))


def _part_of_board(room: Room, scene: ProvinceScene, frame: Frame) -> ProvinceScene:
    """A scene without the things outside a frame."""
    part = part_of(room, frame)
    seen = part.outlines.provinces

    def inside(place: str) -> bool:
        return clear(_shifted((-20, -20, 20, 20), room.outlines.anchor(place)))

    def clear(box: Box) -> bool:
        """True if the frame contains the box, apart from anything beyond the board's edge."""
        wide, high = room.outlines.size
        return is_inside((max(0, box[0]), max(0, box[1]), min(wide, box[2]), min(high, box[3])), frame)

    tokens = tuple(token for token in scene.tokens if clear(_token_box(room, token)))
    areas = tuple(
        replace(area, centre=area.centre and clear(_large_box(room, area.region)))
        if area.rulers or area.capital
        else area
        for area in scene.areas
        if area.region in seen
    )
    return replace(
        scene,
        frame=frame,
        description=_told(tokens),
        areas=areas,
        tokens=tokens,
        arrows=tuple(arrow for arrow in scene.arrows if all(map(inside, arrow.path))),
        marks=tuple(mark for mark in scene.marks if inside(mark.place)),
        crowns=tuple(crown for crown in scene.crowns if all(map(clear, _crown_boxes(room, crown.place)))),
        standings=(),
        attendants=(),
    )


@functools.lru_cache(maxsize=64)
def neighbours(room: Room) -> dict[str, frozenset[str]]:
    """Region -> regions that share a side with it, or that a line or a sign joins to it."""
    outlines = room.outlines
    at: dict[frozenset[tuple[int, int]], set[str]] = defaultdict(set)
    for code, shape in outlines.provinces.items():
        for ring in rings(shape.path):
            for here, after in zip(ring, [*ring[1:], ring[0]], strict=True):
                at[frozenset((here, after))].add(code)
    near: dict[str, set[str]] = {code: set() for code in outlines.provinces}
    pairs = [tuple(codes) for codes in at.values() if len(codes) == 2]
    pairs += [(one, other) for one, other, *_ in outlines.crossings]
    pairs += [sign.between for sign in outlines.signs if sign.between is not None]
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)
    return {code: frozenset(codes) for code, codes in near.items()}


def _around(boxes: Iterable[Box]) -> Box:
    """The box around some boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _contains(box: Box, other: Box) -> bool:
    return box[0] <= other[0] and box[1] <= other[1] and other[2] <= box[2] and other[3] <= box[3]


def _shifted(box: Box, by: tuple[float, float]) -> Box:
    return (box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1])


# Maps of hexes -------------------------------------------------------------------------------------------------------


def _hex_frame(scene: HexScene, places: Iterable[str]) -> Frame:
    """The visible part of a map: these hexes and their neighbours."""
    known = {one.place for one in scene.hexes}
    middles = [middle_of(place) for place in places if place in known]
    box = _around(_shifted(NEXT, middle) for middle in middles)
    size = _around((x - SIDE, y - SIDE, x + SIDE, y + SIDE) for x, y in map(middle_of, known))
    left, top, width, height = _framed(
        (box[0] - size[0], box[1] - size[1], box[2] - size[0], box[3] - size[1]),
        (round(size[2] - size[0]), round(size[3] - size[1])),
    )
    return left + round(size[0]), top + round(size[1]), width, height


def _part_of_hexes(scene: HexScene, frame: Frame) -> HexScene:
    """A scene without the things outside a frame; hexes that the frame cuts, and those next to them, are kept."""
    left, top, width, height = frame
    # Keep one row more than is visible, so that no boundary is drawn where a realm continues beyond the frame.
    wide = (
        left - 2 * SIDE - OUTSIDE,
        top - 2 * SIDE - OUTSIDE,
        width + 4 * SIDE + 2 * OUTSIDE,
        height + 4 * SIDE + 2 * OUTSIDE,
    )

    def seen(place: str, within: Frame, reach: float) -> bool:
        return is_inside(_shifted((-reach, -reach, reach, reach), middle_of(place)), within)

    hexes = tuple(one for one in scene.hexes if seen(one.place, wide, 0))
    kept = {one.place for one in hexes}
    tokens = tuple(token for token in scene.tokens if seen(token.place, frame, SIDE - 8))
    return replace(
        scene,
        frame=frame,
        description=_told(tokens),
        hexes=hexes,
        rivers=tuple(pair for pair in scene.rivers if kept.issuperset(pair)),
        tokens=tokens,
        arrows=tuple(arrow for arrow in scene.arrows if kept.issuperset(arrow.path)),
        marks=tuple(mark for mark in scene.marks if seen(mark.place, frame, SIDE - 8)),
        standings=(),
    )  # fmt: skip
