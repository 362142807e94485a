"""A board of provinces as SVG: land and sea, owners, names, units, and every order with its verdict.

Later shapes cover earlier ones. The same scene gives the same bytes: orders have whole coordinates, everything else at most one
decimal, marks come in a fixed order, and nothing depends on time or place.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

import svgwrite

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import overlords, sides
from adjudicator.render.crosses import SIZE, Crosses
from adjudicator.render.geometry import (
    Vector,
    arrowhead,
    between,
    circle,
    corners,
    cross,
    number,
    path_of,
    sample,
    trim,
    turn_point,
    whole,
    whole_curve,
)
from adjudicator.render.hatch import hatching
from adjudicator.render.outlines import Box, Point, Sign, border_on, lines_apart
from adjudicator.render.palette import band_of, most_slot, settled, slot_of, style
from adjudicator.render.part import is_far, part_of
from adjudicator.render.parts import disc, lettering, stroke, tooltip
from adjudicator.render.room import CENTRE, Perch, Room, room_of
from adjudicator.render.scenes import Area, Arrow, Crown, Frame, Mark, ProvinceScene, Token
from adjudicator.render.strip import MANY, Strip
from adjudicator.render.svg import element, element_text, words
from adjudicator.render.trim import trimmed

TOKEN = 21
"""Half the width of a unit."""
HEAD = 15
"""The length of an arrow's head."""
KNOB = 4.5
"""The radius of the knob at the end of a support."""
ARC, BOWED = 33, 105
"""Distance from a unit's middle to the arc of a support to hold; units at most `BOWED` apart get a line that bows out."""
BROKEN, GAP = 35, math.radians(38)
"""The radius of a dislodged unit's ring, and half the angle of its opening."""
LEADER = 12
"""Half the width of a leader's disc."""
BEYOND = 62
"""Distance from a unit's middle to a bar beyond the disc of its leader."""
BAR = 13
"""Half the length of the bar that a sortie ends in."""
RETINUE = (
    ".cm .k2{font-size:24px;font-weight:400}.cm .gl{font-size:17px}@media(max-width:640px){.cm .k2{font-size:44px}}"
)
"""Style of the texts of attendants and leaders."""
RINGS = (
    ".cm .xg{fill:none;stroke:var(--halo);stroke-width:9}"
    ".cm .xr{fill:none;stroke:var(--bad);stroke-width:5.5;stroke-dasharray:15 8;stroke-linecap:butt}"
    ".cm .xh,.cm .xt{fill:none;stroke:var(--bad);stroke-width:5}.cm .xt{stroke-width:3}"
    "@media(max-width:640px){.cm .xg,.cm .xr,.cm .xh{transform:scale(1.15)}}"
)
"""Style of the rings around dislodged units."""
SIGNS = (
    ".cm .sr{fill:none;stroke:var(--edge);stroke-width:2.6}.cm .sn{fill:none;stroke:var(--edge);stroke-width:2}"
    ".cm .sw{fill:none;stroke:var(--edge);stroke-width:11}.cm .sv{fill:none;stroke:var(--sea);stroke-width:7.5}"
    ".cm .so{fill:var(--ink);stroke:var(--halo);stroke-width:2.5}"
    ".cm .sh{fill:none;stroke:var(--halo);stroke-width:9}.cm .sl{fill:none;stroke:var(--ink);stroke-width:5.5}"
    ".cm .si{fill:none;stroke:var(--halo);stroke-width:2}.cm .sd{fill:var(--halo);stroke:var(--ink);stroke-width:2.5}"
)
"""Style of a board's signs, which show more than the lines between provinces can."""


def render(scene: ProvinceScene) -> str:
    """The scene as one SVG document, ending in a newline."""
    painter = _Painter(scene)
    painter.orders()
    # Later layers cover earlier ones.
    layers = (
        painter.board(),
        painter.broken_rings(),
        painter.lines_text(),
        painter.centres(),  # Over the arrows: the small letter in a ring shows its owner.
        painter.crowns(),
        painter.disbanded(),  # Under names, and under the units that it crosses out, so that their letters stay readable.
        _names_layer(painter.room, scene.seas),  # Over the arrows, so that every name stays readable.
        painter.tokens(),
        painter.marks(),
        painter.strip.drawn(),
    )
    picture = f"{painter.head()}{''.join(layers)}</svg>\n"
    return picture if scene.frame is None else trimmed(picture)


# Constant parts of a board -------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def _waters(room: Room, seas: frozenset[str], names: tuple[tuple[str, str], ...]) -> str:
    """Seas and land out of play; `names` name the seas for scripts if the scene is clickable."""
    name_of, shapes = dict(names), room.outlines.provinces
    if room.settled:
        # Shapes are cut outside the visible part, and there two neighbours may differ in the border that they share.
        drawn = [stroke(shape.path, "s") for code, shape in shapes.items() if code in seas]
    elif name_of:
        drawn = [
            element("path", class_="s", d=shapes[code].path, **{"data-region": name_of.get(code, "")})
            for code in shapes
            if code in seas
        ]
    else:
        # The background is sea, and land has its own edge: only the borders between seas remain to draw, each once.
        wet, dry = ([shape.path for code, shape in shapes.items() if (code in seas) is sea] for sea in (True, False))
        drawn = [stroke(lines, "s") for lines in (lines_apart(wet, dry),) if lines]
    # Inland waters out of play are drawn as sea, the rest as unowned land.
    drawn += [stroke(shape.path, "s" if shape.name.endswith("Sea") else "u") for shape in room.outlines.neutral]
    return "".join(drawn)


@functools.lru_cache(maxsize=64)
def _signs(room: Room, *, clickable: bool) -> str:
    """The board's crossings and signs, drawn over the land."""
    lines = (element("path", class_="l", d=f"M{x1} {y1}L{x2} {y2}") for _, _, x1, y1, x2, y2 in room.outlines.crossings)
    signs = (
        _sign(sign, clickable=clickable) for sign in sorted(room.outlines.signs, key=lambda sign: _OVER[sign.kind])
    )
    return "".join((*lines, *signs))


def _sign(sign: Sign, *, clickable: bool) -> str:
    """Draw a sign of the board: a ridge, a strait, an arrowhead, a link."""
    parts = [tooltip(sign.title)] if sign.title else []
    match sign.kind:
        case "link":
            # A double line in the colour of text: orders are single lines, in their powers' colours.
            parts += [element("path", class_=cls, d=sign.path) for cls in ("sh", "sl", "si")]
            parts += [element("circle", class_="sd", cx=str(x), cy=str(y), r="7") for x, y in sign.ends]
        case "water":
            parts += [element("path", class_=cls, d=sign.path) for cls in ("sw", "sv")]
        case "ridge":
            parts.append(element("path", class_="sr", d=sign.path))
        case "one-way":
            parts.append(element("path", class_="so", d=sign.path))
        case "nobody":
            parts.append(element("path", class_="sn", d=sign.path))
        case _:
            assert_never(sign.kind)
    # A tap on a sign means the province below it.
    return element("g", "".join(parts), **({"pointer-events": "none"} if clickable else {}))


@functools.lru_cache(maxsize=4096)
def _land(path: str, classes: str, title: str, region: str) -> str:
    """A region of land with its tooltip; `region` is its name for scripts."""
    return element("path", tooltip(title), class_=classes, d=path, **({"data-region": region} if region else {}))


@functools.lru_cache(maxsize=64)
def _names_layer(room: Room, seas: frozenset[str]) -> str:
    """Names of provinces in wide pictures if they fit; otherwise, and in narrow pictures, their codes."""
    alike: dict[str, list[str]] = defaultdict(list)
    """Class -> the text elements with this class."""
    for code in room.named:
        sea = " z" if code in seas else ""
        x, y = room.outlines.provinces[code].label
        if code not in room.fits or not room.settled:
            alike[f"c q{sea}" if code in room.fits else f"c{sea}"].append(lettering(code, x, y, ""))
        if code in room.fits:
            left, top, lines = room.fits[code]
            alike[f"n{sea}"] += [lettering(line, left, round(top + at * 17.6), "") for at, line in enumerate(lines)]
    return "".join(element("g", "".join(texts), class_=look) for look, texts in alike.items())


@functools.lru_cache(maxsize=4096)
def _centre(x: float, y: float, side: Side) -> str:
    """A supply centre's ring with its owner's letter or letters, and a rim if the owner has one."""
    letter = lettering(side.letter, 0, overlords.FULL, f"hl{sides.pair_class(side.letter)}")
    inside = disc((0, 0), CENTRE, side, "h w") + letter
    return element("g", inside, class_=f"o{slot_of(side)}", transform=f"translate({number(x)} {number(y)})")


@functools.lru_cache(maxsize=4096)
def _centres(spots: tuple[Point, ...], side: Side | None, *, hollow: bool) -> str:
    """Rings of supply centres, each with the letter of a plain side; hollow if the side rules them without owning them.

    The rings of a power without a colour are hollow as well. Unowned centres have a small ring inside.
    """
    if side is None:
        return _rings(spots, *((CENTRE,) if hollow else (CENTRE, 3.4)))
    # One text element can place each letter separately.
    below = overlords.HOLLOW if hollow else overlords.FULL
    across, down = (" ".join(map(number, values)) for values in zip(*((x, y + below) for x, y in spots), strict=True))
    letters = f'<text class="hl" x="{across}" y="{down}">{words(side.letter * len(spots))}</text>'
    return element("g", _rings(spots, CENTRE, more=" hv" if hollow else " w") + letters, class_=f"o{slot_of(side)}")


def _rings(spots: Iterable[Point], *sizes: float, more: str = "") -> str:
    """Rings of these sizes around each spot, all of one class."""
    rings = "".join(f'<circle cx="{x}" cy="{y}" r="{size}"/>' for x, y in spots for size in sizes)
    return element("g", rings, class_=f"h{more}")


def _is_plain(side: Side) -> bool:
    """True if a side's rings can be drawn together: without rims, and with one letter that its neighbours do not change."""
    return not band_of(slot_of(side)) and len(side.letter) == 1 and side.letter.isascii()


@functools.lru_cache(maxsize=1024)
def _piece(kind: str, side: Side | None, cls: str) -> str:
    """A unit around the origin: the marker of its kind with its side's letter, or plain without a side."""
    if side is None:
        return f'<use class="{"p" if cls == "t" else cls}" href="#{kind}"/>'
    drawing = svgwrite.Drawing(debug=False)
    group = drawing.g()
    sides.add_rim(group, slot_of(side), drawing.use(f"#{kind}"), drawing.use(f"#{kind}"), "rt")
    rims = "".join(map(element_text, group.elements))
    level = 7.5 if len(side.letter) == 1 else 6
    return (
        rims
        + f'<use class="{cls}" href="#{kind}"/>'
        + lettering(side.letter, 0, level, sides.pair_class(side.letter).strip())
    )


@functools.lru_cache(maxsize=64)
def _sheet(most: int, more: str, narrow: bool | None = None) -> str:
    """The style sheet for sides up to slot `most`, with `more` rules for this kind of picture.

    `narrow` settles the width: True for narrow pictures, False for wide ones, None if the sheet must serve both.
    """
    rules = style(most) + more
    rules = rules if narrow is None else settled(rules, narrow=narrow)
    return f'<style type="text/css"><![CDATA[{rules}]]></style>'


class _Painter:
    """Draws one picture."""

    def __init__(self, scene: ProvinceScene) -> None:
        self.scene = scene
        names = tuple(scene.names.items())
        room = room_of(scene.outlines, names)
        self.room = room if scene.frame is None else part_of(room, scene.frame)
        self.outlines = self.room.outlines
        self.called = names if scene.clickable else ()
        self.strip = Strip(scene, self.outlines.size)
        self.slots = {seat: slot_of(side) for seat, side in scene.sides.items()}
        self.standing = {token.place.partition("/")[0]: token for token in scene.tokens if not token.state}
        self.away = {token.place for token in scene.tokens if token.state == "dislodged"}
        self.lines: dict[tuple[str, str], list[Vector]] = {}
        """Start and end of each drawn move -> points along its line."""
        self.leftward: set[str] = set()
        """Places of units whose sorties would otherwise lie under their leaders' discs."""
        self.pairs = any(map(overlords.is_pair, scene.sides.values()))
        large = {area.region for area in scene.areas if area.centre and (area.rulers or area.capital)}
        self.large = {
            region: spot
            for region, spot in (self.room.large(pairs=self.pairs) if large else {}).items()
            if region in large
        }
        """Region -> the middle of its mark, if that is larger than a ring."""
        self.perches: list[tuple[Crown, Side, Perch]] = []
        """The crowns with their sides and positions."""
        self.drawn: list[_Drawn] = []
        """The orders' lines in drawing order."""

    def slot(self, seat: SeatId | None) -> int:
        """The side's place in the palette; 0 for None, and for a seat that is not a side of the picture."""
        return self.slots.get(seat or "", 0)

    def side(self, seat: SeatId | None) -> Side | None:
        """The seat's side in the picture, if it has one."""
        return self.scene.sides.get(seat or "")

    def head(self) -> str:
        """The document up to its first shape: its title and description, its style sheet, and shapes that repeat."""
        scene = self.scene
        left, top, width, height = self.box()
        narrow = None if scene.frame is None else is_far(scene.frame)
        told = f"{scene.title} {scene.description}"
        # Only pictures that need these rules have them.
        more = RETINUE if scene.attendants else ""
        more += MANY if self.strip.has_columns or sides.is_crowded(scene.sides.values()) else ""
        holder = svgwrite.Drawing(debug=False)
        holder.attribs["class"] = "cm"
        if sides.is_crowded(scene.sides.values()):
            more += sides.signs(holder, scene.sides, told)
        more += SIGNS if self.outlines.signs else ""
        more += RINGS if any(token.attacker is not None for token in scene.tokens) else ""
        more += self.more_rules()
        ruled = overlords.ruled(map(self.ruling, scene.areas), told)
        hatch, rules, patterns = hatching({self.slot(area.owner) for area in scene.areas}, told)
        patterned = "".join(element_text(drawn) for drawn in holder.defs.elements)
        markers = "".join(element("path", d=shape, id=kind) for kind, shape in scene.markers.items())
        markers += overlords.defined(side for _, side, _ in self.perches)
        cls = " ".join(filter(None, (holder.attribs["class"], hatch, ruled.name)))
        return (
            f'<svg class="{cls}" role="img" viewBox="{left} {top} {width} {height}" xmlns="http://www.w3.org/2000/svg">'
            f"{tooltip(scene.title)}<desc>{words(scene.description)}</desc>"
            f"<defs>{_sheet(most_slot(scene.sides), more + rules + ruled.rules, narrow)}{patterned}{patterns}{ruled.patterns}{markers}</defs>"
        )

    def box(self) -> Frame:
        """Visible part: all of the board with the strip below it, or the frame that the scene is cropped to."""
        width, height = self.outlines.size
        return self.scene.frame or (0, 0, width, height + self.strip.height)

    def more_rules(self) -> str:
        """Further rules of the style sheet, for pieces without a colour, leaders and crowns."""
        scene = self.scene
        owners = {order.owner for orders in (scene.arrows, scene.marks) for order in orders} - {None}
        owners |= {token.owner for token in scene.tokens}
        plain = any(not self.slot(owner) for owner in owners)
        led = (
            (plain or self.large or scene.frame)
            and not scene.attendants
            and any(token.leader is not None for token in scene.tokens)
        )
        return (
            (overlords.PLAIN if plain else "")
            + (overlords.LED if led else "")
            + (overlords.CROWNS if scene.crowns else "")
        )

    # The board -----------------------------------------------------------------------------------------------------

    def board(self) -> str:
        """Water, land and the board's signs."""
        scene, outlines = self.scene, self.outlines
        left, top, width, height = self.box()
        called = scene.names if scene.clickable else {}
        lands = []
        for area in scene.areas:
            owner, slots = self.slot(area.owner), self.ruling(area)
            region = called.get(area.region, area.region) if scene.clickable else ""
            classes = overlords.ground(slots) if slots else f"l{owner}" if owner else ""
            # Scripts look for clicked land in the same place as for seas.
            classes = f"l {classes}".strip() if scene.clickable else classes
            lands.append(_land(outlines.provinces[area.region].path, classes, area.title, region))
        if not scene.clickable:
            lands = [element("g", "".join(lands), class_="l")]
        corner = f' x="{left}" y="{top}"' if scene.frame is not None else ""
        ground = f'<rect class="s"{corner} width="{width}" height="{height}"/>'
        waters = _waters(self.room, scene.seas, self.called)
        return "".join((ground, waters, *lands, _signs(self.room, clickable=scene.clickable)))

    def ruling(self, area: Area) -> overlords.Slots:
        """The slots of the sides that rule a region."""
        return tuple(slot for seat in area.rulers[:2] if (slot := self.slot(seat)))

    def centres(self) -> str:
        """The supply centres' rings."""
        drawn = []
        alike: dict[tuple[Side | None, bool], list[Point]] = defaultdict(list)
        """Side whose letter the rings show, and True if they are hollow -> their middles."""
        capitals = []
        for area in self.scene.areas:
            spot = self.room.centres.get(area.region)
            if not area.centre or spot is None:
                continue
            rulers = tuple(side for seat in area.rulers[:2] if (side := self.side(seat)) is not None)
            owner = self.side(area.owner)
            shown = rulers or ((owner,) if owner is not None else ())
            spot = self.large.get(area.region, spot)
            if len(shown) < 2 and all(map(_is_plain, shown)):
                alike[shown[0] if shown else None, bool(rulers) or area.unled].append(spot)
                capitals += [spot] if area.capital else []
            elif area.rulers or area.capital:
                mark = overlords.mark(owner, rulers, capital=area.capital)
                x, y = spot
                drawn.append(element("g", mark, class_=f"o{slot_of(shown[0])}", transform=f"translate({x} {y})"))
            else:
                (side,) = shown
                across, down = self.aside(area.region, spot) if len(side.letter) > 1 else (0, 0)
                drawn.append(_centre(spot[0] + across, spot[1] + down, side))
        plain = (_centres(tuple(spots), side, hollow=hollow) for (side, hollow), spots in alike.items())
        return "".join((_rings(capitals, CENTRE + overlords.RING) if capitals else "", *plain, *drawn))

    def perch(self) -> None:
        """Place the crowns, each on the least covered of its region's spots."""
        crowns = [(crown, self.scene.sides[crown.owner]) for crown in self.scene.crowns]
        if not crowns:
            return
        perches = self.room.crowns(pairs=self.pairs)
        best = {place: self.least_covered(perches[place]) for place in {crown.place for crown, _ in crowns}}
        taken = Counter[str]()
        for crown, side in crowns:
            # If there are more crowns than spots, they overlap, each a little aside, and all can be seen.
            more, number = divmod(taken[crown.place], len(best[crown.place]))
            (x, y), ashore = best[crown.place][number]
            self.perches.append((crown, side, Perch((x + 6 * more, y + 6 * more), ashore)))
            taken[crown.place] += 1

    def least_covered(self, perches: Sequence[Perch]) -> list[Perch]:
        """Sort a region's spots for crowns: first those without an order's line through them or a dislodged unit on them."""
        left, right = min(x for (x, _), _ in perches) - 16, max(x for (x, _), _ in perches) + 16
        top, bottom = min(y for (_, y), _ in perches) - 15, max(y for (_, y), _ in perches) + 15
        near = [
            (start, end)
            for start, end in self.pieces
            if (start[0] > left or end[0] > left)
            and (start[0] < right or end[0] < right)
            and (start[1] > top or end[1] > top)
            and (start[1] < bottom or end[1] < bottom)
        ]
        away = [self.room.beside(place) for place in sorted(self.away)]

        def covers(perch: Perch) -> int:
            x, y = perch.at
            units = sum(abs(x - u) < 50 and abs(y - v) < 48 for u, v in away)
            return sum(_crosses(piece, perch.at) for piece in near) + 9 * units

        return sorted(perches, key=covers)

    @functools.cached_property
    def pieces(self) -> list[tuple[Vector, Vector]]:
        """The straight pieces of all orders' lines."""
        return [piece for each in self.drawn for line in each.lines for piece in itertools.pairwise(line)]

    def crowns(self) -> str:
        """All crowns beside their regions' marks; a line ties a crown outside its region to the mark."""
        marks = {**self.room.centres, **self.large}
        ties = (
            overlords.tie(perch.at, marks[crown.place], side) for crown, side, perch in self.perches if not perch.ashore
        )
        drawn = (
            overlords.crown(perch.at, side, crown.title, married=crown.married) for crown, side, perch in self.perches
        )
        return "".join((*ties, *drawn))

    def aside(self, region: str, spot: Point) -> Vector:
        """Offset of a mark with two letters: it is larger, and moves away from the region's unit to stay beside it."""
        (x, y), (at, level) = spot, self.outlines.provinces[region].unit
        if abs(x - at) > abs(y - level):
            return math.copysign(CENTRE * (sides.PILL - 1) + 2, x - at), 0
        return 0, math.copysign(4, y - level)

    # Orders --------------------------------------------------------------------------------------------------------

    def spot(self, place: str, *, mover: bool = False) -> Point:
        """Position of a unit in `place`. With `mover`, a dislodged unit is beside its province, where its retreat starts."""
        if mover and place in self.away:
            return self.room.beside(place)
        return self.outlines.anchor(place)

    def orders(self) -> None:
        """Find the lines of all orders, then the positions of crowns and crosses beside them."""
        ordered = sorted(self.scene.arrows, key=lambda a: (_RANK[a.kind], a.ok, a.path))
        moves = [arrow for arrow in ordered if arrow.kind in MOVES]
        ways = {arrow.path for arrow in moves}
        drawn = {arrow.path: self.way(arrow, meets=arrow.path[::-1] in ways) for arrow in moves}
        for path, line in drawn.items():
            self.lines[path[0], path[-1]] = sample(line)
        for arrow in ordered:
            self.drawn.append(self.move(arrow, drawn[arrow.path]) if arrow.kind in MOVES else self.aid(arrow))
        self.perch()
        self.crosses = Crosses((line for each in self.drawn for line in each.lines), self.things())

    def things(self) -> list[Box]:
        """Boxes that crosses should not cover: units, rings, names."""
        boxes = [*self.room.names]
        boxes += [(x - 11, y - 11, x + 11, y + 11) for x, y in self.room.centres.values()]
        for token in self.scene.tokens:
            x, y = self.spot(token.place, mover=bool(token.state))
            boxes.append((x - 26, y - 18, x + 26, y + 18))
        boxes += [(x - 14, y - 13, x + 14, y + 13) for _, _, ((x, y), _) in self.perches]
        boxes += [(x - 20, y - 15, x + 20, y + 15) for x, y in self.large.values()]
        if self.large:
            led = [(token, self.spot(token.place)) for token in self.scene.tokens if token.leader is not None]
            discs = [(x + (37 if token.place in self.leftward else -37), y) for token, (x, y) in led]
            # Discs count more than once: a cross under a disc cannot be seen at all.
            boxes += [(x - 13, y - 13, x + 13, y + 13) for x, y in discs] * 5
        return boxes

    def lines_text(self) -> str:
        """Orders drawn as lines, each with its cross if it failed, then the bars under units that hold."""
        drawn = []
        for each in self.drawn:
            shapes = [stroke(path, cls) for path, cls in each.shapes]
            if each.knob is not None:
                x, y = each.knob
                shapes.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{KNOB}"/>')
            if not each.arrow.ok:
                x, y = self.crosses.beside(each.lines[0], each.back)
                shapes.append(stroke(cross((round(x), round(y)), SIZE), "x"))
            look = f"{self.coat(each.arrow.owner)} {'a' if each.arrow.kind in MOVES else 'a e'}"
            drawn.append(_group(look, each.arrow.title, "".join(shapes)))
        return "".join((*drawn, *(self.mark(mark) for mark in self.sorted_marks() if mark.kind == "hold")))

    def sorted_marks(self) -> list[Mark]:
        """The marks in drawing order."""
        return sorted(self.scene.marks, key=lambda m: (m.kind, m.place, m.owner or ""))

    def marks(self) -> str:
        """Orders drawn as signs over units."""
        return "".join(self.mark(mark) for mark in self.sorted_marks() if mark.kind not in ("hold", "disband"))

    def disbanded(self) -> str:
        """The crosses of units that leave the board."""
        return "".join(self.mark(mark) for mark in self.sorted_marks() if mark.kind == "disband")

    def coat(self, owner: SeatId | None) -> str:
        """CSS class for the owner's colour; plain for an owner that is not a side."""
        return f"o{self.slot(owner) or 'p'}"

    def way(self, arrow: Arrow, *, meets: bool) -> list[Vector]:
        """The points that a move's arrow runs through."""
        points: list[Vector] = [self.spot(arrow.path[0], mover=arrow.kind == "retreat")]
        points += [self.spot(place) for place in arrow.path[1:]]
        if meets:
            # Two units meet head-on: each arrow keeps to its right, or one would cover the other.
            points = [turn_point(points[1], points[0], 0, 9), turn_point(points[0], points[1], 0, -9)]
        taken = arrow.path[-1].partition("/")[0] in self.standing
        if arrow.kind == "sortie":
            return self.stopped(arrow, points, taken=taken)
        return trim(points, TOKEN + 3, TOKEN + 9 if taken else 6)

    def stopped(self, arrow: Arrow, points: list[Vector], *, taken: bool) -> list[Vector]:
        """A straight line from the first point towards the second that stops at the goal's border, short of a unit there."""
        start, end = points
        whole = math.dist(start, end)
        goal = self.outlines.provinces[arrow.path[-1].partition("/")[0]]
        least, most = min(TOKEN + 24, whole * 0.6), whole - (TOKEN + 13 if taken else 8)
        token = self.standing.get(arrow.path[0].partition("/")[0])
        if token is not None and token.leader is not None and abs(end[1] - start[1]) < 0.6 * (start[0] - end[0]):
            # Its leader's disc is on the line: the line continues past it or, if too short, the disc moves to the other side.
            least = max(least, min(most, BEYOND))
            if most < BEYOND and not self.has_mark_right(arrow.path[0].partition("/")[0], start):
                self.leftward.add(arrow.path[0])
        stop = max(min(border_on(goal.path, start, end) * whole, most), least)
        ends = (between(start, end, part) for part in (min((TOKEN + 3) / whole, 0.3), stop / whole))
        return [(round(x), round(y)) for x, y in ends]

    def has_mark_right(self, region: str, spot: Vector) -> bool:
        """True if the region's mark occupies the space to the right of a unit, where its leader's disc would go."""
        mark = self.large.get(region, self.room.centres.get(region))
        return mark is not None and abs(mark[0] - spot[0] - 37) < 34 and abs(mark[1] - spot[1]) < 30

    def move(self, arrow: Arrow, line: list[Vector]) -> _Drawn:
        """A move as an arrow, dashed if it failed, dotted if it is a retreat."""
        if arrow.kind == "sortie":
            return self.sortie(arrow, line)
        wings = arrowhead(line[-2], line[-1], HEAD)
        shape = whole_curve(line, wings)
        dash = "b" if arrow.kind == "retreat" else "" if arrow.ok else "d"
        shapes = [(shape, "g")]
        shapes += [(whole_curve(line), dash), (whole(wings), "")] if dash else [(shape, "")]
        return _Drawn(arrow, (corners(line), wings), tuple(shapes), HEAD + 15)

    def sortie(self, arrow: Arrow, line: list[Vector]) -> _Drawn:
        """A sortie as a line with a bar across its end, dashed if it failed."""
        end = line[1]
        (u, v), (across, down) = end, turn_point(line[0], end, 0, BAR)
        across, down = round(across - u), round(down - v)
        # Each half is drawn from the middle and is shorter than a dash, so the bar stays solid on a dashed line.
        bar = f"m0 0l{across} {down}m{-across} {-down}l{-across} {-down}".replace(" -", "-")
        shape = whole(line) + bar
        ends = [(u + across, v + down), (u - across, v - down)]
        return _Drawn(arrow, (line, ends), ((shape, "g"), (shape, "" if arrow.ok else "d")), HEAD + 10)

    def aid(self, arrow: Arrow) -> _Drawn:
        """A support or a convoy as a line from its giver to the arrow that it serves."""
        giver = self.spot(arrow.path[0])
        cls = "v" if arrow.kind == "convoy" else "b"
        if arrow.kind == "support-hold":
            line, arc = self.shelter(giver, arrow.path[1])
            return _Drawn(arrow, (corners(line),), ((whole_curve(line), cls), (arc, "")), 24)
        start, goal = self.spot(arrow.path[1]), self.spot(arrow.path[2])
        target = self.aided(arrow) or sample([start, goal])
        where = target[len(target) // 2] if arrow.kind == "support" else min(target, key=lambda p: math.dist(p, giver))
        if math.dist(where, giver) < TOKEN + 14:
            # The arrow of the convoyed army passes under the fleet: a ring shows that the fleet is part of the route.
            top: Vector = (giver[0], giver[1] - TOKEN - 10)
            return _Drawn(arrow, ([giver, top],), ((circle(giver, TOKEN + 10), cls),), 0)
        line = trim([giver, where], TOKEN + 3, 3)
        return _Drawn(arrow, (line,), ((whole(line), cls),), 26, line[-1])

    def shelter(self, giver: Point, place: str) -> tuple[list[Vector], str]:
        """A support to hold: a line to the supported unit, and the arc around that unit where the line ends."""
        unit = self.spot(place)
        token = self.standing.get(place.partition("/")[0])
        away = ARC if token is None or token.attacker is None else ARC + 10
        apart = math.dist(giver, unit)
        if apart > BOWED:
            line = [*trim([giver, unit], TOKEN + 3, away)]
        else:
            # Between close units a straight line would be a stub: it bows out, on the emptier side.
            middle = between(giver, unit, 0.5)
            bow = 0.6 * (BOWED - apart) + 26
            turns = [turn_point(giver, middle, 0, side * bow) for side in (1, -1)]
            turn = min(turns, key=lambda point: sum(_in(point, box) for box in self.things()))
            line = [turn_point(turn, giver, -TOKEN + 2, 0), turn, turn_point(turn, unit, -away, 0)]
        end = line[-1]
        tips = [_turned(unit, end, math.radians(degrees)) for degrees in (-48, 48)]
        (x1, y1), (x2, y2) = tips
        arc = f"M{x1:.0f} {y1:.0f}A{away} {away} 0 0 1 {x2:.0f} {y2:.0f}"
        return line, arc

    def aided(self, arrow: Arrow) -> list[Vector] | None:
        """The drawn line of the move that a support or convoy names; a support may omit the coast."""
        start, goal = arrow.path[1], arrow.path[2].partition("/")[0]
        lines = [line for (a, b), line in sorted(self.lines.items()) if a == start and b.partition("/")[0] == goal]
        return lines[0] if lines else None

    def mark(self, mark: Mark) -> str:
        """A sign on a place."""
        x, y = self.spot(mark.place, mover=mark.kind == "disband")
        match mark.kind:
            case "hold":
                return _group(f"{self.coat(mark.owner)} a e", mark.title, stroke(f"M{x - 18} {y + 22}h36", ""))
            case built if built.removeprefix("build-") in self.scene.markers:
                piece = _piece(built.removeprefix("build-"), self.side(mark.owner), "y")
                inside = element("g", piece, transform=f"translate({x} {y})")
                inside += stroke(f"M{x + 24} {y - 16}v14m-7-7h14", "a e")
            case "disband":
                inside = stroke(cross((x, y), 31), "x")
            case "standoff":
                spot = self.crosses.near(self.outlines.provinces[mark.place].unit)
                inside = stroke("".join(cross((spot[0] + side * SIZE, spot[1]), SIZE) for side in (-1, 1)), "x")
            case _:
                raise ValueError(f"no such mark: {mark.kind}")
        nobodys = mark.kind == "standoff" and mark.owner is None
        return _group("o" if nobodys else self.coat(mark.owner), mark.title, inside)

    # Pieces --------------------------------------------------------------------------------------------------------

    def tokens(self) -> str:
        """All units, with dislodged ones over those that dislodged them."""
        return "".join(self.token(token) for token in sorted(self.scene.tokens, key=lambda t: (t.state, t.place)))

    def token(self, token: Token) -> str:
        """A unit, with the disc of its leader."""
        spot = self.spot(token.place, mover=token.state == "dislodged")
        inside = _piece(token.kind, self.side(token.owner), "y" if token.state == "new" else "t")
        if token.leader is not None:
            side = self.scene.sides[token.leader]
            aside = -37 if len(side.letter) == 1 else -43
            aside = -aside if token.place in self.leftward else aside
            badge = disc((aside, 0), LEADER, side, "h w") + lettering(
                side.letter, aside, 6, f"hl gl{sides.pair_class(side.letter)}"
            )
            inside += element("g", badge, class_=f"o{self.slot(token.leader)}")
        return _group(self.coat(token.owner), token.title, inside, spot)

    def broken_rings(self) -> str:
        """The signs of dislodged units; they lie under all text."""
        return "".join(
            _group("o", token.title, self.broken_ring(token, spot), spot)
            for token in sorted(self.scene.tokens, key=lambda t: (t.state, t.place))
            if token.attacker is not None
            for spot in (self.spot(token.place, mover=token.state == "dislodged"),)
        )

    def broken_ring(self, token: Token, spot: Point) -> str:
        """A broken ring that opens towards the attacker's origin."""
        came = self.came_from(token)
        turn = math.atan2(came[1] - spot[1], came[0] - spot[0]) if came is not None else -math.pi / 2
        tips = [(BROKEN * math.cos(turn + side * GAP), BROKEN * math.sin(turn + side * GAP)) for side in (1, -1)]
        arc = "M{} {}A{r} {r} 0 1 1 {} {}".format(*(number(value) for tip in tips for value in tip), r=BROKEN)
        ring = stroke(arc, "xg") + stroke(arc, "xr")
        if not token.state:
            return ring
        # A line ties it to its old position: beside a small province it may lie in another one.
        x, y = self.outlines.anchor(token.place)
        edge = turn_point((x - spot[0], y - spot[1]), (0, 0), -BROKEN, 0)
        ring = stroke(path_of([(x - spot[0], y - spot[1]), edge]), "xt") + ring
        if came is None:
            return ring
        # The attacker has arrived, and its arrow is gone: an arrowhead marks where it entered.
        far, tip = ((away * math.cos(turn), away * math.sin(turn)) for away in (BROKEN + 20, BROKEN - 2))
        return ring + stroke(path_of(arrowhead(far, tip, 11)), "xh")

    def came_from(self, token: Token) -> Point | None:
        """Position that a dislodged unit's attacker came from; if it came by convoy, the last sea on its arrow."""
        province = token.place.partition("/")[0]
        way = ((token.attacker or "").partition("/")[0], province)
        for arrow in self.scene.arrows:
            ends = (arrow.path[0].partition("/")[0], arrow.path[-1].partition("/")[0])
            if arrow.kind in MOVES and ends == way:
                return self.spot(arrow.path[-2])
        return self.spot(token.attacker) if token.attacker else None


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An order as lines: `back` is the distance of its cross from the end of the first line."""

    arrow: Arrow
    lines: tuple[list[Vector], ...]
    """The drawn lines as points: first the line itself, then its head."""
    shapes: tuple[tuple[str, str], ...]
    """Paths with their classes; the group of the order adds those of its kind."""
    back: float
    knob: Vector | None = None
    """The middle of the knob at its end."""


def _group(cls: str, title: str, inside: str, at: Point | None = None) -> str:
    """Group the shapes of one order or unit, with a tooltip; the class sets the colour."""
    spot = f' transform="translate({at[0]} {at[1]})"' if at is not None else ""
    return f'<g class="{cls}"{spot}>{tooltip(title)}{inside}</g>'


def _turned(middle: Vector, point: Vector, angle: float) -> Vector:
    """Rotate a point around a middle."""
    dx, dy = point[0] - middle[0], point[1] - middle[1]
    return (
        middle[0] + dx * math.cos(angle) - dy * math.sin(angle),
        middle[1] + dx * math.sin(angle) + dy * math.cos(angle),
    )


def _crosses(piece: tuple[Vector, Vector], spot: Point) -> bool:
    """True if a straight line runs through a crown."""
    (x1, y1), (x2, y2) = piece
    x, y = spot
    return any(abs(x1 + (x2 - x1) * n / 8 - x) < 16 and abs(y1 + (y2 - y1) * n / 8 - y) < 15 for n in range(9))


def _in(point: Vector, box: Box) -> bool:
    """True if a point lies in a box or close to it."""
    return box[0] - 8 < point[0] < box[2] + 8 and box[1] - 8 < point[1] < box[3] + 8


_OVER = {"nobody": 0, "water": 1, "ridge": 2, "link": 3, "one-way": 4}
_RANK = {"support-hold": 0, "support": 1, "convoy": 2, "convoyed": 3, "move": 4, "sortie": 4, "retreat": 5}
MOVES = ("move", "sortie", "retreat", "convoyed")
