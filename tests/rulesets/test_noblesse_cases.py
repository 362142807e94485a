"""Noblesse's worked examples, its data files, and the rules that are about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from adjudicator.core.dice import NamedDice
from adjudicator.core.problems import Problems
from adjudicator.rulesets.noblesse import RULESET, prose
from adjudicator.rulesets.noblesse.examples import Case, case_files, cast, position_of, sheets_of
from adjudicator.rulesets.noblesse.night import resolve_night, supreme
from adjudicator.rulesets.noblesse.orders import Order, Sheet, Unreadable, reader_of
from adjudicator.rulesets.noblesse.position import Heir, Holding, Phase, Unit
from adjudicator.rulesets.noblesse.resolve import resolve
from adjudicator.rulesets.noblesse.scenario import DATA, load_scenario, scenario_named, tables
from adjudicator.rulesets.noblesse.world import NOBODY, World

DICE = NamedDice(b"examples")
FARNA = scenario_named("farna")


def cases() -> Iterator[tuple[str, Case]]:
    for stem, file in case_files().items():
        for case in file.cases:
            yield f"{stem}/{case.id}", case


CASES = dict(cases())


@pytest.mark.parametrize("name", CASES)
def test_a_worked_example_comes_out_whole(name: str) -> None:
    case = CASES[name]
    position = position_of(case)
    done = resolve(position, sheets_of(case), DICE)
    assert [(v.seat, v.order, v.result, v.reason, v.rule) for v in done.verdicts] == [
        (v.seat, v.order, v.result, v.reason, v.rule) for v in case.verdicts
    ]
    assert [prose.tell(position, event) for event in done.events] == list(case.events)
    after, expected = done.position, case.after
    units = {unit: one.at for unit, one in after.units.items()}
    assert units == (expected.units if expected.units is not None else {u: one.at for u, one in position.units.items()})
    held = {at: one.by for at, one in after.estates.items() if one.by is not None and one.by not in after.players}
    before = {
        at: one.by for at, one in position.estates.items() if one.by is not None and one.by not in position.players
    }
    assert held == (expected.control if expected.control is not None else before)
    stocks = {seat: one.stock for seat, one in after.players.items() if one.stock}
    had = {seat: one.stock for seat, one in position.players.items() if one.stock}
    assert stocks == (expected.stocks if expected.stocks is not None else had)
    assert [seat for seat, one in after.players.items() if not one.alive] == list(expected.dead or ())
    assert (done.ended.how if done.ended else None) == case.ended


def test_the_rulebook_is_told_with_them() -> None:
    assert [one.id for one in RULESET.examples()] == list(CASES)


# Data files --------------------------------------------------------------------------------------------------------


def test_formations_are_the_rulebooks() -> None:
    """NB-B-1, NB-B-2, NB-B-3, NB-B-4, NB-B-8."""
    found = {
        name: (one.price, one.officer, one.flank, one.centre, one.reserve, one.moves)
        for name, one in tables().formations.items()
    }
    assert found == {
        "regiment": (2, 1, 2, 3, 0, True),
        "brigade": (3, 1, 2, 5, 2, True),
        "division": (4, 1, 4, 7, 2, True),
        "garrison": (2, 1, 0, 5, 3, False),
    }


def test_a_tier_is_the_sum_of_all_values() -> None:
    """NB-B-13, NB-B-14."""
    assert {name: one.tier for name, one in FARNA.companies.items()} == {
        "Sergeant": 1, "Captain": 3, "Colonel": 5, "Light Horse": 5, "Lancers": 6, "Vanguard": 6, "Outriders": 4,
        "Harassers": 4, "Militia": 3, "Men-at-arms": 6, "Pikes": 5, "Halberds": 6, "Heavy Foot": 6, "Crossbows": 3,
        "Longbows": 4, "Sappers": 4, "Levy Office": 2, "Notaries": 2, "Tithe Barn": 2,
    }  # fmt: skip
    assert all(role.company.tier <= 8 for role in FARNA.roles.values())


def test_incomes_are_by_the_rule_of_the_scenario() -> None:
    for row in range(10):
        for column in range(10):
            points = {1: 5, 3: 4, 5: 3, 7: 2, 9: 2}[max(abs(2 * row - 9), abs(2 * column - 9))]
            main = (row + 2 * column) % 3
            amounts = [0, 0, 0]
            amounts[main] = -(-points // 2)
            amounts[(main + 1) % 3] = points // 2
            assert FARNA.incomes[f"{'ABCDEFGHIJ'[row]}{column + 1}"] == tuple(amounts)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("prizes: [E5,", "prizes: [Z5,", "farna.yaml:9:10: 'Z5' is no estate of this board; A1 to J10"),
        ("{slot: centre, pike: 2, morale: 3}", "{slot: centre, pike: 9, morale: 3}", "its tier is 12"),
        ("formation: division", "formation: legion", "no formation is called 'legion'"),
        ("companies: [Captain, 2 Vanguard, 3 Pikes]", "companies: [Captain, 3 Vanguard, 2 Pikes]", "a regiment is not filled so"),
        ("companies: [Captain, 2 Vanguard, 3 Pikes]", "companies: [Captain, 2 Vangard, 3 Pikes]", "no company is called 'Vangard'; did you mean 'Vanguard'?"),
        ("Legate Ambrosio: {faction: Pape,", "Legate Ambrosio: {faction: Papes,", "no faction is called 'Papes'"),
        ("Rue, Tansy]", "Rue, Rue]", "two players have one name"),
        ("Rue, Tansy]", "Rue]", "11 players for 12 roles"),
        ("A1: [1, 1, 0]", "A1: [1, 9, 0]", "more than 5 of a resource"),
        ("start: [A1, C3]", "start: [A1, A2]", "there is not a square for every role"),
        ("council: {morale: 5}", "council: {moral: 5}", "no value is called 'moral'; did you mean 'morale'?"),
    ],
)  # fmt: skip
def test_a_hosts_own_scenario_is_checked_with_its_lines(old: str, new: str, fault: str) -> None:
    source = (DATA / "farna.yaml").read_text(encoding="utf-8")
    assert source.count(old) >= 1
    with pytest.raises(Problems) as caught:
        load_scenario(source.replace(old, new, 1).encode(), "farna.yaml")
    assert any(fault in str(one) and one.line for one in caught.value.problems), caught.value.problems


# Orders ------------------------------------------------------------------------------------------------------------


def test_votes_are_lines_like_all_orders() -> None:
    """NB-W-2, NB-W-3."""
    reader = reader_of("farna")
    for text, line in (("vote rue", "Vote Rue"), ("VOTE NIGHT", "Vote night")):
        order = reader.read(text)
        assert isinstance(order, Order)
        assert order.line == line
    assert isinstance(reader.read("vote nobody"), Unreadable)


def test_nobody_votes_by_night() -> None:
    """NB-W-7, NB-Y-6."""
    done = resolve_night(cast(), {"Anise": Sheet(orders=("Vote Rue",))}, DICE)
    assert [(one.result, one.reason) for one in done.verdicts] == [("illegal", "not-now")]


def test_who_sends_nothing_is_counted() -> None:
    """NB-W-9, NB-P-18: how many Nights in a row a player sent nothing; what follows is for the host to rule."""
    once = resolve_night(cast(), {"Anise": Sheet()}, DICE).position
    twice = resolve_night(replace(once, phase=Phase.NIGHT), {"Anise": Sheet()}, DICE).position
    assert {seat: player.missed for seat, player in twice.players.items()} == {
        seat: 0 if seat == "Anise" else 2 for seat in twice.players
    }


# Supremacy and neutral units -----------------------------------------------------------------------------------------


def test_supremacy_counts_heirs_on_both_sides() -> None:
    """NB-V-5, NB-V-6, NB-V-7: four of Pape's side against three others, until an Heir of both is counted for both."""
    position = cast()
    alive = {"Anise", "Basil", "Borage", "Caraway", "Chervil", "Dill"}
    players = {seat: replace(player, alive=seat in alive) for seat, player in position.players.items()}

    def wins(**heirs: Heir) -> set[str]:
        some = {seat: replace(players[seat], heir=heir) for seat, heir in heirs.items()}
        work = World(replace(position, players={**players, **some}), {}, DICE)
        return {faction for faction in work.factions if supreme(work, faction)}

    assert wins() == set()
    assert wins(Anise=Heir(other="TCK")) == {"Pape"}
    assert wins(Anise=Heir(other="Fleurs")) == {"Pape", "Fleurs"}
    assert wins(Anise=Heir(other="Fleurs", hostage="Caraway")) == {"Fleurs"}


def test_neutral_units_fight_everybody_and_stay() -> None:
    """NB-E-17: they defend an uncontrolled estate, last of all, and while they stand no Steward takes it."""
    guard = Unit(
        owner=NOBODY,
        formation="regiment",
        at="E5",
        companies=("Militia",) * 5,
        leader="company",
        name="Sergeant",
        recruited=0,
    )
    army = Unit(
        owner="Anise",
        formation="brigade",
        at="E4",
        companies=("Men-at-arms",) * 9,
        leader="company",
        name="Colonel",
        recruited=0,
    )
    weak = replace(army, companies=("Militia",))
    for unit, by in ((army, "Pape"), (weak, None)):
        position = replace(cast(), units={"U1": guard, "U101": unit})
        done = resolve_night(position, {"Anise": Sheet(orders=("Move U101 to E5", "Steward at E5"))}, DICE)
        assert done.position.estates.get("E5", Holding()).by == by
        assert set(done.position.units) == ({"U101"} if by else {"U1"})
        (rumour,) = (event for event in done.events if event.event == "rumour")
        assert rumour.sides == ("Pape", "neutral units")
    source = (DATA / "farna.yaml").read_text(encoding="utf-8")
    more = "neutrals: {E5: {formation: garrison, companies: [Captain, 5 Pikes, 3 Crossbows]}}\nroles:"
    scenario = load_scenario(source.replace("roles:", more, 1).encode(), "ours.yaml")
    assert list(scenario.neutrals) == ["E5"]
