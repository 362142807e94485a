"""Games move both ways between us and the Python package `diplomacy`.

`nox -s exchange` runs the tests that need the package itself; the others use a game that it saved.
"""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import json
import os
import random
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.beside import rules_at_hand
from adjudicator.core.game.game import house_rules, nothing_beside
from adjudicator.core.jobs.exchange import played_turns
from adjudicator.core.secrets.dice import GivenDice
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import Text
from adjudicator.core.turn.load import load_game
from adjudicator.mechanics.movement import SupportMove
from adjudicator.rulesets.diplomacy import RULESET, exchange, position
from adjudicator.rulesets.diplomacy.events import UnitVerdict
from adjudicator.rulesets.diplomacy.exchange import write_played
from adjudicator.rulesets.diplomacy.orders import Sheet
from adjudicator.rulesets.diplomacy.position import notation_of
from adjudicator.rulesets.diplomacy.records import agrees
from tests.rulesets.worked import read_played

ROOT = Path(__file__).parent.parent.parent
HOUSE, _ = house_rules(RULESET, Text("", {}, {}), nothing_beside)
SAVED = Path(__file__).parent.parent / "data" / "saved-by-diplomacy.json"
GAMES = [slug for slug in Archive(ROOT).slugs() if load_game(Archive(ROOT), slug).ruleset.exchange]


def export_game(slug: str) -> bytes:
    archive = Archive(ROOT)
    return write_played(slug, played_turns(archive, load_game(archive, slug)))


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_that_we_write_is_read_back_without_a_difference(slug: str) -> None:
    archive = Archive(ROOT)
    game = load_game(archive, slug)
    (game_read,) = read_played(export_game(slug), HOUSE)
    assert [line for turn in game_read.turns for line in turn.differences] == []
    played = [(position, sheets) for position, sheets, done in played_turns(archive, game) if done is not None]
    while not played[-1][1]:
        played.pop()  # A last phase without any order looks like one that has yet to be played.
    assert [turn.position for turn in game_read.turns][: len(played)] == [position for position, _ in played]


def test_retreats_builds_and_removals_are_written_as_the_package_writes_them() -> None:
    phases = json.loads(export_game("austria-alone"))["phases"]
    orders: dict[str, set[str]] = {p["name"][-1]: set() for p in phases}
    for phase in phases:
        orders[phase["name"][-1]] |= {order for texts in phase["orders"].values() for order in texts}
    where = r"[A-Z]{3}(/[NSEW]C)?"
    assert all(re.fullmatch(rf"[AF] {where} (R {where}|D)", order) for order in orders["R"])
    assert all(re.fullmatch(rf"[AF] {where} [BD]|WAIVE", order) for order in orders["A"])
    assert {len(several) > 3 for several in orders.values()} == {True}


def test_a_game_saved_by_the_package_is_judged_the_same() -> None:
    (game,) = read_played(SAVED.read_bytes(), HOUSE)
    assert len(game.turns) >= 20
    assert [line for turn in game.turns for line in turn.differences] == []
    # The package lets an army walk that was ordered to go by convoy; seven of its random orders are of that kind.
    assert sum(turn.other_rules is not None for turn in game.turns) == 7
    kinds = {turn.position.phase.value for turn in game.turns}
    assert kinds == {"movement", "retreats", "adjustments"}


def test_a_changed_position_in_a_saved_game_is_noticed() -> None:
    data = json.loads(SAVED.read_text())
    units = data["phases"][3]["state"]["units"]["TURKEY"]
    units.pop()
    (game,) = read_played(json.dumps(data).encode(), HOUSE)
    assert [line for turn in game.turns for line in turn.differences] != []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "there is no game in this file"),
        (b"[1]", "not a JSON object"),
        (b"{", "not JSON"),
        (b'{"phases": 3}', "not a game that the Python package diplomacy saved"),
        (
            b'{"phases": [{"name": "S1901M", "state": {"units": {"MARS": []}, "centers": {}}}]}',
            "not a game that the Python package diplomacy saved",
        ),
        (b'{"game": "x", "phase": "S1901M"}', "not a phase of a game"),
        (b"\xff\xfe", "not UTF-8"),
        (b"\x1f\x8bxxxx", "not gzip"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_file_that_is_not_a_game_is_refused_in_one_line(text: bytes, what: str) -> None:
    with pytest.raises(Problems) as caught:
        list(read_played(text, HOUSE))
    assert what in str(caught.value)
    assert all(fault.line or "file" in fault.what or "UTF-8" in fault.what for fault in caught.value.problems)


def test_a_number_in_place_of_a_unit_counts_as_one_difference_in_its_phase() -> None:
    """FB-6: strangers' input never causes a traceback."""
    state = {"units": {"ITALY": ["A ROM"]}, "centers": {}, "retreats": {"ITALY": [1]}}
    data = {"phases": [{"name": "S1901R", "state": state, "orders": {"ITALY": ["WAIVE"]}}]}
    (game,) = read_played(json.dumps(data).encode(), HOUSE)
    assert game.faults == ("S1901R: '1' is not a unit that the board can have",)


def test_phases_in_distant_years_are_read() -> None:
    """FB-1: a board may count in steps of a thousand years, and an exported game imports unchanged."""
    line = LINE.replace(b"S1901M", b"S10999M").replace(b"F1901M", b"F10999M")
    (game,) = read_played(line, HOUSE)
    assert (game.faults, [turn.position.year for turn in game.turns]) == ((), [10999])


LINE = (
    b'{"game":"x","phase":"S1901M","units":{"Austria":["A VIE"]},"centers":{},"orders":{},"after":{"phase":"F1901M"}}'
)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (
            b'{"game": "x", "phase": "X", "units": {}, "centers": {}, "orders": {}}',
            "X: 'X' is not the name of a phase, such as S1901M",
        ),
        (
            b'{"game":"x","phase":"S1901M","units":{"Austria":["A XXX"]},"centers":{},"orders":{}}',
            "S1901M: 'A XXX' is not a unit that the board can have",
        ),
        (
            (
                b'{"game":"x","phase":"S1901M","units":{"Austria":["A VIE"]},"centers":{},"orders":'
                b'{"Austria":[["F ION S ? ADR - ALB","fails"],["A VIE -","fails"]]},"after":{"phase":"X"}}'
            ),
            "S1901M: Austria: the order 'F ION S ? ADR - ALB' cannot be read: '?' where a place should be",
        ),
    ],
)
def test_an_unreadable_part_counts_as_one_difference_and_the_rest_of_the_file_is_read(line: bytes, what: str) -> None:
    """FB-10. Nothing else is reported for that phase, and the next one is judged from its record."""
    later = LINE.replace(b"S1901M", b"F1901M").replace(b"A VIE", b"A TYR").replace(b',"after":{"phase":"F1901M"}', b"")
    (game,) = read_played(line + b"\n" + later + b"\n", HOUSE)
    assert [*game.faults, *(line for turn in game.turns for line in turn.differences)] == [what]
    assert game.turns[-1].position.units["Austria"] == ("A Tyrolia",)
    assert game.turns[-1].compared


def test_after_an_unreadable_phase_the_next_is_taken_from_the_record() -> None:
    """FB-10: for an order or a position, in a saved game or in lines. Nothing is judged in between."""
    what = "S1901M: Austria: the order 'A VIE ? TYR' cannot be read: '?' is not an order"
    phases = [
        {"name": name, "state": {"units": {"AUSTRIA": [unit]}, "centers": {}}, "orders": {"AUSTRIA": [order]}}
        for name, unit, order in (("S1901M", "A VIE", "A VIE ? TYR"), ("F1901M", "A TYR", "A TYR H"))
    ]
    (game,) = read_played(json.dumps({"phases": phases}).encode(), HOUSE)
    assert [*game.faults, *(line for turn in game.turns for line in turn.differences)] == [what]
    assert [turn.position.units["Austria"] for turn in game.turns] == [("A Vienna",), ("A Tyrolia",)]
    first = LINE.replace(b',"after":{"phase":"F1901M"}', b"")
    faulty = first.replace(b"S1901M", b"F1901M").replace(b"A VIE", b"A XXX")
    lines = (first, faulty, first.replace(b"S1901M", b"S1902M").replace(b"A VIE", b"A TYR"))
    (game,) = read_played(b"\n".join(lines), HOUSE)
    said = [*game.faults, *(line for turn in game.turns for line in turn.differences)]
    assert said == ["F1901M: 'A XXX' is not a unit that the board can have"]
    assert [(turn.position.year, turn.position.season.value) for turn in game.turns] == [
        (1901, "Spring"),
        (1902, "Spring"),
    ]


# Boards and their armies of nobody --------------------------------------------------------------------------------


def on(**chosen: str) -> Any:
    """House rules with these settings."""
    return house_rules(RULESET, Text("settings", {**chosen}, {}), nothing_beside)[0]


def test_a_board_with_neutral_armies_is_written_and_read_whole() -> None:
    """FB-1, FB-9: the record names its board, which supplies the armies and the rule of builds again."""
    start = RULESET.rules.setup(on(board="two_rivers"), GivenDice({}))
    sheets = {"Assyria": Sheet(orders=("A Nineveh - Arrapha",)), "Babylon": Sheet(orders=("A Nippur - Sippar",))}
    done = RULESET.rules.resolve(start, sheets, GivenDice({}))
    body = write_played("rivers", [(start, sheets, done), (done.position, sheets, None)])
    (game,) = read_played(body, HOUSE)
    assert [*game.faults, *(line for turn in game.turns for line in turn.differences)] == []
    assert [turn.position for turn in game.turns] == [start, done.position]
    assert start.units["Scythians"] == done.position.units["Scythians"] == ("A Media",)
    assert game.settings == {"board": "two_rivers"}


def test_neutral_armies_are_compared_but_get_no_orders() -> None:
    """FB-9: a record's orders for armies of nobody are ignored, but not their later places."""
    line = {
        "game": "x", "phase": "S-627M", "variant": "two_rivers", "centers": {},
        "units": {"Assyria": ["A NIN"], "Scythians": ["A MED"]},
        "orders": {"Assyria": [["A NIN H", "stands"]], "Scythians": [["A MED - NIN", "fails"]]},
        "after": {"phase": "F-627M", "units": {"Assyria": ["A NIN"], "Scythians": ["A ZAG"]}},
    }  # fmt: skip
    (game,) = read_played(json.dumps(line).encode(), HOUSE)
    (turn,) = game.turns
    assert (game.faults, turn.differences) == ((), ("S-627M: units of Scythians: the record has A ZAG, we have A MED",))
    assert turn.sheets == {"Assyria": {"orders": ["A Nineveh H"]}}


def test_the_callers_choice_overrides_what_the_record_says_about_its_board() -> None:
    """FB-1: other sites have their own names for their boards, and a house rule applies on any board."""
    line = {**json.loads(LINE), "variant": "rome-1901"}
    (game,) = read_played(json.dumps(line).encode(), on(board="fleet_rome"))
    assert (game.settings, game.turns[0].position.settings.board) == ({}, "fleet_rome")
    line |= {"variant": "two_rivers", "units": {"Assyria": ["A NIN"]}, "after": None}
    for sites in ("home", "owned"):
        (game,) = read_played(json.dumps(line).encode(), on(build_sites=sites), ["build_sites"])
        assert game.turns[0].position.settings == on(board="two_rivers", build_sites=sites)
    (game,) = read_played(json.dumps(line).encode(), HOUSE, ["board"])
    assert (game.settings, game.faults) == ({}, ("S1901M: 'Assyria' is not a power on the board",))


@pytest.mark.parametrize("key", ["units", "centers", "orders", "after", "dislodged", "contested", "flags", "variant"])
@pytest.mark.parametrize("value", [5, "x", [1], {"France": 5}, {"France": [5]}, {"France": {"A PAR": 5}}, True])
def test_no_shape_of_json_causes_a_traceback(key: str, value: object) -> None:
    data = {**json.loads(LINE), key: value}
    with contextlib.suppress(Problems):
        list(read_played(json.dumps(data).encode(), HOUSE))


def test_a_number_that_python_refuses_to_read_is_a_problem() -> None:
    with pytest.raises(Problems, match="not JSON"):
        list(read_played(LINE.replace(b'"S1901M"', b"1" * 6000), HOUSE))


def test_every_member_of_a_gzip_file_is_read_and_checked() -> None:
    two = LINE.replace(b'"x"', b'"y"')
    packed = gzip.compress(LINE + b"\n") + gzip.compress(two + b"\n")
    assert [game.title for game in read_played(packed, HOUSE)] == ["x", "y"]
    for damaged in (packed[:-8], packed[:-40], packed[:30] + b"x" + packed[31:]):
        with pytest.raises(Problems, match="not gzip, or is damaged"):
            list(read_played(damaged, HOUSE))


def bomb(part: bytes, times: int, before: bytes = b"") -> bytes:
    """A small gzip file that unpacks to a large one."""
    return gzip.compress(before) + gzip.compress(part * 1024) * times


GAME = LINE + b" " * (1024 - len(LINE) - 1) + b"\n"
BOMBS = {
    "zeros": (bomb(b"\0" * 1024, 512), ":1: the line is longer than 8 MiB; put one game, or one phase, on each line"),
    "empty lines": (bomb(b"\n" * 1024, 257), "the file unpacks to more than 256 MiB; split it"),
    "a long line after a game": (bomb(b" " * 1024, 9, GAME), ":2: the line is longer than 8 MiB; put one game, or"),
    "a game without end": (bomb(GAME, 9), ":8193: the game 'x' is larger than 8 MiB; leave it out"),
    "a saved game": (
        bomb(b"[],\n" * 256, 10, b'{\n"phases": ['),
        "the game in this file is larger than 8 MiB; leave out",
    ),
    "lines that are plain": (GAME + b" " * 9 * 1024 * 1024, ":2: the line is longer than 8 MiB"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused_unread(name: str) -> None:
    """FS-24: at most one game's bytes are held at a time, and nothing is judged before the whole file is known to be intact."""
    body, said = BOMBS[name]
    games: list[object] = []
    tracemalloc.start()
    try:
        with pytest.raises(Problems) as caught:
            games.extend(read_played(body, HOUSE))
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    (fault,) = caught.value.problems
    assert said in f":{fault.line}: {fault}"
    assert games == []
    assert held < 64 * 1024 * 1024


# Phases without anything to do, and the letters of seasons ---------------------------------------------------------------


def phase(name: str, orders: list[list[str]] | None = None, **more: object) -> bytes:
    """A phase of a game with only Austria's army in Vienna, as a line."""
    line = {"game": "x", "phase": name, "units": {"Austria": ["A VIE"]}, "centers": {"Austria": ["VIE"]}}
    return json.dumps(line | {"orders": {"Austria": orders or []}} | more).encode()


def said(game: Any) -> list[str]:
    return [*game.faults, *(line for turn in game.turns for line in turn.differences)]


@pytest.mark.parametrize(
    ("name", "orders"),
    [
        ("S1901R", [["? DEN D", "illegal"]]),
        ("S1901R", [["this is no order", "illegal"]]),
        ("S1901R", []),
        ("F1901R", [["A VIE - TYR", "illegal"]]),
        ("W1901A", [["Waive", "waived"]]),
        ("W1901A", []),
    ],
)
def test_a_phase_without_anything_to_do_is_skipped_whatever_it_contains(name: str, orders: list[list[str]]) -> None:
    """ST-6: vDiplomacy keeps a retreat phase whose only order was for a unit that is already gone."""
    lines = {each: phase(each, [["A VIE H", "stands"]]) for each in ("S1901M", "F1901M", "S1902M")}
    lines[name] = phase(name, orders, dislodged={})
    whole = sorted(lines, key=lambda each: (each[1:5], "SFW".index(each[0]), "MRA".index(each[5])))
    (game,) = read_played(b"\n".join(lines[each] for each in whole), HOUSE)
    assert (said(game), game.empty, len(game.turns)) == ([], 1, 3)
    (first, *_) = read_played(lines[name], HOUSE)  # Even if nothing is known about the phase before.
    assert (said(first), first.empty, first.turns) == ([], 1, ())


def test_an_empty_phase_of_a_saved_game_is_skipped_too() -> None:
    phases = [
        {"name": name, "state": {"units": {"AUSTRIA": ["A VIE"]}, "centers": {"AUSTRIA": ["VIE"]}}, "orders": {"AUSTRIA": [order]}}
        for name, order in (("S1901M", "A VIE H"), ("S1901R", "A BUD D"), ("F1901M", "A VIE H"))
    ]  # fmt: skip
    (game,) = read_played(json.dumps({"phases": phases}).encode(), HOUSE)
    assert (said(game), game.empty, len(game.turns)) == ([], 1, 2)


def test_a_retreat_that_the_record_leaves_out_is_still_a_difference() -> None:
    """If we have a unit to retreat and the record has none, its phase is not skipped as empty."""
    units = {"Austria": ["A VIE", "A BUD"], "Russia": ["A GAL"]}
    orders = {"Austria": [["A VIE - GAL", "succeeds"], ["A BUD S A VIE - GAL", "given"]], "Russia": []}
    moved = {"Austria": ["A GAL", "A BUD"]}
    lines = [
        json.dumps(json.loads(phase(name, units=there, dislodged={})) | {"orders": given}).encode()
        for name, there, given in (
            ("S1901M", units, orders), ("S1901R", moved, {"Russia": [["A GAL D", "illegal"]]}),
        )
    ]  # fmt: skip
    (game,) = read_played(b"\n".join(lines), HOUSE)
    assert "S1901R: the record's position is not the one that the phase before led to" in said(game)


def own_house(calendar: str) -> Any:
    """House rules on a custom board with this calendar, from 1425 on."""
    body = f"name: own\ntitle: Own\nextends: standard\nstarts: 1425\ncalendar: {calendar}\n".encode()
    return rules_at_hand(RULESET, {"board": "own.yaml"}, {"own.yaml": body})


@pytest.mark.parametrize(
    ("calendar", "names", "turns"),
    [
        # Where years advance by two, two years of one season are one year of ours: its winter belongs to the second.
        (
            "{step: 10}",
            ["Y1425M", "Y1430M", "Y1435M", "Y1440M"],
            ["Spring 1425", "Fall 1425", "Spring 1435", "Fall 1435"],
        ),
        ("{step: 2}", ["Y1425M", "Y1426M", "Y1427M"], ["Spring 1425", "Fall 1425", "Spring 1427"]),
        ("{fall: Autumn}", ["S1425M", "A1425M", "S1426M"], ["Spring 1425", "Fall 1425", "Spring 1426"]),
        ("{fall: Autumn}", ["S1425M", "F1425M", "S1426M"], ["Spring 1425", "Fall 1425", "Spring 1426"]),
        ("{spring: Ploughing, fall: Vintage, winter: Games}", ["P1425M", "V1425M"], ["Spring 1425", "Fall 1425"]),
    ],
)
def test_seasons_are_read_by_the_letters_of_the_boards_calendar(
    calendar: str, names: list[str], turns: list[str]
) -> None:
    """ST-6."""
    lines = [
        phase(name, [["A VIE H", "stands"]], after={"phase": after, "units": {"Austria": ["A VIE"]}})
        for name, after in zip(names, [*names[1:], None], strict=True)
    ]
    (game,) = read_played(b"\n".join(lines), own_house(calendar), ["board"])
    assert said(game) == []
    assert [f"{turn.position.season} {turn.position.year}" for turn in game.turns] == turns


def test_builds_in_a_year_with_one_season_belong_to_its_winter() -> None:
    more = {"units": {"Austria": ["A VIE"]}, "centers": {"Austria": ["VIE", "BUD"]}}
    lines = [
        phase("Y1430M", [["A VIE H", "stands"]], **more),
        phase("Y1430A", [["A BUD B", "succeeds"]], **more),
        phase("Y1435M", [], units={"Austria": ["A VIE", "A BUD"]}, centers=more["centers"]),
    ]
    (game,) = read_played(b"\n".join(lines), own_house("{step: 10}"), ["board"])
    assert said(game) == []
    assert [f"{turn.position.season} {turn.position.year}" for turn in game.turns] == [
        "Fall 1425", "Winter 1425", "Spring 1435",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("calendar", "name", "what"),
    [
        ("{}", "Y1425M", "'Y1425M' does not begin with a season's letter; on this board these are S (Spring), F (Fall), W (Winter)"),
        ("{}", "A1425M", "'A1425M' does not begin with a season's letter; on this board these are S (Spring), F (Fall), W (Winter)"),
        (
            "{fall: Autumn}",
            "H1425M",
            "'H1425M' does not begin with a season's letter; on this board these are S (Spring), F or A (Autumn), W (Winter)",
        ),
        (
            "{spring: High water, fall: Harvest}",
            "H1425M",
            "'H1425M' does not begin with a season's letter; on this board these are S (High water), F (Harvest), W (Winter)",
        ),
        (
            "{step: 10}",
            "Y1427M",
            "'Y1427M' does not begin with a season's letter; on this board these are S (Spring), F (Fall), W (Winter), Y (every 5 years from 1425)",
        ),
        (
            "{step: 10}",
            "Y1425A",
            "'Y1425A' does not begin with a season's letter; on this board these are S (Spring), F (Fall), W (Winter), Y (every 5 years from 1425)",
        ),
        ("{step: 5}", "Y1425M", "'Y1425M' does not begin with a season's letter; on this board these are S (Spring), F (Fall), W (Winter)"),
    ],
)  # fmt: skip
def test_an_ambiguous_season_letter_is_refused_with_a_list_of_known_ones(calendar: str, name: str, what: str) -> None:
    (game,) = read_played(phase(name, [["A VIE H", "stands"]]), own_house(calendar), ["board"])
    assert said(game) == [f"{name}: {what}"]


def test_years_with_one_season_are_counted_across_the_birth_of_christ() -> None:
    """No year 0: from 1 BC the next is 1."""
    body = b"name: own\ntitle: Own\nextends: standard\nstarts: -2\ncalendar: {step: 2, before: BC}\n"
    house = rules_at_hand(RULESET, {"board": "own.yaml"}, {"own.yaml": body})
    lines = [phase(name, [["A VIE H", "stands"]]) for name in ("Y-2M", "Y-1M", "Y1M", "Y2M")]
    (game,) = read_played(b"\n".join(lines), house, ["board"])
    assert said(game) == []
    assert [f"{turn.position.season} {turn.position.year}" for turn in game.turns] == [
        "Spring -2", "Fall -2", "Spring 1", "Fall 1",
    ]  # fmt: skip


# Other rules ------------------------------------------------------------------------------------------------------


def played(name: str, units: dict[str, list[str]], orders: dict[str, list[list[str]]], **more: Any) -> bytes:
    """A phase of a game as a line."""
    return json.dumps({"game": "x", "phase": name, "units": units, "centers": {}, "orders": orders} | more).encode()


RULEBOOK = played(
    "S1901M",
    {"France": ["A HOL", "F NTH", "F ENG"], "England": ["F LON", "F NWG"], "Germany": ["F HEL"]},
    {
        "France": [["A HOL - LON", "succeeds"], ["F NTH C A HOL - LON", "available"], ["F ENG S A HOL - LON", "given"]],
        "England": [["F LON S F NWG - NTH", "given, dislodged"], ["F NWG - NTH", "fails"]],
        "Germany": [["F HEL S F NTH", "given"]],
    },
)
PANDIN = played(
    "S1901M",
    {"England": ["F LON", "F WAL"], "France": ["A BRE", "F ENG", "F YOR"], "Germany": ["F NTH", "F BEL"]},
    {
        "England": [["F LON S F WAL - ENG", "given, destroyed"], ["F WAL - ENG", "fails"]],
        "France": [["A BRE - LON", "succeeds"], ["F ENG C A BRE - LON", "available"], ["F YOR S A BRE - LON", "given"]],
        "Germany": [["F NTH S F BEL - ENG", "given"], ["F BEL - ENG", "fails"]],
    },
)
COAST_LEFT_OUT = played(
    "S1901M", {"France": ["F GAS"]}, {"France": [["F GAS - SPA", "illegal"]]}, after={"units": {"France": ["F GAS"]}}
)
COAST_CORRECTED = played(
    "S1901M", {"France": ["F GAS"]}, {"France": [["F GAS - SPA/SC", "succeeds"]]}, after={"units": {"France": ["F SPA/NC"]}}
)  # fmt: skip
SUPPORT_WITHOUT_COAST = played(
    "S1901M",
    {"France": ["F MAO", "A GAS"]},
    {"France": [["F MAO - SPA/NC", "succeeds"], ["A GAS S F MAO - SPA", "invalid"]]},
)
REMOVED = played(
    "W1901A",
    {"Russia": ["A NAP", "A GAL"]},
    {},
    centers={"Russia": ["TUN"]},
    after={"units": {"Russia": ["A GAL"]}},
)
WALKED = played(
    "S1901M",
    {"France": ["A PAR"]},
    {"France": [["A PAR - BUR via convoy", "succeeds"]]},
    after={"units": {"France": ["A BUR"]}},
)
OTHERWISE = {
    "the rulebook's sentence": (
        RULEBOOK,
        "a convoyed army did not cut support for an attack on a fleet that its convoy needed: the rulebook's sentence; our rule lets it cut (DP-C-10)",
    ),
    "a paradox": (
        PANDIN,
        "a convoyed army did not cut support for an attack on a fleet that its convoy needed: the rulebook's sentence, not Szykman's rule for paradoxes (DP-C-8)",
    ),
    "a coast left out": (COAST_LEFT_OUT, "a fleet's move had to name its coast (DP-O-8, coasts: strict)"),
    "a wrong coast": (COAST_CORRECTED, "a wrong coast was corrected (DP-O-8, coasts: corrected)"),
    "a support without a coast": (
        SUPPORT_WITHOUT_COAST,
        "a support had to name the coast that the fleet moves to (DP-S-6, support_coasts: strict)",
    ),
    "removals": (REMOVED, "units were removed by the rule from before 2023 (DP-W-8, disband_distance: home)"),
    "an army that walked": (WALKED, "an army ordered by convoy walked instead (against DP-C-6)"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_known_difference_in_rules_is_named_if_judging_by_it_agrees(name: str) -> None:
    """Judged by the other rule, and only then, the record agrees in every result and unit (ST-7)."""
    line, rule = OTHERWISE[name]
    (game,) = read_played(line, HOUSE)
    (turn,) = game.turns
    assert (said(game), turn.other_rules, turn.compared) == ([], rule, True)
    (phase_named,) = game.remarks
    assert phase_named == f"{json.loads(line)['phase']}: played by another rule: {rule}"


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_rule_that_leaves_another_difference_explains_nothing(name: str) -> None:
    """FB: a rule explains a whole phase or nothing."""
    data = json.loads(OTHERWISE[name][0])
    data["after"] = {**(data.get("after") or {}), "units": {**data["units"], "Italy": ["A ROM"]}}
    (game,) = read_played(json.dumps(data).encode(), HOUSE)
    (turn,) = game.turns
    assert "Italy: the record has A ROM, we have" in " ".join(turn.differences)
    assert (turn.other_rules, game.remarks) == (None, ())


def test_house_rules_that_choose_the_other_rule_leave_no_difference() -> None:
    (game,) = read_played(COAST_LEFT_OUT, on(coasts="strict"))
    assert (said(game), game.turns[0].other_rules) == ([], None)
    data = json.loads(COAST_LEFT_OUT)
    data |= {"orders": {"France": [["F GAS - SPA", "succeeds"]]}, "after": {"units": {"France": ["F SPA/NC"]}}}
    (game,) = read_played(json.dumps(data).encode(), HOUSE)
    assert (said(game), game.turns[0].other_rules) == ([], None)
    (game,) = read_played(json.dumps(data).encode(), on(coasts="strict"))
    assert "coasts: lenient" in str(game.turns[0].other_rules)


def test_phases_explained_by_one_rule_are_named_together() -> None:
    later = [COAST_LEFT_OUT.replace(b"S1901M", name) for name in (b"F1901M", b"S1902M")]
    (game,) = read_played(b"\n".join([COAST_LEFT_OUT, *later]), HOUSE)
    rule = OTHERWISE["a coast left out"][1]
    assert game.remarks == (f"S1901M, F1901M, S1902M: played by another rule: {rule}",)


def test_the_report_says_what_was_played_by_another_rule(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(COAST_LEFT_OUT)
    done = CliRunner().invoke(main, ["import", str(file), "--verify-only"])
    assert done.exit_code == 0, done.output
    assert f"note: game.jsonl: x: S1901M: played by another rule: {OTHERWISE['a coast left out'][1]}" in done.output
    assert (
        "0 differences (0 results in different words; 1 phases played by other rules, 0 of them not compared"
        in done.output
    )


# With the package itself ------------------------------------------------------------------------------------------

package = pytest.mark.skipif(
    importlib.util.find_spec("diplomacy") is None or "COURTLY_EXCHANGE" not in os.environ,
    reason="needs the package diplomacy: nox -s exchange",
)


def units_of(state: Any) -> dict[str, list[str]]:
    return {power: sorted(units) for power, units in state["units"].items() if units}


@package
@pytest.mark.parametrize("slug", GAMES)
def test_the_package_reads_our_games_and_judges_them_the_same(slug: str) -> None:
    from diplomacy import Game  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from diplomacy.utils.export import from_saved_game_format  # type: ignore[import-untyped,import-not-found,unused-ignore]

    data = json.loads(export_game(slug))
    game = from_saved_game_format(json.loads(export_game(slug)))
    names = [phase["name"] for phase in data["phases"]]
    assert game.get_current_phase() == names[-1]
    assert [str(name) for name in game.state_history] == names[: len(game.state_history)]
    # It also plays the same game from our orders, phase by phase.
    fresh = Game()
    for phase, after in zip(data["phases"], data["phases"][1:], strict=False):
        while fresh.get_current_phase() != phase["name"]:
            fresh.process()  # Nobody has anything to do in this phase, so we skip it.
        assert units_of(fresh.get_state()) == units_of(phase["state"]), phase["name"]
        for power, orders in phase["orders"].items():
            fresh.set_orders(power, orders)
        fresh.process()
        assert after


@package
def test_games_that_the_package_plays_and_saves_are_judged_the_same() -> None:
    from diplomacy import Game
    from diplomacy.utils.export import to_saved_game_format

    for seed in range(6):
        chance = random.Random(seed)
        game = Game(game_id=f"random-{seed}")
        while game.phase != "COMPLETED" and len(game.state_history) < 60:
            possible = game.get_all_possible_orders()
            for power in sorted(game.powers):
                orders = [
                    chance.choice(sorted(possible[place]))
                    for place in sorted(game.get_orderable_locations(power))
                    if possible[place]
                ]
                game.set_orders(power, orders)
            game.process()
        (game_read,) = read_played(json.dumps(to_saved_game_format(game)).encode(), HOUSE)
        assert [line for turn in game_read.turns for line in turn.differences] == [], seed
        assert sum(turn.other_rules is None for turn in game_read.turns) > len(game_read.turns) / 2


def test_a_support_that_the_record_judges_otherwise_is_not_reworded() -> None:
    """A disagreement counted as a result in other words, too."""
    told = UnitVerdict(
        seat="Austria",
        order="A Vienna S A Budapest - Galicia",
        result="invalid",
        reason="not-as-supported",
        rule="DP-S-3",
    )
    notation = notation_of("standard")
    assert agrees(notation, told, "cut", set(), set()) == (False, 0)
    order = notation.read(told.order)
    assert isinstance(order, SupportMove)
    assert agrees(notation, told, "cut", set(), {("Italy", order.unit.province)}) == (True, 1)
    assert agrees(notation, told, "invalid", set(), set()) == (True, 0)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('<?xml version="1.0"?>\n<game name="x">', "this looks like a game that jDip saved"),
        ("<!DOCTYPE html>\n<html>", "this looks like a web page"),
        ("HLO ( UNO ) ( 0 )", "this looks like a log of DAIDE"),
        ("::  Judge: USDP  Game: x  Variant: Standard", "this looks like a report of njudge or DPjudge"),
        ("Realpolitik 1.7.3", "this looks like a file of Realpolitik"),
        ('{"gameID": 1, "phases": [{"name": 1}]}', "this looks like JSON of webDiplomacy"),
        ("Austria: Army Vienna -> Galicia.", "this looks like a report of orders"),
        ("hello", "this is in no form that is known here"),
        ("{", "this is in no form that is known here"),
    ],
)
def test_a_file_in_another_form_is_named_and_the_advice_says_what_is_read(source: str, words: str) -> None:
    """HO-7: it said `Expecting value: line 1 column 1 (char 0)`, or `KeyError('state')`."""

    def reads() -> None:
        for piece in exchange.split_games(source.encode()):
            exchange.read_game(piece, position.Settings())

    with pytest.raises(Problems) as refused:
        reads()
    (fault,) = refused.value.problems
    assert words in fault.what
    assert "these are read: JSON" in fault.right
    assert not re.search(r"Error|Expecting|char \d|Traceback", f"{fault.what} {fault.right}")
