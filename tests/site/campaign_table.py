"""A small Grand Campaign for tests of its pages: its first season has a battle of two players, one against a garrison, and a skirmish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import seat_file
from adjudicator.core.game.schedule import write_time
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.run import run_game
from adjudicator.core.text.codec import encode
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.grand_campaign.position import Army, Party
from adjudicator.site.story import Story, load_story

GAME = "the-long-shore"
SEATS = ("Anna", "Ben", "Cora")
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
"""Time when the game was opened; each turn is judged a day after the one before."""
PLACES = {"Anna A1": "0905", "Ben A1": "1005", "Cora A1": "1405"}
LEARNED = ("Captain Ioreth, general, level 1, 5 XP, bears Sunsplitter", "Elwen of the Weir")
PARTIES = (
    Party(owner="Anna", id="P1", at="0708", type_="rangers", members=4),
    Party(owner="Ben", id="P1", at="0908", type_="rangers", members=3, gold=200),
)


def begin(folder: Path, **settings: Any) -> Archive:
    """A game at the sheets of its battles: B1 is Cora's A1 against the Hold's garrison, B2 Anna's against Ben's, S1 two parties."""
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(folder)
    data = {
        "ruleset": "grand_campaign", "title": "The Long Shore", "opened": "2026-11-20", "id": "5c" * 8, "seed": "shore",
        "seats": {seat: {"player": f"{seat}’s player", "account": 101 + at} for at, seat in enumerate(SEATS)},
        "schedule": {"turn": "2d"}, "settings": settings,
    }  # fmt: skip
    new_game(archive, GAME, data)
    judge(archive, {seat: {} for seat in SEATS})
    position = last(archive).data.position
    armies = tuple(map(_placed, position.armies))
    decided = {"relations.war": [["Anna", "Ben"]], "armies": encode(armies), "parties": encode(PARTIES)}
    sheets: dict[str, dict[str, Any]] = {
        "Anna": {"armies": ["A1: Prepare to Attack E"], "parties": ["P1: E, Skirmish"]},
        "Ben": {"parties": ["P1: W"]},
        "Cora": {"armies": ["A1: Prepare to Attack SE"]},
    }
    judge(archive, sheets, [{"correct": decided, "reason": "a battle for the tests"}])
    return archive


def _placed(army: Army) -> Army:
    moved = replace(army, at=PLACES.get(army.key, army.at))
    if army.key == "Anna A1":
        return replace(moved, characters=LEARNED)
    # Ben's sellswords are orcs: they won their last battle.
    return replace(moved, faction="orcs_and_goblins", fervour="high") if army.key == "Ben A1" else moved


def last(archive: Archive) -> Turn:
    """The latest turn."""
    return load_turn(archive, load_game(archive, GAME), archive.turns(GAME)[-1])


def judge(archive: Archive, sheets: Mapping[str, Mapping[str, Any]], rulings: Sequence[Mapping[str, Any]] = ()) -> None:
    """Judges the open turn with these sheets and rulings."""
    turn = last(archive)
    (turn.folder / "orders").mkdir(exist_ok=True)
    for seat, sheet in sheets.items():
        (turn.folder / f"orders/{seat_file(seat)}.yaml").write_text(write({**sheet, "final": True}), encoding="utf-8")
    if rulings:
        (turn.folder / "ruling.yaml").write_text(write({"rulings": [*rulings]}), encoding="utf-8")
    with archive.writing():
        list(run_game(archive, GAME, at=write_time(NOON + timedelta(days=len(archive.turns(GAME)))), now=True))


DISPUTED: Mapping[str, Mapping[str, Any]] = {
    "Anna": {
        "results": ["B2: major win"],
        "deeds": ["B2: Captain Ioreth beat Thane Brokka", "B2: White Riders broke Deep Miners"],
        "skirmishes": ["S1: Anna won and lost 0, the other lost 1, 30 gold and 0 Weirdstone taken"],
    },
    "Ben": {
        "results": ["B2: loss"],
        "deeds": ["B2: Captain Ioreth beat Thane Brokka"],
        "skirmishes": ["S1: Anna won and lost 0, the other lost 1, 30 gold and 0 Weirdstone taken"],
    },
    "Cora": {"results": ["B1: win"]},
}
"""Reports that leave B2 to the host, and B1 to be confirmed; both sides agree on the skirmish."""


def story(archive: Archive) -> Story:
    """The game, read for the site."""
    found = load_story(archive, GAME)
    assert found is not None
    return found
