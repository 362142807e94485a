"""The host's page of a game (`desk.html#GAME/:host`): what waits, and rulings that the archive takes as they are written."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.rulings import KINDS, load_rulings
from adjudicator.core.jobs.coming import coming_faults
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.run import run_game
from adjudicator.core.text.yamltext import read, write
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.site.mkdocs.build import build
from tests.site.conftest import empty_site, opened, serious, served

pytestmark = pytest.mark.slow

SEATS = ("Assyria", "Babylon")
NEW, RULED, HELD = "rivers", "rivers-ruled", "rivers-held"
"""A game without rulings, one with a ruling that nobody has applied yet, and one that is paused."""
RULINGS = [{"reason": 'He said: "later". #1', "extend": "2027-12-01T18:00Z"}]
INDENTED = "rulings:  # decided on Sunday\n\n    # as at the table\n    - reason: 'He said: \"later\". #1'\n      extend: 2027-12-01T18:00Z\n"
FILES = {NEW: "", RULED: write({"rulings": RULINGS}), "rivers-indented": INDENTED}
FLOW, FLOWING = "rivers-flow", '{"rulings": [{"reason": "Exams.", "extend": "2027-12-01T18:00Z"}]}'
FAULTY, EMPTY = "rivers-faulty", "rivers-empty"


class Made(NamedTuple):
    archive: Archive
    address: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = empty_site(tmp_path_factory.mktemp("host"))
    archive = Archive(folder)
    archive.begin()
    new_charter(archive, "example/games")
    for slug in (*FILES, HELD, FLOW, FAULTY, EMPTY):
        data: dict[str, Any] = {
            "ruleset": "diplomacy", "title": slug, "opened": "2026-11-20", "seed": "s", "settings": {"board": "two_rivers"},
            "seats": {seat: {"player": f"{seat[:1]}’s player", "account": 101 + one} for one, seat in enumerate(SEATS)},
            "schedule": {"turn": "30d"},
        }  # fmt: skip
        new_game(archive, slug, data)
    with archive.writing():
        paused = write({"rulings": [{"reason": "Exams.", "pause": True}]})
        for slug, text in {
            **FILES,
            HELD: paused,
            FLOW: FLOWING,
            FAULTY: "rulings:\n- extend: soon\n",
            EMPTY: "rulings: []\n",
        }.items():
            if text:
                (archive.game_folder(slug) / archive.turns(slug)[-1] / "ruling.yaml").write_text(text, encoding="utf-8")
        list(run_game(archive, HELD, at="2026-11-21T00:00Z"))
    with served(build(folder, folder / "public").parent) as address:
        yield Made(archive, address)


def written(page: Page) -> str:
    """The file that the page shows after the button was pressed."""
    page.get_by_role("button", name="Write the file").click()
    expect(page.locator("#ruling")).to_be_visible()
    return page.locator("#ruling").inner_text()


def faults(made: Made, slug: str, text: str) -> list[str]:
    """Everything that the archive finds wrong with the text as the open turn's ruling.yaml."""
    game = load_game(made.archive, slug)
    turn = load_turn(made.archive, game, made.archive.turns(slug)[-1])
    return [
        str(one)
        for one in coming_faults(made.archive, turn, load_all(made.archive, turn), read(text.encode(), "ruling.yaml"))
    ]


FILLED: dict[str, dict[str, str]] = {
    "extend": {"time": "2027-12-24T19:00"},
    "proceed": {},
    "pause": {},
    "replace": {"seat": "Babylon", "player": "Nina: “the #2”", "account": "2345678"},
    "absent": {"seat": "Assyria"},
    "void": {"seat": "Babylon", "order": ""},
    "ask": {"question": "A week more?", "answers": "yes\nno\nI don't mind: #3"},
    "end": {"how": "draw", "winners": "Assyria\nBabylon"},
}


def fill(page: Page, kind: str, answers: dict[str, str]) -> None:
    page.locator("#kind").select_option(kind)
    for name, text in answers.items():
        field = page.locator(f"#ruling-{name}")
        if name == "seat":
            field.select_option(text)
        else:
            field.fill(text)


@pytest.mark.parametrize("slug", FILES)
def test_every_kind_of_ruling_is_written_as_the_archive_reads_it(browser: Browser, made: Made, slug: str) -> None:
    """Reasons with every mark of YAML in them; what was there before stays."""
    reason = 'Emil: "it\'s #1" – [resigned] {today}, & more'
    with opened(browser, 390, 844) as page:
        page.goto(f"{made.address}desk.html#{slug}/:host")
        assert set(FILLED) | {"resume"} <= set(KINDS)
        for kind, answers in FILLED.items():
            fill(page, kind, answers)
            page.locator("#reason").fill(reason)
            text = FILES[slug] + written(page)
            data: Any = read(text.encode(), "ruling.yaml").data
            before = RULINGS if FILES[slug] else []
            assert data["rulings"][: len(before)] == before
            rulings = load_rulings(load_game(made.archive, slug), read(text.encode(), "ruling.yaml"))
            assert (len(rulings), rulings[-1].reason, rulings[-1].kind) == (len(before) + 1, reason, kind)
            found = faults(made, slug, text)
            # Nobody has sent a sheet that could be void, and nothing is missing before the deadline.
            assert found == [] or kind == "void", (kind, found)
        assert serious(page) == []


def test_the_file_opens_on_the_forge_only_where_it_is_new(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(f"{made.address}desk.html#{NEW}/:host")
        fill(page, "absent", {"seat": "Babylon"})
        page.locator("#reason").fill("No answer for a week.")
        text = written(page)
        address = page.get_by_role("link", name="Open it on GitHub").get_attribute("href") or ""
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        turn = made.archive.turns(NEW)[-1]
        assert query == {"filename": [f"games/{NEW}/{turn}/ruling.yaml"], "value": [text]}
        page.goto(f"{made.address}desk.html#{RULED}/:host")
        expect(page.locator("h1")).to_have_text(RULED)
        fill(page, "absent", {"seat": "Babylon"})
        page.locator("#reason").fill("No answer for a week.")
        written(page)
        expect(page.get_by_role("link", name="Open it on GitHub")).to_have_count(0)
        there = page.get_by_role("link", name="The file on GitHub").get_attribute("href") or ""
        assert there.endswith(f"/games/{RULED}/{made.archive.turns(RULED)[-1]}/ruling.yaml")


def test_what_is_missing_is_said_and_no_file_is_shown(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(f"{made.address}desk.html#{NEW}/:host")
        for kind, answers, reason, words in (
            ("extend", {}, "Why.", "Choose a day and a time."),
            ("absent", {}, "Why.", "Choose a seat."),
            ("absent", {"seat": "Babylon"}, "  ", "Give a reason: everybody reads it on the turn’s page."),
            ("replace", {"seat": "Babylon"}, "Why.", "Write the player’s name, or open for a seat without a player."),
            (
                "replace",
                {"seat": "Babylon", "player": "Nina", "account": "nina"},
                "Why.",
                "An account is a number, such as 1234567.",
            ),
            (
                "ask",
                {"question": "Really?", "answers": "yes"},
                "Why.",
                "Write at least two answers, one a line; without any, they are yes and no.",
            ),
        ):
            page.goto("about:blank")
            page.goto(f"{made.address}desk.html#{NEW}/:host")
            fill(page, kind, answers)
            page.locator("#reason").fill(reason)
            page.get_by_role("button", name="Write the file").click()
            expect(page.get_by_role("alert")).to_have_text(words)
            expect(page.locator("#ruling")).to_have_count(0)


def test_the_page_lists_what_waits_and_a_paused_game_offers_to_go_on(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(f"{made.address}desk.html#{NEW}/")
        page.get_by_role("link", name="Write a ruling").click()
        expect(page.locator("h1")).to_have_text(NEW)
        expect(page.get_by_text("No sheet yet from Assyria, Babylon.")).to_be_visible()
        assert "resume" not in page.locator("#kind option").evaluate_all("all => all.map((one) => one.value)")
        page.goto(f"{made.address}desk.html#{HELD}/:host")
        expect(page.locator("h1")).to_have_text(HELD)
        offered = page.locator("#kind option").evaluate_all("all => all.map((one) => one.value)")
        assert "resume" in offered
        assert not {"pause", "extend"} & set(offered)
        fill(page, "resume", {"time": "2027-12-24T19:00"})
        page.locator("#reason").fill("The exams are over.")
        path = made.archive.game_folder(HELD) / made.archive.turns(HELD)[-1] / "ruling.yaml"
        text = path.read_text(encoding="utf-8") + written(page)
        assert faults(made, HELD, text) == []
        applied = load_turn(made.archive, load_game(made.archive, HELD), made.archive.turns(HELD)[-1]).data.rulings
        assert load_rulings(load_game(made.archive, HELD), read(text.encode(), "x"))[: len(applied)] == applied


@pytest.mark.parametrize(
    ("slug", "before"), [(FLOW, [{"reason": "Exams.", "extend": "2027-12-01T18:00Z"}]), (EMPTY, [])]
)
def test_a_file_in_another_form_is_written_whole(
    browser: Browser, made: Made, slug: str, before: list[dict[str, str]]
) -> None:
    with opened(browser) as page:
        page.goto(f"{made.address}desk.html#{slug}/:host")
        fill(page, "absent", {"seat": "Babylon"})
        page.locator("#reason").fill("No answer for a week.")
        data: Any = read(written(page).encode(), "ruling.yaml").data
        assert data["rulings"] == [
            *before,
            {"reason": "No answer for a week.", "absent": "Babylon"},
        ]
        expect(page.get_by_text("The file exists: put this text in its place.")).to_be_visible()


def test_a_faulty_file_keeps_the_game_on_the_site_and_is_named(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(f"{made.address}desk.html#{FAULTY}/:host")
        expect(page.locator("h1")).to_have_text(FAULTY)
        expect(page.get_by_text("ruling.yaml has a fault:").first).to_be_visible()
        page.goto(f"{made.address}desk.html#{FAULTY}/")
        expect(page.get_by_role("link", name="Write a ruling")).to_be_visible()
