"""Games that are played from the site only: keys made, news opened, orders chosen with a finger, sent to a GitHub on loopback."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from adjudicator.core.contract.ruleset import find
from adjudicator.core.game.archive import Archive
from adjudicator.core.game.game import seat_file
from adjudicator.core.jobs.stand_in import chance_of, write_sheet
from adjudicator.core.secrets.age import new_identity, recipient_of
from adjudicator.core.secrets.masters import read_masters
from adjudicator.core.text.codec import encode
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.data import Turn
from adjudicator.core.turn.load import load_all, load_game, load_turn
from adjudicator.rulesets.noblesse.scenario import scenario_named
from tests.ci.fake import FakeGitHub, Issue
from tests.ci.test_loopback import Group, begin, founded
from tests.site.conftest import ANYBODY, serious, served

pytestmark = pytest.mark.slow

PASSPHRASE = "cloth of gold and ermine"
NIGHTS = int(os.environ.get("COURTLY_NIGHTS", "1"))
"""Number of nights played; `nox -s nights` plays three."""
PATIENCE = 60_000  # Milliseconds: long for a browser, but short for a machine that does ten other things
PHONE = {"width": 390, "height": 844}
DAYS = tuple(f"2026-11-{day}T00:05:00Z" for day in range(21, 28))


@dataclass
class Desk:
    """A player with a phone, and nothing else: one browser, which keeps its storage."""

    page: Page
    seat: str
    address: str
    slug: str
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Record the page's errors and its requests."""

        def complained(said: ConsoleMessage) -> None:
            if said.type == "error":
                self.errors.append(said.text)

        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", complained)
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self) -> None:
        """Open the seat's desk on the current site, and its news if the seat has any."""
        self.page.goto(f"{self.address}desk.html")
        self.page.goto(f"{self.address}desk.html#{self.slug}/{seat_file(self.seat)}")
        self.page.locator(".send").wait_for()
        if self.page.get_by_label("Passphrase", exact=True).count():
            self.page.get_by_label("Passphrase", exact=True).fill(PASSPHRASE)
            self.page.get_by_role("button", name="Open my news").click()
            expect(self.page.get_by_role("heading", name="Your news")).to_be_visible(timeout=PATIENCE)

    def choose(self, random: Random, most: int) -> None:
        """Choose some orders, by tapping options."""
        for _ in range(most):
            folded = self.page.locator(".picker details:not([open], .rest) > summary")
            while folded.count():
                folded.first.click()
            picks = self.page.locator(".picker .pick:visible")
            rows = self.page.locator(".orders .open button")
            if rows.count():
                rows.nth(random.randrange(rows.count())).click()
            elif not picks.count():
                return
            for _ in range(7):  # a form, then its blanks
                picks = self.page.locator(".picker .pick:visible")
                if not picks.count():
                    break
                picks.nth(random.randrange(picks.count())).click()
                if re.match(r"Which|At|Order", self.page.locator(".picker h2").inner_text()) is None:
                    break
            if self.page.get_by_role("button", name="Cancel").count():
                self.page.get_by_role("button", name="Cancel").click()

    def orders(self) -> list[str]:
        """The written lines, without the units that have none, and without the orders of the turn before."""
        written = self.page.locator(".orders li:not(.open):not(.happened li) .order")
        return [line.inner_text() for line in written.all()]

    def send(self, group: Group, account: int) -> str:
        """Seal, hand the sheet out, and let intake answer; return the path of the sheet."""
        self.page.get_by_role("button", name="Seal my sheet").click()
        link = self.page.get_by_role("link", name="Open on GitHub")
        fault = self.page.locator(".send .note.bad:visible")
        expect(link.or_(fault).first).to_be_visible(timeout=PATIENCE)
        assert fault.all_inner_texts() == [], self.seat
        parts = parse_qs(urlsplit(link.get_attribute("href") or "").query)
        path, text = parts["filename"][0], parts["value"][0]
        link.evaluate("link => { link.addEventListener('click', (event) => event.preventDefault()); link.click(); }")
        number = group.fake.open_pull(account, seat_file(self.seat), {path: text.encode()})
        assert "accepted" in group.intake(number)
        return path

    def sees_it_arrive(self) -> None:
        """Come back to the desk, and check that it shows the sheet."""
        self.page.reload()
        self.page.locator(".send").wait_for()
        expect(self.page.locator(".status")).to_contain_text("to the byte", timeout=PATIENCE)


def api_of(fake: FakeGitHub, route: Route) -> None:
    """Answer for the repository on loopback as GitHub's API would: a file's last commit, the file, and its issues."""
    parts = urlsplit(route.request.url)
    if parts.path.endswith("/commits"):
        path = parse_qs(parts.query)["path"][0]
        date = fake.git("log", "-1", "--format=%cI", "main", "--", path).strip()
        route.fulfill(json=[{"commit": {"committer": {"date": date}}}] if date else [], headers=ANYBODY)
    elif "/contents/" in parts.path:
        route.fulfill(body=fake.read(unquote(parts.path.partition("/contents/")[2])), headers=ANYBODY)
    elif parts.path.endswith("/issues"):
        route.fulfill(json=[shown_issue(issue) for issue in fake.issues.values()], headers=ANYBODY)
    else:
        route.fulfill(json=[], headers=ANYBODY)


def shown_issue(issue: Issue) -> dict[str, Any]:
    """An issue as GitHub's API lists it."""
    return {
        "number": issue.number, "state": issue.state, "created_at": datetime.now(UTC).isoformat(), "body": issue.body,
        "user": {"id": issue.account, "login": issue.login},
    }  # fmt: skip


@contextmanager
def desks(browser: Browser, group: Group, address: str, seats: Sequence[str]) -> Iterator[list[Desk]]:
    """A phone for each of these seats. At the end: no error on any console, and requests only to the site and GitHub's API."""
    contexts = [browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) for _ in seats]  # type: ignore[arg-type]
    players = []
    for seat, context in zip(seats, contexts, strict=True):
        context.set_default_timeout(PATIENCE)
        context.route("https://api.github.com/**", lambda route: api_of(group.fake, route))
        player = Desk(context.new_page(), seat, address, group.slug)
        player.listen()
        players.append(player)
    yield players
    for context in contexts:
        context.close()
    for player in players:
        assert player.errors == [], player.seat
        hosts = {urlsplit(url).netloc for url in player.asked}
        assert hosts <= {urlsplit(address).netloc, "api.github.com", ""}, player.seat


def key_by_phone(page: Page, address: str) -> str:
    """Make a key on the desk's page, and let the browser keep it; return the line for the host."""
    page.goto(f"{address}desk.html#:key")
    page.get_by_role("button", name="Make a key").click()
    page.get_by_label("Passphrase").fill(PASSPHRASE)
    page.get_by_role("button", name="Keep it here, locked").click()
    expect(page.get_by_role("heading", name="Kept in this browser")).to_be_visible(timeout=PATIENCE)
    return page.locator("code.key").last.inner_text().removeprefix("key: ")


def stand_in_sheets(group: Group, turn: Turn, seats: Sequence[str], accounts: dict[str, int]) -> None:
    """Sheets of the other players, by stand-ins with their seats' views."""
    archive = Archive(group.root, read_masters(group.master, "test"))
    whole = load_all(archive, load_turn(archive, load_game(archive, group.slug), turn.name))
    rules = turn.game.ruleset
    for seat in seats:
        sheet = write_sheet(rules, rules.view(whole.position, seat), seat, chance_of("desk", f"{turn.name}:{seat}"))
        file = group.sheet(seat, write(encode(sheet)))
        out = group.folder / f"{seat_file(seat)}.age"
        out.unlink(missing_ok=True)
        group.courtly("seal", str(file), "--game", group.slug, "--seat", seat, "--anyway", "-o", str(out))
        path = f"games/{group.slug}/{turn.name}/orders/{seat_file(seat)}.yaml.age"
        number = group.fake.open_pull(accounts[seat], seat_file(seat), {path: out.read_bytes()})
        assert "accepted" in group.intake(number)


def check_and_go_on(group: Group, players: Sequence[Desk], turn: Turn, time: str) -> None:
    """Judge the turn: every order that was chosen has its verdict, and none was illegal."""
    chosen = {player.seat: player.orders() for player in players}
    assert any(chosen.values()) or "winter" in turn.name or "setup" in turn.name
    assert "resolved" in group.adjudicate(time)
    group.turn()
    archive = Archive(group.root, read_masters(group.master, "test"))
    judged = load_all(archive, load_turn(archive, load_game(archive, group.slug), turn.name))
    for seat, orders in chosen.items():
        verdicts = [verdict for verdict in judged.verdicts if verdict.seat == seat]
        assert sorted(verdict.order for verdict in verdicts if not verdict.implied) == sorted(orders), seat
        assert not [verdict.order for verdict in verdicts if verdict.result == "illegal"], seat


@pytest.mark.long
@pytest.mark.xdist_group("test_from_the_desk")
def test_nights_of_twelve_seats_are_played_with_three_at_the_desk_only(browser: Browser, tmp_path: Path) -> None:
    """Keys are made in the browser; a passphrase opens each turn's news; it contains the verdicts of the turn before."""
    seats = scenario_named("farna").players
    mine = ("Anise", "Hyssop", "Tansy")
    others = [seat for seat in seats if seat not in mine]
    accounts = {seat: 301 + at for at, seat in enumerate(seats)}
    random, looked_at = Random(3), 0
    group = founded(tmp_path, "courts")
    group.courtly("site")
    with served(group.root / "public") as address, desks(browser, group, address, mine) as players:
        keys = {player.seat: key_by_phone(player.page, address) for player in players}
        keys |= {seat: recipient_of(new_identity()) for seat in others}
        pinned = [part for seat in seats for part in ("--key", f"{seat}={keys[seat]}")]
        begin(group, accounts, "--ruleset", "noblesse", *pinned)
        for time in DAYS[: 2 * NIGHTS]:
            group.courtly("site")
            turn = group.turn()
            for player in players:
                player.open()
                if player.page.locator(".picker").count():
                    player.choose(random, 4)
                player.send(group, accounts[player.seat])
                player.sees_it_arrive()
                if not looked_at:
                    assert serious(player.page) == []
                    looked_at += 1
            stand_in_sheets(group, turn, others, accounts)
            for player in players:
                player.open()
            check_and_go_on(group, players, turn, time)
        assert group.turn().name == f"{2 * NIGHTS + 1:03d}-day-{NIGHTS}"
        group.courtly("site")
        for player in players:
            player.open()
            expect(player.page.get_by_text("What became of your orders")).to_be_visible()
    group.courtly("verify", master=True)


@pytest.mark.long
@pytest.mark.xdist_group("test_from_the_desk")
@pytest.mark.parametrize(
    ("ruleset", "mine", "turns"),
    [("diplomacy", ("Austria",), 3), ("al_andalus", ("Seville", "First Wazir"), 3)],
    ids=["diplomacy", "al-andalus"],
)
def test_a_year_can_be_played_from_the_site(
    browser: Browser, tmp_path: Path, ruleset: str, mine: tuple[str, ...], turns: int
) -> None:
    """As a power, as a prince and as a wazir: spring, fall, and the phases between and after them."""
    seats = tuple(find(ruleset).rules.seats(find(ruleset).types.settings()))
    accounts = {seat: 301 + at for at, seat in enumerate(seats)}
    random = Random(7)
    group = founded(tmp_path, "year")
    begin(group, accounts, "--ruleset", ruleset)
    with served(group.root / "public") as address, desks(browser, group, address, mine) as players:
        for time in DAYS[:turns]:
            group.courtly("site")
            turn = group.turn()
            for player in players:
                player.open()
                player.choose(random, 12)
                player.send(group, accounts[player.seat])
                player.sees_it_arrive()
            check_and_go_on(group, players, turn, time)
    group.courtly("verify", master=True)


def test_a_sheet_gets_from_the_desk_into_the_archive_as_an_issue(browser: Browser, tmp_path: Path) -> None:
    """The desk fills the issue in, and its form ends lines as Windows does: the archive has the sealed text to the byte."""
    seats = tuple(find("diplomacy").rules.seats(find("diplomacy").types.settings()))
    accounts = {seat: 301 + at for at, seat in enumerate(seats)}
    group = founded(tmp_path, "year")
    begin(group, accounts, "--ruleset", "diplomacy")
    group.courtly("site")
    with served(group.root / "public") as address, desks(browser, group, address, ("Austria",)) as (player,):
        player.open()
        player.choose(Random(7), 4)
        player.page.get_by_role("button", name="Seal my sheet").click()
        link = player.page.get_by_role("link", name="Send as an issue")
        parts = urlsplit(link.get_attribute("href", timeout=PATIENCE) or "")
        assert (parts.netloc, parts.path) == ("github.com", "/example/games/issues/new")
        asked = parse_qs(parts.query, strict_parsing=True)
        path, text = player.page.locator("#sheet-path").inner_text(), player.page.locator("#sheet-text").input_value()
        assert asked["title"] == [f"Sheet of Austria for year, {group.turn().name}"]
        link.evaluate("link => { link.addEventListener('click', (event) => event.preventDefault()); link.click(); }")
        number = group.fake.open_issue(accounts["Austria"], "anna", asked["body"][0])
        assert "\r\n" in group.fake.issues[number].body
        player.page.reload()
        expect(player.page.locator(".status")).to_contain_text(
            f"Issue {number} is open, and has not been answered yet."
        )
        assert f"Issue {number} accepted: {path} " in group.courtly("ci", "intake", "--issue", str(number))
        assert group.fake.read(path) == text.encode()
        player.sees_it_arrive()
        assert "resolved" in group.adjudicate(DAYS[0])
    group.fake.stop()


def as_written(page: Page, line: str) -> str:
    """A line as the sheet has it; the desk shows the titles of cards and of characters."""
    titles = page.evaluate("async () => (await (await fetch('games/table/desk.json')).json()).plans.titles")
    for slug, title in sorted(titles.items(), key=lambda one: -len(one[1])):
        line = line.replace(title, slug)
    return line


def plan(page: Page, random: Random, key: str, most: int) -> None:
    """Choose lines of a plan from those that are possible now, and set when to do the last one."""
    editor = page.locator(f"#field-{key}")
    for number in range(most):
        folded = editor.locator("details:not([open]) > summary", has_text="You can")
        if folded.count():
            folded.tap()
        picks = editor.locator(".picks .pick:visible")
        if not picks.count():
            return
        picks.nth(random.randrange(picks.count())).tap()
        if number == most - 1:
            editor.get_by_role("button", name="if …").tap()
            page.locator(f"#field-{key}-term").select_option(label="turn: the number of the turn")
            editor.get_by_role("button", name="Add to the line").tap()
        editor.get_by_role("button", name="Add", exact=True).tap()
        expect(editor.locator(".order")).to_have_count(number + 1)


@pytest.mark.long
@pytest.mark.xdist_group("test_from_the_desk_table")
def test_a_turn_of_three_princes_can_be_played_at_the_desk_only(browser: Browser, tmp_path: Path) -> None:
    """The last bids of the auction, the actions, the Event: each sheet is tapped on a phone, with standing orders and conditions."""
    seats = ("First", "Second", "Third")
    accounts = {seat: 401 + at for at, seat in enumerate(seats)}
    random = Random(7)
    group = founded(tmp_path, "table")
    group.courtly("site")
    with served(group.root / "public") as address, desks(browser, group, address, seats) as players:
        keys = {player.seat: key_by_phone(player.page, address) for player in players}
        begin(
            group,
            accounts,
            "--ruleset",
            "heir_apparent",
            "--set",
            "players=3",
            *(part for seat in seats for part in ("--key", f"{seat}={keys[seat]}")),
        )
        for time in DAYS[:4]:  # who sends nothing passes (HA-W-9)
            assert "resolved" in group.adjudicate(time)
        for time, key in zip((*DAYS[4:], "2026-11-28T00:05:00Z"), ("wishes", "actions", "event"), strict=False):
            turn = group.turn()
            group.courtly("site")
            for player in players:
                player.open()
                page = player.page
                if key == "wishes":
                    page.get_by_label("My bid").fill(str(1 + accounts[player.seat] % 3))
                    page.locator("#field-wishes-line").tap()
                    page.locator("#field-wishes-ways li").first.tap()
                    page.locator("#field-wishes").get_by_role("button", name="Add", exact=True).tap()
                else:
                    plan(page, random, "melee", 2)
                    plan(page, random, key, 3)
                player.send(group, accounts[player.seat])
                player.sees_it_arrive()
            chosen = {
                player.seat: [as_written(player.page, line.split(". ", 1)[1]) for line in player.orders()]
                for player in players
            }
            assert all(chosen.values()), turn.name
            assert "resolved" in group.adjudicate(time)
            group.turn()
            archive = Archive(group.root, read_masters(group.master, "test"))
            judged = load_all(archive, load_turn(archive, load_game(archive, group.slug), turn.name))
            assert judged.refused in (None, {})
            for seat, lines in chosen.items():
                # Only the sheet has the numbers of copies, not the desk.
                told = {re.sub(r"#\d+", "", verdict.order) for verdict in judged.verdicts if verdict.seat == seat}
                assert key == "wishes" or {*lines} <= told, (turn.name, seat)
        assert group.turn().name == "008-turn-2-actions"
        group.courtly("site")
        for player in players:
            player.open()
            expect(player.page.get_by_text("What became of your orders")).to_be_visible()
            assert player.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert serious(players[0].page) == []
    group.courtly("verify", master=True)


def tap(page: Page, place: str) -> None:
    """Tap a hex of the map: in its lower half, below any army on it."""
    hexagon = page.locator(f'.view use[data-region="{place}"]')
    hexagon.scroll_into_view_if_needed()
    box = hexagon.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.72)


def pick(page: Page, key: str, line: str) -> None:
    """Choose a line of a list from those that are possible now, and add it."""
    editor = page.locator(f"#field-{key}")
    folded = editor.locator("details:not([open]) > summary", has_text="You can")
    if folded.count():
        folded.tap()
    editor.get_by_role("button", name=line, exact=True).tap()
    editor.get_by_role("button", name="Add", exact=True).tap()
    expect(editor.locator(".order", has_text=line)).to_have_count(1)


@pytest.mark.long
@pytest.mark.xdist_group("test_from_the_desk_season")
def test_a_season_and_its_battle_can_be_played_at_two_desks(browser: Browser, tmp_path: Path) -> None:
    """An army's path tapped hex by hex with its cost, the attack at its end, both reports with a deed and an account: all on phones."""
    accounts = {seat: 501 + at for at, seat in enumerate(("Anna", "Ben", "Cora"))}
    group = founded(tmp_path, "shore")
    begin(group, accounts, "--ruleset", "grand_campaign", "--set", "unplayed=stalemate")
    with served(group.root / "public") as address, desks(browser, group, address, ("Anna", "Ben")) as players:
        anna, ben = players
        assert "resolved" in group.adjudicate(DAYS[0])  # everybody begins where the campaign puts them
        assert group.turn().name == "002-spring-of-year-1"
        group.courtly("site")
        anna.open()
        page = anna.page
        pick(page, "diplomacy", "war with Ben")
        page.get_by_role("button", name="Show my units").tap()
        tap(page, "0504")
        expect(page.locator(".walk-line")).to_contain_text("A1: 0 of 10 Movement.")
        tap(page, "0803")
        expect(page.locator(".walk-line")).to_contain_text(
            re.compile(r"A1: NE, E, E [46] of 10 Movement\.")  # the season's event is random
        )
        tap(page, "1403")
        expect(page.locator("#field-armies-reading")).to_contain_text(
            "1403 cannot be reached with the Movement that is left."
        )
        page.get_by_role("button", name="What can be done there").tap()
        page.locator("#field-armies-reading").get_by_role("button", name="Prepare to Attack …").tap()
        tap(page, "0802")
        expect(page.locator("#field-armies-line")).to_have_value("A1: NE, E, E, Prepare to Attack NE")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.get_by_role("button", name="Take in A1: NE, E, E, Prepare to Attack NE").tap()
        expect(page.locator("#field-armies .order")).to_have_count(1)
        # Another one builds a road: the purse is counted down.
        tap(page, "0204")
        page.get_by_role("button", name="What can be done there").tap()
        tap(page, "0303")
        page.locator("#field-armies-reading").get_by_role("button", name="Build Road").tap()
        page.locator("#field-armies").get_by_role("button", name="Add", exact=True).tap()
        expect(page.locator(".purse")).to_contain_text(re.compile(r"Realm Gold: 250 of [0-9]+"))
        assert serious(page) == []
        anna.send(group, accounts["Anna"])
        anna.sees_it_arrive()
        ben.open()
        tap(ben.page, "1203")
        tap(ben.page, "1303")
        ben.page.get_by_role("button", name="Take in G: E").tap()
        ben.send(group, accounts["Ben"])
        written = {player.seat: player.orders() for player in players}
        assert "resolved" in group.adjudicate(DAYS[1])
        assert group.turn().name == "003-spring-of-year-1-battles"
        judged = verdicts_after(group, "002-spring-of-year-1")
        for seat, lines in written.items():
            assert {line.split(". ", 1)[1]: "succeeds" for line in lines} == judged[seat]
        group.courtly("site")
        for player, result in ((anna, "B1: win"), (ben, "B1: loss")):
            player.open()
            told = re.compile(r"^B1, for 0802: Anna’s A1 against Ben’s A2, [A-Z][^,]+\.$")  # its scenario is random
            expect(player.page.locator("#field-results .told")).to_have_text(told)
            pick(player.page, "results", result)
            pick(player.page, "deeds", "B1: Captain Ioreth beat Thane Hild")
        pick(page, "bonus", "B1: account")
        page.get_by_role("button", name="Add account, Accounts of battles").tap()
        page.get_by_label("Battle", exact=True).fill("B1")
        page.get_by_label("Text").fill("They came down to the ford at noon and we were waiting. " * 11)
        for player in players:
            player.send(group, accounts[player.seat])
        assert "resolved" in group.adjudicate(DAYS[2])
        judged = verdicts_after(group, "003-spring-of-year-1-battles")
        deed = {"B1: Captain Ioreth beat Thane Hild": "succeeds"}
        assert judged["Anna"] == {"B1: win": "succeeds", "B1: account": "succeeds", **deed}
        assert judged["Ben"] == {"B1: loss": "succeeds", **deed}
        group.courtly("site")
        anna.open()
        assert "summer" in group.turn().name
    group.courtly("verify", master=True)


def verdicts_after(group: Group, turn: str) -> dict[str, dict[str, str]]:
    """Seat -> order -> result, for a judged turn."""
    group.turn()
    archive = Archive(group.root, read_masters(group.master, "test"))
    judged = load_all(archive, load_turn(archive, load_game(archive, group.slug), turn))
    told: dict[str, dict[str, str]] = {}
    for verdict in judged.verdicts:
        told.setdefault(verdict.seat, {})[verdict.order] = verdict.result
    return told


@pytest.mark.long
@pytest.mark.xdist_group("test_from_the_desk_walks")
def test_nothing_that_a_player_taps_is_lost(browser: Browser, tmp_path: Path) -> None:
    """The desk asks for an unclear person, adds an unfinished line before another begins, and includes the text still in a field."""
    accounts = {seat: 501 + at for at, seat in enumerate(("Anna", "Ben", "Cora"))}
    group = founded(tmp_path, "shore")
    begin(group, accounts, "--ruleset", "grand_campaign", "--set", "unplayed=stalemate")
    with served(group.root / "public") as address, desks(browser, group, address, ("Anna",)) as players:
        (anna,) = players
        group.courtly("site")
        anna.open()
        page = anna.page
        # Where everybody begins, several lists take a hex: the desk asks which, or a tap goes to the list that was touched last.
        tap(page, "0606")
        page.get_by_role("button", name="Put it under: My two Towns").tap()
        page.locator("#field-towns-line").focus()
        tap(page, "0605")
        expect(page.locator("#field-towns .order")).to_have_text(["1. 0606", "2. 0605"])
        assert "resolved" in group.adjudicate(DAYS[0])
        group.courtly("site")
        anna.open()
        armies = "async () => (await (await fetch('games/shore/desk.json')).json()).walks.walkers.Anna.armies"
        where = {army["name"]: army["at"] for army in page.evaluate(armies)}
        assert where["A1"] == "0504"
        line = page.locator("#field-armies-line")
        tap(page, "0504")
        tap(page, "0604")
        expect(line).to_have_value("A1: E")
        # Without this, the sheet would go out without the line.
        page.locator(".send button.main").tap()
        expect(page.locator(".send .bad")).to_contain_text("“A1: E” is still in the field, not in your list.")
        # Another army, out of reach: the line is taken in first.
        far = next(at for name, at in where.items() if name not in {"A1", "G"})
        other = next(name for name, at in where.items() if at == far)
        tap(page, far)
        ask = page.locator(".walk-line").get_by_role("button", name=f"{other} walks")
        if ask.count():
            expect(page.locator(".walk-line")).to_contain_text(f"A1 goes on to {far}")
            ask.tap()
        expect(page.locator("#field-armies .order")).to_have_text(["1. A1: E"])
        expect(line).to_have_value(f"{other}:")
        # Back to the first: its line changes, and a change also counts as text in the field.
        tap(page, "0504")
        back = page.locator(".walk-line").get_by_role("button", name="A1 walks")
        if back.count():
            back.tap()
        expect(line).to_have_value("A1: E")
        assert page.evaluate("document.activeElement.id") != "field-armies-line", "it would bring a phone's keyboard"
        page.locator("#field-armies").get_by_role("button", name="Leave it as it was").tap()
        # A line in small letters is walked as it reads; the desk reports an Action too many.
        line.fill("a1: e, forced march, forced march")
        expect(page.locator("#field-armies-reading")).to_contain_text(
            "forced march is one Action too many, and is left out.".replace("forced march", "Forced March")
        )
        expect(page.locator("#field-armies-reading")).not_to_contain_text("on 0504")
        page.locator("#field-armies").get_by_role("button", name="Add", exact=True).tap()
        expect(page.locator("#field-armies .why")).to_have_text("A1 has a line already.")
        expect(page.locator(".send .warn").first).to_contain_text("comes to nothing as written")
        # A plan of conquest may be long.
        page.locator("#field-conquest-line").fill("B1: " + ", ".join(["claim 0903"] * 40))
        assert len(page.locator("#field-conquest-line").input_value()) > 400
        assert serious(page) == []
