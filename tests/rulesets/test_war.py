"""The war as values, for games built on it: outcomes by order, powers without a seat, units that stay, steps between."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudicator.core.contract.ruleset import find
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.codec import decode, encode
from adjudicator.core.text.yamltext import Text
from adjudicator.mechanics.movement import Hold, Move, Named, Reason
from adjudicator.mechanics.notation import Fault
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.diplomacy import war
from adjudicator.rulesets.diplomacy.rules import RULE_OF

RULES = find("diplomacy").rules
START = diplomacy.starting_position(diplomacy.Settings())


def commands(position: diplomacy.Position, **lines: str) -> list[diplomacy.Command]:
    """Orders by power, as `A Vienna - Trieste; F Trieste H`."""
    field = diplomacy.field_of(position)
    given: list[diplomacy.Command] = []
    for power, text in lines.items():
        for line in text.split("; "):
            order = field.notation.read(line)
            assert not isinstance(order, Fault), line
            given.append((power, order))
    return given


def at(*, fall: bool = False, others: tuple[str, ...] = (), **units: str) -> diplomacy.Position:
    """A position with these units, as `A Vienna; F Trieste`, and nothing else."""
    own = {power: tuple(units[power].split("; ")) if power in units else () for power in (*START.units, *others)}
    season = diplomacy.Season.FALL if fall else diplomacy.Season.SPRING
    return replace(START, units=own, season=season, others=others)


def test_outcomes_come_in_the_order_of_the_orders_and_say_where_units_are_now() -> None:
    position = at(Austria="A Vienna; A Budapest", Italy="A Trieste; A Venice")
    orders = commands(
        position,
        Austria="A Vienna - Trieste; A Budapest S A Vienna - Trieste",
        Italy="A Trieste H; Build A Rome; A Venice - Rome",
    )
    judged = diplomacy.judge(position, orders)
    assert [(given.power, given.order) for given in judged.judged] == orders
    reasons = [given.outcome.reason if given.outcome else None for given in judged.judged]
    assert reasons == [Reason.STRONGER, Reason.SUPPORTED, Reason.DISLODGED, None, Reason.UNOPPOSED]
    board = judged.start.board
    assert judged.became == {("Austria", "VIE"): board.unit("A TRI"), ("Italy", "VEN"): board.unit("A ROM")}
    assert judged.dislodged == {"TRI": "VIE"}
    assert judged.now("Italy", board.unit("A TRI")) == board.unit("A TRI"), "it must retreat, and is not gone yet"
    assert judged.now("Austria", board.unit("A BUD")) == board.unit("A BUD")
    assert judged.after is not None
    assert judged.after.phase is diplomacy.Phase.RETREATS
    printed = diplomacy.verdicts_on(judged.start, judged.judged)
    assert [verdict.order for verdict in printed][3:] == ["Build A Rome", "A Venice - Rome"]
    assert [verdict.reason for verdict in printed][3] == "not-now"


def test_judging_orders_gives_the_same_turn_as_judging_sheets_with_them() -> None:
    """The ruleset itself is one of the games built on the war."""
    lines = {"Austria": ("A Vienna - Trieste", "F Trieste - Albania"), "Italy": ("A Venice - Trieste",)}
    sheets = {power: diplomacy.Sheet(orders=orders) for power, orders in lines.items()}
    done = RULES.resolve(START, sheets, GivenDice({}))
    field = diplomacy.field_of(START)
    orders = [(power, field.notation.read(line)) for power, given in lines.items() for line in given]
    judged = diplomacy.judge(START, orders)  # type: ignore[arg-type]  # these can be read
    assert judged.after == done.position
    printed = diplomacy.verdicts_on(judged.start, (*judged.judged, *judged.implied))
    assert sorted(map(encode_key, printed)) == sorted(map(encode_key, done.verdicts))


def encode_key(verdict: object) -> str:
    return repr(encode(verdict))


# Powers without a seat ----------------------------------------------------------------------------------------------


def test_powers_that_nobody_leads_hold_can_be_beaten_and_owe_nothing() -> None:
    position = at(others=("Swiss", "Saxons"), Austria="A Tyrolia; A Vienna", Swiss="A Bohemia", Saxons="A Silesia")
    assert decode(diplomacy.Position, Text("", encode(position), {})) == position
    assert RULES.due(position) == {"Austria"}
    assert [fault.what for fault in RULES.faults(position)] == []
    orders = commands(position, Austria="A Tyrolia - Bohemia; A Vienna S A Tyrolia - Bohemia")
    judged = diplomacy.judge(position, orders)
    assert [(given.power, given.implied) for given in judged.implied] == [("Swiss", True), ("Saxons", True)]
    assert judged.dislodged == {"BOH": "TYR"}
    assert judged.after is not None
    assert judged.after.units["Saxons"] == ("A Silesia",)
    assert [lost.power for lost in judged.after.dislodged] == ["Swiss"]
    assert RULES.due(judged.after) == frozenset(), "nobody retreats for the Swiss: the turn is judged at once"
    done = RULES.resolve(judged.after, {}, GivenDice({}))
    assert "Swiss" not in done.position.units
    assert done.position.phase is diplomacy.Phase.MOVEMENT


def test_a_game_built_on_the_war_can_order_units_that_nobody_leads() -> None:
    position = at(others=("Swiss",), Swiss="A Bohemia", Austria="A Tyrolia; A Vienna")
    judged = diplomacy.judge(
        position, commands(position, Swiss="A Bohemia S A Tyrolia - Munich", Austria="A Tyrolia - Munich")
    )
    assert [given.outcome.reason for given in judged.judged if given.outcome] == [Reason.SUPPORTED, Reason.UNOPPOSED]
    assert judged.after is not None
    assert judged.after.units["Swiss"] == ("A Bohemia",)


def test_powers_that_nobody_leads_take_centres_only_if_the_game_lets_them_and_do_not_vote() -> None:
    position = at(fall=True, others=("Swiss",), Swiss="A Munich", Austria="A Tyrolia")
    judged = war.begin(position)
    war.carry_out(judged)
    war.take_centres(judged, but=frozenset({"MUN"}))
    assert judged.field.owners["MUN"] == "Germany"
    war.take_centres(judged)
    assert judged.field.owners["MUN"] == "Swiss"
    alive = [power for power in START.units if START.centres[power]]
    sheets = {power: diplomacy.Sheet(draw=True) for power in alive}
    done = RULES.resolve(position, sheets, GivenDice({}))
    assert done.ended is not None
    assert (done.ended.how, set(done.ended.winners)) == ("draw", set(alive))


def test_powers_may_come_and_go_in_a_position() -> None:
    position = at(Austria="A Vienna")
    with pytest.raises(Exception, match="'Swiss' is not a power on this board"):
        diplomacy.field_of(replace(position, units={**position.units, "Swiss": ("A Bohemia",)}))
    come = replace(position, units={**position.units, "Swiss": ("A Bohemia",)}, others=("Swiss",))
    assert diplomacy.field_of(come).powers[-1] == "Swiss"
    gone = diplomacy.judge(replace(come, units=position.units), [])
    assert gone.after is not None
    assert "Swiss" not in gone.after.units


# Units that never leave their place ---------------------------------------------------------------------------------


def test_units_that_never_leave_make_sorties_close_provinces_and_are_destroyed() -> None:
    position = at(others=("Swiss",), Swiss="A Bohemia", Austria="A Tyrolia; A Vienna", Italy="A Venice")
    orders = commands(position, Swiss="A Bohemia - Munich")
    judged = diplomacy.judge(position, orders, stationary=frozenset({"BOH"}))
    assert [given.outcome.reason for given in judged.judged if given.outcome] == [Reason.SORTIE]
    assert judged.contested == {"MUN"}
    with pytest.raises(KeyError):
        diplomacy.verdicts_on(judged.start, judged.judged)
    (printed,) = diplomacy.verdicts_on(judged.start, judged.judged, {**RULE_OF, Reason.SORTIE: "XX-E-3"})
    assert (printed.reason, printed.rule, printed.ok) == ("sortie", "XX-E-3", False)
    assert (
        diplomacy.tell(position, printed) == "A Bohemia - Munich bounced: a unit like this one never leaves its place."
    )
    beaten = commands(position, Austria="A Tyrolia - Bohemia; A Vienna S A Tyrolia - Bohemia")
    judged = diplomacy.judge(position, beaten, stationary=frozenset({"BOH"}))
    assert judged.became["Swiss", "BOH"] is None
    assert [type(event).__name__ for event in judged.events] == ["Destroyed", "Eliminated"]


# A step between -----------------------------------------------------------------------------------------------------


def test_a_game_can_put_its_own_step_between_retreats_and_winter() -> None:
    """A census after the retreats of a fall gives an army to each power without one, before anybody builds or removes."""
    position = replace(
        at(fall=True, Austria="A Vienna", Italy="A Venice"),
        phase=diplomacy.Phase.RETREATS,
        dislodged=(diplomacy.DislodgedUnit(power="Austria", unit="A Trieste", attacked_from="Venice"),),
    )
    judged = war.begin(position)
    judged.orders = [("Austria", Move(Named("A", "TRI"), "ALB"))]
    seen: list[str] = []

    def census(judged: diplomacy.War) -> None:
        seen.extend(sorted(power for power, _ in judged.field.units.values()))
        judged.field.units["KIE"] = ("Germany", judged.field.board.unit("A KIE"))

    for step in (war.carry_out, war.take_centres, census, war.name_the_eliminated, war.turn_the_page):
        step(judged)
    assert seen == ["Austria", "Austria", "Italy"]
    assert judged.after is not None
    assert judged.after.phase is diplomacy.Phase.ADJUSTMENTS
    assert judged.after.units["Germany"] == ("A Kiel",)
    assert judged.position == position, "what it began with is left alone"


def test_an_order_for_another_kind_of_turn_has_no_outcome() -> None:
    judged = diplomacy.judge(START, [("Austria", Hold(Named("A", "VIE")))])
    assert [given.outcome is not None for given in judged.judged] == [True]
    winter = replace(START, phase=diplomacy.Phase.ADJUSTMENTS, season=diplomacy.Season.WINTER, others=("Swiss",))
    judged = diplomacy.judge(winter, [("Swiss", Hold(Named("A", "VIE")))])
    assert [given.outcome for given in judged.judged] == [None]


@pytest.mark.parametrize("phase", diplomacy.Phase)
def test_powers_without_a_seat_are_drawn_and_counted(phase: diplomacy.Phase) -> None:
    units = {**START.units, "Swiss": ("A Bohemia",)}
    position = replace(
        START, phase=phase, others=("Swiss",), units=units, centres={**START.centres, "Swiss": ("Belgium",)}
    )
    assert list(RULES.faults(position)) == []
    pictures = find("diplomacy").pictures
    drawn = pictures.paint(pictures.draw(position, None))
    assert "Swiss: A Bohemia" in drawn
    assert "Swiss, 1 supply centres: A Bohemia." in drawn
    assert "supply centre of Swiss" in drawn


def test_powers_that_nobody_leads_need_names_that_differ() -> None:
    position = replace(START, others=("Austria", "", "Swiss", "Swiss"))
    assert [(fault.place, fault.what) for fault in RULES.faults(position)] == [
        (("others", 0), "'Austria' is already a power"),
        (("others", 1), "a power that no player leads has no name"),
        (("others", 3), "'Swiss' is already a power"),
    ]
    many = replace(START, others=tuple(f"Canton {number}" for number in range(18)))
    assert [fault.what for fault in RULES.faults(many)] == ["there would be 25 powers"]


def test_a_convoyed_army_cuts_a_support_for_an_attack_that_fails_either_way() -> None:
    """ST-7, DP-C-8: the rulebook's sentence would leave it uncut, as DP-C-8 admits; no unit ends up elsewhere because of it."""
    position = at(
        France="A Holland; F North Sea; F English Channel",
        England="F London; F Norwegian Sea",
        Germany="F Heligoland Bight",
    )
    orders = commands(
        position,
        France="A Holland - London; F North Sea C A Holland - London; F English Channel S A Holland - London",
        England="F London S F Norwegian Sea - North Sea; F Norwegian Sea - North Sea",
        Germany="F Heligoland Bight S F North Sea",
    )
    given = diplomacy.judge(position, orders).judged
    assert [one.outcome.reason if one.outcome else None for one in given] == [
        Reason.STRONGER, Reason.CONVOYED, Reason.SUPPORTED, Reason.CUT_BY_ATTACK, Reason.BOUNCED, Reason.SUPPORTED,
    ]  # fmt: skip
    book = (find("diplomacy").folder / "RULES.md").read_text(encoding="utf-8")
    rule = " ".join(book.partition("**DP-C-8.**")[2].partition("\n\n")[0].split())
    assert "The two part where that attack fails either way" in rule
