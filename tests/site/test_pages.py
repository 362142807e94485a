"""The site: built strictly, complete, with working links, and with players' text escaped."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markupsafe import escape

from adjudicator.core.contract.rulebook import rules_in
from adjudicator.core.contract.ruleset import find, slugs
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.new import new_game
from adjudicator.core.jobs.run import run_game
from adjudicator.core.text.problems import Problems
from adjudicator.rulesets.diplomacy import RULESET as DIPLOMACY
from adjudicator.site.mkdocs.build import build
from adjudicator.site.mkdocs.publish import Handbook
from adjudicator.site.mkdocs.written import ADDRESS, BODY, TITLE
from adjudicator.site.receipts import intake_receipts
from adjudicator.site.rulebook import anchor
from adjudicator.site.story import load_story
from adjudicator.site.turn import turn_page
from tests.ci.fake import git
from tests.conftest import first_of
from tests.site.conftest import empty_site

HOSTILE = "</title><script>alert(1)</script>{{ config }}<img src=x onerror=alert(2)> [a](javascript:alert(3)) &amp; \"'"


class Links(HTMLParser):
    """Collects a page's links, pictures and ids, and the files that a browser loads for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for key, value in attrs:
            if key in ("href", "src") and value and not (tag == "link" and "canonical" in str(attrs)):
                self.links.append(value)
            if key == "id" and value:
                self.ids.add(value)
        values = dict(attrs)
        if tag in ("script", "img", "iframe", "source") and values.get("src"):
            self.loads.append(str(values["src"]))
        if tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload", "preconnect", "dns-prefetch"):
            self.loads.append(str(values.get("href")))


@pytest.fixture(scope="module", params=first_of(["few turns", "every turn"], 1))
def pages(site: Path, request: pytest.FixtureRequest) -> dict[Path, Links]:
    """The pages of the site, read once; by default those of a game's first turns and of its last."""
    paths = {*site.rglob("*.html")}
    if request.param == "few turns":
        for game in site.glob("games/*/"):
            paths -= {page for turn in sorted(game.glob("[0-9]*/"))[3:-1] for page in turn.glob("*.html")}
    return {path: Links(path.read_text(encoding="utf-8")) for path in sorted(paths)}


@pytest.mark.slow
def test_every_game_and_every_turn_has_its_page(site: Path, root: Path) -> None:
    archive = Archive(root)
    wanted = {"index.html", "play.html", "host.html", "command.html", "rulesets/diplomacy.html"}
    for slug in archive.slugs():
        wanted.add(f"games/{slug}/index.html")
        wanted |= {f"games/{slug}/{turn}/index.html" for turn in archive.turns(slug)}
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    assert wanted <= pages
    assert not [path for path in pages if "shell" in path]


@pytest.mark.slow
def test_no_page_shows_a_leftover_marker(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not [mark for mark in ("COURTLYTITLE", "COURTLYBODY", "COURTLYADDRESS") if mark in text], path


@pytest.mark.slow
def test_every_link_leads_somewhere(site: Path, pages: dict[Path, Links]) -> None:
    lost = []
    for path, page in pages.items():
        for href in page.links:
            parts = urlsplit(href)
            if parts.scheme or parts.netloc or href.startswith(("#", "data:")) or path.name == "404.html":
                continue
            target = (path.parent / unquote(parts.path)).resolve()
            if not target.is_file():
                lost.append(f"{path.relative_to(site)} -> {href}")
            elif target.name in (
                "desk.html",
                "dice-check.html",
                "again.html",
                "sandbox.html",
            ):  # the part after # is the game, turn or lesson they open
                first, _, lesson = parts.fragment.partition("/")
                asked = f"games/{parts.fragment}" if parts.fragment else "games/desks.json"
                asked = f"lessons/{lesson}.json" if first == "lesson" and "/" in lesson else asked
                if parts.fragment == ":key":  # the page that makes keys
                    continue
                if not (site / asked).exists():
                    lost.append(f"{path.relative_to(site)} -> {href} (nothing to open)")
            elif parts.fragment and target in pages and parts.fragment not in pages[target].ids:
                lost.append(f"{path.relative_to(site)} -> {href} (no such place)")
    assert lost == []


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Links]) -> None:
    assert sum(len(page.loads) for page in pages.values()) > len(pages)
    for path, page in pages.items():
        outside = [
            link for link in page.loads if urlsplit(link).netloc and not link.startswith("https://courtly.example/")
        ]
        assert outside == [], path


@pytest.mark.slow
@pytest.mark.parametrize("slug", slugs())
def test_a_rulebook_has_every_rule_and_every_worked_example(slug: str, site: Path) -> None:
    """S-1: a pattern for a rule's id without digits in the prefix left out all of Saga's examples."""
    rules = find(slug)
    book = rules_in((rules.folder / "RULES.md").read_text(encoding="utf-8"))
    page = (site / f"rulesets/{slug}.html").read_text(encoding="utf-8")
    assert len(book) > 60
    assert {anchor(rule) for rule in book} <= Links(page).ids
    titles = [str(escape(example.title)) for example in rules.examples()]
    shown = re.findall(r'<details class="courtly-example"><summary>Example: (.*?)</summary>', page)
    assert sorted(shown) == sorted(titles)


@pytest.mark.slow
def test_a_turn_page_lists_every_order_with_its_rule(site: Path) -> None:
    text = (site / "games/first-lessons/001-spring-1901-movement/index.html").read_text(encoding="utf-8")
    assert "A Munich - Burgundy bounced: strength 1 against A Paris, which was moving there too with strength 2" in text
    assert "../../../rulesets/diplomacy.html#dp-m-2" in text
    assert text.count('class="courtly-order"') == 22


@pytest.mark.slow
def test_feeds_are_valid_and_complete_atom(site: Path) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    feeds = sorted(site.rglob("feed.xml"))
    assert {"feed.xml", "games/first-lessons/feed.xml", "players/anna/feed.xml"} <= {
        path.relative_to(site).as_posix() for path in feeds
    }
    for path in feeds:
        root = ET.parse(path).getroot()
        assert root.tag == f"{atom}feed"
        for parent in (root, *root.iter(f"{atom}entry")):
            for key in ("title", "id", "updated"):
                child = parent.find(f"{atom}{key}")
                assert child is not None, (path, key)
                assert child.text, (path, key)
        times = [e.text or "" for e in root.iter(f"{atom}updated")][1:]
        assert times == sorted(times, reverse=True)


@pytest.mark.slow
def test_the_search_finds_games_and_the_sitemap_lists_them(site: Path) -> None:
    docs = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))["docs"]
    assert any(doc["location"] == "games/austria-alone/index.html" for doc in docs)
    assert not any(doc["location"].startswith("rulesets/") for doc in docs)
    assert not any("shell" in doc["location"] for doc in docs)


@pytest.mark.long
@pytest.mark.slow
def test_two_builds_give_the_same_pages(root: Path, site: Path, tmp_path: Path) -> None:
    again = build(root, tmp_path / "again").parent
    names = [path.relative_to(site) for path in sorted((site / "games").rglob("*")) if path.is_file()]
    assert names == [path.relative_to(again) for path in sorted((again / "games").rglob("*")) if path.is_file()]
    assert [n for n in names if (site / n).read_bytes() != (again / n).read_bytes()] == []


@pytest.mark.long
def test_a_handbook_does_not_depend_on_any_game(tmp_path: Path, handbooks: Callable[[Path, Path], Handbook]) -> None:
    """So builds and these tests may cache it by its key: MkDocs makes identical files from archives of other games."""
    made = []
    for games in (("first-lessons", "fall-1085"), ("fall-1085",)):
        folder = tmp_path / str(len(games))
        folder.mkdir()
        made.append(handbooks(empty_site(folder, games), folder / "made"))
    one, other = made
    assert replace(one, folder=other.folder) == other
    files, same = (
        {path.relative_to(book.folder): path.read_bytes() for path in book.folder.rglob("*") if path.is_file()}
        for book in made
    )
    assert len(files) > 50
    assert files == same


def hostile_copy(root: Path, target: Path) -> Path:
    """A copy of one game with hostile content in every text that a person can write."""
    empty_site(target, ["first-lessons"])
    path = target / "games/first-lessons/game.yaml"
    text = path.read_text(encoding="utf-8")
    hostile = json.dumps(HOSTILE)
    text = text.replace("title: First lessons", f"title: {hostile}\nabout: {hostile}\nsource: {hostile}")
    text = text.replace("{player: Anna}", "{player: " + hostile + "}")
    path.write_text(text, encoding="utf-8")
    turn = target / "games/first-lessons/001-spring-1901-movement/turn.yaml"
    spoilt = turn.read_text(encoding="utf-8").replace("order: F Brest - Mid-Atlantic Ocean", f"order: {hostile}")
    ruled = f"rulings:\n- reason: {hostile}\n  replace: {{seat: Italy, player: {hostile}}}\n"
    ruled += f"- reason: {hostile}\n  void: {{seat: Italy, order: {hostile}}}\n"
    noted = f"refused:\n  {hostile}: {hostile}\nstood:\n  Italy: {hostile}\n"
    took = f"players:\n  Italy: {{player: {hostile}}}\n"
    spoilt = spoilt.replace("dice:\n", f"{took}{ruled}dice:\n", 1).replace("verdicts:\n", f"{noted}verdicts:\n", 1)
    turn.write_text(spoilt, encoding="utf-8")
    return target


@pytest.mark.slow
def test_text_by_players_is_plain_text_everywhere(root: Path, tmp_path: Path) -> None:
    built = build(hostile_copy(root, tmp_path), tmp_path / "public").parent
    clean = Links((built / "play.html").read_text(encoding="utf-8")).tags.count("script")
    for path in sorted(built.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        assert Links(text).tags.count("script") <= clean + 1, path
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert 'href="javascript:' not in text
    for path in (*built.rglob("*.xml"), *built.rglob("*.svg")):
        ET.parse(path)
    assert "alert(1)" in (built / "games/first-lessons/index.html").read_text(encoding="utf-8")
    page = (built / "games/first-lessons/001-spring-1901-movement/index.html").read_text(encoding="utf-8")
    for heading in ("Rulings of the host", "About the sheets"):
        assert "alert(1)" in page.partition(f"{heading}</h")[2][:400], heading


@pytest.mark.slow
def test_the_shells_own_markers_are_plain_text_if_a_player_writes_them(root: Path, tmp_path: Path) -> None:
    copy = hostile_copy(root, tmp_path)
    path = copy / "games/first-lessons/game.yaml"
    marks = f"{TITLE} {BODY} {ADDRESS}"
    path.write_text(path.read_text(encoding="utf-8").replace("player: Ben", f"player: {marks}"), encoding="utf-8")
    built = build(copy, tmp_path / "public").parent
    page = (built / "games/first-lessons/index.html").read_text(encoding="utf-8")
    assert page.count(marks) == 3, "in the table of players, and as the title of their feed, in the head and there"
    assert len(page) < 200_000


@pytest.mark.slow
def test_a_picture_in_the_archive_is_not_trusted_inside_a_page(root: Path, tmp_path: Path) -> None:
    copy = hostile_copy(root, tmp_path)
    for path in sorted(copy.glob("games/*/*/map.svg")):
        path.write_bytes(b"<svg><script>alert(4)</script>\xff</svg>")
    built = build(copy, tmp_path / "public").parent
    for path in (*built.rglob("*.html"), *built.rglob("*.svg")):
        assert b"alert(4)" not in path.read_bytes(), path


@pytest.mark.slow
def test_the_current_house_rules_are_on_the_games_page(root: Path, tmp_path: Path) -> None:
    """FH-3. As a ruling left them, whatever game.yaml contains."""
    copy = hostile_copy(root, tmp_path)
    (path,) = copy.glob("games/first-lessons/003-*/turn.yaml")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("    coasts: lenient\n", "    coasts: strict\n"), encoding="utf-8")
    built = build(copy, tmp_path / "public").parent
    assert "<li>coasts: strict</li>" in (built / "games/first-lessons/index.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_broken_game_is_left_out_and_reported_with_its_line(root: Path, tmp_path: Path) -> None:
    copy = hostile_copy(root, tmp_path)
    path = copy / "games/first-lessons/game.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace("ruleset: diplomacy", "ruleset: diplomcy"), encoding="utf-8"
    )
    shutil.copytree(root / "games/over/austria-alone", copy / "games/austria-alone")
    with pytest.raises(Problems) as caught:
        build(copy, tmp_path / "public")
    assert (tmp_path / "public/games/austria-alone/index.html").is_file(), "the other games are published"
    assert not (tmp_path / "public/games/first-lessons").exists()
    assert "games/first-lessons/game.yaml:3:10: no ruleset is called 'diplomcy'; did you mean 'diplomacy'?" in str(
        caught.value
    )


def test_a_sheet_that_intake_did_not_take_in_is_marked_as_such(tmp_path: Path) -> None:
    """FS-14: anybody with push rights could add one above a player's, and no page showed it."""
    archive = Archive(tmp_path)
    archive.games.mkdir()
    seats = {seat: {"player": seat} for seat in DIPLOMACY.rules.seats(DIPLOMACY.types.settings())}
    new_game(
        archive, "game", {"ruleset": "diplomacy", "title": "G", "opened": "2026-11-20", "seed": "s", "seats": seats}
    )
    orders = tmp_path / "games/game/001-spring-1901-movement/orders"
    orders.mkdir()
    (orders / "austria.yaml").write_text("orders: [A Vienna H]\n")
    git(tmp_path, "init", "--quiet", "-b", "main")
    assert intake_receipts(tmp_path) is None, "no commit"
    git(tmp_path, "add", "games/game/game.yaml")
    git(tmp_path, "commit", "--quiet", "-m", "opened")
    assert intake_receipts(tmp_path) is None, "intake has taken in nothing"
    path = "games/game/001-spring-1901-movement/orders/austria.yaml"
    digest = hashlib.sha256((orders / "austria.yaml").read_bytes()).hexdigest()
    git(tmp_path, "add", path)
    git(
        tmp_path,
        "commit",
        "--quiet",
        "-m",
        f"Sheet\n\nCourtly-File: {path}\nCourtly-SHA256: {digest}\nCourtly-Account: 1\n",
    )
    (orders / "austria.2.yaml").write_text("orders: [A Vienna - Galicia]\n")
    git(tmp_path, "add", "games")
    git(tmp_path, "commit", "--quiet", "-m", "by hand")
    assert intake_receipts(tmp_path) == {(path, digest): ""}
    with archive.writing():
        list(run_game(archive, "game", now=True, at="2026-11-20T00:00Z"))
    for taken, said in ((intake_receipts(tmp_path), 1), (None, 0)):
        story = load_story(archive, "game", taken)
        assert story is not None
        page = str(turn_page(story, 0, "", "../"))
        assert page.count("austria.2.yaml was not taken in by intake: somebody with push access added it") == said
        assert page.count("not taken in by intake") == said
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{tmp_path}", str(tmp_path / "shallow"))
    assert intake_receipts(tmp_path / "shallow") is None
