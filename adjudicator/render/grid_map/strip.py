"""The strip below the map: standings, attendants, and the key, which explains the signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from svgwrite.base import BaseElement

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.grid_map.picture import Picture, letter_of
from adjudicator.render.grid_map.shapes import BATTLE, CLOUDS, CROWN, FRESH, GROUND, HOUSE, LOST, ring
from adjudicator.render.grid_map.words import disc_of
from adjudicator.render.text import REGULAR, width

ENTRY = 74
"""Height of a line of the strip below the map."""
SAID = 40
"""The size of the strip's letters in narrow pictures."""
KEYS = ((44, 21, 1), (58, 25.5, 1.5))
"""Height of a line of the key, size of its letters, and scale of letters and signs, in wide pictures and in narrow ones."""


def paint_strip(picture: Picture) -> int:
    """Paint the strip below the map: standings, attendants and the key; return its height."""
    draw = picture.drawing
    room, height = picture.size[0] - 40, picture.size[1]
    top: int = height
    blocks = blocks_of(picture)
    group = draw.g()
    if blocks:
        need = max(
            (102 if picture.many else 80) + max(width(text, 27), width(short, SAID), width(text, SAID) if first else 0)
            for block in blocks
            for first, (_, text, short) in zip((True, *[False] * len(block)), block, strict=False)
        )
        spots, lines = looks.columns([len(block) for block in blocks], need, room)
        for (left, above), block in zip(spots, blocks, strict=True):
            for line, (who, text, short) in enumerate(block):
                y = top + 8 + ENTRY * (above + line) + ENTRY // 2
                group.add(entry_of(picture, round(28 + left), y, who, text, short, first=not line))
        top += 16 + ENTRY * lines
    # Wide pictures explain more signs, narrow ones have larger signs: both keys have the height of the taller one.
    signs = signs_of(picture)
    both = [[sign for sign in signs if sign.narrow or not narrow] for narrow in (False, True)]
    keys = [
        break_lines(explained, room / size, letters) for explained, (_, letters, size) in zip(both, KEYS, strict=True)
    ]
    tall = max(key[0] * len(rows) for rows, key in zip(keys, KEYS, strict=True))
    for rows, (_, _, size), cls in zip(keys, KEYS, ("ky wd", "ky kq q"), strict=True):
        part = draw.g(class_=cls)
        for index, entries in enumerate(rows):
            at = (28, round(top + tall * (index + 0.5) / len(rows)))
            line = picture.put_at(draw.g(), at, size)
            for x, sign in entries:
                line.add(picture.use_sign(sign.name, sign.path, (x + 18, 0), sign.cls))
                line.add(draw.text(sign.label, (x + 42, 8)))
            part.add(line)
        if rows:
            group.add(part)
    if signs:
        top += tall + 8
    picture.back.attribs["height"] = top
    draw.add(group)
    return top - height


def blocks_of(picture: Picture) -> list[list[tuple[SeatId | None, str, str]]]:
    """A block of lines for each side and its attendants, and one for each attendant without a side. A line is (seat, text, short text)."""
    scene = picture.scene
    blocks: list[list[tuple[SeatId | None, str, str]]] = []
    for seat, text in scene.standings:
        beside = [(other.who, other.text, other.short) for other in scene.attendants if other.at == seat]
        blocks.append([(seat, f"{scene.sides[seat].name} {text}".strip(), text), *beside])
    blocks += [[(other.who, other.text, other.short)] for other in scene.attendants if other.at is None]
    return blocks


def entry_of(
    picture: Picture, x: float, y: float, who: SeatId | None, text: str, short: str, *, first: bool
) -> BaseElement:
    """A line: a disc with a seat's letter, and `text`; in narrow pictures `short`, except in the first line of a block."""
    draw = picture.drawing
    group = draw.g(class_=f"o{picture.slot(who)}" if who in picture.scene.sides else "o")
    disc = draw.g(class_="kk")
    side = picture.scene.sides.get(who or "")
    # Two letters and second rims need more space.
    at, start, radius = (x + 32, x + 74, 16) if picture.many else (x + 20, x + 52, 19)
    looks.disc(draw, disc, (at, y), radius, side, "w" if side is not None else "h")
    if who is not None:
        letter = picture.letter(who)
        cls = "kl" if side is not None else "hl"
        disc.add(draw.text(letter, (at, y + 8), class_=f"{cls}{looks.pair_class(letter)}"))
    group.add(disc)
    if first or text == short:
        group.add(draw.text(text, (start, y + 10), class_="k" if first else "k k2"))
    else:
        group.add(draw.text(text, (start, y + 10), class_="k k2 n2"))
        group.add(draw.text(short, (start, y + 10), class_="k k2 q"))
    return group


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that the key explains: its meaning, its shape's id and path, its class; `narrow` is False if only wide pictures explain it."""

    label: str
    name: str
    path: str
    cls: str
    narrow: bool = True


def signs_of(picture: Picture) -> list[Sign]:
    """Signs of this picture that the key explains."""
    return [sign for sign, there in all_signs(picture) if there]


def all_signs(picture: Picture) -> Iterator[tuple[Sign, bool]]:
    """Every sign that the key can explain, in the key's order, each paired with True if the picture has it."""
    signs, plots, marked = picture.scene.signs, picture.scene.plots, {mark.kind for mark in picture.scene.marks}
    for index, (kind, pip) in enumerate(signs.yields.items()):
        path = f"M{pip.start[0]} {pip.start[1]}{pip.path}"
        there = any(income == kind and amount for plot in plots for income, amount in plot.incomes)
        yield Sign(kind, f"k-{kind}", path, f"gm-p{index + 1}", narrow=False), there
    for kind, unit in signs.units.items():
        there = any(token.kind == kind for token in picture.scene.tokens)
        yield Sign(kind, "gu" + letter_of(kind, signs.units), unit.path, "ho"), there
    yield Sign("home", "g-house", HOUSE, ""), any(plot.lord for plot in plots)
    yield Sign("prize", "g-crown", CROWN, ""), any(plot.prize for plot in plots)
    yield Sign("a player’s own", "k-own", ring(11), "ho"), any(plot.own for plot in plots)
    yield Sign("its side’s", "k-side", ring(10), "kr"), any(plot.owner is not None and not plot.own for plot in plots)
    for kind, path in signs.buildings.items():
        there = any(building.removeprefix("+") == kind for plot in plots for building in plot.buildings)
        yield Sign(kind, "g-" + letter_of(kind, signs.buildings), path, "bd", narrow=False), there
    building = any(building.startswith("+") for plot in plots for building in plot.buildings)
    yield Sign("being built", "k-site", "M-8-8h16v16h-16z", "bn", narrow=False), building
    for kind, path in signs.posts.items():
        yield Sign(kind, f"k-{kind}", path, "gm-po", narrow=False), any(kind in plot.posts for plot in plots)
    yield Sign("battle", "g-battle", BATTLE, "bt kb"), "battle" in marked
    yield Sign("unit raised", "g-new", FRESH, "nw"), "new" in marked
    yield Sign("unit lost", "g-gone", LOST, "nw"), "gone" in marked
    yield Sign("unknown", "k-fog", "M-14 6q1-9 8-6q4-9 11-2q7-1 7 8z", "gm-cl"), any(plot.fog for plot in plots)


def keep_every_sign(picture: Picture) -> None:
    """Keep the shape of every sign, ground and side's disc in the document, even if this picture does not use it.

    This is for the order desk: a seat's map then differs from the public one only in the seat's private knowledge.
    """
    for sign, _ in all_signs(picture):
        picture.use_sign(sign.name, sign.path, (0, 0), always=ALWAYS.get(sign.name, ""))
    for name, path in GROUND.items():
        picture.use_sign(f"g{name}", path, (0, 0), always="gm-gr")
    for name, path in CLOUDS.items():
        picture.use_sign(f"g{name}", path, (0, 0), always="gm-cl")
    for seat in picture.scene.sides:
        for own in (False, True):
            disc_of(picture, seat, own=own)


ALWAYS = {"g-house": "gm-ho", "g-crown": "gm-cr"}
"""Sign -> the class that it has wherever it is used."""


def break_lines(signs: Sequence[Sign], room: float, letters: float) -> list[list[tuple[int, Sign]]]:
    """Break signs into lines of at most `room` width, each sign with its distance from the left."""
    lines: list[list[tuple[int, Sign]]] = []
    x = room
    for sign in signs:
        wide = 42 + width(sign.label, letters * REGULAR)
        if not lines or x + wide > room:
            lines.append([])
            x = 0
        lines[-1].append((round(x), sign))
        x += wide + 20
    return lines
