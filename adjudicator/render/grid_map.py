"""A board of estates as SVG, drawn as an old estate map: parcels with wandering borders, what they yield, who is there.

The land is made up from row and column alone, so that the same board always looks the same, and two neighbours share
their border to the last digit. The ground (furrows, woods, hills, a brook along some borders) says nothing of the game.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from zlib import crc32

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.geometry import Vector, arrowhead, cross, curve, number, sampled, turned
from adjudicator.render.outlines import Box, Point
from adjudicator.render.palette import band_of, most_slot, slot_of, style
from adjudicator.render.scenes import Arrow, GridScene, Mark, Plot, Token
from adjudicator.render.svg import empty_document, short_text
from adjudicator.render.text import REGULAR, width

CELL = 150
"""From one plot to the next."""
RIM = 64
"""The map's margin, with row letters and column numbers."""
HALF = 66
"""From a plot's middle to the edge of what is written in it; borders wander beyond."""
WANDER = 6
"""How far a corner may lie from where a ruler would put it."""
TILE = (34, 37)
"""The room of a unit."""
LED, LED_PAIR = 9, 26
"""What a leader's disc adds to its width, with one letter and with two."""
RIMMED = 6
"""What a second rim adds to its width and height."""
DISC, DISC_RIMMED = 13, 11
"""Half the height of an owner's disc, and of one with a second rim, which takes its room from it."""
PAIR = 16
"""The size of two letters there."""
FLOCK = 124
"""The width that all units of a plot share."""
LANE = 12
"""How far beside the middle arrows run up and down."""
BOW = 12
"""How far what a border bends towards may lie beside it."""
LETTER = 0.66
"""The width of a letter, in font sizes."""
NAME = 17
"""The size of lords' names."""
CODE = 17
"""The size of a plot's own name."""
NAMES_SHORT = 3
"""Most letters of a lord in narrow pictures."""
NARROW = ((1.5, 38), (1.2, 38), (1, 38), (1, 34), (1, 30), (1, 26), (0.8, 22))
"""How large house and crown are in narrow pictures, and a lord's letters beside them: the first that fits is taken."""
ENTRY = 74
"""Height of a line of the strip below the map."""
SAID = 40
"""The size of what the strip says in narrow pictures."""
KEYS = ((44, 21, 1), (58, 25.5, 1.5))
"""Height of a line of the key, its letters, and how much they and the signs grow: in wide pictures and in narrow ones."""

PIP = 13
MOST_PIPS = 6
"""More than these are written as a number."""

HOUSE = "M-12-1l12-12 4 4v-4h4v8l4 4h-3v10h-6v-6h-6v6h-6v-10z"
CROWN = "M-15-10l7 8 8-11 8 11 7-8-3 20h-24z"
HUT = "M-8 8v-10l8-7 8 7v10z"
DOT = "M0-2a2 2 0 1 1-.1 0z"
BATTLE = "M-10-10l18 18m-18 0l18-18M2 8l6-6m-10 6l-6-6"
FRESH = "M0-10a10 10 0 1 1-.1 0zm-2 3h4v5h5v4h-5v5h-4v-5h-5v-4h5z"
"""A disc with a plus: a unit was raised."""
LOST = "M-11 10v-3h3v-9a8 8 0 0 1 16 0v9h3v3zm9.5-16v3.5h-4v3h4v7h3v-7h4v-3h-4v-3.5z"
"""A gravestone: a unit is no more."""
CHANGES = {"gone": LOST, "new": FRESH}

GROUND = {
    "f1": "M-54-8q30-10 60 0t50-6M-58 4q32-10 64 0t54-6M-58 16q32-10 64 0t54-6M-54 28q30-10 60 0t50-6",
    "f2": "M-40-30q-12 30-2 64M-24-30q-12 32-2 66M-8-30q-12 32-2 66M8-30q-12 32-2 66M24-30q-12 32-2 66M40-30q-12 30-2 64",
    "f3": "M-56-6l40 30M-48-18l52 40M-34-26l56 44M-14-28l54 42M8-28l44 34",
    "m1": "".join(f"M{x} {y}v-9m5 9l2-7m-12 7l-2-7" for x, y in ((-40, -2), (20, 24), (36, -8), (-20, 32))),
    "m2": "".join(f"M{x} {y}v-9m5 9l2-7m-12 7l-2-7" for x, y in ((-32, 18), (6, -8), (44, 14))),
    "w1": "".join(
        f"M{x} {y}a8 8 0 1 1 12 0zm6 0v7" for x, y in ((-54, -8), (-34, 8), (-50, 26), (18, -14), (38, 2), (14, 22))
    ),
    "w2": "".join(
        f"M{x} {y}l7-17 7 17zm7 0v6" for x, y in ((-56, 0), (-36, -12), (-42, 24), (10, -8), (32, 6), (42, 28))
    ),
    "h1": "M-58 10q18-32 40-2m-30-10l-4 10m12-12l-2 12m10-10l2 10M-6 30q24-40 54 0m-38-14l-5 12m15-16l-1 14m11-12l3 12",
    "h2": "M-44-4q16-28 36 0m-26-9l-4 9m12-11v10M14 4q18-32 42 0m-30-10l-5 10m14-13v12M-30 34q20-32 46 0m-32-11l-5 10m14-14l1 13",
}
CLOUDS = {
    "v1": "M-52-6q4-14 16-8q8-16 22-4q14-2 12 12zM2 26q4-14 16-8q8-16 22-4q14-2 12 12z",
    "v2": "M-6-14q4-14 16-8q8-16 22-4q14-2 12 12zM-54 26q4-14 16-8q8-16 22-4q14-2 12 12z",
}

SHEET = (
    ".gm{--o:var(--ink)}.gm path{stroke-linejoin:round;stroke-linecap:round}.gm text{text-anchor:middle;fill:var(--ink)}"
    ".gm .q{display:none}.gm .pe,.gm defs{pointer-events:none}.gm .bk{fill:var(--halo)}.gm .l{fill:var(--land)}"
    ".gm .fo{fill:var(--out)}.gm .ga{fill:var(--f7);fill-opacity:.28}.gm .gb{fill:var(--land)}"
    ".gm .gc{fill:var(--f5);fill-opacity:.32}.gm .gd{fill:var(--edge);fill-opacity:.16}"
    ".gm>path{stroke:var(--edge);stroke-width:1.6}.gm .rim{fill:none;stroke:var(--edge);stroke-width:2}"
    ".gm .zb{fill:none;stroke:var(--edge);stroke-width:10;stroke-dasharray:75;stroke-linecap:butt}"
    ".gm .rl,.gm .cd{font-family:Georgia,'Noto Serif','DejaVu Serif',serif;font-style:italic}"
    ".gm .rl{font-size:28px;font-weight:600}.gm .cd{font-size:17px;fill-opacity:.8}"
    ".gm .cd,.gm-in,.gm .rn,.gm .ri{paint-order:stroke;stroke:var(--halo);stroke-width:3;stroke-opacity:.6}"
    ".gm .rn{font-size:17px}.gm .rn,.gm .ri{font-weight:600;text-anchor:end}.gm-in{text-anchor:middle;fill:var(--ink);font-size:16px;font-weight:600}"
    ".gm-gr{fill:none;stroke:var(--edge);stroke-width:1.6;stroke-opacity:.42}"
    ".gm-cl{fill:var(--halo);fill-opacity:.55;stroke:var(--edge);stroke-width:1.8;stroke-opacity:.75}"
    ".gm .fr{fill:none;stroke:var(--ink);stroke-width:4;stroke-opacity:.75}"
    ".gm .ba{fill:none;stroke:var(--seal);stroke-width:9}.gm .bb{fill:none;stroke:var(--sea);stroke-width:5}"
    ".gm .pz{fill:none;stroke:var(--ink);stroke-width:3}.gm-cr{fill:var(--f7);stroke:var(--ink);stroke-width:2.2}"
    ".gm-ow{fill:var(--halo);stroke:var(--o);stroke-width:3}.gm-ol{text-anchor:middle;fill:var(--ink);font-size:18px;font-weight:700}"
    ".gm-me{fill:var(--o);stroke:var(--halo);stroke-width:3}.gm .gm-on,.gm-on{fill:var(--on)}"
    ".gm .ho,.gm-ho{fill:var(--ink);stroke:var(--halo);stroke-width:1.6;paint-order:stroke}"
    ".gm-p1,.gm-p2,.gm-p3{stroke:var(--ink);stroke-width:1.6}"
    ".gm-p1{fill:var(--f2)}.gm-p2{fill:var(--f4)}.gm-p3{fill:var(--f7)}"
    ".gm .bd{fill:var(--ink);stroke:var(--halo);stroke-width:1.6;paint-order:stroke;fill-rule:evenodd}"
    ".gm .bn{fill:var(--halo);stroke:var(--ink);stroke-width:1.5;stroke-dasharray:3 2}"
    ".gm-po{fill:var(--halo);stroke:var(--ink);stroke-width:1.6}"
    ".gm .g{fill:none;stroke:var(--halo);stroke-width:11;stroke-opacity:.85}.gm .a{fill:none;stroke:var(--o);stroke-width:6}"
    ".gm .d{stroke-dasharray:10 8}.gm .x{fill:none;stroke:var(--bad);stroke-width:4.5}"
    ".gm .tk use{fill:var(--o);stroke:var(--halo);stroke-width:2.5;paint-order:stroke}"
    ".gm .tk .y{fill:var(--halo);stroke:var(--o);stroke-width:3.5;stroke-dasharray:6 4}"
    ".gm .tk text{fill:var(--on);font-weight:700;font-size:19px}.gm .tk .y+text{fill:var(--o)}.gm .tk .ld{font-size:12px}"
    ".gm .mk use{fill:none;stroke:var(--bad);stroke-width:4}.gm .mk .hb{stroke:var(--halo);stroke-width:9}"
    ".gm g .hf{fill:var(--halo);stroke:var(--halo);stroke-width:5}"
    ".gm g .nw{fill:var(--o);fill-rule:evenodd;stroke:none}"
    ".gm .kr{fill:var(--halo);stroke:var(--ink);stroke-width:3}.gm .kb{fill:none;stroke:var(--bad);stroke-width:4}"
    ".gm .h{fill:var(--halo);stroke:var(--ink);stroke-width:2}.gm .w{fill:var(--o);stroke:var(--halo)}"
    ".gm .ky text{font-size:21px;text-anchor:start}.gm .k{font-size:27px;font-weight:600;text-anchor:start}"
    ".gm .k2{font-size:23px;font-weight:400}.gm .kl{font-size:23px;font-weight:700}.gm .w+.kl{fill:var(--on)}"
    "@media(max-width:640px){.gm .wd,.gm .n2{display:none}.gm .q{display:inline}.gm .rl{font-size:38px}"
    ".gm .tk text{font-size:23px}.gm .k{font-size:40px;transform:translateY(4px)}.gm .kq text{font-size:25.5px}"
    ".gm-ol{font-size:22px}.gm .a{stroke-width:8}.gm .g{stroke-width:13}"
    ".gm>path{stroke-width:2.4}.gm .fr{stroke-width:7}.gm .pz{stroke-width:5}"
    ".gm .tk,.gm .mk,.gm .kk{transform-box:fill-box;transform-origin:50% 50%}"
    ".gm-sc{transform:translate(5px,5px) scale(1.5)}.gm .kk{transform:scale(1.25)}"
    ".gm .mk{transform-origin:100% 100%;transform:scale(1.6)}"
)
"""The rules of these pictures; the last block is left open for those of the units."""
MANY = (
    ".gm .tk .cm-r2,.gm .tk .cm-r3{fill:var(--o);stroke:var(--o);stroke-width:10}"
    ".gm .tk .cm-rg{fill:var(--halo);stroke:var(--halo);stroke-width:5}"
    ".gm .tk .pr{font-size:14px}.gm .tk .ld.pr{font-size:10px}.gm .kl.pr{font-size:21px}"
    f".gm-ol.pr{{font-size:{PAIR}px}}"
    "@media(max-width:640px){.gm .tk .pr{font-size:16px}.gm .tk .ld.pr{font-size:10px}}"
)
"""The rules of second rims and of two letters."""


def render_grid(scene: GridScene) -> str:
    """The scene as one SVG document, ending in a newline."""
    drawing = empty_document("cm gm")
    drawing.set_desc(title=scene.title, desc=scene.description)
    painter = _Painter(drawing, scene)
    painter.sheet()
    painter.land()
    painter.ground()
    painter.arrows()
    painter.words()
    painter.tokens()
    painter.marks()  # Over the units that they cross out.
    foot = painter.strip()
    width, height = painter.size
    drawing.attribs["viewBox"] = f"0 0 {width} {height + foot}"
    painter.define()
    return short_text(drawing).replace(' cx="0" cy="0"', "").replace(' baseProfile="full"', "")


class _Painter:
    """One picture in the making."""

    def __init__(self, drawing: svgwrite.Drawing, scene: GridScene) -> None:
        self.drawing = drawing
        self.scene = scene
        self.parcels = Parcels(scene.rows, scene.columns)
        self.size = (2 * RIM + CELL * scene.columns, 2 * RIM + CELL * scene.rows)
        self.plots = {plot.place: plot for plot in scene.plots}
        self.lords = shortened(sorted({plot.lord for plot in scene.plots if plot.lord}))
        self.many = looks.crowded(scene.sides.values())
        self.used: dict[str, BaseElement] = {}
        """What is drawn more than once, by id."""
        self.roomy: set[tuple[int, int]] = set()
        """How much units grow, in tenths, and how far they are shifted, in narrow pictures."""
        self.mine: dict[str, list[Token]] = defaultdict(list)
        order = {seat: index for index, seat in enumerate(scene.sides)}
        kinds = list(scene.signs.units)
        for token in sorted(
            scene.tokens, key=lambda t: (order.get(t.owner, len(order)), t.owner, t.state, kinds.index(t.kind), t.title)
        ):
            self.mine[token.place].append(token)
        self.crossed: list[tuple[Mark, Token]] = []
        """Marks that belong to a unit in the picture."""
        self.loose: dict[str, dict[str, list[Mark]]] = defaultdict(lambda: defaultdict(list))
        """Those that belong to a plot: place -> kind -> marks."""
        left = list(scene.tokens)
        for mark in sorted(scene.marks, key=lambda m: (m.kind, m.place, m.owner or "", m.title)):
            unit = next((t for t in left if (t.place, t.owner, t.state) == (mark.place, mark.owner, mark.kind)), None)
            if unit is None:
                self.loose[mark.place][mark.kind].append(mark)
            else:
                left.remove(unit)
                self.crossed.append((mark, unit))
        self.flocks = {place: self.flock(place, units) for place, units in self.mine.items()}

    def slot(self, seat: SeatId | None) -> int:
        """The side's place in the palette; 0, which is drawn in ink, for whoever is none."""
        return slot_of(self.scene.sides.get(seat or ""))

    def letter(self, seat: SeatId) -> str:
        """The letter of a side; of someone who is none, the first of the name."""
        return self.scene.sides[seat].letter if seat in self.scene.sides else seat[:1].upper()

    def titled(self, element: BaseElement, title: str) -> BaseElement:
        """The element with a tooltip."""
        element.set_desc(title=title)
        return element

    def named(self, element: BaseElement, place: str) -> BaseElement:
        """The element with its plot's name for scripts, where the scene is to be clicked."""
        if self.scene.clickable:
            element.attribs["data-region"] = self.scene.names.get(place, place)
        return element

    def sign(self, name: str, path: str, at: Vector, cls: str = "", always: str = "") -> BaseElement:
        """A shape that may stand in many places, with its class there, or the class that it has in all of them."""
        if name not in self.used:
            self.used[name] = self.drawing.path(path, id=name)
            if always:
                self.used[name].attribs["class"] = always
        element = self.drawing.use(f"#{name}")
        for axis, value in zip("xy", at, strict=True):
            if value:
                element.attribs[axis] = number(value)
        if cls:
            element.attribs["class"] = cls
        return element

    def sheet(self) -> None:
        """Room for the style sheet and shapes, which `define` fills when it is known what is needed."""
        self.style = self.drawing.style("")
        self.drawing.defs.add(self.style)

    def define(self) -> None:
        """The style sheet and every shape that was used."""
        rules = "".join(
            f".gm .z{tenths}{_signed(shift)}{{transform:translateY({shift}px) scale({tenths / 10:g})}}"
            for tenths, shift in sorted(self.roomy)
        )
        # Narrow rules for the units go into the block that the sheet leaves open.
        sheet = style(most_slot(self.scene.sides))
        roles, last = sheet[: sheet.index(".cm path{")], sheet[sheet.index("@media print") :]
        slots = sorted({self.slot(seat) for seat in self.scene.sides})
        sides = "".join(f".gm .l{n}{{fill:var(--f{n})}}.gm .o{n}{{--o:var(--i{n})}}" for n in slots)
        signs = looks.signs(self.drawing, self.scene.sides, f"{self.scene.title} {self.scene.description}")
        more = signs + (MANY if self.many else "")
        self.style.append(f"{roles}{sides}{SHEET}{rules}}}{more}{last}")
        for _, element in sorted(self.used.items()):
            self.drawing.defs.add(element)

    # The land ------------------------------------------------------------------------------------------------------

    def land(self) -> None:
        draw, scene = self.drawing, self.scene
        width, height = self.size
        self.back = draw.rect((0, 0), (width, height), class_="bk")
        draw.add(self.back)
        draw.add(draw.rect((RIM, RIM), (width - 2 * RIM, height - 2 * RIM), class_="l"))
        frame = draw.g(class_="pe")
        frame.add(draw.rect((8, 8), (width - 16, height - 16), class_="rim"))
        frame.add(draw.rect((18, 18), (width - 36, height - 36), class_="rim"))
        edges = f"M{RIM} 13H{width - RIM}M{RIM} {height - 13}H{width - RIM}M13 {RIM}V{height - RIM}M{width - 13} {RIM}V{height - RIM}"
        frame.add(draw.path(edges, class_="zb"))
        letters = draw.g(class_="rl")
        frame.add(letters)
        for row in range(scene.rows):
            y = RIM + CELL * row + CELL // 2 + 10
            for x in (40, width - 40):
                letters.add(draw.text(chr(ord("A") + row), (x, y)))
        for column in range(scene.columns):
            x = RIM + CELL * column + CELL // 2
            for y in (51, height - 30):
                letters.add(draw.text(str(column + 1), (x, y)))
        draw.add(frame)
        for row in range(scene.rows):
            for column in range(scene.columns):
                place = place_of(row, column)
                shape = draw.path(self.parcels.outline(row, column), class_="fo")
                plot = self.plots.get(place)
                if plot is not None:
                    owner = self.slot(plot.owner)
                    tint = "fo" if plot.fog else f"l{owner}" if owner else TINTS[ground_of(row, column)[0]]
                    shape.attribs["class"] = tint
                    self.named(self.titled(shape, plot.title), place)
                draw.add(shape)

    def ground(self) -> None:
        draw = self.drawing
        group = draw.g(class_="pe")
        frontier = self.parcels.frontier({place: plot.owner for place, plot in self.plots.items() if not plot.fog})
        brook = self.parcels.brook()
        lines = [draw.g(transform=f"translate(0 {self.middle(place_of(row, 0))[1]})") for row in range(self.scene.rows)]
        for place, plot in self.plots.items():
            row, column = spot_of(place)
            name = f"v{1 + _chance('v', row, column) % 2}" if plot.fog else ground_of(row, column)
            path = CLOUDS[name] if plot.fog else GROUND[name]
            at = (self.middle(place)[0], 0)
            lines[row].add(self.sign(f"g{name}", path, at, always="gm-cl" if plot.fog else "gm-gr"))
        for line in lines:
            group.add(line)
        if brook:
            group.add(self.sign("g-brook", brook, (0, 0), "ba"))
            group.add(self.sign("g-brook", brook, (0, 0), "bb"))
        if frontier:
            group.add(draw.path(frontier, class_="fr"))
        for place, plot in self.plots.items():
            if plot.prize:
                group.add(draw.path(self.parcels.outline(*spot_of(place), inset=5), class_="pz"))
        draw.add(group)

    def middle(self, place: str) -> Point:
        """The middle of a plot."""
        row, column = spot_of(place)
        return RIM + CELL * column + CELL // 2, RIM + CELL * row + CELL // 2

    # Who moved -----------------------------------------------------------------------------------------------------

    def core(self, place: str) -> Box:
        """The box of the units in a plot, or a small one where there are none."""
        if place in self.flocks:
            return self.flocks[place].box
        x, y = self.middle(place)
        return (x - 6, y - 1, x + 6, y + 11)

    def arrows(self) -> None:
        alike: dict[tuple[tuple[str, ...], SeatId, bool], list[str]] = defaultdict(list)
        for arrow in sorted(self.scene.arrows, key=lambda a: (a.ok, a.path, a.owner, a.title)):
            alike[arrow.path, arrow.owner, arrow.ok].append(arrow.title)
        lanes: dict[tuple[str, ...], list[tuple[tuple[str, ...], SeatId, bool]]] = defaultdict(list)
        for key in alike:
            lanes[min(key[0], key[0][::-1])].append(key)
        for key, titles in alike.items():
            path, owner, ok = key
            way = min(path, path[::-1])
            lane = lanes[way].index(key) - (len(lanes[way]) - 1) / 2
            self.arrow(Arrow("move", path, owner, ok, "; ".join(titles)), lane * 15 * (1 if way == path else -1))

    def arrow(self, arrow: Arrow, aside: float) -> None:
        draw = self.drawing
        group = draw.g(class_=f"o{self.slot(arrow.owner)}")
        self.titled(group, arrow.title)
        boxes = [self.core(place) for place in arrow.path]
        points: list[Vector] = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in boxes]
        if arrow.path[0][1:] == arrow.path[-1][1:] and len(arrow.path) == 2:
            # Up and down there is a lane between what is written in plots; to the right of their middles.
            points = [(x + LANE, y) for x, y in points]
        if aside:
            shifted = [turned(points[1], points[0], 0, -aside)]
            shifted += [turned(before, here, 0, aside) for before, here in itertools.pairwise(points)]
            points = shifted
        points[0] = _leaving(points[0], points[1], boxes[0], 3)
        points[-1] = _leaving(points[-1], points[-2], boxes[-1], 5)
        points = [(round(x), round(y)) for x, y in points]
        shape, head = curve(points), arrowhead(points[-2], points[-1], 15)
        group.add(draw.path(shape + head, class_="g"))
        if arrow.ok:
            group.add(draw.path(shape + head, class_="a"))
        else:
            group.add(draw.path(shape, class_="a d"))
            group.add(draw.path(head, class_="a"))
            line = sampled(points)
            group.add(draw.path(cross(line[len(line) // 2], 8), class_="x"))
        draw.add(group)

    # What is written in a plot ---------------------------------------------------------------------------------------

    def words(self) -> None:
        draw = self.drawing
        group, codes, small = draw.g(class_="pe"), draw.g(class_="cd wd"), draw.g(class_="wd")
        narrow = draw.g(class_="q", font_size=NARROW[0][1])
        for part in (codes, small, narrow):
            group.add(part)
        for row in range(self.scene.rows):
            # Everything in a row has its height in common, which is said once.
            y = RIM + CELL * row + CELL // 2
            line = [draw.g(transform=f"translate(0 {y + dy})") for dy in (-52, -52, -52, -46, 35, 57)]
            for place, plot in self.plots.items():
                if spot_of(place)[0] == row:
                    left = self.disc(line[0], place, plot)
                    self.head(line[1], line[3], left, place, plot)
                    self.narrow_head(line[2], place, plot)
                    self.foot(line[4], line[5], place, plot)
            for parent, part in zip((group, small, narrow, codes, small, small), line, strict=True):
                if part.elements:
                    parent.add(part)
        draw.add(group)

    def disc(self, group: BaseElement, place: str, plot: Plot) -> int:
        """The owner's letter; where there is room to the right of it in wide pictures."""
        draw = self.drawing
        left = self.middle(place)[0] - HALF
        if plot.owner is None:
            return left
        letter, slot = self.letter(plot.owner), self.slot(plot.owner)
        cls, said = ("gm-me", "gm-ol gm-on") if plot.own else ("gm-ow", "gm-ol")
        name = f"g{'o' if plot.own else 's'}{band_of(slot) or ''}-{letter}"
        if name not in self.used:
            disc = draw.g(id=name, class_="gm-sc")
            looks.disc(
                draw, disc, (0, 0), DISC if not band_of(slot) else DISC_RIMMED, self.scene.sides.get(plot.owner), cls
            )
            disc.add(draw.text(letter, y=[7], class_=f"{said}{looks.paired(letter)}"))
            self.used[name] = disc
        wide = len(letter) > 1
        group.add(draw.use(f"#{name}", x=left + (21 if wide else 14), class_=f"o{slot}"))
        return left + (44 if wide else 30)

    def head(self, group: BaseElement, codes: BaseElement, left: int, place: str, plot: Plot) -> None:
        """The plot's name, the lord's house and the crown of a prize, in wide pictures."""
        draw = self.drawing
        right = self.middle(place)[0] + HALF
        if plot.prize:
            group.add(self.sign("g-crown", CROWN, (right - 15, 0), always="gm-cr"))
            right -= 34
        if plot.lord:
            lord = fitting(plot.lord, NAME, right - 25 - left)
            group.add(self.sign("g-house", HOUSE, (right - 11, 1), always="gm-ho"))
            group.add(draw.text(lord, (right - 25, 7), class_="rn"))
            right -= round(width(lord, NAME)) + 28
        room = round(CODE * LETTER * len(place))
        if left + room + 6 <= right:
            codes.add(draw.text(place, x=[left + 4 + room // 2 if plot.owner is not None else left + room // 2]))

    def narrow_head(self, group: BaseElement, place: str, plot: Plot) -> None:
        """The lord's house and first letters and the crown of a prize, in narrow pictures: as large as there is room."""
        if not plot.prize and not plot.lord:
            return
        right = self.middle(place)[0] + HALF
        room = 2 * HALF
        if plot.owner is not None:
            room -= 44 if len(self.letter(plot.owner)) == 1 else 60
        short = self.lords.get(plot.lord, "")
        for size, letters in NARROW:
            wide = (31 * size + 5 if plot.prize else 0) + (24 * size + 4 + width(short, letters) if short else 0)
            if wide <= room:
                break
        if plot.prize:
            right -= 5  # Clear of the frame.
            group.add(self.scaled(self.sign("g-crown", CROWN, (0, 0), always="gm-cr"), (right - 15 * size, 9), size))
            right -= round(31 * size)
        if short:
            at = (right - 12 * size, 5 + 2 * size)
            group.add(self.scaled(self.sign("g-house", HOUSE, (0, 0), always="gm-ho"), at, size))
            text = self.drawing.text(short, (number(right - 24 * size - 4), round(5 + 0.36 * letters)), class_="ri")
            if letters != NARROW[0][1]:
                text.attribs["font-size"] = letters
            group.add(text)

    def scaled(self, element: BaseElement, at: Vector, size: float) -> BaseElement:
        """The element, so large, at a place."""
        scale = "" if size == 1 else f"scale({size:g})".replace("(0", "(")
        element.attribs["transform"] = f"translate({number(at[0])} {number(at[1])}){scale}"
        return element

    def foot(self, upper: BaseElement, lower: BaseElement, place: str, plot: Plot) -> None:
        """Buildings; and below them what the plot yields and who serves there."""
        draw, signs = self.drawing, self.scene.signs
        x = self.middle(place)[0]
        if plot.buildings:
            step = min(25.0, 2 * HALF / len(plot.buildings))
            for index, building in enumerate(plot.buildings):
                kind = building.removeprefix("+")
                name = "g-" + _short(kind, signs.buildings)
                cls = "bn" if building.startswith("+") else "bd"
                at = (x - HALF + 12 + step * index, 0)
                upper.add(self.sign(name, signs.buildings.get(kind, HUT), at, cls))
        left = x - HALF + 6 + self.yields(lower, plot, x - HALF + 6)
        if plot.posts:
            marks = 28 * len(self.loose.get(place, ()))
            step = max(4, min(13, int((x + HALF - marks - left - 2) / len(plot.posts))))
            name = f"g{step}" + "".join(_short(post, signs.posts) for post in plot.posts)
            shapes = draw.g(id=name, class_="gm-po")
            for index, post in enumerate(plot.posts):
                here = draw.path(signs.posts.get(post, DOT))
                if index:
                    here.attribs["transform"] = f"translate({step * index})"
                shapes.add(here)
            self.used.setdefault(name, shapes)
            start = x + HALF - marks - 6 - step * (len(plot.posts) - 1)
            lower.add(draw.use(f"#{name}", x=start))

    def yields(self, group: BaseElement, plot: Plot, x: float) -> float:
        """Draws pips for what a plot yields, or one and a number where there are many; their width."""
        draw = self.drawing
        amounts = [sum(amount for one, amount in plot.incomes if one == kind) for kind in self.scene.signs.yields]
        shapes_of = list(self.scene.signs.yields.values())
        if not any(amounts):
            return 0
        counted = sum(amounts) > MOST_PIPS
        name = "gi" + "-".join(map(str, amounts)).replace("-", "" if max(amounts) < 10 else "-")
        shapes, at = draw.g(id=name), 0
        for index, amount in enumerate(amounts):
            if not amount:
                continue
            (dx, dy), pip = shapes_of[index].start, shapes_of[index].path
            more = 0 if counted else amount - 1
            path = f"M{at + dx}{dy}{pip}" + f"m{PIP} 0{pip}" * more
            shapes.add(draw.path(path, class_=f"gm-p{index + 1}"))
            at += PIP * (more + 1) + 2
            if counted:
                shapes.add(draw.text(str(amount), (at + 5 * len(str(amount)) - 6, 6), class_="gm-in"))
                at += 10 * len(str(amount)) + 3
        self.used.setdefault(name, shapes)
        group.add(draw.use(f"#{name}", x=x))
        return at

    # Pieces --------------------------------------------------------------------------------------------------------

    def flock(self, place: str, units: Sequence[Token]) -> Flock:
        """Where the units of a plot stand: in the one, two or three rows in which they are largest."""
        plot = self.plots.get(place)
        x, y = self.middle(place)
        low = y + (23 if plot is not None and plot.buildings else 44)
        high = y - 37
        rim = RIMMED * any(band_of(self.slot(unit.owner)) for unit in units)
        wide = TILE[0] + max((self.led(unit) for unit in units), default=0) + rim
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
            here = min(columns, len(units) - row * columns)
            dx = (index % columns - (here - 1) / 2) * wide * size
            dy = (row - (rows - 1) / 2) * tall * size
            spots.append((x + dx, middle + dy))
        half = (min(columns, len(units)) * wide * size / 2, rows * tall * size / 2)
        box = (x - half[0], middle - half[1], x + half[0], middle + half[1])
        # In narrow pictures there is nothing else below the owner's letter but marks.
        top, bottom = -20, 30 if self.loose.get(place) else 66
        grow = min(FLOCK / (2 * half[0]), (bottom - top) / (2 * half[1]), 1.8)
        tenths = max(math.floor(grow * 10 + 1e-6), 7)
        return Flock(tuple(zip(units, spots, strict=True)), size, box, tenths, round((top + bottom) / 2 - (middle - y)))

    def tokens(self) -> None:
        self.where: dict[int, tuple[Vector, float]] = {}
        for place, flock in sorted(self.flocks.items(), key=lambda item: spot_of(item[0])):
            self.roomy.add((flock.tenths, flock.shift))
            group = self.named(self.drawing.g(class_=f"tk z{flock.tenths}{_signed(flock.shift)}"), place)
            for token, at in flock.spots:
                group.add(self.token(token, at, flock.size))
            for mark, token in self.crossed:
                if token.place == place:
                    at = next(at for unit, at in flock.spots if unit is token)
                    group.add(self.crossing(mark, at, flock.size))
            self.drawing.add(group)

    def led(self, token: Token) -> int:
        """The room of a unit's leader beside it."""
        if token.leader is None:
            return 0
        return LED if len(self.letter(token.leader)) == 1 else LED_PAIR

    def token(self, token: Token, at: Vector, size: float) -> BaseElement:
        draw = self.drawing
        led = self.led(token)
        x = at[0] - led * size / 2
        scale = "" if size == 1 else f"scale({size:g})".replace("0.", ".")
        group = draw.g(class_=f"o{self.slot(token.owner)}", transform=f"translate({round(x)} {round(at[1])}){scale}")
        self.titled(group, token.title)
        units = self.scene.signs.units
        name = "gu" + _short(token.kind, units)
        self.used.setdefault(name, draw.path(units[token.kind].path, id=name))
        letter = self.letter(token.owner)
        looks.rimmed(group, self.slot(token.owner), draw.use(f"#{name}"), draw.use(f"#{name}"))
        group.add(draw.use(f"#{name}", **({"class_": "y"} if token.state else {})))
        text = draw.text(letter, y=[units[token.kind].baseline])
        if len(letter) > 1:
            text.attribs["class"] = "pr"
        group.add(text)
        if token.leader is not None:
            badge = draw.g(transform=f"translate({led + 8 if led == LED else led + 2} 9)")
            if token.leader in self.scene.sides:
                badge.attribs["class"] = f"o{self.slot(token.leader)}"
            letter = self.letter(token.leader)
            looks.disc(draw, badge, (0, 0), 8, self.scene.sides.get(token.leader), "w kd")
            badge.add(draw.text(letter, y=[4.5], class_=f"ld{looks.paired(letter)}"))
            group.add(badge)
        return group

    def crossing(self, mark: Mark, at: Vector, size: float) -> BaseElement:
        """The mark of a unit that is new or gone."""
        draw = self.drawing
        group = draw.g(class_=f"o{self.slot(mark.owner)}")
        self.titled(group, mark.title)
        if mark.kind == "gone":
            group.add(draw.path(cross(at, round(13 * size)), class_="x"))
        for cls in ("hf", "nw"):
            sign = self.sign(f"g-{mark.kind}", CHANGES[mark.kind], (0, 0), cls)
            group.add(self.scaled(sign, (at[0] + 11 * size, at[1] - 12 * size), 0.7))
        return group

    def marks(self) -> None:
        draw = self.drawing
        for place, kinds in sorted(self.loose.items(), key=lambda item: spot_of(item[0])):
            x, y = self.middle(place)
            row = draw.g(class_="mk")
            for index, (kind, marks) in enumerate(sorted(kinds.items())):
                at = (x + HALF - 13 - 28 * (len(kinds) - 1 - index), y + 54)
                group = self.titled(draw.g(), "; ".join(dict.fromkeys(mark.title for mark in marks)))
                if kind == "battle":
                    under, over, path = "hb", "bt", BATTLE
                elif kind in CHANGES:
                    under, over, path = "hf", "nw", CHANGES[kind]
                    owners = {mark.owner for mark in marks}
                    group.attribs["class"] = f"o{self.slot(marks[0].owner) if len(owners) == 1 else 0}"
                else:
                    raise ValueError(f"no such mark: {kind}")
                group.add(self.sign(f"g-{kind}", path, at, under))
                group.add(self.sign(f"g-{kind}", path, at, over))
                row.add(group)
            draw.add(row)

    # Below the map ---------------------------------------------------------------------------------------------------

    def strip(self) -> int:
        """What is said below the map: standings, attendants, and what the signs mean; its height."""
        draw = self.drawing
        room, height = self.size[0] - 40, self.size[1]
        top: int = height
        blocks = self.blocks()
        group = draw.g()
        if blocks:
            need = max(
                (102 if self.many else 80) + max(width(text, 27), width(short, SAID), width(text, SAID) if first else 0)
                for block in blocks
                for first, (_, text, short) in zip((True, *[False] * len(block)), block, strict=False)
            )
            spots, lines = looks.columns([len(block) for block in blocks], need, room)
            for (left, above), block in zip(spots, blocks, strict=True):
                for line, (who, text, short) in enumerate(block):
                    y = top + 8 + ENTRY * (above + line) + ENTRY // 2
                    group.add(self.entry(round(28 + left), y, who, text, short, first=not line))
            top += 16 + ENTRY * lines
        # Wide pictures explain more signs, narrow ones larger ones: each as high as the higher of the two.
        signs = self.signs()
        both = [[one for one in signs if one.narrow or not narrow] for narrow in (False, True)]
        keys = [_flowing(found, room / size, letters) for found, (_, letters, size) in zip(both, KEYS, strict=True)]
        tall = max(key[0] * len(found) for found, key in zip(keys, KEYS, strict=True))
        for rows, (_, _, size), cls in zip(keys, KEYS, ("ky wd", "ky kq q"), strict=True):
            part = draw.g(class_=cls)
            for index, entries in enumerate(rows):
                at = (28, round(top + tall * (index + 0.5) / len(rows)))
                line = self.scaled(draw.g(), at, size)
                for x, one in entries:
                    line.add(self.sign(one.name, one.path, (x + 18, 0), one.cls))
                    line.add(draw.text(one.label, (x + 42, 8)))
                part.add(line)
            if rows:
                group.add(part)
        if signs:
            top += tall + 8
        self.back.attribs["height"] = top
        draw.add(group)
        return top - height

    def blocks(self) -> list[list[tuple[SeatId | None, str, str]]]:
        """Each side with those beside it, then those beside none: who, what is said, and in short."""
        scene = self.scene
        found: list[list[tuple[SeatId | None, str, str]]] = []
        for seat, text in scene.standings:
            beside = [(one.who, one.text, one.short) for one in scene.attendants if one.at == seat]
            found.append([(seat, f"{scene.sides[seat].name} {text}".strip(), text), *beside])
        found += [[(one.who, one.text, one.short)] for one in scene.attendants if one.at is None]
        return found

    def entry(self, x: float, y: float, who: SeatId | None, text: str, short: str, *, first: bool) -> BaseElement:
        """A disc with someone's letter, and a text; in narrow pictures a short one, unless it is the first."""
        draw = self.drawing
        group = draw.g(class_=f"o{self.slot(who)}" if who in self.scene.sides else "o")
        disc = draw.g(class_="kk")
        side = self.scene.sides.get(who or "")
        # Two letters and second rims need more room.
        at, start, radius = (x + 32, x + 74, 16) if self.many else (x + 20, x + 52, 19)
        looks.disc(draw, disc, (at, y), radius, side, "w" if side is not None else "h")
        if who is not None:
            letter = self.letter(who)
            cls = "kl" if side is not None else "hl"
            disc.add(draw.text(letter, (at, y + 8), class_=f"{cls}{looks.paired(letter)}"))
        group.add(disc)
        if first or text == short:
            group.add(draw.text(text, (start, y + 10), class_="k" if first else "k k2"))
        else:
            group.add(draw.text(text, (start, y + 10), class_="k k2 n2"))
            group.add(draw.text(short, (start, y + 10), class_="k k2 q"))
        return group

    def signs(self) -> list[Sign]:
        """What the signs in this picture mean, as far as they are in it."""
        signs, plots, marked = self.scene.signs, self.scene.plots, {mark.kind for mark in self.scene.marks}
        found: list[Sign] = []
        for index, (kind, pip) in enumerate(signs.yields.items()):
            if any(one == kind and amount for plot in plots for one, amount in plot.incomes):
                path = f"M{pip.start[0]} {pip.start[1]}{pip.path}"
                found.append(Sign(kind, f"k-{kind}", path, f"gm-p{index + 1}", narrow=False))
        for kind, unit in signs.units.items():
            if any(token.kind == kind for token in self.scene.tokens):
                found.append(Sign(kind, "gu" + _short(kind, signs.units), unit.path, "ho"))
        if any(plot.lord for plot in plots):
            found.append(Sign("home", "g-house", HOUSE, ""))
        if any(plot.prize for plot in plots):
            found.append(Sign("prize", "g-crown", CROWN, ""))
        if any(plot.own for plot in plots):
            found.append(Sign("a player’s own", "k-own", _ring(11), "ho"))
        if any(plot.owner is not None and not plot.own for plot in plots):
            found.append(Sign("its side’s", "k-side", _ring(10), "kr"))
        for kind, path in signs.buildings.items():
            if any(one.removeprefix("+") == kind for plot in plots for one in plot.buildings):
                found.append(Sign(kind, "g-" + _short(kind, signs.buildings), path, "bd", narrow=False))
        if any(one.startswith("+") for plot in plots for one in plot.buildings):
            found.append(Sign("being built", "k-site", "M-8-8h16v16h-16z", "bn", narrow=False))
        for kind, path in signs.posts.items():
            if any(kind in plot.posts for plot in plots):
                found.append(Sign(kind, f"k-{kind}", path, "gm-po", narrow=False))
        if "battle" in marked:
            found.append(Sign("battle", "g-battle", BATTLE, "bt kb"))
        if "new" in marked:
            found.append(Sign("unit raised", "g-new", FRESH, "nw"))
        if "gone" in marked:
            found.append(Sign("unit lost", "g-gone", LOST, "nw"))
        if any(plot.fog for plot in plots):
            found.append(Sign("unknown", "k-fog", "M-14 6q1-9 8-6q4-9 11-2q7-1 7 8z", "gm-cl"))
        return found


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that the key explains: what it means, its shape's id and path, its class, whether narrow pictures have it."""

    label: str
    name: str
    path: str
    cls: str
    narrow: bool = True


def _flowing(signs: Sequence[Sign], room: float, letters: float) -> list[list[tuple[int, Sign]]]:
    """Signs with their labels in as few lines as there is room for, each with how far from the left it begins."""
    lines: list[list[tuple[int, Sign]]] = []
    x = room
    for one in signs:
        wide = 42 + width(one.label, letters * REGULAR)
        if not lines or x + wide > room:
            lines.append([])
            x = 0
        lines[-1].append((round(x), one))
        x += wide + 20
    return lines


@dataclass(frozen=True, slots=True)
class Flock:
    """The units of a plot: where each stands, how large they are, the box around them, and how narrow pictures differ."""

    spots: tuple[tuple[Token, Vector], ...]
    size: float
    box: Box
    tenths: int
    shift: int


TINTS = {"f": "ga", "m": "gb", "w": "gc", "h": "gd"}


def place_of(row: int, column: int) -> str:
    """The name of a plot: row B, column 3 is `B3`."""
    return f"{chr(ord('A') + row)}{column + 1}"


def spot_of(place: str) -> tuple[int, int]:
    """Row and column of a plot, from 0."""
    return ord(place[0]) - ord("A"), int(place[1:]) - 1


def shortened(names: Sequence[str]) -> dict[str, str]:
    """Each name's first letter; two or three letters where names begin alike."""
    found = {}
    for name in names:
        for length in range(1, NAMES_SHORT + 1):
            if sum(other[:length] == name[:length] for other in names) == 1:
                break
        found[name] = name[:length]
    return found


def fitting(name: str, size: float, room: float) -> str:
    """The name where there is room for it, else its first letters and a full stop."""
    if width(name, size) <= room:
        return name
    lengths = range(len(name) - 1, 1, -1)
    return next((f"{name[:n]}." for n in lengths if width(f"{name[:n]}.", size) <= room), f"{name[:1]}.")


# The land ----------------------------------------------------------------------------------------------------------


def _chance(what: str, *at: int) -> int:
    """A number that depends on what and where alone."""
    return crc32(f"{what} {' '.join(map(str, at))}".encode())


def _spread(most: int, what: str, *at: int) -> int:
    """A whole number from -most to most."""
    return _chance(what, *at) % (2 * most + 1) - most


def _height(what: str, row: int, column: int) -> float:
    """A smooth landscape between 0 and 1: chance on every third line, and between them what lies between."""
    (r, fr), (c, fc) = ((int(v // 3), v % 3 / 3) for v in (row + 0.5, column + 0.5))
    corner = [[_chance(what, r + dr, c + dc) % 1000 / 1000 for dc in (0, 1)] for dr in (0, 1)]
    upper, lower = (line[0] + (line[1] - line[0]) * fc for line in corner)
    return upper + (lower - upper) * fr


def ground_of(row: int, column: int) -> str:
    """What the ground of a plot looks like: woods and hills lie together, the rest is fields and meadows."""
    pick = _chance("pick", row, column)
    if _height("wood", row, column) > 0.6:
        return f"w{1 + pick % 2}"
    if _height("hill", row, column) > 0.62:
        return f"h{1 + pick % 2}"
    return f"f{1 + pick // 7 % 3}" if pick % 5 < 3 else f"m{1 + pick // 7 % 2}"


@dataclass(frozen=True, slots=True)
class Border:
    """A stretch of border: from a corner, bending towards `turn`, to the next corner."""

    start: Point
    turn: Point
    end: Point

    def back(self) -> Border:
        """The same line, walked the other way."""
        return Border(self.end, self.turn, self.start)

    def path(self) -> str:
        """The line from its start, as a path's relative commands."""
        (x, y), (u, v), (p, q) = self.start, self.turn, self.end
        return f"q{_pair(u - x, v - y)}{_next(p - x, q - y)}"


class Parcels:
    """The borders of a grid of plots, which wander a little; everything in whole numbers."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows = rows
        self.columns = columns

    def corner(self, row: int, column: int) -> Point:
        """Where four plots meet; at the map's edge corners stay on it."""
        x, y = RIM + CELL * column, RIM + CELL * row
        dx = _spread(WANDER, "x", row, column) if 0 < column < self.columns else 0
        dy = _spread(WANDER, "y", row, column) if 0 < row < self.rows else 0
        return x + dx, y + dy

    def border(self, row: int, column: int, *, down: bool) -> Border:
        """The border that goes right, or down, from a corner."""
        start = self.corner(row, column)
        end = self.corner(row + 1, column) if down else self.corner(row, column + 1)
        rim = column in (0, self.columns) if down else row in (0, self.rows)
        # Curves reach half as far as they are drawn.
        bow = 0 if rim else _spread(BOW, "bow", row, column, down)
        way = _spread(CELL // 4, "way", row, column, down)
        x, y = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        return Border(start, (x + bow, y + way) if down else (x + way, y + bow), end)

    def around(self, row: int, column: int) -> tuple[Border, Border, Border, Border]:
        """A plot's borders, clockwise from its upper left corner."""
        return (
            self.border(row, column, down=False),
            self.border(row, column + 1, down=True),
            self.border(row + 1, column, down=False).back(),
            self.border(row, column, down=True).back(),
        )

    def outline(self, row: int, column: int, inset: int = 0) -> str:
        """A plot's outline as a path, moved inwards by so much."""
        borders = self.around(row, column)
        if inset:
            x, y = RIM + CELL * column + CELL // 2, RIM + CELL * row + CELL // 2

            def inner(point: Point) -> Point:
                part = 1 - 2 * inset / CELL
                return round(x + (point[0] - x) * part), round(y + (point[1] - y) * part)

            walk = [Border(*map(inner, (b.start, b.turn, b.end))) for b in borders]
        else:
            walk = list(borders)
        return f"M{_pair(*walk[0].start)}{''.join(b.path() for b in walk)}z"

    def frontier(self, owners: dict[str, SeatId | None]) -> str:
        """Every border between two plots of which somebody owns one, and not the same somebody the other."""
        found = []
        for row in range(self.rows):
            for column in range(self.columns):
                owner = owners.get(place_of(row, column))
                for down, other in ((True, place_of(row, column - 1)), (False, place_of(row - 1, column))):
                    if owners.get(other) != owner and (column if down else row):
                        found.append(self.border(row, column, down=down))
        parts, here = [], None
        while found:
            # On from where the last one ended, if any border goes on from there.
            ahead = (one for border in found for one in (border, border.back()) if one.start == here)
            border = next(ahead, found[0])
            parts.append(border.path() if border.start == here else f"M{_pair(*border.start)}{border.path()}")
            here = border.end
            found = [one for one in found if one not in (border, border.back())]
        return "".join(parts)

    def brook(self) -> str:
        """A brook along borders, from the upper edge to the lower one."""
        if self.columns < 4 or self.rows < 4:
            return ""
        column = 1 + self.columns // 4
        parts = [f"M{_pair(*self.corner(0, column))}"]
        for row in range(self.rows):
            parts.append(self.border(row, column, down=True).path())
            aside = _chance("brook", row) % 3 - (1 if row % 2 else 0)
            if row < self.rows - 1 and aside > 0 and column < self.columns - 1:
                parts.append(self.border(row + 1, column, down=False).path())
                column += 1
            elif row < self.rows - 1 and aside < 0 and column > 1:
                column -= 1
                parts.append(self.border(row + 1, column, down=False).back().path())
        return "".join(parts)


def _short(kind: str, kinds: Mapping[str, object]) -> str:
    """One letter for each of some kinds, for ids."""
    return ascii_lowercase[list(kinds).index(kind)] if kind in kinds else "z"


# Geometry ----------------------------------------------------------------------------------------------------------


def _pair(x: int, y: int) -> str:
    return f"{x}{y}" if y < 0 else f"{x} {y}"


def _next(x: int, y: int) -> str:
    """A pair after another one."""
    return _pair(x, y) if x < 0 else f" {_pair(x, y)}"


def _signed(shift: int) -> str:
    """A number as a part of a class name."""
    return f"u{-shift}" if shift < 0 else f"d{shift}"


def _ring(radius: int) -> str:
    return f"M0-{radius}a{radius} {radius} 0 1 1-.1 0z"


def _leaving(start: Vector, toward: Vector, box: Box, gap: float) -> Vector:
    """Where the way from a point in a box leaves it, and a little farther; never past a third of the way."""
    dx, dy = toward[0] - start[0], toward[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    parts = [0.45]
    if dx:
        parts.append(((box[2] if dx > 0 else box[0]) - start[0]) / dx + gap / length)
    if dy:
        parts.append(((box[3] if dy > 0 else box[1]) - start[1]) / dy + gap / length)
    part = max(0.0, min(parts))
    return start[0] + dx * part, start[1] + dy * part
