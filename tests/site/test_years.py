"""Archives that outgrow one page, and one site: games by the year when they ended."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from markupsafe import Markup

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.text.problems import Problems
from adjudicator.site import years
from adjudicator.site.home import Card
from adjudicator.site.mkdocs.build import build, build_parts
from adjudicator.site.mkdocs.search import GAMES, bounded
from adjudicator.site.years import shown_of, year_of
from tests.ci.fake import git
from tests.conftest import first_of
from tests.site.conftest import empty_site
from tests.site.test_again import commit, files_of
from tests.site.test_story import story_of

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("plain_books")]

MAIN = "https://anna.github.io/our-games/"
SITE = "https://anna.github.io/games-2025/"
LINK = re.compile(r'(?:href|src)="([^"#?]*)[^"]*"')


def card(number: int, state: str = "finished") -> Card:
    time = f"{2020 + number % 3}-01-01T00:00:{number:04d}Z"
    slug = f"g{number:04d}"
    return Card(Markup(), slug, time, state, ("diplomacy", "Diplomacy"), 7, slug, "", "", 0, (480, 300), ())


def test_the_home_page_lists_running_games_and_the_latest_finished_ones() -> None:
    few = [card(number) for number in range(years.MOST)]
    assert not shown_of(few).years
    assert {one.slug for one in shown_of(few).cards} == {one.slug for one in few}
    many = [card(number) for number in range(years.MOST * 2)]
    running = [card(number, "running") for number in range(9000, 9200)]
    shown = shown_of([*many, *running])
    assert len(shown.cards) == years.MOST + len(running)
    assert {one.slug for one in running} < {one.slug for one in shown.cards}
    over = sorted(many, key=lambda one: one.time, reverse=True)
    assert {one.slug for one in over[: years.MOST]} < {one.slug for one in shown.cards}
    assert [*shown.years] == ["2020", "2021", "2022"]
    assert sorted(one.slug for them in shown.years.values() for one in them) == sorted(one.slug for one in many)
    assert shown == shown_of(reversed([*many, *running])), "whatever order they come in"


def test_the_search_has_every_game_but_details_only_for_the_latest() -> None:
    entries = [{"location": str(number), "title": "t", "text": "x"} for number in range(GAMES + 5)]
    found = list(bounded(entries))
    assert [one["location"] for one in found] == [one["location"] for one in entries]
    assert [bool(one["text"]) for one in found] == [True] * GAMES + [False] * 5


def test_the_year_of_a_game_is_the_one_on_its_card(root: Path) -> None:
    archive = Archive(root)
    found = {}
    for slug in archive.slugs():
        story = story_of(root, slug)
        found[slug] = year_of(archive, slug)
        assert found[slug] == (None if story.state == "running" else story.atom_time(story.last)[:4])
    assert {*found.values()} > {None, "2026"}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Two games of 2025 and two of 2026, with a site for those of 2025."""
    folder = tmp_path / "archive"
    folder.mkdir()
    empty_site(folder, ("austria-alone", "france-by-one", "archive.yaml"))
    path = folder / "mkdocs.yml"
    said = path.read_text("utf-8").replace("  - courtly\n", "  - courtly: {pictures: false}\n")
    assert "pictures: false" in said, "pictures for links take most of the time, and other tests are about them"
    path.write_text(f"{said}\nsite_url: {MAIN}\n", "utf-8")
    for slug in ("austria-alone", "france-by-one"):
        old = folder / "games" / f"old-{slug}"
        shutil.copytree(folder / "games" / slug, old)
        for path in old.rglob("turn.yaml"):
            path.write_text(path.read_text("utf-8").replace(f"game: {slug}\n", f"game: old-{slug}\n"), "utf-8")
        for year, game in (("2026", folder / "games" / slug), ("2025", old)):
            about = (game / "game.yaml").read_text("utf-8")
            text = re.sub(r"^opened: .*$", f"opened: {year}-03-04", about, flags=re.MULTILINE)
            (game / "game.yaml").write_text(text, "utf-8")
            assert not any(b"\nclosed:" in path.read_bytes() for path in game.rglob("turn.yaml"))
    (folder / ".gitignore").write_text("public/\npublic-*/\n")
    charter = folder / "games/archive.yaml"
    charter.write_text(charter.read_text("utf-8") + f"years:\n  2025: {SITE}\n", "utf-8")
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    return folder


def dead_links(site: Path) -> list[str]:
    """Links from pages of games and lists to missing files of the site."""
    return [
        f"{page.relative_to(site)}: {address}"
        for page in (*site.glob("*.html"), *site.glob("games/*/*.html"), *site.glob("games/*/*/*.html"))
        for address in LINK.findall(page.read_text("utf-8"))
        if address and not re.match(r"[a-z]+:|//|/", address) and not (page.parent / address).exists()
    ]


def test_a_year_with_its_own_site_is_built_separately_and_the_sites_link_to_each_other(
    archive: Path, tmp_path: Path
) -> None:
    done = CliRunner().invoke(main, ["-C", str(archive), "--json", "site", "--shard", "year"])
    assert done.exit_code == 0, done.output
    said = [json.loads(line) for line in done.output.splitlines()]
    assert [(one.get("year"), Path(one["index"])) for one in said] == [
        (None, archive / "public/index.html"),
        ("2025", archive / "public-2025/index.html"),
    ]
    here, there = archive / "public", archive / "public-2025"
    assert {path.name for path in here.glob("games/*") if path.is_dir()} == {"austria-alone", "france-by-one"}
    assert {path.name for path in there.glob("games/*") if path.is_dir()} == {"old-austria-alone", "old-france-by-one"}
    home, old = ((site / "index.html").read_text("utf-8") for site in (here, there))
    assert f'href="{SITE}"' in home
    assert "Games of 2025" in home
    assert f'<a href="{MAIN}">Games that are running now</a>' in old
    assert SITE not in old.partition('id="more-games"')[2]
    assert "old-austria-alone" not in home
    assert dead_links(here) == []
    assert dead_links(there) == []
    for page in ("404.html", "index.html", "play.html", "sitemap-pages.xml"):
        text = (there / page).read_text("utf-8")
        assert "/our-games/" not in text.replace(f'<a href="{MAIN}">', ""), page
    assert "/games-2025/assets/" in (there / "404.html").read_text("utf-8")
    address = f"{SITE}games/old-austria-alone/index.html"
    assert address in (there / "games/old-austria-alone/index.html").read_text("utf-8")
    assert address in (there / "games/old-austria-alone/sitemap.xml").read_text("utf-8")
    warm = {site: files_of(site) for site in (here, there)}
    assert build_parts(archive).keys() == {None, "2025"}
    shutil.copytree(
        archive, tmp_path / "cold", ignore=shutil.ignore_patterns("public*", "site*.json", "site", "site-*")
    )
    build_parts(tmp_path / "cold")
    for site, before in warm.items():
        assert files_of(site) == before
        assert files_of(tmp_path / "cold" / site.name) == before
    checked = CliRunner().invoke(main, ["-C", str(archive), "check"])
    assert checked.exit_code == 0, checked.output
    # Without --shard everything is in one site, as before; it links to the other one too.
    build(archive)
    assert len([path for path in here.glob("games/*") if path.is_dir()]) == 4


@pytest.mark.long
def test_a_year_moved_to_its_own_repository_still_links_to_the_main_site(archive: Path) -> None:
    """The games' folders are moved unchanged, and archive.yaml with them; the site there knows the main one."""
    other = archive.with_name("games-2025")
    shutil.copytree(
        archive, other, ignore=shutil.ignore_patterns(".git", ".courtly", "public*", "austria-alone", "france-by-one")
    )
    for slug in ("old-austria-alone", "old-france-by-one"):
        shutil.rmtree(archive / "games" / slug)
    charter = other / "games/archive.yaml"
    charter.write_text(charter.read_text("utf-8") + f"main: {MAIN}\n", "utf-8")
    build(other)
    build(archive)
    assert f'href="{MAIN}"' in (other / "public/index.html").read_text("utf-8")
    assert f'href="{SITE}"' in (archive / "public/index.html").read_text("utf-8")
    assert {path.name for path in other.glob("public/games/*") if path.is_dir()} == {
        "old-austria-alone",
        "old-france-by-one",
    }


def test_a_year_of_many_games_has_its_pages_on_its_own_site(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(years, "MOST", 1)
    build_parts(archive)
    old = (archive / "public-2025/index.html").read_text("utf-8")
    assert 'href="games-2025.html"' in old
    assert (archive / "public-2025/games-2025.html").exists()
    for slug in ("old-austria-alone", "old-france-by-one"):
        shutil.rmtree(archive / "games" / slug)
    build_parts(archive)
    assert not [path for path in (archive / "public-2025/games").iterdir() if path.is_dir()], "its last game is gone"


@pytest.mark.parametrize("said", ['kind: "record"', "kind:  record", '"kind": record'])
def test_a_record_is_recognised_however_it_is_written(root: Path, tmp_path: Path, said: str) -> None:
    shutil.copytree(root / "games/fall-1085", tmp_path / "games/fall-1085")
    path = tmp_path / "games/fall-1085/game.yaml"
    text = "# " + "x" * 100 + "\n"
    path.write_text(text * 60 + path.read_text("utf-8").replace("kind: record", said), "utf-8")
    story = story_of(tmp_path, "fall-1085")
    assert story.record
    assert year_of(Archive(tmp_path), "fall-1085") == story.atom_time(story.last)[:4]


def test_the_page_of_a_year_comes_and_goes_with_its_games(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(years, "MOST", 1)
    build(archive)
    site = archive / "public"
    home = (site / "index.html").read_text("utf-8")
    assert home.count('class="courtly-card"') == 1
    assert 'href="games-2026.html"' in home
    assert 'href="games-2025.html"' in home, "they are here too, where the site was not built apart"
    assert f'href="{SITE}"' in home
    page = (site / "games-2026.html").read_text("utf-8")
    assert page.count('class="courtly-card"') == 2
    assert "games-2026.html" in (site / "sitemap-pages.xml").read_text("utf-8")
    assert "games-2026.html" in (site / "search/games.json").read_text("utf-8")
    assert dead_links(site) == []
    monkeypatch.setattr(years, "MOST", 120)
    (archive / "games/austria-alone/game.yaml").write_text(
        (archive / "games/austria-alone/game.yaml").read_text() + "# x\n"
    )
    build(archive)
    assert not list(site.glob("games-*.html"))


@pytest.mark.parametrize(
    ("line", "said"),
    first_of(
        [
            ("years:\n  2025: games-2025\n", "'games-2025' is not the address of a site"),
            ("years:\n  soon: https://a.example/\n", "'soon' is not a year"),
            ("main: ./there\n", "'./there' is not the address of a site"),
        ],
        1,
    ),
)
def test_faulty_years_and_addresses_are_reported(archive: Path, line: str, said: str) -> None:
    charter = archive / "games/archive.yaml"
    kept = charter.read_text("utf-8").partition("years:")[0]
    charter.write_text(kept + line, "utf-8")
    with pytest.raises(Problems, match=re.escape(said)):
        build_parts(archive)
