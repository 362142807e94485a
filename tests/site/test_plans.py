"""Plans at the order desk in a real browser: lists whose lines are tried in order, their current state, and tapping a card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import Masters
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.rulesets.heir_apparent import RULESET
from adjudicator.rulesets.heir_apparent.index import index_of
from adjudicator.rulesets.heir_apparent.position import Phase
from adjudicator.site.mkdocs.build import build
from tests.site.conftest import COLOURS, empty_site, opened, serious, served

pytestmark = pytest.mark.slow

GAME, AUCTION, SEATS = "avermark", "bidding", ("First", "Second", "Third")


@dataclass(frozen=True)
class Table:
    """A game of Heir Apparent in its first Event, its site, and the keys of its seats."""

    archive: Archive
    address: str
    keys: Mapping[str, str]

    @property
    def position(self) -> Any:
        turn = load_turn(self.archive, load_game(self.archive, GAME), self.archive.turns(GAME)[-1])
        return load_all(self.archive, turn).position

    def desk(self, page: Page, seat: str, game: str = GAME) -> None:
        """Opens a seat's desk, and its news."""
        page.goto(f"{self.address}desk.html#{game}/{seat.lower()}")
        page.get_by_label("Your key").fill(self.keys[seat])
        page.get_by_role("button", name="Open my news").click()
        expect(page.get_by_role("heading", name="Your news")).to_be_visible()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    folder: Path = empty_site(tmp_path_factory.mktemp("table"))
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\n')
    archive = Archive(folder, Masters((b"s" * 32,)))  # the same cards in every run
    keys = {seat: new_identity() for seat in SEATS}
    seats = {seat: {"player": "P", "key": recipient_of(key)} for seat, key in keys.items()}
    data = {
        "ruleset": "heir_apparent", "title": "A table", "opened": "2026-11-20", "id": "3f" * 8, "sealed": True,
        "seats": seats, "settings": {"players": 3, "choice": "sheet"},
    }  # fmt: skip
    new_game(archive, GAME, data)
    new_game(archive, AUCTION, data | {"id": "4f" * 8})
    list(play(archive, GAME, SEATS, "2", "2026-11-20T18:00Z", 6))
    with served(build(folder, folder / "public").parent) as address:
        made = Table(archive, address, keys)
        assert made.position.phase is Phase.EVENT
        yield made


def rows(page: Page, key: str) -> list[str]:
    """The lines of a list, as the desk shows them."""
    lines = page.locator(f"#field-{key} .plan-lines li").evaluate_all("all => all.map((one) => one.dataset.line)")
    return [f"{at}. {line}" for at, line in enumerate(lines, 1)]


def typed(page: Page, key: str, *lines: str) -> Locator:
    """Types lines into a list, each with Enter; returns the remarks on the last."""
    field = page.locator(f"#field-{key}-line")
    for line in lines:
        field.fill(line)
        field.press("Escape")
        field.press("Enter")
    return page.locator(f"#field-{key}-reading")


def sheet_of(page: Page) -> Any:
    """Content of the sheet that the desk makes."""
    page.get_by_label("Open.").check()
    page.get_by_role("button", name="Make my sheet").click()
    page.locator(".result").wait_for()
    return read(page.locator("#sheet-text").input_value().encode(), "sheet.yaml").data


def mine(table: Table, seat: str) -> tuple[str, list[str]]:
    """A seat's Prince, and its characters by their names."""
    position = table.position
    prince = position.players[seat].prince
    return prince, sorted(name for name, one in position.court.items() if one.by == seat and name != prince)


def test_lines_can_be_typed_and_put_in_order(browser: Browser, table: Table) -> None:
    """By name, in any case; by buttons, by keys, and by dragging; and the sheet has them in this order."""
    prince, (one, two, *_) = mine(table, "First")
    with opened(browser, 1280, 1000) as page:
        table.desk(page, "First")
        typed(
            page,
            "event",
            f"JOIN {index_of(table.position.settings.set).name(one).upper()} for {prince}",
            f"prince  for {prince} if passes > 1 as free.",
            "pass",
        )
        wanted = [f"join {one} for {prince}", f"prince for {prince} if passes > 1 as free", "pass"]
        assert rows(page, "event") == [f"{at}. {line}" for at, line in enumerate(wanted, 1)]
        page.get_by_role("button", name="Move up: pass").click()
        expect(page.locator("#field-event .acts button:focus")).to_have_attribute("aria-label", "Move up: pass")
        page.keyboard.press("Alt+ArrowUp")
        assert rows(page, "event")[0] == "1. pass"
        expect(page.locator("#live")).to_contain_text("Line 1 of 3: pass.")
        grips = page.locator("#field-event .grip")
        grips.first.scroll_into_view_if_needed()
        start, goal = grips.nth(0).bounding_box(), grips.nth(2).bounding_box()
        assert start is not None
        assert goal is not None
        page.mouse.move(start["x"] + 5, start["y"] + 5)
        page.mouse.down()
        page.mouse.move(goal["x"] + 5, goal["y"] + goal["height"] - 1, steps=6)
        page.mouse.up()
        assert rows(page, "event") == [f"{at}. {line}" for at, line in enumerate(wanted, 1)]
        page.get_by_role("button", name="Change: pass").click()
        page.locator("#field-event-line").fill(f"join {two} for {prince} again")
        page.locator("#field-event").get_by_role("button", name="Change", exact=True).last.click()
        page.get_by_role("button", name=f"Remove: {wanted[1]}").click()
        expect(page.locator(".undo")).to_be_visible()
        assert sheet_of(page) == {"event": [wanted[0], f"join {two} for {prince} again"]}
        page.locator(".undo button").click()
        assert rows(page, "event") == [f"1. {wanted[0]}", f"2. {wanted[1]}", f"3. join {two} for {prince} again"]


def test_faults_in_a_line_are_shown_at_once(browser: Browser, table: Table) -> None:
    """The nearest word, a condition without meaning in this Event, and lines that are written anyway."""
    _, (one, *_) = mine(table, "First")
    with opened(browser) as page:
        table.desk(page, "First")
        slip = one[:-1] + ("x" if one[-1] != "x" else "y")
        reading = typed(page, "event", f"join {slip} for me")
        expect(reading).to_contain_text(f"No character is called “{slip}”. Did you mean {one}?")
        reading.get_by_role("button", name=f"Write {one}").click()
        expect(page.locator("#field-event-line")).to_have_value(f"join {one} for me")
        page.locator("#field-event-line").press("Enter")
        assert rows(page, "event") == [f"1. join {one} for me"]
        reading = typed(page, "event", "pass if depth > 1")
        expect(reading).to_contain_text("depth means nothing here, so the line never holds.")
        reading.get_by_role("button", name="Add it as written").click()
        expect(page.locator(".send")).to_contain_text("1 line of a plan comes to nothing as written.")
        expect(typed(page, "event", "pass if favor(me) > 3 or passing")).to_contain_text("joined only by “and”")
        page.locator(".send button.main").click()
        expect(page.locator(".send .bad")).to_contain_text("is still in the field, not in your list")
        page.locator("#field-event-line").fill("")
        assert sheet_of(page) == {"event": [f"join {one} for me", "pass if depth > 1"]}


def test_several_lines_can_be_pasted(browser: Browser, table: Table) -> None:
    """In the form they have in a sheet."""
    paste = """text => {
      const data = new DataTransfer();
      data.setData("text", text);
      document.querySelector("#field-event-line").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }"""
    with opened(browser) as page:
        table.desk(page, "Second")
        page.evaluate(paste, "  - pass if turn > 3\n  - PASS\n")
        assert rows(page, "event") == ["1. pass if turn > 3", "2. pass"]


@pytest.mark.long
def test_a_standing_list_can_be_changed_or_taken_back(browser: Browser, table: Table) -> None:
    """The current list is shown; a player can send nothing of it, a changed list, or an empty one."""
    seat, kept = next((seat, kept) for seat, kept in sorted(table.position.standing.items()) if kept.melee)
    with opened(browser) as page:
        table.desk(page, seat)
        melee = page.locator("#field-melee")
        expect(melee.locator(".told li")).to_have_text(list(kept.melee))
        melee.get_by_role("button", name="Take it back").click()
        expect(melee).to_contain_text("The lines that apply now are taken back: the list you send is empty.")
        page.locator("#field-reopen").get_by_role("button", name="Send an empty list").click()
        assert sheet_of(page) == {"melee": [], "reopen": []}
        melee.get_by_role("button", name="Leave it as it is").click()
        melee.get_by_role("button", name="Change it").click()
        assert rows(page, "melee") == [f"{at}. {line}" for at, line in enumerate(kept.melee, 1)]
        page.get_by_role("button", name=f"Remove: {kept.melee[0]}", exact=True).click()
        page.locator("#field-reopen").get_by_role("button", name="Leave it as it is").click()
        assert sheet_of(page) == {"melee": list(kept.melee[1:])}


def test_tapping_a_card_offers_its_lines(browser: Browser, table: Table) -> None:
    """The player's own character offers its lines, a card in hand offers others, and the next tap fills an open blank."""
    prince, _ = mine(table, "First")
    sheets = RULESET.rules.options(RULESET.view(table.position, "First"), "First")
    lines = [line for sheet in sheets for line in getattr(sheet, "event", None) or () if line.startswith("join ")]
    one = next(name for name in (line.split(" ")[1] for line in lines) if name != prince)
    hand = table.position.players["First"].hand
    with opened(browser, 390, 844, has_touch=True) as page:
        table.desk(page, "First")
        regions = page.locator(".view [data-region]").evaluate_all("all => all.map((one) => one.dataset.region)")
        assert {one, *hand} <= {*regions}
        assert not {card for seat in ("Second", "Third") for card in table.position.players[seat].hand} & {*regions}
        page.locator(f".view [data-region={one}]").tap()
        page.locator(f"#field-event-reading .pick[data-line^='join {one} for']").first.tap()
        (line,) = rows(page, "event")
        assert line.startswith(f"1. join {one} for ")
        expect(page.locator("#field-event-line")).to_have_value("")
        page.locator("#field-event-line").fill("join {character} for " + prince)
        page.locator(f".view [data-region={one}]").tap()
        assert rows(page, "event") == [line, f"2. join {one} for {prince}"]
        for left in ([line], []):
            page.locator(".left, .right").get_by_role("button", name="Undo", exact=True).tap()
            assert rows(page, "event") == left
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert serious(page) == []
    with opened(browser, 1280, 900, color_scheme="dark") as page:
        table.desk(page, "First")
        typed(page, "event", "pass", "nonsense")
        assert serious(page, only=COLOURS) == []


def test_three_wishes_are_three_taps(browser: Browser, table: Table) -> None:
    """UX-1: each tap on a character in the row is a wish, in their order, and Undo takes back one at a time."""
    with opened(browser, 390, 844, has_touch=True) as page:
        table.desk(page, "First", AUCTION)
        turn = load_turn(table.archive, load_game(table.archive, AUCTION), table.archive.turns(AUCTION)[-1])
        wishes = load_all(table.archive, turn).position.row[:3]
        for wish in wishes:
            page.locator(f".view [data-region={wish}]").tap()
        assert rows(page, "wishes") == [f"{at}. {wish}" for at, wish in enumerate(wishes, 1)]
        page.locator(f".view [data-region={wishes[0]}]").tap()  # it is there already
        assert len(rows(page, "wishes")) == 3
        for left in (2, 1, 0):
            page.locator(".right > .undo button").tap()
            assert len(rows(page, "wishes")) == left
        page.locator("#field-wishes summary", has_text="You can").tap()
        page.locator(f"#field-wishes .pick[data-line={wishes[1]}]").tap()
        assert rows(page, "wishes") == [f"1. {wishes[1]}"]
        assert sheet_of(page) == {"wishes": [wishes[1]]}


def test_a_condition_can_be_added_to_a_tapped_line(browser: Browser, table: Table) -> None:
    """Continuations of a written line are offered below it, and change that line."""
    with opened(browser, 1280, 1000) as page:
        table.desk(page, "First")
        page.locator("#field-event summary", has_text="You can").click()
        pick = page.locator("#field-event .pick").first
        line = pick.get_attribute("data-line")
        pick.click()
        reading = page.locator("#field-event-reading")
        expect(reading).to_contain_text("✓ Written: ")
        said = reading.locator("strong").inner_text()
        # UX-9: people read the titles of cards; sealed sheets have their ids.
        assert said != line
        assert not re.search(r"[a-z]-[a-z]|#", said)
        reading.get_by_role("button", name="if …").click()
        page.locator("#field-event .chooser").get_by_role("button", name="Add to the line").click()
        (row,) = rows(page, "event")
        assert row.startswith(f"1. {line} if ")


def test_remarks_on_a_line_disappear_when_lines_move(browser: Browser, table: Table) -> None:
    """A button that continued the line written last named its old place: another line was lost."""
    with opened(browser, 1280, 1000) as page:
        table.desk(page, "First")
        page.locator("#field-event summary", has_text="You can").click()
        for _ in range(3):
            page.locator("#field-event .pick").first.click()
        assert len(rows(page, "event")) == 3
        page.locator("#field-event .plan-lines li").nth(2).get_by_role("button", name="Move up").click()
        expect(page.locator("#field-event-reading")).to_be_empty()
        page.locator("#field-event .pick").first.click()
        written = page.locator("#field-event-reading")
        typed(page, "discard", *table.position.players["First"].hand[:1])
        written.get_by_role("button", name="Undo").click()
        assert (len(rows(page, "event")), len(rows(page, "discard"))) == (4, 1)  # not the changes made since


def test_a_line_with_a_wrong_condition_is_changed_and_not_lost(browser: Browser, table: Table) -> None:
    with opened(browser, 1280, 1000) as page:
        table.desk(page, "First")
        page.locator("#field-event summary", has_text="You can").click()
        page.locator("#field-event .pick").first.click()
        page.locator("#field-event-reading").get_by_role("button", name="if …").click()
        page.locator("#field-event .clause input[type=number]").fill("99999999999")
        page.locator("#field-event .chooser").get_by_role("button", name="Add to the line").click()
        expect(page.locator("#field-event form button[type=submit]")).to_have_text("Change")
        page.locator("#field-event").get_by_role("button", name="Leave it as it was").click()
        typed(page, "event", "pass")
        assert len(rows(page, "event")) == 2


def test_a_card_that_cannot_be_played_is_shown_and_not_thrown_away(browser: Browser, table: Table) -> None:
    """HE-4, UX-2: tapped, it shows its effect and what bars it; only a button puts it under the lines that go first."""
    index, shown = index_of(table.position.settings.set), 0
    for seat in SEATS:
        hand = dict.fromkeys(card.split("#")[0] for card in table.position.players[seat].hand)
        view = RULESET.view(table.position, seat)
        legal = {line for sheet in RULESET.rules.options(view, seat) for line in getattr(sheet, "event", None) or ()}
        dead = [
            title for title in hand if not any(line.startswith(f"play {title}") for line in legal)
            and "reaction" not in index.actions[title].phases
        ]  # fmt: skip
        if not dead:
            continue
        card = next(one for one in table.position.players[seat].hand if one.startswith(f"{dead[0]}#"))
        with opened(browser, 390, 844, has_touch=True) as page:
            table.desk(page, seat)
            page.locator(f'.view [data-region="{card}"]').tap()
            reading = page.locator("#field-event-reading")
            expect(reading).to_contain_text(index.actions[dead[0]].text)
            expect(reading).to_contain_text(f"{index.name(dead[0])} cannot be played")
            expect(page.locator("#field-discard-line")).to_have_value("")
            reading.get_by_role("button", name="Put it under: Discard first").tap()
            expect(reading).to_contain_text("✓ Written under Discard first")
            assert rows(page, "discard") == [f"1. {card}"]
            page.locator(f'.view [data-region="{card}"]').tap()
            reading.get_by_role("button", name="Put it under: Discard first").tap()
            assert rows(page, "discard") == [f"1. {card}"]  # it is there already
            page.locator(".right > .undo button").tap()
            assert rows(page, "discard") == []
            page.locator(f'.view [data-region="{card}"]').tap()
            reading.get_by_role("button", name="Put it under: Discard first").tap()
            reading.get_by_role("button", name="Undo").tap()
            assert rows(page, "discard") == []
        shown += 1
    assert shown
