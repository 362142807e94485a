"""The one recorded season of Al-Andalus: shown as recorded, judged by nobody, counted nowhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.check import check_archive
from adjudicator.core.jobs.run import run_game
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.al_andalus import RULESET
from adjudicator.rulesets.al_andalus.events import OWN, HeldBack
from adjudicator.rulesets.al_andalus.orders import PrinceSheet
from adjudicator.site.game import game_page
from adjudicator.site.story import load_story
from adjudicator.site.turn import map_of, turn_page

ROOT = Path(__file__).parents[2]
SLUG, TURN = "fall-1085", "001-fall-1085-movement"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    shutil.copytree(ROOT / "games" / SLUG, tmp_path / "games" / SLUG)
    return Archive(tmp_path)


def test_the_seven_recorded_orders_are_legal(archive: Archive) -> None:
    """The recorded facts: seven orders, five plunders for 5 dinars (AA-G-1)."""
    turn = load_turn(archive, load_game(archive, SLUG), TURN)
    orders: dict[str, list[str]] = {}
    for verdict in turn.data.verdicts:
        orders.setdefault(verdict.seat, []).append(verdict.order)
    wazir = orders.pop("First Wazir")
    assert wazir == ["Plunder"]
    assert sum(map(len, orders.values())) == 7
    for prince, lines in orders.items():
        remarks = RULESET.rules.check(turn.data.position, prince, PrinceSheet(orders=tuple(lines)))
        assert [remark.what for remark in remarks if remark.level == "error"] == []
    assert [(verdict.result, verdict.reason) for verdict in turn.data.verdicts] == [
        *[("void", "plunder-held")] * 5, ("succeeds", "unopposed"), ("not recorded", "not-recorded"), ("succeeds", "plundered"),
    ]  # fmt: skip
    assert [event.dinars for event in turn.data.events] == [5]


def test_rules_that_the_source_does_not_state_are_not_marked_as_stated(archive: Archive) -> None:
    """FA-7: neither a draw by the princes' vote nor a first season is stated; the season was played after the rules were posted."""
    rulebook = (ROOT / "adjudicator" / "rulesets" / "al_andalus" / "RULES.md").read_text(encoding="utf-8")
    assert "**AA-K-2.** *Ours.* " in rulebook
    assert "\n*Ours:* the first season is spring.\n" in rulebook
    game = load_game(archive, SLUG)
    assert game.data.opened >= "2014-10-25"
    assert {seat.player for seat in game.data.seats.values()} == {"left out"}


def test_a_record_is_shown_and_never_judged(archive: Archive) -> None:
    before = {path: path.read_bytes() for path in archive.root.rglob("*") if path.is_file()}
    assert list(run_game(archive, SLUG, at="2030-01-01T00:00Z", now=True)) == []
    assert check_archive(archive) == []
    assert {path: path.read_bytes() for path in archive.root.rglob("*") if path.is_file()} == before
    checked = verify_game(archive, SLUG)
    assert (checked.turns, checked.problems) == (0, ())
    (archive.root / "games" / SLUG / TURN / "map.svg").write_bytes(b"<svg/>")
    assert [fault.what for fault in verify_game(archive, SLUG).problems] == [
        "drawing the map again gives a different one"
    ]


def test_the_pages_of_a_record_count_nobody(archive: Archive) -> None:
    story = load_story(archive, SLUG)
    assert story is not None
    assert story.state == "record"
    page, turn = (
        str(game_page(story, "../../", map_of(story, story.last))),
        str(turn_page(story, 0, "<svg></svg>", "../../../")),
    )
    assert "a record: Fall 1085, movement" in page
    for text in (page, turn):
        for word in ("Standings", "Supply centres over time", "Dinars", "House rules", "proof", "order desk"):
            assert word not in text, word
    assert "Its outcome is not on record." in turn
    assert "This is a record" in turn
    assert "0 supply centres" not in (archive.root / "games" / SLUG / TURN / "map.svg").read_text(encoding="utf-8")


def test_a_game_by_stand_ins_shows_every_kind_of_event() -> None:
    """The archive's own game: marked as played by nobody, ended, and with all but one of the facts that Al-Andalus adds to the war."""
    ours = Archive(ROOT)
    game = load_game(ours, "the-wazirs-of-1080")
    assert {player.player for player in game.data.seats.values()} == {"a stand-in"}
    assert "stand-ins" in (game.data.made or "")
    assert ours.has_ended(game.slug)
    seen = {type(event) for name in ours.turns(game.slug) for event in load_turn(ours, game, name).data.events}
    assert set(OWN.kinds) - seen == {HeldBack}  # a prince who orders all their units: stand-ins leave one to the wazir
