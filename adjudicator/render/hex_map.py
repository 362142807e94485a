"""A map of hexes as SVG: ground with its signs, rivers and roads, realms, constructions, armies and parties.

The same scene always gives the same picture. Letters and hatches repeat all information that colour gives.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from zlib import crc32

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides as looks
from adjudicator.render.geometry import Vector, arrowhead, between, number, trim, whole
from adjudicator.render.hatch import hatching
from adjudicator.render.palette import most_slot, printed, settled, slot_of, style
from adjudicator.render.scenes import Arrow, Hexagon, HexScene, Token
from adjudicator.render.svg import document_text, element, empty_document, short, words
from adjudicator.render.text import width as text_width
from adjudicator.render.trim import trimmed

HALF, SIDE, ROW = 35, 40, 60
"""Distances from a hex's middle to its left side and to its upper corner, and from row to row."""
EDGE = 44
"""Margin on all sides, for the numbers of columns and rows."""
CORNERS: tuple[tuple[int, int], ...] = ((0, -40), (35, -20), (35, 20), (0, 40), (-35, 20), (-35, -20))
"""A hex's corners clockwise from the upper one; its side k runs from corner k to the next."""
INWARD = 0.9
"""Position of a realm's boundary line between the middles of hexes (0) and their sides (1)."""
HEX = "M0-40l35 20v40l-35 20-35-20v-40z"
RUIN = "M-11 8v-13h4v13M-1 8v-9l3-3v12M7 8v-15h4v15M-13 9h27"
PORTAL = "M0-15a15 15 0 1 1-.1 0M0-8a8 8 0 1 1-8 8"
CROWN = "M-8 4v-8l4 4 4-6 4 6 4-4v8z"
SWORDS = "M-6-6l12 12M6-6l-12 12M-8 3l5 5M8 3l-5 5"
ENTRY = 62
"""Height of a line of the strip below the map."""
CROWNED = 18
"""Additional width of a General's piece, for the crown."""
MOST_PARTIES = 2
"""Number of parties that a hex shows; if there are more, it shows one and the number of the others."""
LOW, HIGH, CROWDED = 19, -12, 11
"""Offsets of parties below the middle of their hex.

The second is for a hex with a name, which must stay readable; the third for a hex with a name and an army.
"""
NUMBER, NAME = -23, 29
"""Baselines of a hex's number and of its name: a name ends above the numbers of the hexes below."""
WORK, NAMED_WORK = 12, 8
"""Offset of a construction below the middle of its hex, without and with a name."""
MARK, MARKS, LOW_MARK = (34, -17), 21, 7
"""Offset of a hex's first mark, between its pieces and those of the next hex; the step down to another; its height if parties are high."""
LAST_MARK = 14
"""Offset of the last mark below the middle: the marks of a hex may overlap a little, but not cover a number below."""


def middle_of(place: str) -> tuple[int, int]:
    """The middle of a hex."""
    column, row = int(place[:2]), int(place[2:])
    return EDGE + HALF + 2 * HALF * (column - 1) + HALF * (row % 2 == 0), EDGE + SIDE + ROW * (row - 1)


def layer(name: str, shapes: Iterable[str]) -> str:
    """Group shapes that a page can hide together; empty without shapes."""
    drawn = "".join(shapes)
    return element("g", drawn, **{"data-layer": name}) if drawn else ""


def render_hexes(scene: HexScene) -> str:
    """The scene as one SVG document, ending in a newline."""
    drawing = empty_document("cm hm")
    drawing.set_desc(title=scene.title, desc=scene.description)
    picture = _Picture(scene)
    strip, foot = picture.strip()
    left, top, across, down = scene.frame or (0, 0, picture.size[0], picture.size[1] + foot)
    drawing.attribs["viewBox"] = f"{left} {top} {across} {down}"
    name, rules, patterns = picture.hatches
    if name:
        drawing.attribs["class"] += f" {name}"
    text = short(document_text(drawing)).replace(' baseProfile="full"', "")
    head, _, _ = text.rpartition("</svg>")
    sheet = picture.sheet() + rules
    # A cropped picture has the sizes of a wide page.
    # Its page has no switch for hatches, and no letters on it show who owns land: so hatches are always on.
    sheet = element("style", sheet if scene.frame is None else printed(settled(sheet, narrow=False)) + CROPPED)
    corner = "" if scene.frame is None else f' x="{left}" y="{top}"'
    body = "".join((
        f'<rect class="u"{corner} width="{across}" height="{down}"/>',
        *picture.ground(), layer("Realms", picture.realms()), *picture.water(), layer("Roads", picture.roads()), *picture.rulers(),
        layer("Movement", picture.arrows()), *picture.works(), layer("Armies and parties", picture.tokens()),
        layer("Battles", picture.marks()), *picture.labels(), strip,
    ))  # fmt: skip
    told = f"{head.replace('<defs/>', f'<defs>{sheet}{picture.symbols()}{patterns}</defs>')}{body}</svg>\n"
    return told if scene.frame is None else trimmed(told)


class _Picture:
    """Draws one map."""

    def __init__(self, scene: HexScene) -> None:
        self.scene = scene
        self.hexes: Mapping[str, Hexagon] = {one.place: one for one in scene.hexes}
        self.size = (2 * EDGE + 2 * HALF * scene.columns + HALF, 2 * EDGE + ROW * (scene.rows - 1) + 2 * SIDE)
        # The tag is equal for all turns of a game, so that their maps share the constant parts; the signs never change.
        self.tag = f"x{crc32(f'{scene.columns} {scene.rows} {[*scene.sides]}'.encode()) & 0xFFFF:x}"
        self.slots = sorted({slot_of(side) for side in scene.sides.values()})
        self.hatches = hatching(self.slots, f"{scene.title} {scene.description}")
        self.used: set[str] = set()

    # Positions --------------------------------------------------------------------------------------------------------

    def middle(self, place: str) -> tuple[int, int]:
        """The middle of a hex."""
        return middle_of(place)

    def near(self, place: str) -> Iterator[tuple[int, str]]:
        """The sides of a hex, clockwise from the upper right one, each with the hex beyond, even if that is off the map."""
        column, row = int(place[:2]), int(place[2:])
        shift = row % 2 == 0
        for side, (across, down) in enumerate(
            ((shift, -1), (1, 0), (shift, 1), (shift - 1, 1), (-1, 0), (shift - 1, -1))
        ):
            yield side, f"{column + across:02}{row + down:02}"

    def slot(self, seat: SeatId | None) -> int:
        """The colour of a side; 0 for nobody."""
        return slot_of(self.scene.sides.get(seat or ""))

    def sign(self, name: str, at: Vector, cls: str = "") -> str:
        """Use a shared sign at a point."""
        self.used.add(name)
        return element("use", href=f"#{self.tag}-{name}", x=number(at[0]), y=number(at[1]), class_=cls)

    # Drawing ----------------------------------------------------------------------------------------------------------

    def sheet(self) -> str:
        """The style sheet."""
        signs = self.scene.signs
        tones = list(signs.tones.items())
        light = "".join(f"--t{at}:{pair[0]};" for at, (_, pair) in enumerate(tones))
        dark = "".join(f"--t{at}:{pair[1]};" for at, (_, pair) in enumerate(tones))
        fills = "".join(f".hm .t{at}{{fill:var(--t{at})}}" for at in range(len(tones)))
        base = style(most_slot(self.scene.sides))
        slate = f'[data-md-color-scheme="slate"] .hm{{{dark}}}[data-md-color-scheme="default"] .hm{{{light}}}'
        return f"{base}.hm{{{light}}}@media screen and (prefers-color-scheme:dark){{.hm{{{dark}}}}}@media screen{{{slate}}}{fills}{SHEET}"

    def symbols(self) -> str:
        """Definitions of the used signs."""
        signs = self.scene.signs
        shapes = dict(signs.works) | {"hex": HEX, "ruin": RUIN, "portal": PORTAL, "crown": CROWN, "swords": SWORDS}
        drawn = [element("path", id=f"{self.tag}-{name}", d=shapes[name]) for name in sorted(self.used & {*shapes})]
        for name in sorted(self.used - {*shapes}):
            both = element("path", d=HEX) + element("path", d=signs.grounds[name].path, class_="hm-g")
            drawn.append(element("g", both, id=f"{self.tag}-{name}"))
        return "".join(drawn)

    def ground(self) -> Iterator[str]:
        """The hexes by tone, with tooltips and ground signs. Their text is put together directly, because there are hundreds."""
        tones = {tone: at for at, tone in enumerate(self.scene.signs.tones)}
        grounds = self.scene.signs.grounds
        groups: dict[str, list[str]] = defaultdict(list)
        self.used.add("hex")
        for one in self.scene.hexes:
            x, y = self.middle(one.place)
            region = f' data-region="{escape(self.scene.names[one.place])}"' if self.scene.clickable else ""
            # The ground's sign would only be in the way of a construction.
            shape = one.ground if grounds[one.ground].path and not one.work else "hex"
            self.used.add(shape)
            drawn = f'<use href="#{self.tag}-{shape}" x="{x}" y="{y}"{region}><title>{words(one.title)}</title></use>'
            groups[grounds[one.ground].tone].append(drawn)
        for tone in sorted(groups, key=tones.__getitem__):
            yield element("g", "".join(groups[tone]), class_=f"hx t{tones[tone]}")

    def water(self) -> Iterator[str]:
        """Rivers along sides, and through the middles of hexes with a river."""
        lines: list[tuple[Vector, ...]] = []
        for one, other in self.scene.rivers:
            side = next((side for side, near in self.near(one) if near == other), None)
            if side is not None:
                x, y = self.middle(one)
                lines.append(tuple((x + cx, y + cy) for cx, cy in (CORNERS[side], CORNERS[(side + 1) % 6])))
        wet = {one.place for one in self.scene.hexes if one.river}
        for place in sorted(wet):
            here = self.middle(place)
            open_ = [near for _, near in self.near(place) if near in wet]
            open_ += (
                []
                if len(open_) > 1
                else [near for _, near in self.near(place) if near in self.hexes and self._is_sea(near)][:1]
            )
            lines += [(here, between(here, self.middle(near), 0.5)) for near in open_]
        if lines:
            path = whole(*lines)
            yield element("g", element("path", d=path, class_="hrb") + element("path", d=path, class_="hr"))

    def _is_sea(self, place: str) -> bool:
        return self.scene.signs.grounds[self.hexes[place].ground].tone == "sea"

    def roads(self) -> Iterator[str]:
        """Roads between the middles of neighbouring hexes with roads; a short piece in a hex whose neighbours have none."""
        paved = {one.place for one in self.scene.hexes if one.road}
        lines: list[tuple[Vector, ...]] = []
        for place in sorted(paved):
            here = self.middle(place)
            joined = [near for _, near in self.near(place) if near in paved]
            lines += [(here, self.middle(near)) for near in joined if near > place]
            if not joined and not self.hexes[place].work:
                lines.append(((here[0] - 14, here[1] + 6), (here[0] + 14, here[1] - 6)))
        if lines:
            path = whole(*lines)
            yield element("g", element("path", d=path, class_="hob") + element("path", d=path, class_="ho"))

    def realms(self) -> Iterator[str]:
        """The sides' land: a thin coat of the side's colour or hatch, and a line just inside its boundary."""
        held: dict[int, list[str]] = defaultdict(list)
        owners = {one.place: one.owner for one in self.scene.hexes}
        for one in self.scene.hexes:
            if one.owner is not None and one.owner in self.scene.sides:
                held[self.slot(one.owner)].append(one.place)
        for slot in sorted(held):
            bound: list[tuple[Vector, ...]] = []
            around: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
            for place in held[slot]:
                x, y = self.middle(place)
                sides = dict(self.near(place))
                for side in range(6):
                    if owners.get(sides[side]) == owners[place]:
                        continue
                    ends = [self._inset(place, sides, owners, corner) for corner in ((side, -1), ((side + 1) % 6, 1))]
                    bound.append(tuple((x + ex, y + ey) for ex, ey in ends))
                    first, second = ((x + cx, y + cy) for cx, cy in (CORNERS[side], CORNERS[(side + 1) % 6]))
                    around[first].append(second)
            yield element("path", d=_loops(around), class_=f"l{slot} hc")
            yield element("path", d=whole(*bound), class_=f"o{slot} hb")

    def _inset(
        self, place: str, sides: Mapping[int, str], owners: Mapping[str, SeatId | None], corner: tuple[int, int]
    ) -> Vector:
        """The end of a boundary line near a corner: inside the corner or, if the realm continues in the next hex, on their common side.

        `corner` is the corner's number and, of its two sides, the one without the line: -1 for the side that ends at the
        corner, 1 for the side that begins there.
        """
        at, way = corner
        cx, cy = CORNERS[at]
        other = (at - 1) % 6 if way < 0 else at
        if owners.get(sides[other]) != owners[place]:
            return cx * INWARD, cy * INWARD
        # The realm continues beyond the other side: the line runs up to that side, parallel to the boundary.
        side = at if way < 0 else (at - 1) % 6
        one, two = CORNERS[side], CORNERS[(side + 1) % 6]
        inward = ((one[0] + two[0]) / 2 * (INWARD - 1), (one[1] + two[1]) / 2 * (INWARD - 1))
        return cx + inward[0], cy + inward[1]

    def rulers(self) -> Iterator[str]:
        """Numbers of columns above and of rows on both sides."""
        scene = self.scene
        if scene.frame is not None:
            return
        across, _ = self.size
        marks = [
            element("text", f"{column:02}", x=number(EDGE + HALF + 2 * HALF * (column - 1)), y="32")
            for column in range(1, scene.columns + 1)
        ]
        for row in range(1, scene.rows + 1):
            level = number(EDGE + SIDE + ROW * (row - 1) + 7)
            marks += [element("text", f"{row:02}", x=x, y=level) for x in ("22", number(across - 20))]
        yield element("g", "".join(marks), class_="hn")

    def shows(self, box: tuple[float, float, float, float]) -> bool:
        """True if the whole box of a label is visible."""
        frame = self.scene.frame
        if frame is None:
            return True
        left, top, wide, high = frame
        return left <= box[0] and top <= box[1] and box[2] <= left + wide and box[3] <= top + high

    def labels(self) -> Iterator[str]:
        """Each hex's number, which orders need, and names of places. They are drawn on top."""
        rows: dict[int, list[str]] = defaultdict(list)
        for one in self.scene.hexes:
            x, y = self.middle(one.place)
            if self.shows((x - 16, y + NUMBER - 11, x + 16, y + NUMBER + 3)):
                rows[y + NUMBER].append(f'<tspan x="{x}">{one.place}</tspan>')
        labels = "".join(f'<text y="{y}">{"".join(spans)}</text>' for y, spans in rows.items())
        names = "".join(
            element("text", words(one.name), x=number(x), y=number(y + NAME), class_="hnm n2")
            for one in self.scene.hexes
            if one.name
            for x, y in (self.middle(one.place),)
            if self.shows((x - (half := text_width(one.name, 13) / 2), y + NAME - 12, x + half, y + NAME + 4))
        )
        yield element("g", names + element("g", labels, class_="hl2 n2"), class_="hl0")

    def works(self) -> Iterator[str]:
        """Constructions, ruins, portals."""
        for one in self.scene.hexes:
            x, y = self.middle(one.place)
            if one.portal:
                yield self.sign("portal", (x, y), "hp")
            if one.ruin:
                yield self.sign("ruin", (x + (18 if one.work else 0), y + (4 if one.work else 16)), "hu")
            if one.work:
                below = NAMED_WORK if one.name else WORK
                yield self.sign(one.work, (x, y + below), f"hw o{self.slot(one.owner)}" if one.owner else "hw")

    def guarded(self) -> set[str]:
        """The hexes with an army."""
        return {token.place for token in self.scene.tokens if token.kind != "party"}

    def tokens(self) -> Iterator[str]:
        """Armies in the upper half of their hex; parties in the lower half, side by side, or higher if the hex has a name."""
        armies = [token for token in self.scene.tokens if token.kind != "party"]
        for token in armies:
            x, y = self.middle(token.place)
            yield self._pill(token, (x, y - 9), 15)
        guarded = self.guarded()
        bands: dict[str, list[Token]] = defaultdict(list)
        for token in self.scene.tokens:
            if token.kind == "party":
                bands[token.place].append(token)
        for place, group in bands.items():
            x, y = self.middle(place)
            y += LOW if not self.hexes[place].name else CROWDED if place in guarded else HIGH
            shown = group if len(group) <= MOST_PARTIES else group[: MOST_PARTIES - 1]
            wide = [self._wide(token, 11) for token in shown]
            left = x - (sum(wide) + 2 * (len(wide) - 1)) / 2 - (12 if len(shown) < len(group) else 0)
            for token, room in zip(shown, wide, strict=True):
                yield self._pill(token, (left + room / 2, y), 11)
                left += room + 2
            if len(shown) < len(group):
                names = "; ".join(token.title for token in group[len(shown) :])
                text = element(
                    "text", f"+{len(group) - len(shown)}", x=number(left + 12), y=number(y + 4), class_="hpm"
                )
                yield element("g", element("title", words(names)) + text)

    def _written(self, token: Token) -> str:
        """Text on a token: the side's letter and the piece's id."""
        id_ = token.title.partition(":")[0].rpartition(" ")[2]
        side = self.scene.sides.get(token.owner or "")
        return f"{side.letter} {id_}" if side is not None else id_

    def _wide(self, token: Token, size: int) -> float:
        return round(text_width(self._written(token), size) + 10 + (CROWNED if token.kind == "general" else 0))

    def _pill(self, token: Token, at: Vector, size: int) -> str:
        """A token: a field with text. A General's has a crown before the text; a party's is round."""
        x, y = at
        wide, high = self._wide(token, size), size + (6 if token.kind == "party" else 8)
        crowned = CROWNED if token.kind == "general" else 0
        cls = "hk hy" if token.state == "gone" else "hk"
        box = element(
            "rect", x=number(x - wide / 2), y=number(y - high / 2), width=number(wide), height=str(high),
            rx=str(high // 2) if token.kind == "party" else "4", class_=cls,
        )  # fmt: skip
        text = element(
            "text", self._written(token), x=number(x + crowned / 2), y=number(y + size * 0.36), class_=f"ht{size}"
        )
        crown = self.sign("crown", (x - wide / 2 + 4 + crowned / 2, y), "hkc") if crowned else ""
        title = element("title", words(token.title))
        return element("g", title + box + text + crown, class_=f"o{self.slot(token.owner)}")

    def arrows(self) -> Iterator[str]:
        """Trails, attacks, retreats."""
        for arrow in self.scene.arrows:
            points = list(self._bent(arrow))
            if len(points) < 2:
                continue
            line = trim(points, 0, 12 if arrow.kind == "attack" else 4)
            head = arrowhead(line[-2], line[-1], 11)
            kind = {"attack": "ha", "retreat": "hz"}.get(arrow.kind, "hv")
            title = element("title", words(arrow.title))
            body = element("path", d=whole(line, head), class_="hvb") + element("path", d=whole(line), class_=kind)
            body += element("path", d=whole(head), class_="hvh")
            yield element("g", title + body, class_=f"o{self.slot(arrow.owner)}")

    def _bent(self, arrow: Arrow) -> Iterable[Vector]:
        """Points of a trail. Each side's are shifted a little from the middle, so that two trails on one route can both be seen."""
        lane = (self.slot(arrow.owner) % 5 - 2) * 4
        for place, _ in itertools.groupby(arrow.path):
            x, y = self.middle(place)
            yield x + lane, y + lane / 2 - 4

    def marks(self) -> Iterator[str]:
        """Battles, and pieces that came or went."""
        places: dict[str, int] = defaultdict(int)
        most = Counter(mark.place for mark in self.scene.marks)
        parties = {token.place for token in self.scene.tokens if token.kind == "party"}
        high = {place for place in parties if self.hexes[place].name} - self.guarded()
        for mark in self.scene.marks:
            x, y = self.middle(mark.place)
            first = LOW_MARK if mark.place in high else MARK[1]
            step = min(MARKS, (LAST_MARK - first) // max(1, most[mark.place] - 1))
            x, y = x + MARK[0], y + first + step * places[mark.place]
            places[mark.place] += 1
            title = element("title", words(mark.title))
            disc = element("circle", cx=number(x), cy=number(y), r="10", class_="h")
            sign = self.sign("swords", (x, y), "hs") if mark.kind == "battle" else ""
            if mark.kind != "battle":
                sign = element("text", "+" if mark.kind == "new" else "†", x=number(x), y=number(y + 6), class_="hq")
            yield element("g", title + disc + sign, class_=f"o{self.slot(mark.owner)}" if mark.owner else "")

    def strip(self) -> tuple[str, int]:
        """The strip below the map, with each side's letter and standing, and the height of the strip."""
        scene, (across, down) = self.scene, self.size
        if not scene.standings:
            return "", 0
        texts = [f"{scene.sides[seat].name} {said}".strip() for seat, said in scene.standings]
        need = max(70 + text_width(text, 34) for text in texts)
        spots, lines = looks.columns([1] * len(texts), need, across - 40)
        drawn = []
        for (left, above), (seat, _), text in zip(spots, scene.standings, texts, strict=True):
            side = scene.sides[seat]
            x, y = 20 + left + 24, down + ENTRY * above + ENTRY / 2
            drawn.append(
                element(
                    "g",
                    _disc(side, (x, y)) + element("text", words(text), x=number(x + 32), y=number(y + 10), class_="k"),
                    class_=f"o{slot_of(side)}",
                )
            )
        return "".join(drawn), ENTRY * lines + 8


def _loops(around: dict[tuple[int, int], list[tuple[int, int]]]) -> str:
    """Join sides that run clockwise round hexes into closed lines."""
    parts = []
    while around:
        start = here = min(around)
        steps = []
        while True:
            there = around[here].pop()
            if not around[here]:
                del around[here]
            if there == start:
                break
            steps.append(f"{there[0] - here[0]} {there[1] - here[1]}")
            here = there
        parts.append(f"M{start[0]} {start[1]}l{' '.join(steps)}z")
    return "".join(parts).replace(" -", "-")


def _disc(side: Side, at: Vector) -> str:
    """A side's disc with its letter."""
    x, y = at
    round_ = element("circle", cx=number(x), cy=number(y), r="19", class_="w")
    return round_ + element(
        "text", side.letter, x=number(x), y=number(y + 8), class_=f"kl{looks.pair_class(side.letter)}"
    )


SHEET = (
    ".hm{--o:var(--ink);--rv:#4f97c9}.hm .hx{stroke:var(--edge);stroke-width:1;stroke-opacity:.35}"
    ".hm g:not(.hx){pointer-events:none}.hm g:has(>title){pointer-events:auto}"
    ".hm-g{fill:none;stroke:var(--ink);stroke-width:1.7;stroke-opacity:.45}"
    ".hm .hrb,.hm .hr,.hm .hob,.hm .ho{fill:none}.hm .hrb{stroke:var(--halo);stroke-width:9;stroke-opacity:.6}.hm .hr{stroke:var(--rv);stroke-width:5.5}"
    ".hm .hob{stroke:var(--halo);stroke-width:8}.hm .ho{stroke:#8a5a2b;stroke-width:4;stroke-dasharray:9 5}"
    ".hm .hc{stroke:none;opacity:.34;pointer-events:none}.hm .hb{fill:none;stroke:var(--o);stroke-width:5;pointer-events:none}"
    ".hm .hn text{font-size:17px;fill:var(--soft);font-weight:600}.hm .hl2 text{font-size:9.5px;paint-order:stroke;stroke:var(--halo);stroke-width:2.4;stroke-opacity:.75}"
    ".hm .hl0{pointer-events:none}"
    ".hm .hp{fill:none;stroke:#7b3fb0;stroke-width:4}.hm .hu{fill:none;stroke:var(--ink);stroke-width:2.6}"
    ".hm .hw{fill:var(--o);stroke:var(--halo);stroke-width:2.4;paint-order:stroke}"
    ".hm .hnm{font-size:11.5px;font-weight:600;font-style:italic;paint-order:stroke;stroke:var(--halo);stroke-width:3}"
    ".hm .hk{fill:var(--o);stroke:var(--halo);stroke-width:2}.hm .hy{fill:var(--halo);stroke:var(--o);stroke-dasharray:5 3}"
    ".hm .hk+text{fill:var(--on);font-weight:700}.hm .hy+text{fill:var(--o)}.hm .ht15{font-size:15px}.hm .ht11{font-size:11px}"
    ".hm .hkc{fill:var(--on);stroke:none}.hm .hpm{font-size:12px;font-weight:700}"
    ".hm .hvb{fill:none;stroke:var(--halo);stroke-width:7;stroke-opacity:.8}.hm .hv,.hm .ha,.hm .hz,.hm .hvh{fill:none;stroke:var(--o);stroke-width:3.4}"
    ".hm .hv{stroke-dasharray:2 7}.hm .ha{stroke-width:5}.hm .hz{stroke-dasharray:10 6}"
    ".hm .hs{fill:none;stroke:var(--bad);stroke-width:2.6}.hm .hq{font-size:18px;font-weight:700}"
    "@media(max-width:640px){.hm .n2{display:none}.hm .hn text{font-size:30px}.hm .ht15{font-size:17px}.hm .k{font-size:34px}"
    ".hm-g{stroke-width:2.2}.hm .hb{stroke-width:7}}"
)
"""Style rules of maps of hexes."""
CROPPED = ".hm .hl2 text{font-size:10.5px}"
"""Style of hexes' numbers in a cropped map, which is mostly shown smaller than a page: as large as the names above them allow."""
assert math.isclose(HALF, SIDE * math.sqrt(3) / 2, abs_tol=0.5), "hexes look regular"
