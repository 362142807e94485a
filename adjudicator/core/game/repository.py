"""Answers of git about a folder, for callers that can do without one."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git_says(folder: Path, *arguments: str) -> str:
    """What a git command prints in a folder; empty where there is no git, no repository, or no answer."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed words and hashes
            ["git", "--no-replace-objects", "-C", str(folder), *arguments],  # noqa: S607 - whichever git there is
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        return ""
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else ""
