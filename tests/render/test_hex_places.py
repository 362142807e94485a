"""Placement on a map of hexes: nothing covers the number of a hex, the one thing that orders need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.render.text import width
from adjudicator.rulesets.grand_campaign import RULESET
from adjudicator.site.story import load_story

Box = tuple[float, float, float, float]
"""Left, upper, right, lower."""
GAME = "the-amber-reach"


@pytest.fixture(scope="module")
def pictures(root: Path) -> dict[str, str]:
    """The map of every turn of a whole campaign."""
    story = load_story(Archive(root), GAME)
    assert story is not None
    return {turn.name: RULESET.pictures.picture(turn.data.position, turn.resolution).svg for turn in story.turns}


def numbers(svg: str) -> Iterator[Box]:
    """The boxes of the hexes' numbers."""
    for row in re.finditer(r'<text y="(\d+)">((?:<tspan x="\d+">\d{4}</tspan>)+)</text>', svg):
        for x in re.findall(r'<tspan x="(\d+)">', row[2]):
            yield float(x) - 11, float(row[1]) - 7, float(x) + 11, float(row[1])


def names(svg: str) -> Iterator[Box]:
    """The boxes of the places' names, without their tails."""
    for text in re.finditer(r'<text x="([\d.]+)" y="([\d.]+)" class="hnm n2">([^<]+)</text>', svg):
        x, y, half = float(text[1]), float(text[2]), width(text[3], 11) / 2
        yield x - half, y - 8, x + half, y


def tags(svg: str) -> Iterator[Box]:
    """The boxes of armies' and parties' tags."""
    for one in re.findall(r'<rect [^>]*class="hk(?: hy)?"[^>]*>', svg):
        said = {key: float(value) for key, value in re.findall(r'\b(x|y|width|height)="([\d.]+)"', one)}
        yield said["x"], said["y"], said["x"] + said["width"], said["y"] + said["height"]


def marks(svg: str) -> Iterator[Box]:
    """The boxes of marks for battles, arrivals and departures; a little smaller, since they are round."""
    for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="10" class="h"', svg):
        yield float(x) - 9, float(y) - 9, float(x) + 9, float(y) + 9


def over(one: Box, other: Box) -> bool:
    """True if two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_no_number_is_covered(pictures: dict[str, str]) -> None:
    """F15: not by a tag, a mark or a name."""
    seen = 0
    for name, svg in pictures.items():
        labels = [*numbers(svg)]
        assert len(labels) == 21 * 15, name
        drawn = [*tags(svg), *marks(svg), *names(svg)]
        seen += len(drawn)
        assert [(label, one) for label in labels for one in drawn if over(label, one)] == [], name
    assert seen > 500


def test_no_battle_covers_a_tag_and_no_tag_another(pictures: dict[str, str]) -> None:
    """F15: marks are between the tags of neighbours; two parties of a hex are beside each other."""
    crowded = 0
    for svg in pictures.values():
        here = [*tags(svg)]
        covered = [
            pair for pair in combinations([(x + 3, y + 1, u - 3, v - 1) for x, y, u, v in here], 2) if over(*pair)
        ]
        crowded += len(covered)
        crowded += sum(over(mark, (x + 6, y + 3, u - 6, v - 3)) for mark in marks(svg) for x, y, u, v in here)
    assert crowded == 0
