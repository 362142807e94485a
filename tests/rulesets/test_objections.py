"""Why an order is not legal: the table that the desk reads, held against what the judge says of thousands of orders (DP-O, DP-R, DP-W)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from adjudicator.core.contract.objections import Objections, objection_to
from adjudicator.core.game.archive import Archive
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, Reason, SupportHold, SupportMove
from adjudicator.mechanics.movement.solver import NOWHERE
from adjudicator.mechanics.notation import AnyOrder, Build, Disband, Waive
from adjudicator.mechanics.provinces import BuildSites
from adjudicator.rulesets import al_andalus, diplomacy
from adjudicator.rulesets.diplomacy.objections import MOVEMENT, RETREATS, objections
from adjudicator.rulesets.diplomacy.options import _faults, legal_lines
from adjudicator.rulesets.diplomacy.position import Field, Phase, Position, field_of
from adjudicator.rulesets.diplomacy.prose import IMPOSSIBLE
from tests.conftest import FUZZ

GAMES = ("first-lessons", "austria-alone", "six-left-standing", "france-by-one")
ORDERS = 250 if FUZZ else 100
"""Orders that each power is asked in each position."""
UNSAID = (
    IMPOSSIBLE[Reason.COAST_NEEDED],
    IMPOSSIBLE[Reason.WRONG_COAST],
    IMPOSSIBLE[Reason.ON_OTHER_COAST],
    "it must name a coast that it can reach",
)
"""How the reasons begin that no table tells."""
BY_SHEET = ("all builds were used by the orders before it", "enough units were removed by the orders before it")


def archived_positions(root: Path) -> Iterator[Position]:
    """A few positions of every phase of archived games."""
    archive = Archive(root)
    for slug in GAMES:
        game = load_game(archive, slug)
        names = archive.turns(slug)
        for name in names[:: max(1, len(names) // 12)]:
            yield load_turn(archive, game, name).data.position


def any_order(random: Random, field: Field) -> AnyOrder:
    """An order that may be nonsense, more often about units that there are, and places near them."""
    board = field.board
    known = list(field.dislodged) if field.dislodged and random.random() < 0.7 else list(field.units)
    codes = list(board.provinces)

    def place(near: str) -> str:
        beside = [code for code, steps in board.distances([near]).items() if steps == 1]
        return random.choice(beside or codes) if random.random() < 0.6 else random.choice(codes)

    def unit() -> Named:
        code = random.choice(known) if random.random() < 0.85 else random.choice(codes)
        kind = random.choice(["A", "F"]) if random.random() < 0.25 else ""
        coasts = board.provinces[code].coasts
        return Named(kind, code, random.choice(coasts) if coasts and random.random() < 0.2 else "")

    def coast(code: str) -> str:
        coasts = board.provinces[code].coasts
        return random.choice(coasts) if coasts and random.random() < 0.5 else ""

    mine, other = unit(), unit()
    goal = place(mine.province)
    aimed = goal if random.random() < 0.6 else place(other.province)
    orders: list[AnyOrder] = [
        Hold(mine), Move(mine, goal, coast(goal)), Move(mine, goal, "", via=True), SupportHold(mine, other),
        SupportMove(mine, other, aimed, coast(aimed)), Convoy(mine, other, random.choice([aimed, aimed, other.province])), Build(replace(mine, kind=mine.kind or "F")),
        Disband(mine), Waive(),
    ]  # fmt: skip
    return random.choice(orders)


def compare(table: Objections, position: Position, power: str, orders: Sequence[AnyOrder], said: Counter[str]) -> None:
    """Checks that the table says of each order what the judge says, or nothing where it is named that it does not."""
    field = field_of(position)
    listed = {line for _, line in legal_lines(position, power)}
    for order in orders:
        line = field.notation.write(order, field.names())
        ((illegal, reason),) = _faults(field, position, power, [(0, order)], NOWHERE, position.settings.sites)
        if line in listed:
            continue
        told = objection_to(table, power, line)
        if told is None:
            coasts = "/" in line or reason.startswith(UNSAID)  # named among what the desk does not look for
            assert not illegal or coasts or reason in BY_SHEET, (line, reason)
            said["unsaid" if illegal else "legal, unlisted"] += 1
        elif told == "":
            assert not illegal, (line, reason)
        else:
            assert illegal, (line, told)
            assert told == reason, line
            said[reason.split(" ")[-1]] += 1


def test_the_table_says_what_the_judge_says(root: Path) -> None:
    random, said, phases = Random(15), Counter[str](), Counter[Phase]()
    for position in archived_positions(root):
        table, field = objections(position), field_of(position)
        phases[position.phase] += 1
        for power in field.board.powers:
            compare(table, position, power, [any_order(random, field) for _ in range(ORDERS)], said)
    assert {*phases} == {*Phase}
    assert said.total() > 80 * ORDERS
    assert said["unsaid"] < said.total() / 20


def test_that_a_place_is_taken_is_said_of_fleets_before_its_coasts(root: Path) -> None:
    """Also where a coast is not named: the judge says so too."""
    told = Counter[str]()
    for position in archived_positions(root):
        table, field = objections(position), field_of(position)
        for code, (power, unit, _) in field.dislodged.items() if position.phase is Phase.RETREATS else ():
            for goal in field.board.reach(unit) if unit.kind == "F" else ():
                if field.board.provinces[goal].coasts:
                    order = Move(Named("F", code), goal, "")
                    compare(table, position, power, [order], Counter())
                    told[objection_to(table, power, field.notation.write(order, field.names())) or ""] += 1
    assert told["the province is occupied"] > 0


@pytest.mark.parametrize("sites", [BuildSites.HOMES, BuildSites.OWNED])
def test_winter_tells_by_the_games_own_building_rule(root: Path, sites: BuildSites) -> None:
    """DP-W: where the setting lets units be built elsewhere."""
    random, said = Random(16), Counter[str]()
    for position in archived_positions(root):
        if position.phase is not Phase.ADJUSTMENTS:
            continue
        changed = replace(position, settings=replace(position.settings, build_sites=sites))
        field = field_of(changed)
        for power in field.board.powers:
            compare(objections(changed), changed, power, [any_order(random, field) for _ in range(60)], said)
    assert said.total() > 1000


@pytest.mark.long
def test_every_objection_is_met_by_some_order(root: Path) -> None:
    """None of the list stands there in vain; those for one-way borders are met on a board that has them."""
    random, met = Random(17), set[str]()
    for position in archived_positions(root):
        table, field = objections(position), field_of(position)
        for power in field.board.powers:
            for _ in range(120):
                line = field.notation.write(any_order(random, field), field.names())
                for count in range(1, len(table.table) + 1):
                    if objection_to(replace(table, table=table.table[:count]), power, line) is not None:
                        met.add(repr(table.table[count - 1]))
                        break
    never = [
        repr(one) for one in (*MOVEMENT, *RETREATS) if one.what and "other way" not in one.what and repr(one) not in met
    ]
    assert never == []


def test_a_wazirs_order_is_for_their_princes_units() -> None:
    """AA-C-1."""
    setup = al_andalus.RULESET.rules.setup
    position = replace(setup(al_andalus.RULESET.types.settings(), None), courts={"First Wazir": "Seville"})  # type: ignore[arg-type]
    assert al_andalus.RULESET.desk.objections is not None
    table = al_andalus.RULESET.desk.objections(position)
    own = position.war.units["Seville"][0]
    other = position.war.units["Granada"][0]
    assert objection_to(table, "First Wazir", f"{other} H") == f"the unit in {other[2:]} belongs to Granada"
    assert objection_to(table, "First Wazir", f"{own} - {own[2:]}") == "a unit cannot go where it already is"
    assert objection_to(table, "Granada", f"{own} H") == f"the unit in {own[2:]} belongs to Seville"
    assert table.unsaid[-2:] == al_andalus.options.UNSAID
    assert diplomacy.RULESET.desk.objections is objections
