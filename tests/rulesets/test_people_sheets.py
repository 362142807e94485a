"""The lines that people write (tests/data/sheets), read as `courtly check` reads them.

`python -m tests.tools.people` prints how many are read, and what happens to the others.
"""

from __future__ import annotations

import pytest

from tests.tools.people import ANSWERED, RIGHT, Line, corpus, entry, judged, reply, slips

LINES = corpus()
RULESETS = sorted({line.place.ruleset for line in LINES})
FLOORS = {"grand_campaign": 0.5, "heir_apparent": 0.85, "saga_of_the_nine": 0.85}
"""The share of `did you mean X?` that could be written, when slips were first counted. It may rise."""


@pytest.mark.parametrize("line", LINES, ids=str)
def test_line_is_read_or_answered(line: Line) -> None:
    became, happened = judged(line)
    assert became in {RIGHT, ANSWERED}, f"{became}: {happened}"


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
    assert len(hints) - len(bad) >= FLOORS.get(ruleset, 0.5) * len(hints), bad
