"""The small boards of worked examples: the position before, with the orders, and the position after."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.resolution import Example
from adjudicator.core.contract.ruleset import Ruleset
from adjudicator.core.contract.scene import Scene, drawing_of
from adjudicator.render.crop import AnyScene, can_crop, changed, cropped, ordered, with_pieces
from adjudicator.render.scenes import HexScene
from adjudicator.site.markup import join, tag

FOLDER = "boards"
DIGITS = 16
"""How many digits of a picture's digest are in its name."""
BEFORE, ORDERS, AFTER = "Before", "Before, with the orders", "After"
SAME, REFUSED = "The orders, which change nothing here", "Before and after"
WIDE = {False: 640, True: 420}
"""Whether a board has hexes -> the greatest width of one that fits beside another. Wider ones are stacked, and scroll
sideways on a phone."""
LEAST = {False: 0.5, True: 0.8}
"""Whether a board has hexes -> the least scale of a wide one, as a fraction of its full width."""


class Boards:
    """The pictures of a ruleset's worked examples, each kept once however many examples use it."""

    def __init__(self, rules: Ruleset[Any, Any, Any]) -> None:
        self.rules = rules
        self.files: dict[str, str] = {}
        """Address relative to the folder of the rulebook's page -> picture. A picture is named after its digest."""

    def figure(self, example: Example[Any, Any]) -> Markup | None:
        """The boards of an example beside each other; None if nothing in it is on a board."""
        shown = boards_of(self.rules, example)
        if not shown:
            return None
        return tag("div", join(self._board(scene, said) for said, scene in shown.items()), class_="courtly-boards")

    def _board(self, scene: AnyScene, said: str) -> Markup:
        picture = drawing_of(self.rules.pictures.paint(scene))
        hexes = isinstance(scene, HexScene)
        wide = picture.width > WIDE[hexes]
        name = hashlib.sha256(picture.svg.encode()).hexdigest()[:DIGITS]
        address = f"{self.rules.about.slug}/{FOLDER}/{name}.svg"
        self.files[address] = picture.svg
        image = tag(
            "img",
            src=address,
            alt=f"{said}. {scene.title}. {scene.description}",
            width=picture.width,
            height=picture.height,
            loading="lazy",
            style=f"min-width:{round(picture.width * LEAST[hexes])}px" if wide else None,
        )
        slid = {"tabindex": "0", "role": "group", "aria_label": said} if wide else {}
        return tag(
            "figure",
            tag("div", image, **slid),
            tag("figcaption", said),
            class_="courtly-wide" if wide else None,
            data_search_exclude=True,  # nobody searches for a caption that hundreds of pictures share
        )


def boards_of(rules: Ruleset[Any, Any, Any], example: Example[Any, Any]) -> Mapping[str, AnyScene]:
    """Caption of each board of an example -> the part of the board that the example is about.

    The result has two boards if the turn changed something on them and one if it changed nothing. It is empty if a
    board would add nothing to the list of orders, for example because nobody could do anything but hold.
    """
    before = rules.pictures.draw(example.position, example.resolution)
    if not can_crop(before):
        return {}
    after = rules.pictures.draw(example.resolution.position, None)
    assert can_crop(after), "a ruleset has scenes of one kind"
    drawn, moved = ordered(before), changed(before, after)
    shown = [verdict for verdict in example.resolution.verdicts if not verdict.idle]
    orders = [verdict.order for verdict in shown if not verdict.implied]
    named = places_in(before, orders)
    if not (moved or (before.arrows and with_pieces(before)) or _tells(before, orders)):
        return {}
    # The places of pieces without an order are shown only if the picture stays small.
    waiting = places_in(before, (verdict.order for verdict in shown if verdict.implied))
    places = drawn | moved | named
    if not moved:
        (board,) = cropped((before,), places, waiting)
        return {SAME if drawn else REFUSED: board}
    one, other = cropped((before, after), places, waiting)
    return {ORDERS if drawn else BEFORE: one, AFTER: other}


def _tells(scene: AnyScene, orders: Iterable[str]) -> bool:
    """True if an order, successful or not, is about a piece and names another place besides the piece's."""
    pieces = with_pieces(scene)
    about = [places_in(scene, [order]) for order in orders]
    return any(places & pieces and len(places) > 1 for places in about)


def places_in(scene: Scene, orders: Iterable[str]) -> set[str]:
    """The places that orders name, as a scene calls them."""
    pattern, places = _names(tuple(scene.names.items()), frozenset(scene.sides))
    return {places[name] for order in orders for name in pattern.findall(order)}


@functools.lru_cache(maxsize=64)
def _names(names: tuple[tuple[str, str], ...], sides: frozenset[str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """A pattern for the names and codes of places, and the place of each.

    A name that is also a side's, such as Granada, counts as a place only after a piece or a dash; in `Court Granada` it
    is the side.
    """
    places = {name: place for place, name in names} | {place: place for place, _ in names}
    longest = sorted(places, key=lambda name: (-len(name), name))
    words = (rf"(?<=[AF-] ){re.escape(name)}" if name in sides else re.escape(name) for name in longest)
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"), places
