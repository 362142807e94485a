"""What tests share: where things are, a browser, and how to treat missing tools."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


def tool(name: str) -> str:
    """Where a program is. Without it, CI fails and a user's machine skips."""
    found = shutil.which(name)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail(f"{name} is missing; .ci/run installs it")
        pytest.skip(f"{name} is not installed on this machine")
    return found


@pytest.fixture(scope="session")
def chromium() -> str:
    """Debian's chromium."""
    return tool("chromium")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """The archive's site, built once."""
    from adjudicator.site.build import build

    return build(root, tmp_path_factory.mktemp("site")).parent
