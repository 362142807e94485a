"""A board of provinces as SVG: land and sea, owners, names, units, and every order with its verdict.

Written top to bottom, like a painter: what is drawn later covers what was drawn before. Numbers have at most one
decimal, marks come in a fixed order, and nothing depends on time or place, so the same scene gives the same bytes.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import assert_never

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides
from adjudicator.render.geometry import Vector, arrowhead, bar, circle, cross, curve, sample, trim, turn_point
from adjudicator.render.outlines import Outlines, Point, Sign, names_that_fit, outlines_of
from adjudicator.render.palette import most_slot, slot_of, style
from adjudicator.render.scenes import Arrow, Mark, ProvinceScene, Token
from adjudicator.render.svg import empty_document, short_text
from adjudicator.render.text import width as text_width
from adjudicator.render.text import wrap

LEGEND = 92
"""Height of the strip below the map."""
ROW = 74
"""Height of each further row of it."""
TOKEN = 21
"""Half the width of a unit."""
DISLODGED = (27, 21)
"""How far beside its anchor a dislodged unit is drawn."""
CENTRE = 9
LEADER = 12
"""Half the width of a leader's disc."""
RETINUE = (
    ".cm .k2{font-size:24px;font-weight:400}.cm .gl{font-size:17px}@media(max-width:640px){.cm .k2{font-size:44px}}"
)
"""How attendants and leaders are written."""
ENTRY = 62
"""Height of a line in a strip of many sides."""
GROWN = 1.4
"""How much its entries grow in narrow pictures."""
SAID, BESIDE = 27, 24
"""The sizes of the texts for sides there, and for those beside them."""
MARGIN = 12
"""Around all entries of a strip of many sides."""
AT, FROM = 34, 74
"""From an entry's left to the middle of its disc, and to its text."""
INWARD = 22
"""How far those beside a side are set in."""
DISC = 16
"""Half the height of a disc there, which has a second rim and must not touch that of the next line on a phone."""
MANY = (
    ".cm .k3{font-size:27px}.cm .k4{font-size:24px;font-weight:400}.cm .kz .q{display:none}"
    f"@media(max-width:640px){{.cm .kz{{transform:scale({GROWN})}}.cm .kz .q{{display:inline}}}}"
)
"""How such a strip is written, over what other strips have."""
SIGNS = (
    ".cm .sr{fill:none;stroke:var(--edge);stroke-width:2.6}.cm .sn{fill:none;stroke:var(--edge);stroke-width:2}"
    ".cm .sw{fill:none;stroke:var(--edge);stroke-width:11}.cm .sv{fill:none;stroke:var(--sea);stroke-width:7.5}"
    ".cm .so{fill:var(--ink);stroke:var(--halo);stroke-width:2.5}"
    ".cm .sh{fill:none;stroke:var(--halo);stroke-width:9}.cm .sl{fill:none;stroke:var(--ink);stroke-width:5.5}"
    ".cm .si{fill:none;stroke:var(--halo);stroke-width:2}.cm .sd{fill:var(--halo);stroke:var(--ink);stroke-width:2.5}"
)
"""How signs of a board are drawn that lines between provinces do not say by themselves."""


def render(scene: ProvinceScene) -> str:
    """The scene as one SVG document, ending in a newline."""
    outlines = outlines_of(scene.outlines)
    width, height = outlines.size
    drawing = empty_document("cm")
    drawing.attribs["viewBox"] = f"0 0 {width} {height + _strip(scene, width)}"
    drawing.set_desc(title=scene.title, desc=scene.description)
    # What only some pictures need is in these alone: a picture that did not change keeps its bytes.
    many = MANY if _many(scene, width) or sides.is_crowded(scene.sides.values()) else ""
    retinue = RETINUE if scene.attendants else ""
    signs = sides.signs(drawing, scene.sides, f"{scene.title} {scene.description}")
    drawing.defs.add(
        drawing.style(style(most_slot(scene.sides)) + retinue + many + signs + (SIGNS if outlines.signs else ""))
    )
    for kind, shape in scene.markers.items():
        drawing.defs.add(drawing.path(shape, id=kind))
    painter = _Painter(drawing, outlines, scene)
    painter.board()
    painter.centres()
    painter.orders()
    painter.names()  # Over the arrows, so that every name stays readable.
    painter.tokens()
    painter.marks()  # Over the units that they cross out.
    painter.legend()
    return short_text(drawing)


class _Painter:
    """One picture in the making."""

    def __init__(self, drawing: svgwrite.Drawing, outlines: Outlines, scene: ProvinceScene) -> None:
        self.drawing = drawing
        self.outlines = outlines
        self.scene = scene
        self.occupied = {token.place.partition("/")[0] for token in scene.tokens if not token.state}
        self.away = {token.place for token in scene.tokens if token.state == "dislodged"}
        self.lines: dict[tuple[str, str], list[Vector]] = {}
        """Start and end of each move that is drawn -> the line it is drawn as, sampled."""

    def slot(self, seat: SeatId | None) -> int:
        """The side's place in the palette."""
        return slot_of(self.scene.sides[seat]) if seat is not None else 0

    def add_title(self, element: BaseElement, title: str) -> BaseElement:
        """The element with a tooltip."""
        element.set_desc(title=title)
        return element

    def add_region(self, element: BaseElement, code: str) -> BaseElement:
        """The element with its region's name for scripts, where the scene is to be clicked."""
        if self.scene.clickable:
            element.attribs["data-region"] = self.scene.names.get(code, code)
        return element

    # The board -----------------------------------------------------------------------------------------------------

    def board(self) -> None:
        draw, outlines, scene = self.drawing, self.outlines, self.scene
        width, height = outlines.size
        draw.add(draw.rect((0, 0), (width, height + _strip(scene, width)), class_="s"))
        for code, shape in outlines.provinces.items():
            if code in scene.seas:
                draw.add(self.add_region(draw.path(shape.path, class_="s"), code))
        for neutral in outlines.neutral:
            # Inland waters out of play are drawn as sea; the rest as land of nobody.
            draw.add(draw.path(neutral.path, class_="s" if neutral.name.endswith("Sea") else "u"))
        for area in scene.areas:
            shape = outlines.provinces[area.region]
            owner = self.slot(area.owner)
            classes = f"l l{owner}" if owner else "l"
            draw.add(self.add_region(self.add_title(draw.path(shape.path, class_=classes), area.title), area.region))
        for _, _, x1, y1, x2, y2 in outlines.crossings:
            draw.add(draw.path(f"M{x1} {y1}L{x2} {y2}", class_="l"))
        for sign in sorted(outlines.signs, key=lambda sign: _OVER[sign.kind]):
            self.sign(sign)

    def sign(self, sign: Sign) -> None:
        """Draws a sign on the board itself: a ridge, a strait, an arrowhead, a link."""
        draw = self.drawing
        group = draw.g()
        if self.scene.clickable:
            group.attribs["pointer-events"] = "none"  # who taps on a sign means the province below it
        if sign.title:
            self.add_title(group, sign.title)
        match sign.kind:
            case "link":
                # A double line in the colour of words: orders are single ones, in their powers' colours.
                for cls in ("sh", "sl", "si"):
                    group.add(draw.path(sign.path, class_=cls))
                for end in sign.ends:
                    group.add(draw.circle(end, 7, class_="sd"))
            case "water":
                for cls in ("sw", "sv"):
                    group.add(draw.path(sign.path, class_=cls))
            case "ridge":
                group.add(draw.path(sign.path, class_="sr"))
            case "one-way":
                group.add(draw.path(sign.path, class_="so"))
            case "nobody":
                group.add(draw.path(sign.path, class_="sn"))
            case _:
                assert_never(sign.kind)
        draw.add(group)

    def names(self) -> None:
        draw, scene = self.drawing, self.scene
        fits = names_that_fit(scene.outlines, tuple(scene.names.items()))
        for code, shape in self.outlines.provinces.items():
            sea = " z" if code in scene.seas else ""
            x, y = shape.label
            draw.add(draw.text(code, (x, y), class_=f"c q{sea}" if code in fits else f"c{sea}"))
            if code in fits:
                left, top, lines = fits[code]
                for number, line in enumerate(lines):
                    draw.add(draw.text(line, (left, round(top + number * 17.6)), class_=f"n{sea}"))

    def centres(self) -> None:
        draw = self.drawing
        for area in self.scene.areas:
            spot = self.outlines.provinces[area.region].centre
            if area.centre and spot is not None:
                owner = self.slot(area.owner)
                group = draw.g(transform=f"translate({spot[0]} {spot[1]})")
                if owner and area.owner is not None:
                    side = self.scene.sides[area.owner]
                    group.attribs["class"] = f"o{owner}"
                    x, y = self.aside(area.region) if len(side.letter) > 1 else (0, 0)
                    sides.disc(draw, group, (x, y), CENTRE, side, "h w")
                    group.add(draw.text(side.letter, (x, y + 4.6), class_=f"hl{sides.pair_class(side.letter)}"))
                else:
                    group.add(draw.circle(r=CENTRE, class_="h"))
                    group.add(draw.circle(r=3.4, class_="h"))
                draw.add(group)

    def aside(self, region: str) -> Vector:
        """How far a mark with two letters, which is larger, goes from the region's unit to stay beside it."""
        shape = self.outlines.provinces[region]
        assert shape.centre is not None
        (x, y), (at, level) = shape.centre, shape.unit
        if abs(x - at) > abs(y - level):
            return math.copysign(CENTRE * (sides.PILL - 1) + 2, x - at), 0
        return 0, math.copysign(4, y - level)

    # Orders --------------------------------------------------------------------------------------------------------

    def spot(self, place: str, *, mover: bool = False) -> Point:
        """Where a unit in `place` is drawn; a dislodged unit that retreats starts from beside its province."""
        x, y = self.outlines.anchor(place)
        if mover and place in self.away:
            return x + DISLODGED[0], y + DISLODGED[1]
        return x, y

    def orders(self) -> None:
        ordered = sorted(self.scene.arrows, key=lambda a: (_RANK[a.kind], a.ok, a.path))
        moves = [arrow for arrow in ordered if arrow.kind in MOVES]
        ways = {arrow.path for arrow in moves}
        drawn = {arrow.path: self.way(arrow, meets=arrow.path[::-1] in ways) for arrow in moves}
        for path, line in drawn.items():
            self.lines[path[0], path[-1]] = sample(line)
        for arrow in ordered:
            if arrow.kind in MOVES:
                self.move(arrow, drawn[arrow.path])
            else:
                self.aid(arrow)
        for mark in sorted(self.scene.marks, key=lambda m: (m.kind, m.place, m.owner or "")):
            if mark.kind == "hold":
                self.mark(mark)

    def marks(self) -> None:
        for mark in sorted(self.scene.marks, key=lambda m: (m.kind, m.place, m.owner or "")):
            if mark.kind != "hold":
                self.mark(mark)

    def way(self, arrow: Arrow, *, meets: bool) -> list[Vector]:
        """The points that a move's arrow runs through."""
        points: list[Vector] = [self.spot(arrow.path[0], mover=arrow.kind == "retreat")]
        points += [self.spot(place) for place in arrow.path[1:]]
        if meets:
            # Two units that meet head-on: each keeps to its right, or their arrows would cover each other.
            points = [turn_point(points[1], points[0], 0, 9), turn_point(points[0], points[1], 0, -9)]
        taken = arrow.path[-1].partition("/")[0] in self.occupied
        return trim(points, TOKEN + 3, TOKEN + 9 if taken else 6)

    def move(self, arrow: Arrow, line: list[Vector]) -> None:
        draw = self.drawing
        group = draw.g(class_=f"o{self.slot(arrow.owner)}")
        self.add_title(group, arrow.title)
        shape, head = curve(line), arrowhead(line[-2], line[-1], 15)
        group.add(draw.path(shape + head, class_="g"))
        dash = " b" if arrow.kind == "retreat" else "" if arrow.ok else " d"
        if dash:
            group.add(draw.path(shape, class_=f"a{dash}"))
            group.add(draw.path(head, class_="a"))
        else:
            group.add(draw.path(shape + head, class_="a"))
        if not arrow.ok:
            self.cross(group, self.lines[arrow.path[0], arrow.path[-1]], 30)
        self.drawing.add(group)

    def aid(self, arrow: Arrow) -> None:
        """Draws a support or a convoy: a line from its giver to the arrow that it is for, wherever that is drawn."""
        draw = self.drawing
        group = draw.g(class_=f"o{self.slot(arrow.owner)}")
        self.add_title(group, arrow.title)
        giver = self.spot(arrow.path[0])
        if arrow.kind == "support-hold":
            line = trim([giver, self.spot(arrow.path[1])], TOKEN + 3, TOKEN + 6)
            shape = curve(line) + bar(line[-2], line[-1], 12)
        else:
            start, goal = self.spot(arrow.path[1]), self.spot(arrow.path[2])
            drawn = self.aided(arrow) or sample([start, goal])
            where = drawn[len(drawn) // 2] if arrow.kind == "support" else min(drawn, key=lambda p: math.dist(p, giver))
            if math.dist(where, giver) < TOKEN + 14:
                # What is carried passes under what carries it: a ring says that this is part of the way.
                shape, line = circle(giver, TOKEN + 10), [giver, (giver[0], giver[1] - TOKEN - 10)]
            else:
                line = trim([giver, where], TOKEN + 3, 3)
                shape = curve(line) + circle(line[-1], 4.5)
        group.add(draw.path(shape, class_="a e v" if arrow.kind == "convoy" else "a e b"))
        if not arrow.ok:
            self.cross(group, sample(line), 26)
        draw.add(group)

    def aided(self, arrow: Arrow) -> list[Vector] | None:
        """The drawn line of the move that a support or convoy names; a support may leave a coast out."""
        start, goal = arrow.path[1], arrow.path[2].partition("/")[0]
        lines = [line for (a, b), line in sorted(self.lines.items()) if a == start and b.partition("/")[0] == goal]
        return lines[0] if lines else None

    def cross(self, group: BaseElement, line: list[Vector], back: float) -> None:
        """The sign of failure, a little before the end of a line; on its middle where the line is short."""
        length = sum(math.dist(a, b) for a, b in itertools.pairwise(line))
        part = max(0.5, 1 - back / max(length, 1))
        group.add(self.drawing.path(cross(line[round((len(line) - 1) * part)], 7), class_="x"))

    def mark(self, mark: Mark) -> None:
        draw = self.drawing
        x, y = self.spot(mark.place, mover=mark.kind == "disband")
        if mark.kind == "standoff":
            shape = self.outlines.provinces[mark.place]
            x, y = shape.unit
        group = draw.g(class_=f"o{self.slot(mark.owner)}" if mark.owner else "o")
        self.add_title(group, mark.title)
        match mark.kind:
            case "hold":
                group.add(draw.path(f"M{x - 18} {y + 22}h36", class_="a e"))
            case built if built.removeprefix("build-") in self.scene.markers:
                inner = draw.g(transform=f"translate({x} {y})")
                self.piece(inner, built.removeprefix("build-"), mark.owner or "", "new")
                group.add(inner)
                group.add(draw.path(f"M{x + 24} {y - 16}v14m-7-7h14", class_="a e"))
            case "disband":
                group.add(draw.path(cross((x, y), 20), class_="x"))
            case "standoff":
                group.add(draw.path(cross((x - 7, y), 7) + cross((x + 7, y), 7), class_="x"))
            case _:
                raise ValueError(f"no such mark: {mark.kind}")
        draw.add(group)

    # Pieces --------------------------------------------------------------------------------------------------------

    def tokens(self) -> None:
        for token in sorted(self.scene.tokens, key=lambda t: (t.state, t.place)):
            self.drawing.add(self.token(token))

    def token(self, token: Token) -> BaseElement:
        x, y = self.spot(token.place)
        if token.state == "dislodged":
            x, y = x + DISLODGED[0], y + DISLODGED[1]
        group = self.drawing.g(class_=f"o{self.slot(token.owner)}", transform=f"translate({x} {y})")
        self.add_title(group, token.title)
        self.piece(group, token.kind, token.owner, token.state)
        if token.leader is not None:
            side = self.scene.sides[token.leader]
            aside = -37 if len(side.letter) == 1 else -43
            badge = self.drawing.g(class_=f"o{self.slot(token.leader)}", transform=f"translate({aside} 0)")
            sides.disc(self.drawing, badge, (0, 0), LEADER, side, "h w")
            badge.add(self.drawing.text(side.letter, (0, 6), class_=f"hl gl{sides.pair_class(side.letter)}"))
            group.add(badge)
        return group

    def piece(self, group: BaseElement, kind: str, owner: SeatId, state: str = "") -> None:
        """A unit at the group's origin: the marker of its kind, with its side's letter."""
        draw = self.drawing
        letter = self.scene.sides[owner].letter
        sides.add_rim(group, self.slot(owner), draw.use(f"#{kind}"), draw.use(f"#{kind}"), "rt")
        group.add(draw.use(f"#{kind}", class_="y" if state else "t"))
        group.add(draw.text(letter, y=[7.5 if len(letter) == 1 else 6], class_=f"tl{sides.pair_class(letter)}"))

    def legend(self) -> None:
        draw, scene = self.drawing, self.scene
        if not scene.standings:
            return
        width, height = self.outlines.size
        draw.add(draw.rect((0, height), (width, _strip(scene, width)), class_="l"))
        if _many(scene, width):
            self.many()
            return
        middle = height + LEGEND / 2
        labels = [f"{scene.sides[seat].name} {text}".strip() for seat, text in scene.standings]
        beside = {attendant.at: attendant for attendant in scene.attendants if attendant.at is not None}
        room = _widths(scene)
        gap = max(0.0, (width - sum(room)) / max(len(room), 1))
        left = gap / 2
        for (seat, text), label, wide in zip(scene.standings, labels, room, strict=True):
            self.entry(round(left), middle, seat, label, text, "k")
            if seat in beside:
                attendant = beside[seat]
                self.entry(round(left), middle + ROW - 8, attendant.who, attendant.text, attendant.short, "k k2")
            left += wide + gap
        alone = [attendant for attendant in scene.attendants if attendant.at is None]
        for number, attendant in enumerate(alone):
            x = round(width * number / len(alone) + gap / 2)
            self.entry(x, middle + 2 * (ROW - 8), attendant.who, attendant.text, attendant.short, "k k2")

    def entry(self, x: float, y: float, who: SeatId | None, text: str, short: str, size: str) -> None:
        """A disc with someone's letter, and a text that is short in narrow pictures."""
        draw = self.drawing
        group = draw.g(class_=f"o{self.slot(who)}" if who is not None else "o")
        group.add(draw.circle((x + 20, y), 19, class_="w" if who is not None else "h"))
        if who is not None:
            group.add(draw.text(self.scene.sides[who].letter, (x + 20, y + 8), class_="kl"))
        group.add(draw.text(text, (x + 46, y + 10), class_=f"{size} n2"))
        group.add(draw.text(short, (x + 50, y + 15), class_=f"{size} q"))
        draw.add(group)

    def many(self) -> None:
        """Draws the legend of many sides: each with those beside it, in as many columns as fit on a phone."""
        draw = self.drawing
        across, height = self.outlines.size
        blocks = _blocks(self.scene)
        spots, _, room = _columns(blocks, across)
        for (left, above), block in zip(spots, blocks, strict=True):
            for line, entry in enumerate(block):
                x, y = round(MARGIN + left), height + MARGIN + ENTRY * (above + line) + ENTRY // 2
                side = self.scene.sides[entry.who] if entry.who is not None else None
                outer = draw.g(class_=f"o{slot_of(side)}" if side is not None else "o", transform=f"translate({x} {y})")
                group = draw.g(class_="kz")
                at, cls = AT + entry.inward, "w" if side is not None else "h"
                sides.disc(draw, group, (at, 0), DISC, side, cls)
                if side is not None:
                    group.add(draw.text(side.letter, (at, 8), class_=f"kl{sides.pair_class(side.letter)}"))
                says = ((entry.text, ""),) if entry.text == entry.short else ((entry.text, " n2"), (entry.short, " q"))
                for text, where in says:
                    (shown,) = wrap(text, entry.size, room - entry.inward, 1) or ("",)
                    cls = "k k3" if entry.size == SAID else "k k4"
                    group.add(draw.text(shown, (FROM + entry.inward, 9), class_=f"{cls}{where}"))
                outer.add(group)
                draw.add(outer)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line in a strip of many sides: whose, what it says, also in short; its size, and how far it is set in."""

    who: SeatId | None
    text: str
    short: str
    size: int = BESIDE
    inward: int = 0


def _blocks(scene: ProvinceScene) -> list[list[_Entry]]:
    """Each side with those beside it, then each of those without a side."""
    blocks = []
    for seat, text in scene.standings:
        said = f"{scene.sides[seat].name} {text}".strip()
        beside = [
            _Entry(attendant.who, attendant.text, attendant.short, inward=INWARD)
            for attendant in scene.attendants
            if attendant.at == seat
        ]
        blocks.append([_Entry(seat, said, said, SAID), *beside])
    return blocks + [
        [_Entry(attendant.who, attendant.text, attendant.short)]
        for attendant in scene.attendants
        if attendant.at is None
    ]


def _columns(blocks: list[list[_Entry]], across: float) -> tuple[list[tuple[float, int]], int, float]:
    """Where the blocks stand in a picture `across` wide, how many lines they take, and the most room of a text."""
    room = across - 2 * MARGIN
    # Narrow pictures have larger letters, and short texts.
    needs = [
        max(
            GROWN * (FROM + 12 + entry.inward + text_width(entry.short, entry.size)),
            FROM + 12 + entry.inward + text_width(entry.text, entry.size),
        )
        for block in blocks
        for entry in block
    ]
    spots, lines = sides.columns([len(block) for block in blocks], max(needs), room)
    return spots, lines, room / GROWN - FROM - 12


def _widths(scene: ProvinceScene) -> list[float]:
    """The room that the words of each entry of a single row need; the rest is shared out evenly."""
    beside = {attendant.at: attendant for attendant in scene.attendants if attendant.at is not None}
    return [
        48 + max(len(said) * 16.5, len(beside[seat].text) * 14.5 if seat in beside else 0)
        for seat, said in ((seat, f"{scene.sides[seat].name} {text}".strip()) for seat, text in scene.standings)
    ]


def _many(scene: ProvinceScene, across: float) -> bool:
    """Whether the strip has columns: for sides that need more than colours, and for a picture too narrow for one row."""
    # Pictures of boards that are shipped have room for one, and keep it.
    narrow = not isinstance(scene.outlines, str) and sum(_widths(scene)) * 1.06 > across
    return bool(scene.standings) and (narrow or sides.is_crowded(scene.sides.values()))


def _strip(scene: ProvinceScene, across: float) -> int:
    """The height of the strip below the map: one row, one more for attendants, one more for those beside no side.

    As many rows as they need where there are many sides; 0 without standings.
    """
    if not scene.standings:
        return 0
    if _many(scene, across):
        return 2 * MARGIN + ENTRY * _columns(_blocks(scene), across)[1]
    if not scene.attendants:
        return LEGEND
    return LEGEND + ROW * (2 if any(attendant.at is None for attendant in scene.attendants) else 1)


_OVER = {"nobody": 0, "water": 1, "ridge": 2, "link": 3, "one-way": 4}
_RANK = {"support-hold": 0, "support": 1, "convoy": 2, "convoyed": 3, "move": 4, "retreat": 5}
MOVES = ("move", "retreat", "convoyed")
