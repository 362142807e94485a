"""The Grand Campaign: tables as the rules have them, chances counted out, the start, the map, and the limits of a campaign file.

The tables here are written by hand from the rules, not read from the data files.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.text.problems import Problems
from adjudicator.mechanics.hexes import DIRECTIONS, Grid, axial, distance, hex_order
from adjudicator.rulesets.grand_campaign import RULESET
from adjudicator.rulesets.grand_campaign.battles import fight_season
from adjudicator.rulesets.grand_campaign.campaign import campaign_named, load_campaign
from adjudicator.rulesets.grand_campaign.examples import Case, Force, play, position_of, started
from adjudicator.rulesets.grand_campaign.income import roll_income
from adjudicator.rulesets.grand_campaign.omens import player_order
from adjudicator.rulesets.grand_campaign.options import check, preview
from adjudicator.rulesets.grand_campaign.orders import SeasonSheet
from adjudicator.rulesets.grand_campaign.placing import place, setup
from adjudicator.rulesets.grand_campaign.position import Army, Phase, Settings, season_of, when, year_of
from adjudicator.rulesets.grand_campaign.resolve import due
from adjudicator.rulesets.grand_campaign.rosters import unit
from adjudicator.rulesets.grand_campaign.skirmishes import STEP
from adjudicator.rulesets.grand_campaign.tables import (
    ARTEFACTS,
    CALENDAR,
    CONSTRUCTIONS,
    FACTIONS,
    LANDS,
    SCENARIOS,
    TERRAIN,
)
from adjudicator.rulesets.grand_campaign.world import World
from tests.tools.campaign_tables import chances, tables
from tests.tools.tables import acts_of, with_all_tables

SAMPLE = Path(str(RULESET.folder)) / "campaigns" / "sample.yaml"
BOOK = (RULESET.folder / "RULES.md").read_text(encoding="utf-8")

# Terrain and factions -----------------------------------------------------------------------------------------------

COSTS = {
    **dict.fromkeys(("AD", "RD", "SD"), 4),  # GC-X-1
    **dict.fromkeys(("LJ", "LP", "LF"), 2),  # GC-X-2
    **dict.fromkeys(("DJ", "DM", "DP", "DF"), 3),  # GC-X-3
    **dict.fromkeys(("Sw", "We", "Ma"), 4),  # GC-X-5
    **dict.fromkeys(("Hi", "GH"), 2),  # GC-X-6
    **dict.fromkeys(("FP", "FH", "FJ"), 3),  # GC-X-7
    **dict.fromkeys(("Gr", "Pl"), 1),  # GC-X-8
    **dict.fromkeys(("SM", "Gl", "Vo"), None),  # GC-X-9
    "Se": 2,  # GC-X-12
    "Du": 3, "Sn": 3, "AP": 2, "AF": 3, "Mo": 4, "Ic": 4,  # GC-X-14
}  # fmt: skip
"""Everybody's costs of entering; None for never. Farmland is counted separately (GC-X-10)."""
LESS = {
    "beast_herds": "LJ LP LF DJ DM DP DF FP FH FJ",  # GC-I-9
    "dread_elves": "Se",
    "highborn_elves": "Se",  # GC-I-16, GC-I-27
    "dwarven_holds": "Mo",  # GC-I-20
    "infernal_dwarves": "Mo AP AF",  # GC-I-31, GC-I-32
    "ogre_khans": "Hi GH FP FH FJ",  # GC-I-43
    "orcs_and_goblins": "Mo",  # GC-I-47
    "saurian_ancients": "Sw We Ma LJ DJ FJ",  # GC-I-55
    "sylvan_elves": "LJ LP LF DJ DM DP DF FP FH FJ",  # GC-I-59
    "vermin_swarm": "Mo",  # GC-I-64
    "undying_dynasties": "RD SD Du",  # GC-I-70, GC-I-71: not in Arctic Desert or Snow
    "warriors_of_the_dark_gods": "Ic Sn AD",  # GC-I-78, GC-X-19
}
"""Terrain that costs a faction 1 less."""
ENTERS = {"dwarven_holds": {"Vo": 3, "SM": 3}, "infernal_dwarves": {"Vo": 3}}
"""Terrain that only these factions enter, whatever their Core is (GC-I-21, GC-I-33)."""


def an_army(faction: str, *units: str) -> Army:
    """An army of a faction on Grassland."""
    return Army(owner="Anna", id="A1", at="0503", name="Ansel", faction=faction, points=2500, ld=8, units=units)


def entering(faction: str, code: str, *units: str) -> int | None:
    """Cost of a step onto such terrain for an army beside it, on land of the same kind."""
    start = started(Settings())
    other = "Se" if code == "Se" else "Gr"
    case = Case(id="x", title="x", rules=(), terrain={"0504": code, "0503": other}, land={"nobody": start.grid.hexes})
    position = replace(
        position_of(replace(case, works=dict.fromkeys(start.works, "none"))), armies=(an_army(faction, *units),)
    )
    seen = preview(position, position.armies[0], "A1: SE")
    assert seen is not None
    marching, troubles = seen
    assert (marching.world.armies["Anna A1"].at == "0504") == (not troubles)
    return None if troubles else marching.marches["Anna A1"].spent


@pytest.mark.parametrize("faction", FACTIONS)
def test_entering_terrain_costs_what_the_rules_say(faction: str) -> None:
    """Terrain by faction, whole (GC-X, GC-I-5 to GC-I-78): 1 less where the faction is at home, never less than 1."""
    less = LESS.get(faction, "").split()
    expected = {
        code: ENTERS.get(faction, {}).get(code) if cost is None else max(1, cost - (code in less))
        for code, cost in COSTS.items()
    }
    assert {code: entering(faction, code) for code in COSTS} == expected
    assert {*COSTS} == {*TERRAIN} - {"Fa"}


def test_cave_goblins_and_cavalry_have_their_own_terrain_rules() -> None:
    """GC-I-8, GC-I-48: a Volcano for a Core of Cave Goblins; GC-I-38, GC-I-40: Grassland is Farmland to cavalry."""
    goblins = ("Night Gobs, core, scoring, cave goblins", "More Gobs, core, cave goblins", "Boys, core")
    assert entering("orcs_and_goblins", "Vo", *goblins) == 3
    assert entering("orcs_and_goblins", "Vo", *goblins[1:]) is None
    assert entering("kingdom_of_equitaine", "Gr", "Lances, core, cavalry") == 0
    assert FACTIONS["kingdom_of_equitaine"].army.discipline


def test_actions_change_terrain_as_the_rules_say() -> None:
    """GC-X-3, GC-X-4, GC-X-7, GC-X-8, GC-X-14: felling keeps the kind of trees, and mixed woods become Light Forest."""
    felled = {
        "LJ": "Gr",
        "LP": "Gr",
        "LF": "Gr",
        "DJ": "LJ",
        "DM": "LF",
        "DP": "LP",
        "DF": "LF",
        "FP": "GH",
        "FH": "GH",
        "FJ": "GH",
    }
    assert {code: one.fells for code, one in TERRAIN.items() if one.fells} == felled
    assert {code: one.cultivates for code, one in TERRAIN.items() if one.cultivates} == {"Gr": "Fa", "Pl": "Fa"}
    assert {code: one.clears for code, one in TERRAIN.items() if one.clears} == {"AP": "Gr", "AF": "AP"}
    assert {code for code, one in TERRAIN.items() if one.mine} == {"Mo"}  # GC-E-15
    assert {code for code, one in TERRAIN.items() if not one.build} == {"SM", "Gl", "Vo", "Se", "Ic"}  # GC-E-8


def test_each_terrain_has_its_list_of_scenarios() -> None:
    """GC-X-15, GC-X-16, GC-X-17, GC-X-18: six scenarios a list, read from top to bottom; Grassland and Ash Plain name Pitched Battle twice."""
    lists = {
        "wood": "pitched watchtower meeting dawn ambush night",
        "swamp": "pitched watchtower meeting night supplies messengers",
        "grass": "pitched advance guard sacred escort pitched",
        "ash": "pitched advance guard sacred messengers pitched",
        "desert": "pitched watchtower messengers meeting dawn breakthrough",
        "hills": "pitched blood_glory supplies defend_ground valley surveyor",
        "impervious": "pitched night ambush valley under_ground defend_ground",
        "farm": "pitched advance guard sacred escort messengers",
        "dunes": "pitched blood_glory supplies defend_ground valley messengers",
        "mountain": "pitched pass ambush valley under_ground defend_ground",
        "ice": "pitched advance guard sacred messengers frozen_river",
    }
    assert {name: " ".join(kinds) for name, kinds in LANDS.scenarios.items() if name != "sea"} == lists
    assert LANDS.scenarios["sea"] == ("sea_battle",)


def test_the_rulebook_has_the_tables() -> None:
    """Every table of the rulebook is the data's own."""
    for table in tables():
        assert table.strip() in BOOK


def test_the_sheet_of_lines_names_every_form() -> None:
    """ORDERS.md has the tables that the acts make (`nox -s bless` writes them): every form of a line, step, Action and purchase."""
    text = (RULESET.folder / "ORDERS.md").read_text(encoding="utf-8")
    assert text == with_all_tables("grand_campaign", text)
    assert [form for acts in acts_of()["grand_campaign"] for form in acts.kinds if f"`{form}`" not in text] == []
    rules = {act.rule for acts in acts_of()["grand_campaign"] for act in acts.acts}
    assert [rule for rule in rules if f"**GC-{rule}.**" not in BOOK] == []


# Time and chances ---------------------------------------------------------------------------------------------------


def test_a_year_has_four_seasons() -> None:
    """GC-A-1, GC-A-2, GC-J-3, GC-J-6: four seasons a year; Summer gives 1 Movement, Winter takes 1."""
    settings = Settings()
    assert [(season_of(settings, turn), year_of(turn)) for turn in (1, 2, 3, 4, 5)] == [
        ("spring", 1), ("summer", 1), ("autumn", 1), ("winter", 1), ("spring", 2),
    ]  # fmt: skip
    assert [one.movement for one in CALENDAR.seasons.values()] == [0, 1, 0, -1]


def test_chances_of_events_match_the_rules() -> None:
    """GC-K-1, GC-K-36: eleven events, from 2 to 12, with 1 2 3 4 5 6 5 4 3 2 1 chances in 36."""
    sums = Counter(one + other for one, other in itertools.product(range(1, 7), repeat=2))
    assert [sums[int(number)] for number in CALENDAR.events] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]


def test_chances_of_the_resolver_match_the_rules() -> None:
    """GC-Z-26: major win, win, draw, loss, major loss, by the lead in rating, out of 46,656."""
    assert chances(0) == (4501, 12440, 12774, 12440, 4501)
    assert chances(2) == (9604, 15890, 11558, 7930, 1674)
    assert [round(100 * number / 46656, 1) for number in chances(6)] == [54.6, 30.9, 10.9, 3.4, 0.2]


def test_chances_of_skirmishes_match_the_rules() -> None:
    """GC-W-20: win, tie and loss by the lead in Strength."""
    two = Counter(map(sum, itertools.product(range(1, 7), repeat=2)))
    shown = []
    for lead in range(6):
        margins: Counter[int] = Counter()
        for (one, times), (other, more) in itertools.product(two.items(), repeat=2):
            margin = lead + one - other
            margins[(margin > 0) - (margin < 0)] += times * more
        shown.append("/".join(f"{100 * margins[sign] / 1296:.1f}" for sign in (1, 0, -1)))
    assert "; ".join(shown) in " ".join(BOOK.split())
    assert STEP == 4


def test_averages_of_income_match_the_rules() -> None:
    """GC-M-3, GC-M-7: a Mine yields 350 on average, a City 525, 575 or 625, a Town 175 in Autumn; 100 or 600 exhaust a Mine."""
    die = Fraction(7, 2)
    assert [50 * 2 * die, *(50 * (3 * die + bonus) for bonus in (0, 1, 2)), 50 * die] == [350, 525, 575, 625, 175]


def test_prices_add_up() -> None:
    """GC-O-24: a Fortress made a City costs what a City does; a Town made one costs 500 more."""
    price, city = (
        {kind: CONSTRUCTIONS[kind].price or 0 for kind in ("town", "fortress", "city")},
        CONSTRUCTIONS["city"].from_ or {},
    )
    raised = (CONSTRUCTIONS["fortress"].from_ or {})["town"]
    assert price["fortress"] + city["fortress"] == price["town"] + raised + city["fortress"] == price["city"] == 3000
    assert price["town"] + city["town"] == 3500
    assert CONSTRUCTIONS["town"].most is CONSTRUCTIONS["mine"].most is None  # GC-E-12


# The start ----------------------------------------------------------------------------------------------------------


def test_ruins_and_the_order_of_placing_are_drawn_if_the_file_names_none() -> None:
    """GC-C-1, GC-C-2, GC-C-5, GC-C-16: a ruin for each 16 land hexes and the order of placing are drawn where the file names none."""
    plan = replace(campaign_named("sample"), ruins=None, order=None)
    land = [code for code in plan.terrain.values() if TERRAIN[code].cost is not None and not TERRAIN[code].sea]

    class Own(Settings):
        @property
        def plan(self) -> object:  # type: ignore[override]  # the sample with other lines
            return plan

    drawn = setup(Own(), NamedDice(b"map"))
    cities = sum(TERRAIN[plan.terrain[label]].cost is not None for label in plan.cities)
    assert len(drawn.ruins) == (2 * (len(land) - cities) + 16) // 32
    assert not {*drawn.ruins} & {*plan.cities}
    assert sorted(drawn.order) == sorted(plan.seats)
    assert len(land) >= 50 * len(plan.seats)


def test_everybody_begins_neutral_and_without_gold() -> None:
    """GC-C-3, GC-C-14, GC-B-5, GC-A-3, GC-P-1, GC-P-2: everybody begins Neutral, without gold, and owes a sheet by the game's own deadline."""
    start = setup(Settings(), NamedDice(b"x"))
    assert due(start) == {"Anna", "Ben", "Cora"}
    first = place(start, {}, NamedDice(b"y")).position
    assert (first.phase, first.turn, when(first)) == (Phase.SEASON, 1, "Spring of year 1")
    assert (first.relations.war, first.relations.alliance) == ((), ())
    assert {realm.gold for realm in first.realms.values()} == {0}
    assert [sorted(army.id for army in first.armies if army.owner == seat) for seat in first.realms] == [
        ["A1", "A2", "G"]
    ] * 3
    assert all(army.aim is None and not army.rests for army in first.armies)


def test_the_player_order_begins_with_the_fewest_cities() -> None:
    """GC-D-1 to GC-D-6, EX-29: Cities, then Fortresses, Towns, Mines, the fewest first; ruins, parties and allies do not count."""
    start = started(Settings())
    works = {"0204": "city", "0208": "city", "0504": "fortress", "1203": "city", "0901": "fortress", "1005": "fortress",
             "1110": "city", "0810": "fortress", "0609": "town", "0612": "town", "0509": "town"}  # fmt: skip
    world = World(replace(start, works=works), {}, NamedDice(b"order"))
    assert player_order(world) == ("Cora", "Ben", "Anna")


def test_dice_are_not_rolled_needlessly() -> None:
    """GC-Z-30, GC-M-6, GC-M-9: Towns and Fortresses yield nothing by themselves, and a quiet Winter rolls only for Cities."""
    world = World(started(Settings()), {}, NamedDice(b"winter"))
    dice = roll_income(world, "winter", "portals")
    assert {label for label in dice if world.works.get(label)} == {"0204", "1203", "1110"}
    assert not [roll.name for roll in world.dice.rolls if ":season" in roll.name or ":event" in roll.name]


# The map ------------------------------------------------------------------------------------------------------------


def test_hexes_have_the_rules_labels_directions_and_distances() -> None:
    """GC-Y-7, GC-Y-8, GC-Z-31 to GC-Z-36: labels, order, directions, distance."""
    grid = Grid(15, 12)
    assert grid.hexes[0] == "0101"
    assert sorted(("0202", "0102", "0201"), key=hex_order) == ["0201", "0102", "0202"]
    assert grid.neighbours("0503") == {"NW": "0402", "NE": "0502", "E": "0603", "SE": "0504", "SW": "0404", "W": "0403"}
    assert grid.neighbours("0504") == {"NW": "0503", "NE": "0603", "E": "0604", "SE": "0605", "SW": "0505", "W": "0404"}
    for one, other in itertools.product(grid.hexes[::7], repeat=2):
        (q, r), (s, t) = axial(one), axial(other)
        assert distance(one, other) == max(abs(q - s), abs(r - t), abs(q - s + r - t))
    assert [len(grid.within("0806", radius)) for radius in range(5)] == [1, 7, 19, 37, 61]
    assert grid.step("0101", "NW") is None


FAULTY = (
    ("  - Ic Ic Sn", "  - Ic Sn", "GC-Z-37", ("row",)),
    ("  - Se Ic LP", "  - Se Ic Xx", "GC-Z-37", ("Xx",)),
    ('ruins: ["0602"', 'ruins: ["0706"', "GC-Z-38", ("0706",)),
    ('ruins: ["0602", "1102"', 'ruins: ["0602", "0602"', "GC-Z-38", ("0602",)),
    ('cities: {"1406": dwarven_hold', 'cities: {"1408": dwarven_hold', "GC-Z-38", ("1409", "1")),
    ("edges: [0204 SE", "edges: [0204 NW", "GC-Z-39", ("0204 NW",)),
    ('hexes: ["1107"', 'hexes: ["0112"', "GC-Z-39", ("0112",)),
    ('start: {city: "0204"', 'start: {city: "0101"', "GC-Z-40", ("0101",)),
    ('towns: ["0301", "0307"]', 'towns: ["0402", "0307"]', "GC-Z-42", ("0402", "0504", "2")),
    (
        'armies: {A1: "0504", A2: "0307", G: "0204"}',
        'armies: {A1: "0504", A2: "0504", G: "0204"}',
        "GC-Z-41",
        ("0504",),
    ),
    ('fortress: "0810", towns: ["0612", "0609"]', 'fortress: "0609", towns: ["0612", "0810"]', "GC-Z-41", ("0609",)),
    ("faction: highborn_elves", "faction: highborn_elfs", "GC-I-1", ("highborn_elfs", "highborn_elves")),
    ("rosters: {A1: River Watch", "rosters: {A1: River Witch", "GC-F-3", ("River Witch",)),
    ('"Captain Ioreth, general"', '"Captain Ioreth"', "GC-F-3", ("General",)),
)


@pytest.mark.parametrize(
    ("old", "new", "rule", "said"), FAULTY, ids=[f"{rule}-{new[:24]}" for _, new, rule, _ in FAULTY]
)
def test_a_faulty_campaign_is_refused(old: str, new: str, rule: str, said: tuple[str, ...]) -> None:
    """GC-Z-37 to GC-Z-42: with the line, the fault, and the pair and distance where two are too near."""
    text = SAMPLE.read_text(encoding="utf-8")
    assert text.count(old) >= 1, old
    with pytest.raises(Problems) as refused:
        load_campaign(text.replace(old, new, 1).encode(), "own.yaml")
    words = str(refused.value)
    assert "own.yaml:" in words
    assert [word for word in said if word not in words] == []


def test_all_faults_are_reported_at_once() -> None:
    """A campaign with three faults is refused with all three."""
    text = SAMPLE.read_text(encoding="utf-8")
    for old, new in (
        ("faction: highborn_elves", "faction: elves"),
        ("rosters: {A1: River Watch", "rosters: {A1: Nobody"),
        ('ruins: ["0602"', 'ruins: ["0706"'),
    ):
        text = text.replace(old, new, 1)
    with pytest.raises(Problems) as refused:
        load_campaign(text.encode(), "own.yaml")
    assert all(word in str(refused.value) for word in ("elves", "Nobody", "0706"))


# Sheets -------------------------------------------------------------------------------------------------------------


def test_check_reports_faults_before_the_deadline() -> None:
    """GC-Z-9, GC-P-4, GC-P-5: an unknown token is an error that lists the six; a line that would fail now is a warning with its rule."""
    position = position_of(Case(id="x", title="x", rules=(), armies={"Anna A1": Force(at="0504")}))
    sheet = SeasonSheet(
        armies=("A1: S, E", "River Watch: E", "A1: E, E, E, E.", "captain ioreth: E, E, E, E."),
        spending=("army A3 from River Watch at 0304",),
    )
    told = [(remark.place, remark.level, remark.what) for remark in check(position, "Anna", sheet)]
    assert [(place, level) for place, level, _ in told] == [
        (("armies", 0), "error"), (("armies", 1), "error"), (("armies", 3), "error"), (("spending", 0), "warning"),
        (("armies", 2), "warning"),
    ]  # fmt: skip
    assert "2500 gold" in told[3][2]
    assert "GC-O-6" in told[4][2]
    first = check(position, "Anna", sheet)[0]
    assert all(way in first.right for way in DIRECTIONS)


def test_dice_on_a_line_are_left_out_with_a_warning() -> None:
    """GC-P-7: the line counts without them. The sender gets a notice, and a line that is unreadable anyway stays unreadable."""
    position = position_of(
        Case(id="x", title="x", rules=(), armies={"Anna A1": Force(at="0504"), "Anna A2": Force(at="0604")})
    )
    sheet = SeasonSheet(armies=("A1: Cultivate 5, 3", "A2: Wander 5"))
    told = [(remark.place, remark.level, remark.right) for remark in check(position, "Anna", sheet)]
    assert (("armies", 0), "warning", "A1: Cultivate") in told
    assert [(place, level) for place, level, _ in told if level == "error"] == [(("armies", 1), "error")]


def test_nothing_in_a_position_is_hidden() -> None:
    """GC-Z-10, GC-Z-11, GC-Z-12, GC-Z-13: nothing in a position is hidden, and the platform's seals protect sheets."""
    assert RULESET.secrecy is None


def test_the_same_sheets_and_dice_give_the_same_result() -> None:
    """GC-Z-1, GC-Z-6, GC-Z-27, GC-Z-28, GC-Z-29: the same sheets and dice give the same result; dice are named, so the order of rolls does not
    matter."""
    position = place(setup(Settings(), NamedDice(b"x")), {}, NamedDice(b"y")).position
    assert position.opening is not None
    assert position.opening.dice
    one, other = (fight_season(World(position, {}, NamedDice(b"z"))) for _ in range(2))
    assert one == other


def test_numbers_for_the_gaming_table_match_the_rules() -> None:
    """GC-R-8, GC-R-10, GC-S-15, GC-S-16, GC-T-8, GC-T-9, GC-U-3, GC-U-6: numbers and effects that the players use at their tables."""
    assert {thing.type_ for thing in ARTEFACTS.values()} >= {"Wondrous Item", "Weapon", "Armour"}
    assert all(thing.effect for thing in ARTEFACTS.values())
    assert all(points >= 3 for one in SCENARIOS.values() for points in one.points)
    lines = [line for roster in campaign_named("sample").rosters.values() for line in roster.units]
    assert all(unit(line).models for line in lines)


def test_the_undying_hide_only_under_certain_deserts() -> None:
    """GC-I-71, GC-X-19: the Undying hide under Rocky and Sandy Desert and Sand Dunes, and not in Arctic Desert or Snow."""
    assert FACTIONS["undying_dynasties"].army.sands == ("RD", "SD", "Du")


def test_examples_are_on_the_sample_map() -> None:
    """An example that names nobody's armies is quiet (GC-O-4)."""
    _, done = play(Case(id="x", title="x", rules=()))
    assert [event.event for event in done.events if event.event not in {"opened", "golden"}] == []
