"""Lines of orders with endings on any form, and words with other names."""

from __future__ import annotations

import pytest

from adjudicator.core.contract.conditions import Terms
from adjudicator.core.contract.lines import Blank, Lines, Misfit

LINES = Lines(
    {"": ("go to {place}", "wait", "bid {number} for {place}")},
    {
        "place": Blank(words=("old-mill", "the-gate")),
        "number": Blank(words=("1", "2")),
        "condition": Blank(terms=Terms(numbers={"rain": ()}, flags={"seen": ("place",)})),
        "name": Blank(),
    },
    once={"go to {place}": ("go",)},
    endings=(" if {condition}", " as {name}", " again"),
    names={"Old Mill": "old-mill", "The Old Mill by the River": "old-mill", "Gate": "the-gate"},
)
READ = [
    ("wait", "wait", {}),
    ("GO TO the old mill by the river.", "go to {place}", {"place": "old-mill"}),
    ("go to Gate again", "go to {place} again", {"place": "the-gate"}),
    (
        "bid 2 for old mill if rain > 3 and not seen(Gate) as first again",
        "bid {number} for {place} if {condition} as {name} again",
        {"number": "2", "place": "old-mill", "condition": "rain > 3 and not seen(the-gate)", "name": "first"},
    ),
    ("wait as long", "wait as {name}", {"name": "long"}),
]


@pytest.mark.parametrize(("line", "form", "args"), READ, ids=[line for line, _, _ in READ])
def test_endings_and_other_names_are_read(line: str, form: str, args: dict[str, str]) -> None:
    found = LINES.read(line)
    assert found == (form, args)
    assert LINES.read(LINES.canonical(line)) == found
    assert LINES.base(form) in LINES.shown


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("go to old-mills again if rain > 1", "no place is called 'old-mills again'"),
        ("wait again again", "'wait again again' is no order"),
        ("go to gate if rain", "'rain' is a number and no flag"),
        ("go to oldmill", "no place is called 'oldmill'"),
    ],
)
def test_faulty_endings_are_explained(line: str, what: str) -> None:
    found = LINES.read(line)
    assert isinstance(found, Misfit)
    assert found.what == what


def test_lines_that_differ_only_in_their_ending_count_once() -> None:
    keys = {
        LINES.once_key(*found)
        for found in map(LINES.read, ("go to gate", "go to old mill again"))
        if isinstance(found, tuple)
    }
    assert keys == {("go",)}


def test_a_form_and_an_ending_share_no_blank() -> None:
    with pytest.raises(AssertionError, match="a form and an ending have the blank place"):
        Lines({"": ("go to {place}",)}, {"place": Blank()}, endings=(" by {place}",))


def test_names_must_be_whole_words() -> None:
    """A name within a longer word does not count, and letters that differ in more than case are other letters."""
    assert LINES.by_words("gate gates old mill-race Gate") == "the-gate gates old mill-race the-gate"
    assert LINES.by_words("\u0130 Old M\u0131ll") == "\u0130 Old M\u0131ll"
