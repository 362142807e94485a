"""A board of estates as SVG in the style of an old estate map: parcels with irregular borders, yields and units.

The land is computed only from rows and columns, so that the same board always looks the same, and two neighbours share their
border to the last digit. The ground (furrows, woods, hills, a brook along some borders) has no meaning in the game.
"""

from __future__ import annotations

from adjudicator.render.grid_map.arrows import paint_arrows
from adjudicator.render.grid_map.land import paint_ground, paint_land
from adjudicator.render.grid_map.picture import Picture
from adjudicator.render.grid_map.strip import keep_every_sign, paint_strip
from adjudicator.render.grid_map.units import gather, paint_marks, paint_units
from adjudicator.render.grid_map.words import write_plots
from adjudicator.render.scenes import GridScene
from adjudicator.render.svg import empty_document, short_text


def render_grid(scene: GridScene) -> str:
    """The scene as one SVG document, ending in a newline."""
    drawing = empty_document("cm gm")
    drawing.set_desc(title=scene.title, desc=scene.description)
    picture = Picture(drawing, scene)
    flocks = {place: gather(picture, place, units) for place, units in picture.units.items()}
    picture.add_sheet()
    paint_land(picture)
    paint_ground(picture)
    paint_arrows(picture, flocks)
    write_plots(picture)
    paint_units(picture, flocks)
    paint_marks(picture)  # Marks are over the units that they cross out.
    foot = paint_strip(picture)
    if scene.clickable:
        keep_every_sign(picture)
    width, height = picture.size
    drawing.attribs["viewBox"] = f"0 0 {width} {height + foot}"
    picture.fill_sheet()
    return short_text(drawing).replace(' cx="0" cy="0"', "").replace(' baseProfile="full"', "")
