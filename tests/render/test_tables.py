"""Tables with cards: their visible content, in words and in a browser."""

from __future__ import annotations

import itertools
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from adjudicator.core.contract.pages import Side
from adjudicator.core.jobs.stand_in import chance_of
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.render import render_table
from adjudicator.render.scenes import Chair, Heap, Pile, TableCard, TableScene
from adjudicator.rulesets.heir_apparent.picture import draw
from adjudicator.rulesets.heir_apparent.position import Phase, Settings, seen_by
from adjudicator.rulesets.heir_apparent.resolve import resolve, setup
from adjudicator.rulesets.heir_apparent.worth import write
from tests.conftest import Paper, first_of

SVG = "{http://www.w3.org/2000/svg}"
LONGEST = "Wilhelmina Maximowna of M"
SIDES = {seat: Side(at, f"{seat} {LONGEST}"[:40], seat) for at, seat in enumerate("ABCDE", 1)}


def crowded() -> TableScene:
    """The longest names, every sign, tucked cards, notes, a hand of twelve, more tokens than are drawn."""
    signs = {f"sign{number}": "M-9 -9H9V9H-9Z" for number in range(5)}
    cards = tuple(
        TableCard(
            name=f"card-{number}", title=f"{LONGEST} {number}", numbers=(number, 19), tooltip="<&>", signs=tuple(signs)[: number + 1],
            turned=number % 2 == 0, chief=number == 0, tucked=("The Ferryman's Pole of the Salt Road",) * (number % 3), note="changed sides", gone=number == 4,
        )
        for number in range(7)
    )  # fmt: skip
    chairs = tuple(
        Chair(seat, side.name, ("bids first", "99 favor", "hand 12", "2 reopen tokens"), cards, {f"card-{number}": LONGEST for number in range(12)} if seat == "A" else {}, turn=seat == "B")
        for seat, side in SIDES.items()
    )  # fmt: skip
    return TableScene(
        title="A table",
        description="Everything at once.",
        sides=SIDES,
        signs=signs,
        chairs=chairs,
        middle=(LONGEST, "Mandatory Contest of Politics, Money", "A word and another. " * 12),
        heaps=tuple(
            Heap(side.name[:22], 60 - 20 * at, seat) for at, (seat, side) in enumerate(SIDES.items()) if at < 4
        ),
        row=cards[:5],
        piles=tuple(Pile(f"Pile number {number}", 55 * number) for number in range(6)),
        lying=(LONGEST,) * 4,
        names={card.name: card.title for card in cards},
    )


def game(players: int) -> list[TableScene]:
    """The tables of a game: one of each kind of turn, for the public and for a seat."""
    position, scenes, seen = setup(Settings(players=players), NamedDice(b"table")), [], set[Phase]()
    for number in itertools.count(1):
        chance = chance_of("table", str(number))
        sheets = {seat: write(seen_by(position, seat), seat, chance) for seat in position.ring}
        done = resolve(position, sheets, NamedDice(b"%d" % number))
        if position.phase not in seen or position.turn == 2 * players:
            seen.add(position.phase)
            scenes += [draw(seen_by(position, None), done), draw(seen_by(position, "First"), None)]
        if done.ended is not None:
            return scenes
        position = done.position
    raise AssertionError


SCENES = {
    "crowded": crowded(),
    **{f"{players}-{at}": scene for players in (3, 5) for at, scene in enumerate(game(players))},
}


@pytest.mark.parametrize("name", SCENES)
def test_a_table_shows_everything_in_its_scene(name: str) -> None:
    """Every name and number is in the picture, the same scene gives the same bytes, and it has at most 60 KB."""
    scene = SCENES[name]
    svg = render_table(scene)
    assert svg == render_table(scene)
    assert len(svg.encode()) <= 60_000
    root = ET.fromstring(svg)
    assert (root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")) == (scene.title, scene.description)
    words = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    for chair in scene.chairs:
        assert chair.title in words
        for card in chair.cards:
            assert card.title.split(" ")[0] in words
    for pile in scene.piles:
        assert f"{pile.cards} {pile.title}" in words
    for heap in scene.heaps:
        assert re.search(rf"{heap.title[:8]}[^0-9]* {heap.tokens}\b", words)
    tooltips = [title.text for title in root.iter(f"{SVG}title")][1:]
    assert tooltips == [card.tooltip for card in shown(scene)]


def shown(scene: TableScene) -> list[TableCard]:
    """The cards in drawing order."""
    half = (len(scene.chairs) + 1) // 2
    before, after = (
        [card for chair in some for card in chair.cards] for some in (scene.chairs[:half], scene.chairs[half:])
    )
    return [*before, *scene.row, *after]


def test_cards_carry_their_names_for_scripts() -> None:
    """Each card carries its name, if requested."""
    scene = SCENES["3-0"]
    assert "data-region" not in render_table(scene)
    told = re.findall('data-region="([^"]*)"', render_table(scene.to_click()))
    assert told == [card.name for card in shown(scene)]
    assert {*told} == {*scene.names}


MEASURED = """
() => {
  const svg = document.querySelector("svg.tb");
  const scale = svg.getScreenCTM().a;
  const box = (one) => {
    const {left, right, top, bottom} = one.getBoundingClientRect();
    const size = one.tagName === "text" ? parseFloat(getComputedStyle(one).fontSize) : 0;
    const cut = 0.2 * size;
    return {what: one.textContent || one.getAttribute("href") || one.getAttribute("class"), size: size * scale, left: left / scale, right: right / scale, top: top / scale + cut, bottom: bottom / scale - cut};
  };
  return {
    wide: svg.getBoundingClientRect().right / scale, bottom: svg.getBoundingClientRect().bottom / scale,
    things: [...svg.querySelectorAll("text, use, .sm, .pt, .cr")].filter((one) => !one.closest("defs") && !one.matches(".nu") && !(one.matches(".sm") && !one.parentNode.querySelector(":scope > title"))).map(box),
  };
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("wide", first_of([390, 1200], 1))
@pytest.mark.parametrize("name", SCENES)
def test_nothing_overlaps_on_a_phone_or_a_desktop(paper: Paper, name: str, wide: int) -> None:
    page = paper(wide)
    page.set_content(f"<!doctype html><style>body{{margin:0}}svg{{display:block}}</style>{render_table(SCENES[name])}")
    seen: Any = page.evaluate(MEASURED)
    things = seen["things"]
    assert len(things) > 30
    for thing in things:
        assert thing["left"] >= 0, thing
        assert thing["right"] <= seen["wide"], thing
        assert thing["bottom"] <= seen["bottom"], thing
        assert thing["size"] == 0 or thing["size"] >= 9, thing
    for thing, other in itertools.combinations(things, 2):
        across = min(thing["right"], other["right"]) - max(thing["left"], other["left"])
        down = min(thing["bottom"], other["bottom"]) - max(thing["top"], other["top"])
        assert min(across, down) <= 3, (thing, other)
