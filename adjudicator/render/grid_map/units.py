"""The units of a plot, as large as space allows, and the marks of the units and of the plot."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from svgwrite.base import BaseElement

from adjudicator.render import sides as looks
from adjudicator.render.geometry import Vector, cross
from adjudicator.render.grid_map.parcels import spot_of
from adjudicator.render.grid_map.picture import HALF, Flock, Picture, letter_of, signed
from adjudicator.render.grid_map.shapes import BATTLE, CHANGES
from adjudicator.render.palette import band_of
from adjudicator.render.scenes import Mark, Token

TILE = (34, 37)
"""Width and height of a unit."""
LED, LED_PAIR = 9, 26
"""Additional width for a leader's disc with one letter, and with two."""
RIMMED = 6
"""Additional width and height for a second rim."""
FLOCK = 124
"""Width available to the units of a plot."""


def gather(picture: Picture, place: str, units: Sequence[Token]) -> Flock:
    """Arrange the units of a plot in one, two or three rows, whichever makes them largest."""
    plot = picture.plots.get(place)
    x, y = picture.middle(place)
    low = y + (23 if plot is not None and plot.buildings else 44)
    high = y - 37
    rim = RIMMED * any(band_of(picture.slot(unit.owner)) for unit in units)
    wide = TILE[0] + max((leader_room(picture, unit) for unit in units), default=0) + rim
    tall = TILE[1] + rim
    best = (0.0, 0)
    for rows in (1, 2, 3):
        columns = -(-len(units) // rows)
        fit = min(FLOCK / (columns * wide), (low - high) / (rows * tall), 1.1)
        best = max(best, (math.floor(fit * 10 + 1e-6) / 10, rows))
    size, rows = best
    columns = -(-len(units) // rows)
    middle = (high + low) / 2
    spots = []
    for index in range(len(units)):
        row = index // columns
        across = min(columns, len(units) - row * columns)
        dx = (index % columns - (across - 1) / 2) * wide * size
        dy = (row - (rows - 1) / 2) * tall * size
        spots.append((x + dx, middle + dy))
    half = (min(columns, len(units)) * wide * size / 2, rows * tall * size / 2)
    box = (x - half[0], middle - half[1], x + half[0], middle + half[1])
    # Narrow pictures have only marks below the owner's letter.
    top, bottom = -20, 30 if picture.loose.get(place) else 66
    grow = min(FLOCK / (2 * half[0]), (bottom - top) / (2 * half[1]), 1.8)
    tenths = max(math.floor(grow * 10 + 1e-6), 7)
    return Flock(tuple(zip(units, spots, strict=True)), size, box, tenths, round((top + bottom) / 2 - (middle - y)))


def leader_room(picture: Picture, token: Token) -> int:
    """Additional width of a unit with a leader; 0 without one."""
    if token.leader is None:
        return 0
    return LED if len(picture.letter(token.leader)) == 1 else LED_PAIR


def paint_units(picture: Picture, flocks: Mapping[str, Flock]) -> None:
    """Paint each plot's units, and their marks over them."""
    for place, flock in sorted(flocks.items(), key=lambda item: spot_of(item[0])):
        picture.roomy.add((flock.tenths, flock.shift))
        group = picture.add_name(picture.drawing.g(class_=f"tk z{flock.tenths}{signed(flock.shift)}"), place)
        for token, at in flock.spots:
            group.add(unit_of(picture, token, at, flock.size))
        for mark, token in picture.crossed:
            if token.place == place:
                at = next(at for unit, at in flock.spots if unit is token)
                group.add(change_of(picture, mark, at, flock.size))
        picture.drawing.add(group)


def unit_of(picture: Picture, token: Token, at: Vector, size: float) -> BaseElement:
    """A unit with its owner's letter, and with its leader's disc if it has one."""
    draw = picture.drawing
    room = leader_room(picture, token)
    x = at[0] - room * size / 2
    scale = "" if size == 1 else f"scale({size:g})".replace("0.", ".")
    group = draw.g(class_=f"o{picture.slot(token.owner)}", transform=f"translate({round(x)} {round(at[1])}){scale}")
    picture.add_title(group, token.title)
    units = picture.scene.signs.units
    name = "gu" + letter_of(token.kind, units)
    picture.used.setdefault(name, draw.path(units[token.kind].path, id=name))
    letter = picture.letter(token.owner)
    looks.add_rim(group, picture.slot(token.owner), draw.use(f"#{name}"), draw.use(f"#{name}"))
    group.add(draw.use(f"#{name}", **({"class_": "y"} if token.state else {})))
    text = draw.text(letter, y=[units[token.kind].baseline])
    if len(letter) > 1:
        text.attribs["class"] = "pr"
    group.add(text)
    if token.leader is not None:
        badge = draw.g(transform=f"translate({room + 8 if room == LED else room + 2} 9)")
        if token.leader in picture.scene.sides:
            badge.attribs["class"] = f"o{picture.slot(token.leader)}"
        letter = picture.letter(token.leader)
        looks.disc(draw, badge, (0, 0), 8, picture.scene.sides.get(token.leader), "w kd")
        badge.add(draw.text(letter, y=[4.5], class_=f"ld{looks.pair_class(letter)}"))
        group.add(badge)
    return group


def change_of(picture: Picture, mark: Mark, at: Vector, size: float) -> BaseElement:
    """The mark of a unit that is new or gone."""
    draw = picture.drawing
    group = draw.g(class_=f"o{picture.slot(mark.owner)}")
    picture.add_title(group, mark.title)
    if mark.kind == "gone":
        group.add(draw.path(cross(at, round(13 * size)), class_="x"))
    for cls in ("hf", "nw"):
        sign = picture.use_sign(f"g-{mark.kind}", CHANGES[mark.kind], (0, 0), cls)
        group.add(picture.put_at(sign, (at[0] + 11 * size, at[1] - 12 * size), 0.7))
    return group


def paint_marks(picture: Picture) -> None:
    """Paint the marks of plots, in their lower right corners."""
    draw = picture.drawing
    for place, kinds in sorted(picture.loose.items(), key=lambda item: spot_of(item[0])):
        x, y = picture.middle(place)
        row = draw.g(class_="mk")
        for index, (kind, marks) in enumerate(sorted(kinds.items())):
            at = (x + HALF - 13 - 28 * (len(kinds) - 1 - index), y + 54)
            group = picture.add_title(draw.g(), "; ".join(dict.fromkeys(mark.title for mark in marks)))
            if kind == "battle":
                under, over, path = "hb", "bt", BATTLE
            elif kind in CHANGES:
                under, over, path = "hf", "nw", CHANGES[kind]
                owners = {mark.owner for mark in marks}
                group.attribs["class"] = f"o{picture.slot(marks[0].owner) if len(owners) == 1 else 0}"
            else:
                raise ValueError(f"no such mark: {kind}")
            group.add(picture.use_sign(f"g-{kind}", path, at, under))
            group.add(picture.use_sign(f"g-{kind}", path, at, over))
            row.add(group)
        draw.add(row)
