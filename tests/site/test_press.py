"""Letters on the site: sealed while the game runs, beside their turns when it is over, and plain text whatever they hold."""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Route, expect

from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import letters_key, new_charter, new_game
from adjudicator.core.jobs.press import seal_letter
from adjudicator.core.jobs.run import run_game
from adjudicator.core.secrets.age import decrypt
from adjudicator.core.secrets.masters import new_master, read_masters
from adjudicator.core.text.yamltext import write
from adjudicator.core.turn.load import load_game
from adjudicator.core.turn.press import identity_for, open_letter
from adjudicator.core.turn.sheets import SheetFile
from adjudicator.site.mkdocs.build import build
from tests.site.conftest import empty_site, opened, serious, served
from tests.site.test_visible_words import visible

pytestmark = pytest.mark.slow

SEATS = ("Assyria", "Babylon")
RUNNING, OVER = "rivers", "rivers-over"
FIRST = "001-spring-627-bc-movement"
HOSTILE = "<img src=x onerror=alert(1)> {{ 7*7 }} [go](javascript:alert(2)) <!-- -->"


class Made(NamedTuple):
    archive: Archive
    site: Path
    address: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """Two sealed games that take letters: one is running, one is over."""
    folder = empty_site(tmp_path_factory.mktemp("press"))
    archive = Archive(folder, read_masters(new_master(), "test"))
    archive.begin()
    new_charter(archive, "example/games")
    for at, slug in enumerate((RUNNING, OVER)):
        own = f"{at}e" * 8
        data: dict[str, Any] = {
            "ruleset": "diplomacy", "title": slug, "opened": "2026-11-20", "id": own, "sealed": True,
            "seats": {seat: {"player": f"{seat[:1]}’s player", "account": 101 + one} for one, seat in enumerate(SEATS)},
            "settings": {"board": "two_rivers"}, "letters": letters_key(archive, slug, own),
        }  # fmt: skip
        new_game(archive, slug, data)
        for seat, text in (("Babylon", f"It was a trap.\n\n{HOSTILE}"), ("Assyria", "I never knew.")):
            file = folder / "letter.txt"
            file.write_text(text)
            sent = seal_letter(archive, file, game=slug, seat=seat)
            (folder / sent.path).parent.mkdir(exist_ok=True)
            (folder / sent.path).write_bytes(sent.body)
            file.unlink()
    ruling = {"reason": "All agree.", "end": {"how": "stopped", "winners": []}}
    with archive.writing():
        list(run_game(archive, OVER, at="2026-11-21T00:00Z", now=True))
        turn = archive.turns(OVER)[-1]
        (archive.game_folder(OVER) / turn / "ruling.yaml").write_text(write({"rulings": [ruling]}))
        list(run_game(archive, OVER, at="2026-11-22T00:00Z"))
    with served(build(folder, folder / "public").parent) as address:
        yield Made(archive, folder / "public", address)


def test_readers_find_letters_beside_their_turn_when_the_game_is_over(browser: Browser, made: Made) -> None:
    with opened(browser) as page:
        page.goto(f"{made.address}games/{OVER}/index.html")
        ways = page.get_by_role("link", name="Assyria, Spring")
        expect(ways).to_have_count(1)
        ways.click()
        letters = page.locator("#letters blockquote")
        expect(letters).to_have_count(2)
        expect(letters.nth(0).locator("p")).to_have_text(["I never knew."])
        expect(letters.nth(1).locator("p")).to_have_text(["It was a trap.", HOSTILE])
        expect(letters.nth(1).locator("footer")).to_have_text("– B’s player, Babylon")
        assert page.locator("#letters img, #letters a").count() == 0
        assert serious(page, within="#letters") == []
        page.goto(f"{made.address}games/{OVER}/{made.archive.turns(OVER)[-1]}/index.html")
        assert page.locator("#letters").count() == 0


def test_nothing_of_a_letter_is_on_the_site_before_the_end(made: Made) -> None:
    """Only that letters came, and how many."""
    page = visible((made.site / f"games/{RUNNING}/index.html").read_text())
    assert "can seal letters that open when it is over. 2 letters so far." in page
    key = identity_for(load_game(made.archive, RUNNING)).encode()
    for file in (made.site / f"games/{RUNNING}").rglob("*"):
        if file.is_file():
            body = file.read_bytes()
            assert not any(word in body for word in (b"trap", b"never knew", key)), file


def answer_with(sent: str, route: Route) -> None:
    """Answer as if the archive had a second letter of Assyria."""
    data = route.fetch().json()
    route.fulfill(json={**data, "letters": {**data["letters"], "next": {"assyria": 3, "babylon": 2}, "sent": [sent]}})


def test_a_letter_from_the_desk_opens_as_the_archive_reads_it(browser: Browser, made: Made) -> None:
    with opened(browser, 390, 844) as page:
        page.goto(f"{made.address}desk.html#{RUNNING}/assyria")
        page.get_by_text("A letter for after the game").click()
        button = page.get_by_role("button", name="Seal my letter")
        expect(button).to_be_disabled()
        field = page.get_by_role("textbox", name="Your letter")
        field.fill("x" * 3001)
        expect(page.locator("#after-rest")).to_have_text("1 character too many.")
        field.fill('I "promised":\n - nothing.\n\n  \nNo – really.  ✓')
        page.reload()  # this browser keeps what was written
        page.get_by_text("A letter for after the game").click()
        expect(page.locator("#after-rest")).to_have_text("2961 characters left.")
        button.click()
        expect(page.locator(".result h2:focus")).to_have_text("Letter 2 is sealed")
        path, text = page.locator("#letter-path").inner_text(), page.locator("#letter-text").input_value()
        assert path == f"games/{RUNNING}/letters/assyria.2.yaml.age"
        game = load_game(made.archive, RUNNING)
        file = SheetFile(seat="Assyria", number=2, sealed=True)
        said = open_letter(text.encode(), identity_for(game), path, game, file, made.archive.turns(RUNNING))
        assert said.letter == ('I "promised": - nothing.', "No – really. ✓")
        assert said.turn == FIRST
        assert len(decrypt(text.encode(), [identity_for(game)], path)) == 3072
        assert serious(page) == []
        page.get_by_role("button", name="Copy", exact=True).last.click()
        expect(button).to_be_disabled()
        expect(page.locator(".after > .note:not(.bad)")).to_contain_text("Letter 2 was handed out.")
        page.reload()
        page.get_by_text("A letter for after the game").click()
        expect(button).to_be_disabled()
        page.locator(".after").get_by_role("button", name="I did not send it").click()
        button.click()
        expect(page.locator(".result h2:focus")).to_have_text("Letter 2 is sealed")
        page.get_by_role("button", name="Copy", exact=True).last.click()
        expect(page.locator(".after > .note:not(.bad)")).to_contain_text("Letter 2 was handed out.")

        # Another letter has taken the number, sent from another device: this one is still here. Then this very one arrives.
        digest = hashlib.sha256(page.locator("#letter-text").input_value().encode()).hexdigest()
        name = page.evaluate("Object.keys(localStorage).find(name => name.includes('letters:'))")
        held = page.evaluate("name => localStorage.getItem(name)", name)
        assert json.loads(held)["digest"] == digest
        for sent, left in (("0" * 64, 'I "promised"'), (digest, "")):
            page.evaluate("([name, held]) => localStorage.setItem(name, held)", [name, held])
            page.route("**/desk.json", functools.partial(answer_with, sent))
            page.reload()
            page.get_by_text("A letter for after the game").click()
            expect(page.locator("#after-text")).to_have_value(re.compile(f"^{re.escape(left)}"))
            page.unroute("**/desk.json")
