"""The site in a real browser: clicking, sliding, typing, on a phone, in the dark, without JavaScript, with axe."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, expect

from adjudicator.core.game.archive import Archive
from tests.conftest import ROOT, first_of
from tests.render.test_signs import OVERLAPS
from tests.site.conftest import COLOURS, opened, serious, until

pytestmark = pytest.mark.slow

GAMES = len(Archive(ROOT).slugs())
TURN = "games/austria-alone/004-spring-1902-movement/index.html"
SIZES = [(390, 844), (800, 900), (1600, 1200)]


def test_clicking_leads_from_home_to_a_game_to_a_turn(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(address + "index.html")
        page.get_by_role("link", name="Austria alone", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Austria alone")
        page.locator(".courtly-turns").get_by_role("link", name="Spring 1902, movement").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Spring 1902, movement")
        assert page.url == address + TURN
        expect(page.locator("svg.cm use.t").first).to_be_visible()
        expect(page.locator(".courtly-why", has_text="It bounced: strength 1 against A Bulgaria")).to_be_visible()
        page.locator(".courtly-rule", has_text="DP-M-2").first.click()
        assert page.url.endswith("rulesets/diplomacy.html#dp-m-2")


@pytest.mark.long
def test_the_games_can_be_filtered(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(address + "index.html")
        cards = page.locator(".courtly-card:visible")
        expect(cards).to_have_count(GAMES)
        expect(cards.first).to_contain_text("First lessons")
        page.get_by_label("State").select_option("finished")
        expect(cards).to_have_count(sum(map(Archive(ROOT).has_ended, Archive(ROOT).slugs())))
        page.get_by_label("State").select_option("record")
        expect(cards).to_have_count(1)
        page.get_by_label("State").select_option("running")
        expect(cards).to_have_count(1)
        expect(page.locator(".courtly-filters output")).to_have_text("1 game")
        page.get_by_label("Players").select_option("7")
        page.locator("select[name='ruleset']").select_option("diplomacy")
        expect(cards).to_have_count(1)


def test_slider_and_keys_move_through_turns_and_change_the_address(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(address + TURN)
        page.locator("h1").click()
        page.keyboard.press("ArrowRight")
        expect(page.locator("h1")).to_have_text("Fall 1902, movement")
        assert page.url.endswith("005-fall-1902-movement/index.html")
        assert page.title().startswith("Fall 1902, movement, Austria alone")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("h1")).to_have_text("Winter 1901, adjustments")
        slider = page.get_by_role("slider", name="Go to turn")
        slider.fill("20")
        expect(page.locator("h1")).to_have_text("Spring 1906, movement")
        assert page.url.endswith("021-spring-1906-movement/index.html")
        expect(slider).to_be_focused()
        page.keyboard.press("ArrowRight")
        expect(page.locator("h1")).to_have_text("Spring 1906, retreats")
        page.go_back()
        expect(page.locator("h1")).to_have_text("Spring 1906, movement")
        page.get_by_role("link", name="Spring 1906, retreats").click()
        expect(page.locator("h1")).to_have_text("Spring 1906, retreats")
        shared = page.url
    with opened(browser) as page:
        page.goto(shared)
        expect(page.locator("h1")).to_have_text("Spring 1906, retreats")
        expect(page.get_by_role("slider", name="Go to turn")).to_have_value("21")


FALL = "games/austria-alone/023-fall-1906-movement/index.html"
LIT = """
() => [...document.querySelectorAll(".courtly-map svg .courtly-drawn")]
  .filter((group) => Number(getComputedStyle(group).opacity) > 0.5).map((group) => group.querySelector("title").textContent)
"""


@pytest.mark.parametrize(("width", "height"), first_of([(1024, 768), (1440, 900)], 1))
def test_board_and_orders_are_side_by_side_and_highlight_each_other(
    browser: Browser, address: str, width: int, height: int
) -> None:
    """FR-1."""
    with opened(browser, width=width, height=height) as page:
        page.goto(address + FALL)
        rows = page.locator(".courtly-sheets li")
        board = page.locator(".courtly-map svg")
        last = rows.last
        last.evaluate("(row) => row.scrollIntoView({ block: 'end' })")
        box, row = board.bounding_box(), last.bounding_box()
        assert box is not None
        assert row is not None
        assert box["x"] + box["width"] <= row["x"]  # beside it
        assert box["y"] >= 0  # and visible, down to its foot, beside the last order
        assert box["y"] + box["height"] <= height
        every = page.evaluate(LIT)
        assert (len(every), rows.count()) == (33, 31)  # and two standoffs
        one = rows.filter(has_text="F Greece S A Serbia - Bulgaria").first
        one.hover()
        told = "F Greece S A Serbia - Bulgaria counted for A Serbia."
        assert page.evaluate(LIT) == [told]
        expect(page.locator(".courtly-told .courtly-lit")).to_have_count(1)
        page.mouse.move(5, 5)
        assert page.evaluate(LIT) == every
        # A tap holds the light until the next one; so does a tap on the board, where a place lights all that name it.
        one.click(position={"x": 3, "y": 3})
        page.mouse.move(5, 5)
        assert page.evaluate(LIT) == [told]
        one.click(position={"x": 3, "y": 3})
        page.mouse.move(5, 5)
        assert page.evaluate(LIT) == every
        page.locator(".courtly-map svg g.courtly-drawn > title", has_text="A Vienna - Bohemia").locator(
            ".."
        ).dispatch_event("click")
        expect(page.locator(".courtly-told .courtly-lit .courtly-order")).to_have_text("A Vienna - Bohemia")
        page.locator(".courtly-map svg path > title", has_text="Sweden").locator("..").dispatch_event("click")
        assert [line.split(" moved")[0] for line in page.evaluate(LIT)] == ["F Sweden - Norway"]
        page.locator(".courtly-sheets li").nth(1).focus()
        expect(page.locator(".courtly-told .courtly-lit")).to_have_count(1)
        page.keyboard.press("ArrowRight")  # the next turn is linked as well
        expect(page.locator("h1")).to_have_text("Fall 1906, retreats")
        expect(page.locator(".courtly-sheets li[tabindex]").first).to_be_visible()


def test_on_a_phone_the_board_stays_above_the_list(browser: Browser, address: str) -> None:
    """FR-1."""
    with opened(browser, width=390, height=844) as page:
        page.goto(address + FALL)
        page.locator(".courtly-sheets li").nth(12).scroll_into_view_if_needed()
        box = page.locator(".courtly-map svg").bounding_box()
        assert box is not None
        assert 0 <= box["y"] < 80
        assert box["height"] <= 0.46 * 844
        page.emulate_media(media="print")
        assert page.locator(".courtly-map svg").evaluate("(svg) => getComputedStyle(svg).position") == "static"


def test_a_games_slider_shows_every_map_and_its_address_can_be_shared(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(address + "games/austria-alone/index.html")
        expect(page.locator("#replay img")).to_have_attribute("src", "map.svg")
        page.get_by_role("slider", name="Turn shown").fill("3")
        expect(page.locator("#replay .courtly-view > svg > title")).to_have_text("Spring 1902, movement")
        shared = page.url
        assert shared.endswith("#004-spring-1902-movement")
    with opened(browser) as page:
        page.goto(shared)
        expect(page.locator("#replay .courtly-view > svg > title")).to_have_text("Spring 1902, movement")
        expect(page.locator("#replay figcaption a").first).to_have_text("Spring 1902, movement")


def test_the_replay_says_which_turn_it_shows_and_plays(browser: Browser, address: str) -> None:
    """FR-2."""
    with opened(browser) as page:
        page.clock.install()  # before the page's scripts take the time from the real clock
        page.goto(address + "games/austria-alone/index.html")
        label, image = page.locator(".courtly-slider output"), page.locator("#replay .courtly-view > svg")
        expect(label).to_have_text("The end (35 of 35)")
        slider = page.get_by_role("slider", name="Turn shown")
        assert abs(label.bounding_box()["y"] - slider.bounding_box()["y"]) < 80  # type: ignore[index]  # both are shown
        assert page.locator("#replay-ticks option").count() == 9  # the years, and the end
        page.get_by_role("button", name="Turn before").click()
        expect(label).to_have_text("Fall 1908, retreats (34 of 35)")
        expect(image.locator("> title")).to_have_text("Fall 1908, retreats")
        page.locator("h1").click()
        page.keyboard.press("ArrowRight")
        expect(label).to_have_text("The end (35 of 35)")
        page.keyboard.press("ArrowRight")
        expect(label).to_have_text("The end (35 of 35)")
        page.keyboard.press("Space")  # from the end it starts over
        expect(label).to_have_text("Spring 1901, movement (1 of 35)")
        page.clock.run_for(3100)
        expect(label).to_have_text(
            "Spring 1902, movement (3 of 35)".replace("Spring 1902, movement", "Winter 1901, adjustments")
        )
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(9000)
        expect(label).to_contain_text("(3 of 35)")
        assert page.url.endswith("#003-winter-1901-adjustments")


def test_a_running_game_opens_on_what_just_happened(browser: Browser, address: str, root: Path) -> None:
    """FR-4: with the missing sheets, the deadline, and how many sheets are in; times in the reader's zone."""
    with opened(browser) as page:
        page.goto(address + "games/first-lessons/index.html")
        expect(page.locator("#replay img")).to_have_attribute("alt", "Map: Fall 1901, movement")
        expect(page.locator(".courtly-slider output")).to_have_text("Fall 1901, movement (2 of 3)")
        expect(page.locator(".courtly-now span")).to_have_text(
            "Now: Winter 1901, adjustments, no deadline, 2 of 7 sheets in"
        )
        assert page.get_by_role("link", name="Write orders").get_attribute("href") == "../../desk.html#first-lessons"
        expect(page.locator("#replay + .courtly-just h2")).to_have_text("What just happened")
        expect(page.locator("#replay + .courtly-just h3")).to_have_text("Fall 1901, movement")
        page.goto(address + "index.html")
        expect(page.locator(".courtly-card", has_text="First lessons").locator(".courtly-now")).to_have_text(
            "Now: Winter 1901, adjustments, no deadline, 2 of 7 sheets in"
        )
    with opened(browser, timezone_id="Europe/Berlin", java_script_enabled=True) as page:
        page.clock.set_fixed_time("2026-11-22T10:00:00Z")
        page.set_content(
            '<time class="courtly-time" datetime="2026-11-24T17:00Z">Tuesday 24 November 2026, 17:00 UTC</time>'
            '<time class="courtly-time" datetime="2026-11-22T09:00Z">Sunday</time><time class="courtly-time" datetime="x">X</time>'
        )
        page.add_script_tag(path=root / "site_src/assets/courtly.js")
        assert page.locator("time").all_inner_texts() == [
            "Tue 24 Nov, 18:00 your time, in 2 days", "Sun 22 Nov, 10:00 your time, now past", "X",
        ]  # fmt: skip
        expect(page.locator("time").first).to_have_attribute("title", "Tuesday 24 November 2026, 17:00 UTC")


def test_a_game_that_waits_for_its_host_says_so_after_the_deadline(browser: Browser, root: Path) -> None:
    """FH-5. Nothing is judged then, so no page is built then."""
    page = browser.new_page()
    lines = [
        f"<p class=courtly-host data-since={year}-11-22T00:00Z data-past=waits>may wait</p>" for year in (2020, 9000)
    ]
    page.set_content("".join(lines))
    page.add_script_tag(path=root / "site_src/assets/courtly.js")
    assert page.locator("p").all_text_contents() == ["waits", "may wait"]
    page.close()


def test_everything_is_there_without_javascript(browser: Browser, address: str) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(address + "index.html")
        expect(page.locator(".courtly-card")).to_have_count(GAMES)
        expect(page.locator(".courtly-filters")).to_be_hidden()
        page.get_by_role("link", name="Austria alone", exact=True).click()
        page.locator(".courtly-turns").get_by_role("link", name="Fall 1901, movement").click()
        expect(page.locator("svg.cm")).to_be_visible()
        expect(page.get_by_role("slider")).to_have_count(0)
        page.get_by_role("link", name="Winter 1901, adjustments →").click()
        expect(page.locator("h1")).to_have_text("Winter 1901, adjustments")


def every_kind_of_page(site: Path) -> list[str]:
    # Without the judge for browsers (`nox -s tests` makes it), the page of the table says so, after it looked for it in vain.
    left = {"404.html"} | (set() if (site / "engine").exists() else {"sandbox.html"})
    return [
        *(path.name for path in sorted(site.glob("*.html")) if path.name not in left),
        "rulesets/diplomacy.html",
        "games/austria-alone/index.html",
        TURN,
        "games/first-lessons/003-winter-1901-adjustments/index.html",
        *(path.relative_to(site).as_posix() for path in sorted(site.glob("games/fighting-over-farna/[!s]*.html"))),
        "games/fighting-over-farna/scenario.html",
        "games/fighting-over-farna/seat-anise.html",
        "games/fighting-over-farna/020-night-10/index.html",
    ]


FEW = (TURN, "games/fighting-over-farna/index.html")
"""The pages tested by default; `nox -s long` tests the others, and shows which of them axe has to check."""
WORDS = """
() => [...document.querySelectorAll("article.md-content__inner *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .map((one) => [one.parentNode, one].map((node) => `${node.tagName}.${node.getAttribute("class") ?? ""}`).join(" "))
"""
"""The kinds of elements with words in them: the style sheets set the colours of letters and backgrounds by these."""


def fewest(kinds: dict[str, set[str]]) -> list[str]:
    """Pages that together have every kind of words: the one with most new kinds, repeatedly."""
    chosen, missing = [], set[str]().union(*kinds.values())
    while missing:
        chosen.append(max(kinds, key=lambda name: len(kinds[name] & missing)))
        missing -= kinds[chosen[-1]]
    return chosen


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)])
def test_no_page_scrolls_sideways_and_axe_finds_no_serious_fault_in_our_own_markup(
    browser: Browser, address: str, site: Path, every: bool
) -> None:
    """Axe takes seconds a page, so it checks as few as cover everything, and by day and night those with most.

    In the dark only colours differ.
    """
    wide, kinds = [], {}
    with opened(browser, 390, 844) as page:
        for name in every_kind_of_page(site) if every else FEW:
            page.goto(address + name)
            kinds[name] = {*page.evaluate(WORDS)}
            for width in (390, 320):
                page.set_viewport_size({"width": width, "height": 844})
                inner = page.evaluate("document.documentElement.scrollWidth")
                if inner > width:
                    wide.append(f"{name}: {inner}")
    assert wide == []
    # Only our own markup: the article, and the whole of our pages there.
    ours = "article.md-content__inner"
    asked = fewest(kinds) if every else FEW
    assert len(asked) >= len(FEW)
    with opened(browser, color_scheme="light") as page, opened(browser, color_scheme="dark") as night:
        broken = []
        for name in asked:
            page.goto(address + name)
            night.goto(address + name)
            faults = serious(page, within=ours)
            faults += [f"dark: {fault}" for fault in serious(night, within=ours, only=COLOURS)]
            # The theme's own permalinks are not ours.
            broken += [f"{name}: {fault}" for fault in faults if "headerlink" not in fault]
        assert broken == []


@pytest.mark.parametrize(("width", "height"), first_of(SIZES, 1))
def test_no_text_on_the_map_covers_other_text(browser: Browser, address: str, width: int, height: int) -> None:
    with opened(browser, width, height) as page:
        for turn in ("first-lessons/001-spring-1901-movement", "austria-alone/031-spring-1908-movement"):
            page.goto(f"{address}games/{turn}/index.html")
            assert page.evaluate(OVERLAPS) == []


def test_the_map_follows_the_page_into_the_dark_scheme(browser: Browser, address: str) -> None:
    with opened(browser, color_scheme="light") as page:
        page.goto(address + TURN)
        sea = "getComputedStyle(document.querySelector('svg.cm rect')).fill"
        assert page.evaluate(sea) == "rgb(215, 232, 243)"
        page.locator("label[title='Switch to dark']").click()
        until(page, f"{sea} === 'rgb(22, 34, 44)'")


def test_hostile_texts_run_no_script(browser: Browser, root: Path, tmp_path: Path) -> None:
    from adjudicator.site.mkdocs.build import build
    from tests.site.test_pages import hostile_copy

    built = build(hostile_copy(root, tmp_path), tmp_path / "public").parent
    with opened(browser) as page:
        dialogs: list[str] = []

        def closed(dialog: Dialog) -> None:
            dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", closed)
        for name in (
            "index.html",
            "games/first-lessons/index.html",
            "games/first-lessons/001-spring-1901-movement/index.html",
        ):
            page.goto((built / name).as_uri())
            page.wait_for_load_state()
        assert dialogs == []
