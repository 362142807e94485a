"""A map from borders alone: where each province lies, and how it is shaped, for a board that nobody has drawn.

Which province touches which is a graph. The part of it that fits into the plane (`borders`) is laid out as a net of cells
(`net`), one cell for each province, so that two cells share a line exactly where two provinces border: each corner of the net
is where three cells meet. Where more than three provinces surround a spot and may not touch across it, a small cell of nobody
keeps them apart; where a province surrounds others by itself, it has several cells, and no line is drawn between them.

The net begins as a drawing by Tutte's theorem, which no weights can tangle (`springs`), is weighted until cells have about
the room that they need (`rooms`), and is then relaxed toward cells that are as regular as their neighbours allow (`relaxing`);
a corner moves only where no triangle of the net turns over (`points`). Lines between corners stay inside the two triangles
beside them, so that they can be as crooked as coasts are and still never meet (`drawing`). At last each province is furnished
(`furnishing`), and signs say what lines do not (`signs`).

Same tiles, same integers: floats are only added, multiplied, divided and rooted, which every machine does alike, and
nothing depends on the order of a set or on chance.
"""

from __future__ import annotations

from adjudicator.core.text.problems import problem
from adjudicator.render.layout.borders import crossings_of
from adjudicator.render.layout.drawing import LARGE, Drawing
from adjudicator.render.layout.lines import path_of
from adjudicator.render.layout.net import Net
from adjudicator.render.layout.points import Layout
from adjudicator.render.layout.relaxing import SWEEPS, part, relax
from adjudicator.render.layout.rooms import size_of, weights_of, wishes_of
from adjudicator.render.layout.signs import signs_of
from adjudicator.render.layout.springs import ROUNDS, SLIDES, spread, turn
from adjudicator.render.outlines import Neutral, Outlines
from adjudicator.render.scenes import Tiles

TRIES = 8
"""How often cells grow that are too small for what stands in them."""
MORE = 3
"""How often a large board grows at most to part what touches wrongly."""


def lay_out(tiles: Tiles) -> Outlines:
    """The picture of a board from its borders alone. Raises `Problems` if it would show borders that there are not."""
    pairs = crossings_of(tiles)
    net = Net(tiles, pairs)
    weights = weights_of(tiles, net)
    layout = Layout(net, weights, size_of(weights))
    turn(layout, wishes_of(tiles, net))
    spread(layout)
    if layout.crowded():
        spread(layout, ROUNDS + SLIDES, SLIDES)
        layout.parted = True
    relax(layout, SWEEPS)
    best = drawing = Drawing(tiles, pairs, net, layout)
    drawing.furnish()
    for number in range(TRIES):
        if not best.tight or (number and drawing.hopeless()):
            break
        if number < TRIES - 2:
            layout.grow(drawing.tight)
            relax(layout, SWEEPS // 4)
        else:
            layout.grow(range(len(net.owners)))
        drawing = Drawing(tiles, pairs, net, layout)
        drawing.furnish()
        best = min(best, drawing, key=lambda picture: (picture.wrong(), len(picture.tight)))
    for _ in range(TRIES if len(tiles.provinces) <= LARGE else MORE):
        if not best.wrong():
            break
        # Whole numbers laid two lines onto each other that run close beside each other: they part in a larger picture.
        layout.grow(range(len(net.owners)))
        relax(layout, SWEEPS // 4)
        part(layout)
        drawing = Drawing(tiles, pairs, net, layout)
        best = min(best, drawing, key=Drawing.wrong)
    if best.wrong():
        what = "the board's provinces cannot be laid out so that none touch that do not border"
        raise problem("", what, "draw its shapes (`outlines:`), or take away borders that cross others")
    if not best.provinces:
        best.furnish()
    return as_outlines(best)


def as_outlines(drawing: Drawing) -> Outlines:
    """What has been drawn and furnished, with its signs."""
    neutral = tuple(
        Neutral(name="nobody’s", path=path_of(rings))
        for owner, rings in drawing.shapes.items()
        if isinstance(owner, int)
    )
    provinces = {code: drawing.provinces[code] for code in sorted(drawing.provinces)}
    return Outlines(size=drawing.size, provinces=provinces, neutral=neutral, signs=tuple(signs_of(drawing)))
