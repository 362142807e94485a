"""The texts and signs in a plot: owner, name, lord, prize, buildings, yields, posts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from svgwrite.base import BaseElement

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.geometry import number
from adjudicator.render.grid_map.parcels import CELL, RIM, spot_of
from adjudicator.render.grid_map.picture import HALF, Picture, letter_of
from adjudicator.render.grid_map.shapes import CROWN, DOT, HOUSE, HUT
from adjudicator.render.palette import band_of
from adjudicator.render.scenes import Plot
from adjudicator.render.text import width

DISC, DISC_RIMMED = 13, 11
"""Half the height of an owner's disc, and of a disc with a second rim, which is smaller to make space for the rim."""
LETTER = 0.66
"""The width of a letter, as a part of the font size."""
NAME = 17
"""The size of lords' names."""
CODE = 17
"""The size of plots' names, such as `B3`."""
NAMES_SHORT = 3
"""Most letters of a lord's name in narrow pictures."""
NARROW = ((1.5, 38), (1.2, 38), (1, 38), (1, 34), (1, 30), (1, 26), (0.8, 22))
"""Sizes of house and crown in narrow pictures, each with the size of a lord's letters: the first pair that fits is used."""
PIP = 13
MOST_PIPS = 6
"""Most pips of a plot; larger yields appear as numbers."""


def write_plots(picture: Picture) -> None:
    """Write the texts and signs of all plots, row by row."""
    draw = picture.drawing
    lords = short_names(sorted({plot.lord for plot in picture.scene.plots if plot.lord}))
    group, codes, small = draw.g(class_="pe"), draw.g(class_="cd wd"), draw.g(class_="wd")
    narrow = draw.g(class_="q", font_size=NARROW[0][1])
    for part in (codes, small, narrow):
        group.add(part)
    rows: dict[int, list[tuple[str, Plot]]] = {row: [] for row in range(picture.scene.rows)}
    for place, plot in picture.plots.items():
        rows[spot_of(place)[0]].append((place, plot))
    for row, plots in rows.items():
        # A row's height is written only once, on a group.
        y = RIM + CELL * row + CELL // 2
        line = [draw.g(transform=f"translate(0 {y + dy})") for dy in (-52, -52, -52, -46, 35, 57)]
        for place, plot in plots:
            left = add_disc(picture, line[0], place, plot)
            add_head(picture, line[1], line[3], left, place, plot)
            add_narrow_head(picture, line[2], place, plot, lords)
            add_foot(picture, line[4], line[5], place, plot)
        for parent, part in zip((group, small, narrow, codes, small, small), line, strict=True):
            if part.elements:
                parent.add(part)
    draw.add(group)


def add_disc(picture: Picture, group: BaseElement, place: str, plot: Plot) -> int:
    """Add the owner's letter; return the left end of the space beside it in wide pictures."""
    draw = picture.drawing
    left = picture.middle(place)[0] - HALF
    if plot.owner is None:
        return left
    name = disc_of(picture, plot.owner, own=plot.own)
    wide = len(picture.letter(plot.owner)) > 1
    group.add(draw.use(f"#{name}", x=left + (21 if wide else 14), class_=f"o{picture.slot(plot.owner)}"))
    return left + (44 if wide else 30)


def disc_of(picture: Picture, owner: SeatId, *, own: bool) -> str:
    """The id of an owner's disc, which the document defines once. With `own` (a player holds the estate, not only a side) it is filled."""
    draw, letter, band = picture.drawing, picture.letter(owner), band_of(picture.slot(owner))
    cls, letter_cls = ("gm-me", "gm-ol gm-on") if own else ("gm-ow", "gm-ol")
    name = f"g{'o' if own else 's'}{band or ''}-{letter}"
    if name not in picture.used:
        disc = draw.g(id=name, class_="gm-sc")
        looks.disc(draw, disc, (0, 0), DISC_RIMMED if band else DISC, picture.scene.sides.get(owner), cls)
        disc.add(draw.text(letter, y=[7], class_=f"{letter_cls}{looks.pair_class(letter)}"))
        picture.used[name] = disc
    return name


def add_head(picture: Picture, group: BaseElement, codes: BaseElement, left: int, place: str, plot: Plot) -> None:
    """Add the plot's name, the lord's house and the crown of a prize, in wide pictures."""
    draw = picture.drawing
    right = picture.middle(place)[0] + HALF
    if plot.prize:
        group.add(picture.use_sign("g-crown", CROWN, (right - 15, 0), always="gm-cr"))
        right -= 34
    if plot.lord:
        lord = fit_name(plot.lord, NAME, right - 25 - left)
        group.add(picture.use_sign("g-house", HOUSE, (right - 11, 1), always="gm-ho"))
        group.add(draw.text(lord, (right - 25, 7), class_="rn"))
        right -= round(width(lord, NAME)) + 28
    room = round(CODE * LETTER * len(place))
    if left + room + 6 <= right:
        codes.add(draw.text(place, x=[left + 4 + room // 2 if plot.owner is not None else left + room // 2]))


def add_narrow_head(picture: Picture, group: BaseElement, place: str, plot: Plot, lords: dict[str, str]) -> None:
    """Add the lord's house and letters and a prize's crown, in narrow pictures, as large as fits."""
    if not plot.prize and not plot.lord:
        return
    right = picture.middle(place)[0] + HALF
    room = 2 * HALF
    if plot.owner is not None:
        room -= 44 if len(picture.letter(plot.owner)) == 1 else 60
    short = lords.get(plot.lord, "")
    for size, letters in NARROW:
        wide = (31 * size + 5 if plot.prize else 0) + (24 * size + 4 + width(short, letters) if short else 0)
        if wide <= room:
            break
    if plot.prize:
        right -= 5  # Keep clear of the frame.
        group.add(
            picture.put_at(picture.use_sign("g-crown", CROWN, (0, 0), always="gm-cr"), (right - 15 * size, 9), size)
        )
        right -= round(31 * size)
    if short:
        at = (right - 12 * size, 5 + 2 * size)
        group.add(picture.put_at(picture.use_sign("g-house", HOUSE, (0, 0), always="gm-ho"), at, size))
        text = picture.drawing.text(short, (number(right - 24 * size - 4), round(5 + 0.36 * letters)), class_="ri")
        if letters != NARROW[0][1]:
            text.attribs["font-size"] = letters
        group.add(text)


def add_foot(picture: Picture, upper: BaseElement, lower: BaseElement, place: str, plot: Plot) -> None:
    """Add buildings, and below them the plot's yields and posts."""
    draw, signs = picture.drawing, picture.scene.signs
    x = picture.middle(place)[0]
    if plot.buildings:
        step = min(25.0, 2 * HALF / len(plot.buildings))
        for index, building in enumerate(plot.buildings):
            kind = building.removeprefix("+")
            name = "g-" + letter_of(kind, signs.buildings)
            cls = "bn" if building.startswith("+") else "bd"
            at = (x - HALF + 12 + step * index, 0)
            upper.add(picture.use_sign(name, signs.buildings.get(kind, HUT), at, cls))
    left = x - HALF + 6 + add_yields(picture, lower, plot, x - HALF + 6)
    if plot.posts:
        marks = 28 * len(picture.loose.get(place, ()))
        step = max(4, min(13, int((x + HALF - marks - left - 2) / len(plot.posts))))
        name = f"g{step}" + "".join(letter_of(post, signs.posts) for post in plot.posts)
        shapes = draw.g(id=name, class_="gm-po")
        for index, post in enumerate(plot.posts):
            shape = draw.path(signs.posts.get(post, DOT))
            if index:
                shape.attribs["transform"] = f"translate({step * index})"
            shapes.add(shape)
        picture.used.setdefault(name, shapes)
        start = x + HALF - marks - 6 - step * (len(plot.posts) - 1)
        lower.add(draw.use(f"#{name}", x=start))


def add_yields(picture: Picture, group: BaseElement, plot: Plot, x: float) -> float:
    """Add pips for a plot's yields, or one pip and a number each if there are many; return their width."""
    draw = picture.drawing
    amounts = [sum(amount for income, amount in plot.incomes if income == kind) for kind in picture.scene.signs.yields]
    shapes_of = list(picture.scene.signs.yields.values())
    if not any(amounts):
        return 0
    counted = sum(amounts) > MOST_PIPS
    name = "gi" + "-".join(map(str, amounts)).replace("-", "" if max(amounts) < 10 else "-")
    group.add(draw.use(f"#{name}", x=x))
    there = {index: amount for index, amount in enumerate(amounts) if amount}
    wide = [PIP + 5 + 10 * len(str(amount)) if counted else PIP * amount + 2 for amount in there.values()]
    if name not in picture.used:
        picture.used[name] = shapes = draw.g(id=name)
        for (index, amount), at in zip(there.items(), accumulate(wide, initial=0), strict=False):
            (dx, dy), pip = shapes_of[index].start, shapes_of[index].path
            path = f"M{at + dx}{dy}{pip}" + f"m{PIP} 0{pip}" * (0 if counted else amount - 1)
            shapes.add(draw.path(path, class_=f"gm-p{index + 1}"))
            if counted:
                shapes.add(draw.text(str(amount), (at + PIP + 5 * len(str(amount)) - 4, 6), class_="gm-in"))
    return sum(wide)


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Name -> its first letter; two or three letters if names begin alike."""
    shorts = {}
    for name in names:
        for length in range(1, NAMES_SHORT + 1):
            if sum(other[:length] == name[:length] for other in names) == 1:
                break
        shorts[name] = name[:length]
    return shorts


def fit_name(name: str, size: float, room: float) -> str:
    """The name if it fits, otherwise its first letters and a full stop."""
    if width(name, size) <= room:
        return name
    lengths = range(len(name) - 1, 1, -1)
    return next((f"{name[:n]}." for n in lengths if width(f"{name[:n]}.", size) <= room), f"{name[:1]}.")
