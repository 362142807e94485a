"""The lines that people write (tests/data/sheets), read as `courtly check` reads them.

`python -m tests.tools.people` prints how many are read, and what happens to the others.
"""

from __future__ import annotations

import pytest

from tests.tools.people import ANSWERED, RIGHT, Line, corpus, entry, judged, reply

LINES = corpus()


@pytest.mark.parametrize("line", LINES, ids=str)
def test_line_is_read_or_answered(line: Line) -> None:
    became, happened = judged(line)
    assert became in {RIGHT, ANSWERED}, f"{became}: {happened}"


@pytest.mark.parametrize("ruleset", sorted({line.place.ruleset for line in LINES}))
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
