"""Charts of the archive's games: labelled in the games' own units, with every value in a table that links to the turns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

FIGURE = re.compile(r'<figure class="courtly-chart">(.*?)</figure>', re.DOTALL)
ROW = re.compile(r'<tr><th scope="row">(?:<a href="([^"]+)">)?([^<]+)(?:</a>)?</th>(.*?)</tr>')


def figures(page: Path) -> list[str]:
    return FIGURE.findall(page.read_text(encoding="utf-8"))


def names(figure: str) -> list[str]:
    """The labels on the first picture's time axis, on a wide screen."""
    return re.findall(r'<text class="ax(?: wd)?" [^>]*>([^<]+)</text>', figure.split("</svg>", maxsplit=1)[0])


def test_time_in_charts_is_in_years_or_nights(site: Path) -> None:
    """FR-12."""
    centres, dinars, courts = figures(site / "games/the-wazirs-of-1080/index.html")
    assert names(centres) == [str(year) for year in range(1080, 1099, 2)]
    assert names(dinars) == ["1080", "1085", "1090", "1095"]
    assert names(courts) == [str(year) for year in range(1080, 1099, 2)]
    assert len(dinars.split("<svg")) - 1 == 8
    for figure in figures(site / "games/fighting-over-farna/index.html"):
        assert names(figure) == [str(night) for night in range(1, 13)]
        assert ">Night</text>" in figure
    (centres,) = figures(site / "games/austria-alone/index.html")
    assert len(centres.split("<svg")) - 1 == 7
    assert names(centres) == ["1901", "1903", "1905", "1907"]
    assert "<title>Winter 1908: 19</title>" in centres


def test_the_tables_behind_charts_link_to_turns(site: Path) -> None:
    """FR-12."""
    rows = ROW.findall(figures(site / "games/austria-alone/index.html")[0])
    assert [label for _, label, _ in rows] == [*(str(year) for year in range(1901, 1909)), "Winter 1908"]
    assert rows[0][0] == "001-spring-1901-movement/index.html"
    assert rows[1][0].endswith("spring-1902-movement/index.html")
    # The game ended there: no turn begins with that position.
    assert rows[-1][0] == ""
    assert re.findall(r"<td>(\d+)</td>", rows[-1][2])[0] == "19"
    for number, (to, label, _) in enumerate(ROW.findall(figures(site / "games/fighting-over-farna/income.html")[0]), 1):
        assert label == f"Night {number}"
        assert to.endswith(f"-night-{number}/index.html")


def test_every_chart_of_the_archive_has_its_table(site: Path) -> None:
    """FR-12."""
    counted = 0
    for page in sorted(site.rglob("*.html")):
        shown = figures(page)
        ids = re.findall(r' id="([^"]+)"', page.read_text(encoding="utf-8")) if shown else []
        assert len(ids) == len(set(ids)), page
        for figure in shown:
            # A family tree is not a chart.
            if 'class="cm ch kn"' in figure:
                continue
            counted += 1
            assert figure.count("<details") == 1, page
            columns = len(re.findall('<th scope="col">', figure)) - 1
            table = ROW.findall(figure)
            assert len(table) >= 2
            assert all(cells.count("<td>") == columns for *_, cells in table)
            assert "<script" not in figure
            assert " style=" not in figure
            assert figure.count("<style") == 1
    assert counted >= 28
