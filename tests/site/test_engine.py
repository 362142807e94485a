"""The judge in a reader's browser: finished turns judged again in the page, to the byte; its access to files; and its messages when it cannot
judge."""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import importlib
import io
import json
import os
import re
import shutil
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Locator, Page, expect

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import slugs
from adjudicator.core.files.memory import Memory
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.again import judge_again, sealed_files
from adjudicator.core.jobs.page import asking, seat_at
from adjudicator.core.jobs.verify import verify_game
from adjudicator.core.jobs.what_if import table_at
from adjudicator.core.secrets import age
from adjudicator.core.text.codec import encode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.site import engine as engines
from adjudicator.site.engine import LIST, engine_files, has_engine
from adjudicator.site.mkdocs.build import build
from adjudicator.site.packs import PACK, game_pack, turn_pack
from adjudicator.site.story import load_story
from tests.conftest import ROOT
from tests.mutations import damaged
from tests.site.conftest import empty_site, opened, serious, served, until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("engine")]

ARCHIVE = Archive(ROOT)
HIDDEN = "the-heir-of-avermark"
"""A finished game that hid information while it was played: it is judged with its sealed files."""
SHORTENED = {"nine-courts": 4, "the-wazirs-of-1080": 3, "the-amber-reach": 4, "austria-alone": 3}
"""Games whose first turns are enough here."""
SHEETS = int(os.environ.get("COURTLY_SHEETS", "25"))
"""Damaged sheets of each ruleset that are checked in the page and natively; `nox -s engine` takes more."""
MOST = 10_000_000
"""Maximum bytes that a page may load before it judges, compressed as every browser can read it."""


def shortened(folder: Path, name: str, turns: int) -> None:
    """A game cut to its first turns, which is still running."""
    place = folder / "games" / name
    shutil.copytree(ARCHIVE.game_folder(name), place)
    (place / "ending.yaml").unlink(missing_ok=True)
    for late in ARCHIVE.turns(name)[turns:]:
        shutil.rmtree(place / late)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """A site with the judge, and games of several rulesets."""
    folder = empty_site(tmp_path_factory.mktemp("site"), ("archive.yaml", "first-lessons", HIDDEN))
    for name, turns in SHORTENED.items():
        shortened(folder, name, turns)
    return build(folder, folder / "public").parent


@pytest.fixture
def site(made: Path) -> Iterator[str]:
    """Address of the site."""
    with served(made) as address:
        yield address


@contextlib.contextmanager
def troubled(browser: Browser) -> Iterator[Page]:
    """A page that may log errors on its console, because a test provokes them."""
    context = browser.new_context()
    context.set_default_timeout(10_000)
    try:
        yield context.new_page()
    finally:
        context.close()


def judged(page: Page, address: str, game: str, turn: str) -> None:
    """Judges a turn again in the page, as a reader does."""
    page.goto(f"{address}again.html#{game}/{turn}")
    page.get_by_role("button", name="Judge it again").click()
    expect(page.locator("#verdict, .note.bad").first).to_be_visible(timeout=60_000)


def finished(folder: Path) -> list[tuple[str, str]]:
    """The turns that a site offers to judge again."""
    pages = sorted((folder / "games").glob("*/*/index.html"))
    return [path.parent.parts[-2:] for path in pages if "again.html#" in path.read_text("utf-8")]  # type: ignore[misc]


def chosen(folder: Path) -> list[tuple[str, str]]:
    """A dozen or more of them: all turns of the open games, and a few of the hidden game."""
    turns = finished(folder)
    hidden = [turn for game, turn in turns if game == HIDDEN]
    return [one for one in turns if one[0] != HIDDEN] + [(HIDDEN, hidden[at]) for at in (0, 9, len(hidden) - 1)]


def test_finished_turns_are_judged_again_in_the_page_to_the_byte(browser: Browser, made: Path, site: str) -> None:
    turns = chosen(made)
    assert len(turns) >= 12
    assert {game for game, _ in turns} == {HIDDEN, "first-lessons", *SHORTENED}
    with opened(browser) as page:
        for game, turn in turns:
            judged(page, site, game, turn)
            assert page.locator("#verdict").inner_text().startswith("✓"), page.locator("#again").inner_text()
            files = Path(made.parent / "games" / game / turn)
            digests = page.locator(".digests code").all_inner_texts()
            assert digests == [
                hashlib.sha256((files / name).read_bytes()).hexdigest() for name in ("turn.yaml", "map.svg")
            ]
        assert len(page.workers) == 1


@pytest.mark.long
def test_every_finished_turn_of_the_archive_is_judged_again_to_the_byte(
    browser: Browser, tmp_path: Path, wheel: Path
) -> None:
    games = [slug for slug in ARCHIVE.slugs() if ARCHIVE.turns(slug)]
    folder = build(empty_site(tmp_path, ("archive.yaml", *games)), tmp_path / "public").parent
    turns = finished(folder)
    assert len(turns) == sum(verify_game(ARCHIVE, slug).turns for slug in games)
    with served(folder) as address, opened(browser) as page:
        for game, turn in turns:
            judged(page, address, game, turn)
            assert page.locator("#verdict").inner_text().startswith("✓"), (game, turn)


ASKING = """async ([ruleset, questions]) => {
  const { Judge, engineOf } = await import(new URL("assets/engine/engine.js", document.baseURI));
  const judge = new Judge(await engineOf());
  await judge.ready(ruleset);
  const answers = [];
  for (const question of questions) {
    const { answer, faults } = await judge.ask(question);
    answers.push(answer ?? faults ?? null);
  }
  judge.stop();
  return answers;
}"""
PLAYED = {
    "first-lessons": 0, "nine-courts": 2, "the-wazirs-of-1080": 1, "the-amber-reach": 1, HIDDEN: 7, "fighting-over-farna": 3,
}  # fmt: skip
"""A turn of a game of each ruleset."""


@pytest.mark.parametrize("game", PLAYED)
def test_the_judge_checks_and_offers_the_same_in_the_page_as_natively(browser: Browser, site: str, game: str) -> None:
    """To the letter: sheets as they were played, and as people damage them."""
    turn = ARCHIVE.turns(game)[PLAYED[game]]
    table = table_at(ARCHIVE, game, turn)
    random = Random(f"{game}|{SHEETS}")
    sheets = [(seat, text) for seat, text in table.played.items()]
    sheets += [(seat, damaged(text, random)) for seat, text in random.choices(sheets, k=SHEETS)]
    folder = ARCHIVE.game_folder(game)
    read = [
        folder.parent / "archive.yaml",
        *folder.glob("*.yaml"),
        *(folder / turn).rglob("*"),
        ROOT / "games/archive.yaml",
    ]
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in read if path.is_file()}
    keys, opened_files = {}, {}
    for identity, paths in sealed_files(ARCHIVE, game).items():
        keys[identity] = age.recipient_of(identity)
        for path in paths:
            if (name := path.relative_to(ROOT).as_posix()) in files and "/dispatches/" not in name:
                opened_files[name] = base64.b64encode(age.decrypt(files[name], [identity], name)).decode()
    questions: list[dict[str, Any]] = [
        {"do": "files", "files": {name: {"base64": base64.b64encode(body).decode()} for name, body in files.items()}},
        {"do": "opened", "texts": opened_files, "keys": keys},
        {"do": "table", "game": game, "turn": turn},
        *({"do": "seat", "seat": seat} for seat in table.game.seats),
        *({"do": "check", "seat": seat, "sheet": text} for seat, text in sheets),
    ]
    wanted = [
        *(seat_at(table, seat) for seat in table.game.seats),
        *(encode(table.look(seat, text)) for seat, text in sheets),
    ]
    with opened(browser) as page:
        page.goto(f"{site}again.html")
        page.set_default_timeout(600_000)
        answers = page.evaluate(ASKING, [table.game.ruleset.about.slug, questions])
    assert {seat: write(sheet) for seat, sheet in answers[2]["played"].items()} == dict(table.played)
    got = json.loads(json.dumps(wanted))
    differ = [
        (question, was, now) for question, was, now in zip(questions[3:], got, answers[3:], strict=True) if was != now
    ]
    assert differ == []
    assert sum(bool(faults) for faults in wanted[len(table.game.seats) :]) > SHEETS // 4


def test_a_reader_gets_to_the_judge_from_the_turns_page(browser: Browser, site: str) -> None:
    with opened(browser, 390, 844) as page:
        page.goto(f"{site}games/first-lessons/001-spring-1901-movement/index.html")
        page.get_by_role("link", name="Judge this turn again, here").click()
        button = page.get_by_role("button", name="Judge it again")
        expect(button).to_have_text(re.compile(r"Judge it again \(loads \d+ MB, once\)"))
        button.press("Enter")
        expect(page.locator("#verdict")).to_have_text(
            re.compile(r"^✓ The same, to the byte\. \d sheets? lead"), timeout=60_000
        )
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        page.get_by_role("link", name="The turn’s page").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Spring 1901, movement")


CHANGES = {
    "verdict": ("turn.yaml", "result: succeeds", "result: fails", "turn.yaml:"),
    "position": ("turn.yaml", "year: 1901", "year: 1902", "turn.yaml"),
    "sheet": ("orders/", "A ", "A  ", "this sheet was changed after the turn was judged"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_archive_gives_a_red_line(browser: Browser, made: Path, site: str, what: str) -> None:
    """An archive that somebody changed: the page reports any change."""
    where, old, new, said = CHANGES[what]
    place = "games/austria-alone"
    turn = next(path.parent.name for path in sorted((made / place).glob("*/files.json")))
    pack = json.loads((made / place / turn / PACK).read_text("utf-8"))
    name = next(name for name in sorted(pack["files"]) if where in name and old in pack["files"][name])
    pack["files"][name] = pack["files"][name].replace(old, new, 1)
    with opened(browser) as page:
        page.route(f"**/{place}/{turn}/{PACK}", lambda route: route.fulfill(json=pack))
        judged(page, site, Path(place).name, turn)
        told = page.locator("#again").inner_text()
        assert page.locator("#verdict.bad, .note.bad").count(), told
        assert said in told


def test_a_different_map_gives_a_red_line(browser: Browser, made: Path, site: str) -> None:
    turn = "001-spring-1901-movement"
    pack = json.loads((made / "games/first-lessons" / turn / PACK).read_text("utf-8"))
    with opened(browser) as page:
        page.route(f"**/{turn}/{PACK}", lambda route: route.fulfill(json={**pack, "map": "0" * 64}))
        judged(page, site, "first-lessons", turn)
        expect(page.locator("#verdict.bad")).to_be_visible()
        expect(page.locator("#differences li")).to_have_count(1)
        expect(page.locator("#differences")).to_contain_text("drawing the map again gives a different one")


ASKED = """async (address) => {
  const tried = {};
  const attempt = async (name, ask) => {
    try { await ask(); tried[name] = "came"; } catch { tried[name] = "refused"; }
  };
  await attempt("fetch", () => fetch(address, { mode: "no-cors" }));
  await attempt("import", () => import(address + "x.js"));
  await attempt("socket", () => new Promise((resolve, reject) => {
    const socket = new WebSocket(address.replace("http", "ws"));
    socket.onopen = resolve;
    socket.onerror = reject;
  }));
  await attempt("request", () => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.onload = resolve;
    request.onerror = reject;
    request.open("GET", address);
    request.send();
  }));
  await attempt("eval", () => (0, eval)("1"));
  await attempt("own", () => fetch(OWN));
  await attempt("worker", () => new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../assets/engine/worker.js", OWN), { type: "module" });
    worker.onerror = reject;
    worker.onmessage = resolve;
    worker.postMessage({ id: 1, do: "boot", base: address, engine: {} });
  }));
  return tried;
}"""


def test_the_worker_sends_requests_only_to_this_site(browser: Browser, made: Path, site: str, tmp_path: Path) -> None:
    """B2. A worker loaded by its address would ignore the page's policy; anything that runs in this one obeys it."""
    (tmp_path / "x.js").write_text("export default 1")
    with served(tmp_path) as elsewhere, troubled(browser) as page:
        judged(page, site, "first-lessons", "001-spring-1901-movement")
        expect(page.locator("#verdict.good")).to_be_visible()
        (worker,) = page.workers
        assert worker.url.startswith("blob:")
        tried = worker.evaluate(ASKED.replace("OWN", json.dumps(f"{site}{LIST}")), elsewhere)
    own = tried.pop("own")
    assert {*tried.values()} == {"refused"}, tried
    assert own == "came"
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', (made / "again.html").read_text("utf-8"))
    assert policy is not None
    assert "'unsafe-eval'" not in policy[1]
    others = [path for path in made.rglob("*.html") if path.name not in ("again.html", "judge.html", "sandbox.html")]
    assert not [path for path in others if "wasm-unsafe-eval" in path.read_text("utf-8")]


FAULTS = {
    "no engine": ("", "This site was built without the judge for browsers."),
    "no wasm": ("delete globalThis.WebAssembly", "WebAssembly is switched off"),
    "no workers": (
        "globalThis.Worker = class { constructor() { throw new Error('no') } }",
        "did not let the judge start",
    ),
    "half a part": ("", "Part of the judge did not arrive complete."),
    "a list that is none": ("", "Part of the judge did not arrive complete."),
    "a list without parts": ("", "Part of the judge did not arrive complete."),
    "files that are none": ("", "This site’s files for the turn are damaged."),
    "rules by another name": ("", "does not know this game’s rules"),
    "a missing part": ("", "Part of the judge did not arrive complete."),
    "no files": ("", "This site has no files for this turn"),
    "other rules": ("", "does not know this game’s rules"),
}


def table(page: Page, address: str, game: str, turn: str) -> None:
    """Sets a table up at a turn, as a reader does."""
    page.goto(f"{address}sandbox.html#{game}/{turn}")
    start, there = page.get_by_role("button", name="Set up the table"), page.locator(".what-if")
    expect(start.or_(there).first).to_be_visible(timeout=60_000)
    if start.count():
        start.click()
    expect(page.locator(f".crumbs a[href='games/{game}/{turn}/index.html']")).to_be_visible(timeout=60_000)
    expect(there).to_be_visible()


def chip(page: Page, seat: str) -> Locator:
    """The button of a seat at the table."""
    return page.locator(".chip", has_text=seat)


def written(page: Page) -> Locator:
    """The orders in the sheet of the current writer."""
    return page.locator(".orders li:is(.good, .fits, .odd) .order")


def type_order(page: Page, line: str) -> None:
    page.locator("#typed").fill(line)
    page.locator("#typed").press("Enter")


def tap(page: Page, *places: str) -> None:
    """Taps places of the board, once all seats are there: a phone may show another part of it."""
    expect(page.locator("#sandbox:not([inert]) .what-if .view")).to_be_visible(timeout=60_000)
    for place in places:
        page.locator(f".what-if .view [data-region='{place}']").last.dispatch_event("click")
        expect(page.locator(".picker")).to_contain_text(place)


BY_TAPS = """
() => {
  const seen = (one) => one && one.getClientRects().length > 0;
  const lines = () => document.querySelector(".chip[aria-pressed=true] .count")?.firstChild.textContent ?? "";
  const before = lines();
  const all = (words) => [...document.querySelectorAll(`.what-if ${words}`)];
  for (const one of all("details:not([open]):not(.panel)")) one.open = true;
  const choose = all(".orders li button").find((one) => one.textContent.startsWith("Choose"));
  choose?.click();
  for (let at = 0; at < 8; at++) {
    const picks = all(".picks .pick").filter(seen);
    if (!picks.length) break;
    picks[at ? 0 : picks.length - 1].click();  // the blanks of an order are filled one by one
    if (lines() !== before) return 1;
  }
  const field = document.getElementById("typed");
  if (field?.value) { field.value = ""; field.dispatchEvent(new Event("input")); }
  for (const pick of all(".plan details li button").filter(seen).slice(0, 5)) { pick.click(); if (lines() !== before) return 1; }
  for (const list of all("select").filter(seen).slice(0, 9)) {
    const option = [...list.options].find((one) => one.value && !one.selected);
    if (!option) continue;
    list.value = option.value;
    for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, { bubbles: true }));
    if (lines() !== before) return 1;
  }
  for (const box of all("input[type=checkbox]").filter(seen).slice(0, 3)) { box.click(); if (lines() !== before) return 1; }
  return 0;
}
"""


def by_taps(page: Page) -> int:
    """Writes orders for each of the first three seats, with taps and choices only; returns how many seats got some."""
    lines = 0
    for at in range(min(3, page.locator(".what-if-seats > .chip").count())):
        seat = page.locator(".what-if-seats > .chip").nth(at)
        seat.click()
        expect(seat).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".what-if .desk")).to_be_visible()
        lines += page.evaluate(BY_TAPS)
    return lines


@pytest.mark.parametrize("width", [390, 1440])
def test_a_table_can_play_on_in_every_game(browser: Browser, made: Path, site: str, width: int) -> None:
    """Three turns on from one that was played, the first of them as it was played; then back to the beginning."""
    with opened(browser, width, 900) as page:
        for game in ("first-lessons", "nine-courts", "the-wazirs-of-1080", "the-amber-reach", HIDDEN):
            turns = [turn for one, turn in finished(made) if one == game]
            turn = turns[min(1, len(turns) - 1)]
            table(page, site, game, turn)
            heading = page.get_by_role("heading", level=1)
            begun = heading.inner_text()
            for step in range(3):
                page.get_by_role("button", name="Judge", exact=True).click()
                summary = page.locator(".what-if-came > summary")
                expect(summary).to_have_text(re.compile(rf"^What happened \(turn {step + 1} of this table\): .+\."))
                if step == 0:
                    whole = load_all(ARCHIVE, load_turn(ARCHIVE, load_game(ARCHIVE, game), turn))
                    said = [one for one in whole.verdicts if not one.implied]
                    expect(page.locator(".what-if-came .verdicts li")).to_have_count(len(said))
            assert page.evaluate("document.documentElement.scrollWidth") == width
            for _ in range(3):
                page.get_by_role("button", name="Take the turn back").click()
            expect(heading).to_have_text(begun)
            expect(page.get_by_role("button", name="Take the turn back")).to_have_count(0)
        assert serious(page) == []


def test_taps_write_orders_that_are_checked_and_a_link_opens_them_elsewhere(browser: Browser, site: str) -> None:
    turn = "001-spring-1901-movement"
    with opened(browser, 390, 844, permissions=["clipboard-read", "clipboard-write"]) as page:
        table(page, site, "first-lessons", turn)
        expect(chip(page, "Germany")).to_have_text(re.compile(r"^Germany\s*3"))
        page.get_by_role("button", name="Clear all sheets").click()
        expect(chip(page, "Germany")).to_have_text("Germany")
        tap(page, "Munich", "Burgundy")  # of Germany: the tap changes the writer
        expect(chip(page, "Germany")).to_have_attribute("aria-pressed", "true")
        expect(written(page)).to_have_text(["A Munich - Burgundy"])
        expect(page.locator(".orders li.good .sign")).to_have_text("✓")
        type_order(page, "A Berlin - Portugal")
        odd = page.locator(".orders li", has_text="A Berlin - Portugal")
        expect(odd).to_contain_text("There are no fleets that could carry it there.")
        odd.get_by_role("button", name="Remove").click()
        expect(page.locator(".what-if-remarks")).to_contain_text("A Berlin has no order and would hold.")
        tap(page, "London", "North Sea")
        expect(chip(page, "England")).to_have_attribute("aria-pressed", "true")
        assert page.locator(".marks .order.other").count() == 1  # the move of Germany, behind that of England
        page.get_by_role("button", name="Judge", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_have_text("What if: Fall 1901, movement")
        tap(page, "Burgundy", "Paris")
        address = copied(page)
        came = page.locator(".what-if-came .verdicts").inner_text()
    assert address.startswith(f"{site}sandbox.html#first-lessons/{turn}/")
    assert len(address) < 2000
    with opened(browser) as page:
        page.goto(address)
        page.get_by_role("button", name="Set up the table").click()
        chip(page, "Germany").click(timeout=60_000)
        expect(written(page)).to_have_text(["A Burgundy - Paris"])
        assert page.locator(".what-if-came .verdicts").inner_text() == came
        for cut in (address[:-9], address + "AAAA", address.rpartition("/")[0] + "/x"):
            page.goto("about:blank")
            page.goto(cut)
            expect(page.locator(".note.bad")).to_contain_text("This link was cut short or changed.")


def test_at_an_open_turn_a_table_serves_as_a_planner(browser: Browser, site: str) -> None:
    with opened(browser) as page:
        page.goto(f"{site}games/first-lessons/003-winter-1901-adjustments/index.html")
        expect(page.get_by_role("link", name="Judge this turn again, here")).to_have_count(0)
        page.get_by_role("link", name="What if? Play on from here").click()
        page.get_by_role("button", name="Set up the table").click()
        expect(page.locator("#sandbox .hint").first).to_contain_text("this is a planner", timeout=60_000)
        expect(page.locator(".what-if .desk")).to_be_visible()
        assert [one for one in page.locator(".chip").all_inner_texts() if re.search(r"\d", one)] == []


@pytest.mark.parametrize("what", FAULTS)
def test_every_failure_gives_one_plain_sentence(browser: Browser, made: Path, site: str, what: str) -> None:
    script, said = FAULTS[what]
    listed = json.loads((made / LIST).read_text("utf-8"))
    with troubled(browser) as page:
        if script:
            page.add_init_script(script)
        if what == "no engine":
            page.route(f"**/{LIST}", lambda route: route.fulfill(status=404))
        elif what == "half a part":
            body = (made / listed["parts"]["stdlib"]["file"]).read_bytes()
            page.route("**/stdlib.pack", lambda route: route.fulfill(body=body[: len(body) // 2]))
        elif what == "a missing part":
            page.route("**/wasm.pack", lambda route: route.fulfill(status=404))
        elif what == "a list that is none":
            page.route(f"**/{LIST}", lambda route: route.fulfill(body="null"))
        elif what == "a list without parts":
            page.route(f"**/{LIST}", lambda route: route.fulfill(json={**listed, "parts": {}}))
        elif what == "files that are none":
            page.route(f"**/001-spring-1901-movement/{PACK}", lambda route: route.fulfill(body="[]"))
        elif what == "rules by another name":
            pack = json.loads((made / f"games/first-lessons/{PACK}").read_text("utf-8"))
            page.route(f"**/first-lessons/{PACK}", lambda route: route.fulfill(json={**pack, "ruleset": "constructor"}))
        elif what == "other rules":
            page.route(f"**/{LIST}", lambda route: route.fulfill(json={**listed, "rulesets": {}}))
        page.goto(f"{site}again.html#first-lessons/{'001-spring-1901-movement' if what != 'no files' else '009-x'}")
        button = page.get_by_role("button", name="Judge it again")
        fault = page.locator(".note.bad")
        expect(button.or_(fault).first).to_be_visible()
        if button.count():
            button.click()
        expect(fault).to_contain_text(said, timeout=60_000)
        expect(
            page.get_by_role("button", name="Try again").or_(page.get_by_role("link", name="The game"))
        ).not_to_have_count(0)
        # It can be tried again, and then it succeeds.
        if what in ("half a part", "a missing part"):
            page.unroute_all()
            page.get_by_role("button", name="Try again").click()
            button.click()
            expect(page.locator("#verdict.good")).to_be_visible(timeout=60_000)


def test_a_changed_module_is_sent_as_source(browser: Browser, tmp_path: Path, wheel: Path) -> None:
    """The engine was made from another courtly than the site: the page judges by the site's."""
    other = tmp_path / "other"
    shutil.copytree(wheel, other)
    listed = other / engines.PACKAGE / "parts/engine.json"
    data = json.loads(listed.read_text())
    data["own"] = dict.fromkeys(data["own"], "0" * 64)
    listed.write_text(json.dumps(data))
    sys.path.insert(0, str(other))
    engine_files.cache_clear()
    try:
        importlib.invalidate_caches()
        sys.modules.pop(engines.PACKAGE, None)
        (core,) = [body for name, body in engine_files().items() if name.startswith("engine/own/core-")]
        names = zipfile.ZipFile(io.BytesIO(gzip.decompress(core))).namelist()
        assert not [name for name in names if name.endswith(".pyc")]
        folder = empty_site(tmp_path, ("first-lessons",))
        public = build(folder, folder / "public").parent
    finally:
        sys.path.remove(str(other))
        engine_files.cache_clear()
    with served(public) as address, opened(browser) as page:
        judged(page, address, "first-lessons", "001-spring-1901-movement")
        expect(page.locator("#verdict.good")).to_be_visible()


def test_a_page_loads_no_more_than_it_says(wheel: Path) -> None:
    files = engine_files()
    listed = json.loads(files[LIST])
    assert {*listed["rulesets"]} == {*slugs()}
    for part in [*listed["parts"].values(), *listed["own"].values()]:
        assert len(files[part["file"]]) == part["bytes"]
        assert hashlib.sha256(files[part["file"]]).hexdigest() == part["sha256"]
    scripts = sum(len(gzip.compress(body, 9)) for name, body in files.items() if name.endswith(".mjs"))
    for slug in slugs():
        own = sum(listed["own"][name]["bytes"] for name in ("core", *listed["rulesets"][slug]))
        assert scripts + own + sum(part["bytes"] for part in listed["parts"].values()) <= MOST, slug
    engine_files.cache_clear()
    assert engine_files() == files


def test_nothing_hidden_or_open_is_published(made: Path) -> None:
    """No sheet of an open turn; nothing at all of a running game with hidden information."""
    pack = json.loads((made / "games/first-lessons/003-winter-1901-adjustments" / PACK).read_text("utf-8"))
    assert [name.rpartition("/")[2] for name in pack["files"]] == ["turn.yaml"]
    for path in made.glob(f"games/*/*/{PACK}"):
        assert not [name for name in json.loads(path.read_text("utf-8"))["files"] if "/dispatches/" in name]


def test_a_running_game_with_secrets_publishes_no_files(tmp_path: Path, wheel: Path) -> None:
    shortened(empty_site(tmp_path, ("archive.yaml",)), HIDDEN, 3)
    folder = build(tmp_path, tmp_path / "public").parent
    assert (folder / LIST).is_file()
    assert [*folder.glob(f"games/{HIDDEN}/**/{PACK}")] == []
    assert finished(folder) == []


def test_without_the_engine_the_site_is_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [place for place in sys.path if not (Path(place) / engines.PACKAGE).is_dir()])
    monkeypatch.delitem(sys.modules, engines.PACKAGE, raising=False)
    engine_files.cache_clear()
    assert not has_engine()
    assert engine_files() == {}
    folder = build(empty_site(tmp_path, ("first-lessons",)), tmp_path / "public").parent
    engine_files.cache_clear()
    assert not (folder / engines.FOLDER).exists()
    assert [*folder.rglob(PACK)] == []
    assert finished(folder) == []


@pytest.fixture
def pyrage() -> Iterator[None]:
    """Restores the function that opens age files, after a page has replaced it."""
    yield
    age.use(age.Pyrage())


@pytest.mark.usefixtures("pyrage")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"do": "__init__"}, "there is no question"),
        ({"do": "files", "files": {"../x": ""}}, "cannot be a path in an archive"),
        ({"do": "files", "files": {"a\0b": ""}}, "cannot be a path in an archive"),
        ({"do": "files", "files": {"a": None}}, "cannot be judged"),
        ({"do": "files", "files": {"a": {"base64": "?"}}}, "cannot be judged"),
        ({"do": "again"}, "cannot be judged"),
        ({"do": "again", "game": "../x", "turn": "y", "maps": {}}, "cannot be a game's name"),
        ({"do": "again", "game": "x", "turn": "y", "maps": {}}, "there is no"),
        (
            {"do": "again", "game": "first-lessons", "turn": "003-winter-1901-adjustments", "maps": {}},
            "this turn is open",
        ),
        ({"do": "again", "game": "fall-1085", "turn": "001-fall-1085-movement", "maps": {}}, "this is a record"),
    ],
)
def test_a_nonsensical_question_is_answered_in_words(question: dict[str, Any], said: str) -> None:
    ask = asking()
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for game in ("first-lessons", "fall-1085")
        for path in ARCHIVE.game_folder(game).rglob("*.yaml")
    }
    assert json.loads(ask(json.dumps({"do": "files", "files": files}))) == {"answer": None}
    faults = json.loads(ask(json.dumps(question)))["faults"]
    assert said in faults[0]["what"]


FORGED = {
    "the host ends the game": ("turn.yaml", b"rulings:", b""),
    "the phase": ("turn.yaml", b"phase: ", b"phase: A"),
    "an attempt": ("turn.yaml", b"status: ", b"attempt: 2\nstatus: "),
    "a dispute": ("turn.yaml", b"dice:", b"absent: [Austria]\ndice:"),
    "who plays": ("turn.yaml", b"dice:", b"players:\n  Austria: {player: Zed}\ndice:"),
    "a ruling": ("ruling.yaml", b"", b"schema: 1\nrulings:\n  - {reason: x, deadline: 2026-12-01T18:00Z}\n"),
}


@pytest.mark.parametrize("game", ["first-lessons", "nine-courts", "the-amber-reach"])
def test_the_page_finds_whatever_verify_finds_in_a_turn(game: str) -> None:
    """Lines of a turn taken out, changed or added, in its sheets or the start of the next: none passes as "the same"."""
    names = ARCHIVE.turns(game)[:3]
    folder = ARCHIVE.game_folder(game)
    home = f"games/{game}"
    whole = {"games/archive.yaml": (ROOT / "games/archive.yaml").read_bytes()}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if (
            path.is_file()
            and (len(inside) == 1 or inside[0] in (*names, "kept", "join"))
            and inside[-1] != "ending.yaml"
        ):
            whole["/".join((home, *inside))] = path.read_bytes()

    def archive(changed: dict[str, bytes]) -> Archive:
        return Archive(Path("/a"), files=Memory(Path("/a"), {**whole, **changed}))

    def found(changed: dict[str, bytes], turn: str) -> bool:
        try:
            return bool(judge_again(archive(changed), game, turn).differences)
        except Problems:
            return True

    random, missed, tried = Random(game), [], 0
    for turn in names[:2]:
        if load_turn(ARCHIVE, load_game(ARCHIVE, game), turn).data.status == "open":
            continue
        assert not found({}, turn)
        name = f"{home}/{turn}/turn.yaml"
        lines = whole[name].split(b"\n")
        changes = {
            f"{name} without line {at}": {name: b"\n".join(lines[:at] + lines[at + 1 :])}
            for at in range(len(lines) - 1)
        }
        for at in range(len(lines) - 1):
            letters = [spot for spot, letter in enumerate(lines[at]) if chr(letter).isalnum()]
            if letters:
                spot = random.choice(letters)
                line = lines[at][:spot] + b"7" + lines[at][spot + 1 :]
                changes[f"{name} line {at} {line!r}"] = {name: b"\n".join([*lines[:at], line, *lines[at + 1 :]])}
        for what, (file, old, new) in FORGED.items():
            body = whole.get(f"{home}/{turn}/{file}", b"")
            changes[f"{turn}: {what}"] = {f"{home}/{turn}/{file}": body.replace(old, new, 1) if old else new}
        sheets = {other: body for other, body in whole.items() if other.startswith(f"{home}/{turn}/orders/")}
        changes |= {other: {other: body + b"# x\n"} for other, body in sheets.items()}
        for what, changed in random.sample(sorted(changes.items()), min(80, len(changes))):
            tried += 1
            checked = verify_game(archive(changed), game)
            if any(f"/{turn}/" in f"{fault.path}/" for fault in checked.problems) and not found(changed, turn):
                missed.append((what, [str(fault) for fault in checked.problems][:2]))
    assert tried > 60
    assert missed == []


def test_only_files_that_are_read_are_published(tmp_path: Path, wheel: Path) -> None:
    """A folder may hold private files: the judge does not read them, so no site publishes them."""
    folder = empty_site(tmp_path, ("first-lessons",))
    game = folder / "games/first-lessons"
    strays = [game / ".env", game / "master.txt", game / "game.yaml~", game / "001-spring-1901-movement/notes.txt"]
    strays += [game / "join/wish.123.yaml", game / "001-spring-1901-movement/orders/nobody.yaml~"]
    for path in strays:
        path.parent.mkdir(exist_ok=True)
        path.write_text("AGE-SECRET-KEY-1")
    story = load_story(Archive(folder), "first-lessons")
    assert story is not None
    packs = [game_pack(story), *(turn_pack(story, index) for index in range(len(story.turns)))]
    assert not [
        pack
        for pack in packs
        if "AGE-SECRET-KEY-1" in pack.replace(str(story.turns[0].data.seal and story.turns[0].data.seal.identity), "")
    ]
    names = {name.rpartition("/")[2] for pack in packs for name in json.loads(pack)["files"]}
    assert not names & {path.name for path in strays}


# A game that begins at a table --------------------------------------------------------------------------------------


def began(page: Page, address: str, ruleset: str, rules: str = "") -> None:
    """Begins a game at a table, as a reader does."""
    page.goto("about:blank")
    page.goto(f"{address}sandbox.html")
    page.get_by_label("Which game").select_option(ruleset)
    if rules:
        page.get_by_text("House rules").click()
        page.get_by_label("One per line, as in game.yaml").fill(rules)
    page.get_by_role("button", name="Begin (loads").click()
    expect(page.locator(".what-if")).to_be_visible(timeout=60_000)


def judge(page: Page, number: int) -> None:
    page.get_by_role("button", name="Judge", exact=True).click()
    expect(page.locator(".what-if-came > summary")).to_contain_text(f"(turn {number} of this table)", timeout=20_000)


def taken(page: Page, label: str, folder: Path) -> Path:
    """A file downloaded from the table."""
    if page.locator(".what-if-hand:not([open])").count():
        page.locator(".what-if-hand > summary").click()
    with page.expect_download() as got:
        page.get_by_role("button", name=label).click()
    path = folder / got.value.suggested_filename
    got.value.save_as(path)
    return path


def happened(page: Page) -> list[str]:
    """The table's report of the last turn; the map's own words change with its width."""
    return page.locator(".what-if-came li").all_text_contents()


def courtly(folder: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["-C", str(folder), *words])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("width", [390, 1440])
def test_a_whole_game_can_be_played_at_a_table_and_downloaded(
    browser: Browser, site: str, tmp_path: Path, width: int
) -> None:
    """With house rules; the downloads are an archive that `verify` judges again, cases, a position, and JSON."""
    with opened(browser, width, 900, accept_downloads=True) as page:
        began(page, site, "diplomacy", "board: fleet_rome")
        heading = page.get_by_role("heading", level=1)
        type_order(page, "A Nowhere H")
        page.get_by_role("button", name="Add it as written").click()
        expect(page.locator(".orders li.odd")).to_contain_text("No place is called 'Nowhere'")
        page.locator(".orders li.odd").get_by_role("button", name="Remove").click()
        page.locator(".orders li").first.get_by_role("button", name="Choose").click()
        page.locator(".picks .pick").first.click()
        (offered,) = written(page).all_inner_texts()
        field = page.locator("#typed")
        field.fill("A Rome - ")
        page.get_by_role("button", name="Judge", exact=True).click()
        expect(page.locator(".what-if .note.bad")).to_contain_text("still in the field, not in your list")
        field.fill("")
        for number in (1, 2, 3):
            judge(page, number)
        phase = heading.inner_text().partition(": ")[2]
        assert page.evaluate("document.documentElement.scrollWidth") == width
        case = taken(page, "The last turn as a case file", tmp_path)
        start = taken(page, "This position", tmp_path)
        whole = taken(page, "The whole game as an archive", tmp_path)
        saved = taken(page, "For other programs", tmp_path)
        assert serious(page) == []
    with zipfile.ZipFile(whole) as packed:
        packed.extractall(tmp_path / "whole")
    assert courtly(tmp_path / "whole", "verify").startswith("1 game, 3 turns judged again: the same bytes.")
    assert courtly(tmp_path, "case", str(case)) == "1 case judged again: no differences.\n"
    courtly(tmp_path / "whole", "new", "goes-on", "--from", str(start))
    archive = Archive(tmp_path / "whole")
    (first,) = archive.turns("goes-on")
    assert load_turn(archive, load_game(archive, "goes-on"), first).data.phase == phase
    plain = json.loads(saved.read_text("utf-8"))
    assert len(plain["phases"]) == 4
    game = load_game(archive, "table")
    sheets = [load_turn(archive, game, turn).data for turn in archive.turns("table")[:1]]
    assert [one.order for one in sheets[0].verdicts if not one.implied] == [offered]


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("ruleset", slugs())
def test_a_game_of_every_ruleset_can_begin_at_a_table(
    browser: Browser, site: str, ruleset: str, width: int, tmp_path: Path
) -> None:
    """Three turns by taps, saved lines of play, the browser's own memory, a link in another profile, a passing case."""
    with opened(browser, width, 844, accept_downloads=True) as page:
        began(page, site, ruleset)
        heading = page.get_by_role("heading", level=1)
        phases, lines = [heading.inner_text()], 0
        for number in (1, 2, 3):
            lines += by_taps(page)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            judge(page, number)
            phases.append(heading.inner_text())
        assert lines
        came = happened(page)
        courtly(tmp_path, "case", str(taken(page, "The last turn as a case file", tmp_path)))
        page.get_by_role("button", name="Keep this line").click()
        page.get_by_role("button", name="Take the turn back").click()
        expect(heading).to_have_text(phases[2])
        page.get_by_role("button", name="Take the turn back").click()
        expect(heading).to_have_text(phases[1])
        page.locator(".what-if-lines-kept button").click()
        expect(heading).to_have_text(phases[3])
        assert happened(page) == came
        expect(page.locator(".what-if-lines-kept button")).to_have_text(
            re.compile(r"^1\. .*, 3 turns$|^1\. .*, 1 turn$")
        )
        page.get_by_role("button", name="Copy a link").click()
        expect(page.locator("#live")).to_contain_text("It opens this table anywhere.")
        address = page.url
        page.goto("about:blank")
        page.goto(f"{site}sandbox.html")
        expect(page.locator(".what-if-tables li")).to_contain_text(["3 turns long"])
        page.get_by_role("button", name="Go on with").click()
        expect(heading).to_have_text(phases[3], timeout=60_000)
        assert happened(page) == came
    assert address.startswith(f"{site}sandbox.html#~/")
    with opened(browser) as page:
        page.goto(address)
        page.get_by_role("button", name="Set up the table").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(phases[3], timeout=60_000)
        assert happened(page) == came
        page.goto("about:blank")
        page.goto(address[:-5])
        expect(page.locator(".note.bad")).to_contain_text("This link was cut short or changed.")


def test_nothing_written_at_a_table_is_lost(browser: Browser, site: str) -> None:
    """By a second press, at another seat, taken back or cleared; nor does a link replace the reader's own game."""
    with opened(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        began(page, site, "diplomacy")
        tap(page, "London", "North Sea")
        page.get_by_role("button", name="Judge", exact=True).dblclick()
        expect(page.locator(".what-if-came > summary")).to_contain_text("(turn 1 of this table)")
        page.wait_for_timeout(500)
        expect(page.locator(".what-if-came > summary")).to_contain_text("(turn 1 of this table)")
        expect(page.get_by_role("heading", level=1)).to_be_focused()
        tap(page, "North Sea", "Norway")
        page.get_by_role("button", name="Take the turn back").click()
        expect(chip(page, "England")).to_have_text(re.compile("1 line"))
        judge(page, 1)
        expect(chip(page, "England")).to_have_text(re.compile("1 line"))
        page.get_by_role("button", name="Clear all sheets").click()
        expect(chip(page, "England")).to_have_text("England")
        page.get_by_role("button", name="Put the sheets back").click()
        chip(page, "England").click()
        expect(written(page)).to_have_text(["F North Sea - Norway"])
        page.locator("#typed").fill("F Edi - Nor")
        chip(page, "France").click()
        expect(chip(page, "France")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Judge", exact=True).click()
        expect(chip(page, "England")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".what-if .note.bad:visible")).to_contain_text("“F Edi - Nor” is still in the field")
        page.locator("#typed").fill("")
        address = copied(page)
        assert page.url.endswith("#~")
        judge(page, 2)
        page.goto("about:blank")
        page.goto(address)
        page.get_by_role("button", name="Set up the table").click()
        tap(page, "Paris", "Burgundy")
        page.goto("about:blank")
        page.goto(f"{site}sandbox.html")
        expect(page.locator(".what-if-tables li")).to_have_count(2)
        expect(page.locator(".what-if-tables li", has_text="2 turns long")).to_have_count(1)
        for left in (1, 0):
            page.get_by_role("button", name="Forget Diplomacy").first.click()
            expect(page.locator(".what-if-tables li")).to_have_count(left)
        expect(page.get_by_role("heading", name="No tables are kept")).to_be_focused()


def copied(page: Page) -> str:
    """The link that a press copies. All pages of a browser share one clipboard, so the text of an earlier test is cleared first."""
    page.evaluate("navigator.clipboard.writeText('')")
    page.get_by_role("button", name="Copy a link").click()
    until(page, "navigator.clipboard.readText().then((text) => text.includes('sandbox.html'))")
    return str(page.evaluate("navigator.clipboard.readText()"))


def linked(steps: list[Any]) -> str:
    """Content of a link, as `packed` in link.js writes it."""
    made = zlib.compressobj(wbits=-15)
    body = made.compress(json.dumps(steps).encode()) + made.flush()
    return base64.urlsafe_b64encode(body).decode().rstrip("=")


def test_odd_sheets_in_a_link_are_shown_as_they_are_and_never_ticked(browser: Browser, site: str) -> None:
    turn = "001-spring-1901-movement"
    odd = {
        "orders": ["F London - North Sea", "<img src=x onerror=alert(1)>"],
        "draw": "maybe",
        "concede": "Narnia",
        "note": "hi",
    }
    with opened(browser) as page:
        page.goto(f"{site}sandbox.html#first-lessons/{turn}/{linked([{'England': odd, 'Narnia': {'orders': []}}])}")
        page.get_by_role("button", name="Set up the table").click()
        expect(page.locator("#refused")).to_contain_text(
            "There is a sheet for Narnia, but this game has no such seat", timeout=60_000
        )
        chip(page, "England").click()
        expect(written(page)).to_have_text(odd["orders"])
        for key in ("draw", "concede", "note"):
            expect(page.get_by_role("button", name=f"Remove {key}")).to_be_visible()
        expect(page.locator(".what-if-remarks")).to_contain_text("note")
        expect(page.locator(".orders li.good")).to_have_count(0)  # a sheet that cannot be read is not judged at all
        for key in ("draw", "concede", "note"):
            page.get_by_role("button", name=f"Remove {key}").click()
        expect(page.locator(".orders li.good")).to_have_count(1)
        expect(page.locator(".orders li.odd")).to_have_count(1)
        wrong: list[list[Any]] = [
            [{"England": {"orders": ["A London H"] * 5_000}}],
            [{"England": json.loads('{"__proto__": 1}')}],
            [{}] * 1_000,
        ]
        for steps in wrong:
            page.goto("about:blank")
            page.goto(f"{site}sandbox.html#first-lessons/{turn}/{linked(steps)}")
            expect(page.locator(".note.bad")).to_contain_text("This link was cut short or changed.")


def test_a_game_that_cannot_begin_is_reported_where_it_was_chosen(browser: Browser, site: str, tmp_path: Path) -> None:
    with opened(browser) as page:
        page.goto(f"{site}sandbox.html")
        page.get_by_text("House rules").click()
        page.get_by_label("One per line, as in game.yaml").fill("draws: nonee")
        page.get_by_role("button", name="Begin (loads").click()
        expect(page.locator(".note.bad")).to_contain_text("nonee", timeout=60_000)
        expect(page.get_by_label("One per line, as in game.yaml")).to_have_value("draws: nonee")
        page.get_by_text("From a file").click()
        for text, said in (
            ("hello", "This file names no ruleset"),
            ("", "This file names no ruleset"),
            ("ruleset: chess\n", "knows no ruleset “chess”"),
        ):
            (tmp_path / "wrong.yaml").write_text(text)
            page.get_by_label("A position or a case").set_input_files(tmp_path / "wrong.yaml")
            expect(page.locator(".note.bad")).to_contain_text(said)
        (tmp_path / "right.yaml").write_text('{"ruleset": "noblesse", "title": "Ours"}')
        page.get_by_label("A position or a case").set_input_files(tmp_path / "right.yaml")
        expect(page.get_by_role("heading", level=1)).to_have_text("Ours: Setup", timeout=60_000)


def test_a_position_can_be_set_up_by_hand(browser: Browser, site: str) -> None:
    """From a turn that was played; faults are reported, and nothing is lost."""
    turn = "001-spring-1901-movement"
    with opened(browser) as page:
        table(page, site, "first-lessons", turn)
        page.locator(".what-if-hand > summary").click()
        page.get_by_role("button", name="Write the position").click()
        area = page.get_by_label("The position")
        text = area.input_value()
        assert "F Trieste" in text
        for wrong, said in (
            (text.replace("F Trieste", "F Vienna"), "Vienna"),
            (text.replace("position:", "position: ["), ""),
            ("nonsense", ""),
            (text.replace("ruleset: diplomacy", "ruleset: chess"), "no ruleset is called 'chess'"),
        ):
            area.fill(wrong)
            page.get_by_role("button", name="Play on from this position").click()
            expect(page.locator("#by-hand-fault")).to_contain_text(said)
            expect(area).to_have_value(wrong)
        area.fill(text.replace("F Trieste", "F Albania"))
        page.get_by_role("button", name="Play on from this position").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("First lessons: Spring 1901, movement")
        tap(page, "Albania", "Greece")
        judge(page, 1)
        expect(page.locator(".what-if-came .verdicts li.good")).to_contain_text("F Albania - Greece")


def test_a_board_without_a_drawing_is_reported(browser: Browser, site: str) -> None:
    """Laying one out needs networkx, which the judge for browsers does not have."""
    with opened(browser) as page:
        page.goto(f"{site}sandbox.html")
        page.get_by_text("House rules").click()
        page.get_by_label("One per line, as in game.yaml").fill("board: two_rivers")
        page.get_by_role("button", name="Begin (loads").click()
        expect(page.locator(".note.bad")).to_contain_text("this board has no drawing", timeout=60_000)


def test_a_game_can_begin_from_a_downloaded_file(browser: Browser, site: str, tmp_path: Path) -> None:
    with opened(browser, accept_downloads=True) as page:
        began(page, site, "saga_of_the_nine")
        judge(page, 1)
        phase = page.get_by_role("heading", level=1).inner_text()
        start = taken(page, "This position", tmp_path)
        page.goto("about:blank")
        page.goto(f"{site}sandbox.html")
        page.get_by_text("From a file").click()
        page.get_by_label("A position or a case").set_input_files(start)
        expect(page.get_by_role("heading", level=1)).to_have_text(phase, timeout=60_000)
        (tmp_path / "wrong.yaml").write_text("ruleset: diplomacy\nsettings: {board: atlantis}\n")
        page.goto("about:blank")
        page.goto(f"{site}sandbox.html")
        page.get_by_text("From a file").click()
        page.get_by_label("A position or a case").set_input_files(tmp_path / "wrong.yaml")
        expect(page.locator(".note.bad")).to_contain_text("atlantis", timeout=60_000)
