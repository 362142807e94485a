"""Noblesse battles: the worked examples to the number, the readings that they tell apart, small vectors, and laws."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.rulesets.noblesse.battle import (
    ATTACK_AT,
    STILL,
    VALUES,
    Dealt,
    Fight,
    Round,
    Side,
    Strength,
    battle,
    damage,
    fight,
    net_attack,
)
from adjudicator.rulesets.noblesse.scenario import Company, tables
from tests.conftest import examples

F = Strength(attack=4, melee=8, charge=4, ranged=4, toughness=1, morale=46)
P = Strength(attack=1, melee=6, pike=6, ranged=6, toughness=2, morale=31)


def fight_out(
    army: Strength,
    other: Strength,
    morale: tuple[int, int] | None = None,
    safe: tuple[bool, bool] = (False, False),
) -> Fight:
    return fight(("F", "P"), (army, other), morale, safe)


def losses(stage: Round) -> tuple[dict[str, int], dict[str, int]]:
    """Losses of attacker and defender in a stage, by kind; kinds without any damage are left out."""
    first, second = stage.suffered
    return {total.kind: total.loss for total in first}, {total.kind: total.loss for total in second}


def work_again(army: Strength, other: Strength, reading: str = "ours") -> tuple[int, tuple[int, int]]:
    """A second, independent calculation of one fight, with the readings that were not chosen: rounds and Morale left."""
    sides, left, counts, still, number = (army, other), [army.morale, other.morale], [0, 0], 0, 0
    net = [max(1, sides[me].attack - sides[1 - me].malus) for me in (0, 1)]

    def lost(me: int, totals: list[int]) -> int:
        tough = sides[me].toughness
        if reading == "one toughness a round":
            return max(0, sum(totals) - tough)
        return sum(max(0, total - tough) for total in totals)

    before = [lost(me, [sides[1 - me].ambush]) for me in (0, 1)]
    left = [left[me] - before[me] for me in (0, 1)]
    while min(left) > 0 and still < 6:
        number += 1
        totals: list[list[int]] = [[], []]
        counts = [counts[me] + net[me] for me in (0, 1)]
        strikes = [count >= 6 for count in counts]
        for me in (0, 1):
            foe = 1 - me
            if strikes[me]:
                totals[foe] += [sides[me].melee, sides[me].charge * (counts[me] - 6)]
                if not (reading == "pike silent" and strikes[foe]):
                    totals[me].append(sides[foe].pike)
                counts[me] = 0
            else:
                totals[foe].append(sides[me].ranged)
        hurt = [lost(me, totals[me]) for me in (0, 1)]
        left[1] -= hurt[1]
        if not (reading == "first strikes first" and left[1] <= 0):
            left[0] -= hurt[0]
        still = 0 if any(hurt) else still + 1
    return number, (left[0], left[1])


# Worked example 1 -------------------------------------------------------------------------------------------------


def test_the_totals_of_example_1_come_from_its_companies() -> None:
    """NB-CH-1, NB-B-14, NB-B-15, NB-B-16: sums over all companies; tiers 65 for 10 Manpower and 37 for 6."""
    brigade = (
        [Company(slot="flank", attack=1, charge=2, melee=1, morale=4)] * 2
        + [Company(slot="centre", melee=1, morale=6)] * 4
        + [Company(slot="centre", melee=2, toughness=1, morale=6)]
        + [Company(slot="reserve", ranged=2, morale=4)] * 2
    )
    officer = Company(slot="officer", attack=1)
    garrison = (
        [Company(slot="reserve", ranged=2, morale=1)] * 3
        + [Company(slot="centre", pike=2, morale=3)] * 3
        + [Company(slot="centre", melee=3, toughness=1, morale=2)] * 2
    )
    assert [company.tier for company in brigade] == [8, 8, 7, 7, 7, 7, 9, 6, 6]
    assert [company.tier for company in (officer, *garrison)] == [1, 3, 3, 3, 5, 5, 5, 6, 6]
    led = sum((company.strength for company in brigade), Strength(attack=2))
    held = sum((company.strength for company in garrison), officer.strength)
    assert (led, held) == (F, replace(P, morale=16))
    assert held + Strength(morale=15) == P
    prices = {name: form.price for name, form in tables().formations.items()}
    assert prices["brigade"] + -(-sum(company.tier for company in brigade) // 10) == 10
    assert prices["garrison"] + -(-sum(company.tier for company in (officer, *garrison)) // 10) == 6


EXAMPLE_1 = (
    (1, (4, 1), {"ranged": 2}, {"ranged": 5}, (41, 29)),
    (2, (8, 2), {"melee": 6, "charge": 6}, {"ranged": 5, "pike": 5}, (31, 17)),
    (3, (4, 3), {"ranged": 2}, {"ranged": 5}, (26, 15)),
    (4, (8, 4), {"melee": 6, "charge": 6}, {"ranged": 5, "pike": 5}, (16, 3)),
    (5, (4, 5), {"ranged": 2}, {"ranged": 5}, (11, 1)),
    (6, (8, 6), {"melee": 6, "charge": 6}, {"melee": 5, "pike": 5}, (1, -11)),
)


def test_example_1_comes_out_right_round_by_round() -> None:
    """Section 3.4; NB-CH-2, NB-CH-3, NB-CH-5, NB-CH-6."""
    done = fight_out(F, P)
    assert done.net == (4, 1)
    assert done.start == (46, 31)
    rounds = [(stage.number, stage.counts, losses(stage)[1], losses(stage)[0], stage.morale) for stage in done.rounds]
    assert rounds == list(EXAMPLE_1)
    assert [stage.attacks for stage in done.rounds] == [
        (False, False), (True, False), (False, False), (True, False), (False, False), (True, True),
    ]  # fmt: skip
    assert (done.how, done.winner, done.left) == ("won", "F", (1, -11))
    assert damage(done, 0) == {"ranged": 25, "pike": 15, "melee": 5}
    assert damage(done, 1) == {"ranged": 6, "melee": 18, "charge": 18}


@pytest.mark.parametrize(
    ("reading", "rounds", "left"),
    [("ours", 6, 1), ("pike silent", 6, 6), ("one toughness a round", 4, 14), ("first strikes first", 6, 11)],
)
def test_example_1_distinguishes_the_possible_readings(reading: str, rounds: int, left: int) -> None:
    """NB-CH-5 (pike answers while its side attacks), NB-CH-2 (toughness off each type), NB-CH-3 (both at once)."""
    number, morale = work_again(F, P, reading)
    assert (number, morale[0]) == (rounds, left)
    done = fight_out(F, P)
    assert ((len(done.rounds), done.left) == (number, morale)) == (reading == "ours")


def test_example_1_comes_out_differently_without_the_arsenal() -> None:
    """Section 3.4: the Garrison is at exactly 0 in round 3, and 0 is lost."""
    done = fight_out(F, replace(P, morale=16))
    assert [stage.morale for stage in done.rounds] == [(41, 14), (31, 2), (26, 0)]
    assert (done.how, done.winner) == ("won", "F")


# Worked example 2 -------------------------------------------------------------------------------------------------

ALLIANCE = Strength(attack=7, melee=10, charge=3, ambush=6, toughness=2, morale=30)
TCK = Strength(attack=2, malus=1, melee=5, ranged=4, toughness=1, morale=20)
PAPE = Strength(attack=3, melee=8, pike=5, toughness=3, morale=24)
THREE = [Side("Alliance", ALLIANCE), Side("TCK", TCK), Side("Pape", PAPE)]


def test_example_2_has_three_sides_and_carried_morale() -> None:
    """Section 3.5; NB-D7: the winner goes on with the Morale they have left, and ambush is dealt again."""
    first, second = battle(THREE, lambda side, other: True)
    assert (first.sides, first.net, first.start) == (("Alliance", "TCK"), (6, 2), (30, 20))
    rounds = [(stage.number, stage.counts, losses(stage)[1], losses(stage)[0], stage.morale) for stage in first.rounds]
    assert rounds == [
        (0, (0, 0), {"ambush": 5}, {}, (30, 15)),
        (1, (6, 2), {"melee": 9}, {"ranged": 2}, (28, 6)),
        (2, (6, 4), {"melee": 9}, {"ranged": 2}, (26, -3)),
    ]
    assert (first.how, first.winner) == ("won", "Alliance")
    assert (second.sides, second.net, second.start) == (("Alliance", "Pape"), (7, 3), (26, 24))
    rounds = [(stage.number, stage.counts, losses(stage)[1], losses(stage)[0], stage.morale) for stage in second.rounds]
    assert rounds == [
        (0, (0, 0), {"ambush": 3}, {}, (26, 21)),
        (1, (7, 3), {"melee": 7, "charge": 0}, {"pike": 3}, (23, 14)),
        (2, (7, 6), {"melee": 7, "charge": 0}, {"pike": 3, "melee": 6}, (14, 7)),
        (3, (7, 3), {"melee": 7, "charge": 0}, {"pike": 3}, (11, 0)),
    ]
    assert (second.how, second.winner, second.left) == ("won", "Alliance", (11, 0))


def test_example_2_comes_out_differently_without_its_first_fight() -> None:
    """Section 3.5: a fresh Alliance would keep 15."""
    assert fight(("Alliance", "Pape"), (ALLIANCE, PAPE)).left == (15, 0)


def test_sides_fight_in_order_and_only_those_they_must() -> None:
    """NB-3.2: the first side that must fight attacks the first possible enemy; each pair meets once; sides at peace do not."""
    names = [bout.sides for bout in battle(THREE, lambda side, other: {side, other} != {"Alliance", "TCK"})]
    assert names == [("Alliance", "Pape")]
    assert battle(THREE, lambda side, other: False) == ()
    still = [Side(name, Strength(attack=1, melee=1, toughness=1, morale=9)) for name in "abc"]
    done = battle(still, lambda side, other: True)
    assert [bout.sides for bout in done] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [bout.how for bout in done] == ["stand-off"] * 3


def test_when_two_sides_fall_at_once_the_third_meets_nobody() -> None:
    """NB-CH-4: both reach 0 at the same moment and are lost; the third side meets nobody."""
    like = Strength(attack=6, melee=10, morale=10)
    done = battle([Side("a", like), Side("b", like), Side("c", TCK)], lambda side, other: True)
    assert [(bout.sides, bout.how, bout.winner, bout.left) for bout in done] == [
        (("a", "b"), "both-lost", None, (0, 0))
    ]


# The net attack table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "used", "rounds", "count", "worth"),
    [
        (-3, 1, 6, 6, 0), (0, 1, 6, 6, 0), (1, 1, 6, 6, 0), (2, 2, 3, 6, 0), (3, 3, 2, 6, 0), (4, 4, 2, 8, 2),
        (5, 5, 2, 10, 4), (6, 6, 1, 6, 0), (7, 7, 1, 7, 1), (8, 8, 1, 8, 2), (9, 9, 1, 9, 3), (12, 12, 1, 12, 6),
    ],
)  # fmt: skip
def test_the_net_attack_table_is_as_printed(before: int, used: int, rounds: int, count: int, worth: int) -> None:
    """Section 3.3's table; NB-CH-6: the part over 6 is worth charge, and then is lost."""
    attack, malus = max(before, 0) + 3, max(before, 0) + 3 - before
    assert net_attack(attack, malus) == used
    army = Strength(attack=attack, charge=1, melee=1, morale=99)
    done = fight_out(army, Strength(attack=0, malus=malus, morale=99))
    first, second = [stage for stage in done.rounds if stage.attacks[0]][:2]
    assert (first.number, second.number - first.number) == (rounds, rounds)
    assert first.counts[0] == second.counts[0] == count >= ATTACK_AT
    assert losses(first)[1].get("charge", 0) == worth


# Small vectors ------------------------------------------------------------------------------------------------------

AMBUSHER = Strength(attack=1, ambush=12, morale=5)
AMBUSHED = Strength(attack=9, melee=50, toughness=2, morale=10)


def test_an_ambush_can_decide_a_battle_before_the_first_round() -> None:
    """Section 3.6: no round is played."""
    done = fight_out(AMBUSHER, AMBUSHED)
    assert [(stage.number, stage.morale) for stage in done.rounds] == [(0, (5, 0))]
    assert (done.how, done.winner, done.left) == ("won", "F", (5, 0))


def test_no_ambush_harms_a_side_behind_a_star_fortress() -> None:
    """Section 3.6; NB-G-5: behind it no ambush harms, and the ambusher is ridden down."""
    done = fight_out(AMBUSHER, AMBUSHED, safe=(False, True))
    assert [(stage.number, stage.morale) for stage in done.rounds] == [(0, (5, 10)), (1, (-45, 10))]
    assert (done.how, done.winner, done.left) == ("won", "P", (-45, 10))


def test_both_sides_can_fall_at_once() -> None:
    """Section 3.6; NB-CH-4."""
    done = fight_out(Strength(attack=6, melee=10, morale=10), Strength(attack=6, melee=10, morale=8))
    assert [stage.morale for stage in done.rounds] == [(0, -2)]
    assert (done.how, done.winner) == ("both-lost", None)


def test_six_rounds_without_a_loss_are_a_stand_off() -> None:
    """Section 3.6; NB-CH-7: after six rounds without a loss nothing can change."""
    army = Strength(attack=2, melee=5, toughness=6, morale=9)
    done = fight_out(army, Strength(attack=1, melee=6, ranged=3, toughness=5, morale=12))
    assert [stage.number for stage in done.rounds] == [1, 2, 3, 4, 5, 6]
    assert (done.how, done.winner, done.left) == ("stand-off", None, (9, 12))


def test_a_malus_never_stops_an_attack_for_good() -> None:
    """Section 3.6: a malus never stops an attack for good."""
    done = fight_out(Strength(attack=2, melee=20, morale=30), Strength(attack=1, malus=5, ranged=3, morale=20))
    assert done.net == (1, 1)
    assert [stage.morale for stage in done.rounds] == [(27, 20), (24, 20), (21, 20), (18, 20), (15, 20), (15, 0)]
    assert (done.how, done.winner, done.left) == ("won", "F", (15, 0))


def test_a_fight_with_carried_morale_starts_from_it() -> None:
    """NB-D7."""
    done = fight_out(F, P, (3, 31))
    assert (done.start, done.how, done.winner, done.left) == ((3, 31), "won", "P", (-2, 29))


# Laws ---------------------------------------------------------------------------------------------------------------

small = st.integers(0, 15)
strengths = st.builds(
    Strength, attack=small, malus=small, melee=small, charge=small, pike=small, ranged=small, ambush=small,
    toughness=st.integers(0, 9), morale=st.integers(0, 60),
)  # fmt: skip
LAWS = examples(250)


@given(strengths, strengths, st.booleans(), st.booleans())
@LAWS
def test_a_fight_ends_and_every_round_adds_up(army: Strength, other: Strength, first: bool, second: bool) -> None:
    """NB-3.3: it always ends; Morale never rises; no damage below 0; one total per kind, less the toughness of each (NB-CH-2)."""
    done = fight_out(army, other, safe=(first, second))
    assert len(done.rounds) <= 1 + STILL * (army.morale + other.morale + 1)
    last = done.start
    for stage in done.rounds:
        for me, side in enumerate((army, other)):
            kinds = [dealt.kind for dealt in stage.suffered[me]]
            assert len(kinds) == len(set(kinds))
            assert all(
                dealt == Dealt(kind=dealt.kind, dealt=dealt.dealt, loss=max(0, dealt.dealt - side.toughness))
                for dealt in stage.suffered[me]
            )
            assert stage.morale[me] == last[me] - sum(dealt.loss for dealt in stage.suffered[me]) <= last[me]
        last = stage.morale
    assert done.left == last
    ends = {(True, True): "stand-off", (True, False): "won", (False, True): "won", (False, False): "both-lost"}
    assert done.how == ends[done.left[0] > 0, done.left[1] > 0]
    assert (done.winner is None) == (done.how != "won")


@given(strengths, strengths)
@LAWS
def test_a_fight_is_the_same_from_either_side(army: Strength, other: Strength) -> None:
    """NB-CH-3, NB-CH-8: attacker and defender are only names, and equal strengths lead to equal fights."""
    there = fight(("a", "b"), (army, other))
    back = fight(("b", "a"), (other, army))
    assert there == fight(("a", "b"), (army, other))
    assert (there.how, there.winner, there.left, there.net) == (
        back.how, back.winner, back.left[::-1], back.net[::-1],
    )  # fmt: skip
    for here, mirrored in zip(there.rounds, back.rounds, strict=True):
        assert here.morale == mirrored.morale[::-1]
        assert [sorted(map(str, side)) for side in here.suffered] == [
            sorted(map(str, side)) for side in mirrored.suffered[::-1]
        ]


@given(strengths, strengths)
@LAWS
def test_a_second_calculation_agrees(army: Strength, other: Strength) -> None:
    """NB-3.3, calculated twice."""
    done = fight_out(army, other)
    rounds = [stage for stage in done.rounds if stage.number > 0]
    assert (len(rounds), done.left) == work_again(army, other)


@pytest.mark.slow
@given(st.lists(strengths, min_size=2, max_size=5), st.data())
@LAWS
def test_in_battles_of_many_sides_each_pair_of_enemies_meets_at_most_once(
    many: list[Strength], data: st.DataObject
) -> None:
    """NB-3.2: only enemies meet, once at most, with the Morale they have left; two enemies who both have some at the end had a `stand-off`."""
    sides = [Side(str(number), strength) for number, strength in enumerate(many)]
    pairs = [frozenset(pair) for pair in combinations([side.name for side in sides], 2)]
    foes = data.draw(st.sets(st.sampled_from(pairs)))
    fights = battle(sides, lambda side, other: frozenset((side, other)) in foes)
    met = [frozenset(bout.sides) for bout in fights]
    assert len(met) == len(set(met))
    assert set(met) <= foes
    morale = {side.name: side.strength.morale for side in sides}
    for bout in fights:
        assert bout.start == (morale[bout.sides[0]], morale[bout.sides[1]])
        assert min(bout.start) > 0
        morale[bout.sides[0]], morale[bout.sides[1]] = bout.left
    for pair in foes:
        if all(morale[name] > 0 for name in pair):
            assert [bout.how for bout in fights if frozenset(bout.sides) == pair] == ["stand-off"]


@given(strengths, strengths)
@LAWS
def test_strengths_add_up(strength: Strength, other: Strength) -> None:
    """NB-CH-1: a side's strength is the sum of its parts."""
    assert all(getattr(strength + other, name) == getattr(strength, name) + getattr(other, name) for name in VALUES)
