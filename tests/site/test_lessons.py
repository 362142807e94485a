"""Lessons: their files are read with all their faults, their ends judged by the rulesets, and each is played to its end in a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.core.contract.forms import offered
from adjudicator.core.contract.ruleset import find
from adjudicator.core.text.problems import Problems
from adjudicator.site.lessons import Ready, is_said, lesson_files, load_lesson, load_lessons
from tests.site.conftest import COLOURS, opened, serious, tap
from tests.site.test_desk import tab_to, take

pytestmark = pytest.mark.slow

NAMES = (
    "al_andalus/prince", "al_andalus/wazir", "diplomacy/first", "grand_campaign/first", "heir_apparent/first", "noblesse/first",
    "saga_of_the_nine/first",
)  # fmt: skip
CLICKED = ("diplomacy/first", "noblesse/first")
"""The lessons that are played in a browser by default: on the map, and by forms."""
FIRST = "diplomacy/first"


@pytest.fixture(scope="module")
def lessons() -> dict[str, Ready]:
    """Every lesson by its name."""
    return {ready.name: ready for ready in load_lessons()}


def faults_of(source: str, slug: str = "diplomacy") -> list[str]:
    """Faults in a lesson's text, each with its line."""
    with pytest.raises(Problems) as raised:
        load_lesson(find(slug), "test", source.encode())
    return [str(fault).removeprefix(f"{slug}/lessons/test.yaml:") for fault in raised.value.problems]


def source_of(name: str) -> str:
    """A lesson's file."""
    slug, _, stem = name.partition("/")
    return (find(slug).folder / f"lessons/{stem}.yaml").read_text("utf-8")


def data_of(ready: Ready) -> Any:
    """A lesson as the desk reads it."""
    return json.loads(lesson_files([ready])[f"lessons/{ready.name}.json"])


# The files --------------------------------------------------------------------------------------------------------


def test_every_ruleset_has_a_lesson(lessons: dict[str, Ready]) -> None:
    assert tuple(sorted(lessons)) == NAMES
    assert 5 <= len(lessons[FIRST].lesson.steps) <= 7


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_a_legal_line_in_canonical_words(lessons: dict[str, Ready], name: str) -> None:
    """The right ones, the wrong ones that were foreseen, and the resulting sheets: the ruleset finds no fault in any."""
    ready = lessons[name]
    rules, seat, view = ready.rules, ready.lesson.seat, ready.view
    legal = offered(rules.rules.options(view, seat)).texts
    answers = [
        answer
        for step in ready.lesson.steps
        for answer in (*step.accepts, *(foreseen.answer for foreseen in step.wrong))
    ]
    plans = rules.desk.plans(view) if rules.desk.plans is not None else None
    lines = 0
    for answer in (*answers, *ready.lesson.ends):
        sheet = ready.rules.sheet_for(view, seat)(
            **{
                key: tuple(value) if isinstance(value, list) else value
                for key, value in answer.items()
                if value is not None
            }
        )
        assert [remark for remark in rules.rules.check(view, seat, sheet) if remark.level == "error"] == [], answer
        for line in (*answer.get("orders", ()), *filter(None, [answer.get("order")])):
            lines += 1
            if rules.secrecy is None:
                assert line in {*legal.get("orders", ()), *legal.get("order", ())}
            else:
                assert rules.desk.lines is not None
                assert rules.desk.lines(view).canonical(line) == line
        for key in plans.lists if plans is not None else ():
            for line in answer.get(key) or ():
                lines += 1
                assert plans is not None
                assert plans.canonical(key, line) == line
    assert lines >= 4


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_lead_to_an_end(lessons: dict[str, Ready], name: str) -> None:
    """Every step can be passed by a condition of an end, or by an order that a later step replaces; the last by the end itself."""
    ready = lessons[name]
    *_, last = ready.lesson.steps
    for end in ready.lesson.ends:
        assert any(is_said(end, answer) for answer in last.accepts)


def test_the_end_of_a_lesson_is_judged_and_not_written_by_hand() -> None:
    """If Russia stayed away from Norway the words would be different."""
    source = source_of(FIRST)
    rules = find("diplomacy")

    def told(text: str) -> list[tuple[str, bool]]:
        (end,) = data_of(load_lesson(rules, "first", text.encode()))["ends"]
        return [(verdict["why"], verdict["good"]) for verdict in end["verdicts"] if verdict["seat"] == "England"]

    army = "A Yorkshire - Norway via convoy moved"
    before = told(source)
    assert (
        f"{army} (supported by F Norwegian Sea): strength 2 against A St Petersburg’s 1.",
        True,
    ) in before
    alone = told(source.replace("Russia: {orders: [A St Petersburg - Norway,", "Russia: {orders: [A St Petersburg H,"))
    assert (f"{army} (supported by F Norwegian Sea): nothing stood in its way.", True) in alone


def test_an_end_has_the_rulesets_verdicts_map_and_rules(lessons: dict[str, Ready]) -> None:
    ready = lessons["al_andalus/wazir"]
    files = lesson_files([ready])
    (end,) = json.loads(files["lessons/al_andalus/wazir.json"])["ends"]
    assert end["headline"] == "First Wazir plundered Seville: all units held, and the wazir took 3 dinars."
    assert "Granada took Cordoba." in end["more"]
    own = [verdict for verdict in end["verdicts"] if verdict["seat"] == "First Wazir"]
    assert own == [
        {
            "seat": "First Wazir",
            "order": "Plunder",
            "good": True,
            "unused": False,
            "why": "Plunder: all of Seville’s units held, and each was worth a dinar.",
            "rule": "AA-G-1",
            "address": "rulesets/al_andalus.html#aa-g-1",
        }
    ]
    assert files[end["picture"]].startswith("<svg")
    assert files[end["picture"]] != files["lessons/al_andalus/wazir.svg"]


def test_a_learner_sees_only_what_their_seat_would_see(lessons: dict[str, Ready]) -> None:
    """In a game with hidden information the lesson's files contain nothing else: no other player's role, unit or order."""
    ready = lessons["noblesse/first"]
    files = lesson_files([ready])
    text = "".join(files.values())
    units = {name for name, unit in ready.position.units.items() if unit.owner != "Fennel"}
    assert len(units) == 11
    assert [name for name in units if name in text] == []
    roles = {player.role for seat, player in ready.position.players.items() if seat != "Fennel"}
    assert [role for role in roles if role in text] == []
    (end,) = json.loads(files["lessons/noblesse/first.json"])["ends"]
    assert {verdict["seat"] for verdict in end["verdicts"]} == {"Fennel"}
    assert "Fennel earned 4 manpower from A1." in end["plain"]


def test_every_fault_in_a_lesson_is_reported_with_its_line() -> None:
    source = """\
title: T
before: B
phase: Spring 1902, movement
seat: Englnd
steps:
- {task: T, accepts: [{orders: [F London - Norway]}], right: R, hint: H}
ends: []
others: {Rusia: {orders: []}}
after: A
"""
    assert faults_of(source) == [
        "3:8: the turn is called 'Spring 1901, movement'; write that",
        "4:7: no seat is called 'Englnd'; did you mean 'England'?",
        "8:10: no seat is called 'Rusia'; did you mean 'Russia'?",
    ]
    more = source.replace("1902", "1901").replace("Englnd", "England").replace("Rusia", "Russia")
    assert faults_of(more.replace("orders: []", "orders: [A Moscow - Paris]")) == [
        "6:33: F London - Norway: Norway is not adjacent to London; F London can go to English Channel, North Sea, Wales, Yorkshire",
        "7:1: there are no ends; a lesson needs at least one",
        "8:28: A Moscow - Paris: Paris is not adjacent to Moscow; A Moscow can go to Livonia, Sevastopol, St Petersburg, Ukraine, Warsaw",
    ]
    assert faults_of("title: T\nbefor: B\nsteps: {}\n") == [
        *(f"1:1: {key!r} is missing; add it" for key in ("after", "before", "ends", "phase", "seat")),
        "2:8: unknown key 'befor'; did you mean 'before'?",
        "3:1: steps is keys with values; write each entry on its own line below it, beginning with `- `",
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("F Norwegian Sea H]", "f nwg h]", "32:15: 'f nwg h' is not among the legal orders; write F Norwegian Sea H"),
        ("{orders: [F Norwegian Sea H]}", "{}", "this answer says nothing; name a key of the sheet"),
        ("{orders: [F Norwegian Sea H]}", "{order: H}", "32:13: unknown key 'order'; did you mean 'orders'?"),
        ("{orders: [F North Sea H]}", "{orders: [F Norwegian Sea H]}", "this is a right answer too; remove it from `accepts` or from `wrong`"),
        ("ends:\n- {orders: [A Yorkshire - Norway via convoy", "ends:\n- {orders: [A Yorkshire - Wales", "no step asks for 'A Yorkshire - Wales'"),
        ("ends:\n- {orders: [A", "ends:\n- {orders: [F North Sea C A Yorkshire - Norway, A", "the unit was given more than one order"),
        ("F Kiel - Denmark,", "F Kiel - Norway,", "Norway is not adjacent to Kiel"),
        ("    England: {orders: [F London", "    Englund: {orders: [F London", "no seat is called 'Englund'"),
        ("others:\n", "others:\n  England: {orders: []}\n", "this is the learner’s own seat; its orders come from the steps"),
        ("ends:\n", "ends:\n- {orders: 5}\n", "orders"),
        ("ends:\n", "ends:\n- {orders: [A Yorkshire - Norway via convoy]}\n", "the last step does not lead here"),
        ("begins:\n", "begins:\n  example: moves/mov\n", "no case is called 'moves/mov'"),
    ],
)  # fmt: skip
def test_each_kind_of_fault_has_its_message(old: str, new: str, fault: str) -> None:
    source = source_of(FIRST)
    assert old in source
    assert any(fault in told for told in faults_of(source.replace(old, new))), faults_of(source.replace(old, new))


def test_a_lesson_may_begin_at_a_worked_example() -> None:
    """A case of the rulebook gives the position: its seats are the board's."""
    source = """\
title: T
before: B
phase: Spring 1901, movement
seat: England
begins: {example: convoys/convoy}
steps:
- {task: T, accepts: [{orders: [A London - Norway via convoy]}], right: R, hint: H}
ends: [{orders: [A London - Norway via convoy]}]
after: A
"""
    ready = load_lesson(find("diplomacy"), "test", source.encode())
    (end,) = data_of(ready)["ends"]
    assert [verdict["order"] for verdict in end["verdicts"] if not verdict["good"]] == ["A London - Norway via convoy"]


def test_pages_link_to_the_existing_lessons(site: Path) -> None:
    """The page on how to play begins with them, and the first door of the home page leads to one."""
    there = {entry["lesson"] for entry in json.loads((site / "lessons/lessons.json").read_text("utf-8"))}
    assert there == {*NAMES}
    play = (site / "play.html").read_text("utf-8")
    assert {*re.findall(r'href="desk\.html#lesson/([^"]+)"', play)} == there
    assert play.index("desk.html#lesson/") < play.index("You hold a")
    home = (site / "index.html").read_text("utf-8")
    assert re.search(r'<a href="desk\.html#lesson/diplomacy/first"[^>]*>Try a turn', home)


# In a browser -----------------------------------------------------------------------------------------------------


def begin(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}desk.html#lesson/{name}")
    expect(page.locator(".lesson h2")).to_contain_text("Step 1 of")


def at_step(page: Page, number: int) -> None:
    expect(page.locator(".lesson h2")).to_contain_text(f"Step {number} of")


def finish(page: Page, *orders: str) -> None:
    """Has the turn judged; `orders` are the learner's orders that the page then lists."""
    expect(page.locator(".lesson h2")).to_have_text("Every task is done")
    page.get_by_role("button", name="Judge the turn").click()
    expect(page.locator("h2:focus")).to_contain_text("judged")
    own = page.locator(".panel").filter(has=page.get_by_role("heading", name="Your orders"))
    expect(own.locator("strong")).to_have_text(orders)
    image = own.page.locator(".judged img")
    expect(image).to_have_js_property("complete", value=True)
    assert image.evaluate("(one) => one.naturalWidth") > 0
    for link in own.locator("a").all():
        assert re.fullmatch(r"rulesets/\w+\.html#[a-z0-9]+-[a-z]-\d+", link.get_attribute("href") or "")
    expect(own.locator("a")).to_have_count(len(orders))


def play_first(page: Page) -> None:
    """Diplomacy's lesson, with only the map."""
    tap(page, "Yorkshire", "Edinburgh")
    at_step(page, 2)
    tap(page, "Norwegian Sea", "Norwegian Sea")
    at_step(page, 3)
    tap(page, "Yorkshire", "Norway")
    at_step(page, 4)
    tap(page, "North Sea", "Yorkshire", "Norway")
    at_step(page, 5)
    tap(page, "Norwegian Sea", "Yorkshire", "Norway")
    take(page, "F Norwegian Sea S A Yorkshire - Norway")
    finish(
        page, "A Yorkshire - Norway via convoy", "F North Sea C A Yorkshire - Norway",
        "F Norwegian Sea S A Yorkshire - Norway",
    )  # fmt: skip


def play_prince(page: Page) -> None:
    tap(page, "Seville", "Carmona")
    at_step(page, 2)
    tap(page, "Cadiz", "Strait of Gibraltar")
    at_step(page, 3)
    tap(page, "Niebla", "Silves")
    expect(page.locator(".lesson .note")).to_contain_text("one of them is held for you")
    tap(page, "Niebla", "Niebla")
    at_step(page, 4)
    page.get_by_label("Hire").select_option("Second Wazir")
    expect(page.locator(".lesson .note")).to_contain_text("The Second Wazir goes to Granada")
    page.get_by_label("Hire").select_option("First Wazir")
    finish(page, "Hire First Wazir", "A Seville - Carmona", "F Cadiz - Strait of Gibraltar", "A Niebla H")


def play_wazir(page: Page) -> None:
    tap(page, "Niebla", "Silves")
    at_step(page, 2)
    page.get_by_label("Plunder").check()
    at_step(page, 3)
    page.get_by_role("button", name="Remove A Niebla - Silves").click()
    finish(page, "Plunder")


def play_night(page: Page) -> None:
    """Noblesse's lesson: by actions that begin at a place, and by a form whose blank the map fills."""
    tap(page, "A1")
    take(page, "Tax {resource} at A1")
    take(page, "manpower")
    at_step(page, 2)
    tap(page, "A1")
    take(page, "Lobby {resource} at A1")
    take(page, "manpower")
    at_step(page, 3)
    tap(page, "A1")
    take(page, "Move U561 to {path}")
    tap(page, "B1", "B1")  # the first tap begins the way, the second ends it there
    expect(page.locator(".view .order.go")).to_have_count(1)  # drawn like a move on the maps
    at_step(page, 4)
    page.locator(".picker summary", has_text="Courtiers and family").click()
    page.get_by_role("button", name="Steward at estate", exact=True).click()
    tap(page, "B1")
    at_step(page, 5)
    tap(page, "A1")
    take(page, "Spy from A1 to {path}")
    take(page, "A2, A3")
    expect(page.locator(".view .order.go")).to_have_count(3)
    finish(
        page, "Move U561 to B1", "Tax manpower at A1", "Lobby manpower at A1", "Steward at B1", "Spy from A1 to A2, A3",
    )  # fmt: skip


def play_wedding(page: Page) -> None:
    """The saga's lesson: units, an heir and bids, all by the map."""
    tap(page, "Svartalfheim", "Ylg")
    at_step(page, 2)
    tap(page, "Amsvartnir", "Svartalfheim", "Ylg")
    at_step(page, 3)
    page.get_by_role("button", name="My heir has no order").click()
    tap(page, "Permyak")
    at_step(page, 4)
    take(page, "1 DP to F Permyak Marry Heir Dokkalfar")
    expect(page.locator(".lesson .note")).to_contain_text("Another heir may want Permyak too")
    page.get_by_role("button", name="Change 1 DP to F Permyak Marry Heir Dokkalfar").click()
    page.locator(".pick", has_text="Marry the heir of Dokkalfar").click()
    take(page, "2 DP to F Permyak Marry Heir Dokkalfar")
    at_step(page, 5)
    tap(page, "Myrkvid", "Mangazeya")
    at_step(page, 6)
    tap(page, "Tunguska", "Myrkvid", "Mangazeya")
    take(page, "1 DP to A Tunguska S A Myrkvid - Mangazeya")
    finish(
        page, "2 DP to F Permyak Marry Heir Dokkalfar", "1 DP to A Tunguska S A Myrkvid - Mangazeya",
        "F Svartalfheim - Ylg", "F Amsvartnir S F Svartalfheim - Ylg", "A Myrkvid - Mangazeya", "Heir Dokkalfar Marry Permyak",
    )  # fmt: skip


def play_toll(page: Page) -> None:
    """Heir Apparent's: a line chosen at the table with its condition, a typed one, and a separate condition."""
    page.locator(".view [data-region=oriane-vell]").click()
    event = page.locator("#field-event")
    event.locator(".reading .pick[data-line='join oriane-vell for support']").click()
    event.get_by_role("button", name="if …").click()
    expect(page.locator("#field-event-term:focus")).to_have_count(1)
    page.locator("#field-event-term").select_option(label="opp: tokens for Opposition")
    event.get_by_label("number", exact=True).fill("6")
    event.get_by_role("button", name="Add to the line").click()
    expect(event.locator(".reading")).to_contain_text("✓ Written: join Oriane Vell for support if opp >= 6")
    at_step(page, 2)
    field = page.get_by_label("A line for: In the Event")
    for line in ("Prince for Support", "prince for support if opp>=sup"):
        field.fill(line)
        page.keyboard.press("Escape")
        field.press("Enter")
    expect(page.locator(".lesson .good")).to_contain_text("compared with each other")
    at_step(page, 3)
    event.get_by_role("button", name="Remove: prince for support", exact=True).click()
    reopen = page.locator("#field-reopen")
    reopen.locator("summary", has_text="Only if").click()
    page.locator("#field-reopen-term").select_option(label="passing: the Challenge would succeed now")
    reopen.get_by_label("holds or not").select_option("does not hold")
    reopen.get_by_role("button", name="Add to the line").click()
    finish(
        page, "reopen if not passing", "join oriane-vell for support if opp >= 6", "prince for support if opp >= sup"
    )


def play_road(page: Page) -> None:
    """The campaign's: a chosen treaty, two paths tapped hex by hex with actions at their ends, a typed plan."""
    page.locator("#field-diplomacy summary").click()
    page.locator("#field-diplomacy").get_by_role("button", name="war with Ben", exact=True).click()
    page.locator("#field-diplomacy").get_by_role("button", name="Add", exact=True).click()
    at_step(page, 2)
    tap(page, "0504", "0803")
    expect(page.locator(".walk-line")).to_contain_text("4 of 10 Movement.")
    page.locator(".walk-line").get_by_role("button", name="Take in A1: NE, E, E").click()
    expect(page.locator(".lesson .note")).to_contain_text("there it only waits")
    page.get_by_role("button", name="Change: A1: NE, E, E").click()
    page.locator("#field-armies-reading").get_by_role("button", name="Prepare to Attack …").click()
    tap(page, "0802")
    page.locator(".walk-line").get_by_role("button", name="Take in").click()
    at_step(page, 3)
    page.locator("#field-conquest-line").fill("a1: claim 0802")
    page.keyboard.press("Escape")
    page.locator("#field-conquest-line").press("Enter")
    at_step(page, 4)
    tap(page, "0307", "0308", "0309")
    page.get_by_role("button", name="What can be done there").click()
    page.locator("#field-armies-reading").get_by_role("button", name="Claim Territory").click()
    page.locator(".walk-line").get_by_role("button", name="Take in").click()
    finish(page, "war with Ben", "A1: NE, E, E, Prepare to Attack NE", "A2: SE, SW, Claim Territory", "A1: claim 0802")


PLAYED = {
    "diplomacy/first": play_first,
    "grand_campaign/first": play_road,
    "al_andalus/prince": play_prince,
    "al_andalus/wazir": play_wazir,
    "heir_apparent/first": play_toll,
    "noblesse/first": play_night,
    "saga_of_the_nine/first": play_wedding,
}


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        # One of each ruleset here, on a phone; the others by `nox -s long`.
        pytest.param(
            name, width, scheme, marks=[] if first and width == 390 else pytest.mark.long, id=f"{name} {width}"
        )
        for name in NAMES
        for first in (name in CLICKED,)
        for width, scheme in ((1280, "light"), (390, "dark"))
    ],
)
def test_a_lesson_can_be_played_by_clicking(browser: Browser, address: str, name: str, width: int, scheme: str) -> None:
    """To its end, on a screen by day and on a phone by night: nothing is sent or remembered, and nothing scrolls sideways."""
    with opened(browser, width, 844, color_scheme=scheme, has_touch=width < 1000) as page:
        hosts: list[str] = []
        page.on("request", lambda request: hosts.append(request.url))
        page.goto(address + "desk.html")
        kept = {"courtly-desk:draft:x:summer:t:austria": '{"orders":["A Vienna H"]}', "courtly-desk:keys": '"age1x"'}
        page.evaluate("(kept) => { for (const key in kept) localStorage.setItem(key, kept[key]); }", kept)
        begin(page, address, name)
        assert serious(page, only=COLOURS if scheme == "dark" else ()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".send, .result, .who, .status, .who-sent")).to_have_count(0)
        expect(page.get_by_text("Go on to sending")).to_have_count(0)
        PLAYED[name](page)
        assert serious(page, only=COLOURS if scheme == "dark" else ()) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        expect(page.locator(".send, .result")).to_have_count(0)
        assert page.evaluate("({...localStorage})") == kept
        assert [url for url in hosts if not url.startswith(address)] == []
        page.get_by_role("button", name="Once more").click()
        at_step(page, 1)
        expect(page.locator(".orders .order")).to_have_count(0)


@pytest.mark.long
def test_a_lesson_can_be_played_with_only_the_keyboard(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(address + "play.html")
        page.get_by_role("link", name="Diplomacy", exact=True).and_(page.locator("[href*='#lesson/']")).press("Enter")
        expect(page.locator("h1:focus")).to_have_text("Norway by sea")
        page.keyboard.press("/")
        for number, line in enumerate(("yor edi", "nwg h", "yor nwy via convoy", "nth c yor nwy", "nwg s yor nwy"), 1):
            at_step(page, number)
            page.keyboard.type(line)
            page.keyboard.press("Enter")
        expect(page.locator("#live")).to_contain_text("All tasks are done.")
        for _ in range(12):
            page.keyboard.press("Shift+Tab")
            if page.evaluate("document.activeElement.textContent") == "Judge the turn":
                break
        page.keyboard.press("Enter")
        expect(page.locator("h2:focus")).to_have_text("Fall 1901, movement, judged")
        expect(page.locator("#live")).to_contain_text("France took Belgium")
        tab_to(page, "DP-M-3")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(r"rulesets/diplomacy\.html#dp-m-3$"))


def test_a_wrong_answer_gets_an_explanation(browser: Browser, address: str, lessons: dict[str, Ready]) -> None:
    """Every foreseen one, at every step; any other order is answered as not the one asked for."""
    with opened(browser) as page:
        begin(page, address, FIRST)
        field = page.get_by_label("Or type an order")
        for number, step in enumerate(lessons[FIRST].lesson.steps, 1):
            at_step(page, number)
            for foreseen in step.wrong:
                for line in foreseen.answer["orders"]:
                    field.fill(line)
                    field.press("Enter")
                expect(page.locator(".lesson .note")).to_have_text(foreseen.says)
                expect(page.locator("#live")).to_contain_text(foreseen.says)
            for line in step.accepts[0]["orders"]:
                field.fill(line)
                field.press("Enter")
        expect(page.locator(".lesson h2")).to_have_text("Every task is done")
        begin(page, address, "al_andalus/prince")
        page.get_by_label("Or type an order").fill("F Cadiz - Gulf of Cadiz")
        page.keyboard.press("Enter")
        expect(page.locator(".lesson .note")).to_contain_text("it is not what the task asks for")
        at_step(page, 1)


def test_steps_towards_the_answer_are_not_called_wrong(browser: Browser, address: str) -> None:
    """Between its first tap and its last a convoy is a different order for a moment."""
    with opened(browser) as page:
        begin(page, address, FIRST)
        for _ in range(3):
            page.get_by_text("A hint").click()
            page.get_by_role("button", name="Write it for me").click()
        at_step(page, 4)
        tap(page, "North Sea", "Yorkshire")
        expect(page.locator(".orders")).to_contain_text("F North Sea - Yorkshire")
        expect(page.locator(".lesson .note")).to_have_count(0)
        tap(page, "Norway")
        at_step(page, 5)


@pytest.mark.long
def test_a_sheet_other_than_the_lessons_is_not_judged(browser: Browser, address: str) -> None:
    """Its missing lines are named, and one press writes the lesson's; undoing brings the question back."""
    with opened(browser) as page:
        begin(page, address, FIRST)
        for _ in range(5):
            page.get_by_text("A hint").click()
            page.get_by_role("button", name="Write it for me").click()
        judge = page.get_by_role("button", name="Judge the turn")
        expect(judge).to_be_visible()
        page.get_by_label("Or type an order").fill("nth h")
        page.keyboard.press("Enter")
        expect(judge).to_have_count(0)
        expect(page.locator(".lesson")).to_contain_text("Missing: F North Sea C A Yorkshire - Norway.")
        expect(page.locator(".lesson")).to_contain_text("Not in it: F North Sea H.")
        page.get_by_role("button", name="Write the lesson’s sheet").click()
        expect(judge).to_be_visible()
        page.get_by_role("button", name="Remove A Yorkshire - Norway via convoy").click()
        expect(judge).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(judge).to_be_visible()


def test_the_desk_lists_its_lessons_and_knows_no_others(browser: Browser, address: str) -> None:
    with opened(browser, 390, 844) as page:
        page.goto(address + "desk.html")
        cards = page.locator("[aria-labelledby=lessons] a")
        expect(cards).to_have_count(len(NAMES))
        assert serious(page) == []
        cards.first.click()
        at_step(page, 1)
        page.get_by_role("link", name="All desks and lessons").click()
        expect(page.get_by_role("heading", name="Order desk")).to_be_visible()
    with opened(browser) as page:
        for name in ("lesson/../../x", "lesson/a/b/c", "lesson/%3Cimg src=x%3E/y"):
            page.goto(f"{address}desk.html#{name}")
            expect(page.locator(".note.bad")).to_contain_text("No lesson is called")
            page.goto("about:blank")


def test_the_texts_of_a_lesson_are_shown_as_plain_text(browser: Browser, address: str, site: Path) -> None:
    """A ruleset may be a stranger's: its lessons are as passive as its games."""
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    data = json.loads((site / "lessons/diplomacy/first.json").read_text("utf-8"))
    data |= {"title": hostile, "before": [hostile], "after": [hostile]}
    data["steps"] = [{**data["steps"][1], "task": hostile, "right": hostile, "hint": hostile}]
    data["ends"] = [
        {**data["ends"][0], "sheet": {"orders": ["F Norwegian Sea H"]}, "headline": hostile, "more": [hostile]}
    ]
    with opened(browser) as page:
        page.add_init_script("window.broken = []; addEventListener('securitypolicyviolation', () => broken.push(1));")
        page.route("**/first.json", lambda route: route.fulfill(json=data))
        page.goto(f"{address}desk.html#lesson/{FIRST}")
        expect(page.locator("h1")).to_have_text(hostile)
        expect(page.locator(".task")).to_have_text(hostile)
        tap(page, "Norwegian Sea", "Norwegian Sea")
        page.get_by_role("button", name="Judge the turn").click()
        expect(page.locator(".headline")).to_have_text(hostile)
        assert page.evaluate("broken") == []
        expect(page.locator("#desk img")).to_have_count(1)


def test_a_lesson_without_its_map_can_be_played_by_typing(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.route("**/first.svg", lambda route: route.fulfill(body="<x/>", content_type="image/svg+xml"))
        begin(page, address, FIRST)
        expect(page.get_by_text("The map cannot be shown")).to_be_visible()
        page.get_by_label("Or type an order").fill("yor edi")
        page.keyboard.press("Enter")
        at_step(page, 2)
