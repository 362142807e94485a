"""A campaign's battles are reported by taps at the order desk, on a phone at the table; the sheet gets equal lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.text.yamltext import read
from adjudicator.rulesets.grand_campaign.orders import RESULTS, Order, reader_of
from adjudicator.rulesets.grand_campaign.position import Phase
from adjudicator.rulesets.grand_campaign.reporting import report_cards
from adjudicator.site.mkdocs.build import build
from tests.site.campaign_table import GAME, begin, last
from tests.site.conftest import COLOURS, empty_site, opened, serious, served
from tests.site.test_plans import rows, typed

slow = pytest.mark.slow
FINGER = 44
"""Minimum size of a touch target, in pixels."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site's folder of a campaign whose battles wait to be reported."""
    folder = empty_site(tmp_path_factory.mktemp("reporting"))
    begin(folder)
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(build(folder, folder / "public").parent) as address:
        yield f"{address}desk.html#{GAME}/"


def tap(place: Locator | Page, name: str) -> Locator:
    """Taps a button, and returns to it."""
    one = place.get_by_role("button", name=name, exact=True)
    one.click()
    return one


def test_every_tap_writes_a_line_that_is_read(folder: Path) -> None:
    """GC-Z-14: for each of the player's battles, each outcome of the grammar; every deed with a button is valid (GC-Z-15)."""
    position = last(Archive(folder)).data.position
    reader, rules = reader_of(position.plan), find("grand_campaign")
    titles = {seat: [card.title for card in report_cards(position, seat)] for seat in position.plan.seats}
    skirmish = "S1: Anna’s P1 against Ben’s P1"
    assert titles == {
        "Anna": ["B2: Anna’s A1 against Ben’s A1", skirmish],
        "Ben": ["B2: Anna’s A1 against Ben’s A1", skirmish],
        "Cora": ["B1: Cora’s A1 against the garrison"],
    }
    for seat in position.plan.seats:
        for card in report_cards(position, seat):
            for ask in card.asks:
                for _, line in ask.answers:
                    if "{" not in line:
                        order = reader.read(ask.key, line)
                        assert isinstance(order, Order), line
                        assert order.line == line, "as a verdict writes it"
        (results,) = [ask for ask in report_cards(position, seat)[0].asks if ask.key == "results"]
        assert [line.partition(": ")[2] for _, line in results.answers] == list(RESULTS)
        deeds = [line for ask in report_cards(position, seat)[0].asks if ask.key == "deeds" for _, line in ask.answers]
        sheet = rules.types.sheet(position, seat)(results=(results.answers[0][1],), deeds=tuple(deeds[:100]))
        assert [one.what for one in rules.rules.check(position, seat, sheet) if one.level == "error"] == []
    ben = dict(next(ask for ask in report_cards(position, "Ben")[0].asks if ask.key == "results").answers)
    assert (ben["Ben won"], ben["Anna won a great victory"]) == ("B2: win", "B2: major loss")
    deeds = [line for ask in report_cards(position, "Ben")[0].asks if ask.key == "deeds" for _, line in ask.answers]
    assert [line for line in deeds if "Sunsplitter" in line] == [
        "B2: Thane Brokka took Sunsplitter", "B2: Runesmith Odd took Sunsplitter",
    ]  # fmt: skip


def test_there_are_no_cards_outside_the_turn_of_battles(folder: Path) -> None:
    """A season's sheet has no battles to report."""
    rules, position = find("grand_campaign"), last(Archive(folder)).data.position
    assert rules.desk.plans is not None
    assert rules.desk.plans(replace(position, phase=Phase.SEASON)).cards == {}


@slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_battle_can_be_reported_without_typing(browser: Browser, address: str, scheme: str) -> None:
    """GC-Z-14: the winner, two deeds and a promised report, by five taps at 390 pixels."""
    with opened(browser, 390, 844, color_scheme=scheme, has_touch=True) as page:
        page.goto(f"{address}anna")
        card = page.get_by_role("group", name="B2: Anna’s A1 against Ben’s A1")
        won = tap(card, "Anna won")
        expect(won).to_have_attribute("aria-pressed", "true")
        great = tap(card, "Anna won a great victory")
        expect(won).to_have_attribute("aria-pressed", "false")
        expect(great).to_have_attribute("aria-pressed", "true")
        card.get_by_text("What they did").click()
        card.locator("summary", has_text="Captain Ioreth").click()
        tap(card.get_by_role("group", name="Captain Ioreth, of Anna’s A1"), "beat Thane Brokka")
        expect(card.locator("summary", has_text="What they did")).to_contain_text("✓ 1")
        tap(card.get_by_role("group", name="Captain Ioreth, of Anna’s A1"), "slew a monster")
        assert rows(page, "results") == ["1. B2: major win"]
        assert rows(page, "deeds") == [
            "1. B2: Captain Ioreth beat Thane Brokka",
            "2. B2: Captain Ioreth slew a monster",
        ]
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        small = page.locator(".tap:visible, .tap-card summary:visible").evaluate_all(
            "all => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.textContent)"
        )
        assert small == [], f"smaller than {FINGER} pixels"
        assert serious(page, within=".taps", only=COLOURS if scheme == "dark" else ()) == []
        page.get_by_role("button", name="Make my sheet").click()
        page.locator(".result").wait_for()
        assert read(page.locator("#sheet-text").input_value().encode(), "sheet.yaml").data == {
            "results": ["B2: major win"],
            "deeds": ["B2: Captain Ioreth beat Thane Brokka", "B2: Captain Ioreth slew a monster"],
        }


@slow
def test_a_tap_can_take_back_and_lists_and_buttons_agree(browser: Browser, address: str) -> None:
    """Typing, removing and undoing in a list show at the buttons; another scenario stays when the winner changes (GC-R-2)."""
    with opened(browser, 390, 844) as page:
        page.goto(f"{address}ben")
        card = page.get_by_role("group", name="B2: Anna’s A1 against Ben’s A1")
        scenario = card.get_by_label("Scenario played")
        expect(scenario).to_be_disabled()
        typed(page, "results", "b2: loss in Ambush")
        expect(card.get_by_role("button", name="Anna won", exact=True)).to_have_attribute("aria-pressed", "true")
        expect(scenario).to_have_value(" in Ambush")
        tap(card, "A draw")
        assert rows(page, "results") == ["1. B2: draw in Ambush"]
        scenario.select_option("")
        assert rows(page, "results") == ["1. B2: draw"]
        tap(card, "A draw")
        assert rows(page, "results") == []
        tap(card, "Not fought")
        page.locator(".undo button").click()
        expect(card.get_by_role("button", name="Not fought", exact=True)).to_have_attribute("aria-pressed", "false")
        page.reload()
        tap(page.get_by_role("group", name="B2: Anna’s A1 against Ben’s A1"), "Ben concedes")
        page.reload()
        conceded = page.get_by_role("button", name="Ben concedes", exact=True)
        expect(conceded).to_have_attribute("aria-pressed", "true")


@slow
def test_a_link_can_be_pasted_and_a_skirmish_filled_in(browser: Browser, address: str) -> None:
    """GC-W-1: photos are a link; other text is refused. GC-W-9: the skirmish's numbers are filled in, in a separate list."""
    with opened(browser, 390, 844) as page:
        page.goto(f"{address}anna")
        card = page.get_by_role("group", name="B2: Anna’s A1 against Ben’s A1")
        card.locator("summary", has_text="Photos").click()
        link = card.get_by_label("Link to photos")
        link.fill("my photos")
        link.press("Tab")
        expect(card).to_contain_text("A link begins with https:// and has no spaces or commas.")
        link.fill("https://example.org/b2")
        link.press("Tab")
        assert rows(page, "bonus") == ["1. B2: photos https://example.org/b2"]
        tap(card, "I write a report of 120 words (100 gold)")
        assert rows(page, "bonus")[1] == "2. B2: account"
        link.fill("")
        link.press("Tab")
        assert rows(page, "bonus") == ["1. B2: account"]
        skirmish = page.get_by_role("group", name="S1: Anna’s P1 against Ben’s P1")
        tap(skirmish, "A tie")
        assert rows(page, "skirmishes") == ["1. S1: tie"]
        tap(skirmish, "Ben won")
        assert rows(page, "skirmishes") == []
        field = page.locator("#field-skirmishes-line")
        expect(field).to_have_value(
            "S1: Ben won and lost {mine}, the other lost {theirs}, {pieces} gold and {stones} Weirdstone taken"
        )
        field.fill("S1: Ben won and lost 0, the other lost 1, 20 gold and 0 Weirdstone taken")
        field.press("Enter")
        expect(skirmish.get_by_role("button", name="Ben won", exact=True)).to_have_attribute("aria-pressed", "true")
