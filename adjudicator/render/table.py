"""A table with cards as SVG: seats clockwise from the top, and the middle of the table between them.

Cards are wide fields, three in a row, so that names can be read at phone width. A small card in each field shows whether the
card is upright or turned on its side; the field of a turned card is also grey.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from adjudicator.render.palette import most_slot, slot_of, style
from adjudicator.render.scenes import Chair, Heap, Pile, TableCard, TableScene
from adjudicator.render.svg import element, length, rect, shield, text_at, words
from adjudicator.render.text import REGULAR, width, wrap

WIDTH, MARGIN, GAP = 760, 14, 8
COLUMNS = 3
CELL = (WIDTH - 2 * MARGIN - (COLUMNS - 1) * GAP) / COLUMNS
HIGH, TAB = 98, 26
"""Height of a card's field, and of the visible part of a card tucked under it."""
HEAD = 44
NAME, NOTE, SAID = 20, 18, 19
"""Sizes of names, of notes, and of sentences."""
SMALL = (44, 60)
"""Width and height of the small card that shows a card's position, when upright."""
TOKENS = 10
"""Tokens in a row of a heap."""
MOST_TOKENS = 40
"""Most tokens of a heap that are drawn; the written number is exact."""


@dataclass(slots=True)
class _Sheet:
    """The picture so far, from the top down."""

    scene: TableScene
    y: float = MARGIN
    parts: list[str] = field(default_factory=list)

    def place(self, parts: list[str], kind: str = "") -> None:
        """Move parts drawn at height 0 to the current height. Only this group has a position, so that other turns' pictures share the parts."""
        self.parts.append(element("g", "".join(parts), transform=f"translate(0 {length(self.y)})", class_=kind))


def render_table(scene: TableScene) -> str:
    """The scene as one SVG document, ending in a newline."""
    sheet = _Sheet(scene)
    half = (len(scene.chairs) + 1) // 2
    for chair in scene.chairs[:half]:
        _chair(sheet, chair)
    _middle(sheet)
    for chair in scene.chairs[half:]:
        _chair(sheet, chair)
    height = round(sheet.y + MARGIN - GAP)
    signs = "".join(element("path", d=path, id=_sign_id(name)) for name, path in sorted(_used_signs(scene).items()))
    head = element("title", words(scene.title)) + element("desc", words(scene.description))
    inside = head + element("style", style(most_slot(scene.sides)) + STYLE) + (element("defs", signs) if signs else "")
    felt = element("rect", x="0", y="0", width=str(WIDTH), height=str(height), class_="fe")
    body = inside + felt + "".join(sheet.parts)
    return f'<svg class="cm tb" role="img" viewBox="0 0 {WIDTH} {height}" xmlns="http://www.w3.org/2000/svg">{body}</svg>\n'


def _used_signs(scene: TableScene) -> dict[str, str]:
    cards = (*scene.row, *(card for chair in scene.chairs for card in chair.cards))
    used = {sign for card in cards for sign in card.signs}
    return {name: path for name, path in scene.signs.items() if name in used}


def _sign_id(name: str) -> str:
    return f"tb-{name.lower()}"


# Seats --------------------------------------------------------------------------------------------------------------


def _chair(sheet: _Sheet, chair: Chair) -> None:
    """Add a seat: its name, its possessions, its cards, and its hand if the viewer may see it."""
    side = sheet.scene.sides.get(chair.seat)
    slot = slot_of(side)
    parts = []
    if side is not None:
        parts.append(element("circle", cx=length(MARGIN + 15), cy="17", r="15", class_="w"))
        parts.append(text_at(side.letter, MARGIN + 15, 24, "kd"))
    turn = " ◆" if chair.turn else ""
    parts.append(text_at(chair.title + turn, MARGIN + 40, 26, "st"))
    left = MARGIN + 56 + width(chair.title + turn, 26)
    notes = " · ".join(chair.notes)
    beside = width(notes, SAID * REGULAR) <= WIDTH - MARGIN - left
    parts.append(text_at(notes, WIDTH - MARGIN, 25, "no") if beside else text_at(notes, MARGIN, 25 + 26, "nl"))
    top = _cards(sheet.scene, parts, chair.cards, HEAD if beside else HEAD + 26, slot)
    if chair.hand:
        top = _hand(sheet.scene, parts, chair.hand, top)
    sheet.place(parts, f"o{slot}" if slot else "")
    sheet.y += top + GAP


def _cards(scene: TableScene, parts: list[str], cards: Sequence[TableCard], top: float, slot: int) -> float:
    """Add cards in rows of three; return their lower end."""
    for first in range(0, len(cards), COLUMNS):
        row = cards[first : first + COLUMNS]
        deep = max(len(_tabs(card)) for card in row)
        for column, card in enumerate(row):
            told = {"data-region": card.name} if scene.clickable else {}
            place = f"translate({length(MARGIN + column * (CELL + GAP))} {length(top)})"
            parts.append(element("g", _card(card, slot), transform=place, **told))
        top += HIGH + deep * TAB + GAP
    return top


@lru_cache(maxsize=512)
def _card(card: TableCard, slot: int) -> str:
    """A card's field: its position, its numbers, its name and signs, the cards tucked under it, and its note.

    It is cached because the tables of all seats show the same cards.
    """
    parts = [element("title", words(card.tooltip))]
    tabs = _tabs(card)
    for number, title in reversed([*enumerate(tabs)]):  # each is under the one before
        low = HIGH + number * TAB - 8
        note = number >= len(card.tucked)
        parts.append(rect(10, low, CELL - 20, TAB + 6, "nb" if note else "ta", 6))
        (said,) = wrap(title, NOTE * REGULAR, CELL - 28, 1)
        parts.append(text_at(said, 14, low + TAB - 1, "tn" if note else "tk"))
    owned = f"l{slot}" if slot and not card.turned else "u"
    parts.append(rect(0, 0, CELL, HIGH, f"fi {owned}" + (" ch" if card.chief else "")))
    parts.append(_small(card))
    left, room = 74, CELL - 80
    lines = wrap(card.title, NAME, room, 3)
    step = 23 if len(lines) < 3 else 21
    parts += [text_at(line, left, 24 + step * number, "nm") for number, line in enumerate(lines)]
    if card.chief:
        parts.append(
            element(
                "path",
                d="M-9 6L-11 -5L-5 0L0 -8L5 0L11 -5L9 6Z",
                class_="cr",
                transform=f"translate({length(CELL - 17)} 15)",
            )
        )
    at = left + 10.0
    for sign in card.signs:
        parts.append(element("use", href=f"#{_sign_id(sign)}", x=length(at), y="83", class_="sg"))
        at += 25
    if card.note and len(tabs) == len(card.tucked):
        wide = width(card.note, NOTE) + 12
        parts.append(rect(CELL - wide - 4, HIGH - 27, wide, 23, "nb", 6))
        parts.append(text_at(card.note, CELL - wide / 2 - 4, HIGH - 9, "nt"))
    if card.gone:
        parts.append(
            element(
                "path",
                d=f"M6 6L68 {HIGH - 6}M68 6L6 {HIGH - 6}",
                class_="x",
            )
        )
    return "".join(parts)


def _tabs(card: TableCard) -> tuple[str, ...]:
    """Texts below a card's field: cards tucked under it, and a note that does not fit beside the signs."""
    room = CELL - 74 - 25 * len(card.signs)
    return (*card.tucked, card.note) if card.note and width(card.note, NOTE) + 20 > room else card.tucked


def _small(card: TableCard) -> str:
    """A small card: upright, or on its side, with its numbers in fields of two shapes."""
    (wide, high), x, y = SMALL, 8, 8
    if card.turned:
        across, down = high, wide
        left, top = x - 2, y + (82 - wide) / 2
        spots = ((left + across * 0.27, top + down / 2), (left + across * 0.73, top + down / 2))
    else:
        across, down = wide, high
        left, top = x + 6, y + (82 - high) / 2
        spots = ((left + across / 2, top + down * 0.27), (left + across / 2, top + down * 0.73))
    parts = [rect(left, top, across, down, "sm", 5)]
    for shape, amount, (cx, cy) in zip(("c", "d"), card.numbers, spots, strict=False):
        if shape == "c":
            parts.append(element("circle", cx=length(cx), cy=length(cy), r="13", class_="po"))
        else:
            parts.append(shield(cx, cy, (12, 11, 3, 14), "co"))
        parts.append(text_at(str(amount), cx, cy + 6.5, "nu"))
    return "".join(parts)


def _hand(scene: TableScene, parts: list[str], hand: Mapping[str, str], top: float) -> float:
    """Add the cards of a hand as titles in rows; return their lower end."""
    x, y = float(MARGIN), top
    for name, title in hand.items():
        wide = min(width(title, NOTE) + 24, WIDTH - 2 * MARGIN)
        if x + wide > WIDTH - MARGIN and x > MARGIN:
            x, y = float(MARGIN), y + 42
        card = rect(x, y, wide, 34, "ha", 6) + text_at(title, x + wide / 2, y + 23, "ht")
        parts.append(element("g", card, **{"data-region": name}) if scene.clickable else card)
        x += wide + GAP
    return y + 34 + GAP


# The middle ---------------------------------------------------------------------------------------------------------


def _middle(sheet: _Sheet) -> None:
    """Add the middle of the table: the card there with its heaps, a row of cards, and piles."""
    scene = sheet.scene
    parts: list[str] = []
    y = 14.0
    if scene.middle:
        y = _face(parts, scene.middle, y)
    if scene.heaps:
        y = _heaps(scene, parts, scene.heaps, y)
    if scene.row:
        y = _cards(scene, parts, scene.row, y, 0)
    if scene.lying:
        for line in wrap("In the middle: " + ", ".join(scene.lying), SAID * REGULAR, WIDTH - 4 * MARGIN, 3):
            parts.append(text_at(line, 2 * MARGIN, y + 22, "nl"))
            y += 26
    y = _piles(parts, scene.piles, y + 4)
    sheet.place([rect(MARGIN - 6, 0, WIDTH - 2 * MARGIN + 12, y + 6, "mi", 22), *parts])
    sheet.y += y + 6 + 2 * GAP


def _face(parts: list[str], face: Sequence[str], y: float) -> float:
    """Add the card in the middle: its title, kind and text; return its lower end."""
    title, kind, *said = face
    lines = [line for text in said for line in wrap(text, SAID * REGULAR, WIDTH - 6 * MARGIN, 5)]
    high = 64 + 25 * len(lines) + 12
    parts.append(rect(2 * MARGIN, y, WIDTH - 4 * MARGIN, high, "fa", 10))
    parts.append(text_at(title, WIDTH / 2, y + 30, "ft"))
    parts.append(text_at(kind, WIDTH / 2, y + 54, "fk"))
    for number, line in enumerate(lines):
        parts.append(text_at(line, WIDTH / 2, y + 82 + 25 * number, "fs"))
    return y + high + 10


def _heaps(scene: TableScene, parts: list[str], heaps: Sequence[Heap], y: float) -> float:
    """Add heaps of tokens side by side, each with its name, its number and its tokens; return their lower end."""
    columns = min(len(heaps), COLUMNS)
    wide = (WIDTH - 4 * MARGIN) / columns
    for first in range(0, len(heaps), columns):
        row = heaps[first : first + columns]
        rows = max(-(-min(heap.tokens, MOST_TOKENS) // TOKENS) for heap in row)
        for column, heap in enumerate(row):
            x = 2 * MARGIN + column * wide + wide / 2
            slot = slot_of(scene.sides.get(heap.owner)) if heap.owner is not None else 0
            number = f" {heap.tokens}"
            (title,) = wrap(heap.title, 22, wide - 8 - width(number, 22), 1)
            inside = [text_at(title + number, x, y + 24, "hn")]
            for token in range(min(heap.tokens, MOST_TOKENS)):
                at = (x + (token % TOKENS - (min(heap.tokens, TOKENS) - 1) / 2) * 20, y + 44 + token // TOKENS * 20)
                inside.append(
                    element("circle", cx=length(at[0]), cy=length(at[1]), r="8", class_="w" if slot else "pt")
                )
            parts.append(element("g", "".join(inside), class_=f"o{slot}" if slot else ""))
        y += 36 + 20 * rows + 8
    return y


def _piles(parts: list[str], piles: Iterable[Pile], y: float) -> float:
    """Add piles as small stacks with their numbers, three in a row; return their lower end."""
    shown = list(piles)
    for first in range(0, len(shown), COLUMNS):
        for column, pile in enumerate(shown[first : first + COLUMNS]):
            x = 2 * MARGIN + column * (WIDTH - 4 * MARGIN) / COLUMNS
            kind = "sm" if pile.cards else "em"
            parts += [rect(x + step, y + 8 - step, 26, 34, kind, 4) for step in (8, 4, 0)]
            parts.append(text_at(str(pile.cards), x + 13, y + 31, "nu"))
            parts.append(text_at(pile.title, x + 44, y + 30, "nl"))
        y += 52
    return y


STYLE = (
    ".tb .fe{fill:var(--out)}.tb .mi{fill:var(--sea);stroke:var(--seal);stroke-width:3}"
    ".tb .fi{stroke:var(--o,var(--edge));stroke-width:2}.tb .ch{stroke-width:4}.tb .u{fill:var(--out)}"
    ".tb .ta,.tb .ha{fill:var(--land);stroke:var(--edge);stroke-width:1.5}.tb .sm{fill:var(--halo);stroke:var(--ink);stroke-width:1.6}"
    ".tb .em{fill:none;stroke:var(--edge);stroke-width:1.4;stroke-dasharray:4 3}"
    ".tb .po,.tb .co{fill:var(--halo);stroke:var(--ink);stroke-width:1.6}.tb .co{fill:var(--land)}"
    ".tb .fa{fill:var(--halo);stroke:var(--ink);stroke-width:2}.tb .pt{fill:var(--ink);stroke:var(--halo);stroke-width:2}"
    ".tb .w{stroke:var(--halo);stroke-width:2}.tb .cr{fill:var(--f7);stroke:var(--ink);stroke-width:1.6}"
    ".tb .sg{fill:var(--ink)}.tb .nb{fill:var(--halo);stroke:var(--o,var(--ink));stroke-width:1.6}"
    f".tb .nm,.tb .st,.tb .nl,.tb .tk{{text-anchor:start}}.tb .nm{{font-size:{NAME}px;font-weight:600}}.tb .st{{font-size:26px;font-weight:700}}"
    f".tb .no{{text-anchor:end;font-size:{SAID}px}}.tb .nl{{font-size:{SAID}px}}.tb .tk,.tb .tn{{font-size:{NOTE}px}}.tb .tn{{text-anchor:start;font-weight:600}}"
    f".tb .nt{{font-size:{NOTE}px;font-weight:600}}.tb .ht{{font-size:{NOTE}px;font-weight:600}}.tb .nu{{font-size:18px;font-weight:700}}"
    ".tb .kd{font-size:18px;font-weight:700;fill:var(--on)}.tb .ft{font-size:27px;font-weight:700}"
    f".tb .fk{{font-size:{NOTE}px;font-style:italic}}.tb .fs{{font-size:{SAID}px}}.tb .hn{{font-size:22px;font-weight:700}}"
)
"""Style rules of tables."""
