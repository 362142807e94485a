"""The judge at the order desk: it checks a sheet while it is written, with the same remarks as `courtly check`. No other check speaks then; and
its access is limited."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from adjudicator.core.contract.forms import offered
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import seat_file
from adjudicator.core.jobs.at_desk import Found, checking_at
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.seal import open_file
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import new_master, read_masters
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.core.turn.sheets import check_sheet
from adjudicator.site.mkdocs.build import build
from adjudicator.site.packs import PACK
from tests.site.conftest import empty_site, opened, served

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("checks")]

TURNS = {"heir_apparent": 6, "noblesse": 1, "grand_campaign": 1}
"""Turns that a game is played before its sheets are written; one turn for the others."""
SHEETS = max(4, int(os.environ.get("COURTLY_SHEETS", "0")) // 17)
"""Partial sheets of each ruleset; `nox -s engine` takes more than 300 in all."""
MOST = 7
"""Maximum number of lines in a sheet."""


@dataclass(frozen=True)
class Made:
    """A site with a running game of each ruleset, its archive, and the players' keys."""

    archive: Archive
    site: Path
    address: str
    keys: dict[str, dict[str, str]]

    def game(self, ruleset: str) -> str:
        return f"my-{ruleset.replace('_', '-')}"

    def turn(self, ruleset: str) -> Any:
        game = load_game(self.archive, self.game(ruleset))
        return load_turn(self.archive, game, self.archive.turns(game.slug)[-1])

    def news(self, ruleset: str, seat: str, folder: Path) -> str | None:
        """The news of a seat when its turn opened; None in a game without secrets."""
        if find(ruleset).secrecy is None:
            return None
        identity = folder / "identity.txt"
        identity.write_text(self.keys[ruleset][seat] + "\n")
        path = self.turn(ruleset).folder / "dispatches" / f"{seat_file(seat)}.age"
        return open_file(self.archive, path, identity).decode()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Iterator[Made]:
    folder = empty_site(tmp_path_factory.mktemp("checks"), ())
    (folder / "games/archive.yaml").write_text('schema: 1\narchive: "0011223344556677"\nrepository: example/games\n')
    archive = Archive(folder, read_masters(new_master(), "test"))
    keys: dict[str, dict[str, str]] = {}
    for slug in slugs():
        rules = find(slug)
        keys[slug] = {seat: new_identity() for seat in rules.rules.seats(rules.types.settings())}
        seats = {
            seat: {"player": "P", "account": 301 + at} | ({"key": recipient_of(key)} if rules.secrecy else {})
            for at, (seat, key) in enumerate(keys[slug].items())
        }
        data = {"ruleset": slug, "title": slug, "opened": "2026-11-20", "id": "0a" * 8, "sealed": True, "seats": seats}
        name = f"my-{slug.replace('_', '-')}"
        new_game(archive, name, data)
        list(play(archive, name, tuple(seats), "2", "2026-11-20T18:00Z", TURNS.get(slug, 1)))
    site = build(folder, folder / "public").parent
    with served(site) as address:
        yield Made(archive, site, address, keys)


def desk_of(made: Made, ruleset: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((made.site / "games" / made.game(ruleset) / "desk.json").read_text("utf-8"))
    return found


def sit(page: Page, made: Made, ruleset: str, seat: str) -> None:
    """Goes to a seat's desk; in a game with secrets its news is opened."""
    page.goto(f"{made.address}desk.html#{made.game(ruleset)}/{seat_file(seat)}")
    page.locator(".send button.main").wait_for()
    if find(ruleset).secrecy is not None:
        page.get_by_label("Your key").fill(made.keys[ruleset][seat])
        page.get_by_role("button", name="Open my news").click()
        page.get_by_role("button", name="Open my news").wait_for(state="detached")


def add(page: Page, field: str, line: str) -> None:
    """Types a line and submits it, whatever the desk thinks of it."""
    page.locator(field).fill(line)
    page.locator(field).press("Enter")
    whole = page.get_by_role("button", name="Add it as written")
    if whole.count():
        whole.first.click()
    page.locator(field).fill("")


def judged(page: Page) -> None:
    """Waits until the remarks come from the judge and refer to the current sheet."""
    expect(page.locator(".voice")).to_contain_text("checks your sheet here", timeout=60_000)
    expect(page.locator('.send .hint[aria-busy="false"]')).to_be_attached()


def said(page: Page) -> list[str]:
    """Every remark on the page, at a line or below the sheet."""
    found = page.locator("li:is(.good, .fits, .odd) .why, .remarks li .words").all_text_contents()
    return sorted(found)


def sentences(sheet: dict[str, Any], found: list[Found]) -> list[str]:
    """The remarks as the desk words them; several at one line are joined into one text."""

    def sentence(text: str) -> str:
        end = "" if text.endswith((".", "?", "!")) else "."
        return f"{text[0].upper()}{text[1:]}{end}" if text else ""

    lines: dict[tuple[Any, ...], list[str]] = {}
    rest = []
    for one in found:
        value: Any = sheet.get(str(one.where[0])) if one.where else None
        line = value[int(one.where[1])] if isinstance(value, list) and len(one.where) > 1 else value
        at_line = isinstance(value, list) and len(one.where) > 1 and isinstance(line, str)
        what = one.what.removeprefix(f"{line}: ") if at_line or one.where == ("order",) else one.what
        words = " ".join(filter(None, map(sentence, (what, one.right))))
        if at_line or one.where == ("order",):
            known = lines.setdefault(one.where[:2], [])
            known.extend([words] if words not in known else [])
        else:
            rest.append(words)
    return sorted([*rest, *(" ".join(words) for words in lines.values())])


def spoilt(line: str, random: Random) -> str:
    """A line with a typing error."""
    words = line.split(" ")
    at = random.randrange(len(words))
    how = random.randrange(4)
    if how == 0:
        words.pop(at)
    elif how == 1:
        words.insert(at, words[at])
    elif how == 2:
        words[at] = words[at][::-1]
    else:
        words.append("Nowhere")
    return " ".join(filter(None, words)) or "H"


def drafts(made: Made, ruleset: str, folder: Path) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Seats, each with lines of a sheet by their keys: some legal, and some mistyped."""
    turn, rules, random = made.turn(ruleset), find(ruleset), Random(f"{ruleset}|{SHEETS}")
    for at in range(SHEETS):
        seat = sorted(turn.game.ruleset.due(turn.data.position) or turn.game.seats)[at % 2]
        view = checking_at(made.archive, made.game(ruleset), turn.name, seat, made.news(ruleset, seat, folder)).view
        legal = offered(rules.rules.options(turn.data.position if view is None else view, seat)).texts
        pairs = [(key, line) for key, lines in legal.items() for line in lines] or [("orders", "Nonsense")]
        chosen = random.choices(pairs, k=random.randrange(1, MOST))
        yield seat, [(key, spoilt(line, random) if random.random() < 0.4 else line) for key, line in chosen]


@pytest.mark.parametrize("ruleset", slugs())
def test_the_desk_gives_the_same_remarks_as_check_on_the_sent_sheet(
    browser: Browser, made: Made, ruleset: str, tmp_path: Path
) -> None:
    """UX-19: every remark, about partial sheets and mistyped lines, and no other."""
    turn, remarks, sheets = made.turn(ruleset), 0, 0
    with opened(browser) as page:
        page.set_default_timeout(20_000)
        sitting = ""
        for seat, lines in sorted(drafts(made, ruleset, tmp_path)):
            if seat != sitting:
                sit(page, made, ruleset, seat)
                sitting = seat
                if page.get_by_text("Open.", exact=True).count():
                    page.get_by_text("Open.", exact=True).click()
            for key, line in lines:
                if page.locator(f"#field-{key}-line").count():
                    add(page, f"#field-{key}-line", line)
                elif page.locator(f"textarea#field-{key}").count():
                    area = page.locator(f"textarea#field-{key}")
                    text = "\n".join(filter(None, [area.input_value(), line]))
                    area.evaluate(
                        "(area, text) => { area.value = text; area.dispatchEvent(new Event('input')); }", text
                    )
                elif key in {"orders", "order"}:
                    add(page, "#typed", line)
            judged(page)
            page.get_by_role("button", name="Make my sheet").click()
            sent = page.locator("#sheet-text").input_value()
            sheet = read(sent.encode(), "sheet")
            plain: Any = sheet.data
            news = made.news(ruleset, seat, tmp_path)
            checking = checking_at(made.archive, made.game(ruleset), turn.name, seat, news)
            found = checking.look(plain)
            natively = check_sheet(turn.game, turn.data, seat, sheet, checking.view)
            assert sorted((one.what, one.right, one.level) for one in found) == sorted(
                (one.what, one.right, one.level) for one in natively
            )
            assert said(page) == sentences(plain, found), (seat, sent)
            remarks += len(found)
            sheets += 1
            page.get_by_role("button", name="Clear the draft").click()
    assert sheets == SHEETS
    assert remarks, "some of it was wrong"


def first_seat(made: Made, ruleset: str) -> str:
    turn = made.turn(ruleset)
    return str(min(turn.game.ruleset.due(turn.data.position)))


PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text", text);
  document.getElementById("typed").dispatchEvent(new ClipboardEvent("paste", {clipboardData, cancelable: true}));
}"""
ZINE = """Austria:
A(Ser)-Gre, F(Tri)-Alb
A(Vie)-Bud (bounced)
see you at the con"""
"""Orders of Austria as a postal magazine prints them, two on a line, one with its result, and other lines."""


def test_the_judge_reads_pasted_lines_that_the_desk_does_not_understand(browser: Browser, made: Made) -> None:
    """HO-5: each is shown as it is read; what nobody can read stays in the field, and nothing is changed without a word."""
    with opened(browser) as page:
        sit(page, made, "diplomacy", "Austria")
        page.evaluate(PASTE, ZINE)
        expect(page.locator("#reading .bad").first).to_contain_text("Not understood: ")
        shown = page.locator("#reading ul.read li")
        expect(shown.first).to_be_visible(timeout=60_000)
        read_as = shown.all_text_contents()
        assert "A(Ser)-Gre, F(Tri)-Alb is read as A Serbia - Greece; F Trieste - Albania" in read_as
        assert all(" is read as " in line for line in read_as)
        expect(page.locator("#reading .bad").first).to_contain_text("Not understood: ")
        expect(page.locator("#reading .bad").first).to_contain_text("see you at the con.")
        judged(page)
        page.locator("#typed").fill("")
        page.get_by_text("Open.", exact=True).click()
        page.get_by_role("button", name="Make my sheet").click()
        sheet: Any = read(page.locator("#sheet-text").input_value().encode(), "sheet").data
        assert sorted(sheet["orders"]) == ["A Serbia - Greece", "A Vienna - Budapest", "F Trieste - Albania"]


def test_only_the_judge_gives_remarks_once_it_is_loaded(browser: Browser, made: Made) -> None:
    """UX-19: the desk's own remarks go when the judge has answered; a line in the field is judged, too."""
    with opened(browser) as page:
        held: list[Route] = []
        page.route("**/judge.html", lambda route: held.append(route))  # noqa: PLW0108 - playwright asks what it is given how many it takes
        sit(page, made, "diplomacy", "Austria")
        expect(page.locator(".voice")).to_be_hidden()
        add(page, "#typed", "A Paris - Moscow")
        expect(page.locator(".voice")).to_have_text("The judge is loading, to check your sheet…")
        expect(page.locator(".send .hint .warn")).to_have_text(["1 order is not among those that are offered."])
        for route in held:  # The desk reads the file itself, too, for its digest.
            route.continue_()
        judged(page)
        expect(page.locator(".send .hint .warn").first).to_have_text("1 remark is shown with your lines above.")
        expect(page.locator(".send")).not_to_contain_text("not among those that are offered")
        expect(page.locator("li.odd .why")).to_contain_text("No unit stands in Paris. Your units: ")
        page.locator("#typed").fill("A Munich - Berlin")
        expect(page.locator(".reading p.bad")).to_contain_text("The unit in Munich belongs to Germany.")


def test_the_focus_stays_when_the_judge_answers(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        sit(page, made, "diplomacy", "Austria")
        lines = desk_of(made, "diplomacy")["seats"][0]["options"]["orders"]
        for line in (lines[0], lines[-1], "A Paris - Moscow"):
            add(page, "#typed", line)
        judged(page)
        page.get_by_role("button", name=f"Remove {lines[0]}").press("Enter")
        expect(page.get_by_text("has no order")).not_to_have_count(0)
        judged(page)
        expect(page.locator(".orders button:focus")).to_have_count(1)


WORKERS = """
window.top.sent ??= [];
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
  window.top.sent.push(JSON.stringify(message));
  return post.call(this, message, ...rest);
};
"""
"""Records all messages to any worker of the page or of its frames."""


def test_the_worker_gets_no_key_and_can_ask_nobody_else(browser: Browser, made: Made) -> None:
    """The desk itself may ask its archive's forge; the judge that it starts may not, and starts no worker that could."""
    with opened(browser) as page:
        page.add_init_script(WORKERS)
        sit(page, made, "noblesse", first_seat(made, "noblesse"))
        add(page, "#typed", "Nonsense")
        judged(page)
        told = "\n".join(page.evaluate("window.sent"))
        key = made.keys["noblesse"][first_seat(made, "noblesse")]
        assert '"do":"look"' in told
        assert '"news":"' in told, "by what its seat was told"
        assert key not in told
        assert "AGE-SECRET-KEY" not in told
        assert len(page.workers) == 1
        asked = "(address) => fetch(address, { mode: 'no-cors' }).then(() => 'came', () => 'refused')"
        for address in ("https://api.github.com/zen", "https://example.org/"):
            assert page.workers[0].evaluate(asked, address) == "refused"
        assert page.workers[0].evaluate(asked, f"{made.address}desk.html") == "came"
        policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
        assert "wasm" not in str(policy)
        assert "worker-src" not in str(policy)


def test_only_public_parts_of_a_running_game_with_secrets_are_published(made: Made) -> None:
    for ruleset in slugs():
        folder = made.site / "games" / made.game(ruleset)
        hidden = find(ruleset).secrecy is not None
        packs = {path.parent.name: json.loads(path.read_text("utf-8")) for path in folder.glob(f"*/{PACK}")}
        turn = made.turn(ruleset)
        assert set(packs) == ({turn.name} if hidden else set(made.archive.turns(made.game(ruleset))))
        assert packs[turn.name]["hidden"] == hidden
        place = f"games/{made.game(ruleset)}/{turn.name}"
        assert [*packs[turn.name]["files"]] == [f"{place}/turn.yaml"]
        own = json.loads((folder / PACK).read_text("utf-8"))["files"]
        assert not [name for name in own if name.endswith(".age")]


FAULTS = {
    "engine/engine.json": "built without the judge",
    "judge-": "did not arrive complete",
    "files.json": "did not arrive",
}
"""Missing file -> the desk's message."""


@pytest.mark.parametrize("missing", FAULTS)
def test_the_desk_works_without_the_judge(browser: Browser, made: Made, missing: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    try:
        page.route(
            re.compile(re.escape(missing) if missing != "judge-" else r"/engine/own/core-"),
            lambda route: route.fulfill(status=404, body=""),
        )
        sit(page, made, "diplomacy", "Austria")
        add(page, "#typed", "A Paris - Moscow")
        expect(page.locator(".voice")).to_contain_text(FAULTS[missing], timeout=30_000)
        expect(page.locator(".voice")).to_contain_text("The desk shows only what it finds itself.")
        expect(page.locator(".send .hint .warn")).to_have_text(["1 order is not among those that are offered."])
        page.get_by_role("button", name="Seal my sheet").click()
        page.locator("#sheet-text").wait_for()
        page.unroute_all()
        page.get_by_role("button", name="Try again").click()
        judged(page)
    finally:
        context.close()


def test_readers_who_save_data_are_asked_first(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        sit(page, made, "diplomacy", "Austria")
        add(page, "#typed", "A Paris - Moscow")
        expect(page.locator(".voice")).to_contain_text("the judge (10 MB) was not loaded")
        assert page.workers == []
        page.get_by_role("button", name="Check my sheet here").click()
        judged(page)


def test_the_frame_does_not_answer_other_sites(browser: Browser, made: Made, tmp_path: Path) -> None:
    """A page of another origin may show it in a frame, and hears nothing from it."""
    (tmp_path / "index.html").write_text(
        f"""<!doctype html><title>x</title><iframe src="{made.address}judge.html"></iframe><script>
        window.heard = []; addEventListener("message", ({{data}}) => heard.push(data));
        const frame = document.querySelector("iframe");
        frame.onload = () => frame.contentWindow.postMessage({{id: 1, do: "open", game: "my-diplomacy", turn: "x", seat: "Austria", news: null}}, "*");
        </script>"""
    )
    context = browser.new_context()
    try:
        with served(tmp_path) as address:
            page = context.new_page()
            page.goto(address.replace("127.0.0.1", "localhost"))
            page.wait_for_timeout(1500)
            assert page.evaluate("window.heard") == []
    finally:
        context.close()
