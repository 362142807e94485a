"""Marriages and children as SVG: cards joined by lines, with the sides' letters as well as their colours.

Cards are laid out once, for the size of letters on a phone: lines break and heights are set for that size, so that the
larger letters never run into anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import svgwrite
from svgwrite.base import BaseElement
from svgwrite.container import Group

from adjudicator.core.contract.pages import Family, Kin, Kinship, Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.palette import most_slot, slot_of, style
from adjudicator.render.svg import document_text, empty_document
from adjudicator.render.text import REGULAR, wrap
from adjudicator.render.text import width as text_width

WIDTH, RIM, TOP, FOOT = 760, 14, 10, 8
MIDDLE = WIDTH // 2
CARD, SMALL = 330, 236
"""Width of a card in a family, and of a card of someone who never married."""
SMALL_GAP = (WIDTH - 2 * RIM - 3 * SMALL) // 2
PAD = 12
"""Distance from a card's edge to its contents."""
DISC = 15
"""The radius of the disc with a side's letter."""
NAME, NOTE = 21, 19
"""Sizes of letters on a phone."""
NAME_LINE, NOTE_LINE = 27, 24
RIMMED = 12
"""The radius of a side's disc if discs have second rims."""
RING = 11
RINGS = PAD + DISC
"""Distance of the wedding rings below the parents' upper edge: level with their discs, whatever is under their names."""
WHEN, HANG = 36, 14
"""Height below parents for the date of their marriage, and half the height of the lines from there to their children."""
APART = 44
"""Distance from one family to the next."""
ENTRY = 36
"""Height of a line of the key."""
NOBODY, UNMARRIED = "Nobody yet", "Never married"
LINKS = ("ca", "cb")
"""The classes that make a line a chain: dashes with round ends, and thinner dashes that make them hollow."""
CROSS = 18
"""The width of the cross before the name of a dead person."""


@dataclass(frozen=True, slots=True)
class _Card:
    """A person's card before it is placed: the lines of its texts, and its resulting height."""

    kin: Kin
    width: int
    name: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def head(self) -> int:
        """Height of the name with the discs beside it."""
        return max(2 * DISC, NAME_LINE * len(self.name) + 3)

    @property
    def height(self) -> int:
        """Height of the card."""
        return 2 * PAD + self.head + NOTE_LINE * len(self.notes)


def kinship(tree: Kinship, sides: Mapping[SeatId, Side]) -> str:
    """The family tree as one SVG document; its description lists every family in words."""
    drawing = empty_document("cm ch kn")
    shown = {seat: sides[seat] for seat in _seats(tree) if seat in sides}
    painter = _Painter(drawing, sides, many=looks.is_crowded(shown.values()))
    more = looks.signs(drawing, shown, str(tree), looks.FINE) + (MANY if painter.many else "")
    drawing.defs.add(drawing.style(style(most_slot(sides)) + STYLE + more))
    alone = [family.parents[0] for family in tree.families if len(family.parents) == 1 and not family.children]
    families = [family for family in tree.families if len(family.parents) > 1 or family.children]
    y = TOP
    words = []
    for family in families:
        y = painter.family(family, y) + APART
        words.append(painter.sentence(family))
    if alone:
        y = painter.alone(alone, y) + APART
        words.append(f"{UNMARRIED}: {', '.join(map(painter.words, alone))}.")
    if not tree.families:
        painter.text(NOBODY, RIM, y + 18, "he")
        y += 26
    height = painter.key(tree, y) + FOOT
    drawing.attribs["viewBox"] = f"0 0 {WIDTH} {height}"
    drawing.set_desc(title=tree.title, desc=f"{tree.title}. {' '.join(words) or f'{NOBODY}.'}")
    return document_text(drawing)


class _Painter:
    """Draws one picture."""

    def __init__(self, drawing: svgwrite.Drawing, sides: Mapping[SeatId, Side], *, many: bool = False) -> None:
        self.drawing = drawing
        self.sides = sides
        self.many = many
        self.radius = RIMMED if many else DISC
        pairs = any(len(side.letter) > 1 for side in sides.values())
        self.half = round(RIMMED * (looks.PILL if pairs else 1)) + looks.RIM if many else DISC
        """Half the width of a disc with its rims."""

    # Words

    def side_name(self, seat: SeatId | None) -> str:
        """A side's name; the seat itself if it is not among the sides."""
        if seat is None:
            return "unknown side"
        return self.sides[seat].name if seat in self.sides else seat

    def fate(self, kin: Kin) -> tuple[str, ...]:
        """Facts about a person, except their name and death."""
        hostage = f"hostage of {self.side_name(kin.held)}" if kin.held is not None else ""
        # The note may contain it already; a hostage of Anna is not a hostage of Ann.
        said = re.search(rf"{re.escape(hostage)}(?!\w)", kin.note)
        return tuple(text for text in ("" if said else hostage, kin.note) if text)

    def words(self, kin: Kin) -> str:
        """A person with all known facts, in words."""
        other = f" and {self.side_name(kin.other)}" if kin.other is not None else ""
        more = "; ".join((*(("dead",) if kin.dead else ()), *self.fate(kin)))
        whose = f", a {kin.sort}" if kin.sort else f" of {self.side_name(kin.side)}"
        return f"{kin.name}{whose}{other}{f' ({more})' if more else ''}"

    def sentence(self, family: Family) -> str:
        """A family in one sentence."""
        when = f" in {family.when}" if family.when else ""
        married = f", married{when}" if len(family.parents) > 1 else ""
        children = f"children: {', '.join(map(self.words, family.children))}" if family.children else "no children"
        return f"{' and '.join(map(self.words, family.parents))}{married}; {children}."

    # Drawing

    def slot(self, seat: SeatId | None) -> int:
        """The side's place in the palette; 0, which has no colour, for someone without a side."""
        side = self.sides.get(seat) if seat is not None else None
        return slot_of(side)

    def line(self, path: str) -> None:
        """Draw a line between cards."""
        self.drawing.add(self.drawing.path(path, class_="li"))

    def text(self, words: str, x: int, y: int, kind: str, to: BaseElement | None = None) -> None:
        """Draw a line of text."""
        (self.drawing if to is None else to).add(self.drawing.text(words, (x, y), class_=kind))

    def disc(self, seat: SeatId | None, x: int, y: int, to: BaseElement, sort: str = "") -> None:
        """Draw a disc around a point, with a side's letter; for a person without a side, with the first letter of their sort."""
        slot = self.slot(seat)
        group = self.drawing.g(class_=f"o{slot}") if slot else self.drawing.g()
        side = self.sides[seat] if seat is not None and slot else None
        letter = side.letter if side is not None else sort[:1] or "?"
        looks.disc(self.drawing, group, (x, y), self.radius, side, "di")
        self.text(letter, x, y + 6, f"dl{looks.pair_class(letter)}", group)
        to.add(group)

    def card(self, card: _Card, x: int, y: int, height: int) -> None:
        """Draw a person's card; `x` and `y` are its upper left corner."""
        kin, wide = card.kin, card.width
        slot, other = self.slot(kin.side), self.slot(kin.other)
        group: Group = self.drawing.g(class_=f"o{slot}") if slot else self.drawing.g()
        group.set_desc(title=self.words(kin))
        # The only colour of the dead is that of their letter's disc.
        group.add(
            self.drawing.rect((x, y), (wide, height), rx=9, class_=f"cd l{slot}" if slot and not kin.dead else "cd u")
        )
        if kin.other is not None and not kin.dead:
            middle, right, low = x + wide // 2, x + wide, y + height
            half = f"M{middle + 16} {y}H{right - 9}a9 9 0 0 1 9 9V{low - 9}a9 9 0 0 1-9 9H{middle - 16}z"
            group.add(self.drawing.path(half, class_=f"ha l{other}" if other else "ha u"))
        group.add(self.drawing.rect((x, y), (wide, height), rx=9, class_="ol de" if kin.dead else "ol"))
        if kin.held is not None:
            links = (self.drawing.rect((x, y), (wide, height), rx=9, class_=kind) for kind in LINKS)
            self.chain(links, kin.held, group)
        at = x + PAD + self.half
        for seat in (kin.side, *((kin.other,) if kin.other is not None else ())):
            self.disc(seat, at, y + PAD + DISC, group, kin.sort)
            at += 2 * self.half + 2
        at += 6 - self.half
        if kin.dead:
            self.text("†", at, y + PAD + DISC + 7, "nm", group)
            at += CROSS
        for index, words in enumerate(card.name):
            self.text(words, at, y + PAD + DISC + 7 + NAME_LINE * index, "nm", group)
        for index, words in enumerate(card.notes):
            self.text(words, x + PAD + 2, y + PAD + card.head + 20 + NOTE_LINE * index, "nt", group)
        self.drawing.add(group)

    def chain(self, shapes: Iterable[BaseElement], held: SeatId | None, to: BaseElement) -> None:
        """Draw a chain in the colour of the side that holds a hostage; `shapes` are equal shapes, one for each class in LINKS."""
        slot = self.slot(held)
        group = self.drawing.g(class_=f"o{slot}" if slot else "hn")
        for shape in shapes:
            group.add(shape)
        to.add(group)

    def cut(self, kin: Kin, width: int, lines: int) -> _Card:
        """A person's card, with its text split into lines."""
        discs = (2 * self.half + 2) * (1 if kin.other is None else 2) + 4
        name = wrap(kin.name, NAME, width - 2 * PAD - discs - (CROSS if kin.dead else 0), 3)
        room = width - 2 * PAD - 4
        notes = [line for text in self.fate(kin) for line in wrap(text, NOTE * REGULAR, room, lines)]
        return _Card(kin, width, name, tuple(notes))

    def row(self, cards: Sequence[_Card], spots: Sequence[int], y: int, *, even: bool = False) -> int:
        """Draw cards side by side, equally high if `even`; return their lower end."""
        height = max(card.height for card in cards)
        for card, x in zip(cards, spots, strict=True):
            self.card(card, x, y, height if even else card.height)
        return y + height

    def pair(self, count: int) -> tuple[int, ...]:
        """Left edges of one or two cards of a family."""
        return (RIM, WIDTH - RIM - CARD) if count > 1 else (MIDDLE - CARD // 2,)

    def family(self, family: Family, y: int) -> int:
        """Draw parents and children; return their lower end."""
        low = self.row([self.cut(kin, CARD, 3) for kin in family.parents], self.pair(len(family.parents)), y)
        stem = low
        if len(family.parents) > 1:
            stem = y + RINGS
            left, right = MIDDLE - RING // 2 - 2, MIDDLE + RING // 2 + 2
            self.line(f"M{RIM + CARD} {stem}H{left - RING}M{right + RING} {stem}H{WIDTH - RIM - CARD}")
            stem += RING - 2  # The point where the rings cross.
            for x in (left, right):
                self.drawing.add(self.drawing.circle((x, y + RINGS), RING, class_="ri"))
        y = low
        if family.when:
            # Beside the line to the children or, without children, under the rings.
            beside = MIDDLE + 12 if family.children else RIM
            for words in wrap(family.when, NOTE * REGULAR, WIDTH - RIM - beside, 1):
                self.text(words, beside if family.children else MIDDLE, y + 25, "nt" if family.children else "nt mi")
            y += WHEN
        for start in range(0, len(family.children), 2):
            cards = [self.cut(kin, CARD, 3) for kin in family.children[start : start + 2]]
            spots = self.pair(len(cards))
            if len(cards) > 1:
                first, last = (x + CARD // 2 for x in spots)
                self.line(f"M{MIDDLE} {stem}V{y + HANG}M{first} {y + 2 * HANG}v-{HANG}H{last}v{HANG}")
                stem = y + HANG
            else:
                self.line(f"M{MIDDLE} {stem}V{y + 2 * HANG}")
            y = self.row(cards, spots, y + 2 * HANG)
        return y

    def alone(self, people: Sequence[Kin], y: int) -> int:
        """Draw people who never married, in rows of small cards; return their lower end."""
        self.text(UNMARRIED, RIM, y + 18, "he")
        y += 32
        for start in range(0, len(people), 3):
            cards = [self.cut(kin, SMALL, 4) for kin in people[start : start + 3]]
            spots = [RIM + (SMALL + SMALL_GAP) * index for index in range(len(cards))]
            y = self.row(cards, spots, y, even=True) + SMALL_GAP
        return y - SMALL_GAP

    def key(self, tree: Kinship, y: int) -> int:
        """Draw the key, which explains the letters and signs; return its lower end."""
        people, seats = _people(tree), set(_seats(tree))
        entries: list[tuple[str, SeatId | None, str]] = [
            ("side", seat, side.name) for seat, side in self.sides.items() if seat in seats
        ]
        if any(not self.slot(kin.side) or (kin.other is not None and not self.slot(kin.other)) for kin in people):
            entries.append(("side", None, "unknown"))
        if any(kin.dead for kin in people):
            entries.append(("dead", None, "† dead"))
        if any(kin.held is not None for kin in people):
            entries.append(("held", None, "hostage"))
        x = RIM
        for kind, seat, words in entries:
            (shown,) = wrap(words, NOTE * REGULAR, WIDTH // 2, 1) or ("",)
            wide = 2 * self.half + 8 + text_width(shown, NOTE * REGULAR)
            if x > RIM and x + wide > WIDTH - RIM:
                x, y = RIM, y + ENTRY
            group = self.drawing.g()
            if kind == "side":
                self.disc(seat, x + self.half, y + DISC, group)
            elif kind == "dead":
                group.add(self.drawing.rect((x + 1, y + 4), (2 * DISC - 2, 22), rx=6, class_="cd u"))
                group.add(self.drawing.rect((x + 1, y + 4), (2 * DISC - 2, 22), rx=6, class_="ol de"))
            else:
                self.chain((self.drawing.path(f"M{x} {y + DISC}h29", class_=kind) for kind in LINKS), None, group)
            self.text(shown, x + 2 * self.half + 8, y + DISC + 6, "nt", group)
            self.drawing.add(group)
            x += round(wide) + 20
        return y + 2 * DISC if entries else y


def _people(tree: Kinship) -> list[Kin]:
    return [kin for family in tree.families for kin in (*family.parents, *family.children)]


def _seats(tree: Kinship) -> list[SeatId]:
    """The sides whose letters are in a tree, each once."""
    seats = (seat for kin in _people(tree) for seat in (kin.side, kin.other, kin.held) if seat is not None)
    return list(dict.fromkeys(seats))


STYLE = (
    # Two classes in front, so that these rules override the sheets of other pictures on a page.
    ".cm.kn text{text-anchor:start}.cm.kn .nm{font-size:19px;font-weight:600}.cm.kn .nt{font-size:16px}"
    ".cm.kn .he{font-size:18px;font-weight:600}.cm.kn .mi,.cm.kn .dl{text-anchor:middle}"
    ".cm.kn .cd,.cm.kn .ha{stroke:none}.cm.kn .ol{fill:none;stroke:var(--o,var(--edge));stroke-width:2}"
    ".cm.kn .de{stroke:var(--ink);stroke-dasharray:9 6}.cm.kn .hn{--o:var(--ink)}"
    ".cm.kn .ca,.cm.kn .cb{fill:none;stroke:var(--o);stroke-width:7;stroke-dasharray:9 11;stroke-linecap:round}"
    ".cm.kn .cb{stroke:var(--halo);stroke-width:3}"
    ".cm.kn .di{fill:var(--o,var(--edge));stroke:var(--halo);stroke-width:2}"
    ".cm.kn .dl{font-size:18px;font-weight:700;fill:var(--on)}"
    ".cm.kn .li,.cm.kn .ri{fill:none;stroke:var(--edge);stroke-width:2}.cm.kn .ri{stroke:var(--i7);stroke-width:3}"
    "@media(max-width:640px){"
    f".cm.kn .nm,.cm.kn .he{{font-size:{NAME}px}}.cm.kn .nt{{font-size:{NOTE}px}}"
    ".cm.kn .li,.cm.kn .ol{stroke-width:3}}"
)
MANY = (
    ".cm.kn .dl.pr{font-size:15px}"
    # Words on stripes and dots need an outline.
    ".cm.kn .nm,.cm.kn .nt{paint-order:stroke;stroke:var(--halo);stroke-width:3;stroke-opacity:.8}"
)
"""Further rules for pictures with many sides: for pairs of letters, and for words on patterns."""
