"""The package's pages and scripts: every site has them; a group can replace a page, but not the desk."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from playwright.sync_api import Browser, expect

from adjudicator.cli import main
from adjudicator.core.game.forges import DEFAULT
from adjudicator.core.text.problems import Problems
from adjudicator.site.init import init
from adjudicator.site.mkdocs.build import build, build_parts
from adjudicator.site.mkdocs.slim import bare
from adjudicator.site.shipped import DIGESTS, TOLD, as_published, copies, digest, executed, listed, shipped, template
from tests.conftest import ORIGIN, ROOT, made_once
from tests.site.conftest import opened, serious, served

SCRIPTS = sorted(path.relative_to(ROOT / "site_src").as_posix() for path in (ROOT / "site_src").rglob("*.js"))


@pytest.fixture
def group(tmp_path: Path) -> Path:
    """A group's repository, as `init` makes it."""
    root = tmp_path / "ours"
    init(root, "Our games", "anna/ours", ORIGIN)
    return root


def courtly(*words: str) -> Result:
    return CliRunner().invoke(main, [*words], catch_exceptions=False)


def test_everything_executable_is_found_in_the_folder() -> None:
    assert sorted(executed()) == sorted(
        ["again.html", "desk.html", "dice-check.html", "embed.html", "judge.html", "sandbox.html", *SCRIPTS]
    )
    assert len(SCRIPTS) > 50
    text = (ROOT / "site_src/desk.html").read_text()
    named = set(re.findall(r'(?:src|href)="(assets/[^"]+\.js)"', text))
    assert named <= {*executed()}, "the desk loads no script that the digest does not hold"


def test_anybody_can_make_the_list_behind_the_digest() -> None:
    """RT-7."""
    lines = listed().splitlines()
    assert lines == sorted(lines, key=lambda line: line.partition("  ")[2])
    for line in lines:
        hashed, _, name = line.partition("  ")
        assert hashlib.sha256((ROOT / "site_src" / name).read_bytes()).hexdigest() == hashed
    assert digest() == hashlib.sha256(listed().encode()).hexdigest()
    changed = {name for name in executed() if as_published(name) != executed()[name]}
    assert changed == {"desk.html"}
    assert as_published("desk.html").count(digest().encode()) == 1
    assert as_published("desk.html").replace(digest().encode(), b"0" * 64) == executed()["desk.html"]


@pytest.fixture(scope="module")
def site_of_a_group(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a group that replaces one of the package's pages; built once."""

    def make(place: Path) -> None:
        init(place, "Our games", "anna/ours", ORIGIN)
        (place / "site_src/host.md").write_text("# Our own page\n\nAsk anna.\n")
        (place / "site_src/assets").mkdir()
        (place / "site_src/assets/theme.js").write_bytes((ROOT / "site_src/assets/theme.js").read_bytes())
        build(place)

    return made_once(tmp_path_factory, "site-of-a-group", make) / "public"


@pytest.mark.slow
def test_the_site_has_files_that_the_repository_lacks(site_of_a_group: Path) -> None:
    """RT-7, H3-13. The replaced page is the group's; everything else comes from the package; MkDocs, which is strict, warns of nothing."""
    root = site_of_a_group.parent
    assert sorted(path.name for path in (root / "site_src").iterdir()) == ["assets", "host.md", "index.md"]
    for name in shipped():
        address = re.sub(r"\.md$", ".html", name)
        assert (site_of_a_group / address).is_file(), name
        if not name.endswith(".md"):
            there = as_published(name) if name in executed() else shipped()[name].read_bytes()
            if name.endswith(".css"):  # published without its comments
                there = bare(there.decode()).encode()
            assert (site_of_a_group / address).read_bytes() == there, name
    assert "Ask anna." in (site_of_a_group / "host.html").read_text()
    assert "host.html" in (site_of_a_group / "play.html").read_text()
    for page in ("rulesets.html", "speed.html", "maps.html", "assets/desk/types.d.ts"):
        assert not (site_of_a_group / page).exists()
    shown = re.findall(r'<code class="digest">([0-9a-f]{64})</code>', (site_of_a_group / "desk.html").read_text())
    assert shown == [digest()]
    assert hashlib.sha256((site_of_a_group / DIGESTS).read_bytes()).hexdigest() == digest()


@pytest.mark.slow
def test_a_published_desk_can_be_compared(site_of_a_group: Path, tmp_path: Path) -> None:
    """RT-7: in a folder, and at an address; each file that differs, is missing, or is not in the package is named."""
    place = tmp_path / "public"
    for name in executed():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes((site_of_a_group / name).read_bytes())
    with served(place) as address:
        for where in (str(place), address, address.rstrip("/")):
            done = courtly("doctor", "--site", where)
            assert (done.exit_code, done.stdout) == (
                0,
                f"fine   the order desk of {where} is this package's: {digest()}\n",
            )
        (place / "assets/desk/seal.js").write_bytes(executed()["assets/desk/seal.js"] + b"// evil\n")
        page = place / "desk.html"
        page.write_text(page.read_text().replace("connect-src 'self'", "connect-src *"))
        (place / "dice-check.html").unlink()
        for where, more in ((str(place), ["assets/desk/more.js does not belong to the package"]), (address, [])):
            if more:
                (place / "assets/desk/more.js").write_text("1\n")
            done = courtly("--json", "doctor", "--site", where)
            said = json.loads(done.stdout)
            assert (done.exit_code, said["desk"]) == (1, digest())
            named = [
                "assets/desk/seal.js is not this package's",
                "desk.html is not this package's",
                "dice-check.html is missing",
            ]
            *lines, last = [one["what"] for one in said["findings"]]
            assert lines == [f"{where}: {line}" for line in [*named, *more]]
            assert last.startswith(f"the order desk of {where} is not {digest()}; ")
            assert not any(one["ok"] for one in said["findings"])
    done = courtly("doctor", "--site", address)
    assert done.exit_code == 1
    assert f"error: {address}: no answer came for again.html: " in done.stderr
    done = courtly("doctor", "--site", str(tmp_path))
    assert (done.exit_code, done.stderr.partition(";")[0]) == (
        1,
        f"error: {tmp_path}: there is no site with an order desk here",
    )


@pytest.mark.slow
def test_the_page_says_how_to_compare_without_courtly(site_of_a_group: Path, tmp_path: Path) -> None:
    """RT-7: the lines on the page give the digest of the served files; and it shows the package's."""
    text = (ROOT / "site_src/trust.md").read_text()
    (block,) = [part for part in re.findall(r"```console\n(.*?)```", text, re.DOTALL) if "desk.sha256" in part]
    lines = [line[2:] for line in block.splitlines()]
    place = tmp_path / "public"
    shutil.copytree(site_of_a_group, place, ignore=shutil.ignore_patterns("rulesets", "games", "schema", "lessons"))
    with served(place) as address:
        script = "\n".join([f"SITE={address.rstrip('/')}", *lines[1:]])

        def told() -> str:
            done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
            return done.stdout.split()[0]

        assert told() == digest()
        with (place / "assets/desk/seal.js").open("a") as file:
            file.write("evil()\n")
        assert told() != digest()
    assert f"<code>{digest()}</code>" in (site_of_a_group / "trust.html").read_text()
    assert TOLD not in (site_of_a_group / "trust.html").read_text()


FOOT = "#itself"


@pytest.mark.slow
@pytest.mark.parametrize("forge", [DEFAULT, "https://git.example.org/api/v1"])
def test_the_desk_shows_the_digest_of_its_files(
    browser: Browser, site_of_a_group: Path, tmp_path: Path, forge: str
) -> None:
    """RT-7. By its own files; and it names those that do not fit, as when half of an update has arrived."""
    place = tmp_path / "public"
    shutil.copytree(site_of_a_group, place, ignore=shutil.ignore_patterns("rulesets", "schema", "search"))
    (place / "desk.html").write_bytes(as_published("desk.html", forge))
    with served(place) as address:
        with opened(browser, java_script_enabled=False) as page:
            page.goto(f"{address}desk.html")
            expect(page.locator(FOOT)).to_have_text(f"This desk is {digest()}: compare it.")
        with opened(browser, width=390) as page:
            page.goto(f"{address}desk.html")
            page.locator(FOOT).scroll_into_view_if_needed()
            said = "by its files in this browser. That is its own claim: compare it from outside."
            expect(page.locator(FOOT)).to_have_text(f"This desk is {digest()[:16]}, {said}")
            expect(page.locator(f"{FOOT} code")).to_have_attribute("title", digest())
            expect(page.locator(f"{FOOT} a")).to_have_attribute("href", "trust.html#the-order-desk")
            assert serious(page, within="footer") == []
        for name in ("seal.js", "words.js", "text.js", "ways.js"):
            with (place / "assets/desk" / name).open("a") as file:
                file.write("// another\n")
        with opened(browser) as page:
            page.goto(f"{address}desk.html")
            page.locator(FOOT).scroll_into_view_if_needed()
            foot = page.locator(f"{FOOT}.bad")
            expect(foot).to_contain_text(
                f"This desk says that it is {digest()[:16]}, but its files in this browser give "
            )
            expect(foot).to_contain_text(
                "Not as listed: assets/desk/seal.js, assets/desk/text.js, assets/desk/ways.js and 1 more."
            )
            expect(foot).to_contain_text("type no key and no passphrase, and compare it from outside.")
            assert serious(page, within="footer") == []
        (place / DIGESTS).unlink()
        context = browser.new_context()
        page = context.new_page()
        with page.expect_response(f"**/{DIGESTS}"):  # it may ask before the foot is looked for
            page.goto(f"{address}desk.html")
            page.locator(FOOT).scroll_into_view_if_needed()
        expect(page.locator(FOOT)).to_have_text(f"This desk is {digest()}: compare it.")
        context.close()


def test_the_doctor_shows_the_digest(group: Path) -> None:
    done = courtly("-C", str(group), "doctor")
    assert f"fine   the digest of this package's order desk is {digest()}\n" in done.stdout
    assert json.loads(courtly("-C", str(group), "--json", "doctor").stdout)["desk"] == digest()


def copied(root: Path) -> None:
    """Puts a whole copy of the desk into an archive, as an older courtly did."""
    for name, body in executed().items():
        (root / "site_src" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "site_src" / name).write_bytes(body)


def remarks(root: Path) -> list[str]:
    """Remarks of `verify` beside the games, and those of `doctor`: both must name the same files."""
    done = courtly("-C", str(root), "verify")
    assert done.exit_code == 0, "no game is judged otherwise by what lies in the site's folder"
    said = [line.removeprefix("warning: ") for line in done.stderr.splitlines()]
    data = json.loads(courtly("-C", str(root), "--json", "verify").stdout)["notes"]
    assert [f"{one['path']}: {one['what']}; {one['right']}" for one in data] == said
    doctor = json.loads(courtly("-C", str(root), "--json", "doctor").stdout)["findings"]
    assert [one["what"] for one in doctor if one["what"].startswith("site_src")] == said
    assert [one["what"] for one in doctor if one["what"].startswith("site_src") and one["ok"]] == [
        line for line in said if " lacks " in line
    ]
    return said


OTHER = "this is not the file of the order desk that comes with this courtly"
NEW = "no file with this name comes with this courtly, but it is where the order desk belongs"
ADDED = "the package's own is added when the site is built, and any other file stops the build"


def test_a_copy_of_the_desk_in_an_archive_is_compared(group: Path) -> None:
    """RT-7. Each file that differs or was added is named, with the remedy; without a copy, or with an identical one, the command is silent."""
    assert remarks(group) == []
    copied(group)
    (group / "site_src/assets/desk/types.d.ts").write_text("// ours\n")
    assert remarks(group) == []
    with (group / "site_src/desk.html").open("ab") as page:
        page.write(b"<!-- -->")
    (group / "site_src/assets/desk/seal.js").write_text("")
    (group / "site_src/assets/desk/more/x.js").parent.mkdir()
    (group / "site_src/assets/desk/more/x.js").write_text("evil()\n")
    said = {"assets/desk/more/x.js": NEW, "assets/desk/seal.js": OTHER, "desk.html": OTHER}
    lines = [f"site_src/{name}: {what}; git rm site_src/{name}: {ADDED}" for name, what in said.items()]
    assert remarks(group) == lines
    gone = sorted(name for name in executed() if name.startswith("assets/desk/"))[:4]
    for name in gone:
        (group / "site_src" / name).unlink()
    *same, last = remarks(group)
    assert same == lines
    assert last.startswith(
        f"site_src: this copy of the order desk lacks {', '.join(gone[:3])} and 1 more; they are added "
    )
    shutil.rmtree(group / "site_src/assets")
    assert remarks(group) == lines[2:], "one file that somebody kept is no copy that lacks the others"


def test_the_target_of_a_link_is_not_the_archives_copy(group: Path, tmp_path: Path) -> None:
    """As RT-3: it is named, even if its target is identical today."""
    copied(group)
    (tmp_path / "seal.js").write_bytes(executed()["assets/desk/seal.js"])
    (group / "site_src/assets/desk/seal.js").unlink()
    (group / "site_src/assets/desk/seal.js").symlink_to(tmp_path / "seal.js")
    (group / "site_src/assets/theme.js").unlink()
    (group / "site_src/assets/theme.js").symlink_to(tmp_path / "nowhere")
    assert [line.partition(": ")[0] for line in remarks(group)] == [
        "site_src/assets/desk/seal.js", "site_src/assets/theme.js",
    ]  # fmt: skip
    (group / "site_src/assets").rename(tmp_path / "assets")
    (group / "site_src/assets").symlink_to(tmp_path / "assets")
    scripts = [name for name in executed() if name.startswith("assets/")]
    assert len(remarks(group)) == len(scripts)


def test_the_projects_own_desk_is_not_a_copy() -> None:
    assert copies(ROOT) == []


WAY = "would be published as {address}, where the package's own belongs: players' keys and orders pass through it; remove it"


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("desk.html", "desk.html"), ("desk.md", "desk.html"), ("dice-check.html", "dice-check.html"),
        ("assets/desk/seal.js", "assets/desk/seal.js"), ("assets/desk/more.js", "assets/desk/more.js"),
        ("assets/desk/keys.json", "assets/desk/keys.json"), ("assets/age-encryption.js", "assets/age-encryption.js"),
        ("assets/theme.js", "assets/theme.js"), ("assets/courtly.js", "assets/courtly.js"),
    ],
)  # fmt: skip
@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
def test_no_other_file_may_be_where_the_desk_belongs(group: Path, name: str, address: str) -> None:
    """RT-7. Anybody with push rights could have changed one line of the desk, and read every sealed sheet."""
    path = group / "site_src" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Mine\n")
    with pytest.raises(Problems) as caught:
        build(group)
    (problem,) = caught.value.problems
    assert (problem.path, problem.what) == (f"site_src/{name}", WAY.format(address=address).partition(";")[0])
    assert not (group / "public").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
def test_a_custom_theme_brings_no_other_desk(group: Path) -> None:
    """RT-7: nor does `exclude_docs` remove it."""
    (group / "over/assets/desk").mkdir(parents=True)
    (group / "over/assets/desk/seal.js").write_text("evil()\n")
    config = group / "mkdocs.yml"
    config.write_text(config.read_text().replace("  name: material\n", "  name: material\n  custom_dir: over\n"))
    with pytest.raises(Problems, match=r"over/assets/desk/seal.js: would be published as assets/desk/seal.js"):
        build(group)
    (group / "over/assets/desk/seal.js").unlink()
    config.write_text(config.read_text().replace('exclude_docs: "*.d.ts"', 'exclude_docs: "*.js"'))
    build(group)
    assert courtly("doctor", "--site", str(group / "public")).exit_code == 0


HOOK = """
from pathlib import Path

def on_post_build(config):
    path = Path(config.site_dir, "assets/desk/seal.js")
    path.write_text(path.read_text() + "evil()")
"""


@pytest.mark.slow
@pytest.mark.usefixtures("plain_books")
def test_a_program_that_changes_the_desk_is_noticed(group: Path) -> None:
    """RT-7: by the build itself. Anybody with push rights can also remove the build; only a comparison detects that."""
    (group / "hook.py").write_text(HOOK)
    config = group / "mkdocs.yml"
    config.write_text(config.read_text() + "hooks: [hook.py]\n")
    with pytest.raises(Problems) as caught:
        build(group)
    (problem,) = caught.value.problems
    assert (problem.path, problem.what) == (f"{group}/public", "assets/desk/seal.js is not this package's")
    assert "look at `hooks:` and `plugins:` in mkdocs.yml" in problem.right
    assert courtly("doctor", "--site", str(group / "public")).exit_code == 1


@pytest.mark.slow
def test_an_update_of_the_package_rebuilds_the_pages(group: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though nothing in the repository changed: the pages are in the package."""
    from adjudicator.site.mkdocs import build as building

    first = building.settings_of(group).key
    assert building.settings_of(group).key == first
    copy = group.parent / "package"
    shutil.copytree(template() / "site_src", copy / "site_src")
    shutil.copy(template() / "SECURITY.md", copy)
    monkeypatch.setattr("adjudicator.site.mkdocs.build.template", lambda: copy)
    assert building.settings_of(group).key == first
    with (copy / "site_src/play.md").open("a") as page:
        page.write("\nOne line more.\n")
    assert building.settings_of(group).key != first


@pytest.mark.slow
def test_the_progress_of_a_build_is_shown(group: Path) -> None:
    """H3-13: 20 games took 19 seconds without any output."""
    for name in ("a", "b"):
        assert courtly("-C", str(group), "new", name, "--opened", "2026-11-20").exit_code == 0
    seen: list[tuple[str, list[str]]] = []

    def watch(items: Iterable[str], what: str) -> Iterator[str]:
        names = [*items]
        seen.append((what, names))
        yield from names

    build_parts(group, watch=watch)
    assert [what for what, _ in seen] == ["Pages around the games", "Games"]
    assert seen[1][1] == ["a", "b"]
