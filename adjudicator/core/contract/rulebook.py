"""Ids of rules (`DP-M-3`, `S9-V-25`): one pattern for rulebooks, verdicts and sentences."""

from __future__ import annotations

import re

PREFIX = r"[A-Z][A-Z0-9]{1,2}"
"""The prefix of a ruleset's rules, letters and digits, as in `About.prefix`."""
NUMBER = r"[A-Z]{1,2}-\d+"
"""Chapter and number of a rule in its rulebook."""
RULE_ID = re.compile(rf"\b({PREFIX})-({NUMBER})\b", re.ASCII)
"""The id of a rule, anywhere in a sentence or a book. Its groups are the ruleset's prefix, and the rest."""
RULE_LINE = re.compile(rf"^\*\*({PREFIX}-{NUMBER})\.\*\*", re.ASCII | re.MULTILINE)
"""The beginning of a rule's first line in a rulebook."""


def rules_in(book: str) -> tuple[str, ...]:
    """The ids of a rulebook's rules, in its order."""
    return tuple(RULE_LINE.findall(book))
