"""Fixtures that the tests of the core share: a test ruleset. Test files ask for it by name."""

from __future__ import annotations

import sys

import pytest

from adjudicator.core.contract import ruleset
from tests import hazard


@pytest.fixture
def with_hazard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put hazard among the rulesets."""
    real = ruleset.slugs
    monkeypatch.setitem(sys.modules, "adjudicator.rulesets.hazard", hazard)
    monkeypatch.setattr(ruleset, "slugs", lambda: (*real(), "hazard"))
