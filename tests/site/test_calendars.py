"""Calendars of deadlines: read back by a reader of the format, with ids that stay when a deadline moves."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.site.calendars import Deadline, calendar
from adjudicator.site.mkdocs.build import build
from tests.site.conftest import empty_site

CHARTER = "schema: 1\narchive: 0a0a0a0a0a0a0a0a\n"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
TURN = "001-spring-1901-movement"
BASE = "https://courtly.example/"


def events(text: bytes) -> list[tuple[str, datetime, datetime, str, str]]:
    """Id, start, end, title and address of each event."""
    found: Any = Calendar.from_ical(text)
    return [
        (str(one["uid"]), one["dtstart"].dt, one["dtend"].dt, str(one["summary"]), str(one["url"]))
        for one in found.walk("VEVENT")
    ]


@pytest.fixture
def folder(plain_books: None, tmp_path: Path) -> Path:
    """An archive with a game of Anna's and six others that has deadlines, one of Ben's that has none, and no published site."""
    empty_site(tmp_path)
    (tmp_path / "games/archive.yaml").write_text(CHARTER)
    for slug, first, schedule in (("timed", "Anna", {"turn": "2d"}), ("open-end", "Ben", None)):
        data: dict[str, Any] = {
            "ruleset": "diplomacy", "title": "Ends; and, means" if schedule else "Open", "opened": "2026-11-20", "seed": "s",
            "seats": {seat: {"player": "P" if at else first, "account": 100 + at} for at, seat in enumerate(POWERS)},
        }  # fmt: skip
        new_game(Archive(tmp_path), slug, data | ({"schedule": schedule} if schedule else {}))
    return tmp_path


@pytest.mark.slow
def test_a_game_its_players_and_the_archive_have_calendars(folder: Path) -> None:
    site = build(folder, folder / "public").parent
    there = (
        f"{TURN}.timed.0a0a0a0a0a0a0a0a@courtly",
        datetime(2026, 11, 21, 23, 45, tzinfo=UTC),
        datetime(2026, 11, 22, 0, 0, tzinfo=UTC),
        "Ends; and, means: orders for Spring 1901, movement",
        f"{BASE}games/timed/{TURN}/index.html",
    )
    for name in ("games/timed/deadlines.ics", "deadlines.ics", "players/anna/deadlines.ics", "players/p/deadlines.ics"):
        assert events((site / name).read_bytes()) == [there], name
    assert events((site / "players/ben/deadlines.ics").read_bytes()) == [], "it stays, for those who subscribe to it"
    assert not (site / "games/open-end/deadlines.ics").exists()
    for page in ("index.html", "games/timed/index.html", "players/ben/index.html"):
        assert 'href="deadlines.ics"' in (site / page).read_text(encoding="utf-8"), page
    assert "deadlines.ics" not in (site / "games/open-end/index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_deadline_that_moves_is_the_same_event(folder: Path) -> None:
    site = build(folder, folder / "public").parent
    (before,) = events((site / "deadlines.ics").read_bytes())
    path = folder / "games/timed" / TURN / "turn.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("deadline: 2026-11-22T00:00Z") == 1
    path.write_text(text.replace("2026-11-22T00:00Z", "2026-11-25T18:30Z"), encoding="utf-8")
    build(folder, folder / "public")
    (after,) = events((site / "deadlines.ics").read_bytes())
    assert before[0] == after[0]
    assert after[2] == datetime(2026, 11, 25, 18, 30, tzinfo=UTC)
    path.write_text(
        text.replace("deadline: 2026-11-22T00:00Z\n", "deadline: 2026-11-22T00:00Z\npaused: true\n"), encoding="utf-8"
    )
    build(folder, folder / "public")
    assert events((site / "deadlines.ics").read_bytes()) == []


def test_any_text_of_a_player_stays_text() -> None:
    """RFC 5545: lines are folded at 75 bytes; commas, semicolons and line breaks are escaped."""
    title = "É" * 90 + "; a,b\\c\nEND:VCALENDAR\r\nBEGIN:VEVENT"
    one = Deadline("a@courtly", "2026-11-22T00:00Z", title, "games/a/b/index.html", ())
    text = calendar("x\ny", [one], BASE)
    assert max(map(len, text.split(b"\r\n"))) <= 75
    lines = text.split(b"\r\n")
    assert (lines.count(b"BEGIN:VEVENT"), lines.count(b"END:VCALENDAR")) == (1, 1)
    assert len(events(text)) == 1
    assert calendar("x\ny", [one], BASE) == text
