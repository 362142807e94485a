"""`courtly init`: a group's own repository, from the package alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import main
from adjudicator.core.archive import Archive
from adjudicator.core.turn import load_charter
from adjudicator.site.build import build
from adjudicator.site.init import WORKFLOWS, machinery, requirement, starters

TITLE = "Friday *court* <b> `x`"


def init(root: Path, *args: str) -> Result:
    return CliRunner().invoke(main, ["-C", str(root), "init", *args])


@pytest.mark.slow
def test_it_makes_a_repository_that_builds(tmp_path: Path) -> None:
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
    assert "Friday *court* &lt;b&gt; `x`" in page
    assert "games/summer/index.html" in page
    text = (tmp_path / "public/sitemap.xml").read_text()
    assert "https://anna.github.io/our-games/games/summer/index.html" in text
    for name in ("desk.html", "dice-check.html", "group.html", "security.html", "assets/age-encryption.js"):
        assert (tmp_path / "public" / name).is_file(), name
    for name in WORKFLOWS:
        workflow = (root / ".github/workflows" / name).read_text()
        assert "pip install --quiet -r .github/courtly.txt" in workflow
        assert len(workflow.splitlines()) < 40
    assert (root / ".github/courtly.txt").read_text().startswith("courtly")
    assert not (root / "games/first-lessons").exists()


def test_again_it_renews_what_is_the_packages_and_nothing_else(tmp_path: Path) -> None:
    assert init(tmp_path, "--title", "One").exit_code == 0
    charter = (tmp_path / "games/archive.yaml").read_bytes()
    (tmp_path / "mkdocs.yml").write_text("site_name: Mine\n")
    (tmp_path / "README.md").write_text("Mine\n")
    (tmp_path / "site_src/assets/courtly.js").write_text("old")
    again = init(tmp_path, "--title", "Two")
    assert again.output == "wrote site_src/assets/courtly.js\n1 files written.\n"
    assert (tmp_path / "mkdocs.yml").read_text() == "site_name: Mine\n"
    assert (tmp_path / "README.md").read_text() == "Mine\n"
    assert (tmp_path / "games/archive.yaml").read_bytes() == charter
    assert (tmp_path / "site_src/assets/courtly.js").read_bytes() == machinery()["site_src/assets/courtly.js"]


def test_a_repository_that_is_none_is_refused(tmp_path: Path) -> None:
    for name in ("anna", "anna/x y", "../x/y", "a/b/c", "https://example.org/a/b"):
        done = init(tmp_path, "--repository", name)
        assert done.exit_code == 1
        assert "write it like OWNER/NAME" in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("first", [None, "anna/our-games"])
def test_another_repository_is_not_ignored(tmp_path: Path, first: str | None) -> None:
    """FH-10. A second --repository was ignored in silence."""
    assert init(tmp_path, *(["--repository", first] if first else [])).exit_code == 0
    (tmp_path / "site_src/assets/courtly.js").write_text("old")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = init(tmp_path, "--repository", "ben/games")
    lives = "lives in anna/our-games" if first else "names no repository"
    assert (done.exit_code, done.stderr) == (
        1,
        (
            f"error: --repository: games/archive.yaml {lives}; write `repository: ben/games` there, and its address as "
            "`site_url:` into mkdocs.yml\n"
        ),
    )
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert init(tmp_path, *(["--repository", first] if first else [])).output.startswith(
        "wrote site_src/assets/courtly.js\n"
    )


def test_the_package_carries_all_that_init_copies(root: Path) -> None:
    included = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"][
        "force-include"
    ]
    made = [
        name
        for name in (*machinery(), *starters("x", None))
        if name not in (".github/courtly.txt", "README.md", ".gitignore")
    ]
    assert [name for name in made if not any(name == one or name.startswith(f"{one}/") for one in included)] == []
    assert all(target == f"adjudicator/site/template/{source}" for source, target in included.items())
    assert requirement().startswith("courtly")
