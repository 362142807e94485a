"""Laws of the shortcuts that make rehearsals fast: a quick answer equals the slow one."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.contract.lines import BLANK, Blank, Lines, fill_form, pattern
from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.beside import beside_from
from adjudicator.core.game.game import house_rules
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.yamltext import Text
from adjudicator.mechanics.boards import own_board
from adjudicator.mechanics.movement import Convoy, Hold, Move, Named, Reason, SupportHold, SupportMove, solve, step
from adjudicator.mechanics.movement.convoys import across, are_connected, lanes, on_route
from adjudicator.mechanics.notation import AnyOrder, Fault
from adjudicator.mechanics.provinces import Board, BuildSites, Unit
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.diplomacy.options import check, legal_orders
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import (
    Phase,
    Position,
    Season,
    Settings,
    board_said,
    centre_texts,
    field_from,
    starting_position,
    unit_texts,
)
from adjudicator.rulesets.diplomacy.worth import FALL, SPRING
from adjudicator.rulesets.noblesse.events import Earned
from adjudicator.rulesets.noblesse.position import Courtier
from adjudicator.rulesets.noblesse.work import Work
from adjudicator.rulesets.noblesse.worth import worth as noblesse_worth
from tests.boards import rules_on
from tests.conftest import examples
from tests.mechanics.test_solver_laws import BOARD, POWERS, Units, crowd, orders_for
from tests.rulesets.noblesse_world import FORMS_OF_FARNA

LAW = examples(40)
SEEDS = st.integers(0, 2**48)
SEAS = st.sets(st.sampled_from(sorted(BOARD.seas)))
COASTS = st.sampled_from(sorted(BOARD.coastal))


def crowded_position(units: Units) -> Position:
    """A turn of moves with these units on the board."""
    return replace(starting_position(Settings()), units=unit_texts(BOARD, units))


# Convoys ------------------------------------------------------------------------------------------------------------


def chains(start: str, seas: set[str]) -> Iterator[tuple[str, ...]]:
    """Every chain of different seas that begins at a coast."""
    waiting: list[tuple[str, ...]] = [(sea,) for sea in sorted(seas) if start in BOARD.sea_coasts[sea]]
    while waiting:
        chain = waiting.pop()
        yield chain
        waiting.extend((*chain, sea) for sea in sorted(BOARD.sea_next[chain[-1]] & seas) if sea not in chain)


def has_short_cut(chain: tuple[str, ...], start: str, goal: str) -> bool:
    """True if a chain could leave out one of its seas."""
    return (
        any(start in BOARD.sea_coasts[sea] for sea in chain[1:])
        or any(goal in BOARD.sea_coasts[sea] for sea in chain[:-1])
        or any(later in BOARD.sea_next[sea] for at, sea in enumerate(chain) for later in chain[at + 2 :])
    )


@LAW
@given(SEAS)
def test_crossings_match_connected_for_each_pair(seas: set[str]) -> None:
    crossings, lane_of = across(BOARD, seas), lanes(BOARD, seas)
    for start in sorted(BOARD.coastal):
        goals = {goal for goal in BOARD.coastal if are_connected(BOARD, start, goal, seas)}
        assert crossings.get(start, frozenset()) == goals
    assert set(lane_of) == seas
    for sea, (takes, lands) in lane_of.items():
        (start, *_) = sorted(BOARD.sea_coasts[sea])
        assert BOARD.sea_coasts[sea] <= takes
        assert takes == lands
        assert lands <= crossings[start]


@LAW
@given(st.sampled_from(["two_rivers", "rapids"]), st.data())
def test_crossings_respect_one_way_borders_and_do_not_land_on_their_own_fleets(name: str, data: st.DataObject) -> None:
    """On boards with one-way borders, and with coasts that convoy."""
    board = rules_on(name).ground if name == "rapids" else diplomacy.board_named(name)
    seas = data.draw(st.sets(st.sampled_from(sorted(board.waters))))
    crossings, lane_of = across(board, seas), lanes(board, seas)
    for start in sorted(board.coastal):
        goals = {goal for goal in board.coastal if are_connected(board, start, goal, seas)}
        assert crossings.get(start, frozenset()) == goals
        for goal in sorted(goals):
            assert any(start in takes and goal in lands for takes, lands in lane_of.values())
            carriers = {fleet for fleet in sorted(seas) if on_route(board, start, goal, seas, fleet, direct=False)}
            assert carriers
            assert not are_connected(board, start, goal, seas - carriers)


@LAW
@given(st.sets(st.sampled_from(sorted(BOARD.seas)), max_size=9), COASTS, COASTS)
def test_a_fleet_is_on_a_route_if_some_chain_has_it(seas: set[str], start: str, goal: str) -> None:
    arriving = [chain for chain in chains(start, seas) if goal in BOARD.sea_coasts[chain[-1]]]
    for fleet in sorted(BOARD.seas):
        routes = [chain for chain in arriving if fleet in chain]
        direct = [chain for chain in routes if not has_short_cut(chain, start, goal)]
        assert on_route(BOARD, start, goal, seas, fleet, direct=False) == bool(routes)
        assert on_route(BOARD, start, goal, seas, fleet, direct=True) == bool(direct)
        if routes:
            takes, lands = lanes(BOARD, seas)[fleet]
            assert start in takes
            assert goal in lands


def lake(pairs: list[tuple[int, int]]) -> Board:
    """A board of seas with these borders, coasts beside the first and the second, and a lonely sea beside the third."""
    seas = [f"S{first}{second}" for first in "ABCDEFGHIJKL" for second in "ABCDEFGHIJKL"]
    used = seas[: 1 + max(map(max, pairs))]
    borders = [f"{seas[start]} {seas[goal]}" for start, goal in pairs]
    text = (
        "name: lake\ntitle: Lake\nstarts: 1\nvictory: 2\nprovinces:\n"
        + "".join(f"  {sea}: {{name: Water {sea}, kind: sea}}\n" for sea in [*used, "LONE"])
        + "  ONE: {name: Aland, kind: coast, centre: true, home: Red}\n  TWO: {name: Bland, kind: coast, centre: true, home: Blue}\n"
        + f"borders: {{fleet: [{', '.join([*borders, f'{seas[0]} ONE', f'{seas[1]} TWO', f'{seas[2]} LONE'])}]}}\n"
        + "powers: {Red: {adjective: Red, units: [A ONE]}, Blue: {adjective: Blue, units: [A TWO]}}\n"
    )
    return own_board("lake.yaml", lambda name: (text.encode(), name), {})


def test_fleets_in_a_cluster_are_judged_at_once() -> None:
    """FB-6, DP-C-9: thirty seas that all border, or a hundred in rows, have more chains than can be tried one by one."""
    clusters = lake(list(itertools.combinations(range(30), 2)))
    for direct in (False, True):
        assert not on_route(clusters, "ONE", "TWO", clusters.seas, "LONE", direct=direct)
    assert on_route(clusters, "ONE", "TWO", clusters.seas, "SCC", direct=False)
    assert not on_route(clusters, "ONE", "TWO", clusters.seas, "SCC", direct=True)
    rows = [(at, at + 1) for at in range(100) if at % 10 < 9] + [(at, at + 10) for at in range(90)]
    field = lake(rows)
    assert on_route(field, "ONE", "TWO", field.seas, "SIC", direct=False)
    assert not on_route(field, "ONE", "TWO", field.seas, "LONE", direct=False)
    assert on_route(field, "ONE", "TWO", field.seas, "SIC", direct=True)  # more than can be tried


def test_no_route_leads_over_a_fleet_where_the_army_lands() -> None:
    """FB-9, DP-C-11: Sippar's fleet convoys, but nothing to Sippar; and the only way to the Lower Euphrates is through it."""
    board = diplomacy.board_named("two_rivers")
    for fleet in ("SIP", "LEU"):
        assert on_route(board, "ASH", "URU", {"SIP", "LEU"}, fleet, direct=False)
        assert not on_route(board, "ASH", "SIP", {"SIP", "LEU"}, fleet, direct=False)


@pytest.mark.parametrize("group", ["fleet", "both"])
def test_a_fleet_with_no_way_on_except_through_used_seas_is_on_no_route(group: str) -> None:
    """FB-9, DP-G-9: AAA - BBB - CCC - FFF comes to that fleet, and every way on from it goes over BBB or CCC again.

    With borders that go both ways there is always another way round, so that a quick answer would do.
    """
    kind = "kind: sea" if group == "fleet" else "kind: coast, convoys: true"
    text = (
        "name: mill\ntitle: Mill\nstarts: 1\nvictory: 2\nprovinces:\n"
        + "".join(f"  {code}: {{name: Water {code}, {kind}}}\n" for code in ("AAA", "BBB", "CCC", "FFF", "GGG"))
        + "  ONE: {name: Aland, kind: coast, centre: true, home: Red}\n  TWO: {name: Bland, kind: coast, centre: true, home: Blue}\n"
        + "borders:\n  fleet: [AAA ONE, GGG TWO]\n"
        + f"  one_way: {{{group}: [AAA BBB, BBB CCC, CCC FFF, FFF BBB, FFF CCC, BBB GGG, CCC GGG]}}\n"
        + "powers: {Red: {adjective: Red, units: [A ONE]}, Blue: {adjective: Blue, units: [A TWO]}}\n"
    )
    mill = own_board("mill.yaml", lambda name: (text.encode(), name), {})
    on = {fleet for fleet in mill.waters if on_route(mill, "ONE", "TWO", mill.waters, fleet, direct=False)}
    assert on == {"AAA", "BBB", "CCC", "GGG"}


# Legal orders and checks --------------------------------------------------------------------------------------------


def asked_one_by_one(units: Units, province: str, unit: Unit) -> Iterator[AnyOrder]:
    """The legal orders of a unit, with each pair of places checked separately."""
    fleets = frozenset(code for code in units if code in BOARD.seas)
    named, reach = Named(unit.kind, province), BOARD.reach(unit)
    yield Hold(named)
    tos = [(to,) for to in BOARD.army_to[province]] if unit.kind == "A" else BOARD.fleet_to[unit.place].values()
    for place in sorted(place for places in tos for place in places):
        to, _, coast = place.partition("/")
        yield Move(named, to, coast)
    for goal in sorted(BOARD.coastal - {province}):
        if unit.kind == "A" and are_connected(BOARD, province, goal, fleets):
            yield Move(named, goal, via=True)
    for there, (_, other) in sorted(units.items()):
        if there == province:
            continue
        target = Named(other.kind, there)
        if there in reach:
            yield SupportHold(named, target)
        for goal in sorted(reach - {there}):
            walks = not isinstance(step(BOARD, other, goal, ""), Reason)
            sails = other.kind == "F" and goal in BOARD.fleet_reach[other.place]
            ferried = other.kind == "A" and are_connected(BOARD, there, goal, fleets - {province})
            if walks or sails or (ferried and goal in BOARD.coastal):
                yield SupportMove(named, target, goal)
        if unit.kind == "F" and province in BOARD.seas and other.kind == "A":
            for goal in sorted(BOARD.coastal - {there}):
                near = goal in BOARD.army_to[there]
                if on_route(BOARD, there, goal, fleets, province, direct=near):
                    yield Convoy(named, target, goal)


@examples(5)
@given(SEEDS)
def test_legal_orders_match_those_found_pair_by_pair(seed: int) -> None:
    units = crowd(random.Random(seed))
    position = crowded_position(units)
    field = diplomacy.field_of(position)
    for power in POWERS:
        long_way = [
            order
            for province, (whose, unit) in sorted(units.items())
            if whose == power
            for order in asked_one_by_one(units, province, unit)
        ]
        assert list(legal_orders(field, position, power)) == long_way


@LAW
@given(SEEDS)
def test_check_and_the_solver_agree_on_single_orders(seed: int) -> None:
    dice = random.Random(seed)
    units = crowd(dice)
    position = crowded_position(units)
    field, orders = diplomacy.field_of(position), orders_for(dice, units, nonsense=0.3)
    for power in POWERS:
        lines = tuple(field.notation.write(order) for whose, order in orders if whose == power)
        read = [order for line in lines if not isinstance(order := field.notation.read(line), Fault)]
        moves = [(power, order) for order in read if isinstance(order, diplomacy.Movement)]
        outcomes = solve(BOARD, field.units, moves, position.settings.movement).outcomes
        bad = sum(outcome.result.value == "illegal" or outcome.reason is Reason.ON_OTHER_COAST for outcome in outcomes)
        errors = [remark for remark in check(position, power, Sheet(orders=lines)) if remark.level == "error"]
        assert len(errors) == bad + len(lines) - len(moves)


# The worth of an order ----------------------------------------------------------------------------------------------


def at_some_time(dice: random.Random) -> Position:
    """A crowded board in any season; each centre belongs to the power that has a unit there."""
    units = crowd(dice)
    centres = {code: whose for code, (whose, _) in units.items() if BOARD.provinces[code].centre}
    season, phase = dice.choice(
        ((Season.SPRING, Phase.MOVEMENT), (Season.FALL, Phase.MOVEMENT), (Season.WINTER, Phase.ADJUSTMENTS))
    )
    return replace(crowded_position(units), season=season, phase=phase, centres=centre_texts(BOARD, centres))


@LAW
@given(SEEDS)
def test_the_value_that_an_order_adds_depends_only_on_orders_that_name_its_provinces(seed: int) -> None:
    """A plan that has valued all lines before each order was added values them like a plan that sees the sheet for the first time."""
    dice = random.Random(seed)
    position, chance = at_some_time(dice), chance_of("0", str(seed))
    power = dice.choice(POWERS)
    plan = diplomacy.Plan(position, power, chance)
    every = [line for _, line in diplomacy.legal_lines(position, power)]
    shown = dice.sample(every, min(len(every), 60))
    lines: tuple[str, ...] = ()
    for _ in range(6):
        fresh = diplomacy.Plan(position, power, chance)
        assert [plan.worth(lines, line) for line in shown] == [fresh.worth(lines, line) for line in shown]
        assert plan.count_acting(lines) == sum(fresh.acts(line) for line in lines)
        # The next order is usually one that is worth something now; sometimes the sheet is another one.
        good = [line for line in every if plan.worth(lines, line)]
        lines = (*(lines if dice.random() < 0.9 else lines[1:]), dice.choice(good or every or ["A Paris H"]))


@LAW
@given(SEEDS)
def test_a_place_has_the_same_worth_by_itself_and_among_all_places(seed: int) -> None:
    dice = random.Random(seed)
    position, chance = at_some_time(dice), chance_of("0", str(seed))
    power = dice.choice(POWERS)
    plan = diplomacy.Plan(position, power, chance)
    reach = Counter(
        (to, whose) for here, (whose, unit) in plan.field.units.items() for to in (here, *BOARD.reach(unit))
    )
    weights = SPRING if position.season is Season.SPRING else FALL
    for kind, near in plan.near.items():
        ring = {place: plan._prize(place.partition("/")[0]) * 1000 for place in near}
        total = dict.fromkeys(near, 0)
        for weight in weights:
            total = {place: total[place] + weight * ring[place] for place in near}
            ring = {place: (ring[place] + sum(ring[to] for to in tos)) // 5 for place, tos in near.items()}
        for place in near:
            to = place.partition("/")[0]
            friends, rivals = reach[to, power], max(reach[to, other] for other in POWERS if other != power)
            noise = 85 + chance(f"{power}:{kind} {place}", 31)
            worth = total[place] * (3 + min(friends, 4)) * noise // ((3 + min(rivals, 4)) * 100_000) + 1
            assert plan.value(kind, place) == worth
        for province in BOARD.provinces:
            coasts = [plan.value(kind, place) for place in near if place.partition("/")[0] == province]
            assert plan.value(kind, province) == max(coasts, default=1)


# Use of field_from --------------------------------------------------------------------------------------------------


@LAW
@given(SEEDS)
def test_nothing_changes_the_cached_board(seed: int) -> None:
    dice = random.Random(seed)
    units = crowd(dice)
    position = crowded_position(units)
    field = diplomacy.field_of(position)
    assert diplomacy.field_of(crowded_position(units)) is field
    diplomacy.judge(position, orders_for(dice, units))
    assert field == field_from.__wrapped__(board_said(position))


@LAW
@given(SEEDS)
def test_cached_lines_are_those_of_the_requested_position(seed: int) -> None:
    """Each season, power and position keeps its own lines, however many others were requested in between."""
    dice = random.Random(seed)
    start, power = at_some_time(dice), dice.choice(POWERS)
    every = tuple(BOARD.provinces[code].name for code in BOARD.centres)
    winter = replace(start, season=Season.WINTER, phase=Phase.ADJUSTMENTS, centres={power: every})
    others = (
        replace(start, season=Season.SPRING, phase=Phase.MOVEMENT),
        replace(start, units={**start.units, power: ()}),
        winter,
        replace(winter, settings=replace(start.settings, build_sites=BuildSites.OWNED)),
        replace(winter, centres={power: every[:30]}),
    )
    for position in (start, *others, start):
        field = diplomacy.field_of(position)
        told = [(order, field.notation.write(order, field.names())) for order in legal_orders(field, position, power)]
        assert list(diplomacy.legal_lines(position, power)) == told


# Noblesse -----------------------------------------------------------------------------------------------------------

SETTINGS = house_rules(find("noblesse"), Text("settings", {}, {}), beside_from({}))[0]
SCENARIO = SETTINGS.board
WORDS = st.sampled_from(
    ["Move", "MOVE", "mov\u0117", "Mo\u017fe", "\u212anife", "Fie\u0142d", "Lead.", "U101", "to", "at", "B2", "B3,", "with", "Field", "surgeon", "surgeon.", "Vote", "night"]
)  # fmt: skip


@LAW
@given(st.lists(WORDS, min_size=1, max_size=6))
def test_a_line_fits_no_form_that_begins_with_another_word(words: list[str]) -> None:
    line, every = " ".join(words), FORMS_OF_FARNA.forms[""]
    near = FORMS_OF_FARNA._beginning_as(line)
    assert near == tuple(form for form in FORMS_OF_FARNA.closest if form in near)
    for form in every:
        if form not in near:
            assert FORMS_OF_FARNA.fit(pattern(form), line) is None
            assert FORMS_OF_FARNA.fit(pattern(form), line.rstrip(".;")) is None


def test_forms_that_begin_with_a_blank_or_are_one_word_stay_open_to_any_line() -> None:
    forms = ("{unit} holds", "Pass", "Möve {unit}", "Move {unit}", "Move {unit} to {estate}")
    lines = Lines({"": forms}, {"unit": Blank(), "estate": Blank()})
    assert sorted(lines._beginning_as("move U3")) == sorted(forms)
    assert sorted(lines._beginning_as("Pass.")) == sorted(forms[:3])
    assert sorted(lines._beginning_as("MÖVE U3")) == sorted(forms)


@pytest.mark.parametrize("form", FORMS_OF_FARNA.forms[""])
def test_a_form_is_filled_blank_by_blank(form: str) -> None:
    args = {name: f"<{name}>" for name in BLANK.findall(form)}
    assert fill_form(form, args) == BLANK.sub(lambda blank: args[blank[1]], form)


@LAW
@given(st.text(max_size=30), st.integers(1, 1000))
def test_a_chance_depends_on_seed_turn_and_name(name: str, sides: int) -> None:
    chance = chance_of("seed", "7")
    for asked in (name, "", name):
        whole = hashlib.blake2b(f"stand-in/v1|seed|7|{asked}".encode(), digest_size=8).digest()
        assert chance(asked, sides) == int.from_bytes(whole, "big") % sides


@pytest.mark.slow
def test_a_mind_that_has_seen_other_sheets_gives_the_same_values_as_a_fresh_one() -> None:
    """On each sheet on the way to a stand-in's final one, every option is worth as much as to a fresh mind."""
    rules, dice, several = find("noblesse"), random.Random(3), 0
    position = rules.rules.setup(SETTINGS, NamedDice(b"minds"))
    for number in range(1, 6):
        chance = chance_of("minds", str(number))
        sheets = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        for seat in dice.sample(sorted(sheets), 4):
            view = rules.view(position, seat)
            options, mind = list(rules.rules.options(view, seat)), noblesse_worth(view, seat, chance)
            whole = sheets[seat]
            ways = [replace(whole, orders=whole.orders[:count]) for count in range(len(whole.orders) + 1)]
            for sheet in (*ways, ways[0], ways[-1]):
                fresh = noblesse_worth(view, seat, chance)
                assert [mind(sheet, option) for option in options] == [fresh(sheet, option) for option in options]
                # A mind that values a single option has learnt nothing from others.
                for option in dice.sample(options, min(len(options), 12)):
                    assert mind(sheet, option) == noblesse_worth(view, seat, chance)(sheet, option)
            several += len(ways) > 2
        position = rules.rules.resolve(position, sheets, NamedDice(b"minds %d" % number)).position
    assert several >= 5


def every_estate(world: Work, post: str) -> dict[str, list[tuple[str, Courtier]]]:
    """Courtiers at a post, for every estate, including those without any."""
    return {at: [] for at in SCENARIO.estates} | dict(POSTED_AT(world, post))


POSTED_AT = Work.posted_at


@pytest.mark.slow
def test_an_estate_without_a_collector_yields_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Income looks only at estates with a Tax Collector, a Steward or a Noble: no other estate would have yielded anything."""
    rules, sources = find("noblesse"), 0
    position = rules.rules.setup(SETTINGS, NamedDice(b"income"))
    for number in range(1, 9):
        chance, dice = chance_of("income", str(number)), NamedDice(b"income %d" % number)
        sheets = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        done = rules.rules.resolve(position, sheets, dice)
        with monkeypatch.context() as patched:
            patched.setattr(Work, "posted_at", every_estate)
            assert rules.rules.resolve(position, sheets, dice) == done
        sources += sum(len(event.sources) for event in done.events if isinstance(event, Earned))
        position = done.position
        world = Work(position, {}, NamedDice(b""))
        for seat in position.players:
            assert world.controlled(seat) == [at for at in SCENARIO.estates if world.holding(at).by == seat]
    assert sources > 30
