"""A crowded board: 34 units, the maximum, placed at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from adjudicator.rulesets.diplomacy.options import legal_orders
from adjudicator.rulesets.diplomacy.position import (
    Position,
    Settings,
    board_named,
    centre_texts,
    field_of,
    starting_position,
    unit_texts,
)


def crowd(chance: random.Random) -> Position:
    """The position in Spring; every centre has an owner."""
    board = board_named("standard")
    spots = sorted({spot.partition("/")[0]: spot for spot in (*board.army_to, *board.fleet_to)}.items())
    chance.shuffle(spots)
    units = {}
    for number, (province, spot) in enumerate(spots[:34]):
        kinds = [kind for kind, to in (("A", board.army_to), ("F", board.fleet_to)) if spot in to]
        units[province] = (list(board.powers)[number % 7], board.unit(f"{chance.choice(kinds)} {spot}"))
    owners = {code: chance.choice(list(board.powers)) for code in board.centres}
    return replace(starting_position(Settings()), units=unit_texts(board, units), centres=centre_texts(board, owners))


def legal_by_unit(position: Position) -> Mapping[str, Mapping[str, list[str]]]:
    """Power -> province of each unit -> its legal orders, as they are written."""
    field = field_of(position)
    legal: dict[str, dict[str, list[str]]] = {power: {} for power in field.board.powers}
    for power, units in legal.items():
        for order in legal_orders(field, position, power):
            text = field.notation.write(order, field.names())
            units.setdefault(order.unit.province, []).append(text)  # type: ignore[union-attr]  # no waives in Spring
    return legal
