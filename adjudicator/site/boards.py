"""The small boards of worked examples: what stood where before, with the orders, and after."""

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
"""How much of its digest a picture is called by."""
BEFORE, ORDERS, AFTER = "Before", "Before, with the orders", "After"
SAME, REFUSED = "The orders, which change nothing here", "Before and after"
WIDE = {False: 640, True: 420}
"""Whether a board is of hexes -> the width from which on two stand one below the other, and are slid sideways on a phone."""
LEAST = {False: 0.5, True: 0.8}
"""Whether a board is of hexes -> the least size at which a wide one is shown, in its own."""


class Boards:
    """The pictures of a ruleset's worked examples, each of them once however many examples it is of."""

    def __init__(self, rules: Ruleset[Any, Any, Any]) -> None:
        self.rules = rules
        self.files: dict[str, str] = {}
        """Address -> picture, from the folder of the rulebook's page. A picture is called by its digest."""

    def figure(self, example: Example[Any, Any]) -> Markup | None:
        """The boards of an example beside each other; None where nothing of it is on a board."""
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
            data_search_exclude=True,  # nobody searches for what stands under hundreds of pictures
        )


def boards_of(rules: Ruleset[Any, Any, Any], example: Example[Any, Any]) -> Mapping[str, AnyScene]:
    """The words under each board of an example -> the part of it that the example is about.

    Two where the turn changed something on it, one where it changed nothing, none where a board says no more than the list
    of orders does: where nobody was to do anything but to hold.
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
    # Who had no order is in the picture where that makes it no larger than a small one.
    waiting = places_in(before, (verdict.order for verdict in shown if verdict.implied))
    places = drawn | moved | named
    if not moved:
        (board,) = cropped((before,), places, waiting)
        return {SAME if drawn else REFUSED: board}
    one, other = cropped((before, after), places, waiting)
    return {ORDERS if drawn else BEFORE: one, AFTER: other}


def _tells(scene: AnyScene, orders: Iterable[str]) -> bool:
    """Whether an order is about a piece and more than where that stands, whatever became of it."""
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

    A name that is a side's as well, as Granada, is a place after a piece or a dash; `Court Granada` goes nowhere.
    """
    places = {name: place for place, name in names} | {place: place for place, _ in names}
    longest = sorted(places, key=lambda name: (-len(name), name))
    words = (rf"(?<=[AF-] ){re.escape(name)}" if name in sides else re.escape(name) for name in longest)
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"), places
