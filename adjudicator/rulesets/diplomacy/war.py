"""The war as plain values: orders go in, and the outcome of each comes out. For this game, and for others with a war like it.

A game that uses this war reads its sheets into orders itself and has them carried out here. It can then ask which units moved where and
which were dislodged, and makes one verdict per order at the end. Its turn is made of the same steps (`carry_out`, `take_centres`,
`name_the_eliminated`, `turn_the_page`) with its own steps between them. Powers are those of the board and any others that the position has.
They need not be seats, and come and go with their units and centres.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as default
from typing import Protocol, TypeGuard, assert_never

from adjudicator.core.contract.resolution import Fact, SeatId
from adjudicator.core.contract.sheet import ORDER_LETTERS
from adjudicator.mechanics.adjustments import Adjustments, AdjustReason, Lot, Sites, adjust, build_sites
from adjudicator.mechanics.movement import (
    Convoy,
    Hold,
    Move,
    Named,
    Outcome,
    Reason,
    SupportHold,
    SupportMove,
    check_orders,
    solve,
)
from adjudicator.mechanics.movement.orders import Result
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Fault, Waive
from adjudicator.mechanics.provinces import Unit
from adjudicator.mechanics.retreats import RetreatOutcome, RetreatReason, Retreats, open_retreats, retreat
from adjudicator.rulesets.diplomacy.events import (
    AnyEvent,
    Built,
    Destroyed,
    Disbanded,
    Dissolved,
    Eliminated,
    Forced,
    Removed,
    Retreated,
    Standoff,
    Taken,
    UnitVerdict,
    Unused,
)
from adjudicator.rulesets.diplomacy.position import (
    ConvoyedRetreat,
    Dislodged,
    Field,
    Phase,
    Position,
    Season,
    Settings,
    centre_texts,
    field_of,
    unit_texts,
)
from adjudicator.rulesets.diplomacy.rules import NOT_NOW, RULE_OF, UNREADABLE

Command = tuple[SeatId, AnyOrder]
"""An order with the power that gives it."""
Movement = Hold | Move | SupportHold | SupportMove | Convoy
"""The orders of a turn of moves."""


def is_for_moves(order: object) -> TypeGuard[Movement]:
    """True for an order of a turn of moves; false for builds and removals, and for a line that says that its unit retreats (DP-O-5)."""
    return isinstance(order, Movement) and not (isinstance(order, Move) and order.retreat)


class Became(Protocol):
    """Outcome of an order: a move, a support, a retreat, a build or a removal."""

    @property
    def result(self) -> Result:
        """Whether the order succeeded."""

    @property
    def reason(self) -> Reason | RetreatReason | AdjustReason:
        """Reason for the result."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One order and its outcome."""

    power: SeatId
    order: AnyOrder
    outcome: Became | None
    """None for an order that belongs to another kind of turn, and is illegal in this one (DP-O-1)."""
    implied: bool = False
    """True if nobody gave the order: the unit followed the rule for units without orders."""


@dataclass
class War:
    """One turn of the war, filled in step by step."""

    position: Position
    """The position at the start of the turn."""
    start: Field
    """The board at the start of the turn."""
    field: Field
    """The current board; units that must retreat are among its `dislodged`."""
    orders: Sequence[Command] = ()
    attack: Mapping[str, int] | None = None
    """Province -> attack strength of its unit, in halves, for units whose strength is not 1. The solver uses it."""
    stationary: frozenset[str] = frozenset()
    """Provinces whose units never leave them: their moves never succeed, and if dislodged they are destroyed."""
    builders: Mapping[SeatId, Sites] | None = None
    """Power -> sites where it may build, for each power that adjusts this winter. If None, the board's powers adjust, by the game's house rules."""
    judged: tuple[Judged, ...] = ()
    """Outcome of each order, in the order given."""
    implied: tuple[Judged, ...] = ()
    """Outcome for each unit without an order, sorted by province."""
    lot: Lot | None = None
    """Rolls the dice that pick units to remove, where the house rules leave that to the dice (DP-W-8)."""
    became: dict[tuple[SeatId, str], Unit | None] = default(default_factory=dict)
    """Power and province of each unit that moved, retreated or left the board -> its unit now, None if it left."""
    dislodged: Mapping[str, str] = default(default_factory=dict)
    """Province of each unit that was dislodged in this turn -> the province its attacker came from."""
    contested: frozenset[str] = frozenset()
    """Provinces that a standoff left empty."""
    events: list[AnyEvent] = default(default_factory=list)
    after: Position | None = None
    """The position after the turn, set by `turn_the_page`."""

    @property
    def powers(self) -> tuple[SeatId, ...]:
        """The powers of the board, then others that the position has, by name."""
        return self.start.powers

    @property
    def forced(self) -> bool:
        """Whether units must retreat next."""
        return bool(self.field.dislodged)

    def now(self, power: SeatId, unit: Unit) -> Unit | None:
        """The current form of the unit that began the turn as `unit`; None if it left the board."""
        return self.became.get((power, unit.province), unit)


def begin(position: Position) -> War:
    """Begin a turn of the war, without any orders or decisions yet."""
    start = field_of(position)
    now = replace(start, units=dict(start.units), owners=dict(start.owners), dislodged=dict(start.dislodged))
    return War(position, start, now)


def judge(
    position: Position,
    orders: Sequence[Command],
    *,
    attack: Mapping[str, int] | None = None,
    stationary: frozenset[str] = frozenset(),
) -> War:
    """Judge one whole turn of the war. `attack` and `stationary` go to the solver, for games with unusual units."""
    war = begin(position)
    war.orders, war.attack, war.stationary = orders, attack, stationary
    for step in STEPS:
        step(war)
    return war


# The steps --------------------------------------------------------------------------------------------------------


def carry_out(war: War) -> None:
    """Resolve moves, retreats or adjustments, depending on the turn."""
    match war.position.phase:
        case Phase.MOVEMENT:
            move_units(war)
        case Phase.RETREATS:
            retreat_units(war)
        case Phase.ADJUSTMENTS:
            adjust_units(war)
        case _:
            assert_never(war.position.phase)


def take_centres(war: War, but: frozenset[str] = frozenset()) -> None:
    """Give each power the centres that its units occupy after the year's last movement and the retreats that follow (DP-W-1).

    The board's armies that belong to nobody (DP-G-10) and units in the provinces `but` take nothing.
    """
    if war.position.season is not Season.FALL or war.forced:
        return
    board, owners = war.field.board, war.field.owners
    for code in board.centres:
        here = war.field.units.get(code)
        if here is not None and owners.get(code) != here[0] and code not in but and here[0] not in board.others:
            war.events.append(Taken(centre=board.provinces[code].name, power=here[0], lost_by=owners.get(code)))
            owners[code] = here[0]


def name_the_eliminated(war: War) -> None:
    """Name the powers that had units or centres when the turn began and have none now (DP-V-4)."""
    for power in sorted(survivors(war.start) - survivors(war.field)):
        war.events.append(Eliminated(power=power))


def has_the_number(war: War, power: SeatId, among: Iterable[SeatId]) -> bool:
    """True if a power of `among` has the number of centres that wins, and the lead that the board asks for (DP-V-1, DP-V-6)."""
    board, centres = war.field.board, war.field.centres()
    number = war.position.settings.victory or board.counts
    own = len(centres.get(power, ()))
    most = max((len(centres.get(other, ())) for other in among if other != power), default=0)
    return number is not None and own >= number and (board.win.lead is None or own - most >= board.win.lead)


def claims_after(war: War) -> dict[SeatId, int]:
    """Power -> falls in a row with the number of centres that wins, after this turn (DP-V-9)."""
    position, board = war.position, war.field.board
    if board.win.held is None:
        return {}
    if position.season is not Season.FALL or war.forced:
        return dict(position.claims)
    powers = board.powers
    return {power: position.claims.get(power, 0) + 1 for power in powers if has_the_number(war, power, powers)}


def turn_the_page(war: War) -> None:
    """Set `after` to the next turn with something to decide (DP-G-3)."""
    position, board = war.position, war.field.board
    year, season, phase = position.year, position.season, position.phase
    if war.forced:
        phase = Phase.RETREATS
    elif season is Season.SPRING:
        season, phase = Season.FALL, Phase.MOVEMENT
    elif season is Season.FALL and any(adjusts(war.field, position, power) for power in board.powers):
        season, phase = Season.WINTER, Phase.ADJUSTMENTS
    else:
        year, season, phase = board.calendar.after(year), Season.SPRING, Phase.MOVEMENT
    war.after = replace(
        position,
        year=year,
        season=season,
        phase=phase,
        units=unit_texts(board, war.field.units),
        centres=centre_texts(board, war.field.owners),
        dislodged=tuple(
            Dislodged(
                power=power,
                unit=board.unit_name(unit),
                attacked_from=board.provinces[attacker].name if attacker else None,
            )
            for _, (power, unit, attacker) in sorted(war.field.dislodged.items())
        ),
        contested=tuple(sorted(board.provinces[code].name for code in war.contested)) if war.forced else (),
        claims=claims_after(war),
    )


STEPS = (carry_out, take_centres, name_the_eliminated, turn_the_page)


def move_units(war: War) -> None:
    """Carry out the movement phase (DP-M, DP-S, DP-C)."""
    field, board, settings = war.field, war.field.board, war.position.settings
    moves = [(power, order) for power, order in war.orders if is_for_moves(order)]
    done = solve(board, field.units, moves, settings.movement, war.attack, war.stationary)
    outcomes = iter(done.outcomes)
    war.judged = tuple(
        Judged(power, order, next(outcomes) if is_for_moves(order) else None) for power, order in war.orders
    )
    war.implied = tuple(
        Judged(power, Hold(_to_named(unit)), done.unordered[province], implied=True)
        for province, (power, unit) in sorted(field.units.items())
        if province in done.unordered
    )
    war.contested = done.contested
    war.dislodged = done.attackers
    for code in sorted(done.contested):
        war.events.append(Standoff(province=board.provinces[code].name))
    before = dict(field.units)
    after = {unit.province: (before[start][0], unit) for start, unit in done.moved.items()}
    war.became = {(before[start][0], start): unit for start, unit in done.moved.items()}
    still = {p: here for p, here in before.items() if p not in done.moved and p not in done.dislodged}
    occupied = set(after) | set(still)
    closed = settings.convoyed_retreat is ConvoyedRetreat.CLOSED
    names = war.start.names()
    for province, attacker in sorted((done.attackers if closed else done.dislodged).items()):
        power, unit = before[province]
        stays = province in war.stationary
        places = () if stays else open_retreats(board, unit, attacker, occupied, done.contested)
        by = board.unit_name(names[done.attackers[province]])
        if places:
            field.dislodged[province] = (power, unit, attacker)  # They are not lost yet (DP-V-4, DP-V-3).
            to = tuple(board.place_name(place) for place in places)
            war.events.append(Forced(power=power, unit=board.unit_name(unit), by=by, to=to))
        else:
            war.became[power, province] = None
            war.events.append(Destroyed(power=power, unit=board.unit_name(unit), by=by))
    field.units.clear()
    field.units.update(sorted((still | after).items()))


def judge_retreats(field: Field, settings: Settings, orders: Sequence[tuple[SeatId, AnyOrder]]) -> Retreats:
    """The outcomes of retreat orders by the house rules (DP-R); used to judge a turn and to check a sheet."""
    return retreat(field.board, field.dislodged, set(field.units), field.contested, orders, settings.movement)


def judge_adjustments(
    field: Field,
    settings: Settings,
    power: SeatId,
    orders: Sequence[AnyOrder],
    sites: Sites | None = None,
    lot: Lot | None = None,
) -> Adjustments:
    """The outcome of a power's winter by the house rules (DP-W); used to judge a turn and to check a sheet, which rolls no dice."""
    return adjust(
        field.board,
        power,
        field.owned(power),
        field.units,
        orders,
        distance=settings.disband_distance,
        sites=settings.sites if sites is None else sites,
        surplus_orders=settings.surplus_orders,
        rules=settings.movement,
        lot=lot,
    )


def retreat_units(war: War) -> None:
    """Carry out the retreat phase (DP-R)."""
    field, board = war.field, war.field.board
    done = judge_retreats(field, war.position.settings, war.orders)
    why: dict[str, str] = dict.fromkeys(done.unordered, "no-order")
    for (power, order), outcome in zip(war.orders, done.outcomes, strict=True):
        province = province_of(order)
        lost = field.dislodged.get(province)
        if lost is not None and lost[0] == power and outcome.reason is not RetreatReason.ORDERED_TWICE:
            if outcome.reason is RetreatReason.DISBANDED:
                why[province] = "ordered"
            elif outcome.reason is RetreatReason.COLLIDED:
                why[province] = "collided"
            else:
                why.setdefault(province, "illegal")
    war.judged = tuple(
        Judged(power, order, outcome) for (power, order), outcome in zip(war.orders, done.outcomes, strict=True)
    )
    none = RetreatOutcome(Result.FAILS, RetreatReason.NO_ORDER)
    war.implied = tuple(
        Judged(power, Disband(_to_named(unit)), none, implied=True)
        for province, (power, unit, _) in sorted(field.dislodged.items())
        if province in done.unordered
    )
    for province, (power, unit, _) in sorted(field.dislodged.items()):
        text = board.unit_name(unit)
        new = war.became[power, province] = done.retreated.get(province)
        if new is not None:
            field.units[new.province] = (power, new)
            war.events.append(Retreated(power=power, unit=text, to=board.place_name(new.place)))
        else:
            cause = why.get(province, "illegal")
            war.events.append(Disbanded(power=power, unit=text, why=cause))  # type: ignore[arg-type]  # one of four
    field.dislodged.clear()


def adjust_units(war: War) -> None:
    """Carry out the adjustment phase (DP-W)."""
    field, board, settings = war.field, war.field.board, war.position.settings
    judged: dict[int, Judged] = {}
    changes: list[tuple[SeatId, Unit | None, Unit | None]] = []
    builders = dict.fromkeys(board.powers, settings.sites) if war.builders is None else war.builders
    for power, sites in builders.items():
        given = [(index, order) for index, (whose, order) in enumerate(war.orders) if whose == power]
        done = judge_adjustments(field, settings, power, [order for _, order in given], sites, war.lot)
        for (index, order), outcome in zip(given, done.outcomes, strict=True):
            judged[index] = Judged(power, order, outcome)
        for unit in done.built:
            war.events.append(Built(power=power, unit=board.unit_name(unit)))
            changes.append((power, unit, None))
        for unit in done.removed:
            war.events.append(Removed(power=power, unit=board.unit_name(unit)))
            changes.append((power, None, unit))
        for unit, distance in done.automatic:
            war.events.append(Dissolved(power=power, unit=board.unit_name(unit), distance=distance))
            changes.append((power, None, unit))
        if done.unused:
            war.events.append(Unused(power=power, builds=done.unused))
    war.judged = tuple(
        judged.get(number, Judged(power, order, None)) for number, (power, order) in enumerate(war.orders)
    )
    for power, new, old in changes:
        if old is not None:
            del field.units[old.province]
            war.became[power, old.province] = None
        if new is not None:
            field.units[new.province] = (power, new)


# Printing: one verdict per order ----------------------------------------------------------------------------------


def verdicts_on(start: Field, judged: Iterable[Judged], rules: Mapping[str, str] = RULE_OF) -> list[UnitVerdict]:
    """The verdict on each judged order, with units named as at the start of the turn.

    `rules` maps each reason to its rule, for games that add reasons.
    """
    names = start.names()
    return [verdict_on(start, names, each, rules) for each in judged]


def verdict_on(start: Field, names: Mapping[str, Unit], judged: Judged, rules: Mapping[str, str]) -> UnitVerdict:
    """The verdict on one order; `names` maps provinces to their units."""
    board, outcome = start.board, judged.outcome
    text = start.notation.write(judged.order, names)
    if outcome is None:
        return not_now_verdict(judged.power, text, judged.order)

    def names_of(provinces: Iterable[str]) -> tuple[str, ...]:
        return tuple(board.unit_name(names[province]) for province in provinces)

    facts: dict[str, Fact] = {}
    if isinstance(outcome, Outcome):
        if outcome.strength:
            facts["strength"] = outcome.strength
        if outcome.against:
            facts["against"] = outcome.against
        if outcome.by:
            facts["by"] = names_of(outcome.by)
        if outcome.their_supporters:
            facts["their_supporters"] = names_of(outcome.their_supporters)
        if outcome.supporters:
            facts["supporters"] = names_of(outcome.supporters)
        if outcome.dislodged:
            facts["dislodged_by"] = board.unit_name(names[outcome.dislodged])
    elif isinstance(outcome, RetreatOutcome) and outcome.by:
        facts["by"] = names_of(outcome.by)
    return UnitVerdict(
        seat=judged.power,
        order=text,
        result=outcome.result.value,
        reason=outcome.reason.value,
        rule=rules[outcome.reason],
        implied=True if judged.implied else None,
        facts=facts or None,
    )


def unreadable_verdict(seat: SeatId, text: str, fault: Fault) -> UnitVerdict:
    """The verdict on a line that cannot be read (DP-O-7)."""
    facts: dict[str, Fact] = {"what": fault.what}
    if fault.right:
        facts["right"] = fault.right
    return UnitVerdict(
        seat=seat,
        order=text[:ORDER_LETTERS],
        result="unreadable",
        reason=UNREADABLE,
        rule=RULE_OF[UNREADABLE],
        facts=facts,
    )


def not_now_verdict(seat: SeatId, text: str, order: AnyOrder | None = None) -> UnitVerdict:
    """The verdict on a retreat, build, removal or waiver in a turn of moves (DP-O-1, DP-O-5). A retreat is shown as one."""
    text = text.replace(" - ", " R ", 1) if isinstance(order, Move) else text
    return UnitVerdict(seat=seat, order=text, result=Result.ILLEGAL.value, reason=NOT_NOW, rule=RULE_OF[NOT_NOW])


# Questions --------------------------------------------------------------------------------------------------------


def reason_against(start: Field, position: Position, power: SeatId, order: Movement) -> Outcome | None:
    """The reason why a unit cannot be given an order in a turn of moves, whatever the others do; None if it can (DP-O)."""
    (outcome,) = check_orders(start.board, start.units, [(power, order)], position.settings.movement)
    return outcome


def province_of(order: AnyOrder) -> str:
    """The province of the ordered unit; empty for a waiver."""
    match order:
        case Waive():
            return ""
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy() | Build() | Disband():
            return order.unit.province
        case _:
            assert_never(order)


def _to_named(unit: Unit) -> Named:
    return Named(unit.kind, unit.province, unit.place.partition("/")[2])


def survivors(field: Field) -> set[SeatId]:
    """The powers that have a unit, a dislodged unit or a centre."""
    return (
        {power for power, _ in field.units.values()}
        | {power for power, _, _ in field.dislodged.values()}
        | set(field.owners.values())
    )


def adjusts(field: Field, position: Position, power: SeatId, sites: Sites | None = None) -> bool:
    """Whether a power has something to build or remove this winter; it builds by the house rules unless `sites` overrides them."""
    owned = field.owned(power)
    units = sum(1 for whose, _ in field.units.values() if whose == power)
    if len(owned) > units:
        where = position.settings.sites if sites is None else sites
        return bool(build_sites(field.board, power, owned, set(field.units), where))
    return len(owned) < units


def due(position: Position) -> frozenset[SeatId]:
    """The powers of the board with something to order this turn; powers that no player leads owe nothing."""
    field = field_of(position)
    if position.phase is Phase.RETREATS:
        return frozenset(power for power, _, _ in field.dislodged.values() if power in field.board.powers)
    if position.phase is Phase.ADJUSTMENTS:
        return frozenset(power for power in field.board.powers if adjusts(field, position, power))
    return frozenset(power for power, _ in field.units.values() if power in field.board.powers)


def when(position: Position) -> str:
    """Name of a turn: `Spring 1901, movement`."""
    calendar = position.settings.ground.calendar
    return f"{calendar.season(position.season)} {calendar.year(position.year)}, {position.phase}"
