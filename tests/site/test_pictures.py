"""Pictures for shared links."""

from __future__ import annotations

import io
import itertools
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from adjudicator.cli import main
from adjudicator.core.contract.ruleset import slugs
from adjudicator.core.contract.scene import drawing_of
from adjudicator.core.game.archive import Archive
from adjudicator.site import pictures
from adjudicator.site.mkdocs.build import build
from adjudicator.site.pictures import HEIGHT, LARGEST, NAME, WIDTH, SharedCard, broken, png, turn_card
from adjudicator.site.story import Story, load_story
from adjudicator.site.turn import map_of
from tests.ci.fake import git
from tests.site.conftest import empty_site

ADDRESS = "https://games.example/club/"
GAME = "first-lessons"
SVG = "{http://www.w3.org/2000/svg}"
BOARD = drawing_of('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="9" height="9"/></svg>\n')


@pytest.fixture(scope="module")
def stories(root: Path) -> dict[str, Story]:
    """Ruleset -> one of its games in the archive."""
    archive = Archive(root)
    found: dict[str, Story] = {}
    for slug in archive.slugs():
        story = load_story(archive, slug)
        if story is not None:
            found.setdefault(story.game.ruleset.about.slug, story)
    return found


@pytest.mark.parametrize("slug", slugs())
def test_a_turn_gives_the_same_small_picture_each_time(slug: str, stories: dict[str, Story]) -> None:
    story = stories[slug]
    turn = story.turns[len(story.turns) // 2]
    card = turn_card(story, turn, map_of(story, turn), "Our games")
    assert card.headline == story.headline(turn)
    drawn = png(card)
    assert drawn == png(card)
    assert len(drawn) <= LARGEST
    image = Image.open(io.BytesIO(drawn))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))


@pytest.mark.parametrize(
    ("above", "headline", "below"),
    [
        ("", "Short", "One"),
        (
            "A game with a name of great length and many words in it " * 3,
            "A headline that never ends " * 30,
            "Much " * 60,
        ),
        ("W" * 80, "W" * 200, "W" * 80),
        ("<&>", "</text><script>alert(1)</script>", "]]>&amp;"),
    ],
    ids=["short", "long", "one word", "markup"],
)
def test_the_words_of_a_card_are_above_each_other(above: str, headline: str, below: str) -> None:
    """No line covers another or leaves the card, whatever players call their games; markup is text."""
    root = ET.fromstring(SharedCard(above, headline, below, "Our games", BOARD).svg())
    texts = root.findall(f"{SVG}text")
    ends = [(float(text.get("y", "")), int(text.get("font-size", ""))) for text in texts]
    for (upper, _), (lower, size) in itertools.pairwise(ends):
        assert lower - upper >= size
    assert ends[-1][0] < HEIGHT
    assert not list(root.iter(f"{SVG}script"))
    assert texts[-1].text == "Our games"


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("aдЖ Wñ-"), max_size=80), st.sampled_from([120, 300, 900]), st.integers(1, 5))
def test_breaking_a_text_loses_no_letter(text: str, room: int, most: int) -> None:
    """The lines, one after the other, are the text; if it is too long, its beginning and an ellipsis."""
    lines = broken(text, 20, room, most)
    assert len(lines) <= most
    whole, said = "".join(text.split()), "".join("".join(lines).split())
    assert said == whole or (len(lines) == most and said.endswith("…") and whole.startswith(said[:-1]))


def test_a_cyrillic_word_is_not_broken_where_it_fits() -> None:
    assert broken("Австрия взяла Румынию", 58, 560, 6) == ("Австрия взяла", "Румынию")


def test_other_scripts_are_drawn_too() -> None:
    """With this machine's typefaces: a title must not be blank."""
    empty = png(SharedCard("", "", "", "", BOARD))
    assert png(SharedCard("", "ירושלים", "", "", BOARD)) != empty


@pytest.fixture(scope="module")
def published(root: Path, plain_books: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose address is known, with one game."""
    folder = empty_site(tmp_path_factory.mktemp("pictures"), [GAME])
    path = folder / "mkdocs.yml"
    path.write_text(path.read_text().replace("# site_url: https://example.org/", f"site_url: {ADDRESS}"))
    return build(folder, folder / "public").parent


@pytest.mark.slow
def test_every_page_of_a_published_site_has_a_picture(published: Path) -> None:
    """UX-12. Turns have their own, the game's other pages the game's, all other pages the site's."""
    used = set()
    for path in published.rglob("*.html"):
        page = path.relative_to(published).as_posix()
        text = path.read_text(encoding="utf-8")
        named = re.findall(r'<meta property="og:image" content="([^"]*)">', text)
        if not named:  # the desk, and the page for unknown addresses
            assert "og:title" not in text, page
            continue
        (address,) = named
        file = address.removeprefix(ADDRESS)
        assert (published / file).is_file()
        own = page.rpartition("/")[0] if page.startswith("games/") else ""
        assert file == f"{own}/{NAME}".lstrip("/"), page
        assert 'name="twitter:card" content="summary_large_image"' in text
        used.add(file)
    drawn = {path.relative_to(published).as_posix() for path in published.rglob(NAME)}
    assert used == drawn
    turns = [path.name for path in (published / "games" / GAME).iterdir() if path.is_dir()]
    assert len(drawn) == 2 + len(turns) > 4


@pytest.mark.slow
def test_feeds_have_the_pictures_of_their_turns(published: Path) -> None:
    for feed in (published / "feed.xml", published / "games" / GAME / "feed.xml"):
        entries = ET.parse(feed).findall("{http://www.w3.org/2005/Atom}entry")
        assert entries
        for entry in entries:
            links = entry.findall("{http://www.w3.org/2005/Atom}link[@rel='enclosure']")
            (address,) = (link.get("href", "") for link in links)
            assert (published / address.removeprefix(ADDRESS)).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("why", ["no libraries", "no address", "not wanted"])
def test_without_pictures_pages_name_none(
    why: str, root: Path, plain_books: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is not installed, nobody knows the address that a picture would need, or the host does not want them."""
    folder = empty_site(tmp_path, [GAME])
    path = folder / "mkdocs.yml"
    text = f"{path.read_text()}# {why}\n"  # handbooks with the same settings are made once
    if why != "no address":
        text = text.replace("# site_url: https://example.org/", f"site_url: {ADDRESS}")
    if why == "no libraries":
        monkeypatch.setattr("adjudicator.site.mkdocs.plugin.can_draw", lambda: False)
        monkeypatch.setattr(pictures, "png", None)
    if why == "not wanted":
        assert text.count("  - courtly\n") == 1
        text = text.replace("  - courtly\n", "  - courtly: {pictures: false}\n")
    path.write_text(text)
    site = build(folder, folder / "public").parent
    assert not list(site.rglob(NAME))
    for page in [*site.rglob("*.html"), *site.rglob("feed.xml")]:
        text = page.read_text(encoding="utf-8")
        assert "og:image" not in text, page
        assert "enclosure" not in text, page
        assert "summary_large_image" not in text


@pytest.mark.slow
def test_pictures_of_earlier_turns_stay_and_none_is_missing_or_left_over(plain_books: None, tmp_path: Path) -> None:
    """A build after a new turn, and one after the site has lost its address, give the same files as a build of everything."""
    folder = tmp_path / "archive"
    folder.mkdir()
    empty_site(folder, ["first-lessons", "archive.yaml"])
    path = folder / "mkdocs.yml"
    named = path.read_text().replace("# site_url: https://example.org/", f"site_url: {ADDRESS}")
    path.write_text(named)

    def committed() -> None:
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "x")

    def files(site: Path, *, everything: bool = False) -> dict[str, bytes]:
        build(folder, site, everything=everything)
        return {one.relative_to(site).as_posix(): one.read_bytes() for one in site.rglob("*") if one.is_file()}

    git(folder, "init", "-q", "-b", "main")
    committed()
    site = tmp_path / "site"
    before = files(site)
    done = CliRunner().invoke(
        main, ["-C", str(folder), "play", "first-lessons", "--all", "--seed", "3", "--turns", "1"]
    )
    assert done.exit_code == 0, done.output
    committed()
    drawn = (site / "games/first-lessons/001-spring-1901-movement/card.png").stat().st_mtime_ns
    after = files(site)
    assert (site / "games/first-lessons/001-spring-1901-movement/card.png").stat().st_mtime_ns == drawn
    new = {name for name in after if name.endswith(NAME)} - set(before)
    assert new == {f"games/first-lessons/004-spring-1902-movement/{NAME}"}
    assert after == files(tmp_path / "whole", everything=True)
    path.write_text(named.replace(f"site_url: {ADDRESS}", "# no address"))
    committed()
    bare = files(site)
    assert not [name for name in bare if name.endswith(NAME)]
    assert bare == files(tmp_path / "bare", everything=True)
