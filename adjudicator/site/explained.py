"""Tables of everything that can be set and written, made from a ruleset's types: a new ruleset needs no edits to any page.

Only our text goes in: names of fields and their descriptions in the source. The result is ordinary Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.core.contract.rulebook import RULE_ID
from adjudicator.core.contract.ruleset import Ruleset, find, slugs
from adjudicator.core.text.codec import label_of, schema

SETTINGS = "<!-- every setting of every ruleset -->"
"""Marks the place of the settings tables on the page for hosts."""
SETTING = ("setting, and its values (default first)", "what it does")
KEY = ("key, and what it is", "what it says")
"""Two columns, because a phone is not wide enough for three."""
Rules = Ruleset[Any, Any, Any]


def all_settings(here: str = "rulesets/") -> str:
    """The settings of every ruleset, each under its title, as Markdown."""
    parts = []
    for slug in slugs():
        rules = find(slug)
        rows = list(_settings(rules, here))
        body = _table(SETTING, rows) if rows else "No house rules."
        parts.append(f"### {rules.about.title}\n\n{body}")
    return "\n\n".join(parts)


def appendix(rules: Rules) -> str:
    """The text below a rulebook, as Markdown: its settings, and the keys of each type of sheet."""
    parts = []
    if rows := list(_settings(rules, "")):
        parts.append("## House rules\n\n" + _table(SETTING, rows))
    for name, kind in rules.types.sheets.items():
        title = "What a sheet may say" if name == "sheet" else f"What a {name.replace('-', ' ')} may say"
        rows = list(_rows(schema(kind, "", ""), ""))
        parts.append(f"## {title}\n\n" + _table(KEY, rows))
    if rules.decisions is not None:
        rows = list(_rows(schema(rules.decisions.kind, "", ""), ""))
        sealed = (
            "It is hidden while the game runs: `courtly seal games/GAME/TURN/ruling.yaml` seals the ruling, and `courtly check "
            "--host` shows what is waiting for one.\n\n"
        )
        told = sealed if rules.decisions.hidden else ""
        parts.append("## What the host may decide (`decide:` in a ruling)\n\n" + told + _table(KEY, rows))
    return "\n\n".join(parts) + "\n"


def _settings(rules: Rules, here: str) -> Iterator[tuple[str, str]]:
    yield from _rows(schema(rules.types.settings, "", ""), here)


def _rows(body: Mapping[str, Any], here: str) -> Iterator[tuple[str, str]]:
    for key, spec in body.get("properties", {}).items():
        yield f"`{key}`<br>{_values(spec, body.get('$defs', {}))}", _link_rules(_said(key, spec), here)


def _said(key: str, spec: Mapping[str, Any]) -> str:
    """A field's title and description as sentences; a title that only repeats the key is left out."""
    title = spec.get("title", "")
    return " ".join(filter(None, (title and title != label_of(key) and f"{title}.", spec.get("description"))))


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    lines = [head, ("---",) * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _values(spec: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    """The values that a field may have, default first, or a description of them."""
    options = [spec, *spec.get("anyOf", ())]
    options = [definitions.get(option.get("$ref", "").rpartition("/")[2], {}) | option for option in options]
    default = spec.get("default")
    for option in options:
        if choices := option.get("enum"):
            first = [default] if default in choices else []
            return ", ".join(f"`{choice}`" for choice in [*first, *(each for each in choices if each not in first)])
    kinds = {option.get("type") for option in options}
    least, most = ([option[word] for option in options if word in option] for word in ("minimum", "maximum"))
    words = "text"
    if "boolean" in kinds:
        words = "`true`, `false`" if default is True else "`false`, `true`"
    elif "integer" in kinds:
        words = "a number" + (f" from {least[0]}" if least else "") + (f" to {most[0]}" if most else "")
        words = f"`{default}`, or {words}" if isinstance(default, int) else words
    elif "array" in kinds:
        words = "a list"
    elif "object" in kinds:
        words = "keys with values"
    elif any(option.get("format") == "seat" for option in options):
        words = "a seat"
    elif isinstance(default, str) and default:
        words = f"`{default}`, or another name"
    return words


def _link_rules(text: str, here: str) -> str:
    """Replace every rule's number in the text with a link to its rulebook."""
    books = {find(slug).about.prefix: slug for slug in slugs()}

    def link(match: re.Match[str]) -> str:
        slug = books.get(match[1])
        return f"[{match[0]}]({here}{slug}.md#{match[0].lower()})" if slug else match[0]

    return RULE_ID.sub(link, text)
