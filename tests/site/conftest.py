"""Shared by the tests of the site: a server for the built site, and pages that fail the test for every error they report."""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib
import os
import shutil
import sys
import threading
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Request

from adjudicator.core.game.archive import Archive
from adjudicator.site import engine as engines
from adjudicator.site.engine import engine_files
from tests.conftest import ROOT

COLOURS = ("color-contrast", "link-in-text-block")
"""Axe's rules about colours: the only ones whose result can differ in the dark."""


NOTHING_SENT = """
const ask = globalThis.fetch;
globalThis.fetch = (address, ...rest) =>
  String(address).startsWith("https://api.github.com/") ? Promise.resolve(Response.json([])) : ask(address, ...rest);
"""
"""GitHub's API, where the desk asks for sent sheets, knows of nothing. A route would stop every file of every page on its way."""

ANYBODY = {"access-control-allow-origin": "*"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the site without logging, on connections that stay open: a page of the desk has sixty files."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that is overridden
        """Logs nothing."""


def empty_site(folder: Path, games: Iterable[str] = ()) -> Path:
    """That folder, made a site like this repository's, with only these of its games."""
    shutil.copy(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
    shutil.copytree(ROOT / "site_src", folder / "site_src")
    (folder / "games").mkdir(exist_ok=True)
    for name in games:
        if name == "archive.yaml":
            shutil.copy(ROOT / "games" / name, folder / "games" / name)
        else:
            shutil.copytree(Archive(ROOT).game_folder(name), folder / "games" / name)
    return folder


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The distribution `courtly-engine`, as if it were installed."""
    if not (place := os.environ.get("COURTLY_ENGINE")):
        pytest.skip("the judge for browsers was not made: `nox -s tests` makes it where node and npm are installed")
    folder = tmp_path_factory.mktemp("engine")
    with zipfile.ZipFile(place) as archive:
        archive.extractall(folder)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    engine_files.cache_clear()
    yield folder
    sys.path.remove(str(folder))
    sys.modules.pop(engines.PACKAGE, None)
    importlib.invalidate_caches()
    engine_files.cache_clear()


def until(page: Page, expression: str, arg: Any = None, seconds: float = 10) -> None:
    """Waits until an expression holds on a page. Playwright's own waiting evaluates a text in the page, which its policy forbids."""
    for _ in range(int(seconds * 20)):
        if page.evaluate(expression, arg):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{expression} does not hold")


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder, which may be made later; yields its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Address where the site of a test file is served."""
    with served(site) as address:
        yield address


@contextlib.contextmanager
def opened(browser: Browser, width: int = 1280, height: int = 900, **options: object) -> Iterator[Page]:
    """A page that fails the test for every error on its console. It moves at once, unless a test wants to see it glide."""
    options.setdefault("reduced_motion", "reduce")
    context: BrowserContext = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    context.add_init_script(NOTHING_SENT)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    scripts = options.get("java_script_enabled") is not False

    def failed(request: Request) -> None:
        """Records a file that did not come. Files still loading when the test went on, and scripts that nobody runs, are not faults."""
        if request.failure != "net::ERR_ABORTED" and (scripts or request.resource_type != "script"):
            errors.append(request.url)

    page.on("requestfailed", failed)
    yield page
    context.close()
    assert errors == []


STILL = """
async (name) => {
  const view = document.querySelector(name);
  const where = () => JSON.stringify([view, view.children[0]].map((one) => one.getBoundingClientRect()));
  for (let before = null, same = 0; same < 5; same = where() === before ? same + 1 : 0) {
    before = where();
    await new Promise(requestAnimationFrame);
  }
}
"""


def still(page: Page, name: str) -> None:
    """Waits until an element of a page and its first child stop moving: a mouse aimed at a gliding target misses it."""
    page.evaluate(STILL, name)


AIM = """
(name) => {
  const plain = (text) => text.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]/g, "");
  const view = document.querySelector(".view");
  // From one seat's desk to another's no page is loaded: the first is still to be seen while the other is fetched.
  const [, seat, ...more] = decodeURIComponent(location.hash).split("/");
  const shown = document.querySelector(".who strong")?.textContent;
  if (!view || (seat && shown && !more.length && plain(seat) !== plain(shown))) return null;
  const there = (element) => element?.closest("[data-region]")?.dataset.region === name;
  view.scrollIntoView({ block: "center", behavior: "instant" });
  for (const shape of view.querySelectorAll(":is(path, use, g)[data-region]")) {
    if (!there(shape)) continue;
    const { left, top, width, height } = shape.getBoundingClientRect();
    for (let i = 1; i < 20; i++) for (let j = 1; j < 20; j++) {
      const [x, y] = [left + width * i / 20, top + height * j / 20];
      if (!there(document.elementFromPoint(x, y))) continue;
      globalThis.met = undefined;
      addEventListener("click", (event) => {
        globalThis.met = there(event.target);
        if (!globalThis.met) (event.preventDefault(), event.stopImmediatePropagation());
      }, { capture: true, once: true });
      return [x, y];
    }
  }
  return null;
}
"""
"""Point where a place on the map can be tapped now, if there is one. The next click is let through only if it meets that place."""


def tap(page: Page, *places: str) -> None:
    """Clicks places on the map where a reader's finger would meet them, and retries if the map moved away from under the mouse."""
    page.locator(".view svg").wait_for()
    for place in places:
        for _ in range(100):
            if spot := page.evaluate(AIM, place):
                page.mouse.click(*spot)
                if page.evaluate("globalThis.met"):
                    break
            else:
                page.wait_for_timeout(50)
        else:
            raise AssertionError(f"{place} cannot be tapped")


def serious(page: Page, *, within: str = "html", only: tuple[str, ...] = (), but: tuple[str, ...] = ()) -> list[str]:
    """Serious or critical faults that axe finds: by all its rules, by only these, or by all but these."""
    options: dict[str, Any] = {"resultTypes": ["violations"], "rules": {rule: {"enabled": False} for rule in but}}
    if only:
        options["runOnly"] = {"type": "rule", "values": list(only)}
    results = Axe().run(page, context={"include": [[within]]}, options=options)
    return [
        f"{fault['id']}: {node['html'][:150]}"
        for fault in results.response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]
