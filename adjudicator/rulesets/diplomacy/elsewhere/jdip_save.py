"""Write a game as jDip 1.6.8 saves it: turns with positions, orders as text, and results (its format FORMAT_1_0)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never
from xml.etree import ElementTree as ET

from adjudicator.core.contract.resolution import Resolution, Verdict
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Fault, Waive
from adjudicator.mechanics.retreats import open_retreats
from adjudicator.rulesets.diplomacy.events import AnyEvent
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import Field, Phase, Position, Season, field_of
from adjudicator.rulesets.diplomacy.records import result_marks

KINDS = {"A": "army", "F": "fleet"}
NAMES = {Phase.MOVEMENT: "Movement", Phase.RETREATS: "Retreat", Phase.ADJUSTMENTS: "Adjustment"}
NONE = "none"


def write_jdip(
    name: str, turns: Iterable[tuple[Position, Mapping[str, Sheet], Resolution[Position, AnyEvent] | None]]
) -> bytes:
    """The bytes of a saved game, which jDip opens; an open turn is the last, without orders. Your own boards need a variant of that name in jDip."""
    turns = list(turns)
    root = ET.Element("game", creator="jDip", creatorVersion="1.6.8", specification="FORMAT_1_0")
    first = turns[0][0] if turns else None
    variant = ET.SubElement(root, "variant", name=_variant(first), version="1.0")
    ET.SubElement(variant, "symbols", name="Simple", version="1.0")
    ET.SubElement(variant, "map", name="Standard")
    goals = ET.SubElement(variant, "victoryConditions")
    if first is not None:
        ET.SubElement(goals, "winningSupplyCenters", value=str(field_of(first).board.victory))
        ET.SubElement(goals, "yearsWithoutSCCapture", value="0")
        ET.SubElement(goals, "maxGameLengthInYears", value="0")
        ET.SubElement(goals, "initialYear", value=str(first.year))
    ET.SubElement(variant, "ruleOptions")
    info = ET.SubElement(ET.SubElement(root, "info"), "gameInfo")
    ET.SubElement(info, "name").text = name
    for number, (position, _, done) in enumerate(turns):
        after = turns[number + 1][0] if number + 1 < len(turns) else None
        _turn(root, number, position, done, after)
    ET.indent(root)
    said: bytes = ET.tostring(root, encoding="utf-8")
    return b'<?xml version="1.0"?>\n' + said + b"\n"


def _variant(first: Position | None) -> str:
    """The name of the variant in jDip: `Standard`, or the board's own name."""
    return field_of(first).board.name.replace("_", " ").title() if first is not None else "Standard"


def _turn(
    root: ET.Element,
    number: int,
    position: Position,
    done: Resolution[Position, AnyEvent] | None,
    after: Position | None,
) -> None:
    field = field_of(position)
    season = "Fall" if position.phase is Phase.ADJUSTMENTS or position.season is not Season.SPRING else "Spring"
    turn = ET.SubElement(
        root,
        "turn",
        season=season,
        phase=NAMES[position.phase],
        year=str(position.year),
        resolved="true" if done is not None else "false",
    )
    _positions(ET.SubElement(turn, "positions"), field)
    if done is None:
        return
    orders, results = ET.SubElement(turn, "orders"), ET.SubElement(turn, "results")
    lost = field_of(after) if after is not None and after.phase is Phase.RETREATS else None
    given = 0
    for power in field.board.powers:
        group = ET.SubElement(orders, "orderSet", power=power)
        for verdict in (verdict for verdict in done.verdicts if verdict.seat == power):
            order = field.notation.read(verdict.order)
            if isinstance(order, Fault):
                continue  # an unreadable line moves nobody; its unit has an implied order
            name = f"{power[:1]}.{number}.{given}"
            given += 1
            ET.SubElement(group, "order", id=name, text=f"{power}: {_words(field, position.phase, order)}")
            province = "" if isinstance(order, Waive) else order.unit.province
            _results(results, name, position.phase, verdict, (lost, province))
    if position.phase is Phase.MOVEMENT:
        _dislodged(ET.SubElement(turn, "dislodgedUnits"), lost)
    ET.SubElement(ET.SubElement(turn, "powerInfo"), "eliminatedPowers", powers="")


def _positions(parent: ET.Element, field: Field) -> None:
    homes = {centre: power for power in field.board.powers for centre in field.board.homes(power)}
    owners = {centre: power for power in field.powers for centre in field.owned(power)}
    for code, province in sorted(field.board.provinces.items()):
        here, lost = field.units.get(code), field.dislodged.get(code)
        if here is None and lost is None and not province.centre:
            continue
        place = ET.SubElement(parent, "position", province=code.lower())
        if (stands := here or lost) is not None:
            place.set("lastOccupier", stands[0])
        for whose, unit, dislodged in (
            *((one[0], one[1], False) for one in (here,) if one is not None),
            *((one[0], one[1], True) for one in (lost,) if one is not None),
        ):
            made = ET.SubElement(place, "unit", power=whose)
            if coast := unit.place.partition("/")[2]:
                made.set("coast", coast.lower())
            made.set("type", KINDS[unit.kind])
            if dislodged:
                made.set("dislodged", "true")
        if province.centre:
            ET.SubElement(place, "SC", owner=owners.get(code, NONE), homePower=homes.get(code, NONE))


def _words(field: Field, phase: Phase, order: AnyOrder) -> str:
    def place(province: str, coast: str = "") -> str:
        return province.lower() + (f"/{coast.lower()}" if coast else "")

    def unit(named: Named) -> str:
        lost = field.dislodged.get(named.province) if phase is Phase.RETREATS else None
        here = lost[1] if lost is not None else (field.units.get(named.province) or (None, None))[1]
        if here is None:
            return f"{named.kind or 'A'} {place(named.province, named.coast)}"
        return f"{here.kind} {place(named.province, here.place.partition('/')[2])}"

    match order:
        case Hold(u):
            return f"{unit(u)} H"
        case Move(u, to, coast, via):
            near = unit(u).startswith("F") or to in field.board.army_to.get(u.province, ())
            by_sea = phase is Phase.MOVEMENT and (via or not near)
            return f"{unit(u)}-{place(to, coast)}{' by convoy' if by_sea else ''}"
        case SupportHold(u, target):
            return f"{unit(u)} S {unit(target)}"
        case SupportMove(u, target, to, _):
            return f"{unit(u)} S {unit(target)}-{place(to)}"
        case Convoy(u, target, to, _):
            return f"{unit(u)} C {unit(target)}-{place(to)}"
        case Build(u):
            return f"B {u.kind} {place(u.province, u.coast)}"
        case Disband(u):
            return f"{unit(u)} D" if phase is Phase.RETREATS else f"R {unit(u)}"
        case Waive():
            return "Waive"
        case _:
            assert_never(order)


def _results(parent: ET.Element, name: str, phase: Phase, verdict: Verdict, where: tuple[Field | None, str]) -> None:
    """The results of an order: whether it succeeded, and whether its unit was dislodged. `where` is the field after it, and the unit's place."""
    marks = result_marks(verdict)
    failed = [mark for mark in marks if mark != "dislodged"]
    bounced = phase is not Phase.ADJUSTMENTS and "bounce" in failed
    category = "VALIDATION_FAILURE" if "void" in failed else "FAILURE" if failed else "SUCCESS"
    kind = "bouncedOrderResult" if bounced else "orderResult"
    result = ET.SubElement(parent, kind, power=verdict.seat, category=category, order=name)
    ET.SubElement(result, "message").text = "" if bounced or not failed else f"{failed[0].capitalize()}."
    if bounced:
        ET.SubElement(result, "bouncer").text = NONE
    if "dislodged" in marks:
        out = ET.SubElement(parent, "dislodgedOrderResult", power=verdict.seat, category="DISLODGED", order=name)
        ET.SubElement(out, "message").text = ""
        field, province = where
        by = field.dislodged[province][2] if field is not None and province in field.dislodged else ""
        ET.SubElement(out, "dislodger").text = by.lower() or NONE
        ET.SubElement(out, "retreats").text = _retreats(field, province)


def _retreats(field: Field | None, province: str) -> str:
    """The places that a dislodged unit can retreat to, in jDip's codes: `boh sil`; `none` if there are none."""
    if field is None or province not in field.dislodged:
        return NONE
    _, unit, attacker = field.dislodged[province]
    places = open_retreats(field.board, unit, attacker, set(field.units), field.contested)
    return " ".join(place.lower() for place in places) or NONE


def _dislodged(parent: ET.Element, lost: Field | None) -> None:
    """The units that must retreat after a turn of moves."""
    for province, (power, _, _) in sorted(lost.dislodged.items()) if lost is not None else ():
        retreats = _retreats(lost, province)
        ET.SubElement(parent, "dislodged", location=province.lower(), power=power, retreats=retreats)
