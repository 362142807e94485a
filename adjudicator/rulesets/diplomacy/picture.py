"""The picture of a Diplomacy turn: ownership, units, orders with their verdicts."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import assert_never

from adjudicator.core.contract.pages import MOST_SIDES, Side
from adjudicator.core.contract.resolution import DONE, Resolution, SeatId
from adjudicator.core.contract.resolution import Verdict as CoreVerdict
from adjudicator.core.files.places import read_own
from adjudicator.core.text.codec import dump, load, record
from adjudicator.core.text.problems import with_path
from adjudicator.mechanics.movement import Convoy, Hold, Move, SupportHold, SupportMove
from adjudicator.mechanics.notation import Build, Disband, Fault, Waive
from adjudicator.mechanics.provinces import Board
from adjudicator.render.ground import outlines_of
from adjudicator.render.outlines import Outlines
from adjudicator.render.palette import letters
from adjudicator.render.scenes import Area, Arrow, Mark, ProvinceScene, Token
from adjudicator.rulesets.diplomacy.events import AnyEvent, Destroyed, Forced, Standoff
from adjudicator.rulesets.diplomacy.ground import ground_of
from adjudicator.rulesets.diplomacy.position import Field, Phase, Position, Settings, field_of
from adjudicator.rulesets.diplomacy.prose import tell
from adjudicator.rulesets.diplomacy.war import when


@record
class Marker:
    """The name of a kind of unit, and its shape."""

    name: str
    path: str


@record
class Markers:
    """Markers of the units."""

    units: Mapping[str, Marker]
    """Kind of unit, in the notation of orders -> its marker."""


FILE = Path(__file__).parent / "data" / "markers.yaml"
MARKERS = load(Markers, read_own(FILE), "data/markers.yaml", own=True).units

LEGEND = "Shields are armies and hulls are fleets, each with its power’s letter; rings are supply centres, with their owner’s letter."
LEGENDS = {
    Phase.MOVEMENT: (
        "Solid arrows are moves that succeeded, and dashed arrows with a cross are moves that failed. Dotted lines are "
        "supports; dash-dotted lines and rings are convoys. A cross marks a support that was cut or a convoy that was broken. A dotted "
        "line that ends in an arc is support for the unit there to hold; a bar under a unit is an order to hold. Two crosses side by side mark a standoff."
    ),
    Phase.RETREATS: "Dotted arrows are retreats; a large cross marks a unit that disbanded.",
    Phase.ADJUSTMENTS: (
        "Pale shields and hulls with a plus are new units; a large cross marks a unit that was removed."
    ),
}

UNLED = (
    "Plain pieces without a letter belong to powers that no player leads; the rings of their centres have no colour."
)
DISLODGED = "A broken red ring marks a dislodged unit; its gap is where the attack came from."
TIED = "A red line joins the unit to the place it held."

SAID = {
    "nobody": "Grey land with a peak belongs to nobody, and no unit can go there.",
    "link": "A double line with a ring at either end joins two provinces that border each other, though they do not touch.",
    "ridge": "Strokes across a border let only armies pass.",
    "water": "A strip of water along a border lets only fleets pass.",
    "one-way": "An arrowhead on a border shows the only direction in which some units can cross it.",
}
"""Meaning of each sign on a board that is laid out from its borders."""


def sketch(settings: Settings) -> Mapping[str, bytes]:
    """File name -> content of a file with the board's shapes, for a host to edit."""
    head = f"# Shapes for the board {settings.ground.name}: name this file under `outlines:` there.\n"
    name = settings.ground.name.replace("_", "-")  # named like the files beside game.yaml
    return {f"{name}-outlines.yaml": (head + dump(_shapes(settings))).encode()}


def _shapes(settings: Settings) -> Outlines:
    """The shapes of a board. Raises `Problems` with the board's name if it cannot be laid out."""
    with with_path(settings.board):
        return outlines_of(ground_of(settings.ground, settings.drawn))


def _sign_sentences(settings: Settings) -> Iterator[str]:
    """The meaning of each sign in a board's picture."""
    kinds = {sign.kind for sign in _shapes(settings).signs}
    yield from (text for kind, text in SAID.items() if kind in kinds)


@functools.cache
def _sides(powers: tuple[SeatId, ...]) -> dict[SeatId, Side]:
    letter_of = letters(powers)
    return {power: Side(slot, power, letter_of[power]) for slot, power in enumerate(powers, 1)}


def draw(position: Position, done: Resolution[Position, AnyEvent] | None) -> ProvinceScene:
    """The picture of the position at the start of a turn, with the turn's orders once they have been judged."""
    field = field_of(position)
    board = field.board
    areas = tuple(
        Area(code, field.owners.get(code), province.centre, _area_title(field, code))
        for code, province in board.provinces.items()
        if code not in board.seas
    )
    struck = _struck(field, done.events) if done is not None else {}
    tokens = [
        Token(
            unit.place,
            power,
            MARKERS[unit.kind].name,
            f"{power}: {board.unit_name(unit)}" + (", dislodged" if province in struck else ""),
            attacker=struck.get(province),
        )
        for province, (power, unit) in sorted(field.units.items())
    ]
    tokens += [
        Token(
            unit.place,
            power,
            MARKERS[unit.kind].name,
            f"{power}: {board.unit_name(unit)}, dislodged",
            "dislodged",
            attacker=attacker,
        )
        for _, (power, unit, attacker) in sorted(field.dislodged.items())
    ]
    arrows: list[Arrow] = []
    marks: list[Mark] = []
    if done is not None:
        carriers = _carriers(field, done.verdicts)
        for verdict in done.verdicts:
            _show(field, position, verdict, carriers, arrows, marks)
        marks += [
            Mark("standoff", board.places[event.province], None, ok=False, title=tell(position, event))
            for event in done.events
            if isinstance(event, Standoff)
        ]
    # If there are more powers than colours, powers that no player leads get no colour.
    plain = len(field.powers) > MOST_SIDES
    powers = tuple(board.powers) if plain else field.powers
    standings = tuple((power, str(len(field.owned(power)))) for power in powers)
    return ProvinceScene(
        outlines=ground_of(board, position.settings.drawn),
        title=when(position),
        description=_describe(field, struck),
        sides=_sides(powers),
        names={code: province.name for code, province in board.provinces.items()},
        seas=board.seas,
        markers={marker.name: marker.path for marker in MARKERS.values()},
        areas=areas,
        tokens=tuple(tokens),
        arrows=tuple(arrows),
        marks=tuple(marks),
        legend=" ".join(
            (
                LEGEND,
                *((UNLED,) if plain else ()),
                *_sign_sentences(position.settings),
                *((LEGENDS[position.phase],) if done is not None else ()),
                *((DISLODGED,) if struck or field.dislodged else ()),
                *((TIED,) if field.dislodged else ()),
            )
        ),
        standings=standings,
    )


def _area_title(field: Field, code: str) -> str:
    province = field.board.provinces[code]
    if not province.centre:
        return province.name
    owner = field.owners.get(code)
    return f"{province.name}, supply centre" + (f" of {owner}" if owner else ", nobody's")


def _struck(field: Field, events: Iterable[AnyEvent]) -> dict[str, str]:
    """Province -> the attacker's place, for each unit that is dislodged in this turn."""
    place_of = {field.board.unit_name(unit): unit.place for _, unit in field.units.values()}
    province_of = {field.board.unit_name(unit): province for province, (_, unit) in field.units.items()}
    return {
        province_of[event.unit]: place_of.get(event.by, "")
        for event in events
        if isinstance(event, (Forced, Destroyed)) and event.unit in province_of
    }


def _describe(field: Field, struck: Mapping[str, str]) -> str:
    """The position in words, with the dislodged units and their attackers' provinces."""
    board = field.board
    parts = []
    for power in field.powers:
        units = [board.unit_name(unit) for whose, unit in field.units.values() if whose == power]
        owned = len(field.owned(power))
        if units or owned:
            count = f", {owned} supply centres" if field.owners else ""  # a record may leave the owners out
            parts.append(f"{power}{count}: {', '.join(sorted(units)) or 'no units'}.")
    lost = [(power, unit, attacker) for _, (power, unit, attacker) in sorted(field.dislodged.items())]
    lost += [(*field.units[province], attacker) for province, attacker in sorted(struck.items())]
    if lost:
        units = [
            f"{board.unit_name(unit)} of {power}"
            + (f", attacked from {board.provinces[attacker.partition('/')[0]].name}" if attacker else "")
            for power, unit, attacker in lost
        ]
        parts.append(f"Dislodged: {'; '.join(units)}.")
    return " ".join(parts)


def _carriers(field: Field, verdicts: Iterable[CoreVerdict]) -> dict[tuple[str, str], dict[str, bool]]:
    """Army and goal -> the fleets ordered to carry it there, and whether each was ready."""
    carriers: dict[tuple[str, str], dict[str, bool]] = {}
    for verdict in verdicts:
        order = field.notation.read(verdict.order)
        if isinstance(order, Convoy) and verdict.result != "illegal":
            ready = verdict.result in DONE
            carriers.setdefault((order.target.province, order.to), {})[order.unit.province] = ready
    return carriers


def _show(
    field: Field,
    position: Position,
    verdict: CoreVerdict,
    carriers: Mapping[tuple[str, str], Mapping[str, bool]],
    arrows: list[Arrow],
    marks: list[Mark],
) -> None:
    """Show one verdict as an arrow or a mark. Illegal, unreadable and unrecorded orders are not drawn: the text reports them."""
    order = field.notation.read(verdict.order)
    if isinstance(order, Fault) or verdict.result in ("illegal", "unreadable") or not verdict.known:
        return
    units = field.names()
    ok = verdict.result in DONE
    owner = verdict.seat
    title = tell(position, verdict)

    def place(province: str) -> str:
        unit = units.get(province)
        return unit.place if unit else province

    def target(province: str, coast: str) -> str:
        return f"{province}/{coast}" if coast else province

    match order:
        case Hold(unit):
            if not verdict.implied:
                marks.append(Mark("hold", place(unit.province), owner, ok, title))
        case Move(unit, to, coast):
            start = place(unit.province)
            kind = "retreat" if field.dislodged else "move"
            path = [
                start,
                *_route(field, verdict, unit.province, to, carriers.get((unit.province, to), {})),
                target(to, coast),
            ]
            if len(path) > 2:
                kind = "convoyed"
            arrows.append(Arrow(kind, tuple(path), owner, ok, title))
        case SupportHold(unit, supported):
            spot = place(supported.province)
            arrows.append(Arrow("support-hold", (place(unit.province), spot), owner, ok, title))
        case SupportMove(unit, supported, to, coast):
            path = [place(unit.province), place(supported.province), target(to, coast)]
            arrows.append(Arrow("support", tuple(path), owner, ok, title))
        case Convoy(unit, army, to, coast):
            path = [place(unit.province), place(army.province), target(to, coast)]
            arrows.append(Arrow("convoy", tuple(path), owner, ok, title))
        case Build(unit):
            spot = target(unit.province, unit.coast)
            if ok:
                marks.append(Mark(f"build-{MARKERS[unit.kind].name}", spot, owner, ok, title))
        case Disband(unit):
            marks.append(Mark("disband", place(unit.province), owner, ok, title))
        case Waive():
            pass
        case _:
            assert_never(order)


def _route(field: Field, verdict: CoreVerdict, start: str, goal: str, carriers: Mapping[str, bool]) -> list[str]:
    """The seas through which a convoyed move is drawn: only those whose fleets were ordered to carry the army.

    Prefers a route of ready fleets to one that broke. Empty for a move over land, and if no fleet was ordered to carry the army.
    """
    board = field.board
    army = field.units.get(start)
    if army is None or army[1].kind != "A":
        return []
    walks = goal in board.army_to[start] and not any(field.units[fleet][0] == army[0] for fleet in carriers)
    if walks and "via convoy" not in verdict.order:
        return []
    ready = frozenset(fleet for fleet, good in carriers.items() if good)
    return _shortest_route(board, start, goal, ready) or _shortest_route(board, start, goal, frozenset(carriers))


def _shortest_route(board: Board, start: str, goal: str, seas: frozenset[str]) -> list[str]:
    paths = [[sea] for sea in sorted(seas) if start in board.sea_takes[sea]]
    seen = {path[-1] for path in paths}
    while paths:
        path = paths.pop(0)
        if goal in board.sea_coasts[path[-1]]:
            return path
        for sea in sorted((board.sea_next[path[-1]] & seas) - seen):
            seen.add(sea)
            paths.append([*path, sea])
    return []
