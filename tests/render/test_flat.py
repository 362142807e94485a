"""Pictures without style variables look as a browser shows them."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Browser

from adjudicator.core.contract.ruleset import slugs
from adjudicator.render.flat import flat
from adjudicator.site.home import BOARD, ruleset_boards
from adjudicator.site.pictures import _faces

WIDTH = 600
"""Narrow, as `flat` writes its rules."""


def resvg(svg: str) -> Image.Image:
    import resvg_py

    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=WIDTH, background="#ffffff", skip_system_fonts=True, font_files=_faces(),
        font_family="Noto Sans", sans_serif_family="Noto Sans", serif_family="Literata",
    )  # fmt: skip
    return Image.open(io.BytesIO(bytes(drawn))).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> float:
    """Mean difference of two pictures, from 0 to 255; letters are blurred, because the typefaces differ."""
    size = (one.width // 8, one.height // 8)
    a, b = (image.resize(size, Image.Resampling.BOX) for image in (one, other.resize(one.size)))
    return sum(ImageStat.Stat(ImageChops.difference(a, b)).mean) / 3


@pytest.mark.slow
@pytest.mark.parametrize("slug", slugs())
def test_a_flat_picture_looks_as_in_a_browser(slug: str, browser: Browser) -> None:
    """Colours of owners, which are inherited variables in the page, are the part that could go wrong."""
    svg = ruleset_boards()[BOARD.format(slug)]
    still = flat(svg)
    assert not re.search(r"var\(|@media|--", re.sub(r"<(title|desc)>.*?</\1>", "", still))
    page = browser.new_page(viewport={"width": WIDTH, "height": 1200}, color_scheme="light")
    page.set_content(f'<body style="margin:0;background:#fff">{svg}</body>')
    seen = Image.open(io.BytesIO(page.locator("svg").first.screenshot())).convert("RGB")
    page.close()
    assert difference(resvg(still), seen) < 3
    lost = re.sub(r" in-o\w+", "", still)
    # At its start Noblesse shows nobody's colours: everything is hidden.
    assert difference(resvg(lost), seen) > difference(resvg(still), seen) or slug == "noblesse"


def test_the_nearest_owner_gives_the_colour() -> None:
    """Variables are inherited: the inner of two owners wins, whatever the order of the rules."""
    style = ".cm{--i1:#111111;--i2:#222222}.cm .o1{--o:var(--i1)}.cm .o2{--o:var(--i2)}.cm .w{fill:var(--o);stroke:var(--b,#333)}"
    inner = '<g class="o2"><g class="o1"><path class="w"/></g><path class="w"/></g><path class="w" fill="var(--i2)"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" class="cm"><style>{style}</style>{inner}</svg>'
    assert flat(svg) == (
        '<svg xmlns="http://www.w3.org/2000/svg" class="cm"><style>.cm .w{stroke:#333}'
        ".cm .w.in-o1{fill:#111111}.cm .w.in-o2{fill:#222222}</style>"
        '<g class="o2 in-o2"><g class="o1 in-o1"><path class="w in-o1" /></g><path class="w in-o2" /></g>'
        '<path class="w" fill="#222222" /></svg>'
    )
