"""Draw scenes as pictures. A ruleset decides what a picture shows, and this package decides how it looks."""

from adjudicator.render.card import render_card
from adjudicator.render.chart import chart_pictures, line_chart
from adjudicator.render.grid_map import render_grid
from adjudicator.render.hex_map import render_hexes
from adjudicator.render.kinship import kinship
from adjudicator.render.province_map import render
from adjudicator.render.table import render_table
from adjudicator.render.timeline import timeline

__all__ = [
    "chart_pictures",
    "kinship",
    "line_chart",
    "render",
    "render_card",
    "render_grid",
    "render_hexes",
    "render_table",
    "timeline",
]
