"""The land under everything: the frame, plots in their colours, ground, brook, borders."""

from __future__ import annotations

from adjudicator.render.grid_map.parcels import CELL, RIM, chance, ground_of, place_of, spot_of
from adjudicator.render.grid_map.picture import Picture
from adjudicator.render.grid_map.shapes import CLOUDS, GROUND, TINTS


def paint_land(picture: Picture) -> None:
    """Paint the frame, and each plot in its owner's colour."""
    draw, scene = picture.drawing, picture.scene
    width, height = picture.size
    draw.add(picture.back)
    draw.add(draw.rect((RIM, RIM), (width - 2 * RIM, height - 2 * RIM), class_="l"))
    frame = draw.g(class_="pe")
    frame.add(draw.rect((8, 8), (width - 16, height - 16), class_="rim"))
    frame.add(draw.rect((18, 18), (width - 36, height - 36), class_="rim"))
    edges = f"M{RIM} 13H{width - RIM}M{RIM} {height - 13}H{width - RIM}M13 {RIM}V{height - RIM}M{width - 13} {RIM}V{height - RIM}"
    frame.add(draw.path(edges, class_="zb"))
    letters = draw.g(class_="rl")
    frame.add(letters)
    for row in range(scene.rows):
        y = RIM + CELL * row + CELL // 2 + 10
        for x in (40, width - 40):
            letters.add(draw.text(chr(ord("A") + row), (x, y)))
    for column in range(scene.columns):
        x = RIM + CELL * column + CELL // 2
        for y in (51, height - 30):
            letters.add(draw.text(str(column + 1), (x, y)))
    draw.add(frame)
    for row in range(scene.rows):
        for column in range(scene.columns):
            place = place_of(row, column)
            shape = draw.path(picture.parcels.outline(row, column), class_="fo")
            plot = picture.plots.get(place)
            if plot is not None:
                owner = picture.slot(plot.owner)
                tint = "fo" if plot.fog else f"l{owner}" if owner else TINTS[ground_of(row, column)[0]]
                shape.attribs["class"] = tint
                picture.add_name(picture.add_title(shape, plot.title), place)
            draw.add(shape)


def paint_ground(picture: Picture) -> None:
    """Paint the things on the land: ground and clouds, the brook, the frontier, rims of prizes."""
    draw = picture.drawing
    group = draw.g(class_="pe")
    frontier = picture.parcels.frontier({place: plot.owner for place, plot in picture.plots.items() if not plot.fog})
    brook = picture.parcels.brook()
    lines = [
        draw.g(transform=f"translate(0 {picture.middle(place_of(row, 0))[1]})") for row in range(picture.scene.rows)
    ]
    for place, plot in picture.plots.items():
        row, column = spot_of(place)
        name = f"v{1 + chance('v', row, column) % 2}" if plot.fog else ground_of(row, column)
        path = CLOUDS[name] if plot.fog else GROUND[name]
        at = (picture.middle(place)[0], 0)
        lines[row].add(picture.use_sign(f"g{name}", path, at, always="gm-cl" if plot.fog else "gm-gr"))
    for line in lines:
        group.add(line)
    if brook:
        group.add(picture.use_sign("g-brook", brook, (0, 0), "ba"))
        group.add(picture.use_sign("g-brook", brook, (0, 0), "bb"))
    if frontier:
        group.add(draw.path(frontier, class_="fr"))
    for place, plot in picture.plots.items():
        if plot.prize:
            group.add(draw.path(picture.parcels.outline(*spot_of(place), inset=5), class_="pz"))
    draw.add(group)
