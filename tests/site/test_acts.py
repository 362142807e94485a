"""The acts of a window on its turn's page: visited one by one, on a phone too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import first_of
from tests.site.conftest import opened, serious

pytestmark = pytest.mark.slow

TURN = "games/the-heir-of-avermark/039-turn-16-event/index.html"


@pytest.mark.parametrize("width", first_of([390, 1280], 1))
def test_acts_can_be_stepped_through_one_by_one(browser: Browser, address: str, width: int) -> None:
    """By buttons and by the slider: the act, the pools as bars, and the row of the table."""
    with opened(browser, width, 844) as page:
        page.goto(address + TURN)
        steps = page.locator(".courtly-stepper")
        expect(steps.locator("output")).to_have_text("1: Ysolde put 2 into Ysolde’s pool.")
        numbers = steps.locator("strong")
        expect(numbers).to_have_text(["0", "0", "2", "0"])
        for _ in range(4):
            steps.get_by_role("button", name="Next act").click()
        expect(steps.locator("output")).to_have_text(
            "5: Aldemar’s Garrow the Armourer joined, adding 2 to Aldemar’s pool."
        )
        expect(numbers).to_have_text(["4", "2", "6", "0"])
        shares = steps.locator(".courtly-bar span").evaluate_all(
            "all => all.map((one) => one.style.getPropertyValue('--share'))"
        )
        assert [round(float(share) * 7) for share in shares] == [4, 2, 6, 0]
        expect(page.locator(".courtly-acts tr.courtly-lit td").first).to_have_text("5")
        steps.get_by_role("slider").press("End")
        expect(numbers).to_have_text(["4", "7", "6", "0"])
        steps.get_by_role("button", name="Act before").click()
        expect(steps.get_by_role("slider")).to_have_attribute(
            "aria-valuetext", "5: Aldemar’s Garrow the Armourer joined, adding 2 to Aldemar’s pool."
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious(page, within=".courtly-stepper") == []


def test_acts_are_there_again_after_going_to_another_turn_and_back(browser: Browser, address: str) -> None:
    """The pager changes the page without reloading it."""
    with opened(browser) as page:
        page.goto(address + TURN)
        expect(page.locator(".courtly-stepper")).to_have_count(1)
        page.locator("body").press("ArrowLeft")
        expect(page.locator("h1")).to_have_text("Turn 16, actions")
        page.locator("body").press("ArrowRight")
        expect(page.locator("h1")).to_have_text("Turn 16, event")
        expect(page.locator(".courtly-stepper")).to_have_count(1)
