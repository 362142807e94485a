"""A page shows that its turn is due, though it was built before: the scheduled job may start hours late (H3-11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.site.mkdocs.build import build
from tests.site.conftest import empty_site, served

CHARTER = "schema: 1\narchive: 0a0a0a0a0a0a0a0a\nrepository: anna/our-games\n"
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
FIRST = "001-spring-1901-movement"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site with a game that is due on 22 November at midnight, waits half a day longer, and one without deadlines."""
    folder = tmp_path_factory.mktemp("due")
    empty_site(folder)
    (folder / "games/archive.yaml").write_text(CHARTER)
    for slug, schedule in (("timed", {"turn": "2d", "grace": "12h"}), ("open-end", None)):
        data: dict[str, Any] = {
            "ruleset": "diplomacy", "title": slug.title(), "opened": "2026-11-20", "seed": "s",
            "seats": {seat: {"player": "P", "account": 100 + at} for at, seat in enumerate(POWERS)},
        }  # fmt: skip
        new_game(Archive(folder), slug, data | ({"schedule": schedule} if schedule else {}))
    with served(build(folder, folder / "public").parent) as address:
        yield address


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
@pytest.mark.parametrize("page_of", ["index.html", f"{FIRST}/index.html"])
def test_a_page_says_that_its_turn_is_due_and_where_to_start_it(browser: Browser, site: str, page_of: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    for now, shown in (
        ("2026-11-22T11:59:00Z", False),
        ("2026-11-22T12:20:00Z", False),
        ("2026-11-22T12:31:00Z", True),
    ):
        page.clock.set_fixed_time(now)
        page.goto(f"{site}games/timed/{page_of}")
        line = page.locator(".courtly-due")
        assert line.count() == 1
        assert line.is_visible() is shown, now
    assert line.inner_text().startswith("This turn is due but not yet judged. Nothing that was sent in time is lost.")
    address = line.get_by_role("link", name="Run workflow").get_attribute("href")
    assert address == "https://github.com/anna/our-games/actions/workflows/adjudicate.yml"
    page.goto(f"{site}games/open-end/{page_of}")
    assert page.locator(".courtly-due").count() == 0
    context.close()


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
def test_without_scripts_a_page_has_no_such_line(browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}games/timed/index.html")
    assert page.locator(".courtly-due").is_hidden()
    context.close()


def test_a_judged_or_paused_turn_is_not_due(tmp_path: Path) -> None:
    from adjudicator.core.jobs.run import run_game
    from adjudicator.site.now import due_line
    from adjudicator.site.story import load_story

    archive = Archive(tmp_path)
    archive.games.mkdir()
    data: dict[str, Any] = {
        "ruleset": "diplomacy", "title": "Game", "opened": "2026-11-20", "seed": "s", "schedule": {"turn": "2d"},
        "seats": {seat: {"player": "P"} for seat in POWERS},
    }  # fmt: skip
    new_game(archive, "game", data)
    with archive.writing():
        list(run_game(archive, "game", at="2026-11-22T00:00Z"))
    story = load_story(archive, "game")
    assert story is not None
    judged, waits = story.turns
    assert due_line(story, judged) is None
    assert "Run workflow" not in str(due_line(story, waits)), "an archive without a repository has no workflow"
    (waits.folder / "ruling.yaml").write_text("rulings:\n- {reason: snow, pause: true}\n")
    with archive.writing():
        list(run_game(archive, "game", at="2026-11-22T01:00Z"))
    again = load_story(archive, "game")
    assert again is not None
    assert due_line(again, again.last) is None
