"""The pages of seasons and tournaments, as a build of the site writes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.core.game.scoring import Scoring
from adjudicator.core.game.series import load_series
from adjudicator.core.jobs.series import scored
from adjudicator.site.mkdocs.build import build
from adjudicator.site.series import how_it_scores, series_page
from tests.core.test_deadlines import Play
from tests.core.test_series import run
from tests.site.conftest import empty_site


def test_a_page_says_who_leads_how_it_is_scored_and_who_plays_whom(tmp_path: Path) -> None:
    archive = Play(tmp_path).archive
    players = [word for number in range(16) for word in ("--player", f"P<{number:02}>")]
    run(
        tmp_path,
        "new",
        "cup",
        "--title",
        "Winter & summer",
        *players,
        "--scoring",
        "squares",
        "--team",
        "Lions=P<00>,P<01>",
    )
    run(tmp_path, "draw", "cup", "--open", "--opened", "2026-11-20")
    data = load_series(archive, "cup")
    page = series_page("cup", data, [*scored(archive, data)])
    assert "<h1>Winter &amp; summer</h1>" in page
    assert "0 of 2 games are over." in page
    assert "shared by the squares" in page
    assert page.count("still being played") == 2
    assert 'href="../../games/cup-1-2/index.html"' in page
    assert "P<0" not in page
    assert f"<code>{data.rounds[0].secret}</code>" in page
    assert f"<code>{data.next}</code>" in page
    assert re.search(r"No board in this round: P&lt;\d\d&gt; and P&lt;\d\d&gt;\.", page)


@pytest.mark.parametrize(
    ("scoring", "words"),
    [
        (Scoring(by="draws"), "The winners of a game share 100 points."),
        (
            Scoring(by="places", places=(10, 5)),
            "The places by centres get 10 and 5 points, shared in a tie, and each centre 1 more.",
        ),
        (Scoring(by="places", alone=85), "A solo winner gets 85 points and the others nothing."),
        (
            Scoring(by="formula", formula="100 * c * c / s"),
            "A seat gets 100 * c * c / s points (c is the seat’s centres; s is the sum of",
        ),
    ],
)
def test_how_a_series_scores_is_said_in_words(scoring: Scoring, words: str) -> None:
    assert words in how_it_scores(scoring)


@pytest.mark.slow
def test_a_build_writes_the_page_and_removes_it_again(tmp_path: Path, plain_books: None) -> None:
    folder = empty_site(tmp_path, ["first-lessons"])
    run(folder, "new", "season", "--game", "first-lessons", "--title", "Our season")
    site = build(folder, tmp_path / "site").parent
    page = site / "series/season/index.html"
    assert "First lessons" in page.read_text(encoding="utf-8")
    assert '<a href="series/season/index.html">Our season</a>' in (site / "players.html").read_text(encoding="utf-8")
    (folder / "series/season.yaml").unlink()
    build(folder, tmp_path / "site")
    assert not page.exists()
