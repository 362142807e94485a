"""The text that readers see on pages of games: sentences and names, never the notation of files or templates (UX-9)."""

from __future__ import annotations

import html
import re
from collections import Counter
from pathlib import Path

import pytest

from adjudicator.core.contract.ruleset import find, slugs

HIDDEN = re.compile(r"<(script|style|pre|code|template|title|desc)\b.*?</\1>", re.DOTALL)
BLOCK = re.compile(r"<(?:p|li|td|th|h\d|div|tr|text|figcaption|summary|br|section)\b[^>]*>")
ARTICLE = re.compile(r"<article.*?</article>", re.DOTALL)
NOTATION = re.compile(r"[{}]|\w#\d|\bNone\b|\bundefined\b|Traceback")
"""A blank of a template, a copy of a card, or what a program says by mistake."""
RULE_FIRST = re.compile(r"(?:^|[.!?] )(?:By |By rule )?[A-Z0-9]{2}-[A-Z]-\d+[,:]", re.MULTILINE)
"""A sentence that begins with the number of a rule."""


def visible(page: str) -> str:
    """The text of a page's article as a reader sees it, without code."""
    article = ARTICLE.search(page)
    text = BLOCK.sub("\n", HIDDEN.sub(" ", article[0] if article else ""))
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def test_the_text_of_a_page_is_found() -> None:
    page = "<article><p>He took {n}</p><code>{x}</code><svg><title>a#1</title></svg>a<b>b</b> &amp; c</article>{"
    assert visible(page).split() == ["He", "took", "{n}", "ab", "&", "c"]
    assert NOTATION.findall(visible(page)) == ["{", "}"]


@pytest.fixture(scope="module")
def texts(site: Path) -> dict[str, str]:
    """Page of a game -> its visible text."""
    pages = [
        *(site / "games").rglob("*.html"),
        *(site / "rulesets").glob("*/**/*.html"),
        *(site / "players").rglob("*.html"),
    ]
    pages += [site / "index.html", site / "players.html"]
    return {path.relative_to(site).as_posix(): visible(path.read_text(encoding="utf-8")) for path in pages}


@pytest.mark.slow
def test_no_page_of_a_game_shows_notation(texts: dict[str, str]) -> None:
    assert sum(bool(text.strip()) for text in texts.values()) > 300
    found = {page: NOTATION.findall(text)[:5] for page, text in texts.items() if NOTATION.search(text)}
    assert found == {}


@pytest.mark.slow
def test_no_sentence_begins_with_the_number_of_a_rule(texts: dict[str, str]) -> None:
    found = {page: RULE_FIRST.findall(text)[:3] for page, text in texts.items() if RULE_FIRST.search(text)}
    assert found == {}


@pytest.mark.slow
def test_cards_have_their_titles(texts: dict[str, str]) -> None:
    """`marsh-lights` is for orders; readers see Marsh Lights. Only a card's face shows both."""
    names = {card.name for slug in slugs() if (cards := find(slug).cards) is not None for card in cards.shipped()}
    names = {name for name in names if "-" in name}
    assert len(names) > 60
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(names, key=len, reverse=True))})\b")
    pages = {page: text for page, text in texts.items() if page.startswith("games/") and "/cards/" not in page}
    found = Counter(name for text in pages.values() for name in pattern.findall(text))
    assert found == {}
