"""`courtly init`: a group's own repository, made only from the package."""

from __future__ import annotations

import hashlib
import html
import os
import re
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from markupsafe import escape
from ruamel.yaml import YAML

from adjudicator.cli import main
from adjudicator.core.game.archive import Archive
from adjudicator.core.jobs.pin import INSTALL, Pin, pinned
from adjudicator.core.turn.load import load_charter
from adjudicator.site import init as beginning
from adjudicator.site.init import WORKFLOWS, lock_text, machinery, starters
from adjudicator.site.mkdocs.build import build
from adjudicator.site.shipped import shipped
from tests.conftest import ORIGIN, ROOT

TITLE = """A *court* <b> `x` &lt; a\\b "c" {: #d onclick=x } </title><script>alert(2)</script> # 'e' ${{ 7 }}"""


def init(root: Path, *args: str) -> Result:
    """Runs as from a folder, with a commit, unless the arguments name a source."""
    place = () if "--from" in args else ("--from", ORIGIN)
    return bare_init(root, *args, *place)


def bare_init(root: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["-C", str(root), "init", *args])


def files_in(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_line_for_the_browser_judge_stays(tmp_path: Path) -> None:
    """It belongs to the group: `courtly init` rewrites the rest of the file."""
    root = tmp_path / "ours"
    assert init(root, "--title", "Ours").exit_code == 0
    lock = root / ".github/courtly-site.txt"
    before = lock.read_text()
    line = f"./.github/courtly_engine-0.1.0-py3-none-any.whl \\\n    --hash=sha256:{'0' * 64}\n"
    lock.write_text("old\n" + line)
    assert init(root, "--title", "Ours").exit_code == 0
    assert lock.read_text() == before + line
    for other in ("courtly_engine==0.1.0 --hash=sha256:0\n", "Courtly-Engine @ file:x.whl --hash=sha256:0\n"):
        lock.write_text(other)
        assert init(root, "--title", "Ours").exit_code == 0
        assert lock.read_text() == before + other


def test_init_makes_a_repository_that_builds(tmp_path: Path) -> None:
    root = tmp_path / "ours"
    done = init(root, "--title", TITLE, "--repository", "anna/our-games")
    assert done.exit_code == 0, done.output
    charter = load_charter(Archive(root))
    assert charter is not None
    assert (charter.repository, charter.branch, len(charter.archive)) == ("anna/our-games", "main", 16)
    opened = CliRunner().invoke(
        main, ["-C", str(root), "new", "summer", "--seat", "Austria=Anna", "--opened", "2026-11-20"]
    )
    assert opened.exit_code == 0, opened.output
    page = build(root, tmp_path / "public").read_text()
    # FS-24: the title is text wherever the theme and the pages show it, and is nothing but text on any page.
    for rendered in (page, (tmp_path / "public/play.html").read_text()):
        assert f"{escape(TITLE)}</title>" in rendered
        assert "<script>alert" not in rendered
        assert "<b>" not in rendered
    (heading,) = re.findall(r"<h1[^>]*>([^<]*)<", page)
    assert html.unescape(heading) == TITLE
    assert YAML(typ="safe", pure=True).load((root / "mkdocs.yml").read_text())["site_name"] == TITLE
    assert "games/summer/index.html" in page
    text = (tmp_path / "public/sitemap.xml").read_text()
    assert "<loc>https://anna.github.io/our-games/games/summer/sitemap.xml</loc>" in text
    text = (tmp_path / "public/games/summer/sitemap.xml").read_text()
    assert "<loc>https://anna.github.io/our-games/games/summer/index.html</loc>" in text
    for name in ("desk.html", "dice-check.html", "group.html", "security.html", "assets/age-encryption.js"):
        assert (tmp_path / "public" / name).is_file(), name
    for name in WORKFLOWS:
        workflow = (root / ".github/workflows" / name).read_text()
        assert "-r .github/courtly.txt" in workflow
        assert len(workflow.splitlines()) <= 45
    assert pinned((root / ".github/courtly.txt").read_text()) == Pin(commit=ORIGIN[-40:])
    assert not (root / "games/first-lessons").exists()


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("x\ny", "a control character (U+000A); leave it out"),
        (
            "x\u202ey\u200b",
            "a character that changes the direction of text (U+202E RIGHT-TO-LEFT OVERRIDE); leave it out",
        ),
        ("x\u202ey\u200b", "a character that nobody sees (U+200B ZERO WIDTH SPACE); leave it out"),
        ("x\udcff", "half of a character (U+DCFF); leave it out"),
        (" ", "the title is empty; write what the site is called"),
        ("x" * 101, "the title has 101 characters; at most 100 are allowed"),
    ],
)
def test_an_unreadable_title_is_refused(tmp_path: Path, title: str, said: str) -> None:
    """FS-24: all its faults at once, and nothing is written."""
    done = init(tmp_path, "--title", title)
    assert done.exit_code == 1
    assert f"error: --title: {said}\n" in done.stderr
    assert list(tmp_path.iterdir()) == []


EVIL = "from pathlib import Path\nPath({marker!r}).touch()\n"


@pytest.mark.slow
def test_verify_runs_nothing_from_the_archive_that_it_checks(tmp_path: Path) -> None:
    """FS-23: neither a hook of mkdocs.yml, nor a package in courtly.txt, nor modules in the folder; `site` runs the hook."""
    root, marker = tmp_path / "theirs", tmp_path / "ran"
    assert init(root).exit_code == 0, "else nothing is looked at"
    for name in ("hook.py", "sitecustomize.py", "adjudicator/__init__.py", "adjudicator/__main__.py", "conftest.py"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(EVIL.format(marker=str(marker)))
    with (root / "mkdocs.yml").open("a") as file:
        file.write("hooks: [hook.py]\n")
    (root / ".github/courtly.txt").write_text(f"evil @ file://{root}\n")
    here = {
        **os.environ,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a",
    }
    for line in ("init --quiet", "add .", "commit --quiet -m theirs"):
        subprocess.run(["git", "-C", str(root), *line.split()], env=here, check=True)
    # As with the installed command, nothing is imported from the current folder (-P).
    courtly = [sys.executable, "-P", "-m", "adjudicator"]
    for command in (("verify",), ("verify", "--history"), ("check",), ("doctor",)):
        subprocess.run([*courtly, *command], cwd=root, env=here, capture_output=True, check=False)
        assert not marker.exists(), command
    # The hook runs before anything else: the rest of the site need not be built.
    with subprocess.Popen(
        [*courtly, "site"], cwd=root, env=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as site:
        while site.poll() is None and not marker.exists():
            time.sleep(0.05)
        site.kill()
    assert marker.exists(), "else the Trust page warns of nothing"
    for page in (root / "README.md", ROOT / "site_src/trust.md"):
        text = page.read_text()
        assert "mkdocs.yml" in text
        assert "courtly.txt" in text


@pytest.mark.long
@pytest.mark.slow
def test_the_commands_on_the_trust_page_work_as_written(tmp_path: Path, root: Path) -> None:
    """In a group's repository with one sealed and judged turn; all but installing, cloning, asking a site, and a hidden game’s news."""
    lines = re.findall(r"^\$ (.*)$", (root / "site_src/trust.md").read_text(), re.MULTILINE)
    left = (
        "python3 ",
        "git clone ",
        "git -C our-games pull ",
        "courtly doctor --site https://",
        "SITE=",
        "ZEROS=",
        "curl ",
    )
    typed = [line for line in lines if not line.startswith(left) and "my-key.txt" not in line]
    assert len(typed) == len(lines) - 10
    assert any("sha256sum" in line for line in typed)
    group, orders = tmp_path / "our-games", "games/summer/001-spring-1901-movement/orders"
    assert init(group).exit_code == 0
    (tmp_path / "austria.yaml").write_text(
        "orders: [A Vienna - Galicia, A Budapest - Serbia, F Trieste - Albania]\nfinal: true\n"
    )
    script = f"""
        courtly() {{ {sys.executable} -P -m adjudicator "$@"; }}
        courtly keygen --master -o master.txt
        export COURTLY_MASTER_FILE=$PWD/master.txt
        courtly -C our-games new summer --sealed
        git init -q our-games
        keep() {{ git -C our-games add . && git -C our-games commit -qm "$1"; }}
        keep opened
        courtly -C our-games seal austria.yaml --game summer
        keep sheet
        courtly -C our-games run --now
        keep judged
        unset COURTLY_MASTER_FILE
        echo ---
    """
    here = {
        **os.environ,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a",
    }
    done = subprocess.run(
        ["bash", "-ec", script + "\n".join(typed)], cwd=tmp_path, env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    said = done.stdout.partition("---\n")[2]
    assert said.count("1 game, 1 turn judged again") == 3
    assert "the same bytes" in said
    digest = hashlib.sha256((group / orders / "austria.yaml.age").read_bytes()).hexdigest()
    assert said.count(digest) == 2, "of the file, and in turn.yaml"
    assert "sheet:\n  orders: [A Vienna - Galicia" in said


def test_running_init_again_renews_only_what_belongs_to_the_package(tmp_path: Path) -> None:
    assert init(tmp_path, "--title", "One").exit_code == 0
    charter = (tmp_path / "games/archive.yaml").read_bytes()
    (tmp_path / "mkdocs.yml").write_text("site_name: Mine\n")
    (tmp_path / "README.md").write_text("Mine\n")
    (tmp_path / "site_src/play.md").write_text("Ours\n")
    workflow = tmp_path / ".github/workflows/pages.yml"
    workflow.write_text("old")
    again = init(tmp_path, "--verbose")
    assert (
        again.stdout
        == f"wrote .github/workflows/pages.yml\n1 file written. The workflows install commit {ORIGIN[-40:]}.\n"
    )
    assert (tmp_path / "mkdocs.yml").read_text() == "site_name: Mine\n"
    assert (tmp_path / "README.md").read_text() == "Mine\n"
    assert (tmp_path / "site_src/play.md").read_text() == "Ours\n"
    assert (tmp_path / "games/archive.yaml").read_bytes() == charter
    assert workflow.read_bytes() == machinery("x")[".github/workflows/pages.yml"]


def test_init_reports_what_it_did_in_one_line(tmp_path: Path) -> None:
    """H3-13. It wrote 84 lines; and about a title that it did not change it reported "0 files written"."""
    first = init(tmp_path)
    assert first.stdout.startswith("12 files written. The workflows install commit 0123")
    assert (first.stdout.count("\n"), first.stderr) == (1, "")
    assert init(tmp_path).stdout == "Nothing to write: everything is up to date.\n"
    assert init(tmp_path, "--title", "Our games").stdout == "Nothing to write: everything is up to date.\n"
    other = init(tmp_path, "--title", "A: b")
    left = "The title was not changed: it is in mkdocs.yml, which is yours. Edit `site_name:` there."
    assert other.stdout == f"Nothing to write: everything is up to date. {left}\n"
    for said in ("A: b", "'A: b'", '"A: b"'):
        (tmp_path / "mkdocs.yml").write_text(f"site_name: {said}\n")
        assert left not in init(tmp_path, "--title", "A: b").stdout, said


def test_a_groups_repository_is_small(tmp_path: Path) -> None:
    """RT-7, H3-13. 76 of 82 files were copies of pages and scripts, and every update was a commit of all of them."""
    assert init(tmp_path, "--repository", "anna/ours").exit_code == 0
    assert set(files_in(tmp_path)) == {
        "README.md", ".gitignore", ".gitattributes", "mkdocs.yml", "games/archive.yaml", "site_src/index.md",
        ".github/courtly.txt", ".github/courtly-site.txt", *(f".github/workflows/{name}" for name in WORKFLOWS),
    }  # fmt: skip
    assert len(files_in(tmp_path)) <= 15


def test_only_copies_that_an_older_courtly_made_are_removed(tmp_path: Path) -> None:
    """RT-7. Changed copies may belong to a group: they are named, and left."""
    assert init(tmp_path).exit_code == 0
    for name, path in shipped().items():
        (tmp_path / "site_src" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site_src" / name).write_bytes(path.read_bytes())
    (tmp_path / "site_src/host.md").write_text("Ours\n")
    (tmp_path / "site_src/assets/desk/seal.js").write_text("old\n")
    (tmp_path / "site_src/assets/own.css").write_text("p {}\n")
    (tmp_path / "site_src/speed.md").write_bytes((ROOT / "site_src/speed.md").read_bytes())
    done = init(tmp_path)
    assert done.stdout == f"{len(shipped()) - 2} files removed.\n"
    assert done.stderr == (
        "site_src/assets/desk/seal.js, site_src/host.md differ from those that come with courtly, and were left alone. Remove what you did not "
        "write yourself: git rm site_src/assets/desk/seal.js site_src/host.md\n"
    )
    left = {name for name in files_in(tmp_path) if name.startswith("site_src/")}
    assert left == {
        f"site_src/{name}" for name in ("index.md", "host.md", "speed.md", "assets/own.css", "assets/desk/seal.js")
    }
    assert beginning.take_out(ROOT) == ([], []), "the project's own pages are the package's source"


def test_nothing_behind_a_link_is_removed(tmp_path: Path) -> None:
    """As RT-3: a repository's link may lead to somebody's folder."""
    precious, ours = tmp_path / "precious", tmp_path / "ours"
    (precious / "assets").mkdir(parents=True)
    for name in ("play.md", "dice.md", "assets/theme.js"):
        (precious / name).write_bytes(shipped()[name].read_bytes())
    assert init(ours).exit_code == 0
    (ours / "site_src/assets").symlink_to(precious / "assets")
    (ours / "site_src/play.md").symlink_to(precious / "play.md")
    (ours / "site_src/dice.md").symlink_to(tmp_path / "nowhere")
    before = files_in(precious)
    done = init(ours)
    assert "site_src/assets/theme.js, site_src/dice.md, site_src/play.md differ from those" in done.stderr
    (ours / "site_src").rename(tmp_path / "old")
    (ours / "site_src").symlink_to(precious)
    (precious / "index.md").touch()
    init(ours)
    assert files_in(precious) == {**before, "index.md": b""}


def test_a_master_secret_is_not_published_by_the_next_push(tmp_path: Path) -> None:
    """FH-2. The file name that the page and `init` once proposed is where `git add .` finds it: git ignores it.

    Games, turns and sheets with that word in their names are added anyway.
    """
    root = tmp_path / "ours"
    done = init(root)
    assert done.output.endswith(
        "Next: `courtly init --github` puts it on GitHub. Without GitHub: `courtly keygen --master -o ../master.txt`, then "
        "`courtly new` (see the Host page).\n"
    )
    for name in (
        "master.txt", "keys/my-master", "games/master.txt", "games/.courtly-x", "games/x/.courtly-master",
        "games/grandmaster/game.yaml", "games/x/001-masters/turn.yaml", "games/x/001-a/orders/grand-master.yaml",
    ):  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "games"], capture_output=True, text=True, check=True)
    assert listed.stdout.split() == [
        "games/archive.yaml", "games/grandmaster/game.yaml", "games/x/001-a/orders/grand-master.yaml",
        "games/x/001-masters/turn.yaml",
    ]  # fmt: skip
    listed = subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True)
    assert not {"master.txt", "keys/my-master"} & set(listed.stdout.split())


def test_files_for_git_to_ignore_are_added_below_the_groups_own_lines(tmp_path: Path) -> None:
    """FH-2. A repository that existed before, or that an older courtly made, gets the line for the master secret too."""
    mine = "# mine\n/public/\n  *.txt  \n!keep.txt\n#__pycache__/\n\n!*master"
    (tmp_path / ".gitignore").write_text(mine)
    added = "*master*\n!/games/*master*/\n!/games/*/**/*master*\n.courtly.lock\n.courtly-*\n"
    assert "wrote .gitignore\n" in init(tmp_path, "--verbose").output
    assert (tmp_path / ".gitignore").read_text() == f"{mine}\n{added}"
    assert init(tmp_path).output == "Nothing to write: everything is up to date.\n"
    assert (tmp_path / ".gitignore").read_text() == f"{mine}\n{added}"


COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_the_package_is_installed_from_the_given_place_at_one_commit(tmp_path: Path) -> None:
    """FH-15: stored where the workflows install it from, and a later `init` of a courtly that runs from a folder keeps it."""
    origin = f"git+https://github.com/anna/courtly-fork.git@{COMMIT}"
    assert init(tmp_path, "--from", origin).exit_code == 0
    text = (tmp_path / ".github/courtly.txt").read_text()
    assert text == lock_text(f"{INSTALL}courtly @ {origin}\n")
    assert bare_init(tmp_path).stdout == "Nothing to write: everything is up to date.\n"
    assert (tmp_path / ".github/courtly.txt").read_text() == text
    other = f"git+file://localhost/srv/courtly@{COMMIT}"
    assert init(tmp_path, "--verbose", "--from", other).stdout.startswith("wrote .github/courtly.txt\n1 file written.")
    assert (tmp_path / ".github/courtly.txt").read_text() == lock_text(f"{INSTALL}courtly @ {other}\n")


FOLDER = (
    "error: --from: this courtly was installed from a folder or a file, which nobody else has; name a commit that anybody can fetch: "
    "--from git+https://github.com/OWNER/NAME@COMMIT\n"
)


@pytest.mark.parametrize(
    "kept", [None, f"courtly @ git+https://github.com/anna/courtly@{COMMIT}\n", "courtly==0.1.0\n"]
)
def test_a_name_that_nobody_owns_is_never_written(tmp_path: Path, kept: str | None) -> None:
    """H3-1. From a clone, `init` wrote `courtly==0.1.0`, which anybody could have registered. Lines without hashes do not stay either."""
    if kept is not None:
        (tmp_path / ".github").mkdir()
        (tmp_path / ".github/courtly.txt").write_text(kept)
    before = files_in(tmp_path)
    done = bare_init(tmp_path)
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", FOLDER)
    assert files_in(tmp_path) == before


def test_the_running_commit_is_written_without_being_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """H3-1, H3-2: and only that one, since it fixes the versions of everything else."""
    monkeypatch.setattr(beginning, "installed", lambda: Pin(commit=COMMIT, address="https://github.com/ben/courtly"))
    assert bare_init(tmp_path).exit_code == 0
    lines = (tmp_path / ".github/courtly.txt").read_text().splitlines()
    assert lines[-1] == f"# install: courtly @ git+https://github.com/ben/courtly@{COMMIT}"
    other = f"git+https://github.com/ben/courtly@{'f' * 40}"
    done = bare_init(tmp_path, "--from", other)
    assert (done.exit_code, done.stderr) == (
        1,
        (
            f"error: --from: commit {COMMIT} runs here, and `courtly init` writes the package versions that belong to it; install that one first: "
            f'python3 -m pip install "courtly @ {other}"\n'
        ),
    )
    for address in ("file:///srv/courtly", "https://me:secret@github.com/a/b", "ssh://git@github.com/a/b"):
        monkeypatch.setattr(beginning, "installed", lambda address=address: Pin(commit=COMMIT, address=address))
        done = bare_init(tmp_path / "other")
        assert (done.exit_code, "an address that others cannot use; name a commit" in done.stderr) == (1, True), address
        assert "secret" not in done.output
        assert not [*(tmp_path / "other").iterdir()]


METADATA = "Metadata-Version: 2.1\nName: courtly\nVersion: {version}\n"


def wheel(folder: Path, version: str, tag: str, more: str = "") -> str:
    """A wheel of the running courtly, and its SHA-256. `more` is added to one of its modules."""
    path, info = folder / f"courtly-{version}-{tag}.whl", f"courtly-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{info}/METADATA", METADATA.format(version=version))
        file.writestr(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: {tag}\n")
        file.writestr(f"{info}/RECORD", "")
        for module in sorted((ROOT / "adjudicator").rglob("*.py")):
            name = module.relative_to(ROOT).as_posix()
            file.writestr(name, module.read_text() + (more if name == "adjudicator/ci/github.py" else ""))
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
def test_a_release_is_named_by_the_hashes_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """H3-1, H3-2: of those that pip finds where it is configured to look, for GitHub's runner and for any machine.

    Anybody may own the name there: another courtly of the same version is refused.
    """
    pytest.importorskip("pip")
    index, root = tmp_path / "index", tmp_path / "ours"
    index.mkdir()
    plain = wheel(index, "7.1.2", "py3-none-any")
    runner = wheel(index, "7.1.2", "cp313-cp313-manylinux_2_17_x86_64.manylinux2014_x86_64")
    for tag in ("cp312-cp312-manylinux_2_17_x86_64", "cp313-cp313-win_amd64", "cp313-cp313-macosx_11_0_arm64"):
        wheel(index, "7.1.2", tag)
    wheel(index, "7.1.3", "py3-none-any")
    for name, value in {"PIP_FIND_LINKS": str(index), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(beginning, "installed", lambda: Pin(version="7.1.2"))
    done = bare_init(root)
    assert (done.exit_code, "The workflows install release 7.1.2." in done.stdout) == (0, True), done.output
    hashes = sorted([plain, runner])
    named = f"courtly==7.1.2 \\\n    --hash=sha256:{hashes[0]} \\\n    --hash=sha256:{hashes[1]}\n"
    assert (root / ".github/courtly.txt").read_text() == lock_text(named)
    before = files_in(root)
    wheel(index, "7.1.5", "py3-none-any", more="import evil\n")
    monkeypatch.setattr(beginning, "installed", lambda: Pin(version="7.1.5"))
    done = bare_init(root)
    what = "error: --from: pip finds courtly-7.1.5-py3-none-any.whl, but that is not the courtly that runs here; "
    assert (done.exit_code, done.stderr.startswith(what), files_in(root)) == (1, True, before)
    monkeypatch.setattr(beginning, "installed", lambda: Pin(version="7.1.4"))
    done = bare_init(root)
    assert (done.exit_code, files_in(root)) == (1, before)
    assert (
        "error: --from: pip finds no release 7.1.4 of courtly to name here: ERROR: No matching distribution"
        in done.stderr
    )
    assert done.stderr.endswith(
        "; name a commit that anybody can fetch: --from git+https://github.com/OWNER/NAME@COMMIT\n"
    )


@pytest.mark.parametrize(
    "place",
    ["", "courtly", "git+https://github.com/a/b", "git+https://github.com/a/b@main", f"git+https://github.com/a/b@{COMMIT[:-1]}",
     f"git+https://github.com/a/b@{COMMIT}0", f"git+file:///srv/b@{COMMIT}", f"https://github.com/a/b@{COMMIT}", f"git+ssh://git@github.com/a/b@{COMMIT}",
     f"git+https://me:secret@github.com/a/b@{COMMIT}", f"git+https://x/a b@{COMMIT}", f"git+https://x/a@{COMMIT}\n-r other.txt",
     f"git+https://x/a@{COMMIT} ; y", f"git+https://x/a@{COMMIT}#egg=y"],
)  # fmt: skip
def test_a_place_of_the_package_that_can_move_or_cannot_be_fetched_is_refused(tmp_path: Path, place: str) -> None:
    """FH-15: branches, tags, short commits, addresses with a password, and lines of pip's own; together with all other faults."""
    done = init(tmp_path, "--from", place, "--title", " ", "--repository", "anna")
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert [line.partition(": ")[2].partition(":")[0] for line in lines] == ["--from", "--repository", "--title"]
    assert lines[0].endswith(
        "git+https://github.com/OWNER/NAME@COMMIT, with all 40 digits: a branch or a tag can be moved"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_is_not_a_repository_is_refused(tmp_path: Path) -> None:
    for name in ("anna", "anna/x y", "../x/y", "a/b/c", "https://example.org/a/b"):
        done = init(tmp_path, "--repository", name)
        assert done.exit_code == 1
        assert "write it like OWNER/NAME" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("first", [None, "anna/our-games"])
def test_a_second_repository_is_not_ignored(tmp_path: Path, first: str | None) -> None:
    """FH-10. A second --repository was ignored silently."""
    assert init(tmp_path, *(["--repository", first] if first else [])).exit_code == 0
    (tmp_path / ".gitattributes").write_text("old")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = init(tmp_path, "--repository", "ben/games")
    lives = "names anna/our-games" if first else "names no repository"
    assert (done.exit_code, done.stderr) == (
        1,
        (
            f"error: --repository: games/archive.yaml {lives}; write `repository: ben/games` there, and the site's address as "
            "`site_url:` into mkdocs.yml\n"
        ),
    )
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert init(tmp_path, *(["--repository", first] if first else [])).output.startswith("1 file written.")


def test_the_package_carries_all_that_init_copies(root: Path) -> None:
    included = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
        "force-include"
    ]
    made = {*machinery(None), *starters("x", None), *(f"site_src/{name}" for name in shipped())} - {"README.md"}
    assert [
        name for name in made if not any(name == folder or name.startswith(f"{folder}/") for folder in included)
    ] == []
    assert all(target == f"adjudicator/site/template/{source}" for source, target in included.items())
