"""The pages of the theme and the order desk have the same colours and typefaces, by light and in the dark."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

ASSETS = ROOT / "site_src/assets"
SAME = {
    "--courtly-paper": "--paper",
    "--courtly-raised": "--card",
    "--courtly-ink": "--ink",
    "--courtly-good": "--good",
    "--courtly-bad": "--bad",
    "--courtly-press": "--main",
    "--courtly-title": "--title",
    "--md-typeset-a-color": "--link",
}
"""A variable of the theme's pages -> the desk's."""


def values(file: str, *selectors: str) -> dict[str, str]:
    """The variables that a style sheet sets in its first rules with these selectors."""
    text = (ASSETS / file).read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for selector in selectors:
        rule = re.search(rf"^{re.escape(selector)} \{{\n(.*?)^\}}", text, re.MULTILINE | re.DOTALL)
        assert rule, (file, selector)
        found |= dict(re.findall(r"^  (--[\w-]+): (.*);$", rule[1], re.MULTILINE))
    return found


@pytest.mark.parametrize(
    ("pages", "desk"),
    [
        (values("courtly.css", ":root", '[data-md-color-scheme="default"]'), values("desk.css", ":root")),
        (values("courtly.css", '[data-md-color-scheme="slate"]'), values("dark.css", ":root")),
    ],
    ids=["light", "dark"],
)
def test_pages_and_desk_have_the_same_colours(pages: dict[str, str], desk: dict[str, str]) -> None:
    shared = {name: pages[name] for name in SAME if name in pages}
    assert len(shared) >= 7
    assert shared == {name: desk[SAME[name]] for name in shared}
