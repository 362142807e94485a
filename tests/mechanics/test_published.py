"""Orders as forums, magazines, judges and servers publish them: read as they are meant, or refused; never read as anything else (HO-3, HO-5, HO-6).

A file holds lines and what they mean. Where a line leaves the kind of a unit or a coast out, the unit of the position supplies it, so only the
places and the kind of order are compared.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator.mechanics.boards import load_board
from adjudicator.mechanics.movement import Named
from adjudicator.mechanics.notation import AnyOrder, Fault, Notation
from tests.conftest import FUZZ

ROOT = Path(__file__).parent.parent.parent
FILES = sorted((ROOT / "tests/data/published").glob("*.txt"))
SHARE = 0.97
"""Least share of all lines that are read, or rightly refused."""
NOTATION = Notation(load_board(ROOT / "adjudicator/rulesets/diplomacy/boards/standard"))


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file, each with the order that it means; `-` if it must be refused."""
    for line in path.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            text, _, meant = line.rpartition(" | ")
            yield text.strip(), meant.strip()


def bare(order: AnyOrder) -> AnyOrder:
    """An order without kinds of units and coasts,."""
    said: dict[str, Any] = {
        one.name: replace(value, kind="", coast="")
        for one in fields(order)
        if isinstance(value := getattr(order, one.name), Named)
    }
    if hasattr(order, "coast"):
        said["coast"] = ""
    return replace(order, **said)


def judged(text: str, meant: str) -> str:
    """`read`, `refused` (also if the answer gives each of several orders a line), `unread` or `wrong`."""
    order = NOTATION.read(text)
    if isinstance(order, Fault):
        several = " + " in meant and order.right.startswith("write one order a line: ")
        return "refused" if meant == "-" or several else "unread"
    if meant == "-":
        return "wrong"
    wanted = NOTATION.read(meant)
    assert not isinstance(wanted, Fault), meant
    return "read" if bare(order) == bare(wanted) else "wrong"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_published_line_is_read_as_anything_else(path: Path) -> None:
    found = [(text, judged(text, meant)) for text, meant in lines(path)]
    assert len(found) >= 9
    assert [text for text, what in found if what == "wrong"] == []


def test_nearly_all_published_lines_are_read() -> None:
    found = [judged(text, meant) for path in FILES for text, meant in lines(path)]
    assert len(found) >= 160
    assert sum(what in ("read", "refused") for what in found) >= SHARE * len(found)


def test_no_place_is_guessed_for_a_word_that_is_none() -> None:
    """UX-18: `blah` became the Black Sea."""
    order = NOTATION.read("blah")
    assert isinstance(order, Fault)
    assert "Black" not in order.what + order.right


def test_every_dash_and_arrow_of_unicode_is_one() -> None:
    """HO-5: word processors, spreadsheets and telephones write them."""
    dashes = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Pd"] + ["−"]
    arrows = ["→", "⇒", "⇨", "➔", "➙", "➜", "➝", "➞", "➡", "⟶", "⟹", "»", "›"]
    unread = [mark for mark in (*dashes, *arrows) for order in [NOTATION.read(f"A PAR {mark} BUR")]
              if isinstance(order, Fault) or NOTATION.write(order) != "A Paris - Burgundy"]  # fmt: skip
    assert [f"{mark} {ord(mark):04X}" for mark in unread] == []


WITHDRAWN = ("not ", "don't ", "no ", "cancel ", "if free ")


def test_no_published_line_is_read_without_words_that_take_it_back() -> None:
    tried = [f"{before}{text}" for path in FILES for text, meant in lines(path) if meant != "-" for before in WITHDRAWN]
    assert len(tried) > 700
    assert [text for text in tried if not isinstance(NOTATION.read(text), Fault)] == []


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("A War-Gal, A Mos-Ukr", "write one order a line: A Warsaw - Galicia; A Moscow - Ukraine"),
        ("army paris moves to burgundy; a mar s par - bur; f bre -> mid",
         "write one order a line: A Paris - Burgundy; A Marseilles S Paris - Burgundy; F Brest - Mid-Atlantic Ocean"),
        ("A Par H and A Mar H", "write one order a line: A Paris H; A Marseilles H"),
    ],
)  # fmt: skip
def test_of_several_orders_on_a_line_none_is_lost(line: str, right: str) -> None:
    """HO-6: the advice was to remove all but the first."""
    order = NOTATION.read(line)
    assert isinstance(order, Fault)
    assert order.right == right


# Mutated lines ----------------------------------------------------------------------------------------------------

MEANT = [(text, meant) for path in FILES for text, meant in lines(path) if judged(text, meant) == "read"]
ALL = 200_000
"""Number of mutated lines in `nox -s fuzz`; by default a part of them."""
HARMLESS: tuple[Callable[[str, random.Random], str], ...] = (
    lambda line, dice: line.upper(),
    lambda line, dice: line.lower(),
    lambda line, dice: f"{' ' * dice.randrange(4)}{line}{' ' * dice.randrange(4)}",
    lambda line, dice: re.sub(r" ", lambda _: " " * dice.randrange(1, 3), line),
    lambda line, dice: line.replace(" ", "\u00a0"),
    lambda line, dice: re.sub(r"(?<=\w) (?:->|→|-) (?=\w)", f" {dice.choice('-–—→‐−➜')} ", line),
    lambda line, dice: f"{dice.choice(('* ', '- ', '• ', '1. ', '12) ', '> ', '[b]', '**'))}{line}",
    lambda line, dice: f"[i]{line}[/i]",
    lambda line, dice: f"{line}{dice.choice(('.', ' (bounce)', ' [cut]', ' (success)', ' !'))}",
    lambda line, dice: f'"{line}"',
)
"""Changes that keep what a line means: it is read as before, or refused."""
WORDS = re.compile(r"[A-Za-z]{3,}")
RESULTS = re.compile(r"\(|\[|\bbounced\b|#", re.IGNORECASE)
"""The beginning of results and remarks, whose words mean nothing to the order."""
HARMFUL: tuple[Callable[[str, random.Random], str], ...] = (
    lambda line, dice: f"{dice.choice(WITHDRAWN)}{line}",
    lambda line, dice: (
        f"{line} {dice.choice(('unless it bounces', 'if free', 'or hold', 'maybe', '(preliminary)', 'instead of holding'))}"
    ),
    lambda line, dice: replaced(line, "".join(dice.choices("qxzjk", k=6)), dice),
    lambda line, dice: f"{line} {dice.choice(('xyzzy', 'blah', 'A Par', '- Foo'))}",
)
"""Changes that take a line back, or leave a word that nobody can read: it must be refused."""


def replaced(line: str, word: str, dice: random.Random) -> str:
    """A line with one of its longer words replaced."""
    end = RESULTS.search(line)
    found = [one for one in WORDS.finditer(line) if end is None or one.start() < end.start()]
    if not found:
        return f"{line} {word}"
    one = dice.choice(found)
    return line[: one.start()] + word + line[one.end() :]


@pytest.mark.parametrize("part", range(4))
def test_no_mutated_line_is_read_as_anything_else(part: int) -> None:
    """UX-18, HO-5: 0 wrong readings over 200,000 lines; `nox -s fuzz` tries them all."""
    wrong: list[tuple[str, str]] = []
    read = 0
    for number in range(ALL // 4 if FUZZ else 1_500):
        dice = random.Random(f"{part}:{number}")
        text, _ = dice.choice(MEANT)
        wanted = bare(NOTATION.read(text))  # type: ignore[arg-type]  # these lines are read
        line = text
        for _ in range(dice.randrange(1, 4)):
            line = dice.choice(HARMLESS)(line, dice)
        harmful = dice.random() < 0.5
        if harmful:
            line = dice.choice(HARMFUL)(line, dice)
        order = NOTATION.read(line)
        if isinstance(order, Fault):
            continue
        read += 1
        if harmful or bare(order) != wanted:
            wrong.append((line, NOTATION.write(order)))
    assert wrong == []
    assert read > 100


def test_patterns_go_to_the_desk_in_a_form_that_browsers_read_too() -> None:
    """Python writes a named group as `(?P<name>`, browsers as `(?<name>`."""
    around = NOTATION.spelling().around
    assert any("(?<route>" in found for found, _ in around)
    assert not any("(?P" in found for found, _ in around)
