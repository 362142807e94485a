"""Explaining never contradicts deciding: the solver's explanations follow from its decisions, on crowded random positions."""

from __future__ import annotations

import random

import pytest

from adjudicator.core.jobs.doctor import compiled_modules
from adjudicator.mechanics.movement import (
    Convoy,
    Hold,
    Move,
    Outcome,
    Reason,
    Result,
    SupportHold,
    SupportMove,
    check_orders,
    solve,
)
from adjudicator.mechanics.movement.solver import DEFAULT_RULES, NOWHERE, _Phase
from tests.mechanics.test_solver_laws import BOARD, MANY, Orders, Units, crowd, orders_for

WON = {Reason.UNOPPOSED, Reason.FOLLOWED, Reason.CIRCULAR, Reason.STRONGER}
LOST = {Reason.BOUNCED, Reason.STANDOFF, Reason.HEAD_TO_HEAD}
SEEDS = range(MANY or 400)


def phase_of(units: Units, orders: Orders, stationary: frozenset[str] = NOWHERE) -> _Phase:
    """The solver's scratch state with every decision taken."""
    phase = _Phase(BOARD, units, orders, DEFAULT_RULES, stationary)
    phase.read_orders()
    phase.decide()
    return phase


def contradictions(units: Units, orders: Orders, stationary: frozenset[str] = NOWHERE) -> list[str]:
    phase = phase_of(units, orders, stationary)
    done = solve(BOARD, units, orders, stationary=stationary)
    found: list[str] = []

    def claim(holds: bool, what: str) -> None:
        if not holds:
            found.append(what)

    given = {
        order.unit.province
        for (_, order), one in zip(orders, done.outcomes, strict=True)
        if one.result is Result.GIVEN and isinstance(order, SupportHold | SupportMove)
    }
    said: dict[str, Outcome] = dict(done.unordered)
    for (power, order), one in zip(orders, done.outcomes, strict=True):
        here = order.unit.province
        where = f"{order}: {one}"
        if here in phase.order_of and phase.orders[phase.order_of[here]][1] is order:
            said[here] = one
        ruled_out = one.result is Result.ILLEGAL or one.reason is Reason.ON_OTHER_COAST
        if ruled_out:
            continue
        claim(units[here][0] == power, f"{where} is of another power")
        match order:
            case Move():
                claim((one.result is Result.SUCCEEDS) is phase.ok[here], f"{where}, decided {phase.ok[here]}")
                claim((one.result is Result.SUCCEEDS) is (here in done.moved), f"{where}, and where it is")
                claim((one.reason in WON) is phase.ok[here], f"{where}: the reason")
                if one.reason is Reason.STRONGER:
                    claim(one.strength > one.against, f"{where}: not stronger")
                if one.reason in LOST:
                    claim(one.strength <= one.against and bool(one.by), f"{where}: not weaker")
                if one.reason is Reason.SORTIE:
                    claim(here in stationary and one.strength > one.against, f"{where}: no sortie")
                claim(here not in stationary or not phase.ok[here], f"{where}: left its place")
            case SupportHold() | SupportMove():
                matched = here in phase.supports.get(order.target.province, ())
                if matched:
                    claim((one.result is Result.GIVEN) is (not phase.cut[here]), f"{where}, cut by {phase.cut[here]}")
                else:
                    claim(one.result is not Result.GIVEN, f"{where} matched nothing")
                if one.result is Result.CUT:
                    claim(all(phase.to.get(foe) == here for foe in one.by) and bool(one.by), f"{where}: cut by whom?")
            case Convoy():
                sailed = here in phase.convoys.get(order.target.province, ())
                claim(one.reason is not Reason.CONVOYED or sailed, f"{where} carried nobody")
                if one.reason is Reason.CONVOY_DISLODGED:
                    claim(here in done.attackers, f"{where} is still there")
            case Hold():
                claim(one.result is Result.STANDS, where)
        if one.supporters or one.their_supporters:
            claim({*one.supporters, *one.their_supporters} <= given, f"{where} counts a support that was not given")
    for here, one in said.items():
        claim(one.dislodged == done.attackers.get(here, ""), f"{here} dislodged? {one}, {done.attackers}")
        if one.reason is Reason.DISLODGED:
            claim(here in done.attackers and one.against > one.strength, f"{here} was not overcome: {one}")
        if one.reason is Reason.WITHSTOOD:
            # A unit weaker than an attacker holds only if attackers block each other (DP-M-4).
            held = one.strength >= one.against or len(phase.attackers[here]) > 1
            claim(here not in done.attackers and held, f"{here} did not withstand: {one}")
        if one.reason is Reason.UNATTACKED:
            claim(here not in done.attackers, f"{here} was attacked")
    return found


@pytest.mark.parametrize("part", range(4))
def test_explanations_follow_from_decisions(part: int) -> None:
    for seed in SEEDS[part::4]:
        dice = random.Random(f"explain {seed}")
        units = crowd(dice)
        orders = orders_for(dice, units)
        assert contradictions(units, orders) == [], seed


@pytest.mark.skipif(bool(compiled_modules()), reason="what is compiled cannot be spoilt from outside")
def test_the_law_notices_a_contradiction() -> None:
    """The law catches a wrong explanation: one that counts a support that was cut."""
    units = {code: (power, BOARD.unit(text)) for code, power, text in (
        ("MUN", "Germany", "A MUN"), ("RUH", "Germany", "A RUH"), ("BUR", "France", "A BUR"), ("BEL", "France", "A BEL"),
    )}  # fmt: skip
    from adjudicator.mechanics.movement import Named

    orders: Orders = [
        ("Germany", Move(Named("A", "MUN"), "BUR")),
        ("Germany", SupportMove(Named("A", "RUH"), Named("A", "MUN"), "BUR")),
        ("France", Move(Named("A", "BEL"), "RUH")),
    ]
    assert contradictions(units, orders) == []
    honest = _Phase.counting_supporters

    def forgetful(self: _Phase, unit: str, against: str | None) -> tuple[str, ...]:
        return tuple(sorted(self.supports.get(unit, ())))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_Phase, "counting_supporters", forgetful)
        assert contradictions(units, orders) != []
    assert _Phase.counting_supporters is honest


# Units that never leave their place ---------------------------------------------------------------------------------


@pytest.mark.parametrize("part", range(4))
def test_units_that_never_leave_cut_bounce_and_stay(part: int) -> None:
    for seed in SEEDS[part::4]:
        dice = random.Random(f"stationary {seed}")
        units = crowd(dice)
        orders = orders_for(dice, units)
        stays = frozenset(code for code in sorted(units) if dice.random() < 0.35)
        assert contradictions(units, orders, stays) == [], seed
        done = solve(BOARD, units, orders, stationary=stays)
        assert not stays & set(done.moved)
        shuffled = dice.sample(orders, len(orders))
        again = solve(BOARD, units, shuffled, stationary=stays)
        assert (again.moved, again.dislodged, again.contested) == (done.moved, done.dislodged, done.contested)
        # If they do not move, the phase is the usual one; the missing carriers are reported, and change nothing.
        idle = frozenset(
            code for code in stays if not any(isinstance(o, Move) and o.unit.province == code for _, o in orders)
        )
        still, usual = solve(BOARD, units, orders, stationary=idle), solve(BOARD, units, orders)
        assert (still.moved, still.dislodged, still.contested) == (usual.moved, usual.dislodged, usual.contested)
        differ = [one for one, other in zip(still.outcomes, usual.outcomes, strict=True) if one != other]
        assert {one.reason for one in differ} <= {Reason.NEVER_CONVOYED, Reason.SUPPORTED_CANNOT_REACH}


def unit(text: str) -> str:
    return text.partition(" ")[2].partition("/")[0]


def judged(
    orders: dict[str, str], stationary: set[str], **idle: str
) -> tuple[dict[str, str], frozenset[str], dict[str, str]]:
    """Orders by power, as `A MUN - BUR`. Returns the result of each, the contested provinces, and the dislodged units."""
    from adjudicator.mechanics.notation import Notation

    notation = Notation(BOARD)
    lines = [(power, line) for power, lines in orders.items() for line in lines.split("; ")]
    units = {unit(" ".join(line.split()[:2])): (power, BOARD.unit(" ".join(line.split()[:2]))) for power, line in lines}
    read = [(power, notation.read(line)) for power, line in lines]
    done = solve(BOARD, units, read, stationary=frozenset(stationary))  # type: ignore[arg-type]  # these can be read
    told = {line: f"{one.result} {one.reason}" for (_, line), one in zip(lines, done.outcomes, strict=True)}
    return told, done.contested, done.dislodged


def test_a_lone_sortie_bounces_and_closes_its_goal() -> None:
    told, contested, _ = judged({"France": "A MUN - BUR"}, {"MUN"})
    assert (told, contested) == ({"A MUN - BUR": "fails sortie"}, frozenset({"BUR"}))


def test_a_sortie_stands_others_off_with_its_full_strength() -> None:
    told, contested, _ = judged({"France": "A MUN - BUR; A RUH S A MUN - BUR", "Italy": "A MAR - BUR"}, {"MUN"})
    assert told == {
        "A MUN - BUR": "fails sortie", "A RUH S A MUN - BUR": "given supported", "A MAR - BUR": "fails standoff",
    }  # fmt: skip
    assert contested == {"BUR"}


def test_a_sortie_cuts_support_but_not_the_one_into_its_own_place() -> None:
    told, _, dislodged = judged({"France": "A MUN - BUR", "Italy": "A BUR S A RUH - MUN; A RUH - MUN"}, {"MUN"})
    assert told["A BUR S A RUH - MUN"] == "given supported"
    assert dislodged == {"MUN": "RUH"}
    told, _, _ = judged({"France": "A MUN - BUR", "Italy": "A BUR S A BEL - RUH; A BEL - RUH; A RUH H"}, {"MUN"})
    assert told["A BUR S A BEL - RUH"].startswith("cut")


def test_a_sortie_that_loses_head_on_has_no_effect() -> None:
    told, contested, dislodged = judged(
        {"France": "A MUN - BUR", "Italy": "A BUR - MUN; A TYR S A BUR - MUN; A PAR - BUR"}, {"MUN"}
    )
    assert told == {
        "A MUN - BUR": "fails head-to-head", "A BUR - MUN": "succeeds stronger", "A TYR S A BUR - MUN": "given supported",
        "A PAR - BUR": "succeeds followed",
    }  # fmt: skip
    assert (contested, dislodged) == (frozenset(), {"MUN": "BUR"})


def test_a_unit_that_never_leaves_is_never_convoyed() -> None:
    """Neither its own order nor a fleet's convoy nor a support for such a move is legal."""
    lines = {"France": "A BRE - LON; F ENG C A BRE - LON", "Italy": "F NTH S A BRE - LON; A BEL H"}
    told, _, _ = judged(lines, {"BRE"})
    assert told == {
        "A BRE - LON": "illegal never-convoyed", "F ENG C A BRE - LON": "illegal never-convoyed",
        "F NTH S A BRE - LON": "illegal supported-cannot-reach", "A BEL H": "stands unattacked",
    }  # fmt: skip
    told, _, _ = judged(lines, set())
    assert told["A BRE - LON"] == "succeeds unopposed"


def test_an_order_is_ruled_out_alike_by_itself_and_among_others() -> None:
    """`check_orders` reports the same about a single order as the whole phase would."""
    for seed in range(200):
        dice = random.Random(f"alone {seed}")
        units = crowd(dice)
        orders = orders_for(dice, units, nonsense=0.4)
        for power, order in orders:
            (alone,) = check_orders(BOARD, units, [(power, order)])
            (whole,) = solve(BOARD, units, [(power, order)]).outcomes
            bad = whole.result is Result.ILLEGAL or whole.reason is Reason.ON_OTHER_COAST
            assert (alone is not None) is bad
            assert alone is None or (alone.result, alone.reason) == (whole.result, whole.reason)
