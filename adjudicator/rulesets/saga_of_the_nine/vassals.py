"""Two controllers' orders for their Vassals in retreats and winter, merged into one list for each power (S9-V-24 to S9-V-28)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from adjudicator.core.contract.resolution import SeatId
from adjudicator.mechanics.adjustments import Sites
from adjudicator.mechanics.joint import Chosen, choose, merge
from adjudicator.mechanics.movement import Move, Result
from adjudicator.mechanics.notation import AnyOrder, Waive
from adjudicator.mechanics.provinces import Unit
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.saga_of_the_nine.orders import WaiveFor, is_of_units, power_of_line
from adjudicator.rulesets.saga_of_the_nine.position import Position, Vassal, ruled_by
from adjudicator.rulesets.saga_of_the_nine.work import Work, add_command


@dataclass(frozen=True, slots=True)
class _Wish:
    """One controller's order for a Vassal."""

    major: SeatId
    order: AnyOrder
    line: str


def _wishes(work: Work) -> dict[SeatId, list[_Wish]]:
    """Vassal -> its controllers' lines for it; every other line becomes a command of the Major that wrote it."""
    units = work.war.start.names()
    wishes: dict[SeatId, list[_Wish]] = {name: [] for name in work.start.vassals}
    for major, lines in work.lines.items():
        for line in lines:
            said = line.said
            if isinstance(said, WaiveFor):
                if said.vassal in ruled_by(work.start, major):
                    wishes[said.vassal].append(_Wish(major, Waive(), work.speech.write(said, units)))
                else:
                    text = work.speech.write(said, units)
                    work.judge(major, text, "illegal", "not-your-vassal", "V-24", vassal=said.vassal)
            elif is_of_units(said):
                assert not isinstance(said, WaiveFor)
                order: AnyOrder = said  # type: ignore[assignment]  # an order of a unit, as was just checked
                power = power_of_line(work.start, major, order)
                if power == major:
                    add_command(work, major, order, major)
                else:
                    wishes[power].append(_Wish(major, order, work.speech.write(order, units)))
    return wishes


# Retreats -----------------------------------------------------------------------------------------------------------


def command_retreats(work: Work) -> None:
    """Turns every line into a command. Of two orders for a Vassal's unit, the Receiver's applies if both are legal (S9-V-25)."""
    for name, wishes in _wishes(work).items():
        vassal = work.start.vassals[name]
        by_unit: dict[str, list[_Wish]] = {}
        for wish in wishes:
            if isinstance(wish.order, Waive):  # Nothing is built now, and no unit is named.
                alone = _alone(work, name, wish.major, wish.order)
                work.verdicts += [replace(verdict, order=wish.line) for verdict in alone]
                continue
            by_unit.setdefault(diplomacy.province_of(wish.order), []).append(wish)
        chosen: dict[str, tuple[AnyOrder, tuple[SeatId, ...]]] = {}
        for province, told in sorted(by_unit.items()):
            stands = _choose_retreat(work, name, vassal, told)
            if stands is not None:
                chosen[province] = stands
        for order, givers in _give_way(work, name, vassal, chosen):
            add_command(work, name, order, *givers)


def _choose_retreat(
    work: Work, name: SeatId, vassal: Vassal, told: list[_Wish]
) -> tuple[AnyOrder, tuple[SeatId, ...]] | None:
    """The order that one unit carries out, with those who gave it; None if it has none. Adds verdicts for the other orders."""
    orders: dict[SeatId, AnyOrder] = {}
    units = work.war.start.names()
    for major in vassal.controllers:
        mine = []
        for wish in (wish for wish in told if wish.major == major):
            if _is_of_another_kind(
                wish.order, units
            ):  # It is for a unit that is not there (DP-O-6), and spoils no other order.
                work.verdicts += _alone(work, name, major, wish.order)
            else:
                mine.append(wish)
        if len({_plain(work, wish.order) for wish in mine}) > 1:
            for wish in mine:  # This controller's lines are void; the other's order applies (SR-8).
                work.judge(major, wish.line, "illegal", "vassal-told-twice", "V-25", vassal=name)
        elif mine:
            orders[major] = _as_written(work, mine[0].order)
            for wish in mine[1:]:
                work.judge(major, wish.line, "illegal", "vassal-repeated", "V-25", vassal=name)

    def is_legal(order: AnyOrder) -> bool:
        return _is_retreat(work, name, order)

    receivers: tuple[SeatId, AnyOrder | None] = (vassal.receiver, orders.get(vassal.receiver))
    givers: tuple[SeatId, AnyOrder | None] = (vassal.giver, orders.get(vassal.giver))
    stands: Chosen[AnyOrder] | None = choose(receivers, givers, is_legal)
    if stands is None:
        return None
    for major, order in sorted(orders.items()):
        if major in stands.by:
            continue
        if is_legal(order):
            facts = {"by": stands.by[0], "order": work.speech.write(stands.order, units)}
            work.judge(major, work.speech.write(order, units), "overruled", "vassal-overruled", "V-25", **facts)
        else:
            work.verdicts += _alone(work, name, major, order)
    return stands.order, stands.by


def _as_written(work: Work, order: AnyOrder) -> AnyOrder:
    """The order with its unit's kind filled in. `via convoy` is kept only if it was written, because retreats have no convoys."""
    plain = _plain(work, order)
    return replace(plain, via=order.via) if isinstance(plain, Move) and isinstance(order, Move) else plain


def _is_of_another_kind(order: AnyOrder, units: Mapping[str, Unit]) -> bool:
    """True if an order names the wrong kind of unit."""
    assert not isinstance(order, Waive)
    here = units.get(order.unit.province)
    return here is not None and order.unit.kind not in ("", here.kind)


def _alone(work: Work, name: SeatId, major: SeatId, order: AnyOrder) -> list[diplomacy.UnitVerdict]:
    """The verdict on a Major's order for a Vassal's unit, judged without any other order."""
    (outcome,) = diplomacy.judge_retreats(work.war.start, work.start.settings, [(name, order)]).outcomes
    return diplomacy.verdicts_on(work.war.start, [diplomacy.Judged(major, order, outcome)])


def _give_way(
    work: Work, name: SeatId, vassal: Vassal, chosen: dict[str, tuple[AnyOrder, tuple[SeatId, ...]]]
) -> list[tuple[AnyOrder, tuple[SeatId, ...]]]:
    """The orders of a Vassal's units. If the controllers sent two of them to the same place, only the Receiver's goes (SR-7)."""
    # An illegal order does nothing, so it blocks nobody (S9-V-28).
    goals: dict[str, list[str]] = {}
    for province, (order, _) in chosen.items():
        if isinstance(order, Move) and _is_retreat(work, name, order):
            goals.setdefault(order.to, []).append(province)
    left: list[tuple[AnyOrder, tuple[SeatId, ...]]] = []
    units = work.war.start.names()
    for province, (order, givers) in chosen.items():
        meeting = goals.get(order.to, []) if isinstance(order, Move) else []
        before = [other for other in meeting if other != province and vassal.receiver in chosen[other][1]]
        if province in meeting and before and vassal.receiver not in givers:
            facts = {"unit": work.unit_name(before[0]), "by": vassal.receiver}
            work.judge(vassal.giver, work.speech.write(order, units), "fails", "gave-way", "V-28", **facts)
            work.gave_way.add((name, province))
        else:
            left.append((order, givers))
    return left


def _is_retreat(work: Work, name: SeatId, order: AnyOrder) -> bool:
    """True if an order is a legal retreat when it is judged without any other order."""
    (outcome,) = diplomacy.judge_retreats(work.war.start, work.start.settings, [(name, order)]).outcomes
    return outcome.result is not Result.ILLEGAL


# Winter -------------------------------------------------------------------------------------------------------------


def builders(position: Position) -> dict[SeatId, Sites]:
    """Powers that build and remove in winter, with their sites: a Vassal has only its Capital (S9-W-1, S9-V-21)."""
    board = position.settings.ground
    homes: dict[SeatId, Sites] = {
        major: position.settings.sites for major in board.powers if major not in position.eliminated
    }
    return homes | {name: frozenset({board.places[vassal.capital]}) for name, vassal in position.vassals.items()}


def command_winter(work: Work) -> None:
    """Turns every line into a command. For a Vassal, the Giver's lines come before the Receiver's (S9-V-25, S9-V-26)."""
    sites = builders(work.start)
    for name, wishes in _wishes(work).items():
        vassal = work.start.vassals[name]
        mine: dict[SeatId, list[AnyOrder]] = {
            major: [_plain(work, wish.order) for wish in wishes if wish.major == major] for major in vassal.controllers
        }
        merged = merge((vassal.giver, mine[vassal.giver]), (vassal.receiver, mine[vassal.receiver]))
        field, settings = work.war.start, work.start.settings
        done = diplomacy.judge_adjustments(field, settings, name, [order for order, _ in merged], sites[name])
        alone = diplomacy.judge_adjustments(field, settings, name, mine[vassal.receiver], sites[name]).outcomes
        # Of several equal lines, the last ones are those that the Giver did not write as well (see `merge`).
        stood = list(zip(mine[vassal.receiver], (one.result is not Result.ILLEGAL for one in alone), strict=True))
        overruled = {}
        for index in reversed(range(len(merged))):
            order, givers = merged[index]
            if givers == (vassal.receiver,):
                last = max(place for place, (other, _) in enumerate(stood) if other == order)
                overruled[index] = stood.pop(last)[1]
        for index, ((order, givers), outcome) in enumerate(zip(merged, done.outcomes, strict=True)):
            # The Giver's lines overrule only those that would be legal without them (S-4).
            if outcome.result is Result.ILLEGAL and overruled.get(index):
                line = _line(work, name, order)
                work.judge(vassal.receiver, line, "overruled", "giver-first", "V-25", by=vassal.giver)
            else:
                add_command(work, name, order, *givers)


def _plain(work: Work, order: AnyOrder) -> AnyOrder:
    """The order in the form that equal orders share."""
    return work.speech.same(order, work.war.start.names())  # type: ignore[return-value]  # no wish to marry


def _line(work: Work, name: SeatId, order: AnyOrder) -> str:
    """A Vassal's order as its controllers write it."""
    said = WaiveFor(name) if isinstance(order, Waive) else order
    return work.speech.write(said, work.war.start.names())
