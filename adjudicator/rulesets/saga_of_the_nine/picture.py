"""The picture of a turn: the war, plus who rules whom, where heirs live, and which places are Capitals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from adjudicator.core.contract.pages import Side
from adjudicator.core.contract.resolution import Resolution, SeatId
from adjudicator.core.contract.words import join_words
from adjudicator.render.hatch import NINTH
from adjudicator.render.scenes import Area, Arrow, Crown, ProvinceScene, Token
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.events import OWN, AnyEvent
from adjudicator.rulesets.saga_of_the_nine.position import (
    Position,
    Settings,
    capital_name,
    capital_of,
    heirs_of,
    living,
    majors,
    rulers_of,
    stationary,
    total_of,
    when,
)
from adjudicator.rulesets.saga_of_the_nine.prose import REASONS, as_told

LEGEND = (
    "Crowns are heirs, with their Major’s letter, and hollow while unmarried; a double ring is a Capital. Plain land and pieces are a "
    "Minor’s, and its centre has an empty ring; a small ring inside it means that the centre belongs to nobody. Hatched land is a Thrall’s, in the colour of the Major that rules it; striped land is a Vassal’s, in the colours of both its rulers, "
    "with both letters in its rings."
)
SORTIES = "An arrow that ends in a bar is a sortie: it never enters."


def sides_of(settings: Settings) -> dict[SeatId, Side]:
    """The Majors, each with a colour and the first letter of its name (S9-A-4)."""
    reign = majors(settings)
    slots = (*range(1, 9), NINTH) if len(reign) == 9 else range(1, len(reign) + 1)
    return {major: Side(slot, major, major[0]) for slot, major in zip(slots, reign, strict=True)}


def draw(position: Position, done: Resolution[Position, AnyEvent] | None) -> ProvinceScene:
    """The picture of the position at the start of a turn, with the turn's orders once they have been judged."""
    war: Resolution[diplomacy.Position, diplomacy.AnyEvent] | None = None
    if done is not None:
        # Bids and heirs appear on the pages instead. A Vassal's orders are drawn in its Giver's colour.
        verdicts = tuple(
            replace(as_told(position, verdict), seat=_giver(position, verdict.seat))
            for verdict in done.verdicts
            if verdict.reason not in REASONS
        )
        events = tuple(event for event in done.events if not OWN.tells(event))
        war = Resolution(position.war, verdicts, events, None)
    scene = diplomacy.draw(position.war, war)
    sides = sides_of(position.settings)
    arrows = tuple(_arrow(position, arrow) for arrow in scene.arrows)
    signs = [LEGEND, *([SORTIES] if any(arrow.kind == "sortie" for arrow in arrows) else [])]
    return replace(
        scene,
        title=when(position),
        description=" ".join((*_majors(position), *_houses(position), *_dislodged(scene.description))),
        sides=sides,
        areas=tuple(_areas(position, scene.areas)),
        tokens=tuple(_token(position, token) for token in scene.tokens),
        arrows=arrows,
        crowns=tuple(_crowns(position)),
        standings=tuple(
            (major, "fallen" if major in position.eliminated else str(total_of(position, major).all)) for major in sides
        ),
        # Minors own their centres (S9-B-1), so the war's sentence about them would be wrong.
        legend=" ".join((scene.legend.replace(f" {diplomacy.UNLED}", ""), *signs)),
    )


def _giver(position: Position, power: SeatId) -> SeatId:
    """The power in whose colour a power's orders are drawn: a Vassal's Giver, a Thrall's controller, or the power itself."""
    return next(iter(rulers_of(position, power)), power)


def _areas(position: Position, areas: Iterable[Area]) -> Iterator[Area]:
    """The regions with their rulers, and with Capitals marked."""
    reign = majors(position.settings)
    board = position.ground.board
    capitals = {capital_of(board, major): major for major in living(position)}
    names = {vassal.capital for vassal in position.vassals.values()}
    for area in areas:
        rulers = rulers_of(position, area.owner) if area.owner is not None else ()
        name = board.provinces[area.region].name
        capital = area.region in capitals or name in names
        title = area.title
        if area.owner is not None and area.owner == capitals.get(area.region):
            title = f"{name}, Capital of {area.owner}"
        elif area.owner in position.thralls:
            title = f"{name}, supply centre of a Thrall of {rulers[0]}"
        elif area.owner in position.vassals:
            title = f"{name}, supply centre of {area.owner}, Vassal of {join_words(rulers)}"
        elif area.owner is not None and area.owner not in reign:
            title = f"{name}, supply centre of a Minor"
        if area.region in capitals and area.owner != capitals[area.region]:
            title += f", Capital of {capitals[area.region]}"
        elif name in names:
            title += ", Capital"
        owner = area.owner if area.owner in reign else None
        unled = area.owner is not None and owner is None and not rulers
        yield replace(area, owner=owner, rulers=rulers, capital=capital, title=title, unled=unled)


def _token(position: Position, token: Token) -> Token:
    """A piece with its rulers' signs. A Minor's is plain, a Thrall's has its controller's disc, and a Vassal's has both rulers' colours."""
    power = token.owner
    if power is None:
        return token
    rulers = rulers_of(position, power)
    if len(rulers) == 2:
        return replace(token, owner=rulers[0], leader=rulers[1], title=f"{token.title}, Vassal of {join_words(rulers)}")
    if rulers:
        unit = token.title.removeprefix(f"{power}: ")  # A Thrall is named after its centre, as its unit is.
        return replace(token, owner=None, leader=rulers[0], title=f"{unit}, Thrall of {rulers[0]}")
    return token if power in majors(position.settings) else replace(token, owner=None)


def _arrow(position: Position, arrow: Arrow) -> Arrow:
    """The arrow, as a sortie if its unit never leaves its place."""
    return replace(arrow, kind="sortie") if arrow.kind == "move" and arrow.path[0] in stationary(position) else arrow


def _crowns(position: Position) -> Iterator[Crown]:
    """Every heir: the unmarried in their Capitals, the married where they wed."""
    board = position.ground.board
    for major in living(position):
        for home in heirs_of(position, major):
            married = not (major in position.heirs and home == capital_name(position.settings, major))
            title = f"Heir of {major}, {'married' if married else 'unmarried'}, in {home}"
            yield Crown(board.places[home], major, married, title)


def _majors(position: Position) -> Iterator[str]:
    """Each Major's total, units and heirs, in words."""
    for major in living(position):
        total, units = total_of(position, major), position.units.get(major, ())
        homes = heirs_of(position, major)
        heirs = f"heirs in {join_words(homes)}" if homes else "no heir"
        yield f"{major}, total {total.all}: {', '.join(units) or 'no units'}; {heirs}."


def _houses(position: Position) -> Iterator[str]:
    """Thralls, Vassals and Minors with their units, in words."""
    houses: dict[SeatId, list[str]] = {}
    for name, ruler in sorted(position.thralls.items()):
        houses.setdefault(ruler, []).append(", ".join(position.units.get(name, ())) or f"{name} without a unit")
    for ruler, thralls in sorted(houses.items()):
        yield f"{'Thralls' if len(thralls) > 1 else 'Thrall'} of {ruler}: {', '.join(thralls)}."
    for name, vassal in position.vassals.items():
        units = ", ".join(position.units.get(name, ())) or "no units"
        yield f"{name}, Vassal of {join_words(vassal.controllers)}, Capital {vassal.capital}: {units}."
    others = [
        unit
        for power, units in sorted(position.units.items())
        if power in position.ground.board.others and power not in position.thralls
        for unit in units
    ]
    if others:
        yield f"Minors: {', '.join(others)}."


def _dislodged(description: str) -> Iterator[str]:
    """The part of the war's description about dislodged units."""
    _, sign, rest = description.partition("Dislodged: ")
    if sign:
        yield sign + rest
