"""Forges where an archive may live: their addresses come from one table and from archive.yaml."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from string import Formatter

import pytest

from adjudicator.core.game.archive import Archive
from adjudicator.core.game.forges import DEFAULT, FORGEJO, GITHUB, KINDS, WAYS, Place, Ways, kind_of
from adjudicator.core.game.game import Door
from adjudicator.core.text.problems import Problems
from adjudicator.core.turn.load import load_charter

CHARTER = 'schema: 1\narchive: "0011223344556677"\nrepository: anna/our games\n'
TABLE = "adjudicator/core/game/forges.py"
HOST = re.compile(r"github\.com|githubusercontent|codeberg\.org|(?<!\w)gitea\.|forgejo\.org", re.IGNORECASE)


def said_in_python(path: Path) -> Iterator[str]:
    """String literals in a file's code, without comments and docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    explained = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explained:
            yield node.value


def said_in_script(path: Path) -> Iterator[str]:
    """A script's lines without comments."""
    for line in re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL).splitlines():
        if not line.lstrip().startswith("//"):
            yield line


def test_addresses_of_forges_are_written_in_only_one_table(root: Path) -> None:
    """Every link of a page, of the desk and of a job comes from archive.yaml's `forge:` and the table."""
    code = {path: list(said_in_python(path)) for path in (root / "adjudicator").rglob("*.py")}
    code |= {path: list(said_in_script(path)) for path in (root / "site_src").rglob("*.js")}
    assert len(code) > 200
    typed = {str(path.relative_to(root)) for path, lines in code.items() if any(map(HOST.search, lines))}
    # Setting a repository up with the program gh, and looking at its settings, is for GitHub only. The desk knows the
    # hosts that the package's page may ask, to compare a page that asks another forge with the list.
    assert typed == {
        TABLE, "adjudicator/ci/settings.py", "adjudicator/ci/setup.py", "site_src/assets/desk/itself.js",
    }  # fmt: skip


def archive_of(folder: Path, text: str) -> Archive:
    (folder / "games").mkdir()
    (folder / "games/archive.yaml").write_text(text)
    return Archive(folder)


def test_an_archive_is_on_github_unless_it_says_otherwise(tmp_path: Path) -> None:
    charter = load_charter(archive_of(tmp_path, CHARTER))
    assert charter is not None
    assert charter.place == Place("https://github.com", "anna/our games", "main")
    assert (charter.place.kind, charter.place.api) == (GITHUB, "https://api.github.com")
    assert charter.open_doors == (Door.PULLS, Door.ISSUES)
    blob = charter.place.address("file", path="games/a b/turn.yaml")
    assert blob == "https://github.com/anna/our%20games/blob/main/games/a%20b/turn.yaml"
    new = charter.place.address("filled_file", filename="games/a/b.yaml", text="a: ü\n")
    assert new == "https://github.com/anna/our%20games/new/main?filename=games%2Fa%2Fb.yaml&value=a%3A%20%C3%BC%0A"


@pytest.mark.parametrize(
    "server", ["https://codeberg.org", "https://git.example.org:8443", "http://localhost:3000", "http://127.0.0.1:1"]
)
def test_any_other_address_is_taken_for_forgejo(tmp_path: Path, server: str) -> None:
    """Its issues are not a door, whatever `doors` says: nobody can know who edited one."""
    charter = load_charter(archive_of(tmp_path, f"{CHARTER}forge: {server}\nbranch: games/all\n"))
    assert charter is not None
    assert charter.place is not None
    assert (charter.place.kind, charter.place.api) == (FORGEJO, f"{server}/api/v1")
    assert charter.open_doors == (Door.PULLS,)
    at = f"{server}/anna/our%20games"
    assert charter.place.address("file", path="games/a.yaml") == f"{at}/src/branch/games/all/games/a.yaml"
    assert charter.place.address("new_file", filename="games/a.yaml") == f"{at}/_new/games/all/?filename=games%2Fa.yaml"
    assert charter.place.address("filled_file", filename="a", text="b") is None
    assert charter.place.address("commits", filename="a/b") == (
        f"{server}/api/v1/repos/anna/our%20games/commits?path=a%2Fb&sha=games%2Fall&limit=1&stat=false&verification=false&files=false"
    )


@pytest.mark.parametrize(
    "server",
    ["github.com", "http://github.com", "https://anna:secret@codeberg.org", "https://codeberg.org/", "https://codeberg.org/x",
     "https://codeberg.org?x", "https://codeberg.org#x", "https://Codeberg.org", "https://", "https://a b", "ftp://codeberg.org",
     "http://127.0.0.1.evil.org", "http://127.0.0.1@evil.org", "https://x; script-src *", "https://é.org", "javascript:alert(1)",
     "https://-x.org", "https://x.org:123456"],
)  # fmt: skip
def test_a_faulty_address_of_a_forge_is_refused(tmp_path: Path, server: str) -> None:
    """It would end up in links and in the desk's policy."""
    with pytest.raises(Problems) as error:
        load_charter(archive_of(tmp_path, f"{CHARTER}forge: '{server}'\n"))
    (fault,) = error.value.problems
    assert (fault.path, fault.line, fault.what) == (
        "games/archive.yaml",
        4,
        f"{server!r:.80} is not the address of a forge",
    )
    assert fault.right.endswith("in lower case, such as https://github.com")


def test_an_archive_is_refused_if_its_forge_supports_none_of_its_doors(tmp_path: Path) -> None:
    with pytest.raises(Problems) as error:
        load_charter(archive_of(tmp_path, f"{CHARTER}forge: https://codeberg.org\ndoors: [issues]\n"))
    (fault,) = error.value.problems
    assert (fault.line, fault.right) == (5, "write `doors: [pull_requests]`")
    assert (
        fault.what
        == "Forgejo does not show who edited an issue, so no sheet can be sent in one, and no other door is open"
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_address_in_the_table_can_be_filled_in(kind: object) -> None:
    """Only the blanks that the desk fills are left, each in a place that its kind allows."""
    place = Place(DEFAULT if kind is GITHUB else "https://codeberg.org", "o/r", "main")
    assert kind_of(place.server) is kind
    assert tuple(field.name for field in fields(Ways)) == WAYS
    blanks = {
        "file": {"path"}, "folder": {"path"}, "new_file": {"filename"}, "filled_file": {"filename", "text"},
        "new_issue": {"title", "body"}, "pull": {"number"}, "issue": {"number"}, "fork": set(), "workflow": {"filename"}, "commits": {"filename"},
        "raw": {"path"}, "requests": {"since"}, "comments": {"number"},
    }  # fmt: skip
    assert blanks.keys() == set(WAYS)
    for way in WAYS:
        template = place.template(way)
        if template is None:
            continue
        left = {blank for _, blank, _, _ in Formatter().parse(template) if blank is not None}
        assert left == blanks[way], way
        assert template.startswith((place.server, place.api))
        address = place.address(way, **dict.fromkeys(left, "a/b&c=d"))
        assert address is not None
        assert "{" not in address
        assert address.count("&c=d") == 0
