"""The size of the site: each map once, and no more in memory than one game."""

from __future__ import annotations

import gc
import json
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from adjudicator.core.game.archive import Archive
from adjudicator.site.game import END, shown_first
from adjudicator.site.game_files import GameFiles, files_of
from adjudicator.site.mkdocs.build import build
from adjudicator.site.mkdocs.written import Kept, Newest, Written
from adjudicator.site.replay import VARIABLE, Packed, unpack
from adjudicator.site.story import Story
from adjudicator.site.turn import map_of
from tests.conftest import first_of
from tests.site.conftest import empty_site, opened, until
from tests.site.test_story import story_of


@pytest.mark.long
@pytest.mark.slow
def test_a_games_replay_restores_the_map_of_every_turn(root: Path, site: Path) -> None:
    """FR-10. To the byte, from a file that is little more than a third of their size if there are many."""
    for slug in Archive(root).slugs():
        story = story_of(root, slug)
        script = (site / f"games/{slug}/replay.js").read_text(encoding="utf-8")
        data = json.loads(script.removeprefix(f"globalThis.{VARIABLE}=").removesuffix(";\n"))
        maps = {turn.name: map_of(story, turn).svg for turn in story.turns}
        if story.ending:
            maps[END] = story.game.ruleset.pictures.picture(story.final, None).svg
        assert {name: unpack(data["pieces"], runs) for name, runs in data["maps"].items()} == maps
        shown = list(maps.values())[shown_first(story)]
        assert (site / f"games/{slug}/map.svg").read_text(encoding="utf-8") == shown
        if len(maps) > 20:
            assert len(script) < sum(map(len, maps.values())) * 0.35, slug
        for turn in story.turns:
            page = (site / f"games/{slug}/{turn.name}/index.html").read_text(encoding="utf-8")
            assert page.count(maps[turn.name].strip()) == 1, turn.name


def test_any_text_can_be_restored_from_its_pieces() -> None:
    """FR-10. Whatever the painter writes: it may be any text."""
    rolls = random.Random(7)
    parts = ["<g>", "</g>", "<a b='<", "x", "<![CDATA[ < ]]>", "\n", "<p/>", "</", "é", "<", ">", "<title>T</title>"]
    for _ in range(200):
        maps = {str(n): "".join(rolls.choices(parts, k=rolls.randrange(30))) for n in range(rolls.randrange(1, 6))}
        packed = Packed()
        for name, svg in maps.items():
            packed.add(name, svg)
        assert {name: unpack(packed.pieces, runs) for name, runs in packed.maps.items()} == maps
        for many in range(len(maps) + 1):  # resumed after any number of maps, it continues to an identical file
            resumed = Packed.resumed(packed.script(), list(maps)[:many])
            assert list(resumed.maps) == list(maps)[:many]
            for name in list(maps)[many:]:
                resumed.add(name, maps[name])
            assert resumed.script() == packed.script()
    with pytest.raises(LookupError):
        Packed.resumed(packed.script(), ["another"])


@pytest.mark.slow
def test_each_map_is_on_the_site_once_and_one_per_game_as_a_file(root: Path, site: Path) -> None:
    """FR-10. A running game's desk has another copy."""
    slugs = Archive(root).slugs()
    assert {path.relative_to(site / "games").as_posix() for path in site.glob("games/**/*.svg")} == {
        *(f"{slug}/map.svg" for slug in slugs),
        *(f"{slug}/desk.svg" for slug in slugs if story_of(root, slug).state == "running"),
    }
    home = (site / "index.html").read_text(encoding="utf-8")
    assert all(f'src="games/{slug}/map.svg"' in home for slug in slugs)


@pytest.mark.slow
def test_a_games_pages_are_written_before_the_next_game_is_read(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FR-10. Then they are forgotten, and so is the game."""
    slugs = ["france-by-one", "first-lessons", "austria-alone"]
    empty_site(tmp_path, slugs)
    seen: list[tuple[str, list[str], int]] = []
    add = Written.add

    def watch(self: Written, story: Story, files: GameFiles) -> tuple[Kept, Newest]:
        """Looks at the files that exist when a game's pages have been made."""
        pages = sorted(path.parent.name for path in self.site.glob("games/*/index.html"))
        gc.collect()
        seen.append((story.slug, pages, sum(isinstance(one, GameFiles | Story) for one in gc.get_objects())))
        return add(self, story, files)

    monkeypatch.setattr(Written, "add", watch)
    before = sum(isinstance(one, GameFiles | Story) for one in gc.get_objects())
    built = build(tmp_path, tmp_path / "public")
    first, second, third = sorted(slugs)
    assert [(*rest, alive - before) for *rest, alive in seen] == [
        (first, [], 2), (second, [first], 2), (third, [first, second], 2),
    ]  # fmt: skip
    cards = re.findall(r'<h3><a href="games/([a-z-]*)/', built.read_text(encoding="utf-8"))
    assert sorted(cards) == sorted(slugs)
    assert cards[0] == "first-lessons", "the one that runs"


@pytest.mark.slow
@pytest.mark.parametrize("disk", first_of([False, True], 1))
def test_the_replay_is_loaded_only_on_request(browser: Browser, address: str, site: Path, disk: bool) -> None:
    """FR-10. From a disk as well; at first paint there is only one map."""
    with opened(browser) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        page.goto(f"{site.as_uri() if disk else address.rstrip('/')}/games/austria-alone/index.html")
        expect(page.locator(".courtly-slider output")).to_have_text("The end (35 of 35)")
        page.wait_for_load_state()
        assert "map.svg" in asked
        assert "replay.js" not in asked
        names = [path.parent.name for path in sorted(site.glob("games/austria-alone/*/index.html"))]
        for at, name in list(enumerate(names))[::7]:
            page.get_by_role("slider", name="Turn shown").fill(str(at))
            drawn = page.locator("#replay .courtly-view > svg")
            until(
                page,
                "(at) => document.querySelector('#replay figcaption a').getAttribute('href').startsWith(at)",
                arg=name,
            )
            text = (site / f"games/austria-alone/{name}/index.html").read_text(encoding="utf-8")
            (title,) = re.findall(r'<svg class="cm[^>]*><title>([^<]*)<', text)
            expect(drawn.locator("> title")).to_have_text(title)
            inline = re.search(r'<svg class="cm.*?</svg>', text, re.DOTALL)
            assert inline is not None
            assert (
                drawn.locator("*").count()
                == len(re.findall(r"<[a-z]", re.sub(r"<!\[CDATA.*?\]\]>", "", inline[0]))) - 1
            )
        assert asked.count("replay.js") == 1
        page.get_by_role("slider", name="Turn shown").fill("34")
        expect(page.locator(".courtly-slider output")).to_have_text("The end (35 of 35)")


@pytest.mark.slow
@pytest.mark.parametrize("name", first_of(["023-fall-1906-movement/index.html", "index.html"], 1))
def test_a_board_can_be_downloaded_as_a_file(
    browser: Browser, address: str, root: Path, tmp_path: Path, name: str
) -> None:
    """FR-10. It is the archive's picture, without the page's highlights and zoom."""
    with opened(browser) as page:
        page.goto(f"{address}games/austria-alone/{name}")
        if name == "index.html":
            page.get_by_role("slider", name="Turn shown").fill("22")
            expect(page.locator("#replay svg > title").first).to_have_text("Fall 1906, movement")
        else:
            page.locator(".courtly-sheets li").first.click(position={"x": 3, "y": 3})
            page.locator(".courtly-view").press("+")
        with page.expect_download() as coming:
            page.get_by_role("link", name="Download this map").click()
        assert coming.value.suggested_filename == "austria-alone-023-fall-1906-movement.svg"
        coming.value.save_as(tmp_path / "map.svg")
        # Compared as a browser reads it: attributes in any order, character data in any notation.
        kept = (root / "games/over/austria-alone/023-fall-1906-movement/map.svg").read_text(encoding="utf-8")
        same = """
          ([one, two]) => {
            const read = (text) => new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
            const flat = (node) => node.nodeType !== 1 ? node.textContent
              : [node.namespaceURI, node.localName, [...node.attributes].map((a) => `${a.name}=${a.value}`).sort(), [...node.childNodes].map(flat)];
            return JSON.stringify(flat(read(one))) === JSON.stringify(flat(read(two)));
          }
        """
        assert page.evaluate(same, [kept.rstrip(), (tmp_path / "map.svg").read_text(encoding="utf-8").rstrip()])
    (tmp_path / "map.svg").unlink()


def test_the_published_board_of_a_game_is_the_one_shown_first(root: Path) -> None:
    """FR-10. The board that the page shows first is that file."""
    story = story_of(root, "first-lessons")
    files = files_of(story, None)
    assert files.others["games/first-lessons/map.svg"] == files.board.svg == map_of(story, story.turns[1]).svg
