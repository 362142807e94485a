"""The courtly that the workflows install, the courtly that runs, and the features of a lean installation."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import PathDistribution, distribution
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from adjudicator import __version__
from adjudicator.cli import main
from adjudicator.core.jobs import pin
from adjudicator.core.jobs.pin import INSTALL, PINNED, PINNED_SITE, Pin, installed, pin_findings, pin_of, pinned
from adjudicator.site.init import LOCKS, lock_text
from tests.conftest import ROOT

COMMIT = "0123456789abcdef0123456789abcdef01234567"
ADDRESS = "https://github.com/anna/courtly"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (f"# install: courtly @ git+{ADDRESS}@{COMMIT}\n", Pin(commit=COMMIT)),
        (f"courtly @ git+{ADDRESS}@{COMMIT}\n", Pin(commit=COMMIT)),
        (f"click==8.5.1 \\\n    --hash=sha256:{'a' * 64}\n# install: courtly @ git+{ADDRESS}@{COMMIT}", Pin(commit=COMMIT)),
        (f"# install: courtly @ git+{ADDRESS}@{COMMIT}\r\nclick==8\r\n", Pin(commit=COMMIT)),
        (f"courtly==0.1.0 \\\n    --hash=sha256:{'a' * 64}\n", Pin(version="0.1.0")),
        ("courtly==0.1.0", Pin(version="0.1.0")),
        ("", None),
        ("# install: .\n", None),
        ("courtly>=0.1.0\n", None),
        ("courtly\n", None),
        ("courtly-evil==0.1.0\n", None),
        (f"# courtly @ git+{ADDRESS}@{COMMIT}\n", None),
        (f"# install: courtly @ git+{ADDRESS}@main\n", None),
        (f"# install: courtly @ git+{ADDRESS}@{COMMIT}0\n", None),
        (f"# install: courtly @ git+{ADDRESS}@{COMMIT} evil\n", None),
        (f"# install: courtly @ git+{ADDRESS}@{COMMIT}\n# install: courtly @ git+{ADDRESS}@{'f' * 40}\n", None),
        (f"# install: courtly @ git+{ADDRESS}@{COMMIT}\ncourtly==0.1.0\n", None),
    ],
)  # fmt: skip
def test_the_version_that_workflows_install_is_read_from_the_file(text: str, names: Pin | None) -> None:
    """H3-1. A file that names several versions names none: nobody knows which of them pip installs in the end."""
    assert pinned(text) == names


def found(folder: Path, origin: object) -> Pin | None:
    """Pin of a package that was installed into a folder, by the origin that pip recorded."""
    info = folder / "courtly-7.1.2.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: courtly\nVersion: 7.1.2\n")
    (info / "direct_url.json").unlink(missing_ok=True)
    if origin is not None:
        (info / "direct_url.json").write_text(origin if isinstance(origin, str) else json.dumps(origin))
    return pin_of(PathDistribution(info), folder / "adjudicator")


@pytest.mark.parametrize(
    ("origin", "says"),
    [
        (None, Pin(version="7.1.2")),
        ({"url": ADDRESS, "vcs_info": {"vcs": "git", "commit_id": COMMIT}}, Pin(commit=COMMIT)),
        ({"url": ADDRESS, "vcs_info": {"vcs": "git", "commit_id": "main"}}, None),
        ({"url": ADDRESS, "vcs_info": {"vcs": "hg", "commit_id": COMMIT}}, None),
        ({"url": "file:///srv/courtly", "dir_info": {"editable": True}}, None),
        ({"url": "file:///srv/courtly-7.1.2-py3-none-any.whl", "archive_info": {}}, None),
        ("[", None), ("[]", None), ('{"vcs_info": 7}', None), ("{}", None),
    ],
)  # fmt: skip
def test_the_running_version_is_known_from_what_pip_recorded(tmp_path: Path, origin: object, says: Pin | None) -> None:
    """H3-1. A folder or a wheel on somebody's disk is not a release, whatever its version says."""
    assert found(tmp_path, origin) == says


def test_code_other_than_the_installed_package_is_not_a_release(tmp_path: Path) -> None:
    """As with `python -m adjudicator` in a clone, beside an installed release."""
    found(tmp_path / "there", None)
    assert pin_of(PathDistribution(tmp_path / "there/courtly-7.1.2.dist-info"), tmp_path / "here/adjudicator") is None


def test_in_the_tests_courtly_runs_from_a_folder() -> None:
    assert installed() is None


def test_the_version_shows_the_commit_if_it_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """H3-12."""
    for runs, more in ((None, ""), (Pin(version=__version__), ""), (Pin(commit=COMMIT), f", commit {COMMIT}")):
        monkeypatch.setattr(pin, "installed", lambda runs=runs: runs)
        assert CliRunner().invoke(main, ["--version"]).output == f"courtly {__version__}{more}\n"


def test_the_doctor_compares_what_the_workflows_install_with_what_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """H3-1, H3-2: it reported "fine" for a name that nobody owns."""
    (tmp_path / ".github").mkdir()
    assert pin_findings(tmp_path) == []
    path = tmp_path / PINNED
    named = lock_text(f"{INSTALL}courtly @ git+{ADDRESS}@{COMMIT}\n")
    other = Pin(commit="f" * 40)
    for text, runs, says in (
        (named, Pin(commit=COMMIT), (True, f"names commit {COMMIT}, which runs here")),
        (
            named,
            other,
            (False, f"names commit {COMMIT}, but {other} runs here: run `courtly init`, or install the one it names"),
        ),
        (named, None, (True, f"names commit {COMMIT}; what runs here was not installed from a commit or a release")),
        (
            "# nothing\n",
            None,
            (False, "does not name exactly one version of courtly, so the workflows install none: run `courtly init`"),
        ),
    ):
        path.write_text(text)
        monkeypatch.setattr(pin, "installed", lambda runs=runs: runs)
        assert pin_findings(tmp_path) == [(says[0], f"{PINNED} {says[1]}")]
    path.write_text("courtly==0.1.0\n")
    assert pin_findings(tmp_path) == [
        (False, f"{PINNED} names packages without their hashes: run `courtly init`"),
        (True, f"{PINNED} names release 0.1.0; what runs here was not installed from a commit or a release"),
    ]
    done = CliRunner().invoke(main, ["-C", str(tmp_path), "new", "a", "--here", "--opened", "2026-11-20"])
    assert done.exit_code == 0
    done = CliRunner().invoke(main, ["-C", str(tmp_path), "doctor"])
    assert (done.exit_code, "wrong  .github/courtly.txt names packages without their hashes" in done.stdout) == (
        1,
        True,
    )


# The locks --------------------------------------------------------------------------------------------------------

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LEAN = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
EXTRAS = PROJECT["project"]["optional-dependencies"]
SITE = EXTRAS["site"]
ENTRY = re.compile(r"([A-Za-z0-9._-]+)==(\S+)(?: ; ([^\\\n]+?))?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")
PYTHONS = ("3.11.0", "3.12.0", "3.13.0", "3.14.0")


def entries(name: str) -> list[tuple[str, str, str]]:
    """Name, version and marker of each package in a lock; any other line is an error."""
    text = (LOCKS / name).read_text(encoding="utf-8")
    assert ENTRY.sub("", text) == ""
    return [(canonicalize_name(one), version, marker) for one, version, marker, _ in ENTRY.findall(text)]


def taken(lock: list[tuple[str, str, str]], python: str) -> dict[str, str]:
    """Versions that pip installs from a lock on GitHub's runner, with a Python."""
    here = {"python_full_version": python, "python_version": python.rpartition(".")[0], "sys_platform": "linux"}
    here |= {"platform_python_implementation": "CPython", "implementation_name": "cpython"}
    chosen = [(name, version) for name, version, marker in lock if not marker or Marker(marker).evaluate(here)]
    assert len({name for name, _ in chosen}) == len(chosen), "pip refuses a package that is named twice"
    return dict(chosen)


@pytest.mark.parametrize("python", PYTHONS)
def test_the_locks_name_everything_that_pyproject_requires(python: str) -> None:
    """H3-2. Every requirement of the package, its build and its site, with all dependencies. If one is missing, run `nox -s lock`."""
    lean, site = taken(entries("courtly.txt"), python), taken(entries("courtly-site.txt"), python)
    assert set(lean) & set(site) == set()
    for wanted, lock in ((LEAN, lean), ([*SITE, *EXTRAS["pictures"]], lean | site)):
        asked = [Requirement(line) for line in wanted]
        seen = set()
        while asked:
            one = asked.pop()
            name = canonicalize_name(one.name)
            assert name in lock, f"{one} is not in the lock: nox -s lock"
            assert one.specifier.contains(lock[name], prereleases=True), f"{one} and {lock[name]}: nox -s lock"
            if (name, *sorted(one.extras)) in seen:
                continue
            seen.add((name, *sorted(one.extras)))
            for line in needs(name):
                more = Requirement(line)
                here = {
                    "python_version": python[:4],
                    "python_full_version": python,
                    "platform_python_implementation": "CPython",
                }
                if more.marker is None or any(
                    more.marker.evaluate({**here, "extra": extra}) for extra in ("", *one.extras)
                ):
                    asked.append(more)


def needs(name: str) -> list[str]:
    """Requirements of an installed package; none for a package that is missing here, such as those of the build."""
    try:
        return distribution(name).requires or []
    except ModuleNotFoundError:
        return []


def test_the_locks_name_no_host_and_this_projects_jobs_install_from_them() -> None:
    """H3-2."""
    for name, more in ((PINNED, f"{INSTALL}.\n"), (PINNED_SITE, None)):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert text == lock_text(more), "nox -s lock"
        assert "://" not in text
        assert "index" not in text


# A lean installation ----------------------------------------------------------------------------------------------

WITHOUT = """
import importlib, importlib.abc, json, sys

GONE = {"mkdocs", "material", "markupsafe", "jinja2", "markdown", "pymdownx", "yaml", "requests", "watchdog", "babel"}

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in GONE:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Gone())
from adjudicator.cli import main
for path in json.loads(sys.argv[1]):
    importlib.import_module(path)
from adjudicator.cli import main
for words in json.loads(sys.argv[2]):
    try:
        main(words, prog_name="courtly")
    except SystemExit as end:
        print("=", end.code or 0, flush=True)
"""
SITES_OWN = {"markupsafe", "mkdocs", "material"}
PACKAGE = ROOT / "adjudicator"
WITHOUT_SITE = ("engine", "init", "shipped")
"""Modules of the site that other commands need."""


@pytest.mark.slow
def test_every_command_except_those_for_the_site_works_without_mkdocs(tmp_path: Path) -> None:
    """The job with the secret does not install the site's packages: every module outside of the site is read, and the hosts' commands run."""
    outside = [path for path in sorted(PACKAGE.rglob("*.py")) if "site" not in path.parts[len(PACKAGE.parts) : -1]]
    outside += [PACKAGE / f"site/{name}.py" for name in WITHOUT_SITE]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in outside]
    modules = [name.removesuffix(".__init__") for name in modules if not name.endswith("__main__")]
    lines = [
        ["init", "--from", f"git+{ADDRESS}@{COMMIT}"], ["keygen", "--master", "-o", str(tmp_path / "master.txt")],
        ["new", "a", "--opened", "2026-11-20"], ["check"], ["play", "a", "--all", "--seed", "1"], ["run", "--now"], ["verify"],
        ["undo", "a", "--reason", "x"], ["upgrade"], ["render", "a", "001-spring-1901-movement", "-o", str(tmp_path / "m.svg")],
        ["export", "a", "-o", str(tmp_path / "out.json")], ["schema", "sheet"], ["doctor"], ["site"], ["serve"],
    ]  # fmt: skip
    given = [["-C", str(tmp_path / "ours"), *line] for line in lines]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(modules), json.dumps(given)],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    said = done.stdout + done.stderr
    codes = re.findall(r"^= (\d+)$", done.stdout, re.MULTILINE)
    assert [(line[0], code) for line, code in zip(lines, codes, strict=True)] == [
        (line[0], "1" if line[0] in ("site", "serve") else "0") for line in lines
    ], said
    told = re.findall(
        r"^error: MkDocs and its theme, which build the site, are not installed; install them: python3 -m pip install (.*)$",
        done.stderr,
        re.MULTILINE,
    )
    assert [{str(Requirement(one)) for one in shlex.split(line)} for line in told] == [
        {str(Requirement(one)) for one in SITE}
    ] * 2


def test_nothing_outside_of_the_site_imports_what_only_the_site_needs() -> None:
    """Not even inside a function."""
    asked = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if name.startswith("site/") and name not in [f"site/{one}.py" for one in WITHOUT_SITE]:
            continue
        text = path.read_text(encoding="utf-8")
        if not any(one in text for one in (*SITES_OWN, "adjudicator.site")):
            continue
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            asked += [f"{name}: {one}" for one in names if one.partition(".")[0] in SITES_OWN]
            asked += [
                f"{name}: {one}"
                for one in names
                if one.startswith("adjudicator.site.") and one.split(".")[2] not in WITHOUT_SITE
            ]
    assert asked == ["cli/site.py: adjudicator.site.mkdocs.build"] * 2


def test_the_mkdocs_plugin_is_found_by_its_name() -> None:
    points = distribution("courtly").entry_points.select(group="mkdocs.plugins", name="courtly")
    assert [point.value for point in points] == ["adjudicator.site.mkdocs.plugin:CourtlyPlugin"]
