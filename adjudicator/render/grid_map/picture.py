"""A picture of estates in the making: what its parts share."""

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
"""From a plot's middle to the edge of what is written in it; borders wander beyond."""


class Picture:
    """One picture in the making: the scene, what stands where in it, and its document."""

    def __init__(self, drawing: svgwrite.Drawing, scene: GridScene) -> None:
        self.drawing = drawing
        self.scene = scene
        self.parcels = Parcels(scene.rows, scene.columns)
        self.size = (2 * RIM + CELL * scene.columns, 2 * RIM + CELL * scene.rows)
        self.plots = {plot.place: plot for plot in scene.plots}
        self.back = drawing.rect((0, 0), self.size, class_="bk")
        """The ground of the whole picture, which grows with what is said below the map."""
        self.many = looks.is_crowded(scene.sides.values())
        self.used: dict[str, BaseElement] = {}
        """What is drawn more than once, by id."""
        self.roomy: set[tuple[int, int]] = set()
        """How much units grow, in tenths, and how far they are shifted, in narrow pictures."""
        self.units: dict[str, list[Token]] = defaultdict(list)
        """Place -> the units there, in their order."""
        order = {seat: index for index, seat in enumerate(scene.sides)}
        kinds = list(scene.signs.units)
        for token in sorted(
            scene.tokens,
            key=lambda t: (order.get(t.owner or "", len(order)), t.owner or "", t.state, kinds.index(t.kind), t.title),
        ):
            self.units[token.place].append(token)
        self.crossed: list[tuple[Mark, Token]] = []
        """Marks of a unit in the picture, and the unit."""
        self.loose: dict[str, dict[str, list[Mark]]] = defaultdict(lambda: defaultdict(list))
        """Marks of a plot: place -> kind -> marks."""
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
        """The letter of a side; for another seat the first of the name, and nothing for nobody."""
        if seat is None:
            return ""
        return self.scene.sides[seat].letter if seat in self.scene.sides else seat[:1].upper()

    def add_title(self, element: BaseElement, title: str) -> BaseElement:
        """Gives the element a tooltip, and returns it."""
        element.set_desc(title=title)
        return element

    def add_name(self, element: BaseElement, place: str) -> BaseElement:
        """Gives the element its plot's name for scripts, if the scene is to be clicked, and returns it."""
        if self.scene.clickable:
            element.attribs["data-region"] = self.scene.names.get(place, place)
        return element

    def use_sign(self, name: str, path: str, at: Vector, cls: str = "", always: str = "") -> BaseElement:
        """A use of a shape that stands in many places: `cls` is its class in this one, `always` that in all."""
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
        """Adds an empty style sheet, which `fill_sheet` fills when it is known what is needed."""
        self.style = self.drawing.style("")
        self.drawing.defs.add(self.style)

    def fill_sheet(self) -> None:
        """Writes the style sheet and every shape that was used."""
        rules = "".join(
            f".gm .z{tenths}{signed(shift)}{{transform:translateY({shift}px) scale({tenths / 10:g})}}"
            for tenths, shift in sorted(self.roomy)
        )
        # Narrow rules for the units go into the block that the sheet leaves open.
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
        """Moves the element to a point and scales it, and returns it."""
        scale = "" if size == 1 else f"scale({size:g})".replace("(0", "(")
        element.attribs["transform"] = f"translate({number(at[0])} {number(at[1])}){scale}"
        return element


@dataclass(frozen=True, slots=True)
class Flock:
    """The units of a plot: where each stands, their size and box, and how narrow pictures enlarge and shift them."""

    spots: tuple[tuple[Token, Vector], ...]
    size: float
    box: Box
    tenths: int
    shift: int


def signed(shift: int) -> str:
    """A number as a part of a class name."""
    return f"u{-shift}" if shift < 0 else f"d{shift}"


def letter_of(kind: str, kinds: Mapping[str, object]) -> str:
    """A letter for each of these kinds, for ids; z for a kind that is not among them."""
    return ascii_lowercase[list(kinds).index(kind)] if kind in kinds else "z"
