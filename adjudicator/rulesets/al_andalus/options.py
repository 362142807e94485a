"""Legal orders of a seat, and remarks on its sheet."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from adjudicator.core.contract.cautions import Caution, remarks
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.words import many
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.orders import (
    FREE,
    AnySheet,
    Fate,
    PrinceSheet,
    WazirSheet,
    is_for,
    is_movement,
    unit_to_hold,
    units_of,
    vacant_throne,
)
from adjudicator.rulesets.al_andalus.position import WAZIRS, Position, living_wazirs, reigning_princes, wazir_of


def check(position: Position, seat: SeatId, sheet: AnySheet) -> tuple[Remark, ...]:
    """Remarks on a sheet, each with its rule."""
    if isinstance(sheet, WazirSheet):
        return tuple(_check_wazir(position, seat, sheet))
    return tuple(_check_prince(position, seat, sheet))


def _check_name(place: str, name: str, candidates: Iterable[str], what: str) -> Iterator[Remark]:
    choices = tuple(candidates)
    if name not in choices:
        yield Remark(
            (place,), f"no {what} is called {name!r:.40}", nearest(name, choices) or f"{what}s: " + ", ".join(choices)
        )


def _check_prince(position: Position, seat: SeatId, sheet: PrinceSheet) -> Iterator[Remark]:
    field_ = diplomacy.field_of(position.war)
    orders = diplomacy.Read.of(field_, sheet.orders, WAZIRS)
    # A prince may leave units fallow, so units without orders get no remark.
    yield from diplomacy.remarks_on_orders(position.war, field_, seat, orders)
    yield from diplomacy.remarks_on_adjustments(position.war, field_, seat, orders)
    moving = is_movement(position)
    serving = wazir_of(position, seat)
    if sheet.hire is not None:
        yield from _check_name("hire", sheet.hire, living_wazirs(position), "wazir")
        if not moving:
            yield Remark(("hire",), "princes hire only in spring and fall (AA-E-10)", "leave it out")
        elif serving == sheet.hire:
            yield Remark(("hire",), f"{sheet.hire} already serves you", "leave it out", level="warning")
    if sheet.arrest and not moving:
        yield Remark(("arrest",), "arrests are made only in spring and fall (AA-H-1)", "leave it out")
    if serving is not None and serving in position.generals and position.war.phase is not diplomacy.Phase.ADJUSTMENTS:
        unit = position.generals[serving].unit
        for index, order in orders.orders:
            if is_for(field_, order, unit):
                yield Remark(("orders", index), f"only {serving} can order {unit} (AA-L-2)", "leave it out")
    if sheet.appoint is not None and not position.settings.generals:
        yield Remark(("appoint",), "this game has no generals (setting `generals`)", "leave it out")
    elif sheet.appoint is not None:
        units = position.war.units.get(seat, ())
        hold = field_.notation.read(f"{sheet.appoint} H")
        named = hold.unit if isinstance(hold, diplomacy.Hold) else None
        here = field_.units.get(named.province) if named is not None else None
        if named is None or here is None or here[0] != seat or named.kind not in {"", here[1].kind}:
            right = nearest(sheet.appoint, units) or "your units: " + ", ".join(units)
            yield Remark(("appoint",), f"{sheet.appoint!r:.60} is not one of your units (AA-L-1)", right)
    if sum(fate is Fate.TAKE for fate in sheet.fate.values()) > (0 if serving is not None else 1):
        yield Remark(
            ("fate",), "a court has only one wazir (AA-E-2, AA-J-2)", "take one if no wazir serves you, otherwise none"
        )
    for wazir in sheet.fate:
        if not any((conquest.wazir, conquest.conqueror) == (wazir, seat) for conquest in position.conquests):
            yield Remark(("fate", wazir), f"the fate of {wazir} is not yours to decide now (AA-J-4)", "leave it out")
    yield from remarks(cautions(position, seat), sheet, _legal_lines(position, field_, seat, orders))


def _check_wazir(position: Position, seat: SeatId, sheet: WazirSheet) -> Iterator[Remark]:
    prince = position.courts.get(seat)
    general = position.generals.get(seat)
    moving = is_movement(position)
    if sheet.court is not None:
        courts = reigning_princes(position)
        if sheet.court != FREE or general is None or not general.land or prince is None:
            yield from _check_name("court", sheet.court, courts, "prince")
        if not moving:
            yield Remark(("court",), "wazirs change courts only in spring and fall (AA-E-10)", "leave it out")
        elif sheet.court == prince:
            yield Remark(("court",), f"you already serve {prince}", "leave it out", level="warning")
    if sheet.plunder and (prince is None or not moving):
        yield Remark(
            ("plunder",), "only a wazir at a court can plunder, and only in spring and fall (AA-G-1)", "leave it out"
        )
    if sheet.throne and (not moving or vacant_throne(position, seat) is None):
        what = "you can take a prince's place only after they have missed two turns (AA-I-5)"
        yield Remark(("throne",), what, "leave it out")
    if sheet.resign and (general is None or prince is None or not moving):
        yield Remark(("resign",), "you have no command to give up (AA-L-12)", "leave it out")
    if sheet.refuse and not position.settings.generals:
        yield Remark(("refuse",), "this game has no generals (setting `generals`)", "leave it out")
    yield from remarks(cautions(position, seat), sheet, ())
    if sheet.order is None:
        return
    if general is None and (prince is None or not moving):
        yield Remark(
            ("order",), "only a wazir at a court can order a unit, and only in spring and fall (AA-C-1)", "leave it out"
        )
        return
    owner, field_ = prince if prince is not None else seat, diplomacy.field_of(position.war)
    for remark in diplomacy.remarks_on_orders(position.war, field_, owner, diplomacy.Read.of(field_, (sheet.order,))):
        yield replace(remark, place=("order",))
    order = field_.notation.read(sheet.order)
    if general is not None and position.war.phase is diplomacy.Phase.ADJUSTMENTS:
        yield Remark(("order",), "a general gives no orders for adjustments (AA-L-11)", "leave it out")
    elif general is not None and not isinstance(order, Fault) and not is_for(field_, order, general.unit):
        yield Remark(("order",), f"a general orders only their own unit: {general.unit} (AA-L-2)", "order that one")


def _legal_lines(position: Position, field_: diplomacy.Field, seat: SeatId, read: diplomacy.Read) -> tuple[str, ...]:
    """The canonical order that each of a seat's units carries out if nobody else orders it (AA-B-5); two different ones cancel out."""
    if not is_movement(position):
        return ()
    lines_by_province: dict[str, set[str]] = {}
    names = field_.names()
    for _, order in read.orders:
        if (
            isinstance(order, diplomacy.Movement)
            and diplomacy.reason_against(field_, position.war, seat, order) is None
        ):
            lines_by_province.setdefault(order.unit.province, set()).add(field_.notation.write(order, names))
    return tuple(line for lines in lines_by_province.values() if len(lines) == 1 for line in lines)


def desk_cautions(position: Position, seat: SeatId) -> Iterator[Caution]:
    """Cautions for the desk: those from `cautions`, and those about a prince's builds and removals in winter."""
    if seat not in WAZIRS:
        field_ = diplomacy.field_of(position.war)
        yield from diplomacy.cautions_of_winter(position.war, field_, seat)
        yield from diplomacy.cautions_of_moves(position.war, field_, seat, diplomacy.legal_lines(position.war, seat))
    yield from cautions(position, seat)


def cautions(position: Position, seat: SeatId) -> Iterator[Caution]:
    """Cautions for a seat's sheet in spring and fall, each with the fields that it depends on."""
    if not is_movement(position):
        return
    if seat in WAZIRS:
        what = "on the way to another court you order no unit and plunder nothing (AA-C-10)"
        yield Caution(place="court", what=what, filled=("court", "order"))
        yield Caution(place="court", what=what, filled=("court", "plunder"), empty=("order",))
        what = "if you plunder, all units hold, and your order is lost (AA-G-1)"
        yield Caution(place="plunder", what=what, filled=("plunder", "order"))
        what, right = "a general who gives up the command does not go free (AA-L-8)", "do one of the two"
        yield Caution(place="court", what=what, right=right, level="error", filled=("resign",), says={"court": FREE})
        return
    serving = wazir_of(position, seat)
    yield Caution(
        place="arrest", what="in a season of arrest, all your units hold (AA-H-1)", filled=("arrest", "orders")
    )
    if serving is None:
        what = "no wazir serves you: your units hold all the same, and no dinars change hands (AA-H-6)"
        yield Caution(place="arrest", what=what, filled=("arrest",))
    else:
        what = f"{serving} already serves you: you can hire somebody else only if they leave this season (AA-E-7)"
        for wazir in living_wazirs(position):
            if wazir != serving:
                yield Caution(place="hire", what=what, says={"hire": wazir})
    if position.settings.generals and serving is None:
        what = "no wazir serves you, so nobody can become a general this season (AA-L-1)"
        yield Caution(place="appoint", what=what, right="leave it out", level="error", filled=("appoint",))
    elif serving is not None and serving in position.generals:
        what = f"{serving} already commands {position.generals[serving].unit}: this works only if that command ends this season (AA-L-1)"
        yield Caution(place="appoint", what=what, filled=("appoint",))
    yield from _fallow_cautions(position, seat, serving)


def _fallow_cautions(position: Position, seat: SeatId, serving: SeatId | None) -> Iterator[Caution]:
    """A caution that names the unit that will be held if a prince leaves none fallow (AA-B-3)."""
    field_ = diplomacy.field_of(position.war)
    units = units_of(field_, seat)
    if len(units) < 2 or serving in position.generals:
        return
    unit, distance = unit_to_hold(field_.board, seat, units)
    unit_names = [field_.board.unit_name(theirs) for theirs in units]
    held = f"{field_.board.unit_name(unit)}, {many(distance, 'step')} from home"
    unless = f", unless {serving} confuses another unit first (AA-D-1)" if serving is not None else ""
    yield Caution(
        place="orders",
        what=f"a prince keeps one unit still (AA-B-3): as things are, that will be {held}{unless}",
        right="to choose another, order it to hold",
        empty=("arrest",),
        busy={name: f"{name} H" for name in unit_names},
    )


@functools.lru_cache(maxsize=20_000)
def _prince_sheet(line: str) -> PrinceSheet:
    """A sheet with one order, cached because most seasons offer the same orders."""
    return PrinceSheet(orders=(line,))


@functools.lru_cache(maxsize=20_000)
def _wazir_sheet(line: str) -> WazirSheet:
    return WazirSheet(order=line)


def options(position: Position, seat: SeatId) -> Iterable[AnySheet]:
    """Every legal order of a seat, one per sheet."""
    moving = is_movement(position)
    field_ = diplomacy.field_of(position.war)
    if seat not in WAZIRS:
        serving = wazir_of(position, seat)
        generals_unit = None
        if (
            serving is not None
            and serving in position.generals
            and position.war.phase is not diplomacy.Phase.ADJUSTMENTS
        ):
            generals_unit = position.generals[serving].unit
        for order, line in diplomacy.legal_lines(position.war, seat):
            if generals_unit is None or not is_for(field_, order, generals_unit):
                yield _prince_sheet(line)
        if moving and seat in reigning_princes(position):
            for wazir in living_wazirs(position):
                if wazir != serving:
                    yield PrinceSheet(hire=wazir)
            yield PrinceSheet(arrest=True)
            if position.settings.generals and serving is not None and serving not in position.generals:
                for unit in position.war.units.get(seat, ()):
                    yield PrinceSheet(appoint=unit)
        for conquest in position.conquests:
            if conquest.conqueror == seat:
                for fate in Fate:
                    if fate is not Fate.TAKE or wazir_of(position, seat) is None:
                        yield PrinceSheet(fate={conquest.wazir: fate})
        if seat in reigning_princes(position):
            yield PrinceSheet(draw=seat not in position.votes)
        return
    if seat in position.executed:
        return
    prince = position.courts.get(seat)
    general = position.generals.get(seat)
    if moving:
        for other in reigning_princes(position):
            if other != prince:
                yield WazirSheet(court=other)
        if position.settings.generals and general is None and prince is not None:
            yield WazirSheet(refuse=True)
        if general is not None and prince is not None:
            yield WazirSheet(resign=True)
            if general.land:
                yield WazirSheet(court=FREE)
        if prince is not None:
            yield WazirSheet(plunder=True)
        if vacant_throne(position, seat) is not None:
            yield WazirSheet(throne=True)
    if general is not None:
        owner = prince if prince is not None else seat
        for order, line in diplomacy.legal_lines(position.war, owner):
            if position.war.phase is not diplomacy.Phase.ADJUSTMENTS and is_for(field_, order, general.unit):
                yield _wazir_sheet(line)
    elif moving and prince is not None:
        for _, line in diplomacy.legal_lines(position.war, prince):
            yield _wazir_sheet(line)
