"""Histories: a game's turns for its chapters."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.core.contract.history import History
from adjudicator.core.contract.pages import At, Chart, Table, Timeline
from adjudicator.core.contract.resolution import Resolution


@dataclass(frozen=True)
class Crowned:
    """A fact for these tests."""

    who: str


@dataclass(frozen=True)
class Died:
    """Another fact for these tests."""

    who: str


def turn(year: int, *facts: Crowned | Died) -> Resolution[int, Crowned | Died]:
    return Resolution(year, (), facts)


TURNS = (turn(1066, Died("Harold"), Crowned("William")), turn(1067), turn(1087, Died("William")))
LOG = History[int, Crowned | Died](TURNS, 1100, lambda year: f"Year {year}", ("Year", lambda year: year))


def test_a_turn_is_named_by_its_position_and_links_to_its_page() -> None:
    assert [LOG.when(at) for at in range(3)] == [At("Year 1066", 0), At("Year 1067", 1), At("Year 1087", 2)]
    assert LOG.when(2, "deaths") == At("Year 1087", 2, "deaths")
    assert [LOG.after(at) for at in range(3)] == [1067, 1087, 1100]
    running = History(TURNS, None, str)
    assert (LOG.last, running.last) == (1100, 1087)
    assert running.after(2) == 1087, "nothing later is known while the game runs"


def test_facts_come_in_order_with_their_turns() -> None:
    assert [*LOG.facts()] == [(0, Died("Harold")), (0, Crowned("William")), (2, Died("William"))]
    assert [*LOG.facts(Died)] == [(0, Died("Harold")), (2, Died("William"))]


def test_a_table_has_a_row_for_each_fact_and_is_left_out_without_any() -> None:
    columns = {Died: lambda fact: (fact.who, "died"), Crowned: lambda fact: (fact.who, "was crowned")}
    assert LOG.table("Kings", ("Turn", "King", "What"), columns) == (
        Table(
            "Kings",
            ("Turn", "King", "What"),
            (
                (At("Year 1066", 0), "Harold", "died"),
                (At("Year 1066", 0), "William", "was crowned"),
                (At("Year 1087", 2), "William", "died"),
            ),
        ),
    )
    calm = History[int, Crowned | Died](TURNS[1:2], None, str)
    assert calm.table("Kings", ("Turn", "King", "What"), columns) == ()


def test_charts_and_timelines_name_the_unit_of_time() -> None:
    chart = LOG.chart("Castles", "castles", (0, 2), {"William": (1, 9)})
    assert chart == Chart(
        "Castles", "castles", ("Year 1066", "Year 1087"), {"William": (1, 9)}, "Year", ("1066", "1087"), (0, 2)
    )
    timeline = LOG.timeline("Kings", "nobody", (0, 1), {"London": ("William", None)})
    rows = {"London": ("William", None)}
    assert timeline == Timeline("Kings", ("Year 1066", "Year 1067"), rows, "nobody", "Year", ("1066", "1067"), (0, 1))
