"""The content policy of every page: scripts run from files of the site or from the theme, never just because they are in a page."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from adjudicator.site.mkdocs.policy import SERVED, policy, renewed, scripts_in, with_policy
from adjudicator.site.mkdocs.publish import Handbook
from tests.site.conftest import opened

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
INLINE = re.compile(r"<script(?![^>]*\b(?:src=|application/json))[^>]*>(.*?)</script>", re.DOTALL)


def directives(text: str) -> dict[str, list[str]]:
    (said,) = POLICY.findall(text)
    parts = [part.split() for part in said.split(";") if part.strip()]
    assert len({name for name, *_ in parts}) == len(parts)
    return {name: rest for name, *rest in parts}


def named(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


ENGINE = ("again.html", "judge.html", "sandbox.html")
"""Pages that may run WebAssembly, in a worker that starts from a blob."""


@pytest.mark.slow
def test_every_page_has_a_policy_that_names_its_scripts_and_no_others(site: Path) -> None:
    """RT-7."""
    pages = sorted(site.rglob("*.html"))
    names = {path.relative_to(site).as_posix() for path in pages}
    assert {"index.html", "404.html", "trust.html", "security.html", "desk.html", "dice-check.html"} <= names
    assert len({name for name in names if name.startswith("games/")}) > 300
    for path in pages:
        text = path.read_text(encoding="utf-8")
        head, _, rest = text.partition("</head>")
        said = directives(text)
        assert POLICY.search(head), path
        assert not re.search(r"<(?:script|link|style)\b", POLICY.split(head)[0]), f"{path}: something stands before it"
        runs = said["script-src"]
        scripts = INLINE.findall(text)
        more = ["'wasm-unsafe-eval'"] if path.name in ENGINE else []  # WebAssembly, but no JavaScript from text
        assert runs == ["'self'", *more, *dict.fromkeys(map(named, scripts))], path
        assert said["default-src"] in (["'self'"], ["'none'"])
        for name in ("base-uri", "form-action"):
            assert said[name] == ["'none'"], path
        for name, values in said.items():
            foreign = {"'unsafe-eval'", "*", "https:", "http:", "blob:"} & {*values}
            assert foreign == ({"blob:"} if path.name in ENGINE and name == "worker-src" else set()), path
            assert "'unsafe-inline'" not in values or name == "style-src", path
        assert not re.search(r"<[a-z][^<>]*\son[a-z]+\s*=", rest), f"{path}: a handler in an attribute would not run"


EVIL = """
<script>globalThis.evil = "in the page";</script>
<script src="https://example.org/evil.js"></script>
<script src="data:text/javascript,globalThis.evil=1"></script>
<img src="nowhere.png" alt="" onerror="globalThis.evil = 'in an attribute'">
<a href="javascript:globalThis.evil='in a link'" id="link">look</a>
<form action="https://example.org/" id="form"><button>send</button></form>
<iframe srcdoc="<script>parent.evil = 'in a frame'</script>"></iframe>
<base href="https://example.org/">
"""

TRIED = """
async () => {
  document.getElementById("link").click();
  document.getElementById("form").requestSubmit();
  await new Promise((done) => setTimeout(done, 500));
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["games/first-lessons/index.html", "trust.html"])
def test_markup_that_got_into_a_page_runs_nothing(browser: Browser, address: str, name: str) -> None:
    """RT-7. As if escaping had failed once: everything else on the page still works."""
    asked: dict[str, str | None] = {}

    def spoilt(page: Page) -> None:
        """The page with the markup in it, as the server sends it."""
        page.on("response", lambda answer: asked.update({answer.url: None}))
        page.on("requestfailed", lambda request: asked.update({request.url: request.failure}))
        page.route(
            f"**/{name}",
            lambda route: route.fulfill(
                response=(answer := route.fetch()), body=answer.text().replace("</article>", f"{EVIL}</article>")
            ),
        )
        page.goto(address + name)
        assert page.evaluate("document.querySelectorAll('#link, #form').length") == 2
        page.locator("label[title='Switch to dark']").click()
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: 'evil = 2' }))")
        page.wait_for_load_state("networkidle")
        page.evaluate(TRIED)
        assert page.url == address + name
        assert page.evaluate("globalThis.evil") is None

    context = browser.new_context()
    context.set_default_timeout(10_000)
    try:
        spoilt(context.new_page())
    finally:
        context.close()
    assert {why for url, why in asked.items() if not url.startswith((address, "data:"))} == {"csp"}


@pytest.mark.slow
def test_the_theme_and_the_pages_stay_within_the_policy(browser: Browser, address: str) -> None:
    """RT-7. Search with its worker, the palette, the replay, the desk; `opened` fails if a policy refuses anything."""
    with opened(browser) as page:
        page.add_init_script("addEventListener('securitypolicyviolation', (event) => console.error(event.blockedURI))")
        for name in ("404.html", "dice-check.html", "rulesets/diplomacy.html", "games/austria-alone/index.html"):
            page.goto(address + name)
        page.get_by_role("slider", name="Turn shown").fill("3")
        expect(page.locator("#replay .courtly-view > svg > title")).to_have_text("Spring 1902, movement")
        page.goto(address + "trust.html")
        page.locator(".md-search__input").fill("convoy")
        expect(page.locator(".md-search-result__item").first).to_be_visible()
        page.locator(".md-search__input").press("Enter")
        page.wait_for_url("**/play.html*")
        page.locator("label[title='Switch to dark']").click()
        page.reload()
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        page.goto(f"{address}desk.html#first-lessons/england")
        expect(page.locator(".view svg")).to_be_visible()


def test_scripts_are_found_as_a_browser_finds_them() -> None:
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>x</title></head><body>'
        "<!-- <script>no()</script> --><script>a('<b>');\r\nb() // &amp; </scr</script><script src='x.js'></script>"
        '<script type="application/json">{}</script><SCRIPT type="module">c()</SCRIPT></body></html>'
    )
    assert scripts_in(page) == ["a('<b>');\nb() // &amp; </scr", "c()"]
    given = with_policy(page)
    assert directives(given)["script-src"] == ["'self'", named("a('<b>');\nb() // &amp; </scr"), named("c()")]
    assert given.startswith('<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv=')
    assert with_policy(given) == given, "a page that has one gets no second"
    assert POLICY.sub("", given).replace("\n<title>", "<title>") == page


@pytest.mark.parametrize(
    ("page", "before"),
    [
        ("<p>short</p>", ""),
        ("<!DOCTYPE html>\n<p>short</p>", "<!DOCTYPE html>\n"),
        ("<html><head><title>x</title></head></html>", "<html><head>"),
        ("\n<!doctype html><html lang='de'><body></body></html>", "\n<!doctype html><html lang='de'>"),
    ],
)
def test_a_groups_own_page_gets_a_policy_before_anything_it_loads(page: str, before: str) -> None:
    assert with_policy(page).startswith(f'{before}<meta http-equiv="Content-Security-Policy"')


def test_a_page_keeps_the_policy_that_it_brings() -> None:
    """The package's own desk too, to the byte."""
    own = """<head><META content="default-src 'none'" http-equiv='content-security-policy'></head><body></body>"""
    assert with_policy(own) == own
    assert renewed(own.encode()) == own.encode()
    shown = "<head></head><body><meta http-equiv='Content-Security-Policy' content=''></body>"
    assert with_policy(shown).count("default-src 'self'") == 1, "what stands in the body is no reason to have none"


def test_a_page_for_another_address_gets_a_new_list_of_scripts() -> None:
    """A year's site is made from the main one's pages: the page for unknown addresses has paths in a script."""
    page = with_policy('<head><script>a=new URL("/games/",location)</script></head>').encode()
    main, year = "https://anna.github.io/games/", "https://anna.github.io/games-2025/"
    moved = Handbook(Path(), {}, year, year, "x", None, "", made_for=main).moved(page)
    assert scripts_in(moved.decode()) == ['a=new URL("/games-2025/",location)']
    assert directives(moved.decode())["script-src"] == ["'self'", named('a=new URL("/games-2025/",location)')]
    assert policy([]) in with_policy("<head></head>")
    assert "'sha256-" not in SERVED, "a browser that sees a hash passes over 'unsafe-inline'"
