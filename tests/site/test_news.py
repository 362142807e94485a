"""Private news on the order desk, in a real browser: opened with the seat's key, played from, and forgotten."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from adjudicator.core.contract.lines import Misfit
from adjudicator.core.contract.prices import sum_of
from adjudicator.core.contract.resolution import Resolution
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_charter, new_game
from adjudicator.core.jobs.play import play
from adjudicator.core.jobs.seal import open_file
from adjudicator.core.secrets.age import decrypt, encrypt, new_identity, recipient_of
from adjudicator.core.secrets.envelope import pack
from adjudicator.core.secrets.masters import Masters, new_master, read_masters
from adjudicator.core.text.codec import decode
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read
from adjudicator.core.turn.aside import MARK, news_alone
from adjudicator.core.turn.data import Turn, TurnData
from adjudicator.core.turn.keys import keys_for
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.core.turn.sheets import check_sheet, read_name, sheet_text
from adjudicator.rulesets.noblesse import RULESET
from adjudicator.rulesets.noblesse.desk import WHO
from adjudicator.rulesets.noblesse.orders import Sheet
from adjudicator.rulesets.noblesse.prices import COURTIER, prices
from adjudicator.rulesets.noblesse.scenario import scenario_named, tables
from adjudicator.site.mkdocs.build import build
from adjudicator.site.shipped import DIGESTS
from tests.conftest import first_of
from tests.site.conftest import empty_site, opened, serious, served, tap

pytestmark = pytest.mark.slow

GAME, OWN = "courts", "3f" * 8
SSH = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINiXoYBRVDAhX6TlvWpSCIkHh9nI7tsGKJYWEmWxUyu4"
SEATS = scenario_named("farna").players
TERMINAL = "Tansy"
"""The seat whose news is sealed to an SSH key."""
PASSPHRASE = "a long walk by the sea"


@dataclass(frozen=True)
class Courts:
    """A game of Noblesse at its second Night, its site, and the keys of its seats."""

    archive: Archive
    masters: Masters
    site: Path
    address: str
    keys: Mapping[str, str]

    @property
    def turn(self) -> Turn:
        return load_turn(self.archive, load_game(self.archive, GAME), self.archive.turns(GAME)[-1])

    @property
    def whole(self) -> TurnData:
        return load_all(self.archive, self.turn)

    @property
    def before(self) -> TurnData:
        name = self.archive.turns(GAME)[-2]
        return load_all(self.archive, load_turn(self.archive, self.turn.game, name))

    def dispatch(self, seat: str) -> Path:
        return self.turn.folder / "dispatches" / f"{seat.lower()}.age"

    def desk(self, seat: str) -> str:
        return f"{self.address}desk.html#{GAME}/{seat.lower()}"

    def parts(self, seat: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Content of the file, decoded only with age and gzip: the news, and the aside."""
        text = gzip.decompress(decrypt(self.dispatch(seat).read_bytes(), [self.keys[seat]], "x"))
        news, _, aside = text.partition(MARK)
        plain: Any = read(news, "news").data
        return plain, json.loads(aside)

    def text(self, seat: str) -> str:
        """The news as written."""
        text = gzip.decompress(decrypt(self.dispatch(seat).read_bytes(), [self.keys[seat]], "x"))
        return text.partition(MARK)[0].decode()

    def aside(self, seat: str) -> dict[str, Any]:
        return self.parts(seat)[1]

    def news(self, seat: str) -> dict[str, Any]:
        return self.parts(seat)[0]


@pytest.fixture(scope="module")
def courts(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Iterator[Courts]:
    folder = empty_site(tmp_path_factory.mktemp("courts"))
    masters = read_masters(new_master(), "test")
    archive = Archive(folder, masters)
    new_charter(archive)
    keys = {seat: new_identity() for seat in SEATS}
    seats = {seat: {"player": "P", "key": recipient_of(key) if seat != TERMINAL else SSH} for seat, key in keys.items()}
    data = {"ruleset": "noblesse", "title": "Courts", "opened": "2026-11-20", "id": OWN, "sealed": True, "seats": seats}
    new_game(archive, GAME, data)
    list(play(archive, GAME, SEATS, "2", "2026-11-20T18:00Z", 3))
    site = build(folder, folder / "public").parent
    with served(site) as address:
        yield Courts(archive, masters, site, address, keys)


def give(page: Page, key: str, passphrase: str = "") -> None:
    page.get_by_label("Your key").fill(key)
    page.get_by_label("Passphrase (optional)").fill(passphrase)
    page.get_by_role("button", name="Open my news").click()


def open_news(page: Page, courts: Courts, seat: str, passphrase: str = "") -> None:
    page.goto(courts.desk(seat))
    give(page, courts.keys[seat], passphrase)
    expect(page.get_by_role("heading", name="Your news")).to_be_visible()


def pick(page: Page, *words: str) -> None:
    """Chooses these one by one, by their labels on buttons."""
    for word in words:
        page.locator(".picker .pick:visible", has_text=word).first.click()


def unfold(page: Page, title: str) -> None:
    """Unfolds some of the choices, though late content may have moved them away from under the mouse."""
    folded = page.locator(".picker details:not([open]) > summary", has_text=title)
    for _ in range(5):
        if folded.count():
            folded.click()
    expect(folded).to_have_count(0)


# Content of the news ----------------------------------------------------------------------------------------------

OPEN = """
async ([place, seats, keys]) => {
  const { newsOf, mapWith, seatWith } = await import("/assets/desk/news.js");
  const { deskOf } = await import("/assets/desk/store.js");
  const data = deskOf(await (await fetch(`games/${place}/desk.json`)).json());
  const common = await (await fetch(`games/${place}/desk.svg`)).text();
  const told = {};
  for (const name of seats) {
    const seat = data.seats.find((one) => one.name === name);
    const file = await fetch(`games/${place}/${data.turn}/dispatches/${seat.file}.age`);
    const aside = await newsOf(new Uint8Array(await file.arrayBuffer()), keys[name], data, seat);
    told[name] = { aside, map: await mapWith(common, aside.map, aside.schema), form: seatWith(seat, aside).form };
  }
  return told;
}
"""


KEEPS = """
async ([asked, private]) => {
  const { seatWith } = await import("/assets/desk/news.js");
  const seat = { form: [{ key: "orders", kind: "lines" }, ...asked], options: {}, cautions: [], without: [] };
  return seatWith(seat, { form: private, options: {}, cautions: [], without: [] }).form.map(({ key }) => key);
}
"""


def test_a_question_that_came_after_the_news_stays_on_the_form(browser: Browser, courts: Courts) -> None:
    """The dispatch lists the fields of the turn as it opened; the host asked later."""
    asked = [{"key": "answer", "kind": "choice", "choices": ["yes", "no"]}]
    with opened(browser) as page:
        page.goto(f"{courts.address}desk.html")
        kept = [
            page.evaluate(KEEPS, [field, form]) for field in (asked, []) for form in (["orders"], ["orders", "answer"])
        ]
    assert kept == [["orders", "answer"], ["orders", "answer"], ["orders"], ["orders"]]


def test_every_seat_reads_what_its_dispatch_says_and_sees_its_own_map(browser: Browser, courts: Courts) -> None:
    seats = [seat for seat in SEATS if seat != TERMINAL]
    with opened(browser) as page:
        page.goto(f"{courts.address}desk.html")
        told = page.evaluate(OPEN, [GAME, seats, dict(courts.keys)])
    whole, before = courts.whole, courts.before
    for seat in seats:
        view = RULESET.view(whole.position, seat)
        facts = RULESET.heard(before.events, seat)
        scene = RULESET.pictures.draw(view, Resolution(view, (), facts, None)).to_click()
        assert told[seat]["map"] == RULESET.pictures.paint(scene)
        aside, news = told[seat]["aside"], courts.news(seat)
        count = len(news["verdicts"])
        said = {
            "news": courts.text(seat),
            "brief": news["brief"],
            "verdicts": news["told"][:count],
            "told": news["told"][count:],
        }
        assert aside == courts.aside(seat) | said
        assert RULESET.secrecy is not None
        assert aside["brief"] == list(RULESET.secrecy.brief(view, seat))
        lines = [line for sheet in RULESET.rules.options(view, seat) for line in sheet.orders]
        assert aside["options"].get("orders", []) == list(dict.fromkeys(lines))
        keys = [field["key"] for field in told[seat]["form"]]
        led = any(faction.leader == seat for faction in view.factions.values())
        assert keys == ["orders", *(["treaties"] if led else []), "final", "standing"]
    assert all(told[seat]["aside"]["brief"] for seat in seats)  # all other choices depend on the dice


def test_the_aside_after_the_news_is_not_part_of_it(courts: Courts, tmp_path: Path) -> None:
    """turn.yaml's digest is that of the news; a terminal shows only the news."""
    text = gzip.decompress(decrypt(courts.dispatch("Anise").read_bytes(), [courts.keys["Anise"]], "x"))
    assert text.count(MARK) == 1
    assert courts.turn.data.dispatches is not None
    assert hashlib.sha256(news_alone(text)).hexdigest() == courts.turn.data.dispatches["Anise"]
    key = tmp_path / "key.txt"
    key.write_text(courts.keys["Anise"])
    assert open_file(courts.archive, courts.dispatch("Anise"), key) == news_alone(text)
    sizes = {path.stat().st_size // 1000 for path in courts.dispatch("Anise").parent.iterdir()}
    assert len(sizes) <= 2  # all have one width; age adds dummy entries at random


def test_opening_news_with_a_wrong_key_names_the_right_one(courts: Courts, tmp_path: Path) -> None:
    key = tmp_path / "key.txt"
    key.write_text(courts.keys["Basil"])
    right = "it was sealed to another key, or is damaged; name another key's file; news is sealed to the key that game.yaml has for its seat"
    with pytest.raises(Problems, match=right):
        open_file(courts.archive, courts.dispatch("Anise"), key)


SUMS = """
async ([prices, lines, sheets]) => {
  const { Forms } = await import("/assets/desk/forms.js");
  const { sumOf } = await import("/assets/desk/purse.js");
  const forms = new Forms(lines, 12);
  return sheets.map((orders) => Object.fromEntries([...sumOf(prices, forms, orders)].map(([thing, { takes }]) => [thing, takes])));
}
"""
WALK = """
async ([lines, options, meanings, names, turns]) => {
  const { Forms, firstBlank } = await import("/assets/desk/forms.js");
  const { Ways } = await import("/assets/desk/ways.js");
  const forms = new Forms(lines, 12);
  const ways = new Ways(forms, options.map((line) => ({ line })), meanings, new Set(names));
  let at = 0;
  const chance = (count) => turns[at++ % turns.length] % count;
  const ends = [];
  const go = (line) => {
    for (let step = 0; step < 9; step++) {
      const blank = firstBlank(line);
      if (!blank || !forms.open(line).includes(blank)) break;
      const choices = ways.choices(line);
      if (!choices.length) return;
      line = line.replace(`{${blank}}`, () => choices[chance(choices.length)]);
    }
    ends.push(line);
  };
  for (const form of forms.shown.filter((one) => ways.has(one))) for (let n = 0; n < 12; n++) go(form);
  for (const name of names) for (const line of ways.at(name)) for (let n = 0; n < 3; n++) go(line);
  return ends;
}
"""


def test_sums_match_the_archives_and_choices_lead_to_legal_orders(browser: Browser, courts: Courts) -> None:
    random, position = Random(9), courts.whole.position
    desk = json.loads((courts.site / "games" / GAME / "desk.json").read_text())
    assert RULESET.desk.lines is not None
    reader = RULESET.desk.lines(RULESET.view(position, None))
    ended = 0
    with opened(browser) as page:
        page.goto(f"{courts.address}desk.html")
        for seat in SEATS:
            if seat == TERMINAL:
                continue
            aside, table = courts.aside(seat), prices(RULESET.view(position, seat), seat)
            assert table is not None
            orders = [*aside["options"]["orders"], "Nonsense", "Recruit regiment at A3 led by courtier: 2 Lancers, own"]
            sheets = [random.choices(orders, k=random.randint(0, 9)) for _ in range(200)]
            said = page.evaluate(SUMS, [aside["prices"], desk["lines"], sheets])
            assert said == [sum_of(table, reader, sheet) for sheet in sheets]
            turns = [random.randrange(1000) for _ in range(997)]
            ends = page.evaluate(
                WALK, [desk["lines"], aside["options"]["orders"], aside["meanings"], desk["names"], turns]
            )
            assert {*ends} <= {*aside["options"]["orders"]}
            assert not any(isinstance(reader.read(line), Misfit) for line in ends)
            ended += len({*ends})
    assert ended > 500


# Played from ------------------------------------------------------------------------------------------------------


def test_a_night_can_be_played_on_a_phone_with_what_only_the_seat_knows(browser: Browser, courts: Courts) -> None:
    """Every order is chosen with a finger; the archive can read the sheet; nothing is fetched from elsewhere."""
    asked: list[str] = []
    with opened(browser, 390, 844, has_touch=True, is_mobile=True) as page:

        def note(request: Request) -> None:
            asked.append(request.url)

        page.on("request", note)
        open_news(page, courts, "Anise")
        for sentence in courts.news("Anise")["brief"]:
            expect(page.locator("#desk").get_by_text(sentence.replace("`", ""), exact=True)).to_be_visible()
        home = courts.whole.position.players["Anise"].home
        assert home is not None
        for summary in ("Courtiers and family", "Actions"):
            unfold(page, summary)
        pick(page, "Field surgeon")
        pick(page, "Build building at estate")
        expect(page.get_by_role("heading", name="Which building?")).to_be_visible()
        pick(page, "spymaster")
        expect(page.get_by_role("heading", name="Which estate?")).to_be_visible()
        tap(page, home)
        built = f"Build spymaster at {home}"
        unfold(page, "Recruiting")
        pick(page, "Recruit formation at estate led by leader: companies")
        priced = page.locator(".tariff")
        priced.locator("summary").click()  # UX-18: only three packages could be tapped, and there was no list of prices
        scenario, formations = courts.whole.position.settings.board, tables().formations
        expect(priced.locator("li")).to_contain_text(
            [
                *(f"{name}: {formation.price} manpower" for name, formation in formations.items()),
                f"courtier: 1 {COURTIER}",
                *(f"{name}: {company.tier}" for name, company in scenario.companies.items()),
            ]
        )
        page.screenshot(path="/tmp/tariff.png", full_page=True)
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator(".orders .order")).to_contain_text(["Field surgeon", built])
        stock = courts.whole.position.players["Anise"].stock
        expect(page.locator(".purse li")).to_contain_text(
            [f"influence: 3 of {stock.influence}", f"manpower: 3 of {stock.manpower}", f"money: 1 of {stock.money}"]
        )
        page.get_by_role("button", name="Undo").click()
        expect(page.locator(".orders .order")).to_have_count(1)
        tap(page, home)
        expect(page.get_by_role("heading", name=f"At {home}")).to_be_visible()
        pick(page, f"Build building at {home}", "spymaster")
        expect(page.locator(".orders .order")).to_contain_text(["Field surgeon", built])
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert serious(page) == []
        page.get_by_role("button", name="Seal my sheet").click()
        path, text = page.locator("#sheet-path").inner_text(), page.locator("#sheet-text").input_value()
    turn, name = courts.turn, path.rpartition("/")[2]
    file = read_name(turn.game, name)
    assert file is not None
    sheet = sheet_text(turn, file, text.encode(), path, keys_for(turn.game, turn.name, turn.data))
    assert decode(Sheet, sheet) == Sheet(orders=("Field surgeon", built))
    seen = replace(turn.data, position=RULESET.view(courts.whole.position, "Anise"))
    assert check_sheet(turn.game, seen, "Anise", sheet) == ()
    assert {url.partition("/assets/")[0].partition("/games/")[0] for url in asked} <= {
        courts.address.rstrip("/"), f"{courts.address}desk.html", f"{courts.address}favicon.ico", f"{courts.address}desk.html#{GAME}/anise",
        *(f"{courts.address}{name}" for name in (DIGESTS, "again.html", "dice-check.html", "embed.html", "judge.html", "sandbox.html")),  # for the desk's digest
    }  # fmt: skip


@pytest.mark.long
def test_before_the_start_choices_come_from_lists_and_add_up(
    browser: Browser, courts: Courts, tmp_path_factory: pytest.TempPathFactory, root: Path
) -> None:
    """NB-C-2, NB-E-1: squares from the seat's own range, five points of income."""
    folder = empty_site(tmp_path_factory.mktemp("start"))
    archive = Archive(folder, courts.masters)
    new_charter(archive)
    seats = {seat: {"player": "P", "key": recipient_of(key)} for seat, key in courts.keys.items()}
    data = {"ruleset": "noblesse", "title": "Courts", "opened": "2026-11-20", "id": OWN, "sealed": True, "seats": seats}
    game = new_game(archive, GAME, data)
    site = build(folder, folder / "public").parent
    with served(site) as address, opened(browser) as page:
        page.goto(f"{address}desk.html#{GAME}/anise")
        assert page.locator(".picker").count() == 0
        give(page, courts.keys["Anise"])
        page.get_by_role("heading", name="Your news").wait_for()
        add = page.get_by_label("Add to: Before the start: the squares I wish for")
        squares = add.locator("option").all_inner_texts()[1:]
        whole = load_all(archive, load_turn(archive, game, archive.turns(GAME)[0]))
        faction = whole.position.players["Anise"].faction
        assert squares == list(whole.position.settings.board.start(faction))
        for square in squares[:2]:
            add.select_option(square)
        expect(page.get_by_label("Before the start: the squares I wish for", exact=True)).to_have_value(
            "\n".join(squares[:2])
        )
        page.get_by_label("Influence").fill("2")
        page.get_by_label("Money").fill("2")
        expect(page.get_by_text("does not add up to 5 points (NB-E-1)").first).to_be_attached()
        page.get_by_label("Manpower").fill("1")
        page.get_by_role("button", name="Seal my sheet").click()
        page.locator(".result").wait_for()
        assert page.get_by_text("does not add up").count() == 0


# Bad input --------------------------------------------------------------------------------------------------------


def sealed_aside(courts: Courts, **changes: Any) -> bytes:
    """Anise's dispatch with another aside."""
    seat = "Anise"
    text = gzip.decompress(decrypt(courts.dispatch(seat).read_bytes(), [courts.keys[seat]], "x"))
    news, mark, _ = text.partition(MARK)
    aside = {**courts.aside(seat), **changes}
    return encrypt(pack(news + mark + json.dumps(aside).encode() + b"\n"), [recipient_of(courts.keys[seat])])


OF_ANOTHER_SHAPE: Mapping[str, Mapping[str, Any]] = {
    "forms that are none": {"form": 7},
    "options that are none": {"options": {"orders": 3}},
    "edits that are none": {"map": {"base": 1, "edits": "x"}},
    "a map that is none": {"map": "svg"},
    "meanings that are none": {"meanings": None},
    "a form without end": {
        "form": [{"key": "treaties", "label": "T", "kind": "records", "least": 10**9, "fields": []}]
    },
    "fields within that are none": {"form": [{"key": "a", "label": "A", "kind": "record", "fields": [None]}]},
    "orders that are no lines": {"options": {"orders": [{"a": 1}]}},
    "prices that are none": {"prices": {"purse": {"money": "much"}, "forms": {}, "note": ""}},
    "edits that go back": {"map": {"base": "x", "edits": [[5, 9, ""], [-3, 4, ""]]}},
}
"""The writer of a dispatch may write anything."""
NOT_SHOWN = "The news of Anise is not in a shape that the desk can show. Tell the host."
WRONG: Mapping[str, tuple[Callable[[Courts], bytes], str]] = {
    "another seat's": (
        lambda courts: courts.dispatch("Basil").read_bytes(),
        "The file does not hold the news of Anise: it is sealed to somebody else. Tell the host.",
    ),
    "cut off": (
        lambda courts: courts.dispatch("Anise").read_bytes()[:-400],
        "The news of Anise arrived damaged or cut short. Load the page again; if that does not help, tell the host.",
    ),
    "cut in its head": (
        lambda courts: courts.dispatch("Anise").read_bytes()[:60],
        "The news of Anise arrived damaged or cut short. Load the page again; if that does not help, tell the host.",
    ),
    "no age file": (
        lambda courts: b"<html>not found</html>",
        "The news of Anise arrived damaged or cut short. Load the page again; if that does not help, tell the host.",
    ),
    "damaged inside": (
        lambda courts: encrypt(b"\x1f\x8b\x08\0 no gzip", [recipient_of(courts.keys["Anise"])]),
        "The news of Anise is damaged inside. Tell the host.",
    ),
    "written before": (
        lambda courts: encrypt(pack(b"schema: 1\n"), [recipient_of(courts.keys["Anise"])]),
        "This news was written before the desk could read it. Open it with courtly open.",
    ),
    "another turn's": (
        lambda courts: sealed_aside(courts, turn="002-night-1"),
        "This is news of another turn: 002-night-1. Load the page again.",
    ),
    "another game's": (
        lambda courts: sealed_aside(courts, game="chess"),
        "This is news of another game: chess.",
    ),
    "another seat's name": (
        lambda courts: sealed_aside(courts, seat="Rue"),
        "This is the news of Rue, not of Anise.",
    ),
    "another version": (
        lambda courts: sealed_aside(courts, schema=3),
        "This news was written for a different version of the desk. Load the page again in a few minutes.",
    ),
    **{kind: (functools.partial(sealed_aside, **aside), NOT_SHOWN) for kind, aside in OF_ANOTHER_SHAPE.items()},
}


@pytest.mark.long
def test_the_news_is_shown_even_if_the_board_was_made_again(browser: Browser, courts: Courts) -> None:
    def answer(route: Route) -> None:
        changed = route.fetch().text().replace("<title>", "<title>New ", 1)
        route.fulfill(body=changed, content_type="image/svg+xml")

    with opened(browser) as page:
        page.route("**/games/courts/desk.svg", answer)
        open_news(page, courts, "Anise")
        expect(page.locator(".news .bad")).to_have_text(
            "Your own map cannot be drawn, because the public board was drawn again: this is the board that everybody sees."
        )
        expect(page.locator(".news")).to_contain_text(courts.news("Anise")["brief"][0])


def test_markup_in_news_is_shown_as_text(browser: Browser, courts: Courts) -> None:
    """In the map's own edits too: nothing acts, and nothing is fetched."""
    evil = "<script>window.hit = 1</script><image href='https://evil.example/x' onload='window.hit = 2'/><g onclick='1'></g>"
    edits = courts.aside("Anise")["map"]["edits"]
    whole = next(
        edit for edit in edits if re.fullmatch("(?s)<(use|g|path) .*>", edit[2])
    )  # others are within an element
    whole[2] += evil
    words = ["<img src=x onerror='window.hit = 3'>", "javascript:window.hit = 4"]
    changes = {
        "meanings": {"U1": words[0]},
        "map": {**courts.aside("Anise")["map"], "edits": edits},
    }
    body = sealed_aside(courts, **changes)
    context = browser.new_context()  # not `opened`: the browser logs everything that the policy stops on its console
    page = context.new_page()
    page.route("**/dispatches/anise.age", lambda route: route.fulfill(body=body))
    hosts: list[str] = []
    page.on("request", lambda request: hosts.append(request.url))
    page.goto(courts.desk("Anise"))
    give(page, courts.keys["Anise"])
    expect(page.get_by_role("heading", name="Your news")).to_be_visible()
    expect(page.locator(".view svg")).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator(".view script, .view image, .view [onload], .view [onclick]").count() == 0
    assert [url for url in hosts if not url.startswith(courts.address)] == []
    context.close()


@pytest.mark.parametrize("kind", first_of(WRONG, 1))
def test_a_dispatch_that_cannot_be_shown_is_explained_in_a_sentence(
    browser: Browser, courts: Courts, kind: str
) -> None:
    make, words = WRONG[kind]
    body = make(courts)
    with opened(browser) as page:
        page.route("**/dispatches/anise.age", lambda route: route.fulfill(body=body))
        page.goto(courts.desk("Anise"))
        page.locator("#typed").fill("Field surgeon")
        page.get_by_role("button", name="Add", exact=True).click()
        give(page, courts.keys["Anise"])
        expect(page.locator(".news .bad")).to_have_text(words)
        expect(page.locator(".orders .order")).to_contain_text(["Field surgeon"])  # nothing lost


def test_news_other_than_turn_yaml_names_is_refused(browser: Browser, courts: Courts) -> None:
    """FS-13: exchanged news is detected."""
    text = gzip.decompress(decrypt(courts.dispatch("Anise").read_bytes(), [courts.keys["Anise"]], "x"))
    body = encrypt(pack(text.replace(b"schema: 1", b"schema:  1", 1)), [recipient_of(courts.keys["Anise"])])
    with opened(browser) as page:
        page.route("**/dispatches/anise.age", lambda route: route.fulfill(body=body))
        page.goto(courts.desk("Anise"))
        give(page, courts.keys["Anise"])
        expect(page.locator(".news .bad")).to_have_text(
            "This is not the dispatch that Anise got: turn.yaml has a different digest. Tell the host."
        )


def test_missing_news_is_reported(browser: Browser, courts: Courts) -> None:
    """The desk reports it in a sentence, and the browser on its console."""

    def look() -> None:
        with opened(browser) as page:
            page.route("**/dispatches/anise.age", lambda route: route.fulfill(status=404))
            page.goto(courts.desk("Anise"))
            give(page, courts.keys["Anise"])
            expect(page.locator(".news .bad")).to_have_text(
                "The news of this turn is not on the site yet. Load the page again in a few minutes."
            )

    with pytest.raises(AssertionError, match="404"):
        look()


def test_an_invalid_or_foreign_key_is_explained_in_a_sentence(browser: Browser, courts: Courts) -> None:
    anise, basil = (recipient_of(courts.keys[seat]) for seat in ("Anise", "Basil"))
    told = {
        courts.keys["Basil"]: f"This is not the key of Anise. The news of Anise is sealed to {anise}, but the public half of this key is {basil}.",
        "hello": "There is no key in this. A key begins with AGE-SECRET-KEY-1.",
        anise: "This is the public half of a key. The other half begins with AGE-SECRET-KEY-1.",
        "-----BEGIN OPENSSH PRIVATE KEY-----": "This is an SSH key, which browsers cannot use. Make an age key, and give the host its line.",
        courts.keys["Anise"][:-1] + "?": "There is no key in this. A key begins with AGE-SECRET-KEY-1.",
        courts.keys["Anise"][:-1] + ("Q" if courts.keys["Anise"][-1] != "Q" else "P"): "This is not an age key: a letter is wrong or missing. Copy it again.",
    }  # fmt: skip
    with opened(browser) as page:
        page.goto(courts.desk("Anise"))
        for key, words in told.items():
            give(page, key)
            expect(page.locator(".news .bad")).to_have_text(words)
        give(page, f"# created: today\n{courts.keys['Anise'].lower()}\n", "short")
        expect(page.locator(".news .bad")).to_have_text(
            "Choose a passphrase of 8 letters or more, and not the same letter throughout."
        )
        assert page.evaluate("localStorage.length") <= 1  # only the seat is remembered
        give(page, f"# created: today\n{courts.keys['Anise'].lower()}\n")
        expect(page.get_by_role("heading", name="Your news")).to_be_visible()


# Kept and forgotten -----------------------------------------------------------------------------------------------


def test_a_key_is_kept_locked_and_forgetting_it_leaves_nothing_of_a_dispatch(browser: Browser, courts: Courts) -> None:
    key, secret = courts.keys["Anise"], courts.whole.position.players["Anise"].role
    with opened(browser) as page:
        open_news(page, courts, "Anise", PASSPHRASE)
        expect(page.locator(".news")).to_contain_text(secret)
        page.locator("#typed").fill("Field surgeon")
        page.get_by_role("button", name="Add", exact=True).click()
        kept = page.evaluate("JSON.stringify({...localStorage})")
        assert key not in kept
        assert secret not in kept
        assert "scrypt" not in kept  # it is armoured
        page.reload()
        expect(page.locator(".news")).not_to_contain_text(secret)
        page.get_by_label("Passphrase").fill("another one")
        page.get_by_role("button", name="Open my news").click()
        expect(page.locator(".news .bad")).to_have_text("This is not the passphrase that the key was locked with.")
        page.get_by_label("Passphrase").fill(PASSPHRASE)
        page.get_by_role("button", name="Open my news").click()
        expect(page.locator(".news")).to_contain_text(secret)
        expect(page.locator(".orders .order")).to_contain_text(["Field surgeon"])
        # A letter may tell as much as a draft, and is kept under a name of the same form.
        page.evaluate("""() => {
            const draft = Object.keys(localStorage).find((name) => name.includes("draft:"));
            for (const kind of ["letter:", "letters:"]) localStorage.setItem(draft.replace("draft:", kind), '"what I wrote"');
        }""")
        page.get_by_role("button", name="Forget my key and my news").click()
        page.get_by_role("button", name="Keep them").click()
        page.get_by_role("button", name="Forget my key and my news").click()
        page.get_by_role("button", name="Forget them").click()
        expect(page.get_by_label("Your key")).to_be_visible()
        left = page.evaluate(
            "JSON.stringify([{...localStorage}, {...sessionStorage}, document.documentElement.outerHTML])"
        )
        for aside in (courts.aside("Anise"),):
            for text in (
                *courts.news("Anise")["brief"],
                *(word for word in aside["meanings"] if word not in WHO),
                *courts.news("Anise")["told"],
                key,
                key.lower(),
            ):
                assert text not in left
        assert "what I wrote" not in left
        assert "Field surgeon" not in page.locator(".orders").inner_text()
        names = page.evaluate("(async () => [(await indexedDB.databases()).length, (await caches.keys()).length])()")
        assert names == [0, 0]
        page.reload()
        expect(page.get_by_label("Your key")).to_be_visible()


NO_STORE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
)
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"


@pytest.mark.long
@pytest.mark.parametrize("script", first_of([NO_STORE, FULL], 1), ids=["forbidden", "full"])
def test_the_news_opens_even_if_nothing_can_be_kept(browser: Browser, courts: Courts, script: str) -> None:
    with opened(browser) as page:
        page.add_init_script(script)
        open_news(page, courts, "Anise", PASSPHRASE)
        expect(page.locator("#live")).to_contain_text("This browser keeps nothing")
        page.reload()
        expect(page.get_by_label("Your key")).to_be_visible()


def test_an_ssh_key_is_for_a_terminal_and_the_way_to_another_is_shown(browser: Browser, courts: Courts) -> None:
    with opened(browser) as page:
        page.goto(courts.desk(TERMINAL))
        news = page.locator(".news")
        expect(news).to_contain_text("sealed to an SSH key, which browsers cannot use")
        expect(news).to_contain_text(f"courtly open games/{GAME}/{courts.turn.name}/dispatches/tansy.age -i KEY")
        assert page.get_by_label("Your key").count() == 0
        news.get_by_role("link", name="Make an age key").click()
        expect(page.get_by_role("heading", name="Your key", exact=True)).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", first_of(["dark", "light"], 1))
def test_a_key_can_be_made_kept_and_forgotten_on_its_page(browser: Browser, courts: Courts, scheme: str) -> None:
    with opened(browser, 390, 844, color_scheme=scheme) as page:
        page.goto(f"{courts.address}desk.html#:key")
        page.get_by_role("button", name="Make a key").click()
        expect(page.locator("code.key")).to_have_count(2)
        secret, line = page.locator("code.key").all_inner_texts()
        assert line == f"key: {recipient_of(secret)}"
        with page.expect_download() as download:
            page.get_by_role("button", name="Save courtly-key.txt").click()
        assert download.value.path().read_text() == f"# public key: {recipient_of(secret)}\n{secret}\n"
        page.get_by_label("Passphrase").fill(PASSPHRASE)
        page.get_by_role("button", name="Keep it here, locked").click()
        expect(page.get_by_role("heading", name="Kept in this browser")).to_be_visible()
        assert serious(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert secret not in page.evaluate("JSON.stringify({...localStorage})")
        page.get_by_role("button", name="Forget age1").click()
        expect(page.get_by_role("heading", name="Kept in this browser")).to_be_hidden()
        page.get_by_text("I have a key already").click()
        page.get_by_label("Your key, or all of your key file").fill(f"# mine\n{courts.keys['Rue']}\n")
        page.get_by_role("button", name="Show its public half").click()
        expect(page.locator("code.key").last).to_have_text(f"key: {recipient_of(courts.keys['Rue'])}")


def test_no_blank_is_shown_in_braces(browser: Browser, courts: Courts) -> None:
    """UX-9: a form's blanks go by their names, and messages for people say who that is."""
    with opened(browser) as page:
        open_news(page, courts, "Anise")
        for summary in page.locator(".picker summary").all():
            summary.click()
        assert len(page.locator(".picker .pick").all()) > 30
        assert "{" not in page.locator("body").inner_text()
        page.locator("#typed").fill("re")
        expect(page.locator("#suggestions li").first).to_be_visible()
        for place in courts.whole.position.estates:
            tap(page, place)
            assert "{" not in page.locator("body").inner_text()


def test_a_way_can_be_begun_on_the_map_and_continued(browser: Browser, courts: Courts) -> None:
    """If a way can go on from a place, the desk asks; a second tap there ends it."""
    with opened(browser) as page:
        open_news(page, courts, "Anise")
        start = "Spy from estate to path"
        unfold(page, "Courtiers and family")
        spies = [line for line in courts.aside("Anise")["options"]["orders"] if line.startswith("Spy from ")]
        first = spies[0].removeprefix("Spy from ").partition(" to ")[0]
        ends = [line for line in spies if not any(other.startswith(f"{line}, ") for other in spies)]
        far = next(line for line in ends if line.startswith(f"Spy from {first} ") and line.count(", ") == 1)
        near, beyond = far.partition(" to ")[2].split(", ")
        for at, last in enumerate((beyond, near)):
            expect(page.locator(".orders .order")).to_have_count(at)
            pick(page, start)
            pick(page, first)
            tap(page, near)
            expect(page.locator(".picker h2")).to_have_text(f"To {near}, or on from there?")
            tap(page, last)
        expect(page.locator(".orders .order")).to_contain_text([far, f"Spy from {first} to {near}"])
        expect(page.locator(".view .order.go")).to_have_count(3)
        # The next question is in sight, wherever the form was.
        page.locator(".picker summary").last.click()
        page.emulate_media(reduced_motion="no-preference")  # it glides there
        pick(page, start)
        expect(page.locator(".picker h2")).to_be_in_viewport()


@pytest.mark.long
def test_an_income_can_be_undone_number_by_number(browser: Browser, courts: Courts) -> None:
    """The draft holds a copy: typing in a field changes nothing that was kept for undoing."""
    changed = [
        {
            "key": "purse",
            "label": "Purse",
            "kind": "record",
            "fields": [{"key": "money", "label": "Money", "kind": "number"}],
        }
    ]
    body = sealed_aside(courts, form=["orders", *changed])
    with opened(browser) as page:
        page.route("**/dispatches/anise.age", lambda route: route.fulfill(body=body))
        page.goto(courts.desk("Anise"))
        give(page, courts.keys["Anise"])
        page.get_by_label("Money").fill("1")
        page.locator("#typed").fill("Field surgeon")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_label("Money").fill("4")
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_label("Money")).to_have_value("1")


# Findings of attacks ----------------------------------------------------------------------------------------------


def test_the_news_shown_is_read_from_the_part_with_a_digest(browser: Browser, courts: Courts) -> None:
    """FS-13: an aside with other news is ignored."""
    lies = ["Basil has sent an assassin to you."]
    body = sealed_aside(courts, told=lies, brief=lies, verdicts=lies)
    with opened(browser) as page:
        page.route("**/dispatches/anise.age", lambda route: route.fulfill(body=body))
        open_news(page, courts, "Anise")
        expect(page.locator(".news")).to_contain_text(courts.news("Anise")["brief"][0])
        expect(page.locator(".news")).not_to_contain_text(lies[0])


OLD = "delete globalThis.DecompressionStream;"
NO_CRYPTO = "Object.defineProperty(crypto, 'subtle', { value: undefined });"


@pytest.mark.parametrize(
    ("script", "words"), first_of([
        (OLD, "This browser is too old to unpack news. Use a newer one, or courtly open."),
        (NO_CRYPTO, "Keys need a page that came over HTTPS, or from this machine itself. Open the desk at its https:// address."),
    ], 1),
    ids=["old", "no crypto"],
)  # fmt: skip
def test_a_missing_feature_of_the_browser_is_not_blamed_on_the_key(
    browser: Browser, courts: Courts, script: str, words: str
) -> None:
    with opened(browser) as page:
        page.add_init_script(script)
        page.goto(courts.desk("Anise"))
        give(page, courts.keys["Anise"])
        expect(page.locator(".news .bad")).to_have_text(words)


@pytest.mark.long
def test_a_passphrase_is_understood_as_intended(browser: Browser, courts: Courts) -> None:
    """Accents can be composed in two ways, and spaces are not a passphrase."""
    with opened(browser) as page:
        page.goto(courts.desk("Anise"))
        for blank in (" " * 9, "\u200b" * 9, "aaaaaaaaa"):
            give(page, courts.keys["Anise"], blank)
            expect(page.locator(".news .bad")).to_contain_text("Choose a passphrase of 8 letters or more")
        give(page, courts.keys["Anise"], "caf\u00e9 au lait")
        expect(page.get_by_role("heading", name="Your news")).to_be_visible()
        page.reload()
        page.get_by_label("Passphrase").fill("cafe\u0301 au lait ")
        page.get_by_role("button", name="Open my news").click()
        expect(page.get_by_role("heading", name="Your news")).to_be_visible()


@pytest.mark.long
def test_a_key_forgotten_in_one_window_is_forgotten_in_the_other(browser: Browser, courts: Courts) -> None:
    with opened(browser) as page:
        open_news(page, courts, "Anise", PASSPHRASE)
        other = page.context.new_page()
        other.goto(courts.desk("Anise"))
        other.get_by_label("Passphrase").fill(PASSPHRASE)
        other.get_by_role("button", name="Open my news").click()
        expect(other.get_by_role("heading", name="Your news")).to_be_visible()
        other.get_by_role("button", name="Forget my key and my news").click()
        other.get_by_role("button", name="Forget them").click()
        expect(page.get_by_label("Your key")).to_be_visible()
        expect(page.locator(".news")).not_to_contain_text(courts.news("Anise")["brief"][0])


def test_nothing_is_sealed_for_a_turn_that_was_restarted_under_its_name(browser: Browser, courts: Courts) -> None:
    with opened(browser) as page:
        open_news(page, courts, "Anise")
        page.locator("#typed").fill("Field surgeon")
        page.get_by_role("button", name="Add", exact=True).click()

        def anew(route: Route) -> None:
            route.fulfill(json={**route.fetch().json(), "attempt": 2})

        page.route("**/desk.json", anew)
        page.get_by_role("button", name="Seal my sheet").click()
        expect(page.locator("#desk").get_by_text("This turn was begun again or corrected.")).to_be_visible()
        expect(page.locator(".result")).to_be_hidden()
        expect(page.locator(".orders .order")).to_contain_text(["Field surgeon"])


def test_half_typed_text_stays_when_the_news_opens(browser: Browser, courts: Courts) -> None:
    with opened(browser) as page:
        page.goto(courts.desk("Anise"))
        page.locator("#typed").fill("Message to Basil: hel")
        give(page, courts.keys["Anise"])
        expect(page.get_by_role("heading", name="Your news")).to_be_visible()
        expect(page.locator("#typed")).to_have_value("Message to Basil: hel")
