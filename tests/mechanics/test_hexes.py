"""Hexes: the coordinates of the Grand Campaign's catalogue (GC-Z-31 to GC-Z-36), and laws on maps of any size."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.mechanics.hexes import DIRECTIONS, OPPOSITE, Grid, axial, distance, hex_at, hex_order

SAMPLE = Grid(15, 12)
GRIDS = st.builds(Grid, st.integers(1, 12), st.integers(1, 12))


@st.composite
def places(draw: st.DrawFn, number: int = 1) -> tuple[Grid, tuple[str, ...]]:
    grid = draw(GRIDS)
    return grid, tuple(draw(st.sampled_from(grid.hexes)) for _ in range(number))


def test_labels_are_column_and_row_and_are_sorted_by_row() -> None:
    """GC-Z-31, GC-Z-32."""
    assert Grid(3, 2).hexes == ("0101", "0201", "0301", "0102", "0202", "0302")
    assert "1512" in SAMPLE
    assert all(off not in SAMPLE for off in ("0001", "1601", "0113", "", "0101x"))
    assert sorted(["0102", "0201", "1001"], key=hex_order) == ["0201", "1001", "0102"]


def test_even_and_odd_rows_have_the_right_neighbours() -> None:
    """GC-Z-33, GC-Z-35, and the checks beside GC-Z-36."""
    assert SAMPLE.neighbours("0304") == {
        "NW": "0303", "NE": "0403", "E": "0404", "SE": "0405", "SW": "0305", "W": "0204",
    }  # fmt: skip
    assert SAMPLE.neighbours("0503") == {
        "NW": "0402", "NE": "0502", "E": "0603", "SE": "0504", "SW": "0404", "W": "0403",
    }  # fmt: skip
    assert axial("0304") == (1, 3)


def test_distances_and_discs_are_counted_in_hexes() -> None:
    """GC-Z-34, GC-Z-36."""
    assert distance("0204", "0504") == 3
    assert distance("0301", "0307") == 6
    assert [len(Grid(20, 20).within("1010", radius)) for radius in range(5)] == [1, 7, 19, 37, 61]


def test_the_map_has_an_edge() -> None:
    """GC-Z-36; a step over a hex off the map may end on it (GR-21)."""
    assert SAMPLE.neighbours("0101") == {"E": "0201", "SE": "0102"}
    assert SAMPLE.step("1512", "E") is None
    assert SAMPLE.step("0101", "W") is None
    assert SAMPLE.step("0102", "W", "NE") == "0101"


def test_areas_are_sorted_by_their_first_hex() -> None:
    assert SAMPLE.areas(["0901", "0302", "0301", "0303", "0801"]) == (("0301", "0302", "0303"), ("0801", "0901"))


def test_of_equal_paths_the_one_with_the_earlier_direction_is_taken() -> None:
    """GC-V-6: ties by NW, NE, E, SE, SW, W at each step."""
    assert SAMPLE.path("0803", "0504", lambda _: True) == ("0704", "0604", "0504")
    assert SAMPLE.path("0803", "0504", lambda label: label != "0604") == ("0703", "0603", "0504")
    assert SAMPLE.path("0803", "0803", lambda _: True) == ()
    assert SAMPLE.path("0803", "0504", lambda label: label not in SAMPLE.neighbours("0803").values()) is None


@given(places())
def test_neighbours_are_one_step_away_and_mutual(case: tuple[Grid, tuple[str, ...]]) -> None:
    grid, (label,) = case
    for way, near in grid.neighbours(label).items():
        assert distance(label, near) == 1
        assert grid.neighbours(near)[OPPOSITE[way]] == label
        assert grid.way(label, near) == way
    assert [*grid.neighbours(label)] == [way for way in DIRECTIONS if grid.step(label, way)]
    assert grid.way(label, label) is None


@given(places(2), st.integers(0, 6))
def test_distance_matches_the_graph(case: tuple[Grid, tuple[str, ...]], radius: int) -> None:
    grid, (one, other) = case
    graph: nx.Graph[str] = nx.Graph([(label, near) for label in grid.hexes for near in grid.neighbours(label).values()])
    graph.add_nodes_from(grid.hexes)
    steps = nx.single_source_shortest_path_length(graph, one)
    assert distance(one, other) == distance(other, one) == steps[other]
    assert grid.reach((one,), lambda _: True) == steps
    assert grid.within(one, radius) == tuple(label for label in grid.hexes if steps[label] <= radius)
    assert grid.ring(one, radius) == tuple(label for label in grid.hexes if steps[label] == radius)


@given(places(2), st.data())
def test_paths_and_areas_agree_with_a_graph(case: tuple[Grid, tuple[str, ...]], data: st.DataObject) -> None:
    grid, (start, end) = case
    open_ = data.draw(st.sets(st.sampled_from(grid.hexes)))
    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(open_)
    graph.add_edges_from((label, near) for label in open_ for near in grid.neighbours(label).values() if near in open_)
    parts = [tuple(sorted(part, key=hex_order)) for part in nx.connected_components(graph)]
    assert list(grid.areas(open_)) == sorted(parts, key=lambda part: hex_order(part[0]))
    ways = graph.copy()
    ways.add_nodes_from((start, end))
    ways.add_edges_from(
        (label, near) for label in (start, end) for near in grid.neighbours(label).values() if near in ways
    )
    path = grid.path(start, end, open_.__contains__)
    if not nx.has_path(ways, start, end):
        assert path is None
        return
    walks = [tuple(walk[1:]) for walk in nx.all_shortest_paths(ways, start, end)] if start != end else [()]

    def turns(walk: tuple[str, ...]) -> list[int]:
        return [
            DIRECTIONS.index(way)
            for here, there in zip((start, *walk), walk, strict=False)
            if (way := grid.way(here, there)) is not None
        ]

    assert path == min(walks, key=turns)


def test_hex_at_gives_the_label() -> None:
    assert hex_at(3, 12) == "0312"
