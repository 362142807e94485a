"""Faults as values: their text, and their place, which every fault has."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.text.problems import Problem, Problems, contain_errors, nearest, plain, problem, with_path
from tests.conftest import examples

LAW = examples(200)


def test_a_problem_reads_as_path_line_column_what_right() -> None:
    assert str(Problem("f.yaml", 3, 7, "wrong", "right")) == "f.yaml:3:7: wrong; right"
    assert str(Problem("f.yaml", 3, 0, "wrong")) == "f.yaml:3: wrong"
    assert str(Problem("f.yaml", 0, 7, "wrong")) == "f.yaml: wrong"
    assert str(Problem("", 0, 0, "wrong", "right")) == "wrong; right"


def test_problems_are_sorted_by_place_and_listed_once() -> None:
    many = [Problem("b", 1, 1, "x"), Problem("a", 10, 1, "x"), Problem("a", 9, 2, "x"), Problem("b", 1, 1, "x")]
    assert str(Problems(many)) == "a:9:2: x\na:10:1: x\nb:1:1: x"


@LAW
@given(st.text(max_size=40))
def test_shown_text_is_one_line_without_hidden_characters(text: str) -> None:
    shown = plain(text)
    assert len(shown.splitlines()) <= 1
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert plain(shown) == shown


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("Finnland", "did you mean 'Finland'?"),
        ("FINLAND", "did you mean 'Finland'?"),
        ("zzz", ""),
        ("", ""),
        ("x" * 10_000, ""),
    ],
)
def test_the_nearest_right_word_is_suggested(word: str, right: str) -> None:
    assert nearest(word, ["Norway", "Finland", "Sweden"]) == right


@pytest.mark.parametrize(
    ("word", "allowed"),
    [
        ("blah", ["BLA", "Black Sea", "Blest"]),
        ("blah.yaml", ["italy.yaml", "austria.yaml"]),
        ("blah", ["black", *(f"place {number}" for number in range(40))]),
    ],
)
def test_nothing_unlikely_is_suggested(word: str, allowed: list[str]) -> None:
    """FH-16. `blah` was taken for the Black Sea, by its code, and any file name resembles another by its ending."""
    assert nearest(word, allowed) == ""


@pytest.mark.parametrize(
    ("word", "right"), [("mnu", "MUN"), ("itlay.yaml", "italy.yaml"), ("Fnland", "Finland"), ("paws", "pause")]
)
def test_a_slip_still_gets_a_suggestion(word: str, right: str) -> None:
    """FH-16."""
    allowed = [right, "MUN", "Norway"] if "." not in word else [right, "austria.yaml"]
    assert nearest(word, allowed) == f"did you mean {right!r}?"


def test_problems_without_a_place_get_one_and_others_keep_theirs() -> None:
    with pytest.raises(Problems) as caught, with_path("games/a"):
        raise Problems([Problem("", 0, 0, "one"), Problem("f", 2, 0, "two")])
    assert str(caught.value) == "f:2: two\ngames/a: one"


def test_an_unforeseen_error_becomes_a_problem_and_keeps_its_cause() -> None:
    with pytest.raises(Problems) as caught, with_path("x"), contain_errors("games/a"):
        raise KeyError("Atlantis")
    assert str(caught.value).startswith("games/a: courtly failed here: KeyError: 'Atlantis' (test_problems.py:")
    assert isinstance(caught.value.__cause__, KeyError)
    with pytest.raises(Problems, match=r"^f: known$"), contain_errors("games/a"):
        raise problem("f", "known")
    with pytest.raises(OSError, match="disk"), contain_errors("games/a"):
        raise OSError("disk")
