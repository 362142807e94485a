"""The ways from the desk to the archive's forge: a file or an issue, on GitHub or Forgejo, and the check that it arrived."""

from __future__ import annotations

import http.server
import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from adjudicator.ci.letters import read_letter
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.forges import DEFAULT, GITHUB
from adjudicator.core.jobs.letters import letter
from adjudicator.core.jobs.new import new_game
from adjudicator.core.secrets.masters import new_master, read_masters
from adjudicator.site.mkdocs.build import build
from adjudicator.site.shipped import ASKED, differences, examine_site
from tests.site.conftest import empty_site, opened, serious, served

pytestmark = pytest.mark.slow

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PATH = "games/summer/001-spring-1901-movement/orders/england.yaml.age"
CHARTER = 'schema: 1\narchive: "0011223344556677"\nrepository: example/games\n'


class Instance(http.server.BaseHTTPRequestHandler):
    """A Forgejo's API on loopback, which knows of one pull request, and sends a validator with each answer."""

    protocol_version = "HTTP/1.1"
    asked: list[tuple[str, str | None]]
    requests: list[dict[str, Any]]

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
        """Logs nothing."""

    def do_GET(self) -> None:
        kind = urlsplit(self.path).path.rpartition("/")[2]
        known = self.headers.get("If-None-Match")
        self.asked.append((unquote(self.path), known))
        body = json.dumps(self.requests if kind == "issues" else []).encode()
        tag = f'"{hash(body)}"'
        self.send_response(304 if known == tag else 200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("ETag", tag)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(0 if known == tag else len(body)))
        self.end_headers()
        if known != tag:
            self.wfile.write(body)


@pytest.fixture(scope="module")
def instance() -> Iterator[tuple[str, type[Instance]]]:
    """The instance, and its address."""
    Instance.asked, Instance.requests = [], []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Instance)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", Instance
    server.shutdown()
    server.server_close()
    thread.join()


def site_of(folder: Path, charter: str) -> Path:
    """A site with one sealed game that has an open seat."""
    empty_site(folder)
    (folder / "games/archive.yaml").write_text(charter)
    seats: dict[str, Any] = {seat: {"player": "P", "account": 100 + at} for at, seat in enumerate(POWERS)}
    seats["Austria"] = {"player": "open"}
    data = {
        "ruleset": "diplomacy", "title": "Summer", "opened": "2026-11-20", "id": "0a" * 8, "sealed": True, "join": "first",
        "schedule": {"turn": "2d"}, "seats": seats,
    }  # fmt: skip
    new_game(Archive(folder, read_masters(new_master(), "test")), "summer", data, open_now=True)
    return build(folder, folder / "public").parent


@pytest.fixture(scope="module")
def github(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of an archive on GitHub."""
    with served(site_of(tmp_path_factory.mktemp("github"), CHARTER)) as address:
        yield address


@pytest.fixture(scope="module")
def forgejo(
    tmp_path_factory: pytest.TempPathFactory, instance: tuple[str, type[Instance]]
) -> Iterator[tuple[str, Path]]:
    """The same on Forgejo."""
    site = site_of(tmp_path_factory.mktemp("forgejo"), f"{CHARTER}forge: {instance[0]}\n")
    with served(site) as address:
        yield address, site


def seal(page: Page, address: str, orders: tuple[str, ...] = ("lon nth",)) -> tuple[str, str]:
    """Writes a sheet and seals it; returns its path and its text."""
    page.goto(f"{address}desk.html#summer/england")
    for order in orders:
        page.get_by_label("Or type an order").fill(order)
        page.keyboard.press("Enter")
    page.get_by_role("button", name="Seal my sheet").click()
    expect(page.locator(".result h2")).to_have_text("Sheet 1 is sealed")
    return page.locator("#sheet-path").inner_text(), page.locator("#sheet-text").input_value()


def with_data(page: Page, **values: object) -> None:
    """Makes the page see other data of the game."""
    page.route("**/desk.json", lambda route: route.fulfill(json={**route.fetch().json(), **values}))


# As an issue ------------------------------------------------------------------------------------------------------


def test_the_desk_writes_an_issue_as_the_archive_reads_it(browser: Browser, root: Path) -> None:
    """Both produce equal text, with any number of back ticks in it; with Windows' line ends the sheet is still intact to the byte."""
    draw = random.Random(1901)
    parts = [
        "`",
        "``",
        "```",
        "`````",
        "\n",
        "\n\n",
        "orders:",
        "  - A Vienna - Galicia",
        "é – 中",
        "<!-- -->",
        " ",
        "~~~",
        "\\",
    ]
    texts = ["", "\n", "```", "```\n", "a\n\n\n"] + [
        "".join(draw.choice(parts) for _ in range(draw.randrange(30))) + draw.choice(["", "\n"]) for _ in range(400)
    ]

    def blank(route: Route) -> None:
        route.fulfill(
            body='<!doctype html><html lang="en"><title>x</title><link rel="icon" href="data:,">',
            content_type="text/html",
        )

    with served(root / "site_src") as address, opened(browser) as page:
        page.route("**/blank.html", blank)
        page.goto(f"{address}blank.html")
        ask = """async ([path, texts]) => {
          const { letter } = await import("/assets/desk/letters.js");
          return texts.map((text) => letter(path, text));
        }"""
        told = page.evaluate(ask, [PATH, texts])
    assert told == [letter(PATH, text) for text in texts]
    read = [read_letter(one.replace("\n", "\r\n")).decode() for one in told]
    assert read == [text.rstrip("\n") + "\n" for text in texts]


def test_a_sheet_can_be_sent_as_an_issue(browser: Browser, github: str) -> None:
    """One page fewer, and no fork; a player who takes the first way learns of the fork beforehand."""
    with opened(browser) as page:
        path, text = seal(page, github)
        result = page.locator(".result")
        link = result.get_by_role("link", name="Send as an issue")
        parts = urlsplit(link.get_attribute("href") or "")
        assert (parts.scheme, parts.netloc, parts.path) == ("https", "github.com", "/example/games/issues/new")
        assert parse_qs(parts.query, strict_parsing=True) == {
            "title": ["Sheet of England for summer, 001-spring-1901-movement"], "body": [letter(path, text)],
        }  # fmt: skip
        assert len(parts.geturl()) <= 6000
        assert (link.get_attribute("rel"), link.get_attribute("target")) == ("noopener noreferrer", "_blank")
        expect(result).to_contain_text(
            "If you cannot write to the archive yourself, GitHub makes a fork on the way: your own copy. "
            "If its button fails, make the fork first, then come back."
        )
        fork = result.get_by_role("link", name="make the fork first")
        assert fork.get_attribute("href") == "https://github.com/example/games/fork"
        first = "(link) => link.compareDocumentPosition(document.querySelector('.result .main')) & 4"
        assert fork.evaluate(first), "it is said before the button"
        expect(result).to_contain_text("GitHub’s mobile app may open these pages empty. Then open them in the browser")
        assert serious(page, within=".result") == []
        # Following the link counts as handing out.
        page.context.route("https://github.com/**", lambda route: route.fulfill(body="GitHub"))
        with page.expect_popup() as popup:
            link.click()
        popup.value.close()
        expect(page.locator(".status")).to_contain_text("Sheet 1 was handed out")


@pytest.mark.parametrize(
    ("doors", "links"),
    [
        (["pull_requests"], ["make the fork first", "Open on GitHub"]),
        (["issues"], ["Send as an issue"]),
        ([], []),
    ],
    ids=["pulls", "issues", "none"],
)
def test_only_open_doors_are_offered(browser: Browser, github: str, doors: list[str], links: list[str]) -> None:
    with opened(browser) as page:
        with_data(page, doors=doors)
        seal(page, github)
        assert page.locator(".result a").all_inner_texts() == links
        closed = page.get_by_text("This archive takes in no sheets by itself. Give the file to your host.")
        expect(closed).to_have_count(0 if doors else 1)


def test_an_issue_too_long_for_an_address_is_copied(browser: Browser, github: str) -> None:
    with opened(browser, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.add_init_script("delete globalThis.CompressionStream")  # an older browser: compressed, it would fit
        page.goto(f"{github}desk.html#summer/england")
        page.get_by_label("Or type an order").evaluate("field => { field.maxLength = 10000; }")
        for at in range(30):
            page.get_by_label("Or type an order").fill(f"{at} {'x' * 180}")
            page.keyboard.press("Enter")
            page.get_by_role("button", name="Add it as written").click()
        page.get_by_role("button", name="Seal my sheet").click()
        expect(page.locator(".result h2")).to_have_text("Sheet 1 is sealed")
        path, text = page.locator("#sheet-path").inner_text(), page.locator("#sheet-text").input_value()
        expect(page.get_by_role("link", name="Send as an issue")).to_have_count(0)
        address = page.get_by_role("link", name="Open an empty issue").get_attribute("href") or ""
        assert parse_qs(urlsplit(address).query) == {"title": ["Sheet of England for summer, 001-spring-1901-movement"]}
        page.get_by_role("button", name="Copy the issue’s text").click()
        expect(page.locator(".result .hint").filter(has_text="Copied. Paste it into the empty issue")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == letter(path, text)


def test_a_seat_can_be_requested_by_an_issue(browser: Browser, github: str) -> None:
    """The desk and the game's page lead to one and the same issue, which holds the file."""
    with opened(browser) as page:
        page.goto(f"{github}games/summer/index.html")
        told = page.get_by_role("link", name="as an issue").get_attribute("href") or ""
        body = parse_qs(urlsplit(told).query)["body"][0]
        assert body == letter("games/summer/join/austria.yaml", "seat: Austria\n")
        page.goto(f"{github}desk.html#summer/austria")
        assert page.get_by_role("link", name="Join by an issue").get_attribute("href") == told
        assert page.get_by_role("link", name="Join as Austria").get_attribute("href") != told
        page.get_by_text("What to press on GitHub").click()
        expect(page.locator(".join")).to_contain_text("By an issue: press Create below the text on GitHub.")
        assert serious(page, within=".join") == []


# Another forge ----------------------------------------------------------------------------------------------------


def test_every_link_leads_to_the_archives_own_forge(
    browser: Browser, forgejo: tuple[str, Path], instance: tuple[str, type[Instance]]
) -> None:
    """Pages, desk and the desk's policy name only that one; it fills in no text, and its issues are not a way in."""
    address, site = forgejo
    at = f"{instance[0]}/example/games"
    written = [path for path in site.rglob("*") if path.suffix in (".html", ".json", ".xml") and "games" in path.parts]
    assert [path.name for path in written if b"github.com" in path.read_bytes()] == []
    desk = (site / "desk.html").read_text("utf-8")
    assert f"connect-src 'self' {instance[0]};" in desk
    assert "github" not in desk.lower()
    assert (differences(site), differences(site, instance[0])) == ([], [])
    for other in ("https://codeberg.org", DEFAULT):
        assert differences(site, other) == ["desk.html is not this package's"]
    assert [line[1].partition("; ")[2] for line in examine_site(str(site))] == [
        f"it asks {instance[0]} what became of a sheet"
    ]
    with opened(browser) as page:
        page.goto(f"{address}games/summer/index.html")
        folder = page.get_by_role("link", name="The game's folder on Forgejo")
        assert folder.get_attribute("href") == f"{at}/src/branch/main/games/summer"
        file = f"{at}/_new/main/?filename=games%2Fsummer%2Fjoin%2Faustria.yaml"
        assert page.get_by_role("link", name="Austria", exact=True).get_attribute("href") == file
        expect(page.get_by_role("link", name="as an issue")).to_have_count(0)
        page.goto(f"{address}desk.html#summer/austria")
        assert page.get_by_role("link", name="Join as Austria").get_attribute("href") == file
        expect(page.get_by_role("link", name="Join by an issue")).to_have_count(0)
        expect(page.locator(".join pre")).to_have_text("seat: Austria\n")
        path, _ = seal(page, address)
        empty = page.get_by_role("link", name="Open an empty file on Forgejo").get_attribute("href") or ""
        assert empty.startswith(f"{at}/_new/main/?")
        assert parse_qs(urlsplit(empty).query) == {"filename": [path]}
        assert page.locator(".result").get_by_role("link", name="make a fork").get_attribute("href") == f"{at}/fork"
        expect(page.locator(".result")).to_contain_text("Forgejo does not fill in the text. Copy it first")
        expect(page.get_by_role("link", name="Send as an issue")).to_have_count(0)


def test_the_desk_in_the_package_asks_the_default_forge(root: Path) -> None:
    desk = (root / "site_src/desk.html").read_text("utf-8")
    assert desk.count(ASKED) == 1
    assert desk.count(GITHUB.name) == 1


def test_an_unchanged_answer_is_not_sent_again(
    browser: Browser, forgejo: tuple[str, Path], instance: tuple[str, type[Instance]]
) -> None:
    """The browser sends the validator of its copy, and the forge confirms it: GitHub does not count that call."""
    made = {
        "number": 12,
        "state": "open",
        "created_at": "2026-11-20T13:03:00Z",
        "user": {"id": 101},
        "body": "",
        "pull_request": {},
    }
    asked = instance[1].asked
    with opened(browser) as page:
        page.clock.set_fixed_time("2026-11-20T13:02:00Z")
        seal(page, forgejo[0])
        page.get_by_role("button", name="Download").click()
        asked.clear()
        status, again = page.locator(".status"), page.get_by_role("button", name="Ask Forgejo")
        again.click()
        nothing = "Forgejo shows no pull request of yours since then, and no issue with this sheet."
        expect(status).to_contain_text(nothing)
        first = [urlsplit(path).path for path, _ in asked]
        assert first == ["/api/v1/repos/example/games/commits", "/api/v1/repos/example/games/issues"]
        assert [known for _, known in asked] == [None, None]
        asked.clear()
        again.click()
        page.wait_for_function("() => true")
        expect(status).to_contain_text(nothing)
        page.wait_for_timeout(300)
        assert [known is not None for _, known in asked] == [True, True]
        instance[1].requests.append(made)
        again.click()
        expect(status).to_contain_text("Pull request 12 is open, and has not been answered yet.")
        look = page.get_by_role("link", name="Look there").get_attribute("href")
        assert look == f"{instance[0]}/example/games/pulls/12"
    instance[1].requests.clear()
