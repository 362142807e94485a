"""The strip below a board of provinces: the sides' colours, letters and standings."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.contract.resolution import SeatId
from adjudicator.render import sides
from adjudicator.render.geometry import number
from adjudicator.render.outlines import Point
from adjudicator.render.palette import slot_of
from adjudicator.render.parts import disc, lettering
from adjudicator.render.scenes import ProvinceScene
from adjudicator.render.svg import element
from adjudicator.render.text import width as text_width
from adjudicator.render.text import wrap

LEGEND = 92
"""Height of the strip below the map."""
ROW = 74
"""Height of each further row of the strip."""
ENTRY = 62
"""Height of a line in a strip of many sides."""
GROWN = 1.4
"""Scale of the lines in a strip of many sides, in narrow pictures."""
SAID, BESIDE = 27, 24
"""Sizes of text in a strip of many sides: for sides, and for attendants."""
MARGIN = 12
"""Margin around the entries of a strip of many sides."""
AT, FROM = 34, 74
"""Distance from an entry's left end to the middle of its disc, and to its text."""
INWARD = 22
"""Indent of a side's attendants."""
DISC = 16
"""Half the height of a disc in a strip of many sides; with a second rim, it must not touch the next line's on a phone."""
MANY = (
    ".cm .k3{font-size:27px}.cm .k4{font-size:24px;font-weight:400}.cm .kz .q{display:none}"
    f"@media(max-width:640px){{.cm .kz{{transform:scale({GROWN})}}.cm .kz .q{{display:inline}}}}"
)
"""Further style rules for a strip of many sides."""


class Strip:
    """The strip of one picture; `size` is the size of its board."""

    def __init__(self, scene: ProvinceScene, size: Point) -> None:
        self.scene = scene
        self.size = size
        self.has_columns = _has_columns(scene, size[0])
        self.height = _height(scene, size[0])

    def drawn(self) -> str:
        """The strip as text; empty without standings."""
        scene = self.scene
        if not scene.standings:
            return ""
        width, height = self.size
        ground = f'<rect class="l" y="{height}" width="{width}" height="{self.height}"/>'
        if self.has_columns:
            return ground + self.columns()
        middle = height + LEGEND / 2
        labels = [f"{scene.sides[seat].name} {text}".strip() for seat, text in scene.standings]
        beside = {attendant.at: attendant for attendant in scene.attendants if attendant.at is not None}
        room = _widths(scene)
        gap = max(0.0, (width - sum(room)) / max(len(room), 1))
        left = gap / 2
        drawn = [ground]
        for (seat, text), label, wide in zip(scene.standings, labels, room, strict=True):
            drawn.append(self.entry(round(left), middle, seat, label, text, "k"))
            if seat in beside:
                attendant = beside[seat]
                row = middle + ROW - 8
                drawn.append(self.entry(round(left), row, attendant.who, attendant.text, attendant.short, "k k2"))
            left += wide + gap
        alone = [attendant for attendant in scene.attendants if attendant.at is None]
        for place, attendant in enumerate(alone):
            x, row = round(width * place / len(alone) + gap / 2), middle + 2 * (ROW - 8)
            drawn.append(self.entry(x, row, attendant.who, attendant.text, attendant.short, "k k2"))
        return "".join(drawn)

    def entry(self, x: float, y: float, who: SeatId | None, text: str, short: str, size: str) -> str:
        """A disc with someone's letter, and a label: `text`, or `short` in narrow pictures."""
        cls = "w" if who is not None else "h"
        inside = f'<circle class="{cls}" cx="{number(x + 20)}" cy="{number(y)}" r="19"/>'
        if who is not None:
            inside += lettering(self.scene.sides[who].letter, x + 20, y + 8, "kl")
        inside += lettering(text, x + 46, y + 10, f"{size} n2") + lettering(short, x + 50, y + 15, f"{size} q")
        return element("g", inside, class_=f"o{slot_of(self.scene.sides[who])}" if who is not None else "o")

    def columns(self) -> str:
        """The legend of many sides: each with its attendants, in as many columns as fit on a phone."""
        across, height = self.size
        blocks = _blocks(self.scene)
        spots, _, room = _columns(blocks, across)
        drawn = []
        for (left, above), block in zip(spots, blocks, strict=True):
            for line, entry in enumerate(block):
                x, y = round(MARGIN + left), height + MARGIN + ENTRY * (above + line) + ENTRY // 2
                side = self.scene.sides[entry.who] if entry.who is not None else None
                at, cls = AT + entry.inward, "w" if side is not None else "h"
                inside = disc((at, 0), DISC, side, cls)
                if side is not None:
                    inside += lettering(side.letter, at, 8, f"kl{sides.pair_class(side.letter)}")
                says = ((entry.text, ""),) if entry.text == entry.short else ((entry.text, " n2"), (entry.short, " q"))
                for text, where in says:
                    (shown,) = wrap(text, entry.size, room - entry.inward, 1) or ("",)
                    cls = "k k3" if entry.size == SAID else "k k4"
                    inside += lettering(shown, FROM + entry.inward, 9, f"{cls}{where}")
                outer = element("g", inside, class_="kz")
                who = f"o{slot_of(side)}" if side is not None else "o"
                drawn.append(element("g", outer, class_=who, transform=f"translate({x} {y})"))
        return "".join(drawn)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line in a strip of many sides: its seat, its text in full and in short, its size and its indent."""

    who: SeatId | None
    text: str
    short: str
    size: int = BESIDE
    inward: int = 0


def _blocks(scene: ProvinceScene) -> list[list[_Entry]]:
    """A block of lines for each side and its attendants, then one for each attendant without a side."""
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
    """Positions of the blocks in a picture `across` wide, the number of lines, and the greatest width of a label."""
    room = across - 2 * MARGIN
    # Narrow pictures have larger letters, and use the short labels.
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
    """Widths that the texts of the entries in a single row need; the rest is divided evenly."""
    beside = {attendant.at: attendant for attendant in scene.attendants if attendant.at is not None}
    return [
        48 + max(len(said) * 16.5, len(beside[seat].text) * 14.5 if seat in beside else 0)
        for seat, said in ((seat, f"{scene.sides[seat].name} {text}".strip()) for seat, text in scene.standings)
    ]


def _has_columns(scene: ProvinceScene, across: float) -> bool:
    """True if the strip has columns: for sides that need more than colours, and in a picture too narrow for one row."""
    # Drawn boards are just wide enough for one row of seven or eight sides, so no margin is added for them.
    narrow = sum(_widths(scene)) * (1 if isinstance(scene.outlines, str) else 1.06) > across
    return bool(scene.standings) and (narrow or sides.is_crowded(scene.sides.values()))


def _height(scene: ProvinceScene, across: float) -> int:
    """Height of the strip below the map: one row, another one for attendants, and another one for those without a side.

    Many sides have as many rows as they need. The height is 0 without standings.
    """
    if not scene.standings:
        return 0
    if _has_columns(scene, across):
        return 2 * MARGIN + ENTRY * _columns(_blocks(scene), across)[1]
    if not scene.attendants:
        return LEGEND
    return LEGEND + ROW * (2 if any(attendant.at is None for attendant in scene.attendants) else 1)
