"""Faces of cards: all the text is there, fits, and does not collide, whatever a host writes."""

from __future__ import annotations

import itertools
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from adjudicator.render import render_card
from adjudicator.render.scenes import CardFace
from adjudicator.rulesets.heir_apparent.cardset import cards_named
from adjudicator.rulesets.heir_apparent.faces import cards_of, face_of
from tests.conftest import Paper

SVG = "{http://www.w3.org/2000/svg}"
SET = cards_named("avermark")
FACES = {one.id: face_of(SET, one) for _, one in SET.titles()}
SIGNS = {f"Sign{number}": "M-9 -9H9V9H-9Z" for number in range(5)}
LONGEST = CardFace(
    name="longest", title="Wilhelmina Maximowna of Mummelswumm & M", kind="Mandatory Contest of Politics, Palace",
    said=("Answers: event revealed, card played, melee declared or outcome known.", "Women who move more tokens may win <3> at once. " * 5),
    description="d", numbers=(("Politics", 5), ("Combat", 5)), signs=SIGNS, flavour="Who wants more than a word of wisdom must wait a while, and want what we wish. Mmmmm wwww!"[:90],
    foot="A set with a long name of forty letters! · a-card-with-a-long-id · 3 copies",
)  # fmt: skip
DRAWN = {**FACES, "longest": LONGEST}
"""Every shipped card, and one with the longest text allowed."""


def texts(face: CardFace) -> list[str]:
    root = ET.fromstring(render_card(face))
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("name", DRAWN)
def test_a_face_shows_everything_on_the_card(name: str) -> None:
    face = DRAWN[name]
    shown = " ".join(texts(face))
    flat = " ".join(shown.split())
    assert "…" not in shown.removesuffix(texts(face)[-1])
    for said in (face.title, face.kind, *face.said, face.flavour):
        assert " ".join(said.split()) in flat
    for label, number in face.numbers:
        assert f"{number} {label}" in flat
    assert [sign for sign in face.signs if sign not in flat] == []
    root = ET.fromstring(render_card(face))
    assert root.findtext(f"{SVG}title") == face.title
    assert root.findtext(f"{SVG}desc") == face.description


def test_the_description_says_the_same_in_words() -> None:
    assert (
        FACES["lord-marrow"].description == "Lord Marrow: Character · 6 points. Politics 4, Combat 1. Noble, Wealthy."
    )
    assert FACES["grain-toll"].description.startswith(
        "Grain Toll: Challenge of Politics, Money. Success: each supporter"
    )


def test_ids_of_several_faces_on_a_page_differ() -> None:
    ids = [one for face in FACES.values() for one in re.findall(' id="([^"]+)"', render_card(face))]
    assert len(ids) == len({*ids}) > 40
    assert [card.name for card in cards_of(SET)] == [*dict.fromkeys(card.name for card in cards_of(SET))]


def test_the_same_card_has_the_same_bytes() -> None:
    assert render_card(LONGEST) == render_card(LONGEST)
    assert max(len(render_card(face)) for face in DRAWN.values()) < 8000


MEASURED = """
() => {
  const svg = document.querySelector("svg.cf");
  const whole = svg.getBoundingClientRect();
  const box = (one) => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const size = one.tagName === "text" ? parseFloat(getComputedStyle(one).fontSize) : 0;
    const scale = svg.getScreenCTM().a, cut = 0.2 * size * scale;
    return {what: one.textContent || one.getAttribute("href"), left, right, top: top + cut, bottom: bottom - cut};
  };
  return {wide: whole.right, high: whole.bottom, things: [...svg.querySelectorAll("text, use")].map(box)};
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_nothing_on_a_card_overlaps(paper: Paper, name: str) -> None:
    page = paper(390)
    page.set_content(f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{render_card(DRAWN[name])}")
    seen: Any = page.evaluate(MEASURED)
    assert len(seen["things"]) >= 4
    for thing in seen["things"]:
        assert 0 <= thing["left"] <= thing["right"] <= seen["wide"], thing
        assert 0 <= thing["top"] <= thing["bottom"] <= seen["high"], thing
    for thing, other in itertools.combinations(seen["things"], 2):
        across = min(thing["right"], other["right"]) - max(thing["left"], other["left"])
        down = min(thing["bottom"], other["bottom"]) - max(thing["top"], other["top"])
        assert min(across, down) <= 2, (thing, other)
