"""Make a map from nothing but borders: positions and shapes of provinces, for a board that nobody has drawn.

The borders between provinces are a graph. The part of it that fits into the plane (`borders`) is laid out as a net of cells
(`net`), one cell for each province, so that two cells share a line if and only if their provinces border each other. Each corner of the net
is a point where three cells meet. If more than three provinces surround a spot and may not touch across it, a small unowned
cell keeps them apart. A province that surrounds others has several cells, and no line is drawn between them.

The net begins as a drawing by Tutte's theorem, which no weights can tangle (`springs`). It is weighted until cells have about
the size that they need (`rooms`), and is then relaxed toward cells that are as regular as their neighbours allow (`relaxing`).
A corner moves only if no triangle of the net turns over (`points`). Lines between corners stay inside the two triangles
beside them, so that they can be as crooked as coasts and still never meet (`drawing`). Finally each province is furnished
(`furnishing`), and signs show what lines cannot (`signs`).

The same tiles give the same integers: sums, products, quotients and square roots are the only operations on floats, which
have the same results on every machine, and nothing depends on the order of a set or on chance.
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
"""Most rounds of growing cells that are too small for their contents."""
MORE = 3
"""Most rounds of growing a large board to separate provinces that touch without a border."""


def lay_out(tiles: Tiles) -> Outlines:
    """Lay out a board from its borders. Raises `Problems` if the picture would show borders that do not exist."""
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
        # Rounding to whole numbers merged two lines that run close to each other: they separate in a larger picture.
        layout.grow(range(len(net.owners)))
        relax(layout, SWEEPS // 4)
        part(layout)
        drawing = Drawing(tiles, pairs, net, layout)
        best = min(best, drawing, key=Drawing.wrong)
    if best.wrong():
        what = "the board cannot be laid out: some provinces would touch without a border"
        raise problem("", what, "draw its shapes (`outlines:`), or take away borders that cross others")
    if not best.provinces:
        best.furnish()
    return as_outlines(best)


def as_outlines(drawing: Drawing) -> Outlines:
    """Convert a furnished drawing to outlines, with its signs."""
    neutral = tuple(
        Neutral(name="nobody’s", path=path_of(rings))
        for owner, rings in drawing.shapes.items()
        if isinstance(owner, int)
    )
    provinces = {code: drawing.provinces[code] for code in sorted(drawing.provinces)}
    return Outlines(size=drawing.size, provinces=provinces, neutral=neutral, signs=tuple(signs_of(drawing)))
