"""Charts: nothing that is written runs out of the picture, however long the names and the labels are."""

from __future__ import annotations

import re

import pytest

from adjudicator.core.contract.pages import Chart, Side
from adjudicator.render import line_chart
from adjudicator.render.chart import WIDTH

PHONE = 12
"""The width of a letter at the size it has on a phone; the picture is as wide as WIDTH."""

DIGIT = 14
"""The width of a digit there."""


@pytest.mark.parametrize("seats", [("A", "B"), ("First Wazir", "Second Wazir of the long name")])
@pytest.mark.parametrize("count", [2, 9, 40])
@pytest.mark.parametrize("label", ["19", "Spring 10"])
def test_labels_stay_in_the_picture_and_off_each_other(seats: tuple[str, ...], count: int, label: str) -> None:
    labels = tuple(f"{label}{index:02d}" for index in range(count))
    sides = {seat: Side(slot, seat, seat[0]) for slot, seat in enumerate(seats, 1)}
    text = line_chart(Chart("Dinars", "dinars", labels, {seat: tuple(range(count)) for seat in seats}), sides)
    ends = 0.0
    for kind, x, words in re.findall(r'<text class="(ax[^"]*)" x="([\d.]+)" y="366">([^<]+)<', text):
        wide, at = PHONE * len(words), float(x)
        start = at if kind == "ax st" else at - wide if kind == "ax en" else at - wide / 2
        assert start >= ends - 8, (words, start, ends)
        ends = start + wide
        assert ends <= WIDTH
    assert ends
    names = re.findall(r'<text class="en2[^"]*" x="([\d.]+)"[^>]*>([^<]+)<', text)
    assert [words.rpartition(" ")[0] for _, words in names] == list(seats)
    assert all(float(x) + PHONE * len(words) <= WIDTH for x, words in names)


@pytest.mark.parametrize(
    ("top", "step"), [(3, 1), (8, 2), (45, 5), (51, 10), (345, 50), (1_200, 200), (99_999, 10_000)]
)
def test_there_are_ten_lines_at_most(top: int, step: int) -> None:
    text = line_chart(Chart("Stocks", "money", ("1", "2"), {"A": (0, top)}), {"A": Side(1, "A", "A")})
    labels = re.findall(r'class="ax en" x="(\d+)"[^>]*>(\d+)<', text)
    assert all(int(x) >= DIGIT * len(number) for x, number in labels)
    values = [int(number) for _, number in labels]
    assert values == list(range(0, values[-1] + 1, step))
    assert len(values) <= 11
    assert values[-1] >= top
