"""A saga at the order desk in a real browser: bids among orders, pasted sheets, and bids on the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.files import turn_text
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.saga_of_the_nine.position import Position, Season, Settings, Vassal, majors
from adjudicator.site.mkdocs.build import build
from tests.conftest import first_of
from tests.site.conftest import COLOURS, empty_site, opened, serious, served
from tests.site.test_desk import PASTE, take

pytestmark = pytest.mark.slow

OPENING, VASSAL = "opening", "vassal"


class Made(NamedTuple):
    """Games with their site."""

    archive: Archive
    address: str

    def desk(self, slug: str, seat: str) -> str:
        return f"{self.address}desk.html#{slug}/{seat}"

    def position(self, slug: str) -> Any:
        """The position at the start of the game's only turn."""
        return load_turn(self.archive, load_game(self.archive, slug), self.archive.turns(slug)[-1]).data.position


def without(table: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Powers' possessions, without the Minor whose centre is a Vassal's."""
    return {power: names for power, names in table.items() if power != "Suomi"}


def with_vassal(start: Position) -> Position:
    """An Autumn when Dokkalfar has a Thrall, and a Vassal with the Aesir."""
    return replace(
        start,
        season=Season.AUTUMN,
        units=without(start.units) | {"vDA": ("A Suomi",)},
        centres=without(start.centres) | {"vDA": ("Suomi",)},
        heirs=tuple(major for major in start.heirs if major != "Aesir"),
        thralls={"Permyak": "Dokkalfar"},
        vassals={"vDA": Vassal(giver="Dokkalfar", receiver="Aesir", capital="Suomi", born=1)},
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """A saga at the opening, and one whose turn begins with a Thrall and a Vassal."""
    folder: Path = empty_site(tmp_path_factory.mktemp("archive"))
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\nrepository: example/games\n')
    archive = Archive(folder)
    seats = {major: {"player": f"Player {at}"} for at, major in enumerate(majors(Settings()))}
    for slug in (OPENING, VASSAL):
        new_game(archive, slug, {"ruleset": "saga_of_the_nine", "title": slug, "opened": "2026-11-20", "seats": seats})
    turn = load_turn(archive, load_game(archive, VASSAL), archive.turns(VASSAL)[-1])
    changed = replace(turn.data, position=with_vassal(turn.data.position))
    (turn.folder / "turn.yaml").write_bytes(turn_text(changed))
    with served(build(folder, folder / "public").parent) as address:
        yield Made(archive, address)


def typed(page: Page, *lines: str) -> None:
    """Types lines, each with Enter."""
    for line in lines:
        page.get_by_label("Or type an order").fill(line)
        page.keyboard.press("Enter")


def paste(page: Page, text: str) -> None:
    """Pastes a text where orders are typed."""
    page.locator("#typed").wait_for()
    page.evaluate(PASTE, text)


def orders(page: Page) -> list[str]:
    """The rows of the list of orders, each with its remarks."""
    return page.locator(".panel:not(.bids) .orders .order").all_inner_texts()


def bids(page: Page) -> list[str]:
    return page.locator(".bids .order").all_inner_texts()


def sheet_of(page: Page) -> Any:
    """Content of the sheet that the desk makes."""
    page.get_by_role("button", name="Make my sheet").click()
    page.locator(".result").wait_for()
    return read(page.locator("#sheet-text").input_value().encode(), "sheet.yaml").data


def sentence(words: str) -> str:
    """A reason in the desk's words."""
    return f"{words[:1].upper()}{words[1:]}."


# Bids among orders --------------------------------------------------------------------------------------------------


def test_a_bid_that_is_typed_goes_to_the_bids(browser: Browser, made: Made) -> None:
    """A legal one at once, also as a suggestion; an illegal one if its player insists."""
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        field = page.get_by_label("Or type an order or a bid")
        field.fill("2:permyak h")
        expect(page.locator("#reading")).to_have_text("✓ Read as the bid 2 DP to F Permyak H")
        page.keyboard.press("Enter")
        expect(page.locator("#live")).to_contain_text("2 DP to F Permyak H: written. 1 of 3 DP left.")
        expect(field).to_have_value("")
        field.fill("1 bjarm")
        page.locator("#suggestions li").get_by_text("1 DP to A Bjarmaland H", exact=True).click()
        assert bids(page) == ["2 DP to F Permyak H", "1 DP to A Bjarmaland H"]
        typed(page, "1 permyak - ran")
        expect(page.locator("#reading .bad")).to_have_text("You cannot bid for this now.")
        assert len(bids(page)) == 2
        page.get_by_role("button", name="Add it as written").click()
        assert bids(page)[2] == "1 permyak - ran\nYou cannot bid for this now."
        assert orders(page) == []
        assert sheet_of(page) == {"bids": ["2 DP to F Permyak H", "1 DP to A Bjarmaland H", "1 permyak - ran"]}


def test_an_order_for_a_unit_that_is_bid_on_becomes_a_bid(browser: Browser, made: Made) -> None:
    """S9-D-1: for a typed order the desk asks for a number; for a pasted one, it is one click away."""
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        typed(page, "permyak s svartalfheim - ylg")
        expect(page.locator("h2:focus")).to_have_text("How many DP?")
        why = "Not among the orders that are offered now."
        expect(page.locator(".picker .note")).to_have_text(f"F Permyak S F Svartalfheim - Ylg: {why}")
        take(page, "1 DP to F Permyak S F Svartalfheim - Ylg")
        paste(page, "A Myrkvid H\nA Mangazeya H")
        assert orders(page) == ["A Myrkvid H", f"A Mangazeya H\n{why}"]
        page.get_by_role("button", name="Bid A Mangazeya H").click()
        take(page, "2 DP to A Mangazeya H")
        assert sheet_of(page) == {
            "orders": ["A Myrkvid H"],
            "bids": ["1 DP to F Permyak S F Svartalfheim - Ylg", "2 DP to A Mangazeya H"],
        }


@pytest.mark.long
def test_a_bid_among_the_orders_of_an_older_draft_can_be_moved_to_the_bids(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        typed(page, "A Myrkvid H")
        page.evaluate(
            "() => { for (const [key, value] of Object.entries(localStorage)) if (value.includes('Myrkvid'))"
            " localStorage.setItem(key, value.replace('A Myrkvid H', '2 DP to F Permyak H')) }"
        )
        page.reload()
        page.get_by_role("button", name="Bid 2 DP to F Permyak H").wait_for()
        assert orders(page) == ["2 DP to F Permyak H\nThis is a bid, and counts only among your bids."]
        page.get_by_role("button", name="Bid 2 DP to F Permyak H").click()
        assert (orders(page), bids(page)) == ([], ["2 DP to F Permyak H"])


SHEET = """\
# written elsewhere
orders:
- "F Svartalfheim - Ylg"  # the fleet
- A Myrkvid H
- 'Heir Dokkalfar Marry Permyak'
bids: ["2 DP to F Permyak Marry Heir Dokkalfar", "1 DP to A Mangazeya H"]
draw: true
final: true
concede: Nobody
name:
  vDA: Bifrost
"""


def test_a_whole_sheet_can_be_pasted(browser: Browser, made: Made) -> None:
    """Its orders, its bids and its other keys; pasting twice changes nothing. Unreadable lines are reported."""
    whole = {
        "orders": ["A Myrkvid H", "F Svartalfheim - Ylg", "Heir Dokkalfar Marry Permyak"],
        "bids": ["2 DP to F Permyak Marry Heir Dokkalfar", "1 DP to A Mangazeya H"],
        "draw": True,
        "final": True,
    }
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        for _ in range(2):
            paste(page, SHEET)
            expect(page.locator("#reading .bad").first).to_contain_text(
                "added. Not understood: concede: Nobody; vDA: Bifrost."
            )
            page.get_by_label("Or type an order").fill("")
            assert sheet_of(page) == whole
        expect(page.get_by_label("I’m ready")).to_be_checked()
        text = page.locator("#sheet-text").input_value()
        page.get_by_role("button", name="Clear the draft").click()
        paste(page, text)
        expect(page.locator("#reading .good")).to_have_text(
            "3 orders, 2 bids, “I vote for a draw” and “I’m ready: don’t wait for the deadline if everybody is” added."
        )
        assert sheet_of(page) == whole


def test_lines_can_be_pasted_without_headings(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        paste(page, "1. Svartalfheim - Ylg\n- A Myrkvid H\n2 DP to F Permyak H\n1 DP to Ran\n")
        expect(page.locator("#reading .bad").first).to_have_text(
            "2 orders and 1 bid added. Not understood: 1 DP to Ran."
        )
        assert orders(page) == ["A Myrkvid H", "F Svartalfheim - Ylg"]
        assert bids(page) == ["2 DP to F Permyak H"]


def test_the_ordering_power_may_be_named_before_a_unit(browser: Browser, made: Made) -> None:
    """The names of Majors are words of heirs' orders, and are still dropped before units."""
    with opened(browser) as page:
        page.goto(made.desk(OPENING, "dokkalfar"))
        typed(page, "Dokkalfar F Svartalfheim - Ylg", "dokkalfar's A Myrkvid H", "Dokkalfar weds Permyak")
        assert orders(page) == ["A Myrkvid H", "F Svartalfheim - Ylg", "Heir Dokkalfar Marry Permyak"]
        typed(page, "heir dokkalfar weds the F Permyak")
        assert orders(page)[2].startswith("Heir Dokkalfar Marry F Permyak")


# The map ------------------------------------------------------------------------------------------------------------

DRAWN = """
() => [...document.querySelectorAll(".view .marks .order, .view .marks .number")].map((shape) => {
  if (shape.localName === "text") return shape.textContent;
  const line = shape.getAttribute("d")?.replace(/[^ML]/g, "") ?? "ring";
  return `${shape.getAttribute("class").replace("order ", "")}: ${line}`;
})
"""


REACHES = """
([place, line]) => {
  const region = document.querySelector(`.view path[data-region="${place}"]`);
  const shape = document.querySelector(`.view .marks ${line}`);
  const inside = (part) => region.isPointInFill(shape.getPointAtLength(shape.getTotalLength() * part));
  return [inside(0.5), inside(1)];
}
"""
"""True if the middle of a line lies in a place; and its end."""


def drawn(page: Page) -> list[str]:
    """The orders on the map, in drawing order."""
    return page.evaluate(DRAWN)  # type: ignore[no-any-return]  # strings, as it says


def test_bids_are_drawn_apart_from_orders(browser: Browser, made: Made) -> None:
    """Each has its number; a sortie ends in a bar, a Vassal's move in an arrow (S9-E-3)."""
    with opened(browser) as page:
        page.goto(made.desk(VASSAL, "dokkalfar"))
        typed(page, "F Svartalfheim - Ylg", "A Myrkvid S F Permyak", "Heir Dokkalfar Marry Bjarmaland")
        assert drawn(page) == ["go: MLMLL", "aid: ML", "aid: ring", "person: ring", "person: ring"]
        page.get_by_role("button", name="Clear the draft").click()
        typed(page, "1 Mangazeya H", "1 Permyak - Bjarmaland", "1 Suomi - Kvenland")
        assert drawn(page) == [
            *("stay bid: ring", "1"),
            *("go bid: ML", "go bid end: ML", "1"),
            *("go bid: ML", "go bid end: MLL", "1"),
        ]
        inside = page.evaluate(REACHES, ["Bjarmaland", ".go.bid"])
        assert inside == [False, True]
        typed(page, "1 Permyak H")  # two orders for one unit: neither counts, and neither is drawn
        assert drawn(page) == ["stay bid: ring", "1", "go bid: ML", "go bid end: MLL", "1"]


@pytest.mark.parametrize(("width", "scheme"), first_of([(390, "dark"), (1280, "light")], 1))
def test_remarks_are_accessible_and_narrow(browser: Browser, made: Made, width: int, scheme: str) -> None:
    with opened(browser, width, 844, color_scheme=scheme, has_touch=width < 1000) as page:
        only = COLOURS if scheme == "dark" else ()

        def looks_well() -> None:
            assert serious(page, only=only) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width

        page.goto(made.desk(OPENING, "dokkalfar"))
        paste(page, f"{SHEET}orders: [A Mangazeya H, F Amsvartnir - Ran]")
        looks_well()
        page.get_by_role("button", name="Bid A Mangazeya H").click()
        looks_well()
        page.get_by_label("Or type an order").fill("2 permy")
        looks_well()
        typed(page, "2 permyak - ran")
        looks_well()
