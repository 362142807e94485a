"""Timelines and legends with attendants: every span is in words, and letters stay inside their bars and their rows."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from adjudicator.core.contract.pages import Side, Timeline
from adjudicator.render import timeline
from adjudicator.render.scenes import Attendant
from adjudicator.render.timeline import LEFT, LETTER, RIGHT, WIDTH
from adjudicator.rulesets import al_andalus
from adjudicator.rulesets.al_andalus.picture import draw
from adjudicator.rulesets.al_andalus.position import WAZIRS, Command

SVG = "{http://www.w3.org/2000/svg}"
SIDES = {"Granada": Side(8, "Granada", "G"), "Seville": Side(2, "Seville", "S")}
LABELS = ("Spring 1080", "Fall 1080", "Spring 1081", "Fall 1081")


def test_a_timeline_shows_who_was_allied_with_whom() -> None:
    rows = {"First": ("Granada", "Granada", None, "Seville"), "Second": (None, None, None, "executed")}
    root = ET.fromstring(timeline(Timeline("Courts", LABELS, rows, "free"), SIDES))
    assert root.findtext(f"{SVG}desc") == (
        "Courts, Spring 1080 to Fall 1081. At the end: First: Seville; Second: executed."
    )
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert texts == ["First: Seville", "G", "S", "Second: executed", "×", "Spring 1080", *texts[6:]]
    assert [node.findtext(f"{SVG}title") for node in root.findall(f"{SVG}g")] == [
        "First: Granada, Spring 1080 to Fall 1080", "First: Seville, Fall 1081", "Second: executed, Fall 1081",
    ]  # fmt: skip


@pytest.mark.parametrize("count", [1, 3, 30, 200])
def test_bars_and_letters_stay_in_the_picture(count: int) -> None:
    labels = tuple(f"Spring {1080 + index}" for index in range(count))
    row = tuple(("Granada", "Seville", None)[index % 3] for index in range(count))
    text = timeline(Timeline("Courts", labels, {"First": row}, "free"), SIDES)
    bars = [
        (float(x), float(w)) for w, x in re.findall(r'<rect class="bar[^"]*"[^>]*width="([\d.]+)" x="([\d.]+)"', text)
    ]
    assert len(bars) == sum(value is not None for value in row)
    assert all(x >= LEFT and x + wide <= WIDTH - RIGHT + 0.2 for x, wide in bars)
    letters = len(re.findall('class="lt( bg)?"', text))
    assert letters == sum(wide >= LETTER for _, wide in bars)


def test_courts_and_generals_are_on_the_map() -> None:
    rules = al_andalus.RULESET
    settings = rules.types.settings(generals=True)
    start = rules.rules.setup(settings, None)  # type: ignore[arg-type]  # nothing is rolled
    first, second, third = WAZIRS
    position = replace(
        start,
        courts={first: "Granada"},
        purses={first: 12, second: 3, third: 0},
        treasuries={**start.treasuries, "Seville": 5},
        generals={first: Command(unit="A Granada")},
    )
    scene = draw(position, None)
    assert scene.attendants == (
        Attendant(None, "Badajoz", "no wazir", "–"),
        Attendant(None, "Castille", "no wazir", "–"),
        Attendant(first, "Granada", "First Wazir 12", "12"),
        Attendant(None, "Seville", "no wazir +5", "– +5"),
        Attendant(None, "Zaragoza", "no wazir", "–"),
        Attendant(second, None, "Second Wazir 3, free", "3 free"),
        Attendant(third, None, "Third Wazir 0, free", "0 free"),
    )
    led = [(token.place, token.leader, token.title) for token in scene.tokens if token.leader]
    assert led == [("GRA", first, "Granada: A Granada, led by First Wazir")]
    assert len({side.letter for side in scene.sides.values()}) == len(scene.sides)
    picture = rules.pictures.paint(scene)
    assert "Granada: A Granada, led by First Wazir" in picture
    assert "In treasuries: Seville 5." in picture
    executed = draw(replace(position, courts={}, generals={}, executed=(first,), purses={second: 3, third: 0}), None)
    assert executed.attendants[5] == Attendant(first, None, "First Wazir, executed", "dead")
    # A game without attendants has one row, a record has no rows.
    heights = [
        int(re.findall(r'viewBox="0 0 \d+ (\d+)"', rules.pictures.paint(smaller))[0])
        for smaller in (scene, replace(scene, attendants=()), replace(scene, attendants=(), standings=()))
    ]
    assert heights[0] > heights[1] > heights[2]
