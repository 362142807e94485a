"""Everybody reads the same YAML: with libyaml, and without it, as in a browser."""

from __future__ import annotations

from collections import Counter

import pytest

from adjudicator.core.text.problems import Problems
from adjudicator.core.text.yamltext import QUICK, read
from tests.mutations import asked, asked_in_the_page, search


def test_both_parsers_read_damaged_texts_the_same_way() -> None:
    """Data, marks and joined lines, or every word of every fault; `python -m tests.mutations` tries 50,000."""
    assert QUICK is not None, "libyaml's parser is not here, so there is nothing to compare"
    counted: Counter[str] = Counter()
    for text, native, page in search(2500, 11):
        assert native == page, text
        counted["refused" if isinstance(native, list) else "read"] += 1
    assert min(counted["refused"], counted["read"]) > 500, counted


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("orders:\n- A Paris S\tA Burgundy - Ruhr\n", ["x.yaml:2:12: not YAML: a tab; indent with spaces"]),
        (
            "orders:\n- Disband A Livonia\n:\n",
            ["x.yaml:3:1: a colon with no key before it; write the key, or leave the colon out"],
        ),
        ("? a\n?\n", ["x.yaml:2:2: a colon with no key before it; write the key, or leave the colon out"]),
        ("a: {seat:Ann}\n", ["x.yaml:1:5: not YAML: a colon in a text between brackets; put the text in quotes"]),
        ("a: | b\n", ["x.yaml:1:6: not YAML: a text that begins with | or >; put the text in quotes"]),
        ("a: & b\n", ["x.yaml:1:5: not YAML: a text that begins with & or *; put the text in quotes"]),
        ("a: - b\n", ["x.yaml:1:4: not YAML: a list entry follows other text on its line; begin it on a new line"]),
        (
            "one\na: b\n",
            ["x.yaml:2:2: not YAML: a colon in the middle of a text; leave it out, or put the text in quotes"],
        ),
        ("a: |\n  \tb\n", ["x.yaml:1:4: a line that begins with a tab; indent with spaces"]),
        ("a: {b: why?}\n", ["x.yaml:1:8: a question mark in a text between brackets; put the text in quotes"]),
        ("%FOO\n---\na: b\n", ["x.yaml:1:1: a YAML directive; remove the line that begins with %"]),
        ("a: b\n...\n...\n", ["x.yaml:3:1: a second document; one file holds one document; remove the ---"]),
        (
            "note: |\n  \n    x\n",
            ["x.yaml:1: not YAML: a line before this has fewer spaces than the first; indent all of this text alike"],
        ),
        *(
            (
                odd,
                [
                    f"x.yaml:{line}: not YAML: an escape or a directive that nobody can read; look below this line, and leave it out"
                ],
            )
            for odd, line in (
                (r'a: "\U00110000"', 1),
                (r'a: "\UFFFFFFFF"', 1),
                ("%YAML 1.3\n---\na: b", 1),
                (f"%YAML 1.{'9' * 5000}\n---\na: b", 1),
            )
        ),
        ("a: b\r", ["x.yaml:1:5: a control character (U+000D); remove it"]),
        ("a: b\r\r\n", ["x.yaml:1:5: a control character (U+000D); remove it"]),
    ],
)
def test_texts_that_the_parsers_read_differently_are_refused_in_the_same_words(source: str, said: list[str]) -> None:
    """B1; the last two caused a traceback: a file may end in a lone carriage return."""
    assert asked(source.encode()) == said
    assert asked_in_the_page(source.encode()) == said


def test_a_missing_value_has_the_place_of_its_key() -> None:
    text = read(b"orders: []\nbids:\nfinal: true\nlist:\n-\n- {a: 1, b: }\n", "x.yaml")
    assert text.mark(("bids",)) == (2, 1)
    assert text.mark(("list", 0)) == (5, 2)
    assert text.mark(("list", 1, "b")) == (6, 10)


def test_a_damaged_file_that_the_program_wrote_is_refused_without_a_slow_reading() -> None:
    source = b"a:\n" + b"- {b: 1}\n" * 100_000 + b"- {b: 1\n"
    with pytest.raises(Problems, match="a bracket before this is not closed"):
        read(source, "x.yaml", limit=4 << 20)


@pytest.mark.parametrize(
    "source",
    [
        "---",
        "--- ",
        "--- # c",
        "--- #- :",
        "# c",
        "",
        "['a':b]",
        'x: ["a" :b]',
        "note: |# c\n  x",
        "n: |2#\n   x",
        "a: !<%ED%A0%80> b",
    ],
)
def test_both_parsers_read_odd_texts_the_same_way(source: str) -> None:
    assert asked(source.encode()) == asked_in_the_page(source.encode())


def test_half_a_character_is_refused_even_in_the_programs_own_files() -> None:
    for escape in (r"\uD800", r"\uD83D\uDE00"):
        with pytest.raises(Problems, match="half a character, written as an escape"):
            read(f'a: "{escape}"\n'.encode(), "x.yaml", limit=4 << 20)
