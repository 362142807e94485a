"""The parts of a scene that the core and the site use, whatever the scene shows; and pictures with their size.

A ruleset describes a picture as a scene of its painter's type. The types belong to the painters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, Self

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import SeatId

SIZE = re.compile(r'<svg [^>]*?viewBox="-?[0-9]{1,6} -?[0-9]{1,6} ([0-9]{1,6})(?:\.[0-9]+)? ([0-9]{1,6})(?:\.[0-9]+)?"')


class Scene(Protocol):
    """Everything that one picture shows."""

    @property
    def sides(self) -> Mapping[SeatId, Side]:
        """Sides in the picture: slot in the palette, name and letters."""

    @property
    def names(self) -> Mapping[str, str]:
        """Each place that an order can name -> its name, as scripts find it in the picture."""

    @property
    def legend(self) -> str:
        """Legend of the signs in this picture, in a few sentences."""

    def uncounted(self) -> Self:
        """A copy without the tally, for a record, which may not show everything that exists."""

    def to_click(self) -> Self:
        """A copy for the order desk: each place carries its name for scripts (`data-region`)."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: an SVG document that ends in a newline, and its width and height in the document's units."""

    svg: str
    width: int
    height: int


def drawing_of(svg: str) -> Drawing:
    """Make a `Drawing` of an SVG document, with the size from its `viewBox`."""
    size = SIZE.match(svg) or SIZE.search(svg, 0, 2000)
    assert size is not None, 'a picture must give its size: viewBox="LEFT TOP WIDTH HEIGHT"'
    return Drawing(svg, int(size[1]), int(size[2]))
