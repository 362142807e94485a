"""Every form of an order that a rulebook prints can be read by its ruleset.

`tries` decides which spans count as such a form: code in a rulebook, or in a text beside it, that begins like a line of a sheet, like a key of a
sheet or of the house rules, or like an order of a unit. Blanks are filled with samples before it is read.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from adjudicator.core.contract.lines import BLANK, Lines, Misfit
from adjudicator.core.contract.ruleset import RULESETS, find, slugs
from adjudicator.core.text.codec import decode, keys
from adjudicator.core.text.loosely import fit
from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import read
from adjudicator.rulesets.grand_campaign.campaign import Configuration
from adjudicator.rulesets.grand_campaign.orders import reader_of as campaign_reader
from adjudicator.rulesets.heir_apparent.rounds import looked_at
from adjudicator.rulesets.heir_apparent.variables import TERMS
from adjudicator.rulesets.saga_of_the_nine.position import Vassal
from tests import laws
from tests.rulesets.noblesse_world import FORMS_OF_FARNA
from tests.tools.people import READINGS

SHIPPED = sorted(slug for slug in slugs() if find(slug).folder.parent == RULESETS)
UNTOLD = ("REHEARSALS.md", "SOURCES.md")
"""Texts beside a rulebook without orders: how rehearsals went, where rules come from."""
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`((?:[^`\n]|\n(?!\n))+)`")
UNIT = re.compile(r"(?:[AF]|Army|Fleet|Build|Disband|Waive|\{unit\}) \S|Waive$", re.IGNORECASE)
"""How an order of a unit begins."""
MARRIES = re.compile(r"Heir |Marry |\{number\} DP |\d+ ?(?:DP|:)|\w+ weds ")
"""How an order of an heir begins, and a bid."""
NUMBERED = re.compile(r"(?:\{(?:army|party|battle|skirmish)\}|[AGPBS]\d*): ?")
"""How a line of one army, party, battle or skirmish begins."""

SAMPLES: Mapping[str, Mapping[str, str]] = {
    "diplomacy": {},
    "al_andalus": {},
    "saga_of_the_nine": {
        "unit": "A Asgard",
        "place": "Himinbjorg",
        "major": "Aesir",
        "minor": "Permyak",
        "centre": "Permyak",
        "number": "2",
        "order": "H",
        "vassal": "vDA",
        "X": "Aesir",
    },
    "heir_apparent": {"NAME": "big", "TRIGGER": "kill_pending", "CARD": "hush", "X": "me", "condition": "not passing"},
    "noblesse": {},
    "grand_campaign": {
        "seat": "Ben",
        "other": "Cora",
        "goods": "300 gold",
        "price": "0404",
        "who": "Anna Gorm",
        "foe": "Hild",
        "moves": "E, Cultivate",
        "acts": "E, Explore Ruin",
        "purchases": "claim 0404",
    },
}
"""Samples for blanks where the forms themselves have none; names in capitals are blanks of a text."""
SEATS: Mapping[str, str] = {
    "diplomacy": "Austria",
    "al_andalus": "Seville",
    "saga_of_the_nine": "Dokkalfar",
    "heir_apparent": "First",
    "noblesse": "Anise",
    "grand_campaign": "Anna",
}
MOVES: Mapping[str, str] = {
    "diplomacy": "A Vienna - Galicia",
    "al_andalus": "A Seville - Carmona",
    "saga_of_the_nine": "A Asgard - Himinbjorg",
}
"""Games of provinces -> a move. A notation reads their lines; the other games have forms."""
LEAST: Mapping[str, int] = {
    "diplomacy": 7,
    "al_andalus": 7,
    "saga_of_the_nine": 24,
    "heir_apparent": 80,
    "noblesse": 54,
    "grand_campaign": 120,
}
"""Minimum number of forms that are tried."""


def texts(slug: str) -> Iterator[str]:
    """A rulebook, and the texts beside it."""
    for path in sorted(find(slug).folder.glob("*.md")):
        if path.name not in UNTOLD:
            yield path.read_text(encoding="utf-8")


def spans(slug: str) -> list[str]:
    """Every span of code outside blocks, on one line, each once."""
    found = (" ".join(span.split("\n")) for text in texts(slug) for span in SPAN.findall(FENCED.sub("", text)))
    return list(dict.fromkeys(found))


@functools.cache
def forms(slug: str) -> Mapping[str, Lines]:
    """Forms for lines of sheets: list -> its forms."""
    match slug:
        case "noblesse":
            return {"orders": FORMS_OF_FARNA}
        case "heir_apparent":
            return dict(looked_at(laws.first(find(slug))).reader.lines)  # type: ignore[arg-type]  # keys are texts
        case "grand_campaign":
            return dict(campaign_reader(laws.first(find(slug)).plan).lines)  # type: ignore[arg-type]  # keys are texts
    return {}


@functools.cache
def inside(slug: str) -> Mapping[str, Lines]:
    """Composite lines: the line that an item may appear in -> the items' forms."""
    if slug != "grand_campaign":
        return {}
    items = campaign_reader(laws.first(find(slug)).plan).items
    return {f"{head}: {{item}}": items[kind][0] for head, kind in (("A1", "moves"), ("P1", "acts"), ("G", "plan"))}


@functools.cache
def shown(slug: str) -> tuple[str, ...]:
    """Every form of a line, and of the items inside one."""
    return tuple(form for lines in (*forms(slug).values(), *inside(slug).values()) for form in lines.shown)


def filled(slug: str, span: str) -> str:
    """A span with samples in its blanks, in braces or in capitals."""
    samples = SAMPLES[slug]

    def sample(name: str) -> str:
        if name in samples:
            return samples[name]
        known = [lines for lines in (*forms(slug).values(), *inside(slug).values()) if name in lines.blanks]
        return next(filter(None, (lines.sample(f"{{{name}}}", samples) for lines in known)), f"{{{name}}}")

    def argument(name: str) -> str:
        return sample(name) if any(name in lines.blanks for lines in forms(slug).values()) else name

    text = BLANK.sub(lambda blank: sample(blank[1]), span)
    text = re.sub(r"(?<![\w-])[A-Z]+(?![\w-])", lambda word: samples.get(word[0], word[0]), text)
    if slug == "heir_apparent" and term_of(span):
        text = re.sub(r"(?<=[(, ])[a-z]+(?=[,)])", lambda word: argument(word[0]), text)
    return text


def term_of(span: str) -> str:
    """The number or flag of a condition at the start of a span, with its arguments if it takes any; otherwise empty."""
    found = re.match(r"(?:not )?(\w+)(\(|$| [<>!=])", span)
    if found is None or found[1] not in {**TERMS.numbers, **TERMS.flags}:
        return ""
    blanks = {**TERMS.numbers, **TERMS.flags}[found[1]]
    return found[1] if (found[2] == "(") is bool(blanks) and "..." not in span else ""


def house_rules(slug: str) -> tuple[type[Any], ...]:
    """The types of a game's house rules."""
    return (find(slug).types.settings, *((Configuration,) if slug == "grand_campaign" else ()))


def tries(slug: str, span: str) -> str:
    """Kind of a span in a rulebook: a `key` of a sheet, a `setting`, a `condition`, an `ending`, a `line`, or empty for none of them.

    A line has a form's own text, or several words that start like a form; or it has a blank in angle brackets.
    """
    rules = find(slug)
    head, colon, _ = span.partition(": ")
    if colon and any(head in keys(kind) for kind in house_rules(slug)):
        return "setting"
    if colon and any(head in keys(kind) for kind in rules.types.sheets.values()):
        return "key"
    if slug in MOVES:
        marries = slug == "saga_of_the_nine" and MARRIES.match(span) is not None
        return "ending" if span == "via convoy" else "line" if marries or UNIT.match(span) else ""
    if slug == "heir_apparent" and re.match(r" ?(?:if|as|again)\b", span):
        return "ending"
    if slug == "heir_apparent" and term_of(span):
        return "condition"
    first = re.match(r"[A-Za-z]+", span)
    opens = (
        first is not None
        and re.search(r"\w[ (:]+\S", span) is not None
        and any(re.match(rf"{first[0]}\b", form) for form in shown(slug))
    )
    numbered = slug == "grand_campaign" and NUMBERED.match(span) is not None
    return "line" if span in shown(slug) or opens or numbered or re.search(r"<\w+>", span) else ""


def is_read(slug: str, what: str, span: str) -> bool:
    """True if a span can be read as this kind."""
    text = filled(slug, span)
    match what:
        case "setting":
            return any(_decoded(kind, text) for kind in house_rules(slug) if text.partition(":")[0] in keys(kind))
        case "key":
            return _is_sheet(slug, text)
        case "ending":
            return _reads(slug, f"{MOVES.get(slug, 'play hush')} {text.strip()}")
        case "condition":
            flag = term_of(span) in TERMS.flags or re.search(r"[<>=]", span) is not None
            return _reads(slug, text if flag else f"{text} >= 0")
    return _reads(slug, text)


def _is_sheet(slug: str, text: str) -> bool:
    """True if a text is a sheet, or a part of one, and every line in it can be read."""
    plain = read(text.encode(), "span.yaml")
    assert isinstance(plain.data, dict)
    for kind in find(slug).types.sheets.values():
        if not {*plain.data} <= {*keys(kind)}:
            continue
        sheet = _decoded(kind, text)
        if sheet is None:
            return False
        named = {*keys(kind)} & ({*forms(slug)} or {"orders", "bids", "order"})
        if "city" in plain.data:
            return True  # hexes to begin at, not lines: tests/site/test_first_turn.py reads them
        said = [getattr(sheet, name) or () for name in sorted(named)]
        return all(_reads(slug, line) for value in said for line in ([value] if isinstance(value, str) else value))
    return False


def _decoded(kind: type[Any], text: str) -> Any:
    """The content of a text as a file of this kind; None if it cannot be read."""
    try:
        return decode(kind, fit(kind, read(text.encode(), "span.yaml")))
    except Problems:
        return None


def _reads(slug: str, line: str) -> bool:
    if slug in MOVES:
        now, seat = _position(slug), SEATS[slug]
        lists = ("orders", "bids") if slug == "saga_of_the_nine" else ("orders",)
        return any(READINGS[slug](now, seat, key, line) is not None for key in lists)
    lines = [line, *(around.replace("{item}", line) for around in inside(slug))]
    if slug == "grand_campaign":
        reader = campaign_reader(laws.first(find(slug)).plan)
        return any(hasattr(reader.read(part, one), "kind") for part in reader.lines for one in lines)
    return any(not isinstance(some.read(line), Misfit) for some in forms(slug).values())


@functools.cache
def _position(slug: str) -> Any:
    """A first position; in Saga of the Nine one with a Vassal, so that it can be named."""
    now = laws.first(find(slug))
    if slug != "saga_of_the_nine":
        return now
    vassal = Vassal(giver="Dokkalfar", receiver="Aesir", capital="Permyak", born=1)
    return replace(now, vassals={"vDA": vassal})


@pytest.mark.parametrize("slug", SHIPPED)
def test_every_form_that_a_rulebook_prints_is_read(slug: str) -> None:
    tried = {span: what for span in spans(slug) if (what := tries(slug, span))}
    unread = [
        f"{span} ({what}, as {filled(slug, span)!r})" for span, what in tried.items() if not is_read(slug, what, span)
    ]
    print(f"{slug}: {len(tried)} of {len(spans(slug))} spans of code tried")
    assert unread == []
    assert len(tried) >= LEAST[slug]


@pytest.mark.parametrize("slug", SHIPPED)
def test_every_block_that_a_rulebook_prints_is_a_sheet_whose_lines_are_read(slug: str) -> None:
    blocks = [block for text in texts(slug) for kind, block in FENCED.findall(text) if kind == "yaml"]
    assert blocks
    assert [block for block in blocks if not _is_sheet(slug, block)] == []


def test_unreadable_forms_are_detected() -> None:
    """The rule recognises text that looks like a line, and detects lines that cannot be read."""
    for slug, span in (
        ("grand_campaign", "golden age at <hex>"),
        ("grand_campaign", "joust: fee 50"),
        ("heir_apparent", "join lord-marrow against support"),
        ("noblesse", "Tax wheat at B2"),
        ("diplomacy", "A Paris - Xanadu"),
        ("al_andalus", "order: A Seville over Carmona"),
        ("diplomacy", "draws: perhaps"),
        ("saga_of_the_nine", "2 DP to F Permyak Marry Aesir's Heir"),
    ):
        what = tries(slug, span)
        assert what, span
        assert not is_read(slug, what, span), span
