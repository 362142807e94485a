"""A Diplomacy turn, from sheets to the next position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as default

from adjudicator.core.dice import Dice
from adjudicator.core.resolution import Ending, Fact, Resolution, SeatId, Verdict
from adjudicator.mechanics.adjustments import adjust, build_sites
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, Outcome, SupportHold, SupportMove, solve
from adjudicator.mechanics.movement.orders import Result
from adjudicator.mechanics.notation import AnyOrder, Fault
from adjudicator.mechanics.provinces import Unit
from adjudicator.mechanics.retreats import RetreatOutcome, RetreatReason, open_retreats, retreat
from adjudicator.rulesets.diplomacy.events import (
    AnyEvent,
    Built,
    Conceded,
    Destroyed,
    Disbanded,
    Dissolved,
    Drawn,
    Eliminated,
    Forced,
    Missing,
    Removed,
    Retreated,
    Standoff,
    Taken,
    UnitVerdict,
    Unused,
    Voted,
    Won,
)
from adjudicator.rulesets.diplomacy.orders import Sheet, read_orders
from adjudicator.rulesets.diplomacy.position import (
    ConvoyedRetreat,
    Dislodged,
    Draws,
    Field,
    Phase,
    Position,
    Season,
    centre_texts,
    field_of,
    unit_texts,
)
from adjudicator.rulesets.diplomacy.rules import NOT_NOW, RULE_OF, UNREADABLE


@dataclass
class Work:
    """The turn while it is being judged."""

    position: Position
    field: Field
    sheets: Mapping[SeatId, Sheet]
    attack: Mapping[str, int] | None = None
    verdicts: list[Verdict] = default(default_factory=list)
    events: list[AnyEvent] = default(default_factory=list)
    ended: Ending | None = None
    forced: dict[str, tuple[SeatId, Unit, str]] = default(default_factory=dict)
    """Units that must retreat next."""
    contested: frozenset[str] = frozenset()

    def name(self, province: str) -> str:
        """The unit in a province as people write it, dislodged units too."""
        return self.field.board.unit_name(self.field.names()[province])


def resolve(position: Position, sheets: Mapping[SeatId, Sheet], dice: Dice) -> Resolution[Position, AnyEvent]:
    """Judges one turn. Diplomacy rolls no dice."""
    return judge(position, sheets)


def judge(
    position: Position, sheets: Mapping[SeatId, Sheet], attack: Mapping[str, int] | None = None
) -> Resolution[Position, AnyEvent]:
    """Judges one turn; `attack` is the solver's, for games in which not every unit attacks alike."""
    work = Work(position, field_of(position), sheets, attack)
    for step in TURN:
        step(work)
    return Resolution(work.position, tuple(work.verdicts), tuple(work.events), work.ended)


# The steps --------------------------------------------------------------------------------------------------------


def note_missing_sheets(work: Work) -> None:
    """A power that owed a sheet and sent none is named (DP-N-1)."""
    for power in sorted(due(work.position) - set(work.sheets)):
        work.events.append(Missing(power=power))


def carry_out_orders(work: Work) -> None:
    """Moves, retreats or adjustments, whichever the turn is for."""
    match work.position.phase:
        case Phase.MOVEMENT:
            move_units(work)
        case Phase.RETREATS:
            retreat_units(work)
        case Phase.ADJUSTMENTS:
            adjust_units(work)


def take_centres(work: Work) -> None:
    """After the last movement of the year and its retreats, units own the centres they stand in (DP-W-1)."""
    if work.position.season is not Season.FALL or work.forced:
        return
    board, owners = work.field.board, work.field.owners
    for code in board.centres:
        here = work.field.units.get(code)
        if here is not None and owners.get(code) != here[0]:
            work.events.append(Taken(centre=board.provinces[code].name, power=here[0], lost_by=owners.get(code)))
            owners[code] = here[0]


def name_the_eliminated(work: Work) -> None:
    """Powers that had something when the turn began and now have nothing (DP-V-4)."""
    had = survivors(field_of(work.position))
    has = survivors(work.field)
    for power in sorted(had - has):
        work.events.append(Eliminated(power=power))


def end_the_game(work: Work) -> None:
    """A solo victory (DP-V-1, DP-V-2), a draw that every surviving power voted for (DP-V-3), or a concession by all but one (DP-V-5)."""
    field, position = work.field, work.position
    phase = when(position)
    needed = position.settings.victory or field.board.victory
    if position.season is Season.FALL and not work.forced:
        counts = sorted(((len(field.owned(power)), power) for power in field.board.powers), reverse=True)
        (most, leader), (second, _) = counts[0], counts[1]
        if most >= needed and most > second:
            work.events.append(Won(power=leader, centres=most))
            work.ended = Ending(how="solo", winners=(leader,), when=phase, rule="DP-V-1")
            return
    if position.settings.draws is Draws.NONE:
        return
    alive = survivors(field_of(position))
    votes = sorted(power for power, sheet in work.sheets.items() if sheet.draw and power in alive)
    missing = sorted(alive - set(votes))
    if votes:
        work.events.append(Voted(powers=tuple(votes), needed=tuple(missing)))
    if not missing:
        left = tuple(sorted(survivors(field)))
        work.events.append(Drawn(powers=left))
        work.ended = Ending(how="draw", winners=left, when=phase, rule="DP-V-3")
        return
    for to in sorted(alive):
        powers = sorted(power for power in alive - {to} if _concedes(work, power, to))
        others = tuple(sorted(alive - {to} - set(powers)))
        if powers:
            work.events.append(Conceded(to=to, powers=tuple(powers), needed=others))
            if not others:
                work.ended = Ending(how="concession", winners=(to,), when=phase, rule="DP-V-5")
                return


def _concedes(work: Work, power: SeatId, to: SeatId) -> bool:
    """Whether a power's sheet accepts another's victory."""
    return power in work.sheets and work.sheets[power].concede == to


def turn_the_page(work: Work) -> None:
    """The next turn in which something can happen (DP-G-3)."""
    field, board = work.field, work.field.board
    year, season, phase = work.position.year, work.position.season, work.position.phase
    if work.forced:
        phase = Phase.RETREATS
    elif season is Season.SPRING:
        season, phase = Season.FALL, Phase.MOVEMENT
    elif season is Season.FALL and any(adjusts(field, work.position, power) for power in board.powers):
        season, phase = Season.WINTER, Phase.ADJUSTMENTS
    else:
        year, season, phase = year + 1, Season.SPRING, Phase.MOVEMENT
    work.position = replace(
        work.position,
        year=year,
        season=season,
        phase=phase,
        units=unit_texts(board, field.units),
        centres=centre_texts(board, field.owners),
        dislodged=tuple(
            Dislodged(
                power=power,
                unit=board.unit_name(unit),
                attacked_from=board.provinces[attacker].name if attacker else None,
            )
            for _, (power, unit, attacker) in sorted(work.forced.items())
        ),
        contested=tuple(sorted(board.provinces[code].name for code in work.contested)) if work.forced else (),
    )


TURN = (
    note_missing_sheets,
    carry_out_orders,
    take_centres,
    name_the_eliminated,
    end_the_game,
    turn_the_page,
)


# Orders -----------------------------------------------------------------------------------------------------------


def readable(work: Work, power: SeatId) -> list[AnyOrder]:
    """A power's readable orders; the others get their verdict here (DP-O-7)."""
    sheet = work.sheets.get(power)
    if sheet is None:
        return []
    orders: list[AnyOrder] = []
    for index, order in read_orders(work.field, sheet):
        if isinstance(order, Fault):
            work.verdicts.append(unreadable(power, sheet.orders[index], order))
        else:
            orders.append(order)
    return orders


def unreadable(seat: SeatId, text: str, fault: Fault) -> Verdict:
    """The verdict on a line that cannot be read (DP-O-7)."""
    facts: dict[str, Fact] = {"what": fault.what}
    if fault.right:
        facts["right"] = fault.right
    return UnitVerdict(
        seat=seat, order=text[:200], result="unreadable", reason=UNREADABLE, rule=RULE_OF[UNREADABLE], facts=facts
    )


def not_now(seat: SeatId, text: str) -> Verdict:
    """The verdict on a build, removal or waiver in a turn in which units move (DP-O-1)."""
    return UnitVerdict(seat=seat, order=text, result=Result.ILLEGAL.value, reason=NOT_NOW, rule=RULE_OF[NOT_NOW])


def move_units(work: Work) -> None:
    """The movement phase (DP-M, DP-S, DP-C)."""
    field, board = work.field, work.field.board
    orders: list[tuple[SeatId, AnyOrder]] = []
    for power in board.powers:
        orders.extend((power, order) for order in readable(work, power))
    moves = [(p, o) for p, o in orders if isinstance(o, Hold | Move | SupportHold | SupportMove | Convoy)]
    done = solve(board, field.units, moves, work.position.settings.movement, work.attack)
    outcomes = iter(done.outcomes)
    for power, order in orders:
        if isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy):
            work.verdicts.append(verdict_on(field, power, order, next(outcomes)))
        else:
            work.verdicts.append(not_now(power, field.notation.write(order, field.names())))
    for province, outcome in sorted(done.unordered.items()):
        power, unit = field.units[province]
        hold = Hold(Named(unit.kind, province, unit.place.partition("/")[2]))
        work.verdicts.append(replace(verdict_on(field, power, hold, outcome), implied=True))
    work.verdicts.sort(key=lambda verdict: list(board.powers).index(verdict.seat))
    for code in sorted(done.contested):
        work.events.append(Standoff(province=board.provinces[code].name))
    before = dict(field.units)
    after = {unit.province: (before[start][0], unit) for start, unit in done.moved.items()}
    still = {p: here for p, here in before.items() if p not in done.moved and p not in done.dislodged}
    occupied = set(after) | set(still)
    closed = work.position.settings.convoyed_retreat is ConvoyedRetreat.CLOSED
    for province, attacker in sorted((done.attackers if closed else done.dislodged).items()):
        power, unit = before[province]
        places = open_retreats(board, unit, attacker, occupied, done.contested)
        by = work.name(done.attackers[province])
        if places:
            work.forced[province] = (power, unit, attacker)
            names = tuple(board.place_name(place) for place in places)
            work.events.append(Forced(power=power, unit=board.unit_name(unit), by=by, to=names))
        else:
            work.events.append(Destroyed(power=power, unit=board.unit_name(unit), by=by))
    field.units.clear()
    field.units.update(sorted((still | after).items()))
    field.dislodged.update(work.forced)  # They are not lost yet (DP-V-4, DP-V-3).
    work.contested = done.contested


def retreat_units(work: Work) -> None:
    """The retreat phase (DP-R)."""
    field, board = work.field, work.field.board
    orders = [(power, order) for power in board.powers for order in readable(work, power)]
    done = retreat(board, field.dislodged, set(field.units), field.contested, orders, work.position.settings.movement)
    why: dict[str, str] = dict.fromkeys(done.unordered, "no-order")
    for (power, order), outcome in zip(orders, done.outcomes, strict=True):
        work.verdicts.append(verdict_on(field, power, order, outcome))
        province = getattr(order, "unit", Named("", "")).province
        lost = field.dislodged.get(province)
        if lost is not None and lost[0] == power and outcome.reason is not RetreatReason.ORDERED_TWICE:
            match outcome.reason:
                case RetreatReason.DISBANDED:
                    why[province] = "ordered"
                case RetreatReason.COLLIDED:
                    why[province] = "collided"
                case _:
                    why.setdefault(province, "illegal")
    for province, (power, unit, _) in sorted(field.dislodged.items()):
        text = board.unit_name(unit)
        if province in done.unordered:
            none = RetreatOutcome(Result.FAILS, RetreatReason.NO_ORDER)
            verdict = verdict_on(field, power, Hold(Named(unit.kind, province, unit.place.partition("/")[2])), none)
            work.verdicts.append(replace(verdict, order=f"Disband {text}", implied=True))
        new = done.retreated.get(province)
        if new is not None:
            field.units[new.province] = (power, new)
            work.events.append(Retreated(power=power, unit=text, to=board.place_name(new.place)))
        else:
            cause = why.get(province, "illegal")
            work.events.append(Disbanded(power=power, unit=text, why=cause))  # type: ignore[arg-type]  # one of four
    field.dislodged.clear()
    work.verdicts.sort(key=lambda verdict: list(board.powers).index(verdict.seat))


def adjust_units(work: Work) -> None:
    """The adjustment phase (DP-W)."""
    field, board, settings = work.field, work.field.board, work.position.settings
    changes: list[tuple[SeatId, Unit | None, Unit | None]] = []
    for power in board.powers:
        orders = readable(work, power)
        done = adjust(
            board,
            power,
            field.owned(power),
            field.units,
            orders,
            distance=settings.disband_distance,
            sites=settings.build_sites,
            surplus_orders=settings.surplus_orders,
        )
        for order, outcome in zip(orders, done.outcomes, strict=True):
            work.verdicts.append(verdict_on(field, power, order, outcome))
        for unit in done.built:
            work.events.append(Built(power=power, unit=board.unit_name(unit)))
            changes.append((power, unit, None))
        for unit in done.removed:
            work.events.append(Removed(power=power, unit=board.unit_name(unit)))
            changes.append((power, None, unit))
        for unit, distance in done.automatic:
            work.events.append(Dissolved(power=power, unit=board.unit_name(unit), distance=distance))
            changes.append((power, None, unit))
        if done.unused:
            work.events.append(Unused(power=power, builds=done.unused))
    for power, new, old in changes:
        if old is not None:
            del field.units[old.province]
        if new is not None:
            field.units[new.province] = (power, new)


def verdict_on(field: Field, seat: SeatId, order: AnyOrder, outcome: object) -> Verdict:
    """The verdict on one order, with units named as people write them."""

    def name(province: str) -> str:
        return field.board.unit_name(field.names()[province])

    text = field.notation.write(order, field.names())
    facts: dict[str, Fact] = {}
    if isinstance(outcome, Outcome):
        result, reason = outcome.result.value, outcome.reason.value
        if outcome.strength:
            facts["strength"] = outcome.strength
        if outcome.against:
            facts["against"] = outcome.against
        for key, provinces in (
            ("by", outcome.by),
            ("their_supporters", outcome.their_supporters),
            ("supporters", outcome.supporters),
        ):
            if provinces:
                facts[key] = tuple(name(province) for province in provinces)
        if outcome.dislodged:
            facts["dislodged_by"] = name(outcome.dislodged)
        rule = RULE_OF[outcome.reason]
    else:
        result, reason = outcome.result.value, outcome.reason.value  # type: ignore[attr-defined]
        by = getattr(outcome, "by", ())
        if by:
            facts["by"] = tuple(name(province) for province in by)
        rule = RULE_OF[outcome.reason]  # type: ignore[attr-defined]
    return UnitVerdict(seat=seat, order=text, result=result, reason=reason, rule=rule, facts=facts or None)


# Questions about a position ---------------------------------------------------------------------------------------


def survivors(field: Field) -> set[SeatId]:
    """The powers that have a unit, a dislodged unit or a centre."""
    return (
        {power for power, _ in field.units.values()}
        | {power for power, _, _ in field.dislodged.values()}
        | set(field.owners.values())
    )


def adjusts(field: Field, position: Position, power: SeatId) -> bool:
    """Whether a power has something to build or remove this winter."""
    owned = field.owned(power)
    units = sum(1 for whose, _ in field.units.values() if whose == power)
    if len(owned) > units:
        return bool(build_sites(field.board, power, owned, set(field.units), position.settings.build_sites))
    return len(owned) < units


def due(position: Position) -> frozenset[SeatId]:
    """The powers that have something to order in this turn."""
    field = field_of(position)
    if position.phase is Phase.RETREATS:
        return frozenset(power for power, _, _ in field.dislodged.values())
    if position.phase is Phase.ADJUSTMENTS:
        return frozenset(power for power in field.board.powers if adjusts(field, position, power))
    return frozenset(power for power, _ in field.units.values())


def when(position: Position) -> str:
    """`Spring 1901, movement`."""
    return f"{position.season} {position.year}, {position.phase}"
