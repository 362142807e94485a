"""Shared by all tests: paths, a browser, and the treatment of missing tools."""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import hypothesis
import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Page, sync_playwright

from adjudicator.core.secrets import chance
from adjudicator.core.text.yamltext import read
from tests.agefiles import age_with

if TYPE_CHECKING:
    from adjudicator.site.mkdocs.publish import Handbook

ROOT = Path(__file__).parent.parent
REMEMBERED = tempfile.TemporaryDirectory()
"""The folder of the program's cache while tests run, instead of the user's own."""
os.environ["COURTLY_CACHE"] = REMEMBERED.name
LINES: Final[Any] = read((ROOT / "tests/data/lines.yaml").read_bytes(), "lines.yaml").data
"""The corpus of lines that the archive and the order desk read alike; tests/data/lines.yaml explains its format."""
ORIGIN = "git+https://github.com/anna/courtly@0123456789abcdef0123456789abcdef01234567"
"""A commit of courtly: the tests run one installed from a folder, so `init` needs to be given one."""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

# No test depends on the speed of a machine; slowness is a matter for `nox -s bench`. Examples do not vary between runs, so that a failure fails
# again; `nox -s fuzz` looks for others.
FUZZ = "COURTLY_FUZZ" in os.environ
hypothesis.settings.register_profile(
    "courtly", deadline=None, derandomize=not FUZZ, max_examples=500 if FUZZ else 25, database=None
)
hypothesis.settings.load_profile("courtly")


@contextlib.contextmanager
def same_chance(node: pytest.Item | pytest.Collector, more: str = "") -> Iterator[None]:
    """Fix the program's random draws for every run of a test: a world that fails it fails it again."""
    drawn = Random(node.nodeid.partition("@")[0] + more).randbytes  # The part after it is the group that runs it.
    if FUZZ or node.get_closest_marker("own_chance"):
        yield
    else:
        with pytest.MonkeyPatch.context() as patch, age_with(drawn):
            patch.setattr(chance, "urandom", drawn)
            yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """A test's draws do not depend on earlier draws."""
    with same_chance(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Iterator[None]:
    """Shared fixtures do not depend on the test that comes first."""
    if fixturedef.scope == "function":
        return (yield)
    with same_chance(request.node, f" {fixturedef.argname} {getattr(request, 'param_index', 0)}"):
        return (yield)


def examples(many: int) -> hypothesis.settings:
    """So many examples of a law, the same in every run; `nox -s fuzz` tries forty times as many others."""
    return hypothesis.settings(max_examples=many * (40 if FUZZ else 1))


FIRST = ("ci", "site")
"""Folders of the tests that take longest. They start first, so that nobody has to wait for one of them at the end."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests stay in one process, so that the file's fixtures are built once; some tests name another group themselves."""
    items.sort(key=lambda item: item.path.parent.name not in FIRST)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def first_of(cases: Iterable[Any], many: int) -> list[Any]:
    """Cases as parameters of a test; all but the first of them take an equal path and wait for `nox -s long`."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=[pytest.mark.long] if at >= many else [])
        for at, one in enumerate(cases)
    ]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


def tool(name: str) -> str:
    """Path of a program. If it is missing, the test fails in CI and is skipped on a user's machine."""
    program = shutil.which(name)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is missing; .ci/run installs it")
        pytest.skip(f"{name} is not installed on this machine")
    return program


@pytest.fixture(scope="session")
def chromium() -> str:
    """Debian's chromium: the headless one if it is installed, which takes a third less time."""
    return shutil.which("chromium-headless-shell") or tool("chromium")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser for one file of tests."""
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


Paper = Callable[..., Page]
"""A page with this width and height in pixels, for content that a test adds with `set_content`."""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Paper]:
    """One page for all the pictures of a file: a context for each would take longer than most pictures."""
    page = browser.new_page()

    def cut(width: int, height: int = 800) -> Page:
        page.set_viewport_size({"width": width, "height": height})
        return page

    yield cut
    page.close()


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder that one process fills and all the others use unchanged."""
    base = factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    with FileLock(f"{place}.lock"):
        if not place.is_dir():
            made = place.with_name(f"{name}.made")
            shutil.rmtree(made, ignore_errors=True)  # left by a process that failed at it
            make(made)
            made.rename(place)
    return place


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The archive's site, built once for all processes; nobody writes there."""
    from adjudicator.site.mkdocs.build import build

    return made_once(tmp_path_factory, "site-of-the-archive", lambda folder: build(root, folder))


@pytest.fixture(scope="session", autouse=True)
def handbooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, Path], Handbook]]:
    """MkDocs runs once for each handbook, not once for each archive: the cache key names its inputs and the programs that run it."""
    from adjudicator.site.mkdocs import build as building
    from adjudicator.site.mkdocs import plugin

    run, lessons = building._run_mkdocs, vars(plugin)["load_lessons"]

    def kept(root: Path, folder: Path) -> Handbook:
        key = building.settings_of(root).key
        if not key:
            return run(root, folder)

        def make(place: Path) -> None:
            said = run(root, place / "handbook")
            (place / "said").write_bytes(pickle.dumps(said))

        plain = "" if vars(plugin)["load_lessons"] is lessons else "-plain"
        place = made_once(tmp_path_factory, f"handbook-{key[:16]}{plain}", make)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(place / "handbook", folder)
        said: Handbook = pickle.loads((place / "said").read_bytes())
        return replace(said, folder=folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_run_mkdocs", kept)
        yield run


@pytest.fixture(scope="module")
def plain_books() -> Iterator[None]:
    """For tests where MkDocs has to run for a separate archive: rulebooks without worked examples, and no lessons."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.site.mkdocs.plugin.with_examples", lambda book, rules, boards: book)
        patch.setattr("adjudicator.site.mkdocs.plugin.load_lessons", list)
        yield


@pytest.fixture(scope="module")
def plain_maps() -> Iterator[None]:
    """Write maps that are not pictures but contain all the text of one: it takes a third of the time."""
    from adjudicator.rulesets import diplomacy

    with pytest.MonkeyPatch.context() as patch:
        words = replace(diplomacy.RULESET.pictures, paint=lambda scene: f'<svg viewBox="0 0 1 1">{scene!r}</svg>\n')
        patch.setattr(diplomacy, "RULESET", replace(diplomacy.RULESET, pictures=words))
        yield
