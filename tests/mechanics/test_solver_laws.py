"""Laws of the movement phase on crowded random positions, and a second opinion on every decision.

The second opinion is written from the definitions of DATC chapter 5 (hold, attack, defend and prevent strength) and shares no code with the
solver: from the moves that succeeded it infers the ones that should have.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from adjudicator.mechanics.movement import (
    Convoy,
    Hold,
    Move,
    Movement,
    MovementRules,
    Named,
    Order,
    Outcome,
    Reason,
    Result,
    SupportHold,
    SupportMove,
    solve,
)
from adjudicator.mechanics.movement.solver import (
    AdjacentConvoys,
    Coasts,
    ConvoyedAttack,
    Disengaged,
    Impossible,
    MultiRoute,
)
from adjudicator.mechanics.provinces import Board, Unit
from adjudicator.rulesets.diplomacy.position import board_named

MANY = int(os.environ.get("COURTLY_FUZZ", "0"))
"""Number of random positions for `nox -s fuzz`; without it the tests try the same few each time."""
BOARD: Board = board_named("standard")
POWERS = tuple(BOARD.powers)
NORTH = [
    "NTH",
    "ENG",
    "SKA",
    "HEL",
    "NWG",
    "IRI",
    "MAO",
    "NAO",
    "BAL",
    "BOT",
    "BAR",
    "LON",
    "YOR",
    "EDI",
    "WAL",
    "LVP",
    "CLY",
    "BEL",
    "HOL",
    "PIC",
    "BRE",
    "NWY",
    "DEN",
    "SWE",
    "KIE",
    "BER",
    "FIN",
    "STP",
    "LVN",
    "PRU",
    "BUR",
    "RUH",
    "MUN",
    "PAR",
    "GAS",
]
SOUTH = [
    "TYS",
    "ION",
    "ADR",
    "AEG",
    "EAS",
    "LYO",
    "WES",
    "MAO",
    "BLA",
    "NAP",
    "ROM",
    "TUN",
    "APU",
    "VEN",
    "TRI",
    "ALB",
    "GRE",
    "TUS",
    "PIE",
    "MAR",
    "SPA",
    "BUL",
    "CON",
    "SMY",
    "ANK",
    "RUM",
    "SEV",
    "ARM",
    "SYR",
    "SER",
    "BUD",
    "VIE",
    "TYR",
    "NAF",
    "POR",
]

Units = dict[str, tuple[str, Unit]]
Orders = list[tuple[str, Order]]


# Crowded positions -----------------------------------------------------------------------------------------------


def crowd(dice: random.Random, fewest: int = 20, most: int = 34) -> Units:
    """Units shoulder to shoulder around one sea, most seas taken."""
    region = dice.choice((NORTH, SOUTH))
    seas = [code for code in region if code in BOARD.seas]
    count = dice.randint(fewest, most)
    chosen = dice.sample(seas, min(len(seas), max(2, count // 4)))
    rest = [code for code in region if code not in chosen]
    chosen += dice.sample(rest, min(len(rest), count - len(chosen)))
    powers = dice.sample(POWERS, dice.randint(2, 5))
    units: Units = {}
    for code in chosen:
        kind = BOARD.provinces[code].kind
        if kind == "sea" or (kind == "coast" and dice.random() < 0.4):
            coasts = BOARD.provinces[code].coasts
            place = f"{code}/{dice.choice(coasts)}" if coasts else code
            unit = BOARD.unit(f"F {place}")
        else:
            unit = BOARD.unit(f"A {code}")
        units[code] = (dice.choice(powers), unit)
    return units


def goals(unit: Unit) -> list[str]:
    return sorted(BOARD.army_to[unit.province] if unit.kind == "A" else BOARD.fleet_to[unit.place])


def moving(dice: random.Random, unit: Unit, wanted: Sequence[str], convoying: set[str]) -> Move:
    """A move, towards one of the `wanted` provinces if possible; armies on coasts often by sea."""
    named = Named(unit.kind, unit.province)
    if unit.kind == "A" and unit.province in BOARD.coastal and dice.random() < 0.5:
        seas = joined_seas(unit.province, convoying)
        there = sorted({goal for sea in seas for goal in BOARD.sea_coasts[sea]} - {unit.province})
        near = [goal for goal in there if goal in wanted]
        if there:
            return Move(named, dice.choice(near or there), via=dice.random() < 0.5)
    places = goals(unit)
    near = [goal for goal in places if goal in wanted]
    goal = dice.choice(near if near and dice.random() < 0.7 else places)
    coast = ""
    if unit.kind == "F":
        coast = dice.choice(BOARD.fleet_to[unit.place][goal]).partition("/")[2]
    return Move(named, goal, coast)


def joined_seas(start: str, seas: set[str]) -> set[str]:
    """The `seas` that an army in `start` could be carried over."""
    reached = {sea for sea in seas if start in BOARD.sea_coasts[sea]}
    while more := {near for sea in reached for near in BOARD.sea_next[sea]} & seas - reached:
        reached |= more
    return reached


def orders_for(dice: random.Random, units: Units, nonsense: float = 0.06) -> Orders:
    """Moves that meet, supports and convoys that mostly fit them, and some nonsense.

    Armies often land where a unit helps to attack the fleets that carry them, which makes paradoxes.
    """
    convoying = {code for code in sorted(units) if code in BOARD.seas and dice.random() < 0.6}
    wanted = [*dice.sample(sorted(units), min(len(units), 4)), *sorted(convoying)]
    free = [code for code in units if code not in convoying]
    moves = {code: moving(dice, units[code][1], wanted, convoying) for code in free if dice.random() < 0.55}
    orders: dict[str, Order] = {}
    for code in free:
        unit = units[code][1]
        named, reach = Named(unit.kind, code), BOARD.reach(unit)
        helped = [(helper, move) for helper, move in moves.items() if move.to in reach and helper != code]
        others = sorted(other for other in units if other in reach)
        if code in moves:
            continue
        if helped and dice.random() < 0.8:
            friend, move = dice.choice([pair for pair in helped if pair[1].to in convoying] or helped)
            orders[code] = SupportMove(
                named, Named(units[friend][1].kind, friend), move.to, dice.choice(("", move.coast))
            )
        elif others and dice.random() < 0.7:
            target = dice.choice(others)
            orders[code] = SupportHold(named, Named(units[target][1].kind, target))
        elif dice.random() < 0.5:
            orders[code] = Hold(named)
    against = sorted(code for code, order in orders.items() if isinstance(order, SupportMove) and order.to in convoying)
    for code, move in moves.items():
        if units[code][1].kind == "A" and code in BOARD.coastal:
            seas = joined_seas(code, convoying)
            landings = [
                province
                for province in against
                if any(province in BOARD.sea_coasts[sea] for sea in seas) and province != code
            ]
            if landings and dice.random() < 0.5:
                moves[code] = Move(move.unit, dice.choice(landings), via=dice.random() < 0.5)
    orders |= moves
    sailing = [
        m for m in moves.values() if m.unit.kind == "A" and (m.via or m.to not in BOARD.army_to[m.unit.province])
    ]
    for code in sorted(convoying):
        near = [m for m in sailing if code in joined_seas(m.unit.province, convoying)]
        if near and dice.random() < 0.9:
            move = dice.choice(near)
            orders[code] = Convoy(Named("F", code), move.unit, move.to)
    listed: Orders = []
    for code, (power, _) in units.items():
        if code in orders:
            listed.append((power, orders[code]))
        if dice.random() < nonsense:
            listed.append((dice.choice(POWERS), absurd(dice, units)))
    return listed


def absurd(dice: random.Random, units: Units) -> Order:
    """Any order at all: mostly impossible, sometimes a second order for a unit that has one."""

    def anyone() -> Named:
        code = dice.choice(sorted(units)) if dice.random() < 0.8 else dice.choice(sorted(BOARD.provinces))
        return Named(dice.choice(("A", "F", "")), code, dice.choice(("", "", "NC", "SC")))

    anywhere = dice.choice(sorted(BOARD.provinces))
    coast = dice.choice(("", "", "", "EC"))
    match dice.randrange(5):
        case 0:
            return Hold(anyone())
        case 1:
            return Move(anyone(), anywhere, coast, dice.random() < 0.3)
        case 2:
            return SupportHold(anyone(), anyone())
        case 3:
            return SupportMove(anyone(), anyone(), anywhere, coast)
        case _:
            return Convoy(anyone(), anyone(), anywhere, coast)


# The second opinion ----------------------------------------------------------------------------------------------


@dataclass
class Facts:
    """The legal orders of a turn, sorted by kind; nothing is decided yet."""

    units: Mapping[str, tuple[str, Unit]]
    rules: MovementRules
    moves: dict[str, str] = field(default_factory=dict)
    """Unit -> its ordered destination."""
    coasts: dict[str, str] = field(default_factory=dict)
    """Unit -> the coast of its destination, if any."""
    tried: set[str] = field(default_factory=set)
    """Units with an impossible move."""
    by_sea: set[str] = field(default_factory=set)
    fleets: dict[str, set[str]] = field(default_factory=dict)
    """Army that goes by sea -> fleets ordered to carry it there."""
    helps: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Supporting unit with a matching order -> the unit it supports, and the destination province."""

    def power(self, unit: str) -> str:
        return self.units[unit][0]


def facts_of(units: Units, orders: Orders, outcomes: Sequence[Outcome], rules: MovementRules) -> Facts:
    """Takes from the solver only the legality of orders, and the coast where a fleet lands."""
    facts = Facts(units, rules)
    legal = [
        order
        for (_, order), outcome in zip(orders, outcomes, strict=True)
        if outcome.result is not Result.ILLEGAL and outcome.reason is not Reason.ON_OTHER_COAST
    ]
    for (power, order), outcome in zip(orders, outcomes, strict=True):
        ruled_out = isinstance(order, Move) and order not in legal and outcome.reason is not Reason.ORDERED_TWICE
        if ruled_out and addressed(units, power, order):
            facts.tried.add(order.unit.province)
    for order in legal:
        if isinstance(order, Move):
            facts.moves[order.unit.province] = order.to
            unit = units[order.unit.province][1]
            if unit.kind == "F":
                landings = BOARD.fleet_to[unit.place][order.to]
                coast = [place.partition("/")[2] for place in landings]
                facts.coasts[order.unit.province] = order.coast if order.coast in coast else coast[0]
    convoys = [order for order in legal if isinstance(order, Convoy)]
    for army, goal in facts.moves.items():
        carriers = {c.unit.province for c in convoys if c.target.province == army and c.to == goal}
        if units[army][1].kind == "F":
            continue
        says_via = any(isinstance(o, Move) and o.unit.province == army and o.via for o in legal)
        own = any(facts.power(fleet) == facts.power(army) for fleet in carriers)
        intent = own and rules.adjacent_convoys is AdjacentConvoys.INTENT
        if goal not in BOARD.army_to[army] or says_via or intent:
            facts.by_sea.add(army)
            facts.fleets[army] = carriers
    for order in legal:
        if isinstance(order, SupportHold):
            target = order.target.province
            moved = target in facts.moves
            punished = rules.impossible is Impossible.FAILED_MOVE and target in facts.tried
            if not moved and not punished:
                facts.helps[order.unit.province] = (target, target)
        elif isinstance(order, SupportMove):
            target = order.target.province
            landed = facts.coasts.get(target, "")
            if facts.moves.get(target) == order.to and (not order.coast or not landed or order.coast == landed):
                facts.helps[order.unit.province] = (target, order.to)
    return facts


def chained(start: str, goal: str, fleets: Collection[str]) -> set[str]:
    """The fleets on some chain of different fleets from a coast to another, found by walking every chain."""
    found: set[str] = set()
    chains = [[fleet] for fleet in fleets if start in BOARD.fleet_reach[fleet]]
    while chains:
        chain = chains.pop()
        if goal in BOARD.fleet_reach[chain[-1]]:
            found.update(chain)
        chains += [[*chain, other] for other in fleets if other not in chain and other in BOARD.fleet_reach[chain[-1]]]
    return found


def second_opinion(facts: Facts, done: Mapping[str, bool], disrupted: frozenset[str]) -> dict[str, bool]:
    """The moves that should succeed, if those in `done` are taken as decided (DATC 5.B).

    `disrupted` are armies that a paradox leaves without effect (DATC 4.A.2, Szykman).
    """
    moves, rules = facts.moves, facts.rules

    def dislodged(unit: str) -> bool:
        return not done.get(unit, False) and any(done[other] for other, goal in moves.items() if goal == unit)

    def path(unit: str) -> bool:
        if unit not in facts.by_sea:
            return True
        if unit in disrupted:
            return False
        carriers = facts.fleets[unit]
        afloat = {fleet for fleet in carriers if not dislodged(fleet)}
        if rules.multi_route is MultiRoute.ALL and not chained(unit, moves[unit], carriers) <= afloat:
            return False
        reached: set[str] = set()
        while True:
            more = {
                fleet
                for fleet in afloat - reached
                if unit in BOARD.fleet_reach[fleet] or any(fleet in BOARD.fleet_reach[other] for other in reached)
            }
            if not more:
                return any(moves[unit] in BOARD.fleet_reach[fleet] for fleet in reached)
            reached |= more

    paths = {unit: path(unit) for unit in moves}

    def given(supporter: str) -> bool:
        if dislodged(supporter):
            return False
        into = facts.helps[supporter][1]
        for foe, goal in moves.items():
            if goal != supporter or facts.power(foe) == facts.power(supporter) or not paths[foe]:
                continue
            from_sea = rules.convoyed_attack is ConvoyedAttack.SEA and foe in facts.by_sea
            if foe != into or from_sea:
                return False
        return True

    counted = {supporter: given(supporter) for supporter in facts.helps}

    def supports(unit: str, not_of: str = "") -> int:
        return sum(
            1
            for supporter, (target, _) in facts.helps.items()
            if target == unit and counted[supporter] and facts.power(supporter) != not_of
        )

    def head_on(one: str, two: str) -> bool:
        return moves.get(one) == two and moves.get(two) == one and not {one, two} & facts.by_sea

    def hold(province: str) -> int:
        if province not in facts.units or done.get(province, False):
            return 0
        return 1 if province in moves else 1 + supports(province)

    def attack(unit: str) -> int:
        goal = moves[unit]
        if not paths[unit]:
            return 0
        if goal not in facts.units or (done.get(goal, False) and not head_on(unit, goal)):
            return 1 + supports(unit)
        if facts.power(goal) == facts.power(unit):
            return 0
        return 1 + supports(unit, not_of=facts.power(goal))

    def prevent(unit: str) -> int:
        goal = moves[unit]
        if not paths[unit] or (head_on(unit, goal) and done[goal]):
            return 0
        if rules.disengaged is Disengaged.HARMLESS and moves.get(goal) == unit and done[goal] and not done[unit]:
            return 0
        return 1 + supports(unit)

    def should(unit: str) -> bool:
        goal = moves[unit]
        against = 1 + supports(goal) if head_on(unit, goal) else hold(goal)
        rivals = [prevent(other) for other, to in moves.items() if to == goal and other != unit]
        return attack(unit) > max([against, *rivals])

    return {unit: should(unit) for unit in moves}


def decided(facts: Facts, done: Movement) -> dict[str, bool]:
    return {unit: unit in done.moved for unit in facts.moves}


def paradoxes(orders: Orders, done: Movement) -> frozenset[str]:
    pairs = zip(orders, done.outcomes, strict=True)
    return frozenset(o.unit.province for (_, o), r in pairs if r.reason is Reason.PARADOX and isinstance(o, Move))


# The laws --------------------------------------------------------------------------------------------------------


def addressed(units: Units, power: str, order: Order) -> bool:
    """True if `order` is for an existing unit of the power and names its kind correctly."""
    here = units.get(order.unit.province)
    return here is not None and here[0] == power and order.unit.kind in ("", here[1].kind)


def check_laws(units: Units, orders: Orders, rules: MovementRules) -> Movement:
    """Every invariant of any position with any orders."""
    done = solve(BOARD, units, orders, rules)
    # Every order and every unit without one has exactly one outcome.
    assert len(done.outcomes) == len(orders)
    obeyed = {
        order.unit.province
        for (power, order), outcome in zip(orders, done.outcomes, strict=True)
        if addressed(units, power, order) and outcome.reason is not Reason.ORDERED_TWICE
    }
    assert set(done.unordered) == set(units) - obeyed
    # Nobody is lost and no province holds two units.
    still = [code for code in units if code not in done.moved and code not in done.dislodged]
    after = [*still, *(unit.province for unit in done.moved.values())]
    assert len(after) == len(set(after))
    assert len(after) + len(done.dislodged) == len(units)
    assert not set(done.moved) & set(done.dislodged)
    for start, unit in done.moved.items():
        assert unit.kind == units[start][1].kind
    # No power dislodges its own unit, and every dislodged unit was attacked from the reported province.
    assert set(done.attackers) == set(done.dislodged)
    for code, attacker in done.attackers.items():
        assert units[code][0] != units[attacker][0]
        assert done.moved[attacker].province == code
        assert done.dislodged[code] in (attacker, "")
    assert not done.contested & set(after)
    # The outcomes match the events.
    facts = facts_of(units, orders, done.outcomes, rules)
    now = decided(facts, done)
    for (power, order), outcome in zip(orders, done.outcomes, strict=True):
        code = order.unit.province
        if outcome.result is Result.ILLEGAL:
            continue
        assert units[code][0] == power
        assert bool(outcome.dislodged) == (code in done.dislodged)
        if isinstance(order, Move) and outcome.reason is not Reason.ON_OTHER_COAST:
            assert (outcome.result is Result.SUCCEEDS) == now[code]
        if outcome.result is Result.GIVEN:
            assert code in facts.helps
        if outcome.result is Result.CUT and outcome.reason is Reason.CUT_BY_DISLODGEMENT:
            assert code in done.dislodged
    # A second opinion agrees with every move.
    assert second_opinion(facts, now, paradoxes(orders, done)) == now
    return done


RULES = st.builds(
    MovementRules,
    adjacent_convoys=st.sampled_from(AdjacentConvoys),
    multi_route=st.sampled_from(MultiRoute),
    convoyed_attack=st.sampled_from(ConvoyedAttack),
    disengaged=st.sampled_from(Disengaged),
    coasts=st.sampled_from(Coasts),
    impossible=st.sampled_from(Impossible),
)


@settings(max_examples=MANY or 150, derandomize=not MANY, deadline=None)
@given(st.integers(0, 2**48))
def test_laws_hold_under_the_default_rules(seed: int) -> None:
    dice = random.Random(seed)
    units = crowd(dice)
    orders = orders_for(dice, units)
    done = check_laws(units, orders, MovementRules())
    for reason in {outcome.reason for outcome in done.outcomes}:
        event(reason.value)
    assert any(outcome.result is not Result.ILLEGAL for outcome in done.outcomes)


@settings(max_examples=MANY or 150, derandomize=not MANY, deadline=None)
@given(st.integers(0, 2**48), RULES)
def test_laws_hold_under_any_rules(seed: int, rules: MovementRules) -> None:
    dice = random.Random(seed)
    units = crowd(dice)
    done = check_laws(units, orders_for(dice, units, nonsense=0.2), rules)
    assert done == solve(BOARD, units, orders_for_again(seed, nonsense=0.2), rules)


def orders_for_again(seed: int, nonsense: float) -> Orders:
    """Fresh copies of the orders."""
    dice = random.Random(seed)
    return orders_for(dice, crowd(dice), nonsense)


@settings(max_examples=MANY or 100, derandomize=not MANY, deadline=None)
@given(st.integers(0, 2**48))
def test_laws_hold_for_orders_that_are_all_nonsense(seed: int) -> None:
    dice = random.Random(seed)
    units = crowd(dice)
    orders: Orders = [(dice.choice(POWERS), absurd(dice, units)) for _ in range(60)]
    check_laws(units, orders, MovementRules())
    own: Orders = [(units.get(order.unit.province, ("France",))[0], order) for _, order in orders]
    done = check_laws(units, own, MovementRules())
    assert any(outcome.result is Result.ILLEGAL for outcome in done.outcomes)


@settings(max_examples=MANY or 150, derandomize=not MANY, deadline=None)
@given(st.integers(0, 2**48), RULES)
def test_the_order_of_listing_does_not_matter(seed: int, rules: MovementRules) -> None:
    """Repeated orders are excepted, since the first one listed counts: they have equal meaning."""
    dice = random.Random(seed)
    units = crowd(dice)
    orders = orders_for(dice, units, nonsense=0.03)
    once = solve(BOARD, units, orders, rules)
    places = list(range(len(orders)))
    dice.shuffle(places)
    codes = sorted(units, key=lambda _: dice.random())
    again = solve(BOARD, {code: units[code] for code in codes}, [orders[index] for index in places], rules)
    assert again.moved == once.moved
    assert again.dislodged == once.dislodged
    assert again.attackers == once.attackers
    assert again.contested == once.contested
    assert again.unordered == once.unordered
    # If orders mean the same, with `A` or without, the first one listed counts.
    repeated = Counter((power, order.unit.province) for power, order in orders)
    for index, outcome in zip(places, again.outcomes, strict=True):
        power, order = orders[index]
        if repeated[power, order.unit.province] == 1:
            assert outcome == once.outcomes[index], orders[index]


def test_the_same_order_twice_counts_once_wherever_it_is_listed() -> None:
    units: Units = {"MUN": ("Germany", BOARD.unit("A MUN"))}
    same: Orders = [("Germany", Move(Named("A", "MUN"), "BER"))] * 2
    done = solve(BOARD, units, same)
    assert [outcome.result for outcome in done.outcomes] == [Result.SUCCEEDS, Result.ILLEGAL]
    terse: Orders = [("Germany", Move(Named("A", "MUN"), "BER")), ("Germany", Move(Named("", "MUN"), "BER"))]
    done = solve(BOARD, units, terse)
    assert [outcome.result for outcome in done.outcomes] == [Result.SUCCEEDS, Result.ILLEGAL]
    other: Orders = [*same, ("Germany", Hold(Named("A", "MUN")))]
    for listed in itertools.permutations(other):
        done = solve(BOARD, units, listed)
        assert done.moved == {}, listed
        assert {outcome.reason for outcome in done.outcomes} == {Reason.ORDERED_TWICE}, listed


@pytest.mark.slow
def test_two_thousand_positions_contain_every_kind_of_conflict() -> None:
    dice = random.Random(1901)
    seen: Counter[str] = Counter()
    for _ in range(2000):
        units = crowd(dice)
        done = check_laws(units, orders_for(dice, units), MovementRules())
        seen.update({outcome.reason.value for outcome in done.outcomes})
        seen["beleaguered"] += any(
            o.reason is Reason.WITHSTOOD and o.against > o.strength for o in (*done.outcomes, *done.unordered.values())
        )
    print(dict(sorted(seen.items())))
    for reason in (
        Reason.PARADOX,
        Reason.CIRCULAR,
        Reason.CUT_BY_ATTACK,
        Reason.CUT_BY_DISLODGEMENT,
        Reason.HEAD_TO_HEAD,
        Reason.CONVOY_BROKEN,
        Reason.CONVOYED,
        Reason.OWN_UNIT,
        Reason.FOLLOWED,
        Reason.STANDOFF,
    ):
        assert seen[reason.value] >= 10, reason
    assert seen["beleaguered"] >= 10


def every_answer(facts: Facts) -> list[dict[str, bool]]:
    """All consistent ways to decide the moves."""
    movers = sorted(facts.moves)
    guesses = []
    for flags in itertools.product((False, True), repeat=len(movers)):
        guess = dict(zip(movers, flags, strict=True))
        if second_opinion(facts, guess, frozenset()) == guess:
            guesses.append(guess)
    return guesses


def pushing(dice: random.Random, units: Units) -> Orders:
    """Up to eight units, each moving to another's place: rings and long rows."""
    orders: Orders = []
    for code, (power, unit) in list(units.items()):
        goals_here = [goal for goal in goals(unit) if goal in units]
        if goals_here and len(orders) < 8:
            goal = dice.choice(goals_here)
            coast = dice.choice(BOARD.fleet_to[unit.place][goal]).partition("/")[2] if unit.kind == "F" else ""
            orders.append((power, Move(Named(unit.kind, code), goal, coast)))
    return orders


@pytest.mark.slow
def test_small_positions_get_the_only_consistent_answer() -> None:
    """If only one answer is consistent, it is ours; if several are, a ring moves on (DATC 5.B, 6.C)."""
    dice = random.Random(1971)
    kinds: Counter[str] = Counter()
    for _ in range(400):
        units = crowd(dice, 7, 12)
        orders = pushing(dice, units) if kinds.total() % 3 == 0 else orders_for(dice, units, nonsense=0)
        done = solve(BOARD, units, orders)
        facts = facts_of(units, orders, done.outcomes, MovementRules())
        if len(facts.moves) > 8:
            kinds["left out"] += 1
            continue
        answers = every_answer(facts)
        ours = decided(facts, done)
        if paradoxes(orders, done):
            kinds["paradox"] += 1
            assert len(answers) != 1, "one answer alone is no paradox"
        elif len(answers) == 1:
            kinds["one"] += 1
            assert ours == answers[0]
        else:
            kinds["several"] += 1
            assert ours in answers
            assert all(sum(ours.values()) >= sum(other.values()) for other in answers)
    assert kinds["one"] > 200
    assert kinds["several"] >= 1


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_rings_of_every_size_move_on(size: int) -> None:
    ring = {3: "ANK CON SMY", 4: "BER MUN SIL PRU", 5: "BOH GAL BUD VIE TYR", 6: "MUN BOH SIL PRU BER KIE"}[
        size
    ].split()
    if size == 5:
        ring = ["BOH", "GAL", "BUD", "TRI", "TYR"]
    assert len(ring) == size
    units: Units = {code: (POWERS[i % 3], BOARD.unit(f"A {code}")) for i, code in enumerate(ring)}
    orders: Orders = [
        (units[code][0], Move(Named("A", code), ring[(index + 1) % size])) for index, code in enumerate(ring)
    ]
    done = check_laws(units, orders, MovementRules())
    assert {outcome.reason for outcome in done.outcomes} == {Reason.CIRCULAR}
