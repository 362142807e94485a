"""What tests share: where things are, a browser, and how to treat missing tools."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import hypothesis
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from adjudicator.core.text.yamltext import read

ROOT = Path(__file__).parent.parent
LINES: Final[Any] = read((ROOT / "tests/data/lines.yaml").read_bytes(), "lines.yaml").data
"""The corpus of lines that the archive and the order desk read alike: tests/data/lines.yaml says what stands there."""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

# No test hangs on how fast a machine is; slow ones are a matter for `nox -s bench`.
hypothesis.settings.register_profile("courtly", deadline=None)
hypothesis.settings.load_profile("courtly")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests stay in one process, so that what the file builds is built once; some say of another group themselves."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


def first_of(cases: Iterable[Any], many: int) -> list[Any]:
    """Cases as parameters of a test; all but the first of them go the same way and wait for `nox -s long`."""
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=[pytest.mark.long] if at >= many else [])
        for at, one in enumerate(cases)
    ]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


def tool(name: str) -> str:
    """Where a program is. Without it, CI fails and a user's machine skips."""
    program = shutil.which(name)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is missing; .ci/run installs it")
        pytest.skip(f"{name} is not installed on this machine")
    return program


@pytest.fixture(scope="session")
def chromium() -> str:
    """Debian's chromium."""
    return tool("chromium")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser for one file of tests."""
    with sync_playwright() as play:
        launched = play.chromium.launch(executable_path=chromium, args=FLAGS)
        yield launched
        launched.close()


Paper = Callable[..., Page]
"""A page of a width and a height, in pixels, for what a test puts there with `set_content`."""


@pytest.fixture(scope="module")
def paper(browser: Browser) -> Iterator[Paper]:
    """One page for all the pictures of a file: a context for each takes longer than most pictures."""
    page = browser.new_page()

    def cut(width: int, height: int = 800) -> Page:
        page.set_viewport_size({"width": width, "height": height})
        return page

    yield cut
    page.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The archive's site, built once: whoever asks for it is in the group `site`, so that two processes do not build it."""
    from adjudicator.site.mkdocs.build import build

    return build(root, tmp_path_factory.mktemp("site")).parent


@pytest.fixture(scope="module")
def plain_maps() -> Iterator[None]:
    """Maps are no pictures here, but say all that is to be seen: it takes a third of the time."""
    from adjudicator.rulesets import diplomacy

    with pytest.MonkeyPatch.context() as patch:
        words = replace(diplomacy.RULESET.pictures, paint=lambda scene: f'<svg viewBox="0 0 1 1">{scene!r}</svg>\n')
        patch.setattr(diplomacy, "RULESET", replace(diplomacy.RULESET, pictures=words))
        yield
