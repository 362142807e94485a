"""The shared state of a picture of estates while its parts are being painted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from string import ascii_lowercase

import svgwrite
from svgwrite.base import BaseElement

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.geometry import Vector, number
from adjudicator.render.grid_map.parcels import CELL, RIM, Parcels, spot_of
from adjudicator.render.grid_map.sheet import MANY, SHEET
from adjudicator.render.outlines import Box, Point
from adjudicator.render.palette import most_slot, slot_of, style
from adjudicator.render.scenes import GridScene, Mark, Token

HALF = 66
"""Distance from a plot's middle to the edge of its texts; its borders are farther out."""


class Picture:
    """The state of one picture: the scene, the things in each place, and the document."""

    def __init__(self, drawing: svgwrite.Drawing, scene: GridScene) -> None:
        self.drawing = drawing
        self.scene = scene
        self.parcels = Parcels(scene.rows, scene.columns)
        self.size = (2 * RIM + CELL * scene.columns, 2 * RIM + CELL * scene.rows)
        self.plots = {plot.place: plot for plot in scene.plots}
        self.back = drawing.rect((0, 0), self.size, class_="bk")
        """The background of the whole picture, which grows with the strip below the map."""
        self.many = looks.is_crowded(scene.sides.values())
        self.used: dict[str, BaseElement] = {}
        """Shapes that are drawn more than once, by id."""
        self.roomy: set[tuple[int, int]] = set()
        """Pairs of a scale in tenths and a shift down, which units have in narrow pictures."""
        self.units: dict[str, list[Token]] = defaultdict(list)
        """Place -> the units there, sorted."""
        order = {seat: index for index, seat in enumerate(scene.sides)}
        kinds = list(scene.signs.units)
        for token in sorted(
            scene.tokens,
            key=lambda t: (order.get(t.owner or "", len(order)), t.owner or "", t.state, kinds.index(t.kind), t.title),
        ):
            self.units[token.place].append(token)
        self.crossed: list[tuple[Mark, Token]] = []
        """The marks of units in the picture, each with its unit."""
        self.loose: dict[str, dict[str, list[Mark]]] = defaultdict(lambda: defaultdict(list))
        """Marks without a unit: place -> kind -> marks."""
        left = list(scene.tokens)
        for mark in sorted(scene.marks, key=lambda m: (m.kind, m.place, m.owner or "", m.title)):
            unit = next((t for t in left if (t.place, t.owner, t.state) == (mark.place, mark.owner, mark.kind)), None)
            if unit is None:
                self.loose[mark.place][mark.kind].append(mark)
            else:
                left.remove(unit)
                self.crossed.append((mark, unit))

    def slot(self, seat: SeatId | None) -> int:
        """The side's number in the palette; 0, which is drawn in ink, if the seat is not a side."""
        return slot_of(self.scene.sides.get(seat or ""))

    def letter(self, seat: SeatId | None) -> str:
        """The letter of a side; for another seat the first letter of its name; empty for None."""
        if seat is None:
            return ""
        return self.scene.sides[seat].letter if seat in self.scene.sides else seat[:1].upper()

    def add_title(self, element: BaseElement, title: str) -> BaseElement:
        """Give the element a tooltip, and return the element."""
        element.set_desc(title=title)
        return element

    def add_name(self, element: BaseElement, place: str) -> BaseElement:
        """Give the element its plot's name for scripts, if the scene is clickable, and return the element."""
        if self.scene.clickable:
            element.attribs["data-region"] = self.scene.names.get(place, place)
        return element

    def use_sign(self, name: str, path: str, at: Vector, cls: str = "", always: str = "") -> BaseElement:
        """Use a shape that appears in many places: `cls` is its class in this place, `always` its class in all."""
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

    def add_sheet(self) -> None:
        """Add an empty style sheet; `fill_sheet` fills it once all needed rules are known."""
        self.style = self.drawing.style("")
        self.drawing.defs.add(self.style)

    def fill_sheet(self) -> None:
        """Write the style sheet and every used shape."""
        rules = "".join(
            f".gm .z{tenths}{signed(shift)}{{transform:translateY({shift}px) scale({tenths / 10:g})}}"
            for tenths, shift in sorted(self.roomy)
        )
        # The units' rules for narrow pictures go into the block that the sheet leaves open.
        sheet = style(most_slot(self.scene.sides))
        roles = sheet[: sheet.index(".cm path{")]
        slots = sorted({self.slot(seat) for seat in self.scene.sides})
        sides = "".join(f".gm .l{n}{{fill:var(--f{n})}}.gm .o{n}{{--o:var(--i{n})}}" for n in slots)
        signs = looks.signs(self.drawing, self.scene.sides, f"{self.scene.title} {self.scene.description}")
        more = signs + (MANY if self.many else "")
        self.style.append(f"{roles}{sides}{SHEET}{rules}}}{more}")
        for _, element in sorted(self.used.items()):
            self.drawing.defs.add(element)

    def middle(self, place: str) -> Point:
        """The middle of a plot."""
        row, column = spot_of(place)
        return RIM + CELL * column + CELL // 2, RIM + CELL * row + CELL // 2

    def put_at(self, element: BaseElement, at: Vector, size: float) -> BaseElement:
        """Move the element to a point, scale it, and return it."""
        scale = "" if size == 1 else f"scale({size:g})".replace("(0", "(")
        element.attribs["transform"] = f"translate({number(at[0])} {number(at[1])}){scale}"
        return element


@dataclass(frozen=True, slots=True)
class Flock:
    """The units of a plot: their positions, size and box, and their scale (in tenths) and shift in narrow pictures."""

    spots: tuple[tuple[Token, Vector], ...]
    size: float
    box: Box
    tenths: int
    shift: int


def signed(shift: int) -> str:
    """A number as a part of a class name."""
    return f"u{-shift}" if shift < 0 else f"d{shift}"


def letter_of(kind: str, kinds: Mapping[str, object]) -> str:
    """The letter that represents a kind in ids, from its place in `kinds`; z for an unknown kind."""
    return ascii_lowercase[list(kinds).index(kind)] if kind in kinds else "z"
