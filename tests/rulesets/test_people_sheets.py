"""The lines that people write (tests/data/sheets), read as `courtly check` reads them.

`python -m tests.tools.people` prints how many are read, and what happens to the others.
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
"""The share of lines that are read as meant, or answered with what would be right. It may rise, and never sinks."""
IN_SILENCE = 5
"""Lines of a ruleset, at most, that come to nothing without a word."""
FLOORS = {
    "al_andalus": 0.95, "diplomacy": 0.95, "grand_campaign": 0.95, "heir_apparent": 0.92, "noblesse": 0.95,
    "saga_of_the_nine": 0.88,
}  # fmt: skip
"""The share of `did you mean X?` that can be written. It may rise, and never sinks."""


@pytest.mark.parametrize("ruleset", RULESETS)
def test_lines_are_read_as_meant_or_answered(ruleset: str) -> None:
    """None is read as another order than was meant; what is not read is answered, most often with what would be right."""
    became = [(str(line), *judged(line)) for line in LINES if line.place.ruleset == ruleset]
    assert [(line, happened) for line, what, happened in became if what == WRONG] == []
    assert [*UNDERSTOOD] == RULESETS
    count = Counter(what for _, what, _ in became)
    assert count[UNTOLD] <= IN_SILENCE
    assert count[RIGHT] + count[ANSWERED] >= UNDERSTOOD[ruleset] * len(became), count


@pytest.mark.parametrize("ruleset", RULESETS)
def test_canonical_lines_are_read_as_they_stand(ruleset: str) -> None:
    """What the corpus calls right is right: each line that others must be read as is read as itself."""
    meant = {(line.place, line.key, line.read) for line in LINES if line.key and isinstance(line.read, str)}
    odd = [
        (key, line, reply(place, entry(key, line)))
        for place, key, line in sorted(meant, key=str)
        if place.ruleset == ruleset and reply(place, entry(key, line)).said != {key: [line]}
    ]
    assert odd == []


def test_every_line_is_there_once() -> None:
    assert len({(line.place, line.sheet) for line in LINES}) == len(LINES)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_hints_can_be_written(ruleset: str) -> None:
    """Whoever does as a hint says is read: of the hints that are given for 300 slips this share at least."""
    hints = slips(ruleset).of(guess=True)
    bad = [hint for hint in hints if not hint.taken]
    assert len(hints) > 20
    assert len(hints) - len(bad) >= FLOORS[ruleset] * len(hints), bad
