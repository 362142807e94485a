"""What the core and the site ask of a scene, whatever is to be seen in it; and pictures with the size that they say.

A ruleset says what is to be seen, as a scene of the type that its painter takes; the types belong to the painters.
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
    """Everything to be seen in one picture."""

    @property
    def sides(self) -> Mapping[SeatId, Side]:
        """Who is in it: slot in the palette, name and letters."""

    @property
    def names(self) -> Mapping[str, str]:
        """Each place that can be named in an order -> its name, as scripts find it in the picture."""

    @property
    def legend(self) -> str:
        """What the signs in this picture mean, in a few sentences."""

    def uncounted(self) -> Self:
        """The same without standings, for a record: what it does not show may be there all the same."""

    def to_click(self) -> Self:
        """The same for the order desk: each place says its name to scripts (`data-region`)."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture: an SVG document that ends in a newline, and its width and height in its own units."""

    svg: str
    width: int
    height: int


def drawing_of(svg: str) -> Drawing:
    """An SVG document with the size that its `viewBox` says."""
    size = SIZE.match(svg) or SIZE.search(svg, 0, 2000)
    assert size is not None, 'a picture says its size: viewBox="LEFT TOP WIDTH HEIGHT"'
    return Drawing(svg, int(size[1]), int(size[2]))
