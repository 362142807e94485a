"""Ids of rules (`DP-M-3`, `S9-V-25`): one pattern for all who read a rulebook, a verdict or a sentence."""

from __future__ import annotations

import re

PREFIX = r"[A-Z][A-Z0-9]{1,2}"
"""Letters and digits of a ruleset, as in `About.prefix`."""
NUMBER = r"[A-Z]{1,2}-\d+"
"""Chapter and number of a rule in its rulebook."""
RULE_ID = re.compile(rf"\b({PREFIX})-({NUMBER})\b", re.ASCII)
"""A rule's id wherever it stands: its ruleset's prefix, and the rest."""
RULE_LINE = re.compile(rf"^\*\*({PREFIX}-{NUMBER})\.\*\*", re.ASCII | re.MULTILINE)
"""The line of a rulebook with which a rule begins."""


def rules_in(book: str) -> tuple[str, ...]:
    """The ids of a rulebook's rules, in its order."""
    return tuple(RULE_LINE.findall(book))
