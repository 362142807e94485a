"""Rulebooks: links to their rules, and worked examples under them."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

from markupsafe import Markup

from adjudicator.core.contract.resolution import Example, Verdict
from adjudicator.core.contract.rulebook import RULE_LINE, rules_in
from adjudicator.core.contract.ruleset import Ruleset, find, slugs
from adjudicator.core.files.disk import Own
from adjudicator.core.files.places import own_text
from adjudicator.site.boards import Boards
from adjudicator.site.markup import join, link, tag


def anchor(rule: str) -> str:
    """A rule's anchor on its rulebook page."""
    return rule.lower()


@functools.cache
def rulebook_of(rule: str, slug: str) -> str:
    """The ruleset whose rulebook has a rule: the game's ruleset, or one that it builds on."""
    prefix = rule.partition("-")[0]
    return next((name for name in (slug, *slugs()) if find(name).about.prefix == prefix), slug)


def rule_link(root: str, slug: str, rule: str) -> Markup | str:
    """A rule's number as a link to its rulebook."""
    if not rule:
        return ""
    return link(rule, f"{root}rulesets/{rulebook_of(rule, slug)}.html#{anchor(rule)}", class_="courtly-rule")


def sign_of(verdict: Verdict) -> tuple[str, str]:
    """The sign of a verdict and the class of its row. The page shows the result in words as well."""
    if verdict.ok:
        return "✓", "courtly-good"
    if verdict.unused:
        return "–", "courtly-waits"
    return "✗" if verdict.known else "?", "courtly-bad"


def example_box(rules: Ruleset[Any, Any, Any], example: Example[Any, Any], boards: Boards | None = None) -> Markup:
    """A worked example of a rulebook: the position, the orders, and their results."""
    done = example.resolution
    rows = [
        tag(
            "li",
            tag("span", sign_of(verdict)[0], class_="courtly-sign", aria_hidden="true"),
            tag("strong", verdict.order, class_="courtly-order"),
            tag("span", verdict.seat, class_="courtly-result"),
            tag(
                "span",
                rules.words.tell(example.position, verdict),
                " ",
                rule_link("../", rules.about.slug, verdict.rule),
                class_="courtly-why",
            ),
            class_=sign_of(verdict)[1],
        )
        for verdict in done.verdicts
        if not verdict.idle
    ]
    told = " ".join(rules.words.tell(example.position, event) for event in done.events)
    return tag(
        "details",
        tag("summary", "Example: ", example.title),
        tag("p", f"{rules.when(example.position)}. {example.about}".strip()),
        boards.figure(example) if boards is not None else None,
        tag("ul", join(rows), class_="courtly-orders") if rows else None,
        tag("p", told) if told else None,
        class_="courtly-example",
    )


def introduce(book: str, rules: Ruleset[Any, Any, Any]) -> str:
    """A rulebook with the ruleset's description under its title."""
    title, newline, rest = book.partition("\n")
    about = rules.about
    lead = f"*Designed by {about.designer}, for {about.players} players.* {about.summary} {about.licence}"
    more = [
        f"[{own_text(path).partition(chr(10))[0].removeprefix('# ')}]({about.slug}-{path.stem.lower()}.md)"
        for path in beside(rules)
    ]
    if rules.cards is not None:
        # In HTML, because the theme would look for a page of Markdown.
        more.append(f'<a href="{about.slug}/cards/index.html">All cards, face up</a>')
    see = f"\nSee also: {', '.join(more)}.\n" if more else ""
    return f"{title}{newline}\n{lead}\n{see}{rest}"


def beside(rules: Ruleset[Any, Any, Any]) -> list[Path]:
    """The Markdown files in a ruleset's folder besides the rulebook, sorted by name."""
    return [path for path in Own(rules.folder).paths(rules.folder, "*.md") if path.name != "RULES.md"]


def with_anchors(book: str) -> str:
    """A rulebook's Markdown with an anchor at every numbered rule."""
    return RULE_LINE.sub(
        lambda match: f'<a id="{anchor(match[1])}" href="#{anchor(match[1])}">**{match[1]}**</a>', book
    )


def with_examples(book: str, rules: Ruleset[Any, Any, Any], boards: Boards | None = None) -> str:
    """A rulebook, before it has anchors, with the worked examples of each rule folded under it.

    An example of several rules comes under the first of them that this book has. `boards` makes and keeps their pictures;
    without it they have none.
    """
    known = frozenset(rules_in(book))
    boxes_of: dict[str, list[str]] = {}
    for example in rules.examples():
        body = str(example_box(rules, example, boards)).replace("\n", " ")
        boxes_of.setdefault(next(rule for rule in example.rules if rule in known), []).append(body)
    parts = re.split(rf"(?={RULE_LINE.pattern.replace('(', '(?:', 1)})|(?=^## )", book, flags=re.MULTILINE)
    out = []
    for part in parts:
        rule = RULE_LINE.match(part)
        boxes = boxes_of[rule[1]] if rule and rule[1] in boxes_of else []
        out.append(part.rstrip("\n") + "\n\n" + "".join(f"{box}\n\n" for box in boxes))
    return "".join(out)
