"""Stand-ins: their sheets are legal, the same for the same seed, made only from their seat's view, and sensible enough."""

from __future__ import annotations

import functools
import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.cli import main
from adjudicator.core.contract.resolution import Ending, Resolution
from adjudicator.core.contract.ruleset import Chance, Ruleset, StandIn, Worth, find, slugs, the_seat
from adjudicator.core.jobs.engine import on_cores
from adjudicator.core.jobs.rehearse import Rehearsal, count_events, rehearsals, rehearse, report
from adjudicator.core.jobs.stand_in import chance_of, combine_sheets, write_sheet
from adjudicator.core.secrets.dice import NamedDice, turn_key
from adjudicator.core.text.problems import Problems
from adjudicator.mechanics.cards import Deck
from adjudicator.rulesets import diplomacy
from adjudicator.rulesets.al_andalus.orders import Fate
from adjudicator.rulesets.al_andalus.position import WAZIRS, Conquest, Settings, wazir_of
from adjudicator.rulesets.diplomacy.events import Forced
from tests import hazard
from tests.conftest import ROOT, examples, first_of

pytestmark = pytest.mark.slow

LAW = examples(150)
GENERALS = Settings(generals=True)


@dataclass(frozen=True)
class Turned:
    """A turn of a rehearsed game."""

    number: int
    position: Any
    sheets: Mapping[str, Any]
    found: Resolution[Any, Any]


def turns(
    rules: Ruleset[Any, Any, Any], chosen: Any, seed: str, most: int, after: Turned | None = None
) -> Iterator[Turned]:
    """Turns of a game up to the number `most`; with `after`, the game goes on from that turn."""
    if after is None:
        first, position = 1, rules.rules.setup(chosen, NamedDice(turn_key(b"test", seed, "setup", "")))
    else:
        first, position = after.number + 1, after.found.position
    for number in range(first, most + 1):
        chance = chance_of(seed, str(number))
        sheets = {seat: write_sheet(rules, position, seat, chance) for seat in sorted(rules.due(position))}
        resolution = rules.rules.resolve(position, sheets, NamedDice(turn_key(b"test", seed, str(number), "")))
        yield Turned(number, position, sheets, resolution)
        if resolution.ended is not None:
            return
        position = resolution.position


@functools.cache
def played(slug: str, chosen: Any, seed: str, most: int = 12) -> tuple[Turned, ...]:
    return tuple(turns(find(slug), chosen, seed, most))


def house_rules() -> Iterator[Any]:
    """Every ruleset, with every boolean setting both ways."""
    for slug in slugs():
        plain = find(slug).types.settings()
        flags = [field.name for field in fields(plain) if isinstance(getattr(plain, field.name), bool)]
        for values in itertools.product((False, True), repeat=len(flags)):
            said = dict(zip(flags, values, strict=True))
            yield pytest.param(slug, replace(plain, **said), id=f"{slug} {said or ''}")


everywhere = pytest.mark.parametrize(("slug", "chosen"), [*house_rules()])


def faults(rules: Ruleset[Any, Any, Any], game: Iterable[Turned]) -> list[str]:
    """Faults of sheets that check or the judge finds."""
    faults = []
    for turn in game:
        for seat, sheet in turn.sheets.items():
            remarks = rules.rules.check(turn.position, seat, sheet)
            faults += [f"{turn.number} {seat}: {remark.what}" for remark in remarks if remark.level == "error"]
        bad = [verdict for verdict in turn.found.verdicts if verdict.result in {"illegal", "unreadable"}]
        faults += [f"{turn.number} {verdict.seat}: {verdict.order} ({verdict.reason})" for verdict in bad]
    return faults


# Legal and reproducible -------------------------------------------------------------------------------------------


@everywhere
@pytest.mark.parametrize("seed", first_of(["0", "1"], 1))
def test_stand_ins_send_legal_sheets(slug: str, chosen: Any, seed: str) -> None:
    game = played(slug, chosen, seed)
    assert len(game) >= 10
    assert faults(find(slug), game) == []
    sent = [sheet for turn in game for sheet in turn.sheets.values()]
    said = sum(sheet != type(sheet)() for sheet in sent)
    assert said > 40 or 4 * said > 3 * len(sent)


@everywhere
def test_stand_ins_that_play_at_random_send_legal_sheets_too(slug: str, chosen: Any) -> None:
    rules = replace(find(slug), stand_in=None)
    many = len(rules.rules.seats(chosen))
    if many < 9:
        assert faults(rules, turns(rules, chosen, "0", 5)) == []
    elif many < 12:  # nine seats bid for units without an owner: seconds a turn
        assert faults(rules, turns(rules, chosen, "0", 1)) == []
    else:  # random seats do all there is to do, which takes long: a Night and a Day, and late turns with more in them
        assert faults(rules, turns(rules, chosen, "0", 2)) == []
        assert faults(rules, turns(rules, chosen, "0", 11, after=played(slug, chosen, "0")[9])) == []


@everywhere
def test_the_same_seed_gives_the_same_sheets_whoever_is_asked_first(slug: str, chosen: Any) -> None:
    rules = find(slug)
    for turn in played(slug, chosen, "0"):
        chance = chance_of("0", str(turn.number))
        again = {seat: write_sheet(rules, turn.position, seat, chance) for seat in reversed([*turn.sheets])}
        assert again == turn.sheets
    other = [turn.sheets for turn in played(slug, chosen, "1")]
    assert other != [turn.sheets for turn in played(slug, chosen, "0")]


@pytest.mark.long
def test_hash_seeds_make_no_difference_to_stand_ins() -> None:
    code = (
        "from tests.core.test_stand_in import played, find, slugs\n"
        "for slug in slugs():\n"
        "    for turn in played(slug, find(slug).types.settings(), '0'): print(turn.sheets)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    here = [turn.sheets for slug in slugs() for turn in played(slug, find(slug).types.settings(), "0")]
    assert done.stdout == "".join(f"{sheets}\n" for sheets in here), "here the seed is any"


def test_chance_depends_only_on_name_seed_and_turn() -> None:
    chance = chance_of("seed", "1")
    assert [chance("deal", 100) for _ in range(3)] == [chance_of("seed", "1")("deal", 100)] * 3
    names = [f"name {number}" for number in range(600)]
    counts = Counter(chance(name, 6) for name in names)
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert min(counts.values()) > 60
    for other in (chance_of("seed", "2"), chance_of("deed", "1")):
        assert [other(name, 6) for name in names] != [chance(name, 6) for name in names]


# Sheets go together -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slip:
    orders: tuple[str, ...] = ()
    fate: Mapping[str, int] = field(default_factory=dict)
    hire: str | None = None
    arrest: bool = False
    draw: bool | None = None


def test_lists_and_tables_are_combined_and_otherwise_the_second_value_counts() -> None:
    first = Slip(("a",), {"x": 1, "y": 1}, "First", arrest=True, draw=True)
    two = Slip(("b", "a"), {"y": 2, "z": 2}, "Second", draw=False)
    assert combine_sheets(first, two) == Slip(
        ("a", "b", "a"), {"x": 1, "y": 2, "z": 2}, "Second", arrest=True, draw=False
    )
    assert (first.orders, first.fate) == (("a",), {"x": 1, "y": 1}), "neither was changed"


WORDS = st.sampled_from("abc")
SLIPS = st.builds(
    Slip,
    orders=st.lists(WORDS, max_size=3).map(tuple),
    fate=st.dictionaries(WORDS, st.integers(0, 2), max_size=3),
    hire=st.none() | WORDS,
    arrest=st.booleans(),
    draw=st.none() | st.booleans(),
)


@LAW
@given(SLIPS, SLIPS, SLIPS)
def test_combining_is_associative_and_an_empty_sheet_adds_nothing(one: Slip, two: Slip, three: Slip) -> None:
    assert combine_sheets(combine_sheets(one, two), three) == combine_sheets(one, combine_sheets(two, three))
    assert combine_sheets(one, Slip()) == combine_sheets(Slip(), one) == one


# Sense: war -------------------------------------------------------------------------------------------------------


def about(unit: str, line: str) -> bool:
    """True if an order is for this unit."""
    return line.startswith(f"{unit} ")


WARS = ("0", "1", "2", "3")


def war(seed: str) -> tuple[Turned, ...]:
    return played("diplomacy", diplomacy.Settings(), seed, 40)


def lines(game: Iterable[Turned], *seats: str) -> list[str]:
    return [
        line
        for turn in game
        for seat, sheet in turn.sheets.items()
        if not seats or seat in seats
        for line in getattr(sheet, "orders", ())
    ]


@pytest.mark.parametrize("seed", WARS)
def test_stand_ins_take_centres(seed: str) -> None:
    positions = [turn.found.position for turn in war(seed) if turn.position.year <= 1903]
    owned = [sum(map(len, position.centres.values())) for position in positions]
    assert owned[0] == 22
    assert owned[-1] >= 30
    sizes = {power: len(centres) for power, centres in positions[-1].centres.items()}
    assert max(sizes.values()) >= 5


@pytest.mark.parametrize("seed", WARS)
def test_the_units_of_a_stand_in_are_not_in_each_others_way(seed: str) -> None:
    for turn in war(seed):
        own = {seat: {*units} for seat, units in turn.position.units.items()}
        for verdict in turn.found.verdicts:
            by = (verdict.facts or {}).get("by", ())
            if verdict.reason == "standoff" and isinstance(by, tuple):
                assert not own[verdict.seat] & {*by}, (turn.number, verdict)
        forced = [event for event in turn.found.events if isinstance(event, Forced)]
        assert all(event.by not in own[event.power] for event in forced)


def test_stand_ins_support_and_england_convoys() -> None:
    every = [line for seed in WARS for line in lines(war(seed))]
    assert sum(" S " in line for line in every) > len(every) // 20
    given_ = [
        verdict for seed in WARS for turn in war(seed) for verdict in turn.found.verdicts if verdict.result == "given"
    ]
    assert len(given_) > len(every) // 40
    english = [line for seed in WARS for line in lines(war(seed), "England")]
    assert any(" C A " in line for line in english)
    assert any(line.endswith(" via convoy") for line in english)
    carried = [
        verdict for seed in WARS for turn in war(seed) for verdict in turn.found.verdicts if verdict.seat == "England"
    ]
    assert any(verdict.order.endswith(" via convoy") and verdict.result == "succeeds" for verdict in carried)


def test_every_unit_of_a_stand_in_has_one_order_even_without_worth() -> None:
    rules = replace(find("diplomacy"), stand_in=None)
    endless = diplomacy.Settings(draws=diplomacy.Draws.NONE)
    guessed = [*turns(rules, endless, "0", 8)]
    assert faults(rules, guessed) == []
    for game in (guessed, war("0")):
        seen = 0
        for turn in game:
            if turn.position.phase is diplomacy.Phase.MOVEMENT:
                for seat, sheet in turn.sheets.items():
                    seen += 1
                    for unit in turn.position.units[seat]:
                        assert sum(about(unit, line) for line in sheet.orders) == 1, (turn.number, unit)
                    assert len(sheet.orders) == len(turn.position.units[seat])
        assert seen > 20


def test_without_worth_a_game_is_not_over_after_its_first_turn() -> None:
    rules = replace(find("diplomacy"), stand_in=None)
    assert rehearse(rules, diplomacy.Settings(draws=diplomacy.Draws.NONE), "0", 3).ended is None


def test_stand_ins_agree_to_a_draw_when_a_war_drags_on() -> None:
    rules = find("diplomacy")
    start = rules.rules.setup(diplomacy.Settings(), NamedDice(bytes(32)))

    def votes(year: int) -> int:
        position = replace(start, year=year)
        return sum(write_sheet(rules, position, seat, chance_of("0", "1")).draw is True for seat in rules.due(position))

    assert votes(1901) == votes(1912) == 0
    assert 0 < votes(1922) < 7
    assert votes(1931) == 7


# Sense: courts ----------------------------------------------------------------------------------------------------


def courts(seed: str, chosen: Any = GENERALS) -> tuple[Turned, ...]:
    return played("al_andalus", chosen, seed, 30)


def test_princes_and_wazirs_do_all_that_the_rules_offer() -> None:
    happened: Counter[str] = Counter()
    for seed in ("0", "1", "2"):
        for turn in courts(seed):
            happened.update(type(event).__name__ for event in turn.found.events)
    wanted = {"Hired", "Arrested", "Plundered", "Paid", "Taken", "Built", "Appointed", "Departed", "HeldBack"}
    assert {name for name in wanted if not happened[name]} == set()
    assert happened["Hired"] > 20


def test_most_wazirs_order_the_unit_that_is_left_to_them() -> None:
    able, ordered, agreed = 0, 0, 0
    for seed in ("0", "1"):
        for turn in courts(seed, Settings()):
            if turn.position.war.phase is not diplomacy.Phase.MOVEMENT:
                continue
            for wazir, prince in turn.position.courts.items():
                sheet = turn.sheets[wazir]
                if sheet.plunder or sheet.court is not None or len(turn.position.war.units.get(prince, ())) < 2:
                    continue
                able += 1
                if sheet.order is None:
                    continue
                ordered += 1
                (unit,) = (unit for unit in turn.position.war.units[prince] if about(unit, sheet.order))
                theirs = [line for line in turn.sheets[prince].orders if about(unit, line)]
                # An order is carried out if the prince gives that unit no orders, or orders it to hold (AA-C-3,
                # AA-C-4).
                agreed += all(line.endswith(" H") or line == sheet.order for line in theirs)
    assert able > 30
    assert ordered * 2 > able
    assert agreed * 3 > ordered * 2


def test_a_prince_leaves_one_unit_fallow_only_now_and_then() -> None:
    sheets, bold = 0, 0
    for seed in ("0", "1", "2"):
        for turn in courts(seed):
            if turn.position.war.phase is not diplomacy.Phase.MOVEMENT:
                continue
            for seat, sheet in turn.sheets.items():
                units = turn.position.war.units.get(seat, ())
                own = wazir_of(turn.position, seat)
                if seat in WAZIRS or len(units) < 2 or sheet.arrest or own in turn.position.generals:
                    continue
                sheets += 1
                bold += sum(not line.endswith(" H") for line in sheet.orders) >= len(units)
    assert sheets > 80
    assert 0 < bold * 100 < sheets * 8


def winter() -> Any:
    """Granada has conquered two courts and is to decide about their wazirs."""
    start = find("al_andalus").rules.setup(Settings(), NamedDice(bytes(32)))
    conquests = tuple(Conquest(wazir=wazir, conqueror="Granada") for wazir in WAZIRS[:2])
    return replace(start, war=replace(start.war, phase=diplomacy.Phase.ADJUSTMENTS), conquests=conquests)


def fates(position: Any) -> list[dict[str, Fate]]:
    rules = find("al_andalus")
    sheets = [write_sheet(rules, position, "Granada", chance_of(str(seed), "1")) for seed in range(40)]
    assert all({*sheet.fate} == {*WAZIRS[:2]} for sheet in sheets)
    assert all(rules.rules.check(position, "Granada", sheet) == () for sheet in sheets)
    return [{**sheet.fate} for sheet in sheets]


def test_a_conqueror_decides_about_every_wazir() -> None:
    served = fates(replace(winter(), courts={"Third Wazir": "Granada"}))
    assert {fate for one in served for fate in one.values()} == {Fate.EXECUTE, Fate.FREE}
    assert any(fate is Fate.TAKE for one in fates(winter()) for fate in one.values())
    # A wazir who is about to win is not spared.
    rich = fates(replace(winter(), purses=dict.fromkeys(WAZIRS, 99)))
    assert {fate for one in rich for fate in one.values()} == {Fate.EXECUTE}


def test_a_conqueror_takes_no_more_than_one_wazir_into_his_one_court() -> None:
    assert max([*one.values()].count(Fate.TAKE) for one in fates(winter())) == 1


# A seat's view ----------------------------------------------------------------------------------------------------


def cards(hands: Mapping[str, tuple[str, ...]], deck: tuple[str, ...], whispers: Mapping[str, str]) -> hazard.Position:
    return hazard.Position(
        turn=2, hands=hands, deck=Deck(pile=deck), points=dict.fromkeys(hazard.SEATS, 1), whispers=whispers
    )


def test_a_stand_in_looks_at_nobody_elses_hand() -> None:
    mine = {"Ash": hazard.DECK[:3]}
    dealt = cards(mine | {"Birch": hazard.DECK[3:6], "Cedar": hazard.DECK[6:9]}, hazard.DECK[9:], {"Birch": "a"})
    two = cards(mine | {"Birch": hazard.DECK[9:], "Cedar": hazard.DECK[3:6]}, hazard.DECK[6:9], {"Birch": "b"})
    seen: list[Any] = []

    def worth(position: Any, seat: str, chance: Chance) -> Callable[[Any, Any], int | None]:
        seen.append(position)
        # Any difference in the position that the stand-in sees would change the choice.
        return lambda sheet, more: 1 + chance(f"{position}{more}", 1000)

    rules = replace(hazard.RULESET, stand_in=StandIn(mind=Worth(worth), party=the_seat))
    other = replace(dealt, hands={**dealt.hands, "Ash": hazard.DECK[9:]})
    played_ = set()
    for seed in range(30):
        chance = chance_of(str(seed), "1")
        sheet = write_sheet(rules, dealt, "Ash", chance)
        assert sheet == write_sheet(rules, two, "Ash", chance)
        assert sheet.play in mine["Ash"]
        played_.add(sheet.play)
        assert write_sheet(rules, other, "Ash", chance).play in hazard.DECK[9:]
    assert played_ == {*mine["Ash"]}
    assert {repr(position) for position in seen} == {repr(hazard.RULESET.view(p, "Ash")) for p in (dealt, other)}


def test_a_hidden_game_is_rehearsed_to_its_end() -> None:
    games = [rehearse(hazard.RULESET, hazard.Settings(), str(seed), 9) for seed in range(10)]
    assert {(game.turns, game.ended.how if game.ended else "") for game in games} == {(hazard.LAST, "score")}
    assert all(game.events["scored"] == hazard.LAST for game in games)


# Rehearsals -------------------------------------------------------------------------------------------------------


def cli(*args: str) -> Result:
    result = CliRunner().invoke(main, [*args])
    assert result.exception is None or isinstance(result.exception, SystemExit), f"a traceback: {result.exc_info}"
    return result


def test_the_number_of_processes_makes_no_difference() -> None:
    alone, together = ([*rehearsals("al_andalus", {}, range(6), 10, on_cores(jobs))] for jobs in (1, 2))
    assert alone == together
    assert [(game.seed, game.turns) for game in alone] == [(str(seed), 10) for seed in range(6)]


def test_games_end_and_the_tables_add_up() -> None:
    games = [*rehearsals("al_andalus", {"victory": 11}, range(4), 500)]
    endings = [game.ended for game in games if game.ended is not None]
    assert len(endings) == 4
    ways, winners = report(games)
    assert sum(int(str(row[1])) for row in ways.rows if row[0] != "all") == 4
    assert sum(int(str(row[1])) for row in winners.rows) == sum(len(ending.winners) == 1 for ending in endings)
    shared = sum(len(ending.winners) for ending in endings if len(ending.winners) > 1)
    assert sum(int(str(row[3])) for row in winners.rows) == shared
    assert [row[0] for row in winners.rows] == [*find("al_andalus").rules.seats(Settings())]


def test_the_command_prints_the_tables() -> None:
    args = ["rehearse", "al-andalus", "--games", "3", "--most", "8", "--seed", "5", "--set", "generals=true"]
    said = [cli(*args, "--jobs", jobs) for jobs in ("1", "2")]
    assert [done.exit_code for done in said] == [0, 0]
    assert said[0].stdout == said[1].stdout
    tables = report(rehearsals("al_andalus", {"generals": True}, range(5, 8), 8))
    wanted = "".join(
        "| " + " | ".join(table.head) + " |\n|" + " --- |" * len(table.head) + "\n"
        + "".join("| " + " | ".join(map(str, row)) + " |\n" for row in table.rows) + "\n"
        for table in tables
    )  # fmt: skip
    assert said[0].stdout == wanted
    machine = cli("--json", *args, "--jobs", "1")
    rows = [dict(zip(table.head, row, strict=True)) for table in tables for row in table.rows]
    assert [json.loads(line) for line in machine.stdout.splitlines()] == rows


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["diplomcy"], "no ruleset is called 'diplomcy'; did you mean 'diplomacy'?"),
        (["diplomacy", "--set", "bord=standard"], "--set: unknown key 'bord'; did you mean 'board'?"),
        (["diplomacy", "--set", "victory=many"], "--set: victory is 'many'; write a whole number"),
        (["al_andalus", "--set", "generals=maybe"], "--set: generals is 'maybe'; write true or false"),
        (
            ["diplomacy", "--jobs", "1", "--set", "board=fleet_room"],
            "--set: no board is called 'fleet_room'; did you mean",
        ),
        (
            ["diplomacy", "--jobs", "2", "--set", "board=fleet_room"],
            "--set: no board is called 'fleet_room'; did you mean",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_impossible_rehearsal_gives_one_line_and_status_1(args: list[str], message: str) -> None:
    result = cli("rehearse", *args, "--games", "2")
    assert (result.exit_code, result.stdout) == (1, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"error: {message}")


@pytest.mark.parametrize(
    "args",
    [[], ["diplomacy", "--games", "0"], ["diplomacy", "--most", "0"], ["diplomacy", "--jobs", "0"],
     ["diplomacy", "--set", "victory"],
     ["diplomacy", "--games", "1", "--most", "1", "--set", "victory=9", "--set", "victory=8"]],
    ids=" ".join,
)  # fmt: skip
def test_wrong_use_of_rehearse_gives_status_2(args: list[str]) -> None:
    result = cli("rehearse", *args)
    assert result.exit_code == 2
    assert "Usage: " in result.stderr


def test_a_setting_is_refused_before_any_game_is_played() -> None:
    with pytest.raises(Problems, match="unknown key 'bord'"):
        next(iter(rehearsals("diplomacy", {"bord": 1}, range(2), 1)))


def game(how: str | None, turns_: int, *winners: str) -> Rehearsal:
    ended = Ending(how=how, winners=winners, when="then", rule="X-1") if how else None
    return Rehearsal("0", ended, turns_, {}, ("A", "B", "C"), ended.winners if ended else ())


def test_rehearse_reports_how_games_ended_and_who_won() -> None:
    games = [
        game("solo", 9, "A"), game("solo", 4, "B"), game("solo", 6, "A"), game("solo", 7, "A"),
        game("draw", 20, "A", "C"), game("draw", 30, "C", "D"), game(None, 50),
    ]  # fmt: skip
    endings, winners = report(iter(games))
    assert endings.rows == (
        ("solo", 4, "57.1 %", 4, 6, 9),
        ("draw", 2, "28.5 %", 20, 20, 30),
        ("not ended", 1, "14.2 %", 50, 50, 50),
        ("all", 7, "100.0 %", 4, 9, 50),
    )
    assert winners.rows == (
        ("A", 3, "42.8 %", 1),
        ("B", 1, "14.2 %", 0),
        ("C", 0, "0.0 %", 2),
        ("D", 0, "0.0 %", 1),
    )
    assert {len(row) for table in (endings, winners) for row in table.rows} == {len(endings.head), len(winners.head)}


def test_a_report_shows_who_was_first_if_the_ruleset_ranks_the_winners() -> None:
    """Winners who share the first place get an equal part of it; a victory by one seat counts as one."""
    shared = [replace(game("draw", 9, "A", "B", "C"), first=first) for first in (("A",), ("A", "B"), ("A", "B", "C"))]
    _, winners = report([*shared, game("solo", 4, "B")])
    assert winners.head == ("Side", "Won alone", "Share", "Won with others", "First of them", "Alone or first")
    assert winners.rows == (
        ("A", 0, "0.0 %", 3, "1.8", "45.8 %"),
        ("B", 1, "25.0 %", 3, "0.8", "45.8 %"),
        ("C", 0, "0.0 %", 3, "0.3", "8.3 %"),
    )


def test_rehearse_counts_events() -> None:
    games = [replace(game("draw", 9), events=events) for events in ({"wed": 3, "taken": 1}, {"wed": 4}, {})]
    table = count_events(iter(games))
    assert table.rows == (("taken", 1, "0.33"), ("wed", 2, "2.33"))
    done = cli("rehearse", "diplomacy", "--games", "2", "--most", "4", "--events", "--jobs", "1")
    played = [*rehearsals("diplomacy", {}, range(2), 4)]
    rows = ["| " + " | ".join(map(str, row)) + " |" for row in count_events(played).rows]
    assert done.stdout.splitlines()[-len(rows) - 1 : -1] == rows
    assert {kind for game in played for kind in game.events} == {row[0] for row in count_events(played).rows}


def test_a_report_with_one_kind_of_ending_has_no_total() -> None:
    endings, winners = report([game(None, 5), game(None, 5)])
    assert endings.rows == (("not ended", 2, "100.0 %", 5, 5, 5),)
    assert winners.rows == tuple((seat, 0, "0.0 %", 0) for seat in "ABC")


def test_a_game_that_does_not_end_is_abandoned_at_the_limit_of_turns() -> None:
    game = rehearse(find("diplomacy"), diplomacy.Settings(), "0", 3)
    assert (game.ended, game.turns, game.parties) == (
        None,
        3,
        find("diplomacy").rules.seats(diplomacy.Settings()),
    )
    assert game == rehearse(find("diplomacy"), diplomacy.Settings(), "0", 3)
