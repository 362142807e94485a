"""The face of a card: title, kind, numbers, signs, effects and flavour text, upright so that it can be read on a phone."""

from __future__ import annotations

from adjudicator.render.palette import USUAL, style
from adjudicator.render.scenes import CardFace
from adjudicator.render.svg import element, length, rect, shield, text_at, words
from adjudicator.render.text import REGULAR, width, wrap

WIDTH, HEIGHT, MARGIN = 400, 560, 24
BAND = 104
"""The height of the band with the title."""
KIND, SMALL, FLAVOUR, FOOT = 18, 16, 18, 15
TITLES = (28, 24, 19)
"""Sizes of titles: the first for one line, the others for two."""
SIZES = (20, 17, 14)
"""Sizes of the card's effects: the largest that fits is used."""
MOST_FLAVOUR = 5
"""Most lines of flavour text."""


def render_card(face: CardFace) -> str:
    """The face as one SVG document, ending in a newline."""
    signs = "".join(element("path", d=path, id=_sign(face, name)) for name, path in face.signs.items())
    head = element("title", words(face.title)) + element("desc", words(face.description))
    body = head + element("style", style(USUAL) + STYLE) + (element("defs", signs) if signs else "")
    body += rect(2, 2, WIDTH - 4, HEIGHT - 4, "pa", 22) + _band(face)
    y = BAND + 22.0
    if face.numbers or face.signs:
        body += _row(face, y)
        y += 74
    body += _middle(face, y)
    foot = wrap(face.foot, FOOT * REGULAR, WIDTH - 2 * MARGIN, 1)
    body += "".join(text_at(line, WIDTH / 2, HEIGHT - 18, "fo") for line in foot)
    return f'<svg class="cm cf" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg">{body}</svg>\n'


def _sign(face: CardFace, name: str) -> str:
    """The id of a sign in a face."""
    return f"cf-{face.name}-{name.lower()}"


def _band(face: CardFace) -> str:
    """The title, in one line or two, and the kind of card."""
    band = element(
        "path",
        d=f"M2 {BAND}V24A22 22 0 0 1 24 2H{WIDTH - 24}A22 22 0 0 1 {WIDTH - 2} 24V{BAND}Z",
        class_=f"ba {face.tone}",
    )
    size, lines = _titled(face.title)
    first = 50 if len(lines) == 1 else 34
    parts = [text_at(line, WIDTH / 2, first + 28 * number, f"ti t{size}") for number, line in enumerate(lines)]
    return band + "".join(parts) + text_at(face.kind, WIDTH / 2, BAND - 14, "ki" if _wide(face.kind, KIND) else "kj")


def _titled(title: str) -> tuple[int, tuple[str, ...]]:
    """The size of a title and its lines: one line, or two in smaller letters."""
    room = WIDTH - 2 * MARGIN
    for size, most in zip(TITLES, (1, 2, 2), strict=True):
        lines = wrap(title, size, room, 9)
        if len(lines) <= most:
            return size, lines
    return TITLES[-1], wrap(title, TITLES[-1], room, 2)


def _wide(text: str, size: float) -> bool:
    """True if a regular (not bold) line fits between the margins."""
    return width(text, size * REGULAR) <= WIDTH - 2 * MARGIN


def _row(face: CardFace, y: float) -> str:
    """Numbers in their fields with labels, and signs with their names, side by side."""
    parts, x = [], float(MARGIN)
    for shape, (label, amount) in zip("cd", face.numbers, strict=False):
        middle = x + 20
        if shape == "c":
            parts.append(element("circle", cx=length(middle), cy=length(y + 20), r="20", class_="fi"))
        else:
            parts.append(shield(middle, y + 20, (18, 18, 4, 22), "fj"))
        parts.append(text_at(str(amount), middle, y + 28, "nu"))
        parts.append(text_at(label, middle, y + 60, "la"))
        x += 78
    step = min(62.0, (WIDTH - MARGIN - x) / max(len(face.signs), 1))
    for at, name in enumerate(reversed([*face.signs])):
        middle = WIDTH - MARGIN - step / 2 - at * step
        parts.append(
            element(
                "use",
                href=f"#{_sign(face, name)}",
                class_="sg",
                transform=f"translate({length(middle)} {length(y + 20)}) scale(1.7)",
            )
        )
        parts.append(text_at(name, middle, y + 60, "la"))
    return "".join(parts)


def _middle(face: CardFace, y: float) -> str:
    """The card's effects, and its flavour text below."""
    room = WIDTH - 2 * MARGIN
    flavour = wrap(f"“{face.flavour}”", FLAVOUR * REGULAR, room, MOST_FLAVOUR) if face.flavour else ()
    low = HEIGHT - 44.0 - 24 * len(flavour)
    rule = element("path", d=f"M{MARGIN} {length(y)}H{WIDTH - MARGIN}", class_="ru") if y > BAND + 22 else ""
    if not face.said:
        # A card without effects shows its first sign enlarged.
        sign = next(iter(face.signs), "")
        middle = f"translate({WIDTH // 2} {length((y + low) / 2)}) scale(9)"
        large = element("use", href=f"#{_sign(face, sign)}", class_="wa", transform=middle) if sign else ""
        return large + rule + _flavour(flavour, low)
    size, lines = _fitted(face, low - y - 30)
    leading = size * 1.35
    top = y + 12 + (low - 18 - y - leading * len(lines)) / 2
    parts = [
        text_at(line, MARGIN, top + size * 0.8 + leading * number, f"sa s{size}")
        for number, line in enumerate(lines)
        if line
    ]
    return rule + "".join(parts) + _flavour(flavour, low)


def _fitted(face: CardFace, high: float) -> tuple[int, list[str]]:
    """The largest size that fits the card's effects, and their lines, with an empty line between paragraphs."""
    room = WIDTH - 2 * MARGIN
    for size in SIZES:
        lines = [line for text in face.said for line in (*wrap(text, size * REGULAR, room, 99), "")][:-1]
        if size * 1.35 * len(lines) <= high:
            return size, lines
    return size, lines[: int(high / (size * 1.35))]


def _flavour(lines: tuple[str, ...], y: float) -> str:
    return "".join(text_at(line, WIDTH / 2, y + 16 + 24 * number, "fl") for number, line in enumerate(lines))


STYLE = (
    ".cf .pa{fill:var(--halo);stroke:var(--ink);stroke-width:3}.cf .ba{stroke:var(--ink);stroke-width:3}"
    ".cf .t1{fill:var(--sea)}.cf .t2{fill:var(--land)}.cf .t3{fill:var(--out)}.cf .t4{fill:var(--halo)}"
    ".cf .fi,.cf .fj{fill:var(--halo);stroke:var(--ink);stroke-width:2.4}.cf .fj{fill:var(--land)}.cf .sg{fill:var(--ink)}"
    ".cf .ru{stroke:var(--edge);stroke-width:1.5}.cf text{text-anchor:middle}.cf .sa{text-anchor:start}"
    ".cf .ti{font-weight:700}"
    + "".join(f".cf .t{size}{{font-size:{size}px}}" for size in TITLES)
    + f".cf .ki{{font-size:{KIND}px}}.cf .kj{{font-size:{SMALL}px}}.cf .wa{{fill:var(--out)}}"
    ".cf .nu{font-size:24px;font-weight:700}.cf .la{font-size:14px}"
    + "".join(f".cf .s{size}{{font-size:{size}px}}" for size in SIZES)
    + f".cf .fl{{font-size:{FLAVOUR}px;font-style:italic}}.cf .fo{{font-size:{FOOT}px}}"
)
"""Style rules for the faces of cards."""
