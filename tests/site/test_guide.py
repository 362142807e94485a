"""Guidance for players: the presses on GitHub in pictures, the way to an open seat, and one choice of light or dark for all pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import new_master, read_masters
from adjudicator.rulesets.noblesse.scenario import scenario_named
from adjudicator.site.mkdocs.build import build
from tests.conftest import first_of
from tests.site.conftest import COLOURS, empty_site, opened, serious, served

pytestmark = pytest.mark.slow

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PRESSES = ("Commit changes…", "Propose changes", "Create pull request")
LIGHT_SEA, DARK_SEA = "rgb(215, 232, 243)", "rgb(22, 34, 44)"
PAPER = "getComputedStyle(document.body).backgroundColor"
LIGHT = "rgb(251, 248, 241)"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[tuple[str, Path]]:
    """A site of two games: one whose seats go to the first who ask, one that waits for people and has private news."""
    folder = empty_site(tmp_path_factory.mktemp("archive"))
    charter = 'schema: 1\narchive: "0011223344556677"\nrepository: example/games\n'
    (folder / "games/archive.yaml").write_text(charter)
    archive = Archive(folder, read_masters(new_master(), "test"))
    common = {"opened": "2026-11-20", "id": "0a" * 8, "sealed": True, "join": "first"}
    seats: dict[str, Any] = {seat: {"player": "P", "account": 100 + at} for at, seat in enumerate(POWERS)}
    seats |= {seat: {"player": "open"} for seat in ("Austria", "Italy")}
    new_game(archive, "summer", {"ruleset": "diplomacy", "title": "Summer", "seats": seats, **common}, open_now=True)
    nobles: dict[str, Any] = {
        seat: {"player": "P", "account": 300 + at, "key": recipient_of(new_identity())}
        for at, seat in enumerate(scenario_named("farna").players)
    }
    nobles["Anise"] = {"player": "open"}
    new_game(archive, "night", {"ruleset": "noblesse", "title": "Night", "seats": nobles, **common})
    site = build(folder, folder / "public").parent
    with served(site) as address:
        yield address, site


def sea(page: Page) -> Locator:
    """A sea of the map: dark in the dark scheme."""
    return page.locator("svg.cm .s").first


def seal(page: Page, address: str, seat: str = "england") -> None:
    """Writes a sheet and seals it."""
    page.goto(f"{address}desk.html#summer/{seat}")
    page.get_by_label("Or type an order").fill("lon nth")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Seal my sheet").click()
    expect(page.locator(".result h2")).to_have_text("Sheet 1 is sealed")


# GitHub -----------------------------------------------------------------------------------------------------------

SPILLED = """
() => [...document.querySelectorAll(".sketch")].flatMap((sketch) => {
  const texts = [...sketch.querySelectorAll("text")].map((text) => [text.textContent, text.getBBox()]);
  const rects = [...sketch.querySelectorAll(".press, .box")].map((rect) => rect.getBBox());
  const within = (one, two) => one.x >= two.x && one.y >= two.y && one.x + one.width <= two.x + two.width
    && one.y + one.height <= two.y + two.height;
  const apart = (one, two) => one.x + one.width <= two.x || two.x + two.width <= one.x || one.y + one.height <= two.y
    || two.y + two.height <= one.y;
  return texts.flatMap(([words, box]) => rects.some((rect) => !within(box, rect) && !apart(box, rect)) ? [words] : []);
})
"""


@pytest.mark.parametrize(("width", "scheme"), first_of([(390, "dark"), (1440, "light")], 1))
def test_three_numbered_pictures_say_what_to_press(
    browser: Browser, made: tuple[str, Path], width: int, scheme: str
) -> None:
    """Each is beside its sentence, names its button, has a text alternative, and keeps its words within their boxes."""
    with opened(browser, width, 844, color_scheme=scheme) as page:
        seal(page, made[0])
        steps = page.locator(".result .guide > li")
        expect(steps).to_have_count(3)
        for at, press in enumerate(PRESSES):
            expect(steps.nth(at).locator("p strong")).to_have_text(press)
            expect(steps.nth(at).locator("svg .on")).to_have_text(press)
            picture = steps.nth(at).get_by_role("img")
            expect(picture.locator("title")).not_to_be_empty()
            expect(picture.locator("desc")).to_contain_text(f"“{press}”")
            box = picture.bounding_box()
            assert box is not None
            assert box["width"] >= 230  # letters of twelve units are drawn ten pixels high or more
        numbers = "(list) => list.map((one) => getComputedStyle(one, '::before').content)"
        assert steps.evaluate_all(numbers) == ["counter(step)"] * 3
        assert page.evaluate(SPILLED) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".result .guide")).not_to_contain_text("Paste")
        assert serious(page, within=".result", only=COLOURS) == []


def test_pasting_is_mentioned_first_if_the_text_was_copied(browser: Browser, made: tuple[str, Path]) -> None:
    """A text too long for an address is copied: then the first step on GitHub is to paste it."""
    with opened(browser) as page:
        page.goto(f"{made[0]}desk.html#summer/england")
        page.get_by_label("Open.").check()
        page.evaluate("document.querySelector('#typed').maxLength = 10000")
        for at in range(40):
            page.get_by_label("Or type an order").fill(f"{at} {'x' * 180}")
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Add it as written").click()
        page.get_by_role("button", name="Make my sheet").click()
        expect(page.locator(".result .note")).to_contain_text("Copy the text first")
        expect(page.locator(".result .guide > li").first).to_contain_text("Paste the text. Press Commit changes…")


# Open seats -------------------------------------------------------------------------------------------------------


def test_an_open_seat_has_a_button_to_its_file(browser: Browser, made: tuple[str, Path]) -> None:
    """FH-17: the desk links to the prefilled `join` file, like the game's page, and lets nothing be sent before."""
    address, _ = made
    with opened(browser) as page:
        page.goto(f"{address}games/summer/index.html")
        told = page.get_by_role("link", name="Austria", exact=True).get_attribute("href")
        page.goto(f"{address}desk.html#summer/")
        expect(page.get_by_role("link", name="Austria")).to_contain_text("open: join")
        expect(page.get_by_role("link", name="England")).not_to_contain_text("join")
        page.get_by_role("link", name="Austria").click()
        button = page.get_by_role("link", name="Join as Austria")
        assert button.get_attribute("href") == told
        query = parse_qs(urlsplit(told or "").query)
        assert query == {"filename": ["games/summer/join/austria.yaml"], "value": ["seat: Austria\n"]}
        assert urlsplit(told or "").path == "/example/games/new/main"
        assert button.get_attribute("rel") == "noopener noreferrer"
        expect(page.locator(".join")).to_contain_text("Whoever asks for one first gets it.")
        page.get_by_text("What to press on GitHub").click()
        expect(page.locator(".join .guide > li")).to_have_count(3)
        expect(page.get_by_role("button", name="Seal my sheet")).to_be_disabled()
        assert serious(page, within=".join") == []
        page.goto(f"{address}desk.html#summer/england")
        expect(page.locator(".who strong")).to_have_text("England")
        expect(page.locator(".join")).to_have_count(0)


def test_the_join_file_of_a_hidden_game_asks_for_a_key(browser: Browser, made: tuple[str, Path]) -> None:
    """The same source writes the file of a game with hidden information: with a line for the key."""
    with opened(browser) as page:
        page.goto(f"{made[0]}games/night/index.html")
        told = page.get_by_role("link", name="Anise", exact=True).get_attribute("href")
        query = parse_qs(urlsplit(told or "").query)
        assert query["value"] == ["seat: Anise\nkey: age1...\n"]


def test_an_archive_without_an_address_shows_the_file(browser: Browser, made: tuple[str, Path]) -> None:
    """Text that strangers could write into it is shown only as text."""
    address, site = made
    data = json.loads((site / "games/summer/desk.json").read_text("utf-8"))
    hostile = "seat: <img src=x onerror=alert(1)>\nkey: age1...\n"
    data["seats"][0]["join"] |= {"address": None, "issue": None, "text": hostile}
    with opened(browser) as page:
        page.route("**/desk.json", lambda route: route.fulfill(json=data))
        page.goto(f"{address}desk.html#summer/austria")
        expect(page.locator(".join code")).to_have_text("games/summer/join/austria.yaml")
        expect(page.locator(".join pre")).to_have_text(hostile)
        expect(page.locator(".join")).to_contain_text("Write your own public key into the file")
        expect(page.locator(".join .button")).to_have_count(0)


# Light and dark ---------------------------------------------------------------------------------------------------


def test_a_scheme_chosen_at_the_desk_applies_to_the_site(browser: Browser, made: tuple[str, Path]) -> None:
    with opened(browser, color_scheme="light") as page:
        page.goto(f"{made[0]}desk.html#summer/england")
        expect(sea(page)).to_have_css("fill", LIGHT_SEA)
        assert page.evaluate(PAPER) == LIGHT
        page.get_by_role("button", name="Switch to dark").click()
        expect(sea(page)).to_have_css("fill", DARK_SEA)  # the map as well
        assert page.evaluate(PAPER) != LIGHT
        page.reload()
        expect(sea(page)).to_have_css("fill", DARK_SEA)
        for name in ("index.html", "games/summer/index.html"):
            page.goto(f"{made[0]}{name}")
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        page.goto(f"{made[0]}dice-check.html")
        assert page.evaluate(PAPER) != LIGHT
        page.emulate_media(media="print")
        assert (
            page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--courtly-paper')").strip()
            == "#fff"
        )


@pytest.mark.long
def test_a_scheme_chosen_on_the_site_applies_to_the_desk(browser: Browser, made: tuple[str, Path]) -> None:
    """Against the system as well as with it; a reader who follows the system again follows it on all pages."""
    with opened(browser, color_scheme="dark") as page:
        page.goto(f"{made[0]}games/summer/index.html")
        for name in ("Switch to dark", "Switch to light"):
            page.locator(f"label[title='{name}']").click()
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
        page.goto(f"{made[0]}desk.html#summer/england")
        expect(sea(page)).to_have_css("fill", LIGHT_SEA)
        assert page.evaluate(PAPER) == LIGHT
        page.get_by_role("button", name="Follow the system").click()
        expect(sea(page)).to_have_css("fill", DARK_SEA)
        page.goto(f"{made[0]}index.html")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        page.emulate_media(color_scheme="light")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")


@pytest.mark.long
def test_a_reader_who_chose_nothing_follows_the_system(browser: Browser, made: tuple[str, Path]) -> None:
    """A visit by day does not fix the light scheme: the theme used to remember the system's first choice."""
    with opened(browser, color_scheme="light") as page:
        page.goto(f"{made[0]}index.html")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
        page.emulate_media(color_scheme="dark")
        page.reload()
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        page.goto(f"{made[0]}desk.html#summer/england")
        expect(sea(page)).to_have_css("fill", DARK_SEA)


def test_the_choice_applies_to_files_too(browser: Browser, made: tuple[str, Path]) -> None:
    """The desk itself does not start from a file, but its colours are those of the site beside it."""
    with browser.new_context(color_scheme="light") as context:
        page = context.new_page()
        page.goto((made[1] / "index.html").as_uri())
        page.locator("label[title='Switch to dark']").click()
        page.goto((made[1] / "desk.html").as_uri())
        assert page.evaluate(PAPER) != LIGHT
        page.get_by_role("button", name="Switch to light").click()
        assert page.evaluate(PAPER) == LIGHT
        page.goto((made[1] / "index.html").as_uri())
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")


def test_a_browser_without_storage_can_still_switch_the_page(browser: Browser, made: tuple[str, Path]) -> None:
    with opened(browser, color_scheme="light") as page:
        page.add_init_script("Storage.prototype.setItem = Storage.prototype.getItem = () => { throw new Error('no'); }")
        page.goto(f"{made[0]}dice-check.html")
        page.get_by_role("button", name="Switch to dark").click()
        assert page.evaluate(PAPER) != LIGHT


@pytest.mark.long
def test_the_switch_fits_beside_the_sites_names(browser: Browser, made: tuple[str, Path]) -> None:
    with opened(browser) as page:
        for name in ("desk", "dice-check"):
            for width in (1440, 390, 320):
                page.set_viewport_size({"width": width, "height": 700})
                page.goto(f"{made[0]}{name}.html")
                box = page.locator("#theme").bounding_box()
                assert box is not None
                assert box["x"] + box["width"] <= width, (name, width)
                assert box["height"] >= 24
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
