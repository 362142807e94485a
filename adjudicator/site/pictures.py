"""Pictures for shared links: a card with a board and a headline for each turn and each game, as PNG.

Chats and forums show such a card below a link. The extra `courtly[pictures]` installs the libraries that make PNG files;
without it pages have no picture. The letters come from typefaces in this package, so a turn gives the same bytes on every
machine that has the same version of the libraries.
"""

from __future__ import annotations

import functools
import importlib.util
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adjudicator.core.contract.scene import Drawing, drawing_of
from adjudicator.core.files.disk import Own
from adjudicator.core.jobs.engine import on_cores
from adjudicator.core.turn.data import Turn
from adjudicator.render import faces
from adjudicator.render.flat import flat
from adjudicator.render.svg import element, length, words
from adjudicator.render.text import wrap
from adjudicator.site.home import BOARD as ADDRESS
from adjudicator.site.story import Story
from adjudicator.site.words import state_in_words

NAME = "card.png"
WIDTH, HEIGHT = 1200, 630
"""The size that Open Graph readers expect."""
MARGIN = 44
BROADEST = 660
"""Greatest width of the board; the words have the rest."""
TALLEST = 1.5
"""A board that is taller than this, relative to its width, is cut off above and below instead of being shrunk."""
LARGEST = 60_000
"""Most bytes of a picture; it loses colours until it is small enough."""
SIZES = (58, 50, 44, 38, 34)
"""Sizes of the headline, the largest that fits."""
SPACE = 320
"""Height of the space for the headline."""
SLIM = 1.12
"""`wrap` measures bold sans-serif letters; the headline's letters are this much narrower."""
COLOURS = (128, 96, 64, 48, 32, 16, 8)
PAPER, INK, ACTION, SOFT = "#fffdf6", "#26221b", "#8a1c2b", "#5f5748"
NARROW = re.compile(r"[\u0370-\u052f]")
"""Letters of Greek and Cyrillic, which our typefaces have."""
FOREIGN = re.compile(r"[^\u0000-\u024f\u0300-\u052f\u1e00-\u1eff\u2000-\u206f\u2190-\u2193\u2212\ufeff]")
"""Letters that our typefaces lack. A card with such letters is drawn with this machine's typefaces too."""
LINE = 1.16
"""Height of a line, relative to its letters."""


@dataclass(frozen=True, slots=True)
class SharedCard:
    """The contents of one card."""

    above: str
    """The game, or the site."""
    headline: str
    below: str
    """The turn, or the state of the game."""
    site: str
    board: Drawing

    def svg(self) -> str:
        """The card as an SVG document without style variables."""
        width, height = self.board.width, self.board.height
        wide = min(BROADEST, round(HEIGHT * width / height)) if height < width * TALLEST else 520
        cut = "xMidYMid slice" if height >= width * TALLEST else "xMaxYMid meet"
        frame = f'<svg x="{WIDTH - wide}" y="0" width="{wide}" height="{HEIGHT}" preserveAspectRatio="{cut}" '
        left, room = MARGIN, WIDTH - wide - 2 * MARGIN
        parts = [
            element("rect", width=str(WIDTH), height=str(HEIGHT), fill=PAPER),
            element("rect", width="10", height=str(HEIGHT), fill=ACTION),
            *_lines(broken(self.above, 26, room, 2), left, 78, 26, ACTION, "sans-serif"),
        ]
        size = next((size for size in SIZES if _high(self.headline, size, room) <= SPACE), SIZES[-1])
        told = broken(self.headline, size, room * SLIM, int(SPACE / (size * LINE)))
        parts += _lines(told, left, 190, size, INK, "Literata")
        base = 190 + len(told) * size * LINE + 18
        most = int((HEIGHT - 90 - base) / (26 * LINE)) + 1
        parts += _lines(broken(self.below, 26, room, most), left, base, 26, SOFT, "sans-serif")
        parts += _lines(broken(self.site, 24, room, 1), left, HEIGHT - 40, 24, INK, "Literata")
        board = flat(self.board.svg).replace("<svg ", frame, 1)
        return element(
            "svg", "".join(parts) + board, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}"
        )


def broken(text: str, size: float, room: float, most: int) -> tuple[str, ...]:
    """Text in at most `most` lines of this width, as `wrap` breaks it, with letters of Greek and Cyrillic as wide as others.

    `wrap` cannot know which typeface will have them; here it is known.
    """
    plain = " ".join(text.split())
    lines: list[str] = []
    at = 0
    for line in wrap(NARROW.sub("d", plain), size, room, most):
        cut = line.endswith("…") and NARROW.sub("d", plain[at : at + len(line)]) != line
        length = len(line) - cut
        lines.append(plain[at : at + length] + "…" * cut)
        at += length
        at += plain[at : at + 1] == " "
    return tuple(lines)


def _high(text: str, size: int, room: float) -> float:
    """Height of a headline in letters of this size."""
    return len(broken(text, size, room * SLIM, 99)) * size * LINE


def _lines(lines: Sequence[str], x: float, y: float, size: int, colour: str, face: str) -> list[str]:
    """Lines of text, the first with its base at `y`."""
    return [
        element(
            "text", words(line), x=length(x), y=length(y + at * size * LINE), fill=colour,
            **{"font-size": str(size), "font-family": face, "font-weight": "700"},
        )
        for at, line in enumerate(lines)
    ]  # fmt: skip


def turn_card(story: Story, turn: Turn, board: Drawing, site: str) -> SharedCard:
    """The card of a turn: its headline, and its board with the orders."""
    headline = story.headline(turn) or f"{turn.data.phase} is open."
    return SharedCard(story.game.title, headline, turn.data.phase, site, board)


def game_card(story: Story, board: Drawing, site: str) -> SharedCard:
    """The card of a game: how it ended, or its latest headline."""
    state = state_in_words(story)
    below = story.latest_headline() or state[:1].upper() + state[1:]
    return SharedCard(story.game.ruleset.about.title, story.game.title, below, site, board)


def site_card(name: str, about: str, boards: Mapping[str, str]) -> SharedCard:
    """The card of a site, with one of the rulesets' boards."""
    board = boards.get(ADDRESS.format("diplomacy")) or next(iter(boards.values()))
    return SharedCard("", name, about, "", drawing_of(board))


def can_draw() -> bool:
    """True if the libraries of the extra `pictures` are installed."""
    return all(importlib.util.find_spec(name) is not None for name in ("resvg_py", "PIL"))


@functools.cache
def _faces() -> list[str]:
    """The files of the typefaces, in one order on every machine."""
    folder = Path(faces.__file__).parent
    return sorted(str(path) for path in Own(folder).paths(folder, "*.ttf"))


def png(card: SharedCard) -> bytes:
    """A card as PNG, of at most `LARGEST` bytes. It needs the libraries of the extra `pictures`."""
    import resvg_py
    from PIL import Image
    from PIL.Image import open as opened

    svg = card.svg()
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=WIDTH, height=HEIGHT, skip_system_fonts=FOREIGN.search(svg) is None, font_files=_faces(),
        font_family="Noto Sans", sans_serif_family="Noto Sans", serif_family="Literata",
    )  # fmt: skip
    image = opened(io.BytesIO(bytes(drawn))).convert("RGB")
    counted = image.getcolors(WIDTH * HEIGHT)
    assert counted is not None, "a picture has no more colours than points"
    usual = [colour for _, colour in sorted(counted, reverse=True) if isinstance(colour, tuple)]
    for colours in COLOURS:
        # The colours of the map, and not their averages; the edges between them take the nearest.
        palette = Image.new("P", (1, 1))
        palette.putpalette([part for colour in usual[:colours] for part in colour])
        few = image.quantize(palette=palette, dither=Image.Dither.NONE)
        written = io.BytesIO()
        few.save(written, "PNG", compress_level=9)
        if written.tell() <= LARGEST:
            break
    return written.getvalue()


Place = Callable[[str, bytes], None]
"""Writes a file of the site, by its address."""


class Drawer:
    """Makes pictures, on all cores. They are made in lots, because a large site has thousands and each card holds its map."""

    LOT = 64

    def __init__(self, place: Place) -> None:
        """`place` is called with each picture."""
        self.place = place
        self.cards: list[tuple[str, SharedCard]] = []

    def add(self, cards: Mapping[str, SharedCard | None]) -> None:
        """Take cards by address; the pictures of those that are None exist already."""
        self.cards += [(address, card) for address, card in cards.items() if card is not None]

    def lot(self) -> None:
        """Make the pictures that were taken if there are many."""
        if len(self.cards) >= self.LOT:
            self.finish()

    def finish(self) -> None:
        """Make the pictures that were taken and are not made yet."""
        waiting, self.cards = self.cards, []
        drawn = on_cores(most=len(waiting) // 8)(png, [card for _, card in waiting])
        for (address, _), data in zip(waiting, drawn, strict=True):
            self.place(address, data)
