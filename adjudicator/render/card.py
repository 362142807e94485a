"""The face of a card: title, what it is, numbers, signs, what it does, and its flavour; upright, to be read on a phone."""

from __future__ import annotations

from adjudicator.render.palette import USUAL, style
from adjudicator.render.scenes import CardFace
from adjudicator.render.svg import element, words
from adjudicator.render.text import REGULAR, width, wrap

WIDTH, HEIGHT, MARGIN = 400, 560, 24
BAND = 104
"""How high the band is that holds the title."""
TITLE, KIND, SAID, FLAVOUR, FOOT = 28, 18, 20, 18, 15
LEADING = 27


def render_card(face: CardFace) -> str:
    """The face as one SVG document, ending in a newline."""
    signs = "".join(element("path", d=path, id=f"cf-{name.lower()}") for name, path in face.signs.items())
    head = element("title", words(face.title)) + element("desc", words(face.description))
    body = head + element("style", style(USUAL) + STYLE) + (element("defs", signs) if signs else "")
    body += _rect(2, 2, WIDTH - 4, HEIGHT - 4, "pa", 22) + _band(face)
    y = BAND + 22.0
    if face.numbers or face.signs:
        body += _row(face, y)
        y += 66
    body += _middle(face, y)
    foot = wrap(face.foot, FOOT * REGULAR, WIDTH - 2 * MARGIN, 1)
    body += "".join(_text(line, WIDTH / 2, HEIGHT - 18, "fo") for line in foot)
    return f'<svg class="cm cf" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg">{body}</svg>\n'


def _band(face: CardFace) -> str:
    """The title, in a line or two, and what the card is."""
    band = element("path", d=f"M2 {BAND}V24A22 22 0 0 1 24 2H{WIDTH - 24}A22 22 0 0 1 {WIDTH - 2} 24V{BAND}Z", class_=f"ba {face.tone}")
    lines = wrap(face.title, TITLE, WIDTH - 2 * MARGIN, 2)
    size = TITLE if len(lines) == 1 else TITLE - 4
    lines = wrap(face.title, size, WIDTH - 2 * MARGIN, 2)
    first = 50 if len(lines) == 1 else 34
    parts = [_text(line, WIDTH / 2, first + 28 * number, "ti" if len(lines) == 1 else "tj") for number, line in enumerate(lines)]
    return band + "".join(parts) + _text(face.kind, WIDTH / 2, BAND - 14, "ki")


def _row(face: CardFace, y: float) -> str:
    """Numbers, each in its field with what it is, and signs with their names; side by side."""
    parts, x = [], float(MARGIN)
    for shape, (label, number) in zip("cd", face.numbers, strict=False):
        middle = x + 20
        if shape == "c":
            parts.append(element("circle", cx=_n(middle), cy=_n(y + 20), r="20", class_="fi"))
        else:
            parts.append(element("path", d=f"M{_n(x + 2)} {_n(y + 2)}H{_n(x + 38)}V{_n(y + 24)}L{_n(middle)} {_n(y + 42)}L{_n(x + 2)} {_n(y + 24)}Z", class_="fj"))
        parts.append(_text(str(number), middle, y + 28, "nu"))
        parts.append(_text(label, middle, y + 60, "la"))
        x += 78
    step = min(62.0, (WIDTH - MARGIN - x) / max(len(face.signs), 1))
    for at, name in enumerate(reversed([*face.signs])):
        middle = WIDTH - MARGIN - step / 2 - at * step
        parts.append(element("use", href=f"#cf-{name.lower()}", class_="sg", transform=f"translate({_n(middle)} {_n(y + 20)}) scale(1.7)"))
        parts.append(_text(name, middle, y + 60, "la"))
    return "".join(parts)


def _middle(face: CardFace, y: float) -> str:
    """What the card does, and its flavour below."""
    room = WIDTH - 2 * MARGIN
    flavour = wrap(f"“{face.flavour}”", FLAVOUR * REGULAR, room, 5) if face.flavour else ()
    said = [line for text in face.said for line in (*wrap(text, SAID * REGULAR, room, 10), "")][:-1]
    end = HEIGHT - 44.0
    low = end - 24 * len(flavour)
    rule = element("path", d=f"M{MARGIN} {_n(y)}H{WIDTH - MARGIN}", class_="ru")
    top = y + 16 + (low - 20 - y - LEADING * len(said)) / 2
    parts = [_text(line, MARGIN, top + 14 + LEADING * number, "sa") for number, line in enumerate(said) if line]
    parts += [_text(line, WIDTH / 2, low + 16 + 24 * number, "fl") for number, line in enumerate(flavour)]
    return rule + "".join(parts)


def fits(face: CardFace) -> bool:
    """Whether all that a card says has room on its face."""
    room = WIDTH - 2 * MARGIN
    lines = sum(len(wrap(text, SAID * REGULAR, room, 99)) for text in face.said) + len(face.said) - 1
    flavour = len(wrap(f"“{face.flavour}”", FLAVOUR * REGULAR, room, 99)) if face.flavour else 0
    top = BAND + 22 + (66 if face.numbers or face.signs else 0)
    title = max(len(wrap(face.title, TITLE - 4, room, 99)), 1) <= 2 and width(face.kind, KIND) * REGULAR <= room
    return title and top + 16 + LEADING * lines + 20 + 24 * flavour <= HEIGHT - 44


def _n(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _text(text: str, x: float, y: float, kind: str) -> str:
    return element("text", words(text), x=_n(x), y=_n(y), class_=kind)


def _rect(x: float, y: float, wide: float, high: float, kind: str, round_: int) -> str:
    return element("rect", x=_n(x), y=_n(y), width=_n(wide), height=_n(high), rx=str(round_), class_=kind)


STYLE = (
    ".cf .pa{fill:var(--halo);stroke:var(--ink);stroke-width:3}.cf .ba{stroke:var(--ink);stroke-width:3}"
    ".cf .t1{fill:var(--sea)}.cf .t2{fill:var(--land)}.cf .t3{fill:var(--out)}.cf .t4{fill:var(--halo)}"
    ".cf .fi,.cf .fj{fill:var(--halo);stroke:var(--ink);stroke-width:2.4}.cf .fj{fill:var(--land)}.cf .sg{fill:var(--ink)}"
    ".cf .ru{stroke:var(--edge);stroke-width:1.5}.cf text{text-anchor:middle}.cf .sa{text-anchor:start}"
    f".cf .ti{{font-size:{TITLE}px;font-weight:700}}.cf .tj{{font-size:{TITLE - 4}px;font-weight:700}}.cf .ki{{font-size:{KIND}px}}"
    f".cf .nu{{font-size:24px;font-weight:700}}.cf .la{{font-size:14px}}.cf .sa{{font-size:{SAID}px}}"
    f".cf .fl{{font-size:{FLAVOUR}px;font-style:italic}}.cf .fo{{font-size:{FOOT}px}}"
)
"""The rules of these pictures."""
