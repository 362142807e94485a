"""The legal orders of a seat, and the faults in a sheet."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence

from adjudicator.core.contract.cautions import Caution, remarks
from adjudicator.core.contract.resolution import Remark, SeatId
from adjudicator.core.contract.words import many
from adjudicator.core.text.problems import nearest
from adjudicator.mechanics.adjustments import Sites, build_sites
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, SupportHold, SupportMove, check_orders
from adjudicator.mechanics.movement.convoys import across, lanes, on_route
from adjudicator.mechanics.movement.solver import NOWHERE
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Waive
from adjudicator.mechanics.provinces import Unit
from adjudicator.mechanics.retreats import open_retreats
from adjudicator.rulesets.diplomacy.orders import Read, Sheet, TurnSheet, sheet_for
from adjudicator.rulesets.diplomacy.position import (
    BoardSaid,
    DrawAmong,
    Draws,
    Field,
    Phase,
    Position,
    board_said,
    field_from,
    field_of,
)
from adjudicator.rulesets.diplomacy.prose import MOVING, because
from adjudicator.rulesets.diplomacy.war import is_for_moves, judge_adjustments, judge_retreats


def check(position: Position, power: SeatId, sheet: Sheet) -> tuple[Remark, ...]:
    """The faults in a sheet: unreadable and illegal orders as errors, units without orders as warnings."""
    field = field_of(position)
    orders = Read.of(field, sheet.orders)
    said = [*remarks_on_orders(position, field, power, orders)]
    if sheet.concede is not None and sheet.concede not in board_names(field):
        right = nearest(sheet.concede, board_names(field)) or "powers: " + ", ".join(board_names(field))
        said.append(Remark(("concede",), f"no power is called {sheet.concede!r:.40}", right))
    said.extend(_remarks_on_votes(position, field, sheet))
    said.extend(remarks_on_adjustments(position, field, power, orders))
    said.extend(remarks_on_idle_units(position, field, power, orders))
    return tuple(said)


def unasked(position: Position) -> tuple[str, ...]:
    """Keys that have no meaning in this game: the powers of a draw, unless sheets may name them (DP-V-11)."""
    return () if _names_powers(position) else ("among",)


def _names_powers(position: Position) -> bool:
    """True if a vote may name the powers of a draw."""
    settings = position.settings
    return settings.draws is Draws.VOTE and settings.draw_among is DrawAmong.NAMED


def _remarks_on_votes(position: Position, field: Field, sheet: Sheet) -> Iterator[Remark]:
    """The faults in the powers that a sheet names for a draw (DP-V-11)."""
    if sheet.among and not _names_powers(position):
        yield Remark(
            ("among",),
            "in this game a draw is among all powers that are left (DP-V-3)",
            "leave it out, or write draw: true",
        )
        return
    for index, name in enumerate(sheet.among):
        if name not in board_names(field):
            right = nearest(name, board_names(field)) or "powers: " + ", ".join(board_names(field))
            yield Remark(("among", index), f"no power is called {name!r:.40}", right)


def remarks_on_orders(
    position: Position,
    field: Field,
    power: SeatId,
    read: Read,
    *,
    stationary: frozenset[str] = NOWHERE,
    sites: Sites | None = None,
) -> Iterator[Remark]:
    """The faults in single orders: lines that cannot be read or name another owner, and orders that are illegal whatever others do.

    Units in the provinces `stationary` never leave them. `sites` replaces the places where the house rules let this power build.
    """
    where = position.settings.sites if sites is None else sites
    for index, fault in read.faults:
        yield Remark(("orders", index), fault.what, fault.right, fault.offset)
    for index, owner in read.owners:
        if owner != power:
            what = f"the line names {owner}, but this is {power}'s sheet, so it counts as {power}'s order"
            yield Remark(
                ("orders", index), what, f"leave {owner} out, or send the line on {owner}'s sheet", level="warning"
            )
    faults = _faults(field, position, power, read.orders, stationary, where)
    legal = []
    for (index, order), (result, reason) in zip(read.orders, faults, strict=True):
        text = field.notation.write(order, field.names())
        if result:
            yield Remark(("orders", index), f"{text}: {reason}", _advice(field, position, power, order, where))
        else:
            legal.append((order, text))
    yield from remarks(cautions_of_moves(position, field, power, legal), None, [text for _, text in legal])


def board_names(field: Field) -> tuple[SeatId, ...]:
    """The powers of the board."""
    return tuple(field.board.powers)


def _faults(
    field: Field,
    position: Position,
    power: SeatId,
    orders: Sequence[tuple[int, AnyOrder]],
    stationary: frozenset[str],
    sites: Sites,
) -> list[tuple[bool, str]]:
    """For each order, whether it is illegal whatever the others do, and the reason."""
    board, settings = field.board, position.settings
    if position.phase is Phase.MOVEMENT:
        answers: list[tuple[bool, str]] = []
        movements = [(power, order) for _, order in orders if is_for_moves(order)]
        outcomes = iter(check_orders(board, field.units, movements, settings.movement, stationary))
        for _, order in orders:
            if not is_for_moves(order):
                answers.append((True, MOVING))
                continue
            outcome = next(outcomes)
            answers.append((True, because(field, outcome.reason, order)) if outcome is not None else (False, ""))
        return answers
    if position.phase is Phase.RETREATS:
        retreats = judge_retreats(field, settings, [(power, order) for _, order in orders])
        return [
            (o.result.value == "illegal", because(field, o.reason, order))
            for o, (_, order) in zip(retreats.outcomes, orders, strict=True)
        ]
    adjustments = judge_adjustments(field, settings, power, [order for _, order in orders], sites)
    return [
        (o.result.value in ("illegal", "fails"), because(field, o.reason, order))
        for o, (_, order) in zip(adjustments.outcomes, orders, strict=True)
    ]


def _advice(field: Field, position: Position, power: SeatId, order: AnyOrder, where: Sites) -> str:
    """Advice for an illegal order: places to go to or to build in, or the power's units; may be empty."""
    board = field.board
    if isinstance(order, Waive):
        return ""
    if position.phase is Phase.ADJUSTMENTS:
        sites = build_sites(board, power, field.owned(power), set(field.units), where)
        return (
            "you can build in: " + (", ".join(board.provinces[s].name for s in sites) or "nowhere")
            if isinstance(order, Build)
            else ""
        )
    if position.phase is Phase.RETREATS:
        lost = field.dislodged.get(order.unit.province)
        if lost is None or lost[0] != power:
            return ""
        places = open_retreats(board, lost[1], lost[2], set(field.units), field.contested)
        return "it can retreat to: " + (", ".join(map(board.place_name, places)) or "nowhere, so it must disband")
    here = field.units.get(order.unit.province)
    if here is None or here[0] != power:
        unit_names = [board.unit_name(unit) for whose, unit in field.units.values() if whose == power]
        wanted = field.notation.named(order.unit, None)
        return nearest(wanted, unit_names) or "your units: " + ", ".join(sorted(unit_names))
    if isinstance(order, Move):
        return f"{board.unit_name(here[1])} can go to " + ", ".join(map(board.place_name, _steps(field, here[1])))
    return ""


def remarks_on_adjustments(
    position: Position, field: Field, power: SeatId, read: Read, sites: Sites | None = None
) -> Iterator[Remark]:
    """Warnings about a winter's orders: builds that are not used, and units that would be removed."""
    if position.phase is not Phase.ADJUSTMENTS:
        return
    board, settings, path = field.board, position.settings, ("orders",)
    made = judge_adjustments(field, settings, power, [order for _, order in read.orders], sites)
    if made.unused:
        what = f"{many(made.unused, 'build')} left unused"
        yield Remark(path, what, "build or waive", level="warning")
    for unit, _ in made.automatic:
        what = f"{board.unit_name(unit)} would be removed for you (DP-W-8)"
        yield Remark(path, what, "order the removals you want", level="warning")
    if by_dice := made.owed - len(made.automatic):
        what = f"{many(by_dice, 'unit')} would be removed for you, picked by the dice (DP-W-8)"
        yield Remark(path, what, "order the removals you want", level="warning")


def cautions_of_winter(
    position: Position, field: Field, power: SeatId, sites: Sites | None = None, elsewhere: tuple[str, ...] = ()
) -> Iterator[Caution]:
    """The warnings of `remarks_on_adjustments`, for the desk while the sheet is being written.

    `elsewhere` are names of places that do not count, because the sheet builds and disbands there for another power.
    """
    if position.phase is not Phase.ADJUSTMENTS:
        return
    made = judge_adjustments(field, position.settings, power, [], sites)
    for what, right, starts, wanted, thing in (
        ("{left} left unused", "build or waive", ("Build A ", "Build F ", "Waive"), made.unused, "build"),
        (
            "{left} not ordered",
            "without your order, DP-W-8 decides which unit goes",
            ("Disband ",),
            made.owed,
            "removal",
        ),
    ):
        if wanted:
            yield Caution(
                place="orders",
                what=what,
                right=right,
                filled=("orders",),
                starts=starts,
                wanted=wanted,
                thing=thing,
                elsewhere=elsewhere,
            )


def cautions_of_moves(
    position: Position, field: Field, power: SeatId, lines: Sequence[tuple[AnyOrder, str]]
) -> Iterator[Caution]:
    """Warnings about orders of one power that do not fit each other (UX-20): a move to a unit that stays, a support or convoy of something else.

    `lines` are legal orders with their texts: all of the power's for the desk, those of a sheet for `check`.
    """
    if position.phase is not Phase.MOVEMENT:
        return
    board, mine = field.board, {at: unit for at, (whose, unit) in field.units.items() if whose == power}
    goes: dict[tuple[str, str], list[str]] = {}
    stays: dict[str, list[str]] = {}
    for order, line in lines:
        if isinstance(order, Move):
            goes.setdefault((order.unit.province, order.to), []).append(line)
        elif isinstance(order, Hold | SupportHold | SupportMove | Convoy):
            stays.setdefault(order.unit.province, []).append(line)
    leaves = {at: [line for (here, _), some in goes.items() if here == at for line in some] for at in mine}
    moves: dict[str, tuple[str, ...]] = {}
    helps: dict[str, tuple[str, ...]] = {}
    for order, line in lines:
        if isinstance(order, Move) and order.to in mine:
            moves[line] = (board.unit_name(mine[order.to]), *leaves[order.to])
        elif isinstance(order, SupportHold) and order.target.province in mine:
            at = order.target.province
            helps[line] = (board.unit_name(mine[at]), *stays.get(at, ()))
        elif isinstance(order, SupportMove | Convoy) and order.target.province in mine:
            at = order.target.province
            helps[line] = (board.unit_name(mine[at]), *goes.get((at, order.to), ()))
    for fits, what in (
        (moves, "{line} cannot succeed: your own unit stays there ({other})"),
        (helps, "{line} would have no effect: you ordered {other}"),
    ):
        if fits:
            yield Caution(place="orders", what=what, right="change one of the two", fits=fits)


def desk_cautions(position: Position, power: SeatId) -> Iterator[Caution]:
    """The warnings that the desk gives while a sheet is being written."""
    field = field_of(position)
    yield from cautions_of_winter(position, field, power)
    yield from cautions_of_moves(position, field, power, legal_lines(position, power))


def remarks_on_idle_units(position: Position, field: Field, power: SeatId, read: Read) -> Iterator[Remark]:
    """A warning for each unit without an order, in a turn of moves or retreats."""
    if position.phase is Phase.ADJUSTMENTS:
        return
    retreats, ordered = position.phase is Phase.RETREATS, read.provinces()
    units = {
        province: here[1]
        for province, here in (field.dislodged if retreats else field.units).items()
        if here[0] == power
    }
    does = "would disband" if retreats else "would hold"
    for province, unit in sorted(units.items()):
        if province not in ordered:
            what = f"{field.board.unit_name(unit)} has no order and {does}"
            yield Remark(("orders",), what, "add a line for it", level="warning")


def _steps(field: Field, unit: Unit) -> list[str]:
    """The places a unit can move to without a convoy, sorted."""
    board = field.board
    if unit.kind == "A":
        return sorted(board.army_to[unit.province])
    return sorted(place for places in board.fleet_to[unit.place].values() for place in places)


def options(position: Position, power: SeatId) -> Iterable[Sheet]:
    """A sheet for each legal order of a power, by province in alphabetical order; then one with a draw vote, if the power may vote."""
    kind = sheet_for(position, power)
    for _, line in legal_lines(position, power):
        yield _sheet_of(line, votes_kept=kind is not TurnSheet)
    if position.settings.draws is Draws.VOTE and (field_of(position).names() or position.centres.get(power)):
        before = position.votes.get(power)
        yield kind(draw=before is None or not before.draw)


@functools.lru_cache(maxsize=20_000)
def _sheet_of(line: str, *, votes_kept: bool) -> Sheet:
    """A sheet with one order, cached because every turn offers nearly the same orders."""
    return (Sheet if votes_kept else TurnSheet)(orders=(line,))


def legal_lines(
    position: Position, power: SeatId, *, stationary: frozenset[str] = NOWHERE, sites: Sites | None = None
) -> tuple[tuple[AnyOrder, str], ...]:
    """Every legal order of a power in this turn, with its line; see `remarks_on_orders` for `stationary` and `sites`."""
    where = position.settings.sites if sites is None else sites
    return _legal_lines(board_said(position), position.phase, where, power, stationary)


@functools.lru_cache(maxsize=64)
def _legal_lines(
    said: BoardSaid, phase: Phase, sites: Sites, power: SeatId, stationary: frozenset[str]
) -> tuple[tuple[AnyOrder, str], ...]:
    field = field_from(said)
    units = field.names()
    orders = _each_legal_order(field, phase, sites, power, stationary)
    return tuple((order, field.notation.write(order, units)) for order in orders)


def legal_orders(field: Field, position: Position, power: SeatId) -> Iterator[AnyOrder]:
    """Every legal order of a power in this turn."""
    return _each_legal_order(field, position.phase, position.settings.sites, power, NOWHERE)


def _each_legal_order(
    field: Field, phase: Phase, sites: Sites, power: SeatId, stationary: frozenset[str]
) -> Iterator[AnyOrder]:
    board = field.board
    if phase is Phase.ADJUSTMENTS:
        yield from _legal_adjustments(field, sites, power)
        return
    if phase is Phase.RETREATS:
        for province, (whose, unit, attacker) in sorted(field.dislodged.items()):
            if whose == power:
                named = Named(unit.kind, province)
                for place in open_retreats(board, unit, attacker, set(field.units), field.contested):
                    yield _move(named, place)
                yield Disband(named)
        return
    yield from _legal_moves(field, power, stationary)


def _move(named: Named, place: str, *, via: bool = False) -> Move:
    province, _, coast = place.partition("/")
    return Move(named, province, coast, via)


def _legal_moves(field: Field, power: SeatId, stationary: frozenset[str]) -> Iterator[AnyOrder]:
    board, units = field.board, sorted(field.units.items())
    fleets = frozenset(sea for sea, (_, unit) in field.units.items() if sea in board.waters and unit.kind == "F")
    lane_of, crossings = lanes(board, fleets), across(board, fleets)
    for province, (whose, unit) in units:
        if whose != power:
            continue
        named, reach = Named(unit.kind, province), board.reach(unit)
        yield Hold(named)
        for place in _steps(field, unit):
            yield _move(named, place)
        if unit.kind == "A" and province not in stationary:
            for goal in sorted(crossings.get(province, NOWHERE) - {province}):
                yield _move(named, goal, via=True)
        # A fleet cannot support a move that depends on its own convoy (DATC 6.D.31).
        without = across(board, fleets - {province}) if province in fleets else crossings
        takes, lands = lane_of.get(province, (NOWHERE, NOWHERE))
        for there, (_, other) in units:
            if there == province:
                continue
            target = Named(other.kind, there)
            if there in reach:
                yield SupportHold(named, target)
            goals = board.reach(other)
            carried = other.kind == "A" and there not in stationary
            if carried and there in without:
                goals |= without[there]
            for goal in sorted(reach & goals - {there}):
                yield SupportMove(named, target, goal)
            if carried and there in takes:
                for goal in sorted(lands - {there}):
                    near = goal in board.army_to[there]
                    if on_route(board, there, goal, fleets, province, direct=near):
                        yield Convoy(named, target, goal)


def _legal_adjustments(field: Field, where: Sites, power: SeatId) -> Iterator[AnyOrder]:
    board = field.board
    owned = field.owned(power)
    units = {province: unit for province, (whose, unit) in sorted(field.units.items()) if whose == power}
    if len(owned) > len(units):
        sites = build_sites(board, power, owned, set(field.units), where)
        for site in sites:
            yield Build(Named("A", site))
            if site in board.coastal:
                for coast in board.provinces[site].coasts or ("",):
                    yield Build(Named("F", site, coast))
        if sites:
            yield Waive()
    elif len(owned) < len(units):
        for province, unit in units.items():
            yield Disband(Named(unit.kind, province))
