"""The lines that people write (tests/data/sheets), read as `courtly check` reads them.

`python -m tests.tools.people` prints how many are read, and the outcome of the others.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tools.people import ANSWERED, RIGHT, UNTOLD, WRONG, corpus, entry, judged, reply, slips

LINES = corpus()
RULESETS = sorted({line.place.ruleset for line in LINES})
UNDERSTOOD = {
    "al_andalus": 0.66, "diplomacy": 0.70, "grand_campaign": 0.75, "heir_apparent": 0.70, "noblesse": 0.61,
    "saga_of_the_nine": 0.80,
}  # fmt: skip
"""Share of lines that are read as meant, or answered with the right form. It may only rise."""
IN_SILENCE = 5
"""Maximum number of a ruleset's lines that fail without a message."""
FLOORS = {
    "al_andalus": 0.95, "diplomacy": 0.95, "grand_campaign": 0.95, "heir_apparent": 0.92, "noblesse": 0.95,
    "saga_of_the_nine": 0.88,
}  # fmt: skip
"""Share of `did you mean X?` whose X can be written. It may only rise."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_lines_are_read_as_meant_or_answered(ruleset: str) -> None:
    """No line is read as another order than was meant; unreadable lines are answered, mostly with the right form."""
    became = [(str(line), *judged(line)) for line in LINES if line.place.ruleset == ruleset]
    assert [(line, happened) for line, what, happened in became if what == WRONG] == []
    assert [*UNDERSTOOD] == RULESETS
    count = Counter(what for _, what, _ in became)
    assert count[UNTOLD] <= IN_SILENCE
    assert count[RIGHT] + count[ANSWERED] >= UNDERSTOOD[ruleset] * len(became), count


BEFORE = ("don't ", "do not ", "never ", "not ", "Cancel: ", "no ", "ignore: ", "maybe ", "if possible ", "delete ")
AFTER = (
    " if nobody is there", " unless attacked", " or nothing", " (cancelled)", " cancelled", " not", " (don't)", " [deleted]", " (or not)",
    " instead of that", " (withdrawn)", " when I say so", " - ignore this", " (if free)",
)  # fmt: skip


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_line_is_read_without_words_that_would_take_it_back(ruleset: str) -> None:
    """An order is never changed silently: words that people add to it are ignored only where they cannot change its meaning."""
    meant = sorted(
        {(line.place, line.key, line.read) for line in LINES if line.key and isinstance(line.read, str)}, key=str
    )
    mine = [one for one in meant if one[0].ruleset == ruleset][::3]
    tried = [
        (place, key, line, written)
        for place, key, line in mine
        for written in (*(f"{word}{line}" for word in BEFORE), *(f"{line}{word}" for word in AFTER))
        if '"' not in written
    ]
    assert len(tried) > 200
    assert [
        written for place, key, line, written in tried if reply(place, entry(key, written)).said == {key: [line]}
    ] == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_canonical_lines_are_read_unchanged(ruleset: str) -> None:
    """The corpus's reference lines are right: each line that others should be read as is read as itself."""
    meant = {(line.place, line.key, line.read) for line in LINES if line.key and isinstance(line.read, str)}
    odd = [
        (key, line, reply(place, entry(key, line)))
        for place, key, line in sorted(meant, key=str)
        if place.ruleset == ruleset and reply(place, entry(key, line)).said != {key: [line]}
    ]
    assert odd == []


def test_every_line_appears_once() -> None:
    assert len({(line.place, line.sheet) for line in LINES}) == len(LINES)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_hints_can_be_written(ruleset: str) -> None:
    """A line that follows a hint can be read: for the hints on 300 slips, at least this share of them."""
    hints = slips(ruleset).of(guess=True)
    bad = [hint for hint in hints if not hint.taken]
    assert len(hints) > 20
    assert len(hints) - len(bad) >= FLOORS[ruleset] * len(hints), bad
