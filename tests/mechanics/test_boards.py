"""Boards: internally consistent, and the same in the rules and in the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.contract.ruleset import RULESETS
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read
from adjudicator.mechanics.boards import load_board
from adjudicator.mechanics.provinces import Board, outlines_path
from tests.tools.boards.touching import shared_lengths

BOARDS = sorted(path.parent for path in RULESETS.glob("*/boards/*/board.yaml"))
NAMES = [folder.name for folder in BOARDS]
DRAWN = [folder for folder in BOARDS if outlines_path(load_board(folder)) is not None]


def board(folder: Path) -> Board:
    return load_board(folder)


@pytest.mark.parametrize("folder", BOARDS, ids=NAMES)
def test_every_province_can_be_reached_and_borders_are_mutual(folder: Path) -> None:
    import networkx as nx

    loaded = board(folder)
    assert nx.is_connected(nx.Graph(loaded.neighbours))
    back_only = loaded.data.borders.one_way if loaded.data.borders is not None else None
    assert back_only is not None
    if (back_only.army, back_only.fleet, back_only.both) != ((), (), ()):
        return  # Its one-way borders are a case of the rulebook.
    for here, tos in loaded.army_to.items():
        for two in tos:
            assert here in loaded.army_to[two]
    for here, places in loaded.fleet_to.items():
        for there in (place for group in places.values() for place in group):
            back = {place for group in loaded.fleet_to[there].values() for place in group}
            assert here in back
    edges = {tuple(sorted((a.split("/")[0], b.split("/")[0]))) for a, b in loaded.graph.edges()}
    assert edges == set(loaded.borders)


@pytest.mark.parametrize("folder", DRAWN, ids=lambda folder: folder.name)
def test_provinces_touch_in_the_picture_exactly_if_they_border_in_the_rules(folder: Path) -> None:
    loaded = board(folder)
    path = outlines_path(loaded)
    assert path is not None
    outlines: Any = read(path.read_bytes(), path.name, limit=1 << 20).data
    lengths = shared_lengths(outlines)
    crossings = {(min(a, b), max(a, b)) for a, b, *_ in outlines["crossings"]}
    drawn = {pair for pair, length in lengths.items() if length >= 6} | crossings
    assert drawn == loaded.borders
    assert all(length >= 6 for length in lengths.values()), "a border too short to be seen"


@pytest.mark.parametrize("folder", DRAWN, ids=lambda folder: folder.name)
def test_every_province_is_drawn_and_every_drawn_province_is_on_the_board(folder: Path) -> None:
    loaded = board(folder)
    path = outlines_path(loaded)
    assert path is not None
    outlines: Any = read(path.read_bytes(), "outlines.yaml", limit=1 << 20).data
    assert set(outlines["provinces"]) == set(loaded.provinces)
    for code, province in loaded.provinces.items():
        shape = outlines["provinces"][code]
        assert ("centre" in shape) == province.centre
        assert set(shape.get("coasts", {})) == set(province.coasts)


def test_the_standard_board_has_everything_that_the_game_has() -> None:
    loaded = board(RULESETS / "diplomacy" / "boards" / "standard")
    kinds = [province.kind for province in loaded.provinces.values()]
    assert (len(kinds), kinds.count("sea"), kinds.count("inland"), kinds.count("coast")) == (75, 19, 14, 42)
    assert len(loaded.centres) == 34
    assert {power: len(loaded.homes(power)) for power in loaded.powers} == {
        "Austria": 3, "England": 3, "France": 3, "Germany": 3, "Italy": 3, "Russia": 4, "Turkey": 3,
    }  # fmt: skip
    assert len(loaded.borders) == 206


def test_fleet_rome_differs_in_one_unit_and_needs_no_code() -> None:
    standard, rome = (board(RULESETS / "diplomacy" / "boards" / name) for name in ("standard", "fleet_rome"))
    assert standard.powers["Italy"].units == ("A ROM", "A VEN", "F NAP")
    assert sorted(rome.powers["Italy"].units) == ["A VEN", "F NAP", "F ROM"]
    assert {p: d for p, d in rome.powers.items() if p != "Italy"} == {
        p: d for p, d in standard.powers.items() if p != "Italy"
    }
    assert rome.borders == standard.borders
    assert list((RULESETS / "diplomacy" / "boards" / "fleet_rome").iterdir()) == [rome_file()]


def rome_file() -> Path:
    return RULESETS / "diplomacy" / "boards" / "fleet_rome" / "board.yaml"


def test_every_fault_in_a_board_is_listed_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "board.yaml").write_text(
        "name: broken\ntitle: Broken\nprovinces:\n"
        "  AAA: {name: Aland, kind: inland}\n  BBB: {name: Bland, kind: sea}\n  CCC: {name: Cland, kind: coast}\n"
        "borders:\n  army: [AAA BBB, AAA CCC, AAA CCC]\n  fleet: [BBB CCX]\n"
        "powers:\n  One: {adjective: Onish, units: [A BBB, F CCC]}\nstarts: 1901\nvictory: 1\n"
    )
    with pytest.raises(Problems) as caught:
        load_board(tmp_path / "broken")
    lines = [(p.line, p.what) for p in caught.value.problems]
    assert lines == [
        (5, "BBB borders nothing"),
        (6, "no fleet can reach CCC, which is a coast"),
        (8, "AAA BBB: no army can walk to BBB"),
        (8, "the border AAA CCC appears twice"),
        (9, "BBB CCX: there is no place 'CCX'"),
        (10, "the board has one power"),
        (11, "One: 'A BBB' cannot be there"),
        (13, "1 supply centres win, but there are only 0"),
    ]
    assert "did you mean 'CCC'?" in str(caught.value)


def test_a_missing_board_is_reported_with_the_names_of_existing_ones() -> None:
    with pytest.raises(Problems) as caught:
        load_board(RULESETS / "diplomacy" / "boards" / "standart")
    assert "did you mean 'standard'?" in str(caught.value)
